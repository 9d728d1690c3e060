// SPDX-License-Identifier: Apache-2.0
//
// Reads layers and judges them: what passes can be computed without a check.

#include "Layer.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

namespace mli::bench {
namespace {

constexpr int64_t maxExtent = 1 << 20, maxWindow = 255, maxElements = 1 << 27,
                  maxMacs = int64_t{1} << 53;

/// A column of numbers, and what they may be. `field` is null for `macs`.
struct Number {
  const char *name;
  int Layer::*field;
  int64_t least, most;
};
constexpr Number numbers[] = {{"H", &Layer::height, 1, maxExtent},
                              {"W", &Layer::width, 1, maxExtent},
                              {"Cin", &Layer::inputs, 1, maxExtent},
                              {"Cout", &Layer::outputs, 1, maxExtent},
                              {"kh", &Layer::kernelHeight, 1, maxWindow},
                              {"kw", &Layer::kernelWidth, 1, maxWindow},
                              {"sh", &Layer::strideHeight, 1, maxWindow},
                              {"sw", &Layer::strideWidth, 1, maxWindow},
                              {"pt", &Layer::padTop, 0, maxWindow},
                              {"pb", &Layer::padBottom, 0, maxWindow},
                              {"pl", &Layer::padLeft, 0, maxWindow},
                              {"pr", &Layer::padRight, 0, maxWindow},
                              {"oh", &Layer::outHeight, 1, maxExtent},
                              {"ow", &Layer::outWidth, 1, maxExtent},
                              {"macs", nullptr, 0, maxMacs}};

std::vector<std::string> splitLine(const std::string &line) {
  std::vector<std::string> fields(1);
  for (char character : line)
    if (character == ',')
      fields.emplace_back();
    else if (character != '\r')
      fields.back() += character;
  return fields;
}

/// One file that is read.
class Reader {
public:
  explicit Reader(const std::string &path) : path(path) {}

  std::vector<Layer> read() {
    errno = 0;
    std::ifstream file(path);
    std::string text;
    if (!file || !std::getline(file, text)) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(),
                   errno ? std::strerror(errno)
                         : "expected layers, but got none");
      return {};
    }
    std::vector<Layer> layers;
    bool isGood = readHeader(text);
    while (isGood && std::getline(file, text)) {
      ++line;
      if (text.empty() || text == "\r")
        continue;
      layers.emplace_back();
      isGood = readRow(splitLine(text), layers.back()) && judge(layers.back());
    }
    if (!isGood)
      return {};
    if (layers.empty())
      std::fprintf(stderr, "%s: expected layers, but got none\n", path.c_str());
    return layers;
  }

private:
  /// Which, what it is to be, and what it is.
  bool reject(const std::string &which, const std::string &expected,
              const std::string &found) const {
    std::fprintf(stderr, "%s:%d: expected '%s' to %s, but got %s\n",
                 path.c_str(), line, which.c_str(), expected.c_str(),
                 found.c_str());
    return false;
  }
  static std::string quote(const std::string &text) { return "'" + text + "'"; }

  bool readHeader(const std::string &text) {
    header = splitLine(text);
    for (const std::string &name : header)
      if (std::count(header.begin(), header.end(), name) > 1)
        return reject("header", "name each column once", quote(name));
    std::vector<std::string> needed = {"name", "kind"};
    for (const Number &number : numbers)
      needed.emplace_back(number.name);
    for (const std::string &name : needed)
      if (!std::count(header.begin(), header.end(), name))
        return reject("header", "have a column " + quote(name), quote(text));
    return true;
  }

  bool readRow(const std::vector<std::string> &fields, Layer &layer) {
    if (fields.size() != header.size())
      return reject("row", "have " + std::to_string(header.size()) + " fields",
                    std::to_string(fields.size()));
    std::map<std::string, std::string> row;
    for (size_t i = 0; i < header.size(); ++i)
      row[header[i]] = fields[i];
    for (const Number &number : numbers) {
      const std::string &text = row[number.name];
      const char *end = text.data() + text.size();
      int64_t value = 0;
      auto [next, error] = std::from_chars(text.data(), end, value);
      if (error != std::errc() || next != end || value < number.least ||
          value > number.most)
        return reject(number.name,
                      "be in [" + std::to_string(number.least) + ", " +
                          std::to_string(number.most) + "]",
                      quote(text));
      if (number.field)
        layer.*number.field = static_cast<int>(value);
      else
        layer.macs = static_cast<double>(value);
    }
    layer.name = row["name"];
    layer.kind = row["kind"];
    layer.suite = row["suite"];
    return true;
  }

