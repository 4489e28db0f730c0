"""Inference of what Python does through special methods: operators, len, truth, text, items, calls, iteration.

In: operators and builtins on instances. Out: calls of `__add__` and its like, in Python's order of asking.
Holds: a method that returns NotImplemented for a type is not asked; object's own meanings are written out here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....ir.types import (
    ANY,
    BOOL,
    EXCEPTION,
    INT,
    NONE,
    STR,
    ClassType,
    DictType,
    EnumType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    SetType,
    TupleType,
    Type,
    arms_of,
    has_arm,
    is_shape,
)
from ...core.conversions import as_exception, as_tuple, instance_of, once, once_all, operate, to_any
from ...core.exception_types import ExceptionClass, is_exception
from ...core.function_values import FunctionClass, holds_function
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import (
    Choose,
    Const,
    Expr,
    TupleItem,
    boolean,
    is_silent,
)
from ...objects.class_facts import find, find_method, is_generated
from ...objects.classes import is_hashed_by_scripts
from ...objects.signatures import signature_types
from ...parser import syntax
from ...prelude import containers as prelude
from ...prelude.deque import deque_text
from ...prelude.dict_classes import ordered_equal
from ..base import InferenceBase
from ..collection_types import is_deque
from ..operand_errors import class_name
from ..type_facts import dict_class
from .declined import after_declined, declining

BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift", "divmod()": "divmod",
}
COMPARED = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
SWAPPED = {"==": "__eq__", "!=": "__ne__", "<": "__gt__", "<=": "__ge__", ">": "__lt__", ">=": "__le__"}
TRUTH = ("__bool__", "__len__")
UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


def asked_by(op: str) -> tuple[str, str]:
    """The methods of the left and the right operand that an operator asks."""
    return (COMPARED[op], SWAPPED[op]) if op in COMPARED else (f"__{BINARY[op]}__", f"__r{BINARY[op]}__")


def is_none_at_run_time(value: Expr) -> bool:
    """Whether it is what a value turned out to be that may be an instance."""
    return resolve(value.type) == NONE and not isinstance(value, Const)


class ClassOperatorInference(InferenceBase):
    """Special methods."""

    def has_instances(self, *kinds: Type) -> bool:
        """Whether a value of one of these types may be an instance of a script class."""
        return any(self.session.classes.of(arm) is not None for kind in kinds for arm in arms_of(resolve(kind)))

    def speaks(self, names: Sequence[str], *kinds: Type) -> bool:
        """The same, or a member of an enum or a named tuple whose class has one of these methods."""
        arms = [arm for kind in kinds for arm in arms_of(resolve(kind))]
        return self.has_instances(*kinds) or any(self.says(arm, names) for arm in arms)

    def says(self, kind: Type, names: Sequence[str]) -> bool:
        """Whether it is an enum or a named tuple whose class has one of these methods of its own."""
        kind = resolve(kind)
        is_asked = "__ne__" in names and isinstance(kind, EnumType)  # tuples have a != of their own
        asked = (*names, "__eq__") if is_asked else names
        return isinstance(kind, (EnumType, NamedTupleType)) and any(self.defines(kind, name) for name in asked)

    def by_classes(self, names: Sequence[str], left: Expr, right: Expr, use: object) -> Expr:
        """`use(left, right)` for every combination of classes that the operands may have."""
        assert callable(use)

        def of_left(first: Expr) -> Expr:
            def of_right(second: Expr) -> Expr:
                def one(a: Expr) -> Expr:
                    if not self.speaks(names, second.type):
                        return use(a, second)
                    return self.each_arm(second, lambda b: use(a, b))

                return self.each_arm(first, one) if self.speaks(names, first.type) else one(first)

            return once(right, of_right)

        return once(left, of_left)

    # Arithmetic

    def class_binary(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        names = asked_by(op)
        return self.by_classes(names, left, right, lambda a, b: self.ask_both(node, op, *names, a, b))

    def ask_both(self, node: syntax.Node, op: str, name: str, mirrored: str, left: Expr, right: Expr) -> Expr:
        is_absent = is_none_at_run_time(left) or is_none_at_run_time(right)
        if not self.speaks((name, mirrored), left.type, right.type):
            raised = self.unanswered(node, op, left, right) if is_absent else None
            return raised or self.binary(node, op, left, right)
        asked = [(left, name, right), (right, mirrored, left)]
        if self.is_below(right.type, left.type, mirrored):
            asked.reverse()
        elif resolve(left.type) == resolve(right.type):
            asked.pop()
        questions = [partial(self.answer, node, *each) for each in asked]

        def otherwise(is_late: bool) -> Expr:
            if is_late and ANY in (resolve(left.type), resolve(right.type)) and (
                plain := self.plain_arithmetic(node, op, left, right)
            ) is not None:
                return plain
            is_left = is_late or is_absent or self.here.logs or self.chosen_calls.is_choice
            raised = self.unanswered(node, op, left, right) if is_left else None
            text = f"unsupported operand types for {op}: {describe(left)} and {describe(right)}"
            return raised or self.error(node, text, f"define {name} in the class")

        return self.in_turn(questions, otherwise)

    def answer(self, node: syntax.Node, owner: Expr, method: str, other: Expr) -> Expr | None:
        """What a method of an operand says; None if its class has none."""
        return self.call_member(node.span, owner, method, [other]) if self.defines(owner.type, method) else None

    def is_below(self, kind: Type, other: Type, method: str) -> bool:
        """Whether the right operand is asked first: its class is below the left one's and has the method anew."""
        below, above = self.session.classes.python_of(kind), self.session.classes.python_of(other)
        if below is None or above is None or not self.is_subclass(kind, other):
            return False
        return find(below, method) is not None and find(below, method) != find(above, method)

    def is_subclass(self, kind: Type, other: Type) -> bool:
        """Whether the class of one type is below that of another: comparisons then ask its instances first."""
        below, above = self.session.classes.python_of(kind), self.session.classes.python_of(other)
        return below is not None and above is not None and below is not above and issubclass(below, above)

    def class_augmented(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`left op= right` by `__iadd__` and its like; None where the class has none."""
        name = f"__i{BINARY[op]}__"
        if not all(self.defines(arm, name) for arm in arms_of(resolve(left.type))):
            return None
        return self.by_classes((name,), left, right, lambda a, b: self.in_turn(
            [lambda: self.call_member(node.span, a, name, [b])], lambda is_late: self.binary(node, op, a, b)))

    def class_unary(self, node: syntax.Node, name: str, value: Expr) -> Expr:
        return self.each_arm(value, lambda one: self.call_member(node.span, one, name, []))

    # Comparison

    def class_relation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        return self.by_classes(asked_by(op), left, right, lambda a, b: self.ask_order(node, op, a, b))

    def ask_order(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        if op in ("==", "!=") and EXCEPTION in (left.type, right.type) and is_exception(resolve(left.type)):
            if is_exception(resolve(right.type)) and self.compares_by_method(EXCEPTION):
                return self.error(node, "exceptions of any class cannot be compared here, as one of the script's "
                                  "classes defines __eq__", "find out the class first: if isinstance(x, MyError):")
            if is_exception(resolve(right.type)):
                return self.identity(node, "is" if op == "==" else "is not", left, right)
        if not self.speaks(asked_by(op), left.type, right.type):
            is_order = op not in ("==", "!=") and (is_none_at_run_time(left) or is_none_at_run_time(right))
            raised = self.unanswered(node, op, left, right) if is_order else None
            return raised or self.relation(node, op, left, right)
        asked = [(left, COMPARED[op], right), (right, SWAPPED[op], left)]
        if self.is_subclass(right.type, left.type):
            asked.reverse()
        plain = [as_tuple(self.plain(side)) for side in (left, right)]
        kept = [plain[0] is left, plain[1] is right]
        is_plain = all(kept) if op in ("==", "!=") else any(kept)

        def ask(owner: Expr, method: str, other: Expr) -> Expr | None:
            found = self.ask_one(node, owner, method, other)
            is_own = op in ("==", "!=") and all(self.says(side.type, ("__eq__",)) for side in (left, right))
            if is_plain or (found is not None and (is_own or not self.is_declined(found))):
                return found
            before = [] if found is None else declining(found)
            return after_declined(before, self.relation(node, op, plain[0], plain[1]))

        def otherwise(is_late: bool) -> Expr:
            if op in ("==", "!="):
                same = operate("is.any", to_any(left), to_any(right))
                return same if op == "==" else self.negate(same, node.span)
            if is_late and ANY in (resolve(left.type), resolve(right.type)):
                return operate(f"{COMPARED[op].strip('_')}.any", to_any(left), to_any(right))
            is_absent = is_none_at_run_time(left) or is_none_at_run_time(right)
            is_left = is_late or is_absent or self.is_left(node)
            raised = self.unanswered(node, op, left, right) if is_left else None
            text = f"'{op}' is not supported between {describe(left)} and {describe(right)}"
            return raised or self.error(node, text, f"define {COMPARED[op]} in the class")

        return self.in_turn([partial(ask, *each) for each in asked], otherwise)

    def ask_one(self, node: syntax.Node, owner: Expr, method: str, other: Expr) -> Expr | None:
        """What a comparison method of an operand's class says; None if it has none."""
        if self.defines(owner.type, method):
            return self.call_member(node.span, owner, method, [other])
        if method != "__ne__" or not self.defines(owner.type, "__eq__") or (
            isinstance(resolve(owner.type), NamedTupleType)
        ):
            return None
        found = self.call_member(node.span, owner, "__eq__", [other])
        if is_silent(found) or self.is_declined(found):
            return found
        return self.unless_declined(found, lambda same: self.negate(self.truth(same), node.span))

    def asks_of_none(self, kind: Type) -> bool:
        """Whether the class of a value has an `==` of its own that takes None: what a dataclass writes, and one whose
        parameter is declared as something else, cannot find None equal."""
        return any(map(self.takes_none, arms_of(resolve(kind))))

    def takes_none(self, kind: Type) -> bool:
        info = self.session.classes.of(kind)
        found = None if info is None else find_method(info.python, "__eq__")
        if found is None or is_generated(found[0], "__eq__"):
            return False
        source = self.session.classes.method(found[0], "__eq__")
        hints, _ = signature_types(source, None)
        declared = hints.get(source.params[1].arg) if len(source.params) > 1 else NONE
        return declared is None or has_arm(declared, NONE)

    # What containers of instances do

    def compares_by_method(self, kind: Type) -> bool:
        """Whether values of a type hold instances whose class defines ==, functions, or members of an IntEnum."""
        kind = resolve(kind)
        if isinstance(kind, ClassType):
            return isinstance(kind, FunctionClass) or self.defines(kind, "__eq__")
        if kind == EXCEPTION:
            self.session.exceptions.is_compared = True
            return bool(self.session.exceptions.comparing)
        if self.is_number_member(kind) or self.says(kind, ("__eq__",)):
            return True
        if kind == ANY:
            return bool(self.asked_classes("__eq__"))
        return any(map(self.compares_by_method, kind.members))

    def shows_by_method(self, kind: Type) -> bool:
        """Whether values of a type hold instances whose class defines its text."""
        kind = resolve(kind)
        if isinstance(kind, ClassType):
            return self.defines(kind, "__repr__") or isinstance(kind, ExceptionClass)
        if kind == EXCEPTION:
            self.session.exceptions.is_asked = True
            return bool(self.session.exceptions.speaking)
        if kind == ANY:
            return bool(self.asked_classes("__repr__"))
        if isinstance(kind, EnumType):
            return kind.has_texts or self.defines(kind, "__repr__")
        if self.says(kind, ("__repr__",)) or is_shape(kind):
            return True
        is_made = isinstance(kind, DictType) and self.session.factories.class_of(kind.name) is not None
        return is_made or any(map(self.shows_by_method, kind.members))

    def container_relation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """== of lists, tuples and dicts element by element; None where the elements are plain."""
        a, b = resolve(left.type), resolve(right.type)
        has_arms = NONE not in (a, b) and (len(arms_of(a)) > 1 or len(arms_of(b)) > 1)
        if has_arms and any(self.holds_instances(kind) or holds_function(kind) for kind in (a, b)):
            return once_all([left, right], lambda held: self.each_arm(
                held[0], lambda x: self.each_arm(held[1], lambda y: self.relation(node, op, x, y))))
        if op in ("==", "!=") and (self.has_own_keys(a) or self.has_own_keys(b)):
            return self.own_keys_relation(node, op, left, right)
        if type(a) is not type(b):
            return None
        if op not in ("==", "!="):
            is_other = isinstance(a, (SetType, FrozenSetType, EnumType)) or a == ANY
            if is_other or not (self.orders_by_method(a) or self.orders_by_method(b)):
                return None
            refusal = f"'{op}' of containers of instances is not supported"
            return self.container_order(node, op, left, right) or self.error(node, refusal, "compare the elements")
        if not (self.compares_by_method(a) or self.compares_by_method(b)):
            return None
        is_plain = not self.holds_instances(a) and not holds_function(a) and not self.mixes_numbers(a)
        if a == b and is_plain and not any(map(is_hashed_by_scripts, a.members)):
            return None  # members of an IntEnum are equal as they are
        if isinstance(a, (DictType, SetType, FrozenSetType)) and a.members[0] != b.members[0]:
            if self.holds_number_members(a.members[0]) or self.holds_number_members(b.members[0]):
                return self.error(node, f"{a} and {b} cannot be compared", "make keys of int(member)")
        if isinstance(a, TupleType) and isinstance(b, TupleType) and not (a.is_variadic or b.is_variadic):
            same: Expr = self.by_prelude(node, prelude.tuples_equal, [left, right])
        elif isinstance(a, (ListType, TupleType)):
            same = self.by_prelude(node, prelude.sequences_equal, [left, right])
        elif isinstance(a, DictType):
            is_ordered = dict_class(a) == dict_class(b) == "OrderedDict"
            same = self.by_prelude(node, ordered_equal if is_ordered else prelude.dicts_equal, [left, right])
        else:
            return None
        return same if op == "==" or is_silent(same) else self.negate(same, node.span)

    def container_text(self, value: Expr) -> Expr | None:
        """repr() of a container of instances that have their own; None where the runtime's serves."""
        kind = resolve(value.type)
        if not self.shows_by_method(kind):
            return None
        node = syntax.Node(value.span)
        if isinstance(kind, ListType):
            return self.by_prelude(node, deque_text if is_deque(kind) else prelude.list_text, [value])
        if isinstance(kind, DictType):
            return self.text_of_dict_class(node, value) or self.by_prelude(node, prelude.dict_text, [value])
        if isinstance(kind, NamedTupleType):
            return self.named_text(node, value, kind)
        if isinstance(kind, TupleType):
            return self.by_prelude(node, prelude.shape_text if is_shape(kind) else prelude.tuple_text, [value])
        if isinstance(kind, (SetType, FrozenSetType)):
            text = prelude.set_text if isinstance(kind, SetType) else prelude.frozenset_text
            return self.by_prelude(node, text, [value])
        if len(arms_of(kind)) > 1:
            return self.each_arm(value, lambda one: self.text_of(one, "repr.any"))
        return None

    def named_text(self, node: syntax.Node, value: Expr, kind: NamedTupleType) -> Expr:
        """repr() of a named tuple whose fields have texts of their own."""

        def use(whole: Expr) -> Expr:
            text: Expr = Const(STR, node.span, f"{kind.name.rpartition('.')[2]}(")
            for i, (name, member) in enumerate(kind.fields):
                before = Const(STR, node.span, f"{', ' if i else ''}{name}=")
                shown = self.text_of(TupleItem(member, node.span, whole, i), "repr.any")
                if is_silent(shown):
                    return shown
                text = operate("add.str", operate("add.str", text, before), shown)
            return operate("add.str", text, Const(STR, node.span, ")"))

        return once(value, use)

    def by_prelude(self, node: syntax.Node, function: object, values: Sequence[Expr]) -> Expr:
        return self.invoke_source(node.span, self.session.source(function), list(values), [])

    # Text

    def says_text(self, row: str, kind: Type) -> bool:
        """Whether str() or repr() of a value asks a class: an enum without `__str__` has that of Enum."""
        if self.has_instances(kind):
            return True
        for arm in map(resolve, arms_of(resolve(kind))):
            names = ["__str__"] if row == "str.any" else ["__repr__"]
            if row == "str.any" and isinstance(arm, NamedTupleType):
                names.append("__repr__")
            if self.says(arm, names):
                return True
        return False

    def class_text(self, value: Expr, row: str) -> Expr:
        """str() or repr() of an instance."""

        def one(owner: Expr) -> Expr:
            if not self.says_text(row, owner.type):
                return self.text_of(owner, row)
            names = ("__str__", "__repr__") if row == "str.any" else ("__repr__",)
            for name in names[:1] if is_exception(resolve(owner.type)) else names:
                if self.defines(owner.type, name):
                    return self.as_text(owner, name, self.call_member(owner.span, owner, name, []))
            is_one = is_exception(resolve(owner.type))
            return operate(row if is_one else "repr.any", to_any(as_exception(owner) if is_one else owner))

        return self.each_arm(value, one)

    def exception_text(self, value: Expr, row: str) -> Expr:
        """str() or repr() of an exception of any class: the classes with texts of their own are asked, derived ones
        first."""
        exceptions = self.session.exceptions
        exceptions.is_asked = True
        if row == "repr.any":
            self.take_exceptions_apart()
        pythons = {kind: self.session.classes.info[kind].python for kind in exceptions.speaking}
        order = sorted(pythons, key=lambda kind: len(pythons[kind].__mro__))

        def use(whole: Expr) -> Expr:
            found: Expr = operate(row, to_any(whole))
            for kind in order:
                test = self.matches(whole, pythons[kind], value.span)
                text = self.class_text(instance_of(whole, kind), row)
                if is_silent(text):
                    return text
                found = Choose(STR, value.span, test, text, found, [])
            return found

        return once(value, use)

    def as_text(self, owner: Expr, name: str, text: Expr) -> Expr:
        if is_silent(text) or resolve(text.type) == STR:
            return text
        names = {arm: class_name(arm) for arm in map(resolve, arms_of(resolve(text.type)))}
        if STR not in names or None in names.values():
            return self.error(owner, f"{name} of '{owner.type}' must return str, not {describe(text)}")

        def one(arm: Expr) -> Expr:
            wrong = f"{name} returned non-string (type {names[resolve(arm.type)]})"
            return arm if resolve(arm.type) == STR else self.raise_error(text.span, "TypeError", wrong)

        return self.each_arm(text, one)

    # Builtins

    def class_truth(self, value: Expr) -> Expr:
        """bool() of an instance: `__bool__`, else `__len__`, else True."""

        def one(owner: Expr) -> Expr:
            if not self.speaks(TRUTH, owner.type):
                return self.truth(owner)
            if self.defines(owner.type, "__bool__"):
                found = self.call_member(owner.span, owner, "__bool__", [])
                if is_silent(found) or resolve(found.type) == BOOL:
                    return found
                return self.error(owner, f"__bool__ should return bool, returned {describe(found)}")
            if self.defines(owner.type, "__len__"):
                size = self.class_length(owner)
                return size if is_silent(size) else operate("ne.int", size, Const(INT, owner.span, 0))
            return self.then(owner, boolean(owner.span, True))

        return self.each_arm(value, one)

    def class_length(self, value: Expr) -> Expr:
        def one(owner: Expr) -> Expr:
            if not self.defines(owner.type, "__len__"):
                shown = "object of type '{}' has no len()"
                return self.class_misfit(
                    owner, owner, shown, f"{describe(owner)} has no len()", "define __len__ in the class")
            found = self.call_member(owner.span, owner, "__len__", [])
            if is_silent(found):
                return found
            size = self.coerce(found, INT, "the result of __len__")
            return size if is_silent(size) else self.by_prelude(syntax.Node(owner.span), prelude.checked_length, [size])

        return self.each_arm(value, one)

    def class_hash(self, node: syntax.Node, value: Expr) -> Expr:
        def one(owner: Expr) -> Expr:
            python = self.session.classes.python_of(owner.type)
            found = find(python, "__hash__") if python is not None else None
            if python is None or (found is not None and found[1] is None):
                return self.class_misfit(node, owner, "unhashable type: '{}'", f"unhashable type: {describe(owner)}")
            if find_method(python, "__hash__") is None:
                return self.error(node, "the hash of an instance without __hash__ is its address",
                                  "define __hash__ in the class")
            return self.own_hash(node, self.call_member(node.span, owner, "__hash__", []))

        return self.each_arm(value, one)

    def own_hash(self, node: syntax.Node, found: Expr) -> Expr:
        if is_silent(found) or resolve(found.type) not in (INT, BOOL):
            return found if is_silent(found) else self.error(node, "__hash__ method should return an integer")
        return self.by_prelude(node, prelude.hash_of_int, [self.coerce(found, INT, "a hash")])

    def class_contains(self, node: syntax.Node, item: Expr, owner: Expr) -> Expr:
        def use(first: Expr) -> Expr:
            def one(second: Expr) -> Expr:
                if self.defines(second.type, "__contains__"):
                    return self.truth(self.call_member(node.span, second, "__contains__", [first]))
                python = self.session.classes.python_of(second.type)
                is_none = resolve(second.type) == NONE
                if is_none or python is not None and not any(
                    find_method(python, name) for name in ("__iter__", "__getitem__")
                ):
                    return self.class_misfit(
                        node, second, "argument of type '{}' is not iterable",
                        f"{describe(second)} is not iterable here",
                        "define __contains__, or __iter__ with return iter(...)")
                return self.by_prelude(node, prelude.found_in, [first, second])

            return self.each_arm(owner, one)

        return once(item, use)
