// SPDX-License-Identifier: Apache-2.0
//
// Finds the scale of every value of a network, which TOSA does not keep.

#ifndef MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSASCALES_H
#define MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSASCALES_H

#include "TosaCluster.h"

#include "mli/IR/MLI.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace mli::raising {

/// The sum of logarithms of unknowns, each times its factor, and of `constant`.
struct LogTerms {
  llvm::SmallMapVector<unsigned, double, 4> factors;
  double constant = 0;

  /// Adds `weight` times `other`.
  void add(const LogTerms &other, double weight);
  void add(unsigned unknown, double weight);
};

/// Linear equations, of which each follows from those before, contradicts them,
/// or expresses one more unknown by others.
class LogEquations {
public:
  /// Adds the equation `terms` = 0. Returns nothing if it can be satisfied;
  /// else the value that the other equations give to `terms`.
  std::optional<double> require(const LogTerms &terms);
  /// The logarithm of an unknown; 0 where the equations do not determine it.
  double solve(unsigned unknown) const;

private:
  LogTerms reduce(const LogTerms &terms) const;

  llvm::DenseMap<unsigned, LogTerms> solved;
};

/// Disjoint sets of members whose scales have known ratios.
class RatioForest {
public:
  /// Adds a set of one member; returns the member.
  unsigned add();
  /// The position of a member relative to `root`, the representative of its
  /// set: scale(member) = `factor` * scale(root).
  struct Position {
    unsigned root;
    double factor;
  };
  Position find(unsigned member);
  /// Merges the set of `child` into that of `parent`, so that scale(child) =
  /// `factor` * scale(parent). The sets must differ.
  void unite(unsigned child, unsigned parent, double factor);

private:
  llvm::SmallVector<Position> positions;
};

/// Solves the constraints of clusters for one scale and zero point per value.
class Scales {
public:
  /// The first cluster, in the order given, whose constraints contradict those
  /// before it, or for which no parameters exist; without a cluster the first
  /// such link, by its index.
  struct Conflict {
    const Cluster *cluster;
    size_t link;
    std::string reason;
  };
  std::optional<Conflict>
  solve(llvm::ArrayRef<std::unique_ptr<Cluster>> clusters,
        llvm::ArrayRef<Link> links);

  /// The parameters of `value`, which must occur in a constraint.
  quant::QuantParams getParams(mlir::Value value) const;
  /// The same as an element type.
  QuantizedType getElement(mlir::Value value) const;

private:
  using Failure = std::optional<std::string>;

  /// The constraints of `cluster`, and those from the types of its values or
  /// from casts to legalized operations.
  llvm::SmallVector<Constraint> getConstraints(const Cluster &cluster);
  /// The class of values that have the quantisation of `value`.
  unsigned getClass(mlir::Value value);
  /// Applies one constraint. Ratios and scales hold between classes, so they
  /// are applied only when all classes are known.
  Failure applyZeroPoint(unsigned member, int64_t zeroPoint);
  Failure applyToClasses(const Constraint &constraint);
  Failure applyToScales(const Constraint &constraint);
  Failure applyRatio(unsigned left, unsigned right, double ratio);
  Failure applyFixedPoint(const Constraint &constraint);
  Failure applyProduct(const Constraint &constraint);
  Failure applyParams(const Constraint &constraint);
  Failure applyInsertion(const Link &link);
  /// The logarithm of the scale of a class, as far as it is known.
  LogTerms getLogScale(unsigned member);

  llvm::DenseMap<mlir::Value, unsigned> members;
  llvm::DenseMap<mlir::Value, std::optional<quant::QuantParams>>
      casts;              ///< nothing for values without a cast
  RatioForest classes;    ///< of values; all factors are 1
  RatioForest components; ///< of roots of classes
  llvm::DenseMap<unsigned, int64_t> zeroPoints;    ///< by root of class
  llvm::DenseMap<unsigned, double> absoluteScales; ///< by root of component
  /// By root of class: scales that kernels or types have, which those derived
  /// from other operations agree with.
  llvm::DenseMap<unsigned, double> fixedScales;
  LogEquations equations; ///< of the other roots of components
  llvm::DenseMap<mlir::Value, quant::QuantParams> params;
};

} // namespace mli::raising

#endif // MLI_LIB_CONVERSION_TOSATOMLI_SCALES_TOSASCALES_H
