// SPDX-License-Identifier: Apache-2.0

#include "Inputs.h"

#include "mli/Execution/Files.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mli;

llvm::Expected<HostTensor> mli::readPort(StringRef path, StringRef what,
                                         const Port &port) {
  llvm::Expected<HostTensor> tensor = readNpy(path);
  if (!tensor)
    return tensor;
  if (llvm::Error error = checkPort(what, port, *tensor))
    return llvm::createStringError(llvm::toString(std::move(error)) + " in '" +
                                   path + "'");
  return port.isUnsigned ? flipSign(std::move(*tensor)) : std::move(*tensor);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The name after the `%` at `position` of `source`, if there is one.
static std::string getNameAt(FileLineColLoc position,
                             llvm::MemoryBufferRef source) {
  if (position.getFilename() != source.getBufferIdentifier())
    return {};
  StringRef text = source.getBuffer();
  for (unsigned line = 1; line < position.getLine(); ++line)
    text = text.split('\n').second;
  text = text.take_until([](char c) { return c == '\n'; });
  if (position.getColumn() == 0)
    return {};
  text =
      text.drop_front(std::min<size_t>(position.getColumn() - 1, text.size()));
  if (!text.consume_front("%"))
    return {};
  return text
      .take_while([](char c) {
        return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
      })
      .str();
}

std::vector<std::string> mli::getArgumentNames(func::FuncOp function,
                                               llvm::MemoryBufferRef source) {
  std::vector<std::string> names;
  for (BlockArgument argument : function.getArguments()) {
    Location location = argument.getLoc();
    if (auto name = dyn_cast<NameLoc>(location))
      names.push_back(name.getName().str());
    else if (auto position = dyn_cast<FileLineColLoc>(location))
      names.push_back(getNameAt(position, source));
    else
      names.emplace_back();
  }
  return names;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
/// One value of an option for inputs.
struct InputOption {
  StringRef name, path;

  /// A name is an identifier or a number, so that most paths with a `=` need
  /// none.
  explicit InputOption(StringRef option) : path(option) {
    auto [before, after] = option.split('=');
    bool isName =
        !before.empty() && before.size() < option.size() &&
        llvm::all_of(
            before,
            [](char c) {
              return llvm::isAlnum(c) || c == '_' || c == '-' || c == '$';
            });
    if (isName)
      name = before, path = after;
  }
};
} // namespace

/// The number of the input that `option`, a value of `flag`, names.
static llvm::Expected<size_t> findInput(const InputOption &option,
                                        StringRef flag,
                                        ArrayRef<std::string> names) {
  const auto *named = llvm::find(names, option.name);
  if (named != names.end())
    return named - names.begin();
  size_t index;
  bool isNumber = !option.name.getAsInteger(10, index);
  if (isNumber && index < names.size())
    return index;
  std::string known;
  for (auto [i, name] : llvm::enumerate(names))
    known +=
        (i ? ", " : "") + (name.empty() ? std::to_string(i) : "'" + name + "'");
  return llvm::createStringError("expected '" + flag + "' to name one of " +
                                 Twine(names.size()) + " inputs: " + known +
                                 ", but got '" + option.name + "'");
}

/// `paths[i]` is the file for input i, or empty.
static llvm::Expected<std::vector<StringRef>>
assignPaths(StringRef flag, ArrayRef<std::string> names,
            ArrayRef<std::string> options) {
  if (options.size() > names.size())
    return llvm::createStringError(
        "expected '" + flag + "' for " + Twine(names.size()) +
        " inputs at most, but got " + Twine(options.size()));
  std::vector<StringRef> paths(names.size());
  SmallVector<StringRef> unnamed;
  for (const std::string &text : options) {
    InputOption option(text);
    if (option.name.empty()) {
      unnamed.push_back(option.path);
      continue;
    }
    llvm::Expected<size_t> index = findInput(option, flag, names);
    if (!index)
      return index.takeError();
    if (!paths[*index].empty())
      return llvm::createStringError(
          "expected one file for input " + Twine(*index) + ", but got '" +
          paths[*index] + "' and '" + option.path + "'");
    paths[*index] = option.path;
  }
  auto *next = paths.begin().base();
  for (StringRef path : unnamed) {
    while (!next->empty())
      ++next;
    *next = path;
  }
  return paths;
}

llvm::Expected<std::vector<HostTensor>>
mli::readInputs(const CompiledFunction &function, ArrayRef<std::string> names,
                StringRef flag, ArrayRef<std::string> options) {
  SmallVector<Port> ports = getInputPorts(function);
  names = names.take_front(ports.size());
  auto paths = assignPaths(flag, names, options);
  if (!paths)
    return paths.takeError();
  std::vector<HostTensor> inputs;
  for (auto [i, path, port] : llvm::enumerate(*paths, ports)) {
    std::string what = "input " + std::to_string(i);
    if (path.empty())
      return llvm::createStringError(
          "expected '" + flag + "' for " + what +
          (names[i].empty() ? "" : " '" + names[i] + "'") + " of shape " +
          formatShape(port.type.getShape().vec()) + " and type " +
          getElementName(port.isUnsigned
                             ? HostElement::U8
                             : *getHostElement(port.type.getElementType())) +
          ", but got none");
    llvm::Expected<HostTensor> input = readPort(path, what, port);
    if (!input)
      return input.takeError();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}
