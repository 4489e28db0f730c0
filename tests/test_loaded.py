"""Programs called from Python: signatures, conversions, identity and write-back, attributes, state, limits, threads."""

from __future__ import annotations

import inspect
import io
import os
import re
import threading
import time
import zipfile
from pathlib import Path
from typing import Optional

import numpy as np
import pytest

import tsm
from tsm import nn, serialize
from tsm.binding.call_forms import MethodInfo, ParamInfo
from tsm.binding.program import Instance, Program
from tsm.binding.schema import SchemaType
from tsm.call import MISSING, bind, make_callable
from tsm.frontend.own_files import is_own_file, portable_name
from tsm.ir import types as T
from tsm.ir.builder import Builder
from tsm.ir.graph import Function, Method, Param
from tsm.ir.graph import Program as Graph


class Maker:
    """Builds a program of small functions."""

    def __init__(self) -> None:
        self.program = Graph(metadata={"author": "me"}, extra_files={"notes.txt": b"\0hi"})

    def function(self, name, params, result, body, mutates=(), doc=""):
        function = Function(name, params, result)
        builder = Builder(function)
        builder.end("return", [body(builder, *function.body.params)])
        self.program.functions.append(function)
        self.program.methods[name] = Method(name, function, params, frozenset(mutates), doc)
        return self


def appended(b, xs, x):
    b.node("list.append", [xs, x])
    return xs


def put_and_fail(b, d, v):
    b.node("setitem.dict", [d, b.const("k"), v])
    b.node("list.append", [v, b.const(1.5)])
    return b.op("floordiv.int", [b.const(1), b.const(0)], T.INT)


def scaled(b, x, k):
    return b.op("mul.TensorScalar", [x, b.node("widen", [k], (T.SCALAR,)).result], T.TENSOR)


def added_in_place(b, x):
    one = b.node("widen", [b.const(1)], (T.SCALAR,)).result
    return b.op("add_.TensorScalar", [x, one], T.TENSOR)


def printed(b, text):
    b.node("print.str", [text])
    return b.const(None)


def pair_of(b, a, b2):
    kind = T.TupleType((T.ListType(T.INT), T.ListType(T.INT)))
    return b.node("tuple", [a, b2], (kind,)).result


FLOATS, INTS = T.ListType(T.FLOAT), T.ListType(T.INT)


@pytest.fixture(scope="module")
def data() -> bytes:
    maker = Maker()
    maker.function("add", [Param("a", T.INT), Param("b", T.INT)], T.INT, lambda b, x, y: b.op("add.int", [x, y], T.INT))
    maker.function("half", [Param("x", T.FLOAT)], T.FLOAT, lambda b, x: b.op("mul.float", [x, b.const(0.5)], T.FLOAT))
    maker.function("flip", [Param("x", T.BOOL)], T.BOOL, lambda b, x: b.op("not.bool", [x], T.BOOL))
    maker.function("append", [Param("xs", INTS), Param("x", T.INT, True, 7)], INTS, appended, {0}, "Appends x.")
    maker.function("put", [Param("d", T.DictType(T.STR, FLOATS)), Param("v", FLOATS)], T.INT, put_and_fail, {0, 1})
    maker.function("scale", [Param("x", T.TENSOR), Param("k", T.FLOAT, True, 2.0, True)], T.TENSOR, scaled)
    maker.function("same", [Param("x", T.TENSOR)], T.TENSOR, lambda b, x: x)
    maker.function("bump", [Param("x", T.TENSOR)], T.TENSOR, added_in_place, {0})
    maker.function("show", [Param("text", T.STR)], T.NONE, printed)
    maker.function("pair", [Param("a", INTS), Param("b", INTS)], T.TupleType((INTS, INTS)), pair_of)
    for name, kind in {
        "any": T.ANY, "scalar": T.SCALAR, "optional": T.optional(T.STR), "nested": T.ListType(T.optional(T.TENSOR)),
        "mapping": T.DictType(T.INT, T.TupleType((T.STR, T.FLOAT))), "text": T.STR, "union": T.union(T.INT, T.STR),
        "maybe": T.ListType(T.optional(T.INT)), "raw": T.BYTES, "complex_": T.COMPLEX, "kind": T.DTYPE,
    }.items():
        maker.function(name, [Param("x", kind)], kind, lambda b, x: x)
    return serialize.dumps(maker.program)


@pytest.fixture
def module(data):
    return tsm.load(data)


# ---- calls


