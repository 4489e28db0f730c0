"""Tensor: memory shared with NumPy and PyTorch, indexing and in-place forms as PyTorch's, Python protocols."""

from __future__ import annotations

import copy
import gc
import pickle

import numpy as np
import pytest

import tsm
from tsm.binding import indexing

torch = pytest.importorskip("torch")

DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64"]


def arranged(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


def both(array: np.ndarray):
    """The same elements as our tensor and PyTorch's."""
    return tsm.from_numpy(array.copy()), torch.from_numpy(array.copy())


def same(ours, theirs) -> None:
    assert isinstance(ours, tsm.Tensor)
    assert ours.shape == tuple(theirs.shape)
    assert str(ours.dtype).split(".")[1] == str(theirs.dtype).split(".")[1]
    np.testing.assert_array_equal(ours.numpy(), theirs.numpy())


# ---- memory


@pytest.mark.parametrize("dtype", DTYPES)
def test_from_numpy_shares_memory_both_ways(dtype):
    array = np.zeros((2, 3), dtype)
    tensor = tsm.from_numpy(array)
    assert tensor.dtype is getattr(tsm, dtype) is tsm.dtype(dtype) and repr(tensor.dtype) == f"tsm.{dtype}"
    array[0, 1] = 1
    assert tensor[0, 1].item() == 1
    tensor[1, 2] = 1
    assert array[1, 2] == 1
    back = tensor.numpy()
    assert back.__array_interface__["data"] == array.__array_interface__["data"]


def test_array_keeps_the_storage_alive():
    tensor = tsm.zeros(1000)
    tensor[7] = 7.0
    array = tensor.numpy()
    del tensor
    gc.collect()
    assert array[7] == 7 and array.sum() == 7


def test_tensor_keeps_the_array_alive_and_lets_it_go():
    class Watched(np.ndarray):
        gone = False

        def __del__(self):
            Watched.gone = True

    array = np.ones(10, np.float32).view(Watched)
    tensor = tsm.from_numpy(array)
    view = tensor[2:]
    del array, tensor
    gc.collect()
    assert not Watched.gone and view.sum().item() == 8
    del view
    gc.collect()
    assert Watched.gone


@pytest.mark.parametrize("index", [np.s_[::-1], np.s_[:, ::-2], np.s_[1:, 1], np.s_[..., None], np.s_[0:0]])
def test_from_numpy_takes_any_strides(index):
    array = arranged(4, 6)[index]
    tensor = tsm.from_numpy(array)
    np.testing.assert_array_equal(tensor.numpy(), array)
    np.testing.assert_array_equal((tensor + 1).numpy(), array + 1)
    assert tensor.stride() == tuple(step // 4 for step in array.strides)


def test_read_only_array_gives_a_read_only_tensor():
    array = np.ones(3)
    array.flags.writeable = False
    tensor = tsm.from_numpy(array)
    assert (tensor + 1).tolist() == [2.0, 2.0, 2.0]
    assert not tensor.numpy().flags.writeable
    with pytest.raises(RuntimeError):
        tensor.add_(1)
    assert array.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "array, error, text",
    [
        (np.ones(2, ">f4"), TypeError, "foreign byte order"),
        (np.ones(2, np.complex64), TypeError, "no dtype complex64"),
        (np.ones(2, np.float16), TypeError, "no dtype float16"),
        (np.array(["a"]), TypeError, "no dtype <U1"),
        (np.zeros(2, [("a", "f4"), ("b", "u1")])["a"], ValueError, "not whole elements"),
        ([1.0], TypeError, "expected a NumPy array, got list"),
    ],
)
def test_from_numpy_refuses(array, error, text):
    with pytest.raises(error, match=text):
        tsm.from_numpy(array)


def test_array_protocol():
    tensor = tsm.tensor([1.5, 2.5])
    assert np.asarray(tensor).dtype == np.float32
    assert np.asarray(tensor, dtype="float64").dtype == np.float64
    copied = np.array(tensor)
    copied[0] = 9
    assert tensor[0].item() == 1.5
    assert np.exp(tensor).shape == (2,)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dlpack_with_torch_shares_memory(dtype):
    theirs = torch.zeros(4, dtype=getattr(torch, dtype))
    ours = tsm.from_dlpack(theirs)
    ours[1] = 1
    assert theirs[1].item() == 1
    theirs[2] = 1
    assert ours[2].item() == 1
    again = torch.from_dlpack(tsm.ones(3))
    assert again.tolist() == [1, 1, 1]


def test_dlpack_takes_parameters_and_views():
    weight = torch.nn.Linear(3, 2).weight
    np.testing.assert_array_equal(tsm.from_dlpack(weight).numpy(), weight.detach().numpy())
    view = torch.arange(12.0).reshape(3, 4).t()[1:]
    assert tsm.from_dlpack(view).stride() == view.stride()


def test_storage_is_one_for_all_views():
    tensor = tsm.zeros(2, 3)
    assert tensor.untyped_storage() == tensor.t().untyped_storage() != tsm.zeros(2, 3).untyped_storage()
    assert tensor.untyped_storage().nbytes() == 24 and bytes(tensor[1].untyped_storage()) == bytes(24)
    assert tensor[1, 2].storage_offset() == 5


# ---- facts and Python protocols


def test_facts():
    tensor = tsm.zeros(2, 3, dtype=tsm.float64)
    assert tensor.shape == (2, 3) and isinstance(tensor.shape, tuple)
    assert (tensor.ndim, tensor.dim(), tensor.numel(), len(tensor)) == (2, 2, 6, 2)
    assert tensor.stride() == (3, 1) and tensor.nbytes == 48 and tensor.is_contiguous()
    assert not tensor.t().is_contiguous()


def test_scalars():
    assert bool(tsm.tensor(1)) and not bool(tsm.tensor([0.0]))
    assert int(tsm.tensor(3.7)) == 3 and float(tsm.tensor(2)) == 2.0
    assert [10, 20, 30][tsm.tensor(1)] == 20
    assert f"{tsm.tensor(1.5):.2f}" == "1.50"
    assert type(tsm.tensor(True).item()) is bool and type(tsm.tensor(2).item()) is int
    assert tsm.tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "run, error",
    [
        (lambda t: bool(t), RuntimeError),
        (lambda t: int(t), (RuntimeError, ValueError)),
        (lambda t: t.item(), RuntimeError),
        (lambda t: [1, 2][t[0]], TypeError),
        (lambda t: len(t[0]), TypeError),
        (lambda t: iter(t[0]), TypeError),
        (lambda t: f"{t:.2f}", TypeError),
        (lambda t: "a" in t, RuntimeError),
        (lambda t: t + "a", TypeError),
        (lambda t: t @ None, TypeError),
    ],
)
def test_refusals(run, error):
    with pytest.raises(error):
        run(tsm.tensor([1.0, 2.0]))


