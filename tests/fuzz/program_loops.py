"""Random loops: over ranges, containers, text and their combinations, and while loops that count their fuel.

In: `Statements`. Out: lines of a loop with its body and sometimes an else. Holds: the body of a loop may change what it
iterates over; an Optional refined before the loop stays so in the body only if the body cannot assign it.
"""

from __future__ import annotations

from program_expressions import MAX_COST, Variable
from program_kinds import BOOL, INT, INTS, STR, Kind, tuple_of
from program_statements import State, Statements


class Loops(Statements):
    """`for` and `while`."""

    def loop(self) -> None:
        if self.frame.loops >= 3 or self.frame.times * 6 > MAX_COST // 8:
            return
        held = self.enter()
        source, pattern = self.iterable()
        self.emit(f"for {pattern} in {source}:")
        before = self.frame.dict_loops
        self.frame.dict_loops += any(v.kind.name == "dict" and v.name in source for v in self.frame.variables.values())
        self.body(held, 6)
        self.frame.dict_loops = before

    def while_loop(self) -> None:
        if self.frame.loops >= 3 or self.frame.times * 5 > MAX_COST // 8:
            return
        fuel = self.frame.fresh("fuel")
        self.emit(f"{fuel} = {self.rng.randint(1, 5)}")
        self.frame.variables[fuel] = Variable(fuel, INT, fixed=True)
        held = self.enter()
        style = self.rng.randrange(3)
        condition = ("True", f"{fuel} > 0", f"{fuel} > 0 and {self.condition(2)}")[style]
        self.emit(f"while {condition}:")
        self.indent += 1
        self.emit(f"{fuel} -= 1")
        if style == 0:
            self.emit(f"if {fuel} < 0: break")
        self.indent -= 1
        self.body(held, 5)

    def enter(self) -> tuple[State, list[Variable]]:
        """The state before the loop, and the variables that the body may not assign."""
        before = self.state()
        refined = [v for v in self.frame.variables.values() if v.refined and not v.fixed]
        if self.chance(0.5):
            for variable in refined:
                variable.fixed = True
            return before, refined
        for variable in refined:
            variable.refined = False
        return self.state(), []

    def body(self, held: tuple[State, list[Variable]], times: int) -> None:
        before, fixed = held
        self.frame.times *= times
        self.frame.loops += 1
        self.block(3)
        self.frame.loops -= 1
        self.frame.times //= times
        self.restore(before)
        for variable in fixed:
            variable.fixed = False
        if self.chance(0.2):
            after = self.state()
            self.emit("else:")
            self.block(2)
            self.restore({n: (b, r and self.frame.variables[n].refined) for n, (b, r) in after.items()})

    def iterable(self) -> tuple[str, str]:
        """(what is iterated, the target)."""
        pick = self.rng.random()
        if pick < 0.25:
            return self.numbers(), self.target(INT)
        if pick < 0.6 and (found := self.container("list", "dict")):
            return self.over(found)
        if pick < 0.7:
            first, second = (self.one_of() for _ in range(2))
            pattern = f"{self.pattern(first[1])}, {self.pattern(second[1])}"
            if self.chance(0.3):
                return f"enumerate(zip({first[0]}, {second[0]}))", f"{self.target(INT)}, ({pattern})"
            return f"zip({first[0]}, {second[0]})", pattern
        if pick < 0.82:
            source, kind = self.one_of()
            start = f", {self.rng.choice(('1', 'start=2'))}" if self.chance(0.3) else ""
            return f"enumerate({source}{start})", f"{self.target(INT)}, {self.pattern(kind)}"
        if pick < 0.9:
            found = self.container("list")
            return (f"reversed({found.name})", self.pattern(found.present.item)) if found else (self.numbers(), self.target(INT))
        source, kind = self.one_of()
        return source, self.pattern(kind)

    def numbers(self) -> str:
        a, b = self.leaf(INT), self.leaf(INT)
        owner = self.container("list", "dict", "str")
        return self.rng.choice((
            f"range({self.rng.randint(1, 5)})", f"range({a} & 7)", f"range({a} % 4, {b} % 7)", f"range({a} & 7, 0, -2)",
            f"range({a} % 5, {b} % 9, {self.rng.choice(('1', '2', '-1', '3'))})",
            f"range(len({owner.name}))" if owner else "range(3)",
        ))  # fmt: skip

    def over(self, owner: Variable) -> tuple[str, str]:
        kind = owner.present
        if kind.name == "list":
            view = self.rng.choice(("", "", "", "[:]", "[::-1]"))
            return owner.name + view, self.pattern(kind.item)
        key, value = kind.args
        which = self.rng.randrange(4)
        if which == 0:
            return f"{owner.name}.items()", f"{self.pattern(key)}, {self.pattern(value)}"
        if which == 1:
            return f"{owner.name}.values()", self.pattern(value)
        return (owner.name if which == 2 else f"{owner.name}.keys()"), self.pattern(key)

    def one_of(self) -> tuple[str, Kind]:
        """Something to iterate, and the type of its items."""
        found = self.container("list", "str", "dict")
        if found and self.chance(0.6):
            kind = found.present
            return found.name, kind.args[0] if kind.args else STR
        kind = self.rng.choice((INT, INT, BOOL, INTS, tuple_of(INT, STR)))
        if self.chance(0.4):
            return f"({self.expr(kind, 1)}, {self.expr(kind, 1)})", kind
        if self.chance(0.4):
            return f"{self.expr(STR, 1)}[:5]", STR
        return f"[{self.expr(kind, 1)}, {self.expr(kind, 1)}]", kind
