// SPDX-License-Identifier: Apache-2.0

#include "Blocks.h"
#include "Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mli::layout {

static constexpr int64_t maxNpus = 16;
static constexpr int64_t maxRows = 64;

static std::string toText(const Dims &dims) {
  return formatv("{0} {1} {2} {3}", dims.n, dims.c, dims.h, dims.w);
}

static std::string toText(const std::vector<int64_t> &numbers) {
  return join(map_range(numbers, [](int64_t n) { return std::to_string(n); }),
              ",");
}

static void writeLine(raw_ostream &os, StringRef name, const Twine &text) {
  os << left_justify(name, 18) << text << "\n";
}

/// Which (n, c) each NPU has at which offset, a line for each block row.
static void writeBlocks(const TensorLayout &layout, raw_ostream &os) {
  int64_t npus = std::min(layout.target.npus, maxNpus);
  int64_t rows = countBlockRows(layout);
  os << "\n      offset";
  for (int64_t npu = 0; npu < npus; ++npu)
    os << right_justify("NPU " + std::to_string(npu), 10);
  os << (npus < layout.target.npus ? "  ..." : "") << "\n";
  for (int64_t row = 0; row < std::min(rows, maxRows); ++row) {
    os << formatv("{0,12}", offsetOfBlockRow(layout, row));
    for (int64_t npu = 0; npu < npus; ++npu) {
      std::string features = getFeatures(layout, row, npu);
      os << right_justify(features.empty() ? "-" : features, 10);
    }
    os << "\n";
  }
  if (rows > maxRows)
    os << formatv("{0,12} more block rows\n", rows - maxRows);
}

static void writeByte(const Request &request, const Location &location,
                      raw_ostream &os) {
  ByteContent content = contentAt(request.layout, location);
  std::string what(toString(content.content));
  if (content.content == Content::Element || content.content == Content::Dummy)
    what += formatv(" {0}, its byte {1}",
                    toText(spelledIndex(request, content.index)), content.byte)
                .str();
  writeLine(os, formatv("byte {0},{1}", location.npu, location.offset).str(),
            what);
}

static void writePart(const Request &request, const Part &part,
                      raw_ostream &os) {
  std::string name = "part " + toText(part.offset);
  Result<Subtensor> result = getPart(request, part);
  if (!result) {
    writeLine(os, name, toString(result.violation()));
    return;
  }
  const TensorLayout &layout = result->layout;
  writeLine(os, name,
            formatv("address {0} (NPU {1} + {2}), strides {3}, {4}",
                    getAddress(layout), layout.startNpu, layout.offset,
                    toText(layout.strides), toString(layout.kind))
                .str());
}

static void writeComparison(const Request &request, raw_ostream &os) {
  std::vector<Alternative> all = cantFail(alternatives(request));
  if (all.empty())
    return;
  os << "\ncompared            bytes per NPU  channels per NPU  waste  "
        "strides\n";
  for (const Alternative &alternative : all) {
    os << left_justify(alternative.name, 18) << "  ";
    if (!alternative.layout) {
      os << toString(alternative.layout.violation()) << "\n";
      continue;
    }
    const TensorLayout &layout = *alternative.layout;
    os << formatv("{0,13}  {1,16}  {2,5:P0}  {3}\n", bytesPerNpu(layout),
                  channelsPerNpu(layout), getWaste(layout),
                  toText(layout.strides));
  }
}

static void writeNumbers(const Request &request, raw_ostream &os) {
  const TensorLayout &layout = request.layout;
  const Target &target = layout.target;
  writeLine(os, "layout",
            formatv("{0}, mode {1}, {2}", toString(layout.kind),
                    toString(layout.mode), request.element)
                .str());
  writeLine(os, "memory",
            formatv("{0} NPUs of {1} bytes, unit {2}", target.npus,
                    target.npuBytes, target.unit)
                .str());
  if (request.isMatrix)
    writeLine(os, "matrix",
              formatv("{0} x {1}, {2} columns per channel", layout.shape.n,
                      layout.matrixColumns, layout.shape.w)
                  .str());
  writeLine(os, "shape", toText(layout.shape));
  if (layout.mode != Mode::None)
    writeLine(os, "packed shape",
              formatv("{0}, of {1} bytes", toText(packedShape(layout)),
                      packedBytes(layout))
                  .str());
  writeLine(os, "address",
            formatv("{0} = NPU {1} + {2}", getAddress(layout), layout.startNpu,
                    layout.offset)
                .str());
  writeLine(os, "strides", toText(layout.strides));
  writeLine(os, "channels per NPU", Twine(channelsPerNpu(layout)));
  writeLine(os, "bytes per NPU",
            formatv("{0}, {1} to {2}, {3:P0} waste", bytesPerNpu(layout),
                    layout.offset, layout.offset + bytesPerNpu(layout) - 1,
                    getWaste(layout))
                .str());
}

void writeText(const Request &request, raw_ostream &os) {
  writeNumbers(request, os);
  writeBlocks(request.layout, os);
  if (!request.at.empty() || !request.bytes.empty() || !request.parts.empty())
    os << "\n";
  for (auto [at, index] : zip(request.at, request.atIndex)) {
    Location location = locate(request.layout, index);
    writeLine(
        os, "at " + toText(at),
        formatv("NPU {0} offset {1}", location.npu, location.offset).str());
  }
  for (const Location &location : request.bytes)
    writeByte(request, location, os);
  for (const Part &part : request.parts)
    writePart(request, part, os);
  writeComparison(request, os);
}

} // namespace mli::layout
