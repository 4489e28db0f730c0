"""`tsm.explain`: what a compilation made of a function or module, for its author to read.

In: a compilation. Out: for each function that was compiled its signature, where each type comes from, what its
variables are, what was left out and why. Holds: only what inference noted is said; nothing is compiled again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...ir.graph import walk
from ...ir.operators import OPERATORS
from ..compilation.notes import Notes
from ..compilation.specialise import Specialisation
from ..core.placeholders import resolve
from ..core.typed import ERROR, NEVER, STATIC
from ..objects.signatures import origin
from ..parser.syntax import Span

if TYPE_CHECKING:
    from ..program import Compilation

WIDTH = 30


@dataclass
class Explained:
    """One compiled function. `left_out` are (span, why); `variables` and `parameters` (name, type, where from)."""

    name: str
    signature: str
    span: Span
    parameters: list[tuple[str, str, str]]
    variables: list[tuple[str, str, str]]
    left_out: list[tuple[Span, str]]
    operators: list[str]
    called_at: Span | None

    def __str__(self) -> str:
        origin = f", called at {_place(self.called_at)}" if self.called_at is not None else ""
        lines = [f"{self.signature}    # {_place(self.span)}{origin}"]
        for title, rows in (("parameters", self.parameters), ("variables", self.variables)):
            if rows:
                lines.append(f"  {title}")
                lines += [f"    {f'{name}: {kind}':<{WIDTH}} {why}" for name, kind, why in rows]
        if self.left_out:
            lines.append("  left out")
            lines += [f"    {_lines(span)}: {why}" for span, why in self.left_out]
        if self.operators:
            lines.append(f"  operators\n    {', '.join(self.operators)}")
        return "\n".join(lines)


class Explanation:
    """All functions of a compilation, entry points first. str() is for reading."""

    def __init__(self, functions: list[Explained]) -> None:
        self.functions = functions

    def __getitem__(self, name: str) -> Explained:
        """The first function of a name: "f", "Net.forward". KeyError."""
        found = next((each for each in self.functions if each.name == name), None)
        if found is None:
            raise KeyError(name)
        return found

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.functions))

    __repr__ = __str__


def explain(compilation: Compilation) -> Explanation:
    """What was compiled, in the order in which the program has it."""
    specs = {spec.function: spec for spec in compilation.session.specialiser.known.values() if spec.function}
    notes = compilation.session.notes
    entries = {id(spec) for _, spec in compilation.entries}
    found = []
    for function in compilation.program.functions:
        spec = specs.get(function)
        if spec is not None:
            names = sorted({node.op for node in walk(function.body) if node.op in OPERATORS})
            found.append((id(spec) not in entries, _explained(spec, notes, names)))
    return Explanation([each for _, each in sorted(found, key=lambda pair: pair[0])])


def _explained(spec: Specialisation, notes: Notes, operators: list[str]) -> Explained:
    source = spec.source
    names = [param.arg for param in source.all_params]
    parameters = [
        (name, str(resolve(kind)), origin(source, name, spec.caller is None, spec.has_examples))
        for name, kind in zip(names, spec.types)
    ]
    listed = ", ".join(f"{name}: {kind}" for name, kind, _ in parameters)
    stored = notes.variables.get((source.node.span.file, source.name), {})
    silent = (ERROR, NEVER, STATIC)
    variables = [
        (name, str(resolve(list(places.values())[-1])), f"line {next(iter(places)).line}")
        for name, places in stored.items()
        if name not in names and name != "_" and resolve(list(places.values())[-1]) not in silent
        and _is_within(next(iter(places)), source.node.span)
    ]
    left_out = notes.left_out(source.node.span)
    signature = f"{spec.name}({listed}) -> {resolve(spec.result)}"
    return Explained(
        spec.name, signature, source.node.span, parameters, variables, left_out, operators, spec.site,
    )


def _is_within(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.line <= inner.line <= outer.end_line


def _place(span: Span) -> str:
    return f"{span.file.replace(chr(92), '/').rpartition('/')[2]}:{span.line}"


def _lines(span: Span) -> str:
    return f"line {span.line}" if span.line == span.end_line else f"lines {span.line}-{span.end_line}"
