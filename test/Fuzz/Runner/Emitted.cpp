// SPDX-License-Identifier: Apache-2.0
//
// Programs as C, compiled by the C compiler of the machine.

#include "Runs.h"

#include "mli/IR/AttributeNames.h"
#include "mli/Runtime/C/mli_types.h"
#include "mli/Target/C.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

using Code = mli_status (*)(void **);

static bool writeFile(StringRef path, StringRef contents) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return false;
  os << contents;
  os.close();
  bool isWritten = !os.has_error();
  os.clear_error();
  return isWritten;
}

namespace {

/// A state: one argument in place, else the old half.
struct State {
  BlockArgument argument;
  bool isInPlace;
};

/// The arguments of a function: those that C has as well, in its order, then
/// the states, which are in a struct there.
struct Arguments {
  explicit Arguments(func::FuncOp entry);

  SmallVector<BlockArgument> inputs, outputs, arena;
  SmallVector<State> states;
};

} // namespace

Arguments::Arguments(func::FuncOp entry) {
  for (BlockArgument argument : entry.getArguments()) {
    unsigned number = argument.getArgNumber();
    bool isState = entry.getArgAttr(number, stateAttrName) != nullptr;
    bool isInPlace = entry.getArgAttr(number, inPlaceAttrName) != nullptr;
    bool isResult = entry.getArgAttr(number, resultAttrName) != nullptr;
    if (entry.getArgAttr(number, arenaAttrName))
      arena.push_back(argument);
    else if (!isState)
      (isResult ? outputs : inputs).push_back(argument);
    else if (isInPlace || !isResult)
      states.push_back({argument, isInPlace});
  }
}

static size_t countBytes(BlockArgument argument) {
  auto type = cast<MemRefType>(argument.getType());
  return type.getNumElements() *
         getElementBytes(*getHostElement(type.getElementType()));
}

/// The offset of `argument` in the arena, if it has a place there.
static std::optional<size_t> getOffset(BlockArgument argument) {
  auto entry = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto offset = entry.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                    addressAttrName);
  return offset ? std::optional<size_t>(offset.getInt()) : std::nullopt;
}

/// Local memory between guards, which holds poison before a call, and moves
/// that copy as late as they may.
static constexpr StringLiteral adapterHead = R"(#include "net.h"
#include "late-moves.h"
#include "mli_api.h"
#include <string.h>

#ifdef NET_LOCAL_BYTES
enum { GUARD = 64 };
static unsigned char memory[NET_LOCAL_BYTES + NET_LOCAL_ALIGNMENT + 2 * GUARD];
static unsigned char *local;
#define LOCAL , local
#else
#define LOCAL
#endif

static mli_status prepare(void) {
#ifdef NET_LOCAL_BYTES
  (void)memset(memory, 0x5A, sizeof(memory));
  local = memory + GUARD;
  local += NET_LOCAL_ALIGNMENT - (uintptr_t)local % NET_LOCAL_ALIGNMENT;
#endif
  (void)mli_mov_set_num_dma_ch(0, 16);
  return net_check();
}

static mli_status finish(void) {
#ifdef NET_LOCAL_BYTES
  int i;
  for (i = 0; i < GUARD; ++i)
    if (local[-1 - i] != 0x5A || local[NET_LOCAL_BYTES + i] != 0x5A)
      return MLI_STATUS_NOT_ENGH_MEM;
#endif
  return count_late() == 0 ? MLI_STATUS_OK : MLI_STATUS_ARGUMENT_ERROR;
}

)";

/// A function that takes all arguments as an array, in their order. It has a
/// struct like that of the states.
static std::string writeAdapter(const Arguments &arguments) {
  std::string members, before, after, passed, state;
  size_t next = arguments.inputs.size() + arguments.outputs.size() +
                arguments.arena.size();
  for (size_t i = 0; i < next; ++i)
    passed += (i == 0 ? "a[" : ", a[") + std::to_string(i) + "]";
  bool takesTurns = false;
  for (auto [i, member] : llvm::enumerate(arguments.states)) {
    size_t bytes = countBytes(member.argument);
    std::string name = "s" + std::to_string(i);
    auto type = cast<MemRefType>(member.argument.getType());
    size_t width = getElementBytes(*getHostElement(type.getElementType()));
    size_t from = next + i, to = from + arguments.states.size();
    takesTurns |= !member.isInPlace;
    members += llvm::formatv("  int{0}_t {1}{2}[{3}];\n", 8 * width, name,
                             member.isInPlace ? "" : "[2]", bytes / width);
    before += llvm::formatv("  memcpy(like->{0}{1}, a[{2}], {3});\n", name,
                            member.isInPlace ? "" : "[0]", from, bytes);
    after += llvm::formatv("  memcpy(a[{0}], like->{1}{2}, {3});\n", to, name,
                           member.isInPlace ? "" : "[like->turn]", bytes);
  }
  std::string text = adapterHead.str();
  if (!members.empty()) {
    text += std::string("typedef struct {\n") +
            (takesTurns ? "  int32_t turn;\n" : "") + members + "} states;\n";
    before = "  static net_state state;\n  states *like = (states *)(void "
             "*)&state;\n  net_reset(&state);\n" +
             before;
    state = ", &state";
  }
  return text + "mli_status call(void **a);\nmli_status call(void **a) {\n" +
         "  mli_status status = prepare();\n" + before +
         "  if (status == MLI_STATUS_OK)\n    status = net_invoke(" + passed +
         " LOCAL" + state + ");\n" + after +
         "  return status == MLI_STATUS_OK ? finish() : status;\n}\n";
}

