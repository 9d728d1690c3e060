// SPDX-License-Identifier: Apache-2.0
//
// Tensors scattered over the local memory of NPUs as operands of MLI kernels:
// an affine one is an ordinary tensor; any other is gathered to plain memory,
// where the kernel runs, and scattered back. Same memory as okk.h.

#ifndef MLI_LOCAL_H
#define MLI_LOCAL_H

#include "mli_types.h"

// NOLINTBEGIN: a C header, in the style of the API beside it.

#ifdef __cplusplus
extern "C" {
#endif

/// Local memory: its NPUs, bytes and banks in each of them, bytes that the
/// aligned layout rounds to, and bytes that divide the local address of a copy.
typedef struct {
  uint32_t npus;
  uint32_t npu_bytes;
  uint32_t banks;
  uint32_t unit;
  uint32_t dma_align;
} mli_local_target;

typedef enum {
  MLI_LOCAL_CONTINUOUS = 0,
  MLI_LOCAL_ALIGNED = 1,
  MLI_LOCAL_COMPACT = 2,
  MLI_LOCAL_MATRIX = 3,
  MLI_LOCAL_STRIDED = 4,
  MLI_LOCAL_KIND_LARGE_ENUM = 0x02000000
} mli_local_kind;

typedef enum {
  MLI_LOCAL_MODE_NONE = 0,
  MLI_LOCAL_MODE_4N = 1,
  MLI_LOCAL_MODE_2N = 2,
  MLI_LOCAL_MODE_2IC = 3,
  MLI_LOCAL_MODE_LARGE_ENUM = 0x02000000
} mli_local_mode;

/// The dimensions of local memory, as `mli_local_tensor.dims` names them.
enum {
  MLI_LOCAL_DIM_N = 0,
  MLI_LOCAL_DIM_C = 1,
  MLI_LOCAL_DIM_H = 2,
  MLI_LOCAL_DIM_W = 3
};

/// A tensor's place. `strides` (N, C, H, W) count packed elements. `dims[i]` is
/// what dimension i of the tensor is in local memory, each at most once; those
/// that none is have one entry. `columns` is 0, or makes the tensor a matrix
/// with so many columns per channel: its columns are MLI_LOCAL_DIM_W, its rows,
/// if any, MLI_LOCAL_DIM_N, and nothing is another dimension.
typedef struct {
  uint32_t address;
  int32_t strides[4];
  mli_local_kind kind;
  mli_local_mode mode;
  int32_t columns;
  int8_t dims[MLI_MAX_RANK];
} mli_local_tensor;

/// Sets the target, bm1684 before the first call. Local memory is gone until
/// the next `okk_initialize`. BAD_FUNC_CFG if the numbers are inconsistent,
/// with the target as it was.
MLI_API mli_status mli_local_configure(const mli_local_target *target);

/// For code that is compiled for `target`, at its start: sets the target and
/// makes fresh local memory, unless there is memory of that target already. A
/// bracket of okk_parallel_start that a failed program has left open is over.
/// Returns the status of `mli_local_configure`, and NOT_ENGH_MEM if the host
/// has not so much memory.
MLI_API mli_status mli_local_prepare(const mli_local_target *target);

/// The target.
MLI_API mli_local_target mli_local_get_target(void);

/// Copies all elements of `local` to the elements of `tensor`, whose shape and
/// element type are those of both. All calls here return BAD_FUNC_CFG if
/// `local` is not a legal layout of that shape, NOT_ENGH_MEM if it does not fit
/// local memory or there is none, and what kernels return if `tensor` is not
/// valid. They check in every check mode, and do nothing if they fail.
MLI_API mli_status mli_local_gather(const mli_local_tensor *local,
                                    mli_tensor *tensor);

/// The inverse. Dummies stay, or are poisoned.
MLI_API mli_status mli_local_scatter(const mli_tensor *tensor,
                                     const mli_local_tensor *local);

/// Lets `tensor`, of which shape, rank and element type are looked at, point to
/// the elements of `local` with the strides that they have in the memory of
/// the host. NOT_SUPPORTED if no strides describe them: then gather. Whether a
/// kernel takes such strides is for the caller to know.
MLI_API mli_status mli_local_view(const mli_local_tensor *local,
                                  mli_tensor *tensor);

/// With poison on, fresh local memory and the dummies of scattered tensors are
/// filled with a pattern of the seed. Off before the first call.
MLI_API void mli_local_set_poison(int enabled, uint32_t seed);

/// For a tensor that is about to be written for the first time: with poison on,
/// fills the memory that it takes in every NPU (elements, dummies, padding and
/// empty blocks). `tensor` is looked at as in `mli_local_view`.
MLI_API mli_status mli_local_poison(const mli_local_tensor *local,
                                    const mli_tensor *tensor);

/// The kinds of work that run at the same time between `okk_parallel_start` and
/// `okk_parallel_end`.
typedef enum {
  MLI_LOCAL_MOVES = 0,
  MLI_LOCAL_KERNELS = 1,
  MLI_LOCAL_ENGINE_LARGE_ENUM = 0x02000000
} mli_local_engine;

/// Declares that `engine` reads, or writes, the elements of `local` there. With
/// poison on ARGUMENT_ERROR, and as if not called, if the other engine uses one
/// of their bytes and one of both writes it. `tensor` is looked at as in
/// `mli_local_view`.
MLI_API mli_status mli_local_use(const mli_local_tensor *local,
                                 const mli_tensor *tensor,
                                 mli_local_engine engine, int is_written);

/// The status of the first call of okk.h that broke a rule since the last call
/// of this function.
MLI_API mli_status mli_local_status(void);

#ifdef __cplusplus
}
#endif

// NOLINTEND

#endif // MLI_LOCAL_H
