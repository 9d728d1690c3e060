// SPDX-License-Identifier: Apache-2.0

#include "RandomKernels.h"

#include <algorithm>

using namespace mli;

using Shape = std::vector<int64_t>;
using Random = std::mt19937;

static int64_t pick(Random &random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

static bool flip(Random &random) { return pick(random, 0, 1) == 1; }

static std::string join(const Shape &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

namespace {

/// A function under construction: values have the types of their arguments, or
/// the same with all sizes forgotten.
class Function {
public:
  Function(Random &random, std::string name)
      : name(std::move(name)), isDynamic(pick(random, 0, 3) == 0) {}

  /// Adds an argument; returns its value.
  std::string argument(const Shape &shape, const std::string &element) {
    std::string value = "%a" + std::to_string(count++);
    arguments +=
        (arguments.empty() ? "" : ", ") + value + ": " + type(shape, element);
    return forget(value, shape, element);
  }

  /// Adds a tensor to compute into; returns its value.
  std::string init(const Shape &shape, const std::string &element) {
    std::string value = "%e" + std::to_string(count++);
    body += "  " + value + " = tensor.empty() : " + type(shape, element) + "\n";
    return forget(value, shape, element);
  }

  /// Adds a kernel: `text` between its name and the type of its result.
  std::string kernel(const std::string &text, const Shape &shape,
                     const std::string &element) {
    std::string value = "%r" + std::to_string(count++);
    body +=
        "  " + value + " = mli." + text + " -> " + used(shape, element) + "\n";
    resultShape = shape;
    resultElement = element;
    return value;
  }

  /// The type that values of `shape` and `element` are used with.
  std::string used(const Shape &shape, const std::string &element) const {
    return type(isDynamic ? Shape(shape.size(), -1) : shape, element);
  }

  std::string finish(const std::string &result) const {
    std::string known = type(resultShape, resultElement);
    std::string text = "func.func @" + name + "(" + arguments + ") -> " +
                       known + " {\n" + body;
    if (!isDynamic)
      return text + "  return " + result + " : " + known + "\n}\n";
    return text + "  %known = tensor.cast " + result + " : " +
           used(resultShape, resultElement) + " to " + known +
           "\n  return %known : " + known + "\n}\n";
  }

private:
  static std::string type(const Shape &shape, const std::string &element) {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += (size < 0 ? "?" : std::to_string(size)) + "x";
    return text + (element == "f32" ? element : "!mli." + element) + ">";
  }

  std::string forget(const std::string &value, const Shape &shape,
                     const std::string &element) {
    if (!isDynamic)
      return value;
    body += "  " + value + "d = tensor.cast " + value + " : " +
            type(shape, element) + " to " + used(shape, element) + "\n";
    return value + "d";
  }

  std::string name, arguments, body;
  bool isDynamic;
  int count = 0;
  Shape resultShape;
  std::string resultElement;
};

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

static std::string conv(Random &random, const std::string &name,
                        const std::string &op, const std::string &kind) {
  Function function(random, name);
  Way rows(random, true), columns(random, true);
  int64_t depth = pick(random, 1, 3), filters = pick(random, 2, 5);
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

static std::string transposeConv(Random &random, const std::string &name,
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
  int64_t depth = pick(random, 1, 3), filters = pick(random, 2, 5);
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

static std::string pool(Random &random, const std::string &name,
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

static std::string fullyConnected(Random &random, const std::string &name,
                                  const std::string &kind) {
  Function function(random, name);
  int64_t outputs = pick(random, 2, 9);
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

static std::string rnnDense(Random &random, const std::string &name) {
  Function function(random, name);
  int64_t outputs = pick(random, 2, 9);
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

static Shape randomShape(Random &random) {
  Shape shape(pick(random, 1, 4));
  for (int64_t &size : shape)
    size = pick(random, 2, 6);
  return shape;
}

/// The operands of `op` are of `shape`, or scalars where `isScalar` says so.
static std::string eltwise(Random &random, const std::string &name,
                           const std::string &op, const std::string &element) {
  Function function(random, name);
  Shape shape = randomShape(random), lhsShape = shape, rhsShape = shape;
  std::string lhs, rhs;
  if (int64_t scalar = pick(random, 0, 2); scalar == 1)
    lhsShape = {1};
  else if (scalar == 2)
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

/// conv2d, relu and a pool, each of the result of the one before.
static std::string chain(Random &random, const std::string &name) {
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
  return families;
}
