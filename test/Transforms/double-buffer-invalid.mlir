// RUN: not mli-opt %s --mli-double-buffer=mode=no 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not mli-opt %s --mli-double-buffer=overrides=%t.none 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: mli-opt %s --mli-attach-target=target=vpx --mli-double-buffer="explain overrides=%S/Inputs/waited-for.json" 2>&1 | FileCheck %s --check-prefix=WAITED
// RUN: mli-opt %s --mli-double-buffer="mode=off overrides=%t.none" -o /dev/null
// RUN: not mli-opt %s --mli-double-buffer 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not mli-opt %s --mli-attach-target=target=vpx --mli-tile-to-fit=double-buffer=no 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: mli-opt %s --mli-attach-target=target=custom,npus=1,npu-bytes=128,unit=16 --mli-double-buffer="mode=on explain" 2>&1 | FileCheck %s --check-prefix=PLACES

// MODE: for the --mode option: Cannot find option named 'no'!{{$}}
// FILE: error: expected 'overrides' to be a file, but got {{.*}}.none
// WAITED: remark: transfers do not overlap, as 'overlap' is 0{{$}}
// PLACES: remark: transfers do not overlap, as the planner finds no addresses for the buffers{{$}}
// TARGET: error: 'func.func' op expected 'mli.target' to be on a module around, but got none{{$}}
// TILES: for the --double-buffer option: Cannot find option named 'no'!{{$}}

!map = memref<4x4x8x!mli.fx8<5>>
!local = memref<4x4x8x!mli.fx8<5>, #mli.space<local>>
func.func @main(%in: !map, %out: !map) {
  %a = mli.alloc : !local
  mli.mov ins(%in : !map) outs(%a : !local)
  %b = mli.alloc : !local
  mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
  mli.mov ins(%b : !local) outs(%out : !map)
  return
}

func.func @full(%in: !map, %out: !map, %last: !map) {
  %a = mli.alloc : !local
  mli.mov ins(%in : !map) outs(%a : !local)
  %b = mli.alloc : !local
  mli.relu ins(%a : !local) outs(%b : !local) {relu = #mli.relu<gen>}
  mli.mov ins(%b : !local) outs(%out : !map)
  %d = mli.alloc : !local
  mli.relu ins(%b : !local) outs(%d : !local) {relu = #mli.relu<gen>}
  mli.mov ins(%d : !local) outs(%last : !map)
  return
}
