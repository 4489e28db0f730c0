"""Code of helpers that does not run with the types it is compiled for: errors left to the run; functions of different
parameters called in one place; functions that are compared, taken out of lists, given attributes, chosen by the class
of their argument; instances outside the function."""

# ruff: noqa
from __future__ import annotations

import functools
from dataclasses import dataclass

from language_rows import of_row
from oracle import program

of_row("unannotated")


def combine(a, b, how):
    if how == "join":
        return a + "-" + b
    if how == "up":
        return a.upper()
    if how == "len":
        return len(a)
    if how == "item":
        return a[0]
    if how == "neg":
        return -a
    if how == "less":
        return a < "x"
    if how == "in":
        return 1 in a
    if how == "int":
        return int(a)
    if how == "loop":
        return [x for x in a]
    if how == "pair":
        first, second = a
        return first
    if how == "call":
        return a()
    if how == "one":
        return halved(a, b)
    return None


def halved(a):
    return a / 2


@program("branches for other types are left to the run: a number", *[(how,) for how in (
    "join", "up", "len", "item", "neg", "less", "in", "int", "loop", "pair", "call", "one", "")])
def of_number(how: str) -> str:
    try:
        return repr(combine(3, 4, how))
    except (TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"


@program("branches for other types are left to the run: a text, a list, None and a tuple", *[(how,) for how in (
    "join", "up", "len", "item", "neg", "int", "loop", "pair", "one", "")])
def of_others(how: str) -> list[str]:
    found = []
    try:
        found.append(repr(combine("ab", "c", how)))
    except (TypeError, AttributeError, ValueError) as error:
        found.append(str(error))
    try:
        found.append(repr(combine([1, 2], [3], how)))
    except (TypeError, AttributeError) as error:
        found.append(str(error))
    try:
        found.append(repr(combine(None, None, how)))
    except (TypeError, AttributeError) as error:
        found.append(str(error))
    try:
        found.append(repr(combine((1, 2, 3), (), how)))
    except (TypeError, AttributeError, ValueError) as error:
        found.append(str(error))
    return found


def surface(shape, *sizes):
    if shape == "circle":
        (r,) = sizes
        return 3 * r * r
    if shape == "box":
        w, h = sizes
        return w * h
    raise ValueError(f"unknown {shape}")


@program("as many sizes as the branch wants", ("circle", 2), ("box", 3), ("ring", 1))
def surfaces(other: str, n: int) -> str:
    found = [surface("circle", n), surface("box", n, 4)]
    try:
        found.append(surface(other, n, n, n))
    except ValueError as error:
        return f"{found} {error}"
    return str(found)


of_row("functions as values")


class Station:
    def __init__(self):
        self.listeners = {}

    def on(self, name, listener):
        self.listeners.setdefault(name, []).append(listener)
        return listener

    def off(self, name, listener):
        known = self.listeners.get(name, [])
        if listener in known:
            known.remove(listener)
            return True
        return False

    def once(self, name, listener):
        def wrapper(*args):
            self.off(name, wrapper)
            listener(*args)

        self.on(name, wrapper)

    def send(self, name, *args, **options):
        for listener in list(self.listeners.get(name, [])):
            listener(*args, **options)


@program("listeners with different parameters, some of them taken away", ("ann", 5))
def broadcast(user: str, amount: int) -> list[str]:
    log = []

    def entered(name):
        log.append("in " + name)

    def paid(name, amount, unit="EUR"):
        log.append(f"{name} {amount + 1} {unit}")

    station = Station()
    station.on("enter", entered)
    station.once("enter", lambda name: log.append(name[::-1]))
    station.on("pay", paid)
    station.send("enter", user)
    station.send("enter", "bob")
    station.send("pay", user, amount)
    station.send("pay", user, amount, unit="USD")
    station.send("leave")
    log.append(f"{station.off('enter', entered)} {station.off('enter', entered)}")
    station.send("enter", user)
    return log


@program("functions with other numbers of parameters: the TypeErrors", (0,), (1,), (2,), (3,))
def misfits(i: int) -> list[str]:
    def one(a):
        return a

    def two(a, b, *, c=0):
        return a + b + c

    def none():
        return 0

    table = [one, two, none, lambda *, k: k]
    found = []
    try:
        found.append(str(table[i](1)))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(table[i](1, 2, c=3)))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(table[i](k=5)))
    except TypeError as error:
        found.append(str(error))
    return found


