// SPDX-License-Identifier: Apache-2.0
//
// The types of pass options, and the values that command lines spell.

#ifndef MLI_TRANSFORMS_OPTIONS_H
#define MLI_TRANSFORMS_OPTIONS_H

#include "mli/Allocation/Problem.h"
#include "mli/IR/ComputingModes.h"
#include "mli/Layout/TensorLayout.h"

#include "llvm/Support/CommandLine.h"

#include <cassert>
#include <limits>
#include <optional>

namespace mli {

/// An integer in [min, max]. A command line that gives another is rejected.
template <int64_t min, int64_t max = std::numeric_limits<int64_t>::max()>
class Bounded {
public:
  Bounded(int64_t value = min) : value(value) {
    assert(contains(value) && "expected an option within its bounds");
  }
  operator int64_t() const { return value; }

  static bool contains(int64_t value) { return value >= min && value <= max; }

private:
  int64_t value;
};

using ThreadCount = Bounded<1, std::numeric_limits<int32_t>::max()>;

/// An option that limits the bytes of the arena: not at all, to a number, or to
/// as few as there are.
class ArenaLimit {
public:
  ArenaLimit() = default;
  static ArenaLimit atMost(int64_t bytes) { return {Kind::Bytes, bytes}; }
  static ArenaLimit least() { return {Kind::Least, 0}; }
  /// Nothing if `text` is none of `min`, `none` and a number that the planner
  /// of addresses takes.
  static std::optional<ArenaLimit> parse(llvm::StringRef text) {
    int64_t bytes;
    if (text == "none")
      return ArenaLimit();
    if (text == "min")
      return least();
    if (text.getAsInteger(10, bytes) || bytes < 1 ||
        bytes > allocation::maxBytes)
      return std::nullopt;
    return atMost(bytes);
  }

  /// Whether there is a limit.
  explicit operator bool() const { return kind != Kind::None; }
  /// The number; nothing if it is none.
  std::optional<int64_t> getBytes() const {
    return kind == Kind::Bytes ? std::optional(bytes) : std::nullopt;
  }

  friend llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                       const ArenaLimit &limit) {
    if (limit.kind == Kind::Bytes)
      return os << limit.bytes;
    return os << (limit.kind == Kind::Least ? "min" : "none");
  }

private:
  enum class Kind { None, Least, Bytes };
  ArenaLimit(Kind kind, int64_t bytes) : kind(kind), bytes(bytes) {}

  Kind kind = Kind::None;
  int64_t bytes = 0;
};

/// The values of an option that is a `RoundingMode`, without `Unset`.
inline llvm::cl::ValuesClass roundingModeValues() {
  return llvm::cl::values(
      clEnumValN(RoundingMode::Up, "up", "To the greater number, the default"),
      clEnumValN(RoundingMode::Convergent, "convergent",
                 "To the even one: libraries for EM and HS cores"));
}

/// The values of an option that is an `AccumulationMode`, without `Unset`.
inline llvm::cl::ValuesClass accumulationModeValues() {
  return llvm::cl::values(
      clEnumValN(AccumulationMode::Narrow, "narrow",
                 "Products through 16 bits, averages by 8 bits: the default"),
      clEnumValN(AccumulationMode::FullProducts, "full-products",
                 "Products with all bits"),
      clEnumValN(AccumulationMode::FullAverages, "full-averages",
                 "Averages with multipliers of 16 bits"),
      clEnumValN(AccumulationMode::Full, "full", "Both"));
}

/// The order of weights in packed layers. Every processor runs each of them.
enum class PackOrder { None, Best, Pairs, Quads };

/// The values of an option that is a `PackOrder`.
inline llvm::cl::ValuesClass packOrderValues() {
  return llvm::cl::values(
      clEnumValN(PackOrder::None, "none",
                 "Not packed: for libraries with the MLI 2.0 API only"),
      clEnumValN(PackOrder::Best, "best",
                 "As this processor runs them fastest"),
      clEnumValN(PackOrder::Pairs, "pairs",
                 "For processors without VNNI, FEAT_I8MM or FEAT_DotProd"),
      clEnumValN(PackOrder::Quads, "quads",
                 "For processors with VNNI, FEAT_I8MM or FEAT_DotProd"));
}

/// Whether data moves between system and local memory while kernels compute.
/// `Unset` does where the file of `overrides` gives an overlap.
enum class DoubleBuffering { Unset, Off, Auto, On };

/// The values of an option that is a `DoubleBuffering`, without `Unset`.
inline llvm::cl::ValuesClass doubleBufferingValues() {
  return llvm::cl::values(
      clEnumValN(DoubleBuffering::Off, "off", "Nowhere"),
      clEnumValN(DoubleBuffering::Auto, "auto", "Where that costs less"),
      clEnumValN(DoubleBuffering::On, "on", "Wherever it is correct"));
}

/// The values of an option that is the storage mode of feature maps.
inline llvm::cl::ValuesClass mapModeValues() {
  using layout::Mode;
  return llvm::cl::values(
      clEnumValN(Mode::None, layout::toString(Mode::None),
                 "One image in each word"),
      clEnumValN(Mode::FourN, layout::toString(Mode::FourN),
                 "Four images of 8-bit elements in each word"),
      clEnumValN(Mode::TwoN, layout::toString(Mode::TwoN),
                 "Two images of 16-bit elements in each word"));
}

/// The form and the memories of what mli-print-memory-map prints.
enum class MapFormat { Text, Json, Svg, Html };
enum class MapSpace { All, System, Local };

} // namespace mli

namespace llvm::cl {

template <int64_t min, int64_t max>
class parser<mli::Bounded<min, max>>
    : public basic_parser<mli::Bounded<min, max>> {
  using Number = mli::Bounded<min, max>;

public:
  using basic_parser<Number>::basic_parser;

  /// Prints an error and returns true if `text` is no integer in the bounds.
  bool parse(Option &option, StringRef name, StringRef text, Number &number) {
    int64_t value;
    if (parser<int64_t>(option).parse(option, name, text, value))
      return true;
    if (!Number::contains(value))
      return option.error("expected a number in [" + Twine(min) + ", " +
                              (max == std::numeric_limits<int64_t>::max()
                                   ? "inf)"
                                   : std::to_string(max) + "]") +
                              ", but got " + text,
                          name);
    number = value;
    return false;
  }
  void printOptionDiff(const Option &option, Number value,
                       const OptionValue<Number> & /*initial*/,
                       size_t width) const {
    this->printOptionName(option, width);
    outs() << "= " << int64_t(value) << "\n";
  }
};

template <>
class parser<mli::ArenaLimit> : public basic_parser<mli::ArenaLimit> {
public:
  using basic_parser<mli::ArenaLimit>::basic_parser;

  /// Prints an error and returns true if `text` is no limit.
  bool parse(Option &option, StringRef name, StringRef text,
             mli::ArenaLimit &limit) {
    std::optional<mli::ArenaLimit> parsed = mli::ArenaLimit::parse(text);
    // ST7
    if (!parsed)
      return option.error("expected a number of bytes from 1 to 2^60, or min, "
                          "but got '" +
                              text + "'",
                          name);
    limit = *parsed;
    return false;
  }
  void printOptionDiff(const Option &option, const mli::ArenaLimit &value,
                       const OptionValue<mli::ArenaLimit> & /*initial*/,
                       size_t width) const {
    this->printOptionName(option, width);
    outs() << "= " << value << "\n";
  }
};

} // namespace llvm::cl

#endif // MLI_TRANSFORMS_OPTIONS_H
