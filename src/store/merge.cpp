// Takes the records of another file into a database.
#include <unordered_set>

#include "core/error.hpp"
#include "store/database.hpp"

namespace netcl::store {
namespace {

// Of each subject the line that counts, which is the last, and what other versions wrote, once.
std::vector<std::string> lines_in_force(std::string_view text) {
  std::vector<std::string> lines;
  std::unordered_map<std::string, size_t> last;  // its line, plus 1
  for_each_line(text, [&](std::string_view line) {
    Record record;
    const LineKind kind = decode_line(line, &record);
    if (kind == LineKind::damaged) return;
    size_t& place = last[kind == LineKind::record ? subject_of(record) : std::string(line)];
    if (place != 0) lines[place - 1].clear();
    lines.emplace_back(line);
    place = lines.size();
  });
  std::erase_if(lines, [](const std::string& line) { return line.empty(); });
  return lines;
}

}  // namespace

uint64_t Database::merge(const char* path) {
  const Journal other(path);
  if (!other.enabled()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "path is %s, which is no file", quoted(path, 300).c_str());
  }
  Position begin;
  bool restarted = false;
  const std::string text = other.read(&begin, &restarted);
  if (begin.inode == 0) {
    fail(NETCL_ERROR_IO, "cannot read %s: there is no such file", quoted(path, 300).c_str());
  }
  std::vector<std::string> lines = lines_in_force(text);
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unordered_set<std::string> own;
  if (journal_.enabled()) {
    read_tail();
    Position own_begin;
    const std::string all = journal_.read(&own_begin, &restarted);
    for_each_line(all, [&](std::string_view line) { own.emplace(line); });
  }
  uint64_t taken = 0;
  std::erase_if(lines, [&](const std::string& line) {
    Record record;
    if (decode_line(line, &record) != LineKind::record) return own.contains(line);
    const auto known = by_line_.find(line);
    if (known != by_line_.end() && known->second->live) return true;
    const auto last = by_subject_.find(subject_of(record));
    if (last != by_subject_.end()) {
      // What was replaced within its second does not come back.
      const int64_t newest = last->second->record.timestamp;
      if (newest > record.timestamp) return true;
      if (newest == record.timestamp && known != by_line_.end()) return true;
    }
    ++taken;
    return false;
  });
  if (lines.empty()) return 0;
  if (journal_.enabled()) {
    journal_.append(lines);
    read_tail();
  } else {
    for (const std::string& line : lines) take_in(line);
    changed();
  }
  return taken;
}

}  // namespace netcl::store
