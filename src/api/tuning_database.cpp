#include <time.h>

#include "api/handles.hpp"
#include "api/structs.hpp"
#include "api/tuning.hpp"
#include "core/utf8.hpp"
#include "kernel/tuned.hpp"
#include "store/export.hpp"
#include "tune/config_json.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// Records are JSON: a text of another encoding could be stored, but never found again.
std::string checked_text(std::string text, const char* member) {
  if (is_utf8(text)) return text;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s, which is no UTF-8", member,
       quoted(text.c_str()).c_str());
}

netcl_tuning_record record_of(const store::Record& record, netcl_match match) {
  netcl_tuning_record out = NETCL_TUNING_RECORD_INIT;
  out.median = record.median_ns;
  out.interval_low = record.low_ns;
  out.interval_high = record.high_ns;
  out.default_median = record.default_ns;
  out.samples_count = record.samples.size();
  out.timestamp = record.timestamp;
  out.shape_count = static_cast<uint32_t>(record.key.shape.size());
  std::copy(record.key.shape.begin(), record.key.shape.end(), out.shape);
  out.scalars_count = static_cast<uint32_t>(record.key.scalars.size());
  std::copy(record.key.scalars.begin(), record.key.scalars.end(), out.scalars);
  std::copy(record.global.begin(), record.global.end(), out.global);
  std::copy(record.local.begin(), record.local.end(), out.local);
  out.match = match;
  out.kind = static_cast<netcl_tuning_record_kind>(record.kind) + 1;
  out.outcome = record.outcome;
  copy_text(out.kernel, sizeof out.kernel, record.key.kernel.c_str());
  copy_text(out.source, sizeof out.source, record.key.source.c_str());
  copy_text(out.flags, sizeof out.flags, record.key.flags.c_str());
  copy_text(out.dtypes, sizeof out.dtypes, record.key.dtypes.c_str());
  copy_text(out.layout, sizeof out.layout, record.key.layout.c_str());
  copy_text(out.part, sizeof out.part, record.key.part.c_str());
  copy_text(out.driver, sizeof out.driver, record.key.driver.c_str());
  copy_text(out.reason, sizeof out.reason, record.reason.c_str());
  return out;
}

double checked_time(double value, const char* member) {
  if (value >= 0.0 && value < 1e18) return value;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "record->%s is %g; times are 0 to 1e18 ns", member,
       value);
}

// Zeros behind the last dimension; all zeros where there is none.
std::vector<int64_t> read_work_size(const uint64_t* extents, const char* member) {
  std::vector<int64_t> out;
  for (size_t d = 0; d < NETCL_LAUNCH_RANK_MAX; ++d) {
    const bool gap = extents[d] != 0 && out.size() < d;
    if (gap || extents[d] > INT64_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "record->%s[%zu] is %llu%s", member, d,
           static_cast<unsigned long long>(extents[d]),
           gap ? " behind a 0" : ", which is no size of a launch");
    }
    if (extents[d] != 0) out.push_back(static_cast<int64_t>(extents[d]));
  }
  return out;
}

store::Record record_to_store(const netcl_tuning_record& given) {
  store::Record record;
  require_zero(given.reserved, "record->reserved");
  record.global = read_work_size(given.global, "global");
  record.local = read_work_size(given.local, "local");
  if (!record.local.empty() && record.global.size() != record.local.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "record->global has %zu extents and record->local %zu; local has as many or none",
         record.global.size(), record.local.size());
  }
  if (given.kind < NETCL_TUNING_RECORD_BEST || given.kind > NETCL_TUNING_RECORD_QUARANTINE) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "record->kind is %d, which is no netcl_tuning_record_kind",
         given.kind);
  }
  if (given.outcome < NETCL_OUTCOME_UNKNOWN || given.outcome > NETCL_OUTCOME_CANCELLED) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "record->outcome is %d, which is no netcl_outcome",
         given.outcome);
  }
  record.kind = static_cast<store::RecordKind>(given.kind - 1);
  if (record.kind == store::RecordKind::best && !store::may_be_best(given.outcome)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "record->kind is BEST and record->outcome %d (%s); what is to be used was CORRECT, the "
         "best so far of a search that was CANCELLED, or its outcome is UNKNOWN",
         given.outcome, store::outcome_name(given.outcome));
  }
  record.outcome = given.outcome;
  record.median_ns = checked_time(given.median, "median");
  record.low_ns = checked_time(given.interval_low, "interval_low");
  record.high_ns = checked_time(given.interval_high, "interval_high");
  record.default_ns = checked_time(given.default_median, "default_median");
  record.reason = checked_text(
      std::string(given.reason, strnlen(given.reason, sizeof given.reason)), "record->reason");
  record.timestamp = given.timestamp != 0 ? given.timestamp : ::time(nullptr);
  return record;
}

