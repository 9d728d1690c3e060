// SPDX-License-Identifier: Apache-2.0

#include "KernelCall.h"
#include "RuntimeCheck.h"

#include "mli/Analysis/MemoryProblem.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// How the name of the function says which dimension is which.
static StringRef layoutSuffix(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<Conv2DOp, DepthwiseConv2DOp, GroupConv2DOp, TransposeConv2DOp>(
          [](Operation *) { return "_hwcn"; })
      .Case<AvePoolOp, MaxPoolOp>([](Operation *) { return "_hwc"; })
      .Default([](Operation *) { return ""; });
}

static StringRef kindSuffix(Type element) {
  return llvm::TypeSwitch<Type, StringRef>(element)
      .Case([](Fx8Type) { return "_fx8"; })
      .Case([](Fx16Type) { return "_fx16"; })
      .Default([](Type) { return "_sa8"; });
}

/// The kinds of all inputs where they differ, else the one kind.
static StringRef typesSuffix(DestinationStyleOpInterface op) {
  SmallVector<Type> elements;
  for (OpOperand *input : op.getDpsInputOperands())
    if (auto type = dyn_cast<MemRefType>(input->get().getType());
        type && !isTable(*input))
      elements.push_back(type.getElementType());
  if (llvm::any_of(elements, llvm::IsaPred<Sa32Type>))
    return "_sa8_sa8_sa32";
  for (Type element : elements)
    if (element.getTypeID() != elements.front().getTypeID())
      return "_fx16_fx8_fx8";
  return kindSuffix(elements.front());
}

/// What else the kernel does that is said by its name.
static StringRef variantSuffix(Operation *op) {
  auto product = dyn_cast<FullyConnectedOp>(op);
  return product && product.getExtendedBias() ? "_ext_bias" : "";
}

// E9
static StringRef conversionName(ConvertOp op) {
  bool hasFloat = op.getInput().getType().getElementType().isF32() ||
                  op.getInit().getType().getElementType().isF32();
  return hasFloat ? "mli_hlp_convert_tensor" : "mli_hlp_convert_tensor_safx";
}

