"""Inference of one function: from its syntax and its arguments' types to a typed tree and a result type.

In: a specialisation. Out: typed statements and the union of what its returns give.
Holds: falling off the end returns None; parameters may be assigned like any variable, at their declared type.
"""

from __future__ import annotations

from ...ir.types import ClassType, Type
from ..compilation.frames import MARK
from ..compilation.session import Session
from ..compilation.specialise import Again, Specialisation
from ..core.conversions import convert
from ..core.function_values import CONTENT
from ..core.placeholders import join, resolve
from ..core.typed import ERROR, NEVER, NOT_IMPLEMENTED, STATIC, GetAttribute, Return, Static, Stmt, Store, none
from ..diagnostics import Diagnostic
from ..objects.signatures import signature_types
from ..parser import syntax
from ..parser.syntax import Span
from .base import Unreachable
from .classes.attributes import AttributeInference
from .classes.class_attributes import ClassAttributeInference
from .classes.copies import CopyInference
from .classes.declined import DeclinedInference
from .classes.exception_values import ExceptionValueInference
from .classes.flags import FlagInference
from .classes.instances import ClassInference
from .classes.made_modules import MadeModuleInference
from .classes.members import ValueInference
from .classes.named_tuples import NamedTupleInference
from .classes.namespaces import NamespaceInference
from .classes.number_methods import NumberMethodInference
from .classes.special_methods import ClassOperatorInference
from .classes.types import TypeInference
from .classes.unset_attributes import UnsetAttributeInference
from .containers.asked_results import AskedResultInference
from .containers.attribute_elements import AttributeElementInference
from .containers.declared_results import DeclaredResultInference
from .containers.denied_elements import DeniedElementInference
from .containers.deques import DequeInference
from .containers.dict_classes import DictClassInference
from .containers.element_types import ElementTypeInference
from .containers.globals import GlobalInference
from .containers.growth import GrowthInference
from .containers.keys import KeyInference
from .containers.module_containers import ModuleContainerInference
from .containers.module_tensors import ModuleTensorInference
from .containers.other_keys import OtherKeyInference
from .containers.own_keys import OwnKeyInference
from .containers.own_tensors import OwnTensorInference
from .containers.sequences import SequenceInference
from .containers.sets import SetInference
from .containers.slices import SliceInference
from .containers.sorting import SortingInference
from .containers.subscripts import SubscriptInference
from .containers.tensor_lists import GUESSES, RIVALS, TensorListInference
from .containers.tensor_subscripts import TensorSubscriptInference
from .containers.unpacking import UnpackingInference
from .expressions.any_changes import AnyChangeInference
from .expressions.any_members import AnyMemberInference
from .expressions.any_methods import AnyMethodInference
from .expressions.any_values import AnyInference
from .expressions.builtins import BuiltinInference
from .expressions.called_operators import CalledOperatorInference
from .expressions.chosen_classes import ChosenClassInference
from .expressions.compared_constants import ComparedConstantInference
from .expressions.computed_names import ComputedNameInference
from .expressions.conditions import ConditionInference
from .expressions.declared_places import DeclaredPlaceInference
from .expressions.expression import ExpressionInference
from .expressions.getters import GetterInference
from .expressions.left_to_run import LeftToRunInference
from .expressions.missing_names import MissingNameInference
from .expressions.names import NameInference
from .expressions.operators import OperatorInference
from .expressions.presence import PresenceInference
from .expressions.refinement import RefinementInference
from .expressions.tuple_lengths import TupleLengthInference
from .expressions.type_predicates import TypePredicateInference
from .expressions.union_calls import UnionCallInference
from .expressions.union_members import UnionMemberInference
from .expressions.union_operators import UnionOperatorInference
from .functions.arguments import ArgumentInference
from .functions.builtin_spreads import BuiltinSpreadInference
from .functions.calls import CallInference
from .functions.captures import CaptureInference, cell_name
from .functions.closures import ClosureInference
from .functions.decorators import DecoratorInference
from .functions.frames import FrameInference
from .functions.function_values import FunctionValueInference
from .functions.hosts import HostInference
from .functions.library import LibraryInference
from .functions.object_calls import ObjectCallInference
from .functions.operator_calls import OperatorCallInference
from .functions.special import SpecialInference
from .functions.spreads import SpreadInference
from .functions.stored_calls import StoredCallInference
from .iteration import NotIterable
from .loops.chosen_ranges import ChosenRangeInference
from .loops.comprehensions import ComprehensionInference
from .loops.consumers import ConsumerInference
from .loops.for_loops import IterationInference
from .loops.generator_methods import GeneratorMethodInference
from .loops.generators import GeneratorInference
from .loops.iterators import IteratorInference
from .loops.owned_generators import OwnedGeneratorInference
from .loops.resumable import ResumableInference
from .primitives.bytes import BytesInference
from .primitives.devices import DeviceInference
from .primitives.dtypes import DtypeInference
from .primitives.numbers import NumberInference
from .primitives.numbers_of_tensors import NumbersOfTensorsInference
from .primitives.percent_bytes import PercentBytesInference
from .primitives.printing import PrintInference
from .primitives.run_time_text import RunTimeTextInference
from .primitives.tensor_numbers import TensorNumberInference
from .primitives.text import TextInference
from .primitives.whole_numbers import WholeNumberInference
from .statements.assignment import AssignmentInference
from .statements.attribute_assignment import AttributeAssignmentInference
from .statements.augmented import AugmentedInference
from .statements.exceptions import ExceptionInference
from .statements.handled import HandledInference
from .statements.imports import ImportInference
from .statements.library_managers import LibraryManagerInference
from .statements.local_classes import LocalClassInference
from .statements.match import MatchInference
from .statements.statement import StatementInference
from .statements.tensor_data import TensorDataInference
from .statements.with_statements import WithInference

