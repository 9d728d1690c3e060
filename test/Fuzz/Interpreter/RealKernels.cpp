// SPDX-License-Identifier: Apache-2.0

#include "RealKernels.h"

#include "../../Unit/Runtime/Reference/Elementwise.h"
#include "../../Unit/Runtime/Reference/Tables.h"

#include "mli/IR/KernelOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

using Real = long double;
using Reals = std::vector<Real>;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static Real scaleOf(const ref::Quant &q) {
  return std::ldexp(static_cast<Real>(static_cast<int64_t>(q.s)), -q.f);
}

static Real toReal(int64_t code, const ref::Quant &q) {
  return static_cast<Real>(code - static_cast<int64_t>(q.z)) * scaleOf(q);
}

static Reals getReals(const mli_tensor &tensor) {
  Reals reals;
  int32_t axis = ref::isFx(tensor.el_type) || tensor.el_type == MLI_EL_FP_32
                     ? -1
                     : tensor.el_params.sa.dim;
  std::vector<int64_t> shape = ref::getShape(tensor);
  ref::Codes codes = ref::getCodes(tensor);
  for (size_t i = 0; i < codes.size(); ++i) {
    auto index =
        axis < 0 ? 0 : ref::coordsOf(shape, static_cast<int64_t>(i))[axis];
    reals.push_back(
        tensor.el_type == MLI_EL_FP_32
            ? static_cast<Real>(ref::floatOf(codes[i]))
            : toReal(codes[i],
                     ref::quantOf(tensor, static_cast<uint32_t>(index))));
  }
  return reals;
}