@program("a list of functions and other things", (0,), (1,), (2,))
def called_number(i: int) -> str:
    things = [lambda a: a, 3, None]
    try:
        return str(things[i](1))
    except TypeError as error:
        return str(error)


@program("functions made in functions are told apart", (3,))
def told_apart(n: int) -> str:
    def plus(k):
        def add(x):
            return x + k

        return add

    def double(x):
        return x * n

    hooks = [plus(1), plus(2), double]
    third = plus(1)
    found = [hooks[0] is hooks[1], hooks[0] == third, third in hooks, double in hooks, double is double, plus == double]
    hooks.remove(double)
    found += [double in hooks, len(hooks) == 2, hooks.count(hooks[1]) == 1, hooks[0] is hooks[0]]
    late = [lambda: i for i in range(3)]
    found += [late[0] is late[1], late[2] in late, late[0] != late[0]]
    try:
        hooks.remove(third)
    except ValueError as error:
        return f"{found} {error} {[hook(1) for hook in hooks]}"
    return "unreachable"


def counted(function):
    @functools.wraps(function)
    def wrapper(*args):
        wrapper.calls += 1
        wrapper.last = args
        return function(*args)

    wrapper.calls = 0
    wrapper.last = None
    return wrapper


@program("a wrapper that counts its calls in an attribute", (6,), (0,))
def counting(n: int) -> str:
    @counted
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    @counted
    def add(a, b):
        return a + b

    total = fib(n)
    for i in range(n):
        total += add(i, i)
    return f"{total} {fib.calls} {add.calls} {fib.__name__}"


@program("attributes of functions in functions", (3,), (1,))
def attributed(n: int) -> list[str]:
    def step(x):
        step.total += x
        return step.total

    def other(x):
        return other.factor * x

    step.total = 10
    step.order = 2
    other.order = 1
    other.factor = 7 if n > 2 else 1
    found = [str(step(i)) for i in range(n)]
    for each in sorted([step, other], key=lambda each: each.order):
        found.append(f"{each.order} {each(n)}")

    def last():
        return last.seen

    if n > 2:
        last.seen = True
    try:
        found.append(f"{step.total} {last()}")
    except AttributeError as error:
        found.append(str(error))
    return found


def route(path, weight=0):
    def mark(function):
        function.path = path
        function.weight = weight
        return function

    return mark


@route("/a", 2)
def page_a(name):
    return "A" + name


@route("/b")
def page_b(name):
    return "B" + name


PAGES = [page_a, page_b]
BY_PATH = {page.path: page for page in PAGES}


@program("attributes that functions outside were given", ("/a",), ("/c",))
def routed(path: str) -> list[str]:
    found = [BY_PATH[path](path)] if path in BY_PATH else ["404"]
    for page in sorted(PAGES, key=lambda page: page.weight):
        found.append(page.path + page.__name__)
    return [*found, str(page_a.weight)]


@functools.singledispatch
def shown(value):
    return f"<{type(value).__name__}>"


@shown.register
def _(value: int):
    return f"int {value + 1}"


@shown.register(bool)
def shown_flag(value):
    return "yes" if value else "no"


@shown.register(str)
@shown.register(type(None))
def _(value):
    return repr(value)


@shown.register
def _(value: list):
    return "[" + ", ".join(shown(each) for each in value) + "]"


@program("functools.singledispatch", (3, "a"), (-1, ""))
def dispatched(n: int, text: str) -> list[str]:
    mixed = [shown(each) for each in (n, text, None, 2.5, n > 0, [n, None])]
    return [*mixed, shown({}), *map(shown, [text, text])]


@functools.singledispatch
def weighed(thing, *, by=1):
    raise TypeError(f"no weight of {type(thing).__name__}")


class Stone:
    def __init__(self, mass):
        self.mass = mass


class Pebble(Stone):
    pass


@weighed.register
def _(thing: Stone, *, by=1):
    return thing.mass * by


@weighed.register
def _(thing: Pebble, *, by=1):
    return 0


