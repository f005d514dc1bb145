#include "tune/recording.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "core/time_unit.hpp"
#include "kernel/tuned.hpp"
#include "timing/statistics.hpp"
#include "tune/document.hpp"

namespace netcl::tune {

namespace {

// What Kernel Tuner writes, in both formats.
constexpr double kNsOfMs = 1e6;

[[noreturn]] void corrupt(const std::string& what) {
  fail(NETCL_ERROR_CORRUPT_DATA, "recording: %s", what.c_str());
}

std::string shown_text(const Json& json) {
  return quoted((json.is_string() ? json.get<std::string>() : json.dump()).c_str(), 160);
}

// A value as it stands in the name of an entry of a cache file.
Value value_of_text(std::string_view text) {
  if (text == "True" || text == "true") return true;
  if (text == "False" || text == "false") return false;
  int64_t integer = 0;
  if (parse_number(text, &integer)) return integer;
  double real = 0;
  if (parse_number(text, &real)) return real;
  return std::string(text);
}

// The nanoseconds of the unit that an object gives its times in; `outer` where it gives none.
double unit_of(const Json& object, double outer, const std::string& where) {
  for (const char* name : {"timeunit", "time_unit", "unit", "units"}) {
    if (!object.is_object() || !object.contains(name)) continue;
    const Json& unit = object.at(name);
    if (!unit.is_string()) corrupt("\"" + std::string(name) + "\" of " + where + " is no text");
    const std::string text = unit.get<std::string>();
    if (text.empty()) continue;
    const double ns = nanoseconds_per(text);
    if (ns == 0.0) {
      corrupt(where + " has the " + name + " " + quoted(text.c_str()) +
              ", which is none of time; write ns, us, ms or s");
    }
    return ns;
  }
  return outer;
}

double unit_of_document(const Json& document) {
  const double unit = unit_of(document, kNsOfMs, "the document");
  if (!document.is_object() || !document.contains("metadata")) return unit;
  return unit_of(document.at("metadata"), unit, "the metadata");
}

double checked_ns(const Json& time, double unit) {
  const double ns = time.is_number() ? time.get<double>() * unit : 0.0;
  return std::isfinite(ns) && ns > 0.0 && ns < 1e18 ? ns : 0.0;
}

// The measurement that the first objective names, else the median of the run times; 0: it failed.
double time_of(const Json& result, double outer) {
  if (result.contains("invalidity") && result.at("invalidity").is_string() &&
      result.at("invalidity").get<std::string>() != "correct") {
    return 0.0;
  }
  const double unit = unit_of(result, outer, "a result");
  std::string objective = "time";
  if (result.contains("objectives") && result.at("objectives").size() > 0) {
    const Json& first = *result.at("objectives").begin();
    if (first.is_string()) objective = first.get<std::string>();
  }
  if (result.contains("measurements")) {
    for (const Json& one : result.at("measurements")) {
      if (!one.is_object() || !one.contains("name") || !one.contains("value")) continue;
      if (one.at("name").is_string() && one.at("name").get<std::string>() == objective) {
        return checked_ns(one.at("value"), unit_of(one, unit, "measurement " + objective));
      }
    }
  }
  std::vector<double> runs;
  if (result.contains("times") && result.at("times").contains("runtimes")) {
    const Json& times = result.at("times");
    const double own = unit_of(times, unit, "the times of a result");
    for (const Json& run : times.at("runtimes")) runs.push_back(checked_ns(run, own));
  }
  return runs.empty() ? 0.0 : timing::statistics_of(runs).median;
}

// Kernel Tuner closes a file when it ends; one of a run that was killed lacks the end.
Json parse_cache(std::string_view text) {
  try {
    return parse_json(text, "recording");
  } catch (const Error&) {
    if (text.size() > kJsonBytesMost) throw;
    std::string closed(text.substr(0, text.find_last_not_of(" \t\r\n,") + 1));
    closed += "}}";
    try {
      return parse_json(closed, "recording");
    } catch (const Error&) {
    }
    throw;
  }
}

}  // namespace

Recording::Recording(std::string_view text) {
  const Json document = parse_cache(text);
  if (document.is_object() && document.contains("cache")) {
    read_cache(document, unit_of_document(document));
  } else {
    read_results(member_of(document, "results", "recording", "the document"),
                 unit_of_document(document));
  }
  leave_out_partial();
  fill_space();
  fill_times();
}

// The default of a kernel may be no part of its space: then it has fewer parameters, of the space
// or of those that tuners add.
void Recording::leave_out_partial() {
  if (entries_.empty()) corrupt("no configuration has a time");
  const auto most =
      std::max_element(entries_.begin(), entries_.end(), [](const Entry& one, const Entry& other) {
        return one.config.values.size() < other.config.values.size();
      });
  const Config whole = most->config;
  std::erase_if(entries_, [&](const Entry& one) {
    if (one.config.values.size() == whole.values.size()) return false;
    for (const auto& [name, value] : one.config.values) {
      const bool local =
          std::find(std::begin(kTunedLocal), std::end(kTunedLocal), name) != std::end(kTunedLocal);
      if (local || whole.find(name) != nullptr) continue;
      corrupt(one.config.json() + " has other parameters than " + whole.json());
    }
    return true;
  });
}

void Recording::read_results(const Json& results, double unit) {
  if (!results.is_array()) corrupt("\"results\" is no list");
  std::optional<Json> problem;
  for (const Json& result : results) {
    const Json& configuration = member_of(result, "configuration", "recording", "a result");
    if (!configuration.is_object()) corrupt("a configuration is no object");
    if (result.contains("problem")) {
      if (!problem) problem = result.at("problem");
      if (*problem != result.at("problem")) {
        corrupt("results are of several problems, such as " + shown_text(*problem) + " and " +
                shown_text(result.at("problem")));
      }
    }
    Config config;
    for (const auto& [name, value] : configuration.items()) {
      config.values.emplace_back(name, value_of(value, "recording", "a value of " + name));
    }
    entries_.push_back({std::move(config), time_of(result, unit)});
  }
}

void Recording::read_cache(const Json& document, double unit) {
  const Json& keys = member_of(document, "tune_params_keys", "recording", "the document");
  const Json& cache = document.at("cache");
  if (!keys.is_array()) corrupt("\"tune_params_keys\" is no list");
  if (!cache.is_object()) corrupt("\"cache\" is no object");
  std::vector<std::string> names;
  for (const Json& key : keys) {
    if (!key.is_string()) corrupt("\"tune_params_keys\" holds something that is no name");
    names.push_back(key.get<std::string>());
  }
  for (const auto& [entry, found] : cache.items()) {
    Config config;
    std::string_view rest = entry;
    const auto is_named = [&found = found](const std::string& name) {
      return found.is_object() && found.contains(name);
    };
    const auto parts = static_cast<size_t>(std::count(entry.begin(), entry.end(), ',')) + 1;
    if (parts != names.size() && !std::all_of(names.begin(), names.end(), is_named)) {
      corrupt(format("entry %s of the cache has %zu values; \"tune_params_keys\" names %zu",
                     quoted(entry.c_str()).c_str(), parts, names.size()));
    }
    for (size_t i = 0; i < names.size(); ++i) {
      const size_t comma = std::min(rest.find(','), rest.size());
      const bool named = is_named(names[i]);
      config.values.emplace_back(
          names[i], named ? value_of(found.at(names[i]), "recording", "a value of " + names[i])
                          : value_of_text(rest.substr(0, comma)));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    const Json& time =
        found.is_object() ? member_of(found, "time", "recording", "an entry of the cache") : found;
    entries_.push_back({std::move(config), checked_ns(time, unit)});
  }
}

// The values of each parameter in their order, since a search takes those side by side as near.
void Recording::fill_space() {
  for (const auto& [name, first] : entries_[0].config.values) {
    std::vector<Value> values;
    std::unordered_set<std::string> seen;
    for (const Entry& entry : entries_) {
      const Value* const value = entry.config.find(name);
      if (value == nullptr) corrupt(entry.config.json() + " has no " + name);
      if (seen.insert(value_key(*value)).second) values.push_back(*value);
    }
    std::stable_sort(values.begin(), values.end(), [](const Value& a, const Value& b) {
      const auto number = [](const Value& value) {
        if (const auto* integer = std::get_if<int64_t>(&value)) return double(*integer);
        if (const auto* real = std::get_if<double>(&value)) return *real;
        return std::holds_alternative<bool>(value) ? double(std::get<bool>(value)) : 0.0;
      };
      return number(a) < number(b);
    });
    try {
      space_.add(name, std::move(values));
    } catch (const Error& error) {
      corrupt(error.what());
    }
  }
}

// Of two entries of one configuration, however they are written, the later is the one that counts.
void Recording::fill_times() {
  std::vector<std::unordered_map<std::string, const Value*>> known_values;
  for (const Space::Parameter& parameter : space_.parameters()) {
    auto& known = known_values.emplace_back();
    for (const Value& value : parameter.values) known.emplace(value_key(value), &value);
  }
  for (const Entry& entry : entries_) {
    Config own;
    for (size_t i = 0; i < known_values.size(); ++i) {
      const std::string& name = space_.parameters()[i].name;
      own.values.emplace_back(name, *known_values[i].at(value_key(*entry.config.find(name))));
    }
    const auto [known, fresh] = times_.insert_or_assign(own.json(), entry.ns);
    if (fresh) configs_.push_back(std::move(own));
  }
  for (const auto& [name, ns] : times_) {
    if (ns <= 0.0) continue;
    ++valid_;
    if (optimum_ == 0.0 || ns < optimum_) optimum_ = ns;
  }
  if (valid_ == 0) corrupt("no configuration has a time");
}

netcl_replay_result Recording::replay(const netcl_search_options& options) const {
  Search search(space_, configs_, options);
  for (;;) {
    const Turn turn = search.ask();
    if (turn.samples == 0) break;
    const double ns = times_.at(turn.config->json());
    if (ns > 0.0) {
      const std::vector<double> samples(turn.samples, ns);
      search.tell(turn.candidate, samples.data(), samples.size());
    } else {
      search.tell_failure(turn.candidate, NETCL_OUTCOME_RUNTIME, "it has no time in the recording");
    }
  }
  const netcl_search_result found = search.result();
  netcl_replay_result result = NETCL_REPLAY_RESULT_INIT;
  result.recorded = configs_.size();
  result.valid = valid_;
  result.evaluations = found.evaluations;
  result.optimum = optimum_;
  result.best = found.median;
  result.stop = found.stop;
  result.strategy = search.strategy();
  return result;
}

}  // namespace netcl::tune
