// SPDX-License-Identifier: Apache-2.0

#include "RandomKernels.h"

#include "RandomCells.h"
#include "RandomNetwork.h"
#include "RandomWindows.h"

#include <algorithm>

using namespace mli;
using namespace mli::test;

/// The operands of `op` are of `shape`, or scalars where `isScalar` says so.
static std::string eltwise(Random &random, const std::string &name,
                           const std::string &op, const std::string &element) {
  Function function(random, name);
  Shape shape = randomShape(random), lhsShape = shape, rhsShape = shape;
  std::string lhs, rhs;
  // Of two scalars the result would have the shape of the second.
  bool mayBeScalar =
      std::any_of(shape.begin(), shape.end(), [](int64_t i) { return i > 1; });
  if (int64_t scalar = pick(random, 0, 2); mayBeScalar && scalar == 1)
    lhsShape = {1};
  else if (mayBeScalar && scalar == 2)
    rhsShape = {1};
  lhs = function.argument(shape, element);
  rhs = function.argument(shape, element);
  // A scalar is one by its type.
  auto operandType = [&](const Shape &operand) {
    return operand == shape ? function.used(shape, element)
                            : "tensor<1x!mli." + element + ">";
  };
  auto constant = "mli.constant dense<17> : tensor<1xi" +
                  std::string(element.rfind("fx16", 0) == 0 ? "16" : "8") +
                  "> to tensor<1x!mli." + element + ">";
  std::string scalars = "  %scalar = " + constant + "\n";
  if (lhsShape != shape)
    lhs = "%scalar";
  if (rhsShape != shape)
    rhs = "%scalar";
  std::string init = function.init(shape, element);
  std::string text = function.finish(function.kernel(
      op + " ins(" + lhs + ", " + rhs + " : " + operandType(lhsShape) + ", " +
          operandType(rhsShape) + ") outs(" + init + " : " +
          function.used(shape, element) + ")",
      shape, element));
  return text.insert(text.find("{\n") + 2, scalars);
}

/// `op` from `input` to `output`, with `attributes` of the rank and a
/// dimension.
static std::string
unary(Random &random, const std::string &name, const std::string &op,
      const std::string &input, const std::string &output,
      const std::function<std::string(int64_t)> &attributes) {
  Function function(random, name);
  Shape shape = randomShape(random);
  int64_t dim = pick(random, 0, static_cast<int64_t>(shape.size()) - 1);
  std::string from = function.argument(shape, input);
  std::string init = function.init(shape, output);
  return function.finish(function.kernel(
      op + " ins(" + from + " : " + function.used(shape, input) + ") outs(" +
          init + " : " + function.used(shape, output) + ")" + attributes(dim),
      shape, output));
}

static std::string slopes(Random &random, const std::string &name, bool isOne) {
  Function function(random, name);
  std::string element = "fx16<10>", slope = "fx16<13>";
  Shape shape = randomShape(random), slopeShape{1};
  int64_t dim = pick(random, 0, static_cast<int64_t>(shape.size()) - 1);
  if (!isOne) {
    slopeShape.assign(shape.size(), 1);
    slopeShape[dim] = shape[dim];
  }
  std::string from = function.argument(shape, element);
  std::string factors = function.argument(slopeShape, slope);
  std::string init = function.init(shape, element);
  return function.finish(function.kernel(
      std::string(isOne ? "leaky_relu" : "prelu") + " ins(" + from + ", " +
          factors + " : " + function.used(shape, element) + ", " +
          function.used(slopeShape, slope) + ") outs(" + init + " : " +
          function.used(shape, element) + ")" +
          (isOne ? "" : " {axis = " + std::to_string(dim) + " : i32}"),
      shape, element));
}

static Shape randomPermutation(Random &random, size_t rank) {
  Shape permutation;
  for (size_t i = 0; i < rank; ++i)
    permutation.push_back(static_cast<int64_t>(i));
  std::shuffle(permutation.begin(), permutation.end(), random);
  return permutation;
}

static std::string permute(Random &random, const std::string &name) {
  Function function(random, name);
  Shape shape = randomShape(random), permuted;
  Shape permutation = randomPermutation(random, shape.size());
  for (int64_t dim : permutation)
    permuted.push_back(shape[dim]);
  std::string element = "sa8<3:6:-5>";
  std::string from = function.argument(shape, element);
  std::string init = function.init(permuted, element);
  return function.finish(function.kernel(
      "permute ins(" + from + " : " + function.used(shape, element) +
          ") outs(" + init + " : " + function.used(permuted, element) +
          ") permutation [" + join(permutation) + "]",
      permuted, element));
}

