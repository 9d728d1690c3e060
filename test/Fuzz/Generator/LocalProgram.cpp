// SPDX-License-Identifier: Apache-2.0

#include "LocalProgram.h"

#include "../Random.h"
#include "Types.h"

#include "mli/IR/LayoutPolicy.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using Sizes = SmallVector<int64_t>;

namespace {

/// The indices of a slice.
struct Slice {
  Sizes offsets, sizes, steps;
  int64_t rank = 0;
};

class LocalWriter {
public:
  LocalWriter(MLIRContext *context, const Settings &settings)
      : settings(settings), random(settings.seed),
        types(context, this->settings, random), builder(context),
        loc(UnknownLoc::get(context)), module(ModuleOp::create(loc)) {
    target.npus = int64_t{1} << random.pick(0, 3);
    target.npuBytes = 65536;
    target.banks = 1;
    target.unit = int64_t{16} << random.pick(0, 2);
    target.dmaAlignment = 4;
  }

  OwningOpRef<ModuleOp> run() {
    (*module)->setAttr(MLIDialect::getTargetAttrName(), getTarget());
    builder.setInsertionPointToStart(module->getBody());
    function = func::FuncOp::create(builder, loc, "main",
                                    builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    for (int64_t i = random.pick(1, 2); i > 0; --i)
      addFilled();
    for (int64_t i = random.pick(1, settings.size); i > 0; --i)
      addStep();
    for (Value whole : wholes)
      addResult(whole);
    func::ReturnOp::create(builder, loc, results);
    function.setFunctionType(
        builder.getFunctionType(function.getBody().front().getArgumentTypes(),
                                ValueRange(results).getTypes()));
    return std::move(module);
  }

private:
  TargetAttr getTarget() {
    return TargetAttr::get(builder.getContext(), "", target);
  }
  static MemRefType typeOf(Value value) {
    return cast<MemRefType>(value.getType());
  }
  static MemRefType plainType(MemRefType type) {
    return MemRefType::get(type.getShape(), type.getElementType());
  }
  static RankedTensorType tensorType(MemRefType type) {
    return RankedTensorType::get(type.getShape(), type.getElementType());
  }
  void copy(Value from, Value to) {
    memref::CopyOp::create(builder, loc, from, to);
  }

  Type anyElement(bool mayBeFloat) {
    static constexpr ElementKind kinds[] = {ElementKind::Fx8, ElementKind::Fx16,
                                            ElementKind::Sa8,
                                            ElementKind::Sa32};
    if (mayBeFloat && random.chance(20))
      return builder.getF32Type();
    return types.getMapElement(kinds);
  }

  //===------------------------------------------------------------------===//
  // Layouts
  //===------------------------------------------------------------------===//

  layout::Mode anyMode(int64_t bytes) {
    if (target.npus == 1 || random.chance(40))
      return layout::Mode::None;
    return bytes == 1   ? layout::Mode::FourN
           : bytes == 2 ? layout::Mode::TwoN
                        : layout::Mode::TwoIC;
  }

  /// What dimensions are in local memory. One NPU has strides in their order.
  SmallVector<LayoutDim> anyDims(size_t rank) {
    SmallVector<LayoutDim> dims = {LayoutDim::n, LayoutDim::c, LayoutDim::h,
                                   LayoutDim::w};
    shuffle(dims, random);
    dims.resize(rank);
    if (target.npus > 1)
      return dims;
    if (!llvm::is_contained(dims, LayoutDim::w))
      dims.front() = LayoutDim::w;
    llvm::sort(dims);
    return dims;
  }

  /// A buffer of `shape` in any layout that holds it.
  MemRefType anyLocalType(ArrayRef<int64_t> shape, Type element) {
    int64_t bytes = elementWidth(element) / 8;
    while (true) {
      bool isMatrix = shape.size() == 2 && random.chance(60);
      SmallVector<LayoutDim> dims =
          isMatrix ? SmallVector<LayoutDim>{LayoutDim::n, LayoutDim::w}
                   : anyDims(shape.size());
      // The columns of one channel.
      int64_t columns = !isMatrix          ? 0
                        : target.npus == 1 ? shape[1]
                                           : random.pick(1, shape[1]);
      layout::Result<layout::TensorLayout> request =
          requestLayout(shape, bytes, dims, target, columns);
      if (!request)
        continue;
      layout::TensorLayout wanted = *request;
      wanted.startNpu = random.pick(0, target.npus - 1);
      if (!isMatrix) {
        wanted.kind = random.chance(50) ? layout::Kind::Aligned
                      : target.npus > 1 ? layout::Kind::Compact
                                        : layout::Kind::Continuous;
        wanted.mode = anyMode(bytes);
      }
      layout::Result<layout::TensorLayout> made = layout::makeLayout(wanted);
      if (made)
        return MemRefType::get(
            shape, element, LayoutAttr::get(builder.getContext(), *made, dims),
            SpaceAttr::get(builder.getContext(), Space::local));
    }
  }

  //===------------------------------------------------------------------===//
  // Buffers
  //===------------------------------------------------------------------===//

  Value allocate(ArrayRef<int64_t> shape, Type element) {
    OperationState state(loc, AllocOp::getOperationName());
    state.addTypes(anyLocalType(shape, element));
    wholes.push_back(builder.create(state)->getResult(0));
    return wholes.back();
  }

  void fill(Value buffer) {
    MemRefType type = typeOf(buffer);
    Value argument =
        function.getBody().front().addArgument(tensorType(type), loc);
    copy(bufferization::ToBufferOp::create(builder, loc, plainType(type),
                                           argument, /*read_only=*/true),
         buffer);
  }

  void addFilled() {
    int64_t rank = random.pick(1, 4);
    Sizes shape;
    for (int64_t i = 0; i < rank; ++i)
      shape.push_back(random.pick(1, rank == 2 ? 20 : 9));
    fill(allocate(shape, anyElement(/*mayBeFloat=*/true)));
  }

  void addResult(Value from) {
    Value plain =
        memref::AllocOp::create(builder, loc, plainType(typeOf(from)));
    copy(from, plain);
    results.push_back(bufferization::ToTensorOp::create(
        builder, loc, tensorType(typeOf(from)), plain, /*restrict=*/true));
  }

  Slice anySlice(ArrayRef<int64_t> shape, bool hasSteps) {
    Slice slice;
    for (int64_t size : shape) {
      // At multiples of four more often, where groups are whole.
      int64_t offset = random.pick(0, size - 1);
      if (random.chance(50))
        offset -= offset % 4;
      int64_t step = hasSteps && random.chance(20) ? random.pick(2, 3) : 1;
      int64_t most = (size - offset - 1) / step + 1;
      slice.offsets.push_back(offset);
      slice.steps.push_back(step);
      slice.sizes.push_back(random.chance(40) ? most : random.pick(1, most));
    }
    slice.rank = static_cast<int64_t>(shape.size());
    while (slice.rank > 1 && random.chance(20) &&
           llvm::count(slice.sizes, 1) >
               static_cast<int64_t>(shape.size()) - slice.rank)
      --slice.rank;
    return slice;
  }

  /// A slice of `whole` as `mli.subtensor` or, if `mayBeSubview`, as
  /// `memref.subview`; null where it has no type.
  Value addSlice(Value whole, bool mayBeSubview) {
    MemRefType type = typeOf(whole);
    Slice slice = anySlice(type.getShape(), mayBeSubview);
    int64_t offset;
    Sizes strides;
    if (mayBeSubview && random.chance(80) &&
        succeeded(type.getStridesAndOffset(strides, offset))) {
      auto part = cast<MemRefType>(memref::SubViewOp::inferResultType(
          type, slice.offsets, slice.sizes, slice.steps));
      return memref::SubViewOp::create(builder, loc, part, whole, slice.offsets,
                                       slice.sizes, slice.steps);
    }
    if (llvm::any_of(slice.steps, [](int64_t step) { return step != 1; }))
      return {};
    ShapedType part = SubtensorOp::inferResultType(
        type, slice.offsets, slice.sizes, slice.rank, getTarget());
    if (!part)
      return {};
    return SubtensorOp::create(
        builder, loc, whole,
        getAsIndexOpFoldResult(builder.getContext(), slice.offsets),
        getAsIndexOpFoldResult(builder.getContext(), slice.sizes), slice.rank,
        getTarget());
  }

  //===------------------------------------------------------------------===//
  // Steps
  //===------------------------------------------------------------------===//

  void addStep() {
    Value whole = random.pick(ArrayRef<Value>(wholes));
    bool isKernel = random.chance(50);
    Value part = addSlice(whole, /*mayBeSubview=*/!isKernel);
    if (!part)
      return;
    // Of a view rather than of what it is a view of.
    if (isKernel && random.chance(30))
      if (Value inner = addSlice(part, /*mayBeSubview=*/false))
        part = inner;
    if (!isKernel)
      return random.chance(50) ? addResult(part) : fill(part);
    switch (random.pick(0, 2)) {
    case 0:
      return addMove(part);
    case 1:
      return addPermute(part);
    default:
      return addConvert(part);
    }
  }

  void addKernel(StringRef name, Value from, Value to,
                 ArrayRef<NamedAttribute> attributes) {
    OperationState state(loc, ("mli." + name).str());
    state.addOperands({from, to});
    state.addAttributes(attributes);
    builder.create(state);
  }
  NamedAttribute list(StringRef name, ArrayRef<int64_t> values) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
  }
  Sizes anyOrder(int64_t rank) {
    Sizes order(rank);
    std::iota(order.begin(), order.end(), 0);
    shuffle(order, random);
    return order;
  }

