"""Cases that are known to take more than 1.2 of PyTorch's time, and why."""

SLOW: dict[str, str] = {}
