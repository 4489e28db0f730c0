"""Functions that only ask of what class their argument is: a condition that calls one tells what isinstance would.

In: `is_tensor(x)`, where the function is `return isinstance(x, C)`. Out: the outcome of that test. Holds: the function
is looked up and read, never evaluated; whatever it does beside the test, it is called.
"""

from __future__ import annotations

import types
from typing import Any as PyAny

from ...core.placeholders import has_placeholder
from ...core.typed import NEVER, is_silent
from ...objects.function_source import FunctionSource, looked_up
from ...parser import syntax
from ..base import InferenceBase
from ..parts import Outcome


class TypePredicateInference(InferenceBase):
    """Calls of such functions."""

    def predicate_test(self, node: syntax.Call) -> Outcome | None:
        """The outcome of a call that stands for isinstance; None for any other call."""
        kind = self.kind_at(node.args[0]) if len(node.args) == 1 and not node.keywords else None
        if kind is None or has_placeholder(kind):
            return None
        function = self.function_named(node.func)
        classes = [] if function is None else tested_classes(self.session.source(function))
        if not classes:
            return None
        value = self.expr(node.args[0])
        if value.type == NEVER or is_silent(value):
            return None
        return self.isinstance_outcome(node, value, classes)

    def function_named(self, node: syntax.Node) -> PyAny:
        """The Python function that a name outside of this function means, or a name in a module; None for others."""
        root = node
        while isinstance(root, syntax.Attribute):
            root = root.value
        if not isinstance(root, syntax.Name) or self.find_name(root.id) is not None:
            return None
        found = looked_up(self.source, node)
        return found if isinstance(found, types.FunctionType) and not hasattr(found, "__wrapped__") else None


def tested_classes(source: FunctionSource) -> list[object]:
    """The classes that a function asks for which is one isinstance of its only parameter; none for others."""
    body = source.node.body[1 if source.doc else 0 :]
    test = body[0].value if len(body) == 1 and isinstance(body[0], syntax.Return) else None
    names = [param.arg for param in source.params]
    is_test = isinstance(test, syntax.Call) and looked_up(source, test.func) is isinstance and len(test.args) == 2
    if not is_test or not isinstance(test, syntax.Call) or len(names) != 1:
        return []
    subject, wanted = test.args
    if not (isinstance(subject, syntax.Name) and subject.id == names[0]):
        return []
    items = wanted.elts if isinstance(wanted, syntax.Tuple) else [wanted]
    found = [looked_up(source, item) for item in items]
    is_plain = all(isinstance(each, type) and each.__module__ != "typing" for each in found)
    return list(found) if is_plain else []
