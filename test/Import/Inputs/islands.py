# SPDX-License-Identifier: Apache-2.0
#
# Networks with parts that no kernel computes, in front of layers, between them
# and behind them: islands.py MLI_TRANSLATE FOLDER prints what becomes of each:
# arguments and results, and messages.

import os
import re
import subprocess
import sys

from tflite import Network

CASES = {}
SHAPE = [1, 4, 4, 2]


def case(*flags):
    def add(function):
        CASES[function.__name__] = (function, flags)
        return function

    return add


class Chain(Network):
    """A network whose operators follow each other, from int8 `x`."""

    def __init__(self, type="INT8"):
        Network.__init__(self)
        self.inputs = [self.value("x", type)]
        self.last = self.inputs[0]

    def value(self, name, type="INT8"):
        scale = None if type == "FLOAT32" else 0.1
        return self.tensor(SHAPE, scale, type=type, name=name)

    def add(self, operator, name, type="INT8", more=(), options=None, **fields):
        y = self.value(name, type)
        self.operator(operator, [self.last] + list(more), [y], options, **fields)
        self.last = y
        return self

    def conv(self, name, type="INT8", weights="INT8", padding="SAME"):
        scale = None if weights == "FLOAT32" else 0.1
        w = self.tensor([2, 3, 3, 2], scale, type=weights, data=[1] * 36, name="w_" + name)
        return self.add("CONV_2D", name, type, [w], "Conv2DOptions", stride_w=1, stride_h=1,
                        padding=padding)

    def end(self, *outputs):
        self.outputs = list(outputs) or [self.last]
        return self


# Behind.


@case()
def custom_behind():
    return Chain().conv("c").add("PosenetDecoderOp", "poses", "FLOAT32").end()


@case()
def two_read_behind():
    net = Chain().conv("a")
    a = net.last
    net.conv("b")
    kept = net.last
    net.conv("c")
    return net.add("TFLite_Detection_PostProcess", "boxes", "FLOAT32", [a]).end(net.last, kept)


@case()
def float_behind():
    net = Chain().conv("c").add("DEQUANTIZE", "d", "FLOAT32").add("CUMSUM", "e", "FLOAT32")
    return net.end()


@case()
def float_layer_behind():
    net = Chain().conv("c").add("DEQUANTIZE", "d", "FLOAT32")
    return net.conv("f", "FLOAT32", "FLOAT32").end()


@case()
def quantised_again_behind():
    net = Chain().conv("c").add("CUMSUM", "e").add("RELU", "r")
    return net.end()


@case()
def conversion_also_given():
    net = Chain().conv("c").add("DEQUANTIZE", "d", "FLOAT32")
    d = net.last
    return net.add("CUMSUM", "e", "FLOAT32").end(d, net.last)


@case()
def elementwise_and_float():
    net = Chain().add("LOGISTIC", "l").add("DEQUANTIZE", "d", "FLOAT32")
    return net.add("CUMSUM", "e", "FLOAT32").end()


# In front.


@case()
def float_in_front():
    net = Chain("FLOAT32").add("CUMSUM", "e", "FLOAT32").add("QUANTIZE", "q").conv("c")
    return net.end()


@case()
def integers_in_front():
    net = Chain().add("RELU", "r").add("CUMSUM", "e").conv("c")
    spare = net.value("spare")
    net.inputs.append(spare)
    return net.end()


@case()
def shared_input():
    net = Chain().add("CUMSUM", "e").conv("c")
    c = net.last
    net.last = net.inputs[0]
    net.conv("d")
    return net.end(c, net.last)


@case()
def both_ends():
    net = Chain("FLOAT32").add("CUMSUM", "e", "FLOAT32").add("QUANTIZE", "q").conv("c")
    net.add("Decode", "k").add("DEQUANTIZE", "d", "FLOAT32")
    return net.end()


# Not cut off.


@case()
def conversions():
    net = Chain("FLOAT32").add("QUANTIZE", "q").conv("c").add("DEQUANTIZE", "d", "FLOAT32")
    return net.end()


@case()
def wide_conversions():
    """Of 16 bits, whose scale kernels do not hold beside float32."""
    net = Chain("FLOAT32").add("QUANTIZE", "q", "INT16").conv("c", "INT16")
    return net.add("DEQUANTIZE", "d", "FLOAT32").end()


