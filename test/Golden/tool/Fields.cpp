// SPDX-License-Identifier: Apache-2.0

#include "Fields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace mli::golden {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

std::string failure(const Twine &place, const Twine &expected,
                    const json::Value *found) {
  constexpr size_t mostShown = 60;
  std::string text = "none";
  if (found) {
    text.clear();
    raw_string_ostream(text) << *found;
  }
  if (text.size() > mostShown)
    text = text.substr(0, mostShown) + "...";
  return ("expected '" + place + "' to " + expected + ", but got " + text)
      .str();
}

Place Place::field(StringRef name) const {
  return {error, before, path.empty() ? name.str() : path + "." + name.str()};
}

Place Place::index(size_t i) const {
  return {error, before, path + "[" + std::to_string(i) + "]"};
}

Place Place::part(const Twine &name) const {
  return {error, before + name.str() + ": ", ""};
}

bool Place::reject(const Twine &expected, const json::Value *found) const {
  if (error->empty())
    *error = before + failure(path.empty() ? "file" : path, expected, found);
  return false;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool read(const json::Value &value, const Place &place, int64_t &target,
          Range range) {
  std::optional<int64_t> number = value.getAsInteger();
  if (!number)
    return place.reject("be an integer", &value);
  if (*number < range.least || *number > range.most)
    return place.reject("be in [" + Twine(range.least) + ", " +
                            Twine(range.most) + "]",
                        &value);
  target = *number;
  return true;
}

bool read(const json::Value &value, const Place &place, std::string &target) {
  std::optional<StringRef> text = value.getAsString();
  if (!text)
    return place.reject("be a text", &value);
  target = text->str();
  return true;
}

bool read(const json::Value &value, const Place &place, bool &target) {
  std::optional<bool> truth = value.getAsBoolean();
  if (!truth)
    return place.reject("be true or false", &value);
  target = *truth;
  return true;
}

bool read(const json::Value &value, const Place &place, Integers &target,
          Range range, size_t length) {
  const json::Array *array = value.getAsArray();
  if (!array)
    return place.reject("be a list", &value);
  if (array->size() > length)
    return place.reject("have at most " + Twine(length) + " entries", &value);
  target.resize(array->size());
  return all_of(enumerate(*array), [&](auto entry) {
    return read(entry.value(), place.index(entry.index()),
                target[entry.index()], range);
  });
}

bool read(const json::Value &value, const Place &place,
          std::vector<double> &target) {
  const json::Array *array = value.getAsArray();
  if (!array)
    return place.reject("be a list", &value);
  for (const auto &[i, entry] : enumerate(*array)) {
    std::optional<double> number = entry.getAsNumber();
    if (!number || !std::isfinite(*number))
      return place.index(i).reject("be a number", &entry);
    target.push_back(*number);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

Fields::Fields(const json::Value &value, const Place &place)
    : object(value.getAsObject()), place(place), isGood(object) {
  if (!object)
    this->place.reject("be an object", &value);
}

const json::Value *Fields::take(StringRef name, bool isRequired) {
  known.push_back(name);
  if (!isGood)
    return nullptr;
  const json::Value *value = object->get(name);
  if (!value && isRequired)
    isGood = place.field(name).reject("be there", nullptr);
  return value;
}

Fields &Fields::remark(StringRef name) {
  known.push_back(name);
  return *this;
}

bool Fields::end() {
  if (!isGood)
    return false;
  // By name, as an object has no order.
  SmallVector<StringRef> unknown;
  for (const auto &field : *object)
    if (!is_contained(known, StringRef(field.first)))
      unknown.push_back(field.first);
  if (unknown.empty())
    return true;
  sort(unknown);
  return place.field(unknown.front())
      .reject("be a field that is known", object->get(unknown.front()));
}

} // namespace mli::golden