@program("functools.singledispatch of classes", (2,))
def weighing(n: int) -> str:
    found = [weighed(each, by=n) for each in [Stone(3), Pebble(4), Stone(n)]]
    try:
        return str(weighed(n))
    except TypeError as error:
        return f"{found} {error}"


of_row("names")


@dataclass(frozen=True)
class Setting:
    width: int
    rate: float = 0.5
    names: tuple[str, ...] = ("a",)


class Spot:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Spot(self.x + other.x, self.y + other.y)

    def __repr__(self):
        return f"Spot({self.x}, {self.y})"


class Branch:
    __slots__ = ("kids", "value")

    def __init__(self, value, kids=()):
        self.value = value
        self.kids = list(kids)

    def total(self):
        return self.value + sum(kid.total() for kid in self.kids)


SETTING = Setting(8)
SETTINGS = {"small": Setting(2, 0.1), "big": Setting(100, names=("x", "y"))}
UNITS = [Spot(1, 0), Spot(0, 1)]
TREE = Branch(1, [Branch(2), Branch(3, [Branch(4)])])


def scaled(x, setting=SETTING, *, origin=UNITS[0]):
    return x * setting.width + origin.x


@program("instances outside the function, and as defaults", ("small", 3), ("none", -1))
def settled(name: str, n: int) -> str:
    chosen = SETTINGS.get(name, SETTING)
    spot = Spot(n, n)
    for unit in UNITS:
        spot = spot + unit
    found = [scaled(n), scaled(n, SETTINGS["big"]), scaled(n, origin=Spot(7, 0)), TREE.total()]
    return f"{chosen} {spot} {found} {SETTING == Setting(8)}"


class Negated:
    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        return -self.function(*args)


@Negated
def negated_sum(a, b):
    return a + b


class Commands:
    def __init__(self):
        self.known = {}

    def add(self, name):
        def keep(function):
            self.known[name] = function
            return function

        return keep

    def run(self, name, *args):
        if name not in self.known:
            raise KeyError(name)
        return self.known[name](*args)


COMMANDS = Commands()


@COMMANDS.add("join")
def join_command(a, b):
    return a * b


@COMMANDS.add("neg")
def neg_command(a):
    return -a


@program("instances outside that are called, and that keep functions", ("join", 3), ("neg", 3), ("cut", 3))
def commanded(name: str, n: int) -> int:
    if name == "join":
        return COMMANDS.run(name, n, n) + negated_sum(n, 1)
    return COMMANDS.run(name, n)


WINDOW = slice(1, None, 2)
CLEANERS = [("strip", str.strip), ("upper", str.upper), ("size", len)]


@program("methods of builtin classes and slices outside the function", ("  abcd ",), ("",))
def cleaned(text: str) -> str:
    value = text
    found = []
    for name, clean in CLEANERS:
        value = clean(value)
        found.append(f"{name} {value}")
    return f"{found} {text[WINDOW]}"


of_row("functions as values")

FIELDS = {"name": str, "age": (int, float), "tags": list}


def checked(record):
    wrong = []
    for field, kind in FIELDS.items():
        if field not in record:
            wrong.append(f"no {field}")
        elif not isinstance(record[field], kind):
            wrong.append(f"{field} is no {'number' if field == 'age' else 'other'}")
    return wrong


def takes(*kinds):
    def mark(function):
        def wrapper(*values):
            for value, kind in zip(values, kinds):
                if not isinstance(value, kind):
                    raise TypeError(f"{value!r} is no {kind.__name__}")
            return function(*values)

        return wrapper

    return mark


@takes(int, str)
def repeated(n, text):
    return text * n


@program("isinstance with classes that are values", (3, "x"), (-1, ""))
def tested(n: int, text: str) -> str:
    found = [checked({"name": text, "age": n, "tags": [n]}), checked({"name": n, "age": text}), checked({})]
    try:
        return f"{found} {repeated(n, text)} {repeated(text, n)}"
    except TypeError as error:
        return f"{found} {error}"


def asked(value):
    if value is True:
        return "yes"
    return "no" if value is False else "neither"


@program("is True of a value of several classes", (True, 1), (False, 0))
def flagged(flag: bool, n: int) -> list[str]:
    return [asked(each) for each in (flag, n, 1.0, "x", None)]


