// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Files.h"
#include "mli/Execution/Layers.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mli;

/// Parses `opNN_<op>_t<tensor>`.
static bool parseStem(llvm::StringRef stem, LayerRecord &record) {
  auto [before, tensor] = stem.rsplit("_t");
  uint64_t number;
  if (!before.consume_front("op") || tensor.getAsInteger(10, number) ||
      before.consumeInteger(10, record.index) || !before.consume_front("_"))
    return false;
  record.op = before.str();
  return !before.empty();
}

llvm::Expected<std::vector<LayerRecord>>
mli::readLayerRecords(llvm::StringRef directory) {
  std::vector<LayerRecord> records;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(directory, error), end;
       it != end && !error; it.increment(error)) {
    llvm::StringRef path = it->path();
    if (llvm::sys::path::extension(path) != ".npy")
      continue;
    LayerRecord record;
    record.file = llvm::sys::path::filename(path).str();
    if (!parseStem(llvm::sys::path::stem(path), record))
      return llvm::createStringError("expected a record to be called "
                                     "'opNN_<op>_t<tensor>.npy', but got '" +
                                     path + "'");
    llvm::Expected<HostTensor> value = readNpy(path);
    if (!value)
      return value.takeError();
    record.value = std::move(*value);
    records.push_back(std::move(record));
  }
  if (error)
    return llvm::createStringError(
        "expected '" + directory +
        "' to be readable, but got: " + error.message());
  if (records.empty())
    return llvm::createStringError(
        "expected '" + directory +
        "' to hold records called 'opNN_<op>_t<tensor>.npy', but got none");
  llvm::sort(records, [](const LayerRecord &a, const LayerRecord &b) {
    return std::tie(a.index, a.file) < std::tie(b.index, b.file);
  });
  for (size_t i = 1; i < records.size(); ++i)
    if (records[i - 1].index == records[i].index)
      return llvm::createStringError("expected one record of operator " +
                                     llvm::Twine(records[i].index) +
                                     ", but got '" + records[i - 1].file +
                                     "' and '" + records[i].file + "'");
  return records;
}
