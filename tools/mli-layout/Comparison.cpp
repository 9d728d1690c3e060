// SPDX-License-Identifier: Apache-2.0

#include "Report.h"

#include "mli/Layout/MatrixWidth.h"

using namespace llvm;

namespace mli::layout {

double getWaste(const TensorLayout &layout) {
  double taken = static_cast<double>(bytesPerNpu(layout)) *
                 static_cast<double>(layout.target.npus);
  double used = static_cast<double>(countElements(layout)) *
                static_cast<double>(layout.elementBytes);
  return 1 - used / taken;
}

/// Sets the width of a matrix.
static Error setWidth(StringRef text, TensorLayout &layout) {
  int64_t width = 0;
  if (text == "best") {
    width = bestMatrixWidth(layout);
  } else if (Expected<int64_t> number = parseNumber("compare", text)) {
    width = *number;
  } else {
    return number.takeError();
  }
  // A width that is out of range is found when the layout is made.
  Result<Dims> shape = matrixShape(layout.shape.n, layout.matrixColumns, width);
  layout.shape = shape ? *shape : Dims{layout.shape.n, 1, 1, width};
  return Error::success();
}

/// Applies one item `(LAYOUT | WIDTH)[/MODE][@ADDRESS]` to `layout`.
static Error apply(const Request &request, StringRef item,
                   TensorLayout &layout) {
  auto [what, address] = item.split('@');
  auto [kind, mode] = what.split('/');
  if (!address.empty()) {
    Expected<int64_t> number = parseNumber("compare", address);
    if (!number)
      return number.takeError();
    Result<Location> first = splitAddress(*number, layout.target);
    if (!first)
      return makeError(first.violation());
    layout.startNpu = first->npu;
    layout.offset = first->offset;
  }
  if (!mode.empty()) {
    std::optional<Mode> parsed = parseMode(std::string_view(mode));
    if (!parsed)
      return makeError("expected 'compare' to name a mode, but got '" + mode +
                       "'");
    layout.mode = *parsed;
  }
  if (request.isMatrix)
    return setWidth(kind, layout);
  std::optional<Kind> parsed = parseKind(std::string_view(kind));
  if (!parsed || *parsed == Kind::Matrix || *parsed == Kind::Continuous)
    return makeError("expected 'compare' to name aligned, compact or strided, "
                     "but got '" +
                     kind + "'");
  layout.kind = *parsed;
  return Error::success();
}

Expected<std::vector<Alternative>> alternatives(const Request &request) {
  std::vector<Alternative> result;
  for (const std::string &item : request.compare) {
    TensorLayout layout = request.layout;
    if (Error error = apply(request, item, layout))
      return error;
    result.push_back({item, makeLayout(layout)});
  }
  return result;
}

} // namespace mli::layout
