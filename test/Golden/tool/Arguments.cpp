// SPDX-License-Identifier: Apache-2.0

#include "Arguments.h"

#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace mli::golden {

void Arguments::reject(const std::string &failure) {
  if (error.empty())
    error = failure;
}

mli_tensor *Arguments::tensor(const std::string &name) {
  readTensors.insert(name);
  auto it = tensors.find(name);
  if (it == tensors.end()) {
    reject(failure("inputs." + name, "be there", nullptr));
    return &absent.get();
  }
  return it->second.pointer();
}

bool Arguments::isInPlace() const {
  return cfg && cfg->getBoolean("in_place").value_or(false);
}

bool Arguments::isComplete() {
  // Every call has an output, if only to be compared.
  for (const auto &[name, tensor] : tensors)
    if (isStrict && name != "out" && !readTensors.count(name))
      reject("expected '" + name + "' to be a parameter, but got another name");
  if (!isStrict || !cfg)
    return error.empty();
  for (StringRef name : {"in_place", "quant_out"})
    readFields.insert(name.str());
  std::set<std::string> unknown;
  for (const auto &field : *cfg)
    if (!readFields.count(field.first.str()))
      unknown.insert(field.first.str());
  if (!unknown.empty())
    reject(failure("cfg." + *unknown.begin(), "be a field that is known",
                   cfg->get(*unknown.begin())));
  return error.empty();
}

const json::Value *Arguments::find(StringRef field) {
  readFields.insert(field.str());
  return cfg ? cfg->get(field) : nullptr;
}

int64_t Arguments::numberOf(const std::string &place, const json::Value &value,
                            Range range) {
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
  std::optional<int64_t> number = value.getAsInteger();
  if (!number)
    reject(failure(place, "be a number or an enumerator", &value));
  else if (*number < range.least || *number > range.most)
    reject(failure(
        place, "be in [" + Twine(range.least) + ", " + Twine(range.most) + "]",
        &value));
  return number.value_or(0);
}

int64_t Arguments::numberAt(StringRef field, Range range) {
  const json::Value *value = find(field);
  return value ? numberOf("cfg." + field.str(), *value, range) : 0;
}

void Arguments::numbers(StringRef field, Range range,
                        function_ref<void(size_t, int64_t)> set) {
  const json::Value *value = find(field);
  if (!value)
    return;
  std::string place = "cfg." + field.str();
  const json::Array *array = value->getAsArray();
  if (!array || array->size() > MLI_MAX_RANK)
    return reject(failure(place, "be a list of at most 4 numbers", value));
  for (size_t i = 0; i < array->size(); ++i)
    set(i, numberOf(place + "[" + std::to_string(i) + "]", (*array)[i], range));
}

} // namespace mli::golden
