// SPDX-License-Identifier: Apache-2.0
//
// Shows how a tensor lies in NPU local memory: numbers, a table, JSON or a
// picture.

#include "Help.h"
#include "Picture.h"
#include "Report.h"
#include "mli/Support/OutputFiles.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace mli::layout;
using mli::OutputFile;

static const char purpose[] =
    R"(Show how a tensor lies in the local memory of NPUs: as numbers, as a table, as
JSON or as a picture; where an element is, and what is at a byte.
)";

static const char sections[] = R"(
EXAMPLES:
  mli-layout --shape=1,64,8,8 --element=i8 --layout=aligned
  mli-layout --shape=1,64,8,8 --element=i8 --at=0,5,3,2 --byte=5,26
  mli-layout --shape=2,40 --columns=best --svg=matrix.svg

EXIT CODES:
  0  the tensor is shown
  1  there is no such tensor, or a file can not be written

FILES:
  The tool reads none. Layouts, and the JSON that it writes: docs/guides/layouts.md
)";

namespace {

struct Output {
  bool json = false;
  std::string svg;
  std::string title;
  std::string cells;
};

} // namespace

/// Writes the requested output: a picture, and what `show` writes where there
/// is none or JSON is requested.
static Error writeAll(const Output &output, function_ref<Expected<Svg>()> draw,
                      function_ref<void(raw_ostream &)> show) {
  std::vector<OutputFile> files;
  Svg picture;
  if (!output.svg.empty()) {
    Expected<Svg> drawn = draw();
    if (!drawn)
      return drawn.takeError();
    picture = std::move(*drawn);
    auto write = [&](raw_ostream &os) {
      picture.write(output.title, os);
      return Error::success();
    };
    files.push_back({"--svg", output.svg, write, nullptr});
  }
  if (output.svg.empty() || output.json) {
    auto write = [&](raw_ostream &os) {
      show(os);
      return Error::success();
    };
    files.push_back({"--json", "-", write, nullptr});
  }
  return writeTogether(files);
}

static Expected<Svg> draw(const Request &request, const Output &output) {
  bool asElements = output.cells.empty() ? canDrawElements(request.layout)
                                         : output.cells == "elements";
  return asElements ? drawElements(request) : drawFeatures(request);
}

static void writeText(const std::vector<Mark> &marks, raw_ostream &os) {
  for (const Mark &mark : marks)
    os << mark.name << ": NPU " << mark.location.npu << " offset "
       << mark.location.offset << "\n";
}

/// Checks that none of these options is given, which do nothing as it is.
static Error rejectGiven(ArrayRef<std::pair<StringRef, bool>> options,
                         StringRef condition) {
  for (auto [name, isGiven] : options)
    if (isGiven)
      return makeError("expected '" + name + "' to be given " + condition +
                       ", but got both");
  return Error::success();
}

/// Checks that all options apply to the requested output.
static Error checkOptions(const Options &options, const Output &output) {
  std::pair<StringRef, bool> ofPictures[] = {{"title", !output.title.empty()},
                                             {"cells", !output.cells.empty()}};
  for (auto [name, isGiven] : ofPictures)
    if (isGiven && output.svg.empty())
      return makeError("expected '" + name +
                       "' to be given with 'svg', but got none");
  std::pair<StringRef, bool> questions[] = {
      {"at", !options.at.empty()},
      {"byte", !options.bytes.empty()},
      {"part", !options.parts.empty()},
      {"compare", !options.compare.empty()}};
  std::pair<StringRef, bool> ofTensors[] = {
      {"element", !options.element.empty()},
      {"layout", !options.kind.empty()},
      {"mode", !options.mode.empty()},
      {"address", !options.address.empty()},
      {"strides", !options.strides.empty()},
      {"columns", !options.columns.empty()},
      {"cells", !output.cells.empty()}};
  if (!options.marks.empty()) {
    if (Error error = rejectGiven(ofTensors, "without 'mark'"))
      return error;
    return rejectGiven(questions, "without 'mark'");
  }
  if (!output.svg.empty() && !output.json)
    return rejectGiven(questions, "without a picture alone");
  return Error::success();
}

static Error runMarks(const Options &options, const Output &output) {
  if (!options.shape.empty())
    return makeError("expected 'mark' to be given without a shape, but got '" +
                     options.shape + "'");
  Expected<Target> target = parseTarget(options);
  if (!target)
    return target.takeError();
  Expected<std::vector<Mark>> marks = parseMarks(options, *target);
  if (!marks)
    return marks.takeError();
  return writeAll(
      output, [&] { return drawMarks(*target, *marks); },
      [&](raw_ostream &os) {
        output.json ? writeJson(*marks, os) : writeText(*marks, os);
      });
}

