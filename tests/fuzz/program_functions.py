"""Random functions inside functions: lambdas, closures that change what is around them, functions as arguments.

In: the state of the function being written. Out: definitions among its statements, and expressions that use functions.
Holds: a closure is defined where its function begins no block, so it is bound from there on; it runs no loop of its own.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from program_expressions import Variable
from program_kinds import INT, INTS, STR, TEXTS, Kind, list_of
from program_tries import Tries

MOST = 3  # closures of one function


@dataclass
class Closure:
    """`changes` says that calling it assigns a variable around it."""

    name: str
    param: Kind
    result: Kind
    changes: bool = False


class Functions(Tries):
    """Statements that define functions, expressions that pass and call them."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.closures: list[Closure] = []
        self.choices.append((self.define_closure, 5))

    def begin_functions(self) -> None:
        """At the start of a function."""
        self.closures = []

    def define_closure(self) -> None:
        if self.indent != 1 or len(self.closures) >= MOST:
            return
        name, param = self.frame.fresh("k"), self.rng.choice((INT, INT, STR, INTS))
        number = self.variable(INT, may_be_unbound=False)
        if number and "." not in number.name and not number.fixed and self.chance(0.4):
            self.define_counter(name, number.name)
            return
        result = self.rng.choice((INT, INT, STR, INTS))
        argument = self.frame.fresh("a")
        text = self.with_argument(argument, param, result)
        if self.chance(0.5):
            self.emit(f"{name} = lambda {argument}: {text}")
        else:
            self.emit(f"def {name}({argument}):")
            self.indent += 1
            if self.chance(0.4):
                self.emit(f"if {self.with_argument(argument, param, Kind('bool'))}:")
                self.emit(f"    return {self.with_argument(argument, param, result)}")
            self.emit(f"return {text}")
            self.indent -= 1
        self.closures.append(Closure(name, param, result))

    def define_counter(self, name: str, changed: str) -> None:
        argument = self.frame.fresh("a")
        self.emit(f"def {name}({argument}=1):")
        self.emit(f"    nonlocal {changed}")
        self.emit(f"    {changed} = ({self.with_argument(argument, INT, INT)}) % 1000")
        self.emit(f"    return {changed} - {argument}")
        self.closures.append(Closure(name, INT, INT, True))

    def with_argument(self, name: str, kind: Kind, result: Kind) -> str:
        """An expression in a function's body, where a parameter is there too."""
        before, times = dict(self.frame.variables), self.frame.times
        self.frame.variables[name] = Variable(name, kind, fixed=True)
        self.frame.times *= 5
        text = self.expr(result, 1)
        self.frame.variables, self.frame.times = before, times
        return text

    def call(self, kind: Kind, depth: int) -> str | None:
        found = [closure for closure in self.closures if closure.result == kind]
        if found and self.chance(0.6):
            closure = self.rng.choice(found)
            return f"{closure.name}({self.expr(closure.param, min(depth - 1, 1))})"
        return super().call(kind, depth)

    def function_of(self, param: Kind, result: Kind) -> str:
        """A function to pass: a closure, a builtin or a lambda."""
        found = [closure.name for closure in self.closures if (closure.param, closure.result) == (param, result)]
        if found and self.chance(0.4):
            return self.rng.choice(found)
        if (param, result) == (INT, INT) and self.chance(0.2):
            return "abs"
        argument = self.frame.fresh("a")
        return f"lambda {argument}: {self.with_argument(argument, param, result)}"

    def make_list(self, kind: Kind, depth: int) -> str:
        if self.chance(0.15):
            source = self.expr(kind, depth - 1)
            key = self.function_of(kind.item, INT)
            choices = [
                f"sorted({source}, key={key})", f"sorted({source}, key={key}, reverse=True)",
                f"list(filter({self.function_of(kind.item, Kind('bool'))}, {source}))",
            ]  # fmt: skip
            if kind in (INTS, TEXTS):
                choices.append(f"list(map({self.function_of(INT, kind.item)}, {self.expr(INTS, depth - 1)}))")
            return self.rng.choice(choices)
        return super().make_list(kind, depth)

    def make_int(self, kind: Kind, depth: int) -> str:
        if self.chance(0.06):
            source = self.expr(INTS, depth - 1)
            return self.rng.choice((
                f"max({source}, key={self.function_of(INT, INT)}, default={self.leaf(INT)})",
                f"min({source}, key={self.function_of(INT, INT)})", f"max({source}, default={self.leaf(INT)})",
                f"next((c0 for c0 in {source} if c0 > {self.leaf(INT)}), {self.leaf(INT)})",
                f"len(sorted({self.expr(list_of(INTS), depth - 1)}, key=len))",
                f"sum(map({self.function_of(INT, INT)}, {source}))",
            ))  # fmt: skip
        return super().make_int(kind, depth)
