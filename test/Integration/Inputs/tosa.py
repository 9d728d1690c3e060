# SPDX-License-Identifier: Apache-2.0
#
# TOSA 1.0 on integers, as its specification defines it, in plain Python: each
# operation is computed at once and written as text.

import itertools
import math

LIMITS = {
    "i8": (-128, 127),
    "ui8": (0, 255),
    "i16": (-(1 << 15), (1 << 15) - 1),
    "i32": (-(1 << 31), (1 << 31) - 1),
}


def sum_type(element):
    """The type in which products of `element` are summed."""
    return {"i8": "i32", "i16": "i48"}[element]


def size_of(shape):
    return math.prod(shape)


def strides_of(shape):
    return [size_of(shape[i + 1 :]) for i in range(len(shape))]


def indices_of(shape):
    return itertools.product(*map(range, shape))


def type_of(shape, element):
    return "tensor<%s%s>" % ("".join("%dx" % extent for extent in shape), element)


def array(values):
    return "array<i64: %s>" % ", ".join(map(str, values))


def apply_scale(value, multiplier, shift, double_round=False):
    rounding = 1 << (shift - 1)
    if double_round and shift > 31:
        rounding += (1 << 30) if value >= 0 else -(1 << 30)
    return (value * multiplier + rounding) >> shift


def reciprocal_scale(count):
    bits = (count - 1).bit_length()
    return (((1 << 30) + 1) << bits) // count, 30 + bits


def scale_of(factor, bits=31):
    """(multiplier, shift) of a rescale by `factor`, the multiplier of `bits` bits."""
    mantissa, exponent = math.frexp(factor)
    multiplier = round(mantissa * (1 << bits))
    if multiplier == 1 << bits:
        multiplier, exponent = 1 << (bits - 1), exponent + 1
    return multiplier, bits - exponent


def nested(values, shape):
    """Truth values as lists of lists."""
    if not shape:
        return "true" if values[0] else "false"
    size = len(values) // shape[0]
    parts = [values[i * size : (i + 1) * size] for i in range(shape[0])]
    return "[%s]" % ", ".join(nested(part, shape[1:]) for part in parts)


class Tensor:
    def __init__(self, name, shape, element, values):
        self.name, self.shape, self.element = name, tuple(shape), element
        self.values = list(values)
        self.strides = strides_of(self.shape)
        assert len(self.values) == size_of(self.shape), (name, shape, len(self.values))

    def at(self, *index):
        return self.values[sum(i * s for i, s in zip(index, self.strides))]

    def stretched(self, index):
        """The element that meets `index` of a result that it is broadcast to."""
        return self.at(*(0 if extent == 1 else i for i, extent in zip(index, self.shape)))

    @property
    def type(self):
        return type_of(self.shape, self.element)


