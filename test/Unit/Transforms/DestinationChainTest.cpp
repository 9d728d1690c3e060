// SPDX-License-Identifier: Apache-2.0
//
// Which tensors mli-bufferize knows to be one buffer: how kernels and
// insertions hand a tensor on, and each reason for which it is the last one.

#include "DestinationChains.h"

using namespace mlir;
using namespace mli;
using namespace mli::test;

namespace {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

TEST_F(DestinationChains, Kernels) {
  expectLast(Twine(computed) + R"(
    %b = mli.mov ins(%row : !row) outs(%a : !t) {dst_offsets = array<i64: 1, 0>} -> !t
    %c2 = mli.eltwise_add ins(%in, %in : !t, !t) outs(%b : !t) {last = 0} -> !t
  )");
}

TEST_F(DestinationChains, ReadsBeforeTheNextKernel) {
  expectLast(Twine(computed) + R"(
    %x = tensor.empty() : !t
    %y = mli.mov ins(%a : !t) outs(%x : !t) -> !t
    %s = mli.subtensor %a[2, 0] [1, 4] : !t to !row
    %z = mli.mov ins(%s : !row) outs(%x : !t) {dst_offsets = array<i64: 1, 0>} -> !t
    scf.if %c {
      %w = mli.mov ins(%a : !t) outs(%x : !t) -> !t
    }
    %b = mli.mov ins(%in : !t) outs(%a : !t) {last = 0} -> !t
  )");
}

TEST_F(DestinationChains, ReadAfterTheNextKernel) {
  expectLast(Twine(computedLast) + R"(
    %b = mli.mov ins(%in : !t) outs(%a : !t) -> !t
    %x = tensor.empty() : !t
    %y = mli.mov ins(%a : !t) outs(%x : !t) -> !t
  )");
}

TEST_F(DestinationChains, SliceReadAfterTheNextKernel) {
  expectLast(Twine(computedLast) + R"(
    %s = tensor.extract_slice %a[2, 0] [1, 4] [1, 1] : !t to !row
    %b = mli.mov ins(%in : !t) outs(%a : !t) -> !t
    %x = tensor.empty() : !t
    %y = mli.mov ins(%s : !row) outs(%x : !t) {dst_offsets = array<i64: 1, 0>} -> !t
  )");
}

// argmax walks memory as one row, which such a slice of the buffer is not.
TEST_F(DestinationChains, SliceOfOtherStridesThanTheKernelTakes) {
  auto getText = [](StringRef type, StringRef sizes, StringRef begin) {
    return (begin + "%s = mli.subtensor %a[0, 0] " + sizes + " : !t to " +
            type +
            "\n%p = tensor.empty() : !position\n"
            "%q = mli.argmax ins(%s : " +
            type +
            ") outs(%p : !position) {axis = -1 : i32, topk = 1 : i32} -> "
            "!position\n"
            "%b = mli.mov ins(%in : !t) outs(%a : !t) " +
            (begin == computed ? "{last = 0}" : "") + " -> !t\n")
        .str();
  };
  expectLast(getText("!row", "[1, 4]", computed));
  expectLast(getText("!left", "[4, 1]", computedLast));
}

TEST_F(DestinationChains, KernelInPlace) {
  expectLast(Twine(computed) + R"(
    %b = mli.eltwise_add ins(%a, %a : !t, !t) outs(%a : !t) {last = 0} -> !t
  )");
  expectLast(Twine(computedLast) + R"(
    %b = mli.permute ins(%a : !t) outs(%a : !t) permutation [1, 0] -> !t
  )");
}

TEST_F(DestinationChains, TwoKernels) {
  expectLast(Twine(computedLast) + R"(
    %b = mli.mov ins(%in : !t) outs(%a : !t) -> !t
    %d = mli.mov ins(%in : !t) outs(%a : !t) -> !t
  )");
}

TEST_F(DestinationChains, OtherUse) {
  expectLast(Twine(computedLast) + R"(
    %d = tensor.cast %a : !t to tensor<?x4x!mli.sa8<1:4:0>>
    %b = mli.mov ins(%in : !t) outs(%a : !t) -> !t
  )");
}

TEST_F(DestinationChains, KernelInARegion) {
  expectLast(Twine(computedLast) + R"(
    scf.for %i = %c0 to %n step %c1 {
      %b = mli.mov ins(%in : !t) outs(%a : !t) -> !t
    }
  )");
}

TEST_F(DestinationChains, NoDestination) {
  DestinationChain chain =
      follow("%e = tensor.empty() {first} : !t\n"
             "%d = tensor.cast %e : !t to tensor<?x4x!mli.sa8<1:4:0>>\n");
  EXPECT_TRUE(chain.isOnlyFirst());
}

//===----------------------------------------------------------------------===//
// Insertions
//===----------------------------------------------------------------------===//

/// A row that a kernel computes and inserts: the slice that it computes into,
/// the input of the kernel, what it is inserted into, and where.
std::string insert(StringRef slice, StringRef input, StringRef into,
                   StringRef attributes = "") {
  return (slice + "\n%k = mli.relu ins(" + input +
          " : !row) outs(%s : !row) {relu = #mli.relu<gen>} -> !row\n"
          "%b = tensor.insert_slice %k into " +
          into + " [1, 4] [1, 1] " + attributes + " : !row into !t\n")
      .str();
}

constexpr const char *extract =
    "%s = tensor.extract_slice %a[1, 0] [1, 4] [1, 1] : !t to !row";
constexpr const char *subtensor =
    "%s = mli.subtensor %a[1, 0] [1, 4] : !t to !row";

TEST_F(DestinationChains, Insertion) {
  for (StringRef slice : {extract, subtensor})
    expectLast(computed + insert(slice, "%row", "%a[1, 0]", "{last = 0}"));
}

TEST_F(DestinationChains, InsertionElsewhere) {
  expectLast(computedLast + insert(extract, "%row", "%a[2, 0]"));
}

TEST_F(DestinationChains, InsertionIntoAnotherTensor) {
  expectLast(computedLast + insert(extract, "%row", "%in[1, 0]"));
}

TEST_F(DestinationChains, InsertionOfWhatNoKernelComputes) {
  expectLast(Twine(computedLast) +
             "%b = tensor.insert_slice %row into %a[1, 0] [1, 4] [1, 1] : !row "
             "into !t\n");
}

// The kernel reads its destination in place, which is a second use of it.
TEST_F(DestinationChains, SliceUsedTwice) {
  expectLast(computedLast + insert(extract, "%s", "%a[1, 0]"));
}

TEST_F(DestinationChains, InsertedRowUsedTwice) {
  expectLast(computedLast + insert(extract, "%row", "%a[1, 0]") +
             "%x = tensor.empty() : !row\n"
             "%y = mli.mov ins(%k : !row) outs(%x : !row) -> !row\n");
}

// The kernel writes the row before the insertion.
TEST_F(DestinationChains, ReadBeforeTheInsertionOnly) {
  std::string readsAfterSlice = insert(
      std::string(extract) + "\n%x = tensor.empty() : !t\n"
                             "%y = mli.mov ins(%a : !t) outs(%x : !t) -> !t",
      "%row", "%a[1, 0]");
  expectLast(computedLast + readsAfterSlice);
  std::string readsBeforeSlice =
      insert("%x = tensor.empty() : !t\n"
             "%y = mli.mov ins(%a : !t) outs(%x : !t) -> !t\n" +
                 std::string(extract),
             "%row", "%a[1, 0]", "{last = 0}");
  expectLast(computed + readsBeforeSlice);
}

} // namespace
