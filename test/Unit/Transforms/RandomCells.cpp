// SPDX-License-Identifier: Apache-2.0

#include "RandomCells.h"

using namespace mli;
using namespace mli::test;

namespace {

/// Elements of a cell.
struct CellTypes {
  std::string input, weights, bias, state;
};

} // namespace

static CellTypes cellTypes(const std::string &kind, int64_t gates) {
  if (kind == "fx16")
    return {"fx16<10>", "fx16<14>", "fx16<10>", "fx16<15>"};
  if (kind == "sa8")
    return {"sa8<1:4:-128>", "sa8<5:10:0>", "sa32<5:14:0>", "sa8<1:7:0>"};
  std::string perGate = gates == 4 ? "{5$, 3$, 7$, 9$}>" : "{5$, 3$, 7$}>";
  auto along = [&](std::string type, const std::string &tail) {
    type += "<axis = 0, " + perGate;
    for (size_t i; (i = type.find('$')) != std::string::npos;)
      type.replace(i, 1, tail);
    return type;
  };
  return {"sa8<1:4:-128>", along("sa8", ":10:0"), along("sa32", ":14:0"),
          "sa8<1:7:0>"};
}

std::string test::cell(Random &random, const std::string &name,
                       const std::string &op, const std::string &kind) {
  Function function(random, name);
  bool isLstm = op == "lstm_cell";
  int64_t gates = isLstm ? 4 : 3;
  CellTypes types = cellTypes(kind, gates);
  int64_t steps = pick(random, 1, 3), inputs = pick(random, 1, 4),
          outputs = pick(random, 1, 4);
  bool hasAll = flip(random);
  Shape out{hasAll ? steps : 1, outputs};
  std::string names, usedTypes;
  auto add = [&](const Shape &shape, const std::string &element) {
    names += (names.empty() ? "" : ", ") + function.argument(shape, element);
    usedTypes +=
        (usedTypes.empty() ? "" : ", ") + function.used(shape, element);
  };
  add({steps, inputs}, types.input);
  add({outputs}, types.state);
  add({gates, inputs, outputs}, types.weights);
  add({gates, outputs, outputs}, types.weights);
  add({gates, outputs}, types.bias);
  std::string text = op + " ins(" + names + " : " + usedTypes + ") outs(";
  names = usedTypes = "";
  std::string carried;
  if (isLstm) {
    add({outputs}, types.state);
    carried = function.used({outputs}, types.state);
  }
  std::string init = function.init(out, types.state);
  std::string separator = isLstm ? ", " : "";
  text += names + separator + init + " : " + usedTypes + separator +
          function.used(out, types.state) + ")";
  std::string attributes = hasAll ? "all_results" : "";
  if (flip(random))
    attributes += hasAll ? ", backward" : "backward";
  text += " {" + attributes + "}";
  return function.finish(function.kernel(text, out, types.state, carried));
}

std::string test::argmax(Random &random, const std::string &name,
                         const std::string &element) {
  Function function(random, name);
  Shape shape = randomShape(random);
  int64_t axis = pick(random, -1, static_cast<int64_t>(shape.size()) - 1);
  int64_t slices = axis < 0 ? 1 : shape[axis], elements = 1;
  for (int64_t size : shape)
    elements *= size;
  int64_t topk = pick(random, 1, elements / slices);
  std::string position = "sa32<1:0:0>";
  Shape positions{slices, topk};
  std::string from = function.argument(shape, element);
  std::string init = function.init(positions, position);
  return function.finish(function.kernel(
      "argmax ins(" + from + " : " + function.used(shape, element) + ") outs(" +
          init + " : " + function.used(positions, position) +
          ") {axis = " + std::to_string(axis) +
          " : i32, topk = " + std::to_string(topk) + " : i32}",
      positions, position));
}

std::string test::tabled(Random &random, const std::string &name) {
  Function function(random, name);
  Shape shape = randomShape(random);
  std::string input = "sa8<3:6:-5>", result = "sa8<1:8:-128>";
  std::string from = function.argument(shape, input);
  std::string table = function.knownArgument({320}, "fx16<15>");
  std::string init = function.init(shape, result);
  return function.finish(function.kernel(
      "sigm ins(" + from + " : " + function.used(shape, input) + ") lut(" +
          table + " : tensor<320x!mli.fx16<15>>) outs(" + init + " : " +
          function.used(shape, result) + ")",
      shape, result));
}
