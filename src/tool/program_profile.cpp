// SPDX-License-Identifier: Apache-2.0
#include "program_profile.hpp"

#include <algorithm>

#include "json_file.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

constexpr size_t kKernelsMost = 40;

double amount_of(const JsonValue& from, const char* name) {
  const double value = from.number_of(name);
  if (!(value >= 0)) throw ToolError(format("\"%s\" is %g", name, value));
  return value;
}

void read_region(const JsonValue& from, size_t depth, std::vector<RegionRow>* regions) {
  RegionRow row;
  row.name = from.text_of("name");
  row.depth = depth;
  row.calls = from.count_of("calls");
  row.commands = from.count_of("commands");
  row.host_ns = amount_of(from, "host_ns");
  row.device_ns = amount_of(from, "device_ns");
  row.bytes = amount_of(from, "bytes");
  row.operations = amount_of(from, "operations");
  regions->push_back(std::move(row));
  for (const JsonValue& child : from.array_of("children").items) {
    read_region(child, depth + 1, regions);
  }
}

/// The dtype of the operations; null in the file when it is not known or not one.
netcl_dtype read_dtype(const JsonValue& from) {
  const JsonValue* const value = from.find("dtype");
  if (value == nullptr || value->kind == JsonValue::Kind::kNull) return 0;
  const std::string& name = from.text_of("dtype");
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_BOOL; ++dtype) {
    if (name == netcl_dtype_name(dtype)) return dtype;
  }
  throw ToolError("there is no dtype \"" + name + "\"");
}

/// The variant that a kernel of the library is of; its name begins with that of the variant.
std::string variant_of(const std::string& kernel) {
  for (netcl_variant variant = 1; variant <= NETCL_VARIANT_ATTENTION_MATRIX_UNITS; ++variant) {
    const std::string name = netcl_variant_name(variant);
    if (kernel.starts_with("netcl_" + name)) return name;
  }
  return "";
}

netcl_work work_of(const BenchRow& row, bool matrix_units) {
  netcl_work work = NETCL_WORK_INIT;
  work.operations = row.statistics.operations;
  work.bytes = row.statistics.bytes;
  work.bytes_written = std::min(row.statistics.bytes_written, work.bytes);
  work.dtype = row.what.dtype;
  work.matrix_units = matrix_units ? 1 : 0;
  return work;
}

void read_kernel(const JsonValue& from, const std::string& device, ProgramProfile* profile) {
  BenchRow row;
  const uint64_t calls = from.count_of("calls");
  if (calls == 0) throw ToolError("\"calls\" is 0");
  const auto each = [&](const char* name) {
    return amount_of(from, name) / static_cast<double>(calls);
  };
  row.what.op = from.text_of("name");
  row.variant = variant_of(row.what.op);
  row.what.dtype = read_dtype(from);
  row.what.size_note =
      format("up to %llu, %llu %s", static_cast<unsigned long long>(from.count_of("size_to")),
             static_cast<unsigned long long>(calls), calls == 1 ? "call" : "calls");
  row.statistics.median = each("total_ns");
  row.statistics.bytes = each("bytes");
  row.statistics.bytes_written = each("bytes_written");
  row.statistics.operations = each("operations");
  // A profile names a device by its index in that process and, in brackets, by its name.
  const std::string where = from.text_of("device");
  if (where.find("(" + device + ")") == std::string::npos) {
    row.problem = "it ran on " + where + ", whose ceilings these are not";
  }
  profile->works.push_back(work_of(row, from.boolean_of("matrix_units")));
  profile->kernels.push_back(std::move(row));
}

void note_missing(const JsonValue& file, const char* name, const char* what,
                  std::vector<std::string>* notes) {
  const uint64_t count = file.count_of(name);
  if (count == 0) return;
  notes->push_back(format("%llu %s are in no sum: %s", static_cast<unsigned long long>(count),
                          count == 1 ? "command" : "commands", what));
}

void fill(const JsonValue& file, const std::string& device, ProgramProfile* profile) {
  for (const JsonValue& region : file.array_of("regions").items) {
    read_region(region, 0, &profile->regions);
  }
  const std::vector<JsonValue>& kernels = file.array_of("kernels").items;
  double all_ns = 0, left_ns = 0;
  for (const JsonValue& kernel : kernels) {
    const double ns = amount_of(kernel, "total_ns");
    all_ns += ns;
    if (profile->kernels.size() < kKernelsMost) {
      read_kernel(kernel, device, profile);
    } else {
      left_ns += ns;
    }
  }
  if (kernels.size() > kKernelsMost) {
    profile->notes.push_back(format("%zu further kernels are left out, with %.1f%% of the time",
                                    kernels.size() - kKernelsMost,
                                    all_ns > 0 ? 100 * left_ns / all_ns : 0.0));
  }
  note_missing(file, "pending", "they were not complete", &profile->notes);
  note_missing(file, "dropped", "there was no room for them", &profile->notes);
  note_missing(file, "failed", "they failed", &profile->notes);
  note_missing(file, "untimed", "they ran on queues that record no times", &profile->notes);
}

}  // namespace

ProgramProfile read_program_profile(const std::string& path, const std::string& device) {
  ProgramProfile profile;
  const JsonValue file = read_json_file(path);
  try {
    fill(file, device, &profile);
  } catch (const ToolError& problem) {
    throw ToolError(path + " is no profile: " + problem.what());
  }
  return profile;
}

void analyze_profile(netcl_ceilings* ceilings, ProgramProfile* profile) {
  Roofline roofline;
  check(netcl_roofline_create(nullptr, roofline.receive()), "netcl_roofline_create");
  for (size_t i = 0; i < profile->kernels.size(); ++i) {
    BenchRow& row = profile->kernels[i];
    const netcl_work& work = profile->works[i];
    const bool has_work = work.bytes > 0 || work.operations > 0;
    if (!row.problem.empty() || !has_work || !(row.statistics.median > 0)) continue;
    check(netcl_roofline_analyze_time(roofline.get(), ceilings, row.statistics.median, &work,
                                      &row.result),
          "netcl_roofline_analyze_time");
    row.analyzed = true;
  }
}

}  // namespace netcl::tool
