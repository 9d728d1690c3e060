// SPDX-License-Identifier: Apache-2.0

#include "Spec.h"

#include "Fields.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace mli::golden {

/// `quant_arrays_prefill`: the parameter arrays of an output before a move.
static bool readArrays(const json::Value &value, TensorSpec &spec,
                       json::Path path) {
  const json::Value *arrays = value.getAsObject()->get("quant_arrays_prefill");
  if (!arrays)
    return true;
  return readFields(*arrays, path.field("quant_arrays_prefill"),
                    Field("scale", spec.scale),
                    Field("scale_frac_bits", spec.scaleFracBits),
                    Field("zero_point", spec.zeroPoint));
}

static bool fromJSON(const json::Value &value, TensorSpec &spec,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("el_type", spec.elType) && map.map("rank", spec.rank) &&
         map.map("shape", spec.shape) &&
         map.map("mem_stride", spec.memStride) &&
         map.map("capacity", spec.capacity) &&
         map.map("frac_bits", spec.fracBits) && map.map("scale", spec.scale) &&
         map.map("scale_frac_bits", spec.scaleFracBits) &&
         map.map("zero_point", spec.zeroPoint) && map.map("dim", spec.dim) &&
         map.map("data", spec.data) && map.mapOptional("scalar", spec.scalar) &&
         map.mapOptional("null_data", spec.nullData) &&
         map.mapOptional("overlap", spec.overlap) &&
         map.map("quant_capacity", spec.quantCapacity) &&
         map.map("prefill_byte", spec.prefillByte) &&
         map.map("quant_out", spec.quantOut) &&
         map.map("offset_bytes", spec.offsetBytes) &&
         map.map("quant_array_offset_elems", spec.quantArrayOffset) &&
         readArrays(value, spec, path);
}

/// A tensor, or null for a null pointer.
static bool readTensor(const json::Value &value,
                       std::optional<TensorSpec> &spec, json::Path path) {
  if (value.getAsNull())
    return true;
  spec.emplace();
  return fromJSON(value, *spec, path);
}

static const json::Object *readObject(const json::Value &value,
                                      json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object)
    path.report("expected object");
  return object;
}

static bool readTensors(const json::Value &value, TensorSpecs &specs,
                        json::Path path) {
  const json::Object *object = readObject(value, path);
  return object && all_of(*object, [&](const auto &field) {
           return readTensor(field.second, specs[field.first.str()],
                             path.field(field.first));
         });
}

/// Tensors are compared as such, everything else by the call.
static bool readOutputs(const json::Value &value, CaseSpec &spec,
                        json::Path path) {
  const json::Object *object = readObject(value, path);
  if (!object)
    return false;
  TensorSpecs &after = spec.after.emplace();
  for (const auto &[name, output] : *object) {
    if (name != "out" && name != "cell")
      spec.results[name] = output;
    else if (!readTensor(output, after[name.str()], path.field(name)))
      return false;
  }
  return true;
}

/// Calls `read` if the object has the field.
template <typename Read>
static bool ifPresent(const json::Object &object, StringRef field,
                      json::Path path, Read read) {
  const json::Value *value = object.get(field);
  return !value || read(*value, path.field(field));
}

static bool fromJSON(const json::Value &value, CaseSpec &spec,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("name", spec.name) ||
      !map.mapOptional("call", spec.call) || !map.map("status", spec.status) ||
      !map.map("status_with_checks", spec.statusWithChecks) ||
      !map.mapOptional("note", spec.note))
    return false;
  const json::Object &object = *value.getAsObject();
  if (const json::Value *cfg = object.get("cfg"))
    spec.cfg = *cfg;
  auto readBefore = [&](const json::Value &tensors, json::Path at) {
    return readTensors(tensors, spec.before, at);
  };
  return ifPresent(object, "inputs", path,
                   [&](const json::Value &tensors, json::Path at) {
                     return readTensors(tensors, spec.inputs, at);
                   }) &&
         ifPresent(object, "out_init", path, readBefore) &&
         ifPresent(object, "out_before", path, readBefore) &&
         ifPresent(object, "outputs", path,
                   [&](const json::Value &outputs, json::Path at) {
                     return readOutputs(outputs, spec, at);
                   });
}

bool fromJSON(const json::Value &value, CaseFile &file, json::Path path) {
  return readFields(value, path, Field("function", file.function),
                    Field("cases", file.cases));
}

static bool fromJSON(const json::Value &value, MutationSpec &spec,
                     json::Path path) {
  return readFields(value, path, Field("mutation", spec.mutation),
                    Field("status", spec.status));
}

static bool fromJSON(const json::Value &value, MutatedFunction &function,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("function", function.function) ||
      !map.map("baseline_cfg", function.baselineCfg) ||
      !map.map("cases", function.cases))
    return false;
  const json::Value *baseline = value.getAsObject()->get("baseline");
  if (!baseline) {
    path.field("baseline").report("missing value");
    return false;
  }
  return readTensors(*baseline, function.baseline, path.field("baseline"));
}

static bool fromJSON(const json::Value &value, LutSpec &lut, json::Path path) {
  return readFields(
      value, path, Field("name", lut.name), Field("get_lut_size", lut.size),
      Field("type", lut.type), Field("length", lut.length),
      Field("in_frac_bits", lut.inFracBits),
      Field("out_frac_bits", lut.outFracBits),
      Field("input_offset", lut.inputOffset),
      Field("output_offset", lut.outputOffset), Field("data", lut.data));
}

bool fromJSON(const json::Value &value, LutFile &file, json::Path path) {
  return readFields(value, path, Field("tables", file.tables));
}

bool fromJSON(const json::Value &value, MutationFile &file, json::Path path) {
  return readFields(value, path, Field("functions", file.functions));
}

} // namespace mli::golden
