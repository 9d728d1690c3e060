// SPDX-License-Identifier: Apache-2.0
//
// The parameter arrays of an output that takes those of its input: it shares
// them, or brings its own, which are written.

#ifndef MLI_LIB_RUNTIME_CORE_PARAMETERARRAYS_H
#define MLI_LIB_RUNTIME_CORE_PARAMETERARRAYS_H

#include "Checks.h"

namespace mli::rt {

/// The tensor whose arrays the parameters of a per-axis `in` go to.
enum class ArrayOwner {
  /// `out` brings none, and shares those of `in`.
  None,
  /// `out` shares them already.
  Input,
  Output,
  /// Not all three belong to the same.
  Mixed
};
ArrayOwner getArrayOwner(const mli_tensor &in, const mli_tensor &out);

/// Checks a per-axis `in`: BAD_TENSOR if it lacks entries, SPEC_PARAM_MISMATCH
/// if only some arrays of `out` are its own. Sets `owner`.
mli_status checkArrayOwner(const Argument &in, const Argument &out,
                           ArrayOwner &owner);

/// Checks an output that brings arrays of its own: SPEC_PARAM_MISMATCH if one
/// holds less than `entries`.
mli_status checkOwnArrays(const Argument &out, uint64_t entries);

/// INCOMPATEBLE if `count` entries from `first` on of one of these share bytes
/// with those of another, with the arrays of `in` or with the elements of
/// either tensor.
mli_status checkArraysNoAlias(const Argument &in, const Argument &out,
                              uint64_t first, uint64_t count);

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_PARAMETERARRAYS_H
