"""Neighbours of accepted programs: one step away from what works, each with what to write instead."""
# ruff: noqa
from language_rows import of_row
from typing import Dict, List, Optional, Tuple, Union

import math

import numpy
import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F

COUNTER = 0
TABLE = {"a": 1}
NAMES = ["x", "y"]


of_row("names")


def assigns_global(x: int) -> int:
    global COUNTER  # error 5: a script cannot assign globals
    COUNTER = x
    return x


def mutates_global(x: int) -> int:
    NAMES.append("z")  # error 5: a script cannot change a list outside the function: it is read once, when the script is compiled
    return x


def reads_global_dict(x: str) -> int:
    return TABLE[x]


of_row("calls")


def mutable_default(x: int, seen: List[int] = []) -> int:
    seen.append(x)  # error 5: a script cannot change the default of 'seen' of 'mutable_default': it is read once, when the script is compiled
    return len(seen)


def wrong_default(x: int = "a") -> int:  # error 19: 'x': the default 'a' is not int
    return x


of_row("tensor operations")


def tensor_plus_text(x: Tensor) -> Tensor:
    return x + "a"  # error 12: unsupported operand types for +: Tensor and str


def tensor_method_typo(x: Tensor) -> Tensor:
    return x.reshap(2)  # error 12: 'Tensor' has no attribute 'reshap' in scripts


def function_typo(x: Tensor) -> Tensor:
    return tsm.rellu(x)  # error 12: module 'tsm' has no attribute 'rellu'


def functional_arguments(x: Tensor) -> Tensor:
    return F.layer_norm(x)  # error 12: F.layer_norm(): argument 'normalized_shape' is missing


def conv_missing_weight(x: Tensor) -> Tensor:
    return F.conv2d(x)  # error 12: F.conv2d(): argument 'weight' is missing


def wrong_keyword(x: Tensor) -> Tensor:
    return x.sum(axes=1)  # error 23: sum(): has no parameter 'axes'


def numpy_call(x: Tensor) -> Tensor:
    return numpy.tanh(x)  # error 12: 'numpy.tanh' belongs to NumPy, which compiled programs do not have


of_row("refinement")


def optional_arithmetic(x: Optional[int]) -> int:
    return x + 1  # error 12: unsupported operand types for +: Optional[int] and int


def optional_method(x: Optional[Tensor]) -> Tensor:
    return x.relu()  # error 12: Optional[Tensor] may be None here and has no attribute 'relu'


def optional_index(x: Optional[List[int]]) -> int:
    return x[0]  # error 12: Optional[list[int]] cannot be indexed


of_row("list methods")


def list_of_two_kinds(x: int) -> List[int]:
    return [x, "a"]  # error 12: the result of 'list_of_two_kinds' must be list[int], got list[Union[int, str]]


def append_wrong(v: List[int]) -> None:
    v.append("a")  # error 14: append(): argument 'item' must be int, got str


of_row("dict methods")


def dict_wrong_key(d: Dict[str, int]) -> int:
    return d[1]  # error 14: '[]': argument 'key' must be str, got int


def dict_wrong_value(d: Dict[str, int]) -> None:
    d["a"] = "b"  # error 14: '[]=': argument 'value' must be int, got str


of_row("list methods")


def list_index_text(v: List[int]) -> int:
    return v["a"]  # error 14: list indices must be int or slices, not str


of_row("tuples")


def tuple_index_variable(t: Tuple[float, str], i: int) -> List[int]:
    return t[i]  # error 12: the result of 'tuple_index_variable' must be list[int], got Union[float, str]


def tuple_out_of_range(t: Tuple[int, str]) -> int:
    return t[2]  # error 12: tuple index 2 is out of range for 2 elements


def tuple_assign(t: Tuple[int, int]) -> None:
    t[0] = 1  # error 5: tuple[int, int] does not support item assignment


of_row("operators")


def text_assign(s: str) -> None:
    s[0] = "a"  # error 5: str does not support item assignment


of_row("assignment")


def unpack_too_few(t: Tuple[int, int]) -> int:
    a, b, c = t  # error 5: not enough values to unpack (expected 3, got 2)
    return a


def unpack_int(x: int) -> int:
    a, b = x  # error 12: cannot unpack int
    return a


of_row("annotations")


def return_wrong(x: int) -> str:
    return x  # error 12: the result of 'return_wrong' must be str, got int


def branch_types(x: int) -> int:
    if x > 0:
        y = [1]
    else:
        y = "a"
    return len(y) + y  # error 12: unsupported operand types for +: int and Union[list[int], str]


