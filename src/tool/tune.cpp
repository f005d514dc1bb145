// `netcl tune`: finds the fastest settings of ops and kernels, and shows what was found before.
//
// SPDX-License-Identifier: Apache-2.0
#include <netcl.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "bench.hpp"
#include "options.hpp"
#include "text.hpp"
#include "tune_entries.hpp"
#include "tune_progress.hpp"
#include "tune_replay.hpp"
#include "tuned_data.hpp"

namespace netcl::tool {
namespace {

constexpr int kExitInterrupted = 130;

/// One candidate as it is shown.
struct Candidate {
  netcl_search_candidate info = NETCL_SEARCH_CANDIDATE_INIT;
  std::string json;
};

/// One entry of the tuner, after the run.
struct Found {
  std::string name;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  bool searched = false;
  netcl_search_result search = NETCL_SEARCH_RESULT_INIT;
  std::string config;  ///< JSON; empty when there is none
  std::vector<Candidate> candidates;
  bool kept = false;  ///< interrupted, and its best so far was stored

  bool failed() const { return result.status != NETCL_OK && !cancelled(); }
  bool cancelled() const { return result.status == NETCL_ERROR_CANCELLED; }
  /// An interrupted run did not come to it.
  bool not_begun() const {
    return !searched && !failed() && (cancelled() || result.match != NETCL_MATCH_EXACT);
  }
};

netcl_search_strategy read_strategy(const std::string& name) {
  static constexpr const char* kNames[] = {"auto",  "exhaustive", "random",
                                           "local", "annealing",  "genetic"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<netcl_search_strategy>(i);
  }
  throw UsageProblem(
      "strategies are auto, exhaustive, random, local, annealing and genetic, unlike", name);
}

netcl_search_options search_options(const Options& options) {
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  search.budget_ns = static_cast<uint64_t>(options.number("--budget", 0, 0.001, 1e6) * 1e9);
  search.seed = options.whole("--seed", 0, 0);
  search.evaluations = options.whole("--evaluations", 0, 1, 1000000);
  search.samples = options.whole("--samples", 0, 1, 10000);
  search.strategy = read_strategy(options.text("--strategy", "auto"));
  return search;
}

void read_search(netcl_search* search, Found* found) {
  found->searched = true;
  check(netcl_search_get_result(search, &found->search), "netcl_search_get_result");
  for (uint32_t i = 0;; ++i) {
    Candidate candidate;
    Config config;
    const netcl_status status =
        netcl_search_get_candidate(search, i, &candidate.info, config.receive());
    if (status == NETCL_ERROR_NOT_FOUND) break;
    check(status, "netcl_search_get_candidate");
    candidate.json = config_json(config.get());
    found->candidates.push_back(std::move(candidate));
  }
  Config best;
  if (netcl_search_get_best(search, best.receive()) == NETCL_OK) {
    found->config = config_json(best.get());
  }
}

std::vector<Found> collect(netcl_tuner* tuner, const std::vector<std::string>& names) {
  std::vector<Found> all;
  for (uint32_t i = 0; i < names.size(); ++i) {
    Found found;
    found.name = names[i];
    Config config;
    check(netcl_tuner_get_result(tuner, i, &found.result, config.receive()),
          "netcl_tuner_get_result");
    if (config.get() != nullptr) found.config = config_json(config.get());
    Search search;
    if (netcl_tuner_get_search(tuner, i, search.receive()) == NETCL_OK) {
      read_search(search.get(), &found);
    }
    all.push_back(std::move(found));
  }
  return all;
}

/// The best so far of a search that was interrupted, when it is surely faster than the default.
/// The tuner itself lets nothing win then; that is for the user of a program to decide, and here
/// it was decided by Ctrl-C.
const Candidate* best_so_far(const Found& found) {
  if (!found.cancelled() || !found.searched || found.config.empty()) return nullptr;
  if (found.candidates.empty() || found.search.best >= found.candidates.size()) return nullptr;
  const netcl_search_candidate& standard = found.candidates[0].info;
  const Candidate& best = found.candidates[found.search.best];
  const bool sure = best.info.samples_count >= 3 && standard.median > 0 &&
                    best.info.interval_high < standard.interval_low;
  return sure ? &best : nullptr;
}

/// A record cuts longer texts, which are no key then.
template <size_t size>
bool fits(const char (&text)[size]) {
  return std::strlen(text) + 1 < size;
}

bool has_whole_key(const netcl_tuning_record& record) {
  return fits(record.kernel) && fits(record.source) && fits(record.flags) && fits(record.dtypes) &&
         fits(record.layout) && fits(record.part) && fits(record.driver);
}

void keep_best(netcl_tuning_database* database, const netcl_device* device, Found* found) {
  const Candidate* const best = best_so_far(*found);
  if (best == nullptr) return;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT, one = NETCL_TUNING_RECORD_INIT;
  bool known = false;
  // The key is the one under which its measurement was stored, which came last.
  for (uint64_t i = 0;; ++i) {
    Config config;
    if (netcl_tuning_database_get_record(database, i, &one, config.receive()) != NETCL_OK) break;
    if (one.kind != NETCL_TUNING_RECORD_MEASUREMENT) continue;
    if (std::strcmp(one.kernel, found->result.name) != 0) continue;
    if (config_json(config.get()) != best->json || one.median != best->info.median) continue;
    record = one;
    known = true;
  }
  if (!known || !has_whole_key(record)) return;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  key.kernel = record.kernel;
  key.source = record.source;
  key.flags = record.flags;
  key.dtypes = record.dtypes;
  key.layout = record.layout;
  key.part = record.part;
  key.driver = record.driver;
  std::copy_n(record.shape, record.shape_count, key.shape);
  key.shape_count = record.shape_count;
  std::copy_n(record.scalars, record.scalars_count, key.scalars);
  key.scalars_count = record.scalars_count;
  netcl_tuning_record winner = record;
  winner.kind = NETCL_TUNING_RECORD_BEST;
  // It is used, and the next run goes on all the same.
  winner.outcome = NETCL_OUTCOME_CANCELLED;
  winner.default_median = found->candidates[0].info.median;
  std::snprintf(winner.reason, sizeof winner.reason, "the best so far when it was interrupted");
  Config config;
  check(netcl_config_create_from_json(best->json.data(), best->json.size(), config.receive()),
        "netcl_config_create_from_json");
  found->kept =
      netcl_tuning_database_put(database, device, &key, config.get(), &winner) == NETCL_OK;
}

// ---- What is printed

std::string gain_text(const Found& found) {
  if (found.search.is_default != 0) {
    return found.search.tie != 0 ? "the default, by a tie" : "the default";
  }
  if (found.searched && found.search.gain > 0) {
    return format("%.2f times as fast (%.2f to %.2f)", found.search.gain, found.search.gain_low,
                  found.search.gain_high);
  }
  const double gain =
      found.result.median > 0 ? found.result.default_median / found.result.median : 0;
  return gain > 0 ? format("%.2f times as fast", gain) : "";
}

void print_failures(const Found& found) {
  for (netcl_outcome outcome = NETCL_OUTCOME_CONSTRAINTS; outcome < NETCL_OUTCOME_CANCELLED;
       ++outcome) {
    if (found.search.counts[outcome] == 0) continue;
    const auto first =
        std::find_if(found.candidates.begin(), found.candidates.end(),
                     [&](const Candidate& one) { return one.info.outcome == outcome; });
    const bool known = first != found.candidates.end();
    print("  %-9s %llu; first %s: %s\n", outcome_text(outcome),
          static_cast<unsigned long long>(found.search.counts[outcome]),
          known ? config_text(config_values(first->json)).c_str() : "",
          known ? first->info.message : "");
  }
}

void print_found(const Found& found) {
  print("%s\n", found.name.c_str());
  if (found.failed()) {
    print("  %s: %s\n", netcl_status_name(found.result.status), found.result.message);
    if (found.searched) print_failures(found);
    return;
  }
  if (found.not_begun()) {
    print("  not begun\n");
    return;
  }
  if (found.searched) {
    print("  %llu of %llu configurations in %s: %s\n",
          static_cast<unsigned long long>(found.search.evaluations),
          static_cast<unsigned long long>(found.search.configurations),
          time_text(static_cast<double>(found.result.elapsed_ns)).c_str(),
          stop_text(found.search.stop));
  } else {
    print("  known from before; --force measures again\n");
  }
  const double standard =
      found.searched ? found.search.default_median : found.result.default_median;
  const double best = found.searched ? found.search.median : found.result.median;
  if (standard > 0) print("  default   %s\n", time_text(standard).c_str());
  if (best > 0) {
    print("  best      %s  %s\n            %s\n", time_text(best).c_str(),
          found.cancelled() ? "so far" : gain_text(found).c_str(),
          config_text(config_values(found.config)).c_str());
    const std::string size =
        work_size_text(extents_text(found.result.global), extents_text(found.result.local));
    if (!size.empty()) print("            %s\n", size.c_str());
    const bool listed = found.searched && found.search.best < found.candidates.size();
    const char* const note = listed ? found.candidates[found.search.best].info.message : "";
    if (note[0] != '\0') print("            %s\n", note);
  }
  if (found.searched) print_failures(found);
  if (!found.cancelled()) return;
  if (found.kept) print("  the best so far is stored and used\n");
  print("  what was measured is stored; the next run goes on from there\n");
}

void write_candidates(Json& json, const Found& found) {
  json.begin_array("candidates");
  for (const Candidate& candidate : found.candidates) {
    json.begin_object();
    json.raw("config", candidate.json);
    json.text("outcome", outcome_text(candidate.info.outcome));
    if (candidate.info.samples_count > 0) {
      json.real("median_ns", candidate.info.median);
      json.real("interval_low_ns", candidate.info.interval_low);
      json.real("interval_high_ns", candidate.info.interval_high);
    } else {
      json.null("median_ns");
    }
    json.integer("samples", candidate.info.samples_count);
    json.integer("compile_ns", candidate.info.compile_ns);
    json.boolean("known", candidate.info.known != 0);
    json.text("message", candidate.info.message);
    json.end_object();
  }
  json.end_array();
}

void write_search(Json& json, const Found& found) {
  const netcl_search_result& s = found.search;
  json.text("stop", stop_text(s.stop));
  json.integer("configurations", s.configurations);
  json.integer("evaluations", s.evaluations);
  json.integer("known", s.known);
  json.boolean("is_default", s.is_default != 0);
  json.boolean("tie", s.tie != 0);
  json.real("interval_low_ns", s.interval_low);
  json.real("interval_high_ns", s.interval_high);
  json.real("gain", s.gain);
  json.real("gain_low", s.gain_low);
  json.real("gain_high", s.gain_high);
  json.begin_object("counts");
  for (netcl_outcome i = NETCL_OUTCOME_CORRECT; i <= NETCL_OUTCOME_CANCELLED; ++i) {
    if (s.counts[i] > 0) json.integer(outcome_text(i), s.counts[i]);
  }
  json.end_object();
  write_candidates(json, found);
}

void write_found(Json& json, const Found& found) {
  json.begin_object();
  json.text("name", found.name);
  json.text("kernel", found.result.name);
  json.text("status", netcl_status_name(found.result.status));
  if (found.result.message[0] != '\0') json.text("message", found.result.message);
  json.boolean("measured", found.result.measured != 0);
  json.boolean("stored",
               found.kept || (found.result.match == NETCL_MATCH_EXACT && !found.cancelled()));
  json.integer("elapsed_ns", found.result.elapsed_ns);
  const double best = found.searched ? found.search.median : found.result.median;
  const double standard =
      found.searched ? found.search.default_median : found.result.default_median;
  if (best > 0) {
    json.real("best_ns", best);
  } else {
    json.null("best_ns");
  }
  json.real("default_ns", standard);
  if (found.config.empty()) {
    json.null("config");
  } else {
    json.raw("config", found.config);
  }
  if (found.result.global[0] != 0) {
    json.text("global", extents_text(found.result.global));
    json.text("local", extents_text(found.result.local));
  }
  if (found.searched) write_search(json, found);
  json.end_object();
}

// ---- The command

int list(const Options& options, netcl_tuning_database* database) {
  std::vector<Device> devices;
  if (options.has("--device")) {
    devices.push_back(open_device(options));
  } else {
    devices = all_devices();
  }
  const std::vector<TunedCase> cases = tuned_cases(database, devices);
  netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
  check(netcl_tuning_database_get_info(database, &info), "netcl_tuning_database_get_info");
  if (options.has("--json")) {
    Json json;
    json.begin_object();
    json.text("database", info.path);
    json.integer("records", info.records);
    json.integer("damaged", info.damaged);
    write_tuned(json, "tuned", cases);
    json.end_object();
    return kExitSuccess;
  }
  print("%s\n%llu records, %llu damaged\n\n", info.path[0] != '\0' ? info.path : info.reason,
        static_cast<unsigned long long>(info.records),
        static_cast<unsigned long long>(info.damaged));
  if (cases.empty()) {
    print("nothing is tuned yet\n");
  } else {
    print_tuned(cases);
  }
  return kExitSuccess;
}

void export_measurements(const Options& options, netcl_tuning_database* database, bool says) {
  const std::string path = options.text("--export");
  const bool csv = path.size() > 4 && path.compare(path.size() - 4, 4, ".csv") == 0;
  const netcl_format format = csv ? NETCL_FORMAT_CSV : NETCL_FORMAT_JSON;
  size_t length = 0;
  check(netcl_tuning_database_export(database, nullptr, format, nullptr, 0, &length),
        "netcl_tuning_database_export");
  std::string text(length + 1, '\0');
  check(netcl_tuning_database_export(database, nullptr, format, text.data(), text.size(), nullptr),
        "netcl_tuning_database_export");
  text.resize(length);
  write_file(path, text);
  if (says) print("%s\n", path.c_str());
}

int show(const Options& options, const netcl_device* device, const std::vector<Found>& all,
         netcl_tuning_database* database, const TuneRun& run) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  check(netcl_device_get_info(device, &info), "netcl_device_get_info");
  netcl_tuning_database_info store = NETCL_TUNING_DATABASE_INFO_INIT;
  check(netcl_tuning_database_get_info(database, &store), "netcl_tuning_database_get_info");
  if (options.has("--json")) {
    Json json;
    json.begin_object();
    json.text("device", info.name);
    json.text("database", store.path);
    json.boolean("interrupted", run.interrupted);
    json.begin_array("entries");
    for (const Found& found : all) write_found(json, found);
    json.end_array();
    json.end_object();
  } else {
    print("%s\n\n", info.name);
    for (const Found& found : all) print_found(found);
  }
  if (run.interrupted) return kExitInterrupted;
  if (!run.problem.empty()) throw ToolError(run.problem);
  const bool failed =
      std::any_of(all.begin(), all.end(), [](const Found& found) { return found.failed(); });
  return failed ? kExitFailure : kExitSuccess;
}

int tune(int argc, char** argv) {
  const Options options(argc, argv,
                        {"--json", "--list", "--force", "--in-process", "--quiet", "--round-up"},
                        {"--device",      "--dtype",   "--budget",   "--strategy",   "--seed",
                         "--evaluations", "--samples", "--database", "--export",     "--filter",
                         "--stride",      "--padding", "--kernel",   "--global",     "--arg",
                         "--local",       "--param",   "--space",    "--constraint", "--flag",
                         "--replay",      "--seeds",   "--global-formula", "--local-formula"});
  if (options.has("--replay")) return replay_recording(options, search_options(options));
  const bool lists = options.has("--list"), exports = options.has("--export");
  if (lists || exports) {
    const char* const where = lists ? "with --list" : "with --export";
    options.refuse_words(where);
    options.refuse_others(where, {"--list", "--export", "--database", "--json", "--device"});
    if (!lists) options.refuse("without --list", {"--json", "--device"});
  }
  options.refuse("without --replay", {"--seeds"});
  if (lists || exports) {
    const TuningDatabase database = open_database(options);
    // On stdout the list alone, where a program reads it.
    if (exports) export_measurements(options, database.get(), !(lists && options.has("--json")));
    return lists ? list(options, database.get()) : kExitSuccess;
  }
  TuneEntries entries(options);
  const netcl_search_options search = search_options(options);
  const TuningDatabase database = open_database(options);
  const Device device = open_device(options);
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  how.search = &search;
  how.database = database.get();
  how.in_process = options.has("--in-process") ? 1 : 0;
  how.force = options.has("--force") ? 1 : 0;
  Tuner tuner;
  check(netcl_tuner_create(device.get(), &how, tuner.receive()), "netcl_tuner_create");
  entries.add_to(device.get(), tuner.get());
  const TuneRun run = watch_tuner(tuner.get(), entries.names(), options.has("--quiet"));
  std::vector<Found> all = collect(tuner.get(), entries.names());
  if (run.interrupted) {
    for (Found& found : all) keep_best(database.get(), device.get(), &found);
  }
  return show(options, device.get(), all, database.get(), run);
}

}  // namespace

int run_tune(const Command& self, int argc, char** argv) {
  return with_usage(self, tune, argc, argv);
}

}  // namespace netcl::tool
