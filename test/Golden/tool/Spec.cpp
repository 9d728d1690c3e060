// SPDX-License-Identifier: Apache-2.0

#include "Spec.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mli::golden {

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static bool readHandle(const json::Value &value, const Place &place,
                       std::map<std::string, int64_t> &handle) {
  Fields fields(value, place);
  for (const char *name : {"dma_ch", "num_ch", "state"})
    fields.required(name, handle[name]);
  return fields.end();
}

/// What a builder makes of a configuration of moves.
static bool readBuilt(const json::Value &value, const Place &place,
                      std::map<std::string, Integers> &cfg) {
  Fields fields(value, place);
  for (const char *name :
       {"offset", "size", "sub_sample_step", "dst_offset", "dst_mem_stride",
        "perm_dim", "padding_pre", "padding_post"})
    fields.optional(name, cfg[name], Range(), size_t{MLI_MAX_RANK});
  return fields.end();
}

static bool readOutputs(const json::Value &value, const Place &place,
                        CaseSpec &spec) {
  TensorSpecs &after = spec.after.emplace();
  auto readTensor = [&](const char *name) {
    return [&after, name](const json::Value &tensor, const Place &at) {
      return read(tensor, at, after[name]);
    };
  };
  ResultSpec &results = spec.results;
  return Fields(value, place)
      .with("out", false, readTensor("out"))
      .with("cell", false, readTensor("cell"))
      .optional("return", results.returned)
      .optional("text", results.text)
      .optional("mem_stride", results.memStride, Range(), size_t{MLI_MAX_RANK})
      .with("handle", false,
            [&](const json::Value &handle, const Place &at) {
              return readHandle(handle, at, results.handle);
            })
      .with("cfg", false,
            [&](const json::Value &cfg, const Place &at) {
              return readBuilt(cfg, at, results.cfg);
            })
      .end();
}

/// A call whose outputs are compared also runs without checks, so that nothing
/// it is given may be null.
static bool checkCompared(const CaseSpec &spec, const Place &place) {
  if (!spec.cfg.getAsObject())
    return place.field("cfg").reject("be an object where 'outputs' are",
                                     &spec.cfg);
  json::Value null = nullptr;
  for (const auto &[part, tensors] :
       {std::pair("inputs", &spec.inputs), std::pair("out_init", &spec.before)})
    for (const auto &[name, tensor] : *tensors)
      if (!tensor)
        return place.field(part).field(name).reject(
            "be a tensor where 'outputs' are", &null);
  return true;
}

static bool read(const json::Value &value, Place place, CaseSpec &spec) {
  if (const json::Object *object = value.getAsObject())
    if (std::optional<StringRef> name = object->getString("name"))
      place = place.part("case '" + *name + "'");
  auto readCfg = [&](const json::Value &cfg, const Place &at) {
    spec.cfg = cfg;
    return cfg.getAsObject() || cfg.getAsString() == StringRef("null") ||
           at.reject("be an object or \"null\"", &cfg);
  };
  auto readAfter = [&](const json::Value &outputs, const Place &at) {
    return readOutputs(outputs, at, spec);
  };
  bool isRead = Fields(value, place)
                    .required("name", spec.name)
                    .optional("call", spec.call)
                    .with("cfg", true, readCfg)
                    .required("inputs", spec.inputs)
                    .optional("out_init", spec.before)
                    .optional("out_before", spec.before)
                    .with("outputs", false, readAfter)
                    .required("status", spec.status)
                    .optional("status_with_checks", spec.statusWithChecks)
                    .optional("note", spec.note)
                    .remark("exposes")
                    .end();
  return isRead && (!spec.after || checkCompared(spec, place));
}

bool read(const json::Value &value, const Place &place, CaseFile &file) {
  return Fields(value, place)
      .required("function", file.function)
      .with("cases", true,
            [&](const json::Value &cases, const Place &at) {
              return readList(cases, at, file.cases);
            })
      .end();
}

//===----------------------------------------------------------------------===//
// Status checks
//===----------------------------------------------------------------------===//

static bool read(const json::Value &value, const Place &place,
                 MutationSpec &spec) {
  return Fields(value, place)
      .required("mutation", spec.mutation)
      .required("status", spec.status)
      .end();
}

static bool read(const json::Value &value, Place place,
                 MutatedFunction &function) {
  if (const json::Object *object = value.getAsObject())
    if (std::optional<StringRef> name = object->getString("function"))
      place = place.part(*name);
  return Fields(value, place)
      .required("function", function.function)
      .required("baseline", function.baseline)
      .required("baseline_cfg", function.baselineCfg)
      .with("cases", true,
            [&](const json::Value &cases, const Place &at) {
              return readList(cases, at, function.cases);
            })
      .end();
}

bool read(const json::Value &value, const Place &place, MutationFile &file) {
  return Fields(value, place)
      .with("functions", true,
            [&](const json::Value &functions, const Place &at) {
              return readList(functions, at, file.functions);
            })
      .remark("function")
      .remark("note")
      .end();
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static bool read(const json::Value &value, const Place &place, LutSpec &lut) {
  return Fields(value, place)
      .required("name", lut.name)
      .required("get_lut_size", lut.size)
      .required("type", lut.type)
      .required("length", lut.length)
      .required("in_frac_bits", lut.inFracBits)
      .required("out_frac_bits", lut.outFracBits)
      .required("input_offset", lut.inputOffset)
      .required("output_offset", lut.outputOffset)
      .required("data_capacity_after", lut.capacityAfter)
      .required("data", lut.data)
      .end();
}

bool read(const json::Value &value, const Place &place, LutFile &file) {
  return Fields(value, place)
      .with("tables", true,
            [&](const json::Value &tables, const Place &at) {
              return readList(tables, at, file.tables);
            })
      .remark("function")
      .end();
}

} // namespace mli::golden
