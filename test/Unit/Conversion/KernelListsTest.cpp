// SPDX-License-Identifier: Apache-2.0
//
// Every operation of the dialect is in the lists by which others find it.

#include "../AllDialects.h"

#include "Conversion/MLIToLLVM/IndexBounds.h"
#include "Conversion/MLIToLLVM/KernelCalls.h"
#include "Conversion/MLIToLLVM/ModuleSymbols.h"

#include "mli/Contract/Kernels.h"
#include "mli/IR/MLI.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

class KernelListsTest : public testing::Test {
protected:
  KernelListsTest() : context(test::allDialects()) {
    context.loadDialect<MLIDialect>();
  }

  /// The operations for which `isMissing` holds, without their dialect.
  std::vector<std::string>
  listIf(llvm::function_ref<bool(RegisteredOperationName)> isMissing) {
    std::vector<std::string> names;
    for (RegisteredOperationName op : context.getRegisteredOperations())
      if (op.getDialectNamespace() == "mli" && isMissing(op))
        names.push_back(op.stripDialect().str());
    return names;
  }

  static bool isKernel(RegisteredOperationName op) {
    return op.hasInterface<KernelOpInterface>();
  }

  MLIRContext context;
};

} // namespace

// The other tests look at all of them.
TEST_F(KernelListsTest, KernelsAreFound) {
  EXPECT_GE(listIf(isKernel).size(), contract::familyCount);
}

// lib/Transforms/Bufferization/BufferizableOps.cpp
TEST_F(KernelListsTest, EveryDestinationBufferizes) {
  EXPECT_THAT(
      listIf([](RegisteredOperationName op) {
        return op.hasInterface<DestinationStyleOpInterface>() &&
               !op.hasInterface<bufferization::BufferizableOpInterface>();
      }),
      IsEmpty());
}

// lib/Transforms/Tiling/TileableOps.cpp
TEST_F(KernelListsTest, EveryKernelTiles) {
  EXPECT_THAT(listIf([](RegisteredOperationName op) {
                return isKernel(op) && !op.hasInterface<TilingInterface>();
              }),
              IsEmpty());
}

// The end of each file of calls in lib/Conversion
TEST_F(KernelListsTest, EveryOperationIsLowered) {
  LLVMTypeConverter converter(&context);
  CallSymbols symbols(/*reports=*/true);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ProvenOffsets proven(*module);
  RewritePatternSet patterns(&context);
  populateKernelCallPatterns(converter, symbols, patterns);
  populateQueryCallPatterns(converter, symbols, patterns);
  populateViewPatterns(converter, symbols, proven, patterns);
  populateMovCallPattern(converter, symbols, patterns);
  populateAdvancePattern(converter, symbols, patterns);
  auto isLowered = [&](RegisteredOperationName op) {
    return llvm::any_of(patterns.getNativePatterns(), [&](const auto &pattern) {
      std::optional<TypeID> interface = pattern->getRootInterfaceID();
      return pattern->getRootKind() == OperationName(op) ||
             (interface && op.hasInterface(*interface));
    });
  };
  // Sizes of elements are folded, and what runs in parallel is taken apart
  // before.
  EXPECT_THAT(
      listIf([&](RegisteredOperationName op) { return !isLowered(op); }),
      UnorderedElementsAre("element_size", "parallel", "parallel_end"));
}
