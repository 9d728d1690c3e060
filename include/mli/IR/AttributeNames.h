// SPDX-License-Identifier: Apache-2.0
//
// The names of all discardable attributes of the dialect, by the pass that sets
// them. `mli.target` is an attribute of the dialect itself.

#ifndef MLI_IR_ATTRIBUTENAMES_H
#define MLI_IR_ATTRIBUTENAMES_H

#include "llvm/ADT/StringRef.h"

namespace mli {

//===----------------------------------------------------------------------===//
// The importer and convert-tosa-to-mli
//===----------------------------------------------------------------------===//

/// A unit on an argument or a result of a function whose elements were unsigned
/// in the model.
inline constexpr llvm::StringLiteral unsignedAttrName = "mli.unsigned";

/// An f64 on an argument or a result: the real number that one quantised value,
/// less the zero point, stands for, where that is not the scale of the type.
inline constexpr llvm::StringLiteral scaleAttrName = "mli.scale";

/// A unit on an argument that holds a state: the caller passes what the last
/// results of the call before were. On buffers, an integer on the arguments of
/// both the old and the new state: which one it is.
inline constexpr llvm::StringLiteral stateAttrName = "mli.state";

//===----------------------------------------------------------------------===//
// mli-attach-modes
//===----------------------------------------------------------------------===//

/// Strings on a module: how the kernels of the network round and accumulate.
inline constexpr llvm::StringLiteral roundingAttrName = "mli.rounding";
inline constexpr llvm::StringLiteral accumulationAttrName = "mli.accumulation";

//===----------------------------------------------------------------------===//
// mli-attach-target
//===----------------------------------------------------------------------===//

/// A dictionary on a module, with the string `mode`, a storage mode of feature
/// maps, and the unit `matrices`, both of which may be missing.
inline constexpr llvm::StringLiteral layoutPolicyAttrName = "mli.layout_policy";

//===----------------------------------------------------------------------===//
// mli-form-streams
//===----------------------------------------------------------------------===//

/// A dictionary on the last kernel of a stream: the number of its `kernels`,
/// which follow each other, `rows`, `room`, `stripes`, the unit `even` and
/// `rings`, the rows of the ring of each kernel, 0 for as many as it takes.
inline constexpr llvm::StringLiteral streamAttrName = "mli.stream";

/// A dictionary on a function: what was made of it, as `mli::ArenaRecord` has
/// it.
inline constexpr llvm::StringLiteral streamsAttrName = "mli.streams";

//===----------------------------------------------------------------------===//
// mli-tile-to-fit
//===----------------------------------------------------------------------===//

/// A dictionary on the last kernel of a group: `sizes`, `order` and, for double
/// buffering, the unit `double_buffer`.
inline constexpr llvm::StringLiteral tileAttrName = "mli.tile";

/// A unit on a kernel that is computed in the tiles of its user.
inline constexpr llvm::StringLiteral fusedAttrName = "mli.tile_fused";

/// A dictionary on a function: what was made of it, as `mli::PartsRecord` has
/// it.
inline constexpr llvm::StringLiteral partsAttrName = "mli.parts";

/// An integer on a kernel with double buffering: the bytes of each NPU that the
/// other buffer of each pair takes. mli-insert-moves reads and removes it.
inline constexpr llvm::StringLiteral doubledAttrName = "mli.double_buffer";

//===----------------------------------------------------------------------===//
// mli-bufferize
//===----------------------------------------------------------------------===//

/// A string on an argument of a public function: the name that the network has
/// for it.
inline constexpr llvm::StringLiteral nameAttrName = "mli.name";

/// An integer on an argument of a public function that is written: the number
/// of the result.
inline constexpr llvm::StringLiteral resultAttrName = "mli.result";

/// A key to the cause of the copy that an operation becomes. It exists only
/// while the pass runs.
inline constexpr llvm::StringLiteral causeAttrName = "mli.copy_cause";

//===----------------------------------------------------------------------===//
// mli-pack-weights
//===----------------------------------------------------------------------===//

/// The bytes, on a kernel on buffers, that the runtime packed of its weights,
/// bias and configuration for `mli_krn_packed` or `mli_krn_packed_rows`.
inline constexpr llvm::StringLiteral packedAttrName = "mli.packed";

/// An i32 on a packed kernel: how many threads may compute it. Without the
/// attribute it is 1.
inline constexpr llvm::StringLiteral threadsAttrName = "mli.threads";

//===----------------------------------------------------------------------===//
// mli-assign-addresses
//===----------------------------------------------------------------------===//

/// A unit on the argument of a function that is its arena: the system memory of
/// all buffers that are planned.
inline constexpr llvm::StringLiteral arenaAttrName = "mli.arena";

/// Two integers on a module: the bytes that the arena of any public function
/// takes at most, and what divides its address.
inline constexpr llvm::StringLiteral arenaBytesAttrName = "mli.arena_bytes";
inline constexpr llvm::StringLiteral arenaAlignmentAttrName =
    "mli.arena_alignment";

/// An integer on an argument of a function: its offset in the arena.
inline constexpr llvm::StringLiteral addressAttrName = "mli.address";

/// An integer on a kernel: the offset of its scratch memory in the arena, or
/// its address in local memory.
inline constexpr llvm::StringLiteral scratchAttrName = "mli.scratch_address";

/// An integer on a view of the arena: the number of its buffer. Two buffers
/// that have one offset at different times are different views.
inline constexpr llvm::StringLiteral bufferAttrName = "mli.buffer";

/// A unit on an allocation in local memory whose bytes hold live data of
/// another buffer, as where a kernel computes in place of its input.
inline constexpr llvm::StringLiteral sharedAttrName = "mli.shared";

//===----------------------------------------------------------------------===//
// mli-share-states
//===----------------------------------------------------------------------===//

/// A unit on an argument that holds an old state: the new one is written to it.
inline constexpr llvm::StringLiteral inPlaceAttrName = "mli.in_place";

//===----------------------------------------------------------------------===//
// mli-local-to-argument
//===----------------------------------------------------------------------===//

/// A unit on the argument of a function that is the local memory of its one
/// NPU.
inline constexpr llvm::StringLiteral localAttrName = "mli.local";

//===----------------------------------------------------------------------===//
// convert-mli-to-llvm
//===----------------------------------------------------------------------===//

/// A unit on an operation of an `mli.parallel`, whose accesses are recorded. It
/// exists only while the pass runs.
inline constexpr llvm::StringLiteral parallelAttrName = "mli.runs_parallel";

/// A string on the value of a checked status: the call that fails. It exists
/// only while the pass runs.
inline constexpr llvm::StringLiteral failsAttrName = "mli.fails";

} // namespace mli

#endif // MLI_IR_ATTRIBUTENAMES_H
