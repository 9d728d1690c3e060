// SPDX-License-Identifier: Apache-2.0

#include "Trial.h"

#include "../Random.h"
#include "FirstLayer.h"
#include "FrontEnds.h"
#include "Heap.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/xxhash.h"

#include <csignal>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

namespace {

/// What a process tells its parent: numbers and texts in a file in memory.
class RecordFile {
public:
  explicit RecordFile(const char *name) : descriptor(memfd_create(name, 0)) {}

  void write(const void *data, size_t bytes) const {
    const char *from = static_cast<const char *>(data);
    while (bytes > 0) {
      ssize_t written = ::write(descriptor, from, bytes);
      if (written <= 0)
        _exit(3);
      from += written;
      bytes -= static_cast<size_t>(written);
    }
  }
  void write(uint64_t number) const { write(&number, sizeof(number)); }
  void write(StringRef text) const {
    write(text.size());
    write(text.data(), text.size());
  }

  int get() const { return descriptor; }
  /// All that was written; closes the file.
  std::string takeAll() {
    std::string text(static_cast<size_t>(lseek(descriptor, 0, SEEK_END)), 0);
    lseek(descriptor, 0, SEEK_SET);
    size_t at = 0;
    while (at < text.size()) {
      ssize_t bytes = ::read(descriptor, &text[at], text.size() - at);
      if (bytes <= 0)
        break;
      at += static_cast<size_t>(bytes);
    }
    close(descriptor);
    return text;
  }

private:
  int descriptor;
};

/// Reads what a `RecordFile` holds, as far as it goes.
class RecordReader {
public:
  explicit RecordReader(StringRef rest) : rest(rest) {}

  bool isAtEnd() const { return rest.empty(); }
  uint64_t readNumber() {
    uint64_t number = 0;
    size_t bytes = std::min(rest.size(), sizeof(number));
    std::memcpy(&number, rest.data(), bytes);
    rest = rest.drop_front(bytes);
    return number;
  }
  std::string readText() {
    uint64_t size = std::min<uint64_t>(readNumber(), rest.size());
    std::string text = rest.take_front(size).str();
    rest = rest.drop_front(size);
    return text;
  }

private:
  StringRef rest;
};

enum class RecordKind : uint64_t {
  Operation,
  Start,
  Outcome,
  Program,
  Source,
  Range
};

} // namespace

static void writeOutcome(const RecordFile &records, const Outcome &outcome) {
  records.write(static_cast<uint64_t>(RecordKind::Outcome));
  records.write(static_cast<uint64_t>(outcome.kind));
  records.write(outcome.allocations);
  records.write(outcome.operations);
  records.write(outcome.text);
  records.write(outcome.where);
  records.write(outcome.layer);
}

static void writeRange(const RecordFile &records, const RangeNote &note) {
  auto op = cast<KernelOpInterface>(note.op);
  records.write(static_cast<uint64_t>(RecordKind::Range));
  records.write(op->getName().getStringRef());
  records.write(note.isClipped ? 1 : 0);
  records.write(note.distance > getRoundingSteps(op) ? 1 : 0);
}

static TrialRange readRange(RecordReader &reader) {
  TrialRange range;
  range.op = reader.readText();
  range.isClipped = reader.readNumber() != 0;
  range.isWrong = reader.readNumber() != 0;
  return range;
}

