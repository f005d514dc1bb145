// SPDX-License-Identifier: Apache-2.0
#include "bench_group.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "options.hpp"
#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {

namespace {

constexpr uint64_t kGroupRounds = 7;
constexpr uint64_t kBytesMost = uint64_t{1} << 40;

/// One rank of the group, and the tensors of the case at hand.
struct Rank {
  Device device;
  Group group;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  bool share = false;
  Tensor whole, part, received;  ///< f32: of all bytes, of a rank's part, and all bytes again
};

struct Collective {
  const char* name;
  bool shared;  ///< the ranks have parts of the bytes
  /// Bytes that the busiest rank's link carries, in bytes of the case, for n ranks.
  double (*traffic)(double n);
  netcl_status (*run)(Rank& rank);
};

netcl_status ping_pong(Rank& rank) {
  if (rank.info.rank > 1) return NETCL_OK;
  const uint32_t peer = 1 - rank.info.rank;
  netcl_group* const group = rank.group.get();
  for (uint32_t turn = 0; turn < 2; ++turn) {
    const netcl_status status = turn == rank.info.rank
                                    ? netcl_group_send(group, rank.whole.get(), peer, nullptr)
                                    : netcl_group_receive(group, rank.whole.get(), peer, nullptr);
    if (status != NETCL_OK) return status;
  }
  return NETCL_OK;
}

const Collective kCollectives[] = {
    {"barrier", false, [](double) { return 0.0; },
     [](Rank& r) { return netcl_group_barrier(r.group.get(), nullptr); }},
    {"all_reduce", false, [](double n) { return 2 * (n - 1) / n; },
     [](Rank& r) {
       return netcl_group_all_reduce(r.group.get(), r.whole.get(), r.whole.get(),
                                     NETCL_REDUCTION_SUM, nullptr);
     }},
    {"reduce", false, [](double) { return 1.0; },
     [](Rank& r) {
       return netcl_group_reduce(r.group.get(), r.whole.get(), r.whole.get(), NETCL_REDUCTION_SUM,
                                 0, nullptr);
     }},
    {"broadcast", false, [](double) { return 1.0; },
     [](Rank& r) { return netcl_group_broadcast(r.group.get(), r.whole.get(), 0, nullptr); }},
    {"all_gather", true, [](double n) { return (n - 1) / n; },
     [](Rank& r) {
       return netcl_group_all_gather(r.group.get(), r.part.get(), r.whole.get(), nullptr);
     }},
    {"reduce_scatter", true, [](double n) { return (n - 1) / n; },
     [](Rank& r) {
       return netcl_group_reduce_scatter(r.group.get(), r.whole.get(), r.part.get(),
                                         NETCL_REDUCTION_SUM, nullptr);
     }},
    {"gather", true, [](double n) { return (n - 1) / n; },
     [](Rank& r) {
       return netcl_group_gather(r.group.get(), r.part.get(), r.whole.get(), 0, nullptr);
     }},
    {"scatter", true, [](double n) { return (n - 1) / n; },
     [](Rank& r) {
       return netcl_group_scatter(r.group.get(), r.whole.get(), r.part.get(), 0, nullptr);
     }},
    {"all_to_all", true, [](double n) { return (n - 1) / n; },
     [](Rank& r) {
       return netcl_group_all_to_all(r.group.get(), r.whole.get(), nullptr, 0, r.received.get(),
                                     nullptr);
     }},
    {"send", false, [](double) { return 2.0; }, ping_pong},
};
struct GroupCase {
  const Collective* collective;
  uint64_t bytes;
};

struct Usual {
  const char* name;
  uint64_t bytes;
};
constexpr Usual kUsual[] = {
    {"barrier", 0},          {"all_reduce", 1 << 10}, {"all_reduce", 1 << 16},
    {"all_reduce", 1 << 20}, {"all_reduce", 1 << 26}, {"reduce", 1 << 20},
    {"broadcast", 1 << 20},  {"all_gather", 1 << 20}, {"reduce_scatter", 1 << 20},
    {"all_to_all", 1 << 20}, {"gather", 1 << 20},     {"scatter", 1 << 20},
    {"send", 1 << 20}};

struct GroupRow {
  GroupCase what;
  double median = 0, least = 0, most = 0;  ///< ns of a call, of the slowest rank
};

const Collective* find_collective(const std::string& name) {
  for (const Collective& one : kCollectives) {
    if (name == one.name) return &one;
  }
  throw UsageProblem("there is no collective", name);
}

bool moves_nothing(const Collective& collective) { return collective.traffic(2) == 0; }

bool needs_two(const Collective& collective) { return collective.run == ping_pong; }

/// Floats, as many of them for each rank where the ranks share them.
uint64_t grain_of(const Collective& collective, uint64_t ranks) {
  return 4 * (collective.shared ? ranks : 1);
}

GroupCase read_case(const std::string& word, uint64_t ranks) {
  const size_t colon = word.find(':');
  const Collective& collective = *find_collective(word.substr(0, colon));
  if (needs_two(collective) && ranks < 2) throw UsageProblem("there is no second rank for", word);
  if (moves_nothing(collective) && colon == std::string::npos) return {&collective, 0};
  char* end = nullptr;
  const std::string number = colon == std::string::npos ? "" : word.substr(colon + 1);
  const uint64_t bytes = std::strtoull(number.c_str(), &end, 10);
  const uint64_t grain = grain_of(collective, ranks);
  if (moves_nothing(collective) || number.empty() || number[0] < '0' || number[0] > '9' ||
      *end != '\0' || bytes == 0 || bytes > kBytesMost || bytes % grain != 0) {
    const std::string problem =
        moves_nothing(collective)
            ? "a barrier has no bytes, unlike"
            : format("%s is followed by a colon and a multiple of %llu bytes, unlike",
                     collective.name, static_cast<unsigned long long>(grain));
    throw UsageProblem(problem.c_str(), word);
  }
  return {&collective, bytes};
}

std::vector<GroupCase> read_cases(const std::vector<std::string>& words, uint64_t ranks) {
  std::vector<GroupCase> cases;
  for (const std::string& word : words) cases.push_back(read_case(word, ranks));
  if (!cases.empty()) return cases;
  for (const Usual& usual : kUsual) {
    const Collective* const collective = find_collective(usual.name);
    if (needs_two(*collective) && ranks < 2) continue;
    const uint64_t grain = grain_of(*collective, ranks);
    cases.push_back({collective, usual.bytes / grain * grain});
  }
  return cases;
}

void make_tensors(Rank* rank, const GroupCase& what) {
  const auto make = [&](uint64_t bytes, Tensor* tensor) {
    const auto count = static_cast<int64_t>(bytes / 4);
    netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
    options.share = rank->share ? 1 : 0;
    check(netcl_tensor_create_zeros(rank->device.get(), NETCL_F32, 1, &count, nullptr, &options,
                                    tensor->receive()),
          "netcl_tensor_create_zeros");
  };
  rank->whole.reset();
  rank->part.reset();
  rank->received.reset();
  if (what.bytes == 0) return;
  make(what.bytes, &rank->whole);
  if (what.collective->shared) {
    make(what.bytes / rank->info.size, &rank->part);
    make(what.bytes, &rank->received);
  }
}

/// The largest of the ranks' numbers, which all of them get.
double largest(Rank& rank, double value) {
  const int64_t one = 1;
  Tensor tensor;
  check(netcl_tensor_create_full(rank.device.get(), NETCL_F64, 1, &one, nullptr, &value, nullptr,
                                 tensor.receive()),
        "netcl_tensor_create_full");
  check(netcl_group_all_reduce(rank.group.get(), tensor.get(), tensor.get(), NETCL_REDUCTION_MAX,
                               nullptr),
        "netcl_group_all_reduce");
  check(netcl_tensor_read(tensor.get(), &value, sizeof value, nullptr, NETCL_WAIT_FOREVER),
        "netcl_tensor_read");
  return value;
}

/// Nanoseconds of a call, of the slowest rank.
double time_calls(Rank& rank, const Collective& collective, uint64_t calls) {
  check(netcl_group_barrier(rank.group.get(), nullptr), "netcl_group_barrier");
  const auto begin = std::chrono::steady_clock::now();
  for (uint64_t i = 0; i < calls; ++i) check(collective.run(rank), collective.name);
  check(netcl_device_finish(rank.device.get(), NETCL_WAIT_FOREVER), "netcl_device_finish");
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  return largest(rank, taken.count() / static_cast<double>(calls));
}

/// All ranks make the same calls, as each decision is made from what all of them know.
GroupRow time_case(Rank& rank, const GroupCase& what, double seconds) {
  make_tensors(&rank, what);
  time_calls(rank, *what.collective, 1);
  const double once = time_calls(rank, *what.collective, 2);
  const double calls = seconds * 1e9 / static_cast<double>(kGroupRounds) / std::max(once, 1.0);
  std::vector<double> times;
  for (uint64_t round = 0; round < kGroupRounds; ++round) {
    times.push_back(
        time_calls(rank, *what.collective, static_cast<uint64_t>(std::clamp(calls, 1.0, 1e6))));
  }
  std::sort(times.begin(), times.end());
  return {what, times[kGroupRounds / 2], times.front(), times.back()};
}

struct Meeting {
  std::string path;
  uint32_t rank = 0, size = 0;
  uint64_t timeout_ns = 0;
  double seconds = 0;
  bool share = false;
  std::vector<std::string> devices;  ///< rank r takes the r-th, round and round
  std::vector<GroupCase> cases;
};

/// Where rank 0 writes what was measured: text as it comes, JSON in the end.
class GroupReport {
 public:
  GroupReport(bool as_json, uint32_t ranks) : as_json_(as_json), ranks_(ranks) {}

