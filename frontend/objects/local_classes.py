"""Classes that a function defines: made once, when the function is compiled, as those of a module are.

In: a class statement, the function around it, and the classes defined there before. Out: the Python class.
Holds: its body only declares, and uses no variables of the function but such classes: then each run of the statement
makes the same class. What its methods use of the function's variables, its instances have: `Taken` stands for it.
"""

from __future__ import annotations
import __future__

import ast
import dis
import inspect
import linecache
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any as PyAny

from ..parser import syntax
from .function_source import FunctionSource

_DECLARES = (ast.FunctionDef, ast.Assign, ast.AnnAssign, ast.Pass, ast.ClassDef)
_LIBRARY = ("dataclasses", "enum", "typing", "functools", "collections", "abc", "builtins", "math", "operator")
_READS = ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL")


@dataclass(eq=False)
class Taken:
    """A variable of the function around a class, to the methods of the class."""

    name: str
    python: type | None = None

    @property
    def attribute(self) -> str:
        """Of the instances of the class: no name of Python's."""
        return f"<{self.name}>"


class NotLocal(Exception):
    """A class that depends on a run of its function; the text says why."""


def local_class(
    node: syntax.ClassDef, source: FunctionSource, known: Mapping[str, type], is_variable: Callable[[str], bool],
    is_taken: Callable[[str], bool],
) -> tuple[type, list[Taken]]:
    """The class of a statement, and what its methods take from the function around it. Raises NotLocal."""
    outer = source.qualified
    wrapper = _wrapped(node, outer.rpartition(".")[2])
    try:
        code = _compiled(wrapper, source)
    except SyntaxError:  # without the function around it, a name that is declared nonlocal is nowhere
        name = next(filter(is_variable, _names_declared(wrapper)), "?")
        raise NotLocal(f"a method of the class '{node.name}' assigns '{name}', a variable of the function around it"
                       ) from None
    names = dict.fromkeys(_names_read(code))
    variables = [name for name in names if name not in known and is_variable(name)]
    whole = {*_names_read(code, False), *_names_declared(wrapper)}
    variable = next((name for name in variables if name in whole or not is_taken(name)), None)
    if variable is not None:
        raise NotLocal(f"the class '{node.name}' uses '{variable}', a variable of the function around it")
    namespace = dict(getattr(source.python, "__globals__", {}))
    for name in names:
        try:
            namespace.setdefault(name, source.lookup(name))
        except KeyError:
            continue
    _check_calls(wrapper.body[0].body[0], namespace)  # type: ignore[attr-defined]
    taken = [Taken(name) for name in variables]
    around: dict[str, PyAny] = {name: known[name] for name in names if name in known}
    around.update((each.name, each) for each in taken)
    wrapper.body[0].args.args = [ast.arg(name) for name in around]  # type: ignore[attr-defined]
    try:
        exec(_compiled(ast.fix_missing_locations(wrapper), source), namespace)
        made = namespace[wrapper.body[0].name](**around)  # type: ignore[attr-defined]
    except Exception as error:  # whatever the class statement raises
        raise NotLocal(f"the class '{node.name}' cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(made, type):
        raise NotLocal(f"a decorator makes no class of '{node.name}'")
    namespace.update(around, **{node.name: made})  # for annotations that are texts
    _rename(made, f"{outer.rpartition('.')[2]}.<locals>.", f"{outer}.<locals>.")
    for each in taken:
        each.python = made
    return made, taken


def _names_declared(wrapper: ast.Module) -> Iterator[str]:
    """Names that functions declare as another's, to assign them."""
    for each in ast.walk(wrapper):
        if isinstance(each, ast.Nonlocal):
            yield from each.names


def _compiled(wrapper: ast.Module, source: FunctionSource) -> CodeType:
    flags = getattr(getattr(source.python, "__code__", None), "co_flags", 0) & __future__.annotations.compiler_flag
    found: CodeType = compile(wrapper, source.node.span.file, "exec", flags=flags, dont_inherit=True)
    return found


def _wrapped(node: syntax.ClassDef, name: str) -> ast.Module:
    """The statement as the body of a function that returns the class, at the lines of its file."""
    first = min((each.span.line for each in node.decorator_list), default=node.span.line)
    text = "".join(linecache.getlines(node.span.file)[first - 1 : node.span.end_line])
    try:
        found = ast.parse(textwrap.dedent(text)).body[0]
    except (SyntaxError, IndexError):
        raise NotLocal(f"the text of the class '{node.name}' is not known") from None
    if not isinstance(found, ast.ClassDef):
        raise NotLocal(f"the text of the class '{node.name}' is not known")
    _check_body(found)
    safe = name if name.isidentifier() else "function"
    result = ast.Return(ast.Name(found.name, ast.Load()))
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    wrapper = ast.Module([ast.FunctionDef(safe, none, [found, result], [], None)], [])
    return ast.increment_lineno(ast.fix_missing_locations(wrapper), first - 1)


def _check_body(found: ast.ClassDef) -> None:
    for each in found.body:
        is_doc = isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        if not isinstance(each, _DECLARES) and not is_doc:
            raise NotLocal(f"the body of the class '{found.name}' does more than to declare")
        if isinstance(each, ast.ClassDef):
            _check_body(each)


def _check_calls(found: ast.ClassDef, namespace: Mapping[str, PyAny]) -> None:
    """What the statement calls when it runs must be functions of Python's own, which do the same each time."""
    pending: list[ast.AST] = [*found.decorator_list, *found.body, *found.bases, *found.keywords]
    called = [each.func if isinstance(each, ast.Call) else each for each in found.decorator_list]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.FunctionDef):
            called += [part.func if isinstance(part, ast.Call) else part for part in each.decorator_list]
            pending += [*each.args.defaults, *filter(None, each.args.kw_defaults), *each.decorator_list]
            continue
        if isinstance(each, ast.Call):
            called.append(each.func)
        pending.extend(ast.iter_child_nodes(each))
    for function in called:
        while isinstance(function, ast.Attribute):
            function = function.value
        held = namespace.get(function.id) if isinstance(function, ast.Name) else None
        if held is not None and (getattr(held, "__module__", None) or held.__name__).partition(".")[0] not in _LIBRARY:
            raise NotLocal(f"the class '{found.name}' calls '{ast.unparse(function)}' when it is made")


def _names_read(code: CodeType, with_methods: bool = True) -> Iterator[str]:
    """Names that code takes from outside, without what class bodies give themselves."""
    own = {each.argval for each in dis.get_instructions(code) if each.opname == "STORE_NAME"}
    for each in dis.get_instructions(code):
        if each.opname in _READS and each.argval not in own:
            yield each.argval
    for constant in code.co_consts:
        is_method = isinstance(constant, CodeType) and constant.co_flags & inspect.CO_NEWLOCALS and (
            not constant.co_name.startswith("<") and code.co_name != "<module>")
        if isinstance(constant, CodeType) and (with_methods or not is_method):
            yield from _names_read(constant, with_methods)


def _rename(python: type, start: str, new: str) -> None:
    """Qualified names as the class statement in its function gives them."""
    if start == new or not python.__qualname__.startswith(start):
        return
    python.__qualname__ = new + python.__qualname__.removeprefix(start)
    for value in vars(python).values():
        parts: tuple[PyAny, ...] = (value, getattr(value, "__func__", None), *(
            (value.fget, value.fset) if isinstance(value, property) else ()))
        for part in parts:
            if isinstance(part, FunctionType) and part.__qualname__.startswith(start):
                part.__qualname__ = new + part.__qualname__.removeprefix(start)
            elif isinstance(part, type):
                _rename(part, start, new)
