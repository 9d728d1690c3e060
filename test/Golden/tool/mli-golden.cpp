// SPDX-License-Identifier: Apache-2.0
//
// Runs golden vectors against the runtime: directories and files of JSON,
// prints each failing case, and ends with `N passed, M failed`.

#include "Calls.h"
#include "Help.h"
#include "LocalRun.h"
#include "Runner.h"
#include "mli/Support/Nesting.h"
#include "mli/Support/OutputFiles.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;
using namespace mli::golden;

void Totals::count(StringRef file, StringRef name,
                   const Differences &differences) {
  if (differences.empty()) {
    ++passed;
    return;
  }
  ++failed;
  for (const std::string &difference : differences)
    outs() << file << ": " << name << ": " << difference << "\n";
}

static Error invalid(const Twine &message) {
  return createStringError(message);
}

/// Reads one list of the file's object.
template <typename Spec>
static Expected<Spec> readFile(const json::Value &value) {
  std::string error;
  Spec spec;
  if (!read(value, Place(error), spec))
    return invalid(error);
  return spec;
}

/// With `settings` only vectors run, on tensors in local memory.
static Error runFile(StringRef path, ArrayRef<LocalSetting> settings,
                     Totals &totals, CPrograms *programs) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return invalid(buffer.getError().message());
  if (Error error = mli::checkNesting({(*buffer)->getBuffer(), "text"}))
    return error;
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!settings.empty()) {
    if (!object || object->get("functions") || object->get("tables"))
      return Error::success();
    Expected<CaseFile> file = readFile<CaseFile>(*value);
    return file ? runLocalVectors(path, *file, settings, totals)
                : file.takeError();
  }
  // Only vectors of layouts are a bare list.
  if (value->getAsArray())
    return runLayouts(path, *value, totals);
  if (object && object->get("functions")) {
    Expected<MutationFile> file = readFile<MutationFile>(*value);
    return file ? runStatusChecks(path, file->functions, totals, programs)
                : file.takeError();
  }
  if (object && object->get("tables")) {
    Expected<LutFile> file = readFile<LutFile>(*value);
    return file ? runLutTables(path, file->tables, totals, programs)
                : file.takeError();
  }
  Expected<CaseFile> file = readFile<CaseFile>(*value);
  return file ? runVectors(path, *file, totals, programs) : file.takeError();
}

/// The files to run: of a directory its *.json files, and those below, by name.
static Error collect(StringRef path, std::vector<std::string> &files) {
  if (!sys::fs::is_directory(path)) {
    files.push_back(path.str());
    return Error::success();
  }
  std::error_code code;
  std::vector<std::string> found;
  for (sys::fs::recursive_directory_iterator it(path, code), end;
       it != end && !code; it.increment(code))
    if (StringRef(it->path()).ends_with(".json"))
      found.push_back(it->path());
  if (code)
    return invalid(path + ": " + code.message());
  if (found.empty())
    return invalid(path + ": no *.json file");
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
  return Error::success();
}

/// Every function is that of a table, or has a call.
static void printUncalled(const Totals &totals) {
  std::set<std::string> functions;
#define MLI_LUT(name, function)                                                \
  functions.insert(#name "_get_lut_size");                                     \
  functions.insert(#name "_create_lut");
#include "mli/Runtime/C/api/mli_kernels.def"
  for (const auto &call : allCalls())
    functions.insert(call.getKey().str());
  size_t uncalled = 0;
  for (const std::string &function : functions)
    if (!totals.called.count(function)) {
      outs() << "uncalled: " << function << "\n";
      ++uncalled;
    }
  outs() << functions.size() - uncalled << " of " << functions.size()
         << " functions called\n";
}

static const char purpose[] =
    R"(Run the calls of golden vectors on the runtime of this machine, and compare what
they leave: status, bytes and fields of tensors.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-golden vectors
  mli-golden vectors --local-npus 8
  mli-golden vectors --uncalled --write-c programs

EXIT CODES:
  0  all cases passed, or their functions are not in the runtime
  1  there are differences, no cases, or files that can not be used

FILES:
  vectors are JSON, each with the cases of one function: test/Golden/Inputs/README.md;
  of a folder all *.json files are read
)";

int main(int argc, char **argv) {
  mli::prepareStandardStreams();
  InitLLVM init(argc, argv);
  cl::OptionCategory category("mli-golden options");
  cl::list<std::string> paths(cl::Positional, cl::OneOrMore, cl::cat(category),
                              cl::desc("<directories and files>"));
  cl::opt<int64_t> localNpus(
      "local-npus", cl::init(0), cl::cat(category),
      cl::desc("Run calls on tensors scattered over so many NPUs"));
  cl::opt<bool> uncalled(
      "uncalled", cl::cat(category),
      cl::desc("Tell the functions of the API without a case"));
  cl::opt<std::string> writeC(
      "write-c", cl::value_desc("folder"), cl::cat(category),
      cl::desc("Write programs of C that make the same calls and compare"));
  mli::setHelp({purpose, "mli-golden [options] PATH...", sections, &category});
  cl::ParseCommandLineOptions(argc, argv, purpose);
  bool isBroken = false;
  auto report = [&](const Twine &where, Error error) {
    if (!error)
      return;
    isBroken = true;
    WithColor::error(errs(), "mli-golden")
        << where << toString(std::move(error)) << "\n";
  };
  std::vector<std::string> files;
  for (const std::string &path : paths)
    report("", collect(path, files));
  std::vector<LocalSetting> settings;
  if (localNpus.getNumOccurrences() != 0) {
    Expected<std::vector<LocalSetting>> all = configureLocal(localNpus);
    if (all)
      settings = std::move(*all);
    else
      report("", all.takeError());
  }
  if (uncalled && !settings.empty())
    report("", invalid("expected '--uncalled' without '--local-npus', but got "
                       "both"));
  bool writesC = writeC.getNumOccurrences() != 0;
  if (writesC && !settings.empty())
    report("", invalid("expected '--write-c' without '--local-npus', but got "
                       "both"));
  Totals totals;
  CPrograms programs;
  for (const std::string &file : files)
    report(file + ": ",
           runFile(file, settings, totals, writesC ? &programs : nullptr));
  for (const std::string &function : totals.missing)
    outs() << "skipped: " << function << " is not in the runtime\n";
  if (uncalled)
    printUncalled(totals);
  if (writesC && !isBroken) {
    report("", programs.write(writeC));
    outs() << programs.cases() << " cases in C\n";
  }
  outs() << totals.passed << " passed, " << totals.failed << " failed";
  if (totals.skipped != 0)
    outs() << ", " << totals.skipped << " skipped";
  outs() << "\n";
  if (!isBroken && totals.passed + totals.failed + totals.skipped == 0)
    report("", invalid("expected cases to run, but got none"));
  report("", mli::flushStandardOutput());
  return isBroken || totals.failed != 0 ? 1 : 0;
}
