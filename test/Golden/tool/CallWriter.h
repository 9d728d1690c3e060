// SPDX-License-Identifier: Apache-2.0
//
// Calls as C, with the values that they are made with and what comes of them.

#ifndef MLI_TEST_GOLDEN_TOOL_CALLWRITER_H
#define MLI_TEST_GOLDEN_TOOL_CALLWRITER_H

#include "CPrograms.h"

#include "mli/Runtime/C/mli_types.h"

#include <type_traits>

namespace mli::golden {

/// Writes the calls of one case, one after the other. Memory, tensors and other
/// arguments are named before each call, and forgotten after it.
class CallWriter {
public:
  explicit CallWriter(CPrograms &programs) : programs(programs) {}

  /// Bytes that the next call may reach by a pointer. What it may leave in them
  /// is compared, or not if they are its own.
  void addMemory(const std::string &name, const void *bytes, size_t size,
                 bool isCompared = true);
  void addTensor(const std::string &name, const mli_tensor &tensor);

  /// An argument of the next call as an expression.
  template <typename Value>
  std::string write(Value &value);
  std::string write(const mli_tensor *tensor);
  std::string write(mli_tensor *tensor) {
    return write(static_cast<const mli_tensor *>(tensor));
  }
  std::string write(mli_lut *lut) { return writeLut("table", *lut); }
  std::string writeLut(const std::string &name, const mli_lut &lut);
  std::string writeBytes(const void *bytes, size_t size);

  /// Declares a variable, and returns its name.
  std::string declare(const std::string &type, const std::string &name,
                      const std::string &value);
  /// A container as an initialiser: what it points to, or its value.
  std::string container(const mli_data_container &container);

  /// After the call.
  template <typename Result>
  void end(const char *function, const std::vector<std::string> &arguments,
           Result result);
  void end(const char *function, const std::vector<std::string> &arguments) {
    finish(callText(function, arguments), /*isSuccess=*/true);
  }

  /// The calls so far.
  const std::string &getBody() const { return body; }

private:
  struct Memory {
    std::string name;
    const uint8_t *bytes;
    std::vector<uint8_t> before;
    bool isCompared;
    bool isUsed = false;
  };
  template <typename Structure>
  struct Written {
    std::string name;
    const Structure *value;
    bool isUsed = false;
  };

  static std::string callText(const char *function,
                              const std::vector<std::string> &arguments);
  std::string initializer(const mli_tensor &tensor);
  std::string initializer(const mli_lut &lut);
  void finish(const std::string &call, bool isSuccess);

  CPrograms &programs;
  std::vector<Memory> memories;
  std::vector<Written<mli_tensor>> tensors;
  std::vector<Written<mli_lut>> luts;
  size_t unnamed = 0;
  std::string declarations, body;
};

template <typename Value>
std::string CallWriter::write(Value &value) {
  using Plain = std::remove_cv_t<Value>;
  if constexpr (std::is_same_v<Plain, std::nullptr_t>)
    return "NULL";
  else if constexpr (std::is_integral_v<Plain> || std::is_enum_v<Plain>)
    return std::to_string(static_cast<int64_t>(value));
  else if constexpr (std::is_array_v<Plain>)
    return writeBytes(value, sizeof(value));
  else if constexpr (std::is_function_v<Plain>)
    return "golden_keep"; // The only one that calls are given.
  else if constexpr (!std::is_pointer_v<Plain>)
    return value.write(*this);
  else
    return writeBytes(value, sizeof(*value));
}

template <typename Result>
void CallWriter::end(const char *function,
                     const std::vector<std::string> &arguments, Result result) {
  std::string kind = "number", expected;
  if constexpr (std::is_same_v<Result, const char *>) {
    kind = "text";
    expected = "\"" + std::string(result) + "\"";
  } else {
    expected = std::to_string(static_cast<int64_t>(result));
  }
  bool isSuccess = true;
  if constexpr (std::is_same_v<Result, mli_status>)
    isSuccess = result == MLI_STATUS_OK;
  finish("golden_" + kind + "(\"result\", " + expected + ", " +
             callText(function, arguments) + ")",
         isSuccess);
}

/// Calls `function`, and has `writer` write that if there is one.
template <typename Function, typename... Values>
auto callWritten(CallWriter *writer, const char *name, Function function,
                 Values &&...values) {
  using Result = decltype(function(values...));
  if (!writer)
    return function(std::forward<Values>(values)...);
  std::vector<std::string> arguments = {writer->write(values)...};
  if constexpr (std::is_void_v<Result>) {
    function(std::forward<Values>(values)...);
    writer->end(name, arguments);
  } else {
    Result result = function(std::forward<Values>(values)...);
    writer->end(name, arguments, result);
    return result;
  }
}

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_CALLWRITER_H
