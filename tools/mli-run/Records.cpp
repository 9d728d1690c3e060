// SPDX-License-Identifier: Apache-2.0

#include "Records.h"

#include "mli/Execution/Npy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace mli;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

RecordFlags::RecordFlags(RecordOptions &options, cl::OptionCategory &category)
    : options(options),
      record("record", cl::location(options.recordDir),
             cl::desc("Write the result of each layer to "
                      "DIR/opNN_<kernel>_tNN.npy, as --layers and "
                      "--compare-with read them, and DIR/layers.json; all or "
                      "none"),
             cl::value_desc("DIR"), cl::cat(category)),
      compareWith("compare-with", cl::location(options.compareDir),
                  cl::desc("Compare each layer with the record that another "
                           "run wrote to DIR, say where the first difference "
                           "is, and fail if there is one"),
                  cl::value_desc("DIR"), cl::cat(category)),
      maxDistance("max-abs",
                  cl::desc("For --compare and --compare-with: hold if no "
                           "quantised value differs by more than N"),
                  cl::value_desc("N"), cl::cat(category)),
      minSqnr("min-sqnr",
              cl::desc("For --compare and --compare-with: hold if the real "
                       "values are at least DB dB above their differences"),
              cl::value_desc("DB"), cl::cat(category)) {}

/// Whether two paths, if they exist or not, are those of one folder.
static bool isSameFolder(StringRef path, StringRef other) {
  if (llvm::sys::fs::equivalent(path, other))
    return true;
  SmallString<128> paths[] = {path, other};
  for (SmallString<128> &each : paths) {
    if (llvm::sys::fs::make_absolute(each))
      return false;
    llvm::sys::path::remove_dots(each, /*remove_dot_dot=*/true);
  }
  return paths[0] == paths[1];
}

/// Checks that records do not get among the files of another option.
static llvm::Error checkOwnFolder(const RecordOptions &options,
                                  StringRef outputDir) {
  std::pair<StringRef, StringRef> others[] = {
      {"compare-with", options.compareDir}, {"output-dir", outputDir}};
  for (auto [name, folder] : others)
    if (!options.recordDir.empty() && !folder.empty() &&
        isSameFolder(options.recordDir, folder))
      return llvm::createStringError("expected '--record' to differ from '--" +
                                     name + "', but got '" + folder + "'");
  return llvm::Error::success();
}

