// SPDX-License-Identifier: Apache-2.0

#include "ProgramWriter.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <numeric>

using namespace mli::test;
using Sizes = llvm::SmallVector<int64_t, 4>;

namespace {

struct Element {
  const char *type;
  const char *storage;
  int64_t bytes;
  bool isMap;    ///< permute takes it
  bool hasZero0; ///< zero point 0: relu is known
};
constexpr Element elements[] = {
    {"!mli.fx8<3>", "i8", 1, true, true},
    {"!mli.fx8<5>", "i8", 1, true, true},
    {"!mli.fx16<9>", "i16", 2, true, true},
    {"!mli.sa8<5:6:-3>", "i8", 1, true, false},
    {"!mli.sa32<3:4:0>", "i32", 4, false, false},
};

struct Value {
  std::string name;
  Sizes shape;
  const Element *element;

  std::string type() const { return tensorType(shape, element->type); }
};

class Generator : ProgramWriter<Value> {
public:
  explicit Generator(uint32_t seed) : ProgramWriter(seed) {}

  Program run() {
    int64_t count = pick(1, 3);
    for (int64_t i = 0; i < count; ++i)
      argument(i);
    for (int64_t i = 0, e = pick(3, 12); i < e; ++i)
      step();
    return finish(", %one: index");
  }

private:
  static std::string typeOf(const Sizes &shape, const Element &element) {
    return tensorType(shape, element.type);
  }
  static std::string storageOf(const Value &value) {
    return tensorType(value.shape, value.element->storage);
  }
  static std::string typeOf(const Value &value) { return value.type(); }
  static std::string list(const Sizes &values) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::interleaveComma(values, stream);
    return text;
  }
  std::string empty(const Sizes &shape, const Element &element) {
    std::string name = "%e" + std::to_string(next++);
    os << "  " << name << " = tensor.empty() : " << typeOf(shape, element)
       << "\n";
    return name;
  }

  void argument(int64_t i) {
    Sizes shape;
    for (int64_t d = 0, rank = pick(1, 4); d < rank; ++d)
      shape.push_back(pick(1, 6));
    const Element *element = &elements[pick(0, 4)];
    values.push_back({"%a" + std::to_string(i), shape, element});
    signature += (i == 0 ? "" : ", ") + values.back().name + ": " +
                 typeOf(values.back());
    std::vector<uint8_t> bytes(
        element->bytes * std::accumulate(shape.begin(), shape.end(), int64_t{1},
                                         std::multiplies<>()));
    for (uint8_t &byte : bytes)
      byte = static_cast<uint8_t>(pick(0, 255));
    program.arguments.push_back(bytes);
  }

  void step() {
    switch (pick(0, 14)) {
    case 0:
    case 1:
    case 2:
      return slice();
    case 3:
    case 4:
      return concat();
    case 5:
      return pad();
    case 6:
      return permute();
    case 7:
      return convert();
    case 8:
      return insert();
    case 9:
    case 10:
      return convertedParts();
    case 11:
    case 12:
      return sharedParts();
    case 13:
      return constant();
    default:
      return chance(50) ? relu() : reshape();
    }
  }

  void slice() {
    Value source = any();
    Sizes offsets, sizes, steps, kept;
    bool reduces = chance(40);
    std::string offsetText, sizeText;
    Sizes taking;
    for (int64_t size : source.shape) {
      int64_t offset = pick(0, size - 1);
      int64_t step = chance(20) ? pick(2, 3) : 1;
      int64_t most = (size - offset - 1) / step + 1;
      int64_t taken = chance(30) ? 1 : pick(1, most);
      // An argument is 1 where the program runs.
      offsetText += (offsetText.empty() ? "" : ", ");
      offsetText += offset == 1 && chance(30) ? "%one" : std::to_string(offset);
      sizeText += (sizeText.empty() ? "" : ", ");
      bool isValue = !reduces && chance(10);
      sizeText += isValue ? index(taken) : std::to_string(taken);
      taking.push_back(isValue ? -1 : taken);
      sizes.push_back(taken);
      steps.push_back(step);
      if (taken != 1 || !reduces || chance(40))
        kept.push_back(taken);
    }
    if (kept.empty())
      kept.push_back(1);
    Value result = add(kept, source.element);
    bool isKnown = !llvm::is_contained(taking, -1);
    std::string slice = isKnown ? result.name : fresh();
    std::string type =
        isKnown ? typeOf(result) : typeOf(taking, *source.element);
    os << "  " << slice << " = tensor.extract_slice " << source.name << "["
       << offsetText << "] [" << sizeText << "] [" << list(steps)
       << "] : " << typeOf(source) << " to " << type << "\n";
    if (!isKnown)
      os << "  " << result.name << " = tensor.cast " << slice << " : " << type
         << " to " << typeOf(result) << "\n";
  }

