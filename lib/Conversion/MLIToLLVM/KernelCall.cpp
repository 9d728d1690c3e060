// SPDX-License-Identifier: Apache-2.0

#include "KernelCall.h"
#include "RuntimeCheck.h"

#include "mli/Analysis/MemoryProblem.h"
#include "mli/IR/AttributeNames.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mli;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

// E9
static StringRef conversionName(ConvertOp op) {
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

StringRef mli::getCallee(KernelOpInterface op) {
  if (auto convert = dyn_cast<ConvertOp>(*op))
    return conversionName(convert);
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

/// Whether `operand` is a scalar that its kernel takes as the value in the
/// container. The second input of an operation on two tensors is none next to a
/// first one of one element: the shape of the result is that of the second
/// then.
// U5
static bool isValue(OpOperand &operand) {
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

Value KernelArguments::tensor(OpOperand &operand, Value converted,
                              LocalOperands &operands) {
  auto type = cast<MemRefType>(operand.get().getType());
  auto asTensor = [&] {
    return operands.tensor(type, converted, LocalOperands::getAccess(operand));
  };
  if (!isValue(operand))
    return asTensor();
  Type element = type.getElementType();
  if (IntegerAttr known = getElement(operand.get()))
    return calls.scalar(element, Field(known));
  Value memory = isLocal(type) ? calls.getMemory(asTensor())
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
      (contract && contract->memory == contract::Memory::DialectContiguous))
    RuntimeCheck(op, calls, rewriter)
        .returnIfNotContiguous(operand, descriptor);
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

/// An `mli_lut` with memory at `entries`, and the fields of `table`.
static Value createLut(const FunctionTable &table, Value entries,
                       CallBuilder &calls) {
  const mli_lut &fields = table.fields;
  return calls.createAlloca(
      {calls.container(calls.word(table.bytes), entries),
       calls.word(fields.type), calls.word(fields.length),
       calls.word(fields.in_frac_bits), calls.word(fields.out_frac_bits),
       calls.word(fields.input_offset), calls.word(fields.output_offset)});
}

Value mli::getLut(const FunctionTable &table, Value tensor,
                  CallBuilder &calls) {
  return createLut(table, calls.getMemory(tensor), calls);
}

// U6
void KernelArguments::addTables(TableOpInterface kernel) {
  for (const TableUse &use : kernel.getTables()) {
    if (!use.given.empty()) {
      Value given = use.given[0].get();
      auto type = cast<ShapedType>(given.getType());
      values.push_back(getLut(getTable(use.function, type, use.format),
                              tables.lookup(given), calls));
      continue;
    }
    const FunctionTable &table = getTable(use.function);
    Value lut = createLut(table, scratch(table.bytes), calls);
    calls.checkedCall(table.create, lut, describeCall(op));
    values.push_back(lut);
  }
}
