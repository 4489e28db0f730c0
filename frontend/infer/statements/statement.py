"""Inference of statements: control flow, assignment in all its forms, raise and assert.

In: statement trees. Out: typed statements, and the environment after each.
Holds: every part is evaluated once and in Python's order; code that cannot be reached is not looked at.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence

from ....ir.types import ANY, NONE, TENSOR, ClassType, DictType, ListType, NamedTupleType, TupleType, Type, arms_of
from ...compilation.frames import MARK
from ...core.conversions import convert, has_arm, is_tensor_or_number
from ...core.denotations import (
    KEPT_BY_PARTS,
    ClassDenotation,
    IteratorDenotation,
    MarkerDenotation,
    RangeDenotation,
    ViewDenotation,
)
from ...core.matcher import describe
from ...core.placeholders import has_placeholder, resolve
from ...core.typed import (
    ERROR,
    NEVER,
    NOT_IMPLEMENTED,
    STATIC,
    Expr,
    Loop,
    MakeObject,
    Once,
    Return,
    SetAttribute,
    Static,
    Unbind,
    is_silent,
    none,
)
from ...objects.annotations import AnnotationError, OpenAnnotation, type_of_annotation
from ...objects.class_facts import find_method, mangled
from ...objects.modules import ModuleInfo
from ...objects.signatures import is_left_open, is_open_annotation
from ...parser import syntax
from ...parser.liveness import names_stored
from ...parser.ownership import only_reads
from ...parser.syntax import Span
from ..base import InferenceBase, Jump, Unreachable
from ..expressions.union_members import attribute_error
from ..finer_types import refined
from ..loops.iterators import columns_in
from ..operand_errors import class_name
from ..type_facts import takes_anything

LATER = {
    syntax.TryStar: ("'except*' is not supported", "write except"),
    syntax.AsyncFunctionDef: ("'async' is not supported", "write a plain function"),
    syntax.AsyncFor: ("'async' is not supported", "write a plain for loop"),
    syntax.AsyncWith: ("'async' is not supported", "write plain code"),
}

DISPLAYS = (syntax.DictComp, syntax.SetComp, syntax.List, syntax.Dict, syntax.Set)
UNPACKED = (IteratorDenotation, RangeDenotation, ViewDenotation)


class StatementInference(InferenceBase):
    """One method a statement class: `_If`, `_Assign`."""

    def body(self, statements: Sequence[syntax.Node], goes_on: bool = False) -> None:
        """`goes_on`: they run whenever the statements around them do."""
        outer = self.suite
        self.suite = outer if goes_on else statements
        try:
            for place, statement in enumerate(statements):
                if self.env is None:
                    return
                try:
                    if self.owns_generator(statement):
                        self.with_owned(statement, statements[place + 1 :])
                        return
                    self.statement(statement)
                except Unreachable:
                    self.env = None
                self.drop_held()
        finally:
            self.suite = outer

    def statement(self, node: syntax.Node) -> None:
        self.current = node
        self.session.place = node.span
        refusal = LATER.get(type(node))
        if refusal is not None:
            self.error(Span(*node.span[:3], node.span.line, node.span.column + 3), *refusal)
            self.results.append(ERROR)
            for name in self.stored_in([node]):
                self.here.store(name, ERROR)
            return
        method: Callable[[syntax.Node], None] | None = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            self.error(node, f"this statement ({type(node).__name__}) is not supported in scripts")
            return
        method(node)

    def _Pass(self, node: syntax.Pass) -> None:
        pass

    def _Global(self, node: syntax.Global) -> None:
        stored = names_stored(self.source.node.body)
        around = self.frame.outer
        if not any(name in stored or (around is not None and around.find(name) is not None) for name in node.names):
            return
        self.error(node, "a script cannot assign globals", "keep state in a module attribute, or return the value")

    def _Expr(self, node: syntax.Expr) -> None:
        if isinstance(node.value, syntax.Constant):
            return
        self.evaluate(self.expr(node.value))

    # Control flow

    def _If(self, node: syntax.If) -> None:
        chosen = self.chosen_by_if(node)
        if chosen is not None:
            self._Assign(chosen)
            return
        live = self.live_after(node)
        condition, true, false = self.condition(node.test)
        self.session.notes.branch(node, true is not None, false is not None)
        is_decided = true is None or false is None
        is_setting = self.asks_setting(node.test)

        def arm(body: list[syntax.Statement]) -> None:
            self.settings += is_setting
            try:
                self.body(body, is_decided)
            finally:
                self.settings -= is_setting

        self.branch(node.span, condition, true, false, live, lambda: arm(node.body), lambda: arm(node.orelse))

    def _While(self, node: syntax.While) -> None:
        head, after = self.live_head(node), self.live_after(node)
        assigned = self.stored_in([node.test, *node.body])

        def run(leave: Jump) -> None:
            def round_of(loop: Jump) -> None:
                condition, true, false = self.condition(node.test)
                self.branch(
                    node.test.span, condition, true, false, None, lambda: None, lambda: self.leave(node.span, loop)
                )
                again = Jump(loop.target, depth=loop.depth)
                again.again = loop.again
                self.in_loop(leave if node.orelse else loop, again, node.body)

            self.loop(node.span, assigned, head, head if node.orelse else after, round_of)
            self.body(node.orelse)

        if node.orelse:
            self.once(node.span, after, run)
        else:
            run(Jump(Once(node.span)))

    def in_loop(self, on_break: Jump, on_continue: Jump, body: Sequence[syntax.Node]) -> None:
        """The body of a user's loop."""
        self.jumps.append((on_break, on_continue))
        try:
            self.body(body)
        finally:
            self.jumps.pop()

    def _For(self, node: syntax.For) -> None:
        self.for_loop(node)

    def _Break(self, node: syntax.Break) -> None:
        if not self.jumps:
            self.error(node, "'break' outside loop")
            return
        self.leave(node.span, self.jumps[-1][0])

    def _Continue(self, node: syntax.Continue) -> None:
        if not self.jumps:
            self.error(node, "'continue' not properly in loop")
            return
        jump = self.jumps[-1][1]
        self.leave(node.span, jump, is_again=isinstance(jump.target, Loop))

    def _Return(self, node: syntax.Return) -> None:
        if isinstance(node.value, syntax.IfExp) and any(map(self.is_declining, (node.value.body, node.value.orelse))):
            choice = node.value
            first, second = (syntax.Return(way.span, way) for way in (choice.body, choice.orelse))
            self.statement(syntax.If(node.span, choice.test, [first], [second]))
            return
        declared = self.frame.declared
        asked = None if declared is not None else self.asked_result(node)
        value = none(node.span) if node.value is None else self.opened(self.expr(node.value, declared or asked))
        self.learn_result(value, asked)
        if declared is not None and not isinstance(value, Static) and not is_silent(value):
            self.refine_result(value, declared)
            declared = self.frame.declared
        if isinstance(value, Static) and len(self.returns) > 1 and (made := self.reify(value)) is not None:
            value = made  # on its way through a `finally`
        is_declining = isinstance(value, Static) and value.denotation == MarkerDenotation(NotImplemented)
        if is_declining and self.spec.may_decline:
            value, is_declining = MakeObject(self.session.declined, node.span), False
        if self.frame.exit is not None and self.give_inside(node.span, value):
            return
        if is_declining:
            self.results.append(NOT_IMPLEMENTED)
            self.emit(Return(node.span, none(node.span)))
            self.env = None
            return
        is_value = self.spec.is_stored or self.spec.outer is not None
        is_kept = is_value or isinstance(value, Static) and isinstance(value.denotation, KEPT_BY_PARTS)
        if isinstance(value, Static) and is_kept and (made := self.reify(value)) is not None:
            value = made
        if isinstance(value, Static):
            self.spec.gives_function = True
            self.error(value, f"a function cannot return {value.denotation.describe()}")
        elif value.type == NEVER:
            self.evaluate(value)
        elif declared is not None:
            value = self.as_result(node.value, value, declared)
            if (self.spec.is_folded or takes_anything(declared)) and convert(value, declared) is None:
                self.learn_folded(value, declared)
            value = self.coerce(value, declared, f"the result of '{self.source.name}'")
        self.give_back(node.span, value)

    def is_declining(self, node: syntax.Expression) -> bool:
        """`NotImplemented`, or a choice with it: no value of scripts."""
        if isinstance(node, syntax.IfExp):
            return self.is_declining(node.body) or self.is_declining(node.orelse)
        if not isinstance(node, syntax.Name) or node.id != "NotImplemented" or self.find_name(node.id) is not None:
            return False
        value = self.outer_name(node)
        return isinstance(value, Static) and value.denotation == MarkerDenotation(NotImplemented)

    def give_back(self, span: Span, value: Expr) -> None:
        """Returns a value, by way of the `finally`s around."""
        if self.returns and self.env is not None and not is_silent(value) and not isinstance(value, Static):
            jump, name = self.returns[-1]
            self.store(name, value)
            self.leave(span, jump)
            return
        if self.guards and self.env is not None and not is_silent(value) and not isinstance(value, Static):
            name = f"{MARK}{self.hidden('returned')}"
            self.store(name, value)
            self.divert(span, name)
            return
        self.results.append(value.type)
        if self.env is not None:
            self.emit(Return(span, value))
            self.env = None

    def _Assert(self, node: syntax.Assert) -> None:
        condition, true, false = self.condition(node.test)

        def fail() -> None:
            values = [] if node.msg is None else [self.value(node.msg)]
            self.throw(node.span, self.exception_of(node.span, AssertionError, values))

        live = self.live_after(node)
        self.branch(node.span, condition, true, false, live, lambda: None, fail)

    def _Delete(self, node: syntax.Delete) -> None:
        for target in node.targets:
            if isinstance(target, (syntax.Tuple, syntax.List)):
                self._Delete(syntax.Delete(target.span, target.elts))
            elif isinstance(target, syntax.Name):
                self.delete_name(target)
            elif isinstance(target, syntax.Subscript):
                self.delete_item(target)
            elif isinstance(target, syntax.Attribute):
                self.take_attribute(target, self.expr(target.value), target.attr)
            else:
                self.error(target, "this cannot be deleted")

    def delete_name(self, target: syntax.Name) -> None:
        name = self.local_name(target.id)
        state = self.here.variables.get(name)
        if state is None:
            self.evaluate(self.expr(target))
            return
        if self.cell_key(name) in self.spec.celled:
            self.error(target, f"'{target.id}' is used by a stored function and cannot be deleted", "assign None")
            return
        if state.static is None and not state.is_conflict:
            if not state.is_bound:
                self.evaluate(self.expr(target))
            self.deleted.add(name)
            self.emit(Unbind(target.span, name, False))
        self.here.unbind(name)

    # Assignment

    def _Assign(self, node: syntax.Assign) -> None:
        if self.chooses_iterator(node):
            self.assign_chosen(node)
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
            if node.value is not None:
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
        if isinstance(target, syntax.Subscript) and isinstance(value, (syntax.Dict, syntax.List)):
            owner = self.natural_type(target.value)
            if owner == ANY or isinstance(owner, DictType) and resolve(owner.value) == ANY:
                return ANY
        if isinstance(target, syntax.Subscript) and self.spec.learned:
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
            value = self.hold(value)
            self.set_attribute(target, self.expr(target.value), value)
        elif isinstance(target, syntax.Subscript):
            if isinstance(value, Static):
                self.evaluate(value)
                value = Static(STATIC, value.span, value.denotation)
            value = self.hold(value)
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

    def set_attribute(self, target: syntax.Attribute, owner: Expr, value: Expr) -> None:
        if is_silent(owner, value):
            self.evaluate(self.silent(target.span, [owner, value]))
            return
        if self.is_tested_at_run_time(owner, target.attr):
            owner = self.hold(self.present(target, owner, target.attr))
        described = self.class_info(owner.type)
        if described is not None:
            self.set_instance_attribute(target, owner, described, value)
            return
        if self.has_instances(owner.type) and NONE not in arms_of(resolve(owner.type)):
            self.set_arms_attribute(target, owner, value)
            return
        kind = resolve(owner.type)
        if kind == ANY and self.set_member_of_any(target, owner, value):
            return
        if not isinstance(kind, ClassType):
            is_class = isinstance(owner, Static) and isinstance(owner.denotation, ClassDenotation)
            python = getattr(owner.denotation, "python", None) if is_class and isinstance(owner, Static) else None
            if isinstance(python, type) and self.set_class_attribute(target, python, value):
                return
            is_field = isinstance(kind, NamedTupleType) and target.attr in dict(kind.fields)
            shown = "can't set attribute" if is_field else unset_text(owner, target.attr)
            self.evaluate(self.wrong_or_left(
                target, ("AttributeError", shown), f"attribute '{target.attr}' of {describe(owner)} cannot be assigned",
                "keep it in an attribute of an instance, or return it" if is_class else None, [owner, value]))
            return
        name = mangled(target.attr, self.source.owner)
        info = self.module_info(kind)
        if info is not None and is_learned_type(value.type) and info.learn(name, resolve(value.type)):
            self.session.specialiser.start_again()
        wanted = kind.attributes.get(name)
        if wanted is None:
            if info is not None and self.set_module_property(target, owner, info, name, value):
                return
            if info is not None and name in info.constants:
                self.error(
                    target, f"'{name}' is a constant of '{kind}'",
                    "annotate the attribute in the class body, as in `" + name + ": Optional[Tensor]`",
                )
            elif info is not None and name in info.refused:
                self.error(target, f"'{name}': {info.refused[name]}")
            else:
                self.error(target, f"'{kind}' has no attribute '{name}'", "assign it in __init__ first")
            return
        if isinstance(wanted, ClassType) and wanted.is_module:
            self.error(target, f"the submodule '{name}' cannot be replaced in a script")
            return
        converted = self.coerce(value, wanted, f"attribute '{name}'")
        if is_silent(converted):
            return
        self.emit(SetAttribute(target.span, owner, name, converted))
        self.here.forget_attribute(name)
        path = self.path_of(target)
        if path is not None and resolve(value.type) != wanted and resolve(value.type) != STATIC:
            if has_arm(wanted, resolve(value.type)):
                self.here.paths[path] = resolve(value.type)

    def is_iterator(self, value: Expr) -> bool:
        """Whether a value is an iterator, of any kind."""
        if isinstance(value, Static):
            return isinstance(value.denotation, UNPACKED)
        return self.session.functions.is_generator(value.type)

    def set_module_property(
        self, target: syntax.Attribute, owner: Expr, info: ModuleInfo, name: str, value: Expr
    ) -> bool:
        """`self.n = value` where the module's class has a property of that name; False if it has none."""
        base = next((base for base in info.python.__mro__ if name in base.__dict__), None)
        found = base.__dict__[name] if base is not None else None
        if base is None or not isinstance(found, property):
            return False
        if found.fset is None:
            self.error(target, f"property '{name}' has no setter")
            return True
        self.evaluate(self.invoke_source(target.span, self.session.source(found.fset, base), [owner, value], []))
        return True


def unpacked_display(node: syntax.Assign) -> syntax.Expression:
    """The value of an assignment: a list display that is unpacked at once as a tuple, which keeps each item's type."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, (syntax.Tuple, syntax.List)):
        return value
    if not isinstance(value, syntax.List) or len(target.elts) != len(value.elts):
        return value
    is_starred = any(isinstance(each, syntax.Starred) for each in (*target.elts, *value.elts))
    return value if is_starred else syntax.Tuple(value.span, value.elts)


def unset_text(owner: Expr, name: str) -> str | None:
    """The AttributeError of an attribute that is set of a value of a built-in class without it."""
    kind = None if isinstance(owner, Static) else class_name(owner.type)
    if kind is None:
        return None
    python = type(None) if kind == "NoneType" else getattr(builtins, kind)
    return None if hasattr(python, name) else attribute_error(python, name)


def is_learned_type(kind: Type) -> bool:
    """Whether an attribute of a module that nothing declares may come to be of a type."""
    kind = resolve(kind)
    is_module = isinstance(kind, ClassType) and kind.is_module
    return kind not in (ERROR, NEVER, STATIC, ANY, NONE) and not is_module and not has_placeholder(kind)
