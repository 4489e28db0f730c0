"""Writes the seeds of the file fuzzer: `python make_seeds.py FOLDER` makes about fifty small .tsm files.
`python make_seeds.py --header FILE` writes five of them as C arrays: tests/c/programs.h.

In: programs of tests/programs, before and after the passes, and IR text for what the front end does not make by itself
(try, cells, sets, Any, cyclic classes, state with sharing). Out: FOLDER/*.tsm. Holds: every structural node is in some
seed, and tensors are small, so that a mutation hits structure rather than weights.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import tsm
from tsm import ir, serialize

HERE = Path(__file__).resolve().parent
CORPUS = HERE.parent / "programs"
MAX_BYTES = 8192

# Functions and modules of the corpus; chosen so that most operators appear in some seed.
PROGRAMS = {
    "containers_corpus": ["arrange", "slice_assign", "shared_inner", "dict_update", "dict_loops", "grouped",
                          "text_methods", "text_search", "split_join", "sort_pairs", "to_text", "deep_mutation",
                          "starred_middle"],
    "control_corpus": ["collatz", "pair_with_sum", "all_exits", "raising", "unbound_target"],
    "functions_corpus": ["parity", "optional_truth", "union_three", "default_kinds"],
    "modules_corpus": ["History", "Cache", "Tied", "Residual", "Convolutions", "Trained", "Running"],
    "numbers_corpus": ["several_math", "literals"],
    "own_keys_corpus": ["crossing_keys"],
    "tensors_corpus": ["activations", "reductions", "pieces", "index_many", "assign_mask", "chain_in_place", "casts",
                       "factories", "attention", "spread", "convolution1", "embedded", "item_arithmetic"],
}  # fmt: skip

TRY = """
class Box { value : int; seen : Optional[list[int]] }

fn risky(%n : int, %log : list[int]) -> int {
  list.append(%log, %n)
  %zero : int = const 0
  %bad : bool = lt.int(%n, %zero)
  if (%bad) {
    %kind : str = const "ValueError"
    %any : Any = widen(%n)
    %text : str = str.any(%any)
    %e : exception = exception.new(%kind, %text)
    raise %e
  } else { yield }
  %hundred : int = const 100
  %q : int = floordiv.int(%hundred, %n)
  return %q
}

fn guarded(%n : int) -> tuple[int, str, int] {
  %log : list[int] = list()
  %start : int = const 1
  %cell : cell[int] = cell(%start)
  %empty : cell[list[int]] = cell()
  %r : int, %s : str = try {
    cell_set(%cell, %n)
    cell_set(%empty, %log)
    %q : int = call risky(%n, %log)
    %fine : str = const "fine"
    yield (%q, %fine)
  } except (%e : exception) {
    %zero : str = const "ZeroDivisionError"
    %is : bool = exception.matches(%e, %zero)
    if (%is) { yield } else {
      %v : str = const "ValueError"
      %other : bool = exception.matches(%e, %v)
      if (%other) { yield } else { raise %e }
      yield
    }
    %m : str = exception.message(%e)
    %minus : int = const -1
    yield (%minus, %m)
  }
  %got : int = cell_get(%cell)
  %again : list[int] = cell_get(%empty)
  %length : int = len.list(%again)
  %sum : int = add.int(%got, %length)
  %t : tuple[int, str, int] = tuple(%r, %s, %sum)
  return %t
}

fn unbound(%n : int) -> int {
  %cell : cell[int] = cell()
  %zero : int = const 0
  %set : bool = gt.int(%n, %zero)
  if (%set) { cell_set(%cell, %n) yield } else { yield }
  %got : int = cell_get(%cell)
  return %got
}

fn nested(%n : int) -> int {
  %one : int = const 1
  %zero : int = const 0
  %r : int = loop @l (%i = %zero, %acc = %zero) {
    %end : bool = ge.int(%i, %n)
    if (%end) { break @l (%acc) } else { yield }
    %part : int = try {
      %inner : int = try {
        %box : Box = new()
        set_attr(%box, value, %i)
        %back : Optional[list[int]] = get_attr(%box, seen)
        %q : int = mod.int(%n, %i)
        yield (%q)
      } except (%e : exception) {
        %name : str = const "AttributeError"
        %is : bool = exception.matches(%e, %name)
        if (%is) { yield } else { raise %e }
        %next0 : int = add.int(%i, %one)
        continue @l (%next0, %acc)
      }
      yield (%inner)
    } except (%e2 : exception) {
      break @l (%i)
    }
    %sum : int = add.int(%acc, %part)
    %next : int = add.int(%i, %one)
    continue @l (%next, %sum)
  }
  return %r
}