std::string mli::calleeName(Operation *op) {
  if (auto convert = dyn_cast<ConvertOp>(op))
    return conversionName(convert).str();
  auto kernel = cast<DestinationStyleOpInterface>(op);
  return ("mli_krn_" + op->getName().stripDialect() + layoutSuffix(op) +
          typesSuffix(kernel) + variantSuffix(op))
      .str();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Whether `operand` is a scalar that its kernel takes as the value in the
/// container. The second input of an operation on two tensors is none next to a
/// first one of one element: the shape of the result is that of the second
/// then.
// U5
static bool isValue(OpOperand &operand) {
  if (cast<MemRefType>(operand.get().getType()).getRank() != 0)
    return false;
  return llvm::TypeSwitch<Operation *, bool>(operand.getOwner())
      .Case<LeakyReluOp, PreluOp>(
          [&](auto op) { return &operand == &op.getSlopeMutable(); })
      .Case<EltwiseAddOp, EltwiseSubOp, EltwiseMulOp, EltwiseMinOp,
            EltwiseMaxOp>([&](auto op) {
        if (&operand == &op.getLhsMutable())
          return op.getRhs().getType().getRank() != 0;
        ShapedType first = op.getLhs().getType();
        return &operand == &op.getRhsMutable() && first.hasStaticShape() &&
               first.getNumElements() > 1;
      })
      .Default([](Operation *) { return false; });
}

/// The one element of `constant`; null where it is not known.
static IntegerAttr getElement(Value constant) {
  DataAttr data;
  if (!matchPattern(constant, m_Constant(&data)))
    return {};
  auto elements = dyn_cast<DenseIntElementsAttr>(data.getValue());
  return elements ? *elements.value_begin<IntegerAttr>() : IntegerAttr();
}

Value KernelArguments::tensor(OpOperand &operand, Value converted,
                              LocalOperands &operands) {
  auto type = cast<MemRefType>(operand.get().getType());
  auto asTensor = [&] {
    return operands.tensor(type, converted, LocalOperands::accessOf(operand));
  };
  if (!isValue(operand))
    return asTensor();
  Type element = type.getElementType();
  if (IntegerAttr known = getElement(operand.get()))
    return calls.scalar(element, Field(known));
  Value memory = isLocal(type) ? calls.memoryOf(asTensor())
                               : calls.firstElement(type, converted);
  return calls.scalar(element,
                      LLVM::LoadOp::create(
                          rewriter, op->getLoc(),
                          cast<QuantizedType>(element).getStorageType(), memory)
                          .getResult());
}

//===----------------------------------------------------------------------===//
// Gaps
//===----------------------------------------------------------------------===//

// T19
void KernelArguments::checkGaps(OpOperand &operand, Value descriptor) {
  const contract::Tensor *contract = getContract(operand);
  if (isTable(operand) ||
      (contract && contract->memory == contract::Memory::Counted))
    RuntimeCheck(op, calls, rewriter).leaveIfGaps(operand, descriptor);
}

//===----------------------------------------------------------------------===//
// Scratch memory
//===----------------------------------------------------------------------===//

Value KernelArguments::scratch(int64_t bytes) {
  auto address = op->getAttrOfType<IntegerAttr>(scratchAttrName);
  if (!address)
    return calls.bytesOnStack(bytes);
  auto kernel = cast<DestinationStyleOpInterface>(op);
  if (isLocal(kernel.getDpsInits().front().getType())) {
    // The same bytes are taken on each NPU; the kernel uses those of the first.
    int64_t offset = address.getInt() + scratchUsed;
    scratchUsed += bytes;
    return calls.call("okk_local_mem_addr",
                      {calls.i32(0), calls.i32(static_cast<int32_t>(offset))},
                      LLVM::LLVMPointerType::get(op->getContext()));
  }
  // The arena is the last argument: two pointers, offset, size and stride.
  Block &entry = op->getParentOfType<LLVM::LLVMFuncOp>().front();
  Value arena = entry.getArgument(entry.getNumArguments() - 4);
  int64_t offset = address.getInt() + scratchUsed;
  scratchUsed += bytes;
  return LLVM::GEPOp::create(rewriter, op->getLoc(), arena.getType(),
                             rewriter.getI8Type(), arena,
                             LLVM::GEPArg(static_cast<int32_t>(offset)));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static_assert(sizeof(mli_lut) == 40 && offsetof(mli_lut, data) == 0 &&
              offsetof(mli_lut, type) == 16 &&
              offsetof(mli_lut, length) == 20 &&
              offsetof(mli_lut, in_frac_bits) == 24 &&
              offsetof(mli_lut, out_frac_bits) == 28 &&
              offsetof(mli_lut, input_offset) == 32 &&
              offsetof(mli_lut, output_offset) == 36);

/// An `mli_lut` with memory at `entries`, and the fields that `table` says.
static Value createLut(const FunctionTable &table, Value entries,
                       CallBuilder &calls) {
  const mli_lut &fields = table.fields;
  return calls.onStack(
      {calls.container(calls.word(table.bytes), entries),
       calls.word(fields.type), calls.word(fields.length),
       calls.word(fields.in_frac_bits), calls.word(fields.out_frac_bits),
       calls.word(fields.input_offset), calls.word(fields.output_offset)});
}

Value mli::lutOf(const FunctionTable &table, Value tensor, CallBuilder &calls) {
  return createLut(table, calls.memoryOf(tensor), calls);
}

// U6
void KernelArguments::addTable(LutFunction function, Value given,
                               LutFormatAttr format) {
  if (given) {
    auto type = cast<ShapedType>(given.getType());
    values.push_back(
        lutOf(getTable(function, type, format), tables.lookup(given), calls));
    return;
  }
  const FunctionTable &table = getTable(function);
  Value lut = createLut(table, scratch(table.bytes), calls);
  calls.checkedCall(table.create, lut, describeCall(op));
  values.push_back(lut);
}
