// SPDX-License-Identifier: Apache-2.0

#ifndef MLI_CALLS_GDMACOPY_H
#define MLI_CALLS_GDMACOPY_H

#include "mli/Calls/LocalOperand.h"

namespace mli::calls {

/// A call of `okk_gdma_*_cpy_S2L` or `_L2S`.
struct GdmaCopy {
  using Numbers = std::array<int64_t, 4>; ///< for N, C, H and W

  std::string function;
  Numbers shape, targetStrides, sourceStrides;
};

/// The call that copies the block of `move` between local memory and a tensor
/// of `element` in system memory whose dimensions are `systemStrides` elements
/// apart; none if one instruction does not reach these elements.
/// `addressFactor` divides the local address of the block. The dimensions of
/// the call need not be those of the layout: only which one is C matters.
std::optional<GdmaCopy> findGdmaCopy(const LocalMove &move, mlir::Type element,
                                     llvm::ArrayRef<int64_t> systemStrides,
                                     int64_t addressFactor,
                                     const layout::Target &target);

} // namespace mli::calls

#endif // MLI_CALLS_GDMACOPY_H
