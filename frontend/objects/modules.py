"""Modules as the compiler sees them: their attributes as a class type, their values as the program's initial state.

In: objects that look like tsm.nn.Module (`_parameters`, `_buffers`, `_modules`, plain attributes). Out: `ModuleInfo`s,
class types and `ObjectState`s. Holds: modules of one structure share one class type and its compiled methods; one
module object is one ObjectState, wherever it is reached from.
"""

from __future__ import annotations

import inspect
import types as python_types
import typing
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any as PyAny

from ...binding.device import Device
from ...ir.state import DictState, EnumState, FrozenSetState, ListState, ObjectState, SetState
from ...ir.types import (
    ANY,
    BOOL,
    BYTES,
    COMPLEX,
    DEVICE,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    STR,
    TENSOR,
    ClassType,
    DictType,
    EnumType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    OptionalType,
    SetType,
    TupleType,
    Type,
    UnionType,
    arms_of,
    has_instances,
    union,
)
from ..core.constants import INT_MAX, INT_MIN, dtype_of
from ..core.placeholders import Placeholder, has_placeholder, join, resolve, settled
from .annotations import AnnotationError, type_of_object
from .class_facts import is_enum, is_named_tuple, is_namespace, is_protocol, is_script_class
from .class_info import ClassInfo
from .declared_values import check_held, check_instance
from .dict_values import NotAttribute as NotAttribute
from .dict_values import declared_type, dict_type
from .flags import enumerator_name
from .function_source import no_class
from .hooks import hooks_of
from .init_annotations import init_annotations
from .library_refusals import package_refusal
from .module_attributes import (
    PACKAGE,
    OwnMethod,
    attributes_of,
    is_attribute,
    is_listed_constant,
    is_module,
    is_own_method,
    is_program,
    tensor_names,
)
from .program_members import is_program_module, program_now, source_of
from .tensors import TensorPool, is_tensor

PLAIN = frozenset((NONE, BOOL, INT, FLOAT, STR))
_PLAIN = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR, bytes: BYTES, type(None): NONE}
_CONTAINERS = (list, dict, set)
_STATES: PyAny = {ListType: ListState, DictType: DictState, SetType: SetState}


