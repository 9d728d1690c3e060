// SPDX-License-Identifier: Apache-2.0
//
// Visits classes of operations by interface or trait, in place of lists by
// hand: a class that a visitor does not handle does not compile.

#ifndef MLI_IR_KERNELOPS_H
#define MLI_IR_KERNELOPS_H

#include "mli/IR/MLI.h"

namespace mli {

/// Stands for a class of operations, as the argument of a generic lambda.
template <typename ConcreteOp>
struct OpClass {
  using Type = ConcreteOp;
};

namespace detail {
template <typename Visitor, typename... Ops>
bool visitOps(Visitor visit) {
  return (visit(OpClass<Ops>()) || ...);
}
} // namespace detail

/// Calls `visit` with the `OpClass` of each class of operations of the dialect,
/// but for those of schedules, until it returns true. Returns whether it did.
template <typename Visitor>
bool anyOp(Visitor visit) {
  return detail::visitOps<Visitor,
#define GET_OP_LIST
#include "mli/IR/MLIOps.cpp.inc"
                          >(visit);
}

/// Calls `visit` with the `OpClass` of each class of operations that has
/// `Trait`, which may be the `Trait` of an interface.
template <template <typename> class Trait, typename Visitor>
void forEachOpWith(Visitor visit) {
  anyOp([&](auto op) {
    if constexpr (decltype(op)::Type::template hasTrait<Trait>())
      visit(op);
    return false;
  });
}

/// Calls `visit` with the `OpClass` of each kernel.
template <typename Visitor>
void forEachKernelOp(Visitor visit) {
  forEachOpWith<KernelOpInterface::Trait>(visit);
}

/// Returns the result of `visit` for `kernel`, as an operation of its own
/// class.
template <typename Result, typename Visitor>
Result visitKernel(KernelOpInterface kernel, Visitor visit) {
  std::optional<Result> result;
  anyOp([&](auto op) {
    using Op = typename decltype(op)::Type;
    if constexpr (Op::template hasTrait<KernelOpInterface::Trait>())
      if (auto concrete = llvm::dyn_cast<Op>(*kernel))
        result.emplace(visit(concrete));
    return result.has_value();
  });
  return std::move(*result);
}

} // namespace mli

#endif // MLI_IR_KERNELOPS_H
