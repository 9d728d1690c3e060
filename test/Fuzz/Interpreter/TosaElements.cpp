// SPDX-License-Identifier: Apache-2.0
//
// Operations element by element.

#include "TosaValue.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

int64_t fuzz::getBroadcast(const TosaValue &operand, ArrayRef<int64_t> shape,
                           int64_t index) {
  int64_t from = 0, step = 1;
  for (size_t i = shape.size(); i-- > 0; index /= shape[i]) {
    from += operand.shape[i] == 1 ? 0 : index % shape[i] * step;
    step *= operand.shape[i];
  }
  return operand.elements[from];
}

/// A product without its last `shift` digits, rounded.
static int64_t multiply(int64_t a, int64_t b, int64_t shift) {
  int64_t half = shift == 0 ? 0 : int64_t{1} << (shift - 1);
  return (a * b + half) >> shift;
}

static int64_t shiftRight(int64_t value, int64_t shift, bool rounds) {
  int64_t last = rounds && shift > 0 ? value >> (shift - 1) & 1 : 0;
  return (value >> shift) + last;
}

/// The entry of a table of 256, or of one of 513 with 7 digits between entries.
static int64_t lookUp(const TosaValue &table, int64_t code) {
  if (table.getNumElements() == 256)
    return table.elements[code + 128];
  int64_t place = (code >> 7) + 256, rest = code & 127;
  int64_t entry = table.elements[place];
  return entry * 128 + (table.elements[place + 1] - entry) * rest;
}

bool fuzz::computeTosaElement(Operation *op, TosaOperands operands,
                              TosaValue &result) {
  // Both operands, the second of which may be the first once more.
  auto each = [&](auto function) {
    const TosaValue &second = operands[operands.size() > 1 ? 1 : 0];
    for (int64_t i = 0; i < result.getNumElements(); ++i)
      result.elements.push_back(
          function(getBroadcast(operands[0], result.shape, i),
                   getBroadcast(second, result.shape, i)));
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tosa::AddOp) {
        return each([](int64_t a, int64_t b) { return a + b; });
      })
      .Case([&](tosa::SubOp) {
        return each([](int64_t a, int64_t b) { return a - b; });
      })
      .Case([&](tosa::MulOp) {
        int64_t shift = operands[2].elements.front();
        return each(
            [&](int64_t a, int64_t b) { return multiply(a, b, shift); });
      })
      .Case([&](tosa::MaximumOp) {
        return each([](int64_t a, int64_t b) { return std::max(a, b); });
      })
      .Case([&](tosa::MinimumOp) {
        return each([](int64_t a, int64_t b) { return std::min(a, b); });
      })
      .Case([&](tosa::LogicalLeftShiftOp) {
        return each([](int64_t a, int64_t b) { return a << b; });
      })
      .Case([&](tosa::ArithmeticRightShiftOp op) {
        return each([&](int64_t a, int64_t b) {
          return shiftRight(a, b, op.getRound());
        });
      })
      .Case([&](tosa::ClzOp) {
        return each([](int64_t a, int64_t) {
          return int64_t{llvm::countl_zero(static_cast<uint32_t>(a))};
        });
      })
      .Case([&](tosa::GreaterEqualOp) {
        return each([](int64_t a, int64_t b) { return int64_t{a >= b}; });
      })
      .Case([&](tosa::ClampOp op) {
        auto read = [](Attribute limit) {
          return cast<IntegerAttr>(limit).getValue().getSExtValue();
        };
        int64_t low = read(op.getMinVal()), high = read(op.getMaxVal());
        return each(
            [&](int64_t a, int64_t) { return std::clamp(a, low, high); });
      })
      .Case([&](tosa::SelectOp) {
        for (int64_t i = 0; i < result.getNumElements(); ++i)
          result.elements.push_back(
              operands[operands[0].elements[i] != 0 ? 1 : 2].elements[i]);
        return true;
      })
      .Case([&](tosa::TableOp) {
        for (int64_t code : operands[0].elements)
          result.elements.push_back(lookUp(operands[1], code));
        return true;
      })
      .Default(false);
}