MAX_STARTS = 100  # of one function
MAX_LOOKS = 12  # of them for element types that are not known in time


class FunctionInference(
    ClassInference,
    AttributeInference,
    ClassAttributeInference,
    ClassOperatorInference,
    DeclinedInference,
    NumberMethodInference,
    OtherKeyInference,
    WholeNumberInference,
    ValueInference,
    LocalClassInference,
    ComputedNameInference,
    FlagInference,
    StatementInference,
    AssignmentInference,
    AttributeAssignmentInference,
    AugmentedInference,
    TensorDataInference,
    ModuleContainerInference,
    ModuleTensorInference,
    MatchInference,
    IterationInference,
    ComprehensionInference,
    SubscriptInference,
    TensorSubscriptInference,
    UnpackingInference,
    FunctionValueInference,
    CaptureInference,
    StoredCallInference,
    LeftToRunInference,
    ChosenRangeInference,
    IteratorInference,
    TypeInference,
    MadeModuleInference,
    GlobalInference,
    HostInference,
    ClosureInference,
    DecoratorInference,
    GeneratorInference,
    ResumableInference,
    GeneratorMethodInference,
    OwnedGeneratorInference,
    GetterInference,
    SliceInference,
    FrameInference,
    ArgumentInference,
    SpreadInference,
    BuiltinSpreadInference,
    SortingInference,
    SpecialInference,
    DeviceInference,
    DtypeInference,
    CallInference,
    ObjectCallInference,
    OperatorCallInference,
    AnyInference,
    AnyMemberInference,
    AnyMethodInference,
    AnyChangeInference,
    BuiltinInference,
    PrintInference,
    ExceptionInference,
    HandledInference,
    ExceptionValueInference,
    WithInference,
    ImportInference,
    LibraryManagerInference,
    ConsumerInference,
    CopyInference,
    DequeInference,
    DictClassInference,
    ElementTypeInference,
    AskedResultInference,
    DeclaredResultInference,
    DeniedElementInference,
    AttributeElementInference,
    GrowthInference,
    KeyInference,
    OwnKeyInference,
    OwnTensorInference,
    SetInference,
    TensorListInference,
    LibraryInference,
    SequenceInference,
    RunTimeTextInference,
    NumbersOfTensorsInference,
    TensorNumberInference,
    BytesInference,
    PercentBytesInference,
    NamedTupleInference,
    NamespaceInference,
    UnsetAttributeInference,
    NumberInference,
    TextInference,
    NameInference,
    OperatorInference,
    UnionCallInference,
    UnionMemberInference,
    UnionOperatorInference,
    DeclaredPlaceInference,
    TupleLengthInference,
    CalledOperatorInference,
    ConditionInference,
    ComparedConstantInference,
    ChosenClassInference,
    RefinementInference,
    TypePredicateInference,
    PresenceInference,
    MissingNameInference,
    ExpressionInference,
):
    """All of inference, for one specialisation."""

    def statement(self, node: syntax.Node) -> None:
        try:
            super().statement(node)
        except NotIterable:
            return

    def run(self) -> tuple[list[Stmt], Type]:
        """The typed body, and the type of the result."""
        self.bind_parameters()
        if self.source.is_ignored:
            return self.host_body()
        if self.spec.generator is not None:
            self.spec.generator.items.clear()
            self.frame.on_yield, self.frame.suspends = self.suspend, True
        try:
            self.body(self.source.node.body)
        except Unreachable:
            self.env = None
        if self.env is not None:
            self.fall_off()
        if self.spec.generator is not None:
            return self.out, self.spec.generator.learned(self.results)
        kinds = [kind for kind in map(resolve, self.results) if kind not in (NEVER, STATIC)]
        if kinds and all(kind == NOT_IMPLEMENTED for kind in kinds):
            return self.out, NOT_IMPLEMENTED
        if NOT_IMPLEMENTED in kinds and ERROR not in kinds:
            self.declines_on_some_paths()
        if ERROR in kinds:
            self.spec.accepted = join(NEVER, *(kind for kind in kinds if kind != ERROR))
            return self.out, self.spec.declared or ERROR
        return self.out, self.spec.declared or (join(*kinds) if kinds else NEVER)

    def bind_parameters(self) -> None:
        hints, _result = signature_types(self.source, self.error)
        prefix = self.frame.prefix
        given = [(prefix + param.arg, kind) for param, kind in zip(self.source.all_params, self.spec.arguments)]
        for name, argument in (*given, *self.spec.captured.items()):
            if isinstance(argument, Static):
                self.here.store(name, STATIC, argument.denotation)
                continue
            assert isinstance(argument, Type)
            self.here.store(name, argument)
        self.bind_cells([name for name, _ in given])
        for name, argument in given:
            if isinstance(argument, Static) and self.cell_key(name) in self.spec.valued:
                self.store(name, Static(STATIC, self.source.node.span, argument.denotation))
        self.open_containers()
        own = {param.arg for param in self.source.params}
        self.declared.update((prefix + name, kind) for name, kind in hints.items() if name in own)
        self.declared_in.update((name, self.source.node.body) for name in self.declared)
        self.rebound.update(prefix + name for name in self.source.rebound)

    def bind_cells(self, params: list[str]) -> None:
        """Cells of the parameters and variables, and those that a stored function brought with it."""
        span = self.source.node.span
        for name, argument in self.spec.captured.items():
            full, _, mark = name.rpartition(MARK)
            if mark == "cell" and isinstance(argument, ClassType) and full not in self.spec.foreign:
                self.spec.celled[full] = argument.attributes[CONTENT]
                self.spec.foreign.add(full)
        for full in sorted(self.spec.foreign):
            content = GetAttribute(self.spec.celled[full], span, self.read_hidden(cell_name(full), span), CONTENT)
            self.emit(Store(span, full, content))
            self.here.store(full, content.type)
        if self.spec.celled:
            self.open_cells(span, self.frame)
            for name in params:
                if name in self.here.variables and self.here.variables[name].static is None:
                    self.fill_cell(name, span)

    def fall_off(self) -> None:
        """`return None` at the end."""
        last = self.source.node.body[-1].span if self.source.node.body else self.source.node.span
        span = Span(last.file, last.end_line, last.end_column, last.end_line, last.end_column)
        value = none(span)
        declared = self.spec.declared
        if declared is not None:
            converted = convert(value, declared)
            if converted is None and ERROR in self.results:
                return
            if converted is None and self.source.owner is None:
                self.gives_none(declared)
            if converted is None:
                head = self.source.node.span
                name = self.source.name
                where = Span(head.file, head.line, head.column, head.line, head.column + len("def ") + len(name))
                self.error(where, f"'{name}' can end without a return, but its result is {declared}",
                           "return a value on every path, or raise")
                return
            value = converted[0]  # type: ignore[assignment]
        self.results.append(value.type)
        self.emit(Return(span, value))
        self.env = None


