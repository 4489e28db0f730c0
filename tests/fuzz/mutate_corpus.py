"""Mutants of the corpus against CPython: each a program of tests/programs, changed in one to three places.

In: seeds. Out: a line for each mutant that tsm answers differently, or that breaks the compiler, and its text in a
folder. Holds: a seed always gives the same mutant of the same corpus; what Python itself cannot run in two seconds, or
answers differently twice, is left out. `python tests/fuzz/mutate_corpus.py --count 2000 --from 0 --into FOLDER`.
"""

from __future__ import annotations

import argparse
import ast
import copy
import random
import re
import signal
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

import compare_programs  # noqa: E402
import program_children  # noqa: E402

import oracle  # noqa: E402
import tsm  # noqa: E402

CORPUS = sorted((Path(__file__).parents[1] / "programs").glob("*_corpus.py"))
BATCH = 20
BATCH_SECONDS = 200
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.Div, ast.BitAnd, ast.BitOr, ast.BitXor, ast.Pow,
             ast.LShift, ast.RShift)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
CONSTANTS = (0, 1, -1, 2, 3, 7, 2**31, 2**63 - 1, -(2**63), True, False, None, 0.0, -0.0, 1.5, float("inf"), "", "a",
             "é€", b"x", 1j)
BUILTINS = ("len", "str", "int", "sum", "max", "min", "sorted", "list", "tuple", "set", "float", "bool", "repr", "abs",
            "any", "all", "hash", "enumerate", "reversed")
UNTOUCHED = ("annotation", "returns", "decorator_list", "ctx", "targets", "target")


@dataclass
class Place:
    """Where an expression stands: a field of a node, or an item of one."""

    owner: ast.AST
    field: str
    index: int | None
    value: ast.expr

    def put(self, new: ast.expr) -> None:
        if self.index is None:
            setattr(self.owner, self.field, new)
        else:
            getattr(self.owner, self.field)[self.index] = new


