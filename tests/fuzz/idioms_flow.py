"""Idioms of statements: assignment, loops, with, nested functions, generators, match, names.

In: nothing. Out: templates (see program_idioms.py). Holds: loops are over something short or count to a constant.
"""

from __future__ import annotations

from program_idioms import idiom

idiom("more assignment", """
$l = [<int>, <int>, #int, <int>]
$l[?{1:3~:2~2:~1:1}] = <ints>[:3]
del $l[?{0~-1~:1~::2}]
if ($n := len($l)) > ?{1~2~3}:
    print($n, $l)
$i = <int>
$i //= ?{2~3~-2~<int>}
@int = $i
@ints = $l
""")
idiom("more assignment", """
$a = $b = <ints>
if len($a) < 7: $a += [<int>]
print($a is $b, $b, [$y := <int>, $y + 1, $y * 2])
@ints = $b[:6]
""")
idiom("loop else", """
for $e in <ints>:
    if $e ?{>~==~<} <int>:
        print("found", $e)
        break
else:
    print("none", <int>)
$k = 4
while $k > 0:
    $k -= 1
    if $k == <int>: ?{break~continue}
else:
    print("end", $k)
for $e in (<int>, #int, 3):
    if $e < 0: ?{break~continue}
    print($e)
else:
    print("all")
""")
idiom("with", """
with $G(<str>) as $g:
    print("in", $g.n)
    if <bool>:
        raise ?{ValueError~KeyError~RuntimeError}(<str>)
    print(<ints>[<int>])
print("after")
""", """
class $G:
    def __init__(self, name: str) -> None:
        self.name = name
        self.n = len(name)

    def __enter__(self) -> $G:
        print("enter", self.name)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        print("exit", self.name, error is None)
        return ?{self.n > 1~True~False~error is None}
""")
idiom("with", """
for $k in range(3):
    with $G(<int>), $G($k):
        if $k == <int>: ?{break~continue~print("x")}
        print("body", $k)
""", """
class $G:
    def __init__(self, n: int) -> None:
        self.n = n

    def __enter__(self) -> int:
        print("enter", self.n)
        return self.n

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        print("exit", self.n)
""")
idiom("functions in functions", """
$c = 0

def $bump(k: int, by: int = #int) -> int:
    nonlocal $c
    $c = ($c + k * by) % 1000
    return $c

def $twice(f: Callable[[int], int], a: int) -> int:
    return f(f(a) % 50)

@int = $twice($bump, <int>)
print($c, $bump(<int>), $twice(lambda $e: $e + $c, <int>), $c)
$fs = [lambda: $i for $i in range(3)]
print([$f() for $f in $fs])
""", at_start=True)
idiom("functions in functions", """
$n = <int>
$get = lambda: $n
$n = $n + <int>
def $rec(k: int) -> int:
    return 0 if k <= 0 else (k + $n + $rec(k - 1)) % 1000
@int = $rec(<int> & 7)
print($get(), $n)
""", at_start=True)
idiom("generators", """
for $a in $count(<int> & 7, <int>):
    print($a, <str>)
    if $a > <int>: break
print(sum($count(3, <int>)), sorted($count(4, <int>)), sum($e for $e in <ints> if $e != <int>))
@ints = [$e % 100 for $e in $count(<int> & 3, 1)]
""", """
def $count(n: int, first: int) -> Iterator[int]:
    k = first
    try:
        for i in range(n):
            yield <int> % 1000
            k = (k * 2 + i) % 97
            if ?{k == 5~i > 4~k < -9}:
                return
        yield k
    finally:
        print("done", k)
""", "n:int k:int i:int first:int")
idiom("generators", """
$i = iter(<ints>)
print(next($i, #int), next($i, -1))
for $e in $i:
    print($e)
print(next((c for c in <texts> if len(c) > 1), "no"), list(map(len, <texts>)), dict(enumerate($e for $e in <ints>)))
""")
idiom("generators", """
$g = $steps(<int> & 7, <ints>)
$h = $g
print(next($g, #int), [next($h, -1), next($g, -2)])
for $e in $g:
    print($e, len(<ints>))
    if $e > ?{4~<int>}: break
@int = sum($h) + next($g, 0)
$p = (c * 2 for c in <ints> if c != ?{1~#int})
print(next($p, None), list(zip($p, $p)), list($p))
""", """
def $steps(n: int, items: list[int]) -> Iterator[int]:
    for i in range(n):
        if i == ?{2~1~5}:
            items = items[:2]
        yield i * 2
        for k in items[:2]:
            yield (k + <int>) % 100
            if k == ?{3~#int}:
                return
""", "n:int items:ints i:int k:int")
idiom("match", """
match <int>:
    case 0:
        print("zero")
    case 1 | 2 | -1:
        print("few")
    case $n if $n > ?{5~3~9}:
        print("many", $n)
    case _:
        print("other")
match (<int>, <str>):
    case (0, $s):
        print("s", $s)
    case ($n, "a" | "b"):
        print("n", $n)
    case ($n, $s):
        print($n, $s)
""")
idiom("match", """
match <ints>:
    case []:
        print("empty")
    case [$a]:
        print("one", $a)
    case [$a, *$r] if ?{$a > 1~len($r) > 1}:
        print($a, $r)
    case [_, $b, *_]:
        print("second", $b)
match <str>:
    case "" | "a":
        print("short")
    case $t:
        print($t)
""")
idiom("mutated while iterated", """
$l = <ints>[:5]
for $e in $l:
    if len($l) < 9 and $e ?{>~<~!=} <int>:
        $l.?{append($e + 1)~pop()~insert(0, $e)~remove($e)}
    print($e, len($l))
@ints = $l[:6]
""")
idiom("mutated while iterated", """
$d = <table>.copy()
try:
    for $k in $d:
        if $d[$k] ?{>~<~!=} <int>:
            $d[$k + "?{x~}"] = <int>
        print($k)
except RuntimeError as $e:
    print($e)
print($d)
""")
idiom("mutated while iterated", """
$s = {1, 2, <int> % 5}
for $e in $s:
    if <bool>: $s.?{add~discard}(<int> % 7)
    print(len($s))
""")
idiom("names", """
if <bool>:
    $x = <int>
for $i in <ints>:
    $x = $i
try:
    print($x, $i)
except UnboundLocalError as $e:
    print($e)
print($N, [$i for $i in range(2)])
""", "$N = #int")
idiom("names", """
$v = <int>
if <bool>: del $v
print($v)
""")