/// Compiles `files` in `folder` and loads the adapter; null, with `error`.
static Code load(StringRef folder, const std::vector<CFile> &files,
                 const Arguments &arguments, std::string &error) {
  auto getPath = [&](StringRef name) { return (folder + "/" + name).str(); };
  for (const CFile &file : files)
    if (!writeFile(getPath(file.name), file.contents))
      return nullptr;
  if (!writeFile(getPath("call.c"), writeAdapter(arguments)))
    return nullptr;
  auto gcc = llvm::sys::findProgramByName("gcc");
  std::string library = getPath("net.so"), log = getPath("log");
  std::string source = getPath("net.c"), adapter = getPath("call.c");
  StringRef late = MLI_LATE_MOVES "/late-moves.c";
  StringRef command[] = {*gcc,          "-std=c99",
                         "-pedantic",   "-Wall",
                         "-Wextra",     "-Wconversion",
                         "-Wshadow",    "-Werror",
                         "-O0",         "-fPIC",
                         "-shared",     "-Wl,-Bsymbolic",
                         "-I",          MLI_RUNTIME_HEADERS,
                         "-I",          MLI_LATE_MOVES,
                         "-include",    "late-moves.h",
                         "-DLATE_HOOK", source,
                         adapter,       late,
                         "-o",          library};
  std::optional<StringRef> streams[] = {std::nullopt, std::nullopt,
                                        StringRef(log)};
  if (llvm::sys::ExecuteAndWait(*gcc, command, std::nullopt, streams) != 0) {
    auto text = llvm::MemoryBuffer::getFile(log);
    error = "gcc: " + (text ? (*text)->getBuffer().str() : std::string());
    return nullptr;
  }
  auto loaded =
      llvm::sys::DynamicLibrary::getPermanentLibrary(library.c_str(), &error);
  return reinterpret_cast<Code>(loaded.getAddressOfSymbol("call"));
}

namespace {

/// The memory of a call, which holds poison before that. The heap sees what is
/// written around.
class CallMemory {
public:
  explicit CallMemory(const Arguments &arguments) {
    for (BlockArgument argument : arguments.arena) {
      arena = allocate(argument);
      arenaBytes = countBytes(argument);
    }
  }

  /// Adds `argument`: memory of its own, or its place in the arena.
  char *add(BlockArgument argument) {
    std::optional<size_t> offset = getOffset(argument);
    all.push_back(offset ? arena + *offset : allocate(argument));
    return static_cast<char *>(all.back());
  }
  void addArena() { all.push_back(arena); }

  /// Whether `argument` has a place outside of the arena.
  bool isOutside(BlockArgument argument) const {
    std::optional<size_t> offset = getOffset(argument);
    return offset && *offset + countBytes(argument) > arenaBytes;
  }

  /// All arguments, in their order.
  std::vector<void *> all;

private:
  char *allocate(BlockArgument argument) {
    size_t bytes = countBytes(argument);
    blocks.push_back(std::make_unique<std::max_align_t[]>(
        llvm::divideCeil(bytes, sizeof(std::max_align_t))));
    char *data = reinterpret_cast<char *>(blocks.back().get());
    std::fill_n(data, bytes, 0x5A);
    return data;
  }

  std::vector<std::unique_ptr<std::max_align_t[]>> blocks;
  char *arena = nullptr;
  size_t arenaBytes = 0;
};

} // namespace

