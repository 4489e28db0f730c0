"""Inference of calls of values: instances, functions that were stored, submodules, parts that have a program already.

In: a call and the value that it calls. Out: invocations.
Holds: whether a layer that a model is built without is called shows when the program runs.
"""

from __future__ import annotations

import inspect

from ....ir.types import NONE, arms_of
from ...compilation.notes import text_of
from ...core.denotations import (
    ArmsDenotation,
    GraphDenotation,
    MethodDenotation,
)
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    CallGraph,
    Const,
    Expr,
    Static,
    is_silent,
)
from ...objects.class_facts import (
    find,
)
from ...objects.function_source import FunctionSource
from ...objects.hooks import CALL, hooks_of
from ...objects.modules import ModuleInfo
from ...parser import syntax
from ..base import InferenceBase
from ..operand_errors import class_name
from ..parts import Named


class ObjectCallInference(InferenceBase):
    """Calls of values."""

    def call_object(self, node: syntax.Call, callee: Expr) -> Expr:
        """A call of a value: a function, a submodule's forward."""
        if self.session.functions.may_be_function(callee.type):
            return self.call_function_value(node, callee)
        if self.speaks(("__call__",), callee.type):
            own = self.own_call(callee)
            if own is not None:
                return self.call_source(node, own, [callee])
            return self.call_arms(node, ArmsDenotation("__call__", callee))
        arms = arms_of(resolve(callee.type))
        if len(arms) > 1 and all(self.module_info(arm) is not None for arm in arms):
            return self.call_arms(node, ArmsDenotation(CALL, callee))
        traced = self.session.modules.traced_types.get(resolve(callee.type))  # type: ignore[call-overload]
        if traced is not None:
            return self.call_graph(node, GraphDenotation(str(callee.type), traced, "", callee))
        info = self.module_info(callee.type)
        if info is None and (called := self.call_of_slice(node, callee)) is not None:
            return called
        if info is None:
            nothing = self.of_nothing(node, callee, "an element of an empty container cannot be called")
            if nothing is not None:
                return nothing
            name = class_name(callee.type)
            raised = ("TypeError", name and f"'{name}' object is not callable")
            if resolve(callee.type) == NONE and isinstance(node.func, syntax.Attribute):
                return self.call_of_absent(node, callee)
            is_read = isinstance(node.func, syntax.Attribute) and not node.args and not node.keywords
            hint = f"it is no method: write {text_of(node.func.span)}" if is_read else None
            return self.wrong_or_left(node.func, raised, f"a value of type {describe(callee)} cannot be called", hint)
        if hooks_of(info.sample):
            return self.call_hooked(node, callee, info)
        method = self.attribute(node.func, callee, "forward", None)
        if isinstance(method, Static) and isinstance(method.denotation, MethodDenotation):
            return self.call_source(node, method.denotation.source, [callee])
        return method if method.type == ERROR else self.error(node.func, f"'{callee.type}' has no method 'forward'")

    def call_of_absent(self, node: syntax.Call, callee: Expr) -> Expr:
        """The call of an attribute that is None, as of a layer that a model is built without: whether the program comes
        to it shows when it runs."""
        given = [self.value(part.value if isinstance(part, syntax.Starred) else part) for part in node.args]
        given += [self.value(keyword.value) for keyword in node.keywords]
        raised = self.raise_error(node.span, "TypeError", "'NoneType' object is not callable")
        return self.silent(node.span, [each for each in (callee, *given) if not isinstance(each, Static)] + [raised])

    def own_call(self, callee: Expr) -> FunctionSource | None:
        """The `__call__` of an instance of one class."""
        info = self.class_info(callee.type)
        found = None if info is None else find(info.python, "__call__")
        is_method = found is not None and inspect.isfunction(found[1])
        return self.session.classes.method(found[0], "__call__") if is_method and found is not None else None

    def call_hooked(self, node: syntax.Call, callee: Expr, info: ModuleInfo) -> Expr:
        """A call of a submodule that has forward hooks."""
        names = [keyword.arg for keyword in node.keywords if keyword.arg is not None]
        if len(names) < len(node.keywords) or any(isinstance(each, syntax.Starred) for each in node.args):
            return self.error(node, "'*' and '**' are not supported in a call of a module with hooks",
                              "write the arguments out")
        return self.call_source(node, self.session.hooked(info, len(node.args), tuple(names)), [callee])

    def call_graph(self, node: syntax.Call, denotation: GraphDenotation) -> Expr:
        """A function or method that has a program: a graph with its own parameter types."""
        methods, receiver = denotation.program.methods, denotation.receiver
        names = (denotation.method,) if denotation.method else ("__call__", "forward", *methods)
        method = next(methods[name] for name in names if name in methods)
        if method.function.has_self != (receiver is not None):
            return self.error(node, "a module outside the function cannot be used",
                              "make it a submodule: self.x = module")
        positional = [param.name for param in method.params if not param.is_keyword_only]
        written = self.written_arguments(node)
        if written is None:
            return Const(ERROR, node.span, None)
        plain, named = written
        names_given = [*positional[: len(plain)], *(name for name, _ in named)]
        needed = {param.name for param in method.params if not param.has_default}
        known = {param.name for param in method.params}
        if len(plain) > len(positional) or len({*names_given}) < len(names_given) or not (
            needed <= {*names_given} <= known
        ):
            shown = ", ".join(f"{param.name}: {param.type}{' = ...' * param.has_default}" for param in method.params)
            return self.error(node, f"{denotation.describe()} takes ({shown}), by position or name")
        given = dict(zip(names_given, [*plain, *(value for _, value in named)]))
        values = [given[param.name] if param.name in given else self.session.denote(param.default, node.span)
                  for param in method.params]
        if is_silent(*values):
            return self.silent(node.span, values)
        operands = [
            self.coerce(value, param.type, f"argument '{param.name}'") for value, param in zip(values, method.params)
        ]
        if is_silent(*operands):
            return self.silent(node.span, operands)
        self.here.forget_all_paths()
        self.session.hosts.update(denotation.program.hosts)
        arguments = operands if receiver is None else [receiver, *operands]
        return CallGraph(method.function.result, node.span, method.function, arguments)

    def written_arguments(self, node: syntax.Call) -> tuple[list[Expr], Named] | None:
        """The values that a call is written with, spread ones too; None after reporting."""
        plain: list[Expr] = []
        for each in node.args:
            items = self.starred_items(each) if isinstance(each, syntax.Starred) else [self.value(each)]
            if items is None:
                return None
            plain += items
        named: Named = []
        for keyword in node.keywords:
            if keyword.arg is not None:
                named.append((keyword.arg, self.value(keyword.value)))
            elif (pairs := self.double_starred_items(keyword.value)) is not None:
                named += pairs
            else:
                return None
        return plain, named
