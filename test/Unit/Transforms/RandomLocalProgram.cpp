// SPDX-License-Identifier: Apache-2.0

#include "RandomPrograms.h"

#include "mli/Layout/Subtensor.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mli;
using namespace mli::test;
using Sizes = llvm::SmallVector<int64_t, 4>;

namespace {

constexpr struct {
  const char *type;
  int64_t bytes;
  layout::Mode mode;
} elements[] = {{"!mli.fx8<3>", 1, layout::Mode::FourN},
                {"!mli.fx16<9>", 2, layout::Mode::TwoN},
                {"!mli.sa32<3:4:0>", 4, layout::Mode::None}};

std::string listText(llvm::ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  return text;
}

/// One buffer of four dimensions, n, h, w and c, in local memory.
class Generator {
public:
  explicit Generator(uint32_t seed) : random(seed), os(body) {}

  Program run() {
    while (!chooseLayout())
      ;
    std::string in = argument(shape);
    os << "  %local = mli.alloc : " << localType(whole) << "\n"
       << "  memref.copy " << in << ", %local : " << plainType(shape) << " to "
       << localType(whole) << "\n";
    for (int64_t i = 0, e = pick(1, 6); i < e; ++i)
      part();
    result(shape, "%local", localType(whole));
    return finish();
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }

  static layout::Dims toDims(const Sizes &nhwc) {
    return {nhwc[0], nhwc[3], nhwc[1], nhwc[2]};
  }
  static Sizes fromDims(const layout::Dims &dims) {
    return {dims.n, dims.h, dims.w, dims.c};
  }

  bool chooseLayout() {
    // One NPU has strides in the order of dimensions, which these have not.
    target = {int64_t{1} << pick(1, 3), 4096, 1, int64_t{16} << pick(0, 2), 4};
    element = pick(0, 2);
    shape = {pick(1, 9), pick(1, 4), pick(1, 6), pick(1, 10)};
    layout::TensorLayout request;
    request.kind = chance(50) ? layout::Kind::Aligned : layout::Kind::Compact;
    request.mode = chance(50) ? elements[element].mode : layout::Mode::None;
    request.elementBytes = elements[element].bytes;
    request.shape = toDims(shape);
    request.target = target;
    request.startNpu = pick(0, target.npus - 1);
    layout::Result<layout::TensorLayout> made = layout::makeLayout(request);
    if (made)
      whole = *made;
    return static_cast<bool>(made);
  }

  std::string plainType(const Sizes &sizes) const {
    std::string text = "memref<";
    for (int64_t size : sizes)
      text += std::to_string(size) + "x";
    return text + elements[element].type + ">";
  }
  std::string localType(const layout::TensorLayout &layout) const {
    std::string text = plainType(fromDims(layout.shape));
    text.pop_back();
    text += ", #mli.layout<" + std::string(layout::toString(layout.kind));
    if (layout.mode != layout::Mode::None)
      text += ", mode = " + std::string(layout::toString(layout.mode));
    const layout::Dims &s = layout.strides;
    return text +
           ", dims = [n, h, w, c], npus = " + std::to_string(target.npus) +
           ", npu_elements = " +
           std::to_string(target.npuBytes / layout.elementBytes) +
           ", start_npu = " + std::to_string(layout.startNpu) +
           ", strides = [" + listText({s.n, s.c, s.h, s.w}) +
           "]>, #mli.space<local>>";
  }
  /// What upstream sees of a slice, if it sees any.
  std::string stridedType(const Sizes &sizes, const Sizes &offsets,
                          const Sizes &steps,
                          const layout::AffineMap &map) const {
    Sizes strides = fromDims(map.strides);
    int64_t offset = map.offset;
    for (auto [stride, start, step] :
         llvm::zip_equal(strides, offsets, steps)) {
      offset += start * stride;
      stride *= step;
    }
    std::string text = plainType(sizes);
    text.pop_back();
    text += ", strided<[" + listText(strides) + "]";
    if (offset != 0)
      text += ", offset: " + std::to_string(offset);
    return text + ">, #mli.space<local>>";
  }

  std::string argument(const Sizes &sizes) {
    std::string name = "%a" + std::to_string(program.arguments.size());
    inputs += (inputs.empty() ? "" : ", ") + name + ": " + plainType(sizes);
    int64_t count = elements[element].bytes;
    for (int64_t size : sizes)
      count *= size;
    std::vector<uint8_t> bytes(count);
    for (uint8_t &byte : bytes)
      byte = static_cast<uint8_t>(pick(0, 255));
    program.arguments.push_back(bytes);
    return name;
  }
  void result(const Sizes &sizes, const std::string &from,
              const std::string &type) {
    std::string name = "%r" + std::to_string(program.resultCount++);
    outputs += ", " + name + ": " + plainType(sizes);
    os << "  memref.copy " << from << ", " << name << " : " << type << " to "
       << plainType(sizes) << "\n";
  }

  /// A slice that is read or written.
  void part() {
    Sizes offsets, sizes, steps;
    bool isWritten = chance(40);
    for (int64_t size : shape) {
      // At multiples of four more often, where groups are whole.
      int64_t offset = pick(0, size - 1);
      if (chance(50))
        offset -= offset % 4;
      int64_t step = !isWritten && chance(15) ? 2 : 1;
      offsets.push_back(offset);
      steps.push_back(step);
      int64_t most = (size - offset - 1) / step + 1;
      sizes.push_back(chance(40) ? most : pick(1, most));
    }
    std::string name = "%s" + std::to_string(next++), type;
    std::optional<layout::AffineMap> map = layout::affineMap(whole);
    bool hasSteps = llvm::is_contained(steps, 2);
    layout::Result<layout::Subtensor> block =
        layout::subtensor(whole, toDims(offsets), toDims(sizes));
    if (map) {
      type = stridedType(sizes, offsets, steps, *map);
      os << "  " << name << " = memref.subview %local[" << listText(offsets)
         << "] [" << listText(sizes) << "] [" << listText(steps)
         << "] : " << localType(whole) << " to " << type << "\n";
    } else if (block && !hasSteps) {
      type = localType(block->layout);
      os << "  " << name << " = mli.subtensor %local[" << listText(offsets)
         << "] [" << listText(sizes) << "] : " << localType(whole) << " to "
         << type << "\n";
    } else {
      return;
    }
    if (!isWritten)
      return result(sizes, name, type);
    std::string from = argument(sizes);
    os << "  memref.copy " << from << ", " << name << " : " << plainType(sizes)
       << " to " << type << "\n";
  }

  Program finish() {
    program.text =
        "module attributes {mli.target = #mli.target<custom, npus = " +
        std::to_string(target.npus) +
        ", npu_bytes = 4096, unit = " + std::to_string(target.unit) +
        ", banks = 1, dma_align = 4>} {\nfunc.func @f(" + inputs + outputs +
        ") {\n" + body + "  return\n}\n}\n";
    return program;
  }

  std::mt19937 random;
  std::string body, inputs, outputs;
  llvm::raw_string_ostream os;
  layout::Target target;
  layout::TensorLayout whole;
  Sizes shape;
  int64_t element = 0, next = 0;
  Program program;
};

} // namespace

Program mli::test::randomLocalProgram(uint32_t seed) {
  return Generator(seed).run();
}
