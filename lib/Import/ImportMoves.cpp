// SPDX-License-Identifier: Apache-2.0
//
// Importing what only moves elements or names them anew.

#include "Imports.h"
#include "Options.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

namespace {
/// Input 0 and output 0, of elements of one format.
struct Move {
  int32_t input, output;
  Value source;
  Type element;
};
} // namespace

/// `isConverted`: formats may differ, and the source is in the output's.
static FailureOr<Move> readMove(GraphImporter &importer, size_t input = 0) {
  FailureOr<int32_t> from = importer.getInput(input);
  FailureOr<int32_t> to = importer.getOutput();
  if (failed(from) || failed(to) || failed(importer.checkElements(*to)))
    return failure();
  FailureOr<Type> element = importer.getElement(*from);
  if (failed(element))
    return failure();
  FailureOr<Type> wanted = importer.getElement(*to);
  FailureOr<Value> source = importer.read(*from);
  if (failed(wanted) || failed(source))
    return failure();
  return Move{*from, *to, importer.createConvert(*source, *wanted), *wanted};
}

static int64_t normalized(int64_t axis, size_t rank) {
  return axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
}

/// `axis` of `rank` dimensions, counted from the end if it is negative.
static FailureOr<int64_t> getAxis(GraphImporter &importer, int64_t axis,
                                  size_t rank) {
  int64_t found = normalized(axis, rank);
  if (found < 0 || found >= static_cast<int64_t>(rank))
    return importer.refuse("expected an axis of ", rank,
                           " dimensions, but got ", axis);
  return found;
}

LogicalResult tflite::importReshape(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  if (failed(move))
    return failure();
  int64_t from = importer.getTensor(move->input).getNumElements();
  int64_t to = importer.getTensor(move->output).getNumElements();
  if (from != to)
    return importer.refuse("expected an output of ", from,
                           " elements, but got ", to);
  importer.define(move->output, move->source);
  return success();
}

