# SPDX-License-Identifier: Apache-2.0
#
# Plants faults in the C of networks, one at a time, by edits of its text, and prints
# what notices each: the status of a call, other results, what guards.c sees, a sanitizer,
# a signal or the compiler. Fails if nothing does, or if the C without faults fails.
#   c-faults.py BUILD TEMP MODELS STATES.mlir STEPS.npy...
# Each of STEPS is the input of a stream of calls, which take turns.

import collections
import itertools
import pathlib
import re
import shutil
import subprocess
import sys

import guards
from packages import RUNTIME, call, emit, find_cases

LOCAL = ["--placement", "local", "--target", "vpx,npu-bytes=8192", "--double-buffer", "on"]
SWAP = {"state->turn": "1 - state->turn", "1 - state->turn": "state->turn"}
STATUSES = re.findall(r"(MLI_STATUS_\w+) = (\d+)", (RUNTIME / "mli_types.h").read_text())
STATUSES = {int(number): name for name, number in STATUSES}


# ------------------------------------------------------------------------------------
# Edits of the text
# ------------------------------------------------------------------------------------


def edit(text, pattern, replacement, count=1):
    """`text` with the first match of `pattern`, or `count` of them, replaced."""
    changed, number = re.subn(pattern, replacement, text, count=count, flags=re.S)
    if number == 0 or changed == text:
        sys.exit(f"nothing to change for {pattern}")
    return changed


def find_layers(text):
    """The functions of the layers."""
    return re.findall(r"^static mli_status layer_\d+\(.*?^}\n", text, re.S | re.M)


def find_layer(text, part):
    """The function of the first layer that has `part`."""
    return next(layer for layer in find_layers(text) if part in layer)


def find_operand(layer, name):
    """The description of the operand `name` of `layer`."""
    return re.search(rf"\*{name} = at\(&base->tensors\[\d\], &(\w+),", layer).group(1)


def edit_description(text, name, pattern, replacement):
    """`text` with the description `name` changed."""
    found = re.search(rf"static const mli_tensor {name} = .*?;\n", text, re.S).group(0)
    return text.replace(found, edit(found, pattern, replacement))


def add(number):
    """A replacement that adds `number` to the number between two other parts."""
    return lambda match: f"{match[1]}{int(match[2]) + number}{match[3]}"


# ------------------------------------------------------------------------------------
# Local memory and moves
# ------------------------------------------------------------------------------------

CONV = "mli_krn_conv2d"
WAIT = r" *status = end_moves\(moves, count, status\);\n"
LAYERS = r"(?: *LAYER\(\d+, [^\n]*\n)"


def change_stride(operand, number):
    """Adds to the distance of rows of an operand of the first convolution."""

    def change(text):
        name = find_operand(find_layer(text, CONV), operand)
        return edit_description(text, name, r"(\.mem_stride = \{)(\d+)(,)", add(number))

    return change


def change_padding(text):
    """Of all layers: the class of a network hardly depends on one row."""
    pattern = r"\.padding_top = 1, (\s*)\.padding_bottom = 0"
    text, count = re.subn(pattern, r".padding_top = 0, \1.padding_bottom = 1", text)
    if count == 0:
        sys.exit("no layer has padding above alone")
    return text


def change_offset(operand, number):
    """Puts an operand of the first convolution elsewhere."""

    def change(text):
        name = find_operand(find_layer(text, CONV), operand)
        return edit_description(text, name, r"(i32, )(\d+)(\))", add(number))

    return change


def change_offset_of_part(text):
    """Takes what a move brings from one byte earlier."""
    for layer in find_layers(text):
        found = re.search(r"\*src = at\(&base->tensors\[0\], &(tensor_arena_\d+),", layer)
        # What no other layer uses: else it is elsewhere for all.
        if found and len(re.findall(rf"\b{found[1]}\b", text)) == 2:
            if parse_places(text)[found[1]][1] > 0:
                return edit_description(text, found[1], r"(i32, )(\d+)(\))", add(-1))
    sys.exit("no part of the arena is used once")


def remove_wait(text):
    return edit(text, WAIT, "")


def remove_hooked_wait(text):
    """Removes the last wait before the first convolution."""
    number = re.search(r"layer_(\d+)\(", find_layer(text, CONV)).group(1)
    before, after = re.split(rf"(?= *LAYER\({number},)", text, maxsplit=1)
    return edit(before, r"(.*)\n *NET_WAIT\(\);\n", r"\1\n") + after


