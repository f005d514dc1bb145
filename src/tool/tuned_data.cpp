// SPDX-License-Identifier: Apache-2.0
#include "tuned_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "options.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

bool same_case(const netcl_tuning_record& a, const netcl_tuning_record& b) {
  return a.shape_count == b.shape_count && std::strcmp(a.kernel, b.kernel) == 0 &&
         std::strcmp(a.source, b.source) == 0 && std::strcmp(a.flags, b.flags) == 0 &&
         std::strcmp(a.dtypes, b.dtypes) == 0 && std::strcmp(a.layout, b.layout) == 0 &&
         std::strcmp(a.part, b.part) == 0 && std::strcmp(a.driver, b.driver) == 0 &&
         std::equal(a.shape, a.shape + a.shape_count, b.shape) &&
         a.scalars_count == b.scalars_count &&
         std::equal(a.scalars, a.scalars + a.scalars_count, b.scalars);
}

TunedCase& case_of(std::vector<TunedCase>* cases, const netcl_tuning_record& record) {
  for (TunedCase& one : *cases) {
    if (same_case(one.key, record)) return one;
  }
  cases->emplace_back();
  cases->back().key = record;
  return cases->back();
}

void take(const netcl_tuning_record& record, const netcl_config* config, TunedCase* one) {
  one->timestamp = std::max(one->timestamp, record.timestamp);
  const std::string json = config_json(config);
  if (record.kind == NETCL_TUNING_RECORD_BEST) {
    one->has_best = true;
    one->best_ns = record.median;
    one->default_ns = record.default_median;
    one->best_config = json;
    one->global = extents_text(record.global);
    one->local = extents_text(record.local);
    one->why = record.reason;
  } else if (record.kind == NETCL_TUNING_RECORD_MEASUREMENT) {
    // What is in quarantine was measured too.
    TunedPoint point;
    point.json = json;
    point.config = config_values(json);
    point.median = record.median;
    point.low = record.interval_low;
    point.high = record.interval_high;
    point.samples = record.samples_count;
    point.outcome = record.outcome;
    point.reason = record.reason;
    one->points.push_back(std::move(point));
  }
}

/// Which points are the best one and the default one: the latter by its time, which is all that
/// the record of the winner says of it.
void mark(TunedCase* one) {
  TunedPoint* standard = nullptr;
  double nearest = 1e-6;
  for (TunedPoint& point : one->points) {
    point.is_best = one->has_best && point.json == one->best_config;
    if (!point.has_time() || !(one->default_ns > 0)) continue;
    const double distance = std::fabs(point.median / one->default_ns - 1);
    if (distance < nearest) {
      nearest = distance;
      standard = &point;
    }
  }
  if (standard != nullptr) standard->is_default = true;
}

const char* named(const char* name, const char* otherwise) {
  return name[0] != '\0' ? name : otherwise;
}

/// How well a case fits the best of the devices.
void compare(const std::vector<Device>& devices, const netcl_library_info& library,
             TunedCase* one) {
  netcl_match best = NETCL_MATCH_OTHER_PART;
  for (const Device& device : devices) {
    netcl_match match = NETCL_MATCH_NONE;
    check(netcl_device_match_record(device.get(), &one->key, &match), "netcl_device_match_record");
    best = std::min(best, match);
  }
  const bool is_op = std::strncmp(one->key.kernel, "op.", 3) == 0;
  if (best == NETCL_MATCH_OTHER_PART) {
    one->unlike =
        std::string("not used: tuned on ") + named(one->key.part, "a device without a name");
    one->used = false;
  } else if (is_op && std::strcmp(one->key.source, library.codegen_version) != 0) {
    one->unlike = "not used: tuned with another version of netcl";
    one->used = false;
  } else if (best == NETCL_MATCH_OTHER_DRIVER) {
    one->unlike = std::string("tuned with ") + (one->key.driver[0] != '\0' ? "the driver " : "") +
                  named(one->key.driver, "a driver without a name");
  }
}

/// Reads the text that begins with a quote at `*at`, without its quotes. Escapes of characters that
/// a terminal should not get stay as they are written.
std::string read_quoted(const std::string& json, size_t* at) {
  std::string text;
  for (++*at; *at < json.size() && json[*at] != '"'; ++*at) {
    if (json[*at] == '\\' && *at + 1 < json.size()) {
      ++*at;
      if (std::strchr("\"\\/", json[*at]) == nullptr) text += '\\';
    }
    text += json[*at];
  }
  ++*at;
  return text;
}

}  // namespace

std::string TunedPoint::value(const std::string& name) const {
  for (const auto& [parameter, text] : config) {
    if (parameter == name) return text;
  }
  return "";
}

std::string TunedCase::shape_text() const {
  std::string text;
  for (uint32_t i = 0; i < key.shape_count; ++i) {
    text += (i == 0 ? "" : "x") + std::to_string(key.shape[i]);
  }
  for (uint32_t i = 0; i < key.scalars_count; ++i) {
    text += (i == 0 ? " (" : ", ") + std::to_string(key.scalars[i]);
  }
  if (key.scalars_count > 0) text += ")";
  return text;
}

std::string TunedCase::title() const {
  std::string text = key.kernel;
  const std::string shape = shape_text();
  if (!shape.empty()) text += " " + shape;
  if (key.dtypes[0] != '\0') text += std::string(" ") + key.dtypes;
  return text;
}

TuningDatabase open_database(const Options& options) {
  TuningDatabase database;
  const std::string path = options.text("--database");
  check(netcl_tuning_database_open(options.has("--database") ? path.c_str() : nullptr,
                                   database.receive()),
        "netcl_tuning_database_open");
  return database;
}

