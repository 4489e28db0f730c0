"""Records a running function as IR: the second front end.

In: a Python callable and example arguments, run once with a `Trace` listening at the dispatcher. Out: a `Program`.
Holds: every tensor the function saw is a Value, a module's parameter, or a constant; shapes read as ints are Values
too, so the trace stays generic in them. What Python decides by looking at elements is fixed, with a TracerWarning.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any as PyAny

from ...binding import dispatch
from ...binding.size import Size
from ...binding.state_names import STATE
from ...binding.tensor import Tensor
from ...ir.builder import Builder, constant_type
from ...ir.graph import Function, Location, Method, Param, Program, Value
from ...ir.operators import OPERATORS, Operator
from ...ir.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    SCALAR,
    SHAPE,
    STR,
    TENSOR,
    DictType,
    ListType,
    NamedTupleType,
    OptionalType,
    TupleType,
    Type,
    has_arm,
)
from ..core.constants import dtype_of
from ..objects.class_facts import is_named_tuple
from ..objects.module_attributes import state_names
from ..objects.named_tuples import name_of_class
from ..objects.program_members import is_program_module, name_apart, program_now
from ..objects.tensors import TensorPool
from ..own_files import is_own_file
from .module import ModuleState
from .number import TracedNumber, make_number, plain_number

_BELOW = (os.path.dirname(dispatch.__file__), os.path.dirname(__file__))


class TracerWarning(UserWarning):
    """Python looked at the elements of a tensor while it was traced: the trace follows only what it saw."""


class TraceError(TypeError):
    """A value that a trace cannot take in or give out."""


def caller_location() -> Location | None:
    """The innermost Python line that is not part of tsm."""
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not is_own_file(code.co_filename):
            return Location(code.co_filename, frame.f_lineno, 1, frame.f_lineno, 1, code.co_name)
        frame = frame.f_back  # type: ignore[assignment]
    return None


def code_outside_binding() -> str:
    """The file of the innermost line that is not the binding's or the trace's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_BELOW):
        frame = frame.f_back
    return frame.f_code.co_filename


