// SPDX-License-Identifier: Apache-2.0
//
// Calls that succeed, changed in one respect: the checks must find it.

#include "Calls.h"
#include "Runner.h"

#include "mli/Runtime/C/mli_runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mli::golden {
namespace {

/// `tensor.field[index]=value`, in parts.
struct Mutation {
  StringRef target;
  StringRef field;
  uint32_t index = 0;
  int64_t value = 0;
};

Error unknown(StringRef mutation) {
  return createStringError("expected 'mutation' to be a change that is known, "
                           "but got '" +
                           mutation + "'");
}

Expected<Mutation> parse(StringRef text) {
  Mutation mutation;
  auto [path, value] = text.split('=');
  std::tie(mutation.target, mutation.field) = path.split('.');
  if (!value.empty() && value.getAsInteger(10, mutation.value))
    return unknown(text);
  if (mutation.field.consume_back("]")) {
    auto [name, index] = mutation.field.rsplit('[');
    if (index.getAsInteger(10, mutation.index) ||
        mutation.index >= MLI_MAX_RANK)
      return unknown(text);
    mutation.field = name;
  }
  return mutation;
}

/// Sets a parameter of a tensor: entry 0 where there is an array.
template <typename Int>
void setParameter(const mli_tensor &tensor, Int *array, Int &value,
                  int64_t newValue) {
  (tensor.el_params.sa.dim < 0 ? value : array[0]) = static_cast<Int>(newValue);
}

bool mutateTensor(const Mutation &mutation, GoldenTensor &golden,
                  Arguments &arguments) {
  mli_tensor &tensor = golden.get();
  auto &sa = tensor.el_params.sa;
  StringRef field = mutation.field;
  int64_t value = mutation.value;
  if (field == "null")
    golden.setNull();
  else if (field == "data_null")
    tensor.data.mem.pi8 = nullptr;
  else if (field == "alias")
    golden.share(arguments.tensors.count("in") ? arguments.tensors["in"]
                                               : arguments.tensors["in0"],
                 /*keepCapacity=*/true);
  else if (field == "rank")
    tensor.rank = static_cast<uint32_t>(value);
  else if (field == "shape")
    tensor.shape[mutation.index] = static_cast<uint32_t>(value);
  else if (field == "mem_stride")
    tensor.mem_stride[mutation.index] = static_cast<int32_t>(value);
  else if (field == "capacity")
    tensor.data.capacity = static_cast<uint32_t>(value);
  else if (field == "el_type")
    tensor.el_type = static_cast<mli_element_type>(value);
  else if (field == "frac_bits")
    tensor.el_params.fx.frac_bits = static_cast<int8_t>(value);
  else if (field == "scale")
    setParameter(tensor, sa.scale.mem.pi16, sa.scale.mem.i16, value);
  else if (field == "zero_point")
    setParameter(tensor, sa.zero_point.mem.pi16, sa.zero_point.mem.i16, value);
  else if (field == "scale_frac_bits")
    setParameter(tensor, sa.scale_frac_bits.mem.pi8, sa.scale_frac_bits.mem.i8,
                 value);
  else if (field == "scale_capacity")
    sa.scale.capacity = static_cast<uint32_t>(value);
  else if (field == "dim")
    sa.dim = static_cast<int32_t>(value);
  else
    return false;
  return true;
}

bool mutateConfig(const Mutation &mutation, json::Object &cfg,
                  Arguments &arguments) {
  if (mutation.field == "null")
    arguments.cfg = nullptr;
  else if (mutation.field == "scratch_null")
    arguments.nullScratch = true;
  else if (mutation.field == "scratch_capacity")
    arguments.scratchCapacity = static_cast<uint32_t>(mutation.value);
  else if (cfg.get(mutation.field))
    cfg[mutation.field] = mutation.value;
  else
    return false;
  return true;
}

bool mutate(const Mutation &mutation, json::Object &cfg, Arguments &arguments) {
  if (mutation.target == "none")
    return true;
  if (mutation.target == "cfg")
    return mutateConfig(mutation, cfg, arguments);
  if (mutation.target.ends_with("_lut") && mutation.field == "capacity") {
    arguments.lutCapacities[mutation.target.str()] =
        static_cast<uint32_t>(mutation.value);
    return true;
  }
  auto it = arguments.tensors.find(mutation.target.str());
  return it != arguments.tensors.end() &&
         mutateTensor(mutation, it->second, arguments);
}

/// The configuration that the file describes in words.
json::Object baselineConfig(const MutatedFunction &function) {
  StringRef prose = function.baselineCfg;
  int64_t stride = prose.starts_with("strides 2") ? 2 : 1;
  json::Object cfg;
  cfg["relu"] = int{MLI_RELU_NONE};
  for (StringRef side : {"left", "right", "top", "bottom"})
    cfg[("padding_" + side).str()] = 0;
  for (StringRef side : {"width", "height"}) {
    cfg[("stride_" + side).str()] = stride;
    cfg[("dilation_" + side).str()] = 1;
  }
  cfg["inputs_num"] = 2;
  cfg["axis"] = -1;
  cfg["direction"] = int{RNN_DIR_FORWARD};
  cfg["results"] = int{RNN_OUT_ALL};
  cfg["act"] = int{RNN_ACT_TANH};
  // The scratch of a cell holds one element for each of the bias.
  auto bias = function.baseline.find("bias");
  auto in = function.baseline.find("in");
  if (bias == function.baseline.end() || !bias->second ||
      !bias->second->shape || in == function.baseline.end() || !in->second)
    return cfg;
  int64_t bytes = in->second->elType == MLI_EL_FX_16 ? 2 : 1;
  for (int64_t extent : *bias->second->shape)
    bytes *= extent;
  cfg["scratch_capacity"] = bytes;
  return cfg;
}

Error runMutation(const MutatedFunction &function, const MutationSpec &spec,
                  Call call, CallWriter *writer, Differences &differences) {
  json::Object cfg = baselineConfig(function);
  Arguments arguments;
  arguments.cfg = &cfg;
  arguments.isStrict = false;
  arguments.writer = writer;
  for (const auto &[name, tensor] : function.baseline)
    arguments.tensors[name].build(tensor);
  Expected<Mutation> mutation = parse(spec.mutation);
  if (!mutation)
    return mutation.takeError();
  if (!mutate(*mutation, cfg, arguments))
    return unknown(spec.mutation);
  mli_set_check_mode(MLI_CHECK_RETURN_CODES);
  mli_status got = call(arguments);
  if (!arguments.error.empty())
    return createStringError(arguments.error);
  if (got != spec.status)
    differences.push_back(formatv("status: expected {0}, but got {1} ({2})",
                                  spec.status, static_cast<int>(got),
                                  mli_status_name(got)));
  return Error::success();
}

} // namespace

Error runStatusChecks(StringRef file,
                      const std::vector<MutatedFunction> &functions,
                      Totals &totals, CPrograms *programs) {
  for (const MutatedFunction &function : functions) {
    Call call = findCall(function.function);
    if (!call) {
      totals.skipped += static_cast<int64_t>(function.cases.size());
      totals.missing.insert(function.function);
      continue;
    }
    totals.called.insert(function.function);
    for (const MutationSpec &spec : function.cases) {
      Differences differences;
      CaseWriter writer(programs);
      if (Error error = runMutation(function, spec, call, writer, differences))
        return createStringError(function.function + ": " +
                                 toString(std::move(error)));
      std::string name = function.function + " " + spec.mutation;
      writer.add(name, differences);
      totals.count(file, name, differences);
    }
  }
  return Error::success();
}

} // namespace mli::golden