static Trial readTrial(StringRef text) {
  Trial trial;
  for (RecordReader reader(text); !reader.isAtEnd();) {
    switch (static_cast<RecordKind>(reader.readNumber())) {
    case RecordKind::Operation:
      trial.operations.push_back(reader.readText());
      break;
    case RecordKind::Start:
      trial.runs.push_back({reader.readText(), {}});
      trial.runs.back().outcome.kind = Outcome::Kind::Crashed;
      break;
    case RecordKind::Outcome: {
      Outcome &outcome = trial.runs.back().outcome;
      outcome.kind = static_cast<Outcome::Kind>(reader.readNumber());
      outcome.allocations = reader.readNumber();
      outcome.operations = reader.readNumber();
      outcome.text = reader.readText();
      outcome.where = reader.readText();
      outcome.layer = reader.readText();
      break;
    }
    case RecordKind::Program:
      trial.program = reader.readText();
      break;
    case RecordKind::Source:
      trial.source = reader.readText();
      trial.ending = reader.readText();
      break;
    case RecordKind::Range:
      trial.ranges.push_back(readRange(reader));
      break;
    }
  }
  return trial;
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

static void startRun(const RecordFile &records, StringRef name) {
  records.write(static_cast<uint64_t>(RecordKind::Start));
  records.write(name);
}

static void writeProgram(const RecordFile &records, ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  records.write(static_cast<uint64_t>(RecordKind::Program));
  records.write(text);
}

static void writeSource(const RecordFile &records, const Case &program) {
  if (!program.source)
    return;
  records.write(static_cast<uint64_t>(RecordKind::Source));
  records.write(*program.source);
  records.write(program.ending);
}

/// What a process does; it does not return.
[[noreturn]] static void runChild(uint64_t seed, const MakeCase &make,
                                  const TrialOptions &options,
                                  const RecordFile &records) {
  startRun(records, "generate");
  auto program = make(seed);
  Outcome made;
  if (!program) {
    llvm::Error error = program.takeError();
    made.kind =
        error.isA<Refusal>() ? Outcome::Kind::Refused : Outcome::Kind::Unusable;
    made.text = llvm::toString(std::move(error));
    writeOutcome(records, made);
    _exit(0);
  }
  writeOutcome(records, made);
  // A crash leaves no time for it.
  writeProgram(records, *program->module);
  writeSource(records, *program);
  llvm::SetVector<StringRef> names;
  program->module->walk(
      [&](Operation *op) { names.insert(op->getName().getStringRef()); });
  for (StringRef name : names) {
    records.write(static_cast<uint64_t>(RecordKind::Operation));
    records.write(name);
  }
  for (const RangeNote &note : program->ranges)
    writeRange(records, note);
  for (const Configuration *configuration : options.configurations) {
    if (!configuration->canRun(*program))
      continue;
    startRun(records, configuration->name);
    // Its own numbers, whatever else is tried.
    uint64_t own = program->seed * 1000003 +
                   llvm::xxh3_64bits(StringRef(configuration->name));
    Random random(own);
    setHeapPoison(static_cast<uint8_t>(random.pick(1, 255)));
    Outcome outcome = configuration->run(*program, random);
    writeOutcome(records, outcome);
    // Layers of a network are compared one by one already, and costs and moves
    // are those of a program.
    if (!outcome.isFinding() || outcome.kind >= Outcome::Kind::Costly ||
        configuration->takes == Takes::Networks)
      continue;
    // A crash on the way takes nothing of the outcome away.
    outcome.layer = findFirstLayer(*program, *configuration, own);
    writeOutcome(records, outcome);
  }
  _exit(0);
}

namespace {

struct Process {
  size_t index;
  RecordFile records, output;
};

} // namespace

static void limitTime(unsigned seconds) {
  rlimit limit = {seconds, seconds + 5};
  setrlimit(RLIMIT_CPU, &limit);
  // A crash is a finding, its core is of no use.
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

static Trial finishTrial(uint64_t seed, int status, Process &process) {
  Trial trial = readTrial(process.records.takeAll());
  trial.seed = seed;
  std::string output = process.output.takeAll();
  trial.output = StringRef(output).take_back(4000).str();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return trial;
  if (trial.runs.empty())
    trial.runs.push_back({"generate", {}});
  Outcome &outcome = trial.runs.back().outcome;
  outcome.kind = Outcome::Kind::Crashed;
  if (WIFSIGNALED(status)) {
    outcome.text = strsignal(WTERMSIG(status));
    if (WTERMSIG(status) == SIGXCPU)
      outcome.kind = Outcome::Kind::Endless;
  } else {
    outcome.text = "exit code " + std::to_string(WEXITSTATUS(status));
  }
  return trial;
}

void fuzz::runTrials(ArrayRef<uint64_t> seeds, const MakeCase &make,
                     const TrialOptions &options,
                     llvm::function_ref<void(const Trial &)> report) {
  std::map<pid_t, Process> running;
  std::map<size_t, Trial> finished;
  size_t next = 0, reported = 0;
  while (reported < seeds.size()) {
    while (next < seeds.size() && running.size() < options.jobs) {
      Process process{next, RecordFile("records"), RecordFile("output")};
      pid_t pid = fork();
      if (pid == 0) {
        dup2(process.output.get(), STDERR_FILENO);
        limitTime(options.seconds);
        runChild(seeds[next], make, options, process.records);
      }
      running.emplace(pid, process);
      ++next;
    }
    int status = 0;
    auto found = running.find(wait(&status));
    if (found == running.end())
      continue;
    size_t index = found->second.index;
    finished.emplace(index, finishTrial(seeds[index], status, found->second));
    running.erase(found);
    for (auto at = finished.find(reported); at != finished.end();
         at = finished.find(++reported)) {
      report(at->second);
      finished.erase(at);
    }
  }
}
