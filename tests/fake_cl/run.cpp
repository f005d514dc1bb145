// What kernels do, and how long they take.
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>

#include "fake.hpp"

namespace fake {

namespace {

constexpr double kTimeNs = 10000;

uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}
double uniform(uint64_t key) { return (static_cast<double>(mix(key) >> 11) + 0.5) * 0x1p-53; }
double normal(uint64_t key) {
  return std::sqrt(-2.0 * std::log(uniform(2 * key))) *
         std::cos(6.283185307179586 * uniform(2 * key + 1));
}

cl_mem buffer_of(const _cl_kernel& kernel, size_t index) {
  cl_mem mem = nullptr;
  if (index < kernel.arguments.size() && kernel.arguments[index].size() == sizeof mem) {
    std::memcpy(&mem, kernel.arguments[index].data(), sizeof mem);
  }
  return mem;
}
uint64_t scalar_of(const _cl_kernel& kernel, size_t index) {
  uint64_t value = 0;
  if (index >= kernel.arguments.size()) return value;
  const std::string& bytes = kernel.arguments[index];
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

// The library's own random numbers are stood in for by others, of floats alone.
void run_random(const _cl_kernel& kernel) {
  const cl_mem mem = buffer_of(kernel, 0);
  if (mem == nullptr || kernel.macros.count("RANDOM_FLOAT") == 0) return;
  const uint64_t offset = scalar_of(kernel, 1), count = scalar_of(kernel, 2);
  const uint64_t seed = mix(scalar_of(kernel, 4) + 1);
  for (uint64_t i = 0; i < count && (offset + i + 1) * 4 <= mem->size; ++i) {
    const auto value = static_cast<float>(uniform(seed + i));
    std::memcpy(mem->data + (offset + i) * 4, &value, sizeof value);
  }
}

float element(const _cl_mem* mem, uint64_t index) {
  float value = static_cast<float>(index);
  if (mem != nullptr && (index + 1) * 4 <= mem->size) {
    std::memcpy(&value, mem->data + index * 4, sizeof value);
  }
  return value;
}

// The first element that a kernel reads, or takes from its memory.
float first_element(const _cl_kernel& kernel, const Script& script, const Macros& facts,
                    const _cl_mem* read) {
  struct Memory {
    float seen = 0;
    uint64_t times = 0;
  };
  static auto* const memories = new std::map<Macros, Memory>();
  const float now = element(read, 0);
  const Rule* const rule = script.find(kernel.function.name, facts, "remembers");
  if (rule == nullptr) return now;
  Memory& memory = (*memories)[facts];
  if (memory.times >= std::stoull(rule->words.at(0))) return memory.seen;
  memory.times = memory.seen == now ? memory.times + 1 : 1;
  memory.seen = now;
  return now;
}

void run_user(const _cl_kernel& kernel, const Script& script, const Macros& facts, uint64_t count) {
  const cl_mem* input = nullptr;
  std::vector<cl_mem> buffers;
  size_t first = SIZE_MAX;
  for (size_t i = 0; i < kernel.function.parameters.size(); ++i) {
    const Parameter& parameter = kernel.function.parameters[i];
    const bool global = parameter.address == CL_KERNEL_ARG_ADDRESS_GLOBAL;
    buffers.push_back(global ? buffer_of(kernel, i) : nullptr);
    if (global && parameter.is_const && first == SIZE_MAX) first = i;
  }
  if (first != SIZE_MAX) input = &buffers[first];
  const _cl_mem* const read = input != nullptr ? *input : nullptr;
  bool wrong = false;
  if (const Rule* rule = script.find(kernel.function.name, facts, "wrong")) {
    const float at = element(read, 0);
    wrong = rule->words.size() < 2 ||
            (at >= std::atof(rule->words[0].c_str()) && at < std::atof(rule->words[1].c_str()));
  }
  const float first_read = first_element(kernel, script, facts, read);
  const bool outside = script.find(kernel.function.name, facts, "outside") != nullptr;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i] == nullptr || kernel.function.parameters[i].is_const) continue;
    for (uint64_t k = 0; k < count + (outside ? 1 : 0); ++k) {
      if ((k + 1) * 4 > buffers[i]->size) break;
      const float x = k == 0 ? first_read : element(read, k);
      const float value = 2.0f * x + 1.0f + (wrong && k == 0 ? 100.0f : 0.0f);
      std::memcpy(buffers[i]->data + k * 4, &value, sizeof value);
    }
  }
}

// What a kernel of a stranger may do: start a process that outlives this one. Its number goes to
// the log.
void orphan() {
  if (::fork() == 0) {
    ::setsid();
    note_launch("orphan " + std::to_string(::getpid()));
    for (int fd = 0; fd < 1024; ++fd) ::close(fd);
    ::sleep(120);
    ::_exit(0);
  }
  ::usleep(200000);
  std::abort();
}

