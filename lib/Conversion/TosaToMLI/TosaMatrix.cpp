// SPDX-License-Identifier: Apache-2.0
//
// Legalizes products of matrices: those with a constant one are fully connected
// layers, row by row, and those of two variables convolutions whose weights are
// one of them.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"
#include "TosaWeighted.h"

#include "mli/Frontend/MatrixProduct.h"
#include "mli/Frontend/WideMatrix.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

//===----------------------------------------------------------------------===//
// One constant matrix
//===----------------------------------------------------------------------===//

/// Whether `op` multiplies with one matrix that is constant, less its zero
/// point in 8 bits.
static ElementsAttr readMatrix(tosa::MatMulOp op) {
  MatchFailures others;
  ElementsAttr weights =
      readWeights(op, op.getB(), op.getBZp(), "b", "b_zp", others);
  if (!weights || weights.getShapedType().getDimSize(0) != 1)
    return {};
  return weights;
}

static ClusterPtr matchConstantMatrix(tosa::RescaleOp root, tosa::MatMulOp op,
                                      int64_t inputZero, ElementsAttr weights,
                                      const RescaleParams &rescale) {
  ArrayRef<int64_t> shape = weights.getShapedType().getShape();
  auto cluster = std::make_unique<WeightedCluster>(root, op);
  cluster->kernel = WeightedCluster::Kernel::FullyConnected;
  cluster->input = op.getA();
  cluster->inputZero = inputZero;
  cluster->weights = withShape(weights, shape.drop_front());
  auto type = RankedTensorType::get(shape.back(),
                                    IntegerType::get(op.getContext(), 32));
  cluster->bias = DenseElementsAttr::get(type, static_cast<int32_t>(0));
  cluster->rescale = rescale;
  cluster->clearDeadChannels();
  return cluster;
}

//===----------------------------------------------------------------------===//
// Two variables
//===----------------------------------------------------------------------===//

namespace {

/// A product of matrices of any quantised values.
class MatrixCluster : public Cluster {
public:
  /// Matrices, one behind the other: rows of `left` meet columns of `right`, or
  /// its rows if it is transposed.
  struct Operands {
    Value left, right;
    int64_t leftZero, rightZero;
    bool isTransposed;
    int64_t batch, rows, inner, columns;
    SmallVector<int32_t> bias;
  };

  MatrixCluster(Operation *root, Operation *subject, Operands operands,
                const RescaleParams &rescale)
      : Cluster(root, subject), operands(std::move(operands)),
        factor(rescale.factors.front()), outputZero(rescale.outputZero) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(operands.left, operands.leftZero),
            Constraint::zeroPoint(operands.right, operands.rightZero),
            Constraint::zeroPoint(getResult(), outputZero)};
  }

  LogicalResult choose(const Scales &scales, MatchFailures &failures) override;
  Value emit(Emitter &emitter) const override;

private:
  Operands operands;
  double factor;
  int64_t outputZero;
  MatrixFormats formats;
};

} // namespace

LogicalResult MatrixCluster::choose(const Scales &scales,
                                    MatchFailures &failures) {
  mli::quant::CodeRange all = mli::quant::allCodes(8);
  std::string reason;
  FailureOr<MatrixFormats> chosen =
      chooseMatrixFormats({{scales.getParams(operands.left), all},
                           {scales.getParams(operands.right), all},
                           scales.getParams(getResult()),
                           operands.inner,
                           factor,
                           operands.bias,
                           {INT8_MIN, INT8_MAX}},
                          reason);
  if (failed(chosen))
    return failures.add(getSubject(), reason);
  formats = std::move(*chosen);
  return success();
}

Value MatrixCluster::emit(Emitter &emitter) const {
  auto [batch, rows, inner, columns] = std::tuple(
      operands.batch, operands.rows, operands.inner, operands.columns);
  Value left = emitter.read(operands.left, {batch, rows, inner});
  Value right = operands.isTransposed
                    ? emitter.createPermute(
                          emitter.read(operands.right, {batch, columns, inner}),
                          {0, 2, 1})
                    : emitter.read(operands.right, {batch, inner, columns});
  auto element = cast<Sa8Type>(emitter.getElement(getResult()));
  return createMatrixProduct(emitter, left, right, formats, element,
                             {ReluKind::none, {INT8_MIN, INT8_MAX}});
}

//===----------------------------------------------------------------------===//
// Two variables of 16 bits
//===----------------------------------------------------------------------===//

