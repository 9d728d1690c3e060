// SPDX-License-Identifier: Apache-2.0
//
// When the kernels of a stream compute which rows, and where these are kept.

#ifndef MLI_LIB_TRANSFORMS_STREAMS_STREAMSCHEDULE_H
#define MLI_LIB_TRANSFORMS_STREAMS_STREAMSCHEDULE_H

#include "StreamGraph.h"

namespace mli::streams {

/// What is chosen for a stream.
struct StreamShape {
  /// Rows of the last result that a step computes; more where strides ask for
  /// it.
  int64_t rows = 1;
  /// Whether kernels in front of strides compute more rows a call, so that a
  /// call is as much work as one behind them.
  bool isEven = false;
  /// Steps that a ring has room for until its rows are moved up.
  int64_t room = 1;
  /// The stream runs on so many column stripes, one behind the other.
  int64_t stripes = 1;
  /// The rows of the ring of each kernel, 0 for those that `room` gives; empty
  /// if that is so for all.
  llvm::SmallVector<int64_t, 0> rings = {};
  /// Whether rows move between the memories while kernels compute: in for the
  /// next step, and out from the one before.
  bool isBeside = false;
};

/// A loop around kernels of a stream. Loop 0 has the steps.
struct StreamLoop {
  /// The loop around it; itself for loop 0.
  size_t parent = 0;
  unsigned depth = 0;
  /// Iterations in one of its parent, and of all its parents in one step.
  int64_t count = 1, perStep = 1;
  /// The places of its first vertex, and of the one behind the last.
  size_t begin = 0, end = 0;
};

/// The calls of one kernel: in iteration `i` of its loop, counted through all
/// steps, it makes call `i + first` if that is one of `count`. Call `j`
/// computes `rows` rows from `j * rows` on, as many as there are.
struct StreamCalls {
  size_t loop = 0;
  int64_t rows = 1, count = 1, first = 0;
};

/// How the rows of an operand follow from a call: call `j` reads from row `j *
/// step + lower` up to `j * step + upper`, as many as there are.
struct CallRows {
  int64_t step, lower, upper;
};

/// Where the rows of a value that the stream computes are kept.
struct StreamBuffer {
  enum class Index {
    Row,    ///< row r at r
    Base,   ///< row r at r - base, which moves on
    Modulo, ///< row r at r mod rows
  };
  Index index = Index::Row;
  int64_t rows = 0;
  /// Whether it keeps rows from one iteration of `loop` to the next. If it does
  /// not, it exists in one iteration only.
  bool isCarried = true;
  /// Whether it is all of a value that something outside of the stream uses.
  bool isResult = false;
  /// In iteration `i` of `loop` the base is `i * step + base`.
  size_t loop = 0;
  int64_t step = 0, base = 0;
  /// Iterations of `loop` until the rows of a carried buffer are moved up, and
  /// the rows that then stay.
  int64_t room = 1, keep = 0;
  /// The places of vertices, in all steps or in one iteration of `loop`, that
  /// it exists in.
  Interval lifetime;
};

/// What a stream costs besides its bytes. `again` is the part of the work that
/// it does more than once.
struct StreamCosts {
  int64_t calls = 0, shiftedBytes = 0, work = 0, again = 0;
};

/// The columns of the results of all vertices of a stream, from its first
/// vertex on, that are computed together.
using StreamStripe = std::vector<Interval>;

/// The calls [begin, end) of a kernel.
struct CallRun {
  /// The rows of `read` that call `begin` reads.
  Interval getRows(const RowRead &read) const;

  int64_t begin, end;
  /// Rows of the result that each computes, and of that call the first.
  int64_t rows, firstRow;
};

/// The schedule of the vertices [begin, end).
class StreamSchedule {
public:
  /// Nothing if the vertices make no stream; `why` says so then, if it is not
  /// null.
  static std::optional<StreamSchedule> make(const StreamGraph &graph,
                                            size_t begin, size_t end,
                                            const StreamShape &shape,
                                            std::string *why = nullptr);

  /// The same on one stripe, all vertices in their order: no reader in front of
  /// what it reads.
  static std::optional<StreamSchedule> makeInOrder(const StreamGraph &graph,
                                                   size_t begin, size_t end,
                                                   const StreamShape &shape,
                                                   std::string *why = nullptr);
  /// Puts readers that may read early in front, where that takes fewer bytes:
  /// what they read is needed less long.
  void readEarly();

  /// Runs the stream on `count` column stripes. Returns whether that is
  /// possible; if not, it has those that it had.
  bool cut(int64_t count);

