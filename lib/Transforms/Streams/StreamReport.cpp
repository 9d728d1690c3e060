// SPDX-License-Identifier: Apache-2.0

#include "StreamReport.h"

#include "StreamAttributes.h"

#include "Transforms/TileSelection/TileText.h"

using namespace mlir;
using namespace mli;
using namespace mli::streams;
using mli::tiling::bytesText;
using mli::tiling::numberText;

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
  InFlightDiagnostic error = function->emitError("expected 'arena' to be at ")
                             << "least " << bytesText(least)
                             << ", the least with " << recompute
                             << " % of the products computed again, but got "
                             << bytesText(bytes);
  Diagnostic &note = error.attachNote(
      graph.vertices[binding.end - 1].op->getLoc());
  if (binding.shape)
    note << "the stream of " << binding.end - binding.begin
         << " kernels that ends here needs that much";
  else
    note << "this kernel needs that much with all that is live";
  return error;
}

namespace {

/// Reports the streams of one function.
class StreamReporter {
public:
  StreamReporter(FunctionOpInterface function, const StreamGraph &graph)
      : graph(graph), names(nameKernels(function)) {}

  void reportStream(const StreamPart &part) const;

private:
  /// The name of `vertex` in files, or of its operation.
  std::string getName(size_t vertex) const {
    auto found = names.find(graph.vertices[vertex].op);
    return found == names.end()
               ? graph.vertices[vertex].op->getName().getStringRef().str()
               : found->second;
  }
  void describeBuffer(InFlightDiagnostic &remark,
                      const StreamSchedule &schedule, size_t vertex) const;
  std::string explainNeighbour(const StreamPart &part, size_t vertex) const;

  const StreamGraph &graph;
  llvm::MapVector<Operation *, std::string> names;
};

} // namespace

/// The rows and bytes that `schedule` keeps of what `vertex` computes, and for
/// whom.
void StreamReporter::describeBuffer(InFlightDiagnostic &remark,
                                    const StreamSchedule &schedule,
                                    size_t vertex) const {
  const StreamValue &value = graph.values[graph.vertices[vertex].results[0]];
  const StreamBuffer &buffer = schedule.getBuffer(vertex);
  Diagnostic &note = remark.attachNote(graph.vertices[vertex].op->getLoc());
  note << getName(vertex) << ": ";
  if (buffer.isResult) {
    note << "all " << numberText(value.map->rows)
         << " rows are kept for what is behind the stream";
    return;
  }
  int64_t bytes = 0;
  for (const StreamStripe &stripe : schedule.stripes)
    bytes = std::max(bytes, schedule.getBytes(vertex, stripe));
  note << numberText(buffer.rows) << " of " << numberText(value.map->rows)
       << " rows are kept" << (buffer.isCarried ? "" : " within a step") << ", "
       << bytesText(bytes) << ", for ";
  llvm::interleaveComma(value.users, note,
                        [&](size_t user) { note << getName(user); });
  if (buffer.isCarried && buffer.keep > 0) {
    note << "; " << numberText(buffer.keep) << " of them move up each ";
    if (buffer.room > 1)
      note << buffer.room << " times";
    else
      note << "time";
  }
}

/// Why `vertex`, a neighbour of `part`, is no part of it.
std::string StreamReporter::explainNeighbour(const StreamPart &part,
                                             size_t vertex) const {
  if (!graph.vertices[vertex].obstacle.empty())
    return graph.vertices[vertex].obstacle;
  std::string why;
  if (StreamSchedule::make(graph, std::min(vertex, part.begin),
                           std::max(vertex + 1, part.end), StreamShape(), &why))
    return "it would cost more than it saves";
  return why;
}

void StreamReporter::reportStream(const StreamPart &part) const {
  std::optional<StreamSchedule> schedule =
      StreamSchedule::make(graph, part.begin, part.end, *part.shape);
  StreamCosts costs = schedule->getCosts();
  InFlightDiagnostic remark =
      emitRemark(graph.vertices[part.end - 1].op->getLoc());
  remark << "stream of " << part.end - part.begin << " kernels, "
         << getName(part.begin) << " to " << getName(part.end - 1) << ": "
         << numberText(schedule->steps) << " steps of "
         << numberText(schedule->getCalls(part.end - 1).rows) << " rows, ";
  if (part.shape->stripes > 1)
    remark << part.shape->stripes << " column stripes, ";
  remark << bytesText(part.bytes) << " with all that is live; "
         << numberText(costs.calls) << " calls, "
         << bytesText(costs.shiftedBytes) << " moved up, "
         << numberText(costs.again) << " products again";
  for (size_t vertex = part.begin; vertex < part.end; ++vertex)
    describeBuffer(remark, *schedule, vertex);
  for (size_t vertex : {part.begin - 1, part.end})
    if (vertex < graph.vertices.size())
      remark.attachNote(graph.vertices[vertex].op->getLoc())
          << getName(vertex) << " is no part of it: "
          << explainNeighbour(part, vertex);
}

void mli::streams::reportStreams(FunctionOpInterface function,
                                 const StreamGraph &graph,
                                 const StreamPlan &plan, int64_t bytes,
                                 int64_t whole) {
  emitRemark(function->getLoc()) << "arena: " << bytesText(bytes)
                                 << "; whole kernels " << bytesText(whole);
  StreamReporter reporter(function, graph);
  for (const StreamPart &part : plan.parts) {
    const StreamVertex &vertex = graph.vertices[part.begin];
    if (part.shape)
      reporter.reportStream(part);
    else if (!vertex.obstacle.empty())
      emitRemark(vertex.op->getLoc()) << "not streamed: " << vertex.obstacle;
  }
}