static Error run(const Options &options, const Output &output) {
  if (!is_contained({"", "elements", "features"}, output.cells))
    return makeError("expected 'cells' to be elements or features, but got '" +
                     output.cells + "'");
  if (Error error = checkOptions(options, output))
    return error;
  if (!options.marks.empty())
    return runMarks(options, output);
  Expected<Request> request = parseRequest(options);
  if (!request)
    return request.takeError();
  if (Expected<std::vector<Alternative>> checked = alternatives(*request);
      !checked)
    return checked.takeError();
  return writeAll(
      output, [&] { return draw(*request, output); },
      [&](raw_ostream &os) {
        output.json ? writeJson(*request, os) : writeText(*request, os);
      });
}

namespace {

/// The options of the command line, whose values are in Options and Output.
class CommandLine {
public:
  CommandLine();
  /// The values, once parsed.
  const Options &options();

  Output output;

private:
  template <typename... Modifiers>
  void add(StringRef name, std::string &value, const Modifiers &...modifiers) {
    texts.push_back(std::make_unique<cl::opt<std::string, true>>(
        name, cl::location(value), cl::cat(category), modifiers...));
  }
  template <typename... Modifiers>
  void addList(StringRef name, std::vector<std::string> &values,
               const Modifiers &...modifiers) {
    lists.push_back({std::make_unique<cl::list<std::string>>(
                         name, cl::cat(category), modifiers...),
                     &values});
  }

  struct List {
    std::unique_ptr<cl::list<std::string>> option;
    std::vector<std::string> *values;
  };

  cl::OptionCategory category = cl::OptionCategory("Layout options");
  std::vector<std::unique_ptr<cl::opt<std::string, true>>> texts;
  std::vector<List> lists;
  cl::opt<bool, true> json;
  Options values;
};

} // namespace

CommandLine::CommandLine()
    : json("json", cl::desc("Write JSON"), cl::location(output.json),
           cl::cat(category)) {
  using cl::desc;
  using cl::value_desc;
  add("target", values.target, desc("Preset and overrides (default: bm1684)"),
      value_desc("target"));
  add("npus", values.npus, desc("NPUs"), value_desc("number"));
  add("npu-bytes", values.npuBytes, desc("Bytes of local memory in each NPU"),
      value_desc("number"));
  add("unit", values.unit, desc("Bytes of the aligned layout"),
      value_desc("number"));
  add("shape", values.shape, desc("Shape, or rows and columns of a matrix"),
      value_desc("n,c,h,w or n,m"));
  add("element", values.element, desc("Element type (default: f32)"),
      value_desc("type"));
  add("layout", values.kind,
      desc("continuous, aligned, compact, matrix or strided"),
      value_desc("kind"));
  add("mode", values.mode, desc("Storage mode: none, 4N, 2N or 2IC"),
      value_desc("mode"));
  add("address", values.address, desc("Local address (default: 0)"),
      value_desc("number"));
  add("strides", values.strides, desc("Explicit strides, in packed elements"),
      value_desc("n,c,h,w"));
  add("columns", values.columns,
      desc("Columns of a matrix per channel, or best"), value_desc("number"));
  add("svg", output.svg, desc("Write a picture"), value_desc("file"));
  add("title", output.title, desc("The title of the picture"),
      value_desc("text"));
  add("cells", output.cells,
      desc("What the picture shows: elements or features"), value_desc("what"));
  addList("at", values.at, desc("Where this element is"),
          value_desc("n,c,h,w or n,m"));
  addList("byte", values.bytes, desc("What is at this byte"),
          value_desc("npu,offset"));
  addList("part", values.parts, desc("How this part is laid out"),
          value_desc("offset:size"));
  addList("compare", values.compare, cl::CommaSeparated,
          desc("Other layouts, or widths of a matrix"),
          value_desc("(layout|columns)[/mode][@address],..."));
  addList("mark", values.marks, desc("Show this address in all of memory"),
          value_desc("name=address"));
  mli::setHelp({purpose, "mli-layout [options]", sections, &category});
}

const Options &CommandLine::options() {
  for (const List &list : lists)
    *list.values = *list.option;
  return values;
}

int main(int argc, char **argv) {
  mli::prepareStandardStreams();
  InitLLVM init(argc, argv);
  CommandLine line;
  cl::ParseCommandLineOptions(argc, argv, purpose);
  Error error = run(line.options(), line.output);
  if (!error)
    return 0;
  WithColor::error(errs(), "mli-layout") << toString(std::move(error)) << "\n";
  return 1;
}
