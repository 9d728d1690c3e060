// SPDX-License-Identifier: Apache-2.0
//
// The text of the layout attribute.

#include "mli/IR/MLI.h"

using namespace mlir;
using namespace mli;

/// `4N`, for the lexer a number and a word.
static ParseResult parseMode(AsmParser &parser, layout::Mode &mode) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t factor;
  StringRef axis;
  if (parser.parseInteger(factor) || parser.parseKeyword(&axis))
    return failure();
  std::string text = std::to_string(factor) + axis.str();
  std::optional<layout::Mode> known = layout::parseMode(text);
  if (!known)
    return parser.emitError(loc, "expected 'mode' to be 4N, 2N or 2IC, but "
                                 "got ")
           << text;
  mode = *known;
  return success();
}

static ParseResult parseKind(AsmParser &parser, layout::Kind &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  std::optional<layout::Kind> known = layout::parseKind(text);
  if (!known)
    return parser.emitError(loc, "expected 'kind' to be continuous, aligned, "
                                 "compact, matrix or strided, but got ")
           << text;
  kind = *known;
  return success();
}

static ParseResult parseDim(AsmParser &parser,
                            SmallVectorImpl<LayoutDim> &dims) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  std::optional<LayoutDim> dim = symbolizeLayoutDim(text);
  if (!dim)
    return parser.emitError(loc, "expected 'dims' to name n, c, h or w, but "
                                 "got ")
           << text;
  dims.push_back(*dim);
  return success();
}

/// The values of a text: `name = value` in one order, some of them optional.
namespace {
struct Fields {
  layout::Kind kind;
  layout::Mode mode = layout::Mode::None;
  SmallVector<LayoutDim, 4> dims;
  int64_t npus, npuElements, startNpu = 0, columns = 0;
  SmallVector<int64_t, 4> strides;
};
} // namespace

static ParseResult parseNumber(AsmParser &parser, StringRef name,
                               int64_t &value) {
  return failure(parser.parseComma() || parser.parseKeyword(name) ||
                 parser.parseEqual() || parser.parseInteger(value));
}

/// Parses `name = value` and the comma after it.
static ParseResult parseOptionalNumber(AsmParser &parser, StringRef name,
                                       int64_t &value) {
  if (failed(parser.parseOptionalKeyword(name)))
    return success();
  return failure(parser.parseEqual() || parser.parseInteger(value) ||
                 parser.parseComma());
}

static ParseResult parseFields(AsmParser &parser, Fields &fields) {
  if (parser.parseLess() || parseKind(parser, fields.kind) ||
      parser.parseComma())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("mode")) &&
      (parser.parseEqual() || parseMode(parser, fields.mode) ||
       parser.parseComma()))
    return failure();
  auto parseOneDim = [&] { return parseDim(parser, fields.dims); };
  auto parseOneStride = [&] {
    return parser.parseInteger(fields.strides.emplace_back());
  };
  return failure(parser.parseKeyword("dims") || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                                parseOneDim) ||
                 parseNumber(parser, "npus", fields.npus) ||
                 parseNumber(parser, "npu_elements", fields.npuElements) ||
                 parser.parseComma() ||
                 parseOptionalNumber(parser, "start_npu", fields.startNpu) ||
                 parseOptionalNumber(parser, "columns", fields.columns) ||
                 parser.parseKeyword("strides") || parser.parseEqual() ||
                 parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                                parseOneStride));
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Fields fields;
  if (parseFields(parser, fields) || parser.parseGreater())
    return {};
  ArrayRef<int64_t> strides = fields.strides;
  if (strides.size() != 4) {
    parser.emitError(loc, "expected 'strides' to be those of n, c, h and w, "
                          "but got ")
        << strides.size();
    return {};
  }
  return parser.getChecked<LayoutAttr>(
      loc, parser.getContext(), fields.kind, fields.mode,
      ArrayRef<LayoutDim>(fields.dims), fields.npus, fields.npuElements,
      fields.startNpu, fields.columns,
      layout::Dims{strides[0], strides[1], strides[2], strides[3]});
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << layout::toString(getKind());
  if (getMode() != layout::Mode::None)
    printer << ", mode = " << layout::toString(getMode());
  printer << ", dims = [";
  llvm::interleaveComma(getDims(), printer, [&](LayoutDim dim) {
    printer << stringifyLayoutDim(dim);
  });
  printer << "], npus = " << getNpus()
          << ", npu_elements = " << getNpuElements();
  if (getStartNpu() != 0)
    printer << ", start_npu = " << getStartNpu();
  if (getColumns() != 0)
    printer << ", columns = " << getColumns();
  const layout::Dims strides = getStrides();
  printer << ", strides = [" << strides.n << ", " << strides.c << ", "
          << strides.h << ", " << strides.w << "]>";
}
