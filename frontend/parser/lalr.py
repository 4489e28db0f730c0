"""The parser's loop: tokens to trees, by the tables that Lark made of the grammar.

In: Lark's states and rules; a list of tokens. Out: trees that know their first and last token, or None where the
tokens fit no rule (Lark's own loop then says what it expected there).
Holds: the trees are Lark's: `?rule`, `!rule`, `_rule`, aliases and placeholders mean what they mean there, and
positions are its container positions. A chain of rules that pass their only child on, as all levels of precedence do,
is one step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lark import Token

LAYOUT = {"_NEWLINE", "_INDENT", "_DEDENT"}  # what extends no span
END = "$END"


class Tree:
    """What a rule matched. `first` and `last` are the tokens at its ends, None if it matched nothing."""

    __slots__ = ("children", "data", "first", "last")

    def __init__(self, data: str, children: list[Any], first: Token | None, last: Token | None) -> None:
        self.data = data
        self.children = children
        self.first = first
        self.last = last


class _Rule:
    """What a reduction does: `kept` are (place in the rule, whether its children take its place, Nones before it)."""

    __slots__ = ("data", "is_inlined", "kept", "nones", "origin", "passes_on", "size")

    def __init__(self, rule: Any) -> None:
        options = rule.options
        self.origin: str = rule.origin.name
        self.data = str(rule.alias or options.template_source or rule.origin.name)
        self.size = len(rule.expansion)
        self.is_inlined = bool(options.expand1 and not rule.alias)
        kept, nones, place = [], 0, 0
        for is_absent in options.empty_indices or (False,) * self.size:
            if is_absent:
                nones += 1
                continue
            symbol = rule.expansion[place]
            if options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
                kept.append((place, not symbol.is_term and symbol.name.startswith("_"), nones))
                nones = 0
            place += 1
        self.kept, self.nones = tuple(kept), nones
        self.passes_on = self.is_inlined and self.size == 1 and self.kept == ((0, False, 0),) and not nones

    def children(self, values: list[Any]) -> list[Any]:
        """What the grammar keeps of what was matched."""
        found: list[Any] = []
        for place, is_spliced, nones in self.kept:
            if nones:
                found += [None] * nones
            if not is_spliced:
                found.append(values[place])
            elif found:
                found += values[place].children
            else:
                found = values[place].children  # the tree is read nowhere else: left recursion stays linear
        return found + [None] * self.nones if self.nones else found


class Engine:
    """The tables in the form that the loop reads: a state to what it does for a token or goes to for a rule."""

    def __init__(self, table: Any) -> None:
        rules: dict[int, _Rule] = {}
        self.steps: dict[int, dict[str, int | _Rule]] = {}
        for state, actions in table.states.items():
            steps = self.steps[state] = {}
            for name, (action, target) in actions.items():
                if action.name == "Shift":
                    steps[name] = target
                    continue
                if id(target) not in rules:
                    rules[id(target)] = _Rule(target)
                steps[name] = rules[id(target)]
        self.start_states: Mapping[str, int] = table.start_states
        self.end_states: Mapping[str, int] = table.end_states
        self.chains: dict[tuple[int, int, str], int] = {}

    def parse(self, tokens: list[Token], start: str) -> Tree | None:
        """The tree of the tokens by the rule `start`."""
        state, end = self.start_states[start], self.end_states[start]
        states, values = [state], []  # type: list[int], list[Any]
        ends: list[tuple[Token | None, Token | None]] = []  # of each value, with what its rules left out
        steps, chains = self.steps, self.chains
        for token in (*tokens, Token(END, "")):
            kind = token.type
            while True:
                step = steps[state].get(kind)
                if step.__class__ is int:
                    state = step
                    states.append(state)
                    values.append(token)
                    ends.append(_NO_ENDS if kind in LAYOUT else (token, token))
                    break
                if step is None:
                    return values[0] if kind == END and state == end else None
                assert isinstance(step, _Rule)
                if step.passes_on:
                    key = (states[-2], state, kind)
                    if key not in chains:
                        chains[key] = self._passed_on(*key)
                    states[-1] = state = chains[key]
                    continue
                _reduce(step, values, ends)
                if step.size:
                    del states[-step.size :]
                state = steps[states[-1]][step.origin]  # type: ignore[assignment]
                states.append(state)
        return None

    def _passed_on(self, below: int, state: int, kind: str) -> int:
        """The state after all rules that only pass the topmost value on."""
        while True:
            step = self.steps[state].get(kind)
            if not isinstance(step, _Rule) or not step.passes_on:
                return state
            state = self.steps[below][step.origin]  # type: ignore[assignment]


_NO_ENDS: tuple[None, None] = (None, None)


def _reduce(rule: _Rule, values: list[Any], ends: list[tuple[Token | None, Token | None]]) -> None:
    """Puts what the rule makes of the topmost values in their place."""
    size = rule.size
    matched, matched_ends = values[len(values) - size :], ends[len(ends) - size :]
    first = next((each[0] for each in matched_ends if each[0] is not None), None)
    last = next((each[1] for each in reversed(matched_ends) if each[1] is not None), None)
    if size:
        del values[-size:], ends[-size:]
    children = rule.children(matched)
    if not rule.is_inlined or len(children) != 1:
        values.append(Tree(rule.data, children, first, last))
        ends.append((first, last))
        return
    value = children[0]
    values.append(value)
    if isinstance(value, Token):
        ends.append((value, value))
        return
    if isinstance(value, Tree) and value.first is None:
        value.first, value.last = first, last
    ends.append((first, last))
