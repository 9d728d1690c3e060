// SPDX-License-Identifier: Apache-2.0

#include "Version.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static constexpr char commit[] =
#include "Commit.inc"
    ;

static void printVersion(raw_ostream &os) {
  os << "mli-mlir " << MLI_VERSION_TEXT << " (" << commit << ")\n";
  cl::PrintVersionMessage();
}

void mli::setVersion() { cl::SetVersionPrinter(printVersion); }
