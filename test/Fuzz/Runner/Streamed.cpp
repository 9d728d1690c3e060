// SPDX-License-Identifier: Apache-2.0
//
// Programs whose kernels compute row by row.

#include "Runs.h"

#include "Transforms/Streams/FormStreams.h"
#include "Transforms/TileSelection/TileApply.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mli;
using namespace mli::fuzz;
using namespace mli::streams;

static CompileOptions streamOptions(Random &random) {
  CompileOptions options;
  options.packing.order =
      random.chance(50) ? PackOrder::None : PackOrder::Pairs;
  options.packing.explainStreams = true;
  return options;
}

//===----------------------------------------------------------------------===//
// Arenas
//===----------------------------------------------------------------------===//

namespace {

/// What the remarks say of the arena of a program of one function.
struct ArenaRemark {
  /// Nothing if they say it of no function, or of several.
  static std::optional<ArenaRemark> find(StringRef remarks);

  int64_t bytes = 0, wholeBytes = 0;
  /// 0 if there is none.
  int64_t boundBytes = 0;
  bool hasStreams = false;
};

} // namespace

/// The number behind `name` in `text`, as in `name 1,152 B`.
static std::optional<int64_t> findBytes(StringRef text, StringRef name) {
  size_t at = text.find(name);
  if (at == StringRef::npos)
    return std::nullopt;
  std::string digits;
  for (char c : text.substr(at + name.size()).ltrim()) {
    if (llvm::isDigit(c))
      digits += c;
    else if (c != ',')
      break;
  }
  int64_t bytes;
  if (StringRef(digits).getAsInteger(10, bytes))
    return std::nullopt;
  return bytes;
}

std::optional<ArenaRemark> ArenaRemark::find(StringRef remarks) {
  if (remarks.count("arena: ") != 1)
    return std::nullopt;
  std::optional<int64_t> bytes = findBytes(remarks, "arena: "),
                         whole = findBytes(remarks, "whole kernels ");
  if (!bytes || !whole)
    return std::nullopt;
  return ArenaRemark{*bytes, *whole,
                     findBytes(remarks, "of the bound ").value_or(0),
                     remarks.contains("stream of ")};
}

/// Whether `program` has nothing but kernels with results of their own, each
/// returned once at most: bufferization copies nothing there.
// ST9
static bool hasOnlyKernels(const Case &program) {
  auto main = (*program.module).lookupSymbol<func::FuncOp>("main");
  llvm::SmallPtrSet<Value, 8> returned;
  return llvm::all_of(main.front(), [&](Operation &op) {
    if (isa<func::ReturnOp>(op))
      return llvm::all_of(op.getOperands(), [&](Value value) {
        return value.getDefiningOp<DestinationStyleOpInterface>() &&
               returned.insert(value).second;
      });
    if (op.hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op))
      return true;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    return isa<KernelOpInterface>(op) && !isa<MovOp, PermuteOp>(op) &&
           op.getNumResults() == 1 &&
           dps.getDpsInits().front().getDefiningOp<tensor::EmptyOp>() &&
           dps.getDpsInits().front().hasOneUse() && !op.use_empty();
  });
}

/// Runs `compiled`, whose arena has as many bytes as its remarks say, and no
/// fewer than the bound.
static Outcome runStreamed(const Case &program, const Compiled &compiled) {
  if (!compiled.program)
    return refuse(compiled.errors, /*mayRefuse=*/true);
  Outcome outcome = runCompiled(program, compiled);
  std::optional<ArenaRemark> remark = ArenaRemark::find(compiled.remarks);
  int64_t bytes = compiled.program->lookup("main")->memory.arenaBytes;
  if (!outcome.isFinding() && remark && remark->hasStreams &&
      remark->bytes != bytes && hasOnlyKernels(program)) {
    outcome.kind = Outcome::Kind::Differs;
    outcome.text = "an arena of " + std::to_string(remark->bytes) +
                   " bytes is planned, but it has " + std::to_string(bytes);
  }
  // I6, I7
  if (!outcome.isFinding() && remark && remark->boundBytes > bytes) {
    outcome.kind = Outcome::Kind::Differs;
    outcome.text = "the bound is " + std::to_string(remark->boundBytes) +
                   " bytes, but the arena has " + std::to_string(bytes);
  }
  return outcome;
}

/// In the least arena, then maybe in one between that and all of it.
Outcome fuzz::runStreams(const Case &program, Random &random) {
  static constexpr int64_t percents[] = {0, 0, 2, 10, 100};
  CompileOptions options = streamOptions(random);
  options.packing.arena = ArenaLimit::least();
  options.packing.recompute = random.pick(llvm::ArrayRef(percents));
  Compiled least = compile(program, options);
  Outcome outcome = runStreamed(program, least);
  std::optional<ArenaRemark> remark = ArenaRemark::find(least.remarks);
  if (outcome.kind != Outcome::Kind::Same || !remark || !remark->hasStreams ||
      random.chance(50))
    return outcome;
  int64_t bytes =
      random.pick(remark->bytes, std::max(remark->bytes, remark->wholeBytes));
  options.packing.arena = ArenaLimit::atMost(bytes);
  Compiled between = compile(program, options);
  outcome = runStreamed(program, between);
  remark = ArenaRemark::find(between.remarks);
  if (!outcome.isFinding() && remark && remark->bytes > bytes) {
    outcome.kind = Outcome::Kind::Differs;
    outcome.text =
        "an arena of " + std::to_string(remark->bytes) + " bytes is planned";
  }
  outcome.where = "arena=" + std::to_string(bytes);
  return outcome;
}

