// SPDX-License-Identifier: Apache-2.0
//
// The run-time modes: of parameter checks, with messages of failed ones, and
// of arithmetic.

#ifndef MLI_LIB_RUNTIME_CORE_MODE_H
#define MLI_LIB_RUNTIME_CORE_MODE_H

#include "Types.h"
#include "mli/Runtime/C/mli_runtime.h"

#include <atomic>

namespace mli::rt {

extern std::atomic<mli_check_mode> checkMode;
extern std::atomic<mli_rounding_mode> roundingMode;
extern std::atomic<mli_accumulation_mode> accumulationMode;

inline bool checksEnabled() {
  return checkMode.load(std::memory_order_relaxed) != MLI_CHECK_OFF;
}

inline quant::Rounding currentRounding() {
  return roundingMode.load(std::memory_order_relaxed) == MLI_ROUND_CONVERGENT
             ? quant::Rounding::Convergent
             : quant::Rounding::Up;
}

inline bool accumulatesFully(mli_accumulation_mode what) {
  return (accumulationMode.load(std::memory_order_relaxed) & what) != 0;
}

/// Calls `run` with an object of the type that is `Type` with the arithmetic of
/// this moment, so that kernels know it as constants. `What` is the effect of
/// full accumulation on the kernel.
template <typename Type, mli_accumulation_mode What, typename Run>
mli_status withArithmetic(Run run) {
  using quant::Rounding;
  bool isConvergent = currentRounding() == Rounding::Convergent;
  if constexpr (What != MLI_ACCUMULATE_NARROW && Type::isAsymmetric) {
    if (accumulatesFully(What))
      return isConvergent ? run(Computed<Type, Rounding::Convergent, true>())
                          : run(Computed<Type, Rounding::Up, true>());
  }
  return isConvergent ? run(Computed<Type, Rounding::Convergent, false>())
                      : run(Computed<Type, Rounding::Up, false>());
}

using ProfileCallback = void (*)(const char *, int, void *);
extern std::atomic<ProfileCallback> profileCallback;

/// Names the C function that this thread is in, for messages and for
/// profiles.
class Entry {
public:
  explicit Entry(const char *function) : function(function) {
    setCurrent(function);
    if (profileCallback.load(std::memory_order_relaxed))
      reportBegin();
  }
  ~Entry() {
    if (isReported)
      reportEnd();
  }
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;

private:
  static void setCurrent(const char *function);
  void reportBegin();
  void reportEnd() const;

  const char *function;
  bool isReported = false;
};

/// The body of the C function `name`: `run`, as `withArithmetic` calls it.
template <typename Type, mli_accumulation_mode What = MLI_ACCUMULATE_NARROW,
          typename Run>
mli_status runEntry(const char *name, Run run) {
  Entry entry(name);
  return withArithmetic<Type, What>(run);
}

/// Returns `status`; with MLI_CHECK_MESSAGES also reports why, as
/// `expected '<argument>' to <condition>, but got <value>`.
#ifdef MLI_RUNTIME_PLAIN
mli_status failPlainly(mli_status status);
/// Texts and numbers are not in the program: it reports the function and the
/// status.
template <typename... Arguments>
mli_status fail(mli_status status, const Arguments &.../*reason*/) {
  return failPlainly(status);
}
#else
[[gnu::format(printf, 2, 3)]] mli_status fail(mli_status status,
                                              const char *format, ...);
#endif

} // namespace mli::rt

#endif // MLI_LIB_RUNTIME_CORE_MODE_H
