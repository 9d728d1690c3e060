// SPDX-License-Identifier: Apache-2.0

#include "ScaleLabels.h"

#include "TFLite_generated.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mli;
using namespace mli::tflite;

namespace {
/// What multiplying all tensors of an operator by one factor does to it.
enum class Homogeneity {
  /// It multiplies its result by it.
  Linear,
  /// Factors of input and output may even differ: its weights make up for it.
  Weighted,
  /// It computes something else.
  None,
};
} // namespace

static Homogeneity homogeneityOf(llvm::StringRef op) {
  return llvm::StringSwitch<Homogeneity>(op)
      .Cases({"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED",
              "TRANSPOSE_CONV", "SVDF"},
             Homogeneity::Weighted)
      .Cases({"ADD", "SUB", "MAXIMUM", "MINIMUM", "LEAKY_RELU", "RELU", "ABS",
              "QUANTIZE"},
             Homogeneity::Linear)
      .Cases({"AVERAGE_POOL_2D", "MAX_POOL_2D", "MEAN", "REDUCE_MAX", "SUM"},
             Homogeneity::Linear)
      .Cases({"RESHAPE", "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE", "PAD", "SLICE",
              "STRIDED_SLICE"},
             Homogeneity::Linear)
      .Cases({"SPLIT", "SPLIT_V", "CONCATENATION", "PACK", "UNPACK",
              "SPACE_TO_DEPTH", "DEPTH_TO_SPACE"},
             Homogeneity::Linear)
      .Default(Homogeneity::None);
}

/// Whether all that `op` computes with is 16 bits wide: then it multiplies each
/// operand by a factor of its own.
static bool isWide(const Graph &graph, const Operator &op) {
  for (const std::vector<int32_t> *list : {&op.inputs, &op.outputs})
    for (int32_t tensor : *list)
      if (tensor >= 0 &&
          graph.tensors[tensor].type != schema::TensorType::INT16)
        return false;
  return llvm::StringSwitch<bool>(op.name)
      .Cases({"ADD", "SUB", "LEAKY_RELU", "ABS", "QUANTIZE"}, true)
      .Default(false);
}

static bool isQuantized(const Tensor &tensor) {
  return tensor.quantization.scales.size() == 1;
}

static bool isPowerOfTwo(double number) {
  int exponent;
  return std::abs(std::frexp(number, &exponent) - 0.5) < 1e-6;
}

namespace {

/// Tensors of one factor, by the number of one of them.
class Labels {
public:
  explicit Labels(const Graph &graph) : graph(graph) {
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      classes.insert(static_cast<int32_t>(i));
    isFixed.resize(graph.tensors.size());
    for (const Operator &op : graph.operators)
      add(op);
  }

  std::vector<double> solve();

private:
  void add(const Operator &op);

  const Graph &graph;
  llvm::EquivalenceClasses<int32_t> classes;
  /// Tensors whose scale is what it is.
  std::vector<bool> isFixed;
};

} // namespace

void Labels::add(const Operator &op) {
  Homogeneity homogeneity = homogeneityOf(op.name);
  if (homogeneity == Homogeneity::Weighted || isWide(graph, op))
    return;
  int32_t first = -1;
  for (const std::vector<int32_t> *list : {&op.inputs, &op.outputs})
    for (int32_t tensor : *list) {
      if (tensor < 0)
        continue;
      if (homogeneity == Homogeneity::None ||
          !isQuantized(graph.tensors[tensor])) {
        isFixed[tensor] = true;
        continue;
      }
      if (first >= 0)
        classes.unionSets(first, tensor);
      first = tensor;
    }
}

std::vector<double> Labels::solve() {
  std::vector<double> labels(graph.tensors.size(), 1);
  for (const auto *leader : classes) {
    if (!leader->isLeader())
      continue;
    // The first scale of 16 bits that is no power of two.
    double scale = 0;
    bool isFree = true, isAllWide = true;
    auto members =
        llvm::make_range(classes.member_begin(*leader), classes.member_end());
    for (int32_t member : members) {
      const Tensor &tensor = graph.tensors[member];
      bool isWide = tensor.type == schema::TensorType::INT16;
      isFree &= !isFixed[member];
      isAllWide &= isWide;
      if (scale == 0 && isWide && isQuantized(tensor) &&
          !isPowerOfTwo(tensor.quantization.scales.front()))
        scale = tensor.quantization.scales.front();
    }
    if (scale == 0)
      continue;
    // With one format for all, sums need no conversions.
    int exponent =
        isAllWide ? -15 : static_cast<int>(std::round(std::log2(scale)));
    double label = std::ldexp(1, exponent) / scale;
    if (isFree)
      for (int32_t member : members)
        labels[member] = label;
  }
  return labels;
}

std::vector<double> tflite::findScaleLabels(const Graph &graph) {
  return Labels(graph).solve();
}
