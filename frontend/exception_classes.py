"""User exception classes as scripts see them: their text in the program, and their `__init__` as a function.

In: Python classes that derive from Exception. Out: "Mine<Base<ValueError", unique in the program; for a class with an
`__init__`, a function of its parameters that gives the arguments and the attributes it assigns.
Holds: a class is used only if nothing but its `__init__` decides how its instances behave here; NotSimple says why not.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from . import syntax
from .function_source import FunctionSource

if TYPE_CHECKING:
    from .session import Session

ARGS = "super.args"  # the variable that holds what super().__init__ was given
DECIDING = (
    "__new__", "__str__", "__repr__", "__eq__", "__hash__", "__getattr__", "__getattribute__", "__setattr__",
    "__init_subclass__", "__slots__", "__bool__", "__len__", "args", "with_traceback", "add_note",
)

UNWRITTEN = ("args", "__traceback__", "__cause__", "__context__", "__suppress_context__", "__notes__", "__class__")


class NotSimple(Exception):
    """Why a class cannot be used, and what to write instead."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True)
class Init:
    """`source` gives ((arguments,), (attributes,)). Without `has_args` the positional arguments are those of the call,
    as BaseException.__new__ keeps them."""

    source: FunctionSource
    attributes: tuple[str, ...]
    has_args: bool


class ExceptionClasses:
    """The exception classes that one program mentions."""

    def __init__(self) -> None:
        self.python: dict[str, type[BaseException]] = {}  # by their full text
        self.inits: dict[type, Init | None] = {}
        self._names: dict[type, str] = {}
        self._counts: dict[str, int] = {}

    def name(self, python: type) -> str:
        """The class by itself: "Mine", or "Mine.1" for a second one of that name. NotSimple."""
        if is_builtin(python):
            return python.__name__
        found = self._names.get(python)
        if found is None:
            check_simple(python)
            own = python.__name__
            count = self._counts.get(own, int(hasattr(builtins, own)))
            self._counts[own] = count + 1
            found = self._names[python] = f"{own}.{count}" if count else own
        return found

    def describe(self, python: type) -> str:
        """The class with its bases up to the first builtin one. NotSimple."""
        parts = [self.name(base) for base in python.__mro__ if not is_builtin(base)]
        text = "<".join([*parts, builtin_base(python).__name__])
        if parts:
            self.python[text] = python
        return text


def is_builtin(python: type) -> bool:
    return python.__module__ == "builtins"


def builtin_base(python: type) -> type:
    """The nearest builtin class."""
    return next(base for base in python.__mro__ if is_builtin(base))


def check_simple(python: type) -> None:
    for base in python.__mro__:
        if is_builtin(base):
            return
        if len(base.__bases__) != 1:
            raise NotSimple(f"'{base.__name__}' has several base classes", "derive it from one exception class")
        if type(base) is not type or not base.__name__.isidentifier():
            raise NotSimple(f"'{base.__name__}' is not made by a plain class statement")
        for name in DECIDING:
            if name in base.__dict__:
                raise NotSimple(f"'{base.__name__}' defines {name}", "keep to __init__, which assigns attributes")


def init_of(session: Session, python: type) -> Init | None:
    """The `__init__` that makes instances; None if it is a builtin class's. NotSimple."""
    known = session.exceptions.inits
    if python not in known:
        check_simple(python)
        known[python] = _find_init(session, python)
    return known[python]


def _find_init(session: Session, python: type) -> Init | None:
    owners = [base for base in python.__mro__ if not is_builtin(base) and "__init__" in base.__dict__]
    if not owners:
        return None
    if len(owners) > 1:
        raise NotSimple(
            f"both '{owners[0].__name__}' and its base '{owners[1].__name__}' define __init__",
            "define it in one of them",
        )
    function = owners[0].__dict__["__init__"]
    if not inspect.isfunction(function):
        raise NotSimple("its __init__ is not a plain function")
    written = session.source(function)
    parameters = written.node.args
    if parameters.vararg is not None or parameters.kwarg is not None:
        raise NotSimple("its __init__ has *args or **kwargs", "list the parameters")
    if not parameters.args or parameters.posonlyargs:
        raise NotSimple("its __init__ has no plain 'self'")
    return _Rewriter(python, written, parameters.args[0].arg).init()


