"""One program for each rule of the verifier, with the rule it breaks."""

from __future__ import annotations

import pytest

from tsm import ir
from tsm.ir.types import INT

ARGUMENTS = "%i : int, %s : str, %b : bool, %t : Tensor, %l : list[int], %o : Optional[int], %a : Any, %e : exception"
TYPES = "class C { x : int }\nenum E : int { A = 1 }\n"


def program(body: str, result: str = "int") -> ir.Program:
    return ir.parse(f"{TYPES}fn f({ARGUMENTS}) -> {result} {{\n{body}\n}}\n")


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("return %s", "the function returns int"),
        ("%x : int = const 1", "every block must end in a terminator"),
        ("return %i\n %x : int = const 1", "every block must end in a terminator"),
        ("return %i\n return %i", "nothing may follow a terminator"),
        ("%x : str = add.int(%i, %i)\n return %i", "its results must be int"),
        ("%x : int = add.int(%i, %s)\n return %i", "operand b must be int, got str"),
        ("%x : int = add.int(%i)\n return %i", "needs operand b"),
        ("%x : int = add.int(%i, %i, %i)\n return %i", "takes 2 operands, got 3"),
        ("%x : int = no.such(%i)\n return %i", "there is no operator no.such"),
        ("list.append(%l, %s)\n return %i", "operand item must be t, with t = int, got str"),
        ("%x : Tensor = add.TensorScalar(%t, %i)\n return %i", "operand other must be Scalar, got int"),
        ("%x : int = call f(%i)\n return %i", "f takes ("),
        ("%x : int = if (%i) { yield (%i) } else { yield (%i) }\n return %i", "its condition must be a bool"),
        ("%x : int = if (%b) { yield (%i) } else { yield (%s) }\n return %x", "the `if` it ends has results of int"),
        ("%x : int = if (%b) { yield (%i) } else { yield }\n return %x", "the `if` it ends has results of int"),
        ("loop @l (%p = %i) { yield }\n return %i", "only if, block, try and fused are yielded to"),
        ("loop @l (%p = %i) { continue @l (%s) }\n return %i", "it must pass the loop's parameters"),
        ("loop @l (%p : str = %i) { break @l }\n return %i", "initial values must have the types of the parameters"),
        ("%x : int = loop @l () { break @l }\n return %x", "the `loop` it ends has results of int"),
        ("block @b { continue @b }\n return %i", "only a loop can be continued"),
        ("block @b { break @b }\n if (%b) { break @b } else { yield }\n return %i", "its label must name"),
        ("try { yield } except (%x : int) { yield }\n return %i", "its handler one exception"),
        ("raise %i", "it raises an exception"),
        ("yield", "only if, block, try and fused are yielded to"),
        ("%x : tuple[int, str] = tuple(%i)\n return %i", "its operands must be the elements of tuple[int, str]"),
        ("%x : int = tuple(%i)\n return %i", "its result must be a tuple"),
        ("%x : tuple[int, str] = tuple(%i, %s)\n %y : str = tuple_get(%x, 2)\n return %i", "has no such element"),
        ("%x : tuple[int, str] = tuple(%i, %s)\n %y : int = tuple_get(%x, 1)\n return %i", "its results must be str"),
        ("%x : int = tuple_get(%l, 0)\n return %i", "it takes a tuple of known length"),
        ("%x : list[int] = list(%s)\n return %i", "its operands must be int"),
        ("%x : set[list[int]] = set()\n return %i", "list[int] cannot be in a set"),
        ("%x : dict[str, int] = dict(%s)\n return %i", "its operands must be keys and values"),
        ("%x : dict[list[int], int] = dict()\n return %i", "list[int] cannot be a key"),
        ("%x : int = new()\n return %i", "its result must be a class"),
        ("%x : C = new()\n %y : int = get_attr(%x, y)\n return %i", "C has no attribute y"),
        ("%x : C = new()\n set_attr(%x, x, %s)\n return %i", "the attribute is int"),
        ("%x : int = get_attr(%i, x)\n return %i", "it takes an instance of a class"),
        ("%x : cell[int] = cell(%s)\n return %i", "the cell holds int"),
        ("%x : int = cell_get(%i)\n return %i", "it works on a cell"),
        ("%x : Optional[int] = widen(%s)\n return %i", "str is no arm of Optional[int]"),
        ("%x : int = widen(%i)\n return %i", "int is no arm of int"),
        ("%x : str = narrow(%o)\n return %i", "str is no arm of Optional[int]"),
        ("%x : cell[int] = narrow(%a)\n return %i", "cell[int] is no arm of Any"),
        ("%x : bool = is_type(%o, str)\n return %i", "str is no arm of Optional[int]"),
        ("%x : bool = is_type(%i, int)\n return %i", "it takes an Optional, Union, Scalar or Any"),
        ("if (%b) { %x : int = const 1\n yield } else { yield }\n return %i", ""),
        ("%x : Tensor = fused (%u = %t) { %v : Tensor = exp(%u)\n yield (%v) }\n return %i", ""),
        ("%x : Tensor = fused (%u = %t) { %v : Tensor = matmul(%u, %u)\n yield (%v) }\n return %i", ""),
        ("%x : Tensor = fused (%u = %t) { yield (%u) }\n return %i", "it holds at least one operator"),
        ("%x : Tensor = fused (%u = %t) { %v : Tensor = exp(%u)\n yield (%u) }\n return %i", "yields what its"),
        ("%x : Tensor = fused (%u = %t) { %v : Tensor = exp(%t)\n yield (%v) }\n return %i", "its block is closed"),
        ("%x : Tensor = fused (%u = %t) { %v : Tensor = relu_(%u)\n yield (%v) }\n return %i", "it cannot hold relu_"),
        ("%x : Tensor = fused (%u = %t) { %v : Tensor = t(%u)\n yield (%v) }\n return %i", "it cannot hold t"),
        ("%x : Tensor = fused (%u = %t) { %v : Tensor = exp(%u)\n %w : Tensor = sum(%v)\n yield (%w) }\n return %i",
         "it cannot hold sum"),
        ("%x : Tensor = fused (%u = %t) { %v : Tensor = exp(%u)\n return %i }\n return %i", "its block ends in"),
        ("%x : Tensor = fused (%u : int = %t) { %v : Tensor = exp(%u)\n yield (%v) }\n return %i", "types of the par"),
        ("%x : int = fused (%u = %t) { %v : Tensor = exp(%u)\n yield (%v) }\n return %i", "the `fused` it ends has"),
    ],
)
def test_rules(body: str, rule: str) -> None:
    if not rule:
        ir.verify(program(body))
        return
    with pytest.raises(ir.VerifyError) as caught:
        ir.verify(program(body))
    assert rule in caught.value.rule
    assert caught.value.function == "f"


