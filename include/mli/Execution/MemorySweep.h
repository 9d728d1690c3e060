// SPDX-License-Identifier: Apache-2.0
//
// What local memory of other sizes would do for a network: it is compiled for
// each of them, as far as its memory is known, and not run.

#ifndef MLI_EXECUTION_MEMORYSWEEP_H
#define MLI_EXECUTION_MEMORYSWEEP_H

#include "mli/Execution/Program.h"

#include <map>

namespace mli {

/// A network compiled for local memory of one size.
struct SweepPoint {
  /// A kernel, and the fewest bytes of each NPU that hold its smallest tile.
  struct Need {
    std::string kernel;
    int64_t npuBytes = 0;
  };

  /// Bytes of each NPU.
  int64_t npuBytes = 0;
  /// Of the kernel that needs most, which binds; nothing if there is none.
  std::optional<Need> binding;
  /// Nothing if the network does not fit; then the first error is the reason.
  std::optional<MemoryStatistics> memory;
  std::string reason;

  bool fits() const { return memory.has_value(); }
};

/// The sizes that a network was compiled for.
class MemorySweep {
public:
  /// Is called before the network is compiled for so many bytes of each NPU.
  using Observer = std::function<void(int64_t npuBytes)>;

  /// Of the one function of `module`, a network, that `options` enter, in the
  /// local memory of targets that are like `target` in all but its size.
  MemorySweep(mlir::ModuleOp module, const CompileOptions &options,
              const layout::Target &target, Observer observer);

  /// The sizes that targets may have are the multiples of `getStep` up to
  /// `getMax`.
  int64_t getStep() const { return layout::roundUpNpuBytes(1, target); }
  int64_t getMax() const;

  /// The network in `npuBytes`, which a target may have. No diagnostics are
  /// emitted.
  const SweepPoint &compile(int64_t npuBytes);

  /// The least size that the network fits: one step less is too small. Null if
  /// it fits none.
  const SweepPoint *findLeast();

private:
  void compileTo(SweepPoint &point);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  CompileOptions options;
  layout::Target target;
  Observer observer;
  std::map<int64_t, SweepPoint> points;
};

} // namespace mli

#endif // MLI_EXECUTION_MEMORYSWEEP_H
