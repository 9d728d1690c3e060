// SPDX-License-Identifier: Apache-2.0
//
// The softmax in networks of TOSA, in integers as legalisers write it.

#include "TosaProgram.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

namespace {

/// Creates the operations along one axis.
class Softmax {
public:
  Softmax(TosaNetwork &network, const TosaMap &input, int64_t axis)
      : network(network), builder(network.builder), loc(network.loc),
        input(input), axis(axis), shape(input.getShape()), rowShape(shape) {
    rowShape[axis] = 1;
  }

  Value create();

private:
  Value number(int64_t value) {
    return network.constant(SmallVector<int64_t>(shape.size(), 1), 32, {value});
  }
  RankedTensorType wide(ArrayRef<int64_t> of) {
    return network.getType(of, 32);
  }
  Value shiftLeft(Value value, Value by, ArrayRef<int64_t> of) {
    return tosa::LogicalLeftShiftOp::create(builder, loc, wide(of), value, by);
  }
  Value shiftRight(Value value, Value by, ArrayRef<int64_t> of) {
    return tosa::ArithmeticRightShiftOp::create(builder, loc, wide(of), value,
                                                by, /*round=*/true);
  }
  Value multiply(Value a, Value b, int64_t shift, ArrayRef<int64_t> of) {
    return tosa::MulOp::create(builder, loc, wide(of), a, b,
                               network.zero(shift));
  }
  Value createTable(Value index, int byte);
  Value createExponentials(Value index);
  Value createReciprocal(Value half);

  TosaNetwork &network;
  OpBuilder &builder;
  Location loc;
  TosaMap input;
  int64_t axis;
  SmallVector<int64_t> shape, rowShape;
};

} // namespace

/// Byte number `byte` of exp(-scale * k) in Q31, from k = 256 down to 0.
Value Softmax::createTable(Value index, int byte) {
  SmallVector<int64_t> entries;
  for (int64_t k = 256; k > -257; --k) {
    double exponential =
        k < 0 ? 0 : std::exp(-input.scale * static_cast<double>(k));
    auto number =
        std::min<int64_t>(std::llround(std::ldexp(exponential, 31)), INT32_MAX);
    entries.push_back(number >> (8 * byte) & 255);
  }
  return tosa::TableOp::create(builder, loc, wide(shape), index,
                               network.constant({513}, 16, entries));
}

Value Softmax::createExponentials(Value index) {
  // Tables give 7 digits more than they have.
  Value parts[] = {shiftLeft(createTable(index, 3), number(17), shape),
                   shiftLeft(createTable(index, 2), number(9), shape),
                   shiftLeft(createTable(index, 1), number(1), shape),
                   shiftRight(createTable(index, 0), number(7), shape)};
  Value sum = parts[0];
  for (Value part : ArrayRef(parts).drop_front())
    sum = tosa::AddOp::create(builder, loc, wide(shape), sum, part);
  return sum;
}

/// 1 / `half` by Newton's steps from a line.
Value Softmax::createReciprocal(Value half) {
  Value line = multiply(half, number(-1010580540), 31, rowShape);
  Value x = tosa::AddOp::create(builder, loc, wide(rowShape), line,
                                number(1515870810));
  for (int step = 0; step < 3; ++step) {
    Value known = multiply(x, half, 31, rowShape);
    Value error = tosa::SubOp::create(builder, loc, wide(rowShape),
                                      number(int64_t{1} << 29), known);
    Value change =
        multiply(multiply(x, error, 31, rowShape), number(4), 0, rowShape);
    x = tosa::AddOp::create(builder, loc, wide(rowShape), x, change);
  }
  return x;
}

Value Softmax::create() {
  Value logits = network.rescale(input.value, input.zeroPoint, 1.0, 0, 32);
  Value largest = tosa::ReduceMaxOp::create(builder, loc, logits,
                                            static_cast<uint32_t>(axis));
  Value below = tosa::SubOp::create(builder, loc, wide(shape), logits, largest);
  Value index = network.rescale(below, 0, 128.0, 0, 16);
  Value exponentials = createExponentials(index);
  Value total = tosa::ReduceSumOp::create(
      builder, loc, shiftRight(exponentials, number(12), shape),
      static_cast<uint32_t>(axis));
  Value zeros = tosa::ClzOp::create(builder, loc, wide(rowShape), total);
  Value less =
      tosa::SubOp::create(builder, loc, wide(rowShape), zeros, number(1));
  Value reciprocal = createReciprocal(shiftLeft(total, less, rowShape));
  Value product = multiply(exponentials, reciprocal, 30, shape);
  Value amount =
      tosa::SubOp::create(builder, loc, wide(rowShape), number(35), zeros);
  Value codes = shiftRight(product, amount, shape);
  return network.rescale(codes, 0, 1.0, -128, 8);
}

bool fuzz::makeAlongAxis(TosaNetwork &network) {
  TosaMap input = network.need(network.random.pick(1, 4));
  int64_t axis = network.random.chance(70)
                     ? input.getRank() - 1
                     : network.random.pick(0, input.getRank() - 1);
  // The exponentials say what the scale is.
  if (input.scale > 0.5 || input.scale < 1.0 / 256)
    return false;
  Value result = Softmax(network, input, axis).create();
  network.add(result, 1.0 / 256, -128);
  return true;
}
