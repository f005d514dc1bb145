// A search on recorded times instead of a device, to see what strategies are worth.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/json.hpp"
#include "tune/search.hpp"

namespace netcl::tune {

// The configurations of a space that were tried, with their times.
class Recording {
 public:
  // T4 JSON or a cache file of Kernel Tuner; see netcl_search_replay. Fails with CORRUPT_DATA.
  explicit Recording(std::string_view text);

  netcl_replay_result replay(const netcl_search_options& options) const;

 private:
  void read_results(const Json& results, double unit);
  void read_cache(const Json& document, double unit);
  void leave_out_partial();
  void fill_space();
  void fill_times();

  struct Entry {
    Config config;
    double ns;  // 0: it failed
  };
  std::vector<Entry> entries_;  // as they stand in the text
  Space space_;
  std::vector<Config> configs_;  // each once, written as the space writes it
  std::unordered_map<std::string, double> times_;  // nanoseconds by configuration; 0: it failed
  double optimum_ = 0;
  uint64_t valid_ = 0;
};

}  // namespace netcl::tune
