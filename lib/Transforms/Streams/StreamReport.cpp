// SPDX-License-Identifier: Apache-2.0

#include "FormStreams.h"

#include "Transforms/TileSelection/TileText.h"

#include "mli/IR/LayerName.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::bytesText;

int64_t mli::streams::getTotalWork(const StreamGraph &graph) {
  int64_t work = 0;
  for (const StreamVertex &vertex : graph.vertices)
    work += vertex.work;
  return work;
}

/// The part that needs the most bytes.
static const StreamPart &findBinding(const StreamPlan &plan) {
  return *llvm::max_element(plan.parts,
                            [](const StreamPart &a, const StreamPart &b) {
                              return a.bytes < b.bytes;
                            });
}

InFlightDiagnostic mli::streams::rejectArena(Operation *function,
                                             const StreamGraph &graph,
                                             const StreamPlan &smallest,
                                             int64_t least, int64_t bytes,
                                             int64_t recompute) {
  const StreamPart &binding = findBinding(smallest);
  InFlightDiagnostic error =
      function->emitError("expected 'arena' to be at ")
      << "least " << bytesText(least) << ", the least with " << recompute
      << " % of the products computed again, but got " << bytesText(bytes);
  Diagnostic &note =
      error.attachNote(graph.vertices[binding.end - 1].op->getLoc());
  if (binding.shape)
    note << "the stream of " << binding.end - binding.begin
         << " kernels that ends here needs that much";
  else
    note << "this kernel needs that much with all that is live";
  return error;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

namespace {

/// Makes the records of one function.
class Recorder {
public:
  Recorder(FunctionOpInterface function, const StreamGraph &graph)
      : graph(graph), names(nameKernels(function)) {}

  StreamRecord record(const StreamPart &part,
                      const StreamSchedule &schedule) const;

private:
  /// The name of `vertex` in files, or of its operation.
  std::string getName(size_t vertex) const {
    const auto *found = names.find(graph.vertices[vertex].op);
    return found == names.end()
               ? graph.vertices[vertex].op->getName().getStringRef().str()
               : found->second;
  }
  std::string explainNeighbour(const StreamPart &part, size_t vertex) const;

  const StreamGraph &graph;
  llvm::MapVector<Operation *, std::string> names;
};

} // namespace

RowBufferRecord
mli::streams::recordBuffer(const StreamSchedule &schedule, size_t vertex,
                           llvm::function_ref<std::string(size_t)> getName) {
  const StreamGraph &graph = *schedule.graph;
  const StreamValue &value = graph.values[graph.vertices[vertex].results[0]];
  const StreamBuffer &buffer = schedule.getBuffer(vertex);
  RowBufferRecord record;
  record.kernel = getName(vertex);
  record.kind = buffer.isResult ? "whole" : buffer.isCarried ? "ring" : "step";
  record.rows = buffer.rows;
  record.allRows = value.map->rows;
  for (const StreamStripe &stripe : schedule.stripes)
    record.bytes = std::max(record.bytes, schedule.getBytes(vertex, stripe));
  if (buffer.isCarried && buffer.keep > 0) {
    record.keep = buffer.keep;
    record.room = buffer.room;
  }
  for (size_t user : value.users)
    record.readers.push_back(getName(user));
  return record;
}

/// Why `vertex`, a neighbour of `part`, is no part of it.
std::string Recorder::explainNeighbour(const StreamPart &part,
                                       size_t vertex) const {
  std::string why = graph.vertices[vertex].obstacle;
  if (why.empty() &&
      StreamSchedule::make(graph, std::min(vertex, part.begin),
                           std::max(vertex + 1, part.end), StreamShape(), &why))
    why = "it would cost more than it saves";
  return getName(vertex) + ": " + why;
}

StreamRecord Recorder::record(const StreamPart &part,
                              const StreamSchedule &schedule) const {
  StreamRecord record;
  record.steps = schedule.steps;
  record.rows = schedule.getCalls(part.end - 1).rows;
  record.stripes = part.shape->stripes;
  record.bytes = part.bytes;
  StreamCosts costs = schedule.getCosts();
  record.calls = costs.calls;
  record.shiftedBytes = costs.shiftedBytes;
  record.again = costs.again;
  for (size_t vertex = part.begin; vertex < part.end; ++vertex) {
    record.kernels.push_back(getName(vertex));
    record.layers.push_back(describeLayer(graph.vertices[vertex].op));
    record.buffers.push_back(recordBuffer(
        schedule, vertex, [&](size_t vertex) { return getName(vertex); }));
  }
  if (part.begin > 0)
    record.before = explainNeighbour(part, part.begin - 1);
  if (part.end < graph.vertices.size())
    record.after = explainNeighbour(part, part.end);
  return record;
}

ArenaRecord mli::streams::makeRecord(FunctionOpInterface function,
                                     const StreamGraph &graph,
                                     const StreamPlan &plan,
                                     ArrayRef<StreamSchedule> schedules) {
  ArenaRecord record;
  record.bytes = planArena(graph, schedules);
  record.wholeBytes = planArena(graph, {});
  Recorder recorder(function, graph);
  for (const StreamPart &part : plan.parts)
    if (part.shape) {
      record.streams.push_back(recorder.record(part, schedules.front()));
      schedules = schedules.drop_front();
    }
  return record;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void report(const StreamRecord &record, const StreamPart &part,
                   const StreamGraph &graph) {
  InFlightDiagnostic remark =
      emitRemark(graph.vertices[part.end - 1].op->getLoc());
  remark << record.getText();
  auto note = [&](size_t vertex) -> Diagnostic & {
    return remark.attachNote(graph.vertices[vertex].op->getLoc());
  };
  for (auto [i, buffer] : llvm::enumerate(record.buffers))
    note(part.begin + i) << buffer.kernel << ": " << buffer.getText();
  if (!record.before.empty())
    note(part.begin - 1) << "not part of it, " << record.before;
  if (!record.after.empty())
    note(part.end) << "not part of it, " << record.after;
}

void mli::streams::reportStreams(FunctionOpInterface function,
                                 const StreamGraph &graph,
                                 const StreamPlan &plan,
                                 const ArenaRecord &record) {
  emitRemark(function->getLoc()) << record.getText();
  auto stream = record.streams.begin();
  for (const StreamPart &part : plan.parts) {
    const StreamVertex &vertex = graph.vertices[part.begin];
    if (part.shape)
      report(*stream++, part, graph);
    else if (!vertex.obstacle.empty())
      emitRemark(vertex.op->getLoc()) << "not streamed: " << vertex.obstacle;
  }
}
