#include "device/part.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/error.hpp"
#include "core/utf8.hpp"

namespace netcl {

namespace {

constexpr char kMemoryUnit[] = "GiB";

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// What stands behind "name : " in a line of /proc/cpuinfo; empty when the line has another name.
std::string_view value_of(std::string_view line, std::string_view name) {
  if (line.substr(0, name.size()) != name) return {};
  const size_t colon = line.find_first_not_of(" \t", name.size());
  if (colon == std::string_view::npos || line[colon] != ':') return {};
  const size_t first = line.find_first_not_of(" \t\n", colon + 1);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\n") + 1 - first);
}

// The first processor of the machine: its name on x86 and POWER, the numbers of its design on ARM.
std::string read_processor() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/cpuinfo", "re"), std::fclose);
  std::string text;
  char line[4096];
  while (file != nullptr && std::fgets(line, sizeof line, file.get()) != nullptr) {
    // The lines up to the first empty one are about the first processor.
    if (line[0] == '\n') break;
    for (const char* name : {"model name", "cpu", "CPU implementer", "CPU part", "uarch"}) {
      const std::string_view value = value_of(line, name);
      if (!value.empty()) text += (text.empty() ? "" : " ") + std::string(value);
    }
  }
  std::replace(text.begin(), text.end(), '|', '/');
  return text;
}

// Ops ask for it at each look-up, and the system takes long to write that file.
struct Processor {
  std::atomic<bool> taken{false};
  std::atomic<bool> ready{false};
  char text[160] = {};
};
Processor g_processor;

std::string processor() {
  if (g_processor.ready.load(std::memory_order_acquire)) return g_processor.text;
  const std::string text = read_processor().substr(0, sizeof g_processor.text - 1);
  // No lock, which a forked child might find taken: whoever comes second reads the file too.
  if (!g_processor.taken.exchange(true)) {
    std::memcpy(g_processor.text, text.data(), text.size());
    g_processor.ready.store(true, std::memory_order_release);
  }
  return text;
}

// "netcl built-in CPU (AVX2, 8 threads)": the threads are the caller's choice.
std::string without_threads(std::string name) {
  const size_t comma = name.rfind(", ");
  const size_t tail = name.rfind(" threads)");
  if (comma == std::string::npos || tail == std::string::npos || comma + 2 > tail) return name;
  if (!is_number(std::string_view(name).substr(comma + 2, tail - comma - 2))) return name;
  return name.substr(0, comma) + ")";
}

std::string_view detail_of(std::string_view part) {
  const size_t family = part_family(part).size();
  return family == part.size() ? std::string_view() : part.substr(family + 1);
}

}  // namespace

std::string device_part(const netcl_device_info& info,
                        const netcl_device_capabilities& capabilities) {
  // Drivers make up names in any encoding.
  std::string part = utf8_escaped(info.vendor) + "|";
  if (info.backend == NETCL_BACKEND_BUILTIN) {
    return part + without_threads(info.name) + "|" + utf8_escaped(processor());
  }
  part += utf8_escaped(info.name);
  if (info.type == NETCL_DEVICE_CPU) return part;
  return part + format("|%u", capabilities.compute_units);
}

std::string device_driver(const netcl_device_info& info) {
  return utf8_escaped(format("%s|%s", info.version, info.driver_version));
}

std::string current_part(std::string_view stored) {
  const size_t memory = stored.rfind('|');
  if (memory == std::string_view::npos) return std::string(stored);
  const std::string_view size = stored.substr(memory + 1);
  const std::string_view before = stored.substr(0, memory);
  const size_t units = before.rfind('|');
  constexpr size_t kUnit = sizeof kMemoryUnit - 1;
  if (size.size() <= kUnit || size.substr(size.size() - kUnit) != kMemoryUnit ||
      !is_number(size.substr(0, size.size() - kUnit)) || units == std::string_view::npos ||
      !is_number(before.substr(units + 1))) {
    return std::string(stored);
  }
  return without_threads(std::string(before.substr(0, units))) + std::string(before.substr(units));
}

std::string_view part_family(std::string_view part) {
  const size_t name = part.find('|');
  return name == std::string_view::npos ? part : part.substr(0, part.find('|', name + 1));
}

bool part_serves(std::string_view stored, std::string_view asked) {
  if (stored == asked) return true;
  return part_family(stored) == part_family(asked) && is_number(detail_of(stored)) &&
         !is_number(detail_of(asked));
}

}  // namespace netcl