std::vector<TunedCase> tuned_cases(netcl_tuning_database* database,
                                   const std::vector<Device>& devices) {
  std::vector<TunedCase> cases;
  for (uint64_t i = 0;; ++i) {
    netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
    Config config;
    const netcl_status status =
        netcl_tuning_database_get_record(database, i, &record, config.receive());
    if (status == NETCL_ERROR_NOT_FOUND) break;
    check(status, "netcl_tuning_database_get_record");
    take(record, config.get(), &case_of(&cases, record));
  }
  netcl_library_info library = NETCL_LIBRARY_INFO_INIT;
  check(netcl_library_get_info(&library), "netcl_library_get_info");
  for (TunedCase& one : cases) {
    mark(&one);
    compare(devices, library, &one);
  }
  return cases;
}

std::vector<Device> all_devices() {
  uint32_t count = 0;
  check(netcl_device_count(&count), "netcl_device_count");
  std::vector<Device> devices;
  for (uint32_t i = 0; i < count; ++i) {
    Device device;
    if (netcl_device_open(std::to_string(i).c_str(), nullptr, device.receive()) != NETCL_OK) {
      continue;
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

std::string config_json(const netcl_config* config) {
  size_t length = 0;
  check(netcl_config_get_json(config, nullptr, 0, &length), "netcl_config_get_json");
  std::string text(length + 1, '\0');
  check(netcl_config_get_json(config, text.data(), text.size(), nullptr), "netcl_config_get_json");
  text.resize(length);
  return text;
}

ConfigValues config_values(const std::string& json) {
  ConfigValues values;
  for (size_t at = 0; at < json.size();) {
    if (json[at] != '"') {
      ++at;
      continue;
    }
    const std::string name = read_quoted(json, &at);
    at = json.find_first_not_of(": ", at);
    if (at == std::string::npos) break;
    std::string value;
    if (json[at] == '"') {
      value = read_quoted(json, &at);
    } else {
      const size_t end = std::min(json.find_first_of(",} \n", at), json.size());
      value = json.substr(at, end - at);
      at = end;
    }
    values.emplace_back(name, value);
  }
  return values;
}

std::string config_text(const ConfigValues& values) {
  if (values.empty()) return "the default";
  std::string text;
  for (const auto& [name, value] : values) {
    text += (text.empty() ? "" : " ") + name + "=" + value;
  }
  return text;
}

std::string extents_text(const uint64_t* extents) {
  std::string text;
  for (int d = 0; d < 3 && extents[d] != 0; ++d) {
    text += (d == 0 ? "" : "x") + std::to_string(extents[d]);
  }
  return text;
}

std::string work_size_text(const std::string& global, const std::string& local) {
  if (global.empty()) return "";
  return global + " work items, " + (local.empty() ? "as many as the source demands" : local) +
         " in a group";
}

const char* outcome_text(netcl_outcome outcome) {
  static constexpr const char* kNames[] = {"untried", "correct", "constraints", "compile",
                                           "runtime", "wrong",   "guard",       "timeout",
                                           "hang",    "crash",   "slow",        "cancelled"};
  const bool known = outcome >= 0 && outcome <= NETCL_OUTCOME_CANCELLED;
  return known ? kNames[outcome] : "unknown";
}

const char* stop_text(netcl_stop_reason stop) {
  static constexpr const char* kTexts[] = {"running",  "count",     "confidence", "budget",
                                           "roofline", "converged", "exhausted",  "cancelled"};
  return stop >= 0 && stop <= NETCL_STOP_CANCELLED ? kTexts[stop] : "unknown";
}

void print_tuned(const std::vector<TunedCase>& cases) {
  print("%-36s %11s %11s %7s %6s  %s\n", "tuned", "default", "best", "gain", "tried", "choice");
  for (const TunedCase& one : cases) {
    const std::string title = visible(one.title());
    if (!one.has_best) {
      print("%-36s %11s %11s %7s %6zu  %s\n", title.c_str(), "", "", "", one.points.size(),
            "not finished");
      continue;
    }
    const std::string gain = one.gain() > 0 ? format("%.2fx", one.gain()) : "";
    print("%-36s %11s %11s %7s %6zu  %s\n", title.c_str(),
          one.default_ns > 0 ? time_text(one.default_ns).c_str() : "",
          one.best_ns > 0 ? time_text(one.best_ns).c_str() : "", gain.c_str(), one.points.size(),
          visible(config_text(config_values(one.best_config))).c_str());
    if (!one.global.empty()) print("  %s\n", work_size_text(one.global, one.local).c_str());
    if (!one.unlike.empty()) print("  %s\n", visible(one.unlike).c_str());
  }
}

void write_tuned(Json& json, const char* key, const std::vector<TunedCase>& cases) {
  json.begin_array(key);
  for (const TunedCase& one : cases) {
    json.begin_object();
    json.text("kernel", one.key.kernel);
    json.text("shape", one.shape_text());
    json.text("dtypes", one.key.dtypes);
    json.text("layout", one.key.layout);
    json.text("flags", one.key.flags);
    json.text("part", one.key.part);
    json.text("driver", one.key.driver);
    json.boolean("used", one.used);
    if (!one.unlike.empty()) json.text("unlike", one.unlike);
    json.integer("measurements", one.points.size());
    json.integer("timestamp", static_cast<uint64_t>(std::max<int64_t>(one.timestamp, 0)));
    if (one.has_best) {
      json.real("best_ns", one.best_ns);
      json.real("default_ns", one.default_ns);
      json.raw("config", one.best_config);
      if (!one.global.empty()) {
        json.text("global", one.global);
        json.text("local", one.local);
      }
      json.text("why", one.why);
    } else {
      json.null("config");
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace netcl::tool
