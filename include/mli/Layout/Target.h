// SPDX-License-Identifier: Apache-2.0
//
// The local memory of a target: how many NPUs, how much memory, and what
// alignment layouts and copies need.

#ifndef MLI_LAYOUT_TARGET_H
#define MLI_LAYOUT_TARGET_H

#include "mli/Layout/Violation.h"

#include <string_view>
#include <vector>

namespace mli::layout {

/// The defaults are those of bm1684.
struct Target {
  int64_t npus = 64;
  /// Bytes of local memory in each NPU.
  int64_t npuBytes = 524288;
  /// Banks that the memory of one NPU consists of.
  int64_t banks = 8;
  /// Bytes to which the aligned layout rounds a channel; also divides the
  /// address of a tensor in that layout.
  int64_t unit = 128;
  /// Bytes that divide the local address of a copy.
  int64_t dmaAlignment = 4;

  int64_t totalBytes() const { return npus * npuBytes; }
  bool operator==(const Target &other) const;
  bool operator!=(const Target &other) const { return !(*this == other); }

  struct Field {
    /// The name in options and diagnostics: `npu-bytes`.
    const char *name;
    int64_t Target::*member;
    /// The number is a power of two.
    bool isAlignment;
    /// The bytes of an NPU are a multiple of the number.
    bool dividesBytes;
  };
  /// All numbers of a target, in the order in which they are spelled and
  /// checked. Another one needs an entry here, and one in `mli_local_target`.
  static const Field fields[5];
};

inline constexpr Target::Field Target::fields[] = {
    {"npus", &Target::npus, false, false},
    {"npu-bytes", &Target::npuBytes, false, false},
    {"unit", &Target::unit, true, true},
    {"banks", &Target::banks, false, true},
    {"dma-align", &Target::dmaAlignment, true, true},
};

/// The first rule that a target breaks: all numbers are positive, NPUs
/// are counted by an int, local addresses have 32 bits, unit and DMA alignment
/// are powers of two that divide the memory of an NPU, and so do the banks.
std::optional<Violation> verify(const Target &target);

/// The fewest bytes of an NPU, at least `bytes`, that a target which is else
/// like `target` may have.
int64_t roundUpNpuBytes(int64_t bytes, const Target &target);

/// A preset, by name or with overrides: `vpx`, `vpx,npu-bytes=65536`, or all of
/// `custom,npus=4,npu-bytes=16384,unit=128,banks=1,dma-align=4`, where custom
/// starts as one NPU of one bank, a unit of 128 and a DMA alignment of 4.
/// Nothing, and the reason in `error`, if it does not parse or breaks a rule of
/// `verify`.
std::optional<Target> parseTarget(std::string_view text, std::string &error);

/// The text that `parseTarget` reads back: the name of a preset, or custom with
/// all numbers.
std::string toString(const Target &target);

/// `target` as custom with all numbers, preset or not.
std::string toCustomText(const Target &target);

/// The names that `parseTarget` knows, without custom.
std::vector<std::string_view> presetNames();

} // namespace mli::layout

#endif // MLI_LAYOUT_TARGET_H
