// Any bytes as the file of a tuning database: lines that are not sound are passed over, what is
// read can be written again, and compacting loses nothing that is in force.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "store/journal.hpp"
#include "store/record.hpp"
#include "structured.hpp"

using namespace netcl;
using fuzz::require;

static constexpr std::string_view kWords[] = {
    "v",       "t",       "best",    "meas",    "bad",       "kernel", "src",  "flags", "dtypes",
    "layout",  "shape",   "scalars", "part",    "driver",    "space",  "cfg",  "unset", "global",
    "local",   "st",      "correct", "runtime", "cancelled", "ns",     "med",  "lo",    "hi",
    "compile", "default", "samples", "why",     "ts",        "TILE",   "MODE", "gemm"};

static std::string with_sum(std::string body) {
  return body + ",\"crc\":\"" + hex_text(hash128(body)) + "\"}";
}

// A line without its checksum, which stands at its end.
static std::string without_sum(std::string_view line) {
  const size_t mark = line.rfind(",\"crc\":\"");
  return std::string(line.substr(0, mark));
}

// One line changes and gets a sound checksum again.
FUZZ_MUTATION(text, chance) {
  std::vector<std::string> lines;
  store::for_each_line(text, [&](std::string_view line) { lines.emplace_back(line); });
  if (lines.empty()) return fuzz::changed_bytes(text);
  std::string& line = lines[chance.below(lines.size())];
  std::string made = fuzz::changed_json(without_sum(line) + "}", chance, kWords);
  if (made.size() > 2 && made.back() == '}' && !chance.one_in(16)) {
    made.pop_back();
    made = with_sum(made);
  }
  if (chance.one_in(4)) {
    lines.push_back(std::move(made));
  } else {
    line = std::move(made);
  }
  std::string out;
  for (const std::string& one : lines) out += one + (chance.one_in(32) ? "" : "\n");
  return out;
}

// A whole database on the disk; every so often, since files take their time.
static void try_file(std::string_view text) {
  const char* const folder = std::getenv("NETCL_CACHE_DIR");
  static const std::string path = std::string(folder == nullptr ? "/tmp" : folder) + "/fuzz-" +
                                  std::to_string(::getpid()) + ".jsonl";
  if (folder != nullptr) ::mkdir(folder, 0700);
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  netcl_tuning_database* database = nullptr;
  const netcl_status status = netcl_tuning_database_open(path.c_str(), &database);
  require(status == NETCL_OK || status == NETCL_ERROR_CORRUPT_DATA, "a file is refused otherwise");
  if (status == NETCL_OK) {
    netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
    uint64_t count = 0;
    while (netcl_tuning_database_get_record(database, count, &record, nullptr) == NETCL_OK) ++count;
    require(netcl_tuning_database_compact(database) == NETCL_OK, "no file can be compacted");
    require(netcl_tuning_database_refresh(database) == NETCL_OK, "what was compacted is unsound");
    netcl_tuning_database_release(database);
  }
  std::remove(path.c_str());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace netcl::store;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto check = [](std::string_view line) {
    Record record;
    if (decode_line(line, &record) != LineKind::record) return;
    require(!record.key.kernel.empty(), "a record without a kernel");
    require(record.median_ns >= 0.0, "a time that is negative or no number");
    require(!record.key.text().empty() && outcome_name(record.outcome)[0] != 0, "no key");
    for (const auto& [name, value] : record.config.items()) (void)record.integer(name.c_str());
    Record again;
    const std::string written = encode_record(record);
    require(decode_line(written, &again) == LineKind::record, "a record does not come back");
    require(again.key == record.key && again.config_text() == record.config_text() &&
                again.kind == record.kind && again.outcome == record.outcome,
            "a record comes back as another");
  };
  for_each_line(text, check);
  // A checksum stops nearly everything, so the bytes are tried with a sound one as well.
  const size_t end = text.find('\n');
  check(with_sum(without_sum(text.substr(0, end))));
  static uint64_t turn = 0;
  if (turn++ % 128 == 0) try_file(text);
  return 0;
}
