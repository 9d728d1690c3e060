# SPDX-License-Identifier: Apache-2.0
#
# Writes the quantised network as TOSA 1.0 text. Needs numpy only.

import numpy as np

import integer
import quantize

HALF = 1 << 30  # a rescale multiplier that leaves only the shift
INLINE_ELEMENTS = 64


def _tensor(shape, element):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def _array(values):
    return "array<i64: " + ", ".join(str(value) for value in values) + ">"


class Value:
    """An SSA value: its name, shape and element type."""

    def __init__(self, name, shape, element):
        self.name, self.shape, self.element = name, tuple(shape), element

    @property
    def type(self):
        if self.element == "shape":
            return f"!tosa.shape<{self.shape[0]}>"
        return _tensor(self.shape, self.element)


class Writer:
    """Collects the lines of one function; equal constants are written once."""

    def __init__(self, input_shape):
        self.argument = Value("%arg0", input_shape, "i8")
        self.lines, self.resources, self.constants, self.count = [], [], {}, 0

    def _add(self, text, shape, element):
        value = Value(f"%{self.count}", shape, element)
        self.count += 1
        self.lines.append(f"    {value.name} = {text}")
        return value

    def constant(self, values, element):
        """A tensor constant; long ones go to the resource section."""
        values = np.asarray(values)
        size = int(element[1:]) // 8
        data = values.astype(f"<i{size}").tobytes()
        key = (values.shape, element, data)
        if key not in self.constants:
            kind = _tensor(values.shape, element)
            attribute = f"{self._elements(values, data, size)} : {kind}"
            text = f'"tosa.const"() <{{values = {attribute}}}> : () -> {kind}'
            self.constants[key] = self._add(text, values.shape, element)
        return self.constants[key]

    def _elements(self, values, data, size):
        if values.size > INLINE_ELEMENTS:
            name = f"w{len(self.resources)}"
            alignment = size.to_bytes(4, "little")
            self.resources.append(f'      {name}: "0x{(alignment + data).hex().upper()}"')
            return f"dense_resource<{name}>"
        flat = ", ".join(str(int(value)) for value in values.ravel())
        return f"dense<{flat}>" if values.size == 1 else f"dense<[{flat}]>"

    def shape(self, sizes):
        key = (tuple(sizes), "shape")
        if key not in self.constants:
            count = len(sizes)
            text = (f"tosa.const_shape {{values = dense<{list(sizes)}> : tensor<{count}xindex>}}"
                    f" : () -> !tosa.shape<{count}>")
            self.constants[key] = self._add(text, (count,), "shape")
        return self.constants[key]

    def op(self, name, operands, attributes, shape, element):
        names = ", ".join(operand.name for operand in operands)
        braces = ", ".join(f"{key} = {value}" for key, value in sorted(attributes.items()))
        braces = f" {{{braces}}}" if braces else ""
        types = ", ".join(operand.type for operand in operands)
        text = f"tosa.{name} {names}{braces} : ({types}) -> {_tensor(shape, element)}"
        return self._add(text, shape, element)

    def rescale(self, value, multiplier, shift, in_zero, out_zero, element):
        multiplier, shift = np.atleast_1d(multiplier), np.atleast_1d(shift)
        operands = [value, self.constant(multiplier, "i32"), self.constant(shift, "i8"),
                    self.constant([in_zero], value.element), self.constant([out_zero], element)]
        flags = {"scale32": "true", "rounding_mode": "SINGLE_ROUND",
                 "per_channel": "true" if len(multiplier) > 1 else "false",
                 "input_unsigned": "false", "output_unsigned": "false"}
        return self.op("rescale", operands, flags, value.shape, element)

    def reshape(self, value, sizes):
        return self.op("reshape", [value, self.shape(sizes)], {}, sizes, value.element)

    def binary(self, name, lhs, rhs, **attributes):
        shape = np.broadcast_shapes(lhs.shape, rhs.shape)
        return self.op(name, [lhs, rhs], attributes, shape, "i32")

    def multiply(self, lhs, rhs, shift):
        shape = np.broadcast_shapes(lhs.shape, rhs.shape)
        return self.op("mul", [lhs, rhs, self.constant([shift], "i8")], {}, shape, "i32")

    def scalar(self, number):
        return self.constant([[number]], "i32")

    def reduce(self, name, value):
        return self.op(name, [value], {"axis": "1 : i32"}, (value.shape[0], 1), "i32")


def _weighted(writer, value, layer):
    if layer.kind == "Dense":
        value = writer.reshape(value, (1, value.shape[-1]))
        value = writer.reshape(value, (1, 1, 1, value.shape[-1]))
    depthwise = layer.kind == "Depthwise"
    kernel = layer.weights.shape[0 if depthwise else 1]
    top, bottom, left, right = layer.pad
    height = (value.shape[1] + top + bottom - kernel) // layer.stride + 1
    width = (value.shape[2] + left + right - kernel) // layer.stride + 1
    operands = [value, writer.constant(layer.weights, "i8"), writer.constant(layer.bias, "i32"),
                writer.constant([layer.before.zero], "i8"), writer.constant([0], "i8")]
    attributes = {"acc_type": "i32", "dilation": _array((1, 1)), "pad": _array(layer.pad),
                  "stride": _array((layer.stride, layer.stride))}
    sums = writer.op("depthwise_conv2d" if depthwise else "conv2d", operands, attributes,
                     (1, height, width, len(layer.bias)), "i32")
    result = writer.rescale(sums, layer.multiplier, layer.shift, 0, layer.after.zero, "i8")
    return writer.reshape(result, (1, len(layer.bias))) if layer.kind == "Dense" else result


