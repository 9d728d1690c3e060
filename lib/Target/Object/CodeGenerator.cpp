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
  if (layout.getPointerSizeInBits() != pointerBits)
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

static llvm::Error checkProcessor(const llvm::MCSubtargetInfo &subtarget,
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

/// What compilers of C take where nothing is said: of RISC-V no instruction
/// set is the least one, and the way that arguments are passed depends on it.
static llvm::Expected<std::string> describeRiscv(const llvm::Triple &triple,
                                                 llvm::StringRef cpu,
                                                 std::string &features) {
  llvm::StringRef arch = llvm::RISCV::getMArchFromMcpu(cpu);
  if (arch.empty())
    arch = triple.isOSLinux() ? "rv64gc" : "rv64imac";
  auto isa = llvm::RISCVISAInfo::parseArchString(
      arch, /*EnableExperimentalExtension=*/true);
  if (!isa)
    return isa.takeError();
  std::string base = llvm::join((*isa)->toFeatures(), ",");
  features = features.empty() ? base : base + "," + features;
  return (*isa)->computeDefaultABI().str();
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
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, /*CPU=*/"", /*Features=*/""));
  if (llvm::Error error = checkProcessor(*subtarget, machine))
    return error;
  std::string cpu = machine.cpu, features = machine.features;
  llvm::TargetOptions options;
  // What nobody calls is not linked.
  options.FunctionSections = true;
  options.DataSections = true;
  if (triple.isRISCV64()) {
    auto abi = describeRiscv(triple, cpu, features);
    if (!abi)
      return abi.takeError();
    options.MCOptions.ABIName = *abi;
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_,
      /*CodeModel=*/std::nullopt, llvm::CodeGenOptLevel::Default));
}
