// SPDX-License-Identifier: Apache-2.0
//
// Reads the fields of JSON objects into variables, all of them: what is not
// known, of another type or out of range is an error that names it.

#ifndef MLI_TEST_GOLDEN_TOOL_FIELDS_H
#define MLI_TEST_GOLDEN_TOOL_FIELDS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mli::golden {

using Integers = std::vector<int64_t>;

/// Both ends are in it.
struct Range {
  int64_t least = std::numeric_limits<int64_t>::min();
  int64_t most = std::numeric_limits<int64_t>::max();
};

/// The numbers of a type of C.
template <typename Int>
constexpr Range getRange = {
    static_cast<int64_t>(std::numeric_limits<Int>::min()),
    static_cast<int64_t>(std::numeric_limits<Int>::max())};

/// What is wrong at a place: what it is to be, and what was found, where null
/// is none.
std::string failure(const llvm::Twine &place, const llvm::Twine &expected,
                    const llvm::json::Value *found);

/// Where a value is in a file, and the first error there.
class Place {
public:
  explicit Place(std::string &error) : error(&error) {}

  Place field(llvm::StringRef name) const;
  Place index(size_t i) const;
  /// A part that errors name first; fields below it are called without what
  /// leads there.
  Place part(const llvm::Twine &name) const;

  /// Remembers the error if it is the first. Always false.
  bool reject(const llvm::Twine &expected,
              const llvm::json::Value *found) const;

private:
  Place(std::string *error, std::string part, std::string path)
      : error(error), before(std::move(part)), path(std::move(path)) {}

  std::string *error;
  std::string before, path;
};

bool read(const llvm::json::Value &value, const Place &place, int64_t &target,
          Range range = {});
bool read(const llvm::json::Value &value, const Place &place,
          std::string &target);
bool read(const llvm::json::Value &value, const Place &place, bool &target);
/// At most `length` numbers.
bool read(const llvm::json::Value &value, const Place &place, Integers &target,
          Range range = {}, size_t length = std::numeric_limits<size_t>::max());
bool read(const llvm::json::Value &value, const Place &place,
          std::vector<double> &target);

/// Null is as an absent field.
template <typename Target, typename... Limits>
bool read(const llvm::json::Value &value, const Place &place,
          std::optional<Target> &target, Limits... limits) {
  return value.getAsNull() || read(value, place, target.emplace(), limits...);
}

/// A list of objects, each with a `read` of its own.
template <typename Target>
bool readList(const llvm::json::Value &value, const Place &place,
              std::vector<Target> &target) {
  const llvm::json::Array *array = value.getAsArray();
  if (!array)
    return place.reject("be a list", &value);
  target.resize(array->size());
  for (size_t i = 0; i < array->size(); ++i)
    if (!read((*array)[i], place.index(i), target[i]))
      return false;
  return true;
}

/// An object whose fields are read one by one.
class Fields {
public:
  Fields(const llvm::json::Value &value, const Place &place);

  /// The field, which has to be there unless it is optional.
  template <typename Target, typename... Limits>
  Fields &required(llvm::StringRef name, Target &target, Limits... limits) {
    return with(name, true,
                [&](const llvm::json::Value &value, const Place &at) {
                  return read(value, at, target, limits...);
                });
  }
  template <typename Target, typename... Limits>
  Fields &optional(llvm::StringRef name, Target &target, Limits... limits) {
    return with(name, false,
                [&](const llvm::json::Value &value, const Place &at) {
                  return read(value, at, target, limits...);
                });
  }
  /// The same for a field that `reader` reads.
  template <typename Reader>
  Fields &with(llvm::StringRef name, bool isRequired, Reader reader) {
    if (const llvm::json::Value *value = take(name, isRequired))
      isGood = reader(*value, place.field(name));
    return *this;
  }
  /// A field that says nothing to this program.
  Fields &remark(llvm::StringRef name);

  /// Whether all is read, and there is nothing else.
  bool end();

private:
  const llvm::json::Value *take(llvm::StringRef name, bool isRequired);

  const llvm::json::Object *object;
  Place place;
  bool isGood;
  llvm::SmallVector<llvm::StringRef> known;
};

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_FIELDS_H
