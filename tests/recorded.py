"""What CPython 3.11 and TorchScript gave for the corpus, kept in tests/samples/*.json for where they are not.

In: outcomes of the oracle. Out: the same outcomes as plain JSON, and whether two of them agree. Holds: elements of
float tensors agree within 1e-5, because libm and kernels differ between machines; everything else agrees exactly.
`python tests/recorded.py` writes CPython's results, `python tests/torchscript_record.py` those of TorchScript.
"""

from __future__ import annotations

import enum
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import oracle
from python_texts import is_same_error

FOLDER = Path(__file__).parent / "samples"
PYTHON = FOLDER / "python311.json"
TORCHSCRIPT = FOLDER / "torchscript.json"
CHANGED = {  # programs that an earlier or later Python answers otherwise: the versions that answer as 3.11, and why
    "regressions_corpus.percent_of_what_changes": ((3, 11), (3, 99), "a literal of %s is filled value by value"),
    "regressions_corpus.conversion_after_specification": ((3, 10), (3, 11), "a conversion comes before"),
    "quirks_corpus.naive_sum": ((3, 10), (3, 11), "sum of floats is compensated"),
    **{
        name: ((3, 10), (3, 12), "list.sort compares in another order") for name in (
            "elements_corpus.hands", "exactness_corpus.by_key", "exactness_corpus.emptied", "library_corpus.compared",
        )
    },
    **{
        f"exactness_corpus.{name}": ((3, 11), (3, 12), "list.sort compares in another order")
        for name in ("asked_in_order", "runs")
    },
    **{
        name: ((3, 11), (3, 99), "the text of UnboundLocalError is another") for name in (
            "generators_corpus.unbound_after", "generators_corpus.unbound_in_body",
            "regressions_corpus.unbound_default", "regressions_corpus.instance_of_unbound",
            "regressions_corpus.operand_may_be_unbound", "kept_slices_corpus.unbound_choice",
        )
    },
    **{
        name: ((3, 11), (3, 99), "enum members that are numbers or texts have another text") for name in (
            "exactness_corpus.keyed", "members_corpus.member_texts", "members_corpus.number_members",
            "quirks_corpus.level_work", "spread_corpus.formatted_members", "class_corners_corpus.members_for_ints",
            "exactness_corpus.beside", "exactness_corpus.moved", "exactness_corpus.ordered_members",
            "made_values_corpus.as_indices",
            "spoken_corpus.ordered_members", "values_corpus.levels",
        )
    },
    **{
        f"class_corners_corpus.{name}": ((3, 11), (3, 99), "exceptions have no notes")
        for name in ("has_notes", "shown_tokens")
    },
    **{
        f"class_corners_corpus.{name}": ((3, 11), (3, 99), "the message names the attribute only")
        for name in ("deleted_attributes", "deleted_again")
    },
    "class_corners_corpus.overloaded": ((3, 11), (3, 99), "typing keeps no overloads"),
    "tried_errors_corpus.tried_instances": ((3, 11), (3, 99), "the message of `with` is another"),
    "tried_errors_corpus.tried_property": ((3, 11), (3, 99), "the message names the property"),
    "tried_errors_corpus.tried_methods": ((3, 11), (3, 12), "the messages of `with` and of attributes are others"),
    "any_members_corpus.assigned_on_any": ((3, 10), (3, 12), "the message of a new attribute is another"),
    **{
        f"tried_errors_corpus.{name}": ((3, 10), (3, 12), "messages of built-in types are others")
        for name in ("tried_items", "tried_builtins")
    },
    "text_corpus.specified": ((3, 11), (3, 99), "the message names the format specifier"),
    "text_corpus.by_template": ((3, 11), (3, 99), "the message names the type of the index"),
    **{
        f"any_values_corpus.{name}": ((3, 11), (3, 99), "the message names the type of the index")
        for name in ("indexed", "beside_bags")
    },
    "own_keys_corpus.keyed_classes": ((3, 10), (3, 11), "the repr of an OrderedDict is another"),
    "instances_corpus.through_values": ((3, 11), (3, 99), "the message names the property"),
    "members_corpus.flags": ((3, 11), (3, 99), "flags are supported from 3.11 on"),
    **{
        name: ((3, 10), (3, 12), "the text of the AttributeError is another") for name in (
            "attributes_corpus.recent", "attributes_corpus.links", "instances_corpus.missing_attributes",
            "kept_slices_corpus.unnamed",
        )
    },
    "computed_names_corpus.replaced": ((3, 10), (3, 12), "replace() raises a TypeError"),
    "kept_slices_corpus.abstract": ((3, 10), (3, 11), "the message of abstract classes is another"),
    "open_containers_corpus.slices": ((3, 10), (3, 11), "slices can be hashed"),
    "union_members_corpus.changes": ((3, 10), (3, 11), "slices can be hashed"),
    "record_helpers_corpus.bare": ((3, 10), (3, 11), "the repr of an OrderedDict is another"),
    "dict_classes_corpus.named_in_typing": ((3, 10), (3, 11), "the repr of an OrderedDict is another"),
    "member_values_corpus.operated": ((3, 10), (3, 12), "a functools.partial is no member of an enum"),
    **{
        f"chance_corpus.{name}": ((3, 11), (3, 11), "the messages of random are others")
        for name in ("bounded_numbers", "chosen_items", "undrawn")
    },
    "exception_classes_corpus.notes": ((3, 11), (3, 99), "exceptions have no notes"),
    **{
        f"dict_classes_corpus.{name}": ((3, 10), (3, 11), "the repr of an OrderedDict is another") for name in (
            "ordered_made", "ordered_changed", "ordered_methods", "ordered_nested", "ordered_instances", "factories",
            "Layered",
        )
    },
}  # fmt: skip


