"""Inference of OrderedDict, Counter and defaultdict: dicts whose type names the class.

In: constructions, methods, operators and subscripts. Out: operator rows of dicts, and calls of the prelude.
Holds: what makes a missing value is known from the type; a subclass is never taken for a plain dict.
"""

from __future__ import annotations

import builtins
import collections
import inspect
from collections.abc import Callable
from typing import Any as PyAny

from ....ir.types import (
    BOOL,
    BYTES,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STR,
    DictType,
    FrozenSetType,
    ListType,
    SetType,
    TupleType,
    Type,
    arms_of,
    optional,
)
from ...compilation.frames import MARK
from ...core.constants import constant
from ...core.conversions import convert, once_all, operate
from ...core.denotations import (
    BuiltinDenotation,
    ClassDenotation,
    ClosureDenotation,
    FunctionDenotation,
    MethodDenotation,
)
from ...core.matcher import describe
from ...core.placeholders import has_placeholder, resolve, unify
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Choose,
    Const,
    Do,
    Evaluate,
    Expr,
    MakeDict,
    MakeList,
    MakeSet,
    MakeTuple,
    Operate,
    ReadTemp,
    Static,
    Temp,
    boolean,
    is_silent,
    none,
)
from ...objects.function_source import FunctionSource, looked_up
from ...objects.signatures import signature_types
from ...parser import syntax
from ...prelude import dict_classes as prelude
from ..base import InferenceBase
from ..collection_types import DICT_PYTHON, python_class
from ..finer_types import refined, with_members
from ..iteration import NotIterable
from ..type_facts import dict_class

METHODS: dict[tuple[str, str], Callable[..., object]] = {
    ("OrderedDict", "move_to_end"): prelude.move_to_end, ("OrderedDict", "popitem"): prelude.popitem,
    ("Counter", "most_common"): prelude.most_common, ("Counter", "elements"): prelude.elements,
    ("Counter", "total"): prelude.total,
}
COUNTED = {".update": (prelude.count_all, prelude.count_mapping),
           ".subtract": (prelude.subtract_all, prelude.subtract_mapping)}
COUNTER_OPERATORS = {"+": prelude.counters_add, "-": prelude.counters_subtract, "|": prelude.counters_or,
                     "&": prelude.counters_and}
COUNTER_UPDATES = {"+": prelude.add_to, "-": prelude.subtract_from, "|": prelude.raise_to, "&": prelude.lower_to}
COUNTER_ORDERS = {"<=": prelude.is_within, "<": prelude.is_below, ">=": prelude.contains_counts, ">": prelude.is_above}
FACTORY = "pass a class or a function that needs no arguments"
IMMUTABLE: dict[Type, object] = {INT: 0, FLOAT: 0.0, BOOL: False, COMPLEX: 0j, STR: "", BYTES: b""}


def takes_nothing(python: PyAny) -> bool:
    """Whether a class can be called without arguments."""
    try:
        inspect.signature(python).bind()
    except TypeError:
        return False
    except ValueError:  # of a builtin class
        return True
    return True


