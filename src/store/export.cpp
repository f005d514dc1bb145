#include "store/export.hpp"

#include <time.h>

#include "core/error.hpp"
#include "core/number.hpp"

namespace netcl::store {

namespace {

// T4 has five words for what is wrong.
const char* invalidity_of(netcl_outcome outcome) {
  switch (outcome) {
    case NETCL_OUTCOME_CONSTRAINTS:
    case NETCL_OUTCOME_COMPILE:
    case NETCL_OUTCOME_RUNTIME:
    case NETCL_OUTCOME_CORRECTNESS:
    case NETCL_OUTCOME_TIMEOUT:
      return outcome_name(outcome);
    case NETCL_OUTCOME_GUARD:
      return "correctness";
    case NETCL_OUTCOME_HANG:
      return "timeout";
    case NETCL_OUTCOME_CRASH:
      return "runtime";
    default:
      return "correct";
  }
}

// False for a candidate of which a run that was cancelled never knew whether it is right.
bool was_judged(const Record& record) {
  switch (record.outcome) {
    case NETCL_OUTCOME_UNKNOWN:
    case NETCL_OUTCOME_CANCELLED:
      return false;
    case NETCL_OUTCOME_SLOW:
      // Without a sample there is nothing to tell of it.
      return !record.samples.empty();
    default:
      return true;
  }
}

std::string utc(int64_t seconds) {
  const time_t when = static_cast<time_t>(seconds);
  struct tm parts = {};
  char text[32] = "1970-01-01T00:00:00Z";
  if (::gmtime_r(&when, &parts) != nullptr) {
    ::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  }
  return text;
}

Json measured(const char* name, double value, const char* unit) {
  return Json::object({{"name", name}, {"value", value}, {"unit", unit}});
}

// A field of CSV: quoted when it has to be.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string joined_numbers(const std::vector<int64_t>& numbers, char separator) {
  std::string text;
  for (const int64_t number : numbers) {
    if (!text.empty()) text += separator;
    text += number_text(number);
  }
  return text;
}

// What tells the results of one problem from those of others.
std::string problem_text(const Key& key) {
  std::string text;
  for (const std::string& part :
       {key.kernel, joined_numbers(key.shape, 'x'), key.dtypes, key.layout,
        joined_numbers(key.scalars, ' '), key.flags, key.source, key.part, key.driver}) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

}  // namespace

std::string export_t4(const std::vector<const Record*>& records) {
  Json results = Json::array();
  for (const Record* record : records) {
    if (record->kind != RecordKind::measurement || !was_judged(*record)) continue;
    const bool correct = std::string(invalidity_of(record->outcome)) == "correct";
    Json runtimes = Json::array();
    for (const double sample : record->samples) runtimes.push_back(sample / 1e6);
    Json result;
    result["timestamp"] = utc(record->timestamp);
    result["problem"] = problem_text(record->key);
    result["configuration"] = record->config;
    result["objectives"] = Json::array({"time"});
    // The schema says compilation_time, the tool that others read it with writes compilation.
    result["times"] = Json::object({{"compilation_time", record->compile_ns / 1e6},
                                    {"compilation", record->compile_ns / 1e6},
                                    {"framework", 0},
                                    {"search_algorithm", 0},
                                    {"validation", 0},
                                    {"runtimes", runtimes}});
    result["invalidity"] = invalidity_of(record->outcome);
    result["correctness"] = correct ? 1 : 0;
    result["measurements"] = Json::array();
    if (correct) {
      result["measurements"].push_back(measured("time", record->median_ns / 1e6, "ms"));
    }
    results.push_back(std::move(result));
  }
  Json document;
  document["schema_version"] = "1.0.0";
  document["metadata"] = Json::object({{"timeunit", "milliseconds"}});
  document["results"] = std::move(results);
  return document.dump(1) + "\n";
}

std::string export_csv(const std::vector<const Record*>& records) {
  static constexpr const char* kKinds[] = {"best", "measurement", "quarantine"};
  std::string out =
      "kind,kernel,source,flags,dtypes,layout,shape,part,driver,configuration,outcome,median_ns,"
      "interval_low_ns,interval_high_ns,default_median_ns,samples,timestamp,reason,scalars,global,"
      "local\n";
  for (const Record* record : records) {
    const Key& key = record->key;
    out += kKinds[static_cast<size_t>(record->kind)];
    for (const std::string& text :
         {key.kernel, key.source, key.flags, key.dtypes, key.layout, joined_numbers(key.shape, 'x'),
          key.part, key.driver, record->config.dump()}) {
      out += ',' + field(text);
    }
    out += std::string(",") + outcome_name(record->outcome) + ",";
    for (const double ns :
         {record->median_ns, record->low_ns, record->high_ns, record->default_ns}) {
      out += number_text(ns) + ",";
    }
    out += number_text(record->samples.size()) + "," + utc(record->timestamp) + ",";
    out += field(record->reason) + "," + joined_numbers(key.scalars, ' ') + ",";
    out += joined_numbers(record->global, 'x') + "," + joined_numbers(record->local, 'x') + '\n';
  }
  return out;
}

}  // namespace netcl::store
