// SPDX-License-Identifier: Apache-2.0
//
// This library under measurement; others are in Opponents.h.

#ifndef MLI_TOOLS_MLI_BENCH_BACKEND_H
#define MLI_TOOLS_MLI_BENCH_BACKEND_H

#include "Layer.h"

#include <memory>

namespace mli::bench {

/// One layer, ready to run again and again.
class Kernel {
public:
  virtual ~Kernel() = default;
  virtual void run() = 0;
  /// The bytes of the last result.
  virtual std::vector<int8_t> output() const = 0;
};

/// A layer of a kind that `Layer` does not have, or null.
std::unique_ptr<Kernel> createOther(const Layer &layer,
                                    const Operands &operands, bool isScalar);

/// A column of this library.
struct Backend {
  using Create = std::unique_ptr<Kernel> (*)(const Layer &, const Operands &);
  const char *name;
  /// Null for layers that it does not have.
  Create create;
  /// The scalar code whose bytes these results have to be.
  Create createScalar;
};

/// This library: every call as the MLI API has it, the same with weights
/// packed in advance, and its scalar code; fixed point.
extern const Backend mliPlain, mliPacked, mliScalar, mliFx16Fx8, mliFx16,
    mliPackedFx16Fx8, mliPackedFx16;
/// Layers packed in advance, depthwise ones too, in one thread and in
/// `mliThreads`.
extern const Backend mliOneThread, mliManyThreads;
extern int mliThreads;

/// Billions of multiply-accumulations per second of an endless sum in
/// registers, for sa8 (`forPairs` false) or 16-bit inputs: what the best
/// instruction of the chosen target can reach.
double measureLimit(bool forPairs);

} // namespace mli::bench

#endif // MLI_TOOLS_MLI_BENCH_BACKEND_H
