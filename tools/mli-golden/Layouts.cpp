// SPDX-License-Identifier: Apache-2.0
//
// Vectors of tensors in NPU local memory, against the layout library.

#include "Fields.h"
#include "Runner.h"

#include "mli/Layout/ElementMap.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mli::layout;

namespace mli::golden {
namespace {

struct LayoutSample {
  std::vector<int64_t> index;
  Location location = {0, 0};
};

struct LayoutSpec {
  int64_t npus = 0, npuBytes = 0, address = 0;
  std::string element, kind, mode;
  std::vector<int64_t> shape, packedShape, strides;
  int64_t startNpu = 0, channelsPerNpu = 0, packedBytes = 0, bytesPerNpu = 0;
  std::vector<LayoutSample> samples;
};

bool fromJSON(const json::Value &value, LayoutSample &sample, json::Path path) {
  return readFields(value, path, Field("index", sample.index),
                    Field("npu", sample.location.npu),
                    Field("offset", sample.location.offset));
}

bool fromJSON(const json::Value &value, LayoutSpec &spec, json::Path path) {
  return readFields(
      value, path, Field("npus", spec.npus), Field("npu_bytes", spec.npuBytes),
      Field("address", spec.address), Field("element", spec.element),
      Field("layout", spec.kind), Field("mode", spec.mode),
      Field("shape", spec.shape), Field("packed_shape", spec.packedShape),
      Field("strides", spec.strides), Field("start_npu", spec.startNpu),
      Field("channels_per_npu", spec.channelsPerNpu),
      Field("packed_bytes", spec.packedBytes),
      Field("bytes_per_npu", spec.bytesPerNpu), Field("samples", spec.samples));
}

} // namespace

static std::optional<Dims> toDims(const std::vector<int64_t> &numbers) {
  if (numbers.size() != 4)
    return std::nullopt;
  return Dims{numbers[0], numbers[1], numbers[2], numbers[3]};
}

/// The layout that a vector describes, without its strides.
static Expected<TensorLayout> build(const LayoutSpec &spec) {
  TensorLayout layout;
  layout.target = {spec.npus, spec.npuBytes, 1, 128, 4};
  layout.elementBytes = StringSwitch<int64_t>(spec.element)
                            .Case("i8", 1)
                            .Case("i16", 2)
                            .Cases({"i32", "f32"}, 4)
                            .Default(0);
  std::optional<Kind> kind = parseKind(spec.kind);
  std::optional<Mode> mode = parseMode(spec.mode);
  std::optional<Dims> shape = toDims(spec.shape);
  if (!kind || !mode || !shape)
    return createStringError(inconvertibleErrorCode(),
                             "expected a layout, a mode and four extents");
  layout.kind = *kind;
  layout.mode = *mode;
  layout.shape = *shape;
  Result<Location> start = splitAddress(spec.address, layout.target);
  if (!start)
    return createStringError(inconvertibleErrorCode(),
                             toString(start.problem()));
  layout.startNpu = start->npu;
  layout.offset = start->offset;
  return layout;
}

static void compare(StringRef name, int64_t expected, int64_t got,
                    Differences &differences) {
  if (expected != got)
    differences.emplace_back(
        formatv("{0}: expected {1}, but got {2}", name, expected, got));
}

static void compare(StringRef name, const std::vector<int64_t> &expected,
                    const Dims &got, Differences &differences) {
  if (toDims(expected) != got)
    differences.emplace_back(
        formatv("{0}: expected {1:$[, ]}, but got {2}, {3}, {4}, {5}", name,
                make_range(expected.begin(), expected.end()), got.n, got.c,
                got.h, got.w));
}

static void compareSample(const LayoutSample &sample,
                          const TensorLayout &layout,
                          Differences &differences) {
  std::optional<Dims> index = toDims(sample.index);
  if (!index || !hasElement(layout, *index)) {
    differences.emplace_back("expected a sample to be in the shape");
    return;
  }
  Location got = locate(layout, *index);
  compare("npu", sample.location.npu, got.npu, differences);
  compare("offset", sample.location.offset, got.offset, differences);
  ByteContent back = contentAt(layout, got);
  if (back.content != Content::Element || back.index != *index)
    differences.emplace_back("the inverse is not the sample");
}

Error runLayouts(StringRef file, const json::Value &value, Totals &totals) {
  json::Path::Root root("layouts");
  std::vector<LayoutSpec> specs;
  if (!json::fromJSON(value, specs, root))
    return root.getError();
  for (const auto &[number, spec] : enumerate(specs)) {
    Differences differences;
    Expected<TensorLayout> request = build(spec);
    if (!request)
      return request.takeError();
    Result<TensorLayout> layout = makeLayout(*request);
    if (layout) {
      compare("start_npu", spec.startNpu, layout->startNpu, differences);
      compare("channels_per_npu", spec.channelsPerNpu, channelsPerNpu(*layout),
              differences);
      compare("packed_bytes", spec.packedBytes, packedBytes(*layout),
              differences);
      compare("bytes_per_npu", spec.bytesPerNpu, bytesPerNpu(*layout),
              differences);
      compare("packed_shape", spec.packedShape, packedShape(*layout),
              differences);
      compare("strides", spec.strides, layout->strides, differences);
      for (const LayoutSample &sample : spec.samples)
        compareSample(sample, *layout, differences);
    } else {
      differences.push_back(toString(layout.problem()));
    }
    totals.count(file, formatv("layout {0}", number).str(), differences);
  }
  return Error::success();
}

} // namespace mli::golden
