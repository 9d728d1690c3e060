// SPDX-License-Identifier: Apache-2.0
//
// Imports long short-term memory over a sequence.

#include "Wide/WideLayers.h"

#include "mli/Quant/KernelScales.h"

#include "llvm/Support/Endian.h"

#include <cmath>

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::BuiltinOptions;

namespace {

/// The inputs of the operator. Each group of gates begins at one, in the order
/// of the file: input, forget, cell, output.
enum LstmInput : size_t {
  source = 0,
  toInput = 1,
  recurrent = 5,
  peephole = 9,
  biases = 12,
  projection = 16,
  outputState = 18,
  cellState = 19,
  normalization = 20,
};

/// The gates in the order of the kernel: input, cell, forget, output.
constexpr size_t gates[] = {0, 2, 1, 3};

} // namespace

/// Returns the clip limit of the cell; fails for variants without a kernel.
static FailureOr<double> checkVariant(GraphImporter &importer) {
  auto options = getOptions<schema::UnidirectionalSequenceLSTMOptions>(
      importer, BuiltinOptions::UnidirectionalSequenceLSTMOptions);
  if (failed(options))
    return failure();
  if ((*options)->fused_activation_function() !=
      schema::ActivationFunctionType::TANH)
    return importer.reject(
        "expected the activation to be tanh, but got ",
        static_cast<int>((*options)->fused_activation_function()));
  const Operator &op = importer.getOperator();
  struct Absent {
    size_t first, count;
    const char *name;
  };
  for (const Absent &absent :
       {Absent{peephole, 3, "peepholes"}, Absent{projection, 2, "a projection"},
        Absent{normalization, 4, "a normalisation"}})
    for (size_t i = 0; i < absent.count; ++i)
      if (op.getInput(absent.first + i) >= 0)
        return importer.reject("expected a cell without ", absent.name,
                               ", but got input ", absent.first + i);
  double clip = (*options)->cell_clip();
  if (!(clip >= 0) || !std::isfinite(clip))
    return importer.reject(
        "expected the cell to be clipped to a number from 0 on, but got ",
        clip);
  return clip;
}

/// Reads one gate, whose weights are input `first` + `gate`.
static FailureOr<Weighted> readGate(GraphImporter &importer, const Cell &cell,
                                    size_t first, size_t gate, int32_t from,
                                    int64_t inputs) {
  FailureOr<int32_t> weights = importer.getInput(first + gate);
  if (failed(weights))
    return failure();
  FailureOr<Weighted> layer =
      readWeighted(importer, from, *weights,
                   importer.getOperator().getInput(biases + gate), cell.output,
                   /*outputAxis=*/-1, 2);
  if (failed(layer))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(*weights);
  if (shape[0] != cell.units || shape[1] != inputs)
    return importer.reject("expected weights ", importer.describe(*weights),
                           " to be ", cell.units, " x ", inputs, ", but got ",
                           shape[0], " x ", shape[1]);
  layer->shape = {inputs, cell.units};
  layer->moveOutputsLast();
  return layer;
}

static FailureOr<Cell> readCell(GraphImporter &importer) {
  FailureOr<double> variant = checkVariant(importer);
  if (failed(variant))
    return failure();
  FailureOr<int32_t> from = importer.getInput(source);
  FailureOr<int32_t> output = importer.getOutput();
  FailureOr<int32_t> outputs = importer.getInput(outputState);
  FailureOr<int32_t> cells = importer.getInput(cellState);
  if (failed(from) || failed(output) || failed(outputs) || failed(cells) ||
      failed(importer.checkRank(*from, 3)) ||
      failed(importer.checkRank(*output, 3)))
    return failure();
  for (int32_t state : {*outputs, *cells})
    if (!importer.getTensor(state).isVariable)
      return importer.reject("expected the state ", importer.describe(state),
                             " to be a variable, but got another tensor");
  // The shape is [batch, steps, ...] or [steps, batch, ...], the same with one
  // batch.
  ArrayRef<int64_t> shape = importer.getShape(*from);
  int64_t steps = shape[0] * shape[1], units = importer.getShape(*output)[2];
  Cell cell{*from,    *output, *outputs, *cells, steps,
            shape[2], units,   *variant, {},     {}};
  if (importer.getTensor(*cells).getNumElements() != units)
    return importer.reject("expected one batch of ", units,
                           " cells, but got a state of ",
                           importer.getTensor(*cells).getNumElements());
  if (importer.getTensor(*output).getNumElements() != steps * units ||
      importer.getTensor(*outputs).getNumElements() != units)
    return importer.reject("expected ", steps, " outputs of ", units,
                           " units, but got ",
                           importer.getTensor(*output).getNumElements(),
                           " elements and a state of ",
                           importer.getTensor(*outputs).getNumElements());
  for (size_t gate : gates) {
    FailureOr<Weighted> in =
        readGate(importer, cell, toInput, gate, cell.source, cell.inputs);
    if (failed(in))
      return failure();
    FailureOr<Weighted> back =
        readGate(importer, cell, recurrent, gate, cell.outputState, cell.units);
    if (failed(back))
      return failure();
    cell.toInput.push_back(std::move(*in));
    cell.recurrent.push_back(std::move(*back));
  }
  return cell;
}

