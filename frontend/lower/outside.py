"""What a program would do to the containers and instances outside its functions, which it has copies of, and to the
defaults of its entry points, which the next call finds as they are: refused where it would show.

In: a program, and the values that are such copies. Out: errors where one of them, or one in it, is changed, compared by
identity, raised, given to the host, or left where the caller finds it. Holds: as lower/sharing.py, never claims less
than a run may do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ...binding.call_forms import is_maker
from ...ir.graph import Function, Node, Program, Value
from ...ir.operators import OPERATORS
from ...ir.types import ClassType, DictType, ListType, SetType, Type
from ..core.function_values import FunctionClass
from ..diagnostics import Reporter
from ..objects.class_state import INSTANCES, ClassState
from ..own_files import is_own_name
from .sharing import Flow, Thing, reachable, span_of

_COMPARING = frozenset(("eq.any", "ne.any", "contains.any", "contains.list", "list.index", "list.count", "list.remove",
                        "hash.any"))  # instances whose class does not say when they are equal, by identity

_UNSEEN = frozenset(("keys.rehash.dict", "keys.rehash.set"))  # what no script can ask for again

_NEVER_CHANGED = ("range", "slice")  # after they were made


def check_outside(
    program: Program, copies: Mapping[Value, str], copying: Collection[Node], reporter: Reporter,
    state: ClassState,
) -> frozenset[tuple[type, str]]:
    """Reports what would show that the containers are copies, which the nodes `copying` make. Gives what would show it
    and the state of the program may have instead."""
    if not copies:
        return frozenset()
    checker = _Outside(program, copies, copying, reporter, state)
    checker.check()
    return frozenset(checker.moved)


class _Outside:
    def __init__(
        self, program: Program, copies: Mapping[Value, str], copying: Collection[Node], reporter: Reporter,
        state: ClassState,
    ) -> None:
        self.class_state, self.moved = state, set[tuple[type, str]]()
        self.program, self.copying, self.reporter = program, copying, reporter
        self.entries = [method for method in program.methods.values() if not is_maker(method.name, program.methods)]
        self.flow = Flow(program, self.entries)
        self.shown: dict[Thing, str] = {}
        for value, shown in copies.items():
            for thing in reachable(self.flow.of(value)):
                self.shown.setdefault(thing, shown)
        held = self.flow.state.fields if self.flow.state is not None else {}
        self.single = reachable(thing for place in state.objects for thing in held[place])  # one object each

    def check(self) -> None:
        if not self.shown:
            return
        for function in self.program.functions:
            for node in function.walk():
                self.check_node(function, node)
        for method in self.entries:
            for param in method.params:
                given = reachable(self.flow.described((method.name, param.name), param.type))
                self.refuse(method.function, None, given, "keep", f" in '{param.name}'")
        if self.flow.state is not None:
            for method in self.entries:
                kept = reachable((self.flow.state,)) - self.single
                self.refuse(method.function, None, kept, "keep", " in the module")

    def check_node(self, function: Function, node: Node) -> None:
        row = OPERATORS.get(node.op)
        if node in self.copying or node.op in _UNSEEN:
            return
        if row is not None and (node.op in _COMPARING or any(map(has_instance_keys, node.operands))):
            given = reachable(thing for operand in node.operands for thing in self.flow.of(operand))
            self.refuse_identity(function, node, filter(is_by_identity, given))
        if node.op == "set_attr":
            made = self.flow.of(node.operands[0])
            self.refuse(function, node, (thing for thing in made if str(thing.type) not in _NEVER_CHANGED), "change")
        elif node.op.startswith("exception."):
            given = reachable(thing for operand in node.operands for thing in self.flow.of(operand))
            self.refuse(function, node, given, "raise")
        elif node.op == "return" and node.operands and any(each.function is function for each in self.entries):
            self.refuse(function, node, reachable(self.flow.of(node.operands[0])), "return")
        elif node.op == "is.any":
            self.refuse_identity(function, node, self.identified(node))
        elif row is not None:
            for param, operand in zip(row.schema.params, node.operands):
                if param.is_written and isinstance(param.type, (ListType, DictType, SetType)):
                    self.refuse(function, node, self.flow.of(operand), "change")
                elif "DEEP" in row.traits and param.is_written:
                    self.refuse(function, node, reachable(self.flow.of(operand)), "give the host")

    def identified(self, node: Node) -> Iterable[Thing]:
        """What a test of identity may tell apart though it is one container: a copy, if both sides may be one. Which
        function is which, its class says."""
        left, right = ([thing for thing in self.flow.of(operand) if not isinstance(thing.type, FunctionClass)]
                       for operand in node.operands)
        return left if any(thing in self.shown for thing in right) else ()

    def refuse_identity(self, function: Function, node: Node, things: Iterable[Thing]) -> None:
        """Of copies; instances may be in the state instead, as one object each."""
        asked = [thing for thing in things if thing in self.shown and thing not in self.single]
        copied = self.class_state.copied
        self.moved.update((copied[thing.type], INSTANCES) for thing in asked if thing.type in copied)
        self.refuse(function, node, (thing for thing in asked if thing.type not in copied), "tell the identity of")

    def refuse(
        self, function: Function, node: Node | None, things: Iterable[Thing], verb: str, where: str = ""
    ) -> None:
        found = min((self.shown[thing] for thing in things if thing in self.shown), default=None)
        if found is None:
            return
        if found in self.class_state.shown:
            self.moved.add(self.class_state.shown[found])
            return
        place = function.location if node is None else node.location
        seen = {function}
        while place is not None and is_own_name(place.file):
            caller = self.caller_of(function, seen)
            if caller is None:
                break
            function, place = caller[0], caller[1].location
            seen.add(function)
        text = f"a script cannot {verb} {found}{where}: it is read once, when the script is compiled"
        self.reporter.error(span_of(place), text, "pass it as an argument, or copy what is changed")

    def caller_of(self, callee: Function, seen: set[Function]) -> tuple[Function, Node] | None:
        for function in self.program.functions:
            if function not in seen:
                for node in function.walk():
                    if node.op == "call" and node.attrs["function"] is callee:
                        return function, node
        return None


def is_by_identity(thing: Thing) -> bool:
    """Whether instances are equal only if they are one."""
    kind = thing.type
    return isinstance(kind, ClassType) and kind.possible_key == 0 and not kind.hashes_itself


def has_instance_keys(value: Value) -> bool:
    """Whether it is a dict or set whose keys are, or hold, instances."""
    kind = value.type
    return isinstance(kind, (DictType, SetType)) and _holds_instance(kind.members[0])


def _holds_instance(kind: Type) -> bool:
    return isinstance(kind, ClassType) or any(map(_holds_instance, kind.members))