method guarded = guarded(n = 5)
method nested = nested(n)
method risky = risky(n, log!)
method unbound = unbound(n)
"""

TYPES = """
enum Color : int { RED = 1; GREEN = 2; BLUE = 7 }
enum Mode : str { FAST = "fast"; SLOW = "slow" }
namedtuple Point { x : int; y : float }
namedtuple Named { p : Point; c : Color; words : list[str] }

fn enums(%n : int) -> tuple[Color, Mode, dict[Color, int], set[Mode]] {
  %c : Color = const GREEN
  %b : Color = const BLUE
  %m : Mode = const SLOW
  %d : dict[Color, int] = dict(%c, %n, %b, %n, %c, %n)
  %s : set[Mode] = set(%m, %m)
  %t : tuple[Color, Mode, dict[Color, int], set[Mode]] = tuple(%c, %m, %d, %s)
  return %t
}

fn named(%x : int, %y : float) -> Named {
  %p : Point = tuple(%x, %y)
  %c : Color = const RED
  %w : str = const "w\\u00e9"
  %l : list[str] = list(%w, %w)
  %r : Named = tuple(%p, %c, %l)
  %q : Point = tuple_get(%r, 0)
  %k : int = tuple_get(%q, 0)
  %i : int = add.int(%k, %x)
  %p2 : Point = tuple(%i, %y)
  %r2 : Named = tuple(%p2, %c, %l)
  return %r2
}

fn keyed(%n : int, %x : float) -> int {
  %p : Point = tuple(%n, %x)
  %d : dict[Point, list[int]] = dict()
  %l : list[int] = list(%n)
  setitem.dict(%d, %p, %l)
  %same : list[int] = getitem.dict(%d, %p)
  list.append(%same, %n)
  %opt : Optional[list[int]] = dict.get(%d, %p)
  %is : bool = is_type(%opt, list[int])
  %r : int = if (%is) {
    %v : list[int] = narrow(%opt)
    %k : int = len.list(%v)
    yield (%k)
  } else {
    %zero : int = const 0
    yield (%zero)
  }
  return %r
}

fn constants(%n : int) -> tuple[str, bytes, complex, dtype, float, Optional[str], tuple[int, ...]] {
  %s : str = const "caf\\u00e9 \\u20ac"
  %b : bytes = const bytes "00ff10"
  %z : complex = const complex(-0.0, inf)
  %d : dtype = const float64
  %f : float = const nan
  %o : Optional[str] = const None
  %v : tuple[int, ...] = tuple(%n, %n, %n)
  %t : tuple[str, bytes, complex, dtype, float, Optional[str], tuple[int, ...]] = tuple(%s, %b, %z, %d, %f, %o, %v)
  return %t
}

method constants = constants(n)
method enums = enums(n = 3)
method keyed = keyed(n, x)
method named = named(x, *, y = 2.5)
"""

ANY = """
fn widen_all(%n : int, %x : float, %s : str, %l : list[int]) -> list[Any] {
  %a : Any = widen(%n)
  %b : Any = widen(%x)
  %c : Any = widen(%s)
  %d : Any = widen(%l)
  %t : tuple[int, str] = tuple(%n, %s)
  %e : Any = widen(%t)
  %r : list[Any] = list(%a, %b, %c, %d, %e)
  return %r
}

fn look(%a : Any) -> str {
  %is : bool = is_type(%a, int)
  %r : str = if (%is) {
    %i : int = narrow(%a)
    %w : Any = widen(%i)
    %t : str = str.any(%w)
    yield (%t)
  } else {
    %l : list[int] = narrow(%a)
    %b : Any = widen(%l)
    %t2 : str = repr.any(%b)
    yield (%t2)
  }
  return %r
}

fn compare(%a : Any, %b : Any) -> tuple[bool, bool, int] {
  %e : bool = eq.any(%a, %b)
  %i : bool = is.any(%a, %b)
  %h : int = hash.any(%a)
  %t : tuple[bool, bool, int] = tuple(%e, %i, %h)
  return %t
}

