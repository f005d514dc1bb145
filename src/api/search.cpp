#include "api/handles.hpp"
#include "api/structs.hpp"
#include "api/tuning.hpp"
#include "kernel/tuned.hpp"
#include "timing/statistics.hpp"
#include "tune/recording.hpp"
#include "tune/tuner.hpp"

using namespace netcl;
using namespace netcl::api;

netcl_search_options netcl::api::read_search_options(const netcl_search_options* options,
                                                     const char* argument) {
  const netcl_search_options checked = read_options(options, argument);
  require_zero(checked.reserved, (std::string(argument) + "->reserved").c_str());
  tune::check_search_options(checked, argument);
  return checked;
}

netcl_config* netcl::api::config_handle(const tune::ConfigRef& config) {
  return config == nullptr ? nullptr : make_handle<netcl_config>(config);
}

extern "C" {

netcl_status netcl_search_create(const netcl_space* space,
                                 const netcl_device_capabilities* capabilities,
                                 const netcl_config* standard, const netcl_search_options* options,
                                 netcl_search** search) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    require(search, "search");
    const tune::Limits limits = capabilities == nullptr
                                    ? tune::Limits()
                                    : tune::Limits(read_options(capabilities, "capabilities"));
    tune::ConfigRef chosen;
    if (standard != nullptr) chosen = pin(standard, "standard").shared();
    *search = make_handle<netcl_search>(std::make_shared<tune::Search>(
        *pinned, limits, chosen.get(), read_search_options(options, "options")));
  });
}

netcl_status netcl_search_retain(netcl_search* search) { return retain_handle(search, "search"); }
void netcl_search_release(netcl_search* search) { release_handle(search); }

netcl_status netcl_search_ask(netcl_search* search, uint32_t* candidate, uint64_t* samples,
                              netcl_config** config) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    require(candidate, "candidate");
    require(samples, "samples");
    const tune::Turn turn = pinned->ask();
    try {
      if (config != nullptr) *config = config_handle(turn.config);
    } catch (...) {
      pinned->take_back(turn);
      throw;
    }
    *candidate = turn.candidate;
    *samples = turn.samples;
  });
}

netcl_status netcl_search_tell(netcl_search* search, uint32_t candidate, const double* samples,
                               uint64_t samples_count) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    if (samples_count > 0) require(samples, "samples");
    pinned->tell(candidate, samples, samples_count);
  });
}

netcl_status netcl_search_tell_failure(netcl_search* search, uint32_t candidate,
                                       netcl_outcome outcome, const char* message) {
  return guarded([&] {
    pin(search, "search")->tell_failure(candidate, outcome, message == nullptr ? "" : message);
  });
}

netcl_status netcl_search_cancel(netcl_search* search) {
  return guarded([&] { pin(search, "search")->cancel(); });
}

netcl_status netcl_search_read_event(netcl_search* search, uint64_t after, uint64_t timeout_ns,
                                     netcl_search_event* event) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    check_info(event, "event");
    netcl_search_event found = NETCL_SEARCH_EVENT_INIT;
    if (!pinned->events().read(after, timeout_ns, &found)) {
      fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and no event came",
           static_cast<unsigned long long>(timeout_ns));
    }
    write_info(event, found);
  });
}

netcl_status netcl_search_get_result(netcl_search* search, netcl_search_result* result) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    check_info(result, "result");
    write_info(result, pinned->result());
  });
}

netcl_status netcl_search_get_best(netcl_search* search, netcl_config** config) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    require(config, "config");
    *config = config_handle(pinned->best());
  });
}

netcl_status netcl_search_get_candidate(netcl_search* search, uint32_t index,
                                        netcl_search_candidate* info, netcl_config** config) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    check_info(info, "info");
    const tune::Search::Candidate candidate = pinned->candidate(index);
    const std::vector<double>& samples =
        candidate.finals.empty() ? candidate.samples : candidate.finals;
    netcl_search_candidate full = NETCL_SEARCH_CANDIDATE_INIT;
    const netcl_statistics statistics = timing::statistics_of(samples);
    full.median = statistics.median;
    full.interval_low = statistics.interval_low;
    full.interval_high = statistics.interval_high;
    full.place = pinned->candidates().listed() ? candidate.place : UINT64_MAX;
    full.samples_count = candidate.samples.size() + candidate.finals.size();
    full.compile_ns = candidate.compile_ns;
    full.outcome = candidate.outcome;
    full.known = candidate.known ? 1 : 0;
    copy_line(full.message, sizeof full.message, candidate.message.c_str());
    if (config != nullptr) *config = config_handle(candidate.config);
    write_info(info, full);
  });
}

netcl_status netcl_search_get_samples(netcl_search* search, uint32_t index, double* samples,
                                      uint64_t capacity, uint64_t* count) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    require(count, "count");
    if (capacity > 0) require(samples, "samples");
    tune::Search::Candidate candidate = pinned->candidate(index);
    std::vector<double>& all = candidate.samples;
    all.insert(all.end(), candidate.finals.begin(), candidate.finals.end());
    *count = all.size();
    std::copy_n(all.begin(), std::min<uint64_t>(capacity, all.size()), samples);
  });
}

netcl_status netcl_search_get_failure(netcl_search* search, netcl_outcome outcome, char* buffer,
                                      size_t capacity, size_t* length) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    if (outcome < NETCL_OUTCOME_UNKNOWN || outcome > NETCL_OUTCOME_CANCELLED) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "outcome is %d, which is no netcl_outcome", outcome);
    }
    write_text(pinned->failure(outcome), buffer, capacity, length);
  });
}

netcl_status netcl_search_replay(const char* text, size_t text_size,
                                 const netcl_search_options* options,
                                 netcl_replay_result* result) {
  return guarded([&] {
    require(text, "text");
    check_info(result, "result");
    const netcl_search_options search = read_search_options(options, "options");
    write_info(result, tune::Recording(std::string_view(text, text_size)).replay(search));
  });
}

netcl_status netcl_search_store(netcl_search* search, netcl_tuning_database* database,
                                const netcl_device* device, const netcl_tuning_key* key) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    const auto pinned_database = pin(database, "database");
    if (pinned->has_formulas() && pinned->sizes() == nullptr) {
      fail(NETCL_ERROR_UNSUPPORTED,
           "search is over a space with a work size, which a launch needs beside the winner: let a "
           "tuner search it, or store the winner with netcl_tuning_database_put");
    }
    // The names that a tuner gives these macros.
    tune::SearchRecords(*pinned, *pinned_database, read_tuning_key(device, key),
                        {kTileMacro, kUnrollMacro})
        .put_all();
  });
}

netcl_status netcl_search_resume(netcl_search* search, netcl_tuning_database* database,
                                 const netcl_device* device, const netcl_tuning_key* key,
                                 uint64_t* count) {
  return guarded([&] {
    const auto pinned = pin(search, "search");
    const auto pinned_database = pin(database, "database");
    const uint64_t taken =
        tune::resume_search(*pinned, *pinned_database, read_tuning_key(device, key));
    if (count != nullptr) *count = taken;
  });
}

}  // extern "C"
