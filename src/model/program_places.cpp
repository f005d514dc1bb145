// Says of a program's values which the host can know beforehand and where each is needed, and makes
// the steps: what is recorded as one graph goes on until the host needs what the device works out
// within it.
#include <algorithm>
#include <cstring>

#include "model/flow.hpp"
#include "model/program_builder.hpp"

namespace netcl::model {

bool host_needs(const ProgramNode& node, size_t input) noexcept {
  if (node.host != nullptr) return !node.host->shape_alone;
  return node.row != nullptr && input < 10 &&
         std::strchr(node.row->host_inputs, static_cast<int>('0' + input)) != nullptr;
}

// Whether the host works with an input: numbers and lists of integers, of which shapes, axes and
// counts are made. What follows from others is worked out by the device and read.
static bool is_list(const FileValue& input) {
  const netcl_dtype dtype = dtype_of(input.onnx_type);
  return (dtype == 0 || !is_float(dtype)) && input.shape.size() <= 1;
}

void ProgramPlaces::build() {
  for (ProgramValue& value : values_) {
    value.known =
        value.constant != nullptr ||
        (value.input != kNone && is_list(*program_.inputs_[static_cast<size_t>(value.input)]));
  }
  repeat(&ProgramPlaces::know);
  for (const uint32_t output : program_.outputs()) values_[output].on_device = true;
  repeat(&ProgramPlaces::place);
  for (const Plan plan : {kUnrolled, kApart}) {
    own_[plan].resize(values_.size());
    reads_[plan].resize(program_.blocks_.size());
    // A graph has a higher number than the one that holds it.
    for (size_t i = program_.blocks_.size(); i-- > 0;) plan_block(static_cast<uint32_t>(i), plan);
  }
}

// What goes round a loop tells of itself: a pass changes what the next one finds.
void ProgramPlaces::repeat(void (ProgramPlaces::*pass)(uint32_t)) {
  constexpr int kPassesMost = 64;
  for (int i = 0; i < kPassesMost; ++i) {
    changed_ = false;
    (this->*pass)(0);
    if (!changed_) return;
  }
  fail(NETCL_ERROR_UNSUPPORTED, "values of the model's loops follow from each other over %d rounds",
       kPassesMost);
}

// ---- What the host can know ----

void ProgramPlaces::know(uint32_t number) {
  for (const ProgramNode& node : block(number).nodes) {
    if (node.decides()) {
      node.row->flow == Flow::branch ? know_branches(node) : know_rounds(node);
      continue;
    }
    const HostOp* const host = find_host_op(node.file->domain, node.file->op);
    bool known = host != nullptr;
    for (const int64_t input : node.inputs) {
      known = known && (host->shape_alone || is_known(input));
    }
    for (const int64_t output : node.outputs) set_known(output, known);
  }
}

void ProgramPlaces::know_branches(const ProgramNode& node) {
  for (const uint32_t inner : node.blocks) know(inner);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    bool known = is_known(node.inputs[0]);
    for (const uint32_t inner : node.blocks) known = known && is_known(block(inner).outputs[i]);
    set_known(node.outputs[i], known);
  }
}

void ProgramPlaces::know_rounds(const ProgramNode& node) {
  const Rounds rounds(node, program_.file().opset);
  const uint32_t inner = node.blocks[0];
  const auto& inputs = block(inner).inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool goes_round = i >= rounds.body_first && i < rounds.body_first + rounds.count;
    // The number of a round and the condition in it, which is true.
    bool known = !rounds.scans && i < rounds.body_first;
    if (goes_round) {
      known = refuted_[inputs[i]] == 0 &&
              is_known(node.inputs[rounds.node_first + i - rounds.body_first]);
    }
    set_known(inputs[i], known);
  }
  know(inner);
  const auto& results = block(inner).outputs;
  bool counted = true;
  for (size_t i = 0; !rounds.scans && i < rounds.node_first; ++i) {
    counted = counted && is_known(node.inputs[i]);
  }
  if (!rounds.scans) counted = counted && is_known(results[0]);
  for (size_t i = 0; i < rounds.count; ++i) {
    const uint32_t input = inputs[rounds.body_first + i];
    const bool known = is_known(results[rounds.result_first + i]);
    if (is_known(input) && !known) {
      refuted_[input] = 1;
      changed_ = true;
    }
    if (i < node.outputs.size()) set_known(node.outputs[i], known && is_known(input) && counted);
  }
}

// ---- Where values are needed ----

