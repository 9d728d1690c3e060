// SPDX-License-Identifier: Apache-2.0
//
// Calls of the runtime: each family with a configuration that changes nothing.

#include "TableCalls.h"

#include "mli/IR/RuntimeTensor.h"
#include "mli/Runtime/C/mli_api.h"

#include <cstring>

using namespace mlir;
using namespace mli;
using namespace mli::test;
using contract::Family;
using contract::Kinds;

namespace {
/// A table with any entries.
struct Table {
  Table() {
    std::memset(&lut, 0, sizeof(lut));
    lut.data.mem.pi16 = entries;
    lut.data.capacity = sizeof(entries);
    lut.type = MLI_EL_FX_16;
    lut.length = 512;
  }
  int16_t entries[512] = {};
  mli_lut lut;
};

constexpr size_t bytes = 4096;

/// Zeros that are aligned for every element.
class Memory {
public:
  int8_t *get() { return reinterpret_cast<int8_t *>(words.data()); }

private:
  std::vector<int64_t> words = std::vector<int64_t>(bytes / sizeof(int64_t));
};

/// Configurations of every kind, with windows of one element.
struct Configs {
  explicit Configs(int32_t slopeAxis) : prelu{slopeAxis} {
    conv.stride_width = conv.stride_height = 1;
    conv.dilation_width = conv.dilation_height = 1;
    pool.kernel_width = pool.kernel_height = 1;
    pool.stride_width = pool.stride_height = 1;
    cell.results = RNN_OUT_LAST;
    cell.scratch_data.mem.pi8 = scratch.get();
    cell.scratch_data.capacity = bytes;
  }

  mli_conv2d_cfg conv = {};
  mli_pool_cfg pool = {};
  mli_fully_connected_cfg dense = {};
  mli_rnn_dense_cfg rnn = {1};
  Memory scratch;
  mli_rnn_cell_cfg cell = {};
  mli_relu_cfg relu = {};
  mli_prelu_cfg prelu;
  mli_softmax_cfg softmax = {-1};
  mli_l2_normalize_cfg normalize = {-1};
  mli_argmax_cfg argmax = {-1, 2};
  mli_permute_cfg permute = {{0, 1, 2, 3}};
};

/// The kernel of `family` for `kinds`.
mli_status call(Family family, const Kinds &kinds, int32_t slopeAxis,
                ArrayRef<mli_tensor *> t) {
  Configs c(slopeAxis);
  Table table;
  namespace plain = contract::detail::plain;
#define MLI_RUN(what, types, call)                                             \
  if (family == (what) && kinds == plain::types)                               \
    return call;
#define MLI_CONVOLUTION(name, op, types, size)                                 \
  if ((size) == 0)                                                             \
  MLI_RUN(Family::op, types, name(t[0], t[1], t[2], &c.conv, t[3]))
#define MLI_POOLING(name, op, type, size)                                      \
  if ((size) == 0)                                                             \
  MLI_RUN(Family::op, type, name(t[0], &c.pool, t[1]))
#define MLI_FULLY_CONNECTED(name, op, types)                                   \
  MLI_RUN(Family::FullyConnected, types, name(t[0], t[1], t[2], &c.dense, t[3]))
#define MLI_RNN_DENSE(name, types)                                             \
  const mli_tensor *in##name = t[0], *weights##name = t[1];                    \
  MLI_RUN(Family::RnnDense, types,                                             \
          name(&in##name, &weights##name, t[2], &c.rnn, t[3]))
#define MLI_LSTM_CELL(name, types)                                             \
  MLI_RUN(Family::LstmCell, types,                                             \
          name(t[0], t[1], t[2], t[3], t[4], &table.lut, &table.lut, &c.cell,  \
               t[5], t[6]))
#define MLI_GRU_CELL(name, types)                                              \
  MLI_RUN(Family::GruCell, types,                                              \
          name(t[0], t[1], t[2], t[3], t[4], &table.lut, &table.lut, &c.cell,  \
               t[5]))
#define MLI_ELTWISE(name, op, type)                                            \
  MLI_RUN(Family::Eltwise##op, type, name(t[0], t[1], t[2]))
#define MLI_RELU(name, type)                                                   \
  MLI_RUN(Family::Relu, type, name(t[0], &c.relu, t[1]))
#define MLI_LEAKY_RELU(name, type)                                             \
  MLI_RUN(Family::LeakyRelu, type, name(t[0], t[1], t[2]))
#define MLI_PRELU(name, type)                                                  \
  MLI_RUN(Family::Prelu, type, name(t[0], t[1], &c.prelu, t[2]))
#define MLI_ACTIVATION(name, function, type)                                   \
  MLI_RUN((std::integral_constant<Family, contract::getFamily(#function)>()),  \
          type, name(t[0], &table.lut, t[1]))
#define MLI_SOFTMAX(name, type)                                                \
  MLI_RUN(Family::Softmax, type, name(t[0], &table.lut, &c.softmax, t[1]))
#define MLI_L2_NORMALIZE(name, type)                                           \
  MLI_RUN(Family::L2Normalize, type,                                           \
          name(t[0], nullptr, &table.lut, &c.normalize, t[1]))
#define MLI_ARGMAX(name, type)                                                 \
  MLI_RUN(Family::Argmax, type, name(t[0], &c.argmax, t[1]))
#define MLI_PERMUTE(name, type)                                                \
  MLI_RUN(Family::Permute, type, name(t[0], &c.permute, t[1]))
#include "mli/Runtime/C/api/mli_kernels.def"
  return MLI_STATUS_NOT_SUPPORTED;
}

} // namespace

mli_status TableCalls::run(ArrayRef<TableOperand> operands,
                           const Kinds &kinds) {
  std::vector<Memory> memory(operands.size());
  std::vector<std::unique_ptr<RuntimeTensor>> tensors;
  SmallVector<mli_tensor *> t;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    int8_t *begin = memory[operand.place.value_or(i)].get() + operand.offset;
    tensors.push_back(std::make_unique<RuntimeTensor>(
        cast<ShapedType>(Type(getType(operand))),
        reinterpret_cast<char *>(begin)));
    t.push_back(tensors.back()->get());
    t.back()->data.capacity = static_cast<uint32_t>(bytes - operand.offset);
    llvm::copy(operand.strides, t.back()->mem_stride);
  }
  return call(family, kinds, axis, t);
}
