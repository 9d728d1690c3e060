// SPDX-License-Identifier: Apache-2.0
//
// Average pools that round as a network does: products with equal weights, one
// kernel for all windows of as many elements that lie side by side.

#ifndef MLI_FRONTEND_AVERAGEPOOL_H
#define MLI_FRONTEND_AVERAGEPOOL_H

#include "mli/Frontend/ByteProduct.h"
#include "mli/Frontend/Forms.h"
#include "mli/Frontend/WindowRuns.h"
#include "mli/Quant/ExactMean.h"

#include <vector>

namespace mli {

/// Whether `form` takes products that leave `products` of the averages off
/// rather than the average pool, which leaves `pool`.
bool takesProducts(AverageForm form, double pool, double products);

/// Whether the product of all `count` elements in each of `channels` channels
/// can take the map as [count, channels, 1]: all channels then share the
/// weights.
bool isColumn(int64_t count, int64_t channels);

/// The product with equal weights that computes a mean in each of `channels`
/// channels; the plain sum if no others have more sums right.
struct EqualProduct {
  ByteLayer layer;
  int32_t weight;
  /// The share of sums that are off.
  double shareOff;
};
std::variant<EqualProduct, ByteRejection>
chooseEqualProduct(mlir::MLIRContext *context, const quant::ExactMean &exact,
                   int64_t channels, const quant::Limits &limits);

/// An average pool as a network specifies it.
struct AveragePool : PoolShape {
  /// The count is that of each window.
  quant::ExactMean mean;
  Clip clip;
};

/// The kernels of an average pool, one for each pair of runs of windows.
struct AverageProducts : WindowRuns {
  std::vector<EqualProduct> kernels;
  /// The shares of averages that are off by the average pool and by these.
  double poolShareOff = 0, shareOff = 0;
};

/// Chooses products for `pool` where `form` takes them, or where they are
/// needed since the average pool is too far off; nothing for the average pool.
/// Emits a remark at `loc` on products, and where they would be too many.
std::optional<AverageProducts> chooseAverageProducts(mlir::Location loc,
                                                     const AveragePool &pool,
                                                     AverageForm form,
                                                     bool isNeeded);

/// Emits a remark on averages that products compute.
void remarkProducts(mlir::Location loc, double poolShareOff);

/// Emits a remark on an average pool that would take products of all `runs`.
void remarkTooMany(mlir::Location loc, const WindowRuns &runs);

/// Creates `pool` of `source`, [height, width, channels], in `init`.
mlir::Value createAverageProducts(TensorBuilder &tensors,
                                  const AveragePool &pool,
                                  const AverageProducts &products,
                                  mlir::Value source, mlir::Value init);

} // namespace mli

#endif // MLI_FRONTEND_AVERAGEPOOL_H