  void begin(const std::string& device) {
    if (as_json_) {
      json_.begin_object();
      json_.text("device", device);
      json_.integer("ranks", ranks_);
      json_.begin_array("rows");
      return;
    }
    print("%u ranks, rank 0 on %s\n\n", ranks_, visible(device).c_str());
    print("%-15s %12s %11s %11s %11s %9s %9s\n", "collective", "bytes", "time", "least", "most",
          "GB/s", "bus GB/s");
  }

  void add(const GroupRow& row) {
    const double rate = static_cast<double>(row.what.bytes) / row.median;
    const double bus = rate * row.what.collective->traffic(ranks_);
    if (!as_json_) {
      print("%-15s %12llu %11s %11s %11s %9.2f %9.2f\n", row.what.collective->name,
            static_cast<unsigned long long>(row.what.bytes), time_text(row.median).c_str(),
            time_text(row.least).c_str(), time_text(row.most).c_str(), rate, bus);
      return;
    }
    json_.begin_object();
    json_.text("collective", row.what.collective->name);
    json_.integer("bytes", row.what.bytes);
    json_.real("median_ns", row.median);
    json_.real("min_ns", row.least);
    json_.real("max_ns", row.most);
    json_.real("gb_per_s", rate);
    json_.real("bus_gb_per_s", bus);
    json_.end_object();
  }

