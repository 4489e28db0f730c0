"""The file format: exact bytes of a tiny program, a malformed file for each error, truncation, hostile mutations."""

from __future__ import annotations

import io
import os
import random
import struct
from pathlib import Path

import pytest

from tsm import ir, serialize
from tsm.ir.state import StorageState, TensorState
from tsm.ir.types import DType
from tsm.serialize import FormatError
from tsm.serialize.checksum import crc32c
from tsm.serialize.container import Kind, pack, unpack

TINY = "fn f(%x : int) -> int {\n  return %x\n}\n\nmethod f = f(x)\n"
TINY_SECTIONS = {
    Kind.STRINGS: "03 01 66 00 01 78",  # "f", "", "x"
    Kind.TYPES: "01 02",  # int
    Kind.STORAGES: "00",
    Kind.TENSORS: "00",
    Kind.CONSTANTS: "00",
    Kind.OPERATORS: "00",
    # one function: name, flags, one parameter (name, type), result, body length; no parameters, one node: return x
    Kind.FUNCTIONS: "01 00 00 01 02 00 00 05 00 01 09 01 00",
    Kind.STATE: "00 00",
    Kind.METHODS: "01 00 00 00 01 01 00 00",  # name, function, flags, doc, one parameter: no default, no flags
    Kind.SOURCE: "00 01 03 00 00",  # no files; one value name; no locations
    Kind.DATA: "",
}

RICH = """
enum Color : int { RED = 1; GREEN = 2 }
class Net (module) { weight : Tensor; names : list[str]; any : Any; color : Color; best : Optional[float] }

fn f(self %self : Net, %x : Tensor, %n : int) -> tuple[Tensor, int] {   # a.py:1:1
  %w : Tensor = get_attr(%self, weight)   # a.py:2:9-20 in f
  %y : Tensor = matmul(%x, %w)   # a.py:2:5-22 in f < b.py:7:1
  %k : tuple[int, str, float] = const (7, "seven", 0.5)
  %i : int = tuple_get(%k, 0)
  %r : int = loop @l0 (%m = %n) {
    %c : bool = gt.int(%m, %i)
    if (%c) { break @l0 (%m) } else { yield }
    %next : int = add.int(%m, %i)
    continue @l0 (%next)
  }
  %t : tuple[Tensor, int] = tuple(%y, %r)
  return %t
}

method forward = f(x, n = 3) "Doc."

state { @0 : Net { weight = tensor 0; names = @1; any = int 5; color = GREEN; best = 0.5 }
        @1 : list[str] { "a"; "b" } }
tensor 0 : float32 (2, 2) strides (2, 1) offset 0 in storage 0
metadata "by" = "me"
source "a.py" = "def f"
extra "e" = base64 "AAEC"
storage 0 = hex "0000803f000000400000404000008040"
"""


def sections_of(data: bytes) -> dict[Kind, bytes]:
    found, *_ = unpack(memoryview(data), True)
    return {kind: bytes(section.view) for kind, section in found.items()}


def tiny(**changed: str) -> bytes:
    """The tiny program with the bytes of some sections replaced, checksums right."""
    sections = {kind: bytes.fromhex(changed.get(kind.name, text)) for kind, text in TINY_SECTIONS.items()}
    return pack({kind: content for kind, content in sections.items()}, 0)


def test_exact_bytes() -> None:
    data = serialize.dumps(ir.parse(TINY))
    assert sections_of(data) == {kind: bytes.fromhex(text) for kind, text in TINY_SECTIONS.items()}
    assert data[:8] == b"\x89TSM\r\n\x1a\n"
    assert struct.unpack("<HHIQQI", data[8:36]) == (1, 0, 0, 0, len(data), 11)
    assert data[40:64] == bytes(24)
    head = data[:36] + bytes(4) + data[40 : 64 + 11 * 32]
    assert struct.unpack("<I", data[36:40])[0] == crc32c(head)
    kind, flags, offset, size, crc, zero = struct.unpack("<IIQQII", data[64:96])
    assert (kind, flags, offset, size, zero) == (2, 1, 448, 6, 0)
    assert crc == crc32c(data[448:454])
    assert not any(data[454:512])
    assert tiny() == data


