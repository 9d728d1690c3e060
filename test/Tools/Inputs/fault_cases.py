"""What each tool writes in a test of faults: a command line on files that are
made for it, each output of several times 4096 bytes where that is possible."""

import json
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).parent
TEST = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path.append(str(TEST / "Import" / "Inputs"))

from tflite import Network  # noqa: E402


class Case:
    """`files` in the order in which they get their names; those of them that
    `vary` differ from run to run. Whether it `shows` anything, whether all files
    are written together, whether faults reach what the C library writes, and what
    is on standard input."""

    def __init__(
        self, command, files=(), vary=(), shows=False, together=True, reached=True, given=b""
    ):
        self.command, self.files, self.vary = command, files, vary
        self.shows, self.together, self.reached = shows, together, reached
        self.given = given


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


def network(folder):
    network = Network()
    tensors = [network.tensor([1, 8], 0.1) for _ in range(100)]
    for given, made in zip(tensors, tensors[1:]):
        network.operator("RELU", [given], [made])
    network.inputs, network.outputs = tensors[:1], tensors[-1:]
    network.write(str(folder / "in.tflite"))
    return str(folder / "in.tflite")


def import_tflite(folder):
    command = ["mli-translate", "--import-tflite", network(folder), "-o", "out.mlir"]
    return Case(command, ["out.mlir"])


def inspect(folder):
    command = ["mli-translate", "--inspect", "--json", network(folder), "-o", "out.json"]
    return Case(command, ["out.json"])


def inspect_shown(folder):
    return Case(["mli-translate", "--inspect", network(folder)], shows=True)


def npy(path, count):
    header = "{'descr': '|i1', 'fortran_order': False, 'shape': (%d,), }" % count
    header = header.encode().ljust(117) + b"\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    path.write_bytes(data + bytes(i % 128 for i in range(count)))
    return str(path)


def layers(folder):
    kind = "tensor<9000x!mli.sa8<1:4:0>>"
    source = f"""func.func @main(%a: {kind}) -> {kind} {{
  %e = tensor.empty() : {kind}
  %0 = mli.relu ins(%a : {kind}) outs(%e : {kind}) {{relu = #mli.relu<gen>}} -> {kind}
  return %0 : {kind}
}}
"""
    (folder / "records").mkdir()
    npy(folder / "records" / "op00_relu_t1.npy", 9000)
    return Case(
        ["mli-run", write(folder / "in.mlir", source), "--input", npy(folder / "in.npy", 9000)]
        + ["--layers", str(folder / "records")],
        shows=True,
    )


def record(folder):
    case = layers(folder)
    case.command[-2:] = ["--record", "run"]
    return Case(case.command, ["run/op00_relu_t0.npy", "run/layers.json"], shows=True)


def run(folder):
    kind = "tensor<9000x!mli.sa8<1:4:0>>"
    source = f"""func.func @main(%a: {kind}) -> ({kind}, {kind}) {{
  %e = tensor.empty() : {kind}
  %0 = mli.relu ins(%a : {kind}) outs(%e : {kind}) {{relu = #mli.relu<gen>}} -> {kind}
  return %a, %0 : {kind}, {kind}
}}
"""
    return Case(
        ["mli-run", write(folder / "in.mlir", source), "--input", npy(folder / "in.npy", 9000)]
        + ["--output-dir", "results", "--profile", "trace.json", "--top", "3"]
        + ["--benchmark", "1", "--per-layer=layers.json", "--memory-map", "map.svg"],
        ["results/output_0.npy", "results/output_1.npy", "trace.json", "layers.json", "map.svg"],
        vary=["trace.json", "layers.json"],
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


def plan_check(folder):
    rows = "".join(f"{i},{i},{i + 1},64,0\n" for i in range(200))
    return Case(
        ["mli-plan", "--check", write(folder / "in.csv", "id,lower,upper,size,offset\n" + rows)],
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


def golden_run(folder):
    return Case(["mli-golden", str(TEST / "Golden" / "Inputs" / "api")], shows=True)


def lsp_server(folder):
    """A program with many errors, which an editor is told of."""
    part = "func.func @f() {\n  unknown\n}\n// -----\n"
    document = {"uri": "test:///in.mlir", "languageId": "mlir", "version": 1, "text": part * 100}
    client = {"processId": 123, "rootPath": "", "capabilities": {}, "trace": "off"}
    messages = [
        {"id": 0, "method": "initialize", "params": client},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    ]
    given = "\n// -----\n".join(json.dumps({"jsonrpc": "2.0", **m}) for m in messages)
    return Case(["mli-lsp-server", "-lit-test"], shows=True, given=f"{given}\n".encode())


def bench(folder):
    layers = str(TEST / "Benchmark" / "layers.csv")
    return Case(["mli-bench", layers, "--once", "--only=softmax"], shows=True, reached=False)


def plan_bench(folder):
    command = ["mli-plan-bench", "--benchmark_list_tests"]
    return Case(command, shows=True, reached=False)


def plan_bench_help(folder):
    return Case(["mli-plan-bench", "--help"], shows=True, reached=False)


CASES = {
    "opt": opt,
    "opt-shown": opt_shown,
    "memory-map": memory_map,
    "translate": translate,
    "import-tflite": import_tflite,
    "inspect": inspect,
    "inspect-shown": inspect_shown,
    "reduce": reduce,
    "run": run,
    "layers": layers,
    "record": record,
    "plan": plan,
    "plan-check": plan_check,
    "plan-bench": plan_bench,
    "plan-bench-help": plan_bench_help,
    "layout": layout,
    "golden": golden,
    "golden-run": golden_run,
    "lsp-server": lsp_server,
    "bench": bench,
}
