"""Evaluation order: every form of expression and statement in which a later operand changes an earlier one.

In: the forms below, one a line; `;;` stands for a new line. Out: a program of each, compared with
plain Python on the scripted road, those on tensors on every road and with PyTorch; of the expressions also those in
which one variable is not bound yet, so that what stands before it runs and what stands after it does not.
"""

from __future__ import annotations

import io
import linecache
import sys
import tokenize
import types
from collections.abc import Iterator

import pytest

import oracle
from oracle import Program, T

SCALARS = '''
from __future__ import annotations
from dataclasses import dataclass
from typing import NamedTuple
import math

@dataclass
class Hand:
    x: int
    cards: list[int]

    def __str__(self) -> str:
        return f"Hand<{self.x}, {self.cards}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.cards == other.cards

    def __add__(self, other: list[int]) -> list[int]:
        return self.cards + other

    def __lt__(self, other: "Hand") -> bool:
        return self.cards < other.cards

    def __getitem__(self, i: int) -> int:
        return self.cards[i]

    def __setitem__(self, i: int, value: int) -> None:
        self.cards[i] = value + self.x

    def __contains__(self, value: int) -> bool:
        return value in self.cards

    def __len__(self) -> int:
        return len(self.cards)

class Pair(NamedTuple):
    a: list[int]
    b: int

def take(a: list[int]) -> int:
    return a.pop()

def draw(p: Hand) -> int:
    p.x += 1
    return p.cards.pop()

def take_item(d: dict[str, int]) -> int:
    return d.pop(list(d)[-1])

def take_most(s: set[int]) -> int:
    value = max(s)
    s.remove(value)
    return value

def parts(a: list[int], n: int, *rest: int, k: int = 3, z: int = 4) -> list[int]:
    return [len(a), n, k, z, *rest]

def fail(a: list[int]) -> int:
    a.append(99)
    raise ValueError(str(a))

def main(a: list[int], b: list[int], d: dict[str, int], s: set[int]):
    p = Hand(5, a)
BODY
    return a, b, d, sorted(s), p.x
'''
TENSORS = '''
from __future__ import annotations
import tsm
from tsm import Tensor

def bump(t: Tensor) -> Tensor:
    t.add_(1.0)
    return t

def double(t: Tensor) -> Tensor:
    t.mul_(2.0)
    return t.sum()

def lift(t: Tensor) -> float:
    t[0] = t[0] + 3.0
    return float(t[0].item())

def set_two(t: Tensor) -> Tensor:
    t[1:3] = 7.0
    return t[:2]

def main(t: Tensor, u: Tensor):
BODY
    return result, t, u
'''
EXPRESSIONS = r"""
a + [take(a)]
[take(a)] + a
a == [take(a)]
a != [0, 1, 2, 3, take(a)]
a < [take(a)]
a * (take(a) % 3)
(take(a) % 3) * a
a[take(a) - 6]
a[take(a) - 6:]
a[take(a) - 7:len(a)]
a[::take(a) - 5]
take(a) in a
7 in a + [take(a)]
a.index(take(a) - 3)
a.count(take(a) - 2)
max(a, [take(a)])
min(a, [take(a)], a)
sum(a, take(a))
sorted(a, reverse=take(a) > 3)
sorted(a, key=lambda v: v * take(b))
sorted(b, key=lambda v: -v + len(a), reverse=take(a) > 3)
len(a) + take(a) + len(a)
take(a) - take(a) * take(a)
list(zip(a, [take(a), take(a)]))
list(enumerate(a, take(a)))
[*a, take(a), *a]
(a, take(a))
(take(a), a, take(a))
{take(a): a, take(a): list(a)}
{take(a): take(a), take(a): take(a)}
[a, a + [take(a)], a]
a if take(a) else b
[len(a) if take(a) % 2 else take(a), len(a)]
take(a) and a
take(a) < len(a) < take(a)
len(a) > take(a) > len(b) > take(b)
f"{a}{take(a)}{a}"
f"{len(a):{take(a)}}|{a!r:>{take(a) + 30}}"
"{}{}{}".format(a, take(a), a)
"{1}{0}{1}".format(a, take(a))
"{a}{b}".format(a=a, b=take(a))
"%s %s" % (a, take(a))
"%s %d" % (a, take(a))
"%d %s" % (take(a), a)
str(a) + str(take(a)) + str(a)
" ".join([str(a), str(take(a)), str(a)])
repr(a).replace(str(take(a)), str(a))
str(a).split(str(take(a)))
isinstance(a, list) and take(a) and a
all(v < take(b) for v in a)
any(take(a) == v for v in a)
[v + take(b) for v in a if len(b) > 1]
[v + w for v in a for w in [take(b)] if len(b) > 1]
{v: take(b) for v in a[:3]}
list(map(lambda v: v + take(b), a[:3]))
list(filter(lambda v: v < take(b), a[:3]))
sum(take(a) for _ in range(take(a) - 4))
divmod(len(a), take(a))
pow(take(a), take(a), take(a))
round(len(a) / take(a), take(a))
list(range(len(a), take(a) * 2, take(a) - 3))
range(take(a), take(a))[0] if take(a) > 9 else 0
parts(a, take(a))
parts(a, take(a), take(a), k=take(a), z=len(a))
parts(a, take(a), z=take(a), k=len(a))
parts(k=take(a), a=a, n=take(a))
Hand(take(a), a)
Hand(cards=a, x=take(a)).x
Pair(a, take(a))
Pair(b=take(a), a=a)
Pair(a, take(a))._replace(b=take(a))
(lambda u, v: (len(u), v))(a, take(a))
a is (a if take(a) else b)
a.copy() + [take(a)]
a[0] + take(a) + a[-1]
a[-1] + take(a) + a[-1]
a[-1] * take(a)
-a[-1] + take(a)
(a[-1], take(a), a[-1])
[a[-1], take(a), a[-1]]
a[-1] == take(a)
a[-1] if take(a) == 7 else a[-2]
d["a"] + take_item(d)
len(d) + take_item(d) + len(d)
d.get("c", take_item(d))
d.get("a", take_item(d)) + len(d)
d.setdefault("zz", take_item(d)) + len(d)
d.pop("c", take_item(d))
{**d, "z": take_item(d)}
{"z": take_item(d), **d}
d | {"q": take_item(d)}
{"q": take_item(d)} | d
"c" in d and take_item(d) and "c" in d
list(d.items()) + [("q", take_item(d))]
list(d)[take_item(d) - 3]
(d, take_item(d), d)
d == {"a": 1, "b": take_item(d) - 1}
[take_item(d), len(d), *d]
s | {take_most(s)}
s - {take_most(s)}
s & {take_most(s), take_most(s)}
s == {1, take_most(s)}
s <= {1, 2, take_most(s)}
take_most(s) in s
s.union([take_most(s)])
s.difference([take_most(s)], s)
len(s) + take_most(s) + len(s)
(s, take_most(s), len(s))
p + [draw(p)]
p == Hand(1, [draw(p)])
p < Hand(1, [draw(p)])
p[0] + draw(p) + p[-1]
p[-1] + draw(p)
p.x + draw(p) + p.x
(p.x, draw(p), p.x)
(p.x, p.cards, draw(p))
draw(p) in p
len(p) + draw(p)
f"{p}{draw(p)}{p}"
f"{p.x}{draw(p)}{p.x}"
str(p) + str(draw(p)) + str(p)
p.cards[draw(p) - 5:]
[p.x, draw(p), p.x]
parts(p.cards, draw(p))
max(p.x, draw(p), p.x)
min(len(a), take(a), len(a))
max(len(a), take(b), key=lambda v: v - take(a))
max([take(a), take(a)], default=take(a))
max(a[:0], default=take(a))
next(iter(a), take(a))
abs(take(a) - len(a))
int(str(take(a)), take(a) + 10)
chr(97 + take(a)) + chr(97 + len(a))
tuple(a) + (take(a),)
tuple(a) == (0, take(a))
tuple(a)[take(a) - 7:]
list(reversed(a)) + [take(a)]
bool(a) and not take(a)
not take(a) or len(a)
(w := take(a)) + w + len(a)
[w := take(a), w, len(a), (w := take(a)), w]
take(a) << take(a) | len(a)
~take(a) & take(a)
float(take(a)) / take(a)
complex(take(a), take(a))
[[take(a)] * 2, [take(a)] * take(a)]
[i for i in range(take(a)) if i != take(b) or len(b) > 2][:9]
math.hypot(take(a), take(a))
math.pow(take(a), take(a))
"x".ljust(take(a), "abcdefg"[take(a)])
"abcdefg"[take(a) - 6:take(a) - 1]
"abcdefg".find("f", take(a) - 6, take(a))
fail(a) + take(a)
take(a) + fail(a)
[take(a), fail(a), take(a)]
parts(a, take(a), fail(a), k=take(a))
{take(a): fail(a), take(a): 2}
f"{take(a)}{fail(a)}{take(a)}"
b.append(take(a) + len(b)) or len(b)
(a.pop(), a.pop(0), a)
a.pop(a.pop() - 6)
a.pop() - a.pop() * a.pop()
a.index(a.pop() - 1, a.pop() - 4)
[a.pop() for _ in a]
[a.append(5) or v for v in a if len(a) < 9]
"""
STATEMENTS = r"""
print(take(a), fail(a), take(a))
print(a, take(a), sep=str(a), end=str(take(a)))
a.extend([take(a), *a])
a.insert(take(a) - 5, len(a))
a.append(take(a))
b.extend(v + take(a) for v in b[:2])
d.update({"q": take_item(d), "r": len(d)})
d.update(k=take_item(d), j=len(d))
s.update([take_most(s), len(s)])
a[take(a) - 6] = take(a)
a[take(a) - 6] += take(a)
a[take(a) - 6], a[take(a) - 6] = take(a), take(a)
a[:take(a) - 4] = [take(a), take(a)]
a[len(a) - 3:] = [take(a)]
del a[take(a) - 6]
del a[take(a) - 6:]
del a[0], a[take(a) - 6]
d[str(take(a))] = take(a)
d[str(take(a))] = d["a"] = take(a)
d["a"] += take_item(d)
d[list(d)[-1]] = take_item(d)
d[str(take_item(d))] = take_item(d)
p[draw(p) - 6] = draw(p)
p[0] += draw(p)
p.x = draw(p)
p.x += draw(p)
p.x -= draw(p) * p.x
p.cards[draw(p) - 6] += p.x
p.x, p.cards[0] = draw(p), p.x
a += [take(a)]
a *= take(a) - 5
b = a; a += [take(a)]
b = a; a = a + [take(a)]
s |= {take_most(s)}
s -= {take_most(s)}
x = y = take(a); b.append(x * y)
x, y = len(a), take(a); b.append(x * y + len(a))
x, *y = take(a), *a; b.extend(y)
[x, y] = a.pop(), a.pop(); b.append(x - y)
(x, y), z = (take(a), take(a)), a; b.extend([x, y, *z])
a, b = b, a; a.append(take(b))
a, b[0] = b, take(a)
b[take(b)-take(b)], b = take(a), a
i = 0; i, b[i] = 2, take(a)
i = 0; i = b[i] = 2; b[i] = 77
for a[0] in range(take(a)): b.append(a[0])
for i, b[i % 2] in enumerate(a): b.append(take(b))
for v in a: b.append(v); a.pop()
for v in a[:]: b.append(v); a.pop()
for v in list(d): b.append(take_item(d))
for k, v in sorted(d.items()): b.append(v + take_item(d))
for v in range(len(a)): a.pop(); b.append(v)
for v, w in zip(a, a): b.append(v * w + take(a))
for v in reversed(a): b.append(v + take(a))
for v, w in enumerate(a): b.append(v + w + take(a))
while take(a) > take(a) - 3 and a: b.append(len(a))
while (v := take(a)) > 2: b.append(v)
if take(a) > len(a) and take(a): b.append(take(a))
assert take(a) > 90, str(a) + str(take(a))
assert take(a) > len(a) > take(a) > 90, f"{a}"
raise KeyError(take(a), len(a))
raise ValueError(str(take(a))) from KeyError(take(a))
return a[take(a) - 7:] if take(a) else b
return [take(a), len(a), take(a)]
with_a = a; a = [take(a)]; b.extend(with_a)
b = [take(a)] + b + [take(a)]; a.extend(b)
t = a, take(a), len(a); b.extend([t[1], t[2], *t[0]])
f = lambda: take(a); b.append(f() - f() * len(a))
f = a.pop; b.append(f() - f() * len(a))
g = a.append; a = [3]; g(5); b.extend(a)
g = (take(a) + v for v in a); b.extend(g)
g = [len(a)] * take(a); b.extend(g)
n = Pair(a, take(a)); a = [5]; b.extend(n.a)
n = Hand(take(a), a); a.append(n.x); b.extend(n.cards)
n = [[take(a)]] * 2; n[0].append(take(a)); b.extend(n[1])
try: b.append(fail(a) + take(a));;except ValueError as e: b.append(len(str(e)) + take(a))
try: b[take(a)] = fail(a);;except ValueError as e: b.append(len(str(e)) + take(a))
try: b[fail(a)] = take(a);;except ValueError as e: b.append(len(str(e)) + take(a))
try: b[99] = take(a);;except IndexError as e: b.append(take(a))
try: a[take(a) + 99] += take(a);;except IndexError as e: b.append(take(a))
try: d["zz"] += take_item(d);;except KeyError as e: b.append(take_item(d))
try: del d[str(take_item(d))];;except KeyError as e: b.append(take_item(d))
try: b.append(take(a) // (take(a) - take(a) - 1));;except ZeroDivisionError as e: b.append(take(a))
try: b.insert(take(a), b[take(a) + 9]);;except IndexError as e: b.append(take(a))
try: x, y, z = take(a), *a;;except ValueError as e: b.append(len(str(e)))
try: x, y = a[:take(a)]; b.append(1);;except ValueError as e: b.append(len(str(e)))
try:;;  for v in d: d[str(v) + "x"] = take_item(d);;except RuntimeError as e: b.append(len(str(e)))
match a:;;  case [x, y, *z] if take(a) > 90: b.append(x);;  case [x, *z, y]: b.extend(z); a.pop();;b.append(len(a))
match (len(a), take(a)):;;  case (8, x) if x > 90: b.append(x);;  case (x, 7): b.append(x + take(a))
"""
TENSOR_EXPRESSIONS = r"""
t + bump(t)
t * double(t)
t.sum() + double(t)
t.sum() * lift(t) + t.sum()
t[0] + lift(t)
t[0].item() + lift(t)
t[:2] + set_two(t)
(t + 1.0) + bump(t) + (t + 1.0)
(t * 2.0).sum() + double(t) + (t * 2.0).sum()
tsm.stack([t, bump(t), t + 1.0])
tsm.stack([t + 0.0, bump(t), t])
tsm.cat([t, set_two(t), t])
tsm.cat([t * 1.0, set_two(t), t])
tsm.where(t > 1.0, bump(t), t)
tsm.where(bump(t) > 1.0, t, -t)
tsm.where(t > 1.0, t * 2.0, bump(t))
tsm.exp(t) + tsm.exp(bump(t)) + tsm.exp(t)
tsm.exp(t) - tsm.exp(t) * double(t)
t.clone() + bump(t)
t.view(2, 2) + bump(t).view(2, 2)
t.reshape(2, 2).t() + bump(t).reshape(2, 2)
t.view(2, 2).sum(0) + set_two(t)
t.view(2, 2) @ bump(t).view(2, 2)
(t @ t) + double(t) + (t @ t)
tsm.dot(t, bump(t))
tsm.maximum(t, bump(t))
tsm.max(t) + double(t) + tsm.max(t)
t.mean() - lift(t) - t.mean()
t.softmax(0) + bump(t).softmax(0) + t.softmax(0)
t[t > 1.0] + 0.0 if lift(t) > 0 else t
t[tsm.tensor([0, 1])] + set_two(t)
t.index_select(0, tsm.tensor([0, 1])) + set_two(t)
t[0:2].add_(5.0) + t[0:2] + bump(t)[0:2]
t.relu_() + bump(t)
t.unsqueeze(0) + bump(t).unsqueeze(1)
t.expand(3, 4) + bump(t)
t.permute(0) + bump(t)
t.chunk(2)[0] + set_two(t)
t.split(2)[1] * 1.0 + set_two(t)
tsm.zeros(4).copy_(t) + bump(t)
tsm.zeros(4).add_(t) + bump(t) + tsm.zeros(4).add_(t)
(t, bump(t), t + 0.0)
[t, bump(t), t * 1.0]
(t.sum(), double(t), t.sum())
(t.sum().item(), lift(t), t.sum().item())
(t == bump(t)).sum()
(t.clone() == bump(t)).sum()
float(t.sum()) + lift(t) + float(t.sum())
t.add_(bump(u)) + u
t.add_(u) + t.sub_(u) + t
t.mul_(t) + t
t.copy_(u) + u.copy_(t * 2.0) + t
t.fill_(2.0) + u.fill_(3.0) + t + u
t.zero_() + t.add_(1.0)
u.view(-1)[0] + lift(u) + u.view(-1)[0]
t.sigmoid() * t + bump(t).sigmoid() * t
tsm.tanh(t).add_(t) + bump(t)
(t + u).mul_(2.0) + (t + u)
(t + u) + (t + u).mul_(2.0)
(t[0:2], set_two(t), t[0:2] + 0.0)
t.clamp(0.0, 1.0) + t.clamp_(0.0, 1.0) + t
t.sort().values + t.sort(descending=True).values + bump(t)
t.cumsum(0) + bump(t).cumsum(0) + t.cumsum(0)
t.flip(0) + bump(t).flip(0)
t.abs().neg_() + t.neg_()
t.masked_fill(t > 1.0, 0.0) + t.masked_fill_(t > 1.0, 0.0) + t
t.view(2, 2)[0] + set_two(t) + t.view(2, 2)[0]
t.view(2, 2)[:, 1].mul_(3.0) + t[1] + t.view(2, 2).sum()
t.float().add_(1.0) + t
t.to(tsm.float64) + bump(t)
t.contiguous().add_(1.0) + t
t.detach().add_(1.0) + t
"""
TENSOR_STATEMENTS = r"""
x = t; t = t + 1.0; x.add_(1.0); result = (x, t)
x = t; t += 1.0; result = (x, t)
x = t[1:]; t += 1.0; result = (x, t + x.sum())
x = t.view(2, 2); y = x[1]; t.mul_(2.0); y.add_(1.0); result = (x + 0.0, y + 0.0, t)
x = t + u; t.add_(1.0); y = t + u; result = (x, y)
x = t.sum(); t.add_(1.0); y = t.sum(); result = (x, y)
x = t.sum();;for i in range(3):;;  t.add_(x);;  x = t.sum();;result = (x, t)
x = t * 0.0;;for i in range(4):;;  x[i] = t[i] * 2.0;;  t[i] = x.sum();;result = (x, t)
x = t.clone();;for row in t.view(2, 2):;;  row.add_(x[0]);;  x[0] = row.sum();;result = (x, t)
x = [t, t];;for y in x:;;  y.add_(1.0);;result = (x[0], x[1])
x = [t + 0.0, t];;x[0] += 1.0;;x[1] += 1.0;;result = (x[0], t)
x = t.view(2, 2);;x[0], x[1] = x[1].clone(), x[0].clone();;result = (x, t)
x = t.view(2, 2);;x[0], x[1] = x[1], x[0];;result = (x, t)
x = t[0];;t[0] = 9.0;;y = t[0] + x;;result = (x, y)
x = t[0].item();;t[0] = 9.0;;y = t[0] + x;;result = (x, y)
x = t[:2];;t[:2] = t[2:];;result = (x + 0.0, t)
x = t[t > 1.0];;t[t > 1.0] = 0.0;;result = (x, t)
t[:2] += t[2:];;t[2:] -= t[:2];;result = (t, t.sum())
t[0] += 1.0; t[-1] *= t[0]; result = (t, t[0])
x = t.exp();;t.exp_();;result = (x, t)
x = t;;if t.sum() > 1.0:;;  t = t * 2.0;;else:;;  t.mul_(3.0);;x.add_(1.0);;result = (x, t)
x = t.expand(2, 4);;t.add_(1.0);;result = (x + 0.0, t)
x = u.sum(); u.add_(x); u.sub_(u.mean()); result = (x, u)
x = tsm.empty(4);;x.copy_(t);;t.zero_();;result = (x, t)
x = tsm.zeros(4);;y = x;;x = x + t;;y.add_(t);;y.add_(x);;result = (x, y)
x = t;;x = x * 2.0;;x.add_(1.0);;result = (x, t)
x = (t * 2.0).view(2, 2);;y = x.t();;x.add_(1.0);;result = (x, y + 0.0)
x = t.softmax(0);;x.mul_(2.0);;result = (x, t.softmax(0))
x = t.relu();;x.add_(t.relu());;t.sub_(x);;result = (x, t.relu())
try:;;  x = t + tsm.ones(3);;  t.add_(1.0);;except RuntimeError:;;  t.add_(5.0);;result = (t, t)
try:;;  t.add_(1.0);;  t.add_(tsm.ones(3));;except RuntimeError:;;  t.mul_(5.0);;result = (t, t)
try:;;  x = t[9];;except IndexError:;;  t.mul_(5.0);;result = (t, t)
x = t.sum();;t.add_(1.0);;assert float(x) < 1e9;;result = (x, t)
def g(q: Tensor) -> Tensor:;;  t.add_(q);;  return t * 2.0;;result = (g(t), g(u.view(-1)[:4]) + t)
x = {"a": t, "b": t + 1.0};;x["a"].add_(1.0);;x["b"] += x["a"];;result = (x["b"], t)
x = t.unsqueeze(0);;y = tsm.cat([x, x]);;x.add_(1.0);;result = (x, y)
x = tsm.stack([t, t]);;x[0].add_(1.0);;result = (x, t)
x = t.chunk(2);;x[0].add_(x[1]);;x[1].zero_();;result = (t, x[0] + x[1])
x = t.narrow(0, 1, 2);;x.fill_(t.sum().item());;result = (x + 0.0, t)
a = t + u.view(-1)[:4];;b = a * 2.0;;a.add_(b);;b.sub_(a);;c2 = a + b;;a.zero_();;result = (c2, a + b)
a = t * t;;b = t * t;;a.add_(1.0);;result = (a, b)
a = tsm.zeros(4); b = tsm.zeros(4); a.add_(t); result = (a, b)
a = tsm.zeros(4);;for i in range(3):;;  b = tsm.zeros(4);;  b.add_(t);;  a.add_(b);;result = (a, b) if True else (a, a)
a = t.sum(0, keepdim=True);;t.add_(a);;result = (a, t)
a = tsm.arange(4).float();;for i in range(3):;;  a, t = t, a + t;;result = (a, t)
a = t;;for i in range(3):;;  a = a.add_(1.0) if i % 2 == 0 else a + 1.0;;result = (a, t)
a = t;;while float(a.sum()) < 40.0:;;  a = a * 2.0;;  t.add_(1.0);;result = (a, t)
"""