def test_plain_signatures(module):
    assert module.add(2, 3) == 5 and module.add(a=-1, b=True) == 0 and type(module.add(True, True)) is int
    assert module.half(3.0) == 1.5 and module.half(3) == 1.5 and module.half(np.float32(1)) == 0.5
    assert module.flip(True) is False and module.flip(np.bool_(False)) is True
    assert module.show("é\n") is None


def test_signature_and_doc(module):
    assert str(inspect.signature(module.append)) == "(xs: 'list[int]', x: 'int' = 7) -> 'list[int]'"
    assert module.append.__doc__ == "Appends x." and module.append.__name__ == "append"
    assert str(inspect.signature(module.scale)) == "(x: 'Tensor', *, k: 'float' = 2.0) -> 'Tensor'"
    assert "append(xs: list[int], x: int = 7) -> list[int]" in repr(module)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda m: m.add(1), TypeError, "missing 1 required positional argument: 'b'"),
        (lambda m: m.add(1, 2, 3), TypeError, "takes 2 positional arguments but 3 were given"),
        (lambda m: m.add(1, c=2), TypeError, "unexpected keyword argument 'c'"),
        (lambda m: m.add("a", 1), TypeError, r"add\(\) argument 'a': expected int, got str"),
        (lambda m: m.add(1.0, 1), TypeError, "expected int, got float"),
        (lambda m: m.add(2**63, 1), OverflowError, "64 bits"),
        (lambda m: m.add(2**63 - 1, 1), OverflowError, "64 bits"),
        (lambda m: m.flip(1), TypeError, "expected bool, got int"),
        (lambda m: m.scale(1), TypeError, "annotate the parameter as int"),
        (lambda m: m.scale(tsm.ones(1), 2.0), TypeError, "positional"),
        (lambda m: m.append([1.5]), TypeError, "expected int, got float"),
        (lambda m: m.append([2**63]), OverflowError, "64 bits"),
        (lambda m: m.mapping({1: ("a",)}), TypeError, r"expected tuple\[str, float\], got tuple"),
        (lambda m: m.text("\ud800"), ValueError, "surrogates"),
        (lambda m: m.union(1.5), TypeError, r"Union\[int, str\], got float"),
        (lambda m: m.any(object()), TypeError, "a object cannot be passed"),
        (lambda m: m.nothing, AttributeError, None),
        (lambda m: m.method("nothing"), AttributeError, "it has: add, any"),
    ],
)
def test_refused_calls(module, call, error, text):
    with pytest.raises(error, match=text):
        call(module)
    assert module.add(1, 1) == 2


VALUES = [
    ("any", [None, True, 1, 1.5, "a", [1, 2], [1, "a"], (1, 2.0), {"a": [1]}, b"x"]), ("scalar", [True, 2, 0.5]),
    ("optional", [None, "", "é𝄞"]), ("mapping", [{}, {1: ("a", 0.5), -1: ("", 2.0)}]), ("union", [1, "a"]),
    ("maybe", [[], [1, None, 2]]), ("raw", [b"", b"\0\xff"]), ("complex_", [1 + 2j]), ("kind", [tsm.float32, tsm.bool]),
]


@pytest.mark.parametrize("name, value", [(name, value) for name, values in VALUES for value in values])
def test_values_go_and_come_back(module, name, value):
    found = module.method(name)(value)
    assert found == value and type(found) is type(value)


def test_lists_of_optional_tensors(module):
    x = tsm.ones(2)
    items = [x, None, x]
    found = module.nested(items)
    assert found is items and found[0] is x and found[1] is None


# ---- identity and write-back


def test_mutated_arguments_are_written_back(module):
    xs = [1]
    assert module.append(xs) is xs and xs == [1, 7]
    module.append(x=9, xs=xs)
    assert xs == [1, 7, 9]


def test_write_back_when_the_call_raises(module):
    d, v = {"old": [0.0]}, [0.5]
    old = d["old"]
    with pytest.raises(ZeroDivisionError):
        module.put(d, v)
    assert d == {"old": [0.0], "k": [0.5, 1.5]} and d["k"] is v and d["old"] is old and v == [0.5, 1.5]


def test_one_list_stays_one(module):
    xs = [1]
    a, b = module.pair(xs, xs)
    assert a is xs and b is xs
    a, b = module.pair([1], [1])
    assert a is not b


