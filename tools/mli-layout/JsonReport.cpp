// SPDX-License-Identifier: Apache-2.0

#include "Report.h"

#include "llvm/Support/JSON.h"

using namespace llvm;

namespace mli::layout {

static json::Array toJson(const Dims &dims) {
  return json::Array({dims.n, dims.c, dims.h, dims.w});
}

static json::Object toJson(const Location &location) {
  return json::Object({{"npu", location.npu}, {"offset", location.offset}});
}

/// The numbers of a layout.
static json::Object toJson(const TensorLayout &layout) {
  return json::Object({
      {"layout", StringRef(toString(layout.kind))},
      {"mode", StringRef(toString(layout.mode))},
      {"shape", layout.matrixColumns == 0
                    ? toJson(layout.shape)
                    : json::Array{layout.shape.n, layout.matrixColumns}},
      {"address", getAddress(layout)},
      {"start_npu", layout.startNpu},
      {"offset", layout.offset},
      {"strides", toJson(layout.strides)},
      {"channels_per_npu", channelsPerNpu(layout)},
      {"packed_shape", toJson(packedShape(layout))},
      {"packed_bytes", packedBytes(layout)},
      {"bytes_per_npu", bytesPerNpu(layout)},
      {"columns_per_channel",
       layout.matrixColumns == 0 ? json::Value(nullptr) : layout.shape.w},
  });
}

static json::Array toJson(const std::vector<int64_t> &numbers) {
  json::Array array;
  for (int64_t number : numbers)
    array.push_back(number);
  return array;
}

static json::Object answerByte(const Request &request,
                               const Location &location) {
  ByteContent content = contentAt(request.layout, location);
  json::Object answer = toJson(location);
  answer["content"] = StringRef(toString(content.content));
  if (content.content == Content::Element ||
      content.content == Content::Dummy) {
    answer["index"] = toJson(spelledIndex(request, content.index));
    answer["byte"] = content.byte;
  }
  return answer;
}

static json::Object answerPart(const Request &request, const Part &part) {
  Result<Subtensor> result = getPart(request, part);
  if (!result)
    return json::Object({{"error", toString(result.violation())}});
  json::Object answer = toJson(result->layout);
  answer["keeps_layout"] = result->keepsLayout;
  return answer;
}

void writeJson(const Request &request, raw_ostream &os) {
  json::Object report = toJson(request.layout);
  const Target &target = request.layout.target;
  report["element"] = request.element;
  report["npus"] = target.npus;
  report["npu_bytes"] = target.npuBytes;
  report["unit"] = target.unit;
  json::Array elements;
  for (const Dims &index : request.atIndex)
    elements.push_back(toJson(locate(request.layout, index)));
  report["elements"] = std::move(elements);
  json::Array bytes;
  for (const Location &location : request.bytes)
    bytes.push_back(answerByte(request, location));
  report["bytes"] = std::move(bytes);
  json::Array parts;
  for (const Part &part : request.parts)
    parts.push_back(answerPart(request, part));
  report["parts"] = std::move(parts);
  json::Array compared;
  for (const Alternative &alternative : cantFail(alternatives(request))) {
    json::Object answer({{"name", alternative.name}});
    if (alternative.layout)
      answer["layout"] = toJson(*alternative.layout);
    else
      answer["error"] = toString(alternative.layout.violation());
    compared.push_back(std::move(answer));
  }
  report["compare"] = std::move(compared);
  os << formatv("{0:2}\n", json::Value(std::move(report)));
}

void writeJson(const std::vector<Mark> &marks, raw_ostream &os) {
  json::Array places;
  for (const Mark &mark : marks) {
    json::Object place = toJson(mark.location);
    place["name"] = mark.name;
    places.push_back(std::move(place));
  }
  os << formatv("{0:2}\n",
                json::Value(json::Object({{"marks", std::move(places)}})));
}

} // namespace mli::layout
