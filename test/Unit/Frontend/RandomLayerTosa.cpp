// SPDX-License-Identifier: Apache-2.0
//
// Layers as functions of TOSA.

#include "RandomLayer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mli::test;
using Kind = RandomLayer::Kind;

static std::string getType(llvm::ArrayRef<int64_t> shape,
                           llvm::StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}

/// A constant `%w` of `values`.
static void addWeights(llvm::raw_ostream &os, llvm::ArrayRef<uint8_t> values,
                       llvm::StringRef type) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(values.data()),
                        values.size());
  os << "  %w = \"tosa.const\"() <{values = dense<\"0x" << llvm::toHex(bytes)
     << "\"> : " << type << "}> : () -> " << type << "\n";
}

static void addVector(llvm::raw_ostream &os, llvm::StringRef name,
                      llvm::ArrayRef<int64_t> numbers,
                      llvm::StringRef element) {
  std::string type = getType({static_cast<int64_t>(numbers.size())}, element);
  os << "  %" << name << " = \"tosa.const\"() <{values = dense<[";
  llvm::interleaveComma(numbers, os);
  os << "]> : " << type << "}> : () -> " << type << "\n";
}

/// Name and attributes of the operation.
static std::string operationOf(const RandomLayer &layer) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "tosa."
     << (layer.kind == Kind::Depthwise    ? "depthwise_conv2d"
         : layer.kind == Kind::Transposed ? "transpose_conv2d"
                                          : "conv2d")
     << " %x, %w, %b, %zx, %zw {acc_type = i32, stride = array<i64: "
     << layer.stride << ", " << layer.stride << ">";
  if (layer.kind == Kind::Transposed) {
    os << ", out_pad = array<i64: 0, 0, 0, 0>}";
    return text;
  }
  int64_t pads[4] = {};
  for (int i = 0; layer.isPadded && i < 2; ++i) {
    int64_t before = (layer.kernel[i] - 1) / 2;
    pads[size_t{2} * i] = before;
    pads[size_t{2} * i + 1] = layer.kernel[i] - 1 - before;
  }
  os << ", dilation = array<i64: 1, 1>, pad = array<i64: " << pads[0] << ", "
     << pads[1] << ", " << pads[2] << ", " << pads[3] << ">}";
  return text;
}

std::string mli::test::toTosa(const RandomLayer &layer, size_t number) {
  bool isDepthwise = layer.kind == Kind::Depthwise;
  bool isConnected = layer.kind == Kind::Connected;
  llvm::SmallVector<int64_t> in = {1, layer.height, layer.width,
                                   layer.channels};
  llvm::SmallVector<int64_t> out = {1, layer.outHeight(), layer.outWidth(),
                                    layer.outputs};
  std::string argument = getType(
      isConnected ? llvm::ArrayRef<int64_t>{1, layer.channels} : in, "i8");
  std::string source = getType(in, "i8"), sums = getType(out, "i32"),
              result = getType(out, "i8");
  llvm::SmallVector<int64_t> weights = {layer.outputs, layer.kernel[0],
                                        layer.kernel[1], layer.groupChannels()};
  if (isDepthwise)
    weights = {layer.kernel[0], layer.kernel[1], layer.channels,
               layer.outputs / layer.channels};
  std::string count = std::to_string(layer.outputs);
  llvm::SmallVector<int64_t> multipliers, shifts;
  for (const FixedFactor &factor : tosaFactors(layer)) {
    multipliers.push_back(factor.multiplier);
    shifts.push_back(factor.shift);
  }
  llvm::SmallVector<int64_t> bias(layer.bias.begin(), layer.bias.end());

  std::string text;
  llvm::raw_string_ostream os(text);
  os << "func.func @f" << number << "(%arg: " << argument << ") -> " << result
     << " {\n";
  addWeights(os, layer.codes(), getType(weights, "i8"));
  addVector(os, "b", bias, "i32");
  addVector(os, "zx", layer.inZero, "i8");
  addVector(os, "zw", int64_t{0}, "i8");
  addVector(os, "zs", int64_t{0}, "i32");
  addVector(os, "zy", layer.outZero, "i8");
  addVector(os, "m", multipliers, "i32");
  addVector(os, "s", shifts, "i8");
  os << "  %map = tosa.const_shape {values = dense<[1, " << layer.height << ", "
     << layer.width << ", " << layer.channels
     << "]> : tensor<4xindex>} : () -> !tosa.shape<4>\n"
     << "  %x = tosa.reshape %arg, %map : (" << argument
     << ", !tosa.shape<4>) -> " << source << "\n"
     << "  %sums = " << operationOf(layer) << " : (" << source << ", "
     << getType(weights, "i8") << ", tensor<" << count
     << "xi32>, tensor<1xi8>, tensor<1xi8>) -> " << sums << "\n"
     << "  %y = tosa.rescale %sums, %m, %s, %zs, %zy {input_unsigned = false, "
        "output_unsigned = false, per_channel = true, rounding_mode = "
        "SINGLE_ROUND, scale32 = true} : ("
     << sums << ", tensor<" << count << "xi32>, tensor<" << count
     << "xi8>, tensor<1xi32>, tensor<1xi8>) -> " << result << "\n"
     << "  return %y : " << result << "\n}\n";
  return text;
}
