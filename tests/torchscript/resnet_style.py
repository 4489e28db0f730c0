"""Blocks in the style of vision models: string modes, Optional downsample, adaptive pooling, dropout."""
from typing import Callable, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


def conv3x3(a: int, b: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(a, b, kernel_size=3, stride=stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    expansion: int = 1

    def __init__(self, a: int, b: int, stride: int = 1, downsample: Optional[nn.Module] = None,
                 norm_layer: Optional[Callable[..., nn.Module]] = None) -> None:
        super().__init__()
        if norm_layer is None:
            norm_layer = nn.BatchNorm2d
        self.conv1 = conv3x3(a, b, stride)
        self.bn1 = norm_layer(b)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(b, b)
        self.bn2 = norm_layer(b)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Tensor) -> Tensor:
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class Net(nn.Module):
    def __init__(self, mode: str):
        super().__init__()
        self.stem = nn.Sequential(conv3x3(1, 2), nn.BatchNorm2d(2), nn.ReLU(inplace=True), nn.MaxPool2d(2))
        down = nn.Sequential(nn.Conv2d(2, 4, 1, stride=2, bias=False), nn.BatchNorm2d(4))
        self.layer = nn.Sequential(BasicBlock(2, 4, 2, down), BasicBlock(4, 4))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(4 * BasicBlock.expansion, 3)
        self.mode = mode
        for i, p in enumerate(self.parameters()):
            with torch.no_grad():
                p.copy_((((torch.arange(p.numel()) * (i + 3)) % 13).float() / 13 - 0.4).reshape(p.shape))

    def _forward_impl(self, x: Tensor) -> Tensor:
        x = self.layer(self.stem(x))
        x = self.avgpool(x)
        x = torch.flatten(x, 1)
        return self.fc(x)

    def forward(self, x: Tensor) -> Tensor:
        x = self._forward_impl(x)
        if self.mode == "prob":
            return F.softmax(x, dim=1)
        elif self.mode == "log":
            return F.log_softmax(x, dim=1)
        else:
            raise ValueError("unknown mode {}".format(self.mode))


def main():
    x = (torch.arange(2 * 64) % 17).reshape(2, 1, 8, 8).float() / 17
    out = [torch.jit.script(Net(mode).eval())(x).tolist() for mode in ("prob", "log")]
    try:
        torch.jit.script(Net("odd").eval())(x)
    except Exception as error:
        out.append("unknown mode odd" in str(error))
    return out
