# SPDX-License-Identifier: Apache-2.0
#
# Networks with state that are rejected, with the reason.

from invalid import case, unary
from tflite import Network


def svdf(rank=1, variable=True, units=4, **parts):
    net = Network()
    x = net.tensor([1, 3], 0.1)
    w = net.tensor([4, 3], 0.1, data=[1] * 12)
    t = net.tensor(**{**dict(shape=[4, 2], scale=0.1, data=[1] * 8), **parts})
    state = net.tensor([1, 8], 0.1, variable=variable)
    y = net.tensor([1, units], 0.1)
    net.inputs, net.outputs = [x] if variable else [x, state], [y]
    net.operator("SVDF", [x, w, t, None, state], [y], "SVDFOptions", rank=rank)
    return net


@case("expected a rank that divides 4 filters, but got 3")
def svdf_rank():
    return svdf(rank=3)


@case("expected tensor 4 't4' at byte N to have 2 elements for one batch, but got 4")
def svdf_units():
    return svdf(rank=2)


@case("expected the state tensor 3 't3' at byte N to be a variable, but got another tensor")
def svdf_state():
    return svdf(variable=False)


@case("expected weights over time for 4 filters, but got 2")
def svdf_time():
    return svdf(shape=[2, 4])


@case("expected weights tensor 2 't2' at byte N to be int8, but got int16")
def svdf_short():
    return svdf(type="INT16")


@case("expected one scale of weights tensor 2 't2' at byte N, or one for each of 2 outputs, but got "
      "4")
def svdf_scales():
    return svdf(rank=2, units=2, scale=[0.1] * 4)


@case("expected tensor 0 't0' at byte N to stand for a variable, but got another tensor")
def variable_handle():
    return unary("READ_VARIABLE")


def lstm(present=None, activation="TANH", cell="INT16", batch=1, clip=0, steps=3, rows=2,
         scales=(0.1, 0.1, 2**-10)):
    """With `scales` of the input, the weights and the cell."""
    net = Network()
    x = net.tensor([batch, 3, 2], scales[0])
    weights = [net.tensor([rows, 2], scales[1], data=[1] * 2 * rows) for _ in range(8)]
    hidden = net.tensor([batch, 2], 0.1, variable=True)
    state = net.tensor([batch, 2], scales[2], type=cell, variable=True)
    y = net.tensor([batch, steps, 2], 0.1)
    inputs = [x] + weights + [None] * 9 + [hidden, state] + [None] * 4
    if present is not None:
        inputs[present] = weights[0]
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [y], "UnidirectionalSequenceLSTMOptions",
        fused_activation_function=activation, cell_clip=clip,
    )
    return net


@case("expected the cell to be clipped to a number from 0 on, but got -1.000000e+00")
def lstm_clip():
    return lstm(clip=-1)


@case("expected a cell without peepholes, but got input 10")
def lstm_peephole():
    return lstm(10)


@case("expected a cell without a projection, but got input 16")
def lstm_projection():
    return lstm(16)


@case("expected a cell without a normalisation, but got input 21")
def lstm_normalization():
    return lstm(21)


@case("expected the activation to be tanh, but got 1")
def lstm_activation():
    return lstm(activation="RELU")


@case("expected the cell tensor 10 't10' at byte N to be int16 of zero point 0, but got int8")
def lstm_cell():
    return lstm(cell="INT8")


@case("expected one batch of 2 cells, but got a state of 4")
def lstm_batch():
    return lstm(batch=2)


@case("expected bias tensor 1 't1' at byte N to be a constant of 2 int32, but got int8")
def lstm_bias():
    return lstm(12)


@case("expected sums of unit 1 of weights tensor 1 't1' at byte N to fit 32 bits, but got one of "
      "2147483901")
def lstm_sums():
    net = lstm(clip=0.5)
    bias = net.tensor([2], 0.01, type="INT32", data=[0, 2147483647])
    net.operators[0]["inputs"][12] = bias.index
    return net


@case("expected weights tensor 1 't1' at byte N to be 2 x 2, but got 3 x 2")
def lstm_weights():
    return lstm(rows=3)


@case("expected 3 outputs of 2 units, but got 8 elements and a state of 2")
def lstm_steps():
    return lstm(steps=4)


@case("expected the scale of weights tensor 1 't1' at byte N to be in range, but got 9.999999e-39")
def lstm_weights_scale():
    return lstm(scales=(0.1, 1e-38, 2**-10), clip=0.5)


@case("expected the scales of the input and weights tensor 1 't1' at byte N to give one in range, "
      "but got others")
def lstm_bias_scale():
    return lstm(scales=(1e-20, 1e-20, 2**-10), clip=0.5)


@case("expected the scale of the cell tensor 10 't10' at byte N to be in range, but got "
      "9.999999e-39")
def lstm_cell_scale():
    return lstm(scales=(0.1, 0.1, 1e-38))


def variable(code=3, graph=1, start="ASSIGN_VARIABLE", held=None):
    """A variable that a graph that is called once sets to `code`, and that is
    set to the input after."""
    net = Network()
    x = net.tensor([1, 4], 0.1, 3)
    handle = net.tensor([], type="RESOURCE")
    old = net.tensor(**{**dict(shape=[1, 4], scale=0.1, zero=3), **(held or {})})
    net.inputs, net.outputs = [x], [old]
    once = Network(net)
    first = once.tensor([], type="RESOURCE")
    value = once.tensor([1, 4], 0.1, 3, data=[3, 3, code, 3], name="start")
    once.operator("VAR_HANDLE", [], [first], "VarHandleOptions", shared_name="v")
    once.operator(start, [first, value], [])
    net.operator("CALL_ONCE", [], [], "CallOnceOptions", init_subgraph_index=graph)
    net.operator("VAR_HANDLE", [], [handle], "VarHandleOptions", shared_name="v")
    net.operator("READ_VARIABLE", [handle], [old])
    net.operator("ASSIGN_VARIABLE", [handle, x], [])
    return net


@case("expected 'start' to start as zeros, but got a quantized value of 9")
def started_variable():
    return variable(code=9)


@case("expected one of 2 graphs, but got 2")
def call_graph():
    return variable(graph=2)


@case("expected a graph that assigns constants, but got operator ADD")
def call_operator():
    return variable(start="ADD")


@case("expected the variable to be tensor<1x4x!mli.sa32<1:0:0>>, but got "
      "tensor<1x4x!mli.sa8<26214:18:3>>")
def variable_type():
    return variable(held={"type": "INT32", "scale": None, "zero": 0})
