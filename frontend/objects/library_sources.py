"""Functions of Python's library whose scripts depend on how they are called: on the number of arguments, or a constant.

In: the name of a function and a call of it. Out: the script for this call, and the arguments it gets.
Holds: tuples have the length that the call gives them, so that each item keeps its type.
"""

from __future__ import annotations

import functools
import heapq
import itertools
import operator
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any as PyAny

from ..parser import parse, syntax
from ..prelude import bisect as prelude_bisect
from ..prelude import heapq as prelude_heapq
from ..prelude import itertools as prelude_itertools
from ..prelude import operators as prelude_operators
from ..prelude import printing as prelude_printing
from ..prelude import random as prelude_random
from .function_source import FunctionSource

LONGEST = 8  # of the tuples that permutations and its like give, as types of their own
NAMES: dict[int, str] = {
    id(each): f"{each.__module__.lstrip('_')}.{each.__qualname__}" for each in (
        itertools.chain, itertools.combinations, itertools.combinations_with_replacement, itertools.islice,
        itertools.permutations, itertools.product, itertools.repeat, itertools.tee, itertools.zip_longest,
        operator.itemgetter, operator.attrgetter, operator.methodcaller,
    )
}
NAMES[id(warnings.warn)] = "warnings.warn"
NAMES[id(heapq.merge)] = "heapq.merge"
NAMES[id(functools.partial)] = "functools.partial"
NAMES[id(functools.cmp_to_key)] = "functools.cmp_to_key"

PRELUDES = (  # where `stands_for` marks scripts
    prelude_bisect, prelude_heapq, prelude_itertools, prelude_operators, prelude_random,
)


@dataclass
class LibraryCall:
    """A call of a function of the library: `text` or `function` is its script. `wholes` are arguments that are made
    tuples before the call, as their iterables are consumed then."""

    args: list[syntax.Expression]
    keywords: list[syntax.keyword] = field(default_factory=list)
    text: str = ""
    function: object = None
    wholes: int = 0


