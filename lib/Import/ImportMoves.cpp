// SPDX-License-Identifier: Apache-2.0
//
// Imports data movement and reshapes.

#include "Operands.h"
#include "Options.h"
#include "Unary.h"

#include "mli/Frontend/Moves.h"

#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

FailureOr<Move> tflite::readMove(GraphImporter &importer, size_t input) {
  FailureOr<int32_t> from = importer.getInput(input);
  FailureOr<int32_t> to = importer.getOutput();
  if (failed(from) || failed(to) || failed(importer.checkElements(*to)))
    return failure();
  FailureOr<Type> element = importer.getElement(*from);
  if (failed(element))
    return failure();
  FailureOr<Type> wanted = importer.getElement(*to);
  if (failed(wanted) || failed(importer.checkSameType(*from, *to)))
    return failure();
  FailureOr<Value> source = importer.read(*from);
  if (failed(source))
    return failure();
  return Move{*from, *to, importer.createConvert(*source, *wanted), *wanted};
}

LogicalResult tflite::importReshape(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  if (failed(move))
    return failure();
  int64_t from = importer.getTensor(move->input).getNumElements();
  int64_t to = importer.getTensor(move->output).getNumElements();
  if (from != to)
    return importer.reject("expected an output of ", from,
                           " elements, but got ", to);
  importer.define(move->output, move->source);
  return success();
}

