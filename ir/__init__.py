"""The typed SSA form of programs: types, graph, text, verifier, effects, aliases, passes.

In: the front ends build it with `Builder`. Out: `serialize` writes it.
"""

from . import passes, state, types
from .builder import Builder
from .graph import Block, Function, Location, Method, Node, Param, Program, Value
from .operators import OPERATORS, Operator, spelled
from .parser import ParseError, parse
from .printer import print_function, print_functions, print_node, print_program
from .verify import VerifyError, verify, verify_function

__all__ = [
    "OPERATORS",
    "Block",
    "Builder",
    "Function",
    "Location",
    "Method",
    "Node",
    "Operator",
    "Param",
    "ParseError",
    "Program",
    "Value",
    "VerifyError",
    "parse",
    "passes",
    "print_function",
    "print_functions",
    "print_node",
    "print_program",
    "spelled",
    "state",
    "types",
    "verify",
    "verify_function",
]
