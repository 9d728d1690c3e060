// SPDX-License-Identifier: Apache-2.0
//
// Lists the operators of a network and what becomes of each, for all front
// ends.

#ifndef MLI_FRONTEND_INSPECTION_H
#define MLI_FRONTEND_INSPECTION_H

#include "mli/Frontend/Verdict.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

namespace mli {

/// One operator.
struct InspectedOperator {
  std::string name;
  /// Its first result, as text.
  std::string gives;
  int64_t products = 0;
  /// The kernels that compute it, as `mli.conv2d`.
  std::vector<std::string> kernels;
  /// What is printed where there are none: why not.
  std::string reason;
};

/// What `mli-translate --inspect` lists.
struct Inspection {
  /// The inputs and outputs of the network, a line each.
  std::vector<std::string> ports;
  std::vector<InspectedOperator> operators;
  /// The bytes of all constants.
  int64_t constantBytes = 0;
  /// What became of operators, and of how many.
  std::vector<std::pair<llvm::StringRef, unsigned>> states;
  Verdict verdict;

  /// How often each kernel is called, in the order of the first calls.
  llvm::MapVector<llvm::StringRef, unsigned> countKernels() const;
};

/// Prints a line for each operator, then the totals and the verdict on `file`.
void printInspection(llvm::raw_ostream &os, const Inspection &inspection,
                     llvm::StringRef file);

/// Prints one JSON object: `operators` [{`operator`, `gives`, `macs`,
/// `kernels`, `reason`}], `macs`, `weights` (bytes), `kernels` (kernel: count),
/// `runs`, `covered` (of `macs`), `blockers` [{`what`, `reason`}].
void printInspectionJson(llvm::raw_ostream &os, const Inspection &inspection);

/// Writes the members `macs`, `weights`, `kernels`, `runs` and `covered`.
void writeTotals(llvm::json::OStream &json, const Inspection &inspection);

/// Multiplies numbers of products, which are not negative; `INT64_MAX` if it is
/// less than the result.
int64_t multiplyProducts(int64_t a, int64_t b);

} // namespace mli

#endif // MLI_FRONTEND_INSPECTION_H
