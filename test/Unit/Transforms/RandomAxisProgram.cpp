// SPDX-License-Identifier: Apache-2.0

#include "ProgramWriter.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace mli::test;

namespace {

/// An element type: one set of parameters, or along `axis` one an index.
struct Element {
  std::string kind; ///< sa8, sa32 or fx16
  int64_t axis = -1;
  std::vector<std::string> params;

  bool operator==(const Element &other) const {
    return kind == other.kind && axis == other.axis && params == other.params;
  }
  int64_t bits() const { return kind == "sa8" ? 8 : kind == "sa32" ? 32 : 16; }
  std::string text() const {
    if (axis < 0)
      return "!mli." + kind + "<" + params.front() + ">";
    std::string list;
    for (const std::string &set : params)
      list += (list.empty() ? "" : ", ") + set;
    return "!mli." + kind + "<axis = " + std::to_string(axis) + ", {" + list +
           "}>";
  }
};

struct Value {
  std::string name;
  Shape shape;
  Element element;

  std::string typeWith(const std::string &text) const {
    return tensorType(shape, text);
  }
  std::string type() const { return typeWith(element.text()); }
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t axis() const { return element.axis; }
  int64_t count() const {
    return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                           std::multiplies<>());
  }
};

class Generator : ProgramWriter<Value> {
public:
  explicit Generator(uint32_t seed) : ProgramWriter(seed) {}

  Program run() {
    for (int64_t i = 0, e = pick(1, 3); i < e; ++i)
      argument(i);
    for (int64_t i = 0, e = pick(3, 12); i < e; ++i)
      step();
    return finish();
  }

private:
  void line(const Value &result, const std::string &text) {
    os << "  " << result.name << " = " << text << "\n";
  }
  /// A dimension other than the axis; -1 if there is none.
  int64_t otherDim(const Value &value) {
    int64_t dim = pick(0, value.rank() - 1);
    return dim == value.axis()
               ? (value.rank() == 1 ? -1 : (dim + 1) % value.rank())
               : dim;
  }

  std::string params(bool hasZeroPoint) {
    return std::to_string(2 * pick(0, 8) + 1) + ":" +
           std::to_string(pick(1, 9)) + ":" +
           std::to_string(hasZeroPoint && chance(50) ? pick(-128, 127) : 0);
  }
  /// Of sa8 or sa32, along `axis` if there is one.
  Element quantised(const Shape &shape, int64_t axis) {
    Element element{chance(60) ? "sa8" : "sa32", axis, {}};
    int64_t count = axis < 0 ? 1 : shape[axis];
    for (int64_t i = 0; i < count; ++i)
      element.params.push_back(i != 0 && chance(20)
                                   ? element.params.back()
                                   : params(element.kind == "sa8"));
    return element;
  }
  /// For the whole tensor; some hold all codes of sa8.
  Element perTensor() {
    if (chance(30))
      return {"fx16", -1, {std::to_string(pick(3, 12))}};
    return chance(30) ? Element{"sa32", -1, {"1:12:0"}} : quantised({}, -1);
  }

  void argument(int64_t i) {
    Shape shape;
    for (int64_t d = 0, rank = pick(1, 4); d < rank; ++d)
      shape.push_back(pick(1, 5));
    int64_t axis = pick(chance(20) ? -1 : 0, shape.size() - 1);
    values.push_back({"%a" + std::to_string(i), shape, quantised(shape, axis)});
    const Value &value = values.back();
    signature += (i == 0 ? "" : ", ") + value.name + ": " + value.type();
    std::vector<uint8_t> bytes(value.count() * value.element.bits() / 8);
    for (uint8_t &byte : bytes)
      byte = static_cast<uint8_t>(pick(0, 255));
    program.arguments.push_back(bytes);
  }

  void step() {
    switch (pick(0, 9)) {
    case 0:
      return slice();
    case 1:
    case 2:
      return block();
    case 3:
      return concat();
    case 4:
      return insert();
    case 5:
      return permute();
    case 6:
      return reshape();
    case 7:
      return convertedParts();
    case 8:
      return constant();
    default: {
      Value source = any();
      return convert(source, target(source));
    }
    }
  }

