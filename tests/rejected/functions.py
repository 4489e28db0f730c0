"""Functions in functions, generators, starred arguments: what is refused beside what works."""
# ruff: noqa
from language_rows import of_row
import functools
from typing import Callable, List


of_row("calls")


def two(a: int, b: int) -> int:
    return a + b


def star_list(xs: List[int], d: dict[str, int]) -> int:
    return two(*xs, **d)  # error 12: '*' and '**' of what is known at run time only cannot stand in one call


def star_before_named(xs: List[int]) -> int:
    return two(*xs, a=1)  # error 12: two() got multiple values for argument 'a'


def star_of_other_type(xs: List[str]) -> int:
    return two(*xs)  # error 17: argument 'a' of 'two' must be int, got str  # error 17: argument 'b' of 'two' must be int, got str


def star_of_builtin(xs: List[int]) -> int:
    return pow(*xs)  # error 16: '*' in a call needs a tuple, whose length is known, not list[int]


def double_star_of_builtin(d: dict[str, int]) -> str:
    return round(1.5, **d)  # error 23: '**' here needs a dict whose keys are known: a display, dict(...) or the function's own **kwargs


def double_star_of_numbers(d: dict[int, int]) -> int:
    return two(**d)  # error 18: '**' in a call needs a dict of str, not dict[int, int]


def rest_of(first: int, *rest: float) -> float:
    return sum(rest)


def star_of_other_items(xs: list[str]) -> float:
    return rest_of(1, *xs)  # error 12: argument 'rest' of 'rest_of' must be tuple[float, ...], got tuple[str, ...]


def sum_with_tuple(xs: list[int]) -> int:
    return len(sum(xs, ()))  # error 20: sum() of list[int] does not work with a tuple as its start


def double_star(d: int) -> int:
    e = {"a": "b"}
    return two(b=1, **e)  # error 23: argument 'a' of 'two' must be int, got str


def typed_rest(x: int) -> int:
    return total(x, "a")  # error 21: argument 'xs' of 'total' must be int, got str


def total(*xs: int) -> int:
    return len(xs)


of_row("functions as values")


def takes_function(f: Callable[[int], int]) -> int:  # error 20: an entry point cannot take a function
    return 1


def not_a_function(x: int) -> int:
    return applied(x, x)  # error 20: the parameter 'f' of 'applied' takes a function, not int


def applied(f: Callable[[int], int], x: int) -> int:  # error 13: an entry point cannot take a function
    return x


of_row("functions in functions")


def stored_lambda(x: int) -> int:
    fs = [lambda: x]
    return x


of_row("calls")


def two_lambdas(x: int) -> int:
    if x > 0:
        f = lambda: 1
    else:
        f = lambda: 2
    return f()


of_row("functions in functions")


def recursive_nonlocal(x: int) -> int:
    n = 0
    def go(k: int) -> None:
        nonlocal n
        n += k
        if k > 0:
            go(k - 1)
    go(x)
    return n


of_row("functions as values")


def decorated(x: int) -> int:
    @two  # error 6: two() missing 1 required positional argument: 'b'
    def inner() -> int:
        return 1
    return inner()


def cached_wrong(x: int) -> int:
    @functools.lru_cache(maxsize=x)  # error 6: maxsize must be None or a positive constant, without other options, for a cache in scripts
    def inner(n: int) -> int:
        return n
    @functools.cache  # error 6: the function cannot take *args or **kwargs, for a cache in scripts
    def rest(*xs: int) -> int:
        return len(xs)
    return inner(x) + rest(x)


def cached_calls(x: int) -> int:
    calls = 0
    @functools.cache
    def inner(n: int, m: int = 2) -> int:
        nonlocal calls
        calls += 1
        return n * m
    return inner(x) + inner(n=x) + calls  # error 23: the cache of 'inner' takes calls with other keywords, or other defaults left out, for different ones


def cached_above(x: int) -> int:
    def same(f):
        return f
    @functools.cache  # error 6: this decorator must stand right above 'def' in scripts
    @same
    def inner(n: int) -> int:
        return n
    return inner(x)


def numbers(n: int):
    yield n  # error 5: the generator 'numbers' cannot be scripted by itself


of_row("generators")


def generator_value(x: int) -> int:
    g = numbers(x)
    return x


def expression_value(xs: List[int]) -> int:
    g = (x for x in xs)
    return 1


def guarded(n: int):
    try:
        yield n  # error 9: the generator 'guarded' cannot be scripted by itself
    finally:
        print(n)


def guarded_loop(n: int) -> int:
    for x in guarded(n):
        return x
    return 0


def map_value(xs: List[int]) -> int:
    m = map(abs, xs)
    return 1


def next_of_value(xs: List[int]) -> int:
    return next(xs)  # error 12: next() needs an iterator, not list[int]


of_row("functions as values")


def key_of_number(xs: List[int]) -> List[int]:
    return sorted(xs, key=3)  # error 27: a function is needed here, not int


of_row("calls")


def default_of_two(x: int) -> int:
    return max(x, 1, default=0)  # error 12: Cannot specify a default for max() with multiple positional arguments


def mutable_default_caught(x: int) -> int:
    f = lambda a, *b: a
    return f()  # error 12: <lambda>() missing 1 required positional argument: 'a'


def function_of_itself(n: int) -> int:
    f = abs
    for k in (1, 2):
        f = lambda x, g=f: g(x) + k  # error 25: a default cannot be what the same definition made before
    return f(n)


def partial_of_itself(n: int) -> int:
    f = abs
    for k in (1, 2):
        f = functools.partial(lambda g, x: g(x) + 1, f)  # error 54: an argument of partial() cannot be what the same call made before
    return f(n)
