// SPDX-License-Identifier: Apache-2.0
//
// onnx-network MODEL.onnx INPUT OUTPUT RUNS
//
// Runs a network in ONNX Runtime with one thread, as qdq.py writes it, and
// prints microseconds of the wall clock: the least of all runs, and the median.
// INPUT has the bytes of its input, and OUTPUT gets those of its output.

#define _POSIX_C_SOURCE 199309L
#include <onnxruntime_c_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_RANK = 8 };

static const OrtApi *api;

static void complain(const char *what) {
  fprintf(stderr, "onnx-network: error: %s\n", what);
  exit(1);
}

static void check(OrtStatus *status) {
  if (status)
    complain(api->GetErrorMessage(status));
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The only input or output, of bytes: its shape and type, and its size.
static size_t describe(OrtTypeInfo *info, int64_t *shape, size_t *rank,
                       ONNXTensorElementDataType *type) {
  const OrtTensorTypeAndShapeInfo *tensor;
  size_t count;
  check(api->CastTypeInfoToTensorInfo(info, &tensor));
  check(api->GetDimensionsCount(tensor, rank));
  if (*rank > MAX_RANK)
    complain("expected at most 8 dimensions");
  check(api->GetDimensions(tensor, shape, *rank));
  check(api->GetTensorElementType(tensor, type));
  check(api->GetTensorShapeElementCount(tensor, &count));
  return count;
}

static void read_bytes(const char *path, void *bytes, size_t size) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END))
    fail(path);
  long found = ftell(file);
  if (found != (long)size) {
    fprintf(
        stderr,
        "onnx-network: error: expected '%s' to have %zu bytes, but got %ld\n",
        path, size, found);
    exit(1);
  }
  rewind(file);
  if (fread(bytes, 1, size, file) != size)
    fail(path);
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 5 || atoi(argv[4]) < 1) {
    fprintf(stderr, "usage: onnx-network MODEL.onnx INPUT OUTPUT RUNS\n");
    return 1;
  }
  int runs = atoi(argv[4]);
  api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
  if (!api)
    complain("expected a library that is not older than the headers");
  OrtEnv *env;
  OrtSessionOptions *options;
  OrtSession *session;
  OrtMemoryInfo *memory;
  OrtIoBinding *binding;
  OrtAllocator *allocator;
  check(api->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "network", &env));
  check(api->CreateSessionOptions(&options));
  check(api->SetIntraOpNumThreads(options, 1));
  check(api->SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL));
  check(api->CreateSession(env, argv[1], options, &session));
  check(
      api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
  check(api->CreateIoBinding(session, &binding));
  check(api->GetAllocatorWithDefaultOptions(&allocator));

  void *bytes[2];
  size_t sizes[2];
  for (int side = 0; side < 2; ++side) {
    OrtTypeInfo *info;
    char *name;
    int64_t shape[MAX_RANK];
    size_t rank;
    ONNXTensorElementDataType type;
    OrtValue *value;
    check(side ? api->SessionGetOutputTypeInfo(session, 0, &info)
               : api->SessionGetInputTypeInfo(session, 0, &info));
    check(side ? api->SessionGetOutputName(session, 0, allocator, &name)
               : api->SessionGetInputName(session, 0, allocator, &name));
    sizes[side] = describe(info, shape, &rank, &type);
    bytes[side] = calloc(sizes[side], 1);
    if (!bytes[side])
      fail("calloc");
    check(api->CreateTensorWithDataAsOrtValue(memory, bytes[side], sizes[side],
                                              shape, rank, type, &value));
    check(side ? api->BindOutput(binding, name, value)
               : api->BindInput(binding, name, value));
  }
  read_bytes(argv[2], bytes[0], sizes[0]);

  double *times = malloc(runs * sizeof *times);
  if (!times)
    fail("malloc");
  check(api->RunWithBinding(session, NULL, binding));
  for (int run = 0; run < runs; ++run) {
    double start = microseconds();
    check(api->RunWithBinding(session, NULL, binding));
    times[run] = microseconds() - start;
  }
  qsort(times, runs, sizeof *times, compare);
  printf("least %.1f us, median %.1f us\n", times[0], times[runs / 2]);

  FILE *file = fopen(argv[3], "wb");
  if (!file || fwrite(bytes[1], 1, sizes[1], file) != sizes[1] || fclose(file))
    fail(argv[3]);
  return 0;
}
