// SPDX-License-Identifier: Apache-2.0
//
// Imports operators with state: filters over time, and variables.

#include "Weighted.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;
using schema::ActivationFunctionType;
using schema::BuiltinOptions;

//===----------------------------------------------------------------------===//
// SVDF
//===----------------------------------------------------------------------===//

namespace {

/// An SVDF filter: features of the input, and a sum over their history. The
/// state holds [steps, filters], the oldest step first; in the file it is
/// [filters, steps].
struct Filter {
  Weighted features, time;
  int64_t inputs, filters, steps, units;

  int64_t getRank() const { return filters / units; }
};

} // namespace

/// Transposes weights [units, rank, steps] to [steps, 1, rank, units].
static void reorderTime(Filter &filter) {
  int64_t rank = filter.getRank(), units = filter.units, steps = filter.steps;
  SmallVector<char> bytes(filter.time.values.size());
  for (int64_t t = 0; t < steps; ++t)
    for (int64_t r = 0; r < rank; ++r)
      for (int64_t u = 0; u < units; ++u)
        bytes[(t * rank + r) * units + u] =
            filter.time.values[(u * rank + r) * steps + t];
  filter.time.reordered = std::make_shared<SmallVector<char>>(std::move(bytes));
  filter.time.shape = {steps, 1, rank, units};
}

static LogicalResult checkShapes(GraphImporter &importer, const Filter &filter,
                                 int64_t rank) {
  auto check = [&](int32_t tensor, int64_t elements) -> LogicalResult {
    int64_t found = importer.getTensor(tensor).getNumElements();
    if (found == elements)
      return success();
    return importer.reject("expected ", importer.describe(tensor), " to have ",
                           elements,
                           " elements for one batch, "
                           "but got ",
                           found);
  };
  if (rank < 1 || filter.filters % rank != 0)
    return importer.reject("expected a rank that divides ", filter.filters,
                           " filters, but got ", rank);
  if (importer.getShape(filter.time.weights).front() != filter.filters)
    return importer.reject("expected weights over time for ", filter.filters,
                           " filters, but got ",
                           importer.getShape(filter.time.weights).front());
  return success(
      succeeded(check(filter.features.input, filter.inputs)) &&
      succeeded(check(filter.time.input, filter.filters * filter.steps)) &&
      succeeded(check(filter.time.output, filter.filters / rank)));
}

static FailureOr<Filter> readFilter(GraphImporter &importer) {
  auto options =
      getOptions<schema::SVDFOptions>(importer, BuiltinOptions::SVDFOptions);
  if (failed(options))
    return failure();
  int32_t tensors[5];
  for (size_t i : {0, 1, 2, 4}) {
    FailureOr<int32_t> input = importer.getInput(i);
    if (failed(input))
      return failure();
    tensors[i] = *input;
  }
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(output))
    return failure();
  if (!importer.getTensor(tensors[4]).isVariable)
    return importer.reject("expected the state ", importer.describe(tensors[4]),
                           " to be a variable, but got another tensor");
  FailureOr<Weighted> features =
      readWeighted(importer, tensors[0], tensors[1], -1, tensors[4], 0, 2);
  if (failed(features))
    return failure();
  FailureOr<Weighted> time =
      readWeighted(importer, tensors[4], tensors[2],
                   importer.getOperator().getInput(3), *output, 0, 2);
  if (failed(time))
    return failure();
  ArrayRef<int64_t> shape = importer.getShape(tensors[1]);
  Filter filter{
      *features, *time, shape[1], shape[0], importer.getShape(tensors[2])[1],
      0};
  int64_t rank = (*options)->rank();
  if (failed(checkShapes(importer, filter, rank)))
    return failure();
  filter.units = filter.filters / rank;
  filter.features.shape = {filter.inputs, filter.filters};
  filter.features.moveOutputsLast();
  reorderTime(filter);
  if (failed(chooseScales(importer, filter.features,
                          ActivationFunctionType::NONE)) ||
      failed(chooseScales(importer, filter.time,
                          (*options)->fused_activation_function())))
    return failure();
  return filter;
}

/// Shifts the state by one step and appends `features`.
static Value createShifted(GraphImporter &importer, const Filter &filter,
                           Value memory, Value features) {
  OpBuilder &builder = importer.getBuilder();
  auto type = cast<RankedTensorType>(memory.getType());
  Value next = importer.createEmpty(type.getElementType(), type.getShape());
  if (filter.steps > 1) {
    auto shift = MovOp::create(builder, importer.getLoc(), memory, next);
    shift.setOffsets({1, 0, 0});
    shift.setSizes({filter.steps - 1, 1, filter.filters});
    shift.setDstOffsets({0, 0, 0});
    next = shift.getResult(0);
  }
  Value row = importer.createReshape(features, {1, 1, filter.filters});
  auto append = MovOp::create(builder, importer.getLoc(), row, next);
  append.setDstOffsets({filter.steps - 1, 0, 0});
  return append.getResult(0);
}

