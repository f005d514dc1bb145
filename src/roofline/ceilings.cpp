#include "roofline/ceilings.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "core/dtype.hpp"
#include "core/json.hpp"

namespace netcl::roofline {

namespace {

constexpr const char* kKindNames[] = {"memory_read",
                                      "memory_write",
                                      "memory_copy",
                                      "cache_read",
                                      "cache_write",
                                      "cache_copy",
                                      "compute",
                                      "tensor",
                                      "launch",
                                      "host_to_device",
                                      "device_to_host",
                                      "host_to_device_pinned",
                                      "device_to_host_pinned"};
constexpr netcl_ceiling_kind kKindLast = NETCL_CEILING_DEVICE_TO_HOST_PINNED;
static_assert(std::size(kKindNames) == kKindLast);
// A table has a row for each kind, dtype and working set; a file of more is not one of ours.
constexpr size_t kRowsMost = 4096;
constexpr uint64_t kFormat = 1;

auto place(const netcl_ceiling& row) { return std::tie(row.kind, row.dtype, row.working_set); }

bool of_dtype(netcl_ceiling_kind kind) {
  return kind == NETCL_CEILING_COMPUTE || kind == NETCL_CEILING_TENSOR;
}

bool of_cache(netcl_ceiling_kind kind) {
  return kind >= NETCL_CEILING_CACHE_READ && kind <= NETCL_CEILING_CACHE_COPY;
}

[[noreturn]] void wrong_member(const char* what, const char* member, const char* wanted) {
  fail(NETCL_ERROR_CORRUPT_DATA, "%s: member \"%s\" is missing or not %s", what, member, wanted);
}

const Json& member(const Json& object, const char* name, const char* what, const char* wanted) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end()) wrong_member(what, name, wanted);
  return *found;
}

uint64_t natural(const Json& object, const char* name, const char* what) {
  const Json& value = member(object, name, what, "a natural number");
  if (!value.is_number_unsigned()) wrong_member(what, name, "a natural number");
  return value.get<uint64_t>();
}

double real(const Json& object, const char* name, const char* what) {
  const Json& value = member(object, name, what, "a number");
  if (!value.is_number()) wrong_member(what, name, "a number");
  return value.get<double>();
}

bool truth(const Json& object, const char* name, const char* what) {
  const Json& value = member(object, name, what, "true or false");
  if (!value.is_boolean()) wrong_member(what, name, "true or false");
  return value.get<bool>();
}

std::string text(const Json& object, const char* name, const char* what) {
  const Json& value = member(object, name, what, "a text");
  if (!value.is_string()) wrong_member(what, name, "a text");
  return value.get<std::string>();
}

netcl_ceiling row_from(const Json& json, const char* what) {
  netcl_ceiling row{};
  const std::string kind = text(json, "kind", what);
  const auto name = std::find(std::begin(kKindNames), std::end(kKindNames), kind);
  if (name == std::end(kKindNames)) wrong_member(what, "kind", "the name of a kind of ceiling");
  row.kind = static_cast<netcl_ceiling_kind>(name - std::begin(kKindNames)) + 1;
  if (json.contains("dtype")) {
    const std::string wanted = text(json, "dtype", what);
    for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_BOOL; ++dtype) {
      if (wanted == dtype_facts(dtype).name) row.dtype = dtype;
    }
    if (row.dtype == 0) wrong_member(what, "dtype", "the name of a dtype");
  }
  if (json.contains("working_set")) row.working_set = natural(json, "working_set", what);
  row.value = real(json, "value", what);
  row.spread = real(json, "spread", what);
  row.given = truth(json, "given", what);
  row.disproved = truth(json, "disproved", what);
  return row;
}

}  // namespace

const char* ceiling_kind_name(netcl_ceiling_kind kind) noexcept {
  return kind >= NETCL_CEILING_MEMORY_READ && kind <= kKindLast ? kKindNames[kind - 1] : "invalid";
}

void check_row(const netcl_ceiling& row) {
  if (row.kind < NETCL_CEILING_MEMORY_READ || row.kind > kKindLast) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "row->kind is %d, which is no netcl_ceiling_kind", row.kind);
  }
  const char* const name = ceiling_kind_name(row.kind);
  if (of_dtype(row.kind)) {
    dtype_facts(row.dtype, "row->dtype");
  } else if (row.dtype != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "row->dtype is %d; a row of %s has none, which is 0",
         row.dtype, name);
  }
  if (of_cache(row.kind) != (row.working_set != 0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "row->working_set is %llu; it is above 0 for caches, and 0 for %s and the others",
         static_cast<unsigned long long>(row.working_set), of_cache(row.kind) ? "memory" : name);
  }
  if (!(row.value > 0.0) || std::isinf(row.value)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "row->value is %g; it is finite and above 0", row.value);
  }
  if (!(row.spread >= 0.0) || std::isinf(row.spread)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "row->spread is %g; it is finite and not negative",
         row.spread);
  }
}

void CeilingTable::put(const netcl_ceiling& row) {
  const auto at = std::lower_bound(
      rows.begin(), rows.end(), row,
      [](const netcl_ceiling& a, const netcl_ceiling& b) { return place(a) < place(b); });
  if (at != rows.end() && place(*at) == place(row)) {
    *at = row;
  } else {
    rows.insert(at, row);
  }
}

