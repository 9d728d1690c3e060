// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a call, as vectors describe them.

#ifndef MLI_TEST_GOLDEN_TOOL_ARGUMENTS_H
#define MLI_TEST_GOLDEN_TOOL_ARGUMENTS_H

#include "CallWriter.h"
#include "GoldenTensor.h"

#include "mli/Runtime/C/mli_api.h"

#include <set>
#include <type_traits>

namespace mli::golden {

/// The arguments of one call, and what it gives back besides tensors.
class Arguments {
public:
  std::map<std::string, GoldenTensor> tensors;
  /// The configuration, where it is not the null pointer.
  const llvm::json::Object *cfg = nullptr;
  /// Other than those that the tables need.
  std::map<std::string, uint32_t> lutCapacities;
  bool nullScratch = false;
  std::optional<uint32_t> scratchCapacity;

  std::optional<int64_t> returned;
  std::optional<std::string> text;
  std::optional<mli_mov_cfg_t> movConfig;
  std::optional<mli_mov_handle_t> handle;
  /// What the vector lacks, has too much, or that could not be read; with it
  /// there is no call.
  std::string error;

  /// The tensor of a parameter, null where the vector says so.
  mli_tensor *tensor(const std::string &name);

  /// Whether inputs and outputs are one memory.
  bool isInPlace() const;

  /// A number of the configuration, by value or enumerator name; 0 if it is
  /// absent.
  template <typename Value>
  Value number(llvm::StringRef field) {
    return static_cast<Value>(numberAt(field, getRange<Number<Value>>));
  }

  /// The numbers of an array of the configuration, padded with 0.
  template <typename Value>
  void array(llvm::StringRef field, Value (&values)[MLI_MAX_RANK]) {
    numbers(field, getRange<Number<Value>>, [&](size_t i, int64_t value) {
      values[i] = static_cast<Value>(value);
    });
  }

  /// Calls `function` of that name unless there is an error.
  template <typename Function, typename... Values>
  auto call(const char *name, Function function, Values &&...values) {
    using Result = decltype(function(std::forward<Values>(values)...));
    return isComplete()
               ? callBeside(name, function, std::forward<Values>(values)...)
               : Result();
  }

  /// A call before or after that: not every argument has been read.
  template <typename Function, typename... Values>
  auto callBeside(const char *name, Function function, Values &&...values) {
    if (writer)
      for (auto &[parameter, tensor] : tensors)
        tensor.describe(parameter, *writer);
    return callWritten(writer, name, function, std::forward<Values>(values)...);
  }

  /// Whether what is known by its name has to be read. Configurations of status
  /// checks are for all functions.
  bool isStrict = true;
  /// Takes all calls down, where there is one.
  CallWriter *writer = nullptr;

private:
  template <typename Value>
  using Number = typename std::conditional_t<std::is_enum_v<Value>,
                                             std::underlying_type<Value>,
                                             std::enable_if<true, Value>>::type;

  GoldenTensor absent;
  std::set<std::string> readFields, readTensors;

  /// Remembers what has nobody read as an error; whether there is none.
  bool isComplete();
  void reject(const std::string &failure);
  const llvm::json::Value *find(llvm::StringRef field);
  void numbers(llvm::StringRef field, Range range,
               llvm::function_ref<void(size_t, int64_t)> set);
  int64_t numberAt(llvm::StringRef field, Range range);
  int64_t numberOf(const std::string &place, const llvm::json::Value &value,
                   Range range);
};

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_ARGUMENTS_H
