// SPDX-License-Identifier: Apache-2.0

#include "TosaBoundary.h"

#include "mli/IR/MLI.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mli;
using namespace mli::raising;

UnrealizedConversionCastOp raising::getQuantizedCast(Value value) {
  auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
  if (!cast || cast.getNumOperands() != 1 ||
      !isa<QuantizedType>(getElementTypeOrSelf(cast.getOperand(0).getType())))
    return {};
  return cast;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Says how to take an operation of the quant dialect.
static void noteQuant(Operation *op, InFlightDiagnostic &error) {
  if (op->getName().getDialectNamespace() == "quant")
    error.attachNote() << "the quant dialect is taken by "
                          "'convert-quant-to-mli', or by the option 'quant' of "
                          "pipelines";
}

/// Reports the users that need the quantised tensor of `cast` as `i8`.
static void reportUsers(UnrealizedConversionCastOp cast) {
  for (OpOperand &use : cast->getUses()) {
    Operation *user = use.getOwner();
    InFlightDiagnostic error =
        user->emitOpError("cannot be raised to mli: expected operand ")
        << use.getOperandNumber() << " to be " << cast.getOperand(0).getType()
        << " as it is raised, but got " << use.get().getType();
    noteQuant(user, error);
  }
}

/// Reports the plain tensor that `cast` takes where a quantised one is needed.
static void reportSource(UnrealizedConversionCastOp cast) {
  Value value = cast.getOperand(0);
  InFlightDiagnostic error = emitError(value.getLoc());
  if (auto result = dyn_cast<OpResult>(value))
    error << "'" << result.getOwner()->getName()
          << "' op cannot be raised to mli: expected result "
          << result.getResultNumber();
  else
    error << "cannot be raised to mli: expected argument "
          << llvm::cast<BlockArgument>(value).getArgNumber();
  error << " to be " << cast.getType(0) << " for raised users, but got "
        << value.getType();
  for (Operation *user : value.getUsers())
    if (user != cast)
      error.attachNote(user->getLoc())
          << "used as it is by '" << user->getName() << "'";
  if (Operation *source = value.getDefiningOp())
    noteQuant(source, error);
}

bool raising::reportBoundaries(ModuleOp module) {
  bool isBroadcastable = false;
  module.walk([&](UnrealizedConversionCastOp cast) {
    isBroadcastable = true;
    if (getQuantizedCast(cast.getResult(0)))
      reportUsers(cast);
    else if (cast.getNumOperands() == 1 && cast.getNumResults() == 1)
      reportSource(cast);
    else
      cast.emitOpError("cannot be raised to mli");
  });
  return isBroadcastable;
}

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

namespace {

/// A function with a body, and all the calls of it.
struct Callee {
  func::FuncOp function;
  SmallVector<func::CallOp> calls;
};

/// Finds the callees of a module, each before its callers.
class CalleeFinder {
public:
  explicit CalleeFinder(ModuleOp module) {
    auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (std::optional<Callee> callee = readCallee(function, module))
        callees.try_emplace(function, std::move(*callee));
    for (func::FuncOp function : functions)
      visit(function);
  }

  SmallVector<Callee> ordered;

private:
  static std::optional<Callee> readCallee(func::FuncOp function,
                                          ModuleOp module);
  void visit(func::FuncOp function);

  DenseMap<Operation *, Callee> callees;
  DenseMap<Operation *, bool>
      isDone; ///< whether a visited function is finished
};

} // namespace

/// Returns nothing if other operations than calls refer to the function.
std::optional<Callee> CalleeFinder::readCallee(func::FuncOp function,
                                               ModuleOp module) {
  auto uses = SymbolTable::getSymbolUses(function, module);
  if (!uses || function.isExternal())
    return std::nullopt;
  Callee callee{function, {}};
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call)
      return std::nullopt;
    callee.calls.push_back(call);
  }
  return callee;
}

void CalleeFinder::visit(func::FuncOp function) {
  auto [it, inserted] = isDone.try_emplace(function, false);
  if (!inserted) {
    // It calls itself, directly or not, so it cannot be before its caller.
    if (!it->second)
      callees.erase(function);
    return;
  }
  function.walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (callee)
      visit(callee);
  });
  isDone[function] = true;
  auto callee = callees.find(function);
  if (callee != callees.end())
    ordered.push_back(callee->second);
}

