"""unfuse: puts the operators of fused nodes back into the blocks around them.

The other passes leave a fused node as it is; so a program that is optimised again is taken apart first.

before:
    fn f(%x : Tensor) -> Tensor {
      %z : Tensor = fused (%y = %x) {
        %t : Tensor = tanh(%y)
        %u : Tensor = mul.Tensor(%t, %y)
        yield (%u)
      }
      return %z
    }
after:
    fn f(%x : Tensor) -> Tensor {
      %t : Tensor = tanh(%x)
      %u : Tensor = mul.Tensor(%t, %x)
      return %u
    }
"""

from __future__ import annotations

from ..control import unwrap
from ..graph import Program
from ..knobs import Budget


def unfuse(program: Program, budget: Budget) -> None:
    """Takes the fused nodes of all functions apart."""
    for function in program.functions:
        for node in [node for node in function.walk() if node.op == "fused"]:
            if budget.take():
                for param, operand in zip(node.blocks[0].params, node.operands):
                    param.replace_uses(operand)
                unwrap(node, node.blocks[0])
