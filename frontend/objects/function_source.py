"""Functions as the compiler sees them: syntax, the namespace its names are looked up in, defaults.

In: Python functions, or definitions of a parsed source text. Out: `FunctionSource`.
Holds: globals, closures and defaults are read once, when the function is compiled (D10).
"""

from __future__ import annotations

import builtins
import contextlib
import inspect
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any as PyAny

from ...ir.types import Type
from ..parser import syntax
from ..parser.function_attributes import keep_attributes_in_variables
from ..parser.liveness import Liveness, Names, names_read, names_stored

Lookup = Callable[[str], PyAny]
ClassTypeOf = Callable[[PyAny], "Type | None"]
_MISSING = object()


def no_class(python: PyAny) -> Type | None:
    """Where no classes are known."""
    return None


@dataclass(eq=False)
class FunctionSource:
    """A function definition with its surroundings. `owner`: the class whose method it is, for `super()`."""

    name: str
    node: syntax.FunctionDef
    lookup: Lookup  # a name's Python object, or FunctionSource; KeyError
    defaults: dict[str, PyAny] = field(default_factory=dict)
    owner: type | None = None
    python: PyAny = None
    definition: syntax.Node | None = None  # in the function around it: its statement or lambda
    class_type: ClassTypeOf = no_class  # the type of a class that an annotation names
    is_generated: bool = False  # of a method that dataclasses wrote
    is_manager: bool = False  # marked contextlib.contextmanager
    refined_result: Type | None = None  # what is returned, where a subclass of the declared class is
    qualname: str = ""  # where no Python function tells it
    forms: list[tuple[object, ...]] | None = None  # of the first call, where a cache that tells them apart would show
    is_cached: bool = False  # it stands for what `functools.cache` made
    identity: PyAny = None  # where its definition leaves what tells its functions apart, as a default is left
    has_overloads: bool = False  # annotations tell nothing that the arguments of a call do not tell better
    unseen: int = 0  # parameters in front that messages count and `node` does not have

    def __post_init__(self) -> None:
        if self.definition is None:
            keep_attributes_in_variables(self.node)
        kwarg = self.node.args.kwarg
        if kwarg is not None and not self.is_ignored and not is_copied(self.node, kwarg) and self.changes_keywords:
            self.copy_keywords(kwarg)

    def copy_keywords(self, kwarg: syntax.arg) -> None:
        """Puts `kwargs = {**kwargs}` in front of a body that changes the dict: a variable of its own, which takes
        values of any type."""
        own = syntax.Name(kwarg.span, kwarg.arg)
        copy = syntax.Assign(kwarg.span, [own], syntax.Dict(kwarg.span, [None], [own]), None)
        self.node.body.insert(1 if self.doc else 0, copy)

    @property
    def doc(self) -> str:
        first = self.node.body[0] if self.node.body else None
        if isinstance(first, syntax.Expr) and isinstance(first.value, syntax.Constant):
            if isinstance(first.value.value, str):
                return inspect.cleandoc(first.value.value)
        return ""

    @property
    def qualified(self) -> str:
        """`__qualname__`, which messages of CPython begin with."""
        own = f"{self.owner.__qualname__}.{self.name}" if self.owner is not None else self.name
        return str(self.qualname or getattr(self.python, "__qualname__", own))

    @property
    def params(self) -> list[syntax.arg]:
        """Positional ones, then keyword-only ones."""
        return [*self.node.args.posonlyargs, *self.node.args.args, *self.node.args.kwonlyargs]

    @property
    def positional_count(self) -> int:
        return len(self.node.args.posonlyargs) + len(self.node.args.args)

    def is_keyword_only(self, index: int) -> bool:
        return index >= self.positional_count

    def is_positional_only(self, index: int) -> bool:
        return index < len(self.node.args.posonlyargs)

    @cached_property
    def liveness(self) -> Liveness:
        return Liveness(list(self.node.body))

    @cached_property
    def locals(self) -> Names:
        """Names that are local: parameters and whatever the body stores."""
        outer = {
            name for node in own_nodes(self.node) if isinstance(node, (syntax.Global, syntax.Nonlocal))
            for name in node.names
        }
        params = {param.arg for param in self.node.args.all}
        return (names_stored(self.node.body) - outer) | params

    @property
    def is_ignored(self) -> bool:
        """Whether it stays with the host: its body is no matter of ours."""
        return getattr(self.python, "__tsm_mark__", None) == "ignore"

    @cached_property
    def is_generator(self) -> bool:
        if self.is_ignored:
            return False
        return any(isinstance(node, (syntax.Yield, syntax.YieldFrom)) for node in own_nodes(self.node))

    @cached_property
    def rebound(self) -> Names:
        """Names that functions defined in this one declare nonlocal."""
        own = set(own_nodes(self.node))
        return frozenset(
            name for node in syntax.walk(self.node) if isinstance(node, syntax.Nonlocal) and node not in own
            for name in node.names
        )

    @cached_property
    def has_open_params(self) -> bool:
        """Whether a call decides the type of some parameter."""
        own = self.node.args.all[1:] if self.owner is not None else self.node.args.all
        return any(param.annotation is None for param in own)

    @cached_property
    def first_choice(self) -> tuple[int, int] | None:
        """Where the first part of the body stands that may be left out, as line and column."""
        found = ((node.span.line, node.span.column) for node in own_nodes(self.node) if isinstance(node, CHOICES))
        return min(found, default=None)

    @cached_property
    def changes_keywords(self) -> bool:
        """Whether `**kwargs` has to be a dict at run time: it is changed, returned or kept."""
        kwarg = self.node.args.kwarg
        return kwarg is not None and any(is_use_of_dict(node, kwarg.arg) for node in syntax.walk(self.node))

    @cached_property
    def keyword_tables(self) -> Names:
        """Variables that are assigned once, by a statement of the body itself, and only read as `**name` in calls."""
        if self.is_generator:
            return frozenset()
        spread = {
            id(keyword.value) for node in own_nodes(self.node) if isinstance(node, syntax.Call)
            for keyword in node.keywords if keyword.arg is None
        }
        found = [node for node in syntax.walk(self.node) if isinstance(node, syntax.Name)]
        read = {node.id for node in found if id(node) in spread}
        targets = [target for node in self.node.body for target in assigned_alone(node)]
        others = [node.id for node in found if id(node) not in spread]
        return frozenset(name for name in read if name in targets and others.count(name) == 1)

    @property
    def all_params(self) -> list[syntax.arg]:
        """Positional ones, keyword-only ones, `*args`, `**kwargs`."""
        return self.node.args.all


