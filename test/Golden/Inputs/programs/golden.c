/* SPDX-License-Identifier: Apache-2.0 */

#include "golden.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *current;
static bool is_same;
static unsigned passed, failed;

/* The memory of a case, with guards around each part. Parts have the alignment
 * that allocated memory has. */
enum { GUARD = 64, GUARD_BYTE = 0xA7, ALIGNMENT = 16 };
static uint8_t memory[1 << 18] __attribute__((aligned(ALIGNMENT)));
static size_t used;
static struct {
  size_t begin, end;
} parts[64];
static unsigned part_count;

/* Says so once for each case. */
static bool differs(const char *what) {
  bool is_first = is_same;
  is_same = false;
  if (is_first)
    printf("%s: %s", current, what);
  return is_first;
}

static void compare_at(const char *what, const char *part, size_t i,
                       int64_t expected, int64_t got) {
  if (expected != got && differs(what))
    printf("%s[%lu]: expected %ld, but got %ld\n", part, (unsigned long)i,
           (long)expected, (long)got);
}

static void compare(const char *what, const char *part, int64_t expected,
                    int64_t got) {
  if (expected != got && differs(what))
    printf("%s: expected %ld, but got %ld\n", part, (long)expected, (long)got);
}

static size_t round_up(size_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *golden_filled(int byte, size_t size) {
  size_t begin = used + GUARD, end = begin + size;
  if (round_up(end + GUARD) > sizeof(memory) ||
      part_count == sizeof(parts) / sizeof(parts[0])) {
    printf("%s: no memory for it\n", current);
    exit(2);
  }
  used = round_up(end + GUARD);
  memset(memory + begin - GUARD, GUARD_BYTE, used - (begin - GUARD));
  parts[part_count].begin = begin;
  parts[part_count++].end = end;
  return memset(memory + begin, byte, size);
}

void *golden_copied(const uint8_t *bytes, size_t size) {
  return memcpy(golden_filled(0, size), bytes, size);
}

static void check_guards(void) {
  for (unsigned i = 0; i < part_count; ++i)
    for (size_t j = 0; j < GUARD; ++j) {
      compare_at("memory", " before a part", j, GUARD_BYTE,
                 memory[parts[i].begin - GUARD + j]);
      compare_at("memory", " behind a part", j, GUARD_BYTE,
                 memory[parts[i].end + j]);
    }
}

void golden_number(const char *what, int64_t expected, int64_t got) {
  compare(what, "", expected, got);
}

void golden_text(const char *what, const char *expected, const char *got) {
  if (strcmp(expected, got) != 0 && differs(what))
    printf(": expected '%s', but got '%s'\n", expected, got);
}

void golden_bytes(const char *what, const uint8_t *expected, const void *got,
                  size_t size) {
  const uint8_t *bytes = got;
  for (size_t i = 0; i < size; ++i)
    compare_at(what, "", i, expected[i], bytes[i]);
}

static void compare_container(const char *what, const char *part,
                              bool is_pointer,
                              const mli_data_container *expected,
                              const mli_data_container *got) {
  compare(what, part, expected->capacity, got->capacity);
  if (is_pointer)
    compare(what, part, (intptr_t)expected->mem.pi8, (intptr_t)got->mem.pi8);
  else
    compare(what, part, expected->mem.i32, got->mem.i32);
}

void golden_tensor(const char *what, const mli_tensor *expected,
                   const mli_tensor *got) {
  compare_container(what, ".data", expected->rank != 0, &expected->data,
                    &got->data);
  for (size_t i = 0; i < MLI_MAX_RANK; ++i) {
    compare_at(what, ".mem_stride", i, expected->mem_stride[i],
               got->mem_stride[i]);
    compare_at(what, ".shape", i, expected->shape[i], got->shape[i]);
  }
  compare(what, ".rank", expected->rank, got->rank);
  compare(what, ".el_type", expected->el_type, got->el_type);
  const mli_element_params *params = &expected->el_params;
  const mli_element_params *got_params = &got->el_params;
  compare(what, ".frac_bits", params->fx.frac_bits, got_params->fx.frac_bits);
  bool is_array = params->sa.dim >= 0;
  compare(what, ".dim", params->sa.dim, got_params->sa.dim);
  compare_container(what, ".zero_point", is_array, &params->sa.zero_point,
                    &got_params->sa.zero_point);
  compare_container(what, ".scale", is_array, &params->sa.scale,
                    &got_params->sa.scale);
  compare_container(what, ".scale_frac_bits", is_array,
                    &params->sa.scale_frac_bits,
                    &got_params->sa.scale_frac_bits);
}

void golden_lut(const char *what, const mli_lut *expected, const mli_lut *got) {
  compare_container(what, ".data", true, &expected->data, &got->data);
  compare(what, ".type", expected->type, got->type);
  compare(what, ".length", expected->length, got->length);
  compare(what, ".in_frac_bits", expected->in_frac_bits, got->in_frac_bits);
  compare(what, ".out_frac_bits", expected->out_frac_bits, got->out_frac_bits);
  compare(what, ".input_offset", expected->input_offset, got->input_offset);
  compare(what, ".output_offset", expected->output_offset, got->output_offset);
}

static int32_t kept;
void golden_keep(int32_t cookie) { kept = cookie; }
int32_t golden_kept(void) { return kept; }

void golden_run(const char *name, void (*run)(void)) {
  current = name;
  is_same = true;
  used = part_count = 0;
  kept = 0;
  run();
  check_guards();
  if (is_same)
    ++passed;
  else
    ++failed;
}

int golden_end(void) {
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