class _Rewriter:
    """`__init__` as a function: `super().__init__(a)` becomes `args = (a,)`, `self.x` a variable, the end a return."""

    def __init__(self, python: type, written: FunctionSource, self_name: str) -> None:
        self.python = python
        self.written = written
        self.self_name = self_name
        self.attributes: list[str] = []
        self.has_args = False

    def init(self) -> Init:
        node = self.written.node
        body = [self.top(statement) for statement in node.body]
        span = node.span

        def name(text: str) -> syntax.Name:
            return syntax.Name(span, text)

        args = name(ARGS) if self.has_args else syntax.Tuple(span, [])
        attributes = syntax.Tuple(span, [name(f"self.{attribute}") for attribute in self.attributes])
        body.append(syntax.Return(span, syntax.Tuple(span, [args, attributes])))
        parameters = _rebuilt(node.args, {"args": node.args.args[1:]})
        made = _rebuilt(node, {"args": parameters, "body": body, "returns": None, "type_comment": None,
                               "name": self.python.__name__})
        source = FunctionSource(self.python.__name__, made, self.written.lookup, self.written.defaults)
        return Init(source, tuple(self.attributes), self.has_args)

    def top(self, node: Any) -> Any:
        """A statement of the body itself, which always runs."""
        call = node.value if isinstance(node, syntax.Expr) else None
        if isinstance(call, syntax.Call) and self.is_super_init(call):
            return self.super_init(call)
        if isinstance(node, (syntax.Assign, syntax.AnnAssign)):
            targets = node.targets if isinstance(node, syntax.Assign) else [node.target]
            for target in targets:
                name = self.attribute_name(target)
                if name in UNWRITTEN:
                    raise NotSimple(f"its __init__ assigns '{name}', which Python uses itself")
                if name is not None and name not in self.attributes:
                    if node.value is None:
                        raise NotSimple(f"its __init__ declares '{name}' without a value")
                    self.attributes.append(name)
        return self.rewrite(node)

    def attribute_name(self, node: Any) -> str | None:
        """The `x` of `self.x`."""
        return node.attr if isinstance(node, syntax.Attribute) and self.is_self(node.value) else None

    def is_self(self, node: Any) -> bool:
        return isinstance(node, syntax.Name) and node.id == self.self_name

    def is_super_init(self, call: syntax.Call) -> bool:
        function = call.func
        if not isinstance(function, syntax.Attribute) or function.attr != "__init__":
            return False
        owner = function.value
        is_super = isinstance(owner, syntax.Call) and isinstance(owner.func, syntax.Name) and owner.func.id == "super"
        return is_super or (isinstance(owner, syntax.Name) and bool(call.args) and self.is_self(call.args[0]))

    def super_init(self, call: syntax.Call) -> syntax.Node:
        assert isinstance(call.func, syntax.Attribute)
        args = list(call.args)
        if not isinstance(call.func.value, syntax.Call):
            args = args[1:]
        if call.keywords or any(isinstance(argument, syntax.Starred) for argument in args):
            raise NotSimple("its __init__ passes keywords or '*' to the base class", "pass the arguments one by one")
        self.has_args = True
        whole = syntax.Tuple(call.span, [self.rewrite(argument) for argument in args])
        return syntax.Assign(call.span, [syntax.Name(call.span, ARGS)], whole)

    def rewrite(self, node: Any) -> Any:
        """A copy in which `self.x` is a variable."""
        if isinstance(node, list):
            return [self.rewrite(item) for item in node]
        if isinstance(node, tuple) and not isinstance(node, syntax.Span):
            return tuple(self.rewrite(item) for item in node)
        if not isinstance(node, syntax.Node):
            return node
        name = self.attribute_name(node)
        if name is not None:
            if name not in self.attributes:
                raise NotSimple(f"its __init__ uses or assigns 'self.{name}' other than once and for all",
                                "assign attributes in the body of __init__ itself, not in branches")
            return syntax.Name(node.span, f"self.{name}")
        if self.is_self(node) or isinstance(node, (syntax.Return, syntax.FunctionDef, syntax.Lambda)):
            raise NotSimple("its __init__ does more than assign attributes",
                            "keep to self.x = ... and super().__init__(...)")
        if isinstance(node, syntax.Call) and self.is_super_init(node):
            raise NotSimple("its __init__ calls the base class's in a branch", "call it in the body of __init__ itself")
        return _rebuilt(node, {f.name: self.rewrite(getattr(node, f.name)) for f in fields(node) if f.name != "span"})


def _rebuilt(node: Any, changes: dict[str, Any]) -> Any:
    assert is_dataclass(node)
    make: Callable[..., Any] = type(node)
    return make(**{f.name: changes.get(f.name, getattr(node, f.name)) for f in fields(node)})
