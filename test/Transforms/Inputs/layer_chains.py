"""layer_chains.py write KERNELS
layer_chains.py check MLI_OPT FOLDER PASS OPTION PLACE...

Chains of layers as mobile networks have them: depthwise and 1x1 convolutions by turns,
each with its own weights, of maps of 2 KB. `write` prints a module of so many kernels.
`check` counts the instructions of a pass on few and on many of them, in each PLACE, a
name and the bytes of an NPU, `fits=262144`: see instruction_counts.py.
"""

import functools
import random
import sys

import instruction_counts

COUNTS = 50, 200
CHANNELS = 8
SCALES = ", ".join(["16384:21:0", "20480:24:0", "28672:24:0", "16384:22:0"] * 2)
TYPES = ("!map = tensor<16x16x8x!mli.sa8<16384:14:-128>>\n"
         "!points = tensor<1x1x8x8x!mli.sa8<axis = 3, {%s}>>\n"
         "!depth = tensor<3x3x1x8x!mli.sa8<axis = 3, {%s}>>\n"
         "!bias = tensor<8x!mli.sa32<axis = 0, {%s}>>\n" % ((SCALES,) * 3))
# The operation, the type and the codes of its weights, and padding.
LAYERS = [("depthwise_conv2d", "!depth", "3x3x1x8xi8", 9 * CHANNELS, 1),
          ("conv2d", "!points", "1x1x8x8xi8", CHANNELS * CHANNELS, 0)]


def make_layer(number, source):
    """The text of a layer that reads %x<number>."""
    operation, kind, codes, size, padding = LAYERS[number % 2]
    weights = source.randbytes(size).hex()
    bias = "".join("%s0000" % source.randbytes(1).hex() + "00" for _ in range(CHANNELS))
    return ('  %%w%d = mli.constant dense<"0x%s"> : tensor<%s> to %s\n'
            '  %%b%d = mli.constant dense<"0x%s"> : tensor<%dxi32> to !bias\n'
            "  %%e%d = tensor.empty() : !map\n"
            "  %%x%d = mli.%s ins(%%x%d, %%w%d, %%b%d : !map, %s, !bias)\n"
            "    outs(%%e%d : !map) pad [%s] -> !map\n"
            % (number, weights, codes, kind, number, bias, CHANNELS, number, number + 1,
               operation, number, number, number, kind, number,
               ", ".join([str(padding)] * 4)))


def write(kernels, attributes=""):
    """The text of a module of so many kernels."""
    source = random.Random(kernels)
    return ("%smodule%s {\nfunc.func @main(%%x0: !map) -> !map {\n%s  return %%x%d : !map\n}\n}\n"
            % (TYPES, attributes,
               "".join(make_layer(number, source) for number in range(kernels)), kernels))


def write_local(npu_bytes, kernels):
    """The same for a target of one NPU of so many bytes."""
    return write(kernels, " attributes {mli.target = #mli.target<vpx, npu_bytes = %s>}"
                 % npu_bytes)


def main():
    if sys.argv[1] == "write":
        sys.stdout.write(write(int(sys.argv[2])))
        return
    tool, folder, name, option = sys.argv[2:6]
    places = dict(place.split("=") for place in sys.argv[6:])
    instruction_counts.check(
        tool, name, option, folder,
        {place: functools.partial(write_local, size) for place, size in places.items()},
        COUNTS)


main()