def test_tensors_are_shared(module):
    x = tsm.zeros(2)
    assert module.same(x) is x and module.bump(x) is x and x.tolist() == [1, 1]
    array = np.zeros(2)
    result = module.bump(array)
    assert array.tolist() == [1, 1] and result.numpy().__array_interface__["data"] == array.__array_interface__["data"]
    parameter = nn.Parameter(tsm.zeros(2))
    assert module.same(parameter) is parameter and module.scale(parameter, k=3).tolist() == [0, 0]
    assert module.scale(tsm.ones(2)).tolist() == [2, 2] and module.scale(np.ones(2), k=3.0).dtype is tsm.float64


def test_hostile_parameter_names_are_not_executed(data, module):
    names = ["x): import os #", "class", "é", "_slow", "a b"]
    for name in names:
        params = (ParamInfo(name, SchemaType("int")), ParamInfo("b", SchemaType("int")))
        info = next(info for info in module.program.methods if info.name == "add")
        renamed = MethodInfo(info.index, "add", "", params, info.result, frozenset())
        made = make_callable(module.instance, renamed, module)
        assert made(2, 3) == 5 and made(2, b=3) == 5
        with pytest.raises(TypeError):
            made(1)


def test_bind():
    kind = SchemaType("int")
    params = (ParamInfo("a", kind), ParamInfo("b", kind, True, 1), ParamInfo("c", kind, True, 2, True))
    info = MethodInfo(0, "f", "", params, kind, frozenset())
    assert bind(info, (1,), {}) == [1, MISSING, MISSING] and bind(info, (1,), {"c": 3}) == [1, MISSING, 3]
    for args, kwargs in [((1, 2, 3), {}), ((), {}), ((1,), {"a": 1}), ((1,), {"d": 1})]:
        with pytest.raises(TypeError, match=r"f\(\)"):
            bind(info, args, kwargs)


# ---- hooks, threads, limits


def test_print_goes_to_sys_stdout(module, capsys):
    module.show("hello\n")
    assert capsys.readouterr().out == "hello\n"


