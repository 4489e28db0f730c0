"""str % values and str.format where the text is known at run time only, written as scripts.

In: nothing. Out: functions that inference calls, with values of any type. Holds: the texts are read as CPython 3.11
reads them, piece by piece, so that what comes before an error has been looked at; `percent_one`, `item_of` and
`class_name` stand for operator rows.
"""

from __future__ import annotations

from typing import Any


def percent_one(value: Any, spec: str) -> str:
    return ""


def item_of(owner: Any, key: Any) -> Any:
    return None


def class_name(value: Any) -> str:
    return ""


ATTRIBUTES = tuple(
    (kind.__name__, tuple(dir(kind)))
    for kind in (type(None), bool, int, float, complex, str, bytes, list, dict, set, tuple)
)

for _function in (percent_one, item_of, class_name):
    _function.__tsm_special__ = _function.__name__  # type: ignore[union-attr]


def percent_text(template: str, given: list[Any], table: Any, has_table: bool) -> str:
    """`table` is the right operand where it is a mapping to CPython."""
    parts: list[str] = []
    values = given
    used, i, n = 0, 0, len(template)
    while i < n:
        end = template.find("%", i)
        if end < 0:
            end = n
        if end > i:
            parts.append(template[i:end])
        i = end + 1
        if end == n:
            break
        if template[i : i + 1] == "%":
            parts.append("%")
            i += 1
            continue
        if template[i : i + 1] == "(":
            if not has_table:
                raise TypeError("format requires a mapping")
            start = i + 1
            depth = 1
            i += 1
            while depth > 0 and i < n:
                depth += 1 if template[i] == "(" else -1 if template[i] == ")" else 0
                i += 1
            if depth > 0:
                raise ValueError("incomplete format key")
            values = [item_of(table, template[start : i - 1])]
            used = 0
        spec = ""
        while i < n and template[i] in "-+ #0":
            spec += template[i]
            i += 1
        for is_precision in (False, True):
            if is_precision:
                if template[i : i + 1] != ".":
                    continue
                spec += "."
                i += 1
            if template[i : i + 1] == "*":
                if used >= len(values):
                    raise TypeError("not enough arguments for format string")
                star = values[used]
                if not isinstance(star, int):
                    raise TypeError("* wants int")
                spec += str(max(int(star), 0) if is_precision else int(star))
                used += 1
                i += 1
            else:
                while i < n and template[i] in "0123456789":
                    spec += template[i]
                    i += 1
        if i < n and template[i] in "hlL":
            i += 1
        if i >= n:
            raise ValueError("incomplete format")
        letter = template[i]
        i += 1
        if used >= len(values):
            raise TypeError("not enough arguments for format string")
        value = values[used]
        used += 1
        if letter not in "diouxXeEfFgGcrsa":
            shown = letter if "\x1f" < letter < "\x7f" else "?"
            raise ValueError(f"unsupported format character '{shown}' (0x{ord(letter):x}) at index {i - 1}")
        if letter == "s":
            parts.append(percent_one(str(value), spec + "s"))
        elif letter == "r":
            parts.append(percent_one(repr(value), spec + "s"))
        elif letter == "a":
            parts.append(percent_one(ascii(value), spec + "s"))
        else:
            parts.append(percent_one(value, spec + letter))
    if used < len(values) and not has_table:
        raise TypeError("not all arguments converted during string formatting")
    return "".join(parts)


