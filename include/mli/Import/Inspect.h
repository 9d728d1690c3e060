// SPDX-License-Identifier: Apache-2.0
//
// What is in a network of TFLite, and what computes it.

#ifndef MLI_IMPORT_INSPECT_H
#define MLI_IMPORT_INSPECT_H

#include "mli/Import/TFLite.h"

#include "llvm/Support/raw_ostream.h"

namespace mli::tflite {

/// Products that operator `index` of `graph` adds up; 0 where it is none that
/// multiplies with weights.
int64_t countMacs(const Graph &graph, size_t index);

/// Prints a line for each operator: what it gives, its products, the kernels
/// that compute it or why none do; then what all of them are together.
void printInspection(llvm::raw_ostream &os, const Model &model,
                     const ImportResult &result);

/// The same as one JSON object: `inputs`, `outputs` (numbers of tensors),
/// `tensors` [{`name`, `type`, `shape`, `scales`, `zero_points`, `axis`,
/// `constant`, `variable`, `offset`}], `operators` [{`operator`, `inputs`,
/// `outputs`, `macs`, `state` (imported, refused, untried or unneeded),
/// `kernels`, `reason`, `offset`}], `macs`, `weights` (bytes), `kernels`
/// (kernel: count).
void printInspectionJson(llvm::raw_ostream &os, const Model &model,
                         const ImportResult &result);

} // namespace mli::tflite

#endif // MLI_IMPORT_INSPECT_H
