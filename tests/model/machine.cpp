#include <bit>

#include "model.hpp"

namespace model {

namespace {

constexpr Mask bit(int index) { return static_cast<Mask>(1u << index); }

// A mask of commands without one of them, which the later ones close up behind.
Mask without(Mask mask, int index) {
  const unsigned low = mask & (bit(index) - 1u);
  return static_cast<Mask>(low | ((mask >> (index + 1)) << index));
}

Mask closure(const State& state, Mask mask) {
  Mask all = mask;
  for (int i = 0; i < state.count; ++i) {
    if ((mask & bit(i)) != 0) all |= state.commands[i].before;
  }
  return all;
}

bool conflict(const Command& one, const Command& other) {
  return ((one.writes & (other.reads | other.writes)) | (one.reads & other.writes)) != 0;
}

}  // namespace

const char* name_of(Fault fault) {
  static constexpr const char* kNames[] = {"none",
                                           "read_after_write",
                                           "write_after_read",
                                           "write_after_write",
                                           "out_of_order",
                                           "one_read",
                                           "fence",
                                           "dropped_queue",
                                           "lease_busy",
                                           "lease_written",
                                           "forgets_block",
                                           "flush"};
  static_assert(sizeof kNames / sizeof kNames[0] == static_cast<size_t>(Fault::count));
  return kNames[static_cast<size_t>(fault)];
}

Mask State::on_queue(int queue) const {
  Mask mask = 0;
  for (int i = 0; i < count; ++i) {
    if (commands[i].queue == queue) mask |= bit(i);
  }
  return mask;
}

Mask State::users(int block) const {
  Mask mask = 0;
  for (int i = 0; i < count; ++i) {
    if (((commands[i].reads | commands[i].writes) & bit(block)) != 0) mask |= bit(i);
  }
  return mask;
}

bool State::keeps_events(Fault fault) const {
  int counted = 0;
  bool unordered = false;
  for (int q = 0; q < kQueues; ++q) {
    const bool live = queues[q].life == Queue::live;
    const bool runs = queues[q].life == Queue::dropped && on_queue(q) != 0;
    if (live || (runs && fault != Fault::dropped_queue)) ++counted;
    unordered = unordered || (live && queues[q].out_of_order);
  }
  return counted > 1 || unordered;
}

State start() {
  State state;
  state.queues[0].life = Queue::live;
  for (int t = 0; t < kTensors; ++t) {
    state.block_of[t] = static_cast<int8_t>(t);
    state.blocks[t].place = Block::leased;
  }
  return state;
}

namespace {

// A block of the pool that nothing uses is as good as a new one, and so is a queue that is gone.
void forget_unused(State* state) {
  for (int b = 0; b < kBlocks; ++b) {
    Block& block = state->blocks[b];
    if (block.place == Block::pooled && state->users(b) == 0) block = Block();
  }
  for (int q = 0; q < kQueues; ++q) {
    Queue& queue = state->queues[q];
    if (queue.life == Queue::dropped && state->on_queue(q) == 0) queue = Queue();
  }
}

void complete(int index, State* state) {
  State next = *state;
  for (int i = index + 1; i < state->count; ++i) next.commands[i - 1] = state->commands[i];
  next.commands[--next.count] = Command();
  for (int i = 0; i < next.count; ++i) {
    next.commands[i].before = without(next.commands[i].before, index);
    next.commands[i].event = without(next.commands[i].event, index);
  }
  for (int b = 0; b < kBlocks; ++b) {
    Block& block = next.blocks[b];
    if (block.last_write == index) block.last_write = -1;
    if (block.last_write > index) --block.last_write;
    block.reads = without(block.reads, index);
  }
  forget_unused(&next);
  *state = next;
}

}  // namespace

void forget_covered(State* state) {
  for (int i = state->count - 1; i >= 0; --i) {
    Command& command = state->commands[i];
    Mask noted = 0;
    for (int b = 0; b < kBlocks; ++b) {
      const Block& block = state->blocks[b];
      if (block.last_write == i || (block.reads & bit(i)) != 0) noted |= bit(b);
    }
    command.reads &= noted;
    command.writes &= noted;
    if (noted == 0) complete(i, state);
  }
}

// What docs/ordering.md has a command wait for: by event, unless its queue is the order already.
Mask Machine::waits_for(const State& state, const Command& command) const {
  Mask waits = 0;
  const auto add = [&](int index) {
    const Command& used = state.commands[index];
    const bool unordered =
        state.queues[command.queue].out_of_order && fault_ != Fault::out_of_order;
    if (used.queue != command.queue || unordered) waits |= used.event;
  };
  for (int b = 0; b < kBlocks; ++b) {
    const Block& block = state.blocks[b];
    const bool write = (command.writes & bit(b)) != 0;
    if (!write && (command.reads & bit(b)) == 0) continue;
    const Fault left_out = write ? Fault::write_after_write : Fault::read_after_write;
    if (block.last_write >= 0 && fault_ != left_out) add(block.last_write);
    if (!write || fault_ == Fault::write_after_read) continue;
    for (int i = 0; i < state.count; ++i) {
      if ((block.reads & bit(i)) != 0) add(i);
    }
  }
  return waits;
}

void Machine::record(int index, bool waits, State* state) const {
  const Command& command = state->commands[index];
  for (int b = 0; b < kBlocks; ++b) {
    Block& block = state->blocks[b];
    if ((command.writes & bit(b)) != 0) {
      block.last_write = static_cast<int8_t>(index);
      block.reads = 0;
    } else if ((command.reads & bit(b)) != 0) {
      // In order the newest read stands for the older ones.
      const bool replaces = !state->queues[command.queue].out_of_order && !waits;
      if (replaces) block.reads &= static_cast<Mask>(~state->on_queue(command.queue));
      if (fault_ == Fault::one_read) block.reads = 0;
      block.reads |= bit(index);
    }
  }
}

std::string Machine::enqueue(const Step& step, State* state) const {
  Command made;
  made.queue = step.queue;
  for (int t = 0; t < kTensors; ++t) {
    if ((step.reads & bit(t)) != 0) made.reads |= bit(state->block_of[t]);
    if ((step.writes & bit(t)) != 0) made.writes |= bit(state->block_of[t]);
  }
  const bool keeps = state->keeps_events(fault_);
  const Mask waits = keeps ? waits_for(*state, made) : Mask{0};
  const int index = state->count;
  made.event = keeps ? bit(index) : Mask{0};
  if (waits != 0 && fault_ != Fault::flush) {
    for (Command& other : state->commands) {
      if (other.queue != step.queue) other.flushed = true;
    }
  }
  // From here on what the driver does.
  const Mask same = state->on_queue(step.queue);
  Mask before = waits;
  if (!state->queues[step.queue].out_of_order) before |= same;
  made.before = closure(*state, before);
  for (int i = 0; i < index; ++i) {
    const Command& other = state->commands[i];
    if (conflict(made, other) && (made.before & bit(i)) == 0) {
      return "a race: the last command may run before command " + std::to_string(i) +
             " of those pending";
    }
    // Whoever waits for the command flushes its own queue.
    if ((made.before & bit(i)) != 0 && !other.flushed && other.queue != step.queue) {
      return "no end: the last command waits for one that was never flushed";
    }
  }
  state->commands[index] = made;
  ++state->count;
  record(index, waits != 0, state);
  return check_records(*state);
}

// When the uses that a record has are over, all of them are: else the pool could not know.
std::string Machine::check_records(const State& state) const {
  for (int b = 0; b < kBlocks; ++b) {
    const Block& block = state.blocks[b];
    Mask known = block.reads;
    if (block.last_write >= 0) known |= bit(block.last_write);
    if ((state.users(b) & ~closure(state, known)) != 0) {
      return "a block is taken for free while a command uses it";
    }
  }
  return {};
}

bool Machine::free_to_lease(const State& state, int block) const {
  if (!state.keeps_events(fault_) || fault_ == Fault::lease_busy) return true;
  const Block& cached = state.blocks[block];
  return cached.last_write < 0 && (cached.reads == 0 || fault_ == Fault::lease_written);
}

std::string Machine::lease(const Step& step, State* state) const {
  Block& block = state->blocks[step.block];
  if (block.place == Block::pooled) {
    // With one queue in order whoever leases it comes behind those commands.
    if (state->keeps_events(Fault::none) && state->users(step.block) != 0) {
      return "a block is leased while a command uses it";
    }
    if (fault_ == Fault::forgets_block) block = Block();
  }
  block.place = Block::leased;
  state->block_of[step.tensor] = static_cast<int8_t>(step.block);
  return {};
}

std::string Machine::add_queue(const Step& step, State* state) const {
  if (!state->keeps_events(fault_) && fault_ != Fault::fence) {
    for (int q = 0; q < kQueues; ++q) {
      const Mask same = state->on_queue(q);
      for (int i = 0; i < state->count; ++i) {
        Command& command = state->commands[i];
        if (command.queue != q) continue;
        if (command.event == 0) command.event = same;
        command.flushed = true;
      }
    }
  }
  state->queues[step.queue] = {Queue::live, step.out_of_order};
  return {};
}

std::string Machine::apply(const Step& step, State* state) const {
  switch (step.kind) {
    case Kind::command:
      return enqueue(step, state);
    case Kind::complete:
      complete(step.command, state);
      return {};
    case Kind::add_queue:
      return add_queue(step, state);
    case Kind::drop_queue:
      state->queues[step.queue].life = Queue::dropped;
      for (Command& command : state->commands) {
        if (command.queue == step.queue) command.flushed = true;
      }
      forget_unused(state);
      return {};
    case Kind::release:
      state->blocks[state->block_of[step.tensor]].place = Block::pooled;
      state->block_of[step.tensor] = -1;
      forget_unused(state);
      return {};
    case Kind::lease:
      return lease(step, state);
  }
  return {};
}

// One or two tensors, each read or written. Tensors that no pending command uses differ in nothing.
void Machine::access_steps(const State& state, int queue, std::vector<Step>* out) {
  std::array<Mask, kTensors> names{}, unused{};
  int count = 0, fresh = 0;
  for (int t = 0; t < kTensors; ++t) {
    if (state.block_of[t] < 0) continue;
    names[count++] = bit(t);
    if (state.users(state.block_of[t]) == 0) unused[fresh++] = bit(t);
  }
  const auto give = [&](Mask reads, Mask writes) {
    const auto used = static_cast<Mask>(reads | writes);
    for (int i = 1; i < fresh; ++i) {
      if ((used & unused[i]) != 0 && (used & unused[i - 1]) == 0) return;
    }
    if (fresh > 1 && reads == unused[1] && writes == unused[0]) return;
    out->push_back({.queue = static_cast<uint8_t>(queue), .reads = reads, .writes = writes});
  };
  for (int i = 0; i < count; ++i) {
    give(names[i], 0);
    give(0, names[i]);
    for (int j = 0; j < count; ++j) {
      if (j != i) give(names[i], names[j]);
      if (j <= i) continue;
      give(static_cast<Mask>(names[i] | names[j]), 0);
      give(0, static_cast<Mask>(names[i] | names[j]));
    }
  }
}

void Machine::queue_steps(const State& state, std::vector<Step>* out) {
  int unmade = -1;
  for (int q = kQueues - 1; q >= 0; --q) {
    const auto queue = static_cast<uint8_t>(q);
    if (state.queues[q].life == Queue::none) unmade = q;
    if (state.queues[q].life == Queue::live) {
      out->push_back({.kind = Kind::drop_queue, .queue = queue});
    }
  }
  if (unmade < 0) return;
  for (const bool unordered : {false, true}) {
    out->push_back({.kind = Kind::add_queue,
                    .queue = static_cast<uint8_t>(unmade),
                    .out_of_order = unordered});
  }
}

void Machine::tensor_steps(const State& state, std::vector<Step>* out) const {
  int released = -1, fresh = -1;
  for (int t = kTensors - 1; t >= 0; --t) {
    if (state.block_of[t] < 0) {
      released = t;
    } else {
      out->push_back({.kind = Kind::release, .tensor = static_cast<uint8_t>(t)});
    }
  }
  if (released < 0) return;
  Step step{.kind = Kind::lease, .tensor = static_cast<uint8_t>(released)};
  for (int b = kBlocks - 1; b >= 0; --b) {
    step.block = static_cast<uint8_t>(b);
    if (state.blocks[b].place == Block::none) fresh = b;
    if (state.blocks[b].place == Block::pooled && free_to_lease(state, b)) out->push_back(step);
  }
  step.block = static_cast<uint8_t>(fresh);  // there are more blocks than tensors
  out->push_back(step);
}

void Machine::steps(const State& state, bool commands, bool others, std::vector<Step>* out) const {
  out->clear();
  for (int i = 0; i < state.count; ++i) {
    if (state.commands[i].before != 0) continue;
    out->push_back({.kind = Kind::complete, .command = static_cast<uint8_t>(i)});
  }
  for (int q = 0; commands && q < kQueues; ++q) {
    if (state.queues[q].life == Queue::live) access_steps(state, q, out);
  }
  if (!others) return;
  queue_steps(state, out);
  tensor_steps(state, out);
}

}  // namespace model
