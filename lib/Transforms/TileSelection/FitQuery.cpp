// SPDX-License-Identifier: Apache-2.0

#include "mli/Transforms/FitQuery.h"

#include "StaticKernel.h"

using namespace mlir;
using namespace mli;
using namespace mli::tiling;

StringRef mli::toString(FitLimit limit) {
  switch (limit) {
  case FitLimit::Nothing:
    return "nothing";
  case FitLimit::Kernel:
    return "kernel";
  case FitLimit::Halo:
    return "halo";
  case FitLimit::Input:
    return "input";
  case FitLimit::Weights:
    return "weights";
  case FitLimit::Result:
    return "result";
  case FitLimit::Npus:
    return "NPUs";
  }
  return "";
}

FailureOr<FitQuery> FitQuery::get(Operation *op, const layout::Target &target,
                                  int64_t capacity) {
  std::optional<StaticKernel> kernel = StaticKernel::get(op);
  if (!kernel)
    return failure();
  return FitQuery(std::make_shared<const StaticKernel>(std::move(*kernel)),
                  target, capacity);
}

ArrayRef<int64_t> FitQuery::getSizes() const { return kernel->sizes; }

std::string FitQuery::getName(unsigned dim) const {
  size_t fromEnd = kernel->sizes.size() - dim;
  return fromEnd <= 4 ? std::string(1, "CWHN"[fromEnd - 1])
                      : std::to_string(dim);
}

bool FitQuery::isLegal(unsigned dim, int64_t count) const {
  return isLegalSize(*kernel, dim, count);
}

SmallVector<int64_t> FitQuery::getOperandBytes(ArrayRef<int64_t> block) const {
  SmallVector<int64_t> bytes;
  for (unsigned i = 0; i < kernel->operands.size(); ++i)
    bytes.push_back(
        kernel->getBytes(i, kernel->getWorstShape(i, block), target));
  return bytes;
}

int64_t FitQuery::getBytes(ArrayRef<int64_t> block) const {
  int64_t bytes = kernel->scratchBytes;
  for (int64_t operand : getOperandBytes(block))
    bytes += operand;
  return bytes;
}

/// The operand that grows most determines the limit.
FitLimit FitQuery::findLimit(unsigned dim, ArrayRef<int64_t> block,
                             ArrayRef<int64_t> larger) const {
  bool isLast = dim + 1 == block.size();
  if (isLast && target.npus > 1 && block[dim] % target.npus == 0)
    return FitLimit::Npus;
  SmallVector<int64_t> now = getOperandBytes(block);
  SmallVector<int64_t> next = getOperandBytes(larger);
  size_t most = 0;
  for (size_t i = 0; i < now.size(); ++i)
    if (next[i] - now[i] > next[most] - now[most])
      most = i;
  if (most + 1 == now.size())
    return FitLimit::Result;
  if (most > 0 && kernel->operands[most].role != layout::OperandUsage::Map)
    return FitLimit::Weights;
  for (const DimRange &range : kernel->operands[most].dims)
    if (range.use.follows(dim) && range.extent > range.stride)
      return FitLimit::Halo;
  return FitLimit::Input;
}

DimFit FitQuery::getLargest(unsigned dim, ArrayRef<int64_t> block) const {
  DimFit fit;
  fit.size = kernel->sizes[dim];
  SmallVector<int64_t> sizes(block);
  auto fits = [&](int64_t count) {
    sizes[dim] = count;
    return getSlack(sizes) >= 0;
  };
  if (kernel->mayShrink(dim)) {
    fit.block = fit.size;
    while (fit.block > 0 && !(isLegal(dim, fit.block) && fits(fit.block)))
      --fit.block;
  } else {
    // Halving finds the first size that does not fit.
    int64_t least = 1, most = fit.size + 1;
    while (least < most) {
      int64_t middle = least + (most - least) / 2;
      if (middle <= fit.size && fits(middle))
        least = middle + 1;
      else
        most = middle;
    }
    for (fit.block = least - 1; fit.block > 0 && !isLegal(dim, fit.block);)
      --fit.block;
  }
  if (fit.block == fit.size)
    return fit;
  int64_t next = fit.block + 1;
  while (next < fit.size && !isLegal(dim, next))
    ++next;
  sizes[dim] = next;
  int64_t larger = getBytes(sizes);
  fit.step = next - fit.block;
  SmallVector<int64_t> now(sizes);
  now[dim] = std::max<int64_t>(1, fit.block);
  fit.stepBytes = larger - (fit.block > 0 ? getBytes(now) : 0);
  fit.limit =
      kernel->grains[dim] == 0 ? FitLimit::Kernel : findLimit(dim, now, sizes);
  return fit;
}

SmallVector<int64_t> FitQuery::getSmallestBlock() const {
  SmallVector<int64_t> block;
  for (auto [size, grain] : llvm::zip_equal(kernel->sizes, kernel->grains))
    block.push_back(grain == 0 ? size : 1);
  return block;
}

SmallVector<int64_t> FitQuery::getLargestBlock() const {
  SmallVector<int64_t> block = getSmallestBlock();
  if (getSlack(block) < 0)
    return {};
  for (size_t dim = block.size(); dim-- > 0;)
    block[dim] = getLargest(dim, block).block;
  return block;
}
