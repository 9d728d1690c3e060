// SPDX-License-Identifier: Apache-2.0

#include "GraphImporter.h"

#include "mli/Frontend/ScaleRatios.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mli;
using namespace mli::tflite;

GraphImporter::GraphImporter(const Model &model, const Graph &graph,
                             ArrayRef<char> isNeeded,
                             const ImportOptions &options, OpBuilder builder,
                             std::shared_ptr<void> owner)
    : TensorBuilder(builder), model(model), graph(graph), options(options),
      owner(std::move(owner)), values(graph.tensors.size()),
      labels(findScaleLabels(graph, isNeeded)) {}

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

Location GraphImporter::getTensorLoc(int32_t index) const {
  return NameLoc::get(
      StringAttr::get(builder.getContext(), getTensor(index).name));
}

Location GraphImporter::getOperatorLoc(size_t index, const Operator &op) const {
  SmallVector<Location> names;
  for (int32_t output : op.outputs)
    names.push_back(getTensorLoc(output));
  // LLVM's debug information reads the first location.
  if (names.empty())
    names.push_back(UnknownLoc::get(builder.getContext()));
  std::string text = "operator " + std::to_string(index) + " (" + op.name + ")";
  return FusedLoc::get(builder.getContext(), names,
                       StringAttr::get(builder.getContext(), text));
}

Value GraphImporter::createPoison(Type type) {
  return createOp<UnrealizedConversionCastOp>(type, ValueRange());
}

std::string tflite::findError(MLIRContext *context,
                              llvm::function_ref<LogicalResult()> verify) {
  std::string text;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (text.empty())
      text = diagnostic.str();
    return success();
  });
  if (succeeded(verify()))
    return {};
  return text.empty() ? "no reason" : text;
}

/// Verifies the operations from the one after `last` to the end of `block`.
static LogicalResult verifyAfter(Block *block, Operation *last) {
  Block::iterator it = last ? std::next(last->getIterator()) : block->begin();
  return success(
      llvm::all_of(llvm::make_range(it, block->end()), [](Operation &op) {
        return succeeded(verify(&op)) && succeeded(verifyScaleRatios(&op));
      }));
}

using ImportFunction = LogicalResult (*)(GraphImporter &);

/// The function that imports operators of code `code`.
static ImportFunction getImport(int32_t code) {
  static constexpr ImportFunction imports[] = {
#define MLI_TFLITE_OPERATOR(NAME, IMPORT, ...) IMPORT,
#include "Model/TFLiteOperators.def"
  };
  bool isKnown = code >= 0 && static_cast<size_t>(code) < std::size(imports);
  return isKnown ? imports[code] : importNothing;
}

/// Whether `import` imports moves alone, which take codes without a scale.
static bool movesCodes(ImportFunction import) {
  static constexpr ImportFunction moves[] = {
      importReshape,       importTranspose,    importSpaceToDepth,
      importDepthToSpace,  importPad,          importSlice,
      importStridedSlice,  importSplit,        importSplitV,
      importConcatenation, importPack,         importUnpack,
      importGather,        importTile,         importBroadcastTo,
      importMirrorPad,     importResizeNearest};
  return llvm::is_contained(moves, import);
}

LogicalResult tflite::importNothing(GraphImporter &importer) {
  static constexpr const char *instead[] = {
#define MLI_TFLITE_OPERATOR(...) "",
#define MLI_TFLITE_REFUSED(NAME, INSTEAD) "; " INSTEAD,
#include "Model/TFLiteOperators.def"
  };
  int32_t code = importer.getOperator().code;
  bool isKnown = code >= 0 && static_cast<size_t>(code) < std::size(instead);
  return importer.reject("no kernel computes it", isKnown ? instead[code] : "");
}

OperatorReport GraphImporter::importOperator(size_t index) {
  op = &graph.operators[index];
  loc = getOperatorLoc(index, *op);
  reason.clear();
  isUntried = false;
  Block *block = builder.getInsertionBlock();
  Operation *last = block->empty() ? nullptr : &block->back();
  ImportFunction import = getImport(op->code);
  LogicalResult result = success();
  if (!movesCodes(import) && import != importNothing)
    result = checkScales();
  if (succeeded(result))
    result = import(*this);
  if (succeeded(result)) {
    std::string invalid =
        findError(getContext(), [&] { return verifyAfter(block, last); });
    if (!invalid.empty())
      result = reject(invalid);
  }
  OperatorReport report;
  report.state = OperatorReport::State::Imported;
  if (succeeded(result))
    return report;
  report.state = isUntried ? OperatorReport::State::Untried
                           : OperatorReport::State::Rejected;
  report.reason = reason;
  skipOperator(index);
  return report;
}

void GraphImporter::skipOperator(size_t index) {
  for (int32_t output : graph.operators[index].outputs) {
    FailureOr<Type> element = findElement(output);
    isPoisoned[output] = true;
    values[output] =
        succeeded(element) && getTensor(output).getNumElements() > 0
            ? createPoison(
                  RankedTensorType::get(getTensor(output).shape, *element))
            : Value();
  }
}

FailureOr<int32_t> GraphImporter::getInput(size_t index) {
  int32_t input = op->getInput(index);
  if (input < 0)
    return reject("expected input ", index, " to be given, but got none");
  return input;
}

FailureOr<int32_t> GraphImporter::getOutput(size_t index) {
  if (index >= op->outputs.size())
    return reject("expected at least ", index + 1, " outputs, but got ",
                  op->outputs.size());
  return op->outputs[index];
}

std::string GraphImporter::describe(int32_t index) const {
  return describeTensor(graph, index);
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

Value GraphImporter::readState(int32_t index, RankedTensorType type) {
  for (State &state : states)
    if (state.tensor == index)
      return state.next;
  // The arguments of inputs come first.
  Block *entry = builder.getInsertionBlock();
  BlockArgument argument = entry->addArgument(type, getTensorLoc(index));
  states.push_back({index, argument, argument});
  return argument;
}

void GraphImporter::writeState(int32_t index, Value value) {
  for (State &state : states)
    if (state.tensor == index)
      state.next = value;
}

void GraphImporter::defineHandle(int32_t index, StringRef name) {
  handles[index] = variables.try_emplace(name, index).first->second;
}

FailureOr<int32_t> GraphImporter::findHandle(int32_t index) {
  auto it = handles.find(index);
  if (it == handles.end())
    return reject("expected ", describe(index),
                  " to stand for a variable, but got another tensor");
  return it->second;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void GraphImporter::noteRead(size_t bytes) {
  constexpr size_t releasedBytes = size_t{1} << 24;
  unreleasedBytes += bytes;
  if (unreleasedBytes < releasedBytes || !options.releaseRead)
    return;
  options.releaseRead();
  unreleasedBytes = 0;
}

Value GraphImporter::createConstant(Type element, ArrayRef<int64_t> shape,
                                    ArrayRef<char> bytes,
                                    const std::shared_ptr<void> &holder,
                                    bool isUnsigned) {
  SmallVector<char> flipped;
  if (isUnsigned) {
    flipped.assign(bytes.begin(), bytes.end());
    for (char &value : flipped)
      value = static_cast<char>(value ^ 0x80);
    bytes = flipped;
  }
  bool isInFile =
      !std::less<>()(bytes.begin(), model.bytes.data()) &&
      std::less<>()(bytes.begin(), model.bytes.data() + model.bytes.size());
  Value constant = TensorBuilder::createConstant(element, shape, bytes,
                                                 isInFile ? owner : holder);
  noteRead(bytes.size());
  return constant;
}
