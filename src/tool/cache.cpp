// `netcl cache`: what the library keeps on disk.
//
// SPDX-License-Identifier: Apache-2.0
#include <netcl.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <ctime>

#include "options.hpp"
#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

struct Entries {
  std::string directory;  ///< empty: the disk cache is off
  std::vector<netcl_program_cache_entry> programs;
  uint64_t bytes = 0;
  uint64_t damaged = 0;
  uint64_t ceilings = 0;  ///< files of measured ceilings
  uint64_t ceilings_bytes = 0;
  netcl_tuning_database_info tuning = NETCL_TUNING_DATABASE_INFO_INIT;
};

TuningDatabase tuning_database() {
  TuningDatabase database;
  check(netcl_tuning_database_open(nullptr, database.receive()), "netcl_tuning_database_open");
  return database;
}

/// Calls fn(path, facts) for each entry of a folder whose name is a hash.
template <typename Fn>
void for_each_hash(const std::string& folder, const Fn& fn) {
  DIR* const stream = opendir(folder.c_str());
  if (stream == nullptr) return;
  while (const struct dirent* item = readdir(stream)) {
    if (std::strlen(item->d_name) != 32 || std::strspn(item->d_name, "0123456789abcdef") != 32) {
      continue;
    }
    const std::string path = folder + "/" + item->d_name;
    struct stat facts;
    if (lstat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode)) fn(path, facts);
  }
  closedir(stream);
}

Entries collect_entries() {
  Entries entries;
  netcl_program_cache_info info = NETCL_PROGRAM_CACHE_INFO_INIT;
  check(netcl_program_cache_get_info(&info), "netcl_program_cache_get_info");
  entries.directory = info.directory;
  for (uint32_t i = 0;; ++i) {
    netcl_program_cache_entry entry = NETCL_PROGRAM_CACHE_ENTRY_INIT;
    const netcl_status status = netcl_program_cache_get_entry(i, &entry);
    if (status == NETCL_ERROR_NOT_FOUND) break;
    check(status, "netcl_program_cache_get_entry");
    entries.bytes += entry.bytes;
    if (entry.sound == 0) ++entries.damaged;
    entries.programs.push_back(entry);
  }
  for_each_hash(entries.directory + "/ceilings", [&](const std::string&, const struct stat& facts) {
    ++entries.ceilings;
    entries.ceilings_bytes += static_cast<uint64_t>(facts.st_size);
  });
  check(netcl_tuning_database_get_info(tuning_database().get(), &entries.tuning),
        "netcl_tuning_database_get_info");
  return entries;
}

std::string age_text(uint64_t used_ns) {
  const double seconds =
      static_cast<double>(std::time(nullptr)) - static_cast<double>(used_ns) * 1e-9;
  if (seconds < 120) return "just now";
  if (seconds < 7200) return format("%.0f min ago", seconds / 60);
  if (seconds < 172800) return format("%.0f h ago", seconds / 3600);
  return format("%.0f days ago", seconds / 86400);
}

void print_summary(const Entries& entries) {
  print("folder    %s\n", entries.directory.c_str());
  print("programs  %zu, %s\n", entries.programs.size(), bytes_text(entries.bytes).c_str());
  print("ceilings  %llu, %s\n", static_cast<unsigned long long>(entries.ceilings),
        bytes_text(entries.ceilings_bytes).c_str());
  print("tuning    %llu, %s\n", static_cast<unsigned long long>(entries.tuning.records),
        bytes_text(entries.tuning.bytes).c_str());
  if (entries.damaged > 0) {
    print("damaged   %llu\n", static_cast<unsigned long long>(entries.damaged));
  }
  if (entries.tuning.damaged > 0) {
    print("damaged   %llu lines of %s\n", static_cast<unsigned long long>(entries.tuning.damaged),
          entries.tuning.path);
  }
}

void print_programs(const Entries& entries, bool damaged_only) {
  for (const netcl_program_cache_entry& entry : entries.programs) {
    if (damaged_only && entry.sound != 0) continue;
    print(
        "%.8s %10s %13s  %s\n", entry.name, bytes_text(entry.bytes).c_str(),
        age_text(entry.used_ns).c_str(),
        entry.sound != 0 ? format("%s (%s)", entry.kernels, entry.device).c_str() : entry.problem);
  }
}

void write_entries(const Entries& entries, bool with_programs) {
  Json json;
  json.begin_object();
  json.text("directory", entries.directory);
  json.integer("programs_count", entries.programs.size());
  json.integer("programs_bytes", entries.bytes);
  json.integer("damaged_count", entries.damaged);
  json.integer("ceilings_count", entries.ceilings);
  json.integer("ceilings_bytes", entries.ceilings_bytes);
  json.text("tuning_database", entries.tuning.path);
  json.integer("tuning_records", entries.tuning.records);
  json.integer("tuning_bytes", entries.tuning.bytes);
  json.integer("tuning_damaged", entries.tuning.damaged);
  if (with_programs) {
    json.begin_array("programs");
    for (const netcl_program_cache_entry& entry : entries.programs) {
      json.begin_object();
      json.text("name", entry.name);
      json.integer("bytes", entry.bytes);
      json.integer("used_ns", entry.used_ns);
      json.boolean("sound", entry.sound != 0);
      json.text("device", entry.device);
      json.text("kernels", entry.kernels);
      if (entry.sound == 0) json.text("problem", entry.problem);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void clear(const Entries& entries, bool ceilings, bool tuning) {
  check(netcl_program_cache_clear(1), "netcl_program_cache_clear");
  if (tuning) {
    check(netcl_tuning_database_clear(tuning_database().get(), nullptr),
          "netcl_tuning_database_clear");
  }
  if (!ceilings) return;
  for_each_hash(entries.directory + "/ceilings",
                [](const std::string& path, const struct stat&) { unlink(path.c_str()); });
}

int cache(int argc, char** argv) {
  const Options options(argc, argv, {"--json", "--ceilings", "--tuning"}, {});
  const std::string verb = options.words().empty() ? "size" : options.words()[0];
  if (options.words().size() > 1) throw UsageProblem("unknown argument", options.words()[1]);
  if (verb != "list" && verb != "size" && verb != "verify" && verb != "clear") {
    throw UsageProblem("there is no action", verb);
  }
  for (const char* name : {"--ceilings", "--tuning"}) {
    if (options.has(name) && verb != "clear") throw UsageProblem("only clear takes", name);
  }
  Entries entries = collect_entries();
  if (entries.directory.empty()) {
    throw ToolError("there is no disk cache; netcl info says which folder was tried and why");
  }
  if (verb == "clear") {
    clear(entries, options.has("--ceilings"), options.has("--tuning"));
    const size_t before = entries.programs.size();
    entries = collect_entries();
    if (!options.has("--json")) print("%zu programs removed\n", before - entries.programs.size());
  }
  if (options.has("--json")) {
    write_entries(entries, verb == "list" || verb == "verify");
  } else if (verb == "list") {
    print_programs(entries, false);
  } else {
    if (verb == "verify") print_programs(entries, true);
    print_summary(entries);
  }
  const bool damaged = entries.damaged > 0 || entries.tuning.damaged > 0;
  return verb == "verify" && damaged ? kExitFailure : kExitSuccess;
}

}  // namespace

int run_cache(const Command& self, int argc, char** argv) {
  return with_usage(self, cache, argc, argv);
}

}  // namespace netcl::tool
