// SPDX-License-Identifier: Apache-2.0
//
// What operators of TFLite compute, in exact numbers: for each element the
// least and the greatest code that a right implementation gives. Shares no code
// with the importer.

#ifndef MLI_TEST_FUZZ_INTERPRETER_TFLITEBOUNDS_H
#define MLI_TEST_FUZZ_INTERPRETER_TFLITEBOUNDS_H

#include "Bounds.h"
#include "TFLite_generated.h"
#include "mli/Import/TFLiteModel.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace mli::fuzz {

namespace schema = mli::tflite::schema;

/// A tensor with its elements, codes as the file has them.
struct TFLiteOperand {
  const tflite::Tensor *tensor = nullptr;
  llvm::ArrayRef<double> codes;

  llvm::ArrayRef<int64_t> getShape() const { return tensor->shape; }
  int64_t getExtent(int64_t dim) const { return tensor->shape[dim]; }
  int64_t getNumElements() const { return tensor->getNumElements(); }
  double getScale(int64_t index = 0) const {
    const std::vector<float> &scales = tensor->quantization.scales;
    return scales.empty() ? 1 : scales[scales.size() == 1 ? 0 : index];
  }
  int64_t getZero(int64_t index = 0) const {
    const std::vector<int64_t> &zeros = tensor->quantization.zeroPoints;
    return zeros.empty() ? 0 : zeros[zeros.size() == 1 ? 0 : index];
  }
  /// Element `index` without the zero point.
  int64_t get(int64_t index) const {
    return static_cast<int64_t>(codes[index]) - getZero();
  }
  double getReal(int64_t index) const {
    return isFloat() ? codes[index]
                     : getScale() * static_cast<double>(get(index));
  }
  bool isFloat() const { return tensor->type == schema::TensorType::FLOAT32; }
  bool isByte() const { return tflite::getElementBytes(tensor->type) == 1; }
  /// Whether both stand for the same numbers.
  bool isLike(const TFLiteOperand &other) const {
    return getScale() == other.getScale() && getZero() == other.getZero() &&
           tensor->type == other.tensor->type;
  }
  /// The least and the greatest code of the type.
  Bounds getLimits() const;
};

/// An operator whose inputs are known.
struct TFLiteRun {
  const tflite::Operator *op;
  /// Null for inputs that are left out.
  llvm::SmallVector<TFLiteOperand> inputs;
  /// The codes of these are not read.
  llvm::SmallVector<TFLiteOperand> outputs;
  /// Of each output.
  llvm::SmallVector<std::vector<Bounds>> bounds;

  bool hasInput(size_t index) const {
    return index < inputs.size() && inputs[index].tensor;
  }
  template <typename Table>
  const Table &getOptions() const {
    return *static_cast<const Table *>(op->table->builtin_options());
  }
  /// An integer of input `index`, a constant.
  int64_t getInteger(size_t index, int64_t element = 0) const {
    return static_cast<int64_t>(inputs[index].codes[element]);
  }
  /// Writes `bounds` of output `index`, of which `compute` gives each.
  void setEach(size_t index, llvm::function_ref<Bounds(int64_t)> compute);
};

/// What is left of `limits` by a fused activation of `output`.
Bounds clip(const TFLiteOperand &output,
            schema::ActivationFunctionType activation);
/// The codes in `output` for the real number `number`.
Bounds convert(double number, const TFLiteOperand &output);
/// The codes in `output` for element `index` of `input`: the same one if both
/// are alike.
Bounds move(const TFLiteOperand &input, int64_t index,
            const TFLiteOperand &output);

/// The element of `input`, whose last dimensions are those of the output or 1,
/// for element `index` of `shape`.
int64_t broadcast(const TFLiteOperand &input, llvm::ArrayRef<int64_t> shape,
                  int64_t index);

/// Computes `run.bounds`; false if it knows nothing of the operator.
bool computeBounds(TFLiteRun &run);

/// Computes the bounds of SVDF from what its variable holds before and after;
/// says what is wrong with that.
std::string computeSvdf(TFLiteRun &run, llvm::ArrayRef<double> before,
                        llvm::ArrayRef<double> after);

// Parts of it: whether the operator is one of theirs.
bool computeProducts(TFLiteRun &run);
bool computeElements(TFLiteRun &run);
bool computeFunctions(TFLiteRun &run);
bool computeWindows(TFLiteRun &run);
bool computeMoves(TFLiteRun &run);
bool computeTakes(TFLiteRun &run);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_TFLITEBOUNDS_H
