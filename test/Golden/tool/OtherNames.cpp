// SPDX-License-Identifier: Apache-2.0

#include "OtherNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mli::golden {
namespace {

/// A function for one kernel size, whose name starts with that of the general
/// one.
struct Specialisation {
  StringRef name;
  int64_t size;
};

constexpr Specialisation specialisations[] = {
#define MLI_CONVOLUTION(name, op, types, size) {#name, size},
#define MLI_POOLING(name, op, type, size) {#name, size},
#include "mli/Runtime/C/api/mli_kernels.def"
};

/// Height and width of the kernel, which pooling has in its configuration.
std::pair<int64_t, int64_t> getKernel(const CaseSpec &spec,
                                      const json::Object &cfg) {
  auto weights = spec.inputs.find("weights");
  if (weights == spec.inputs.end())
    return {cfg.getInteger("kernel_height").value_or(0),
            cfg.getInteger("kernel_width").value_or(0)};
  if (!weights->second || !weights->second->shape ||
      weights->second->shape->size() < 2)
    return {0, 0};
  const Integers &shape = *weights->second->shape;
  return {shape[0], shape[1]};
}

bool areAll(const json::Object &cfg, ArrayRef<StringRef> fields,
            int64_t value) {
  return all_of(fields, [&](StringRef field) {
    return cfg.getInteger(field).value_or(0) == value;
  });
}

/// Whether the arguments of a general call are those of a special one.
bool isSatisfied(const Specialisation &special, const CaseSpec &spec) {
  const json::Object *cfg = spec.cfg.getAsObject();
  if (!cfg || getKernel(spec, *cfg) != std::pair(special.size, special.size))
    return false;
  // A kernel of 1x1 takes all paddings as 0.
  if (special.size == 1 && !areAll(*cfg,
                                   {"padding_left", "padding_right",
                                    "padding_top", "padding_bottom"},
                                   0))
    return false;
  return !special.name.ends_with("_str2") ||
         areAll(*cfg, {"stride_width", "stride_height"}, 2);
}

} // namespace

std::vector<std::string> otherNames(StringRef function, const CaseSpec &spec) {
  if (function == "mli_hlp_create_subtensor")
    return {"mli_hlp_subtensor"};
  // Preparing a move makes it.
  if (function == "mli_mov_tensor_sync")
    return {"mli_mov_prepare"};
  std::vector<std::string> names;
  for (const Specialisation &special : specialisations) {
    StringRef suffix = special.name;
    if (special.size != 0 && suffix.consume_front(function) &&
        suffix.starts_with("_k") && isSatisfied(special, spec))
      names.push_back(special.name.str());
  }
  return names;
}

} // namespace mli::golden
