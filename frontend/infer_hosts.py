"""Functions marked `ignore`: they stay with the host, and the program calls them by name.

In: the parameters of such a function. Out: in the place of its body, the call of the host. Holds: the body is never
looked at; the result has the annotated type, which is checked when the host gives it.
"""

from __future__ import annotations

from ..ir.operators import OPERATORS
from ..ir.types import ANY, EXCEPTION, NONE, STR, TENSOR, ListType, Type
from . import syntax
from .function_source import FunctionSource, own_nodes
from .infer_base import InferenceBase
from .placeholders import resolve
from .typed import ERROR, Const, Expr, MakeList, Operate, Recast, Return, Stmt


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
        self.emit(Return(span, Operate(declared, span, row, [Const(STR, span, name), arguments, results], (declared,))))
        self.env = None
        return self.out, declared

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
        return kind != EXCEPTION and not self.session.functions.is_held(kind) and all(map(self.crosses, kind.members))


def implied_result(source: FunctionSource) -> Type:
    """Without annotation: None if nothing is returned, else a Tensor, as at entry points."""
    returned = [node for node in own_nodes(source.node) if isinstance(node, syntax.Return)]
    return NONE if all(node.value is None for node in returned) else TENSOR
