// SPDX-License-Identifier: Apache-2.0

#include "Entries.h"

#include "mli/IR/AttributeNames.h"
#include "mli/Runtime/C/mli_types.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

namespace {

/// The struct of states of a function, at a pointer.
class State {
public:
  State(const Function &function, ImplicitLocOpBuilder &builder, Value pointer)
      : function(function), builder(builder), pointer(pointer) {
    SmallVector<Type> members;
    if (function.takesTurns())
      members.push_back(builder.getI32Type());
    for (const Port &port : function.ports) {
      if (!port.isStateMember())
        continue;
      numbers[port.argument] = static_cast<int32_t>(members.size());
      Type half = getHalf(port);
      members.push_back(port.kind == Port::Kind::OldState
                            ? LLVM::LLVMArrayType::get(half, 2)
                            : half);
    }
    type = LLVM::LLVMStructType::getLiteral(builder.getContext(), members);
  }

  /// Where the turn is.
  Value getTurn() { return getElement({0, 0}); }
  /// Where `port` is in this `turn` (i32); null if it takes no turns.
  Value getMemory(const Port &port, Value turn) {
    int32_t number = numbers.lookup(function.getStateMember(port)->argument);
    switch (port.kind) {
    case Port::Kind::OldState:
      return getElement({0, number, turn});
    case Port::Kind::NewState:
      return getElement({0, number, switchTurn(turn)});
    default:
      return getElement({0, number});
    }
  }
  /// The other turn.
  Value switchTurn(Value turn) {
    Value one = LLVM::ConstantOp::create(builder, builder.getI32IntegerAttr(1));
    return LLVM::SubOp::create(builder, one, turn);
  }

private:
  static Type getHalf(const Port &port) {
    int64_t bytes = getElementType(port.getType().getElementType()).bytes;
    return LLVM::LLVMArrayType::get(
        IntegerType::get(port.argument.getContext(), 8 * bytes),
        port.bytes / bytes);
  }
  Value getElement(ArrayRef<LLVM::GEPArg> path) {
    return LLVM::GEPOp::create(builder, pointer.getType(), type, pointer, path);
  }

  const Function &function;
  ImplicitLocOpBuilder &builder;
  Value pointer;
  LLVM::LLVMStructType type;
  DenseMap<Value, int32_t> numbers;
};

} // namespace

/// Creates the function `name` of pointers, which returns `result`.
static LLVM::LLVMFuncOp createFunction(ImplicitLocOpBuilder &builder,
                                       StringRef name, size_t pointers,
                                       Type result) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto function = LLVM::LLVMFuncOp::create(
      builder, name,
      LLVM::LLVMFunctionType::get(result,
                                  SmallVector<Type>(pointers, pointer)));
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
  return function;
}

/// Fills `port` at `memory` with zeros of its type.
static void clear(const Port &port, Value memory,
                  ImplicitLocOpBuilder &builder) {
  Type element = port.getType().getElementType();
  auto quantized = dyn_cast<QuantizedType>(element);
  int64_t zero = quantized ? quantized.getParam(0).zeroPoint : 0;
  int64_t bytes = getElementType(element).bytes;
  auto integer = builder.getIntegerType(8 * bytes);
  Value value =
      LLVM::ConstantOp::create(builder, builder.getIntegerAttr(integer, zero));
  auto getIndex = [&](int64_t index) {
    return arith::ConstantIndexOp::create(builder, index);
  };
  scf::ForOp::create(
      builder, getIndex(0), getIndex(port.bytes / bytes), getIndex(1),
      /*initArgs=*/{}, [&](OpBuilder &body, Location loc, Value i, ValueRange) {
        Value number =
            arith::IndexCastOp::create(body, loc, body.getI64Type(), i);
        Value place = LLVM::GEPOp::create(body, loc, memory.getType(), integer,
                                          memory, LLVM::GEPArg(number));
        LLVM::StoreOp::create(body, loc, value, place);
        scf::YieldOp::create(body, loc);
      });
}

