// SPDX-License-Identifier: Apache-2.0
#include "tune_replay.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "owned.hpp"
#include "options.hpp"
#include "text.hpp"
#include "tuned_data.hpp"

namespace netcl::tool {
namespace {

constexpr const char* kNames[] = {"auto", "exhaustive", "random", "local", "annealing", "genetic"};
constexpr uint64_t kEvaluations = 200;

/// One strategy with all seeds.
struct Replay {
  netcl_search_strategy strategy = 0;
  netcl_replay_result last = NETCL_REPLAY_RESULT_INIT;
  std::vector<double> ratios;  ///< of what was found to the optimum; ascending
  std::vector<double> evaluations;
  uint64_t stops[NETCL_STOP_CANCELLED + 1] = {};
  uint64_t nothing = 0;  ///< searches that found nothing valid
};

double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<size_t>(at);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

Replay replay(const std::string& path, const std::string& text, netcl_search_options search,
              uint64_t seeds) {
  Replay out;
  out.strategy = search.strategy;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ++search.seed;
    check(netcl_search_replay(text.data(), text.size(), &search, &out.last), path.c_str());
    ++out.stops[out.last.stop];
    out.evaluations.push_back(static_cast<double>(out.last.evaluations));
    if (out.last.best > 0) {
      out.ratios.push_back(out.last.best / out.last.optimum);
    } else {
      ++out.nothing;
    }
  }
  std::sort(out.ratios.begin(), out.ratios.end());
  std::sort(out.evaluations.begin(), out.evaluations.end());
  return out;
}

std::string stops_text(const Replay& one) {
  std::string text;
  for (size_t i = 0; i < std::size(one.stops); ++i) {
    if (one.stops[i] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(one.stops[i]) + " " +
            stop_text(static_cast<netcl_stop_reason>(i));
  }
  return text;
}

void write(Json& json, const Replay& one) {
  json.begin_object();
  json.text("strategy", kNames[one.strategy]);
  json.text("used", kNames[one.last.strategy]);
  json.real("median", quantile(one.ratios, 0.5));
  json.real("best", quantile(one.ratios, 0));
  json.real("worst", quantile(one.ratios, 1));
  json.real("evaluations", quantile(one.evaluations, 0.5));
  json.integer("nothing_valid", one.nothing);
  json.text("stops", stops_text(one));
  json.end_object();
}

}  // namespace

int replay_recording(const Options& options, netcl_search_options search) {
  options.refuse_words("with --replay");
  options.refuse_others("with --replay", {"--replay", "--seeds", "--seed", "--strategy", "--budget",
                                          "--evaluations", "--samples", "--json", "--quiet"});
  const std::string path = options.text("--replay");
  const std::string text = read_file(path);
  const uint64_t seeds = options.whole("--seeds", 20, 1, 10000);
  if (search.evaluations == 0) search.evaluations = kEvaluations;
  std::vector<Replay> all;
  for (netcl_search_strategy strategy = NETCL_SEARCH_AUTO; strategy <= NETCL_SEARCH_GENETIC;
       ++strategy) {
    const bool wanted = options.has("--strategy") ? strategy == search.strategy
                                                  : strategy != NETCL_SEARCH_EXHAUSTIVE;
    if (!wanted) continue;
    netcl_search_options one = search;
    one.strategy = strategy;
    all.push_back(replay(path, text, one, seeds));
  }
  const netcl_replay_result& facts = all.front().last;
  if (options.has("--json")) {
    Json json;
    json.begin_object();
    json.integer("configurations", facts.recorded);
    json.integer("valid", facts.valid);
    json.real("optimum_ns", facts.optimum);
    json.integer("evaluations", search.evaluations);
    json.integer("seeds", seeds);
    json.begin_array("strategies");
    for (const Replay& one : all) write(json, one);
    json.end_array();
    json.end_object();
    return kExitSuccess;
  }
  print("%llu configurations, %llu with a time, the best %s; %llu evaluations, %llu seeds\n\n",
        static_cast<unsigned long long>(facts.recorded),
        static_cast<unsigned long long>(facts.valid), time_text(facts.optimum).c_str(),
        static_cast<unsigned long long>(search.evaluations),
        static_cast<unsigned long long>(seeds));
  print("%-12s %10s %8s %8s %8s  %s\n", "found / best", "median", "best", "worst", "tried",
        "stopped");
  for (const Replay& one : all) {
    print("%-12s %10.3f %8.3f %8.3f %8.0f  %s\n", kNames[one.strategy],
          quantile(one.ratios, 0.5), quantile(one.ratios, 0), quantile(one.ratios, 1),
          quantile(one.evaluations, 0.5), stops_text(one).c_str());
  }
  return kExitSuccess;
}

}  // namespace netcl::tool
