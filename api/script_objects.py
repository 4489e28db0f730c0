"""`script(instance)`: an instance of a class of one's own whose methods run compiled, as `script(list)` gives a list.

In: an instance. Out: a copy of it, of a class derived from its own, whose methods are entry points of one program.
Holds: attributes are Python's; calls, and scripts that get the instance, see and change them. A class is compiled once.
Special methods but `__call__`, properties, static and class methods, and what `@unused` marks stay Python's.
"""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

from .binding.instances import PLAIN
from .binding.tensor import Tensor
from .frontend.objects.class_facts import is_script_class

_made: WeakKeyDictionary[type, type] = WeakKeyDictionary()


def script_object(target: Any) -> Any:
    """The copy. CompileError for a method that no script can be."""
    python = type(target)
    if hasattr(python, PLAIN):
        return target
    if python not in _made:
        _made[python] = _scripted_class(python)
    return _copied(target, {}, _made[python])


def is_plain_instance(target: Any) -> bool:
    """Whether it is an instance of a class of one's own that scripts may use."""
    return is_script_class(type(target)) and not isinstance(target, BaseException)


def _scripted_class(python: type) -> type:
    from .scripting import compile_text

    names: dict[str, Any] = {**vars(sys.modules[python.__module__]), "_class": python}
    methods = {name: found for name in dir(python) if (found := _method_of(python, name)) is not None}
    texts = [_entry(name, function, names) for name, function in methods.items()]
    program: Any = compile_text("\n".join(texts) or "def _nothing() -> None:\n    pass\n", names)
    members = {name: _caller(getattr(program, name), function) for name, function in methods.items()}
    fixed = {PLAIN: python, "__module__": python.__module__, "__doc__": python.__doc__,
             "__qualname__": python.__qualname__, "__reduce_ex__": _reduce, "_tsm_program": program}
    if "__dict__" not in dir(python):
        fixed["__slots__"] = ()
    return type(python)(python.__name__, (python,), {**members, **fixed})


def _method_of(python: type, name: str) -> Any:
    """The function that is a method of this name to compile; None if there is none."""
    if name.startswith("__") and name != "__call__":
        return None
    found = inspect.getattr_static(python, name)
    if not inspect.isfunction(found) or hasattr(found, "__tsm_mark__"):
        return None
    kinds = [each.kind for each in inspect.signature(found).parameters.values()]
    has_rest = inspect.Parameter.VAR_POSITIONAL in kinds or inspect.Parameter.VAR_KEYWORD in kinds
    return found if kinds and not has_rest else None


def _entry(name: str, function: Any, names: dict[str, Any]) -> str:
    """The text of a function that calls the method; puts what its signature needs under names."""
    first, *rest = inspect.signature(function).parameters.values()
    shown, given = [f"{first.name}: _class"], []
    for each in rest:
        if each.kind is each.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        text = each.name
        if each.annotation is not each.empty:
            text += f": {_named(each.annotation, f'_{name}_{each.name}', names)}"
        if each.default is not each.empty:
            text += f" = {_named(each.default, f'_{name}_{each.name}_default', names)}"
        shown.append(text)
        given.append(f"{each.name}={each.name}" if each.kind is each.KEYWORD_ONLY else each.name)
    return f"def {name}({', '.join(shown)}):\n    return {first.name}.{name}({', '.join(given)})\n"


def _named(value: Any, name: str, names: dict[str, Any]) -> str:
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str) and not name.endswith("_default"):
        return value  # an annotation as text
    names[name] = value
    return name


def _caller(compiled: Callable[..., Any], function: Any) -> Any:
    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        return compiled(self, *args, **kwargs)

    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(method, name, getattr(function, name))
    method.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return method


def _reduce(self: Any, protocol: Any) -> Any:
    """As the instance that it is of its own class: a pickle needs the class only."""
    return script_object, (_copied(self, {}, getattr(type(self), PLAIN)),)


def _copied(value: Any, known: dict[int, Any], made: type | None = None) -> Any:
    """With containers and instances of one's own copied, and tensors and all else shared."""
    if id(value) in known:
        return known[id(value)]
    if isinstance(value, (Tensor, type)) or (made is None and not isinstance(value, (list, dict, set, tuple))
                                             and not is_plain_instance(value)):
        return value
    if isinstance(value, tuple):
        items = [_copied(item, known) for item in value]
        return tuple.__new__(type(value), items)
    found = known[id(value)] = object.__new__(made) if made else _empty(value)
    if isinstance(value, (list, set)):
        (found.extend if isinstance(value, list) else found.update)([_copied(item, known) for item in value])
    elif isinstance(value, dict):
        found.update((_copied(key, known), _copied(item, known)) for key, item in value.items())
    for name, held in _attributes(value):
        object.__setattr__(found, name, _copied(held, known))
    return found


def _empty(value: Any) -> Any:
    if isinstance(value, (list, dict, set)):
        made = copy.copy(value)
        made.clear()
        return made
    return object.__new__(type(value))


def _attributes(value: Any) -> Iterable[tuple[str, Any]]:
    slots = (name for base in type(value).__mro__ for name in getattr(base, "__slots__", ()))
    yield from ((name, getattr(value, name)) for name in slots if hasattr(value, name))
    yield from getattr(value, "__dict__", {}).items()
