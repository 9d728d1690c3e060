// SPDX-License-Identifier: Apache-2.0
//
// Every figure of the specification, read from its caption and numbers: what
// each NPU has, in blocks of four bytes.

#include "LayoutBuilder.h"

namespace mli::layout {
namespace {

/// What a block of four bytes holds: `(n, c)` of an element, of packed ones
/// `(n-n, c)` without the dummies; else what it is.
std::string blockAt(const TensorLayout &layout, int64_t npu, int64_t block) {
  ByteContent content = contentAt(layout, wordAt(npu, block));
  if (content.content == Content::EmptyBlock)
    return "empty";
  if (content.content != Content::Element)
    return std::string(toString(content.content));
  EXPECT_EQ(locate(layout, content.index), wordAt(npu, block));
  int64_t last = content.index.n;
  int dummies = 0;
  for (int64_t byte = layout.elementBytes; byte < 4;
       byte += layout.elementBytes) {
    ByteContent next = contentAt(layout, {npu, 4 * block + byte});
    EXPECT_EQ(next.index.n, ++last);
    dummies += next.content == Content::Dummy;
  }
  std::string n = std::to_string(content.index.n);
  if (last - dummies != content.index.n)
    n += "-" + std::to_string(last - dummies);
  return "(" + n + ", " + std::to_string(content.index.c) + ")";
}

/// The blocks of an NPU in order, those of one kind with their number. Blocks
/// of one feature are to be its elements in order, from the first to the last.
std::string blocksOf(const TensorLayout &layout, int64_t npu) {
  std::string text;
  std::string last;
  int64_t count = 0;
  auto flush = [&] {
    if (count != 0)
      text += (text.empty() ? "" : " ") + last + " x" + std::to_string(count);
  };
  for (int64_t block = 0; block < bytesPerNpu(layout) / 4; ++block) {
    std::string next = blockAt(layout, npu, block);
    if (next != last) {
      flush();
      last = next;
      count = 0;
    }
    ByteContent content = contentAt(layout, wordAt(npu, block));
    if (content.content == Content::Element) {
      EXPECT_EQ(content.index.h * layout.shape.w + content.index.w, count);
    }
    ++count;
  }
  flush();
  return text;
}

/// A figure: the tensor of the caption, and what is drawn for NPU 0 to 3.
struct Figure {
  const char *name;
  LayoutBuilder tensor;
  std::vector<std::string> npus;
};

// NOLINTNEXTLINE(readability-identifier-naming): what GoogleTest calls.
void PrintTo(const Figure &figure, std::ostream *os) { *os << figure.name; }

LayoutBuilder features(int64_t channels, int64_t start) {
  return LayoutBuilder({2, channels, 1, 1}).kind(Kind::Compact).start(start);
}

LayoutBuilder aligned(int64_t start) {
  return LayoutBuilder({2, 3, 4, 5}).start(start);
}

LayoutBuilder compact(int64_t start) {
  return aligned(start).kind(Kind::Compact);
}

LayoutBuilder matrix(int64_t width) { return matrixBuilder(2, 40, width); }

LayoutBuilder packed(int64_t n, Mode mode) {
  return LayoutBuilder({n, 5, 4, 5}).mode(mode);
}

std::vector<Figure> figures() {
  const std::string none64 = "empty x64";
  return {
      {"scatter_0",
       features(3, 0),
       {"(0, 0) x1 (1, 0) x1", "(0, 1) x1 (1, 1) x1", "(0, 2) x1 (1, 2) x1",
        "empty x2"}},
      {"scatter_1",
       features(3, 1),
       {"empty x2", "(0, 0) x1 (1, 0) x1", "(0, 1) x1 (1, 1) x1",
        "(0, 2) x1 (1, 2) x1"}},
      {"scatter_2",
       features(6, 0),
       {"(0, 0) x1 (0, 4) x1 (1, 0) x1 (1, 4) x1",
        "(0, 1) x1 (0, 5) x1 (1, 1) x1 (1, 5) x1",
        "(0, 2) x1 empty x1 (1, 2) x1 empty x1",
        "(0, 3) x1 empty x1 (1, 3) x1 empty x1"}},
      {"scatter_3",
       features(6, 3),
       {"empty x1 (0, 1) x1 (0, 5) x1 empty x1 (1, 1) x1 (1, 5) x1",
        "empty x1 (0, 2) x1 empty x2 (1, 2) x1 empty x1",
        "empty x1 (0, 3) x1 empty x2 (1, 3) x1 empty x1",
        "(0, 0) x1 (0, 4) x1 empty x1 (1, 0) x1 (1, 4) x1 empty x1"}},
      {"align_fp32_start_0_2_3_4_5",
       aligned(0),
       {"(0, 0) x20 padding x12 (1, 0) x20 padding x12",
        "(0, 1) x20 padding x12 (1, 1) x20 padding x12",
        "(0, 2) x20 padding x12 (1, 2) x20 padding x12", none64}},
      {"align_fp32_start_2_2_3_4_5",
       aligned(2),
       {"empty x32 (0, 2) x20 padding x12 empty x32 (1, 2) x20 padding x12",
        "empty x128",
        "(0, 0) x20 padding x12 empty x32 (1, 0) x20 padding x12 empty x32",
        "(0, 1) x20 padding x12 empty x32 (1, 1) x20 padding x12 empty x32"}},
      {"compact_fp32_start_0_2_3_4_5",
       compact(0),
       {"(0, 0) x20 (1, 0) x20", "(0, 1) x20 (1, 1) x20",
        "(0, 2) x20 (1, 2) x20", "empty x40"}},
      {"compact_fp32_start_2_2_3_4_5",
       compact(2),
       {"empty x20 (0, 2) x20 empty x20 (1, 2) x20", "empty x80",
        "(0, 0) x20 empty x20 (1, 0) x20 empty x20",
        "(0, 1) x20 empty x20 (1, 1) x20 empty x20"}},
      {"matrix_w_40",
       matrix(40),
       {"(0, 0) x40 padding x24 (1, 0) x40 padding x24", "empty x128",
        "empty x128", "empty x128"}},
      {"matrix_w_20",
       matrix(20),
       {"(0, 0) x20 padding x12 (1, 0) x20 padding x12",
        "(0, 1) x20 padding x12 (1, 1) x20 padding x12", none64, none64}},
      {"matrix_w_10",
       matrix(10),
       {"(0, 0) x10 padding x22 (1, 0) x10 padding x22",
        "(0, 1) x10 padding x22 (1, 1) x10 padding x22",
        "(0, 2) x10 padding x22 (1, 2) x10 padding x22",
        "(0, 3) x10 padding x22 (1, 3) x10 padding x22"}},
      {"matrix_w_8",
       matrix(8),
       {"(0, 0) x8 padding x24 (0, 4) x8 padding x24 "
        "(1, 0) x8 padding x24 (1, 4) x8 padding x24",
        "(0, 1) x8 padding x24 empty x32 (1, 1) x8 padding x24 empty x32",
        "(0, 2) x8 padding x24 empty x32 (1, 2) x8 padding x24 empty x32",
        "(0, 3) x8 padding x24 empty x32 (1, 3) x8 padding x24 empty x32"}},
      {"matrix_w_15",
       matrix(15),
       {"(0, 0) x15 padding x17 (1, 0) x15 padding x17",
        "(0, 1) x15 padding x17 (1, 1) x15 padding x17",
        "(0, 2) x10 padding x22 (1, 2) x10 padding x22", none64}},
      {"matrix_w_6",
       matrix(6),
       {"(0, 0) x6 padding x26 (0, 4) x6 padding x26 "
        "(1, 0) x6 padding x26 (1, 4) x6 padding x26",
        "(0, 1) x6 padding x26 (0, 5) x6 padding x26 "
        "(1, 1) x6 padding x26 (1, 5) x6 padding x26",
        "(0, 2) x6 padding x26 (0, 6) x4 padding x28 "
        "(1, 2) x6 padding x26 (1, 6) x4 padding x28",
        "(0, 3) x6 padding x26 empty x32 (1, 3) x6 padding x26 empty x32"}},
      {"aligned_4N",
       packed(6, Mode::FourN),
       {"(0-3, 0) x20 padding x12 (0-3, 4) x20 padding x12 "
        "(4-5, 0) x20 padding x12 (4-5, 4) x20 padding x12",
        "(0-3, 1) x20 padding x12 empty x32 (4-5, 1) x20 padding x12 empty x32",
        "(0-3, 2) x20 padding x12 empty x32 (4-5, 2) x20 padding x12 empty x32",
        "(0-3, 3) x20 padding x12 empty x32 (4-5, 3) x20 padding x12 empty "
        "x32"}},
      {"aligned_2N",
       packed(3, Mode::TwoN),
       {"(0-1, 0) x20 padding x12 (0-1, 4) x20 padding x12 "
        "(2, 0) x20 padding x12 (2, 4) x20 padding x12",
        "(0-1, 1) x20 padding x12 empty x32 (2, 1) x20 padding x12 empty x32",
        "(0-1, 2) x20 padding x12 empty x32 (2, 2) x20 padding x12 empty x32",
        "(0-1, 3) x20 padding x12 empty x32 (2, 3) x20 padding x12 empty x32"}},
  };
}

class Specification : public testing::TestWithParam<Figure> {};
INSTANTIATE_TEST_SUITE_P(Figure, Specification, testing::ValuesIn(figures()),
                         [](const auto &info) { return info.param.name; });

// L3, L4, L5, L11, L13, L14, L15, L17, L19, L20, L22
TEST_P(Specification, IsDrawn) {
  TensorLayout layout = GetParam().tensor.build();
  for (int64_t npu = 0; npu < 4; ++npu)
    EXPECT_EQ(blocksOf(layout, npu), GetParam().npus[npu]) << "NPU " << npu;
}

// L1, L2
TEST(Figure, Address) {
  Target target = makeTarget(4, 1024);
  EXPECT_EQ(*splitAddress(340, target), wordAt(0, 85));
  EXPECT_EQ(*splitAddress(1472, target), wordAt(1, 112));
  EXPECT_EQ(*splitAddress(2300, target), wordAt(2, 63));
  EXPECT_EQ(*splitAddress(3088, target), wordAt(3, 4));
}

/// Every block of the memory that `layout` takes: the element that the strides
/// of the caption have there, or none.
void checkStrides(const TensorLayout &layout,
                  int64_t (*blockOf)(const Dims &index)) {
  std::vector<int> elements(4 * bytesPerNpu(layout) / 4, 0);
  const Dims &shape = layout.shape;
  Dims at;
  for (at.n = 0; at.n < shape.n; ++at.n)
    for (at.c = 0; at.c < shape.c; ++at.c)
      for (at.h = 0; at.h < shape.h; ++at.h)
        for (at.w = 0; at.w < shape.w; ++at.w) {
          Location place = wordAt((layout.startNpu + at.c) % 4, blockOf(at));
          EXPECT_EQ(locate(layout, at), place);
          EXPECT_EQ(contentAt(layout, place).index, at);
          ++elements[place.offset + place.npu];
        }
  for (int64_t npu = 0; npu < 4; ++npu)
    for (int64_t block = 0; block < bytesPerNpu(layout) / 4; ++block)
      EXPECT_EQ(contentAt(layout, wordAt(npu, block)).content ==
                    Content::Element,
                elements[4 * block + npu] == 1);
}

// L6
TEST(Figure, Stride_local_0) {
  TensorLayout layout =
      LayoutBuilder({2, 5, 3, 4}).strides({120, 56, 16, 2}).build();
  EXPECT_EQ(channelsPerNpu(layout), 2);
  checkStrides(layout, [](const Dims &at) {
    return at.n * 120 + at.c / 4 * 56 + at.h * 16 + at.w * 2;
  });
}

// L6, L7
TEST(Figure, Stride_local_1) {
  TensorLayout layout =
      LayoutBuilder({2, 3, 1, 10}).strides({120, 0, 0, 2}).start(1).build();
  EXPECT_EQ(channelsPerNpu(layout), 1);
  checkStrides(layout, [](const Dims &at) { return at.n * 120 + at.w * 2; });
}

// L18, L21
TEST(Figure, Weights_2IC) {
  // There is no figure: (I, O, H, W) = (3, 6, 1, 2) of fp32, in 64-bit pairs.
  TensorLayout layout =
      LayoutBuilder({3, 6, 1, 2}).mode(Mode::TwoIC).kind(Kind::Compact).build();
  std::vector<std::string> pairs;
  pairs.reserve(8);
  for (int64_t pair = 0; pair < bytesPerNpu(layout) / 8; ++pair)
    pairs.push_back(blockAt(layout, 1, 2 * pair) + " " +
                    blockAt(layout, 1, 2 * pair + 1));
  EXPECT_EQ(pairs, (std::vector<std::string>{"(0, 1) (1, 1)", "(0, 1) (1, 1)",
                                             "(0, 5) (1, 5)", "(0, 5) (1, 5)",
                                             "(2, 1) dummy", "(2, 1) dummy",
                                             "(2, 5) dummy", "(2, 5) dummy"}));
}

} // namespace
} // namespace mli::layout
