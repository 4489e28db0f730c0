"""How the parts of inference call each other: what one part offers to the rest, each implemented in its own file.

In: nothing. Out: the signatures. Holds: every method here is implemented by exactly one part of `FunctionInference`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NoReturn
from typing import Any as PyAny

from ..ir.types import EnumType, NamedTupleType, Type
from . import syntax
from .environment import Environment
from .modules import ModuleInfo
from .syntax import Span
from .typed import Expr, Operate, Static

if TYPE_CHECKING:
    from ..ir.operators import Operator
    from .classes import ClassInfo
    from .denotations import (
        ArmsDenotation,
        ClosureDenotation,
        Denotation,
        FieldsDenotation,
        KeywordsDenotation,
        OperatorDenotation,
        RangeDenotation,
        SpecialDenotation,
        SuperDenotation,
        TypeDenotation,
    )
    from .frames import Frame
    from .function_source import FunctionSource
    from .infer_base import Jump
    from .iteration import Iteration
    from .liveness import Names
    from .subscripts import Index

Live = Container[str] | None  # full names that may still be read; None: all
Outcome = tuple[Expr, "Environment | None", "Environment | None"]  # a condition; what holds if true, if false
Named = list[tuple[str, Expr]]


class InferenceParts:
    """Abstract."""

    # infer_expressions.py

    def expr(self, node: syntax.Node, want: Type | None = None) -> Expr:
        raise NotImplementedError

    def value(self, node: syntax.Node, want: Type | None = None) -> Expr:
        raise NotImplementedError

    def valued(self, result: Expr) -> Expr:
        raise NotImplementedError

    def text_of(self, value: Expr, row: str = "str.any") -> Expr:
        raise NotImplementedError

    def common(self, items: list[Expr], element: Type | None) -> tuple[Type, list[Expr]]:
        raise NotImplementedError

    def placeholder(self, node: syntax.Node, part: str = "") -> Type:
        raise NotImplementedError

    # infer_text.py

    # infer_run_time_text.py

    def hides_method(self, kind: Type) -> bool:
        raise NotImplementedError

    def percent_at_run_time(self, node: syntax.Node, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    def format_at_run_time(
        self, node: syntax.Call, template: Expr, positional: Sequence[Expr], named: Sequence[tuple[str, Expr]]
    ) -> Expr:
        raise NotImplementedError

    def call_format_map(self, node: syntax.Call, template: Expr) -> Expr:
        raise NotImplementedError

    # infer_bytes.py

    def is_text_method(self, kind: Type, name: str) -> bool:
        raise NotImplementedError

    def call_text_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        raise NotImplementedError

    def decoded(self, node: syntax.Call, data: Expr, options: list[syntax.Expression]) -> Expr:
        raise NotImplementedError

    def as_bytes(self, value: Expr) -> Expr:
        raise NotImplementedError

    def bytes_of_list(self, node: syntax.Node, values: Expr) -> Expr:
        raise NotImplementedError

    # infer_sequences.py

    def is_tuple_method(self, kind: Type, name: str) -> bool:
        raise NotImplementedError

    def call_sequence_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        raise NotImplementedError

    def holds_instances(self, kind: Type) -> bool:
        raise NotImplementedError

    def element_hint(self, kind: Type) -> str:
        raise NotImplementedError

    def orders_by_method(self, kind: Type) -> bool:
        raise NotImplementedError

    def found_by_method(self, result: Operate) -> Expr:
        raise NotImplementedError

    def sorted_by_method(self, result: Operate) -> Expr:
        raise NotImplementedError

    def container_order(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        raise NotImplementedError

    def contains_in_view(self, node: syntax.Node, item: Expr, value: Static) -> Expr:
        raise NotImplementedError

    def view_operation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        raise NotImplementedError

    # infer_numbers.py

    def number_part(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        raise NotImplementedError

    def is_number_method(self, kind: Type, name: str) -> bool:
        raise NotImplementedError

    def call_number_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        raise NotImplementedError

    def call_str_format(self, node: syntax.Call, receiver: Expr) -> Expr:
        raise NotImplementedError

    def any_affix(self, node: syntax.Call, spelling: str, values: list[Expr], rows: Sequence[Operator]) -> Expr:
        raise NotImplementedError

    def percent(self, node: syntax.Node, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    # infer_names.py

    def literal(self, node: syntax.Constant) -> Expr:
        raise NotImplementedError

    def outer_name(self, node: syntax.Name) -> Expr:
        raise NotImplementedError

    def attribute(self, node: syntax.Node, owner: Expr, name: str, path: tuple[str, ...] | None) -> Expr:
        raise NotImplementedError

    def path_of(self, node: syntax.Node) -> tuple[str, ...] | None:
        raise NotImplementedError

    def local_name(self, name: str) -> str:
        raise NotImplementedError

    def find_name(self, name: str) -> str | None:
        raise NotImplementedError

    def is_outer(self, name: str) -> bool:
        raise NotImplementedError

    def live_after(self, node: syntax.Node) -> Live:
        raise NotImplementedError

    def live_head(self, node: syntax.Node) -> Live:
        raise NotImplementedError

    def stored_in(self, nodes: Sequence[syntax.Node]) -> Names:
        raise NotImplementedError

    def module_info(self, kind: Type) -> ModuleInfo | None:
        raise NotImplementedError

    # infer_devices.py

    def device_fact(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        raise NotImplementedError

    def device_attribute(self, node: syntax.Node, owner: Static, name: str) -> Expr:
        raise NotImplementedError

    def make_device(self, node: syntax.Call) -> Expr:
        raise NotImplementedError

    def is_place(self, node: syntax.Node, value: Expr) -> bool:
        raise NotImplementedError

    def is_device_argument(self, keyword: syntax.keyword) -> bool:
        raise NotImplementedError

    # infer_special.py

    def call_special(self, node: syntax.Call, denotation: SpecialDenotation) -> Expr:
        raise NotImplementedError

    def annotation(self, node: syntax.Node) -> Type | None:
        raise NotImplementedError

    def annotated_kind(self, node: syntax.Node) -> Type | None:
        raise NotImplementedError

    def container_test(self, node: syntax.Call) -> Outcome:
        raise NotImplementedError

    def future_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        raise NotImplementedError

    def marked_call(self, node: syntax.Call, source: FunctionSource, receiver: list[Expr]) -> Expr | None:
        raise NotImplementedError

    # infer_generators.py

    def divert(self, span: Span, exit: tuple[Jump, bool] | str) -> None:
        raise NotImplementedError

    # infer_exceptions.py

    def protect(self, span: Span, live: Live, build: Callable[[], None], handle: Callable[[str], None]) -> None:
        raise NotImplementedError

    # infer_functions.py

    def mentioned(self, closure: ClosureDenotation) -> Iterator[tuple[str, str]]:
        raise NotImplementedError

    # infer_arguments.py

    def starred_items(self, node: syntax.Starred) -> list[Expr] | None:
        raise NotImplementedError

    def double_starred_items(self, node: syntax.Node) -> Named | None:
        raise NotImplementedError

    # infer_iterators.py

    def range_parts(self, node: syntax.Call) -> tuple[Expr, Expr, Expr]:
        raise NotImplementedError

    def keep(self, value: Expr) -> Expr:
        raise NotImplementedError

    def keep_name(self, value: Expr) -> str:
        raise NotImplementedError

    def keep_always(self, value: Expr) -> Expr:
        raise NotImplementedError

    def stored_iterator(self, node: syntax.Node) -> Expr:
        raise NotImplementedError

    def gathered(self, node: syntax.Node, value: Expr, most: int | None) -> Expr:
        raise NotImplementedError

    def stored_range(self, node: syntax.Call) -> Expr:
        raise NotImplementedError

    def iterate_stored(self, node: syntax.Node, value: Static) -> Iteration | None:
        raise NotImplementedError

    def next_of(self, node: syntax.Call, stored: Iteration, result: str, found: Jump) -> None:
        raise NotImplementedError

    def range_length(self, span: Span, denotation: RangeDenotation) -> Expr:
        raise NotImplementedError

    def range_item(self, node: syntax.Subscript, owner: Static, denotation: RangeDenotation) -> Expr:
        raise NotImplementedError

    def range_contains(self, node: syntax.Node, item: Expr, denotation: RangeDenotation) -> Expr:
        raise NotImplementedError

    def ranges_equal(self, node: syntax.Node, left: RangeDenotation, right: RangeDenotation) -> Expr:
        raise NotImplementedError

    def range_attribute(self, node: syntax.Node, denotation: RangeDenotation, name: str) -> Expr:
        raise NotImplementedError

    # infer_types.py

    def type_test(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        raise NotImplementedError

    def class_of_arm(self, arm: Type) -> Denotation | None:
        raise NotImplementedError

    def name_of_type(self, node: syntax.Node, denotation: TypeDenotation, name: str) -> Expr:
        raise NotImplementedError

    # infer_globals.py

    def opened(self, value: Expr) -> Expr:
        raise NotImplementedError

    def open_containers(self) -> None:
        raise NotImplementedError

    def is_read_of_container(self, node: syntax.Node, owner: Static, name: str) -> bool:
        raise NotImplementedError

    # infer_function_values.py

    def reify(self, value: Static) -> Expr | None:
        raise NotImplementedError

    def cell_key(self, full: str) -> object:
        raise NotImplementedError

    def want_cell(self, full: str) -> None:
        raise NotImplementedError

    def want_value(self, full: str) -> bool:
        raise NotImplementedError

    def open_cells(self, span: Span, frame: Frame) -> None:
        raise NotImplementedError

    def open_comprehension_cell(self, span: Span, node: syntax.Node, name: str, full: str) -> None:
        raise NotImplementedError

    def fill_cell(self, name: str, span: Span) -> None:
        raise NotImplementedError

    def cell_value(self, full: str, span: Span) -> Expr | None:
        raise NotImplementedError

    def widen_functions(self, values: Sequence[Expr]) -> None:
        raise NotImplementedError

    def learn_functions(self, attributes: dict[str, Type], name: str, kind: Type) -> None:
        raise NotImplementedError

    def call_function_value(self, node: syntax.Call, callee: Expr) -> Expr:
        raise NotImplementedError

    def function_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        raise NotImplementedError

    def function_identity(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        raise NotImplementedError

    def refuse_functions(self, node: syntax.Node | Expr | Span, what: str, *kinds: Type) -> Expr | None:
        raise NotImplementedError

    # infer_classes.py, infer_class_operators.py, infer_values.py

    def class_info(self, kind: Type) -> ClassInfo | None:
        raise NotImplementedError

    def each_arm(self, value: Expr, use: Callable[[Expr], Expr]) -> Expr:
        raise NotImplementedError

    def construct(self, node: syntax.Call, python: type, arguments: tuple[Type, ...] = ()) -> Expr:
        raise NotImplementedError

    def instance_attribute(
        self, node: syntax.Node, owner: Expr, info: ClassInfo, name: str, path: tuple[str, ...] | None
    ) -> Expr:
        raise NotImplementedError

    def class_member(self, node: syntax.Node, owner: Expr, python: type, found: tuple[type, object]) -> Expr:
        raise NotImplementedError

    def arms_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        raise NotImplementedError

    def call_arms(self, node: syntax.Call, denotation: ArmsDenotation) -> Expr:
        raise NotImplementedError

    def call_member(
        self, span: Span, owner: Expr, name: str, values: Sequence[Expr], named: Sequence[tuple[str, Expr]] = ()
    ) -> Expr:
        raise NotImplementedError

    def defines(self, kind: Type, name: str) -> bool:
        raise NotImplementedError

    def set_instance_attribute(self, target: syntax.Attribute, owner: Expr, info: ClassInfo, value: Expr) -> None:
        raise NotImplementedError

    def set_arms_attribute(self, target: syntax.Attribute, owner: Expr, value: Expr) -> None:
        raise NotImplementedError

    def class_attribute_of(self, node: syntax.Node, python: type, name: str) -> Expr | None:
        raise NotImplementedError

    def super_member(self, node: syntax.Node, denotation: SuperDenotation, python: type, name: str) -> Expr:
        raise NotImplementedError

    def has_instances(self, *kinds: Type) -> bool:
        raise NotImplementedError

    def class_binary(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    def class_augmented(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        raise NotImplementedError

    def class_unary(self, node: syntax.Node, name: str, value: Expr) -> Expr:
        raise NotImplementedError

    def class_relation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    def compares_by_method(self, kind: Type) -> bool:
        raise NotImplementedError

    def container_relation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr | None:
        raise NotImplementedError

    def container_text(self, value: Expr) -> Expr | None:
        raise NotImplementedError

    def by_prelude(self, node: syntax.Node, function: object, values: Sequence[Expr]) -> Expr:
        raise NotImplementedError

    def class_text(self, value: Expr, row: str) -> Expr:
        raise NotImplementedError

    def class_truth(self, value: Expr) -> Expr:
        raise NotImplementedError

    def class_length(self, value: Expr) -> Expr:
        raise NotImplementedError

    def class_hash(self, node: syntax.Node, value: Expr) -> Expr:
        raise NotImplementedError

    def class_contains(self, node: syntax.Node, item: Expr, owner: Expr) -> Expr:
        raise NotImplementedError

    def plain(self, value: Expr) -> Expr:
        raise NotImplementedError

    def members(self, node: syntax.Node, python: type) -> Expr:
        raise NotImplementedError

    def find_member(self, node: syntax.Call, python: type) -> Expr:
        raise NotImplementedError

    def member_by_name(self, node: syntax.Subscript, python: type) -> Expr:
        raise NotImplementedError

    def contains_static(self, node: syntax.Node, item: Expr, owner: Static) -> Expr:
        raise NotImplementedError

    def field(self, node: syntax.Node, owner: Expr, kind: EnumType | NamedTupleType, name: str) -> Expr:
        raise NotImplementedError

    def make_named_tuple(self, node: syntax.Call, python: type) -> Expr:
        raise NotImplementedError

    def call_fields(self, node: syntax.Call, denotation: FieldsDenotation) -> Expr:
        raise NotImplementedError

    def iterate_instance(self, node: syntax.Node, value: Expr) -> Iteration:
        raise NotImplementedError

    # infer_operators.py

    def relation(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    def binary(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    def compare(self, node: syntax.Node, op: str, left: Expr, right: Expr) -> Expr:
        raise NotImplementedError

    def negate(self, value: Expr, span: Span) -> Expr:
        raise NotImplementedError

    # infer_conditions.py

    def condition(self, node: syntax.Node) -> Outcome:
        raise NotImplementedError

    def decided(self, value: Expr, true: Environment | None, false: Environment | None) -> Outcome:
        raise NotImplementedError

    def then(self, first: Expr, second: Expr) -> Expr:
        raise NotImplementedError

    # refine.py

    def narrowing(self, node: syntax.Node) -> Outcome | None:
        raise NotImplementedError

    def isinstance_test(self, node: syntax.Call) -> Outcome:
        raise NotImplementedError

    def both(self, subject: syntax.Node, yes: Type, no: Type) -> tuple[Environment, Environment]:
        raise NotImplementedError

    def truth(self, value: Expr) -> Expr:
        raise NotImplementedError

    def is_builtin(self, node: syntax.Name, name: str) -> bool:
        raise NotImplementedError

    # infer_statements.py

    def body(self, statements: Sequence[syntax.Node]) -> None:
        raise NotImplementedError

    def assign(self, target: syntax.Node, value: Expr) -> None:
        raise NotImplementedError

    def give_back(self, span: Span, value: Expr) -> None:
        raise NotImplementedError

    # infer_exceptions.py

    def throw(self, span: Span, exception: Expr) -> None:
        raise NotImplementedError

    def exception_of(self, span: Span, python: type, values: Sequence[Expr]) -> Expr:
        raise NotImplementedError

    def make_exception(self, node: syntax.Call, python: type) -> Expr:
        raise NotImplementedError

    def exception_attribute(self, node: syntax.Node, owner: Expr, name: str) -> Expr:
        raise NotImplementedError

    def matches_any(self, value: Expr, classes: Sequence[type], span: Span) -> Expr:
        raise NotImplementedError

    def exception_of_type(self, node: syntax.Node) -> syntax.Name | None:
        raise NotImplementedError

    def exception_class_name(self, node: syntax.Node, raised: syntax.Name) -> Expr:
        raise NotImplementedError

    def narrow_exception(self, env: Environment, subject: syntax.Node, classes: Sequence[type]) -> None:
        raise NotImplementedError

    def finally_(
        self, span: Span, live: Live, build: Callable[[], None], on_exception: Callable[[str], None],
        on_exit: Callable[[], None],
    ) -> None:
        raise NotImplementedError

    # infer_statements.py

    def in_loop(self, on_break: Jump, on_continue: Jump, body: Sequence[syntax.Node]) -> None:
        raise NotImplementedError

    # infer_iteration.py

    def for_loop(self, node: syntax.For) -> None:
        raise NotImplementedError

    def walk(
        self, span: Span, iteration: Iteration, assigned: Names, head: Live, live: Live,
        each: Callable[[Expr, Jump, Jump], None], leave: Jump | None,
    ) -> None:
        raise NotImplementedError

    def comprehend(
        self, node: syntax.Node, generators: Sequence[syntax.comprehension], build: Callable[[], None],
        first: Iteration | None = None,
    ) -> None:
        raise NotImplementedError

    def list_from(self, node: syntax.Node, want: Type | None = None) -> Expr:
        raise NotImplementedError

    def callee_again(self, node: syntax.Call) -> Expr:
        raise NotImplementedError

    def list_of(self, node: syntax.Node, value: Expr) -> Expr:
        raise NotImplementedError

    def gather(self, node: syntax.Node, kind: Type, build: Callable[[Expr], None]) -> Expr:
        raise NotImplementedError

    def is_lazy(self, node: syntax.Node) -> bool:
        raise NotImplementedError

    def set_attribute(self, target: syntax.Attribute, owner: Expr, value: Expr) -> None:
        raise NotImplementedError

    # infer_calls.py

    def call_source(self, node: syntax.Call, source: FunctionSource, receiver: list[Expr]) -> Expr:
        raise NotImplementedError

    def invoke_source(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named,
        closure: ClosureDenotation | None = None, node: syntax.Node | None = None,
    ) -> Expr:
        raise NotImplementedError

    def bind(
        self, span: Span, source: FunctionSource, values: Sequence[Expr], named: Named
    ) -> dict[str, Expr] | None:
        raise NotImplementedError

    def arguments_of(
        self, node: syntax.Call, source: FunctionSource, receiver: list[Expr]
    ) -> tuple[list[Expr], Named] | None:
        raise NotImplementedError

    # infer_frames.py

    @property
    def place(self) -> PyAny:
        raise NotImplementedError

    def within(self, place: PyAny) -> AbstractContextManager[None]:
        raise NotImplementedError

    def read_variable(self, full: str, span: Span) -> Expr:
        raise NotImplementedError

    def keyword_values(self, span: Span, denotation: KeywordsDenotation) -> list[tuple[str, Expr]]:
        raise NotImplementedError

    def run_generator(
        self, span: Span, source: FunctionSource, bound: dict[str, Expr], written: Sequence[Expr],
        closure: ClosureDenotation | None, node: syntax.Node, on_item: Callable[[Expr], None], assigned: Names,
    ) -> Expr | None:
        raise NotImplementedError

    # infer_functions.py

    def is_recursive(self, closure: ClosureDenotation) -> bool:
        raise NotImplementedError

    def call_recursive(
        self, span: Span, closure: ClosureDenotation, operands: dict[str, Expr], declared: Type | None
    ) -> Expr:
        raise NotImplementedError

    # infer_arguments.py

    def keywords_dict(self, span: Span, denotation: KeywordsDenotation) -> Expr:
        raise NotImplementedError

    def keywords_item(self, node: syntax.Subscript, denotation: KeywordsDenotation) -> Expr:
        raise NotImplementedError

    # infer_sorting.py

    def sort_options(self, node: syntax.Call) -> tuple[syntax.Node | None, syntax.Node | None]:
        raise NotImplementedError

    def sorted_by(self, node: syntax.Call, values: Expr, key: syntax.Node, reverse: syntax.Node | None) -> Expr:
        raise NotImplementedError

    def sort_list(self, node: syntax.Call, owner: Expr) -> Expr:
        raise NotImplementedError

    def extreme_by(
        self, node: syntax.Call, name: str, op: str, key: syntax.Node | None, default: syntax.Node | None
    ) -> Expr:
        raise NotImplementedError

    def callee_of(self, node: syntax.Node) -> str:
        raise NotImplementedError

    def iterate_value(self, node: syntax.Node, value: Expr) -> Iteration:
        raise NotImplementedError

    # infer_generators.py

    def generator_of(
        self, node: syntax.Node, source: FunctionSource, positional: Sequence[Expr], named: Named,
        closure: ClosureDenotation | None = None,
    ) -> Iteration:
        raise NotImplementedError

    def is_generator_call(self, node: syntax.Node) -> bool:
        raise NotImplementedError

    def generator_call(self, node: syntax.Call, callee: Static) -> Iteration | None:
        raise NotImplementedError

    # infer_iteration.py, as others use it

    def iterate(self, node: syntax.Node) -> Iteration:
        raise NotImplementedError

    def give_up(self) -> NoReturn:
        raise NotImplementedError

    def end_with(self, span: Span, values: Sequence[Expr]) -> NoReturn:
        raise NotImplementedError

    # infer_frames.py, the rest

    def give_inside(self, span: Span, value: Expr) -> bool:
        raise NotImplementedError

    def inline(
        self, span: Span, source: FunctionSource, bound: dict[str, Expr], written: Sequence[Expr],
        closure: ClosureDenotation | None, node: syntax.Node,
    ) -> Expr:
        raise NotImplementedError

    def apply(self, span: Span, callee: str, values: Sequence[Expr]) -> Expr:
        raise NotImplementedError

    # infer_consumers.py

    def call_fromkeys(self, node: syntax.Call, want: Type | None) -> Expr:
        raise NotImplementedError

    # infer_tensor_lists.py

    def tolist_method(self, node: syntax.Node, owner: Expr, name: str) -> Expr | None:
        raise NotImplementedError

    def call_tolist(self, node: syntax.Call, denotation: SpecialDenotation, want: Type | None) -> Expr:
        raise NotImplementedError

    # infer_sets.py

    def call_set_method(self, node: syntax.Call, denotation: OperatorDenotation) -> Expr | None:
        raise NotImplementedError

    # infer_builtins.py

    def call_builtin(self, node: syntax.Call, name: str, want: Type | None) -> Expr:
        raise NotImplementedError

    def keywords(self, node: syntax.Call) -> Named:
        raise NotImplementedError

    def takes(self, node: syntax.Call, least: int, most: int, allowed: Sequence[str] = ()) -> bool:
        raise NotImplementedError

    def wrong(self, node: syntax.Node) -> Expr:
        raise NotImplementedError

    # subscripts.py

    def held_index(self, owner: Expr, node: syntax.Node) -> Index:
        raise NotImplementedError

    def get_item(self, node: syntax.Subscript, owner: Expr, index: Index) -> Expr:
        raise NotImplementedError

    def set_item(self, node: syntax.Subscript, owner: Expr, index: Index, value: Expr) -> None:
        raise NotImplementedError

    def delete_item(self, node: syntax.Subscript) -> None:
        raise NotImplementedError

    def sequence_parts(self, node: syntax.Node, value: Expr, count: int, star: int | None) -> list[Expr]:
        raise NotImplementedError
