// SPDX-License-Identifier: Apache-2.0

#include "TosaScales.h"

#include "TosaBoundary.h"
#include "TosaConstants.h"

#include "mli/Quant/KernelScales.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::raising;

unsigned RatioForest::add() {
  auto member = static_cast<unsigned>(positions.size());
  positions.push_back({member, 1});
  return member;
}

RatioForest::Position RatioForest::find(unsigned member) {
  SmallVector<unsigned> path;
  unsigned root = member;
  for (; positions[root].root != root; root = positions[root].root)
    path.push_back(root);
  // Walks from the root down, so that each parent is already at the root.
  double factor = 1;
  for (unsigned below : llvm::reverse(path)) {
    factor *= positions[below].factor;
    positions[below] = {root, factor};
  }
  return {root, factor};
}

void RatioForest::unite(unsigned child, unsigned parent, double factor) {
  Position below = find(child), above = find(parent);
  assert(below.root != above.root && "expected two sets");
  positions[below.root] = {above.root, factor * above.factor / below.factor};
}

unsigned Scales::getClass(Value value) {
  auto [it, inserted] = members.try_emplace(value, 0);
  if (inserted) {
    it->second = classes.add();
    components
        .add(); // It has the same number, for when it is the root of its class.
  }
  return classes.find(it->second).root;
}

Scales::Failure Scales::applyZeroPoint(unsigned member, int64_t zeroPoint) {
  int64_t known = zeroPoints.try_emplace(member, zeroPoint).first->second;
  if (known == zeroPoint)
    return std::nullopt;
  return llvm::formatv("expected zero point {0}, which the tensor has "
                       "elsewhere, but got {1}",
                       known, zeroPoint);
}

Scales::Failure Scales::applyToClasses(const Constraint &constraint) {
  unsigned left = getClass(constraint.value);
  if (constraint.kind == Constraint::Kind::ZeroPoint)
    return applyZeroPoint(left, static_cast<int64_t>(constraint.number));
  if (constraint.kind != Constraint::Kind::Same)
    return std::nullopt;
  unsigned right = getClass(constraint.other);
  if (left == right)
    return std::nullopt;
  auto zeroPoint = zeroPoints.find(left);
  if (zeroPoint != zeroPoints.end())
    if (Failure conflict = applyZeroPoint(right, zeroPoint->second))
      return conflict;
  classes.unite(left, right, 1);
  return std::nullopt;
}

/// Whether two scales are equal to half a unit of a 15-bit mantissa.
static bool agree(double left, double right) {
  return std::abs(left / right - 1) <= std::ldexp(1, -14);
}

Scales::Failure Scales::applyRatio(unsigned left, unsigned right,
                                   double ratio) {
  auto [leftRoot, leftFactor] = components.find(left);
  auto [rightRoot, rightFactor] = components.find(right);
  auto conflict = [](double known, double wanted) -> std::string {
    return llvm::formatv("expected a ratio of scales of {0:e6}, as other "
                         "operations have it, but got {1:e6}",
                         known, wanted);
  };
  if (leftRoot == rightRoot) {
    if (!agree(leftFactor / rightFactor, ratio))
      return conflict(leftFactor / rightFactor, ratio);
    return std::nullopt;
  }
  auto leftScale = absoluteScales.find(leftRoot);
  if (leftScale != absoluteScales.end()) {
    // Derives the scale of `right` from `left`, then that of its root.
    double scale = leftScale->second * leftFactor / ratio / rightFactor;
    auto [rightScale, inserted] = absoluteScales.try_emplace(rightRoot, scale);
    if (!inserted && !agree(rightScale->second, scale))
      return conflict(ratio * scale / rightScale->second, ratio);
  }
  components.unite(left, right, ratio);
  return std::nullopt;
}

