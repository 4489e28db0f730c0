"""Modules as the compiler sees them: their attributes as a class type, their values as the program's initial state.

In: objects that look like tsm.nn.Module (`_parameters`, `_buffers`, `_modules`, plain attributes). Out: `ModuleInfo`s,
class types and `ObjectState`s. Holds: modules of one structure share one class type and its compiled methods; one
module object is one ObjectState, wherever it is reached from.
"""

from __future__ import annotations

import inspect
import types as python_types
import typing
from dataclasses import dataclass, field
from typing import Any as PyAny

from ..ir.state import DictState, ListState, ObjectState
from ..ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    STR,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    arms_of,
)
from .annotations import AnnotationError, type_of_object
from .class_facts import is_script_class
from .constants import INT_MAX, INT_MIN, dtype_of
from .function_source import no_class
from .init_annotations import init_annotations
from .placeholders import join
from .tensors import TensorPool, is_tensor

_PLAIN = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR, bytes: BYTES, type(None): NONE}
_OWN = ("_parameters", "_buffers", "_modules")


class NotAttribute(Exception):
    """An attribute value that has no type; it is refused when a script reads it."""


def is_module(value: PyAny) -> bool:
    """Whether it looks like an nn.Module instance."""
    return not isinstance(value, type) and all(isinstance(getattr(value, name, None), dict) for name in _OWN)


@dataclass(eq=False)
class ModuleInfo:
    """What methods of one module structure may use. `constants` are compile-time attributes: None, Final, functions."""

    python: type
    type: ClassType
    sample: PyAny  # one of the modules, for class attributes
    children: list[str]
    constants: dict[str, PyAny] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)  # attribute -> why

    @property
    def is_container(self) -> bool:
        """ModuleList, Sequential and their like: iterating gives the submodules, unrolled."""
        return hasattr(self.python, "__iter__") and hasattr(self.python, "__len__")

    @property
    def is_dict(self) -> bool:
        return self.is_container and hasattr(self.python, "keys") and hasattr(self.python, "items")


class Modules:
    """All module structures and instances of one program."""

    def __init__(self, tensors: TensorPool, unique_name: PyAny) -> None:
        self.tensors = tensors
        self.classes: PyAny = None  # of the session, once it has them
        self.unique_name = unique_name
        self.info: dict[ClassType, ModuleInfo] = {}
        self._by_structure: dict[PyAny, ModuleInfo] = {}
        self._infos: dict[int, ModuleInfo] = {}
        self._states: dict[int, ObjectState] = {}
        self._busy: set[int] = set()

    def describe(self, module: PyAny) -> ModuleInfo:
        """The structure of a module. Raises NotAttribute for a module that contains itself."""
        found = self._infos.get(id(module))
        if found is not None:
            return found
        if id(module) in self._busy:
            raise NotAttribute("a module that contains itself is not supported")
        self._busy.add(id(module))
        try:
            found = self._infos[id(module)] = self._describe(module)
        finally:
            self._busy.discard(id(module))
        return found

    def _describe(self, module: PyAny) -> ModuleInfo:
        python = type(module)
        hints = _annotations_of(python)
        kinds: dict[str, Type] = {}
        constants: dict[str, PyAny] = {}
        refused: dict[str, str] = {}
        for name, value in attributes_of(module).items():
            hint = hints.get(name)
            if _is_constant(value, hint):
                constants[name] = value
                continue
            try:
                kinds[name] = self._attribute_type(value, hint)
            except (NotAttribute, AnnotationError) as error:
                refused[name] = str(error)
        children = [name for name, child in module._modules.items() if child is not None]
        key = (python, tuple(kinds.items()), tuple((n, _constant_key(v)) for n, v in constants.items()), tuple(refused))
        info = self._by_structure.get(key)
        if info is None:
            kind = ClassType(self.unique_name(python.__name__), kinds, is_module=True)
            info = self._by_structure[key] = ModuleInfo(python, kind, module, children, constants, refused)
            self.info[kind] = info
        return info

    def _attribute_type(self, value: PyAny, hint: PyAny) -> Type:
        if is_module(value):
            return self.describe(value).type
        if hint is None and self.classes is not None and is_script_class(type(value)):
            return self._instance_type(value)
        if hint is not None and not is_tensor(value):
            try:
                return type_of_object(hint, self.classes.annotated if self.classes is not None else no_class)
            except AnnotationError:
                if isinstance(hint, str):
                    return type_of_value(value)
                raise
        return type_of_value(value)

    def _instance_type(self, value: PyAny) -> Type:
        try:
            return self.classes.describe(self.classes.exact(type(value))).type
        except Exception as error:
            raise NotAttribute(str(error)) from None

    def _instance(self, value: PyAny) -> ObjectState:
        """An instance of a script class as part of the initial state, one for one."""
        found = self._states.get(id(value))
        if found is None:
            info = self.classes.describe(self.classes.exact(type(value)))
            found = self._states[id(value)] = ObjectState(info.type)
            for name, kind in info.type.attributes.items():
                if name in vars(value) or name in info.initial:
                    found.attributes[name] = self._value(getattr(value, name), kind)
        return found

    def state(self, module: PyAny) -> ObjectState:
        """The initial state of a module: tensors shared, plain attributes copied (D11)."""
        found = self._states.get(id(module))
        if found is None:
            info = self.describe(module)
            found = self._states[id(module)] = ObjectState(info.type)
            values = attributes_of(module)
            for name, kind in info.type.attributes.items():
                found.attributes[name] = self._value(values[name], kind)
        return found

    def _value(self, value: PyAny, kind: Type) -> PyAny:
        if is_module(value):
            return self.state(value)
        if self.classes is not None and is_script_class(type(value)) and hasattr(value, "__dict__"):
            return self._instance(value)
        if is_tensor(value) and TENSOR in (kind, *arms_of(kind)):
            return self.tensors.state(value)
        if isinstance(kind, ListType) and isinstance(value, list):
            return ListState(kind, [self._value(item, kind.element) for item in value])
        if isinstance(kind, DictType) and isinstance(value, dict):
            return DictState(kind, [(self._value(k, kind.key), self._value(v, kind.value)) for k, v in value.items()])
        if isinstance(kind, TupleType) and isinstance(value, tuple):
            kinds = kind.elements * len(value) if kind.is_variadic else kind.elements
            return tuple(self._value(item, element) for item, element in zip(value, kinds))
        if isinstance(kind, OptionalType):
            return None if value is None else self._value(value, kind.inner)
        if isinstance(kind, UnionType) or kind in (SCALAR, ANY):
            return self._value(value, type_of_value(value)) if value is not None else None
        dtype = dtype_of(value)
        if dtype is not None:
            return dtype
        if kind == FLOAT and type(value) in (bool, int):
            return float(value)
        return int(value) if kind == INT and type(value) is bool else value