class Mutator:
    """Changes the body of one function or class, in place."""

    def __init__(self, body: list[ast.stmt], random_source: random.Random) -> None:
        self.tree, self.random = ast.Module(body, []), random_source
        self.changes: list[Callable[[], None]] = [
            self.swap, self.remove, self.repeat, self.constant, self.name, self.operator, self.comparison, self.negation,
            self.replacement, self.wrapping, self.exit, self.combination, self.construction, self.assignment,
        ]

    def change(self) -> None:
        self.random.choice(self.changes)()

    # What there is to change

    def body(self) -> list[ast.stmt]:
        found = [body for node in ast.walk(self.tree) for name in ("body", "orelse", "finalbody")
                 if isinstance(body := getattr(node, name, None), list) and body and isinstance(body[0], ast.stmt)]
        return self.random.choice(found)

    def place(self) -> Place | None:
        found = [place for node in ast.walk(self.tree) for place in places_of(node)]
        return self.random.choice(found) if found else None

    def expression(self) -> ast.expr:
        place = self.place()
        return copy.deepcopy(place.value) if place is not None else ast.Constant(0)

    def any_name(self) -> str:
        return self.random.choice(sorted({n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name)}) or ["x"])

    def insert(self, statement: ast.stmt) -> None:
        body = self.body()
        body.insert(self.random.randrange(len(body) + 1), statement)

    def put(self, make: Callable[[ast.expr], ast.expr]) -> None:
        place = self.place()
        if place is not None:
            place.put(make(place.value))

    # Changes of statements

    def swap(self) -> None:
        body = self.body()
        i, j = self.random.randrange(len(body)), self.random.randrange(len(body))
        body[i], body[j] = body[j], body[i]

    def remove(self) -> None:
        body = self.body()
        if len(body) > 1:
            del body[self.random.randrange(len(body))]

    def repeat(self) -> None:
        body = self.body()
        body.insert(self.random.randrange(len(body) + 1), copy.deepcopy(self.random.choice(body)))

    def wrapping(self) -> None:
        body = self.body()
        i = self.random.randrange(len(body))
        inner = [body[i]]
        handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), "_error", ast.parse("_text = str(_error)").body)
        body[i] = self.random.choice([
            lambda: ast.For(ast.Name("_k", ast.Store()), ast.parse("range(2)", mode="eval").body, inner, [], None),
            lambda: ast.Try(inner, [], [], ast.parse("_last = 1").body),
            lambda: ast.Try(inner, [handler], [], []),
            lambda: ast.If(self.expression(), inner, []),
            lambda: ast.While(ast.Constant(True), [*inner, ast.Break()], []),
        ])()

    def exit(self) -> None:
        self.insert(self.random.choice([
            ast.Break, ast.Continue, ast.Pass, lambda: ast.Return(self.expression()),
            lambda: ast.Assert(self.expression(), None), lambda: ast.Expr(self.expression()),
        ])())

    def assignment(self) -> None:
        self.insert(ast.Assign([ast.Name(self.any_name(), ast.Store())], self.expression()))

    # Changes of expressions

    def constant(self) -> None:
        self.put(lambda old: ast.Constant(self.random.choice(CONSTANTS)))

    def name(self) -> None:
        self.put(lambda old: ast.Name(self.any_name(), ast.Load()))

    def operator(self) -> None:
        found = [node for node in ast.walk(self.tree) if isinstance(node, (ast.BinOp, ast.AugAssign))]
        if found:
            self.random.choice(found).op = self.random.choice(OPERATORS)()

    def comparison(self) -> None:
        found = [node for node in ast.walk(self.tree) if isinstance(node, ast.Compare)]
        if found:
            node = self.random.choice(found)
            node.ops[self.random.randrange(len(node.ops))] = self.random.choice(COMPARISONS)()

    def negation(self) -> None:
        self.put(lambda old: ast.UnaryOp(self.random.choice([ast.Not, ast.USub, ast.Invert])(), old))

    def replacement(self) -> None:
        self.put(lambda old: self.expression())

    def combination(self) -> None:
        self.put(lambda old: ast.BinOp(old, self.random.choice(OPERATORS)(), self.expression()))

    def construction(self) -> None:
        builtin = ast.Name(self.random.choice(BUILTINS), ast.Load())
        self.put(lambda old: self.random.choice([
            lambda: ast.BoolOp(self.random.choice([ast.And, ast.Or])(), [old, self.expression()]),
            lambda: ast.IfExp(self.expression(), old, self.expression()),
            lambda: ast.List([old, self.expression()], ast.Load()),
            lambda: ast.Tuple([old, self.expression()], ast.Load()),
            lambda: ast.Subscript(old, self.expression(), ast.Load()),
            lambda: ast.Call(builtin, [old], []),
        ])())


def places_of(node: ast.AST) -> Iterator[Place]:
    for name, value in ast.iter_fields(node):
        if name in UNTOUCHED:
            continue
        if isinstance(value, ast.expr):
            yield Place(node, name, None, value)
        elif isinstance(value, list):
            yield from (Place(node, name, i, item) for i, item in enumerate(value) if isinstance(item, ast.expr))


def decorated_by(node: ast.AST, name: str) -> list[ast.Call]:
    found = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
    return [each for each in found if isinstance(each, ast.Call) and getattr(each.func, "id", "") == name]


def mutant(seed: int) -> tuple[str, str] | None:
    """The name of a program, and the text of its module without the other programs; None: this seed gives none."""
    chooser = random.Random(seed)
    path = chooser.choice(CORPUS)
    tree = ast.parse(path.read_text())
    programs = [node for node in tree.body if decorated_by(node, "program") and not is_host_bound(node)]
    if not programs:
        return None
    target: Any = chooser.choice(programs)
    used = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    tree.body = [node for node in tree.body if node is target or not decorated_by(node, "refused") and (
        not decorated_by(node, "program") or getattr(node, "name", "") in used)]
    for node in tree.body:
        if node is not target and decorated_by(node, "program"):
            node.decorator_list.clear()  # type: ignore[attr-defined]
    mutator = Mutator(target.body, chooser)
    for _ in range(chooser.choice([1, 1, 2, 3])):
        mutator.change()
    try:
        return f"<{path.stem}.{target.name}>", ast.unparse(ast.fix_missing_locations(tree))
    except ValueError:  # a text of an f-string became something else
        return None


