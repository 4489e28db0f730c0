"""Scripted modules that become other programs: with a method more, with another submodule.

In: a scripted module, and what it shall have. Out: the same object over a new program, in the state it had. Holds: a
change that is not possible leaves it as it was.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from .loaded import LoadedModule, LoadedObject
from .nn.module import Module

if TYPE_CHECKING:
    from .scripting import ScriptModule


def add_method(scripted: ScriptModule, name: str) -> None:
    """Compiles a method of the module, or of one below it, "path.name", as an entry point. CompileError; RuntimeError
    for a state that a new program cannot take over."""
    _become(scripted, scripted.original, (*scripted._more, name), None)


def replace_submodule(scripted: ScriptModule, path: str, new: Module) -> None:
    """Puts another module in the place of a submodule. CompileError, RuntimeError."""
    more = tuple(name for name in scripted._more if not name.startswith(f"{path}."))
    _become(scripted, with_submodule(scripted.original, path.split("."), new), more, path)


def add_text(scripted: ScriptModule, text: str, names: dict[str, Any]) -> None:
    """Adds methods that a text defines with these names around it. CompileError, RuntimeError."""
    from .script_classes import methods_of

    python = type(scripted.original)
    extended = type(python.__name__, (python,), {"__module__": python.__module__, **methods_of(text, names)})
    source: Any = object.__new__(extended)
    object.__setattr__(source, "__dict__", vars(scripted.original))
    _become(scripted, source, scripted._more, None)


def with_submodule(module: Any, path: list[str], new: Module) -> Any:
    """A module like this one but for the submodule at a path; the rest is shared."""
    made = copy.copy(module)
    object.__setattr__(made, "_modules", dict(module._modules))
    made._modules[path[0]] = with_submodule(module._modules[path[0]], path[1:], new) if path[1:] else new
    return made


def _become(scripted: ScriptModule, source: Any, more: tuple[str, ...], replaced: str | None) -> None:
    state = _state(scripted, replaced)
    held = {path: module for path, module in scripted.held_submodules().items()
            if replaced is None or not f"{path}.".startswith(f"{replaced}.")}
    made = scripted._remade(source, more)
    link_as_in(scripted, made, replaced)
    for path, value in state.items():
        LoadedModule.set(made, path, value)
    fields = dict(vars(made))
    vars(scripted).clear()
    vars(scripted).update(fields)
    LoadedModule.__init__(scripted, made.program, made.instance, made._classes.values())  # its methods are its own
    for path, module in held.items():
        module.move(path)


def link_as_in(old: ScriptModule, new: ScriptModule, replaced: str | None) -> None:
    """Lets paths of a new program share modules as those of the old one do, where a script has replaced some.
    RuntimeError, if the new one has no such modules."""
    wanted, present = (modules_at(program, replaced) for program in (old, new))
    if partition(wanted) == partition(present):
        return
    groups: dict[int, list[str]] = {}
    for path, address in wanted.items():
        groups.setdefault(address, []).append(path)
    for_path: dict[str, str] = {}  # a path of the new program with the module that shall be there
    taken: set[int] = set()
    for paths in sorted(groups.values(), key=len):
        home = next((path for path in paths if path in present and present[path] not in taken), None)
        if home is not None:
            taken.add(present[home])
            for_path.update(dict.fromkeys(paths, home))
    modules = {home: LoadedModule.get(new, home) for home in for_path.values()}
    for path in sorted(for_path, key=lambda each: each.count(".")):
        if new.address_at(path) != present[for_path[path]]:
            LoadedModule.set(new, path, modules[for_path[path]])
    if partition(modules_at(new, replaced)) != partition(wanted):
        raise RuntimeError("scripts have replaced submodules in a way that another program cannot take over: "
                           "mark the methods that Python calls @tsm.jit.export before the module is scripted")


def modules_at(program: ScriptModule, but: str | None) -> dict[str, int]:
    """The modules of a program by path, but for what lies below one of them: what tells each from others."""
    found = {path: program.address_at(path) for path in program.program.module_names
             if path and (but is None or not f"{path}.".startswith(f"{but}."))}
    return {path: address for path, address in found.items() if address is not None}


def partition(modules: dict[str, int]) -> set[frozenset[str]]:
    """The paths, those of one module together."""
    groups: dict[int, set[str]] = {}
    for path, address in modules.items():
        groups.setdefault(address, set()).add(path)
    return {frozenset(paths) for paths in groups.values()}


def _state(scripted: ScriptModule, replaced: str | None) -> dict[str, Any]:
    """What the module has by path, but for what lies below a submodule that is replaced."""
    found: dict[str, Any] = {}
    if scripted.instance.shared.is_known():
        raise RuntimeError("Python has lists, dicts or instances of the module's state, which another program cannot "
                           "have too: mark the methods that Python calls @tsm.jit.export before scripting")
    for path, module in scripted.named_modules():
        if replaced is not None and f"{path}.".startswith(f"{replaced}."):
            continue
        for name in module._attribute_names():
            full = f"{path}.{name}" if path else name
            if full in scripted.program.module_names:
                continue
            try:
                found[full] = LoadedModule.get(scripted, full)
            except AttributeError:
                continue  # not set
            if isinstance(found[full], LoadedObject):
                raise RuntimeError(f"attribute {full!r} is an instance of a class, whose state cannot be taken over: "
                                   "mark the methods that Python calls @tsm.jit.export before the module is scripted")
    return found