fn unions(%u : Union[int, str, list[float]], %o : Optional[int], %s : Scalar) -> Union[int, str, None, list[float]] {
  %w : Union[int, str, None, list[float]] = widen(%u)
  %is : bool = is_type(%w, str)
  %r : Union[int, str, None, list[float]] = if (%is) {
    %v : str = narrow(%w)
    %vv : str = add.str(%v, %v)
    %x : Union[int, str, None, list[float]] = widen(%vv)
    yield (%x)
  } else {
    %some : bool = is_type(%o, int)
    %y : Union[int, str, None, list[float]] = if (%some) {
      %k : int = narrow(%o)
      %i : int = int.Scalar(%s)
      %sum : int = add.int(%k, %i)
      %z : Union[int, str, None, list[float]] = widen(%sum)
      yield (%z)
    } else {
      %none : None = const None
      %z2 : Union[int, str, None, list[float]] = widen(%none)
      yield (%z2)
    }
    yield (%y)
  }
  return %r
}

method compare = compare(a, b)
method look = look(a)
method unions = unions(u, o, s)
method widen_all = widen_all(n, x, s, l)
"""

STATE = """
enum Color : int { RED = 1; GREEN = 2 }
namedtuple Point { x : int; y : float }
class Net (module) { weight : Tensor; tied : Tensor; column : Tensor; count : int; config : Config; any : Any;
                     points : tuple[Point, ...]; best : Union[int, str, list[int]]; scale : Optional[float];
                     me : Optional[Net]; bag : set[tuple[int, str]]; late : Optional[str] }
class Config { next : Optional[Config]; names : list[str]; again : list[str]; tensors : dict[str, Tensor];
               color : Color; seen : set[int]; rows : list[list[float]]; flags : list[bool]; anys : list[Any];
               kind : dtype }

fn Net.forward(self %self : Net, %x : Tensor) -> Tensor {
  %w : Tensor = get_attr(%self, weight)
  %v : Tensor = get_attr(%self, column)
  %n : int = get_attr(%self, count)
  %one : int = const 1
  %n.1 : int = add.int(%n, %one)
  set_attr(%self, count, %n.1)
  %alpha : Scalar = widen(%n.1)
  %w.1 : Tensor = add_.Tensor(%w, %w)
  %y : Tensor = mul.TensorScalar(%v, %alpha)
  %c : Config = get_attr(%self, config)
  %names : list[str] = get_attr(%c, names)
  %s : str = const "more"
  list.append(%names, %s)
  %t : dict[str, Tensor] = get_attr(%c, tensors)
  setitem.dict(%t, %s, %y)
  set_attr(%self, tied, %y)
  %o : Optional[Net] = widen(%self)
  set_attr(%self, me, %o)
  %z : Tensor = sum(%y)
  return %z
}

fn Net.grow(self %self : Net, %n : int) -> int {
  %zero : int = const 0
  %one : int = const 1
  %c : Config = get_attr(%self, config)
  %last : Config = loop @l (%i = %zero, %at = %c) {
    %end : bool = ge.int(%i, %n)
    if (%end) { break @l (%at) } else { yield }
    %new : Config = new()
    %next : Optional[Config] = widen(%at)
    set_attr(%new, next, %next)
    %names : list[str] = get_attr(%at, names)
    set_attr(%new, names, %names)
    %i.1 : int = add.int(%i, %one)
    continue @l (%i.1, %new)
  }
  set_attr(%self, config, %last)
  %any : Any = widen(%last)
  set_attr(%self, any, %any)
  %anys : list[Any] = get_attr(%c, anys)
  list.append(%anys, %any)
  %r : list[str] = get_attr(%last, names)
  %k : int = len.list(%r)
  return %k
}

fn Net.late(self %self : Net) -> Optional[str] {
  %l : Optional[str] = get_attr(%self, late)
  return %l
}

method forward = Net.forward(x) "Runs."
method grow = Net.grow(n = 2)
method late = Net.late()

