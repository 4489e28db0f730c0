"""Python values to runtime values: numbers, texts, tensors, and the choice of a writer for a type.

In: a declared type and a Python value. Out: the runtime value in a buffer. Holds: a value that does not fit raises
TypeError or OverflowError and says which type was expected.
"""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from . import dtype as dtypes
from . import library
from .device import Device, check_place
from .library import lib
from .schema import SchemaType
from .scopes import Buffer, Scope
from .tensor import Tensor, from_numpy

_INT64 = range(-(2**63), 2**63)
Writer = Callable[[Buffer, int, Any, Scope], None]


def refuse(value: Any, kind: SchemaType | str) -> TypeError:
    hint, name = "", type(value).__name__
    if str(kind) == "Tensor" and isinstance(value, (bool, int, float)):
        hint = f" (annotate the parameter as {name}, or pass tsm.tensor({value!r}))"
    elif str(kind) == "Tensor" and hasattr(value, "__dlpack__"):
        name = f"{type(value).__module__}.{name}"
        hint = " (pass tsm.from_dlpack(x), which shares its memory)"
    return TypeError(f"expected {kind}, got {name}{hint}")


def is_plain(value: Any, *builtins: type) -> bool:
    """Whether a value is of one of some builtin classes, or of a subclass that means the same: not one with methods and
    texts of its own, which a program would not know. NumPy's scalars are numbers and texts as well."""
    own = type(value)
    bases = [base for base in builtins if issubclass(own, base)]
    return own in builtins or any(_means(own, base) for base in bases)  # type: ignore[arg-type]


@cache
def _means(own: type, base: type) -> bool:
    if own.__module__ == "numpy" or own is OrderedDict or getattr(own, "__tsm_number__", False):
        return True
    above = own.__mro__[: own.__mro__.index(base)]
    names = {*dir(base), "__missing__"} - {"__new__", "__init__", "__doc__", "__init_subclass__", "__class_getitem__"}
    return not any(name in vars(kind) for kind in above for name in names)


def require_plain(value: Any, kind: str, scope: Scope) -> None:
    """Programs take no numbers of the user's own classes; operators see nothing of them but the number."""
    if scope.instance is not None and isinstance(value, (int, float, complex)):
        if not is_plain(value, bool, int, float, complex):
            raise refuse(value, kind)


def int_of(value: Any) -> int:
    """An int that the runtime can hold, from int, bool or a NumPy integer. TypeError, OverflowError."""
    if not isinstance(value, (int, np.integer, np.bool_)):
        raise refuse(value, "int")
    number = int.__pos__(value) if isinstance(value, int) else int(value)  # exact: a range looks through subclasses
    if number not in _INT64:
        raise OverflowError(f"int {number} does not fit into 64 bits")
    return number


def float_of(value: Any) -> float:
    """A float from float, int, bool or a NumPy number. TypeError, OverflowError."""
    if not isinstance(value, (float, int, np.floating, np.integer, np.bool_)):
        raise refuse(value, "float")
    return float(value)


def number_of(value: Any, kind: str, scope: Scope) -> Any:
    """What a tensor of one element stands for in a program's call where a number is declared (D3); anything else as it
    is. An int takes no fraction: TypeError."""
    if scope.instance is None or not isinstance(value, (Tensor, np.ndarray)):
        return value
    from .dispatch import paused

    with paused():  # a recorder knows the tensor, and takes its element itself
        tensor = value if isinstance(value, Tensor) else from_numpy(value)
        count = tensor.numel()
        if count != 1:
            raise TypeError(f"expected {kind}, got a {type(value).__name__} of {count} elements, not one")
        number = tensor.item()
    if kind == "int" and isinstance(number, float):
        raise TypeError(f"expected int, got a {type(value).__name__} of {tensor.dtype} (write int(x))")
    return bool(number) if kind == "bool" else number


