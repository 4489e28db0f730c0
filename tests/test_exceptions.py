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
