"""What is wrong with a file, and where."""

from __future__ import annotations


class FormatError(ValueError):
    """Bytes that are not a valid .tsm file. `section` is its name, `offset` counts bytes from the file's start."""

    def __init__(self, message: str, section: str = "header", offset: int = 0) -> None:
        super().__init__(f"not a valid .tsm file: {section} at byte {offset}: {message}")
        self.section = section
        self.offset = offset
