"""Checks that a program keeps every rule of the IR: FORMAT.md's node table, dominance, terminators, uses, labels.

In: a Program or Function, from a front end, a pass, a parser or a file. Out: nothing, or VerifyError.
Holds: what passes here is accepted by the C loader; the rules are re-run, no earlier answer is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from .graph import Block, Function, Node, Program, Value
from .operators import OPERATORS
from .printer import print_node
from .signature import is_union_like, result_types, spell_type_mismatch
from .state import ObjectState, fits, is_constant_type
from .types import (
    BOOL,
    EXCEPTION,
    CellType,
    ClassType,
    DictType,
    ListType,
    NamedTupleType,
    SetType,
    TensorType,
    TupleType,
    Type,
    has_arm,
    plain_container,
    unrefined,
)

MAX_NESTING = 200


class VerifyError(ValueError):
    """A rule that a program breaks: in which function, at which node (its text), which rule."""

    def __init__(self, function: str, node: str, rule: str) -> None:
        place = f"{function}: `{node}`" if node else function or "program"
        super().__init__(f"{place}: {rule}")
        self.function = function
        self.node = node
        self.rule = rule


def verify(program: Program) -> None:
    """Raises VerifyError for the first rule that the program breaks."""
    names = [function.name for function in program.functions]
    for name in names:
        if len(set(names)) != len(names) and names.count(name) > 1:
            raise VerifyError(name, "", "two functions have this name")
    known = set(program.functions)
    caches = _Caches()
    for function in program.functions:
        verify_function(function, known, caches)
    for method in program.methods.values():
        _verify_method(program, method.name)


class _Caches:
    """What functions share, so that work stays linear in the program: types without refinements, what operators make
    of such types (which `plain` keeps alive), checked constants."""

    def __init__(self) -> None:
        self.plain: dict[int, tuple[Type, Type]] = {}
        self.made: dict[tuple[str, tuple[int, ...]], tuple[Type, ...] | None] = {}
        self.constants: dict[tuple[int, int], object] = {}


def verify_function(
    function: Function, known: set[Function] | None = None, caches: _Caches | None = None
) -> None:
    """The same for one function; calls may lead to `known` functions only, to any if that is None."""
    try:
        _Verifier(function, known, caches or _Caches()).run()
    except RecursionError:
        raise VerifyError(function.name, "", "nested too deep") from None


def _verify_method(program: Program, name: str) -> None:
    method = program.methods[name]
    function = method.function
    if function not in program.functions:
        raise VerifyError("", f"method {name}", "its function is not part of the program")
    if function.has_self:
        root = program.root
        if not isinstance(root, ObjectState) or not function.params or function.params[0].type != root.type:
            raise VerifyError("", f"method {name}", "self must be of the root's class")
    inner = function.params[1:] if function.has_self else function.params
    if [(p.name, unrefined(p.type)) for p in inner] != [(p.name, unrefined(p.type)) for p in method.params]:
        raise VerifyError("", f"method {name}", "parameters must be those of its function")
    for param in method.params:
        if param.has_default and not fits(param.default, param.type):
            raise VerifyError("", f"method {name}", f"the default of {param.name} must be of type {param.type}")
    positional = [param.has_default for param in method.params if not param.is_keyword_only]
    keyword_only = [param.is_keyword_only for param in method.params]
    if positional != sorted(positional) or keyword_only != sorted(keyword_only):
        raise VerifyError("", f"method {name}", "required parameters come first, keyword-only ones last")


def can_be_fused(node: Node, is_first: bool) -> bool:
    """Whether a `fused` node may hold the node: a pure operator that makes one new tensor, a pointwise one unless it is
    the block's first."""
    operator = OPERATORS.get(node.op)
    if operator is None or not operator.is_pure or "FRESH" not in operator.traits:
        return False
    makes_tensor = len(node.results) == 1 and isinstance(node.results[0].type, TensorType)
    return makes_tensor and (is_first or "POINTWISE" in operator.traits)


