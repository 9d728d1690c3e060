// SPDX-License-Identifier: Apache-2.0
//
// The rules of the layout attribute and its map to addresses. Queries that need
// no element type call the Layout library for elements of one byte.

#include "mli/IR/LocalMemory.h"

#include "mli/Layout/AddressFormula.h"
#include "mli/Layout/ElementMap.h"
#include "mli/Layout/Policy.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mli;

using EmitError = function_ref<InFlightDiagnostic()>;

/// The member that dimension `dim` of local memory has in the library.
static int64_t layout::Dims::*memberOf(LayoutDim dim) {
  static constexpr int64_t layout::Dims::*members[] = {
      &layout::Dims::n, &layout::Dims::c, &layout::Dims::h, &layout::Dims::w};
  return members[static_cast<uint32_t>(dim)];
}

/// The layout of any buffer with the attribute, for elements of one byte.
static layout::TensorLayout withoutShape(LayoutAttr attr) {
  layout::TensorLayout layout;
  layout.kind = attr.getKind();
  layout.mode = attr.getMode();
  layout.elementBytes = 1;
  layout.target = {attr.getNpus(), attr.getNpuElements(), 1, 1, 1};
  layout.startNpu = attr.getStartNpu();
  layout.strides = attr.getStrides();
  return layout;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static LogicalResult report(EmitError emitError,
                            std::optional<layout::Violation> problem) {
  if (problem)
    return emitError() << layout::toString(*problem);
  return success();
}

static LogicalResult verifyDims(EmitError emitError, ArrayRef<LayoutDim> dims,
                                int64_t columns) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    // Y5
    if (llvm::is_contained(dims.drop_front(i + 1), dim))
      return emitError() << "expected 'dims' to name each dimension once, but "
                            "got "
                         << stringifyLayoutDim(dim) << " twice";
    // Y6
    if (columns != 0 && dim != LayoutDim::n && dim != LayoutDim::w)
      return emitError() << "expected 'dims' of a matrix to name n and w, but "
                            "got "
                         << stringifyLayoutDim(dim);
  }
  return success();
}

LogicalResult LayoutAttr::verify(EmitError emitError, layout::Kind kind,
                                 layout::Mode, ArrayRef<LayoutDim> dims,
                                 int64_t npus, int64_t npuElements,
                                 int64_t startNpu, int64_t columns,
                                 layout::Dims strides) {
  constexpr int64_t most = int64_t{1} << 32;
  bool isMatrix = kind == layout::Kind::Matrix;
  bool isContinuous = kind == layout::Kind::Continuous;
  // Y1
  std::optional<layout::Violation> problem =
      layout::checkRange("npus", npus, 1, isContinuous ? 1 : most);
  if (!problem)
    problem = layout::checkRange("npu_elements", npuElements, 1, most / npus);
  // Y2
  if (!problem)
    problem = layout::checkRange("start_npu", startNpu, 0, npus - 1);
  // Y3
  for (auto [name, stride] :
       {std::pair("n stride", strides.n), std::pair("c stride", strides.c),
        std::pair("h stride", strides.h), std::pair("w stride", strides.w)})
    if (!problem)
      problem = layout::checkRange(name, stride, 0, npuElements);
  // Y4
  if (!problem)
    problem =
        layout::checkRange("columns", columns, isMatrix, layout::maxExtent);
  if (failed(report(emitError, problem)))
    return failure();
  return verifyDims(emitError, dims, columns);
}

/// For elements of one byte. The unit, which the attribute does not have, is
/// the largest that its strides allow: any unit that the kind has them from
/// gives the same.
static layout::TensorLayout countedInElements(LayoutAttr attr,
                                              ArrayRef<int64_t> shape) {
  layout::TensorLayout layout =
      attr.getTensorLayout(shape, /*bytes=*/1, withoutShape(attr).target);
  const layout::Dims &strides = layout.strides;
  int64_t block = layout::channelsPerNpu(layout) == 1 ? strides.n : strides.c;
  int64_t multiples =
      (block * layout::packFactor(layout.mode)) | attr.getNpuElements();
  layout.target.unit = multiples & -multiples;
  return layout;
}