/// The function that begins a stream of calls.
static void addReset(const Function &function, ImplicitLocOpBuilder &builder) {
  auto reset = createFunction(builder, function.reset, /*pointers=*/1,
                              LLVM::LLVMVoidType::get(builder.getContext()));
  State state(function, builder, reset.getArgument(0));
  Value first = LLVM::ConstantOp::create(builder, builder.getI32IntegerAttr(0));
  if (function.takesTurns())
    LLVM::StoreOp::create(builder, first, state.getTurn());
  for (const Port &port : function.ports)
    if (port.isStateMember())
      clear(port, state.getMemory(port, first), builder);
  LLVM::ReturnOp::create(builder, ValueRange());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// `memory` as the buffer `type`.
static Value toBuffer(Value memory, MemRefType type,
                      const LLVMTypeConverter &converter,
                      ImplicitLocOpBuilder &builder) {
  // A descriptor does not depend on the elements, which are of this dialect.
  auto bytes = MemRefType::get(type.getShape(), builder.getI8Type());
  Value descriptor = MemRefDescriptor::fromStaticShape(
      builder, builder.getLoc(), converter, bytes, memory);
  return UnrealizedConversionCastOp::create(builder, type, descriptor)
      .getResult(0);
}

static bool isLocalMemory(BlockArgument argument) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function.getArgAttr(argument.getArgNumber(), localAttrName) != nullptr;
}

/// The function that runs the network once. The conversion to LLVM makes it
/// return if the one that it calls fails.
static void addInvoke(const Function &function, ImplicitLocOpBuilder &builder) {
  SmallVector<const Port *> arguments = function.getArguments();
  bool hasLocal = function.takesLocal();
  auto entry = createFunction(builder, function.name,
                              arguments.size() + hasLocal + function.hasState(),
                              builder.getI32Type());
  DenseMap<Value, Value> memories;
  for (auto [i, port] : llvm::enumerate(arguments))
    memories[port->argument] = entry.getArgument(i);
  func::FuncOp callee = function.op;
  BlockArgument last = callee.getArguments().back();
  if (hasLocal && isLocalMemory(last))
    memories[last] = entry.getArgument(arguments.size());
  State state(function, builder,
              entry.getArgument(entry.getNumArguments() - 1));
  Value turn;
  if (function.takesTurns())
    turn = LLVM::LoadOp::create(builder, builder.getI32Type(), state.getTurn());
  for (const Port &port : function.ports)
    if (port.isState())
      memories[port.argument] = state.getMemory(port, turn);

  LLVMTypeConverter converter(builder.getContext());
  SmallVector<Value> operands;
  for (BlockArgument argument : callee.getArguments())
    operands.push_back(toBuffer(memories.lookup(argument),
                                cast<MemRefType>(argument.getType()), converter,
                                builder));
  func::CallOp::create(builder, callee, operands);
  if (function.takesTurns())
    LLVM::StoreOp::create(builder, state.switchTurn(turn), state.getTurn());
  Value ok = LLVM::ConstantOp::create(builder,
                                      builder.getI32IntegerAttr(MLI_STATUS_OK));
  LLVM::ReturnOp::create(builder, ok);
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

/// Keeps the functions of the network, under names that no function of C has.
static void hideFunctions(const Network &network) {
  llvm::SmallPtrSet<Operation *, 4> kept;
  for (const Function &function : network.functions)
    kept.insert(function.op);
  ModuleOp module = network.module;
  SymbolTable symbols(module);
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!kept.contains(function)) {
      symbols.erase(function);
      continue;
    }
    std::string name = network.options.name + "." + function.getSymName().str();
    (void)symbols.rename(function, name);
    function.setPrivate();
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(function.getContext(), LLVM::Linkage::Internal));
  }
}

void object::addEntries(const Network &network) {
  hideFunctions(network);
  ModuleOp module = network.module;
  for (const Function &function : network.functions) {
    if (!function.isEntry)
      continue;
    func::FuncOp op = function.op;
    ImplicitLocOpBuilder builder(op.getLoc(), op.getContext());
    if (function.hasState()) {
      builder.setInsertionPointToEnd(module.getBody());
      addReset(function, builder);
    }
    builder.setInsertionPointToEnd(module.getBody());
    addInvoke(function, builder);
  }
}
