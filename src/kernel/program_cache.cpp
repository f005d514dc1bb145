#include "kernel/program_cache.hpp"

#include "core/ascii.hpp"
#include "core/environment.hpp"
#include "core/hash.hpp"
#include "core/log.hpp"
#include "core/number.hpp"
#include "core/process.hpp"
#include "core/utf8.hpp"
#include "kernel/disk_cache.hpp"
#include "kernel/embedded.hpp"

namespace netcl {

namespace {

struct DiskService {
  kernel::DiskCache cache;
  ProgramCounters counters;
  DiskService() : cache(environment().cache_dir.c_str()) {
    if (!cache.enabled()) {
      log_message(NETCL_LOG_WARNING, "the program cache on disk is off: %s",
                  cache.off_reason().c_str());
    }
  }
};

DiskService& disk_service() {
  return process().services.get<DiskService>(Slot::disk_cache,
                                             [] { return std::make_unique<DiskService>(); });
}

void log_reply(const char* what, const kernel::CacheReply& reply) {
  if (!reply.reason.empty()) {
    log_message(NETCL_LOG_WARNING, "program cache, %s: %s", what, reply.reason.c_str());
  }
}

kernel::KernelRecord record_of(const backend::KernelFacts& facts) {
  kernel::KernelRecord record;
  record.name = facts.name;
  for (const backend::Parameter& parameter : facts.parameters) {
    kernel::ArgRecord row;
    row.address_qualifier = parameter.is_buffer  ? kernel::kAddressGlobal
                            : parameter.is_local ? kernel::kAddressLocal
                                                 : kernel::kAddressPrivate;
    row.is_const = parameter.is_const;
    row.type_name = parameter.type_name;
    row.name = parameter.name;
    row.size = parameter.size;
    record.args.push_back(std::move(row));
  }
  for (int d = 0; d < 3; ++d) record.required_local_size[d] = facts.required_local[d];
  return record;
}

}  // namespace

ProgramCounters& program_counters() { return disk_service().counters; }

std::vector<kernel::KernelRecord> kernel_records(backend::Program& program) {
  std::vector<kernel::KernelRecord> records;
  for (const std::string& name : program.kernel_names()) {
    const std::unique_ptr<backend::Kernel> made = program.create_kernel(name);
    if (!made->facts.parameters_known) return {};
    records.push_back(record_of(made->facts));
  }
  return records;
}

ProgramCache& ProgramCache::of(Device& device) {
  return device.services().get<ProgramCache>(
      Slot::programs, [&] { return std::make_unique<ProgramCache>(device); });
}

// Everything that decides what the compiler makes, spelled out; the text itself is compared when an
// entry is found, so a hash collision is a miss.
std::string ProgramCache::key_text(const ProgramRequest& request) const {
  std::string key = "netcl " + number_text(NETCL_VERSION_NUMBER) + "\ncodegen ";
  key += kCodegenVersion;
  key += "\n" + device_.backend().program_key() + "\nform ";
  key += number_text(static_cast<int>(request.form)) + "\nflags " + request.options + "\n";
  return key + request.text;
}

ProgramRef ProgramCache::get(const ProgramRequest& request) {
  const std::string key = key_text(request);
  const Hash128 name = hash128(key);
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const std::shared_ptr<Entry>* known = entries_.find(name);
    entry = known != nullptr ? *known
                             : entries_.insert(name, std::make_shared<Entry>(), key.size());
  }
  std::lock_guard<std::mutex> lock(entry->mutex);
  if (entry->program != nullptr && entry->key == key) {
    program_counters().memory_hits.fetch_add(1);
    return entry->program;
  }
  program_counters().memory_misses.fetch_add(1);
  ProgramRef built = build(request, key);
  // A failure is not kept: the next attempt may find a repaired driver or disk.
  if (built->program != nullptr) {
    entry->program = built;
    entry->key = key;
  }
  return built;
}

ProgramRef ProgramCache::build(const ProgramRequest& request, const std::string& key) {
  kernel::DiskCache& disk = disk_service().cache;
  const bool on_disk = disk.enabled() && request.form != SourceForm::binary;
  if (!on_disk) return compile(request);
  if (ProgramRef found = load_from_disk(request, key)) return found;
  const kernel::BuildLock lock = disk.lock(key);
  // Another process may have built it while this one waited for the lock.
  if (ProgramRef found = load_from_disk(request, key)) return found;
  program_counters().disk_misses.fetch_add(1);
  ProgramRef built = compile(request);
  if (built->program != nullptr) store_on_disk(*built, key);
  return built;
}

