// SPDX-License-Identifier: Apache-2.0
//
// Chooses the constants of the kernel of 16 bits for cells of long short-term
// memory: gates of the kernel of 8 bits have steps of 1/16, and its cell the
// upper 8 of the 16 bits that the file has.

#include "Import/Wide/WideLayers.h"

#include "mli/Frontend/WideProduct.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

// The fraction bits of gates (K49).
static constexpr int gateBits = 10;

/// The most fraction bits, up to `most`, with which 16 bits hold `numbers`.
static int getFracBits(ArrayRef<double> numbers, int most) {
  double greatest = 0;
  for (double number : numbers)
    greatest = std::max(greatest, std::abs(number));
  if (greatest == 0)
    return most;
  return static_cast<int>(std::min<double>(
      most, std::floor(std::log2((INT16_MAX - 0.5) / greatest))));
}

/// Creates `numbers` as fx16 of `fracBits`.
static Value createWords(GraphImporter &importer, ArrayRef<double> numbers,
                         ArrayRef<int64_t> shape, int fracBits) {
  SmallVector<int16_t> values;
  for (double number : numbers)
    values.push_back(
        static_cast<int16_t>(std::floor(std::ldexp(number, fracBits) + 0.5)));
  return importer.createConstant(Fx16Type::get(importer.getContext(), fracBits),
                                 shape, getBytes(values));
}

/// The weights of all gates, by which inputs in units of `unit` are multiplied.
static SmallVector<double> getWeights(GraphImporter &importer,
                                      ArrayRef<Weighted> layers, double unit) {
  SmallVector<double> numbers;
  for (const Weighted &layer : layers)
    for (char code : layer.getValues())
      numbers.push_back(static_cast<int8_t>(code) * unit *
                        importer.getScale(layer.weights));
  return numbers;
}

static FailureOr<SmallVector<double>> getBias(GraphImporter &importer,
                                              const Cell &cell, double unit) {
  SmallVector<double> numbers;
  for (const Weighted &layer : cell.toInput) {
    FailureOr<SmallVector<int32_t>> bias = readGateBias(importer, cell, layer);
    if (failed(bias))
      return failure();
    for (int32_t code : *bias)
      numbers.push_back(code * unit * importer.getScale(layer.weights));
  }
  return numbers;
}

/// The format of the cell, which is the file's; null where it is none of the
/// kernel's, or where the file clips within its range.
static Fx16Type getWideCellElement(GraphImporter &importer, const Cell &cell) {
  double scale = importer.getScale(cell.cellState);
  double fracBits = -std::log2(scale);
  if (cell.clip > 0 && cell.clip < scale * INT16_MAX)
    return {};
  if (fracBits != std::round(fracBits) || fracBits < INT8_MIN ||
      fracBits > INT8_MAX)
    return {};
  return Fx16Type::get(importer.getContext(), static_cast<int32_t>(fracBits));
}

FailureOr<CellKernel> tflite::createWideCell(GraphImporter &importer,
                                             const Cell &cell, Value input) {
  Fx16Type element = getWideCellElement(importer, cell);
  Value wide = element ? createWidened(importer, input) : Value();
  if (!wide)
    return failure();
  int inBits = cast<Fx16Type>(getElementTypeOrSelf(wide)).getFracBits();
  double unit = importer.getScale(cell.source),
         back = importer.getScale(cell.outputState);
  // All codes of the hidden state, which has one format from step to step.
  int backBits = getFracBits({256 * back}, 15);
  FailureOr<SmallVector<double>> bias = getBias(importer, cell, unit);
  if (failed(bias))
    return failure();
  SmallVector<double> in = getWeights(importer, cell.toInput, unit),
                      out = getWeights(importer, cell.recurrent, 1);
  int toInput = getFracBits(in, maxWideShift + gateBits - inBits);
  int biasBits = getFracBits(*bias, inBits + toInput);
  toInput = std::min(toInput, biasBits + maxWideBiasShift - inBits);
  biasBits = std::min(biasBits, inBits + toInput);
  int recurrent = getFracBits(out, maxWideShift + gateBits - backBits);
  // Of gates less than 0 bits would be left.
  if (inBits + toInput < 0 || backBits + recurrent < 0)
    return failure();
  for (int bits : {backBits, toInput, biasBits, recurrent})
    if (!llvm::isInt<8>(bits))
      return failure();
  auto hidden = Fx16Type::get(importer.getContext(), backBits);
  return CellKernel{
      wide,
      createWords(importer, in, {4, cell.inputs, cell.units}, toInput),
      createWords(importer, out, {4, cell.units, cell.units}, recurrent),
      createWords(importer, *bias, {4, cell.units}, biasBits),
      hidden,
      element,
      hidden};
}
