"""`tsm.load`: a .tsm file as a Python object that runs through libtsm.

In: a path, an open file or bytes. Out: LoadedModule: methods as functions, attributes by name, state, saving.
Holds: loading imports nothing and runs nothing of the file; everything in it was verified.
"""

from __future__ import annotations

import enum
import io
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import IO, Any, TypeVar

from .binding import convert, library
from .binding.call_forms import MethodInfo
from .binding.device import check_place
from .binding.errors import LoadError
from .binding.hosts import as_functions
from .binding.library import lib
from .binding.program import Instance, Program
from .binding.program_types import read_type
from .binding.schema import SchemaType
from .binding.tensor import Tensor
from .call import make_callable
from .signatures import Schema, signature_text

M = TypeVar("M", bound="LoadedModule")
Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]


def load(
    source: Source, *, check_weights: bool = False, map_file: bool = False, classes: Iterable[type] = (),
    functions: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
) -> LoadedModule:
    """Loads a program. `classes` are the Python classes that its instances, named tuples and enum members become when
    they come out of a call; without them they are objects with attributes of the same names. `functions` are those that
    the program calls by name, where it had Python functions marked `tsm.jit.ignore`: all arguments come by position.
    `check_weights` also checks the checksum of the weights; `map_file` maps a file instead of reading it (it must not
    be truncated while in use).

    Raises OSError, or LoadError for a file that is damaged, malformed, too new or refused by the verifier, or one that
    calls functions that are not given.
    """
    given = as_functions(functions)
    if isinstance(source, (str, os.PathLike)):
        with suppress(OSError, ValueError), open(source, "rb") as file:  # opening it below says what is wrong
            refuse_archive(file)
        return over_program(Program.from_path(source, check_weights, map_file, given), classes)
    if not isinstance(source, (bytes, bytearray, memoryview)) and not hasattr(source, "read"):
        raise TypeError(f"load() takes a path, an open binary file or bytes, not {type(source).__name__}")
    data = source if isinstance(source, (bytes, bytearray, memoryview)) else source.read()
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("a .tsm file must be opened in binary mode")
    refuse_archive(io.BytesIO(bytes(data) if bytes(data[:2]) == b"PK" else b""))
    return over_program(Program.from_bytes(data, check_weights=check_weights, functions=given), classes)


def refuse_archive(file: IO[bytes]) -> None:
    """LoadError for a file that torch.jit.save, torch.export.save or torch.save wrote: what it is and what to do."""
    try:
        if file.read(4) != b"PK\x03\x04":
            return
        with zipfile.ZipFile(file) as archive:
            names = {name.partition("/")[2] for name in archive.namelist()[:_MOST_NAMES]}
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        return
    if "constants.pkl" in names or any(name.startswith("code/") for name in names):
        raise LoadError(
            "this is a TorchScript archive, which torch.jit.save wrote; tsm reads .tsm files: script the module again "
            "from its source with tsm, and take the weights from torch.jit.load(path).state_dict() by load_state_dict()"
        )
    if "data.pkl" in names:
        raise LoadError(
            "this is a file of torch.save, which holds tensors and no program: make the module in Python, and take the "
            "weights from torch.load(path) by load_state_dict()"
        )
    if any("exported_program" in name or name.startswith("models/") for name in names):
        raise LoadError("this is an archive of torch.export.save; tsm reads .tsm files: script or trace the module "
                        "again from its source with tsm")


_MOST_NAMES = 10_000  # of an archive that are looked at


def over_program(program: Program, classes: Iterable[type], instance: Instance | None = None) -> LoadedModule:
    """The Python object for a program: a module if that is what was compiled."""
    if not program.module_names:
        return LoadedModule(program, instance, classes)
    from .program_modules import RootModule

    return RootModule(program, instance, classes)


class LoadedObject:
    """An instance of a scripted class or module inside a program. Attributes read and set by name."""

    _tsm_address: int
    _path: str

    def __init__(self, owner: Instance, address: int, path: str | None) -> None:
        """Takes a count of its own. `path` is the dotted path from the root, None if it was reached another way."""
        lib.tsm_py_retain(address, library.OBJECT)
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_tsm_address", address)
        object.__setattr__(self, "_path", path)
        object.__setattr__(self, "_type", read_type(_type_of(address)))

    def __del__(self, release: Callable[[int, int], None] = lib.tsm_py_release) -> None:
        if "_tsm_address" in self.__dict__:
            release(self._tsm_address, library.OBJECT)

    def __getattr__(self, name: str) -> Any:
        kind: SchemaType = self.__dict__["_type"]
        if name not in kind.names:
            raise AttributeError(f"{kind.name!r} object has no attribute {name!r}")
        place = convert.Buffer(1)
        value = lib.tsm_py_value(self._tsm_address, library.OBJECT)
        if lib.tsm_object_get(value, kind.names.index(name), place.values):
            raise AttributeError(f"attribute {name!r} of {kind.name!r} object is not set")
        return _read(self.__dict__["_owner"], place, _join(self._path, name))

    def __setattr__(self, name: str, value: Any) -> None:
        if self._path is None:
            raise AttributeError("attributes of an instance that a call returned are read-only")
        _set(self.__dict__["_owner"], _join(self._path, name), value)

    def __dir__(self) -> list[str]:
        return [*self.__dict__["_type"].names]

    def __repr__(self) -> str:
        return f"<{self.__dict__['_type'].name} object of a tsm program>"


