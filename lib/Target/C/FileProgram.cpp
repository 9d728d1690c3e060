// SPDX-License-Identifier: Apache-2.0
//
// A program that runs a network on files and compares.

#include "TestProgram.h"

#include "mli/IR/AttributeNames.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

/// What reads and writes files, whatever the network.
static constexpr StringLiteral prelude = R"(
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *name;
  const char *type;  /* of the elements, and the shape, as .npy has them */
  const char *shape;
  unsigned char *data;
  size_t bytes;
  int is_unsigned; /* whether files have uint8, where the network has int8 */
} port;

/* Codes of uint8 as int8, or back. */
static void flip(const port *tensor) {
  size_t i;
  if (tensor->is_unsigned)
    for (i = 0; i < tensor->bytes; ++i)
      tensor->data[i] = (unsigned char)(tensor->data[i] ^ 0x80u);
}

/* Goes after the header of `file` if that is .npy, else to its start. */
static int skip_header(FILE *file, const port *tensor, const char *path) {
  static const char magic[] = "\x93NUMPY";
  char text[4096];
  unsigned char start[12];
  size_t size = fread(start, 1, sizeof(start), file), length, rest;
  if (size < sizeof(start) || memcmp(start, magic, 6) != 0)
    return fseek(file, 0, SEEK_SET);
  length = start[8] | (size_t)start[9] << 8;
  rest = 10;
  if (start[6] > 1) {
    length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    rest = 12;
  }
  if (fseek(file, (long)rest, SEEK_SET) != 0 || length >= sizeof(text) ||
      fread(text, 1, length, file) != length) {
    fprintf(stderr, "error: expected '%s' to have a whole header\n", path);
    return 1;
  }
  text[length] = 0;
  if (strstr(text, tensor->type) == NULL || strstr(text, "False") == NULL) {
    fprintf(stderr, "error: expected '%s' to be of %s in C order, but got %s\n",
            path, tensor->type, text);
    return 1;
  }
  return 0;
}

/* Opens a raw file, or .npy, at its first element. */
static FILE *open_port(const port *tensor, const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "error: '%s' can not be read\n", path);
    return NULL;
  }
  if (skip_header(file, tensor, path) != 0) {
    (void)fclose(file);
    return NULL;
  }
  return file;
}

/* The number of tensors in the rest of `file`; 0 if they are not whole. */
static long count_steps(FILE *file, const port *tensor, const char *path) {
  long start = ftell(file), bytes = (long)tensor->bytes, left = -1;
  if (start >= 0 && fseek(file, 0, SEEK_END) == 0)
    left = ftell(file) - start;
  if (left <= 0 || left % bytes != 0 || fseek(file, start, SEEK_SET) != 0) {
    fprintf(stderr, "error: expected '%s' to have the %ld bytes of '%s'\n",
            path, bytes, tensor->name);
    return 0;
  }
  return left / bytes;
}

static int read_step(FILE *file, const port *tensor) {
  size_t size = fread(tensor->data, 1, tensor->bytes, file);
  flip(tensor);
  return size == tensor->bytes ? 0 : 1;
}

/* Opens a raw file or, by its name, .npy to write `steps` tensors. */
static FILE *create_port(const port *tensor, const char *path, long steps) {
  size_t length = strlen(path);
  FILE *file = fopen(path, "wb");
  int is_written = 1;
  if (file != NULL && length > 4 && strcmp(path + length - 4, ".npy") == 0) {
    char text[256], first[24] = "";
    int used;
    if (steps > 1)
      sprintf(first, "%ld, ", steps);
    used = sprintf(text, "{'descr': %s, 'fortran_order': False, "
                         "'shape': (%s%s), }",
                   tensor->type, first, tensor->shape);
    memset(text + used, ' ', sizeof(text) - (size_t)used);
    text[245] = '\n';
    is_written = fwrite("\x93NUMPY\x01\x00\xf6\x00", 1, 10, file) == 10 &&
                fwrite(text, 1, 246, file) == 246;
  }
  if (file != NULL && is_written)
    return file;
  if (file != NULL)
    (void)fclose(file);
  fprintf(stderr, "error: '%s' can not be written\n", path);
  return NULL;
}

