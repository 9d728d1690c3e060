// SPDX-License-Identifier: Apache-2.0
//
// A step of mli-assign-addresses: fewer bank conflicts in local memory.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_BANKSEPARATION_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_BANKSEPARATION_H

#include "mli/Analysis/MemoryAnalysis.h"

namespace mli {

/// The options of bank separation.
struct BankRules {
  /// Whether buffers move to other banks.
  bool separates = true;
  /// Whether remarks report the banks that are shared.
  bool explains = false;
};

/// Moves the buffers of `memory`, the local one of `function`, to where fewer
/// of those that are used at one time share a bank, up to `limit`.
void separateBanks(mlir::func::FuncOp function, MemoryPlan &memory,
                   int64_t limit, const BankRules &rules);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_BANKSEPARATION_H
