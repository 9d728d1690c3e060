# SPDX-License-Identifier: Apache-2.0
#
# Networks that are rejected, with the reason: operators that move elements or
# find them.

from invalid import case, quantized, unary
from tflite import Network


@case("expected an output of 32 elements, but got 16")
def reshape_size():
    return unary("RESHAPE", y={"shape": [16]})


@case("expected 4 dimensions to permute, but got 3")
def transpose_count():
    return unary("TRANSPOSE", more=[[2, 1, 0]])


@case("expected each of 4 dimensions once, but got 1")
def transpose_twice():
    return unary("TRANSPOSE", more=[[0, 1, 1, 2]])


@case("expected tensor 1 't1' at byte N to have the permuted shape, but got another")
def transpose_shape():
    return unary("TRANSPOSE", more=[[0, 1, 3, 2]])


@case("expected 2 amounts for each of 4 dimensions, but got 2")
def pad_count():
    return unary("PAD", more=[[0, 0]])


@case("expected dimension 1 of the output to be 4 + 1 + 0, but got 4")
def pad_size():
    return unary("PAD", more=[[0, 0, 1, 0, 0, 0, 0, 0]])


@case("expected a constant of one int8 to pad with, but got 4 bytes of int32")
def pad_code():
    return unary("PADV2", more=[[0] * 8, [1]])


def pad_with(code, **parts):
    operand = {"type": code, "scale": 0.1}
    net = unary("PADV2", x=operand, y=operand, more=[[0] * 8])
    constant = net.tensor(**{**dict(shape=[1], scale=0.1, type=code, data=[5]), **parts})
    net.operators[0]["inputs"].append(constant.index)
    return net


@case("expected a constant of one int16 to pad with, but got 1 bytes of int8")
def pad_wide_with_byte():
    return pad_with("INT16", type="INT8")


@case("expected a constant of one int8 to pad with, but got 1 bytes of uint8")
def pad_other_byte():
    return pad_with("INT8", type="UINT8", scale=None, data=[200])


@case("expected a constant of one int16 to pad with, but got 4 bytes of int16")
def pad_wide_with_two():
    return pad_with("INT16", shape=[2], data=[5, 6])


@case("expected tensor 3 't3' at byte N to be of the scale of tensor 1 't1' at byte N, 1.000000e-01, "
      "but got 2.000000e-01")
def pad_wide_scale():
    return pad_with("INT16", scale=0.2)


@case("expected tensor 3 't3' at byte N to be of the format of tensor 1 't1' at byte N, "
      "!mli.sa8<26214:18:0>, but got !mli.sa8<26214:18:4>")
def pad_format():
    return pad_with("INT8", zero=4)


@case("expected a slice of dimension 1, 4, but got 4 from 1")
def slice_end():
    return unary("SLICE", more=[[0, 1, 0, 0], [1, 4, 4, 2]])


@case("expected tensor 2 't2' at byte N to have 4 numbers, but got 3")
def slice_count():
    return unary("SLICE", more=[[0, 1, 0], [1, 3, 4]])


@case("expected an output of 24 elements, but got 32")
def slice_size():
    return unary("SLICE", more=[[0, 1, 0, 0], [1, 3, 4, 2]])


@case("expected steps of at least 1, but got -1")
def slice_step():
    return unary(
        "STRIDED_SLICE", "StridedSliceOptions", more=[[0] * 4, [1, 4, 4, 2], [1, -1, 1, 1]]
    )


@case("expected a slice of dimension 1, 4, but got [2, 2)")
def slice_empty():
    return unary(
        "STRIDED_SLICE", "StridedSliceOptions", more=[[0, 2, 0, 0], [1, 2, 4, 2], [1] * 4]
    )


@case("expected no ellipsis, new axis or offset, but got masks 1, 0")
def slice_ellipsis():
    return unary(
        "STRIDED_SLICE", "StridedSliceOptions", more=[[0] * 4, [1, 4, 4, 2], [1] * 4],
        ellipsis_mask=1,
    )


@case("expected an axis of 4 dimensions, but got 4")
def joined_axis():
    return unary("CONCATENATION", "ConcatenationOptions", axis=4)


@case("expected no fused activation, but got 1")
def joined_activation():
    return unary("CONCATENATION", "ConcatenationOptions", fused_activation_function="RELU")


@case("expected inputs of 8 together, but got 4")
def joined_size():
    return unary("CONCATENATION", "ConcatenationOptions", y={"shape": [1, 8, 4, 2]}, axis=1)


@case("expected tensor 0 't0' at byte N to fit the output, but got 32 elements")
def packed_size():
    return unary("PACK", "PackOptions", axis=1, values_count=1, y={"shape": [1, 2, 4, 4]})


@case("expected outputs of 4 together, but got more")
def split_size():
    net = unary("SPLIT", "SplitOptions", y={"shape": [1, 5, 4, 2]}, more=[[1]])
    net.operators[0]["inputs"] = [2, 0]
    return net


@case("expected tensor 1 't1' at byte N to have the dimensions of the input, but got 3")
def split_rank():
    net = unary("SPLIT", "SplitOptions", y={"shape": [4, 4, 2]}, more=[[1]])
    net.operators[0]["inputs"] = [2, 0]
    return net


@case("expected input and output that differ by blocks of size 2, but got others")
def blocks_size():
    return unary("SPACE_TO_DEPTH", "SpaceToDepthOptions", block_size=2)


@case("expected an output of 16 elements, but got 32")
def arg_max_size():
    return unary("ARG_MAX", more=[[3]], y={"type": "INT32", "scale": None})


