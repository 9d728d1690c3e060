// SPDX-License-Identifier: Apache-2.0

#include "LocalRun.h"

#include "mli/Runtime/C/api/mli_helpers_api.h"
#include "mli/Runtime/C/mli_runtime.h"
#include "mli/Runtime/C/okk.h"
#include "mli/Runtime/LocalTensor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mli::layout;

namespace mli::golden {

std::string LocalSetting::toString() const {
  return formatv("{0}{1}{2}{3} from NPU {4}", layout::toString(kind),
                 isPacked ? ", packed" : "", isWeights ? ", as weights" : "",
                 isView ? ", in place" : "", startNpu);
}

Expected<std::vector<LocalSetting>> configureLocal(int64_t npus) {
  // The same total for every number of NPUs.
  constexpr int64_t total = 1 << 24;
  mli_local_target target = {0, 0, 1, 64, 4};
  bool isPower = npus > 0 && npus <= total && (npus & (npus - 1)) == 0;
  if (isPower) {
    target.npus = static_cast<uint32_t>(npus);
    target.npu_bytes = static_cast<uint32_t>(total / npus);
  }
  if (!isPower || mli_local_configure(&target) != MLI_STATUS_OK)
    return createStringError(
        "expected 'local-npus' to be a power of two, but got " + Twine(npus));
  mli_local_set_poison(1, 20);
  okk_initialize();
  std::vector<LocalSetting> settings;
  SmallVector<int64_t> starts = {0, npus / 2, npus - 1};
  starts.erase(llvm::unique(starts), starts.end());
  for (int64_t start : starts)
    for (Kind kind :
         {Kind::Aligned, Kind::Compact, Kind::Matrix, Kind::Strided})
      for (bool isPacked : {false, true})
        for (bool isWeights : {false, true})
          settings.push_back({kind, start, isPacked, isWeights, false});
  if (npus == 1)
    settings.push_back({Kind::Strided, 0, false, false, true});
  return settings;
}

/// The dimensions of local memory that those of a tensor are.
static ArrayRef<int8_t> getDims(uint32_t rank, const LocalSetting &setting) {
  static constexpr int8_t vector[] = {1};
  static constexpr int8_t matrix[] = {0, 3};
  static constexpr int8_t map[] = {2, 3, 1};
  static constexpr int8_t batch[] = {0, 2, 3, 1};
  static constexpr int8_t weights[] = {2, 3, 0, 1};
  static constexpr int8_t columns[] = {3};
  switch (rank) {
  case 1:
    return setting.kind == Kind::Matrix ? ArrayRef<int8_t>(columns)
                                        : ArrayRef<int8_t>(vector);
  case 2:
    return matrix;
  case 3:
    return map;
  default:
    return setting.isWeights ? ArrayRef<int8_t>(weights)
                             : ArrayRef<int8_t>(batch);
  }
}

static Mode modeOf(mli_element_type type) {
  switch (type) {
  case MLI_EL_FX_8:
  case MLI_EL_SA_8:
    return Mode::FourN;
  case MLI_EL_FX_16:
    return Mode::TwoN;
  case MLI_EL_FP_32:
    return Mode::TwoIC;
  default:
    return Mode::None;
  }
}

/// Gaps everywhere: H, then W, N and C innermost, as no closed form has them.
static Dims stridesWithGaps(const TensorLayout &layout) {
  Dims extents = packedShape(layout);
  Dims strides;
  strides.c = 2;
  strides.n = strides.c * channelsPerNpu(layout) + 1;
  strides.w = strides.n * extents.n + 1;
  strides.h = strides.w * extents.w + 3;
  return strides;
}

/// Whether the tensor has elements in memory. Not every function that returns a
/// view sets its strides.
static bool hasElements(const mli_tensor &tensor) {
  return tensor.rank != 0 && tensor.rank <= MLI_MAX_RANK &&
         tensor.data.mem.pi8 && mli_hlp_tensor_element_size(&tensor) != 0 &&
         llvm::all_of(ArrayRef(tensor.shape).take_front(tensor.rank),
                      [](uint32_t extent) { return extent != 0; }) &&
         llvm::all_of(ArrayRef(tensor.mem_stride).take_front(tensor.rank),
                      [](int32_t stride) { return stride > 0; });
}

std::optional<mli_local_tensor> LocalRun::place(const mli_tensor &tensor,
                                                Differences &differences) {
  TensorLayout layout;
  layout.target = currentLocalTarget();
  layout.kind = setting.kind;
  layout.startNpu = setting.startNpu;
  layout.offset = offset;
  layout.elementBytes = mli_hlp_tensor_element_size(&tensor);
  if (setting.isPacked)
    layout.mode = modeOf(tensor.el_type);
  ArrayRef<int8_t> dims = getDims(tensor.rank, setting);
  int64_t *extents[] = {&layout.shape.n, &layout.shape.c, &layout.shape.h,
                        &layout.shape.w};
  int64_t *strides[] = {&layout.strides.n, &layout.strides.c, &layout.strides.h,
                        &layout.strides.w};
  for (uint32_t i = 0; i < tensor.rank; ++i)
    *extents[dims[i]] = tensor.shape[i];
  if (layout.kind == Kind::Matrix && tensor.rank > 2)
    layout.kind = Kind::Compact;
  if (layout.kind == Kind::Matrix) {
    layout.matrixColumns = layout.shape.w;
    // A ragged last channel for all but multiples of three.
    int64_t width = std::min<int64_t>(layout.shape.w, 3);
    layout.shape = *matrixShape(layout.shape.n, layout.shape.w, width);
  }
  if (setting.isView)
    for (uint32_t i = 0; i < tensor.rank; ++i)
      *strides[dims[i]] = tensor.mem_stride[i];
  else
    layout.strides = stridesWithGaps(layout);
  Result<TensorLayout> made = makeLayout(layout);
  if (!made) {
    differences.push_back(layout::toString(made.violation()));
    return std::nullopt;
  }
  offset += (bytesPerNpu(*made) + 63) / 64 * 64;
  return describeLocal(*made, dims);
}

void LocalRun::pass(mli_tensor &tensor, Differences &differences) {
  if (!hasElements(tensor))
    return;
  std::optional<mli_local_tensor> local = place(tensor, differences);
  std::optional<mli_local_tensor> poison = place(tensor, differences);
  if (!local || !poison)
    return;
  auto check = [&](const char *what, mli_status status) {
    if (status != MLI_STATUS_OK)
      differences.push_back(formatv("{0}: {1}", what, mli_status_name(status)));
  };
  check("poison", mli_local_poison(&*local, &tensor));
  check("scatter", mli_local_scatter(&tensor, &*local));
  check("poison", mli_local_poison(&*poison, &tensor));
  check("gather", mli_local_gather(&*poison, &tensor));
  check("gather", mli_local_gather(&*local, &tensor));
}

void LocalRun::enter(mli_tensor &tensor, Differences &differences) {
  if (!setting.isView) {
    pass(tensor, differences);
    return;
  }
  if (!hasElements(tensor))
    return;
  std::optional<mli_local_tensor> local = place(tensor, differences);
  if (!local)
    return;
  View view = {*local, tensor, tensor};
  if (mli_local_scatter(&tensor, &*local) != MLI_STATUS_OK ||
      mli_local_view(&*local, &view.local) != MLI_STATUS_OK) {
    differences.emplace_back("a tensor on one NPU has no view");
    return;
  }
  tensor.data.mem = view.local.data.mem;
  views.push_back(view);
}

void LocalRun::leave(mli_tensor &tensor) {
  for (View &view : views) {
    std::ptrdiff_t distance = tensor.data.mem.pi8 - view.local.data.mem.pi8;
    if (tensor.rank == 0 || distance < 0 ||
        distance >= view.local.data.capacity)
      continue;
    tensor.data.mem.pi8 = view.plain.data.mem.pi8 + distance;
    // What the call wrote there; a part of it is a view of the whole.
    if (distance == 0)
      mli_local_gather(&view.where, &view.plain);
  }
}

} // namespace mli::golden