state {
  @0 : Net { weight = tensor 0; tied = tensor 0; column = tensor 1; count = 3; config = @1;
             any = tuple[int, ...] (1, 2); points = ((1, 2.5), (3, -0.0)); best = list[int] @6; scale = 0.5; me = @0;
             bag = @7 }
  @1 : Config { next = @1; names = @2; again = @2; tensors = @3; color = RED; seen = @4; rows = @5; flags = @8;
                anys = @9; kind = float32 }
  @2 : list[str] { "a"; "b" }
  @3 : dict[str, Tensor] { "k" : tensor 1; "w" : tensor 0 }
  @4 : set[int] { 1; 2; 1000 }
  @5 : list[list[float]] { @10; @10 }
  @6 : list[int] { 5; 6 }
  @7 : set[tuple[int, str]] { (1, "x"); (2, "y") }
  @8 : list[bool] { True; False }
  @9 : list[Any] { Net @0; str "s"; float 1.5; Tensor tensor 1; list[Any] @9 }
  @10 : list[float] { 1.0; 2.0 }
}
tensor 0 : float32 (2, 3) strides (3, 1) offset 0 in storage 0
tensor 1 : float32 (2) strides (3) offset 1 in storage 0
metadata "author" = "me"
source "net.py" = "class Net: ..."
extra "x" = base64 "AAEC"
storage 0 = hex "0000803f0000004000004040000080400000a0400000c040"
"""

CONTROL = """
fn labels(%n : int, %m : int) -> tuple[int, int] {   # a.py:1:1-20 in labels
  %zero : int = const 0   # a.py:2:1 in labels < b.py:7:1 in main
  %one : int = const 1
  %a : int, %b : int = loop @outer (%i = %zero, %s = %zero) {
    %end : bool = ge.int(%i, %n)
    if (%end) { break @outer (%i, %s) } else { yield }
    %t : int = block @b {
      %r : int = loop @inner (%j = %zero, %u = %s) {
        %stop : bool = ge.int(%j, %m)
        if (%stop) { break @inner (%u) } else { yield }
        %big : bool = gt.int(%u, %n)
        if (%big) {
          %j.1 : int = add.int(%i, %one)
          continue @outer (%j.1, %zero)
        } else { yield }
        %eq : bool = eq.int(%j, %i)
        if (%eq) { break @b (%j) } else { yield }
        %u.1 : int = add.int(%u, %j)
        %j.2 : int = add.int(%j, %one)
        continue @inner (%j.2, %u.1)
      }
      yield (%r)
    }
    %i.1 : int = add.int(%i, %one)
    continue @outer (%i.1, %t)
  }
  %pair : tuple[int, int] = tuple(%a, %b)
  return %pair
}

fn swap(%a : list[int], %b : list[int], %n : int) -> list[int] {
  %zero : int = const 0
  %one : int = const 1
  %r : list[int] = loop @l (%x = %a, %y = %b, %i = %zero) {
    %end : bool = ge.int(%i, %n)
    if (%end) { break @l (%x) } else { yield }
    list.append(%x, %i)
    %i.1 : int = add.int(%i, %one)
    continue @l (%y, %x, %i.1)
  }
  return %r
}

fn endless(%n : int) -> int {
  loop @l (%i = %n) {
    %i.1 : int = xor.int(%i, %n)
    continue @l (%i.1)
  }
  unreachable
}

fn deep(%n : int) -> int {
  %one : int = const 1
  %m : int = add.int(%n, %one)
  %r : int = call deep(%m)
  return %r
}

