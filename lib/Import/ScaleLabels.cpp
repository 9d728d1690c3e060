// SPDX-License-Identifier: Apache-2.0
//
// Chooses factors for the scales of 16-bit tensors. Kernels hold such scales as
// powers of two only; multiplying all tensors around one by a factor makes its
// scale a power of two.

#include "GraphImporter.h"
#include "TFLite_generated.h"

#include "llvm/ADT/EquivalenceClasses.h"

#include <cmath>

using namespace mli;
using namespace mli::tflite;

namespace {
/// The reaction of an operator to all its tensors being multiplied by one
/// factor.
enum class Homogeneity {
  /// It multiplies its result by that factor.
  Linear,
  /// The same, but if all its tensors have 16 bits, it multiplies each operand
  /// by a factor of its own, so that their scales are independent.
  LinearUnlessWide,
  /// It computes another function, but if all its tensors have 16 bits, it
  /// multiplies each of them by a factor of its own.
  NoneUnlessWide,
  /// Factors of input and output may even differ: its weights compensate, it
  /// looks at no scale, or no kernel computes it.
  Free,
  /// It computes another function.
  None,
};
} // namespace

static Homogeneity getHomogeneity(const Operator &op) {
  static constexpr Homogeneity column[] = {
#define MLI_TFLITE_REFUSED(NAME, INSTEAD) Homogeneity::Free,
#define MLI_TFLITE_OPERATOR(NAME, IMPORT, HOMOGENEITY, ...)                    \
  Homogeneity::HOMOGENEITY,
#include "Model/TFLiteOperators.def"
  };
  bool isKnown =
      op.code >= 0 && static_cast<size_t>(op.code) < std::size(column);
  return isKnown ? column[op.code] : Homogeneity::Free;
}

static bool isQuantized(const Tensor &tensor) {
  return tensor.quantization.scales.size() == 1;
}

/// Whether `tensor` has the axes of an operator, or other plain integers.
static bool isPlain(const Tensor &tensor) {
  return tensor.type == schema::TensorType::INT32 && !isQuantized(tensor);
}

/// Whether all tensors of `op` have 16 bits, but for axes.
static bool isWide(const Graph &graph, const Operator &op) {
  for (const std::vector<int32_t> *list : {&op.inputs, &op.outputs})
    for (int32_t tensor : *list)
      if (tensor >= 0 && !isPlain(graph.tensors[tensor]) &&
          graph.tensors[tensor].type != schema::TensorType::INT16)
        return false;
  return true;
}

/// Whether `op` reads or computes real numbers, which no factor changes.
static bool hasReals(const Graph &graph, const Operator &op) {
  for (const std::vector<int32_t> *list : {&op.inputs, &op.outputs})
    for (int32_t tensor : *list)
      if (tensor >= 0 &&
          graph.tensors[tensor].type == schema::TensorType::FLOAT32)
        return true;
  return false;
}

/// Whether `op` changes between float32 and 16 bits. No kernel does for a scale
/// that is no power of two: such an end of a network is cut off, and any factor
/// is right for the rest.
static bool convertsReals(const Graph &graph, const Operator &op) {
  auto isWide = [&](int32_t tensor) {
    return tensor >= 0 &&
           graph.tensors[tensor].type == schema::TensorType::INT16;
  };
  return (op.name == "QUANTIZE" || op.name == "DEQUANTIZE") &&
         hasReals(graph, op) &&
         (llvm::any_of(op.inputs, isWide) || llvm::any_of(op.outputs, isWide));
}

static bool isPowerOfTwo(double number) {
  int exponent;
  return std::abs(std::frexp(number, &exponent) - 0.5) < 1e-6;
}

namespace {

/// Classes of tensors with one factor, by the index of one of them.
class Labels {
public:
  Labels(const Graph &graph, llvm::ArrayRef<char> isNeeded) : graph(graph) {
    for (size_t i = 0; i < graph.tensors.size(); ++i)
      classes.insert(static_cast<int32_t>(i));
    isFixed.resize(graph.tensors.size());
    for (const auto &[op, needed] : llvm::zip_equal(graph.operators, isNeeded))
      if (needed)
        add(op);
  }

  std::vector<double> solve();

private:
  void add(const Operator &op);

  const Graph &graph;
  llvm::EquivalenceClasses<int32_t> classes;
  /// Tensors whose scale must not change.
  std::vector<bool> isFixed;
};

} // namespace

void Labels::add(const Operator &op) {
  Homogeneity homogeneity =
      hasReals(graph, op) ? Homogeneity::None : getHomogeneity(op);
  bool isFreeIfWide = homogeneity == Homogeneity::LinearUnlessWide ||
                      homogeneity == Homogeneity::NoneUnlessWide;
  if (homogeneity == Homogeneity::Free || convertsReals(graph, op) ||
      (isFreeIfWide && isWide(graph, op)))
    return;
  int32_t first = -1;
  for (const std::vector<int32_t> *list : {&op.inputs, &op.outputs})
    for (int32_t tensor : *list) {
      if (tensor < 0)
        continue;
      if (homogeneity == Homogeneity::None ||
          homogeneity == Homogeneity::NoneUnlessWide ||
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
    // The first 16-bit scale that is no power of two.
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
    // With one format for all tensors, sums need no conversions.
    int exponent =
        isAllWide ? -15 : static_cast<int>(std::round(std::log2(scale)));
    double label = std::ldexp(1, exponent) / scale;
    if (isFree)
      for (int32_t member : members)
        labels[member] = label;
  }
  return labels;
}

std::vector<double> tflite::findScaleLabels(const Graph &graph,
                                            llvm::ArrayRef<char> isNeeded) {
  return Labels(graph, isNeeded).solve();
}
