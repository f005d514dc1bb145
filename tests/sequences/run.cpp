#include "run.hpp"

#include <cstdio>
#include <cstring>
#include <thread>

#include <pthread.h>
#include <unistd.h>

#include "netcl.h"

namespace sequences {
namespace {

// Runs something on each of the threads, on the calling one where there is but one.
void on_threads(int threads, const std::function<void(int)>& body) {
  if (threads == 1) return body(0);
  std::vector<std::thread> all;
  for (int thread = 0; thread < threads; thread++) all.emplace_back(body, thread);
  for (std::thread& thread : all) thread.join();
}

void end_sequence(std::vector<Entry>& live, const std::vector<uint64_t>& before,
                  const std::function<void()>& check_memory) {
  finish_devices(live);
  check_memory();
  reset_process();
  release_all(live);
  check_tokens();
  check_nothing_left(before);
}

// What a sequence has when its calls are not drawn but known.
class Player {
 public:
  Player(const std::vector<Call>& calls, Results& results) : calls_(calls), results_(results) {}

  void play(Executor& executor, int thread) {
    for (const Call& call : calls_) {
      if (call.thread == thread) play_call(executor, call);
    }
  }

  std::vector<Entry> live;

 private:
  void play_call(Executor& executor, const Call& call) {
    const Function& function = call.what();
    if (is_release(function)) drop(call.params[0].bits);
    const Outcome outcome = executor.execute(call);
    if (outcome.status != NETCL_OK) return;
    const std::vector<int> types = results_of(call);
    const std::lock_guard guard(lock_);
    for (size_t i = 0; i < types.size() && i < outcome.results.size(); i++) {
      const bool ours = types[i] < kForeign || types[i] == kForeign + 5;
      if (outcome.results[i] == 0 || !ours) continue;
      live.emplace_back(types[i], ref_of(call.id, static_cast<unsigned>(i)), outcome.results[i], 0,
                        false);
    }
    if (std::strstr(function.name, "_retain") != nullptr) {
      const uint64_t ref = call.params[0].bits;
      live.emplace_back(call.params[0].field->of, ref, results_.get(ref), 0, false);
    }
  }

  void drop(uint64_t ref) {
    const std::lock_guard guard(lock_);
    for (size_t i = 0; i < live.size(); i++) {
      if (live[i].ref != ref) continue;
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }

  const std::vector<Call>& calls_;
  Results& results_;
  std::mutex lock_;
};

}  // namespace

Shared* shared;
Settings settings;

uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

void fail(const std::string& kind, const std::string& details) {
  if (shared->failed.exchange(1) == 0) {
    snprintf(shared->failure, sizeof shared->failure, "%s\n%s", kind.c_str(), details.c_str());
    _exit(3);
  }
  for (;;) pause();  // another thread was faster, and ends the process
}

void run_sequence(uint64_t seed) {
  shared->used = 0;
  const std::vector<uint64_t> before = live_counts();
  Objects objects;
  Results results(1000);
  std::vector<std::unique_ptr<Drawer>> drawers;
  drawers.push_back(std::make_unique<Drawer>(objects, results, seed * 31, kPrologue));
  drawers[0]->prologue();
  for (int i = 0; i < settings.threads; i++) {
    const uint64_t number = seed * 31 + 1 + static_cast<uint64_t>(i);
    drawers.push_back(std::make_unique<Drawer>(objects, results, number, i));
  }
  on_threads(settings.threads, [&drawers](int thread) {
    Drawer& drawer = *drawers[static_cast<size_t>(thread) + 1];
    for (unsigned i = 0; i < settings.length; i++) drawer.step();
    drawer.executor().end_thread();
  });
  end_sequence(objects.live, before, [&drawers] {
    for (const auto& drawer : drawers) drawer->executor().check_memory();
  });
}

void play_sequence(const std::vector<Call>& calls) {
  const std::vector<uint64_t> before = live_counts();
  Results results(calls.size());
  Player player(calls, results);
  std::vector<std::unique_ptr<Executor>> executors;
  executors.push_back(std::make_unique<Executor>(results, kPrologue));
  player.play(*executors[0], kPrologue);
  for (int i = 0; i < settings.threads; i++) {
    executors.push_back(std::make_unique<Executor>(results, i));
  }
  on_threads(settings.threads, [&](int thread) {
    Executor& executor = *executors[static_cast<size_t>(thread) + 1];
    player.play(executor, thread);
    executor.end_thread();
  });
  end_sequence(player.live, before, [&executors] {
    for (const auto& executor : executors) executor->check_memory();
  });
}

}  // namespace sequences