def test_the_message_names_function_node_and_rule() -> None:
    with pytest.raises(ir.VerifyError) as caught:
        ir.verify(program("%x : int = add.int(%i, %s)\n return %i"))
    assert str(caught.value) == "f: `%x : int = add.int(%i, %s)`: operand b must be int, got str"


def test_a_definition_must_dominate_its_use() -> None:
    broken = program("if (%b) { %x : int = const 1\n yield } else { yield }\n return %i")
    body = broken.functions[0].body
    inner = body.nodes[0].blocks[0].nodes[0].result
    body.nodes[-1].set_operand(0, inner)
    with pytest.raises(ir.VerifyError, match="must be defined before"):
        ir.verify(broken)


def test_uses_must_be_listed() -> None:
    broken = program("return %i")
    broken.functions[0].body.params[0].uses.clear()
    with pytest.raises(ir.VerifyError, match="must be listed once each"):
        ir.verify(broken)
    broken = program("return %i")
    broken.functions[0].body.params[2].uses.append(broken.functions[0].body.nodes[0])
    with pytest.raises(ir.VerifyError, match="must be listed once each"):
        ir.verify(broken)


def test_owners_must_be_right() -> None:
    broken = program("if (%b) { yield } else { yield }\n return %i")
    broken.functions[0].body.nodes[0].blocks[0].owner = None
    with pytest.raises(ir.VerifyError, match="must know its owner"):
        ir.verify(broken)


def test_constants_have_their_type() -> None:
    for value in (True, 1.0, 2**63, "x", None):
        broken = program("%x : int = const 1\n return %x")
        broken.functions[0].body.nodes[0].attrs["value"] = value
        with pytest.raises(ir.VerifyError, match="its value must be of type int"):
            ir.verify(broken)


def test_calls_stay_in_the_program() -> None:
    stranger = ir.Function("g", [], INT)
    function = ir.Function("f", [], INT)
    builder = ir.Builder(function)
    builder.end("return", [builder.call(stranger, [])])
    with pytest.raises(ir.VerifyError, match="must be part of the program"):
        ir.verify(ir.Program([function]))


def test_methods_fit_their_functions() -> None:
    good = program("return %i")
    function = good.functions[0]
    good.methods["f"] = ir.Method("f", function, function.params[:3])
    with pytest.raises(ir.VerifyError, match="parameters must be those of its function"):
        ir.verify(good)
    good.methods["f"] = ir.Method("f", function, [ir.Param(p.name, p.type) for p in function.params])
    good.methods["f"].params[0].has_default = True
    good.methods["f"].params[0].default = "x"
    with pytest.raises(ir.VerifyError, match="the default of i must be of type int"):
        ir.verify(good)
    good.methods["f"].params[0].default = 1
    with pytest.raises(ir.VerifyError, match="required parameters come first"):
        ir.verify(good)


def test_refinements_do_not_matter() -> None:
    ir.verify(program("%x : Tensor[float32, (2, ?)] = add.Tensor(%t, %t)\n %y : Tensor = relu(%x)\n return %i"))
