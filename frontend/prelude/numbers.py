"""What methods of int and float and some functions of math mean, written as scripts.

In: nothing. Out: functions that inference calls. Holds: each has CPython 3.11's meaning, errors and rounding; a result
that does not fit 64 bits raises OverflowError (D1).
"""

from __future__ import annotations

import math


def int_to_bytes(value: int, length: int, byteorder: str, signed: bool) -> bytes:
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    if length < 0:
        raise ValueError("length argument must be non-negative")
    if value < 0 and not signed:
        raise OverflowError("can't convert negative int to unsigned")
    digits: list[int] = []
    rest = value
    for _ in range(length):
        digits.append(rest & 255)
        rest >>= 8
    is_negative = signed and length > 0 and digits[-1] > 127
    if rest != (-1 if is_negative else 0) and not (length == 0 and value == -1):
        raise OverflowError("int too big to convert")
    if byteorder == "big":
        digits.reverse()
    return bytes(digits)


def int_from_bytes(data: bytes, byteorder: str, signed: bool) -> int:
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    whole = data[::-1] if byteorder == "little" else data
    value = 0
    for i, byte in enumerate(whole):
        value = value * 256 + (byte - 256 if signed and i == 0 and byte > 127 else byte)
    return value


def divmod_of(a, b):  # specialised to ints and floats
    if b == 0 and (isinstance(a, float) or isinstance(b, float)):
        raise ZeroDivisionError("float divmod()")
    return a // b, a % b


def float_ratio(x: float) -> tuple[int, int]:
    if math.isinf(x):
        raise OverflowError("cannot convert Infinity to integer ratio")
    if math.isnan(x):
        raise ValueError("cannot convert NaN to integer ratio")
    fraction, exponent = math.frexp(x)
    while fraction != math.floor(fraction):
        fraction *= 2.0
        exponent -= 1
    if exponent >= 0:
        return int(fraction) << exponent, 1
    return int(fraction), 1 << -exponent


def float_hex(x: float) -> str:
    sign = "-" if math.copysign(1.0, x) < 0 and not math.isnan(x) else ""
    size = abs(x)
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return sign + "inf"
    if x == 0.0:
        return sign + "0x0.0p+0"
    fraction, exponent = math.frexp(size)
    shift = 1 - max(-1021 - exponent, 0)
    fraction = math.ldexp(fraction, shift)
    exponent -= shift
    digits = "0x" + str(int(fraction)) + "."
    fraction -= int(fraction)
    for _ in range(13):
        fraction *= 16.0
        digits += "0123456789abcdef"[int(fraction)]
        fraction -= int(fraction)
    return sign + digits + "p" + ("+" if exponent >= 0 else "-") + str(abs(exponent))


def fsum(values: list[float]) -> float:
    partials: list[float] = []
    special = 0.0
    infinite = 0.0
    for value in values:
        x = value
        kept = 0
        for j in range(len(partials)):
            y = partials[j]
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low != 0.0:
                partials[kept] = low
                kept += 1
            x = high
        del partials[kept:]
        if x != 0.0:
            if not math.isfinite(x):
                if math.isfinite(value):
                    raise OverflowError("intermediate overflow in fsum")
                if math.isinf(value):
                    infinite += value
                special += value
                partials.clear()
            else:
                partials.append(x)
    if special != 0.0:
        if math.isnan(infinite):
            raise ValueError("-inf + inf in fsum")
        return special
    return rounded_sum(partials)


def rounded_sum(partials: list[float]) -> float:
    """The exact sum of parts that do not overlap, smallest first, rounded once, half to even."""
    n = len(partials)
    if n == 0:
        return 0.0
    n -= 1
    high = partials[n]
    low = 0.0
    while n > 0:
        x = high
        n -= 1
        y = partials[n]
        high = x + y
        low = y - (high - x)
        if low != 0.0:
            break
    if n > 0 and ((low < 0.0 and partials[n - 1] < 0.0) or (low > 0.0 and partials[n - 1] > 0.0)):
        y = low * 2.0
        x = high + y
        if y == x - high:
            high = x
    return high


def distance(p: list[float], q: list[float]) -> float:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return math.hypot(*[a - b for a, b in zip(p, q)])


