// SPDX-License-Identifier: Apache-2.0
//
// What the handles of programs, their functions and ports point to.

#ifndef MLI_LIB_CAPI_HANDLES_H
#define MLI_LIB_CAPI_HANDLES_H

#include "Support.h"

#include "mli-c/Program.h"
#include "mli/Execution/Steps.h"

#include "mlir/IR/OwningOpRef.h"

namespace mli::capi {

struct OptionsHandle {
  mlir::MLIRContext *context;
  CompileOptions compile;
  /// Options of the pipeline, which replace those of `compile`.
  std::string pipeline;
  /// Whether options were set that hold for one placement only.
  bool isForSystem = false, isForLocal = false;
};

struct PortHandle {
  mlir::MLIRContext *context;
  std::string name;
  mlir::RankedTensorType type;
  bool isUnsigned;
  std::optional<double> scale;

  size_t getNumBytes() const;
};

struct ProgramHandle;

struct FunctionHandle {
  const ProgramHandle *program;
  const CompiledFunction *compiled;
  std::vector<PortHandle> inputs, results;
};

struct ProgramHandle {
  mlir::MLIRContext *context;
  Program program;
  /// The module on buffers with their addresses, which maps are made of.
  mlir::OwningOpRef<mlir::ModuleOp> buffers;
  /// Whether any function, also one that others call, has buffers in local
  /// memory.
  bool isLocal;
  std::vector<FunctionHandle> functions;
};

inline OptionsHandle *unwrap(MliCompileOptions options) {
  return static_cast<OptionsHandle *>(options.ptr);
}
inline ProgramHandle *unwrap(MliProgram program) {
  return static_cast<ProgramHandle *>(program.ptr);
}
inline const FunctionHandle *unwrap(MliFunction function) {
  return static_cast<const FunctionHandle *>(function.ptr);
}
inline const PortHandle *unwrap(MliPort port) {
  return static_cast<const PortHandle *>(port.ptr);
}

/// `options` with those of the pipeline and a runtime. Fails, with a report, if
/// they do not go together.
mlir::FailureOr<CompileOptions> finish(const OptionsHandle &options);

/// Element `index` of `list`; null if there is none, which is reported.
template <typename List>
auto *getElement(mlir::MLIRContext *context, List &list, intptr_t index,
                 llvm::StringRef what) {
  if (index >= 0 && index < static_cast<intptr_t>(list.size()))
    return &list[index];
  emitError(context) << "expected an index of " << what << " in [0, "
                     << list.size() << "), but got " << index;
  return static_cast<decltype(&list[0])>(nullptr);
}

} // namespace mli::capi

#endif // MLI_LIB_CAPI_HANDLES_H
