"""Code that stays in Python: unused, ignore, is_scripting."""
import torch
import torch.nn as nn


class Checked(nn.Module):
    def __init__(self, check: bool):
        super().__init__()
        self.check = check
        self.calls = 0

    @torch.jit.ignore
    def log(self, x):
        import logging
        logging.getLogger(__name__).debug("%s", x.shape)

    @torch.jit.unused
    def training_step(self, x):
        return {"loss": self.not_there(x), "items": [v for v in map(str, x)]}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not torch.jit.is_scripting():
            self.log(x)
        if self.training:
            return self.training_step(x)
        self.calls += 1
        return x * self.calls


@torch.jit.script
def both(x: torch.Tensor) -> int:
    if torch.jit.is_scripting():
        return 1
    else:
        return undefined_name(x)  # noqa: F821


def main():
    m = Checked(True)
    m.eval()
    s = torch.jit.script(m)
    out = [s(torch.ones(2)).tolist(), s(torch.ones(2)).tolist(), both(torch.ones(1))]
    m.train()
    t = torch.jit.script(m)
    try:
        t(torch.ones(2))
        out.append("returned")
    except Exception:
        out.append("raised")
    return out
