#include "explore.hpp"

#include <algorithm>

namespace model {

namespace {

struct Node {
  State state;
  Trace trace;
  int others = 0;
};

// The keys seen so far, each with the fewest other steps that led there.
class Seen {
 public:
  // False when the state was seen with no more other steps.
  bool add(const Key& key, int others) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = find(key);
    if (slot.used && slot.others <= others) return false;
    if (!slot.used) ++count_;
    slot = {key, static_cast<uint8_t>(others), true};
    return true;
  }
  uint64_t count() const { return count_; }

 private:
  struct Slot {
    Key key;
    uint8_t others = 0;
    bool used = false;
  };
  Slot& find(const Key& key) {
    size_t at = key.low & (slots_.size() - 1);
    while (slots_[at].used && !(slots_[at].key == key)) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void grow() {
    std::vector<Slot> old(std::max<size_t>(1024, 2 * slots_.size()));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used) find(slot.key) = slot;
    }
  }
  std::vector<Slot> slots_;
  uint64_t count_ = 0;
};

// The device's own queue alone, and with one or two more of each kind.
std::vector<Node> beginnings(const Machine& machine) {
  std::vector<Node> all(1);
  all[0].state = start();
  const std::vector<std::vector<bool>> queues = {
      {false}, {true}, {false, false}, {false, true}, {true, true}};
  for (const std::vector<bool>& kinds : queues) {
    Node node;
    node.state = start();
    for (size_t i = 0; i < kinds.size(); ++i) {
      node.trace.push_back({.kind = Kind::add_queue,
                            .queue = static_cast<uint8_t>(i + 1),
                            .out_of_order = kinds[i]});
      (void)machine.apply(node.trace.back(), &node.state);
    }
    all.push_back(node);
  }
  return all;
}

class Explorer {
 public:
  Explorer(const Limits& limits, Fault fault) : limits_(limits), machine_(fault) {}

  Explored run() {
    std::vector<Node> level;
    for (Node& node : beginnings(machine_)) {
      if (seen_.add(key_of(node.state), 0)) level.push_back(std::move(node));
    }
    for (int left = limits_.commands; left > 0; --left) {
      std::vector<Node> next;
      while (!level.empty()) {
        visit_last(&level, left == 1, &next);
        // Those in front of the last command are too many to be kept.
        while (left == 2 && !next.empty()) visit_last(&next, true, nullptr);
      }
      level = std::move(next);
    }
    result_.states = seen_.count();
    return result_;
  }

 private:
  void visit_last(std::vector<Node>* nodes, bool last, std::vector<Node>* next) {
    const Node node = std::move(nodes->back());
    nodes->pop_back();
    if (result_.problem.empty()) visit(node, last, nodes, next);
  }

  void visit(const Node& node, bool last, std::vector<Node>* same, std::vector<Node>* next) {
    machine_.steps(node.state, true, node.others < limits_.others, &steps_);
    for (const Step& step : steps_) {
      State state = node.state;
      ++result_.steps;
      std::string problem = machine_.apply(step, &state);
      const bool command = step.kind == Kind::command;
      if (problem.empty()) {
        if (command && last) continue;
        if (command && limits_.forgets) forget_covered(&state);
        const int others = node.others + (command || step.kind == Kind::complete ? 0 : 1);
        if (!seen_.add(key_of(state), others)) continue;
        std::vector<Node>* const to = command ? next : same;
        to->push_back({state, node.trace, others});
        to->back().trace.push_back(step);
        continue;
      }
      result_.problem = std::move(problem);
      result_.trace = node.trace;
      result_.trace.push_back(step);
      return;
    }
  }

  const Limits limits_;
  const Machine machine_;
  Seen seen_;
  std::vector<Step> steps_;
  Explored result_;
};

bool of_host(const State& state, const Step& step) {
  if (step.kind == Kind::complete) return false;
  // In the model any queue can go; the device's own cannot.
  if (step.kind == Kind::drop_queue && step.queue == 0) return false;
  // A command needs a tensor.
  const auto gone = std::count(state.block_of.begin(), state.block_of.end(), -1);
  if (step.kind == Kind::release && gone + 1 == kTensors) return false;
  // Which block a tensor gets is up to the library; here it is a new one.
  return step.kind != Kind::lease || state.blocks[step.block].place == Block::none;
}

void extend(const Node& node, const Limits& left, const std::function<void(const Trace&)>& visit) {
  if (left.commands == 0) return visit(node.trace);
  const Machine machine;
  std::vector<Step> steps;
  machine.steps(node.state, true, left.others > 0, &steps);
  for (const Step& step : steps) {
    if (!of_host(node.state, step)) continue;
    Node next = node;
    (void)machine.apply(step, &next.state);
    next.trace.push_back(step);
    Limits rest = left;
    --(step.kind == Kind::command ? rest.commands : rest.others);
    extend(next, rest, visit);
  }
}

}  // namespace

Explored explore(const Limits& limits, Fault fault) { return Explorer(limits, fault).run(); }

void each_trace(const Limits& limits, const std::function<void(const Trace&)>& visit) {
  for (const Node& node : beginnings(Machine())) extend(node, limits, visit);
}

Trace random_trace(const Limits& limits, std::mt19937_64& random) {
  const Machine machine;
  const std::vector<Node> all = beginnings(machine);
  // With one queue other rules hold, so that half of the traces begin with it.
  Node node = all[random() % 2 == 0 ? 0 : random() % all.size()];
  Limits left = limits;
  std::vector<Step> steps;
  while (left.commands > 0) {
    const bool other = left.others > 0 && random() % 3 == 0;
    machine.steps(node.state, !other, other, &steps);
    std::erase_if(steps, [&](const Step& step) { return !of_host(node.state, step); });
    if (steps.empty()) continue;
    // The kind comes first: there are many tensors to release, and one to lease.
    const Kind kind = steps[random() % 2 == 0 ? steps.size() - 1 : random() % steps.size()].kind;
    std::erase_if(steps, [&](const Step& step) { return step.kind != kind; });
    const Step step = steps[random() % steps.size()];
    (void)machine.apply(step, &node.state);
    node.trace.push_back(step);
    --(other ? left.others : left.commands);
  }
  return node.trace;
}

std::string text_of(const Trace& trace) {
  const auto tensors = [](Mask mask) {
    std::string text;
    for (int t = 0; t < kTensors; ++t) {
      if ((mask >> t & 1) != 0) text += " t" + std::to_string(t);
    }
    return text;
  };
  std::string text;
  for (const Step& step : trace) {
    const std::string queue = " q" + std::to_string(step.queue);
    const std::string tensor = " t" + std::to_string(step.tensor);
    switch (step.kind) {
      case Kind::command:
        text += "command on" + queue;
        if (step.reads != 0) text += ", reads" + tensors(step.reads);
        if (step.writes != 0) text += ", writes" + tensors(step.writes);
        break;
      case Kind::complete:
        text += "pending command " + std::to_string(step.command) + " ends";
        break;
      case Kind::add_queue:
        text += "a new queue" + queue + (step.out_of_order ? ", out of order" : ", in order");
        break;
      case Kind::drop_queue:
        text += "release of" + queue;
        break;
      case Kind::release:
        text += "release of" + tensor;
        break;
      case Kind::lease:
        text += "lease of" + tensor;
        break;
    }
    text += "\n";
  }
  return text;
}

}  // namespace model