class _Verifier:
    def __init__(self, function: Function, known: set[Function] | None, caches: _Caches) -> None:
        self.function = function
        self.plain = caches.plain
        self.made = caches.made
        self.constants = caches.constants
        self.known = known
        self.visible: set[Value] = set()
        self.defined: list[Value] = []
        self.labels: list[Node] = []
        self.uses: dict[Value, list[Node]] = {}
        self.node: Node | None = None

    def fail(self, rule: str) -> NoReturn:
        raise VerifyError(self.function.name, print_node(self.node) if self.node else "", rule)

    def check(self, holds: bool, rule: str) -> None:
        if not holds:
            self.fail(rule)

    def unrefined(self, kind: Type) -> Type:
        found = self.plain.get(id(kind))
        if found is None:
            found = self.plain[id(kind)] = (kind, unrefined(kind))
        return found[1]

    def same(self, left: Type, right: Type) -> bool:
        return left is right or self.unrefined(left) == self.unrefined(right)

    def same_all(self, left: Sequence[Type], right: Sequence[Type]) -> bool:
        return len(left) == len(right) and all(map(self.same, left, right))

    # Structure

    def run(self) -> None:
        function = self.function
        kinds = _types(function.body.params)
        self.check(function.body.owner is function, "the body must belong to its function")
        wanted = [param.type for param in function.params]
        self.check(self.same_all(kinds, wanted), "the body's parameters must be the function's")
        names = [param.name for param in function.params]
        self.check(len(set(names)) == len(names), "two parameters have one name")
        self.block(function.body, 0)
        for value in self.defined:
            nodes = self.uses.get(value, [])
            self.node = value.node
            listed = nodes == value.uses or sorted(map(id, nodes)) == sorted(map(id, value.uses))
            self.check(listed, "the uses of a value must be listed once each")

    def block(self, block: Block, depth: int) -> None:
        """Checks a block's nodes; what they define is visible until the block ends."""
        owner, defined = self.node, []
        if depth > MAX_NESTING:
            self.fail(f"blocks nest at most {MAX_NESTING} deep")
        self.check(bool(block.nodes) and block.nodes[-1].is_terminator, "every block must end in a terminator")
        for param in block.params:
            self.check(param.owner is block, "a parameter must belong to its block")
        self.visible.update(block.params)
        for position, node in enumerate(block.nodes):
            self.node = node
            self.check(node.block is block, "a node must know its block")
            self.check(not node.is_terminator or position == len(block.nodes) - 1, "nothing may follow a terminator")
            for operand in node.operands:
                if operand not in self.visible:
                    self.fail(f"operand {operand!r} must be defined before, in this block or around it")
                self.uses.setdefault(operand, []).append(node)
            self.rule(node, depth)
            defined.extend(node.results)
            self.visible.update(node.results)
        self.visible.difference_update(block.params, defined)
        self.defined += [*block.params, *defined]
        self.node = owner

    def rule(self, node: Node, depth: int) -> None:
        rule = _RULES.get(node.op)
        if rule is None:
            self.operator(node)
            return
        if node.op not in _OWNERS:
            self.check(not node.blocks, "it owns no blocks")
        rule(self, node)
        if node.op in _OWNERS:
            if len(node.blocks) != _OWNERS[node.op]:
                self.fail(f"it owns {_OWNERS[node.op]} blocks")
            if node.op in ("loop", "block"):
                self.labels.append(node)
            for block in node.blocks:
                self.check(block.owner is node, "a block must know its owner")
                self.block(block, depth + 1)
            if node.op in ("loop", "block"):
                self.labels.pop()

    def operands(self, node: Node, count: int) -> None:
        if len(node.operands) != count:
            self.fail(f"it takes {count} operands")

    def results(self, node: Node, kinds: Sequence[Type]) -> None:
        if not self.same_all(_types(node.results), kinds):
            self.fail(f"its results must be {', '.join(map(str, kinds)) or 'none'}")

    # Operators and calls

    def operator(self, node: Node) -> None:
        operator = OPERATORS.get(node.op)
        if operator is None:
            self.fail(f"there is no operator {node.op}")
        self.check(not node.blocks and not node.attrs, "an operator has neither blocks nor attributes")
        kinds = [self.unrefined(kind) for kind in _types(node.operands)]
        key = (node.op, tuple(map(id, kinds)))
        if key not in self.made:
            self.made[key] = result_types(operator, kinds)
        wanted = self.made[key]
        if wanted is None:
            self.fail(spell_type_mismatch(operator, kinds))
        found = _types(node.results)
        if not self.same_all(list(map(plain_container, found)), wanted):
            self.results(node, wanted)

    def rule_const(self, node: Node) -> None:
        self.operands(node, 0)
        self.check(len(node.results) == 1, "it has one result")
        kind, value = node.result.type, node.attrs.get("value", ...)
        if self.constants.get((id(value), id(kind))) is not None:
            return
        if not is_constant_type(kind):
            self.fail(f"there are no constants of type {kind}")
        if value is ... or not fits(value, kind):
            self.fail(f"its value must be of type {kind}")
        self.constants[id(value), id(kind)] = (value, kind)

    def rule_call(self, node: Node) -> None:
        function = node.attrs.get("function")
        if not isinstance(function, Function):
            self.fail("it needs a function")
        self.check(self.known is None or function in self.known, "its function must be part of the program")
        wanted = [param.type for param in function.params]
        if not self.same_all(_types(node.operands), wanted):
            self.fail(f"{function.name} takes ({', '.join(map(str, wanted))})")
        self.results(node, [function.result])

    # Control

    def rule_if(self, node: Node) -> None:
        self.operands(node, 1)
        self.check(node.operands[0].type == BOOL, "its condition must be a bool")
        self.check(not any(block.params for block in node.blocks), "its blocks have no parameters")

    def rule_loop(self, node: Node) -> None:
        self.check(len(node.blocks) == 1, "it owns 1 block")
        wanted = _types(node.blocks[0].params)
        self.check(self.same_all(_types(node.operands), wanted), "initial values must have the types of the parameters")

    def rule_block(self, node: Node) -> None:
        self.operands(node, 0)
        self.check(not any(block.params for block in node.blocks), "its block has no parameters")

    def rule_try(self, node: Node) -> None:
        self.operands(node, 0)
        kinds = [_types(block.params) for block in node.blocks]
        self.check(kinds == [[], [EXCEPTION]], "its body has no parameter, its handler one exception")

    def rule_fused(self, node: Node) -> None:
        """A closed block of pointwise operators; the first operator may be any that makes one new tensor."""
        self.check(len(node.blocks) == 1, "it owns 1 block")
        block = node.blocks[0]
        wanted = _types(block.params)
        self.check(self.same_all(_types(node.operands), wanted), "its operands must have the types of the parameters")
        self.check(len(block.nodes) > 1, "it holds at least one operator")
        *inside, last = block.nodes
        for inner in inside:
            if not can_be_fused(inner, is_first=inner is inside[0]):
                self.fail(f"it cannot hold {inner.op}")
        self.check(last.op == "yield", "its block ends in a yield")
        made = {value for inner in inside for value in inner.results}
        self.check(made.issuperset(last.operands), "its block yields what its operators make")
        known = made.union(block.params)
        is_closed = all(known.issuperset(inner.operands) for inner in inside)
        self.check(is_closed, "its block is closed: it uses its parameters only")

    def rule_yield(self, node: Node) -> None:
        assert node.block is not None
        owner = node.block.owner
        if not isinstance(owner, Node) or owner.op not in ("if", "block", "try", "fused"):
            self.fail("only if, block, try and fused are yielded to")
        self.leaves(node, owner)

    def leaves(self, node: Node, owner: Node) -> None:
        wanted = _types(owner.results)
        if not self.same_all(_types(node.operands), wanted):
            self.fail(f"the `{owner.op}` it ends has results of {', '.join(map(str, wanted)) or 'nothing'}")

    def rule_break(self, node: Node) -> None:
        target = node.attrs.get("target")
        self.check(target in self.labels, "its label must name a loop or block around it")
        assert isinstance(target, Node)
        self.leaves(node, target)

    def rule_continue(self, node: Node) -> None:
        target = node.attrs.get("target")
        self.check(target in self.labels, "its label must name a loop around it")
        assert isinstance(target, Node)
        self.check(target.op == "loop", "only a loop can be continued")
        wanted = _types(target.blocks[0].params)
        self.check(self.same_all(_types(node.operands), wanted), "it must pass the loop's parameters")

    def rule_return(self, node: Node) -> None:
        self.operands(node, 1)
        wanted = self.function.result
        if not self.same(node.operands[0].type, wanted):
            self.fail(f"the function returns {wanted}")

    def rule_raise(self, node: Node) -> None:
        self.operands(node, 1)
        self.check(node.operands[0].type == EXCEPTION, "it raises an exception")

    def rule_unreachable(self, node: Node) -> None:
        self.operands(node, 0)

    # Containers and instances

    def one_result(self, node: Node) -> Type:
        self.check(len(node.results) == 1, "it has one result")
        return node.result.type

    def rule_tuple(self, node: Node) -> None:
        kind, kinds = self.one_result(node), _types(node.operands)
        if isinstance(kind, TupleType) and kind.is_variadic:
            kinds_wanted: Sequence[Type] = kind.elements * len(kinds)
        elif isinstance(kind, (TupleType, NamedTupleType)):
            kinds_wanted = kind.members
        else:
            self.fail("its result must be a tuple")
        if not self.same_all(kinds, kinds_wanted):
            self.fail(f"its operands must be the elements of {kind}")

    def rule_tuple_get(self, node: Node) -> None:
        self.operands(node, 1)
        kind, index = node.operands[0].type, node.attrs.get("index")
        is_fixed = isinstance(kind, NamedTupleType) or (isinstance(kind, TupleType) and not kind.is_variadic)
        self.check(is_fixed, "it takes a tuple of known length")
        if not (isinstance(index, int) and 0 <= index < len(kind.members)):
            self.fail(f"{kind} has no such element")
        assert isinstance(index, int)
        self.results(node, [kind.members[index]])

    def rule_list(self, node: Node) -> None:
        self.sequence(node, ListType)

    def rule_set(self, node: Node) -> None:
        self.sequence(node, SetType)

    def sequence(self, node: Node, wanted: type[ListType] | type[SetType]) -> None:
        kind = self.one_result(node)
        if not isinstance(kind, wanted):
            self.fail(f"its result must be a {node.op}")
        if not all(self.same(operand.type, kind.element) for operand in node.operands):
            self.fail(f"its operands must be {kind.element}")
        if isinstance(kind, SetType) and not kind.element.is_hashable:
            self.fail(f"{kind.element} cannot be in a set")

    def rule_dict(self, node: Node) -> None:
        kind = self.one_result(node)
        if not isinstance(kind, DictType):
            self.fail("its result must be a dict")
        if not kind.key.is_hashable:
            self.fail(f"{kind.key} cannot be a key")
        wanted = (kind.key, kind.value) * (len(node.operands) // 2)
        self.check(self.same_all(_types(node.operands), wanted), "its operands must be keys and values")

    def rule_new(self, node: Node) -> None:
        self.operands(node, 0)
        self.check(isinstance(self.one_result(node), ClassType), "its result must be a class")

    def attribute(self, node: Node) -> Type:
        kind = node.operands[0].type
        if not isinstance(kind, ClassType):
            self.fail("it takes an instance of a class")
        name = node.attrs.get("name")
        if name not in kind.attributes:
            self.fail(f"{kind} has no attribute {name}")
        return kind.attributes[name]

    def rule_get_attr(self, node: Node) -> None:
        self.operands(node, 1)
        self.results(node, [self.attribute(node)])

    def rule_set_attr(self, node: Node) -> None:
        self.operands(node, 2)
        wanted = self.attribute(node)
        if not self.same(node.operands[1].type, wanted):
            self.fail(f"the attribute is {wanted}")
        self.results(node, [])

    def cell_content(self, node: Node, kind: Type) -> Type:
        if not isinstance(kind, CellType):
            self.fail("it works on a cell")
        return kind.content

    def rule_cell(self, node: Node) -> None:
        content = self.cell_content(node, self.one_result(node))
        self.check(len(node.operands) <= 1, "it takes at most one operand")
        if not all(self.same(operand.type, content) for operand in node.operands):
            self.fail(f"the cell holds {content}")

    def rule_cell_get(self, node: Node) -> None:
        self.operands(node, 1)
        self.results(node, [self.cell_content(node, node.operands[0].type)])

    def rule_cell_set(self, node: Node) -> None:
        self.operands(node, 2)
        content = self.cell_content(node, node.operands[0].type)
        if not self.same(node.operands[1].type, content):
            self.fail(f"the cell holds {content}")
        self.results(node, [])

    # Arms

    def rule_widen(self, node: Node) -> None:
        self.operands(node, 1)
        wide, narrow = self.unrefined(self.one_result(node)), self.unrefined(node.operands[0].type)
        if not has_arm(wide, narrow):
            self.fail(f"{narrow} is no arm of {wide}")

    def rule_narrow(self, node: Node) -> None:
        self.operands(node, 1)
        narrow, wide = self.unrefined(self.one_result(node)), self.unrefined(node.operands[0].type)
        if not has_arm(wide, narrow):
            self.fail(f"{narrow} is no arm of {wide}")

    def rule_is_type(self, node: Node) -> None:
        self.operands(node, 1)
        wide, arm = self.unrefined(node.operands[0].type), node.attrs.get("type")
        self.check(is_union_like(wide), "it takes an Optional, Union, Scalar or Any")
        if not isinstance(arm, Type):
            self.fail("it needs a type")
        arm = self.unrefined(arm)
        if not (has_arm(wide, arm) and not is_union_like(arm)):
            self.fail(f"{arm} is no arm of {wide}")
        self.results(node, [BOOL])


def _types(values: Sequence[Value]) -> list[Type]:
    return [value.type for value in values]


_OWNERS = {"if": 2, "loop": 1, "block": 1, "try": 2, "fused": 1}
_RULES: dict[str, Callable[[_Verifier, Node], None]] = {
    name.removeprefix("rule_"): rule for name, rule in vars(_Verifier).items() if name.startswith("rule_")
}
