"""Inference of keys: what dicts and sets take as keys and elements, and what they say of an instance that is missing.

In: operator rows matched to operands. Out: the same, a message, or a test in front of what raises KeyError.
Holds: the text of a KeyError about an instance is the one that its class gives, which only scripts can ask for.
"""

from __future__ import annotations

from ....ir.types import ANY, DictType, SetType
from ...core.conversions import convert, once, once_all, operate, to_any
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import ERROR, NEVER, Choose, Expr, IsType, Let, Operate, Raise, Recast, Throw, is_silent, none
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..type_facts import converted_to

RAISE_KEYS = frozenset(("getitem.dict", "delitem.dict", "dict.pop", "dict.move_to_end", "set.remove"))
LOOKED_UP = frozenset((
    "getitem.dict", "delitem.dict", "dict.get", "dict.get.default", "dict.pop", "dict.pop.default", "set.remove",
    "set.discard", "contains.dict", "contains.set",
))


class KeyInference(InferenceBase):
    """Keys of dicts and elements of sets."""

    def ask_keys(self, result: Operate) -> Expr | None:
        """A message or what stands for an operator, where the runtime cannot ask the keys itself."""
        refused = self.refuse_key(result) or self.by_scripts(result)
        return refused or self.key_of_any(result) or self.missing_key(result)

    def key_of_any(self, result: Operate) -> Expr | None:
        """A look-up of a key of type Any among keys of one type: of another type, it is not there. None for others."""
        name, operands = result.row.full_name, result.operands
        source = checked_any(operands[1]) if name in LOOKED_UP else None
        if source is None:
            return None

        def use(held: list[Expr]) -> Expr:
            owner, key, *rest = held
            typed = convert(key, resolve(operands[1].type))
            assert typed is not None
            found = Operate(result.type, result.span, result.row, [owner, typed[0], *rest], result.result_types)
            is_there = operate("contains.any", to_any(owner), key)
            if result.row.name == "contains":
                return is_there
            if name in RAISE_KEYS:
                absent = self.raise_key(result.span, key)
            else:
                absent = converted_to(rest[0] if rest else none(result.span), resolve(result.type))
            return Choose(result.type, result.span, is_there, found, absent, [])

        return once_all([operands[0], source, *operands[2:]], use)

    def refuse_key(self, result: Operate) -> Expr | None:
        """A message where the first use of an empty dict or set gives it keys that are not hashable."""
        kind = resolve(result.operands[0].type) if result.operands else NEVER
        key = kind.key if isinstance(kind, DictType) else kind.element if isinstance(kind, SetType) else None
        if not result.row.schema.params or not result.row.schema.params[0].is_written:
            return None
        if key is None or has_placeholder(key) or resolve(key) == ERROR or resolve(key).is_hashable:
            return None
        what = "dict key" if isinstance(kind, DictType) else "set element"
        return self.error(result.span, f"{resolve(key)} cannot be a {what} here", self.element_hint(resolve(key)))

    def missing_key(self, result: Operate) -> Expr | None:
        """What stands for an operator that raises KeyError about an instance; None for all others."""
        if result.row.full_name not in RAISE_KEYS or not self.holds_instances(result.operands[1].type):
            return None

        def use(held: list[Expr]) -> Expr:
            found = Operate(result.type, result.span, result.row, held, result.result_types)
            test = self.contains(syntax.Node(result.span), held[1], held[0])
            return Choose(result.type, result.span, test, found, self.raise_key(result.span, held[1]), [])

        return once_all(result.operands, use)

    def raise_key(self, span: Span, key: Expr) -> Expr:
        """KeyError about a key, which is its argument; of an instance or a function the error has the text."""
        if self.session.functions.may_be_function(key.type):
            text = self.each_arm(key, lambda one: self.function_text(one) or self.text_of(one, "repr.any"))
            return text if is_silent(text) else Raise(NEVER, span, "KeyError", text)
        if self.holds_instances(key.type):
            return once(key, lambda one: Raise(NEVER, span, "KeyError", self.text_of(one, "repr.any")))
        made = self.exception_of(span, KeyError, [key])
        return made if made.type == ERROR else Throw(NEVER, span, made)


def checked_any(key: Expr) -> Expr | None:
    """The value of type Any that a key was before it was taken for one of the keys' type; None for all others."""
    if isinstance(key, Recast):
        return key.value if resolve(key.value.type) == ANY else None
    if isinstance(key, Let):
        return key.value if resolve(key.value.type) == ANY and checked_any(key.body) is not None else None
    is_asked = isinstance(key, Choose) and isinstance(key.condition, IsType)
    return checked_any(key.otherwise) if is_asked and isinstance(key, Choose) else None
