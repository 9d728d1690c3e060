// SPDX-License-Identifier: Apache-2.0
//
// Loads modules and judges them. What is no module, or does not fit, is an
// error: who names a library wants it in the table.

#include "Opponents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <dlfcn.h>

using namespace llvm;

namespace mli::bench {
namespace {

/// Begins a message that makes the options unusable.
raw_ostream &reportError() { return WithColor::error(errs(), "mli-bench"); }

/// What each run of a library costs besides its layer.
class Nothing : public Kernel {
public:
  explicit Nothing(int (*call)()) : call(call) {}
  void run() override { call(); }
  std::vector<int8_t> output() const override { return {}; }

private:
  int (*call)();
};

mli_bench_layer toC(const Layer &layer) {
  return {layer.name.c_str(), layer.kind.c_str(), layer.height,
          layer.width,        layer.inputs,       layer.outputs,
          layer.kernelHeight, layer.kernelWidth,  layer.strideHeight,
          layer.strideWidth,  layer.padTop,       layer.padBottom,
          layer.padLeft,      layer.padRight,     layer.outHeight,
          layer.outWidth};
}

/// What a module is called with, which lives as long as the variants.
struct Call {
  Call(const Layer &layer, const Operands &given) : layer(toC(layer)) {
    for (const Scale &scale : given.weightScales)
      scales.push_back(scale.real());
    auto get = [](const auto &values) {
      return values.empty() ? nullptr : values.data();
    };
    operands = {given.in.data(),       given.in2.data(),
                get(given.weights),    get(given.weightsByOutput),
                get(given.bias),       get(scales),
                given.inScale.real(),  given.in2Scale.real(),
                given.outScale.real(), given.inZero,
                given.in2Zero,         given.outZero};
  }

  mli_bench_layer layer;
  std::vector<float> scales;
  mli_bench_operands operands;
};

/// A variant, which this owns, with what it reads.
class VariantKernel : public Kernel {
public:
  VariantKernel(const mli_bench_variant &variant, size_t count,
                std::shared_ptr<Call> call)
      : variant(variant), count(count), call(std::move(call)) {}
  ~VariantKernel() override { variant.destroy(variant.state); }

  void run() override { hasFailed |= variant.run(variant.state) != 0; }
  /// Nothing, if a run has failed.
  std::vector<int8_t> output() const override {
    if (hasFailed)
      return {};
    std::vector<int8_t> codes(count);
    variant.read(variant.state, codes.data());
    return codes;
  }

private:
  mli_bench_variant variant;
  size_t count;
  std::shared_ptr<Call> call;
  bool hasFailed = false;
};

/// Collects what a module gives.
struct Receiver {
  const Opponent &opponent;
  const Layer &layer;
  std::shared_ptr<Call> call;
  std::vector<Variant> variants;

  static void add(void *host, const mli_bench_variant *variant) {
    auto &self = *static_cast<Receiver *>(host);
    if (!variant->name || !variant->run || !variant->read || !variant->destroy)
      return decline(host, variant->name ? variant->name : "a variant",
                     "a name or function of it is null");
    self.variants.push_back(
        {variant->name, std::make_unique<VariantKernel>(
                            *variant, self.layer.outputCount(), self.call)});
  }
  static void decline(void *host, const char *name, const char *reason) {
    auto &self = *static_cast<Receiver *>(host);
    errs() << self.layer.name << ": expected " << self.opponent.getName()
           << " to take '" << name << "', but got: " << reason << '\n';
  }
};

/// The files that `path` stands for; none, with a message, if there are none.
std::vector<std::string> findModules(const std::string &path) {
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(path, status)) {
    reportError() << "expected '--opponents' to be of modules, but got '"
                  << path << "': " << error.message() << '\n';
    return {};
  }
  if (!sys::fs::is_directory(status))
    return {path};
  std::vector<std::string> modules;
  std::error_code error;
  for (sys::fs::directory_iterator it(path, error), end; it != end && !error;
       it.increment(error)) {
    StringRef name = sys::path::filename(it->path());
    if (name.starts_with("libmli-bench-") && name.ends_with(".so"))
      modules.push_back(it->path());
  }
  sort(modules);
  if (error)
    modules.clear(); // What is missing would not be noticed.
  if (modules.empty())
    reportError() << "expected modules 'libmli-bench-*.so' in '" << path
                  << "', but got " << (error ? error.message() : "none")
                  << '\n';
  return modules;
}

bool isName(StringRef name) {
  return !name.empty() && all_of(name, [](char character) {
    return isAlnum(character) || is_contained({'-', '_', '.'}, character);
  });
}

const char *orUnknown(const char *version) {
  return version ? version : "unknown";
}

/// Opens a module by its file. Each has symbols of its own: two may bring the
/// same libraries in different versions. A function that is missing is noticed
/// here rather than in a measurement.
const mli_bench_opponent *open(const std::string &path) {
  // The loader looks for names without a folder elsewhere.
  SmallString<128> absolute(path);
  std::error_code error = sys::fs::make_absolute(absolute);
  void *handle =
      error ? nullptr : dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    reportError() << "expected module '" << path << "' to be loaded, but got: "
                  << (error ? error.message() : dlerror()) << '\n';
    return nullptr;
  }
  auto get = reinterpret_cast<decltype(&mli_bench_get_opponent)>(
      dlsym(handle, "mli_bench_get_opponent"));
  const mli_bench_opponent *module = get ? get() : nullptr;
  if (!module)
    reportError() << "expected module '" << path
                  << "' to give an opponent by mli_bench_get_opponent, but got "
                     "none\n";
  return module;
}

