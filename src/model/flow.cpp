#include "model/flow.hpp"

#include <algorithm>

#include "ops/move/concat.hpp"
#include "ops/move/move.hpp"

namespace netcl::model {

Rounds::Rounds(const ProgramNode& node, int64_t file_opset) : scans(node.row->flow == Flow::scan) {
  const int64_t opset = opset_of(*node.file, file_opset);
  const size_t given = node.inputs.size();
  if (!scans) {
    node_first = body_first = 2;
    result_first = 1;
    count = std::max<size_t>(given, 2) - 2;
    return;
  }
  const int64_t cut = NodeFacts(*node.file, opset).integer("num_scan_inputs", 0);
  node_first = opset < 9 ? 1 : 0;
  if (cut < 1 || given < node_first || cut > static_cast<int64_t>(given - node_first)) {
    fail(NETCL_ERROR_CORRUPT_DATA, "num_scan_inputs is %lld; it has %zu inputs",
         static_cast<long long>(cut), given);
  }
  slices = static_cast<size_t>(cut);
  count = given - node_first - slices;
}

void Scope::fail_not_given(uint32_t value) const {
  fail(NETCL_ERROR_CORRUPT_DATA, "%s is an output that its node does not give",
       quoted(program_.values()[value].name.c_str(), 200).c_str());
}

TensorRef Scope::tensor(uint32_t value) {
  Slot& known = slots_[value];
  if (known.tensor == nullptr && known.host == nullptr) fail_not_given(value);
  return tensor_of(known);
}

TensorRef Scope::tensor_as(uint32_t value, netcl_dtype dtype) {
  const TensorRef found = tensor(value);
  if (dtype == 0 || found->dtype() == dtype || !precision_.is_either(found->dtype())) return found;
  TensorRef& other = slots_[value].other;
  if (other == nullptr) {
    other = graph::recorded<ops::cast>(caller_, "cast", TensorRef(), *found, dtype);
  }
  return other;
}

Slot Scope::widened(Slot slot) {
  if (slot.tensor == nullptr || !precision_.is_short(slot.tensor->dtype())) return slot;
  const netcl_dtype wide = NETCL_F32;
  return {graph::recorded<ops::cast>(caller_, "cast", TensorRef(), *slot.tensor, wide), slot.host};
}

const TensorRef& Scope::tensor_of(Slot& known) {
  if (known.tensor == nullptr) {
    const HostValue& host = *known.host;
    known.tensor = upload(caller_.run.device(), host.dtype, host.shape, bytes_of(host));
  }
  return known.tensor;
}

HostRef Scope::host(uint32_t value) {
  if (slots_[value].host == nullptr) fail_not_given(value);
  return slots_[value].host;
}

void Scope::run_flow(const ProgramNode& node) {
  switch (node.row->flow) {
    case Flow::branch:
      return run_branch(node);
    case Flow::loop:
      return run_loop(node);
    default:
      return run_scan(node);
  }
}

bool Scope::truth(int64_t value) {
  const HostRef condition = host(static_cast<uint32_t>(value));
  if (condition->count() != 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the condition has %zu elements; it is one",
         condition->count());
  }
  return condition->real(0) != 0;
}

void Scope::run_branch(const ProgramNode& node) {
  const uint32_t taken = node.blocks[truth(node.inputs[0]) ? 0 : 1];
  run_block(taken);
  const ProgramBlock& block = program_.blocks()[taken];
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != kNone) slot(node.outputs[i]) = widened(slot(block.outputs[i]));
  }
}

// ---- What goes round ----

std::vector<Slot> Scope::first_of(const ProgramNode& node, const Rounds& rounds) {
  std::vector<Slot> carried;
  for (size_t i = 0; i < rounds.count; ++i) {
    carried.push_back(widened(slot(node.inputs[rounds.node_first + i])));
  }
  return carried;
}

void Scope::put(const std::vector<Slot>& carried, const Rounds& rounds, const ProgramBlock& body) {
  for (size_t i = 0; i < rounds.count; ++i) slot(body.inputs[rounds.body_first + i]) = carried[i];
}

netcl_dtype Scope::dtype_of_slot(const Slot& slot) const {
  if (slot.tensor != nullptr) return slot.tensor->dtype();
  return slot.host != nullptr ? slot.host->dtype : netcl_dtype{0};
}

void Scope::take(std::vector<Slot>* carried, const Rounds& rounds, const ProgramBlock& body) {
  for (size_t i = 0; i < rounds.count; ++i) {
    const Slot next = widened(slot(body.outputs[rounds.result_first + i]));
    const netcl_dtype before = dtype_of_slot((*carried)[i]), after = dtype_of_slot(next);
    // What nothing reads may be nowhere.
    if (before != after && before != 0 && after != 0) {
      fail(NETCL_ERROR_CORRUPT_DATA, "value %zu that goes round is %s, and becomes %s", i,
           dtype_facts(before).name, dtype_facts(after).name);
    }
    (*carried)[i] = next;
  }
}

