// SPDX-License-Identifier: Apache-2.0
//
// Raising tables of i8 that hold a function that a kernel computes.

#include "TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Quant/Formats.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// The input's quantisation, as the entries of a table show it.
struct TableInput {
  double scale;
  int64_t zeroPoint;
};

/// What kernels have tables of themselves: the inverse function, and the codes
/// of its results, which kernels fix.
struct Logistic {
  using KernelOp = SigmOp;
  static constexpr mli::quant::QuantParams format =
      contract::tableFormat(contract::Family::Sigm, 8,
                            /*isAsymmetric=*/true);
  static double inverse(double y) {
    return y <= 0   ? -std::numeric_limits<double>::infinity()
           : y >= 1 ? std::numeric_limits<double>::infinity()
                    : std::log(y / (1 - y));
  }
};
struct Tangent {
  using KernelOp = TanhOp;
  static constexpr mli::quant::QuantParams format =
      contract::tableFormat(contract::Family::Tanh, 8,
                            /*isAsymmetric=*/true);
  static double inverse(double y) {
    return y <= -1  ? -std::numeric_limits<double>::infinity()
           : y >= 1 ? std::numeric_limits<double>::infinity()
                    : std::atanh(y);
  }
};

template <typename Function>
class TableGroup : public Group {
public:
  TableGroup(tosa::TableOp op, TableInput params)
      : Group(op, op), input(op.getInput1()), params(params) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, params.zeroPoint),
            Constraint::scale(input, params.scale),
            Constraint::zeroPoint(getResult(), Function::format.zeroPoint),
            Constraint::scale(getResult(),
                              mli::quant::realScale(Function::format))};
  }

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input, withoutBatch(input));
    Value init = emitter.empty(getResult(), withoutBatch(getResult()));
    return Function::KernelOp::create(emitter.getBuilder(), emitter.getLoc(),
                                      source, init)
        .getResult(0);
  }

private:
  Value input;
  TableInput params;
};

/// Scales that are possible.
struct Interval {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();

  bool isEmpty() const { return !(low < high); }
  /// How much wider than others, at any scale.
  double width() const { return high / low; }
};

} // namespace

/// The scales for which `Function` gives the entries, the inputs being
/// `scale * (code - zeroPoint)`.
template <typename Function>
static Interval findScales(ArrayRef<int64_t> entries, int64_t zeroPoint) {
  // A rounding that is not to the nearest is still a table of the function.
  constexpr double half = 0.501;
  const double scale = mli::quant::realScale(Function::format);
  Interval scales;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    double code = static_cast<double>(entry - Function::format.zeroPoint);
    double infinity = std::numeric_limits<double>::infinity();
    double low = entry == INT8_MIN ? -infinity
                                   : Function::inverse((code - half) * scale);
    double high =
        entry == INT8_MAX ? infinity : Function::inverse((code + half) * scale);
    int64_t steps = static_cast<int64_t>(i) + INT8_MIN - zeroPoint;
    if (steps == 0 && (low > 0 || high < 0))
      return {1, 0};
    if (steps < 0)
      std::tie(low, high) = std::pair(-high, -low);
    if (steps == 0)
      continue;
    double distance = static_cast<double>(std::abs(steps));
    scales.low = std::max(scales.low, low / distance);
    scales.high = std::min(scales.high, high / distance);
  }
  return scales;
}

/// The input of which `entries` are the table of `Function`; nothing if there
/// is none.
template <typename Function>
static std::optional<TableInput> findInput(ArrayRef<int64_t> entries) {
  Interval best{1, 0};
  int64_t zeroPoint = 0;
  for (int64_t candidate = INT8_MIN; candidate <= INT8_MAX; ++candidate) {
    Interval scales = findScales<Function>(entries, candidate);
    // Entries that are all one code say nothing, or not enough.
    if (scales.isEmpty() || scales.low <= 0 || std::isinf(scales.high))
      continue;
    if (best.isEmpty() || scales.width() > best.width()) {
      best = scales;
      zeroPoint = candidate;
    }
  }
  if (best.isEmpty())
    return std::nullopt;
  return TableInput{(best.low + best.high) / 2, zeroPoint};
}

/// The zero point with which others read `value`, as far as its type or one of
/// them shows it.
static std::optional<int64_t> findReadZero(Value value) {
  if (auto type = dyn_cast<mlir::quant::UniformQuantizedType>(
          getElementTypeOrSelf(value.getType())))
    return type.getZeroPoint();
  for (Operation *user : value.getUsers()) {
    Value zero;
    llvm::TypeSwitch<Operation *>(user)
        .Case<tosa::RescaleOp, tosa::Conv2DOp, tosa::DepthwiseConv2DOp,
              tosa::TransposeConv2DOp, tosa::AvgPool2dOp>(
            [&](auto op) { zero = op.getInputZp(); })
        .Case([&](tosa::MatMulOp op) { zero = op.getAZp(); });
    std::optional<int64_t> found;
    if (std::optional<SmallVector<int64_t>> list =
            zero ? integersOf(zero) : std::nullopt)
      found = list->front();
    else if (isa<tosa::ReshapeOp, tosa::SliceOp, tosa::TransposeOp, tosa::PadOp,
                 tosa::ConcatOp, tosa::ClampOp, tosa::MaxPool2dOp>(user))
      found = findReadZero(user->getResult(0));
    if (found)
      return found;
  }
  return std::nullopt;
}

GroupPtr raising::matchTable(tosa::TableOp op, Refusals &refusals) {
  // Those of a softmax are of 16 bits.
  if (isStoredIn(op.getInput1().getType(), 16))
    return nullptr;
  if (failed(checkMaps(op, op.getInput1(), op.getOutput(), refusals)))
    return nullptr;
  std::optional<SmallVector<int64_t>> entries = integersOf(op.getTable());
  if (!entries || entries->size() != 256)
    return refusals.refuse(op, "expected a constant table of 256, but got ",
                           op.getTable().getType());
  // tanh(x) is 2 / (1 + exp(-2 x)) - 1, which has the same codes.
  bool isTangent = findReadZero(op.getOutput()) == Tangent::format.zeroPoint;
  if (std::optional<TableInput> input = findInput<Tangent>(*entries);
      input && isTangent)
    return std::make_unique<TableGroup<Tangent>>(op, *input);
  if (std::optional<TableInput> input = findInput<Logistic>(*entries))
    return std::make_unique<TableGroup<Logistic>>(op, *input);
  return refusals.refuse(op,
                         "expected a table of the logistic function in steps "
                         "of 1/256 from -128 or of the hyperbolic tangent in "
                         "steps of 1/128, but got another");
}
