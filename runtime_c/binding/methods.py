"""Gives Tensor the methods, properties and operators that the table spells.

In: the spellings of rows whose first parameter is a tensor. Out: attributes of Tensor.
Holds: a name written here by hand adds what a row cannot say (Python protocols, indexing), never a second meaning.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import dispatch, indexing, table, tensor
from .device import CPU, NEVER_SO, STRIDED, check_place
from .dtype import DType
from .gradients import no_backward, refuse_gradients
from .schema import Schema
from .size import Size
from .tensor import Tensor

_BINARY = {
    "_+_": "add", "_-_": "sub", "_*_": "mul", "_/_": "truediv", "_//_": "floordiv", "_%_": "mod", "_**_": "pow",
    "_@_": "matmul", "_&_": "and", "_|_": "or", "_^_": "xor", "_<<_": "lshift", "_>>_": "rshift",
}
_COMPARISONS = {"_==_": "eq", "_!=_": "ne", "_<_": "lt", "_<=_": "le", "_>_": "gt", "_>=_": "ge"}
_PREFIXES = {"-_": "neg", "+_": "pos", "~_": "invert", "abs()": "abs"}
_OPERANDS = (Tensor, int, float, complex, np.number, np.bool_)


def _binary(spelling: str, name: str) -> Callable[[Tensor, Any], Any]:
    def method(self: Tensor, other: Any) -> Any:
        return dispatch.call(spelling, (self, other)) if isinstance(other, _OPERANDS) else NotImplemented

    return _named(method, name)


def _reflected(spelling: str, name: str) -> Callable[[Tensor, Any], Any]:
    def method(self: Tensor, other: Any) -> Any:
        return dispatch.call(spelling, (other, self)) if isinstance(other, _OPERANDS) else NotImplemented

    return _named(method, name)


def _augmented(spelling: str, name: str, has_row: bool) -> Callable[[Tensor, Any], Any]:
    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(other, _OPERANDS):
            return NotImplemented
        if has_row:
            return dispatch.call(spelling, (self, other))
        return _store(self, dispatch.call(spelling.replace("=", ""), (self, other)))

    return _named(method, name)


def _store(target: Tensor, result: Tensor) -> Tensor:
    """In-place forms without a row of their own: the result, written over the tensor; PyTorch's errors."""
    if _category(result.dtype) > _category(target.dtype):
        raise RuntimeError(f"result type {result.dtype} cannot be written into a tensor of {target.dtype}")
    if result.shape != target.shape:
        raise RuntimeError(f"the result has shape {tuple(result.shape)}, the tensor that it overwrites {target.shape}")
    target.copy_(result)
    return target


def _category(kind: DType) -> int:
    return 0 if kind is DType.bool else 2 if kind.is_floating_point else 1


def _named(function: Any, name: str) -> Any:
    function.__name__ = name
    function.__qualname__ = f"Tensor.{name}"
    return function


def signature(schema: Schema, skip_self: bool) -> inspect.Signature:
    """A row's parameters as inspect shows them."""
    params = [
        inspect.Parameter(
            param.name,
            inspect.Parameter.KEYWORD_ONLY if param.is_keyword_only else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=param.default if param.has_default else inspect.Parameter.empty,
            annotation=str(param.type),
        )
        for param in schema.params
    ]
    if skip_self:
        params[0] = params[0].replace(annotation=inspect.Parameter.empty)
    try:
        return inspect.Signature(params)
    except ValueError:  # a parameter without a default behind one that has it
        return inspect.Signature([param.replace(default=inspect.Parameter.empty) for param in params])


def document(function: Any, name: str, rows: tuple[table.Operator, ...], is_method: bool) -> Any:
    """Name, signature and doc of an eager function, from its rows."""
    function.__name__ = name
    function.__doc__ = "\n".join(dict.fromkeys(f"{name}{row.parsed}\n    {row.doc}" for row in rows))
    function.__signature__ = signature(rows[0].parsed, is_method)
    return function


def _method(spelling: str, rows: tuple[table.Operator, ...]) -> Any:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return dispatch.call(spelling, (self, *args), kwargs)

    method.__qualname__ = f"Tensor{spelling}"
    method.__tsm_spelling__ = spelling  # type: ignore[attr-defined]
    return document(method, spelling[1:], rows, is_method=True)


def _property(spelling: str, rows: tuple[table.Operator, ...]) -> property:
    def read(self: Tensor) -> Any:
        return dispatch.call(spelling, (self,))

    return property(read, doc=rows[0].doc)


def _install_from_table() -> None:
    for spelling, every in table.by_spelling().items():
        rows = tuple(row for row in every if row.parsed.params and row.parsed.params[0].type.kind == "Tensor")
        if not rows or not spelling.startswith("."):
            continue
        if spelling.endswith(":"):
            setattr(Tensor, spelling[1:-1], _property(spelling, rows))
        else:
            setattr(Tensor, spelling[1:], _method(spelling, rows))


