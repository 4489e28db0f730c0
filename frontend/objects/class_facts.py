"""What a Python class says of itself before anything is compiled: whether scripts take it, what it declares.

In: classes. Out: the reason why one is refused, its methods by name, the attributes that its methods assign.
Holds: nothing here makes types; a class is looked at as it is when the script is compiled (D10).
"""

from __future__ import annotations

import abc
import builtins
import collections
import dataclasses
import enum
import inspect
import os
import sys
import typing
from collections.abc import Iterator
from types import FunctionType, GenericAlias
from typing import Any as PyAny

from ..parser import syntax
from .exception_classes import NotSimple, check_simple, is_builtin_exception

MISSING = object()
_FOREIGN = frozenset(("builtins", "typing", "typing_extensions", "abc", "collections", "numpy", "torch", "enum"))
_STANDARD_LIBRARY = os.path.dirname(os.__file__)
_OWN = __name__.split(".", maxsplit=1)[0]
_REFUSED = {
    "__getattr__": "'__getattr__' is not supported: attributes are not made up when they are read; write a method",
    "__getattribute__": "'__getattribute__' is not supported: a class cannot intercept reading; write a property",
    "__setattr__": "'__setattr__' is not supported: a class cannot intercept assignment; write a property",
    "__delattr__": "'__delattr__' is not supported: a class cannot intercept deletion",
    "__del__": "'__del__' is not supported: when an instance ends is not defined; write a method and call it",
    "__new__": "'__new__' is not supported; write __init__, or a class method that makes the instance",
}
_OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift",
)
SPOKEN = tuple(f"__{name}__" for name in (  # the special methods that enums and named tuples may have of their own
    *_OPERATORS, *(f"r{each}" for each in _OPERATORS), "str", "repr", "format", "bool", "len", "contains", "call",
    "abs", "int", "float", "index", "neg", "pos", "invert", "lt", "le", "gt", "ge", "eq", "ne",
    "hash",
))
_STRUCTURAL = (object, abc.ABC, typing.Generic, typing.Protocol)


def is_module_class(python: PyAny) -> bool:
    """Whether it looks like a subclass of nn.Module."""
    return isinstance(python, type) and hasattr(python, "named_parameters") and hasattr(python, "state_dict")


def is_namespace(value: PyAny) -> bool:
    """Whether it is an object that only has attributes, as settings that were parsed."""
    kind = type(value)
    is_ours = getattr(kind, "__tsm_namespace__", False) is True
    return is_ours or (kind.__module__, kind.__name__) in (("types", "SimpleNamespace"), ("argparse", "Namespace"))


def is_root_of_modules(python: PyAny) -> bool:
    """Whether it is a class that every compiled module is an instance of."""
    if not is_module_class(python):
        return python is object
    return "__tsm_is_base__" in vars(python) or not any(map(is_module_class, python.__mro__[1:]))


def is_enum(python: PyAny) -> bool:
    return isinstance(python, enum.EnumMeta)


def is_named_tuple(python: PyAny) -> bool:
    """typing.NamedTuple and collections.namedtuple."""
    return isinstance(python, type) and issubclass(python, tuple) and hasattr(python, "_fields")


def special_method(python: type, allowed: tuple[str, ...] = ()) -> str | None:
    """A special method that an enum or a named tuple has of its own: operators of these types do not ask for it."""
    for base in python.__mro__:
        for name, value in vars(base).items():
            is_special = name.startswith("__") and name.endswith("__")
            function = inspect.unwrap(getattr(value, "__func__", value)) if is_special else None
            if name in ("__init__", "__new__", *allowed) or not inspect.isfunction(function):
                continue
            if not is_of_library(function):
                return name
    return None


def is_own_member(found: tuple[type, PyAny] | None) -> bool:
    """Whether what a class defines is a function of the user's, or one that is static or of the class."""
    function = getattr(found[1], "__func__", found[1]) if found is not None else None
    return inspect.isfunction(function) and not is_of_library(function)


def is_of_library(function: FunctionType) -> bool:
    """Whether the function is what the standard library put into an enum or a named tuple."""
    return function.__code__.co_filename in (enum.__file__, collections.__file__, typing.__file__)


def is_protocol(python: PyAny) -> bool:
    if not isinstance(python, type):
        return False
    return bool(getattr(python, "_is_protocol", False)) or "__tsm_interface__" in vars(python)


def is_plain_class(python: object) -> bool:
    """Whether Python's isinstance takes it: a class, but none of typing's constructs."""
    return isinstance(python, type) and python.__module__ != "typing"


def is_runtime_protocol(python: PyAny) -> bool:
    """Whether `isinstance` takes it, and asks for its members."""
    return isinstance(python, type) and bool(getattr(python, "_is_runtime_protocol", False)) and is_protocol(python)


def protocol_members(python: type) -> list[str]:
    """The names of the methods and attributes that a protocol asks for."""
    members: PyAny = typing
    return sorted(members._get_protocol_attrs(python))


