#include "tune/stored_search.hpp"

#include <algorithm>
#include <ctime>

#include "core/error.hpp"
#include "core/number.hpp"
#include "timing/statistics.hpp"
#include "tune/config_json.hpp"

namespace netcl::tune {

namespace {

bool harmful(netcl_outcome outcome) {
  return outcome == NETCL_OUTCOME_CORRECTNESS || outcome == NETCL_OUTCOME_GUARD ||
         outcome == NETCL_OUTCOME_HANG || outcome == NETCL_OUTCOME_CRASH;
}

}  // namespace

void note_work_size(const Search& search, const Config& config, store::Record* record) {
  if (search.sizes() == nullptr || !search.sizes()->by_formula(config)) return;
  try {
    const JobSize size = search.sizes()->of(config);
    record->global.assign(size.global, size.global + size.rank);
    // A kernel that is compiled for one local size has it from there.
    if (size.local[0] != 0) record->local.assign(size.local, size.local + size.rank);
  } catch (const Error&) {
    // It is none that can be launched, and its outcome says so.
  }
}

store::Record SearchRecords::record_of(const Search::Candidate& candidate) const {
  store::Record record;
  record.key = key_;
  record.space = search_.fingerprint();
  record.config = json_of(*candidate.config);
  record.unset = unset_;
  note_work_size(search_, *candidate.config, &record);
  record.outcome = candidate.outcome;
  record.reason = candidate.message;
  record.samples = candidate.finals.empty() ? candidate.samples : candidate.finals;
  record.compile_ns = static_cast<double>(candidate.compile_ns);
  record.timestamp = std::time(nullptr);
  const netcl_statistics statistics = timing::statistics_of(record.samples);
  record.median_ns = statistics.median;
  record.low_ns = statistics.interval_low;
  record.high_ns = statistics.interval_high;
  return record;
}

// Nothing for a candidate of which all is stored.
void SearchRecords::add(uint32_t index, const Search::Candidate& candidate,
                        std::vector<store::Record>* records) {
  const uint64_t state = 1 + candidate.samples.size() + candidate.finals.size() +
                         (static_cast<uint64_t>(candidate.outcome) << 32);
  if (stored_.size() <= index) stored_.resize(index + 1);
  if (candidate.outcome == NETCL_OUTCOME_UNKNOWN || stored_[index] == state) return;
  stored_[index] = state;
  records->push_back(record_of(candidate));
  // Without tuning the default runs in any case.
  if (index == 0 || !harmful(candidate.outcome)) return;
  records->push_back(records->back());
  records->back().kind = store::RecordKind::quarantine;
}

void SearchRecords::put_new() {
  const uint64_t count = search_.result().evaluations;
  std::vector<store::Record> records;
  for (uint32_t i = static_cast<uint32_t>(stored_.size()); i < count; ++i) {
    add(i, search_.candidate(i), &records);
  }
  if (records.empty()) return;
  try {
    database_.put(std::move(records));
  } catch (const Error& error) {
    // They are kept in memory; what is put in the end tells whoever asked for the search.
    if (error.status() != NETCL_ERROR_IO && error.status() != NETCL_ERROR_TIMEOUT) throw;
  }
}

void SearchRecords::put_all() {
  const netcl_search_result result = search_.result();
  std::vector<store::Record> records;
  for (uint32_t i = 0; i < result.evaluations; ++i) add(i, search_.candidate(i), &records);
  const bool ended = result.stop != NETCL_STOP_RUNNING && result.stop != NETCL_STOP_CANCELLED;
  if (ended && result.counts[NETCL_OUTCOME_CORRECT] > 0) {
    store::Record best = record_of(search_.candidate(result.best));
    best.kind = store::RecordKind::best;
    best.default_ns = result.default_median;
    best.reason = result.is_default == 0 ? "the fastest"
                  : result.tie != 0      ? "the default, by a tie"
                                         : "the default";
    if (result.stop == NETCL_STOP_ROOFLINE) {
      const double percent = 100.0 * search_.roof_ns() / std::max(result.median, 1e-9);
      best.reason += ", at " + general_text(percent, 3) + " % of the roofline";
    }
    records.push_back(std::move(best));
  }
  if (!records.empty()) database_.put(std::move(records));
}

uint64_t resume_search(Search& search, store::Database& database, const store::Key& key) {
  uint64_t taken = 0;
  for (const store::Record* record : database.measurements(key, search.fingerprint())) {
    taken += search.resume(config_of(record->config, "the record"), record->outcome, record->reason,
                           record->samples)
                 ? 1
                 : 0;
  }
  return taken;
}

}  // namespace netcl::tune