void Scope::give(const ProgramNode& node, const std::vector<Slot>& carried) {
  for (size_t i = 0; i < std::min(carried.size(), node.outputs.size()); ++i) {
    if (node.outputs[i] != kNone) slot(node.outputs[i]) = carried[i];
  }
}

TensorRef Scope::stacked(const std::vector<TensorRef>& parts, int64_t axis,
                         const FileValue& value) {
  if (parts.empty()) {
    const netcl_dtype dtype = dtype_of(value.onnx_type);
    if (dtype == 0 || !value.has_shape) {
      fail(NETCL_ERROR_UNSUPPORTED, "it has no rounds, and the file does not say what %s is",
           quoted(value.name.c_str(), 200).c_str());
    }
    std::vector<int64_t> shape;
    for (const FileDimension& dimension : value.shape) {
      shape.push_back(std::max<int64_t>(dimension.extent, 0));
    }
    const uint32_t rank = static_cast<uint32_t>(shape.size()) + 1;
    shape.insert(shape.begin() + axis_of(axis, rank), 0);
    return upload(caller_.run.device(), dtype, shape, {});
  }
  const uint32_t rank = parts[0]->layout().rank + 1;
  if (rank > kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "what its rounds give has %u dimensions together", rank);
  }
  const uint32_t along = axis_of(axis, rank);
  std::vector<TensorRef> wide;
  for (const TensorRef& part : parts) {
    if (part->layout().rank + 1 != rank) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "its rounds give %s of shapes %s and %s",
           quoted(value.name.c_str(), 200).c_str(), shape_text(*parts[0]).c_str(),
           shape_text(*part).c_str());
    }
    wide.push_back(graph::with_unit(*part, along));
  }
  return graph::recorded<ops::concat>(caller_, "concat", TensorRef(),
                                      std::span<const TensorRef>(wide),
                                      static_cast<int32_t>(along));
}

static HostRef host_scalar(netcl_dtype dtype, int64_t number) {
  HostValue value;
  value.dtype = dtype;
  value.integers = {number};
  return std::make_shared<HostValue>(std::move(value));
}

void Scope::run_loop(const ProgramNode& node) {
  const Rounds rounds(node, program_.file().opset);
  const ProgramBlock& body = program_.blocks()[node.blocks[0]];
  int64_t most = INT64_MAX;
  if (node.inputs[0] != kNone) {
    const HostRef given = host(static_cast<uint32_t>(node.inputs[0]));
    if (given->count() != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "M has %zu elements; it is one number", given->count());
    }
    most = given->integer(0);
  }
  bool goes_on = node.inputs[1] == kNone || truth(node.inputs[1]);
  std::vector<Slot> carried = first_of(node, rounds);
  const size_t first = rounds.result_first + rounds.count;
  std::vector<std::vector<TensorRef>> parts(body.outputs.size() - first);
  for (int64_t i = 0; goes_on && i < most; ++i) {
    count_round();
    slot(body.inputs[0]) = {nullptr, host_scalar(NETCL_I64, i)};
    slot(body.inputs[1]) = {nullptr, host_scalar(NETCL_BOOL, 1)};
    put(carried, rounds, body);
    run_block(node.blocks[0]);
    take(&carried, rounds, body);
    for (size_t k = 0; k < parts.size(); ++k) {
      parts[k].push_back(tensor_as(body.outputs[first + k], width()));
    }
    goes_on = truth(body.outputs[0]);
  }
  give(node, carried);
  for (size_t k = 0; k < parts.size() && rounds.count + k < node.outputs.size(); ++k) {
    const int64_t output = node.outputs[rounds.count + k];
    if (output != kNone) slot(output) = {stacked(parts[k], 0, body.file->outputs[first + k]), {}};
  }
}

// ---- Scan ----

namespace {

// A number of a list that an attribute has, or 0.
int64_t number_at(const std::vector<int64_t>& list, size_t i) {
  return i < list.size() ? list[i] : 0;
}

TensorRef without_axis(const Tensor& tensor, uint32_t axis, int64_t at) {
  Layout layout = graph::part_of(tensor, axis, at, 1)->layout();
  for (uint32_t d = axis + 1; d < layout.rank; ++d) {
    layout.shape[d - 1] = layout.shape[d];
    layout.strides[d - 1] = layout.strides[d];
  }
  --layout.rank;
  return graph::with_layout(tensor, layout);
}

int64_t length_of(const std::vector<ScanInput>& sequences) {
  for (const ScanInput& sequence : sequences) {
    if (sequence.length() == sequences[0].length()) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "it goes over %lld and over %lld elements",
         static_cast<long long>(sequences[0].length()), static_cast<long long>(sequence.length()));
  }
  return sequences[0].length();
}

}  // namespace

