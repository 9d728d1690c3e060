// SPDX-License-Identifier: Apache-2.0

#include "Arguments.h"

#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace mli::golden {

mli_tensor *Arguments::tensor(const std::string &name) {
  auto it = tensors.find(name);
  if (it == tensors.end()) {
    // Checks refuse an empty tensor, and the error is seen after the call.
    error = "expected tensor at inputs." + name;
    return &absent.get();
  }
  return it->second.pointer();
}

int64_t Arguments::numberOf(StringRef field, const json::Value &value) {
  if (std::optional<int64_t> number = value.getAsInteger())
    return *number;
  static const StringMap<int64_t> enumerators = {
#define MLI_ENUMERATOR(name) {#name, name}
      MLI_ENUMERATOR(MLI_RELU_NONE),   MLI_ENUMERATOR(MLI_RELU_GEN),
      MLI_ENUMERATOR(MLI_RELU_1),      MLI_ENUMERATOR(MLI_RELU_6),
      MLI_ENUMERATOR(RNN_DIR_FORWARD), MLI_ENUMERATOR(RNN_DIR_BACKWARD),
      MLI_ENUMERATOR(RNN_OUT_LAST),    MLI_ENUMERATOR(RNN_OUT_ALL),
      MLI_ENUMERATOR(RNN_ACT_NONE),    MLI_ENUMERATOR(RNN_ACT_TANH),
      MLI_ENUMERATOR(RNN_ACT_SIGM),
#undef MLI_ENUMERATOR
  };
  if (std::optional<StringRef> name = value.getAsString())
    if (auto it = enumerators.find(*name); it != enumerators.end())
      return it->second;
  if (error.empty())
    error = ("expected number or enumerator at cfg." + field).str();
  return 0;
}

int64_t Arguments::number(StringRef field, int64_t fallback) {
  const json::Value *value = cfg ? cfg->get(field) : nullptr;
  return value ? numberOf(field, *value) : fallback;
}

void Arguments::numbers(StringRef field,
                        function_ref<void(size_t, int64_t)> set) {
  const json::Value *value = cfg ? cfg->get(field) : nullptr;
  if (!value)
    return;
  const json::Array *array = value->getAsArray();
  if (!array || array->size() > MLI_MAX_RANK) {
    error = ("expected array of at most 4 numbers at cfg." + field).str();
    return;
  }
  for (size_t i = 0; i < array->size(); ++i)
    set(i, numberOf(field, (*array)[i]));
}

} // namespace mli::golden
