// SPDX-License-Identifier: Apache-2.0
//
// Reads, and where MLIR is there imports, damaged .tflite files: each ends in a
// message or in a valid module, with few allocations and little memory.
//
//   tflite-fuzz COUNT FIRST_SEED FILE...

#include "AllocationCount.h"
#include "TFLite_generated.h"

#include "mli/Import/Cuts.h"
#include "mli/Import/TFLiteModel.h"

#ifdef MLI_FUZZ_IMPORT
#include "mli/IR/MLI.h"
#include "mli/Import/Inspect.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#endif

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>

using namespace mli;
namespace schema = tflite::schema;

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

namespace {

/// Damages files, the same way for the same seed.
class Mutator {
public:
  Mutator(std::string bytes, unsigned seed)
      : bytes(std::move(bytes)), random(seed) {}

  std::string run() {
    unsigned rounds = 1 + pick(4);
    bool areTables = pick(2) == 0;
    for (unsigned i = 0; i < rounds; ++i)
      if (areTables)
        damageTables();
      else
        damage();
    return bytes;
  }

private:
  size_t pick(size_t count) { return count == 0 ? 0 : random() % count; }

  void damage() {
    if (bytes.size() < 16)
      return;
    switch (pick(6)) {
    case 0:
      bytes[pick(bytes.size())] ^= static_cast<char>(1 << pick(8));
      return;
    case 1:
      bytes.resize(pick(bytes.size()));
      return;
    case 2: // Any number where one may be: offsets, counts, indices.
      writeWord(word(), static_cast<uint32_t>(random()));
      return;
    case 3: { // A number near the one that is there.
      size_t at = word();
      writeWord(at, readWord(at) + 4 - static_cast<uint32_t>(pick(9)));
      return;
    }
    case 4: // One that is elsewhere.
      writeWord(word(), readWord(word()));
      return;
    default: // A small one, as enumerations and extents are.
      writeWord(word(), static_cast<uint32_t>(pick(300)));
      return;
    }
  }

  /// The contents of the file change, and it is still a file of tables.
  void damageTables() {
    const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
    flatbuffers::Verifier verifier(data, bytes.size());
    if (!schema::VerifyModelBuffer(verifier))
      return;
    const auto *graphs = schema::GetModel(data)->subgraphs();
    if (!graphs || graphs->size() == 0)
      return;
    const schema::SubGraph &graph = *graphs->Get(pick(graphs->size()));
    const auto *tensors = graph.tensors();
    const auto *operators = graph.operators();
    if (pick(4) > 0 && tensors && tensors->size() > 0)
      damageTensor(*tensors->Get(pick(tensors->size())));
    else if (operators && operators->size() > 0)
      damageOperator(*operators->Get(pick(operators->size())));
  }

  /// Another type, no parameters, both, fewer of a list, or other elements.
  void damageTensor(const schema::Tensor &tensor) {
    unsigned kind = pick(5);
    const schema::QuantizationParameters *parameters = tensor.quantization();
    if (kind <= 1)
      writeField(tensor, schema::Tensor::VT_TYPE, pick(18));
    if (kind >= 1 && kind <= 2 && parameters)
      shorten(parameters->scale(), 0);
    if (kind == 3) {
      shorten(tensor.shape(), pick(4));
      if (parameters)
        shorten(parameters->zero_point(), pick(2));
    }
    if (kind == 4)
      writeField(tensor, schema::Tensor::VT_BUFFER, pick(3));
  }

  void damageOperator(const schema::Operator &op) {
    shorten(op.inputs(), pick(3));
    if (pick(2) == 0)
      shorten(op.outputs(), pick(2));
  }

  /// Leaves `length` elements of `list`, if there are as many.
  template <typename List>
  void shorten(const List *list, size_t length) {
    if (list && length < list->size())
      writeWord(getPlace(list), static_cast<uint32_t>(length));
  }

  /// Writes the low byte of a number of `table`, if it has that.
  template <typename Table>
  void writeField(const Table &table, flatbuffers::voffset_t field,
                  size_t number) {
    auto offset = reinterpret_cast<const flatbuffers::Table &>(table)
                      .GetOptionalFieldOffset(field);
    if (offset != 0)
      bytes[getPlace(&table) + offset] = static_cast<char>(number);
  }

  size_t getPlace(const void *object) const {
    return static_cast<size_t>(static_cast<const char *>(object) -
                               bytes.data());
  }
  size_t word() { return pick(bytes.size() / 4) * 4; }
  uint32_t readWord(size_t at) const {
    uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
  }
  void writeWord(size_t at, uint32_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof(value));
  }

  std::string bytes;
  std::mt19937 random;
};