  /// A number as a value.
  std::string index(int64_t number) {
    std::string name = fresh();
    os << "  " << name << " = arith.constant " << number << " : index\n";
    return name;
  }

  void constant() {
    const Value like = any();
    Value result = add(like.shape, like.element);
    os << "  " << result.name << " = mli.constant dense<" << pick(-100, 100)
       << "> : " << storageOf(result) << " to " << typeOf(result) << "\n";
  }

  /// Parts that others read before they are put together and behind that, where
  /// the whole may have been written over, in one shape or another.
  void sharedParts() {
    Value first = any();
    if (!first.element->hasZero0)
      return;
    auto dim = static_cast<size_t>(pick(0, first.shape.size() - 1));
    std::vector<Value> parts, computed;
    for (int64_t i = 0, e = pick(2, 3); i < e; ++i) {
      const Value &from =
          computed.empty() || chance(50) ? first : computed.back();
      kernel(from, first.shape, *first.element, "relu",
             chance(50) ? "{relu = #mli.relu<gen>}"
                        : "{relu = #mli.relu<none>}");
      parts.push_back(values.back());
      computed.push_back(values.back());
      if (chance(40)) {
        Sizes shape = first.shape;
        shape.insert(shape.begin(), 1);
        if (shape.size() <= 4 && i == 0)
          reshapeTo(computed.back(), shape);
      }
    }
    if (chance(30))
      parts.push_back(parts.front());
    if (chance(30)) {
      // Rows of another shape.
      for (Value &part : parts) {
        int64_t count = countOf(part);
        reshapeTo(part, {count});
        part = values.back();
      }
      dim = 0;
    }
    concat(parts, dim);
    Value whole = values.back();
    kernel(whole, whole.shape, *whole.element, "relu",
           "{relu = #mli.relu<gen>}");
    if (chance(60))
      kernel(computed.front(), first.shape, *first.element, "relu",
             "{relu = #mli.relu<gen>}");
  }

  static int64_t countOf(const Value &value) {
    return std::accumulate(value.shape.begin(), value.shape.end(), int64_t{1},
                           std::multiplies<>());
  }

  void reshapeTo(const Value &source, const Sizes &shape) {
    Value result = add(shape, source.element);
    os << "  " << result.name << " = mli.reshape " << source.name << " : "
       << typeOf(source) << " to " << typeOf(result) << "\n";
  }

  using ProgramWriter::concat;
  void concat() {
    Value first = any();
    auto dim = pick(0, first.shape.size() - 1);
    std::vector<Value> parts = {first};
    for (const Value &value : values) {
      bool fits = value.element == first.element &&
                  value.shape.size() == first.shape.size() && chance(60);
      for (size_t d = 0; fits && d < value.shape.size(); ++d)
        fits =
            static_cast<int64_t>(d) == dim || value.shape[d] == first.shape[d];
      if (fits && parts.size() < 4)
        parts.push_back(value);
    }
    std::shuffle(parts.begin(), parts.end(), random);
    concat(parts, dim);
  }

  void pad() {
    Value source = any();
    Sizes low, high, shape;
    std::string block;
    for (size_t d = 0; d < source.shape.size(); ++d) {
      low.push_back(pick(0, 2));
      high.push_back(pick(0, 2));
      shape.push_back(source.shape[d] + low[d] + high[d]);
      block += (d == 0 ? "%i" : ", %i") + std::to_string(d) + ": index";
    }
    std::string code = "%c" + std::to_string(next++);
    Value result = add(shape, source.element);
    const Element &element = *source.element;
    os << "  " << code << "t = mli.constant dense<"
       << (chance(60) ? 0 : pick(-100, 100)) << "> : tensor<" << element.storage
       << "> to tensor<" << element.type << ">\n  " << code
       << " = tensor.extract " << code << "t[] : tensor<" << element.type
       << ">\n  " << result.name << " = tensor.pad " << source.name << " low["
       << list(low) << "] high[" << list(high) << "] {\n  ^bb0(" << block
       << "):\n    tensor.yield " << code << " : " << element.type
       << "\n  } : " << typeOf(source) << " to " << typeOf(result) << "\n";
  }

  void kernel(const Value &source, const Sizes &shape, const Element &element,
              const std::string &name, const std::string &rest) {
    std::string init = empty(shape, element);
    Value result = add(shape, &element);
    os << "  " << result.name << " = mli." << name << " ins(" << source.name
       << " : " << typeOf(source) << ") outs(" << init << " : "
       << typeOf(result) << ") " << rest << " -> " << typeOf(result) << "\n";
  }

  void permute() {
    Value source = any();
    if (!source.element->isMap)
      return;
    Sizes order(source.shape.size()), shape;
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    for (int64_t dim : order)
      shape.push_back(source.shape[dim]);
    kernel(source, shape, *source.element, "permute",
           "permutation [" + list(order) + "]");
  }

