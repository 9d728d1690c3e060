// SPDX-License-Identifier: Apache-2.0
//
// Imports changes of the height and width of feature maps.

#include "Operands.h"
#include "Options.h"
#include "Takes.h"

#include "mli/Frontend/ByteProduct.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

/// The output shares batch and channels with the input, [n, h, w, c].
template <typename Options>
static FailureOr<Move> readResize(GraphImporter &importer,
                                  const Options &options) {
  FailureOr<Move> move = readMove(importer);
  if (failed(move) || failed(importer.checkRank(move->input, 4)) ||
      failed(importer.checkRank(move->output, 4)))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(move->input),
                    to = importer.getShape(move->output);
  if (from[0] != to[0] || from[3] != to[3])
    return importer.reject("expected ", importer.describe(move->output),
                           " to have the batch and channels of the input, but "
                           "got others");
  if (options.align_corners() && options.half_pixel_centers())
    return importer.reject("expected aligned corners or centers of pixels, but "
                           "got both");
  return move;
}

/// Defines the output as `rows` and `columns` of the input.
static LogicalResult takePixels(GraphImporter &importer, const Move &move,
                                const SmallVector<int64_t> &rows,
                                const SmallVector<int64_t> &columns) {
  ArrayRef<int64_t> from = importer.getShape(move.input);
  FailureOr<Value> taken = takeSlices(
      importer, importer.createReshape(move.source, from),
      {llvm::to_vector(llvm::seq<int64_t>(0, from[0])), rows, columns});
  if (failed(taken))
    return failure();
  importer.define(move.output, *taken);
  return success();
}

//===----------------------------------------------------------------------===//
// Nearest neighbours
//===----------------------------------------------------------------------===//

/// The index of `extent` that is nearest to each of `size`, as TFLite computes
/// it, in float.
static SmallVector<int64_t>
getNearest(int64_t extent, int64_t size,
           const schema::ResizeNearestNeighborOptions &options) {
  bool isAligned = options.align_corners() && size > 1;
  float scale =
      isAligned ? static_cast<float>(extent - 1) / static_cast<float>(size - 1)
                : static_cast<float>(extent) / static_cast<float>(size);
  float offset = options.half_pixel_centers() ? 0.5F : 0;
  SmallVector<int64_t> indices;
  for (int64_t i = 0; i < size; ++i) {
    float place = (static_cast<float>(i) + offset) * scale;
    float rounded =
        options.align_corners() ? std::round(place) : std::floor(place);
    indices.push_back(
        std::clamp<int64_t>(static_cast<int64_t>(rounded), 0, extent - 1));
  }
  return indices;
}

LogicalResult tflite::importResizeNearest(GraphImporter &importer) {
  auto options = getOptions<schema::ResizeNearestNeighborOptions>(
      importer, BuiltinOptions::ResizeNearestNeighborOptions);
  FailureOr<Move> move = failed(options) ? FailureOr<Move>(failure())
                                         : readResize(importer, **options);
  if (failed(move))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(move->input),
                    to = importer.getShape(move->output);
  return takePixels(importer, *move, getNearest(from[1], to[1], **options),
                    getNearest(from[2], to[2], **options));
}

//===----------------------------------------------------------------------===//
// Bilinear interpolation
//===----------------------------------------------------------------------===//

namespace {
/// An output is (1024 - part) / 1024 of one input, and part / 1024 of another.
struct Blend {
  int64_t lower, upper, part;
};
} // namespace

static constexpr int blendBits = 10;

/// The blends along one dimension, in the numbers of 10 bits that TFLite has.
static SmallVector<Blend>
getBlends(int64_t extent, int64_t size,
          const schema::ResizeBilinearOptions &options) {
  constexpr int64_t one = 1 << blendBits;
  bool isAligned = options.align_corners() && size > 1;
  int64_t step = isAligned ? (one * (extent - 1) + (size - 1) / 2) / (size - 1)
                           : (one * extent + size / 2) / size;
  SmallVector<Blend> blends;
  for (int64_t i = 0; i < size; ++i) {
    int64_t place = i * step;
    if (options.half_pixel_centers())
      place += step / 2 - one / 2;
    int64_t lower = std::max<int64_t>(place / one, 0);
    int64_t upper = std::min((place + one - 1) / one, extent - 1);
    // In front of the first and behind the last there is one of them.
    upper = std::max<int64_t>(upper, 0);
    lower = std::min(lower, extent - 1);
    blends.push_back({lower, upper, lower == upper ? 0 : place - lower * one});
  }
  return blends;
}