def is_host_bound(node: ast.AST) -> bool:
    """Whether the program may call functions that only Python has."""
    return any(keyword.arg == "torch" for call in decorated_by(node, "program") for keyword in call.keywords)


class TooLate(BaseException):
    pass


def too_late(*_: object) -> None:
    raise TooLate


def judge(seed: int) -> tuple[str, str, str]:
    """What became of a mutant (same, refused, invalid, slow, or what is wrong), the reason, and its text."""
    made = mutant(seed)
    if made is None:
        return "invalid", "", ""
    name, text = made
    before = len(oracle.CORPUS)
    signal.signal(signal.SIGALRM, too_late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 2)
        item = loaded(name, text)
        if item is None:
            return "invalid", "", ""
        signal.setitimer(signal.ITIMER_REAL, 10)
        return compared(item[0], item[1], seed, text)
    except TooLate:
        return "slow", "", text
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        del oracle.CORPUS[before:]


def loaded(name: str, text: str) -> tuple[oracle.Program, list[oracle.Outcome]] | None:
    """The program with what Python gives; None if that is nothing, or not the same twice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compare_programs.load(text, name)
            item = oracle.CORPUS[-1]
            wanted, again = (compare_programs.expectations(item.make, item.method, item.calls) for _ in range(2))
            for call, first, second in zip(item.calls, wanted, again):
                oracle.compare("again", call, first, second)
        except Exception:  # noqa: BLE001 - whatever Python raises, there is nothing to compare with
            return None
    return item, wanted


def compared(item: oracle.Program, wanted: list[oracle.Outcome], seed: int, text: str) -> tuple[str, str, str]:
    try:
        for road, build in compare_programs.some_roads(item.make(), seed):
            difference, _ = compare_programs.road_differs(road, build(), item.method, item.calls, wanted)
            if difference and not is_deliberate(difference):
                return "different", f"{road}: {difference}", text
    except tsm.CompileError as error:
        is_ours = "internal error" in str(error)
        return ("broken", str(error), text) if is_ours else ("refused", compare_programs.reason_of(str(error)), text)
    except Exception as error:  # noqa: BLE001 - whatever else comes out of the compiler is a mistake of it
        return "broken", "".join(traceback.format_exception(error)[-5:]), text
    return "same", "", ""


def is_deliberate(difference: str) -> bool:
    """Whether only D2, D3 and D4 of the differences from Python show (annotations, numbers, powers), or only
    the words of an error of an index."""
    found = re.search(r"expected:(.*?)\n\s*got:(.*)", difference, re.DOTALL)
    if not found:
        return False
    wanted, got = (re.sub(r"(\d)\.0\b", r"\1", part.replace("True", "1").replace("False", "0")) for part in found.groups())
    enforced = re.search(r"raises TypeError: .*(must be|expected) .*got", got)
    indices = "tensors used as indices"
    is_power = "an int to a negative power is not an int" in got
    return wanted.split() == got.split() or bool(enforced) or is_power or (indices in wanted and indices in got)


def run(seeds: range, folder: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for start in range(seeds.start, seeds.stop, BATCH):
        batch = range(start, min(seeds.stop, start + BATCH))
        found = program_children.Child(lambda batch=batch: [judge(seed) for seed in batch], BATCH_SECONDS).result()
        if isinstance(found, program_children.Ended):
            found = [alone(seed) for seed in batch]
        for seed, (kind, reason, text) in zip(batch, found):
            counts[kind] += 1
            if kind in ("different", "broken", "ended"):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"mutant_{seed}.py").write_text(text)
                print(f"seed {seed}, {kind}: {reason[:700]}", flush=True)
    return counts


def alone(seed: int) -> tuple[str, str, str]:
    found = program_children.Child(lambda: judge(seed), 30).result()
    if not isinstance(found, program_children.Ended):
        return found
    made = mutant(seed)
    return "ended", f"{found.kind}: {found.text}", made[1] if made else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--into", type=Path, default=Path("build/mutants"))
    args = parser.parse_args()
    counts = run(range(args.first, args.first + args.count), args.into)
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()))
    return 1 if counts["different"] + counts["broken"] + counts["ended"] else 0


if __name__ == "__main__":
    sys.exit(main())
