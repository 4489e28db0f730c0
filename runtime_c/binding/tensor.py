"""Tensor: a handle on a tensor of the runtime, and the ways its memory crosses to NumPy and other libraries.

In: runtime tensors, arrays, DLPack producers. Out: Tensor objects; arrays that share their memory.
Holds: a Tensor owns one count of its runtime tensor; an array made from a Tensor keeps the storage alive, and a Tensor
made from an array keeps the array alive. Operators are added by methods.py, from the table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtype as dtypes
from . import library
from .dtype import DType
from .library import ffi, lib


def _function(is_drop: bool) -> Callable[[int], Any]:
    """One of the interpreter's own functions in arrays.h, which cost less than cffi's."""
    place: list[Any] = [None]
    if not lib.tsm_py_make_function(is_drop, id(place)):
        raise MemoryError
    made: Callable[[int], Any] = place[0]
    return made


_export, _drop = _function(False), _function(True)


class Tensor:
    """A multi-dimensional array of one dtype; means what PyTorch's tensor means.

    Made by `tsm.tensor`, `tsm.zeros`, `tsm.from_numpy` and their kin. `dtype`, `shape`, `ndim` are facts; operators,
    methods and indexing follow PyTorch: views share memory, in-place methods end in `_`.
    """

    __slots__ = ("__weakref__", "_facts", "_ref")

    __array_priority__ = 1000  # NumPy leaves mixed operators to us

    _ref: int
    _facts: tuple[int, ...] | None

    if TYPE_CHECKING:  # methods.py adds the methods that the table lists

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, index: Any) -> Any: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...
        def __index__(self) -> int: ...
        def __len__(self) -> int: ...
        def __add__(self, other: Any) -> Any: ...
        def __neg__(self) -> Any: ...

        __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = __add__
        __lt__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __xor__ = __add__
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rpow__ = __add__

        def __eq__(self, other: object) -> Any: ...
        def __ne__(self, other: object) -> Any: ...

    def __new__(cls, *data: Any, **kwargs: Any) -> Any:
        """As PyTorch's class: float32 of numbers, or of a size. TypeError for keywords."""
        from .dtype import DType
        from .functions import namespace

        if kwargs:
            raise TypeError("tensors are made by tsm.tensor(data), tsm.zeros(...), tsm.from_numpy(array) and their kin")
        makers = namespace("tsm.")
        if len(data) != 1 or isinstance(data[0], int):
            return makers["empty"](list(data) or [0], dtype=DType.float32)
        whole = data[0] if isinstance(data[0], (Tensor, list, tuple)) else from_numpy(data[0])
        return (whole if isinstance(whole, Tensor) else makers["tensor"](whole)).to(DType.float32)

    def __del__(self, drop: Callable[[int], Any] = _drop) -> None:
        drop(self._ref)

    # ---- facts, read without an operator call

    def _read_facts(self) -> tuple[int, ...]:
        """dtype, rank, numel, offset, is contiguous, extents, strides; they never change for one handle."""
        facts = self._facts
        if facts is None:
            out = library.thread().facts
            lib.tsm_py_tensor_facts(self._ref, out)
            facts = self._facts = tuple(ffi.unpack(out, 5 + 2 * out[1]))
        return facts

    @property
    def is_integer_scalar(self) -> bool:
        """Whether it has one integer element, and so may stand for an int."""
        facts = self._read_facts()
        return facts[2] == 1 and facts[1] == 0 and DType.uint8.value <= facts[0] <= DType.int64.value

    def become(self, other: Tensor) -> None:
        """Makes this a handle on what another tensor is, in its shape; other handles keep what they had."""
        if _listeners:
            raise RuntimeError("a change of shape in place cannot be traced: assign the new tensor to a variable")
        shared = wrap_shared(other._ref)
        self._ref, shared._ref = shared._ref, self._ref
        self._facts = None

    def storage_offset(self) -> int:
        """Elements from the start of the storage to the first element."""
        return self._read_facts()[3]

    def element_size(self) -> int:
        """Bytes of an element."""
        return dtypes.MEMBERS[self._read_facts()[0]].itemsize

    @property
    def itemsize(self) -> int:
        return self.element_size()

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._read_facts()[2] * self.element_size()

    def data_ptr(self) -> int:
        """Address of the first element; valid until the tensor is next written or released."""
        return int(lib.tsm_py_tensor_data(self._ref))

    def untyped_storage(self) -> Storage:
        """The memory behind the tensor, which its views share."""
        return Storage(self)

    @property
    def requires_grad(self) -> bool:
        """Always False: gradients are not computed yet."""
        return False

    @property
    def data(self) -> Any:
        """The same memory as another tensor; assigning makes this a handle on the memory of what is assigned."""
        return self.detach()

    @data.setter
    def data(self, value: Tensor) -> None:
        self.become(value)

    # ---- NumPy, DLPack

    def numpy(self) -> np.ndarray[Any, Any]:
        """The same memory as a NumPy array, without a copy; read-only if the tensor is."""
        if _listeners:
            _escape(self, "numpy")
        memory = _export(self._ref)
        return _array(self) if memory is None else np.asarray(memory)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array = self.numpy()
        if dtype is not None and np.dtype(dtype) != array.dtype:
            if copy is False:
                raise ValueError(f"a copy is needed to convert {array.dtype} to {np.dtype(dtype)}")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, **options: Any) -> Any:
        if any(step < 0 for step in self.stride()):
            raise BufferError("the tensor has a negative stride, which DLPack's users do not take; pass tensor.clone()")
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers; of a 0-d tensor, its number."""
        if _listeners and self.numel() <= _FOLLOWED:
            return self.item() if self.dim() == 0 else [part.tolist() for part in self.unbind(0)]
        _escape(self, "tolist")
        plain = self.to(DType.float32) if self.dtype is DType.bfloat16 else self
        return _array(plain).tolist()

    # ---- Python

    def __repr__(self) -> str:
        place = ffi.new("tsm_value *")
        library.check(lib.tsm_value_text(library.runtime(), lib.tsm_py_value(self._ref, library.TENSOR), True, place))
        length = ffi.new("size_t *")
        text = ffi.buffer(lib.tsm_str_borrow(place[0], length), length[0])[:].decode()
        lib.tsm_release(place[0])
        return text

    def __format__(self, spec: str) -> str:
        if self._read_facts()[1] == 0:
            return format(self.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to Tensor.__format__")
        return repr(self)

    __hash__ = object.__hash__

    def __copy__(self) -> Any:
        return wrap_shared(self._ref, type(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """A tensor over a copy of the memory, which views copied with it share; a subclass stays one."""
        storage, size = self.untyped_storage(), self.element_size()
        key: Any = (Storage, storage.data_ptr(), self.dtype)
        whole = memo.get(key)
        if whole is None:
            whole = memo[key] = self.as_strided((storage.nbytes() // size,), (1,), 0).clone()
        copy = whole.as_strided(self.shape, self.stride(), self.storage_offset())
        return copy if type(self) is Tensor else wrap_shared(copy._ref, type(self))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _unpickle, (np.ascontiguousarray(_array(self)).reshape(_array(self).shape),)


def _unpickle(array: np.ndarray[Any, Any]) -> Tensor:
    return from_numpy(array.copy())


_listeners: list[Any] = []  # dispatch.active, set by methods.py too
_FOLLOWED = 256  # elements of the largest tensor whose tolist() is made of item(), which a trace follows
_escape_hook: Callable[[Tensor, str], None] | None = None  # dispatch.escape, set by methods.py


def _escape(tensor: Tensor, what: str) -> None:
    if _escape_hook is not None:
        _escape_hook(tensor, what)


def wrap(address: int, kind: Any = Tensor) -> Any:
    """A Tensor (or a subclass) that takes over one count of a runtime tensor."""
    tensor = object.__new__(kind)
    tensor._ref = address
    tensor._facts = None
    return tensor


def wrap_shared(address: int, kind: Any = Tensor) -> Any:
    """A Tensor with a count of its own."""
    lib.tsm_py_retain(address, library.TENSOR)
    return wrap(address, kind)


def _take(place: Any) -> Tensor:
    """The tensor of an owned tsm_value."""
    taken: Tensor = wrap(int(ffi.cast("int64_t *", place)[1]))
    return taken


def storage_of(tensor: Tensor) -> tuple[int, int]:
    """Identity of the memory behind a tensor, equal for all views of one storage, and its size in bytes."""
    size = ffi.new("size_t *")
    return int(lib.tsm_py_tensor_storage(tensor._ref, size)), int(size[0])


class Storage:
    """The memory behind a tensor. Equal for all views of it."""

    __slots__ = ("_identity", "_size", "_tensor")

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor
        self._identity, self._size = storage_of(tensor)

    def data_ptr(self) -> int:
        """A number that is the same for all tensors over this memory and differs for others."""
        return self._identity

    def nbytes(self) -> int:
        return self._size

    def __bytes__(self) -> bytes:
        return bytes(storage_bytes(self._tensor))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Storage) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)


def storage_bytes(tensor: Tensor) -> memoryview:
    """The whole storage of a tensor, read-only, kept alive by the view: what a file stores."""
    size = storage_of(tensor)[1]
    start = lib.tsm_py_tensor_data(tensor._ref) - tensor.storage_offset() * tensor.element_size()
    interface = {"shape": (size,), "typestr": "|u1", "data": (start or 1, True), "strides": None, "version": 3}
    return memoryview(np.asarray(_Memory(tensor, interface)))  # type: ignore[arg-type]


class _Memory:
    """What NumPy takes an array from: it becomes the array's base and keeps the tensor alive."""

    __slots__ = ("__array_interface__", "tensor")

    def __init__(self, tensor: Tensor, interface: dict[str, Any]) -> None:
        self.tensor = tensor
        self.__array_interface__ = interface


