// SPDX-License-Identifier: Apache-2.0
//
// The list of layers beside the records of a run, `layers.json`: which layers
// there are, and why some have no record.

#ifndef MLI_EXECUTION_LAYERLIST_H
#define MLI_EXECUTION_LAYERLIST_H

#include "mli/Execution/Layers.h"
#include "mli/Execution/Recording.h"

namespace mli {

/// A layer as a list has it. Its number is its place in the list.
struct ListedLayer {
  /// The operation, as `conv2d`, and the place in the network.
  std::string kernel, name;
  /// The tensor as MLIR prints it.
  std::string type;
  /// The file of its record; empty if it has an obstacle.
  std::string file;
  std::string obstacle;
};

struct LayerList {
  /// A hash of each input of the run, in hexadecimal.
  std::vector<std::string> inputs;
  std::vector<ListedLayer> layers;
};

/// The name of the list in a folder of records.
inline constexpr llvm::StringLiteral layerListName = "layers.json";

/// The list of the layers of `recording`, a run on `inputs`.
LayerList listLayers(const Recording &recording,
                     llvm::ArrayRef<HostTensor> inputs);

/// Writes `list` as JSON.
void writeLayerList(llvm::raw_ostream &os, const LayerList &list);

/// What `mli-run --record` wrote to a folder, or what others recorded.
struct RecordedRun {
  /// Nothing where others recorded: their records pair with kernels in order.
  std::optional<LayerList> list;
  std::vector<LayerRecord> records;
};

/// The run in `directory`. Where it has a list, each record in it is there, and
/// no other.
llvm::Expected<RecordedRun> readRecordedRun(llvm::StringRef directory);

} // namespace mli

#endif // MLI_EXECUTION_LAYERLIST_H