ProgramRef ProgramCache::load_from_disk(const ProgramRequest& request, const std::string& key) {
  kernel::DiskCache& disk = disk_service().cache;
  kernel::CacheReply reply = disk.load(key);
  log_reply("load", reply);
  if (reply.result == kernel::CacheResult::hit) {
    auto built = std::make_shared<BuiltProgram>();
    if (auto entry = kernel::deserialize(reply.payload)) {
      backend::BuildResult result = device_.backend().build_binary(entry->binary, request.options);
      if (result.program != nullptr) {
        built->program = std::move(result.program);
        built->records = std::move(entry->kernels);
        built->log = std::move(result.log);
        built->from_disk = true;
        program_counters().disk_hits.fetch_add(1);
        return built;
      }
      log_message(NETCL_LOG_WARNING,
                  "program cache: the driver refused an entry with code %d; "
                  "building from source",
                  result.native_code);
    }
    reply.result = kernel::CacheResult::rejected;
  }
  if (reply.result == kernel::CacheResult::rejected) {
    program_counters().disk_rejected.fetch_add(1);
    log_reply("remove", disk.remove(key));
  }
  return nullptr;
}

ProgramRef ProgramCache::compile(const ProgramRequest& request) {
  backend::Device& backend = device_.backend();
  backend::BuildResult result;
  switch (request.form) {
    case SourceForm::source:
      program_counters().source_builds.fetch_add(1);
      result = backend.build_source(request.text, request.options);
      break;
    case SourceForm::il:
      result = backend.build_il(request.text, request.options);
      break;
    case SourceForm::binary:
      result = backend.build_binary(request.text, request.options);
      break;
  }
  auto built = std::make_shared<BuiltProgram>();
  built->program = std::move(result.program);
  built->log = std::move(result.log);
  built->native_code = result.native_code;
  if (built->program != nullptr) built->records = kernel_records(*built->program);
  return built;
}

void ProgramCache::store_on_disk(const BuiltProgram& built, const std::string& key) {
  kernel::ProgramEntry entry;
  entry.binary = built.program->binary();
  entry.kernels = built.records;
  // Without argument tables a later process could not check arguments, so it had better compile.
  if (entry.binary.empty() || entry.kernels.empty()) return;
  const kernel::CacheReply reply = disk_service().cache.store(key, kernel::serialize(entry));
  log_reply("store", reply);
  if (reply.result == kernel::CacheResult::stored) program_counters().disk_writes.fetch_add(1);
}

void ProgramCache::clear() {
  std::lock_guard<std::mutex> lock(mutex_);
  entries_.clear();
}

size_t ProgramCache::size() {
  std::lock_guard<std::mutex> lock(mutex_);
  return entries_.size();
}

std::string ProgramCache::disk_directory() { return disk_service().cache.directory(); }

// The name of the device in a key, see key_text and program_key of the backends.
static std::string device_of_key(const std::string& key) {
  constexpr int kLine = 5;
  size_t at = 0;
  for (int line = 0; line < kLine && at != std::string::npos; ++line) {
    at = key.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  return at == std::string::npos ? std::string() : key.substr(at, key.find('\n', at) - at);
}

bool ProgramCache::disk_entry(uint32_t index, netcl_program_cache_entry* entry) {
  const kernel::DiskCache& disk = disk_service().cache;
  const std::vector<std::string> names = disk.names();
  if (index >= names.size()) return false;
  const kernel::DiskCache::Inspection found = disk.inspect(names[index]);
  std::string problem = found.reply.reason;
  std::string kernels;
  if (found.reply.result == kernel::CacheResult::hit) {
    const auto program = kernel::deserialize(found.reply.payload);
    if (!program) problem = "it holds no program";
    for (size_t i = 0; program && i < program->kernels.size(); ++i) {
      kernels += (i > 0 ? ", " : "") + program->kernels[i].name;
    }
  } else if (problem.empty()) {
    problem = "it has just gone";
  }
  entry->bytes = found.bytes;
  entry->used_ns = found.used_ns;
  entry->sound = problem.empty() ? 1 : 0;
  copy_text(entry->name, sizeof entry->name, names[index].c_str());
  copy_line(entry->device, sizeof entry->device, device_of_key(found.key).c_str());
  copy_line(entry->kernels, sizeof entry->kernels, kernels.c_str());
  copy_line(entry->problem, sizeof entry->problem, problem.c_str());
  return true;
}

void ProgramCache::clear_disk() { log_reply("clear", disk_service().cache.clear()); }

static std::string without_end_blanks(std::string line) {
  while (!line.empty() && is_space(line.back())) line.pop_back();
  return line;
}

std::string error_line(const std::string& text) {
  static constexpr size_t kMost = 400;
  // Compilers put a summary or a path first now and then; the line with "error" is what helps.
  size_t at = text.find("error");
  at = at == std::string::npos ? text.find_first_not_of("\r\n \t") : text.rfind('\n', at) + 1;
  if (at == std::string::npos) return std::string();
  size_t end = std::min(text.find('\n', at), text.size());
  // A heading such as "Error(s) while linking:" says nothing without what stands below it.
  std::string line = without_end_blanks(text.substr(at, end - at));
  const size_t next = text.find_first_not_of("\r\n \t", end);
  if (line.ends_with(':') && next != std::string::npos) {
    end = std::min(text.find('\n', next), text.size());
    line += ' ' + without_end_blanks(text.substr(next, end - next));
  }
  return std::string(utf8_prefix(line, kMost));
}

}  // namespace netcl
