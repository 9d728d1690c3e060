// SPDX-License-Identifier: Apache-2.0
//
// What operators are imported with: the tensors of a graph as values, their
// element types, and the reasons for refusals.

#ifndef MLI_LIB_IMPORT_GRAPHIMPORTER_H
#define MLI_LIB_IMPORT_GRAPHIMPORTER_H

#include "mli/Frontend/TensorBuilder.h"
#include "mli/Import/TFLite.h"
#include "mli/Import/TFLiteModel.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace mli::tflite {

/// A map that is another one with a border of zeros: of the real number, so
/// that kernels with padding need not read it.
struct PaddedMap {
  int32_t source;
  /// [top, bottom, left, right].
  std::array<int64_t, 4> padding;
};

/// Imports the operators of one graph, one after the other, at the builder's
/// place. Functions that return a failure have given the reason.
class GraphImporter : public TensorBuilder {
public:
  /// `graph` is one of `model`, whose bytes `owner` keeps alive.
  GraphImporter(const Model &model, const Graph &graph,
                const ImportOptions &options, mlir::OpBuilder builder,
                std::shared_ptr<void> owner);

  /// Imports operator `index`. Where that fails, its outputs are values of
  /// their type that nothing gives, so that the rest can be tried.
  OperatorReport importOperator(size_t index);

  //===--------------------------------------------------------------------===//
  // The operator
  //===--------------------------------------------------------------------===//

  const Model &getModel() const { return model; }
  const ImportOptions &getImportOptions() const { return options; }
  const Operator &getOperator() const { return *op; }
  /// Gives `parts` together as the reason that the operator is not imported.
  template <typename... Parts>
  llvm::LogicalResult refuse(const Parts &...parts) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (stream << ... << parts);
    if (reason.empty())
      reason = std::move(text);
    return llvm::failure();
  }
  /// The reason that was given last.
  std::string takeReason() { return std::exchange(reason, std::string()); }
  /// The number of its input `index`; a refusal if it is left out.
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
  /// How mli holds the elements of a tensor.
  llvm::FailureOr<mlir::Type> getElement(int32_t index);
  /// The same for one that has to be 8 bits and quantised per tensor.
  llvm::FailureOr<quant::QuantParams> getParams(int32_t index);
  /// Its scale in the file, 1 where that has none: codes are the numbers then.
  /// That of its element type may be the product with a factor: see
  /// ScaleLabels.h.
  double getScale(int32_t index) const {
    const Quantization &quantization = getTensor(index).quantization;
    return quantization.scales.empty() ? 1 : quantization.scales.front();
  }
  double getLabel(int32_t index) const { return labels[index]; }
  /// The elements of an input that is a constant of integers.
  llvm::FailureOr<llvm::SmallVector<int64_t>> getIntegers(size_t input);
  /// The same of a tensor.
  llvm::FailureOr<llvm::SmallVector<int64_t>> readIntegers(int32_t index);
  /// Fails if `index` does not have `rank` dimensions, none of them empty.
  llvm::LogicalResult checkRank(int32_t index, size_t rank);
  llvm::LogicalResult checkElements(int32_t index);
  /// Fails unless both are NHWC feature maps with elements, of one batch size.
  llvm::LogicalResult checkFeatureMaps(int32_t input, int32_t output);
  /// Fails if `index` is of integers without a scale.
  llvm::LogicalResult checkQuantized(int32_t index);
  /// Fails if tensor `to` is not of the type of `from`, quantised or not: for
  /// operators that only move numbers.
  llvm::LogicalResult checkSameType(int32_t from, int32_t to);

  /// The value of a tensor in `shape` of as many elements.
  llvm::FailureOr<mlir::Value> read(int32_t index,
                                    llvm::ArrayRef<int64_t> shape);
  /// The same in its own shape.
  llvm::FailureOr<mlir::Value> read(int32_t index) {
    return read(index, getShape(index));
  }
  /// Gives `value`, of as many elements in any shape, to a tensor.
  void define(int32_t index, mlir::Value value) { values[index] = value; }
  bool isDefined(int32_t index) const { return values[index] != nullptr; }
  /// What a tensor is but for its border.
  void definePadded(int32_t index, PaddedMap map) { padded[index] = map; }
  std::optional<PaddedMap> findPadded(int32_t index) const {
    auto it = padded.find(index);
    return it == padded.end() ? std::nullopt : std::optional(it->second);
  }
  /// `tensor 7 'name' at byte 0x2a`.
  std::string describe(int32_t index) const;

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  /// The same, a failure where there is none.
  llvm::FailureOr<mlir::Value> createPermute(mlir::Value value,
                                             llvm::ArrayRef<int64_t> order);
  /// A constant of `bytes`, little endian, which stay where they are if they
  /// lie in the file or `holder` keeps them; with `isUnsigned` of the codes ^
  /// 0x80.
  mlir::Value createConstant(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<char> bytes,
                             const std::shared_ptr<void> &holder = nullptr,
                             bool isUnsigned = false);
  /// The data of a constant as the constant above takes it: int64 as int32,
  /// which is put into `narrow`.
  llvm::FailureOr<llvm::ArrayRef<char>>
  getData(int32_t index, llvm::SmallVectorImpl<char> &narrow);

  //===--------------------------------------------------------------------===//
  // State
  //===--------------------------------------------------------------------===//

  /// What a variable holds, of `type`: an argument of the function. The first
  /// use says how its elements are arranged.
  mlir::Value readState(int32_t index, mlir::RankedTensorType type);
  /// What it holds from now on, of that type.
  void writeState(int32_t index, mlir::Value value);
  /// Variables as the function takes and gives them.
  struct State {
    int32_t tensor;
    mlir::BlockArgument argument;
    mlir::Value next;
  };
  llvm::ArrayRef<State> getStates() const { return states; }
  /// Says that a tensor stands for the variable `name`.
  void defineHandle(int32_t index, llvm::StringRef name);
  /// The first tensor that stands for the same variable as this one.
  llvm::FailureOr<int32_t> findHandle(int32_t index);

  /// The location of a tensor, its name, and that of an operator: its outputs.
  mlir::Location getLocOf(int32_t index) const;
  mlir::Location getLocOf(size_t index, const Operator &op) const;

