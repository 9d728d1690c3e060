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
  os << contents;
  return !code;
}

/// A function that takes the arguments of `net_invoke` as an array.
static std::string writeAdapter(size_t count) {
  std::string text = "#include \"net.h\"\nmli_status call(void **a);\n"
                     "mli_status call(void **a) {\n  mli_status status = "
                     "net_check();\n  return status != MLI_STATUS_OK ? status "
                     ": net_invoke(";
  for (size_t i = 0; i < count; ++i)
    text += (i == 0 ? "a[" : ", a[") + std::to_string(i) + "]";
  return text + ");\n}\n";
}

/// Compiles `files` in `folder` and loads the adapter; null, with `error`.
static Code load(StringRef folder, const std::vector<CFile> &files,
                 size_t count, std::string &error) {
  auto getPath = [&](StringRef name) { return (folder + "/" + name).str(); };
  for (const CFile &file : files)
    if (!writeFile(getPath(file.name), file.contents))
      return nullptr;
  if (!writeFile(getPath("call.c"), writeAdapter(count)))
    return nullptr;
  auto gcc = llvm::sys::findProgramByName("gcc");
  if (!gcc)
    return nullptr;
  std::string library = getPath("net.so"), log = getPath("log");
  std::string source = getPath("net.c"), adapter = getPath("call.c");
  StringRef arguments[] = {*gcc,        "-std=c99",
                           "-pedantic", "-Wall",
                           "-Wextra",   "-Wconversion",
                           "-Wshadow",  "-Werror",
                           "-O0",       "-fPIC",
                           "-shared",   "-Wl,-Bsymbolic",
                           "-I",        MLI_RUNTIME_HEADERS,
                           source,      adapter,
                           "-o",        library};
  std::optional<StringRef> streams[] = {std::nullopt, std::nullopt,
                                        StringRef(log)};
  if (llvm::sys::ExecuteAndWait(*gcc, arguments, std::nullopt, streams) != 0) {
    auto text = llvm::MemoryBuffer::getFile(log);
    error = "gcc: " + (text ? (*text)->getBuffer().str() : std::string());
    return nullptr;
  }
  auto loaded =
      llvm::sys::DynamicLibrary::getPermanentLibrary(library.c_str(), &error);
  return reinterpret_cast<Code>(loaded.getAddressOfSymbol("call"));
}

/// Runs `code` on memory of its own for each argument of `entry`.
static Outcome run(const Case &program, func::FuncOp entry, Code code) {
  // The heap sees what is written around.
  std::vector<std::unique_ptr<std::max_align_t[]>> memory;
  std::vector<void *> inputs, outputs, arena;
  std::vector<HostTensor> results;
  for (BlockArgument argument : entry.getArguments()) {
    auto type = cast<MemRefType>(argument.getType());
    unsigned number = argument.getArgNumber();
    HostElement element = *getHostElement(type.getElementType());
    size_t bytes = type.getNumElements() * getElementBytes(element);
    memory.push_back(std::make_unique<std::max_align_t[]>(
        llvm::divideCeil(bytes, sizeof(std::max_align_t))));
    auto *data = reinterpret_cast<char *>(memory.back().get());
    if (entry.getArgAttr(number, arenaAttrName)) {
      arena.push_back(data);
    } else if (entry.getArgAttr(number, resultAttrName)) {
      outputs.push_back(data);
      results.push_back(
          {element, type.getShape().vec(), std::vector<char>(bytes)});
    } else {
      llvm::copy(program.inputs[inputs.size()].data, data);
      inputs.push_back(data);
    }
  }
  std::vector<void *> all(inputs);
  llvm::append_range(all, outputs);
  llvm::append_range(all, arena);
  if (mli_status status = code(all.data()); status != MLI_STATUS_OK)
    return judge(program, llvm::createStringError("status " + Twine(status)));
  for (auto [result, data] : llvm::zip_equal(results, outputs))
    std::copy_n(static_cast<char *>(data), result.data.size(),
                result.data.data());
  return judge(program, std::move(results));
}

Outcome fuzz::runC(const Case &program, Random &random) {
  // A compiler takes as long as all other configurations.
  if (!random.chance(12) || !program.expected)
    return {};
  OwningOpRef<ModuleOp> module = program.clone();
  Errors errors(module->getContext());
  PassManager passes(module->getContext());
  buildCPipeline(passes);
  if (failed(passes.run(*module)))
    return refuse(errors.text, /*mayRefuse=*/false);
  COptions options;
  options.weights = CWeights::Inline;
  options.entries = {"main"};
  FailureOr<std::vector<CFile>> files = printC(*module, options);
  if (failed(files))
    return refuse(errors.text, /*mayRefuse=*/true);
  SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("mli-fuzz-c", folder))
    return {};
  auto remove = llvm::scope_exit(
      [&] { (void)llvm::sys::fs::remove_directories(folder); });
  auto entry = cast<func::FuncOp>(module->lookupSymbol("main"));
  std::string error;
  Code code = load(folder, *files, entry.getNumArguments(), error);
  return code ? run(program, entry, code) : refuse(error, /*mayRefuse=*/false);
}
