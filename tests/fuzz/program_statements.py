"""Random statements: what a function does with its variables, in blocks that end.

In: `Expressions` and the frame. Out: indented lines. Holds: every loop is over something short or counts its own fuel; a
variable keeps the type of its first assignment; the frame says which variables are bound and which Optionals are refined
at each place, so that reading an unbound name is rare and using None as a value is impossible.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from program_expressions import MAX_COST, Expressions, Variable
from program_kinds import BOOL, INT, INTS, NONE, STR, Kind, any_kind, list_of, tuple_of

EXCEPTIONS = ("ValueError", "KeyError", "IndexError", "RuntimeError", "TypeError")
State = dict[str, tuple[bool, bool]]


class Statements(Expressions):
    """`block` writes statements; each kind of statement is a method that says whether the place after it is reached."""

    indent = 1

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.lines: list[str] = []
        self.choices: list[tuple[Callable[[], bool | None], int]] = [
            (self.assign, 16), (self.mutate, 22), (self.alias, 8), (self.augmented, 8), (self.when, 12),
            (self.loop, 16), (self.while_loop, 3), (self.refine, 6), (self.show, 6), (self.leave, 5),
            (self.call_statement, 5), (self.unpack, 4), (self.check, 1), (self.forget, 1), (self.swap, 3),
            (self.walrus, 2), (self.early, 3),
        ]  # fmt: skip

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)
        self.frame.cost += self.frame.times
        for function in self.functions:
            count = len(re.findall(rf"\b{function.name}\(", line))
            self.frame.cost += count * function.cost * self.frame.times * (5 if " for " in line else 1)

    def state(self) -> State:
        return {name: (v.bound, v.refined) for name, v in self.frame.variables.items()}

    def restore(self, state: State) -> None:
        for name, variable in self.frame.variables.items():
            variable.bound, variable.refined = state.get(name, (False, False))

    def merge(self, states: list[State]) -> None:
        """Bound and refined is what all the ways to here agree on. Without a way, nothing changes: nothing runs here."""
        if not states:
            return
        for name, variable in self.frame.variables.items():
            found = [state.get(name, (False, False)) for state in states]
            variable.bound = all(bound for bound, _ in found)
            variable.refined = all(refined for _, refined in found)

    def block(self, size: int) -> bool:
        """At least one statement. Whether its end can be reached."""
        self.indent += 1
        reached = True
        for _ in range(self.rng.randint(1, max(1, size))):
            reached = self.statement() is not False
            if not reached:
                break
        self.indent -= 1
        return reached

    def statement(self) -> bool | None:
        makers, weights = zip(*self.choices)
        for _ in range(20):
            before = len(self.lines)
            reached: bool | None = self.rng.choices(makers, weights)[0]()
            if len(self.lines) > before:
                return reached
        self.emit("pass")
        return True

    def target(self, kind: Kind) -> str:
        """A variable to assign: one of this kind, or a new one. It counts as bound from here on."""
        found = [v for v in self.frame.variables.values() if v.kind == kind and not v.fixed]
        if found and self.chance(0.65):
            variable = self.rng.choice(found)
        else:
            variable = self.frame.variables.setdefault((name := self.frame.fresh("v")), Variable(name, kind))
        variable.bound, variable.refined = True, False
        return variable.name

    def store(self, kind: Kind, text: str) -> None:
        known = set(self.frame.variables)
        name = self.target(kind)
        needs = kind.name in ("Optional", "Union") or text in ("[]", "{}") or "[]" in text or "{}" in text
        annotation = f": {kind}" if name not in known and (needs or self.chance(0.2)) else ""
        self.emit(f"{name}{annotation} = {text}")

    def assign(self) -> None:
        kind = any_kind(self.rng)
        text = self.expr(kind, self.rng.choice((1, 2, 2, 3)))
        if kind == INT and self.frame.loops and self.chance(0.8):
            text = f"{text} % 1000"
        if kind.name == "list" and self.frame.loops:
            text = f"({text})[:8]" if "+" in text else text
        self.store(kind, text)

    def alias(self) -> None:
        """Another name for, or another place that holds, a container that is there."""
        source = self.container("list", "dict", "tuple")
        if not source:
            return
        held = [v for v in self.frame.variables.values() if v.bound and v.present.is_mutable
                and v.present.item == source.present]  # fmt: skip
        if held and self.chance(0.5):
            owner = self.rng.choice(held)
            if owner.present.name == "dict":
                self.emit(f"{owner.name}[{self.expr(owner.present.args[0], 0)}] = {source.name}")
            elif self.chance(0.6):
                self.emit(f"if len({owner.name}) < 6: {owner.name}.append({source.name})")
            else:
                self.emit(f"{owner.name}[{self.index(owner.name)}] = {source.name}")
        elif self.chance(0.3):
            self.store(tuple_of(source.present, source.present), f"({source.name}, {source.name})")
        elif self.chance(0.4):
            self.store(list_of(source.present), f"[{source.name}, {self.leaf(source.present)}]")
        else:
            self.store(source.present, source.name)

    def augmented(self) -> None:
        kind = self.rng.choice((INT, INT, INT, STR, INTS))
        variable = self.variable(kind)
        if not variable or variable.fixed:
            return
        name = variable.name
        if kind == INT:
            value = f"{self.expr(INT, 2)} % 50"
            self.emit(f"{name} {self.rng.choice(('+=', '-=', '+=', '^=', '|=', '&='))} {value}")
            if self.chance(0.2):
                self.emit(f"{name} {self.rng.choice(('//=', '%='))} {self.nonzero(self.leaf(INT))}")
        elif kind == STR:
            self.emit(f"{name} += {self.leaf(STR)}[:2]")
            self.emit(f"{name} = {name}[-10:]")
        else:
            self.emit(f"if len({name}) < 7: {name} += {self.expr(INTS, 2)}[:3]")

    def mutate(self) -> None:
        owner = self.container("list", "dict")
        if not owner:
            return
        place = owner.name
        kind = owner.present
        while kind.item.is_mutable and self.chance(0.6):
            place += f"[{self.index(place) if kind.name == 'list' else self.expr(kind.args[0], 0)}]"
            kind = kind.item
        text = getattr(self, f"change_{kind.name}")(place, kind)
        safe = f"if len({owner.name}) > 1: " if self.chance(0.7) and not text.startswith("if ") else ""
        self.emit(safe + text)

    def change_list(self, place: str, kind: Kind) -> str:
        item, other, index = self.expr(kind.item, 2), self.leaf(kind), self.index(place)
        short = f"if len({place}) < 7: "
        choices = [
            f"{short}{place}.append({item})", f"{short}{place}.append({item})", f"{place}[{index}] = {item}",
            f"{place}[{index}] = {item}", f"{place}.pop()", f"{place}.pop({index})", f"if {place}: {place}.pop()",
            f"{short}{place}.insert({self.leaf(INT)}, {item})", f"{short}{place}.extend({other}[:4])", f"{place}.reverse()",
            f"{short}{place}[{self.bounds() if self.chance(0.4) else self.leaf(INT) + ':'}] = {other}[:3]",
            f"del {place}[{index}]", f"del {place}[{self.bounds()}]", f"{place}.clear()", f"{short}{place} += {other}[:3]",
            *[f"if {item} in {place}: {place}.remove({item})"] * 2, f"{place}.remove({item})",
        ]  # fmt: skip
        if kind.item in (INT, STR):
            choices += [f"{place}.sort()", f"{place}.sort(reverse={self.leaf(BOOL)})"]
        if kind.item == INT:
            choices += [f"{place}[{index}] {self.rng.choice(('+=', '-=', '^='))} {self.leaf(INT)} % 60"] * 4
        return self.rng.choice(choices)

    def change_dict(self, place: str, kind: Kind) -> str:
        key, value = self.expr(kind.args[0], 1), self.expr(kind.args[1], 2)
        choices = [
            f"{place}[{key}] = {value}", f"{place}[{key}] = {value}", f"{place}.pop({key})", f"del {place}[{key}]",
            f"{place}.setdefault({key}, {value})", f"{place}.update({self.leaf(kind)})", f"{place}.clear()",
            f"if {key} in {place}: del {place}[{key}]", f"{place}.pop({key}, {value})",
        ]  # fmt: skip
        if self.frame.dict_loops:  # a dict that also shrinks while it is iterated shows when Python's table is rebuilt
            choices = [text for text in choices if not any(word in text for word in ("pop(", "del ", "clear("))]
        if kind.item == INT:
            choices += [f"{place}[{key}] += {self.leaf(INT)} % 60", f"{place}[{key}] = {place}.get({key}, 0) + 1"] * 2
        if kind.item == INTS:
            choices += [f"{place}.setdefault({key}, []).append({self.leaf(INT)})"] * 2
        return self.rng.choice(choices)

    def swap(self) -> None:
        kind = self.rng.choice((INT, INTS, list_of(INTS)))
        found = [v for v in self.frame.variables.values() if v.bound and v.kind == kind and not v.fixed]
        if len(found) > 1 and self.chance(0.6):
            names = [v.name for v in self.rng.sample(found, min(len(found), self.rng.choice((2, 2, 3))))]
            shuffled = self.rng.sample(names, len(names))
            self.emit(f"{', '.join(names)} = {', '.join(shuffled)}")
        elif owner := self.container("list"):
            a, b = (f"{owner.name}[{self.index(owner.name)}]" for _ in range(2))
            self.emit(f"if {owner.name}: {a}, {b} = {b}, {a}")

    def unpack(self) -> None:
        owner = self.container("tuple", "list")
        if not owner:
            return
        if owner.present.name == "tuple":
            self.emit(f"{self.pattern(owner.present)} = {owner.name}")
        elif self.chance(0.5):
            first, rest = self.target(owner.present.item), self.target(owner.present)
            more = f" or [{self.leaf(owner.present.item)}]" if self.chance(0.7) else ""
            targets = f"{first}, *{rest}" if self.chance(0.5) else f"*{rest}, {first}"
            self.emit(f"{targets} = {owner.name}{more}")
        else:
            names = [self.target(owner.present.item) for _ in range(2)]
            item = self.leaf(owner.present.item)
            source = self.rng.choice((owner.name, f"[*{owner.name}, {item}, {item}][:2]", f"({owner.name} * 2)[-2:]"))
            self.emit(f"{', '.join(names)} = {source}")

    def pattern(self, kind: Kind) -> str:
        if kind.name == "tuple" and self.chance(0.8):
            return f"({', '.join(map(self.pattern, kind.args))})"
        return self.target(kind)

    def walrus(self) -> bool:
        kind = self.rng.choice((INT, INTS, STR))
        text = self.expr(kind, 2)
        name = self.frame.fresh("w")
        self.frame.variables[name] = Variable(name, kind)
        return self.branch(f"({name} := {text})" + ("" if self.chance(0.5) else f" != {self.leaf(kind)}"))

    def show(self) -> None:
        found = [v.name for v in self.frame.variables.values() if v.bound]
        names = self.rng.sample(found, min(len(found), self.rng.randint(1, 3)))
        self.emit(f"print({', '.join(names) if self.chance(0.6) else self.expr(any_kind(self.rng), 2)})")

    def check(self) -> None:
        self.emit(f"assert {self.condition()} or {self.condition(1)}" + (f", {self.expr(STR, 1)}" if self.chance(0.5) else ""))

    def forget(self) -> None:
        found = [v for v in self.frame.variables.values() if v.bound and not v.fixed and "." not in v.name]
        if found and not self.frame.loops:
            variable = self.rng.choice(found)
            self.emit(f"del {variable.name}")
            variable.bound = variable.refined = False

    def leave(self) -> bool:
        """return, raise, break or continue; only where something can follow it, in a branch."""
        if self.indent < 3:
            return True
        if self.frame.loops and self.chance(0.65):
            self.emit(self.rng.choice(("break", "continue")))
        elif self.chance(0.15):
            self.emit(f"raise {self.rng.choice(EXCEPTIONS)}({self.expr(STR, 1)})")
        else:
            self.give_back()
        return False

    def early(self) -> None:
        """An exit under a condition, before more of the same block."""
        before = self.state()
        self.emit(f"if {self.condition(1)}:")
        self.indent += 1
        if self.chance(0.5):
            self.mutate()
        if self.frame.loops and self.chance(0.7):
            self.emit(self.rng.choice(("break", "continue")))
        else:
            self.give_back()
        self.indent -= 1
        self.restore(before)

    def give_back(self) -> None:
        result = self.frame.function.result
        self.emit("return" if result == NONE else f"return {self.expr(result, 2)}")

    def call_statement(self) -> None:
        room = MAX_COST // max(1, self.frame.times)
        found = [f for f in self.functions if f.cost <= room and not (f.is_bounded and self.frame.function.is_bounded)]
        if found:
            callee = self.rng.choice(found)
            text = self.call_of(callee, 3)
            if callee.result == NONE or self.chance(0.3):
                self.emit(text)
            else:
                self.store(callee.result, text)

    def branch(self, condition: str, refined: Variable | None = None, sense: bool = True) -> bool:
        """if, elif, else. `refined` is known to be there in the first arm (sense) or in the other."""
        ways: list[State] = []
        before = self.state()
        self.emit(f"if {condition}:")
        if refined and sense:
            refined.refined = True
        if self.block(2):
            ways.append(self.state())
        self.restore(before)
        if self.chance(0.2):
            self.emit(f"elif {self.condition()}:")
            if self.block(2):
                ways.append(self.state())
            self.restore(before)
            refined = None
        if refined and not sense:
            refined.refined = True
        if self.chance(0.45):
            self.emit("else:")
            if self.block(2):
                ways.append(self.state())
        else:
            ways.append(self.state())
        self.merge(ways)
        return bool(ways)

    def when(self) -> bool:
        return self.branch(self.condition(self.rng.choice((1, 1, 2)))) if self.indent < 6 else True

    def refine(self) -> bool:
        found = [v for v in self.frame.variables.values() if v.bound and v.kind.name == "Optional" and not v.refined]
        found = [v for v in found if "." not in v.name]
        if not found or self.indent > 5:
            return True
        variable = self.rng.choice(found)
        name = variable.name
        if self.chance(0.15):
            self.emit(f"assert {name} is not None")
            variable.refined = True
            return True
        if self.chance(0.2):
            self.emit(f"if {name} is None: {name} = {self.leaf(variable.kind.item)}")
            variable.refined = True
            return True
        if self.chance(0.3):
            return self.branch(f"{name} is None", variable, sense=False)
        more = f" and {self.condition(1)}" if self.chance(0.2) else ""
        return self.branch(f"{name} is not None{more}" if self.chance(0.6) else f"{name}{more}", variable)