def is_copied(node: syntax.FunctionDef, kwarg: syntax.arg) -> bool:
    """Whether a body begins with a copy of its keyword arguments."""
    return any(isinstance(each, syntax.Assign) and each.span == kwarg.span for each in node.body[:2])


CHOICES = (
    syntax.If, syntax.IfExp, syntax.BoolOp, syntax.Match, syntax.Try, syntax.For, syntax.While, syntax.ListComp,
    syntax.SetComp, syntax.DictComp, syntax.GeneratorExp,
)
CHANGES = frozenset(("clear", "pop", "popitem", "setdefault", "update"))


def is_use_of_dict(node: syntax.Node, name: str) -> bool:
    """Whether a node changes the dict that a variable holds, or gives it another name."""

    def is_it(part: syntax.Node | None) -> bool:
        return isinstance(part, syntax.Name) and part.id == name

    if isinstance(node, syntax.Attribute):
        return node.attr in CHANGES and is_it(node.value)
    if isinstance(node, (syntax.Assign, syntax.Delete)):
        changed = [each for each in node.targets if isinstance(each, syntax.Subscript) and is_it(each.value)]
        return bool(changed) or isinstance(node, syntax.Assign) and is_it(node.value)
    if isinstance(node, syntax.AugAssign):
        return is_it(node.target) or isinstance(node.target, syntax.Subscript) and is_it(node.target.value)
    if isinstance(node, (syntax.Return, syntax.NamedExpr, syntax.Yield)):
        return is_it(node.value)
    if isinstance(node, syntax.IfExp):
        return is_it(node.body) or is_it(node.orelse)
    if isinstance(node, syntax.BoolOp):
        return any(map(is_it, node.values))
    if isinstance(node, (syntax.List, syntax.Tuple)):
        return any(map(is_it, node.elts))
    if isinstance(node, syntax.Dict):
        return any(key is not None and is_it(value) for key, value in zip(node.keys, node.values))
    return isinstance(node, syntax.Call) and isinstance(node.func, syntax.Attribute) and any(map(is_it, node.args))


