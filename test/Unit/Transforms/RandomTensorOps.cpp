// SPDX-License-Identifier: Apache-2.0

#include "RandomTensorOps.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mli::test;

static constexpr TensorElement elements[] = {
    {"!mli.fx8<3>", "i8", 1, true, true},
    {"!mli.fx8<5>", "i8", 1, true, true},
    {"!mli.fx16<9>", "i16", 2, true, true},
    {"!mli.sa8<5:6:-3>", "i8", 1, true, false},
    {"!mli.sa32<3:4:0>", "i32", 4, false, false},
};

const TensorElement &RandomTensorOps::anyElement() {
  return elements[pick(0, 4)];
}

std::string RandomTensorOps::list(const Sizes &values) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(values, stream);
  return text;
}

int64_t RandomTensorOps::countOf(const Value &value) {
  return std::accumulate(value.shape.begin(), value.shape.end(), int64_t{1},
                         std::multiplies<>());
}

void RandomTensorOps::argument(int64_t i) {
  Sizes shape;
  for (int64_t d = 0, rank = pick(1, 4); d < rank; ++d)
    shape.push_back(pick(1, 6));
  const Element *element = &anyElement();
  values.push_back({"%a" + std::to_string(i), shape, element});
  signature +=
      (i == 0 ? "" : ", ") + values.back().name + ": " + getType(values.back());
  std::vector<uint8_t> bytes(element->bytes *
                             std::accumulate(shape.begin(), shape.end(),
                                             int64_t{1}, std::multiplies<>()));
  for (uint8_t &byte : bytes)
    byte = static_cast<uint8_t>(pick(0, 255));
  program.arguments.push_back(bytes);
}

std::string RandomTensorOps::empty(const Sizes &shape, const Element &element) {
  std::string name = "%e" + std::to_string(next++);
  os << "  " << name << " = tensor.empty() : " << getType(shape, element)
     << "\n";
  return name;
}

std::string RandomTensorOps::index(int64_t number) {
  std::string name = fresh();
  os << "  " << name << " = arith.constant " << number << " : index\n";
  return name;
}

void RandomTensorOps::reshapeTo(const Value &source, const Sizes &shape) {
  Value result = add(shape, source.element);
  os << "  " << result.name << " = mli.reshape " << source.name << " : "
     << getType(source) << " to " << getType(result) << "\n";
}

void RandomTensorOps::kernel(const Value &source, const Sizes &shape,
                             const Element &element, const std::string &name,
                             const std::string &rest) {
  std::string init = empty(shape, element);
  Value result = add(shape, &element);
  os << "  " << result.name << " = mli." << name << " ins(" << source.name
     << " : " << getType(source) << ") outs(" << init << " : "
     << getType(result) << ") " << rest << " -> " << getType(result) << "\n";
}

void RandomTensorOps::slice() {
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
      isKnown ? getType(result) : getType(taking, *source.element);
  os << "  " << slice << " = tensor.extract_slice " << source.name << "["
     << offsetText << "] [" << sizeText << "] [" << list(steps)
     << "] : " << getType(source) << " to " << type << "\n";
  if (!isKnown)
    os << "  " << result.name << " = tensor.cast " << slice << " : " << type
       << " to " << getType(result) << "\n";
}

void RandomTensorOps::constant() {
  const Value like = any();
  Value result = add(like.shape, like.element);
  os << "  " << result.name << " = mli.constant dense<" << pick(-100, 100)
     << "> : " << getStorage(result) << " to " << getType(result) << "\n";
}

void RandomTensorOps::concat() {
  Value first = any();
  auto dim = pick(0, first.shape.size() - 1);
  std::vector<Value> parts = {first};
  for (const Value &value : values) {
    bool fits = value.element == first.element &&
                value.shape.size() == first.shape.size() && chance(60);
    for (size_t d = 0; fits && d < value.shape.size(); ++d)
      fits = static_cast<int64_t>(d) == dim || value.shape[d] == first.shape[d];
    if (fits && parts.size() < 4)
      parts.push_back(value);
  }
  std::shuffle(parts.begin(), parts.end(), random);
  concat(parts, dim);
}

void RandomTensorOps::pad() {
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
     << "\n  } : " << getType(source) << " to " << getType(result) << "\n";
}

void RandomTensorOps::permute() {
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

void RandomTensorOps::convert() {
  Value source = any();
  kernel(source, source.shape, anyElement(), "convert", "");
}

void RandomTensorOps::relu() {
  Value source = any();
  if (source.element->hasZero0)
    kernel(source, source.shape, *source.element, "relu",
           "{relu = #mli.relu<gen>}");
}

void RandomTensorOps::reshape() {
  Value source = any();
  int64_t count = countOf(source);
  Sizes shape = {count};
  if (count % 2 == 0 && chance(50))
    shape = {2, count / 2};
  reshapeTo(source, shape);
}

void RandomTensorOps::insert() {
  Value whole = any();
  Value part = any();
  if (part.element != whole.element || part.shape.size() != whole.shape.size())
    return;
  Sizes offsets, sizes, steps;
  for (auto [size, room] : llvm::zip(part.shape, whole.shape)) {
    int64_t step = chance(30) ? pick(2, 3) : 1;
    if ((size - 1) * step >= room)
      step = 1;
    if (size > room)
      return;
    offsets.push_back(pick(0, room - (size - 1) * step - 1));
    sizes.push_back(size);
    steps.push_back(step);
  }
  Value result = add(whole.shape, whole.element);
  os << "  " << result.name << " = tensor.insert_slice " << part.name
     << " into " << whole.name << "[" << list(offsets) << "] [" << list(sizes)
     << "] [" << list(steps) << "] : " << getType(part) << " into "
     << getType(whole) << "\n";
}
