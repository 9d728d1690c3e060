// SPDX-License-Identifier: Apache-2.0
//
// Runs calls on tensors that lie scattered over NPUs: every tensor goes through
// local memory before the call, and every result after it.

#ifndef MLI_TEST_GOLDEN_TOOL_LOCALRUN_H
#define MLI_TEST_GOLDEN_TOOL_LOCALRUN_H

#include "GoldenTensor.h"

#include "mli/Layout/TensorLayout.h"
#include "mli/Runtime/C/mli_local.h"

namespace mli::golden {

/// How tensors are laid out.
struct LocalSetting {
  layout::Kind kind = layout::Kind::Aligned;
  int64_t startNpu = 0;
  /// Whether the storage mode of the element type is used.
  bool isPacked = false;
  /// Whether rank 4 is taken as weights, [kh, kw, ic, oc], not as a batch.
  bool isWeights = false;
  /// Whether inputs are used where they are in local memory.
  bool isView = false;

  std::string toString() const;
};

/// All settings for a number of NPUs, whose local memory it makes.
llvm::Expected<std::vector<LocalSetting>> configureLocal(int64_t npus);

class LocalRun {
public:
  explicit LocalRun(const LocalSetting &setting) : setting(setting) {}

  /// Scatters the elements, destroys them, and gathers them again; a tensor
  /// without elements stays as it is.
  void pass(mli_tensor &tensor, Differences &differences);

  /// Before the call: also moves the tensor to local memory for good, if the
  /// setting says so.
  void enter(mli_tensor &tensor, Differences &differences);

  /// After it: lets the tensor point to plain memory again, with the elements
  /// that it has now.
  void leave(mli_tensor &tensor);

private:
  struct View {
    mli_local_tensor where;
    mli_tensor local;
    mli_tensor plain;
  };
  std::optional<mli_local_tensor> place(const mli_tensor &tensor,
                                        Differences &differences);

  LocalSetting setting;
  /// Where the next tensor goes.
  int64_t offset = 0;
  std::vector<View> views;
};

} // namespace mli::golden

#endif // MLI_TEST_GOLDEN_TOOL_LOCALRUN_H