def _install_operators() -> None:
    spellings = table.by_spelling()
    for spelling, name in _BINARY.items():
        setattr(Tensor, f"__{name}__", _binary(spelling, f"__{name}__"))
        setattr(Tensor, f"__r{name}__", _reflected(spelling, f"__r{name}__"))
        augmented = spelling[:-1] + "=_"
        if name != "matmul":  # `x @= y` makes a new tensor, as PyTorch's does
            setattr(Tensor, f"__i{name}__", _augmented(augmented, f"__i{name}__", _has_tensor_row(augmented)))
    for spelling, name in _COMPARISONS.items():
        setattr(Tensor, f"__{name}__", _binary(spelling, f"__{name}__"))
    for spelling, name in _PREFIXES.items():
        if spelling in spellings:
            setattr(Tensor, f"__{name}__", _named(_prefix(spelling), f"__{name}__"))


def _has_tensor_row(spelling: str) -> bool:
    return any(row.parsed.params[0].type.kind == "Tensor" for row in table.by_spelling().get(spelling, ()))


def _prefix(spelling: str) -> Callable[[Tensor], Any]:
    return lambda self: dispatch.call(spelling, (self,))


# ---- Properties that are read often: the same facts as their rows, without an operator call when nobody records


def _shape(self: Tensor) -> tuple[int, ...]:
    """Extents as a tuple."""
    if dispatch.active:
        shape: tuple[int, ...] = dispatch.call(".shape:", (self,))
        return Size(shape) if type(shape) is tuple else shape
    facts = self._read_facts()
    return Size(facts[5 : 5 + facts[1]])


def _size(self: Tensor, dim: int | None = None) -> Any:
    """Extents as a tuple, or that of one dimension."""
    return self.shape if dim is None else dispatch.call(".size", (self, dim))


def _dtype(self: Tensor) -> DType:
    """Element type."""
    return tuple(DType)[self._read_facts()[0]]


def _ndim(self: Tensor) -> int:
    """Number of dimensions."""
    return self._read_facts()[1]


# ---- Python protocols


def _bool(self: Tensor) -> bool:
    dispatch.escape(self, "bool")
    return bool(dispatch.call("bool()", (self,)))


def _int(self: Tensor) -> int:
    dispatch.escape(self, "int")
    return int(dispatch.call("int()", (self,)))


def _float(self: Tensor) -> float:
    dispatch.escape(self, "float")
    return float(dispatch.call("float()", (self,)))


def _complex(self: Tensor) -> complex:
    return complex(_float(self))


def _index(self: Tensor) -> int:
    if self._read_facts()[2] != 1 or _category(self.dtype) == 2:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return _int(self)


def _len(self: Tensor) -> int:
    return int(dispatch.call("len()", (self,)))


def _iterate(self: Tensor) -> Iterator[Tensor]:
    if self._read_facts()[1] == 0:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


def _contains(self: Tensor, item: Any) -> bool:
    if not isinstance(item, _OPERANDS):
        raise RuntimeError(f"`in` looks for a number or a tensor in a tensor, not a {type(item).__name__}")
    return bool(self.eq(item).any())


# ---- Indexing


def _getitem(self: Tensor, index: Any) -> Any:
    if type(index) is int and self._read_facts()[1]:
        return dispatch.run("select.int", (self, 0, index))
    items = tuple(map(_item, _items_of(index)))
    if _has_tensors(items):
        return dispatch.run("getitem.Tensor", (self, *_spelled(items)))
    view = _view(self, items)
    return _alias(view) if view is self else view


def _alias(x: Tensor) -> Tensor:
    """`x[:]` is a new tensor over the same memory."""
    alias: Tensor = x.detach()
    return alias


def _setitem(self: Tensor, index: Any, value: Any) -> None:
    items = tuple(map(_item, _items_of(index)))
    source = _value_of(value)
    if _has_tensors(items) and not isinstance(source, Tensor):
        source = dispatch.call("tsm.full", ((), source), {"dtype": self.dtype})
    if isinstance(source, Tensor):
        dispatch.run("setitem.Tensor", (self, *_spelled(items), source))
    else:
        _view(self, items).fill_(source)


