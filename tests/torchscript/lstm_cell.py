"""A custom LSTM in the style of the fast-RNN examples, with a stack of layers and a tuple state."""
from typing import List, Tuple

import torch
import torch.nn as nn
from torch import Tensor
from torch.nn import Parameter


class LSTMCell(torch.jit.ScriptModule):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.weight_ih = Parameter(torch.full((4 * hidden_size, input_size), 0.1))
        self.weight_hh = Parameter(torch.full((4 * hidden_size, hidden_size), -0.05))
        self.bias = Parameter(torch.linspace(-1, 1, 4 * hidden_size))

    @torch.jit.script_method
    def forward(self, input: Tensor, state: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        hx, cx = state
        gates = torch.mm(input, self.weight_ih.t()) + torch.mm(hx, self.weight_hh.t()) + self.bias
        ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
        ingate = torch.sigmoid(ingate)
        forgetgate = torch.sigmoid(forgetgate)
        cellgate = torch.tanh(cellgate)
        outgate = torch.sigmoid(outgate)
        cy = (forgetgate * cx) + (ingate * cellgate)
        hy = outgate * torch.tanh(cy)
        return hy, (hy, cy)


class LSTMLayer(torch.jit.ScriptModule):
    def __init__(self, cell, *cell_args):
        super().__init__()
        self.cell = cell(*cell_args)

    @torch.jit.script_method
    def forward(self, input: Tensor, state: Tuple[Tensor, Tensor]) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        inputs = input.unbind(0)
        outputs = torch.jit.annotate(List[Tensor], [])
        for i in range(len(inputs)):
            out, state = self.cell(inputs[i], state)
            outputs += [out]
        return torch.stack(outputs), state


class StackedLSTM(torch.jit.ScriptModule):
    __constants__ = ["layers"]

    def __init__(self, num_layers, sizes):
        super().__init__()
        self.layers = nn.ModuleList([LSTMLayer(LSTMCell, *sizes) for _ in range(num_layers)])

    @torch.jit.script_method
    def forward(
        self, input: Tensor, states: List[Tuple[Tensor, Tensor]]
    ) -> Tuple[Tensor, List[Tuple[Tensor, Tensor]]]:
        output_states = torch.jit.annotate(List[Tuple[Tensor, Tensor]], [])
        output = input
        i = 0
        for rnn_layer in self.layers:
            state = states[i]
            output, out_state = rnn_layer(output, state)
            output_states += [out_state]
            i += 1
        return output, output_states


def main():
    m = StackedLSTM(2, (3, 3))
    x = torch.arange(18).reshape(3, 2, 3).float() / 18
    states = [(torch.zeros(2, 3), torch.zeros(2, 3)) for _ in range(2)]
    out, new = m(x, states)
    return [out.tolist(), [[t.tolist() for t in pair] for pair in new]]
