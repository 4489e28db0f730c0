"""Exceptions: try in all its forms, exceptions as values, user classes, and `with`."""
# ruff: noqa
from __future__ import annotations

from typing import Dict, List, Optional

import tsm
from language_rows import of_row
from oracle import T, program
from tsm import Tensor


class Refused(ValueError):
    """A user's class without an __init__."""


class Fault(Exception):
    def __init__(self, message: str, code: int = 3) -> None:
        super().__init__(message)
        self.code = code
        self.pair = (code, message)


class Worse(Fault):
    """Inherits the __init__."""


class Missing(KeyError):
    def __init__(self, key: str) -> None:
        self.key = key


of_row("try")


@program("except of one class", (0,), (3,))
def except_one(x: int) -> int:
    try:
        y = 10 // x
    except ZeroDivisionError:
        return -1
    return y


@program("a variable assigned in try and read after it", (0,), (5,))
def assigned_in_try(x: int) -> int:
    y = 7
    try:
        y = 1
        y = 10 // x
    except ZeroDivisionError:
        pass
    return y


@program("a variable that only the end of a try binds", (0,), (5,))
def bound_at_end(x: int) -> int:
    try:
        z = 10 // x
    except ZeroDivisionError:
        pass
    return z


@program("what a handler sees changes its type in the try", (0,), (1,), (2,))
def type_changes(x: int) -> str:
    v = None
    try:
        v = 1
        v = "a" + str(10 // x)
        v = 10.5 / (x - 1)
    except ZeroDivisionError:
        return f"failed at {v}"
    return f"got {v}"


@program("del in a try, read in the handler", (0,), (1,))
def deleted_in_try(x: int) -> int:
    y = 3
    try:
        if x:
            del y
        1 // 0
    except ZeroDivisionError:
        return y
    return 0


@program("a tuple of classes, several handlers, the first that fits", ([1], "0"), ([], "0"), ([1], "x"), ([1], "1"))
def several_handlers(xs: List[int], s: str) -> str:
    try:
        return str(xs[int(s)])
    except (ValueError, KeyError) as e:
        return "value: " + str(e)
    except IndexError as e:
        return "index: " + str(e)
    except LookupError:
        return "never"


@program("a base class catches what derives from it", (0,), (1,), (2,))
def base_class(k: int) -> str:
    d: Dict[str, int] = {}
    xs: List[int] = []
    try:
        if k == 0:
            return str(d["no"])
        if k == 1:
            return str(xs[k])
        return str(1 // (k - 2))
    except LookupError as e:
        return f"lookup {e}"
    except ArithmeticError as e:
        return f"arithmetic {e}"


@program("bare except and else", (0,), (2,))
def bare_except(x: int) -> str:
    out = ""
    try:
        y = 4 // x
    except:
        out += "bare"
    else:
        out += f"else{y}"
    return out


@program("what else raises is not caught", (0,), (1,), (2,))
def raise_in_else(x: int) -> int:
    try:
        y = x
    except ZeroDivisionError:
        return -1
    else:
        return 5 // (y - 1)


@program("finally on every way out of a loop", (0,), (1,), (2,), (3,), (9,))
def finally_in_loop(x: int) -> str:
    out = ""
    for i in range(5):
        try:
            if i == x:
                continue
            if i == x + 2:
                break
            if i == x + 3:
                return out + "!"
            out += str(12 // (i - 3))
        except ZeroDivisionError as e:
            out += f"[{e}]"
        else:
            out += "e"
        finally:
            out += f"f{i};"
    else:
        out += "done"
    return out


@program("return in finally overrides", (0,), (1,), (5,))
def finally_overrides(x: int) -> int:
    try:
        return 10 // x
    finally:
        if x != 1:
            return 99


@program("break in finally swallows the exception", (0,), (3,))
def finally_breaks(x: int) -> int:
    n = 0
    while True:
        n += 1
        try:
            n += 10 // x
        finally:
            if n > 20 or x == 0:
                break
    return n


@program("continue in finally swallows return", (3,))
def finally_continues(n: int) -> int:
    total = 0
    for i in range(n):
        try:
            total += i
            return -1
        finally:
            continue
    return total


@program("the value returned is computed before finally", ([1],))
def return_before_finally(xs: List[int]) -> int:
    try:
        return len(xs)
    finally:
        xs.append(1)
        print("finally", len(xs))


@program("finally without except passes the exception on", (0,), (2,))
def finally_only(x: int) -> int:
    y = 1
    try:
        y = 10 // x
    finally:
        print("y is", y)
    return y + 1


@program("nested finally, inner raises", (0,), (1,), (2,))
def nested_finally(x: int) -> int:
    try:
        try:
            print(6 // x)
        finally:
            print("inner", 6 // (x - 1))
    finally:
        print("outer", x)
    return x


@program("a handler that raises skips its siblings", (0,), (1,))
def raise_in_handler(x: int) -> str:
    try:
        try:
            1 // x
        except ZeroDivisionError:
            raise ValueError("from handler")
        except ValueError:
            return "sibling"
    except ValueError as e:
        return "outer " + str(e)
    return "none"


@program("the name of a handler is unbound after it", (0,), (1,))
def name_unbound(x: int) -> str:
    e = "before"
    try:
        1 // x
    except ZeroDivisionError as e:
        print(e)
    return e


@program("the name of a handler is unbound when the handler raises", (0,), (1,))
def name_unbound_by_raise(x: int) -> str:
    e = "before"
    try:
        try:
            1 // x
        except ZeroDivisionError as e:
            raise ValueError("second")
    except ValueError:
        return str(e)
    return str(e)


@program("the name of a handler assigned in it and in a loop", (0,), (1,))
def name_assigned(x: int) -> int:
    n = 0
    try:
        1 // x
    except ZeroDivisionError as e:
        e = 5
        for i in range(3):
            e += i
            n += e
        del e
    return n


@program("handlers of the same name nest", (0,), (1,))
def same_name_nested(x: int) -> str:
    out = ""
    try:
        1 // x
    except ZeroDivisionError as e:
        try:
            int("q")
        except ValueError as e:
            out += str(e)
        try:
            out += str(e)
        except UnboundLocalError as err:
            out += type(err).__name__
    return out


@program("bare raise passes the exception on", (0,), (1,), (5,))
def bare_raise(x: int) -> int:
    try:
        if x == 5:
            raise Fault("five", 5)
        return 10 // x
    except Exception as e:
        print("saw", e)
        raise


@program("bare raise in a nested handler means the inner exception", (0,))
def bare_raise_nested(x: int) -> str:
    try:
        try:
            1 // x
        except ZeroDivisionError:
            try:
                int("z")
            except ValueError:
                raise
    except ValueError as e:
        return "inner " + str(e)
    except ZeroDivisionError as e:
        return "outer " + str(e)
    return ""


@program("bare raise in finally of a handler", (0,))
def bare_raise_after_inner(x: int) -> str:
    try:
        try:
            1 // x
        except ZeroDivisionError:
            try:
                int("z")
            except ValueError:
                pass
            raise
    except Exception as e:
        return type(e).__name__
    return ""


of_row("raise")


@program("raise from", (0,), (1,))
def raise_from(x: int) -> int:
    try:
        return 1 // x
    except ZeroDivisionError as e:
        raise RuntimeError("wrapped: " + str(e)) from e


@program("raise from None, and from a new exception", (0,), (1,))
def raise_from_none(x: int) -> int:
    if x:
        raise ValueError("x") from None
    raise TypeError("t") from KeyError("cause")


@program("raise a caught instance again, later", (0,), (2,), (9,))
def raise_later(x: int) -> int:
    last = None
    for i in range(3):
        try:
            return 10 // (x - i) if x < 3 and i == x else 10 // (x - 9)
        except ZeroDivisionError as e:
            last = e
    if last is not None:
        raise last
    return -1


of_row("try")


@program("exceptions are values", ("a", 1), ("", 0))
def exception_values(s: str, n: int) -> str:
    first = ValueError(s)
    second = KeyError(s, n)
    third = RuntimeError()
    both = (1, "x")
    return f"{first}|{first!r}|{second}|{second!r}|{third}|{third!r}|{TypeError(both)!r}|{KeyError(n)}|{KeyError(s)!r}"


@program("arguments of exceptions", (0,), (1,), (2,), (3,))
def arguments(k: int) -> str:
    try:
        if k == 0:
            raise ValueError("a", 1, 2.5)
        if k == 1:
            raise ValueError
        if k == 2:
            raise IndexError(None)
        print({1: 2}[k])
    except Exception as e:
        return str(len(e.args)) + str(e.args) + (str(e.args[0]) if e.args else "-")
    return ""


@program("an exception with several arguments leaves the script", (0,), (1,), (2,), (3,), (4,))
def several_arguments(k: int) -> int:
    if k == 0:
        raise ValueError("a", 1)
    if k == 1:
        raise KeyError("key")
    if k == 2:
        raise RuntimeError(1.5)
    if k == 3:
        raise ValueError("")
    raise KeyError(("t", 1), None)


@program("a list of caught exceptions", ([1, 0, 2, 0],))
def list_of_exceptions(xs: List[int]) -> str:
    found = []
    for x in xs:
        try:
            print(4 // x)
        except ZeroDivisionError as e:
            found.append(e)
    return ", ".join([repr(e) for e in found])


@program("user exception classes", (0,), (1,), (2,), (3,), (4,), (5,))
def user_classes(k: int) -> int:
    try:
        if k == 0:
            raise Refused("no", k)
        if k == 1:
            raise Fault("f", 7)
        if k == 2:
            raise Worse("w")
        if k == 3:
            raise Missing("m")
        if k == 4:
            raise Refused
    except Worse as e:
        return e.code + e.pair[0]
    except Fault as e:
        if e.code == 7:
            raise
        return 1
    return 0


@program("user exception classes are caught by base, and told apart", (0,), (1,), (2,), (3,))
def user_classes_caught(k: int) -> str:
    try:
        if k == 0:
            raise Refused("no")
        if k == 1:
            raise Worse("worse", code=k)
        if k == 2:
            raise Missing("key")
        raise ValueError("plain")
    except Exception as e:
        kind = "?"
        if isinstance(e, (Refused, KeyError)):
            kind = "refused or key"
        elif isinstance(e, Fault):
            kind = f"fault {e.code}"
        return f"{kind} {isinstance(e, LookupError)} {type(e).__name__} {e} {e!r}"


def check(x: int) -> int:
    if x < 0:
        raise Worse("negative", code=x)
    return x


@program("an exception passes through calls", ([1, -2, 3],), ([],), ([0, 1],))
def through_calls(xs: List[int]) -> int:
    total = 0
    for x in xs:
        try:
            total += check(x) // (x - 3 if x else 1)
        except Fault as e:
            total += e.code
    return total


def deep(n: int) -> int:
    return deep(n + 1) + 1


@program("RecursionError is caught", (0,))
def recursion(n: int) -> str:
    try:
        return str(deep(n))
    except RecursionError as e:
        return type(e).__name__


of_row("raise")


@program("assert in try", (0,), (1,), (2,))
def assert_in_try(x: int) -> str:
    try:
        assert x != 0, "zero"
        assert x == 1
    except AssertionError as e:
        return repr(e)
    return "fine"


of_row("try")


@program("OverflowError of an operator in try", (1,), (2**62,), (2**63 - 1,))
def overflow_in_try(x: int) -> str:
    y = 0
    try:
        y = 5
        z = x + x if x < 2**62 else x * 1
        y = 6
        print(z)
    except OverflowError:
        return f"over {y}"
    return f"fine {y}"


@program("try in a loop with else of the loop", ([1, 2],), ([1, 0],), ([],))
def try_and_loop_else(xs: List[int]) -> str:
    for x in xs:
        try:
            y = 2 // x
        except ZeroDivisionError:
            break
    else:
        return "all"
    return "broken"


@program("a loop in a try keeps its variables", ([3, 0, 2],), ([1, 1],), ([],))
def loop_in_try(xs: List[int]) -> str:
    total = 0
    i = -1
    try:
        for i, x in enumerate(xs):
            total += 6 // x
    except ZeroDivisionError:
        return f"stopped at {i}, {total}"
    return f"{i} {total}"


@program("while with try around break", (5,), (0,))
def while_and_try(n: int) -> int:
    while True:
        try:
            n -= 1
            if n < 0:
                break
            n = n - 12 // (n - 2)
        except ZeroDivisionError:
            n -= 3
    return n


@program("comprehension in a try", ([2, 1],), ([1, 0],))
def comprehension_in_try(xs: List[int]) -> List[int]:
    ys = [0]
    try:
        ys = [4 // x for x in xs]
    except ZeroDivisionError as e:
        return ys + [len(str(e)) for y in xs]
    return ys


@program("an Optional narrowed before try", (None,), (0,), (4,))
def narrowed_before_try(x: Optional[int]) -> int:
    if x is None:
        return -1
    try:
        y = 8 // x
    except ZeroDivisionError:
        return x + 1
    return y + x


@program("a handler that cannot be reached after except Exception", (0,), (1,))
def unreachable_handler(x: int) -> int:
    try:
        return 1 // x
    except Exception:
        return -1
    except ZeroDivisionError:
        return -2


@program("mutations before the exception stay", ([1, 2, 0, 4],))
def mutations_stay(xs: List[int]) -> int:
    try:
        for i in range(len(xs)):
            xs[i] = 4 // xs[i]
    except ZeroDivisionError:
        xs.append(-1)
    return sum(xs)


@program("the error of a tensor operator is caught", (T([1.0, 2.0]), T([1.0, 2.0, 3.0])), (T([1.0]), T([2.0, 3.0])))
def tensor_error(a: Tensor, b: Tensor) -> Tensor:
    c = a
    try:
        c = a * 2
        d = a + b
    except RuntimeError:
        return c
    return d


@program("an unused tensor operator in try still raises", (T([1.0, 2.0]), T([1.0, 2.0, 3.0])), torch=False)
def unused_tensor_error(a: Tensor, b: Tensor) -> int:
    try:
        tsm.matmul(a, b)
    except RuntimeError:
        return 1
    return 0


def drop(a: Tensor, b: Tensor) -> int:
    tsm.matmul(a, b)
    return 0


@program("an unused tensor operator of a function called in try", (T([1.0, 2.0]), T([1.0, 2.0, 3.0])), torch=False)
def unused_tensor_error_called(a: Tensor, b: Tensor) -> int:
    try:
        return drop(a, b)
    except RuntimeError:
        return 1


of_row("with")


@program("with of managers that do nothing", (1,), (5,))
def inert_with(x: int) -> int:
    with tsm.no_grad():
        with tsm.record_function("part" + str(x)) as none, tsm.enable_grad():
            if x > 2:
                return 1
        x += 1 if none is None else 2
    return x


@program("parenthesised with, break and continue inside", (3,), (0,))
def with_in_loop(n: int) -> int:
    total = 0
    for i in range(10):
        with (tsm.no_grad(), tsm.record_function("loop")):
            if i == n:
                break
            if i % 2:
                continue
            total += i
    return total


@program("modes under the names of torch.autograd", (2,), (0,))
def autograd_modes(n: int) -> int:
    with tsm.autograd.no_grad(), tsm.autograd.profiler.record_function("part"):
        with tsm.profiler.record_function(f"of {n}"):
            return 6 // n


class Guard(tsm.nn.Module):
    def __init__(self, suppress: bool) -> None:
        super().__init__()
        self.suppress = suppress
        self.depth = 0

    def __enter__(self) -> int:
        self.depth += 1
        print("enter", self.depth)
        return self.depth

    def __exit__(self, kind, error, trace) -> bool:
        print("exit", kind is None, error is None, str(error))
        self.depth -= 1
        return self.suppress

    def forward(self, x: int) -> int:
        return x


@program("with of an object, exit that suppresses, return and break inside", (0,), (1,), (2,), (3,))
class Guarded(tsm.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.outer = Guard(True)
        self.inner = Guard(False)

    def forward(self, x: int) -> int:
        y = 0
        for i in range(3):
            with self.outer as depth, self.inner:
                y = depth
                if x == 1 and i == 1:
                    break
                if x == 2:
                    continue
                if x == 3:
                    return 10
                y = 6 // x
            print("after", i, y)
        return y


of_row("try")


@program("an empty list that nothing uses, bound in a try body", (1,), (0,))
def unused_in_try(x: int) -> int:
    try:
        nothing = []
        y = 6 // x
    except ZeroDivisionError:
        y = -1
    return y