def attributes_of(module: PyAny) -> dict[str, PyAny]:
    """Everything a module holds, in a fixed order: parameters, buffers, submodules, `training`, plain attributes."""
    found: dict[str, PyAny] = {}
    for group in _OWN:
        found.update(getattr(module, group))
    if hasattr(module, "training"):
        found["training"] = bool(module.training)
    for name, value in vars(module).items():
        if not (name.startswith("_") and name in _HIDDEN) and name not in found:
            found[name] = value
    return found


_HIDDEN = frozenset(
    ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set", "_is_full_backward_hook", "_backward_hooks")
) | frozenset(
    ("_backward_pre_hooks", "_forward_hooks", "_forward_pre_hooks", "_state_dict_hooks", "_non_persistent")
)


def _annotations_of(python: type) -> dict[str, PyAny]:
    found: dict[str, PyAny] = {}
    for base in reversed(python.__mro__):
        own = inspect.get_annotations(base)
        found.update({name: _evaluated(hint, base) for name, hint in own.items()})
        found.update(init_annotations(base))
    return found


def _evaluated(hint: PyAny, owner: type) -> PyAny:
    """A string annotation of a class as its object, where its module knows the names."""
    if not isinstance(hint, str):
        return hint
    import sys

    namespace = vars(sys.modules.get(owner.__module__, python_types.ModuleType("")))
    try:
        return typing.get_type_hints(
            python_types.SimpleNamespace(__annotations__={"hint": hint}), dict(namespace), dict(vars(owner))
        )["hint"]
    except Exception:  # any failure of the user's annotation leaves the type of the value
        return hint


def _is_constant(value: PyAny, hint: PyAny) -> bool:
    """Attributes that never change: Final ones, None without annotation, functions, classes."""
    origin = typing.get_origin(hint) or hint
    if origin is typing.Final or (isinstance(hint, str) and hint.split("[")[0].endswith("Final")):
        return not is_tensor(value) and not is_module(value)
    if value is None:
        return hint is None
    return callable(value) and not is_module(value) and not is_tensor(value)


def _constant_key(value: PyAny) -> PyAny:
    try:
        hash(value)
    except TypeError:
        return id(value)
    return type(value), value


def type_of_value(value: PyAny) -> Type:
    """The static type of a Python value: of an attribute without annotation, of an example input. NotAttribute."""
    plain = _PLAIN.get(type(value))
    if plain is not None:
        if plain == INT and not INT_MIN <= value <= INT_MAX:
            raise NotAttribute(f"the int {value} does not fit 64 bits")
        return plain
    if is_tensor(value):
        return TENSOR
    if dtype_of(value) is not None:
        return DTYPE
    if isinstance(value, tuple):
        return TupleType(tuple(map(type_of_value, value)))
    if isinstance(value, list):
        return ListType(_element_type(value, "list[int]"))
    if isinstance(value, dict):
        return DictType(_element_type(list(value), "dict[str, int]"), _element_type(list(value.values()), ""))
    raise NotAttribute(f"a value of type '{type(value).__name__}' has no type in scripts")


def _element_type(values: list[PyAny], example: str) -> Type:
    if not values:
        raise NotAttribute(f"the element type of an empty container is not known; annotate it, as in {example}")
    return join(*map(type_of_value, values))
