"""Flags: combinations of members, their operators, names and values, at every boundary."""

# ruff: noqa
from dataclasses import dataclass
from enum import CONFORM, STRICT, Flag, IntFlag, auto
from typing import Optional

from language_rows import of_row
from oracle import program

of_row("enums")


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()


class Permission(Flag):
    NONE = 0
    READ = auto()
    WRITE = auto()
    DELETE = auto()
    ALL = READ | WRITE | DELETE

    @property
    def is_safe(self) -> bool:
        return not self & Permission.DELETE

    @classmethod
    def parse(cls, text: str) -> "Permission":
        found = cls.NONE
        for part in filter(None, text.split("+")):
            found |= cls[part.upper()]
        return found


class Mode(IntFlag):
    READ = 4
    WRITE = 2
    EXEC = 1


class Loose(Flag, boundary=CONFORM):
    A = 1
    B = 4
    C = 64


class Strict(Flag, boundary=STRICT):
    A = 1
    B = 8


class Sparse(IntFlag):
    LOW = 1
    HIGH = 8


@program("flags: built by |=, shown, inverted, contained", ([],), (["R"],), (["X", "R", "W"],), (["Q"],))
def built(names: list[str]) -> list[str]:
    p = Perm(0)
    for name in names:
        p |= Perm[name]
    out = [str(p), repr(p), str(p.value), str(bool(p)), str(p.name), f"{p!s:>10}|"]
    out.append(f"{Perm.R in p} {Perm.W | Perm.X in p} {~p} {p & Perm.R} {p ^ (Perm.R | Perm.W)} {len(p)}")
    return out


@program("flags: loops over a combination and over the class", (0,), (1,), (6,), (7,), (8,), (-1,), (-9,))
def looped(mask: int) -> tuple[str, list[str], list[int], int]:
    p = Permission(mask)
    text = "+".join(each.name.lower() for each in p) if p else "nothing"
    return text, [each.name for each in Permission], [each.value for each in list(p)], len(Permission)


@program("flags: properties, class methods and aliases", ("",), ("read+delete",), ("read+write+delete",), ("fly",))
def parsed(text: str) -> tuple[bool, bool, str, str]:
    p = Permission.parse(text)
    return p.is_safe, p is Permission.ALL, str(p), repr(~p)


@program("flags: passed in and out, as keys and elements", (Perm.R, Mode.READ), (Perm.R | Perm.X, Mode(12)), (Perm(0), Mode(0)))
def crossed(p: Perm, m: Mode) -> tuple[Perm, Mode, dict[Perm, int], list[Mode], Optional[Perm], str]:
    table = {p: 1, p | Perm.W: 2, ~p: 3}
    return p ^ Perm.X, m | 3, table, [m, ~m], p if p else None, f"{[p, Perm.R]} {(m, p)}"


@program("flags: an IntFlag is an int", ([0, 4, 7], 6), ([12], 4), ([200], 9), ([], 1))
def as_ints(values: list[int], want: int) -> list[str]:
    out = []
    for value in values:
        mode = Mode(value)
        out.append(f"{mode!r} {mode} {mode.value} {int(mode):x} {mode + 1} {mode == value} {mode > 3}")
        out.append(repr(mode & want) + repr(want | mode) + repr(mode ^ want) + repr(~mode))
        if mode & Mode.READ and Mode.WRITE in mode:
            out.append("both")
    return out + [str(sum(values, start=Mode.EXEC)), str(max(Mode.READ, Mode.WRITE))]


@program("flags: bits between members are dropped by CONFORM", (0,), (5,), (71,), (2,), (-1,), (-2,), (1000,))
def conforming(value: int) -> tuple[str, int, str]:
    flag = Loose(value)
    return repr(flag), (flag | Loose.C).value, str(~flag)


@program("flags: bits between members are errors of STRICT", (0,), (9,), (2,), (16,), (-1,), (-9,), (-1000,))
def strict(value: int) -> str:
    return repr(Strict(value)) + str(Strict.A | Strict.B)


@program("flags: bits between members are kept by KEEP", (0,), (9,), (2,), (6,), (-1,), (-8,), (127,))
def sparse(value: int) -> list[str]:
    flag = Sparse(value)
    return [repr(flag), repr(~flag), repr(flag & Sparse.HIGH), repr([each.value for each in flag]), str(flag.name)]


@dataclass
class User:
    name: str
    rights: Permission = Permission.NONE

    def grant(self, more: Permission) -> None:
        self.rights |= more

    def revoke(self, less: Permission) -> None:
        self.rights &= ~less

    def can(self, asked: Permission) -> bool:
        return (self.rights & asked) == asked


@program("flags: attributes of a dataclass", ([("grant", "READ"), ("can", "WRITE")],), ([("grant", "ALL"), ("revoke", "WRITE"), ("can", "NONE")],), ([("can", "FLY")],))
def users(steps: list[tuple[str, str]]) -> list[str]:
    user, log = User("ann"), []
    for step, name in steps:
        right = Permission[name]
        if step == "grant":
            user.grant(right)
        elif step == "revoke":
            user.revoke(right)
        else:
            log.append(f"{name}: {user.can(right)}")
    return log + [repr(user), str(user == User("ann"))]


@program("flags: cases of a match", (Perm.R,), (Perm.R | Perm.W,), (Perm(0),))
def matched(p: Perm) -> str:
    match p:
        case Perm.R:
            return "read"
        case Perm.W | Perm.X:
            return "change"
        case _:
            return f"{p.name} of {Perm.R | Perm.W | Perm.X}"