def wait_late(text):
    """Makes one of two blocks of moves and kernels that follow one another, so the
    second kernel runs before the moves of the first block end."""
    pattern = (
        r"(mli_mov_handle_t moves\[)\d(\];\n *int32_t count = 0;\n)"
        rf"((?: *MOVE\([^\n]*\n)+{LAYERS}){WAIT} *\}}\n({LAYERS}*) *\{{\n"
        r" *mli_mov_handle_t moves\[\d\];\n *int32_t count = 0;\n"
    )
    return edit(text, pattern, r"\g<1>16\2\3\4")


def parse_places(text):
    """Memory, first and last byte of each description."""
    pattern = r"/\* (\w+) (\d+) to (\d+) \*/\nstatic const mli_tensor (\w+) ="
    found = re.findall(pattern, text)
    return {name: (memory, int(first), int(last)) for memory, first, last, name in found}


def move_early(text):
    """Takes a move that writes over the source of another before the wait for that."""
    places = parse_places(text)

    def find(layer, operand):
        body = find_layer(text, f"layer_{layer}(")
        found = re.search(rf"\*{operand} = at\(&base->tensors\[\d\], &(\w+),", body)
        return places.get(found and found.group(1))

    def overlap(a, b):
        return a and b and a[0] == b[0] and a[1] <= b[2] and b[1] <= a[2]

    for match in re.finditer(rf"((?: *MOVE\([^\n]*\n)+){LAYERS}({WAIT} *\}}\n)({LAYERS}+)", text):
        begun = re.findall(r"MOVE\((\d+)", match[1])
        behind = re.findall(r"LAYER\((\d+)", match[3])
        for first, second in itertools.product(begun, behind):
            if overlap(find(first, "src"), find(second, "dst")):
                start, end = match.span(2)
                rest = match.end(3)
                return text[:start] + text[end:rest] + text[start:end] + text[rest:]
    sys.exit("no move writes over the source of another behind the wait for that")


def write_constants(text):
    """Gives a move of a constant axis parameters, and its result others, constant too."""
    layer = find_layer(text, "return mli_mov_tensor_sync(&tensor_net_")
    source = re.search(r"mli_mov_tensor_sync\(&(\w+),", layer).group(1)
    pattern = rf"mli_tensor {source} = .*?\.shape = \{{([^}}]*)\}}, \.rank = (\d)"
    shape = re.search(pattern, text, re.S)
    axis = int(shape.group(2)) - 1
    size = int(shape.group(1).split(", ")[axis])
    tables = ""
    for name in ("given", "written"):
        tables += f"static const int16_t {name}_scales[{size}] = {{16384}};\n"
        tables += f"static const int16_t {name}_zeros[{size}] = {{0}};\n"
        tables += f"static const int8_t {name}_bits[{size}] = {{14}};\n"
    for name, description in (("given", source), ("written", find_operand(layer, "dst"))):
        parameters = f"PER_AXIS({axis}, {size}, {name}_scales, {name}_bits, {name}_zeros)"
        text = edit_description(text, description, r"PER_TENSOR\([^)]*\)", parameters)
    return edit(text, r"(?=\n/\* Hooks around)", "\n" + tables)


def shorten_capacity(text):
    name = re.search(r"tensor_net_\w+", text).group(0)
    return edit_description(text, name, r"(BYTES\()(\d+)(, pi)", add(-1))


ASYNC_FAULTS = {
    "a shorter stride of an input": change_stride("in", -1),
    "a longer stride of an input": change_stride("in", 1),
    "a shorter stride of an output": change_stride("out", -1),
    "a longer stride of an output": change_stride("out", 1),
    "a padding": change_padding,
    "an offset of weights": change_offset("weights", 1),
    "an offset of a part of the arena": change_offset_of_part,
    "an offset behind local memory": change_offset("out", 16384),
    "a missing wait": remove_wait,
    "a late wait": wait_late,
    "a tensor that changes before the start": lambda text: edit(
        text, r"(?=status = mli_mov_start\()", "dst->data.mem.pi8 += 4;\n      "
    ),
    "a move before the wait for another": move_early,
    "an output with constant parameters": write_constants,
    "a capacity of a constant one byte short": shorten_capacity,
    "a table for a kernel one element short": lambda text: edit(
        text, r"(mli_lut lut = \{\.data = BYTES\()(\d+)(,)", add(-2)
    ),
    "a table for a check one element short": lambda text: edit(
        text, r"(_get_lut_size\(\) > )(\d+)(\))", add(-2)
    ),
}
HOOK_FAULTS = {
    "a missing wait": remove_hooked_wait,
}


# ------------------------------------------------------------------------------------
# States
# ------------------------------------------------------------------------------------


def swap_half(half, number=1):
    """The other half where `half` is, once, or in both places."""
    pattern = rf"(?<=\[){half}(?=\])"
    return lambda text: edit(text, pattern, lambda match: SWAP[match[0]], number)


