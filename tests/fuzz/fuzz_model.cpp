// Any bytes given as a file of ONNX: an error with a message, or a model that tells what it takes,
// and runs with inputs of that kind or refuses them with a message.
#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "api/handles.hpp"
#include "model/model.hpp"
#include "netcl.h"
#include "structured.hpp"

using netcl::fuzz::Chance;
using netcl::fuzz::require;
using protozero::pbf_writer;

namespace {

constexpr std::string_view kNames[] = {"x", "y", "a", "b", "w", "i", "s", "", "none"};
constexpr std::string_view kTexts[] = {"SAME_UPPER", "VALID", "linear", "cubic",   "asymmetric",
                                       "floor",      "CRD",   "add",    "reflect", "tanh"};

// An attribute under one of the names that the op knows, or under another.
void add_attribute(pbf_writer& node, Chance& chance, std::string_view known) {
  std::string name = "unknown";
  for (size_t words = chance.below(8); !known.empty(); --words) {
    const size_t end = std::min(known.find(' '), known.size());
    if (!chance.one_in(32)) name = known.substr(0, end);
    known.remove_prefix(std::min(end + 1, known.size()));
    if (words == 0) break;
  }
  std::string bytes;
  pbf_writer attribute(bytes);
  attribute.add_string(1, name);
  const int64_t small = static_cast<int64_t>(chance.below(6)) - 2;
  const int64_t number = chance.one_in(6) ? netcl::fuzz::edge_number(chance) : small;
  switch (chance.below(5)) {
    case 0:
      attribute.add_float(2, static_cast<float>(number) / 2);
      break;
    case 1:
      attribute.add_string(4, std::string(chance.of(kTexts)));
      break;
    case 2:
    case 3:
      attribute.add_int64(3, number);
      break;
    default:
      for (size_t i = 0; i <= chance.below(5); ++i) {
        attribute.add_int64(8, chance.one_in(16) ? netcl::fuzz::edge_number(chance)
                                                 : static_cast<int64_t>(chance.below(4)));
      }
  }
  node.add_message(5, bytes);
}

void add_node(pbf_writer& graph, Chance& chance, const std::string& result, int depth = 0);

void add_names(pbf_writer& graph, uint32_t field, std::initializer_list<std::string> names) {
  for (const std::string& name : names) {
    std::string value;
    pbf_writer(value).add_string(1, name);
    graph.add_message(field, value);
  }
}

// If, Loop or Scan with graphs of a node or two, mostly with as many inputs and outputs as they
// have to have.
void add_flow(pbf_writer& graph, Chance& chance, const netcl::model::OpRow& row,
              const std::string& result, int depth) {
  const bool branches = row.flow == netcl::model::Flow::branch;
  const bool loops = row.flow == netcl::model::Flow::loop;
  std::string bytes;
  pbf_writer node(bytes);
  if (loops) node.add_string(1, chance.one_in(3) ? "" : "i");
  node.add_string(1, std::string(chance.of(kNames)));
  for (size_t i = chance.below(3); !branches && i > 0; --i) node.add_string(1, "x");
  node.add_string(2, result);
  node.add_string(4, row.op);
  for (const char* const name : {"then_branch", "else_branch", "body"}) {
    if (branches == (std::string_view(name) == "body") || chance.one_in(32)) continue;
    const std::string own = result + name[0];
    std::string inner_bytes, attribute_bytes;
    pbf_writer inner(inner_bytes), attribute(attribute_bytes);
    if (loops) add_names(inner, 11, {own + "k", own + "c"});
    for (size_t i = chance.below(3); !branches && i > 0; --i) {
      add_names(inner, 11, {own + std::to_string(i)});
    }
    if (chance.one_in(2)) add_node(inner, chance, own + "m", depth + 1);
    add_node(inner, chance, own + "n", depth + 1);
    if (loops) add_names(inner, 12, {chance.one_in(2) ? own + "c" : own + "n"});
    for (size_t i = chance.below(3); i > 0; --i) {
      add_names(inner, 12, {chance.one_in(3) ? "x" : own + "n"});
    }
    attribute.add_string(1, name);
    attribute.add_message(6, inner_bytes);
    node.add_message(5, attribute_bytes);
  }
  if (row.flow == netcl::model::Flow::scan) {
    std::string attribute;
    pbf_writer(attribute).add_string(1, "num_scan_inputs");
    pbf_writer(attribute).add_int64(3, static_cast<int64_t>(chance.below(3)));
    node.add_message(5, attribute);
  }
  graph.add_message(1, bytes);
}

void add_node(pbf_writer& graph, Chance& chance, const std::string& result, int depth) {
  const auto families = netcl::model::op_families();
  const auto rows = families[chance.below(families.size())].rows;
  const netcl::model::OpRow& row = rows[chance.below(rows.size())];
  if (row.flow != netcl::model::Flow::none && depth < 4) {
    return add_flow(graph, chance, row, result, depth);
  }
  std::string bytes;
  pbf_writer node(bytes);
  for (size_t i = 0; i <= chance.below(4); ++i) {
    const bool first = i == 0 && !chance.one_in(4);
    node.add_string(1, std::string(first ? "x" : chance.of(kNames)));
  }
  node.add_string(2, result);
  if (chance.one_in(4)) node.add_string(2, result + "2");
  node.add_string(4, chance.one_in(32) ? "Unknown" : row.op);
  for (size_t i = chance.below(4); i > 0; --i) add_attribute(node, chance, row.attributes);
  graph.add_message(1, bytes);
}

void add_weight(pbf_writer& graph, Chance& chance, std::string_view name, int32_t type,
                size_t size) {
  std::string bytes, data;
  pbf_writer tensor(bytes);
  size_t count = 1;
  for (size_t d = chance.below(5); d > 0; --d) {
    const size_t extent = 1 + chance.below(3);
    count *= extent;
    tensor.add_int64(
        1, chance.one_in(40) ? netcl::fuzz::edge_number(chance) : static_cast<int64_t>(extent));
  }
  tensor.add_int32(2, chance.one_in(24) ? static_cast<int32_t>(chance.below(24)) : type);
  tensor.add_string(8, std::string(name));
  data.resize(count * size);
  for (size_t i = 0; i < count; ++i) data[i * size] = static_cast<char>(chance.below(4));
  if (chance.one_in(24)) data += 'x';
  tensor.add_bytes(9, data);
  graph.add_message(5, bytes);
}

void add_value(pbf_writer& graph, Chance& chance, uint32_t field, std::string_view name,
               bool shaped) {
  std::string bytes, type, tensor, shape;
  pbf_writer(tensor).add_int32(1, chance.one_in(8) ? static_cast<int32_t>(chance.below(20)) : 1);
  for (size_t d = chance.below(5); d > 0; --d) {
    std::string extent;
    if (!chance.one_in(4)) pbf_writer(extent).add_int64(1, static_cast<int64_t>(chance.below(5)));
    if (extent.empty()) pbf_writer(extent).add_string(2, "n");
    pbf_writer(shape).add_message(1, extent);
  }
  if (shaped) pbf_writer(tensor).add_message(2, shape);
  pbf_writer(type).add_message(1, tensor);
  pbf_writer value(bytes);
  value.add_string(1, std::string(name));
  value.add_message(2, type);
  graph.add_message(field, bytes);
}

netcl::DeviceRef builtin_device() {
  static netcl_device* const opened = [] {
    netcl_device* device = nullptr;
    require(netcl_device_open("builtin", nullptr, &device) == NETCL_OK, "no built-in device");
    return device;
  }();
  return netcl::api::pin(opened, "device").shared();
}

// A tensor as the model takes it; null where it would be large.
netcl::TensorRef input_for(const netcl::DeviceRef& device, const netcl::model::FileValue& value) {
  std::vector<int64_t> shape;
  int64_t count = 1;
  for (const auto& dimension : value.shape) {
    shape.push_back(dimension.extent < 0 ? 2 : dimension.extent);
    if (shape.back() > 4096 || (count *= shape.back()) > 4096) return nullptr;
  }
  netcl_dtype dtype = netcl::model::dtype_of(value.onnx_type);
  if (dtype == 0) dtype = NETCL_F32;
  std::string bytes(static_cast<size_t>(count) * netcl::dtype_size(dtype), '\1');
  return netcl::model::upload(*device, dtype, shape, bytes);
}

void run(netcl::model::Model& model, const netcl::DeviceRef& device) {
  std::vector<netcl::TensorRef> inputs;
  for (const netcl::model::FileValue* value : model.program().inputs()) {
    inputs.push_back(input_for(device, *value));
    if (inputs.back() == nullptr) return;
  }
  const auto queue = netcl::QueueSet::of(*device).default_queue();
  // What a file wants of the host is ones, whatever the device made.
  model.evaluate(inputs, netcl::ops::Run{*queue, {}}, [&](const netcl::TensorRef& tensor) {
    return std::string(static_cast<size_t>(tensor->byte_count()), '\1');
  });
}

}  // namespace

