// SPDX-License-Identifier: Apache-2.0
//
// Importing quantised networks of TFLite into mli on tensors.

#ifndef MLI_IMPORT_TFLITE_H
#define MLI_IMPORT_TFLITE_H

#include "mli/Import/TFLiteModel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace mli {
namespace tflite {

/// How sums and differences of 8 bits are computed. The kernel rounds each
/// operand by itself, which makes up to a quarter of the elements 1 off; in
/// fx16, four kernels for one, nearly all are as they should be.
enum class SumForm {
  /// By the kernel where at most 15 % of the sums of two codes are off, else in
  /// fx16.
  Near,
  /// All by the kernel.
  Kernel,
  /// All in fx16.
  Exact,
};

struct ImportOptions {
  /// Names of the tensors that the function gives, or their numbers; those of
  /// the network if there are none. Operators that these do not need are left
  /// out.
  std::vector<std::string> outputs;
  SumForm sums = SumForm::Near;
};

/// What became of an operator.
struct OperatorReport {
  enum class State {
    Imported,
    Refused,
    /// Reads what a refused one should give, of a type that nothing holds.
    Untried,
    /// No output of the function needs it.
    Unneeded,
  };
  State state = State::Unneeded;
  /// `expected <what> to <condition>, but got <value>` of a refused one.
  std::string reason;
  /// The kernels that compute it, as `mli.conv2d`, in order; none where it only
  /// names elements anew.
  std::vector<std::string> kernels;
};

struct ImportResult {
  /// Null if an operator was refused, or an input or output.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Why an input or output is refused.
  std::string reason;
  /// One for each of the first graph.
  std::vector<OperatorReport> operators;
};

/// Imports the first graph of `model` as the public function `main`, whose
/// arguments and results have the shapes of the graph's and the names of its
/// tensors as locations. Fails, with a diagnostic, if `options` ask for what
/// the graph does not have; gives no other errors. Remarks say what is computed
/// in another way than the file has it. Constants of the module keep `owner`
/// alive and refer to the model's bytes.
llvm::FailureOr<ImportResult> importModel(const Model &model,
                                          const ImportOptions &options,
                                          std::shared_ptr<void> owner,
                                          mlir::MLIRContext *context);

} // namespace tflite

/// The network in `bytes`, a whole .tflite file that `owner` keeps alive. What
/// is wrong with it is told by one error, at the location `file`: with notes
/// for all operators that no kernel computes.
mlir::OwningOpRef<mlir::ModuleOp>
importTFLite(llvm::StringRef bytes, llvm::StringRef file,
             std::shared_ptr<void> owner, mlir::MLIRContext *context,
             const tflite::ImportOptions &options = {});

/// Whether `bytes` start as a .tflite file does.
bool isTFLite(llvm::StringRef bytes);

} // namespace mli

#endif // MLI_IMPORT_TFLITE_H
