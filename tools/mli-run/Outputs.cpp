// SPDX-License-Identifier: Apache-2.0

#include "Outputs.h"

#include "mli/Execution/Npy.h"
#include "mli/Execution/Similarity.h"
#include "mli/IR/MLI.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Integers whole, others in 6 digits.
static void printNumber(llvm::raw_ostream &os, const HostTensor &tensor,
                        double number) {
  bool isWhole = tensor.element != HostElement::F32 &&
                 number == std::rint(number) && std::abs(number) < 0x1p53;
  if (isWhole)
    os << static_cast<int64_t>(number);
  else
    os << llvm::format("%g", number);
}

/// One line of elements; of a long tensor the first and the last eight.
static void printLine(llvm::raw_ostream &os, StringRef title,
                      const HostTensor &tensor,
                      llvm::function_ref<double(size_t)> element) {
  size_t size = tensor.getNumElements();
  os << "  " << title << ":";
  for (size_t i = 0; i < size; ++i) {
    if (size > 32 && i == 8) {
      os << " ...";
      i = size - 8;
    }
    os << " ";
    printNumber(os, tensor, element(i));
  }
  os << "\n";
}

void mli::printTensor(llvm::raw_ostream &os, RankedTensorType type,
                      const HostTensor &tensor) {
  bool isQuantized = isa<QuantizedType>(type.getElementType());
  printLine(os, isQuantized ? "codes" : "values", tensor,
            [&](size_t i) { return tensor.get(i); });
  if (isQuantized)
    printLine(os, "values", tensor,
              [&](size_t i) { return getRealValue(type, tensor, i); });
}

void mli::printTop(llvm::raw_ostream &os, RankedTensorType type,
                   const HostTensor &tensor, unsigned count,
                   ArrayRef<std::string> labels) {
  std::vector<double> values(tensor.getNumElements());
  for (auto [i, value] : llvm::enumerate(values))
    value = getRealValue(type, tensor, i);
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  // NaN comes last, so that there is one order.
  llvm::sort(order, [&](size_t a, size_t b) {
    bool isNumberA = !std::isnan(values[a]), isNumberB = !std::isnan(values[b]);
    if (isNumberA != isNumberB)
      return isNumberA;
    if (isNumberA && values[a] != values[b])
      return values[a] > values[b];
    return a < b;
  });
  order.resize(std::min<size_t>(count, order.size()));

  auto getLabel = [&](size_t i) {
    return labels.empty() ? "class " + std::to_string(i) : labels[i];
  };
  size_t width = 0;
  for (size_t i : order)
    width = std::max(width, getLabel(i).size());
  for (auto [rank, i] : llvm::enumerate(order)) {
    os << rank + 1 << ". " << llvm::left_justify(getLabel(i), width)
       << llvm::format("  %.4f", values[i]);
    if (isa<QuantizedType>(type.getElementType())) {
      os << " (";
      printNumber(os, tensor, tensor.get(i));
      os << ")";
    }
    os << "\n";
  }
}

bool mli::printLayers(llvm::raw_ostream &os,
                      const LayerComparison &comparison) {
  ArrayRef<LayerResult> layers = comparison.layers;
  size_t kernelWidth = 0, fileWidth = 0, outside = 0;
  for (const LayerResult &layer : layers) {
    kernelWidth = std::max(kernelWidth, layer.kernel.size());
    fileWidth = std::max(fileWidth, layer.file.size());
  }
  os << "op  " << llvm::left_justify("kernel", kernelWidth) << "  "
     << llvm::left_justify("record", fileWidth)
     << "  elements  differing  max |d|     share  verdict\n";
  for (const LayerResult &layer : layers) {
    double share = layer.elements
                       ? 100.0 * layer.difference.elements / layer.elements
                       : 0.0;
    os << llvm::format("%02u  ", layer.index)
       << llvm::left_justify(layer.kernel, kernelWidth) << "  "
       << llvm::left_justify(layer.file, fileWidth)
       << llvm::format("  %8zu  %9zu  %7g  %7.3f%%  ", layer.elements,
                       layer.difference.elements, layer.difference.greatest,
                       share)
       << (layer.isWithinRules ? "within" : "outside") << "\n";
    outside += !layer.isWithinRules;
  }
  os << layers.size() - outside << " layers within the rules, " << outside
     << " outside";
  if (size_t unused = comparison.unusedRecords)
    os << ", " << unused << " record" << (unused > 1 ? "s" : "")
       << " not used, from '" << comparison.firstUnused << "' on";
  os << "\n";
  return outside == 0;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

OutputFolder::~OutputFolder() {
  for (const std::string &folder : made)
    if (llvm::sys::fs::remove(folder))
      return;
}

llvm::Error OutputFolder::make(StringRef path) {
  for (StringRef folder = path;
       !folder.empty() && !llvm::sys::fs::exists(folder);
       folder = llvm::sys::path::parent_path(folder))
    made.push_back(folder.str());
  std::error_code code = llvm::sys::fs::create_directories(path);
  return code ? llvm::createStringError(
                    "expected '" + path +
                    "' to be writable, but got: " + code.message())
              : llvm::Error::success();
}

std::vector<OutputFile> mli::getOutputFiles(StringRef directory,
                                            ArrayRef<HostTensor> results) {
  std::vector<OutputFile> files;
  for (auto [i, result] : llvm::enumerate(results)) {
    SmallString<128> path(directory);
    llvm::sys::path::append(path, "output_" + Twine(i) + ".npy");
    auto write = [&result = result](llvm::raw_ostream &os) {
      os << formatNpy(result);
      return llvm::Error::success();
    };
    files.push_back({"--output-dir", path.str().str(), write, nullptr});
  }
  return files;
}
