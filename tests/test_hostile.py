"""Nothing a file says is believed: what the C loader answers to damaged and hostile files, and what they cost.

In: files cut and edited, checksums right again. Out: LoadError with a status and a sentence, within bounded time; a
file that loads runs within its fuel. The fuzzer (`make fuzz`) finds what these tests then keep.
"""

from __future__ import annotations

import importlib.util
import re
import struct
import time
from pathlib import Path
from types import ModuleType

import pytest
from test_format import CORRUPTIONS, RICH, TINY, patched, sections_of, tiny

import tsm
from tsm import ir, serialize
from tsm.serialize import FormatError
from tsm.serialize.container import pack

HERE = Path(__file__).resolve().parent


def seeds() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_seeds", HERE / "fuzz" / "make_seeds.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SEEDS = seeds()
FILES = {
    "tiny": serialize.dumps(ir.parse(TINY)),
    "rich": serialize.dumps(ir.parse(RICH)),
    **{name: serialize.dumps(ir.parse(text)) for name, text in SEEDS.TEXTS.items()},
}


def refusal(data: bytes) -> tsm.LoadError:
    with pytest.raises(tsm.LoadError) as caught:
        tsm.load(data)
    assert str(caught.value)
    return caught.value


# ---- Cut files


@pytest.mark.parametrize("name", FILES)
def test_truncation_at_every_byte(name: str) -> None:
    data = FILES[name]
    for length in range(len(data)):
        assert refusal(data[:length]).status in ("truncated", "format")
    for length in range(0, len(data), 7):
        with pytest.raises(FormatError):
            serialize.loads(data[:length])


@pytest.mark.parametrize("name", FILES)
def test_truncation_of_every_section(name: str) -> None:
    """Cut sections with checksums that are right again."""
    sections = sections_of(FILES[name])
    for kind, content in sections.items():
        for length in range(len(content)):
            assert refusal(pack({**sections, kind: content[:length]}, 0)).status in ("truncated", "format", "verify")


# ---- Damaged sections: the status and the sentence of the C loader for each case of test_format.py

