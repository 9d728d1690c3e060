// SPDX-License-Identifier: Apache-2.0

#include "mli/Frontend/Verdict.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mli;
using llvm::StringRef;

std::string mli::escapeLine(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printEscapedString(text, os);
  return result;
}

/// A path as a word of a shell.
static std::string quote(StringRef path) {
  bool isPlain = llvm::all_of(path, [](char c) {
    return llvm::isAlnum(c) || StringRef("-_./+:,@%").contains(c);
  });
  if (isPlain && !path.empty())
    return path.str();
  std::string quoted = "'";
  for (char c : path)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void mli::printVerdict(llvm::raw_ostream &os, const Verdict &verdict,
                       StringRef file) {
  os << "runs: "
     << (!verdict.runs          ? "no"
         : verdict.cuts.empty() ? "yes"
                                : "yes, without what is cut off")
     << "\n";
  if (verdict.products > 0)
    os << "covered: "
       << llvm::format("%.1f", 100.0 * static_cast<double>(verdict.covered) /
                                   static_cast<double>(verdict.products))
       << " % of " << verdict.products << " products\n";
  for (const std::string &cut : verdict.cuts)
    os << escapeLine(cut) << "\n";
  constexpr size_t limit = 10;
  for (const Verdict::Blocker &blocker :
       llvm::ArrayRef(verdict.blockers).take_front(limit))
    os << (blocker.what.empty() ? "blocked" : "blocked by ")
       << escapeLine(blocker.what) << ": " << escapeLine(blocker.reason)
       << "\n";
  if (verdict.blockers.size() > limit)
    os << "blocked by " << verdict.blockers.size() - limit << " more\n";
  if (verdict.hasCommand)
    os << (verdict.runs ? "run" : "run the part before it") << ": mli-run "
       << quote(file) << verdict.options << "\n";
}
