"""Random expressions of a wanted type, for the generator of programs.

In: the variables in reach and the functions that may be called. Out: Python text of an expression.
Holds: an expression is well typed; it may raise, but it ends; a container is often one that a variable holds already, so
that aliases arise; text, lists and ints made by operators stay short.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from program_kinds import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    NONE,
    STR,
    TEXTS,
    Kind,
    any_kind,
    dict_of,
    list_of,
    literal,
    optional,
    tuple_of,
)

MAX_COST = 1500  # statements that one call of a function may run, roughly


@dataclass
class Variable:
    """`kind` is declared; `refined`: an Optional known not to be None here; `fixed`: not to be assigned."""

    name: str
    kind: Kind
    bound: bool = True
    refined: bool = False
    fixed: bool = False

    @property
    def present(self) -> Kind:
        return self.kind.item if self.refined else self.kind


@dataclass
class Function:
    """What a caller knows. `is_bounded`: its first parameter counts down to zero."""

    name: str
    params: list[Variable]
    result: Kind
    cost: int = 1
    is_bounded: bool = False


@dataclass
class Frame:
    """The function being written: `times` says how often the present place runs at most."""

    function: Function
    variables: dict[str, Variable] = field(default_factory=dict)
    times: int = 1
    cost: int = 1
    loops: int = 0
    dict_loops: int = 0
    names: int = 0

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"


class Expressions:
    """One method for each type: `make_int`; `expr` chooses between them and variables."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.functions: list[Function] = []
        self.frame = Frame(Function("", [], NONE))

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def expr(self, kind: Kind, depth: int = 2) -> str:
        if depth <= 0 or self.chance(0.3):
            return self.leaf(kind, depth)
        if self.chance(0.12):
            found = self.call(kind, depth)
            if found:
                return found
        if self.chance(0.1):
            return f"({self.expr(kind, depth - 1)} if {self.condition(depth - 1)} else {self.expr(kind, depth - 1)})"
        if self.chance(0.06) and kind.name not in ("Optional", "Union") and kind != NONE:
            return f"({self.expr(kind, depth - 1)} {self.rng.choice(('and', 'or'))} {self.expr(kind, depth - 1)})"
        if self.chance(0.5 if kind.has_mutable else 0.15):
            found = self.projection(kind, depth)
            if found:
                return found
        return getattr(self, f"make_{kind.name.lower()}", self.leaf)(kind, depth)

    def variable(self, kind: Kind, may_be_unbound: bool = True) -> Variable | None:
        found = [v for v in self.frame.variables.values() if v.present == kind and v.bound]
        if may_be_unbound and self.chance(0.02):
            unbound = [v for v in self.frame.variables.values() if v.kind == kind and not v.bound]
            found = unbound or found
        return self.rng.choice(found) if found else None

    def container(self, *names: str) -> Variable | None:
        found = [v for v in self.frame.variables.values() if v.present.name in names and v.bound]
        return self.rng.choice(found) if found else None

    def leaf(self, kind: Kind, depth: int = 0) -> str:
        found = self.variable(kind)
        if found and self.chance(0.95 if kind.has_mutable else 0.85):
            return found.name
        if kind.name == "Optional":
            return "None" if self.chance(0.3) else self.leaf(kind.item)
        if kind.name == "Union":
            return self.leaf(self.rng.choice(kind.args))
        if kind.name == "tuple":
            return f"({', '.join(self.leaf(arg) for arg in kind.args)},)"
        if kind.is_mutable and depth > 0 or kind.has_mutable and self.chance(0.5):
            return self.display_of(kind, max(0, depth - 1))
        if kind == BOOL and (number := self.variable(INT)) and self.chance(0.8):
            return f"({number.name} {self.rng.choice(('>', '==', '!=', '<='))} {literal(self.rng, INT)})"
        text = literal(self.rng, kind, 3)
        return self.display_of(kind) if text in ("[]", "{}") else text

    def display_of(self, kind: Kind, depth: int = 0) -> str:
        return getattr(self, f"display_{kind.name}")(kind, depth)

    def projection(self, kind: Kind, depth: int) -> str | None:
        """A part of a container that a variable holds."""
        found = [v for v in self.frame.variables.values() if v.bound and kind in v.present.args and v.present != kind]
        found = [v for v in found if v.present.name in ("list", "tuple") or v.present.name == "dict" and kind == v.present.item]
        if not found:
            return None
        owner = self.rng.choice(found)
        if owner.present.name == "tuple":
            places = [i for i, arg in enumerate(owner.present.args) if arg == kind]
            place = self.rng.choice(places)
            return f"{owner.name}[{place if self.chance(0.8) else place - len(owner.present.args)}]"
        if owner.present.name == "list":
            part = f"{owner.name}[{self.index(owner.name)}]"
            return f"({part} if {owner.name} else {self.leaf(kind)})" if self.chance(0.4) else part
        return f"{owner.name}[{self.expr(owner.present.args[0], 0)}]"

    def index(self, owner: str) -> str:
        return self.rng.choice(
            ("0", "-1", "0", *[f"{self.leaf(INT)} % max(1, len({owner}))"] * 3, f"len({owner}) - 1", self.leaf(INT))
        )

    def call(self, kind: Kind, depth: int) -> str | None:
        room = MAX_COST // max(1, self.frame.times)
        found = [f for f in self.functions if f.result == kind and f.cost <= room]
        if self.frame.function.is_bounded and self.frame.times > 1:
            found = [f for f in found if not f.is_bounded]
        if not found:
            return None
        return self.call_of(self.rng.choice(found), depth)

    def call_of(self, callee: Function, depth: int) -> str:
        args = [self.expr(param.kind, min(depth - 1, 1)) for param in callee.params]
        if callee.is_bounded:
            args[0] = "n - 1" if self.frame.function.is_bounded else str(self.rng.randrange(4))
        if self.chance(0.1) and len(args) > 1:
            args[-1] = f"{callee.params[-1].name}={args[-1]}"
        return f"{callee.name}({', '.join(args)})"

    def condition(self, depth: int = 2) -> str:
        return self.expr(BOOL, depth)

    def nonzero(self, text: str) -> str:
        return text if self.chance(0.15) else f"({text} % 5 + 1)"

    def make_int(self, kind: Kind, depth: int) -> str:
        a, b = self.expr(INT, depth - 1), self.expr(INT, depth - 1)
        simple = (
            f"({a} + {b})", f"({a} - {b})", f"({a} + {b})", f"({a} % 4096 * {b} % 1009)", f"({a} // {self.nonzero(b)})",
            f"({a} % {self.nonzero(b)})", f"({a} & {b})", f"({a} | {b})", f"({a} ^ {b})", f"(-{a})", f"(~{a})",
            f"abs({a})", f"min({a}, {b})", f"max({a}, {b}, 2)", f"(({a} & 7) << ({b} & 3))", f"({a} >> ({b} & 7))",
            f"(({a} & 3) ** ({b} & 3))", f"divmod({a}, {self.nonzero(b)})[{self.rng.randrange(2)}]",
        )  # fmt: skip
        if self.chance(0.6):
            return self.rng.choice(simple)
        v, s = self.expr(INTS, depth - 1), self.expr(STR, depth - 1)
        some = optional(INT)
        o = self.variable(some, may_be_unbound=False)
        choices = [
            f"len({v})", f"sum({v})", f"{v}.count({a})", f"{v}.index({a})", f"len({s})", f"{s}.find({self.leaf(STR)})",
            f"int({self.expr(BOOL, depth - 1)})", f"round({self.leaf(FLOAT)} / 64)", f"min({v})", f"max({v})",
            f"{s}.count({self.leaf(STR)})", f"int({self.leaf(FLOAT)} % 100.0)", f"int(str({a}))",
            self.consumed("sum", INT, depth), f"len({self.expr(self.some_container(), depth - 1)})",
        ]  # fmt: skip
        if o:
            choices += [f"(0 if {o.name} is None else {o.name} + 1)", f"({o.name} or {a})"] * 2
        return self.rng.choice(choices)

    def some_container(self) -> Kind:
        found = self.container("list", "dict", "tuple")
        return found.present if found else INTS

    def consumed(self, function: str, item: Kind, depth: int) -> str:
        element, clauses = self.clauses(depth, item)
        return f"{function}({element} {clauses})"

    def make_float(self, kind: Kind, depth: int) -> str:
        a, b = self.expr(FLOAT, depth - 1), self.expr(FLOAT, depth - 1)
        return self.rng.choice((
            f"({a} + {b})", f"({a} - {b})", f"({a} * {self.leaf(FLOAT)} / 3.0)", f"({a} / {self.nonzero(b)})",
            f"float({self.expr(INT, depth - 1)})", f"abs({a})", f"(-{a})", f"min({a}, {b})", f"max({a}, {b})",
            f"({self.expr(INT, depth - 1)} / {self.nonzero(self.leaf(INT))})", f"({self.leaf(INT)} * {a} % 64.0)",
            f"({a} // {self.nonzero(b)})", f"({a} % {self.nonzero(b)})", f"round({a}, 1)",
            f"sum({self.expr(FLOATS, depth - 1)}, 0.0)",
        ))  # fmt: skip

    def make_bool(self, kind: Kind, depth: int) -> str:
        compare = self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
        which = self.rng.choice((INT, INT, INT, INT, STR, FLOAT, INTS, tuple_of(INT, STR), list_of(INTS)))
        a, b = self.expr(which, depth - 1), self.expr(which, depth - 1)
        choices = [f"({a} {compare} {b})"] * 4
        choices += [
            f"({a} {compare} {b} {self.rng.choice(('<', '==', '!=', '>='))} {self.expr(which, depth - 1)})",
            f"(not {self.expr(BOOL, depth - 1)})", f"bool({self.expr(which, depth - 1)})",
            f"({self.expr(BOOL, depth - 1)} {self.rng.choice(('&', '|', '^', '==', '!='))} {self.expr(BOOL, depth - 1)})",
            f"({self.expr(INT, depth - 1)} {self.rng.choice(('in', 'not in'))} {self.expr(INTS, depth - 1)})",
            f"({self.leaf(STR)} in {self.expr(STR, depth - 1)})", f"{self.leaf(STR)}.startswith({self.leaf(STR)})",
            self.consumed(self.rng.choice(("any", "all")), BOOL, depth), f"({self.leaf(INT)} in (1, 2, {self.leaf(INT)}))",
        ]  # fmt: skip
        if table := self.container("dict"):
            choices += [f"({self.expr(table.present.args[0], depth - 1)} in {table.name})"] * 2
        if maybe := self.container("Optional"):
            choices += [f"({maybe.name} is {self.rng.choice(('None', 'not None'))})"] * 3
            choices += [self.guarded(maybe, depth)] * 2
        if (first := self.container("list", "dict")) and (second := self.variable(first.present, may_be_unbound=False)):
            choices += [f"({first.name} {self.rng.choice(('is', 'is not', '=='))} {second.name})"] * 3
        union = self.container("Union")
        if union:
            choices.append(f"isinstance({union.name}, {self.rng.choice(union.kind.args)})")
        return self.rng.choice(choices)

    def guarded(self, maybe: Variable, depth: int) -> str:
        """A test of an Optional and, where it holds, a test of what is inside."""
        name, inner = maybe.name, maybe.kind.item
        test = {"int": f"{name} > {self.leaf(INT)}", "list": f"len({name}) > 1", "str": f"{name} != ''"}
        inside = test.get(inner.name, f"{name} == {self.leaf(inner)}")
        return self.rng.choice((f"({name} is not None and {inside})", f"({name} is None or {inside})", f"bool({name})"))

    def make_str(self, kind: Kind, depth: int) -> str:
        a, b = self.expr(STR, depth - 1), self.leaf(STR)
        shown = self.expr(any_kind(self.rng) if self.chance(0.4) else INT, depth - 1)
        low, high = self.leaf(INT), self.leaf(INT)
        return self.rng.choice((
            f"({a} + {b})[:12]", f"({b} + {a})[-9:]", f"{a}[{low}:{high}]", f"{a}[::-1]", f"{a}[{self.index(a)}]",
            f"str({shown})[:20]", f'f"{{{self.leaf(INT)}}}-{{{self.plain(STR)}!r}}"', f"str({low}).upper()", f"{a}.strip()",
            f"{a}.replace({b}, {self.leaf(STR)})[:12]", f"({b} * ({low} & 3))[:9]", f"{b}.join({self.expr(TEXTS, depth - 1)})[:12]",
            f"repr({shown})[:20]", f"chr(97 + ({low} & 15))", f'f"{{{self.plain(INTS)}}}{{{self.plain(BOOL)}}}"',
        ))  # fmt: skip

    def plain(self, kind: Kind) -> str:
        """For the inside of an f-string, where no quote may stand: a variable."""
        found = self.variable(kind)
        return found.name if found else "1"

    def bounds(self) -> str:
        low, high = (self.leaf(INT) if self.chance(0.6) else "" for _ in range(2))
        step = self.rng.choice(("", "", "", ":-1", ":2", ":-2", f":{self.nonzero(self.leaf(INT))}"))
        return f"{low}:{high}{step}"

    def clauses(self, depth: int, *elements: Kind) -> tuple[str, ...]:
        """The elements and "for ... in ... if ..." of a comprehension; its variables live in it only."""
        frame = self.frame
        before, times = dict(frame.variables), frame.times
        source, target = self.source_of_clause(depth)
        frame.times *= 5
        for variable in target[1]:
            frame.variables[variable.name] = variable
        text = f"for {target[0]} in {source}"
        if self.chance(0.4):
            text += f" if {self.condition(min(depth - 1, 1))}"
        made = [self.expr(element, min(depth - 1, 1)) for element in elements]
        frame.variables, frame.times = before, times
        return (*made, text)

    def source_of_clause(self, depth: int) -> tuple[str, tuple[str, list[Variable]]]:
        name = self.frame.fresh("c") if self.chance(0.8) else "x"
        found = self.container("list", "dict")
        if found and found.present.name == "list" and self.chance(0.8):
            item = Variable(name, found.present.item)
            if self.chance(0.2):
                place = self.frame.fresh("c")
                return f"enumerate({found.name})", (f"{place}, {name}", [Variable(place, INT), item])
            return found.name, (name, [item])
        if found and found.present.name == "dict" and self.chance(0.8):
            second = self.frame.fresh("c")
            pair = [Variable(name, found.present.args[0]), Variable(second, found.present.args[1])]
            return f"{found.name}.items()", (f"{name}, {second}", pair)
        if self.chance(0.3):
            return self.expr(INTS, depth - 1), (name, [Variable(name, INT)])
        return f"range({self.rng.randrange(5)})", (name, [Variable(name, INT)])

    def display_list(self, kind: Kind, depth: int) -> str:
        return f"[{', '.join(self.expr(kind.item, depth) for _ in range(self.rng.choice((1, 1, 2, 3))))}]"

    def make_list(self, kind: Kind, depth: int) -> str:
        a = self.expr(kind, depth - 1)
        element, clauses = self.clauses(depth, kind.item)
        choices = [
            self.display_list(kind, depth - 1), self.display_list(kind, depth - 1), f"[{element} {clauses}]", a, a,
            f"[{element} {clauses}]", f"{a}[{self.bounds()}]", f"({a} + {self.leaf(kind)})[:8]", f"{a}.copy()",
            f"list({a})", f"({self.display_list(kind, 0)} * ({self.leaf(INT)} & 3))",
            f"[*{self.leaf(kind)}[:5], {self.leaf(kind.item)}]",
        ]  # fmt: skip
        if kind in (INTS, FLOATS, TEXTS):
            choices += [f"sorted({a})", f"sorted({a}, reverse=True)"]
        if kind == INTS:
            choices += [f"list(range({self.leaf(INT)} & 7))", f"list({self.leaf(dict_of(STR, INT))}.values())"]
        if kind == TEXTS:
            choices += [f"{self.expr(STR, depth - 1)}.split(',')", f"list({self.expr(STR, depth - 1)})", f"{self.leaf(STR)}.split()"]
        return self.rng.choice(choices)

    def display_dict(self, kind: Kind, depth: int) -> str:
        key, value = kind.args
        return f"{{{', '.join(f'{self.expr(key, 0)}: {self.expr(value, depth)}' for _ in range(self.rng.choice((1, 2))))}}}"

    def make_dict(self, kind: Kind, depth: int) -> str:
        key, value = kind.args
        first, second, clauses = self.clauses(depth, key, value)
        return self.rng.choice((
            self.display_dict(kind, depth - 1), f"{self.expr(kind, depth - 1)}.copy()", self.leaf(kind, depth),
            f"{{{first}: {second} {clauses}}}",
        ))  # fmt: skip

    def make_tuple(self, kind: Kind, depth: int) -> str:
        return f"({', '.join(self.expr(arg, depth - 1) for arg in kind.args)},)"

    def make_optional(self, kind: Kind, depth: int) -> str:
        table = next((v for v in self.frame.variables.values() if v.bound and v.present.name == "dict"
                      and v.present.item == kind.item), None)  # fmt: skip
        if table and self.chance(0.5):
            return f"{table.name}.get({self.expr(table.present.args[0], depth - 1)})"
        inner = self.expr(kind.item, depth - 1)
        return self.rng.choice((inner, inner, f"({inner} if {self.condition(depth - 1)} else None)", "None"))

    def make_union(self, kind: Kind, depth: int) -> str:
        return self.expr(self.rng.choice(kind.args), depth - 1)
