// SPDX-License-Identifier: Apache-2.0
//
// What is known of a compiled function: single numbers, and all as JSON; and
// the memory of a program.

#include "Handles.h"

#include "mli/Transforms/MemoryMap.h"

#include "mlir/CAPI/Utils.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mli;
using namespace mli::capi;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The member of `MemoryStatistics` for each value from
/// `MliStatisticConstantBytes` on.
static constexpr int64_t MemoryStatistics::*members[] = {
    &MemoryStatistics::constantBytes, &MemoryStatistics::packedBytes,
    &MemoryStatistics::argumentBytes, &MemoryStatistics::bufferBytes,
    &MemoryStatistics::peakBytes,     &MemoryStatistics::arenaBytes,
    &MemoryStatistics::localBytes,    &MemoryStatistics::liveLocalBytes,
    &MemoryStatistics::movedInBytes,  &MemoryStatistics::movedOutBytes,
};
static_assert(MliStatisticConstantBytes + std::size(members) ==
              MliStatisticMovedOutBytes + 1);

int64_t mliFunctionGetStatistic(MliFunction function, MliStatistic statistic) {
  if (!function.ptr)
    return -1;
  const CompiledFunction &compiled = *unwrap(function)->compiled;
  auto value = static_cast<uint32_t>(statistic);
  if (value == MliStatisticKernels)
    return compiled.kernels;
  if (value == MliStatisticMoves)
    return compiled.moves;
  if (value <= MliStatisticMovedOutBytes)
    return compiled.memory.*members[value - MliStatisticConstantBytes];
  emitError(unwrap(function)->program->context)
      << "expected a statistic, but got the number " << value;
  return -1;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writePort(llvm::json::OStream &json, const PortHandle &handle) {
  MliPort port = {&handle};
  std::string type;
  llvm::raw_string_ostream(type) << handle.type;
  HostElement element = static_cast<HostElement>(mliPortGetElement(port));
  intptr_t count = mliPortGetNumScales(port);
  json.object([&] {
    json.attribute("name", llvm::json::fixUTF8(handle.name));
    json.attribute("type", type);
    json.attribute("element", getElementName(element));
    json.attribute("shape", llvm::json::Array(handle.type.getShape()));
    json.attribute("bytes", static_cast<int64_t>(handle.getNumBytes()));
    json.attributeArray("scales", [&] {
      for (intptr_t i = 0; i < count; ++i)
        json.value(mliPortGetScale(port, i));
    });
    json.attributeArray("zero_points", [&] {
      for (intptr_t i = 0; i < count; ++i)
        json.value(mliPortGetZeroPoint(port, i));
    });
    json.attribute("axis", mliPortGetAxis(port));
  });
}

static void writePorts(llvm::json::OStream &json, StringRef name,
                       ArrayRef<PortHandle> ports) {
  json.attributeArray(name, [&] {
    for (const PortHandle &port : ports)
      writePort(json, port);
  });
}

/// Writes `text`, lines, as an array.
static void writeLines(llvm::json::OStream &json, StringRef name,
                       StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  json.attributeArray(name, [&] {
    for (StringRef line : lines)
      json.value(llvm::json::fixUTF8(line));
  });
}

static void writeMemory(llvm::json::OStream &json,
                        const MemoryStatistics &memory) {
  json.attributeObject("memory", [&] {
    json.attribute("weights", memory.constantBytes);
    json.attribute("packed", memory.packedBytes);
    json.attribute("packed_layers", memory.packedLayers);
    json.attribute("inputs_and_results", memory.argumentBytes);
    json.attribute("buffers", memory.bufferBytes);
    json.attribute("live_at_once", memory.peakBytes);
    json.attribute("arena", memory.arenaBytes);
    json.attribute("arena_alignment", memory.arenaAlignment);
    json.attribute("moved_up_in_rings", memory.shiftedBytes);
    writeLines(json, "streams", memory.streams);
  });
}

static void writeLocal(llvm::json::OStream &json,
                       const MemoryStatistics &memory) {
  json.attributeObject("local", [&] {
    json.attribute("npu_bytes", memory.localBytes);
    json.attribute("live_at_once", memory.liveLocalBytes);
    if (memory.bankConflicts)
      json.attribute("bank_conflicts", *memory.bankConflicts);
    json.attribute("moved_in", memory.movedInBytes);
    json.attribute("moved_out", memory.movedOutBytes);
    json.attribute("moved_at_least", memory.moveLimits.least);
    if (memory.moveLimits.bound)
      json.attribute("moved_bound", *memory.moveLimits.bound);
    json.attribute("move_cost", memory.moveCost);
    json.attribute("kernel_cost", memory.kernelCost);
    json.attribute("overlapped_cost", memory.overlappedCost);
    writeLines(json, "parts", memory.parts);
  });
}

MlirLogicalResult mliFunctionPrintReport(MliFunction function,
                                         MlirStringCallback callback,
                                         void *userData) {
  if (!function.ptr || !callback)
    return mlirLogicalResultFailure();
  const FunctionHandle &handle = *unwrap(function);
  const CompiledFunction &compiled = *handle.compiled;
  mlir::detail::CallbackOstream stream(callback, userData);
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("function", llvm::json::fixUTF8(compiled.name));
    json.attribute("kernels", compiled.kernels);
    json.attribute("moves", compiled.moves);
    writePorts(json, "inputs", handle.inputs);
    writePorts(json, "results", handle.results);
    writeMemory(json, compiled.memory);
    if (compiled.memory.localBytes > 0)
      writeLocal(json, compiled.memory);
  });
  stream << "\n";
  return mlirLogicalResultSuccess();
}

