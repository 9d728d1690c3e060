// SPDX-License-Identifier: Apache-2.0
//
// Reports the contents of a TFLite network and the kernels that compute it.

#ifndef MLI_IMPORT_INSPECT_H
#define MLI_IMPORT_INSPECT_H

#include "mli/Frontend/Inspection.h"
#include "mli/Import/TFLite.h"

#include "llvm/Support/raw_ostream.h"

namespace mli::tflite {

/// The number of products that operator `index` of `graph` accumulates; 0 for
/// operators without weights.
int64_t countMacs(const Graph &graph, size_t index);
/// That of all operators.
int64_t countMacs(const Graph &graph);

/// The tensors that the largest part in front gives that imports; none if it
/// has no products.
std::vector<int32_t> findImportedOutputs(const Graph &graph,
                                         const ImportResult &result);
/// The options that ask for `outputs`.
std::string formatOutputOptions(llvm::ArrayRef<int32_t> outputs);

/// Says whether the network runs.
Verdict judge(const Model &model, const ImportResult &result);

/// Lists each operator: its output, products, and kernels, or the reason why
/// there are none.
Inspection inspect(const Model &model, const ImportResult &result);

/// Prints one JSON object: `inputs`, `outputs` (indices of tensors), `tensors`
/// [{`name`, `type`, `shape`, `scales`, `zero_points`, `axis`, `constant`,
/// `variable`, `offset`}], `operators` [{`operator`, `inputs`, `outputs`,
/// `macs`, `state` (imported, refused, untried, unneeded or cut), `kernels`,
/// `reason`, `offset`}], `macs`, `weights` (bytes), `kernels` (kernel: count),
/// `runs`, `covered` (of `macs`), `cuts` [{`behind`, `operators`, `tensors`}].
void printInspectionJson(llvm::raw_ostream &os, const Model &model,
                         const ImportResult &result);

} // namespace mli::tflite

#endif // MLI_IMPORT_INSPECT_H
