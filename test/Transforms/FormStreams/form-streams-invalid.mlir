// Arenas that are too small, and what attributes and files ask for in vain.
// RUN: mli-opt %s --mli-form-streams --split-input-file --verify-diagnostics
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=arena=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=arena=few 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=arena= 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=arena=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=arena=1e3 2>&1 | FileCheck %s --check-prefix=EXPONENT
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=arena=1152921504606846977 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=arena=1 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not mli-opt %S/form-streams-stripes.mlir "--mli-form-streams=arena=1 recompute=50" 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not mli-opt %S/form-streams.mlir "--mli-form-streams=arena=min recompute=101" 2>&1 | FileCheck %s --check-prefix=PERCENT
// RUN: mli-opt %S/form-streams.mlir --mli-buffer-pipeline=arena=1152921504606846976 -o /dev/null
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:2"]}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:9"]}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: echo '{"streams": [{"kernels": ["line:0", "line:1"]}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:0"]}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"]}, {"kernels": ["chain:1", "chain:2"]}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: echo '{"streams": [{"kernels": ["chain:0"]}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: echo '{"tiles": {"chain:1": {"sizes": [1, 6, 4]}}, "streams": [{"kernels": ["chain:0", "chain:1"]}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1", "chain:2"], "rings": {"chain:0": 2}}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1", "chain:2"], "rings": {"chain:0": 7}}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1", "chain:2"], "rings": {"chain:1": 4}}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=RING
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"], "rings": {"chain:2": 4}}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"], "stripes": 7}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=STRIPES
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"], "rows": 0}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"], "rows": 2147483648}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"], "stripes": 2147483647}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=MANYSTRIPES
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"], "rings": {"chain:0": 0}}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=RINGROWS
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"], "rings": 3}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=RINGS
// RUN: echo '{"streams": [{"kernels": ["chain:0", "chain:1"], "ring": 3}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: echo '{"streams": [{"rows": 1}]}' > %t.json
// RUN: not mli-opt %S/form-streams.mlir --mli-form-streams=overrides=%t.json 2>&1 | FileCheck %s --check-prefix=MISSING

// ST7
// NONE: for the --arena option: expected a number of bytes from 1 to 2^60, or min, but got '0'
// WORD: for the --arena option: expected a number of bytes from 1 to 2^60, or min, but got 'few'
// EMPTY: for the --arena option: expected a number of bytes from 1 to 2^60, or min, but got ''
// NEGATIVE: for the --arena option: expected a number of bytes from 1 to 2^60, or min, but got '-1'
// EXPONENT: for the --arena option: expected a number of bytes from 1 to 2^60, or min, but got '1e3'
// HUGE: for the --arena option: expected a number of bytes from 1 to 2^60, or min, but got '1152921504606846977'
// SMALL: error: expected 'arena' to be at least 860 B, the least with 0 % of the products computed again, but got 1 B
// SMALL: note: this kernel needs that much with all that is live
// AGAIN: error: expected 'arena' to be at least 48 B, the least with 50 % of the products computed again, but got 1 B
// AGAIN: note: the stream of 2 kernels that ends here needs that much
// PERCENT: for the --recompute option: expected a number in [0, 100], but got 101
// ST8
// GAP: error: expected 'overrides' to have in 'kernels' kernels that follow each other, but got 'chain:2' after 'chain:0'
// KERNEL: error: expected 'overrides' to have in 'kernels' kernels of the body of 'chain', as 'chain:0', but got 'chain:9'
// FUNCTION: error: expected 'overrides' to name kernels of functions of the module, as 'main:0', but got 'line:0'
// TWICE: error: expected 'overrides' to have each kernel in one stream, but got 'chain:0' twice
// SHARED: error: expected 'overrides' to have each kernel in one stream, but got 'chain:1' twice
// ONE: error: expected 'overrides' to have at least 2 kernels in a stream, but got 1
// TILES: error: expected 'overrides' to have 'chain:1' in a stream or in tiles, but got both
// FEW: error: {{.*}} expected 'mli.stream' to be a stream, but the ring of kernel 0 has 3 to 6 rows, but got 2
// MANY: error: {{.*}} expected 'mli.stream' to be a stream, but the ring of kernel 0 has 3 to 6 rows, but got 7
// RING: error: {{.*}} expected 'mli.stream' to be a stream, but kernel 1 of it has no ring
// OTHER: error: expected 'overrides' to have in 'rings' kernels of the stream, but got 'chain:2'
// STRIPES: error: {{.*}} expected 'mli.stream' to be a stream, but it can not be cut into 7 column stripes
// MANYSTRIPES: error: {{.*}} expected 'mli.stream' to be a stream, but it can not be cut into 2147483647 column stripes
// ROWS: error: expected 'overrides' to be costs, tiles and streams, but got expected a number from 1 to 2^31 - 1 at overrides.streams[0].rows
// RINGROWS: error: expected 'overrides' to be costs, tiles and streams, but got expected a number from 1 to 2^31 - 1 at overrides.streams[0].rings.chain:0
// RINGS: error: expected 'overrides' to be costs, tiles and streams, but got expected object at overrides.streams[0].rings
// FIELD: error: expected 'overrides' to be costs, tiles and streams, but got expected kernels, rows, room, stripes, even or rings at overrides.streams[0].ring
// MISSING: error: expected 'overrides' to be costs, tiles and streams, but got missing value at overrides.streams[0].kernels

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

