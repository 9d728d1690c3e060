// SPDX-License-Identifier: Apache-2.0
//
// The files of a network.

#ifndef MLI_LIB_TARGET_C_SOURCES_H
#define MLI_LIB_TARGET_C_SOURCES_H

#include "Network.h"

#include "mli/Target/Object.h"

namespace mli::c {

/// Prints the source: descriptions, layers and functions. Reads the tables and
/// layers of `network`. Fails, with an error, on what C does not have.
llvm::FailureOr<std::string> printSource(Network &network);

/// Prints the header, for which the source has been printed.
std::string printHeader(const Network &network);

/// Prints the function that checks the library, with `layers` read; and its
/// declaration, up to its end.
std::string printCheck(const Network &network);
std::string declareCheck(const Network &network);

/// The declaration of the function that makes tables once, up to its end.
std::string declarePrepare(const Network &network);

/// Prints the constants of kernels as a part of a source, as sources of their
/// own with a header, or as a blob.
std::string printWeights(const Network &network);
std::vector<CFile> printWeightSources(const Network &network);
std::string declareWeights(const Network &network);
std::string printBlob(const Network &network);

/// Prints a program that runs the first function, on files or on vectors, and
/// compares.
std::string printTestProgram(const Network &network);

/// Prints a CMakeLists.txt for the sources in `files`, or for the object or
/// library there.
std::string printCMake(const Network &network, const std::vector<CFile> &files);

/// Prints the sizes of the network as JSON, and the machine that an object is
/// for.
std::string printReport(const Network &network,
                        const Machine *machine = nullptr);

/// The declaration of the function for callers, up to its end.
std::string declareEntry(const Network &network, const Function &function);

/// The library that the C calls, for readers.
llvm::StringRef getLibraryName(const Network &network);

/// The first lines of a file.
void printHead(const Network &network, llvm::StringRef what, Writer &os);

} // namespace mli::c

#endif // MLI_LIB_TARGET_C_SOURCES_H
