// SPDX-License-Identifier: Apache-2.0
//
// Which tensors mli-bufferize knows to be one buffer: how conditions and loops
// hand a tensor on, and each reason for which it is the last one.

#include "DestinationChains.h"

using namespace mlir;
using namespace mli;
using namespace mli::test;

namespace {

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

TEST_F(DestinationChains, Condition) {
  expectLast(Twine(computed) + R"(
    %b = scf.if %c -> !t {
      %d = mli.mov ins(%in : !t) outs(%a : !t) -> !t
      %f = mli.eltwise_add ins(%d, %in : !t, !t) outs(%d : !t) -> !t
      scf.yield %f : !t
    } else {
      scf.yield %a : !t
    } {last = 0}
  )");
}

TEST_F(DestinationChains, ConditionReads) {
  expectLast(Twine(computed) + R"(
    %x = tensor.empty() : !t
    %b:2 = scf.if %c -> (!t, !t) {
      %r = mli.mov ins(%a : !t) outs(%x : !t) -> !t
      %d = mli.mov ins(%in : !t) outs(%a : !t) -> !t
      scf.yield %r, %d : !t, !t
    } else {
      %r = mli.mov ins(%a : !t) outs(%x : !t) -> !t
      scf.yield %r, %a : !t, !t
    } {last = 1}
  )");
}

TEST_F(DestinationChains, ConditionReadsWhatItHasOverwritten) {
  expectLast(Twine(computedLast) + R"(
    %x = tensor.empty() : !t
    %b:2 = scf.if %c -> (!t, !t) {
      %d = mli.mov ins(%in : !t) outs(%a : !t) -> !t
      %r = mli.mov ins(%a : !t) outs(%x : !t) -> !t
      scf.yield %r, %d : !t, !t
    } else {
      scf.yield %x, %a : !t, !t
    }
  )");
}

TEST_F(DestinationChains, ReadAfterTheCondition) {
  expectLast(Twine(computedLast) + R"(
    %b = scf.if %c -> !t {
      %d = mli.mov ins(%in : !t) outs(%a : !t) -> !t
      scf.yield %d : !t
    } else {
      scf.yield %a : !t
    }
    %x = tensor.empty() : !t
    %r = mli.mov ins(%a : !t) outs(%x : !t) -> !t
  )");
}

TEST_F(DestinationChains, NestedConditions) {
  expectLast(Twine(computed) + R"(
    %b = scf.if %c -> !t {
      %d = scf.if %c -> !t {
        scf.yield %a : !t
      } else {
        %f = mli.mov ins(%in : !t) outs(%a : !t) -> !t
        scf.yield %f : !t
      }
      scf.yield %d : !t
    } else {
      scf.yield %a : !t
    } {last = 0}
  )");
}

TEST_F(DestinationChains, BranchYieldsAnotherTensor) {
  expectLast(Twine(computedLast) + R"(
    %b = scf.if %c -> !t {
      %d = mli.mov ins(%in : !t) outs(%a : !t) -> !t
      scf.yield %d : !t
    } else {
      scf.yield %in : !t
    }
  )");
}

TEST_F(DestinationChains, BranchYieldsATensorBeforeTheLastOne) {
  expectLast(Twine(computedLast) + R"(
    %b = scf.if %c -> !t {
      %d = mli.mov ins(%in : !t) outs(%a : !t) -> !t
      scf.yield %a : !t
    } else {
      scf.yield %a : !t
    }
  )");
}

TEST_F(DestinationChains, BranchesYieldDifferentResults) {
  expectLast(Twine(computedLast) + R"(
    %b:2 = scf.if %c -> (!t, !t) {
      scf.yield %in, %a : !t, !t
    } else {
      scf.yield %a, %in : !t, !t
    }
  )");
}

TEST_F(DestinationChains, BranchYieldsTheTensorTwice) {
  expectLast(Twine(computedLast) + R"(
    %b:2 = scf.if %c -> (!t, !t) {
      scf.yield %a, %a : !t, !t
    } else {
      scf.yield %a, %in : !t, !t
    }
  )");
}

TEST_F(DestinationChains, ConditionOfOneBranch) {
  expectLast(Twine(computedLast) + R"(
    scf.if %c {
      %d = mli.mov ins(%in : !t) outs(%a : !t) -> !t
    }
  )");
}

// The other branch does not know the tensor.
TEST_F(DestinationChains, BeginsInABranch) {
  DestinationChain chain = follow(R"(
    %b = scf.if %c -> !t {
      %e = tensor.empty() {first} : !t
      scf.yield %e : !t
    } else {
      scf.yield %in : !t
    }
  )");
  EXPECT_TRUE(chain.isOnlyFirst());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

TEST_F(DestinationChains, Loop) {
  expectLast(Twine(computed) + R"(
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> !t {
      %d = mli.eltwise_add ins(%t, %in : !t, !t) outs(%t : !t) -> !t
      %f = mli.mov ins(%row : !row) outs(%d : !t) {dst_offsets = array<i64: 1, 0>} -> !t
      scf.yield %f : !t
    } {last = 0}
  )");
}

TEST_F(DestinationChains, LoopOnlyReads) {
  expectLast(Twine(computed) + R"(
    %x = tensor.empty() : !t
    %b:2 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %x, %t = %a) -> (!t, !t) {
      %d = mli.eltwise_add ins(%t, %o : !t, !t) outs(%o : !t) -> !t
      scf.yield %d, %t : !t, !t
    } {last = 1}
  )");
}

TEST_F(DestinationChains, NestedLoopsAndInsertions) {
  expectLast(Twine(computed) + R"(
    %f = scf.for %i = %c0 to %n step %c1 iter_args(%o = %a) -> !t {
      %g = scf.for %j = %c0 to %n step %c1 iter_args(%a2 = %o) -> !t {
        %s = tensor.extract_slice %a2[%j, 0] [1, 4] [1, 1] : !t to !row
        %k = mli.relu ins(%row : !row) outs(%s : !row) {relu = #mli.relu<gen>} -> !row
        %b = tensor.insert_slice %k into %a2[%j, 0] [1, 4] [1, 1] : !row into !t
        scf.yield %b : !t
      }
      scf.yield %g : !t
    } {last = 0}
  )");
}

TEST_F(DestinationChains, LoopYieldsAnotherTensor) {
  expectLast(Twine(computedLast) + R"(
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> !t {
      %d = mli.mov ins(%in : !t) outs(%t : !t) -> !t
      scf.yield %in : !t
    }
  )");
}

TEST_F(DestinationChains, LoopYieldsInAnotherPlace) {
  expectLast(Twine(computedLast) + R"(
    %b:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %o = %in) -> (!t, !t) {
      scf.yield %o, %t : !t, !t
    }
  )");
}

TEST_F(DestinationChains, LoopReadsTheArgumentTooLate) {
  expectLast(Twine(computedLast) + R"(
    %x = tensor.empty() : !t
    %b:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %o = %x) -> (!t, !t) {
      %d = mli.mov ins(%in : !t) outs(%t : !t) -> !t
      %f = mli.mov ins(%t : !t) outs(%o : !t) -> !t
      scf.yield %d, %f : !t, !t
    }
  )");
}

// Later iterations would find another tensor in the buffer.
TEST_F(DestinationChains, LoopReadsTheInitialTensor) {
  expectLast(Twine(computedLast) + R"(
    %b = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> !t {
      %d = mli.eltwise_add ins(%a, %t : !t, !t) outs(%t : !t) -> !t
      scf.yield %d : !t
    }
  )");
}

TEST_F(DestinationChains, LoopTakesTheTensorTwice) {
  expectLast(Twine(computedLast) + R"(
    %b:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %o = %a) -> (!t, !t) {
      scf.yield %t, %o : !t, !t
    }
  )");
}

} // namespace