def share_turn(text):
    """Gives all streams one turn."""
    shared = edit(text, "state->turn", "turn", 0)
    return edit(shared, r"(?=void net_reset\()", "static int32_t turn;\n")


STATE_FAULTS = {
    "in place, which is not safe": swap_half("1 - state->turn"),
    "the new half in place of the old one": swap_half(r"state->turn"),
    "both halves swapped": swap_half(r"(?:1 - )?state->turn", 0),
    "a turn for all streams": share_turn,
    "halves without turns": lambda text: edit(text, r" *state->turn = 1 - [^\n]*\n", ""),
}


# ------------------------------------------------------------------------------------
# What notices
# ------------------------------------------------------------------------------------

missed = []


def explain(ended):
    """What notices a fault, of what a command ended with; nothing if all is well."""
    if ended.returncode == 0:
        return ""
    for caller, pattern in (
        ("net_check", r"net_check returns (\d+)|another one, with status (\d+)"),
        ("net_invoke", r"net_invoke returns (\d+)|ended with status (\d+)"),
    ):
        found = re.search(pattern, ended.stderr)
        if found:
            return f"{caller} returns {STATUSES[int(found[1] or found[2])]}"
    found = re.search(r"AddressSanitizer: ([\w-]+)|runtime error: (.*)", ended.stderr)
    if found:
        access = re.search(r"caused by a (\w+) memory access", ended.stderr)
        return f"sanitizer: {found[1] or found[2]}{f' by a {access[1]}' if access else ''}"
    if ended.returncode < 0:
        return f"signal {-ended.returncode}"
    lines = re.findall(r"error: (.*)", ended.stderr) + re.findall(r"('.*' differs)", ended.stdout)
    return "; ".join(dict.fromkeys(lines))


def tell(fault, ended, by=""):
    """Prints what notices `fault`."""
    reason = explain(ended)
    if not reason:
        missed.append(fault)
    print(f"{fault}: {by}{reason or 'not noticed'}", flush=True)


def expect_success(subject, ended):
    if ended.returncode != 0:
        sys.exit(f"{subject} without a fault: {explain(ended)}\n{ended.stderr}")


