// SPDX-License-Identifier: Apache-2.0
//
// The list of transform passes. Each pass is described in the file of its name.

#ifndef MLI_TRANSFORMS_PASSES_TD
#define MLI_TRANSFORMS_PASSES_TD

include "mli/Transforms/AssignAddresses.td"
include "mli/Transforms/AssignLayouts.td"
include "mli/Transforms/AttachModes.td"
include "mli/Transforms/AttachTarget.td"
include "mli/Transforms/Bufferize.td"
include "mli/Transforms/DoubleBuffer.td"
include "mli/Transforms/ExplainFit.td"
include "mli/Transforms/ExplainSlices.td"
include "mli/Transforms/FormStreams.td"
include "mli/Transforms/InsertMoves.td"
include "mli/Transforms/LegalizeConversions.td"
include "mli/Transforms/LegalizeLayouts.td"
include "mli/Transforms/LegalizeSubtensors.td"
include "mli/Transforms/LocalToArgument.td"
include "mli/Transforms/Order.td"
include "mli/Transforms/PackWeights.td"
include "mli/Transforms/PrintMemoryMap.td"
include "mli/Transforms/ShareStates.td"
include "mli/Transforms/TileToFit.td"

#endif // MLI_TRANSFORMS_PASSES_TD
