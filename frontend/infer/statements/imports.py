"""Inference of imports inside functions: the names that they bind are known when the function is compiled.

In: import statements. Out: variables that stand for modules and for what these hold. Holds: no module is run for the
first time because something is compiled, but those of Python's library that scripts use.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any as PyAny

from ...parser import syntax
from ..base import InferenceBase

HARMLESS = frozenset((
    "bisect", "cmath", "collections", "contextlib", "copy", "dataclasses", "enum", "functools", "heapq", "itertools",
    "math", "numbers", "operator", "string", "types", "typing", "warnings",
))


class ImportInference(InferenceBase):
    """import, from ... import."""

    def _Import(self, node: syntax.Import) -> None:
        for alias in node.names:
            module = self.imported(node, alias.name)
            if module is None:
                return
            top = alias.name.partition(".")[0]
            self.bind_import(alias, alias.asname or top, module if alias.asname else sys.modules[top])

    def _ImportFrom(self, node: syntax.ImportFrom) -> None:
        name = node.module or ""
        if node.level:
            package = self.package()
            try:
                name = importlib.util.resolve_name("." * node.level + name, package)
            except ImportError as error:
                self.error(node, str(error))
                return
        module = self.imported(node, name)
        if module is None:
            return
        for alias in node.names:
            below = sys.modules.get(f"{name}.{alias.name}")
            if not hasattr(module, alias.name) and below is None:
                self.error(alias, f"cannot import name '{alias.name}' from '{name}'")
                continue
            self.bind_import(alias, alias.asname or alias.name, getattr(module, alias.name, below))

    def imported(self, node: syntax.Node, name: str) -> PyAny:
        """A module that is loaded, or may be; None after reporting that it is not."""
        if name not in sys.modules and name.partition(".")[0] not in HARMLESS:
            self.error(node, f"the module '{name}' is not imported yet: a script cannot run it",
                       "import it at the top of the file")
            return None
        try:
            return importlib.import_module(name)
        except ImportError as error:
            self.error(node, str(error))
            return None

    def package(self) -> str | None:
        """What the leading dots of an import start from."""
        try:
            return str(self.source.lookup("__package__") or "")
        except KeyError:
            return None

    def bind_import(self, node: syntax.Node, name: str, value: PyAny) -> None:
        self.store(self.local_name(name), self.session.denote(value, node.span))