def skip_if_changed(name: str) -> None:
    """Skips a test of a program that this Python answers otherwise than 3.11."""
    first, last, reason = CHANGED.get(name, ((3, 10), (3, 99), ""))
    if not first <= sys.version_info[:2] <= last:
        pytest.skip(reason)


def encoded(value: Any, above: frozenset[int] = frozenset()) -> Any:
    """A value as JSON: what JSON cannot tell apart is wrapped with its kind."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return {"float": repr(value)}
    if oracle.is_tensor(value):
        array = oracle.to_array(value)
        return {"tensor": array.dtype.name, "shape": list(array.shape), "values": [item(v) for v in array.reshape(-1)]}
    if type(value) is list:
        return [encoded(each, above) for each in value]
    if isinstance(value, tuple):
        return {type(value).__name__: [encoded(each, above) for each in value]}
    if isinstance(value, dict):
        return {type(value).__name__: [[encoded(key), encoded(each, above)] for key, each in value.items()]}
    if isinstance(value, (set, frozenset)):
        return {type(value).__name__: sorted((encoded(each) for each in value), key=json.dumps)}
    if oracle.is_instance(value):
        if id(value) in above:
            return {"above": type(value).__name__}
        fields = {name: encoded(each, above | {id(value)}) for name, each in vars(value).items()}
        return {"instance": type(value).__name__, "fields": fields}
    return {"enum": str(value)} if isinstance(value, enum.Enum) else {"repr": repr(value)}


def item(value: Any) -> Any:
    """An element of a tensor; floats with six digits."""
    number = value.item()
    return number if type(number) in (bool, int) else f"{number:.6g}"


def outcome(found: oracle.Outcome) -> dict[str, Any]:
    error = [found.error[0].__name__, found.error[1]] if found.error else None
    args, printed = encoded(list(found.args)), found.printed
    entry = {"result": encoded(found.result), "error": error, "args": args, "printed": printed}
    return {key: value for key, value in entry.items() if value not in (None, "")}


def outcomes(program: oracle.Program) -> list[dict[str, Any]]:
    """What the interpreter that runs gives for every call."""
    method = program.method if isinstance(program.source, type) else program.source.__name__
    return [outcome(found) for found in oracle.expectations(program.make, program.calls, method)]


def agree(a: Any, b: Any) -> bool:
    """Equality, within a tolerance for the elements of float tensors; the text of an error counts in 3.11 only."""
    if isinstance(a, dict) and isinstance(b, dict):
        if "tensor" in a and "tensor" in b:
            heads = [(each["tensor"], each["shape"]) for each in (a, b)]
            return heads[0] == heads[1] and all(map(near, a["values"], b["values"]))
        return a.keys() == b.keys() and all(
            same_error(a[key], b[key]) if key == "error" else agree(a[key], b[key]) for key in a
        )
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(agree, a, b))
    return type(a) is type(b) and a == b


def same_error(a: list[str], b: list[str]) -> bool:
    if a[0] == b[0] == "RecursionError":
        return True
    return is_same_error((a[0], a[1]), (b[0], b[1])) or is_same_error((b[0], b[1]), (a[0], a[1]))


def near(a: Any, b: Any) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        return a == b or abs(complex(a) - complex(b)) <= 1e-6 + 1e-5 * abs(complex(b))
    return bool(a == b)


def load(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text())) if path.exists() else {}


def save(path: Path, entries: dict[str, Any]) -> None:
    """One line for each program, in the order of their names."""
    lines = [f"{json.dumps(name)}: {json.dumps(entries[name], ensure_ascii=False)}" for name in sorted(entries)]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    from test_programs import CORPUS

    assert sys.version_info[:2] == (3, 11), "the oracle is CPython 3.11"
    save(PYTHON, {program.name: outcomes(program) for program in CORPUS})


if __name__ == "__main__":
    main()