LogicalResult tflite::importTranspose(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  if (failed(move))
    return failure();
  FailureOr<SmallVector<int64_t>> order = importer.getIntegers(1);
  if (failed(order))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(move->input);
  if (order->size() != shape.size())
    return importer.reject("expected ", shape.size(),
                           " dimensions to permute, but got ", order->size());
  SmallVector<int64_t> result;
  SmallVector<bool> isUsed(shape.size());
  for (int64_t &dim : *order) {
    dim += dim < 0 ? static_cast<int64_t>(shape.size()) : 0;
    if (dim < 0 || dim >= static_cast<int64_t>(shape.size()) || isUsed[dim])
      return importer.reject("expected each of ", shape.size(),
                             " dimensions once, but got ", dim);
    isUsed[dim] = true;
    result.push_back(shape[dim]);
  }
  if (ArrayRef(result) != importer.getShape(move->output))
    return importer.reject("expected ", importer.describe(move->output),
                           " to have the permuted shape, but got another");
  importer.define(move->output, importer.createPermute(move->source, *order));
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// The quantized value with which `move` pads, input 2: a constant of its
/// format.
static FailureOr<int64_t> readPadding(GraphImporter &importer,
                                      const Move &move) {
  int32_t index = *importer.getInput(2);
  const Tensor &value = importer.getTensor(index);
  size_t bytes = getElementBytes(value.type);
  schema::TensorType type = importer.getTensor(move.output).type;
  bool isWide = isa<Fx16Type>(move.element);
  if ((!isa<Sa8Type>(move.element) && !isWide) || value.type != type ||
      value.data.size() != bytes)
    return importer.reject("expected a constant of one ", getTypeName(type),
                           " to pad with, but got ", value.data.size(),
                           " bytes of ", getTypeName(value.type));
  // A constant without a scale is a code of the output.
  if (!value.quantization.scales.empty() &&
      failed(checkSameFormat(importer, move.output, index)))
    return failure();
  if (isWide)
    return llvm::support::endian::read<int16_t, llvm::endianness::little>(
        value.data.data());
  auto byte = static_cast<uint8_t>(value.data.front());
  return llvm::SignExtend64<8>(
      value.type == schema::TensorType::UINT8 ? byte ^ 0x80 : byte);
}

LogicalResult tflite::importPad(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  if (failed(move))
    return failure();
  FailureOr<SmallVector<int64_t>> amounts = importer.getIntegers(1);
  if (failed(amounts))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(move->input);
  ArrayRef<int64_t> to = importer.getShape(move->output);
  if (amounts->size() != 2 * from.size() || from.size() != to.size())
    return importer.reject("expected 2 amounts for each of ", from.size(),
                           " dimensions, but got ", amounts->size());
  SmallVector<int64_t> low, high;
  for (auto [i, extent] : llvm::enumerate(from)) {
    low.push_back((*amounts)[2 * i]);
    high.push_back((*amounts)[2 * i + 1]);
    bool isInRange =
        low[i] >= 0 && low[i] <= to[i] && high[i] >= 0 && high[i] <= to[i];
    if (!isInRange || extent + low[i] + high[i] != to[i])
      return importer.reject("expected dimension ", i, " of the output to be ",
                             extent, " + ", low[i], " + ", high[i],
                             ", but got ", to[i]);
  }
  // The padding is the real number 0, unless an operand specifies a quantized
  // value.
  auto sa8 = dyn_cast<Sa8Type>(move->element);
  int64_t zero = sa8 ? sa8.getParams().front().zeroPoint : 0;
  FailureOr<int64_t> padding = zero;
  if (importer.getOperator().getInput(2) >= 0)
    padding = readPadding(importer, *move);
  if (failed(padding))
    return failure();
  TensorBlock block{low, llvm::to_vector(from)};
  importer.define(move->output,
                  createPadded(importer, move->source, block, to, *padding));
  bool isBorder = from.size() == 4 && from[0] == to[0] && from[3] == to[3];
  if (isBorder && *padding == zero && sa8 &&
      importer.getElement(move->input) == move->element)
    importer.definePadded(move->output,
                          {move->input, {low[1], high[1], low[2], high[2]}});
  return success();
}

/// Creates a copy of a block of the source as a tensor of shape `result`.
static LogicalResult importBlock(GraphImporter &importer, const Move &move,
                                 const TensorBlock &block,
                                 ArrayRef<int64_t> result) {
  int64_t count = llvm::product_of(block.getShape());
  if (count != llvm::product_of(result))
    return importer.reject("expected an output of ", count,
                           " elements, but got ", llvm::product_of(result));
  importer.define(move.output, createBlock(importer, move.source,
                                           importer.getShape(move.input), block,
                                           /*isCopied=*/true));
  return success();
}

LogicalResult tflite::importSlice(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  if (failed(move))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(move->input);
  auto offsets = getList(importer, 1, shape.size());
  auto sizes = failed(offsets) ? offsets : getList(importer, 2, shape.size());
  if (failed(sizes))
    return failure();
  for (auto [i, extent] : llvm::enumerate(shape)) {
    int64_t &size = (*sizes)[i], offset = (*offsets)[i];
    if (size == -1 && offset >= 0)
      size = extent - offset;
    if (offset < 0 || size < 1 || size > extent || offset > extent - size)
      return importer.reject("expected a slice of dimension ", i, ", ", extent,
                             ", but got ", size, " from ", offset);
  }
  return importBlock(importer, *move, {*offsets, *sizes},
                     importer.getShape(move->output));
}

LogicalResult tflite::importStridedSlice(GraphImporter &importer) {
  auto options = getOptions<schema::StridedSliceOptions>(
      importer, BuiltinOptions::StridedSliceOptions);
  if (failed(options))
    return failure();
  FailureOr<Move> move = readMove(importer);
  if (failed(move))
    return failure();
  if ((*options)->ellipsis_mask() != 0 || (*options)->new_axis_mask() != 0 ||
      (*options)->offset())
    return importer.reject("expected no ellipsis, new axis or offset, but got "
                           "masks ",
                           (*options)->ellipsis_mask(), ", ",
                           (*options)->new_axis_mask());
  ArrayRef<int64_t> shape = importer.getShape(move->input);
  auto offsets = getList(importer, 1, shape.size());
  auto ends = failed(offsets) ? offsets : getList(importer, 2, shape.size());
  auto steps = failed(ends) ? ends : getList(importer, 3, shape.size());
  if (failed(steps))
    return failure();
  SmallVector<int64_t> sizes;
  for (auto [i, extent] : llvm::enumerate(shape)) {
    auto isSet = [&, bit = 1 << i](int32_t mask) { return (mask & bit) != 0; };
    int64_t step = (*steps)[i];
    if (step < 1)
      return importer.reject("expected steps of at least 1, but got ", step);
    auto position = [&, extent = extent](int64_t index) {
      return std::clamp<int64_t>(index < 0 ? index + extent : index, 0, extent);
    };
    int64_t begin =
        isSet((*options)->begin_mask()) ? 0 : position((*offsets)[i]);
    int64_t end = isSet((*options)->end_mask()) ? extent : position((*ends)[i]);
    // A dimension that is dropped has one index, whatever its end.
    if (isSet((*options)->shrink_axis_mask()))
      end = begin + 1;
    if (end <= begin || end > extent)
      return importer.reject("expected a slice of dimension ", i, ", ", extent,
                             ", but got [", begin, ", ", end, ")");
    (*offsets)[i] = begin;
    sizes.push_back(end - begin);
  }
  return importBlock(importer, *move, {*offsets, sizes, *steps},
                     importer.getShape(move->output));
}

//===----------------------------------------------------------------------===//
// Blocks as channels
//===----------------------------------------------------------------------===//

/// Transposes columns of blocks with their rows. `map` is the shape with blocks
/// in its height and width, `blocks` the one with blocks in its channels.
static LogicalResult importBlocks(GraphImporter &importer, BuiltinOptions type,
                                  bool isToDepth) {
  auto options = getOptions<schema::SpaceToDepthOptions>(importer, type);
  if (failed(options))
    return failure();
  FailureOr<Move> move = readMove(importer);
  if (failed(move) || failed(importer.checkRank(move->input, 4)) ||
      failed(importer.checkRank(move->output, 4)))
    return failure();
  int64_t size = (*options)->block_size();
  ArrayRef<int64_t> map =
      importer.getShape(isToDepth ? move->input : move->output);
  ArrayRef<int64_t> blocks =
      importer.getShape(isToDepth ? move->output : move->input);
  if (size < 1 || map[0] != blocks[0] || map[1] != blocks[1] * size ||
      map[2] != blocks[2] * size || blocks[3] != map[3] * size * size)
    return importer.reject("expected input and output that differ by blocks of "
                           "size ",
                           size, ", but got others");
  int64_t rows = blocks[0] * blocks[1], columns = blocks[2],
          run = size * map[3];
  SmallVector<int64_t> shape = {rows, size, columns, run};
  if (!isToDepth)
    std::swap(shape[1], shape[2]);
  importer.define(move->output, importer.createPermute(
                                    importer.createReshape(move->source, shape),
                                    {0, 2, 1, 3}));
  return success();
}

LogicalResult tflite::importSpaceToDepth(GraphImporter &importer) {
  return importBlocks(importer, BuiltinOptions::SpaceToDepthOptions,
                      /*isToDepth=*/true);
}
LogicalResult tflite::importDepthToSpace(GraphImporter &importer) {
  return importBlocks(importer, BuiltinOptions::DepthToSpaceOptions,
                      /*isToDepth=*/false);
}
