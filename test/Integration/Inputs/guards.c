/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a network with each of its memories between guard bytes, poisoned before each
 * call: alone and in two threads. Several NPUs are one device: threads use it one after
 * the other, and its memory is poisoned before all. Streams of calls take turns:
 *   guards FILE...       for each stream a file for each memory, `-` where there is none
 * Files of inputs and outputs hold all steps; outputs have to be what theirs say.
 * guards.h is of the network. */

#include "net.h"
#include "guards.h"
#include "late-moves.h"
#include "mli_api.h"
#include "mli_local.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, MOST = 4, RUNS = 2 };

static const size_t bytes[NUM] = {SIZES};
static const size_t alignments[NUM] = {ALIGNMENTS};
static const memory_kind kinds[NUM] = {KINDS};
static char **files;
static int num_streams;

typedef struct {
  unsigned char *whole[NUM], *memory[NUM], *steps[NUM];
  long num_steps;
} stream;

static int fail(const char *what, int number) {
  fprintf(stderr, "error: %s %d\n", what, number);
  return 1;
}

static unsigned char *allocate(size_t size) {
  unsigned char *memory = malloc(size);
  if (memory == NULL)
    exit(fail("memory", 0));
  return memory;
}

/* Reads all steps of memory `i`. */
static void read_steps(stream *one, int i, const char *path) {
  FILE *file = fopen(path, "rb");
  long size = -1;
  if (file != NULL && fseek(file, 0, SEEK_END) == 0)
    size = ftell(file);
  if (size <= 0 || size % (long)bytes[i] != 0 ||
      (one->num_steps != 0 && size / (long)bytes[i] != one->num_steps))
    exit(fail("steps of memory", i));
  one->num_steps = size / (long)bytes[i];
  one->steps[i] = allocate((size_t)size);
  rewind(file);
  if (fread(one->steps[i], 1, (size_t)size, file) != (size_t)size)
    exit(fail("file of memory", i));
  fclose(file);
}

static void begin(stream *one, char **paths, unsigned char poison) {
  int i;
  one->num_steps = 0;
  for (i = 0; i < NUM; ++i) {
    one->whole[i] = allocate(bytes[i] + 2 * GUARD + alignments[i]);
    one->memory[i] = one->whole[i] + GUARD;
    one->memory[i] += alignments[i] - (uintptr_t)one->memory[i] % alignments[i];
    memset(one->memory[i] - GUARD, 0xA5, bytes[i] + 2 * GUARD);
    memset(one->memory[i], poison, bytes[i]);
    one->steps[i] = NULL;
    if (kinds[i] == IN || kinds[i] == OUT)
      read_steps(one, i, paths[i]);
  }
  RESET(one->memory);
}

static int run_step(stream *one, long step, unsigned char poison) {
  mli_status status;
  int i, result = 0;
  size_t k;
  for (i = 0; i < NUM; ++i) {
    if (kinds[i] == IN)
      memcpy(one->memory[i], one->steps[i] + (size_t)step * bytes[i], bytes[i]);
    else if (kinds[i] != STATE)
      memset(one->memory[i], poison, bytes[i]);
  }
  status = INVOKE(one->memory);
  if (status != MLI_STATUS_OK)
    return fail("net_invoke returns", (int)status);
  if (count_late() != 0)
    result = fail("moves that nobody waits for:", count_late());
  for (i = 0; i < NUM; ++i) {
    const unsigned char *given = one->steps[i] + (size_t)step * bytes[i];
    for (k = 0; k < GUARD; ++k)
      if (*(one->memory[i] + bytes[i] + k) != 0xA5 ||
          *(one->memory[i] - 1 - k) != 0xA5) {
        result = fail("guards of memory", i);
        break;
      }
    if (kinds[i] == IN && memcmp(one->memory[i], given, bytes[i]) != 0)
      result = fail("written input", i);
    if (kinds[i] == OUT && memcmp(one->memory[i], given, bytes[i]) != 0)
      result = fail("another output in step", (int)step);
  }
  return result;
}

static void end(stream *one) {
  int i;
  for (i = 0; i < NUM; ++i) {
    free(one->whole[i]);
    free(one->steps[i]);
  }
}

/* The next call finds new memory, which is poisoned. */
static void poison_device(unsigned char poison) {
  mli_local_target target = mli_local_get_target();
  mli_local_set_poison(1, poison);
  if (mli_local_configure(&target) != MLI_STATUS_OK)
    exit(fail("device", 0));
}

/* All streams, a step of each in turns. */
static int run_all(unsigned char poison) {
  stream streams[MOST];
  int i, is_left = 1, result = 0;
  long step;
  if (HAS_DEVICE)
    poison_device(poison);
  for (i = 0; i < num_streams; ++i)
    begin(&streams[i], files + i * NUM, poison);
  for (step = 0; is_left && result == 0; ++step) {
    is_left = 0;
    for (i = 0; i < num_streams && result == 0; ++i)
      if (step < streams[i].num_steps) {
        is_left = 1;
        result = run_step(&streams[i], step, poison);
      }
  }
  for (i = 0; i < num_streams; ++i)
    end(&streams[i]);
  return result;
}

static void *run_often(void *poison) {
  int i;
  for (i = 0; i < RUNS; ++i)
    if (run_all(*(unsigned char *)poison) != 0)
      exit(1);
  return NULL;
}

int main(int argc, char **argv) {
  unsigned char poisons[2] = {0x7F, 0x81};
  pthread_t threads[2];
  mli_status status;
  int i;
  files = argv + 1;
  num_streams = (argc - 1) / NUM;
  if (num_streams < 1 || num_streams > MOST || (argc - 1) % NUM != 0)
    return fail("files", argc - 1);
  mli_mov_set_num_dma_ch(0, 16);
  status = net_check();
  if (status != MLI_STATUS_OK)
    return fail("net_check returns", (int)status);
  if (run_all(0x00) != 0 || run_all(0xFF) != 0)
    return 1;
  for (i = 0; i < 2; ++i) {
    if (pthread_create(&threads[i], NULL, run_often, &poisons[i]) != 0)
      return fail("thread", i);
    if (HAS_DEVICE)
      pthread_join(threads[i], NULL);
  }
  for (i = 0; i < 2 && !HAS_DEVICE; ++i)
    pthread_join(threads[i], NULL);
  return 0;
}