LogicalResult tflite::importTranspose(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  FailureOr<int32_t> list = failure();
  if (failed(move) || failed(list = importer.getInput(1)))
    return failure();
  FailureOr<SmallVector<int64_t>> order = importer.getIntegers(*list);
  if (failed(order))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(move->input);
  if (order->size() != shape.size())
    return importer.refuse("expected ", shape.size(),
                           " dimensions to permute, but got ", order->size());
  SmallVector<int64_t> result;
  SmallVector<bool> isUsed(shape.size());
  for (int64_t &dim : *order) {
    dim = normalized(dim, shape.size());
    if (dim < 0 || dim >= static_cast<int64_t>(shape.size()) || isUsed[dim])
      return importer.refuse("expected each of ", shape.size(),
                             " dimensions once, but got ", dim);
    isUsed[dim] = true;
    result.push_back(shape[dim]);
  }
  if (ArrayRef(result) != importer.getShape(move->output))
    return importer.refuse("expected ", importer.describe(move->output),
                           " to have the permuted shape, but got another");
  FailureOr<Value> permuted = importer.createPermute(move->source, *order);
  if (failed(permuted))
    return failure();
  importer.define(move->output, *permuted);
  return success();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// How many leading dimensions of 1 leave at most `rank` dimensions.
static size_t leadingOnes(ArrayRef<int64_t> shape, size_t rank = 4) {
  size_t count = 0;
  while (shape.size() - count > rank && shape[count] == 1)
    ++count;
  return count;
}

LogicalResult tflite::importPad(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  FailureOr<int32_t> list = failure();
  if (failed(move) || failed(list = importer.getInput(1)))
    return failure();
  FailureOr<SmallVector<int64_t>> amounts = importer.getIntegers(*list);
  if (failed(amounts))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(move->input);
  ArrayRef<int64_t> to = importer.getShape(move->output);
  if (amounts->size() != 2 * from.size() || from.size() != to.size())
    return importer.refuse("expected 2 amounts for each of ", from.size(),
                           " dimensions, but got ", amounts->size());
  SmallVector<int64_t> low, high;
  for (auto [i, extent] : llvm::enumerate(from)) {
    low.push_back((*amounts)[2 * i]);
    high.push_back((*amounts)[2 * i + 1]);
    bool isInRange =
        low[i] >= 0 && low[i] <= to[i] && high[i] >= 0 && high[i] <= to[i];
    if (!isInRange || extent + low[i] + high[i] != to[i])
      return importer.refuse("expected dimension ", i, " of the output to be ",
                             extent, " + ", low[i], " + ", high[i],
                             ", but got ", to[i]);
  }
  // The real number 0, unless an operand gives a code.
  auto sa8 = dyn_cast<Sa8Type>(move->element);
  int64_t zero = sa8 ? sa8.getParams().front().zeroPoint : 0;
  int64_t code = zero;
  if (importer.getOperator().getInput(2) >= 0) {
    const Tensor &value = importer.getTensor(*importer.getInput(2));
    bool isByte = getElementBytes(value.type) == 1;
    if (!sa8 || !isByte || value.data.size() != 1)
      return importer.refuse("expected a constant byte to pad with, but got ",
                             value.data.size(), " bytes of ",
                             getTypeName(value.type));
    auto byte = static_cast<uint8_t>(value.data.front());
    code = static_cast<int8_t>(
        value.type == schema::TensorType::UINT8 ? byte ^ 0x80 : byte);
  }
  size_t dropped = leadingOnes(from);
  for (size_t i = 0; i < dropped; ++i)
    if (to[i] != 1)
      return importer.refuse("expected at most 4 dimensions, but got ",
                             from.size());
  Value source = importer.createReshape(move->source, from.drop_front(dropped));
  Value init =
      importer.createSplat(move->element, to.drop_front(dropped), code);
  auto mov =
      MovOp::create(importer.getBuilder(), importer.getLoc(), source, init);
  mov.setDstOffsets(ArrayRef(low).drop_front(dropped));
  importer.define(move->output, mov.getResult(0));
  bool isBorder = from.size() == 4 && from[0] == to[0] && from[3] == to[3];
  if (isBorder && code == zero && sa8 &&
      importer.getElement(move->input) == move->element)
    importer.definePadded(move->output,
                          {move->input, {low[1], high[1], low[2], high[2]}});
  return success();
}

/// Copies a block of `source` to a new value.
static LogicalResult createBlock(GraphImporter &importer, const Move &move,
                                 ArrayRef<int64_t> offsets,
                                 ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> steps,
                                 ArrayRef<int64_t> result) {
  ArrayRef<int64_t> shape = importer.getShape(move.input);
  size_t dropped = leadingOnes(shape);
  SmallVector<int64_t> written;
  for (auto [size, step] : llvm::zip(sizes, steps))
    written.push_back((size + step - 1) / step);
  if (llvm::product_of(written) != llvm::product_of(result))
    return importer.refuse("expected an output of ", llvm::product_of(written),
                           " elements, but got ", llvm::product_of(result));
  if (ArrayRef(written) == shape) {
    importer.define(move.output, move.source);
    return success();
  }
  Value source = importer.createReshape(move.source, shape.drop_front(dropped));
  Value init =
      importer.createEmpty(move.element, ArrayRef(written).drop_front(dropped));
  auto mov =
      MovOp::create(importer.getBuilder(), importer.getLoc(), source, init);
  mov.setOffsets(offsets.drop_front(dropped));
  mov.setSizes(sizes.drop_front(dropped));
  if (llvm::any_of(steps, [](int64_t step) { return step != 1; }))
    mov.setSteps(steps.drop_front(dropped));
  importer.define(move.output, mov.getResult(0));
  return success();
}

/// Integers of input `index`, one for each dimension of a tensor.
static FailureOr<SmallVector<int64_t>> getList(GraphImporter &importer,
                                               size_t index, size_t count) {
  FailureOr<int32_t> tensor = importer.getInput(index);
  if (failed(tensor))
    return failure();
  FailureOr<SmallVector<int64_t>> list = importer.getIntegers(*tensor);
  if (succeeded(list) && list->size() != count)
    return importer.refuse("expected ", importer.describe(*tensor), " to have ",
                           count, " numbers, but got ", list->size());
  return list;
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
      return importer.refuse("expected a slice of dimension ", i, ", ", extent,
                             ", but got ", size, " from ", offset);
  }
  SmallVector<int64_t> steps(shape.size(), 1);
  return createBlock(importer, *move, *offsets, *sizes, steps,
                     importer.getShape(move->output));
}

