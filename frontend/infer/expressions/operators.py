"""Inference of operators: arithmetic, comparison chains, `in`, `is`.

In: operator expressions. Out: operator rows on converted operands, and CPython's meaning where no single row has it.
Holds: where int and float meet, values keep their kind and comparisons are exact.
"""

from __future__ import annotations

import operator

from ....ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DTYPE,
    EXCEPTION,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    STR,
    TENSOR,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    Type,
    arms_of,
    become_keys,
    has_arm,
    is_shape,
    union,
)
from ...core.constants import known
from ...core.conversions import (
    as_exception,
    as_shape,
    as_tuple,
    convert,
    is_number,
    is_scalar,
    is_tensor_or_number,
    narrowed,
    once,
    once_all,
    operate,
    to_any,
    to_scalar,
)
from ...core.denotations import (
    BuiltinDenotation,
    ClassDenotation,
    IteratorDenotation,
    KeywordsDenotation,
    RangeDenotation,
    SliceDenotation,
)
from ...core.exception_types import is_exception
from ...core.function_values import holds_function
from ...core.matcher import NoMatch, describe, match, match_mirrored, spelled
from ...core.placeholders import Placeholder, has_placeholder, join, resolve, unify
from ...core.typed import ERROR, NEVER, Choose, Const, Expr, MakeTuple, Operate, Static, after, boolean, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ...prelude import containers as prelude
from ..base import InferenceBase
from ..classes.special_methods import COMPARED, SWAPPED, UNARY, asked_by
from ..containers.sequences import SET_OPERATORS
from ..containers.sets import KEY_OF_INSTANCE
from ..environment import Environment, merge
from ..hints import operand_hint
from ..primitives.devices import is_device
from ..primitives.percent_format import as_joined_string
from ..sampled_errors import PYTHON_OPERATORS, certain_error
from ..type_facts import any_of, converted_to, has_identity, is_rounded, number_result, tuple_items
from .compared_constants import RELATIONS, compared

CLASSES = (ClassDenotation, BuiltinDenotation)
KEYED = (DictType, SetType, FrozenSetType)
HOLDERS = (ListType, TupleType, DictType, SetType, FrozenSetType)
BITS = ("&", "|", "^", "<<", ">>")
ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")