def test_checksum() -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(b"") == 0


@pytest.mark.parametrize("text", [TINY, RICH])
def test_saving_is_deterministic_and_loading_loses_nothing(text: str) -> None:
    program = ir.parse(text)
    data = serialize.dumps(program)
    assert serialize.dumps(program) == data
    loaded = serialize.loads(data, check_data=True)
    assert serialize.dumps(loaded) == data
    assert ir.print_program(loaded) == ir.print_program(program)


CORRUPTIONS: list[tuple[str, dict[str, str], str, str]] = [
    ("a string that is not UTF-8", {"STRINGS": "03 01 ff 00 01 78"}, "STRINGS", "not UTF-8"),
    ("a surrogate", {"STRINGS": "03 03 ed a0 80 00 01 78"}, "STRINGS", "not UTF-8"),
    ("two equal strings", {"STRINGS": "03 01 66 00 01 66"}, "STRINGS", "two equal strings"),
    ("a string past the end", {"STRINGS": "03 01 66 00 02 78"}, "STRINGS", "larger than the section"),
    ("a count past the end", {"STRINGS": "ff 7f 01 66 00 01 78"}, "STRINGS", "larger than the section"),
    ("a number not in its shortest form", {"STRINGS": "83 00 01 66 00 01 78"}, "STRINGS", "shortest form"),
    ("a number above 64 bits", {"STRINGS": "ff ff ff ff ff ff ff ff ff 7f"}, "STRINGS", "too large"),
    ("a number of 11 bytes", {"STRINGS": "ff ff ff ff ff ff ff ff ff ff 01"}, "STRINGS", "more than 10 bytes"),
    ("bytes left over", {"STRINGS": "03 01 66 00 01 78 00"}, "STRINGS", "bytes after the contents"),
    ("an unknown kind of type", {"TYPES": "01 1f"}, "TYPES", "no kind of type 31"),
    ("a list of itself", {"TYPES": "01 08 00"}, "TYPES", "there is no type before this one 0"),
    ("two equal types", {"TYPES": "02 02 02"}, "TYPES", "two equal types"),
    ("an Optional of None", {"TYPES": "02 00 0d 00"}, "TYPES", "an Optional of what is one already"),
    ("a Union of one arm", {"TYPES": "02 02 0e 01 00"}, "TYPES", "malformed Union"),
    ("a Union of equal arms", {"TYPES": "02 02 0e 02 00 00"}, "TYPES", "malformed Union"),
    ("a Union of None and int", {"TYPES": "03 02 00 0e 02 00 01"}, "TYPES", "malformed Union"),
    ("a set of lists", {"TYPES": "03 02 08 00 0a 01"}, "TYPES", "cannot be in a set"),
    ("a Tensor of an unknown dtype", {"TYPES": "02 02 07 09 ff"}, "TYPES", "there is no dtype 9"),
    ("a Tensor of rank 33", {"TYPES": "02 02 07 ff 21"}, "TYPES", "at most 32"),
    ("a class with two equal attributes", {"TYPES": "02 02 12 00 00 02 00 00 00 00"}, "TYPES", "two attributes"),
    ("a class with unknown flags", {"TYPES": "02 02 12 00 04 00"}, "TYPES", "unknown flags"),
    ("a set of Any in an old file", {"TYPES": "02 10 0a 00"}, "TYPES", "cannot be in a set"),
    ("a set of Scalar in an old file", {"TYPES": "02 0f 0a 00"}, "TYPES", "cannot be in a set"),
    ("instances as keys in an old file", {"TYPES": "02 02 12 00 02 00 00"}, "TYPES", "do not know instances as keys"),
    ("a storage outside of DATA", {"STORAGES": "01 00 00 04"}, "STORAGES", "not where it belongs"),
    ("a storage not at its place", {"STORAGES": "01 00 08 00"}, "STORAGES", "not where it belongs"),
    ("a bound storage in a file", {"STORAGES": "01 01 00 04"}, "STORAGES", "bound storage"),
    ("bytes after the last storage", {"DATA": "00"}, "DATA", "bytes after the contents"),
    ("a tensor outside of its storage",
     {"STORAGES": "01 00 00 04", "DATA": "00000000", "TENSORS": "01 00 06 01 02 02 00"},
     "TENSORS", "outside of its storage"),
    ("a negative stride", {"STORAGES": "01 00 00 04", "DATA": "00000000", "TENSORS": "01 00 06 01 02 01 00"},
     "TENSORS", "outside of its storage"),
    ("a tensor whose size wraps to 0", {
        "STORAGES": "01 00 00 04", "DATA": "00000000",
        "TENSORS": "01 00 06 03" + "80808080 10" * 2 + "00" + "00 00 00" + "00"}, "TENSORS", "too large"),
    ("a tensor of a dtype that is only a name",
     {"STORAGES": "01 00 00 04", "DATA": "00000000", "TENSORS": "01 00 09 00 00"},
     "TENSORS", "no tensor of dtype float16"),
    ("a tensor of rank 33", {"STORAGES": "01 00 00 00", "TENSORS": "01 00 06 21 00"}, "TENSORS", "at most 32"),
    ("a bool that is 2", {"TYPES": "02 02 01", "CONSTANTS": "01 01 02"}, "CONSTANTS", "a flag is 0 or 1"),
    ("a constant tuple of itself",
     {"TYPES": "02 02 0b 00 01 00", "CONSTANTS": "01 01 00"}, "CONSTANTS", "before this one"),
    ("a constant list", {"TYPES": "02 02 08 00", "CONSTANTS": "01 01 00"}, "CONSTANTS", "cannot be stored"),
    ("an unknown operator", {"OPERATORS": "02 01 61 01 62 01 02 6e 6f 00 d2 09"}, "OPERATORS",
     "does not have the operators a.b (since 0.1), no (since 1.234)"),
    ("operators out of order", {"OPERATORS": "02 04 72656c75 00 01 03 657870 00 01"}, "OPERATORS", "not sorted"),
    ("an unknown node", {"FUNCTIONS": "01 00 00 01 02 00 00 05 00 01 1f 01 00"}, "FUNCTIONS", "no node 31"),
    ("an operator out of range",
     {"FUNCTIONS": "01 00 00 01 02 00 00 05 00 01 20 01 00"}, "FUNCTIONS", "no operator 32"),
    ("an operand that is not there",
     {"FUNCTIONS": "01 00 00 01 02 00 00 05 00 01 09 01 01"}, "FUNCTIONS", "no value 1"),
    ("a body that is too long",
     {"FUNCTIONS": "01 00 00 01 02 00 00 06 00 01 09 01 00 00"}, "FUNCTIONS", "another length"),
    ("a body with parameters",
     {"FUNCTIONS": "01 00 00 01 02 00 00 06 01 00 01 09 01 00"}, "FUNCTIONS", "the function's"),
    ("a block without nodes", {"FUNCTIONS": "01 00 00 01 02 00 00 02 00 00"}, "FUNCTIONS", "a block without nodes"),
    ("no terminator", {"FUNCTIONS": "01 00 00 01 02 00 00 09 00 01 0e 01 00 01 00 00 00"}, "FUNCTIONS", ""),
    ("a break to nowhere", {"FUNCTIONS": "01 00 00 01 02 00 00 05 00 01 07 00 00"}, "FUNCTIONS", "no label 0"),
    ("a call to nowhere", {"FUNCTIONS": "01 00 00 01 02 00 00 0a 00 02 01 01 00 05 01 00 09 01 01"}, "FUNCTIONS",
     "no function 5"),
    ("an attribute of an int", {"FUNCTIONS": "01 00 00 01 02 00 00 0a 00 02 12 01 00 00 01 00 09 01 01"}, "FUNCTIONS",
     "no attribute 0"),
    ("unknown flags of a function",
     {"FUNCTIONS": "01 00 02 01 02 00 00 05 00 01 09 01 00"}, "FUNCTIONS", "unknown flags"),
    ("a self that is not there", {"FUNCTIONS": "01 00 01 00 00 03 00 01 0b 00"}, "FUNCTIONS", "without the self"),
    ("a root that is not there", {"STATE": "00 01"}, "STATE", "no object 1"),
    ("an object of type int", {"STATE": "01 00 00"}, "STATE", "no type of objects"),
    ("a root that is a list", {"TYPES": "02 02 08 00", "STATE": "01 01 00 01"}, "STATE", "must be a module"),
    ("too many None", {"TYPES": "03 02 00 08 01", "STATE": "01 02 e9 07 00"}, "STATE", "values without bytes"),
    ("a method with too few parameters", {"METHODS": "01 00 00 00 01 00"}, "METHODS", "another number of parameters"),
    ("a method with a self its function lacks", {"METHODS": "01 00 00 01 01 01 00 00"}, "METHODS", "flags of a method"),
    ("two methods of one name", {"METHODS": "02" + "00 00 00 01 01 00 00" * 2}, "METHODS", "not sorted and distinct"),
    ("a default that is not there", {"METHODS": "01 00 00 00 01 01 01 00"}, "METHODS", "no constant 1"),
    ("unknown flags of a parameter", {"METHODS": "01 00 00 00 01 01 00 04"}, "METHODS", "unknown flags"),
    ("names for too many values", {"SOURCE": "00 02 03 00 00 00"}, "SOURCE", "another number of values"),
    ("locations for too many nodes", {"SOURCE": "00 00 02 00 00 00"}, "SOURCE", "another number of nodes"),
    ("a location inlined at itself", {"SOURCE": "01 00 00 01 01 01 00 01 01 01 01 00 01"}, "SOURCE", "before this one"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changed", "section", "message"), CORRUPTIONS, ids=[case[0] for case in CORRUPTIONS])
def test_corruption(name: str, changed: dict[str, str], section: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        serialize.loads(tiny(**changed))
    assert caught.value.section == section
    assert message in str(caught.value)


def patched(offset: int, layout: str, value: int, *, repair: bool = True) -> bytes:
    data = bytearray(serialize.dumps(ir.parse(TINY)))
    struct.pack_into(layout, data, offset, value)
    if repair:
        count = struct.unpack_from("<I", data, 32)[0]
        struct.pack_into("<I", data, 36, 0)
        struct.pack_into("<I", data, 36, crc32c(data[: 64 + 32 * count]))
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "this is not a .tsm file"),
        (b"PK\x03\x04" + bytes(100), "this is not a .tsm file"),
        (b"\x89TSM\n\x1a\n" + bytes(100), "this is not a .tsm file"),
        (patched(8, "<H", 2), "version 2.0 is needed"),
        (patched(12, "<I", 7), "version 1.7 is needed"),
        (patched(16, "<Q", 2), "needs features of a newer version"),
        (patched(24, "<Q", 10**9), "the file ends too early"),
        (patched(24, "<Q", 100), "bytes after the file's end"),
        (patched(32, "<I", 65), "too many sections"),
        (patched(36, "<I", 0, repair=False), "the checksum of the header does not match"),
        (patched(40, "<Q", 1), "reserved bytes that are not zero"),
        (patched(64, "<I", 3), "a malformed entry"),
        (patched(64, "<I", 1), "section METADATA with the wrong flag"),
        (patched(68, "<I", 3), "a malformed entry"),
        (patched(68, "<I", 0), "section STRINGS with the wrong flag"),
        (patched(72, "<Q", 512), "a section that is not where it belongs"),
        (patched(80, "<Q", 2**63), "a section that is not where it belongs"),
        (patched(88, "<I", 0), "the checksum of STRINGS does not match"),
        (patched(92, "<I", 1), "a malformed entry"),
        (patched(460, "<B", 1), "padding that is not zero"),
        (patched(448, "<B", 1), "the checksum of STRINGS does not match"),
        (serialize.dumps(ir.parse(TINY)) + b"\0", "bytes after the file's end"),
    ],
)
def test_container_errors(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        serialize.loads(data)
    assert message in str(caught.value)


def with_section(kind: int, flags: int) -> bytes:
    """The tiny file with one more, empty, section."""
    sections = sections_of(serialize.dumps(ir.parse(TINY)))
    data = bytearray(pack({**sections, kind: b""}, 0))  # type: ignore[dict-item]
    struct.pack_into("<I", data, 64 + 32 * len(sections) + 4, flags)
    struct.pack_into("<I", data, 36, 0)
    struct.pack_into("<I", data, 36, crc32c(data[: 96 + 32 * len(sections)]))
    return bytes(data)


def test_unknown_sections() -> None:
    serialize.loads(with_section(40, 0))
    with pytest.raises(FormatError, match="unknown kind 40"):
        serialize.loads(with_section(40, 1))


@pytest.mark.parametrize("kind", [kind for kind in TINY_SECTIONS if kind != Kind.SOURCE])
def test_required_sections(kind: Kind) -> None:
    sections = sections_of(serialize.dumps(ir.parse(TINY)))
    del sections[kind]
    with pytest.raises(FormatError, match=f"section {kind.name} is missing"):
        serialize.loads(pack({k: v for k, v in sections.items()}, 0))


@pytest.mark.parametrize("text", [TINY, RICH])
def test_truncation_at_every_byte(text: str) -> None:
    data = serialize.dumps(ir.parse(text))
    for length in range(len(data)):
        with pytest.raises(FormatError):
            serialize.loads(data[:length])


@pytest.mark.parametrize("kind", list(sections_of(serialize.dumps(ir.parse(RICH)))))
def test_truncation_of_every_section(kind: Kind) -> None:
    """Cut sections with checksums that are right again; nothing that a cut leaves is a whole section."""
    sections = sections_of(serialize.dumps(ir.parse(RICH)))
    for length in range(len(sections[kind])):
        with pytest.raises(FormatError):
            serialize.loads(pack({**sections, kind: sections[kind][:length]}, 0))


def test_mutations_are_refused_or_loaded() -> None:
    """Whatever is accepted is a program: it verifies, prints, and is written again."""
    sections = sections_of(serialize.dumps(ir.parse(RICH)))
    draw = random.Random(1)
    accepted = 0
    for _ in range(1500):
        kind = draw.choice([kind for kind in sections if sections[kind]])
        content = bytearray(sections[kind])
        for _ in range(draw.randint(1, 3)):
            content[draw.randrange(len(content))] = draw.choice((0, 1, 2, 3, 127, 128, 255, draw.randrange(256)))
        try:
            program = serialize.loads(pack({**sections, kind: content}, 0))
        except FormatError:
            continue
        accepted += 1
        data = serialize.dumps(program)
        assert serialize.dumps(serialize.loads(data)) == data
        assert serialize.dumps(ir.parse(ir.print_program(program))) == data
    assert accepted > 50


def test_sharing_types_cannot_make_work_explode() -> None:
    """Sixty tuples, each twice the one before: written out in full they would have 2**60 parts."""
    types = "3d 02" + "".join(f"0b 00 02 {i:02x} {i:02x}" for i in range(60))
    with pytest.raises(FormatError, match="at most 10000 parts"):
        serialize.loads(tiny(TYPES=types))


def test_deep_nesting_is_refused() -> None:
    content = bytearray(b"\xff\x01\x02")
    for index in range(254):
        content += b"\x08" + (bytes((index,)) if index < 128 else bytes((index & 127 | 128, 1)))
    with pytest.raises(FormatError, match="at most 200 deep"):
        serialize.loads(tiny(TYPES=content.hex()))
    blocks = 300
    body = b"\0" + b"\1\4\0\0" * blocks + b"\1\x0b\0"
    length = bytes((len(body) & 127 | 128, len(body) >> 7))
    functions = bytes.fromhex("01 00 00 01 02 00 00") + length + body
    with pytest.raises(FormatError, match="at most 200 deep"):
        serialize.loads(tiny(FUNCTIONS=functions.hex()))


def test_two_hundred_blocks_are_fine() -> None:
    text = "fn f(%x : int) -> int {\n" + "".join(f"block @b{i} {{\n" for i in range(190))
    text += "return %x\n" + "}\nunreachable\n" * 190 + "}\n"
    program = ir.parse(text)
    data = serialize.dumps(program)
    assert serialize.dumps(serialize.loads(data)) == data
    assert ir.print_program(ir.parse(ir.print_program(program))) == ir.print_program(program)


# Sharing


def test_views_and_tied_weights_stay_tied() -> None:
    text = RICH.replace("tensor 0 :", "tensor 1 : float32 (2) strides (1) offset 2 in storage 0\ntensor 0 :")
    text = text.replace("best : Optional[float] }", "best : Optional[float]; tied : Tensor; view : Tensor }")
    text = text.replace("best = 0.5 }", "best = 0.5; tied = tensor 0; view = tensor 1 }")
    root = serialize.loads(serialize.dumps(ir.parse(text))).root
    assert root.attributes["tied"] is root.attributes["weight"]
    assert root.attributes["view"] is not root.attributes["weight"]
    assert root.attributes["view"].storage is root.attributes["weight"].storage


def test_objects_may_be_circular_and_many() -> None:
    node = ir.types.ClassType("Node", {}, True)
    node.attributes["next"] = ir.types.optional(node)
    root = last = ir.state.ObjectState(node)
    for _ in range(5000):
        last.attributes["next"] = ir.state.ObjectState(node)
        last = last.attributes["next"]
    last.attributes["next"] = root
    data = serialize.dumps(ir.Program(root=root))
    loaded = serialize.loads(data)
    assert serialize.dumps(loaded) == data
    assert serialize.dumps(ir.parse(ir.print_program(loaded))) == data


def test_bound_storages_are_left_to_the_host() -> None:
    program = ir.parse(RICH)
    host = object()
    tensor: TensorState = program.root.attributes["weight"]
    tensor.storage.bound = host
    storages: list[StorageState] = []
    image = serialize.dumps(program, bound=storages)
    assert [storage.tensor() for storage in storages] == [host]
    assert sections_of(image)[Kind.DATA] == b""
    with pytest.raises(FormatError, match="too few tensors"):
        serialize.loads(image)
    assert serialize.loads(image, bound=[host]).root.attributes["weight"].storage.bound is host


# Files


def test_save_and_load(tmp_path: Path) -> None:
    program = ir.parse(RICH)
    serialize.save(program, tmp_path / "a.tsm")
    assert serialize.dumps(serialize.load(str(tmp_path / "a.tsm"), check_data=True)) == serialize.dumps(program)
    stream = io.BytesIO()
    serialize.save(program, stream)
    stream.seek(0)
    assert serialize.dumps(serialize.load(stream)) == serialize.dumps(program)


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.tsm"
    serialize.save(ir.parse(TINY), path)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        serialize.save(ir.parse(RICH), path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.tsm"]


def test_damaged_weights_are_found_on_request() -> None:
    data = bytearray(serialize.dumps(ir.parse(RICH)))
    data[-1] ^= 1
    serialize.loads(data)
    with pytest.raises(FormatError, match="checksum of DATA"):
        serialize.loads(data, check_data=True)


def test_what_no_file_can_hold() -> None:
    program = ir.parse(RICH)
    program.root.attributes["any"] = object()
    with pytest.raises(TypeError, match="cannot be stored"):
        serialize.dumps(program)
    program.root.attributes["any"] = TensorState(StorageState(8, b"1234"), DType.float32, (1,), (1,))
    with pytest.raises(ValueError, match="a storage of 8 bytes has 4"):
        serialize.dumps(program)
