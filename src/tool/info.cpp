// `netcl info`: the library, its devices and its surroundings.
//
// SPDX-License-Identifier: Apache-2.0
#include <netcl.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "commands.hpp"
#include "options.hpp"
#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

/// The variables that netcl reads, then those of loaders and drivers that decide what it finds.
constexpr const char* kVariables[] = {
    "NETCL_BACKEND",         "NETCL_OPENCL_LIBRARY",
    "NETCL_KERNEL_STRATEGY", "NETCL_DEVICE_CLASS",
    "NETCL_VARIANT",         "NETCL_TUNE",
    "NETCL_CACHE_DIR",       "NETCL_NUM_THREADS",
    "NETCL_MAX_CACHED_GB",   "NETCL_ASYNC_H2D",
    "NETCL_PINNED_H2D",      "NETCL_PROFILE_EVENTS",
    "NETCL_CONV_WINOGRAD",   "NETCL_CONV_TILED_LOCAL",
    "NETCL_MATRIX_UNITS",    "NETCL_MPI_LIBRARY",
    "NETCL_NCCL_LIBRARY",    "NETCL_LOG_LEVEL",
    "NETCL_EXIT_TIMEOUT_MS", "NETCL_TRACE",
    "NETCL_WORKER",          "NETCL_COMMAND_BUFFERS",
    "OCL_ICD_VENDORS",       "OCL_ICD_FILENAMES",
    "OPENCL_LAYERS",         "POCL_DEVICES",
    "POCL_CACHE_DIR",        "CUDA_VISIBLE_DEVICES",
};

struct DeviceReport {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  std::string problem;  ///< why the device could not be opened; empty when it was
  bool is_auto = false;
  std::string words;
};

struct Report {
  netcl_library_info library = NETCL_LIBRARY_INFO_INIT;
  netcl_program_cache_info cache = NETCL_PROGRAM_CACHE_INFO_INIT;
  std::vector<DeviceReport> devices;
  std::string diagnosis;
};

bool is_same_device(const netcl_device_info& a, const netcl_device_info& b) {
  return a.backend == b.backend && a.platform_index == b.platform_index &&
         a.device_index == b.device_index;
}

DeviceReport describe(uint32_t index) {
  DeviceReport report;
  check(netcl_device_describe(index, &report.info), "netcl_device_describe");
  Device device;
  const std::string selector = std::to_string(index);
  if (netcl_device_open(selector.c_str(), nullptr, device.receive()) != NETCL_OK) {
    report.problem = netcl_last_error_message();
    return report;
  }
  check(netcl_device_get_capabilities(device.get(), &report.capabilities),
        "netcl_device_get_capabilities");
  return report;
}

/// Which words select which device; not every word has one.
void mark_selectors(std::vector<DeviceReport>& devices) {
  for (const char* word : {"auto", "gpu", "accel", "cpu"}) {
    Device device;
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    if (netcl_device_open(word, nullptr, device.receive()) != NETCL_OK) continue;
    check(netcl_device_get_info(device.get(), &info), "netcl_device_get_info");
    for (DeviceReport& report : devices) {
      if (!is_same_device(report.info, info)) continue;
      report.is_auto |= std::strcmp(word, "auto") == 0;
      report.words += std::string(", ") + word;
    }
  }
}

std::string diagnose() {
  size_t length = 0;
  check(netcl_device_diagnose(nullptr, 0, &length), "netcl_device_diagnose");
  std::string text(length + 1, '\0');
  check(netcl_device_diagnose(text.data(), text.size(), nullptr), "netcl_device_diagnose");
  text.resize(std::strlen(text.c_str()));
  return text;
}

Report collect_report() {
  Report report;
  check(netcl_library_get_info(&report.library), "netcl_library_get_info");
  uint32_t count = 0;
  check(netcl_device_count(&count), "netcl_device_count");
  for (uint32_t i = 0; i < count; ++i) report.devices.push_back(describe(i));
  mark_selectors(report.devices);
  report.diagnosis = diagnose();
  check(netcl_program_cache_get_info(&report.cache), "netcl_program_cache_get_info");
  return report;
}

/// One capability in words and for programs; both outputs show the same list in the same order.
struct Capability {
  enum class Unit { kFlag, kCount, kBytes, kMegahertz, kNanoseconds };
  const char* label;
  const char* key;
  Unit unit;
  uint64_t value;
};