/// Creates the weights of all gates as one constant with the scales of the
/// file.
static FailureOr<Value>
createGates(GraphImporter &importer, ArrayRef<Weighted> layers,
            SmallVectorImpl<mli::quant::QuantParams> &params) {
  SmallVector<char> bytes;
  for (const Weighted &layer : layers) {
    llvm::append_range(bytes, layer.getValues());
    auto nearest =
        mli::quant::fromRealScale(importer.getScale(layer.weights), 0);
    if (!nearest)
      return importer.reject(
          "expected the scale of weights ", importer.describe(layer.weights),
          " to be in range, but got ", importer.getScale(layer.weights));
    params.push_back(*nearest);
  }
  const Weighted &first = layers.front();
  SmallVector<int64_t> shape = {4, first.shape[0], first.shape[1]};
  return importer.createConstant(Sa8Type::get(importer.getContext(), 0, params),
                                 shape, bytes);
}

/// Fails if sums of a gate overflow: the kernel adds the bias to the first
/// product and wraps, as the 32-bit sums of the file do.
static LogicalResult checkSums(GraphImporter &importer, const Weighted &layer,
                               const mli::quant::QuantParams &in,
                               ArrayRef<int32_t> bias) {
  mli::quant::CodeRange all = mli::quant::allCodes(8);
  ArrayRef<char> values = layer.getValues();
  auto ranges = mli::quant::productRanges(
      reinterpret_cast<const int8_t *>(values.data()), values.size(),
      static_cast<size_t>(layer.getOutputs()),
      {all.low - in.zeroPoint, all.high - in.zeroPoint});
  for (auto [i, range] : llvm::enumerate(ranges)) {
    for (int64_t sum : {bias[i] + range.low, bias[i] + range.high})
      if (!llvm::isInt<32>(sum))
        return importer.reject("expected sums of unit ", i, " of weights ",
                               importer.describe(layer.weights),
                               " to fit 32 bits, but got one of ", sum);
  }
  return success();
}

FailureOr<SmallVector<int32_t>> tflite::readGateBias(GraphImporter &importer,
                                                     const Cell &cell,
                                                     const Weighted &layer) {
  auto units = static_cast<size_t>(cell.units);
  SmallVector<int32_t> bias(units, 0);
  if (layer.bias < 0)
    return bias;
  const Tensor &tensor = importer.getTensor(layer.bias);
  if (tensor.type != schema::TensorType::INT32 ||
      tensor.data.size() != 4 * units)
    return importer.reject("expected bias ", importer.describe(layer.bias),
                           " to be a constant of ", cell.units,
                           " int32, but got ", getTypeName(tensor.type));
  for (size_t i = 0; i < units; ++i)
    bias[i] = static_cast<int32_t>(
        llvm::support::endian::read32le(tensor.data.data() + 4 * i));
  return bias;
}

static FailureOr<Value>
createGateBias(GraphImporter &importer, const Cell &cell,
               ArrayRef<mli::quant::QuantParams> weights) {
  FailureOr<mli::quant::QuantParams> in = importer.getParams(cell.source);
  if (failed(in))
    return failure();
  SmallVector<mli::quant::QuantParams> params;
  SmallVector<char> bytes;
  for (auto [layer, scale] : llvm::zip_equal(cell.toInput, weights)) {
    auto bias = mli::quant::biasParams(*in, scale);
    if (!bias)
      return importer.reject("expected the scales of the input and weights ",
                             importer.describe(layer.weights),
                             " to give one in range, but got others");
    params.push_back(*bias);
    FailureOr<SmallVector<int32_t>> codes = readGateBias(importer, cell, layer);
    if (failed(codes) || failed(checkSums(importer, layer, *in, *codes)))
      return failure();
    for (int32_t code : *codes)
      for (int shift : {0, 8, 16, 24})
        bytes.push_back(static_cast<char>(code >> shift));
  }
  return importer.createConstant(
      Sa32Type::get(importer.getContext(), 0, params), {4, cell.units}, bytes);
}

