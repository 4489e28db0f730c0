"""Inference of keys: what dicts and sets take as keys and elements, and what they say of an instance that is missing.

In: operator rows matched to operands. Out: the same, a message, or a test in front of what raises KeyError.
Holds: the text of a KeyError about an instance is the one that its class gives, which only scripts can ask for.
"""

from __future__ import annotations

from ....ir.types import DictType, SetType
from ...core.conversions import once, once_all
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import ERROR, NEVER, Choose, Expr, Operate, Raise, Throw, is_silent
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase

RAISE_KEYS = frozenset(("getitem.dict", "delitem.dict", "dict.pop", "dict.move_to_end", "set.remove"))


class KeyInference(InferenceBase):
    """Keys of dicts and elements of sets."""

    def ask_keys(self, result: Operate) -> Expr | None:
        """A message or what stands for an operator, where the runtime cannot ask the keys itself."""
        return self.refuse_key(result) or self.by_scripts(result) or self.missing_key(result)

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
