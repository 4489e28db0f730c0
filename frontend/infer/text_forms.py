"""What is known when compiling of a text that a program makes: all it may be, or how it starts and ends.

In: parts that are put together. Out: `TextForm`s. Holds: a text that a run makes is always one that its form allows.
"""

from __future__ import annotations

from dataclasses import dataclass

MANY = 64  # texts that are told apart


@dataclass(frozen=True)
class TextForm:
    """What a text may be: one of `texts`, or else anything between a start and an end."""

    texts: tuple[str, ...] | None = None
    start: str = ""
    end: str = ""

    def allows(self, name: str) -> bool:
        if self.texts is not None:
            return name in self.texts
        return name.startswith(self.start) and name.endswith(self.end) and len(name) >= len(self.start + self.end)

    def followed_by(self, other: TextForm) -> TextForm:
        if self.texts is not None and other.texts is not None and len(self.texts) * len(other.texts) <= MANY:
            return TextForm(tuple(dict.fromkeys(a + b for a in self.texts for b in other.texts)))
        start = self.texts[0] + other.start if self.texts is not None and len(self.texts) == 1 else self.start
        end = self.end + other.texts[0] if other.texts is not None and len(other.texts) == 1 else other.end
        return TextForm(None, start, end)


ANY_TEXT = TextForm()
