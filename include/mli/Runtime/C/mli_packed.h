// SPDX-License-Identifier: Apache-2.0
//
// An extension of the MLI 2.0 C API for speed: layers whose weights are packed
// once, in the order in which the fast kernels read them. The results
// are those of the kernels that take the weights as they are.

#ifndef MLI_PACKED_H
#define MLI_PACKED_H

#include "mli_types.h"

// NOLINTBEGIN: a C header, in the style of the API beside it.

#ifdef __cplusplus
extern "C" {
#endif

/// The order of the weights in a packed layer. Every processor runs both, and
/// each one fastest.
typedef enum {
  /// The order that the processor of this moment runs fastest. With VNNI,
  /// matrix products of few outputs are as those of MLI_PACK_PAIRS.
  MLI_PACK_BEST = 0,
  /// Pairs of input channels: processors without VNNI, FEAT_I8MM or
  /// FEAT_DotProd. Matrix products of few outputs and 8-bit weights have 16
  /// inputs of an output together.
  MLI_PACK_PAIRS = 2,
  /// Quads of input channels: processors with VNNI, FEAT_I8MM or FEAT_DotProd.
  /// Only of sa8.
  MLI_PACK_QUADS = 4,
  MLI_PACK_LARGE_ENUM = 0x02000000
} mli_pack_order;

/// Packs a convolution (as mli_krn_conv2d_hwcn of the types of the tensors) or
/// a matrix product (as mli_krn_fully_connected) into `packed`, of which
/// `mem.pi8` is aligned to 64 bytes. With a null pointer there, only sets
/// `packed->capacity` to the bytes needed. Of `in` and `out` nothing but their
/// types, shapes and quantisation is used.
///
/// Pairs and quads have the same bytes wherever they are packed.
///
/// Returns what the kernel would if it were called; NOT_ENGH_MEM if `capacity`
/// is too small; NOT_SUPPORTED if no packed layer computes the same, in the
/// modes that are set, or if this processor has no order that is fastest: call
/// the plain kernel.
MLI_API mli_status mli_pack_conv2d(const mli_tensor *in,
                                   const mli_tensor *weights,
                                   const mli_tensor *bias,
                                   const mli_conv2d_cfg *cfg,
                                   const mli_tensor *out, mli_pack_order order,
                                   mli_data_container *packed);
MLI_API mli_status mli_pack_fully_connected(
    const mli_tensor *in, const mli_tensor *weights, const mli_tensor *bias,
    const mli_fully_connected_cfg *cfg, const mli_tensor *out,
    mli_pack_order order, mli_data_container *packed);

/// The same of a depthwise convolution (as mli_krn_depthwise_conv2d_hwcn). It
/// has one order, and is always supported in the modes that packed layers run
/// in.
MLI_API mli_status mli_pack_depthwise_conv2d(const mli_tensor *in,
                                             const mli_tensor *weights,
                                             const mli_tensor *bias,
                                             const mli_conv2d_cfg *cfg,
                                             const mli_tensor *out,
                                             mli_data_container *packed);

/// Runs a packed layer, on any processor. Types, shapes and quantisation of
/// `in` and `out` are those that it was packed for, else SHAPE_MISMATCH or
/// INCOMPATEBLE_TENSORS. BAD_FUNC_CFG if `packed` is no such layer;
/// NOT_SUPPORTED if modes other than the default ones are set.
///
/// `threads` may compute at once, this one included, if there is enough to do
/// for each; what they compute does not depend on their number. 1 starts none.
/// Those that a call starts, 63 at most in a process, stay for later calls, of
/// whichever thread: calls at the same time share them. A child process that
/// `fork` makes starts its own.
MLI_API mli_status mli_krn_packed(const mli_tensor *in,
                                  const mli_data_container *packed, int threads,
                                  mli_tensor *out);

/// The padding above and below the maps of one call.
typedef struct {
  uint8_t padding_top;
  uint8_t padding_bottom;
} mli_packed_rows;

/// Runs a packed convolution, depthwise or not, on other rows than those that
/// it was packed for: `in` and `out` have any heights, and `rows` their
/// padding. Everything else is as packed. Returns what mli_krn_packed and the
/// kernel would; BAD_FUNC_CFG if `rows` is null or `packed` is a matrix
/// product.
MLI_API mli_status mli_krn_packed_rows(const mli_tensor *in,
                                       const mli_data_container *packed,
                                       const mli_packed_rows *rows, int threads,
                                       mli_tensor *out);

/// Makes the checks of mli_krn_packed_rows, in any check mode. Reads of the
/// layer no more than its header, and no elements of the tensors.
MLI_API mli_status mli_check_packed_rows(const mli_tensor *in,
                                         const mli_data_container *packed,
                                         const mli_packed_rows *rows,
                                         const mli_tensor *out);

/// Does what mli_krn_packed_rows does, for a caller that checks a layer once
/// and runs it on many rows: checks the modes, and that the data of `in` and
/// `out` is there, aligned and apart. mli_check_packed_rows has accepted
/// tensors that differ from these in nothing but where their data starts.
MLI_API mli_status mli_krn_packed_rows_unchecked(
    const mli_tensor *in, const mli_data_container *packed,
    const mli_packed_rows *rows, int threads, mli_tensor *out);

/// Ends the threads that calls have started and waits for their end, but for
/// those that a call has at this moment. The end of the process does that, too.
/// The next call that uses threads starts some again.
MLI_API void mli_stop_workers(void);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_PACKED_H