def format_text(
    template: str, values: list[Any], names: dict[str, Any], numbering: list[int], is_map: bool, depth: int
) -> str:
    """`numbering`: the next automatic number, and 0 before the first numbered field, 1 if automatic, 2 if manual."""
    if depth <= 0:
        raise ValueError("Max string recursion exceeded")
    parts: list[str] = []
    i, n = 0, len(template)
    while i < n:
        c = template[i]
        i += 1
        if c not in "{}":
            parts.append(c)
            continue
        if c == "}" or i >= n or template[i] == "{":
            if i >= n or template[i] != c:
                raise ValueError(f"Single '{c}' encountered in format string")
            parts.append(c)
            i += 1
            continue
        start = i
        while i < n:
            c = template[i]
            i += 1
            if c == "{":
                raise ValueError("unexpected '{' in field name")
            if c == "[":
                while i < n and template[i] != "]":
                    i += 1
            elif c in "}:!":
                break
        if c not in "}:!":
            raise ValueError("expected '}' before end of string")
        name = template[start : i - 1]
        conversion, spec, is_nested = "", "", False
        if c == "!":
            if i >= n:
                raise ValueError("end of string while looking for conversion specifier")
            conversion = template[i]
            i += 1
            if i < n:
                c = template[i]
                i += 1
                if c not in "}:":
                    raise ValueError("expected ':' after conversion specifier")
        if c != "}":
            start = i
            brackets = 1
            while brackets > 0:
                if i >= n:
                    raise ValueError("unmatched '{' in format spec")
                c = template[i]
                i += 1
                is_nested = is_nested or c == "{"
                brackets += 1 if c == "{" else -1 if c == "}" else 0
            spec = template[start : i - 1]
        value = field_value(name, values, names, numbering, is_map)
        if conversion == "s":
            value = str(value)
        elif conversion == "r":
            value = repr(value)
        elif conversion == "a":
            value = ascii(value)
        elif conversion:
            shown = conversion if " " < conversion < "\x7f" else f"\\x{ord(conversion):x}"
            raise ValueError(f"Unknown conversion specifier {shown}")
        if is_nested:
            spec = format_text(spec, values, names, numbering, is_map, depth - 1)
        parts.append(format(value, spec))
    return "".join(parts)


def whole_number(text: str) -> int:
    """The number that a text of digits is, -1 for other texts."""
    if not text or not text.isdecimal():
        return -1
    if len(text) > 18:
        raise ValueError("Too many decimal digits in format string")
    return int(text)


def field_value(name: str, values: list[Any], names: dict[str, Any], numbering: list[int], is_map: bool) -> Any:
    end = 0
    while end < len(name) and name[end] not in ".[":
        end += 1
    first = name[:end]
    index = whole_number(first)
    if not first or index >= 0:
        if numbering[1] == 0:
            numbering[1] = 2 if first else 1
        if numbering[1] == 2 and not first:
            raise ValueError("cannot switch from manual field specification to automatic field numbering")
        if numbering[1] == 1 and first:
            raise ValueError("cannot switch from automatic field numbering to manual field specification")
        if not first:
            index = numbering[0]
            numbering[0] += 1
        if is_map:
            raise ValueError("Format string contains positional fields")
        if index >= len(values):
            raise IndexError(f"Replacement index {index} out of range for positional args tuple")
        value = values[index]
    else:
        value = names[first]
    while end < len(name):
        is_attribute = name[end] == "."
        if not is_attribute and name[end] != "[":
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
        end += 1
        start = end
        while end < len(name) and (name[end] not in ".[" if is_attribute else name[end] != "]"):
            end += 1
        part = name[start:end]
        if not is_attribute:
            if end >= len(name):
                raise ValueError("Missing ']' in format string")
            end += 1
        if not part:
            raise ValueError("Empty attribute in format string")
        if is_attribute:
            value = part_of(value, part)
            continue
        place = whole_number(part)
        value = item_of(value, part) if place < 0 else item_of(value, place)
    return value


def part_of(value: Any, name: str) -> Any:
    if name == "real":
        if isinstance(value, complex):
            return value.real
        if isinstance(value, float):
            return value
        if isinstance(value, int):
            return int(value)
    if name == "imag":
        if isinstance(value, complex):
            return value.imag
        if isinstance(value, float):
            return 0.0
        if isinstance(value, int):
            return 0
    if name in ("numerator", "denominator") and isinstance(value, int):
        return int(value) if name == "numerator" else 1
    kind = class_name(value)
    for own, names in ATTRIBUTES:
        if own == kind and name in names:
            raise TypeError(f"a text known at run time cannot show attribute '{name}' of {kind}")
    raise AttributeError(f"'{kind}' object has no attribute '{name}'")


def any_values(row):
    made: list[Any] = []
    for value in row:
        made.append(value)
    return made


def any_names(table):
    made: dict[str, Any] = {}
    for key in table:
        made[key] = table[key]
    return made


def byte_text(value: int) -> str:
    if value < 0 or value > 255:
        raise OverflowError("%c arg not in range(256)")
    return chr(value)


def single_byte(text: str) -> str:
    if len(text) != 1:
        raise TypeError("%c requires an integer in range(256) or a single byte")
    return text
