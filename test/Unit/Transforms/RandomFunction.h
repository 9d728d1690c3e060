// SPDX-License-Identifier: Apache-2.0
//
// The text of a function of random kernels.

#ifndef MLI_TEST_UNIT_TRANSFORMS_RANDOMFUNCTION_H
#define MLI_TEST_UNIT_TRANSFORMS_RANDOMFUNCTION_H

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace mli::test {

using Shape = std::vector<int64_t>;
using Random = std::mt19937;

inline int64_t pick(Random &random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

inline bool flip(Random &random) { return pick(random, 0, 1) == 1; }

inline std::string join(const Shape &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

/// Up to four dimensions.
inline Shape randomShape(Random &random) {
  Shape shape(pick(random, 1, 4));
  for (int64_t &size : shape)
    size = pick(random, 1, 6);
  return shape;
}

/// A negative size is one that is not known.
template <typename Sizes>
std::string tensorType(const Sizes &shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += (size < 0 ? "?" : std::to_string(size)) + "x";
  return text + element + ">";
}

/// A function under construction: values have the types of their arguments, or
/// the same with all sizes forgotten.
class Function {
public:
  Function(Random &random, std::string name)
      : name(std::move(name)), isDynamic(pick(random, 0, 3) == 0) {}

  /// Adds an argument; returns its value.
  std::string argument(const Shape &shape, const std::string &element) {
    return forget(knownArgument(shape, element), shape, element);
  }

  /// The same of an argument whose sizes kernels have to know.
  std::string knownArgument(const Shape &shape, const std::string &element) {
    std::string value = "%a" + std::to_string(count++);
    arguments +=
        (arguments.empty() ? "" : ", ") + value + ": " + type(shape, element);
    return value;
  }

  /// Adds a tensor to compute into; returns its value.
  std::string init(const Shape &shape, const std::string &element) {
    std::string value = "%e" + std::to_string(count++);
    body += "  " + value + " = tensor.empty() : " + type(shape, element) + "\n";
    return forget(value, shape, element);
  }

  /// Adds a kernel: `text` between its name and the type of its result, which
  /// may be behind another one of type `first`.
  std::string kernel(const std::string &text, const Shape &shape,
                     const std::string &element,
                     const std::string &first = "") {
    std::string value = "%r" + std::to_string(count++);
    body += "  " + value + (first.empty() ? "" : ":2") + " = mli." + text +
            " -> " + (first.empty() ? "" : first + ", ") +
            used(shape, element) + "\n";
    resultShape = shape;
    resultElement = element;
    return value + (first.empty() ? "" : "#1");
  }

  /// The type that values of `shape` and `element` are used with.
  std::string used(const Shape &shape, const std::string &element) const {
    return type(isDynamic ? Shape(shape.size(), -1) : shape, element);
  }

  std::string finish(const std::string &result) const {
    std::string known = type(resultShape, resultElement);
    std::string text = "func.func @" + name + "(" + arguments + ") -> " +
                       known + " {\n" + body;
    if (!isDynamic)
      return text + "  return " + result + " : " + known + "\n}\n";
    return text + "  %known = tensor.cast " + result + " : " +
           used(resultShape, resultElement) + " to " + known +
           "\n  return %known : " + known + "\n}\n";
  }

private:
  static std::string type(const Shape &shape, const std::string &element) {
    return tensorType(shape, element == "f32" ? element : "!mli." + element);
  }

  std::string forget(const std::string &value, const Shape &shape,
                     const std::string &element) {
    if (!isDynamic)
      return value;
    body += "  " + value + "d = tensor.cast " + value + " : " +
            type(shape, element) + " to " + used(shape, element) + "\n";
    return value + "d";
  }

  std::string name, arguments, body;
  bool isDynamic;
  int count = 0;
  Shape resultShape;
  std::string resultElement;
};

} // namespace mli::test

#endif // MLI_TEST_UNIT_TRANSFORMS_RANDOMFUNCTION_H
