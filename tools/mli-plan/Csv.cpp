// SPDX-License-Identifier: Apache-2.0

#include "Csv.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

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
  Setter set;
};

constexpr OptionalColumn optionalColumns[] = {
#define COLUMN(NAME, SET) {#NAME, [](Buffer &buffer, int64_t value) { SET; }},
#include "Columns.def"
};

/// Where the columns are, and where the text stands.
class Reader {
public:
  Reader(StringRef theFile, Table &theTable)
      : at{theFile, 0}, table(theTable) {}

  Error read(StringRef text, bool needOffset);

private:
  Error error(StringRef field, const Twine &condition, StringRef got) const {
    return createStringError(Twine(at.file) + ":" + Twine(at.line) +
                             ": expected '" + field + "' to " + condition +
                             ", but got '" + got + "'");
  }
  Error header(StringRef line, bool needOffset);
  Error row(StringRef line);
  Error required(ArrayRef<StringRef> fields, Buffer &buffer);
  Error gaps(StringRef field, Buffer &buffer);
  Error number(StringRef name, StringRef field, int64_t &value) const;

  Position at;
  Table &table;
  StringMap<int> columns;
  size_t width = 0;
};

} // namespace

static SmallVector<StringRef> split(StringRef line) {
  SmallVector<StringRef> fields;
  line.split(fields, ',');
  for (StringRef &field : fields)
    field = field.trim();
  return fields;
}

Error Reader::number(StringRef name, StringRef field, int64_t &value) const {
  if (field.getAsInteger(10, value))
    return error(name, "be an integer of 64 bits", field);
  return Error::success();
}

// A23
Error Reader::header(StringRef line, bool needOffset) {
  table.header = line;
  SmallVector<StringRef> names = split(line);
  width = names.size();
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
  if (needOffset)
    wanted.push_back("offset");
  for (StringRef name : wanted)
    if (!columns.contains(name))
      return error("header", "have a column '" + name + "'", line);
  auto column = [&](StringRef name) {
    auto found = columns.find(name);
    return found == columns.end() ? -1 : found->second;
  };
  table.offsetColumn = column("offset");
  table.startColumn = column("start_npu");
  return Error::success();
}

Error Reader::required(ArrayRef<StringRef> fields, Buffer &buffer) {
  StringRef id = fields[columns["id"]];
  if (id.empty())
    return error("id", "have a name", id);
  table.ids.push_back(id);
  struct {
    const char *name;
    int64_t *value;
  } const values[] = {{"lower", &buffer.live.lower},
                      {"upper", &buffer.live.upper},
                      {"size", &buffer.size}};
  for (const auto &entry : values)
    if (Error failed =
            number(entry.name, fields[columns[entry.name]], *entry.value))
      return failed;
  return Error::success();
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

Error Reader::row(StringRef line) {
  SmallVector<StringRef> fields = split(line);
  if (fields.size() != width)
    return error("row", "have " + Twine(width) + " fields",
                 Twine(fields.size()).str());
  Buffer buffer;
  if (Error failed = required(fields, buffer))
    return failed;
  buffer.startNpus = ~uint64_t(0);
  for (const OptionalColumn &column : optionalColumns) {
    auto found = columns.find(column.name);
    if (found == columns.end() || fields[found->second].empty())
      continue;
    int64_t value = 0;
    if (Error failed = number(column.name, fields[found->second], value))
      return failed;
    if (column.name.starts_with("alias_set") ||
        column.name.starts_with("start_group") || column.name == "npu_span")
      if (value < 0 || value > std::numeric_limits<int32_t>::max())
        return error(column.name, "be an integer of 31 bits",
                     fields[found->second]);
    column.set(buffer, value);
  }
  auto gapColumn = columns.find("gaps");
  if (gapColumn != columns.end())
    if (Error failed = gaps(fields[gapColumn->second], buffer))
      return failed;
  Placement place;
  if (table.offsetColumn >= 0 && !fields[table.offsetColumn].empty())
    if (Error failed =
            number("offset", fields[table.offsetColumn], place.offset))
      return failed;
  int64_t start = 0;
  if (table.startColumn >= 0 && !fields[table.startColumn].empty())
    if (Error failed = number("start_npu", fields[table.startColumn], start))
      return failed;
  place.startNpu = start < 0 || start > 63 ? -1 : int32_t(start);
  table.rows.push_back(line);
  table.lines.push_back(at.line);
  table.problem.buffers.push_back(std::move(buffer));
  table.placements.push_back(place);
  return Error::success();
}

Error Reader::read(StringRef text, bool needOffset) {
  for (bool headed = false; !text.empty() || !headed;) {
    auto [line, rest] = text.split('\n');
    ++at.line;
    text = rest;
    line = line.rtrim('\r');
    if (headed && line.trim().empty())
      continue;
    if (Error failed = headed ? row(line) : header(line, needOffset))
      return failed;
    headed = true;
  }
  return Error::success();
}

/// Numbers the rows by their ids, so that the order of rows plays no part;
/// refuses an id that stands twice.
static Error setTags(Table &table, StringRef file) {
  std::vector<unsigned> order(table.ids.size());
  for (unsigned i = 0; i < order.size(); ++i)
    order[i] = i;
  auto key = [&](unsigned i) { return std::make_pair(table.ids[i], i); };
  llvm::sort(order, [&](unsigned a, unsigned b) { return key(a) < key(b); });
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && table.ids[order[i]] == table.ids[order[i - 1]])
      return createStringError(Twine(file) + ":" +
                               Twine(table.lines[order[i]]) +
                               ": expected 'id' to differ from line " +
                               Twine(table.lines[order[i - 1]]) +
                               ", but got '" + table.ids[order[i]] + "'");
    table.problem.buffers[order[i]].tag = int64_t(i);
  }
  return Error::success();
}

Expected<Table> readTable(StringRef text, StringRef file, const Memory &memory,
                          bool needOffset) {
  Table table;
  table.problem.memory = memory;
  if (Error failed = Reader(file, table).read(text, needOffset))
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
  auto write = [&](StringRef line, const Twine &offset, const Twine &start) {
    SmallVector<StringRef> fields;
    line.split(fields, ',');
    for (int i = 0; i < int(fields.size()); ++i) {
      os << (i == 0 ? "" : ",");
      if (i == table.offsetColumn)
        os << offset;
      else if (i == table.startColumn)
        os << start;
      else
        os << fields[i];
    }
    if (table.offsetColumn < 0)
      os << ',' << offset;
    if (starts && table.startColumn < 0)
      os << ',' << start;
    os << '\n';
  };
  write(table.header, "offset", "start_npu");
  for (size_t i = 0; i < table.rows.size(); ++i)
    write(table.rows[i], Twine(placements[i].offset),
          Twine(placements[i].startNpu));
}

} // namespace mli::plan_tool