class OperatorInference(InferenceBase):
    """Operators."""

    def _BinOp(self, node: syntax.BinOp, want: Type | None) -> Expr:
        hint = want if node.op in "+*" and isinstance(want, ListType) else None
        if node.op == "%" and (text := as_joined_string(node)) is not None:
            return self.expr(text)
        if node.op not in SET_OPERATORS:
            left = self.value(node.left, hint)
            return self.binary(node, node.op, left, self.value(node.right, hint if node.op == "+" else None))
        left, right = self.expr(node.left), self.expr(node.right)
        found = self.view_operation(node, node.op, left, right)
        if found is not None:
            return found
        left, right = (self.valued(side) for side in (left, right))
        return self.binary(node, node.op, left, right)

    def binary(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        if is_silent(left, right):
            return self.silent(node.span, [left, right])
        is_format = op == "%" and resolve(left.type) == STR and not self.defines(right.type, "__rmod__")
        if self.speaks(asked_by(op), left.type, right.type) and not is_format:
            return self.class_binary(node, op, left, right)
        if op == "divmod()":
            return self.divided(node, left, right)
        given = (left, right)
        if (flags := self.binary_of_flags(node, op, left, right)) is not None:
            return flags
        left = as_tuple(self.plain(left))
        right = as_tuple(right if op == "%" and resolve(left.type) == STR else self.plain(right))
        found = self.binary_of_dict_classes(node, op, left, right) or self.binary_of_deques(node, op, left, right)
        if found is not None:
            return found
        a, b = resolve(left.type), resolve(right.type)
        if ANY in (a, b) and not (op == "%" and a in (STR, BYTES)):
            return self.binary_of_any(node, op, left, right)
        if is_tensor_or_number(a) and (b == TENSOR or is_scalar(b)) or (
            is_tensor_or_number(b) and (a == TENSOR or is_scalar(a) or is_tensor_or_number(a))
        ):
            return once_all([left, right], lambda held: self.each_arm(
                held[0], lambda x: self.each_arm(held[1], lambda y: self.binary(node, op, x, y))))
        is_mixed = len(arms_of(a)) > 1 or len(arms_of(b)) > 1 or COMPLEX in (a, b)
        if op in ARITHMETIC and is_scalar(a) and is_scalar(b) and is_mixed:
            return self.mixed_arithmetic(node, op, left, right)
        if op == "**" and a in (BOOL, INT) and isinstance(right, Const) and b == INT and right.value < 0:
            row = "float.int" if a == INT else "float.bool"  # 2**-1 is 0.5
            left, right = operate(row, left), Const(FLOAT, right.span, float(right.value))
        if op == "+" and isinstance(a, TupleType) and isinstance(b, TupleType):
            joined = self.tuple_sum(node, left, right)
            if joined is not None:
                return joined
        if op == "*":
            left, right = self.with_count(node.span, left, right)
            repeated = self.repeated(node, left, right)
            if repeated is not None:
                return repeated
        if op == "%" and a == BYTES:
            return self.percent_of_bytes(node, left, right)
        if op == "%" and a == STR and len(arms_of(b)) > 1 and any(isinstance(arm, TupleType) for arm in arms_of(b)):
            return once_all([left, right], lambda held: self.each_arm(
                held[1], lambda y: self.percent(node, held[0], y)))
        if op == "%" and a == STR:
            return self.percent(node, left, right)
        if op in BITS and is_scalar(a) and is_scalar(b) and is_mixed:
            found = self.binary_of_arms(node, op, left, right)
            if found is not None:
                return found
        if op in "+|" and self.changes_kinds(left, right) and (
            joined := self.joined_containers(node, op, left, right)
        ) is not None:
            return joined
        try:
            result = match(f"_{op}_", [left, right])
        except NoMatch:
            found = self.joined_containers(node, op, left, right)
            found = self.frozen(found) if found is not None and isinstance(a, FrozenSetType) else found
            found = found or self.binary_of_arms(node, op, *given)
            if found is not None:
                return found
            text = f"unsupported operand types for {op}: {describe(left)} and {describe(right)}"
            names = self.names_with_members(left, right)
            shown = f"unsupported operand type(s) for {op}: '{names[0]}' and '{names[1]}'" if names else None
            raised = "TypeError", shown or certain_error(PYTHON_OPERATORS.get(op), [left, right])
            return self.wrong_or_left(node, raised, text, operand_hint(left, right), [left, right])
        result.span = node.span
        result = self.compared(result)
        return self.frozen(result) if isinstance(a, FrozenSetType) else result

    def mixed_arithmetic(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        """Numbers of which at least one has its kind only at run time."""
        a, b = resolve(left.type), resolve(right.type)
        if FLOAT in (a, b) and is_number(a) and is_number(b):
            first, second = convert(left, FLOAT), convert(right, FLOAT)
            assert first is not None and second is not None
            return self.operate(node, f"_{op}_", [first[0], second[0]])
        result = self.operate(node, f"_{op}_", [to_scalar(left), to_scalar(right)])
        kinds = [number_result(op, x, y) for x in arms_of(a) for y in arms_of(b)]
        return narrowed(result, union(*kinds)) if SCALAR not in (a, b) else result

    def tuple_sum(self, node: syntax.Node, left: Expr, right: Expr) -> Expr | None:
        a, b = resolve(left.type), resolve(right.type)
        assert isinstance(a, TupleType) and isinstance(b, TupleType)
        if not a.elements or not b.elements:
            return once(left, lambda x: once(right, lambda y: x if a.elements else y))
        if a.is_variadic or b.is_variadic:
            if len(set(a.elements + b.elements)) > 1:
                return once_all([left, right], lambda held: self.operate(node, "tuple()", [self.joined_list(
                    node, [(True, self.list_of(node, side)) for side in held], None)]))
            kind = TupleType((a.elements[0],), True)
            lists = [self.operate(node, "list()", [side]) for side in (left, right)]
            both = operate("add.list", *lists, result=ListType(kind.elements[0]))
            made = operate("tuple.list", both, result=kind)
            return as_shape(made) if is_shape(a) or is_shape(b) else made
        whole = TupleType(a.elements + b.elements)
        return once(left, lambda x: once(right, lambda y: MakeTuple(
            whole, node.span, [*tuple_items(x, a), *tuple_items(y, b)])))

    def repeated(self, node: syntax.Node, left: Expr, right: Expr) -> Expr | None:
        """n * sequence, a tuple times a constant, and one of a single type of elements times any int."""
        a, b = resolve(left.type), resolve(right.type)
        if a in (INT, BOOL) and (b in (STR, BYTES) or isinstance(b, (ListType, TupleType))):
            return once(left, lambda count: once(right, lambda value: self.binary(node, "*", value, count)))
        if isinstance(a, TupleType) and a.is_variadic and b in (INT, BOOL):
            items = self.operate(node, "_*_", [self.operate(node, "list()", [left]), right])
            made = items if is_silent(items) else operate("tuple.list", items, result=TupleType(a.elements, True))
            return as_shape(made) if is_shape(a) and not is_silent(made) else made
        if isinstance(a, TupleType) and not a.is_variadic and b in (INT, BOOL) and isinstance(right, Const):
            count = max(int(right.value), 0)
            if count * len(a.elements) > 1000:
                return self.error(node, "this tuple would have more than 1000 elements", "use a list")
            whole = TupleType(a.elements * count)
            return once(left, lambda x: MakeTuple(whole, node.span, tuple_items(x, a) * count))
        if isinstance(a, TupleType) and a.elements and b in (INT, BOOL):
            whole = TupleType((union(*a.elements),), True)
            converted = convert(left, whole)
            return None if converted is None else once(
                converted[0], lambda x: self.binary(node, "*", narrowed(x, whole), right))
        return None

    def _UnaryOp(self, node: syntax.UnaryOp, want: Type | None) -> Expr:
        if node.op == "not":
            return self.negate(self.truth(self.expr(node.operand)), node.span)
        if node.op == "-" and isinstance(node.operand, syntax.Constant):
            literal = node.operand.value
            if isinstance(literal, (int, float, complex)) and not isinstance(literal, bool):
                return self.literal(syntax.Constant(node.span, -literal))
        value = self.value(node.operand)
        if is_silent(value):
            return self.silent(node.span, [value])
        if self.speaks((UNARY[node.op],), value.type):
            return self.class_unary(node, UNARY[node.op], value)
        if node.op == "~" and (flag := self.flag_kind(value.type)) is not None:
            return self.inverted_flag(node, value, flag)
        value = self.plain(value)
        counted = self.unary_of_counter(node, node.op, value)
        if counted is not None:
            return counted
        kind = resolve(value.type)
        if is_scalar(kind) and (len(arms_of(kind)) > 1 or kind == COMPLEX) and node.op in "+-":
            result = self.operate(node, f"{node.op}_", [to_scalar(value)])
            kinds = [INT if arm == BOOL else arm for arm in arms_of(kind)]
            return narrowed(result, union(*kinds)) if kind != SCALAR else result
        return self.unary(node, node.op, value)

    def unary(self, node: syntax.Node, op: str, value: Expr) -> Expr:
        """A row of `-x` and its like, or a message."""
        if resolve(value.type) == ANY:
            return self.unary_of_any(node, op, value)
        found = self.unary_of_arms(node, op, value, lambda one: self.unary(node, op, one))
        if found is not None:
            return found
        try:
            result = match(f"{op}_", [value])
        except NoMatch:
            text = f"bad operand type for unary {op}: {describe(value)}"
            return self.error(node, text, operand_hint(value))
        result.span = node.span
        return result

    def negate(self, value: Expr, span: Span) -> Expr:
        if isinstance(value, Const) and value.type == BOOL:
            return boolean(span, not value.value)
        return value if is_silent(value) else operate("not.bool", value)

    def _Compare(self, node: syntax.Compare, want: Type | None) -> Expr:
        if len(node.ops) == 1:
            narrowing = self.narrowing(node)
            if narrowing is not None:
                value, true, false = narrowing
                self.env = merge([true, false], None, true or false or Environment())[0]
                return value
        left = self.expr(node.left)
        return self.chain(node, left, list(zip(node.ops, node.comparators)))

    def chain(self, node: syntax.Compare, left: Expr, rest: list[tuple[str, syntax.Node]]) -> Expr:
        op, comparator = rest[0]
        want = resolve(left.type) if leaves_open(comparator) else None
        if len(rest) == 1:
            return self.compare(node, op, left, self.expr(comparator, want))
        if is_silent(left):
            return left

        def middle(first: Expr) -> Expr:
            entry = self.here.copy()
            right = self.expr(comparator, want)
            if is_silent(right):
                return right

            def use(second: Expr) -> Expr:
                test = self.compare(node, op, first, second)
                if is_silent(test):
                    return test
                if isinstance(test, Const) and test.type == BOOL:
                    return self.chain(node, second, rest[1:]) if test.value else test
                before = self.here.copy()
                tail = self.chain(node, second, rest[1:])
                self.env, carried = merge([before, self.env if tail.type != NEVER else None], None, entry)
                if tail.type == ERROR:
                    return tail
                kind = join(test.type, tail.type)
                if kind == BOOL:
                    return Choose(BOOL, node.span, test, tail, boolean(node.span, False), carried)
                return once(test, lambda t: Choose(
                    kind, node.span, self.truth(t), converted_to(tail, kind), converted_to(t, kind), carried))

            return use(right) if known(right) is not None else once(right, use)

        return middle(left) if known(left) is not None else once(left, middle)

    def compare(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        if op in ("is", "is not", "==", "!="):
            found = self.function_identity(node, op, left, right)
            if found is not None:
                return found
        if op in ("is", "is not", "==", "!=") and (isinstance(left, Static) or isinstance(right, Static)):
            tested = self.type_test(node, op, left, right)
            if tested is not None:
                return tested
        if op in ("is", "is not"):
            return self.never_dtype(node, op, left, right) or self.identity(node, op, left, right)
        if is_silent(left, right):
            return self.silent(node.span, [left, right])
        if isinstance(right, Static) and isinstance(right.denotation, KeywordsDenotation) and op in ("in", "not in"):
            if isinstance(left, Const):
                names = [name for name, _ in right.denotation.variables]
                return boolean(node.span, (left.value in names) == (op == "in"))
            right = self.keywords_dict(right.span, right.denotation)
        if is_device(left) and is_device(right) and op in ("==", "!="):
            return self.then(left, self.then(right, boolean(node.span, op == "==")))
        if isinstance(left, Static) and isinstance(right, Static) and op in ("==", "!="):
            if isinstance(left.denotation, RangeDenotation) and isinstance(right.denotation, RangeDenotation):
                found = self.ranges_equal(node, left.denotation, right.denotation)
                found = after([*left.before, *right.before], found)
                return found if op == "==" or is_silent(found) else self.negate(found, node.span)
            if isinstance(left.denotation, SliceDenotation) and isinstance(right.denotation, SliceDenotation):
                found = after([*left.before, *right.before], self.slices_equal(node, left.denotation, right.denotation))
                return found if op == "==" or is_silent(found) else self.negate(found, node.span)
        if (never := self.never_dtype(node, op, left, right)) is not None:
            return never
        if op in RELATIONS and (found := self.view_operation(node, op, left, right)) is not None:
            return found
        both = (left, right)
        if op in ("==", "!=") and all(isinstance(s, Static) and isinstance(s.denotation, CLASSES) for s in both):
            return self.identity(node, "is" if op == "==" else "is not", left, right)
        if op in ("==", "!=") and any(self.sentinel_kind(side) is not None for side in both):
            return self.identity(node, "is" if op == "==" else "is not", left, right)
        if op in ("in", "not in") and isinstance(left, Static) and self.may_hold_functions(right):
            left = self.reify(left) or left
        if isinstance(left, Static) and isinstance(left.denotation, RangeDenotation):
            left = self.valued(left)
        if op not in ("in", "not in") and isinstance(right, Static) and isinstance(right.denotation, RangeDenotation):
            right = self.valued(right)
        for side in (left, right):
            if isinstance(side, Static) and not (side is right and op in ("in", "not in")):
                text = f"{side.denotation.describe()} cannot be compared with '{op}'"
                return self.error(side, *side.denotation.refusal(text))
        if op in ("in", "not in"):
            right = self.opened(right)
            found = self.contains(node, left, right)
            return self.negate(found, node.span) if op == "not in" else found
        return self.relation(node, op, left, right)

    def may_hold_functions(self, owner: Expr) -> bool:
        return not isinstance(owner, Static) and (holds_function(owner.type) or has_placeholder(owner.type))

    def relation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        if self.session.functions.info:
            told = self.order_of_functions(node, op, left, right)
            if told is not None:
                return told
        is_asked = NONE not in (resolve(left.type), resolve(right.type)) or any(
            self.asks_of_none(side.type) for side in (left, right))
        if is_asked and self.speaks(asked_by(op), left.type, right.type):
            return self.class_relation(node, op, left, right)
        given = (left, right)
        if resolve(left.type) != resolve(right.type) or op not in ("==", "!=") or self.mixes_numbers(left.type):
            left, right = self.plain(left), self.plain(right)
        if op not in ("==", "!="):
            left, right = as_tuple(left), as_tuple(right)
        if any(is_tensor_or_number(resolve(side.type)) for side in (left, right)):
            return once_all([left, right], lambda held: self.each_arm(
                held[0], lambda x: self.each_arm(held[1], lambda y: self.relation(node, op, x, y))))
        if (decided := compared(op, known(left), known(right))) is not None:
            return boolean(node.span, decided)
        nested = self.relation_of_dict_classes(node, op, left, right) or self.relation_of_deques(node, op, left, right)
        nested = nested or self.container_relation(node, op, left, right)
        if nested is not None:
            return nested
        a, b = resolve(left.type), resolve(right.type)
        if op in ("==", "!=") and NONE in (a, b):
            other = b if a == NONE else a
            if NONE not in arms_of(other) and other != ANY:
                return self.then(left, self.then(right, boolean(node.span, op == "!=")))
        if is_scalar(a) and is_scalar(b) and (len(arms_of(a)) > 1 or len(arms_of(b)) > 1):
            return self.operate(node, f"_{op}_", [to_scalar(left), to_scalar(right)])
        if ANY in (a, b):
            return self.relation_of_any(node, op, left, right)
        for unknown, other in ((a, b), (b, a)):
            if isinstance(unknown, Placeholder) and (is_scalar(other) or other in (STR, BYTES)):
                unify(unknown, other)  # what elements are compared with, they are most likely themselves
        rows = [row for row in spelled(f"_{op}_") if row.overload != "any"]
        try:
            result = match(f"_{op}_", [left, right], (), rows)
        except NoMatch:
            found = match_mirrored(f"_{op}_", left, right)
            found = found or self.order_of_sets(node, op, left, right)
            if found is None and op not in ("==", "!="):
                found = self.order_of_arms(node, op, *given)
            return found or self.relation_of_any(node, op, left, right)
        result.span = node.span
        return self.compared(result)

    def relation_of_any(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        """== of anything is allowed in Python; order only where both sides are sequences of one kind."""
        a, b = resolve(left.type), resolve(right.type)
        is_ordered = type(a) is type(b) and isinstance(a, (ListType, TupleType)) or a == b == BYTES or ANY in (a, b)
        if op not in ("==", "!=") and not is_ordered:
            names = self.names_with_members(left, right)
            shown = f"'{op}' not supported between instances of '{names[0]}' and '{names[1]}'" if names else None
            text = f"'{op}' is not supported between {describe(left)} and {describe(right)}"
            return self.wrong_or_left(node, ("TypeError", shown), text, operand_hint(left, right), [left, right])
        if TENSOR in (a, b):
            return self.error(node, f"a Tensor cannot be compared with {b if a == TENSOR else a}")
        for side in (left, right):
            if has_placeholder(side.type):
                convert(left, right.type)
        name = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[op]
        asked, mirrored = ("__eq__", "__eq__") if op in ("==", "!=") else (COMPARED[op], SWAPPED[op])
        if ANY not in (a, b) or not self.asked_classes(asked, mirrored):
            return operate(f"{name}.any", to_any(left), to_any(right))

        def use(held: list[Expr]) -> Expr:
            plain: Expr = operate(f"{name}.any", to_any(held[0]), to_any(held[1]))
            if b == ANY:
                plain = self.by_asked_class(held[1], (mirrored,), lambda own: self.answered(
                    own, mirrored, lambda: self.relation(node, op, held[0], own)), plain)
            if a != ANY:
                return plain
            return self.by_asked_class(held[0], (asked,), lambda own: self.answered(
                own, asked, lambda: self.relation(node, op, own, held[1])), plain)

        return once_all([left, right], use)

    def contains(self, node: syntax.Node, item: Expr, owner: Expr) -> Expr:
        if self.session.functions.is_generator(owner.type):
            return self.by_prelude(node, prelude.found_in, [item, owner])
        if (refused := self.refuse_identity(node, "in", item.type)) is not None:
            return refused
        if self.speaks(("__contains__",), owner.type):
            return self.class_contains(node, item, owner)
        if (flag := self.flag_kind(owner.type)) is not None:
            return self.flag_in(node, item, owner, flag)
        owner = self.plain(owner)
        own = self.contains_in_module(node, item, owner)
        if own is not None:
            return own
        owner = as_tuple(owner)
        kind = resolve(owner.type)
        of_text = (STR,) if resolve(item.type) == STR else ()
        if len(arms_of(kind)) > 1 and all(isinstance(arm, HOLDERS) or arm in of_text for arm in arms_of(kind)):
            return once(item, lambda x: self.each_arm(owner, lambda arm: self.contains(node, x, arm)))
        if isinstance(owner, Static) and isinstance(owner.denotation, RangeDenotation):
            before, numbers = owner.before, owner.denotation
            return once(item, lambda x: after(before, self.range_contains(node, x, numbers)))
        if isinstance(owner, Static) and isinstance(owner.denotation, IteratorDenotation):
            return self.by_prelude(node, prelude.found_in, [item, owner])
        if isinstance(owner, Static):
            return self.contains_static(node, item, owner)
        if isinstance(kind, (ListType, TupleType)):
            if self.compares_by_method(kind) or self.compares_by_method(item.type) or holds_function(item.type):
                return self.by_prelude(node, prelude.found_in, [item, owner])
        if isinstance(kind, KEYED) and holds_function(item.type):
            self.widen_functions([owner, item])
        if isinstance(kind, KEYED) and self.holds_instances(item.type):
            if not resolve(item.type).is_hashable:
                return self.error(node, f"{describe(item)} cannot be looked for among keys", KEY_OF_INSTANCE)
            become_keys(resolve(item.type))
        is_any = resolve(item.type) == ANY
        is_asked = isinstance(kind, KEYED) and self.has_own_keys(kind)
        if is_any and isinstance(kind, (*KEYED, ListType)) and not is_asked and not self.has_instances(kind.members[0]):
            return once(item, lambda first: operate("contains.any", to_any(owner), first))
        if isinstance(kind, KEYED) and kind.members[0] != resolve(item.type):
            if self.holds_number_members(kind.members[0]):
                return self.by_prelude(node, prelude.found_in, [item, owner])
            item = self.plain(item)
        if isinstance(kind, KEYED) and self.are_other_functions(kind.members[0], item.type):
            keys = resolve(kind.members[0])
            return once_all([item, owner], lambda held: self.each_arm(held[0], lambda arm: (
                self.contains(node, arm, held[1]) if has_arm(keys, resolve(arm.type)) else boolean(node.span, False))))
        if isinstance(kind, TupleType) and not kind.is_variadic:
            return self.contains_in_tuple(node, item, owner, kind)
        if is_any and kind in (STR, BYTES):
            return once(item, lambda first: operate("contains.any", to_any(owner), first))
        if kind == BYTES:
            item = self.as_bytes(item)
        if not (kind in (STR, BYTES, ANY) or isinstance(kind, (ListType, DictType, SetType, FrozenSetType, TupleType))):
            if resolve(owner.type) == TENSOR and (resolve(item.type) == TENSOR or is_scalar(resolve(item.type))):
                return self.by_prelude(node, prelude.found_in_tensor, [item, owner])
            found = self.contains_of_arms(node, item, owner)
            return found or self.error(node, f"'in' is not supported for {describe(owner)}", operand_hint(owner))

        if kind == ANY:
            refused = self.searches_any(node, item)
            return refused or once(item, lambda first: self.unless_asked(
                owner, ("__contains__", "__iter__", "__getitem__"), "searched", lambda whole: operate(
                    "contains.any", whole, to_any(first))))

        def use(first: Expr) -> Expr:
            def test(second: Expr) -> Expr:
                rows = [row for row in spelled("_in_") if row.overload != "any"]
                try:
                    result = match("_in_", [second, first], (), rows)
                    if not (isinstance(result, Operate) and is_rounded(result.operands[1])):
                        return self.compared(result)
                except NoMatch as failure:
                    if kind in (STR, BYTES):
                        found = self.contains_of_arms(node, first, second)
                        raised = "TypeError", certain_error(operator.contains, [second, first])
                        return found or self.wrong_or_left(node, raised, failure.message(), None, [first, second])
                if self.has_own_keys(kind):
                    text = f"{describe(first)} cannot be looked for in {kind}: their classes would be asked"
                    return self.error(node, text, "look for a value of the type of the keys")
                return operate("contains.any", to_any(second), to_any(first))

            return once(owner, test)

        return once(item, use)

    def contains_in_tuple(self, node: syntax.Node, item: Expr, owner: Expr, kind: TupleType) -> Expr:
        if (decided := compared("in", known(item), known(owner))) is not None:
            return boolean(node.span, decided)

        def use(first: Expr) -> Expr:
            def test(second: Expr) -> Expr:
                parts = [self.relation(node, "==", part, first) for part in tuple_items(second, kind)]
                return any_of([self.truth(part) for part in parts]) if parts else boolean(node.span, False)

            return once(owner, test)

        return once(item, use)

    def same_or_none(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        """`is` of values each of which is an exception or None."""
        nones = [resolve(value.type) == NONE for value in (left, right)]
        if not any(nones):
            return self.identity(node, op, left, right)
        return self.then(left, self.then(right, boolean(node.span, all(nones) == (op == "is"))))

    def sentinel_beside(self, value: Expr, other: Expr) -> Expr:
        """`MISSING` as a value, where the other operand may be it."""
        kind = self.sentinel_kind(value)
        if kind is None or not isinstance(value, Static) or not {kind, ANY}.intersection(arms_of(resolve(other.type))):
            return value
        return self.reify(value) or value

    def identity(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        if isinstance(left, Static) and isinstance(right, Static):
            self.evaluate(left)
            self.evaluate(right)
            is_same = left.denotation == right.denotation
            return boolean(node.span, is_same == (op == "is"))
        if is_silent(left, right):
            return self.silent(node.span, [left, right])
        if isinstance(node, syntax.Compare) and self.is_raised_class(node.left) and isinstance(right, Static):
            return self.exact_class_test(node.span, left, right.denotation, op)
        left, right = self.sentinel_beside(left, right), self.sentinel_beside(right, left)
        if isinstance(left, Static) or isinstance(right, Static):
            return boolean(node.span, op == "is not")
        a, b = resolve(left.type), resolve(right.type)
        if EXCEPTION in (a, b) and is_exception(a) and is_exception(b):
            same: Expr = operate("eq.any", to_any(as_exception(left)), to_any(as_exception(right)))
            return self.negate(same, node.span) if op == "is not" else same
        if len(arms_of(a)) + len(arms_of(b)) > 2 and all(may_be_exception(kind) or kind == NONE for kind in (a, b)):
            return self.each_arm(
                left, lambda one: self.each_arm(right, lambda two: self.same_or_none(node, op, one, two)))
        wrong = [next((arm for arm in arms_of(kind) if not has_identity(arm)), None) for kind in (a, b)]
        if None not in wrong:
            text = f"'{op}' on {wrong[0]} is not supported: its values have no identity"
            return self.error(node, text, "write " + ("==" if op == "is" else "!="))
        if a == b and a in (BOOL, DTYPE):
            same = operate(f"eq.{a}", left, right)
        else:
            same = operate("is.any", to_any(left), to_any(right))
        return self.negate(same, node.span) if op == "is not" else same


def leaves_open(node: syntax.Node) -> bool:
    """Whether a display has nothing in it, or holds one that has not: what that would hold, nobody says. The numbers
    of others are compared as they are."""
    if isinstance(node, (syntax.List, syntax.Set, syntax.Tuple)):
        return not node.elts and isinstance(node, syntax.List) or any(map(leaves_open, node.elts))
    return isinstance(node, syntax.Dict) and (not node.values or any(map(leaves_open, node.values)))


def may_be_exception(kind: Type) -> bool:
    """Whether a value is an exception, or perhaps None."""
    arms = [arm for arm in arms_of(kind) if arm != NONE]
    return bool(arms) and all(map(is_exception, arms))
