"""Inference of names and attributes: variables, globals, module attributes, methods.

In: names and attribute expressions. Out: reads of variables and attributes, constants, denotations.
Holds: a read that may be unbound is checked once; a narrowed attribute keeps its narrow type until a write or call.
"""

from __future__ import annotations

import collections
import inspect
import sys
from collections.abc import Sequence

from ....binding.state_names import read_constants
from ....ir.types import (
    ANY,
    EXCEPTION,
    NONE,
    TENSOR,
    ClassType,
    DictType,
    EnumType,
    FrozenSetType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
    arms_of,
)
from ...core.constants import NotConstant, constant
from ...core.conversions import as_exception, narrowed
from ...core.denotations import (
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    ContainerDenotation,
    DataFieldDenotation,
    FunctionDenotation,
    GraphDenotation,
    IteratorDenotation,
    KeywordsDenotation,
    MethodDenotation,
    ModuleDenotation,
    ObjectDenotation,
    OperatorDenotation,
    RangeDenotation,
    SliceDenotation,
    SpecialDenotation,
    SuperDenotation,
    TypeDenotation,
    ViewDenotation,
)
from ...core.exception_types import is_exception
from ...core.generator_values import GENERATOR_METHODS
from ...core.matcher import spelled
from ...core.placeholders import Placeholder, resolve
from ...core.typed import STATIC, Expr, GetAttribute, Read, Static, after, is_silent, unbound_error
from ...diagnostics import CompileError, members_hint, suggestion
from ...objects.class_facts import assigned_by, is_enum, is_instance, is_module_class, mangled, registered_by
from ...objects.exception_classes import KEPT, is_builtin_exception
from ...objects.function_source import FunctionSource
from ...objects.library_refusals import library_refusal
from ...objects.local_classes import Taken
from ...objects.module_attributes import OwnMethod
from ...objects.modules import ModuleInfo
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase
from ..collection_types import is_deque
from ..containers.deques import DEQUE, RANGE
from ..containers.sets import FROZEN_METHODS
from ..environment import ELEMENT, named
from ..hints import MODULE_ADVICE, none_hint
from ..primitives.printing import stream_method
from ..type_facts import VIEWS, dict_class, is_class_like, is_receiver

CLASS_METHODS = {
    "str": ("maketrans",), "bytes": ("maketrans", "fromhex"), "int": ("from_bytes",), "float": ("fromhex",),
    "itertools.chain": ("from_iterable",), "object": ("__setattr__",),
}
BUILTIN_MEMBERS = frozenset(  # methods that are functions of their first argument: str.lower
    (kind.__name__, name) for kind in (str, bytes, int, float, complex, bool, list, tuple, dict, set, frozenset)
    for name, method in vars(kind).items() if not name.startswith("__") and inspect.ismethoddescriptor(method)
    and not isinstance(method, (staticmethod, classmethod)) and callable(method)
)


def whole_number(node: syntax.Node) -> int | None:
    """The value of a literal int, which may have a sign."""
    if isinstance(node, syntax.UnaryOp) and node.op == "-":
        found = whole_number(node.operand)
        return None if found is None else -found
    return node.value if isinstance(node, syntax.Constant) and type(node.value) is int else None


def advice_of(module: object, name: str) -> str | None:
    """What a module's own error says behind the colon about a name that it has not."""
    try:
        getattr(module, name)
    except AttributeError as error:
        return str(error).partition(f"attribute {name!r}: ")[2] or None
    return None