  /// All of the axis; dimensions behind it may be dropped. Only moves take
  /// steps, and no pass makes moves of an axis.
  void slice() {
    Value source = any();
    Shape offsets, sizes, steps, kept;
    bool mayDrop = true;
    for (int64_t d = 0; d < source.rank(); ++d) {
      int64_t size = source.shape[d];
      bool isWhole = d == source.axis() || chance(30);
      offsets.push_back(isWhole ? 0 : pick(0, size - 1));
      steps.push_back(isWhole || source.axis() >= 0 || chance(80) ? 1
                                                                  : pick(2, 3));
      int64_t most = (size - offsets[d] - 1) / steps[d] + 1;
      sizes.push_back(isWhole ? size : pick(1, most));
      // Of dimensions of size 1 the first are those that are dropped.
      mayDrop &= d > source.axis() || sizes[d] != 1;
      if (sizes[d] != 1 || d == 0 || !mayDrop || chance(50))
        kept.push_back(sizes[d]);
    }
    slice(source, offsets, sizes, steps, kept);
  }
  void slice(const Value &source, const Shape &offsets, const Shape &sizes,
             const Shape &steps, const Shape &kept) {
    Value result = add(kept, source.element);
    line(result, "tensor.extract_slice " + source.name + "[" + join(offsets) +
                     "] [" + join(sizes) + "] [" + join(steps) +
                     "] : " + source.type() + " to " + result.type());
  }

  /// Of some indices of the axis: the type has their parameters, and the axis
  /// another number where dimensions in front of it are dropped.
  void block() {
    Value source = any();
    Shape offsets, sizes, kept;
    int64_t most = 0;
    for (int64_t d = 0; d < source.rank(); ++d) {
      offsets.push_back(pick(0, source.shape[d] - 1));
      sizes.push_back(chance(30) ? 1 : pick(1, source.shape[d] - offsets[d]));
      bool isOne = sizes[d] == 1;
      // The first ones of size 1 are dropped, but never the axis.
      if (d == source.axis() && isOne)
        break;
      most += isOne ? 1 : 0;
    }
    for (int64_t d = sizes.size(); d < source.rank(); ++d) {
      offsets.push_back(0);
      sizes.push_back(source.shape[d]);
    }
    Element element = source.element;
    int64_t toDrop = std::min(pick(0, most), source.rank() - 1);
    for (int64_t d = 0; d < source.rank(); ++d) {
      bool isDropped = sizes[d] == 1 && toDrop > 0;
      toDrop -= isDropped ? 1 : 0;
      element.axis -= isDropped && d < source.axis() ? 1 : 0;
      if (!isDropped)
        kept.push_back(sizes[d]);
    }
    if (source.axis() >= 0) {
      auto first = source.element.params.begin() + offsets[source.axis()];
      element.params.assign(first, first + sizes[source.axis()]);
    }
    Value result = add(kept, element);
    line(result, "mli.subtensor " + source.name + "[" + join(offsets) + "] [" +
                     join(sizes) + "] : " + source.type() + " to " +
                     result.type());
  }

  using ProgramWriter::concat;
  void concat() {
    Value first = any();
    int64_t dim = otherDim(first);
    if (dim < 0)
      return;
    std::vector<Value> parts = {first};
    for (const Value &value : values) {
      Shape shape = value.shape;
      if (!(value.element == first.element) || value.rank() != first.rank() ||
          parts.size() == 4 || chance(30))
        continue;
      shape[dim] = first.shape[dim];
      if (shape == first.shape)
        parts.push_back(value);
    }
    std::shuffle(parts.begin(), parts.end(), random);
    concat(parts, dim);
  }
  /// Some of `whole`, all of the axis, over another place of it.
  void insert() {
    Value whole = any();
    int64_t dim = otherDim(whole);
    if (dim < 0)
      return;
    Shape offsets(whole.rank(), 0), steps(whole.rank(), 1);
    Shape sizes = whole.shape;
    sizes[dim] = pick(1, whole.shape[dim]);
    offsets[dim] = pick(0, whole.shape[dim] - sizes[dim]);
    slice(whole, offsets, sizes, steps, sizes);
    Value part = values.back();
    if (chance(50)) {
      convert(part, target(part));
      convert(values.back(), part.element);
      part = values.back();
    }
    offsets[dim] = pick(0, whole.shape[dim] - sizes[dim]);
    Value result = add(whole.shape, whole.element);
    line(result, "tensor.insert_slice " + part.name + " into " + whole.name +
                     "[" + join(offsets) + "] [" + join(sizes) + "] [" +
                     join(steps) + "] : " + part.type() + " into " +
                     whole.type());
  }

