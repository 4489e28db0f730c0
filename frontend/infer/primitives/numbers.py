"""Inference of numbers beyond operators: complex(), parts and methods of int, float and complex, math and cmath.

In: attributes and calls. Out: operator rows, calls of the prelude.
Holds: math and cmath take bool, int and float where Python's do; an iterable may have elements of any of them.
"""

from __future__ import annotations

from functools import reduce

from ....ir.operators import spelled
from ....ir.types import BOOL, BYTES, COMPLEX, FLOAT, INT, STR, ListType, TupleType, Type, arms_of
from ...core.conversions import is_scalar, once, once_all, operate
from ...core.denotations import OperatorDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import Const, Expr, MakeList, MakeTuple, TupleItem, boolean, is_silent
from ...parser import syntax
from ...prelude import cmath as prelude_cmath
from ...prelude import numbers as prelude_numbers
from ..base import InferenceBase

WHOLE = (INT, BOOL)
METHODS: dict[Type, tuple[str, ...]] = {
    INT: ("to_bytes", "from_bytes", "as_integer_ratio", "conjugate"),
    FLOAT: ("hex", "fromhex", "as_integer_ratio", "conjugate"),
    BOOL: ("to_bytes", "as_integer_ratio", "conjugate", "bit_length", "bit_count"), COMPLEX: ("conjugate",),
}
PARTS: dict[Type, tuple[str, ...]] = {
    INT: ("real", "imag", "numerator", "denominator"), BOOL: ("real", "imag", "numerator", "denominator"),
    FLOAT: ("real", "imag"), COMPLEX: ("real", "imag"),
}
OF_FLOATS = ("rect",)  # functions of cmath with real arguments
VARIADIC = ("fsum", "prod", "hypot", "dist", "gcd", "lcm")


