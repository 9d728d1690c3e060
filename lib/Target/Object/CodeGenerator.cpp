// SPDX-License-Identifier: Apache-2.0
//
// The machines that objects are for.

#include "mli/Target/Object.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/RISCVISAInfo.h"
#include "llvm/TargetParser/RISCVTargetParser.h"

using namespace mli;

/// The structs of calls are laid out for pointers of so many bits.
static constexpr unsigned pointerBits = 64;

static constexpr llvm::StringLiteral advice =
    "; '--emit c' makes C for the compiler of any machine";

static llvm::Error reject(const llvm::Twine &expected, llvm::StringRef got) {
  return llvm::createStringError("expected " + expected + ", but got '" + got +
                                 "'" + advice);
}

/// Whether code for `triple` is called as a library of C is.
static bool isGeneral(const llvm::Triple &triple) {
  return triple.isX86() || triple.isAArch64() || triple.isRISCV() ||
         triple.isLoongArch() || triple.isPPC() || triple.isMIPS();
}

/// Checks that the structs of calls, and constants, are laid out for it.
static llvm::Error checkTriple(const llvm::Triple &triple,
                               llvm::StringRef name) {
  if (triple.getArch() == llvm::Triple::UnknownArch)
    return reject("a triple of a machine that LLVM has", name);
  llvm::DataLayout layout(triple.computeDataLayout());
  if (!triple.isArch64Bit() || layout.getPointerSizeInBits() != pointerBits)
    return reject("a triple of a machine with pointers of " +
                      llvm::Twine(pointerBits) + " bits, which objects are for",
                  name);
  if (layout.isBigEndian())
    return reject("a triple of a little-endian machine, which objects are for",
                  name);
  if (!triple.isOSBinFormatELF())
    return reject("a triple of a system with ELF, which objects are in", name);
  return llvm::Error::success();
}

/// Checks that `machine` has a processor and features of that of `subtarget`.
static llvm::Error checkNames(const llvm::MCSubtargetInfo &subtarget,
                              const Machine &machine) {
  if (!machine.cpu.empty() && !subtarget.isCPUStringValid(machine.cpu))
    return reject("'--cpu' to be a processor of " +
                      subtarget.getTargetTriple().getArchName(),
                  machine.cpu);
  for (llvm::StringRef feature :
       llvm::split(llvm::StringRef(machine.features), ',')) {
    if (feature.empty())
      continue;
    llvm::StringRef name = feature.drop_front();
    bool isKnown = llvm::any_of(subtarget.getAllProcessorFeatures(),
                                [&](const llvm::SubtargetFeatureKV &known) {
                                  return name == known.Key;
                                });
    if ((feature[0] != '+' && feature[0] != '-') || !isKnown)
      return reject("'--features' to be '+' or '-' and a feature of " +
                        subtarget.getTargetTriple().getArchName(),
                    feature);
  }
  return llvm::Error::success();
}

/// What a processor for `triple` has and lacks: LLVM ends the process where
/// that does not hold.
static llvm::StringRef getMode(const llvm::Triple &triple) {
  if (triple.isRISCV() || triple.isLoongArch())
    return "+64bit,-32bit";
  if (triple.isMIPS())
    return "+mips64,+fp64,-micromips,-mips16,-noabicalls,"
           "-use-indirect-jump-hazard";
  if (triple.isPPC())
    return "+64bit,+64bit-support";
  if (triple.isX86())
    return "+64bit,+64bit-mode,-32bit-mode,-16bit-mode";
  return "";
}

/// What compilers of C take where nothing is said: of RISC-V no instruction
/// set is the least one.
static llvm::Expected<std::string> describeRiscv(const llvm::Triple &triple,
                                                 llvm::StringRef cpu) {
  llvm::StringRef arch = llvm::RISCV::getMArchFromMcpu(cpu);
  if (arch.empty())
    arch = triple.isOSLinux() ? "rv64gc" : "rv64imac";
  auto isa = llvm::RISCVISAInfo::parseArchString(
      arch, /*EnableExperimentalExtension=*/true);
  if (!isa)
    return isa.takeError();
  return llvm::join((*isa)->toFeatures(), ",");
}

/// The way that arguments are passed on RISC-V, which depends on what there is.
static llvm::Expected<std::string>
findRiscvAbi(const llvm::MCSubtargetInfo &subtarget) {
  std::vector<std::string> features;
  for (const llvm::SubtargetFeatureKV &feature :
       subtarget.getEnabledProcessorFeatures())
    features.push_back(std::string("+") + feature.Key);
  auto isa = llvm::RISCVISAInfo::parseFeatures(pointerBits, features);
  if (!isa)
    return isa.takeError();
  return (*isa)->computeDefaultABI().str();
}

/// Says of `machine` what LLVM does not take from its triple, or each part of
/// it differently.
static llvm::Error complete(Machine &machine, const llvm::Triple &triple) {
  std::string base;
  if (triple.isPPC()) {
    base = "+64bit";
    if (machine.cpu.empty())
      machine.cpu = "ppc64le";
  }
  if (triple.isRISCV()) {
    auto found = describeRiscv(triple, machine.cpu);
    if (!found)
      return found.takeError();
    base = *found;
  }
  if (!base.empty() && !machine.features.empty())
    base += ",";
  machine.features = base + machine.features;
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mli::createCodeGenerator(const Machine &machine) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  std::string name = machine.triple.empty()
                         ? llvm::sys::getDefaultTargetTriple()
                         : machine.triple;
  llvm::Triple triple(llvm::Triple::normalize(name));
  if (llvm::Error error = checkTriple(triple, name))
    return error;
  std::string problem;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target || !target->hasMCAsmBackend() || !isGeneral(triple))
    return reject("a triple of a machine that this LLVM makes code for", name);
  auto createSubtarget = [&](llvm::StringRef cpu, llvm::StringRef features) {
    return std::unique_ptr<llvm::MCSubtargetInfo>(
        target->createMCSubtargetInfo(triple, cpu, features));
  };
  if (llvm::Error error =
          checkNames(*createSubtarget(/*cpu=*/"", /*features=*/""), machine))
    return error;
  Machine whole = machine;
  if (llvm::Error error = complete(whole, triple))
    return error;
  auto subtarget = createSubtarget(whole.cpu, whole.features);
  llvm::StringRef mode = getMode(triple);
  // What is asked of POWER gives it, too.
  bool holds = mode.empty() ||
               (subtarget->checkFeatures(mode) &&
                (!triple.isPPC() || createSubtarget(whole.cpu, /*features=*/"")
                                        ->checkFeatures("+64bit-support")));
  if (!holds)
    return reject("'--cpu' and '--features' to have '" + mode +
                      "', as the triple '" + name + "' does",
                  machine.cpu + " " + machine.features);
  llvm::TargetOptions options;
  // What nobody calls is not linked.
  options.FunctionSections = true;
  options.DataSections = true;
  if (triple.isRISCV()) {
    auto abi = findRiscvAbi(*subtarget);
    if (!abi)
      return abi.takeError();
    options.MCOptions.ABIName = *abi;
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, whole.cpu, whole.features, options, llvm::Reloc::PIC_,
      /*CodeModel=*/std::nullopt, llvm::CodeGenOptLevel::Default));
}
