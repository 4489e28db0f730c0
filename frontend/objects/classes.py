"""Script classes of one program: a class type for each Python class, with the attributes that `__init__` gives it.

In: Python classes that scripts mention. Out: `ClassInfo`s, the types of annotations, sources of methods.
Holds: one Python class is one class type, of instances of exactly that class; an annotation stands for the class and
all subclasses there are (D10), so a value's class is known wherever its type has one arm.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
import typing
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from typing import Any as PyAny

from ...binding.instances import PLAIN
from ...ir.types import (
    ANY,
    EXCEPTION,
    NONE,
    TENSOR,
    ClassType,
    DictType,
    EnumType,
    ListType,
    NamedTupleType,
    SetType,
    Type,
    become_keys,
    map_members,
    optional,
    union,
)
from ..core.exception_types import ARGS, ARGS_TYPE, KEEPER, ExceptionClass
from ..core.futures import is_future_class
from ..core.placeholders import Placeholder, has_placeholder, join, leave_open, resolve, unsolved
from ..core.typed import ERROR, NEVER, STATIC
from ..diagnostics import CompileError
from ..parser import parse, syntax
from ..prelude.bytearrays import bytearray as ByteArray
from ..prelude.exit_stack import ExitStack
from ..prelude.ranges import Range
from ..prelude.slices import Slice
from .annotations import AnnotationError, OpenAnnotation, Parametrised, type_of_annotation, type_of_object
from .class_facts import (
    assigned_attributes,
    class_lookup,
    find,
    find_method,
    hashes_itself,
    is_abstract,
    is_enum,
    is_generated,
    is_generic,
    is_named_tuple,
    is_protocol,
    is_script_class,
    key_fields,
    mangled,
    qualified,
    refusal,
    subclasses,
)
from .class_info import ClassInfo
from .class_places import span_of
from .class_sources import GENERATED, generated_source
from .dict_values import NotAttribute
from .enums import enum_type
from .function_source import ClassTypeOf, FunctionSource
from .named_tuples import class_of_results, named_tuple_type
from .plain_parameters import with_plain_parameters
from .sentinels import Sentinel
from .signatures import is_left_open, is_open_annotation, passed_on, signature_types

if TYPE_CHECKING:
    from ..compilation.session import Session
    from ..compilation.specialise import Specialisation

MAX_ROUNDS = 8
MADE_CLASSES: dict[PyAny, type] = {contextlib.ExitStack: ExitStack, bytearray: ByteArray}  # which scripts call
OWN_CLASSES: dict[PyAny, type] = {range: Range, slice: Slice, **MADE_CLASSES}  # which scripts are written for


def bindings(python: PyAny, arguments: tuple[Type, ...], class_type: ClassTypeOf) -> dict[PyAny, Type]:
    """What the type variables of a generic class and its bases stand for."""
    found = dict(zip(getattr(python, "__parameters__", ()), arguments))
    for base in getattr(python, "__orig_bases__", ()):
        origin = typing.get_origin(base)
        if origin in (None, typing.Generic, typing.Protocol):
            continue
        try:
            given = tuple(type_of_object(each, with_variables(class_type, found)) for each in typing.get_args(base))
        except AnnotationError:
            continue
        found = {**bindings(origin, given, class_type), **found}
    return found


def is_hashed_by_scripts(kind: Type, seen: frozenset[Type] = frozenset()) -> bool:
    """Whether only scripts can hash and compare values of a type."""
    kind = resolve(kind)
    if kind in seen or isinstance(kind, (ListType, DictType, SetType)):
        return False
    if isinstance(kind, ClassType):
        return kind.hashes_itself or any(is_hashed_by_scripts(each, seen | {kind}) for each in kind.key_types)
    if isinstance(kind, (EnumType, NamedTupleType)) and kind.hashes_itself:
        return True
    return any(is_hashed_by_scripts(each, seen | {kind}) for each in kind.members)


def with_variables(class_type: ClassTypeOf, bound: dict[PyAny, Type]) -> ClassTypeOf:
    """The types that annotations name, type variables among them."""

    def type_of(python: PyAny) -> Type | None:
        is_bound = isinstance(python, typing.TypeVar) and python in bound
        return bound[python] if is_bound else class_type(python)

    return type_of


class NotScriptable(Exception):
    """A class that scripts cannot use; the text says why."""


class Classes:
    """The registry."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.info: dict[ClassType, ClassInfo] = {}
        self._names: dict[str, int] = {}
        self._by_python: dict[tuple[type, tuple[Type, ...]], ClassInfo] = {}
        self._named: dict[Type, type] = {}  # Python classes of enums and named tuples
        self._kinds: dict[type, Type] = {}  # and back
        self._forming: list[type] = []  # named tuples whose fields are being looked at
        self._generated: dict[tuple[type, str], FunctionSource] = {}
        self.variants: dict[PyAny, FunctionSource] = {}  # methods with a part replaced
        self._group: list[ClassInfo] = []  # being described together
        self._tries = 0  # of functions whose inference is thrown away, one within another
        self.asked: set[str] = set()  # special methods that values of type Any are asked for
        self.abstract: set[type] = set()  # classes that values of type Any may be instances of without being derived
        self._told: dict[type, set[tuple[Type, ...]]] = {}  # what generic classes might be called with
        self.may_split = False  # whether one of them has several
        self.splits = False  # whether they are then several classes
        self.asked_attributes: set[str] = set()  # attributes that they are asked for
        self.are_keys = False  # instances of all classes, where keys are of type Any
        # Element types that were not known where something was refused, with the functions that were being inferred.
        self._waiting: list[tuple[tuple[Specialisation, ...], Placeholder]] = []

    # Types

    def annotated(self, python: PyAny) -> Type | None:
        """What an annotation by this class means; None if it is no class of the user's. AnnotationError."""
        if python in OWN_CLASSES:
            return self.exact(OWN_CLASSES[python]).type
        if is_enum(python) or is_named_tuple(python):
            return self.kind_of(python)
        if isinstance(python, typing.TypeVar):
            return None
        if isinstance(python, Parametrised) and is_future_class(python.python):
            return self.session.futures.of(python.arguments[0])
        if isinstance(python, Parametrised):
            return self.exact(python.python, python.arguments).type if is_script_class(python.python) else None
        if is_protocol(python) or is_generic(python):
            raise OpenAnnotation(python.__name__, None)
        if not is_script_class(python):
            return None
        try:
            below = subclasses(python)
            if issubclass(python, BaseException):
                below = [each for each in below if refusal(each) is None]
            arms = [self.exact(each).type for each in (python, *below) if not is_abstract(each)]
        except NotScriptable as error:
            raise AnnotationError(str(error)) from None
        if not arms:
            raise AnnotationError(f"'{python.__name__}' is abstract and no class implements it")
        return union(*arms)

    def script_classes(self) -> list[type]:
        """The Python classes of all class types that there are."""
        return [info.python for info in self.info.values()]

    def kind_of(self, python: type) -> Type:
        """The type of an enum or a named tuple; in the fields of a tuple it is Any itself. AnnotationError."""
        if python in self._forming:
            return ANY
        if python not in self._kinds:
            if self.asked_attributes:
                self.session.specialiser.outdate()
            self._forming.append(python)
            try:
                kind = enum_type(python) if is_enum(python) else named_tuple_type(python, self.annotated)
            finally:
                self._forming.remove(python)
            self._kinds[python] = kind
            self._named[kind] = python
            if self._is_new_instance(python):
                self.session.specialiser.outdate()
        return self._kinds[python]

    def values_of_types(self) -> list[type]:
        """The enums and named tuples whose types there are."""
        return list(self._kinds)

    def register(self, kind: Type, python: type) -> None:
        """A type that values of a named tuple class without annotations have."""
        self._named[kind] = python

    def exact(self, python: type, arguments: tuple[Type, ...] = ()) -> ClassInfo:
        """The class type of instances of exactly this class, with the arguments of a generic one. NotScriptable."""
        python = getattr(python, PLAIN, python)
        key = (python, arguments)
        info = self._by_python.get(key)
        if info is None:
            reason = refusal(python)
            if reason is not None:
                raise NotScriptable(f"'{python.__name__}' cannot be used in scripts: {reason}")
            name = qualified(python) + (f"[{', '.join(map(str, arguments))}]" if arguments else "")
            if arguments and (python, ()) in self._by_python:
                self.session.specialiser.outdate()  # instances made without arguments may be of this type
            count = self._names[name] = self._names.get(name, 0) + 1
            name = name if count == 1 else f"{name}.{count - 1}"
            is_exception = issubclass(python, BaseException)
            kind = ClassType(name)
            if is_exception:
                kind = ExceptionClass(name, text=self.session.exceptions.describe(python))
            is_asked = any(find_method(python, method) is not None for method in self.asked)
            if is_asked or self.asked_attributes or self._is_new_instance(python):
                self.session.specialiser.outdate()
            fields = key_fields(python)
            kind.hashes_itself = hashes_itself(python)
            kind.possible_key = 0 if kind.hashes_itself else None if fields is None else len(fields)
            info = self._by_python[key] = self.info[kind] = ClassInfo(python, kind, arguments, key_fields=fields or ())
            if is_exception:
                info.declared.update({ARGS: ARGS_TYPE, KEEPER: EXCEPTION})
                kind.attributes.update(info.declared)
                if self.session.exceptions.is_hosted:
                    self.session.specialiser.outdate()
                if not issubclass(python, Exception) and not self.session.exceptions.passes_exception:
                    self.session.exceptions.passes_exception = True
                    self.session.specialiser.outdate()
        return info

    def instances_of(self, abstract: type) -> list[Type]:
        """The types of instances and enum members that are instances of a class of `collections.abc`. Where others of
        them become known, inference starts anew."""
        self.abstract.add(abstract)
        known = {info.type: info.python for info in self.info.values()} | self._named
        return [kind for kind, python in known.items() if issubclass(python, abstract)]

    def _is_new_instance(self, python: type) -> bool:
        return any(issubclass(python, each) for each in self.abstract)

    def takes_as_told(self, python: type, arguments: tuple[Type, ...]) -> bool:
        """Whether a generic class that is called without arguments is that with those which its parameters tell: where
        some annotation or call names it."""
        told = self._told.setdefault(python, set())
        told.add(arguments)
        self.may_split = self.may_split or len(told) > 1
        return self.splits or (python, arguments) in self._by_python

    def of(self, kind: Type) -> ClassInfo | None:
        """What is known of a class type; None for modules and all other types."""
        kind = resolve(kind)
        return self.info.get(kind) if isinstance(kind, ClassType) else None

    def python_of(self, kind: Type) -> type | None:
        """The Python class of instances, enum members or named tuples of a type."""
        info = self.of(kind)
        kind = resolve(kind)
        return info.python if info is not None else self._named.get(kind) or class_of_results(kind)

    def own_class_in(self, kind: Type) -> str | None:
        """The name of a class which scripts are written for, if values of a type are, or hold, instances of it."""
        for python, own in OWN_CLASSES.items():
            if self.holds(kind, functools.partial(operator.is_, own)):
                return str(python.__name__)
        return None

    def holds_sentinel(self, kind: Type) -> bool:
        """Whether values of a type are, or hold, an `object()`."""
        return self.holds(kind, lambda python: python is not None and issubclass(python, Sentinel))

    def holds(self, kind: Type, is_one: Callable[[type | None], bool], seen: frozenset[Type] = frozenset()) -> bool:
        """Whether values of a type are, or hold, instances of a class."""
        kind = resolve(kind)
        parts = kind.attributes.values() if isinstance(kind, ClassType) else kind.members
        return is_one(self.python_of(kind)) or kind not in seen and any(
            self.holds(part, is_one, seen | {kind}) for part in parts)

    def python_classes(self) -> dict[str, type]:
        """All of them by their names in the program."""
        found: dict[str, type] = {info.type.name: info.python for info in self.info.values()}
        for kind, python in self._named.items():
            assert isinstance(kind, (EnumType, NamedTupleType))
            found[kind.name] = python
        return found

    # Methods

    def method(self, base: type, name: str) -> FunctionSource:
        """The source of a method that `base` defines: the user's, or what dataclasses wrote."""
        if not is_generated(base, name):
            return self.session.source(base.__dict__[name], base)
        key = (base, name)
        if key not in self._generated:
            self._generated[key] = generated_source(base, name, self.declared_type)
        return self._generated[key]

    def property_source(self, found: property, base: type, is_setter: bool = False) -> FunctionSource:
        return self.session.source(found.fset if is_setter else found.fget, base)

    # Attributes

    def describe(self, info: ClassInfo) -> ClassInfo:
        """Finds its attributes, together with those of all classes that its __init__ makes."""
        if info.is_ready or info.is_started:
            return info
        info.is_started = True
        is_outermost = not self._group
        self._group.append(info)
        self._declare(info)
        self._round(info)
        if is_outermost:
            try:
                self._settle()
            finally:
                for each in self._group:
                    each.is_ready = True
                    each.sort_attributes()
                    for kind in each.type.key_types if each.type.key is not None else ():
                        become_keys(kind)
                self._group = []
        return info

    def _settle(self) -> None:
        """Rounds over the classes of the group until none finds anything new."""
        for _ in range(MAX_ROUNDS):
            before = [self._shape(info) for info in self._group]
            for info in list(self._group):
                self._round(info)
            if before == [self._shape(info) for info in self._group]:
                return

    def _shape(self, info: ClassInfo) -> list[tuple[str, Type]]:
        return [(name, resolve(kind)) for name, kind in info.type.attributes.items()]

    def _declare(self, info: ClassInfo) -> None:
        assigned = info.assigned
        for base in reversed(info.python.__mro__):
            for source in self._methods(base) if is_script_class(base) else ():
                assigned.update(dict.fromkeys(assigned_attributes(source.node, base)))
        bound = with_variables(self.annotated, bindings(info.python, info.arguments, self.annotated))
        for base in info.python.__mro__:
            for name, hint in inspect.get_annotations(base).items():
                name = mangled(name, base)
                if name in assigned and name not in info.declared:
                    self._declare_one(info, base, name, hint, bound)
            for name, kind in self._annotations_of_init(base, bound).items():
                info.declared.setdefault(name, kind)
        for name, kind in self._cached(info.python, bound).items():
            assigned.setdefault(name)
            info.declared.setdefault(name, kind)
        for name in assigned:
            found = find(info.python, name)
            if found is not None and not hasattr(found[1], "__get__"):
                info.initial[name] = found[1]
        info.type.attributes.update((name, info.declared[name]) for name in assigned if name in info.declared)
        for name, value in info.initial.items():
            if name not in info.declared:
                info.learn(name, self.type_of_default(value, NONE))

    def _cached(self, python: type, class_type: ClassTypeOf) -> dict[str, Type]:
        """The attributes that `cached_property` makes, where an annotation says what they are."""
        found: dict[str, Type] = {}
        for base in python.__mro__:
            for name, value in vars(base).items():
                if isinstance(value, functools.cached_property) and "return" in inspect.get_annotations(value.func):
                    kind = self.declared_type(base, inspect.get_annotations(value.func)["return"], class_type)
                    if kind is not None:
                        found.setdefault(name, kind)
        return found

    def _methods(self, base: type) -> list[FunctionSource]:
        """Sources of the methods and properties that a class itself defines, __init__ first."""
        found: list[FunctionSource] = []
        for name in sorted(base.__dict__, key=lambda name: name != "__init__"):
            value = base.__dict__[name]
            if isinstance(value, property):
                found += [self.session.source(each, base) for each in (value.fget, value.fset, value.fdel) if each]
            elif inspect.isfunction(value) and (not is_generated(base, name) or name in GENERATED):
                found.append(self.method(base, name))
        return found

    def _declare_one(self, info: ClassInfo, base: type, name: str, hint: PyAny, class_type: ClassTypeOf) -> None:
        kind = self.declared_type(base, hint, class_type)
        if kind is not None:
            has_none = kind != ERROR and base.__dict__.get(name, ...) is None  # what such a default says of itself
            info.declared[name] = optional(kind) if has_none else kind

    def declared_type(self, base: type, hint: PyAny, class_type: ClassTypeOf | None = None) -> Type | None:
        """The type of an annotation in a class body; None after reporting, or if it declares no instance attribute."""
        try:
            if isinstance(hint, str):
                tree = parse.parse_expression(hint, *span_of(base)[:2])
                return type_of_annotation(tree, class_lookup(base), class_type or self.annotated)
            return type_of_object(hint, class_type or self.annotated, class_lookup(base))
        except OpenAnnotation:
            return None
        except (AnnotationError, CompileError) as error:
            self.session.reporter.lasting_error(span_of(base), f"an annotation of '{base.__name__}': {error}")
            return ERROR

    def _annotations_of_init(self, base: type, class_type: ClassTypeOf) -> dict[str, Type]:
        """`self.x: T = ...` in the __init__ of a class."""
        init = base.__dict__.get("__init__")
        found: dict[str, Type] = {}
        if not inspect.isfunction(init) or is_generated(base, "__init__"):
            return found
        source = self.session.source(init, base)
        for node in syntax.walk(source.node):
            if not (isinstance(node, syntax.AnnAssign) and isinstance(node.target, syntax.Attribute)):
                continue
            if is_open_annotation(node.annotation, source):
                continue
            try:
                kind = type_of_annotation(node.annotation, source.lookup, class_type)
            except OpenAnnotation:
                continue
            except AnnotationError as error:
                self.session.reporter.lasting_error((error.node or node).span, str(error), error.hint)
                kind = ERROR
            found.setdefault(mangled(node.target.attr, base), kind)
        return found

    def _round(self, info: ClassInfo) -> None:
        """Infers __init__ as for an unknown caller, keeping nothing of it but what it assigns."""
        found = find_method(info.python, "__init__")
        if found is not None:
            info.is_open = True
            try:
                self._try_out(info, self.method(found[0], "__init__"))
            finally:
                info.is_open = False

    def _try_out(self, info: ClassInfo, source: FunctionSource, unknown: Type = ERROR) -> None:
        """`unknown`: what parameters are for which neither an annotation nor a default says anything."""
        from ..compilation.specialise import Specialisation
        from ..infer.inference import infer_function

        hints, declared = signature_types(source, None)
        kinds = [
            hints.get(param.arg) or (ERROR if param.annotation is not None and any(
                test(param.annotation, source) for test in (is_left_open, is_open_annotation))
                                     else self.type_of_default(source.defaults.get(param.arg), unknown))
            for param in source.params[1:]
        ]
        mark, kept = self.session.reporter.mark(), self.session.specialiser.remember()
        self._tries += 1
        try:
            infer_function(self.session, Specialisation(source, "", (info.type, *kinds), declared))
        finally:
            self._tries -= 1
            self.session.reporter.rewind(mark)
            self.session.specialiser.restore(kept)

    def guess(self, info: ClassInfo, name: str) -> bool:
        """Whether an attribute is known once parameters of __init__ that nothing declares are taken for tensors, as
        they are at entry points. A call of the class may say otherwise later."""
        found = find_method(info.python, "__init__")
        if name not in info.assigned:
            return False
        if info.is_open:
            return self._grow_as_passed(info, name)
        if name not in info.missed and found is not None:
            info.missed.add(name)
            known = dict(info.type.attributes)
            info.is_open = True
            try:
                self._try_out(info, with_plain_parameters(self.method(found[0], "__init__")), TENSOR)
            finally:
                info.is_open = False
            if name not in info.type.attributes and (kind := self._inherited(info, name)) is not None:
                info.type.attributes[name] = kind
            info.guessed.update(info.type.attributes.keys() - known.keys())
            info.type.attributes.update(known)
            info.sort_attributes()
        return name in info.type.attributes

    def _inherited(self, info: ClassInfo, name: str) -> Type | None:
        """The type that an attribute has in instances of the nearest base class that is known to have it."""
        above = (self._by_python.get((base, ())) for base in info.python.__mro__[1:])
        return next((each.type.attributes[name] for each in above if each and name in each.type.attributes), None)

    def _grow_as_passed(self, info: ClassInfo, name: str) -> bool:
        """Where `__init__` asks for an attribute of its class that is not known yet: whether an annotated parameter
        tells what an `__init__` assigns to it."""
        for base in info.python.__mro__:
            if not inspect.isfunction(base.__dict__.get("__init__")) or is_generated(base, "__init__"):
                continue
            kind = passed_on(self.method(base, "__init__"), name)
            if kind is not None:
                info.grow(name, kind)
                return True
        return False

    def give_attribute(self, info: ClassInfo, name: str, kind: Type) -> bool:
        """Instances get an attribute that no method gives them, or a value of their own for what so far was their
        class's alone; False: they cannot have it."""
        found = find(info.python, name)
        if kind in (ERROR, NEVER, STATIC) or info.is_open or (found is not None and hasattr(found[1], "__get__")):
            return False
        if not info.python.__dictoffset__:  # __slots__ name what instances may have
            return False
        if found is None and isinstance(info.type, ExceptionClass):
            return False
        info.assigned[name] = None
        if found is None:
            info.missed.add(name)
            info.grow(name, kind)
            return True
        info.initial[name] = found[1]
        hint = inspect.get_annotations(found[0]).get(name)
        if hint is not None:
            self._declare_one(info, found[0], name, hint, self.annotated)
        info.grow(name, info.declared.get(name) or join(self.type_of_default(found[1], NONE), kind))
        return True

    def learn_instance(self, info: ClassInfo, value: PyAny, type_of: Callable[[PyAny], Type]) -> None:
        """Attributes that nothing declares are of the types that an instance from outside holds, too."""
        for name, held in vars(value).items():
            try:
                kind = type_of(held)
            except NotAttribute:
                continue
            if name in info.assigned and name not in info.declared and info.grow(name, kind):
                self.session.specialiser.outdate()

    def wait_for(self, kinds: Iterable[Type]) -> None:
        """Something is refused or decided about values of these types: it may be otherwise once all of a type is
        known."""
        callers = tuple(self.session.specialiser.stack)
        self._waiting += [(callers, each) for kind in kinds for each in unsolved(kind)]

    def is_worth_another_look(self, spec: Specialisation) -> bool:
        """At the end of a function: whether it, or what it called, took elements out of a container when they were not
        known yet, and now they are."""
        if self.is_trying:
            return False
        known = [(callers, each) for callers, each in self._waiting if spec in callers and each.solution is not None]
        self._waiting = [each for each in self._waiting if each not in known]
        return bool(known)

    @property
    def is_trying(self) -> bool:
        """Whether what is inferred now is thrown away."""
        return self._tries > 0

    def type_of_default(self, default: PyAny, otherwise: Type) -> Type:
        from .modules import type_of_value

        try:
            return otherwise if default is None else type_of_value(default)
        except NotAttribute:
            return otherwise

    def _look_at_methods(self, info: ClassInfo) -> None:
        """Element types that the program itself never settles: what the class's own methods put in."""
        for base in info.python.__mro__:
            for source in self._methods(base) if is_script_class(base) else ():
                if all(param.annotation is not None for param in source.params[1:]) and source.params:
                    self._try_out(info, source)

    def widen(self, member: Type, wide: Type) -> bool:
        """Puts a wider type in the place of another in the containers that attributes are; False: it is nowhere."""
        found = False

        def change(kind: Type) -> Type:
            nonlocal found
            if resolve(kind) == member:
                found = True
                return wide
            return map_members(resolve(kind), change) if resolve(kind).members else kind

        for owner in (*(info.type for info in self.info.values()), self.session.class_state.kind):
            for name, kind in owner.attributes.items():
                owner.attributes[name] = map_members(resolve(kind), change)
        return found

    def finish(self) -> None:
        """Describes what is left and settles the types of all attributes."""
        pending = True
        while pending:
            pending = False
            for info in list(self.info.values()):
                pending |= not info.is_ready
                self.describe(info)
        for info in self.info.values():
            for name in info.assigned:
                if name not in info.type.attributes:
                    self.guess(info, name)
            if any(map(has_placeholder, info.type.attributes.values())):
                self._look_at_methods(info)
            for name, kind in info.type.attributes.items():
                leave_open(kind)
                info.type.attributes[name] = resolve(kind)
            if self.are_keys and not is_hashed_by_scripts(info.type):
                become_keys(info.type)
