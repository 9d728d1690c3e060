// SPDX-License-Identifier: Apache-2.0
//
// Local memory that is scattered over NPUs: copies around kernels, and moves.

#include "LayerPrinter.h"

#include "mli/Calls/GdmaCopy.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;
using namespace mli::calls;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// `shape` elements without gaps in scratch memory that no other copy of the
/// layer has.
Extent LayerPrinter::takeScratch(ArrayRef<int64_t> shape, Type element) {
  Extent extent;
  extent.shape = llvm::to_vector(shape);
  // U5
  if (extent.shape.empty())
    extent.shape.push_back(1);
  extent.strides = computeStrides(extent.shape);
  extent.place.base = Place::Base::Scratch;
  extent.place.bytes = copies.take(extent.getBytes(element));
  function.scratchBytes = std::max(function.scratchBytes, copies.getBytes());
  return extent;
}

/// A pointer to the description of `place`, a block of `buffer`.
FailureOr<std::string> LayerPrinter::declareLocal(Value buffer,
                                                  const LocalPlace &place,
                                                  StringRef name) {
  FailureOr<Place> start = findPlace(buffer);
  if (failed(start))
    return failure();
  bool isKnown = start->isKnown() && start->base == Place::Base::Local;
  std::string local =
      descriptions.getLocal(place, start->bytes + place.distance);
  if (isKnown)
    return "&" + local;
  body.statement("mli_local_tensor " + name + "_local = " + local + ";");
  before.push_back(
      {(name + "_local.address += " +
        Descriptions::getLocalAddress(
            *start, 0, [&](Value index) { return getIndex(index); }) +
        ";")
           .str()});
  return ("&" + name + "_local").str();
}

/// Declares a copy of `tensor`, which is gathered before the call and scattered
/// after it, and returns the pointer to what is passed.
FailureOr<std::string> LayerPrinter::declareCopy(const TensorArgument &tensor,
                                                 StringRef name) {
  LocalOperand operand = getLocalOperand(
      tensor.getType(), tensor.block, tensor.access, findTarget(op).getValue());
  Extent whole = takeScratch(operand.place.shape, tensor.element);
  // A move sets the shape of its tensor to that of what it moves.
  bool isPassed = !operand.isPart && !(operand.isScattered && isa<MovOp>(op));
  std::string copy = declareAt(whole, tensor.element, /*isRead=*/false,
                               isPassed ? name.str() : (name + "_whole").str());
  FailureOr<std::string> local =
      declareLocal(tensor.operand->get(), operand.place, name);
  if (failed(local))
    return failure();
  if (operand.isGathered)
    before.push_back(
        {"status = mli_local_gather(" + *local + ", " + copy + ");",
         /*isCall=*/true});
  if (operand.isScattered)
    after.push_back(
        {"status = mli_local_scatter(" + copy + ", " + *local + ");",
         /*isCall=*/true});
  if (isPassed)
    return copy;
  Extent part = whole;
  if (operand.isPart) {
    part.place.bytes += operand.first * getElementType(tensor.element).bytes;
    part.shape = operand.shape;
    part.strides = operand.strides;
  }
  return declareAt(part, tensor.element, tensor.access == Access::Read, name);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// "{1, 2, 3, 4}"
static std::string listNumbers(const GdmaCopy::Numbers &numbers) {
  std::string text = "{";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os);
  return text + "}";
}

/// Prints `move` as an instruction of the DMA engine, between blocks of `local`
/// and `system`. False if it is none.
FailureOr<bool> LayerPrinter::printInstruction(const LocalMove &move,
                                               const TensorArgument &local,
                                               const TensorArgument &system) {
  FailureOr<Place> start = findPlace(local.operand->get());
  FailureOr<Extent> extent = findExtent(system);
  if (failed(start) || failed(extent))
    return failure();
  start->bytes += move.place.distance;
  const layout::Target &target = findTarget(op).getValue();
  std::optional<GdmaCopy> copy =
      findGdmaCopy(move, system.element, extent->strides,
                   findAddressFactor(*start, target), target);
  if (!copy)
    return false;
  const Place &memory = extent->place;
  std::optional<std::string> known = descriptions.getAddress(memory);
  std::string pointer =
      "ADDRESS(" +
      (known ? *known : getAddress(memory, descriptions.getDistance(memory))) +
      ")";
  network.helpers.instructions = true;
  std::string address = Descriptions::getLocalAddress(
      *start, start->bytes, [&](Value index) { return getIndex(index); });
  if (move.isToLocal)
    std::swap(pointer, address);
  for (auto [name, numbers] : {std::pair("shape", copy->shape),
                               std::pair("dst_stride", copy->targetStrides),
                               std::pair("src_stride", copy->sourceStrides)})
    body.statement(Twine("static const dim4 ") + name + " = " +
                   listNumbers(numbers) + ";");
  before.push_back({copy->function + "(" + pointer + ", " + address +
                    ", &shape, &dst_stride, &src_stride);"});
  return true;
}

FailureOr<std::string> LayerPrinter::printLocalMove(const LocalMove &move,
                                                    const Call &call,
                                                    StringRef name,
                                                    Writer &os) {
  TensorArgument source = *call.getTensors().front();
  TensorArgument target = *call.getTensors().back();
  source.block = move.getSource();
  target.block = move.getTarget();
  const TensorArgument &local = move.isToLocal ? target : source;
  const TensorArgument &other = move.isToLocal ? source : target;
  body.indent();
  if (!isLocal(other.getType())) {
    FailureOr<bool> isInstruction = printInstruction(move, local, other);
    if (failed(isInstruction))
      return failure();
    if (*isInstruction)
      return printCall("mli_local_status();", name, os);
  }
  FailureOr<std::string> tensor =
      declare(other, move.isToLocal ? "src" : "dst");
  FailureOr<std::string> description = declareLocal(
      local.operand->get(), move.place, move.isToLocal ? "dst" : "src");
  if (failed(tensor) || failed(description))
    return failure();
  return printCall(
      move.isToLocal
          ? "mli_local_scatter(" + *tensor + ", " + *description + ");"
          : "mli_local_gather(" + *description + ", " + *tensor + ");",
      name, os);
}

FailureOr<std::string> LayerPrinter::printElements(Value from, Part source,
                                                   Value to, Part target,
                                                   StringRef name, Writer &os) {
  const layout::Target &numbers = findTarget(op).getValue();
  auto memref = cast<MemRefType>(from.getType());
  LocalPlace read = *findLocalPlace(memref, source, numbers);
  LocalPlace written =
      *findLocalPlace(cast<MemRefType>(to.getType()), target, numbers);
  Type element = memref.getElementType();
  body.indent();
  Extent extent = takeScratch(read.shape, element);
  std::string src = declareAt(extent, element, /*isRead=*/false, "src");
  extent.shape = written.shape;
  extent.strides = computeStrides(written.shape);
  std::string dst = declareAt(extent, element, /*isRead=*/true, "dst");
  FailureOr<std::string> readPlace = declareLocal(from, read, "src");
  FailureOr<std::string> writtenPlace = declareLocal(to, written, "dst");
  if (failed(readPlace) || failed(writtenPlace))
    return failure();
  before.push_back(
      {"status = mli_local_gather(" + *readPlace + ", " + src + ");",
       /*isCall=*/true});
  return printCall("mli_local_scatter(" + dst + ", " + *writtenPlace + ");",
                   name, os);
}
