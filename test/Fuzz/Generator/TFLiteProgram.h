// SPDX-License-Identifier: Apache-2.0
//
// Random networks of TFLite.

#ifndef MLI_TEST_FUZZ_GENERATOR_TFLITEPROGRAM_H
#define MLI_TEST_FUZZ_GENERATOR_TFLITEPROGRAM_H

#include "LayerChoice.h"
#include "TFLiteWriter.h"
#include "Types.h"

namespace mli::fuzz {

/// A tensor of a network that operators compute or take.
struct TFLiteMap {
  int32_t index = -1;
  llvm::SmallVector<int64_t> shape;
  TFLiteType type = TFLiteType::INT8;
  /// 0 for a tensor that is not quantised.
  float scale = 0;
  int64_t zeroPoint = 0;

  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  int64_t getNumElements() const { return llvm::product_of(shape); }
  bool isByte() const {
    return type == TFLiteType::INT8 || type == TFLiteType::UINT8;
  }
  bool isWide() const { return type == TFLiteType::INT16; }
};

/// A network under construction.
class TFLiteNetwork {
public:
  explicit TFLiteNetwork(const Settings &settings);

  /// Adds a step; false if it fits nothing that is there.
  bool addStep();
  /// The file.
  std::string finish();

  //===------------------------------------------------------------------===//
  // Feature maps
  //===------------------------------------------------------------------===//

  using Fits = llvm::function_ref<bool(const TFLiteMap &)>;
  /// A map for which `fits`, recent ones rather than old ones.
  std::optional<TFLiteMap> find(Fits fits);
  /// A quantised map of `rank`, of 8 bits or, with `hasWide`, of 16: one that
  /// is there, in another shape if need be, or a new input.
  TFLiteMap need(int64_t rank, bool hasWide);
  TFLiteMap addInput(llvm::ArrayRef<int64_t> shape, TFLiteType type);
  /// A map that an operator computes.
  TFLiteMap addMap(llvm::ArrayRef<int64_t> shape, TFLiteType type, float scale,
                   int64_t zeroPoint);
  /// The same with the type of `map`, and its quantisation unless chance
  /// `percent` gives another one.
  TFLiteMap addLike(const TFLiteMap &map, llvm::ArrayRef<int64_t> shape,
                    int64_t percent = 0);
  /// The same with any quantisation.
  TFLiteMap addResult(llvm::ArrayRef<int64_t> shape, TFLiteType type);
  /// A constant with the quantisation and type of `like`.
  int32_t addConstant(llvm::ArrayRef<int64_t> shape, const TFLiteMap &like);

  TFLiteType chooseType(bool hasWide);
  float chooseScale(TFLiteType type);
  int64_t chooseZeroPoint(TFLiteType type);
  schema::ActivationFunctionType chooseActivation();

  //===------------------------------------------------------------------===//
  // Operators
  //===------------------------------------------------------------------===//

  void add(TFLiteCode code, llvm::ArrayRef<int32_t> operands,
           llvm::ArrayRef<TFLiteMap> outputs,
           schema::BuiltinOptions type = schema::BuiltinOptions::NONE,
           flatbuffers::Offset<void> options = 0);
  flatbuffers::FlatBufferBuilder &builder() { return writer.builder; }
  /// A constant of int32 or int64, which operators may share.
  int32_t addIntegers(llvm::ArrayRef<int64_t> numbers);
  /// A buffer of weights; equal ones are one.
  uint32_t addWeights(const std::vector<int8_t> &weights);
  /// A variable that keeps its elements from one run to the next.
  TFLiteMap addVariable(llvm::ArrayRef<int64_t> shape, TFLiteType type,
                        float scale, int64_t zeroPoint);
  /// An axis of `rank` dimensions, which may count from the end.
  int64_t spellAxis(int64_t axis, int64_t rank) {
    return random.chance(30) ? axis - rank : axis;
  }
  bool has(Feature feature) { return types.has(feature); }

  Settings settings;
  Random random;
  TypeChoice types;
  TFLiteWriter writer;
  llvm::SmallVector<TFLiteMap> maps;
  /// What layers are made of, which others may have once more.
  std::vector<std::pair<LayerSize, LayerChoice>> layers;
  /// Variables that a graph of its own sets to zeros.
  llvm::SmallVector<std::pair<std::string, TFLiteMap>> variables;

private:
  int32_t addTensor(const TFLiteMap &map);
  void addStart();
  llvm::SmallVector<int32_t> chooseOutputs();

  llvm::SmallVector<int32_t> inputs;
  llvm::DenseSet<int32_t> used;
  std::map<std::vector<int64_t>, int32_t> integers;
  std::map<std::vector<int8_t>, uint32_t> buffers;
};

/// The steps of networks of TFLite.
#define MLI_TFLITE_STEPS(STEP)                                                 \
  STEP(Conv2d)                                                                 \
  STEP(GroupConv2d)                                                            \
  STEP(DepthwiseConv2d)                                                        \
  STEP(TransposeConv2d)                                                        \
  STEP(FullyConnected)                                                         \
  STEP(Matrices)                                                               \
  STEP(Pool)                                                                   \
  STEP(Eltwise)                                                                \
  STEP(Relu)                                                                   \
  STEP(Slopes)                                                                 \
  STEP(Activation)                                                             \
  STEP(Function)                                                               \
  STEP(AlongAxis)                                                              \
  STEP(Argmax)                                                                 \
  STEP(Convert)                                                                \
  STEP(Permute)                                                                \
  STEP(Slice)                                                                  \
  STEP(Concat)                                                                 \
  STEP(Pad)                                                                    \
  STEP(Reshape)                                                                \
  STEP(Split)                                                                  \
  STEP(Reduce)                                                                 \
  STEP(Blocks)                                                                 \
  STEP(Take)                                                                   \
  STEP(Resize)                                                                 \
  STEP(LstmCell)                                                               \
  STEP(Svdf)                                                                   \
  STEP(Variables)

#define MLI_TFLITE_STEP(name) bool make##name(TFLiteNetwork &network);
MLI_TFLITE_STEPS(MLI_TFLITE_STEP)
#undef MLI_TFLITE_STEP

/// The bytes of a random network, as a file of TFLite.
std::string generateTFLite(const Settings &settings);

} // namespace mli::fuzz

#endif // MLI_TEST_FUZZ_GENERATOR_TFLITEPROGRAM_H
