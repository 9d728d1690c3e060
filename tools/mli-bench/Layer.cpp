// SPDX-License-Identifier: Apache-2.0

#include "Layer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <sstream>

namespace mli::bench {

static std::vector<std::string> splitLine(std::istream &file) {
  std::string line;
  std::getline(file, line);
  std::vector<std::string> fields;
  std::stringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) {
    while (!field.empty() && field.back() == '\r')
      field.pop_back();
    fields.push_back(field);
  }
  return fields;
}

static std::optional<double>
toNumber(const std::map<std::string, std::string> &fields, const char *name) {
  auto it = fields.find(name);
  if (it == fields.end() || it->second.empty())
    return std::nullopt;
  char *end = nullptr;
  double value = std::strtod(it->second.c_str(), &end);
  if (*end != 0)
    return std::nullopt;
  return value;
}

static bool fillLayer(const std::map<std::string, std::string> &fields,
                      Layer &layer) {
  struct {
    const char *name;
    int Layer::*field;
  } const numbers[] = {
      {"H", &Layer::height},        {"W", &Layer::width},
      {"Cin", &Layer::inputs},      {"Cout", &Layer::outputs},
      {"kh", &Layer::kernelHeight}, {"kw", &Layer::kernelWidth},
      {"sh", &Layer::strideHeight}, {"sw", &Layer::strideWidth},
      {"pt", &Layer::padTop},       {"pb", &Layer::padBottom},
      {"pl", &Layer::padLeft},      {"pr", &Layer::padRight},
      {"oh", &Layer::outHeight},    {"ow", &Layer::outWidth}};
  for (const auto &number : numbers) {
    std::optional<double> value = toNumber(fields, number.name);
    if (!value)
      return false;
    layer.*number.field = static_cast<int>(*value);
  }
  auto text = [&](const char *name) {
    auto it = fields.find(name);
    return it == fields.end() ? std::string() : it->second;
  };
  layer.name = text("name");
  layer.kind = text("kind");
  layer.suite = text("suite");
  std::optional<double> macs = toNumber(fields, "macs");
  layer.macs = macs.value_or(0);
  return macs.has_value();
}

std::vector<Layer> readLayers(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> names = splitLine(file);
  std::vector<Layer> layers;
  while (file.peek() != std::ifstream::traits_type::eof()) {
    std::vector<std::string> values = splitLine(file);
    if (values.empty())
      continue;
    std::map<std::string, std::string> fields;
    for (size_t i = 0; i < std::min(names.size(), values.size()); ++i)
      fields[names[i]] = values[i];
    Layer layer;
    if (!fillLayer(fields, layer)) {
      std::fprintf(stderr, "%s: expected a layer, but got '%s'\n", path.c_str(),
                   values[0].c_str());
      return {};
    }
    layers.push_back(layer);
  }
  if (layers.empty())
    std::fprintf(stderr, "%s: expected layers, but got none\n", path.c_str());
  return layers;
}

float Scale::real() const {
  return std::ldexp(static_cast<float>(mantissa), -fracBits);
}

Scale toScale(double value) {
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  auto mantissa = static_cast<int16_t>(
      std::min<long>(std::lround(fraction * 32768), 32767));
  return {mantissa, static_cast<int8_t>(15 - exponent)};
}

/// Weights of the usual spread, in both orders.
static void fillWeights(const Layer &layer, std::mt19937 &random,
                        Operands &operands) {
  std::normal_distribution<float> spread(0, 30);
  size_t rows = layer.products();
  size_t columns = layer.outputs;
  operands.weights.resize(rows * columns);
  for (int8_t &weight : operands.weights)
    weight = static_cast<int8_t>(
        std::clamp(std::lround(spread(random)), -127L, 127L));
  operands.weightsByOutput = operands.weights;
  if (!layer.isDepthwise())
    for (size_t k = 0; k < rows; ++k)
      for (size_t n = 0; n < columns; ++n)
        operands.weightsByOutput[n * rows + k] =
            operands.weights[k * columns + n];
  for (size_t n = 0; n < columns; ++n) {
    operands.bias.push_back(static_cast<int32_t>(random() % 40000) - 20000);
    operands.weightScales.push_back(
        toScale(0.0041 * (1 + random() % 1000 / 1000.0)));
  }
}

Operands::Operands(const Layer &layer) {
  std::mt19937 random(std::hash<std::string>()(layer.name) & 0xffffffff);
  size_t count = static_cast<size_t>(layer.height) * layer.width * layer.inputs;
  // Libraries may read some bytes behind their inputs.
  for (std::vector<int8_t> *codes : {&in, &in2}) {
    codes->resize(count + 256);
    for (int8_t &code : *codes)
      code = static_cast<int8_t>(random() % 256 - 128);
  }
  inScale = toScale(0.0193);
  in2Scale = toScale(0.0411);
  outScale = inScale;
  if (layer.hasWeights()) {
    fillWeights(layer, random, *this);
    outScale = toScale(2220 * std::sqrt(layer.products()) * inScale.real() *
                       0.0061 / 40);
  } else if (layer.kind == "add") {
    outScale = toScale(0.0501);
  } else if (layer.kind == "softmax") {
    outScale = {16384, 22};
    outZero = -128;
  } else {
    outZero = inZero;
  }
}

} // namespace mli::bench