CAUGHT = """  except (ValueError, IndexError, KeyError) as error:
    print(repr(error))
  finally:
    print(a, d, len(s), p.x)
"""


def forms(table: str) -> list[str]:
    return table.strip().splitlines()


def program_of(name: str, template: str, body: str) -> types.FunctionType:
    lines = body.replace(";;", "\n").splitlines()
    text = template.replace("BODY", "\n".join("    " + line for line in lines))
    filename = f"<{name}: {body}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = types.ModuleType(name)
    sys.modules[name] = module  # where dataclasses look for it
    exec(compile(text, filename, "exec"), module.__dict__)
    made = module.main
    assert isinstance(made, types.FunctionType)
    return made


def check_scalars(body: str) -> None:
    if "!r:>{" in body and sys.version_info >= (3, 12) or '"%s %s" %' in body and sys.version_info < (3, 11):
        pytest.skip("this Python has another order than 3.11")
    main = program_of("order", SCALARS, body)
    call = ([0, 1, 2, 3, 4, 5, 6, 7], [9, 8, 7, 6, 5, 4, 3, 2, 1], {"a": 1, "b": 2, "c": 3, "d": 4}, {1, 2, 3, 7})
    oracle.check_scripted(Program(body, lambda: main, [call], main))


def check_tensors(body: str) -> None:
    main = program_of("tensor_order", TENSORS, body)
    call = (T([0.5, -1.5, 2.0, 3.25]), T([[1.0, 2.0, -3.0], [0.25, 4.0, 0.5]]))
    oracle.check_program(Program(body, lambda: main, [call], main))


