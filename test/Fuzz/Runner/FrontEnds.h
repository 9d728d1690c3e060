// SPDX-License-Identifier: Apache-2.0
//
// Networks of other formats as programs to try.

#ifndef MLI_TEST_FUZZ_RUNNER_FRONTENDS_H
#define MLI_TEST_FUZZ_RUNNER_FRONTENDS_H

#include "Case.h"

namespace mli::fuzz {

/// Why a front end takes a network not, as its documentation says.
class Refusal : public llvm::ErrorInfo<Refusal> {
public:
  explicit Refusal(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  // NOLINTNEXTLINE(readability-identifier-naming): what LLVM looks for.
  static char ID;

private:
  std::string text;
};

/// Whether there are operations of TOSA in `module`.
bool hasTosa(mlir::ModuleOp module);

/// The case of a network of TOSA.
llvm::Expected<Case> makeTosaCase(mlir::OwningOpRef<mlir::ModuleOp> module,
                                  uint64_t seed);

/// The case of the network in `bytes`, a file of TFLite.
llvm::Expected<Case> makeTFLiteCase(std::string bytes, uint64_t seed,
                                    mlir::MLIRContext *context);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_RUNNER_FRONTENDS_H