static Real clip(Real x, ReluKind kind) {
  switch (kind) {
  case ReluKind::none:
    return x;
  case ReluKind::gen:
    return std::max<Real>(x, 0);
  case ReluKind::relu1:
    return std::clamp<Real>(x, -1, 1);
  case ReluKind::relu6:
    return std::clamp<Real>(x, 0, 6);
  }
  llvm_unreachable("all ranges are handled");
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Sums of products and bias, whose last dimension counts the channels.
static Reals finishSums(Call &call, const std::vector<int64_t> &sums,
                        size_t channels, ReluKind relu) {
  const mli_tensor &weights = call.in(1), &bias = call.in(2);
  ref::Codes biases = ref::getCodes(bias);
  bool isFx = ref::isFx(call.in(0).el_type);
  Reals reals;
  for (size_t i = 0; i < sums.size(); ++i) {
    auto channel = static_cast<uint32_t>(i % channels);
    Real unit = scaleOf(ref::quantOf(call.in(0))) *
                scaleOf(ref::quantOf(weights, channel));
    // A bias of sa32 counts in the unit of the products.
    Real constant = static_cast<Real>(biases[channel]) *
                    (isFx ? scaleOf(ref::quantOf(bias)) : unit);
    reals.push_back(clip(static_cast<Real>(sums[i]) * unit + constant, relu));
  }
  return reals;
}

static std::optional<ref::Convolution> findConvolution(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<ref::Convolution>>(op)
      .Case([](Conv2DOp) { return ref::Convolution::Conv2d; })
      .Case([](DepthwiseConv2DOp) { return ref::Convolution::DepthwiseConv2d; })
      .Case([](GroupConv2DOp) { return ref::Convolution::GroupConv2d; })
      .Case([](TransposeConv2DOp) { return ref::Convolution::TransposeConv2d; })
      .Default([](Operation *) { return std::nullopt; });
}

static Reals computeProduct(Call &call, WeightedOpInterface op) {
  ref::Product product = {call.in(0), call.in(1), call.in(2), call.out()};
  auto convolution = findConvolution(op);
  size_t channels = call.in(2).shape[0];
  if (convolution)
    return finishSums(
        call, ref::convolutionSums(*convolution, product, call.config.conv2d),
        channels, op.getRelu());
  auto connected = cast<FullyConnectedOp>(op.getOperation());
  return finishSums(
      call, ref::fullyConnectedSums(connected.getExtendedBias(), product),
      channels, op.getRelu());
}

static Reals computeDense(Call &call, RnnDenseOp op) {
  size_t count = op.getInputs().size();
  Reals sums = getReals(call.in(2 * count));
  for (size_t n = 0; n < count; ++n) {
    Reals input = getReals(call.in(n)), weights = getReals(call.in(count + n));
    for (size_t i = 0; i < input.size(); ++i)
      for (size_t o = 0; o < sums.size(); ++o)
        sums[o] += input[i] * weights[i * sums.size() + o];
  }
  return sums;
}

static Reals computePool(Call &call, bool isAverage) {
  Reals reals(ref::countOf(ref::getShape(call.out())));
  ref::Quant q = ref::quantOf(call.in(0));
  ref::forEachWindow(
      call.in(0), call.config.pool, call.out(),
      [&](int64_t i, const ref::Codes &window) {
        Real sum = 0;
        for (int64_t code : window)
          sum += toReal(code, q);
        reals[i] =
            isAverage
                ? sum / static_cast<Real>(window.size())
                : toReal(*std::max_element(window.begin(), window.end()), q);
      });
  return reals;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

static Real combine(Operation *op, Real a, Real b) {
  return llvm::TypeSwitch<Operation *, Real>(op)
      .Case([&](EltwiseAddOp) { return a + b; })
      .Case([&](EltwiseSubOp) { return a - b; })
      .Case([&](EltwiseMulOp) { return a * b; })
      .Case([&](EltwiseMinOp) { return std::min(a, b); })
      .Default([&](Operation *) { return std::max(a, b); });
}

static Reals computeEltwise(Call &call) {
  Reals a = getReals(call.in(0)), b = getReals(call.in(1)), reals;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    reals.push_back(combine(call.run.op, a[a.size() == 1 ? 0 : i],
                            b[b.size() == 1 ? 0 : i]));
  return reals;
}

static Reals computeSlopes(Call &call, int32_t axis) {
  Reals reals = getReals(call.in(0)), slopes = getReals(call.in(1));
  std::vector<int64_t> shape = ref::getShape(call.in(0));
  for (size_t i = 0; i < reals.size(); ++i)
    if (reals[i] < 0)
      reals[i] *=
          slopes[axis < 0
                     ? 0
                     : ref::coordsOf(shape, static_cast<int64_t>(i))[axis]];
  return reals;
}

template <typename Function>
static Reals map(Call &call, Function function) {
  Reals reals = getReals(call.in(0));
  for (Real &real : reals)
    real = function(real);
  return reals;
}

static Reals computeAlongAxis(Call &call, bool isSoftmax) {
  Reals reals = getReals(call.in(0));
  for (const auto &slice :
       ref::slicesOf(call.in(0), call.config.alongAxis.axis)) {
    Real greatest = 0, sum = 0;
    for (size_t i : slice)
      greatest = i == slice.front() ? reals[i] : std::max(greatest, reals[i]);
    for (size_t i : slice) {
      reals[i] = isSoftmax ? std::exp(reals[i] - greatest) : reals[i];
      sum += isSoftmax ? reals[i] : reals[i] * reals[i];
    }
    for (size_t i : slice)
      reals[i] = sum == 0 ? 0 : reals[i] / (isSoftmax ? sum : std::sqrt(sum));
  }
  return reals;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The results as real numbers; nothing for kernels that have none.
static std::optional<Reals> computeResults(Call &call) {
  using Result = std::optional<Reals>;
  Operation *op = call.run.op;
  if (auto product = dyn_cast<WeightedOpInterface>(op))
    return computeProduct(call, product);
  // What is in a table of a caller is nobody's business.
  if (auto kernel = dyn_cast<TableOpInterface>(op))
    for (TableUse &use : kernel.getTables())
      if (!use.given.empty())
        return std::nullopt;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](RnnDenseOp dense) { return computeDense(call, dense); })
      .Case([&](AvePoolOp) { return computePool(call, true); })
      .Case([&](MaxPoolOp) { return computePool(call, false); })
      .Case<EltwiseAddOp, EltwiseSubOp, EltwiseMulOp, EltwiseMinOp,
            EltwiseMaxOp>([&](auto) { return computeEltwise(call); })
      .Case([&](ReluOp relu) {
        return map(call, [&](Real x) { return clip(x, relu.getRelu()); });
      })
      .Case([&](LeakyReluOp) { return computeSlopes(call, -1); })
      .Case([&](PreluOp) {
        return computeSlopes(call, call.config.alongAxis.axis);
      })
      .Case([&](ConvertOp) { return getReals(call.in(0)); })
      .Case([&](SigmOp) {
        return map(call, [](Real x) { return 1 / (1 + std::exp(-x)); });
      })
      .Case([&](TanhOp) {
        return map(call, [](Real x) { return std::tanh(x); });
      })
      .Case([&](SoftmaxOp) { return computeAlongAxis(call, true); })
      .Case([&](L2NormalizeOp) { return computeAlongAxis(call, false); })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Reals> fuzz::computeReal(Call &call) {
  const mli_tensor &out = call.out();
  if (out.el_type == MLI_EL_FP_32)
    return std::nullopt;
  std::optional<Reals> reals = computeResults(call);
  if (!reals)
    return std::nullopt;
  int32_t axis = ref::isFx(out.el_type) ? -1 : out.el_params.sa.dim;
  std::vector<int64_t> shape = ref::getShape(out);
  for (size_t i = 0; i < reals->size(); ++i) {
    auto index =
        axis < 0 ? 0 : ref::coordsOf(shape, static_cast<int64_t>(i))[axis];
    ref::Quant q = ref::quantOf(out, static_cast<uint32_t>(index));
    (*reals)[i] =
        (*reals)[i] / scaleOf(q) + static_cast<Real>(static_cast<int64_t>(q.z));
  }
  return reals;
}

double fuzz::getRoundingSteps(KernelOpInterface op) {
  return llvm::TypeSwitch<Operation *, double>(op)
      // A multiplier of 8 bits.
      .Case([](AvePoolOp) { return 3; })
      .Case<SigmOp, TanhOp, SoftmaxOp, L2NormalizeOp>([](auto) { return 4; })
      .Default([](Operation *) { return 2; });
}

namespace {

class RangeKernels : public Kernels {
public:
  explicit RangeKernels(std::vector<RangeNote> &notes)
      : notes(notes), reference(createReferenceKernels()) {}

  llvm::Error compute(KernelRun &run) override {
    ref::clips.fill(0);
    if (llvm::Error error = reference->compute(run))
      return error;
    RangeNote note{run.op};
    Call call(run);
    int bits = ref::getBits(call.out().el_type);
    for (int i = 0; i < static_cast<int>(ref::clips.size()); ++i)
      note.isClipped |= i != bits && ref::clips[i] != 0;
    if (std::optional<Reals> reals = computeReal(call))
      note.distance = getDistance(*reals, run.results.back(), bits);
    notes.push_back(note);
    return llvm::Error::success();
  }

private:
  static double getDistance(const Reals &reals, const Tensor &result,
                            int bits) {
    Real limit = std::ldexp(Real{1}, bits - 1);
    double distance = 0;
    for (size_t i = 0; i < reals.size(); ++i) {
      Real expected = std::clamp(reals[i], -limit, limit - 1);
      auto actual = static_cast<Real>(result.get(static_cast<int64_t>(i)));
      // Scales have mantissas of 15 bits.
      Real rounding = std::abs(expected) * std::ldexp(Real{1}, -14);
      distance =
          std::max(distance,
                   static_cast<double>(std::abs(expected - actual) - rounding));
    }
    return distance;
  }

  std::vector<RangeNote> &notes;
  std::unique_ptr<Kernels> reference;
};

} // namespace

std::unique_ptr<Kernels>
fuzz::createRangeKernels(std::vector<RangeNote> &notes) {
  return std::make_unique<RangeKernels>(notes);
}
