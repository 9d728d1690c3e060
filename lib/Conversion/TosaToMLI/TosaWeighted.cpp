// SPDX-License-Identifier: Apache-2.0
//
// Legalizes products with constant weights: the cluster that convolutions
// share, and products with a constant matrix, which are fully connected layers,
// row by row.

#include "TosaWeighted.h"

#include "TosaEmitter.h"
#include "TosaPatterns.h"

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
  SmallVector<char> values = getNumbers<char>(weights);
  ByteProduct product{scales.getParams(input),   scales.getParams(getResult()),
                      mli::quant::allCodes(8),   values,
                      getNumbers<int32_t>(bias), rescale.factors,
                      {INT8_MIN, INT8_MAX}};
  auto choice = chooseLayer(weights.getContext(), product);
  if (auto *rejection = std::get_if<ByteRejection>(&choice)) {
    if (!rejection->reason.empty())
      return failures.add(getSubject(), rejection->reason);
    return failures.add(getSubject(), "expected factor ", rejection->output,
                        " of the rescale to be in range of a scale, but got ",
                        rescale.factors[rejection->output]);
  }
  layer = std::move(std::get<ByteLayer>(choice));
  if (layer.terms &&
      (failed(checkBytes(getSubject(), cast<ShapedType>(input.getType()), 16,
                         "input in fx16", failures)) ||
       failed(checkBytes(getSubject(), cast<ShapedType>(getResult().getType()),
                         16, "output in fx16", failures))))
    return failure();
  return success();
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
        emitter, constants, none, source, init,
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

/// Limits splats, which may stand for more elements than fit into memory.
static constexpr int64_t maxWeights = int64_t{1} << 28;

ElementsAttr raising::readWeights(Operation *op, Value value, Value zeroPoint,
                                  StringRef name, StringRef zeroName,
                                  MatchFailures &failures) {
  FailureOr<int64_t> zero = readZeroPoint(op, zeroPoint, zeroName, failures);
  if (failed(zero))
    return {};
  if (*zero != 0) {
    (void)failures.add(op, "expected '", zeroName, "' to be 0, but got ",
                       *zero);
    return {};
  }
  ElementsAttr weights = getConstant(value);
  if (weights && failed(checkBytes(op, weights.getShapedType(), 8,
                                   ("'" + name + "'").str(), failures)))
    return {};
  if (weights && getRawElements(weights)) {
    if (weights.getNumElements() <= maxWeights)
      return weights;
    (void)failures.add(op, "expected '", name, "' to have at most ", maxWeights,
                       " elements, but got ", weights.getNumElements());
    return {};
  }
  (void)failures.add(op, "expected '", name, "' to be constant, but got ",
                     value.getType());
  return {};
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

ClusterPtr raising::matchMatMul(tosa::RescaleOp root, const RescaledValue &sums,
                                MatchFailures &failures) {
  auto op = sums.value.getDefiningOp<tosa::MatMulOp>();
  if (failed(checkFeatureMap(op, op.getA(), "'a'", failures)) ||
      failed(checkFeatureMap(op, op.getB(), "'b'", failures)) ||
      failed(checkFeatureMap(root, root.getOutput(), "output", failures)))
    return nullptr;
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getAZp(), "a_zp", failures);
  if (failed(inputZero))
    return nullptr;
  ElementsAttr weights =
      readWeights(op, op.getB(), op.getBZp(), "b", "b_zp", failures);
  if (!weights)
    return nullptr;
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  if (shape[0] != 1)
    return failures.reject(op, "expected one matrix 'b', but got ", shape[0]);
  auto cluster = std::make_unique<WeightedCluster>(root, op);
  cluster->kernel = WeightedCluster::Kernel::FullyConnected;
  cluster->input = op.getA();
  cluster->inputZero = *inputZero;
  cluster->weights = withShape(weights, shape.drop_front());
  auto type = RankedTensorType::get(shape.back(),
                                    IntegerType::get(op.getContext(), 32));
  cluster->bias = DenseElementsAttr::get(type, static_cast<int32_t>(0));
  cluster->rescale = sums.params;
  cluster->clearDeadChannels();
  return cluster;
}