/// How an input ended.
enum class Outcome { Unread, Rejected, Imported, Wrong };

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Cuts ends off the network, whatever its operators are: every third one is a
/// layer, and one of its neighbours is blocked.
static size_t cut(const tflite::Graph &graph) {
  tflite::Roles roles;
  for (size_t i = 0; i < graph.operators.size(); ++i) {
    roles.isLayer.push_back(i % 3 == 1);
    roles.isBlocked.push_back(i % 3 == 2);
  }
  tflite::Extent whole{graph.inputs, graph.outputs, {}};
  tflite::Extent rest = tflite::cutEnds(graph, whole, roles);
  size_t sum = tflite::findNeeded(graph, rest).size() +
               tflite::findCompiler(graph).size() +
               tflite::findMissingQuantization(graph).size();
  for (const tflite::CutPart &part : rest.cuts)
    sum += tflite::describeCut(graph, part).size();
  return sum;
}

/// Touches everything that a model refers to.
static size_t touch(const tflite::Model &model) {
  size_t sum = model.description.size() + cut(model.graphs.front());
  for (const tflite::Graph &graph : model.graphs) {
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      sum += tflite::describeTensor(graph, static_cast<int32_t>(i)).size();
      for (char byte : graph.tensors[i].data)
        sum += static_cast<unsigned char>(byte);
    }
    for (size_t i = 0; i < graph.operators.size(); ++i)
      sum += tflite::describeOperator(graph, i).size();
  }
  return sum;
}

#ifdef MLI_FUZZ_IMPORT
static Outcome import(const tflite::Model &model) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  llvm::FailureOr<tflite::ImportResult> result =
      tflite::importModel(model, {}, nullptr, &context);
  if (failed(result))
    return Outcome::Wrong;
  std::string text;
  llvm::raw_string_ostream os(text);
  printInspection(os, tflite::inspect(model, *result), "net.tflite");
  tflite::printInspectionJson(os, model, *result);
  if (!result->module)
    return Outcome::Rejected;
  return mlir::succeeded(mlir::verify(*result->module)) ? Outcome::Imported
                                                        : Outcome::Wrong;
}
#else
static Outcome import(const tflite::Model &) { return Outcome::Imported; }
#endif

static Outcome process(const std::string &input) {
  // The copy ends at the input, so that a read beyond it is found.
  void *block = nullptr;
  if (posix_memalign(&block, 16, std::max<size_t>(input.size(), 1)) != 0)
    return Outcome::Wrong;
  std::unique_ptr<char, decltype(&std::free)> memory(static_cast<char *>(block),
                                                     &std::free);
  if (!input.empty())
    std::memcpy(memory.get(), input.data(), input.size());
  std::string error;
  std::optional<tflite::Model> model =
      tflite::readModel({memory.get(), input.size()}, error);
  if (!model)
    return error.empty() ? Outcome::Wrong : Outcome::Unread;
  volatile size_t sum = touch(*model);
  (void)sum;
  return import(*model);
}

/// What one input may allocate.
static constexpr size_t maxCalls = 10000, maxBytes = 16 << 20;

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "tflite-fuzz COUNT FIRST_SEED FILE...\n");
    return 2;
  }
  std::vector<std::string> files;
  for (int i = 3; i < argc; ++i) {
    std::stringstream content;
    content << std::ifstream(argv[i], std::ios::binary).rdbuf();
    files.push_back(content.str());
  }
  unsigned outcomes[4] = {};
  AllocationCount greatest;
  auto first = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  auto count = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  for (unsigned i = 0; i < count; ++i) {
    unsigned seed = first + i;
    std::string input = Mutator(files[seed % files.size()], seed).run();
    AllocationCount before = getAllocationCount();
    Outcome outcome = process(input);
    AllocationCount after = getAllocationCount();
    size_t calls = after.calls - before.calls;
    size_t bytes = after.bytes - before.bytes;
    ++outcomes[static_cast<int>(outcome)];
    greatest.calls = std::max(greatest.calls, calls);
    greatest.bytes = std::max(greatest.bytes, bytes);
    if (outcome == Outcome::Wrong)
      std::printf("seed %u: no message or no valid module\n", seed);
    if (calls > maxCalls || bytes > maxBytes)
      std::printf("seed %u: %zu allocations of %zu bytes\n", seed, calls,
                  bytes);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%u inputs: %u not read, %u rejected, %u accepted, %u wrong; "
              "at most %zu allocations, %zu bytes of one input; %ld MB\n",
              count, outcomes[0], outcomes[1], outcomes[2], outcomes[3],
              greatest.calls, greatest.bytes, usage.ru_maxrss / 1024);
  bool isWithin = greatest.calls <= maxCalls && greatest.bytes <= maxBytes &&
                  usage.ru_maxrss <= 1L << 20;
  return outcomes[3] == 0 && isWithin ? 0 : 1;
}
