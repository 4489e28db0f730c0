"""The hidden object with the assigned attributes of classes, handed to every function that needs it.

In: the functions of a program, those whose bodies read the object. Out: a first parameter of these, and of all that
call them. Holds: entry points get the program's root for it, as a module's methods get the module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...ir.graph import Function, Param, Value
from ...ir.types import ClassType
from ..objects.class_state import STATE


def hand_on_class_state(
    functions: Sequence[Function], readers: Mapping[Function, Value], entries: Sequence[Function], kind: ClassType
) -> None:
    """Completes the functions. Each of `readers` has a value that nothing defines yet."""
    calls = {function: [node for node in function.walk() if node.op == "call"] for function in functions}
    needing = dict.fromkeys(readers)
    is_growing = True
    while is_growing:
        callers = {function for function, nodes in calls.items() if function not in needing and any(
            node.attrs["function"] in needing for node in nodes)}
        needing.update(dict.fromkeys(callers))
        is_growing = bool(callers)
    for function in needing:
        value = readers.get(function) or Value(kind, function.body, 0, STATE)
        function.body.params.insert(0, value)
        function.params.insert(0, Param(STATE, kind))
        for place, param in enumerate(function.body.params):
            param.owner, param.index = function.body, place
        for node in calls[function]:
            if node.attrs["function"] in needing:
                node.set_operands([value, *node.operands])
    for function in needing:
        function.has_self = function in entries
