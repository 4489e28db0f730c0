"""What is known of variables at the head of a loop: the join of what comes in and what each round leaves.

In: the environments before the loop and after its rounds. Out: the head's. Holds: a head only grows, so rounds end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...ir.types import ANY
from ..compilation import self_nesting
from ..core.placeholders import join, resolve
from .environment import Environment, Variable, defined


def refreshed(entry: Environment, names: Sequence[str]) -> Environment:
    """The environment at the head of a loop, before any round is known."""
    head = entry.copy()
    for name in names:
        if name in head.variables and head.variables[name].static is None:
            state = head.variables[name]
            head.variables[name] = replace(defined(state.type), is_bound=state.is_bound)
    return head


def grown_head(
    entry: Environment, rounds: Sequence[Environment], names: Sequence[str], head: Environment
) -> Environment | None:
    """The head after another round, or None if nothing new came."""
    grown = entry.copy()
    is_same = True
    for name in names:
        before = head.variables.get(name)
        states = [entry.variables.get(name), *(env.variables.get(name) for env in rounds)]
        state = _join_states(states)
        if state is not None and before is not None and is_ended(before, state):
            state = replace(state, storage=before.storage, type=before.storage)
        if state is None:
            grown.variables.pop(name, None)
        elif before is not None and _is_same_state(before, state):
            grown.variables[name] = before
            continue
        else:
            grown.variables[name] = state
        is_same = is_same and before is None and state is None
    for path in list(grown.paths):
        if not all(path in env.paths for env in rounds):
            del grown.paths[path]
        else:
            grown.paths[path] = join(grown.paths[path], *(env.paths[path] for env in rounds))
    return None if is_same and grown.paths == head.paths else grown


def ended(grown: Environment, head: Environment, turn: int) -> Environment:
    """The head where the type of a variable that holds more and more of itself ends."""
    for name, state in grown.variables.items():
        before = head.variables.get(name)
        if before is None or state.static is not None or state.is_conflict:
            continue
        end = self_nesting.ended(state.storage, before.storage, turn)
        if end is not None:
            is_nested = self_nesting.nests(state.storage, before.storage)
            grown.variables[name] = replace(defined(ANY if is_nested else end), is_bound=state.is_bound)
    return grown


def is_ended(before: Variable, state: Variable) -> bool:
    """Whether the head has a wider type than what comes in, as its type would grow without end."""
    if before.static is not None or state.static is not None or before.is_conflict or state.is_conflict:
        return False
    return before.storage != state.storage and self_nesting.covers(before.storage, state.storage)


def _join_states(states: Sequence[Variable | None]) -> Variable | None:
    present = [state for state in states if state is not None]
    if not present:
        return None
    is_bound = len(present) == len(states) and all(state.is_bound for state in present)
    if any(state.static is not None or state.is_conflict for state in present):
        is_same = all(state.static == present[0].static and not state.is_conflict for state in present)
        fresh = defined(present[0].type, present[0].static if is_same and is_bound else None)
        return replace(fresh, is_conflict=fresh.static is None)
    return replace(defined(join(*(state.type for state in present))), is_bound=is_bound)


def _is_same_state(a: Variable, b: Variable) -> bool:
    return (
        resolve(a.storage) == resolve(b.storage)
        and a.is_bound == b.is_bound
        and a.static == b.static
        and a.is_conflict == b.is_conflict
    )
