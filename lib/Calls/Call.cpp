// SPDX-License-Identifier: Apache-2.0

#include "mli/Calls/Call.h"

#include "Configs.h"

#include "mli/IR/KernelOperands.h"
#include "mli/IR/LocalMemory.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;
using namespace mli::calls;

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

Number::Number(OpFoldResult mixed) {
  if (auto attribute = dyn_cast<Attribute>(mixed))
    known = cast<IntegerAttr>(attribute).getInt();
  else
    value = cast<Value>(mixed);
}

std::optional<int64_t> Scratch::getBytes() const {
  auto type = cast<ShapedType>(vector->get().getType());
  if (type.isDynamicDim(0))
    return std::nullopt;
  return unit * std::min(type.getDimSize(0), maxIndices);
}

Record::Record(const Struct &type) : type(&type) {
  for (const Member &member : type.members)
    numbers.emplace_back(std::max<int64_t>(member.count, 1), 0);
}

Record &Record::set(StringRef path, Number number) {
  numbers[type->find(path)].front() = number;
  return *this;
}

Record &Record::setArray(StringRef path, ArrayRef<int64_t> known) {
  llvm::copy(known, numbers[type->find(path)].begin());
  return *this;
}

Record &Record::setScratch(Scratch memory) {
  scratch = memory;
  return *this;
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

namespace {

/// A parameter of a function of the C API.
struct Parameter {
  enum class Kind { Input, Inputs, Unread, Table, Config, Output };
  Kind kind;
  const char *name;
  const char *config = nullptr; ///< the type of the configuration
};

/// A function with its parameters: no more than the cells have.
struct Signature {
  const char *function;
  std::array<Parameter, 10> parameters;
  size_t count;
};

template <typename... Parameters>
constexpr Signature makeSignature(const char *function,
                                  Parameters... parameters) {
  return {function, {parameters...}, sizeof...(Parameters)};
}

} // namespace

static constexpr Signature signatures[] = {
#define MLI_PASSED(kind, name)                                                 \
  Parameter { Parameter::Kind::kind, name }
#define MLI_PASSED_INPUT(name) MLI_PASSED(Input, #name)
#define MLI_PASSED_INPUTS(name) MLI_PASSED(Inputs, #name)
#define MLI_PASSED_UNREAD(name) MLI_PASSED(Unread, #name)
#define MLI_PASSED_TABLE(name, function) MLI_PASSED(Table, #name)
#define MLI_PASSED_CONFIG(type)                                                \
  Parameter { Parameter::Kind::Config, "cfg", #type }
#define MLI_PASSED_OUTPUT(name) MLI_PASSED(Output, #name)
#define MLI_KERNEL(name, signature) makeSignature(#name, signature(MLI_PASSED)),
#include "mli/Runtime/C/api/mli_kernels.def"
    makeSignature("mli_hlp_convert_tensor",
                  MLI_CONVERSION_SIGNATURE(MLI_PASSED)),
    makeSignature("mli_hlp_convert_tensor_safx",
                  MLI_CONVERSION_SIGNATURE(MLI_PASSED)),
};

static ArrayRef<Parameter> getParameters(StringRef function) {
  const auto *found =
      llvm::find_if(signatures, [&](const Signature &signature) {
        return function == signature.function;
      });
  assert(found != std::end(signatures) && "all functions have signatures");
  return ArrayRef(found->parameters).take_front(found->count);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// E9
static StringRef getConversion(ConvertOp op) {
  bool hasFloat = op.getInput().getType().getElementType().isF32() ||
                  op.getInit().getType().getElementType().isF32();
  return hasFloat ? "mli_hlp_convert_tensor" : "mli_hlp_convert_tensor_safx";
}

/// Whether mli_kernels.def has kernels of each family.
static constexpr bool hasKernels() {
  for (const contract::Tensor &tensor : contract::tensors) {
    bool isFound = false;
    for (const contract::Kernel &kernel : contract::kernels)
      isFound |= kernel.family == tensor.family;
    if (!isFound)
      return false;
  }
  return true;
}
static_assert(hasKernels(), "a family of Kernels.def has no kernel");

StringRef calls::getCallee(KernelOpInterface op) {
  if (auto convert = dyn_cast<ConvertOp>(*op))
    return getConversion(convert);
  auto product = dyn_cast<FullyConnectedOp>(*op);
  auto variant = product && product.getExtendedBias()
                     ? contract::Variant::ExtendedBias
                     : contract::Variant::Plain;
  const contract::Kernel *kernel =
      contract::findKernel(*op.getFamily(), getKinds(op), variant);
  assert(kernel && "the verifier takes only element types of kernels");
  return kernel->name;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

SmallVector<int64_t> calls::getStrides(MemRefType memref) {
  SmallVector<int64_t> strides = getStridesAndOffset(memref).first;
  int64_t reach = 1, least = 1;
  for (int64_t dim = memref.getRank() - 1; dim >= 0; --dim) {
    if (memref.getDimSize(dim) == 1)
      strides[dim] = least;
    if (memref.isDynamicDim(dim) || ShapedType::isDynamic(strides[dim]))
      break;
    reach += (memref.getDimSize(dim) - 1) * strides[dim];
    least = std::max(strides[dim], reach);
  }
  return strides;
}

Access calls::getAccess(OpOperand &operand) {
  auto kernel = cast<DestinationStyleOpInterface>(operand.getOwner());
  if (!kernel.isDpsInit(&operand))
    return Access::Read;
  return detail::readsInit(operand) ? Access::ReadWrite : Access::Write;
}

/// Whether `operand` is a scalar that its kernel takes as the value in the
/// container. The second input of an operation on two tensors is none next to a
/// first one of one element: the shape of the result is that of the second
/// then.
// U5
static bool isScalar(OpOperand &operand) {
  if (cast<MemRefType>(operand.get().getType()).getRank() != 0)
    return false;
  const contract::Tensor *contract = getContract(operand);
  if (!contract)
    return false;
  contract::Form form = contract->form();
  if (form == contract::Form::One || form == contract::Form::AlongAxis)
    return true;
  if (form != contract::Form::SameOrOne)
    return false;
  auto getType = [&](unsigned number) {
    return cast<ShapedType>(operand.getOwner()->getOperand(number).getType());
  };
  if (contract->role == contract::OperandKind::Input)
    return getType(1).getRank() != 0;
  ShapedType first = getType(0);
  return first.hasStaticShape() && first.getNumElements() > 1;
}

/// The one element of `constant`; null where it is not known.
static IntegerAttr getElement(Value constant) {
  DataAttr data;
  if (!matchPattern(constant, m_Constant(&data)))
    return {};
  auto elements = dyn_cast<DenseIntElementsAttr>(data.getValue());
  return elements ? *elements.value_begin<IntegerAttr>() : IntegerAttr();
}

static TensorArgument getTensor(OpOperand &operand) {
  TensorArgument tensor = {&operand, getAccess(operand)};
  tensor.element = tensor.getType().getElementType();
  tensor.isScalar = isScalar(operand);
  if (tensor.isScalar)
    tensor.known = getElement(operand.get());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

/// Hands out the operands of a kernel in the order of its parameters.
class Operands {
public:
  explicit Operands(KernelOpInterface op) {
    auto kernel = cast<DestinationStyleOpInterface>(*op);
    for (OpOperand &operand : op->getOpOperands()) {
      // Padding is part of the configuration.
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      if (kernel.isDpsInit(&operand))
        outputs.push_back(&operand);
      else if (!isTable(operand))
        inputs.push_back(&operand);
    }
    if (auto lookup = dyn_cast<TableOpInterface>(*op))
      tables = lookup.getTables();
  }

  TensorArgument takeInput() { return getTensor(*inputs[numInputs++]); }
  TensorArgument takeOutput() { return getTensor(*outputs[numOutputs++]); }

  TensorsArgument takeInputs(size_t count) {
    TensorsArgument list;
    for (size_t i = 0; i < count; ++i)
      list.tensors.push_back(takeInput());
    return list;
  }

  TableArgument takeTable() {
    const TableUse &use = tables[numTables++];
    if (use.given.empty())
      return {getTable(use.function), std::nullopt};
    OpOperand &given = use.given[0];
    auto type = cast<ShapedType>(given.get().getType());
    return {getTable(use.function, type, use.format), getTensor(given)};
  }

private:
  SmallVector<OpOperand *> inputs, outputs;
  SmallVector<TableUse, 2> tables;
  size_t numInputs = 0, numOutputs = 0, numTables = 0;
};

} // namespace

Call calls::getCall(KernelOpInterface op) {
  Call call = {getCallee(op), {}};
  Operands operands(op);
  auto product = dyn_cast<RnnDenseOp>(*op);
  for (const Parameter &parameter : getParameters(call.function)) {
    Argument argument = {parameter.name, UnreadArgument()};
    switch (parameter.kind) {
    case Parameter::Kind::Input:
      argument.value = operands.takeInput();
      break;
    case Parameter::Kind::Inputs:
      argument.value = operands.takeInputs(product.getInputs().size());
      break;
    case Parameter::Kind::Unread:
      break;
    case Parameter::Kind::Table:
      argument.value = operands.takeTable();
      break;
    case Parameter::Kind::Config:
      argument.value = ConfigArgument{parameter.config, getConfig(op)};
      break;
    case Parameter::Kind::Output:
      argument.value = operands.takeOutput();
      break;
    }
    call.arguments.push_back(std::move(argument));
  }
  return call;
}

Call calls::getCall(LutOp op) {
  TensorArgument entries = {&op.getInitMutable(), Access::Write};
  entries.element = entries.getType().getElementType();
  const FunctionTable &table = getTable(op.getFunction());
  return {table.create, {{"lut", TableArgument{table, entries}}}};
}

SmallVector<const TensorArgument *> Call::getTensors() const {
  SmallVector<const TensorArgument *> tensors;
  for (const Argument &argument : arguments) {
    if (const auto *tensor = std::get_if<TensorArgument>(&argument.value))
      tensors.push_back(tensor);
    if (const auto *list = std::get_if<TensorsArgument>(&argument.value))
      for (const TensorArgument &tensor : list->tensors)
        tensors.push_back(&tensor);
    if (const auto *table = std::get_if<TableArgument>(&argument.value))
      if (table->given)
        tensors.push_back(&*table->given);
  }
  llvm::sort(tensors, [](const TensorArgument *a, const TensorArgument *b) {
    return a->operand->getOperandNumber() < b->operand->getOperandNumber();
  });
  return tensors;
}
