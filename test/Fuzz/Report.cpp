// SPDX-License-Identifier: Apache-2.0

#include "Report.h"

#include "mli/IR/KernelOps.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

/// Findings of one kind that are told in full.
static constexpr uint64_t mostTold = 2;

/// The first line of `text` without its numbers, which differ from program to
/// program.
static std::string withoutNumbers(StringRef text) {
  static llvm::Regex number(
      "-?(0x[0-9a-f]+|[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?)");
  std::string kind;
  StringRef rest = text.split('\n').first;
  for (SmallVector<StringRef> match; number.match(rest, &match);) {
    size_t at = match.front().data() - rest.data();
    kind += rest.take_front(at).str() + "N";
    rest = rest.drop_front(at + match.front().size());
  }
  return StringRef(kind + rest.str()).take_front(160).str();
}

void Report::add(const Trial &trial) {
  ++trials;
  for (const TrialRange &range : trial.ranges) {
    RangeCounts &counts = ranges[range.op];
    ++counts.kernels;
    counts.clipped += range.isClipped;
    counts.wrong += range.isWrong;
  }
  for (const TrialRun &run : trial.runs) {
    const Outcome &outcome = run.outcome;
    ++outcomes[{run.configuration, getName(outcome.kind)}];
    if (outcome.kind == Outcome::Kind::Same)
      for (const std::string &op : trial.operations)
        ++pairs[{op, run.configuration}];
    if (outcome.kind == Outcome::Kind::Refused)
      ++refusals[withoutNumbers(outcome.text)];
    if (outcome.operations != 0)
      costs.emplace_back(outcome.allocations / outcome.operations, trial.seed,
                         run.configuration);
    if (outcome.isFinding())
      addFinding(trial, run);
  }
}

void Report::addFinding(const Trial &trial, const TrialRun &run) {
  ++findings;
  const Outcome &outcome = run.outcome;
  uint64_t &number = groups[run.configuration + " " + getName(outcome.kind) +
                            ": " + withoutNumbers(outcome.text)];
  if (++number > mostTold)
    return;
  os << "seed " << trial.seed << ": " << run.configuration << " "
     << getName(outcome.kind);
  if (!outcome.where.empty())
    os << " in " << outcome.where;
  os << ": " << outcome.text << "\n";
  if (!outcome.layer.empty())
    os << "first layer: " << outcome.layer << "\n";
  if (!trial.output.empty())
    os << trial.output << "\n";
  os.flush();
  if (!outputDir.empty())
    writeProgram(trial, run);
}

void Report::writeFile(const Trial &trial, const TrialRun &run,
                       StringRef ending, const Twine &text) const {
  SmallString<128> path(outputDir);
  llvm::sys::path::append(path, "seed" + Twine(trial.seed) + "-" +
                                    run.configuration + ending);
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (code) {
    os << "'" << path << "' is not written: " << code.message() << "\n";
    return;
  }
  file << text;
}

void Report::writeProgram(const Trial &trial, const TrialRun &run) const {
  // A test that is ready once it is reduced.
  std::string line = "// RUN: mli-fuzz %s --seed " +
                     std::to_string(trial.seed) + " --configuration " +
                     run.configuration + "\n\n";
  writeFile(trial, run, ".mlir", line + Twine(trial.program));
  if (!trial.source.empty())
    writeFile(trial, run, trial.ending, trial.source);
}

/// Prints the operations of the dialect that a configuration has never had.
void Report::printMissing(
    ArrayRef<const Configuration *> configurations) const {
  SmallVector<StringRef> names;
  anyOp([&](auto op) {
    names.push_back(decltype(op)::Type::getOperationName());
    return false;
  });
  for (const Configuration *configuration : configurations) {
    if (configuration->takes == Takes::Networks)
      continue;
    std::string missing;
    for (StringRef name : names)
      if ((configuration->takes == Takes::All ||
           name != AllocOp::getOperationName()) &&
          !pairs.count({name.str(), configuration->name}))
        missing += (missing.empty() ? "" : ", ") + name.str();
    if (!missing.empty())
      os << configuration->name << " never had " << missing << "\n";
  }
}

/// Prints the median, what 990 and 999 of 1000 runs stay within, and the most.
void Report::printCosts() const {
  if (costs.empty())
    return;
  auto sorted = costs;
  llvm::sort(sorted);
  os << "allocations for an operation:";
  for (size_t part : {500, 990, 999})
    os << " " << std::get<0>(sorted[(sorted.size() - 1) * part / 1000]);
  const auto &[most, seed, configuration] = sorted.back();
  os << ", at most " << most << " of seed " << seed << " in " << configuration
     << "\n";
}

bool Report::finish(ArrayRef<const Configuration *> configurations) const {
  os << llvm::formatv("\n{0,-16} {1,-10} {2,9}\n", "configuration", "outcome",
                      "programs");
  for (const auto &[key, number] : outcomes)
    os << llvm::formatv("{0,-16} {1,-10} {2,9}\n", key.first, key.second,
                        number);
  os << llvm::formatv("\n{0,-22} {1,9} {2,9} {3,9}\n", "kernel", "runs",
                      "clipped", "shown");
  for (const auto &[op, counts] : ranges)
    os << llvm::formatv("{0,-22} {1,9} {2,9} {3,9}\n", op, counts.kernels,
                        counts.clipped, counts.wrong);
  os << "\n";
  for (const auto &[text, number] : refusals)
    os << "refused " << number << " times: " << text << "\n";
  printMissing(configurations);
  for (const auto &[text, number] : groups)
    os << "found " << number << " times: " << text << "\n";
  printCosts();
  os << trials << " programs, " << findings << " findings\n";
  return findings == 0;
}
