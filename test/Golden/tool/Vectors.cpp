// SPDX-License-Identifier: Apache-2.0
//
// Vectors: a call, and what must come of it. Each runs without checks and with
// them.

#include "Calls.h"
#include "LocalRun.h"
#include "OtherNames.h"
#include "Runner.h"

#include "mli/Runtime/C/mli_runtime.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mli::golden {

/// The description of a tensor that is there and not null.
static const TensorSpec *find(const TensorSpecs &specs, const char *name) {
  auto it = specs.find(name);
  return it != specs.end() && it->second ? &*it->second : nullptr;
}

/// Per-axis arrays that an output brings: moves say it of the output, permutes
/// in the configuration.
static void bringArrays(const CaseSpec &spec, Arguments &arguments) {
  const TensorSpec *before = find(spec.before, "out");
  const TensorSpec *in = find(spec.inputs, "in");
  if (!before || !in)
    return;
  GoldenTensor &out = arguments.tensors["out"];
  if (before->quantOut == std::string("own"))
    out.bringParameterArrays(*before);
  if (arguments.cfg &&
      arguments.cfg->getString("quant_out") == StringRef("own") && in->scale)
    out.bringParameterArrays(in->scale->size());
}

static void buildArguments(const CaseSpec &spec, Arguments &arguments) {
  arguments.cfg = spec.cfg.getAsObject();
  for (const TensorSpecs *specs : {&spec.inputs, &spec.before})
    for (const auto &[name, tensor] : *specs)
      arguments.tensors[name].build(tensor);
  bringArrays(spec, arguments);
  // A view needs no description before the call.
  GoldenTensor &out = arguments.tensors["out"];
  const TensorSpec *before = find(spec.before, "out");
  if (arguments.isInPlace() || (before && before->overlap))
    out.share(arguments.tensors[arguments.tensors.count("in1") ? "in1" : "in"],
              /*keepCapacity=*/false);
  for (auto &[name, tensor] : arguments.tensors)
    tensor.snapshot();
}

