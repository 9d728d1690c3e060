// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a call, as vectors describe them.

#ifndef MLI_TOOLS_MLIGOLDEN_ARGUMENTS_H
#define MLI_TOOLS_MLIGOLDEN_ARGUMENTS_H

#include "GoldenTensor.h"

#include "mli/Runtime/C/mli_api.h"

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
  /// What the vector lacks, or a field that could not be read.
  std::string error;

  /// The tensor of a parameter, null where the vector says so.
  mli_tensor *tensor(const std::string &name);

  /// A number of the configuration, by value or enumerator name; `fallback`
  /// if it is absent.
  int64_t number(llvm::StringRef field, int64_t fallback = 0);

  /// The numbers of an array of the configuration, padded with `fallback`.
  template <typename Value>
  void array(llvm::StringRef field, Value (&values)[MLI_MAX_RANK]) {
    numbers(field, [&](size_t i, int64_t value) {
      values[i] = static_cast<Value>(value);
    });
  }

private:
  GoldenTensor absent;

  void numbers(llvm::StringRef field,
               llvm::function_ref<void(size_t, int64_t)> set);
  int64_t numberOf(llvm::StringRef field, const llvm::json::Value &value);
};

} // namespace mli::golden

#endif // MLI_TOOLS_MLIGOLDEN_ARGUMENTS_H
