// SPDX-License-Identifier: Apache-2.0
//
// The shared runtime that compiled programs call, its failures, and the engine
// that compiles programs for it.

#ifndef MLI_LIB_EXECUTION_RUNTIMELIBRARY_H
#define MLI_LIB_EXECUTION_RUNTIMELIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include "mli/Execution/Program.h"

#include <string>

namespace mli {

/// The failures that the runtime reported while a thread ran a compiled
/// function.
class FailureLog {
public:
  /// Listens on the current thread until it is destroyed.
  FailureLog();
  ~FailureLog();
  FailureLog(const FailureLog &) = delete;
  FailureLog &operator=(const FailureLog &) = delete;

  /// `where: MLI_STATUS_X: reason` of the first failure; empty if there was
  /// none.
  std::string getText() const;

  /// The texts that the callbacks of the runtime append to.
  std::string failure, reason;
};

/// Loads the library at `path` for the life of the process, has it check
/// parameters and report its failures to the `FailureLog` of the thread.
llvm::Error loadRuntimeLibrary(const std::string &path);

/// Has the library that was loaded check parameters, or not.
void setRuntimeChecks(bool areOn);

/// Has local memory of the library that was loaded hold other nonsense, which
/// `seed` decides, until it is written.
void setRuntimePoison(uint32_t seed = 1);

/// Has the library that was loaded compute in `modes`.
void setRuntimeModes(const ComputingModes &modes);

/// Hears from the library that was loaded where calls begin and end, until it
/// is destroyed.
class CallListener {
public:
  using Callback = void (*)(const char *function, int ends, void *cookie);
  CallListener(Callback callback, void *cookie);
  ~CallListener();
  CallListener(const CallListener &) = delete;
  CallListener &operator=(const CallListener &) = delete;
};

/// The engine of `module`, in the LLVM dialect, which calls the runtime in
/// `modes`.
llvm::Expected<std::unique_ptr<mlir::ExecutionEngine>>
createEngine(mlir::ModuleOp module, const ComputingModes &modes,
             const CompileOptions &options);

/// The bytes of code of `engine`, which keeps its object.
llvm::Expected<int64_t> countCodeBytes(mlir::ExecutionEngine &engine);

} // namespace mli

#endif // MLI_LIB_EXECUTION_RUNTIMELIBRARY_H
