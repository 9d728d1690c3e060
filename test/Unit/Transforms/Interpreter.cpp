// SPDX-License-Identifier: Apache-2.0

#include "Interpreter.h"

#include "mli/Layout/ElementMap.h"
#include "mli/Quant/Requantize.h"
#include "mli/Runtime/C/mli_api.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::test;

int64_t View::count() const { return computeProduct(shape); }

/// Calls `visit` with every index of `shape`, in row-major order.
template <typename Visit>
static void forEachIndex(ArrayRef<int64_t> shape, Visit visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0, e = computeProduct(shape); i < e; ++i) {
    visit(index);
    for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint8_t *Interpreter::at(const View &view, ArrayRef<int64_t> index) {
  if (view.layout) {
    layout::Location where =
        layout::locate(view.place, view.layout.getLocalIndex(index));
    int64_t byte = where.npu * view.place.target.npuBytes + where.offset;
    return &localMemory.at(byte);
  }
  int64_t element = view.offset;
  for (auto [i, stride] : llvm::zip_equal(index, view.strides))
    element += i * stride;
  return view.base + element * view.width;
}

View Interpreter::allocate(ShapedType type) {
  View view;
  view.shape.assign(type.getShape().begin(), type.getShape().end());
  view.width = elementWidth(type.getElementType()) / 8;
  auto memref = dyn_cast<MemRefType>(type);
  view.layout = isLocal && memref ? dyn_cast<LayoutAttr>(memref.getLayout())
                                  : LayoutAttr();
  if (!view.layout) {
    memory.emplace_back(view.count() * view.width, seed);
    view.base = memory.back().data();
    view.strides = computeStrides(view.shape);
    return view;
  }
  layout::Target target;
  target.npus = view.layout.getNpus();
  target.npuBytes = view.layout.getNpuElements() * view.width;
  localMemory.resize(target.totalBytes(), seed);
  view.place = view.layout.getTensorLayout(view.shape, view.width, target);
  view.place.offset = nextLocal;
  nextLocal += llvm::alignTo(layout::bytesPerNpu(view.place) + 1, 128);
  EXPECT_LE(nextLocal, target.npuBytes) << "local memory is full";
  return view;
}

void Interpreter::copy(const View &from, const View &to) {
  ASSERT_EQ(from.shape, to.shape);
  forEachIndex(from.shape, [&](ArrayRef<int64_t> index) {
    std::memcpy(at(to, index), at(from, index), from.width);
  });
}

View Interpreter::copyOf(const View &view) {
  View result = view;
  result.layout = {};
  memory.emplace_back(view.count() * view.width, seed);
  result.base = memory.back().data();
  result.offset = 0;
  result.strides = computeStrides(view.shape);
  copy(view, result);
  return result;
}

std::vector<uint8_t> Interpreter::bytesOf(const View &view) {
  std::vector<uint8_t> bytes;
  forEachIndex(view.shape, [&](ArrayRef<int64_t> index) {
    uint8_t *element = at(view, index);
    bytes.insert(bytes.end(), element, element + view.width);
  });
  return bytes;
}

void Interpreter::setBytes(const View &view, ArrayRef<char> bytes) {
  bool isSplat = static_cast<int64_t>(bytes.size()) == view.width;
  int64_t next = 0;
  forEachIndex(view.shape, [&](ArrayRef<int64_t> index) {
    std::memcpy(at(view, index), bytes.data() + next, view.width);
    next += isSplat ? 0 : view.width;
  });
}

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

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static int64_t entry(ArrayRef<int64_t> list, int64_t i, int64_t absent) {
  return list.empty() ? absent : list[i];
}

void Interpreter::move(MovOp op, const View &from, const View &to) {
  int64_t rank = from.shape.size();
  SmallVector<int64_t> written(rank), source(rank), target(rank);
  for (int64_t i = 0; i < rank; ++i) {
    int64_t p = entry(op.getPermutation(), i, i);
    int64_t size = entry(op.getSizes(), p, 0);
    if (size == 0)
      size = from.shape[p] - entry(op.getOffsets(), p, 0) +
             entry(op.getPadLow(), p, 0) + entry(op.getPadHigh(), p, 0);
    written[i] = llvm::divideCeilSigned(size, entry(op.getSteps(), p, 1));
  }
  forEachIndex(written, [&](ArrayRef<int64_t> index) {
    bool isInside = true;
    for (int64_t i = 0; i < rank; ++i) {
      int64_t p = entry(op.getPermutation(), i, i);
      source[p] = index[i] * entry(op.getSteps(), p, 1) +
                  entry(op.getOffsets(), p, 0) - entry(op.getPadLow(), p, 0);
      isInside &= source[p] >= 0 && source[p] < from.shape[p];
      target[i] = index[i] + entry(op.getDstOffsets(), i, 0);
    }
    if (isInside)
      std::memcpy(at(to, target), at(from, source), from.width);
    else
      std::memset(at(to, target), 0, from.width);
  });
}

namespace {

/// Parameters along an axis, as the C API points to them.
struct AxisParams {
  std::vector<int16_t> scales, zeroPoints;
  std::vector<int8_t> fracBits;
};

} // namespace

/// A tensor of the C API over dense elements; `axisParams` lives as long.
static mli_tensor tensorOf(Type element, const View &view,
                           AxisParams &axisParams) {
  mli_tensor tensor;
  std::memset(&tensor, 0, sizeof(tensor));
  auto type = cast<QuantizedType>(element);
  quant::QuantParams params = type.getParam(0);
  tensor.rank = view.shape.size();
  for (auto [i, size] : llvm::enumerate(view.shape)) {
    tensor.shape[i] = size;
    tensor.mem_stride[i] = view.strides[i];
  }
  tensor.data.capacity = view.count() * view.width;
  tensor.data.mem.pi8 = reinterpret_cast<int8_t *>(view.base);
  if (isa<Fx8Type, Fx16Type>(element)) {
    tensor.el_type = isa<Fx8Type>(element) ? MLI_EL_FX_8 : MLI_EL_FX_16;
    tensor.el_params.fx.frac_bits = params.fracBits;
    return tensor;
  }
  tensor.el_type = isa<Sa8Type>(element) ? MLI_EL_SA_8 : MLI_EL_SA_32;
  if (type.isPerAxis()) {
    for (size_t i = 0; i < type.getNumParams(); ++i) {
      quant::QuantParams entry = type.getParam(i);
      axisParams.scales.push_back(entry.scale);
      axisParams.zeroPoints.push_back(entry.zeroPoint);
      axisParams.fracBits.push_back(entry.fracBits);
    }
    auto &sa = tensor.el_params.sa;
    sa.dim = type.getAxis();
    sa.scale.capacity = axisParams.scales.size() * sizeof(int16_t);
    sa.scale.mem.pi16 = axisParams.scales.data();
    sa.zero_point.capacity = axisParams.zeroPoints.size() * sizeof(int16_t);
    sa.zero_point.mem.pi16 = axisParams.zeroPoints.data();
    sa.scale_frac_bits.capacity = axisParams.fracBits.size();
    sa.scale_frac_bits.mem.pi8 = axisParams.fracBits.data();
    return tensor;
  }
  tensor.el_params.sa.dim = -1;
  tensor.el_params.sa.scale.mem.i16 = params.scale;
  tensor.el_params.sa.scale_frac_bits.mem.i8 = params.fracBits;
  tensor.el_params.sa.zero_point.mem.i16 = params.zeroPoint;
  return tensor;
}

/// By the runtime, on dense copies.
void Interpreter::convert(ConvertOp op, const View &from, const View &to) {
  View source = copyOf(from), target = copyOf(to);
  AxisParams inParams, outParams;
  mli_tensor in =
      tensorOf(op.getInput().getType().getElementType(), source, inParams);
  mli_tensor out =
      tensorOf(op.getInit().getType().getElementType(), target, outParams);
  ASSERT_EQ(mli_hlp_convert_tensor_safx(&in, &out), MLI_STATUS_OK);
  copy(target, to);
}

/// Bytes of plain memory from the first element of `view` to the last.
static std::pair<const uint8_t *, const uint8_t *> rangeOf(const View &view) {
  int64_t last = view.offset;
  for (auto [extent, stride] : llvm::zip_equal(view.shape, view.strides))
    last += (extent - 1) * stride;
  return {view.base + view.offset * view.width,
          view.base + (last + 1) * view.width};
}

/// Whether the runtime takes both for `op`, which reads the one and writes the
/// other.
// T18
static bool mayLie(Operation *op, const View &from, const View &to) {
  if (from.layout || to.layout || from.count() == 0 || to.count() == 0)
    return true;
  auto read = rangeOf(from), written = rangeOf(to);
  if (read.second <= written.first || written.second <= read.first)
    return true;
  return isa<ReluOp, ConvertOp>(op) && from.width == to.width &&
         from.shape == to.shape && from.strides == to.strides;
}

bool Interpreter::executeKernel(Operation *op) {
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (!kernel || !isa<MovOp, PermuteOp, ConvertOp, ReluOp>(op))
    return false;
  View from = views.at(op->getOperand(0).getAsOpaquePointer());
  View to = views.at(op->getOperand(1).getAsOpaquePointer());
  if (op->getNumResults() != 0) {
    // A tensor is a new one; parts of its init live on.
    to = copyOf(to);
    views[op->getResult(0).getAsOpaquePointer()] = to;
  } else if (!mayLie(op, from, to)) {
    ADD_FAILURE() << "lies between what it reads: "
                  << op->getName().getStringRef().str();
  }
  if (auto mov = dyn_cast<MovOp>(op)) {
    move(mov, from, to);
  } else if (auto permute = dyn_cast<PermuteOp>(op)) {
    forEachIndex(to.shape, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> source(index.size());
      for (auto [i, p] : llvm::enumerate(permute.getPermutation()))
        source[p] = index[i];
      std::memcpy(at(to, index), at(from, source), from.width);
    });
  } else if (auto convertOp = dyn_cast<ConvertOp>(op)) {
    convert(convertOp, from, to);
  } else if (cast<ReluOp>(op).getRelu() == ReluKind::none) {
    copy(from, to);
  } else {
    // Of codes with zero point 0: negative ones are 0.
    forEachIndex(to.shape, [&](ArrayRef<int64_t> index) {
      uint8_t *last = at(from, index) + from.width - 1;
      if ((*last & 0x80) == 0)
        std::memmove(at(to, index), at(from, index), from.width);
      else
        std::memset(at(to, index), 0, from.width);
    });
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool Interpreter::executeTensor(Operation *op) {
  auto viewOf = [&](Value value) -> View & {
    return views[value.getAsOpaquePointer()];
  };
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    viewOf(empty) = allocate(empty.getType());
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    viewOf(slice) = blockOf(viewOf(slice.getSource()), op);
  } else if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    viewOf(cast) = viewOf(cast.getSource());
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    View whole = copyOf(viewOf(insert.getDest()));
    copy(viewOf(insert.getSource()), blockOf(whole, op));
    viewOf(insert) = whole;
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    View whole = allocate(concat.getResultType());
    View part = whole;
    for (Value input : concat.getInputs()) {
      part.shape = viewOf(input).shape;
      copy(viewOf(input), part);
      part.offset +=
          part.shape[concat.getDim()] * part.strides[concat.getDim()];
    }
    viewOf(concat) = whole;
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    View whole = allocate(pad.getResultType());
    auto code =
        pad.getConstantPaddingValue().getDefiningOp<tensor::ExtractOp>();
    std::vector<uint8_t> value = bytesOf(viewOf(code.getTensor()));
    setBytes(whole,
             ArrayRef(reinterpret_cast<char *>(value.data()), value.size()));
    View inner = whole;
    inner.shape = viewOf(pad.getSource()).shape;
    for (auto [low, stride] :
         llvm::zip_equal(pad.getStaticLow(), whole.strides))
      inner.offset += low * stride;
    copy(viewOf(pad.getSource()), inner);
    viewOf(pad) = whole;
  } else {
    return isa<tensor::ExtractOp>(op);
  }
  return true;
}