  void convert() {
    Value source = any();
    kernel(source, source.shape, elements[pick(0, 4)], "convert", "");
  }

  /// Each part of a whole converted, and the whole converted again.
  void convertedParts() {
    Value first = any();
    auto dim = static_cast<size_t>(pick(0, first.shape.size() - 1));
    std::vector<Value> parts =
        chance(50) ? cut(first, dim) : partsLike(first, dim);
    const Element &middle = elements[pick(0, 4)];
    for (Value &part : parts)
      if (part.element != &middle || chance(10)) {
        kernel(part, part.shape, middle, "convert", "");
        part = values.back();
      }
    joinParts(parts, dim);
    if (chance(80))
      kernel(values.back(), values.back().shape,
             chance(60) ? *first.element : elements[pick(0, 4)], "convert", "");
  }

  /// Slices of `source` along `dim` that adjoin, or nearly.
  std::vector<Value> cut(const Value &source, size_t dim) {
    std::vector<Value> parts;
    for (int64_t begin = chance(20) ? 1 : 0; begin < source.shape[dim];) {
      Value part = source;
      part.shape[dim] = pick(1, source.shape[dim] - begin);
      Sizes offsets(source.shape.size(), 0), steps(source.shape.size(), 1);
      offsets[dim] = begin;
      part = add(part.shape, source.element);
      os << "  " << part.name << " = tensor.extract_slice " << source.name
         << "[" << list(offsets) << "] [" << list(part.shape) << "] ["
         << list(steps) << "] : " << typeOf(source) << " to " << typeOf(part)
         << "\n";
      begin += part.shape[dim] + (chance(10) ? 1 : 0);
      parts.push_back(part);
    }
    return parts.empty() ? std::vector<Value>{source} : parts;
  }

  /// `first` and values of any element that differ from it in size along `dim`
  /// only.
  std::vector<Value> partsLike(const Value &first, size_t dim) {
    std::vector<Value> parts = {first};
    for (const Value &value : values) {
      Sizes shape = value.shape;
      if (shape.size() == first.shape.size() && parts.size() < 4) {
        shape[dim] = first.shape[dim];
        if (shape == first.shape && chance(60))
          parts.push_back(value);
      }
    }
    return parts;
  }

  /// By one operation, or by one for each part.
  void joinParts(const std::vector<Value> &parts, size_t dim) {
    if (chance(40))
      return concat(parts, dim);
    Sizes shape = parts.front().shape, offsets(shape.size(), 0);
    const Element &element = *parts.front().element;
    for (const Value &part : llvm::drop_begin(parts))
      shape[dim] += part.shape[dim];
    Value whole = {empty(shape, element), shape, &element};
    Sizes steps(shape.size(), 1);
    bool isMoved = chance(50);
    for (const Value &part : parts) {
      // Nobody reads what is not written yet.
      Value next = &part == &parts.back() ? add(shape, &element)
                                          : Value{fresh(), shape, &element};
      if (isMoved)
        os << "  " << next.name << " = mli.mov ins(" << part.name << " : "
           << typeOf(part) << ") outs(" << whole.name << " : " << typeOf(whole)
           << ") {dst_offsets = array<i64: " << list(offsets) << ">} -> "
           << typeOf(next) << "\n";
      else
        os << "  " << next.name << " = tensor.insert_slice " << part.name
           << " into " << whole.name << "[" << list(offsets) << "] ["
           << list(part.shape) << "] [" << list(steps) << "] : " << typeOf(part)
           << " into " << typeOf(whole) << "\n";
      offsets[dim] += part.shape[dim];
      whole = next;
    }
  }

  void relu() {
    Value source = any();
    if (source.element->hasZero0)
      kernel(source, source.shape, *source.element, "relu",
             "{relu = #mli.relu<gen>}");
  }

  void reshape() {
    Value source = any();
    int64_t count = countOf(source);
    Sizes shape = {count};
    if (count % 2 == 0 && chance(50))
      shape = {2, count / 2};
    reshapeTo(source, shape);
  }

  /// A part of one value, computed or not, into another.
  void insert() {
    Value whole = any();
    Value part = any();
    if (part.element != whole.element ||
        part.shape.size() != whole.shape.size())
      return;
    Sizes offsets, sizes, steps(whole.shape.size(), 1);
    for (auto [size, room] : llvm::zip(part.shape, whole.shape)) {
      if (size > room)
        return;
      offsets.push_back(pick(0, room - size));
      sizes.push_back(size);
    }
    Value result = add(whole.shape, whole.element);
    os << "  " << result.name << " = tensor.insert_slice " << part.name
       << " into " << whole.name << "[" << list(offsets) << "] [" << list(sizes)
       << "] [" << list(steps) << "] : " << typeOf(part) << " into "
       << typeOf(whole) << "\n";
  }
};

} // namespace

Program mli::test::randomTensorProgram(uint32_t seed) {
  return Generator(seed).run();
}
