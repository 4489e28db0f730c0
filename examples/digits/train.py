"""Trains two classifiers of handwritten digits, puts both into one scripted module, and saves it as digits.tsm.

Stage one is a linear classifier that sees every image; stage two, a network with a hidden layer, only those on which
stage one is unsure. Even-indexed images of scikit-learn's data set train, odd-indexed ones are held back and written,
label first, to digits.bin for the C program.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from tqdm import trange

import tsm
from tsm import Tensor, nn
from tsm.nn import functional as F


class Cascade(nn.Module):
    """Pixels (64,) float32, 0 to 16 -> the digit. `second_stage` counts the images that needed the larger network."""

    def __init__(self, hidden: int, threshold: float) -> None:
        super().__init__()
        self.linear = nn.Linear(64, 10)
        self.network = nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, 10))
        self.threshold = threshold
        self.second_stage = 0

    def forward(self, image: Tensor) -> int:
        pixels = image / 16.0
        scores = F.softmax(self.linear(pixels), dim=0)
        if scores.max() < self.threshold:
            self.second_stage += 1
            scores = self.network(pixels)
        return int(scores.argmax())

    @tsm.export
    def first_stage(self, image: Tensor) -> int:
        """The digit by the linear classifier alone."""
        return int(self.linear(image / 16.0).argmax())


def train(pixels: np.ndarray, labels: np.ndarray, epochs: int) -> Cascade:
    """Fits both stages to pixels (N, 64) in 0..1 and labels (N,)."""
    linear = LogisticRegression(max_iter=1000).fit(pixels, labels)
    network = MLPClassifier((64,), learning_rate_init=2e-3, batch_size=32, random_state=0)
    progress = trange(epochs, desc="training", unit="epoch")
    for _ in progress:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            network.partial_fit(pixels, labels, classes=np.arange(10))
        progress.set_postfix(loss=f"{network.loss_:.4f}")

    cascade = Cascade(hidden=64, threshold=0.8)
    cascade.load_state_dict(
        {
            "linear.weight": linear.coef_.astype(np.float32),
            "linear.bias": linear.intercept_.astype(np.float32),
            "network.0.weight": network.coefs_[0].T.astype(np.float32),
            "network.0.bias": network.intercepts_[0].astype(np.float32),
            "network.2.weight": network.coefs_[1].T.astype(np.float32),
            "network.2.bias": network.intercepts_[1].astype(np.float32),
        }
    )
    return cascade.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--out", type=Path, default=Path("build/digits"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    data = load_digits()
    cascade = train(data.data[::2] / 16.0, data.target[::2], options.epochs)
    scripted = tsm.script(cascade)
    print(scripted.graph)
    scripted.save(options.out / "digits.tsm")

    held_back = np.column_stack([data.target[1::2], data.data[1::2]]).astype(np.uint8)
    held_back.tofile(options.out / "digits.bin")
    print(f"saved {options.out / 'digits.tsm'} and {len(held_back)} held-back images")


if __name__ == "__main__":
    main()
