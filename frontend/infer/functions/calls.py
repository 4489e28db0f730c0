"""Inference of calls: scripted functions and methods, submodules, operators.

In: call expressions. Out: invocations of specialisations and operator rows.
Holds: arguments are evaluated in the order written and bound to parameters as Python binds them.
"""

from __future__ import annotations

import collections
import inspect
from collections.abc import Sequence

from ....binding.device import Device
from ....binding.dispatch import extensions
from ....binding.numpy_names import NUMPY_NAMES
from ....ir.operators import spelled as rows_spelled
from ....ir.types import ANY, INT, NONE, STR, DictType, FrozenSetType, ListType, SetType, TupleType, Type, arms_of
from ...compilation.specialise import TooManySpecialisations
from ...core.denotations import (
    ArmsDenotation,
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    ContainerDenotation,
    Denotation,
    FieldsDenotation,
    FunctionDenotation,
    GraphDenotation,
    IteratorDenotation,
    KeywordsDenotation,
    MethodDenotation,
    OperatorDenotation,
    RangeDenotation,
    SliceDenotation,
    SpecialDenotation,
    TypeDenotation,
    UnionMethodDenotation,
    ViewDenotation,
)
from ...core.matcher import describe
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    CallGraph,
    Const,
    Do,
    Expr,
    Invoke,
    Let,
    ReadTemp,
    Static,
    Stmt,
    Temp,
    is_silent,
)
from ...objects.class_facts import (
    find,
    is_enum,
    is_instance,
    is_module_class,
    is_named_tuple,
    is_script_class,
    is_typed_dict,
)
from ...objects.class_sources import is_missing
from ...objects.exception_classes import is_builtin_exception
from ...objects.function_source import FunctionSource, calls_itself
from ...objects.hooks import hooks_of
from ...objects.library_refusals import library_refusal
from ...objects.modules import ModuleInfo
from ...objects.signatures import signature_types
from ...parser import syntax
from ...parser.ownership import only_reads
from ...parser.syntax import Span
from ..base import InferenceBase
from ..collection_types import DICT_PYTHON, KEYWORDS, is_deque
from ..finer_types import argument_type
from ..iteration import NotIterable
from ..joined_types import asked_of
from ..operand_errors import class_name, iteration_error
from ..parts import Named
from ..type_facts import dict_class, is_receiver
from .arguments import is_unpacking
from .keyword_names import refused_keyword, type_name
from .spreads import OWN_NAMES, OWN_STARS


