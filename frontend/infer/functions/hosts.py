"""Functions marked `ignore`: they stay with the host, and the program calls them by name.

In: the parameters of such a function. Out: in the place of its body, the call of the host. Holds: the body is never
looked at; the result has the annotated type, which is checked when the host gives it.
"""

from __future__ import annotations

from ....ir.operators import OPERATORS
from ....ir.types import ANY, NONE, STR, TENSOR, ListType, Type
from ...core.conversions import as_exception, operate
from ...core.exception_types import ExceptionClass, is_exception
from ...core.placeholders import resolve
from ...core.typed import ERROR, Const, Expr, MakeList, Operate, Recast, Return, Stmt
from ...objects.class_info import ClassInfo
from ...objects.function_source import FunctionSource, own_nodes
from ...parser import syntax
from ...parser.syntax import Span
from ..base import InferenceBase


class HostInference(InferenceBase):
    """Calls of the host."""

    def host_body(self) -> tuple[list[Stmt], Type]:
        """`return` of what the host's function gives for the parameters."""
        source, span = self.source, self.source.node.span
        declared = self.spec.declared or implied_result(source)
        values = [self.host_argument(param) for param in source.all_params]
        if source.node.args.vararg or source.node.args.kwarg:
            values.append(self.error(source.node, f"'{source.name}' is marked ignore and cannot take * or **",
                                     "write the parameters out"))
        if not self.crosses(declared):
            values.append(self.error(source.node, f"'{source.name}' is marked ignore and cannot give {declared}",
                                     "give numbers, texts, tensors, containers or instances"))
        if any(value.type == ERROR for value in values):
            return self.out, self.spec.declared or ERROR
        name = self.session.hosts.name(source)
        arguments = MakeList(ListType(ANY), span, [Recast(ANY, span, value) for value in values])
        results = MakeList(ListType(declared), span, [])
        row = OPERATORS["host.call.any"]
        call = Operate(declared, span, row, [Const(STR, span, name), arguments, results], (declared,))
        self.session.exceptions.is_hosted = True
        if self.exception_infos():
            self.protect(span, None, lambda: self.give(span, call), lambda caught: self.raise_whole(span, caught))
        else:
            self.give(span, call)
        return self.out, declared

    def give(self, span: Span, result: Expr) -> None:
        self.emit(Return(span, result))
        self.env = None

    def exception_infos(self) -> list[ClassInfo]:
        """The user's exception classes of the program, derived ones first."""
        found = [info for info in self.session.classes.info.values() if isinstance(info.type, ExceptionClass)]
        return sorted(found, key=lambda info: -len(info.python.__mro__))

    def raise_whole(self, span: Span, caught: str) -> None:
        """What the host raised: of a user's class, an instance with nothing but its arguments."""
        pending = self.exception_infos()

        def next_class() -> None:
            if not pending:
                self.throw(span, self.read_hidden(caught, span))
                return
            info = pending.pop(0)
            test = self.matches(self.read_hidden(caught, span), info.python, span)
            here = self.here
            self.branch(span, test, here, here.copy(), None, lambda: make(info), next_class)

        def make(info: ClassInfo) -> None:
            args = operate("exception.args", self.read_hidden(caught, span))
            described = self.session.classes.describe(info)
            self.throw(span, as_exception(self.new_exception(syntax.Node(span), described, args)))

        next_class()

    def host_argument(self, param: syntax.arg) -> Expr:
        name = self.frame.prefix + param.arg
        state = self.here.variables[name]
        if state.static is None:
            value = self.read_variable(name, param.span)
            if self.crosses(value.type):
                return value
        what = "this" if state.static is None else state.static.describe()
        return self.error(param.span, f"'{self.source.name}' is marked ignore: its argument '{param.arg}' cannot be "
                          f"{what}, which only compiled code can use", "call it with its result")

    def crosses(self, kind: Type) -> bool:
        """Whether values of a type can go between the program and its host."""
        kind = resolve(kind)
        if is_exception(kind) or self.session.functions.is_held(kind):
            return False
        return all(map(self.crosses, kind.members))


def implied_result(source: FunctionSource) -> Type:
    """Without annotation: None if nothing is returned, else a Tensor, as at entry points."""
    returned = [node for node in own_nodes(source.node) if isinstance(node, syntax.Return)]
    return NONE if all(node.value is None for node in returned) else TENSOR