def start(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


# ------------------------------------------------------------------------------------
# Programs
# ------------------------------------------------------------------------------------


def plant_guarded(build, package, network, streams, flags, subject, faults):
    """Plants `faults` in the net.c of `package`, which guards.c runs."""
    guarded = guards.Guards(build, package)
    files = []
    for number, inputs in enumerate(streams):
        folder = package / f"stream_{number}"
        files += guards.prepare(build, guarded, network, inputs, folder, flags)
    expect_success(subject, guards.run(guarded.link(package / "net.c"), files))
    text = (package / "net.c").read_text()
    for number, (fault, change) in enumerate(faults.items()):
        source = package / f"fault_{number}.c"
        source.write_text(change(text))
        tell(f"{subject}: {fault}", guards.run(guarded.link(source), files))


def plant_moves(build, temp, network):
    inputs = next(iter(find_cases(network).values()))
    for moves, faults in (("async", ASYNC_FAULTS), ("hook", HOOK_FAULTS)):
        options = [*LOCAL, "--moves", moves]
        package = emit(build / "bin/mli-compile", network, temp / moves, options)
        plant_guarded(build, package, network, [inputs], [], moves, faults)


def plant_states(build, temp, network, streams):
    for entry in ("gru", "delay", "register"):
        flags = ["--entry", entry]
        package = emit(build / "bin/mli-compile", network, temp / entry, flags)
        plant_guarded(build, package, network, streams, flags, entry, STATE_FAULTS)


def compile_all(build, folder, *more):
    """Compiles the package in `folder`, with its test program or with `more`."""
    sources = sorted(folder.glob("net*.c"))
    if more:
        sources = [path for path in sources if path.name != "net_test.c"]
    library = build / "lib"
    link = [library / "libmli.so", f"-Wl,-rpath,{library}"]
    command = ["gcc", "-std=c99", f"-I{RUNTIME}", f"-I{folder}", *sources, *more]
    return start(*command, "-o", folder / "test", *link)


def plant_package(build, package, fault, changes, arguments):
    """Plants one fault in files of a copy of `package`."""
    copy = package.parent / f"{package.name}_fault"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(package, copy)
    for name, change in changes.items():
        (copy / name).write_text(change((package / name).read_text()))
    built = compile_all(build, copy)
    if built.returncode != 0:
        tell(fault, built, "compiler: ")
    else:
        tell(fault, start(copy / "test", *arguments))


def flip(at):
    return lambda data: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


BLOB_FAULTS = {
    "one byte short": lambda data: data[:-1],
    "another magic": flip(0),
    "another length": flip(4),
    "another sum": flip(8),
    "another first byte": flip(16),
    "another last byte": lambda data: flip(len(data) - 1)(data),
}


def shorten_table(text):
    """Declares the first table with an element less."""
    return edit(text, r"(const int8_t \w+\[)(\d+)(\])", add(-1))


def drop_element(text):
    """Takes the last element from the first table, as it is defined."""
    return edit(text, r"(const int8_t \w+\[\d+\] = \{[^}]*?)-?\d+,(\s*\})", r"\1\2")


def shorten_definition(text):
    return drop_element(shorten_table(text))


TABLE_FAULTS = {
    "defined with an element less": {"net_weights.c": shorten_definition},
    "declared so, too": {"net_weights.c": shorten_definition, "net_weights.h": shorten_table},
    "without its last element": {"net_weights.c": drop_element},
}


def plant_tables(build, temp, network):
    inputs = next(iter(find_cases(network).values()))
    given = [flag for path in inputs for flag in ("--input", path)]
    call(build / "bin/mli-run", network, *given, "--output-dir", temp / "expected")
    expected = sorted((temp / "expected").glob("*.npy"))
    arguments = [*inputs, "-c", *expected]

    blob = emit(build / "bin/mli-compile", network, temp / "blob", ["--weights", "blob"])
    expect_success("blob", compile_all(build, blob))
    expect_success("blob", start(blob / "test", blob / "net.bin", *arguments))
    for fault, change in BLOB_FAULTS.items():
        (temp / "net.bin").write_bytes(change((blob / "net.bin").read_bytes()))
        tell(f"blob: {fault}", start(blob / "test", temp / "net.bin", *arguments))

    source = emit(build / "bin/mli-compile", network, temp / "source")
    expect_success("source", compile_all(build, source))
    expect_success("source", start(source / "test", *arguments))
    for fault, changes in TABLE_FAULTS.items():
        plant_package(build, source, f"table: {fault}", changes, arguments)


def plant_channels(build, temp, network):
    options = [*LOCAL, "--moves", "async"]
    package = emit(build / "bin/mli-compile", network, temp / "channels", options)
    inputs = next(iter(find_cases(network).values()))
    expect_success("channels", compile_all(build, package))
    expect_success("channels", start(package / "test", *inputs))

    def change(text):
        return edit(text, r"NET_DMA_CHANNELS\)", "NET_DMA_CHANNELS - 1)")

    plant_package(build, package, "channels: one too few", {"net_test.c": change}, inputs)


MODES = r"""
#include "net.h"
#include "mli_runtime.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  mli_status status;
  if (argc != 3)
    return 2;
  mli_set_rounding_mode((mli_rounding_mode)atoi(argv[1]));
  mli_set_accumulation_mode((mli_accumulation_mode)atoi(argv[2]));
  status = net_check();
  fprintf(stderr, "net_check returns %d\n", (int)status);
  return status == MLI_STATUS_OK ? 0 : 1;
}
"""


def plant_modes(build, temp, network):
    """A package for each mode, with the library in each mode."""
    (temp / "modes.c").write_text(MODES)
    accumulations = ("narrow", "full-products", "full-averages", "full")
    modes = list(itertools.product(enumerate(("up", "convergent")), enumerate(accumulations)))
    reasons = collections.Counter()
    for (i, rounding), (j, accumulation) in modes:
        name = f"{rounding}, {accumulation}"
        options = ["--rounding", rounding, "--accumulation", accumulation]
        package = emit(build / "bin/mli-compile", network, temp / f"modes_{i}_{j}", options)
        expect_success(name, compile_all(build, package, temp / "modes.c"))
        for (k, _), (m, _) in modes:
            ended = start(package / "test", k, m)
            if (i, j) == (k, m):
                expect_success(name, ended)
                continue
            reason = explain(ended)
            reasons[reason] += 1
            if not reason:
                missed.append(f"{name} with {k}, {m}")
    for reason, count in reasons.items():
        print(f"modes: {count} of a library for other ones: {reason or 'not noticed'}")


def main():
    build, temp, models, states, *steps = map(pathlib.Path, sys.argv[1:])
    temp.mkdir(parents=True)
    resnet8 = models / "resnet8_cifar10/model.tflite"
    plant_moves(build, temp, resnet8)
    plant_states(build, temp, states, [[path] for path in steps])
    plant_tables(build, temp, models / "kws_dscnn/model.tflite")
    plant_channels(build, temp, resnet8)
    plant_modes(build, temp, resnet8)
    if missed:
        sys.exit(f"not noticed: {', '.join(missed)}")
    print("all faults are noticed")


main()