  const StreamCalls &getCalls(size_t vertex) const {
    return calls[vertex - begin];
  }
  const StreamBuffer &getBuffer(size_t vertex) const {
    return buffers[vertex - begin];
  }
  /// How the rows of `read` follow from the calls of `vertex`.
  CallRows getCallRows(size_t vertex, const RowRead &read) const;
  /// The calls of `vertex` as runs of equal shapes and padding, ascending: each
  /// run is one operation.
  llvm::SmallVector<CallRun> getCallRuns(size_t vertex) const;
  /// The first of `vertices`, which follow each other in the order, and those
  /// behind it that run in the same iterations and may do so without rows that
  /// move up in between.
  llvm::ArrayRef<size_t> takeAlike(llvm::ArrayRef<size_t> vertices) const;
  /// The first item of `loop` in `vertices`, which follow each other: an inner
  /// loop, or kernels of it that are alike.
  llvm::ArrayRef<size_t> takeItem(llvm::ArrayRef<size_t> vertices,
                                  size_t loop) const;
  /// Whether the buffer of `vertex` exists where `vertices`, which are alike,
  /// run, and nowhere else.
  bool isLocal(size_t vertex, llvm::ArrayRef<size_t> vertices) const;
  /// Calls `visit` with each vertex of the stream that reads rows of what
  /// `vertex` computes, and which ones.
  template <typename Visitor>
  void forEachReader(size_t vertex, Visitor visit) const {
    size_t value = graph->vertices[vertex].results[0];
    for (size_t user : graph->values[value].users)
      if (isInside(user))
        for (const RowRead &read : graph->vertices[user].rowReads)
          if (read.value == value)
            visit(user, getCallRows(user, read));
  }
  /// The vertex at each place: the order in one iteration. A reader in front of
  /// what it reads reads rows of earlier iterations.
  llvm::ArrayRef<size_t> getOrder() const { return order; }
  bool isInFront(size_t vertex, size_t other) const {
    return places[vertex - begin] < places[other - begin];
  }
  /// The innermost loop around both.
  size_t findCommonLoop(size_t a, size_t b) const;
  bool isInside(size_t vertex) const { return vertex >= begin && vertex < end; }
  /// Whether `vertex` moves rows between the memories while kernels compute: of
  /// the stream, and on its other side.
  bool isBeside(size_t vertex) const;
  /// Whether the vertices compute `value`.
  bool computes(const StreamValue &value) const {
    return value.producer && isInside(*value.producer);
  }
  StreamCosts getCosts() const;
  /// The bytes of a row of what `vertex` computes in `stripe`.
  int64_t getRowBytes(size_t vertex, const StreamStripe &stripe) const;
  /// The bytes of the buffer of `vertex` in `stripe`; of a result, of all of it
  /// that is in the arena.
  int64_t getBytes(size_t vertex, const StreamStripe &stripe) const;
  /// Whether each call of `vertex` computes all of its buffer.
  bool isFilled(size_t vertex) const;
  /// Whether `vertex` is called once, for all of its result.
  bool isWhole(size_t vertex) const {
    return getCalls(vertex).count == 1 && stripes.size() == 1;
  }
  /// The places of a stripe at which what `vertex` uses is there: those of all
  /// steps, or, of a single one, its own or those of the loop that it is in.
  Interval getSpan(size_t vertex) const;
  /// The bytes that its buffers in `stripe` take while each vertex runs, each a
  /// multiple of `alignment`.
  std::vector<int64_t> getLiveBytes(const StreamStripe &stripe,
                                    int64_t alignment) const;
  /// What `getPeak(1)` is at least, whatever reads early: the rows of one call,
  /// and the rings of what is read again.
  int64_t getLeastPeak() const;
  /// The most bytes of the arena that its buffers take at one time, each a
  /// multiple of `alignment`.
  int64_t getPeak(int64_t alignment) const;

  const StreamGraph *graph;
  size_t begin, end;
  StreamShape shape;
  int64_t steps = 1;
  std::vector<StreamLoop> loops;
  std::vector<StreamStripe> stripes;

private:
  StreamSchedule(const StreamGraph &graph, size_t begin, size_t end,
                 StreamShape shape);

  bool findRates(std::string *why);
  bool chooseRows();
  bool arrange(std::string *why = nullptr);
  void makeLoops();
  bool mayReadEarly(size_t vertex) const;
  void moveBeside();
  int64_t rowsBetween(size_t producer, size_t reader) const;
  bool findFirstCalls();
  bool delay(bool isBackward);
  void countSteps();
  bool placeBuffers(std::string *why);
  void placeBuffer(size_t vertex);
  bool resizeRing(size_t vertex, int64_t rows, std::string *why);
  int64_t rowsOfIteration(size_t vertex, size_t loop) const;
  int64_t getLeastBytes(size_t vertex, const StreamStripe &stripe) const;
  bool isKept(size_t vertex) const;
  Interval getItem(size_t vertex, size_t loop) const;
  Interval getLifetime(size_t vertex, size_t loop) const;
  std::optional<StreamStripe> makeStripe(int64_t number, int64_t count) const;
  bool isInPlace(size_t vertex, llvm::ArrayRef<int64_t> sizes) const;
  int64_t getPeak(const StreamStripe &stripe, int64_t alignment) const;
  int64_t getShiftedBytes(size_t vertex, int64_t rowBytes) const;

  std::vector<size_t> order, places;
  std::vector<StreamCalls> calls;
  std::vector<StreamBuffer> buffers;
  /// Rows of each vertex in one step, and the classes of equal ones: ascending.
  std::vector<int64_t> rowsOfStep;
  /// Only while the first calls are being found.
  std::vector<bool> isKnown;
};

} // namespace mli::streams

#endif // MLI_LIB_TRANSFORMS_STREAMS_STREAMSCHEDULE_H
