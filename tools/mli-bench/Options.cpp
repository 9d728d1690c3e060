// SPDX-License-Identifier: Apache-2.0

#include "Options.h"

#include <charconv>
#include <cstdio>
#include <set>
#include <sstream>
#include <system_error>

namespace mli::bench {

static constexpr const char *usage =
    "usage: mli-bench LAYERS.csv [--only=TEXT] [--columns=TEXT] "
    "[--repetitions=N] [--seconds=S] [--scalar] [--checks] [--once] "
    "[--threads=N]\n"
    "  --only=TEXT      layers whose name or kind contains it\n"
    "  --columns=TEXT   columns whose name is in it, as plain,XNNPACK\n"
    "  --repetitions=N  medians of N measurements (9)\n"
    "  --seconds=S      of each measurement (0.01)\n"
    "  --scalar         also the scalar code\n"
    "  --checks         with the checks of parameters\n"
    "  --once           one plain call of each layer, to count instructions\n"
    "  --threads=N      packed layers in one thread and in N, in turn, by the "
    "clock on the wall: calls of S seconds each, N times, their median and "
    "least\n";

/// Reads `text`, all of it, as a number in [least, most].
template <typename Number>
static bool parseNumber(const char *name, const std::string &text, Number least,
                        Number most, Number &number) {
  const char *end = text.data() + text.size();
  auto [next, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && next == end && number >= least && number <= most)
    return true;
  std::fprintf(stderr,
               "mli-bench: error: expected '--%s' to be in [%g, %g], but got "
               "'%s'\n",
               name, static_cast<double>(least), static_cast<double>(most),
               text.c_str());
  return false;
}

static std::vector<std::string> splitNames(const std::string &text) {
  std::vector<std::string> names;
  std::stringstream stream(text);
  for (std::string name; std::getline(stream, name, ',');)
    names.push_back(name);
  // An empty text is one empty name, which no column has.
  if (names.empty())
    names.emplace_back();
  return names;
}

static bool printUsage() {
  std::fputs(usage, stderr);
  return false;
}

static bool parseSwitch(const std::string &argument, Options &options) {
  if (argument == "--scalar")
    options.hasScalar = true;
  else if (argument == "--checks")
    options.hasChecks = true;
  else if (argument == "--once")
    options.isOnce = true;
  else
    return printUsage();
  return true;
}

static bool parseValue(const std::string &name, const std::string &value,
                       Options &options) {
  constexpr int mostRepetitions = 10000, mostThreads = 64;
  constexpr double mostSeconds = 60;
  if (name == "--only")
    options.only = value;
  else if (name == "--columns")
    options.columns = splitNames(value);
  else if (name == "--repetitions")
    return parseNumber("repetitions", value, 1, mostRepetitions,
                       options.repetitions);
  else if (name == "--seconds")
    return parseNumber("seconds", value, 0.0, mostSeconds, options.seconds);
  else if (name == "--threads")
    return parseNumber("threads", value, 1, mostThreads, options.threads);
  else
    return printUsage();
  return true;
}

/// Checks that all options that are given have to do with what is measured.
static bool checkTogether(const std::set<std::string> &given,
                          const Options &options) {
  struct {
    bool isAsked;
    const char *name;
    std::vector<const char *> others;
  } const rules[] = {
      {options.isOnce,
       "--once",
       {"--columns", "--repetitions", "--scalar", "--seconds", "--threads"}},
      {options.threads > 1, "--threads", {"--columns", "--scalar"}}};
  for (const auto &rule : rules)
    for (const char *other : rule.others)
      if (rule.isAsked && given.count(other)) {
        std::fprintf(stderr,
                     "mli-bench: error: expected '%s' without '%s', but got "
                     "both\n",
                     rule.name, other);
        return false;
      }
  return true;
}

bool parse(int argc, char **argv, Options &options) {
  std::set<std::string> given;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    size_t equals = argument.find('=');
    bool isOption = argument.rfind("--", 0) == 0;
    given.insert(argument.substr(0, equals));
    if (!isOption && !options.layers.empty())
      return printUsage();
    if (!isOption)
      options.layers = argument;
    else if (equals == std::string::npos
                 ? !parseSwitch(argument, options)
                 : !parseValue(argument.substr(0, equals),
                               argument.substr(equals + 1), options))
      return false;
  }
  if (options.layers.empty())
    return printUsage();
  return checkTogether(given, options);
}

} // namespace mli::bench