std::vector<Capability> capability_rows(const netcl_device_capabilities& c) {
  using Unit = Capability::Unit;
  return {
      {"compute units", "compute_units", Unit::kCount, c.compute_units},
      {"clock", "max_clock_mhz", Unit::kMegahertz, c.max_clock_mhz},
      {"global memory", "global_memory_bytes", Unit::kBytes, c.global_memory_bytes},
      {"largest allocation", "max_allocation_bytes", Unit::kBytes, c.max_allocation_bytes},
      {"global cache", "global_cache_bytes", Unit::kBytes, c.global_cache_bytes},
      {"local memory", "local_memory_bytes", Unit::kBytes, c.local_memory_bytes},
      {"constant memory", "max_constant_bytes", Unit::kBytes, c.max_constant_bytes},
      {"base alignment", "mem_base_align_bytes", Unit::kBytes, c.mem_base_align_bytes},
      {"group size, at most", "max_work_group_size", Unit::kCount, c.max_work_group_size},
      {"subgroup size", "subgroup_size", Unit::kCount, c.subgroup_size},
      {"f32 vector width", "preferred_vector_width_f32", Unit::kCount,
       c.preferred_vector_width_f32},
      {"timer resolution", "timer_resolution_ns", Unit::kNanoseconds, c.timer_resolution_ns},
      {"fp16 arithmetic", "fp16", Unit::kFlag, c.fp16},
      {"fp16 announced", "fp16_announced", Unit::kFlag, c.fp16_announced},
      {"fp64 arithmetic", "fp64", Unit::kFlag, c.fp64},
      {"subgroups", "subgroups", Unit::kFlag, c.subgroups},
      {"int64 atomics", "int64_atomics", Unit::kFlag, c.int64_atomics},
      {"shared virtual memory", "svm", Unit::kFlag, c.svm},
      {"shares host memory", "integrated", Unit::kFlag, c.integrated},
      {"out-of-order queues", "out_of_order", Unit::kFlag, c.out_of_order},
      {"SPIR-V", "il", Unit::kFlag, c.il},
      {"matrix units", "matrix_units", Unit::kFlag,
       static_cast<uint64_t>(c.matrix_units != NETCL_MATRIX_UNITS_NONE)},
  };
}

std::string value_text(const Capability& row) {
  const auto number = static_cast<unsigned long long>(row.value);
  switch (row.unit) {
    case Capability::Unit::kFlag:
      return row.value != 0 ? "yes" : "no";
    case Capability::Unit::kBytes:
      return bytes_text(row.value);
    // Some drivers and virtual machines do not tell the clock.
    case Capability::Unit::kMegahertz:
      return number != 0 ? format("%llu MHz", number) : "unknown";
    case Capability::Unit::kNanoseconds:
      return format("%llu ns", number);
    case Capability::Unit::kCount:
      break;
  }
  return format("%llu", number);
}

std::string uuid_text(const netcl_device_info& info) {
  if (info.has_uuid == 0) return {};
  std::string text;
  for (size_t i = 0; i < sizeof info.uuid; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += format("%02x", info.uuid[i]);
  }
  return text;
}

std::string selectors_text(size_t index, const DeviceReport& report) {
  std::string text = std::to_string(index);
  if (report.info.backend == NETCL_BACKEND_BUILTIN) {
    text += ", builtin";
  } else {
    text += format(", %u:%u", report.info.platform_index, report.info.device_index);
  }
  return text + report.words;
}

void print_row(const char* label, const std::string& value) {
  print("  %-22s  %s\n", label, value.c_str());
}

void print_device(size_t index, const DeviceReport& report) {
  const netcl_device_info& info = report.info;
  const netcl_device_capabilities& c = report.capabilities;
  print("\ndevice %zu: %s\n", index, info.name);
  print_row("selectors", selectors_text(index, report));
  print_row("backend", backend_name(info.backend));
  print_row("type", device_type_name(info.type));
  print_row("vendor", info.vendor);
  if (info.platform_name[0] != '\0') print_row("platform", info.platform_name);
  print_row("version", info.version);
  print_row("driver", info.driver_version);
  if (info.has_uuid != 0) print_row("uuid", uuid_text(info));
  if (!report.problem.empty()) {
    print_row("cannot be opened", report.problem);
    return;
  }
  print_row("kernel strategy", strategy_name(c.strategy));
  for (const Capability& row : capability_rows(c)) print_row(row.label, value_text(row));
  print_row("dimensions, at most", std::to_string(c.max_work_item_dimensions));
  const auto size = [&](int i) { return std::to_string(c.max_work_item_sizes[i]); };
  print_row("items, at most", size(0) + " x " + size(1) + " x " + size(2));
}

void print_cache(const netcl_program_cache_info& cache) {
  print("\nprogram cache\n");
  print_row("folder", cache.directory[0] != '\0' ? cache.directory : "none: the disk cache is off");
  const auto count = [](uint64_t value) { return std::to_string(value); };
  print_row("in memory", count(cache.programs_in_memory) + " programs, " +
                             count(cache.memory_hits) + " hits, " + count(cache.memory_misses) +
                             " misses");
  print_row("on disk", count(cache.disk_hits) + " hits, " + count(cache.disk_misses) + " misses, " +
                           count(cache.disk_rejected) + " rejected, " + count(cache.disk_writes) +
                           " written");
  print_row("compiled from source", count(cache.source_builds));
}

