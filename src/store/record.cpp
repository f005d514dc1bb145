#include "store/record.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.hpp"
#include "core/number.hpp"
#include "device/part.hpp"

namespace netcl::store {

namespace {

constexpr int64_t kVersion = 1;
constexpr char kChecksum[] = ",\"crc\":\"";
constexpr size_t kDigits = 32;
// ,"crc":"..."}
constexpr size_t kTail = sizeof kChecksum - 1 + kDigits + 2;

constexpr const char* kOutcomes[] = {"unknown", "correct",     "constraints", "compile",
                                     "runtime", "correctness", "guard",       "timeout",
                                     "hang",    "crash",       "slow",        "cancelled"};

constexpr const char* kKinds[] = {"best", "meas", "bad"};

std::string joined(const std::string* const* parts, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += *parts[i];
    text += '\x1f';  // stands in no name, so different keys are different texts
  }
  return text;
}

// Whether the line ends in a checksum of what comes before it.
bool checksum_holds(std::string_view line) {
  if (line.size() < kTail) return false;
  const std::string_view body = line.substr(0, line.size() - kTail);
  const std::string_view tail = line.substr(body.size());
  return tail.substr(0, sizeof kChecksum - 1) == kChecksum &&
         tail.substr(sizeof kChecksum - 1, kDigits) == hex_text(hash128(body)) &&
         tail.substr(kTail - 2) == "\"}";
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return 0.0;
  const double value = found->get<double>();
  return std::isfinite(value) && value > 0.0 ? value : 0.0;
}

// Texts of configurations are texts of C.
bool is_value(const Json& value) {
  if (value.is_string()) return value.get<std::string>().find('\0') == std::string::npos;
  return value.is_boolean() || value.is_number();
}

bool read_integers(const Json& object, const char* name, size_t most, int64_t least,
                   std::vector<int64_t>* out) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array() || found->size() > most) return false;
  for (const Json& integer : *found) {
    if (!integer.is_number_integer() || integer.get<int64_t>() < least) return false;
    out->push_back(integer.get<int64_t>());
  }
  return true;
}

bool read_record(const Json& object, Record* record) {
  const std::string kind = text_of(object, "t");
  const auto known = std::find(std::begin(kKinds), std::end(kKinds), kind);
  if (known == std::end(kKinds)) return false;
  record->kind = static_cast<RecordKind>(known - std::begin(kKinds));
  Key& key = record->key;
  key.kernel = text_of(object, "kernel");
  key.source = text_of(object, "src");
  key.flags = text_of(object, "flags");
  key.dtypes = text_of(object, "dtypes");
  key.layout = text_of(object, "layout");
  key.part = current_part(text_of(object, "part"));
  key.driver = text_of(object, "driver");
  if (key.kernel.empty() || !read_integers(object, "shape", kShapeMost, 0, &key.shape)) {
    return false;
  }
  if (object.find("scalars") != object.end() &&
      !read_integers(object, "scalars", kScalarsMost, INT64_MIN, &key.scalars)) {
    return false;
  }
  record->space = text_of(object, "space");
  record->outcome = outcome_of(text_of(object, "st"));
  if (record->kind == RecordKind::best && !may_be_best(record->outcome)) return false;
  record->reason = text_of(object, "why");
  const auto config = object.find("cfg");
  if (config == object.end() || !config->is_object()) return false;
  for (const auto& [name, value] : config->items()) {
    if (name.find('\0') != std::string::npos || !is_value(value)) return false;
  }
  record->config = *config;
  const auto unset = object.find("unset");
  if (unset != object.end() && unset->is_array()) {
    for (const Json& name : *unset) {
      if (name.is_string()) record->unset.push_back(name.get<std::string>());
    }
  }
  const auto reads = [&](const char* name, std::vector<int64_t>* extents) {
    return object.find(name) == object.end() || read_integers(object, name, 3, 1, extents);
  };
  if (!reads("global", &record->global) || !reads("local", &record->local)) return false;
  const auto times = object.find("ns");
  if (times != object.end() && times->is_object()) {
    record->median_ns = number_of(*times, "med");
    record->low_ns = number_of(*times, "lo");
    record->high_ns = number_of(*times, "hi");
    record->compile_ns = number_of(*times, "compile");
    record->default_ns = number_of(*times, "default");
    const auto samples = times->find("samples");
    if (samples != times->end() && samples->is_array()) {
      for (const Json& sample : *samples) {
        if (sample.is_number()) record->samples.push_back(sample.get<double>());
      }
    }
  }
  const auto stamp = object.find("ts");
  if (stamp != object.end() && stamp->is_number_integer()) {
    record->timestamp = stamp->get<int64_t>();
  }
  return true;
}

}  // namespace

