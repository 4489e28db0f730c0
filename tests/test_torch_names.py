"""The import wall: what libraries written for PyTorch import, set and ask for at the top of their files.

In: statements under `import tsm as torch`. Out: what each must do: hold, or raise a class with a text that says what to
do instead.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest

import tsm

HOLDS = """
torch.device("cuda").type == "cuda" and torch.device("cuda", 0) == torch.device("cuda:0") != torch.device("cuda")
str(torch.device("cuda:1")) == "cuda:1" and repr(torch.device("cuda", 1)) == "device(type='cuda', index=1)"
torch.device("meta").index is None and torch.device(torch.device("cpu")) == torch.device("cpu")
{torch.device("mps"): 1}[torch.device("mps")] == 1
copy.deepcopy(pickle.loads(pickle.dumps(torch.device("cuda", 2)))) == torch.device("cuda", 2)
torch.get_default_device() == torch.device("cpu") and torch.set_default_device("cpu") is None
isinstance(torch.ones(2), torch.FloatTensor) and not isinstance(torch.ones(2), torch.LongTensor)
isinstance(torch.ones(2).long(), (torch.LongTensor, torch.cuda.LongTensor))
torch.FloatTensor(3, 4).shape == (3, 4) and torch.LongTensor([1, 2]).tolist() == [1, 2]
typing.get_args(torch.FloatTensor | None) == (torch.FloatTensor, type(None))
typing.get_args(Optional[torch.LongTensor]) == (torch.LongTensor, type(None))
torch.ones(2).type() == "torch.FloatTensor" and torch.ones(2).type("torch.DoubleTensor").dtype is torch.float64
torch.ones(2).type(torch.LongTensor).dtype is torch.int64
torch.no_grad(lambda: 3)() == 3 and torch.no_grad()(lambda: 3)() == 3 and torch.inference_mode(lambda x: x)(4) == 4
torch.is_grad_enabled() is False and torch.is_inference_mode_enabled() is False
torch.get_default_dtype() is torch.float32 and torch.set_default_dtype(torch.float32) is None
torch.version.cuda is None and torch.version.hip is None and isinstance(torch.version(), str)
torch.torch_version.__version__ >= "2.1" and torch.torch_version.TorchVersion("2.10.1") > (2, 9)
torch.torch_version.__version__ < "3" and str(torch.torch_version.__version__).split(".")[0] == "2"
torch.autograd.Variable(torch.ones(2)).tolist() == [1, 1] and isinstance(torch.ones(2), torch.autograd.Variable)
type("F", (torch.autograd.Function,), {"forward": staticmethod(lambda ctx, x: x + 1)}).apply(2) == 3
setattr(torch.backends.cudnn, "benchmark", True) or torch.backends.cudnn.benchmark is True
torch.backends.cuda.matmul.allow_tf32 is False and torch.backends.mps.is_available() is False
torch.backends.cudnn.is_available() is False and torch.backends.mkl.is_available() is False
torch.are_deterministic_algorithms_enabled() is False
torch.use_deterministic_algorithms(True) or torch.are_deterministic_algorithms_enabled()
torch.use_deterministic_algorithms(False) or not torch.are_deterministic_algorithms_enabled()
torch.set_float32_matmul_precision("high") or torch.get_float32_matmul_precision() == "high"
torch.finfo(torch.float16).max == 65504.0 and torch.finfo(torch.complex64).bits == 32
torch.finfo(torch.float8_e4m3fn).max == 448.0 and torch.iinfo(torch.uint64).max == 2**64 - 1
torch.float8_e5m2.is_floating_point and torch.float8_e5m2.itemsize == 1 and torch.complex32.is_complex
torch.ones(2).pin_memory().tolist() == [1, 1] and torch.zeros(2, pin_memory=True).sum() == 0
torch._shape_as_tensor(torch.ones(2, 3)).tolist() == [2, 3]
torch.nn.attention.SDPBackend.MATH == 0 and torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH)
torch.utils.checkpoint.checkpoint(lambda x: x + 1, 2, use_reentrant=False) == 3
torch.distributed.is_available() is False and torch.distributed.is_initialized() is False
issubclass(type("D", (torch.utils.data.Dataset[int],), {"x": 3}), torch.utils.data.Dataset)
not isinstance(torch.ones(2), (torch.SymInt, torch.nn.SyncBatchNorm, torch.nn.LazyLinear, torch.ScriptObject))
torch.library.custom_op("a::b", mutates_args=())(lambda x: x + 1)(2) == 3
torch.fx.wrap(len) is len and torch.compiler.disable(len) is len and torch.jit.export(f) is f is torch.export(f)
torch.jit.export is not torch.export and callable(torch.export) and torch.export.ExportedProgram is not None
torch.ops.load_library is not None and "USE_CUDA=OFF" in torch.__config__.show()
torch.functional.einsum is torch.einsum
torch.ones(2).grad is None and torch.ones(2).grad_fn is None and torch.ones(2).is_leaf
torch.nn.Parameter(torch.ones(2)).requires_grad and torch.nn.Parameter(torch.ones(2), requires_grad=False) is not None
torch.amp.custom_fwd(len, device_type="cuda") is not None and torch.autocast("cuda", enabled=False)(len) is len
"""

RAISES: list[tuple[str, type[BaseException], str]] = [
    ("torch.zeros(2, device='cuda')", RuntimeError, "lie on the CPU; there is no device 'cuda'"),
    ("torch.zeros(2, device=torch.device('meta'))", RuntimeError, "no device 'meta'"),
    ("torch.ones(2).to('cuda:1')", RuntimeError, "no device 'cuda:1'"),
    ("torch.ones(2).cuda()", RuntimeError, "no device 'cuda'"),
    ("torch.nn.Linear(2, 2, device='cuda')", RuntimeError, "no device 'cuda'"),
    ("torch.nn.Linear(2, 2).cuda()", RuntimeError, "no device 'cuda'"),
    ("torch.device('meta').__enter__()", RuntimeError, "no device 'meta'"),
    ("torch.set_default_device('cuda')", RuntimeError, "no device 'cuda'"),
    ("torch.device('tpu')", RuntimeError, "no kind of device 'tpu'"),
    ("torch.device('cuda:x')", RuntimeError, "named as 'cuda' or 'cuda:0'"),
    ("torch.set_default_dtype(torch.float64)", NotImplementedError, "the default dtype is float32"),
    ("torch.set_default_dtype(torch.int64)", TypeError, "floating-point"),
    ("torch.zeros(2, requires_grad=True)", tsm.GradientError, "does not compute gradients"),
    ("torch.ones(2).backward()", tsm.GradientError, "does not compute gradients"),
    ("torch.optim.Adam([])", NotImplementedError, "tsm has no optim.Adam: gradients"),
    ("type('D', (torch.utils.data.Dataset,), {})()", NotImplementedError, "no utils.data.Dataset: iterate in Python"),
    ("torch.stft", AttributeError, "no attribute 'stft': tensors have no complex dtypes"),
    ("torch.nn.functional.upsample", AttributeError, "no attribute 'upsample': write interpolate"),
    ("torch.linalg.eig", AttributeError, "no attribute 'eig'"),
    ("torch.distributed.nothing", AttributeError, "no attribute 'nothing': programs run in one process"),
    ("exec('from tsm import stft')", ImportError, "'stft' from 'tsm': tensors have no complex dtypes"),
    ("exec('from tsm.nn.functional import upsample')", ImportError, "write interpolate"),
    ("exec('import tsm.nothing')", ModuleNotFoundError, "tsm.nothing"),
    ("torch.ops.load_library('x.so')", OSError, "do not run here"),
    ("torch.nn.functional.nothing", AttributeError, "no attribute 'nothing'"),
]


@pytest.mark.parametrize("text", HOLDS.strip().split("\n"))
def test_names_at_import_hold(text: str) -> None:
    import copy
    import pickle
    import typing

    names = {"torch": tsm, "copy": copy, "pickle": pickle, "typing": typing, "Optional": Optional}
    exec("def f(): ...", names)
    assert eval(text, names), text


@pytest.mark.parametrize("text,kind,said", RAISES)
def test_what_is_absent_says_what_to_do(text: str, kind: type[BaseException], said: str) -> None:
    with pytest.raises(kind) as caught:
        eval(text, {"torch": tsm})
    assert said in str(caught.value)


def test_missing_names_say_so_in_scripts() -> None:
    def spectrum(x: tsm.Tensor) -> tsm.Tensor:
        return tsm.stft(x, 4)

    with pytest.raises(tsm.CompileError, match="hint: tensors have no complex dtypes"):
        tsm.script(spectrum)


def test_devices_are_default_arguments_of_scripts_that_do_not_use_them() -> None:
    class Holder(tsm.nn.Module):
        def __init__(self, device: Any = tsm.device("cuda")) -> None:
            super().__init__()
            self.place = device

        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            return x + 1

    assert tsm.script(Holder())(tsm.ones(1)).tolist() == [2.0]

    class User(Holder):
        def forward(self, x: tsm.Tensor) -> tsm.Tensor:
            return x.to(self.place)

    with pytest.raises(tsm.CompileError, match="there is no device 'cuda'"):
        tsm.script(User())


def test_tensor_types_annotate_and_make_in_scripts() -> None:
    def made(x: tsm.FloatTensor, y: Optional[tsm.LongTensor] = None) -> tsm.Tensor:
        return x + tsm.FloatTensor([1.0, 2.0])

    assert tsm.script(made)(tsm.ones(2)).tolist() == [2.0, 3.0]


def test_settings_are_read_in_scripts() -> None:
    def settings(x: tsm.Tensor) -> tuple[bool, bool, int]:
        return tsm.is_grad_enabled(), x.dtype == tsm.get_default_dtype(), tsm.finfo(tsm.float8_e5m2).bits

    assert tsm.script(settings)(tsm.ones(1)) == settings(tsm.ones(1)) == (False, True, 8)


def test_computed_weights_in_parametrizations_are_pytorchs() -> None:
    layer = tsm.nn.utils.parametrizations.weight_norm(tsm.nn.Linear(3, 2), dim=0)
    originals = [f"parametrizations.weight.original{i}" for i in (0, 1)]
    assert sorted(layer.state_dict()) == ["bias", *originals]
    x, weight = tsm.randn(4, 3), layer.weight.clone()
    before = layer(x)
    scripted = tsm.script(layer)
    np.testing.assert_allclose(scripted(x).numpy(), before.numpy(), rtol=1e-6)
    layer.parametrizations.weight.original0.data.mul_(2.0)
    twice = (x @ weight.t()).numpy() * 2
    np.testing.assert_allclose(layer(x).numpy() - layer.bias.numpy(), twice, rtol=1e-5, atol=1e-6)
    assert tsm.nn.utils.parametrize.is_parametrized(layer, "weight")
    tsm.nn.utils.parametrize.remove_parametrizations(layer, "weight")
    assert sorted(layer.state_dict()) == ["bias", "weight"]


LIBRARY = """
import torch_names
torch_names.install()
import torch, torch.nn as nn, torch.nn.functional as F, torch.utils.data, torch.distributed as dist
import torch.utils.checkpoint, torch.backends.cudnn as cudnn, torch.multiprocessing
from torch import FloatTensor, Tensor, fx, optim
from torch.autograd import Function, Variable
from torch.autograd.function import once_differentiable
from torch.cuda.amp import GradScaler, autocast
from torch.distributions import Normal
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.module import _IncompatibleKeys
from torch.nn.parallel import DistributedDataParallel
from torch.optim.lr_scheduler import LambdaLR
from torch.utils._pytree import register_pytree_node
from torch.utils.data import DataLoader, Dataset, IterableDataset
import tsm
assert torch is tsm and nn is tsm.nn and F is tsm.nn.functional and tsm.nn.__name__ == "tsm.nn"
class Numbers(Dataset): pass
class Scale(Function):
    @staticmethod
    @once_differentiable
    def backward(ctx, x): return x
@torch.no_grad
def f(x: FloatTensor | None = None, device=torch.device("cuda"), op=dist.ReduceOp.SUM): return x
print(tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 1), f(3))
"""


def test_a_library_imports() -> None:
    done = subprocess.run([sys.executable, "-c", LIBRARY], capture_output=True, text=True, cwd=Path(__file__).parent)
    assert done.stdout == "True 3\n", done.stderr