/// Runs `code` on memory for `arguments`. All inputs are written before the
/// call, and all outputs read after it, as they may share bytes of the arena.
static Outcome run(const Case &program, const Arguments &arguments, Code code) {
  CallMemory memory(arguments);
  for (auto *list : {&arguments.inputs, &arguments.outputs})
    for (BlockArgument argument : *list)
      if (memory.isOutside(argument))
        return refuse("argument " + std::to_string(argument.getArgNumber()) +
                          " has a place outside of the arena",
                      /*mayRefuse=*/false);
  // States are the last inputs, and the last results.
  std::vector<std::pair<BlockArgument, char *>> outputs;
  size_t next = 0;
  for (BlockArgument input : arguments.inputs)
    llvm::copy(program.inputs[next++].data, memory.add(input));
  for (BlockArgument output : arguments.outputs)
    outputs.emplace_back(output, memory.add(output));
  if (!arguments.arena.empty())
    memory.addArena();
  for (const State &state : arguments.states)
    llvm::copy(program.inputs[next++].data, memory.add(state.argument));
  for (const State &state : arguments.states)
    outputs.emplace_back(state.argument, memory.add(state.argument));
  if (mli_status status = code(memory.all.data()); status != MLI_STATUS_OK)
    return judge(program, llvm::createStringError("status " + Twine(status)));
  std::vector<HostTensor> results;
  for (auto [output, data] : outputs) {
    auto type = cast<MemRefType>(output.getType());
    results.push_back({*getHostElement(type.getElementType()),
                       type.getShape().vec(),
                       std::vector<char>(data, data + countBytes(output))});
  }
  return judge(program, std::move(results));
}

namespace {

/// A program as C is printed of it, in system memory or in that of a target.
struct Planned {
  OwningOpRef<ModuleOp> module;
  COptions options;
  std::string errors;
  /// What the target and the moves are, or system memory.
  std::string where = "system memory";
  /// Whether inputs and outputs have places in the arena.
  bool plansArguments = false;
};

} // namespace

/// Runs the pipeline for C on `planned`. False if there are errors.
static bool plan(Planned &planned, const Case &program,
                 const LocalOptions *local) {
  planned.module = program.clone();
  Errors errors(planned.module->getContext());
  PassManager passes(planned.module->getContext());
  if (local) {
    buildLocalCPipeline(passes, *local);
  } else {
    CPipelineOptions system;
    system.arguments = planned.plansArguments;
    buildCPipeline(passes, system);
  }
  bool isPlanned = succeeded(passes.run(*planned.module));
  planned.errors = std::move(errors.text);
  return isPlanned;
}

/// Plans for local memory of a random size, or more if that is too small.
static bool planLocal(Planned &planned, const Case &program, Random &random) {
  static constexpr std::pair<CMoves, const char *> ways[] = {
      {CMoves::Sync, ", sync"},
      {CMoves::Async, ", async"},
      {CMoves::Hook, ", hook"}};
  auto [moves, name] = random.pick(llvm::ArrayRef(ways));
  TargetChoice target = TargetChoice::choose(random);
  target.npus = 1;
  target.setBytes(random.chance(30) ? 1 << 20 : random.pick(64, 4096));
  LocalOptions local;
  local.doubleBuffer =
      random.chance(50) ? DoubleBuffering::Auto : DoubleBuffering::On;
  local.arguments = planned.plansArguments;
  planned.options.moves = moves;
  while (true) {
    local.target = target.getText();
    planned.where = local.target + name;
    if (plan(planned, program, &local))
      return true;
    int64_t enough = findEnough(planned.errors);
    if (enough <= target.bytes)
      return false;
    target.bytes = enough;
  }
}

Outcome fuzz::runC(const Case &program, Random &random) {
  // A compiler takes as long as all other configurations.
  if (!random.chance(12) || !program.expected ||
      !llvm::sys::findProgramByName("gcc"))
    return {};
  Planned planned;
  bool isLocal = random.chance(50);
  planned.plansArguments = random.chance(33);
  bool isPlanned = isLocal ? planLocal(planned, program, random)
                           : plan(planned, program, nullptr);
  auto place = [&](Outcome outcome) {
    outcome.where = planned.where;
    if (planned.plansArguments)
      outcome.where += ", arguments in the arena";
    return outcome;
  };
  if (!isPlanned)
    return place(refuse(planned.errors, /*mayRefuse=*/isLocal));
  planned.options.weights = CWeights::Inline;
  planned.options.entries = {"main"};
  Errors errors(planned.module->getContext());
  FailureOr<std::vector<CFile>> files =
      printC(*planned.module, planned.options);
  if (failed(files))
    return place(refuse(errors.text, /*mayRefuse=*/true));
  SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("mli-fuzz-c", folder))
    return {};
  auto remove = llvm::scope_exit([&] {
    if (std::error_code code = llvm::sys::fs::remove_directories(folder))
      llvm::errs() << folder << ": " << code.message() << "\n";
  });
  Arguments arguments(cast<func::FuncOp>(planned.module->lookupSymbol("main")));
  std::string error;
  Code code = load(folder, *files, arguments, error);
  return place(code ? run(program, arguments, code)
                    : refuse(error, /*mayRefuse=*/false));
}
