// SPDX-License-Identifier: Apache-2.0

#include "RandomWindows.h"

#include <algorithm>

using namespace mli;
using namespace mli::test;

namespace {

/// Elements of a kernel with weights.
struct Weighted {
  std::string input, weights, bias, output;
};

/// One set of parameters an index.
std::string perAxis(const std::string &type, int axis, int64_t count,
                    const std::string &tail) {
  std::string text = type + "<axis = " + std::to_string(axis) + ", {";
  for (int64_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(3 + 2 * i) + tail;
  return text + "}>";
}

} // namespace

static Weighted weighted(const std::string &kind, int axis, int64_t filters) {
  if (kind == "fx16")
    return {"fx16<10>", "fx16<14>", "fx16<10>", "fx16<9>"};
  if (kind == "fx16_fx8")
    return {"fx16<10>", "fx8<7>", "fx8<5>", "fx16<9>"};
  if (kind == "sa8")
    return {"sa8<1:4:-128>", "sa8<5:10:0>", "sa32<5:14:0>", "sa8<1:2:-5>"};
  return {"sa8<1:4:-128>", perAxis("sa8", axis, filters, ":10:0"),
          perAxis("sa32", 0, filters, ":14:0"), "sa8<1:2:-5>"};
}

/// The window along one dimension.
struct Way {
  explicit Way(Random &random, bool hasDilation)
      : taps(pick(random, 1, 4)), stride(pick(random, 1, 3)),
        dilation(hasDilation ? pick(random, 1, 2) : 1) {
    int64_t extent = (taps - 1) * dilation + 1;
    before = pick(random, 0, extent - 1);
    after = pick(random, 0, extent - 1);
    input = std::max<int64_t>(pick(random, 1, 12), extent - before - after);
    output = (input + before + after - extent) / stride + 1;
    // Not all that fits has to be computed.
    output -= output > 1 && flip(random) ? 1 : 0;
  }

