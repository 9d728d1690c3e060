// SPDX-License-Identifier: Apache-2.0

#include "Progress.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

/// What is shorter says nothing.
static constexpr double quietSeconds = 2;

ProgressFlag::ProgressFlag(cl::OptionCategory &category)
    : mode("progress",
           cl::desc(
               "Report progress on the standard error after two seconds, as "
               "is done on a terminal"),
           cl::ValueOptional,
           cl::values(clEnumValN(ProgressMode::On, "", "After two seconds"),
                      clEnumValN(ProgressMode::All, "all",
                                 "From the beginning, each step a line")),
           cl::init(ProgressMode::Auto), cl::cat(category)) {}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

Progress::Progress(ProgressMode mode)
    : mode(mode), isTerminal(mode != ProgressMode::All &&
                             llvm::sys::Process::StandardErrIsDisplayed()) {}

bool Progress::showsPasses() const {
  return isTerminal || mode != ProgressMode::Auto;
}

double Progress::getSeconds() const {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Progress::print(const std::string &text) {
  if (mode != ProgressMode::All && getSeconds() < quietSeconds)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (!isTerminal) {
    llvm::errs() << text << "\n";
    return;
  }
  // A line that is longer would not be taken away.
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  llvm::errs() << "\r"
               << StringRef(text).take_front(columns > 1 ? columns - 1 : 79)
               << "\033[K";
  hasLine = true;
}

void Progress::show(const llvm::Twine &text) { print(text.str()); }

void Progress::showStep(size_t done, size_t all, const llvm::Twine &text) {
  std::string line = llvm::formatv("{0} of {1}: {2}", done + 1, all, text);
  if (done > 0 && mode != ProgressMode::All)
    line += llvm::formatv(", about {0:F0} s left",
                          getSeconds() / static_cast<double>(done) *
                              static_cast<double>(all - done));
  print(line);
}

void Progress::showPass(size_t number, size_t all, StringRef text) {
  if (showsPasses())
    print(llvm::formatv("pass {0} of {1}: {2}", number, all, text));
}

void Progress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  if (hasLine)
    llvm::errs() << "\r\033[K";
  hasLine = false;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

PassProgress::PassProgress(Progress &progress, MLIRContext &context,
                           llvm::function_ref<void(OpPassManager &)> build)
    : progress(progress), context(context),
      handler(&context, [&](Diagnostic &) {
        progress.clear();
        return failure();
      }) {
  if (!progress.showsPasses())
    return;
  PassManager passes(&context);
  build(passes);
  all = passes.size();
  context.registerActionHandler(
      [this](llvm::function_ref<void()> action, const tracing::Action &what) {
        run(action, what);
      });
}

PassProgress::~PassProgress() {
  if (progress.showsPasses())
    context.registerActionHandler(nullptr);
  progress.clear();
}

void PassProgress::run(llvm::function_ref<void()> action,
                       const tracing::Action &what) {
  const auto *pass = dyn_cast<PassExecutionAction>(&what);
  if (!pass || isRunning.exchange(true)) {
    action();
    return;
  }
  StringRef name = pass->getPass().getArgument();
  if (name.empty())
    name = pass->getPass().getName();
  // Without namespaces.
  name = name.drop_front(name.rfind(':') + 1);
  progress.showPass(++done, all, name);
  action();
  isRunning = false;
  if (done == all)
    progress.showPass(all, all, "done, code is next");
}