static int write_step(FILE *file, const port *tensor) {
  size_t size;
  flip(tensor);
  size = fwrite(tensor->data, 1, tensor->bytes, file);
  flip(tensor);
  return size == tensor->bytes ? 0 : 1;
}

/* Whether step `step` of `tensor` is what the file has; 2 if it ends. */
static int compare_step(FILE *file, const port *tensor, const port *expected,
                        long step) {
  size_t i;
  if (read_step(file, expected) != 0) {
    fprintf(stderr, "error: expected as many steps of '%s' as of inputs\n",
            tensor->name);
    return 2;
  }
  for (i = 0; i < tensor->bytes; ++i)
    if (tensor->data[i] != expected->data[i]) {
      printf("'%s' differs from byte %lu of step %ld on\n", tensor->name,
             (unsigned long)i, step);
      return 1;
    }
  return 0;
}

)";

/// `static union ... name_data;`: memory that any element may be in.
static std::string declareMemory(StringRef name, int64_t bytes) {
  return ("static union { int32_t word; unsigned char bytes[" + Twine(bytes) +
          "]; } " + name + ";")
      .str();
}

/// The type of elements as .npy has it.
static StringRef getNpyType(Type element, bool isUnsigned) {
  ElementType type = getElementType(element);
  if (type.bytes == 1)
    return isUnsigned ? "'|u1'" : "'|i1'";
  if (type.bytes == 2)
    return "'<i2'";
  return element.isF32() ? "'<f4'" : "'<i4'";
}

/// Prints memory for the ports of a kind and their list; a blob is the first
/// input.
static void printPorts(const Network &network, const Function &function,
                       Port::Kind kind, StringRef list, StringRef suffix,
                       Writer &os) {
  std::string rows;
  if (kind == Port::Kind::Input && network.options.weights == CWeights::Blob) {
    int64_t bytes = network.getBlobBytes();
    os.statement(declareMemory("weights_data", bytes));
    rows = ("  {" + toString(network.options.name + ".bin") +
            ", \"\", \"\", weights_data.bytes, " + Twine(bytes) + ", 0},\n")
               .str();
  }
  func::FuncOp op = function.op;
  for (const Port &port : function.ports) {
    if (port.kind != kind)
      continue;
    std::string memory = port.name + suffix.str();
    os.statement(declareMemory(memory, port.bytes));
    bool isUnsigned = op.getArgAttr(port.argument.getArgNumber(),
                                    unsignedAttrName) != nullptr;
    std::string shape;
    for (int64_t size : port.getType().getShape())
      shape += std::to_string(size) + ", ";
    rows += ("  {" + toString(port.name) + ", " +
             toString(getNpyType(port.getType().getElementType(), isUnsigned)) +
             ", " + toString(StringRef(shape).rtrim(' ')) + ", " + memory +
             ".bytes, " + Twine(port.bytes) + ", " + (isUnsigned ? "1" : "0") +
             "},\n")
                .str();
  }
  os.line("static const port " + list + "[] = {");
  while (!rows.empty()) {
    auto [row, rest] = StringRef(rows).split('\n');
    os.statement(row);
    rows = rest.str();
  }
  // No list is empty.
  os.line("  {NULL, NULL, NULL, NULL, 0, 0}};");
  os.line();
}

/// The pointer to the elements of `port`.
static std::string passPort(const Port &port) {
  ElementType type = getElementType(port.getType().getElementType());
  return (Twine("(") + type.type + " *)(void *)" + port.name + "_data.bytes")
      .str();
}

static constexpr StringLiteral program = R"(
enum { NUM_INPUTS = (int)(sizeof(inputs) / sizeof(inputs[0])) - 1,
       NUM_OUTPUTS = (int)(sizeof(outputs) / sizeof(outputs[0])) - 1 };

static FILE *in[NUM_INPUTS + 1], *out[NUM_OUTPUTS + 1], *same[NUM_OUTPUTS + 1];

