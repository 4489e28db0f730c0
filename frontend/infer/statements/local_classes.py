"""Inference of class statements inside functions.

In: the statement. Out: a variable that denotes the class, and hidden ones with what instances take from the function
around. Holds: a class is made once for all runs of the statement; what it takes never changes once it is there.
"""

from __future__ import annotations

from functools import partial

from ....ir.types import Type
from ...compilation.frames import MARK, Frame
from ...core.denotations import ClassDenotation
from ...core.placeholders import join, resolve
from ...core.typed import ERROR, NEVER, STATIC, Const, Expr, GetAttribute, SetAttribute, Static, Stmt, is_silent
from ...objects.class_info import ClassInfo
from ...objects.local_classes import NotLocal, Taken, local_class
from ...parser import syntax
from ...parser.liveness import names_stored
from ..base import InferenceBase
from ..type_facts import converted_to


class LocalClassInference(InferenceBase):
    """Classes in functions."""

    def _ClassDef(self, node: syntax.ClassDef) -> None:
        made = self.session.local_classes.get(node)
        value: Expr = Const(ERROR, node.span, None)
        try:
            if made is None:
                made, taken = local_class(
                    node, self.source, self.classes_around(), self.is_variable, partial(self.is_constant_before, node))
                self.session.local_classes[node] = made
                self.session.taken[made] = dict.fromkeys(taken, NEVER)
                self.name_in_annotations(node.name, made)
            self.keep_taken(node, made)
            value = Static(STATIC, node.span, ClassDenotation(made))
        except NotLocal as problem:
            hint = "hand it to __init__, or define the class at module level"
            self.error(syntax.Span(*node.span[:3], node.span.line, node.span.column + 5), str(problem), hint)
        self.assign(syntax.Name(node.span, node.name), value)

    def is_constant_before(self, node: syntax.ClassDef, name: str) -> bool:
        """Whether a variable of this function has one value in all of a run, from before the class statement on."""
        function = self.source.node
        declared = {each for part in syntax.walk(function) if isinstance(part, syntax.Nonlocal) for each in part.names}
        storing = [step for step in function.body if name in names_stored([step])]
        is_param = name in {param.arg for param in function.args.all}
        is_once = not storing if is_param else len(storing) == 1 and isinstance(
            storing[0], (syntax.Assign, syntax.AnnAssign))
        is_before = all(step.span.line < node.span.line for step in storing)
        return is_once and is_before and name not in declared and name in self.source.locals

    def keep_taken(self, node: syntax.ClassDef, made: type) -> None:
        """Hidden variables with what the instances of a class take from this function."""
        taken = self.session.taken.get(made, {})
        for each, known in taken.items():
            value = self.value(syntax.Name(node.span, each.name))
            if is_silent(value):
                self.evaluate(value)
                return
            kind = join(known, value.type) if known != NEVER else value.type
            if resolve(kind) != resolve(known):
                taken[each] = kind
                for info in self.session.classes.info.values():
                    if issubclass(info.python, made):
                        give_taken(info, each, kind)
                self.session.specialiser.outdate()
            self.store(self.taken_variable(each), value)

    def taken_variable(self, each: Taken) -> str:
        return f"{MARK}taken.{each.name}.{id(each)}"

    def take_around(self, node: syntax.Node, info: ClassInfo, made: Expr) -> list[Stmt]:
        """What a new instance takes from the functions around its class."""
        found: list[Stmt] = []
        for base in info.python.__mro__:
            for each, kind in self.session.taken.get(base, {}).items():
                give_taken(info, each, kind)
                full = self.taken_variable(each)
                value = self.read_variable(full, node.span) if full in self.here.variables else (
                    self.read_taken(node, each))
                if value.type != ERROR:
                    found.append(SetAttribute(node.span, made, each.attribute, converted_to(value, kind)))
        return found

    def read_taken(self, node: syntax.Node, taken: Taken) -> Expr:
        """In a method of a class: a variable of the function around the class."""
        frame: Frame | None = self.frame
        while frame is not None:
            owner, params = frame.source.owner, frame.source.params
            full = frame.prefix + params[0].arg if params else ""
            state = self.here.variables.get(full)
            if owner is not None and taken.python is not None and issubclass(owner, taken.python) and state is not None:
                info = self.class_info(state.type) if state.static is None else None
                kind = self.session.taken[taken.python][taken]
                if info is not None and kind != NEVER:
                    give_taken(info, taken, kind)
                    return GetAttribute(kind, node.span, self.read_variable(full, node.span), taken.attribute)
            frame = frame.outer
        name = getattr(taken.python, "__name__", "")
        text = f"the class '{name}' uses '{taken.name}', a variable of the function around it"
        return self.error(node, text, "hand it to __init__, or define the class at module level")

    def name_in_annotations(self, name: str, made: type) -> None:
        """Annotations in the function may name the class."""
        outer = self.source.lookup
        self.source.lookup = lambda each: made if each == name else outer(each)

    def classes_around(self) -> dict[str, type]:
        """Classes that variables denote here."""
        found: dict[str, type] = {}
        for full, state in self.here.variables.items():
            python = getattr(state.static, "python", None)
            if isinstance(state.static, ClassDenotation) and isinstance(python, type):
                found[full.rpartition(".")[2]] = python
        return found

    def is_variable(self, name: str) -> bool:
        return self.find_name(name) is not None or name in self.source.locals


def give_taken(info: ClassInfo, taken: Taken, kind: Type) -> None:
    """Makes what instances take from around their class an attribute of theirs."""
    if info.type.attributes.get(taken.attribute) != kind:
        info.type.attributes[taken.attribute] = kind
        info.sort_attributes()