LogicalResult tflite::importStridedSlice(GraphImporter &importer) {
  auto options = getOptions<schema::StridedSliceOptions>(
      importer, BuiltinOptions::StridedSliceOptions);
  FailureOr<Move> move = failure();
  if (failed(options) || failed(move = readMove(importer)))
    return failure();
  if ((*options)->ellipsis_mask() != 0 || (*options)->new_axis_mask() != 0 ||
      (*options)->offset())
    return importer.refuse("expected no ellipsis, new axis or offset, but got "
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
      return importer.refuse("expected steps of at least 1, but got ", step);
    auto position = [&, extent = extent](int64_t given) {
      return std::clamp<int64_t>(given < 0 ? given + extent : given, 0, extent);
    };
    int64_t begin =
        isSet((*options)->begin_mask()) ? 0 : position((*offsets)[i]);
    int64_t end = isSet((*options)->end_mask()) ? extent : position((*ends)[i]);
    // A dimension that is dropped has one index, wherever it would end.
    if (isSet((*options)->shrink_axis_mask()))
      end = begin + 1;
    if (end <= begin || end > extent)
      return importer.refuse("expected a slice of dimension ", i, ", ", extent,
                             ", but got [", begin, ", ", end, ")");
    (*offsets)[i] = begin;
    sizes.push_back(end - begin);
  }
  return createBlock(importer, *move, *offsets, sizes, *steps,
                     importer.getShape(move->output));
}

//===----------------------------------------------------------------------===//
// Parts along one axis
//===----------------------------------------------------------------------===//

namespace {
/// A shape seen as [before, axis, behind].
struct Parts {
  int64_t before = 1, extent = 1, behind = 1;

  Parts(ArrayRef<int64_t> shape, int64_t axis)
      : before(llvm::product_of(shape.take_front(axis))), extent(shape[axis]),
        behind(llvm::product_of(shape.drop_front(axis + 1))) {}
};
} // namespace

/// Gives [offset, offset + size) of `parts` to a tensor.
static LogicalResult definePart(GraphImporter &importer, Value source,
                                const Parts &parts, int64_t offset,
                                int64_t size, int32_t output) {
  FailureOr<Type> element = importer.getElement(output);
  if (failed(element))
    return failure();
  int64_t elements = importer.getTensor(output).getNumElements();
  if (elements != parts.before * size * parts.behind)
    return importer.refuse("expected ", importer.describe(output), " to have ",
                           parts.before * size * parts.behind,
                           " elements, but got ", elements);
  Value whole = importer.createReshape(
      source, {parts.before, parts.extent, parts.behind});
  Value init = importer.createEmpty(getElementTypeOrSelf(source),
                                    {parts.before, size, parts.behind});
  auto mov =
      MovOp::create(importer.getBuilder(), importer.getLoc(), whole, init);
  mov.setOffsets({0, offset, 0});
  mov.setSizes({parts.before, size, parts.behind});
  importer.define(output, importer.createConvert(mov.getResult(0), *element));
  return success();
}