method deep = deep(n)
method endless = endless(n)
method labels = labels(n, m = 3)
method swap = swap(a!, b!, n)
"""

# Something of everything that allocates: strings, lists, dicts, tensors, views, an exception.
WORK = """
fn work(%n : int, %words : list[str], %x : Tensor) -> tuple[str, dict[str, int], list[Tensor]] {
  %counts : dict[str, int] = dict()
  %parts : list[Tensor] = list()
  %0 : int = const 0
  loop @l0 (%1 = %0) {
    %2 : int = len.list(%words)
    %3 : bool = lt.int(%1, %2)
    if (%3) {
      yield
    } else {
      break @l0
    }
    %word : str = getitem.list(%words, %1)
    %4 : int = const 1
    %5 : int = add.int(%1, %4)
    %6 : int = dict.get.default(%counts, %word, %0)
    %7 : int = len.str(%word)
    %8 : int = add.int(%6, %7)
    %9 : str = str.upper(%word)
    setitem.dict(%counts, %9, %8)
    continue @l0 (%5)
  }
  loop @l1 (%i = %0) {
    %10 : bool = lt.int(%i, %n)
    if (%10) {
      yield
    } else {
      break @l1
    }
    %11 : int = const 1
    %12 : int = add.int(%i, %11)
    %13 : int = const -1
    %14 : list[int] = list(%13)
    %15 : Tensor = reshape(%x, %14)
    %i.1 : Scalar = widen(%i)
    %16 : Tensor = mul.TensorScalar(%15, %i.1)
    %17 : float = const 0.5
    %18 : Scalar = widen(%17)
    %19 : Tensor = add.TensorScalar(%16, %18)
    list.append(%parts, %19)
    %i.2 : Any = widen(%i)
    %20 : str = str.any(%i.2)
    %21 : str = const "!"
    %22 : str = add.str(%20, %21)
    setitem.dict(%counts, %22, %i)
    continue @l1 (%12)
  }
  %23 : bool = lt.int(%n, %0)
  if (%23) {
    %n.1 : Any = widen(%n)
    %24 : str = str.any(%n.1)
    %25 : str = const " is negative"
    %26 : str = add.str(%24, %25)
    %27 : str = const "ValueError"
    %28 : exception = exception.new(%27, %26)
    raise %28
  } else {
    yield
  }
  %29 : str = const ", "
  %30 : list[str] = list()
  %31 : int = len.dict(%counts)
  loop @l2 (%32 = %0) {
    %33 : int = dict.next(%counts, %32, %31)
    %34 : bool = ge.int(%33, %0)
    if (%34) {
      yield
    } else {
      break @l2
    }
    %35 : str = dict.key_at(%counts, %33)
    %36 : int = const 1
    %37 : int = add.int(%33, %36)
    list.append(%30, %35)
    continue @l2 (%37)
  }
  %38 : list[str] = sorted.list(%30)
  %text : str = str.join(%29, %38)
  %39 : Tensor = stack(%parts)
  %40 : int = const 1
  %41 : list[int] = list(%40)
  %42 : Tensor = sum.dim(%39, %41)
  %y : Tensor = contiguous(%42)
  %43 : Tensor = select.int(%y, %0, %0)
  %44 : float = const 1.0
  %45 : Scalar = widen(%44)
  %46 : Tensor = fill_(%43, %45)
  %47 : Tensor = mean(%y)
  %y.1 : Tensor = add_.Tensor(%y, %47)
  %48 : Tensor = exp(%y.1)
  %49 : Optional[int] = const 1
  %50 : Tensor = slice.Tensor(%48, %0, %49)
  list.append(%parts, %50)
  %51 : tuple[str, dict[str, int], list[Tensor]] = tuple(%text, %counts, %parts)
  return %51
}

method work = work(n, words, x!) "Something of everything that allocates: strings, lists, dicts, tensors, views, an exception."
"""

# A producer with steps after it, a mask, numbers, two results, a clamp, a text, and one that no fast path takes.
FUSED = """
fn cell(%x : Tensor, %w : Tensor, %c : Tensor, %s : Scalar) -> tuple[Tensor, Tensor] {
  %g : Tensor = fused (%x.1 = %x, %w.1 = %w, %c.1 = %c) {
    %m : Tensor = matmul(%x.1, %w.1)
    %a : Tensor = add.Tensor(%m, %c.1)
    %r : Tensor = relu(%a)
    yield (%r)
  }
  %h : Tensor, %k : Tensor = fused (%g.1 = %g, %c.2 = %c, %s.1 = %s) {
    %t : Tensor = tanh(%g.1)
    %u : Tensor = mul.TensorScalar(%t, %s.1)
    %b : Tensor = lt.Tensor(%u, %c.2)
    %v : Tensor = where(%b, %u, %t)
    %l : Tensor = clamp(%v)
    %e : Tensor = pow.TensorScalar(%v, %s.1)
    yield (%e, %b)
  }
  %result : tuple[Tensor, Tensor] = tuple(%h, %k)
  return %result
}

fn sum(%n : int) -> float {
  %two : int = const 2
  %shape : list[int] = list(%n, %two)
  %x : Tensor = ones(%shape)
  %zero : int = const 0
  %one : int = const 1
  %half : float = const 0.5
  %s : Scalar = widen(%half)
  %y : Tensor = loop @l0 (%i = %zero, %a = %x) {
    %z : Tensor = fused (%a.1 = %a, %s.1 = %s) {
      %p : Tensor = mul.TensorScalar(%a.1, %s.1)
      %q : Tensor = sigmoid(%p)
      %r : Tensor = sub.Tensor(%q, %a.1)
      yield (%r)
    }
    %next : int = add.int(%i, %one)
    %go : bool = lt.int(%next, %n)
    if (%go) {
      continue @l0 (%next, %z)
    } else {
      break @l0 (%z)
    }
    unreachable
  }
  %t : Tensor = fused (%y.1 = %y) {
    %d : Tensor = floor_divide.Tensor(%y.1, %y.1)
    %f : Tensor = gelu(%d)
    yield (%f)
  }
  %total : Tensor = sum(%t)
  %number : Scalar = item(%total)
  %value : float = float.Scalar(%number)
  return %value
}

