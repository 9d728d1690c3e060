// SPDX-License-Identifier: Apache-2.0
//
// What a kernel takes, as structures of the C API.

#ifndef MLI_TEST_FUZZ_INTERPRETER_CALL_H
#define MLI_TEST_FUZZ_INTERPRETER_CALL_H

#include "Kernels.h"

#include "mli/IR/RuntimeTensor.h"
#include "mli/Runtime/C/mli_types.h"

#include <deque>

namespace mli::fuzz {

/// The configuration of a kernel: the member of its family is set.
union Config {
  mli_conv2d_cfg conv2d;
  mli_pool_cfg pool;
  mli_fully_connected_cfg connected;
  mli_relu_cfg relu;
  mli_prelu_cfg alongAxis;
  mli_rnn_dense_cfg dense;
  mli_rnn_cell_cfg cell;
  mli_argmax_cfg argmax;
  mli_permute_cfg permute;
  mli_mov_cfg_t mov;
};

/// A kernel with dense tensors. It refers to the elements of the run, which
/// lives longer: inputs to what they are, outputs to the results.
class Call {
public:
  explicit Call(KernelRun &run);

  KernelRun &run;
  /// In the order of the operands, without tables and numbers.
  std::vector<mli_tensor *> inputs, outputs;
  Config config;
  /// The tables in the order of their operands.
  std::vector<mli_lut> tables;

  const mli_tensor &in(size_t i) const { return *inputs[i]; }
  const mli_tensor &out() const { return *outputs.back(); }

private:
  void addConfig();
  void addTables();

  std::deque<RuntimeTensor> tensors;
  /// The entries of tables that are not operands.
  std::deque<std::vector<int16_t>> entries;
};

/// The entries of the table of `function`, by its definition.
std::vector<int16_t> computeTable(LutFunction function);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_INTERPRETER_CALL_H
