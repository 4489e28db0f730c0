"""Annotations that Python has evaluated already, by names that are gone when the function is compiled."""

from typing import List

import tsm


def made():
    number = int
    numbers = List[number]

    class Scaled:
        def __init__(self, by: number) -> None:
            self.by = by

        def all(self, values: numbers) -> numbers:
            return [value * self.by for value in values]

    def scaled(values: numbers, by: number) -> numbers:
        return Scaled(by).all(values)

    return scaled


def test_annotations_are_what_python_made_of_them():
    scripted = tsm.script(made())
    assert scripted.schema == "scaled(values: list[int], by: int) -> list[int]"
    assert scripted([1, 2], 3) == [3, 6]