@pytest.mark.parametrize("form", forms(EXPRESSIONS))
def test_expression(form: str) -> None:
    """Bound, and among other arguments of print in a loop that catches."""
    check_scalars(f"result = {form};;print(result)")
    check_scalars(f"for i in range(2):;;  try:;;    print(({form}), a, b, p);;{CAUGHT}")


def unbound(form: str) -> Iterator[tuple[str, str]]:
    """The form with one of its variables, or the object, replaced by a name; and what it replaces."""
    tokens = list(tokenize.generate_tokens(io.StringIO(form).readline))
    for token, after in zip(tokens, tokens[1:]):
        if token.string in ("a", "b", "d", "s", "p") and after.string != "=":
            yield form[:token.start[1]] + "late" + form[token.end[1]:], token.string


@pytest.mark.parametrize("form", forms(EXPRESSIONS))
def test_unbound_operand(form: str) -> None:
    """Once bound on no path before, once on a path that is not taken."""
    for replaced, name in unbound(form):
        check_scalars(f"result = {replaced};;late = {name}")
        check_scalars(f"if a is b:;;  late = {name};;result = {replaced}")


@pytest.mark.parametrize("form", forms(STATEMENTS))
def test_statement(form: str) -> None:
    check_scalars(form)


@pytest.mark.parametrize("form", forms(TENSOR_EXPRESSIONS))
def test_tensor_expression(form: str) -> None:
    check_tensors(f"result = {form}")


@pytest.mark.parametrize("form", forms(TENSOR_STATEMENTS))
def test_tensor_statement(form: str) -> None:
    check_tensors(form)