class CallInference(InferenceBase):
    """Calls."""

    def _Call(self, node: syntax.Call, want: Type | None) -> Expr:
        if isinstance(node.func, syntax.Attribute) and node.func.attr == "fromkeys":
            owner = node.func.value
            if isinstance(owner, syntax.Name) and owner.id == "dict" and self.is_builtin(owner, "dict"):
                return self.call_fromkeys(node, want)
            if (made := self.call_fromkeys_of_class(node, owner, want)) is not None:
                return made
        if isinstance(node.func, syntax.Subscript) and (made := self.call_alias(node, node.func)) is not None:
            return made
        callee = self.expr(node.func)
        if isinstance(callee, Static):
            try:
                node, callee = self.library_call(node, callee)
            except NotIterable:
                return Const(ERROR, node.span, None)
        if isinstance(callee, Static) and callee.before:
            return after(callee.before, self.call_of(node, Static(STATIC, callee.span, callee.denotation), want))
        return self.call_of(node, callee, want)

    def call_alias(self, node: syntax.Call, alias: syntax.Subscript) -> Expr | None:
        """`list[int](...)`: a builtin container whose type is written out; None for anything else."""
        name = alias.value
        if not (isinstance(name, syntax.Name) and name.id in CONTAINERS and self.is_builtin(name, name.id)):
            return None
        kind = self.annotation(alias)
        return Const(ERROR, node.span, None) if kind is None else self.call_builtin(node, name.id, kind)

    def call_of(self, node: syntax.Call, callee: Expr, want: Type | None) -> Expr:
        if is_silent(callee):
            return self.silent(node.span, [callee])
        if not isinstance(callee, Static):
            return self.call_object(node, callee)
        denotation = callee.denotation
        if node.keywords and (made := self.call_into(node, callee)) is not None:
            return made
        if is_spread(node, denotation):
            if isinstance(denotation, OperatorDenotation) and is_size(node, denotation):
                whole = syntax.List(node.span, [*node.args])
                return self.call_operator(syntax.Call(node.span, node.func, [whole], node.keywords), denotation)
            own = self.call_set_spread(node, denotation) or self.call_bounds_spread(node, denotation) or (
                self.call_dict_spread(node, denotation, want))
            return own or self.call_spread(node, denotation)
        if isinstance(denotation, ContainerDenotation) and is_instance(denotation.python):
            return self.call_object(node, self.opened(callee))
        if isinstance(denotation, BuiltinDenotation):
            name = denotation.name
            return self.called_or_left(node, denotation, lambda: self.call_builtin(node, name, want))
        if isinstance(denotation, FunctionDenotation):
            return self.call_source(node, denotation.source, [], None, want)
        if isinstance(denotation, ClosureDenotation):
            return self.call_source(node, denotation.source, [], denotation, want)
        if isinstance(denotation, MethodDenotation):
            if (done := self.call_deque_method(node, denotation)) is not None:
                return done
            view = self.container_view(node, denotation)
            return view or self.call_source(node, denotation.source, [denotation.receiver], None, want)
        if isinstance(denotation, ArmsDenotation):
            return self.call_arms(node, denotation)
        if isinstance(denotation, UnionMethodDenotation):
            is_any = resolve(denotation.receiver.type) == ANY
            return self.call_of_any(node, denotation) if is_any else self.call_of_union(node, denotation)
        if isinstance(denotation, FieldsDenotation):
            return self.call_fields(node, denotation)
        if isinstance(denotation, OperatorDenotation):
            operator = denotation
            return self.called_or_left(node, denotation, lambda: self.call_operator(node, operator))
        if isinstance(denotation, SpecialDenotation):
            if denotation.name == "tolist":
                return self.call_tolist(node, denotation, want)
            return self.call_special(node, denotation)
        if isinstance(denotation, GraphDenotation):
            return self.call_graph(node, denotation)
        if isinstance(denotation, ClassDenotation):
            return self.call_class(node, denotation, want)
        if isinstance(denotation, TypeDenotation) and (made := self.make_of_type(node, denotation)) is not None:
            return made
        if isinstance(denotation, ViewDenotation):
            if node.args:
                return self.error(node, f"{denotation.view}() takes no arguments")
            return Static(STATIC, callee.span, ViewDenotation(denotation.receiver, denotation.view), callee.before)
        return self.error(node.func, *denotation.refusal(f"{denotation.describe()} cannot be called in scripts"))

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
            if any((found := self.module_info(arm)) is not None and hooks_of(found.sample) for arm in arms):
                return self.error(node.func, "one of several modules has hooks: which is called must be known here",
                                  "index the container by a constant")
            return self.call_arms(node, ArmsDenotation("forward", callee))
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
            return self.wrong_or_left(node.func, raised, f"a value of type {describe(callee)} cannot be called")
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

    def call_class(self, node: syntax.Call, denotation: ClassDenotation, want: Type | None = None) -> Expr:
        python = denotation.python
        name = getattr(python, "__name__", str(python))
        if python is collections.deque:
            return self.make_deque(node, want)
        if python in DICT_PYTHON:
            return self.make_dict_class(node, DICT_PYTHON[python], want)
        if is_enum(python):
            return self.find_member(node, python)
        if is_named_tuple(python):
            return self.make_named_tuple(node, python)
        if is_script_class(python):
            arms = arms_of(resolve(want)) if want is not None and not denotation.arguments else ()
            known = [self.session.classes.of(arm) for arm in arms]
            found = [info for info in known if info is not None and info.python is python]
            wanted = found[0] if len(found) == 1 else None
            if wanted is not None:
                return self.construct(node, python, wanted.arguments)
            return self.construct(node, python, denotation.arguments or self.arguments_of_class(node, python))
        if is_builtin_exception(python):
            return self.make_exception(node, python)
        if is_typed_dict(python):
            return self.call_builtin(node, "dict", DictType(STR, ANY))
        if python is Device:
            return self.make_device(node)
        if isinstance(python, type) and python.__name__ == "Tensor":
            return self.call_source(node, self.session.source(extensions["tsm.Tensor"]), [])
        if is_module_class(python) and (made := self.made_module(node, python)) is not None:
            return made
        if is_module_class(python):
            return self.error(node, f"a script cannot make modules: '{name}(...)' is made once, outside",
                              f"make it in __init__: self.layer = {name}(...), and call self.layer(...) here")
        if isinstance(python, type) and python.__module__ == "contextlib":
            return self.refuse_library_class(node, python)
        refused = library_refusal(python)
        if refused is not None:
            return self.error(node, *refused)
        hint = "pass its parts as a tuple"
        if hasattr(python, "__tsm_resident__"):
            hint = "write a display, as [1, 2] or {}: all containers of a script live in the runtime"
        return self.error(node, f"instances of '{name}' cannot be made in scripts", hint)

    def list_to_join(self, node: syntax.Node) -> Expr:
        """What `join` gets, as a list."""
        if self.is_lazy(node) or isinstance(node, syntax.GeneratorExp):
            return self.list_from(node)
        joined = self.fitting(node, self.expr(node), lambda kind: iteration_error(kind) and "can only join an iterable")
        return self.list_of(node, joined)

    def call_source(
        self, node: syntax.Call, source: FunctionSource, receiver: list[Expr],
        closure: ClosureDenotation | None = None, want: Type | None = None,
    ) -> Expr:
        marked = self.marked_call(node, source, receiver)
        if marked is not None:
            return marked
        if source.is_manager:
            return self.refuse_manager(node, source)
        if source.is_generator:
            return self.stored_iterator(node)
        if receiver and (entered := self.entered_generator(node, source, receiver[0])) is not None:
            return entered
        with self.collect() as before:
            given = self.arguments_of(node, source, receiver)
            if given is None:
                return Const(ERROR, node.span, None)
            result = self.invoke_source(node.span, source, *given, closure, node, want)
        return after(before, result)

    def param_types(self, source: FunctionSource) -> dict[str, Type]:
        """Annotated parameters' types; the annotations are reported where the function is compiled."""
        found, _result = signature_types(source, None)
        return found

    def invoke_source(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named,
        closure: ClosureDenotation | None = None, node: syntax.Node | None = None, want: Type | None = None,
    ) -> Expr:
        written = [*values, *(value for _, value in named)]
        if self.env is None and is_silent(*written):  # nothing can be bound; the first that raises has still to run
            return self.silent(span, written)
        bound = self.bind(span, source, values, named, closure, self.chosen_calls.is_choice or self.is_left(span))
        if bound is None:
            return self.failed_call(span, written)
        if is_silent(*written):
            return self.silent(span, written)
        is_recursive = closure is not None and self.is_recursive(closure)
        if not source.is_ignored and any(map(belongs_here, bound.values())) and self.is_repeated(source, closure):
            bound = {name: self.handed_on(value) for name, value in bound.items()}
            if is_silent(*bound.values()):
                return self.silent(span, list(bound.values()))
        if not source.is_ignored and (
            (closure is not None and not is_recursive) or any(map(belongs_here, bound.values()))
        ):
            if source.is_cached:
                return self.error(span, f"'{source.name}' is wrapped by a cache of functools, and is given a function",
                                  "take the decorator away")
            return self.inline(span, source, bound, written, closure, node or source.node)
        choice = self.by_flags(span, source, bound)
        if choice is None:
            return Const(ERROR, span, None)
        source, bound = choice
        hints, declared = signature_types(source, None)
        self.library_arguments(source, hints, bound)
        operands: dict[str, Expr] = {}
        for name, value in bound.items():
            is_declared = name in hints and any(name == param.arg for param in source.params)
            if is_declared and not isinstance(value, Static):
                hint = argument_type(hints[name], value)
                if resolve(value.type) == ANY and only_reads(source.node, name):
                    value = self.plain_of_any(node or source.node, value, hint)
                given, value = value, self.argument_at(value, hint, f"argument '{name}' of '{source.name}'")
                if value.type == NEVER != given.type:
                    return self.silent(span, [*(each for each in operands.values() if each.type != STATIC), value])
            elif is_declared and isinstance(value, Static) and not is_missing(value.denotation):
                text = f"argument '{name}' of '{source.name}' must be {hints[name]}, got {describe(value)}"
                return self.error(value, text)
            operands[name] = value
        if any(value.type == ERROR for value in operands.values()):
            return Const(ERROR, span, None)
        if closure is not None:
            return self.call_recursive(span, closure, operands, declared)
        mark = self.reporter.mark()
        result = self.request(span, source, operands, written, bound, declared, want)
        if isinstance(result, Invoke) and result.callee.gives_function:
            self.reporter.rewind(mark)
            if calls_itself(source) or source in self.session.recursive:
                return self.request_stored(span, source, operands, declared)
            return self.inline(span, source, bound, written, None, node or source.node)
        return result

    def argument_at(self, value: Expr, declared: Type, what: str) -> Expr:
        """An argument at its declared type; where one of several classes is called, the run finds out (D2)."""
        mark = self.reporter.mark()
        found = self.coerce(value, declared, what)
        if found.type != ERROR or not self.chosen_calls.is_choice or is_silent(value):
            return found
        self.reporter.rewind(mark)
        return self.raise_error(value.span, "TypeError", f"{what} must be {declared}, got {describe(value)}")

    def is_repeated(self, source: FunctionSource, closure: ClosureDenotation | None) -> bool:
        """Whether a body is being typed inside itself."""
        return (source, closure and closure.outer) in (*self.frame.callers, (self.source, self.frame.outer))

    def handed_on(self, value: Expr) -> Expr:
        """A function with variables of this one, as a value that a function which calls itself can take."""
        if not isinstance(value, Static) or not isinstance(value.denotation, HANDED_ON) or not belongs_here(value):
            return value
        made = self.reify(value)
        return value if made is None else self.hold(made)

    def request(
        self, span: Span, source: FunctionSource, operands: dict[str, Expr], written: list[Expr],
        bound: dict[str, Expr], declared: Type | None, want: Type | None = None,
    ) -> Expr:
        arguments: list[Expr | Type] = []
        operands = self.ended_arguments(source, operands)
        for value in operands.values():
            if isinstance(value, Static):
                arguments.append(value)
            else:
                arguments.append(resolve(value.type))
        self.session.specialiser.site = span
        try:
            callee = self.session.specialiser.request(
                source, tuple(arguments), declared, is_chosen=self.is_left(span))
            if want is not None and declared is None and (asked := asked_of(callee.result, want)) is not None:
                callee = self.session.specialiser.request(source, tuple(arguments), None, asked=asked)
        except TooManySpecialisations as error:
            return self.error(span, error.message, error.hint)
        self.here.forget_all_paths()
        kind = resolve(callee.result)
        run = [value for value in operands.values() if not isinstance(value, Static)]
        if callee.wanted:
            self.learn_arguments(callee, run)
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

    def refused_keyword(self, node: syntax.Call, denotation: OperatorDenotation) -> str | None:
        """Why CPython does not take a keyword of this call."""
        before, _, name = denotation.spelling.rpartition(".")
        kind = None if denotation.receiver is None else type_name(resolve(denotation.receiver.type))
        if denotation.receiver is not None and f"{dict_class(denotation.receiver.type)}.{name}" in KEYWORDS:
            return None
        owner = kind or (before if before in ("math", "cmath") else None)
        return owner and refused_keyword(owner, name, [each.arg for each in node.keywords if each.arg is not None])

    def call_operator(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr:
        spelling = denotation.spelling
        refused = self.refused_keyword(node, denotation)
        if refused is not None:
            return self.error(node, f"TypeError: {refused}", "pass the arguments by position")
        made = self.call_text_method(node, denotation) or self.call_number_method(node, denotation)
        if denotation.receiver is not None and spelling == ".copy" and is_deque(denotation.receiver.type):
            return self.call_copy_of_deque(node, denotation.receiver)
        if denotation.receiver is not None and dict_class(denotation.receiver.type):
            made = self.call_dict_class_method(node, denotation.receiver, spelling)
        made = made or self.call_sequence_method(node, denotation)
        if made is not None:
            return made
        if spelling == ".sort" and denotation.receiver is not None and any(k.arg == "key" for k in node.keywords):
            return self.sort_list(node, denotation.receiver)
        if denotation.receiver is not None and isinstance(resolve(denotation.receiver.type), FrozenSetType):
            return self.call_frozenset_method(node, denotation)
        rows = rows_spelled(spelling)
        if not rows:
            return self.error(node.func, f"'{spelling}' is not supported in scripts yet")
        positional = [] if denotation.receiver is None else [denotation.receiver]
        if positional:
            kind = resolve(positional[0].type)
            rows = tuple(row for row in rows if is_receiver(row.schema.params[0].type, kind))
            special = self.call_set_method(node, denotation) if isinstance(kind, SetType) else None
            if special is not None:
                return special
        wants = rows[0].schema.params
        is_container = bool(positional) and isinstance(resolve(positional[0].type), (ListType, DictType, SetType))
        element = element_hint(positional[0]) if is_container and self.is_declared(positional[0]) else None
        is_move = spelling == ".to"
        for argument in node.args:
            if isinstance(argument, syntax.Starred):
                return self.error(argument, "'*' is not supported in a call of an operator", "write the arguments out")
            if is_move:
                moved = self.expr(argument)
                if not self.is_place(argument, moved):
                    positional.append(self.value(argument) if isinstance(moved, Static) else moved)
                continue
            place = len(positional)
            wanted = wants[place].type if place < len(wants) and not wants[place].type.members else None
            if spelling == ".join":
                positional.append(self.list_to_join(argument))
            else:
                if spelling in (".append", ".appendleft", ".insert", ".add", ".setdefault") and is_container:
                    wanted = element or self.wanted_element(positional[0], argument)
                positional.append(self.value(argument, wanted))
                if spelling in (".append", ".insert") and is_container:
                    self.declare_by_declared_list(positional[0], positional[-1])
        named: Named = []
        given = {keyword.arg for keyword in node.keywords}
        known = {param.name for row in rows for param in row.schema.params}
        for keyword in node.keywords:
            if keyword.arg is None:
                return self.error(keyword, "'**' in a call is not supported yet", "write the keyword arguments out")
            if not self.is_device_argument(keyword):
                own = NUMPY_NAMES.get(keyword.arg, keyword.arg)
                is_own = own not in given and (own in known or spelling in extensions)
                named.append((own if is_own else keyword.arg, self.value(keyword.value)))
        if is_move and len(positional) == 1 and not named:
            return positional[0]
        if spelling in (".startswith", ".endswith") and len(positional) > 1:
            kind = resolve(positional[1].type)
            if isinstance(kind, TupleType) and not kind.is_variadic and not is_silent(*positional):
                return self.any_affix(node, spelling, positional, tuple(rows))
        if spelling == ".get" and len(positional) == 3 and resolve(positional[2].type) == NONE:
            positional.pop()
        if spelling in (".get", ".pop") and len(positional) == 3 and not named and self.is_other_default(positional):
            return self.dict_item_or(node, spelling, positional)
        if not positional and not named:
            return self.error(node, f"{spelling.strip('.')}() needs arguments")
        if is_container and (left := self.misfit_of_one(node, spelling, positional, named)) is not None:
            return left
        extended = self.extended(node, spelling, positional, named, rows)
        return self.operate(node, spelling, positional, named, rows) if extended is None else extended


def is_spread(node: syntax.Call, denotation: Denotation) -> bool:
    """Whether it is a call of a builtin or an operator with stars that stand for single arguments."""
    if not isinstance(denotation, (BuiltinDenotation, OperatorDenotation)):
        return False
    name = denotation.name if isinstance(denotation, BuiltinDenotation) else denotation.spelling
    has_names = any(keyword.arg is None for keyword in node.keywords)
    return is_unpacking(node) and (name not in OWN_STARS or has_names and name not in OWN_NAMES)


def is_size(node: syntax.Call, denotation: OperatorDenotation) -> bool:
    """Whether the arguments are the ints of one list, among which an iterable of any length is spread:
    `x.view(*x.shape[:-1], 2, 3)`."""
    place = 0 if denotation.receiver is None else 1
    spread = [each.value for each in node.args if isinstance(each, syntax.Starred)]
    displays = [isinstance(value, (syntax.List, syntax.Tuple)) for value in spread]
    return bool(displays) and not any(displays) and any(
        len(row.schema.params) > place and row.schema.params[place].type == ListType(INT)
        for row in rows_spelled(denotation.spelling)
    )


CONTAINERS = ("list", "dict", "set", "frozenset", "tuple")
HANDED_ON = (ClosureDenotation, MethodDenotation, OperatorDenotation, RangeDenotation, IteratorDenotation)
HERE = (
    ClosureDenotation, MethodDenotation, KeywordsDenotation, IteratorDenotation, RangeDenotation, SliceDenotation,
    ViewDenotation,
)


def belongs_here(value: Expr) -> bool:
    """Whether an argument is known when compiling but uses variables of the caller."""
    if not isinstance(value, Static):
        return False
    denotation = value.denotation
    if isinstance(denotation, OperatorDenotation):
        return denotation.receiver is not None
    return bool(value.before) or isinstance(denotation, HERE)


def after(before: list[Stmt], value: Expr) -> Expr:
    """The value, once some statements have run."""
    if not before or value.type == ERROR:
        return value
    if isinstance(value, Static):
        return Static(STATIC, value.span, value.denotation, [*before, *value.before])
    return Do(value.type, value.span, before, value)


def element_hint(owner: Expr) -> Type | None:
    kind = resolve(owner.type)
    if isinstance(kind, (ListType, SetType)) and not has_placeholder(kind):
        return kind.element
    return None