@dataclass(eq=False)
class ModuleInfo:
    """What methods of one module structure may use. `constants` are compile-time attributes: None, Final, functions;
    `children` the submodules, of a list or dict of parameters those."""

    python: type
    type: ClassType
    sample: PyAny  # one of the modules, for class attributes
    children: list[str]
    constants: dict[str, PyAny] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)  # attribute -> why
    annotated: frozenset[str] = frozenset()  # attributes whose types their classes declare
    tensors: dict[str, tuple[str, ...]] = field(default_factory=dict)  # the module's own, by group
    alike: list[PyAny] = field(default_factory=list)  # all modules of this structure
    learned: set[str] = field(default_factory=set)  # attributes that were None, which methods assign

    def learn(self, name: str, kind: Type) -> bool:
        """An attribute that is None at first, or a number or text, and that nothing declares, comes to hold values of
        another type; False if it knows."""
        if name in self.constants and self.constants[name] is None:
            del self.constants[name]
            self.learned.add(name)
        known = resolve(self.type.attributes.get(name, NONE))
        is_plain = name in self.type.attributes and {*arms_of(known), *arms_of(kind)} <= PLAIN
        if name not in self.learned and (not is_plain or self.is_declared(name)):
            return False
        self.type.attributes[name] = union(known, kind)
        return self.type.attributes[name] != known

    def children_once(self) -> list[str] | None:
        """Names of the submodules, without those that are there under another name before; None: modules of this
        structure differ in them."""
        found = {tuple(_first_names(module)) for module in self.alike}
        return list(found.pop()) if len(found) == 1 else None

    def is_declared(self, name: str) -> bool:
        """Whether something other than its first value says what an attribute holds."""
        return name in self.annotated or name == "training" or any(name in group for group in self.tensors.values())

    def replace(self, name: str, grown: Type) -> bool:
        """A container that nothing declares takes elements of more types; False if it may not."""
        known = self.type.attributes.get(name)
        if known is None or self.is_declared(name) or resolve(grown) == resolve(known):
            return False
        self.type.attributes[name] = grown
        return True

    @property
    def is_container(self) -> bool:
        """ModuleList, Sequential and their like: iterating gives the submodules, unrolled."""
        return all(is_own_method(self.python, name) for name in ("__iter__", "__len__"))

    @property
    def is_sequential(self) -> bool:
        """Whether calling it, or a slice of it, runs its members one after the other."""
        forward = getattr(self.python, "forward", None)
        return self.is_container and forward is not None and not getattr(forward, "__tsm_abstract__", False)

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
        self._seen: dict[int, PyAny] = {}  # instances that their classes know
        self._unseen: list[PyAny] = []  # those that they are about to learn from
        self._states: dict[PyAny, ObjectState] = {}  # by identity, of a compiled module with what was compiled from it
        self._containers: dict[tuple[int, Type], PyAny] = {}
        self._open: dict[tuple[type, str, str], Type] = {}  # types of containers whose elements methods tell
        self._alive: list[PyAny] = []
        self._busy: set[int] = set()
        self._traced: dict[int, PyAny] = {}  # programs of traces and files, by the object that runs them, and those
        self.traced_types: dict[ClassType, PyAny] = {}  # of traced and loaded modules: their programs

    def traced_program(self, value: PyAny) -> PyAny:
        """The program of a traced or loaded function or module, the same whenever it is asked for; None for anything
        else."""
        if id(value) in self._traced:
            return self._traced[id(value)][0]
        if not type(value).__module__.startswith(PACKAGE) or not is_program(value):
            return None
        program = program_now(value, self.tensors)
        self._traced[id(value)] = program, value  # it must not die: another could have its identity
        if program.root is not None:
            self.traced_types[program.root.type] = program
        return program

    @property
    def foreign(self) -> list[PyAny]:
        """The programs of traces and files."""
        return [program for program, _ in self._traced.values()]

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
        hints = _annotations_of(python, self.classes.annotated if self.classes is not None else no_class)
        listed = frozenset(getattr(python, "__constants__", ()))
        kinds: dict[str, Type] = {}
        constants: dict[str, PyAny] = {}
        refused: dict[str, str] = {}
        for name, value in attributes_of(module).items():
            hint = hints.get(name)
            if is_attribute(value):
                value, hint = value
            if name in listed and is_listed_constant(value):
                constants[name] = tuple(value) if isinstance(value, list) else value
                continue
            kept = OwnMethod.of(module, value)
            if kept is not None or _holds_functions(value):
                constants[name] = kept or value
                continue
            if _is_constant(value, hint):
                if not isinstance(value, (list, dict, set)) or not typing.get_args(hint):
                    constants[name] = value
                    continue
                hint = typing.get_args(hint)[0]  # one that may change is an attribute like others
            try:
                kinds[name] = self._attribute_type(value, hint)
            except (NotAttribute, AnnotationError) as error:
                if hint is None and type(value) in (list, dict, set) and (kind := open_type(value)) is not None:
                    kinds[name] = self._open.setdefault((python, name, str(kind)), kind)
                else:
                    refused[name] = str(error)
        items = getattr(module, getattr(python, "__tsm_items__", "_modules"))
        children = [name for name, child in items.items() if child is not None]
        tensors = tensor_names(module)
        key = (python, tuple(kinds.items()), tuple((n, _constant_key(v)) for n, v in constants.items()), tuple(refused),
               hooks_of(module), tuple(tensors.items()))
        info = self._by_structure.get(key)
        if info is None:
            kind = ClassType(self.unique_name(python.__name__), kinds, is_module=True)
            annotated = frozenset(hints) | {
                name for name, value in attributes_of(module).items() if is_attribute(value)}
            info = ModuleInfo(python, kind, module, children, constants, refused, annotated, tensors)
            self._by_structure[key] = info
            self.info[kind] = info
        info.alike.append(module)
        return info

    def finish(self) -> None:
        """Once nothing more will be learned: elements of containers that nothing was put into are ints."""
        for info in self.info.values():
            for name, kind in info.type.attributes.items():
                info.type.attributes[name] = settled(kind)

    def example_type(self, values: Sequence[PyAny]) -> Type:
        """The type of an argument that example inputs give. NotAttribute."""
        for value in values:
            if is_module(value):
                raise NotAttribute("a module cannot be an argument of an entry point; make it an attribute of one")
            if is_tensor(value):
                refuse_package(value)
        return type_of_values(values, self._type_of_named)

    def _attribute_type(self, value: PyAny, hint: PyAny) -> Type:
        value = source_of(value)
        if is_program_module(value):
            return self._type_of_program(value)
        if is_module(value) or is_tensor(value):
            refuse_package(value if is_tensor(value) else type(value))
        if is_module(value):
            return self.describe(value).type
        if hint is not None and not is_tensor(value):
            try:
                kind = type_of_object(hint, self.classes.annotated if self.classes is not None else no_class)
            except AnnotationError:
                if isinstance(hint, str) or is_protocol(hint) or value is None:  # as of a submodule that is not there
                    return self.type_of(value)
                raise
            check_held(value, kind)
            return declared_type(value, kind)
        return self.type_of(value)

    def _type_of_program(self, value: PyAny) -> Type:
        """The type of a traced or loaded module."""
        program = self.traced_program(value)
        if program is None:
            raise NotAttribute("a submodule of a traced or loaded module has no program of its own: "
                               "use the whole module, or trace or save the submodule by itself")
        kind: Type = program.root.type
        return kind

    def type_of(self, value: PyAny) -> Type:
        """The type of a value by itself, with the program's classes."""
        return type_of_value(value, self._type_of_named)

    def _type_of_named(self, value: PyAny) -> Type | None:
        """The type of an instance of a script class, a named tuple or an enum; None for anything else."""
        python = type(value)
        if self.classes is None:
            return None
        if is_script_class(python):
            return self._instance_type(value)
        if (is_enum(python) or is_named_tuple(python)) and dtype_of(value) is None:
            kind: Type = self.classes.kind_of(python)
            return self._type_of_fields(value, kind) if isinstance(kind, NamedTupleType) else kind
        return None

    def _type_of_fields(self, value: PyAny, kind: NamedTupleType) -> Type:
        """The type of a named tuple: a field that its class does not declare has the type of its value."""
        assert self.classes is not None
        python = type(value)
        declared = inspect.get_annotations(python)
        fields = tuple(
            (name, member if name in declared else self.type_of(item))
            for (name, member), item in zip(kind.fields, value, strict=True)
        )
        found = NamedTupleType(kind.name, fields, kind.hashes_itself)
        check_held(value, found)
        self.classes.register(found, python)
        return found

    def _instance_type(self, value: PyAny) -> Type:
        """The type of an instance, whose class learns from it and from all that it reaches."""
        kind = self._described(value).type
        self._unseen.append(value)
        if len(self._unseen) == 1:
            try:
                self._look_at_instances()
            finally:
                self._unseen.clear()
        return kind

    def _described(self, value: PyAny) -> ClassInfo:
        try:
            found: ClassInfo = self.classes.describe(self.classes.exact(type(value)))
        except Exception as error:
            raise NotAttribute(str(error)) from None
        return found

    def _look_at_instances(self) -> None:
        for value in self._unseen:  # which grows meanwhile
            if id(value) not in self._seen and hasattr(value, "__dict__"):
                self._seen[id(value)] = value
                self.classes.learn_instance(self._described(value), value, self.type_of)
        for value in self._unseen:
            if hasattr(value, "__dict__"):
                check_instance(value, self._described(value).type.attributes)

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

    def state(self, module: PyAny, compiled: PyAny = None) -> ObjectState:
        """The initial state of a module: tensors shared, plain attributes copied (D11). Of one that was `compiled`
        before it is the state that it has now."""
        compiled = vars(module).get("_tsm_program") if compiled is None else compiled
        found = self._states.get((id(module), id(compiled)))
        if found is None:
            info = self.describe(module)
            found = self._states[id(module), id(compiled)] = ObjectState(info.type)
            values = attributes_of(module)
            for name, kind in info.type.attributes.items():
                value = values[name][0] if is_attribute(values[name]) else values[name]
                now = value if compiled is None else getattr(compiled, name, value)
                if not is_program_module(now) or now is value:
                    found.attributes[name] = self._value(_present(value, now), kind)
                elif kind in self.traced_types:
                    found.attributes[name] = self._copied(self.traced_types[kind].root, now)
                else:
                    found.attributes[name] = self.state(source_of(value), now)
        return found

    def _copied(self, state: ObjectState, compiled: PyAny) -> ObjectState:
        """The state of a traced or loaded module, in what was compiled with it inside."""
        found = self._states.get((id(state), id(compiled)))
        if found is None:
            found = self._states[id(state), id(compiled)] = ObjectState(state.type)
            for name, held in state.attributes.items():
                now = getattr(compiled, name)
                if isinstance(held, ObjectState):
                    found.attributes[name] = self._copied(held, now) if is_program_module(now) else held
                else:
                    found.attributes[name] = self._value(now, state.type.attributes[name])
        return found

    def value_state(self, value: PyAny, kind: Type) -> PyAny:
        """Any value as part of the initial state."""
        return self._value(value, kind)

    def _value(self, value: PyAny, kind: Type) -> PyAny:
        if isinstance(kind, ClassType) and kind in self.traced_types:
            root = self.traced_types[kind].root
            return root if source_of(value) is value else self._copied(root, value)
        if is_module(value):
            source = source_of(value)
            return self.state(source, value if source is not value else None)
        if self.classes is not None and is_script_class(type(value)) and hasattr(value, "__dict__"):
            return self._instance(value)
        if is_tensor(value) and TENSOR in (kind, *arms_of(kind)):
            return self.tensors.state(value)
        if isinstance(kind, EnumType):
            return EnumState(kind, [name for name, _ in kind.enumerators].index(enumerator_name(value)))
        if isinstance(kind, NamedTupleType):
            return tuple(self._value(item, element) for item, element in zip(value, kind.members))
        if isinstance(value, _CONTAINERS):
            return self._container(value, kind)
        if isinstance(kind, TupleType) and isinstance(value, tuple):
            kinds = kind.elements * len(value) if kind.is_variadic else kind.elements
            return tuple(self._value(item, element) for item, element in zip(value, kinds))
        if isinstance(kind, FrozenSetType):
            return FrozenSetState(kind, tuple(self._value(item, kind.element) for item in value))
        if isinstance(kind, OptionalType):
            return None if value is None else self._value(value, kind.inner)
        if isinstance(kind, UnionType) or kind in (SCALAR, ANY):
            return self._value(value, self.type_of(value)) if value is not None else None
        dtype = dtype_of(value)
        if dtype is not None:
            return dtype
        if isinstance(value, Device):
            return 0
        if kind == FLOAT and type(value) in (bool, int):
            return float(value)
        return int(value) if kind == INT and type(value) is bool else value

    def _container(self, value: PyAny, kind: Type) -> PyAny:
        """A list, dict or set as part of the initial state: one object wherever it is reached from."""
        if isinstance(kind, OptionalType):
            return self._container(value, kind.inner)
        if not isinstance(kind, (ListType, DictType, SetType)):
            return self._container(value, self.type_of(value))
        found = self._containers.get((id(value), kind))
        if found is None:
            found = self._containers[id(value), kind] = _STATES[type(kind)](kind)
            self._alive.append(value)  # of what was compiled before it is a copy: another could have its identity
            if isinstance(kind, DictType):
                found.items += [(self._value(k, kind.key), self._value(v, kind.value)) for k, v in value.items()]
            else:
                found.items += [self._value(item, kind.element) for item in value]
        return found


