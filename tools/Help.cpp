// SPDX-License-Identifier: Apache-2.0

#include "Help.h"

#include "Version.h"
#include "mli/Support/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

#include <cstdlib>
#include <list>

using namespace llvm;

/// The columns of a line, and those in front of the texts of most options: the
/// text of one with a longer name begins behind that.
static constexpr size_t lineColumns = 100, nameColumns = 32;
/// What the library prints between names and texts.
static constexpr size_t separatorColumns = 3;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Breaks `text` into lines of at most `columns`, but for longer words.
static std::string wrap(StringRef text, size_t columns) {
  std::string result;
  size_t used = 0;
  for (StringRef word : split(text, ' ')) {
    bool isFirst = result.empty();
    if (!isFirst && used + 1 + word.size() > columns) {
      result += '\n';
      used = 0;
    } else if (!isFirst) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
  }
  return result;
}

void mli::printHelpEntry(raw_ostream &os, StringRef name, StringRef text) {
  size_t start = nameColumns + separatorColumns;
  os.indent(2) << name;
  size_t used = 2 + name.size();
  std::string lines = wrap(text, lineColumns - start);
  for (StringRef line : split(lines, '\n')) {
    if (used + separatorColumns > start) {
      os << '\n';
      used = 0;
    }
    os.indent(start - used) << line << '\n';
    used = 0;
  }
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// The options that `help` lists, by their names.
static std::vector<cl::Option *> listOptions(const mli::Help &help) {
  const auto &all = cl::getRegisteredOptions();
  std::vector<cl::Option *> options;
  for (auto [name, option] : all) {
    bool isOwn = option->getOptionHiddenFlag() == cl::NotHidden &&
                 is_contained(option->Categories, help.category);
    if (isOwn || is_contained(help.others, name))
      options.push_back(option);
  }
  for (StringRef name : {"help", "help-hidden", "version"})
    options.push_back(all.lookup(name));
  llvm::sort(options, [](const cl::Option *a, const cl::Option *b) {
    return a->ArgStr < b->ArgStr;
  });
  options.erase(llvm::unique(options), options.end());
  return options;
}

static void printOptions(const mli::Help &help) {
  std::vector<cl::Option *> options = listOptions(help);
  size_t widest = 0;
  for (const cl::Option *option : options)
    widest = std::max(widest, option->getOptionWidth());
  std::list<std::string> texts;
  for (cl::Option *option : options) {
    size_t columns =
        std::max(option->getOptionWidth(), std::min(widest, nameColumns));
    texts.push_back(
        wrap(option->HelpStr, lineColumns - columns - separatorColumns));
    option->setDescription(texts.back());
    option->printOptionInfo(columns);
  }
}

static void printHelp(const mli::Help &help, raw_ostream &os) {
  os << help.purpose << "\nUSAGE: " << help.usage << "\n" << help.sections;
  if (help.printMore)
    help.printMore(os);
  os << "\nOPTIONS:\n";
  printOptions(help);
}

void mli::setHelp(Help help) {
  setVersion();
  // The library's own prints the options of all of LLVM.
  const auto &options = cl::getRegisteredOptions();
  options.lookup("help")->removeArgument();
  options.lookup("help-hidden")
      ->setDescription("Display the options of LLVM and MLIR as well");
  static Help shown;
  shown = std::move(help);
  auto print = [](const bool &) {
    printHelp(shown, outs());
    std::exit(exitStatus(flushStandardOutput()));
  };
  static cl::opt<bool> option("help", cl::desc("Display these options"),
                              cl::ValueDisallowed, cl::callback(print));
  static cl::alias alias("h", cl::desc("Alias for --help"),
                         cl::aliasopt(option));
}