def _type_of(address: int) -> Any:
    return lib.tsm_value_type(lib.tsm_py_value(address, library.OBJECT))


def _join(path: str | None, name: str) -> str | None:
    return None if path is None else f"{path}.{name}" if path else name


def _read(owner: Instance, place: convert.Buffer, path: str | None) -> Any:
    scope = convert.Scope(None, lambda address: LoadedObject(owner, address, path), owner)
    try:
        return convert.read(place, 0, scope)
    finally:
        scope.close()


def _set(owner: Instance, path: str | None, value: Any) -> None:
    """Sets an attribute, giving the value the attribute's declared type."""
    assert path is not None
    scope = convert.Scope(None, None, owner)
    try:
        with owner.locked():
            owner.set(path, value, _declared_type(owner, path), scope)
    except TypeError as error:
        raise TypeError(f"attribute {path!r}: {error}") from None
    finally:
        scope.close()


def _declared_type(owner: Instance, path: str) -> SchemaType:
    """Type of the attribute at a path; Any if a part of the path is not an attribute of a class."""
    kind = _root_type(owner)
    for name in path.split("."):
        if kind is None or lib.tsm_type_kind_of(kind) != lib.TSM_T_CLASS:
            return SchemaType("Any")
        names = read_type(kind).names
        if name not in names:
            return SchemaType("Any")
        kind = lib.tsm_type_member(kind, names.index(name))
    return read_type(kind)


def _root_type(owner: Instance) -> Any:
    place = convert.Buffer(1)
    if lib.tsm_instance_root(owner.handle, place.values):
        return None
    kind = lib.tsm_value_type(place.values[0])
    lib.tsm_release(place.values[0])
    return kind


