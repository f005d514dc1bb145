// The registry form of tuning: entries that are measured one after the other, each by a search, and
// whose winners go to the database.
#pragma once

#include "device/device.hpp"
#include "tune/stored_search.hpp"
#include "tune/subject.hpp"

namespace netcl::tune {

struct TunerSettings {
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  uint64_t warmup_count = 0;
  uint64_t compile_limit_ns = 0;
  uint64_t run_limit_ns = 0;
  bool in_process = false;
  bool force = false;
};

class Tuner {
 public:
  struct Entry {
    std::shared_ptr<Subject> subject;
    std::shared_ptr<Search> search;  // null until it was measured
    netcl_status status = NETCL_OK;
    std::string message;
    bool measured = false;
    uint64_t elapsed_ns = 0;
  };

  // Fails with INVALID_ARGUMENT naming an option.
  Tuner(DeviceRef device, std::shared_ptr<store::Database> database, const TunerSettings& settings);

  Device& device() const noexcept { return *device_; }
  store::Database& database() const noexcept { return *database_; }

  // Any number of threads may call all of these; runs take turns.
  void add(std::shared_ptr<Subject> subject);
  void run();
  void cancel();
  bool read_event(uint64_t after, uint64_t timeout_ns, netcl_search_event* event);
  uint32_t count();
  // Fails with NOT_FOUND past the end.
  Entry entry(uint32_t index);
  store::Answer answer(const Entry& entry);
  // What dispatch uses for a name and size, by an entry of the name or else by what is stored for
  // it. Fails with NOT_FOUND when there is neither.
  struct Used {
    netcl_match match = NETCL_MATCH_NONE;
    ConfigRef config;
  };
  Used lookup(const std::string& name, const std::vector<int64_t>& shape);
  void save(const char* path);
  void load(const char* path);
  void clear();

 private:
  store::Key key_of(const std::string& name, const std::vector<int64_t>& shape);
  double roof_of(Subject& subject);
  void run_entry(uint32_t index, const std::shared_ptr<Subject>& subject);
  void measure(uint32_t index, Subject& subject, const std::shared_ptr<Search>& search,
               SearchRecords* records);
  void finish_entry(uint32_t index, netcl_status status, const std::string& message,
                    uint64_t begin_ns);
  void forward_events(uint32_t index, Search& search, uint64_t* last);

  DeviceRef device_;
  std::shared_ptr<store::Database> database_;
  TunerSettings settings_;
  Events events_;
  std::atomic<bool> cancelled_{false};
  std::atomic<uint64_t> runs_{0};
  std::mutex run_mutex_;            // held by the thread that runs
  std::shared_ptr<Runner> runner_;  // of that thread
  std::mutex mutex_;                // guards what follows
  std::vector<Entry> entries_;
  std::shared_ptr<Search> current_;
};

// Whether a caller is the first in this process that comes with a problem of a size. After so many
// there is none any more: an integer that is another one at each launch, such as the number of a
// step, would have each of them tuned.
inline constexpr size_t kProblemsOfSize = 4;
enum class FirstCall : uint8_t { no, yes, one_too_many };
FirstCall first_call(const std::string& size, const std::string& problem);

}  // namespace netcl::tune
