// SPDX-License-Identifier: Apache-2.0
//
// An opponent of mli-bench that computes layers with weights and sums by plain
// integers and one rounding. Tests compile it into several modules:
//   NAME, INTERFACE, HEADERS, VERSION, REASON, CREATE  what mli-bench is told
//   OFF=N     a variant that takes no time is N off; WRONG: it is the only one
//   FAIL      all runs but the first fail
//   NOTHING=N runs cost something besides layers, as N steps do
//   ANY       the library serves any headers
//   EMPTY     it is no module

#include "Opponent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef NAME
#define NAME "right"
#endif
#ifndef INTERFACE
#define INTERFACE MLI_BENCH_INTERFACE
#endif
#ifndef HEADERS
#define HEADERS "1.2.3"
#endif
#ifndef VERSION
#define VERSION HEADERS
#endif
#ifndef REASON
#define REASON NULL
#endif
#ifndef CREATE
#define CREATE create
#endif

struct state {
  const mli_bench_layer *layer;
  const mli_bench_operands *operands;
  int8_t *codes;
  int runs;
};

static int8_t to_code(double value) {
  value = floor(value + 0.5);
  return (int8_t)(value < -128 ? -128 : value > 127 ? 127 : value);
}

// Output n at y, x.
static int8_t weigh(const mli_bench_layer *l, const mli_bench_operands *o,
                    int y, int x, int n) {
  int is_depthwise = !strcmp(l->kind, "dw");
  int inputs = is_depthwise ? 1 : l->inputs;
  int32_t sum = o->bias[n];
  for (int ky = 0; ky < l->kernel_height; ++ky)
    for (int kx = 0; kx < l->kernel_width; ++kx) {
      int iy = y * l->stride_height + ky - l->pad_top;
      int ix = x * l->stride_width + kx - l->pad_left;
      if (iy < 0 || ix < 0 || iy >= l->height || ix >= l->width)
        continue;
      for (int c = 0; c < inputs; ++c) {
        int channel = is_depthwise ? n : c;
        int tap = ky * l->kernel_width + kx;
        sum +=
            (o->in[(iy * l->width + ix) * l->inputs + channel] - o->in_zero) *
            o->weights[(tap * inputs + c) * l->outputs + n];
      }
    }
  return to_code((double)o->in_scale * o->weight_scales[n] / o->out_scale *
                     sum +
                 o->out_zero);
}

static int8_t add(const mli_bench_operands *o, int i) {
  return to_code(((double)o->in_scale * (o->in[i] - o->in_zero) +
                  (double)o->in2_scale * (o->in2[i] - o->in2_zero)) /
                     o->out_scale +
                 o->out_zero);
}

static void compute(struct state *state) {
  const mli_bench_layer *l = state->layer;
  int8_t *code = state->codes;
  for (int y = 0; y < l->out_height; ++y)
    for (int x = 0; x < l->out_width; ++x)
      for (int n = 0; n < l->outputs; ++n, ++code)
        *code = state->operands->weights
                    ? weigh(l, state->operands, y, x, n)
                    : add(state->operands, (int)(code - state->codes));
}

static int run(void *state) {
  struct state *self = state;
  compute(self);
  ++self->runs;
#ifdef FAIL
  return self->runs > 1;
#else
  return 0;
#endif
}

static size_t count(const mli_bench_layer *l) {
  return (size_t)l->out_height * l->out_width * l->outputs;
}

static void read_codes(void *state, int8_t *codes) {
  struct state *self = state;
  memcpy(codes, self->codes, count(self->layer));
}

static void destroy(void *state) {
  free(((struct state *)state)->codes);
  free(state);
}

static struct state *make_state(const mli_bench_layer *layer,
                                const mli_bench_operands *operands) {
  struct state *state = calloc(1, sizeof(*state));
  state->layer = layer;
  state->operands = operands;
  state->codes = malloc(count(layer));
  return state;
}

#ifdef OFF
static int do_nothing(void *state) { return state == NULL; }

static void add_off(const mli_bench_layer *layer,
                    const mli_bench_operands *operands,
                    const mli_bench_receiver *receiver) {
  struct state *state = make_state(layer, operands);
  compute(state);
  for (size_t i = 0; i < count(layer); ++i)
    state->codes[i] += state->codes[i] > 0 ? -OFF : OFF;
  mli_bench_variant off = {"off", state, do_nothing, read_codes, destroy};
  receiver->add(receiver->host, &off);
}
#endif

static void create(const mli_bench_layer *layer,
                   const mli_bench_operands *operands,
                   const mli_bench_receiver *receiver) {
  if (!operands->weights && strcmp(layer->kind, "add")) {
    if (!strcmp(layer->kind, "maxpool"))
      receiver->decline(receiver->host, "pool", "it is too wet");
    return;
  }
#ifdef OFF
  add_off(layer, operands, receiver);
#endif
#ifndef WRONG
  mli_bench_variant plain = {"plain-c", make_state(layer, operands), run,
                             read_codes, destroy};
  receiver->add(receiver->host, &plain);
#endif
}

static const char *get_version(void) { return VERSION; }
static const char *start(void) { return REASON; }

#ifdef ANY
static int has_interface(void) { return 1; }
#else
#define has_interface NULL
#endif

#ifdef NOTHING
static int run_nothing(void) {
  static volatile int steps;
  for (int i = 0; i < NOTHING; ++i)
    ++steps;
  return 0;
}
#else
#define run_nothing NULL
#endif

#ifndef EMPTY
MLI_BENCH_EXPORT const mli_bench_opponent *mli_bench_get_opponent(void) {
  static const mli_bench_opponent opponent = {
      INTERFACE,     NAME,  HEADERS, get_version,
      has_interface, start, CREATE,  run_nothing};
  return &opponent;
}
#endif