/// Slices, pads, steps, permutes, and writes all of the result or a block of
/// it.
static std::string mov(Random &random, const std::string &name) {
  Function function(random, name);
  Shape shape = randomShape(random);
  size_t rank = shape.size();
  Shape permutation = randomPermutation(random, rank);
  Shape offsets(rank), sizes(rank), steps(rank), written(rank), first(rank);
  Shape low(rank), high(rank);
  bool saysSizes = flip(random);
  for (size_t i = 0; i < rank; ++i) {
    if (pick(random, 0, 2) == 0) {
      low[i] = pick(random, 0, 2);
      high[i] = pick(random, 0, 2);
    }
    int64_t padded = shape[i] + low[i] + high[i];
    offsets[i] = pick(random, 0, padded - 1);
    sizes[i] = padded - offsets[i];
    if (saysSizes)
      sizes[i] = pick(random, 1, sizes[i]);
    steps[i] = pick(random, 1, 2);
  }
  bool isPartial = flip(random);
  Shape result(rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t p = permutation[i];
    written[i] = (sizes[p] + steps[p] - 1) / steps[p];
    first[i] = isPartial ? pick(random, 0, 2) : 0;
    result[i] = written[i] + first[i] + (isPartial ? pick(random, 0, 2) : 0);
  }
  std::string element = "fx16<10>";
  std::string from = function.argument(shape, element);
  std::string init = function.argument(result, element);
  auto list = [](const std::string &key, const Shape &values) {
    return key + " = array<i64: " + join(values) + ">";
  };
  return function.finish(function.kernel(
      "mov ins(" + from + " : " + function.used(shape, element) + ") outs(" +
          init + " : " + function.used(result, element) + ") {" +
          list("offsets", offsets) +
          (saysSizes ? ", " + list("sizes", sizes) : "") + ", " +
          list("pad_low", low) + ", " + list("pad_high", high) + ", " +
          list("steps", steps) + ", " + list("permutation", permutation) +
          (isPartial ? ", " + list("dst_offsets", first) : "") + "}",
      result, element));
}

std::vector<KernelFamily> mli::getKernelFamilies() {
  std::vector<KernelFamily> families;
  auto add = [&](const std::string &name, auto write, auto... parameters) {
    families.push_back({name, [=](Random &random, const std::string &function) {
                          return write(random, function, parameters...);
                        }});
  };
  for (const char *kind : {"fx16", "fx16_fx8", "sa8", "axis"}) {
    std::string suffix = std::string("_") + kind;
    for (const char *op : {"conv2d", "depthwise_conv2d", "group_conv2d"})
      add(op + suffix, conv, op, kind);
    add("transpose_conv2d" + suffix, transposeConv, kind);
    add("fully_connected" + suffix, fullyConnected, kind);
  }
  for (const char *op : {"avepool", "maxpool"})
    for (const char *element : {"fx8<5>", "fx16<10>", "sa8<3:6:-5>"})
      add(op + std::string("_") + std::string(element).substr(0, 3), pool, op,
          element);
  for (const char *op : {"eltwise_add", "eltwise_sub", "eltwise_mul",
                         "eltwise_min", "eltwise_max"})
    for (const char *element : {"fx16<10>", "sa8<3:6:-5>"})
      add(op + std::string("_") + std::string(element).substr(0, 3), eltwise,
          op, element);
  add("rnn_dense", rnnDense);
  auto none = [](int64_t) { return std::string(); };
  auto axis = [](int64_t dim) {
    return " {axis = " + std::to_string(dim) + " : i32}";
  };
  auto relu = [](int64_t) { return std::string(" {relu = #mli.relu<relu1>}"); };
  add("convert", unary, "convert", "sa8<3:6:-5>", "fx16<12>", none);
  add("relu", unary, "relu", "fx8<5>", "fx8<5>", relu);
  add("sigm", unary, "sigm", "fx16<11>", "fx16<15>", none);
  add("tanh", unary, "tanh", "sa8<3:6:-5>", "sa8<1:7:0>", none);
  add("softmax", unary, "softmax", "sa8<3:6:-5>", "sa8<1:8:-128>", axis);
  add("l2_normalize", unary, "l2_normalize", "fx16<11>", "fx16<15>", axis);
  add("leaky_relu", slopes, true);
  add("prelu", slopes, false);
  add("permute", permute);
  add("mov", mov);
  add("chain", chain);
  add("network", network);
  return families;
}

std::vector<KernelFamily> mli::getWholeFamilies() {
  std::vector<KernelFamily> families;
  for (const char *op : {"lstm_cell", "gru_cell"})
    for (const char *kind : {"fx16", "sa8", "axis"})
      families.push_back({op + std::string("_") + kind,
                          [=](Random &random, const std::string &function) {
                            return cell(random, function, op, kind);
                          }});
  for (const char *element : {"fx16<10>", "sa8<3:6:-5>"})
    families.push_back({"argmax_" + std::string(element).substr(0, 3),
                        [=](Random &random, const std::string &function) {
                          return argmax(random, function, element);
                        }});
  families.push_back({"sigm_table", tabled});
  return families;
}
