"""Attributes whose name is known at run time only: `getattr(x, name)`, `setattr(x, name, value)`, `hasattr(x, name)`.

In: expressions for names. Out: choices among the attributes that such a name may mean. Holds: what a text may be is
read off how it is written (a loop over texts, `"visit_" + kind`), and off what was assigned to the variable last; where
that leaves any text, all attributes of the class are meant.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from typing import Any as PyAny

from ....ir.types import ANY, BOOL, FLOAT, INT, STR, ClassType, Type, arms_of, has_arm
from ...core.conversions import narrowed, once_all, operate
from ...core.denotations import ClassDenotation, ContainerDenotation, TypeDenotation
from ...core.placeholders import join, resolve
from ...core.typed import NEVER, STATIC, Choose, Const, Expr, IsType, MakeTuple, Static, after, boolean, is_silent
from ...objects.class_facts import find
from ...objects.signatures import signature_types
from ...parser import syntax
from ..base import InferenceBase
from ..primitives.percent_format import conversions
from ..text_forms import ANY_TEXT, MANY, TextForm
from ..type_facts import converted_to, is_class_like

Pieces = Callable[[str], list["str | None"]]
CASES: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper, "title": str.title}


def percent_pieces(template: str) -> list[str | None]:
    return [piece if isinstance(piece, str) else None for piece in conversions(template)]


def format_pieces(template: str) -> list[str | None]:
    return [part for text, field, _, _ in string.Formatter().parse(template) for part in (
        (text, None) if field is not None else (text,))]


def form_of_template(template: syntax.Node, pieces_of: Pieces) -> TextForm:
    """What a text may be that is filled in: what stands before the first value and behind the last."""
    if not isinstance(template, syntax.Constant) or not isinstance(template.value, str):
        return ANY_TEXT
    try:
        pieces = pieces_of(template.value)
    except ValueError:
        return ANY_TEXT
    if None not in pieces:
        return ANY_TEXT
    last = len(pieces) - pieces[::-1].index(None)
    return TextForm(None, "".join(filter(None, pieces[: pieces.index(None)])), "".join(filter(None, pieces[last:])))


class ComputedNameInference(InferenceBase):
    """Names."""

    # What a text may be

    def text_form(self, node: syntax.Node) -> TextForm:
        if isinstance(node, syntax.Constant) and isinstance(node.value, str):
            return TextForm((node.value,))
        if isinstance(node, syntax.Name):
            state = None if self.env is None else self.env.variables.get(self.local_name(node.id))
            return ANY_TEXT if state is None else self.text_forms.get(state.definition, ANY_TEXT)
        if isinstance(node, syntax.IfExp):
            forms = self.text_form(node.body), self.text_form(node.orelse)
            found = [text for form in forms for text in form.texts or ()]
            return ANY_TEXT if any(form.texts is None for form in forms) else TextForm(tuple(dict.fromkeys(found)))
        if isinstance(node, syntax.BinOp) and node.op == "+":
            return self.text_form(node.left).followed_by(self.text_form(node.right))
        if isinstance(node, syntax.BinOp) and node.op == "%":
            return form_of_template(node.left, percent_pieces)
        if isinstance(node, syntax.JoinedStr):
            whole = TextForm(("",))
            for part in node.values:
                whole = whole.followed_by(self.text_form(part))
            return whole
        if isinstance(node, syntax.FormattedValue) and node.format_spec is None and node.conversion is None:
            return self.text_form(node.value)
        if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Attribute) and node.func.attr == "format":
            return form_of_template(node.func.value, format_pieces)
        if isinstance(node, syntax.Call) and isinstance(node.func, syntax.Attribute) and not node.args:
            form = self.text_form(node.func.value) if node.func.attr in CASES else ANY_TEXT
            change = CASES.get(node.func.attr, str)
            return ANY_TEXT if form.texts is None else TextForm(tuple(dict.fromkeys(map(change, form.texts))))
        if isinstance(node, syntax.Attribute) and node.attr in ("__name__", "__qualname__"):
            return self.class_names(node.value)
        return ANY_TEXT

    def class_names(self, node: syntax.Node) -> TextForm:
        """The names that `type(x)` or `x.__class__` may have."""
        is_type = isinstance(node, syntax.Call) and isinstance(node.func, syntax.Name) and node.func.id == "type"
        if not is_type and not (isinstance(node, syntax.Attribute) and node.attr == "__class__"):
            return ANY_TEXT
        if self.env is None:
            return ANY_TEXT
        mark, before = self.reporter.mark(), self.here.copy()
        with self.collect():
            found = self.expr(node)
        self.reporter.rewind(mark)
        self.env = before
        denotation = found.denotation if isinstance(found, Static) else None
        if isinstance(denotation, ClassDenotation):
            return TextForm((denotation.python.__name__,))
        kinds = arms_of(resolve(denotation.value.type)) if isinstance(denotation, TypeDenotation) else ()
        classes = [self.session.classes.python_of(kind) for kind in kinds]
        names = [python.__name__ for python in classes if python is not None]
        return TextForm(tuple(dict.fromkeys(names))) if names and None not in classes else ANY_TEXT

    def note_text(self, target: syntax.Node, form: TextForm) -> None:
        """After a variable was assigned a text of a form."""
        if isinstance(target, syntax.Name) and form != ANY_TEXT and self.env is not None:
            state = self.here.variables.get(self.local_name(target.id))
            if state is not None and resolve(state.type) == STR:
                self.text_forms[state.definition] = form

    def note_texts(self, target: syntax.Node, walked: syntax.Node) -> None:
        """After the target of a loop was assigned an item of a display of texts, or of a container outside."""
        texts = self.walked_texts(walked)
        if texts is not None and len(texts) <= MANY:
            self.note_text(target, TextForm(tuple(dict.fromkeys(texts))))

    def note_constants(self, target: syntax.Node, item: Expr) -> None:
        """After a target was assigned an item that is known when compiling, or holds some that are."""
        if isinstance(target, syntax.Name) and isinstance(item, Const) and isinstance(item.value, str):
            self.note_text(target, TextForm((item.value,)))
        elif isinstance(target, (syntax.Tuple, syntax.List)) and isinstance(item, MakeTuple):
            for part, value in zip(target.elts, item.items):
                self.note_constants(part, value)

    def walked_texts(self, walked: syntax.Node) -> Sequence[str] | None:
        if isinstance(walked, (syntax.Tuple, syntax.List, syntax.Set)):
            forms = [self.text_form(item) for item in walked.elts]
            if any(form.texts is None for form in forms):
                return None
            return [text for form in forms for text in form.texts or ()]
        is_outside = isinstance(walked, syntax.Name) and self.find_name(walked.id) is None
        if not is_outside and not isinstance(walked, syntax.Attribute):
            return None
        with self.collect():
            value = self.expr(walked)
        denotation = value.denotation if isinstance(value, Static) else None
        held = denotation.python if isinstance(denotation, ContainerDenotation) else None
        items: list[PyAny] = list(held) if isinstance(held, (list, tuple, set, frozenset)) else [
            item.value if isinstance(item, Const) else None for item in getattr(value, "items", [])]
        return items if items and all(isinstance(item, str) for item in items) else None

    # Choices

    def candidates(self, owner: Expr, form: TextForm) -> list[str]:
        """The attributes of a value, of which the class is known, that may be meant."""
        if form.texts is not None:
            return list(form.texts)
        info, kind = self.class_info(owner.type), resolve(owner.type)
        python = self.session.classes.python_of(owner.type)
        held = info.type.attributes if info is not None else kind.attributes if isinstance(kind, ClassType) else ()
        names = [*held, *(dir(python) if python is not None else ())]
        return [name for name in dict.fromkeys(names) if form.allows(name) and not name.startswith("__")]

    def computed_getattr(self, node: syntax.Call, owner: Expr, name: Expr) -> Expr:
        """`getattr(x, name)` and `getattr(x, name, default)`."""
        form = self.text_form(node.args[1])
        other = self.value(node.args[2]) if len(node.args) == 3 else None
        if isinstance(other, Static):
            other = self.reify(other)
        if is_silent(owner, name) or (other is not None and is_silent(other)):
            return self.silent(node.span, [owner, name, *([] if other is None else [other])])
        if isinstance(owner, Static) or not all(map(is_class_like, arms_of(resolve(owner.type)))):
            return self.computed_of_class(node, owner, name, form, other)
        held = [owner, name, *([] if other is None else [other])]

        def use(values: list[Expr]) -> Expr:
            def one(arm: Expr) -> Expr:
                texts = [text for text in self.candidates(arm, form) if self.may_have(resolve(arm.type), text)]
                return self.chosen_by_name(
                    node, values[1], texts, lambda text: self.attribute_now(node, arm, text, values[2:]),
                    lambda: self.absent(node, arm, values[1]) if other is None else values[2])

            return self.each_arm(values[0], one)

        return once_all(held, use)

    def computed_of_class(
        self, node: syntax.Call, owner: Expr, name: Expr, form: TextForm, other: Expr | None
    ) -> Expr:
        """`getattr(Config, name)`, where the names are known."""
        is_class = isinstance(owner, Static) and isinstance(owner.denotation, ClassDenotation)
        if form.texts is None or not is_class or other is not None:
            return self.unknown_name(node)
        assert isinstance(owner, Static)
        denoted = Static(STATIC, owner.span, owner.denotation)
        python = owner.denotation.python  # type: ignore[attr-defined]
        shown = getattr(python, "__name__", "")
        texts = [text for text in form.texts if hasattr(python, text)]
        kind = "type object" if isinstance(python, type) else "module"

        def fail(text: Expr) -> Expr:
            parts = operate("add.str", Const(STR, node.span, f"{kind} '{shown}' has no attribute '"), text)
            whole = operate("add.str", parts, Const(STR, node.span, "'"))
            return self.raise_error(node.span, "AttributeError", whole)

        found = once_all([name], lambda held: self.chosen_by_name(
            node, held[0], texts, lambda text: self.attribute(node, denoted, text, None), lambda: fail(held[0])))
        return after(owner.before, found)

    def chosen_by_name(
        self, node: syntax.Node, name: Expr, texts: Sequence[str], use: Callable[[str], Expr],
        otherwise: Callable[[], Expr],
    ) -> Expr:
        """What belongs to the text that a name is."""
        results: list[Expr] = []
        for text in texts:
            result = use(text)
            if isinstance(result, Static):
                made = self.reify(result)
                if made is None:
                    return self.error(node, f"{result.denotation.describe()} has no value in scripts")
                result = made
            if result.type not in (NEVER,) and is_silent(result):
                return result
            results.append(result)
        last = otherwise()
        kinds = [resolve(each.type) for each in (*results, last) if each.type != NEVER]
        kind = (self.session.functions.merged_all(kinds) or join(*kinds)) if kinds else NEVER
        found = last if kind == NEVER or last.type == NEVER else converted_to(last, kind)
        for text, result in reversed(list(zip(texts, results))):
            test = operate("eq.str", name, Const(STR, node.span, text))
            fitted = result if result.type == NEVER else converted_to(result, kind)
            found = Choose(kind, node.span, test, fitted, found, [])
        return found

    def absent(self, node: syntax.Node, owner: Expr, name: Expr) -> Expr:
        module = self.module_info(owner.type)
        python = self.session.classes.python_of(owner.type) if module is None else module.python
        start = Const(STR, node.span, f"'{getattr(python, '__name__', owner.type)}' object has no attribute '")
        whole = operate("add.str", operate("add.str", start, name), Const(STR, node.span, "'"))
        return self.raise_error(node.span, "AttributeError", whole)

    def computed_hasattr(self, node: syntax.Call, owner: Expr, name: Expr) -> Expr:
        """`hasattr(x, name)`."""
        if is_silent(owner, name):
            return self.silent(node.span, [owner, name])
        if isinstance(owner, Static) or not all(map(is_class_like, arms_of(resolve(owner.type)))):
            return self.unknown_name(node)
        form = self.text_form(node.args[1])

        def one(arm: Expr, text: Expr) -> Expr:
            texts = [each for each in self.candidates(arm, form) if self.may_have(resolve(arm.type), each)]
            return self.chosen_by_name(
                node, text, texts, lambda each: self.is_set_now(node, arm, each), lambda: boolean(node.span, False))

        return once_all([owner, name], lambda held: self.each_arm(held[0], lambda arm: one(arm, held[1])))

    def computed_setattr(self, node: syntax.Call, owner: Expr, name: Expr, value: Expr) -> None:
        """`setattr(x, name, value)`."""
        texts = self.text_form(node.args[1]).texts
        if isinstance(owner, Static) or (texts is None and isinstance(value, Static)):
            self.unknown_name(node)
            return
        held, owner = self.hold(name), self.hold(owner)
        if texts is None:
            self.set_any_name(node, owner, held, self.hold(value))
            return
        pending = list(texts)

        def choose() -> None:
            text = pending.pop(0)
            target = syntax.Attribute(node.span, node.args[0], text)
            if not pending:
                self.set_attribute(target, owner, value)
                return
            here = self.here
            test = operate("eq.str", held, Const(STR, node.span, text))
            self.branch(node.span, test, here, here.copy(), None,
                        lambda: self.set_attribute(target, owner, value), choose)

        choose()

    def set_any_name(self, node: syntax.Call, owner: Expr, name: Expr, value: Expr) -> None:
        """The same with a name that may be any text: of the attributes that can hold the value. A new attribute, which
        the program could not read, is refused when it runs."""
        info = self.class_info(owner.type)
        if info is None:
            self.unknown_name(node)
            return
        form = self.text_form(node.args[1])
        wanted = {**info.type.attributes, **self.settable_properties(info.python)}
        kinds = {each: self.part_to_hold(resolve(value.type), resolve(kind))
                 for each, kind in wanted.items() if form.allows(each)}
        pending = [each for each, kind in kinds.items() if kind is not None]

        def refuse() -> None:
            start = Const(STR, node.span, f"'{info.python.__name__}' has no attribute '")
            text = operate("add.str", operate("add.str", start, name), Const(
                STR, node.span, "' that a script may set to this value"))
            self.evaluate(self.raise_error(node.span, "RuntimeError", text))

        def choose() -> None:
            if not pending:
                refuse()
                return
            text = pending.pop(0)
            target, kind = syntax.Attribute(node.span, node.args[0], text), kinds.get(text)
            given = value if kind is None else narrowed(value, kind)
            here = self.here
            test: Expr = operate("eq.str", name, Const(STR, node.span, text))
            if kind not in (None, resolve(value.type)):
                is_kind = IsType(BOOL, node.span, value, kind)
                test = Choose(BOOL, node.span, test, is_kind, boolean(node.span, False), [])
            self.branch(node.span, test, here, here.copy(), None,
                        lambda: self.set_attribute(target, owner, given), choose)

        choose()

    def settable_properties(self, python: type) -> dict[str, Type]:
        """The properties of a class that have a setter, with the types that those declare."""
        found: dict[str, Type] = {}
        for name in dir(python):
            defined = find(python, name)
            if defined is None or not isinstance(defined[1], property) or defined[1].fset is None:
                continue
            source = self.session.classes.property_source(defined[1], defined[0], is_setter=True)
            hints, _result = signature_types(source, None)
            found[name] = hints.get(source.params[1].arg, ANY)
        return found

    def part_to_hold(self, given: Type, wanted: Type) -> Type | None:
        """Which of the types that a value may have an attribute holds; None: none of them."""
        def holds(kind: Type) -> bool:
            return wanted == kind or has_arm(wanted, kind) or (kind in (BOOL, INT) and FLOAT in arms_of(wanted))

        return given if holds(given) else next(filter(holds, arms_of(given)), None)

    def unknown_name(self, node: syntax.Call) -> Expr:
        hint = "loop over texts written out: for name in (\"width\", \"height\"):"
        return self.error(node.args[1], "the attribute's name must be a constant str, or one of texts known here", hint)
