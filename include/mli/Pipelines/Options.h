// SPDX-License-Identifier: Apache-2.0
//
// The options of pipelines, and those of their passes that each of them sets.

#ifndef MLI_PIPELINES_OPTIONS_H
#define MLI_PIPELINES_OPTIONS_H

#include "mli/Conversion/Passes.h"
#include "mli/Transforms/Passes.h"

#include "mlir/Pass/PassOptions.h"

namespace mli {

template <typename Options>
class StreamOptions;

/// The options that all pipelines have: those of mli-attach-modes, and what
/// networks may be in besides TOSA and mli.
template <typename Options>
class ModeOptions : public mlir::PassPipelineOptions<Options> {
  friend Options;
  friend StreamOptions<Options>;
  ModeOptions() = default;

public:
  template <typename T>
  using Option = mlir::detail::PassOptions::Option<T>;
  Option<RoundingMode> rounding{
      *this, "rounding",
      llvm::cl::desc("How kernels round halves, in place of mli.rounding"),
      roundingModeValues(), llvm::cl::init(AttachModesOptions().rounding)};
  Option<AccumulationMode> accumulation{
      *this, "accumulation",
      llvm::cl::desc("How kernels of sa8 accumulate, in place of "
                     "mli.accumulation"),
      accumulationModeValues(),
      llvm::cl::init(AttachModesOptions().accumulation)};
  Option<bool> quant{
      *this, "quant",
      llvm::cl::desc("Turn types of the quant dialect into those of mli first, "
                     "as convert-quant-to-mli=full does")};

  AttachModesOptions getAttachModes() const {
    AttachModesOptions options;
    options.rounding = rounding;
    options.accumulation = accumulation;
    return options;
  }
  ConvertQuantToMLIOptions getConvertQuantToMLI() const {
    ConvertQuantToMLIOptions options;
    options.full = quant;
    return options;
  }
};

/// The options that the pipelines of system placement have besides: those of
/// mli-form-streams.
template <typename Options>
class StreamOptions : public ModeOptions<Options> {
  friend Options;
  StreamOptions() = default;

public:
  template <typename T>
  using Option = mlir::detail::PassOptions::Option<T>;
  Option<ArenaLimit> arena{
      *this, "arena",
      llvm::cl::desc("Bytes that the arena may have, or min for the fewest "
                     "possible: kernels are computed row by row where needed")};
  Option<Bounded<0, 100>> recompute{
      *this, "recompute",
      llvm::cl::desc("Per cent of the products that may be computed again to "
                     "have a smaller arena"),
      llvm::cl::init(FormStreamsOptions().recompute)};
  Option<std::string> streams{
      *this, "streams",
      llvm::cl::desc("A JSON file of costs, and of kernels that are streams")};
  Option<bool> explainStreams{
      *this, "explain-streams",
      llvm::cl::desc("Remark each stream, and what is not part of it and why")};

  FormStreamsOptions getFormStreams() const {
    FormStreamsOptions options;
    options.arena = arena;
    options.recompute = recompute;
    options.overrides = streams;
    options.report = explainStreams;
    return options;
  }
};

/// The options of `mli-c-pipeline`.
struct CPipelineOptions : StreamOptions<CPipelineOptions> {
  Option<bool> arguments{
      *this, "arguments",
      llvm::cl::desc("Give arguments and results an offset in the arena")};
};

/// The options of `mli-system-pipeline` and `mli-buffer-pipeline`.
struct PackingOptions : StreamOptions<PackingOptions> {
  Option<PackOrder> order{
      *this, "packed-weights",
      llvm::cl::desc("How constant weights are packed for kernels in system "
                     "memory"),
      packOrderValues(), llvm::cl::init(PackWeightsOptions().order)};
  Option<ThreadCount> threads{
      *this, "threads",
      llvm::cl::desc("Threads that may compute a kernel with packed weights; "
                     "results do not depend on it"),
      llvm::cl::init(PackWeightsOptions().threads)};

  PackingOptions() = default;
  PackingOptions(const PackingOptions &other) : PackingOptions() {
    copyOptionValuesFrom(other);
  }
  PackingOptions &operator=(const PackingOptions &other) {
    copyOptionValuesFrom(other);
    return *this;
  }

  PackWeightsOptions getPackWeights() const {
    PackWeightsOptions options;
    options.order = order;
    options.threads = threads;
    return options;
  }
};

/// The options of `mli-local-pipeline`.
struct LocalOptions : ModeOptions<LocalOptions> {
  Option<std::string> target{
      *this, "target",
      llvm::cl::desc("The target in place of mli.target: bm1684, bm1684x, "
                     "bm1688, bm1690, vpx or custom, with overrides as in "
                     "vpx,npu-bytes=65536")};
  Option<layout::Mode> mode{
      *this, "mode",
      llvm::cl::desc("The storage mode of feature maps, where it exists"),
      mapModeValues(), llvm::cl::init(AttachTargetOptions().mode)};
  Option<bool> matrices{
      *this, "matrices",
      llvm::cl::desc("Put all operands of products into the matrix layout")};
  Option<DoubleBuffering> doubleBuffer{
      *this, "double-buffer", llvm::cl::desc("Move data while kernels compute"),
      doubleBufferingValues(), llvm::cl::init(DoubleBuffering::Unset)};
  Option<std::string> overrides{
      *this, "overrides",
      llvm::cl::desc("A JSON file of costs, and of tiles that kernels are cut "
                     "into")};
  Option<Bounded<0>> budget{
      *this, "budget",
      llvm::cl::desc("Nodes that the search for a plan of addresses may visit"),
      llvm::cl::init(AssignAddressesOptions().budget)};
  Option<bool> explain{
      *this, "explain",
      llvm::cl::desc("Remark tiles, moves, layouts and exposed transfers")};

  Option<bool> arguments{
      *this, "arguments",
      llvm::cl::desc("Give arguments and results an offset in the arena")};

  LocalOptions() = default;
  LocalOptions(const LocalOptions &other) : LocalOptions() {
    copyOptionValuesFrom(other);
  }
  LocalOptions &operator=(const LocalOptions &other) {
    copyOptionValuesFrom(other);
    return *this;
  }

  /// What the passes are told: their default where nothing was asked for.
  DoubleBuffering getDoubleBuffering() const {
    const DoubleBuffering asked = doubleBuffer;
    return asked == DoubleBuffering::Unset ? DoubleBufferOptions().mode : asked;
  }
  AttachTargetOptions getAttachTarget() const {
    AttachTargetOptions options;
    options.target = target;
    options.mode = mode;
    options.matrices = matrices;
    return options;
  }
  TileToFitOptions getTileToFit() const {
    TileToFitOptions options;
    options.overrides = overrides;
    options.doubleBuffer = getDoubleBuffering();
    options.report = explain;
    return options;
  }
  InsertMovesOptions getInsertMoves() const {
    InsertMovesOptions options;
    options.explainMoves = explain;
    return options;
  }
  AssignLayoutsOptions getAssignLayouts() const {
    AssignLayoutsOptions options;
    options.explain = explain;
    return options;
  }
  DoubleBufferOptions getDoubleBuffer() const {
    DoubleBufferOptions options;
    options.mode = getDoubleBuffering();
    options.overrides = overrides;
    options.budget = budget;
    options.explain = explain;
    return options;
  }
  AssignAddressesOptions getAssignAddresses() const {
    AssignAddressesOptions options;
    options.arguments = arguments;
    options.budget = budget;
    options.explain = explain;
    return options;
  }
};

} // namespace mli

#endif // MLI_PIPELINES_OPTIONS_H
