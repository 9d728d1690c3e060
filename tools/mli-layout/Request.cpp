// SPDX-License-Identifier: Apache-2.0

#include "Request.h"

#include "mli/Layout/MatrixWidth.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace mli::layout {

Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

Error makeError(const Violation &problem) {
  return makeError(toString(problem));
}

Expected<int64_t> parseNumber(StringRef option, StringRef text) {
  int64_t number = 0;
  if (!text.trim().getAsInteger(10, number))
    return number;
  return makeError("expected '" + option + "' to be a number, but got '" +
                   text + "'");
}

/// Reads a list whose length is one of `lengths`.
static Expected<std::vector<int64_t>>
parseList(StringRef option, StringRef text, ArrayRef<size_t> lengths) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  std::vector<int64_t> numbers;
  for (StringRef part : parts) {
    Expected<int64_t> number = parseNumber(option, part);
    if (!number)
      return number.takeError();
    numbers.push_back(*number);
  }
  if (is_contained(lengths, numbers.size()))
    return numbers;
  std::string wanted;
  for (size_t length : lengths)
    wanted += (wanted.empty() ? "" : " or ") + std::to_string(length);
  return makeError("expected '" + option + "' to have " + wanted +
                   " numbers, but got '" + text + "'");
}

static Dims toDims(const std::vector<int64_t> &numbers) {
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

Expected<Target> parseTarget(const Options &options) {
  std::string text = options.target.empty() ? "bm1684" : options.target;
  for (auto [name, value] : {std::pair("npus", &options.npus),
                             std::pair("npu-bytes", &options.npuBytes),
                             std::pair("unit", &options.unit)})
    if (!value->empty())
      text += std::string(",") + name + "=" + *value;
  std::string error;
  if (std::optional<Target> target = parseTarget(text, error))
    return *target;
  return makeError(error);
}

static Error parseElement(const Options &options, Request &request) {
  StringRef element = options.element;
  if (element.empty())
    element = "f32";
  request.element = element.str();
  TensorLayout &layout = request.layout;
  layout.elementBytes = StringSwitch<int64_t>(element)
                            .Cases({"i8", "u8", "fx8", "sa8"}, 1)
                            .Cases({"i16", "u16", "fx16"}, 2)
                            .Cases({"i32", "u32", "f32", "sa32"}, 4)
                            .Default(0);
  if (layout.elementBytes == 0)
    return makeError("expected 'element' to be one of i8, u8, i16, u16, i32, "
                     "u32, f32, fx8, sa8, fx16, sa32, but got '" +
                     element + "'");
  StringRef mode = options.mode;
  if (mode.empty())
    mode = "none";
  std::optional<Mode> parsed = parseMode(mode);
  if (!parsed)
    return makeError("expected 'mode' to be one of none, 4N, 2N, 2IC, but got "
                     "'" +
                     mode + "'");
  layout.mode = *parsed;
  if (layout.mode == Mode::TwoIC && element != "f32")
    return makeError("expected 'element' to be f32 in mode 2IC, but got '" +
                     element + "'");
  return Error::success();
}

static Error parseKind(const Options &options, Request &request) {
  StringRef kind = options.kind;
  if (kind.empty())
    kind = !options.strides.empty()   ? "strided"
           : !options.columns.empty() ? "matrix"
                                      : "aligned";
  std::optional<Kind> parsed = parseKind(std::string_view(kind));
  if (!parsed)
    return makeError("expected 'layout' to be one of continuous, aligned, "
                     "compact, matrix, strided, but got '" +
                     kind + "'");
  TensorLayout &layout = request.layout;
  layout.kind = *parsed;
  request.isMatrix = !options.columns.empty() || layout.kind == Kind::Matrix;
  if (layout.kind == Kind::Strided && options.strides.empty())
    return makeError("expected 'strides' to be given with explicit strides, "
                     "but got none");
  // System memory is one large NPU, if no option describes it.
  bool isAny = options.target.empty() && options.npus.empty() &&
               options.npuBytes.empty() && options.unit.empty();
  if (layout.kind == Kind::Continuous && isAny)
    layout.target = {1, int64_t{1} << 32, 1, 1, 1};
  return Error::success();
}

static Error parseAddress(const Options &options, Request &request) {
  if (options.address.empty())
    return Error::success();
  Expected<int64_t> address = parseNumber("address", options.address);
  if (!address)
    return address.takeError();
  TensorLayout &layout = request.layout;
  Result<Location> first = splitAddress(*address, layout.target);
  if (!first)
    return makeError(first.violation());
  layout.startNpu = first->npu;
  layout.offset = first->offset;
  return Error::success();
}

static Error parseMatrix(const Options &options, Request &request) {
  Expected<std::vector<int64_t>> shape = parseList("shape", options.shape, {2});
  if (!shape)
    return shape.takeError();
  TensorLayout &layout = request.layout;
  int64_t columns = (*shape)[1];
  layout.matrixColumns = columns;
  int64_t width = columns;
  if (options.columns == "best") {
    if (std::optional<Violation> problem =
            checkRange("columns", columns, 1, maxExtent))
      return makeError(*problem);
    width = bestMatrixWidth(layout);
  } else if (!options.columns.empty()) {
    Expected<int64_t> number = parseNumber("columns", options.columns);
    if (!number)
      return number.takeError();
    width = *number;
  }
  Result<Dims> tensor = matrixShape((*shape)[0], columns, width);
  if (!tensor)
    return makeError(tensor.violation());
  layout.shape = *tensor;
  return Error::success();
}

static Error parseShape(const Options &options, Request &request) {
  if (options.shape.empty())
    return makeError("expected 'shape' to be given, but got none");
  if (request.isMatrix)
    return parseMatrix(options, request);
  Expected<std::vector<int64_t>> shape = parseList("shape", options.shape, {4});
  if (!shape)
    return shape.takeError();
  request.layout.shape = toDims(*shape);
  return Error::success();
}

static Error parseStrides(const Options &options, Request &request) {
  if (options.strides.empty())
    return Error::success();
  Expected<std::vector<int64_t>> strides =
      parseList("strides", options.strides, {4});
  if (!strides)
    return strides.takeError();
  request.layout.strides = toDims(*strides);
  return Error::success();
}

/// Reads the questions about the layout, which is made.
static Error parseQuestions(const Options &options, Request &request) {
  const TensorLayout &layout = request.layout;
  size_t length = request.isMatrix ? 2 : 4;
  for (const std::string &text : options.at) {
    Expected<std::vector<int64_t>> at = parseList("at", text, {length});
    if (!at)
      return at.takeError();
    Dims index =
        length == 4 ? toDims(*at) : matrixIndex(layout, (*at)[0], (*at)[1]);
    if (!hasElement(layout, index) || at->back() < 0)
      return makeError("expected 'at' to be in the shape, but got '" + text +
                       "'");
    request.at.push_back(*at);
    request.atIndex.push_back(index);
  }
  for (const std::string &text : options.bytes) {
    Expected<std::vector<int64_t>> byte = parseList("byte", text, {2});
    if (!byte)
      return byte.takeError();
    Location location = {(*byte)[0], (*byte)[1]};
    if (Result<int64_t> address = joinAddress(location, layout.target);
        !address)
      return makeError(address.violation());
    request.bytes.push_back(location);
  }
  for (const std::string &text : options.parts) {
    auto [offset, extents] = StringRef(text).split(':');
    if (extents.empty())
      return makeError("expected 'part' to be offset:size, but got '" + text +
                       "'");
    Expected<std::vector<int64_t>> first = parseList("part", offset, {length});
    if (!first)
      return first.takeError();
    Expected<std::vector<int64_t>> size = parseList("part", extents, {length});
    if (!size)
      return size.takeError();
    request.parts.push_back({*first, *size});
  }
  request.compare = options.compare;
  return Error::success();
}

Expected<Request> parseRequest(const Options &options) {
  Request request;
  Expected<Target> target = parseTarget(options);
  if (!target)
    return target.takeError();
  request.layout.target = *target;
  for (auto *parse :
       {parseElement, parseKind, parseAddress, parseShape, parseStrides})
    if (Error error = parse(options, request))
      return error;
  Result<TensorLayout> layout = makeLayout(request.layout);
  // Strides of a named layout have to be those that it prescribes.
  std::optional<Violation> problem;
  if (!options.strides.empty())
    problem = verify(request.layout);
  if (!layout)
    problem = layout.violation();
  if (problem)
    return makeError(*problem);
  request.layout = *layout;
  if (Error error = parseQuestions(options, request))
    return error;
  return request;
}

Expected<std::vector<Mark>> parseMarks(const Options &options,
                                       const Target &target) {
  std::vector<Mark> marks;
  for (const std::string &text : options.marks) {
    auto [name, number] = StringRef(text).split('=');
    if (name.empty() || number.empty())
      return makeError("expected 'mark' to be name=address, but got '" + text +
                       "'");
    Expected<int64_t> address = parseNumber("mark", number);
    if (!address)
      return address.takeError();
    Result<Location> location = splitAddress(*address, target);
    if (!location)
      return makeError(location.violation());
    marks.push_back({name.str(), *location});
  }
  return marks;
}

Result<Subtensor> getPart(const Request &request, const Part &part) {
  const std::vector<int64_t> &from = part.offset;
  const std::vector<int64_t> &size = part.extents;
  if (request.isMatrix)
    return submatrix(request.layout, from[0], from[1], size[0], size[1]);
  return subtensor(request.layout, toDims(from), toDims(size));
}

std::vector<int64_t> spelledIndex(const Request &request, const Dims &index) {
  if (request.isMatrix)
    return {index.n, index.c * request.layout.shape.w + index.w};
  return {index.n, index.c, index.h, index.w};
}

} // namespace mli::layout