/// Whether its library is the one that the module is made for.
bool checkVersions(const std::string &path, const mli_bench_opponent &module) {
  const char *version = module.get_version();
  bool isRight = module.has_interface ? module.has_interface() != 0
                                      : StringRef(orUnknown(module.headers)) ==
                                            orUnknown(version);
  if (!isRight)
    reportError() << "expected the library of module '" << path
                  << "' to be version " << orUnknown(module.headers)
                  << ", as its headers are, but got " << orUnknown(version)
                  << '\n';
  return isRight;
}

std::optional<Opponent> load(const std::string &path) {
  const mli_bench_opponent *module = open(path);
  if (!module)
    return std::nullopt;
  if (module->interface_version != MLI_BENCH_INTERFACE) {
    reportError() << "expected module '" << path << "' to have interface "
                  << MLI_BENCH_INTERFACE << ", but got "
                  << module->interface_version << '\n';
    return std::nullopt;
  }
  if (!module->get_version || !module->start || !module->create) {
    reportError() << "expected module '" << path
                  << "' to have get_version, start and create, but got null\n";
    return std::nullopt;
  }
  StringRef name = module->name ? module->name : "";
  if (!isName(name)) {
    reportError() << "expected the name of module '" << path
                  << "' to be of letters, digits, '-', '_' and '.', but got '"
                  << name << "'\n";
    return std::nullopt;
  }
  if (!checkVersions(path, *module))
    return std::nullopt;
  if (const char *reason = module->start()) {
    reportError() << "expected the library of module '" << path
                  << "' to start, but got: " << reason << '\n';
    return std::nullopt;
  }
  return Opponent(path, *module);
}

} // namespace

std::string Opponent::describe() const {
  std::string text = module->name;
  if (const char *version = module->get_version())
    text += std::string(" ") + version;
  return text + " (" + sys::path::filename(path).str() + ")";
}

std::vector<Variant> Opponent::create(const Layer &layer,
                                      const Operands &operands) const {
  if (!layer.isCommon())
    return {};
  Receiver receiver = {
      *this, layer, std::make_shared<Call>(layer, operands), {}};
  mli_bench_receiver functions = {&receiver, Receiver::add, Receiver::decline};
  module->create(&receiver.call->layer, &receiver.call->operands, &functions);
  return std::move(receiver.variants);
}

std::unique_ptr<Kernel> Opponent::createNothing() const {
  if (!module->run_nothing || module->run_nothing() != 0)
    return nullptr;
  return std::make_unique<Nothing>(module->run_nothing);
}

std::optional<std::vector<Opponent>>
loadOpponents(const std::vector<std::string> &paths,
              std::vector<std::string> taken) {
  std::vector<Opponent> opponents;
  for (const std::string &path : paths) {
    std::vector<std::string> modules = findModules(path);
    if (modules.empty())
      return std::nullopt;
    for (const std::string &module : modules) {
      std::optional<Opponent> opponent = load(module);
      if (!opponent)
        return std::nullopt;
      if (is_contained(taken, opponent->getName())) {
        reportError() << "expected module '" << module
                      << "' to have a column of its own, but got '"
                      << opponent->getName() << "'\n";
        return std::nullopt;
      }
      taken.emplace_back(opponent->getName());
      opponents.push_back(std::move(*opponent));
    }
  }
  return opponents;
}

} // namespace mli::bench
