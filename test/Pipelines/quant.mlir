// With an option, all pipelines take types of the quant dialect, beside TOSA.
// RUN: mli-opt %s --mli-buffer-pipeline=quant | FileCheck %s
// RUN: mli-opt %s --mli-c-pipeline=quant | FileCheck %s
// RUN: mli-opt %s --mli-local-buffer-pipeline="quant target=vpx" | FileCheck %s
// RUN: mli-opt %s --mli-local-c-pipeline="quant target=vpx" | FileCheck %s
// CHECK: func.func @main({{.*}}: memref<2x2x!mli.sa8<1:1:3>>, {{.*}}: memref<2x2x!mli.sa8<1:2:-1>>
// CHECK: mli.relu
// CHECK: mli.convert
// RUN: mli-opt %s --mli-system-pipeline=quant | FileCheck %s --check-prefix=CALLS
// RUN: mli-opt %s --mli-local-pipeline="quant target=vpx" | FileCheck %s --check-prefix=CALLS
// CALLS-LABEL: llvm.func @main(
// CALLS: llvm.call @mli_krn_relu_sa8
// CALLS: llvm.call @mli_hlp_convert_tensor_safx

// It is the first thing that they do, and changes nothing else.
// RUN: mli-opt %s --convert-quant-to-mli=full --mli-system-pipeline -o %t.alone
// RUN: mli-opt %s --mli-system-pipeline=quant -o %t.quant && diff %t.alone %t.quant
// RUN: mli-opt %models/shapes/shapes.tosa.mlir --mli-system-pipeline -o %t.without
// RUN: mli-opt %models/shapes/shapes.tosa.mlir --mli-system-pipeline=quant -o %t.with
// RUN: cmp %t.without %t.with

// What is compiled takes it as an option of its pipeline. Codes under the zero point 3
// become 3; then those of half the scale are twice as far from the zero point -1.
// RUN: %python %S/../Integration/Inputs/make-npy.py %t.npy i1 2x2 -128 2 5 60
// RUN: mli-run %s --input %t.npy --pipeline-options=quant | FileCheck %s --check-prefix=VALUES
// RUN: mli-run %s --input %t.npy --placement local --target vpx --pipeline-options=quant | FileCheck %s --check-prefix=VALUES
// VALUES: codes: -1 -1 3 113

// Without it they are refused, as are types with it that mli does not have.
// RUN: not mli-opt %s --mli-system-pipeline 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: error: 'quant.scast' op cannot be raised to mli: expected result 0 to be 'tensor<2x2x!mli.sa8<1:0:0>>' for raised users, but got 'tensor<2x2xi8>'
// WITHOUT: note: the quant dialect is taken by 'convert-quant-to-mli', or by the option 'quant' of pipelines
// WITHOUT: error: 'quant.scast' op cannot be raised to mli: expected operand 0 to be {{.*}} as it is raised
// WITHOUT: note: the quant dialect is taken by 'convert-quant-to-mli', or by the option 'quant' of pipelines
// RUN: sed s/i8:f32/u8:f32/ %s | not mli-opt --mli-system-pipeline=quant 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED: error: 'func.func' op cannot be raised to mli: expected a tensor of a type that mli has, but got tensor<2x2x!quant.uniform<u8:f32, 5.000000e-01:3>>

!half = !quant.uniform<i8:f32, 0.5:3>
!quarter = !quant.uniform<i8:f32, 0.25:-1>

func.func @main(%input: tensor<2x2x!half>) -> tensor<2x2x!quarter> {
  %codes = quant.scast %input : tensor<2x2x!half> to tensor<2x2xi8>
  %clamped = tosa.clamp %codes {min_val = 3 : i8, max_val = 127 : i8}
    : (tensor<2x2xi8>) -> tensor<2x2xi8>
  %map = quant.scast %clamped : tensor<2x2xi8> to tensor<2x2x!half>
  %real = quant.dcast %map : tensor<2x2x!half> to tensor<2x2xf32>
  %0 = quant.qcast %real : tensor<2x2xf32> to tensor<2x2x!quarter>
  return %0 : tensor<2x2x!quarter>
}