def _present(value: PyAny, now: PyAny) -> PyAny:
    """What an attribute of a module is in what was compiled from it; tensors that both have stay the same."""
    if is_tensor(value) and is_tensor(now):
        return value if value.data_ptr() == now.data_ptr() and value.shape == now.shape else now
    return value if hasattr(now, "_tsm_address") else now


def _annotations_of(python: type, class_type: PyAny) -> dict[str, PyAny]:
    found: dict[str, PyAny] = {}
    for base in reversed(python.__mro__):
        own = inspect.get_annotations(base)
        found.update({name: _evaluated(hint, base) for name, hint in own.items()})
        found.update(init_annotations(base, class_type))
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
    """Attributes that never change: Final ones, None without annotation, functions, classes, namespaces."""
    origin = typing.get_origin(hint) or hint
    if origin is typing.Final or (isinstance(hint, str) and hint.split("[")[0].endswith("Final")):
        return not is_tensor(value) and not is_module(value)
    if value is None:
        return hint is None
    if isinstance(value, Device) or is_namespace(value):
        return True
    if is_module(value) or is_tensor(value):
        return False
    return callable(value) and not is_script_class(type(value))


def _holds_functions(value: PyAny) -> bool:
    """Whether it is a container of functions, which scripts read as they read one outside the functions."""
    items = list(value.values()) if type(value) is dict else value if type(value) in (list, tuple) else ()
    return bool(items) and all(_is_constant(item, typing.Final) and callable(item) for item in items)