void print_text(const Report& report) {
  const netcl_library_info& library = report.library;
  print("netcl %s\n", library.version);
  print_row("abi", std::to_string(library.abi_version));
  print_row("compiler", library.compiler);
  print_row("build type", library.build_type);
  print_row("instruction set", library.simd_target);
  print_row("code generation", library.codegen_version);
  for (size_t i = 0; i < report.devices.size(); ++i) print_device(i, report.devices[i]);
  print_cache(report.cache);
  print("\nenvironment\n");
  for (const char* name : kVariables) {
    const char* value = std::getenv(name);
    print_row(name, value != nullptr ? format("\"%s\"", value) : "not set");
  }
  print("\ndiagnosis\n");
  for (size_t begin = 0; begin < report.diagnosis.size();) {
    const size_t end = std::min(report.diagnosis.find('\n', begin), report.diagnosis.size());
    print("  %s\n", report.diagnosis.substr(begin, end - begin).c_str());
    begin = end + 1;
  }
}

void write_device(Json& json, const DeviceReport& report) {
  const netcl_device_info& info = report.info;
  const bool is_opencl = info.backend == NETCL_BACKEND_OPENCL;
  json.begin_object();
  json.text("name", info.name);
  json.text("backend", is_opencl ? "opencl" : "builtin");
  json.text("type", device_type_name(info.type));
  json.boolean("is_auto", report.is_auto);
  // The built-in device has no place in the list of platforms.
  is_opencl ? json.integer("platform_index", info.platform_index) : json.null("platform_index");
  is_opencl ? json.integer("device_index", info.device_index) : json.null("device_index");
  json.text("vendor", info.vendor);
  json.text("platform_name", info.platform_name);
  json.text("version", info.version);
  json.text("driver_version", info.driver_version);
  info.has_uuid != 0 ? json.text("uuid", uuid_text(info)) : json.null("uuid");
  if (!report.problem.empty()) {
    json.text("problem", report.problem);
  } else {
    const netcl_device_capabilities& c = report.capabilities;
    json.begin_object("capabilities");
    json.text("strategy", strategy_name(c.strategy));
    for (const Capability& row : capability_rows(c)) {
      const bool is_flag = row.unit == Capability::Unit::kFlag;
      is_flag ? json.boolean(row.key, row.value != 0) : json.integer(row.key, row.value);
    }
    json.integer("max_work_item_dimensions", c.max_work_item_dimensions);
    json.integers("max_work_item_sizes", c.max_work_item_sizes, 3);
    json.end_object();
  }
  json.end_object();
}

void write_cache(Json& json, const netcl_program_cache_info& cache) {
  json.begin_object("program_cache");
  json.text("directory", cache.directory);
  json.integer("memory_hits", cache.memory_hits);
  json.integer("memory_misses", cache.memory_misses);
  json.integer("disk_hits", cache.disk_hits);
  json.integer("disk_misses", cache.disk_misses);
  json.integer("disk_rejected", cache.disk_rejected);
  json.integer("disk_writes", cache.disk_writes);
  json.integer("source_builds", cache.source_builds);
  json.integer("programs_in_memory", cache.programs_in_memory);
  json.end_object();
}

void write_json(const Report& report) {
  Json json;
  json.begin_object();
  json.begin_object("library");
  json.text("version", report.library.version);
  json.integer("version_number", report.library.version_number);
  json.integer("abi_version", report.library.abi_version);
  json.text("compiler", report.library.compiler);
  json.text("build_type", report.library.build_type);
  json.text("simd_target", report.library.simd_target);
  json.text("codegen_version", report.library.codegen_version);
  json.end_object();
  json.begin_array("devices");
  for (const DeviceReport& device : report.devices) write_device(json, device);
  json.end_array();
  write_cache(json, report.cache);
  json.begin_object("environment");
  for (const char* name : kVariables) {
    const char* value = std::getenv(name);
    value != nullptr ? json.text(name, value) : json.null(name);
  }
  json.end_object();
  json.text("diagnosis", report.diagnosis);
  json.end_object();
}

int info(int argc, char** argv) {
  const Options options(argc, argv, {"--json"}, {});
  if (!options.words().empty()) throw UsageProblem("unknown argument", options.words()[0]);
  const Report report = collect_report();
  options.has("--json") ? write_json(report) : print_text(report);
  return kExitSuccess;
}

}  // namespace

int run_info(const Command& self, int argc, char** argv) {
  return with_usage(self, info, argc, argv);
}

}  // namespace netcl::tool