/// Cuts `input` along `axis`: each output takes its own extent, or one index
/// without the dimension.
static LogicalResult importParts(GraphImporter &importer, int32_t input,
                                 int64_t axis, bool isUnpacked) {
  FailureOr<Value> source = importer.read(input);
  if (failed(source))
    return failure();
  Parts parts(importer.getShape(input), axis);
  int64_t offset = 0;
  for (int32_t output : importer.getOperator().outputs) {
    ArrayRef<int64_t> shape = importer.getShape(output);
    if (failed(importer.checkElements(output)))
      return failure();
    if (!isUnpacked && shape.size() != importer.getShape(input).size())
      return importer.refuse("expected ", importer.describe(output),
                             " to have the dimensions of the input, but got ",
                             shape.size());
    int64_t size = isUnpacked ? 1 : shape[axis];
    if (offset + size > parts.extent)
      return importer.refuse("expected outputs of ", parts.extent,
                             " together, but got more");
    if (failed(definePart(importer, *source, parts, offset, size, output)))
      return failure();
    offset += size;
  }
  return success();
}

/// The axis that input `index`, a constant, has for tensor `of`.
static FailureOr<int64_t> getAxisInput(GraphImporter &importer, size_t index,
                                       int32_t of) {
  auto list = getList(importer, index, 1);
  if (failed(list))
    return failure();
  return getAxis(importer, list->front(), importer.getShape(of).size());
}

static LogicalResult importSplitAt(GraphImporter &importer, size_t inputAt,
                                   size_t axisAt) {
  FailureOr<int32_t> input = importer.getInput(inputAt);
  if (failed(input) || failed(importer.checkElements(*input)))
    return failure();
  FailureOr<int64_t> axis = getAxisInput(importer, axisAt, *input);
  if (failed(axis))
    return failure();
  return importParts(importer, *input, *axis, /*isUnpacked=*/false);
}

LogicalResult tflite::importSplit(GraphImporter &importer) {
  return importSplitAt(importer, 1, 0);
}
LogicalResult tflite::importSplitV(GraphImporter &importer) {
  return importSplitAt(importer, 0, 2);
}

LogicalResult tflite::importUnpack(GraphImporter &importer) {
  auto options = getOptions<schema::UnpackOptions>(
      importer, BuiltinOptions::UnpackOptions);
  FailureOr<int32_t> input = importer.getInput(0);
  if (failed(options) || failed(input) ||
      failed(importer.checkElements(*input)))
    return failure();
  FailureOr<int64_t> axis =
      getAxis(importer, (*options)->axis(), importer.getShape(*input).size());
  if (failed(axis))
    return failure();
  return importParts(importer, *input, *axis, /*isUnpacked=*/true);
}

/// Puts all inputs one behind the other along `axis` of the output.
static LogicalResult importJoined(GraphImporter &importer, int64_t axis,
                                  bool isPacked) {
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(output) || failed(importer.checkElements(*output)))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*output);
  FailureOr<int64_t> dim = getAxis(importer, axis, shape.size());
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(dim) || failed(element))
    return failure();
  Parts whole(shape, *dim);
  Value joined = importer.createEmpty(
      *element, {whole.before, whole.extent, whole.behind});
  int64_t offset = 0;
  for (size_t i = 0; i < importer.getOperator().inputs.size(); ++i) {
    FailureOr<int32_t> input = importer.getInput(i);
    if (failed(input) || failed(importer.checkElements(*input)))
      return failure();
    int64_t elements = importer.getTensor(*input).getNumElements();
    int64_t size = elements / (whole.before * whole.behind);
    if (elements != size * whole.before * whole.behind ||
        (isPacked && size != 1) || size > whole.extent - offset)
      return importer.refuse("expected ", importer.describe(*input),
                             " to fit the output, but got ", elements,
                             " elements");
    FailureOr<Value> source =
        importer.read(*input, {whole.before, size, whole.behind});
    if (failed(source))
      return failure();
    auto mov = MovOp::create(importer.getBuilder(), importer.getLoc(),
                             importer.createConvert(*source, *element), joined);
    mov.setDstOffsets({0, offset, 0});
    joined = mov.getResult(0);
    offset += size;
  }
  if (offset != whole.extent)
    return importer.refuse("expected inputs of ", whole.extent,
                           " together, but got ", offset);
  importer.define(*output, joined);
  return success();
}

