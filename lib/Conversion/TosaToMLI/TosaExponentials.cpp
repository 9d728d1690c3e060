// SPDX-License-Identifier: Apache-2.0

#include "TosaExponentials.h"

#include "TosaConstants.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

Value raising::shiftedRight(Value value, int64_t shift) {
  auto op = definingOp<tosa::ArithmeticRightShiftOp>(value);
  return op && op.getRound() && isSplatOf(op.getInput2(), shift)
             ? op.getInput1()
             : Value();
}

/// Adds one table, shifted by its place in the number, to `sum`.
static bool addTable(Value value, Exponentials &sum) {
  // A table of 16 bits gives 7 fraction bits, all of them 0 here.
  double weight = std::ldexp(1, 7);
  Value shifted;
  if (auto op = value.getDefiningOp<tosa::LogicalLeftShiftOp>()) {
    std::optional<SmallVector<int64_t>> shift = integersOf(op.getInput2());
    if (!shift || shift->size() != 1 || shift->front() < 0 ||
        shift->front() > 31)
      return false;
    weight = std::ldexp(weight, static_cast<int>(shift->front()));
    shifted = op.getInput1();
  } else {
    weight = 1;
    shifted = shiftedRight(value, 7);
  }
  auto table = definingOp<tosa::TableOp>(shifted);
  if (!table || (sum.index && sum.index != table.getInput1()))
    return false;
  sum.index = table.getInput1();
  std::optional<SmallVector<int64_t>> numbers = integersOf(table.getTable());
  if (!numbers || numbers->size() != 513)
    return false;
  for (auto [k, entry] : llvm::enumerate(sum.entries))
    entry += weight * static_cast<double>((*numbers)[256 - k]);
  return true;
}

bool raising::readTables(Value value, Exponentials &sum) {
  SmallVector<Value> parts{value};
  for (int tables = 0; !parts.empty();) {
    Value part = parts.pop_back_val();
    if (auto add = part.getDefiningOp<tosa::AddOp>())
      parts.append({add.getInput1(), add.getInput2()});
    else if (++tables > 4 || !addTable(part, sum))
      return false;
    if (parts.size() > 4)
      return false;
  }
  return true;
}

std::optional<double> raising::findScale(const Exponentials &exponentials) {
  ArrayRef<double> entries(exponentials.entries);
  // Rounding of the entry hurts least where entry times difference is largest.
  size_t best = 1;
  for (size_t k = 2; k < entries.size(); ++k)
    if (entries[k] * k > entries[best] * best)
      best = k;
  double one = std::ldexp(1, 31);
  double scale = -std::log(entries[best] / one) / static_cast<double>(best);
  if (!(scale > 0) || !std::isfinite(scale))
    return std::nullopt;
  // Legalisers compute them in integers, good to 2^-21; the table of the kernel
  // has 15 bits.
  for (auto [k, entry] : llvm::enumerate(entries))
    if (std::abs(entry - std::exp(-scale * k) * one) > std::ldexp(1, 10))
      return std::nullopt;
  return scale;
}