Scales::Failure Scales::applyToScales(const Constraint &constraint) {
  unsigned left = getClass(constraint.value);
  if (constraint.kind == Constraint::Kind::Ratio)
    return applyRatio(left, getClass(constraint.other), constraint.number);
  if (constraint.kind != Constraint::Kind::Scale)
    return std::nullopt;
  auto [root, factor] = components.find(left);
  double known = absoluteScales.try_emplace(root, constraint.number / factor)
                     .first->second;
  if (agree(known * factor, constraint.number)) {
    fixedScales.try_emplace(left, constraint.number);
    return std::nullopt;
  }
  return llvm::formatv("expected a scale of {0:e6}, as other operations have "
                       "it, but got {1:e6}",
                       known * factor, constraint.number);
}

/// Values of 16 bits have scales that are powers of two: 1, where no operation
/// has another one for what depends on it.
Scales::Failure Scales::applyFixedPoint(const Constraint &constraint) {
  for (Value value : constraint.getValues()) {
    if (getStoredBits(value.getType()) != 16)
      continue;
    auto [root, factor] = components.find(getClass(value));
    absoluteScales.try_emplace(root, 1 / factor);
  }
  return std::nullopt;
}

LogTerms Scales::getLogScale(unsigned member) {
  auto [root, factor] = components.find(member);
  LogTerms terms;
  auto absolute = absoluteScales.find(root);
  if (absolute == absoluteScales.end())
    terms.add(root, 1);
  else
    factor *= absolute->second;
  terms.constant = std::log2(factor);
  return terms;
}

Scales::Failure Scales::applyProduct(const Constraint &constraint) {
  if (constraint.kind != Constraint::Kind::Product)
    return std::nullopt;
  LogTerms terms;
  terms.add(getLogScale(getClass(constraint.value)), 1);
  terms.add(getLogScale(getClass(constraint.other)), 1);
  // The scale of the result comes last, so that it is expressed by the others.
  terms.add(getLogScale(getClass(constraint.result)), -1);
  terms.constant -= std::log2(constraint.number);
  if (std::optional<double> rest = equations.require(terms))
    return llvm::formatv("expected a product of scales of {0:e6}, as other "
                         "operations have it, but got {1:e6}",
                         constraint.number * std::exp2(*rest),
                         constraint.number);
  return std::nullopt;
}

Scales::Failure Scales::applyInsertion(const Link &link) {
  auto left = members.find(link.first), right = members.find(link.second);
  if (left == members.end() || right == members.end())
    return std::nullopt;
  unsigned from = getClass(link.first), to = getClass(link.second);
  if (from == to)
    return std::nullopt;
  auto zeroPoint = zeroPoints.find(from);
  if (zeroPoint != zeroPoints.end())
    if (Failure conflict = applyZeroPoint(to, zeroPoint->second))
      return conflict;
  if (Failure conflict = applyRatio(from, to, 1))
    return conflict;
  classes.unite(from, to, 1);
  if (auto fixed = fixedScales.find(from); fixed != fixedScales.end())
    fixedScales.try_emplace(to, double(fixed->second));
  return std::nullopt;
}

Scales::Failure Scales::applyParams(const Constraint &constraint) {
  for (Value value : constraint.getValues()) {
    if (params.contains(value))
      continue;
    unsigned member = getClass(value);
    auto [root, factor] = components.find(member);
    auto absolute = absoluteScales.find(root);
    double scale = factor * (absolute == absoluteScales.end()
                                 ? std::exp2(equations.solve(root))
                                 : absolute->second);
    if (auto fixed = fixedScales.find(member); fixed != fixedScales.end())
      scale = fixed->second;
    std::optional<mli::quant::QuantParams> nearest = mli::quant::nearestParams(
        scale, static_cast<int16_t>(zeroPoints.lookup(member)));
    if (!nearest)
      return llvm::formatv("expected a scale of at least 2^-113 and less than "
                           "2^143, but got {0:e6}",
                           scale);
    // Kernels have fixed point of 16 bits alone.
    bool isFixedPoint = getStoredBits(value.getType()) == 16;
    if (isFixedPoint && (nearest->scale != 1 || nearest->zeroPoint != 0))
      return llvm::formatv("expected a power of two as scale of 16 bits, and "
                           "zero point 0, but got {0:e6} and {1}",
                           scale, nearest->zeroPoint);
    params.try_emplace(value, *nearest);
  }
  return std::nullopt;
}

