// What is shared: by the threads of a run, and by the process that runs with the one that watches.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "program.hpp"

namespace sequences {

constexpr int kThreadsMost = 8;
constexpr size_t kJournalBytes = size_t{64} << 20;

struct Settings {
  uint64_t calls = 100000;
  uint64_t seed = 1;
  int threads = 1;
  std::string device = "builtin";
  unsigned length = 150;  // calls of a thread in a sequence
  unsigned wrong = 15;    // calls made wrong, in percent
  double limit = 30;      // seconds of processor time that a call may take
  std::string out;        // file of the C program
  std::string only;       // draw this function more often
  bool sample = false;    // print a sequence, run nothing more
  bool verbose = false;
};

// Memory of both processes.
struct Shared {
  std::atomic<uint64_t> used;   // bytes of the journal
  std::atomic<uint64_t> calls;  // done so far
  std::atomic<uint64_t> sequence;
  std::atomic<uint64_t>
      begun[kThreadsMost];  // monotonic ns at which a thread's call began; 0: none
  std::atomic<uint32_t> running[kThreadsMost];  // its function
  std::atomic<int> failed;
  char failure[4096];               // kind, a line end, then details
  std::atomic<uint64_t> good[512];  // calls of each function that gave OK
  std::atomic<uint64_t> bad[512];
  char refusal[512][200];  // what each function said last when it refused a call
  std::atomic<uint64_t> rss_first, rss_last;
  unsigned char journal[kJournalBytes];
};

extern Shared* shared;
extern Settings settings;

// Notes what is wrong and ends the process; `kind` tells failures apart for the shrinking.
[[noreturn]] void fail(const std::string& kind, const std::string& details);

// An object that the sequence has one reference to.
struct Entry {
  Entry(int of_type, uint64_t by, uint64_t handle, int on_side, bool stays)
      : type(of_type), ref(by), value(handle), side(on_side), pinned(stays) {}
  int type;
  uint64_t ref;
  uint64_t value;
  int side;         // 0: of the device under test, 1: of the other device, -1: of none
  int thread = -1;  // of movable objects: who made it
  bool pinned;      // stays for the whole sequence
  int dtype = 0;
  std::vector<int64_t> shape;
  uint64_t bytes = 0;
  bool capture = false;  // a value of a capture
};

// What a graph recorded, as far as it helps to make right calls.
struct GraphNotes {
  struct Recorded {
    std::vector<uint64_t> inputs;
    uint64_t output;
  };
  std::vector<Recorded> calls;
  bool capture = false;
};

struct Objects {
  std::mutex lock;
  std::vector<Entry> live;
  std::vector<Entry> stale;                         // released; the last ones
  std::unordered_map<uint64_t, GraphNotes> graphs;  // by value of the graph
  std::atomic<uint32_t> next_call{0};
};

uint64_t now_ns();

}  // namespace sequences