namespace {

class WideMatrixCluster : public Cluster {
public:
  WideMatrixCluster(Operation *root, tosa::MatMulOp op, int64_t leftZero,
                    int64_t rightZero, const RescaleParams &rescale)
      : Cluster(root, op), left(op.getA()), right(op.getB()),
        leftZero(leftZero), rightZero(rightZero),
        factor(rescale.factors.front()), outputZero(rescale.outputZero) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::zeroPoint(left, leftZero),
            Constraint::zeroPoint(right, rightZero),
            Constraint::zeroPoint(getResult(), outputZero)};
  }

  LogicalResult choose(const Scales &scales, MatchFailures &failures) override {
    auto getElement = [&](Value value) {
      return cast<Fx16Type>(scales.getElement(value));
    };
    std::string reason;
    FailureOr<WideSteps> split =
        splitFactor(getElement(left), getElement(right), factor, reason);
    if (failed(split))
      return failures.add(getSubject(), reason);
    steps = *split;
    return checkFactor(getSubject(), steps.rest, steps.product,
                       getElement(getResult()), failures);
  }

  Value emit(Emitter &emitter) const override {
    return createWideMatrixProduct(
        emitter, emitter.read(left, getShape(left)),
        emitter.read(right, getShape(right)), steps,
        cast<Fx16Type>(emitter.getElement(getResult())));
  }

private:
  Value left, right;
  int64_t leftZero, rightZero;
  double factor;
  int64_t outputZero;
  WideSteps steps;
};

} // namespace

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

ClusterPtr raising::matchMatMul(tosa::RescaleOp root, const RescaledValue &sums,
                                MatchFailures &failures) {
  auto op = sums.value.getDefiningOp<tosa::MatMulOp>();
  if (failed(checkProduct(op, failures)) ||
      failed(checkCodes(op, op.getA(), "'a'", 16, failures)) ||
      failed(checkCodes(op, op.getB(), "'b'", 16, failures)) ||
      failed(checkResult(root, op.getA(), failures)))
    return nullptr;
  FailureOr<int64_t> leftZero =
      readZeroPoint(op, op.getAZp(), "a_zp", failures);
  FailureOr<int64_t> rightZero =
      readZeroPoint(op, op.getBZp(), "b_zp", failures);
  if (failed(leftZero) || failed(rightZero))
    return nullptr;
  if (ElementsAttr weights = readMatrix(op))
    return matchConstantMatrix(root, op, *leftZero, weights, sums.params);
  if (failed(checkUniform(root, sums.params, failures)))
    return nullptr;
  if (isStoredIn(op.getA().getType(), 16))
    return std::make_unique<WideMatrixCluster>(root, op, *leftZero, *rightZero,
                                               sums.params);
  if (failed(checkFeatureMap(op, root.getOutput(), "output of two variables",
                             failures)))
    return nullptr;
  ArrayRef<int64_t> left = getShape(op.getA()), right = getShape(op.getB());
  SmallVector<int32_t> bias(right[2], 0);
  return std::make_unique<MatrixCluster>(
      root, op,
      MatrixCluster::Operands{op.getA(), op.getB(), *leftZero, *rightZero,
                              /*isTransposed=*/false, left[0], left[1], left[2],
                              right[2], std::move(bias)},
      sums.params);
}

ClusterPtr raising::matchVariableConv(tosa::RescaleOp root, tosa::Conv2DOp op,
                                      const RescaledValue &sums,
                                      MatchFailures &failures) {
  ArrayRef<int64_t> input = getShape(op.getInput()),
                    weights = getShape(op.getWeight());
  auto areAll = [](ArrayRef<int64_t> list, int64_t number) {
    return llvm::all_of(list, [&](int64_t each) { return each == number; });
  };
  if (!areAll(weights.slice(1, 2), 1) || !areAll(op.getStride(), 1) ||
      !areAll(op.getPad(), 0))
    return failures.reject(op,
                           "expected 'weight' to be constant, or a window of "
                           "1 x 1, stride 1 and no padding, but got ",
                           op.getWeight().getType());
  FailureOr<int64_t> leftZero =
      readZeroPoint(op, op.getInputZp(), "input_zp", failures);
  FailureOr<int64_t> rightZero =
      readZeroPoint(op, op.getWeightZp(), "weight_zp", failures);
  std::optional<SmallVector<int64_t>> bias = getIntegers(op.getBias());
  if (failed(leftZero) || failed(rightZero) ||
      failed(checkFeatureMap(op, op.getWeight(), "'weight'", failures)) ||
      failed(checkUniform(root, sums.params, failures)))
    return nullptr;
  if (!bias)
    return failures.reject(op, "expected 'bias' to be constant, but got ",
                           op.getBias().getType());
  SmallVector<int32_t> columns(bias->begin(), bias->end());
  if (columns.size() == 1)
    columns.resize(weights[0], columns.front());
  return std::make_unique<MatrixCluster>(
      root, op,
      MatrixCluster::Operands{
          op.getInput(), op.getWeight(), *leftZero, *rightZero,
          /*isTransposed=*/true, 1, llvm::product_of(input.drop_back()),
          input.back(), weights[0], std::move(columns)},
      sums.params);
}