int64_t ScanInput::length() const { return tensor->layout().shape[axis]; }

TensorRef ScanInput::at(int64_t i) const {
  return without_axis(*tensor, axis, backward ? length() - 1 - i : i);
}

// All rounds over some sequences.
Scope::Scanned Scope::scan(const ProgramNode& node, const Rounds& rounds,
                           const std::vector<ScanInput>& sequences, std::vector<Slot> carried) {
  const ProgramBlock& body = program_.blocks()[node.blocks[0]];
  Scanned made{std::move(carried), {}};
  made.parts.resize(body.outputs.size() - rounds.count);
  const int64_t length = length_of(sequences);
  for (int64_t i = 0; i < length; ++i) {
    count_round();
    put(made.carried, rounds, body);
    for (size_t k = 0; k < sequences.size(); ++k) {
      slot(body.inputs[rounds.count + k]) = {sequences[k].at(i), nullptr};
    }
    run_block(node.blocks[0]);
    take(&made.carried, rounds, body);
    for (size_t k = 0; k < made.parts.size(); ++k) {
      made.parts[k].push_back(tensor_as(body.outputs[rounds.count + k], width()));
    }
  }
  return made;
}

void Scope::run_scan(const ProgramNode& node) {
  const int64_t opset = opset_of(*node.file, program_.file().opset);
  const NodeFacts facts(*node.file, opset);
  const Rounds rounds(node, opset);
  const bool batched = opset < 9;
  const auto directions = facts.integers(batched ? "directions" : "scan_input_directions");
  const auto axes = facts.integers("scan_input_axes");
  std::vector<ScanInput> whole;
  for (size_t i = 0; i < rounds.slices; ++i) {
    const size_t input = rounds.node_first + rounds.count + i;
    ScanInput sequence{tensor(static_cast<uint32_t>(node.inputs[input])), 0, false};
    sequence.axis = axis_of(batched ? 1 : number_at(axes, i), sequence.tensor->layout().rank);
    sequence.backward = number_at(directions, i) != 0;
    whole.push_back(std::move(sequence));
  }
  if (batched) return scan_batch(node, rounds, whole);
  Scanned made = scan(node, rounds, whole, first_of(node, rounds));
  give(node, made.carried);
  const auto output_axes = facts.integers("scan_output_axes");
  const auto output_directions = facts.integers("scan_output_directions");
  const auto& described = program_.blocks()[node.blocks[0]].file->outputs;
  for (size_t k = 0; rounds.count + k < node.outputs.size(); ++k) {
    const int64_t output = node.outputs[rounds.count + k];
    if (output == kNone) continue;
    auto& parts = made.parts[k];
    if (number_at(output_directions, k) != 0) std::reverse(parts.begin(), parts.end());
    slot(output) = {stacked(parts, number_at(output_axes, k), described[rounds.count + k]), {}};
  }
}

// Each entry of a batch by itself, as it was before opset 9.
void Scope::scan_batch(const ProgramNode& node, const Rounds& rounds,
                       const std::vector<ScanInput>& whole) {
  std::vector<TensorRef> inputs;
  for (size_t i = rounds.node_first; i < node.inputs.size(); ++i) {
    inputs.push_back(tensor_as(static_cast<uint32_t>(node.inputs[i]), width()));
    const Layout& layout = inputs.back()->layout();
    if (layout.rank > 0 && layout.shape[0] > 0 && layout.shape[0] == inputs[0]->layout().shape[0]) {
      continue;
    }
    fail(NETCL_ERROR_INVALID_ARGUMENT, "input %zu has shape %s, which is no batch of the others", i,
         shape_text(layout).c_str());
  }
  const auto& described = program_.blocks()[node.blocks[0]].file->outputs;
  std::vector<std::vector<TensorRef>> results(node.outputs.size());
  for (int64_t entry = 0; entry < inputs[0]->layout().shape[0]; ++entry) {
    std::vector<Slot> carried;
    for (size_t i = 0; i < rounds.count; ++i) {
      carried.push_back({without_axis(*inputs[i], 0, entry), nullptr});
    }
    std::vector<ScanInput> sequences;
    for (const ScanInput& sequence : whole) {
      sequences.push_back({without_axis(*sequence.tensor, 0, entry), 0, sequence.backward});
    }
    Scanned made = scan(node, rounds, sequences, std::move(carried));
    for (size_t i = 0; i < results.size(); ++i) {
      const bool goes_round = i < rounds.count;
      results[i].push_back(goes_round ? tensor_of(made.carried[i])
                                      : stacked(made.parts[i - rounds.count], 0, described[i]));
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (node.outputs[i] == kNone) continue;
    slot(node.outputs[i]) = {stacked(results[i], 0, described[i]), {}};
  }
}

}  // namespace netcl::model
