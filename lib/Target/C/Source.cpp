// SPDX-License-Identifier: Apache-2.0

#include "FunctionPrinter.h"
#include "Sources.h"

#include "mli/IR/AttributeNames.h"
#include "mli/IR/LocalMemory.h"

using namespace mlir;
using namespace mli;
using namespace mli::c;

/// What all sources need, whatever the network.
static constexpr StringLiteral prelude =
    R"(/* The API has no pointers to const: here alone is one cast away. */
#define READ_ONLY(type, table) ((type *)(table))

#define BYTES(count, member, value)                                     \
  { .capacity = (count), .mem = {.member = (value)} }
#define FIXED_POINT(bits) { .fx = {.frac_bits = (bits)} }
#define PER_TENSOR(mantissa, bits, zero)                                \
  { .sa = {.type = MLI_EL_PARAM_SC16_ZP16,                              \
           .zero_point = BYTES(0, i16, zero),                           \
           .scale = BYTES(0, i16, mantissa),                            \
           .dim = -1,                                                   \
           .scale_frac_bits = BYTES(0, i8, bits)} }
#define PER_AXIS(axis, size, mantissas, bits, zeros)                    \
  { .sa = {.type = MLI_EL_PARAM_SC16_ZP16,                              \
           .zero_point = BYTES(2 * (size), pi16,                        \
                               READ_ONLY(int16_t, zeros)),              \
           .scale = BYTES(2 * (size), pi16,                             \
                          READ_ONLY(int16_t, mantissas)),               \
           .dim = (axis),                                               \
           .scale_frac_bits = BYTES((size), pi8,                        \
                                    READ_ONLY(int8_t, bits))} }

)";

static constexpr StringLiteral helper =
    R"(/* Makes `placed` a tensor whose description says how far it is from `base`. */
static mli_tensor *at(mli_tensor *placed, const mli_tensor *tensor,
                      int8_t *base) {
  *placed = *tensor;
  placed->data.mem.pi8 = base + tensor->data.mem.i32;
  return placed;
}

)";

/// What moves beside kernels need.
static constexpr StringLiteral moves =
    R"(#define MOVE(number, call) \
  LAYER(number, call) \
  count += status == MLI_STATUS_OK ? 1 : 0;

/* Begins a move; gives the handle back if that fails. */
static mli_status begin_move(mli_mov_handle_t *handle, const mli_tensor *src,
                             const mli_mov_cfg_t *cfg, mli_tensor *dst) {
  mli_status status = mli_mov_acquire_handle(1, handle);
  if (status == MLI_STATUS_OK) {
    status = mli_mov_prepare(handle, src, cfg, dst);
    if (status == MLI_STATUS_OK) {
      status = mli_mov_start(handle, src, cfg, dst);
    }
    if (status != MLI_STATUS_OK) {
      (void)mli_mov_release_handle(handle);
    }
  }
  return status;
}

/* Waits for the moves that were begun, whatever `status` is. */
static mli_status end_moves(mli_mov_handle_t *moves, int32_t count,
                            mli_status status) {
  int32_t i;
  for (i = 0; i < count; ++i) {
    const mli_status ended = mli_mov_wait(&moves[i]);
    const mli_status released = mli_mov_release_handle(&moves[i]);
    if (status == MLI_STATUS_OK) {
      status = ended == MLI_STATUS_OK ? released : ended;
    }
  }
  return status;
}

)";

static void printHook(const Network &network, StringRef hook, Writer &os) {
  StringRef name = hook.take_until([](char c) { return c == '('; });
  os.line("#ifndef " + network.upper + "_" + name);
  os.line("#define " + network.upper + "_" + hook + " ((void)0)");
  os.line("#endif");
}

/// The hooks of moves.
static void printCopyHooks(const Network &network, Writer &os) {
  os.comment("Copies rows of bytes, to_step and from_step bytes apart: a DMA "
             "engine, say, which copies in this order and may go on until "
             "WAIT().");
  std::string parameters = "(to, from, rows, bytes, to_step, from_step)";
  os.line("#ifndef " + network.upper + "_COPY");
  os.line(
      "static void copy_rows(int8_t *to, const int8_t *from, int32_t rows,");
  os.line("                      size_t bytes, int32_t to_step, int32_t "
          "from_step) {");
  os.line("  int32_t i;");
  os.line("  for (i = 0; i < rows; ++i) {");
  os.line("    (void)memcpy(to + i * to_step, from + i * from_step, bytes);");
  os.line("  }");
  os.line("}");
  os.line("#define " + network.upper + "_COPY" + parameters + " \\");
  os.line("  copy_rows" + parameters);
  os.line("#endif");
  printHook(network, "WAIT()", os);
  os.line();
}