method cell = cell(x, w, c, s)
method sum = sum(n)
"""

TEXTS = {"try": TRY, "types": TYPES, "any": ANY, "state": STATE, "control": CONTROL, "work": WORK, "fused": FUSED}


def corpus_module(name: str) -> object:
    """A module of tests/programs, with the oracle it imports beside it."""
    sys.path.insert(0, str(HERE.parent))
    spec = importlib.util.spec_from_file_location(name, CORPUS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def deep_text() -> str:
    """Blocks, a type, a constant and a value of the state, nested nearly as deep as a file may."""
    opens = ("block @b{0} {{ ", "if (%c) {{ ", "loop @l{0} (%i{0} = %n) {{ ", "try {{ ")
    closes = (
        " } unreachable",
        " } else { return %n } unreachable",
        " } unreachable",
        " } except (%e{0} : exception) { raise %e{0} } unreachable",
    )
    depth = 198
    body = "".join(opens[i % 4].format(i) for i in range(depth)) + "return %n"
    body += "".join(closes[i % 4].replace("{0}", str(i)) for i in reversed(range(depth)))
    kind, value = "int", "7"
    for _ in range(190):
        kind, value = f"tuple[{kind}]", f"({value})"
    return f"""
class Net (module) {{ any : Any; deep : {kind} }}
fn f(self %self : Net, %n : int, %c : bool) -> int {{ {body} }}
fn g(%n : int) -> str {{
  %k : {kind} = const {value}
  %a : Any = widen(%k)
  %r : str = repr.any(%a)
  %e : bool = eq.any(%a, %a)
  %h : int = hash.any(%a)
  return %r
}}
method f = f(n, c)
method g = g(n)
state {{ @0 : Net {{ any = {kind} {value}; deep = {value} }} }}
"""


def image_of(target: object, has_passes: bool = True) -> bytes:
    program = tsm.to_ir(target)
    if has_passes:
        ir.passes.run(program, ir.passes.NAMES)
    program.sources.clear()
    return serialize.dumps(program)


def written_images() -> dict[str, bytes]:
    """Those that are written here."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10_000))  # for what nests 198 deep
    texts = {**TEXTS, "deep": deep_text()}
    seeds = {name: serialize.dumps(ir.parse(text)) for name, text in texts.items()}
    sys.setrecursionlimit(limit)
    return seeds


def images() -> dict[str, bytes]:
    """The seeds by name."""
    seeds = written_images()
    for module_name, names in PROGRAMS.items():
        module = corpus_module(module_name)
        for name in names:
            source = getattr(module, name)
            seeds[name] = image_of(source() if isinstance(source, type) else source, len(seeds) % 2 == 1)
    return seeds


def header() -> str:
    """The written ones but the longest-running as C arrays."""
    lines = [
        "/* programs.h - small programs as bytes, for tests that need more than image.h makes. Written by",
        " * tests/fuzz/make_seeds.py --header; tests/test_hostile.py says when to write it again. */",
        "#ifndef TSM_TEST_PROGRAMS_H",
        "#define TSM_TEST_PROGRAMS_H",
        "",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "",
    ]
    seeds = {name: image for name, image in written_images().items() if name != "control"}
    for name, image in seeds.items():
        lines.append(f"static const uint8_t program_{name}[] = {{")
        lines += ["  " + "".join(f"{byte}," for byte in image[at : at + 28]) for at in range(0, len(image), 28)]
        lines.append("};")
    lines.append(
        "typedef struct program_image { const char *name; const uint8_t *bytes; size_t length; } program_image;"
    )
    lines.append("static const program_image programs[] = {")
    lines += [f'  {{"{name}", program_{name}, sizeof program_{name}}},' for name in seeds]
    return "\n".join([*lines, "};", "", "#endif", ""])


def main(arguments: list[str]) -> int:
    if arguments[0] == "--header":
        Path(arguments[1]).write_text(header(), encoding="utf-8")
        return 0
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, image in images().items():
        if len(image) > MAX_BYTES:
            print(f"{name} is {len(image)} bytes, more than {MAX_BYTES}: too large for a seed")
            return 1
        (folder / f"{name}.tsm").write_bytes(image)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
