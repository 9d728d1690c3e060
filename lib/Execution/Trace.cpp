// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Trace.h"

#include "RuntimeLibrary.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mli;

CallKind mli::getCallKind(StringRef function) {
  if (function.ends_with("_create_lut"))
    return CallKind::Table;
  return function.starts_with("mli_krn_") || function.contains("_convert_")
             ? CallKind::Kernel
             : CallKind::Move;
}

StringRef mli::getName(CallKind kind) {
  switch (kind) {
  case CallKind::Kernel:
    return "kernel";
  case CallKind::Move:
    return "move";
  case CallKind::Table:
    return "table";
  }
  llvm_unreachable("all kinds are above");
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {

/// Listens to one run.
class Listener {
public:
  explicit Listener(double (*clock)()) : clock(clock), start(clock()) {}

  Trace take() {
    found.end = now();
    return std::move(found);
  }

private:
  double now() const { return clock() - start; }

  static void record(const char *function, int ends, void *cookie) {
    auto &self = *static_cast<Listener *>(cookie);
    if (ends)
      self.found.calls.back().end = self.now();
    else
      self.found.calls.push_back({function, self.now(), 0});
  }

  double (*clock)();
  double start;
  Trace found;
  CallListener listening{record, this};
};

} // namespace

llvm::Expected<Trace> mli::trace(const Program &program,
                                 const CompiledFunction &function,
                                 ArrayRef<HostTensor> inputs, Clocks clocks) {
  if (llvm::Error error = Program::checkInputs(function, inputs))
    return error;
  Invocation invocation(program, function, inputs);
  if (llvm::Error error = invocation.run())
    return error;
  Listener listener(clocks.wall);
  if (llvm::Error error = invocation.run())
    return error;
  return listener.take();
}

std::vector<std::string> mli::getFunctions(const Trace &trace) {
  std::vector<std::string> functions;
  functions.reserve(trace.calls.size());
  for (const TracedCall &call : trace.calls)
    functions.push_back(call.function);
  return functions;
}