class Graph:
    """One function."""

    def __init__(self, double_round=False):
        self.double_round = double_round
        self.inputs, self.lines, self.counts = [], [], {}

    def name(self, stem):
        self.counts[stem] = self.counts.get(stem, 0) + 1
        return "%%%s%s" % (stem, self.counts[stem] if self.counts[stem] > 1 else "")

    def input(self, shape, values, element="i8"):
        tensor = Tensor("%%arg%d" % len(self.inputs), shape, element, values)
        self.inputs.append(tensor)
        return tensor

    def constant(self, shape, values, element="i8"):
        tensor = Tensor(self.name("const"), shape, element, values)
        data = ", ".join(map(str, tensor.values))
        data = data if len(tensor.values) == 1 else "[%s]" % data
        flat = type_of([len(tensor.values)] if tensor.shape else [], element)
        if element == "i1":
            data, flat = nested(tensor.values, tensor.shape), tensor.type
        elif len(tensor.shape) > 1:
            bits = int(element.strip("ui"))
            data = '"0x%s"' % b"".join(
                (value % (1 << bits)).to_bytes(bits // 8, "little") for value in tensor.values
            ).hex().upper()
            flat = tensor.type
        self.lines.append(
            '%s = "tosa.const"() <{values = dense<%s> : %s}> : () -> %s'
            % (tensor.name, data, flat, tensor.type)
        )
        return tensor

    def shape(self, values):
        name = self.name("shape")
        count = len(values)
        self.lines.append(
            "%s = tosa.const_shape {values = dense<[%s]> : tensor<%dxindex>} : () -> !tosa.shape<%d>"
            % (name, ", ".join(map(str, values)), count, count)
        )
        return name, "!tosa.shape<%d>" % count

    def op(self, name, operands, attributes, shape, element, values, extra=()):
        result = Tensor(self.name(name), shape, element, values)
        names = [operand.name for operand in operands] + [n for n, _ in extra]
        types = [operand.type for operand in operands] + [t for _, t in extra]
        text = ", ".join("%s = %s" % pair for pair in sorted(attributes.items()))
        self.lines.append(
            "%s = tosa.%s %s%s : (%s) -> %s"
            % (
                result.name,
                name,
                ", ".join(names),
                " {%s}" % text if text else "",
                ", ".join(types),
                result.type,
            )
        )
        return result

    def module(self, *results):
        arguments = ", ".join("%s: %s" % (t.name, t.type) for t in self.inputs)
        lines = ["func.func @main(%s) -> (%s) {" % (arguments, ", ".join(t.type for t in results))]
        lines += ["  " + line for line in self.lines]
        names = ", ".join(t.name for t in results)
        types = ", ".join(t.type for t in results)
        return "\n".join(lines + ["  return %s : %s" % (names, types), "}", ""])

    # Changes of quantisation.

    def rescale(self, x, factors, in_zero=0, out_zero=0, element="i8", scale32=True):
        factors = factors if isinstance(factors, list) else [factors]
        scales = [scale_of(factor, 31 if scale32 else 15) for factor in factors]
        low, high = LIMITS[element]
        values = []
        for i, value in enumerate(x.values):
            multiplier, shift = scales[i % len(scales)]
            code = apply_scale(value - in_zero, multiplier, shift, self.double_round) + out_zero
            values.append(min(max(code, low), high))
        operands = [
            x,
            self.constant([len(scales)], [m for m, _ in scales], "i32" if scale32 else "i16"),
            self.constant([len(scales)], [s for _, s in scales], "i8"),
            self.constant([1], [in_zero], x.element),
            self.constant([1], [out_zero], element),
        ]
        flags = {
            "input_unsigned": str(x.element == "ui8").lower(),
            "output_unsigned": str(element == "ui8").lower(),
            "per_channel": str(len(scales) > 1).lower(),
            "rounding_mode": "DOUBLE_ROUND" if self.double_round else "SINGLE_ROUND",
            "scale32": str(scale32).lower(),
        }
        return self.op("rescale", operands, flags, x.shape, element, values)

    # Windows.

    def conv2d(self, x, weights, bias, zero, stride, dilation, pad, weight_zero=0):
        outputs, height, width, inputs = weights.shape
        taps = [(ky, kx, ic) for ky in range(height) for kx in range(width) for ic in range(inputs)]

        def term(n, y, x_, oc):
            return [
                (y + ky * dilation[0], x_ + kx * dilation[1], ic, weights.at(oc, ky, kx, ic) - weight_zero)
                for ky, kx, ic in taps
            ]

        return self._conv(
            "conv2d", x, weights, bias, zero, stride, dilation, pad, (height, width), outputs, term, weight_zero
        )

    def depthwise_conv2d(self, x, weights, bias, zero, stride, dilation, pad):
        height, width, channels, factor = weights.shape
        taps = [(ky, kx) for ky in range(height) for kx in range(width)]

        def term(n, y, x_, oc):
            c, m = divmod(oc, factor)
            return [(y + ky * dilation[0], x_ + kx * dilation[1], c, weights.at(ky, kx, c, m)) for ky, kx in taps]

        return self._conv(
            "depthwise_conv2d", x, weights, bias, zero, stride, dilation, pad, (height, width), channels * factor, term
        )

    def _conv(self, name, x, weights, bias, zero, stride, dilation, pad, kernel, outputs, term, weight_zero=0):
        extents = [
            (x.shape[1 + i] + pad[2 * i] + pad[2 * i + 1] - (kernel[i] - 1) * dilation[i] - 1) // stride[i] + 1
            for i in (0, 1)
        ]
        shape = (x.shape[0], *extents, outputs)
        values = []
        for n, oy, ox, oc in indices_of(shape):
            total = bias.values[oc % len(bias.values)]
            for y, column, c, weight in term(n, oy * stride[0] - pad[0], ox * stride[1] - pad[2], oc):
                if 0 <= y < x.shape[1] and 0 <= column < x.shape[2]:
                    total += (x.at(n, y, column, c) - zero) * weight
            values.append(total)
        operands = [x, weights, bias, self.constant([1], [zero], x.element), self.constant([1], [weight_zero])]
        sums = sum_type(x.element)
        attributes = {"acc_type": sums, "dilation": array(dilation), "pad": array(pad), "stride": array(stride)}
        return self.op(name, operands, attributes, shape, sums, values)

    def transpose_conv2d(self, x, weights, bias, zero, stride, out_pad):
        outputs, height, width, inputs = weights.shape
        kernel = (height, width)
        shape = (
            x.shape[0],
            *((x.shape[1 + i] - 1) * stride[i] + out_pad[2 * i] + out_pad[2 * i + 1] + kernel[i] for i in (0, 1)),
            outputs,
        )
        result = Tensor("", shape, "i32", [bias.values[i % outputs] for i in range(size_of(shape))])
        for n, y, column, ic in indices_of(x.shape):
            code = x.at(n, y, column, ic) - zero
            for oc, ky, kx in indices_of((outputs, height, width)):
                oy, ox = y * stride[0] + ky + out_pad[0], column * stride[1] + kx + out_pad[2]
                if 0 <= oy < shape[1] and 0 <= ox < shape[2]:
                    place = sum(i * s for i, s in zip((n, oy, ox, oc), result.strides))
                    result.values[place] += code * weights.at(oc, ky, kx, ic)
        operands = [x, weights, bias, self.constant([1], [zero], x.element), self.constant([1], [0])]
        sums = sum_type(x.element)
        attributes = {"acc_type": sums, "out_pad": array(out_pad), "stride": array(stride)}
        return self.op("transpose_conv2d", operands, attributes, shape, sums, result.values)

    def _pool(self, name, x, kernel, stride, pad, operands, attributes, reduce):
        extents = [
            (x.shape[1 + i] + pad[2 * i] + pad[2 * i + 1] - kernel[i]) // stride[i] + 1 for i in (0, 1)
        ]
        shape = (x.shape[0], *extents, x.shape[3])
        values = []
        for n, oy, ox, c in indices_of(shape):
            rows = [oy * stride[0] - pad[0] + ky for ky in range(kernel[0])]
            columns = [ox * stride[1] - pad[2] + kx for kx in range(kernel[1])]
            values.append(
                reduce(
                    [
                        x.at(n, y, column, c)
                        for y in rows
                        for column in columns
                        if 0 <= y < x.shape[1] and 0 <= column < x.shape[2]
                    ]
                )
            )
        attributes = dict(attributes, kernel=array(kernel), pad=array(pad), stride=array(stride))
        return self.op(name, [x] + operands, attributes, shape, x.element, values)

    def max_pool2d(self, x, kernel, stride, pad):
        return self._pool("max_pool2d", x, kernel, stride, pad, [], {}, max)

    def avg_pool2d(self, x, kernel, stride, pad, in_zero, out_zero):
        def mean(codes):
            total = apply_scale(sum(codes) - len(codes) * in_zero, *reciprocal_scale(len(codes)))
            return min(max(total + out_zero, low), high)

        low, high = LIMITS[x.element]
        operands = [self.constant([1], [zero], x.element) for zero in (in_zero, out_zero)]
        return self._pool("avg_pool2d", x, kernel, stride, pad, operands, {"acc_type": "i32"}, mean)

    def matmul(self, a, b, a_zero, b_zero):
        shape = (a.shape[0], a.shape[1], b.shape[2])
        values = [
            sum((a.at(n, i, k) - a_zero) * (b.at(n, k, j) - b_zero) for k in range(a.shape[2]))
            for n, i, j in indices_of(shape)
        ]
        operands = [a, b, self.constant([1], [a_zero], a.element), self.constant([1], [b_zero], b.element)]
        return self.op("matmul", operands, {}, shape, sum_type(a.element), values)

    # Element by element.

    def binary(self, name, x, y):
        compute = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "maximum": max,
            "minimum": min,
        }[name]
        shape = tuple(max(a, b) for a, b in zip(x.shape, y.shape))
        values = [compute(x.stretched(i), y.stretched(i)) for i in indices_of(shape)]
        operands = [x, y] + ([self.constant([1], [0])] if name == "mul" else [])
        return self.op(name, operands, {}, shape, "i32", values)

    def leaky_relu(self, x, slope, factor, in_zero, out_zero):
        """As legalisers write it."""
        wide = self.rescale(x, 1.0, in_zero, 0, "i32")
        zero = self.constant([1] * len(x.shape), [0], "i32")
        signs = [int(value >= 0) for value in wide.values]
        sign = self.op("greater_equal", [wide, zero], {}, x.shape, "i1", signs)
        below = self.rescale(x, factor * slope, in_zero, out_zero)
        above = self.rescale(x, factor, in_zero, out_zero)
        chosen = [a if s else b for s, a, b in zip(signs, above.values, below.values)]
        return self.op("select", [sign, above, below], {}, x.shape, "i8", chosen)

    def clamp(self, x, low, high):
        attributes = {"min_val": "%d : %s" % (low, x.element), "max_val": "%d : %s" % (high, x.element)}
        return self.op(
            "clamp", [x], attributes, x.shape, x.element, [min(max(v, low), high) for v in x.values]
        )

    def table(self, x, entries):
        values = [entries[value + 128] for value in x.values]
        return self.op("table", [x, self.constant([256], entries)], {}, x.shape, "i8", values)

    # Dimensions.

    def reduce(self, name, x, axis):
        shape = x.shape[:axis] + (1,) + x.shape[axis + 1 :]
        gather = {"reduce_sum": sum, "reduce_max": max}[name]
        values = [
            gather([x.at(*index[:axis], i, *index[axis + 1 :]) for i in range(x.shape[axis])])
            for index in indices_of(shape)
        ]
        return self.op(name, [x], {"axis": "%d : i32" % axis}, shape, x.element, values)

    def argmax(self, x, axis):
        shape = x.shape[:axis] + x.shape[axis + 1 :]
        values = []
        for index in indices_of(shape):
            row = [x.at(*index[:axis], i, *index[axis:]) for i in range(x.shape[axis])]
            values.append(row.index(max(row)))
        return self.op("argmax", [x], {"axis": "%d : i32" % axis}, shape, "i32", values)

    def reshape(self, x, shape):
        return self.op("reshape", [x], {}, shape, x.element, x.values, [self.shape(shape)])

    def transpose(self, x, perms):
        shape = tuple(x.shape[p] for p in perms)
        values = []
        for index in indices_of(shape):
            source = [0] * len(perms)
            for i, p in zip(index, perms):
                source[p] = i
            values.append(x.at(*source))
        attributes = {"perms": "array<i32: %s>" % ", ".join(map(str, perms))}
        return self.op("transpose", [x], attributes, shape, x.element, values)

    def pad(self, x, amounts, code):
        low = amounts[::2]
        shape = tuple(sum(part) for part in zip(x.shape, low, amounts[1::2]))
        values = []
        for index in indices_of(shape):
            source = [i - before for i, before in zip(index, low)]
            inside = all(0 <= i < extent for i, extent in zip(source, x.shape))
            values.append(x.at(*source) if inside else code)
        name, kind = self.shape(amounts)
        fill = self.constant([1], [code], x.element)
        return self.op("pad", [x], {}, shape, x.element, values, [(name, kind), (fill.name, fill.type)])

    def slice(self, x, start, size):
        values = [x.at(*(i + s for i, s in zip(index, start))) for index in indices_of(size)]
        return self.op("slice", [x], {}, size, x.element, values, [self.shape(start), self.shape(size)])

    def take(self, name, x, indices, attributes=None, more=()):
        """Of each dimension the indices in a list."""
        shape = tuple(len(each) for each in indices)
        values = [
            x.at(*(each[i] for each, i in zip(indices, index))) for index in indices_of(shape)
        ]
        return self.op(name, [x], attributes or {}, shape, x.element, values, more)

    def tile(self, x, times):
        indices = [[i % e for i in range(e * t)] for e, t in zip(x.shape, times)]
        return self.take("tile", x, indices, more=[self.shape(times)])

    def identity(self, x):
        return self.op("identity", [x], {}, x.shape, x.element, x.values)

    def reverse(self, x, axis):
        indices = [list(range(extent)) for extent in x.shape]
        indices[axis].reverse()
        return self.take("reverse", x, indices, {"axis": "%d : i32" % axis})

    def gather(self, x, places):
        """With as many places of each batch."""
        count = len(places) // x.shape[0]
        given = self.constant([x.shape[0], count], places, "i32")
        shape = (x.shape[0], count, x.shape[2])
        values = [x.at(n, given.at(n, i), c) for n, i, c in indices_of(shape)]
        return self.op("gather", [x, given], {}, shape, x.element, values)

    def scatter(self, x, places, rows):
        count = len(places) // x.shape[0]
        given = self.constant([x.shape[0], count], places, "i32")
        sources = {(n, given.at(n, i)): i for n, i in indices_of(given.shape)}
        values = [
            rows.at(n, sources[n, k], c) if (n, k) in sources else x.at(n, k, c)
            for n, k, c in indices_of(x.shape)
        ]
        return self.op("scatter", [x, given, rows], {}, x.shape, x.element, values)

    def extract_slice(self, x, start, size, shape):
        """As an operation of the tensor dialect, seen in `shape`."""
        values = [x.at(*(i + s for i, s in zip(index, start))) for index in indices_of(size)]
        result = Tensor(self.name("extracted"), shape, x.element, values)
        lists = [list(start), list(size), [1] * len(size)]
        self.lines.append(
            "%s = tensor.extract_slice %s%s : %s to %s"
            % (result.name, x.name, " ".join(map(str, lists)), x.type, result.type)
        )
        return result

    def select(self, condition, x, y):
        """By the numbers of a constant."""
        shape = tuple(max(sizes) for sizes in zip(condition.shape, x.shape, y.shape))
        values = [
            (x if condition.stretched(i) else y).stretched(i) for i in indices_of(shape)
        ]
        return self.op("select", [condition, x, y], {}, shape, x.element, values)

    def resize_nearest(self, x, shape, scale, offset, border):
        indices = [range(x.shape[0])]
        for dim in (0, 1):
            numerator, denominator = scale[2 * dim : 2 * dim + 2]
            places = []
            for i in range(shape[dim]):
                whole, rest = divmod(i * denominator + offset[dim], numerator)
                nearest = whole + (2 * rest >= numerator)
                places.append(min(max(nearest, 0), x.shape[dim + 1] - 1))
            indices.append(places)
        indices.append(range(x.shape[3]))
        more = [self.shape(numbers) for numbers in (scale, offset, border)]
        return self.take("resize", x, indices, {"mode": "NEAREST_NEIGHBOR"}, more)

    def concat(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        values = []
        for index in indices_of(shape):
            place = list(index)
            for part in parts:
                if place[axis] < part.shape[axis]:
                    values.append(part.at(*place))
                    break
                place[axis] -= part.shape[axis]
        return self.op("concat", parts, {"axis": "%d : i32" % axis}, shape, parts[0].element, values)
