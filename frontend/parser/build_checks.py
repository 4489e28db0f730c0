"""What the grammar accepts too loosely about targets and stars, refused.

In: expressions that stand where something is assigned, deleted or read. Out: nothing, or the source's failure.
"""

from __future__ import annotations

from . import syntax
from .syntax import Expression
from .tokens import Source

ASSIGNABLE = (syntax.Name, syntax.Attribute, syntax.Subscript)
DESCRIPTIONS: dict[type[syntax.Node], str] = {
    syntax.Call: "a function call",
    syntax.Compare: "a comparison",
    syntax.Lambda: "a lambda",
    syntax.IfExp: "a conditional expression",
    syntax.NamedExpr: "a named expression",
    syntax.JoinedStr: "an f-string",
    syntax.Dict: "a dict display",
    syntax.Set: "a set display",
    syntax.GeneratorExp: "a generator expression",
    syntax.ListComp: "a list comprehension",
    syntax.SetComp: "a set comprehension",
    syntax.DictComp: "a dict comprehension",
    syntax.Await: "an await expression",
    syntax.Yield: "a yield expression",
    syntax.YieldFrom: "a yield expression",
    syntax.Starred: "a starred expression",
    syntax.List: "a list",
    syntax.Tuple: "a tuple",
}


class Checks:
    """Checks of the nodes of one Source."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def describe(self, node: Expression) -> str:
        if isinstance(node, syntax.Constant):
            if node.value is None or isinstance(node.value, bool):
                return str(node.value)
            return "an ellipsis" if node.value is ... else "a literal"
        return DESCRIPTIONS.get(type(node), "an expression")

    def check_target(self, target: Expression, verb: str = "assign to") -> None:
        """Refuse what cannot stand left of '='. At most MAX_BRACKETS deep."""
        if isinstance(target, ASSIGNABLE):
            return
        if isinstance(target, syntax.Tuple | syntax.List):
            stars = [elt for elt in target.elts if isinstance(elt, syntax.Starred)]
            if len(stars) > 1 and verb == "assign to":
                self.source.fail(stars[1].span, "multiple starred expressions in assignment")
            for elt in target.elts:
                is_star = isinstance(elt, syntax.Starred) and verb == "assign to"
                self.check_target(elt.value if isinstance(elt, syntax.Starred) and is_star else elt, verb)
            return
        if isinstance(target, syntax.Starred) and verb == "assign to":
            self.source.fail(target.span, "starred assignment target must be in a list or tuple", "add a comma")
        hint = "compare with '=='" if isinstance(target, syntax.Call | syntax.BinOp | syntax.Compare) else None
        self.source.fail(target.span, f"cannot {verb} {self.describe(target)}", hint if verb != "delete" else None)

    def check_starred(self, value: Expression | None) -> None:
        if isinstance(value, syntax.Starred):
            self.source.fail(value.span, "cannot use a starred expression here", "add a comma to make it a tuple")
