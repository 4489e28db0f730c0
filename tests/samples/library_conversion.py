"""Cases of tsm/library/conversion.py."""

from __future__ import annotations

from .library import ALL, FLOATS, NUMBERS, case, cases, failing

CASES = [
    case("torch.as_tensor([1.5, 2.0])"), case("torch.as_tensor([[1, 2], [3, 4]], dtype=torch.float32)"), case("torch.as_tensor(3, dtype=torch.float64, device='cpu')"), case("torch.as_tensor(2.5)"),
    *cases(ALL, "torch.as_tensor(x)", "torch.as_tensor(x, dtype=torch.float64)", "torch.asarray(x)"), case("torch.asarray([1, 2])"), case("torch.is_tensor(x)"), case("torch.is_tensor(3)"),
    case("torch._assert(x.shape[0] == 3, 'rows')"), case("torch._assert_async(x.shape[0] == torch.tensor(3))"),
    case("x if torch.is_autocast_enabled() else -x"), case("torch.full([2], x[0, 0])"), case("torch.full((2, 1), torch.tensor(3))"),
    case("x.is_contiguous(memory_format=torch.contiguous_format)"),
    case("x.reshape(1, 3, 2, -1).contiguous(memory_format=torch.channels_last).is_contiguous()"),
    case("x.reshape(1, 3, 2, -1).clone(memory_format=torch.channels_last).stride()"),
    *cases(NUMBERS, "torch.arange(torch.tensor(3))", "torch.arange(torch.tensor(1), 4, 2)", "torch.arange(1.0, torch.tensor(2.5), dtype=torch.float64)"), *cases(FLOATS, "torch.zeros(2, dtype=torch.get_default_dtype()) + x[0, 0].float()"), case("torch.FloatTensor([1, 2.5])"),
    case("torch.FloatTensor(2, 3).zero_()"), case("torch.DoubleTensor([1, 2])"), case("torch.LongTensor([1, 2])"), case("torch.LongTensor([[1], [2]])"), case("torch.IntTensor([1, 2])"),
    case("torch.ByteTensor([1, 2])"), case("torch.BoolTensor([True, False])"),
]

FAILURES = [
    failing("torch._assert(x.shape[0] == 4, 'four rows')", "AssertionError", "four rows"),
    failing("x.contiguous(memory_format=torch.channels_last)", "RuntimeError", "rank 4"),
    failing("torch._assert_async(x.shape[0] == torch.tensor(4), 'four rows')", "RuntimeError", "four rows"),
]
