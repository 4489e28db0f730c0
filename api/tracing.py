"""`tsm.trace`: functions and modules recorded while they run.

In: a callable, example inputs. Out: the same ScriptFunction or ScriptModule that script() gives.
Holds: a trace is checked by running it again on its inputs and on `check_inputs` beside the Python function.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .binding import dispatch, library
from .binding.tensor import Tensor
from .frontend.objects.program_members import is_program_module
from .frontend.trace.tracer import Call, TracerWarning, record, record_methods
from .ir.graph import Program
from .loaded import LoadedModule, LoadedObject
from .scripting import ScriptFunction, ScriptModule, is_module
from .written.reductions import trace as matrix_trace


class TracingCheckError(AssertionError):
    """A trace and the function it was made from give different results."""


def trace(
    func: Any,
    example_inputs: Any = None,
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Sequence[Any] | None = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    _force_outplace: bool = False,
    _module_class: Any = None,
    _compilation_unit: Any = None,
    example_kwarg_inputs: dict[str, Any] | None = None,
    _store_inputs: bool = True,
) -> Any:
    """Runs a function or module on example inputs and keeps the operators it used as a program.

    `example_inputs` is a tuple of arguments (a single tensor stands for one). Shapes stay symbolic where they are read
    from tensors; a decision that Python takes on elements is fixed, with a TracerWarning at its line. A Python loop
    over range(size) is unrolled at the size of the example. With `check_trace` the result is compared with the function
    on the inputs and on each of `check_inputs`: TracingCheckError. `example_kwarg_inputs` are arguments by name, in the
    place of `example_inputs`. The other parameters change nothing: lists and dicts are always taken, changes in place
    stay what they are. Of a matrix it is the sum of the diagonal, which is what scripts mean by it.
    """
    if isinstance(func, LoadedModule):
        return func
    if isinstance(func, Tensor):
        return func.trace()
    refuse_pytorch(func, example_inputs, example_kwarg_inputs)
    module = func if is_module(func) else None
    function = module.forward if module is not None else func
    if example_kwarg_inputs is not None:
        example_inputs = in_order(function, example_kwarg_inputs)
    if example_inputs is None:
        raise TypeError("trace() missing 1 required positional argument: 'example_inputs'")
    examples = as_arguments(example_inputs)
    names = parameter_names(function, len(examples))
    made: list[bool] = []

    def make() -> Program:
        program, uses_random = record(
            function, module, "forward" if module is not None else function.__name__, names, examples
        )
        made.append(uses_random)
        return program

    with unchanged(module):
        first = make()
    later = _once_then(first, make)
    traced = traced_from(ScriptModule(module, later) if module is not None else ScriptFunction(function, later))
    if check_trace:
        if made[0]:
            warnings.warn("the trace draws random numbers, so it was not checked", TracerWarning, stacklevel=2)
        else:
            for inputs in (examples, *map(as_arguments, check_inputs or ())):
                compare_outputs(traced, function, module, inputs, check_tolerance)
    return traced


trace.__tsm_instead__ = matrix_trace  # type: ignore[attr-defined]


def refuse_pytorch(func: Any, *inputs: Any) -> None:
    """TypeError for a module or tensors of PyTorch, before it runs on them."""
    owner = getattr(func, "__self__", func)
    bases = {f"{base.__module__}.{base.__name__}" for base in type(owner).__mro__}
    if "torch.nn.modules.module.Module" in bases:
        raise TypeError(
            f"{type(owner).__name__} is a module of PyTorch, whose operators tsm cannot record: build the same class "
            "on tsm.nn (import tsm as torch) and give it the weights: twin.load_state_dict(module.state_dict())"
        )
    for value in inputs:
        items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else (value,)
        if any(type(item).__module__.partition(".")[0] == "torch" for item in items):
            raise TypeError("the example inputs hold a tensor of PyTorch: pass tsm.from_dlpack(x), or "
                            "tsm.from_numpy(x.numpy())")


def trace_module(
    mod: Any,
    inputs: dict[str, Any],
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Sequence[dict[str, Any]] | None = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    _force_outplace: bool = False,
    _module_class: Any = None,
    _compilation_unit: Any = None,
    example_inputs_is_kwarg: bool = False,
    _store_inputs: bool = True,
) -> Any:
    """Traces several methods of a module: `inputs` maps each method's name to its example arguments, as for `trace`.

    With `example_inputs_is_kwarg` they are dicts of arguments by name. `check_inputs` is a sequence of such dicts. The
    other parameters change nothing. AttributeError for a method that the module lacks; TracingCheckError.
    """
    module = mod
    refuse_pytorch(module, *inputs.values())
    if not is_module(module):
        raise TypeError(f"trace_module() takes a module, not {type(module).__name__}: write trace(function, inputs)")
    if isinstance(module, LoadedModule):
        return module
    if example_inputs_is_kwarg:
        inputs = {name: in_order(getattr(module, name), given) for name, given in inputs.items()}
    calls: list[Call] = []
    for name, given in inputs.items():
        method = getattr(module, name)
        examples = as_arguments(given)
        calls.append((method, name, parameter_names(method, len(examples)), examples))
    made: list[bool] = []

    def make() -> Program:
        program, uses_random = record_methods(module, calls)
        made.append(uses_random)
        return program

    with unchanged(module):
        first = make()
    traced = traced_from(ScriptModule(module, _once_then(first, make)))
    if check_trace and not made[0]:
        for each in (inputs, *(check_inputs or ())):
            for name, given in each.items():
                run = traced.method(name)
                compare_outputs(run, getattr(module, name), module, as_arguments(given), check_tolerance, traced.reset)
    return traced


def traced_from(traced: Any) -> Any:
    """Marks a trace: a script that calls it takes its program over."""
    object.__setattr__(traced, "_tsm_trace", True)
    return traced


@contextmanager
def unchanged(module: Any) -> Iterator[None]:
    """Puts a module's tensors and attributes back as they were: neither tracing nor checking is a use of it."""
    modules = list(module.modules()) if module is not None else []
    attributes = [dict(vars(inner)) for inner in modules]
    tensors = [t for inner in modules for t in (*inner._parameters.values(), *inner._buffers.values()) if t is not None]
    copies = [tensor.clone() for tensor in tensors]
    states = [(inner, own_state(inner)) for inner in modules if is_program_module(inner)]
    try:
        yield
    finally:
        for inner, state in states:
            for name, value in state.items():
                setattr(inner, name, value)
        for inner, saved in zip(modules, attributes):
            vars(inner).update(saved)
        for tensor, copy in zip(tensors, copies):
            tensor.copy_(copy)