def _constant_key(value: PyAny) -> PyAny:
    try:
        hash(value)
    except TypeError:
        return id(value)
    return type(value), value


def refuse_package(value: PyAny) -> None:
    """NotAttribute for a tensor or a module's class of PyTorch."""
    refused = package_refusal(value)
    if refused is not None:
        raise NotAttribute("; ".join(refused))


def type_of_value(value: PyAny, named: Callable[[PyAny], Type | None] = lambda value: None) -> Type:
    """The static type of a Python value: of an attribute without annotation, of an example input. `named` knows the
    types of instances. NotAttribute."""
    return type_of_values([value], named)


def _first_names(module: PyAny) -> list[str]:
    """Names of submodules, the first of each."""
    items = [(name, child) for name, child in module._modules.items() if child is not None]
    return [name for i, (name, child) in enumerate(items) if all(child is not other for _, other in items[:i])]


def open_type(value: PyAny) -> Type | None:
    """The type of a container that is, or holds, an empty one; None for what has no type."""
    try:
        return resolve(_type_of(value, lambda other: None))
    except NotAttribute:
        return None


def type_of_values(values: Iterable[PyAny], named: Callable[[PyAny], Type | None] = lambda value: None) -> Type:
    """The same of what may be each of several values; an empty container has what the others have in its place."""
    kind = resolve(join(*(_type_of(value, named) for value in values)))
    if has_placeholder(kind):
        example = {ListType: "list[int]", DictType: "dict[str, int]", SetType: "set[int]"}.get(type(kind), "list[int]")
        raise NotAttribute(f"the element type of an empty container is not known; annotate it, as in {example}")
    return kind


