"""`script(instance)`: methods run compiled on attributes that Python, scripts and the methods share."""

import copy
import pickle
from typing import Dict, List, Optional

import pytest

import tsm
from tsm import Tensor


class Account:
    """Money, and how it came."""

    rate = 2

    def __init__(self, amount: int, owner: "Optional[str]" = None) -> None:
        self.amount = amount
        self.owner = owner
        self.log: List[int] = [amount]
        self.by_name: Dict[str, List[int]] = {}

    def add(self, n: int, *, times: int = 1) -> int:
        self.amount += n * times
        self.log.append(n)
        self.by_name.setdefault("all", []).append(n)
        return self.amount

    def twice(self, x):
        return x * self.rate + self.doubled

    def pays(self, other: "Account", n: int) -> None:
        self.add(-n)
        other.add(n)

    def runs_compiled(self) -> bool:
        return tsm.jit.is_scripting()

    def fails(self, n: int) -> int:
        self.log.append(n)
        raise ValueError(f"no {n}")

    def __call__(self, n: int) -> int:
        return self.add(n)

    def __len__(self) -> int:
        return len(self.log)

    @property
    def doubled(self) -> int:
        return 2 * self.amount

    @staticmethod
    def of(n: int) -> "Account":
        return Account(n)

    @tsm.jit.unused
    def speak(self) -> str:
        return f"{self.owner!r:>6}"


class Slots:
    __slots__ = ("x",)

    def __init__(self, x: Tensor) -> None:
        self.x = x

    def grow(self) -> None:
        self.x = self.x + 1


class Wrong:
    def __init__(self) -> None:
        self.n = 1

    def bad(self, s: str) -> int:
        return s + self.n


def uses(account: Account, n: int) -> Account:
    account.add(n)
    return account


def state(account: Account) -> tuple:
    return account.amount, account.log, account.by_name, len(account), account.doubled


def steps(account: Account, other: Account) -> list:
    found: list = [account.add(3), account.add(2, times=4), account(1), account.twice(tsm.ones(2)).tolist()]
    account.amount = 50
    account.log = [7]
    found += [account.add(1), account.pays(other, 5), state(account), state(other)]
    found += [account.of(4).amount, account.speak()]
    with pytest.raises(ValueError, match="no 9") as error:
        account.fails(9)
    return [*found, str(error.value), state(account)]


def test_it_does_what_python_does() -> None:
    assert steps(tsm.script(Account(1, "me")), tsm.script(Account(0))) == steps(Account(1, "me"), Account(0))
    assert steps(tsm.script(Account(1, "me")), Account(0)) == steps(Account(1, "me"), Account(0))


def test_it_is_a_copy_that_runs_compiled() -> None:
    plain = Account(1)
    made = tsm.script(plain)
    assert made.runs_compiled() and not plain.runs_compiled()
    made.add(4)
    assert (plain.amount, plain.log) == (1, [1]) and (made.amount, made.log) == (5, [1, 4])
    assert isinstance(made, Account) and type(made) is type(tsm.script(plain)) and tsm.script(made) is made
    assert type(made).__name__ == "Account" and type(made).__doc__ == Account.__doc__
    for other in copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made)):
        assert other is not made and state(other) == state(made) and other.runs_compiled()


def test_scripts_take_and_give_it_by_reference() -> None:
    made = tsm.script(Account(1))
    assert tsm.script(uses)(made, 4) is made and made.amount == 5

    class Keeps(tsm.nn.Module):
        def __init__(self, account: Account) -> None:
            super().__init__()
            self.account = account

        def forward(self, n: int) -> int:
            return self.account.add(n)

    assert tsm.script(Keeps(made))(3) == 8


def test_tensors_are_shared_and_slots_work() -> None:
    x = tsm.ones(2)
    made = tsm.script(Slots(x))
    assert made.x is x
    made.grow()
    assert made.x.tolist() == [2.0, 2.0] and x.tolist() == [1.0, 1.0]


def test_what_does_not_compile_is_told() -> None:
    with pytest.raises(tsm.CompileError, match=r"test_script_objects.py:\d+:\d+: error: "):
        tsm.script(Wrong())
    with pytest.raises(TypeError, match="attribute 'amount' of Account"):
        made = tsm.script(Account(1))
        made.amount = "much"
        made.add(1)
