"""Inference of assignments: values and their targets, annotations, unpacking.

In: assignments. Out: stores, and what the names are known to be after them.
Holds: the value is evaluated before the parts of its targets; an annotation of a variable holds in the whole function.
"""

from __future__ import annotations

from ....ir.types import ANY, TENSOR, ListType, TupleType, Type, arms_of
from ...core.conversions import convert, has_arm, is_tensor_or_number
from ...core.denotations import (
    IteratorDenotation,
    RangeDenotation,
    ViewDenotation,
)
from ...core.placeholders import resolve
from ...core.typed import (
    ERROR,
    NEVER,
    STATIC,
    Expr,
    Static,
    is_silent,
)
from ...objects.annotations import AnnotationError, OpenAnnotation, type_of_annotation
from ...objects.class_facts import find_method
from ...objects.signatures import is_left_open, is_open_annotation
from ...parser import syntax
from ...parser.ownership import only_reads
from ..base import InferenceBase
from ..containers.asked_results import MADE
from ..finer_types import refined
from ..loops.iterators import columns_in


class AssignmentInference(InferenceBase):
    """Assignments to names, and of whole targets."""

    def _Assign(self, node: syntax.Assign) -> None:
        if self.chooses_iterator(node):
            self.assign_chosen(node)
            return
        if (keywords := self.keywords_assigned(node.targets[0], node.value, None)) is not None:
            self.assign(node.targets[0], keywords)
            return
        want = self.target_type(node.targets[0], node.value)
        if node.type_comment is not None and isinstance(node.targets[0], syntax.Name):
            want = self.declare(node.targets[0], syntax.Constant(node.span, node.type_comment))
        if want is None and len(node.targets) == 1 and isinstance(node.targets[0], syntax.Name):
            want = self.annotated_kind(node.value) or self.spec.by_use.get(self.local_name(node.targets[0].id))
            if want is not None:
                self.take_note(self.local_name(node.targets[0].id), want)
        if self.makes_iterators(node):
            self.assign_each(node)
            return
        if want is None and (want := self.learned_type(node.targets[0])) is not None:
            self.learn_value(node.targets[0], unpacked_display(node))
        value = self.assigned_value(node, want)
        if len(node.targets) > 1:
            value = self.hold(value)
        if node.type_comment is not None and isinstance(node.targets[0], syntax.Name):
            self.assign_name(node.targets[0], value, is_annotated=True)
            return
        target = node.targets[0]
        if isinstance(target, syntax.Attribute) and target.attr == "data" and len(node.targets) == 1:
            self.assign_data(node, target, value)
            return
        self.take_sources(node)
        form = self.text_form(node.value)
        parts = [self.text_form(part) for part in node.value.elts] if isinstance(node.value, syntax.Tuple) else []
        for target in node.targets:
            self.assign(target, value)
            self.note_text(target, form)
            if isinstance(target, syntax.Tuple) and len(target.elts) == len(parts):
                for name, part in zip(target.elts, parts):
                    self.note_text(name, part)

    def assigned_value(self, node: syntax.Assign, want: Type | None) -> Expr:
        """The value; one that the variable's annotation does not fit is looked at again without it."""
        target, display = node.targets[0], unpacked_display(node)
        if is_spread_unpacked(node) and isinstance(display, (syntax.Tuple, syntax.List)):
            count = len(target.elts)  # type: ignore[attr-defined]
            return self.starred_tuple(syntax.Tuple(display.span, display.elts), [None] * len(display.elts), count)
        is_free = isinstance(target, syntax.Name) and self.declared_in.get(self.local_name(target.id)) is self.suite
        if not is_free or not isinstance(display, DISPLAYS):
            return self.expr(display, want)
        return self.expr_or(lambda: self.expr(display, want), lambda: self.expr(display))

    def _AnnAssign(self, node: syntax.AnnAssign) -> None:
        if node.value is not None and is_open_annotation(node.annotation, self.source):
            self.assign(node.target, self.expr(node.value))
            return
        if node.value is not None and is_left_open(node.annotation, self.source):
            self._Assign(syntax.Assign(node.span, [node.target], node.value, None))
            return
        if isinstance(node.target, syntax.Name):
            kind = self.declare(node.target, node.annotation)
            if node.value is not None and (made := self.keywords_assigned(node.target, node.value, kind)) is not None:
                self.store(self.local_name(node.target.id), made)
            elif node.value is not None:
                value = self.expr(node.value, self.display_type(node.target, node.value, kind))
                finer = None if kind is None else refined(kind, value.type)
                if finer is not None:
                    self.declared[self.local_name(node.target.id)] = finer
                self.assign_name(node.target, value, is_annotated=True)
            return
        kind = self.annotation(node.annotation)
        if node.value is not None:
            value = self.expr(node.value, kind)
            if kind is not None and refined(kind, value.type) is None:
                value = self.coerce(value, kind, "the value")
            self.assign(node.target, value)

    def declare(self, target: syntax.Name, annotation: syntax.Node) -> Type | None:
        """Takes note of a variable's annotation, which holds in the whole function."""
        kind = self.annotation(annotation)
        name = self.local_name(target.id)
        known = self.declared.get(name)
        if kind is not None and known is not None and known != kind and refined(kind, known) is None:
            self.error(annotation, f"'{target.id}' is annotated as {known} already", "use another name")
        elif kind is not None:
            kind = known or kind
            self.take_note(name, kind)
        return kind

    def take_note(self, name: str, kind: Type) -> None:
        """What is assigned to the variable converts to this type."""
        self.declared[name] = kind
        self.declared_in.setdefault(name, self.suite)

    def is_made_anew(self, name: str, value: Expr, kind: Type) -> bool:
        """Whether an assignment makes another variable of the same name: of a value that its annotation does not take,
        among the same statements as the annotation, so that it runs whenever that does."""
        if self.declared_in.get(name) is not self.suite or isinstance(value, Static):
            return False
        if is_silent(value) or name in self.rebound or self.cell_key(name) in self.spec.celled:
            return False
        is_mixed = kind == TENSOR and is_tensor_or_number(resolve(value.type))
        return convert(value, kind) is None and not is_mixed

    def annotation(self, node: syntax.Node) -> Type | None:
        try:
            return type_of_annotation(node, self.source.lookup, self.source.class_type)
        except OpenAnnotation:
            return None
        except AnnotationError as error:
            self.error(error.node or node, str(error))
            return None

    def target_type(self, target: syntax.Node, value: syntax.Node) -> Type | None:
        """The type a value should have for its target, as a hint for literals."""
        if isinstance(target, syntax.Name):
            return self.display_type(target, value, self.declared.get(self.local_name(target.id)))
        if isinstance(target, syntax.Subscript) and (self.spec.learned or isinstance(value, MADE)):
            return self.wanted_item(target, value)
        return self.wanted_of_attribute(target, value) if isinstance(target, syntax.Attribute) else None

    def display_type(self, target: syntax.Name, value: syntax.Node, kind: Type | None) -> Type | None:
        """The type that is wanted of a variable's new value: a list takes anything later where the variable does."""
        is_display = isinstance(value, (syntax.List, syntax.ListComp))
        return ListType(ANY) if kind == ANY and is_display and not only_reads(self.source.node, target.id) else kind

    def assign(self, target: syntax.Node, value: Expr) -> None:
        """Stores a value that is evaluated now, before the parts of the target."""
        if isinstance(target, syntax.Name):
            self.assign_name(target, value)
        elif isinstance(target, (syntax.Tuple, syntax.List)):
            self.unpack(target, value)
        elif isinstance(target, syntax.Attribute):
            value = self.hold_once(value)
            self.set_attribute(target, self.expr(target.value), value)
        elif isinstance(target, syntax.Subscript):
            if isinstance(value, Static):
                self.evaluate(value)
                value = Static(STATIC, value.span, value.denotation)
            value = self.hold_once(value)
            owner = self.hold(self.expr(target.value))
            self.set_item(target, owner, self.held_index(owner, target.slice), value)
            self.note_element(target, value)
        else:
            self.error(target, "this cannot be assigned to")

    def note_element(self, target: syntax.Subscript, value: Expr) -> None:
        """What an element is known to be that was assigned just now."""
        path = self.path_of(target) if self.env is not None else None
        wanted, given = self.kind_at(target) if path is not None else None, resolve(value.type)
        if path is not None and wanted not in (None, ANY, given) and has_arm(wanted or ANY, given):
            self.here.paths[path] = given

    def assign_name(self, target: syntax.Name, value: Expr, is_annotated: bool = False) -> None:
        name = self.local_name(target.id)
        kind = self.declared.get(name)
        if kind is not None and not is_annotated and self.is_made_anew(name, value, kind):
            del self.declared[name], self.declared_in[name]
            kind = None
        self.session.notes.store(self.source.name, target.id, target.span, kind or value.type)
        if kind is None:
            self.store(name, self.at_learned_type(name, target, value) if self.spec.learned else value)
            return
        before = resolve(value.type)
        if before == ANY and only_reads(self.source.node, target.id):
            value = self.plain_of_any(target, value, kind)
        value = self.coerce(value, kind, f"'{target.id}'")
        if value.type == ERROR:
            self.here.store(name, ERROR)
            return
        self.store(name, value)
        if self.env is not None and has_arm(kind, before) and not isinstance(kind, TupleType):
            self.here.narrow(name, before)

    def unpack(self, target: syntax.Tuple | syntax.List, value: Expr) -> None:
        stars = [i for i, item in enumerate(target.elts) if isinstance(item, syntax.Starred)]
        if len(stars) > 1:
            self.error(target, "two starred expressions in assignment")
            return
        columns = None if stars else columns_in(value)
        if columns is not None:
            self.evaluate(value)
            for item, part in zip(target.elts, columns.unpacked(len(target.elts))):
                self.assign(item, part)
            return
        if self.is_iterator(value) or self.has_instances(value.type):
            if stars and self.starts_anew(value.type):
                self.error(target, "the rest of an unpacked iterator is asked of its __iter__ again, which does more "
                           "than to return self", "make a list of the iterator")
                return
            value = self.gathered(target, value, None if stars else len(target.elts))
        value = self.opened(value)
        if isinstance(value, Static):
            self.error(value, f"{value.denotation.describe()} cannot be unpacked")
            return
        if value.type == NEVER:
            self.evaluate(value)
            return
        if value.type == ERROR:
            parts: list[Expr] = [value] * len(target.elts)
        else:
            parts = self.sequence_parts(target, value, len(target.elts), stars[0] if stars else None)
        for item, part in zip(target.elts, parts):
            self.assign(item.value if isinstance(item, syntax.Starred) else item, part)

    def starts_anew(self, kind: Type) -> bool:
        """Whether instances are their own iterators, and asking for one changes them."""
        for arm in arms_of(resolve(kind)):
            python = self.session.classes.python_of(arm)
            found = None if python is None or find_method(python, "__next__") is None else find_method(
                python, "__iter__")
            if found is not None:
                body = self.session.classes.method(found[0], "__iter__").node.body
                last = body[-1]
                is_plain = len(body) == 1 and isinstance(last, syntax.Return) and isinstance(last.value, syntax.Name)
                if not is_plain:
                    return True
        return False

    def is_iterator(self, value: Expr) -> bool:
        """Whether a value is an iterator, of any kind."""
        if isinstance(value, Static):
            return isinstance(value.denotation, UNPACKED)
        return self.session.functions.is_generator(value.type)


DISPLAYS = (syntax.DictComp, syntax.SetComp, syntax.List, syntax.Dict, syntax.Set)


UNPACKED = (IteratorDenotation, RangeDenotation, ViewDenotation)


def is_spread_unpacked(node: syntax.Assign) -> bool:
    """Whether a display with `*` is unpacked at once into so many targets, as `b, n, d = *x.shape, self.d`."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, (syntax.Tuple, syntax.List)):
        return False
    stars = [any(isinstance(each, syntax.Starred) for each in side.elts) for side in (target, value)
             if isinstance(side, (syntax.Tuple, syntax.List))]
    return stars == [False, True]


def unpacked_display(node: syntax.Assign) -> syntax.Expression:
    """The value of an assignment: a list display that is unpacked at once as a tuple, which keeps each item's type."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, (syntax.Tuple, syntax.List)):
        return value
    if not isinstance(value, syntax.List) or len(target.elts) != len(value.elts):
        return value
    is_starred = any(isinstance(each, syntax.Starred) for each in (*target.elts, *value.elts))
    return value if is_starred else syntax.Tuple(value.span, value.elts)