LogicalResult tflite::importConcatenation(GraphImporter &importer) {
  auto options = getOptions<schema::ConcatenationOptions>(
      importer, BuiltinOptions::ConcatenationOptions);
  if (failed(options))
    return failure();
  if ((*options)->fused_activation_function() !=
      schema::ActivationFunctionType::NONE)
    return importer.refuse(
        "expected no fused activation, but got ",
        static_cast<int>((*options)->fused_activation_function()));
  return importJoined(importer, (*options)->axis(), /*isPacked=*/false);
}

LogicalResult tflite::importPack(GraphImporter &importer) {
  auto options =
      getOptions<schema::PackOptions>(importer, BuiltinOptions::PackOptions);
  if (failed(options))
    return failure();
  return importJoined(importer, (*options)->axis(), /*isPacked=*/true);
}

//===----------------------------------------------------------------------===//
// Blocks as channels
//===----------------------------------------------------------------------===//

/// Swaps columns of blocks with their rows: `map` has the pixels and `blocks`
/// their groups as channels.
static LogicalResult importBlocks(GraphImporter &importer, BuiltinOptions type,
                                  bool isToDepth) {
  auto options = getOptions<schema::SpaceToDepthOptions>(importer, type);
  FailureOr<Move> move = failure();
  if (failed(options) || failed(move = readMove(importer)) ||
      failed(importer.checkRank(move->input, 4)) ||
      failed(importer.checkRank(move->output, 4)))
    return failure();
  int64_t size = (*options)->block_size();
  ArrayRef<int64_t> map =
      importer.getShape(isToDepth ? move->input : move->output);
  ArrayRef<int64_t> blocks =
      importer.getShape(isToDepth ? move->output : move->input);
  if (size < 1 || map[0] != blocks[0] || map[1] != blocks[1] * size ||
      map[2] != blocks[2] * size || blocks[3] != map[3] * size * size)
    return importer.refuse("expected input and output that differ by blocks of "
                           "size ",
                           size, ", but got others");
  int64_t rows = blocks[0] * blocks[1], columns = blocks[2],
          run = size * map[3];
  SmallVector<int64_t> shape = {rows, size, columns, run};
  if (!isToDepth)
    std::swap(shape[1], shape[2]);
  FailureOr<Value> swapped = importer.createPermute(
      importer.createReshape(move->source, shape), {0, 2, 1, 3});
  if (failed(swapped))
    return failure();
  importer.define(move->output, *swapped);
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

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

LogicalResult tflite::importArgMax(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(importer.checkElements(*input)) ||
      failed(importer.getParams(*input)))
    return failure();
  FailureOr<int64_t> axis = getAxisInput(importer, 1, *input);
  FailureOr<Type> element = importer.getElement(*output);
  FailureOr<Value> source = importer.read(*input);
  if (failed(axis) || failed(element) || failed(source))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*input);
  int64_t size = shape[*axis], rows = llvm::product_of(shape) / size;
  if (importer.getTensor(*output).getNumElements() != rows)
    return importer.refuse("expected an output of ", rows,
                           " elements, but got ",
                           importer.getTensor(*output).getNumElements());
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(shape.size()));
  order.erase(order.begin() + *axis);
  order.push_back(*axis);
  FailureOr<Value> last = importer.createPermute(*source, order);
  if (failed(last))
    return failure();
  Value result = importer.createSliced(
      importer.createReshape(*last, {rows, size}), *element, {rows, 1, 1},
      [&](ValueRange slices, Value init) -> Value {
        return ArgmaxOp::create(importer.getBuilder(), importer.getLoc(),
                                slices.front(), init, -1, 1)
            .getResult(0);
      });
  importer.define(*output, result);
  return success();
}
