// SPDX-License-Identifier: Apache-2.0

#include "RandomTensorOps.h"

#include "llvm/ADT/STLExtras.h"

using namespace mli::test;

namespace {

class Generator : RandomTensorOps {
  using RandomTensorOps::slice;

public:
  explicit Generator(uint32_t seed) : RandomTensorOps(seed) {}

  Program run() {
    int64_t count = pick(1, 3);
    for (int64_t i = 0; i < count; ++i)
      argument(i);
    for (int64_t i = 0, e = pick(3, 12); i < e; ++i)
      step();
    return finish(", %one: index");
  }

private:
  void step() {
    switch (pick(0, 17)) {
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
    case 14:
      return refilled();
    case 15:
      return loop();
    case 16:
      return manyInsertions();
    default:
      return chance(50) ? relu() : reshape();
    }
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

  /// Parts computed one after the other into a value that is there, some of
  /// them from what others put there.
  void refilled() {
    Value whole = any();
    if (!whole.element->hasZero0)
      return;
    if (chance(40)) {
      readWhole(whole);
      whole = values.back();
    }
    auto dim = static_cast<size_t>(pick(0, whole.shape.size() - 1));
    int64_t size = (whole.shape[dim] + 1) / 2;
    for (int64_t i = 0, e = pick(2, 4); i < e; ++i) {
      Value source = slice(whole, dim, pick(0, whole.shape[dim] - size), size);
      int64_t offset = pick(0, whole.shape[dim] - size);
      // Others do not see what the last part is missing in, mostly.
      Value next = i + 1 == e || chance(10)
                       ? add(whole.shape, whole.element)
                       : Value{fresh(), whole.shape, whole.element};
      const Value former = whole;
      if (chance(15))
        readWhole(former);
      refill(whole, next, source, dim, offset);
      if (chance(5))
        readWhole(former);
      whole = next;
    }
  }

  void readWhole(const Value &whole) {
    kernel(whole, whole.shape, *whole.element, "relu",
           "{relu = #mli.relu<gen>}");
  }

  /// No round, one or two that refill what the round before handed on, or
  /// something else.
  void loop() {
    Value begin = any();
    if (!begin.element->hasZero0)
      return;
    std::string from = index(0), to = index(pick(0, 2)), step = index(1);
    Value carried = {fresh(), begin.shape, begin.element};
    Value result = {fresh(), begin.shape, begin.element};
    os << "  " << result.name << " = scf.for " << fresh() << " = " << from
       << " to " << to << " step " << step << " iter_args(" << carried.name
       << " = " << begin.name << ") -> " << getType(result) << " {\n";
    auto outside = values;
    values.push_back(chance(70) ? carried : begin);
    refilled();
    Value handed =
        *llvm::find_if(llvm::reverse(values), [&](const Value &value) {
          return value.shape == begin.shape && value.element == begin.element;
        });
    os << "  scf.yield " << handed.name << " : " << getType(handed)
       << "\n  }\n";
    values = std::move(outside);
    values.push_back(result);
  }

  /// `next` is `whole` with what is computed from `source` from `offset` on.
  void refill(const Value &whole, const Value &next, const Value &source,
              size_t dim, int64_t offset) {
    bool isInPlace = chance(70);
    Value place = {empty(source.shape, *source.element), source.shape,
                   source.element};
    if (isInPlace) {
      place = slice(whole, dim, offset, source.shape[dim]);
      values.pop_back(); // No one else sees it.
    }
    Value part = {fresh(), source.shape, source.element};
    os << "  " << part.name << " = mli.relu ins(" << source.name << " : "
       << getType(source) << ") outs(" << place.name << " : " << getType(place)
       << ") {relu = #mli.relu<" << (chance(50) ? "gen" : "none") << ">} -> "
       << getType(part) << "\n";
    put(part, whole, next, dim, offset);
  }

  /// `next` is `whole` with `part` from `offset` on.
  void put(const Value &part, const Value &whole, const Value &next, size_t dim,
           int64_t offset) {
    Sizes offsets(whole.shape.size(), 0), steps(whole.shape.size(), 1);
    offsets[dim] = offset;
    os << "  " << next.name << " = tensor.insert_slice " << part.name
       << " into " << whole.name << "[" << list(offsets) << "] ["
       << list(part.shape) << "] [" << list(steps) << "] : " << getType(part)
       << " into " << getType(whole) << "\n";
  }

  /// One whole that others begin as, maybe before it is complete, or several
  /// that begin as the same.
  void manyInsertions() {
    Value whole = any();
    if (!whole.element->hasZero0)
      return;
    auto dim = static_cast<size_t>(pick(0, whole.shape.size() - 1));
    int64_t size = whole.shape[dim], half = (size + 1) / 2;
    Value half0 = slice(whole, dim, 0, half);
    Value half1 = slice(whole, dim, size - half, half);
    if (chance(70)) {
      Value none = {empty(whole.shape, *whole.element), whole.shape,
                    whole.element};
      Value first = {fresh(), whole.shape, whole.element};
      put(half0, none, first, dim, 0);
      // Nobody reads what is not written yet.
      if (chance(30))
        half0 = slice(first, dim, 0, half);
      whole = add(whole.shape, whole.element);
      put(half1, first, whole, dim, size - half);
    }
    Value begin = chance(30) ? half0 : whole;
    for (int64_t i = 0, e = pick(1, 2); i < e; ++i)
      manyParts(begin, dim);
    if (chance(30))
      manyParts(whole, dim);
  }

  /// So many that they are worth a copy of `whole`. Kernels read what it is now
  /// and then, at once or later.
  void manyParts(Value whole, size_t dim) {
    Value part = slice(whole, dim, 0, 1);
    if (chance(80)) {
      kernel(part, part.shape, *part.element, "relu",
             "{relu = #mli.relu<gen>}");
      part = values.back();
    }
    for (int64_t i = 0, e = pick(32, 36); i < e; ++i) {
      bool isSeen = i + 1 == e || chance(2);
      Value next = isSeen ? add(whole.shape, whole.element)
                          : Value{fresh(), whole.shape, whole.element};
      put(part, whole, next, dim, pick(0, whole.shape[dim] - 1));
      whole = next;
      if (chance(5))
        readWhole(whole);
    }
  }

  /// The elements of `source` from `begin` on along `dim`.
  Value slice(const Value &source, size_t dim, int64_t begin, int64_t size) {
    Sizes shape = source.shape, offsets(shape.size(), 0),
          steps(shape.size(), 1);
    shape[dim] = size;
    offsets[dim] = begin;
    Value part = add(shape, source.element);
    os << "  " << part.name << " = tensor.extract_slice " << source.name << "["
       << list(offsets) << "] [" << list(shape) << "] [" << list(steps)
       << "] : " << getType(source) << " to " << getType(part) << "\n";
    return part;
  }

  /// Each part of a whole converted, and the whole converted again.
  void convertedParts() {
    Value first = any();
    auto dim = static_cast<size_t>(pick(0, first.shape.size() - 1));
    std::vector<Value> parts =
        chance(50) ? cut(first, dim) : partsLike(first, dim);
    const Element &middle = anyElement();
    for (Value &part : parts)
      if (part.element != &middle || chance(10)) {
        kernel(part, part.shape, middle, "convert", "");
        part = values.back();
      }
    joinParts(parts, dim);
    if (chance(80))
      kernel(values.back(), values.back().shape,
             chance(60) ? *first.element : anyElement(), "convert", "");
  }

  /// Slices of `source` along `dim` that adjoin, or nearly.
  std::vector<Value> cut(const Value &source, size_t dim) {
    std::vector<Value> parts;
    for (int64_t begin = chance(20) ? 1 : 0; begin < source.shape[dim];) {
      int64_t size = pick(1, source.shape[dim] - begin);
      Value part = slice(source, dim, begin, size);
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
           << getType(part) << ") outs(" << whole.name << " : "
           << getType(whole) << ") {dst_offsets = array<i64: " << list(offsets)
           << ">} -> " << getType(next) << "\n";
      else
        os << "  " << next.name << " = tensor.insert_slice " << part.name
           << " into " << whole.name << "[" << list(offsets) << "] ["
           << list(part.shape) << "] [" << list(steps)
           << "] : " << getType(part) << " into " << getType(whole) << "\n";
      offsets[dim] += part.shape[dim];
      whole = next;
    }
  }
};

} // namespace

Program mli::test::randomTensorProgram(uint32_t seed) {
  return Generator(seed).run();
}
