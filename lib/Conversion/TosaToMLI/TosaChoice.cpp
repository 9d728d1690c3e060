// SPDX-License-Identifier: Apache-2.0
//
// Legalizes selections by a constant condition, as masks are: moves of what is
// chosen of one operand over the other.

#include "Conversion/TosaToMLI/Scales/TosaEmitter.h"
#include "TosaPatterns.h"

#include "mli/Frontend/Moves.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

namespace {

/// An operand that is repeated to the shape of the result.
struct Repeated {
  Value value;
  std::optional<int64_t> splat; ///< what all its elements are, if known
  /// Those of each dimension, if it is another shape.
  SmallVector<SmallVector<int64_t>> indices;

  Repeated(Value value, ArrayRef<int64_t> shape);
  Value read(Emitter &emitter, Value result) const;
};

/// The places of a shape, [before, extent, after], where a condition holds.
struct Places {
  SmallVector<int64_t> shape;
  SmallVector<int64_t> indices; ///< along the extent
};

class ChoiceCluster : public Cluster {
public:
  ChoiceCluster(tosa::SelectOp op, Repeated chosen, Repeated other,
                Places places)
      : Cluster(op, op), chosen(std::move(chosen)), other(std::move(other)),
        places(std::move(places)) {}

  SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(chosen.value, getResult()),
            Constraint::same(other.value, getResult())};
  }

  Value emit(Emitter &emitter) const override {
    if (places.indices.empty())
      return other.read(emitter, getResult());
    Value from = chosen.read(emitter, getResult());
    if (static_cast<int64_t>(places.indices.size()) == places.shape[1])
      return from;
    return createPut(emitter, from, other.read(emitter, getResult()),
                     places.shape, /*axis=*/1, places.indices, places.indices);
  }

private:
  Repeated chosen, other;
  Places places;
};

} // namespace

Repeated::Repeated(Value value, ArrayRef<int64_t> shape) : value(value) {
  if (auto elements =
          dyn_cast_or_null<DenseIntElementsAttr>(getConstant(value));
      elements && elements.isSplat())
    splat = elements.getSplatValue<APInt>().getSExtValue();
  if (splat || getShape(value) == shape)
    return;
  for (auto [own, extent] : llvm::zip_equal(getShape(value), shape))
    indices.emplace_back(own == extent ? 0 : extent, 0);
}

Value Repeated::read(Emitter &emitter, Value result) const {
  if (splat)
    return emitter.createSplat(emitter.getElement(result),
                               mergeDims(getShape(result)), *splat);
  if (indices.empty())
    return emitter.read(value);
  return createTakes(emitter, emitter.read(value), getShape(value), indices);
}

/// The first dimensions of `shape` and its last ones over which `condition`, of
/// as many dimensions, is repeated are one each.
static Places findPlaces(DenseIntElementsAttr condition,
                         ArrayRef<int64_t> shape) {
  SmallVector<int64_t> own(condition.getType().getShape());
  if (condition.isSplat())
    own.assign(own.size(), 1);
  size_t first = 0, end = shape.size();
  while (first < end && own[first] == 1)
    ++first;
  while (end > first && own[end - 1] == 1)
    --end;
  auto inner = shape.slice(first, end - first);
  Places places;
  places.shape = {llvm::product_of(shape.take_front(first)),
                  llvm::product_of(inner),
                  llvm::product_of(shape.drop_front(end))};
  auto holds = condition.getValues<bool>();
  for (int64_t place = 0; place < places.shape[1]; ++place) {
    int64_t index = 0, step = 1, rest = place;
    for (size_t dim = end; dim-- > first; rest /= shape[dim]) {
      index += own[dim] == 1 ? 0 : rest % shape[dim] * step;
      step *= own[dim];
    }
    if (holds[index])
      places.indices.push_back(place);
  }
  return places;
}

ClusterPtr raising::matchChoice(tosa::SelectOp op, MatchFailures &failures) {
  if (failed(checkMove(op, op.getInput2(), op.getOutput(), failures)) ||
      failed(checkMove(op, op.getInput3(), op.getOutput(), failures)))
    return nullptr;
  auto condition = dyn_cast<DenseIntElementsAttr>(getConstant(op.getInput1()));
  if (!condition)
    return failures.reject(op, "expected a condition in the module, but got a "
                               "resource");
  ArrayRef<int64_t> shape = getShape(op.getOutput());
  Repeated chosen(op.getInput2(), shape), other(op.getInput3(), shape);
  for (const Repeated *operand : {&chosen, &other})
    if (failed(checkTakes(op, getShape(operand->value), operand->indices,
                          failures)))
      return nullptr;
  Places places = findPlaces(condition, shape);
  if (size_t count = countPuts(places.indices, places.indices);
      count > maxTakes)
    return failures.reject(op, "expected at most ", maxTakes,
                           " moves of what is chosen, but got ", count);
  return std::make_unique<ChoiceCluster>(op, std::move(chosen),
                                         std::move(other), std::move(places));
}
