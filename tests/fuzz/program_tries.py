"""Random try statements: bodies that fail somewhere, handlers of many classes, else, finally, and raising again.

In: `Loops`. Out: lines. Holds: in a handler, and in a `finally`, a variable counts as bound only if it was so before the
`try`, and no Optional as refined; what may be unbound all the same raises in Python too.
"""

from __future__ import annotations

import random

from program_kinds import INT, STR
from program_loops import Loops
from program_statements import State

CAUGHT = (
    "ZeroDivisionError", "IndexError", "KeyError", "LookupError", "ValueError", "ArithmeticError", "Oops", "Coded",
    "RuntimeError", "AssertionError", "UnboundLocalError", "OverflowError", "TypeError",
)  # fmt: skip
CLASSES = """

class Oops(ValueError):
    pass


class Coded(Exception):
    def __init__(self, message: str, code: int) -> None:
        super().__init__(message, code)
        self.code = code
"""


class Tries(Loops):
    """`try` in all its forms."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.choices += [(self.attempt, 8), (self.fail, 3)]

    def fail(self) -> None:
        """Something that often raises, in a place where that is likely to be caught."""
        if self.indent < 2:
            return
        condition = self.condition(1)
        text, number = self.expr(STR, 1), self.expr(INT, 1)
        raised = self.rng.choice((
            f"Oops({text})", f"Oops({text}, {number})", f"Coded({text}, {number})", "KeyError", f"KeyError({text})",
            f"ValueError({number}, {text})", f"IndexError({text}) from None", f"RuntimeError(({number}, {text}))",
        ))  # fmt: skip
        if self.chance(0.3):
            self.emit(f"print(7 // ({number} % 3))")
        else:
            self.emit(f"if {condition}: raise {raised}")

    def attempt(self) -> bool:
        if self.indent > 5:
            return True
        before = self.state()
        self.emit("try:")
        is_end_reached = self.block(3)
        failed = self.anywhere([before, self.state()])
        after = self.state()
        ways: list[State] = []
        clauses = self.rng.choice((0, 1, 1, 1, 2))
        for number in range(clauses):
            self.restore(failed)
            if self.handler(is_last=number == clauses - 1):
                ways.append(self.state())
        self.restore(after)
        if clauses and self.chance(0.3):
            self.emit("else:")
            is_end_reached = self.block(2) and is_end_reached
        if is_end_reached:
            ways.append(self.state())
        if not clauses or self.chance(0.35):
            return self.last(before, failed, ways)
        self.merge(ways)
        return bool(ways)

    def anywhere(self, states: list[State]) -> State:
        """What is known where an exception arrives."""
        self.merge(states)
        for variable in self.frame.variables.values():
            variable.refined = variable.refined and variable.fixed
        found = self.state()
        self.restore(states[-1])
        return found

    def handler(self, is_last: bool) -> bool:
        classes = self.rng.sample(CAUGHT, self.rng.choice((1, 1, 2)))
        caught = f"({', '.join(classes)})" if len(classes) > 1 else classes[0]
        if is_last and self.chance(0.5):
            caught = self.rng.choice(("Exception", "Exception", "", "BaseException"))
        name = self.frame.fresh("e") if caught and self.chance(0.7) else ""
        self.emit(f"except {caught} as {name}:" if name else f"except {caught}:".replace(" :", ":"))
        self.indent += 1
        if name:
            shown = ("{0}", "repr({0})", "type({0}).__name__, {0}", "len({0}.args)", "isinstance({0}, LookupError)")
            self.emit(f"print({self.rng.choice(shown).format(name)})")
        self.indent -= 1
        is_reached = self.block(2)
        if is_reached and self.chance(0.15):
            self.indent += 1
            new = f"raise RuntimeError({self.expr(STR, 1)})" + (f" from {name}" if name else "")
            self.emit(self.rng.choice(("raise", f"raise {name}" if name else "raise", new)))
            self.indent -= 1
            return False
        return is_reached

    def last(self, before: State, failed: State, ways: list[State]) -> bool:
        """`finally`, which runs after every way; it may leave by itself."""
        self.restore(self.anywhere([before, failed, *ways]))
        known = {name: v.bound for name, v in self.frame.variables.items()}
        self.emit("finally:")
        is_reached = self.block(2)
        changed = {name: v.bound for name, v in self.frame.variables.items() if v.bound != known.get(name, False)}
        for state in ways:
            for name, bound in changed.items():
                state[name] = (bound, False)
        for variable in self.frame.variables.values():
            for state in ways:
                if variable.name in state and not variable.fixed:
                    state[variable.name] = (state[variable.name][0], False)
        self.merge(ways)
        return is_reached and bool(ways)