class WrongCall(Exception):
    """A call that the library's function does not take, or that no script stands for; with a hint."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def script_of(value: object) -> object:
    """The script that stands for a function of the library however it is called; None if there is none."""
    return prelude_operators.SCRIPTS.get(id(value))


def library_call(name: str, node: syntax.Call) -> LibraryCall | None:
    """The script for a call; None for what is no such function. Raises WrongCall."""
    choose = CHOICES.get(name)
    return None if choose is None else choose(node)


def source_of_text(text: str, where: syntax.Span) -> FunctionSource:
    """A function of our own text."""
    import builtins

    node = parse.parse_source(text, where.file).body[0]
    assert isinstance(node, syntax.FunctionDef)
    for each in syntax.walk(node):
        each.span = where
    return FunctionSource(node.name, node, vars(builtins).__getitem__)


def source_of_partial(value: functools.partial[PyAny], where: syntax.Span) -> FunctionSource:
    """The function that a partial outside the script is."""
    names: dict[str, PyAny] = {"function": value.func}
    names.update(zip(numbered("fixed", len(value.args)), value.args))
    names.update(zip(numbered("given", len(value.keywords)), value.keywords.values()))
    given = "".join(f"{key!r}: given{i}, " for i, key in enumerate(value.keywords))
    positional = "".join(f"{name}, " for name in numbered("fixed", len(value.args)))
    call = f"return function({positional}*args, **{{{given}**keywords}})"
    source = source_of_text(defined("partial", ["*args", "**keywords"], [call]), where)
    source.lookup = names.__getitem__
    return source


def source_of_making(python: PyAny, where: syntax.Span) -> FunctionSource:
    """The function that a class is where it is called without arguments."""
    source = source_of_text(defined("make", [], ["return made()"]), where)
    source.lookup = {"made": python}.__getitem__
    return source


def plain(
    node: syntax.Call, name: str, least: int, most: int, keywords: Sequence[str] = ()
) -> dict[str, syntax.Expression]:
    """The keyword arguments of a call without stars."""
    if any(isinstance(each, syntax.Starred) for each in node.args) or any(k.arg is None for k in node.keywords):
        raise WrongCall(f"'*' in a call of {name}() is not supported in scripts", "write the arguments out")
    unknown = next((each.arg for each in node.keywords if each.arg not in keywords), None)
    if unknown is not None:
        raise WrongCall(f"{name}() got an unexpected keyword argument '{unknown}'")
    if not least <= len(node.args) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise WrongCall(f"{name}() takes {wanted} arguments, got {len(node.args)}")
    return {each.arg: each.value for each in node.keywords if each.arg is not None}


def defined(name: str, params: Sequence[str], lines: Sequence[str]) -> str:
    return f"def {name}({', '.join(params)}):\n" + "".join(f"    {line}\n" for line in lines)


def numbered(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{i}" for i in range(count)]


def tuple_of(names: Sequence[str]) -> str:
    return f"({''.join(f'{name}, ' for name in names)})"


def loops(heads: Sequence[str], inner: Sequence[str]) -> list[str]:
    """Lines in nested blocks."""
    lines = [" " * 4 * depth + head for depth, head in enumerate(heads)]
    return lines + [" " * 4 * len(heads) + line for line in inner]


def chain(node: syntax.Call) -> LibraryCall:
    if len(node.args) == 1 and isinstance(node.args[0], syntax.Starred) and not node.keywords:
        return LibraryCall([node.args[0].value], function=prelude_itertools.chained)
    if any(isinstance(each, syntax.Starred) for each in node.args):
        return chain_of_parts(node)
    plain(node, "chain", 0, 1000)
    names = numbered("iterable", len(node.args))
    lines = [f"yield from {name}" for name in names] or ["yield from ()"]
    return LibraryCall(node.args, text=defined("chain", names, lines))


def chain_of_parts(node: syntax.Call) -> LibraryCall:
    """`chain(first, *rest)`, whose starred arguments are consumed before the call."""
    plain(syntax.Call(node.span, node.func, [], node.keywords), "chain", 0, 0)
    names = numbered("part", len(node.args))
    parts = [whole(each.value) if isinstance(each, syntax.Starred) else each for each in node.args]
    lines: list[str] = []
    for name, each in zip(names, node.args):
        is_starred = isinstance(each, syntax.Starred)
        lines += [f"for each in {name}:", "    yield from each"] if is_starred else [f"yield from {name}"]
    return LibraryCall(parts, text=defined("chain", names, lines))


def whole(node: syntax.Expression) -> syntax.Expression:
    """`[*node]`: the items, consumed now."""
    return syntax.List(node.span, [syntax.Starred(node.span, node)])


def chain_from_iterable(node: syntax.Call) -> LibraryCall:
    plain(node, "chain.from_iterable", 1, 1)
    iterable = node.args[0]
    if isinstance(iterable, (syntax.Tuple, syntax.List)) and not any(
        isinstance(each, syntax.Starred) for each in iterable.elts
    ):
        return chain(syntax.Call(node.span, node.func, iterable.elts, []))
    return LibraryCall([iterable], function=prelude_itertools.chained)


def constant_int(node: syntax.Node | None) -> int | None:
    is_int = isinstance(node, syntax.Constant) and type(node.value) is int
    return node.value if is_int else None  # type: ignore[union-attr]


def product(node: syntax.Call) -> LibraryCall:
    if any(isinstance(each, syntax.Starred) for each in node.args) and not node.keywords:
        return LibraryCall([syntax.List(node.span, node.args)], function=prelude_itertools.products)
    options = plain(node, "product", 0, LONGEST, ("repeat",))
    repeat = constant_int(options["repeat"]) if "repeat" in options else 1
    if repeat is None or repeat < 0 or len(node.args) * repeat > LONGEST:
        pools = syntax.List(node.span, node.args)
        return LibraryCall([pools, options["repeat"]], function=prelude_itertools.products_again)
    count = len(node.args)
    items = numbered("item", count * repeat)
    heads = [f"for {item} in pool{i % count}:" for i, item in enumerate(items)]
    text = defined("product", numbered("pool", count), loops(heads, [f"yield {tuple_of(items)}"]))
    return LibraryCall(node.args, text=text, wholes=count)


def selections(name: str, of_any: object, head: Callable[[int], str], skip: Callable[[int], list[str]]) -> PyAny:
    """A function that selects `r` of the items of a pool by their places; `of_any` where `r` is no constant."""

    def choose(node: syntax.Call) -> LibraryCall:
        options = plain(node, name, 1, 2, ("r",))
        given = node.args[1] if len(node.args) == 2 else options.get("r")
        if given is None and name != "permutations":
            raise WrongCall(f"{name}() missing required argument 'r' (pos 2)")
        r = constant_int(given)
        if r is None or not 0 <= r <= LONGEST:
            return LibraryCall([node.args[0], *([] if given is None else [given])], function=of_any, wholes=1)
        body = [f"yield {tuple_of([f'pool[i{k}]' for k in range(r)])}"]
        for k in reversed(range(r)):
            body = [f"for i{k} in {head(k)}:", *("    " + line for line in [*skip(k), *body])]
        return LibraryCall(node.args[:1], text=defined(name, ["pool"], body), wholes=1)

    return choose


def not_before(k: int) -> list[str]:
    """Goes on where a place is taken already."""
    taken = " or ".join(f"i{k} == i{j}" for j in range(k))
    return [f"if {taken}:", "    continue"] if taken else []


def later(k: int, step: int) -> str:
    return f"range({f'i{k - 1} + {step}' if k else 0}, len(pool))"


def islice(node: syntax.Call) -> LibraryCall:
    plain(node, "islice", 2, 4)
    function = prelude_itertools.first_items if len(node.args) == 2 else prelude_itertools.items_between
    return LibraryCall(node.args, function=function)


def repeat(node: syntax.Call) -> LibraryCall:
    options = plain(node, "repeat", 1, 2, ("times",))
    if len(node.args) == 2 or options:
        return LibraryCall(node.args, node.keywords, function=prelude_itertools.repeated_times)
    return LibraryCall(node.args, function=prelude_itertools.repeated)


def tee(node: syntax.Call) -> LibraryCall:
    options = plain(node, "tee", 1, 2)
    assert not options
    count = constant_int(node.args[1]) if len(node.args) == 2 else 2
    if count is None or count < 0:
        raise WrongCall("the number of iterators that tee() gives must be a constant int here")
    text = defined("tee", ["iterable"], [
        "iterator, saved = iter(iterable), []", "def copy():", "    at = 0", "    while True:",
        "        if at == len(saved):", "            for item in iterator:", "                saved.append(item)",
        "                break", "            else:", "                return", "        yield saved[at]",
        "        at += 1", f"return {tuple_of(['copy()'] * count)}",
    ])
    return LibraryCall(node.args[:1], text=text)


def zip_longest(node: syntax.Call) -> LibraryCall:
    if any(isinstance(each, syntax.Starred) for each in node.args):
        plain(syntax.Call(node.span, node.func, [], node.keywords), "zip_longest", 0, 0, ("fillvalue",))
        return LibraryCall([syntax.List(node.span, node.args)], node.keywords, function=prelude_itertools.longest)
    plain(node, "zip_longest", 0, 64, ("fillvalue",))
    count = len(node.args)
    names, items = numbered("iterable", count), numbered("item", count)
    lines = [f"iterator{i}, goes{i} = iter({name}), True" for i, name in enumerate(names)]
    lines.append("while True:" if count else "yield from ()")
    for i, item in enumerate(items):
        others = " or ".join(f"goes{j}" for j in range(count) if j != i) or "False"
        lines += [
            f"    {item} = fillvalue", f"    if goes{i}:", f"        for {item} in iterator{i}:",
            "            break", "        else:", f"            goes{i} = False", f"            if not ({others}):",
            "                return",
        ]
    if count:
        lines.append(f"    yield {tuple_of(items)}")
    keywords = node.keywords or [syntax.keyword(node.span, "fillvalue", syntax.Constant(node.span, None))]
    return LibraryCall(node.args, keywords, text=defined("zip_longest", [*names, "fillvalue"], lines))


def merge(node: syntax.Call) -> LibraryCall:
    plain(syntax.Call(node.span, node.func, [], node.keywords), "merge", 0, 0, ("key", "reverse"))
    return LibraryCall([syntax.List(node.span, node.args)], node.keywords, function=prelude_heapq.merged)


def warn(node: syntax.Call) -> LibraryCall:
    """The host hears of it, where the line of this call is."""
    return LibraryCall(node.args, node.keywords, function=prelude_printing.warn)


def iterator(node: syntax.Call) -> LibraryCall | None:
    """`iter(function, sentinel)`"""
    return LibraryCall(node.args, function=prelude_itertools.called_until) if len(node.args) == 2 else None


CHOICES: dict[str, Callable[[syntax.Call], LibraryCall | None]] = {
    "iter": iterator,
    "heapq.merge": merge,
    "itertools.chain": chain,
    "itertools.chain.from_iterable": chain_from_iterable,
    "itertools.combinations": selections(
        "combinations", prelude_itertools.combined, lambda k: later(k, 1), lambda k: []),
    "itertools.combinations_with_replacement": selections(
        "combinations_with_replacement", prelude_itertools.combined_again, lambda k: later(k, 0), lambda k: []),
    "itertools.islice": islice,
    "itertools.permutations": selections(
        "permutations", prelude_itertools.permuted, lambda k: "range(len(pool))", not_before),
    "itertools.product": product,
    "itertools.repeat": repeat,
    "itertools.tee": tee,
    "itertools.zip_longest": zip_longest,
    "warnings.warn": warn,
}