static void printHooks(const Network &network, Writer &os) {
  os.comment("Hooks around each layer, of the caller: a timer, say.");
  for (StringRef hook : {"BEGIN(layer)", "END(layer, status)"})
    printHook(network, hook, os);
  os.line();
  os.line("#define LAYER(number, call) \\");
  os.line("  if (status == MLI_STATUS_OK) { \\");
  os.line("    " + network.upper + "_BEGIN(number); \\");
  os.line("    status = (call); \\");
  os.line("    " + network.upper + "_END(number, status); \\");
  os.line("  }");
  os.line();
  if (network.helpers.handles > 0)
    os.append(moves);
  if (network.helpers.hooked)
    printCopyHooks(network, os);
}

static void printBases(const Network &network, const Function &function,
                       Writer &os) {
  os.line("typedef struct {");
  for (const Port &port : function.ports)
    os.line("  int8_t *" + port.name + ";");
  if (function.takesLocal())
    os.line("  int8_t *local;");
  if (function.scratchBytes > 0)
    os.line("  int8_t *scratch;");
  if (function.readsTables)
    os.line("  int8_t *tables;");
  bool hasBlob = network.options.weights == CWeights::Blob;
  if (hasBlob)
    os.line("  int8_t *weights;");
  if (function.numTensors > 0)
    os.line("  mli_tensor *tensors; /* of the layer that runs */");
  if (function.ports.empty() && !function.takesLocal() && !hasBlob &&
      function.numTensors == 0)
    os.line("  int8_t *none;");
  os.line("} " + function.bases + ";");
  os.line();
}

/// Prints the function that fills all states, quantised per tensor, with zeros.
static void printReset(const Function &function, Writer &os) {
  os.statement("void " + function.reset + "(" + function.state + " *state) {");
  os.line("  int32_t i;");
  if (function.takesTurns())
    os.line("  state->turn = 0;");
  for (const Port &port : function.ports) {
    if (!port.isStateMember())
      continue;
    ElementType type = getElementType(port.getType().getElementType());
    auto quantized = dyn_cast<QuantizedType>(port.getType().getElementType());
    int64_t zero = quantized ? quantized.getParam(0).zeroPoint : 0;
    os.line("  for (i = 0; i < " + Twine(port.bytes / type.bytes) + "; ++i) {");
    StringRef half = port.kind == Port::Kind::OldState ? "[0]" : "";
    os.line("    state->" + port.name + half + "[i] = " + Twine(zero) + ";");
    os.line("  }");
  }
  os.line("}");
  os.line();
}

/// The value of the struct of bases, from the parameters of the function.
static std::string listBases(const Network &network, const Function &function) {
  std::string text;
  auto add = [&](const Twine &base) {
    text += (text.empty() ? "" : ", ") + base.str();
  };
  auto getState = [&](const Port &port, StringRef half) {
    return "(int8_t *)state->" + function.getStateMember(port)->name + "[" +
           half.str() + "]";
  };
  for (const Port &port : function.ports)
    switch (port.kind) {
    case Port::Kind::Input:
      add("READ_ONLY(int8_t, " + port.name + ")");
      break;
    case Port::Kind::Output:
    case Port::Kind::Arena:
      add("(int8_t *)" + port.name);
      break;
    case Port::Kind::OldState:
      add(getState(port, "state->turn"));
      break;
    case Port::Kind::NewState:
      add(getState(port, "1 - state->turn"));
      break;
    case Port::Kind::State:
      add("(int8_t *)state->" + port.name);
      break;
    }
  if (function.takesLocal())
    add("(int8_t *)local");
  if (function.scratchBytes > 0)
    add("(int8_t *)scratch");
  if (function.readsTables)
    add("READ_ONLY(int8_t, tables)");
  if (network.options.weights == CWeights::Blob)
    add("READ_ONLY(int8_t, weights)");
  if (function.numTensors > 0)
    add("tensors");
  return text.empty() ? "0" : text;
}

