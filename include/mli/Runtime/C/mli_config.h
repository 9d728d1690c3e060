// SPDX-License-Identifier: Apache-2.0
//
// Configuration of this build and what kind of processor it is for, under the
// names that client code tests.

#ifndef MLI_CONFIG_H
#define MLI_CONFIG_H

#include <stdint.h>

// NOLINTBEGIN: a C header, whose names the specification fixes.

/// The kinds of platform that PLATFORM may name.
#define V2DSP (1)
#define V2DSP_XY (2)
#define V2DSP_WIDE (3)
#define V2DSP_VECTOR (4)
#define X86_PLATFORM (5)
#define GENERIC_ARC (6)

/// Whatever processor the host is, its kernels compute as the x86 build does.
#ifndef PLATFORM
#define PLATFORM (5)
#define PLATFORM_STR "X86"
#endif

/// No function takes more; kept for programs that name it.
#define MLI_CONCAT_MAX_TENSORS (8)

/// The most inputs of `mli_krn_rnn_dense_*`.
#define MLI_RNN_MAX_INPUT (4)

#define MLI_FORCE_INLINE inline __attribute__((always_inline))
#define MLI_NO_INLINE __attribute__((noinline))
/// Sections, pragmas and assumptions mean something on processors of the ARC
/// family only. They take what clients write, and expand to nothing.
#define MLI_CODE_SECTION_START(...)
#define MLI_CODE_SECTION_END(...)
#define PRAGMA_CLANG(...)
#ifndef __clang__ // Which knows it.
#define __builtin_assume(x)
#endif

// NOLINTEND

#endif // MLI_CONFIG_H