bool Interpreter::executeBuffer(Operation *op) {
  auto viewOf = [&](Value value) -> View & {
    return views[value.getAsOpaquePointer()];
  };
  if (isa<memref::AllocOp, AllocOp>(op)) {
    viewOf(op->getResult(0)) =
        allocate(cast<ShapedType>(op->getResult(0).getType()));
  } else if (isa<memref::SubViewOp, SubtensorOp>(op)) {
    viewOf(op->getResult(0)) = blockOf(viewOf(op->getOperand(0)), op);
  } else if (auto copyOp = dyn_cast<memref::CopyOp>(op)) {
    copy(viewOf(copyOp.getSource()), viewOf(copyOp.getTarget()));
  } else if (auto castOp = dyn_cast<memref::CastOp>(op)) {
    viewOf(castOp) = viewOf(castOp.getSource());
  } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    View view = viewOf(reshape.getSource());
    if (view.strides != computeStrides(view.shape))
      view = copyOf(view);
    view.shape.assign(reshape.getType().getShape().begin(),
                      reshape.getType().getShape().end());
    view.strides = computeStrides(view.shape);
    viewOf(reshape) = view;
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    viewOf(constant) = allocate(cast<ShapedType>(constant.getType()));
    setBytes(viewOf(constant),
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

/// The element at `indices`, of rank 0.
View Interpreter::elementOf(const View &whole, ValueRange indices) {
  View element = whole;
  for (auto [index, stride] : llvm::zip_equal(indices, whole.strides))
    element.offset += number(index) * stride;
  element.shape.clear();
  element.strides.clear();
  return element;
}

/// A copy of plain buffers, element by element.
bool Interpreter::executeLoop(Operation *op) {
  auto viewOf = [&](Value value) -> View & {
    return views[value.getAsOpaquePointer()];
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    int64_t step = number(loop.getStep()), end = number(loop.getUpperBound());
    for (int64_t i = number(loop.getLowerBound()); i < end; i += step) {
      numbers[loop.getInductionVar().getAsOpaquePointer()] = i;
      for (Operation &inner : loop.getBody()->without_terminator())
        if (!execute(&inner))
          return false;
    }
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    viewOf(load) =
        copyOf(elementOf(viewOf(load.getMemRef()), load.getIndices()));
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    copy(viewOf(store.getValueToStore()),
         elementOf(viewOf(store.getMemRef()), store.getIndices()));
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
    bytes.push_back(bytesOf(views.at(result.getAsOpaquePointer())));
  return bytes;
}