class NameInference(InferenceBase):
    """Names and attributes."""

    def _Constant(self, node: syntax.Constant, want: Type | None) -> Expr:
        return self.literal(node)

    def literal(self, node: syntax.Constant) -> Expr:
        try:
            return constant(node.value, node.span)
        except NotConstant as error:
            if isinstance(node.value, int):
                return self.error(node, f"{error}", "use a float")
            return self.error(node, f"{error}")

    def _Name(self, node: syntax.Name, want: Type | None) -> Expr:
        if node.id == RANGE:
            return Static(STATIC, node.span, BuiltinDenotation("range"))
        if node.id == DEQUE:
            return self.session.denote(collections.deque, node.span)
        name = self.find_name(node.id)
        if name is None:
            return self.outer_name(node)
        is_free = self.is_outer(node.id)
        state = self.here.variables.get(name)
        if state is None:
            return self.raise_error(node.span, *unbound_error(node.id, is_free))
        if state.is_conflict and not self.want_value(name):
            text = f"'{node.id}' denotes different functions or classes on different paths"
            return self.error(node, text, "call them in the branches")
        if state.static is not None:
            return Static(STATIC, node.span, state.static)
        celled = self.cell_value(name, node.span) if self.spec.celled else None
        if not state.is_bound:
            self.here.mark_bound(name)
            read = Read(resolve(state.type), node.span, name, True, node.id, is_free)
            return read if celled is None else self.then(read, celled)
        if celled is not None:
            return celled
        return Read(resolve(state.type), node.span, name, False, node.id)

    def outer_name(self, node: syntax.Name) -> Expr:
        try:
            value = self.source.lookup(node.id)
        except KeyError:
            return self.undefined_name(node)
        return self.read_taken(node, value) if isinstance(value, Taken) else self.session.denote(value, node.span)

    def path_of(self, node: syntax.Node) -> tuple[str, ...] | None:
        """The path of names of a variable's attribute or of a tuple's element, if an expression is one."""
        if isinstance(node, syntax.Name):
            return (self.local_name(node.id),)
        if isinstance(node, syntax.Attribute):
            path = self.path_of(node.value)
            return None if path is None else (*path, node.attr)
        if isinstance(node, syntax.NamedExpr):
            return self.path_of(node.target)
        if isinstance(node, syntax.Subscript) and (field := self.element_at(node)) is not None:
            path = self.path_of(node.value)
            return None if path is None else (*path, field[0])
        return None

    def element_at(self, node: syntax.Subscript) -> tuple[str, Type] | None:
        """How a path spells `t[0]` of a tuple or `x[i]` of a list or dict, with the type of the element; None for all
        other subscripts."""
        kind, place = self.kind_at(node.value), whole_number(node.slice)
        if isinstance(kind, (ListType, DictType)):
            spelled = self.index_spelling(node.slice)
            return None if spelled is None else (f"{ELEMENT}{spelled}", resolve(kind.members[-1]))
        if place is None or not isinstance(kind, (TupleType, NamedTupleType)):
            return None
        if isinstance(kind, NamedTupleType):
            return kind.fields[place] if -len(kind.fields) <= place < len(kind.fields) else None
        if kind.is_variadic or not -len(kind.elements) <= place < len(kind.elements):
            return None
        return f"[{place % len(kind.elements)}]", kind.elements[place]

    def index_spelling(self, node: syntax.Node) -> str | None:
        """How a path spells an index of variables and constants; None for all others."""
        if isinstance(node, syntax.Constant) and isinstance(node.value, (int, str)):
            return repr(node.value)
        if isinstance(node, syntax.Name):
            return named(self.local_name(node.id)) if self.find_name(node.id) is not None else None
        if isinstance(node, syntax.UnaryOp) and node.op == "-":
            parts, shown = [self.index_spelling(node.operand)], "-{}"
        elif isinstance(node, syntax.BinOp) and node.op in ("+", "-"):
            parts, shown = [self.index_spelling(node.left), self.index_spelling(node.right)], f"({{}}{node.op}{{}})"
        elif isinstance(node, syntax.Tuple):
            parts, shown = [self.index_spelling(each) for each in node.elts], f"({'{},' * len(node.elts)})"
        else:
            return None
        return None if None in parts else shown.format(*parts)

    def kind_at(self, node: syntax.Node) -> Type | None:
        """The type of what a path names, without evaluating it."""
        path = self.path_of(node)
        if path is None or self.env is None:
            return None
        if path in self.env.paths:
            return resolve(self.env.paths[path])
        if isinstance(node, syntax.Name):
            variable = self.env.variables.get(path[0])
            return resolve(variable.type) if variable is not None and variable.static is None else None
        if isinstance(node, syntax.Subscript):
            found = self.element_at(node)
            return resolve(found[1]) if found is not None else None
        owner = self.kind_at(node.value) if isinstance(node, syntax.Attribute) else None
        attributes = dict(owner.fields) if isinstance(owner, NamedTupleType) else getattr(owner, "attributes", {})
        return resolve(attributes[path[-1]]) if path[-1] in attributes else None

    def known_at(self, value: Expr, path: tuple[str, ...] | None) -> Expr:
        """What a path reads, at the type that flow has proved."""
        known = self.here.paths.get(path) if path is not None else None
        return value if known is None else narrowed(value, known)

    def _Attribute(self, node: syntax.Attribute, want: Type | None) -> Expr:
        if node.attr == "__name__" and (raised := self.exception_of_type(node.value)) is not None:
            return self.exception_class_name(node, raised)
        owner = self.expr(node.value)
        return self.attribute(node, owner, mangled(node.attr, self.source.owner), self.path_of(node))

    def attribute(self, node: syntax.Node, owner: Expr, name: str, path: tuple[str, ...] | None) -> Expr:
        if isinstance(owner, Static):
            return self.static_attribute(node, owner, name)
        if is_silent(owner):
            return self.silent(node.span, [owner])
        kind = resolve(owner.type)
        if name == "__class__" and len(arms_of(kind)) > 1 and (TENSOR in arms_of(kind) or self.have_classes(kind)):
            return self.class_at_run_time(node.span, owner)
        if self.is_tested_at_run_time(owner, name):
            return self.attribute_behind(node, self.present(node, owner, name), name, path)
        if lacking := self.arms_without(owner, name):
            return self.attribute_behind(node, self.having(node, owner, name, lacking), name, path)
        if (found := self.attribute_of_some(node, owner, name, path)) is not None:
            return found
        if self.session.functions.is_function(kind):
            return self.function_attribute(node, owner, name)
        info = self.class_info(kind)
        if info is not None:
            return self.instance_attribute(node, owner, info, name, path)
        if isinstance(kind, NamedTupleType) and name in dict(kind.fields):
            return self.known_at(self.field(node, owner, kind, name), path)
        if isinstance(kind, (EnumType, NamedTupleType)):
            return self.field(node, owner, kind, name)
        if len(arms_of(kind)) > 1 and all(map(is_class_like, arms_of(kind))) and name not in KEPT:
            return self.arms_attribute(node, owner, name)
        if self.session.futures.element(kind) is not None:
            return self.future_attribute(node, owner, name)
        if name == "__class__" and kind in (ANY, EXCEPTION, TENSOR):
            return self.class_at_run_time(node.span, owner)
        if name == "__class__" and len(arms_of(kind)) == 1:
            own = self.class_of_arm(kind)
            return Static(STATIC, node.span, own or BuiltinDenotation(str(kind).partition("[")[0]))
        if isinstance(kind, DictType) and (special := self.method_of_dict_class(node, owner, kind, name)) is not None:
            return special
        if is_deque(kind):
            return self.attribute_of_deque(node, owner, name)
        if dict_class(kind) == "Counter" and name == "subtract":
            return Static(STATIC, node.span, OperatorDenotation(".subtract", owner))
        if isinstance(kind, ClassType):
            return self.object_attribute(node, owner, kind, name, path)
        if kind == EXCEPTION:
            return self.exception_attribute(node, owner, name)
        if is_exception(kind) and name in KEPT:
            return self.exception_attribute(node, as_exception(owner), name)
        if is_exception(kind):
            return self.each_arm(owner, lambda one: self.attribute(node, one, name, None))
        if isinstance(kind, FrozenSetType) and name in FROZEN_METHODS:
            return Static(STATIC, node.span, OperatorDenotation(f".{name}", owner))
        device = self.device_fact(node, owner, name) or self.tolist_method(node, owner, name)
        device = device or self.dtype_fact(node, owner, name) or self.shape_method(node, owner, name)
        if device is not None:
            return device
        if spelled(f".{name}:"):
            rows = [row for row in spelled(f".{name}:") if row.schema.params[0].type == kind]
            if rows:
                return self.operate(node, f".{name}:", [owner], (), rows)
        if isinstance(kind, DictType) and name in VIEWS:
            return Static(STATIC, node.span, ViewDenotation(owner, name, True))
        part = self.number_part(node, owner, name)
        if part is not None:
            return part
        if self.is_text_method(kind, name) or self.is_number_method(kind, name) or self.is_tuple_method(
            kind, name
        ) or any(is_receiver(row.schema.params[0].type, kind) for row in spelled(f".{name}")):
            return Static(STATIC, node.span, OperatorDenotation(f".{name}", owner))
        library = self.library_method(node, owner, name) or self.called_operator(node, owner, name)
        if library is not None:
            return library
        if kind == ANY and (found := self.any_attribute(node, owner, name)) is not None:
            return found
        if isinstance(kind, OptionalType) or NONE in arms_of(kind):
            text = f"{'None' if kind == NONE else f'{kind} may be None here and'} has no attribute '{name}'"
            return self.lacking_everywhere(node, owner, name) or self.error(node, text, none_hint(owner))
        if (left := self.lacking_everywhere(node, owner, name)) is not None:
            return left
        text = f"an element of an empty container has no attribute '{name}'"
        if (none := self.of_nothing(node, owner, text, "AttributeError")) is not None:
            return none
        self.session.classes.wait_for([owner.type])
        return self.missing_method(node, owner, name)

    def of_nothing(
        self, node: syntax.Node | Expr | Span, value: Expr, text: str, name: str = "TypeError"
    ) -> Expr | None:
        """What asks something of an element of a container that nothing was put into so far: there is no such value.
        Where something is put into it later, the code is looked at again. None for any other value."""
        if isinstance(value, Static) or not isinstance(resolve(value.type), Placeholder):
            return None
        self.session.classes.wait_for([value.type])
        return self.then(value, self.raise_error(node if isinstance(node, Span) else node.span, name, text))

    def static_attribute(self, node: syntax.Node, owner: Static, name: str) -> Expr:
        denotation = owner.denotation
        if isinstance(denotation, BuiltinDenotation) and name in ("__name__", "__qualname__"):
            text = denotation.name if name == "__qualname__" else denotation.name.rpartition(".")[2]
            return after(owner.before, self.session.denote(text, node.span))
        if isinstance(denotation, OperatorDenotation) and name == "__name__" and denotation.spelling[:1] == ".":
            told = self.session.denote(denotation.spelling[1:], node.span)
            return after(owner.before, told if denotation.receiver is None else self.then(denotation.receiver, told))
        if isinstance(denotation, (FunctionDenotation, ClosureDenotation, MethodDenotation)) and (
            name in ("__name__", "__qualname__")
        ):
            text = denotation.source.name if name == "__name__" else denotation.source.qualified
            return after(owner.before, self.session.denote(text, node.span))
        if isinstance(denotation, ObjectDenotation) and denotation.python is sys.float_info and hasattr(
            sys.float_info, name
        ):
            return self.session.denote(getattr(sys.float_info, name), node.span)
        if (kept := self.kept_attribute(node, owner, denotation, name)) is not None:
            return kept
        if isinstance(denotation, TypeDenotation):
            return after(owner.before, self.name_of_type(node, denotation, name))
        if isinstance(denotation, DataFieldDenotation) and name in ("name", "init", "repr", "compare", "kw_only"):
            return self.session.denote(getattr(denotation.python, name), node.span)
        if name == "isdisjoint" and self.is_set_view(owner):
            return self.attribute(node, self.view_as_set(node, owner), name, None)
        if isinstance(denotation, SliceDenotation):
            return self.slice_attribute(node, owner, denotation, name)
        if isinstance(denotation, RangeDenotation):
            return after(owner.before, self.range_attribute(node, denotation, name))
        if isinstance(denotation, ContainerDenotation):
            return self.attribute(node, self.opened(owner), name, None)
        if isinstance(denotation, SuperDenotation):
            return self.super_attribute(node, denotation, name)
        if owner.before:
            return after(owner.before, self.static_attribute(node, Static(STATIC, owner.span, denotation), name))
        python = getattr(denotation, "python", None)
        if isinstance(denotation, ClassDenotation) and isinstance(python, type):
            found = self.class_attribute_of(node, python, name)
            if found is not None:
                return found
        if isinstance(denotation, (ModuleDenotation, ClassDenotation)) and not isinstance(python, type):
            if python is not None and not hasattr(python, name):
                known = MODULE_ADVICE.get(name) or advice_of(python, name) or suggestion(name, dir(python))
                owned = f"module '{python.__name__}'" if inspect.ismodule(python) else denotation.describe()
                return self.error(node, f"{owned} has no attribute '{name}'", known)
            return self.session.denote(getattr(python, name), node.span)
        if isinstance(python, type) and name != "__name__" and hasattr(python, name):
            value = inspect.getattr_static(python, name)
            is_value = not callable(value) or is_enum(type(value)) or is_instance(value)
            if is_value and not isinstance(value, (property, staticmethod, classmethod)):
                return self.session.denote(value, node.span)
        if is_builtin_exception(python) and name == "__init__":
            return Static(STATIC, node.span, SpecialDenotation("exception_init"))
        if isinstance(python, type) and is_module_class(python):
            found = inspect.getattr_static(python, name, None)
            if isinstance(found, classmethod):
                base = next(base for base in python.__mro__ if name in base.__dict__)
                return self.unbound_member(node, python, base, found)
            source = self.module_class_attribute(python, name)
            if source is not None:
                return Static(STATIC, node.span, FunctionDenotation(source))
        if isinstance(denotation, ObjectDenotation) and (method := stream_method(denotation.python, name)) is not None:
            return self.session.denote(method, node.span)
        if isinstance(denotation, (DataFieldDenotation, ObjectDenotation)):
            return self.error(node, *denotation.refusal(""))
        if isinstance(denotation, BuiltinDenotation) and name in CLASS_METHODS.get(denotation.name, ()):
            return Static(STATIC, node.span, BuiltinDenotation(f"{denotation.name}.{name}"))
        if isinstance(denotation, BuiltinDenotation) and (denotation.name, name) in BUILTIN_MEMBERS:
            return Static(STATIC, node.span, BuiltinDenotation(f"{denotation.name}.{name}"))
        if isinstance(denotation, KeywordsDenotation) and name in ("get", "items", "keys", "values", "copy"):
            return self.attribute(node, self.hold(self.keywords_dict(node.span, denotation)), name, None)
        if isinstance(denotation, IteratorDenotation) and name in (*GENERATOR_METHODS, "__next__"):
            made = self.reify(owner)
            if made is not None:
                return self.generator_attribute(node, made, name)
        if isinstance(python, type) and not hasattr(python, name):
            own = list(getattr(python, "__members__", ())) if is_enum(python) else dir(python)
            raised = "AttributeError", lacking_text(python, name)
            return self.wrong_or_left(
                node, raised, f"'{python.__name__}' has no attribute '{name}'", members_hint(name, own))
        is_foreign = isinstance(python, type) and python.__module__ != collections.__name__
        refused = library_refusal(python) if is_foreign else None
        text, hint = refused or (f"attribute '{name}' of {denotation.describe()} is not supported in scripts", None)
        return self.error(node, text, hint)

    def module_class_attribute(self, python: type, name: str) -> FunctionSource | None:
        """`Net.helper`: a static method, or a method whose first argument is written out; None for anything else."""
        base = next((base for base in python.__mro__ if name in base.__dict__), None)
        found = base.__dict__[name] if base is not None else None
        found = found.__func__ if isinstance(found, staticmethod) else found
        return self.session.source(found, base) if inspect.isfunction(found) else None

    def super_attribute(self, node: syntax.Node, denotation: SuperDenotation, name: str) -> Expr:
        receiver = denotation.receiver
        if isinstance(receiver, Static):
            return self.super_of_class(node, denotation, receiver, name)
        python = self.session.classes.python_of(receiver.type)
        if python is not None:
            return self.super_member(node, denotation, python, name)
        info = self.module_info(denotation.receiver.type)
        assert info is not None
        order = info.python.__mro__
        for base in order[order.index(denotation.owner) + 1 :]:
            if name in base.__dict__:
                found = base.__dict__[name]
                if inspect.isfunction(found):
                    source = self.session.source(found, base)
                    return Static(STATIC, node.span, MethodDenotation(source, denotation.receiver))
                break
        return self.error(node, f"no base class of '{denotation.owner.__name__}' has a method '{name}'")

    def module_info(self, kind: Type) -> ModuleInfo | None:
        kind = resolve(kind)
        return self.session.modules.info.get(kind) if isinstance(kind, ClassType) else None

    def object_attribute(
        self, node: syntax.Node, owner: Expr, kind: ClassType, name: str, path: tuple[str, ...] | None
    ) -> Expr:
        if name in kind.attributes:
            return self.known_at(GetAttribute(kind.attributes[name], node.span, owner, name), path)
        info = self.module_info(kind)
        program = self.session.modules.traced_types.get(kind) if info is None else None
        if program is not None and name in program.methods:
            return Static(STATIC, node.span, GraphDenotation(name, program, name, owner))
        if program is not None and name in (constants := read_constants(program.metadata)):
            return self.then(owner, self.session.denote(constants[name], node.span))
        if info is None:
            return self.error(node, f"'{kind}' has no attribute '{name}'")
        if name in info.constants:
            value = info.constants[name]
            if isinstance(value, OwnMethod):
                source = self.session.source(value.function, value.owner(info.python))
                return Static(STATIC, node.span, MethodDenotation(source, owner))
            return self.session.denote(value, node.span)
        if name in info.refused:
            return self.error(node, f"attribute '{name}' cannot be used: {info.refused[name]}")
        try:
            found = inspect.getattr_static(info.python, name)
        except AttributeError:
            if self.has_in_others(info, name):
                text = f"'{info.python.__name__}' object has no attribute '{name}'"
                return self.then(owner, self.raise_error(node.span, "AttributeError", text))
            known_names = [*kind.attributes, *info.constants, *(n for n in dir(info.python) if not n.startswith("_"))]
            return self.error(node, f"'{kind}' has no attribute '{name}'", members_hint(name, known_names))
        return self.class_attribute(node, owner, info, name, found)

    def has_in_others(self, info: ModuleInfo, name: str) -> bool:
        """Whether the constructors of a module's class give an attribute to some of its instances: those without it
        raise when the program reads it, as in Python."""
        for base in info.python.__mro__:
            made = base.__dict__.get("__init__")
            if not inspect.isfunction(made) or base.__module__.partition(".")[0] == __name__.partition(".")[0]:
                continue
            try:
                source = self.session.source(made, base)
            except CompileError:  # made by a program: nothing is known of it
                continue
            receiver = source.params[0].arg
            if name in (*assigned_by(source.node, receiver, base), *registered_by(source.node, receiver)):
                return True
        return False

    def module_special(self, node: syntax.Node, owner: Expr, name: str, values: Sequence[Expr]) -> Expr | None:
        """A call of a special method that a module's own class has; None if there is none."""
        info = self.module_info(owner.type)
        if info is None or info.is_container or not hasattr(info.python, name):
            return None
        method = self.object_attribute(node, owner, info.type, name, None)
        if not isinstance(method, Static) or not isinstance(method.denotation, MethodDenotation):
            return None
        return self.invoke_source(node.span, method.denotation.source, [owner, *values], [])

    def class_attribute(self, node: syntax.Node, owner: Expr, info: ModuleInfo, name: str, found: object) -> Expr:
        base = next(base for base in info.python.__mro__ if name in base.__dict__)
        if isinstance(found, staticmethod):
            return self.session.denote(found.__func__, node.span)
        if isinstance(found, property) and found.fget is not None:
            return self.invoke_source(node.span, self.session.source(found.fget, base), [owner], [])
        if isinstance(found, classmethod):
            return self.unbound_member(node, info.python, base, found)
        if (walk := self.module_tensors(node, owner, info, name)) is not None:
            return walk
        if inspect.isfunction(found) or hasattr(found, "__wrapped__"):
            return Static(STATIC, node.span, MethodDenotation(self.session.source(found, base), owner))
        return self.session.denote(found, node.span)


def lacking_text(python: type, name: str) -> str:
    """What Python says of an attribute that a class has not."""
    try:
        getattr(python, name)
    except AttributeError as error:
        return str(error)
    raise AssertionError(f"{python} has {name}")