class LoadedModule:
    """A program and one instance of it.

    Methods are functions (`module.forward(x)`, `module(x)`), attributes are read and set by name (`module.counter`,
    `module.layers`). Calls from several threads run one after the other; `clone()` gives an instance of its own.
    """

    def __init__(
        self, program: Program, instance: Instance | None = None, classes: Iterable[type] = ()
    ) -> None:
        fields = {
            "program": program,
            "instance": instance or Instance(program),
            "methods": {info.name: info for info in program.methods},
            "_classes": {_name_of(python): python for python in classes},
            "_submodules": {},
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        for name in self.methods:
            if callable(getattr(type(self), name, None)) and not name.startswith("__"):
                object.__setattr__(self, name, LoadedModule.method(self, name))  # it hides ours of that name
        program.hosts.register(self.instance.handle, self)

    program: Program
    instance: Instance
    methods: dict[str, MethodInfo]
    _classes: dict[str, Any]
    _submodules: dict[int, Any]  # what Python has of the program's modules, by address

    def method(self, name: str) -> Callable[..., Any]:
        """A method as a function. AttributeError if there is none."""
        if name not in self.methods:
            known = ", ".join(sorted(self.methods)) or "none"
            raise AttributeError(f"the program has no method {name!r}; it has: {known}")
        made = make_callable(self.instance, self.methods[name], self)
        with suppress(AttributeError):  # of a method, where the names of parameters are none of Python's
            made.name, made.schema = name, Schema.of(self.methods[name])  # type: ignore[attr-defined]
        return made

    def wrap_object(self, address: int) -> LoadedObject:
        """An instance that a call returned."""
        return LoadedObject(self.instance, address, None)

    def host_object(self, address: int, call: Any) -> Any:
        """An instance that a function of the host gets in a call."""
        from .host_view import view_of

        return view_of(call, address, self._root(), self.__dict__.get("_source"))

    def record_call(self, recorder: Any, info: MethodInfo, args: Sequence[Any], result: Any) -> Any:
        """A call while a trace records: it stays a call there."""
        return recorder.call(self, info.name, args, result)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Itself, as of a function of Python; modules have copies."""
        return self

    def __reduce__(self) -> Any:
        """A pickle holds what a file would; it comes back as what is loaded. LoadError there if the program calls
        functions of Python."""
        return load, (self.to_bytes(),)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls `forward`, with the hooks of the module that was scripted, or the program's only method."""
        try:
            main = self.__dict__["_main"]
        except KeyError:
            main = self._find_main()
        return main(*args, **kwargs) if kwargs else main(*args)

    def _find_main(self) -> Callable[..., Any]:
        """Makes what a call of the module itself runs, once."""
        first = next(iter(self.methods), "forward")
        name = next((name for name in ("__call__", "forward") if name in self.methods), first)
        if name not in ("__call__", "forward") and len(self.methods) != 1:
            raise TypeError(f"the program has no forward; call one of: {', '.join(sorted(self.methods))}")
        is_field = name in LoadedModule.__annotations__  # a method may have the name of a field of ours
        found = None if is_field else self.__dict__.get(name)
        found = found or LoadedModule.method(self, name)
        object.__setattr__(self, "_main", found)
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self.__dict__.get("methods", ()):
            made = LoadedModule.method(self, name)
            object.__setattr__(self, name, made)  # made when first used: a file may have many
            return made
        try:
            return LoadedModule.get(self, name)
        except AttributeError:
            if "methods" not in self.__dict__:
                raise
            return self.uncompiled(name)

    def __setattr__(self, name: str, value: Any) -> None:
        LoadedModule.set(self, name, value)

    def get(self, path: str) -> Any:
        """Attribute by dotted path ("layers.0.weight"). Tensors are the instance's own, lists and dicts are copies."""
        owner = self.instance
        scope = convert.Scope(None, lambda address: LoadedModule.object_at(self, address, path), owner)
        try:
            with owner.locked():
                return owner.get(path, scope)
        finally:
            scope.close()

    def object_at(self, address: int, path: str) -> LoadedObject:
        """An instance that is an attribute; of a module always the same object."""
        if path not in self.program.module_names:
            return LoadedObject(self.instance, address, path)
        from .program_modules import Submodule

        known = self._submodules
        if address not in known:
            known[address] = Submodule(self, address, path)
        found: LoadedObject = known[address]
        return found

    def address_at(self, path: str) -> int | None:
        """Where the instance at a dotted path lies, which tells it from others; None if there is none."""
        found: list[int] = []
        scope = convert.Scope(None, found.append, self.instance)
        try:
            with self.instance.locked():
                self.instance.get(path, scope)
        except AttributeError:
            return None
        finally:
            scope.close()
        return found[0] if found else None

    def want_method(self, name: str) -> None:
        """Makes a method of a submodule, "path.name", one of the program's. AttributeError if that is not possible."""
        path, _, method = name.rpartition(".")
        where = f" for its submodule {path!r}" if path else ""
        raise AttributeError(f"the program has no attribute or method {method!r}{where}; of methods it has those that "
                             "@tsm.jit.export marked when it was made")

    def uncompiled(self, name: str) -> Any:
        """What a dotted name means that is no attribute and no method of the program. AttributeError."""
        if "." in name:
            return self.want_method(name)
        raise AttributeError(f"{name!r}: there is no such attribute, item or key")

    def set(self, path: str, value: Any) -> None:
        """Sets an attribute by dotted path. AttributeError, TypeError."""
        _set(self.instance, path, value)

    # ---- state

    def state_dict(self) -> dict[str, Tensor]:
        """Every tensor, by dotted path, of a file that does not tell parameters and buffers from others; they are the
        instance's own."""
        root = LoadedModule._root(self)
        return {} if root is None else dict(_tensors(root, ""))

    def load_state_dict(self, state: Any, strict: bool = True) -> Any:
        """Copies tensors or arrays into those of `state_dict()`. KeyError for names that it lacks or that are missing,
        if `strict`."""
        from .nn.weights import as_tensor

        own = self.state_dict()
        unknown, missing = sorted(set(state) - set(own)), sorted(set(own) - set(state))
        if strict and (unknown or missing):
            raise KeyError(f"state does not fit: unknown {unknown}, missing {missing}")
        for name, target in own.items():
            if name in state:
                target[...] = as_tensor(state[name])

    def _root(self) -> LoadedObject | None:
        place = convert.Buffer(1)
        if lib.tsm_instance_root(self.instance.handle, place.values):
            return None
        root = LoadedObject(self.instance, place.words[1], "")
        lib.tsm_release(place.values[0])
        return root

    def train(self: M, mode: bool = True) -> M:
        """Sets `training` of the module and of those below it, where the program has it."""
        _set_training(LoadedModule._root(self), bool(mode))
        return self

    def eval(self: M) -> M:
        return LoadedModule.train(self, False)

    def to(self: M, device: Any) -> M:
        """The module: everything is on the CPU. RuntimeError for another device."""
        check_place(device)
        return self

    def cpu(self: M) -> M:
        return self

    def clone(self) -> LoadedModule:
        """A second module with a copy of this one's state."""
        made = over_program(self.program, self._classes.values(), self.instance.clone())
        object.__setattr__(made, "_source", self.__dict__.get("_source"))
        return made

    def reset(self) -> None:
        """Back to the state in the file."""
        self.instance.reset()

    def seed(self, seed: int) -> None:
        """Gives the module a random stream of its own, which begins at the seed. Clones go on where it stands."""
        self.instance.seed(seed)

    def set_fuel(self, fuel: int) -> None:
        """Limits each later call; 0 is no limit. A unit is at most 100 ns of a thread's time, whatever the operands: an
        instruction, or some elements of a tensor or container. FuelError when it is used up."""
        self.instance.set_fuel(fuel)

    def cancel(self) -> None:
        """Stops the running call soon, from any thread. Ctrl-C in Python's main thread does so too, and raises
        KeyboardInterrupt there. State and arguments keep what the call had written by then; a list that was being
        sorted by a key may be empty."""
        self.instance.cancel()

    # ---- what the file says

    @property
    def metadata(self) -> dict[str, str]:
        return self.program.metadata

    @property
    def extra_files(self) -> dict[str, bytes]:
        return self.program.extra_files

    def save(
        self,
        target: str | os.PathLike[str] | IO[bytes],
        *,
        extra_files: Mapping[str, bytes] | None = None,
        metadata: Mapping[str, str] | None = None,
        _extra_files: Mapping[str, bytes | str] | None = None,
    ) -> None:
        """Writes a .tsm file with the present state; `_extra_files` is torch.jit's name of `extra_files`, which takes
        text too. A failed write leaves an older file as it was. OSError."""
        from .serialize.storage import write_file

        files = {name: data.encode() if isinstance(data, str) else bytes(data)
                 for name, data in {**(extra_files or {}), **(_extra_files or {})}.items()}
        if not files and not metadata:
            write_file(target, self.instance.save)
            return
        from . import serialize

        program = serialize.loads(LoadedModule.to_bytes(self))
        program.extra_files.update(files)
        program.metadata.update(metadata or {})
        write_file(target, serialize.dumps(program))

    def present_program(self) -> Any:
        """The program as IR, with the present state: what other programs take over."""
        from . import serialize

        program = serialize.loads(LoadedModule.to_bytes(self))
        program.hosts, program.classes = dict(self.program.hosts.functions), dict(self._classes)
        program.exceptions = dict(self.program.exceptions)
        return program

    def save_to_buffer(self, _extra_files: Mapping[str, bytes | str] | None = None) -> bytes:
        """torch.jit's name of `to_bytes`."""
        buffer = io.BytesIO()
        LoadedModule.save(self, buffer, _extra_files=_extra_files)
        return buffer.getvalue()

    def to_bytes(self) -> bytes:
        """The bytes of a .tsm file with the present state."""
        buffer = io.BytesIO()
        self.instance.save(buffer.write)
        return buffer.getvalue()

    def __dir__(self) -> list[str]:
        root = self._root()
        return sorted({*object.__dir__(self), *self.methods, *(dir(root) if root is not None else ())})

    def __repr__(self) -> str:
        methods = "\n".join(f"  {info.name}{signature_text(info)}" for info in self.program.methods)
        return f"<tsm program\n{methods}\n>" if methods else "<tsm program without methods>"


def _name_of(python: type) -> str:
    """The name of a class's type in a program: named tuples and enums have no module there."""
    if issubclass(python, tuple):
        return python.__name__
    return python.__qualname__ if issubclass(python, enum.Enum) else f"{python.__module__}.{python.__qualname__}"


def _set_training(module: Any, mode: bool) -> None:
    names = dir(module) if isinstance(module, LoadedObject) else []
    if "training" in names:
        module.training = mode
        for name in names:
            _set_training(getattr(module, name, None), mode)


def _tensors(item: Any, path: str, above: tuple[int, ...] = ()) -> Iterator[tuple[str, Tensor]]:
    """Tensors below an attribute, by path. Objects that contain themselves are not followed round."""
    if isinstance(item, Tensor):
        yield path, item
    elif isinstance(item, LoadedObject) and item._tsm_address not in above:
        for name in dir(item):
            try:
                inner = getattr(item, name)
            except AttributeError:
                continue
            if name.startswith("_") and isinstance(inner, (list, tuple)):
                continue  # what a layer keeps for itself of tensors that have names
            yield from _tensors(inner, f"{path}.{name}" if path else name, (*above, item._tsm_address))
    elif isinstance(item, (list, tuple)):
        for index, inner in enumerate(item):
            yield from _tensors(inner, f"{path}.{index}", above)
