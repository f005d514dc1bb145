// One name for all states that differ in the names of queues, tensors and blocks alone, and in the
// order of commands that nothing orders. Equal keys mean equal states, up to a chance of 2^-128 for
// each pair; a state may have more than one key where commands look alike, which costs time alone.
#include <algorithm>
#include <bit>

#include "model.hpp"

namespace model {

namespace {

uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

class Naming {
 public:
  explicit Naming(const State& state) : state_(state) {
    colour_blocks();
    order_queues();
    order_commands();
    name_blocks();
  }

  Key key() const {
    Key key{0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u};
    const auto add = [&](uint64_t word) {
      key.low = mix(key.low + word);
      key.high = mix(key.high ^ (word * 0xff51afd7ed558ccdu)) + key.low;
    };
    uint64_t kinds = 0;
    for (const int q : queues_) kinds = kinds * 8 + kind(q);
    for (const int8_t block : state_.block_of) kinds += block < 0 ? 1u << 16 : 0u;
    add(kinds ^ (uint64_t{state_.count} << 32));
    for (int place = 0; place < state_.count; ++place) {
      const Command& command = state_.commands[order_[place]];
      add(uint64_t{command.flushed} | uint64_t{rank_[command.queue]} << 1 |
          uint64_t{blocks_of(command.reads)} << 8 | uint64_t{blocks_of(command.writes)} << 16 |
          uint64_t{commands_of(command.before)} << 24 | uint64_t{commands_of(command.event)} << 32);
    }
    for (int place = 0; place < named_; ++place) {
      const Block& block = state_.blocks[block_at_[place]];
      const uint64_t write =
          block.last_write < 0 ? kCommands : place_[static_cast<size_t>(block.last_write)];
      add(block.place | write << 8 | uint64_t{commands_of(block.reads)} << 16);
    }
    return key;
  }

 private:
  void colour_blocks() {
    std::array<unsigned, kQueues> position{};
    for (int i = 0; i < state_.count; ++i) {
      const Command& command = state_.commands[i];
      const bool unordered = state_.queues[command.queue].out_of_order;
      position_[i] = unordered ? 0 : ++position[command.queue];
      const uint64_t colour = mix(kind(command.queue) * 64u + position_[i] * 4u + 1);
      for (int b = 0; b < kBlocks; ++b) {
        if ((command.reads >> b & 1) != 0) colours_[b] += colour;
        if ((command.writes >> b & 1) != 0) colours_[b] += mix(colour);
      }
    }
    for (int b = 0; b < kBlocks; ++b) colours_[b] += state_.blocks[b].place;
  }

  unsigned kind(int q) const {
    return state_.queues[q].life * 2u + (state_.queues[q].out_of_order ? 1u : 0u);
  }

  void order_queues() {
    std::array<std::pair<unsigned, uint64_t>, kQueues> colours{};
    for (int q = 0; q < kQueues; ++q) colours[q].first = kind(q);
    for (int i = 0; i < state_.count; ++i) {
      colours[state_.commands[i].queue].second += mix(signature(i) + position_[i]);
    }
    std::stable_sort(queues_.begin(), queues_.end(),
                     [&](int a, int b) { return colours[a] < colours[b]; });
    for (int r = 0; r < kQueues; ++r) rank_[queues_[r]] = static_cast<uint8_t>(r);
  }

  uint64_t signature(int index) const {
    const Command& command = state_.commands[index];
    uint64_t sum = command.flushed ? 1 : 0;
    sum += static_cast<unsigned>(std::popcount(command.before)) * 2u;
    for (int b = 0; b < kBlocks; ++b) {
      if ((command.reads >> b & 1) != 0) sum += mix(colours_[b]);
      if ((command.writes >> b & 1) != 0) sum += mix(colours_[b] ^ 0x5555);
    }
    return sum;
  }

  void order_commands() {
    int count = 0;
    for (const int q : queues_) {
      const int first = count;
      for (int i = 0; i < state_.count; ++i) {
        if (state_.commands[i].queue == q) order_[count++] = i;
      }
      if (!state_.queues[q].out_of_order) continue;
      std::stable_sort(order_.begin() + first, order_.begin() + count,
                       [&](int a, int b) { return signature(a) < signature(b); });
    }
    for (int place = 0; place < count; ++place) place_[order_[place]] = place;
  }

  // By the command that uses a block first.
  void name_blocks() {
    name_.fill(-1);
    const auto name = [&](Mask mask) {
      std::array<int, kBlocks> list{};
      int count = 0;
      for (int b = 0; b < kBlocks; ++b) {
        if ((mask >> b & 1) != 0 && name_[b] < 0) list[count++] = b;
      }
      std::stable_sort(list.begin(), list.begin() + count,
                       [&](int a, int b) { return colours_[a] < colours_[b]; });
      for (int i = 0; i < count; ++i) {
        name_[list[i]] = named_;
        block_at_[named_++] = list[i];
      }
    };
    for (int place = 0; place < state_.count; ++place) {
      name(state_.commands[order_[place]].reads);
      name(state_.commands[order_[place]].writes);
    }
  }

  uint8_t commands_of(Mask mask) const {
    unsigned renamed = 0;
    for (int i = 0; i < state_.count; ++i) {
      if ((mask >> i & 1) != 0) renamed |= 1u << place_[i];
    }
    return static_cast<uint8_t>(renamed);
  }
  uint8_t blocks_of(Mask mask) const {
    unsigned renamed = 0;
    for (int b = 0; b < kBlocks; ++b) {
      if ((mask >> b & 1) != 0) renamed |= 1u << name_[b];
    }
    return static_cast<uint8_t>(renamed);
  }

  const State& state_;
  std::array<int, kQueues> queues_ = {0, 1, 2};  // the n-th queue
  std::array<uint8_t, kQueues> rank_{};
  std::array<uint64_t, kBlocks> colours_{};
  std::array<unsigned, kCommands> position_{};  // on a queue in order
  std::array<int, kCommands> order_{};          // of the n-th command
  std::array<int, kCommands> place_{};          // of a command
  std::array<int, kBlocks> name_{};
  std::array<int, kBlocks> block_at_{};
  int named_ = 0;
};

}  // namespace

Key key_of(const State& state) { return Naming(state).key(); }

}  // namespace model
