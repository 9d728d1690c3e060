// SPDX-License-Identifier: Apache-2.0

#include "Csv.h"
#include "Record.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

#include <cstring>
#include <limits>

using namespace llvm;
using namespace mli::allocation;

namespace mli::plan_tool {

namespace {

struct Position {
  StringRef file;
  unsigned line;
};

using Setter = void (*)(Buffer &buffer, int64_t value);

struct OptionalColumn {
  StringLiteral name;
  /// Whether the column is a mask: all 64 bits count, none is a sign.
  bool isMask;
  Setter set;
};

constexpr OptionalColumn optionalColumns[] = {
#define SETTER(SET) [](Buffer &buffer, int64_t value) { SET; }
#define COLUMN(NAME, SET) {#NAME, false, SETTER(SET)},
#define MASK(NAME, SET) {#NAME, true, SETTER(SET)},
#include "Columns.def"
#undef SETTER
};

/// Reads the rows once the header has determined the columns.
class Reader {
public:
  Reader(StringRef theFile, Table &theTable)
      : at{theFile, 1}, table(theTable), saver(*theTable.kept) {}

  /// `isPlan`: each row has the place of its buffer.
  Error read(StringRef text, bool isPlan);

private:
  Error error(StringRef field, const Twine &condition, StringRef got) const {
    return createStringError(Twine(at.file) + ":" + Twine(at.line) +
                             ": expected '" + field + "' to " + condition +
                             ", but got '" + shown(got) + "'");
  }
  Error split(StringRef record, SmallVectorImpl<StringRef> &values);
  Error header(StringRef line, bool isPlan);
  Error row(StringRef line, bool isPlan);
  Error place(bool isPlan);
  Error optional(const OptionalColumn &column, StringRef field,
                 Buffer &buffer) const;
  Error required(Buffer &buffer);
  Error gaps(StringRef field, Buffer &buffer);
  Error number(StringRef name, StringRef field, int64_t &value) const;
  Error mask(StringRef name, StringRef field, int64_t &value) const;

