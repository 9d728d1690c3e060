// SPDX-License-Identifier: Apache-2.0

#include "Runs.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

const char *fuzz::getName(Outcome::Kind kind) {
  static constexpr const char *names[] = {"same",     "refused",  "differs",
                                          "rejected", "unusable", "crashed",
                                          "endless",  "costly",   "unbounded"};
  return names[static_cast<int>(kind)];
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static std::string describeDifference(ArrayRef<HostTensor> expected,
                                      ArrayRef<HostTensor> actual) {
  for (auto [i, one, other] : llvm::enumerate(expected, actual)) {
    if (one.shape != other.shape)
      return "result " + std::to_string(i) + " has shape " +
             formatShape(other.shape) + ", not " + formatShape(one.shape);
    Difference difference = compare(other, one);
    for (size_t at = 0; difference.elements != 0; ++at)
      if (one.get(at) != other.get(at))
        return "result " + std::to_string(i) + " differs in " +
               std::to_string(difference.elements) + " of " +
               std::to_string(one.getNumElements()) + " elements, first in " +
               std::to_string(at) + ": expected " +
               std::to_string(static_cast<int64_t>(one.get(at))) +
               ", but got " +
               std::to_string(static_cast<int64_t>(other.get(at)));
  }
  return "";
}

/// Compares what a run gave with what is expected.
Outcome fuzz::judge(const Case &program,
                    llvm::Expected<std::vector<HostTensor>> results) {
  Outcome outcome;
  if (!results) {
    outcome.text = llvm::toString(results.takeError());
    if (program.expected)
      outcome.kind = Outcome::Kind::Rejected;
    return outcome;
  }
  if (!program.expected) {
    outcome.kind = Outcome::Kind::Differs;
    outcome.text = "expected a failure, as " + program.failure;
    return outcome;
  }
  outcome.text = describeDifference(*program.expected, *results);
  if (!outcome.text.empty())
    outcome.kind = Outcome::Kind::Differs;
  return outcome;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

Errors::Errors(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
          text += diagnostic.str() + "\n";
          for (Diagnostic &note : diagnostic.getNotes())
            text += note.str() + "\n";
        } else if (diagnostic.getSeverity() == DiagnosticSeverity::Remark) {
          remarks += diagnostic.str() + "\n";
        }
        return success();
      }) {}

/// What no configuration compiles, as the diagnostics say.
static constexpr const char *bounds[] = {
    "nested loops that carry tensors",
};

/// What a configuration cannot do, as its diagnostics say.
static constexpr const char *limits[] = {
    "to be static, as tiles in local memory are",
    "to be a tensor that local memory can hold, of a static shape",
    "as the filters of a group are not known",
    "tensors of known sizes for an arena",
    "bytes of the arena, but got",
    // C output, of buffers, operands and arguments.
    "static sizes",
};

Outcome fuzz::refuse(StringRef text, bool mayRefuse) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::Rejected;
  outcome.text = text.str();
  auto find = [&](ArrayRef<const char *> list) {
    for (const char *limit : list)
      if (text.contains(limit)) {
        outcome.kind = Outcome::Kind::Refused;
        outcome.text = limit;
      }
  };
  find(bounds);
  if (mayRefuse)
    find(limits);
  return outcome;
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

static constexpr Configuration configurations[] = {
#define MLI_RUN(name, function, takes, what)                                   \
  {name, what, function, Takes::takes},
#include "Configurations.def"
};

bool Configuration::canRun(const Case &program) const {
  switch (takes) {
  case Takes::Tensors:
    return !program.hasBuffers();
  case Takes::All:
    return true;
  case Takes::Networks:
    return program.checkFrontEnd != nullptr;
  }
  llvm_unreachable("all kinds are handled");
}

llvm::ArrayRef<Configuration> fuzz::getConfigurations() {
  return configurations;
}

const Configuration *fuzz::findConfiguration(StringRef name) {
  for (const Configuration &configuration : configurations)
    if (name == configuration.name)
      return &configuration;
  return nullptr;
}
