// SPDX-License-Identifier: Apache-2.0
//
// What raising TOSA is made of: groups of operations that one kernel computes,
// what each group demands of scales and zero points, and refusals.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSAGROUP_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSAGROUP_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace mli::raising {

class Emitter;
class Scales;

/// Why operations stay as they are.
class Refusals {
public:
  /// Puts `parts` together as the reason for `op`, unless it has one. Always
  /// failure, to be returned.
  template <typename... Parts>
  llvm::LogicalResult add(mlir::Operation *op, const Parts &...parts) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (stream << ... << parts);
    reasons.try_emplace(op, std::move(text));
    return llvm::failure();
  }

  /// The same in a function that returns a pointer.
  template <typename... Parts>
  std::nullptr_t refuse(mlir::Operation *op, const Parts &...parts) {
    (void)add(op, parts...);
    return nullptr;
  }

  /// The reason for `op`; empty if none was given.
  llvm::StringRef lookup(mlir::Operation *op) const {
    auto it = reasons.find(op);
    return it == reasons.end() ? llvm::StringRef() : it->second;
  }

private:
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
};

/// What a group demands of the quantisation of i8 values.
struct Constraint {
  enum class Kind { ZeroPoint, Same, Scale, Ratio, Product };

  /// The zero point of `value` is `number`.
  static Constraint zeroPoint(mlir::Value value, int64_t number) {
    return {Kind::ZeroPoint, value, {}, {}, static_cast<double>(number)};
  }
  /// Scale and zero point of both are equal.
  static Constraint same(mlir::Value value, mlir::Value other) {
    return {Kind::Same, value, other, {}, 1};
  }
  /// The scale of `value` is `number`.
  static Constraint scale(mlir::Value value, double number) {
    return {Kind::Scale, value, {}, {}, number};
  }
  /// The scale of `value` is `number` times that of `other`.
  static Constraint ratio(mlir::Value value, mlir::Value other, double number) {
    return {Kind::Ratio, value, other, {}, number};
  }
  /// The scales of `value` and `other` multiply to `number` times that of
  /// `result`.
  static Constraint product(mlir::Value value, mlir::Value other,
                            mlir::Value result, double number) {
    return {Kind::Product, value, other, result, number};
  }

  /// Those of its values that it has.
  llvm::SmallVector<mlir::Value, 3> getValues() const {
    llvm::SmallVector<mlir::Value, 3> values{value, other, result};
    llvm::erase(values, mlir::Value());
    return values;
  }

  Kind kind;
  mlir::Value value;
  mlir::Value other;
  mlir::Value result;
  double number;
};

/// Two values that one function hands to another: of one quantisation.
using Link = std::pair<mlir::Value, mlir::Value>;

/// Operations that one kernel computes. `root` gives the i8 result; `subject`
/// is the one that a user knows the group by, and that refusals name.
class Group {
public:
  Group(mlir::Operation *root, mlir::Operation *subject)
      : root(root), subject(subject) {}
  virtual ~Group() = default;

  mlir::Operation *getRoot() const { return root; }
  mlir::Operation *getSubject() const { return subject; }
  mlir::Value getResult() const { return root->getResult(0); }

  /// All i8 values that the group reads or gives occur in it.
  virtual llvm::SmallVector<Constraint> getConstraints() const = 0;

  /// Chooses what depends on scales. Fails, with a reason, where the kernel
  /// has no such parameters.
  virtual llvm::LogicalResult choose(const Scales & /*scales*/,
                                     Refusals & /*refusals*/) {
    return llvm::success();
  }

  /// Creates the operations; returns the elements of the result, in any shape.
  virtual mlir::Value emit(Emitter &emitter) const = 0;

private:
  mlir::Operation *root;
  mlir::Operation *subject;
};

/// A group whose result has the scale and zero point of its one input.
class SameScaleGroup : public Group {
public:
  SameScaleGroup(mlir::Operation *op, mlir::Value input)
      : Group(op, op), input(input) {}

  llvm::SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(input, getResult())};
  }

protected:
  mlir::Value input;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSAGROUP_H
