// sequence: makes random sequences of calls; see --help and docs/reliability.md.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>
#include <sys/resource.h>

#include "netcl.h"
#include "run.hpp"

namespace {

using sequences::settings;
using sequences::shared;

const char kHelp[] =
    "sequence [--calls N] [--seed S] [--first N] [--threads T] [--device SELECTOR]\n"
    "         [--length N] [--wrong PERCENT] [--limit SECONDS] [--only FUNCTION] [--out FILE] "
    "[--sample]\n"
    "Makes at least N calls in random sequences and checks each. A sequence that fails is made\n"
    "shorter and printed as a C program, to FILE too. --sample prints one that did not fail.\n";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

// Growth of resident memory from the middle of a run to its end that is too much, in a run of so
// many calls.
constexpr uint64_t kGrowthMost = 24u << 20;
constexpr uint64_t kGrowthCalls = 50000;

uint64_t shared_first;  // the sequence that comes first

bool read_settings(int count, char** arguments) {
  for (int i = 1; i < count; i++) {
    const std::string name = arguments[i];
    if (name == "--sample" || name == "--verbose") {
      (name == "--sample" ? settings.sample : settings.verbose) = true;
      continue;
    }
    if (i + 1 >= count) return false;
    const char* value = arguments[++i];
    if (name == "--calls")
      settings.calls = std::strtoull(value, nullptr, 10);
    else if (name == "--seed")
      settings.seed = std::strtoull(value, nullptr, 10);
    else if (name == "--first")
      shared_first = std::strtoull(value, nullptr, 10);
    else if (name == "--threads")
      settings.threads = std::atoi(value);
    else if (name == "--device")
      settings.device = value;
    else if (name == "--length")
      settings.length = static_cast<unsigned>(std::atoi(value));
    else if (name == "--wrong")
      settings.wrong = static_cast<unsigned>(std::atoi(value));
    else if (name == "--limit")
      settings.limit = std::atof(value);
    else if (name == "--only")
      settings.only = value;
    else if (name == "--out")
      settings.out = value;
    else
      return false;
  }
  return settings.threads >= 1 && settings.threads <= sequences::kThreadsMost;
}

// A compiler in the process may keep much from its first kernel on (docs/drivers.md), and where a
// cache has the others that one would come anywhere in a run. So it comes here, and no cache has
// it.
void compile_first_kernel() {
  const std::string source =
      "__kernel void first(__global float *y) { *y += " + std::to_string(sequences::now_ns()) +
      ".0f; }";
  netcl_device* device = nullptr;
  netcl_tensor* y = nullptr;
  netcl_kernel* kernel = nullptr;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = source.c_str();
  const uint64_t size = 1;
  netcl_arg argument{};
  argument.kind = NETCL_ARG_TENSOR;
  if (netcl_device_open(settings.device.c_str(), nullptr, &device) == NETCL_OK &&
      netcl_tensor_create_zeros(device, NETCL_F32, 0, nullptr, nullptr, nullptr, &y) == NETCL_OK &&
      netcl_kernel_create(device, "first", &options, &kernel) == NETCL_OK) {
    argument.tensor = y;
    (void)netcl_kernel_launch(kernel, &size, 1, nullptr, 0, &argument, 1, nullptr, nullptr);
    (void)netcl_device_finish(device, NETCL_WAIT_FOREVER);
  }
  netcl_kernel_release(kernel);
  netcl_tensor_release(y);
  netcl_device_release(device);
}

void run_all() {
  const uint64_t first = shared->sequence;
  if (settings.calls >= kGrowthCalls) compile_first_kernel();
  shared->rss_first = 0;
  for (uint64_t i = first; shared->calls < settings.calls; i++) {
    shared->sequence = i;
    sequences::run_sequence(settings.seed * 1000003 + i);
    if (settings.sample) return;
    const uint64_t resident = sequences::resident_bytes();
    if (shared->calls >= settings.calls / 2 && shared->rss_first == 0) shared->rss_first = resident;
    shared->rss_last = resident;
  }
  const uint64_t grown =
      shared->rss_last > shared->rss_first ? shared->rss_last - shared->rss_first : 0;
  if (!kSanitized && settings.calls >= kGrowthCalls && grown > kGrowthMost) {
    sequences::fail("growing memory", std::to_string(shared->rss_first >> 10) + " KiB, then " +
                                          std::to_string(shared->rss_last >> 10) + " KiB");
  }
}

std::vector<sequences::Call> journal() {
  return sequences::calls_in(shared->journal, shared->used);
}

void write_program(const std::vector<sequences::Call>& calls, const std::string& why) {
  const std::string program = sequences::print_program(calls, why);
  FILE* file = settings.out.empty() ? stdout : fopen(settings.out.c_str(), "w");
  if (file == nullptr) {
    perror(settings.out.c_str());
    exit(2);
  }
  fputs(program.c_str(), file);
  if (file != stdout) fclose(file);
}

int report_failure(const sequences::Ended& ended) {
  printf("FAILED: %s\n%s\nseed %llu, sequence %llu, %d threads, device %s\n", ended.kind.c_str(),
         ended.details.c_str(), static_cast<unsigned long long>(settings.seed),
         static_cast<unsigned long long>(shared->sequence.load()), settings.threads,
         settings.device.c_str());
  fflush(stdout);
  const std::vector<sequences::Call> calls = journal();
  const std::vector<sequences::Call> few = sequences::shrunk(calls, ended.kind, 120);
  if (few.empty()) {
    printf("The sequence of %zu calls does not fail by itself.\n", calls.size());
    if (settings.verbose) write_program(calls, ended.kind);
    return 1;
  }
  printf("%zu calls of %zu do:\n", few.size(), calls.size());
  write_program(few, ended.kind);
  return 1;
}

int report_success() {
  uint64_t good = 0, bad = 0;
  int never = 0, refused = 0;
  std::string names;
  for (int i = 0; i < sequences::kFunctionsCount; i++) {
    good += shared->good[i];
    bad += shared->bad[i];
    if (shared->good[i] + shared->bad[i] == 0) never++;
    if (shared->good[i] == 0) {
      refused++;
      names += std::string(" ") + (sequences::kFunctions[i].name + std::strlen("netcl_"));
    }
  }
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  printf(
      "%llu calls in %llu sequences, %d threads, device %s, seed %llu: %.1f %% gave OK; "
      "%.1f s of processor time; %llu KiB resident in the middle, %llu KiB in the end\n",
      static_cast<unsigned long long>(good + bad),
      static_cast<unsigned long long>(shared->sequence + 1), settings.threads,
      settings.device.c_str(), static_cast<unsigned long long>(settings.seed),
      100.0 * static_cast<double>(good) / static_cast<double>(good + bad),
      static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
          static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6,
      static_cast<unsigned long long>(shared->rss_first >> 10),
      static_cast<unsigned long long>(shared->rss_last >> 10));
  for (int i = 0; settings.verbose && i < sequences::kFunctionsCount; i++) {
    printf("%6llu good %6llu bad %s: %s\n", static_cast<unsigned long long>(shared->good[i].load()),
           static_cast<unsigned long long>(shared->bad[i].load()), sequences::kFunctions[i].name,
           shared->refusal[i]);
  }
  printf("%d of %d functions were called, %d of them with OK; without:%s\n",
         sequences::kFunctionsCount - never, sequences::kFunctionsCount,
         sequences::kFunctionsCount - refused, names.c_str());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (!read_settings(count, arguments)) {
    fputs(kHelp, stderr);
    return 2;
  }
  void* memory = mmap(nullptr, sizeof(sequences::Shared), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    perror("mmap");
    return 2;
  }
  shared = new (memory) sequences::Shared;
  shared->sequence = shared_first;
  const sequences::Ended ended = sequences::watched(run_all);
  if (!ended.kind.empty()) return report_failure(ended);
  if (settings.sample) {
    write_program(journal(), "a sequence without failures");
    return 0;
  }
  return report_success();
}
