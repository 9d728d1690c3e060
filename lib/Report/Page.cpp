// SPDX-License-Identifier: Apache-2.0
//
// Puts a report and all that shows it into one page.

#include "mli/Report/Report.h"

#include "llvm/ADT/StringRef.h"

using namespace mli::report;

namespace {

/// A file of the page, as it is in the sources.
struct Asset {
  const char *name, *text;
};

} // namespace

/// The template first; then licences, styles and scripts in the order in which
/// they are read.
static constexpr Asset assets[] = {
#include "Assets.inc"
};

/// Writes the files whose names end in `suffix`.
static void writeAssets(llvm::raw_ostream &os, llvm::StringRef suffix) {
  for (const Asset &asset : assets)
    if (llvm::StringRef(asset.name).ends_with(suffix))
      os << asset.text << "\n";
}

/// Writes the JSON so that nothing in it ends the element around it: `<` is in
/// texts only.
static void writeData(llvm::raw_ostream &os, const Report &report) {
  std::string text;
  llvm::raw_string_ostream json(text);
  writeJson(json, report);
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    auto [before, after] = rest.split('<');
    os << before;
    if (before.size() < rest.size())
      os << "\\u003c";
    rest = after;
  }
}

void mli::report::writePage(llvm::raw_ostream &os, const Report &report) {
  llvm::StringRef rest = assets[0].text;
  while (!rest.empty()) {
    auto [before, after] = rest.split('@');
    auto [name, behind] = after.split('@');
    os << before;
    if (name == "licences")
      writeAssets(os, ".LICENSE");
    else if (name == "styles")
      writeAssets(os, ".css");
    else if (name == "scripts")
      writeAssets(os, ".js");
    else if (name == "report")
      writeData(os, report);
    rest = behind;
  }
}