def infer_function(session: Session, spec: Specialisation) -> tuple[list[Stmt], Type]:
    """Types a specialisation's body, with each guess that it makes until one goes through. What is wrong with it goes
    to the session's reporter."""
    with session.specialiser.sharing(spec):
        return inferred_with_guesses(session, spec)


def inferred_with_guesses(session: Session, spec: Specialisation) -> tuple[list[Stmt], Type]:
    """The same in the frames that it has."""
    guesses = Guesses(session, spec)
    found = inferred_to_end(session, spec)
    if not spec.has_guessed or not guesses.have_failed():
        return found
    for number, guess in enumerate(GUESSES):
        if number <= spec.guess:
            continue
        found = guesses.tried(number)
        if guesses.have_failed():
            continue
        rival = RIVALS.get(guess)
        if rival is None:
            return found
        guesses.tried(GUESSES.index(rival))
        if guesses.have_failed():
            return guesses.tried(number)
        break
    return guesses.refused(guesses.tried(len(GUESSES)))


class Guesses:
    """The guesses at what nothing in a function declares, tried in turn from one state of the session."""

    def __init__(self, session: Session, spec: Specialisation) -> None:
        self.session, self.spec = session, spec
        self.mark = session.reporter.mark()
        self.learned, self.foreseen = dict(spec.learned), dict(spec.foreseen)
        self.known = session.specialiser.remember()
        self.wrong: dict[tuple[Span, str], Diagnostic] | None = None  # what is wrong with every guess

    def have_failed(self) -> bool:
        found = self.session.reporter.since(self.mark)
        said = {(each.span, each.message): each for each in found}
        known = said if self.wrong is None else self.wrong
        self.wrong = {key: each for key, each in known.items() if key in said}
        return bool(found)

    def refused(self, found: tuple[list[Stmt], Type]) -> tuple[list[Stmt], Type]:
        """After the last guess: what has nothing to do with guesses is said in place of them."""
        if self.wrong:
            self.session.reporter.rewind(self.mark)
            for each in self.wrong.values():
                self.session.reporter.add(each)
        return found

    def tried(self, number: int) -> tuple[list[Stmt], Type]:
        self.spec.guess = number
        self.spec.learned, self.spec.foreseen = dict(self.learned), dict(self.foreseen)
        self.session.specialiser.restore(self.known)
        self.known = self.session.specialiser.remember()
        self.session.reporter.rewind(self.mark)
        return inferred_to_end(self.session, self.spec)


def inferred_to_end(session: Session, spec: Specialisation) -> tuple[list[Stmt], Type]:
    """The same with one guess: from the start again as long as something is learned."""
    mark = session.reporter.mark()
    refused, looks = None, 0
    while spec.starts < MAX_STARTS:
        learned = session.specialiser.learned
        try:
            found = FunctionInference(session, spec).run()
            before, refused = refused, session.reporter.since(mark)
            is_new = refused != before or not refused
            if session.classes.is_worth_another_look(spec) and is_new and looks < MAX_LOOKS:
                session.specialiser.look_again(spec)
                looks += 1
            elif session.specialiser.learned == learned or session.classes.is_trying:
                return found
        except Again as again:
            if again.spec is not spec:
                raise
        spec.starts += 1
        session.reporter.rewind(mark)
    text = f"the types of what '{spec.source.name}' and the functions it calls assign grow without end"
    hint = "annotate the attributes, and call functions where they are made"
    session.reporter.error(spec.source.node.span, text, hint)
    return [], ERROR
