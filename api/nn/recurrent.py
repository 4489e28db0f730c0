"""Recurrent layers: cells of one step, and RNN, LSTM, GRU over sequences. Parameters and gate order as PyTorch's."""

from __future__ import annotations

import math
from typing import Any

from ..binding import functions
from ..binding.tensor import Tensor
from ..marks import script_if_tracing
from ..modes import is_tracing
from ..written.dims import whole
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter
from .utils.rnn import PackedSequence, is_going_on, padded

_tsm = functions.namespace("tsm.")
_empty, _zeros, _stack, _cat, _where = _tsm["empty"], _tsm["zeros"], _tsm["stack"], _tsm["cat"], _tsm["where"]


def _rnn_step(gates_x: Tensor, gates_h: Tensor, is_relu: bool) -> Tensor:
    gates = gates_x + gates_h
    return F.relu(gates) if is_relu else gates.tanh()


def _lstm_step(gates_x: Tensor, gates_h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """Gates in the order input, forget, cell, output, each of c's width."""
    i, f, g, o = (gates_x + gates_h).chunk(4, -1)
    c_next = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c_next.tanh(), c_next


def _gru_step(gates_x: Tensor, gates_h: Tensor, h: Tensor) -> Tensor:
    """Gates in the order reset, update, new."""
    r_x, z_x, n_x = gates_x.chunk(3, -1)
    r_h, z_h, n_h = gates_h.chunk(3, -1)
    z = (z_x + z_h).sigmoid()
    n = (n_x + (r_x + r_h).sigmoid() * n_h).tanh()
    return n + z * (h - n)


class _Cell(Module):
    """Weights of one step: as many matrices for input and for hidden state as there are gates, stacked."""

    gates = 1
    input_size: int
    hidden_size: int

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = self.gates * hidden_size
        self.weight_ih = Parameter(_empty((rows, input_size)))
        self.weight_hh = Parameter(_empty((rows, hidden_size)))
        self.register_parameter("bias_ih", Parameter(_empty((rows,))) if bias else None)
        self.register_parameter("bias_hh", Parameter(_empty((rows,))) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform in +-1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0.0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _start(self, input: Tensor) -> Tensor:
        """Zeros for a hidden state that is not given."""
        shape = [self.hidden_size] if input.dim() == 1 else [input.size(0), self.hidden_size]
        return _zeros(shape, dtype=input.dtype)

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else f", bias={self.bias}")


class RNNCell(_Cell):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh): (N, input_size) and (N, hidden_size), or without N. `nonlinearity` is
    "tanh" or "relu"."""

    nonlinearity: str

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh") -> None:
        super().__init__(input_size, hidden_size, bias)
        if nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {nonlinearity}")
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        h = self._start(input) if hx is None else hx
        return _rnn_step(
            F.linear(input, self.weight_ih, self.bias_ih), F.linear(h, self.weight_hh, self.bias_hh),
            self.nonlinearity == "relu",
        )

    def extra_repr(self) -> str:
        kind = "" if self.nonlinearity == "tanh" else f", nonlinearity={self.nonlinearity}"
        return super().extra_repr() + kind


class LSTMCell(_Cell):
    """One step of an LSTM: input (N, input_size) and (h, c), each (N, hidden_size), to the next (h, c). N may lack."""

    gates = 4

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        if hx is None:
            h = self._start(input)
            c = h
        else:
            h, c = hx
        return _lstm_step(
            F.linear(input, self.weight_ih, self.bias_ih), F.linear(h, self.weight_hh, self.bias_hh), c
        )


class GRUCell(_Cell):
    """One step of a GRU: input (N, input_size) and h (N, hidden_size) to the next h; or without N."""

    gates = 3

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        h = self._start(input) if hx is None else hx
        return _gru_step(
            F.linear(input, self.weight_ih, self.bias_ih), F.linear(h, self.weight_hh, self.bias_hh), h
        )


@script_if_tracing
def _walk(
    gates: Tensor, h: Tensor, c: Tensor, w_hh: Tensor, b_hh: Tensor, cell: str, is_reverse: bool,
    is_alive: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """One layer in one direction, as a trace keeps it: for sequences of any length."""
    steps: list[Tensor] = []
    length = gates.size(0)
    for step in range(length):
        t = length - 1 - step if is_reverse else step
        before, c_before, gates_h = h, c, F.linear(h, w_hh, b_hh)
        if cell == "lstm":
            h, c = _lstm_step(gates[t], gates_h, c)
        elif cell == "gru":
            h = _gru_step(gates[t], gates_h, h)
        else:
            h = _rnn_step(gates[t], gates_h, cell == "relu")
        if is_alive is not None:
            here = is_alive[t].unsqueeze(1)
            h, c = _where(here, h, before), _where(here, c, c_before)
        steps.append(h)
    if is_reverse:
        steps.reverse()
    return _stack(steps), h, c


class _Recurrent(Module):
    """What RNN, LSTM and GRU have in common: weights by layer and direction, and the walk over them.

    Parameters are named as PyTorch's (weight_ih_l0, bias_hh_l1_reverse); `_flat_weights` lists the same tensors, four
    to a layer and direction, zeros for a bias that is not there.
    """

    gates = 1
    input_size: int
    hidden_size: int
    num_layers: int
    batch_first: bool
    dropout: float
    bidirectional: bool
    _flat_weights: list[Tensor]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
    ) -> None:
        super().__init__()
        if hidden_size <= 0 or num_layers <= 0:
            raise ValueError("hidden_size and num_layers must be greater than zero")
        if not 0 <= dropout <= 1:
            raise ValueError(f"dropout should be a probability, a number in range [0, 1], not {dropout}")
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = dropout
        self.bidirectional = bidirectional
        self._flat_weights = []
        names: list[str] = []
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[: 2 if bidirectional else 1]:
                self._add_weights(layer, f"_l{layer}{suffix}")
                names += [f"{kind}_l{layer}{suffix}" for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        self._flat_names = names
        self.reset_parameters()

    def _add_weights(self, layer: int, suffix: str) -> None:
        rows = self.gates * self.hidden_size
        width = self.input_size if layer == 0 else self.hidden_size * (2 if self.bidirectional else 1)
        for name, shape in (
            ("weight_ih", (rows, width)),
            ("weight_hh", (rows, self.hidden_size)),
            ("bias_ih", (rows,)),
            ("bias_hh", (rows,)),
        ):
            weight = _zeros(shape)
            if self.bias or not name.startswith("bias"):
                weight = Parameter(weight)
                self.register_parameter(name + suffix, weight)
            self._flat_weights.append(weight)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, Tensor) and name.startswith(("weight_", "bias_")) and "_flat_names" in self.__dict__:
            self._flat_weights[self._flat_names.index(name)] = value

    def reset_parameters(self) -> None:
        """Uniform in +-1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Nothing: PyTorch's hint for GPUs."""

    def _zero_state(self, x: Tensor) -> Tensor:
        return self._zeros_for(x.size(1), x)

    def _zeros_for(self, batch: int, x: Tensor) -> Tensor:
        count = self.num_layers * (2 if self.bidirectional else 1)
        return _zeros([count, batch, self.hidden_size], dtype=x.dtype)

    def _check(self, x: Tensor, h: Tensor, what: str) -> None:
        """RuntimeError if the input (L, N, input_size) or a state (num_layers * directions, N, hidden_size) does not
        fit."""
        if x.size(2) != self.input_size:
            sizes = f"Expected {self.input_size}, got {x.size(2)}"
            raise RuntimeError("input.size(-1) must be equal to input_size. " + sizes)
        wanted = (self.num_layers * (2 if self.bidirectional else 1), x.size(1), self.hidden_size)
        if h.shape != wanted:
            raise RuntimeError(f"Expected {what} size {wanted}, got {list(h.shape)}")

    def _step(self, gates_x: Tensor, gates_h: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        raise NotImplementedError

    def _cell_name(self) -> str:
        """What a step is called where its kind is chosen at run time."""
        raise NotImplementedError

    def _sweep(self, x: Tensor, h0: Tensor, c0: Tensor, is_alive) -> tuple[Tensor, Tensor, Tensor]:
        """x (L, N, width): the outputs of the last layer, and the last h and c of every layer and direction. `is_alive`
        (L, N) is given for sequences that end at different steps, whose states then stay as they were."""
        directions = 2 if self.bidirectional else 1
        hs: list[Tensor] = []
        cs: list[Tensor] = []
        for layer in range(self.num_layers):
            ways: list[Tensor] = []
            for direction in range(directions):
                at = layer * directions + direction
                w_hh, b_hh = self._flat_weights[4 * at + 1], self._flat_weights[4 * at + 3]
                gates = F.linear(x, self._flat_weights[4 * at], self._flat_weights[4 * at + 2])
                h, c = h0[at], c0[at]
                steps: list[Tensor] = []
                length = x.size(0)
                if is_tracing():
                    way, h, c = _walk(gates, h, c, w_hh, b_hh, self._cell_name(), direction == 1, is_alive)
                    ways.append(way)
                    hs.append(h)
                    cs.append(c)
                    continue
                for step in range(length):
                    t = length - 1 - step if direction == 1 else step
                    h_next, c_next = self._step(gates[t], F.linear(h, w_hh, b_hh), h, c)
                    if is_alive is not None:
                        here = is_alive[t].unsqueeze(1)
                        h_next, c_next = _where(here, h_next, h), _where(here, c_next, c)
                    h, c = h_next, c_next
                    steps.append(h)
                if direction == 1:
                    steps.reverse()
                ways.append(_stack(steps))
                hs.append(h)
                cs.append(c)
            x = ways[0] if directions == 1 else _cat(ways, -1)
            if self.dropout > 0.0 and layer + 1 < self.num_layers:
                x = F.dropout(x, self.dropout, self.training)
        return x, _stack(hs), _stack(cs)

    def _sweep_packed(self, packed: PackedSequence, h0: Tensor, c0: Tensor) -> tuple[PackedSequence, Tensor, Tensor]:
        """As `_sweep`, of sequences that end at different steps; states in the order of the sequences."""
        order = packed.sorted_indices
        if order is not None:
            h0, c0 = h0.index_select(1, order), c0.index_select(1, order)
        is_alive = is_going_on(packed.batch_sizes)
        x, h, c = self._sweep(padded(packed, 0.0, is_alive.size(0)), h0, c0, is_alive)
        back = packed.unsorted_indices
        made = PackedSequence(x[is_alive], packed.batch_sizes, order, back)
        if back is None:
            return made, h, c
        return made, h.index_select(1, back), c.index_select(1, back)

    def _arranged(self, input: Tensor) -> Tensor:
        """As (L, N, input_size)."""
        if input.dim() == 2:
            return input.unsqueeze(1)
        if input.dim() != 3:
            raise ValueError("expected input to be 2D or 3D, got " + str(input.dim()) + "D tensor")
        return input.transpose(0, 1) if self.batch_first else input

    def _restored(self, x: Tensor, input: Tensor) -> Tensor:
        """(L, N, width) in the layout of the input."""
        if input.dim() == 2:
            return x.squeeze(1)
        return x.transpose(0, 1) if self.batch_first else x

    def extra_repr(self) -> str:
        parts = [f"{self.input_size}, {self.hidden_size}"]
        if self.num_layers != 1:
            parts.append(f"num_layers={self.num_layers}")
        if not self.bias:
            parts.append(f"bias={self.bias}")
        if self.batch_first:
            parts.append(f"batch_first={self.batch_first}")
        if self.dropout != 0:
            parts.append(f"dropout={self.dropout}")
        if self.bidirectional:
            parts.append(f"bidirectional={self.bidirectional}")
        return ", ".join(parts)


class RNN(_Recurrent):
    """An Elman network over a sequence: input (L, N, input_size), (N, L, input_size) with batch_first, or
    (L, input_size), or a PackedSequence, and h_0 (num_layers * directions, N, hidden_size); gives the outputs of the
    last layer and the last h."""

    nonlinearity: str

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
    ) -> None:
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.nonlinearity = nonlinearity

    def _step(self, gates_x: Tensor, gates_h: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        return _rnn_step(gates_x, gates_h, self.nonlinearity == "relu"), c

    def _cell_name(self) -> str:
        return self.nonlinearity

    def forward(self, input, hx: Tensor | None = None):
        if isinstance(input, PackedSequence):
            h0 = self._zeros_for(whole(input.batch_sizes[0]), input.data) if hx is None else hx
            packed, h, _ = self._sweep_packed(input, h0, h0)
            return packed, h
        x = self._arranged(input)
        h0 = self._zero_state(x) if hx is None else hx if input.dim() == 3 else hx.unsqueeze(1)
        self._check(x, h0, "hidden")
        x, h, _ = self._sweep(x, h0, h0, None)
        return self._restored(x, input), h if input.dim() == 3 else h.squeeze(1)


class GRU(_Recurrent):
    """A GRU over a sequence; arguments and results as RNN's."""

    gates = 3

    def _step(self, gates_x: Tensor, gates_h: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        return _gru_step(gates_x, gates_h, h), c

    def _cell_name(self) -> str:
        return "gru"

    def forward(self, input, hx: Tensor | None = None):
        if isinstance(input, PackedSequence):
            h0 = self._zeros_for(whole(input.batch_sizes[0]), input.data) if hx is None else hx
            packed, h, _ = self._sweep_packed(input, h0, h0)
            return packed, h
        x = self._arranged(input)
        h0 = self._zero_state(x) if hx is None else hx if input.dim() == 3 else hx.unsqueeze(1)
        self._check(x, h0, "hidden")
        x, h, _ = self._sweep(x, h0, h0, None)
        return self._restored(x, input), h if input.dim() == 3 else h.squeeze(1)


class LSTM(_Recurrent):
    """An LSTM over a sequence; arguments and results as RNN's, with (h, c) in the place of h. No proj_size."""

    gates = 4

    def _step(self, gates_x: Tensor, gates_h: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        return _lstm_step(gates_x, gates_h, c)

    def _cell_name(self) -> str:
        return "lstm"

    def forward(self, input, hx: tuple[Tensor, Tensor] | None = None):
        if isinstance(input, PackedSequence):
            first = self._zeros_for(whole(input.batch_sizes[0]), input.data)
            h0, c0 = (first, first) if hx is None else hx
            packed, h, c = self._sweep_packed(input, h0, c0)
            return packed, (h, c)
        x = self._arranged(input)
        if hx is None:
            h0 = self._zero_state(x)
            c0 = h0
        elif input.dim() == 3:
            h0, c0 = hx
        else:
            h0, c0 = hx[0].unsqueeze(1), hx[1].unsqueeze(1)
        self._check(x, h0, "hidden[0]")
        self._check(x, c0, "hidden[1]")
        x, h, c = self._sweep(x, h0, c0, None)
        x = self._restored(x, input)
        if input.dim() == 3:
            return x, (h, c)
        return x, (h.squeeze(1), c.squeeze(1))
