// SPDX-License-Identifier: Apache-2.0

#include "Runs.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

std::string TargetChoice::getText() const {
  return "custom,npus=" + std::to_string(npus) +
         ",npu-bytes=" + std::to_string(bytes) +
         ",unit=" + std::to_string(unit) + ",banks=" + std::to_string(banks);
}

void TargetChoice::setBytes(int64_t count) {
  // Both are powers of two.
  int64_t grain = std::max(unit, banks);
  bytes = (count + grain - 1) / grain * grain;
}

TargetChoice TargetChoice::choose(Random &random) {
  static constexpr int64_t npus[] = {1, 1, 2, 3, 4, 8, 64};
  TargetChoice target;
  target.npus = random.pick(llvm::ArrayRef(npus));
  target.unit = int64_t{4} << random.pick(0, 5);
  target.banks = random.chance(60) ? 1 : int64_t{1} << random.pick(1, 3);
  target.bytes = 1 << 20;
  return target;
}

static CompileOptions localOptions(const TargetChoice &target) {
  CompileOptions options;
  options.placement = Placement::Local;
  options.local.target = target.getText();
  return options;
}

/// As much memory as everything takes at once.
Outcome fuzz::runLocal(const Case &program, Random &random) {
  if (program.hasBuffers()) {
    CompileOptions options;
    options.placement = Placement::Local;
    return runWith(program, options, /*mayRefuse=*/true);
  }
  if (random.chance(40)) {
    static constexpr const char *targets[] = {"vpx", "bm1684", "bm1684x",
                                              "bm1688"};
    CompileOptions options = localOptions({});
    options.local.target = random.pick(llvm::ArrayRef(targets));
    return runWith(program, options, /*mayRefuse=*/true);
  }
  return runWith(program, localOptions(TargetChoice::choose(random)),
                 /*mayRefuse=*/true);
}

int64_t fuzz::findEnough(StringRef errors) {
  size_t at = errors.find("npu-bytes=");
  int64_t bytes = 0;
  if (at == StringRef::npos || errors.substr(at + 10).consumeInteger(10, bytes))
    return 0;
  return bytes;
}

/// The least memory that is enough, found by what the errors say would do.
static Compiled compileInLeast(const Case &program, CompileOptions &options,
                               TargetChoice target) {
  target.setBytes(1);
  while (true) {
    options.local.target = target.getText();
    Compiled compiled = compile(program, options);
    int64_t enough = findEnough(compiled.errors);
    if (compiled.program || enough <= target.bytes)
      return compiled;
    target.bytes = enough;
  }
}

static Outcome finish(const Case &program, const CompileOptions &options,
                      const Compiled &compiled) {
  Outcome outcome = compiled.program
                        ? runCompiled(program, compiled)
                        : refuse(compiled.errors, /*mayRefuse=*/true);
  outcome.where = options.local.target;
  return outcome;
}

static Outcome runInLeast(const Case &program, CompileOptions options,
                          const TargetChoice &target) {
  Compiled compiled = compileInLeast(program, options, target);
  return finish(program, options, compiled);
}

Outcome fuzz::runLeast(const Case &program, Random &random) {
  TargetChoice target = TargetChoice::choose(random);
  return runInLeast(program, localOptions(target), target);
}

/// Between the least memory and as much as everything takes.
Outcome fuzz::runSmall(const Case &program, Random &random) {
  TargetChoice target = TargetChoice::choose(random);
  target.setBytes(random.pick(64, 4096));
  CompileOptions options = localOptions(target);
  Compiled compiled = compile(program, options);
  if (int64_t enough = findEnough(compiled.errors);
      !compiled.program && enough > target.bytes)
    return runInLeast(program, options, target);
  return finish(program, options, compiled);
}

Outcome fuzz::runModes(const Case &program, Random &random) {
  TargetChoice target = TargetChoice::choose(random);
  target.npus = int64_t{1} << random.pick(1, 4);
  CompileOptions options = localOptions(target);
  static constexpr layout::Mode modes[] = {
      layout::Mode::None, layout::Mode::FourN, layout::Mode::TwoN};
  options.local.mode = random.pick(llvm::ArrayRef(modes));
  options.local.matrices = random.chance(50);
  if (random.chance(50))
    return runInLeast(program, options, target);
  return runWith(program, options, /*mayRefuse=*/true);
}

Outcome fuzz::runDoubleBuffered(const Case &program, Random &random) {
  TargetChoice target = TargetChoice::choose(random);
  CompileOptions options = localOptions(target);
  options.local.doubleBuffer =
      random.chance(50) ? DoubleBuffering::Auto : DoubleBuffering::On;
  if (random.chance(60))
    return runInLeast(program, options, target);
  return runWith(program, options, /*mayRefuse=*/true);
}

OverridesFile::OverridesFile(const llvm::Twine &text) {
  int descriptor = -1;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(
          "mli-fuzz", "json", descriptor, path))
    llvm::report_fatal_error(llvm::StringRef(code.message()));
  remover.setFile(path);
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
}

/// Costs from a file, which lead to other tiles and groups.
Outcome fuzz::runCosts(const Case &program, Random &random) {
  TargetChoice target = TargetChoice::choose(random);
  CompileOptions options = localOptions(target);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\"cost\": {\"mac\": " << random.pick(0, 4)
     << ", \"call\": " << (random.chance(50) ? 0 : random.pick(0, 5000))
     << ", \"code\": " << (random.chance(50) ? 0 : random.pick(0, 5000))
     << ", \"byte\": " << random.pick(0, 3)
     << ", \"overlap\": " << (random.chance(50) ? 0 : 1) << "}}";
  OverridesFile file(text);
  options.local.overrides = file.getPath();
  target.setBytes(random.pick(128, 2048));
  options.local.target = target.getText();
  return runInLeast(program, options, target);
}
