// SPDX-License-Identifier: Apache-2.0
//
// Operations say in `runs` how often they run.

#include "mli/Analysis/RunCounts.h"

#include "../AllDialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mli;

namespace {
class RunCountsTest : public testing::Test {
protected:
  /// Compares the counts of a function of `body`, with some constants and
  /// arguments that are not known.
  void check(StringRef body) {
    std::string source = (R"(
      func.func @f(%a: index, %b: index, %p: i1) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %c5 = arith.constant 5 : index
        %c10 = arith.constant 10 : index
    )" + body + "return }")
                             .str();
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    Operation &function = module->getBody()->front();
    llvm::DenseMap<Operation *, int64_t> visits;
    RunCounts counts(
        &function, [&](Operation *op, int64_t times) { visits[op] += times; });
    function.walk([&](Operation *op) {
      if (auto runs = op->getAttrOfType<IntegerAttr>("runs")) {
        EXPECT_EQ(counts.of(op), runs.getInt()) << body.str();
        EXPECT_EQ(visits.lookup(op), runs.getInt()) << body.str();
      }
    });
  }

  MLIRContext context{test::allDialects()};
};
} // namespace

TEST_F(RunCountsTest, BodiesRunOnceForEachIteration) {
  check(R"(
    arith.constant {runs = 1} 0 : i8
    scf.for %i = %c0 to %c10 step %c3 {
      arith.constant {runs = 4} 0 : i8
      scf.for %j = %c2 to %c5 step %c1 {
        arith.constant {runs = 12} 0 : i8
      }
      arith.constant {runs = 4} 0 : i8
    }
    arith.constant {runs = 1} 0 : i8
  )");
}

TEST_F(RunCountsTest, LoopsWithoutIterationsDoNotRun) {
  check(R"(
    scf.for %i = %c5 to %c5 step %c1 {
      arith.constant {runs = 0} 0 : i8
    }
    scf.for %i = %c5 to %c2 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        arith.constant {runs = 0} 0 : i8
      }
    }
  )");
}

TEST_F(RunCountsTest, BoundsMayBeOfLoopsAround) {
  // 0 + 1 + 2 + 3 iterations. A condition has these looked at one by one.
  check(R"(
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %i step %c1 {
        %is = arith.cmpi ult, %j, %c10 : index
        scf.if %is {
          arith.constant {runs = 6} 0 : i8
        }
      }
    }
  )");
}

TEST_F(RunCountsTest, UnknownBoundsAreOneIteration) {
  check(R"(
    scf.for %i = %c0 to %a step %c1 {
      arith.constant {runs = 1} 0 : i8
      scf.for %j = %c0 to %c5 step %c1 {
        arith.constant {runs = 5} 0 : i8
      }
    }
    scf.for %i = %c0 to %c5 step %b {
      arith.constant {runs = 1} 0 : i8
    }
    scf.while : () -> () {
      scf.condition(%p)
    } do {
      arith.constant {runs = 1} 0 : i8
      scf.yield
    }
  )");
}

TEST_F(RunCountsTest, ConditionsOnInductionVariablesAreKnown) {
  check(R"(
    scf.for %i = %c0 to %c10 step %c1 {
      %first = arith.cmpi slt, %i, %c3 : index
      scf.if %first {
        arith.constant {runs = 3} 0 : i8
      } else {
        arith.constant {runs = 7} 0 : i8
        %shifted = arith.subi %i, %c3 : index
        %last = arith.cmpi sge, %shifted, %c5 : index
        %both = arith.andi %last, %last : i1
        scf.if %both {
          arith.constant {runs = 2} 0 : i8
        }
      }
    }
  )");
}

TEST_F(RunCountsTest, ConditionsMayBeOfSeveralLoops) {
  // The pairs of 0 to 4 and 0 to 2 of which the first is the greater one.
  check(R"(
    scf.for %i = %c0 to %c5 step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        %is = arith.cmpi sgt, %i, %j : index
        scf.if %is {
          arith.constant {runs = 9} 0 : i8
        } else {
          arith.constant {runs = 6} 0 : i8
        }
      }
    }
  )");
}

TEST_F(RunCountsTest, ConstantConditionsAreKnownOutsideOfLoops) {
  check(R"(
    %true = arith.constant true
    scf.if %true {
      arith.constant {runs = 1} 0 : i8
    } else {
      arith.constant {runs = 0} 0 : i8
    }
  )");
}

TEST_F(RunCountsTest, BothBranchesOfUnknownConditionsRun) {
  check(R"(
    scf.for %i = %c0 to %c4 step %c1 {
      scf.if %p {
        arith.constant {runs = 4} 0 : i8
      } else {
        arith.constant {runs = 4} 0 : i8
        %is = arith.cmpi eq, %i, %c2 : index
        scf.if %is {
          arith.constant {runs = 1} 0 : i8
        }
        %unknown = arith.cmpi eq, %i, %a : index
        scf.if %unknown {
          arith.constant {runs = 4} 0 : i8
        }
      }
    }
  )");
}

TEST_F(RunCountsTest, ConditionsOfLongLoopsAreUnknown) {
  static_assert(RunCounts::maxIterations < 1048577);
  check(R"(
    %many = arith.constant 1048577 : index
    scf.for %i = %c0 to %many step %c1 {
      %is = arith.cmpi eq, %i, %c2 : index
      scf.if %is {
        arith.constant {runs = 1048577} 0 : i8
      } else {
        arith.constant {runs = 1048577} 0 : i8
      }
    }
    scf.for %i = %c0 to %c5 step %c1 {
      %is = arith.cmpi eq, %i, %c2 : index
      scf.if %is {
        arith.constant {runs = 1} 0 : i8
      } else {
        arith.constant {runs = 4} 0 : i8
      }
    }
  )");
}

TEST_F(RunCountsTest, VisitsInOrderIfAskedTo) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @f() {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      scf.for %i = %c0 to %c2 step %c1 {
        arith.constant {letter = "a"} 0 : i8
        scf.for %j = %i to %c3 step %c2 {
          arith.constant {letter = "b"} 0 : i8
        }
        arith.constant {letter = "c"} 0 : i8
      }
      return
    })",
                                                             &context);
  ASSERT_TRUE(module);
  std::string letters;
  RunCounts counts(
      &module->getBody()->front(),
      [&](Operation *op, int64_t times) {
        EXPECT_EQ(times, 1);
        if (auto letter = op->getAttrOfType<StringAttr>("letter"))
          letters += letter.str();
      },
      RunCounts::Loops::InOrder);
  // From 0 and 1 to 3 in steps of 2.
  EXPECT_EQ(letters, "abbcabc");
}

TEST_F(RunCountsTest, LoopsWithoutConditionsMayHaveAnyLength) {
  check(R"(
    %million = arith.constant 1000000 : index
    scf.for %i = %c0 to %million step %c1 {
      scf.for %j = %c0 to %million step %c1 {
        arith.constant {runs = 1000000000000} 0 : i8
      }
    }
  )");
}