private:
  llvm::FailureOr<mlir::Type> findElement(int32_t index);
  mlir::Value createPoison(mlir::Type type);

  const Model &model;
  const Graph &graph;
  const ImportOptions &options;
  std::shared_ptr<void> owner;
  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<int32_t, bool> isPoisoned;
  llvm::DenseMap<int32_t, PaddedMap> padded;
  llvm::SmallVector<State> states;
  llvm::StringMap<int32_t> variables;
  llvm::DenseMap<int32_t, int32_t> handles;
  std::vector<double> labels;
  const Operator *op = nullptr;
  std::string reason;
  bool isUntried = false;
};

/// A kernel as an argument that is only a type.
template <typename KernelOp>
struct Kernel {
  using Op = KernelOp;
};

/// A factor for the scale of each tensor of `graph`, 1 for most. Tensors that
/// an operator computes from each other, or compares, have the same factor;
/// those of a layer with weights need not, since only the product of its scales
/// counts. Quantized values are the same with any factor.
std::vector<double> findScaleLabels(const Graph &graph);

/// The text of the first diagnostic that `verify` emits; empty if it succeeds.
std::string findError(mlir::MLIRContext *context,
                      llvm::function_ref<llvm::LogicalResult()> verify);

// The functions that import operators. A function that imports several
// operators is declared as often.
// NOLINTBEGIN(readability-redundant-declaration)
#define MLI_TFLITE_OPERATOR(NAME, IMPORT, HOMOGENEITY)                         \
  llvm::LogicalResult IMPORT(GraphImporter &importer);
#include "TFLiteOperators.def"
// NOLINTEND(readability-redundant-declaration)

} // namespace mli::tflite

#endif // MLI_LIB_IMPORT_GRAPHIMPORTER_H
