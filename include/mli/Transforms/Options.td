// SPDX-License-Identifier: Apache-2.0
//
// The options that several passes have.

#ifndef MLI_TRANSFORMS_OPTIONS_TD
#define MLI_TRANSFORMS_OPTIONS_TD

include "mlir/Pass/PassBase.td"

def BudgetOption
    : Option<"budget", "budget", "::mli::Bounded<0>", "20000",
             "Nodes that the search for a plan of addresses may visit">;
def OverridesOption
    : Option<"overrides", "overrides", "std::string", "\"\"",
             "A JSON file of costs, and of tiles that kernels are cut into">;
def MapModeOption
    : Option<"mode", "mode", "::mli::layout::Mode", "::mli::layout::Mode::None",
             "The storage mode of feature maps, 4N or 2N, where it exists, in "
             "place of that of mli.layout_policy",
             "::mli::mapModeValues()">;
def MatricesOption
    : Option<"matrices", "matrices", "bool", "false",
             "Put all operands of products into the matrix layout, also where "
             "mli.layout_policy does not ask for it">;
def InPlaceOption
    : Option<"inPlace", "in-place", "bool", "true",
             "Let kernels overwrite inputs that no later operation uses">;
def ReuseEmptyBlocksOption
    : Option<"reuseEmptyBlocks", "reuse-empty-blocks", "bool", "false",
             "Let buffers lie side by side where a block row has no channels">;
def RejectCopiesOption
    : Option<"rejectCopies", "reject-copies", "bool", "false",
             "Make every copy an error that gives its reason">;
def ExplainCopiesOption
    : Option<"explain", "explain", "bool", "false",
             "Remark every copy: why, how many bytes, and what would avoid it">;

#endif // MLI_TRANSFORMS_OPTIONS_TD