def gcd_all(values: list[int]) -> int:
    result = 0
    for value in values:
        result = math.gcd(result, value)
    return result


def lcm_all(values: list[int]) -> int:
    result = 1
    for value in values:
        result = math.lcm(result, value)
    return result


def floats(values):
    return [float(value) for value in values]


def product(values, start):
    result = start
    for value in values:
        result = result * value
    return result


def complex_parts(text: str) -> tuple[float, float]:
    """complex(text)."""
    before = ""
    for c in text + " ":
        if (c == "_" and not before.isdecimal()) or (before == "_" and not c.isdecimal()):
            raise ValueError(f"could not convert string to complex: {text!r}")
        before = c
    s = text.replace("_", "").strip()
    if len(s) > 1 and s[0] == "(" and s[-1] == ")":
        s = s[1:-1].strip()
    cut = 0
    for i in range(1, len(s)):
        if s[i] in "+-" and s[i - 1] not in "eE":
            cut = i
    is_imaginary = s[-1:] in ("j", "J")
    try:
        if not is_imaginary:
            return float(checked(s)), 0.0
        whole = s[:-1]
        last = whole[cut:]
        size = float(last + "1") if last in ("", "+", "-") else float(checked(last))
        return (float(checked(whole[:cut])) if cut else 0.0), size
    except ValueError:
        raise ValueError("complex() arg is a malformed string") from None


def checked(text: str) -> str:
    """A part of a complex number, which unlike a float may not be surrounded by white space."""
    if text.strip() != text:
        raise ValueError(text)
    return text


def float_from_hex(text: str) -> float:
    s = text.lower()
    while s and s[0] in " \t\n\r\x0b\x0c":
        s = s[1:]
    while s and s[-1] in " \t\n\r\x0b\x0c":
        s = s[:-1]
    is_negative = s[:1] == "-"
    if s[:1] in ("-", "+"):
        s = s[1:]
    if s in ("inf", "infinity"):
        return -math.inf if is_negative else math.inf
    if s == "nan":
        return -math.nan if is_negative else math.nan
    if s[:2] == "0x":
        s = s[2:]
    size = unsigned_from_hex(s)
    return -size if is_negative else size


def unsigned_from_hex(s: str) -> float:
    head, mark, power = s.partition("p")
    whole, _, fraction = head.partition(".")
    digits = whole + fraction
    sign = 1
    if power[:1] in ("-", "+"):
        sign = -1 if power[0] == "-" else 1
        power = power[1:]
    used = 0
    while used < len(power) and power[used] in "0123456789":
        used += 1
    garbage = power[used:]
    power = power[:used]
    is_good = digits != "" and (mark == "" or power != "")
    for c in digits:
        is_good = is_good and c in "0123456789abcdef"
    if not is_good:
        raise ValueError("invalid hexadecimal floating-point string")
    exponent = sign * (int(power[-15:]) if len(power.lstrip("0")) <= 15 else 10**15) if mark else 0
    kept = digits.lstrip("0")
    if not kept and garbage:
        raise ValueError("invalid hexadecimal floating-point string")
    if not kept:
        return 0.0
    top = kept[:15]
    has_rest = kept[15:].strip("0") != ""
    bits = int(top, 16)
    exponent += 4 * (len(kept) - len(top) - len(fraction))
    found = rounded_float(bits, exponent, has_rest)
    if garbage:
        raise ValueError("invalid hexadecimal floating-point string")
    return found


def rounded_float(bits: int, exponent: int, has_rest: bool) -> float:
    """bits * 2 ** exponent, and a little more with `has_rest`, rounded half to even."""
    end = bits.bit_length() + exponent
    precision = 53 if end > -1021 else 53 - (-1021 - end)
    if end > 1024:
        raise OverflowError("hexadecimal value too large to represent as a float")
    if precision < 0:
        return 0.0
    drop = bits.bit_length() - precision
    if drop > 0:
        kept = bits >> drop
        rest = bits & ((1 << drop) - 1)
        half = 1 << (drop - 1)
        if rest > half or (rest == half and (has_rest or kept & 1 == 1)):
            kept += 1
        bits = kept
        exponent += drop
    try:
        return math.ldexp(float(bits), exponent)
    except OverflowError:
        raise OverflowError("hexadecimal value too large to represent as a float") from None
