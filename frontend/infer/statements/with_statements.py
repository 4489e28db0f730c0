"""Inference of `with`: managers that do nothing here (no_grad, record_function), and classes with __enter__, __exit__.

In: `with` statements. Out: calls of the two methods around the body, in the form of a `finally`.
Holds: several items nest; `__exit__` runs once however the body is left, and a true result of it ends an exception.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import ClassType, Type
from ...core.denotations import ClassDenotation, FunctionDenotation, MethodDenotation
from ...core.matcher import describe
from ...core.placeholders import resolve
from ...core.typed import ERROR, NEVER, STATIC, Expr, Static, is_silent, none
from ...parser import syntax
from ...parser.liveness import names_read
from ..base import InferenceBase
from ..operand_errors import class_name
from ..parts import Live

TAKES_ALL = ("__exit__", "len")  # calls that may be given what `*args` of an __exit__ caught


class WithInference(InferenceBase):
    """`_With`."""

    def _With(self, node: syntax.With) -> None:
        self.items(node, node.items, self.live_after(node))

    def items(self, node: syntax.With, rest: Sequence[syntax.withitem], live: Live) -> None:
        if not rest:
            self.body(node.body, goes_on=True)
            return
        item = rest[0]
        if isinstance(item.context_expr, syntax.IfExp):
            self.choice(node, rest, item.context_expr)
            return
        if self.is_inert(item.context_expr):
            if item.optional_vars is not None:
                self.assign(item.optional_vars, none(item.span))
            self.items(node, rest[1:], live)
            return

        def inside(value: Expr) -> None:
            if is_silent(value):
                self.evaluate(value)
            elif item.optional_vars is not None:
                self.assign(item.optional_vars, value)
            if self.env is not None:
                self.items(node, rest[1:], None)

        if self.library_manager(node, item, live, inside):
            return
        manager = self.expr(item.context_expr)
        mark = self.reporter.mark()
        exit_method = self.manager_method(item, manager, "__exit__")
        enter = self.manager_method(item, manager, "__enter__")
        if exit_method is None or enter is None:
            if self.reporter.since(mark):
                self.results.append(ERROR)
            else:
                self.refuse(item, manager)
            for name in self.stored_in([node]):
                self.here.store(name, ERROR)
            return
        held = self.hidden("manager")
        self.store(held, manager)
        self.managed(node, rest, held, live)

    def choice(self, node: syntax.With, rest: Sequence[syntax.withitem], chosen: syntax.IfExp) -> None:
        """`with a if c else b:` as an `if` of two."""
        parts = [
            syntax.With(node.span, [syntax.withitem(rest[0].span, arm, rest[0].optional_vars), *rest[1:]], node.body)
            for arm in (chosen.body, chosen.orelse)
        ]
        self.body([syntax.If(node.span, chosen.test, [parts[0]], [parts[1]])], goes_on=True)

    def managed(self, node: syntax.With, rest: Sequence[syntax.withitem], held: str, live: Live) -> None:
        """`__enter__`, the target, the other items and the body, `__exit__`."""
        item = rest[0]
        entered = self.call_method(item, held, "__enter__", [])
        value = self.hidden("entered")
        if item.optional_vars is None or is_silent(entered):
            self.evaluate(entered)
        elif not isinstance(entered, Static):
            self.store(value, entered)
        if self.env is None:
            return

        def inside() -> None:
            if item.optional_vars is not None and value in self.here.variables:
                self.assign(item.optional_vars, self.read_hidden(value, item.span))
            self.items(node, rest[1:], None)

        def on_exception(caught: str) -> None:
            self.while_handling(item.span, caught, [], lambda: self.exit_by(item, held, caught))

        def on_exit() -> None:
            nothing = none(item.span)
            self.evaluate(self.call_method(item, held, "__exit__", [nothing, nothing, nothing]))

        self.finally_(item.span, live, inside, on_exception, on_exit)
        self.drop([held, value])

    def exit_by(self, item: syntax.withitem, held: str, caught: str) -> None:
        """`__exit__` with an exception, which is raised again unless that is suppressed."""
        error = self.read_hidden(caught, item.span)
        result = self.call_method(item, held, "__exit__", [error, error, error])
        if is_silent(result):
            self.evaluate(result)
            return
        condition, suppress, fail = self.decided(self.truth(result), self.here, self.here.copy())
        self.branch(
            item.span, condition, suppress, fail, None, lambda: None,
            lambda: self.throw(item.span, self.read_hidden(caught, item.span)),
        )

    def is_inert(self, node: syntax.Node) -> bool:
        """A manager that changes nothing in a script; its arguments are evaluated."""
        if not isinstance(node, syntax.Call):
            return False
        function = self.expr(node.func)
        denotation = function.denotation if isinstance(function, Static) else None
        if not isinstance(denotation, ClassDenotation) or not getattr(denotation.python, "__tsm_inert__", False):
            return False
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            self.evaluate(self.value(argument))
        return True

    def manager_method(self, item: syntax.withitem, manager: Expr, name: str) -> MethodDenotation | None:
        kind = resolve(manager.type) if manager.type != STATIC else STATIC
        if not isinstance(kind, ClassType) or not self.has_method(kind, name):
            return None
        method = self.attribute(item.context_expr, manager, name, None)
        found = method.denotation if isinstance(method, Static) else None
        if not isinstance(found, MethodDenotation):
            return None
        return found if name == "__enter__" or self.is_plain_exit(item, found) else None

    def has_method(self, kind: Type, name: str) -> bool:
        info = self.module_info(kind)
        return info is None or hasattr(info.python, name)

    def is_plain_exit(self, item: syntax.withitem, method: MethodDenotation) -> bool:
        """The class that `__exit__` gets is tested and asked for its name, the traceback is tested for None only:
        scripts have no such values."""
        params = method.source.params[1:]
        is_left_early = self.frame.on_yield is not None and not self.frame.suspends and not self.source.is_manager
        if is_left_early and names_read(*method.source.node.body) & {param.arg for param in params}:
            self.error(item.context_expr, "__exit__ that looks at the exception is not supported in a generator",
                       "use try and finally")
            return False
        starred = method.source.node.args.vararg
        if starred is not None and not only_picks(method.source.node, starred.arg, method.source.positional_count - 1):
            self.error(item.context_expr, f"__exit__ may only take the exception out of '*{starred.arg}' in scripts, "
                       "or compare with None what stands beside it", "name its three parameters")
            return False
        for place in (0, 2):
            if place < len(params) and not only_tests(method.source.node, params[place].arg, is_class=place == 0):
                can = "compare, and ask for its name," if place == 0 else "compare with None"
                self.error(item.context_expr, f"__exit__ may only {can} '{params[place].arg}' in scripts",
                           "use the exception itself, its second argument")
        return True

    def call_method(self, item: syntax.withitem, held: str, name: str, values: Sequence[Expr]) -> Expr:
        manager = self.read_hidden(held, item.span)
        method = self.attribute(item.context_expr, manager, name, None)
        assert isinstance(method, Static) and isinstance(method.denotation, MethodDenotation)
        return self.invoke_source(item.span, method.denotation.source, [manager, *values], [])

    def refuse(self, item: syntax.withitem, manager: Expr) -> None:
        self.results.append(ERROR)
        if manager.type == ERROR:
            return
        if manager.type == NEVER:
            self.evaluate(manager)
            return
        what = manager.denotation.describe() if isinstance(manager, Static) else describe(manager)
        is_class = isinstance(manager, Static) and isinstance(manager.denotation, (ClassDenotation, FunctionDenotation))
        hint = "call it" if is_class else "a script can use tsm.no_grad(), tsm.enable_grad(), tsm.record_function(...) "
        python = self.session.classes.python_of(manager.type)
        name = None if isinstance(manager, Static) else class_name(manager.type)
        name = python.__name__ if python is not None and not hasattr(python, "__enter__") else name
        raised = "TypeError", name and f"'{name}' object does not support the context manager protocol"
        self.evaluate(self.wrong_or_left(
            item.context_expr, raised, f"{what} is not a context manager of a script",
            hint if is_class else hint + "and objects with __enter__ and __exit__", [manager]))


def only_tests(node: syntax.Node, name: str, is_class: bool) -> bool:
    """Whether every mention of a name is `name is None`, `name is not None` or a question for its truth; of a class, a
    comparison with another, `issubclass(name, ...)` or its name."""
    tests = 0
    for found in syntax.walk(node):
        asked: syntax.Node | None = None
        if isinstance(found, syntax.Compare) and len(found.ops) == 1 and found.ops[0] in ("is", "is not"):
            right = found.comparators[0]
            is_none = isinstance(right, syntax.Constant) and right.value is None
            asked = found.left if is_none or is_class else None
        elif is_class and isinstance(found, syntax.Attribute) and found.attr == "__name__":
            asked = found.value
        elif is_class and isinstance(found, syntax.Call) and len(found.args) == 2:
            is_test = isinstance(found.func, syntax.Name) and found.func.id == "issubclass"
            asked = found.args[0] if is_test else None
        tests += sum(isinstance(each, syntax.Name) and each.id == name for each in (asked, *truths_asked(found)))
    return tests == sum(isinstance(found, syntax.Name) and found.id == name for found in syntax.walk(node))


def only_picks(node: syntax.Node, name: str, before: int) -> bool:
    """Whether every mention of `*name`, behind so many parameters of `__exit__`, is the exception in it, a test for
    None of what stands beside that, its length, or hands all on to another `__exit__`."""
    picks = 0
    for found in syntax.walk(node):
        picks += is_item(found, name, (1,), before)
        picks += sum(is_item(each, name, (0, 2), before) for each in (*compared_with_none(found), *truths_asked(found)))
        if isinstance(found, syntax.Call) and getattr(found.func, "attr", getattr(found.func, "id", "")) in TAKES_ALL:
            parts = [each.value if isinstance(each, syntax.Starred) else each for each in found.args]
            picks += sum(isinstance(each, syntax.Name) and each.id == name for each in parts)
    return picks == sum(isinstance(found, syntax.Name) and found.id == name for found in syntax.walk(node))


def compared_with_none(node: syntax.Node) -> list[syntax.Expression]:
    if not isinstance(node, syntax.Compare) or len(node.ops) > 1 or node.ops[0] not in ("is", "is not"):
        return []
    right = node.comparators[0]
    return [node.left] if isinstance(right, syntax.Constant) and right.value is None else []


def is_item(node: syntax.Node, name: str, places: tuple[int, ...], before: int) -> bool:
    """Whether it is `name[i]`, where that is one of what `__exit__` gets at these places."""
    if not isinstance(node, syntax.Subscript) or not isinstance(node.slice, syntax.Constant):
        return False
    is_named = isinstance(node.value, syntax.Name) and node.value.id == name
    return is_named and type(node.slice.value) is int and node.slice.value + before in places


def truths_asked(node: syntax.Node) -> list[syntax.Expression]:
    """Expressions in a node that it only asks whether they are true, or gives if they are not."""
    if isinstance(node, (syntax.If, syntax.IfExp)):
        return [node.test]
    if isinstance(node, syntax.UnaryOp) and node.op == "not":
        return [node.operand]
    return list(node.values[:-1]) if isinstance(node, syntax.BoolOp) and node.op == "and" else []
