// SPDX-License-Identifier: Apache-2.0
//
// Checks that the table of operations has those of the dialect, each once, and
// finds what it says of one that no kernel computes.

#include "TosaPatterns.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

namespace {
/// Whether an operation has a row. One that has two does not compile.
template <typename Op>
struct HasRow : std::false_type {};
#define MLI_TOSA_OPERATION(NAME, OP, ...)                                      \
  template <>                                                                  \
  struct HasRow<tosa::OP> : std::true_type {};                                 \
  static_assert(std::string_view(tosa::OP::getOperationName()) ==              \
                "tosa." #NAME);
#define MLI_TOSA_REFUSED(NAME, OP, INSTEAD)                                    \
  MLI_TOSA_OPERATION(NAME, OP, INSTEAD)
#include "TosaOperations.def"
} // namespace

template <typename... Ops>
static constexpr bool haveRows() {
  return (HasRow<Ops>::value && ...);
}
static_assert(haveRows<
#define GET_OP_LIST
#include "mlir/Dialect/Tosa/IR/TosaOps.cpp.inc"
                  >(),
              "an operation of TOSA has no row in TosaOperations.def");

StringRef raising::getInstead(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
#define MLI_TOSA_REFUSED(NAME, OP, INSTEAD)                                    \
  .Case([](tosa::OP) { return INSTEAD; })
#include "TosaOperations.def"
      .Default([](Operation *) { return ""; });
}