class Trace:
    """One recording. It is a dispatcher's recorder; `finish` gives the program."""

    def __init__(self, name: str, module: PyAny = None, beside: Trace | None = None) -> None:
        """`beside` is a trace of another method of the module: both have one state."""
        self.pool: TensorPool = TensorPool() if beside is None else beside.pool
        self.module = ModuleState(module, self.pool) if module is not None and beside is None else None
        if beside is not None:
            self.module = beside.module
        self.function = Function(name, [], NONE, has_self=module is not None)
        self.builder = Builder(self.function)
        self.functions: list[Function] = []
        self.hosts: dict[str, PyAny] = {}
        self.classes: dict[str, type] = {}  # of named tuples that come in and go out
        self._values: dict[int, Value] = {}
        self._alive: list[PyAny] = []  # what _values knows by id must not die
        self._uses_random = False
        self._programs: dict[int, Program] = {}  # of compiled functions that are called
        if self.module is not None:
            self._self = self.function.body.add_param(self.module.root.type, "self")
            self.function.params.append(Param("self", self.module.root.type))

    @property
    def uses_random(self) -> bool:
        """Whether a random operator was recorded: two runs need not agree."""
        return self._uses_random

    # ---- arguments in, results out

    def add_input(self, name: str, example: PyAny) -> PyAny:
        """A parameter like `example`; returns what to call the function with in its place."""
        kind = type_of(example, f"the argument '{name}'")
        value = self.function.body.add_param(kind, name)
        self.function.params.append(Param(name, kind))
        return self._open(value, kind, example)

    def _open(self, value: Value, kind: Type, example: PyAny) -> PyAny:
        """The example rebuilt so that everything in it is known as a part of `value`."""
        if isinstance(example, Tensor):
            copy = example.clone()
            self.bind(copy, value)
            return copy
        if isinstance(example, tuple) and isinstance(kind, TupleType):
            parts = self._items(value, kind, len(example))
            return tuple_like(example, [self._open(part, part.type, item) for part, item in zip(parts, example)])
        if isinstance(example, tuple) and isinstance(kind, NamedTupleType):
            self.classes[kind.name] = type(example)
            return made_like(example, [
                self._open(self.node("tuple_get", [value], element, index=i), element, item)
                for i, (element, item) in enumerate(zip(kind.members, example))
            ])
        if isinstance(example, list) and isinstance(kind, ListType):
            return [
                self._open(self.operate("getitem.list", [value, self.constant(i)], kind.element), kind.element, item)
                for i, item in enumerate(example)
            ]
        if isinstance(example, dict) and isinstance(kind, DictType):
            return {
                key: self._open(self.operate("getitem.dict", [value, self.constant(key)], kind.value), kind.value, item)
                for key, item in example.items()
            }
        return make_number(self, value, example)

    def finish(self, result: PyAny, doc: str = "") -> Program:
        """Ends the recording with what the function returned."""
        kind = type_of(result, "the result")
        value = self.value_of(result, kind)
        self.function.result = kind
        self.builder.end("return", [value])
        public = self.function.params[1:] if self.module is not None else self.function.params
        method = Method(self.function.name.rpartition(".")[2], self.function, list(public), doc=doc)
        root = self.module.root if self.module is not None else None
        metadata = {} if self.module is None else {STATE: json.dumps(state_names(self.module.module, ""))}
        return Program(
            [self.function, *self.functions], {method.name: method}, root, metadata, hosts=self.hosts,
            classes=self.classes)

    # ---- values

    def _items(self, value: Value, kind: TupleType, count: int) -> list[Value]:
        """The items of a tuple, of which the example had so many."""
        if kind.is_variadic:
            return [self.operate("getitem.tuple", [value, self.constant(i)], kind.elements[0]) for i in range(count)]
        return [self.node("tuple_get", [value], each, index=i) for i, each in enumerate(kind.elements)]

    def bind(self, tensor: PyAny, value: Value) -> None:
        """From now on `tensor` is `value`."""
        self._values[id(tensor)] = value
        self._alive.append(tensor)

    def node(self, op: str, operands: Sequence[Value], result: Type, **attrs: PyAny) -> Value:
        with self.builder.at(caller_location()):
            return self.builder.node(op, operands, (result,), **attrs).result

    def operate(self, name: str, operands: Sequence[Value], result: Type) -> Value:
        return self.node(name, operands, result)

    def constant(self, value: PyAny, kind: Type | None = None) -> Value:
        return self.node("const", (), kind or constant_type(value), value=value)

    def value_of(self, thing: PyAny, kind: Type) -> Value:
        """The Value of a Python value at a type, converted and widened as operators need it."""
        if isinstance(thing, Tensor):
            return self.fit(self._tensor_value(thing), kind)
        if isinstance(thing, TracedNumber) and thing.trace is self:
            return self.fit(thing.value, kind)
        if isinstance(kind, OptionalType):
            inner = self.constant(None) if thing is None else self.value_of(thing, kind.inner)
            return self.fit(inner, kind)
        if isinstance(kind, ListType) and isinstance(thing, (list, tuple, int)):
            items = thing if isinstance(thing, (list, tuple)) else [thing]
            return self.node("list", [self.value_of(item, kind.element) for item in items], kind)
        if isinstance(kind, TupleType) and isinstance(thing, tuple):
            elements = kind.elements * len(thing) if kind.is_variadic else kind.elements
            made = self.node("tuple", [self.value_of(t, k) for t, k in zip(thing, elements)], kind)
            return self.operate("size.tuple", [made], SHAPE) if isinstance(thing, Size) and kind == SHAPE else made
        if isinstance(kind, NamedTupleType) and isinstance(thing, tuple):
            self.classes[kind.name] = type(thing)
            return self.node("tuple", [self.value_of(t, k) for t, k in zip(thing, kind.members)], kind)
        if isinstance(kind, DictType) and isinstance(thing, dict):
            pairs = [
                value
                for key, item in thing.items()
                for value in (self.value_of(key, kind.key), self.value_of(item, kind.value))
            ]
            return self.node("dict", pairs, kind)
        if kind == ANY and isinstance(thing, (list, tuple, dict)):
            return self.fit(self.value_of(thing, data_type(thing) or type_of(thing, "an argument")), kind)
        dtype = dtype_of(thing)
        return self.fit(self.constant(thing if dtype is None else dtype), kind)

    def _tensor_value(self, tensor: Tensor) -> Value:
        value = self._values.get(id(tensor))
        if value is None:
            value = self._attribute(tensor)
            if value is None:
                with dispatch.paused():  # reading a tensor's facts is not part of what it does
                    state = self.pool.state(tensor)
                value = self.constant(state, TENSOR)
            self.bind(tensor, value)
        return value

    def _attribute(self, tensor: Tensor) -> Value | None:
        """The tensor as an attribute of the traced module, read at the path it lies at."""
        path = self.module.path_of(tensor) if self.module is not None else None
        if self.module is None or path is None:
            return None
        return self.read_path(path)

    def read_path(self, path: Sequence[str]) -> Value:
        value, owner = self._self, self.module.root.type if self.module is not None else None
        for name in path:
            assert owner is not None
            kind = owner.attributes[name]
            value = self.node("get_attr", [value], kind, name=name)
            owner = kind  # type: ignore[assignment]
        return value

    def fit(self, value: Value, kind: Type) -> Value:
        """The value converted (bool to int to float) and widened to a type."""
        if value.type == kind:
            return value
        if kind == FLOAT and value.type in (INT, BOOL):
            return self.operate(f"float.{value.type}", [value], FLOAT)
        if kind == INT and value.type == BOOL:
            return self.operate("int.bool", [value], INT)
        if value.type == TENSOR and kind in (BOOL, INT, FLOAT):
            return self.operate(f"{kind}.Tensor", [value], kind)
        if has_arm(kind, value.type):
            return self.node("widen", [value], kind)
        if isinstance(kind, OptionalType):
            return self.fit(self.fit(value, kind.inner), kind)
        raise TraceError(f"a value of type {value.type} cannot be traced where {kind} is needed")

    # ---- recorder of the dispatcher

    def record(self, operator: PyAny, args: tuple[PyAny, ...], results: tuple[PyAny, ...]) -> tuple[PyAny, ...] | None:
        row = OPERATORS[operator.full_name]
        if "RANDOM" in row.traits:
            self._uses_random = True
        if row.full_name == "shape":
            return (self._read_shape(args[0], results[0]),)
        if row.full_name == "dim":
            return None  # the rank is a part of what was traced
        if row.full_name == "len.Tensor":
            self.warn("len() of a tensor while tracing gives a plain int, fixed in the trace: use x.shape[0]")
            return None
        params = row.schema.params
        operands = [self.value_of(arg, param.type) for arg, param in zip(args, params)]
        operands = [self._filled(v, row, i) for i, v in enumerate(operands)]
        with self.builder.at(caller_location()):
            node = self.builder.node(row.full_name, operands, row.schema.results)
        return tuple(self.track(value, result) for value, result in zip(node.results, results))

    def _filled(self, value: Value, row: Operator, position: int) -> Value:
        """A list of one int where the schema says int[2] stands for two."""
        fill = row.schema.params[position].fill
        node = value.node
        if fill > 1 and node is not None and node.op == "list" and len(node.operands) == 1:
            return self.node("list", list(node.operands) * fill, value.type)
        return value

    def _read_shape(self, tensor: PyAny, shape: Sequence[int]) -> tuple[PyAny, ...]:
        value = self.value_of(tensor, TENSOR)
        sizes = (self.operate("size.dim", [value, self.constant(i)], INT) for i in range(len(shape)))
        return tuple(make_number(self, size, int(extent)) for size, extent in zip(sizes, shape))

    def track(self, value: Value, result: PyAny) -> PyAny:
        """The result as the traced function gets it: tensors are remembered, numbers remember where they come from."""
        if isinstance(result, Tensor):
            self.bind(result, value)
            return result
        if value.type == SCALAR and isinstance(result, bool):
            if not is_own_file(code_outside_binding()):
                self.warn(f"item() of a bool tensor while tracing gives the plain bool {result}, fixed in the trace")
            return result
        if value.type == SCALAR:
            kind = constant_type(result)
            return make_number(self, self.node("narrow", [value], kind), result)
        if isinstance(result, list) and isinstance(value.type, ListType):
            element = value.type.element
            return [
                self.track(self.operate("getitem.list", [value, self.constant(i)], element), item)
                for i, item in enumerate(result)
            ]
        if isinstance(result, tuple) and isinstance(value.type, TupleType):
            parts = self._items(value, value.type, len(result))
            return tuple_like(result, list(map(self.track, parts, result)))
        if isinstance(result, tuple) and isinstance(value.type, NamedTupleType):
            return made_like(result, [
                self.track(self.node("tuple_get", [value], kind, index=i), item)
                for i, (kind, item) in enumerate(zip(value.type.members, result))
            ])
        if isinstance(result, dict) and isinstance(value.type, DictType):
            kind = value.type.value
            return {
                key: self.track(self.operate("getitem.dict", [value, self.constant(key)], kind), item)
                for key, item in result.items()
            }
        return make_number(self, value, result)

    def escape(self, tensor: PyAny, what: str) -> None:
        if what == "bool" and is_own_file(code_outside_binding()):
            return  # a check of tsm's own code, which no result depends on
        with dispatch.paused():
            seen = f" {tensor.item()}" if tensor.numel() == 1 else f"s of shape {list(tensor.shape)}"
        instead = f"; .item() is followed, {what}() is not" if what in ("int", "float") else ""
        self.warn(
            f"{what} of a tensor while tracing: Python sees this call's value{seen} only, and the trace "
            f"will not change with it{instead}"
        )

    def warn_branch(self, message: str) -> None:
        """Warns of a decision, unless it is tsm's own code that decides: it does not follow branches of the user's."""
        if not is_own_file(sys._getframe(2).f_code.co_filename):
            self.warn(message)

    def warn(self, message: str) -> None:
        location = caller_location()
        if location is None:
            warnings.warn(message, TracerWarning, stacklevel=3)
        else:
            warnings.warn_explicit(message, TracerWarning, location.file, location.line)

    # ---- calls of scripted programs

    def call(self, owner: PyAny, name: str, args: Sequence[PyAny], result: PyAny) -> PyAny:
        """A method of a compiled function or module was called with complete arguments and gave `result`: it stays a
        call, with its control flow."""
        program, operands = self._program_of(owner, name)
        method = program.methods[name]
        operands += [self.value_of(arg, param.type) for arg, param in zip(args, method.params)]
        for function in program.functions:
            if function not in self.functions:
                self.functions.append(function)
        self.hosts.update(program.hosts)
        with self.builder.at(caller_location()):
            value = self.builder.call(method.function, operands)
        return self.track(value, result)

    @staticmethod
    def plain(value: PyAny) -> PyAny:
        """What a compiled function is run with in the place of a number that remembers where it comes from."""
        if isinstance(value, tuple) and any(isinstance(item, TracedNumber) for item in value):
            return tuple(map(Trace.plain, value))
        return plain_number(value) if isinstance(value, TracedNumber) else value

    def _program_of(self, owner: PyAny, name: str) -> tuple[Program, list[Value]]:
        """The program of what is called, and its state if it has one."""
        if not is_program_module(owner):
            if id(owner) not in self._programs:
                self._programs[id(owner)] = program_now(owner, self.pool)
                self._alive.append(owner)
            return self._programs[id(owner)], []
        if self.module is None:
            raise TraceError(
                f"the compiled module {owner.original_name} is called by a traced function: "
                "trace a module that holds it"
            )
        program, path = self.module.program_of(owner)
        if name not in program.methods:
            raise TraceError(f"{name}() of a compiled module cannot be called while tracing: mark it @tsm.jit.export")
        return program, [self.read_path(path)]


