// SPDX-License-Identifier: Apache-2.0
//
// The address planner on tables of buffers: plans them, or checks a plan.

#include "Help.h"
#include "Report.h"
#include "mli/Allocation/Validator.h"
#include "mli/Support/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace mli::allocation;
using namespace mli::plan_tool;
using mli::flushStandardOutput;
using mli::OutputFile;

static const char purpose[] =
    R"(Plan the addresses of buffers whose sizes and lifetimes a table has, in the
fewest bytes or in as many as there are; or check such a plan.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-plan buffers.csv -o plan.csv
  mli-plan buffers.csv --capacity 4096 --json --svg plan.svg
  mli-plan --check plan.csv buffers.csv

EXIT CODES:
  0  there is a plan, or the file has one
  1  the buffers do not fit, or what the file has is no plan of them
  2  options or files that can not be used

FILES:
  a table is CSV with the columns id, lower, upper and size, and any of alignment, fixed,
  gaps, guard, alias_set, alias_offset, avoid_banks, npu_span, start_npus and start_group;
  a plan has offset and start_npu, too. What they mean: docs/spec/allocation.md, A23
)";

namespace {

/// The exit status.
enum Exit { Good = 0, DoesNotFit = 1, Unusable = 2 };

struct Options {
  cl::OptionCategory category{"Planner options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<table of buffers>"),
                             cl::cat(category)};
  cl::opt<std::string> output{
      "o", cl::desc("Write the table with offsets to a file"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> checked{
      "check",
      cl::desc("Check the plan in a file; with <table>, also that it is a plan "
               "of that"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<int64_t> capacity{
      "capacity",
      cl::desc("Bytes of the memory; without it the peak is minimised"),
      cl::init(-1), cl::cat(category)};
  cl::opt<bool> minimise{"minimise",
                         cl::desc("Minimise the peak below the capacity too"),
                         cl::cat(category)};
  cl::opt<int64_t> budget{"budget", cl::desc("Search nodes in all"),
                          cl::value_desc("nodes"),
                          cl::init(PlannerOptions().budget), cl::cat(category)};
  cl::opt<Algorithm> algorithm{
      "algorithm", cl::desc("How to plan"), cl::init(Algorithm::Portfolio),
      cl::values(clEnumValN(Algorithm::Portfolio, "portfolio", "all of these"),
                 clEnumValN(Algorithm::FirstFit, "first-fit",
                            "the largest first, each as low as it goes"),
                 clEnumValN(Algorithm::Skyline, "skyline",
                            "always the one that can lie lowest"),
                 clEnumValN(Algorithm::Exact, "exact", "search alone")),
      cl::cat(category)};
  cl::opt<int> npus{"npus", cl::desc("Number of NPUs (1)"), cl::init(1),
                    cl::cat(category)};
  cl::opt<int64_t> bankBytes{"bank-bytes",
                             cl::desc("Bytes of a bank (0: none)"), cl::init(0),
                             cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("Write a report as JSON to stdout"),
                     cl::cat(category)};
  cl::opt<std::string> svg{"svg", cl::desc("Write a picture"),
                           cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> tflm{
      "tflm",
      cl::desc("Write the buffer of TensorFlow Lite Micro's "
               "OfflineMemoryAllocation"),
      cl::value_desc("file"), cl::cat(category)};
};

} // namespace

static int unusable(const Twine &message) {
  WithColor::error(errs(), "mli-plan") << message << '\n';
  return Unusable;
}

static int unusable(Error error) {
  return unusable(toString(std::move(error)));
}

/// The exit status, if all that is shown is out.
static int finish(Exit status) {
  if (Error failed = flushStandardOutput())
    return unusable(std::move(failed));
  return status;
}

/// A table and the text that it points into.
struct LoadedTable {
  std::unique_ptr<MemoryBuffer> text;
  Table table;
};

static Expected<LoadedTable> load(const Options &options, StringRef file,
                                  bool isPlan) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> text =
      MemoryBuffer::getFileOrSTDIN(file, true);
  if (!text)
    return createStringError(Twine(file) + ": " + text.getError().message());
  Memory memory;
  if (options.capacity.getNumOccurrences())
    memory.capacity = options.capacity;
  memory.npus = options.npus;
  memory.bankBytes = options.bankBytes;
  Expected<Table> table = readTable((*text)->getBuffer(), file, memory, isPlan);
  if (!table)
    return table.takeError();
  return LoadedTable{std::move(*text), std::move(*table)};
}

/// Checks that the options of the memory apply to `table`.
static Error checkBanks(const Options &options, const Table &table) {
  if (!options.bankBytes.getNumOccurrences() || table.hasBanks)
    return Error::success();
  return createStringError("expected '--bank-bytes' with a table that has a "
                           "column 'avoid_banks', but got none");
}

/// Whether both have the same buffers in any order; reports differences.
static bool sameBuffers(const Table &plan, const Table &instance) {
  StringMap<size_t> rowOf;
  for (size_t i = 0; i < instance.ids.size(); ++i)
    rowOf[instance.ids[i]] = i;
  bool same = true;
  for (size_t i = 0; i < plan.ids.size(); ++i) {
    auto found = rowOf.find(plan.ids[i]);
    if (found == rowOf.end()) {
      errs() << "violation: id " << shownId(plan, i)
             << " is not in the table\n";
      same = false;
      continue;
    }
    const Buffer &is = plan.problem.buffers[i];
    const Buffer &wanted = instance.problem.buffers[found->second];
    if (is.size != wanted.size || is.live.lower != wanted.live.lower ||
        is.live.upper != wanted.live.upper) {
      errs() << "violation: id " << shownId(plan, i)
             << " has another size or lifetime than in the table\n";
      same = false;
    }
    rowOf.erase(found);
  }
  for (size_t i = 0; i < instance.ids.size(); ++i)
    if (rowOf.contains(instance.ids[i])) {
      errs() << "violation: id " << shownId(instance, i)
             << " is not in the plan\n";
      same = false;
    }
  return same;
}

/// Replaces each #index, which names a buffer in `message`, by its id.
static std::string withIds(StringRef message, const Table &table) {
  std::string result;
  while (!message.empty()) {
    auto [text, rest] = message.split('#');
    result += text;
    size_t row;
    if (rest.consumeInteger(10, row))
      break;
    result += "id " + shownId(table, row);
    message = rest;
  }
  return result;
}

// A25
static int check(const Options &options) {
  Expected<LoadedTable> plan = load(options, options.checked, true);
  if (!plan)
    return unusable(plan.takeError());
  Table &table = plan->table;
  bool good = true;
  if (!options.input.empty()) {
    Expected<LoadedTable> instance = load(options, options.input, false);
    if (!instance)
      return unusable(instance.takeError());
    table.hasBanks = instance->table.hasBanks;
    good = sameBuffers(table, instance->table);
    // The table's constraints hold, whatever columns the plan left out.
    if (good) {
      StringMap<size_t> rowOf;
      for (size_t i = 0; i < instance->table.ids.size(); ++i)
        rowOf[instance->table.ids[i]] = i;
      for (size_t i = 0; i < table.ids.size(); ++i)
        table.problem.buffers[i] =
            instance->table.problem.buffers[rowOf[table.ids[i]]];
    }
  }
  if (Error failed = checkBanks(options, table))
    return unusable(std::move(failed));
  for (const Violation &violation : validate(table.problem, table.placements)) {
    errs() << "violation: " << withIds(violation.message, table) << '\n';
    good = false;
  }
  outs() << "peak=" << getPeak(table.problem, table.placements)
         << " buffers=" << table.rows.size() << (good ? " OK\n" : " INVALID\n");
  return finish(good ? Good : DoesNotFit);
}

/// Everything that is to be written of a plan.
static std::vector<OutputFile> outputs(const Options &options,
                                       const Outcome &outcome) {
  std::vector<OutputFile> files;
  auto add = [&](StringRef option, StringRef path, auto write) {
    if (!path.empty())
      files.push_back({option, path.str(), write, nullptr});
  };
  bool isTableShown = options.output.empty() && !options.json;
  add("-o", isTableShown ? "-" : StringRef(options.output),
      [&](raw_ostream &os) {
        writeTable(outcome.table, outcome.plan.placements, os);
        return Error::success();
      });
  add("--json", options.json ? "-" : "", [&](raw_ostream &os) {
    writeJson(outcome, os);
    return Error::success();
  });
  add("--svg", options.svg, [&](raw_ostream &os) {
    writeSvg(outcome, os);
    return Error::success();
  });
  add("--tflm", options.tflm,
      [&](raw_ostream &os) { return writeTflm(outcome, os); });
  if (none_of(files, [](const OutputFile &file) { return file.path == "-"; }))
    add("summary", "-", [&](raw_ostream &os) {
      writeSummary(outcome, os);
      return Error::success();
    });
  return files;
}

static int planTable(const Options &options) {
  if (options.input.empty())
    return unusable("expected '<table>' to be a file, but got none");
  Expected<LoadedTable> loaded = load(options, options.input, false);
  if (!loaded)
    return unusable(loaded.takeError());
  if (Error failed = checkBanks(options, loaded->table))
    return unusable(std::move(failed));
  PlannerOptions how;
  how.algorithm = options.algorithm;
  how.minimise = options.minimise;
  how.budget = options.budget;
  Outcome outcome{loaded->table, plan(loaded->table.problem, how), {}};
  bool placed = outcome.plan.status == PlanStatus::Placed;
  if (!placed) {
    outcome.conflict = explain(loaded->table.problem, outcome.plan, how);
    writeFailure(outcome, options.input, errs());
  }
  if (!placed) {
    if (options.json)
      writeJson(outcome, outs());
    return finish(DoesNotFit);
  }
  if (Error failed = writeTogether(outputs(options, outcome)))
    return unusable(std::move(failed));
  return Good;
}

/// Checks that all options apply to the requested action.
static Error checkOptions(const Options &options) {
  if (options.checked.getNumOccurrences())
    for (const cl::Option *option : std::initializer_list<const cl::Option *>{
             &options.output, &options.minimise, &options.budget,
             &options.algorithm, &options.json, &options.svg, &options.tflm})
      if (option->getNumOccurrences())
        return createStringError("expected '--check' without '--" +
                                 option->ArgStr + "', but got both");
  bool searches = options.algorithm == Algorithm::Portfolio ||
                  options.algorithm == Algorithm::Exact;
  if (options.budget.getNumOccurrences() && !searches)
    return createStringError("expected '--budget' with an algorithm that "
                             "searches, but got first-fit or skyline");
  if (options.minimise.getNumOccurrences() &&
      !options.capacity.getNumOccurrences())
    return createStringError("expected '--minimise' with '--capacity', without "
                             "which the peak is minimised, but got none");
  return Error::success();
}

int main(int argc, char **argv) {
  mli::prepareStandardStreams();
  InitLLVM init(argc, argv);
  static Options options;
  mli::setHelp(
      {purpose, "mli-plan [options] TABLE.csv", sections, &options.category});
  // A24
  if (!cl::ParseCommandLineOptions(argc, argv, purpose, &errs()))
    return Unusable;
  if (Error failed = checkOptions(options))
    return unusable(std::move(failed));
  if (options.capacity.getNumOccurrences() && options.capacity < 0)
    return unusable("expected '--capacity' to be at least 0, but got " +
                    Twine(options.capacity));
  if (options.budget < 0)
    return unusable("expected '--budget' to be at least 0, but got " +
                    Twine(options.budget));
  return options.checked.empty() ? planTable(options) : check(options);
}
