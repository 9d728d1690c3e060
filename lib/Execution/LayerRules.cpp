// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Layers.h"

#include "llvm/ADT/StringExtras.h"

using namespace mli;

static constexpr LayerRule rules[] = {
    {"conv_2d depthwise_conv_2d",
     "mli.conv2d mli.depthwise_conv2d mli.group_conv2d mli.fully_connected", 1,
     0.005},
    {"fully_connected", "mli.fully_connected mli.conv2d", 1, 0.005, 1},
    {"add", "mli.eltwise_add", 1, 0.15},
    {"average_pool_2d mean", "mli.avepool mli.depthwise_conv2d", 1, 1},
    {"max_pool_2d reduce_max", "mli.maxpool"},
    {"softmax", "mli.softmax"},
    {"relu relu6 relu_n1_to_1", "mli.relu"},
    {"quantize dequantize", "mli.convert"},
};

/// Kernels that `mli-run --record` writes records of, and no other program.
static constexpr char exactKernels[] =
    "mli.transpose_conv2d mli.rnn_dense mli.lstm_cell mli.gru_cell mli.argmax "
    "mli.permute mli.leaky_relu mli.prelu mli.sigm mli.tanh mli.l2_normalize "
    "mli.eltwise_sub mli.eltwise_mul mli.eltwise_min mli.eltwise_max";
static constexpr LayerRule exactRule = {"", exactKernels};

static constexpr char movingOps[] =
    "reshape squeeze expand_dims pad padv2 slice strided_slice split split_v "
    "concatenation pack unpack transpose";

static bool contains(llvm::StringRef words, llvm::StringRef word) {
  llvm::SmallVector<llvm::StringRef> list;
  words.split(list, ' ');
  return llvm::is_contained(list, word);
}

bool LayerRule::holds(const Difference &difference, size_t size) const {
  if (difference.elements == 0)
    return true;
  // So that NaN, the distance of what is no number, does not hold.
  return difference.greatest <= distance &&
         (difference.elements <= elements ||
          static_cast<double>(difference.elements) <=
              share * static_cast<double>(size));
}

bool LayerRule::allowsKernel(llvm::StringRef op, llvm::StringRef kernel) const {
  return contains(ops, op) ? contains(kernels, kernel)
                           : kernel == ("mli." + op).str();
}

const LayerRule *mli::findLayerRule(llvm::StringRef op) {
  for (const LayerRule &rule : rules)
    if (contains(rule.ops, op))
      return &rule;
  std::string kernel = ("mli." + op).str();
  for (const LayerRule &rule : rules)
    if (contains(rule.kernels, kernel))
      return &rule;
  return contains(exactKernels, kernel) ? &exactRule : nullptr;
}

bool mli::isMovingOp(llvm::StringRef op) { return contains(movingOps, op); }