def type_of(value: PyAny, what: str) -> Type:
    """The type that a trace gives an argument or result; TraceError for what it cannot carry."""
    if isinstance(value, Tensor):
        return TENSOR
    if isinstance(value, Size):
        return SHAPE
    if isinstance(value, tuple):
        kinds = [type_of(item, what) for item in value]
        if is_named_tuple(type(value)):
            fields: PyAny = value
            return NamedTupleType(name_of_class(type(value)), tuple(zip(fields._fields, kinds)))
        return TupleType(tuple(kinds))
    if isinstance(value, list):
        kinds = list(dict.fromkeys(type_of(item, what) for item in value))
        if len(kinds) == 1:
            return ListType(kinds[0])
        found = "is empty" if not kinds else f"mixes {' and '.join(map(str, kinds))}"
        raise TraceError(f"{what} has a list that {found}: a traced list needs elements of one type")
    if isinstance(value, dict):
        keys = {type_of(key, what) for key in value}
        kinds = list(dict.fromkeys(type_of(item, what) for item in value.values()))
        if len(kinds) == 1 and (keys == {STR} or keys == {INT}):
            return DictType(keys.pop(), kinds[0])
        raise TraceError(f"{what} has a dict that is not of str or int keys and values of one type")
    if value is None or isinstance(value, (bool, int, float, str)):
        return constant_type(value)
    raise TraceError(
        f"{what} is of type {type(value).__name__}: "
        "a trace takes tensors, numbers, str, None, and tuples, lists and dicts of them"
    )


