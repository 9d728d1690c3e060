// SPDX-License-Identifier: Apache-2.0
//
// The parts of the legalization of TOSA: clusters of operations that one kernel
// computes, the constraints of each cluster on scales and zero points, and the
// reasons why operations do not match.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSACLUSTER_H
#define MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSACLUSTER_H

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace mli::raising {

class Emitter;
class Scales;

/// Collects why operations are not legalized.
class MatchFailures {
public:
  /// Joins `parts` to the reason for `op`, unless it has one. Always fails, so
  /// that callers can return the result.
  template <typename... AxisView>
  llvm::LogicalResult add(mlir::Operation *op, const AxisView &...parts) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    (stream << ... << parts);
    reasons.try_emplace(op, std::move(text));
    return llvm::failure();
  }

  /// Adds to `op` the reason that `subject`, to whose cluster it belongs, is
  /// not legalized.
  void addMember(mlir::Operation *op, mlir::Operation *subject) {
    (void)add(op, "it belongs to '", subject->getName(),
              "', which is not raised");
    members.insert(op);
  }

  /// Whether `op` has a reason of its own.
  bool isCause(mlir::Operation *op) const {
    return reasons.contains(op) && !members.contains(op);
  }

  /// Does the same in a function that returns a pointer.
  template <typename... AxisView>
  std::nullptr_t reject(mlir::Operation *op, const AxisView &...parts) {
    (void)add(op, parts...);
    return nullptr;
  }

  /// The reason for `op`; empty if it has none.
  llvm::StringRef lookup(mlir::Operation *op) const {
    auto it = reasons.find(op);
    return it == reasons.end() ? llvm::StringRef() : it->second;
  }

private:
  llvm::DenseMap<mlir::Operation *, std::string> reasons;
  llvm::DenseSet<mlir::Operation *> members;
};

/// A constraint of a cluster on the quantisation of i8 values.
struct Constraint {
  enum class Kind { ZeroPoint, Same, Scale, Ratio, Product };

  /// The zero point of `value` is `number`.
  static Constraint zeroPoint(mlir::Value value, int64_t number) {
    return {Kind::ZeroPoint, value, {}, {}, static_cast<double>(number)};
  }
  /// Scales and zero points of both are equal.
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

  /// The values that the constraint relates.
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

/// Two values of one quantisation, since one function passes the one to the
/// other.
using Link = std::pair<mlir::Value, mlir::Value>;

/// A pattern cluster: operations that one kernel computes. `root` defines the
/// i8 result; `subject` is the operation that users know the cluster by, and
/// that failures name.
class Cluster {
public:
  Cluster(mlir::Operation *root, mlir::Operation *subject)
      : root(root), subject(subject) {}
  virtual ~Cluster() = default;

  mlir::Operation *getRoot() const { return root; }
  mlir::Operation *getSubject() const { return subject; }
  mlir::Value getResult() const { return root->getResult(0); }

  /// Returns constraints that contain all i8 values that the cluster reads and
  /// its result.
  virtual llvm::SmallVector<Constraint> getConstraints() const = 0;

  /// Chooses the parameters that depend on scales. Fails, with a reason, where
  /// the kernel has no such parameters.
  virtual llvm::LogicalResult choose(const Scales & /*scales*/,
                                     MatchFailures & /*failures*/) {
    return llvm::success();
  }

  /// Creates the operations; returns the elements of the result, in any shape.
  virtual mlir::Value emit(Emitter &emitter) const = 0;

private:
  mlir::Operation *root;
  mlir::Operation *subject;
};

/// A cluster whose result has the scale and zero point of its one input.
class SameScaleCluster : public Cluster {
public:
  SameScaleCluster(mlir::Operation *op, mlir::Value input)
      : Cluster(op, op), input(input) {}

  llvm::SmallVector<Constraint> getConstraints() const override {
    return {Constraint::same(input, getResult())};
  }

protected:
  mlir::Value input;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSACLUSTER_H