const char* outcome_name(netcl_outcome outcome) {
  const bool known = outcome >= 0 && static_cast<size_t>(outcome) < std::size(kOutcomes);
  return kOutcomes[known ? outcome : NETCL_OUTCOME_UNKNOWN];
}

netcl_outcome outcome_of(std::string_view name) {
  const auto found = std::find(std::begin(kOutcomes), std::end(kOutcomes), name);
  return found == std::end(kOutcomes) ? NETCL_OUTCOME_UNKNOWN
                                      : static_cast<netcl_outcome>(found - std::begin(kOutcomes));
}

bool may_be_best(netcl_outcome outcome) {
  return outcome == NETCL_OUTCOME_CORRECT || outcome == NETCL_OUTCOME_CANCELLED ||
         outcome == NETCL_OUTCOME_UNKNOWN;
}

std::string Key::group() const {
  const std::string family(part_family(part));
  const std::string* const parts[] = {&kernel, &source, &flags, &dtypes, &layout, &family};
  return joined(parts, std::size(parts));
}

std::string Key::text() const {
  std::string text = group() + part + '\x1f' + driver + '\x1f';
  for (const int64_t extent : shape) text += number_text(extent) + ',';
  text += '\x1f';
  for (const int64_t scalar : scalars) text += number_text(scalar) + ',';
  return text;
}

std::string Record::config_text() const {
  std::map<std::string, Json> sorted;
  for (const auto& [name, value] : config.items()) sorted.emplace(name, value);
  Json ordered = Json::object();
  for (const auto& [name, value] : sorted) ordered[name] = value;
  return ordered.dump();
}

std::optional<int64_t> Record::integer(const char* name) const {
  const auto found = config.find(name);
  if (found == config.end()) return std::nullopt;
  if (found->is_boolean()) return found->get<bool>() ? 1 : 0;
  if (!found->is_number_integer()) return std::nullopt;
  return found->get<int64_t>();
}

std::string encode_record(const Record& record) {
  Json line;
  line["v"] = kVersion;
  line["t"] = kKinds[static_cast<size_t>(record.kind)];
  line["kernel"] = record.key.kernel;
  line["src"] = record.key.source;
  line["flags"] = record.key.flags;
  line["dtypes"] = record.key.dtypes;
  line["layout"] = record.key.layout;
  line["shape"] = record.key.shape;
  if (!record.key.scalars.empty()) line["scalars"] = record.key.scalars;
  line["part"] = record.key.part;
  line["driver"] = record.key.driver;
  if (!record.space.empty()) line["space"] = record.space;
  line["cfg"] = record.config;
  for (const std::string& name : record.unset) {
    if (record.integer(name.c_str()) == 0) line["unset"].push_back(name);
  }
  if (!record.global.empty()) {
    line["global"] = record.global;
    if (!record.local.empty()) line["local"] = record.local;
  }
  line["st"] = outcome_name(record.outcome);
  Json times = Json::object();
  times["n"] = record.samples.size();
  times["med"] = record.median_ns;
  times["lo"] = record.low_ns;
  times["hi"] = record.high_ns;
  if (record.compile_ns > 0.0) times["compile"] = record.compile_ns;
  if (record.default_ns > 0.0) times["default"] = record.default_ns;
  times["samples"] = record.samples;
  line["ns"] = std::move(times);
  line["why"] = record.reason;
  line["ts"] = record.timestamp;
  // Bytes that are no UTF-8 come from names that a driver made up.
  std::string text = line.dump();
  text.pop_back();
  const std::string sum = hex_text(hash128(text));
  text += kChecksum + sum + "\"}";
  if (text.size() > kLineMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a tuning record has %zu bytes; the limit is %zu",
         text.size(), kLineMost);
  }
  return text;
}

LineKind decode_line(std::string_view line, Record* record) {
  if (line.size() > kLineMost) return LineKind::damaged;
  try {
    const Json object = parse_json(line, "the line");
    if (!object.is_object()) return LineKind::damaged;
    const auto version = object.find("v");
    if (version == object.end() || !version->is_number_integer()) return LineKind::damaged;
    if (version->get<int64_t>() != kVersion) return LineKind::foreign;
    if (!checksum_holds(line)) return LineKind::damaged;
    *record = Record();
    // A kind of record that a later release added to this version.
    return read_record(object, record) ? LineKind::record : LineKind::foreign;
  } catch (const Error&) {
    return LineKind::damaged;
  }
}

std::string subject_of(const Record& record) {
  std::string text = number_text(static_cast<int>(record.kind)) + record.key.text();
  if (record.kind == RecordKind::measurement) text += record.space + '\x1f';
  if (record.kind != RecordKind::best) text += record.config_text();
  return text;
}

}  // namespace netcl::store