class NumberInference(InferenceBase):
    """Numbers."""

    # Parts and methods

    def number_part(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        """`x.real` and its like; None for other attributes."""
        kind = resolve(owner.type)
        if name not in PARTS.get(kind, ()):
            return None
        if kind == COMPLEX:
            return operate(f"complex.{name}", owner)
        if name in ("real", "numerator"):
            return owner if kind != BOOL else self.coerce(owner, INT, "a part")
        value = 1 if name == "denominator" else 0
        return self.then(owner, Const(FLOAT, node.span, 0.0) if kind == FLOAT else Const(INT, node.span, value))

    def is_number_method(self, kind: Type, name: str) -> bool:
        """Whether a method of a number is inferred here rather than by a row."""
        return name in METHODS.get(kind, ())

    def call_number_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        """A method inferred here, or a function of math or cmath that takes any number of arguments; else None."""
        owner, _, name = denotation.spelling.partition(".")
        if owner == "cmath":
            return self.call_cmath(node, name)
        if owner == "math" and name in VARIADIC:
            method = getattr(self, f"math_{name}")
            return method(node)
        receiver = denotation.receiver
        if owner or receiver is None or not self.is_number_method(resolve(receiver.type), name):
            return None
        if resolve(receiver.type) == BOOL:
            receiver = self.coerce(receiver, INT, "a bool")
        if name == "from_bytes":
            return self.call_builtin(node, "int.from_bytes", None)
        if name == "fromhex":
            return self.call_builtin(node, "float.fromhex", None)
        if name == "to_bytes":
            return self.to_bytes(node, receiver)
        if node.args or node.keywords:
            return self.error(node, f"{name}() takes no arguments")
        if name in ("bit_length", "bit_count"):
            return operate(f"int.{name}", receiver)
        if name == "hex":
            return self.by_prelude(node, prelude_numbers.float_hex, [receiver])
        if name == "conjugate":
            return self.conjugate(receiver)
        if resolve(receiver.type) == FLOAT:
            return self.by_prelude(node, prelude_numbers.float_ratio, [receiver])
        return MakeTuple(TupleType((INT, INT)), node.span, [receiver, Const(INT, node.span, 1)])

    def conjugate(self, value: Expr) -> Expr:
        if resolve(value.type) != COMPLEX:
            return value
        return once(value, lambda z: operate(
            "complex.make", operate("complex.real", z), operate("neg.float", operate("complex.imag", z))))

    def to_bytes(self, node: syntax.Call, receiver: Expr) -> Expr:
        options = self.byte_options(node, node.args, ("length", "byteorder"))
        if options is None:
            return self.wrong(node)
        length = options.get("length", Const(INT, node.span, 1))
        return self.with_order(node, prelude_numbers.int_to_bytes, [receiver, length], options)

    def _call_int_from_bytes(self, node: syntax.Call, want: Type | None) -> Expr:
        if not node.args:
            return self.error(node, "int.from_bytes() needs the bytes")
        data = self.expr(node.args[0])
        if not is_silent(data) and resolve(data.type) != BYTES:
            data = self.bytes_of_list(node, self.list_of(node.args[0], data))
        options = self.byte_options(node, node.args[1:], ("byteorder",))
        if options is None:
            return self.wrong(node)
        return self.with_order(node, prelude_numbers.int_from_bytes, [data], options)

    def byte_options(
        self, node: syntax.Call, given: list[syntax.Expression], names: tuple[str, ...]
    ) -> dict[str, Expr] | None:
        """The arguments of to_bytes and from_bytes by name; None after reporting."""
        options = {name: self.value(argument) for name, argument in zip(names, given)}
        if len(given) > len(names):
            self.error(node, f"takes at most {len(names)} positional arguments ({len(given)} given)")
            return None
        for keyword in node.keywords:
            if keyword.arg not in (*names, "signed") or keyword.arg in options:
                self.error(keyword, f"'{keyword.arg}' is not a parameter here, or given twice")
                return None
            options[keyword.arg] = self.value(keyword.value)
        return options

    def with_order(self, node: syntax.Call, function: object, values: list[Expr], options: dict[str, Expr]) -> Expr:
        order = options.get("byteorder", Const(STR, node.span, "big"))
        signed = self.truth(options.get("signed", boolean(node.span, False)))
        whole = [*values, order, signed]
        return self.silent(node.span, whole) if is_silent(*whole) else self.by_prelude(node, function, whole)

    def _call_float_fromhex(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        text = self.value(node.args[0])
        if not is_silent(text) and resolve(text.type) != STR:
            return self.error(node, f"fromhex() takes str, not {describe(text)}")
        return text if is_silent(text) else self.by_prelude(node, prelude_numbers.float_from_hex, [text])

    # complex()

    def _call_complex(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 0, 2, ("real", "imag")):
            return self.wrong(node)
        named = dict(zip(("real", "imag"), (self.plain(self.value(argument)) for argument in node.args)))
        for keyword in node.keywords:
            if keyword.arg in named:
                return self.error(keyword, f"complex() gets '{keyword.arg}' twice")
            named[str(keyword.arg)] = self.plain(self.value(keyword.value))
        values = list(named.values())
        if is_silent(*values):
            return self.silent(node.span, values)
        if not values:
            return Const(COMPLEX, node.span, 0j)
        kinds = [resolve(value.type) for value in values]
        if kinds == [STR]:
            parts = self.by_prelude(node, prelude_numbers.complex_parts, values)
            return parts if is_silent(parts) else once(parts, lambda pair: operate(
                "complex.make", TupleItem(FLOAT, node.span, pair, 0), TupleItem(FLOAT, node.span, pair, 1)))
        if len(values) == 1 and self.has_instances(kinds[0]):
            return self.number_of_instance(node, "complex", values[0])
        for value, kind in zip(values, kinds):
            if not is_scalar(kind):
                return self.error(value, f"complex() does not take {describe(value)}", "convert it with float(...)")
        if list(named) == ["real"]:
            return self.each_arm(values[0], self.as_complex)
        named.setdefault("real", Const(INT, node.span, 0))
        names = list(named)

        def made(held: list[Expr]) -> Expr:
            real, imag = held[names.index("real")], held[names.index("imag")]
            return self.each_arm(real, lambda x: self.each_arm(imag, lambda y: self.complex_of(x, y)))

        return once_all(list(named.values()), made)

    def complex_of(self, real: Expr, imag: Expr) -> Expr:
        """complex(real, imag), each of which may be complex itself."""
        if COMPLEX not in (resolve(real.type), resolve(imag.type)):
            return operate("complex.make", self.coerce(real, FLOAT, "real"), self.coerce(imag, FLOAT, "imag"))
        x, y = self.part(real, "real"), self.part(imag, "real")
        if resolve(imag.type) == COMPLEX:
            x = operate("sub.float", x, self.part(imag, "imag"))
        if resolve(real.type) == COMPLEX:
            y = operate("add.float", self.part(real, "imag"), y)
        return operate("complex.make", x, y)

    def part(self, value: Expr, name: str) -> Expr:
        if resolve(value.type) == COMPLEX:
            return operate(f"complex.{name}", value)
        return self.coerce(value, FLOAT, "a part")

    def as_complex(self, value: Expr) -> Expr:
        """A number of one kind as complex, or a message."""
        if is_silent(value) or resolve(value.type) == COMPLEX:
            return value
        if resolve(value.type) not in (BOOL, INT, FLOAT):
            return self.error(value, f"a complex number is needed here, not {describe(value)}", "write complex(...)")
        return operate("complex.make", self.coerce(value, FLOAT, "the number"), Const(FLOAT, value.span, 0.0))

    # cmath

    def call_cmath(self, node: syntax.Call, name: str) -> Expr:
        values = [self.plain(self.value(argument)) for argument in node.args]
        named = {keyword.arg or "": self.plain(self.value(keyword.value)) for keyword in node.keywords}
        if is_silent(*values, *named.values()):
            return self.silent(node.span, [*values, *named.values()])
        allowed = ("rel_tol", "abs_tol") if name == "isclose" else ()
        count = 2 if name in ("rect", "isclose") or (name == "log" and len(values) == 2) else 1
        if len(values) != count or any(key not in allowed for key in named):
            return self.error(node, f"cmath.{name}() takes {count} positional argument{'s' * (count > 1)} here")
        kind = FLOAT if name in OF_FLOATS else COMPLEX
        given = [self.coerce(value, FLOAT, "an argument") if kind == FLOAT else self.as_complex(value)
                 for value in values]
        for key, default in zip(allowed, (1e-09, 0.0)):
            given.append(self.coerce(named.get(key, Const(FLOAT, node.span, default)), FLOAT, key))
        if is_silent(*given):
            return self.silent(node.span, given)
        function = "log_base" if name == "log" and count == 2 else name
        return self.by_prelude(node, getattr(prelude_cmath, function), given)

    # math

    def positional(self, node: syntax.Call, allowed: tuple[str, ...] = ()) -> bool:
        """Whether the arguments are written out; reports otherwise."""
        for argument in node.args:
            if isinstance(argument, syntax.Starred):
                self.error(argument, "'*' is not supported in a call of an operator", "write the arguments out")
                return False
        for keyword in node.keywords:
            if keyword.arg not in allowed:
                self.error(keyword, f"this function of math has no parameter '{keyword.arg}'")
                return False
        return True

    def floats_from(self, node: syntax.Node) -> Expr:
        """An iterable of numbers as a list of float."""
        values = self.list_from(node)
        kind = resolve(values.type)
        if is_silent(values) or kind == ListType(FLOAT):
            return values
        if isinstance(kind, ListType) and all(arm in (*WHOLE, FLOAT) for arm in arms_of(kind.element)):
            return self.by_prelude(node, prelude_numbers.floats, [values])
        return self.error(node, f"numbers are needed here, not {describe(values)}", "make a list[float]")

    def math_fsum(self, node: syntax.Call) -> Expr:
        if not self.positional(node) or len(node.args) != 1:
            return self.error(node, "math.fsum() takes an iterable")
        values = self.floats_from(node.args[0])
        return values if is_silent(values) else self.by_prelude(node, prelude_numbers.fsum, [values])

    def math_dist(self, node: syntax.Call) -> Expr:
        if not self.positional(node) or len(node.args) != 2:
            return self.error(node, "math.dist() takes two points")
        points = [self.floats_from(argument) for argument in node.args]
        if is_silent(*points):
            return self.silent(node.span, points)
        return self.by_prelude(node, prelude_numbers.distance, points)

    def math_hypot(self, node: syntax.Call) -> Expr:
        if len(node.args) == 1 and isinstance(node.args[0], syntax.Starred) and not node.keywords:
            values = self.floats_from(node.args[0].value)
            return values if is_silent(values) else operate("math.norm", values)
        if not self.positional(node):
            return self.wrong(node)
        parts = [self.plain(self.value(argument)) for argument in node.args]
        if is_silent(*parts):
            return self.silent(node.span, parts)
        if len(parts) == 2:
            return self.operate(node, "math.hypot", parts)
        floats = [self.coerce(part, FLOAT, "an argument of math.hypot()") for part in parts]
        if is_silent(*floats):
            return self.silent(node.span, floats)
        return operate("math.norm", MakeList(ListType(FLOAT), node.span, floats))

    def math_gcd(self, node: syntax.Call) -> Expr:
        return self.folded(node, "math.gcd", 0)

    def math_lcm(self, node: syntax.Call) -> Expr:
        return self.folded(node, "math.lcm", 1)

    def folded(self, node: syntax.Call, name: str, neutral: int) -> Expr:
        """gcd and lcm of any number of ints."""
        if any(isinstance(argument, syntax.Starred) for argument in node.args) and not node.keywords:
            row = self.expr(syntax.List(node.span, node.args), ListType(INT))
            if not is_silent(row) and resolve(row.type) != ListType(INT):
                return self.error(node, f"{name}() takes int, not the elements of {describe(row)}")
            function = prelude_numbers.gcd_all if name == "math.gcd" else prelude_numbers.lcm_all
            return row if is_silent(row) else self.by_prelude(node, function, [row])
        if not self.positional(node):
            return self.wrong(node)
        values = [self.plain(self.value(argument)) for argument in node.args]
        if is_silent(*values):
            return self.silent(node.span, values)
        for value in values:
            if resolve(value.type) not in WHOLE:
                return self.error(value, f"{name}() takes int, not {describe(value)}")
        whole = [self.coerce(value, INT, "an argument") for value in values]
        if len(whole) == 1:
            return operate("abs.int", whole[0])
        if not whole:
            return Const(INT, node.span, neutral)
        return once_all(whole, lambda held: reduce(lambda a, b: operate(f"{name}.int", a, b), held))

    def math_prod(self, node: syntax.Call) -> Expr:
        if not self.positional(node, ("start",)) or len(node.args) != 1:
            return self.error(node, "math.prod() takes an iterable and start=")
        values = self.list_from(node.args[0])
        starts = [self.plain(self.value(keyword.value)) for keyword in node.keywords]
        if is_silent(values, *starts):
            return self.silent(node.span, [values, *starts])
        kind = resolve(values.type)
        if isinstance(kind, ListType) and kind.element in (INT, FLOAT):
            if all(resolve(start.type) in (INT, kind.element) for start in starts):
                named = [("start", start) for start in starts]
                return self.operate(node, "math.prod", [values], named, spelled("math.prod"))
        start = starts[0] if starts else Const(INT, node.span, 1)
        return self.by_prelude(node, prelude_numbers.product, [values, start])
