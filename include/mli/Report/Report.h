// SPDX-License-Identifier: Apache-2.0
//
// All that is known of a compiled network, for people and for programs: as
// JSON, and as a page that needs no network. Knows no MLIR; who compiles fills
// it.

#ifndef MLI_REPORT_REPORT_H
#define MLI_REPORT_REPORT_H

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mli::report {

/// All calls of one function of the runtime for one layer in a run.
struct Kernel {
  /// The operation of the dialect, and the function that is called.
  std::string kernel, function;
  /// That of the result, -1 for what is not known.
  std::vector<int64_t> shape;
  int64_t calls = 0;
  /// Products that it sums up, and bytes of its operands, tiles that compute or
  /// read again counted again; nothing where they are not known.
  std::optional<int64_t> products, bytes;
  /// The time on this host, if it was measured.
  std::optional<double> microseconds;
};

/// A tensor beside a reference.
struct Difference {
  int64_t elements = 0, differing = 0;
  /// The greatest distance; nothing if only NaNs differ.
  std::optional<double> greatest;
  /// In dB; nothing where nothing differs.
  std::optional<double> sqnr;
};

/// A kernel of this run beside that of another.
struct KernelDifference {
  std::string kernel;
  /// Why they were not compared; empty if they were.
  std::string obstacle;
  Difference difference;
};

/// Copies that were made for one reason, in one run.
struct Copies {
  std::string reason;
  int64_t bytes = 0;
};

/// A layer of the network.
struct Layer {
  /// Tells it from the other layers of its function; not written.
  std::string key;
  std::string name, label, place;
  /// What memory maps call its buffers.
  std::vector<std::string> texts;
  /// The numbers of its steps in memory maps.
  std::vector<size_t> steps;
  /// The numbers of the layers whose results it reads.
  std::vector<size_t> inputs;
  std::vector<Kernel> kernels;
  std::vector<Copies> copies;
  /// Bytes between system and local memory in one run.
  int64_t movedIn = 0, movedOut = 0;
  std::vector<KernelDifference> differences;
};

/// A transfer or kernel, and when its engine runs it by the cost model.
struct Step {
  /// The number of its layer, if it is one of them.
  std::optional<size_t> layer;
  bool isTransfer = false;
  double begin = 0, end = 0;
  std::optional<int64_t> bytes;
};

/// Bytes. Those of local memory are of each NPU.
struct Sizes {
  int64_t weights = 0, packedWeights = 0, inputsAndResults = 0, states = 0,
          arena = 0, local = 0;
  /// Of the code for this host around the kernels, if that is known.
  std::optional<int64_t> code;
};

/// What one run costs by the cost model, in the unit of one byte that is moved.
struct Estimate {
  double transfers = 0, kernels = 0, overlapped = 0;
  std::vector<Step> steps;
};

/// Bytes between system and local memory in one run, the fewest by any
/// placement and, where it is known, with the local memory there is.
struct Moved {
  int64_t in = 0, out = 0, least = 0;
  std::optional<int64_t> bound;
};

/// Runs that were measured, by the clock of this host.
struct Measured {
  unsigned runs = 0;
  double median = 0, least = 0;
};

struct Function {
  std::string name;
  /// The functions that it calls; not written.
  std::vector<std::string> callees;
  /// As MLIR prints it; empty if there is none.
  std::string target;
  std::vector<Layer> layers;
  /// Its memory maps, JSON objects as docs/guides/memory.md describes them.
  std::vector<std::string> memories;
  /// What is known of those alone that were compiled to be run.
  std::optional<Sizes> sizes;
  std::optional<Estimate> estimate;
  std::optional<Moved> moved;
  std::optional<Measured> measured;
  /// Its first results beside references.
  std::vector<Difference> results;
};

struct Report {
  /// Functions before those that they call; a page opens on the first.
  std::vector<Function> functions;
};

/// Writes `report` as docs/guides/report.md describes it.
void writeJson(llvm::raw_ostream &os, const Report &report);

/// Writes `report` as one page for browsers, which holds all that it shows.
void writePage(llvm::raw_ostream &os, const Report &report);

} // namespace mli::report

#endif // MLI_REPORT_REPORT_H
