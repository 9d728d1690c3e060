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
  Dims index;
  Location location = {0, 0};
};

struct LayoutSpec {
  int64_t npus = 0, npuBytes = 0, address = 0, elementBytes = 0;
  Kind kind;
  Mode mode;
  Dims shape, packedShape, strides;
  int64_t startNpu = 0, channelsPerNpu = 0, packedBytes = 0, bytesPerNpu = 0;
  std::vector<LayoutSample> samples;
};

} // namespace

static bool read(const json::Value &value, const Place &place,
                 LayoutSample &sample) {
  return Fields(value, place)
      .required("index", sample.index)
      .required("npu", sample.location.npu)
      .required("offset", sample.location.offset)
      .end();
}

/// A name that `parse` knows.
template <typename Target, typename Parse>
static bool readName(const json::Value &value, const Place &place,
                     StringRef names, Target &target, Parse parse) {
  std::optional<StringRef> name = value.getAsString();
  std::optional<Target> parsed;
  if (name)
    parsed = parse(*name);
  if (!parsed)
    return place.reject("be one of " + names, &value);
  target = *parsed;
  return true;
}

static bool read(const json::Value &value, const Place &place, Dims &dims) {
  Integers numbers;
  if (!read(value, place, numbers))
    return false;
  if (numbers.size() != 4)
    return place.reject("have four numbers", &value);
  dims = {numbers[0], numbers[1], numbers[2], numbers[3]};
  return true;
}

static std::optional<int64_t> getBytes(StringRef element) {
  return StringSwitch<std::optional<int64_t>>(element)
      .Case("i8", 1)
      .Case("i16", 2)
      .Cases({"i32", "f32"}, 4)
      .Default(std::nullopt);
}

static bool read(const json::Value &value, const Place &place,
                 LayoutSpec &spec) {
  auto readElement = [&](const json::Value &name, const Place &at) {
    return readName(name, at, "i8, i16, i32 and f32", spec.elementBytes,
                    getBytes);
  };
  auto readKind = [&](const json::Value &name, const Place &at) {
    return readName(name, at,
                    "continuous, aligned, compact, matrix and strided",
                    spec.kind, [](StringRef text) { return parseKind(text); });
  };
  auto readMode = [&](const json::Value &name, const Place &at) {
    return readName(name, at, "none, 4N, 2N and 2IC", spec.mode,
                    [](StringRef text) { return parseMode(text); });
  };
  auto readSamples = [&](const json::Value &samples, const Place &at) {
    return readList(samples, at, spec.samples);
  };
  return Fields(value, place)
      .required("npus", spec.npus)
      .required("npu_bytes", spec.npuBytes)
      .required("address", spec.address)
      .with("element", true, readElement)
      .with("layout", true, readKind)
      .with("mode", true, readMode)
      .required("shape", spec.shape)
      .required("packed_shape", spec.packedShape)
      .required("strides", spec.strides)
      .required("start_npu", spec.startNpu)
      .required("channels_per_npu", spec.channelsPerNpu)
      .required("packed_bytes", spec.packedBytes)
      .required("bytes_per_npu", spec.bytesPerNpu)
      .with("samples", true, readSamples)
      .end();
}

/// The layout that a vector describes, without its strides.
static Result<TensorLayout> build(const LayoutSpec &spec) {
  TensorLayout layout;
  layout.target = {spec.npus, spec.npuBytes, 1, 128, 4};
  layout.elementBytes = spec.elementBytes;
  layout.kind = spec.kind;
  layout.mode = spec.mode;
  layout.shape = spec.shape;
  Result<Location> start = splitAddress(spec.address, layout.target);
  if (!start)
    return start.violation();
  layout.startNpu = start->npu;
  layout.offset = start->offset;
  return makeLayout(layout);
}

static void compare(StringRef name, int64_t expected, int64_t got,
                    Differences &differences) {
  if (expected != got)
    differences.emplace_back(
        formatv("{0}: expected {1}, but got {2}", name, expected, got));
}

static void compare(StringRef name, const Dims &expected, const Dims &got,
                    Differences &differences) {
  if (!(expected == got))
    differences.emplace_back(
        formatv("{0}: expected {1}, {2}, {3}, {4}, but got {5}, {6}, {7}, {8}",
                name, expected.n, expected.c, expected.h, expected.w, got.n,
                got.c, got.h, got.w));
}

static void compareSample(const LayoutSample &sample,
                          const TensorLayout &layout,
                          Differences &differences) {
  if (!hasElement(layout, sample.index)) {
    differences.emplace_back("expected a sample to be in the shape");
    return;
  }
  Location got = locate(layout, sample.index);
  compare("npu", sample.location.npu, got.npu, differences);
  compare("offset", sample.location.offset, got.offset, differences);
  ByteContent back = contentAt(layout, got);
  if (back.content != Content::Element || !(back.index == sample.index))
    differences.emplace_back("the inverse is not the sample");
}

Error runLayouts(StringRef file, const json::Value &value, Totals &totals) {
  std::string error;
  std::vector<LayoutSpec> specs;
  if (!readList(value, Place(error), specs))
    return createStringError(error);
  for (const auto &[number, spec] : enumerate(specs)) {
    Differences differences;
    Result<TensorLayout> layout = build(spec);
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
      differences.push_back(toString(layout.violation()));
    }
    totals.count(file, formatv("layout {0}", number).str(), differences);
  }
  return Error::success();
}

} // namespace mli::golden
