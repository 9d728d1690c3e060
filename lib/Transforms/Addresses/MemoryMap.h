// SPDX-License-Identifier: Apache-2.0
//
// A planned memory of a function for people, programs and pictures.

#ifndef MLI_LIB_TRANSFORMS_ADDRESSES_MEMORYMAP_H
#define MLI_LIB_TRANSFORMS_ADDRESSES_MEMORYMAP_H

#include "mli/Analysis/MemoryAnalysis.h"

namespace mli {

/// One memory of a function, with all that is printed of it. It points into the
/// `MemoryAnalysis` of the function.
struct MemoryMap {
  llvm::StringRef function;
  Space space = Space::system;
  MemoryPlan memory;
  /// Bytes of each NPU; of the arena, as many as are used.
  int64_t npuBytes = 0;
  /// In one run; nothing where memory has no banks.
  std::optional<int64_t> bankConflicts;

  int64_t getNpus() const;
  /// Users in the order of their addresses.
  llvm::SmallVector<size_t> sortByAddress() const;
  /// The address of `users[i]`, on the NPU that it starts on.
  int64_t getAddress(size_t i) const;
};

void printText(const MemoryMap &map, llvm::raw_ostream &os);
void printJson(const MemoryMap &map, llvm::raw_ostream &os);
/// One picture, those of several maps below each other.
void printSvg(llvm::ArrayRef<MemoryMap> maps, llvm::raw_ostream &os);

} // namespace mli

#endif // MLI_LIB_TRANSFORMS_ADDRESSES_MEMORYMAP_H
