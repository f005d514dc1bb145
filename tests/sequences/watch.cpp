#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run.hpp"

namespace sequences {
namespace {

std::string new_folder() {
  const char* base = getenv("TMPDIR");
  std::string name = std::string(base == nullptr ? "/tmp" : base) + "/netcl_sequence_XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    perror(name.c_str());
    exit(2);
  }
  return name;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str().substr(0, 6000);
}

// In the new process: what it prints goes to a file, which has to stay empty.
void enter(const std::string& folder) {
  const int printed = open((folder + "/printed").c_str(), O_CREAT | O_RDWR | O_APPEND, 0600);
  std::filesystem::create_directory(folder + "/files");
  std::filesystem::create_directory(folder + "/caches");
  if (printed < 0 || chdir((folder + "/files").c_str()) != 0) _exit(4);
  dup2(printed, STDOUT_FILENO);
  dup2(printed, STDERR_FILENO);
  close(printed);
  setenv("NETCL_CACHE_DIR", (folder + "/caches").c_str(), 1);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

std::string running_functions() {
  std::string names;
  for (int thread = 0; thread < kThreadsMost; thread++) {
    if (shared->begun[thread] == 0) continue;
    names += std::string(" ") + kFunctions[shared->running[thread]].name;
  }
  return names.empty() ? " between calls" : names;
}

// Whether a process hangs: a call has used too much processor time, or has stood still for long.
// Time alone does not tell, as a machine that has other things to do may leave a process none.
class HangCheck {
 public:
  explicit HangCheck(pid_t child) { known_ = clock_getcpuclockid(child, &clock_) == 0; }

  bool hangs() {
    const uint64_t now = now_ns(), limit = static_cast<uint64_t>(settings.limit * 1e9);
    const uint64_t used = used_ns();
    if (used != used_last_) moved_ = now;
    used_last_ = used;
    for (size_t thread = 0; thread < kThreadsMost; thread++) {
      const uint64_t begun = shared->begun[thread];
      Seen& seen = seen_[thread];
      if (begun != seen.begun) seen = {begun, used};
      if (begun == 0 || now < begun + limit) continue;
      const bool busy = used > seen.used + limit * static_cast<uint64_t>(settings.threads);
      const bool still = now > begun + 2 * limit && now > moved_ + limit;
      if (busy || still) return true;
    }
    return false;
  }

 private:
  struct Seen {
    uint64_t begun, used;
  };
  uint64_t used_ns() const {
    timespec time{};
    if (!known_ || clock_gettime(clock_, &time) != 0) return 0;
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
  }

  clockid_t clock_{};
  bool known_ = false;
  uint64_t used_last_ = 0, moved_ = 0;
  Seen seen_[kThreadsMost] = {};
};

}  // namespace

Ended watched(const std::function<void()>& body) {
  const std::string folder = new_folder();
  shared->failed = 0;
  for (auto& begun : shared->begun) begun = 0;
  fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) {
    perror("fork");
    exit(2);
  }
  if (child == 0) {
    enter(folder);
    body();
    exit(0);  // with all that runs at the end, such as the search for leaks
  }
  int state = 0;
  bool hung = false;
  unsigned nap = 200;
  HangCheck check(child);
  while (waitpid(child, &state, WNOHANG) == 0) {
    usleep(nap);
    if (nap < 20000) nap *= 2;
    if (!hung && check.hangs()) {
      hung = true;
      kill(child, SIGKILL);
    }
  }
  Ended ended;
  if (hung) {
    ended.kind = "hang:" + running_functions();
  } else if (shared->failed != 0) {
    const std::string failure = shared->failure;
    ended.kind = failure.substr(0, failure.find('\n'));
    ended.details = failure.substr(failure.find('\n') + 1);
  } else if (WIFSIGNALED(state)) {
    ended.kind = "crash by signal " + std::to_string(WTERMSIG(state)) + ":" + running_functions();
  } else if (WEXITSTATUS(state) != 0) {
    ended.kind = "exit with code " + std::to_string(WEXITSTATUS(state)) + ":" + running_functions();
  }
  if (!ended.kind.empty()) ended.details += "\n" + text_of(folder + "/printed");
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return ended;
}

namespace {

class Shrinker {
 public:
  Shrinker(const std::string& kind, double seconds)
      : kind_(kind), until_(now_ns() + static_cast<uint64_t>(seconds * 1e9)) {}

  bool fails(const std::vector<Call>& calls) const {
    const int tries = settings.threads > 1 ? 6 : 1;
    for (int i = 0; i < tries && now_ns() < until_; i++) {
      if (watched([&calls] { play_sequence(calls); }).kind == kind_) return true;
    }
    return false;
  }

  // Leaves out ever smaller pieces as long as the rest fails.
  void drop_calls(std::vector<Call>& calls) const {
    for (size_t piece = (calls.size() + 1) / 2; piece > 0 && now_ns() < until_;) {
      bool smaller = false;
      for (size_t at = calls.size(); at > 0;) {
        at = at > piece ? at - piece : 0;
        std::vector<Call> fewer = calls;
        const size_t end = std::min(at + piece, fewer.size());
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at),
                    fewer.begin() + static_cast<std::ptrdiff_t>(end));
        if (!fails(fewer)) continue;
        calls = std::move(fewer);
        smaller = true;
      }
      if (!smaller || piece > 1) piece /= 2;
    }
  }

  // Leaves out options and members that do not matter.
  void drop_values(std::vector<Call>& calls) const {
    for (size_t i = 0; i < calls.size(); i++) {
      for (size_t at = 0; now_ns() < until_; at++) {
        std::vector<Call> simpler = calls;
        size_t number = 0;
        bool found = false;
        for (Node& param : simpler[i].params) {
          walk(param, [&](Node& node) {
            const bool plain = node.kind == Node::Zero || node.kind == Node::Out ||
                               (node.kind == Node::Number && node.bits == 0);
            if (found || plain || number++ != at) return;
            const Field* field = node.field;
            node = Node{};
            node.field = field;
            found = true;
          });
        }
        if (!found) break;
        if (!fails(simpler)) continue;
        calls = std::move(simpler);
        at--;
      }
    }
  }

 private:
  std::string kind_;
  uint64_t until_;
};

}  // namespace

std::vector<Call> shrunk(std::vector<Call> calls, const std::string& kind, double seconds) {
  const Shrinker shrinker(kind, seconds);
  if (!shrinker.fails(calls)) return {};
  shrinker.drop_calls(calls);
  shrinker.drop_values(calls);
  return calls;
}

}  // namespace sequences