def tuple_like(example: PyAny, items: list[PyAny]) -> PyAny:
    """A tuple, or a Size if the other is one."""
    return Size(items) if isinstance(example, Size) else tuple(items)


def made_like(example: PyAny, items: list[PyAny]) -> PyAny:
    """A named tuple of the class of another."""
    return tuple.__new__(type(example), items)


def data_type(value: PyAny) -> Type | None:
    """The type of nested lists of numbers, of Scalar if their kinds differ and of float if there are none. None for
    anything else."""
    if isinstance(value, (bool, int, float)):
        return constant_type(value)
    if not isinstance(value, (list, tuple)):
        return None
    found = list(dict.fromkeys(data_type(item) for item in value)) or [FLOAT]
    kinds = [kind for kind in found if kind is not None]
    if all(kind in (BOOL, INT, FLOAT, SCALAR) for kind in found):
        return ListType(kinds[0] if len(kinds) == 1 else SCALAR)
    lists = [kind.element for kind in kinds if isinstance(kind, ListType)]
    if len(lists) < len(found):
        return None
    return ListType(ListType(SCALAR)) if len(lists) > 1 else ListType(kinds[0])


Call = tuple[Callable[..., PyAny], str, Sequence[str], Sequence[PyAny]]  # function, name, parameters, examples


