// SPDX-License-Identifier: Apache-2.0

#include "Statistics.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mli;

/// Prints the bytes that are moved and what they are compared with.
static void printMoves(llvm::raw_ostream &os, const MemoryStatistics &memory) {
  int64_t moved = memory.getMovedBytes();
  auto getRatio = [&](int64_t bytes) {
    return static_cast<double>(moved) / static_cast<double>(bytes);
  };
  const MoveLimits &limits = memory.moveLimits;
  os << llvm::formatv("moved {0:N} bytes, {1:N} in and {2:N} out: {3:F3} of "
                      "the least {4:N}",
                      moved, memory.movedInBytes, memory.movedOutBytes,
                      getRatio(limits.least), limits.least);
  if (limits.bound)
    os << llvm::formatv(", {0:F3} of the bound {1:N} for {2:N} bytes",
                        getRatio(*limits.bound), *limits.bound,
                        limits.capacity);
  os << "\n";
}

void mli::printStatistics(llvm::raw_ostream &os,
                          const CompiledFunction &function, double compileTime,
                          std::vector<double> runTimes) {
  os << "kernels: " << function.kernels << ", moves: " << function.moves
     << "\n";
  const MemoryStatistics &memory = function.memory;
  os << "weights: " << memory.constantBytes << " bytes";
  if (memory.packedLayers > 0)
    os << ", packed: " << memory.packedBytes << " bytes in "
       << memory.packedLayers << " layers";
  os << "\n"
     << "inputs and results: " << memory.argumentBytes << " bytes\n"
     << "activation buffers: " << memory.bufferBytes
     << " bytes, live at once: " << memory.peakBytes
     << " bytes, arena: " << memory.arenaBytes << " bytes\n";
  os << memory.streams;
  if (memory.shiftedBytes > 0)
    os << "moved up in rings: " << memory.shiftedBytes << " bytes\n";
  if (memory.localBytes > 0) {
    os << "local memory: " << memory.localBytes
       << " bytes of each NPU, live at once: " << memory.liveLocalBytes
       << " bytes";
    if (memory.bankConflicts)
      os << ", bank conflicts: " << *memory.bankConflicts;
    os << "\n";
    printMoves(os, memory);
    os << memory.parts;
    os << llvm::format(
        "estimated cost for the target, in bytes moved: %.0f of moves, %.0f of "
        "kernels, %.0f at the same time: %.0f\n",
        memory.moveCost, memory.kernelCost, memory.overlappedCost,
        memory.getCost());
  }
  os << llvm::format("compile: %.1f ms on this host\n", compileTime);
  if (runTimes.empty())
    return;
  llvm::sort(runTimes);
  os << llvm::format("run: %.3f ms on this host (median of %zu)\n",
                     runTimes[runTimes.size() / 2], runTimes.size());
}

void mli::printBenchmark(llvm::raw_ostream &os, const BenchmarkResult &result,
                         unsigned runs) {
  os << llvm::format("latency: %.1f us median, %.1f us least of %u, on this "
                     "host\n",
                     result.median, result.least, runs)
     << llvm::format("processor: %.1f us median, kernels: %.1f us, "
                     "checks: %.1f%%, outside of both: %.1f%%\n",
                     result.processor, result.kernels, 100 * result.checking(),
                     100 * result.outside());
  for (const CallTimes &call : result.calls)
    os << llvm::format("%10.1f us  %4u x ", call.microseconds, call.calls)
       << call.function << "\n";
}
