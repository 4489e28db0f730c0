"""Safetensors headers: whatever is wrong in one, SafetensorsError says which file and which tensor."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tsm import nn
from tsm.nn.weights import read_state


def safetensors_bytes(header: object, data: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype="F32", shape=(1,), begin=0, end=4):
    return {"weight": {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}}


def header_of(text: str) -> bytes:
    return safetensors_bytes(text.encode(), bytes(4))


OTHER = {"other": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}


@pytest.mark.parametrize(
    ("data", "tensor"),
    [
        (b"", None),
        (b"\xff" * 8, None),
        ((2**60).to_bytes(8, "little"), None),
        (safetensors_bytes(b"{", b""), None),
        (safetensors_bytes([], b""), None),
        (safetensors_bytes(b"[" * 10000, b""), None),
        (safetensors_bytes(b'{"a":' * 10000, b""), None),
        (safetensors_bytes(json.dumps(entry()).encode("utf-16"), bytes(4)), None),
        (header_of('{"weight": {"dtype": "F32", "shape": [NaN], "data_offsets": [0, 4]}}'), None),
        (header_of('{"weight": {"dtype": "F32", "shape": [' + "9" * 4000 + '], "data_offsets": [0, 4]}}'), "weight"),
        (header_of('{"a": 1, "a": 2}'), "a"),
        (header_of('{"\\ud800": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}'), "\ud800"),
        (safetensors_bytes({"__metadata__": {"a": 1}, **entry()}, bytes(4)), None),
        (safetensors_bytes({"__metadata__": [], **entry()}, bytes(4)), None),
        (safetensors_bytes(entry(end=8), bytes(8)), "weight"),
        (safetensors_bytes(entry(), b"\0" * 3), "weight"),
        (safetensors_bytes(entry(), b"\0" * 5), None),
        (safetensors_bytes(entry(dtype="F99"), bytes(4)), "weight"),
        (safetensors_bytes(entry(dtype=[1]), bytes(4)), "weight"),
        (safetensors_bytes(entry(dtype=None), bytes(4)), "weight"),
        (safetensors_bytes(entry(begin=4, end=0), bytes(4)), "weight"),
        (safetensors_bytes(entry(begin=True, end=5), bytes(5)), "weight"),
        (safetensors_bytes(entry(shape=(-1,)), bytes(4)), "weight"),
        (safetensors_bytes(entry(shape=(True, 1)), bytes(4)), "weight"),
        (safetensors_bytes(entry(shape=(1.0,)), bytes(4)), "weight"),
        (safetensors_bytes(entry(shape=("1",)), bytes(4)), "weight"),
        (safetensors_bytes(entry(shape=(1,) * 33), bytes(4)), "weight"),
        (safetensors_bytes(entry(shape=(2**62, 0, 2**62), end=0), b""), "weight"),
        (safetensors_bytes({"weight": 1}, b""), "weight"),
        (safetensors_bytes({"weight": {**entry()["weight"], "more": 1}}, bytes(4)), "weight"),
        (safetensors_bytes(entry(begin=-4, end=0), bytes(4)), "weight"),
        (safetensors_bytes(entry(shape=(2**40, 2**40), end=4), bytes(4)), "weight"),
        (safetensors_bytes({**entry(end=8, shape=(2,)), **OTHER}, bytes(8)), "other"),
        (safetensors_bytes({**entry(begin=8, end=12), **OTHER}, bytes(12)), "other"),
    ],
)
def test_malformed_safetensors(data: bytes, tensor: str | None, tmp_path: Path) -> None:
    path = tmp_path / "broken.safetensors"
    path.write_bytes(data)
    for source, file in ((data, None), (path, str(path))):
        with pytest.raises(nn.SafetensorsError, match="safetensors") as caught:
            nn.Linear(1, 1).load_state_dict(source)
        assert (caught.value.tensor, caught.value.file) == (tensor, file)
        assert file is None or repr(file) in str(caught.value)


def test_random_safetensors_headers() -> None:
    """Headers of random JSON near a good one, and damaged bytes of a good file: read, or refused by the one class."""
    draw = random.Random(5)
    good = {"weight": {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]}}
    leaves = [None, True, 0, 1, 4, 8, -1, 2**63, 2**80, 1.5, 1e400, "", "F32", "BF16", "\udc80", [], {}, [0, 8]]

    def changed(value: object) -> object:
        if draw.random() < 0.08:
            return draw.choice(leaves)
        if isinstance(value, dict):
            return {draw.choice([*[key] * 30, "weight", "__metadata__"]): changed(each) for key, each in value.items()}
        if isinstance(value, list):
            return [changed(each) for each in value + draw.choice([*[[]] * 12, value[:1]])]
        return value

    outcomes = {"read": 0, "refused": 0}
    for number in range(3000):
        data = bytearray(safetensors_bytes(changed(good), bytes(8)))
        for _ in range(draw.choice([0, 0, 1, 3]) if number % 2 else 0):
            data[draw.randrange(len(data))] = draw.randrange(256)
        try:
            read_state(bytes(data))
            outcomes["read"] += 1
        except nn.SafetensorsError as error:
            assert str(error).startswith("safetensors: ")
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 200
