// SPDX-License-Identifier: Apache-2.0
//
// The cluster of products with constant weights, which convolutions and
// products with a constant matrix share.

#include "TosaWeighted.h"

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/WideLayer.h"
#include "mli/IR/ConstantData.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

/// The elements of a constant, dense or in a resource, expanded.
template <typename Number>
static SmallVector<Number> getNumbers(ElementsAttr attribute) {
  RawElements raw = *getRawElements(attribute);
  SmallVector<Number> numbers(attribute.getNumElements());
  auto *bytes = reinterpret_cast<char *>(numbers.data());
  for (size_t i = 0; i < numbers.size(); ++i)
    std::copy_n(raw.bytes.data() + (raw.isSplat ? 0 : i * sizeof(Number)),
                sizeof(Number), bytes + i * sizeof(Number));
  return numbers;
}

LogicalResult WeightedCluster::choose(const Scales &scales,
                                      MatchFailures &failures) {
  if (isWideInput())
    return chooseWords(scales, failures);
  SmallVector<char> values = getNumbers<char>(weights);
  ByteProduct product{scales.getParams(input),   scales.getParams(getResult()),
                      mli::quant::allCodes(8),   values,
                      getNumbers<int32_t>(bias), rescale.factors,
                      {INT8_MIN, INT8_MAX}};
  if (isWide())
    return chooseWide(product, cast<Fx16Type>(scales.getElement(getResult())),
                      failures);
  auto choice = chooseLayer(weights.getContext(), product);
  if (auto *rejection = std::get_if<ByteRejection>(&choice)) {
    if (!rejection->reason.empty())
      return failures.add(getSubject(), rejection->reason);
    return failures.add(getSubject(), "expected factor ", rejection->output,
                        " of the rescale to be in range of a scale, but got ",
                        rescale.factors[rejection->output]);
  }
  layer = std::move(std::get<ByteLayer>(choice));
  return checkWideBytes(failures);
}

LogicalResult WeightedCluster::chooseWide(const ByteProduct &product,
                                          Fx16Type out,
                                          MatchFailures &failures) {
  std::string reason;
  FailureOr<ByteLayer> choice = chooseWideLayer(product, out, reason);
  if (failed(choice))
    return failures.add(getSubject(), reason);
  layer = std::move(*choice);
  return checkWideBytes(failures);
}

LogicalResult WeightedCluster::chooseWords(const Scales &scales,
                                           MatchFailures &failures) {
  SmallVector<int64_t> values = *getIntegers(weights);
  std::string reason;
  FailureOr<WideTerms> terms =
      chooseLayerTerms({cast<Fx16Type>(scales.getElement(input)),
                        cast<Fx16Type>(scales.getElement(getResult())),
                        {values.begin(), values.end()},
                        *getIntegers(bias),
                        rescale.factors},
                       reason);
  if (failed(terms))
    return failures.add(getSubject(), reason);
  layer.terms = std::move(*terms);
  return success();
}

LogicalResult WeightedCluster::checkWideBytes(MatchFailures &failures) const {
  if (layer.terms &&
      (failed(checkBytes(getSubject(), cast<ShapedType>(input.getType()), 16,
                         "input in fx16", failures)) ||
       failed(checkBytes(getSubject(), cast<ShapedType>(getResult().getType()),
                         16, "output in fx16", failures))))
    return failure();
  return success();
}

LogicalResult raising::checkProduct(Operation *op, MatchFailures &failures) {
  Type input = getElementTypeOrSelf(op->getOperand(0).getType()),
       weights = getElementTypeOrSelf(op->getOperand(1).getType());
  bool isWide = isStoredIn(input, 16);
  if ((isWide || isStoredIn(input, 8)) &&
      isStoredIn(weights, isWide && isa<tosa::MatMulOp>(op) ? 16 : 8))
    return success();
  return failures.add(op,
                      isa<tosa::MatMulOp>(op)
                          ? "expected two matrices of i8 or of i16, but got "
                          : "expected i8 or i16 input and i8 weights, but got ",
                      input, " and ", weights);
}

LogicalResult raising::checkResult(tosa::RescaleOp root, Value input,
                                   MatchFailures &failures) {
  if (failed(checkCodes(root, root.getOutput(), "output", 16, failures)))
    return failure();
  if (isStoredIn(root.getType(), 16) || isStoredIn(input.getType(), 8))
    return success();
  return failures.add(root, "expected i16 output of a product of i16, but got ",
                      getElementTypeOrSelf(root.getType()));
}

