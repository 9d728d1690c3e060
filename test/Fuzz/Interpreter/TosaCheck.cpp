// SPDX-License-Identifier: Apache-2.0

#include "TosaCheck.h"

#include "Bounds.h"
#include "TosaValue.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

static bool isByte(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isSignlessInteger(8);
}

void fuzz::returnAll(ModuleOp module) {
  auto function = cast<func::FuncOp>(module.lookupSymbol("main"));
  Operation *last = function.getBody().front().getTerminator();
  SmallVector<Value> results(last->getOperands());
  for (Operation &op : function.getBody().front())
    if (!isa<tosa::ConstOp>(op) && op.getNumResults() == 1 &&
        isByte(op.getResult(0)) &&
        !llvm::is_contained(results, op.getResult(0)))
      results.push_back(op.getResult(0));
  last->setOperands(results);
  function.setFunctionType(FunctionType::get(module.getContext(),
                                             function.getArgumentTypes(),
                                             ValueRange(results).getTypes()));
}

namespace {

class Check {
public:
  Check(func::FuncOp function, ArrayRef<HostTensor> inputs,
        ArrayRef<HostTensor> results);

  std::string run();

private:
  using Numbers = std::vector<long double>;

  const TosaValue &get(Value value) { return values.find(value)->second; }
  int64_t getNumber(Value value) { return get(value).elements.front(); }
  void compute(Operation &op);
  void computeRescale(tosa::RescaleOp op, TosaValue &result);
  void computePool(tosa::AvgPool2dOp op, TosaValue &result);
  Bounds getBounds(Operation *op, int64_t index);
  Bounds getRescaleBounds(tosa::RescaleOp op, int64_t index);
  std::string check(Operation &op);

  func::FuncOp function;
  DenseMap<Value, TosaValue> values;
  /// Of rescales and averages before they are rounded.
  DenseMap<Value, Numbers> numbers;
  /// What the program gave.
  DenseMap<Value, std::vector<int64_t>> given;
};

} // namespace

/// The codes of `tensor`; those of unsigned values are held less 128.
static std::vector<int64_t> readCodes(Type type, const HostTensor &tensor) {
  bool isUnsigned =
      cast<RankedTensorType>(type).getElementType().isUnsignedInteger();
  std::vector<int64_t> codes;
  codes.reserve(tensor.getNumElements());
  for (size_t i = 0; i < tensor.getNumElements(); ++i)
    codes.push_back(static_cast<int64_t>(tensor.get(i)) +
                    (isUnsigned ? 128 : 0));
  return codes;
}