def _value_of(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return tensor.from_numpy(value)
    if not isinstance(value, _OPERANDS):
        raise TypeError(f"a {type(value).__name__} cannot be assigned to elements of a tensor; pass tsm.tensor(value)")
    return value


def _has_tensors(items: tuple[indexing.Item, ...]) -> bool:
    return any(item.kind in ("tensor", "bool") for item in items)


_LETTERS = {"int": "i", "slice": "s", "none": "n", "ellipsis": "e", "tensor": "t", "bool": "t"}


def _spelled(items: tuple[indexing.Item, ...]) -> tuple[str, list[Any], list[Tensor]]:
    """An index as getitem.Tensor and setitem.Tensor take it: letters, numbers and tensors."""
    numbers: list[Any] = []
    tensors: list[Tensor] = []
    for item in items:
        if item.kind == "int":
            numbers.append(item.value)
        elif item.kind == "slice":
            numbers += [_bound(bound) for bound in (item.value.start, item.value.stop, item.value.step)]
        elif item.kind in ("tensor", "bool"):
            tensors.append(item.value)
    return "".join(_LETTERS[item.kind] for item in items), numbers, tensors


def _view(self: Tensor, items: tuple[indexing.Item, ...]) -> Tensor:
    """The view that the steps of an index without tensors give."""
    try:
        steps = indexing.plan(items, self._read_facts()[1])
    except indexing.IndexingError as error:
        raise IndexError(str(error)) from None
    view = self
    for step in steps:
        view = _take_step(view, step)
    return view


def _take_step(view: Tensor, step: indexing.Step) -> Tensor:
    if step.op == "select":
        return dispatch.run("select.int", (view, step.dim, step.value))
    if step.op == "unsqueeze":
        return dispatch.run("unsqueeze", (view, step.dim))
    start, stop, stride = (_bound(bound) for bound in (step.value.start, step.value.stop, step.value.step))
    return dispatch.run("slice.Tensor", (view, step.dim, start, stop, 1 if stride is None else stride))


def _bound(value: Any) -> int | None:
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, Tensor):
        found: int = dispatch.index_of(value)
        return found
    if not hasattr(value, "__index__"):
        raise TypeError(f"bounds of a tensor's slice are ints, None or 0-d integer tensors, not {type(value).__name__}")
    return int(value.__index__())


def _items_of(index: Any) -> tuple[Any, ...]:
    if isinstance(index, tuple):
        return index
    if indexing.is_spelled_out(index, lambda item: isinstance(item, Tensor)):
        return tuple(index)
    return (index,)


def _item(value: Any) -> indexing.Item:
    if value is None:
        return indexing.Item("none")
    if value is Ellipsis:
        return indexing.Item("ellipsis")
    if isinstance(value, slice):
        return indexing.Item("slice", value)
    if isinstance(value, (bool, np.bool_)):
        return indexing.Item("bool", dispatch.call("tsm.tensor", (bool(value),)))
    if isinstance(value, (int, np.integer)):
        return indexing.Item("int", value if isinstance(value, int) else int(value))
    if isinstance(value, (list, tuple, range)):
        value = _index_tensor(value)
    if isinstance(value, np.ndarray):
        value = tensor.from_numpy(value)
    if isinstance(value, Tensor):
        return _tensor_item(value)
    raise IndexError(
        "a tensor is indexed by ints, slices, `...`, None, and tensors or lists of ints or bools, "
        f"not by a {type(value).__name__}"
    )


def _tensor_item(value: Tensor) -> indexing.Item:
    kind, rank = value.dtype, value._read_facts()[1]
    is_mask = kind in (DType.bool, DType.uint8)
    if not is_mask and kind not in (DType.int32, DType.int64) and (rank or kind.is_floating_point):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return indexing.Item("tensor", value)


def _index_tensor(items: Any) -> Tensor:
    """A list of ints or bools (nested alike) as an index tensor; empty lists are int64."""
    found: Tensor = dispatch.call("tsm.tensor", (_plain(items),))
    return found.to(DType.int64) if found.numel() == 0 else found


def _plain(items: Any) -> Any:
    if isinstance(items, (list, tuple, range)):
        return [_plain(item) for item in items]
    return items.item() if isinstance(items, Tensor) else items


def _cpu(self: Tensor) -> Tensor:
    """The tensor itself."""
    return self


def _cuda(self: Tensor, device: Any = "cuda", **options: Any) -> Tensor:
    """RuntimeError: there is only the CPU."""
    check_place("cuda" if device is None else device)
    return self


def _pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """The tensor itself: there is no device that pinned memory would be copied to."""
    return self


def _set_requires_grad(self: Tensor, value: bool) -> None:
    refuse_gradients(value)


def install() -> None:
    """Fills Tensor in; called once, when the package is imported."""
    _install_from_table()
    _install_operators()
    tensor._escape_hook = dispatch.escape
    tensor._listeners = dispatch.active
    by_hand: dict[str, Any] = {
        "shape": property(_shape, doc=_shape.__doc__), "size": _size, "dtype": property(_dtype, doc=_dtype.__doc__),
        "ndim": property(_ndim, doc=_ndim.__doc__), "__bool__": _bool, "__int__": _int, "__float__": _float,
        "__complex__": _complex, "__index__": _index, "__len__": _len, "__iter__": _iterate, "__contains__": _contains,
        "__getitem__": _getitem, "__setitem__": _setitem, "device": property(lambda self: CPU, doc="The CPU."),
        "is_cpu": True, "cpu": _cpu, "cuda": _cuda, "pin_memory": _pin_memory, "layout": STRIDED,
        **dict.fromkeys(NEVER_SO, False),
    }
    by_hand.update(
        backward=no_backward, register_hook=no_backward, retain_grad=no_backward, grad=None, grad_fn=None, is_leaf=True,
        retains_grad=False, requires_grad=Tensor.requires_grad.setter(_set_requires_grad),  # type: ignore[attr-defined]
    )
    for name, value in by_hand.items():
        setattr(Tensor, name, value)
