// The ordering rules and the reuse rule of the pools as a machine of states, small enough to be
// looked at as a whole: queues, tensors in blocks of memory, commands with what they read and
// write.
//
// It has two halves. One is what netcl notes (the record of each block) and does by it (waits,
// flushes, leases). The other is what an OpenCL driver promises by that: which commands must have
// ended before one begins. Each step of the host is checked against the second half alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace model {

inline constexpr int kQueues = 3, kTensors = 4, kCommands = 6;
// A block stays with its tensor, or is in the pool while the tensor has another.
inline constexpr int kBlocks = 2 * kTensors;

using Mask = uint8_t;  // of commands, blocks or tensors

enum class Kind : uint8_t {
  command,     // reads and writes tensors on a queue
  complete,    // the driver ends a pending command
  add_queue,   // in order, or out of order
  drop_queue,  // released by its user, with commands that may still run
  release,     // a tensor's block goes back to the pool
  lease,       // a tensor takes a block of the pool, or a new one
};

struct Step {
  Kind kind = Kind::command;
  uint8_t queue = 0;
  bool out_of_order = false;
  Mask reads = 0, writes = 0;  // tensors
  uint8_t command = 0;         // a pending one
  uint8_t tensor = 0;
  uint8_t block = 0;  // that is leased
};
using Trace = std::vector<Step>;

// What can be left out of the rules, to see that it is missed.
enum class Fault : uint8_t {
  none,
  read_after_write,   // a read does not wait for the last write
  write_after_read,   // a write does not wait for the reads since the last write
  write_after_write,  // a write does not wait for the last write
  out_of_order,       // a queue is taken to be in order though it is not
  one_read,           // a record keeps the last read alone, whatever its queue
  fence,              // a second queue starts without an event for what ran before it
  dropped_queue,      // a queue that is gone is forgotten with commands that still run
  lease_busy,         // the pool hands out blocks that are still used
  lease_written,      // the pool asks for the last write alone
  forgets_block,      // a block is leased with an empty record
  flush,              // a queue that another one waits for is not flushed
  count
};
const char* name_of(Fault fault);

// A command that has not ended.
struct Command {
  uint8_t queue = 0;
  Mask reads = 0, writes = 0;  // blocks
  Mask before = 0;             // commands that have ended before this one begins
  Mask event = 0;              // those that have ended when the event that stands for it has
  bool flushed = false;
};

struct Block {
  enum Place : uint8_t { none, leased, pooled } place = none;
  int8_t last_write = -1;  // a pending command
  Mask reads = 0;          // pending ones since the last write
};

struct Queue {
  enum Life : uint8_t { none, live, dropped } life = none;
  bool out_of_order = false;
};

struct State {
  std::array<Command, kCommands> commands{};
  std::array<Block, kBlocks> blocks{};
  std::array<Queue, kQueues> queues{};
  std::array<int8_t, kTensors> block_of{};  // -1: released
  uint8_t count = 0;                        // of commands

  Mask pending() const { return static_cast<Mask>((1 << count) - 1); }
  Mask on_queue(int queue) const;
  Mask users(int block) const;
  // True when commands have events of their own.
  bool keeps_events(Fault fault) const;
};

// One queue in order, all tensors in blocks of their own.
State start();

// The machine: why a step breaks a promise, empty when it does not.
class Machine {
 public:
  explicit Machine(Fault fault = Fault::none) : fault_(fault) {}

  // All steps that are possible, but for those that differ in names only. `others` tells whether
  // those of queues and tensors are among them.
  void steps(const State& state, bool commands, bool others, std::vector<Step>* out) const;
  std::string apply(const Step& step, State* state) const;

 private:
  std::string enqueue(const Step& step, State* state) const;
  std::string lease(const Step& step, State* state) const;
  std::string add_queue(const Step& step, State* state) const;
  std::string check_records(const State& state) const;
  bool free_to_lease(const State& state, int block) const;
  Mask waits_for(const State& state, const Command& command) const;
  void record(int index, bool waits, State* state) const;
  static void access_steps(const State& state, int queue, std::vector<Step>* out);
  static void queue_steps(const State& state, std::vector<Step>* out);
  void tensor_steps(const State& state, std::vector<Step>* out) const;

  Fault fault_;
};

// Drops the uses that the records of the blocks do not have any more, and commands without others.
// What the records have comes after them: that was checked when each of it was enqueued. So whoever
// comes after what the records have, which is checked further on, comes after them as well; and
// that such a command may end at once adds orders and takes none away.
void forget_covered(State* state);

// The same for states that differ in names and in the order of commands that commute.
struct Key {
  uint64_t low = 0, high = 0;
  bool operator==(const Key&) const = default;
};
Key key_of(const State& state);

std::string text_of(const Trace& trace);

}  // namespace model