//===----------------------------------------------------------------------===//
// Streams of any shape
//===----------------------------------------------------------------------===//

static StreamShape chooseShape(Random &random) {
  StreamShape shape;
  shape.rows = random.pick(1, 5);
  shape.room = random.pick(1, 4);
  shape.stripes = random.chance(30) ? random.pick(2, 3) : 1;
  shape.isEven = random.chance(30);
  return shape;
}

/// Gives rings of `schedule` more rows.
static void enlargeRings(StreamSchedule &schedule, Random &random) {
  auto &rings = schedule.shape.rings;
  rings.resize(schedule.end - schedule.begin);
  for (size_t vertex = schedule.begin; vertex < schedule.end; ++vertex) {
    const StreamBuffer &buffer = schedule.getBuffer(vertex);
    bool isRing = buffer.isCarried && !buffer.isResult &&
                  buffer.index != StreamBuffer::Index::Row;
    if (isRing && random.chance(50))
      rings[vertex - schedule.begin] = buffer.rows + random.pick(0, 5);
  }
}

/// A stream of kernels from `begin` on, as long as one of the choices makes
/// one; nothing if none does.
static std::optional<StreamPart> chooseStream(const StreamGraph &graph,
                                              size_t begin, Random &random) {
  size_t end = begin, most = begin + random.pick(2, 12);
  while (end < std::min(most, graph.vertices.size()) &&
         graph.vertices[end].obstacle.empty())
    ++end;
  for (; end > begin + 1; --end) {
    std::optional<StreamSchedule> schedule =
        StreamSchedule::make(graph, begin, end, chooseShape(random));
    if (!schedule)
      continue;
    if (random.chance(30)) {
      enlargeRings(*schedule, random);
      if (!StreamSchedule::make(graph, begin, end, schedule->shape))
        schedule->shape.rings.clear();
    }
    StreamPart part;
    part.begin = begin;
    part.end = end;
    part.shape = schedule->shape;
    return part;
  }
  return std::nullopt;
}

/// Streams of `graph` that share no kernels.
static std::vector<StreamPart> chooseStreams(const StreamGraph &graph,
                                             Random &random) {
  std::vector<StreamPart> parts;
  size_t begin = random.chance(70) ? 0 : random.pick(0, 3);
  while (begin + 1 < graph.vertices.size()) {
    std::optional<StreamPart> part = chooseStream(graph, begin, random);
    if (!part) {
      ++begin;
      continue;
    }
    begin = part->end + (random.chance(50) ? 0 : random.pick(1, 3));
    parts.push_back(std::move(*part));
  }
  return parts;
}

/// `part` as a file says it.
static void printStream(llvm::raw_ostream &os, const StreamGraph &graph,
                        const StreamPart &part, func::FuncOp function) {
  auto names = nameKernels(function);
  auto getName = [&](size_t vertex) {
    return names.lookup(graph.vertices[vertex].op);
  };
  const StreamShape &shape = *part.shape;
  os << "{\"kernels\": [";
  for (size_t vertex = part.begin; vertex < part.end; ++vertex)
    os << (vertex == part.begin ? "\"" : ", \"") << getName(vertex) << "\"";
  os << "], \"rows\": " << shape.rows << ", \"room\": " << shape.room
     << ", \"stripes\": " << shape.stripes
     << ", \"even\": " << (shape.isEven ? "true" : "false") << ", \"rings\": {";
  bool isFirst = true;
  for (auto [i, rows] : llvm::enumerate(shape.rings)) {
    if (rows == 0)
      continue;
    os << (isFirst ? "\"" : ", \"") << getName(part.begin + i)
       << "\": " << rows;
    isFirst = false;
  }
  os << "}}";
}

/// Kernels in a row as streams of any shape, said by attributes or by a file.
Outcome fuzz::runRows(const Case &program, Random &random) {
  OwningOpRef<ModuleOp> module = program.clone();
  Errors errors(module->getContext());
  // A second time, as it is when it is compiled: conversions join across
  // batches of one that are gone.
  for (int i = 0; i < 2; ++i) {
    if (failed(raise(*module)))
      return refuse(errors.text, /*mayRefuse=*/true);
    for (auto function : module->getOps<func::FuncOp>())
      tiling::dropUnitBatches(function);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  bool isFile = random.chance(50);
  for (auto function : module->getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    std::optional<StreamGraph> graph =
        StreamGraph::get(function.front(), GraphOptions(), [](Operation *) {});
    if (!graph)
      continue;
    for (const StreamPart &part : chooseStreams(*graph, random)) {
      os << (text.empty() ? "{\"streams\": [" : ", ");
      printStream(os, *graph, part, function);
      if (!isFile)
        writeStreamAttribute(graph->vertices[part.end - 1].op,
                             part.end - part.begin, *part.shape);
    }
  }
  Outcome outcome;
  if (text.empty()) {
    outcome.kind = Outcome::Kind::Refused;
    outcome.text = "no kernels in a row that are a stream";
    return outcome;
  }
  os << "]}";
  CompileOptions options = streamOptions(random);
  options.packing.arena = random.chance(70)
                              ? ArenaLimit::atMost(int64_t{1} << 40)
                              : ArenaLimit::least();
  options.packing.recompute = 100;
  OverridesFile file(text);
  if (isFile)
    options.packing.streams = file.getPath();
  outcome = runStreamed(program, compile(*module, options));
  outcome.where = (isFile ? "file " : "attributes ") + text;
  return outcome;
}
