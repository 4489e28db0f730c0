"""`scripted.code`: what was compiled, as one Python text that runs by itself and can be scripted again.

In: a compilation. Out: imports, constants, classes and functions, each named once, entry points last.
Holds: `is_scripting()` is True in the text, and branches that no specialisation compiled are gone; global and closure
constants have the values they had when compiled (D10); entry points say their parameters' types.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import enum
import functools
import inspect
import sys
import types
import typing
from collections.abc import Iterable
from typing import TYPE_CHECKING
from typing import Any as PyAny

from ...ir.types import Type
from ..compilation.session import unwrap
from ..objects.class_facts import find, instance_values, is_instance, is_namespace, mangled
from ..objects.class_places import span_of
from ..objects.function_source import FunctionSource, has_overloads, managing_generator
from ..objects.signatures import is_overloaded
from ..parser import syntax
from .objects import PACKAGE, Unprintable, classes_within, expression, is_definition, is_public
from .trees import Definition, Rewriter, class_tree, function_tree, spelled_type
from .type_comments import annotate

if TYPE_CHECKING:
    from ..program import Compilation


def code_of(compilation: Compilation) -> str:
    """The text of everything that the entry points of a compilation reach."""
    listing = Listing(compilation)
    for name, spec in compilation.entries:
        listing.add_entry(name, spec.source, spec.types)
    return listing.text()


class Listing:
    """Definitions found so far, by the name that they are printed under."""

    def __init__(self, compilation: Compilation) -> None:
        self.session = compilation.session
        self.names: dict[str, PyAny] = {}  # printed name -> object
        self.modules: set[str] = {PACKAGE}
        self.items: list[str | ast.stmt] = []  # constants and definitions, each behind what it needs
        self.done: dict[int, str] = {}
        self.kept: list[PyAny] = []
        self.remarks: list[str] = []
        self.begun: list[type] = []  # classes whose statements are not there yet
        self.waiting: list[tuple[str, type]] = []  # classes whose bases are such
        self.unmade: dict[str, PyAny] = {}  # instances of such

    def text(self) -> str:
        """Imports, constants, definitions."""
        parts = ["from __future__ import annotations", "\n".join(f"import {name}" for name in sorted(self.modules))]
        remarks = "\n".join(f"# {remark}" for remark in self.remarks)
        text = "\n\n".join(part for part in (parts[0], parts[1], remarks) if part)
        was_constant = False
        for item in self.items:
            is_constant = isinstance(item, str)
            gap = "\n" if is_constant and was_constant else "\n\n" if is_constant else "\n\n\n"
            text += gap + (item if isinstance(item, str) else ast.unparse(ast.fix_missing_locations(item)))
            was_constant = is_constant
        return text + "\n"

    # Entry points

    def add_entry(self, name: str, source: FunctionSource, kinds: list[Type]) -> None:
        """An entry point; of a method, the class that has it."""
        if source.owner is not None:
            self.name_of(source.owner, source.owner.__name__)
            return
        value = source.python if source.python is not None else source
        if id(value) not in self.done:
            self.define_function(self.claim(name, value), value, source, kinds)

    # Names

    def claim(self, wanted: str, value: PyAny) -> str:
        """A name that nothing else has."""
        wanted = "function" if wanted == "<lambda>" else wanted
        name, number = wanted, 0
        while name in self.names and self.names[name] is not value or name in vars(builtins):
            number += 1
            name = f"{wanted}_{number}"
        self.names[name] = value
        self.done[id(value)] = name
        self.kept.append(value)
        return name

    def name_of(self, value: PyAny, wanted: str) -> str:
        """What to write for an object that a function names `wanted`."""
        inner = unwrap(value) if not isinstance(value, (type, FunctionSource)) else value
        if id(inner) in self.done:
            return self.done[id(inner)]
        if isinstance(inner, FunctionSource):
            name = self.claim(wanted, inner)
            self.define_function(name, inner, inner, None)
            return name
        if getattr(value, "__tsm_special__", None) == "is_scripting":
            return "is_scripting"
        if isinstance(inner, enum.Enum):
            owner = type(inner)
            shown = self.name_of(owner, owner.__name__)
            is_combined = isinstance(inner, enum.Flag) and inner.name not in owner.__members__
            return f"{shown}({inner.value})" if is_combined else f"{shown}.{inner.name}"
        if is_definition(value):
            return self.define(inner, wanted)
        if is_instance(value):
            return self.instance(value, wanted)
        return self.constant(value, wanted)

    def instance(self, value: PyAny, wanted: str) -> str:
        """An instance outside the functions: made without its constructor, with the attributes that it has."""
        self.name_of(type(value), type(value).__name__)
        if id(value) in self.done:  # a method of its class named it
            return self.done[id(value)]
        name = self.claim(wanted, value)
        self.unmade[name] = value
        self.write_instances()
        return name

    def write_instances(self) -> None:
        """Those whose classes are there; a class whose method names an instance of it comes before that."""
        absent = {*self.begun, *(python for _, python in self.waiting)}
        ready = {name: value for name, value in self.unmade.items() if absent.isdisjoint(classes_within(value))}
        for name in ready:
            del self.unmade[name]
        for name, value in ready.items():
            self.items.append(f"{name} = object.__new__({self.done[id(type(value))]})")
            for attribute, held in instance_values(value).items():
                self.items.append(f"object.__setattr__({name}, {attribute!r}, {self.constant_text(held)})")

    def constant(self, value: PyAny, wanted: str) -> str:
        if value is sys.float_info or value is sys.version_info:
            self.modules.add("sys")
            return "sys.float_info" if value is sys.float_info else "sys.version_info"
        try:
            text = self.constant_text(value)
        except Unprintable as error:
            self.remarks.append(f"{wanted} is {error}, which is not printed")
            return wanted
        module = text.rpartition(".")[0] if not isinstance(value, types.ModuleType) else text
        if isinstance(value, types.ModuleType):
            self.modules.add(module)
            return text if "." in text else self.claim(text, value)
        if not isinstance(value, (bool, int, float, str, bytes, complex, list, tuple, dict, set)) and module:
            if "(" not in text and "[" not in text:
                self.modules.add(module)
                return text
        if "typing." in text:
            self.modules.add("typing")
        if value is None or text in vars(builtins):
            return text
        if id(value) in self.done:  # a class in it needed it first
            return self.done[id(value)]
        name = self.claim(wanted, value)
        self.items.append(f"{name} = {text}")
        return name

    def constant_text(self, value: PyAny) -> str:
        """As `expression`, with members of enums under the names of their classes."""
        if isinstance(value, enum.Enum):
            return self.name_of(value, value.name)
        if isinstance(value, tuple) and type(value) is not tuple:
            owner = self.name_of(type(value), type(value).__name__)
            return f"{owner}({', '.join(map(self.constant_text, value))})"
        if type(value) is tuple:
            return f"({', '.join(map(self.constant_text, value))}{',' * (len(value) == 1)})"
        if type(value) in (list, set):
            items = ", ".join(map(self.constant_text, value))
            return f"[{items}]" if type(value) is list else f"{{{items}}}" if value else "set()"
        if type(value) is dict:
            items = ", ".join(f"{self.constant_text(k)}: {self.constant_text(v)}" for k, v in value.items())
            return f"{{{items}}}"
        if type(value) is functools.partial:
            self.modules.add("functools")
            named = [f"{key}={self.constant_text(each)}" for key, each in value.keywords.items()]
            function = self.name_of(value.func, getattr(value.func, "__name__", "function"))
            return f"functools.partial({', '.join([function, *map(self.constant_text, value.args), *named])})"
        if is_namespace(value):
            module = type(value).__module__
            self.modules.add(module)
            return f"{module}.{type(value).__name__}(**{self.constant_text(vars(value))})"
        if isinstance(value, typing.TypeVar):
            self.modules.add("typing")
            return self.variable_text(value)
        if isinstance(value, typing.NewType):
            self.modules.add("typing")
            return f"typing.NewType({value.__name__!r}, {self.constant_text(value.__supertype__)})"
        if isinstance(value, typing.ForwardRef):
            return repr(value.__forward_arg__)
        if typing.get_args(value):
            return self.alias_text(value)
        if is_definition(value) and (isinstance(value, type) or inspect.isfunction(unwrap(value))):
            return self.name_of(value, getattr(value, "__name__", "value"))
        if is_instance(value):
            return self.name_of(value, "instance")
        return expression(value)

    def variable_text(self, value: typing.TypeVar) -> str:
        """The call that makes a type variable."""
        parts = [repr(value.__name__), *map(self.constant_text, value.__constraints__)]
        if value.__bound__ is not None:
            parts.append(f"bound={self.bound_text(value.__bound__)}")
        return f"typing.TypeVar({', '.join(parts)})"

    def bound_text(self, value: PyAny) -> str:
        """A bound, which may be named before it is there."""
        if isinstance(value, typing.ForwardRef):
            return repr(value.__forward_arg__)
        return self.argument_text(value)

    def alias_text(self, value: PyAny) -> str:
        """`list[Point]`, `Optional[T]`, `int | None`."""
        self.modules.add("typing")
        origin, inner = typing.get_origin(value), typing.get_args(value)
        parts = ["..." if each is Ellipsis else self.argument_text(each) for each in inner]
        if origin in (typing.Union, types.UnionType):
            return f"typing.Union[{', '.join(parts)}]"
        if origin is typing.Literal:
            return f"typing.Literal[{', '.join(map(repr, inner))}]"
        if origin is collections.abc.Callable:
            return f"typing.Callable[{', '.join(parts)}]"
        return f"{self.name_of(origin, origin.__name__)}[{', '.join(parts)}]"

    def argument_text(self, value: PyAny) -> str:
        if isinstance(value, list):
            return f"[{', '.join(map(self.argument_text, value))}]"
        if value is type(None):
            return "None"
        if value in self.begun:
            return repr(self.name_of(value, value.__name__))
        return self.name_of(value, getattr(value, "__name__", "value"))

    # Definitions

    def define(self, value: PyAny, wanted: str) -> str:
        if isinstance(value, type):
            return self.define_class(value)
        name = self.claim(wanted if value.__name__ == "<lambda>" else value.__name__, value)
        self.define_function(name, value, self.session.source(value), None)
        return name

    def define_function(
        self, name: str, value: PyAny, source: FunctionSource, kinds: list[Type] | None
    ) -> None:
        definition = function_tree(source, self.session.texts)
        if definition is None:
            self.remarks.append(f"{name} has no Python text")
            return
        self.finish(definition, source, kinds)
        definition.tree.name = name
        self.items.append(definition.tree)

    def finish(self, definition: Definition, source: FunctionSource, kinds: list[Type] | None) -> None:
        """Decorators, defaults, annotations, pruned branches and names of one function, in place."""
        tree = definition.tree
        tree.decorator_list = [each for each in tree.decorator_list if definition.keeps(each)]
        self.mark(tree, getattr(source.python, "__tsm_mark__", "_overload" if has_signatures(source.python) else None))
        if source.is_manager:
            self.modules.add("contextlib")
            tree.decorator_list.append(ast.parse("contextlib.contextmanager", mode="eval").body)
        if source.is_cached:
            self.modules.add("functools")
            tree.decorator_list.append(ast.parse("functools.cache", mode="eval").body)
        annotate(tree)
        self.set_defaults(tree, source)
        if kinds is not None:
            self.set_types(tree, source, kinds)
        self.rewrite(tree, source)

    def mark(self, tree: ast.FunctionDef | ast.ClassDef, name: str | None) -> None:
        """Writes what a decorator of tsm.jit put on a function or class: unused, ignore, export, interface."""
        if name is not None:
            self.modules.add(f"{PACKAGE}.jit")
            tree.decorator_list.insert(0, ast.parse(f"{PACKAGE}.jit.{name}", mode="eval").body)

    def rewrite(self, tree: ast.AST, source: FunctionSource) -> None:
        Rewriter(self, source, definition_lines(source)).visit(tree)

    def set_defaults(self, tree: ast.FunctionDef, source: FunctionSource) -> None:
        """Defaults as the values that they had."""
        every = [*tree.args.posonlyargs, *tree.args.args]
        names = [arg.arg for arg in every[len(every) - len(tree.args.defaults) :]]
        for place, name in enumerate(names):
            tree.args.defaults[place] = self.default(source, name, tree.args.defaults[place])
        for place, (arg, default) in enumerate(zip(tree.args.kwonlyargs, tree.args.kw_defaults)):
            if default is not None:
                tree.args.kw_defaults[place] = self.default(source, arg.arg, default)

    def default(self, source: FunctionSource, name: str, written: ast.expr) -> ast.expr:
        try:
            text = self.constant_text(source.defaults[name]) if name in source.defaults else None
        except Unprintable:
            text = None
        return written if text is None else ast.parse(text, mode="eval").body

    def set_types(self, tree: ast.FunctionDef, source: FunctionSource, kinds: list[Type]) -> None:
        """Annotations of an entry point's parameters that have none."""
        for arg, kind in zip([*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs], kinds):
            text = spelled_type(kind) if arg.annotation is None else None
            if text is not None:
                arg.annotation = ast.parse(text, mode="eval").body
                if "typing." in text:
                    self.modules.add("typing")

    def define_class(self, python: type) -> str:
        """The class, and the subclasses that the compilation knows: an annotation by it means them too (D10)."""
        name = self.define_one_class(python)
        for other in self.session.classes.script_classes():
            if other is not python and python in other.__mro__ and id(other) not in self.done:
                self.define_class(other)
        return name

    def define_one_class(self, python: type) -> str:
        """Its name. Its statement comes behind those of its bases, one of which may be what asks for it."""
        name = self.claim(python.__name__, python)
        self.waiting.append((name, python))
        self.write_waiting()
        return name

    def write_waiting(self) -> None:
        ready = [each for each in self.waiting if not any(base in self.begun for base in each[1].__mro__)]
        self.waiting = [each for each in self.waiting if each not in ready]
        for name, python in ready:
            self.write_class(name, python)

    def write_class(self, name: str, python: type) -> None:
        definition = class_tree(python, self.session.texts)
        if definition is None:
            text = made_class(self, python)
            if text is None:
                self.remarks.append(f"{name} has no Python text")
            else:
                self.items.append(f"{name} = {text}")
            return
        tree, lookup = definition
        tree.name = name
        tree.decorator_list = [each for each in tree.decorator_list if not is_own_decorator(each, lookup)]
        tree.body = [each for each in tree.body if not is_signature(python, each)]
        self.begun.append(python)
        for each in tree.body:
            if isinstance(each, ast.FunctionDef):
                self.finish_method(python, each, lookup)
        self.mark(tree, "interface" if "__tsm_interface__" in vars(python) else None)
        place = span_of(python)
        nothing = syntax.arguments(place, [], [], None, [], [], None, [])
        outer = FunctionSource(name, syntax.FunctionDef(place, name, nothing, [], []), lookup)
        self.rewrite(tree, outer)
        self.begun.remove(python)
        self.items.append(tree)
        self.write_instances()
        self.add_later_methods(name, python, tree)
        self.write_waiting()

    def add_later_methods(self, name: str, python: type, tree: ast.ClassDef) -> None:
        """Methods that were put into the class behind its statement."""
        written = {mangled(each.name, python) for each in tree.body if isinstance(each, ast.FunctionDef)}
        assigned = [target for each in tree.body if isinstance(each, ast.Assign) for target in each.targets]
        written |= {mangled(target.id, python) for target in assigned if isinstance(target, ast.Name)}
        for key, value in vars(python).items():
            if isinstance(value, functools.singledispatchmethod):
                self.remarks.append(f"{name}.{key} lacks the functions that were registered for other classes")
            is_later = inspect.isfunction(value) and key not in written
            is_generated = is_later and value.__code__.co_filename.startswith("<")
            if is_later and not is_generated and self.session.known_source(value) is not None and not is_public(value):
                self.items.append(f"{name}.{key} = {self.name_of(value, f'{name}_{key}')}")

    def finish_method(self, python: type, tree: ast.FunctionDef, lookup: PyAny) -> None:
        """A method as it was compiled; one that was not keeps its name only."""
        found = find(python, mangled(tree.name, python))
        value = function_of(found[1]) if found else None
        source = self.session.known_source(unwrap(value)) if value is not None else None
        written = managing_generator(value) or value
        if found is not None and written is not None and written.__code__.co_firstlineno > tree.lineno:
            source = None  # another method of the name: a property's setter
        tree.decorator_list = [each for each in tree.decorator_list if not is_own_decorator(each, lookup)]
        self.mark(tree, getattr(value, "__tsm_mark__", "_overload_method" if has_signatures(value) else None))
        self.mark(tree, "export" if getattr(value, "__tsm_export__", False) else None)
        annotate(tree)
        is_special = tree.name.startswith("__") and tree.name.endswith("__")
        is_kept = source is not None or is_special or tree.decorator_list
        if not is_kept:
            tree.body = ast.parse(f"raise NotImplementedError({tree.name + ' was not compiled'!r})").body
            tree.returns = None
            for arg in ast.walk(tree.args):
                if isinstance(arg, ast.arg):
                    arg.annotation = None

    def resolve_free(self, names: Iterable[str], source: FunctionSource) -> dict[str, str]:
        """What to write for each free name of a function that has a value."""
        found: dict[str, str] = {}
        for name in names:
            try:
                value = source.lookup(name)
            except KeyError:
                continue
            if vars(builtins).get(name, self) is not value:
                found[name] = self.name_of(value, name)
        return found