/// Blends the last dimension of `source`, fx16, as products with a matrix, and
/// adds `bias`.
static Value createBlend(GraphImporter &importer, Value source,
                         ArrayRef<Blend> blends, int64_t bias) {
  auto type = cast<RankedTensorType>(source.getType());
  auto element = cast<Fx16Type>(type.getElementType());
  int64_t extent = type.getShape().back(),
          size = static_cast<int64_t>(blends.size()),
          rows = type.getNumElements() / extent;
  SmallVector<int16_t> weights(extent * size, 0);
  for (auto [i, blend] : llvm::enumerate(blends)) {
    auto column = static_cast<int64_t>(i);
    weights[blend.lower * size + column] +=
        static_cast<int16_t>((1 << blendBits) - blend.part);
    weights[blend.upper * size + column] += static_cast<int16_t>(blend.part);
  }
  ArrayRef<char> bytes(reinterpret_cast<const char *>(weights.data()),
                       weights.size() * sizeof(int16_t));
  KernelOperands operands = {
      importer.createConstant(Fx16Type::get(importer.getContext(), blendBits),
                              {1, 1, extent, size}, bytes, /*holder=*/nullptr,
                              /*isUnsigned=*/false),
      importer.createSplat(element, {size}, bias)};
  return createUnitConv<Conv2DOp>(
      importer, importer.createReshape(source, {rows, 1, extent}), operands,
      importer.createEmpty(element, {rows, 1, size}), ReluKind::none);
}

/// Blends [n, h, w, c], fx16, along h and w, and adds `bias`.
static Value createBlends(GraphImporter &importer, Value source,
                          ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                          const schema::ResizeBilinearOptions &options,
                          int64_t bias) {
  // [n, h, w * c], with h behind, then w.
  Value value = importer.createPermute(
      importer.createReshape(source, {from[0], from[1], from[2] * from[3]}),
      {0, 2, 1});
  Value rows = createBlend(importer, value, getBlends(from[1], to[1], options),
                           /*bias=*/0);
  value = importer.createPermute(
      importer.createReshape(rows, {from[0], from[2], from[3] * to[1]}),
      {0, 2, 1});
  Value maps =
      createBlend(importer, value, getBlends(from[2], to[2], options), bias);
  return importer.createPermute(
      importer.createReshape(maps, {from[0], from[3], to[1] * to[2]}),
      {0, 2, 1});
}

LogicalResult tflite::importResizeBilinear(GraphImporter &importer) {
  auto options = getOptions<schema::ResizeBilinearOptions>(
      importer, BuiltinOptions::ResizeBilinearOptions);
  FailureOr<Move> move = failed(options) ? FailureOr<Move>(failure())
                                         : readResize(importer, **options);
  if (failed(move))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(move->input),
                    to = importer.getShape(move->output);
  // One element is that everywhere.
  if (from[1] == 1 && from[2] == 1)
    return takePixels(importer, *move, SmallVector<int64_t>(to[1], 0),
                      SmallVector<int64_t>(to[2], 0));
  Value flat = importer.createReshape(
      move->source, {importer.getTensor(move->input).getNumElements()});
  auto sa8 = dyn_cast<Sa8Type>(move->element);
  if (!sa8 && !isa<Fx16Type>(move->element))
    return importer.reject("expected ", importer.describe(move->input),
                           " to be int8, uint8 or int16, but got another type");
  if (sa8) {
    flat = createWidened(importer, flat);
    if (!flat)
      return importer.reject("expected a scale whose inverse has a format, but "
                             "got ",
                             importer.getScale(move->output));
  }
  // TFLite rounds halves away from zero, which is down for codes of int8 below
  // it, as those of small numbers are: the kernel rounds a bit less up.
  bool isSigned =
      importer.getTensor(move->input).type == schema::TensorType::INT8;
  Value blended = createBlends(importer, flat, from, to, **options,
                               /*bias=*/isSigned ? -1 : 0);
  Value result = importer.createReshape(
      blended, {importer.getTensor(move->output).getNumElements()});
  if (sa8)
    result = createNarrowed(importer, result, sa8);
  importer.define(move->output, result);
  return success();
}
