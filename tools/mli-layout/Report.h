// SPDX-License-Identifier: Apache-2.0
//
// The answers, as text and as JSON.

#ifndef MLI_TOOLS_MLILAYOUT_REPORT_H
#define MLI_TOOLS_MLILAYOUT_REPORT_H

#include "Request.h"

#include "llvm/Support/raw_ostream.h"

namespace mli::layout {

void writeText(const Request &request, llvm::raw_ostream &os);
void writeJson(const Request &request, llvm::raw_ostream &os);
void writeJson(const std::vector<Mark> &marks, llvm::raw_ostream &os);

/// The same tensor in another layout: that of an item of --compare, or why it
/// cannot be.
struct Alternative {
  std::string name;
  Result<TensorLayout> layout;
};
llvm::Expected<std::vector<Alternative>> alternatives(const Request &request);

/// The fraction of the memory that the tensor takes in all NPUs that is not
/// elements, in [0, 1].
double getWaste(const TensorLayout &layout);

} // namespace mli::layout

#endif // MLI_TOOLS_MLILAYOUT_REPORT_H
