// SPDX-License-Identifier: Apache-2.0
//
// The layout attribute says what the Layout library says: over random layouts,
// for every element. MLI_TEST_FULL=1 tries ten times as many.

#include "mli/IR/LocalMemory.h"
#include "mli/Layout/ElementMap.h"

#include "RandomLayout.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace mli;

namespace {

using layout::Dims;
using layout::Random;
using layout::TensorLayout;

/// A buffer with an attribute, and what it is for the library.
struct Buffer {
  TensorLayout layout;
  LayoutAttr attr;
  MemRefType type;
};

class LayoutAttrTest : public testing::Test {
protected:
  LayoutAttrTest() { context.loadDialect<MLIDialect>(); }

  Type getElement(int64_t bytes) {
    if (bytes == 4)
      return Float32Type::get(&context);
    return bytes == 2 ? Type(Fx16Type::get(&context, 0))
                      : Type(Fx8Type::get(&context, 0));
  }

  /// A random layout with the dimensions of the buffer in random order; those
  /// of one entry may be left out.
  Buffer randomBuffer(Random &random) {
    TensorLayout layout = layout::randomLayout(random);
    layout.offset = 0;
    const Dims &shape = layout.shape;
    bool isMatrix = layout.matrixColumns != 0;
    SmallVector<std::pair<LayoutDim, int64_t>> all = {
        {LayoutDim::n, shape.n},
        {LayoutDim::w, isMatrix ? layout.matrixColumns : shape.w}};
    if (!isMatrix)
      all.append({{LayoutDim::c, shape.c}, {LayoutDim::h, shape.h}});
    SmallVector<LayoutDim> dims;
    SmallVector<int64_t> sizes;
    while (!all.empty()) {
      auto *it = all.begin() + random.in(0, all.size() - 1);
      if (it->second != 1 || random.in(0, 1) == 0) {
        dims.push_back(it->first);
        sizes.push_back(it->second);
      }
      all.erase(it);
    }
    auto attr = LayoutAttr::get(&context, layout, dims);
    auto type = MemRefType::getChecked(
        [&] { return mlir::emitError(UnknownLoc::get(&context)); }, sizes,
        getElement(layout.elementBytes), attr,
        SpaceAttr::get(&context, Space::local));
    return {layout, attr, type};
  }