ANSWERS: dict[str, tuple[str, str]] = {
    "a string that is not UTF-8": ("format", "a text is not valid UTF-8"),
    "a surrogate": ("format", "a text is not valid UTF-8"),
    "two equal strings": ("format", "string 2 equals string 0"),
    "a string past the end": ("truncated", "the section ends inside a text"),
    "a count past the end": ("format", "there cannot be 16383 strings in the 5 bytes left"),
    "a number not in its shortest form": ("format", "a number is not in its shortest form"),
    "a number above 64 bits": ("format", "a number does not fit in 64 bits"),
    "a number of 11 bytes": ("format", "a number does not fit in 64 bits"),
    "bytes left over": ("format", "1 bytes are left over"),
    "an unknown kind of type": ("format", "type 0 has unknown kind 31"),
    "a list of itself": ("format", "there is no earlier type number 0 (there are 0)"),
    "two equal types": ("format", "type 1 equals type 0"),
    "an Optional of None": ("format", "type 1 is an Optional of None, Optional, Union, Scalar or Any"),
    "a Union of one arm": ("format", "Union 1 has too few arms"),
    "a Union of equal arms": ("format", "Union 1 has equal arms"),
    "a Union of None and int": ("format", "Union 2 has too few arms"),
    "a set of lists": ("format", "type 2: its keys or elements are not hashable"),
    "a Tensor of an unknown dtype": ("format", "there is no dtype 9"),
    "a Tensor of rank 33": ("format", "a Tensor type has rank 33"),
    "a class with two equal attributes": ("format", "a member 'f' is there twice"),
    "a class with unknown flags": ("format", "class 1 has unknown flags 4"),
    "a set of Any in an old file": ("format", "type 1: its keys or elements are not hashable"),
    "a set of Scalar in an old file": ("format", "type 1: its keys or elements are not hashable"),
    "instances as keys in an old file": ("format", "the header allows readers that do not know instances as keys"),
    "a storage outside of DATA": ("format", "a storage of 4 bytes at 0, where 0 was expected, does not fit in DATA"),
    "a storage not at its place": ("format", "a storage of 0 bytes at 8, where 0 was expected, does not fit in DATA"),
    "a bound storage in a file": ("format", "storage 0 is bound, but the header does not say so"),
    "bytes after the last storage": ("format", "the storages end at 0, DATA at 1"),
    "a tensor outside of its storage": ("format", "tensor 0 does not lie inside its storage"),
    "a negative stride": ("format", "tensor 0 does not lie inside its storage"),
    "a tensor whose size wraps to 0": ("format", "tensor 0 does not lie inside its storage"),
    "a tensor of a dtype that is only a name": ("format", "there is no dtype 9"),
    "a tensor of rank 33": ("format", "a tensor has rank 33; at most 32 is allowed"),
    "a bool that is 2": ("format", "a flag is 2 instead of 0 or 1"),
    "a constant tuple of itself": ("format", "there is no earlier constant number 0 (there are 0)"),
    "a constant list": ("format", "constant 0 is of a type that has no constants"),
    "an unknown operator": (
        "operator",
        "tsm 0.1.0 does not have 2 of the operators this file uses: a.b (since 0.1), no (since 1.234)",
    ),
    "operators out of order": ("format", "operator 1 is out of order or there twice"),
    "an unknown node": ("format", "there is no node or operator with code 31"),
    "an operator out of range": ("format", "there is no node or operator with code 32"),
    "an operand that is not there": ("format", "there is no value defined before number 1 (there are 1)"),
    "a body that is too long": ("format", "1 bytes are left over"),
    "a body with parameters": ("format", "function 'f': its body has parameters of its own"),
    "a block without nodes": ("format", "a block has no nodes"),
    "no terminator": ("verify", "function 'f': a block does not end in a terminator"),
    "a break to nowhere": ("verify", "function 'f', node 0 (break): there is no such label"),
    "a call to nowhere": ("format", "there is no function number 5 (there are 1)"),
    "an attribute of an int": ("format", "there cannot be 1 operands in the 0 bytes left"),
    "unknown flags of a function": ("format", "a function has unknown flags 2"),
    "a self that is not there": ("format", "function 'f' has no parameter that could be self"),
    "a root that is not there": ("format", "there is no object number 0 (there are 0)"),
    "an object of type int": ("format", "object 0 is neither instance, list, dict nor set"),
    "a root that is a list": ("format", "the root is not an instance of a module"),
    "too many None": ("limit", "1001 elements that take no bytes are too many"),
    "a method with too few parameters": ("format", "method 'f' describes 0 parameters; its function has 1"),
    "a method with a self its function lacks": ("format", "method 'f' and its function disagree about self"),
    "two methods of one name": ("format", "method 'f' is out of order or there twice"),
    "a default that is not there": ("format", "there is no constant number 0 (there are 0)"),
    "unknown flags of a parameter": ("format", "a parameter has unknown flags 4"),
    "names for too many values": ("format", "there are 2 value names for 1"),
    "locations for too many nodes": ("format", "there are 2 node locations for 1"),
    "a location inlined at itself": ("format", "there is no smaller location number 0 (there are 0)"),
}


def test_every_corruption_has_an_answer() -> None:
    assert list(ANSWERS) == [case[0] for case in CORRUPTIONS]


@pytest.mark.parametrize(("name", "changed", "section"), [case[:3] for case in CORRUPTIONS], ids=list(ANSWERS))
def test_corruption(name: str, changed: dict[str, str], section: str) -> None:
    status, sentence = ANSWERS[name]
    error = refusal(tiny(**changed))
    assert error.status == status
    assert str(error).startswith(f"section {section if section != 'DATA' else 'STORAGES'}")
    assert str(error).endswith(sentence)