def assigned_alone(node: syntax.Node) -> list[str]:
    """The variable that an assignment of one value to one name stores."""
    targets = node.targets if isinstance(node, syntax.Assign) else [node.target] if (
        isinstance(node, syntax.AnnAssign)) else []
    return [each.id for each in targets if isinstance(each, syntax.Name)] if len(targets) == 1 else []


_SCOPES = (*syntax.FUNCTIONS, syntax.ClassDef)


def own_nodes(function: syntax.Node) -> Iterator[syntax.Node]:
    """The nodes of a function's body, without those of functions and classes defined in it."""
    pending: list[syntax.Node] = list(function.body) if isinstance(function, syntax.FunctionDef) else [function]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _SCOPES):
            pending.extend(syntax.child_nodes(node))


def managing_generator(function: PyAny) -> PyAny:
    """The generator function that contextlib.contextmanager made a function of; None for any other object."""
    made = inspect.isfunction(function) and function.__code__ is _MANAGER_CODE
    return function.__wrapped__ if made else None


def has_overloads(function: PyAny) -> bool:
    """Whether `typing.overload` gave a function signatures."""
    return bool(OVERLOADS(function))


OVERLOADS = getattr(typing, "get_overloads", lambda function: ())  # Python 3.10 does not keep them
_MANAGER_CODE = contextlib.contextmanager(lambda: iter(())).__code__


def calls_itself(source: FunctionSource) -> bool:
    """Whether the body of a function outside the script mentions the function."""
    def is_itself(name: str) -> bool:
        try:
            return source.lookup(name) is source.python
        except KeyError:
            return False

    return source.python is not None and any(map(is_itself, names_read(source.node) - source.locals))


def python_lookup(function: PyAny, owner: type | None = None) -> Lookup:
    """How a Python function's free names are found: closure, globals, builtins; in strings of annotations of a class
    that a function defined, the class."""
    code = function.__code__
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))

    def lookup(name: str) -> PyAny:
        if name in cells:
            try:
                return cells[name].cell_contents
            except ValueError:
                raise KeyError(name) from None
        if name in function.__globals__:
            return function.__globals__[name]
        if owner is not None and owner.__qualname__.endswith(f"<locals>.{name}"):
            return owner
        return vars(builtins)[name]

    return lookup


def python_defaults(function: PyAny) -> dict[str, PyAny]:
    """Defaults by parameter name."""
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    found = dict(zip(positional[len(positional) - len(defaults) :], defaults))
    found.update(function.__kwdefaults__ or {})
    return found


def looked_up(source: FunctionSource, node: syntax.Node) -> PyAny:
    """What a dotted name means in the surroundings of a function."""
    if isinstance(node, syntax.Attribute):
        owner = looked_up(source, node.value)
        return getattr(owner, node.attr, _MISSING) if isinstance(owner, types.ModuleType) else _MISSING
    if not isinstance(node, syntax.Name):
        return _MISSING
    try:
        return source.lookup(node.id)
    except KeyError:
        return getattr(builtins, node.id, _MISSING)
