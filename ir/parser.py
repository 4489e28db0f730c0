"""Reads the text form that `printer` writes: functions, methods, and the program that they make.

In: a listing. Out: a Program (not verified). ParseError names line and column of what is wrong.
Holds: every listing the printer writes is read back without loss.
"""

from __future__ import annotations

import json

from .graph import Block, Function, Method, Node, Param, Program, Value
from .parse_tokens import MAX_NESTING, ParseError, Token
from .parse_values import MISSING, ValueParser
from .types import NONE, Type


def parse(text: str) -> Program:
    """The program of a listing; ParseError when it is malformed."""
    try:
        return _Parser(text).program()
    except RecursionError:
        raise ParseError("the listing is nested too deep", 1, 1) from None


class _Parser(ValueParser):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.functions: dict[str, Function] = {}
        self.result = Program()
        self.values: dict[str, Value] = {}
        self.labels: dict[str, Node] = {}

    # The program

    def program(self) -> Program:
        self.declare_functions()
        sections = {
            "enum": self.enum, "namedtuple": self.named_tuple, "class": self.klass, "fn": self.function,
            "method": self.method, "state": self.state, "tensor": self.tensor_record, "storage": self.storage,
            "metadata": self.metadata, "extra": self.extra, "source": self.source,
        }  # fmt: skip
        while self.next.kind != "end":
            token = self.token("name", "a section")
            if token.text not in sections:
                self.fail(f"there is no section {token.text!r}", token)
            sections[token.text]()
        self.finish()
        return self.result

    def finish(self) -> None:
        self.result.root = next(iter(self.objects.values()), None)
        for token in self.undeclared.values():
            self.fail(f"the type {token.text} is not declared", token)
        for tensor in self.tensors.values():
            if tensor.storage is MISSING:
                self.fail("a tensor that is used is not described")
        for storage in self.storages.values():
            if storage.data is None:
                self.fail("a storage that is used has no bytes")

    def declare_functions(self) -> None:
        """Makes every function before any is read, so that calls may point forward."""
        for before, token in zip(self.tokens, self.tokens[1:]):
            is_declaration = before.text == "fn" and before.kind == "name" and self.is_line_start(before.position)
            if is_declaration and token.kind in ("name", "number"):
                if token.text in self.functions:
                    self.fail(f"function {token.text} is defined twice", token)
                self.functions[token.text] = Function("", [], NONE)

    def is_line_start(self, position: int) -> bool:
        return position == 0 or self.text[position - 1] == "\n"

    # Functions

    def function_name(self) -> Function:
        token = self.next
        spelling = "inf" if self.take("inf") else self.token("name", "a function").text
        if spelling not in self.functions:
            self.fail(f"there is no function {spelling}", token)
        return self.functions[spelling]

    def function(self) -> None:
        spelling, name = self.spelled()
        self.values, self.labels = {}, {}
        if spelling not in self.functions:
            self.fail("`fn` must start its line")
        function = self.functions[spelling]
        function.name = name
        self.expect("(")
        function.has_self = self.take("self")
        for value_name, kind in self.items(self.typed_value, ")"):
            value = function.body.add_param(kind, _plain_name(value_name.text))
            self.define(value_name, value)
            function.params.append(Param(value.name, kind))
        self.expect("->")
        function.result = self.type()
        self.expect("{")
        self.block(function.body)
        self.begun = None
        self.result.functions.append(function)

    def typed_value(self) -> tuple[Token, Type]:
        token = self.token("value", "a value")
        self.expect(":")
        return token, self.type()

    def define(self, token: Token, value: Value) -> None:
        if token.text in self.values:
            self.fail(f"{token.text} is defined twice", token)
        self.values[token.text] = value

    def use(self) -> Value:
        token = self.token("value", "a value")
        if token.text not in self.values:
            self.fail(f"{token.text} is not defined here", token)
        return self.values[token.text]

    def block(self, block: Block) -> None:
        """Nodes up to the closing brace; values defined inside end with it."""
        outside = dict(self.values)
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"nested more than {MAX_NESTING} deep")
        while not self.take("}"):
            self.node(block)
        self.depth -= 1
        self.values = outside

    def node(self, block: Block) -> None:
        results = []
        if self.next.kind == "value":
            results = [self.typed_value()]
            while self.take(","):
                results.append(self.typed_value())
            self.expect("=")
        node = Node("", (), [kind for _, kind in results])
        block.append(node)
        self.begun = node
        token = self.token("name", "an operator")
        node.op = token.text
        special = getattr(self, f"node_{node.op}", None)
        if special is not None:
            special(node)
        else:
            self.expect("(")
            self.operands(node)
        for name, value in zip((name for name, _ in results), node.results):
            value.name = _plain_name(name.text)
            self.define(name, value)

    def operands(self, node: Node, end: str = ")") -> None:
        for operand in self.items(self.use, end):
            node.add_operand(operand)

    def optional_operands(self, node: Node) -> None:
        if self.take("("):
            self.operands(node)

    def node_const(self, node: Node) -> None:
        if len(node.results) != 1:
            self.fail("a constant has one result")
        node.attrs["value"] = self.literal(node.result.type)

    def node_call(self, node: Node) -> None:
        node.attrs["function"] = self.function_name()
        self.expect("(")
        self.operands(node)

    def node_if(self, node: Node) -> None:
        self.optional_operands(node)
        self.expect("{")
        self.block(node.add_block(Block()))
        self.expect("else")
        self.expect("{")
        self.block(node.add_block(Block()))

    def node_loop(self, node: Node) -> None:
        self.label(node)
        self.node_fused(node)

    def node_fused(self, node: Node) -> None:
        body = node.add_block(Block())
        outside = dict(self.values)
        self.expect("(")
        for name, kind, initial in self.items(self.loop_param, ")"):
            node.add_operand(initial)
            self.define(name, body.add_param(kind, _plain_name(name.text)))
        self.expect("{")
        self.block(body)
        self.values = outside

    def loop_param(self) -> tuple[Token, Type, Value]:
        name = self.token("value", "a value")
        kind = self.type() if self.take(":") else None
        self.expect("=")
        initial = self.use()
        return name, kind or initial.type, initial

    def node_block(self, node: Node) -> None:
        self.label(node)
        self.expect("{")
        self.block(node.add_block(Block()))

    def label(self, node: Node) -> None:
        self.labels[self.token("label", "a label").text] = node

    def node_try(self, node: Node) -> None:
        self.expect("{")
        self.block(node.add_block(Block()))
        self.expect("except")
        handler = node.add_block(Block())
        outside = dict(self.values)
        self.expect("(")
        for name, kind in self.items(self.typed_value, ")"):
            self.define(name, handler.add_param(kind, _plain_name(name.text)))
        self.expect("{")
        self.block(handler)
        self.values = outside

    def node_yield(self, node: Node) -> None:
        self.optional_operands(node)

    def node_break(self, node: Node) -> None:
        token = self.token("label", "a label")
        if token.text not in self.labels:
            self.fail(f"there is no label {token.text}", token)
        node.attrs["target"] = self.labels[token.text]
        self.optional_operands(node)

    node_continue = node_break

    def node_return(self, node: Node) -> None:
        node.add_operand(self.use())

    node_raise = node_return

    def node_unreachable(self, node: Node) -> None:
        pass

    def node_tuple_get(self, node: Node) -> None:
        self.expect("(")
        node.add_operand(self.use())
        self.expect(",")
        node.attrs["index"] = self.count()
        self.expect(")")

    def node_get_attr(self, node: Node) -> None:
        self.expect("(")
        node.add_operand(self.use())
        self.expect(",")
        node.attrs["name"] = self.name()
        if node.op == "set_attr":
            self.expect(",")
            node.add_operand(self.use())
        self.expect(")")

    node_set_attr = node_get_attr

    def node_is_type(self, node: Node) -> None:
        self.expect("(")
        node.add_operand(self.use())
        self.expect(",")
        node.attrs["type"] = self.type()
        self.expect(")")

    # Methods and texts

    def method(self) -> None:
        token = self.next
        name = self.name()
        self.expect("=")
        method = Method(name, self.function_name(), [])
        inner = method.function.params[1:] if method.function.has_self else method.function.params
        keyword_only = False
        mutates = set()
        self.expect("(")
        while not self.take(")"):
            if method.params or keyword_only:
                self.expect(",")
            if self.take("*"):
                keyword_only = True
                if method.params:
                    self.expect(",")
                else:
                    self.take(",")
            param_name, index = self.name(), len(method.params)
            if index >= len(inner) or inner[index].name != param_name:
                self.fail(f"{method.function.name} has no parameter {param_name} there", token)
            param = Param(param_name, inner[index].type, is_keyword_only=keyword_only)
            if self.take("!"):
                mutates.add(index)
            if self.take("="):
                param.has_default, param.default = True, self.literal(param.type)
            method.params.append(param)
        if len(method.params) != len(inner) or name in self.result.methods:
            self.fail(f"method {name} does not fit {method.function.name}, or is defined twice", token)
        method.mutates = frozenset(mutates)
        method.doc = self.string() if self.next.kind == "string" else ""
        self.result.methods[name] = method

    def metadata(self) -> None:
        key = self.string()
        self.expect("=")
        self.result.metadata[key] = self.string()

    def extra(self) -> None:
        name = self.string()
        self.expect("=")
        self.result.extra_files[name] = self.base64()

    def source(self) -> None:
        path = self.string()
        self.expect("=")
        self.result.sources[path] = "".join(self.strings())


def _plain_name(text: str) -> str:
    """The user's name in "%x.1" or "%\"any text\".1"; "" for the number of a temporary."""
    body = text[1:]
    if body.startswith('"'):
        end = body.rindex('"') + 1
        return str(json.loads(body[:end]))
    return "" if body[0].isdigit() else body.partition(".")[0]