def test_an_error_of_stdout_is_raised(module, monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError("gone")

    monkeypatch.setattr("sys.stdout", Closed())
    with pytest.raises(BrokenPipeError):
        module.show("x")
    monkeypatch.undo()
    assert module.add(1, 2) == 3


def test_calling_back_from_print_is_refused(module, monkeypatch):
    class Calling(io.StringIO):
        def write(self, text):
            return module.add(1, 2)

    monkeypatch.setattr("sys.stdout", Calling())
    with pytest.raises(RuntimeError, match="inside its own print"):
        module.show("x")
    monkeypatch.undo()
    assert module.add(1, 2) == 3


def test_threads_share_a_module(module):
    wrong = []

    def work(n):
        for i in range(500):
            if module.add(n, i) != n + i or module.append([n], i) != [n, i]:
                wrong.append((n, i))

    threads = [threading.Thread(target=work, args=(n * 1000,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@tsm.script
def forever(n: int) -> int:
    i = 0
    while n > 0:
        i = (i + n) % 1000
    return i


def test_fuel_and_cancel():
    forever.set_fuel(10_000)
    with pytest.raises(tsm.FuelError):
        forever(1)
    assert forever(0) == 0
    forever.set_fuel(0)
    timer = threading.Timer(0.1, forever.cancel)
    timer.start()
    started = time.perf_counter()
    with pytest.raises(tsm.CancelledError):
        forever(1)
    assert time.perf_counter() - started < 120, 'it does not end in time'
    assert forever(0) == 0


# ---- files


def test_what_the_file_says(module, data):
    assert module.metadata == {"author": "me"} and module.extra_files == {"notes.txt": b"\0hi"}
    assert "add.int" in module.program.operators and set(module.methods) >= {"add", "append"}
    module.program.verify()


def test_sources_of_a_load(tmp_path, data):
    path = tmp_path / "p.tsm"
    path.write_bytes(data)
    for source in (path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data), path.open("rb")):
        assert tsm.load(source).add(1, 2) == 3
    assert tsm.load(path, map_file=True, check_weights=True).add(1, 2) == 3
    with pytest.raises(FileNotFoundError):
        tsm.load(tmp_path / "missing.tsm")
    with pytest.raises(IsADirectoryError):
        tsm.load(tmp_path)
    with pytest.raises(TypeError, match="binary"):
        tsm.load(io.StringIO("x"))
    flipped = data[:40] + b"\1" + data[41:]
    for bad, status in [(b"", "truncated"), (data[:-1], ""), (b"x" * 200, "format"), (flipped, "")]:
        with pytest.raises(tsm.LoadError) as failure:
            tsm.load(bad)
        assert failure.value.status and (not status or failure.value.status in (status, "format"))


def test_a_file_does_not_tell_where_the_package_lies():
    target = io.BytesIO()
    tsm.script(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm2d(4))).save(target)
    saved = target.getvalue()
    assert b"tsm/nn/norm.py" in saved
    assert not [folder for folder in tsm.__path__ if folder.encode() in saved]
    with pytest.raises(ValueError) as caught:
        tsm.load(saved)(tsm.zeros(2, 3))
    where = r'File "tsm/nn/norm.py", line \d+, in BatchNorm2d.forward\n'
    assert re.search(where, caught.value.tsm_traceback)
    notes = "".join(getattr(caught.value, "__notes__", ()))  # Python 3.11 on: with the lines themselves
    assert not notes or re.search(where + "    raise", notes), notes


def test_only_the_packages_own_files_are_renamed():
    folder = next(iter(tsm.__path__))
    assert portable_name(os.path.join(folder, "nn", "norm.py")) == "tsm/nn/norm.py"
    for path in (folder + "_models/net.py", folder + "-old.py", "norm.py", "<string>"):
        assert portable_name(path) == path and not is_own_file(path)


class Counter(nn.Module):
    steps: int
    names: list[str]

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)
        self.register_buffer("seen", tsm.zeros(2))
        self.steps = 0
        self.scale = 1.5
        self.names = ["a"]

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        self.steps += 1
        self.seen += x
        return self.inner(x) * self.scale


def test_attributes_state_and_saving(tmp_path):
    python = Counter()
    scripted = tsm.script(python)
    path = tmp_path / "counter.tsm"
    scripted.save(path)
    loaded = tsm.load(path)
    x = tsm.tensor([1.0, 2.0])
    assert loaded(x).allclose(python(x)) and loaded.steps == 1 and loaded.seen.tolist() == [1, 2]
    loaded.steps = 41
    loaded.scale = 2
    loaded.names = ["b", "c"]
    loaded.inner.bias = tsm.tensor([5.0, 6.0])
    assert loaded.steps == 41 and loaded.scale == 2.0 and type(loaded.scale) is float and loaded.names == ["b", "c"]
    assert loaded.inner.bias.tolist() == [5, 6] == loaded.get("inner.bias").tolist()
    for name, value in [("steps", "x"), ("names", [1]), ("scale", None)]:
        with pytest.raises(TypeError, match=name):
            setattr(loaded, name, value)
    for missing in ("nothing", "inner.nothing"):
        with pytest.raises(AttributeError):
            loaded.get(missing)
    with pytest.raises(AttributeError):
        loaded.nothing = 1
    assert set(loaded.state_dict()) == {"inner.weight", "inner.bias", "seen"}
    assert "steps" in dir(loaded) and "inner" in dir(loaded) and "Linear" in repr(loaded.inner)

    copy = loaded.clone()
    copy(x)
    assert (copy.steps, loaded.steps) == (42, 41) and loaded.seen.tolist() == [1, 2]
    again = io.BytesIO()
    loaded.save(again)
    third = tsm.load(again.getvalue())
    assert third.steps == 41 and third.inner.bias.tolist() == [5, 6] and third.seen.tolist() == [1, 2]
    second = io.BytesIO()
    third.save(second)
    assert second.getvalue() == again.getvalue()
    loaded.reset()
    assert loaded.steps == 0 and loaded.seen.tolist() == [0, 0]


def test_load_state_dict(tmp_path):
    scripted = tsm.script(Counter())
    buffer = io.BytesIO()
    scripted.save(buffer)
    loaded = tsm.load(buffer.getvalue())
    state = {name: np.full(value.shape, 2.0) for name, value in loaded.state_dict().items()}
    loaded.load_state_dict(state)
    assert loaded.seen.tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="Missing key"):
        loaded.load_state_dict({})
    assert loaded.load_state_dict({"other": np.ones(1)}, strict=False).unexpected_keys == ["other"]