Check::Check(func::FuncOp function, ArrayRef<HostTensor> inputs,
             ArrayRef<HostTensor> results)
    : function(function) {
  for (auto [argument, input] :
       llvm::zip_equal(function.getArguments(), inputs)) {
    auto shape = cast<RankedTensorType>(argument.getType()).getShape();
    values[argument] = {SmallVector<int64_t>(shape),
                        readCodes(argument.getType(), input)};
  }
  Operation *last = function.getBody().front().getTerminator();
  for (auto [value, result] : llvm::zip_equal(last->getOperands(), results))
    given[value] = readCodes(value.getType(), result);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// A zero point of `op`, whose bits are those of an unsigned number if
/// `isUnsigned`.
static int64_t readZero(int64_t zero, bool isUnsigned) {
  return isUnsigned ? zero & 255 : zero;
}

void Check::computeRescale(tosa::RescaleOp op, TosaValue &result) {
  const TosaValue &input = get(op.getInput()),
                  &multipliers = get(op.getMultiplier()),
                  &shifts = get(op.getShift());
  int64_t inZero = readZero(getNumber(op.getInputZp()), op.getInputUnsigned()),
          outZero =
              readZero(getNumber(op.getOutputZp()), op.getOutputUnsigned());
  auto type =
      cast<IntegerType>(cast<RankedTensorType>(op.getType()).getElementType());
  int64_t low = type.isUnsigned() ? 0 : -(int64_t{1} << (type.getWidth() - 1)),
          high = low + (int64_t{1} << type.getWidth()) - 1;
  Numbers &exact = numbers[op.getResult()];
  for (auto [i, code] : llvm::enumerate(input.elements)) {
    size_t at = i % multipliers.elements.size();
    __int128 product =
        static_cast<__int128>(code - inZero) * multipliers.elements[at];
    auto shift = static_cast<int>(shifts.elements[at]);
    exact.push_back(std::ldexp(static_cast<long double>(product), -shift) +
                    static_cast<long double>(outZero));
    __int128 half = static_cast<__int128>(1) << (shift - 1);
    auto rounded = static_cast<int64_t>((product + half) >> shift) + outZero;
    result.elements.push_back(std::clamp(rounded, low, high));
  }
}

void Check::computePool(tosa::AvgPool2dOp op, TosaValue &result) {
  const TosaValue &input = get(op.getInput());
  int64_t inZero = getNumber(op.getInputZp()),
          outZero = getNumber(op.getOutputZp());
  int64_t channels = result.shape[3], columns = result.shape[2],
          rows = result.shape[1];
  Numbers &exact = numbers[op.getResult()];
  for (int64_t i = 0; i < result.getNumElements(); ++i) {
    int64_t c = i % channels, x = i / channels % columns,
            y = i / channels / columns % rows,
            n = i / channels / columns / rows;
    int64_t sum = 0, count = 0;
    for (int64_t ky = 0; ky < op.getKernel()[0]; ++ky)
      for (int64_t kx = 0; kx < op.getKernel()[1]; ++kx) {
        int64_t iy = y * op.getStride()[0] - op.getPad()[0] + ky,
                ix = x * op.getStride()[1] - op.getPad()[2] + kx;
        if (iy < 0 || ix < 0 || iy >= input.shape[1] || ix >= input.shape[2])
          continue;
        int64_t at = (n * input.shape[1] + iy) * input.shape[2] + ix;
        sum += input.elements[at * channels + c] - inZero;
        ++count;
      }
    exact.push_back(static_cast<long double>(sum) /
                        static_cast<long double>(count) +
                    static_cast<long double>(outZero));
    result.elements.push_back(
        std::clamp<int64_t>(std::llroundl(exact.back()), -128, 127));
  }
}

void Check::compute(Operation &op) {
  auto type = cast<ShapedType>(op.getResult(0).getType());
  TosaValue result{SmallVector<int64_t>(type.getShape()), {}};
  SmallVector<TosaValue> operands;
  for (Value operand : op.getOperands())
    operands.push_back(values.lookup(operand));
  if (auto constant = dyn_cast<tosa::ConstOp>(op))
    for (const APInt &each : constant.getValues().getValues<APInt>())
      result.elements.push_back(each.getSExtValue());
  else if (auto rescale = dyn_cast<tosa::RescaleOp>(op))
    computeRescale(rescale, result);
  else if (auto pool = dyn_cast<tosa::AvgPool2dOp>(op))
    computePool(pool, result);
  else if (!computeTosaElement(&op, operands, result) &&
           !computeTosaProduct(&op, operands, result))
    computeTosaMove(&op, operands, result);
  values[op.getResult(0)] = std::move(result);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

static constexpr Bounds byteLimits = {-128, 127};

Bounds Check::getRescaleBounds(tosa::RescaleOp op, int64_t index) {
  Bounds limits = op.getOutputUnsigned() ? Bounds{0, 255} : byteLimits;
  const TosaValue &multipliers = get(op.getMultiplier());
  size_t at = index % multipliers.elements.size();
  long double factor =
      std::ldexp(static_cast<long double>(multipliers.elements[at]),
                 -static_cast<int>(get(op.getShift()).elements[at]));
  long double number = numbers[op.getResult()][index], error = middle;
  // Rescales in a row are one, without the roundings between them.
  Value source = op.getInput();
  while (auto before = source.getDefiningOp<tosa::RescaleOp>()) {
    error += isByte(source) ? 0 : factor;
    if (isByte(source))
      break;
    source = before.getInput();
  }
  Operation *producer = source.getDefiningOp();
  // Those of a softmax come last.
  if (isa_and_nonnull<tosa::ReduceSumOp, tosa::ArithmeticRightShiftOp>(
          producer))
    return around(number, 1, limits);
  if (!isa_and_nonnull<tosa::AddOp, tosa::SubOp, tosa::MaximumOp,
                       tosa::MinimumOp, tosa::MulOp>(producer))
    return round(number, error, limits);
  long double reach = 0;
  ArrayRef<int64_t> shape = get(source).shape;
  for (Value operand : producer->getOperands().take_front(2))
    reach += std::abs(
        static_cast<long double>(getBroadcast(get(operand), shape, index)));
  // Each operand was rounded, and its scale has 15 bits.
  error += 2 * factor;
  if (!isa<tosa::AddOp, tosa::SubOp>(producer))
    return round(number, error, limits);
  return within(number, error + std::ldexp(reach * factor, -14), limits);
}

/// The codes that are right for element `index` of `op`.
Bounds Check::getBounds(Operation *op, int64_t index) {
  if (auto rescale = dyn_cast<tosa::RescaleOp>(op))
    return getRescaleBounds(rescale, index);
  if (isa<tosa::AvgPool2dOp>(op))
    return around(numbers[op->getResult(0)][index], 1, byteLimits);
  if (auto select = dyn_cast<tosa::SelectOp>(op)) {
    bool isFirst = get(select.getInput1()).elements[index] != 0;
    Value taken = isFirst ? select.getInput2() : select.getInput3();
    return round(numbers[taken][index], middle, byteLimits);
  }
  auto code = static_cast<double>(get(op->getResult(0)).elements[index]);
  if (isa<tosa::TableOp>(op))
    return around(code, 1, byteLimits);
  return {code, code};
}

std::string Check::check(Operation &op) {
  auto found = given.find(op.getResult(0));
  if (found == given.end())
    return "";
  TosaValue &value = values[op.getResult(0)];
  for (auto [i, code] : llvm::enumerate(found->second)) {
    auto at = static_cast<int64_t>(i);
    Bounds bounds = getBounds(&op, at);
    bool isRight = bounds.contains(static_cast<double>(code));
    // Of equal elements any may be found.
    if (auto argmax = dyn_cast<tosa::ArgMaxOp>(op))
      isRight = isGreatest(get(argmax.getInput()), argmax.getAxis(), at, code);
    if (!isRight)
      return llvm::formatv("{0}, result {1}, element {2}: expected {3} to {4}, "
                           "but got {5}",
                           op.getName().getStringRef(), op.getLoc(), i,
                           bounds.low, bounds.high, code);
  }
  value.elements = found->second;
  return "";
}

std::string Check::run() {
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (isa<tosa::ConstShapeOp>(op))
      continue;
    compute(op);
    if (std::string text = check(op); !text.empty())
      return text;
  }
  return "";
}

std::string fuzz::checkTosa(func::FuncOp function, ArrayRef<HostTensor> inputs,
                            ArrayRef<HostTensor> results) {
  return Check(function, inputs, results).run();
}
