"""Inference of functions as run-time values: in containers and attributes, chosen by `if`, returned; and of the cells
by which a function that outlives its frame, or calls itself, shares variables with the function around it.

In: denotations of functions where a value is needed, calls of such values. Out: instances of function classes, choices
over them. Holds: a variable that changes after a stored function captured it lives in a cell from its frame's start on;
what is found out too late for the tree under construction starts the function's inference again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ir.types import BOOL, NONE, TENSOR, DictType, ListType, SetType, Type, arms_of, has_arm
from . import syntax
from .class_facts import is_enum, is_named_tuple, is_script_class
from .denotations import (
    ArmsDenotation,
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    ContainerDenotation,
    Denotation,
    FunctionDenotation,
    GraphDenotation,
    IteratorDenotation,
    KeywordsDenotation,
    MethodDenotation,
    OperatorDenotation,
    RangeDenotation,
    ViewDenotation,
)
from .environment import Variable
from .frames import MARK, Frame
from .function_source import FunctionSource, own_nodes
from .function_values import CONTENT, RECEIVER, Captured, FunctionInfo, function_name, holds_function
from .infer_base import InferenceBase
from .infer_calls import after
from .infer_functions import Default
from .infer_parts import Named
from .liveness import names_captured, target_names, targets_of
from .placeholders import has_placeholder, join, resolve, unify
from .signatures import signature_types
from .specialise import Again, TooManySpecialisations
from .syntax import Span
from .type_facts import converted_to
from .typed import (
    ERROR,
    NEVER,
    STATIC,
    Const,
    Do,
    Expr,
    GetAttribute,
    Invoke,
    IsType,
    Let,
    MakeObject,
    Read,
    ReadTemp,
    Recast,
    SetAttribute,
    Static,
    Stmt,
    Temp,
    boolean,
    is_silent,
)

OF_A_FRAME = (IteratorDenotation, RangeDenotation, ViewDenotation, KeywordsDenotation)
Kept = list[tuple[Captured, Expr]]  # what a stored function takes with it, and where that is now
LOOPS = (syntax.For, syntax.While, syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp)


class FunctionValueInference(InferenceBase):
    """Functions as values."""

    # From a denotation to a value

    def reify(self, value: Static) -> Expr | None:
        """A function known when compiling as a run-time value; None if it is no function, ERROR after reporting."""
        denotation = value.denotation
        source = getattr(denotation, "source", None)
        if isinstance(source, FunctionSource) and source.is_generator:
            return self.error(value, f"the generator function '{source.name}' cannot be stored",
                              "store a function that returns a list")
        identity: object = denotation
        kept: Kept | None = []
        statics: dict[str, Denotation] = {}
        if isinstance(denotation, ClosureDenotation):
            identity = (denotation.source, denotation.outer)
            kept = self.kept_by(value.span, denotation, statics)
        elif isinstance(denotation, (MethodDenotation, OperatorDenotation, ArmsDenotation)):
            identity = (type(denotation), getattr(denotation, "source", function_name(denotation)))
            kept = self.kept_receiver(denotation, statics)
        elif isinstance(denotation, ContainerDenotation) and isinstance(denotation.python, tuple):
            return self.opened(value)
        elif not self.is_plain_function(denotation):
            return None
        if kept is None:
            return Const(ERROR, value.span, None)
        functions = self.session.functions
        info = functions.function(denotation, identity, [each for each, _ in kept], statics)
        if functions.has_grown:
            functions.has_grown = False
            self.session.specialiser.start_again()
            raise Again(self.spec)
        return after(value.before, self.made(value.span, info, kept))

    def is_plain_function(self, denotation: Denotation) -> bool:
        if isinstance(denotation, ClassDenotation):
            python = denotation.python
            is_exception = isinstance(python, type) and issubclass(python, BaseException)
            return is_exception or is_enum(python) or is_named_tuple(python) or is_script_class(python)
        return isinstance(denotation, (FunctionDenotation, BuiltinDenotation, GraphDenotation))

    def kept_receiver(
        self, denotation: MethodDenotation | OperatorDenotation | ArmsDenotation, statics: dict[str, Denotation]
    ) -> Kept:
        receiver = denotation.receiver
        if isinstance(receiver, Static):
            statics[RECEIVER] = receiver.denotation
        if receiver is None or isinstance(receiver, Static):
            return []
        return [(Captured(RECEIVER, "", RECEIVER, resolve(receiver.type), False), receiver)]

    def made(self, span: Span, info: FunctionInfo, kept: Kept) -> Expr:
        """A new instance of a function's class."""
        if not kept:
            return MakeObject(info.type, span)
        temp = Temp()
        whole = ReadTemp(info.type, span, temp)
        steps: list[Stmt] = [
            SetAttribute(span, whole, each.attribute, converted_to(value, each.type))
            for each, (_, value) in zip(info.captured, kept)
        ]
        return Let(info.type, span, temp, MakeObject(info.type, span), Do(info.type, span, steps, whole))

    # What a closure takes with it

    def kept_by(self, span: Span, closure: ClosureDenotation, statics: dict[str, Denotation]) -> Kept | None:
        """The variables that a closure, and those that it leads to, use; None after reporting."""
        found: dict[str, tuple[Captured, Expr]] = {}
        pending, seen = [closure], {closure}
        while pending:
            current = pending.pop()
            for name, full in self.mentioned(current):
                if full in found or full in statics or full.startswith("?"):
                    continue
                state = self.here.variables.get(full)
                if state is None or not state.is_bound:
                    if state is None and current is not closure:
                        continue
                    self.error(span, f"'{name}' may be unbound where the function '{closure.source.name}' is stored",
                               "assign it before on every path")
                    return None
                if isinstance(state.static, OF_A_FRAME):
                    self.error(span, f"'{name}' is {state.static.describe()}, which a stored function cannot use",
                               "make a list of it")
                    return None
                static = self.kept_static(current, name, full, state)
                if static is None:
                    found[full] = self.kept_variable(current, name, full, state, len(found))
                    continue
                statics[full] = static
                if isinstance(static, ClosureDenotation) and static not in seen:
                    seen.add(static)
                    pending.append(static)
        return list(found.values())

    def kept_static(
        self, closure: ClosureDenotation, name: str, full: str, state: Variable
    ) -> Denotation | None:
        """What a captured variable denotes for good; None: it has a value, or will have one once we start again."""
        if state.static is None and not state.is_conflict:
            return None
        plain = isinstance(state.static, (FunctionDenotation, BuiltinDenotation, ClosureDenotation, ClassDenotation))
        if state.static is not None and self.is_fixed(closure, name, full):
            if plain or not isinstance(state.static, (MethodDenotation, OperatorDenotation, ArmsDenotation)):
                return state.static
        self.want_value(full)
        return state.static

    def kept_variable(
        self, closure: ClosureDenotation, name: str, full: str, state: Variable, place: int
    ) -> tuple[Captured, Expr]:
        key = self.cell_key(full)
        if full not in self.spec.celled and key not in self.spec.celled and self.is_fixed(closure, name, full):
            value = self.read_variable(full, closure.source.node.span)
            return Captured(key, full, f"value{place}", resolve(value.type), False), value
        self.want_cell(full)
        cell = self.read_hidden(cell_name(full), closure.source.node.span)
        return Captured(key, full, f"cell{place}", cell.type, True), cell

    def is_fixed(self, closure: ClosureDenotation, name: str, full: str) -> bool:
        """Whether a variable cannot change once the closure has been defined."""
        defaults = [each.variable for each in closure.source.defaults.values() if isinstance(each, Default)]
        if name == full and full in defaults:
            return True
        if full.startswith("."):
            return False
        if name.startswith(MARK) or full in self.spec.captured:
            return True
        frame: Frame | None = closure.outer
        while frame is not None and not (frame.prefix + name == full and name in frame.source.locals):
            frame = frame.outer
        if frame is None or name in frame.source.rebound or closure.source.definition is None:
            return False
        return stays(frame.source.node, closure.source.definition, name)

    # Cells

    def cell_key(self, full: str) -> object:
        """What names a variable in every round: hidden names of comprehensions are numbered anew."""
        return self.comprehension_keys.get(full, full)

    def want_cell(self, full: str) -> None:
        """Makes sure that a variable lives in a cell."""
        key = self.cell_key(full)
        if key in self.spec.celled:
            return
        self.spec.celled[key] = self.here.variables[full].type
        raise Again(self.spec)

    def want_value(self, full: str) -> bool:
        """Makes sure that a variable holds functions as values; False if it does, and that did not help."""
        key = self.cell_key(full)
        if key in self.spec.valued:
            return False
        self.spec.valued.add(key)
        raise Again(self.spec)

    def open_cells(self, span: Span, frame: Frame) -> None:
        """At the start of a body: the cells of its variables."""
        for key, content in list(self.spec.celled.items()):
            if isinstance(key, str) and frame.owns(key) and key not in self.spec.foreign:
                self.store(cell_name(key), MakeObject(self.session.functions.cell(content), span))

    def open_comprehension_cell(self, span: Span, node: syntax.Node, name: str, full: str) -> None:
        key = (id(node), name)
        self.comprehension_keys[full] = key
        if key in self.spec.celled:
            self.store(cell_name(full), MakeObject(self.session.functions.cell(self.spec.celled[key]), span))

    def fill_cell(self, name: str, span: Span) -> None:
        """After a store: the variable's cell, if it has one, gets the value too."""
        key = self.cell_key(name)
        content = self.spec.celled.get(key)
        if content is None or self.env is None:
            return
        kind = resolve(self.here.variables[name].type)
        value: Expr = Read(kind, span, name)
        content = resolve(content)
        if kind != content and has_arm(content, kind):
            value = Recast(content, span, value)
        elif kind != content and not (has_placeholder(content) or has_placeholder(kind)) or not unify(kind, content):
            if name in self.spec.foreign:
                self.error(span, f"a variable of the function around it is {content} and cannot take {kind} here",
                           "annotate it where it is assigned first")
                return
            self.spec.celled[key] = join(content, kind)
            raise Again(self.spec)
        cell = self.read_hidden(cell_name(name), span)
        self.emit(SetAttribute(span, cell, CONTENT, value))

    def cell_value(self, full: str, span: Span) -> Expr | None:
        """What a variable that lives in a cell is now; None if it does not."""
        key = self.cell_key(full)
        content = self.spec.celled.get(key)
        if content is None or cell_name(full) not in self.here.variables:
            return None
        read: Expr = GetAttribute(resolve(content), span, self.read_hidden(cell_name(full), span), CONTENT)
        known = resolve(self.here.variables[full].type)
        if full not in self.rebound and full not in self.spec.foreign and has_arm(read.type, known):
            return Recast(known, span, read)
        return read

    # Containers of functions

    def widen_functions(self, values: Sequence[Expr]) -> None:
        """A function that goes into a container of other functions: the display that made it holds both."""
        owner = resolve(values[0].type) if values else STATIC
        if not isinstance(owner, (ListType, DictType, SetType)):
            return
        member = resolve(owner.members[-1])
        functions = self.session.functions
        if not functions.is_held(member):
            return
        wide: Type | None = member
        for value in values[1:]:
            kind = resolve(value.type)
            if functions.is_held(kind) and wide is not None and kind != wide and not has_arm(wide, kind):
                wide = functions.merged(wide, kind)
        if wide is None or wide == member:
            return
        known = (self.spec, *self.session.specialiser.known.values())
        keys = {key for spec in known for key, kind in spec.displays.items() if resolve(kind) == member}
        functions.widened.update(dict.fromkeys(keys, wide))
        if self.session.classes.widen(member, wide) or keys:
            self.session.specialiser.start_again()
            raise Again(self.spec)

    def learn_functions(self, attributes: dict[str, Type], name: str, kind: Type) -> None:
        """A function is assigned to an attribute: which ones it may be is known when all assignments are."""
        functions, known = self.session.functions, attributes.get(name)
        kind = resolve(kind)
        if known is None and kind not in (ERROR, NEVER, STATIC):
            functions.learned.add((id(attributes), name))
        if not functions.may_be_function(kind) and (id(attributes), name) not in functions.learned:
            return
        if (id(attributes), name) in functions.learned:
            grown = kind if known is None else join(known, kind)
            if known is None or grown != resolve(known):
                attributes[name] = grown
                self.session.specialiser.start_again()
                raise Again(self.spec)
            return
        if known == TENSOR:  # what an unknown argument of __init__ was taken for
            known = None
        if known is not None and not all(arm == NONE or functions.of(arm) for arm in arms_of(resolve(known))):
            return
        grown = kind if known is None else join(known, kind)
        if known is None or grown != resolve(known):
            attributes[name] = grown
            self.session.specialiser.start_again()
            raise Again(self.spec)

    # Calls

    def call_function_value(self, node: syntax.Call, callee: Expr) -> Expr:
        """A call of a value that is one of several functions: arguments are evaluated once, before the choice."""
        with self.collect() as before:
            callee = self.hold(callee)
            given = self.values_of(node)
            if given is None:
                return Const(ERROR, node.span, None)
            positional, named = given
            everything = [*positional, *(value for _, value in named)]
            if is_silent(*everything):
                return after(before, self.silent(node.span, everything))
            result = self.each_arm(callee, lambda one: self.call_stored(node, one, positional, named))
        return after(before, result)

    def values_of(self, node: syntax.Call) -> tuple[list[Expr], Named] | None:
        positional: list[Expr] = []
        named: Named = []
        for argument in node.args:
            if isinstance(argument, syntax.Starred):
                items = self.starred_items(argument)
                if items is None:
                    return None
                positional.extend(items)
            else:
                positional.append(self.held_argument(argument))
        for keyword in node.keywords:
            if keyword.arg is None:
                pairs = self.double_starred_items(keyword.value)
                if pairs is None:
                    return None
                named.extend(pairs)
            else:
                named.append((keyword.arg, self.held_argument(keyword.value)))
        return positional, named

    def held_argument(self, node: syntax.Node) -> Expr:
        value = self.value(node)
        return value if is_silent(value) else self.hold(value)

    def call_stored(self, node: syntax.Call, one: Expr, values: Sequence[Expr], named: Named) -> Expr:
        """A call of a value of one function's class."""
        info = self.session.functions.of(one.type)
        if info is None:
            hint = "it may be None here; test it first: `if f is not None:`" if resolve(one.type) == NONE else None
            return self.error(node.func, f"a value of type {resolve(one.type)} cannot be called", hint)
        entry = self.here.copy()
        with self.collect() as before:
            result = self.call_known(node.span, info, one, values, named)
            if isinstance(result, Static):
                made = self.reify(result)
                result = made if made is not None else self.error(
                    result, f"{result.denotation.describe()} has no value in scripts; call it")
        self.env = entry
        self.here.forget_all_paths()
        return after(before, result)

    def call_known(self, span: Span, info: FunctionInfo, one: Expr, values: Sequence[Expr], named: Named) -> Expr:
        denotation = info.denotation
        if isinstance(denotation, FunctionDenotation):
            return self.invoke_stored(span, info, one, denotation.source, None, values, named)
        if isinstance(denotation, ClosureDenotation):
            return self.invoke_stored(span, info, one, denotation.source, denotation, values, named)
        receiver: Expr | None = None
        if info.captured:
            receiver = GetAttribute(info.captured[0].type, span, one, RECEIVER)
        elif RECEIVER in info.statics:
            receiver = Static(STATIC, span, info.statics[RECEIVER])
        if isinstance(denotation, MethodDenotation) and receiver is not None:
            return self.invoke_stored(span, info, one, denotation.source, None, [receiver, *values], named)
        if isinstance(denotation, ArmsDenotation) and receiver is not None:
            method = denotation.name
            return self.each_arm(receiver, lambda arm: self.call_member(span, arm, method, values, named))
        if isinstance(denotation, OperatorDenotation) and receiver is not None:
            denotation = replace(denotation, receiver=self.hold(receiver))
        return self.apply_known(span, denotation, values, named)

    def apply_known(self, span: Span, denotation: Denotation, values: Sequence[Expr], named: Named) -> Expr:
        """A call of a builtin, an operator or a class, with values already there."""
        callee = MARK + self.hidden("function")
        self.here.store(callee, STATIC, denotation)
        arguments: list[syntax.Expression] = []
        keywords: list[syntax.keyword] = []
        for key, value in (*(("", value) for value in values), *named):
            full = MARK + self.hidden("argument")
            self.store(full, value)
            if key:
                keywords.append(syntax.keyword(span, key, syntax.Name(span, full)))
            else:
                arguments.append(syntax.Name(span, full))
        return self.expr(syntax.Call(span, syntax.Name(span, callee), arguments, keywords))

    def invoke_stored(
        self, span: Span, info: FunctionInfo, one: Expr, source: FunctionSource, closure: ClosureDenotation | None,
        values: Sequence[Expr], named: Named,
    ) -> Expr:
        """A call of a function of its own, which gets what it captured as further arguments."""
        taken: dict[str, Expr] = {}
        if closure is not None:
            for each in info.captured:
                name = cell_name(each.full) if each.is_cell else each.full
                taken[name] = GetAttribute(each.type, span, one, each.attribute)
            taken.update((full, Static(STATIC, span, static)) for full, static in info.statics.items())
        outer, self.given_defaults = self.given_defaults, taken
        try:
            bound = self.bind(span, source, values, named)
        finally:
            self.given_defaults = outer
        if bound is None:
            return Const(ERROR, span, None)
        hints, declared = signature_types(source, None)
        operands: list[Expr] = []
        for name, value in bound.items():
            if name in hints and not isinstance(value, Static) and any(name == p.arg for p in source.params):
                value = self.coerce(value, hints[name], f"argument '{name}' of '{source.name}'")
            if isinstance(value, Static) and isinstance(value.denotation, KeywordsDenotation):
                value = self.handed_keywords(span, value.denotation, taken)
            operands.append(value)
        if is_silent(*operands):
            return self.silent(span, operands)
        around: dict[str, Expr | Type] = {k: v if isinstance(v, Static) else v.type for k, v in taken.items()}
        arguments = tuple(v if isinstance(v, Static) else resolve(v.type) for v in operands)
        try:
            callee = self.session.specialiser.request(
                source, arguments, declared, closure, around or None, is_stored=True)
        except TooManySpecialisations as error:
            return self.error(span, f"'{error.source.name}' is called with too many combinations of argument types",
                              "annotate its parameters")
        run = [value for value in (*operands, *taken.values()) if not isinstance(value, Static)]
        return Invoke(resolve(callee.result), span, callee, run)

    def handed_keywords(self, span: Span, denotation: KeywordsDenotation, taken: dict[str, Expr]) -> Static:
        """What `**kwargs` caught, as further arguments with the same names in every call."""
        variables: list[tuple[str, str]] = []
        for key, full in denotation.variables:
            name = f"{MARK}keyword.{key}"
            taken[name] = self.read_variable(full, span)
            variables.append((key, name))
        return Static(STATIC, span, KeywordsDenotation(denotation.name, tuple(variables)))

    # What else a function value can do

    def function_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        """`f.__name__`."""
        if name not in ("__name__", "__qualname__"):
            return self.error(node, f"attribute '{name}' of a function is not supported in scripts")

        def one(value: Expr) -> Expr:
            info = self.session.functions.of(value.type)
            if info is None:
                return self.error(node, f"'{value.type}' has no attribute '{name}'")
            text = function_name(info.denotation)
            if name == "__qualname__":
                python = getattr(getattr(info.denotation, "source", None), "python", None)
                text = getattr(python, name, "")
            if not text:
                return self.error(node, "'__qualname__' of this function is not supported in scripts")
            return self.then(value, self.session.denote(text, node.span))

        return self.each_arm(owner, one)

    def function_identity(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`is` and `==` with a function on one side; None if there is none."""
        functions = self.session.functions
        sides = [left, right]
        if not any(functions.may_be_function(side.type) for side in sides):
            return None
        for i, side in enumerate(sides):
            if isinstance(side, Static):
                made = self.reify(side)
                if made is None:
                    return self.then(sides[1 - i], boolean(node.span, op in ("is not", "!=")))
                sides[i] = made
        infos = [functions.of(arm) for side in sides for arm in arms_of(resolve(side.type))]
        if any(info is not None and not info.is_single for info in infos):
            return self.error(node, f"'{op}' of functions that were made in a function is not supported",
                              "compare a name or a number that stands for it")
        if is_silent(*sides):
            return self.silent(node.span, sides)
        same = self.same_class(node, sides[0], sides[1])
        return self.negate(same, node.span) if op in ("is not", "!=") else same

    def same_class(self, node: syntax.Node, left: Expr, right: Expr) -> Expr:
        """Whether two values are instances of the same function's class, which then is the same function."""
        from .conversions import once

        def tests(a: Expr) -> Expr:
            def one(b: Expr) -> Expr:
                arm = resolve(b.type)
                if arm not in arms_of(resolve(a.type)):
                    return self.then(b, boolean(node.span, False))
                if len(arms_of(resolve(a.type))) == 1:
                    return self.then(b, boolean(node.span, True))
                return IsType(BOOL, node.span, a, arm)

            return self.each_arm(right, one)

        return once(left, tests)

    def refuse_functions(self, node: syntax.Node | Expr | Span, what: str, *kinds: Type) -> Expr | None:
        """A message where a value holds functions and that makes no sense; None where it holds none."""
        if any(map(holds_function, kinds)):
            return self.error(node, f"{what} of functions is not supported")
        return None


def cell_name(full: str) -> str:
    """The variable that holds the cell of a variable."""
    return f"{full}{MARK}cell"


def stays(function: syntax.Node, definition: syntax.Node, name: str) -> bool:
    """Whether no assignment of a name in a function's own body can run after a definition in it: each stands before,
    and no loop holds both."""
    inner = next((node for node in own_nodes(function) if isinstance(node, syntax.FUNCTIONS) and any(
        each is definition for each in syntax.walk(node))), None)
    if inner is None:
        return False
    start = (inner.span.line, inner.span.column)
    sites = [node for node in own_nodes(function) if name in bound_by(node)]
    for site in sites:
        is_own = site is inner or getattr(site, "value", None) is inner
        if not is_own and ((site.span.line, site.span.column) > start or holds(site, inner)):
            return False
    others = [site for site in sites if site is not inner]  # defined anew, it is the same function over the same names
    loops = [node for node in own_nodes(function) if isinstance(node, LOOPS) and holds(node, inner)]
    return not any(site is loop or holds(loop, site) for loop in loops for site in others)


def bound_by(node: syntax.Node) -> set[str]:
    """Names that a node itself binds."""
    found: set[str] = set(names_captured(node))
    for target in targets_of(node):
        found |= target_names(target)
    if isinstance(node, (syntax.FunctionDef, syntax.ClassDef)):
        found.add(node.name)
    if isinstance(node, syntax.ExceptHandler) and node.name is not None:
        found.add(node.name)
    return found


def holds(outer: syntax.Node, inner: syntax.Node) -> bool:
    return any(each is inner for each in syntax.walk(outer))