def loop_changes_type(n: int) -> str:
    x: Union[int, str] = 0
    for i in range(n):
        x = str(x)
    return x  # error 12: the result of 'loop_changes_type' must be str, got Union[int, str]


of_row("operators")


def is_on_numbers(a: int, b: int) -> bool:
    return a is b  # error 12: 'is' on int is not supported: its values have no identity


def compare_text_number(a: str, b: int) -> bool:
    return a < b  # error 12: '<' is not supported between str and int


of_row("calls")


def not_callable(x: int) -> int:
    return x(1)  # error 12: a value of type int cannot be called


def too_many_arguments(x: int) -> int:
    return abs(x, 2)  # error 12: abs() takes 1 argument, got 2


of_row("builtins")


def range_of_float(x: float) -> int:
    for i in range(x):  # error 20: an argument of range must be int, got float
        pass
    return 1


of_row("math")


def math_of_text(s: str) -> float:
    return math.sqrt(s)  # error 22: math.sqrt(): argument 'x' must be float, got str


def math_typo(x: float) -> float:
    return math.squareroot(x)  # error 12: module 'math' has no attribute 'squareroot'


of_row("annotations")


def unused_but_wrong(x: int) -> int:
    y: str = x  # error 14: 'y' must be str, got int
    return x


def set_without_element(v: set) -> int:  # error 28: 'set' needs its element type: write set[int]
    return len(v)


of_row("calls")


def star_call(v: List[str]) -> str:
    return max(*v)  # error 12: max(*...) of str may have one argument, which then is the iterable


of_row("builtins")


def open_file(x: int) -> int:
    open("file")  # error 5: the builtin 'open' is not supported in scripts
    return x


of_row("names")


def imports(x: int) -> int:
    import antigravity  # error 5: the module 'antigravity' is not imported yet: a script cannot run it
    from math import tangent  # error 22: cannot import name 'tangent' from 'math'
    return x


def class_inside(x: int) -> int:
    class A:  # error 5: the class 'A' uses 'x', a variable of the function around it
        limit: int = x
    return x


def class_that_prints(x: int) -> int:
    class A:  # error 5: the body of the class 'A' does more than to declare
        print("once")
    return x


def class_with_decorator(x: int) -> int:
    @class_inside
    class A:  # error 5: the class 'A' calls 'class_inside' when it is made
        pass
    return x


def class_of_later(x: int) -> int:
    class A:  # error 5: the class 'A' uses 'B', a variable of the function around it
        def make(self):
            return B()

    class B:
        pass
    return x


def class_that_fails(x: int) -> int:
    class A(missing_base):  # error 5: the class 'A' cannot be made: NameError: name 'missing_base' is not defined
        pass
    return x


def async_call(x: int) -> int:
    return await_me(x)  # error 12: name 'await_me' is not defined


of_row("overflow")


def huge_literal(x: int) -> int:
    return x + 9223372036854775808  # error 16: the int 9223372036854775808 does not fit 64 bits


of_row("operators")


def chained_compare_tensors(x: Tensor) -> str:
    return 0 < x < 1  # error 16: the result of 'chained_compare_tensors' must be str, got Tensor


def float_power_negative(x: int) -> float:
    return x ** -1.5 + x ** "a"  # error 24: unsupported operand types for **: int and str


of_row("match")


of_row("loops")


def some_are_not_iterable(x: int, xs: list[int]) -> int:
    for item in xs if x > 0 else x:  # error 17: Union[int, list[int]] is not iterable
        return item
    return 0


def parameter_among_tensors(x: Tensor) -> bool:
    return isinstance(x, nn.Parameter)  # error 12: whether a tensor is a Parameter is known of a module's own attributes only


def arguments_with_a_shape(x: Tensor) -> str:
    try:
        raise ValueError(x.shape)  # error 26: an argument of an exception cannot be of type tuple[int, ...] in scripts, which has a text of its own
    except ValueError as error:
        return str(error.args)


class Announced(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        print("made")

    def forward(self, x: Tensor) -> Tensor:
        return x


def makes_layers(x: Tensor) -> Tensor:
    x = nn.Linear(2, 2)(x)  # error 9: a script cannot make modules: 'Linear(...)' is made once, outside
    x = Announced()(x)  # error 9: a script cannot make modules: 'Announced(...)' is made once, outside
    return nn.Softmax(axis=1)(x)  # error 12: 'Softmax(...)' raises TypeError: Softmax.__init__() got an unexpected keyword argument 'axis'


def class_of_tensor(x: Tensor) -> bool:
    return type(x) is Tensor  # error 12: whether a tensor is a Parameter is not known here