def own_state(module: Any) -> dict[str, Any]:
    """What a compiled module has beside modules, where Python can set it; tensors as they are, not their elements."""
    names = [name for name in module._attribute_names() if name not in module._modules]
    found = {name: getattr(module, name) for name in names if hasattr(module, name)}
    return {name: value for name, value in found.items() if not isinstance(value, LoadedObject)}


def _once_then(first: Program, make: Callable[[], Program]) -> Callable[[], Program]:
    waiting = [first]

    def again() -> Program:
        if waiting:
            return waiting.pop()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TracerWarning)
            return make()

    return again


def as_arguments(inputs: Any) -> tuple[Any, ...]:
    if isinstance(inputs, tuple):
        return inputs
    return tuple(inputs) if isinstance(inputs, list) else (inputs,)


def in_order(function: Callable[..., Any], given: dict[str, Any]) -> tuple[Any, ...]:
    """Arguments by name as those by position. TypeError if the function does not take them so."""
    bound = inspect.signature(function).bind(**given)
    bound.apply_defaults()
    if bound.kwargs:
        name = getattr(function, "__name__", function)
        raise TypeError(f"{name}() has parameters that are given by name only, which a trace does not have")
    return bound.args[: max(i for i, name in enumerate(bound.arguments, 1) if name in given)]


def parameter_names(function: Callable[..., Any], count: int) -> list[str]:
    """Names for `count` positional arguments. TypeError if the function does not take them."""
    signature = inspect.signature(function)
    try:
        signature.bind(*range(count))
    except TypeError as error:
        name = getattr(function, "__name__", function)
        raise TypeError(f"example_inputs do not fit {name}{signature}: {error}") from None
    names = [p.name for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return (names + [f"arg_{i}" for i in range(len(names), count)])[:count]


def compare_outputs(
    traced: Any, function: Callable[..., Any], module: Any, inputs: tuple[Any, ...], tolerance: float,
    reset: Callable[[], None] | None = None,
) -> None:
    """TracingCheckError unless both give the same on copies of the inputs; state that the calls change is put back."""
    with dispatch.paused():
        with unchanged(module), _decided_as_traced():
            expected = copy_of(function(*map(copy_of, inputs)))
        with unchanged(module):
            got = copy_of(traced(*map(copy_of, inputs)))
        (reset or traced.reset)()
    problem = difference(expected, got, tolerance, "the result")
    if problem:
        raise TracingCheckError(f"the trace does not repeat what the function does: {problem}")


@contextmanager
def _decided_as_traced() -> Iterator[None]:
    state = library.thread()
    before, state.is_checking = state.is_checking, True
    try:
        yield
    finally:
        state.is_checking = before


def copy_of(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.clone()
    if isinstance(value, tuple):
        return tuple.__new__(type(value), map(copy_of, value))
    if isinstance(value, list):
        return [copy_of(item) for item in value]
    return {key: copy_of(item) for key, item in value.items()} if isinstance(value, dict) else value


def difference(expected: Any, got: Any, tolerance: float, where: str) -> str:
    """What differs, as a sentence; "" if nothing does."""
    if isinstance(expected, Tensor) and isinstance(got, Tensor):
        a, b = expected.numpy(), got.numpy()
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{where} is {a.dtype}{a.shape} in Python, {b.dtype}{b.shape} in the trace"
        if not np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True):
            worst = float(np.max(np.abs(a.astype(np.float64) - b.astype(np.float64))))
            return f"{where} differs by up to {worst:.3g}"
        return ""
    if isinstance(expected, (list, tuple)) and type(expected) is type(got) and len(expected) == len(got):
        pairs = enumerate(zip(expected, got))
        return next(filter(None, (difference(a, b, tolerance, f"{where}[{i}]") for i, (a, b) in pairs)), "")
    if isinstance(expected, dict) and isinstance(got, dict) and list(expected) == list(got):
        keys = iter(expected)
        return next(filter(None, (difference(expected[k], got[k], tolerance, f"{where}[{k!r}]") for k in keys)), "")
    is_same = expected == got or (expected != expected and got != got)
    return "" if is_same else f"{where} is {expected!r} in Python, {got!r} in the trace"
