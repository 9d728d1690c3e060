// SPDX-License-Identifier: Apache-2.0
//
// Steps that run others: loops, conditions and calls.

#include "Writer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <utility>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

/// How deep control flow is at most.
static constexpr unsigned mostDepth = 3;

/// `number`, which folding sees or does not.
static Value hide(Writer &w, int64_t number) {
  if (w.random.chance(70))
    return w.index(number);
  return arith::MulIOp::create(w.builder, w.loc, w.one(), w.index(number));
}

static void addSteps(Writer &w, int64_t most) {
  for (int64_t i = w.random.pick(1, most); i > 0; --i)
    w.addStep();
}

/// A value of `type`: the last one that is there, which there is.
static Value last(Writer &w, Type type) {
  for (Value value : llvm::reverse(w.values))
    if (value.getType() == type)
      return value;
  return {};
}

/// A loop of few rounds, or none, each of which gets what the last one had.
bool fuzz::makeLoop(Writer &w) {
  if (w.depth >= mostDepth)
    return false;
  SmallVector<Value> inits = {w.any()};
  if (w.random.chance(25))
    inits.push_back(w.any());
  int64_t begin = w.random.pick(0, 2), step = w.random.pick(1, 2);
  Value from = hide(w, begin), to = hide(w, begin + w.random.pick(0, 4)),
        by = hide(w, step);
  auto loop = scf::ForOp::create(w.builder, w.loc, from, to, by, inits);
  w.inBlock(loop.getBody(), [&] {
    for (Value carried : loop.getRegionIterArgs())
      w.add(carried);
    addSteps(w, 3);
    SmallVector<Value> yielded;
    for (Value init : inits)
      yielded.push_back(last(w, init.getType()));
    scf::YieldOp::create(w.builder, w.loc, yielded);
  });
  for (Value result : loop.getResults())
    w.add(result);
  return true;
}

/// Loops of one round in each other, a few of which have two, that hand a value
/// on to the innermost: as deep as the compiler takes, and now and then deeper.
bool fuzz::makeDeepLoops(Writer &w) {
  if (w.depth > 0)
    return false;
  Value carried = w.find([](RankedTensorType type) {
    auto quantized = dyn_cast<QuantizedType>(type.getElementType());
    return isa<Fx8Type, Fx16Type, Sa8Type>(type.getElementType()) &&
           !quantized.isPerAxis() && type.getNumElements() < 100;
  });
  if (!carried)
    return false;
  Type type = carried.getType();
  int64_t levels =
      w.random.chance(85) ? w.random.pick(4, 10) : w.random.pick(11, 40);
  // A number that folding does not see, or the loops would be gone.
  Value one = w.one();
  SmallVector<scf::ForOp> loops;
  for (int64_t i = 0, doubled = 0; i < levels; ++i) {
    bool isDoubled = doubled < 3 && w.random.chance(20);
    doubled += isDoubled ? 1 : 0;
    loops.push_back(scf::ForOp::create(
        w.builder, w.loc, w.index(isDoubled ? -1 : 0), one, w.index(1),
        ValueRange{loops.empty() ? carried
                                 : loops.back().getRegionIterArg(0)}));
    w.builder.setInsertionPointToStart(loops.back().getBody());
  }
  w.inBlock(loops.back().getBody(), [&] {
    w.add(loops.back().getRegionIterArg(0));
    unsigned depth = std::exchange(w.depth, mostDepth);
    addSteps(w, 2);
    w.depth = depth;
    scf::YieldOp::create(w.builder, w.loc, last(w, type));
  });
  for (size_t i = loops.size() - 1; i > 0; --i) {
    w.builder.setInsertionPointToEnd(loops[i - 1].getBody());
    scf::YieldOp::create(w.builder, w.loc, loops[i].getResult(0));
  }
  w.builder.setInsertionPointAfter(loops.front());
  w.add(loops.front().getResult(0));
  return true;
}

/// The slices of a value one after the other, computed into another one.
bool fuzz::makeTiledLoop(Writer &w) {
  if (w.depth >= mostDepth)
    return false;
  Value source = w.find(
      [](RankedTensorType type) { return isMap(type) && type.getRank() > 0; });
  if (!source)
    return false;
  RankedTensorType type = typeOf(source);
  int64_t dim = w.random.pick(0, type.getRank() - 1);
  int64_t extent = type.getDimSize(dim);
  SmallVector<int64_t> divisors;
  for (int64_t i = 1; i <= extent; ++i)
    if (extent % i == 0)
      divisors.push_back(i);
  int64_t size = w.random.pick(ArrayRef<int64_t>(divisors));
  Value whole = w.find([&](RankedTensorType other) { return other == type; });
  if (w.random.chance(40))
    whole = tensor::EmptyOp::create(w.builder, w.loc, type.getShape(),
                                    type.getElementType());
  auto loop = scf::ForOp::create(w.builder, w.loc, hide(w, 0), hide(w, extent),
                                 hide(w, size), ValueRange{whole});
  w.inBlock(loop.getBody(), [&] {
    OpFoldResult zero = w.builder.getIndexAttr(0),
                 one = w.builder.getIndexAttr(1);
    SmallVector<OpFoldResult> offsets(type.getRank(), zero),
        steps(type.getRank(), one),
        sizes = getAsIndexOpFoldResult(w.builder.getContext(), type.getShape());
    SmallVector<int64_t> shape(type.getShape());
    offsets[dim] = loop.getInductionVar();
    sizes[dim] = w.builder.getIndexAttr(size);
    shape[dim] = size;
    RankedTensorType part = w.getType(shape, type.getElementType());
    auto take = [&](Value value) {
      return w.add(tensor::ExtractSliceOp::create(w.builder, w.loc, part, value,
                                                  offsets, sizes, steps));
    };
    take(source);
    if (w.random.chance(50))
      addSteps(w, 2);
    else
      w.kernel("relu", {last(w, part)}, part,
               w.attribute("relu", ReluKindAttr::get(w.builder.getContext(),
                                                     ReluKind::gen)));
    Value next = tensor::InsertSliceOp::create(w.builder, w.loc, last(w, part),
                                               loop.getRegionIterArg(0),
                                               offsets, sizes, steps);
    scf::YieldOp::create(w.builder, w.loc, next);
  });
  w.add(loop.getResult(0));
  return true;
}

bool fuzz::makeBranch(Writer &w) {
  if (w.depth >= mostDepth)
    return false;
  Value like = w.any();
  Type type = like.getType();
  Value condition =
      arith::CmpIOp::create(w.builder, w.loc, arith::CmpIPredicate::eq,
                            hide(w, w.random.pick(1, 2)), w.index(1));
  auto branch = scf::IfOp::create(w.builder, w.loc, TypeRange{type}, condition,
                                  /*withElseRegion=*/true);
  for (Block *block : {branch.thenBlock(), branch.elseBlock()})
    w.inBlock(block, [&] {
      if (w.random.chance(75))
        addSteps(w, 2);
      scf::YieldOp::create(w.builder, w.loc, last(w, type));
    });
  w.add(branch.getResult(0));
  return true;
}

bool fuzz::makeFunctionCall(Writer &w) {
  SmallVector<Value> operands = {w.any()};
  if (w.random.chance(50))
    operands.push_back(w.any());
  std::string name =
      "f" + std::to_string(llvm::range_size(w.module->getOps<func::FuncOp>()));
  for (Value result : w.call(name, operands, [&] { addSteps(w, 3); }))
    w.add(result);
  return true;
}
