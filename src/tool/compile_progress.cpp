// SPDX-License-Identifier: Apache-2.0
#include "compile_progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace netcl::tool {
namespace {

constexpr std::chrono::milliseconds kQuiet{500}, kDrawAgain{200};
constexpr std::chrono::seconds kLineAgain{5};

netcl_program_cache_info programs_now() {
  netcl_program_cache_info now = NETCL_PROGRAM_CACHE_INFO_INIT;
  (void)netcl_program_cache_get_info(&now);
  return now;
}

}  // namespace

CompileProgress::CompileProgress()
    : terminal_(isatty(STDERR_FILENO) != 0),
      before_(programs_now()),
      thread_([this] { watch(); }) {}

CompileProgress::~CompileProgress() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  thread_.join();
  if (!drawn_ || !terminal_) return;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
}

void CompileProgress::watch() {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  auto wait = terminal_ ? kQuiet : std::chrono::milliseconds(kLineAgain);
  while (!ended_.wait_for(lock, wait, [this] { return end_; })) {
    draw(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    wait = terminal_ ? kDrawAgain : std::chrono::milliseconds(kLineAgain);
  }
}

void CompileProgress::draw(double seconds) {
  const netcl_program_cache_info now = programs_now();
  const auto count = [](uint64_t after, uint64_t before) {
    return static_cast<unsigned long long>(after - before);
  };
  std::fprintf(stderr, "%scompiling and running: %.0f s", terminal_ ? "\r\033[K" : "", seconds);
  const unsigned long long compiled = count(now.source_builds, before_.source_builds),
                           found = count(now.disk_hits, before_.disk_hits);
  if (compiled + found > 0) {
    std::fprintf(stderr, ", %llu programs compiled, %llu found on disk", compiled, found);
  }
  if (!terminal_) std::fprintf(stderr, "\n");
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace netcl::tool