def _type_of(value: PyAny, named: Callable[[PyAny], Type | None]) -> Type:
    plain = _PLAIN.get(type(value))
    if plain is not None:
        if plain == INT and not INT_MIN <= value <= INT_MAX:
            raise NotAttribute(f"the int {value} does not fit 64 bits")
        return plain
    if is_tensor(value):
        return TENSOR
    if dtype_of(value) is not None:
        return DTYPE
    if isinstance(value, Device):
        if value.type != "cpu":
            raise NotAttribute(f"programs run on the CPU; there is no device {str(value)!r}")
        return DEVICE
    found = named(value)
    if found is not None:
        return found
    try:
        return _container_type(value, named)
    except RecursionError:
        raise NotAttribute("a container that contains itself, or is nested too deeply, needs an annotation") from None


def _container_type(value: PyAny, named: Callable[[PyAny], Type | None]) -> Type:
    if isinstance(value, tuple):
        return TupleType(tuple(_type_of(item, named) for item in value))
    if isinstance(value, list):
        return ListType(_element_type(value, named))
    if isinstance(value, dict):
        kinds = [_element_type(part, named) for part in (value, value.values())]
        return dict_type(value, _hashable(kinds[0], "keys of a dict"), kinds[1])
    if isinstance(value, set):
        return SetType(_hashable(_element_type(value, named), "elements of a set"))
    if isinstance(value, frozenset):
        return FrozenSetType(_hashable(_element_type(value, named), "elements of a set"))
    raise NotAttribute(f"a value of type '{type(value).__name__}' has no type in scripts")


def _hashable(kind: Type, what: str) -> Type:
    if not isinstance(kind, Placeholder) and (not kind.is_hashable or has_instances(kind)):
        raise NotAttribute(f"the {what} must be of one type: int, str, bool, float or tuples of them, not {kind}")
    return kind


def _element_type(values: Collection[PyAny], named: Callable[[PyAny], Type | None]) -> Type:
    return join(*(_type_of(value, named) for value in values)) if values else Placeholder()
