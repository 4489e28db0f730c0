"""Cases of tsm/library/windows.py."""

from __future__ import annotations

from .library import case, failing

CASES = [
    *(case(f"torch.{name}_window({length}, periodic={periodic})") for name in ("hann", "hamming", "blackman", "bartlett") for length in (0, 1, 2, 7) for periodic in (True, False)),
    case("torch.hamming_window(6, True, 0.5, 0.4)"), case("torch.hann_window(6, dtype=torch.float64)"), case("torch.blackman_window(5, device='cpu')"), case("torch.bartlett_window(4, dtype=torch.float64)"),
]

FAILURES = [failing("torch.hann_window(-1)", "RuntimeError", "non-negative")]
