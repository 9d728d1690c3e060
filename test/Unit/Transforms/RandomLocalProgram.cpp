// SPDX-License-Identifier: Apache-2.0

#include "RandomPrograms.h"

#include "mli/IR/LocalMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace mlir;
using namespace mli;
using namespace mli::test;
using Sizes = SmallVector<int64_t>;

namespace {

std::string listText(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os);
  return text;
}

std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// A buffer, or a slice of one.
struct Buffer {
  std::string name;
  MemRefType type;
};

/// The indices of a slice.
struct Block {
  Sizes offsets, sizes, steps;
  int64_t rank = 0;
};

class Generator {
public:
  Generator(MLIRContext &context, uint32_t seed)
      : context(context), random(seed), os(body) {}

  Program run() {
    target.npus = int64_t{1} << pick(0, 3);
    target.npuBytes = 32768;
    target.banks = 1;
    target.unit = int64_t{16} << pick(0, 2);
    target.dmaAlignment = 4;
    for (int64_t i = 0, e = pick(1, 2); i < e; ++i)
      fill();
    for (int64_t i = 0, e = pick(2, 7); i < e; ++i)
      step();
    for (const Buffer &whole : wholes)
      result(whole);
    return finish();
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(int64_t percent) { return pick(1, 100) <= percent; }
  template <typename T>
  const T &any(const std::vector<T> &list) {
    return list[pick(0, static_cast<int64_t>(list.size()) - 1)];
  }
  TargetAttr targetAttr() { return TargetAttr::get(&context, "", target); }
  std::string newName() { return "%v" + std::to_string(next++); }

  Type anyElement(bool isConverted) {
    switch (pick(0, isConverted ? 3 : 4)) {
    case 0:
      return Fx8Type::get(&context, 3);
    case 1:
      return Fx16Type::get(&context, 9);
    case 2:
      return Sa8Type::get(&context, quant::QuantParams{5, 6, -3});
    case 3:
      return Sa32Type::get(&context, quant::QuantParams{3, 4, 0});
    default:
      return Float32Type::get(&context);
    }
  }

  layout::Mode anyMode(int64_t bytes) {
    if (target.npus == 1 || chance(40))
      return layout::Mode::None;
    return bytes == 1   ? layout::Mode::FourN
           : bytes == 2 ? layout::Mode::TwoN
                        : layout::Mode::TwoIC;
  }

  /// What dimensions are in local memory. One NPU has strides in their order.
  SmallVector<LayoutDim> anyDims(size_t rank) {
    SmallVector<LayoutDim> dims = {LayoutDim::n, LayoutDim::c, LayoutDim::h,
                                   LayoutDim::w};
    std::shuffle(dims.begin(), dims.end(), random);
    dims.resize(rank);
    if (target.npus > 1)
      return dims;
    if (!llvm::is_contained(dims, LayoutDim::w))
      dims.front() = LayoutDim::w;
    llvm::sort(dims);
    return dims;
  }

  /// A buffer of `shape` in any layout that holds it.
  MemRefType localType(const Sizes &shape, Type element) {
    int64_t bytes = elementWidth(element) / 8;
    while (true) {
      bool isMatrix = shape.size() == 2 && chance(60);
      SmallVector<LayoutDim> dims =
          isMatrix ? SmallVector<LayoutDim>{LayoutDim::n, LayoutDim::w}
                   : anyDims(shape.size());
      // The columns of one channel.
      int64_t columns = !isMatrix          ? 0
                        : target.npus == 1 ? shape[1]
                                           : pick(1, shape[1]);
      layout::Result<layout::TensorLayout> request =
          requestLayout(shape, bytes, dims, target, columns);
      if (!request)
        continue;
      layout::TensorLayout wanted = *request;
      wanted.startNpu = pick(0, target.npus - 1);
      if (!isMatrix) {
        wanted.kind = chance(50)        ? layout::Kind::Aligned
                      : target.npus > 1 ? layout::Kind::Compact
                                        : layout::Kind::Continuous;
        wanted.mode = anyMode(bytes);
      }
      layout::Result<layout::TensorLayout> made = layout::makeLayout(wanted);
      if (made)
        return MemRefType::get(shape, element,
                               LayoutAttr::get(&context, *made, dims),
                               SpaceAttr::get(&context, Space::local));
    }
  }

  static MemRefType plainType(MemRefType type) {
    return MemRefType::get(type.getShape(), type.getElementType());
  }

  std::string argument(MemRefType type) {
    std::string name = "%a" + std::to_string(program.arguments.size());
    inputs +=
        (inputs.empty() ? "" : ", ") + name + ": " + typeText(plainType(type));
    std::vector<uint8_t> bytes(type.getNumElements() *
                               elementWidth(type.getElementType()) / 8);
    for (uint8_t &byte : bytes)
      byte = static_cast<uint8_t>(pick(0, 255));
    program.arguments.push_back(bytes);
    return name;
  }
  void copy(const std::string &from, Type fromType, const std::string &to,
            Type toType) {
    os << "  memref.copy " << from << ", " << to << " : " << fromType << " to "
       << toType << "\n";
  }
  void result(const Buffer &from) {
    std::string name = "%r" + std::to_string(program.resultCount++);
    MemRefType type = plainType(from.type);
    outputs += ", " + name + ": " + typeText(type);
    copy(from.name, from.type, name, type);
  }

  Buffer allocate(const Sizes &shape, Type element) {
    wholes.push_back({newName(), localType(shape, element)});
    os << "  " << wholes.back().name << " = mli.alloc : " << wholes.back().type
       << "\n";
    return wholes.back();
  }
  void fillFromArgument(const Buffer &buffer) {
    copy(argument(buffer.type), plainType(buffer.type), buffer.name,
         buffer.type);
  }
  void fill() {
    Sizes shape;
    for (int64_t i = 0, rank = pick(1, 4); i < rank; ++i)
      shape.push_back(pick(1, rank == 2 ? 20 : 9));
    fillFromArgument(allocate(shape, anyElement(/*isConverted=*/false)));
  }

  Block anyBlock(ArrayRef<int64_t> shape, bool hasSteps) {
    Block block;
    for (int64_t size : shape) {
      // At multiples of four more often, where groups are whole.
      int64_t offset = pick(0, size - 1);
      if (chance(50))
        offset -= offset % 4;
      int64_t step = hasSteps && chance(20) ? pick(2, 3) : 1;
      int64_t most = (size - offset - 1) / step + 1;
      block.offsets.push_back(offset);
      block.steps.push_back(step);
      block.sizes.push_back(chance(40) ? most : pick(1, most));
    }
    block.rank = static_cast<int64_t>(shape.size());
    while (block.rank > 1 && chance(20) &&
           llvm::count(block.sizes, 1) >
               static_cast<int64_t>(shape.size()) - block.rank)
      --block.rank;
    return block;
  }

  /// A slice of `whole` as `mli.subtensor`, or, if `mayBeSubview`, as
  /// `memref.subview`: nothing where it has no type.
  std::optional<Buffer> slice(const Buffer &whole, bool mayBeSubview) {
    Block block = anyBlock(whole.type.getShape(), mayBeSubview);
    Buffer part;
    int64_t offset;
    Sizes strides;
    bool isSubview = mayBeSubview && chance(80) &&
                     succeeded(whole.type.getStridesAndOffset(strides, offset));
    if (isSubview) {
      block.rank = whole.type.getRank();
      part.type = cast<MemRefType>(memref::SubViewOp::inferResultType(
          whole.type, block.offsets, block.sizes, block.steps));
    } else if (llvm::all_of(block.steps,
                            [](int64_t step) { return step == 1; })) {
      ShapedType type = SubtensorOp::inferResultType(
          whole.type, block.offsets, block.sizes, block.rank, targetAttr());
      part.type = type ? cast<MemRefType>(type) : MemRefType();
    }
    if (!part.type)
      return std::nullopt;
    part.name = newName();
    os << "  " << part.name << " = "
       << (isSubview ? "memref.subview " : "mli.subtensor ") << whole.name
       << "[" << listText(block.offsets) << "] [" << listText(block.sizes)
       << "] ";
    if (isSubview)
      os << "[" << listText(block.steps) << "] ";
    os << ": " << whole.type << " to " << part.type << "\n";
    return part;
  }

  void step() {
    Buffer whole = any(wholes);
    bool isKernel = chance(50);
    std::optional<Buffer> part = slice(whole, /*mayBeSubview=*/!isKernel);
    if (!part)
      return;
    // Of a view rather than of what it is a view of.
    if (isKernel && chance(30))
      if (std::optional<Buffer> inner = slice(*part, /*mayBeSubview=*/false))
        part = inner;
    if (!isKernel)
      return chance(50) ? result(*part) : fillFromArgument(*part);
    switch (pick(0, 2)) {
    case 0:
      return move(*part);
    case 1:
      return permute(*part);
    default:
      return convert(*part);
    }
  }

  Sizes anyOrder(int64_t rank) {
    Sizes order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    return order;
  }
  void kernel(const char *name, const Buffer &from, const Buffer &to,
              const std::string &rest) {
    os << "  mli." << name << " ins(" << from.name << " : " << from.type
       << ") outs(" << to.name << " : " << to.type << ") " << rest << "\n";
  }

  void permute(const Buffer &from) {
    if (!isa<Fx8Type, Fx16Type, Sa8Type>(from.type.getElementType()))
      return;
    Sizes order = anyOrder(from.type.getRank()), shape;
    for (int64_t dim : order)
      shape.push_back(from.type.getDimSize(dim));
    kernel("permute", from, allocate(shape, from.type.getElementType()),
           "permutation [" + listText(order) + "]");
  }

  void convert(const Buffer &from) {
    int64_t offset;
    Sizes strides;
    // One NPU takes its last dimension as it is.
    bool isTaken = target.npus > 1 ||
                   (succeeded(from.type.getStridesAndOffset(strides, offset)) &&
                    strides.back() == 1);
    if (isTaken && !from.type.getElementType().isF32())
      kernel("convert", from,
             allocate(Sizes(from.type.getShape()),
                      anyElement(/*isConverted=*/true)),
             "");
  }

  /// Padding, steps, a permutation, and a place in a larger buffer.
  void move(const Buffer &from) {
    int64_t rank = from.type.getRank();
    Sizes order = anyOrder(rank), low, high, steps, starts, shape;
    for (int64_t i = 0; i < rank; ++i) {
      low.push_back(chance(20) ? pick(1, 2) : 0);
      high.push_back(chance(20) ? pick(1, 2) : 0);
      steps.push_back(chance(20) ? pick(2, 3) : 1);
      starts.push_back(chance(20) ? pick(1, 3) : 0);
    }
    for (auto [i, dim] : llvm::enumerate(order)) {
      int64_t size = from.type.getDimSize(dim) + low[dim] + high[dim];
      shape.push_back((size - 1) / steps[dim] + 1 + starts[i]);
    }
    std::string rest;
    auto add = [&](const char *name, const Sizes &values) {
      rest += (rest.empty() ? "{" : ", ") + std::string(name) +
              " = array<i64: " + listText(values) + ">";
    };
    add("permutation", order);
    add("pad_low", low);
    add("pad_high", high);
    add("steps", steps);
    Buffer to = allocate(shape, from.type.getElementType());
    if (llvm::any_of(starts, [](int64_t start) { return start != 0; })) {
      fillFromArgument(to);
      add("dst_offsets", starts);
    }
    kernel("mov", from, to, rest + "}");
  }

  Program finish() {
    std::string targetText;
    llvm::raw_string_ostream(targetText) << targetAttr();
    program.text = "module attributes {mli.target = " + targetText +
                   "} {\nfunc.func @f(" + inputs + outputs + ") {\n" + body +
                   "  return\n}\n}\n";
    return program;
  }

  MLIRContext &context;
  std::mt19937 random;
  std::string body, inputs, outputs;
  llvm::raw_string_ostream os;
  layout::Target target;
  std::vector<Buffer> wholes;
  int64_t next = 0;
  Program program;
};

} // namespace

Program mli::test::randomLocalProgram(MLIRContext &context, uint32_t seed) {
  return Generator(context, seed).run();
}