/// Prints the function that makes all tables.
static void printPrepare(const Network &network, Writer &os) {
  if (network.madeTables.empty())
    return;
  os.statement(declarePrepare(network) + " {");
  os.indent();
  os.line("int8_t *const start = (int8_t *)tables;");
  os.line("mli_status status = MLI_STATUS_OK;");
  for (const auto &[table, offset] : network.madeTables) {
    os.line("if (status == MLI_STATUS_OK) {");
    os.indent();
    std::string entries = "(int16_t *)(void *)start";
    if (offset != 0)
      entries = ("(int16_t *)(void *)(start + " + Twine(offset) + ")").str();
    os.statement("mli_lut lut = " + describeTable(table, entries) + ";");
    os.line(Twine("status = ") + table.create + "(&lut);");
    os.outdent();
    os.line("}");
  }
  os.line("return status;");
  os.outdent();
  os.line("}");
  os.line();
}

/// Prints what makes the local memory of NPUs, before anything is there.
static void printNpus(const Function &function, Writer &os) {
  const layout::Target &target = findTarget(function.op).getValue();
  os.indent();
  os.statement(
      "static const mli_local_target target = {.npus = " + Twine(target.npus) +
      "u, .npu_bytes = " + Twine(target.npuBytes) + "u, .banks = " +
      Twine(target.banks) + "u, .unit = " + Twine(target.unit) +
      "u, .dma_align = " + Twine(target.dmaAlignment) + "u};");
  os.outdent();
}

static void printFunction(const Network &network, const Function &function,
                          StringRef body, Writer &os) {
  if (function.isEntry) {
    os.statement(declareEntry(network, function) + " {");
    if (function.numTensors > 0)
      os.line("  mli_tensor tensors[" + Twine(function.numTensors) + "];");
    os.statement("  " + function.bases + " base = {" +
                 listBases(network, function) + "};");
  } else {
    os.statement("static mli_status " + function.name + "(" + function.bases +
                 " *base) {");
  }
  if (function.isEntry && function.isScattered) {
    printNpus(function, os);
    os.line("  mli_status status = mli_local_prepare(&target);");
  } else {
    os.line("  mli_status status = MLI_STATUS_OK;");
  }
  if (!function.readsBases)
    os.line("  (void)base;");
  os.append(body);
  if (function.isEntry && function.takesTurns()) {
    os.indent();
    os.conditional("status == MLI_STATUS_OK", "state->turn = 1 - state->turn;");
    os.outdent();
  }
  os.line("  return status;");
  os.line("}");
  os.line();
}

FailureOr<std::string> c::printSource(Network &network) {
  Descriptions descriptions(network);
  Writer functions;
  for (Function &function : network.functions) {
    Writer layers, body;
    body.indent();
    if (failed(FunctionPrinter(network, function, descriptions)
                   .print(layers, body)))
      return failure();
    printBases(network, function, functions);
    functions.append(layers.take());
    if (function.isEntry && function.hasState())
      printReset(function, functions);
    printFunction(network, function, body.take(), functions);
  }
  Writer os;
  printHead(network, "a network", os);
  os.line("#include \"" + network.options.name + ".h\"");
  if (network.options.weights == CWeights::Source)
    os.line("#include \"" + network.options.name + "_weights.h\"");
  os.line("#include \"mli_api.h\"");
  if (network.isScattered()) {
    os.line("#include \"mli_local.h\"");
    os.line("#include \"okk.h\"");
  }
  const Helpers &helpers = network.helpers;
  if (helpers.conditions)
    os.line("#include <stdbool.h>");
  if (helpers.pointers)
    os.line("#include <stddef.h>");
  if (helpers.copying || helpers.hooked)
    os.line("#include <string.h>");
  os.line();
  os.append(prelude);
  if (helpers.narrowing)
    os.line("#define TO_BYTE(index) ((uint8_t)((index) > 255 ? 255 : "
            "(index)))");
  if (helpers.instructions)
    os.line("#define ADDRESS(pointer) ((system_addr_t)(uintptr_t)(pointer))");
  printHooks(network, os);
  if (network.options.weights == CWeights::Inline)
    os.append(printWeights(network));
  os.append(descriptions.take());
  os.line();
  if (helpers.addressing)
    os.append(helper);
  printPrepare(network, os);
  os.append(functions.take());
  os.append(printCheck(network));
  return os.take();
}