class Tied(tsm.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = tsm.nn.Linear(2, 2)
        self.second = tsm.nn.Linear(2, 2)
        self.second.weight = self.first.weight
        self.register_buffer("seen", tsm.zeros(2))
        self.register_buffer("table", tsm.ones(2), persistent=False)
        self.last = tsm.zeros(2)

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        self.last = x
        self.seen += 1
        return self.second(self.first(x)) * self.table


def test_parameters_and_buffers_of_a_file():
    module = Tied()
    scripted = tsm.script(module)
    loaded = tsm.load(scripted.to_bytes())
    for program in (scripted, loaded):
        assert list(program.state_dict()) == list(module.state_dict())
        assert [name for name, _ in program.named_parameters()] == [name for name, _ in module.named_parameters()]
        assert [name for name, _ in program.named_buffers()] == [name for name, _ in module.named_buffers()]
        assert sum(parameter.numel() for parameter in program.parameters()) == 8 and len(list(program.buffers())) == 2
    assert scripted.original_name == "Tied"


class Around(tsm.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = tsm.script(tsm.nn.Linear(2, 2))

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        return self.inner(x)


def test_parameters_of_a_scripted_module_in_another():
    assert list(tsm.script(Around()).state_dict()) == ["inner.weight", "inner.bias"]


def test_save_function(tmp_path):
    tsm.save(forever, tmp_path / "f.tsm")
    assert tsm.load(tmp_path / "f.tsm")(0) == 0
    with pytest.raises(TypeError, match=r"tsm\.script"):
        tsm.save(Counter(), tmp_path / "g.tsm")


def test_a_failing_write_passes_its_error_and_keeps_the_old_file(tmp_path, data):
    instance = Instance(Program.from_bytes(data))

    def fail(chunk):
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        instance.save(fail)
    with pytest.raises(OSError):
        tsm.load(data).save(tmp_path / "missing" / "x.tsm")


def test_a_loaded_program_is_traced_as_a_call(module):
    traced = tsm.trace(lambda x: module.same(x) + 1, tsm.ones(1))
    assert "call" in str(traced.graph) and traced(tsm.ones(1) * 4).tolist() == [5.0]


def test_what_cannot_be_loaded_is_named():
    with pytest.raises(TypeError, match="takes a path, an open binary file or bytes, not int"):
        tsm.load(12)


class Step(tsm.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 3.0
        self.weight = tsm.nn.Parameter(tsm.ones(2))

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        return x * self.scale * self.weight

    @tsm.export
    def times(self, x: tsm.Tensor, n: int = 2) -> tsm.Tensor:
        return x * n


class Steps(tsm.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = tsm.nn.ModuleList([Step(), Step()])
        self.head = tsm.nn.ModuleDict({"a-b": Step()})

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        for step in self.steps:
            x = step(x)
        return self.head["a-b"](x)


def test_exported_methods_of_submodules_are_in_the_file():
    loaded = tsm.load(tsm.script(Steps()).to_bytes())
    x = tsm.ones(2)
    assert loaded.steps[1].times(x, n=5).tolist() == [5.0, 5.0] == loaded.steps[1].times(x, 5).tolist()
    assert loaded.head["a-b"].times(x).tolist() == [2.0, 2.0] and "times" in dir(loaded.steps[0])
    text = "the program has no attribute or method 'forward' for its submodule 'steps.0'; of methods it has those that"
    with pytest.raises(AttributeError, match=text):
        loaded.steps[0](x)


def test_modules_of_a_file_are_walked_as_those_of_python():
    module = Steps()
    loaded = tsm.load(tsm.script(module).to_bytes())
    assert [name for name, _ in loaded.named_modules()] == [name for name, _ in module.named_modules()]
    assert [each.original_name for each in loaded.children()] == ["ModuleList", "ModuleDict"]
    assert loaded.steps is loaded.steps and len(loaded.steps) == 2 and list(loaded.head) == ["a-b"]
    assert [name for name, _ in loaded.head.items()] == ["a-b"] and loaded.steps[0] in loaded.steps
    assert not loaded.eval().steps[1].training and loaded.get_submodule("steps.1").scale == 3.0
    loaded.to(tsm.float64)
    assert loaded.steps[0].weight.dtype is tsm.float64 and loaded(tsm.ones(2, dtype=tsm.float64)).tolist() == [27.0] * 2
    with pytest.raises(TypeError, match="a module of class Step is no container"):
        len(loaded.steps[0])
    with pytest.raises(RuntimeError, match="a compiled module takes no new parameters"):
        loaded.register_buffer("more", tsm.ones(1))


def test_a_loaded_module_in_a_scripted_one():
    inner = tsm.load(tsm.script(Steps()).to_bytes())

    class Outside(tsm.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            return self.inner(x=x) + int(self.inner.training)

    class Deeper(tsm.nn.Module):
        def __init__(self):
            super().__init__()
            self.step = inner.steps[0]

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            return self.step(x)

    scripted = tsm.script(Outside())
    x = tsm.ones(2)
    assert scripted(x).tolist() == [28.0, 28.0] and scripted.inner(x).tolist() == [27.0, 27.0]
    assert tsm.load(scripted.to_bytes())(x).tolist() == [28.0, 28.0]
    assert list(scripted.state_dict()) == [f"inner.{name}" for name in inner.state_dict()]
    with pytest.raises(tsm.CompileError, match="a submodule of a traced or loaded module has no program of its own"):
        tsm.script(Deeper())


class Tally(tsm.nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.register_buffer("total", tsm.zeros(1))

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        self.count += 1
        self.total += x
        return x + self.count


class Holding(tsm.nn.Module):
    def __init__(self, *held):
        super().__init__()
        self.held = tsm.nn.ModuleList(held)

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        for each in self.held:
            x = each(x)
        return x


def test_a_member_goes_on_from_the_state_it_has_where_it_is():
    eager = Tally()
    tally = tsm.load(tsm.script(eager).to_bytes())
    first = tsm.script(Holding(tally, eager))
    first(tsm.ones(1))
    first(tsm.ones(1))
    second = tsm.script(Holding(first, eager, tally))
    assert second(tsm.ones(1)).item() == 1 + 3 + 3 + 1 + 1
    assert [second.held[0].held[0].count, second.held[0].held[1].count, second.held[1].count] == [3, 3, 1]
    assert (first.held[0].count, tally.count, eager.count) == (2, 0, 0)


def test_classes_of_the_same_name_in_several_programs():
    def line():
        return tsm.load(tsm.script(tsm.nn.Sequential(tsm.nn.Linear(1, 1), tsm.nn.Sequential(tsm.nn.Tanh()))).to_bytes())

    held = Holding(line(), Holding(line(), tsm.nn.Linear(1, 1)), tsm.trace(Holding(line()), tsm.ones(1)), line())
    scripted = tsm.script(held)
    assert scripted(tsm.ones(1)).item() == held(tsm.ones(1)).item()
    assert tsm.load(scripted.to_bytes())(tsm.ones(1)).item() == held(tsm.ones(1)).item()
    assert tsm.trace(held, tsm.ones(1))(tsm.ones(1)).item() == held(tsm.ones(1)).item()


class Log(tsm.nn.Module):
    def __init__(self):
        super().__init__()
        self.entries = [0]
        self.register_buffer("total", tsm.zeros(1))

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        self.entries.append(len(self.entries))
        self.total = self.total + x
        return self.total + len(self.entries)


def test_members_keep_apart_what_is_equal():
    inner = tsm.script(Holding(Log(), tsm.load(tsm.script(Log()).to_bytes()), Log()))
    plain = Holding(Log(), Log(), Log())
    x = tsm.ones(1)
    assert inner(x).item() == plain(x).item() and inner.held[0](x).item() == plain.held[0](x).item()
    outer = tsm.script(Holding(inner))
    traced = tsm.trace(Holding(inner), x)
    expected = plain(x).item()
    assert outer(x).item() == traced(x).item() == inner(x).item() == expected


class Largest(tsm.nn.Module):
    largest: Optional[tsm.Tensor]

    def __init__(self):
        super().__init__()
        self.register_buffer("largest", None)

    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        found = x if self.largest is None else tsm.maximum(self.largest, x)
        self.largest = found
        return found


def test_a_buffer_that_is_none_at_first():
    scripted = tsm.script(Largest())
    for program in (scripted, tsm.load(scripted.to_bytes())):
        assert program.state_dict() == {} and list(program.named_buffers()) == []
        program.double()
        program(tsm.ones(1))
        assert [name for name, _ in program.named_buffers()] == list(program.state_dict()) == ["largest"]


@pytest.mark.parametrize(("names", "text"), [
    (("net/constants.pkl", "net/code/__torch__.py"), "TorchScript archive.*script the module again.*load_state_dict"),
    (("net/data.pkl", "net/version"), r"a file of torch\.save.*load_state_dict"),
    (("net/models/model.json",), "archive of torch.export.save"),
    (("readme.txt",), "not a .tsm file"),
])
def test_archives_of_pytorch_are_told_by_their_kind(tmp_path: Path, names: tuple[str, ...], text: str) -> None:
    path = tmp_path / "net.pt"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, b"x")
    data = path.read_bytes()
    for source in (path, data, io.BytesIO(data), bytearray(data)):
        with pytest.raises(tsm.LoadError, match=text):
            tsm.jit.load(source)
    path.write_bytes(data[:20])
    with pytest.raises(tsm.LoadError, match="not a .tsm file"):
        tsm.load(path)
