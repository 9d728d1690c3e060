// SPDX-License-Identifier: Apache-2.0
//
// Legalizes tables of i8: those that hold a function that a kernel computes,
// and any others.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
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

/// The quantisation of the input, as derived from the entries of a table.
struct TableInput {
  double scale;
  int64_t zeroPoint;
};

/// A function of a table kernel: its inverse, and the format of its results,
/// which the kernel fixes.
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
class TableCluster : public Cluster {
public:
  TableCluster(tosa::TableOp op, TableInput params)
      : Cluster(op, op), input(op.getInput1()), params(params) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(input, params.zeroPoint),
            Constraint::scale(input, params.scale),
            Constraint::zeroPoint(getResult(), Function::format.zeroPoint),
            Constraint::scale(getResult(),
                              mli::quant::realScale(Function::format))};
  }

  Value emit(Emitter &emitter) const override {
    Value source = emitter.read(input, getFlatShape(input));
    Value init = emitter.empty(getResult(), getFlatShape(getResult()));
    return emitter.createOp<typename Function::KernelOp>(source, init);
  }

private:
  Value input;
  TableInput params;
};

/// A range of possible scales.
struct Interval {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();

  bool isEmpty() const { return !(low < high); }
  /// The relative width, which compares ranges of any scale.
  double width() const { return high / low; }
};

} // namespace

/// The scales for which `Function` has these entries at the inputs `scale *
/// (quantized value - zeroPoint)`.
template <typename Function>
static Interval findScales(ArrayRef<int64_t> entries, int64_t zeroPoint) {
  // A table that does not round to nearest is still one of the function.
  constexpr double half = 0.501;
  const double scale = mli::quant::realScale(Function::format);
  Interval scales;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    double steps = static_cast<double>(entry - Function::format.zeroPoint);
    double infinity = std::numeric_limits<double>::infinity();
    double low = entry == INT8_MIN ? -infinity
                                   : Function::inverse((steps - half) * scale);
    double high = entry == INT8_MAX ? infinity
                                    : Function::inverse((steps + half) * scale);
    int64_t distance = static_cast<int64_t>(i) + INT8_MIN - zeroPoint;
    if (distance == 0 && (low > 0 || high < 0))
      return {1, 0};
    if (distance < 0)
      std::tie(low, high) = std::pair(-high, -low);
    if (distance == 0)
      continue;
    auto count = static_cast<double>(std::abs(distance));
    scales.low = std::max(scales.low, low / count);
    scales.high = std::min(scales.high, high / count);
  }
  return scales;
}

/// The input for which `entries` are the table of `Function`; nothing if there
/// is none.
template <typename Function>
static std::optional<TableInput> findInput(ArrayRef<int64_t> entries) {
  Interval best{1, 0};
  int64_t zeroPoint = 0;
  for (int64_t candidate = INT8_MIN; candidate <= INT8_MAX; ++candidate) {
    Interval scales = findScales<Function>(entries, candidate);
    // Entries that all are equal determine no scale.
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

/// The zero point with which users read `value`, as far as its type or one of
/// them specifies it.
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
            zero ? getIntegers(zero) : std::nullopt)
      found = list->front();
    else if (isa<tosa::ReshapeOp, tosa::SliceOp, tosa::TransposeOp, tosa::PadOp,
                 tosa::ConcatOp, tosa::ClampOp, tosa::MaxPool2dOp>(user))
      found = findReadZero(user->getResult(0));
    if (found)
      return found;
  }
  return std::nullopt;
}

ClusterPtr raising::matchTable(tosa::TableOp op, MatchFailures &failures) {
  // The tables of a softmax have 16 bits.
  if (isStoredIn(op.getInput1().getType(), 16))
    return nullptr;
  if (failed(checkMove(op, op.getInput1(), op.getOutput(), failures,
                       /*maxBits=*/8)))
    return nullptr;
  std::optional<SmallVector<int64_t>> entries = getIntegers(op.getTable());
  if (!entries || entries->size() != 256)
    return failures.reject(op, "expected a constant table of 256, but got ",
                           op.getTable().getType());
  // tanh(x) is 2 / (1 + exp(-2 x)) - 1, which has the same quantized values.
  bool isTangent = findReadZero(op.getOutput()) == Tangent::format.zeroPoint;
  if (std::optional<TableInput> input = findInput<Tangent>(*entries);
      input && isTangent)
    return std::make_unique<TableCluster<Tangent>>(op, *input);
  if (std::optional<TableInput> input = findInput<Logistic>(*entries))
    return std::make_unique<TableCluster<Logistic>>(op, *input);
  return createTable(op, op.getInput1(), *entries);
}
