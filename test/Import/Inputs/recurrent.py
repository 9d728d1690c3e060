# SPDX-License-Identifier: Apache-2.0
#
# Networks with state, run several times: filters over time, variables, and
# long short-term memory, whose cell has its exact reference.

import random

import exact
import lstm
import reference as ref
from cases import bias, codes, several, weights
from tflite import Network

CASES = {}

@several((1, "NONE"), (1, "RELU"), (2, "RELU"), into=CASES)
def svdf(rank, activation):
    net = Network()
    net.steps = 7
    units, steps, inputs = 3, 4, 5
    filters = units * rank
    x = net.tensor([1, inputs], 0.05, 3)
    w = weights(net, [filters, inputs], 0, False, filters)
    state = net.tensor([1, filters * steps], 0.03, -6, variable=True)
    t = weights(net, [filters, steps], 0, False, filters)
    b, numbers = bias(net, state, t, units)
    y = net.tensor([1, units], 0.03, 4)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "SVDF", [x, w, t, b, state], [y], "SVDFOptions", rank=rank,
        fused_activation_function=activation,
    )
    real, over_time = ref.real(w, w.data), ref.real(t, t.data)

    def compute(v):
        memory = [[0] * steps for _ in range(filters)]
        result = []
        for run in range(net.steps):
            row = v[run * inputs : run * inputs + inputs]
            for f in range(filters):
                feature = sum(row[i] * real[f * inputs + i] for i in range(inputs))
                memory[f] = memory[f][1:] + ref.real(state, ref.codes_of(state, [feature]))
            sums = [
                sum(memory[f][k] * over_time[f * steps + k] for k in range(steps))
                for f in range(filters)
            ]
            result += [numbers[u] + sum(sums[u * rank : u * rank + rank]) for u in range(units)]
        return [ref.activate(result, None if activation == "NONE" else activation)]

    return net, compute, 1


def make_lstm(steps, clip, inputs, units, power):
    """The network, its cell in integers, and what the cell of 8 bits is made of."""
    net = Network()
    net.steps = 3
    x = net.tensor([1, steps, inputs], 0.03, 3)
    scales = [0.011, 0.013, 0.017, 0.019]
    back_scales = [0.012, 0.009, 0.015, 0.01]
    make = lambda shape, scale: net.tensor(shape, scale, 0, data=codes(ref.size(shape)))
    forward = [make([units, inputs], s) for s in scales]
    recurrent = [make([units, units], s) for s in back_scales]
    biases = [
        net.tensor(
            [units], x.scale * s, type="INT32",
            data=[random.randint(-3000, 3000) for _ in range(units)],
        )
        for s in scales
    ]
    hidden = net.tensor([1, units], 1 / 128, 5, variable=True)
    cell = net.tensor([1, units], 2.0**power, 0, "INT16", variable=True)
    y = net.tensor([1, steps, units], 1 / 128, 5)
    net.inputs, net.outputs = [x], [y]
    absent = [None]
    net.operator(
        "UNIDIRECTIONAL_SEQUENCE_LSTM",
        [x] + forward + recurrent + absent * 3 + biases + absent * 2 + [hidden, cell] + absent * 4,
        [y], "UnidirectionalSequenceLSTMOptions", fused_activation_function="TANH",
        cell_clip=clip,
    )
    rows = lambda t, width: [t.data[i : i + width] for i in range(0, len(t.data), width)]
    limit = min(32767, round(clip * 2.0**-power)) if clip else 32767
    model = lstm.Cell(
        x, hidden, power, [(rows(t, inputs), t.scale) for t in forward],
        [(rows(t, units), t.scale) for t in recurrent], [b.data for b in biases], limit,
    )
    return net, model, (forward, recurrent, biases)


def frames_of(x, values, inputs):
    codes = [round(value / x.scale) + x.zero for value in values]
    return [codes[i : i + inputs] for i in range(0, len(codes), inputs)]


