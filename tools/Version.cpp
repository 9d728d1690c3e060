// SPDX-License-Identifier: Apache-2.0

#include "Version.h"

#include "mli/Support/OutputFiles.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

static constexpr char commit[] =
#include "Commit.inc"
    ;

static void printVersion(raw_ostream &os) {
  os << "mli-mlir " << MLI_VERSION_TEXT << " (" << commit << ")\n";
  cl::PrintVersionMessage();
  // LLVM would abort with a message of its own where that is not written.
  std::exit(mli::exitStatus(mli::flushStandardOutput()));
}

void mli::setVersion() { cl::SetVersionPrinter(printVersion); }
