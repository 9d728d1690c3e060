// SPDX-License-Identifier: Apache-2.0

#include "Interpreter.h"

#include "mli/Contract/Memory.h"
#include "mli/Layout/ElementMap.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::test;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

int64_t Interpreter::number(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return numbers.at(cast<Value>(value).getAsOpaquePointer());
}

/// What a slice of any dialect sees of `whole`.
View Interpreter::blockOf(const View &whole, Operation *op) {
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
  View view = whole;
  view.shape.clear();
  view.strides.clear();
  SmallVector<int64_t> offsets, sizes, kept;
  for (OpFoldResult offset : slice.getMixedOffsets())
    offsets.push_back(number(offset));
  for (OpFoldResult size : slice.getMixedSizes())
    sizes.push_back(number(size));
  llvm::SmallBitVector dropped(sizes.size());
  if (auto block = dyn_cast<SubtensorOp>(op)) {
    dropped.set();
    for (int64_t dim : block.getKeptDims())
      dropped.reset(dim);
  } else if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    dropped = extract.getDroppedDims();
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    dropped = insert.getDroppedDims();
  } else {
    dropped = cast<memref::SubViewOp>(op).getDroppedDims();
  }
  for (auto [i, size] : llvm::enumerate(sizes))
    if (!dropped.test(i))
      view.shape.push_back(size);
  if (whole.layout) {
    // The type says the layout, the slice only where it starts.
    auto type = cast<MemRefType>(op->getResult(0).getType());
    layout::Location first =
        layout::locate(whole.place, whole.layout.getLocalIndex(offsets));
    view.layout = cast<LayoutAttr>(type.getLayout());
    view.place =
        view.layout.getTensorLayout(view.shape, view.width, whole.place.target);
    EXPECT_EQ(view.place.startNpu, first.npu);
    view.place.offset = first.offset;
    return view;
  }
  SmallVector<OpFoldResult> steps;
  if (!isa<SubtensorOp>(op))
    steps = slice.getMixedStrides();
  for (auto [i, stride] : llvm::enumerate(whole.strides)) {
    view.offset += offsets[i] * stride;
    if (!dropped.test(i))
      view.strides.push_back(stride * (steps.empty() ? 1 : number(steps[i])));
  }
  return view;
}

/// The element at `indices`, of rank 0.
View Interpreter::getElement(const View &whole, ValueRange indices) {
  View element = whole;
  for (auto [index, stride] : llvm::zip_equal(indices, whole.strides))
    element.offset += number(index) * stride;
  element.shape.clear();
  element.strides.clear();
  return element;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool Interpreter::executeTensor(Operation *op) {
  auto getView = [&](Value value) -> View & {
    return views[value.getAsOpaquePointer()];
  };
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    getView(empty) = allocate(empty.getType());
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    getView(slice) = blockOf(getView(slice.getSource()), op);
  } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    getView(cast) = getView(cast.getSource());
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    View whole = copyOf(getView(insert.getDest()));
    copy(getView(insert.getSource()), blockOf(whole, op));
    getView(insert) = whole;
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    View whole = allocate(concat.getResultType());
    View part = whole;
    for (Value input : concat.getInputs()) {
      part.shape = getView(input).shape;
      copy(getView(input), part);
      part.offset +=
          part.shape[concat.getDim()] * part.strides[concat.getDim()];
    }
    getView(concat) = whole;
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    View whole = allocate(pad.getResultType());
    auto code =
        pad.getConstantPaddingValue().getDefiningOp<tensor::ExtractOp>();
    std::vector<uint8_t> value = getBytes(getView(code.getTensor()));
    setBytes(whole,
             ArrayRef(reinterpret_cast<char *>(value.data()), value.size()));
    View inner = whole;
    inner.shape = getView(pad.getSource()).shape;
    for (auto [low, stride] :
         llvm::zip_equal(pad.getStaticLow(), whole.strides))
      inner.offset += low * stride;
    copy(getView(pad.getSource()), inner);
    getView(pad) = whole;
  } else {
    return isa<tensor::ExtractOp>(op);
  }
  return true;
}

