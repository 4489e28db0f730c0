"""The dispatcher: which overload a call takes, conversions, errors, recorders, threads, hooks."""

from __future__ import annotations

import inspect
import threading
import warnings

import numpy as np
import pytest

import tsm
from tsm.binding import convert, dispatch, functions, library, match, schema, table
from tsm.nn import functional as F


class Listener:
    """A recorder that keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple] = []
        self.escaped: list[str] = []

    def record(self, operator, args, results):
        self.heard.append((operator.full_name, args, results))
        return None

    def escape(self, tensor, what):
        self.escaped.append(what)


@pytest.fixture
def listener():
    found = Listener()
    dispatch.push_recorder(found)
    yield found
    dispatch.pop_recorder(found)


# ---- the table


def test_every_schema_parses_and_rows_agree_with_the_library():
    traits = set(table._names(library.lib.tsm_op_trait_name))
    assert len(table.rows()) > 300
    for number, row in enumerate(table.rows()):
        assert row.number == number and row.parsed.results is not None
        assert row.traits <= traits
    names = [row.full_name for row in table.rows()]
    assert len(set(names)) == len(names)
    assert table.node_names()[:3] == ("const", "call", "if")


@pytest.mark.parametrize(
    "text, spelled",
    [
        (
            "(Tensor self, int[1] dim, bool keepdim=False, *, dtype? dtype=None) -> Tensor",
            "(self: Tensor, dim: list[int], keepdim: bool = False, *, dtype: Optional[dtype] = None) -> Tensor",
        ),
        ("(Dict(k, v)(a!) self, k key, v default) -> v", "(self: dict[k, v], key: k, default: v) -> v"),
        ("(Dict(k, v) self) -> (k, v)[]", "(self: dict[k, v]) -> list[tuple[k, v]]"),
        (
            "(t(...) self, int? start=None) -> t(...)",
            "(self: tuple[t, ...], start: Optional[int] = None) -> tuple[t, ...]",
        ),
        ("(str text) -> ()", "(text: str) -> None"),
        (
            "(Tensor self, int dim) -> (Tensor values, Tensor indices)",
            "(self: Tensor, dim: int) -> tuple[Tensor, Tensor]",
        ),
        (
            "(Tensor self, *, str approximate='none') -> Tensor",
            "(self: Tensor, *, approximate: str = 'none') -> Tensor",
        ),
        (
            "(int[2] stride=[], float eps=1e-05, int n=-1) -> int",
            "(stride: list[int] = [], eps: float = 1e-05, n: int = -1) -> int",
        ),
    ],
)
def test_schema_text(text, spelled):
    assert str(schema.parse(text)) == spelled


def test_schema_marks():
    params = schema.parse("(Tensor(a!)? mean, Tensor(b) x, int[2] stride=1) -> Tensor[](b)")
    mean, x, stride = params.params
    assert mean.type.kind == "optional" and mean.type.is_written and mean.type.alias == "a"
    assert x.type.alias == "b" and not x.type.is_written and stride.type.fill == 2 and stride.default == 1
    assert params.results[0].type.alias == "b"


@pytest.mark.parametrize(
    "text", ["", "(Tensor x)", "(Tenser x) -> Tensor", "(Tensor x -> Tensor", "(int x=) -> int", "() -> int x"]
)
def test_malformed_schemas(text):
    with pytest.raises(ValueError):
        schema.parse(text)


# ---- which overload


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda x: x + x, "add.Tensor"),
        (lambda x: x + 1, "add.TensorScalar"),
        (lambda x: 1.5 + x, "add.ScalarTensor"),
        (lambda x: tsm.add(x, x, alpha=2), "add.Tensor"),
        (lambda x: x.sum(), "sum"),
        (lambda x: x.sum(0), "sum.dim"),
        (lambda x: x.sum((0, 1)), "sum.dim"),
        (lambda x: x.sum(dim=[0], keepdim=True), "sum.dim"),
        (lambda x: x.max(), "max.Tensor"),
        (lambda x: x.max(1), "max.dim"),
        (lambda x: x == 1, "eq.TensorScalar"),
        (lambda x: x == x, "eq.Tensor"),
        (lambda x: x.view(4), "view"),
        (lambda x: x.view(2, 2), "view"),
        (lambda x: x.view((2, -1)), "view"),
        (lambda x: x.to(tsm.int64), "to.dtype"),
        (lambda x: x.to(float), "to.dtype"),
        (lambda x: tsm.where(x > 0, x, 0.0), "where.TensorScalar"),
        (lambda x: tsm.zeros(2, 3), "zeros"),
        (lambda x: tsm.arange(3), "arange"),
        (lambda x: tsm.arange(1, 3), "arange.start"),
        (lambda x: x.T, "t"),
        (lambda x: x.permute(1, 0), "permute"),
        (lambda x: x.size(0), "size.dim"),
        (lambda x: x.size(), "shape"),
        (lambda x: F.softmax(x, dim=-1), "softmax"),
        (lambda x: x.clamp(max=1), "clamp"),
        (lambda x: x.std(0), "std.dim"),
        (lambda x: x.add_(1), "add_.TensorScalar"),
        (lambda x: x.squeeze(), "squeeze"),
    ],
)
def test_overloads(call, name, listener):
    x = tsm.ones(2, 2)
    listener.heard.clear()
    call(x)
    assert listener.heard[-1][0] == name


def test_the_choice_is_cached_by_types_only():
    x = tsm.ones(2, 2)
    for _ in range(2):
        assert x.select(0, 1).shape == (2,)
        assert x.select(0, tsm.tensor(1)).shape == (2,)
        assert x.sum(1).tolist() == [2, 2] and x.sum(True).tolist() == [2, 2]


def test_lists_are_looked_at_in_each_call():
    x = tsm.arange(24)
    for _ in range(2):
        assert [x.view(form).shape for form in ([4, 6], (2, 12), [24], [np.int64(3), 8], [tsm.tensor(6), 4])] == [
            (4, 6), (2, 12), (24,), (3, 8), (6, 4)
        ]
        assert x.view(2, 3, 4).permute(2, 0, 1).shape == x.view([2, 3, 4]).permute([2, 0, 1]).shape == (4, 2, 3)
        assert x.view(4, -1).sum(1).tolist() == x.view(4, 6).sum([1]).tolist() == [15, 51, 87, 123]
        assert x.view(4, 6).sum([]).tolist() == x.view(4, 6).sum(()).tolist()
        for wrong, error in (([5], RuntimeError), ([24.0], TypeError), ([2**70], OverflowError), (["a"], TypeError)):
            with pytest.raises(error):
                x.view(wrong)


def test_lists_of_tensors():
    x, y = tsm.ones(2), tsm.zeros(2)
    for _ in range(2):
        assert tsm.cat([x, y]).tolist() == tsm.cat((x, y)).tolist() == [1, 1, 0, 0]
        assert tsm.stack([x, y], 1).tolist() == [[1, 0], [1, 0]]
        assert tsm.cat([x]).tolist() == [1, 1]
        for wrong, error in (([], ValueError), ([x, 1.0], TypeError), ([x, tsm.ones(2, 2)], RuntimeError)):
            with pytest.raises(error):
                tsm.cat(wrong)


def test_recorders_see_lists(listener):
    x = tsm.arange(24)
    listener.heard.clear()
    for _ in range(2):
        x.view(4, 6)
        x.view([4, 6])
    assert [tuple(args[1]) for _, args, _ in listener.heard] == [(4, 6)] * 4


def test_an_int_selects():
    x = tsm.arange(6).view(2, 3)
    assert x[1].tolist() == [3, 4, 5] and x[-2].tolist() == [0, 1, 2] and x[1][2].item() == 5
    for bad in (lambda: x[2], lambda: x[-3], lambda: x[0][0][0]):
        with pytest.raises(IndexError):
            bad()


def test_several_results_have_names():
    found = tsm.tensor([[1, 3], [4, 2]]).max(1)
    assert found.values.tolist() == [3, 4] and found.indices.tolist() == [1, 0]
    values, _ = found
    assert values is found[0] and repr(found).startswith("max(values=")


@pytest.mark.parametrize(
    "call, texts",
    [
        (
            lambda: tsm.add("a", "b"),
            ["tsm.add does not take (str, str)", "add(self: Tensor, other: Tensor", "'self' must be Tensor, not str"],
        ),
        (
            lambda: tsm.ones(2).view("a"),
            ["Tensor.view does not take (Tensor, str)", "'size' must be list[int], not str"],
        ),
        (lambda: tsm.ones(2).sum(nope=1), ["has no parameter 'nope'"]),
        (lambda: tsm.ones(2).sum(0, dim=0), ["got 'dim' twice"]),
        (lambda: tsm.ones(2).select(0), ["needs 'index'"]),
        (lambda: tsm.relu(), ["needs 'self'"]),
        (lambda: tsm.relu(1, 2, 3), ["at most 1 positional argument"]),
        (lambda: tsm.cat([tsm.ones(1), 2]), ["expected Tensor as element 1 in argument 0, but got int"]),
        (lambda: tsm.zeros(2, dtype="float32"), ["'dtype' must be Optional[dtype], not str"]),
        (lambda: tsm.zeros(2.5), ["'size' must be list[int], not float"]),
    ],
)
def test_errors_name_the_closest_candidates(call, texts):
    with pytest.raises(TypeError) as failure:
        call()
    for text in texts:
        assert text in str(failure.value)
    assert len(str(failure.value).splitlines()) <= 5


def test_matcher_prefers_exact_then_row_order():
    class Row:
        def __init__(self, name, text):
            self.full_name, self.parsed = name, schema.parse(text)

    rows = [Row("any", "(Any a) -> int"), Row("float", "(float a) -> int"), Row("int", "(int a) -> int")]

    def choice(value):
        return match.choose(rows, (value,), {}, dispatch.judge, dispatch.describe).row.full_name

    assert [choice(value) for value in (1, True, 1.0, "a", np.float32(1))] == ["int", "float", "float", "any", "float"]


# ---- values


@pytest.mark.parametrize("value", [np.int32(1), np.int64(1), np.uint8(1), True, tsm.tensor(1)])
def test_ints_in_all_forms(value):
    x = tsm.ones(2, 3)
    assert x.select(1, value).shape == (2,) and x.unsqueeze(value).shape == (2, 1, 3)


def test_int64_limits():
    top = 2**63 - 1
    assert tsm.full((1,), top, dtype=tsm.int64).item() == top
    with pytest.raises(OverflowError, match="64 bits"):
        tsm.full((1,), top + 1)
    with pytest.raises(OverflowError):
        tsm.ones(2).select(0, -(2**63) - 1)


def test_defaults_in_the_middle(listener):
    tsm.ones(2, 2).std(0, keepdim=True)
    name, args, _ = listener.heard[-1]
    assert name == "std.dim" and args[1:] == (0, True, True)


def test_run_by_full_name():
    assert dispatch.run("add.int", (2, 3)) == 5
    assert dispatch.run("str.upper", ("abc",)) == "ABC"
    assert dispatch.run("str.split", ("a b",)) == ["a", "b"]
    assert dispatch.run("repr.any", ([1, "a", None, (2.0, True)],)) == "[1, 'a', None, (2.0, True)]"
    with pytest.raises(KeyError):
        dispatch.run("no.such", ())
    with pytest.raises(TypeError, match="'b' must be int"):
        dispatch.run("add.int", (2, "a"))


@pytest.mark.parametrize(
    "value", [None, True, 7, -0.5, 1 + 2j, "é\0𝄞", b"\0a", [1, 2], [], [1, "a"], (1, (2, "x")), {"a": [1.5]}, {1: None}]
)
def test_values_cross_both_ways(value):
    scope, place = convert.Scope(), convert.Buffer(1)
    convert.writer(schema.SchemaType("Any"))(place, 0, value, scope)
    kind, address = place.words[0] & 0xFFFFFFFF, place.words[1]
    if kind >= library.FIRST_REF:
        library.lib.tsm_py_retain(address, kind)
    found = convert.read(place, 0, convert.Scope()) if kind >= library.FIRST_REF else convert.read(place, 0, scope)
    assert found == value and type(found) is type(value)
    scope.close()


def test_one_container_is_one_object():
    inner = [1]
    outer = [inner, inner]
    scope, place = convert.Scope(), convert.Buffer(1)
    kind = schema.SchemaType("list", (schema.SchemaType("list", (schema.SchemaType("int"),)),))
    convert.writer(kind)(place, 0, outer, scope)
    library.lib.tsm_py_retain(place.words[1], library.LIST)
    fresh = convert.Scope()
    found = convert.read(place, 0, fresh)
    assert found == outer and found[0] is found[1] and found is not outer
    fresh.close()
    library.lib.tsm_py_retain(place.words[1], library.LIST)
    assert convert.read(place, 0, scope) is outer
    scope.close()


@pytest.mark.parametrize(
    "error, python",
    [("(1).__lshift__(-1)", ValueError), ("1 // 0", ZeroDivisionError), ("2 ** 63", OverflowError)],
)
def test_runtime_errors_are_pythons(error, python):
    calls = {
        ValueError: lambda: dispatch.run("lshift.int", (1, -1)),
        ZeroDivisionError: lambda: dispatch.run("floordiv.int", (1, 0)),
        OverflowError: lambda: dispatch.run("mul.int", (2**62, 2)),
    }
    with pytest.raises(python) as failure:
        calls[python]()
    assert failure.value.tsm_operator and failure.value.tsm_line == 0


# ---- recorders


def test_recorders_nest_and_pause(listener):
    inner = Listener()
    x = tsm.ones(2)
    dispatch.push_recorder(inner)
    tsm.relu(x)
    dispatch.pop_recorder(inner)
    with dispatch.paused():
        tsm.exp(x)
    tsm.neg(x)
    assert [name for name, _, _ in inner.heard] == ["relu"]
    assert [name for name, _, _ in listener.heard] == ["ones", "relu", "neg.Tensor"]
    assert listener.heard[1][1] == (x,)


def test_a_recorder_may_replace_results():
    class Tracked(int):
        pass

    class Replacing(Listener):
        def record(self, operator, args, results):
            if operator.full_name == "shape":
                return (tuple(map(Tracked, results[0])),)
            return None

    x = tsm.ones(2, 3)
    recorder = Replacing()
    dispatch.push_recorder(recorder)
    try:
        shape = x.shape
        assert type(shape[0]) is Tracked and x.view(shape[1], shape[0]).shape == (3, 2)
    finally:
        dispatch.pop_recorder(recorder)
    assert type(x.shape[0]) is int


def test_escapes_are_told(listener):
    x = tsm.ones(1)
    bool(x), float(x), tsm.ones(300).tolist(), x.numpy()
    assert listener.escaped == ["bool", "float", "tolist", "numpy"]


def test_recorders_belong_to_their_thread(listener):
    thread = threading.Thread(target=lambda: tsm.ones(2) + 1)
    thread.start()
    thread.join()
    assert not listener.heard


def test_threads_have_their_own_buffers():
    wrong = []

    def work(number):
        x = tsm.full((100,), float(number))
        for _ in range(200):
            if (x + number).sum().item() != 200.0 * number:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- functions and hooks


def test_functions_know_their_rows():
    assert tsm.relu.__tsm_spelling__ == "tsm.relu" and F.gelu.__tsm_spelling__ == "F.gelu"
    assert tsm.relu.__name__ == "relu" and "max(self, 0)" in tsm.relu.__doc__
    assert list(inspect.signature(F.linear).parameters) == ["input", "weight", "bias"]
    assert tsm.Tensor.view.__tsm_spelling__ == ".view"
    assert functions.namespace("tsm.")["relu"] is tsm.relu


def test_print_and_warn_hooks(capsys):
    dispatch.run("print.str", ("héllo\n",))
    assert capsys.readouterr().out == "héllo\n"
    with pytest.warns(UserWarning, match="careful"):
        dispatch.run("warn.str", ("careful",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="careful"):
            dispatch.run("warn.str", ("careful",))


def test_infer_runs_nothing():
    from tsm.binding import tensor

    a, b = tensor.meta(tsm.float32, (1000, 1, 7)), tensor.meta(tsm.float64, (5, 7))
    (found,) = dispatch.infer("add.Tensor", (a, b))
    assert found.shape == (1000, 5, 7) and found.dtype is tsm.float64
    with pytest.raises(RuntimeError, match="no memory"):
        found.numpy()


def test_crc32c():
    assert tsm.binding.crc32c(b"123456789") == 0xE3069283
    assert tsm.binding.crc32c(b"6789", tsm.binding.crc32c(b"12345")) == 0xE3069283
    assert tsm.binding.crc32c(b"") == 0


@pytest.mark.parametrize("key", ["a", "it's", 1, 2.5, True, (1, "a")])
def test_key_errors_are_pythons(key):
    with pytest.raises(KeyError) as failure:
        dispatch.run("getitem.dict", ({}, key))
    assert type(failure.value) is KeyError and failure.value.args == (key,) and str(failure.value) == repr(key)


def test_operators_over_containers_of_anything():
    items = [3, 1, 2]
    assert dispatch.run("sorted.list", (items,)) == [1, 2, 3]
    assert dispatch.run("list.index", (["a", "b"], "b")) == 1
    assert dispatch.run("dict.get.default", ({"a": 1.5}, "b", 0.5)) == 0.5
    assert dispatch.run("max.ints", (items,)) == 3