def test_equality_with_other_things_is_identity():
    tensor = tsm.zeros(2)
    assert (tensor == None) is False  # noqa: E711 - the comparison is the test
    assert (tensor != "a") is True
    assert {tensor: 1}[tensor] == 1


def test_iteration_and_membership():
    tensor = tsm.tensor([[1, 2], [3, 4]])
    assert [row.tolist() for row in tensor] == [[1, 2], [3, 4]]
    first, _ = tensor
    first[0] = 9
    assert tensor[0, 0].item() == 9
    assert 4 in tensor and 5 not in tensor


def test_copies():
    tensor = tsm.tensor([1.0, 2.0])
    for made in (copy.deepcopy(tensor), pickle.loads(pickle.dumps(tensor))):
        made[0] = 5
        assert tensor.tolist() == [1, 2] and made.tolist() == [5, 2]
    alias = copy.copy(tensor)
    alias[0] = 7
    assert tensor[0].item() == 7


def test_a_tensor_made_by_its_class_is_float32():
    made = tsm.Tensor([1, 2])
    assert made.dtype == tsm.float32 and made.tolist() == [1.0, 2.0]
    assert tuple(tsm.Tensor(2, 3).shape) == (2, 3)


# ---- operators

BINARY = ["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">="]


@pytest.mark.parametrize("symbol", BINARY)
def test_binary_operators_and_reflected(symbol):
    array = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    ours, theirs = both(array)
    for expression in (f"x {symbol} x", f"x {symbol} 2", f"x {symbol} 0.5", f"3 {symbol} x", f"x {symbol} x[0]"):
        same(eval(expression, {"x": ours}), eval(expression, {"x": theirs}))


@pytest.mark.parametrize("dtype", ["int64", "bool", "float32"])
@pytest.mark.parametrize("symbol", ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^="])
def test_augmented_operators(symbol, dtype):
    """In place on the tensor itself, or PyTorch's kind of error."""
    array = np.array([1, 0, 1]).astype(dtype)
    for operand in ("1", "2.5", "y"):
        ours, theirs = both(array)
        outcomes = []
        for x in (ours, theirs):
            names = {"x": x, "alias": x, "y": x.clone()}
            try:
                exec(f"x {symbol} {operand}", names)
                assert names["x"] is names["alias"]
                outcomes.append(x)
            except (RuntimeError, TypeError, NotImplementedError) as error:
                outcomes.append(error)
        if isinstance(outcomes[1], Exception):
            assert isinstance(outcomes[0], Exception), (symbol, operand, outcomes)
        elif not isinstance(outcomes[0], TypeError):  # bitwise forms of tensor and number have no row yet
            same(*outcomes)


def test_unary_operators():
    ours, theirs = both(np.array([-1.5, 2.0], np.float32))
    same(-ours, -theirs)
    same(abs(ours), abs(theirs))
    same(~(ours > 0), ~(theirs > 0))


def test_methods_return_self_where_torch_does():
    tensor = tsm.ones(3)
    assert tensor.add_(1) is tensor and tensor.to(tsm.float32) is tensor and tensor.contiguous() is tensor
    assert tensor.view(3) is not tensor


# ---- indexing

INDICES = [
    "0",
    "-1",
    "1, 2",
    "0, 1, 2",
    ":",
    "...",
    "()",
    "None",
    "1:",
    ":, 1",
    "..., 0",
    "..., None",
    "None, ..., None",
    "0, ..., 1:3",
    ":, None, 1",
    "::2",
    "1:100",
    "-2:",
    "2:1",
    "0:2, ::3",
    "[0, 1]",
    "[1, 0, 1], 2",
    ":, [0, 2]",
    "[0, 1], :, [0, 1]",
    "[0, 1], 0, [0, 1]",
    "0, :, [0, 1]",
    ":, [0, 1], None, [0, 1]",
    "[[0, 1], [1, 0]]",
    "[[0], [1]], [0, 1]",
    "T([1, 0])",
    "T([[0, 1], [1, 1]])",
    "T(1)",
    "T(1), T(2)",
    ":, T([0, 2]), 1",
    "T([-1, 0])",
    "mask",
    "mask, 1:3",
    "mask, 0",
    "mask, None",
    "0, mask[0]",
    "None, mask",
    "mask[:, 0], :, 1",
    "..., mask[0, :1].expand(4)",
    "True",
    "False",
    "True, 0",
    "T(True)",
    "None, True",
    "[True, False]",
    "[]",
    "T([1, 0]), ..., T([0, 1])",
    "..., ...",
    "range(2)",
    "(0, 1),",
    "N([1, 0])",
    "N(1)",
]


def _names(make_tensor, mask):
    return {"T": make_tensor, "N": np.array, "mask": mask}


@pytest.mark.parametrize("index", INDICES)
def test_indexing_reads_as_torch(index):
    ours, theirs = both(arranged(2, 3, 4))
    mask = np.array([[True, False, True], [False, True, True]])
    got = eval(f"x[{index}]", {"x": ours, **_names(tsm.tensor, tsm.from_numpy(mask))})
    expected = eval(f"x[{index}]", {"x": theirs, **_names(torch.tensor, torch.from_numpy(mask))})
    same(got, expected)
    assert (
        got.untyped_storage() == ours.untyped_storage() or expected.data_ptr() != theirs.data_ptr() or not got.numel()
    )
    assert (expected._base is not None) == (got.untyped_storage() == ours.untyped_storage())


@pytest.mark.parametrize("index", INDICES)
def test_indexing_writes_as_torch(index):
    for value in ("7.5", "8", "V"):
        ours, theirs = both(arranged(2, 3, 4))
        mask = np.array([[True, False, True], [False, True, True]])
        exec(
            f"x[{index}] = v",
            {
                "x": ours,
                "v": tsm.tensor(9.0) if value == "V" else eval(value),
                **_names(tsm.tensor, tsm.from_numpy(mask)),
            },
        )
        exec(
            f"x[{index}] = v",
            {
                "x": theirs,
                "v": torch.tensor(9.0) if value == "V" else eval(value),
                **_names(torch.tensor, torch.from_numpy(mask)),
            },
        )
        same(ours, theirs)


@pytest.mark.parametrize(
    "index, error",
    [
        ("0.5", IndexError),
        ("0, 0, 0, 0", IndexError),
        ("5", IndexError),
        ("-3", IndexError),
        ("::-1", ValueError),
        ("::0", ValueError),
        ("T([0.5])", IndexError),
        ("T([5])", IndexError),
        ("mask[:, :2]", IndexError),
        ("T([0, 1, 0]), T([0, 1])", IndexError),
        ("'a'", IndexError),
        ("0, 0, 0, None, 0", IndexError),
    ],
)
def test_bad_indices(index, error):
    ours, theirs = both(arranged(2, 3, 4))
    mask = np.ones((2, 3), bool)
    with pytest.raises(error):
        eval(f"x[{index}]", {"x": ours, **_names(tsm.tensor, tsm.from_numpy(mask))})
    with pytest.raises((error, TypeError)):
        eval(f"x[{index}]", {"x": theirs, **_names(torch.tensor, torch.from_numpy(mask))})


def test_assignment_converts_and_broadcasts_as_torch():
    for index, value in [
        ("slice(0, 2)", "F64([1, 2])"),
        ("0", "F32([[5]])"),
        ("slice(None)", "F32([[[1, 2, 3]]])"),
        ("1", "True"),
        ("T([0, 1])", "F32([1, 2])"),
        ("T([0, 1])", "F32([[1, 2]])"),
    ]:
        results = []
        for lib in (tsm, torch):
            x = lib.zeros(3)
            names = {
                "F32": lambda data, lib=lib: lib.tensor(data, dtype=lib.float32),
                "F64": lambda data, lib=lib: lib.tensor(data, dtype=lib.float64),
                "T": lib.tensor,
            }
            x[eval(index, dict(names))] = eval(value, dict(names))
            results.append(x)
        same(*results)


@pytest.mark.parametrize("value", [[1.0, 2.0, 3.0], "a", None])
def test_assignment_refuses_what_is_no_number_or_tensor(value):
    with pytest.raises(TypeError):
        tsm.zeros(3)[:] = value


def test_plan_without_a_rank_counts_from_the_end():
    item = indexing.Item
    items = (item("int", 0), item("ellipsis"), item("slice", slice(1, 2)), item("int", 3))
    steps = [(step.op, step.dim) for step in indexing.plan(items, None)]
    assert steps == [("select", -1), ("slice", -1), ("select", 0)]
    assert indexing.needs_rank(items) and not indexing.needs_rank(items[1:])
    assert [(step.op, step.dim) for step in indexing.plan((item("slice", slice(None)),) * 2, None)] == [("slice", 1)]


# ---- factories, random


def test_factories_take_sizes_in_all_spellings():
    for made in (tsm.zeros(2, 3), tsm.zeros((2, 3)), tsm.zeros([2, 3]), tsm.zeros(size=(2, 3))):
        assert made.shape == (2, 3)
    assert tsm.zeros(()).shape == () and tsm.full((2,), 1.5).tolist() == [1.5, 1.5]
    assert tsm.zeros(tsm.tensor(2), 3).shape == (2, 3)
    assert tsm.zeros(2, dtype=float).dtype is tsm.float64


def test_tensor_infers_dtypes_as_torch():
    for data in (1, 1.5, True, [1, 2], [1, 2.5], [True, 2], [[1], [2]], [], [[]]):
        ours, theirs = tsm.tensor(data), torch.tensor(data)
        same(ours, theirs)
    array = np.array([1, 2], np.int16)
    made = tsm.tensor(array)
    made[0] = 9
    assert made.dtype is tsm.int16 and array[0] == 1
    with pytest.raises(ValueError):
        tsm.tensor([[1, 2], [3]])


def test_manual_seed_repeats():
    tsm.manual_seed(7)
    first = tsm.rand(5)
    second = tsm.rand(5)
    tsm.manual_seed(7)
    assert tsm.rand(5).equal(first) and not first.equal(second)


def test_repr_is_readable():
    assert repr(tsm.tensor([1, 2])).startswith("tensor([1, 2]")
    assert "dtype" in repr(tsm.tensor([1.0], dtype=tsm.float64)) or "float64" in repr(
        tsm.tensor([1.0], dtype=tsm.float64)
    )
