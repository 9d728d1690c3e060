// SPDX-License-Identifier: Apache-2.0
//
// Imports operators that take slices along axes, in an order that is known.

#include "Operands.h"
#include "Options.h"
#include "Takes.h"

#include "mli/Frontend/Moves.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

/// Fails if `indices` of dimension `axis`, of `extent`, take too many moves.
static LogicalResult checkTakes(GraphImporter &importer, size_t axis,
                                ArrayRef<int64_t> indices, int64_t extent) {
  size_t count = countTakes(indices, extent);
  if (count <= maxTakes)
    return success();
  return importer.reject("expected at most ", maxTakes, " moves for dimension ",
                         axis, ", but got ", count);
}

FailureOr<Value> tflite::takeSlices(GraphImporter &importer, Value source,
                                    ArrayRef<SmallVector<int64_t>> indices) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(source.getType()).getShape();
  for (auto [axis, list] : llvm::enumerate(indices))
    if (failed(checkTakes(importer, axis, list, shape[axis])))
      return failure();
  return createTakes(importer, source, shape, indices);
}

/// Takes `indices` of each dimension of the source of `move`.
static LogicalResult importTakes(GraphImporter &importer, const Move &move,
                                 ArrayRef<SmallVector<int64_t>> indices) {
  SmallVector<int64_t> shape;
  for (const SmallVector<int64_t> &list : indices)
    shape.push_back(static_cast<int64_t>(list.size()));
  if (ArrayRef(shape) != importer.getShape(move.output))
    return importer.reject("expected ", importer.describe(move.output),
                           " to have the shape of what is taken, but got "
                           "another");
  FailureOr<Value> taken = takeSlices(importer, move.source, indices);
  if (failed(taken))
    return failure();
  importer.define(move.output, *taken);
  return success();
}

LogicalResult tflite::importGather(GraphImporter &importer) {
  auto options = getOptions<schema::GatherOptions>(
      importer, BuiltinOptions::GatherOptions);
  FailureOr<Move> move =
      failed(options) ? FailureOr<Move>(failure()) : readMove(importer);
  if (failed(move))
    return failure();
  if ((*options)->batch_dims() != 0)
    return importer.reject("expected no batch dimensions, but got ",
                           (*options)->batch_dims());
  ArrayRef<int64_t> from = importer.getShape(move->input);
  FailureOr<int64_t> axis = getAxis(importer, (*options)->axis(), from.size());
  FailureOr<SmallVector<int64_t>> indices = importer.getIntegers(1);
  if (failed(axis) || failed(indices))
    return failure();
  for (int64_t index : *indices)
    if (index < 0 || index >= from[*axis])
      return importer.reject("expected indices from 0 to ", from[*axis] - 1,
                             ", but got ", index);
  // The dimensions of the indices take the place of the axis.
  SmallVector<int64_t> shape(from.take_front(*axis));
  llvm::append_range(shape, importer.getShape(*importer.getInput(1)));
  llvm::append_range(shape, from.drop_front(*axis + 1));
  if (ArrayRef(shape) != importer.getShape(move->output))
    return importer.reject("expected ", importer.describe(move->output),
                           " to have the shape of what is taken, but got "
                           "another");
  if (failed(checkTakes(importer, *axis, *indices, from[*axis])))
    return failure();
  importer.define(move->output,
                  createTake(importer, move->source, from, *axis, *indices));
  return success();
}

LogicalResult tflite::importTile(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  if (failed(move))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(move->input);
  FailureOr<SmallVector<int64_t>> times = getList(importer, 1, from.size());
  if (failed(times))
    return failure();
  ArrayRef<int64_t> to = importer.getShape(move->output);
  SmallVector<SmallVector<int64_t>> indices;
  for (auto [i, extent] : llvm::enumerate(from)) {
    if (to.size() != from.size() || (*times)[i] < 1 ||
        (*times)[i] != to[i] / extent)
      return importer.reject("expected dimension ", i, " of the output to be ",
                             extent, " times ", (*times)[i],
                             ", but got another");
    SmallVector<int64_t> &list = indices.emplace_back();
    for (int64_t k = 0; k < to[i]; ++k)
      list.push_back(k % extent);
  }
  return importTakes(importer, *move, indices);
}

LogicalResult tflite::importBroadcastTo(GraphImporter &importer) {
  FailureOr<Move> move = readMove(importer);
  if (failed(move))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(move->input),
                    to = importer.getShape(move->output);
  auto indices = findRepeats(from, to);
  if (!indices)
    return importer.reject("expected ", importer.describe(move->input),
                           " to have the dimensions of the output or 1, but "
                           "got others");
  SmallVector<int64_t> shape(to.size() - from.size(), 1);
  llvm::append_range(shape, from);
  Move whole = *move;
  whole.source = importer.createReshape(move->source, shape);
  return importTakes(importer, whole, *indices);
}

LogicalResult tflite::importMirrorPad(GraphImporter &importer) {
  auto options = getOptions<schema::MirrorPadOptions>(
      importer, BuiltinOptions::MirrorPadOptions);
  FailureOr<Move> move =
      failed(options) ? FailureOr<Move>(failure()) : readMove(importer);
  if (failed(move))
    return failure();
  ArrayRef<int64_t> from = importer.getShape(move->input);
  FailureOr<SmallVector<int64_t>> amounts =
      getList(importer, 1, 2 * from.size());
  if (failed(amounts))
    return failure();
  // A reflected edge is not repeated.
  int64_t skipped =
      (*options)->mode() == schema::MirrorPadMode::REFLECT ? 1 : 0;
  SmallVector<SmallVector<int64_t>> indices;
  for (auto [i, extent] : llvm::enumerate(from)) {
    int64_t low = (*amounts)[2 * i], high = (*amounts)[2 * i + 1];
    for (int64_t amount : {low, high})
      if (amount < 0 || amount > extent - skipped)
        return importer.reject("expected padding of dimension ", i,
                               " from 0 to ", extent - skipped, ", but got ",
                               amount);
    SmallVector<int64_t> &list = indices.emplace_back();
    for (int64_t k = -low; k < extent + high; ++k)
      list.push_back(k < 0         ? -k - 1 + skipped
                     : k >= extent ? 2 * extent - 1 - k - skipped
                                   : k);
  }
  return importTakes(importer, *move, indices);
}

/// The shape is known, so it is a constant.
LogicalResult tflite::importShape(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  FailureOr<Type> element = failed(input) || failed(output)
                                ? FailureOr<Type>(failure())
                                : importer.getElement(*output);
  if (failed(element))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*input);
  auto rank = static_cast<int64_t>(shape.size());
  if (importer.getShape(*output) != ArrayRef(rank) || !isa<Sa32Type>(*element))
    return importer.reject("expected an output of ", rank,
                           " numbers of 32 bits, but got ",
                           importer.describe(*output));
  SmallVector<int32_t> numbers(shape);
  ArrayRef<char> bytes(reinterpret_cast<const char *>(numbers.data()),
                       numbers.size() * sizeof(int32_t));
  importer.define(*output, importer.createConstant(*element, {rank}, bytes,
                                                   /*holder=*/nullptr,
                                                   /*isUnsigned=*/false));
  return success();
}
