"""Inference of calls: scripted functions and methods, submodules, operators.

In: call expressions. Out: invocations of specialisations and operator rows.
Holds: arguments are evaluated in the order written and bound to parameters as Python binds them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.operators import spelled as rows_spelled
from ..ir.types import (
    NONE,
    DictType,
    ListType,
    TupleType,
    Type,
)
from . import syntax
from .conversions import is_trivial
from .denotations import (
    BuiltinDenotation,
    ClassDenotation,
    FunctionDenotation,
    GraphDenotation,
    MethodDenotation,
    OperatorDenotation,
    ViewDenotation,
)
from .diagnostics import suggestion
from .function_source import FunctionSource
from .infer_base import InferenceBase
from .infer_parts import Named
from .matcher import describe
from .placeholders import has_placeholder, resolve
from .signatures import signature_types
from .specialise import TooManySpecialisations
from .syntax import Span
from .type_facts import is_receiver, tuple_items
from .typed import (
    ERROR,
    CallGraph,
    Const,
    Expr,
    Invoke,
    Let,
    ReadTemp,
    Static,
    Temp,
    boolean,
    is_silent,
)


class CallInference(InferenceBase):
    """Calls."""

    def _Call(self, node: syntax.Call, want: Type | None) -> Expr:
        callee = self.expr(node.func)
        if is_silent(callee):
            return self.silent(node.span, [callee])
        if not isinstance(callee, Static):
            return self.call_object(node, callee)
        denotation = callee.denotation
        if isinstance(denotation, BuiltinDenotation):
            return self.call_builtin(node, denotation.name, want)
        if isinstance(denotation, FunctionDenotation):
            return self.call_source(node, denotation.source, [])
        if isinstance(denotation, MethodDenotation):
            return self.call_source(node, denotation.source, [denotation.receiver])
        if isinstance(denotation, OperatorDenotation):
            return self.call_operator(node, denotation)
        if isinstance(denotation, GraphDenotation):
            return self.call_graph(node, denotation)
        if isinstance(denotation, ClassDenotation):
            return self.call_class(node, denotation)
        if isinstance(denotation, ViewDenotation):
            return callee if not node.args else self.error(node, f"{denotation.view}() takes no arguments")
        reason = getattr(denotation, "reason", "")
        return self.error(node.func, reason or f"{denotation.describe()} cannot be called in scripts")

    def call_object(self, node: syntax.Call, callee: Expr) -> Expr:
        """A call of a value: a submodule's forward."""
        info = self.module_info(callee.type)
        if info is None:
            return self.error(node.func, f"a value of type {describe(callee)} cannot be called")
        method = self.attribute(node.func, callee, "forward", None)
        if isinstance(method, Static) and isinstance(method.denotation, MethodDenotation):
            return self.call_source(node, method.denotation.source, [callee])
        return method if method.type == ERROR else self.error(node.func, f"'{callee.type}' has no method 'forward'")

    def call_class(self, node: syntax.Call, denotation: ClassDenotation) -> Expr:
        python = denotation.python
        name = getattr(python, "__name__", str(python))
        if isinstance(python, type) and issubclass(python, BaseException):
            return self.error(node, f"the exception '{name}' can only be raised", f"write raise {name}(...)")
        if isinstance(python, type) and python.__name__ == "Tensor":
            return self.error(node, "a Tensor is made by tsm.tensor(...), tsm.zeros(...) and their like")
        return self.error(node, f"making an instance of '{name}' is not supported yet", "pass its parts as a tuple")

    def call_source(self, node: syntax.Call, source: FunctionSource, receiver: list[Expr]) -> Expr:
        is_scripting = getattr(source.python, "__tsm_is_scripting__", False)
        if is_scripting or (source.name == "is_scripting" and not node.args):
            return boolean(node.span, True)
        hints = self.param_types(source)
        skip = len(receiver)
        positional: list[Expr] = list(receiver)
        for i, argument in enumerate(node.args):
            if isinstance(argument, syntax.Starred):
                whole = self.value(argument.value)
                kind = resolve(whole.type)
                if is_silent(whole):
                    return whole
                if not isinstance(kind, TupleType) or kind.is_variadic or not is_trivial_read(whole):
                    return self.error(argument, "'*' in a call needs a variable that holds a tuple of known length")
                positional.extend(tuple_items(whole, kind))
                continue
            names = [param.arg for param in source.params]
            name = names[i + skip] if i + skip < min(len(names), source.positional_count) else ""
            positional.append(self.expr(argument, hints.get(name)))
        named: Named = []
        for keyword in node.keywords:
            if keyword.arg is None:
                return self.error(keyword, "'**' in a call is not supported yet", "write the keyword arguments out")
            named.append((keyword.arg, self.expr(keyword.value, hints.get(keyword.arg))))
        return self.invoke_source(node.span, source, positional, named)

    def param_types(self, source: FunctionSource) -> dict[str, Type]:
        """Annotated parameters' types; the annotations are reported where the function is compiled."""
        found, _result = signature_types(source, None)
        return found

    def invoke_source(self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named) -> Expr:
        bound = self.bind(span, source, values, named)
        if bound is None:
            return Const(ERROR, span, None)
        written = [*values, *(value for _, value in named)]
        if is_silent(*written):
            return self.silent(span, written)
        hints, declared = signature_types(source, None)
        operands: dict[str, Expr] = {}
        for name, value in bound.items():
            if name in hints and not isinstance(value, Static):
                value = self.coerce(value, hints[name], f"argument '{name}' of '{source.name}'")
            elif name in hints:
                text = f"argument '{name}' of '{source.name}' must be {hints[name]}, got {describe(value)}"
                return self.error(value, text)
            operands[name] = value
        if any(value.type == ERROR for value in operands.values()):
            return Const(ERROR, span, None)
        return self.request(span, source, operands, written, bound, declared)

    def request(
        self, span: Span, source: FunctionSource, operands: dict[str, Expr], written: list[Expr],
        bound: dict[str, Expr], declared: Type | None,
    ) -> Expr:
        arguments: list[Expr | Type] = []
        for value in operands.values():
            if isinstance(value, Static):
                if isinstance(value.denotation, (MethodDenotation, OperatorDenotation)) and getattr(
                    value.denotation, "receiver", None
                ) is not None:
                    return self.error(value, f"{value.denotation.describe()} cannot be passed as an argument yet")
                arguments.append(value)
            else:
                arguments.append(resolve(value.type))
        try:
            callee = self.session.specialiser.request(source, tuple(arguments), declared)
        except TooManySpecialisations as error:
            return self.error(span, f"'{error.source.name}' is called with too many combinations of argument types",
                              "annotate its parameters")
        self.here.forget_all_paths()
        kind = resolve(callee.result)
        run = [value for value in operands.values() if not isinstance(value, Static)]
        places = [next((i for i, w in enumerate(written) if w is bound[name]), -1) for name in operands
                  if not isinstance(operands[name], Static)]
        given = [place for place in places if place >= 0]
        if given == sorted(given):
            return Invoke(kind, span, callee, run)
        temps = {place: Temp() for place in given}
        body_operands = [
            value if place < 0 else ReadTemp(value.type, value.span, temps[place]) for place, value in zip(places, run)
        ]
        body: Expr = Invoke(kind, span, callee, body_operands)
        for place, value in sorted(zip(places, run), key=lambda pair: -pair[0]):
            if place >= 0:
                body = Let(kind, span, temps[place], value, body)
        return body

    def bind(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named
    ) -> dict[str, Expr] | None:
        """Arguments by parameter, in the order of the parameters, defaults filled in. None after reporting."""
        if source.node.args.vararg is not None or source.node.args.kwarg is not None:
            self.error(span, f"'{source.name}' has *args or **kwargs, which are not supported yet",
                       "list its parameters")
            return None
        params = [param.arg for param in source.params]
        count = source.positional_count
        shown = f"{source.name}()"
        if len(values) > count:
            plural = "s" if count != 1 else ""
            verb = "was" if len(values) == 1 else "were"
            self.error(span, f"{shown} takes {count} positional argument{plural} but {len(values)} {verb} given")
            return None
        bound = dict(zip(params, values))
        for name, value in named:
            if name not in params or (name in params and source.is_positional_only(params.index(name))):
                self.error(value, f"{shown} got an unexpected keyword argument '{name}'", suggestion(name, params))
                return None
            if name in bound:
                self.error(value, f"{shown} got multiple values for argument '{name}'")
                return None
            bound[name] = value
        missing = [name for name in params if name not in bound and name not in source.defaults]
        if missing:
            names = " and ".join(f"'{name}'" for name in missing)
            self.error(span, f"{shown} missing {len(missing)} required argument{'s' * (len(missing) > 1)}: {names}")
            return None
        for name in params:
            if name not in bound:
                bound[name] = self.default(span, source, name)
        return {name: bound[name] for name in params}

    def default(self, span: Span, source: FunctionSource, name: str) -> Expr:
        value = source.defaults[name]
        if isinstance(value, (list, dict, set)):
            return self.error(span, f"the default of '{name}' of '{source.name}' is mutable", "use None, or a tuple")
        return self.session.denote(value, span)

    def call_graph(self, node: syntax.Call, denotation: GraphDenotation) -> Expr:
        """A traced function: a graph with its own parameter types."""
        method = denotation.program.methods.get("forward") or next(iter(denotation.program.methods.values()))
        values = [self.value(argument) for argument in node.args]
        if is_silent(*values):
            return self.silent(node.span, values)
        if len(values) != len(method.params) or node.keywords or method.function.has_self:
            return self.error(node, f"{denotation.describe()} takes {len(method.params)} positional arguments")
        operands = [
            self.coerce(value, param.type, f"argument '{param.name}'") for value, param in zip(values, method.params)
        ]
        if is_silent(*operands):
            return self.silent(node.span, operands)
        self.here.forget_all_paths()
        return CallGraph(method.function.result, node.span, method.function, operands)

    def call_operator(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr:
        spelling = denotation.spelling
        rows = rows_spelled(spelling)
        if not rows:
            return self.error(node.func, f"'{spelling}' is not supported in scripts yet")
        positional = [] if denotation.receiver is None else [denotation.receiver]
        if positional:
            kind = resolve(positional[0].type)
            rows = tuple(row for row in rows if is_receiver(row.schema.params[0].type, kind))
        wants = rows[0].schema.params
        is_container = bool(positional) and isinstance(resolve(positional[0].type), (ListType, DictType))
        element = element_hint(positional[0]) if is_container and self.is_declared(positional[0]) else None
        for argument in node.args:
            if isinstance(argument, syntax.Starred):
                return self.error(argument, "'*' is not supported in a call of an operator", "write the arguments out")
            place = len(positional)
            wanted = wants[place].type if place < len(wants) and not wants[place].type.members else None
            if spelling in (".extend", ".join") or (spelling in ("tsm.cat", "tsm.stack") and place == 0):
                positional.append(self.list_from(argument, element and ListType(element)))
            else:
                positional.append(self.value(argument, element if spelling in (".append", ".insert") else wanted))
        named: Named = []
        for keyword in node.keywords:
            if keyword.arg is None:
                return self.error(keyword, "'**' in a call is not supported yet", "write the keyword arguments out")
            named.append((keyword.arg, self.value(keyword.value)))
        if spelling == ".get" and len(positional) == 3 and resolve(positional[2].type) == NONE:
            positional.pop()
        if not positional and not named:
            return self.error(node, f"{spelling.strip('.')}() needs arguments")
        return self.operate(node, spelling, positional, named, rows)


def is_trivial_read(value: Expr) -> bool:
    from .typed import Read

    return isinstance(value, Read) or is_trivial(value)


def element_hint(owner: Expr) -> Type | None:
    kind = resolve(owner.type)
    if isinstance(kind, ListType) and not has_placeholder(kind):
        return kind.element
    return None
