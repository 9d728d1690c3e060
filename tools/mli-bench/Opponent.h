// SPDX-License-Identifier: Apache-2.0
//
// What a module gives to mli-bench: another library that computes the layers of
// a table. It is C, so that a module may come from any compiler, and needs no
// other file of this project.

#ifndef MLI_TOOLS_MLI_BENCH_OPPONENT_H
#define MLI_TOOLS_MLI_BENCH_OPPONENT_H

#include <stdint.h>

// NOLINTBEGIN: a C header, in the style of those of the runtime.

#ifdef __cplusplus
extern "C" {
#endif

/// Grows with each change of what follows. A module of another one is refused.
#define MLI_BENCH_INTERFACE 1

/// A line of the table. Maps are [height][width][channels]; fc and softmax have
/// one pixel, and depthwise layers as many outputs as inputs.
typedef struct {
  const char *name;
  /// conv, dw, fc, add, maxpool, avgpool or softmax.
  const char *kind;
  int32_t height, width, inputs, outputs;
  int32_t kernel_height, kernel_width, stride_height, stride_width;
  int32_t pad_top, pad_bottom, pad_left, pad_right;
  int32_t out_height, out_width;
} mli_bench_layer;

/// Codes: the real number is scale * (code - zero), with a zero of 0 for
/// weights. A bias has the scale of the input times that of its weights.
typedef struct {
  /// The inputs; `in2` is the other one of add. 256 bytes after them may be
  /// read.
  const int8_t *in, *in2;
  /// [kernel height][kernel width][inputs][outputs], without inputs if
  /// depthwise; null, as the next three, where a layer has no weights.
  const int8_t *weights;
  /// [outputs][kernel height][kernel width][inputs]; if depthwise, as above.
  const int8_t *weights_by_output;
  /// One for each output.
  const int32_t *bias;
  const float *weight_scales;
  float in_scale, in2_scale, out_scale;
  int32_t in_zero, in2_zero, out_zero;
} mli_bench_operands;

/// One variant of a layer, prepared so that `run` only computes. It does so in
/// the thread that calls it, whose processor time is measured.
typedef struct {
  const char *name;
  /// What the functions are called with.
  void *state;
  /// Returns 0, or another number if the library fails.
  int (*run)(void *state);
  /// Writes the codes of the last run, signed ones.
  void (*read)(void *state, int8_t *codes);
  void (*destroy)(void *state);
} mli_bench_variant;

/// Where variants go.
typedef struct {
  void *host;
  /// Takes a variant, and copies its name.
  void (*add)(void *host, const mli_bench_variant *variant);
  /// Takes the name of a variant that the library refuses, and why it does.
  void (*decline)(void *host, const char *name, const char *reason);
} mli_bench_receiver;

/// A library, as long as the module is loaded.
typedef struct {
  /// MLI_BENCH_INTERFACE. In each of them this is what comes first.
  uint32_t interface_version;
  /// The name of its column: letters, digits, `-`, `_` and `.`.
  const char *name;
  /// The version of the headers that the module is compiled with; null where
  /// they name none.
  const char *headers;
  /// Returns the version of the library that is loaded; null where it names
  /// none.
  const char *(*get_version)(void);
  /// Returns whether that library is for those headers. Null where both have to
  /// be of one version.
  int (*has_interface)(void);
  /// Called once, after versions are compared. Returns null, or why the library
  /// cannot be used.
  const char *(*start)(void);
  /// Gives all variants of the layer; none if the library has no such
  /// layer. Layer and operands live as long as the variants.
  void (*create)(const mli_bench_layer *layer,
                 const mli_bench_operands *operands,
                 const mli_bench_receiver *receiver);
  /// What each run costs besides its layer, which is taken off: a call of a
  /// graph that computes nothing. Returns 0, or another number if it fails, and
  /// then nothing is taken off. May be null.
  int (*run_nothing)(void);
} mli_bench_opponent;

#if defined(__GNUC__)
#define MLI_BENCH_EXPORT __attribute__((visibility("default")))
#else
#define MLI_BENCH_EXPORT
#endif

/// What a module defines.
MLI_BENCH_EXPORT const mli_bench_opponent *mli_bench_get_opponent(void);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_TOOLS_MLI_BENCH_OPPONENT_H