// ST8
func.func @no_dictionary(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{expected 'mli.stream' to have 'kernels', the number of kernels up to this one, and 'rows', 'room' and 'stripes', each at least 1, but got 2 : i64}}
  %s = mli.relu ins(%r : !map) outs(%f : !map) {mli.stream = 2 : i64, relu = #mli.relu<gen>} -> !map
  return %s : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

func.func @no_rows(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{expected 'mli.stream' to have 'kernels', the number of kernels up to this one, and 'rows', 'room' and 'stripes', each at least 1, but got {kernels = 2 : i64, room = 1 : i64, rows = 0 : i64, stripes = 1 : i64}}}
  %s = mli.relu ins(%r : !map) outs(%f : !map) {mli.stream = {kernels = 2, rows = 0, room = 1, stripes = 1}, relu = #mli.relu<gen>} -> !map
  return %s : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

func.func @rows_of_64_bits(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{each at least 1, but got {kernels = 2 : i64, room = 1 : i64, rows = 9223372036854775807 : i64, stripes = 1 : i64}}}
  %s = mli.relu ins(%r : !map) outs(%f : !map) {mli.stream = {kernels = 2, rows = 9223372036854775807, room = 1, stripes = 1}, relu = #mli.relu<gen>} -> !map
  return %s : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

func.func @too_many(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{expected 'mli.stream' to have at most the 2 operations up to this one in 'kernels', but got 3}}
  %s = mli.relu ins(%r : !map) outs(%f : !map) {mli.stream = {kernels = 3, rows = 1, room = 1, stripes = 1}, relu = #mli.relu<gen>} -> !map
  return %s : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

func.func @rings(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{expected 'rings' of 'mli.stream' to have for each of the 2 kernels its rows, or 0, but got array<i64: 3>}}
  %s = mli.relu ins(%r : !map) outs(%f : !map) {mli.stream = {kernels = 2, rows = 1, room = 1, stripes = 1, rings = array<i64: 3>}, relu = #mli.relu<gen>} -> !map
  return %s : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

func.func @rings_of_32_bits(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{expected 'rings' of 'mli.stream' to have for each of the 2 kernels its rows, or 0, but got array<i64: 2147483648, 0>}}
  %s = mli.relu ins(%r : !map) outs(%f : !map) {mli.stream = {kernels = 2, rows = 1, room = 1, stripes = 1, rings = array<i64: 2147483648, 0>}, relu = #mli.relu<gen>} -> !map
  return %s : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

func.func @overlap(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  %g = tensor.empty() : !map
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %s = mli.relu ins(%r : !map) outs(%f : !map) {mli.stream = {kernels = 2, rows = 1, room = 1, stripes = 1}, relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{expected 'mli.stream' to have kernels of no other stream, but got 1 of one}}
  %t = mli.relu ins(%s : !map) outs(%g : !map) {mli.stream = {kernels = 2, rows = 1, room = 1, stripes = 1}, relu = #mli.relu<gen>} -> !map
  return %t : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

// ST2
func.func @softmax(%a: !map) -> tensor<6x4x4x!mli.sa8<1:8:-128>> {
  %e = tensor.empty() : !map
  %f = tensor.empty() : tensor<6x4x4x!mli.sa8<1:8:-128>>
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{expected a kernel that is part of a stream to be computed row by row, but it needs all rows at once}}
  %s = mli.softmax ins(%r : !map) outs(%f : tensor<6x4x4x!mli.sa8<1:8:-128>>) {axis = 0 : i32, mli.stream = {kernels = 2, rows = 1, room = 1, stripes = 1}} -> tensor<6x4x4x!mli.sa8<1:8:-128>>
  return %s : tensor<6x4x4x!mli.sa8<1:8:-128>>
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

func.func @tiles(%a: !map) -> !map {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  // expected-error @+1 {{expected a kernel in a stream or in tiles, but got both}}
  %r = mli.relu ins(%a : !map) outs(%e : !map) {mli.tile = {sizes = array<i64: 1, 4, 4>, order = array<i64: 0>}, relu = #mli.relu<gen>} -> !map
  %s = mli.relu ins(%r : !map) outs(%f : !map) {mli.stream = {kernels = 2, rows = 1, room = 1, stripes = 1}, relu = #mli.relu<gen>} -> !map
  return %s : !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>
!half = tensor<3x4x4x!q>

// ST3
func.func @rates(%a: !map) -> (!half, !map) {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !half
  %g = tensor.empty() : !half
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  %s = mli.maxpool ins(%r : !map) outs(%f : !half) kernel [2, 1] pad [0, 0, 0, 0] {strides = array<i64: 2, 1>} -> !half
  %u = mli.maxpool ins(%r : !map) outs(%g : !half) kernel [4, 1] pad [0, 0, 0, 0] -> !half
  %h = tensor.empty() : !half
  // expected-error @+1 {{expected 'mli.stream' to be a stream, but two of its inputs have rows at different rates}}
  %t = mli.eltwise_max ins(%s, %u : !half, !half) outs(%h : !half) {mli.stream = {kernels = 4, rows = 1, room = 1, stripes = 1}} -> !half
  return %t, %r : !half, !map
}

// -----

!q = !mli.sa8<1:4:-128>
!map = tensor<6x4x4x!q>

func.func @strangers(%a: !map, %b: !map) -> (!map, !map) {
  %e = tensor.empty() : !map
  %f = tensor.empty() : !map
  %r = mli.relu ins(%a : !map) outs(%e : !map) {relu = #mli.relu<gen>} -> !map
  // expected-error @+1 {{expected 'mli.stream' to be a stream, but it shares no rows with other kernels}}
  %s = mli.relu ins(%b : !map) outs(%f : !map) {mli.stream = {kernels = 2, rows = 1, room = 1, stripes = 1}, relu = #mli.relu<gen>} -> !map
  return %r, %s : !map, !map
}

// -----

!q = !mli.sa8<1:4:-128>

// Strides that multiply to too many rows of a step.
// ST3
func.func @strides(%a: tensor<4900x1x4x!q>) -> tensor<1x1x4x!q> {
  %e = tensor.empty() : tensor<4900x1x4x!q>
  %f = tensor.empty() : tensor<70x1x4x!q>
  %g = tensor.empty() : tensor<1x1x4x!q>
  %r = mli.relu ins(%a : tensor<4900x1x4x!q>) outs(%e : tensor<4900x1x4x!q>) {relu = #mli.relu<gen>} -> tensor<4900x1x4x!q>
  %s = mli.maxpool ins(%r : tensor<4900x1x4x!q>) outs(%f : tensor<70x1x4x!q>) kernel [4, 1] pad [0, 0, 0, 0] {strides = array<i64: 70, 1>} -> tensor<70x1x4x!q>
  // expected-error @+1 {{expected 'mli.stream' to be a stream, but its strides multiply to over 4096}}
  %t = mli.maxpool ins(%s : tensor<70x1x4x!q>) outs(%g : tensor<1x1x4x!q>) kernel [4, 1] pad [0, 0, 0, 0] {strides = array<i64: 70, 1>, mli.stream = {kernels = 3, rows = 1, room = 1, stripes = 1}} -> tensor<1x1x4x!q>
  return %t : tensor<1x1x4x!q>
}
