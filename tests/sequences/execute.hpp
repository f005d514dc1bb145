// Makes calls, and checks what the interface promises of each.
#pragma once

#include <memory>

#include "netcl.h"
#include "state.hpp"

namespace sequences {

// What calls gave, by Ref.
class Results {
 public:
  explicit Results(size_t calls) : values_(calls * 4) {}
  uint64_t get(uint64_t ref) const;
  void set(uint64_t ref, uint64_t value);
  void drop(uint64_t ref) { set(ref, 0); }

 private:
  mutable std::mutex lock_;
  std::unordered_map<uint64_t, uint64_t> values_;
};

// Memory that calls were given. It stays until everything is released, as some of it may.
class Memory {
 public:
  ~Memory();
  void* take(size_t bytes);  // aligned to 64 bytes, with a guard behind it
  void check_guards(const char* where) const;

 private:
  struct Block {
    void* memory;
    size_t bytes;
  };
  std::vector<Block> blocks_;
};

struct Outcome {
  int32_t status = 0;
  std::vector<uint64_t> results;  // in the order of results_of
};

// A thread's way through a sequence.
class Executor {
 public:
  // Calls that come before all threads are on the first one.
  Executor(Results& results, int thread)
      : results_(results), thread_(thread < kThreadsMost ? thread : 0) {}
  Outcome execute(const Call& call);
  void end_thread();  // gives back what belongs to the thread
  void check_memory() const { memory_.check_guards("the end of the sequence"); }

 private:
  struct Span {
    unsigned char* memory;
    size_t bytes;
    size_t header;
    const Node* node;
  };
  Argument value(const Node& node);
  void* list(const Node& node);
  void* structure(const Node& node);
  void* out(const Node& node);
  void write_member(unsigned char* at, const Node& node);
  static std::string last_error(netcl_error_info* into = nullptr);
  void check(const Call& call, int32_t status);
  void check_outputs(const Call& call, int32_t status);
  void take_results(const Call& call, Outcome& outcome);

  Results& results_;
  int thread_;
  Memory memory_;
  std::vector<Span> spans_;
  bool hooked_ = false;
  std::string last_error_;
};

// Waits for all devices, so that nothing writes to what was given any more.
void finish_devices(const std::vector<Entry>& live);
// Releases and forgets all that is left of a sequence, in the process and on this thread.
void release_all(std::vector<Entry>& live);
void reset_process();
void check_nothing_left(const std::vector<uint64_t>& before);
std::vector<uint64_t> live_counts();
uint64_t resident_bytes();
uint64_t printed_bytes();  // on stdout and stderr since the process began

// What the host gives to the library: functions, their user_data, DLPack tensors.
void* hook_function(int hook, uint64_t id);
void* new_token();
void* new_managed();
void release_managed(void* managed);
// Whether each user_data was destroyed once, or never where nobody asked for it; forgets them.
void check_tokens();

}  // namespace sequences
