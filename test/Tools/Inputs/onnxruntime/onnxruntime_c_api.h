// SPDX-License-Identifier: Apache-2.0
//
// As much of the interface of ONNX Runtime as test/Benchmark/onnx-network.c
// calls, with a runtime of one model: four bytes, to each of which it adds one.
// It opens files that exist.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ORT_API_VERSION 1

typedef const char OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtSession OrtSession;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtRunOptions OrtRunOptions;
typedef unsigned char OrtValue;
typedef struct {
  unsigned char *input, *output;
} OrtIoBinding;
typedef int ONNXTensorElementDataType;
enum {
  ORT_LOGGING_LEVEL_ERROR,
  ORT_ENABLE_ALL,
  OrtArenaAllocator,
  OrtMemTypeDefault
};

static OrtIoBinding stub_binding;

#define STUB(name, ...) static OrtStatus *name(__VA_ARGS__)

STUB(create_env, int level, const char *name, OrtEnv **env) { return NULL; }
STUB(create_options, OrtSessionOptions **options) { return NULL; }
STUB(set_threads, OrtSessionOptions *options, int count) { return NULL; }
STUB(set_level, OrtSessionOptions *options, int level) { return NULL; }
STUB(create_session, OrtEnv *env, const char *path, OrtSessionOptions *options,
     OrtSession **session) {
  FILE *file = fopen(path, "rb");
  return file ? fclose(file), NULL : "no such model";
}
STUB(create_memory, int allocator, int type, OrtMemoryInfo **memory) {
  return NULL;
}
STUB(create_binding, OrtSession *session, OrtIoBinding **binding) {
  *binding = &stub_binding;
  return NULL;
}
STUB(get_allocator, OrtAllocator **allocator) { return NULL; }
STUB(get_info, OrtSession *session, size_t index, OrtTypeInfo **info) {
  return NULL;
}
STUB(get_name, OrtSession *session, size_t index, OrtAllocator *allocator,
     char **name) {
  return NULL;
}
STUB(cast, OrtTypeInfo *info, const OrtTensorTypeAndShapeInfo **tensor) {
  return NULL;
}
STUB(get_rank, const OrtTensorTypeAndShapeInfo *tensor, size_t *rank) {
  *rank = 1;
  return NULL;
}
STUB(get_shape, const OrtTensorTypeAndShapeInfo *tensor, int64_t *shape,
     size_t rank) {
  shape[0] = 4;
  return NULL;
}
STUB(get_type, const OrtTensorTypeAndShapeInfo *tensor,
     ONNXTensorElementDataType *type) {
  return NULL;
}
STUB(get_count, const OrtTensorTypeAndShapeInfo *tensor, size_t *count) {
  *count = 4;
  return NULL;
}
STUB(create_value, OrtMemoryInfo *memory, void *data, size_t bytes,
     const int64_t *shape, size_t rank, ONNXTensorElementDataType type,
     OrtValue **value) {
  *value = data;
  return bytes == 4 && rank == 1 && shape[0] == 4 ? NULL
                                                  : "expected four bytes";
}
STUB(bind_input, OrtIoBinding *binding, const char *name, OrtValue *value) {
  binding->input = value;
  return NULL;
}
STUB(bind_output, OrtIoBinding *binding, const char *name, OrtValue *value) {
  binding->output = value;
  return NULL;
}
STUB(run, OrtSession *session, OrtRunOptions *options, OrtIoBinding *binding) {
  for (int i = 0; i < 4; ++i)
    binding->output[i] = binding->input[i] + 1;
  return NULL;
}
static const char *get_message(OrtStatus *status) { return status; }

typedef struct {
  const char *(*GetErrorMessage)(OrtStatus *);
  OrtStatus *(*CreateEnv)(int, const char *, OrtEnv **);
  OrtStatus *(*CreateSessionOptions)(OrtSessionOptions **);
  OrtStatus *(*SetIntraOpNumThreads)(OrtSessionOptions *, int);
  OrtStatus *(*SetSessionGraphOptimizationLevel)(OrtSessionOptions *, int);
  OrtStatus *(*CreateSession)(OrtEnv *, const char *, OrtSessionOptions *,
                              OrtSession **);
  OrtStatus *(*CreateCpuMemoryInfo)(int, int, OrtMemoryInfo **);
  OrtStatus *(*CreateIoBinding)(OrtSession *, OrtIoBinding **);
  OrtStatus *(*GetAllocatorWithDefaultOptions)(OrtAllocator **);
  OrtStatus *(*SessionGetInputTypeInfo)(OrtSession *, size_t, OrtTypeInfo **);
  OrtStatus *(*SessionGetOutputTypeInfo)(OrtSession *, size_t, OrtTypeInfo **);
  OrtStatus *(*SessionGetInputName)(OrtSession *, size_t, OrtAllocator *,
                                    char **);
  OrtStatus *(*SessionGetOutputName)(OrtSession *, size_t, OrtAllocator *,
                                     char **);
  OrtStatus *(*CastTypeInfoToTensorInfo)(OrtTypeInfo *,
                                         const OrtTensorTypeAndShapeInfo **);
  OrtStatus *(*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *, size_t *);
  OrtStatus *(*GetDimensions)(const OrtTensorTypeAndShapeInfo *, int64_t *,
                              size_t);
  OrtStatus *(*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *,
                                     ONNXTensorElementDataType *);
  OrtStatus *(*GetTensorShapeElementCount)(const OrtTensorTypeAndShapeInfo *,
                                           size_t *);
  OrtStatus *(*CreateTensorWithDataAsOrtValue)(OrtMemoryInfo *, void *, size_t,
                                               const int64_t *, size_t,
                                               ONNXTensorElementDataType,
                                               OrtValue **);
  OrtStatus *(*BindInput)(OrtIoBinding *, const char *, OrtValue *);
  OrtStatus *(*BindOutput)(OrtIoBinding *, const char *, OrtValue *);
  OrtStatus *(*RunWithBinding)(OrtSession *, OrtRunOptions *, OrtIoBinding *);
} OrtApi;

static const OrtApi stub_api = {get_message,    create_env,
                                create_options, set_threads,
                                set_level,      create_session,
                                create_memory,  create_binding,
                                get_allocator,  get_info,
                                get_info,       get_name,
                                get_name,       cast,
                                get_rank,       get_shape,
                                get_type,       get_count,
                                create_value,   bind_input,
                                bind_output,    run};
static const OrtApi *get_api(int version) { return &stub_api; }

typedef struct {
  const OrtApi *(*GetApi)(int);
} OrtApiBase;
static const OrtApiBase stub_base = {get_api};
static const OrtApiBase *OrtGetApiBase(void) { return &stub_base; }
