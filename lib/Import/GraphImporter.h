// SPDX-License-Identifier: Apache-2.0
//
// The state of an import: the tensors of a graph as values, their element
// types, and the reasons why operators are rejected.

#ifndef MLI_LIB_IMPORT_GRAPHIMPORTER_H
#define MLI_LIB_IMPORT_GRAPHIMPORTER_H

#include "mli/Frontend/TensorBuilder.h"
#include "mli/Import/TFLite.h"
#include "mli/Import/TFLiteModel.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace mli::tflite {

/// A feature map that is another one with a border of the real number 0.
/// Kernels with padding read the other one.
struct PaddedFeatureMap {
  int32_t source;
  /// [top, bottom, left, right].
  std::array<int64_t, 4> padding;
};

/// Imports the operators of one graph in their order, at the builder's
/// insertion point. Functions that fail have set the reason.
class GraphImporter : public TensorBuilder {
public:
  /// `graph` belongs to `model`, whose bytes `owner` keeps alive. Operators
  /// that are not needed have no say in scales.
  GraphImporter(const Model &model, const Graph &graph,
                llvm::ArrayRef<char> isNeeded, const ImportOptions &options,
                mlir::OpBuilder builder, std::shared_ptr<void> owner);

  /// Imports operator `index`. If that fails, its outputs become placeholders
  /// of their types, so that the following operators are tried, too.
  OperatorReport importOperator(size_t index);
  /// Makes the outputs of operator `index` placeholders.
  void skipOperator(size_t index);

  //===--------------------------------------------------------------------===//
  // The operator
  //===--------------------------------------------------------------------===//

  const Model &getModel() const { return model; }
  const ImportOptions &getImportOptions() const { return options; }
  const Operator &getOperator() const { return *op; }
  /// Fails and joins `parts` to the reason, unless an earlier failure has set
  /// one.
  template <typename... Parts>
  llvm::LogicalResult reject(const Parts &...parts) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (stream << ... << parts);
    if (reason.empty())
      reason = std::move(text);
    return llvm::failure();
  }
  /// Returns the reason of the first failure and clears it.
  std::string takeFailureReason() {
    return std::exchange(reason, std::string());
  }
  /// The tensor of input `index`; fails if it is left out.
  llvm::FailureOr<int32_t> getInput(size_t index);
  llvm::FailureOr<int32_t> getOutput(size_t index = 0);

  //===--------------------------------------------------------------------===//
  // Tensors
  //===--------------------------------------------------------------------===//

  const Tensor &getTensor(int32_t index) const {
    return graph.tensors[static_cast<size_t>(index)];
  }
  llvm::ArrayRef<int64_t> getShape(int32_t index) const {
    return getTensor(index).shape;
  }
  /// The element type with which mli holds a tensor.
  llvm::FailureOr<mlir::Type> getElement(int32_t index);
  /// The parameters of a tensor; fails unless it has 8 bits and is quantised
  /// per tensor.
  llvm::FailureOr<quant::QuantParams> getParams(int32_t index);
  /// The scale of a tensor in the file; 1 for tensors without one, whose
  /// quantized values are the real ones. The scale of the element type is its
  /// product with the label.
  double getScale(int32_t index) const {
    const Quantization &quantization = getTensor(index).quantization;
    return quantization.scales.empty() ? 1 : quantization.scales.front();
  }
  double getLabel(int32_t index) const { return labels[index]; }
  /// The elements of an input; fails unless it is a constant of integers.
  llvm::FailureOr<llvm::SmallVector<int64_t>> getIntegers(size_t input);
  /// The elements of a tensor; fails unless it is a constant of integers.
  llvm::FailureOr<llvm::SmallVector<int64_t>> readIntegers(int32_t index);
  /// Fails if `index` has no elements or not `rank` dimensions.
  llvm::LogicalResult checkRank(int32_t index, size_t rank);
  llvm::LogicalResult checkElements(int32_t index);
  /// Fails unless both are NHWC feature maps with elements, of one batch size.
  llvm::LogicalResult checkFeatureMaps(int32_t input, int32_t output);
  /// Fails if `index` has integers without a scale.
  llvm::LogicalResult checkQuantized(int32_t index);
  /// Fails if the type of tensor `to` differs from that of `from`, or only one
  /// of them is quantised: for operators that only move elements.
  llvm::LogicalResult checkSameType(int32_t from, int32_t to);

  /// The value of a tensor in `shape`, which has as many elements.
  llvm::FailureOr<mlir::Value> read(int32_t index,
                                    llvm::ArrayRef<int64_t> shape);
  /// The value of a tensor in its own shape.
  llvm::FailureOr<mlir::Value> read(int32_t index) {
    return read(index, getShape(index));
  }
  /// Defines a tensor as `value`, in any shape of as many elements.
  void define(int32_t index, mlir::Value value) { values[index] = value; }
  bool isDefined(int32_t index) const { return values[index] != nullptr; }
  /// Defines a tensor as another one with a border, besides its value.
  void definePadded(int32_t index, PaddedFeatureMap map) {
    padded[index] = map;
  }
  std::optional<PaddedFeatureMap> findPadded(int32_t index) const {
    auto it = padded.find(index);
    return it == padded.end() ? std::nullopt : std::optional(it->second);
  }
  /// Describes a tensor as `tensor 7 'name' at byte 0x2a`.
  std::string describe(int32_t index) const;

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  /// A constant of `bytes`, little endian. They are not copied if they lie in
  /// the file or `holder` keeps them alive. With `isUnsigned` the elements are
  /// `byte ^ 0x80`.
  mlir::Value createConstant(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<char> bytes,
                             const std::shared_ptr<void> &holder = nullptr,
                             bool isUnsigned = false);
  /// The data of a constant for `createConstant`. int64 is narrowed to int32 in
  /// `narrow`.
  llvm::FailureOr<llvm::ArrayRef<char>>
  getData(int32_t index, llvm::SmallVectorImpl<char> &narrow);

  //===--------------------------------------------------------------------===//
  // State
  //===--------------------------------------------------------------------===//

  /// The value of a variable as `type`, an argument of the function. Its first
  /// use determines the shape of the argument.
  mlir::Value readState(int32_t index, mlir::RankedTensorType type);
  /// Sets the value of a variable, which has that type.
  void writeState(int32_t index, mlir::Value value);
  /// A variable as an argument and a result of the function.
  struct State {
    int32_t tensor;
    mlir::BlockArgument argument;
    mlir::Value next;
  };
  llvm::ArrayRef<State> getStates() const { return states; }
  /// Defines a tensor as the handle of the variable `name`.
  void defineHandle(int32_t index, llvm::StringRef name);
  /// The first tensor that is a handle of the same variable as this one.
  llvm::FailureOr<int32_t> findHandle(int32_t index);

  /// The location of a tensor is its name, that of an operator its outputs.
  mlir::Location getTensorLoc(int32_t index) const;
  mlir::Location getOperatorLoc(size_t index, const Operator &op) const;

