// SPDX-License-Identifier: Apache-2.0
//
// The request of a command line: a tensor, its layout, and elements, bytes and
// ranges of it.

#ifndef MLI_TOOLS_MLILAYOUT_REQUEST_H
#define MLI_TOOLS_MLILAYOUT_REQUEST_H

#include "mli/Layout/ElementMap.h"
#include "mli/Layout/Subtensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mli::layout {

/// The options as they were given; empty is absent.
struct Options {
  std::string target, npus, npuBytes, unit;
  std::string shape, element, kind, mode, address, strides, columns;
  std::vector<std::string> at, bytes, parts, compare, marks;
};

/// A place with a name.
struct Mark {
  std::string name;
  Location location;
};

/// As it was given: four numbers each, or rows and columns of a matrix.
struct Part {
  std::vector<int64_t> offset, extents;
};

struct Request {
  TensorLayout layout;
  std::string element;
  bool isMatrix = false;
  /// The requested elements, as they were given and in the layout.
  std::vector<std::vector<int64_t>> at;
  std::vector<Dims> atIndex;
  std::vector<Location> bytes;
  std::vector<Part> parts;
  std::vector<std::string> compare;
};

llvm::Error makeError(const llvm::Twine &message);
llvm::Error makeError(const Violation &problem);

/// Reads one number, of decimal digits.
llvm::Expected<int64_t> parseNumber(llvm::StringRef option,
                                    llvm::StringRef text);

llvm::Expected<Target> parseTarget(const Options &options);
llvm::Expected<Request> parseRequest(const Options &options);
llvm::Expected<std::vector<Mark>> parseMarks(const Options &options,
                                             const Target &target);

/// The subtensor of the layout, or why it is a move.
Result<Subtensor> getPart(const Request &request, const Part &part);

/// The index of an element as it is given: row and column of a matrix.
std::vector<int64_t> spelledIndex(const Request &request, const Dims &index);

} // namespace mli::layout

#endif // MLI_TOOLS_MLILAYOUT_REQUEST_H
