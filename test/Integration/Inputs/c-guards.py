# SPDX-License-Identifier: Apache-2.0
#
# Runs the C of a network with each of its memories between guard bytes, poisoned
# before each call, in two threads, under ASan and UBSan, and compares with mli-run.
#   c-guards.py BUILD TEMP NETWORK INPUT.npy... [-- OPTION...]
#   c-guards.py BUILD TEMP NETWORK --cases [-- OPTION...]
# The options are for mli-compile. Where moves are no calls of their own, they copy as
# late as they may.

import pathlib
import re
import sys

from packages import RUNTIME, call, emit, find_cases, split_options

DRIVER = r"""
#include "net.h"
#include "late-moves.h"
#include "mli_api.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, NUM = %(count)d, RUNS = 2 };
/* Inputs, outputs, and what calls may do anything with. */
enum { IN, OUT, FREE };
static const size_t bytes[] = {%(bytes)s};
static const size_t alignments[] = {%(alignments)s};
static const int kinds[] = {%(kinds)s};
static char **files;

static int fail(const char *what, int i) {
  fprintf(stderr, "error: %%s of memory %%d\n", what, i);
  return 1;
}

static int run(unsigned char poison, int writes) {
  unsigned char *whole[NUM], *memory[NUM], *kept[NUM];
  int i, result = 0;
  size_t k;
  for (i = 0; i < NUM; ++i) {
    whole[i] = malloc(bytes[i] + 2 * GUARD + alignments[i]);
    memory[i] = whole[i] + GUARD;
    memory[i] += alignments[i] - (uintptr_t)memory[i] %% alignments[i];
    kept[i] = malloc(bytes[i] + 1);
    memset(memory[i], poison, bytes[i]);
    if (kinds[i] == IN) {
      FILE *file = fopen(files[i], "rb");
      if (file == NULL || fread(memory[i], 1, bytes[i], file) != bytes[i])
        return fail("input", i);
      fclose(file);
    }
    memset(memory[i] - GUARD, 0xA5, GUARD);
    memset(memory[i] + bytes[i], 0xA5, GUARD);
    memcpy(kept[i], memory[i], bytes[i]);
  }
  if (net_invoke(%(arguments)s) != MLI_STATUS_OK)
    return fail("status", 0);
  if (count_late() != 0)
    return fail("a move that nobody waits for", 0);
  for (i = 0; i < NUM; ++i) {
    for (k = 0; k < GUARD; ++k)
      if (*(memory[i] + bytes[i] + k) != 0xA5 || *(memory[i] - 1 - k) != 0xA5)
        result = fail("guard", i);
    if (kinds[i] == IN && memcmp(kept[i], memory[i], bytes[i]) != 0)
      result = fail("written input", i);
    if (kinds[i] == OUT && writes) {
      FILE *file = fopen(files[i], "wb");
      if (file == NULL || fwrite(memory[i], 1, bytes[i], file) != bytes[i])
        result = fail("output", i);
      fclose(file);
    }
    if (kinds[i] == OUT && !writes) {
      FILE *file = fopen(files[i], "rb");
      if (file == NULL || fread(kept[i], 1, bytes[i], file) != bytes[i] ||
          memcmp(kept[i], memory[i], bytes[i]) != 0)
        result = fail("another output", i);
      fclose(file);
    }
    free(whole[i]);
    free(kept[i]);
  }
  return result;
}

static void *run_often(void *poison) {
  int i;
  for (i = 0; i < RUNS; ++i)
    if (run(*(unsigned char *)poison, 0) != 0)
      exit(1);
  return NULL;
}

int main(int argc, char **argv) {
  unsigned char poisons[2] = {0x7F, 0x81};
  pthread_t threads[2];
  int i;
  files = argv + 1;
  if (argc != NUM + 1)
    return fail("files", argc);
  mli_mov_set_num_dma_ch(0, 16);
  if (net_check() != MLI_STATUS_OK)
    return fail("check", 0);
  if (run(0x00, 1) != 0 || run(0xFF, 0) != 0)
    return 1;
  for (i = 0; i < 2; ++i)
    if (pthread_create(&threads[i], NULL, run_often, &poisons[i]) != 0)
      return fail("thread", i);
  for (i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return 0;
}
"""


def read_parameters(header):
    """Name, kind, bytes, alignment and type of each parameter of net_invoke."""
    declaration = re.search(r"net_invoke\((.*?)\);", header, re.S).group(1)
    parameters = []
    for text in " ".join(declaration.split()).split(", "):
        port = re.fullmatch(r"(const )?(\w+) (\w+)\[(\w+)(?: / \d)?\]", text)
        if port:
            kind = "IN" if port.group(1) else "OUT"
            parameters.append((kind, port.group(4), "16", f"{port.group(2)} *"))
            continue
        macro = "NET_" + re.fullmatch(r"void \*(\w+)", text).group(1).upper()
        parameters.append(("FREE", f"{macro}_BYTES", f"{macro}_ALIGNMENT", "void *"))
    return parameters


def write_driver(package):
    parameters = read_parameters((package / "net.h").read_text())
    kinds, sizes, alignments, types = zip(*parameters)
    arguments = [f"({type})(void *)memory[{i}]" for i, type in enumerate(types)]
    text = DRIVER % {
        "count": len(parameters),
        "bytes": ", ".join(sizes),
        "alignments": ", ".join(alignments),
        "kinds": ", ".join(kinds),
        "arguments": ", ".join(arguments),
    }
    (package / "guards.c").write_text(text)
    return kinds


def read_elements(path):
    """The elements of a .npy, as the network has them: uint8 is int8 there."""
    data = path.read_bytes()
    length = int.from_bytes(data[8:10], "little")
    elements = data[10 + length :]
    is_unsigned = b"|u1" in data[10 : 10 + length]
    return bytes(byte ^ 0x80 for byte in elements) if is_unsigned else elements


def build_program(build, package):
    inputs = pathlib.Path(__file__).parent
    library = build / "lib"
    call(
        "gcc", "-std=gnu99", "-g", "-O1", "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all", f"-I{RUNTIME}", f"-I{inputs}", "-DLATE_HOOK",
        "-include", inputs / "late-moves.h", package / "net.c", package / "net_weights.c",
        package / "guards.c", inputs / "late-moves.c", "-o", package / "guards",
        library / "libmli.so", f"-Wl,-rpath,{library}", "-pthread",
    )
    return package / "guards"


def main():
    arguments, options = split_options(sys.argv[1:])
    build, temp, network = map(pathlib.Path, arguments[:3])
    temp.mkdir(parents=True)
    runs = [[pathlib.Path(path) for path in arguments[3:]]]
    if arguments[3] == "--cases":
        runs = list(find_cases(network).values())
    package = emit(build / "bin/mli-compile", network, temp / "package", options)
    kinds = write_driver(package)
    program = build_program(build, package)
    for number, inputs in enumerate(runs):
        expected = temp / f"expected_{number}"
        flags = [flag for path in inputs for flag in ("--input", path)]
        call(build / "bin/mli-run", network, "--output-dir", expected, *flags)
        files = [temp / f"memory_{i}" for i in range(len(kinds))]
        for path, file in zip(inputs, files):
            file.write_bytes(read_elements(path))
        call(program, *files)
        outputs = [file for kind, file in zip(kinds, files) if kind == "OUT"]
        for output, wanted in zip(outputs, sorted(expected.glob("*.npy"))):
            if output.read_bytes() != read_elements(wanted):
                sys.exit(f"{wanted}: not the same")
    print(f"{len(runs)} runs: the same")


main()
