"""Idioms of types and expressions: what the rows of LANGUAGE.md's Types, Expressions, Text and Errors are written for.

In: nothing. Out: templates (see program_idioms.py). Holds: ints stay small; a text that is kept stays short.
"""

from __future__ import annotations

from program_idioms import idiom

# Types
idiom("bytes", """
$b = <str>.encode()
@int = len($b) + ($b[0] if $b else #int)
print($b, $b + bytes([<int> & 255, 65]), $b[::-1], <int> & 255 in $b)
@str = $b.decode()[:12]
""")
idiom("bytes", """
$b = bytes([($e * <int!>) & 255 for $e in range(4)])
print($b.hex(), $b[1:3], $b < b"ab", $b == <str>.encode(), list($b))
@ints = list($b[?{:2~1:~::2~::-1}])
""")
idiom("annotations", """
$a: "list[tuple[int, str]]" = [(<int>, <str>), (#int, #str)]
$d: dict[str, Optional[int]] = {#str: <maybe>, "k": #int}
@int, @str = $a[<int> % 2]
@maybe = $d.get(<str>)
""")
idiom("annotations", """
$u: int | str = <int> if <bool> else <str>
if isinstance($u, str):
    print($u + "!", len($u))
else:
    print($u + 1)
print($u)
""")
idiom("named tuples", """
$p = $P(<int>, <str>)
$q = $p._replace(a=<int>)
print($p, $q, $p == $q, $p.total(), $p._asdict(), $p[0], len($q))
@int, @str, _ = $q
@int = ($p.a + $q.c) % 1000
""", """
class $P(NamedTuple):
    a: int
    b: str
    c: int = #int

    def total(self) -> int:
        return (?{self.a + self.c~self.a * 2 - self.c~len(self.b) - self.a}) % 1000
""")
idiom("enums", """
$c = $E(<int> % 3 + 1)
$d = $E[?{"RED"~"GREEN"~"BLUE"}]
print($c, $c.name, $c.value, $c is $d, $c == $E.RED, [$e.name for $e in $E])
$t = {$E.RED: <int>, $d: <int>}
@int = $t.get($c, #int)
""", """
class $E(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
""")
idiom("enums", """
$c = $E.LOW if <bool> else $E.HIGH
print($c + <int>, $c < $E.HIGH, $c.name, int($c), $c == <int>)
@int = $c.value
""", """
class $E(IntEnum):
    LOW = auto()
    HIGH = ?{auto()~7~4}
""")
idiom("sets", """
$s = set(<ints>)
$s.add(<int>)
$s.discard(<int>)
$o = {<int>, #int, #int}
print(len($s), sorted($s ?{&~|~-~^} $o), <int> in $s, $s ?{<=~<~==~!=~>=} $o, $s.isdisjoint($o))
if $s:
    $s.remove(<int>)
@ints = sorted($s)[:6]
""")
idiom("sets", """
$s = {$e % 3 for $e in <ints>}
$f = set(<ints>)
print(sorted($s | $f), len($f), <int> in $f, $f == $s, $s - $f == set(), len($s ^ $f))
$s.update(<ints>)
@int = sum($s) % 1000
""")
idiom("abstract types", """
@int = $first(<ints>, <int>) % 1000
@str = $first(<texts>, <str>)
print($length(<ints>), $length(<texts>))
""", """
def $first(items: Sequence[T], other: T) -> T:
    for item in items:
        if ?{item == other~item != other~len(items) > 2}:
            return item
    return other


def $length(items: Sequence[T]) -> int:
    return len(items) * #int
""")
idiom("abstract types", """
@int = $apply(lambda $e: $e * 2 - #int, <int>) % 1000
print($spread((<int>, <int>, #int)), $mode(?{"up"~"down"}, <int>))
""", """
def $apply(function: Callable[[int], int], value: int) -> int:
    return function(function(value))


def $spread(values: tuple[int, ...]) -> int:
    return sum(values) - len(values)


def $mode(way: Literal["up", "down"], value: int) -> int:
    return value + 1 if way == "up" else value - 1
""")
idiom("unannotated", """
@int = $h(<int>, <int>) % 1000
@str = $h(<str>, #str)[:12]
""", """
def $h(a, b, times=2):
    return ?{a + b~(b + a) * times~a * times + b}
""")
idiom("numbers meet", """
$n: Union[int, float] = <int> if <bool> else <float>
for $e in <ints>:
    $n = $n ?{+~-~*} ?{1~0.5~2}
    if abs($n) > 1000: break
print($n, isinstance($n, int), max($n, 2), min(2.0, $n))
@bool = $n > <int>
""")
idiom("numbers meet", """
print([<int>, <float>], sum([<float>, 0.5]), max(<int>, <float>), True + <int>, (<int> or <float>))
@float = <int> / 4 + <float>
""")
# Expressions
idiom("python answers", """
print(<int> // ?{3~-3~<int>}, <int> % ?{-7~7~<int>}, divmod(<int>, #int or 3), -7 // 2, (<int> & 7) ** 2)
print(round(<float>, 1), round(<float> % 100.0), <float> % 3.0, <float> // ?{0.5~-2.0~<float>}, float("nan") == float("nan"))
@float = (<float> or #float)
@int = (<int> and <int>)
""")
idiom("overflow", """
$big = 9223372036854775807 - (<int> & 3)
print($big, -$big - 1, $big // 3, $big % 1009, $big & 255)
@int = $big % 1009
if <bool> and $big - (<int> & 7) ?{>~!=} #int:
    print($big ?{- 1~* 1~>> 3~^ 5}, -9223372036854775808, $big - (<int> & 7), $big * ?{1~0~-1})
""")
idiom("calls", """
print($h(<int>, *[<int>, <int>]), $h(<int>, b=<int>, k=#int), $h(*(<int>, #int), **{"k": <int>}))
@int = $all(<int>, <int>, x=<int>, y=#int) % 1000
@ints = [*<ints>, *range(<int> & 3), <int>][:7]
print({**<table>, "z": <int>}, {"z": 0, **<table>})
""", """
def $h(a: int, b: int = #int, c: int = #int, *, k: int = 2) -> int:
    return <int> % 1000


def $all(*values: int, x: int = 1, **more: int) -> int:
    total = x
    for value in values:
        total = total * 2 + value
    for name, value in more.items():
        total += value * len(name)
    return total
""", "a:int b:int c:int k:int")
idiom("formatting", """
print(f"{<int!>:?{5d~>6~<6~^7~+d~04~x~#b~,~08.2f~e}}|{<float!>:?{.2f~8.3f~e~.3g~+.1f~%~}}|{<int!>!r:>5}")
@str = "?{%d-%s~%5d|%-4s~%x %r~%+d%%%s}" % (abs(<int>), <str!>)
print("{1!r} {0:>4}".format(<int>, <str>), "{a:.1f} {b}".format(a=<float>, b=<ints>))
print(format(<int>, ?{"d"~"04x"~",d"~">7"~"b"}), format(<float>, ?{".3f"~"e"~"g"~""}), f"{<bool!>} {<bool!>!s:^8}")
""")
idiom("functions as values", """
$f = [$one, $two][<int> % 2]
@int = $f(<int>) % 1000
$t = {"a": $one, "b": $two}
for $k, $g in $t.items():
    print($k, $g(<int>), $N)
@int = $three(?{$one~$two}, <int>) % 1000
""", """
$N = #int


def $one(a: int) -> int:
    return a + $N


def $two(a: int) -> int:
    return a * 3 - $N


def $three(f: Callable[[int], int], a: int) -> int:
    return f(f(a) % 100)
""")
idiom("functions as values", """
@int = $fact(<int> & 7) % 1000
print($even(<int> & 7), getattr("ab", "upper")())
""", """
def $fact(n: int) -> int:
    return 1 if n < 2 else n * $fact(n - 1)


def $even(n: int) -> bool:
    return True if n == 0 else $odd(n - 1)


def $odd(n: int) -> bool:
    return False if n == 0 else $even(n - 1)
""")
idiom("builtins", """
print(max(<ints>, default=#int), sorted(<texts>, key=len, reverse=<bool!>), sum(<ints>, #int), hex(<int>), bin(<int>), oct(<int>))
print(list(zip(<ints>, <texts>)), list(enumerate(<texts>, #int)), list(reversed(<ints>)), divmod(<int>, 4), pow(<int> & 7, 3))
print(min(<texts>, key=lambda $e: len($e), default=""), int("?{12~-7~0x1f~1_0~ab}", ?{10~16~0}), ord("a"), chr(97 + (<int> & 7)), type(<int>).__name__)
@ints = list(map(lambda $e: $e % 7, filter(lambda $e: $e ?{>~!=~<} #int, <ints>)))
""")
idiom("math", """
print(math.floor(<float> % 1000.0), math.ceil(<float> % 64.0), math.sqrt(abs(<float>)), math.gcd(<int>, <int>), math.trunc(<float> % 9.0))
print(math.isclose(<float>, <float>), math.copysign(1.0, <float>), math.comb(5, <int> & 3), math.factorial(<int> & 7), math.isqrt(<int> & 255))
@float = math.fmod(<float>, ?{3.0~0.7~<float>})
""")
idiom("str methods", """
$s = <str>
print($s.?{upper()~lower()~title()~swapcase()~capitalize()}, $s.?{center(7)~ljust(6, ".")~rjust(6)~zfill(5)}, $s.partition(?{","~"b"}))
print($s.?{startswith("a")~endswith("b")~isdigit()~isalpha()~isspace()~isascii()~isalnum()}, $s.find(<str>), $s.count("a"), $s.split(?{","~~"b"}))
@str = ?{"-".join(<texts>)[:12]~$s.replace("a", <str!>)[:12]~$s.strip(" a")~$s.removeprefix("a")~$s.removesuffix("b")}
print($s.?{rfind~index~rindex}("?{a~b~z}"), $s.splitlines(), $s.casefold(), $s.expandtabs(4), $s.rsplit(",", 1))
""")
idiom("list methods", """
$l = <ints>[:6]
$l.append(<int>)
$l.insert(<int>, #int)
print($l, $l.index(<int>) if <int> in $l else -1, $l.count(<int>), $l ?{<~<=~==~>} <ints>, $l[?{1:~:-1~::-1~-2:~::2}])
$l.sort(key=lambda $e: ?{-$e~$e % 3~abs($e)}, reverse=<bool!>)
$l.reverse()
$l.extend($l[:2])
@ints = $l.copy()[:6]
print($l.pop(?{0~-1~<int>}), $l)
""")
idiom("tuples", """
$t = (<int>, <str>, <int>)
print($t + (<int>,), $t[1:], $t[::-1], $t == (<int>, <str>, #int), len($t), (<int>, <int>) < (<int>, #int), (<int>, #str) * 2)
for $e in (<int>, #int, <int>):
    print($e)
@int, @str = $t[2], $t[1]
($a, $b), *$c = ((<int>, <str>), <int>, <int>)
@ints = $c
""")
idiom("dict methods", """
$d = <table>.copy()
print($d.get(<str>), $d.pop(<str>, #int), $d.setdefault(#str, <int>), list($d.items()), $d | {"q": <int>}, <str> in $d)
$d.update({#str: <int>, **<table>})
$d |= {"w": #int}
print(list($d), $d == <table>, dict.fromkeys(<texts>, #int), dict(zip(<texts>, <ints>)), $d.popitem())
@ints = list($d.values())[:6]
""")
idiom("identity", """
$a = <ints>
$b = ?{$a~list($a)~$a[:]}
$a.append(#int) if len($a) < 7 else None
print($a is $b, $a == $b, $a is not $b, any(10 // $e > 1 for $e in [1, <int>, 0]))
$d = <table>.copy()
$k = $d.keys()
$d["zz"] = <int>
print(list($k), len($k), ?{"zz"~<str>} in $k)
@ints = $b
""")
idiom("unicode", """
$s = ?{"naïve"~"Straße"~"ÀÉ"~"日本語"~"a😀b"~"ǆ"} + <str!>
print(len($s), $s.upper(), $s.lower(), $s[::-1], $s.isalpha(), $s[1], $s.find("a"), $s.encode(), repr($s), $s.title(), $s < <str>)
for $c in $s[:4]:
    print(ord($c), $c.isupper(), $c.isdigit())
""")
idiom("errors", """
try:
    print([1, 2][<int>], {"a": 1}[<str>], int(<str>), <ints>[0] // <int>, <texts>.index("zz"))
except ?{(IndexError, KeyError)~LookupError~Exception~ArithmeticError~ValueError} as $e:
    print(type($e).__name__, $e, repr($e), $e.args)
""")
idiom("errors", "print(<ints>[<int>], <table>[<str>], int(<str>), float(<str>), <str>[<int>], <ints>.pop(<int>))")

