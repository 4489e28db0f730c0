"""Control flow: branches, loops, early exits, and the variables that live across them."""

# ruff: noqa: B007, RET507, SIM102, SIM108, PLR1704, RET503, SIM110
from __future__ import annotations

from language_rows import of_row
from oracle import program

of_row("loop else")


@program("if without else changes a variable", (1,), (-1,))
def if_only(n: int) -> int:
    x = 0
    if n > 0:
        x = n
    return x


@program("if, elif, else", (5,), (0,), (-5,))
def three_ways(n: int) -> str:
    if n > 0:
        return "positive"
    elif n < 0:
        return "negative"
    else:
        return "zero"


of_row("loops")


@program("nested ifs assign in some arms", (3, 4), (-3, 4), (-3, -4))
def nested_if(a: int, b: int) -> int:
    r = 0
    if a > 0:
        if b > 0:
            r = 1
        else:
            r = 2
    elif b > 0:
        r = 3
    return r


@program("while loop", (10,), (0,))
def count_down(n: int) -> int:
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


@program("while True with break", (27,), (1,))
def collatz(n: int) -> int:
    steps = 0
    while True:
        if n == 1:
            break
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@program("return inside a loop", ([3, 5, 8, 9],), ([1],), ([],))
def first_even(values: list[int]) -> int:
    for v in values:
        if v % 2 == 0:
            return v
    return -1


@program("for over range of one", (5,), (0,), (-3,))
def sum_range(n: int) -> int:
    total = 0
    for i in range(n):
        total += i
    return total


@program("for over range of three, negative step", (10, 0, -3), (0, 10, 4), (5, 5, 1), (1, 2, 0))
def stepped(a: int, b: int, c: int) -> list[int]:
    out: list[int] = []
    for i in range(a, b, c):
        out.append(i)
    return out


@program("range ends are evaluated once", (3,))
def range_once(n: int) -> int:
    count = 0
    for _ in range(n):
        n += 1
        count += 1
    return count * 100 + n


@program("assigning the loop variable does not disturb the loop", (4,))
def reassign_target(n: int) -> list[int]:
    out = [0]
    for i in range(n):
        i = i * 10
        out.append(i)
    return out


of_row("names")


@program("loop variable after the loop, unbound after no iteration", (0,), (1,), (3,))
def unbound_target(n: int) -> int:
    for i in range(n):
        pass
    return i


@program("a name bound in one branch only", (1,), (0,))
def one_branch(n: int) -> int:
    if n:
        x = 1
    return x


@program("del unbinds", (1,), (0,))
def deleted(n: int) -> int:
    x = 5
    if n:
        del x
    return x


of_row("loops")


@program("continue skips", (10,))
def skip_odd(n: int) -> int:
    total = 0
    for i in range(n):
        if i % 2:
            continue
        total += i
    return total


@program("break out of the inner loop only", (4,))
def inner_break(n: int) -> int:
    count = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            count += 1
    return count


@program("break, continue and return in one loop", ([1, 2, 3, 4],), ([5, -1],), ([2, 0, 9],))
def all_exits(values: list[int]) -> int:
    seen = 0
    for v in values:
        if v == 0:
            break
        if v < 0:
            return -seen
        if v == 2:
            continue
        seen += v
    return seen


of_row("loop else")


@program("for else runs without break", (7,), (9,), (2,))
def is_prime(n: int) -> bool:
    for d in range(2, n):
        if n % d == 0:
            break
    else:
        return True
    return False


@program("while else", (3,), (20,))
def while_else(n: int) -> int:
    while n < 10:
        n += 4
        if n == 8:
            break
    else:
        n = -n
    return n


@program("else of a for belongs to the loop, break in a nested if", (5, 3), (5, 9))
def search(n: int, target: int) -> str:
    for i in range(n):
        if i > 1:
            if i == target:
                result = "found"
                break
    else:
        result = "missing"
    return result


of_row("loops")


@program("return from two loops deep", (5, 7), (3, 50))
def pair_with_sum(n: int, total: int) -> tuple[int, int]:
    for i in range(n):
        for j in range(n):
            if i + j == total:
                return i, j
    return -1, -1


