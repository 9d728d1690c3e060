// SPDX-License-Identifier: Apache-2.0
//
// Tools say here how far they are, on the standard error.

#ifndef MLI_TOOLS_PROGRESS_H
#define MLI_TOOLS_PROGRESS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace mli {

enum class ProgressMode {
  /// What takes long; passes only on a terminal.
  Auto,
  /// What takes long.
  On,
  /// All of it, at once, and no times.
  All
};

/// The flag for it.
struct ProgressFlag {
  explicit ProgressFlag(llvm::cl::OptionCategory &category);

  llvm::cl::opt<ProgressMode> mode;
};

/// On a terminal one line that is rewritten, else lines; nothing for the first
/// two seconds.
class Progress {
public:
  explicit Progress(ProgressMode mode);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress() { clear(); }

  /// Whether anything of passes is ever shown.
  bool showsPasses() const;

  /// What the tool does now. Threads may call all of these.
  void show(const llvm::Twine &text);
  /// That it does `text`, with `done` of `all` steps done, and how long the
  /// others take if they are like these.
  void showStep(size_t done, size_t all, const llvm::Twine &text);
  /// That it runs `text`, pass `number` of `all`.
  void showPass(size_t number, size_t all, llvm::StringRef text);
  /// Takes away the line on a terminal, before something else is printed.
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  double getSeconds() const;
  void print(const std::string &text);

  ProgressMode mode;
  bool isTerminal;
  bool hasLine = false;
  Clock::time_point start = Clock::now();
  std::mutex mutex;
};

/// Shows the passes that run in a context, as long as it exists. Diagnostics
/// are printed without a line in front of them.
class PassProgress {
public:
  /// The passes that will run are those that `build` adds to a pass manager.
  PassProgress(Progress &progress, mlir::MLIRContext &context,
               llvm::function_ref<void(mlir::OpPassManager &)> build);
  PassProgress(const PassProgress &) = delete;
  PassProgress &operator=(const PassProgress &) = delete;
  ~PassProgress();

private:
  void run(llvm::function_ref<void()> action,
           const mlir::tracing::Action &what);

  Progress &progress;
  mlir::MLIRContext &context;
  mlir::ScopedDiagnosticHandler handler;
  size_t done = 0, all = 0;
  /// Whether a pass runs; others in it are parts of it.
  std::atomic<bool> isRunning = false;
};

} // namespace mli

#endif // MLI_TOOLS_PROGRESS_H