def is_generic(python: PyAny) -> bool:
    """Whether it is a user's class with type variables that are not bound."""
    return is_script_class(python) and bool(getattr(python, "__parameters__", ()))


def takes_any_arguments(python: PyAny) -> bool:
    """Whether `C[int]` is but another way to write a user's class: `__class_getitem__ = classmethod(GenericAlias)`."""
    found = find(python, "__class_getitem__") if is_script_class(python) else None
    return found is not None and getattr(found[1], "__func__", None) is GenericAlias


def is_script_class(python: PyAny) -> bool:
    """Whether instances of it may be values of scripts: a user's class, but no module, enum or tuple."""
    if not isinstance(python, type) or is_enum(python) or is_named_tuple(python) or is_protocol(python):
        return False
    is_foreign = _is_foreign(python.__module__) and not getattr(python, "__tsm_compiles__", False)
    if is_foreign or is_module_class(python):
        return False
    return not issubclass(python, (list, dict, set, frozenset, str, bytes, int, float, complex, tuple))


def is_instance(value: PyAny) -> bool:
    """Whether it is an instance of a script class, of which scripts can make copies."""
    return is_script_class(type(value)) and not isinstance(value, BaseException) and refusal(type(value)) is None


def instance_values(value: PyAny) -> dict[str, PyAny]:
    """The attributes of an instance that are its own, in the order in which it got them."""
    slots = [name for base in reversed(type(value).__mro__) for name in _slots(base)]
    found = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return {**found, **getattr(value, "__dict__", {})}


def _slots(base: type) -> tuple[str, ...]:
    names = base.__dict__.get("__slots__", ())
    names = (names,) if isinstance(names, str) else tuple(names)
    return tuple(mangled(name, base) for name in names if name not in ("__dict__", "__weakref__"))


def _is_foreign(name: str) -> bool:
    """Whether a module is a library's: of Python's own, only if no module of the user's hides it."""
    top = name.partition(".")[0]
    if top in (*_FOREIGN, _OWN):
        return True
    file = getattr(sys.modules.get(top), "__file__", None)
    return top in sys.stdlib_module_names and (file is None or file.startswith(_STANDARD_LIBRARY))


def refusal(python: type) -> str | None:
    """Why instances of a class cannot be used."""
    if type(python) not in (type, abc.ABCMeta, type(typing.Protocol)):
        return f"the metaclass '{type(python).__name__}' is not supported"
    bases = [base for base in python.__mro__[1:] if not is_structural(base) and not is_protocol(base)]
    foreign = next((base for base in bases if not is_script_class(base)), None)
    if foreign is not None:
        return f"its base class '{foreign.__name__}' is not supported in scripts"
    for base in (python, *bases):
        for name, reason in _REFUSED.items():
            if name in base.__dict__ and not (name == "__setattr__" and is_generated(base, name)):
                if not (name == "__delattr__" and is_generated(base, name)):
                    return reason
        if (descriptor := _descriptor(base)) is not None:
            return f"attribute '{descriptor}' is a descriptor of a class of its own; write a property"
    try:
        if issubclass(python, BaseException):
            check_simple(python)
    except NotSimple as problem:
        return str(problem)
    return None


def _descriptor(base: type) -> str | None:
    """An attribute of a class that a user's class with `__get__` or `__set__` stands behind."""
    return next((name for name, value in base.__dict__.items() if is_script_class(type(value)) and (
        hasattr(type(value), "__get__") or hasattr(type(value), "__set__"))), None)


def is_structural(base: type) -> bool:
    """Whether a base class has no script: object's, and the builtin exceptions', are known."""
    return base in _STRUCTURAL or is_builtin_exception(base)


def find(python: type, name: str) -> tuple[type, PyAny] | None:
    """The class of the order of resolution that defines a name, and what it defines; object's are left out."""
    for base in python.__mro__:
        if not is_structural(base) and name in base.__dict__ and not is_constructor_of_protocol(base.__dict__[name]):
            return base, base.__dict__[name]
    return None


def is_constructor_of_protocol(function: PyAny) -> bool:
    """Whether it is what typing gives every protocol as `__init__`: it looks for that of the next class."""
    return getattr(function, "__name__", "") == "_no_init_or_replace_init" and is_of_library(function)


def find_method(python: type, name: str) -> tuple[type, PyAny] | None:
    """The same for a plain function of the user's: a special method that is None is as good as missing."""
    found = find(python, name)
    if found is None or not inspect.isfunction(found[1]) or is_of_library(found[1]):
        return None
    return found


def is_generated(base: type, name: str) -> bool:
    """Whether a method was written by dataclasses."""
    found: PyAny = base.__dict__.get(name)
    function = inspect.unwrap(found)  # __repr__ is wrapped against recursion
    code = getattr(function, "__code__", None)
    return "__dataclass_fields__" in base.__dict__ and code is not None and code.co_filename == "<string>"


def is_frozen(python: type) -> bool:
    params = getattr(python, "__dataclass_params__", None)
    return dataclasses.is_dataclass(python) and bool(getattr(params, "frozen", False))