@case("--float=keep")
def wide_conversions_kept():
    return wide_conversions()


@case()
def wide_function():
    """Without a layer that has weights."""
    net = Chain("FLOAT32").add("QUANTIZE", "q", "INT16").add("TANH", "t", "INT16")
    return net.add("DEQUANTIZE", "d", "FLOAT32").end()


@case()
def wide_custom():
    """What is cut off has no say in scales."""
    return Chain("INT16").conv("c", "INT16").add("CUMSUM", "e", "INT16").end()


@case("--tflite-output=c")
def wide_and_bytes_asked_for():
    net = Chain("INT16").conv("c", "INT16")
    return net.add("QUANTIZE", "b").add("DEQUANTIZE", "d", "FLOAT32").end()


@case()
def wide_and_bytes():
    """A scale is fixed by float32 beside 8 bits."""
    net = Chain().add("QUANTIZE", "q", "INT16").add("QUANTIZE", "b")
    return net.add("DEQUANTIZE", "d", "FLOAT32").end()


@case("--float=refuse")
def conversions_refused():
    return conversions()


@case("--float=keep")
def float_kept():
    return float_behind()


@case("--cut=none")
def custom_kept():
    return custom_behind()


@case("--float=keep")
def custom_behind_kept_float():
    net = Chain().conv("c").add("DEQUANTIZE", "d", "FLOAT32")
    return net.add("Decode", "k", "FLOAT32").end()


@case("--tflite-output=poses")
def custom_asked_for():
    return custom_behind()


@case()
def between_layers():
    return Chain().conv("a").add("CUMSUM", "e").conv("b").end()


@case()
def between_layers_and_behind():
    return Chain().conv("a").add("Middle", "m").conv("b").add("Last", "l").end()


@case()
def layer_behind():
    return Chain().conv("a").conv("b", padding="VALID").end()


@case()
def no_layer():
    return Chain().add("CUMSUM", "e").add("RESHAPE", "r").end()


@case()
def state():
    net = Chain().conv("c")
    c = net.last
    handle = net.tensor([1], type="RESOURCE", name="h")
    fields = dict(container="c", shared_name="s")
    net.operator("VAR_HANDLE", [], [handle], "VarHandleOptions", **fields)
    net.add("CUMSUM", "e")
    net.operator("ASSIGN_VARIABLE", [handle, net.last], [])
    return net.end(c)


@case()
def many():
    net = Chain().conv("a")
    for i in range(12):
        net.add("CUMSUM", "e%d" % i)
    return net.conv("b").end()


# Not quantised, or made by other compilers.


@case()
def reals():
    return Chain("FLOAT32").conv("c", "FLOAT32", "FLOAT32").add("CUMSUM", "e", "FLOAT32").end()


@case()
def hybrid():
    return Chain("FLOAT32").conv("c", "FLOAT32").add("CUMSUM", "e", "FLOAT32").end()


@case()
def ethos():
    net = Chain().conv("c")
    scratch = net.value("scratch")
    return net.add("ethos-u", "y", "INT8", [scratch]).end()


@case()
def edge_tpu():
    return Chain().add("edgetpu-custom-op", "y").end()


def main():
    tool, folder = sys.argv[1:]
    for name, (create, flags) in CASES.items():
        path = os.path.join(folder, name + ".tflite")
        create().write(path)
        done = subprocess.run(
            [tool, "--import-tflite", "--mlir-print-debuginfo", path] + list(flags),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
        )
        print(" ".join([name] + list(flags)))
        for line in done.stderr.splitlines():
            line = re.sub(r" at byte 0x[0-9a-f]+", "", line)
            print("  " + re.sub(r"^.*?: (error|note|warning): ", r"\1: ", line))
        for line in done.stdout.splitlines():
            if "func.func" in line:
                line = re.sub(r'loc\("(\w+)"[^)]*\)', r"\1", line)
                line = re.sub(r"tensor<1x4x4x2x(f32|!mli\.(sa8)<[^>]*>)>",
                              lambda m: m.group(2) or m.group(1), line)
                print("  " + line.strip(" {"))


if __name__ == "__main__":
    main()