/// The parameters of the type of this dialect that `value` is cast from or to;
/// nothing if there is no cast.
static std::optional<mli::quant::QuantParams> findCast(Value value) {
  auto getCast = [](Value cast) -> std::optional<mli::quant::QuantParams> {
    auto type = dyn_cast<QuantizedType>(getElementTypeOrSelf(cast.getType()));
    if (!type || type.isPerAxis())
      return std::nullopt;
    return type.getParam(0);
  };
  if (UnrealizedConversionCastOp cast = getQuantizedCast(value))
    return getCast(cast.getOperand(0));
  for (Operation *user : value.getUsers())
    if (auto cast = dyn_cast<UnrealizedConversionCastOp>(user);
        cast && cast.getNumResults() == 1 && getCast(cast.getResult(0)))
      return getCast(cast.getResult(0));
  return std::nullopt;
}

SmallVector<Constraint> Scales::getConstraints(const Cluster &cluster) {
  SmallVector<Constraint> constraints = cluster.getConstraints();
  SmallVector<Constraint> known;
  auto add = [&](Value value, int64_t zeroPoint, double scale) {
    known.push_back(Constraint::zeroPoint(value, zeroPoint));
    known.push_back(Constraint::scale(value, scale));
  };
  for (const Constraint &constraint : constraints)
    for (Value value : constraint.getValues()) {
      if (auto type = dyn_cast<mlir::quant::UniformQuantizedType>(
              getElementTypeOrSelf(value.getType())))
        add(value, type.getZeroPoint(), type.getScale());
      auto [cast, isNew] = casts.try_emplace(value);
      if (isNew)
        cast->second = findCast(value);
      if (cast->second) {
        const mli::quant::QuantParams &params = *cast->second;
        add(value, params.zeroPoint,
            std::ldexp(params.scale, -params.fracBits));
      }
    }
  // Known scales come first, so that a contradiction is reported for the
  // cluster.
  llvm::append_range(known, constraints);
  return known;
}

std::optional<Scales::Conflict>
Scales::solve(ArrayRef<std::unique_ptr<Cluster>> clusters,
              ArrayRef<Link> links) {
  auto apply = [&](Failure (Scales::*step)(
                   const Constraint &)) -> std::optional<Conflict> {
    for (const std::unique_ptr<Cluster> &cluster : clusters)
      for (const Constraint &constraint : getConstraints(*cluster))
        if (Failure reason = (this->*step)(constraint))
          return Conflict{cluster.get(), 0, *reason};
    return std::nullopt;
  };
  for (auto step : {&Scales::applyToClasses, &Scales::applyToScales})
    if (std::optional<Conflict> conflict = apply(step))
      return conflict;
  // Links between functions come before the constraints that derive scales.
  for (auto [i, link] : llvm::enumerate(links))
    if (Failure reason = applyInsertion(link))
      return Conflict{nullptr, i, *reason};
  for (auto step :
       {&Scales::applyFixedPoint, &Scales::applyProduct, &Scales::applyParams})
    if (std::optional<Conflict> conflict = apply(step))
      return conflict;
  return std::nullopt;
}

mli::quant::QuantParams Scales::getParams(Value value) const {
  auto it = params.find(value);
  assert(it != params.end() && "expected a value of a cluster");
  return it->second;
}

QuantizedType Scales::getElement(Value value) const {
  MLIRContext *context = value.getContext();
  mli::quant::QuantParams params = getParams(value);
  switch (getStoredBits(value.getType())) {
  case 16:
    return Fx16Type::get(context, params.fracBits);
  case 32:
    return Sa32Type::get(context, params);
  default:
    return Sa8Type::get(context, params);
  }
}