class Knobs:
    def __init__(self, **given):
        self.gain = 1
        self.label = "none"
        for name, value in given.items():
            setattr(self, name, value)

    def turn(self, **changes):
        for name, value in changes.items():
            if not hasattr(self, name):
                raise AttributeError(f"no knob {name}")
            setattr(self, name, value)
        return f"{self.gain} {self.label}"


@program("setattr by the names of keyword arguments", (5,))
def turned(n: int) -> list[str]:
    knobs = Knobs(gain=n)
    found = [Knobs().turn(), knobs.turn(label="a"), knobs.turn(gain=n + 1, label="b")]
    for name, value in {"gain": n * 2, "label": "c"}.items():
        setattr(knobs, name, value)
    try:
        knobs.turn(colour="red")
    except AttributeError as error:
        found.append(str(error))
    return [*found, knobs.turn()]


@program("partial of max, min and print", (4,))
def fixed_firsts(n: int) -> list[int]:
    at_least = functools.partial(max, 3)
    both = lambda *values, **options: min(2, *values, **options)
    shown = functools.partial(print, "n", sep="=")
    shown(n)
    return [at_least(n), at_least(1), both(n, 1), *map(functools.partial(min, 5), [n, 9])]


@program("methods of a list among functions of two arguments", (3,))
def mixed_listeners(n: int) -> list[str]:
    log: list[str] = []
    station = Station()
    station.on("low", log.append)
    station.on("low", lambda name: log.append(name.upper()))
    station.on("add", lambda name, count: log.append(f"{name} {count}"))
    station.send("add", "nut", n)
    station.send("low", "nut")
    return log


class Leaf:
    def __init__(self, value):
        self.value = value


class Pair:
    def __init__(self, left, right):
        self.left = left
        self.right = right


class Walker:
    def visit(self, node):
        return getattr(self, "visit_" + type(node).__name__.lower())(node)

    def visit_leaf(self, node):
        return node.value

    def visit_pair(self, node):
        return self.visit(node.left) + self.visit(node.right)


@program("methods chosen by the name of a class", (2,))
def walked(n: int) -> int:
    return Walker().visit(Pair(Leaf(n), Pair(Leaf(3), Leaf(n))))


def greeting(name, mark="!"):
    return "hi " + name + mark


class Agenda:
    def __init__(self):
        self.tasks = []

    def at(self, time, function, *args, **options):
        self.tasks.append((time, function, args, options))

    def run(self):
        return [f"{time}: {function(*args, **options)}" for time, function, args, options in self.tasks]


@program("functions kept with the arguments of their calls", (4,))
def kept_calls(n: int) -> list[str]:
    agenda = Agenda()
    agenda.at(5, greeting, "bob")
    agenda.at(2, lambda a, b: a + b, n, 3)
    agenda.at(3, greeting, "al", mark="?")
    agenda.at(1, lambda: "nothing")
    return agenda.run()


of_row("formatting")


@program("str.format with ** of a dict that the run fills", ("{a}|{b:>3}", 5), ("{a}|{c}", 5), ("{}", 5))
def filled(template: str, n: int) -> str:
    values = {"a": 1}
    values["b"] = n
    mixed = {"n": n, "x": 0.5, "t": ("p", n)}
    whole = "{0}: {n:03d} {x:.2f} {t[0]!r}".format("all", **mixed)
    try:
        return whole + template.format(**values)
    except (KeyError, IndexError) as error:
        return f"{whole} {error}"


of_row("unannotated")


def edited(x, how):
    if how == "set":
        x[0] = 1
    elif how == "key":
        x["a"] = 1
    elif how == "del":
        del x[0]
    elif how == "cut":
        x[0:1] = [1]
    return x


def read_at(x, how):
    return x[0] if how == "first" else x["a"]


@program("items that branches for other types change and read", *[(how,) for how in (
    "set", "key", "del", "cut", "first", "name")])
def items_of_others(how: str) -> list[str]:
    found = []
    try:
        found.append(repr(edited([3, 4], how)))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(repr(edited("ab", how)))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(repr(edited(None, how)))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(repr(read_at({"a": 5}, how)))
    except KeyError as error:
        found.append(repr(error))
    return found
