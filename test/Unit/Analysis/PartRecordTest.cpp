// SPDX-License-Identifier: Apache-2.0
//
// What parts of small networks tell of their moves, beside what their programs
// move.

#include "mli/Analysis/PartRecord.h"

#include "mli/Analysis/MovedBytes.h"
#include "mli/Pipelines/Pipelines.h"

#include "../AllDialects.h"
#include "NetworkText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace mli;
using mli::test::NetworkText;
using mli::test::RowTaps;
using mli::test::TextMap;

namespace {

/// What a part or all of them move, as JSON has it.
int64_t sumMoved(const llvm::json::Object &moved) {
  int64_t bytes = 0;
  for (StringRef cause : {"weights", "inputs", "results", "spills", "halos"})
    bytes += moved.getInteger(cause).value_or(0);
  return bytes;
}

class PartRecordTest : public testing::Test {
protected:
  /// Compiles `source` for `npus` NPUs of `bytes` bytes. Returns whether it
  /// fits.
  bool compile(StringRef source, int64_t bytes, int64_t npus) {
    module = parseSourceString<ModuleOp>(source, &context);
    LocalOptions options;
    options.target =
        llvm::formatv("custom,npus={0},npu-bytes={1},unit=16", npus, bytes)
            .str();
    options.doubleBuffer = DoubleBuffering::Off;
    PassManager passes(&context);
    buildTargetPipeline(passes, options);
    buildTensorPipeline(passes);
    buildLocalBufferPipeline(passes, options);
    ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
    return succeeded(passes.run(*module));
  }

  /// The record of the program as JSON.
  llvm::json::Object getJson() {
    auto record = PartsRecord::get(*module->getOps<func::FuncOp>().begin());
    EXPECT_TRUE(record);
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::json::OStream json(os);
    json.object([&] { record->write(json); });
    return *llvm::cantFail(llvm::json::parse(text)).getAsObject();
  }

  /// Compares the two for all memories from which on `source` fits.
  void compare(StringRef source) {
    for (int64_t npus : {1, 4})
      for (int64_t bytes = 64; bytes <= 8192; bytes += bytes / 4 / 16 * 16) {
        if (!compile(source, bytes, npus))
          continue;
        MovedBytes moved =
            countMovedBytes(*module->getOps<func::FuncOp>().begin());
        llvm::json::Object json = getJson();
        int64_t told = 0;
        for (const llvm::json::Value &one : *json.getArray("parts")) {
          const llvm::json::Object &part = *one.getAsObject();
          told += sumMoved(*part.getObject("moved")) *
                  part.getInteger("runs").value();
          kinds.insert(part.getString("kind").value().str());
          largest = std::max(largest, part.getArray("kernels")->size());
        }
        EXPECT_EQ(told, sumMoved(*json.getObject("moved")));
        int64_t fewer = told - moved.in - moved.out;
        EXPECT_GE(fewer, 0)
            << source.str() << npus << " NPUs of " << bytes << " bytes";
        fewerBytes += fewer;
        programs += 1;
        exactPrograms += fewer == 0;
      }
  }

  MLIRContext context{test::allDialects()};
  OwningOpRef<ModuleOp> module;
  std::set<std::string> kinds;
  size_t largest = 0;
  int programs = 0, exactPrograms = 0;
  /// What moves less than is told.
  int64_t fewerBytes = 0;
};

} // namespace

// MB8
TEST_F(PartRecordTest, PartsTellWhatMoves) {
  RowTaps window{3, 1, 1, 1};
  NetworkText chain(16, 8, 4);
  TextMap map = chain.conv(chain.input, window, 16, window);
  compare(chain.finish({chain.conv(chain.relu(map), {}, 8)}));

  NetworkText strided(24, 4, 6);
  map = strided.conv(strided.input, {3, 2, 1, 1}, 8, window);
  map = strided.conv(map, window, 8, window);
  compare(strided.finish({strided.pool(map, {2, 2})}));

  NetworkText skip(12, 8, 4);
  map = skip.conv(skip.input, {}, 8);
  TextMap other = skip.conv(map, window, 8, window);
  other = skip.conv(skip.relu(other), window, 8, window);
  compare(skip.finish({skip.add(map, other)}));

  NetworkText wide(4, 16, 4);
  map = wide.conv(wide.input, {}, 96);
  compare(wide.finish({wide.conv(map, {}, 8), map}));

  EXPECT_GE(programs, 60);
  // Some biases are read by two tiles one behind the other, and move once.
  EXPECT_GE(exactPrograms, programs - 2);
  EXPECT_LE(fewerBytes, 24);
  EXPECT_GE(largest, 4U);
  EXPECT_EQ(kinds,
            (std::set<std::string>{"channels", "rows", "tiles", "whole"}));
}
