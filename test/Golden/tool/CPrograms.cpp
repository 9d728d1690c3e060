// SPDX-License-Identifier: Apache-2.0

#include "CPrograms.h"

#include "mli/Support/OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace mli::golden {

std::string CPrograms::constant(ArrayRef<uint8_t> bytes) {
  auto [it, isNew] = constants.try_emplace(
      bytes.vec(), formatv("bytes{0}", constants.size()).str());
  if (!isNew)
    return it->second;
  constantBytes += bytes.size();
  raw_string_ostream os(constantText);
  os << "static const uint8_t " << it->second << "[] = {";
  for (size_t i = 0; i < bytes.size(); ++i)
    os << (i == 0 ? "" : i % 20 == 0 ? ",\n" : ",") << int{bytes[i]};
  os << "};\n";
  return it->second;
}

void CPrograms::add(StringRef name, StringRef body) {
  functionText += formatv("\n/* {0} */\nstatic void case{1}(void) {{\n{2}}\n",
                          name, casesInProgram, body)
                      .str();
  raw_string_ostream os(mainText);
  os << "  golden_run(\"";
  os.write_escaped(name) << "\", case" << casesInProgram << ");\n";
  ++caseCount;
  if (++casesInProgram == mostCases || constantBytes >= mostConstantBytes)
    finishProgram();
}

void CPrograms::finishProgram() {
  programs.push_back(
      "/* Written by mli-golden. */\n\n#include \"golden.h\"\n\n" +
      constantText + functionText + "\nint main(void) {\n" + mainText +
      "  return golden_end();\n}\n");
  constants.clear();
  constantBytes = casesInProgram = 0;
  for (std::string *text : {&constantText, &functionText, &mainText})
    text->clear();
}

Error CPrograms::write(StringRef folder) {
  if (casesInProgram != 0)
    finishProgram();
  // Programs of other vectors would be taken for some of these.
  if (std::error_code code =
          sys::fs::create_directory(folder, /*IgnoreExisting=*/false))
    return createStringError("--write-c: " + folder + ": " + code.message());
  std::vector<OutputFile> files;
  for (const std::string &program : programs) {
    std::string path = formatv("{0}/golden{1}.c", folder, files.size());
    auto print = [&program](raw_ostream &os) {
      os << program;
      return Error::success();
    };
    files.push_back({"--write-c", path, print, nullptr});
  }
  return writeTogether(files);
}

} // namespace mli::golden
