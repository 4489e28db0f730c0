"""Exceptions across the boundary: a user's own class in Python, ScriptErrors after load, traps that no except takes."""

from __future__ import annotations

import io

import pytest

import tsm


class Base(ValueError):
    pass


class Coded(Base):
    def __init__(self, message: str, code: int = 3) -> None:
        super().__init__(message, code)
        self.code = code


def fail(x: int) -> int:
    if x == 0:
        raise Coded("zero")
    if x == 1:
        raise KeyError(("a", 1))
    if x == 2:
        return {1: x}[x]
    raise Base


def endless(x: int) -> int:
    while True:
        try:
            x = x ^ 1
        except BaseException:
            return -1
        finally:
            x = x + 0


def loaded(function: object) -> tsm.LoadedModule:
    buffer = io.BytesIO()
    tsm.script(function).save(buffer)
    return tsm.load(buffer.getvalue())


def test_a_user_class_stays_itself() -> None:
    with pytest.raises(Coded) as found:
        tsm.script(fail)(0)
    assert type(found.value) is Coded
    assert (found.value.args, found.value.code) == (("zero", 3), 3)
    with pytest.raises(Base) as bare:
        tsm.script(fail)(3)
    assert type(bare.value) is Base and bare.value.args == ()


def test_after_load_it_is_a_script_error_of_its_builtin_base() -> None:
    program = loaded(fail)
    with pytest.raises(tsm.ScriptError) as found:
        program.fail(0)
    names = [kind.__name__ for kind in type(found.value).__mro__]
    assert names[:4] == ["Coded", "Base", "ScriptError", "ValueError"]
    assert found.value.args == ("zero", 3) and vars(found.value)["code"] == 3
    assert str(found.value) == "('zero', 3)"
    with pytest.raises(ValueError, match="zero"):
        program.fail(0)


def test_the_key_of_a_key_error_is_the_key() -> None:
    for run in (tsm.script(fail), loaded(fail).fail):
        for x, key in ((1, ("a", 1)), (2, 2)):
            with pytest.raises(KeyError) as found:
                run(x)
            assert found.value.args == (key,)


def test_two_classes_of_one_name_are_told_apart() -> None:
    def make() -> type[Exception]:
        class Same(ValueError):
            pass

        return Same

    first, second = make(), make()

    def run(x: int) -> int:
        try:
            if x:
                raise first("first")
            raise second("second")
        except first:
            return 1
        except second:
            return 2

    scripted = tsm.script(run)
    assert (scripted(1), scripted(0)) == (1, 2)


def test_fuel_passes_every_except() -> None:
    program = loaded(endless)
    program.set_fuel(10_000)
    with pytest.raises(tsm.FuelError):
        program.endless(1)


class Wrapped(ValueError):
    def __init__(self, items: list[int]) -> None:
        super().__init__("wrapped", items)
        self.items = items

    def __str__(self) -> str:
        return f"{len(self.items)} items"


def chained(items: list[int]) -> int:
    try:
        return 1 // len(items)
    except ZeroDivisionError as e:
        error = Wrapped(items)
        error.add_note("first")
        raise error from e


def test_cause_notes_attributes_and_text_leave_the_program() -> None:
    for run in (tsm.script(chained), loaded(chained).chained):
        with pytest.raises(ValueError) as found:
            run([])
        error = found.value
        assert error.args == ("wrapped", []) and vars(error)["items"] == []
        assert repr(error.__cause__) == "ZeroDivisionError('integer division or modulo by zero')"
        # the other one says where it was raised, which Python 3.10 has no room for
        assert error.__notes__[0] == "first" and len(error.__notes__) == (2 if hasattr(error, "add_note") else 1)
    with pytest.raises(Wrapped, match="^0 items"):
        tsm.script(chained)([])


def self_caused(n: int) -> int:
    error = Wrapped([n])
    raise error from error


def test_an_exception_that_is_its_own_cause_leaves_the_program() -> None:
    with pytest.raises(Wrapped) as found:
        tsm.script(self_caused)(1)
    assert found.value.__cause__ is found.value