def _pool(writer, value, layer):
    average = isinstance(layer, quantize.AverageLayer)
    kernel = value.shape[1:3] if average else (layer.kernel, layer.kernel)
    attributes = {"kernel": _array(kernel), "stride": _array(kernel), "pad": _array((0, 0, 0, 0))}
    shape = (1, value.shape[1] // kernel[0], value.shape[2] // kernel[1], value.shape[3])
    if not average:
        return writer.op("max_pool2d", [value], attributes, shape, "i8")
    zero = writer.constant([layer.zero], "i8")
    attributes["acc_type"] = "i32"
    return writer.op("avg_pool2d", [value, zero, zero], attributes, shape, "i8")


def _residual(writer, value, layer):
    inner = value
    for inside in layer.body:
        inner = _emit(writer, inner, inside)
    wide = []
    for operand, affine, ratio in zip((value, inner), layer.scales, layer.ratios):
        bits = quantize.ADD_HEADROOM if ratio else quantize.ADD_HEADROOM - 1
        raised = writer.rescale(operand, HALF, 30 - bits, affine.zero, 0, "i32")
        wide.append(writer.rescale(raised, *ratio, 0, 0, "i32") if ratio else raised)
    total = writer.binary("add", *wide)
    return writer.rescale(total, *layer.result, 0, layer.after.zero, "i8")


def _exponentials(writer, value, layer):
    """exp(logit - largest logit) in Q31, from four byte tables."""
    logits = writer.rescale(value, HALF, 30, layer.before.zero, 0, "i32")
    below = writer.binary("sub", logits, writer.reduce("reduce_max", logits))
    index = writer.rescale(below, HALF, 23, 0, 0, "i16")  # 7 fraction bits, all zero
    planes = [writer.op("table", [index, writer.constant(table, "i16")], {}, value.shape, "i32")
              for table in integer.softmax_tables(layer.before.scale)]
    parts = [writer.binary("logical_left_shift", plane, writer.scalar(shift))
             for plane, shift in zip(planes, (17, 9, 1))]
    parts.append(writer.binary("arithmetic_right_shift", planes[3], writer.scalar(7), round="true"))
    total = parts[0]
    for part in parts[1:]:
        total = writer.binary("add", total, part)
    return total


def _softmax(writer, value, layer):
    """The steps of integer.softmax, one operator each."""
    exps = _exponentials(writer, value, layer)
    coarse = writer.binary("arithmetic_right_shift", exps, writer.scalar(12), round="true")
    total = writer.reduce("reduce_sum", coarse)
    zeros = writer.op("clz", [total], {}, total.shape, "i32")
    half = writer.binary("logical_left_shift", total,
                         writer.binary("sub", zeros, writer.scalar(1)))
    guess = writer.binary("add", writer.multiply(half, writer.scalar(-1010580540), 31),
                          writer.scalar(1515870810))
    for _ in range(3):
        error = writer.binary("sub", writer.scalar(1 << 29), writer.multiply(guess, half, 31))
        step = writer.multiply(writer.multiply(guess, error, 31), writer.scalar(4), 0)
        guess = writer.binary("add", guess, step)
    product = writer.multiply(exps, guess, 30)
    drop = writer.binary("sub", writer.scalar(35), zeros)
    codes = writer.binary("arithmetic_right_shift", product, drop, round="true")
    return writer.rescale(codes, HALF, 30, 0, quantize.PROBABILITY.zero, "i8")


def _emit(writer, value, layer):
    emitters = {quantize.WeightedLayer: _weighted, quantize.MaxPoolLayer: _pool,
                quantize.AverageLayer: _pool, quantize.ResidualLayer: _residual,
                quantize.SoftmaxLayer: _softmax}
    return emitters[type(layer)](writer, value, layer)


def text(quantized, input_shape):
    """The module: one function @main, its weights and tables as resources."""
    writer = Writer(input_shape)
    result = writer.argument
    for layer in quantized:
        result = _emit(writer, result, layer)
    kinds = [(f"// {name}: {value.type} scale={affine.scale:.9g} zp={affine.zero}")
             for name, value, affine in (("%arg0", writer.argument, quantize.INPUT),
                                         ("result", result, quantize.PROBABILITY))]
    signature = f"@main(%arg0: {writer.argument.type}) -> ({result.type})"
    return "\n".join(
        ["// SPDX-License-Identifier: Apache-2.0", "// Written by train.py; see README.md.", *kinds,
         "module {", f"  func.func {signature} {{", *writer.lines,
         f"    return {result.name} : {result.type}", "  }", "}", "",
         "{-#", "  dialect_resources: {", "    builtin: {", ",\n".join(writer.resources),
         "    }", "  }", "#-}", ""])
