// SPDX-License-Identifier: Apache-2.0
//
// Programs of C that make the calls of vectors again, for machines that this
// one is not.

#ifndef MLI_TEST_GOLDEN_TOOL_CPROGRAMS_H
#define MLI_TEST_GOLDEN_TOOL_CPROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace mli::golden {

/// Each has a part of the cases, and test/Golden/Inputs/programs around them.
class CPrograms {
public:
  /// The name of constant bytes in the program that the next case belongs to.
  std::string constant(llvm::ArrayRef<uint8_t> bytes);

  /// Adds a case: statements of C.
  void add(llvm::StringRef name, llvm::StringRef body);

  /// Writes the programs to a folder that is not there yet.
  llvm::Error write(llvm::StringRef folder);

  size_t cases() const { return caseCount; }

private:
  /// What a small processor has place for: of 4 MB, the kernels take one.
  static constexpr size_t mostCases = 1000;
  static constexpr size_t mostConstantBytes = 1 << 20;

  void finishProgram();

  std::vector<std::string> programs;
  size_t caseCount = 0;
  /// Of the program that is not finished.
  std::map<std::vector<uint8_t>, std::string> constants;
  size_t constantBytes = 0;
  std::string constantText, functionText, mainText;
  size_t casesInProgram = 0;
};

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_CPROGRAMS_H
