"""Containers that functions make and their callers put other things into, nothing of which is declared."""
# ruff: noqa: ANN001, ANN201, ANN202, PERF401 - written as users write it

from __future__ import annotations

from typing import List, Tuple

from language_rows import of_row
from oracle import program


def squares_of(width, height):
    return [[None] * width for _ in range(height)]


def dotted(width, height):
    grid = []
    for _ in range(height):
        grid.append(["."] * width)
    return grid


def by_rows(n):
    rows = []
    for _ in range(n):
        row = []
        for _ in range(n):
            row.append(0)
        rows.append(row)
    return rows


def counted(words):
    found = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return found


def mark(grid, x, y, what):
    grid[y][x] = what


of_row("list methods")


@program("a grid of None that a function made takes numbers", (3, 2), (0, 0))
def filled_grid(width: int, height: int) -> str:
    grid, kept = squares_of(width, height), squares_of(1, 1)
    for y in range(height):
        grid[y][0] = y * width
    return f"{grid} {kept}"


@program("one list stands in every row", (5,))
def shared_rows(n: int) -> str:
    grid = [[None] * 2] * 2
    grid[0][0] = n
    return str(grid)


@program("a helper puts numbers into rows of text", (3,), (-1,))
def marked(n: int) -> str:
    grid = dotted(3, 2)
    mark(grid, 0, 1, n)
    mark(grid, 1, 1, "#")
    mark(grid, 2, 0, None)
    return str(grid)


@program("rows made one by one take floats beside ints", (2,), (3,))
def diagonal(n: int) -> str:
    rows = by_rows(n)
    for i in range(n):
        rows[i][i] = 1.0 / n
    return str(rows)


@program("a container of None is one of the declared type in the end", ([1, 2, 3],), ([],))
def filled(xs: List[int]) -> Tuple[List[int], str]:
    def prepared(n):
        slots = [None] * n
        named = {"none": None}
        return slots, named

    slots, named = prepared(len(xs))
    for place, x in enumerate(xs):
        slots[place] = x * x
    named["none"] = len(slots)
    return slots, str(named)


of_row("dict methods")


@program("counts become shares", (["a", "b", "a"],), ([],))
def shares(words: List[str]) -> str:
    counts = counted(words)
    total = sum(counts.values())
    for word in counts:
        counts[word] /= total
    return f"{counts} {counted(words)}"


of_row("classes")


class Game:
    def __init__(self, size):
        self.size = size
        self.cells = self.blank()
        self.moves = []

    def blank(self):
        return [[None for _ in range(self.size)] for _ in range(self.size)]

    def play(self, row, column, who):
        if self.cells[row][column] is not None:
            return False
        self.cells[row][column] = who
        self.moves.append((row, column, who))
        return True

    def winner(self):
        lines = list(self.cells)
        lines += [[self.cells[r][c] for r in range(self.size)] for c in range(self.size)]
        lines.append([self.cells[i][i] for i in range(self.size)])
        lines.append([self.cells[i][self.size - 1 - i] for i in range(self.size)])
        for line in lines:
            if line[0] is not None and all(each == line[0] for each in line):
                return line[0]
        return None


@program("a board of None that a method makes", ([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)],), ([(0, 0), (0, 0)],), ([],))
def noughts(moves: List[Tuple[int, int]]) -> str:
    game = Game(3)
    for turn, (row, column) in enumerate(moves):
        if not game.play(row, column, "XO"[turn % 2]):
            return f"move {turn} is taken"
        who = game.winner()
        if who:
            return f"{who} wins {game.moves}"
    return "nobody wins"
