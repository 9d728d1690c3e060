// SPDX-License-Identifier: Apache-2.0
//
// Arguments of calls that are no tensors: configurations and tables.

#ifndef MLI_TEST_GOLDEN_TOOL_CONFIGS_H
#define MLI_TEST_GOLDEN_TOOL_CONFIGS_H

#include "Arguments.h"

#include <cstring>

namespace mli::golden {

/// Sets a field of a structure, 0 if the vector has none.
template <typename Value>
void set(Value &target, Arguments &arguments, llvm::StringRef field) {
  target = arguments.number<Value>(field);
}

/// The fields of each configuration.
void read(mli_relu_cfg &cfg, Arguments &a);
void read(mli_fully_connected_cfg &cfg, Arguments &a);
void read(mli_conv2d_cfg &cfg, Arguments &a);
void read(mli_pool_cfg &cfg, Arguments &a);
void read(mli_prelu_cfg &cfg, Arguments &a);
void read(mli_argmax_cfg &cfg, Arguments &a);
void read(mli_permute_cfg &cfg, Arguments &a);
void read(mli_rnn_dense_cfg &cfg, Arguments &a);
void read(mli_point_to_subtsr_cfg &cfg, Arguments &a);
void read(mli_sub_tensor_cfg &cfg, Arguments &a);
void read(mli_mov_cfg_t &cfg, Arguments &a);

/// A configuration as an argument: null where the vector says so.
template <typename Config>
class ConfigArgument {
public:
  explicit ConfigArgument(Arguments &arguments) : isNull(!arguments.cfg) {
    // Padding too, as all bytes are written down.
    std::memset(&cfg, 0, sizeof(cfg));
    if (!isNull)
      read(cfg, arguments);
  }
  operator const Config *() const { return isNull ? nullptr : &cfg; }
  std::string write(CallWriter &writer) const {
    return isNull ? "NULL" : writer.writeBytes(&cfg, sizeof(cfg));
  }

private:
  Config cfg;
  bool isNull;
};

/// The table that a kernel is given.
class LutArgument {
public:
  LutArgument(Arguments &arguments, const char *name, int32_t (*size)(),
              mli_status (*create)(mli_lut *))
      : name(name), values(size() / sizeof(int16_t)) {
    std::memset(&lut, 0, sizeof(lut));
    lut.data.capacity = static_cast<uint32_t>(size());
    lut.data.mem.pi16 = values.data();
    create(&lut);
    auto it = arguments.lutCapacities.find(name);
    if (it != arguments.lutCapacities.end())
      lut.data.capacity = it->second;
  }
  operator const mli_lut *() const { return &lut; }
  std::string write(CallWriter &writer) const {
    writer.addMemory(name + std::string("_values"), values.data(),
                     sizeof(int16_t) * values.size());
    return writer.writeLut(name, lut);
  }

private:
  const char *name;
  std::vector<int16_t> values;
  mli_lut lut;
};

/// The configuration of a recurrent cell, with memory for its gates.
template <>
class ConfigArgument<mli_rnn_cell_cfg> {
public:
  explicit ConfigArgument(Arguments &a) : isNull(!a.cfg) {
    set(cfg.direction, a, "direction");
    set(cfg.results, a, "results");
    set(cfg.act, a, "act");
    auto described = a.number<uint32_t>("scratch_capacity");
    uint32_t capacity = a.scratchCapacity.value_or(described);
    bytes.allocate(std::min<size_t>(capacity, largestBuffer), 0x5A);
    cfg.scratch_data.capacity = capacity;
    if (!a.nullScratch)
      cfg.scratch_data.mem.pi8 = reinterpret_cast<int8_t *>(bytes.data());
  }
  operator const mli_rnn_cell_cfg *() const { return isNull ? nullptr : &cfg; }
  std::string write(CallWriter &writer);

private:
  mli_rnn_cell_cfg cfg = {};
  Buffer bytes;
  bool isNull;
};

/// The tensors `prefix`0, `prefix`1, ... as an array.
class TensorArray {
public:
  TensorArray(Arguments &arguments, const std::string &prefix) : name(prefix) {
    for (size_t i = 0; i < std::size(tensors); ++i) {
      auto name = prefix + std::to_string(i);
      if (arguments.tensors.count(name))
        tensors[i] = arguments.tensor(name);
    }
  }
  operator const mli_tensor **() { return tensors; }
  std::string write(CallWriter &writer);

private:
  std::string name;
  const mli_tensor *tensors[4] = {};
};

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_CONFIGS_H
