"""Inference of `vars(x)` and `x.__dict__`: the attributes of an instance by name, as they are at that moment.

In: instances. Out: new dicts. Holds: Python's namespace is live and can be changed; so it stands only where somebody
looks at it at once, and what keeps it has to copy it.
"""

from __future__ import annotations

from ....ir.types import STR, DictType, Type
from ...core.conversions import once
from ...core.exception_types import ExceptionClass
from ...core.matcher import describe
from ...core.placeholders import Placeholder, join, resolve
from ...core.typed import Const, Expr, GetAttribute, MakeDict, is_silent
from ...objects.class_info import ClassInfo
from ...objects.own_attributes import own_attributes
from ...parser import syntax
from ..base import InferenceBase
from ..type_facts import converted_to

LOOKING = frozenset((  # builtins
    "dict", "list", "tuple", "set", "sorted", "len", "str", "repr", "print", "bool", "any", "all", "max", "min",
    "enumerate", "zip", "map", "filter", "reversed", "format",
))
METHODS = ("items", "keys", "values", "get", "copy")
HINT = "name the attributes: {'x': p.x}"


class NamespaceInference(InferenceBase):
    """Namespaces."""

    def _call_vars(self, node: syntax.Call, want: Type | None) -> Expr:
        if not self.takes(node, 1, 1):
            return self.wrong(node)
        owner = self.value(node.args[0])
        if is_silent(owner):
            return owner
        info = self.class_info(owner.type)
        if info is None:
            return self.error(node, f"vars() of {describe(owner)} is not supported in scripts", HINT)
        return self.namespace(node, owner, info)

    def namespace(self, node: syntax.Node, owner: Expr, info: ClassInfo) -> Expr:
        """The attributes of an instance, taken out of it."""
        python, kinds = info.python, info.type.attributes
        if not python.__dictoffset__ or isinstance(info.type, ExceptionClass):
            return self.error(node, f"an instance of '{python.__name__}' has no __dict__ in scripts", HINT)
        if not self.is_closed(info):
            return self.error(node, f"an instance of '{python.__name__}' from outside may have attributes that the "
                              "program does not know of", HINT)
        names = own_attributes(python, self.session.classes.method)
        if names is None or info.deleted or set(names) != kinds.keys():
            text = f"which attributes an instance of '{python.__name__}' has, or their order, depends on the run"
            return self.error(node, text, HINT)
        if not is_looked_at(self.source.node, node):
            return self.error(node, "the attributes of an instance change with it, and cannot be kept or changed here",
                              "write dict(vars(x)) for a dict of what they are now")
        kind = join(*(resolve(kinds[name]) for name in names)) if names else Placeholder()

        def read(held: Expr) -> Expr:
            items: list[Expr] = []
            for name in names:
                value = GetAttribute(resolve(kinds[name]), node.span, held, name)
                items += [Const(STR, node.span, name), converted_to(value, kind)]
            return MakeDict(DictType(STR, kind), node.span, items)

        return once(owner, read)


def is_looked_at(whole: syntax.Node, node: syntax.Node) -> bool:
    """Whether what stands around an expression only reads it, and at once."""
    for around in syntax.walk(whole):
        if isinstance(around, syntax.Attribute) and around.value is node:
            return around.attr in METHODS
        if isinstance(around, (syntax.For, syntax.comprehension)) and around.iter is node:
            return True
        if isinstance(around, syntax.Subscript) and around.value is node:
            return not is_target(whole, around)
        if isinstance(around, syntax.Compare) and any(each is node for each in (around.left, *around.comparators)):
            return True
        if isinstance(around, (syntax.FormattedValue, syntax.Starred)) and around.value is node:
            return True
        if isinstance(around, syntax.keyword) and around.value is node:
            return around.arg is None
        if isinstance(around, syntax.Dict) and any(each is node for each in around.values):
            return all(key is None for key, value in zip(around.keys, around.values) if value is node)
        if isinstance(around, syntax.Call) and any(each is node for each in around.args):
            return isinstance(around.func, syntax.Name) and around.func.id in LOOKING
    return False


def is_target(whole: syntax.Node, node: syntax.Node) -> bool:
    """Whether it is assigned or deleted."""
    targets: list[syntax.Node] = []
    for each in syntax.walk(whole):
        if isinstance(each, (syntax.Assign, syntax.Delete)):
            targets += each.targets
        elif isinstance(each, (syntax.AugAssign, syntax.AnnAssign, syntax.For)):
            targets.append(each.target)
    return any(part is node for target in targets for part in syntax.walk(target))
