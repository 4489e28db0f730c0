"""Idioms of tensors, refinement, classes and modules, and a few small whole programs.

In: nothing. Out: templates (see program_idioms.py). Holds: loops are over something short or count to a constant.
"""

from __future__ import annotations

from program_idioms import idiom

idiom("tensor operations", """
$t = tsm.tensor([<float>, 1.0, <float> % 8.0])
$u = $t ?{+~-~*} ?{2~0.5~$t}
$a: list[float] = $u.tolist()
$b: list[bool] = ($t > <int>).tolist()
$m: float = $t.max().item()
print($u.shape, $m, len($t), $a, $b, $u.dtype == $t.dtype)
@floats = [$e % 32.0 for $e in $a]
""")
idiom("tensor indexing", """
$t = tsm.arange(6).reshape(2, 3)
$t[<int> % 2, ?{0~1~-1}] = <int>
$t[:, ?{1:~:1~::2}] += #int
$a: list[list[int]] = $t.tolist()
$b: list[int] = $t[?{0~-1~..., 0~:, 1~1, :}].tolist()
$c: list[int] = $t[<int>].tolist()
print($a, $b, $c)
$n: int = $t[1, 2].item()
@int = $n % 1000
""")
idiom("tensor views", """
$t = tsm.zeros(4)
$v = $t[?{1:~::2~:2}]
$w = ?{$t.reshape(2, 2)~$t.view(2, 2)~$t.clone().reshape(2, 2)}
$v[0] = <float> % 32.0
$w[1] = ?{2.5~-1.0}
$t.add_(#int)
$a: list[float] = $t.tolist()
$b: list[float] = $v.tolist()
$c: list[list[float]] = $w.tolist()
print($a, $b, $c, $t.shape == (4,))
if $t[0] > <int>:
    print("yes")
""")
idiom("refinement", """
$m = <maybe>
if $m is ?{None~not None}:
    print("left", $m)
elif <bool>:
    print("right", $m)
$m = $m if $m is not None and $m ?{>~<} <int> else #int
@int = $m + 1
$o: Union[int, str, None] = <str> if <bool> else <maybe>
if $o is None:
    print("none")
elif isinstance($o, int):
    print($o + 1)
else:
    print($o + "s", len($o))
if not isinstance($o, str) and $o:
    print($o ?{-~+~*} 2)
""")
idiom("refinement", """
$m: Optional[list[int]] = <ints> if <bool> else None
while $m is None:
    $m = [<int>]
@ints = $m
$q = <maybe>
print($q + 1 if $q is not None else "none", $q is None or $q ?{>~<} 2, (($z := <maybe>) is not None and $z > 1))
""")
idiom("pruned branches", """
if $FLAG:
    print("flag", <int>)
else:
    print("no flag", <int>)
if TYPE_CHECKING or ?{$SIZE > 3~$SIZE == 2~False}:
    @int = <int>
elif isinstance(<int>, int):
    print("int")
""", """
$FLAG: Final = #bool
$SIZE: Final = ?{2~4}
""")
idiom("classes", """
$o = $C(<int>, <ints>)
$p = ?{$o~$C(<int>, <ints>)}
$p.size = <int>
$o.push(<int>)
print($o.size, $p.size, ($o + $p).n, $o == $p, $o is $p, $C.make(<int>).n, $C.twice(<int>), len($o), $o.items, $o[0], $C.LIMIT, $o < $p)
@int = $p.mix(<int>) % 1000
@ints = $o.items
$r = $p
$r.n += <int> % 50
print($p.n)
""", """
class $C:
    LIMIT = #int

    def __init__(self, n: int, items: list[int]) -> None:
        self.n = n
        self.items = items

    @property
    def size(self) -> int:
        return self.n ?{+~*} 2

    @size.setter
    def size(self, value: int) -> None:
        self.n = value ?{+~-} 1

    @staticmethod
    def twice(value: int) -> int:
        return value * 2

    @classmethod
    def make(cls, n: int) -> $C:
        return cls(n, [n])

    def mix(self, a: int) -> int:
        return <int> % 1000

    def push(self, a: int) -> None:
        if len(self.items) < 7:
            self.items.append(a)
        self.n = (<int>) % 1000

    def __add__(self, other: $C) -> $C:
        return $C(?{self.n - other.n~self.n + other.n}, ?{self.items~other.items})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, $C) and self.n == other.n

    def __lt__(self, other: $C) -> bool:
        return self.n < other.n

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, k: int) -> int:
        return self.items[k]
""", "a:int self.n:int self.items:ints self.LIMIT:int")
idiom("inheritance", """
$all: list[$B] = [$D(<int>), $B(<int>), $E(<int>)]
for $o in $all:
    print($o.act(<int>), $o.show(), isinstance($o, $D), $o.kind)
$x = $all[<int> % 3]
print($x.act(<int>), type($x).__name__ == "$D")
if isinstance($x, $D):
    print($x.extra, $x.more(<int>))
@int = sum($o.act(<int>) for $o in $all) % 1000
""", """
class $B:
    kind = "base"

    def __init__(self, n: int) -> None:
        self.n = n

    def act(self, a: int) -> int:
        return <int> % 1000

    def show(self) -> str:
        return "B" + str(self.act(?{1~2~self.n}))


class $D($B):
    kind = "derived"

    def __init__(self, n: int) -> None:
        super().__init__(n + #int)
        self.extra = n

    def act(self, a: int) -> int:
        self.n = (self.n + 1) % 50
        return super().act(?{a - 1~self.n}) - <int> % 1000

    def more(self, a: int) -> int:
        return <int> % 1000 + self.extra


class $E(?{$D~$B}):
    def show(self) -> str:
        return "E" + super().show()
""", "a:int self.n:int")
idiom("dataclasses", """
$a = $P(<int>, <ints>)
$b = $P(<int>, ?{$a.items~<ints>}, <str>)
print($a, $b, $a == $b, $a < $b, $a.total())
$a.n = <int>
$b.items.append(#int) if len($b.items) < 7 else None
@int = ($a.total() + $b.n) % 1000
@ints = $a.items
""", """
@dataclass(order=True)
class $P:
    n: int
    items: list[int]
    name: str = #str

    def total(self) -> int:
        return (?{self.n + len(self.items)~sum(self.items) - self.n}) % 1000
""")
idiom("module containers", """
@int = self.parts[<int> ?{% 2~& 1~% 3~}](<int>) % 1000
for $p in self.parts:
    @int = $p(<int>) % 1000
""", needs="parts")
idiom("module containers", """
print(len(self.parts), self.parts[0].count, [$p.count for $p in self.parts])
""", needs="parts")
idiom("whole programs", """
$q = [<int> % 6]
$seen = {$q[0]: 0}
while $q:
    $at = $q.pop(?{0~-1})
    for $to in [($at * 2) % 7, ($at + <int>) % 7]:
        if $to not in $seen:
            $seen[$to] = $seen[$at] + 1
            $q.append($to)
print($seen)
@int = max($seen.values())
""")
idiom("whole programs", """
$words: dict[str, int] = {}
for $w in <str>.split() + <texts>:
    $words[$w] = $words.get($w, 0) + 1
$best = sorted($words.items(), key=lambda e: (-e[1], e[0]))[:3]
print($best, ", ".join(f"{k}={v}" for k, v in $best))
$digits: list[int] = []
for $c in <str>:
    if not $c.isdigit(): continue
    $digits.append(int($c))
@ints = $digits
""")
idiom("whole programs", """
$beams: list[tuple[float, list[int]]] = [(0.0, [])]
for $step in range(3):
    $next: list[tuple[float, list[int]]] = []
    for $score, $tokens in $beams:
        for $token in range(3):
            $next.append(($score - (($token * <int> + $step) % 5) / 4, $tokens + [$token]))
    $next.sort(key=lambda e: (e[0], e[1]), reverse=True)
    $beams = $next[:2]
print($beams)
@ints = $beams[0][1]
""")
