"""Inference of calls: scripted functions and methods, operators, builtins.

In: call expressions. Out: invocations of specialisations and operator rows, or the typed form of a builtin.
Holds: arguments are evaluated in the order written and bound to parameters as Python binds them.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from ..ir.operators import spelled as rows_spelled
from ..ir.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    DictType,
    ListType,
    TupleType,
    Type,
    arms_of,
)
from . import syntax
from .annotations import AnnotationError, type_comment_parts, type_of_annotation
from .constants import constant
from .conversions import is_scalar, is_trivial, once, operate, to_scalar
from .denotations import (
    BuiltinDenotation,
    ClassDenotation,
    FunctionDenotation,
    GraphDenotation,
    MethodDenotation,
    OperatorDenotation,
    SuperDenotation,
    ViewDenotation,
)
from .diagnostics import suggestion
from .function_source import FunctionSource
from .infer_base import InferenceBase
from .infer_expressions import converted_to, is_receiver, tuple_items
from .infer_iteration import NotIterable
from .matcher import describe
from .modules import ModuleInfo, is_module
from .placeholders import has_placeholder, join, resolve
from .specialise import TooManySpecialisations
from .syntax import Span
from .typed import (
    ERROR,
    NEVER,
    STATIC,
    CallGraph,
    Choose,
    Const,
    Do,
    Evaluate,
    Expr,
    Invoke,
    Let,
    MakeList,
    MakeTuple,
    ReadTemp,
    Static,
    Temp,
    boolean,
    is_silent,
    none,
)

Named = list[tuple[str, Expr]]
CONSUMERS = ("list", "tuple", "sorted", "sum", "min", "max", "any", "all", "dict", "set")
ITERATORS = ("range", "zip", "enumerate", "reversed", "map", "filter", "iter")
ADVICE = {
    "input": "pass the text as an argument", "open": "read the file outside and pass its contents",
    "type": "write isinstance(...)", "set": "use a list, or a dict with values True", "eval": None, "exec": None,
    "frozenset": "use a tuple", "setattr": "write x.name = value", "id": "compare with 'is'",
    "format": "write an f-string", "super": "call super().method(...) inside a module's method",
}


class CallInference(InferenceBase):
    """One method a builtin: `_call_len`."""

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

    # Scripted functions

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
                return self.error(value, f"argument '{name}' of '{source.name}' must be {hints[name]}, got {describe(value)}")
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

    # Operators

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
        element = element_hint(positional[0]) if is_container else None
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

    # Builtins

    def call_builtin(self, node: syntax.Call, name: str, want: Type | None) -> Expr:
        method = getattr(self, f"_call_{name}", None)
        if method is not None:
            return method(node, want)  # type: ignore[no-any-return]
        if name in ITERATORS:
            return self.error(node, f"{name}(...) can only be looped over here", f"write list({name}(...))")
        if not rows_spelled(f"{name}()"):
            return self.error(node.func, f"the builtin '{name}' is not supported in scripts", ADVICE.get(name))
        values, named = [self.value(argument) for argument in node.args], self.keywords(node)
        if not values:
            return self.empty_call(node, name, named)
        return self.operate(node, f"{name}()", values, named)

    def keywords(self, node: syntax.Call) -> Named:
        named: Named = []
        for keyword in node.keywords:
            if keyword.arg is None:
                self.error(keyword, "'**' in a call is not supported yet", "write the keyword arguments out")
            else:
                named.append((keyword.arg, self.value(keyword.value)))
        return named

    def empty_call(self, node: syntax.Call, name: str, named: Named) -> Expr:
        empty = {"int": 0, "float": 0.0, "str": "", "bool": False}
        if name in empty and not named:
            return constant(empty[name], node.span)
        return self.error(node, f"{name}() needs an argument")

    def takes(self, node: syntax.Call, least: int, most: int, allowed: Sequence[str] = ()) -> bool:
        """Checks the number of arguments of a builtin."""
        name = node.func.id if isinstance(node.func, syntax.Name) else "it"
        for argument in node.args:
            if isinstance(argument, syntax.Starred):
                self.error(argument, "'*' is not supported in a call of a builtin", "write the arguments out")
                return False
        for keyword in node.keywords:
            if keyword.arg not in allowed:
                self.error(keyword, f"{name}() has no parameter '{keyword.arg}' here")
                return False
        if not least <= len(node.args) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            self.error(node, f"{name}() takes {wanted} argument{'s' * (most != 1)}, got {len(node.args)}")
            return False
        return True

    def wrong(self, node: syntax.Node) -> Expr:
        return Const(ERROR, node.span, None)

    def _call_print(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1000, ("sep", "end", "flush")):
            return self.wrong(node)
        parts = [self.text_of(self.expr(argument)) for argument in node.args]
        options = {keyword.arg: self.value(keyword.value) for keyword in node.keywords if keyword.arg != "flush"}
        if is_silent(*parts, *options.values()):
            return self.silent(node.span, [*parts, *options.values()])
        for name, value in options.items():
            if resolve(value.type) not in (STR, NONE):
                return self.error(value, f"{name} must be None or a string, not {describe(value)}")
        span = node.span
        sep = options.get("sep", Const(STR, span, " "))
        end = options.get("end", Const(STR, span, "\n"))
        sep = Const(STR, span, " ") if resolve(sep.type) == NONE else sep
        end = Const(STR, span, "\n") if resolve(end.type) == NONE else end
        if not parts:
            text: Expr = end
        else:
            body = parts[0] if len(parts) == 1 else once(
                MakeList(ListType(STR), span, parts), lambda whole: operate("str.join", sep, whole))
            if len(parts) > 1 and not is_trivial(sep):
                held = MakeList(ListType(STR), span, parts)
                body = once(held, lambda whole: operate("str.join", sep, whole))
            text = operate("add.str", body, end)
        row = operate("print.str", text, result=NONE)
        row.result_types = ()
        return Do(NONE, span, [Evaluate(span, row)], none(span))

    def _call_isinstance(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 2, 2):
            return self.wrong(node)
        value, true, false = self.isinstance_test(node)
        self.env = true or false
        return value  # type: ignore[no-any-return]

    def _call_len(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        value = self.expr(node.args[0])
        if isinstance(value, Static) and isinstance(value.denotation, ViewDenotation):
            value = value.denotation.receiver
        if isinstance(value, Static) or self.is_lazy(node.args[0]):
            return value if value.type == ERROR else self.error(node, f"len() does not work with {describe(value)}")
        if is_silent(value):
            return value
        kind = resolve(value.type)
        info = self.module_info(kind)
        if info is not None and info.is_container:
            return Const(INT, node.span, len(info.children))
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return Do(INT, node.span, [Evaluate(node.span, value)], Const(INT, node.span, len(kind.elements)))
        if not any(is_receiver(row.schema.params[0].type, kind) for row in rows_spelled("len()")):
            hint = "it may be None here; test it first" if NONE in arms_of(kind) and kind != NONE else None
            return self.error(node, f"{describe(value)} has no len()", hint)
        return self.operate(node, "len()", [value])

    def _call_hasattr(self, node: syntax.Call, want: Type | None) -> Expr:
        found = self.named_attribute(node, 2)
        if found is None:
            return self.wrong(node)
        owner, name = found
        info = self.module_info(owner.type)
        if info is not None:
            names = {*info.type.attributes, *info.constants, *info.refused}
            return boolean(node.span, name in names or hasattr(info.python, name))
        if isinstance(owner, Static):
            return boolean(node.span, hasattr(getattr(owner.denotation, "python", None), name))
        kind = resolve(owner.type)
        rows = [*rows_spelled(f".{name}"), *rows_spelled(f".{name}:")]
        return boolean(node.span, any(is_receiver(row.schema.params[0].type, kind) for row in rows))

    def _call_getattr(self, node: syntax.Call, want: Type | None) -> Expr:
        found = self.named_attribute(node, 3)
        if found is None:
            return self.wrong(node)
        owner, name = found
        info = self.module_info(owner.type)
        if len(node.args) == 3 and info is not None:
            if name not in {*info.type.attributes, *info.constants} and not hasattr(info.python, name):
                return self.value(node.args[2])
        return self.attribute(node, owner, name, None)

    def named_attribute(self, node: syntax.Call, most: int) -> tuple[Expr, str] | None:
        if not self.takes(node, 2, most):
            return None
        owner, name = self.expr(node.args[0]), self.expr(node.args[1])
        if owner.type == ERROR:
            return None
        if not isinstance(name, Const) or name.type != STR:
            self.error(node.args[1], "the attribute's name must be a constant str")
            return None
        return owner, name.value

    def _call_super(self, node: syntax.Call, want: Type | None) -> Expr:
        state = self.here.variables.get(self.source.params[0].arg) if self.source.params else None
        if node.args or self.source.owner is None or state is None or self.module_info(state.type) is None:
            return self.error(node, "super() works without arguments in a module's method only")
        receiver = self.read_hidden(self.source.params[0].arg, node.span)
        return Static(STATIC, node.span, SuperDenotation(self.source.owner, receiver))

    def _call_list(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        if not node.args:
            return self.expr(syntax.List(node.span, []), want)
        argument = node.args[0]
        value = self.list_from(argument, want)
        if is_silent(value) or isinstance(value, (Do, MakeList)):
            return value
        if value.type == STATIC or not isinstance(resolve(value.type), ListType):
            return self.error(argument, f"{describe(value)} cannot be made a list")
        if getattr(value, "row", None) is not None and getattr(value, "row").name in ("list.from_str", "list.from_tuple"):
            return value
        return self.operate(node, "list()", [value])

    def _call_tuple(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        if not node.args:
            return MakeTuple(TupleType(()), node.span, [])
        if not isinstance(node.args[0], syntax.GeneratorExp) and not self.is_lazy(node.args[0]):
            value = self.expr(node.args[0])
            if isinstance(resolve(value.type), TupleType) or is_silent(value):
                return value
        value = self.list_from(node.args[0])
        return value if is_silent(value) else self.operate(node, "tuple()", [value])

    def _call_dict(self, node: syntax.Call, want: Type | None) -> Expr:
        if not node.args and not node.keywords:
            return self.expr(syntax.Dict(node.span, [], []), want)
        if not node.args and all(keyword.arg is not None for keyword in node.keywords):
            keys: list[syntax.Expression | None] = [
                syntax.Constant(keyword.span, keyword.arg) for keyword in node.keywords
            ]
            return self.expr(syntax.Dict(node.span, keys, [keyword.value for keyword in node.keywords]), want)
        if len(node.args) == 1 and not node.keywords:
            value = self.value(node.args[0])
            if is_silent(value) or isinstance(resolve(value.type), DictType):
                return self.operate(node, "dict()", [value])
        return self.error(node, "dict() takes a dict or keyword arguments here", "write {k: v for k, v in ...}")

    def _call_sorted(self, node: syntax.Call, want: Type | None) -> Expr:
        if any(keyword.arg == "key" for keyword in node.keywords):
            return self.error(node, "sorted(key=) is not supported yet", "sort a list of (key, value) tuples")
        if not self.takes(node, 1, 1, ("reverse",)):
            return self.wrong(node)
        return self.operate(node, "sorted()", [self.list_from(node.args[0])], self.keywords(node))

    def _call_any(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.quantifier(node, True)

    def _call_all(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.quantifier(node, False)

    def quantifier(self, node: syntax.Call, decisive: bool) -> Expr:
        """any and all stop at the first element that decides."""
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        argument = node.args[0]
        if not isinstance(argument, syntax.GeneratorExp):
            name = syntax.Name(argument.span, ".element")
            part = syntax.comprehension(argument.span, name, argument, [])
            argument = syntax.GeneratorExp(argument.span, name, [part])
        with self.collect() as statements:
            result = self.hidden("answer")
            self.store(result, boolean(node.span, not decisive))
            try:
                self.search(argument, result, decisive)
            except NotIterable:
                return Const(NEVER if self.env is None else ERROR, node.span, None)
            if self.env is None:
                return Const(ERROR, node.span, None)
            value = self.read_hidden(result, node.span)
            self.drop([result])
        return Do(BOOL, node.span, statements, value)

    def search(self, generator: syntax.GeneratorExp, result: str, decisive: bool) -> None:
        from .infer_base import Jump

        def look(found: Jump) -> None:
            def test() -> None:
                value = self.truth(self.expr(generator.elt))
                if value.type == NEVER:
                    self.evaluate(value)
                    return
                here = self.here

                def decide() -> None:
                    self.store(result, boolean(generator.span, decisive))
                    self.leave(generator.span, found)

                arms = (decide, lambda: None) if decisive else (lambda: None, decide)
                if not is_silent(value):
                    self.branch(generator.span, value, here, here.copy(), None, *arms)

            self.comprehend(generator, generator.generators, test)

        self.once(generator.span, None, look)

    def _call_sum(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 2, ("start",)):
            return self.wrong(node)
        if not isinstance(node.args[0], syntax.GeneratorExp) and not self.is_lazy(node.args[0]):
            value = self.expr(node.args[0])
            if resolve(value.type) == TENSOR:
                return self.operate(node, ".sum", [value], [("dim", Const(INT, node.span, 0))])
        values = self.list_from(node.args[0])
        starts = [self.value(argument) for argument in node.args[1:]] + [value for _, value in self.keywords(node)]
        kind = resolve(values.type)
        if is_silent(values, *starts):
            return self.silent(node.span, [values, *starts])
        if isinstance(kind, ListType) and kind.element in (INT, FLOAT) and len(starts) <= 1:
            if not starts or resolve(starts[0].type) in (INT, kind.element):
                return self.operate(node, "sum()", [values, *starts])
        return self.fold_sum(node, values, starts[0] if starts else Const(INT, node.span, 0))

    def fold_sum(self, node: syntax.Call, values: Expr, start: Expr) -> Expr:
        """sum of what has no row: bools, tensors, mixed numbers, by addition from left to right."""
        from .iteration import SequenceIteration

        if not isinstance(resolve(values.type), ListType):
            return self.error(node.args[0], f"sum() does not work with {describe(values)}")
        with self.collect() as statements:
            total = self.hidden("total")
            iteration = SequenceIteration(self, node.span, values)
            self.store(total, start)

            def each(item: Expr, on_break: object, on_continue: object) -> None:
                self.store(total, self.binary(node, "+", self.read_hidden(total, node.span), item))

            self.walk(node.span, iteration, frozenset([total]), None, None, each, None)
            value = self.read_hidden(total, node.span)
            self.drop([total, *iteration.own_names()])
        return Do(value.type, node.span, statements, value)

    def _call_min(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.extreme(node, "min", "<")

    def _call_max(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.extreme(node, "max", ">")

    def extreme(self, node: syntax.Call, name: str, op: str) -> Expr:
        if any(keyword.arg in ("key", "default") for keyword in node.keywords):
            return self.error(node, f"{name}(key=, default=) is not supported yet", "write a loop")
        if not self.takes(node, 1, 1000):
            return self.wrong(node)
        if len(node.args) == 1:
            values = self.list_from(node.args[0])
            kind = resolve(values.type)
            if kind == TENSOR or is_silent(values):
                return self.operate(node, f".{name}", [values])
            if isinstance(kind, ListType) and kind.element in (INT, FLOAT):
                return self.operate(node, f"{name}()", [values])
            return self.fold_extreme(node, name, op, values)
        items = [self.value(argument) for argument in node.args]
        if is_silent(*items):
            return self.silent(node.span, items)
        kinds = {resolve(item.type) for item in items}
        if kinds in ({INT}, {FLOAT}):
            result = items[0]
            for item in items[1:]:
                result = self.operate(node, f"{name}()", [result, item])
            return result
        return self.pick(node, op, items)

    def pick(self, node: syntax.Node, op: str, items: list[Expr]) -> Expr:
        """min and max of several values, each kept with its type: the first that no other beats."""
        temps = [Temp() for _ in items]
        reads: list[Expr] = [ReadTemp(resolve(item.type), item.span, temp) for item, temp in zip(items, temps)]
        best = reads[0]
        for read in reads[1:]:
            best = self.better(node, op, read, best)
            if is_silent(best):
                return best
        for temp, item in reversed(list(zip(temps, items))):
            best = Let(best.type, node.span, temp, item, best)
        return best

    def better(self, node: syntax.Node, op: str, item: Expr, best: Expr) -> Expr:
        def choose(current: Expr) -> Expr:
            test = self.compare(node, op, item, current)
            if is_silent(test):
                return test
            kind = join(item.type, current.type)
            return Choose(kind, node.span, self.truth(test), converted_to(item, kind), converted_to(current, kind), [])

        return once(best, choose)

    def fold_extreme(self, node: syntax.Call, name: str, op: str, values: Expr) -> Expr:
        """min and max over a list that has no row: by comparison from left to right."""
        from .iteration import SequenceIteration

        if not isinstance(resolve(values.type), ListType):
            return self.error(node.args[0], f"{name}() does not work with {describe(values)}")
        with self.collect() as statements:
            held = self.hold(values)
            size = self.operate(node, "len()", [held])
            is_empty = operate("eq.int", size, Const(INT, node.span, 0))
            text = f"{name}() arg is an empty sequence"
            self.branch(
                node.span, is_empty, self.here, self.here.copy(), None,
                lambda: self.evaluate(self.raise_error(node.span, "ValueError", text)), lambda: None,
            )
            best = self.hidden("best")
            self.store(best, self.operate(node, "_[_]", [held, Const(INT, node.span, 0)]))
            iteration = SequenceIteration(self, node.span, held)

            def each(item: Expr, on_break: object, on_continue: object) -> None:
                self.store(best, self.better(node, op, item, self.read_hidden(best, node.span)))

            self.walk(node.span, iteration, frozenset([best]), None, None, each, None)
            value = self.read_hidden(best, node.span)
            self.drop([best, *iteration.own_names()])
        return Do(value.type, node.span, statements, value)

    def _call_divmod(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 2, 2):
            return self.wrong(node)
        left, right = self.value(node.args[0]), self.value(node.args[1])
        if is_silent(left, right):
            return self.silent(node.span, [left, right])

        def parts(a: Expr, b: Expr) -> Expr:
            quotient, rest = self.binary(node, "//", a, b), self.binary(node, "%", a, b)
            return MakeTuple(TupleType((quotient.type, rest.type)), node.span, [quotient, rest])

        return once(left, lambda a: once(right, lambda b: parts(a, b)))

    def _call_pow(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 2, 2):
            return self.wrong(node)
        return self.binary(node, "**", self.value(node.args[0]), self.value(node.args[1]))

    def _call_str(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        return self.text_of(self.expr(node.args[0])) if node.args else Const(STR, node.span, "")

    def _call_repr(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.text_of(self.expr(node.args[0]), "repr.any") if self.takes(node, 1, 1) else self.wrong(node)

    def _call_bool(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 1):
            return self.wrong(node)
        return self.truth(self.expr(node.args[0])) if node.args else boolean(node.span, False)

    def _call_hash(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        value = self.value(node.args[0])
        kind = resolve(value.type)
        if not is_silent(value) and not all(arm.is_hashable for arm in arms_of(kind)):
            return self.error(node, f"unhashable type: {describe(value)}")
        return self.operate(node, "hash()", [value])

    def _call_abs(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.number_call(node, "abs")

    def number_call(self, node: syntax.Call, name: str) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        value = self.value(node.args[0])
        kind = resolve(value.type)
        if not is_silent(value) and is_scalar(kind) and len(arms_of(kind)) > 1:
            value = to_scalar(value)
        return self.operate(node, f"{name}()", [value])

    def _call_int(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.number_of(node, "int")

    def _call_float(self, node: syntax.Call, want: Type | None) -> Expr:
        return self.number_of(node, "float")

    def number_of(self, node: syntax.Call, name: str) -> Expr:
        if len(node.args) == 2 or node.keywords:
            return self.error(node, f"{name}() takes one argument here")
        if not node.args:
            return constant(0 if name == "int" else 0.0, node.span)
        return self.number_call(node, name)


def is_trivial_read(value: Expr) -> bool:
    from .typed import Read

    return isinstance(value, Read) or is_trivial(value)


def element_hint(owner: Expr) -> Type | None:
    kind = resolve(owner.type)
    if isinstance(kind, ListType) and not has_placeholder(kind):
        return kind.element
    return None


def signature_types(source: FunctionSource, report: object) -> tuple[dict[str, Type], Type | None]:
    """Types of the annotated parameters and of the result. `report(node, message)` is called for bad annotations."""
    found: dict[str, Type] = {}
    declared: Type | None = None

    def read(node: syntax.Node | None) -> Type | None:
        if node is None:
            return None
        try:
            return type_of_annotation(node, source.lookup, lambda python: None)
        except AnnotationError as error:
            if callable(report):
                report(error.node or node, str(error))
            return None

    for param in source.params:
        annotation = param.annotation
        if annotation is None and param.type_comment is not None:
            annotation = syntax.Constant(param.span, param.type_comment)
        if annotation is not None and is_module_annotation(annotation, source):
            continue
        kind = read(annotation)
        if kind is not None:
            found[param.arg] = kind
    declared = read(source.node.returns)
    if source.node.type_comment is not None and (parts := type_comment_parts(source.node.type_comment)):
        texts, result = parts
        params = source.params[-len(texts) :] if texts else []
        for param, text in zip(params, texts):
            kind = read(syntax.Constant(param.span, text))
            if kind is not None:
                found[param.arg] = kind
        declared = read(syntax.Constant(source.node.span, result))
    return found, declared


def is_module_annotation(annotation: syntax.Node, source: FunctionSource) -> bool:
    """`self: Net`, `net: nn.Module`: the module's structure decides its type, not the annotation."""
    node: syntax.Node = annotation
    names: list[str] = []
    while isinstance(node, syntax.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, syntax.Name):
        return False
    try:
        value = source.lookup(node.id)
        for name in reversed(names):
            value = getattr(value, name)
    except (KeyError, AttributeError):
        return False
    return isinstance(value, type) and inspect.isclass(value) and "forward" in dir(value) and not is_module(value)