/// Writes a layer as the list of mli-run --per-layer has it, but for times.
static void writeLayer(llvm::json::OStream &json, const RunLayer &layer) {
  json.object([&] {
    json.attribute("name", llvm::json::fixUTF8(layer.name));
    json.attribute("shape", llvm::json::Array(layer.shape));
    json.attribute("kernel", layer.kernel);
    json.attribute("calls", layer.calls);
    json.attribute("products", layer.work.products);
    json.attribute("bytes", layer.work.bytes);
  });
}

MlirLogicalResult mliFunctionPrintLayers(MliFunction function,
                                         MlirStringCallback callback,
                                         void *userData) {
  if (!function.ptr || !callback)
    return mlirLogicalResultFailure();
  const CompiledFunction &compiled = *unwrap(function)->compiled;
  mlir::detail::CallbackOstream stream(callback, userData);
  llvm::json::OStream json(stream, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("function", llvm::json::fixUTF8(compiled.name));
    json.attributeArray("layers", [&] {
      for (const RunLayer &layer : compiled.layers->layers)
        writeLayer(json, layer);
    });
  });
  stream << "\n";
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static_assert(int(MapFormat::Text) == MliMapFormatText &&
              int(MapFormat::Json) == MliMapFormatJson &&
              int(MapFormat::Svg) == MliMapFormatSvg);

MlirLogicalResult mliProgramPrintMemoryMap(MliProgram program,
                                           MliMapFormat format,
                                           MlirStringCallback callback,
                                           void *userData) {
  if (!program.ptr || !callback)
    return mlirLogicalResultFailure();
  const ProgramHandle &handle = *unwrap(program);
  auto value = static_cast<uint32_t>(format);
  if (value > MliMapFormatSvg) {
    emitError(handle.context)
        << "expected a format of maps, but got the number " << value;
    return mlirLogicalResultFailure();
  }
  FailureOr<std::string> map =
      formatMemoryMap(*handle.buffers, static_cast<MapFormat>(value));
  if (failed(map))
    return mlirLogicalResultFailure();
  mlir::detail::CallbackOstream(callback, userData) << *map;
  return mlirLogicalResultSuccess();
}