def record_methods(module: PyAny, calls: Sequence[Call]) -> tuple[Program, bool]:
    """A program of several methods of a module over one state, and whether any drew random numbers."""
    whole, first, is_random = Program(), None, False
    for fn, name, names, examples in calls:
        trace = Trace(name, module, first)
        program = run(trace, fn, names, examples)
        first = first or trace
        whole.functions += [function for function in program.functions if function not in whole.functions]
        whole.methods.update(program.methods)
        whole.hosts.update(program.hosts)
        whole.root = program.root
        whole.metadata.update(program.metadata)
        whole.classes.update(program.classes)
        is_random = is_random or trace.uses_random
    name_apart(whole)
    return whole, is_random


def record(
    fn: Callable[..., PyAny], module: PyAny, name: str, names: Sequence[str], examples: Sequence[PyAny]
) -> tuple[Program, bool]:
    """Runs `fn` on the examples and returns its program, and whether it drew random numbers."""
    trace = Trace(name, module)
    program = run(trace, fn, names, examples)
    name_apart(program)
    return program, trace.uses_random


def run(trace: Trace, fn: Callable[..., PyAny], names: Sequence[str], examples: Sequence[PyAny]) -> Program:
    """Runs `fn` while the trace listens."""
    args = [trace.add_input(param, example) for param, example in zip(names, examples)]
    dispatch.push_recorder(trace)
    try:
        result = fn(*args)
        return trace.finish(result, fn.__doc__ or "")
    finally:
        dispatch.pop_recorder(trace)
