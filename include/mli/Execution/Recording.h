// SPDX-License-Identifier: Apache-2.0
//
// A run with the results of its layers.

#ifndef MLI_EXECUTION_RECORDING_H
#define MLI_EXECUTION_RECORDING_H

#include "mli/Execution/Program.h"

namespace mli {

/// A layer and its result in one run.
struct LayerValue {
  RecordedLayer layer;
  /// Without data if the layer has an obstacle.
  HostTensor value;
};

struct Recording {
  /// The results of the network.
  std::vector<HostTensor> results;
  /// All layers of the function, in order.
  std::vector<LayerValue> layers;
};

/// Runs `function` of `program`, compiled to record layers, on `inputs`, from
/// the state that it starts with. It runs twice, in memory that holds one thing
/// and then another: a layer that has parts which nothing writes gets an
/// obstacle. An error reports which input does not fit or which kernel failed.
llvm::Expected<Recording> record(const Program &program,
                                 const CompiledFunction &function,
                                 llvm::ArrayRef<HostTensor> inputs);

} // namespace mli

#endif // MLI_EXECUTION_RECORDING_H