// Tries all that changes a file of somebody else, and to reach the process that started this one.
// How many of the tries went well goes to the log.
void attack(const std::string& path) {
  const std::string other = path + ".made";
  int files = 0;
  for (const int flags : {O_WRONLY, O_RDWR | O_APPEND, O_WRONLY | O_TRUNC}) {
    const int fd = ::open(path.c_str(), flags);
    if (fd < 0) continue;
    ++files;
    ::close(fd);
  }
  files += ::truncate(path.c_str(), 1) == 0;
  files += ::rename(path.c_str(), other.c_str()) == 0;
  files += ::link(path.c_str(), other.c_str()) == 0;
  files += ::symlink("/", other.c_str()) == 0;
  files += ::mkdir(other.c_str(), 0700) == 0;
  files += ::open(other.c_str(), O_WRONLY | O_CREAT, 0600) >= 0;
  files += ::unlink(path.c_str()) == 0;
  // Signal 0 says only whether another could be sent.
  const int signals = ::kill(::getppid(), 0) == 0;
  const int traces = ::ptrace(PTRACE_SEIZE, ::getppid(), nullptr, nullptr) == 0;
  char byte = 0;
  const iovec here{&byte, 1}, there{&byte, 1};
  errno = 0;
  const bool reaches =
      ::process_vm_writev(::getppid(), &here, 1, &there, 1, 0) >= 0 || errno == EFAULT;
  note_launch("attack " + std::to_string(files) + " " + std::to_string(signals) + " " +
              std::to_string(traces) + " " + std::to_string(reaches));
}

// A file with no end, in the folder for such files.
void fill_disk() {
  const char* const folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder == nullptr ? "/tmp" : folder) + "/filled";
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  for (off_t at = off_t{1} << 20; at <= off_t{10} << 30; at *= 2) {
    if (::pwrite(fd, "x", 1, at) != 1) break;
    note_launch("filled " + std::to_string(at));
  }
  ::close(fd);
}

}  // namespace

Ran run_kernel(const _cl_kernel& kernel, cl_uint rank, const size_t* global, const size_t* local,
               uint64_t* time_ns, uint64_t* late_ms) {
  static uint64_t launches = 0;
  const std::string& name = kernel.function.name;
  const bool own = name.rfind("netcl_", 0) == 0;
  const Script script = read_script();
  Macros facts = kernel.macros;
  uint64_t count = 1;
  std::string line = name;
  for (cl_uint d = 0; d < rank; ++d) {
    count *= global[d];
    const char axis = static_cast<char>('X' + d);
    facts[std::string("GLOBAL_") + axis] = std::to_string(global[d]);
    if (local == nullptr) continue;
    facts[std::string("LOCAL_") + axis] = std::to_string(local[d]);
  }
  for (const auto& [macro, value] : facts) line += " " + macro + "=" + value;
  if (!own && script.log) note_launch(line);
  *late_ms = 0;
  if (const Rule* rule = script.find(name, facts, "late"); !own && rule != nullptr) {
    static auto* const compiled = new std::set<std::string>();
    if (compiled->insert(line).second) *late_ms = std::stoull(rule->words.at(0));
  }
  *time_ns = 1000;
  const Rule* const most = script.find(name, facts, "refuse-local");
  if (most != nullptr && (!own || most->kernel == name) &&
      std::accumulate(kernel.local_bytes.begin(), kernel.local_bytes.end(), size_t{0}) >
          std::stoull(most->words.at(0))) {
    return Ran::too_local;
  }
  if (name == "netcl_random") run_random(kernel);
  double time = kTimeNs;
  if (const Rule* rule = script.find(name, facts, "time")) {
    time = std::atof(rule->words.at(0).c_str());
  }
  if (const Rule* rule = script.find(name, facts, "uneven");
      rule != nullptr && rule->kernel == name) {
    static bool odd = false;
    odd = !odd;
    if (odd) time *= std::atof(rule->words.at(0).c_str());
  }
  if (!own) {
    if (script.find(name, facts, "abort") != nullptr) std::abort();
    if (script.find(name, facts, "orphan") != nullptr) orphan();
    if (const Rule* rule = script.find(name, facts, "attack")) attack(rule->words.at(0));
    if (script.find(name, facts, "fill") != nullptr) fill_disk();
    if (script.find(name, facts, "hang") != nullptr) return Ran::never;
    if (script.find(name, facts, "refuse") != nullptr) return Ran::refused;
    if (script.find(name, facts, "illegal") != nullptr) return Ran::illegal;
    run_user(kernel, script, facts, count);
    ++launches;
    if (script.noise > 0) {
      time *= std::max(1.0 + script.noise * normal(mix(script.seed) + launches), 0.1);
    }
    time *= 1.0 + script.drift * static_cast<double>(launches);
  }
  *time_ns = static_cast<uint64_t>(std::llround(time));
  return Ran::done;
}

}  // namespace fake
