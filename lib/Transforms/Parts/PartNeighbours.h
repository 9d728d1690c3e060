// SPDX-License-Identifier: Apache-2.0
//
// Why a part is no longer than it is.

#ifndef MLI_LIB_TRANSFORMS_PARTS_PARTNEIGHBOURS_H
#define MLI_LIB_TRANSFORMS_PARTS_PARTNEIGHBOURS_H

#include "PartChoices.h"

namespace mli::parts {

/// Compares parts with what they would be with the kernel behind them.
class PartNeighbours {
public:
  PartNeighbours(const PartGraph &all, llvm::ArrayRef<Part> parts,
                 const PartRules &rules, PartChoices &choices,
                 const KernelNames &names);

  /// Why the kernel behind part `number`, which the text names, is no part of
  /// it; both empty if there is none.
  PartReason explainNext(size_t number) const;

private:
  using Values = llvm::SmallVector<size_t, 4>;

  PartReason explain(size_t number) const;
  PartReason explainNoPart(size_t number) const;
  int64_t getAgain(size_t number) const;
  Values findResidents(size_t number) const;
  std::optional<double> findCost(PartRange range,
                                 llvm::ArrayRef<size_t> residents,
                                 int64_t again) const;
  std::optional<double> findLongerCost(size_t number) const;
  int64_t getRoom(const PartRange &range,
                  llvm::ArrayRef<size_t> residents) const;
  PartRange makeLonger(size_t number) const;
  double getDropCost(llvm::ArrayRef<size_t> values) const;

  const PartGraph &all;
  llvm::ArrayRef<Part> parts;
  const PartRules &rules;
  PartChoices &choices;
  const KernelNames &names;
  std::vector<bool> isReadInSystem;
  std::vector<Stay> stays;
  /// Products that may be computed again beside those that the parts do.
  int64_t againLeft;
};

} // namespace mli::parts

#endif // MLI_LIB_TRANSFORMS_PARTS_PARTNEIGHBOURS_H
