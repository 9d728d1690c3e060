// SPDX-License-Identifier: Apache-2.0

#include "CallLowering.h"

#include "RuntimeCheck.h"
#include "StatusChecks.h"

#include "mli/Analysis/MemoryProblem.h"
#include "mli/IR/AttributeNames.h"
#include "mli/IR/KernelOperands.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mli;
using namespace mli::calls;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value CallLowering::createTensor(const TensorArgument &tensor) {
  Value descriptor = converted[tensor.operand->getOperandNumber()];
  MemRefType type =
      MemRefType::Builder(tensor.getType()).setElementType(tensor.element);
  auto asTensor = [&] {
    return operands.tensor(type, descriptor, tensor.access, tensor.block);
  };
  if (!tensor.reshaped.empty())
    return calls.tensorAt(tensor.element, tensor.reshaped,
                          computeStrides(tensor.reshaped),
                          isLocal(type) ? operands.getPointer(descriptor)
                                        : calls.firstElement(type, descriptor));
  if (!tensor.isScalar)
    return asTensor();
  if (tensor.known)
    return calls.scalar(tensor.element, Field(tensor.known));
  Value memory = isLocal(type) ? calls.getMemory(asTensor())
                               : calls.firstElement(type, descriptor);
  Type storage = cast<QuantizedType>(tensor.element).getStorageType();
  return calls.scalar(
      tensor.element,
      LLVM::LoadOp::create(rewriter, op->getLoc(), storage, memory)
          .getResult());
}

Value CallLowering::getTensor(const TensorArgument &tensor) {
  auto [entry, isNew] = tensors.insert({tensor.operand, Value()});
  if (isNew)
    entry->second = createTensor(tensor);
  return entry->second;
}

/// Leaves the function if `operand` has gaps that the called one does not find:
/// it counts in memory, or gets a table.
// T19
void CallLowering::checkGaps(OpOperand &operand) {
  const contract::Tensor *contract = getContract(operand);
  if (isTable(operand) || isa<LutOp>(op) ||
      (contract && contract->memory == contract::Memory::DialectContiguous))
    RuntimeCheck(op, calls, rewriter)
        .returnIfNotContiguous(operand, converted[operand.getOperandNumber()]);
}

void CallLowering::prepareTensors(const Call &call) {
  for (const TensorArgument *tensor : call.getTensors()) {
    getTensor(*tensor);
    checkGaps(*tensor->operand);
  }
  checkCell(op, converted, calls, rewriter);
}

Value CallLowering::getArgument(const TensorArgument &tensor) {
  return getTensor(tensor);
}

Value CallLowering::getArgument(const TensorsArgument &list) {
  SmallVector<Field> pointers;
  for (const TensorArgument &tensor : list.tensors)
    pointers.push_back(getTensor(tensor));
  Type pointer = LLVM::LLVMPointerType::get(op->getContext());
  return calls.createAlloca(Field::array(pointer, pointers));
}

Value CallLowering::getArgument(const UnreadArgument &) {
  return tensors.front().second;
}

//===----------------------------------------------------------------------===//
// Scratch memory
//===----------------------------------------------------------------------===//

/// A pointer to `bytes` bytes of scratch memory: in the arena or, where its
/// results are there, in local memory, if the kernel has some, else on the
/// stack.
Value CallLowering::scratch(int64_t bytes) {
  auto address = op->getAttrOfType<IntegerAttr>(scratchAttrName);
  if (!address)
    return calls.bytesOnStack(bytes);
  auto kernel = cast<DestinationStyleOpInterface>(op);
  int64_t offset = address.getInt() + scratchUsed;
  scratchUsed += bytes;
  // The same bytes are taken on each NPU; the kernel uses those of the first.
  if (isLocal(kernel.getDpsInits().front().getType()))
    return operands.getPointer(calls.i32(static_cast<int32_t>(offset)));
  return calls.addressIn(calls.findMemory(arenaAttrName), calls.quad(offset));
}

