// SPDX-License-Identifier: Apache-2.0
//
// Operators that only move elements.

#include "TFLiteBounds.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace mli;
using namespace mli::fuzz;

using Index = llvm::SmallVector<int64_t, 8>;

/// The place of element `index` of `shape` along each dimension.
static Index unravel(llvm::ArrayRef<int64_t> shape, int64_t index) {
  Index places(shape.size());
  for (size_t i = shape.size(); i-- > 0; index /= shape[i])
    places[i] = index % shape[i];
  return places;
}

static int64_t ravel(llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> places) {
  int64_t index = 0;
  for (auto [extent, place] : llvm::zip_equal(shape, places))
    index = index * extent + place;
  return index;
}

static int64_t readAxis(int64_t axis, size_t rank) {
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

static void computeSame(TFLiteRun &run) {
  run.setEach(
      0, [&](int64_t i) { return move(run.inputs[0], i, run.outputs[0]); });
}

static void computeTranspose(TFLiteRun &run) {
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  run.setEach(0, [&](int64_t i) {
    Index to = unravel(output.getShape(), i), from(to.size());
    for (size_t k = 0; k < to.size(); ++k)
      from[readAxis(run.getInteger(1, static_cast<int64_t>(k)), to.size())] =
          to[k];
    return move(input, ravel(input.getShape(), from), output);
  });
}

/// `whole` has rows and columns where `deep` has channels.
static int64_t findInBlocks(const TFLiteOperand &deep, const Index &whole,
                            int64_t size, int64_t channels) {
  Index places = {whole[0], whole[1] / size, whole[2] / size,
                  (whole[1] % size * size + whole[2] % size) * channels +
                      whole[3]};
  return ravel(deep.getShape(), places);
}

static void computeBlocks(TFLiteRun &run) {
  int64_t size = run.getOptions<schema::SpaceToDepthOptions>().block_size();
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  bool isToDepth = run.op->name == "SPACE_TO_DEPTH";
  const TFLiteOperand &whole = isToDepth ? input : output,
                      &deep = isToDepth ? output : input;
  std::vector<Bounds> &bounds = run.bounds[0];
  bounds.resize(output.getNumElements());
  for (int64_t i = 0; i < whole.getNumElements(); ++i) {
    int64_t other = findInBlocks(deep, unravel(whole.getShape(), i), size,
                                 whole.getExtent(3));
    bounds[isToDepth ? other : i] = move(input, isToDepth ? i : other, output);
  }
}

static void computePad(TFLiteRun &run) {
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  run.setEach(0, [&](int64_t i) {
    Index places = unravel(output.getShape(), i);
    bool isInside = true;
    for (size_t k = 0; k < places.size(); ++k) {
      places[k] -= run.getInteger(1, static_cast<int64_t>(2 * k));
      isInside &= places[k] >= 0 && places[k] < input.getShape()[k];
    }
    if (isInside)
      return move(input, ravel(input.getShape(), places), output);
    double border = run.hasInput(2) ? run.inputs[2].codes[0]
                                    : static_cast<double>(output.getZero());
    return Bounds{border, border};
  });
}

static void computeSlice(TFLiteRun &run) {
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  run.setEach(0, [&](int64_t i) {
    Index places = unravel(output.getShape(), i);
    for (size_t k = 0; k < places.size(); ++k)
      places[k] += run.getInteger(1, static_cast<int64_t>(k));
    return move(input, ravel(input.getShape(), places), output);
  });
}

static void computeStridedSlice(TFLiteRun &run) {
  const auto &options = run.getOptions<schema::StridedSliceOptions>();
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  run.setEach(0, [&](int64_t i) {
    Index to = unravel(output.getShape(), i), from;
    size_t next = 0;
    for (auto [k, extent] : llvm::enumerate(input.getShape())) {
      auto dim = static_cast<int64_t>(k);
      int64_t begin = run.getInteger(1, dim);
      begin =
          std::clamp<int64_t>(begin < 0 ? begin + extent : begin, 0, extent);
      if ((options.begin_mask() >> k) % 2 != 0)
        begin = 0;
      bool isDropped = (options.shrink_axis_mask() >> k) % 2 != 0;
      from.push_back(begin +
                     (isDropped ? 0 : to[next++] * run.getInteger(3, dim)));
    }
    return move(input, ravel(input.getShape(), from), output);
  });
}

/// Element `index` of a part of `whole` along `axis` from `first` on, as it is
/// in the whole. The part has `extent` indices there.
static int64_t findInPart(llvm::ArrayRef<int64_t> whole, int64_t axis,
                          int64_t first, int64_t extent, int64_t index) {
  int64_t after = 1;
  for (size_t dim = axis + 1; dim < whole.size(); ++dim)
    after *= whole[dim];
  int64_t inner = index % after, place = index / after % extent,
          outer = index / after / extent;
  return (outer * whole[axis] + first + place) * after + inner;
}

static void computeParts(TFLiteRun &run, const TFLiteOperand &input,
                         int64_t axis, bool isUnpacked) {
  int64_t first = 0;
  for (size_t k = 0; k < run.outputs.size(); ++k) {
    const TFLiteOperand &output = run.outputs[k];
    int64_t extent = isUnpacked ? 1 : output.getExtent(axis);
    run.setEach(k, [&](int64_t i) {
      return move(input, findInPart(input.getShape(), axis, first, extent, i),
                  output);
    });
    first += extent;
  }
}

static void computeWhole(TFLiteRun &run, int64_t axis, bool isPacked) {
  const TFLiteOperand &output = run.outputs[0];
  axis = readAxis(axis, output.getShape().size());
  run.bounds[0].resize(output.getNumElements());
  int64_t first = 0;
  for (const TFLiteOperand &input : run.inputs) {
    int64_t extent = isPacked ? 1 : input.getExtent(axis);
    for (int64_t i = 0; i < input.getNumElements(); ++i)
      run.bounds[0][findInPart(output.getShape(), axis, first, extent, i)] =
          move(input, i, output);
    first += extent;
  }
}

static void computeSplit(TFLiteRun &run, size_t input, size_t axis) {
  const TFLiteOperand &from = run.inputs[input];
  computeParts(run, from,
               readAxis(run.getInteger(axis), from.getShape().size()),
               /*isUnpacked=*/false);
}

static void computeUnpack(TFLiteRun &run) {
  const TFLiteOperand &from = run.inputs[0];
  int64_t axis = run.getOptions<schema::UnpackOptions>().axis();
  computeParts(run, from, readAxis(axis, from.getShape().size()),
               /*isUnpacked=*/true);
}

bool fuzz::computeMoves(TFLiteRun &run) {
  using Function = void (*)(TFLiteRun &);
  auto function =
      llvm::StringSwitch<Function>(run.op->name)
          .Cases({"RESHAPE", "SQUEEZE", "EXPAND_DIMS"}, computeSame)
          .Cases({"QUANTIZE", "DEQUANTIZE"}, computeSame)
          .Case("TRANSPOSE", computeTranspose)
          .Cases({"SPACE_TO_DEPTH", "DEPTH_TO_SPACE"}, computeBlocks)
          .Cases({"PAD", "PADV2"}, computePad)
          .Case("SLICE", computeSlice)
          .Case("STRIDED_SLICE", computeStridedSlice)
          .Case("SPLIT", [](TFLiteRun &r) { computeSplit(r, 1, 0); })
          .Case("SPLIT_V", [](TFLiteRun &r) { computeSplit(r, 0, 2); })
          .Case("UNPACK", computeUnpack)
          .Case("CONCATENATION",
                [](TFLiteRun &r) {
                  computeWhole(
                      r, r.getOptions<schema::ConcatenationOptions>().axis(),
                      /*isPacked=*/false);
                })
          .Case("PACK",
                [](TFLiteRun &r) {
                  computeWhole(r, r.getOptions<schema::PackOptions>().axis(),
                               /*isPacked=*/true);
                })
          .Default(nullptr);
  if (function)
    function(run);
  return function != nullptr;
}
