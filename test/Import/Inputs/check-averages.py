# SPDX-License-Identifier: Apache-2.0
#
# Averages of random shapes, windows and formats in all forms, against the
# integers of TFLite: check-averages.py MLI_RUN FOLDER COUNT. A pool divides the
# sum of codes, and rounds halves away from 0, or up if they are unsigned; a mean
# is rounded once, half up, as builds of single rounding do it. Prints how many
# elements are off in each form; fails if one is off by more than 1, or more of
# the exact ones than 0.5 %.

import math
import os
import random
import subprocess
import sys
from fractions import Fraction

import reference as ref
from tflite import Network, read_npy, write_npy

FORMS = ("kernel", "near", "exact")


def divide(total, count, is_unsigned):
    """The quotient as TFLite's pools have it: of integers, cut off."""
    if is_unsigned or total > 0:
        return (total + count // 2) // count
    return -((-total + count // 2) // count)


def make_pool(type):
    height, width, channels = (random.randint(1, n) for n in (12, 12, 5))
    kernel = (random.randint(1, min(6, height)), random.randint(1, min(6, width)))
    stride = (random.randint(1, 3), random.randint(1, 3))
    padding = random.choice(("SAME", "VALID", "VALID"))
    shape = [random.choice((1, 1, 2)), height, width, channels]
    low = 0 if type == "UINT8" else -128
    zero = low + random.choice((0, 0, 128, random.randint(0, 255)))
    net = Network()
    x = net.tensor(shape, 0.05, zero, type=type)
    average = lambda codes: divide(sum(codes), len(codes), type == "UINT8")
    compute = lambda v: ref.pool(shape, v, kernel, stride, padding, average)
    y = net.tensor(compute([0] * x.size())[0], 0.05, zero, type=type)
    net.inputs, net.outputs = [x], [y]
    net.operator(
        "AVERAGE_POOL_2D", [x], [y], "Pool2DOptions", padding=padding, stride_h=stride[0],
        stride_w=stride[1], filter_height=kernel[0], filter_width=kernel[1],
        fused_activation_function="NONE",
    )
    return net, lambda v: compute(v)[1]


def make_mean(type):
    shape = [1, random.randint(1, 12), random.randint(1, 12), random.randint(1, 40)]
    low = 0 if type == "UINT8" else -128
    zero, out_zero = (low + random.choice((0, 128, random.randint(0, 255))) for _ in range(2))
    scale = random.choice((0.05, 0.05, 0.05 * random.uniform(0.3, 3)))
    if scale == 0.05:
        out_zero = zero
    net = Network()
    x = net.tensor(shape, 0.05, zero, type=type)
    y = net.tensor([1, shape[3]], scale, out_zero, type=type)
    net.inputs, net.outputs = [x], [y]
    axis = net.tensor([2], type="INT32", data=[1, 2])
    net.operator("MEAN", [x, axis], [y], "ReducerOptions", keep_dims=False)
    ratio = Fraction(1) if scale == 0.05 else Fraction(0.05) / Fraction(scale)

    def average(codes):
        number = (Fraction(sum(codes), len(codes)) - zero) * ratio
        code = math.floor(number + Fraction(1, 2)) + out_zero
        return min(max(code, low), low + 255)

    return net, lambda v: ref.reduce(shape, v, [1, 2], average)


def run(tool, folder, net, values, form):
    model, path = os.path.join(folder, "net.tflite"), os.path.join(folder, "x.npy")
    net.write(model)
    write_npy(path, net.inputs[0].type, net.inputs[0].shape, values)
    command = [tool, model, "--average=" + form, "--input", path, "--output-dir", folder]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return read_npy(os.path.join(folder, "output_0.npy"))[1]


def main():
    tool, folder, count = sys.argv[1:]
    random.seed(11)
    wrong = 0
    for name, make in (("pool", make_pool), ("mean", make_mean)):
        for type in ("INT8", "UINT8"):
            sums = {form: [0, 0] for form in FORMS}
            elements = 0
            for _ in range(int(count)):
                net, compute = make(type)
                low = 0 if type == "UINT8" else -128
                values = [random.randint(low, low + 255) for _ in range(net.inputs[0].size())]
                wanted = compute(values)
                elements += len(wanted)
                for form in FORMS:
                    distances = [abs(a - b) for a, b in zip(wanted, run(tool, folder, net, values, form))]
                    sums[form][0] += sum(d > 0 for d in distances)
                    sums[form][1] = max(sums[form][1], *distances)
            for form, (off, worst) in sums.items():
                is_right = worst <= 1 and (form != "exact" or off <= 0.005 * elements)
                wrong += not is_right
                print(
                    "%s of %s, %s: %d of %d off, %.2f %%, by up to %d%s"
                    % (
                        name, type.lower(), form, off, elements, 100 * off / elements, worst,
                        "" if is_right else ": more than allowed",
                    )
                )
    print("%d wrong" % wrong)
    sys.exit(wrong > 0)


main()