def function(nodes: str, flags: int = 0) -> str:
    """FUNCTIONS with one: f(x: int) -> int. `nodes` starts with their number."""
    length = len(bytes.fromhex(nodes)) + 1
    return f"01 00 {flags:02x} 01 02 00 00 {length:02x} 00 {nodes}"


@pytest.mark.parametrize(
    ("changed", "status", "sentence"),
    [
        ({"FUNCTIONS": function("02 12 01 00 00 01 00 09 01 01")}, "verify", "node 0 (get_attr): "),
        ({"FUNCTIONS": "01 00 01 00 00 04 00 01 0b 00"}, "format", "has no parameter that could be self"),
        ({"FUNCTIONS": function("02 13 01 00 00 00 09 01 00")}, "verify", "node 0 (set_attr): "),
        ({"FUNCTIONS": function("02 0d 01 00 00 01 00 09 01 00")}, "verify", "node 0 (tuple_get): "),
        ({"FUNCTIONS": function("02 15 01 00 01 00 09 01 00")}, "verify", "node 0 (cell_get): "),
        ({"FUNCTIONS": function("02 17 01 00 01 00 09 01 00")}, "verify", "node 0 (widen): "),
        ({"FUNCTIONS": function("02 18 01 00 01 00 09 01 00")}, "verify", "node 0 (narrow): "),
        ({"FUNCTIONS": function("02 19 01 00 00 01 00 09 01 00")}, "verify", "node 0 (is_type): "),
        ({"FUNCTIONS": function("02 11 00 01 00 09 01 00")}, "verify", "node 0 (new): "),
        ({"FUNCTIONS": function("01 0a 01 00")}, "verify", "node 0 (raise): "),
        ({"FUNCTIONS": function("01 06 00")}, "verify", "node 0 (yield): "),
        ({"FUNCTIONS": function("01 08 01 00 00")}, "verify", "node 0 (continue): "),
        ({"FUNCTIONS": function("01 09 00")}, "verify", "node 0 (return): "),
        ({"FUNCTIONS": function("02 02 01 00 00 01 06 00 00 01 06 00 00 09 01 00")}, "verify", "node 0 (if): "),
        ({"OPERATORS": "01 03 616464 03 696e74 01", "FUNCTIONS": function("02 20 01 00 01 00 09 01 00")},
         "verify", "(add.int): "),
    ],
)  # fmt: skip
def test_what_the_verifier_refuses(changed: dict[str, str], status: str, sentence: str) -> None:
    error = refusal(tiny(**changed))
    assert error.status == status
    assert sentence in str(error)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", "truncated"),
        (b"PK\x03\x04" + bytes(100), "format"),
        (patched(8, "<H", 2), "version"),
        (patched(12, "<I", 99), "version"),
        (patched(16, "<Q", 2), "version"),
        (patched(24, "<Q", 10**9), "truncated"),
        (patched(24, "<Q", 100), "format"),
        (patched(32, "<I", 65), "format"),
        (patched(36, "<I", 0, repair=False), "checksum"),
        (patched(40, "<Q", 1), "format"),
        (patched(64, "<I", 3), "format"),
        (patched(68, "<I", 0), "format"),
        (patched(72, "<Q", 512), "format"),
        (patched(80, "<Q", 2**63), "format"),
        (patched(88, "<I", 0), "checksum"),
        (patched(92, "<I", 1), "format"),
        (patched(460, "<B", 1), "format"),
        (patched(448, "<B", 1), "checksum"),
        (serialize.dumps(ir.parse(TINY)) + b"\0", "format"),
    ],
)
def test_damaged_containers(data: bytes, status: str) -> None:
    assert refusal(data).status == status


# ---- Limits: both readers draw them at the same place


NO_SOURCE = "00 00 00 00"  # for one function