// What the host needs and cannot know is read from the device.
void ProgramPlaces::need(int64_t number, bool host) {
  if (number == kNone) return;
  ProgramValue& value = values_[static_cast<size_t>(number)];
  bool& place = host && value.known ? value.on_host : value.on_device;
  changed_ = changed_ || !place;
  place = true;
}

void ProgramPlaces::need_as(int64_t number, int64_t other) {
  if (other == kNone) return;
  const ProgramValue& like = values_[static_cast<size_t>(other)];
  if (like.on_host) need(number, true);
  if (like.on_device) need(number, false);
}

// Whoever reads what a node gives has said so before.
void ProgramPlaces::place(uint32_t number) {
  auto& nodes = block(number).nodes;
  for (size_t i = nodes.size(); i-- > 0;) {
    ProgramNode& node = nodes[i];
    if (node.decides()) {
      place_flow(node);
      continue;
    }
    bool asked = false;
    for (const int64_t value : node.outputs) {
      asked = asked || (value != kNone && values_[static_cast<size_t>(value)].on_host);
    }
    const HostOp* const host = find_host_op(node.file->domain, node.file->op);
    if (host != nullptr && (asked || host->always)) {
      bool known = true;
      for (const int64_t input : node.inputs)
        known = known && (host->shape_alone || is_known(input));
      // Of numbers that the device has, the device makes others.
      node.host = known || node.row == nullptr || node.row->build == nullptr ? host : nullptr;
    }
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (node.host != nullptr && node.host->shape_alone) continue;
      need(node.inputs[k], host_needs(node, k));
    }
  }
}

void ProgramPlaces::place_flow(const ProgramNode& node) {
  if (node.row->flow == Flow::branch) {
    need(node.inputs[0], true);
    for (const uint32_t inner : node.blocks) {
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        need_as(block(inner).outputs[i], node.outputs[i]);
      }
      place(inner);
    }
    return;
  }
  const Rounds rounds(node, program_.file().opset);
  const auto& inputs = block(node.blocks[0]).inputs;
  const auto& results = block(node.blocks[0]).outputs;
  for (size_t i = 0; i < rounds.node_first; ++i) need(node.inputs[i], true);
  if (!rounds.scans) need(results[0], true);
  for (size_t i = 0; i < rounds.count; ++i) {
    const int64_t first = node.inputs[rounds.node_first + i], in = inputs[rounds.body_first + i];
    const int64_t result = results[rounds.result_first + i];
    const int64_t last = i < node.outputs.size() ? node.outputs[i] : kNone;
    for (const int64_t like : {last, in, result}) {
      need_as(in, like);
      need_as(result, like);
      need_as(first, like);
    }
  }
  for (size_t i = rounds.result_first + rounds.count; i < results.size(); ++i) {
    need(results[i], false);
  }
  for (size_t i = 0; i < rounds.slices; ++i) {
    need(node.inputs[rounds.node_first + rounds.count + i], false);
  }
  place(node.blocks[0]);
}

// ---- Steps ----

ProgramPlaces::Reads ProgramPlaces::host_reads(const ProgramNode& node, Plan plan) const {
  Reads reads;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] != kNone && host_needs(node, i)) {
      reads.push_back(static_cast<uint32_t>(node.inputs[i]));
    }
  }
  for (const uint32_t inner : node.blocks) {
    for (const uint32_t value : reads_[plan][inner]) {
      if (values_[value].block != inner) reads.push_back(value);
    }
  }
  // What begins to go round as numbers of the host.
  for (size_t i = 0; node.decides() && i < node.inputs.size(); ++i) {
    const int64_t value = node.inputs[i];
    if (value != kNone && values_[static_cast<size_t>(value)].on_host) {
      reads.push_back(static_cast<uint32_t>(value));
    }
  }
  return reads;
}

// Whether a node can be recorded with its graphs, once the host knows what it reads from outside.
bool ProgramPlaces::goes_inline(const ProgramNode& node, Plan plan) const {
  if (node.row->flow != Flow::branch && plan == kApart) return false;
  for (const uint32_t inner : node.blocks) {
    const ProgramBlock& block = program_.blocks_[inner];
    const auto& steps = block.steps[plan];
    if (steps.size() > 1 || (!steps.empty() && steps[0].by_host)) return false;
    for (const uint32_t value : reads_[plan][inner]) {
      if (values_[value].block == inner && !values_[value].known) return false;
    }
  }
  return node.row->flow != Flow::loop || values_[program_.blocks_[node.blocks[0]].outputs[0]].known;
}