llvm::Error RecordFlags::check(ArrayRef<const cl::Option *> others,
                               bool hasReferences, StringRef outputDir) const {
  const Flag<std::string> *folders[] = {&record, &compareWith};
  for (const Flag<std::string> *flag : folders) {
    if (flag->getNumOccurrences() == 0)
      continue;
    if (flag->getValue().empty())
      return llvm::createStringError("expected '--" + flag->ArgStr +
                                     "' to be a path, but got ''");
    for (const cl::Option *option : others)
      if (option->getNumOccurrences() > 0)
        return llvm::createStringError("expected '--" + flag->ArgStr +
                                       "' without '--" + option->ArgStr +
                                       "', but got both");
  }
  if (llvm::Error error = checkOwnFolder(options, outputDir))
    return error;
  const cl::opt<double> *tolerances[] = {&maxDistance, &minSqnr};
  for (const cl::opt<double> *flag : tolerances) {
    if (flag->getNumOccurrences() == 0)
      continue;
    if (!hasReferences && options.compareDir.empty())
      return llvm::createStringError(
          "expected '--" + flag->ArgStr +
          "' with '--compare' or '--compare-with', but got neither");
    bool isDistance = flag == &maxDistance;
    if (std::isnan(*flag) || (isDistance && *flag < 0)) {
      std::string value;
      llvm::raw_string_ostream(value) << llvm::format("%g", flag->getValue());
      return llvm::createStringError(
          "expected '--" + flag->ArgStr + "' to be a number" +
          (isDistance ? " that is not negative" : "") + ", but got " + value);
    }
    (isDistance ? options.tolerance.maxDistance : options.tolerance.minSqnr) =
        *flag;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Checks that all layers are in `entry` itself.
static llvm::Error checkNoCalls(func::FuncOp entry) {
  StringRef callee;
  entry.walk([&](func::CallOp call) { callee = call.getCallee(); });
  if (callee.empty())
    return llvm::Error::success();
  return llvm::createStringError(
      "expected all layers in '" + entry.getSymName() +
      "' where they are recorded, but got a call of '" + callee + "'");
}

llvm::Error LayerRun::prepare(func::FuncOp entry,
                              const CompileOptions &compile) {
  if (options.recordsLayers())
    if (llvm::Error error = checkNoCalls(entry))
      return error;
  if (options.compareDir.empty())
    return llvm::Error::success();
  auto read = readRecordedRun(options.compareDir);
  if (!read)
    return read.takeError();
  other = std::move(*read);
  entryName = entry.getSymName().str();
  network = cast<ModuleOp>(entry->getParentOfType<ModuleOp>()->clone());
  if (failed(raise(*network, compile)))
    return llvm::make_error<ReportedError>();
  return llvm::Error::success();
}

/// Checks that `inputs` are for one run and not for several steps.
static llvm::Error checkOneStep(const CompiledFunction &function,
                                ArrayRef<HostTensor> inputs) {
  for (auto [type, input] : llvm::zip(function.inputs, inputs))
    if (input.shape.size() != static_cast<size_t>(type.getRank()))
      return llvm::createStringError(
          "expected inputs of one step where layers are recorded, but got " +
          Twine(input.shape.front()) + " steps");
  return llvm::Error::success();
}

llvm::Expected<std::vector<HostTensor>>
LayerRun::run(const Program &program, const CompiledFunction &function,
              ArrayRef<HostTensor> inputs) {
  if (llvm::Error error = checkOneStep(function, inputs))
    return error;
  auto recorded = record(program, function, inputs);
  if (!recorded)
    return recorded.takeError();
  recording = std::move(*recorded);
  list = listLayers(recording, inputs);
  if (options.compareDir.empty())
    return recording.results;
  auto compared = compareRuns(network->lookupSymbol<func::FuncOp>(entryName),
                              recording, inputs, other);
  if (!compared)
    return compared.takeError();
  differences = std::move(*compared);
  return recording.results;
}

/// Checks that `directory` has no records but those that `list` replaces.
static llvm::Error checkNoOthers(StringRef directory, const LayerList &list) {
  llvm::StringSet<> written;
  for (const ListedLayer &layer : list.layers)
    written.insert(layer.file);
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(directory, error), end;
       it != end && !error; it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".npy" &&
        !written.contains(llvm::sys::path::filename(it->path())))
      return llvm::createStringError(
          "expected '--record' of a folder without other records, but got '" +
          it->path() + "'");
  // What can not be read is found when it is written.
  return llvm::Error::success();
}

llvm::Error LayerRun::addFiles(std::vector<OutputFile> &files,
                               OutputFolder &folder) {
  if (options.recordDir.empty())
    return llvm::Error::success();
  if (llvm::Error error = checkNoOthers(options.recordDir, list))
    return error;
  if (llvm::Error error = folder.make(options.recordDir))
    return error;
  auto add = [&](StringRef name, auto write) {
    SmallString<128> path(options.recordDir);
    llvm::sys::path::append(path, name);
    files.push_back({"--record", path.str().str(), write, nullptr});
  };
  for (auto [listed, recorded] : llvm::zip_equal(list.layers, recording.layers))
    if (!listed.file.empty())
      add(listed.file, [&value = recorded.value](llvm::raw_ostream &os) {
        os << formatNpy(value);
        return llvm::Error::success();
      });
  add(layerListName, [this](llvm::raw_ostream &os) {
    writeLayerList(os, list);
    return llvm::Error::success();
  });
  return llvm::Error::success();
}

bool LayerRun::print(llvm::raw_ostream &os) const {
  if (!options.recordDir.empty()) {
    size_t count = llvm::count_if(list.layers, [](const ListedLayer &layer) {
      return layer.obstacle.empty();
    });
    os << "recorded " << count << " of " << list.layers.size() << " layers in '"
       << options.recordDir << "'\n";
    for (auto [i, layer] : llvm::enumerate(list.layers))
      if (!layer.obstacle.empty())
        os << "  not layer " << i << ", " << layer.kernel << " '" << layer.name
           << "': " << layer.obstacle << "\n";
  }
  return options.compareDir.empty() ||
         printRunComparison(os, differences, options.tolerance);
}