/* Opens the files of `inputs`: as many steps of each. */
static long open_inputs(int argc, char **argv) {
  long steps = 1, found;
  int k;
  for (k = 0; k < NUM_INPUTS; ++k) {
    if (k + 1 >= argc) {
      fprintf(stderr, "error: expected a file for '%s'\n"
                      "usage: %s INPUT... [-o OUTPUT...] [-c EXPECTED...]\n",
              inputs[k].name, argv[0]);
      return 0;
    }
    in[k] = open_port(&inputs[k], argv[k + 1]);
    found = in[k] == NULL ? 0 : count_steps(in[k], &inputs[k], argv[k + 1]);
    if (found == 0)
      return 0;
    if (k == FIRST_INPUT)
      steps = found;
    if ((k >= FIRST_INPUT && found != steps) || (found > 1 && !HAS_STATE)) {
      fprintf(stderr, "error: expected '%s' to have %ld steps, but got %ld\n",
              argv[k + 1], HAS_STATE ? steps : 1L, found);
      return 0;
    }
  }
  return steps;
}

/* Opens the files after -o and -c. */
static int open_outputs(int argc, char **argv, long steps) {
  int i = NUM_INPUTS + 1, k;
  while (i < argc) {
    int writes = strcmp(argv[i], "-o") == 0;
    if (!writes && strcmp(argv[i], "-c") != 0) {
      fprintf(stderr, "error: expected -o or -c, but got '%s'\n", argv[i]);
      return 1;
    }
    ++i;
    for (k = 0; k < NUM_OUTPUTS; ++k, ++i) {
      FILE *file = NULL;
      if (i >= argc)
        fprintf(stderr, "error: expected a file for '%s'\n", outputs[k].name);
      else if (writes)
        file = out[k] = create_port(&outputs[k], argv[i], steps);
      else
        file = same[k] = open_port(&outputs[k], argv[i]);
      if (file == NULL)
        return 1;
    }
  }
  return 0;
}

/* Runs one step and handles its outputs. */
static int run_step(long step) {
  mli_status status;
  int k, result = 0, found;
  for (k = 0; k < NUM_INPUTS; ++k)
    if ((k >= FIRST_INPUT || step == 0) && read_step(in[k], &inputs[k]) != 0)
      return 2;
  status = step == 0 ? check() : MLI_STATUS_OK;
  if (status != MLI_STATUS_OK) {
    fprintf(stderr, "error: the library is another one, with status %d\n",
            (int)status);
    return 2;
  }
  status = run();
  if (status != MLI_STATUS_OK) {
    fprintf(stderr, "error: the network ended with status %d\n", (int)status);
    return 2;
  }
  for (k = 0; k < NUM_OUTPUTS; ++k) {
    if (out[k] != NULL && write_step(out[k], &outputs[k]) != 0)
      return 2;
    found = same[k] == NULL
                ? 0
                : compare_step(same[k], &outputs[k], &expected[k], step);
    if (found > result)
      result = found;
  }
  return result;
}

int main(int argc, char **argv) {
  long steps = open_inputs(argc, argv), step;
  int result = 0, k;
  if (steps == 0 || open_outputs(argc, argv, steps) != 0)
    return 2;
  for (step = 0; step < steps && result < 2; ++step) {
    int found = run_step(step);
    if (found > result)
      result = found;
  }
  for (k = 0; k < NUM_OUTPUTS; ++k) {
    if (out[k] != NULL && fclose(out[k]) != 0) {
      fprintf(stderr, "error: '%s' can not be written\n", outputs[k].name);
      result = 2;
    }
    if (same[k] != NULL && result == 0)
      printf("'%s' is the same\n", outputs[k].name);
  }
  return result;
}
)";

std::string c::printFileProgram(const Network &network,
                                const Function &function) {
  bool hasBlob = network.options.weights == CWeights::Blob;
  Writer os;
  os.append(prelude);
  printPorts(network, function, Port::Kind::Input, "inputs", "_data", os);
  printPorts(network, function, Port::Kind::Output, "outputs", "_data", os);
  printPorts(network, function, Port::Kind::Output, "expected", "_wanted", os);
  os.line(Twine("enum { HAS_STATE = ") + (function.hasState() ? "1" : "0") +
          ", FIRST_INPUT = " + (hasBlob ? "1" : "0") + " };");
  os.line();
  printCalls(network, function, "void", passPort, os);
  os.append(program);
  return os.take();
}
