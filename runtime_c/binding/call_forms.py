"""How Python calls a method, beyond the names, types and constant defaults of its parameters.

In: a program's metadata and its methods as the file has them. Out: methods whose parameters know of `*args`, `**kwargs`
and `/`, and of defaults that are no constants. Holds: such a default is what a method without parameters gives, which
is no method to callers; what the metadata says that does not fit the methods says nothing.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .schema import SchemaType

SHARES = "*"  # resident of a method that may leave Python and the state the same containers or instances
CALL_FORMS = "tsm.call_forms"  # in the metadata: by method, a CallForm's fields
PLAIN, POSITIONAL_ONLY, STAR, KEYWORDS = "", "/", "*", "**"


class _Made:
    """Stands for a default that is made when a call first needs it."""

    def __repr__(self) -> str:
        return "..."


MADE = _Made()


@dataclass(frozen=True, slots=True)
class ParamInfo:
    """`form`: PLAIN, POSITIONAL_ONLY, or STAR and KEYWORDS for the tuple and the dict of what no other parameter takes;
    `maker` gives the default, which is MADE here."""

    name: str
    type: SchemaType
    has_default: bool = False
    default: Any = None
    is_keyword_only: bool = False
    form: str = PLAIN
    maker: MethodInfo | None = None


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """An entry point. `mutates` are the positions of parameters that a call may change; `residents` the names of those
    that it may keep, which are tsm.List or tsm.Dict, and "return" if its result is one that it may keep."""

    index: int
    name: str
    doc: str
    params: tuple[ParamInfo, ...]
    result: SchemaType
    mutates: frozenset[int]
    residents: frozenset[str] = frozenset()


def maker_name(method: str, param: str) -> str:
    """The method that gives a default."""
    return f"{method}.{param}"


def is_maker(method: str, methods: Container[str]) -> bool:
    """Whether it gives a default of another of the methods; a dot is in the names of those of submodules too."""
    return method.rpartition(".")[0] in methods


def written_forms(forms: Mapping[str, Mapping[str, Any]]) -> str:
    """The metadata's text: for each method {"star": name, "keywords": name, "positional_only": count, "made": names},
    of which only what there is."""
    return json.dumps(forms)


def with_forms(methods: Iterable[MethodInfo], text: str) -> tuple[MethodInfo, ...]:
    """The methods that callers see."""
    by_name = {info.name: info for info in methods}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    forms = found if isinstance(found, dict) else {}
    made = [_with_form(info, forms.get(name), by_name) for name, info in by_name.items()]
    makers = {param.maker.name for info in made for param in info.params if param.maker is not None}
    return tuple(info for info in made if info.name not in makers)


def _with_form(info: MethodInfo, form: Any, by_name: Mapping[str, MethodInfo]) -> MethodInfo:
    if not isinstance(form, dict):
        return info
    params = [_with_maker(info, param, by_name) if _holds(form.get("made"), param.name) else param
              for param in info.params]
    count = form.get("positional_only", 0)
    for position in range(count if type(count) is int else 0):
        if position < len(params) and not params[position].is_keyword_only:
            params[position] = replace(params[position], form=POSITIONAL_ONLY)
    ordered = [param for param in params if not param.is_keyword_only]
    if ordered and ordered[-1].name == form.get("star") and ordered[-1].type.kind == "tuple...":
        params[len(ordered) - 1] = replace(ordered[-1], form=STAR)
    last = params[-1] if params else None
    if last is not None and last.is_keyword_only and last.name == form.get("keywords") and _is_dict_of_names(last.type):
        params[-1] = replace(last, form=KEYWORDS)
    optional = [param.has_default for param in params if not param.is_keyword_only]
    return replace(info, params=tuple(params)) if optional == sorted(optional) else info


def _holds(names: Any, name: str) -> bool:
    return isinstance(names, list) and name in names


def _is_dict_of_names(kind: SchemaType) -> bool:
    return kind.kind == "dict" and not kind.name and kind.args[0].kind == "str"


def _with_maker(info: MethodInfo, param: ParamInfo, by_name: Mapping[str, MethodInfo]) -> ParamInfo:
    maker = by_name.get(maker_name(info.name, param.name))
    if param.has_default or maker is None or maker.params or maker.result != param.type:
        return param
    return replace(param, has_default=True, default=MADE, maker=maker)
