// SPDX-License-Identifier: Apache-2.0

#include "RandomNetwork.h"

#include <algorithm>

using namespace mli;
using namespace mli::test;

namespace {

class Network {
public:
  Network(Random &random, const std::string &name)
      : random(random), function(random, name),
        shape{pick(random, 6, 14), pick(random, 3, 8), pick(random, 1, 5)} {}

  std::string write() {
    values = {{function.argument(shape, element)}};
    for (int64_t i = pick(random, 3, 7); i > 0; --i)
      addKernel();
    // What nothing uses meets in the end.
    while (true) {
      auto loose = std::find_if(values.begin(), std::prev(values.end()),
                                [](const Map &map) { return !map.isUsed; });
      if (loose == std::prev(values.end()))
        return function.finish(values.back().name);
      loose->isUsed = values.back().isUsed = true;
      addSum(loose->name, values.back().name);
    }
  }

private:
  struct Map {
    std::string name;
    bool isUsed = false;
  };

  /// One of the last values.
  std::string use() {
    auto last = static_cast<int64_t>(values.size()) - 1;
    Map &map = values[pick(random, std::max<int64_t>(0, last - 2), last)];
    map.isUsed = true;
    return map.name;
  }

  void add(const std::string &text, const std::string &rest) {
    std::string map = function.used(shape, element);
    std::string init = function.init(shape, element);
    values.push_back({function.kernel(
        text + ") outs(" + init + " : " + map + ")" + rest, shape, element)});
  }

  void addSum(const std::string &lhs, const std::string &rhs) {
    const char *ops[] = {"add", "sub", "mul", "min", "max"};
    std::string map = function.used(shape, element);
    add(std::string("eltwise_") + ops[pick(random, 0, 4)] + " ins(" + lhs +
            ", " + rhs + " : " + map + ", " + map,
        "");
  }

  void addConvolution(const std::string &op, int64_t taps, int64_t depth) {
    Shape weights{taps, taps, depth, shape[2]}, bias{shape[2]};
    std::string w = function.argument(weights, "sa8<5:10:0>");
    std::string b = function.argument(bias, "sa32<5:14:0>");
    Shape padding(4, taps / 2);
    add(op + " ins(" + use() + ", " + w + ", " + b + " : " +
            function.used(shape, element) + ", " +
            function.used(weights, "sa8<5:10:0>") + ", " +
            function.used(bias, "sa32<5:14:0>"),
        " pad [" + join(padding) + "]");
  }

  void addUnary(const std::string &op, const std::string &input,
                const std::string &rest) {
    add(op + " ins(" + input + " : " + function.used(shape, element), rest);
  }

  /// Two kernels that read the same of the last value, and what adds them up.
  void addBranches() {
    std::string from = values.back().name;
    std::string window =
        flip(random) ? "[3, 3] pad [1, 1, 1, 1]" : "[3, 1] pad [1, 1, 0, 0]";
    for (const char *op : {"maxpool", "avepool"}) {
      addUnary(op, from, " kernel " + window);
      values.back().isUsed = true;
    }
    values.rbegin()[2].isUsed = true;
    std::string lhs = values.rbegin()[1].name;
    addSum(lhs, values.back().name);
  }

  void addKernel() {
    switch (pick(random, 0, 7)) {
    case 0:
      return addUnary("relu", use(), " {relu = #mli.relu<relu6>}");
    case 1:
      return addUnary("maxpool", use(), " kernel [3, 3] pad [1, 1, 1, 1]");
    case 2:
      return addBranches();
    case 3:
      return addConvolution("conv2d", flip(random) ? 1 : 3, shape[2]);
    case 4:
      return addConvolution("depthwise_conv2d", 3, 1);
    default:
      std::string lhs = use();
      return addSum(lhs, use());
    }
  }

  Random &random;
  Function function;
  Shape shape;
  std::vector<Map> values;
  const std::string element = "sa8<1:4:-128>";
};

} // namespace

std::string test::network(Random &random, const std::string &name) {
  return Network(random, name).write();
}
