// SPDX-License-Identifier: Apache-2.0
//
// Element types: how a stored integer stands for a real number.

#ifndef MLI_IR_MLITYPES_TD
#define MLI_IR_MLITYPES_TD

include "mli/IR/MLIDialect.td"
include "mli/IR/MLIInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/Interfaces/DataLayoutInterfaces.td"

class MLI_QuantizedType<string name, string typeMnemonic>
    : TypeDef<MLI_Dialect, name, [
        MemRefElementTypeInterface,
        DeclareTypeInterfaceMethods<DataLayoutTypeInterface,
            ["getTypeSizeInBits", "getABIAlignment"]>,
        DeclareTypeInterfaceMethods<MLI_QuantizedTypeInterface>]> {
  let mnemonic = typeMnemonic;
  let genVerifyDecl = 1;
}

class MLI_FxType<int width> : MLI_QuantizedType<"Fx" # width, "fx" # width> {
  let summary = width # "-bit fixed-point number";
  let description = [{
    A signed integer code `q` that stands for `q / 2^fracBits`. `fracBits` is
    -128 to 127, the `fx.frac_bits` of the C API: it may be negative, or more
    than the bits of the code.

    Example: a tensor and a buffer of codes that stand for q / 2^7.
    ```mlir
    func.func private @numbers(tensor<4x!mli.}] # "fx" # width # [{<7>>,
                               memref<4x!mli.}] # "fx" # width # [{<7>>)
    ```
  }];
  let parameters = (ins "int32_t":$fracBits);
  let assemblyFormat = "`<` $fracBits `>`";
}

/// For future use: no operation takes it.
def MLI_Fx4Type : MLI_FxType<4>;
def MLI_Fx8Type : MLI_FxType<8>;
def MLI_Fx16Type : MLI_FxType<16>;

class MLI_SaType<int width> : MLI_QuantizedType<"Sa" # width, "sa" # width> {
  let summary = width # "-bit signed asymmetric number";
  let description = [{
    A signed integer code `q` that stands for `(q - zeroPoint) * scale *
    2^-fracBits`. The three integers are stored as the kernels take them:
    `scale` is 1 to 32767, `fracBits` -128 to 127 and `zeroPoint` an int16.

    ```
    sa-type   ::= `sa8` | `sa32`
    type      ::= `!mli.` sa-type `<` params `>`
                | `!mli.` sa-type `<` `axis` `=` int `,` `{` params (`,` params)* `}` `>`
    params    ::= scale `:` frac-bits `:` zero-point
    ```

    With an axis (0 to 3), the parameters vary along that dimension of the
    tensor, one set for each of its indices.

    Example: codes that stand for `5 / 2^3 * (q + 128)`, and two output channels
    that have scales of their own.
    ```mlir
    !weights = tensor<3x3x1x2x!mli.}] # "sa" # width # [{<axis = 3, {5:3:0, 7:3:0}>>
    func.func private @numbers(tensor<4x!mli.}] # "sa" # width # [{<5:3:-128>>, !weights)
    ```
  }];
  let parameters = (ins
    "int32_t":$axis,
    ArrayRefParameter<"::mli::quant::QuantParams", "parameters">:$params);
  let builders = [
    TypeBuilder<(ins "::mli::quant::QuantParams":$params), [{
      return $_get($_ctxt, -1, ::llvm::ArrayRef(params));
    }]>];
  let hasCustomAssemblyFormat = 1;
}

def MLI_Sa8Type : MLI_SaType<8>;
def MLI_Sa32Type : MLI_SaType<32>;

#endif // MLI_IR_MLITYPES_TD