std::string to_json(const CeilingTable& table) {
  Json json;
  json["netcl_ceilings"] = kFormat;
  json["device"] = table.device;
  json["driver"] = table.driver;
  if (table.units != 0) json["units"] = table.units;
  json["time_ns"] = table.time_ns;
  json["spent_ns"] = table.spent_ns;
  json["rows"] = Json::array();
  for (const netcl_ceiling& row : table.rows) {
    Json line;
    line["kind"] = ceiling_kind_name(row.kind);
    if (row.dtype != 0) line["dtype"] = dtype_facts(row.dtype).name;
    if (row.working_set != 0) line["working_set"] = row.working_set;
    line["value"] = row.value;
    line["spread"] = row.spread;
    line["given"] = row.given != 0;
    line["disproved"] = row.disproved != 0;
    json["rows"].push_back(std::move(line));
  }
  // Names come from drivers and need not be UTF-8.
  return json.dump(1) + "\n";
}

CeilingTable from_json(std::string_view bytes, const char* what) {
  const Json json = parse_json(bytes, what);
  if (natural(json, "netcl_ceilings", what) != kFormat) {
    wrong_member(what, "netcl_ceilings", "1, the format that this version reads");
  }
  CeilingTable table;
  table.device = text(json, "device", what);
  table.driver = text(json, "driver", what);
  if (json.contains("units")) {
    const uint64_t units = natural(json, "units", what);
    table.units = static_cast<uint32_t>(std::min<uint64_t>(units, UINT32_MAX));
  }
  table.time_ns = natural(json, "time_ns", what);
  table.spent_ns = natural(json, "spent_ns", what);
  const Json& rows = member(json, "rows", what, "a list");
  if (!rows.is_array() || rows.size() > kRowsMost) {
    wrong_member(what, "rows", format("a list of up to %zu rows", kRowsMost).c_str());
  }
  for (const Json& line : rows) {
    const netcl_ceiling row = row_from(line, what);
    try {
      check_row(row);
    } catch (const Error& error) {
      fail(NETCL_ERROR_CORRUPT_DATA, "%s: %s", what, error.what());
    }
    table.put(row);
  }
  if (table.rows.size() < rows.size()) {
    fail(NETCL_ERROR_CORRUPT_DATA, "%s: two rows have one kind, dtype and working set", what);
  }
  return table;
}

// ---- Ceilings -----------------------------------------------------------------------------------

CeilingTable Ceilings::table() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return table_;
}

void Ceilings::set(const netcl_ceiling& row) {
  check_row(row);
  netcl_ceiling kept = row;
  kept.given = 1;
  kept.disproved = 0;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (table_.rows.size() >= kRowsMost) {
    fail(NETCL_ERROR_BUSY, "the ceilings have %zu rows, which is the limit", kRowsMost);
  }
  table_.put(kept);
}

const netcl_ceiling* Ceilings::find(netcl_ceiling_kind kind, netcl_dtype dtype) const {
  for (const netcl_ceiling& row : table_.rows) {
    if (row.kind == kind && row.dtype == dtype) return &row;
  }
  return nullptr;
}

std::optional<FoundCeiling> Ceilings::memory(netcl_ceiling_kind access, double bytes,
                                             bool cold) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const netcl_ceiling_kind cache = access - NETCL_CEILING_MEMORY_READ +
                                   static_cast<netcl_ceiling_kind>(NETCL_CEILING_CACHE_READ);
  std::optional<FoundCeiling> found;
  if (const netcl_ceiling* row = find(access, 0)) {
    found = FoundCeiling{row->value, row->kind, row->dtype, row->working_set};
  }
  if (cold) return found;
  // From the largest set down to the one below `bytes`. A larger set cannot be faster, whatever one
  // noisy row says.
  for (auto row = table_.rows.rbegin(); row != table_.rows.rend(); ++row) {
    if (row->kind != cache) continue;
    const auto size = static_cast<double>(row->working_set);
    const double value = found ? std::max(row->value, found->value) : row->value;
    if (size < bytes) {
      const bool between = found && found->kind == cache;
      if (!between) break;
      // Caches do not end at the sizes that were measured: rates between two of them follow.
      const double share =
          std::log(bytes / size) / std::log(static_cast<double>(found->working_set) / size);
      found->value = value * std::pow(found->value / value, share);
      break;
    }
    found = FoundCeiling{value, row->kind, row->dtype, row->working_set};
  }
  return found;
}

std::optional<FoundCeiling> Ceilings::compute(netcl_dtype dtype, bool matrix_units) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const netcl_ceiling_kind kind = matrix_units ? NETCL_CEILING_TENSOR : NETCL_CEILING_COMPUTE;
  const netcl_ceiling* row = find(kind, dtype);
  if (row == nullptr && !matrix_units) {
    const bool narrow = dtype == NETCL_F16 || dtype == NETCL_BF16;
    const bool floating = dtype_facts(dtype).kind == DtypeClass::floating;
    if (narrow) row = find(kind, NETCL_F32);
    if (!floating) row = find(kind, NETCL_I32);
  }
  if (row == nullptr) return std::nullopt;
  return FoundCeiling{row->value, row->kind, row->dtype, row->working_set};
}

void Ceilings::disprove(const FoundCeiling& ceiling) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (netcl_ceiling& row : table_.rows) {
    if (row.kind != ceiling.kind || row.dtype != ceiling.dtype ||
        row.working_set != ceiling.working_set) {
      continue;
    }
    row.disproved = 1;
    // What the caller set says nothing about what was measured.
    if (row.given == 0) disproved_->store(true, std::memory_order_relaxed);
  }
}

}  // namespace netcl::roofline