@several(
    (1, 0, 3, 4, -12), (4, 0, 3, 4, -12), (12, 10.0, 8, 16, -12), (16, 20.0, 8, 16, -11), into=CASES)
def sequence_lstm(steps, clip, inputs, units, power):
    """The cell of the kernel has 16 bits, but steps of 2^-10 in gates, and a hidden
    state that is not rounded to 8 bits between steps."""
    net, model, _ = make_lstm(steps, clip, inputs, units, power)
    x, y = net.inputs[0], net.outputs[0]

    def compute(v):
        return [ref.real(y, sum(map(model.step, frames_of(x, v, inputs)), []))]

    return net, compute, 2


@several((4, 0.5), into=CASES)
def clipped_lstm(steps, clip):
    """Gates of the file: input, forget, cell, output; the kernel's order is
    input, cell, forget, output. A cell of 8 bits ends where it is clipped."""
    inputs, units = 3, 4
    net, model, (forward, recurrent, biases) = make_lstm(steps, clip, inputs, units, -12)
    x, y, hidden = net.inputs[0], net.outputs[0], model.hidden
    scales, back_scales = ([t.scale for t in list] for list in (forward, recurrent))
    order = [0, 2, 1, 3]
    rows = lambda t, width: [t.data[i : i + width] for i in range(0, len(t.data), width)]

    def compute(v):
        fx, fh = exact.nearest(x.scale, x.zero), exact.nearest(y.scale, y.zero)
        fc = exact.nearest(clip / 127 if 0 < clip < 2**-4 * 127 else 2**-4)
        all_weights = [[rows(forward[k], inputs), rows(recurrent[k], units)] for k in order]
        formats = [
            [exact.nearest(scales[k], full=True), exact.nearest(back_scales[k], full=True)]
            for k in order
        ]
        h, c, result = [hidden.zero] * units, [0] * units, []
        frames = frames_of(x, v, inputs)
        for run in range(net.steps):
            outputs, c = exact.lstm(
                frames[run * steps : run * steps + steps], fx, h, fh, c, fc, all_weights, formats,
                [biases[k].data for k in order], fh,
            )
            h = outputs[-1]
            result += sum(outputs, [])
        return [ref.real(y, result)]

    return net, compute, 0


@several(("INT8", 0), ("UINT8", 130), ("INT8", 0, 0.025), into=CASES)
def variable(type, zero, scale=0.05):
    """A running sum, as streaming networks keep one, which a graph that is called
    once sets to zeros. With another `scale` than the variable's, it is converted."""
    net = Network()
    net.steps = 4
    x = net.tensor([1, 6], 0.05, zero, type)
    handle = net.tensor([], type="RESOURCE")
    old = net.tensor([1, 6], 0.05, zero, type)
    y = net.tensor([1, 6], scale, zero, type)
    net.inputs, net.outputs = [x], [y]
    start = Network(net)
    first = start.tensor([], type="RESOURCE")
    zeros = start.tensor([1, 6], 0.05, zero, type, [zero] * 6)
    start.operator(
        "VAR_HANDLE", [], [first], "VarHandleOptions", container="c", shared_name="sum"
    )
    start.operator("ASSIGN_VARIABLE", [first, zeros], [])
    net.operator("CALL_ONCE", [], [], "CallOnceOptions", init_subgraph_index=1)
    net.operator("VAR_HANDLE", [], [handle], "VarHandleOptions", container="c", shared_name="sum")
    net.operator("READ_VARIABLE", [handle], [old])
    net.operator("ADD", [x, old], [y], "AddOptions")
    net.operator("ASSIGN_VARIABLE", [handle, y], [])

    def compute(v):
        held, result = [0] * 6, []
        for run in range(net.steps):
            row = v[run * 6 : run * 6 + 6]
            total = ref.real(y, ref.codes_of(y, [a + b for a, b in zip(held, row)]))
            held = ref.real(old, ref.codes_of(old, total))
            result += total
        return [result]

    return net, compute, 0