  void end() {
    if (!as_json_) return;
    json_.end_array();
    json_.end_object();
    print("%s", text_.c_str());
  }

 private:
  const bool as_json_;
  const uint32_t ranks_;
  std::string text_;
  Json json_{&text_};
};

/// `report` is null for all ranks but 0.
void run_rank(const Meeting& meeting, uint32_t index, GroupReport* report) {
  Rank rank;
  const std::string& selector = meeting.devices[index % meeting.devices.size()];
  rank.share = meeting.share;
  check(netcl_device_open(selector.c_str(), nullptr, rank.device.receive()), selector.c_str());
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  check(netcl_device_get_info(rank.device.get(), &info), "netcl_device_get_info");
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  options.timeout_ns = meeting.timeout_ns;
  check(netcl_group_join(rank.device.get(), meeting.path.c_str(), index, meeting.size, &options,
                         rank.group.receive()),
        "netcl_group_join");
  check(netcl_group_get_info(rank.group.get(), &rank.info), "netcl_group_get_info");
  if (report != nullptr) report->begin(info.name);
  for (const GroupCase& one : meeting.cases) {
    const GroupRow row = time_case(rank, one, meeting.seconds);
    if (report != nullptr) report->add(row);
  }
}

/// Processes of this one, which are ranks from 1 on. They are waited for, whatever happens here.
class Others {
 public:
  explicit Others(const Meeting& meeting) {
    std::fflush(nullptr);
    for (uint32_t index = 1; index < meeting.size; ++index) {
      const pid_t child = fork();
      if (child < 0) throw ToolError("fork: no further process");
      if (child == 0) _exit(other(meeting, index));
      children_.push_back(child);
    }
  }
  ~Others() { wait(); }
  Others(const Others&) = delete;
  Others& operator=(const Others&) = delete;