/// `values`, channels last, with zeros in channels whose factor is 0.
static ElementsAttr clearChannels(ElementsAttr values,
                                  ArrayRef<double> factors) {
  RawElements raw = *getRawElements(values);
  ShapedType type = values.getShapedType();
  SmallVector<char> bytes;
  bytes.reserve(type.getNumElements() * raw.elementBytes);
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    if (factors[i % factors.size()] == 0)
      bytes.append(raw.elementBytes, '\0');
    else
      llvm::append_range(bytes,
                         raw.bytes.slice(raw.isSplat ? 0 : i * raw.elementBytes,
                                         raw.elementBytes));
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

void WeightedCluster::clearDeadChannels() {
  MutableArrayRef<double> factors = rescale.factors;
  if (!llvm::is_contained(factors, 0))
    return;
  weights = clearChannels(weights, factors);
  bias = clearChannels(bias, factors);
  const double *live = llvm::find_if(factors, [](double f) { return f != 0; });
  llvm::replace(factors, 0.0, double(*live));
}

Value WeightedCluster::create(Emitter &emitter, Value source,
                              const KernelOperands &constants,
                              Value init) const {
  auto createConv = [&](auto kernel) -> Value {
    return emitter.createOp<decltype(kernel)>(
        source, constants.weights, constants.bias, init, window.padding,
        window.strides, window.dilations, ReluKind::none);
  };
  switch (kernel) {
  case Kernel::Conv2D:
    return createConv(Conv2DOp());
  case Kernel::Depthwise:
    return createConv(DepthwiseConv2DOp());
  case Kernel::Grouped:
    return createConv(GroupConv2DOp());
  case Kernel::Transposed:
    return emitter.createOp<TransposeConv2DOp>(
        source, constants.weights, constants.bias, init, window.padding,
        window.strides, ReluKind::none);
  case Kernel::FullyConnected:
    return emitter.createOp<FullyConnectedOp>(
        source, constants.weights, constants.bias, init, ReluKind::none);
  }
  llvm_unreachable("unknown kernel");
}

Value WeightedCluster::emit(Emitter &emitter) const {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  remarkChanges(getSubject()->getLoc(), layer);
  LayerOperands constants =
      createOperands(emitter, layer, shape, [&](Type element) {
        return emitter.constant(weights, element);
      });
  const Clip none{ReluKind::none, {INT8_MIN, INT8_MAX}};
  auto compute = [&](Value source, Value init) {
    return createProduct(
        emitter, constants, none,
        isWide() && !isWideInput() ? createWidened(emitter, source) : source,
        init,
        [&](Value from, const KernelOperands &each, Value into, ReluKind) {
          return create(emitter, from, each, into);
        });
  };
  if (kernel != Kernel::FullyConnected)
    return emitter.createFeatureMaps(input, getResult(), compute);
  int64_t rows = llvm::product_of(getShape(input)) / shape.front();
  return emitter.createSlices(input, {rows, shape.front()}, getResult(),
                              {rows, shape.back()}, compute);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

ElementsAttr raising::withShape(ElementsAttr weights, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, weights.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(weights))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  auto dense = cast<DenseElementsAttr>(weights);
  return dense.isSplat() ? dense.resizeSplat(type) : dense.reshape(type);
}

ElementsAttr raising::withOutputsLast(ElementsAttr weights,
                                      ArrayRef<int64_t> shape) {
  RawElements raw = *getRawElements(weights);
  int64_t outputs = shape.back();
  int64_t inputs = weights.getShapedType().getNumElements() / outputs;
  if (raw.isSplat || inputs == 1 || outputs == 1)
    return withShape(weights, shape);
  SmallVector<char> bytes = mli::withOutputsLast(raw.bytes, outputs);
  auto type = RankedTensorType::get(shape, weights.getElementType());
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

/// `weights` less `zero`; null, with a reason for `op`, where 8 bits do not
/// hold them.
static ElementsAttr subtractZero(Operation *op, ElementsAttr weights,
                                 int64_t zero, StringRef name,
                                 StringRef zeroName, MatchFailures &failures) {
  if (zero == 0)
    return weights;
  assert(isStoredIn(weights.getElementType(), 8) &&
         "expected no zero point of 16 bits, which TOSA does not have");
  SmallVector<char> bytes = getNumbers<char>(weights);
  for (char &byte : bytes) {
    int64_t number = static_cast<int8_t>(byte) - zero;
    if (number < INT8_MIN || number > INT8_MAX) {
      (void)failures.add(op, "expected '", name, "' less '", zeroName,
                         "' to be in [-128, 127], but got ", number);
      return {};
    }
    byte = static_cast<char>(number);
  }
  return DenseElementsAttr::getFromRawBuffer(weights.getShapedType(), bytes);
}

/// Limits splats, which may stand for more elements than fit into memory. The
/// constants of layers of 16 bits are chosen from numbers of 8 bytes each.
static int64_t getMaxWeights(Operation *op) {
  constexpr int64_t maxBytes = int64_t{1} << 28;
  return isStoredIn(op->getOperand(0).getType(), 16) ? maxBytes / 16 : maxBytes;
}

ElementsAttr raising::readWeights(Operation *op, Value value, Value zeroPoint,
                                  StringRef name, StringRef zeroName,
                                  MatchFailures &failures) {
  FailureOr<int64_t> zero = readZeroPoint(op, zeroPoint, zeroName, failures);
  if (failed(zero))
    return {};
  ElementsAttr weights = getConstant(value);
  if (weights && failed(checkBytes(op, weights.getShapedType(),
                                   getStoredBits(weights.getElementType()),
                                   ("'" + name + "'").str(), failures)))
    return {};
  if (weights && getRawElements(weights)) {
    int64_t maxWeights = getMaxWeights(op);
    if (weights.getNumElements() <= maxWeights)
      return subtractZero(op, weights, *zero, name, zeroName, failures);
    (void)failures.add(op, "expected '", name, "' to have at most ", maxWeights,
                       " elements, but got ", weights.getNumElements());
    return {};
  }
  (void)failures.add(op, "expected '", name, "' to be constant, but got ",
                     value.getType());
  return {};
}