Field CallLowering::getContainer(const Scratch &memory) {
  if (std::optional<int64_t> bytes = memory.getBytes())
    return calls.container(calls.word(*bytes), scratch(*bytes));
  Location loc = op->getLoc();
  Type pointer = LLVM::LLVMPointerType::get(op->getContext());
  stack = LLVM::StackSaveOp::create(rewriter, loc, pointer);
  MemRefDescriptor vector(converted[memory.vector->getOperandNumber()]);
  Value size =
      LLVM::UMinOp::create(rewriter, loc, vector.size(rewriter, loc, 0),
                           calls.i64(Scratch::maxIndices));
  Value bytes =
      LLVM::MulOp::create(rewriter, loc, size, calls.i64(memory.unit));
  Value start = LLVM::AllocaOp::create(rewriter, loc, pointer,
                                       rewriter.getI8Type(), bytes,
                                       /*alignment=*/8);
  Value capacity =
      LLVM::TruncOp::create(rewriter, loc, rewriter.getI32Type(), bytes);
  return calls.container(capacity, start);
}

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

/// Padding that is a value, as bytes. One beyond a byte stays beyond every
/// window, so that the kernel rejects it, and is not cut down to a legal one.
void CallLowering::convertPadding() {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<IndexType>(operand.get().getType()))
      continue;
    Value limited = LLVM::UMinOp::create(rewriter, op->getLoc(),
                                         converted[operand.getOperandNumber()],
                                         calls.i64(UINT8_MAX));
    bytes[operand.get()] = LLVM::TruncOp::create(rewriter, op->getLoc(),
                                                 rewriter.getI8Type(), limited);
  }
}

Field CallLowering::getInteger(const Number &number, int64_t width) {
  if (number.value)
    return bytes.lookup(number.value);
  return width == 1 ? calls.byte(number.known) : calls.word(number.known);
}

/// Adds the fields of member `i`. An array is one, unless it is all there is.
void CallLowering::addMember(const Record &record, size_t i,
                             SmallVectorImpl<Field> &fields) {
  ArrayRef<Member> members = record.getType().members;
  const Member &member = members[i];
  if (member.kind == Member::Kind::Container)
    return fields.push_back(getContainer(*record.getScratch()));
  SmallVector<Field> parts;
  for (const Number &number : record.getNumbers(i))
    parts.push_back(getInteger(number, member.bytes));
  if (member.count == 0 || members.size() == 1)
    llvm::append_range(fields, parts);
  else
    fields.push_back(member.bytes == 1 ? calls.bytes(parts)
                                       : calls.words(parts));
}

Value CallLowering::getRecord(const Record &record) {
  convertPadding();
  SmallVector<Field> fields;
  int64_t end = 0;
  for (auto [i, member] : llvm::enumerate(record.getType().members)) {
    if (end < member.offset)
      fields.push_back(calls.word(0));
    addMember(record, i, fields);
    end = member.offset + member.bytes * std::max<int64_t>(member.count, 1);
  }
  return calls.readOnly(fields);
}

Value CallLowering::getArgument(const ConfigArgument &config) {
  return getRecord(config.record);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// An `mli_lut` with memory at `entries`, and the fields of `table`.
Value CallLowering::createLut(const FunctionTable &table, Value entries) {
  const mli_lut &fields = table.fields;
  return calls.createAlloca(
      {calls.container(calls.word(table.bytes), entries),
       calls.word(fields.type), calls.word(fields.length),
       calls.word(fields.in_frac_bits), calls.word(fields.out_frac_bits),
       calls.word(fields.input_offset), calls.word(fields.output_offset)});
}

// U6
Value CallLowering::getArgument(const TableArgument &argument) {
  const FunctionTable &table = argument.table;
  if (argument.given)
    return createLut(table, calls.getMemory(getTensor(*argument.given)));
  Value lut = createLut(table, scratch(table.bytes));
  calls.checkedCall(table.create, lut, op);
  return lut;
}

//===----------------------------------------------------------------------===//
// Call
//===----------------------------------------------------------------------===//

void CallLowering::lower(const Call &call) {
  SmallVector<Value> values;
  for (const Argument &argument : call.arguments)
    values.push_back(std::visit(
        [&](const auto &value) { return getArgument(value); }, argument.value));
  calls.checkedCall(call.function, values, op);
  operands.writeBack();
  if (stack)
    LLVM::StackRestoreOp::create(rewriter, op->getLoc(), stack);
}
