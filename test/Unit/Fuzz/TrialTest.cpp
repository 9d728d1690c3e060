// SPDX-License-Identifier: Apache-2.0
//
// A trial tells what happens to a program: crashes, endless loops and memory
// that is written around, too.

#include "../../Fuzz/Runner/Trial.h"
#include "../AllDialects.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <csignal>

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;

namespace {

using Kind = Outcome::Kind;

Outcome succeed(const Case &, Random &) { return {}; }

Outcome differ(const Case &, Random &) {
  Outcome outcome;
  outcome.kind = Kind::Differs;
  outcome.text = "a byte";
  return outcome;
}

Outcome crash(const Case &, Random &) { std::abort(); }

Outcome loop(const Case &, Random &) {
  // What the system sends where no processor time is left.
  raise(SIGXCPU);
  return {};
}

Outcome writeAround(const Case &, Random &) {
  auto *bytes = new char[4];
  volatile char *behind = bytes + 5;
  *behind = 1;
  delete[] bytes;
  return {};
}

constexpr Configuration good = {"good", "", succeed, Takes::All},
                        wrong = {"wrong", "", differ, Takes::All},
                        crashing = {"crashing", "", crash, Takes::All},
                        endless = {"endless", "", loop, Takes::All},
                        writing = {"writing", "", writeAround, Takes::All};

class TrialTest : public testing::Test {
protected:
  TrialTest() : context(test::allDialects(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }

  Trial run(ArrayRef<const Configuration *> configurations,
            StringRef text = "func.func @main(%a: tensor<2xi8>) -> "
                             "tensor<2xi8> { return %a : tensor<2xi8> }") {
    TrialOptions options;
    options.configurations.assign(configurations.begin(), configurations.end());
    Trial result;
    auto make = [&](uint64_t seed) {
      return makeCase(parseSourceString<ModuleOp>(text, &context), seed);
    };
    runTrials({uint64_t{7}}, make, options,
              [&](const Trial &trial) { result = trial; });
    return result;
  }

  MLIRContext context;
};

} // namespace

TEST_F(TrialTest, RunsAllConfigurations) {
  Trial trial = run({&good, &wrong, &good});
  EXPECT_EQ(trial.seed, 7U);
  ASSERT_EQ(trial.runs.size(), 4U);
  EXPECT_EQ(trial.runs[0].configuration, "generate");
  EXPECT_EQ(trial.runs[1].outcome.kind, Kind::Same);
  EXPECT_EQ(trial.runs[2].outcome.kind, Kind::Differs);
  EXPECT_EQ(trial.runs[2].outcome.text, "a byte");
  EXPECT_EQ(trial.runs[3].outcome.kind, Kind::Same);
  EXPECT_EQ(trial.operations.front(), "func.return");
}

TEST_F(TrialTest, SeesCrashes) {
  Trial trial = run({&good, &crashing, &good});
  ASSERT_EQ(trial.runs.size(), 3U);
  EXPECT_EQ(trial.runs[1].outcome.kind, Kind::Same);
  EXPECT_EQ(trial.runs[2].configuration, "crashing");
  EXPECT_EQ(trial.runs[2].outcome.kind, Kind::Crashed);
  EXPECT_EQ(trial.runs[2].outcome.text, "Aborted");
  EXPECT_NE(trial.program.find("func.func @main"), std::string::npos);
}

TEST_F(TrialTest, SeesEndlessLoops) {
  EXPECT_EQ(run({&endless}).runs.back().outcome.kind, Kind::Endless);
}

TEST_F(TrialTest, SeesWritesAroundBlocks) {
  Trial trial = run({&writing});
  EXPECT_EQ(trial.runs.back().outcome.kind, Kind::Crashed);
}

TEST_F(TrialTest, TellsProgramsThatAreNone) {
  Trial trial = run({&good}, "func.func @other() { return }");
  ASSERT_EQ(trial.runs.size(), 1U);
  EXPECT_EQ(trial.runs[0].outcome.kind, Kind::Unusable);
  EXPECT_EQ(trial.runs[0].outcome.text, "there is no function 'main'");
}

TEST_F(TrialTest, TellsResultsThatNobodyWrites) {
  Trial trial = run({&good}, "func.func @main() -> tensor<2xi8> {\n"
                             "  %0 = tensor.empty() : tensor<2xi8>\n"
                             "  return %0 : tensor<2xi8>\n}");
  EXPECT_EQ(trial.runs[0].outcome.text,
            "a result depends on what nobody has written");
}

TEST_F(TrialTest, ReportsInOrderOfSeeds) {
  TrialOptions options;
  options.configurations = {&good};
  options.jobs = 3;
  std::vector<uint64_t> seeds = {5, 1, 9, 2}, reported;
  auto make = [&](uint64_t seed) {
    return makeCase(
        parseSourceString<ModuleOp>("func.func @main() { return }", &context),
        seed);
  };
  runTrials(seeds, make, options,
            [&](const Trial &trial) { reported.push_back(trial.seed); });
  EXPECT_EQ(reported, seeds);
}
