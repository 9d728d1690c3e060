// SPDX-License-Identifier: Apache-2.0
//
// What modules share: the variants of an opponent as classes, behind
// the interface in C.

#ifndef MLI_TOOLS_MLI_BENCH_OPPONENTS_MODULE_H
#define MLI_TOOLS_MLI_BENCH_OPPONENTS_MODULE_H

#include "Opponent.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace mli::opponents {

/// A layer, and what is asked of it most.
struct LayerView : mli_bench_layer {
  explicit LayerView(const mli_bench_layer &layer) : mli_bench_layer(layer) {}

  bool is(const char *name) const { return std::strcmp(kind, name) == 0; }
  bool isDepthwise() const { return is("dw"); }
  bool hasWeights() const { return is("conv") || is("dw") || is("fc"); }
  bool hasPadding() const {
    return pad_top != 0 || pad_bottom != 0 || pad_left != 0 || pad_right != 0;
  }
  /// Whether it is a product of a matrix of pixels and one of weights.
  bool isProduct() const {
    return is("fc") ||
           (is("conv") && kernel_height == 1 && kernel_width == 1 &&
            stride_height == 1 && stride_width == 1 && !hasPadding());
  }
  /// Whether one window has all pixels, as global pools have it.
  bool isGlobal() const {
    return out_height == 1 && out_width == 1 && kernel_height == height &&
           kernel_width == width && !hasPadding();
  }
  /// Products of one sum.
  size_t products() const {
    return static_cast<size_t>(kernel_height) * kernel_width *
           (isDepthwise() ? 1 : inputs);
  }
  int32_t pixels() const { return height * width; }
  size_t inputCount() const { return static_cast<size_t>(pixels()) * inputs; }
  size_t outputCount() const {
    return static_cast<size_t>(out_height) * out_width * outputs;
  }
};

/// Memory that begins at a multiple of 64 bytes, and goes on for 256 more than
/// were asked for: libraries may read and write some.
class Memory {
public:
  explicit Memory(size_t bytes = 0) : bytes(bytes + 64 + 256) {}
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  void *data() {
    size_t misaligned = reinterpret_cast<uintptr_t>(bytes.data()) % 64;
    return bytes.data() + (64 - misaligned) % 64;
  }
  void resize(size_t size) { bytes.resize(size + 64 + 256); }

private:
  std::vector<char> bytes;
};

/// Codes of a map: signed, or 128 higher.
class Codes {
public:
  Codes(size_t count, bool isUnsigned)
      : count(count), isUnsigned(isUnsigned), memory(count) {}
  Codes(const int8_t *codes, size_t count, bool isUnsigned)
      : Codes(count, isUnsigned) {
    copy(codes, data());
  }

  int8_t *data() { return static_cast<int8_t *>(memory.data()); }
  /// Writes them as signed ones.
  void read(int8_t *codes) { copy(data(), codes); }

private:
  void copy(const int8_t *from, int8_t *to) const {
    for (size_t i = 0; i < count; ++i)
      to[i] = static_cast<int8_t>(isUnsigned ? from[i] ^ 0x80 : from[i]);
  }

  size_t count;
  bool isUnsigned;
  Memory memory;
};

/// One variant of a layer.
class Variant {
public:
  virtual ~Variant() = default;
  /// Computes the layer; false if the library fails.
  virtual bool run() = 0;
  /// Writes the signed codes of the last run.
  virtual void read(int8_t *codes) = 0;
};

/// Where variants go.
class Variants {
public:
  explicit Variants(const mli_bench_receiver &receiver) : receiver(receiver) {}

  void add(const std::string &name, std::unique_ptr<Variant> variant) const {
    mli_bench_variant functions = {
        name.c_str(), variant.release(),
        [](void *state) {
          return static_cast<Variant *>(state)->run() ? 0 : 1;
        },
        [](void *state, int8_t *codes) {
          static_cast<Variant *>(state)->read(codes);
        },
        [](void *state) { delete static_cast<Variant *>(state); }};
    receiver.add(receiver.host, &functions);
  }
  void decline(const std::string &name, const std::string &reason) const {
    receiver.decline(receiver.host, name.c_str(), reason.c_str());
  }

private:
  const mli_bench_receiver &receiver;
};

} // namespace mli::opponents

#endif // MLI_TOOLS_MLI_BENCH_OPPONENTS_MODULE_H
