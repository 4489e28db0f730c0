"""Inference of containers and classes of values of type Any, which are known at run time only.

In: loops over such values, len, items, `.items()` and its like, tests of their class. Out: operators that ask the
value, with CPython's errors where it is something else. Holds: nothing changes a container that only an Any holds;
where an instance of a class with special methods might be one, its class is asked for == and texts, and all else that
would ask it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    TupleType,
    Type,
    arms_of,
    union,
)
from ...core.conversions import once, once_all, operate, to_any
from ...core.denotations import (
    BuiltinDenotation,
    ClassDenotation,
    Denotation,
    SpecialDenotation,
    TypeDenotation,
    UnionMethodDenotation,
)
from ...core.exception_types import ExceptionClass
from ...core.matcher import describe
from ...core.placeholders import join, resolve
from ...core.typed import ERROR, NEVER, STATIC, Choose, Const, Expr, IsType, Recast, Static, after, is_silent, none
from ...objects.annotations import AnnotationError
from ...objects.class_facts import find_method, is_enum, is_named_tuple, is_script_class
from ...parser import syntax
from ...prelude import any_arithmetic as arithmetic
from ...prelude import any_values as prelude
from ..abstract_classes import is_abstract_class, kept_instances, plain_instances
from ..base import InferenceBase
from ..iteration import Iteration, SequenceIteration
from ..parts import Outcome
from ..type_facts import ANY_ARMS, any_of, converted_to
from .any_changes import METHODS
from .any_methods import has_plain_method

VIEWS = {"items": prelude.items_of, "keys": prelude.keys_of, "values": prelude.values_of}
CONTAINERS = {
    "list": ("list",), "tuple": ("tuple",), "set": ("set",), "frozenset": ("frozenset",),
    "dict": ("dict", "OrderedDict", "defaultdict", "Counter"),
    "deque": ("deque",), "OrderedDict": ("OrderedDict",), "defaultdict": ("defaultdict",), "Counter": ("Counter",),
}  # the names of the classes that isinstance takes for one


ARITHMETIC = {
    "+": arithmetic.add, "-": arithmetic.subtract, "*": arithmetic.multiply, "/": arithmetic.divide,
    "//": arithmetic.floor_divide, "%": arithmetic.modulo, "**": arithmetic.power,
}
SPECIAL = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow"}
UNARY = {
    "-": (arithmetic.negative, "__neg__"), "+": (arithmetic.positive, "__pos__"),
    "~": (arithmetic.inverted, "__invert__"),
}
PLAIN = (ANY, BOOL, INT, FLOAT, COMPLEX, STR, BYTES, NONE, TENSOR)
WALKERS = frozenset(("list", "tuple", "set", "frozenset", "sorted", "sum", "any", "all", "enumerate"))
CONSUMERS = frozenset(("list", "sorted", "tuple", "set", "len", "any", "all", "sum", "max", "min", "enumerate", "zip"))


class AnyInference(InferenceBase):
    """Values that tell what they are when the program runs."""

    def asks_any(self, node: syntax.Node, method: str) -> Expr | None:
        """A message if some class of the program has the special method, which only its instances could be asked."""
        for info in self.session.classes.info.values():
            if hasattr(info.python, method):
                text = f"a value of type Any may be an instance of '{info.python.__name__}', which has {method}"
                return self.error(node, text, "declare its type")
        return None

    def asked_classes(self, *methods: str) -> list[ClassType]:
        """The classes that have one of these special methods: a value of type Any may be an instance of any of them."""
        classes = self.session.classes
        classes.asked.update(methods)
        return [info.type for info in classes.info.values() if not isinstance(info.type, ExceptionClass) and any(
            find_method(info.python, method) is not None for method in methods)]

    def text_of_any(self, value: Expr, row: str) -> Expr | None:
        """str() or repr() of a value of type Any, where it may be or hold an instance with a text of its own."""
        methods = ("__repr__",) if row == "repr.any" else ("__repr__", "__str__")
        if not self.asked_classes(*methods):
            return None

        def use(whole: Expr) -> Expr:
            name = prelude.repr_of if row == "repr.any" else prelude.str_of
            rest = self.by_prelude(syntax.Node(value.span), name, [whole])
            return self.by_asked_class(whole, methods, lambda own: self.text_of(own, row), rest)

        return once(value, use)

    def by_asked_class(
        self, value: Expr, methods: Sequence[str], use: Callable[[Expr], Expr], otherwise: Expr
    ) -> Expr:
        """`use` of a held value of type Any where it is an instance of a class that has one of these methods."""
        kinds = self.asked_classes(*methods)
        results = [use(Recast(kind, value.span, value)) for kind in kinds]
        wrong = next((result for result in results if is_silent(result) and result.type != NEVER), None)
        if wrong is not None:
            return wrong
        whole = join(otherwise.type, *(result.type for result in results))
        found = converted_to(otherwise, whole)
        for kind, result in zip(kinds, results):
            test = IsType(BOOL, value.span, value, kind)
            found = Choose(whole, value.span, test, converted_to(result, whole), found, [])
        return found

    def searches_any(self, node: syntax.Node, item: Expr) -> Expr | None:
        """A message if only the class of an item could tell whether a value of type Any holds it."""
        is_any = resolve(item.type) == ANY
        if is_any or not (self.compares_by_method(item.type) or self.hashes_itself(item.type)):
            return None
        text = f"{describe(item)} cannot be looked for in a value of type Any: its class would be asked"
        return self.error(node, text, "declare the type of the container")

    def items_of_any(self, node: syntax.Node, value: Expr) -> Expr:
        """What iterating over it gives, as a new list."""
        return self.unless_asked(value, ("__iter__", "__getitem__"), "iterated over", lambda whole: operate(
            "list.from_any", whole))

    def unless_asked(
        self, value: Expr, methods: Sequence[str], what: str, use: Callable[[Expr], Expr]
    ) -> Expr:
        """`use` of a value of type Any, which fails where it is an instance that would be asked: what that does as it
        goes cannot be told here."""
        if not self.asked_classes(*methods):
            return use(value)
        text = f"an instance that is declared as Any cannot be {what}: declare its class"

        def chosen(whole: Expr) -> Expr:
            return self.by_asked_class(
                whole, methods, lambda own: self.raise_error(value.span, "TypeError", text), use(whole))

        return once(value, chosen)

    def asked_or(
        self, value: Expr, methods: Sequence[str], of_instance: Callable[[Expr], Expr], use: Callable[[Expr], Expr]
    ) -> Expr:
        """`use` of a value of type Any, or what its class says where it is an instance that is asked."""
        if not self.asked_classes(*methods):
            return use(value)

        return once(value, lambda whole: self.by_asked_class(whole, methods, lambda own: self.answered(
            own, methods[0], lambda: of_instance(own)), use(whole)))

    def answered(self, instance: Expr, method: str, ask: Callable[[], Expr]) -> Expr:
        """What an instance says that is a value of type Any; a TypeError where its class does not take this."""
        mark = self.reporter.mark()
        found = ask()
        if found.type != ERROR:
            return found
        self.reporter.rewind(mark)
        text = f"{method} of a '{describe(instance)}' that is declared as Any does not take this"
        return self.raise_error(instance.span, "TypeError", text)

    def is_for_loop(self, node: syntax.Node) -> bool:
        """Whether a `for` statement walks through it, whose body may change it."""
        return isinstance(self.current, syntax.For) and self.current.iter is node

    def length_of_any(self, node: syntax.Node, value: Expr) -> Expr:
        return self.asked_or(value, ("__len__",), self.class_length, (
            lambda whole: operate("len.any", whole)))

    def item_of_any(self, node: syntax.Node, owner: Expr, index: Expr) -> Expr:
        refused = self.searches_any(node, index)
        if refused is not None or not isinstance(node, syntax.Subscript):
            return refused or self.asks_any(node, "__getitem__") or operate("getitem.any", owner, to_any(index))
        subscript = node
        with self.collect() as before:
            held = self.hold(index)
        made = self.asked_or(
            owner, ("__getitem__",), lambda own: self.as_any(self.get_item(subscript, own, held)),
            lambda whole: operate("getitem.any", whole, to_any(held)))
        return after(before, made)

    def as_any(self, value: Expr) -> Expr:
        """What a method of an instance gave, to one who does not know of which class that was."""
        value = self.reify(value) or value if isinstance(value, Static) else value
        return value if is_silent(value) or isinstance(value, Static) else to_any(value)

    def slice_of_any(self, node: syntax.Node, owner: Expr, operands: Sequence[Expr]) -> Expr:
        bounds = [self.asked_whole(node.span, "_[:]", each) for each in operands]
        return self.unless_asked(owner, ("__getitem__",), "sliced", lambda whole: self.by_prelude(
            node, prelude.slice_of, [whole, *bounds]))

    def plain_of_any(self, node: syntax.Node, value: Expr, kind: Type) -> Expr:
        """A list[Any] or dict[str, Any] with what a list or dict of any type holds, for somebody who only reads it; any
        other value as it is."""
        if resolve(value.type) != ANY or resolve(kind) not in (ListType(ANY), DictType(STR, ANY)):
            return value
        function = prelude.as_list if isinstance(resolve(kind), ListType) else prelude.as_dict
        return self.by_prelude(node, function, [value])

    def unpacked_any(self, node: syntax.Node, value: Expr) -> Expr:
        """The list that is unpacked, or the TypeError of unpacking."""
        return self.unless_asked(value, ("__iter__", "__getitem__"), "unpacked", lambda whole: self.by_prelude(
            node, prelude.unpacked, [whole]))

    def binary_of_any(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        """Arithmetic of which one side is an Any."""
        if op not in ARITHMETIC or not all(is_plain_operand(each.type) for each in (left, right)):
            text = f"unsupported operand types for {op}: {describe(left)} and {describe(right)}"
            return self.error(node, text, "test a value of type Any first: if isinstance(x, int):")
        asked, mirrored = f"__{SPECIAL[op]}__", f"__r{SPECIAL[op]}__"
        a, b = resolve(left.type), resolve(right.type)

        def use(held: list[Expr]) -> Expr:
            result = self.plain_arithmetic(node, op, held[0], held[1]) or none(node.span)
            if b == ANY and not is_silent(result):
                result = self.by_asked_class(held[1], (mirrored,), lambda own: self.answered(
                    own, mirrored, lambda: self.as_any(self.binary(node, op, held[0], own))), result)
            if a == ANY and not is_silent(result):
                result = self.by_asked_class(held[0], (asked,), lambda own: self.answered(
                    own, asked, lambda: self.as_any(self.binary(node, op, own, held[1]))), result)
            return result

        if self.asked_classes(asked, mirrored):
            return once_all([left, right], use)
        result = self.plain_arithmetic(node, op, left, right) or none(node.span)
        is_text = op == "+" and STR in (a, b)
        return Recast(STR, node.span, result) if is_text and not is_silent(result) else result

    def plain_arithmetic(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """What values of built-in classes give, and CPython's TypeError for instances; None for other operators."""
        if op not in ARITHMETIC:
            return None
        shown = f"{op}=" if isinstance(node, syntax.AugAssign) else op
        return self.by_prelude(node, ARITHMETIC[op], [to_any(left), to_any(right), Const(STR, node.span, shown)])

    def unary_of_any(self, node: syntax.Node, op: str, value: Expr) -> Expr:
        function, method = UNARY[op]
        return self.asked_or(value, (method,), lambda own: self.as_any(self.class_unary(node, method, own)), (
            lambda whole: self.by_prelude(node, function, [whole])))

    # Methods

    def any_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """Methods of dicts that change nothing, and what instances have; None for all others."""
        is_of_containers = name in ("get", "copy", *METHODS) and not self.classes_having(name)
        is_asked = not name.startswith("__") and name not in VIEWS and not is_of_containers
        if is_asked and (found := self.member_of_any(node, owner, name)) is not None:
            return found
        if any(hasattr(info.python, name) for info in self.session.classes.info.values()):
            return None
        if name not in (*VIEWS, "get", *METHODS):
            if name == "copy":
                return Static(STATIC, node.span, SpecialDenotation("any_copy", owner))
            return Static(STATIC, node.span, UnionMethodDenotation(name, owner)) if has_plain_method(name) else None
        if name in METHODS:
            return Static(STATIC, node.span, SpecialDenotation(f"any_{name}", owner))
        kind = "any_get" if name == "get" else f"any_view_{name}"
        return Static(STATIC, node.span, SpecialDenotation(kind, owner))

    def iterate_any(self, node: syntax.Call, callee: Static) -> Iteration | None:
        """A loop over `x.items()` and its like."""
        denotation = callee.denotation
        if not isinstance(denotation, SpecialDenotation) or not denotation.name.startswith("any_view_"):
            return None
        if denotation.receiver is None or not self.has_count(node, denotation.name.rpartition("_")[2], 0):
            return None
        for statement in callee.before:
            self.emit(statement)
        function = VIEWS[denotation.name.rpartition("_")[2]]
        if function is prelude.items_of and self.is_for_loop(node):
            walked = self.session.source(prelude.walked_items)
            return self.generator_of(node, walked, [self.hold(denotation.receiver)], [])
        found = self.by_prelude(node, function, [denotation.receiver])
        if is_silent(found):
            self.end_with(node.span, [found])
        return SequenceIteration(self, node.span, found)

    def note_views(self, node: syntax.Call, name: str) -> None:
        """Before a call of a builtin: views among its arguments that it only walks through, and what iter() takes."""
        if name in WALKERS:
            self.looped.update(node.args[:1])
        if name in CONSUMERS:
            self.walked.update(each for each in node.args if isinstance(each, syntax.Call))

    def _special_any_view_items(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        if node in self.walked and not node.args and not node.keywords and denotation.receiver is not None:
            return self.by_prelude(node, VIEWS[denotation.name.rpartition("_")[2]], [denotation.receiver])
        return self.error(node, "a view of a value of type Any can only be looped over", "write list(x.items())")

    def _special_any_copy(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        owner = denotation.receiver
        if owner is None or not self.has_count(node, "copy", 0) or is_silent(owner):
            return self.silent(node.span, [] if owner is None else [owner])
        owner = self.hold(owner)
        self.evaluate(self.by_prelude(node, prelude.need_copy, [owner]))
        return operate("copy.any", owner, Const(BOOL, node.span, False))

    def _special_any_append(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        return self.change_of_any(node, denotation)

    _special_any_extend = _special_any_setdefault = _special_any_update = _special_any_append

    _special_any_view_keys = _special_any_view_values = _special_any_view_items

    def _special_any_get(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        if node.keywords or not 1 <= len(node.args) <= 2:
            return self.error(node, "get() takes a key and a default")
        values = [self.value(argument) for argument in node.args]
        assert denotation.receiver is not None
        if is_silent(denotation.receiver, *values):
            return self.silent(node.span, [denotation.receiver, *values])
        default = values[1] if len(values) > 1 else none(node.span)
        given = [denotation.receiver, to_any(values[0]), to_any(default)]
        return self.by_prelude(node, prelude.get_of, given)

    # Classes

    def isinstance_any(self, node: syntax.Call, value: Expr, classes: list[object]) -> Outcome:
        kinds: list[Type] = []
        names: list[str] = []
        for python in classes:
            name = getattr(python, "__name__", "") if isinstance(python, type) else ""
            if name in CONTAINERS and getattr(python, "__module__", "") in ("builtins", "collections"):
                names.extend(CONTAINERS[name])
            elif name in ANY_ARMS:
                kinds.extend(ANY_ARMS[name])
            elif own := self.kinds_below(python):
                kinds.extend(own)
            elif isinstance(python, type) and is_abstract_class(python):
                kinds.extend([*plain_instances(python), *self.session.classes.instances_of(python)])
                names.extend(kept_instances(python))
            else:
                return self.error(node, f"isinstance of Any cannot test '{python}'"), self.env, self.env

        def test(whole: Expr) -> Expr:
            tests: list[Expr] = [IsType(BOOL, node.span, whole, arm) for arm in kinds]
            tests += [self.has_class(node, whole, name) for name in names]
            return any_of(tests)

        found = once(value, test)
        yes, no = self.both(node.args[0], ANY if names else union(*kinds), ANY)
        return found, yes, no

    def kinds_below(self, python: object) -> tuple[Type, ...]:
        """The types of instances of a class of the user's and of those derived from it; nothing for all others."""
        is_own = isinstance(python, type) and not issubclass(python, BaseException) and (
            is_script_class(python) or is_enum(python) or is_named_tuple(python))
        try:
            kind = self.session.classes.annotated(python) if is_own else None
        except AnnotationError:
            return ()
        return () if kind is None else arms_of(kind)

    def has_class(self, node: syntax.Node, value: Expr, name: str) -> Expr:
        if name == "tuple":
            return operate("is_tuple.any", value)  # named tuples have names of their own
        return operate("eq.str", operate("class_name.any", value), Const(STR, node.span, name))

    def same_name(self, node: syntax.Node, left: Denotation, right: Denotation) -> Expr:
        """Whether two classes, one of which is known at run time only, are one: by their names, which differ."""
        classes = {info.python for info in self.session.classes.info.values()}
        names = [python.__name__ for python in classes]
        if len(set(names)) < len(names) or any(name in ANY_ARMS or name in CONTAINERS for name in names):
            return self.error(node, "classes of one name cannot be told apart at run time", "rename one of them")
        parts = [self.name_of_class(node, each) for each in (left, right)]
        if any(part is None for part in parts):
            return self.error(node, "this class cannot be compared with one that is known at run time only")
        return operate("eq.str", *(part for part in parts if part is not None))

    def name_of_class(self, node: syntax.Node, denotation: Denotation) -> Expr | None:
        if isinstance(denotation, TypeDenotation):
            return operate("class_name.any", to_any(denotation.value))
        if isinstance(denotation, BuiltinDenotation):
            return Const(STR, node.span, denotation.name)
        python = getattr(denotation, "python", None)
        is_class = isinstance(denotation, ClassDenotation) and isinstance(python, type)
        return Const(STR, node.span, python.__name__) if is_class and isinstance(python, type) else None


def is_plain_operand(kind: Type) -> bool:
    """Whether the arithmetic of values of a type is what the prelude does."""
    return all(arm in PLAIN or isinstance(arm, (ListType, TupleType)) for arm in arms_of(resolve(kind)))
