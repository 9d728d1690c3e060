// SPDX-License-Identifier: Apache-2.0
//
// Properties of the kernels that work by table, as bytecode. Formats of tables
// come after all that version 1 has.

#include "MLIBytecode.h"

#include "mli/IR/MLI.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace mli;

using Reader = DialectBytecodeReader;
using Writer = DialectBytecodeWriter;

/// From this version of bytecode on, sizes of segments are no attribute.
static constexpr uint64_t nativeSegmentSizes = 6;

template <typename... Attrs>
static LogicalResult readAttributes(Reader &reader, Attrs &...attributes) {
  return success((succeeded(reader.readOptionalAttribute(attributes)) && ...));
}

template <typename... Attrs>
static void writeAttributes(Writer &writer, Attrs... attributes) {
  (writer.writeOptionalAttribute(attributes), ...);
}

template <typename... Formats>
static LogicalResult readFormats(Reader &reader, Formats &...formats) {
  FailureOr<const DialectVersion *> version =
      reader.getDialectVersion<MLIDialect>();
  bool hasFormats = failed(version) ||
                    static_cast<const BytecodeVersion *>(*version)->number >=
                        BytecodeVersion::lutFormats;
  return hasFormats ? readAttributes(reader, formats...) : success();
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

LogicalResult SigmOp::readProperties(Reader &reader, OperationState &state) {
  return readFormats(reader, state.getOrAddProperties<Properties>().lut_format);
}
void SigmOp::writeProperties(Writer &writer) {
  writeAttributes(writer, getLutFormatAttr());
}

LogicalResult TanhOp::readProperties(Reader &reader, OperationState &state) {
  return readFormats(reader, state.getOrAddProperties<Properties>().lut_format);
}
void TanhOp::writeProperties(Writer &writer) {
  writeAttributes(writer, getLutFormatAttr());
}

template <typename SliceOp>
static LogicalResult readSlices(Reader &reader, OperationState &state) {
  auto &held = state.getOrAddProperties<typename SliceOp::Properties>();
  return success(succeeded(readAttributes(reader, held.axis)) &&
                 succeeded(readFormats(reader, held.lut_format)));
}

LogicalResult SoftmaxOp::readProperties(Reader &reader, OperationState &state) {
  return readSlices<SoftmaxOp>(reader, state);
}
void SoftmaxOp::writeProperties(Writer &writer) {
  writeAttributes(writer, getProperties().axis, getLutFormatAttr());
}

LogicalResult L2NormalizeOp::readProperties(Reader &reader,
                                            OperationState &state) {
  return readSlices<L2NormalizeOp>(reader, state);
}
void L2NormalizeOp::writeProperties(Writer &writer) {
  writeAttributes(writer, getProperties().axis, getLutFormatAttr());
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Reads the number of operands of each kind.
static LogicalResult readSegments(Reader &reader,
                                  MutableArrayRef<int32_t> segments) {
  if (reader.getBytecodeVersion() >= nativeSegmentSizes)
    return reader.readSparseArray(segments);
  DenseI32ArrayAttr sizes;
  if (failed(reader.readAttribute(sizes)))
    return failure();
  // The verifier adds them up: it rejects a wrong number of them.
  llvm::copy(sizes.asArrayRef().take_front(segments.size()), segments.begin());
  return success();
}

static void writeSegments(Writer &writer, MLIRContext *context,
                          ArrayRef<int32_t> segments) {
  if (static_cast<uint64_t>(writer.getBytecodeVersion()) >= nativeSegmentSizes)
    writer.writeSparseArray(segments);
  else
    writer.writeAttribute(DenseI32ArrayAttr::get(context, segments));
}

template <typename Properties>
static LogicalResult readCell(Reader &reader, Properties &held) {
  return success(
      succeeded(readAttributes(reader, held.all_results, held.backward)) &&
      succeeded(readSegments(reader, held.operandSegmentSizes)) &&
      succeeded(
          readFormats(reader, held.sigm_lut_format, held.tanh_lut_format)));
}

template <typename CellOp>
static void writeCell(CellOp cell, Writer &writer) {
  auto &held = cell.getProperties();
  writeAttributes(writer, held.all_results, held.backward);
  writeSegments(writer, cell.getContext(), held.operandSegmentSizes);
  writeAttributes(writer, held.sigm_lut_format, held.tanh_lut_format);
}

LogicalResult LstmCellOp::readProperties(Reader &reader,
                                         OperationState &state) {
  auto &held = state.getOrAddProperties<Properties>();
  return success(succeeded(readAttributes(reader, held.act)) &&
                 succeeded(readCell(reader, held)));
}
void LstmCellOp::writeProperties(Writer &writer) {
  writeAttributes(writer, getProperties().act);
  writeCell(*this, writer);
}

LogicalResult GruCellOp::readProperties(Reader &reader, OperationState &state) {
  return readCell(reader, state.getOrAddProperties<Properties>());
}
void GruCellOp::writeProperties(Writer &writer) { writeCell(*this, writer); }