  Position at;
  Table &table;
  /// Where the columns are; -1 where there is none.
  int idColumn = -1, lowerColumn = -1, upperColumn = -1, sizeColumn = -1;
  int gapColumn = -1;
  /// The optional ones that there are.
  SmallVector<std::pair<const OptionalColumn *, int>> present;
  SmallVector<StringRef> fields;
  StringSaver saver;
};

} // namespace

Error Reader::split(StringRef record, SmallVectorImpl<StringRef> &values) {
  values.clear();
  for (bool isLast = false; !isLast;) {
    StringRef field = takeField(record, isLast);
    std::optional<StringRef> value = getValue(field, saver);
    if (!value)
      return error("field", "end with the quote that it begins with", field);
    values.push_back(*value);
  }
  return Error::success();
}

Error Reader::number(StringRef name, StringRef field, int64_t &value) const {
  if (field.getAsInteger(10, value))
    return error(name, "be an integer of 64 bits", field);
  return Error::success();
}

Error Reader::mask(StringRef name, StringRef field, int64_t &value) const {
  uint64_t bits;
  if (field.getAsInteger(10, bits))
    return error(name, "be an unsigned integer of 64 bits", field);
  value = int64_t(bits);
  return Error::success();
}

// A23
Error Reader::header(StringRef line, bool isPlan) {
  table.header = line;
  StringMap<int> columns;
  SmallVector<StringRef> names;
  if (Error failed = split(line, names))
    return failed;
  for (size_t i = 0; i < names.size(); ++i) {
    std::string name = names[i].lower();
    if (name == "buffer" || name == "buffer_id")
      name = "id";
    if (name == "begin")
      name = "lower";
    if (name == "end")
      name = "upper";
    if (!columns.try_emplace(name, int(i)).second)
      return error("header", "name each column once", names[i]);
  }
  SmallVector<StringRef> wanted = {"id", "lower", "upper", "size"};
  if (isPlan)
    wanted.push_back("offset");
  if (isPlan && table.problem.memory.npus > 1)
    wanted.push_back("start_npu");
  for (StringRef name : wanted)
    if (!columns.contains(name))
      return error("header", "have a column '" + name + "'", line);
  auto column = [&](StringRef name) {
    auto found = columns.find(name);
    return found == columns.end() ? -1 : found->second;
  };
  table.offsetColumn = column("offset");
  table.startColumn = column("start_npu");
  table.hasBanks = columns.contains("avoid_banks");
  idColumn = column("id");
  lowerColumn = column("lower");
  upperColumn = column("upper");
  sizeColumn = column("size");
  gapColumn = column("gaps");
  for (const OptionalColumn &optional : optionalColumns)
    if (columns.contains(optional.name))
      present.emplace_back(&optional, column(optional.name));
  fields.resize(names.size());
  return Error::success();
}

Error Reader::required(Buffer &buffer) {
  StringRef id = fields[idColumn];
  if (id.empty())
    return error("id", "have a name", id);
  if (!json::isUTF8(id))
    return error("id", "be UTF-8", id);
  table.ids.push_back(id);
  if (Error failed = number("lower", fields[lowerColumn], buffer.live.lower))
    return failed;
  if (Error failed = number("upper", fields[upperColumn], buffer.live.upper))
    return failed;
  return number("size", fields[sizeColumn], buffer.size);
}

/// Gaps as `lower-upper`, with spaces between.
Error Reader::gaps(StringRef field, Buffer &buffer) {
  SmallVector<StringRef> parts;
  field.split(parts, ' ', -1, false);
  for (StringRef part : parts) {
    Interval gap;
    auto [lower, upper] = part.split('-');
    if (lower.getAsInteger(10, gap.lower) || upper.getAsInteger(10, gap.upper))
      return error("gaps", "hold ranges 'lower-upper'", part);
    buffer.gaps.push_back(gap);
  }
  return Error::success();
}

Error Reader::optional(const OptionalColumn &column, StringRef field,
                       Buffer &buffer) const {
  int64_t value = 0;
  if (Error failed = column.isMask ? mask(column.name, field, value)
                                   : number(column.name, field, value))
    return failed;
  if (column.name == "alias_set" || column.name == "start_group" ||
      column.name == "npu_span")
    if (value < 0 || value > std::numeric_limits<int32_t>::max())
      return error(column.name, "be an integer of 31 bits", field);
  column.set(buffer, value);
  return Error::success();
}

/// Where the plan has the buffer whose id was read last.
// A25
Error Reader::place(bool isPlan) {
  int64_t offset = 0, start = 0;
  struct {
    StringRef name;
    int column;
    bool needed;
    int64_t *value;
  } const values[] = {{"offset", table.offsetColumn, isPlan, &offset},
                      {"start_npu", table.startColumn,
                       isPlan && table.problem.memory.npus > 1, &start}};
  for (const auto &entry : values) {
    StringRef field = entry.column < 0 ? "" : fields[entry.column];
    if (field.empty() && entry.needed)
      return error(entry.name, "be there for id " + shown(table.ids.back()),
                   field);
    if (field.empty())
      continue;
    if (Error failed = number(entry.name, field, *entry.value))
      return failed;
  }
  table.placements.push_back(
      {offset, start < 0 || start > 63 ? -1 : int32_t(start)});
  return Error::success();
}

Error Reader::row(StringRef line, bool isPlan) {
  size_t width = fields.size();
  if (Error failed = split(line, fields))
    return failed;
  if (fields.size() != width)
    return error("row", "have " + Twine(width) + " fields",
                 Twine(fields.size()).str());
  Buffer buffer;
  if (Error failed = required(buffer))
    return failed;
  buffer.startNpus = ~uint64_t(0);
  for (auto [column, index] : present) {
    StringRef field = fields[index];
    if (field.empty())
      continue;
    if (Error failed = optional(*column, field, buffer))
      return failed;
  }
  if (gapColumn >= 0)
    if (Error failed = gaps(fields[gapColumn], buffer))
      return failed;
  if (Error failed = place(isPlan))
    return failed;
  table.rows.push_back(line);
  table.lines.push_back(at.line);
  table.problem.buffers.push_back(std::move(buffer));
  return Error::success();
}

Error Reader::read(StringRef text, bool isPlan) {
  // Some programs write that it is UTF-8.
  text.consume_front("\xEF\xBB\xBF");
  for (bool headed = false; !text.empty() || !headed;) {
    StringRef record = takeRecord(text);
    bool isRow = !headed || !record.trim().empty();
    if (isRow)
      if (Error failed = headed ? row(record, isPlan) : header(record, isPlan))
        return failed;
    headed = true;
    at.line += 1 + unsigned(record.count('\n'));
  }
  return Error::success();
}

/// Numbers the rows by their ids, so that the order of rows plays no part;
/// rejects an id that stands twice.
static Error setTags(Table &table, StringRef file) {
  // Ids mostly differ in their first bytes: these lie together.
  struct Entry {
    uint64_t first;
    unsigned row;
  };
  std::vector<Entry> order;
  order.reserve(table.ids.size());
  for (StringRef id : table.ids) {
    char first[sizeof(uint64_t)] = {};
    std::memcpy(first, id.data(), std::min(id.size(), sizeof(first)));
    order.push_back({support::endian::read64be(first), unsigned(order.size())});
  }
  llvm::sort(order, [&](const Entry &a, const Entry &b) {
    if (a.first != b.first)
      return a.first < b.first;
    int compared = table.ids[a.row].compare(table.ids[b.row]);
    return compared != 0 ? compared < 0 : a.row < b.row;
  });
  for (size_t i = 0; i < order.size(); ++i) {
    unsigned row = order[i].row;
    if (i > 0 && table.ids[row] == table.ids[order[i - 1].row])
      return createStringError(Twine(file) + ":" + Twine(table.lines[row]) +
                               ": expected 'id' to differ from line " +
                               Twine(table.lines[order[i - 1].row]) +
                               ", but got '" + shown(table.ids[row]) + "'");
    table.problem.buffers[row].tag = int64_t(i);
  }
  return Error::success();
}

std::string shownId(const Table &table, size_t row) {
  return shown(table.ids[row]);
}

Expected<Table> readTable(StringRef text, StringRef file, const Memory &memory,
                          bool isPlan) {
  Table table;
  table.problem.memory = memory;
  if (Error failed = Reader(file, table).read(text, isPlan))
    return failed;
  if (Error failed = setTags(table, file))
    return failed;
  std::optional<ProblemError> wrong = checkProblem(table.problem);
  if (!wrong)
    return table;
  std::string where = file.str();
  if (wrong->buffer >= 0)
    where += ":" + std::to_string(table.lines[wrong->buffer]);
  return createStringError(Twine(where) + ": " + wrong->message);
}

void writeTable(const Table &table, const std::vector<Placement> &placements,
                raw_ostream &os) {
  bool starts = table.startColumn >= 0 || table.problem.memory.npus > 1;
  auto write = [&](StringRef record, const auto &offset, const auto &start) {
    int column = 0;
    for (bool isLast = false; !isLast; ++column) {
      StringRef field = takeField(record, isLast);
      if (column > 0)
        os << ',';
      if (column == table.offsetColumn)
        os << offset;
      else if (column == table.startColumn)
        os << start;
      else
        os << field;
    }
    if (table.offsetColumn < 0)
      os << ',' << offset;
    if (starts && table.startColumn < 0)
      os << ',' << start;
    os << '\n';
  };
  write(table.header, "offset", "start_npu");
  for (size_t i = 0; i < table.rows.size(); ++i)
    write(table.rows[i], placements[i].offset, placements[i].startNpu);
}

} // namespace mli::plan_tool
