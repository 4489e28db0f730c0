"""Warnings of scripts are Python's: file, line, category, filters, and where one that is an error is raised."""

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import tsm


class Mine(UserWarning):
    pass


class Coded(DeprecationWarning):
    def __init__(self, code: int) -> None:
        super().__init__(f"code {code}")
        self.code = code


def plain(n: int) -> int:
    warnings.warn("plain")
    return n


def categories(n: int) -> int:
    warnings.warn("a", DeprecationWarning)
    warnings.warn("b", category=Mine, stacklevel=1)
    warnings.warn(FutureWarning(f"n is {n}"))
    warnings.warn(Coded(n))
    return n


def inner(n: int) -> None:
    warnings.warn("far", stacklevel=n)


def middle(n: int) -> None:
    inner(n)


def levels(n: int) -> int:
    middle(n)
    return n


def nested(n: int) -> int:
    def deeper() -> int:
        warnings.warn("deeper", RuntimeWarning)
        return n
    return sum([deeper() for _ in range(2)]) + plain(n)


def sorts(n: int) -> list[int]:
    def key(i: int) -> int:
        warnings.warn(f"key {i}")
        return -i
    return sorted([1, 2][:n], key=key)


def caught(n: int) -> list[str]:
    seen = ["begin"]
    try:
        warnings.warn("careful", Mine)
        seen.append("after")
    except UserWarning as e:
        seen.append(f"{type(e).__name__} {e}")
    return seen


class Module(tsm.nn.Module):
    def forward(self, x: tsm.Tensor) -> tsm.Tensor:
        if bool(x.sum() < 2):
            warnings.warn("x is less than 2")
        return x


def heard(function, *args):
    """What is warned of, the result, and the line of the call."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = function(*args)
    return [(str(w.message), w.category, w.filename, w.lineno) for w in found], result


def named(one):
    """Without what only a process knows that has the classes."""
    text, category, file, line = one
    return text, category.__name__, file, line


PROGRAMS = [(plain, 1), (categories, 3), (levels, 1), (levels, 2), (levels, 3), (levels, 4), (levels, 5),
            (levels, 1000), (levels, 0), (nested, 2), (sorts, 2), (caught, 1)]


@pytest.mark.parametrize(("function", "n"), PROGRAMS, ids=lambda value: getattr(value, "__name__", value))
def test_places_and_categories_are_pythons(function, n, tmp_path: Path) -> None:
    scripted = tsm.script(function)
    scripted.save(tmp_path / "f.tsm")
    expected, found, loaded = (heard(each, n) for each in (function, scripted, tsm.load(tmp_path / "f.tsm")))
    assert found == expected
    assert [named(each) for each in loaded[0]] == [named(each) for each in expected[0]]


def test_modules_and_bare_operators() -> None:
    module = Module()
    x = tsm.zeros(1)
    assert heard(tsm.script(module), x)[0] == heard(module, x)[0]
    from tsm.binding import dispatch

    (found,), _ = heard(dispatch.run, "warn.str", ("bare",))
    assert found[:2] == ("bare", UserWarning) and found[2] == __file__


@pytest.mark.parametrize("action", ["default", "once", "module", "ignore", "always"])
@pytest.mark.parametrize("order", ["spp", "pss", "sp", "ss"])
def test_filters_count_scripts_and_python_together(action: str, order: str) -> None:
    """As many come through as if Python alone had run."""
    ways = {"s": tsm.script(plain), "p": plain}

    def count(letters: str) -> int:
        globals().pop("__warningregistry__", None)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("ignore")
            warnings.filterwarnings(action, message="plain", module=__name__)
            for letter in letters:
                ways[letter](1)
        return len(found)

    assert count(order) == count("p" * len(order))


def test_an_error_is_raised_where_the_program_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Mine)
        assert tsm.script(caught)(1) == caught(1) == ["begin", "Mine careful"]
        warnings.simplefilter("error")
        for function in plain, nested, categories:
            with pytest.raises(Warning) as expected:
                function(1)
            with pytest.raises(Warning) as got:
                tsm.script(function)(1)
            assert (type(got.value), got.value.args) == (type(expected.value), expected.value.args)
            assert Path(got.value.tsm_file).name in (Path(__file__).name, "printing.py")


def test_what_a_hook_raises_otherwise_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(*args: object) -> None:
        raise OSError("no room")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "_showwarnmsg_impl", show)
        with pytest.raises(OSError, match="no room"):
            tsm.script(plain)(1)


def test_files_that_programs_name_are_not_read(tmp_path: Path) -> None:
    """The line is shown from Python files only."""
    secret = tmp_path / "secret.txt"
    secret.write_text("a line of a stranger's")
    from tsm.binding import warned

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warned._warn_at(UserWarning("text"), str(secret), 1)
    shown = warnings.formatwarning(found[0].message, found[0].category, found[0].filename, found[0].lineno)
    assert shown == f"<{secret}>:1: UserWarning: text\n"


def test_the_runner_shows_them_as_python_does(tmp_path: Path) -> None:
    tsm.script(plain).save(tmp_path / "f.tsm")
    command = [sys.executable, "-m", "tsm", "run", str(tmp_path / "f.tsm"), "1"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert f"{__file__}:{plain.__code__.co_firstlineno + 1}: UserWarning: plain\n" in ran.stderr, ran