  void addPermute(Value from) {
    MemRefType type = typeOf(from);
    if (!isa<Fx8Type, Fx16Type, Sa8Type>(type.getElementType()))
      return;
    Sizes order = anyOrder(type.getRank()), shape;
    for (int64_t dim : order)
      shape.push_back(type.getDimSize(dim));
    addKernel("permute", from, allocate(shape, type.getElementType()),
              list("permutation", order));
  }

  void addConvert(Value from) {
    MemRefType type = typeOf(from);
    int64_t offset;
    Sizes strides;
    // One NPU takes its last dimension as it is.
    bool isTaken = target.npus > 1 ||
                   (succeeded(type.getStridesAndOffset(strides, offset)) &&
                    strides.back() == 1);
    if (isTaken && !type.getElementType().isF32())
      addKernel("convert", from,
                allocate(type.getShape(), anyElement(/*mayBeFloat=*/false)),
                {});
  }

  /// Padding, steps, a permutation, and a place in a larger buffer.
  void addMove(Value from) {
    MemRefType type = typeOf(from);
    int64_t rank = type.getRank();
    Sizes order = anyOrder(rank), low, high, steps, starts, shape;
    for (int64_t i = 0; i < rank; ++i) {
      low.push_back(random.chance(20) ? random.pick(1, 2) : 0);
      high.push_back(random.chance(20) ? random.pick(1, 2) : 0);
      steps.push_back(random.chance(20) ? random.pick(2, 3) : 1);
      starts.push_back(random.chance(20) ? random.pick(1, 3) : 0);
    }
    for (auto [i, dim] : llvm::enumerate(order)) {
      int64_t size = type.getDimSize(dim) + low[dim] + high[dim];
      shape.push_back((size - 1) / steps[dim] + 1 + starts[i]);
    }
    SmallVector<NamedAttribute> attributes = {
        list("permutation", order), list("pad_low", low),
        list("pad_high", high), list("steps", steps)};
    Value to = allocate(shape, type.getElementType());
    if (llvm::any_of(starts, [](int64_t start) { return start != 0; })) {
      fill(to);
      attributes.push_back(list("dst_offsets", starts));
    }
    addKernel("mov", from, to, attributes);
  }

  Settings settings;
  Random random;
  TypeChoice types;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  layout::Target target;
  SmallVector<Value> wholes, results;
};

} // namespace

OwningOpRef<ModuleOp> fuzz::generateLocalProgram(MLIRContext *context,
                                                 const Settings &settings) {
  return LocalWriter(context, settings).run();
}
