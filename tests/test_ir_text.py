"""The text form of the IR: printed, parsed, printed again, and written to a file, nothing is lost."""

from __future__ import annotations

import pytest

from tsm import ir, serialize
from tsm.ir.parse_tokens import parse_location
from tsm.ir.printer import spell_location
from tsm.ir.types import INT

EVERYTHING = r"""
enum Color : int { RED = 1; GREEN = 2 }
namedtuple Point { x : int; y : float }
class Net (module) { weight : Tensor; count : int; config : Config; any : Any; points : tuple[Point, ...] }
class Config { next : Optional[Config]; names : list[str]; tensors : dict[str, Tensor]; color : Color; seen : set[int] }

fn count(%n : int) -> int {
  %zero : int = const 0     # collatz.py:3:12
  %two : int = const 2      # "C:\\a b.py":3:12-14
  %steps : int = loop @l0 (%m = %n, %c = %zero) {   # collatz.py:4:5-6:9 in count < <stdin>:3:1 in <module>
    %one : int = const 1
    %done : bool = eq.int(%m, %one)
    if (%done) { break @l0 (%c) } else { yield }
    %m.1 : int = floordiv.int(%m, %two)
    %c.1 : int = add.int(%c, %one)
    continue @l0 (%m.1, %c.1)
  }
  return %steps
}

fn Net.forward(self %self : Net, %x : Tensor, %k : int) -> tuple[Tensor, int, Optional[str]] {
  %w : Tensor = get_attr(%self, weight)
  %y : Tensor = matmul(%x, %w)
  %r : int = try {
    %q : int = call count(%k)
    yield (%q)
  } except (%e : exception) {
    %t : bool = const True
    %b : int = block @b0 {
      if (%t) {
        %minus : int = const -7
        break @b0 (%minus)
      } else {
        raise %e
      }
      unreachable
    }
    yield (%b)
  }
  %t.1 : tuple[Color, float, Optional[bytes], dtype, complex] =
    const (GREEN, nan, bytes "00ff", float32, complex(-0.0, inf))
  %tensor : Tensor[float32, (2, ?)] = const tensor 1
  %0 : Optional[str] = const "a\n\"b\u0001é"
  set_attr(%self, count, %r)
  %cell : cell[int] = cell(%r)
  cell_set(%cell, %k)
  %"odd.name" : int = cell_get(%cell)
  %"odd.name".1 : Any = widen(%k)
  %is : bool = is_type(%"odd.name".1, int)
  %back : int = narrow(%"odd.name".1)
  %s : Scalar = widen(%k)
  %alpha : Scalar = widen(%r)
  %z : Tensor = add.TensorScalar(%y, %s, %alpha)
  %1 : tuple[Tensor, int, Optional[str]] = tuple(%z, %r, %0)
  return %1
}

method count = count(n! = 3)
method forward = Net.forward(x, *, k = 5) "Runs."

state {
  @0 : Net { weight = tensor 0; count = 3; config = @1; any = tuple[int, ...] (1, 2); points = ((1, 2.5)) }
  @1 : Config { next = @1; names = @2; tensors = @3; color = RED; seen = @4 }
  @2 : list[str] { "a"; "b" }
  @3 : dict[str, Tensor] { "k" : tensor 1 }
  @4 : set[int] { 1; 2 }
}

tensor 0 : float32 (2, 2) strides (2, 1) offset 0 in storage 0
tensor 1 : float32 (2) strides (2) offset 1 in storage 0

metadata "author" = "me"
source "collatz.py" = "def f():\n" "  pass\n"
extra "x" = base64 "AAEC"
storage 0 = hex "0000803f000000400000404000008040"
"""


def test_everything_round_trips() -> None:
    program = ir.parse(EVERYTHING)
    ir.verify(program)
    text = ir.print_program(program)
    again = ir.parse(text)
    assert ir.print_program(again) == text
    ir.verify(again)
    assert serialize.dumps(program) == serialize.dumps(again)


def test_user_names_are_kept() -> None:
    program = ir.parse(EVERYTHING)
    names = {value.name for node in program.function("count").walk() for value in node.results}
    assert {"zero", "steps", "m", "c", "done"} <= names
    assert "%m.1" not in names