def _array(tensor: Tensor) -> np.ndarray[Any, Any]:
    facts = tensor._read_facts()
    rank, kind = facts[1], dtypes.MEMBERS[facts[0]]
    shape, strides = facts[5 : 5 + rank], facts[5 + rank :]
    address = lib.tsm_py_tensor_data_mut(tensor._ref)
    is_read_only = not address
    if is_read_only:
        address = lib.tsm_py_tensor_data(tensor._ref)
    if not address:
        raise RuntimeError("the tensor has no memory: it only describes a dtype and a shape")
    interface = {
        "shape": shape,
        "typestr": kind.numpy.str,
        "data": (address, is_read_only),
        "strides": tuple(step * kind.itemsize for step in strides),
        "version": 3,
    }
    return np.asarray(_Memory(tensor, interface))


def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
    """A tensor over an array's memory, without a copy: writes show in both. A read-only array gives a read-only tensor.

    Raises TypeError for dtypes that tensors do not have and for foreign byte orders, ValueError for strides that are
    not whole elements.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected a NumPy array, got {type(array).__name__}")
    address = lib.tsm_py_borrow(library.runtime(), id(array))
    if address:
        tensor: Tensor = wrap(address)
        return tensor
    kind = dtypes.from_numpy(array.dtype)
    if any(step % array.itemsize for step in array.strides):
        raise ValueError("the array's strides are not whole elements; pass array.copy()")
    if not array.flags.aligned:
        raise ValueError("the array's memory is not aligned to its elements; pass array.copy()")
    strides = [step // array.itemsize for step in array.strides]
    token, place = library.keep(array), ffi.new("tsm_value *")
    address = array.__array_interface__["data"][0]
    status = lib.tsm_tensor_borrow(
        library.runtime(), kind.value, array.ndim, list(array.shape), strides, ffi.cast("void *", address or 64),
        bool(array.flags.writeable), lib.tsm_py_dropped, token, place,
    )
    if status:
        library.forget(token)
        if status == lib.TSM_ERR_ARGUMENT:
            raise ValueError(f"an array of {array.ndim} dimensions is too large for a tensor")
        library.check(status)
    return _take(place)


def from_dlpack(source: Any) -> Tensor:
    """A tensor over the memory of any object with `__dlpack__` (a PyTorch tensor, a JAX array), without a copy.

    Raises TypeError for memory that is not on the CPU and for dtypes that tensors do not have.
    """
    if isinstance(source, Tensor):
        return source
    if not hasattr(source, "__dlpack__"):
        raise TypeError(f"expected an object with __dlpack__, got {type(source).__name__}")
    device = source.__dlpack_device__()
    if int(device[0]) != 1:
        raise TypeError("only memory of the CPU can be shared; move the tensor to the CPU first")
    if getattr(source, "requires_grad", False):
        source = source.detach()
    if str(getattr(source, "dtype", "")) == "torch.bfloat16":  # NumPy has no such dtype
        return from_dlpack(source.view(sys.modules["torch"].int16)).view(DType.bfloat16)
    try:
        array = np.from_dlpack(source)
    except (BufferError, RuntimeError, TypeError) as error:
        raise TypeError(f"the memory of this {type(source).__name__} cannot be shared: {error}") from None
    if not array.flags.writeable:
        array = _writable_alias(source, array)
    return from_numpy(array)


def _writable_alias(source: Any, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """NumPy marks what comes by the first DLPack protocol as read-only, whether or not it is; `numpy()` knows."""
    if not hasattr(source, "numpy"):
        return array
    other = source.numpy()
    facts = ("data", "shape", "strides", "typestr")
    ours, theirs = array.__array_interface__, getattr(other, "__array_interface__", {})
    is_same = all(ours[name] == theirs.get(name) for name in facts[1:]) and ours["data"][0] == theirs["data"][0]
    return other if is_same else array


def meta(kind: DType, shape: tuple[int, ...]) -> Tensor:
    """A tensor without memory, for `dispatch.infer`."""
    place = ffi.new("tsm_value *")
    library.check(lib.tsm_tensor_meta(library.runtime(), kind.value, len(shape), list(shape), place))
    return _take(place)
