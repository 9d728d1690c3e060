// SPDX-License-Identifier: Apache-2.0
//
// What configurations share, and the functions that run them.

#ifndef MLI_TEST_FUZZ_RUNNER_RUNS_H
#define MLI_TEST_FUZZ_RUNNER_RUNS_H

#include "Configurations.h"

#include "mli/Execution/Program.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileUtilities.h"

namespace mli::fuzz {

/// The errors and remarks of a context while it lives; errors with their notes.
class Errors {
public:
  explicit Errors(mlir::MLIRContext *context);

  std::string text, remarks;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// Compares what a run gave with what is expected.
Outcome judge(const Case &program,
              llvm::Expected<std::vector<HostTensor>> results);

/// The outcome of a program that did not compile. `mayRefuse`: there are forms
/// that the configuration does not take.
Outcome refuse(llvm::StringRef text, bool mayRefuse);

/// Runs `module`, another form of `program`, in the interpreter.
Outcome interpret(const Case &program, mlir::ModuleOp module, Kernels &kernels,
                  char poison);

/// A program for one set of options, or what there is to say without.
struct Compiled {
  std::optional<Program> program;
  std::string errors, remarks;
  uint64_t allocations = 0, operations = 0;
};

Compiled compile(const Case &program, CompileOptions options);
/// The same of `module`, another form of a program.
Compiled compile(mlir::ModuleOp module, CompileOptions options);
Outcome runCompiled(const Case &program, const Compiled &compiled);
Outcome runWith(const Case &program, const CompileOptions &options,
                bool mayRefuse);

/// A file of overrides that is there as long as this.
class OverridesFile {
public:
  explicit OverridesFile(const llvm::Twine &text);

  std::string getPath() const { return path.str().str(); }

private:
  llvm::SmallString<128> path;
  llvm::FileRemover remover;
};

/// A target that is tried with several sizes of memory.
struct TargetChoice {
  int64_t npus, unit, banks, bytes;

  static TargetChoice choose(Random &random);
  /// Has `count` bytes of each NPU, or as many more as unit and banks take.
  void setBytes(int64_t count);
  std::string getText() const;
};

/// The number of bytes that the errors say would do, or 0.
int64_t findEnough(llvm::StringRef errors);

#define MLI_RUN(name, function, takes, what)                                   \
  Outcome function(const Case &program, Random &random);
#include "Configurations.def"

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_RUNNER_RUNS_H
