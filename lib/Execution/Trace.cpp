// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Trace.h"

#include "RuntimeLibrary.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"

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

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeEvent(llvm::json::OStream &json, StringRef name,
                       StringRef category, double begin, double end,
                       StringRef argument, size_t value) {
  json.object([&] {
    json.attribute("name", name);
    json.attribute("cat", category);
    json.attribute("ph", "X");
    json.attribute("pid", 1);
    json.attribute("tid", 1);
    json.attribute("ts", begin);
    json.attribute("dur", end - begin);
    json.attributeObject("args", [&] { json.attribute(argument, value); });
  });
}

void mli::writeTrace(llvm::raw_ostream &os, StringRef function,
                     const Trace &trace) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeArray("traceEvents", [&] {
      writeEvent(json, function, "run", 0, trace.end, "calls",
                 trace.calls.size());
      for (auto [i, call] : llvm::enumerate(trace.calls))
        writeEvent(json, call.function, getName(getCallKind(call.function)),
                   call.begin, call.end, "call", i);
    });
  });
  os << "\n";
}