std::vector<const store::Record*> records_of(store::Database& database, const char* kernel) {
  std::vector<const store::Record*> all = database.records();
  if (kernel == nullptr) return all;
  std::erase_if(all, [&](const store::Record* record) { return record->key.kernel != kernel; });
  return all;
}

}  // namespace

store::Key netcl::api::read_tuning_key(const netcl_device* device, const netcl_tuning_key* given) {
  const netcl_tuning_key key = read_struct(given, "key");
  if (key.kernel == nullptr || key.kernel[0] == '\0') {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "key->kernel is %s; it names what was tuned",
         key.kernel == nullptr ? "NULL" : "empty");
  }
  if (key.shape_count > NETCL_TUNING_SHAPE_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "key->shape_count is %u; the limit is %d", key.shape_count,
         NETCL_TUNING_SHAPE_MAX);
  }
  if (key.scalars_count > NETCL_TUNING_SCALARS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "key->scalars_count is %u; the limit is %d",
         key.scalars_count, NETCL_TUNING_SCALARS_MAX);
  }
  for (uint32_t d = 0; d < key.shape_count; ++d) {
    if (key.shape[d] >= 0) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "key->shape[%u] is %lld; extents are 0 or more", d,
         static_cast<long long>(key.shape[d]));
  }
  store::Key out;
  out.kernel = checked_text(key.kernel, "key->kernel");
  out.source = checked_text(text_or_empty(key.source), "key->source");
  out.flags = checked_text(text_or_empty(key.flags), "key->flags");
  out.dtypes = checked_text(text_or_empty(key.dtypes), "key->dtypes");
  out.layout = checked_text(text_or_empty(key.layout), "key->layout");
  out.part = current_part(checked_text(text_or_empty(key.part), "key->part"));
  out.driver = checked_text(text_or_empty(key.driver), "key->driver");
  out.shape.assign(key.shape, key.shape + key.shape_count);
  out.scalars.assign(key.scalars, key.scalars + key.scalars_count);
  if (device != nullptr) {
    const auto pinned = pin(device, "device");
    if (key.part == nullptr) out.part = pinned->part();
    if (key.driver == nullptr) out.driver = pinned->driver();
  }
  return out;
}

netcl_config* netcl::api::config_handle(const store::Record& record) {
  return make_handle<netcl_config>(
      std::make_shared<const tune::Config>(tune::config_of(record.config, "the record")));
}

extern "C" {

netcl_status netcl_device_get_part(const netcl_device* device, char* buffer, size_t capacity,
                                   size_t* length) {
  return guarded([&] { write_text(pin(device, "device")->part(), buffer, capacity, length); });
}

netcl_status netcl_device_match_record(const netcl_device* device,
                                       const netcl_tuning_record* record, netcl_match* match) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require_struct(record, "record");
    require(match, "match");
    const netcl_tuning_record given = read_struct(record, "record");
    const std::string part(given.part, strnlen(given.part, sizeof given.part));
    const std::string driver(given.driver, strnlen(given.driver, sizeof given.driver));
    *match = !part_serves(current_part(part), pinned->part()) ? NETCL_MATCH_OTHER_PART
             : driver == pinned->driver()                     ? NETCL_MATCH_EXACT
                                                              : NETCL_MATCH_OTHER_DRIVER;
  });
}

netcl_status netcl_tuning_database_open(const char* path, netcl_tuning_database** database) {
  return guarded([&] {
    require(database, "database");
    if (path != nullptr) {
      require_text(path, "path");
      *database = make_handle<netcl_tuning_database>(std::make_shared<store::Database>(path));
      return;
    }
    // It lives as long as the process, so a handle need not own it.
    *database = make_handle<netcl_tuning_database>(
        std::shared_ptr<store::Database>(std::shared_ptr<void>(), &store::Database::shared()));
  });
}

netcl_status netcl_tuning_database_retain(netcl_tuning_database* database) {
  return retain_handle(database, "database");
}
void netcl_tuning_database_release(netcl_tuning_database* database) { release_handle(database); }