class DictClassInference(InferenceBase):
    """Subclasses of dict."""

    # Construction

    def collection_outside(self, node: syntax.Node) -> type | None:
        """The class of `collections` that a name outside the function means, or its name in `typing` does."""
        root = node.value if isinstance(node, syntax.Attribute) else node
        if not isinstance(root, syntax.Name) or self.find_name(root.id) is not None:
            return None
        found = looked_up(self.source, node)
        python = getattr(found, "__origin__", found)
        return python if isinstance(python, type) and (python is collections.deque or python in DICT_PYTHON) else None

    def make_dict_class(self, node: syntax.Call, name: str, want: Type | None) -> Expr:
        wanted = None if want is None else next(
            (arm for arm in arms_of(resolve(want)) if dict_class(arm) == name), None)
        assert wanted is None or isinstance(wanted, DictType)
        if any(isinstance(argument, syntax.Starred) for argument in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            return self.error(node, f"'*' and '**' are not supported in {name}(...)", "write the arguments out")
        most = 2 if name == "defaultdict" else 1
        if len(node.args) > most:
            return self.error(node, f"{name}() takes at most {most} arguments here, got {len(node.args)}")
        if name == "defaultdict" and wanted is None and want is not None:
            wanted = next((
                arm for arm in arms_of(resolve(want)) if isinstance(arm, DictType) and arm.name == "dict"), None)
        key = wanted.key if wanted is not None else self.placeholder(node, "key")
        kind: DictType | None
        if name == "defaultdict":
            kind = self.default_type(node, key, wanted)
            if kind is None:
                return Const(ERROR, node.span, None)
        else:
            value = INT if name == "Counter" else self.placeholder(node, "value")
            kind = wanted or DictType(key, value, name)
        if kind.value != INT and name == "Counter":
            return self.error(node, f"the counts of a Counter are ints here, not {kind.value}", "write Counter[...]")
        rest = node.args[most - 1 :]
        if not rest and not node.keywords:
            return MakeDict(kind, node.span, [])
        call = syntax.Call(node.span, node.func, rest, node.keywords)
        with self.collect() as statements:
            owner = self.hold(MakeDict(kind, node.span, []))
            filled = self.count(call, owner, ".update") if name == "Counter" else self.call_dict_update(call, owner)
            if filled.type == ERROR:
                return filled
            self.evaluate(filled)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(resolve(owner.type), node.span, statements, owner)

    def default_type(self, node: syntax.Call, key: Type, wanted: DictType | None) -> DictType | None:
        """The type of a defaultdict, from its factory; None after reporting."""
        if not node.args:
            self.error(node, "a defaultdict without a factory is not supported in scripts", FACTORY)
            return None
        factory = self.expr(node.args[0])
        if factory.type == ERROR:
            return None
        denotation = factory.denotation if isinstance(factory, Static) else None
        made = self.made_by_class(node, denotation)
        source = self.factory_source(denotation, made, wanted)
        if source is not None:
            made = self.made_by_function(node, source)
            if made == ERROR:
                return None
        if isinstance(denotation, ClosureDenotation):
            self.error(node.args[0], "a factory that uses variables of the function around it is not supported",
                       "write d.setdefault(key, ...) where the value is needed")
            return None
        if made is None or isinstance(factory, Static) and factory.before:
            self.error(node.args[0], f"{describe(factory)} cannot make the values of a defaultdict here", FACTORY)
            return None
        is_open = wanted is not None and (source is not None or resolve(wanted.value) in IMMUTABLE)
        if wanted is not None and is_open and self.becomes(node, made, wanted.value):
            made = wanted.value
        if wanted is not None and not unify(made, wanted.value):
            self.error(node.args[0], f"the factory makes {made}, but the values are declared as {wanted.value}",
                       f"declare defaultdict[{wanted.key}, {made}]")
            return None
        python = getattr(denotation, "python", None)
        return DictType(key, made, "defaultdict" if source is None else self.session.factories.name_of(source, python))

    def factory_source(
        self, denotation: object, made: Type | None, wanted: DictType | None
    ) -> FunctionSource | None:
        """The script of a factory; None for a builtin class whose values are the declared ones, and for no factory."""
        if isinstance(denotation, FunctionDenotation):
            return denotation.source
        if isinstance(denotation, BuiltinDenotation) and made is not None and wanted is not None:
            value = resolve(wanted.value)
            is_made = value in IMMUTABLE or has_placeholder(value) or unify(made, value)
            return None if is_made else self.session.maker(getattr(builtins, denotation.name))
        if not isinstance(denotation, ClassDenotation) or made is not None or denotation.arguments:
            return None
        return self.session.maker(denotation.python) if takes_nothing(denotation.python) else None

    def becomes(self, node: syntax.Node, made: Type, declared: Type) -> bool:
        """Whether values of one type convert to another."""
        return convert(ReadTemp(made, node.span, Temp()), declared) is not None

    def made_by_function(self, node: syntax.Call, source: FunctionSource) -> Type | None:
        """What a function gives when it is called without arguments; ERROR after reporting, None if it never does."""
        _params, declared = signature_types(source, None)
        before = self.here.copy()
        bound = self.bind(node.span, source, [], [])
        found = Const(ERROR, node.span, None) if bound is None else self.inline(
            node.span, source, bound, [], None, node.args[0])
        self.env = before
        if found.type in (ERROR, STATIC):
            return ERROR if found.type == ERROR else None
        return declared or (None if found.type == NEVER else resolve(found.type))

    def refine_result(self, value: Expr, declared: Type) -> None:
        """A function that is declared to give a dict, and gives a Counter, gives a Counter to whoever calls it."""
        finer = refined(declared, value.type) or with_members(declared, value.type)
        if finer is not None and self.source.refined_result is None:
            self.gives(finer)

    def gives(self, finer: Type) -> None:
        """From now on the function's result has this type instead of the declared one."""
        self.source.refined_result = finer
        if self.source is self.spec.source:
            self.spec.declare(finer)
        self.session.specialiser.start_again()

    def gives_none(self, declared: Type) -> None:
        """A function that can end without a return gives None there, whatever it is declared to give."""
        self.gives(optional(declared))

    def made_by_class(self, node: syntax.Call, denotation: object) -> Type | None:
        """What a builtin class makes without arguments; None for everything else."""
        if isinstance(denotation, ClassDenotation) and DICT_PYTHON.get(denotation.python) in ("OrderedDict", "Counter"):
            name = DICT_PYTHON[denotation.python]
            value = INT if name == "Counter" else self.placeholder(node, "made value")
            return DictType(self.placeholder(node, "made key"), value, name)
        if not isinstance(denotation, BuiltinDenotation):
            return None
        plain = {"int": INT, "float": FLOAT, "bool": BOOL, "complex": COMPLEX, "str": STR, "bytes": BYTES}
        if denotation.name in plain:
            return plain[denotation.name]
        of_one: dict[str, Callable[[Type], Type]] = {"list": ListType, "set": SetType, "frozenset": FrozenSetType}
        if denotation.name in of_one:
            return of_one[denotation.name](self.placeholder(node, "made element"))
        if denotation.name == "dict":
            return DictType(self.placeholder(node, "made key"), self.placeholder(node, "made value"))
        return TupleType(()) if denotation.name == "tuple" else None

    def call_fromkeys_of_class(
        self, node: syntax.Call, owner: syntax.Expression, want: Type | None
    ) -> Expr | None:
        """`OrderedDict.fromkeys(keys, value)`; None for the method of another object."""
        if not isinstance(owner, (syntax.Name, syntax.Attribute)) or self.kind_at(owner) is not None:
            return None
        value = self.expr(owner)
        if not isinstance(value, Static) or getattr(value.denotation, "python", None) is not collections.OrderedDict:
            return None
        made = self.call_fromkeys(node, want)
        kind = resolve(made.type)
        if self.has_own_keys(kind):
            text = f"OrderedDict.fromkeys() of {kind} is not supported"
            return self.error(node, text, "write d[key] = value in a loop")
        if not isinstance(made, Operate) or not isinstance(kind, DictType):
            return made
        return operate("dict.fromkeys", *made.operands, result=DictType(kind.key, kind.value, "OrderedDict"))

    # Items

    def item_of_dict_class(self, node: syntax.Subscript, owner: Expr, index: Expr) -> Expr | None:
        """`d[key]` that may make an item; None where it is as a dict's."""
        kind = resolve(owner.type)
        if not isinstance(kind, DictType) or dict_class(kind) not in ("Counter", "defaultdict"):
            return None
        if not is_silent(owner, index) and convert(index, kind.key) is None:
            self.learn_elements("_[_]=_", [owner, index, ReadTemp(kind.value, node.span, Temp())])
        if dict_class(kind) == "Counter":
            return self.operate(node, ".get", [owner, index, Const(INT, node.span, 0)])
        source = self.session.factories.source_of(kind.name)
        value = resolve(kind.value)
        if source is None and value in IMMUTABLE:
            return self.operate(node, ".setdefault", [owner, index, constant(IMMUTABLE[value], node.span)])
        if source is not None:
            return self.item_by_function(node, owner, index, source)

        def find(held: list[Expr]) -> Expr:
            fresh = self.operate(node, ".setdefault", [*held, self.made_value(node, value)])
            found = self.operate(node, "_[_]", held)
            is_there = self.operate(node, "_in_", held)
            if is_silent(fresh, found, is_there):
                return self.silent(node.span, [fresh, found, is_there])
            return Choose(resolve(found.type), node.span, is_there, found, fresh, [])

        return once_all([owner, index], find)

    def made_value(self, node: syntax.Node, kind: Type) -> Expr:
        """A new value of a builtin class."""
        if isinstance(kind, ListType):
            return MakeList(kind, node.span, [])
        if isinstance(kind, TupleType):
            return MakeTuple(kind, node.span, [])
        if isinstance(kind, FrozenSetType):
            return self.frozen(MakeSet(SetType(kind.element), node.span, []))
        return MakeSet(kind, node.span, []) if isinstance(kind, SetType) else MakeDict(kind, node.span, [])

    def item_by_function(self, node: syntax.Subscript, owner: Expr, index: Expr, source: FunctionSource) -> Expr:
        """`d[key]` of a defaultdict whose factory is a function."""
        kind = resolve(owner.type)
        assert isinstance(kind, DictType)
        with self.collect() as statements:
            held = [self.hold(owner), self.hold(index)]
            result = f"{MARK}{self.hidden('item')}"
            is_there = self.operate(node, "_in_", held)
            if is_silent(is_there):
                return self.silent(node.span, [*held, is_there])

            def make() -> None:
                value = self.hold(self.inline(node.span, source, {}, [], None, node))
                if not is_silent(value):
                    unify(value.type, kind.value)
                    value = self.coerce(value, kind.value, f"what '{source.name}' makes")
                    self.evaluate(self.operate(node, "_[_]=_", [*held, value]))
                    self.store(result, value)

            here = self.here
            self.branch(node.span, is_there, here, here.copy(), None,
                        lambda: self.store(result, self.operate(node, "_[_]", held)), make)
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
            found = self.read_variable(result, node.span)
            self.drop([result])
        return Do(found.type, node.span, statements, found)

    # Methods

    def method_of_dict_class(self, node: syntax.Node, owner: Expr, kind: DictType, name: str) -> Expr | None:
        """A method or attribute that plain dicts lack or do otherwise."""
        found = METHODS.get((dict_class(kind), name))
        if found is not None:
            return Static(STATIC, node.span, MethodDenotation(self.session.source(found), owner))
        if name == "default_factory" and dict_class(kind) == "defaultdict":
            return self.error(node, "the factory of a defaultdict cannot be read or changed in scripts")
        return None

    def call_dict_class_method(self, node: syntax.Call, receiver: Expr, spelling: str) -> Expr | None:
        """update, subtract, copy and fromkeys; None for methods that are as a dict's."""
        kind = resolve(receiver.type)
        assert isinstance(kind, DictType)
        if dict_class(kind) == "Counter" and spelling in COUNTED:
            return self.count(node, receiver, spelling)
        if spelling == ".copy":
            if node.args or node.keywords:
                return self.error(node, "copy() takes no arguments")
            return self.copy_of_dict_class(node, receiver)
        return None

    def copy_of_dict_class(self, node: syntax.Node, value: Expr) -> Expr:
        """A new dict of the same class."""
        return operate("dict.copy", value, result=resolve(value.type))

    def count(self, node: syntax.Call, owner: Expr, spelling: str) -> Expr:
        """`Counter.update` and `subtract`: of a dict its values, of an iterable its elements, then keywords."""
        if len(node.args) > 1 or any(isinstance(argument, syntax.Starred) for argument in node.args):
            return self.error(node, f"{spelling[1:]}() takes at most 1 argument, got {len(node.args)}")
        by_elements, by_values = COUNTED[spelling]
        with self.collect() as statements:
            owner = self.hold(owner)
            try:
                for argument in node.args:
                    value = self.expr(argument)
                    if not isinstance(value, Static) and resolve(value.type) == NONE:
                        continue
                    self.evaluate(value if is_silent(value) else self.each_arm(
                        value, lambda one: self.by_dict_prelude(
                            node, by_values if isinstance(resolve(one.type), DictType) else by_elements, [owner, one])))
            except NotIterable:
                return Const(ERROR, node.span, None)
            if node.keywords and self.env is not None:
                if any(keyword.arg is None for keyword in node.keywords):
                    return self.error(node, "'**' in a call is not supported yet", "write the keyword arguments out")
                keys: list[syntax.Expression | None] = [
                    syntax.Constant(keyword.span, keyword.arg) for keyword in node.keywords
                ]
                more = self.expr(syntax.Dict(node.span, keys, [keyword.value for keyword in node.keywords]))
                self.evaluate(self.by_dict_prelude(node, by_values, [owner, more]))
            if self.env is None:
                return Do(NEVER, node.span, statements, Const(NEVER, node.span, None))
        return Do(NONE, node.span, statements, none(node.span))

    def by_dict_prelude(self, node: syntax.Node, function: Callable[..., object], values: list[Expr]) -> Expr:
        """A call of the prelude; in place, where it learns the type of the keys."""
        source = self.session.source(function)
        if is_silent(*values):
            return self.silent(node.span, values)
        if not any(not isinstance(value, Static) and has_placeholder(value.type) for value in values):
            return self.invoke_source(node.span, source, values, [])
        bound = self.bind(node.span, source, values, [])
        assert bound is not None
        key = syntax.Node(node.span) if not isinstance(node, syntax.Call) else node.func
        return self.inline(node.span, source, bound, values, None, key)

    # Operators

    def binary_of_dict_classes(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """`|` of a subclass and a dict, and what Counters have besides; None where neither side is a subclass."""
        a, b = resolve(left.type), resolve(right.type)
        classes = dict_class(a), dict_class(b)
        if classes == ("", "") or not (isinstance(a, DictType) and isinstance(b, DictType)):
            return None
        if classes == ("Counter", "Counter") and op in COUNTER_OPERATORS:
            return self.by_dict_prelude(node, COUNTER_OPERATORS[op], [left, right])
        if op != "|" or "Counter" in classes:
            return self.error(node, f"unsupported operand types for {op}: {describe(left)} and {describe(right)}")
        unify(a.key, b.key)
        unify(a.value, b.value)
        if (resolve(a.key), resolve(a.value)) != (resolve(b.key), resolve(b.value)):
            return self.error(node, f"unsupported operand types for {op}: {describe(left)} and {describe(right)}")
        return self.compared(operate("or.dict", left, right, result=resolve(a if classes[0] else b)))

    def augmented_of_dict_class(self, node: syntax.AugAssign, op: str, old: Expr, value: Expr) -> Expr | None:
        """`c += d` and its like of Counters, in place; `|=` of others is an update."""
        if dict_class(old.type) != "Counter":
            return None
        if dict_class(value.type) != "Counter" or op not in COUNTER_UPDATES:
            return self.error(node, f"unsupported operand types for {op}=: {describe(old)} and {describe(value)}")
        return self.by_dict_prelude(node, COUNTER_UPDATES[op], [old, value])

    def unary_of_counter(self, node: syntax.Node, op: str, value: Expr) -> Expr | None:
        """`+c` and `-c` of a Counter."""
        if dict_class(value.type) != "Counter" or op not in "+-":
            return None
        return self.by_dict_prelude(node, prelude.positive if op == "+" else prelude.negative, [value])

    def relation_of_dict_classes(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        """Order of Counters, and equality of what holds instances; None where the runtime's serves."""
        classes = dict_class(left.type), dict_class(right.type)
        if classes == ("Counter", "Counter") and op in COUNTER_ORDERS:
            return self.by_dict_prelude(node, COUNTER_ORDERS[op], [left, right])
        return None

    def text_of_dict_class(self, node: syntax.Node, value: Expr) -> Expr | None:
        """repr() of one that holds instances with texts of their own; None where it has none here."""
        kind = resolve(value.type)
        assert isinstance(kind, DictType)
        if dict_class(kind) == "OrderedDict":
            return self.by_prelude(node, prelude.ordered_text, [value])
        if kind.name == "defaultdict":
            made = resolve(kind.value)
            shown = python_class(made).__qualname__ if isinstance(made, DictType) else str(made).partition("[")[0]
            shown = f"collections.{shown}" if dict_class(made) else shown
            return self.by_prelude(node, prelude.default_text, [value, Const(STR, node.span, f"<class '{shown}'>")])
        factory = self.session.factories.class_of(kind.name)
        if factory is not None:
            return self.by_prelude(node, prelude.default_text, [value, Const(STR, node.span, repr(factory))])
        return None

    def delete_of_counter(self, node: syntax.Subscript, owner: Expr, index: Expr) -> Expr:
        """`del c[key]`, which a missing key does not matter to."""
        done = self.by_dict_prelude(node, prelude.delete_count, [owner, index])
        return done if is_silent(done) else Do(BOOL, node.span, [Evaluate(node.span, done)], boolean(node.span, True))