  bool judge(const Layer &layer) const {
    return checkElements("H * W * Cin",
                         {layer.height, layer.width, layer.inputs}) &&
           checkElements("oh * ow * Cout",
                         {layer.outHeight, layer.outWidth, layer.outputs}) &&
           (!layer.hasWeights() ||
            checkElements("kh * kw * Cin * Cout",
                          {layer.kernelHeight, layer.kernelWidth,
                           layer.isDepthwise() ? 1 : layer.inputs,
                           layer.outputs})) &&
           (!layer.isCommon() || judgeCommon(layer));
  }

  bool checkElements(const char *which,
                     std::initializer_list<int> sizes) const {
    int64_t count = 1;
    for (int size : sizes)
      count *= size;
    return count <= maxElements ||
           reject(which, "be at most " + std::to_string(maxElements),
                  std::to_string(count));
  }

  /// Shapes of the kinds that other libraries have, too; those of the others
  /// are left to the checks of their kernels.
  bool judgeCommon(const Layer &layer) const {
    bool isVector = layer.kind == "fc" || layer.kind == "softmax";
    struct {
      const char *name;
      int value;
    } const ones[] = {{"H", layer.height},
                      {"W", layer.width},
                      {"kh", layer.kernelHeight},
                      {"kw", layer.kernelWidth}};
    for (const auto &one : ones)
      if (isVector && one.value != 1)
        return reject(one.name, "be 1 for " + quote(layer.kind),
                      std::to_string(one.value));
    bool keepsChannels = layer.kind != "conv" && layer.kind != "fc";
    if (keepsChannels && layer.outputs != layer.inputs)
      return reject("Cout",
                    "be 'Cin' " + std::to_string(layer.inputs) + " for " +
                        quote(layer.kind),
                    std::to_string(layer.outputs));
    if (layer.kind == "add") {
      // Its window is not looked at.
      return checkExtent("oh", layer.height, layer.outHeight) &&
             checkExtent("ow", layer.width, layer.outWidth);
    }
    return checkWindow({"H", "kh", "pt", "pb", "oh"}, layer.height,
                       layer.kernelHeight, layer.strideHeight, layer.padTop,
                       layer.padBottom, layer.outHeight) &&
           checkWindow({"W", "kw", "pl", "pr", "ow"}, layer.width,
                       layer.kernelWidth, layer.strideWidth, layer.padLeft,
                       layer.padRight, layer.outWidth);
  }

  struct WindowNames {
    const char *size, *kernel, *before, *after, *out;
  };

  /// One dimension of a window that walks over a padded input.
  bool checkWindow(const WindowNames &names, int size, int kernel, int stride,
                   int before, int after, int out) const {
    for (auto [name, padding] :
         {std::pair(names.before, before), std::pair(names.after, after)})
      if (padding >= kernel)
        return reject(name,
                      "be less than '" + std::string(names.kernel) + "' " +
                          std::to_string(kernel),
                      std::to_string(padding));
    int padded = before + size + after;
    if (kernel > padded)
      return reject(names.kernel,
                    "be at most '" + std::string(names.size) +
                        "' with padding, " + std::to_string(padded),
                    std::to_string(kernel));
    return checkExtent(names.out, (padded - kernel) / stride + 1, out);
  }

  bool checkExtent(const char *name, int expected, int found) const {
    return found == expected || reject(name, "be " + std::to_string(expected),
                                       std::to_string(found));
  }

  const std::string &path;
  std::vector<std::string> header;
  int line = 1;
};

} // namespace

std::vector<Layer> readLayers(const std::string &path) {
  return Reader(path).read();
}

} // namespace mli::bench
