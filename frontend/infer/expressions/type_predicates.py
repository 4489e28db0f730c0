"""Functions that only ask of what class their argument is, or whether it is None: a condition that calls one tells what
the test would.

In: `is_tensor(x)`, where the function is `return isinstance(x, C)`, and `exists(x)`, where it is `return x is not
None`. Out: the outcome of that test. Holds: the function is looked up and read, never evaluated.
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
        """The outcome of a call that stands for isinstance or a test for None; None for any other call."""
        kind = self.kind_at(node.args[0]) if len(node.args) == 1 and not node.keywords else None
        if kind is None or has_placeholder(kind):
            return None
        function = self.function_named(node.func)
        if function is None:
            return None
        source = self.session.source(function)
        test = only_test(source)
        if isinstance(test, syntax.Compare):
            return self.none_test(node, node.args[0], test.ops[0])
        classes = tested_classes(source, test)
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


def only_test(source: FunctionSource) -> syntax.Call | syntax.Compare | None:
    """The test of its only parameter that a function is: a call with two arguments, or a comparison with None."""
    body = source.node.body[1 if source.doc else 0 :]
    test = body[0].value if len(body) == 1 and isinstance(body[0], syntax.Return) else None
    subject: syntax.Node | None = None
    if isinstance(test, syntax.Call) and len(test.args) == 2:
        subject = test.args[0]
    elif isinstance(test, syntax.Compare) and test.ops in (["is"], ["is not"], ["=="], ["!="]):
        other = test.comparators[0]
        subject = test.left if isinstance(other, syntax.Constant) and other.value is None else None
    names = [param.arg for param in source.params]
    is_test = len(names) == 1 and isinstance(subject, syntax.Name) and subject.id == names[0]
    return test if is_test and isinstance(test, (syntax.Call, syntax.Compare)) else None


def tested_classes(source: FunctionSource, test: syntax.Call | None) -> list[object]:
    """The classes that a call of isinstance in a function asks for; none of any other call."""
    if test is None or looked_up(source, test.func) is not isinstance:
        return []
    wanted = test.args[1]
    items = wanted.elts if isinstance(wanted, syntax.Tuple) else [wanted]
    found = [looked_up(source, item) for item in items]
    is_plain = all(isinstance(each, type) and each.__module__ != "typing" for each in found)
    return list(found) if is_plain else []
