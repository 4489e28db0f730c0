"""A detector of objects in YOLOv8n's shape: SiLU convolutions, split-and-concat blocks, a pyramid with upsampling."""

from __future__ import annotations

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F


class Unit(nn.Module):
    """Convolution, batch norm, SiLU."""

    def __init__(self, channels_in: int, channels: int, size: int, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels, size, stride=stride, padding=size // 2, bias=False)
        self.bn = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return F.silu(self.bn(self.conv(x)))


class Bottleneck(nn.Module):
    """Two 3x3 units, with a shortcut in the backbone."""

    def __init__(self, channels: int, is_residual: bool) -> None:
        super().__init__()
        self.first = Unit(channels, channels, 3)
        self.second = Unit(channels, channels, 3)
        self.is_residual = is_residual

    def forward(self, x: Tensor) -> Tensor:
        y = self.second(self.first(x))
        return x + y if self.is_residual else y


class Split(nn.Module):
    """Half of the channels pass through bottlenecks; everything on the way is concatenated."""

    def __init__(self, channels_in: int, channels: int, depth: int, is_residual: bool) -> None:
        super().__init__()
        self.entry = Unit(channels_in, channels, 1)
        self.steps = nn.ModuleList([Bottleneck(channels // 2, is_residual) for _ in range(depth)])
        self.exit = Unit((2 + depth) * channels // 2, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        left, right = self.entry(x).chunk(2, 1)
        parts = [left, right]
        for step in self.steps:
            right = step(right)
            parts.append(right)
        return self.exit(tsm.cat(parts, 1))


class Pyramid(nn.Module):
    """Max pools of growing reach, concatenated."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.entry = Unit(channels, channels // 2, 1)
        self.exit = Unit(2 * channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.entry(x)
        once = F.max_pool2d(x, 5, stride=1, padding=2)
        twice = F.max_pool2d(once, 5, stride=1, padding=2)
        return self.exit(tsm.cat([x, once, twice, F.max_pool2d(twice, 5, stride=1, padding=2)], 1))


class Head(nn.Module):
    """One scale: (n, c, h, w) to boxes (n, 4, h * w) in pixels and class probabilities (n, 80, h * w)."""

    def __init__(self, channels: int, stride: int) -> None:
        super().__init__()
        self.boxes = nn.Sequential(Unit(channels, 64, 3), Unit(64, 64, 3), nn.Conv2d(64, 64, 1))
        self.classes = nn.Sequential(Unit(channels, 80, 3), Unit(80, 80, 3), nn.Conv2d(80, 80, 1))
        self.stride = stride

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        n, h, w = x.size(0), x.size(2), x.size(3)
        bins = self.boxes(x).reshape(n, 4, 16, h * w).softmax(2)
        sides = (bins * tsm.arange(16).float().reshape(1, 1, 16, 1)).sum(2)
        across = (tsm.arange(w).float() + 0.5).reshape(1, w).expand(h, w)
        down = (tsm.arange(h).float() + 0.5).reshape(h, 1).expand(h, w)
        centres = tsm.stack([across, down]).reshape(1, 2, h * w)
        near, far = centres - sides[:, :2], centres + sides[:, 2:]
        boxes = tsm.cat([(near + far) * 0.5, far - near], 1) * self.stride
        return boxes, tsm.sigmoid(self.classes(x).reshape(n, 80, h * w))


class Detector(nn.Module):
    """(n, 3, h, w), h and w multiples of 32, to (n, 84, anchors): centre, extent and 80 probabilities of each."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(Unit(3, 16, 3, 2), Unit(16, 32, 3, 2), Split(32, 32, 1, True))
        self.fine = nn.Sequential(Unit(32, 64, 3, 2), Split(64, 64, 2, True))
        self.middle = nn.Sequential(Unit(64, 128, 3, 2), Split(128, 128, 2, True))
        self.coarse = nn.Sequential(Unit(128, 256, 3, 2), Split(256, 256, 1, True), Pyramid(256))
        self.up = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.rise_middle = Split(384, 128, 1, False)
        self.rise_fine = Split(192, 64, 1, False)
        self.fall_fine = Unit(64, 64, 3, 2)
        self.fall_middle = Split(192, 128, 1, False)
        self.fall_coarse = Unit(128, 128, 3, 2)
        self.last = Split(384, 256, 1, False)
        self.heads = nn.ModuleList([Head(64, 8), Head(128, 16), Head(256, 32)])

    def forward(self, x: Tensor) -> Tensor:
        fine = self.fine(self.stem(x))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        rising = self.rise_middle(tsm.cat([self.up(coarse), middle], 1))
        fine = self.rise_fine(tsm.cat([self.up(rising), fine], 1))
        middle = self.fall_middle(tsm.cat([self.fall_fine(fine), rising], 1))
        coarse = self.last(tsm.cat([self.fall_coarse(middle), coarse], 1))
        scales = [fine, middle, coarse]
        boxes: list[Tensor] = []
        classes: list[Tensor] = []
        for i, head in enumerate(self.heads):
            box, probability = head(scales[i])
            boxes.append(box)
            classes.append(probability)
        return tsm.cat([tsm.cat(boxes, 2), tsm.cat(classes, 2)], 1)