def uv(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes((value & 127 | 128,))
        value >>= 7
    return out + bytes((value,))


def nested_ifs(depth: int) -> dict[str, str]:
    """In the body of a function that returns nothing."""
    inner = b"\1\x0b\0"
    for _ in range(depth):
        inner = b"\2\2\1\0\0" + inner + b"\0\1\x0b\0\0\x0b\0"
    body = b"\0" + inner
    return {"TYPES": "01 01", "SOURCE": NO_SOURCE, "FUNCTIONS": (b"\1\0\0\1\2\0\0" + uv(len(body)) + body).hex()}


def nested_types(depth: int) -> dict[str, str]:
    return {"TYPES": (uv(depth) + b"\2" + b"".join(b"\x08" + uv(i) for i in range(depth - 1))).hex()}


def nested_constants(depth: int) -> dict[str, str]:
    types = uv(depth) + b"\2" + b"".join(b"\x0b\0\1" + uv(i) for i in range(depth - 1))
    constants = uv(depth) + b"\0\2" + b"".join(uv(i + 1) + uv(i) for i in range(depth - 1))
    return {"TYPES": types.hex(), "CONSTANTS": constants.hex()}


@pytest.mark.parametrize("make", [nested_ifs, nested_types, nested_constants])
def test_nesting(make) -> None:
    for depth in (199, 200, 201, 202, 255, 256, 257, 400):
        data = tiny(**make(depth))
        if depth <= 200:
            serialize.loads(data)
            tsm.load(data)
        else:
            assert refusal(data).status == "limit"
            with pytest.raises(FormatError, match="200 deep"):
                serialize.loads(data)


# ---- What the fuzzer and reading the code found


def test_running_unreachable_is_an_error() -> None:
    module = tsm.load(tiny(FUNCTIONS=function("01 0b 00")))
    with pytest.raises(tsm.LoadError, match="breaks a rule") as caught:
        module.f(1)
    assert caught.value.status == "verify"


def test_small_immediates_read_no_register() -> None:
    """x + -1 may overflow: the kernel that says so must not take the immediate for a register's number."""
    text = """
fn f(%x : int) -> int {
  %k : int = const -1
  %y : int = add.int(%x, %k)
  return %y
}
method f = f(x)
"""
    module = tsm.load(serialize.dumps(ir.parse(text)))
    assert module.f(3) == 2
    with pytest.raises(OverflowError):
        module.f(-(2**63))


LOOSE = """
fn f(%n : int) -> Any {{
  %l : list[int] = list(%n, %n)
  %x : Any = widen(%l)
  %s : str = const "text"
  %t : Any = widen(%s)
  {steps}
}}
method f = f(n)
"""
TO_ANYTHING, TO_INTS = "%a : list[Any] = open.list(%x)", "%i : list[int] = narrow(%x)"


@pytest.mark.parametrize(
    ("steps", "error"),
    [((TO_ANYTHING, TO_INTS, "list.append(%a, %t)"), "expected list[int], got list"),
     ((TO_INTS, TO_ANYTHING, "list.append(%a, %t)"), "cannot open 'list' object"),
     ((TO_INTS, "%e : list[Any] = list()", "append.open(%x, %t, %e)"), "cannot open 'list' object"),
     (("%e : list[Any] = list()", "append.open(%x, %t, %e)", TO_INTS), "expected list[int], got list"),
     (("%a : dict[str, Any] = open.dict(%x, %s)",), "cannot open 'list' object")],
    ids=["ints after open", "open after ints", "append after ints", "ints after append", "another class"],
)  # fmt: skip
def test_open_containers_change_under_no_reference_of_a_static_type(steps: tuple[str, ...], error: str) -> None:
    text = LOOSE.format(steps="\n  ".join((*steps, "return %x")))
    module = tsm.load(serialize.dumps(ir.parse(text)))
    with pytest.raises(TypeError, match=re.escape(error)):
        module.f(1)


def test_open_dicts_keep_the_types_of_their_keys() -> None:
    text = """
fn f(%n : int) -> Any {
  %d : dict[int, int] = dict(%n, %n)
  %x : Any = widen(%d)
  %s : str = const "text"
  %a : dict[str, Any] = open.dict(%x, %s)
  return %x
}
method f = f(n)
"""
    module = tsm.load(serialize.dumps(ir.parse(text)))
    with pytest.raises(TypeError, match="cannot open 'dict' object"):
        module.f(1)


def test_colliding_keys_in_the_state_are_refused() -> None:
    """All NaN hash alike and none equals another: building a dict of n takes n * n steps."""
    count = 20_000
    keys = b"".join(struct.pack("<Q", 0x7FF8000000000000 + i) + b"\0" for i in range(count))
    data = tiny(
        TYPES="04 03 02 09 00 01 12 00 01 01 02 02",
        STATE=(b"\2\3\1\1\2" + uv(count) + keys + b"\1").hex(),
        FUNCTIONS="00",
        METHODS="00",
        SOURCE="00",
    )
    assert refusal(data).status == "limit"


def test_traces_of_long_names_are_bounded() -> None:
    program = ir.parse(SEEDS.CONTROL)
    where = None
    for _ in range(150):
        where = ir.Location("x" * 100_000, 1, 1, 1, 2, "f" * 100_000, where)
    for node in program.function("deep").walk():
        node.location = where
    module = tsm.load(serialize.dumps(program))
    started = time.perf_counter()
    with pytest.raises(RecursionError) as caught:
        module.deep(0)
    assert time.perf_counter() - started < 120, 'it does not end in time'
    assert "xxx" in caught.value.tsm_traceback  # type: ignore[attr-defined]


def test_programs_of_the_c_tests_are_up_to_date() -> None:
    """If not: python tests/fuzz/make_seeds.py --header tests/c/programs.h"""
    assert (HERE / "c" / "programs.h").read_text(encoding="utf-8") == SEEDS.header()


# ---- Time: what is small must load fast, whatever it holds


def chain(count: int) -> dict[str, str]:
    """x + x, added to itself again and again."""
    nodes = b"".join(b"\x20\2" + uv(i) + uv(i) + b"\1\0" for i in range(count))
    return with_body(b"\0" + uv(count + 1) + nodes + b"\x09\1" + uv(count))


def long_ranges(count: int) -> dict[str, str]:
    """Values that all live until each is used, last made first."""
    count = min(count, 15_000)  # a frame has 32,767 registers
    made = b"\x20\2\0\0\1\0" * count
    used = b"".join(b"\x20\2" + uv(count - i) + uv(count + i) + b"\1\0" for i in range(count))
    return with_body(b"\0" + uv(2 * count + 1) + made + used + b"\x09\1" + uv(2 * count))


def many_breaks(count: int) -> dict[str, str]:
    branches = b"\2\1\1\0\1\7\1\0\0\0\1\6\0\0" * (count // 4)
    return with_body(b"\0\2\4\0\0" + uv(count // 4 + 1) + branches + b"\6\1\0\1\0" + b"\x09\1\2", b"\2\2\0\1\1")


def many_regions(count: int) -> dict[str, str]:
    """Sixty tries deep, over and over; all use a value from outside."""
    body = b"\0\2\x20\2\0\0\1\0\6\0"
    for _ in range(60):
        body = b"\0\2\5\0" + body + b"\1\2\1\6\0\0\6\0"
    times = count // 240
    node = b"\5\0" + body + b"\1\2\1\6\0\0"
    return with_body(b"\0" + uv(times + 1) + node * times + b"\x09\1\0")


def with_body(body: bytes, params: bytes = b"\1\2\0") -> dict[str, str]:
    return {
        "TYPES": "03 02 01 16",
        "OPERATORS": "01 03 616464 03 696e74 01",
        "FUNCTIONS": (b"\1\0\0" + params + b"\0" + uv(len(body)) + body).hex(),
        "METHODS": "00",
        "SOURCE": NO_SOURCE,
    }


@pytest.mark.parametrize("make", [chain, long_ranges, many_breaks, many_regions])
def test_large_functions_load_in_linear_time(make) -> None:
    data = tiny(**make(100_000))
    started = time.perf_counter()
    tsm.load(data)
    assert time.perf_counter() - started < 120, 'it does not end in time'
