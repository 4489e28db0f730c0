"""Functions of operator, functools and string, written as scripts.

In: nothing. Out: functions that stand for those of Python's library where a script names them.
Holds: each has CPython 3.11's meaning, and calls what it is given in its order.
"""
# ruff: noqa: B007, SIM210 - classes may define the truth of their instances

from __future__ import annotations

import functools
import operator
import string

SCRIPTS: dict[int, object] = {}  # by the identity of the function that one stands for


def stands_for(original):
    """Marks a function as the script of one of Python's library."""

    def mark(function):
        SCRIPTS[id(original)] = function
        return function

    return mark


@stands_for(string.capwords)
def capwords(s, sep=None):
    return (sep or " ").join([word.capitalize() for word in s.split(sep)])


@stands_for(operator.add)
def add(a, b, /):
    return a + b


@stands_for(operator.sub)
def sub(a, b, /):
    return a - b


@stands_for(operator.mul)
def mul(a, b, /):
    return a * b


@stands_for(operator.truediv)
def truediv(a, b, /):
    return a / b


@stands_for(operator.floordiv)
def floordiv(a, b, /):
    return a // b


@stands_for(operator.mod)
def mod(a, b, /):
    return a % b


@stands_for(operator.pow)
def power(a, b, /):
    return a**b


@stands_for(operator.matmul)
def matmul(a, b, /):
    return a @ b


@stands_for(operator.and_)
def and_(a, b, /):
    return a & b


@stands_for(operator.or_)
def or_(a, b, /):
    return a | b


@stands_for(operator.xor)
def xor(a, b, /):
    return a ^ b


@stands_for(operator.lshift)
def lshift(a, b, /):
    return a << b


@stands_for(operator.rshift)
def rshift(a, b, /):
    return a >> b


@stands_for(operator.invert)
def invert(a, /):
    return ~a


@stands_for(operator.neg)
def neg(a, /):
    return -a


@stands_for(operator.pos)
def pos(a, /):
    return +a


@stands_for(operator.abs)
def absolute(a, /):
    return abs(a)


@stands_for(operator.not_)
def not_(a, /):
    return not a


@stands_for(operator.truth)
def truth(a, /):
    return True if a else False


@stands_for(operator.lt)
def lt(a, b, /):
    return a < b


@stands_for(operator.le)
def le(a, b, /):
    return a <= b


@stands_for(operator.gt)
def gt(a, b, /):
    return a > b


@stands_for(operator.ge)
def ge(a, b, /):
    return a >= b


@stands_for(operator.eq)
def eq(a, b, /):
    return a == b


@stands_for(operator.ne)
def ne(a, b, /):
    return a != b


@stands_for(operator.is_)
def is_(a, b, /):
    return a is b


@stands_for(operator.is_not)
def is_not(a, b, /):
    return a is not b


@stands_for(operator.getitem)
def getitem(a, b, /):
    return a[b]


@stands_for(operator.setitem)
def setitem(a, b, c, /):
    a[b] = c


@stands_for(operator.delitem)
def delitem(a, b, /):
    del a[b]


@stands_for(operator.contains)
def contains(a, b, /):
    return b in a


@stands_for(operator.concat)
def concat(a, b, /):
    return a + b


@stands_for(operator.iadd)
def iadd(a, b, /):
    a += b
    return a


@stands_for(operator.isub)
def isub(a, b, /):
    a -= b
    return a


@stands_for(operator.imul)
def imul(a, b, /):
    a *= b
    return a


@stands_for(operator.itruediv)
def itruediv(a, b, /):
    a /= b
    return a


@stands_for(operator.ifloordiv)
def ifloordiv(a, b, /):
    a //= b
    return a


@stands_for(operator.imod)
def imod(a, b, /):
    a %= b
    return a


@stands_for(operator.ipow)
def ipow(a, b, /):
    a **= b
    return a


@stands_for(operator.iand)
def iand(a, b, /):
    a &= b
    return a


@stands_for(operator.ior)
def ior(a, b, /):
    a |= b
    return a


@stands_for(operator.ixor)
def ixor(a, b, /):
    a ^= b
    return a


@stands_for(operator.ilshift)
def ilshift(a, b, /):
    a <<= b
    return a


@stands_for(operator.irshift)
def irshift(a, b, /):
    a >>= b
    return a


@stands_for(operator.iconcat)
def iconcat(a, b, /):
    a += b
    return a


@stands_for(operator.index)
def index(a, /):
    return range(a, a + 1)[0]


@stands_for(operator.countOf)
def count_of(a, b, /):
    total = 0
    for item in a:
        total += item == b
    return total


@stands_for(operator.indexOf)
def index_of(a, b, /):
    for place, item in enumerate(a):
        if item == b:
            return place
    raise ValueError("sequence.index(x): x not in sequence")


class Missing:
    """Stands for an argument that was not given."""

    __tsm_marker__ = "no argument"


MISSING = Missing()


@stands_for(functools.reduce)
def reduce(function, iterable, initial=MISSING, /):
    if initial is MISSING:
        return reduce_some(function, iterable)
    value = initial
    for item in iterable:
        value = function(value, item)
    return value


def reduce_some(function, iterable):
    items = iter(iterable)
    for value in items:
        break
    else:
        raise TypeError("reduce() of empty iterable with no initial value")
    for item in items:
        value = function(value, item)
    return value