LogicalResult LayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                                       EmitError emitError) const {
  // Y7
  if (shape.size() != getDims().size())
    return emitError() << "expected 'dims' to name " << shape.size()
                       << " dimensions, but got " << getDims().size();
  // Y8
  for (auto [i, size] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(size))
      return emitError() << "expected dimension " << i
                         << " to be static in local memory, but got ?";
  // Y9
  layout::Result<layout::TensorLayout> request =
      requestLayout(shape, 1, getDims(), layout::Target(), getColumns());
  if (!request)
    return report(emitError, request.violation());
  if (failed(report(emitError, layout::verifyShape(request->shape))))
    return failure();
  layout::TensorLayout layout = countedInElements(*this, shape);
  // Y10
  if (failed(report(emitError, layout::verifyStrides(layout))))
    return failure();
  // Y11
  return report(emitError, layout::checkRange("elements_per_npu",
                                              layout::bytesPerNpu(layout), 1,
                                              getNpuElements()));
}

// Y12
bool LayoutAttr::isIdentity() const { return false; }

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// An index as expressions of the dimensions of the buffer.
namespace {
struct AffineIndex {
  AffineExpr n, c, h, w;
};
} // namespace

// Y13
AffineMap LayoutAttr::getAffineMap() const {
  MLIRContext *context = getContext();
  AffineExpr zero = getAffineConstantExpr(0, context);
  std::array<AffineExpr, 4> dims = {zero, zero, zero, zero};
  for (auto [i, dim] : llvm::enumerate(getDims()))
    dims[static_cast<uint32_t>(dim)] = getAffineDimExpr(i, context);
  AffineIndex index = {dims[0], dims[1], dims[2], dims[3]};
  auto divide = [](AffineExpr a, int64_t b) {
    return a.floorDiv(static_cast<uint64_t>(b));
  };
  if (getColumns() != 0)
    index = layout::matrixIndex(getColumns(), index, divide);
  auto place = layout::getPlace(withoutShape(*this), index, divide);
  AffineExpr element = place.npu * getNpuElements() +
                       place.packed * layout::packFactor(getMode()) +
                       place.part;
  return AffineMap::get(getDims().size(), /*symbolCount=*/0, element);
}

// Y14
LogicalResult LayoutAttr::getStridesAndOffset(ArrayRef<int64_t> shape,
                                              SmallVectorImpl<int64_t> &strides,
                                              int64_t &offset) const {
  if (shape.size() != getDims().size() || ShapedType::isDynamicShape(shape))
    return failure();
  // Of a matrix alone there may be too little.
  if (getColumns() != 0 &&
      !requestLayout(shape, 1, getDims(), layout::Target(), getColumns()))
    return failure();
  std::optional<layout::AffineMap> map =
      layout::affineMap(countedInElements(*this, shape));
  if (!map)
    return failure();
  offset = map->offset;
  strides.clear();
  for (LayoutDim dim : getDims())
    strides.push_back(map->strides.*memberOf(dim));
  return success();
}

//===----------------------------------------------------------------------===//
// To and from the Layout library
//===----------------------------------------------------------------------===//

static_assert(static_cast<int>(layout::Dim::N) == int(LayoutDim::n) &&
              static_cast<int>(layout::Dim::C) == int(LayoutDim::c) &&
              static_cast<int>(layout::Dim::H) == int(LayoutDim::h) &&
              static_cast<int>(layout::Dim::W) == int(LayoutDim::w));

layout::Result<layout::TensorLayout>
mli::requestLayout(ArrayRef<int64_t> shape, int64_t bytes,
                   ArrayRef<LayoutDim> dims, const layout::Target &target,
                   int64_t columns) {
  layout::Dims local = layout::TensorLayout().shape;
  for (auto [size, dim] : llvm::zip_equal(shape, dims))
    local.*memberOf(dim) = size;
  return layout::requestLayout(local, bytes, target, columns);
}

LayoutAttr LayoutAttr::get(MLIRContext *context,
                           const layout::TensorLayout &layout,
                           ArrayRef<LayoutDim> dims) {
  return get(context, layout.kind, layout.mode, dims, layout.target.npus,
             layout.target.npuBytes / layout.elementBytes, layout.startNpu,
             layout.matrixColumns == 0 ? 0 : layout.shape.w, layout.strides);
}

