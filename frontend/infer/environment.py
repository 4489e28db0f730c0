"""Flow-sensitive environments: what is known of every variable at one point of a function.

In: stores, narrowings and merges that `infer` meets. Out: states of variables, and the list of those that a merge
must carry. Holds: a state's `definition` names the stores it comes from, so equal definitions are one run-time value.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from ...ir.types import EXCEPTION, Type, arms_of
from ..core.denotations import Denotation
from ..core.placeholders import join
from ..core.typed import ERROR, NEVER, Carried

_definitions = count(1)


@dataclass(frozen=True, slots=True)
class Variable:
    """`storage` is the type of its run-time value, `type` what flow has narrowed it to."""

    storage: Type
    type: Type
    definition: int
    is_bound: bool = True  # False: may be unbound
    static: Denotation | None = None
    is_conflict: bool = False  # denotes different compile-time things on different paths


def defined(kind: Type, static: Denotation | None = None) -> Variable:
    """State after a store of a value of this type."""
    return Variable(kind, kind, next(_definitions), static=static)


ELEMENT = "@"  # begins the part of a path that is an index of a list or dict


def named(variable: str) -> str:
    """How the index of an element mentions a variable."""
    return f"<{variable}>"


StoreLog = list[tuple[str, "Variable | None"]]  # every store (None: `del`) in a `try` body


@dataclass(slots=True)
class Environment:
    """Variables that may be bound (an absent one is unbound) and narrowed attributes and elements, by path:
    ("self", "x"), ("xs", "@<i>")."""

    variables: dict[str, Variable] = field(default_factory=dict)
    paths: dict[tuple[str, ...], Type] = field(default_factory=dict)
    logs: tuple[StoreLog, ...] = ()  # of the `try` bodies around this point

    def copy(self) -> Environment:
        return Environment(dict(self.variables), dict(self.paths), self.logs)

    def store(self, name: str, kind: Type, static: Denotation | None = None) -> None:
        self.variables[name] = defined(kind, static)
        self.forget_variable(name)
        for log in self.logs:
            log.append((name, self.variables[name]))

    def unbind(self, name: str) -> None:
        self.variables.pop(name, None)
        self.forget_variable(name)
        for log in self.logs:
            log.append((name, None))

    def narrow(self, name: str, kind: Type) -> None:
        self.variables[name] = replace(self.variables[name], type=kind)

    def mark_bound(self, name: str) -> None:
        self.variables[name] = replace(self.variables[name], is_bound=True)

    def doubt(self, name: str, definition: int) -> None:
        """Takes back that a variable was found bound, if nothing was stored in it since."""
        state = self.variables.get(name)
        if state is not None and state.definition == definition:
            self.variables[name] = replace(state, is_bound=False)

    def forget_variable(self, name: str) -> None:
        """After a variable was stored, or deleted: what it holds and what it is the index of is something else."""
        index = named(name)
        self.forget_paths(lambda path: path[0] == name or any(index in part for part in path if part[0] == ELEMENT))

    def forget_elements(self) -> None:
        """After a change of some container: others may be the same one."""
        self.forget_paths(lambda path: any(part[0] == ELEMENT for part in path))

    def forget_attribute(self, attribute: str) -> None:
        """After a write of `.attribute` of some object: others may be the same object."""
        self.forget_paths(lambda path: attribute in path[1:])

    def forget_all_paths(self) -> None:
        """After a call that may write attributes."""
        self.paths.clear()

    def forget_paths(self, is_stale: Callable[[tuple[str, ...]], bool]) -> None:
        for path in [path for path in self.paths if is_stale(path)]:
            del self.paths[path]


def merge(
    environments: Sequence[Environment | None], live: Container[str] | None, entry: Environment
) -> tuple[Environment | None, list[Carried]]:
    """One environment for a point that several paths reach, and the variables that must be carried there.

    None stands for a path that ends before. `entry` is the environment before the paths part: what was stored since
    then lies inside blocks and is carried out of them. Variables outside `live` (None: all are live) are dropped.
    Hidden variables, whose names begin with a dot, end with the construct that made them.
    """
    reached = [environment for environment in environments if environment is not None]
    if not reached:
        return None, []
    merged, carried = Environment(logs=entry.logs), []
    for name in dict.fromkeys(name for environment in reached for name in environment.variables):
        states = [environment.variables.get(name) for environment in reached]
        before = entry.variables.get(name)
        if before is not None and all(state is not None and state.definition == before.definition for state in states):
            merged.variables[name] = _merge_narrowed(before, [state for state in states if state is not None])
            continue
        if name.startswith("."):
            if before is None or None in states:
                continue
        elif live is not None and name not in live:
            continue
        merged.variables[name] = state = _merge_stores(states)
        if state.static is None and not state.is_conflict:
            carried.append(Carried(name, state.storage, not state.is_bound))
    for path in reached[0].paths:
        if all(path in environment.paths for environment in reached):
            merged.paths[path] = join(*(environment.paths[path] for environment in reached))
    return merged, carried


def at_handler(entry: Environment, log: StoreLog) -> tuple[Environment, list[Carried]]:
    """What is known where an exception of a `try` body arrives: any of the body's stores may have been the last. Also
    gives the variables that must be kept in cells for that."""
    arrived, cells = entry.copy(), []
    arrived.paths.clear()
    stores: dict[str, list[Variable | None]] = {}
    for name, state in log:
        if not name.startswith("."):
            stores.setdefault(name, [entry.variables.get(name)]).append(state)
    for name, states in stores.items():
        if not any(states):
            continue
        as_stored = [state and replace(state, type=state.storage) for state in states]
        arrived.variables[name] = state = _merge_stores(as_stored)
        if state.static is None and not state.is_conflict:
            cells.append(Carried(name, state.storage, not state.is_bound))
    return arrived, cells


def after_choice(
    side: Environment | None, merged: Environment | None, carried: Iterable[Carried]
) -> Environment | None:
    """What is known on one side of a condition's outcome: the merged variables, as narrow as that side knows."""
    if side is None or merged is None:
        return None
    result = side.copy()
    for item in carried:
        known = side.variables.get(item.name)
        if known is None:
            result.variables[item.name] = merged.variables[item.name]
        else:
            result.variables[item.name] = replace(
                merged.variables[item.name], type=known.type, is_bound=known.is_bound
            )
    return result


def _merge_narrowed(first: Variable, states: Iterable[Variable]) -> Variable:
    states = list(states)
    if all(state is first for state in states):
        return first
    kind = first.type if all(state.type == first.type for state in states) else join(*(state.type for state in states))
    if EXCEPTION in arms_of(kind) and all(kind != state.type for state in states):
        kind = first.storage  # some of it was known to be instances
    return replace(first, type=kind, is_bound=all(state.is_bound for state in states))


def _merge_stores(states: Sequence[Variable | None]) -> Variable:
    present = [state for state in states if state is not None]
    is_bound = len(present) == len(states) and all(state.is_bound for state in present)
    first = present[0]
    if any(state.static is not None or state.is_conflict for state in present):
        is_same = all(state.static == first.static and not state.is_conflict for state in present) and is_bound
        return Variable(
            first.storage, first.type, next(_definitions), True, first.static if is_same else None, not is_same
        )
    kinds = [state.type for state in present if state.type not in (ERROR, NEVER)]
    kind = join(*kinds) if kinds else first.type
    if any(state.type == ERROR for state in present):
        kind = ERROR
    return Variable(kind, kind, next(_definitions), is_bound)
