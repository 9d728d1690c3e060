// SPDX-License-Identifier: Apache-2.0
//
// Comparing a network layer by layer with what another implementation recorded:
// each kernel runs alone on the recorded values of its inputs, so that errors
// do not add up.

#ifndef MLI_EXECUTION_LAYERS_H
#define MLI_EXECUTION_LAYERS_H

#include "mli/Execution/Program.h"

namespace mli {

/// The recorded result of one operator of the original network.
struct LayerRecord {
  /// Its place among the operators.
  unsigned index = 0;
  /// Its name in TFLite, as `conv_2d`, or that of a kernel, as `conv2d`.
  std::string op;
  /// The name of the file, without the folder.
  std::string file;
  HostTensor value;
};

/// The records in `directory`, files `opNN_<op>_t<tensor>.npy`, in order of NN.
llvm::Expected<std::vector<LayerRecord>>
readLayerRecords(llvm::StringRef directory);

/// The comparison of the kernel of one record.
struct LayerResult {
  /// The index of the record.
  unsigned index = 0;
  std::string file;
  /// The operation, as `mli.conv2d`.
  std::string kernel;
  size_t elements = 0;
  Difference difference;
  /// Whether the difference is what two right implementations may have:
  /// convolutions 1 step in at most 0.5 % of the elements, fully connected
  /// layers in at most 0.5 % or one, sums in 15 %, average pools anywhere, all
  /// others nowhere.
  bool isWithinRules = false;
};

/// The comparison of a network.
struct LayerComparison {
  std::vector<LayerResult> layers;
  /// Records after the last kernel, of operators that compute something.
  size_t unusedRecords = 0;
  /// The file of the first of them.
  std::string firstUnused;
};

/// Runs each kernel of `entry`, a function of mli on tensors, on `inputs` and
/// the recorded values before it, and compares what it gives. Kernels pair with
/// records in program order; records of operators that only move or rename
/// values have no kernel, and records after the last kernel are counted only.
/// A kernel that does not fit its record is an error, except for `mli.convert`
/// and `mli.relu`, which then belong to the layer around them.
llvm::Expected<LayerComparison>
compareLayers(mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> inputs,
              llvm::ArrayRef<LayerRecord> records, CompileOptions options);

/// For each kernel of `entry`, in order, the record of its result or of the
/// conversion or ReLU that belongs to it; null where there is none. Pairs them
/// as `compareLayers` does.
llvm::Expected<std::vector<const LayerRecord *>>
pairRecords(mlir::func::FuncOp entry, llvm::ArrayRef<LayerRecord> records);

/// A family of operators.
struct LayerRule {
  /// Its names in TFLite and those of its kernels, separated by spaces.
  const char *ops, *kernels;
  /// The greatest distance from the record.
  int distance = 0;
  /// The share of elements that may have a distance, or at least this number
  /// of elements.
  double share = 0;
  unsigned elements = 0;

  bool holds(const Difference &difference, size_t size) const;
  /// Whether `kernel` computes `op`, one of TFLite or the kernel's own name.
  bool allowsKernel(llvm::StringRef op, llvm::StringRef kernel) const;
};

/// The rule for the operator `op`; null if it computes nothing or is not known.
const LayerRule *findLayerRule(llvm::StringRef op);

/// Whether `op` only moves or renames values.
bool isMovingOp(llvm::StringRef op);

} // namespace mli

#endif // MLI_EXECUTION_LAYERS_H
