// SPDX-License-Identifier: Apache-2.0
//
// Imports quantised TFLite networks to mli on tensors.

#ifndef MLI_IMPORT_TFLITE_H
#define MLI_IMPORT_TFLITE_H

#include "mli/Frontend/Forms.h"
#include "mli/Import/Cuts.h"
#include "mli/Import/TFLiteModel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <memory>

namespace mli {
namespace tflite {

struct ImportOptions : ArithmeticForms {
  /// Names or indices of the tensors that the function returns; those of the
  /// network if empty. Operators that these do not depend on are left out.
  std::vector<std::string> outputs;
  FloatForm floats = FloatForm::Cut;
  CutForm cut = CutForm::Ends;
  /// Called now and then while constants are read, if it is set: what was read
  /// of the model's bytes is not soon read again, so that pages of a mapped
  /// file can be given back.
  std::function<void()> releaseRead;
};

/// The result of importing one operator.
struct OperatorReport {
  enum class State {
    Imported,
    Rejected,
    /// It reads the output of a rejected operator, which has no element type.
    Untried,
    /// No output of the function depends on it.
    Unneeded,
    /// It is at an end of the network that is cut off.
    Cut,
  };
  State state = State::Unneeded;
  /// `expected <what> to <condition>, but got <value>` of an operator that no
  /// kernel computes.
  std::string reason;
  /// The kernels that compute the operator, as `mli.conv2d`, in order; none if
  /// it only reshapes.
  std::vector<std::string> kernels;
};

struct ImportResult {
  /// Null if an operator, an input or an output was rejected.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The reason why the network, an input or an output was rejected.
  std::string reason;
  /// The ends of the network that the function leaves out.
  std::vector<CutPart> cuts;
  /// The operators of the first graph.
  std::vector<OperatorReport> operators;
};

/// Imports the first graph of `model` as the public function `main`. Its
/// arguments and results have the shapes of the graph's tensors, and their
/// names as locations. Ends that no kernel computes are cut off, as far as
/// `options` allow. Fails, with a diagnostic, if `options` name a tensor that
/// the graph does not have; other errors are only in the result. Remarks
/// report what is not computed as the file specifies it. Constants of the
/// module refer to the model's bytes and keep `owner` alive.
llvm::FailureOr<ImportResult> importModel(const Model &model,
                                          const ImportOptions &options,
                                          const std::shared_ptr<void> &owner,
                                          mlir::MLIRContext *context);

} // namespace tflite

/// Imports the network in `bytes`, a whole .tflite file that `owner` keeps
/// alive. Emits one error at the location `file` on failure, with a note for
/// each operator that no kernel computes, and a warning for each end that is
/// cut off.
mlir::OwningOpRef<mlir::ModuleOp>
importTFLite(llvm::StringRef bytes, llvm::StringRef file,
             const std::shared_ptr<void> &owner, mlir::MLIRContext *context,
             const tflite::ImportOptions &options = {});

/// Whether `bytes` start like a .tflite file.
bool isTFLite(llvm::StringRef bytes);

} // namespace mli

#endif // MLI_IMPORT_TFLITE_H
