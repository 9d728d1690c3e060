# SPDX-License-Identifier: Apache-2.0
#
# Pools, reductions, clips, padding and squares of int16 with random shapes, scales and codes,
# against the integers of TFLite: check-wide.py MLI_RUN FOLDER COUNT [FORM]. A pool divides
# the sum of codes, and rounds halves away from 0; sums, means and clips multiply by 31 bits
# of their factor, and round once, halves up. Prints how many elements of each operator are
# off, and runs some networks in local memory, too: a large one and a small one. Fails if
# an element is off by more than its operator may be, or by another placement. With a FORM
# of averages, only these are run, in that form.

import math
import os
import random
import subprocess
import sys

import reference as ref
from fixedpoint import clamp, multiplier, scaled
from tflite import Network, read_npy, write_npy

# Bytes of local memory; whole windows of large maps have to fit.
LOCAL_BYTES = {False: (262144, 3072), True: (262144, 16384)}
# Numbers around which networks have scales.
SCALES = (2.0**-15, 2.0**-11, 0.00037, 0.0021)


def wide(net, shape, scale, data=None):
    return net.tensor(shape, scale, 0, "INT16", data)


def limits(activation, scale):
    """The codes to which an activation clips, as TFLite quantises them."""
    low, high = {
        "NONE": (-math.inf, math.inf), "RELU": (0, math.inf), "RELU6": (0, 6),
        "RELU_N1_TO_1": (-1, 1), "RELU_0_TO_1": (0, 1),
    }[activation]
    code = lambda number: math.floor(number / scale + 0.5)
    return (
        -32768 if math.isinf(low) else max(-32768, code(low)),
        32767 if math.isinf(high) else min(32767, code(high)),
    )


def clip(activation, scale, codes):
    low, high = limits(activation, scale)
    return [max(low, min(high, code)) for code in codes]


def divide(codes):
    """The mean as pools of TFLite have it: a quotient of integers, cut off."""
    total, count = sum(codes), len(codes)
    half = count // 2
    return (total + half) // count if total > 0 else -((-total + half) // count)


def exact(codes):
    """The mean in real numbers, halves away from 0, for pools that TFLite has not."""
    return sum(codes) / len(codes)


def away(number):
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


def mean_factor(ratio, count):
    """The multiplier of a mean, with the count in it."""
    code, exponent = multiplier(ratio)
    shift = min(count.bit_length() - 1, 32, 31 + exponent)
    return (code << shift) // count, exponent - shift


def random_map():
    height, width, channels = (random.randint(1, n) for n in (14, 14, 5))
    return [random.choice((1, 1, 2)), height, width, channels]


def pool(name, other_scale=False):
    shape = random_map()
    # Of other scales a kernel computes each size of window, 25 at most.
    longest = 5 if other_scale else 7
    kernel = tuple(random.randint(1, min(longest, extent)) for extent in shape[1:3])
    stride = (random.randint(1, 3), random.randint(1, 3))
    padding = random.choice(("SAME", "VALID", "VALID"))
    activation = random.choice(("NONE", "NONE", "RELU", "RELU6", "RELU_N1_TO_1"))
    scale = random.choice(SCALES)
    out = scale * random.uniform(0.4, 1.6) if other_scale else scale
    net = Network()
    x = wide(net, shape, scale)
    if name == "MAX_POOL_2D":
        function = max
    elif other_scale:
        function = lambda codes: clamp(16, away(exact(codes) * scale / out))
    else:
        function = divide
    compute = lambda v: ref.pool(shape, v, kernel, stride, padding, function)
    y = wide(net, compute([0] * x.size())[0], out)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        name, [x], [y], "Pool2DOptions", padding=padding, stride_h=stride[0],
        stride_w=stride[1], filter_height=kernel[0], filter_width=kernel[1],
        fused_activation_function=activation,
    )
    return net, lambda v: clip(activation, out, compute(v)[1])


def reduction(name, is_large=False):
    rank = random.randint(1, 4)
    shape = [random.randint(1, 9) for _ in range(rank)]
    axes = sorted(random.sample(range(rank), random.randint(1, rank)))
    if is_large:
        shape, axes = [1, random.randint(20, 60), random.randint(20, 60), 2], [1, 2]
    scale = random.choice(SCALES)
    out = scale
    count = math.prod(shape[i] for i in axes)
    if name == "SUM":
        out *= random.choice((1, math.sqrt(count), count)) * random.uniform(0.7, 1.6)
    elif name == "MEAN" and random.random() < 0.6:
        out *= random.choice((0.02, 0.3, 1)) * random.uniform(0.7, 1.6)
    net = Network()
    x = wide(net, shape, scale)
    kept = [extent for i, extent in enumerate(shape) if i not in axes]
    y = wide(net, kept, out)
    net.inputs, net.outputs = [x], [y]
    axis = net.tensor([len(axes)], type="INT32", data=axes)
    net.operator(name, [x, axis], [y], "ReducerOptions", keep_dims=False)
    factor = multiplier(scale / out) if name == "SUM" else mean_factor(scale / out, count)
    function = max if name == "REDUCE_MAX" else lambda v: clamp(16, scaled(sum(v), factor))
    return net, lambda v: ref.reduce(shape, v, axes, function)


def rectifier(name, other_scale=False):
    scale = random.choice(SCALES)
    out = scale * random.uniform(0.3, 3) if other_scale else scale
    net = Network()
    x = wide(net, random_map(), scale)
    y = wide(net, x.shape, out)
    net.inputs, net.outputs = [x], [y]
    net.operator(name, [x], [y])
    factor = multiplier(scale / out)
    return net, lambda v: clip(name, out, [scaled(code, factor) for code in v])