def _write_none(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if value is not None:
        raise refuse(value, "None")
    buffer.put(index, library.NONE, 0)


def _write_bool(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    value = number_of(value, "bool", scope)
    if not isinstance(value, (bool, np.bool_)):
        raise refuse(value, "bool")
    buffer.put(index, library.BOOL, bool(value))


def _write_int(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if type(value) is not int:
        value = number_of(value, "int", scope)
        require_plain(value, "int", scope)
    buffer.put(index, library.INT, value if type(value) is int and value in _INT64 else int_of(value))


def _write_float(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if type(value) is not float:
        value = number_of(value, "float", scope)
        require_plain(value, "float", scope)
    buffer.words[2 * index] = library.FLOAT
    buffer.floats[2 * index + 1] = value if type(value) is float else float_of(value)


def _write_complex(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    value = number_of(value, "complex", scope)
    if not isinstance(value, (complex, float, int, np.number)):
        raise refuse(value, "complex")
    require_plain(value, "complex", scope)
    number = complex(value)
    library.check(lib.tsm_complex_new(library.runtime(), number.real, number.imag, buffer.values + index))
    scope.own(buffer.words[2 * index + 1], library.COMPLEX)


def _write_scalar(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    value = number_of(value, "a number", scope)
    if isinstance(value, (bool, np.bool_)):
        buffer.put(index, library.BOOL, bool(value))
    elif isinstance(value, (int, np.integer)):
        _write_int(buffer, index, value, scope)
    elif isinstance(value, (float, np.floating)):
        _write_float(buffer, index, value, scope)
    elif isinstance(value, (complex, np.complexfloating)):
        _write_complex(buffer, index, value, scope)
    else:
        raise refuse(value, "a number")


def _write_str(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if not is_plain(value, str):
        raise refuse(value, "str")
    try:
        data = value.encode()
    except UnicodeEncodeError:
        raise ValueError("a str with lone surrogates cannot be passed to a program") from None
    library.check(lib.tsm_str_copy(library.runtime(), data, len(data), buffer.values + index))
    scope.own(buffer.words[2 * index + 1], library.STR)


def _write_bytes(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if not is_plain(value, bytes):
        raise refuse(value, "bytes")
    library.check(lib.tsm_bytes_copy(library.runtime(), value, len(value), buffer.values + index))
    scope.own(buffer.words[2 * index + 1], library.BYTES)


def _write_dtype(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    found = dtypes.from_python(value)
    if found is None:
        raise refuse(value, "dtype")
    buffer.put(index, library.DTYPE, found.value)


def _write_device(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if isinstance(value, str):
        check_place(value)  # a text names a device, as everywhere in PyTorch
    elif not isinstance(value, Device):
        raise refuse(value, "device")
    else:
        check_place(value)
    buffer.put(index, library.DEVICE, 0)


def _write_tensor(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    if not isinstance(value, Tensor):
        if not isinstance(value, np.ndarray):
            raise refuse(value, "Tensor")
        known = scope.addresses.get(id(value))
        if known is not None:
            return buffer.put(index, library.TENSOR, known[0])
        tensor = from_numpy(value)
        scope.addresses[id(value)] = (tensor._ref, library.TENSOR, (value, tensor))
        scope.objects[tensor._ref] = tensor
    else:
        tensor = value
        scope.objects[tensor._ref] = tensor
    buffer.put(index, library.TENSOR, tensor._ref)


def any_writer(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
    found = any_type(value)
    if found is None and scope.instance is None and isinstance(value, (int, float, complex)):
        found = SchemaType("Scalar")
    if found is None and scope.instance is not None:
        found = scope.instance.program.types.of_value(value, scope.classes)
    if found is None:
        raise TypeError(f"a {type(value).__name__} cannot be passed to a program")
    writer(found)(buffer, index, value, scope)


def any_type(value: Any) -> SchemaType | None:
    """The type under which a value goes where Any is declared; None if it cannot."""
    if value is None:
        return SchemaType("None")
    if isinstance(value, (Tensor, np.ndarray)):
        return SchemaType("Tensor")
    if is_plain(value, bool, int, float, complex) or isinstance(value, (np.number, np.bool_)):
        return SchemaType("Scalar")
    for python_type, kind in ((str, "str"), (bytes, "bytes"), (dtypes.DType, "dtype"), (Device, "device")):
        if isinstance(value, python_type) and (kind in ("dtype", "device") or is_plain(value, python_type)):
            return SchemaType(kind)
    if is_plain(value, list):
        return SchemaType("list", (element_type(value),))
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return SchemaType("tuple...", (SchemaType("Any"),))
    if is_plain(value, dict):
        key = element_type(list(value)) if value else SchemaType("str")  # what scripts put into an empty one
        return SchemaType("dict", (key, element_type(list(value.values()))))
    if is_plain(value, set, frozenset):
        kind = "set" if isinstance(value, set) else "frozenset"
        return SchemaType(kind, (element_type(list(value)),))
    return None


def element_type(items: list[Any]) -> SchemaType:
    """What `isinstance` of a container asks for where Any is declared: elements of one plain kind have its type."""
    kinds = set(map(type, items))
    if len(kinds) == 1:
        kind = kinds.pop()
        if kind in (bool, int, float, str):
            return SchemaType(kind.__name__)
        if kind is Tensor:
            return SchemaType("Tensor")
    return SchemaType("Any")


def _unsupported(kind: SchemaType) -> Writer:
    def write(buffer: Buffer, index: int, value: Any, scope: Scope) -> None:
        raise TypeError(f"values of type {kind} cannot be passed to a program")

    return write


_WRITERS: dict[str, Writer] = {
    "None": _write_none, "bool": _write_bool, "int": _write_int, "float": _write_float, "complex": _write_complex,
    "Scalar": _write_scalar, "str": _write_str, "bytes": _write_bytes, "dtype": _write_dtype,
    "device": _write_device, "Tensor": _write_tensor,
    "Any": any_writer, "var": any_writer,
}
MAKERS: dict[str, Callable[[SchemaType], Writer]] = {}  # of types that hold others: container_writers.py


@lru_cache(maxsize=4096)
def writer(kind: SchemaType) -> Writer:
    """The function that puts a Python value of a declared type into a buffer. It raises TypeError or OverflowError."""
    return _WRITERS.get(kind.kind) or MAKERS.get(kind.kind, _unsupported)(kind)


def index_of(value: Any) -> int:
    """An int by `__index__`, for arguments of eager calls that PyTorch takes from 0-d integer tensors too."""
    return int_of(operator.index(value))
