// SPDX-License-Identifier: Apache-2.0

#include "PartWriter.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mli;

Value mli::createPart(OpBuilder &builder, Operation *slice,
                      RankedTensorType type, Value buffer) {
  auto whole = cast<MemRefType>(buffer.getType());
  if (auto block = dyn_cast<SubtensorOp>(slice))
    return SubtensorOp::create(
        builder, slice->getLoc(), Type(block.inferResultType(whole)), buffer,
        block.getOffsets(), block.getSizes(), block.getStaticOffsets(),
        block.getStaticSizes());
  auto part = cast<OffsetSizeAndStrideOpInterface>(slice);
  SmallVector<OpFoldResult> offsets = part.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = part.getMixedSizes();
  SmallVector<OpFoldResult> strides = part.getMixedStrides();
  return memref::SubViewOp::create(
      builder, slice->getLoc(),
      memref::SubViewOp::inferRankReducedResultType(type.getShape(), whole,
                                                    offsets, sizes, strides),
      buffer, offsets, sizes, strides);
}

Value mli::createTensor(OpBuilder &builder, Location loc, Type type,
                        Value buffer, bool isWritable) {
  return bufferization::ToTensorOp::create(builder, loc, type, buffer,
                                           /*restrict=*/true, isWritable);
}

Operation *mli::createWrite(OpBuilder &builder, Location loc, Value source,
                            Value part) {
  return bufferization::MaterializeInDestinationOp::create(
      builder, loc, /*result=*/Type(), source, part, /*restrict=*/true,
      /*writable=*/true);
}

void mli::readParts(ArrayRef<Operation *> slices, Value buffer) {
  for (Operation *slice : slices) {
    OpBuilder builder(slice);
    auto type = cast<RankedTensorType>(slice->getResult(0).getType());
    Value part = createPart(builder, slice, type, buffer);
    slice->getResult(0).replaceAllUsesWith(createTensor(
        builder, slice->getLoc(), type, part, /*isWritable=*/false));
    slice->erase();
  }
}

void PartWriter::serveReads(const Link &link, Value buffer) {
  for (OpOperand *read : link.reads) {
    OpBuilder builder(read->getOwner());
    read->set(createTensor(builder, read->getOwner()->getLoc(),
                           read->get().getType(), buffer,
                           /*isWritable=*/false));
  }
}

/// Those before the whole is complete read the buffer, in which nobody writes
/// the part again until then; the others read what the whole is then.
void PartWriter::serveReaders(const Link &link, Value part) {
  if (link.readers.empty())
    return;
  // Those of now: wholes that were made before have replaced insertions.
  PartReaders readers;
  collectReaders(cast<tensor::InsertSliceOp>(link.op).getSource(), link.op,
                 readers);
  OpBuilder builder(link.op);
  Value early, late;
  for (OpOperand *reader : readers) {
    Operation *user = reader->getOwner();
    Operation *complete = result.getDefiningOp();
    bool isLate = complete->isBeforeInBlock(
        complete->getBlock()->findAncestorOpInBlock(*user));
    Value &seen = isLate ? late : early;
    if (!seen && isLate) {
      builder.setInsertionPointAfter(complete);
      seen = result;
      for (tensor::InsertSliceOp place : path)
        seen = tensor::ExtractSliceOp::create(
            builder, place.getLoc(), place.getSourceType(), seen,
            place.getMixedOffsets(), place.getMixedSizes(),
            place.getMixedStrides());
    } else if (!seen) {
      builder.setInsertionPointAfter(link.op);
      seen = createTensor(builder, link.op->getLoc(),
                          cast<tensor::InsertSliceOp>(link.op).getSourceType(),
                          part,
                          /*isWritable=*/false);
    }
    Value value = seen;
    if (Type type = reader->get().getType(); type != seen.getType()) {
      builder.setInsertionPoint(user);
      value = ReshapeOp::create(builder, user->getLoc(), type, seen);
    }
    reader->set(value);
  }
}

void PartWriter::writePart(const Link &link, Value buffer) {
  auto insert = cast<tensor::InsertSliceOp>(link.op);
  Operation *slice = link.place ? link.place : link.op;
  OpBuilder builder(slice);
  Value part = createPart(builder, slice, insert.getSourceType(), buffer);
  if (link.place) {
    Value first =
        createTensor(builder, slice->getLoc(), insert.getSourceType(), part);
    slice->getResult(0).replaceAllUsesWith(first);
    slice->erase();
    path.push_back(insert);
    serveReaders(link, part);
    write(link.body, first, part);
    path.pop_back();
    if (!link.body.empty())
      return;
  }
  builder.setInsertionPoint(insert);
  written.push_back(
      createWrite(builder, insert.getLoc(), insert.getSource(), part));
}

/// A kernel computes what the whole begins as into its buffer.
void PartWriter::writeAll(const Link &link, Value buffer) {
  OpResult begin = link.op->getResult(link.number);
  OpBuilder builder(link.op);
  cast<DestinationStyleOpInterface>(link.op).getTiedOpOperand(begin)->set(
      createTensor(builder, link.op->getLoc(), begin.getType(), buffer));
  builder.setInsertionPointAfter(link.op);
  written.push_back(createWrite(builder, link.op->getLoc(), begin, buffer));
}

void PartWriter::write(ArrayRef<Link> links, Value first, Value buffer) {
  for (const Link &link : links) {
    serveReads(link, buffer);
    auto loop = dyn_cast<scf::ForOp>(link.op);
    if (!loop) {
      if (isa<tensor::InsertSliceOp>(link.op))
        writePart(link, buffer);
      else
        writeAll(link, buffer);
      continue;
    }
    loop.getInitArgsMutable()[link.number].set(first);
    BlockArgument argument = loop.getRegionIterArg(link.number);
    loop.getBody()->getTerminator()->setOperand(link.number, argument);
    write(link.body, argument, buffer);
  }
  for (const Link &link : llvm::reverse(links))
    if (isa<tensor::InsertSliceOp>(link.op)) {
      link.op->dropAllUses();
      link.op->erase();
    }
}
