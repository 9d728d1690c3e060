// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/SplitWeights.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mli;

static int16_t getByte(int16_t weight) {
  return std::clamp<int16_t>(weight, INT8_MIN, INT8_MAX);
}

/// What the first `copies` bytes of `weight` leave of it.
static int16_t getRest(int16_t weight, int64_t copies) {
  for (int64_t i = 0; i < copies; ++i)
    weight -= getByte(weight);
  return weight;
}

SplitWeights mli::splitWeights(ArrayRef<int16_t> weights,
                               const ChannelGroups &channels) {
  int64_t outputs = channels.getOutputs(), count = channels.channels;
  // How often each channel is repeated: twice for a weight of 255.
  SmallVector<int64_t> copies(count, 0);
  SmallVector<bool> isChosen(channels.groups);
  for (auto [i, weight] : llvm::enumerate(weights)) {
    auto at = static_cast<int64_t>(i);
    int64_t &most = copies[at / outputs % count];
    while (getRest(weight, most + 1) != 0)
      ++most;
    if (weight != getByte(weight))
      isChosen[at % outputs / channels.filters] = true;
  }
  SplitWeights split;
  // Those that follow each other move together.
  for (int64_t copy = 1; copy <= *llvm::max_element(copies); ++copy)
    for (auto [channel, most] : llvm::enumerate(copies))
      if (most >= copy)
        split.repeated.push_back(static_cast<int64_t>(channel));
  for (auto [group, flag] : llvm::enumerate(isChosen))
    if (flag)
      split.groups.push_back(static_cast<int64_t>(group));
  split.weights.reserve(weights.size());
  while (!weights.empty()) {
    ArrayRef<int16_t> tap = weights.take_front(count * outputs);
    weights = weights.drop_front(tap.size());
    for (int16_t weight : tap)
      split.weights.push_back(static_cast<char>(getByte(weight)));
    SmallVector<int64_t> taken(count, 0);
    for (int64_t channel : split.repeated) {
      int64_t copy = ++taken[channel];
      for (int16_t weight : tap.slice(channel * outputs, outputs))
        split.weights.push_back(
            static_cast<char>(getByte(getRest(weight, copy))));
    }
  }
  return split;
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

namespace {
/// Numbers that follow each other: of a list, those from place `at` on.
struct Run {
  int64_t at, first, size;
};
} // namespace

static SmallVector<Run> getRuns(ArrayRef<int64_t> numbers) {
  SmallVector<Run> runs;
  for (auto [i, number] : llvm::enumerate(numbers))
    if (!runs.empty() && runs.back().first + runs.back().size == number)
      ++runs.back().size;
    else
      runs.push_back({static_cast<int64_t>(i), number, 1});
  return runs;
}

Value mli::createRepeated(TensorBuilder &tensors, Value map,
                          const ChannelGroups &channels,
                          ArrayRef<int64_t> chosen,
                          ArrayRef<int64_t> repeated) {
  auto type = cast<RankedTensorType>(map.getType());
  int64_t count = channels.channels;
  int64_t places = type.getNumElements() / (channels.groups * count);
  auto groups = static_cast<int64_t>(chosen.size());
  int64_t all = count + static_cast<int64_t>(repeated.size());
  Value source = tensors.createReshape(map, {places, channels.groups, count});
  Value result =
      tensors.createEmpty(type.getElementType(), {places, groups, all});
  SmallVector<Run> parts = {{0, 0, count}};
  for (Run run : getRuns(repeated))
    parts.push_back({count + run.at, run.first, run.size});
  for (const Run &group : getRuns(chosen))
    for (const Run &part : parts) {
      auto mov =
          MovOp::create(tensors.getBuilder(), tensors.getLoc(), source, result);
      mov.setOffsets({0, group.first, part.first});
      mov.setSizes({places, group.size, part.size});
      mov.setDstOffsets({0, group.at, part.at});
      result = mov.getResult(0);
    }
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = groups * all;
  return tensors.createReshape(result, shape);
}

Value mli::createReplaced(TensorBuilder &tensors, Value part, Value whole,
                          const ChannelGroups &channels,
                          ArrayRef<int64_t> chosen) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(whole.getType()).getShape();
  SmallVector<int64_t> sizes(shape), from(shape.size()), to(shape.size());
  for (const Run &group : getRuns(chosen)) {
    auto mov =
        MovOp::create(tensors.getBuilder(), tensors.getLoc(), part, whole);
    from.back() = group.at * channels.filters;
    to.back() = group.first * channels.filters;
    sizes.back() = group.size * channels.filters;
    mov.setOffsets(from);
    mov.setSizes(sizes);
    mov.setDstOffsets(to);
    whole = mov.getResult(0);
  }
  return whole;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

ByteLayer mli::selectGroups(const ByteLayer &layer, ArrayRef<char> weights,
                            int64_t count, const ChannelGroups &channels,
                            int64_t kept, ArrayRef<int64_t> chosen) {
  SmallVector<int64_t> outputs;
  for (int64_t group : chosen)
    llvm::append_range(outputs, llvm::seq(group * channels.filters,
                                          (group + 1) * channels.filters));
  int64_t rows = static_cast<int64_t>(weights.size()) / channels.getOutputs();
  ByteLayer part;
  for (int64_t row = 0; row < rows; ++row)
    if (row % count < kept)
      for (int64_t output : outputs)
        part.weights.push_back(weights[row * channels.getOutputs() + output]);
  bool isPerTensor = layer.weightsParams.size() == 1;
  if (isPerTensor) {
    part.weightsParams = layer.weightsParams;
    part.biasParams = layer.biasParams;
  }
  for (int64_t output : outputs) {
    part.bias.push_back(layer.bias[output]);
    if (isPerTensor)
      continue;
    part.weightsParams.push_back(layer.weightsParams[output]);
    part.biasParams.push_back(layer.biasParams[output]);
  }
  return part;
}