private:
  llvm::FailureOr<mlir::Type> findElement(int32_t index);
  mlir::Value createPoison(mlir::Type type);
  /// Checks that all tensors of the operator with codes have a scale, but for
  /// constants, which not all are operands.
  llvm::LogicalResult checkScales();
  /// Counts bytes of constants that are read, and at times releases them.
  void noteRead(size_t bytes);

  const Model &model;
  const Graph &graph;
  const ImportOptions &options;
  size_t unreleasedBytes = 0;
  std::shared_ptr<void> owner;
  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<int32_t, bool> isPoisoned;
  llvm::DenseMap<int32_t, PaddedFeatureMap> padded;
  llvm::SmallVector<State> states;
  llvm::StringMap<int32_t> variables;
  llvm::DenseMap<int32_t, int32_t> handles;
  std::vector<double> labels;
  const Operator *op = nullptr;
  std::string reason;
  bool isUntried = false;
};

/// Imports the part `extent` of the first graph of `model`, without the
/// operators that `isSkipped`, one element for each, marks: they are untried.
ImportResult importExtent(const Model &model, const Extent &extent,
                          const ImportOptions &options,
                          std::shared_ptr<void> owner,
                          mlir::MLIRContext *context,
                          llvm::ArrayRef<char> isSkipped = {});

/// A factor for the scale of each tensor of `graph`, mostly 1. Tensors that an
/// operator that is needed computes from each other, or compares, have the same
/// factor; those of a layer with weights need not, since only the product of
/// its scales counts. Quantized values are the same with any factor.
std::vector<double> findScaleLabels(const Graph &graph,
                                    llvm::ArrayRef<char> isNeeded);

/// The text of the first diagnostic that `verify` emits; empty if it succeeds.
std::string findError(mlir::MLIRContext *context,
                      llvm::function_ref<llvm::LogicalResult()> verify);

// The functions that import operators. A function that imports several
// operators is declared as often.
// NOLINTBEGIN(readability-redundant-declaration)
#define MLI_TFLITE_OPERATOR(NAME, IMPORT, ...)                                 \
  llvm::LogicalResult IMPORT(GraphImporter &importer);
#include "Model/TFLiteOperators.def"
// NOLINTEND(readability-redundant-declaration)

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_GRAPHIMPORTER_H