netcl_status netcl_tuning_database_get_info(netcl_tuning_database* database,
                                            netcl_tuning_database_info* info) {
  return guarded([&] {
    const auto pinned = pin(database, "database");
    check_info(info, "info");
    const store::LineCounts counts = pinned->verify();
    netcl_tuning_database_info full = NETCL_TUNING_DATABASE_INFO_INIT;
    full.records = pinned->records().size();
    full.lines = counts.records;
    full.superseded = counts.superseded;
    full.foreign = counts.foreign;
    full.damaged = counts.damaged;
    full.bytes = counts.bytes;
    copy_text(full.path, sizeof full.path, pinned->journal().path().c_str());
    copy_text(full.reason, sizeof full.reason, pinned->journal().off_reason().c_str());
    write_info(info, full);
  });
}

netcl_status netcl_tuning_database_lookup(netcl_tuning_database* database,
                                          const netcl_device* device, const netcl_tuning_key* key,
                                          netcl_tuning_record* record, netcl_config** config) {
  return guarded([&] {
    const auto pinned = pin(database, "database");
    check_info(record, "record");
    const store::Answer answer = pinned->lookup(read_tuning_key(device, key));
    netcl_config* made =
        answer.record != nullptr && config != nullptr ? config_handle(*answer.record) : nullptr;
    write_info(record, answer.record != nullptr ? record_of(*answer.record, answer.match)
                                                : netcl_tuning_record(NETCL_TUNING_RECORD_INIT));
    if (config != nullptr) *config = made;
  });
}

netcl_status netcl_tuning_database_put(netcl_tuning_database* database, const netcl_device* device,
                                       const netcl_tuning_key* key, const netcl_config* config,
                                       const netcl_tuning_record* record) {
  return guarded([&] {
    const auto pinned = pin(database, "database");
    const auto pinned_config = pin(config, "config");
    store::Record made = record_to_store(read_struct(record, "record"));
    made.key = read_tuning_key(device, key);
    made.config = tune::json_of(*pinned_config);
    made.unset = {kTileMacro, kUnrollMacro};
    pinned->put({std::move(made)});
  });
}

netcl_status netcl_tuning_database_refresh(netcl_tuning_database* database) {
  return guarded([&] { pin(database, "database")->refresh(); });
}

netcl_status netcl_tuning_database_get_record(netcl_tuning_database* database, uint64_t index,
                                              netcl_tuning_record* record, netcl_config** config) {
  return guarded([&] {
    const auto pinned = pin(database, "database");
    check_info(record, "record");
    const store::Record* found = pinned->record(index);
    if (found == nullptr) {
      fail(NETCL_ERROR_NOT_FOUND, "index is %llu; the database has %zu records",
           static_cast<unsigned long long>(index), pinned->records().size());
    }
    if (config != nullptr) *config = config_handle(*found);
    write_info(record, record_of(*found, NETCL_MATCH_NONE));
  });
}

netcl_status netcl_tuning_database_merge(netcl_tuning_database* database, const char* path,
                                         uint64_t* count) {
  return guarded([&] {
    const auto pinned = pin(database, "database");
    require_text(path, "path");
    const uint64_t taken = pinned->merge(path);
    if (count != nullptr) *count = taken;
  });
}

netcl_status netcl_tuning_database_compact(netcl_tuning_database* database) {
  return guarded([&] { pin(database, "database")->compact(); });
}

netcl_status netcl_tuning_database_clear(netcl_tuning_database* database, const char* kernel) {
  return guarded([&] {
    const auto pinned = pin(database, "database");
    // That all goes is too much for an empty text.
    if (kernel != nullptr) require_text(kernel, "kernel");
    pinned->clear(text_or_empty(kernel));
  });
}

netcl_status netcl_tuning_database_export(netcl_tuning_database* database, const char* kernel,
                                          netcl_format format, char* buffer, size_t capacity,
                                          size_t* length) {
  return guarded([&] {
    const auto pinned = pin(database, "database");
    if (format == NETCL_FORMAT_TEXT) {
      fail(NETCL_ERROR_UNSUPPORTED, "format is TEXT; a database is exported as JSON or CSV");
    }
    if (format != NETCL_FORMAT_JSON && format != NETCL_FORMAT_CSV) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "format is %d, which is none", format);
    }
    const auto records = records_of(*pinned, kernel);
    write_text(format == NETCL_FORMAT_JSON ? store::export_t4(records) : store::export_csv(records),
               buffer, capacity, length);
  });
}

}  // extern "C"
