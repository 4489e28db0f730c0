"""What an error says beside its sentence: the types of the variables involved, where they got them, and the calls that
led there.

In: the span of an error and what is known at that point. Out: notes.
Holds: a note is about a variable that the underlined text names, at most MAX_VARIABLES of them; nothing is inferred.
"""

from __future__ import annotations

from ...ir.types import Type
from ..compilation.notes import Notes
from ..compilation.specialise import Specialisation
from ..core.placeholders import resolve
from ..core.typed import ERROR, NEVER, STATIC
from ..objects.signatures import origin
from ..parser import syntax
from ..parser.syntax import Span
from .environment import Environment

MAX_VARIABLES = 3
MAX_CALLS = 4
_AROUND = (syntax.Call, syntax.Subscript, syntax.BinOp, syntax.Compare, syntax.Assign, syntax.AugAssign)
Note = tuple["Span | None", str]


def call_notes(spec: Specialisation) -> list[Note]:
    """The calls, innermost first, that made the compiler look at a function with these types."""
    found: list[Note] = []
    each: Specialisation | None = spec
    while each is not None and each.site is not None and len(found) < MAX_CALLS:
        kinds = ", ".join(str(resolve(kind)) for kind in each.types)
        found.append((each.site, f"'{each.source.name}' is compiled for ({kinds}) because of this call"))
        each = each.caller
    return found


def variable_notes(
    span: Span, statement: syntax.Node | None, env: Environment | None, spec: Specialisation, notes: Notes, prefix: str
) -> list[Note]:
    """Types of the variables that the text of a span names."""
    if statement is None or env is None:
        return []
    found: dict[str, Note] = {}
    for part in _parts(statement, span):
        for node in syntax.walk(part):
            if not isinstance(node, syntax.Name) or node.id in found or "." in node.id:
                continue
            state = env.variables.get(prefix + node.id)
            kind = resolve(state.type) if state is not None else ERROR
            if kind in (ERROR, NEVER, STATIC) or state is None or len(found) == MAX_VARIABLES:
                continue
            why = _why(node.id, kind, span, spec, notes)
            if why is not None:
                found[node.id] = (None, f"'{node.id}' is {kind}: {why}")
    return list(found.values())


def named_types(span: Span, statement: syntax.Node | None, env: Environment | None, prefix: str) -> list[Type]:
    """Types of the variables that a span and what is directly around it name."""
    if statement is None or env is None:
        return []
    named = {prefix + node.id for part in _parts(statement, span) for node in syntax.walk(part)
             if isinstance(node, syntax.Name)}
    return [env.variables[name].type for name in sorted(named & env.variables.keys())]


def _parts(statement: syntax.Node, span: Span) -> list[syntax.Node]:
    """What is underlined, then what is directly around it: the call of an argument, the owner of an index, the
    statement of a target."""
    inside: list[syntax.Node] = []
    around: syntax.Node | None = None
    for node in syntax.walk(statement):
        if _is_within(node.span, span):
            inside.append(node)
        elif isinstance(node, _AROUND) and _is_within(span, node.span):
            if around is None or _is_within(node.span, around.span):
                around = node
    return inside[:1] + ([around] if around is not None else [])


def _why(name: str, kind: Type, span: Span, spec: Specialisation, notes: Notes) -> str | None:
    """Where a variable got its type: the last place before the error that gives this type, else the first of all."""
    places = notes.variables.get((span.file, spec.source.name), {}).get(name, {})
    lines = [place.line for place, given in places.items() if place.line <= span.line and resolve(given) == kind]
    lines = [max(lines)] if lines else [place.line for place in places]
    params = [param.arg for param in spec.source.all_params]
    if name in params and (not lines or lines[0] >= span.line):
        if spec.source.owner is not None and name == params[0]:
            return None
        return origin(spec.source, name, spec.caller is None, spec.has_examples)
    return f"assigned on line {lines[0]}" if lines else None


def _is_within(inner: Span, outer: Span) -> bool:
    if inner.file != outer.file:
        return False
    starts_after = (inner.line, inner.column) >= (outer.line, outer.column)
    return starts_after and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