  int64_t taps, stride, dilation, before, after, input, output;
};

static std::string windowText(const Way &rows, const Way &columns) {
  return " pad [" +
         join({rows.before, rows.after, columns.before, columns.after}) + "]";
}

std::string test::conv(Random &random, const std::string &name,
                       const std::string &op, const std::string &kind) {
  Function function(random, name);
  Way rows(random, true), columns(random, true);
  int64_t depth = pick(random, 1, 3), filters = pick(random, 1, 5);
  int64_t groups = op == "group_conv2d" ? pick(random, 2, 3) : 1;
  if (op == "depthwise_conv2d")
    groups = filters;
  if (op == "depthwise_conv2d")
    depth = 1;
  if (op == "group_conv2d")
    filters *= groups;
  Weighted types = weighted(kind, 3, filters);
  Shape in{rows.input, columns.input, depth * groups};
  Shape weights{rows.taps, columns.taps, depth, filters};
  Shape out{rows.output, columns.output, filters};
  std::string input = function.argument(in, types.input);
  std::string w = function.argument(weights, types.weights);
  std::string b = function.argument({filters}, types.bias);
  std::string init = function.init(out, types.output);
  return function.finish(function.kernel(
      op + " ins(" + input + ", " + w + ", " + b + " : " +
          function.used(in, types.input) + ", " +
          function.used(weights, types.weights) + ", " +
          function.used({filters}, types.bias) + ") outs(" + init + " : " +
          function.used(out, types.output) + ")" + windowText(rows, columns) +
          " {strides = array<i64: " + join({rows.stride, columns.stride}) +
          ">, dilations = array<i64: " +
          join({rows.dilation, columns.dilation}) + ">" +
          (flip(random) ? ", relu = #mli.relu<gen>}" : "}"),
      out, types.output));
}

std::string test::transposeConv(Random &random, const std::string &name,
                                const std::string &kind) {
  Function function(random, name);
  auto makeWay = [&random] {
    Way way(random, false);
    way.stride = std::min(way.stride, way.taps);
    way.before = pick(random, 0, way.taps - 1);
    way.after = pick(random, 0, way.taps - 1);
    do {
      way.input = pick(random, 1, 6);
      way.output =
          (way.input - 1) * way.stride + way.taps - way.before - way.after;
    } while (way.output < 1);
    return way;
  };
  Way rows = makeWay(), columns = makeWay();
  int64_t depth = pick(random, 1, 3), filters = pick(random, 1, 5);
  Weighted types = weighted(kind, 3, filters);
  Shape in{rows.input, columns.input, depth};
  Shape weights{rows.taps, columns.taps, depth, filters};
  Shape out{rows.output, columns.output, filters};
  std::string input = function.argument(in, types.input);
  std::string w = function.argument(weights, types.weights);
  std::string b = function.argument({filters}, types.bias);
  std::string init = function.init(out, types.output);
  return function.finish(function.kernel(
      "transpose_conv2d ins(" + input + ", " + w + ", " + b + " : " +
          function.used(in, types.input) + ", " +
          function.used(weights, types.weights) + ", " +
          function.used({filters}, types.bias) + ") outs(" + init + " : " +
          function.used(out, types.output) + ")" + windowText(rows, columns) +
          " {strides = array<i64: " + join({rows.stride, columns.stride}) +
          ">}",
      out, types.output));
}

std::string test::pool(Random &random, const std::string &name,
                       const std::string &op, const std::string &element) {
  Function function(random, name);
  Way rows(random, false), columns(random, false);
  int64_t channels = pick(random, 1, 4);
  Shape in{rows.input, columns.input, channels};
  Shape out{rows.output, columns.output, channels};
  std::string input = function.argument(in, element);
  std::string init = function.init(out, element);
  return function.finish(function.kernel(
      op + " ins(" + input + " : " + function.used(in, element) + ") outs(" +
          init + " : " + function.used(out, element) + ") kernel [" +
          join({rows.taps, columns.taps}) + "]" + windowText(rows, columns) +
          " {strides = array<i64: " + join({rows.stride, columns.stride}) +
          ">}",
      out, element));
}

std::string test::fullyConnected(Random &random, const std::string &name,
                                 const std::string &kind) {
  Function function(random, name);
  int64_t outputs = pick(random, 1, 9);
  Weighted types = weighted(kind, 1, outputs);
  Shape in{pick(random, 1, 3), pick(random, 1, 3), pick(random, 1, 3)};
  Shape weights{in[0] * in[1] * in[2], outputs};
  std::string input = function.argument(in, types.input);
  std::string w = function.argument(weights, types.weights);
  std::string b = function.argument({outputs}, types.bias);
  std::string init = function.init({outputs}, types.output);
  return function.finish(function.kernel(
      "fully_connected ins(" + input + ", " + w + ", " + b + " : " +
          function.used(in, types.input) + ", " +
          function.used(weights, types.weights) + ", " +
          function.used({outputs}, types.bias) + ") outs(" + init + " : " +
          function.used({outputs}, types.output) + ")",
      {outputs}, types.output));
}

std::string test::rnnDense(Random &random, const std::string &name) {
  Function function(random, name);
  int64_t outputs = pick(random, 1, 9);
  std::string element = "fx16<10>", weight = "fx16<14>";
  std::string inputs, inputTypes, weights, weightTypes;
  for (int i = 0; i < 2; ++i) {
    Shape in{pick(random, 1, 6)}, matrix{in[0], outputs};
    const char *separator = i == 0 ? "" : ", ";
    inputs += separator + function.argument(in, element);
    inputTypes += separator + function.used(in, element);
    weights += separator + function.argument(matrix, weight);
    weightTypes += separator + function.used(matrix, weight);
  }
  std::string b = function.argument({outputs}, element);
  std::string init = function.init({outputs}, element);
  return function.finish(function.kernel(
      "rnn_dense ins(" + inputs + " : " + inputTypes + ") weights(" + weights +
          " : " + weightTypes + ") bias(" + b + " : " +
          function.used({outputs}, element) + ") outs(" + init + " : " +
          function.used({outputs}, element) + ")",
      {outputs}, element));
}

/// conv2d, relu and a pool, each of the result of the one before.
std::string test::chain(Random &random, const std::string &name) {
  Function function(random, name);
  std::string element = "sa8<1:4:-128>";
  Weighted types = weighted("sa8", 3, 0);
  Way rows(random, true), columns(random, true);
  int64_t depth = pick(random, 1, 3), filters = pick(random, 1, 5);
  Shape in{rows.input, columns.input, depth};
  Shape weights{rows.taps, columns.taps, depth, filters};
  Shape middle{rows.output, columns.output, filters};
  std::string w = function.argument(weights, types.weights);
  std::string b = function.argument({filters}, types.bias);
  std::string value = function.argument(in, types.input);
  std::string init = function.init(middle, element);
  std::string map = function.used(middle, element);
  value = function.kernel(
      "conv2d ins(" + value + ", " + w + ", " + b + " : " +
          function.used(in, types.input) + ", " +
          function.used(weights, types.weights) + ", " +
          function.used({filters}, types.bias) + ") outs(" + init + " : " +
          map + ")" + windowText(rows, columns) + " {strides = array<i64: " +
          join({rows.stride, columns.stride}) + ">, dilations = array<i64: " +
          join({rows.dilation, columns.dilation}) + ">}",
      middle, element);
  init = function.init(middle, element);
  value = function.kernel("relu ins(" + value + " : " + map + ") outs(" + init +
                              " : " + map + ") {relu = #mli.relu<relu6>}",
                          middle, element);
  init = function.init(middle, element);
  return function.finish(function.kernel("maxpool ins(" + value + " : " + map +
                                             ") outs(" + init + " : " + map +
                                             ") kernel [3, 2] pad [1, 1, 1, 0]",
                                         middle, element));
}