  MLIRContext context;
};

/// The next index of `shape` in row-major order; false after the last.
bool advance(ArrayRef<int64_t> shape, SmallVectorImpl<int64_t> &index) {
  for (size_t i = shape.size(); i-- > 0;) {
    if (++index[i] != shape[i])
      return true;
    index[i] = 0;
  }
  return false;
}

/// The element of local memory at `location`.
int64_t elementAt(const Buffer &buffer, const layout::Location &location) {
  const TensorLayout &layout = buffer.layout;
  return (location.npu * layout.target.npuBytes + location.offset) /
         layout.elementBytes;
}

/// Every address that attribute and type give is that of the library.
void checkAddresses(const Buffer &buffer) {
  mlir::AffineMap map = buffer.attr.getAffineMap();
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool isStrided = succeeded(buffer.type.getStridesAndOffset(strides, offset));
  SmallVector<int64_t> index(buffer.type.getRank(), 0);
  do {
    Dims local = buffer.attr.getLocalIndex(index);
    ASSERT_TRUE(layout::hasElement(buffer.layout, local));
    layout::Location location = layout::locate(buffer.layout, local);
    int64_t element = elementAt(buffer, location);
    // Y13
    ASSERT_EQ(map.compose(index), SmallVector<int64_t>{element});
    ASSERT_EQ(locate(buffer.type, index, buffer.layout.target), location);
    if (!isStrided)
      continue;
    int64_t strided = offset;
    for (auto [stride, i] : llvm::zip_equal(strides, index))
      strided += stride * i;
    // Y14
    ASSERT_EQ(strided, element);
  } while (advance(buffer.type.getShape(), index));
}

TEST_F(LayoutAttrTest, AddressesAreThoseOfTheLibrary) {
  Random random(1);
  int strided = 0;
  int count = layout::scaled(2000);
  for (int i = 0; i < count; ++i) {
    Buffer buffer = randomBuffer(random);
    ASSERT_TRUE(buffer.type);
    SCOPED_TRACE(testing::Message() << debugString(buffer.type));
    checkAddresses(buffer);
    if (HasFatalFailure())
      return;
    SmallVector<int64_t> strides;
    int64_t offset;
    bool isStrided =
        succeeded(buffer.type.getStridesAndOffset(strides, offset));
    // Y14
    EXPECT_EQ(isStrided, layout::affineMap(buffer.layout).has_value());
    strided += isStrided;
    // Y12
    EXPECT_FALSE(buffer.attr.isIdentity());
  }
  EXPECT_GT(strided, count / 20);
}

TEST_F(LayoutAttrTest, TextAndLibraryKeepAllParameters) {
  Random random(2);
  for (int i = 0; i < layout::scaled(2000); ++i) {
    Buffer buffer = randomBuffer(random);
    ASSERT_TRUE(buffer.type);
    std::string text = debugString(buffer.attr);
    EXPECT_EQ(parseAttribute(text, &context), buffer.attr) << text;
    TensorLayout layout = getTensorLayout(buffer.type, buffer.layout.target);
    EXPECT_FALSE(layout::verify(layout)) << text;
    EXPECT_EQ(LayoutAttr::get(&context, layout, buffer.attr.getDims()),
              buffer.attr);
    EXPECT_EQ(layout::bytesPerNpu(layout), layout::bytesPerNpu(buffer.layout));
    EXPECT_EQ(layout::channelsPerNpu(layout),
              layout::channelsPerNpu(buffer.layout));
  }
}

TEST_F(LayoutAttrTest, RequestsBecomeLayouts) {
  layout::Target target = layout::makeTarget(4, 16384);
  auto request = requestLayout(
      {4, 5, 3}, 2, {LayoutDim::h, LayoutDim::w, LayoutDim::c}, target);
  ASSERT_TRUE(request);
  TensorLayout wanted = *request;
  wanted.startNpu = 2;
  auto layout = layout::makeLayout(wanted);
  ASSERT_TRUE(layout);
  EXPECT_EQ(debugString(LayoutAttr::get(
                &context, *layout, {LayoutDim::h, LayoutDim::w, LayoutDim::c})),
            "#mli.layout<aligned, dims = [h, w, c], npus = 4, "
            "npu_elements = 8192, start_npu = 2, strides = [128, 64, 5, 1]>");
}

TEST_F(LayoutAttrTest, DynamicAndForeignShapesHaveNoStrides) {
  auto attr = cast<LayoutAttr>(parseAttribute(
      "#mli.layout<compact, dims = [h, w], npus = 4, npu_elements = 4096, "
      "strides = [1, 1, 8, 1]>",
      &context));
  SmallVector<int64_t> strides;
  int64_t offset;
  for (const SmallVector<int64_t> &shape :
       {SmallVector<int64_t>{ShapedType::kDynamic, 8}, SmallVector<int64_t>{8}})
    EXPECT_TRUE(failed(attr.getStridesAndOffset(shape, strides, offset)));
}

/// What a builder is told, and no text can say.
// S1
TEST_F(LayoutAttrTest, PresetHasItsNumbers) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&context)); };
  EXPECT_FALSE(TargetAttr::getChecked(emitError, &context, StringRef("vpx"),
                                      layout::Target()));
  EXPECT_EQ(message,
            "expected 'preset' to have the numbers of bm1684, but got vpx");
  EXPECT_FALSE(TargetAttr::getChecked(emitError, &context, StringRef("npu"),
                                      layout::Target()));
  EXPECT_EQ(message, "expected 'target' to be one of bm1684, bm1684x, bm1688, "
                     "bm1690, vpx, custom, but got 'npu'");
}

} // namespace
