// SPDX-License-Identifier: Apache-2.0
//
// How kernels round and accumulate: those that run, and those that the compiler
// runs on constants.

#ifndef MLI_IR_COMPUTINGMODES_H
#define MLI_IR_COMPUTINGMODES_H

#include "mli/Runtime/C/mli_runtime.h"

#include "mlir/IR/Operation.h"

#include <mutex>

namespace mli {

/// How kernels round halves. `Unset` does as the module says.
enum class RoundingMode { Unset, Up, Convergent };

/// How kernels of sa8 accumulate: products through 16 bits and averages with
/// multipliers of 8 bits, or one of them or both with all bits. `Unset` does as
/// the module says.
enum class AccumulationMode { Unset, Narrow, FullProducts, FullAverages, Full };

struct ComputingModes {
  RoundingMode rounding = RoundingMode::Unset;
  AccumulationMode accumulation = AccumulationMode::Unset;

  bool isConvergent() const { return rounding == RoundingMode::Convergent; }
  bool hasFullProducts() const {
    return accumulation == AccumulationMode::FullProducts ||
           accumulation == AccumulationMode::Full;
  }
  bool hasFullAverages() const {
    return accumulation == AccumulationMode::FullAverages ||
           accumulation == AccumulationMode::Full;
  }
  /// The modes as the runtime has them; its defaults for those that are unset.
  mli_rounding_mode getRuntimeRounding() const;
  mli_accumulation_mode getRuntimeAccumulation() const;
};

/// The modes that `mli.rounding` and `mli.accumulation` of the closest module
/// around `op` with each of them say; up and narrow without one.
ComputingModes findComputingModes(mlir::Operation *op);

/// Sets the attributes of `module` for those of `modes` that are not unset.
void setComputingModes(mlir::Operation *module, const ComputingModes &modes);

/// Fails, with an error, if `attribute` of `op` is one of these and holds no
/// mode, or is not on a module.
llvm::LogicalResult verifyComputingMode(mlir::Operation *op,
                                        mlir::NamedAttribute attribute);

/// While it lives, the runtime of the compiler computes in the modes of the
/// module around an operation. There is one at a time, as its modes hold in all
/// threads: others wait for its end.
class ComputingScope {
public:
  explicit ComputingScope(mlir::Operation *op);
  ~ComputingScope();
  ComputingScope(const ComputingScope &) = delete;
  ComputingScope &operator=(const ComputingScope &) = delete;

private:
  std::unique_lock<std::mutex> lock;
  mli_rounding_mode rounding;
  mli_accumulation_mode accumulation;
};

} // namespace mli

#endif // MLI_IR_COMPUTINGMODES_H
