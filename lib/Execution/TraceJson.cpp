// SPDX-License-Identifier: Apache-2.0
//
// Traces in the Trace Event Format.

#include "mli/Execution/Trace.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;

namespace {

/// The processes and threads that viewers show as lanes.
struct Lane {
  int process, thread;
};

} // namespace

static constexpr Lane hostLane = {1, 1}, transferLane = {2, 1},
                      kernelLane = {2, 2};

namespace {

/// Writes events one after the other.
class EventWriter {
public:
  explicit EventWriter(llvm::json::OStream &json) : json(json) {}

  /// Names a process or a thread: `kind` is what is named.
  void name(StringRef kind, Lane lane, StringRef text) {
    json.object([&] {
      json.attribute("name", kind);
      json.attribute("ph", "M");
      addLane(lane);
      json.attributeObject("args", [&] { json.attribute("name", text); });
    });
  }

  void complete(StringRef name, StringRef category, Lane lane, double begin,
                double end, llvm::function_ref<void()> addArguments) {
    json.object([&] {
      json.attribute("name", llvm::json::fixUTF8(name));
      json.attribute("cat", category);
      json.attribute("ph", "X");
      addLane(lane);
      json.attribute("ts", begin);
      json.attribute("dur", end - begin);
      json.attributeObject("args", addArguments);
    });
  }

  /// Adds arguments for what a layer or a part of it is.
  void addLayer(StringRef name, StringRef kernel, const LayerWork &work) {
    json.attribute("layer", llvm::json::fixUTF8(name));
    json.attribute("kernel", kernel);
    json.attribute("products", work.products);
    json.attribute("bytes", work.bytes);
  }

private:
  void addLane(Lane lane) {
    json.attribute("pid", lane.process);
    json.attribute("tid", lane.thread);
  }

  llvm::json::OStream &json;
};

} // namespace

/// The call of the function's layers that each call of `trace` is; none where
/// layers are not known.
static std::vector<const LayerCall *>
findCalls(const CompiledFunction &function, const Trace &trace) {
  std::vector<const LayerCall *> none(trace.calls.size());
  if (!function.layers)
    return none;
  auto matched =
      matchCalls(*function.layers, function.name, getFunctions(trace));
  if (matched)
    return std::move(*matched);
  // The times are worth something without, too.
  llvm::consumeError(matched.takeError());
  return none;
}

static void writeRun(llvm::json::OStream &json,
                     const CompiledFunction &function, const Trace &trace) {
  EventWriter events(json);
  events.name("process_name", hostLane, "measured on this host");
  events.complete(function.name, "run", hostLane, 0, trace.end,
                  [&] { json.attribute("calls", trace.calls.size()); });
  for (auto [i, traced, call] :
       llvm::enumerate(trace.calls, findCalls(function, trace)))
    events.complete(
        traced.function, getName(getCallKind(traced.function)), hostLane,
        traced.begin, traced.end, [&, i = i, call = call] {
          json.attribute("call", i);
          if (!call)
            return;
          const RunLayer &layer = function.layers->layers[call->layer];
          events.addLayer(layer.name, layer.kernel, call->work);
          json.attributeArray("shape", [&] {
            for (int64_t size : layer.shape)
              json.value(size);
          });
        });
}

/// Writes `steps` so that a viewer shows the unit of the cost model, a byte
/// that is moved, as a microsecond.
static void writeEstimate(llvm::json::OStream &json,
                          ArrayRef<EstimatedStep> steps) {
  if (steps.empty())
    return;
  EventWriter events(json);
  events.name("process_name", kernelLane,
              "estimate for the target, not measured: 1 us is the cost of "
              "1 byte moved");
  events.name("thread_name", transferLane, "transfers");
  events.name("thread_name", kernelLane, "kernels");
  for (auto [i, step] : llvm::enumerate(steps))
    events.complete(step.isTransfer ? "transfer of " + step.name : step.name,
                    step.isTransfer ? "estimated transfer" : "estimated kernel",
                    step.isTransfer ? transferLane : kernelLane, step.begin,
                    step.end, [&, i = i, &step = step] {
                      json.attribute("step", i);
                      events.addLayer(step.name, step.kernel, step.work);
                    });
}

void mli::writeTrace(llvm::raw_ostream &os, const CompiledFunction &function,
                     const Trace &trace) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeArray("traceEvents", [&] {
      writeRun(json, function, trace);
      if (function.layers)
        writeEstimate(json, function.layers->estimate);
    });
  });
  os << "\n";
}