/// The element type of the kernel's cell. It has 8 bits where the file has 16:
/// the upper ones, or the range to which the file clips.
static FailureOr<Type> getCellElement(GraphImporter &importer, int32_t state,
                                      double clip) {
  const Tensor &tensor = importer.getTensor(state);
  const Quantization &quantization = tensor.quantization;
  if (tensor.type != schema::TensorType::INT16 ||
      quantization.scales.size() != 1 || quantization.zeroPoints.front() != 0)
    return importer.reject("expected the cell ", importer.describe(state),
                           " to be int16 of zero point 0, but got ",
                           getTypeName(tensor.type));
  double scale = importer.getScale(state) * 256;
  if (clip > 0 && clip < scale * INT8_MAX)
    scale = clip / INT8_MAX;
  auto params = mli::quant::nearestParams(scale, 0);
  if (!params)
    return importer.reject(
        "expected the scale of the cell ", importer.describe(state),
        " to be in range, but got ", importer.getScale(state));
  return Type(Sa8Type::get(importer.getContext(), *params));
}

/// Creates what the kernel of 8 bits takes of a cell.
static FailureOr<CellKernel> createByteCell(GraphImporter &importer,
                                            const Cell &cell, Value input) {
  FailureOr<Type> element = getCellElement(importer, cell.cellState, cell.clip);
  if (failed(element))
    return failure();
  SmallVector<mli::quant::QuantParams> inParams, backParams;
  FailureOr<Value> in = createGates(importer, cell.toInput, inParams);
  FailureOr<Value> back = createGates(importer, cell.recurrent, backParams);
  if (failed(in) || failed(back))
    return failure();
  FailureOr<Value> bias = createGateBias(importer, cell, inParams);
  if (failed(bias))
    return failure();
  emitRemark(importer.getLoc(),
             "its cell has 8 of 16 bits, and its gates steps of 1/16, since "
             "the kernel of 16 bits does not clip the cell or hold its "
             "constants");
  return CellKernel{input,
                    *in,
                    *back,
                    *bias,
                    *importer.getElement(cell.outputState),
                    *element,
                    *importer.getElement(cell.output)};
}

LogicalResult tflite::importSequenceLstm(GraphImporter &importer) {
  FailureOr<Cell> cell = readCell(importer);
  if (failed(cell) || failed(importer.getParams(cell->source)) ||
      failed(importer.getParams(cell->output)) ||
      failed(importer.getParams(cell->outputState)) ||
      failed(getCellElement(importer, cell->cellState, cell->clip)))
    return failure();
  FailureOr<Value> input =
      importer.read(cell->source, {cell->steps, cell->inputs});
  if (failed(input))
    return failure();
  FailureOr<CellKernel> kernel = createWideCell(importer, *cell, *input);
  if (failed(kernel))
    kernel = createByteCell(importer, *cell, *input);
  if (failed(kernel))
    return failure();
  Type held = *importer.getElement(cell->outputState);
  Type element = *importer.getElement(cell->output);
  auto cellType = RankedTensorType::get(cell->units, kernel->cell);
  Value previous = importer.createConvert(
      importer.readState(cell->outputState,
                         RankedTensorType::get(cell->units, held)),
      kernel->previous);
  Value memory = importer.readState(cell->cellState, cellType);
  Value init = importer.createEmpty(kernel->output, {cell->steps, cell->units});
  OpBuilder &builder = importer.getBuilder();
  auto lstm = LstmCellOp::create(
      builder, importer.getLoc(), TypeRange{cellType, init.getType()},
      kernel->input, previous, kernel->toInput, kernel->recurrent, kernel->bias,
      memory, init, /*tanh_lut=*/nullptr,
      /*sigm_lut=*/nullptr, /*backward=*/false,
      /*all_results=*/true, RnnAct::tanh, /*tanh_lut_format=*/nullptr,
      /*sigm_lut_format=*/nullptr);
  importer.writeState(cell->cellState, lstm.getResult(0));
  Value rows = importer.createConvert(lstm.getResult(1), element);
  importer.define(cell->output, rows);
  // The next run starts from the last output.
  auto last = MovOp::create(builder, importer.getLoc(), rows,
                            importer.createEmpty(element, {1, cell->units}));
  last.setOffsets({cell->steps - 1, 0});
  last.setSizes({1, cell->units});
  importer.writeState(
      cell->outputState,
      importer.createConvert(
          importer.createReshape(last.getResult(0), {cell->units}), held));
  return success();
}
