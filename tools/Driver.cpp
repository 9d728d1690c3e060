// SPDX-License-Identifier: Apache-2.0

#include "Driver.h"

#include "mli/Support/OutputFiles.h"

#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

/// The value of `-o`, spelled in any way, and the text before it in its
/// argument.
struct OutputArgument {
  size_t index;
  StringRef option, path;
};

static std::optional<OutputArgument>
findOutput(ArrayRef<const char *> arguments) {
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef text = arguments[i];
    StringRef option = text.take_while([](char c) { return c != '='; });
    if (text == "--")
      break;
    if (option != "-o" && option != "--o")
      continue;
    if (option.size() < text.size())
      return OutputArgument{i, text.take_front(option.size() + 1),
                            text.drop_front(option.size() + 1)};
    if (i + 1 < arguments.size())
      return OutputArgument{i + 1, "", arguments[i + 1]};
  }
  return std::nullopt;
}

int mli::runDriver(int argc, char **argv,
                   function_ref<mlir::LogicalResult(int, char **)> driver) {
  prepareStandardStreams();
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> arguments(argv, argv + argc);
  cl::ExpandResponseFiles(saver, cl::TokenizeGNUCommandLine, arguments);
  std::optional<OutputArgument> output = findOutput(arguments);
  auto write = [&](StringRef path) -> Error {
    if (output)
      arguments[output->index] =
          saver.save(output->option + Twine(path)).data();
    // Drivers change no argument.
    auto **values = const_cast<char **>(arguments.data());
    if (failed(driver(static_cast<int>(arguments.size()), values)))
      return make_error<ReportedError>();
    return Error::success();
  };
  std::string path = output ? output->path.str() : "-";
  return exitStatus(writeTogether({{"-o", path, nullptr, write}}));
}

void mli::setDefault(StringRef name, bool value) {
  cl::Option *option = cl::getRegisteredOptions().lookup(name);
  if (option && option->getNumOccurrences() == 0)
    static_cast<cl::opt<bool> *>(option)->setValue(value);
}