@program("while with a compound condition", (10, 3), (0, 3))
def compound(a: int, b: int) -> int:
    while a > 0 and b != a:
        a -= 1
    return a


@program("loop carries swapped variables", (10,), (0,), (1,))
def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program("rotation of three variables in a loop", (7,))
def rotate(n: int) -> int:
    a, b, c = 1, 2, 3
    for _ in range(n):
        a, b, c = c, a, b
    return a * 100 + b * 10 + c


@program("variable first assigned inside a loop, used after", (3,), (0,))
def first_in_loop(n: int) -> int:
    for i in range(n):
        last = i * i
    return last


of_row("more assignment")


@program("condition with a walrus", ([1, 2, 3],), ([],))
def walrus(values: list[int]) -> int:
    if (n := len(values)) > 2:
        return n
    return -n


@program("walrus in a while condition", (20,))
def walrus_loop(n: int) -> int:
    total = 0
    while (half := n // 2) > 0:
        total += half
        n = half
    return total


of_row("raise")


@program("assert passes and fails", (1,), (0,))
def asserted(n: int) -> int:
    assert n > 0, "n must be positive"
    return n


@program("assert without a message", (1,), (0,))
def bare_assert(n: int) -> int:
    assert n
    return n


@program("raise a builtin exception", (1,), (-1,))
def raising(n: int) -> int:
    if n < 0:
        raise ValueError("negative: " + str(n))
    return n


@program("raise without arguments", (0,))
def raise_bare(n: int) -> int:
    if n == 0:
        raise RuntimeError
    return n


@program("each exception class keeps its name", (0,), (1,), (2,), (3,), (4,))
def classes(n: int) -> int:
    if n == 0:
        raise KeyError("k")
    if n == 1:
        raise IndexError("i")
    if n == 2:
        raise TypeError("t")
    if n == 3:
        raise ZeroDivisionError("z")
    raise NotImplementedError("later")


@program("code after raise is dead", (1,))
def dead(n: int) -> int:
    if n > 0:
        return 1
    raise ValueError("x")


@program("pass and expression statements", (1,))
def nothing(n: int) -> int:
    pass
    n + 1
    "text"
    return n


@program("a function without return gives None", (1,))
def no_return(n: int) -> None:
    n += 1


of_row("loops")


@program("early bare return", (1,), (0,))
def bare_return(n: int) -> None:
    if n:
        return
    print("not reached for 1")


of_row("raise")


@program("print with several values", (3, 2.5))
def prints(n: int, x: float) -> None:
    print("n =", n, x, True, None, [1, 2], (1,), {"a": 1})


@program("print with sep and end", (1,))
def print_format(n: int) -> None:
    print(n, n + 1, sep="-", end="!\n")
    print()


of_row("assignment")


@program("order of effects in arguments", (1,))
def order(n: int) -> int:
    def_before = n
    print(shout("a", 1) + shout("b", 2) * shout("c", 3))
    return def_before


def shout(name: str, value: int) -> int:
    print(name)
    return value


of_row("loops")


@program("while loop over a list used as a stack", ([1, 2, 3],))
def drain(values: list[int]) -> int:
    total = 0
    while values:
        total = total * 10 + values.pop()
    return total


@program("triple nesting with labels crossed by return", (6,))
def triple(n: int) -> int:
    for a in range(1, n):
        b = 0
        while True:
            b += 1
            if b > n:
                break
            for c in range(1, n):
                if a * a + b * b == c * c and a > 1:
                    return a * 100 + b * 10 + c
    return 0


@program("both arms return, rest unreachable", (1,), (-1,))
def both_return(n: int) -> int:
    if n > 0:
        r = 1
        return r
    else:
        r = 2
        return r


@program("loop that always returns in its first round", ([4, 5],), ([],))
def at_once(values: list[int]) -> int:
    for v in values:
        return v
    return 0


@program("continue in a while with an update before it", (10,))
def continue_while(n: int) -> int:
    total = 0
    while n > 0:
        n -= 1
        if n % 3 == 0:
            continue
        total += n
    return total


@program("nested while with shared counter", (5,))
def shared_counter(n: int) -> int:
    i = 0
    steps = 0
    while i < n:
        while i % 3 != 2:
            i += 1
            steps += 1
        i += 1
    return steps * 10 + i