@case("expected tensor 1 't1' at byte N to be of the type of tensor 0 't0' at byte N, int32, not "
      "quantised, but got int8, quantised")
def reshape_type():
    return unary("RESHAPE", x={"type": "INT32", "scale": None})


@case("expected tensor 1 't1' at byte N to be of the type of tensor 0 't0' at byte N, int32, "
      "quantised, but got int32, not quantised")
def transpose_scale():
    return unary(
        "TRANSPOSE", x={"type": "INT32"}, y={"type": "INT32", "scale": None}, more=[[0, 1, 2, 3]]
    )


@case("expected tensor 0 't0' at byte N to be of the type of tensor 1 't1' at byte N, int8, "
      "quantised, but got int32, not quantised")
def joined_type():
    return unary("CONCATENATION", "ConcatenationOptions", x={"type": "INT32", "scale": None}, axis=1)


@case("expected tensor 1 't1' at byte N to be of the type of tensor 0 't0' at byte N, int8, "
      "quantised, but got uint8, quantised")
def split_type():
    net = unary("SPLIT", "SplitOptions", y={"type": "UINT8"}, more=[[1]])
    net.operators[0]["inputs"] = [2, 0]
    return net


def joined(type, scale, data):
    """A constant behind an input of no quantisation."""
    net = Network()
    x = net.tensor([1, 2], scale, type=type)
    constant = net.tensor([1, 2], scale, type=type, data=data)
    y = net.tensor([2, 2], scale, type=type)
    net.inputs, net.outputs = [x], [y]
    net.operator("CONCATENATION", [x, constant], [y], "ConcatenationOptions", axis=0)
    return net


@case("expected tensor 1 't1' at byte N to be of integers, as constants are, but got float32")
def real_constant():
    return quantized(joined("FLOAT32", None, [0.5, 1.5]))


@case("expected element 1 of tensor 1 't1' at byte N to be in [-2147483648, 2147483647], but got "
      "-2147483649")
def long_constant():
    return joined("INT64", None, [2**31 - 1, -(2**31) - 1])


def resized(name, x=(1, 4, 4, 2), y=(1, 8, 8, 2), **fields):
    options = {"RESIZE_BILINEAR": "ResizeBilinearOptions"}.get(name, "ResizeNearestNeighborOptions")
    return unary(name, options, {"shape": list(x)}, {"shape": list(y)}, [[8, 8]], **fields)


@case("expected tensor 1 't1' at byte N to have the batch and channels of the input, but got others")
def resize_channels():
    return resized("RESIZE_BILINEAR", y=[1, 8, 8, 4])


@case("expected aligned corners or centers of pixels, but got both")
def resize_both():
    return resized("RESIZE_NEAREST_NEIGHBOR", align_corners=True, half_pixel_centers=True)


@case("expected at most 1024 moves for dimension 1, but got 1400")
def resize_many():
    return resized("RESIZE_NEAREST_NEIGHBOR", [1, 3000, 4, 1], [1, 1400, 4, 1])


@case("expected tensor 0 't0' at byte N to be int8, uint8 or int16, but got another type")
def resize_numbers():
    wide = {"type": "INT32", "scale": 0.1}
    return unary(
        "RESIZE_BILINEAR", "ResizeBilinearOptions", {**wide, "shape": [1, 2, 2, 1]},
        {**wide, "shape": [1, 4, 4, 1]}, [[4, 4]],
    )


@case("expected a scale whose inverse has a format, but got 1.000000e+36")
def resize_scale():
    large = {"scale": 1e36}
    return unary(
        "RESIZE_BILINEAR", "ResizeBilinearOptions", {**large, "shape": [1, 2, 2, 1]},
        {**large, "shape": [1, 4, 4, 1]}, [[4, 4]],
    )


def gathered(places, to, **fields):
    return unary("GATHER", "GatherOptions", {"shape": [3, 2]}, {"shape": to}, [places], **fields)


@case("expected no batch dimensions, but got 1")
def gather_batch():
    return gathered([0], [1, 2], batch_dims=1)


@case("expected indices from 0 to 2, but got 3")
def gather_index():
    return gathered([0, 3], [2, 2])


@case("expected tensor 1 't1' at byte N to have the shape of what is taken, but got another")
def gather_shape():
    return gathered([0, 1], [3, 2])


@case("expected at most 1024 moves for dimension 0, but got 1100")
def gather_many():
    return gathered([0] * 1100, [1100, 2])


@case("expected dimension 1 of the output to be 2 times 3, but got another")
def tile_shape():
    return unary("TILE", None, {"shape": [3, 2]}, {"shape": [3, 4]}, [[1, 3]])


@case("expected tensor 0 't0' at byte N to have the dimensions of the output or 1, but got others")
def broadcast_shape():
    return unary("BROADCAST_TO", None, {"shape": [3, 2]}, {"shape": [3, 4]}, [[3, 4]])


@case("expected padding of dimension 0 from 0 to 2, but got 3")
def mirror_amount():
    return unary(
        "MIRROR_PAD", "MirrorPadOptions", {"shape": [3]}, {"shape": [6]}, [[3, 0]], mode="REFLECT"
    )


@case("expected tensor 1 't1' at byte N to have the shape of what is taken, but got another")
def mirror_shape():
    return unary(
        "MIRROR_PAD", "MirrorPadOptions", {"shape": [3]}, {"shape": [6]}, [[2, 0]], mode="REFLECT"
    )


@case("expected an output of 4 numbers of 32 bits, but got tensor 1 't1' at byte N")
def shape_numbers():
    return unary("SHAPE", y={"shape": [3], "type": "INT32", "scale": None})