def key_fields(python: type) -> tuple[str, ...] | None:
    """What makes instances equal as keys of dicts: the fields of a dataclass, nothing if each is equal to itself only.
    None if they are not hashable, or if methods of their own say it."""
    equal, hashed = find(python, "__eq__"), find(python, "__hash__")
    if equal is None and hashed is None:
        return ()
    if equal is None or hashed is None or equal[0] is not hashed[0]:
        return None
    base = equal[0]
    if not (is_generated(base, "__eq__") and is_generated(base, "__hash__")):
        return None
    fields = dataclasses.fields(base)
    is_plain = all(field.hash in (None, field.compare) for field in fields)
    return tuple(field.name for field in fields if field.compare) or None if is_plain else None


def hashes_itself(python: type) -> bool:
    """Whether instances are keys by methods that only scripts can call."""
    return key_fields(python) is None and find_method(python, "__hash__") is not None


def is_abstract(python: type) -> bool:
    return inspect.isabstract(python)


def subclasses(python: type) -> list[type]:
    """All classes below it that there are now, nearest first."""
    found: dict[type, None] = {}
    pending: list[type] = list(python.__subclasses__())
    while pending:
        each = pending.pop(0)
        if each not in found:
            found[each] = None
            pending.extend(each.__subclasses__())
    return list(found)


def mangled(name: str, owner: type | None) -> str:
    """`__x` in the body of a class, as Python names it."""
    if owner is None or not name.startswith("__") or name.endswith("__"):
        return name
    plain = owner.__name__.lstrip("_")
    return f"_{plain}{name}" if plain else name


def assigned_attributes(node: syntax.FunctionDef, owner: type) -> list[str]:
    """Attributes of its first parameter that a method assigns."""
    params = [*node.args.posonlyargs, *node.args.args]
    return assigned_by(node, params[0].arg, owner) if params else []


def assigned_by(node: syntax.Node, receiver: str, owner: type | None) -> list[str]:
    """Attributes of a variable that the statements in a node assign."""
    found: list[str] = []
    for each in syntax.walk(node):
        targets: list[syntax.Node] = []
        if isinstance(each, syntax.Assign):
            targets = list(each.targets)
        elif isinstance(each, (syntax.AugAssign, syntax.AnnAssign, syntax.For)):
            targets = [each.target]
        for target in targets:
            for part in stored_in(target):
                is_attribute = isinstance(part, syntax.Attribute) and isinstance(part.value, syntax.Name)
                if is_attribute and part.value.id == receiver:  # type: ignore[attr-defined]
                    found.append(mangled(part.attr, owner))  # type: ignore[attr-defined]
    return list(dict.fromkeys(found))


def stored_in(target: syntax.Node) -> Iterator[syntax.Node]:
    """What an assignment to a target stores to: the items of a tuple; of `x.y[i]` and `x.y.z` nothing but these."""
    if isinstance(target, (syntax.Tuple, syntax.List)):
        for item in target.elts:
            yield from stored_in(item)
    else:
        yield target.value if isinstance(target, syntax.Starred) else target


def registered_by(node: syntax.Node, receiver: str) -> list[str]:
    """Attributes of a module that calls of `register_buffer` and its kin in a node make."""
    return [
        each.args[0].value
        for each in syntax.walk(node)
        if isinstance(each, syntax.Call) and isinstance(each.func, syntax.Attribute)
        and isinstance(each.func.value, syntax.Name) and each.func.value.id == receiver
        and each.func.attr in ("register_buffer", "register_parameter", "register_module", "add_module")
        and each.args and isinstance(each.args[0], syntax.Constant) and isinstance(each.args[0].value, str)
    ]


def qualified(python: type) -> str:
    """Name of a class in a program: "module.Point"; of our own, the name that it has in Python."""
    is_own = hasattr(python, "__tsm_stands_for__")
    return python.__qualname__ if is_own else f"{python.__module__}.{python.__qualname__}"


def local_names(python: type) -> dict[str, PyAny]:
    """What names mean to the methods of a class that is not its module's."""
    module = vars(sys.modules.get(python.__module__, sys))
    found: dict[str, PyAny] = {}
    for value in vars(python).values():
        names = getattr(getattr(value, "__func__", value), "__globals__", module)
        if names is not module and isinstance(value, (FunctionType, staticmethod, classmethod)):
            found.update(names)
    return found


def class_lookup(base: type) -> PyAny:
    """What names mean in the annotations of a class. KeyError for one that means nothing."""
    names = {**vars(builtins), **vars(sys.modules.get(base.__module__, builtins)), base.__name__: base}
    names.update(local_names(base))
    for value in vars(base).values():  # a class inside a function: what its methods close over
        code = getattr(value, "__code__", None)
        for name, cell in zip(code.co_freevars if code else (), getattr(value, "__closure__", None) or ()):
            try:
                names.setdefault(name, cell.cell_contents)
            except ValueError:
                continue

    def lookup(name: str) -> PyAny:
        return names[name]

    return lookup


def is_typed_dict(python: PyAny) -> bool:
    return typing.is_typeddict(python)
