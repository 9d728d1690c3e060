// SPDX-License-Identifier: Apache-2.0
//
// Finds why a kernel does not take a buffer as it lies in memory.

#include "CauseText.h"

#include "mli/Analysis/SliceView.h"
#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;

std::optional<CopyCause> mli::getCopyCause(OpOperand &operand,
                                           MemRefType type) {
  StrideRequirement need = getStrideRequirement(operand);
  if (meetsRequirement(type, need))
    return std::nullopt;
  std::string name =
      join({"operand ", llvm::Twine(operand.getOperandNumber()), " of '",
            operand.getOwner()->getName().getStringRef(), "'"});
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  if (need == StrideRequirement::UnitInner)
    return CopyCause{CopyReason::kernel_layout,
                     join({"expected innermost stride of ", name,
                           " to be 1, but got ", numberText(strides.back())}),
                     "a slice that keeps the last dimension"};
  return CopyCause{
      CopyReason::kernel_contiguous,
      join({"expected ", name, " to be contiguous, but got shape ",
            listText(type.getShape()), " with strides ", listText(strides)}),
      "a slice along dimension 0 only"};
}