def padv2():
    scale = random.choice(SCALES)
    net = Network()
    x = wide(net, random_map(), scale)
    amounts = [(0, 0)] + [(random.randint(0, 2), random.randint(0, 3)) for _ in range(3)]
    code = random.randint(-32768, 32767)
    table = net.tensor([4, 2], type="INT32", data=[n for pair in amounts for n in pair])
    value = wide(net, [1], random.choice((scale, None)), [code])
    shape, _ = ref.pad(x.shape, [0] * x.size(), amounts, code)
    y = wide(net, shape, scale)
    net.inputs, net.outputs = [x], [y]
    net.operator("PADV2", [x, table, value], [y])
    return net, lambda v: ref.pad(x.shape, v, amounts, code)[1]


def squared_difference():
    """Both operands are rounded in steps of twice the greater scale; results are of a scale
    that about holds their squares."""
    shape = random_map()
    left, right = random.choice(SCALES), random.choice(SCALES)
    left *= random.choice((1, random.uniform(0.5, 2)))
    step = 2 * max(left, right)
    out = step**2 * 2**15 * random.choice((1, random.uniform(0.3, 3)))
    net = Network()
    x = wide(net, shape, left)
    w = wide(net, random.choice((shape, shape[3:])), right)
    y = wide(net, shape, out)
    net.inputs, net.outputs = [x, w], [y]
    net.operator("SQUARED_DIFFERENCE", [x, w], [y])
    factors = [multiplier(scale / step) for scale in (left, right)]

    def compute(v, u):
        u = ref.broadcast(w.shape, u, shape)
        pairs = [scaled(a, factors[0]) - scaled(b, factors[1]) for a, b in zip(v, u)]
        factor = multiplier(step**2 / out)
        return [clamp(16, scaled(pair**2, factor)) for pair in pairs]

    return net, compute


# What is made of each operator, and by how many steps it may be off.
KINDS = {
    "MAX_POOL_2D": (lambda: pool("MAX_POOL_2D"), 0),
    "AVERAGE_POOL_2D": (lambda: pool("AVERAGE_POOL_2D"), 1),
    "AVERAGE_POOL_2D of other scales": (lambda: pool("AVERAGE_POOL_2D", True), 1),
    "MEAN": (lambda: reduction("MEAN"), 1),
    "MEAN of large maps": (lambda: reduction("MEAN", True), 1),
    "SUM": (lambda: reduction("SUM"), 1),
    "REDUCE_MAX": (lambda: reduction("REDUCE_MAX"), 0),
    "RELU": (lambda: rectifier("RELU"), 0),
    "RELU6": (lambda: rectifier("RELU6"), 0),
    "RELU_N1_TO_1": (lambda: rectifier("RELU_N1_TO_1"), 0),
    "RELU_0_TO_1": (lambda: rectifier("RELU_0_TO_1"), 0),
    "RELU of other scales": (lambda: rectifier("RELU", True), 1),
    "RELU6 of other scales": (lambda: rectifier("RELU6", True), 1),
    "RELU_N1_TO_1 of other scales": (lambda: rectifier("RELU_N1_TO_1", True), 1),
    "RELU_0_TO_1 of other scales": (lambda: rectifier("RELU_0_TO_1", True), 1),
    "PADV2": (padv2, 0),
    "SQUARED_DIFFERENCE": (squared_difference, 4),
}


def random_codes(count):
    """Of the whole range, of one end, or of both ends alone: there factors tell most."""
    low, high = random.choice(
        ((-32768, 32767), (-300, 300), (32000, 32767), (-32768, -32000), (-32768, 32767))
    )
    return [random.randint(low, high) for _ in range(count)]


def run(tool, folder, inputs, options):
    command = [tool, os.path.join(folder, "net.tflite"), *options]
    for i in range(inputs):
        command += ["--input", "%d=%s" % (i, os.path.join(folder, "%d.npy" % i))]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(" ".join(command) + ": " + done.stdout + done.stderr)
    return done


def main():
    tool, folder, count, *form = sys.argv[1:]
    random.seed(16)
    wrong = 0
    options = ["--average=" + name for name in form]
    for name, (make, most) in KINDS.items():
        if form and not name.startswith(("AVERAGE", "MEAN")):
            continue
        off = elements = worst = moved = 0
        for i in range(int(count)):
            net, compute = make()
            net.write(os.path.join(folder, "net.tflite"))
            codes = [random_codes(x.size()) for x in net.inputs]
            for place, (x, values) in enumerate(zip(net.inputs, codes)):
                write_npy(os.path.join(folder, "%d.npy" % place), "INT16", x.shape, values)
            run(tool, folder, len(codes), [*options, "--output-dir", folder])
            found = read_npy(os.path.join(folder, "output_0.npy"))[1]
            wanted = compute(*codes)
            if len(found) != len(wanted):
                raise SystemExit("%s: %d elements, but %d" % (name, len(wanted), len(found)))
            distances = [abs(a - b) for a, b in zip(found, wanted)]
            elements += len(distances)
            off += sum(d > 0 for d in distances)
            worst = max(worst, *distances)
            for size in LOCAL_BYTES["large" in name] if i < 3 else ():
                other = os.path.join(folder, "local")
                target = "vpx,npu-bytes=%d" % size
                local = ["--placement", "local", "--target", target, "--output-dir", other]
                run(tool, folder, len(codes), [*options, *local])
                moved += read_npy(os.path.join(other, "output_0.npy"))[1] != found
        wrong += (worst > most) + moved
        print(
            "%s: %d of %d off, %.2f %%, by up to %d; %d other bytes in local memory"
            % (name, off, elements, 100 * off / elements, worst, moved)
        )
    print("%d wrong" % wrong)
    sys.exit(wrong > 0)


main()
