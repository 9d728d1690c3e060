// SPDX-License-Identifier: Apache-2.0
//
// Giving every i8 value of a network the scale that TOSA does not keep.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_TOSASCALES_H
#define MLI_LIB_CONVERSION_TOSATOMLI_TOSASCALES_H

#include "TosaGroup.h"
#include "TosaProducts.h"

#include "mli/IR/MLI.h"

#include <optional>

namespace mli::raising {

/// Sets whose members' scales are known relative to each other.
class RatioForest {
public:
  /// A new set of one member; returns the member.
  unsigned add();
  /// Relative to `root`, which stands for its set: scale(member) = `factor` *
  /// scale(root).
  struct Position {
    unsigned root;
    double factor;
  };
  Position find(unsigned member);
  /// Makes the root of `child` a member of the set of `parent`, so that
  /// scale(child) = `factor` * scale(parent). The sets must differ.
  void unite(unsigned child, unsigned parent, double factor);

private:
  llvm::SmallVector<Position> positions;
};

/// Solves the constraints of groups for one scale and zero point a value.
class Scales {
public:
  /// The first group, in the order given, whose constraints contradict those
  /// before it, or for which no parameters exist; without a group the first
  /// link that does, by its number.
  struct Conflict {
    const Group *group;
    size_t link;
    std::string reason;
  };
  std::optional<Conflict> solve(llvm::ArrayRef<std::unique_ptr<Group>> groups,
                                llvm::ArrayRef<Link> links);

  /// The parameters of `value`, which must occur in a constraint.
  quant::QuantParams getParams(mlir::Value value) const;
  /// The same as an element type.
  Sa8Type getElement(mlir::Value value) const;

private:
  using Failure = std::optional<std::string>;

  /// What `group` demands, and what is said of its values already: by their
  /// types, or by casts where others are raised.
  llvm::SmallVector<Constraint> constraintsOf(const Group &group);
  /// The class of values of the same quantisation as `value`.
  unsigned classOf(mlir::Value value);
  /// Ratios and scales hold between classes only after all classes are known.
  Failure applyZeroPoint(unsigned member, int64_t zeroPoint);
  Failure applyToClasses(const Constraint &constraint);
  Failure applyToScales(const Constraint &constraint);
  Failure applyRatio(unsigned left, unsigned right, double ratio);
  Failure applyProduct(const Constraint &constraint);
  Failure applyParams(const Constraint &constraint);
  Failure applyLink(const Link &link);
  /// The logarithm of the scale of a class, as far as it is known.
  LogTerms logOf(unsigned member);

  llvm::DenseMap<mlir::Value, unsigned> members;
  llvm::DenseMap<mlir::Value, Sa8Type> casts; ///< null where there is none
  RatioForest classes;                        ///< of values; all factors are 1
  RatioForest components;                     ///< of roots of classes
  llvm::DenseMap<unsigned, int64_t> zeroPoints;    ///< by root of class
  llvm::DenseMap<unsigned, double> absoluteScales; ///< by root of component
  LogEquations equations; ///< of the other roots of components
  llvm::DenseMap<mlir::Value, quant::QuantParams> params;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_TOSASCALES_H