void ProgramPlaces::plan_block(uint32_t number, Plan plan) {
  ProgramBlock& block = this->block(number);
  auto& steps = block.steps[plan];
  std::vector<uint32_t> fresh;  // what the step at hand gives
  size_t first = 0;
  const auto close = [&](size_t last) {
    if (last > first) steps.push_back({first, last, false, {}, {}, {}, {}});
    first = last;
    fresh.clear();
  };
  Reads& outside = reads_[plan][number];
  auto& own = own_[plan];
  for (size_t i = 0; i < block.nodes.size(); ++i) {
    const ProgramNode& node = block.nodes[i];
    const Reads reads = host_reads(node, plan);
    for (const uint32_t value : reads) {
      if (!own[value] && values_[value].constant == nullptr) outside.push_back(value);
      if (own[value] == 2 && !values_[value].known) {
        for (const uint32_t given : fresh) own[given] = 1;
        close(i);
      }
    }
    const bool apart = node.decides() && !goes_inline(node, plan);
    if (apart) {
      for (const uint32_t given : fresh) own[given] = 1;
      close(i);
      steps.push_back({i, i + 1, true, {}, {}, {}, {}});
      first = i + 1;
    }
    for (const int64_t output : node.outputs) {
      if (output == kNone) continue;
      own[static_cast<size_t>(output)] = apart ? 1 : 2;
      if (!apart) fresh.push_back(static_cast<uint32_t>(output));
    }
  }
  close(block.nodes.size());
  for (const uint32_t value : block.outputs) {
    if (!own[value] && values_[value].on_host) outside.push_back(value);
  }
  // The network ends with a graph that gives all outputs.
  if (number == 0 && (steps.empty() || steps.back().by_host)) {
    steps.push_back({first, first, false, {}, {}, {}, {}});
  }
  fill_steps(&block, plan);
}

// What each step reads and gives.
void ProgramPlaces::fill_steps(ProgramBlock* block, Plan plan) {
  auto& steps = block->steps[plan];
  const bool is_network = block == &program_.blocks_[0];
  constexpr uint32_t kNever = UINT32_MAX;
  std::unordered_map<uint32_t, uint32_t> given;  // by value: the step
  std::unordered_map<uint32_t, uint32_t> read;   // by value: the last step that reads it
  const auto count = static_cast<uint32_t>(steps.size());
  for (uint32_t s = 0; s < count; ++s) {
    ProgramStep& step = steps[s];
    std::unordered_map<uint32_t, uint32_t> seen;
    const auto use = [&](uint32_t value) {
      const auto from = given.find(value);
      const bool inside = from != given.end() && from->second == s;
      read[value] = s;
      if (inside || values_[value].constant != nullptr || !seen.try_emplace(value, s).second)
        return;
      step.inputs.push_back(value);
    };
    std::unordered_map<uint32_t, uint32_t> bound;
    for (size_t i = step.first; i < step.last; ++i) {
      const ProgramNode& node = block->nodes[i];
      for (const int64_t value : node.inputs) {
        if (value != kNone) use(static_cast<uint32_t>(value));
      }
      for (const uint32_t value : node.captures) use(value);
      for (const uint32_t value : host_reads(node, plan)) {
        if (seen.contains(value) && bound.try_emplace(value, s).second) step.bound.push_back(value);
      }
      for (const int64_t value : node.outputs) {
        if (value != kNone) given[static_cast<uint32_t>(value)] = s;
      }
    }
    if (is_network && s + 1 == count) {
      for (const uint32_t value : block->outputs) use(value);
    }
  }
  for (const uint32_t value : block->outputs) read[value] = kNever;
  for (const auto& [value, last] : read) {
    if (last != kNever && given.contains(value)) steps[last].frees.push_back(value);
  }
  if (!steps.empty() && is_network) {
    if (count == 1) steps[0].inputs = block->inputs;
    steps.back().outputs = block->outputs;
  }
  for (uint32_t s = 0; s < count; ++s) {
    if (steps[s].by_host || (is_network && s + 1 == count)) continue;
    for (size_t i = steps[s].first; i < steps[s].last; ++i) {
      for (const int64_t value : block->nodes[i].outputs) {
        const auto reader = value == kNone ? read.end() : read.find(static_cast<uint32_t>(value));
        if (reader == read.end() || reader->second == s) continue;
        steps[s].outputs.push_back(static_cast<uint32_t>(value));
      }
    }
  }
  std::erase_if(steps, [&](const ProgramStep& step) {
    return !step.by_host && step.outputs.empty() && !(is_network && &step == &steps.back());
  });
}

}  // namespace netcl::model