  void kernel(const Value &source, const Shape &shape, const Element &element,
              const std::string &name, const std::string &rest) {
    Value init{fresh(), shape, element};
    line(init, "tensor.empty() : " + init.type());
    Value result = add(shape, element);
    line(result, "mli." + name + " ins(" + source.name + " : " + source.type() +
                     ") outs(" + init.name + " : " + result.type() + ")" +
                     rest + " -> " + result.type());
  }

  /// The axis goes where its dimension goes.
  void permute() {
    Value source = any();
    if (source.element.kind == "sa32")
      return;
    Shape order(source.rank()), shape;
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Element element = source.element;
    for (int64_t d = 0; d < source.rank(); ++d) {
      shape.push_back(source.shape[order[d]]);
      if (order[d] == source.axis())
        element.axis = d;
    }
    kernel(source, shape, element, "permute",
           " permutation [" + join(order) + "]");
  }

  /// Another dimension of size 1, one less, or two as one beside the axis.
  void reshape() {
    Value source = any();
    Shape shape = source.shape;
    Element element = source.element;
    int64_t dim = pick(0, source.rank() - 1);
    bool isInFront = dim < source.axis();
    if (source.rank() < 4 && chance(50)) {
      shape.insert(shape.begin() + dim, 1);
      element.axis += dim <= source.axis() ? 1 : 0;
    } else if (source.rank() > 1 && shape[dim] == 1 && dim != source.axis()) {
      shape.erase(shape.begin() + dim);
      element.axis -= isInFront ? 1 : 0;
    } else if (dim + 1 < source.rank() && dim != source.axis() &&
               dim + 1 != source.axis()) {
      shape[dim] *= shape[dim + 1];
      shape.erase(shape.begin() + dim + 1);
      element.axis -= isInFront ? 1 : 0;
    } else {
      return;
    }
    Value result = add(shape, element);
    line(result, "mli.reshape " + source.name + " : " + source.type() + " to " +
                     result.type());
  }

  /// A type that the runtime converts `source` to: no other axis.
  Element target(const Value &source) {
    if (chance(40))
      return perTensor();
    int64_t axis =
        source.axis() < 0 ? pick(0, source.rank() - 1) : source.axis();
    // Back to what it was, or may have been.
    for (const Value &value : values)
      if (value.axis() == axis && chance(30) &&
          value.element.params.size() ==
              static_cast<size_t>(source.shape[axis]))
        return value.element;
    return quantised(source.shape, axis);
  }
  void convert(const Value &source, const Element &element) {
    kernel(source, source.shape, element, "convert", "");
  }

  /// Parts of a whole beside the axis converted, and the whole converted again.
  void convertedParts() {
    Value source = any();
    int64_t dim = otherDim(source);
    if (dim < 0)
      return;
    Element middle = target(source);
    if (middle.axis == dim)
      return;
    std::vector<Value> parts;
    for (int64_t begin = 0; begin < source.shape[dim];) {
      Shape offsets(source.rank(), 0), steps(source.rank(), 1);
      Shape sizes = source.shape;
      offsets[dim] = begin;
      sizes[dim] = pick(1, source.shape[dim] - begin);
      begin += sizes[dim] + (chance(10) ? 1 : 0);
      slice(source, offsets, sizes, steps, sizes);
      convert(values.back(), middle);
      parts.push_back(values.back());
    }
    concat(parts, dim);
    Value whole = values.back();
    bool isBack = chance(60) && (middle.axis < 0 || source.axis() < 0 ||
                                 middle.axis == source.axis());
    convert(whole,
            isBack && source.axis() != dim ? source.element : target(whole));
  }

  void constant() {
    const Value like = any();
    Value result = add(like.shape, like.element);
    line(result,
         "mli.constant dense<" + std::to_string(pick(-100, 100)) + "> : " +
             result.typeWith("i" + std::to_string(result.element.bits())) +
             " to " + result.type());
  }
};

} // namespace

Program mli::test::randomAxisProgram(uint32_t seed) {
  return Generator(seed).run();
}
