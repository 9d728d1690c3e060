// SPDX-License-Identifier: Apache-2.0
//
// What `--help` of a tool prints: its own options, wrapped, and none of the
// libraries, which `--help-hidden` lists.

#ifndef MLI_TOOLS_HELP_H
#define MLI_TOOLS_HELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <vector>

namespace llvm::cl {
class OptionCategory;
} // namespace llvm::cl

namespace mli {

/// The help of a tool. All texts end with a newline.
struct Help {
  /// What the tool is for, in two lines.
  llvm::StringRef purpose;
  /// The tool, and what stands after its name; a line.
  llvm::StringRef usage;
  /// The examples, the exit codes and the files, each after a heading.
  llvm::StringRef sections;
  /// All options of this category are listed,
  const llvm::cl::OptionCategory *category = nullptr;
  /// and those of a library of these names, where they are registered.
  std::vector<llvm::StringRef> others = {};
  /// Prints what is no option, before them.
  std::function<void(llvm::raw_ostream &os)> printMore = nullptr;
};

/// Makes `--help` print `help`, and `--version` the version of this project.
/// Call it before the command line is parsed; options may be registered later.
void setHelp(Help help);

/// Prints one entry of a list, `text` beside `name` and wrapped.
void printHelpEntry(llvm::raw_ostream &os, llvm::StringRef name,
                    llvm::StringRef text);

} // namespace mli

#endif // MLI_TOOLS_HELP_H