/// What a call gives back besides tensors.
static void compareResults(const ResultSpec &expected, Arguments &arguments,
                           Differences &differences) {
  auto compare = [&](const Twine &name, int64_t expected, int64_t got) {
    if (expected != got)
      differences.push_back(
          formatv("{0}: expected {1}, but got {2}", name.str(), expected, got));
  };
  auto compareArray = [&](StringRef name, const Integers &expected,
                          const auto *values) {
    for (size_t i = 0; i < expected.size(); ++i)
      compare(name + "[" + Twine(i) + "]", expected[i],
              static_cast<int64_t>(values[i]));
  };
  if (expected.returned)
    compare("return", *expected.returned, arguments.returned.value_or(0));
  if (expected.text && arguments.text != *expected.text)
    differences.push_back(formatv("text: expected '{0}', but got '{1}'",
                                  *expected.text, arguments.text.value_or("")));
  if (expected.memStride)
    compareArray("mem_stride", *expected.memStride,
                 arguments.tensors["in"].get().mem_stride);
  auto handle = arguments.handle.value_or(mli_mov_handle_t{});
  for (auto [field, got] : {std::pair("dma_ch", int64_t{handle.dma_ch}),
                            std::pair("num_ch", int64_t{handle.num_ch}),
                            std::pair("state", int64_t{handle.state})})
    if (auto it = expected.handle.find(field); it != expected.handle.end())
      compare(field, it->second, got);
  if (!arguments.movConfig)
    return;
  const mli_mov_cfg_t &got = *arguments.movConfig;
#define MLI_FIELD(name)                                                        \
  if (auto it = expected.cfg.find(#name); it != expected.cfg.end())            \
  compareArray(#name, it->second, got.name)
  MLI_FIELD(offset);
  MLI_FIELD(size);
  MLI_FIELD(sub_sample_step);
  MLI_FIELD(dst_offset);
  MLI_FIELD(dst_mem_stride);
  MLI_FIELD(perm_dim);
  MLI_FIELD(padding_pre);
  MLI_FIELD(padding_post);
#undef MLI_FIELD
}

static void compareTensors(const CaseSpec &spec, const TensorSpecs &after,
                           Arguments &arguments, Differences &differences) {
  bool mayChange = arguments.isInPlace() || spec.results.memStride;
  GoldenTensor *original =
      arguments.tensors.count("in") ? &arguments.tensors["in"] : nullptr;
  for (auto &[name, tensor] : arguments.tensors) {
    Differences found;
    if (const TensorSpec *expected = find(after, name.c_str()))
      tensor.compare(*expected, original, found);
    else if (!mayChange && name != "out")
      tensor.compareUntouched(found);
    for (const std::string &difference : found)
      differences.push_back(formatv("{0}: {1}", name, difference));
  }
}

static void enterLocal(Arguments &arguments, LocalRun &local,
                       Differences &differences) {
  const int8_t *out = arguments.tensors["out"].get().data.mem.pi8;
  for (auto &[name, tensor] : arguments.tensors) {
    if (name == "out" || !tensor.pointer())
      continue;
    // The result of a call in place is in plain memory.
    if (tensor.get().data.mem.pi8 == out)
      local.pass(tensor.get(), differences);
    else
      local.enter(tensor.get(), differences);
  }
}

/// Also takes the results of `spec` through local memory.
static void leaveLocal(const CaseSpec &spec, Arguments &arguments,
                       LocalRun &local, Differences &differences) {
  for (auto &[name, tensor] : arguments.tensors)
    if (tensor.pointer())
      local.leave(tensor.get());
  for (auto &[name, tensor] : arguments.tensors)
    if (tensor.pointer() && find(*spec.after, name.c_str()))
      local.pass(tensor.get(), differences);
}

/// Runs a case in one mode; without an expected status any is right.
static Error runCase(const CaseSpec &spec, Call call,
                     std::optional<int64_t> status, mli_check_mode mode,
                     Differences &differences,
                     const LocalSetting *setting = nullptr,
                     CallWriter *writer = nullptr) {
  Arguments arguments;
  arguments.writer = writer;
  buildArguments(spec, arguments);
  std::optional<LocalRun> local;
  if (setting) {
    local.emplace(*setting);
    enterLocal(arguments, *local, differences);
  }
  mli_set_check_mode(mode);
  mli_status got = call(arguments);
  mli_set_check_mode(MLI_CHECK_RETURN_CODES);
  if (local && spec.after && got == MLI_STATUS_OK)
    leaveLocal(spec, arguments, *local, differences);
  if (!arguments.error.empty())
    return createStringError(arguments.error);
  if (status && got != *status)
    differences.push_back(formatv("status: expected {0}, but got {1} ({2})",
                                  *status, static_cast<int>(got),
                                  mli_status_name(got)));
  if (!status || !spec.after || got != MLI_STATUS_OK)
    return Error::success();
  compareResults(spec.results, arguments, differences);
  compareTensors(spec, *spec.after, arguments, differences);
  return Error::success();
}

/// The status with checks: a remark says that they may reject a call, but not
/// how.
static std::optional<int64_t> checkedStatus(const CaseSpec &spec) {
  if (spec.statusWithChecks || spec.note.empty())
    return spec.statusWithChecks.value_or(spec.status);
  return std::nullopt;
}

/// With checks first: what they reject against expectation is not run without.
static Error runBothModes(const CaseSpec &spec, Call call, CallWriter *writer,
                          Differences &differences) {
  if (Error error =
          runCase(spec, call, checkedStatus(spec), MLI_CHECK_RETURN_CODES,
                  differences, /*setting=*/nullptr, writer))
    return error;
  // Without outputs a vector is about the checks alone.
  if (!spec.after || !differences.empty())
    return Error::success();
  return runCase(spec, call, spec.status, MLI_CHECK_OFF, differences);
}

static Error inCase(const CaseSpec &spec, Error error) {
  return createStringError("case '" + spec.name +
                           "': " + toString(std::move(error)));
}

void CaseWriter::add(StringRef name, const Differences &differences) {
  if (writer && differences.empty())
    programs->add(name, writer->getBody());
}

Error runVectors(StringRef file, const CaseFile &cases, Totals &totals,
                 CPrograms *programs) {
  for (const CaseSpec &spec : cases.cases) {
    const std::string &function =
        spec.call.empty() ? cases.function : spec.call;
    if (!findCall(function)) {
      ++totals.skipped;
      totals.missing.insert(function);
      continue;
    }
    Differences differences;
    std::vector<std::string> names = otherNames(function, spec);
    names.insert(names.begin(), function);
    for (const std::string &name : names) {
      Differences found;
      CaseWriter writer(programs);
      if (Error error = runBothModes(spec, findCall(name), writer, found))
        return inCase(spec, std::move(error));
      writer.add(name + " " + spec.name, found);
      totals.called.insert(name);
      for (const std::string &difference : found)
        differences.push_back(
            name == function ? difference
                             : formatv("{0}: {1}", name, difference).str());
    }
    totals.count(file, formatv("{0} {1}", function, spec.name).str(),
                 differences);
  }
  return Error::success();
}

Error runLocalVectors(StringRef file, const CaseFile &cases,
                      ArrayRef<LocalSetting> settings, Totals &totals) {
  for (const CaseSpec &spec : cases.cases) {
    const std::string &function =
        spec.call.empty() ? cases.function : spec.call;
    Call call = findCall(function);
    if (!call || !spec.after || spec.status != MLI_STATUS_OK)
      continue;
    auto count = [&](const Twine &setting, const Differences &differences) {
      totals.count(
          file,
          formatv("{0} {1} {2}", function, spec.name, setting.str()).str(),
          differences);
    };
    // What checks reject against expectation is not run without.
    Differences refused;
    if (Error error = runCase(spec, call, checkedStatus(spec),
                              MLI_CHECK_RETURN_CODES, refused))
      return inCase(spec, std::move(error));
    if (!refused.empty()) {
      count("in plain memory", refused);
      continue;
    }
    for (const LocalSetting &setting : settings) {
      Differences differences;
      if (Error error = runCase(spec, call, spec.status, MLI_CHECK_OFF,
                                differences, &setting))
        return inCase(spec, std::move(error));
      count(setting.toString(), differences);
    }
  }
  return Error::success();
}

} // namespace mli::golden