// A network made anew of a few nodes, mostly sound.
FUZZ_MUTATION(text, chance) {
  if (chance.one_in(3) && !text.empty()) return netcl::fuzz::changed_bytes(text);
  std::string graph_bytes, bytes, opset;
  pbf_writer graph(graph_bytes);
  add_value(graph, chance, 11, "x", !chance.one_in(8));
  if (chance.one_in(3)) add_value(graph, chance, 11, "s", !chance.one_in(4));
  add_weight(graph, chance, "w", 1, 4);
  add_weight(graph, chance, "i", 7, 8);
  if (chance.one_in(2)) add_node(graph, chance, "a");
  if (chance.one_in(3)) add_node(graph, chance, "b");
  add_node(graph, chance, "y");
  add_value(graph, chance, 12, "y", false);
  pbf_writer(opset).add_int64(2, static_cast<int64_t>(7 + chance.below(22)));
  pbf_writer model(bytes);
  model.add_int64(1, 8);
  model.add_message(7, graph_bytes);
  model.add_message(8, opset);
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const netcl::DeviceRef device = builtin_device();
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const netcl::model::Program program(netcl::model::parse_onnx(bytes, std::string()));
    require(!netcl::model::describe(program).empty(), "nothing is told");
    netcl::model::ModelOptions options;
    options.limits = {256, 64};
    netcl::model::Model model(device, netcl::model::parse_onnx(bytes, std::string()), options);
    run(model, device);
  } catch (const netcl::Error& error) {
    require(!error.message().empty(), "an error without a message");
    require(error.status() != NETCL_ERROR_INTERNAL, "a fault of the library", error.what());
  }
  return 0;
}
