// SPDX-License-Identifier: Apache-2.0
//
// Operators that take slices along axes, or blend them.

#include "TFLiteBounds.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mli;
using namespace mli::fuzz;

/// The element of `input` for element `index` of the output, of which `find`
/// gives the place along each dimension.
static void
takeEach(TFLiteRun &run,
         llvm::function_ref<int64_t(size_t dim, int64_t place)> find) {
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  llvm::ArrayRef<int64_t> from = input.getShape(), to = output.getShape();
  run.setEach(0, [&](int64_t i) {
    int64_t index = 0, step = 1;
    for (size_t k = 0; k < to.size(); ++k) {
      size_t dim = to.size() - 1 - k;
      if (k < from.size()) {
        index += find(from.size() - 1 - k, i % to[dim]) * step;
        step *= from[from.size() - 1 - k];
      }
      i /= to[dim];
    }
    return move(input, index, output);
  });
}

static void computeTile(TFLiteRun &run) {
  takeEach(run, [&](size_t dim, int64_t place) {
    return place % run.inputs[0].getShape()[dim];
  });
}

static void computeMirrorPad(TFLiteRun &run) {
  bool isReflected = run.getOptions<schema::MirrorPadOptions>().mode() ==
                     schema::MirrorPadMode::REFLECT;
  takeEach(run, [&](size_t dim, int64_t place) {
    int64_t extent = run.inputs[0].getShape()[dim];
    place -= run.getInteger(1, static_cast<int64_t>(2 * dim));
    if (place < 0)
      place = isReflected ? -place : -place - 1;
    int64_t last = isReflected ? 2 * extent - 2 : 2 * extent - 1;
    return place >= extent ? last - place : place;
  });
}

static void computeGather(TFLiteRun &run) {
  int64_t axis = run.getOptions<schema::GatherOptions>().axis();
  auto rank = static_cast<int64_t>(run.inputs[0].getShape().size());
  axis += axis < 0 ? rank : 0;
  takeEach(run, [&](size_t dim, int64_t place) {
    return static_cast<int64_t>(dim) == axis ? run.getInteger(1, place) : place;
  });
}

static void computeNearest(TFLiteRun &run) {
  const auto &options = run.getOptions<schema::ResizeNearestNeighborOptions>();
  takeEach(run, [&](size_t dim, int64_t place) {
    if (dim == 0 || dim == 3)
      return place;
    int64_t extent = run.inputs[0].getShape()[dim],
            size = run.outputs[0].getShape()[dim];
    bool isAligned = options.align_corners() && size > 1;
    float scale = isAligned ? float(extent - 1) / float(size - 1)
                            : float(extent) / float(size);
    float exact =
        (float(place) + (options.half_pixel_centers() ? 0.5F : 0)) * scale;
    auto index = static_cast<int64_t>(
        options.align_corners() ? std::round(exact) : std::floor(exact));
    return std::clamp<int64_t>(index, 0, extent - 1);
  });
}

namespace {
struct Blend {
  int64_t place[2], weight[2];
};
} // namespace

static Blend findBlend(int64_t extent, int64_t size, int64_t index,
                       const schema::ResizeBilinearOptions &options) {
  int64_t scale = options.align_corners() && size > 1
                      ? (1024 * (extent - 1) + (size - 1) / 2) / (size - 1)
                      : (1024 * extent + size / 2) / size;
  int64_t exact =
      index * scale + (options.half_pixel_centers() ? scale / 2 - 512 : 0);
  int64_t lower = std::max<int64_t>(exact / 1024, 0),
          upper = std::min<int64_t>((exact + 1023) / 1024, extent - 1);
  return {{lower, upper},
          {1024 - (exact - 1024 * lower), exact - 1024 * lower}};
}

/// TFLite rounds half away from zero, the kernels half up or down.
static void computeBilinear(TFLiteRun &run) {
  const auto &options = run.getOptions<schema::ResizeBilinearOptions>();
  const TFLiteOperand &input = run.inputs[0], &output = run.outputs[0];
  llvm::ArrayRef<int64_t> from = input.getShape(), to = output.getShape();
  run.setEach(0, [&](int64_t i) {
    int64_t c = i % to[3], x = i / to[3] % to[2], y = i / to[3] / to[2] % to[1],
            n = i / to[3] / to[2] / to[1];
    Blend rows = findBlend(from[1], to[1], y, options),
          columns = findBlend(from[2], to[2], x, options);
    double sum = 0;
    for (int row : {0, 1})
      for (int column : {0, 1}) {
        int64_t index = ((n * from[1] + rows.place[row]) * from[2] +
                         columns.place[column]) *
                            from[3] +
                        c;
        sum += input.getReal(index) *
               static_cast<double>(rows.weight[row] * columns.weight[column]);
      }
    return around(static_cast<long double>(std::ldexp(sum, -20)) /
                          output.getScale() +
                      static_cast<long double>(output.getZero()),
                  1, output.getLimits());
  });
}

bool fuzz::computeTakes(TFLiteRun &run) {
  using Function = void (*)(TFLiteRun &);
  auto function = llvm::StringSwitch<Function>(run.op->name)
                      .Cases({"TILE", "BROADCAST_TO"}, computeTile)
                      .Case("MIRROR_PAD", computeMirrorPad)
                      .Case("GATHER", computeGather)
                      .Case("RESIZE_NEAREST_NEIGHBOR", computeNearest)
                      .Case("RESIZE_BILINEAR", computeBilinear)
                      .Default(nullptr);
  if (function)
    function(run);
  return function != nullptr;
}