def function_of(member: PyAny) -> PyAny:
    """The function in a property, a class method or a static one."""
    for inner in ("fget", "__func__", "func"):
        if getattr(member, inner, None) is not None:
            return getattr(member, inner)
    return member


def definition_lines(source: FunctionSource) -> tuple[str, ...]:
    span = getattr(source.node, "span", None)
    return (span.file,) if span is not None else ()


def has_signatures(value: PyAny) -> bool:
    """Whether `typing.overload` or `torch.jit._overload` gave a function signatures."""
    return is_overloaded(value) or inspect.isfunction(value) and has_overloads(value)


def is_signature(python: type, tree: ast.stmt) -> bool:
    """Whether it is a method before the one of its name, to which an overload gave its signature."""
    if not isinstance(tree, ast.FunctionDef):
        return False
    last = vars(python).get(mangled(tree.name, python))
    return has_signatures(last) and inspect.isfunction(last) and tree.lineno < last.__code__.co_firstlineno


LASTING = ("builtins", "abc", "contextlib", "dataclasses", "functools", "enum")  # their decorators change a function


def is_own_decorator(node: ast.expr, lookup: PyAny) -> bool:
    """Whether a decorator is one of tsm's, or one that only marks."""
    target = node.func if isinstance(node, ast.Call) else node
    names: list[str] = []
    while isinstance(target, ast.Attribute):
        names.append(target.attr)
        target = target.value
    if not isinstance(target, ast.Name):
        return False
    try:
        value = lookup(target.id)
        for name in reversed(names):
            value = getattr(value, name)
    except (KeyError, AttributeError):
        return names == [] or names[0] not in ("setter", "getter", "deleter")
    home = str(getattr(value, "__module__", "") or getattr(value, "__name__", ""))
    is_lasting = home in LASTING or getattr(value, "__name__", "") == "runtime_checkable"
    return home.partition(".")[0] == PACKAGE or not is_lasting


def made_class(listing: Listing, python: type) -> str | None:
    """A call that makes a class which no class statement made."""
    if issubclass(python, enum.Enum):
        base = python.__mro__[1].__name__
        listing.modules.add("enum")
        members = {member.name: member.value for member in python}
        return f"enum.{base}({python.__name__!r}, {members!r})"
    fields = getattr(python, "_fields", None)
    if fields is not None and issubclass(python, tuple):
        listing.modules.add("collections")
        defaults = list(getattr(python, "_field_defaults", {}).values())
        given = f", defaults=[{', '.join(map(listing.constant_text, defaults))}]" if defaults else ""
        return f"collections.namedtuple({python.__name__!r}, {list(fields)!r}{given})"
    return None