def test_locations_belong_to_their_nodes() -> None:
    first, second, loop, *_ = ir.parse(EVERYTHING).function("count").body.nodes
    assert str(first.location) == "collatz.py:3:12"
    assert second.location == ir.Location("C:\\a b.py", 3, 12, 3, 14)
    outer = ir.Location("<stdin>", 3, 1, function="<module>")
    assert loop.location == ir.Location("collatz.py", 4, 5, 6, 9, "count", outer)


@pytest.mark.parametrize(
    "location",
    [
        ir.Location("f.py", 1),
        ir.Location("f.py", 1, 2, 1, 9),
        ir.Location("f.py", 1, 2, 3, 4, "g", ir.Location('a "b" < c.py', 5, 6, 5, 8, "h i", ir.Location("m.py", 1))),
        ir.Location("in < x", 1, 1, 0, 5, "a in b"),
    ],
)
def test_locations_round_trip(location: ir.Location) -> None:
    assert parse_location(spell_location(location)) == location


def test_a_comment_is_no_location() -> None:
    assert parse_location("CHECK: const 1") is None
    assert parse_location("see f.py:1:2") is None


def test_equal_names_are_told_apart() -> None:
    first, second = ir.types.ClassType("C", {"x": INT}), ir.types.ClassType("C", {"y": INT})
    functions = []
    for kind in (first, second):
        function = ir.Function("f", [ir.Param("c", kind), ir.Param("n", INT)], INT)
        ir.Builder(function).end("return", [function.body.params[1]])
        functions.append(function)
    text = ir.print_program(ir.Program(functions))
    again = ir.parse(text)
    assert ir.print_program(again) == text
    kinds = [function.params[0].type for function in again.functions]
    assert [list(kind.attributes) for kind in kinds if isinstance(kind, ir.types.ClassType)] == [["x"], ["y"]]
    assert [function.name for function in again.functions] == ["f", "f"]


FLOATS = ["0.0", "-0.0", "1e+300", "inf", "-inf", "nan", 'nan("7ff8000000000001")', 'nan("fff8000000000000")', "0.1"]


@pytest.mark.parametrize("spelled", FLOATS)
def test_floats_keep_their_bits(spelled: str) -> None:
    text = f"fn f() -> float {{\n  %x : float = const {spelled}\n  return %x\n}}\n"
    assert ir.print_program(ir.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fn f() -> int {\n  return %x\n}", "line 2, column 10: %x is not defined here"),
        ("fn f() -> int {\n  %a : int = const x\n}", "line 2, column 20: expected an integer, found 'x'"),
        ("fn f() -> int {\n  %a : int = const 99999999999999999999\n}", "line 2, column 20: an int has 64 bits"),
        ("fn f() -> Foo {\n  unreachable\n}", "line 1, column 11: the type Foo is not declared"),
        ("fn f() -> int {\n  break @l1\n}", "line 2, column 9: there is no label @l1"),
        ("fn f() -> int {\n  %a : int = call g()\n}", "line 2, column 19: there is no function g"),
        ("fn f() -> int {", "line 1, column 16: expected an operator, found 'end of text'"),
        ("what", "line 1, column 1: there is no section 'what'"),
        ("fn f() -> int {\n  $\n}", "line 2, column 3: unexpected '$'"),
        ("fn f(%a : int, %a : int) -> int {\n}", "line 1, column 16: %a is defined twice"),
        ("state { @0 : int { } }", "line 1, column 9: int is no type of objects"),
        ("enum E : int { A = 1 }\nfn f() -> E {\n  %a : E = const B\n}", "line 3, column 18: E has no member B"),
    ],
)
def test_errors_name_the_place(text: str, message: str) -> None:
    with pytest.raises(ir.ParseError) as caught:
        ir.parse(text)
    assert str(caught.value) == message


def test_deep_nesting_is_an_error_not_a_crash() -> None:
    for text in ("fn f() -> " + "list[" * 5000 + "int" + "]" * 5000, "fn f() -> int {" + "block @b {" * 5000):
        with pytest.raises(ir.ParseError, match="nested|too deep"):
            ir.parse(text)
