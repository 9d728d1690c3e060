"""What each tool writes in a test of faults: a command line on files that are
made for it, each output of several times 4096 bytes where that is possible."""

import pathlib
import struct

HERE = pathlib.Path(__file__).parent
TEST = HERE.parent.parent


class Case:
    """`files` in the order in which they get their names; those of them that
    `vary` differ from run to run. Whether it `shows` anything, whether all files
    are written together, and whether faults reach what the C library writes."""

    def __init__(
        self, command, files=(), vary=(), shows=False, together=True, reached=True
    ):
        self.command, self.files, self.vary = command, files, vary
        self.shows, self.together, self.reached = shows, together, reached


def write(path, text):
    path.write_text(text)
    return str(path)


def constants(folder):
    body = "".join(f"  %{i} = arith.constant {i} : i32\n" for i in range(300))
    return write(folder / "in.mlir", f"func.func @f() {{\n{body}  return\n}}\n")


def opt(folder):
    return Case(["mli-opt", constants(folder), "-o", "out.mlir"], ["out.mlir"])


def opt_shown(folder):
    return Case(["mli-opt", constants(folder)], shows=True)


def memory_map(folder):
    body = "".join(
        f"  %{i} = memref.alloc() : memref<8x!mli.sa8<1:4:0>>\n"
        f"  mli.mov ins(%a : memref<8x!mli.sa8<1:4:0>>) "
        f"outs(%{i} : memref<8x!mli.sa8<1:4:0>>)\n"
        for i in range(80)
    )
    source = f"func.func @f(%a: memref<8x!mli.sa8<1:4:0>>) {{\n{body}  return\n}}\n"
    printed = "--mli-print-memory-map=format=svg output=map.svg"
    return Case(
        ["mli-opt", write(folder / "in.mlir", source), printed, "-o", "out.mlir"],
        ["map.svg", "out.mlir"],
        together=False,
    )


def translate(folder):
    body = "".join(f"llvm.func @function{i}(i64)\n" for i in range(300))
    source = write(folder / "in.mlir", body)
    return Case(["mli-translate", "--mlir-to-llvmir", source, "-o=out.ll"], ["out.ll"])


def reduce(folder):
    reduction = f"opt-pass=canonicalize test={HERE / 'has-softmax'}"
    return Case(
        ["mli-reduce", str(HERE / "reduce.mlir"), "-o", "out.mlir"]
        + [f"--opt-reduction-pass={reduction}"],
        ["out.mlir"],
    )


def run(folder):
    kind = "tensor<9000x!mli.sa8<1:4:0>>"
    source = f"""func.func @main(%a: {kind}) -> ({kind}, {kind}) {{
  %e = tensor.empty() : {kind}
  %0 = mli.relu ins(%a : {kind}) outs(%e : {kind}) {{relu = #mli.relu<gen>}} -> {kind}
  return %a, %0 : {kind}, {kind}
}}
"""
    header = "{'descr': '|i1', 'fortran_order': False, 'shape': (9000,), }".encode()
    header = header.ljust(117) + b"\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    (folder / "in.npy").write_bytes(data + bytes(i % 256 for i in range(9000)))
    return Case(
        ["mli-run", write(folder / "in.mlir", source), "--input", str(folder / "in.npy")]
        + ["--output-dir", "results", "--profile", "trace.json", "--top", "3"],
        ["results/output_0.npy", "results/output_1.npy", "trace.json"],
        vary=["trace.json"],
        shows=True,
    )


def plan(folder):
    rows = "".join(f"{i},{i},{i + 3},{64 + i}\n" for i in range(200))
    table = write(folder / "in.csv", "id,lower,upper,size\n" + rows)
    return Case(
        ["mli-plan", table, "-o", "out.csv", "--svg", "out.svg", "--tflm", "out.bin"],
        ["out.csv", "out.svg", "out.bin"],
        shows=True,
    )


def layout(folder):
    return Case(
        ["mli-layout", "--shape=2,8,6,6", "--npus=4", "--json", "--svg=out.svg"],
        ["out.svg"],
        shows=True,
    )


def golden(folder):
    vectors = str(TEST / "Golden" / "Inputs" / "api" / "missing.json")
    return Case(["mli-golden", "--uncalled", vectors], shows=True)


def bench(folder):
    layers = str(TEST / "Benchmark" / "layers.csv")
    return Case(["mli-bench", layers, "--once", "--only=softmax"], shows=True, reached=False)


def plan_bench(folder):
    command = ["mli-plan-bench", "--benchmark_list_tests"]
    return Case(command, shows=True, reached=False)


CASES = {
    "opt": opt,
    "opt-shown": opt_shown,
    "memory-map": memory_map,
    "translate": translate,
    "reduce": reduce,
    "run": run,
    "plan": plan,
    "plan-bench": plan_bench,
    "layout": layout,
    "golden": golden,
    "bench": bench,
}