layout::TensorLayout
LayoutAttr::getTensorLayout(ArrayRef<int64_t> shape, int64_t bytes,
                            const layout::Target &target) const {
  layout::TensorLayout request =
      *requestLayout(shape, bytes, getDims(), target, getColumns());
  layout::TensorLayout layout = withoutShape(*this);
  layout.shape = request.shape;
  layout.matrixColumns = request.matrixColumns;
  layout.elementBytes = bytes;
  layout.target = target;
  return layout;
}

layout::Dims LayoutAttr::getLocalIndex(ArrayRef<int64_t> index) const {
  layout::Dims local = {0, 0, 0, 0};
  for (auto [dim, i] : llvm::zip_equal(getDims(), index))
    local.*memberOf(dim) = i;
  if (getColumns() == 0)
    return local;
  return layout::matrixIndex(getColumns(), local, layout::divideNumbers);
}

bool mli::isIdentity(MemRefType type) {
  auto strided = dyn_cast<StridedLayoutAttr>(type.getLayout());
  if (!strided)
    return type.getLayout().isIdentity();
  return type.getRank() == 1 && strided.getOffset() == 0 &&
         strided.getStrides()[0] == 1;
}

LogicalResult mli::getStridesAndOffset(MemRefType type,
                                       SmallVectorImpl<int64_t> &strides,
                                       int64_t &offset) {
  bool isKnown = llvm::all_of(type.getShape(), [](int64_t size) {
    return ShapedType::isStatic(size) && size != 0;
  });
  if (!isKnown || !isIdentity(type))
    return type.getStridesAndOffset(strides, offset);
  strides = computeSuffixProduct(type.getShape());
  offset = 0;
  return success();
}

std::pair<SmallVector<int64_t>, int64_t>
mli::getStridesAndOffset(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  [[maybe_unused]] LogicalResult known =
      getStridesAndOffset(type, strides, offset);
  assert(succeeded(known) && "expected a type with strides");
  return {std::move(strides), offset};
}

FailureOr<SmallVector<int64_t>> mli::getStaticStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(getStridesAndOffset(type, strides, offset)) ||
      ShapedType::isDynamicShape(strides))
    return failure();
  return strides;
}

bool mli::isScattered(MemRefType type) {
  auto layout = dyn_cast<LayoutAttr>(type.getLayout());
  return layout && layout.getNpus() != 1;
}

layout::TensorLayout mli::getTensorLayout(MemRefType type,
                                          const layout::Target &target) {
  return cast<LayoutAttr>(type.getLayout())
      .getTensorLayout(type.getShape(), elementWidth(type.getElementType()) / 8,
                       target);
}

bool mli::needsKnownOffset(LayoutAttr layout, int64_t dim) {
  LayoutDim local = layout.getDims()[dim];
  return layout.getColumns() != 0 ||
         (local == LayoutDim::c && layout.getNpus() != 1) ||
         (local == LayoutDim::n && layout.getMode() != layout::Mode::None);
}

layout::Result<layout::Subtensor>
mli::getSubtensor(MemRefType type, ArrayRef<int64_t> offsets,
                  ArrayRef<int64_t> sizes, const layout::Target &target) {
  auto attr = cast<LayoutAttr>(type.getLayout());
  layout::Dims start = {0, 0, 0, 0}, extents;
  for (auto [dim, offset, size] :
       llvm::zip_equal(attr.getDims(), offsets, sizes)) {
    start.*memberOf(dim) = ShapedType::isDynamic(offset) ? 0 : offset;
    extents.*memberOf(dim) = size;
  }
  layout::TensorLayout whole = getTensorLayout(type, target);
  layout::Result<layout::Subtensor> part =
      attr.getColumns() == 0
          ? layout::subtensor(whole, start, extents)
          : layout::submatrix(whole, start.n, start.w, extents.n, extents.w);
  if (!part || !ShapedType::isDynamicShape(offsets))
    return part;
  // Its address is in the layout for some of the offsets only.
  layout::Subtensor anywhere = {part->layout, false};
  anywhere.layout.kind = layout::Kind::Strided;
  anywhere.layout.strides = whole.strides;
  return anywhere;
}

layout::Location mli::locate(MemRefType type, ArrayRef<int64_t> index,
                             const layout::Target &target) {
  auto layout = cast<LayoutAttr>(type.getLayout());
  return layout::locate(getTensorLayout(type, target),
                        layout.getLocalIndex(index));
}
