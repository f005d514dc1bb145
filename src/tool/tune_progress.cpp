// SPDX-License-Identifier: Apache-2.0
#include "tune_progress.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kLookNs = 100000000;
constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::seconds kNextLine{5};

volatile sig_atomic_t g_interrupted = 0;

extern "C" void note_interrupt(int) { g_interrupted = 1; }

/// SIGINT and SIGTERM end the search while this lives; a second one ends the process.
class Interrupts {
 public:
  Interrupts() {
    g_interrupted = 0;
    struct sigaction action = {};
    action.sa_handler = note_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before_[0]);
    sigaction(SIGTERM, &action, &before_[1]);
  }
  ~Interrupts() {
    sigaction(SIGINT, &before_[0], nullptr);
    sigaction(SIGTERM, &before_[1], nullptr);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  struct sigaction before_[2];
};

/// The tuner on a thread of its own, which ends before this does.
class Running {
 public:
  explicit Running(netcl_tuner* tuner) : tuner_(tuner), thread_([this] { run(); }) {}
  ~Running() {
    if (!thread_.joinable()) return;
    netcl_tuner_cancel(tuner_);
    thread_.join();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  bool over() const { return over_; }
  netcl_status finish(std::string* message) {
    thread_.join();
    *message = message_;
    return status_;
  }

 private:
  void run() {
    status_ = netcl_tuner_run(tuner_);
    if (status_ != NETCL_OK) message_ = netcl_last_error_message();
    over_ = true;
  }

  netcl_tuner* tuner_;
  netcl_status status_ = NETCL_OK;
  std::string message_;
  std::atomic<bool> over_{false};
  std::thread thread_;  // last: it uses the others
};

size_t terminal_columns() {
  struct winsize size = {};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

class Display {
 public:
  Display(const std::vector<std::string>& names, bool quiet)
      : names_(names), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

  void show(const netcl_search_event& event) {
    if (quiet_) return;
    if (event.kind == NETCL_SEARCH_EVENT_STARTED || event.entry != entry_) default_ns_ = 0;
    entry_ = event.entry;
    const bool candidate =
        event.kind == NETCL_SEARCH_EVENT_CANDIDATE || event.kind == NETCL_SEARCH_EVENT_BEST;
    if (candidate && event.candidate == 0) default_ns_ = event.candidate_ns;
    const bool ended = event.kind == NETCL_SEARCH_EVENT_STOPPED;
    const Clock::time_point now = Clock::now();
    if (!ended && now - shown_ < (terminal_ ? Clock::duration(kRedraw) : kNextLine)) return;
    shown_ = now;
    draw(event);
  }

  void clear() {
    if (quiet_ || !terminal_) return;
    std::fprintf(stderr, "\r\033[K");
    std::fflush(stderr);
  }

 private:
  void draw(const netcl_search_event& event) {
    const size_t all = names_.size();
    const std::string name = event.entry < all ? names_[event.entry] : "";
    const double fraction = std::clamp(event.fraction, 0.0, 1.0);
    std::string head = all > 1 ? format("%u/%zu ", event.entry + 1, all) : "";
    head += name;
    std::string tail = format(" %3.0f%%  %llu tried", 100 * fraction,
                              static_cast<unsigned long long>(event.evaluations));
    if (event.best_ns > 0) tail += "  best " + time_text(event.best_ns);
    const bool ended = event.kind == NETCL_SEARCH_EVENT_STOPPED;
    // The first look at the default; what the end says of both is better.
    if (event.best_ns > 0 && default_ns_ > 0 && !ended) {
      tail += ", default " + time_text(default_ns_);
    }
    if (event.left_ns > 0 && !ended) {
      tail += "  " + time_text(static_cast<double>(event.left_ns)) + " left";
    }
    if (!terminal_) {
      std::fprintf(stderr, "%s %s\n", head.c_str(), tail.c_str());
    } else {
      const size_t columns = terminal_columns(), taken = head.size() + tail.size() + 4;
      const size_t width = columns > taken ? std::min<size_t>(columns - taken, 20) : 0;
      const auto full = static_cast<size_t>(fraction * static_cast<double>(width) + 0.5);
      const std::string bar =
          width < 4 ? "" : " [" + std::string(full, '#') + std::string(width - full, '.') + "]";
      const std::string line = (head + bar + tail).substr(0, columns - 1);
      std::fprintf(stderr, "\r\033[K%s", line.c_str());
    }
    std::fflush(stderr);
  }

  const std::vector<std::string>& names_;
  bool quiet_;
  bool terminal_;
  uint32_t entry_ = 0;
  double default_ns_ = 0;
  Clock::time_point shown_{};
};

}  // namespace

TuneRun watch_tuner(netcl_tuner* tuner, const std::vector<std::string>& names, bool quiet) {
  TuneRun outcome;
  Display display(names, quiet);
  const Interrupts interrupts;
  Running running(tuner);
  uint64_t last = 0;
  while (true) {
    // Asked before reading, so that the last events are read after it has become true.
    const bool over = running.over();
    if (g_interrupted != 0 && !outcome.interrupted) {
      outcome.interrupted = true;
      netcl_tuner_cancel(tuner);
    }
    netcl_search_event event = NETCL_SEARCH_EVENT_INIT;
    const netcl_status status = netcl_tuner_read_event(tuner, last, over ? 0 : kLookNs, &event);
    if (status == NETCL_OK) {
      last = event.sequence;
      display.show(event);
      continue;
    }
    if (over) break;
    // The thread may not have begun yet.
    if (status == NETCL_ERROR_NOT_FOUND) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  display.clear();
  std::string message;
  const netcl_status status = running.finish(&message);
  if (status == NETCL_ERROR_CANCELLED && outcome.interrupted) return outcome;
  if (status != NETCL_OK) {
    outcome.problem = std::string(netcl_status_name(status)) + ": " + message;
  }
  return outcome;
}

}  // namespace netcl::tool