bool Interpreter::executeBuffer(Operation *op) {
  auto getView = [&](Value value) -> View & {
    return views[value.getAsOpaquePointer()];
  };
  if (isa<memref::AllocOp, AllocOp>(op)) {
    getView(op->getResult(0)) =
        allocate(cast<ShapedType>(op->getResult(0).getType()));
  } else if (isa<memref::SubViewOp, SubtensorOp>(op)) {
    getView(op->getResult(0)) = blockOf(getView(op->getOperand(0)), op);
  } else if (auto copyOp = dyn_cast<memref::CopyOp>(op)) {
    copy(getView(copyOp.getSource()), getView(copyOp.getTarget()));
  } else if (auto castOp = dyn_cast<memref::CastOp>(op)) {
    getView(castOp) = getView(castOp.getSource());
  } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    View view = getView(reshape.getSource());
    if (contract::findGap(
            view.shape.size(), [&](uint32_t dim) { return view.shape[dim]; },
            [&](uint32_t dim) { return view.strides[dim]; }))
      view = copyOf(view);
    view.shape.assign(reshape.getType().getShape().begin(),
                      reshape.getType().getShape().end());
    view.strides = computeStrides(view.shape);
    getView(reshape) = view;
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    getView(constant) = allocate(cast<ShapedType>(constant.getType()));
    setBytes(getView(constant),
             cast<DenseIntElementsAttr>(constant.getValue()).getRawData());
  } else if (auto index = dyn_cast<arith::ConstantIndexOp>(op)) {
    numbers[index.getResult().getAsOpaquePointer()] = index.value();
  } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    Builder builder(op->getContext());
    SmallVector<Attribute> operands, folded;
    for (Value operand : apply.getOperands())
      operands.push_back(builder.getIndexAttr(number(operand)));
    EXPECT_TRUE(succeeded(apply.getAffineMap().constantFold(operands, folded)));
    numbers[apply.getResult().getAsOpaquePointer()] =
        cast<IntegerAttr>(folded.front()).getInt();
  } else {
    return isa<memref::DeallocOp>(op);
  }
  return true;
}

/// Loops, and what copies plain buffers in them element by element.
bool Interpreter::executeLoop(Operation *op) {
  auto getView = [&](Value value) -> View & {
    return views[value.getAsOpaquePointer()];
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto hand = [&](ValueRange from, ValueRange to) {
      SmallVector<View, 0> seen(llvm::map_range(from, getView));
      for (auto [value, view] : llvm::zip_equal(to, seen))
        getView(value) = view;
    };
    hand(loop.getInitArgs(), loop.getRegionIterArgs());
    int64_t step = number(loop.getStep()), end = number(loop.getUpperBound());
    for (int64_t i = number(loop.getLowerBound()); i < end; i += step) {
      numbers[loop.getInductionVar().getAsOpaquePointer()] = i;
      for (Operation &inner : loop.getBody()->without_terminator())
        if (!execute(&inner))
          return false;
      hand(loop.getYieldedValues(), loop.getRegionIterArgs());
    }
    hand(loop.getRegionIterArgs(), loop.getResults());
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    getView(load) =
        copyOf(getElement(getView(load.getMemRef()), load.getIndices()));
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    copy(getView(store.getValueToStore()),
         getElement(getView(store.getMemRef()), store.getIndices()));
  } else {
    return false;
  }
  return true;
}

bool Interpreter::execute(Operation *op) {
  return executeKernel(op) || executeTensor(op) || executeBuffer(op) ||
         executeLoop(op);
}

std::vector<std::vector<uint8_t>>
Interpreter::run(func::FuncOp function,
                 ArrayRef<std::vector<uint8_t>> arguments, size_t resultCount) {
  std::vector<Value> results;
  size_t next = 0;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (!type) {
      numbers[argument.getAsOpaquePointer()] = 1;
      continue;
    }
    View view = allocate(type);
    if (next < arguments.size())
      std::memcpy(view.base, arguments[next].data(), arguments[next].size());
    else
      results.push_back(argument);
    ++next;
    views[argument.getAsOpaquePointer()] = view;
  }
  for (Operation &op : function.getBody().front()) {
    if (auto end = dyn_cast<func::ReturnOp>(op)) {
      results.insert(results.end(), end.getOperands().begin(),
                     end.getOperands().end());
      break;
    }
    if (!execute(&op)) {
      ADD_FAILURE() << "does not know " << op.getName().getStringRef().str();
      return {};
    }
  }
  EXPECT_EQ(results.size(), resultCount);
  std::vector<std::vector<uint8_t>> bytes;
  bytes.reserve(results.size());
  for (Value result : results)
    bytes.push_back(getBytes(views.at(result.getAsOpaquePointer())));
  return bytes;
}