  /// Whether all of them ended well.
  bool wait() {
    for (const pid_t child : children_) {
      int status = 0;
      well_ = waitpid(child, &status, 0) == child && status == 0 && well_;
    }
    children_.clear();
    return well_;
  }

 private:
  static int other(const Meeting& meeting, uint32_t index) {
    try {
      run_rank(meeting, index, nullptr);
      return kExitSuccess;
    } catch (const std::exception& problem) {
      std::fprintf(stderr, "netcl: rank %u: %s\n", index, problem.what());
      return kExitFailure;
    }
  }
  std::vector<pid_t> children_;
  bool well_ = true;
};

/// A folder for the ranks to meet in, for this run.
class Folder {
 public:
  Folder() {
    const char* const base = std::getenv("TMPDIR");
    path_ = std::string(base != nullptr && base[0] == '/' ? base : "/tmp") + "/netcl-group-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) throw ToolError(path_ + ": no folder can be made");
  }
  ~Folder() { rmdir(path_.c_str()); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string meeting() const { return path_ + "/meet"; }

 private:
  std::string path_;
};

}  // namespace

int bench_group(int argc, char** argv) {
  const Options options(
      argc, argv, {"--json", "--share"},
      {"--device", "--ranks", "--path", "--rank", "--size", "--time", "--timeout"});
  const bool joins = options.has("--path");
  if (joins) options.refuse("with --path", {"--ranks"});
  if (!joins) options.refuse("without --path", {"--rank", "--size"});
  Meeting meeting;
  meeting.size = static_cast<uint32_t>(
      options.whole(joins ? "--size" : "--ranks", 2, 1, NETCL_GROUP_SIZE_MAX));
  meeting.rank = static_cast<uint32_t>(options.whole("--rank", 0, 0, meeting.size - 1));
  meeting.timeout_ns =
      static_cast<uint64_t>(options.number("--timeout", 60.0, 0.001, 86400.0) * 1e9);
  meeting.seconds = options.number("--time", 0.3, 1e-4, 3600.0);
  meeting.share = options.has("--share");
  meeting.devices = options.all("--device");
  if (meeting.devices.empty()) meeting.devices.emplace_back("auto");
  meeting.cases = read_cases(options.words(), meeting.size);
  GroupReport report(options.has("--json"), meeting.size);
  if (joins) {
    meeting.path = options.text("--path");
    run_rank(meeting, meeting.rank, meeting.rank == 0 ? &report : nullptr);
    if (meeting.rank == 0) report.end();
    return kExitSuccess;
  }
  const Folder folder;
  meeting.path = folder.meeting();
  Others others(meeting);
  run_rank(meeting, 0, &report);
  if (!others.wait()) return kExitFailure;
  report.end();
  return kExitSuccess;
}

}  // namespace netcl::tool