SmallVector<Link> raising::findInsertions(ModuleOp module) {
  SmallVector<Link> links;
  for (Callee &callee : CalleeFinder(module).ordered) {
    auto returns = llvm::to_vector(callee.function.getOps<func::ReturnOp>());
    for (func::CallOp call : callee.calls) {
      for (auto [operand, argument] :
           llvm::zip_equal(call.getOperands(), callee.function.getArguments()))
        links.push_back({operand, argument});
      for (func::ReturnOp op : returns)
        for (auto [operand, result] :
             llvm::zip_equal(op.getOperands(), call.getResults()))
          links.push_back({operand, result});
    }
  }
  return links;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Value castTo(Type type, Value value, OpBuilder &builder) {
  return UnrealizedConversionCastOp::create(builder, value.getLoc(), type,
                                            value)
      .getResult(0);
}

/// Folds casts of casts: where a cluster was emitted before the producer of its
/// input, and where both sides of a call are quantised.
static void joinCasts(func::FuncOp function) {
  SmallVector<UnrealizedConversionCastOp> casts;
  function.walk([&](UnrealizedConversionCastOp cast) {
    if (cast.getNumOperands() == 1 && cast.getNumResults() == 1)
      casts.push_back(cast);
  });
  for (UnrealizedConversionCastOp cast : casts)
    if (auto source = getQuantizedCast(cast.getOperand(0));
        source && source.getOperand(0).getType() == cast.getType(0))
      cast.getResult(0).replaceAllUsesWith(source.getOperand(0));
  for (UnrealizedConversionCastOp cast : llvm::reverse(casts))
    if (cast->use_empty())
      cast.erase();
}

/// The quantised type that all returns of `function` cast result `index` from;
/// null if there is none.
static Type findResultType(func::FuncOp function, unsigned index) {
  llvm::SetVector<Type> types;
  for (auto op : function.getOps<func::ReturnOp>()) {
    auto cast = getQuantizedCast(op.getOperand(index));
    types.insert(cast ? cast.getOperand(0).getType() : Type());
  }
  return types.size() == 1 ? types.front() : Type();
}

static void convertResults(Callee &callee) {
  func::FuncOp function = callee.function;
  SmallVector<Type> results(function.getResultTypes());
  for (auto [i, result] : llvm::enumerate(results)) {
    Type type = findResultType(function, i);
    if (!type)
      continue;
    for (auto op : function.getOps<func::ReturnOp>()) {
      auto cast = getQuantizedCast(op.getOperand(i));
      op.setOperand(i, cast.getOperand(0));
      if (cast->use_empty())
        cast.erase();
    }
    for (func::CallOp call : callee.calls) {
      Value converted = call.getResult(i);
      converted.setType(type);
      OpBuilder builder(call->getContext());
      builder.setInsertionPointAfter(call);
      Value plain = castTo(result, converted, builder);
      converted.replaceAllUsesExcept(plain, plain.getDefiningOp());
    }
    result = type;
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(), results));
}

/// The quantised type that all users cast `argument` to; null if there is none.
static Type findArgumentType(BlockArgument argument) {
  Type type;
  for (Operation *user : argument.getUsers()) {
    auto cast = dyn_cast<UnrealizedConversionCastOp>(user);
    if (!cast || cast.getNumOperands() != 1 || cast.getNumResults() != 1 ||
        !isa<QuantizedType>(getElementTypeOrSelf(cast.getType(0))) ||
        (type && type != cast.getType(0)))
      return {};
    type = cast.getType(0);
  }
  return type;
}

static void convertArguments(Callee &callee) {
  func::FuncOp function = callee.function;
  for (BlockArgument argument : function.getArguments()) {
    Type type = findArgumentType(argument);
    if (!type)
      continue;
    argument.setType(type);
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
      user->getResult(0).replaceAllUsesWith(argument);
      user->erase();
    }
    for (func::CallOp call : callee.calls) {
      OpOperand &operand = call->getOpOperand(argument.getArgNumber());
      OpBuilder builder(call);
      operand.set(castTo(type, operand.get(), builder));
    }
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.getBody().getArgumentTypes(),
                                     function.getResultTypes()));
}

void raising::convertSignatures(ModuleOp module) {
  module.walk([](func::FuncOp function) { joinCasts(function); });
  // The casts of a callee's arguments are with its callers, which come later.
  for (Callee &callee : CalleeFinder(module).ordered) {
    joinCasts(callee.function);
    convertResults(callee);
    convertArguments(callee);
  }
  module.walk([](func::FuncOp function) { joinCasts(function); });
}