LogicalResult tflite::importSvdf(GraphImporter &importer) {
  FailureOr<Filter> filter = readFilter(importer);
  if (failed(filter))
    return failure();
  int32_t state = filter->time.input;
  FailureOr<Value> input =
      importer.read(filter->features.input, {filter->inputs});
  FailureOr<Type> held = importer.getElement(state);
  FailureOr<Type> element = importer.getElement(filter->time.output);
  if (failed(input) || failed(held) || failed(element))
    return failure();
  Value features = createProduct(
      importer, createOperands(importer, filter->features),
      filter->features.clip, *input,
      importer.createEmpty(*held, filter->filters),
      [&](Value source, const KernelOperands &each, Value init, ReluKind relu) {
        return importer.createOp<FullyConnectedOp>(source, each.weights,
                                                   each.bias, init, relu);
      });
  auto type = RankedTensorType::get({filter->steps, 1, filter->filters}, *held);
  Value memory = createShifted(importer, *filter,
                               importer.readState(state, type), features);
  importer.writeState(state, memory);
  Value result = createProduct(
      importer, createOperands(importer, filter->time), filter->time.clip,
      memory, importer.createEmpty(*element, {1, 1, filter->units}),
      [&](Value source, const KernelOperands &each, Value init, ReluKind relu) {
        return filter->getRank() == 1
                   ? createUnitConv<DepthwiseConv2DOp>(importer, source, each,
                                                       init, relu)
                   : createUnitConv<GroupConv2DOp>(importer, source, each, init,
                                                   relu);
      });
  importer.define(filter->time.output, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

LogicalResult tflite::importVarHandle(GraphImporter &importer) {
  auto options = getOptions<schema::VarHandleOptions>(
      importer, BuiltinOptions::VarHandleOptions);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(options) || failed(output))
    return failure();
  std::string name;
  for (const flatbuffers::String *part :
       {(*options)->container(), (*options)->shared_name()})
    name += (part ? part->str() : "") + '\0';
  importer.defineHandle(*output, name);
  return success();
}

LogicalResult tflite::importReadVariable(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> output = importer.getOutput();
  if (failed(input) || failed(output) ||
      failed(importer.checkElements(*output)))
    return failure();
  FailureOr<int32_t> handle = importer.findHandle(*input);
  FailureOr<Type> element = importer.getElement(*output);
  if (failed(handle) || failed(element))
    return failure();
  auto type = RankedTensorType::get(importer.getShape(*output), *element);
  Value value = importer.readState(*handle, type);
  if (value.getType() != type)
    return importer.reject("expected the variable to be ", type, ", but got ",
                           value.getType());
  importer.define(*output, value);
  return success();
}

LogicalResult tflite::importAssignVariable(GraphImporter &importer) {
  FailureOr<int32_t> input = importer.getInput(0);
  FailureOr<int32_t> source = importer.getInput(1);
  if (failed(input) || failed(source))
    return failure();
  FailureOr<int32_t> handle = importer.findHandle(*input);
  FailureOr<Value> value = importer.read(*source);
  if (failed(handle) || failed(value))
    return failure();
  auto type = cast<RankedTensorType>(value->getType());
  // A variable that was not read before becomes state of this type.
  auto held =
      cast<RankedTensorType>(importer.readState(*handle, type).getType());
  if (held.getShape() != type.getShape() ||
      held.getElementType().getTypeID() != type.getElementType().getTypeID())
    return importer.reject("expected the variable to be ", held, ", but got ",
                           type);
  importer.writeState(*handle,
                      importer.createConvert(*value, held.getElementType()));
  return success();
}

/// Checks the graph that initializes variables. Functions start from zeros, so
/// it may only assign zeros.
LogicalResult tflite::importCallOnce(GraphImporter &importer) {
  auto options = getOptions<schema::CallOnceOptions>(
      importer, BuiltinOptions::CallOnceOptions);
  if (failed(options))
    return failure();
  int32_t index = (*options)->init_subgraph_index();
  ArrayRef<Graph> graphs = importer.getModel().graphs;
  if (index < 0 || index >= static_cast<int32_t>(graphs.size()))
    return importer.reject("expected one of ", graphs.size(),
                           " graphs, but got ", index);
  const Graph &graph = graphs[index];
  for (const Operator &op : graph.operators) {
    StringRef name = op.name;
    if (name == "VAR_HANDLE")
      continue;
    if (name != "ASSIGN_VARIABLE" || op.getInput(1) < 0)
      return importer.reject("expected a graph that assigns constants, but got "
                             "operator ",
                             name);
    const Tensor &value = graph.tensors[op.getInput(1)];
    bool isByte = getElementBytes(value.type) == 1;
    int64_t zero = isByte && !value.quantization.zeroPoints.empty()
                       ? value.quantization.zeroPoints.front()
                       : 0;
    for (char element : value.data)
      if (element != static_cast<char>(zero))
        return importer.reject(
            "expected '", value.name,
            "' to start as zeros, but got a quantized value of ",
            static_cast<int>(element));
  }
  return success();
}
