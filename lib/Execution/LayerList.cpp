// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/LayerList.h"

#include "mli/Execution/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mli;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string getHash(const HostTensor &tensor) {
  uint64_t hash =
      llvm::xxh3_64bits(StringRef(tensor.data.data(), tensor.data.size()));
  return llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

/// The name that `--layers` reads. Layers have one recorded tensor each, which
/// has their number.
static std::string getFileName(const RecordedLayer &layer) {
  std::string name;
  llvm::raw_string_ostream(name)
      << "op" << llvm::format("%02u", layer.index) << "_" << layer.kernel
      << "_t" << layer.index << ".npy";
  return name;
}

LayerList mli::listLayers(const Recording &recording,
                          ArrayRef<HostTensor> inputs) {
  LayerList list;
  for (const HostTensor &input : inputs)
    list.inputs.push_back(getHash(input));
  for (const LayerValue &recorded : recording.layers) {
    const RecordedLayer &layer = recorded.layer;
    ListedLayer listed{layer.kernel, layer.name, {}, {}, layer.obstacle};
    llvm::raw_string_ostream(listed.type) << layer.type;
    if (layer.obstacle.empty())
      listed.file = getFileName(layer);
    list.layers.push_back(std::move(listed));
  }
  return list;
}

void mli::writeLayerList(llvm::raw_ostream &os, const LayerList &list) {
  json::OStream out(os, /*IndentSize=*/2);
  out.object([&] {
    out.attribute("version", 1);
    out.attributeArray("inputs", [&] {
      for (const std::string &input : list.inputs)
        out.value(input);
    });
    out.attributeArray("layers", [&] {
      for (const ListedLayer &layer : list.layers)
        out.object([&] {
          out.attribute("kernel", layer.kernel);
          // Names of TFLite are any bytes, JSON is UTF-8.
          out.attribute("name", json::fixUTF8(layer.name));
          out.attribute("type", layer.type);
          if (layer.obstacle.empty())
            out.attribute("file", layer.file);
          else
            out.attribute("obstacle", layer.obstacle);
        });
    });
  });
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

// Mapped by LLVM, which finds these beside the types.
namespace mli {

static bool fromJSON(const json::Value &value, ListedLayer &layer,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("kernel", layer.kernel) ||
      !map.map("name", layer.name) || !map.map("type", layer.type) ||
      !map.mapOptional("file", layer.file) ||
      !map.mapOptional("obstacle", layer.obstacle))
    return false;
  if (layer.file.empty() != layer.obstacle.empty())
    return true;
  path.report("expected a file or an obstacle");
  return false;
}

static bool fromJSON(const json::Value &value, LayerList &list,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  int64_t version = 0;
  if (!map || !map.map("version", version))
    return false;
  if (version != 1) {
    path.field("version").report("expected version 1");
    return false;
  }
  return map.map("inputs", list.inputs) && map.map("layers", list.layers);
}

} // namespace mli

static llvm::Expected<LayerList> readLayerList(StringRef path) {
  auto buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  json::Path::Root root("list of layers");
  LayerList list;
  auto value = json::parse((*buffer)->getBuffer());
  llvm::Error error = value ? llvm::Error::success() : value.takeError();
  if (!error && !fromJSON(*value, list, root))
    error = root.getError();
  if (!error)
    return list;
  return llvm::createStringError(
      "expected '" + path +
      "' to list layers, but got: " + llvm::toString(std::move(error)));
}

/// Checks that `records`, of `directory`, are those in `list`.
static llvm::Error checkFiles(StringRef directory, const LayerList &list,
                              ArrayRef<LayerRecord> records) {
  llvm::StringSet<> files, listed;
  for (const LayerRecord &record : records)
    files.insert(record.file);
  for (const ListedLayer &layer : list.layers) {
    listed.insert(layer.file);
    if (!layer.file.empty() && !files.contains(layer.file))
      return llvm::createStringError("expected '" + directory +
                                     "' to have the record '" + layer.file +
                                     "' of its list, but got none");
  }
  for (const LayerRecord &record : records)
    if (!listed.contains(record.file))
      return llvm::createStringError("expected the records of '" + directory +
                                     "' to be in its list, but got '" +
                                     record.file + "'");
  return llvm::Error::success();
}

llvm::Expected<RecordedRun> mli::readRecordedRun(StringRef directory) {
  RecordedRun run;
  SmallString<128> path(directory);
  llvm::sys::path::append(path, layerListName);
  if (llvm::sys::fs::exists(path)) {
    auto list = readLayerList(path);
    if (!list)
      return list.takeError();
    run.list = std::move(*list);
    // Streams may leave no layer whole, and a network may have none.
    if (llvm::all_of(run.list->layers, [](const ListedLayer &layer) {
          return layer.file.empty();
        }))
      return run;
  }
  auto records = readLayerRecords(directory);
  if (!records)
    return records.takeError();
  run.records = std::move(*records);
  if (run.list)
    if (llvm::Error error = checkFiles(directory, *run.list, run.records))
      return error;
  return run;
}
