#include "graph/compile/fit.hpp"

#include <algorithm>
#include <limits>

namespace netcl::graph {

namespace {

// A search places one value after the other for so long. A placement takes as many looks as there
// are values and moments.
constexpr size_t kLooks = size_t{1} << 18;
// More of them take too long to place even once.
constexpr size_t kValuesMost = 1024;

// Which of the values that may lie lowest comes first. None is best for all graphs.
enum class Rule { area, length, fullness, bytes, shortness, fullness_bytes };
constexpr Rule kRules[] = {Rule::area,  Rule::length,    Rule::fullness,
                           Rule::bytes, Rule::shortness, Rule::fullness_bytes};

// Wherever values lie, they can be placed from the lowest to the highest, each directly on top of
// what lies below it at the moments that it is needed. So all that there is to decide is who comes
// next: a value that begins below where each other one would end.
class Search {
 public:
  Search(const std::vector<Lifetime>& values, uint64_t alignment, uint64_t bytes) : bytes_(bytes) {
    for (const Lifetime& value : values) moments_.push_back(value.first);
    std::sort(moments_.begin(), moments_.end());
    moments_.erase(std::unique(moments_.begin(), moments_.end()), moments_.end());
    for (const Lifetime& value : values) {
      const auto at = [&](auto bound) { return static_cast<size_t>(bound - moments_.begin()); };
      values_.push_back({aligned(value.bytes, alignment),
                         at(std::lower_bound(moments_.begin(), moments_.end(), value.first)),
                         at(std::upper_bound(moments_.begin(), moments_.end(), value.last)), 0,
                         false});
    }
  }

  bool run(Rule rule) {
    start(rule);
    const size_t looks = values_.size() + moments_.size();
    size_t left = std::max(kLooks / looks, 4 * values_.size());
    std::vector<Level> levels;
    levels.push_back(next_level(0));
    while (!levels.empty()) {
      Level& level = levels.back();
      if (level.next != 0) take_back(level);
      if (level.next == level.choices.size()) {
        levels.pop_back();
        continue;
      }
      if (left-- == 0) return false;
      place(&level);
      if (levels.size() == values_.size()) return true;
      levels.push_back(next_level(level.choices[level.next - 1].offset));
    }
    return false;
  }
  uint64_t offset(size_t index) const { return values_[index].offset; }

 private:
  struct Value {
    uint64_t bytes;
    size_t first, end;  // moments
    uint64_t offset;
    bool placed;
  };
  struct Choice {
    uint64_t offset;
    size_t value;
  };
  // The values that may come next, of which those before `next` were tried.
  struct Level {
    std::vector<Choice> choices;
    size_t next = 0;
    std::vector<uint64_t> tops;  // before the last one was placed
  };

  void start(Rule rule) {
    tops_.assign(moments_.size(), 0);
    missing_.assign(moments_.size(), 0);
    for (Value& value : values_) {
      value.placed = false;
      for (size_t m = value.first; m < value.end; ++m) missing_[m] += value.bytes;
    }
    ranks_.clear();
    for (const Value& value : values_) {
      const auto length = static_cast<double>(value.end - value.first);
      const auto bytes = static_cast<double>(value.bytes);
      const auto full = static_cast<double>(
          *std::max_element(begin_of(missing_, value.first), begin_of(missing_, value.end)));
      ranks_.push_back(rule == Rule::area        ? std::pair(length * bytes, 0.0)
                       : rule == Rule::length    ? std::pair(length, 0.0)
                       : rule == Rule::fullness  ? std::pair(full, length)
                       : rule == Rule::bytes     ? std::pair(bytes, 0.0)
                       : rule == Rule::shortness ? std::pair(-length, 0.0)
                                                 : std::pair(full, bytes));
    }
  }

  static std::vector<uint64_t>::iterator begin_of(std::vector<uint64_t>& list, size_t at) {
    return list.begin() + static_cast<ptrdiff_t>(at);
  }

  // What may come next where nothing begins below `lowest` any more; no choices where what is
  // missing has no room.
  Level next_level(uint64_t lowest) {
    Level level;
    uint64_t end = std::numeric_limits<uint64_t>::max();
    begins_.assign(moments_.size(), end);
    for (size_t i = 0; i < values_.size(); ++i) {
      const Value& value = values_[i];
      if (value.placed) continue;
      const uint64_t offset =
          *std::max_element(begin_of(tops_, value.first), begin_of(tops_, value.end));
      // It would have had to come before.
      if (offset < lowest) return {};
      for (size_t m = value.first; m < value.end; ++m) begins_[m] = std::min(begins_[m], offset);
      end = std::min(end, offset + value.bytes);
      level.choices.push_back({offset, i});
    }
    for (size_t m = 0; m < moments_.size(); ++m) {
      if (missing_[m] != 0 && begins_[m] + missing_[m] > bytes_) return {};
    }
    std::erase_if(level.choices, [&](const Choice& choice) { return choice.offset >= end; });
    std::sort(level.choices.begin(), level.choices.end(), [&](const Choice& a, const Choice& b) {
      return a.offset != b.offset ? a.offset < b.offset : ranks_[a.value] > ranks_[b.value];
    });
    return level;
  }

  void place(Level* level) {
    const Choice& choice = level->choices[level->next++];
    Value& value = values_[choice.value];
    level->tops.assign(begin_of(tops_, value.first), begin_of(tops_, value.end));
    value.placed = true;
    value.offset = choice.offset;
    for (size_t m = value.first; m < value.end; ++m) {
      tops_[m] = choice.offset + value.bytes;
      missing_[m] -= value.bytes;
    }
  }
  void take_back(const Level& level) {
    Value& value = values_[level.choices[level.next - 1].value];
    value.placed = false;
    std::copy(level.tops.begin(), level.tops.end(), begin_of(tops_, value.first));
    for (size_t m = value.first; m < value.end; ++m) missing_[m] += value.bytes;
  }

  const uint64_t bytes_;
  std::vector<size_t> moments_;  // steps in which a value begins: memory is fullest in one of these
  std::vector<Value> values_;
  std::vector<std::pair<double, double>> ranks_;
  std::vector<uint64_t> tops_;     // of each moment, where the next value may begin
  std::vector<uint64_t> missing_;  // bytes of the values that are not placed yet
  std::vector<uint64_t> begins_;   // the lowest place of these
};

}  // namespace

bool fit_values(std::vector<Lifetime>* values, uint64_t alignment, uint64_t bytes) {
  if (values->empty() || values->size() > kValuesMost) return false;
  Search search(*values, alignment, bytes);
  for (const Rule rule : kRules) {
    if (!search.run(rule)) continue;
    for (size_t i = 0; i < values->size(); ++i) {
      (*values)[i].block = 0;
      (*values)[i].offset = search.offset(i);
    }
    return true;
  }
  return false;
}

}  // namespace netcl::graph