# Evaluation order, and containers that take in others
idiom("list methods", """
$a = [<int> % 100, #int, #int, <int!>]
$b = $a
print($a, $b.pop(), [*$a, $b.pop(), *$b, len($a)], sep=str(len($b)), end="|\\n")
$a.extend(len($b) + $e for $e in range(?{2~3}))
$a += ?{range(2)~(7, #int)~dict([(#int, 1)])~($e * 2 for $e in $b[:2])~map(len, <texts>)}
@int = $a[-1] + $b[0]
print("%s %r" % ($a, $b.pop()), f"{$a!r:>{$b.pop() % 9 + 30}}", (*$a, $b.pop(), *$a[:2]))
@ints = [*$b[:3], len($a)]
""")
idiom("dict methods", """
$d = OrderedDict([(<str>, <int>), ("k", #int)])
$d["last"] = len($d)
$d.move_to_end(?{"k"~"last"~list($d)[0]}, last=?{True~False~<bool>})
print($d, list(reversed($d)), $d == OrderedDict([("k", #int)]), $d == {"k": #int}, {**$d, "z": $d.popitem(last=<bool>)[1], **$d})
@int = sum($d.values()) % 1000
""")
idiom("dict methods", """
$c = Counter(<texts>)
$c.update(?{"abca"~<texts>~["a", "b"]})
$c["a"] += <int> % 9
$c.subtract(["b"])
print($c == Counter("ab"), $c["missing"], $c.total(), sorted($c.items()), $c.most_common(1)[0][1], +$c - Counter("a") == $c)
@int = $c.total()
""")
idiom("dict methods", """
$g: defaultdict[int, list[int]] = defaultdict(list)
for $e in <ints>:
    $g[$e % 3].append($e)
$n: defaultdict[str, int] = defaultdict(int)
for $t in <texts>:
    $n[$t[:1]] += len($t)
print($g, $n, $g.get(7), 7 in $g, len($g[?{7~<int> % 3}]), len($g))
@int = sum($n.values())
""")
