// SPDX-License-Identifier: Apache-2.0

#include "Transforms/TileSelection/TileSearch.h"

#include <gtest/gtest.h>

using namespace mli::tiling;

namespace {

TEST(TileSearch, FindsTheFirstFromAnyGuess) {
  for (size_t count = 0; count < 40; ++count)
    for (size_t first = 0; first <= count; ++first)
      for (size_t guess = 0; guess < std::max<size_t>(count, 1); ++guess) {
        SCOPED_TRACE(std::to_string(first) + " of " + std::to_string(count) +
                     " from " + std::to_string(guess));
        EXPECT_EQ(findFirst(count, guess,
                            [&](size_t number) {
                              EXPECT_LT(number, count);
                              return number >= first;
                            }),
                  first);
      }
}

TEST(TileSearch, LooksAtTwoBesideAGoodGuess) {
  constexpr size_t count = 1000, first = 500;
  int looks = 0;
  auto fits = [&](size_t number) {
    ++looks;
    return number >= first;
  };
  EXPECT_EQ(findFirst(count, first, fits), first);
  EXPECT_EQ(looks, 2);
  EXPECT_EQ(findFirst(count, 0, fits), first);
  EXPECT_LT(looks, 2 + 20);
}

} // namespace
