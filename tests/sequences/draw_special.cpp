// What rules name with @: values that depend on the rest of the call, and texts with a grammar.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "draw.hpp"
#include "netcl.h"

namespace sequences {
namespace {

template <class T>
std::string as_bytes(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// A model: y = -x.
std::string onnx() {
  return std::string(
      "\x3a\x17\x0a\x0b\x0a\x01x\x12\x01y\x22\x03Neg"
      "\x5a\x03\x0a\x01x\x62\x03\x0a\x01y\x42\x02\x10\x0d",
      29);
}

std::string npy() {
  std::string file("\x93NUMPY\x01\x00\x76\x00", 10);
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  header.resize(117, ' ');
  return file + header + "\n" + std::string(8, '\0');
}

// A file of safetensors with two tensors and a value of metadata.
std::string weights() {
  const std::string header =
      "{\"__metadata__\":{\"format\":\"pt\"},"
      "\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
      "\"b\":{\"dtype\":\"BOOL\",\"shape\":[],\"data_offsets\":[8,9]}}";
  std::string file(8, '\0');
  file[0] = static_cast<char>(header.size());
  return file + header + std::string(9, '\1');
}

const std::map<std::string, std::vector<const char*>>& texts() {
  static const auto* const all = new std::map<std::string, std::vector<const char*>>{
      {"config_json", {"{\"TILE\": 2, \"FLAG\": true, \"MODE\": \"fast\"}", "{\"TILE\": 1}", "{}"}},
      {"t1",
       {"{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"A\", \"Type\": \"int\", "
        "\"Values\": \"[1, 2]\"}], \"Conditions\": []}}",
        "{\"ConfigurationSpace\": {\"TuningParameters\": []}}"}},
      {"t4",
       {"{\"metadata\": {}, \"results\": [{\"configuration\": {\"A\": 1}, \"times\": "
        "{\"runtimes\": [1.0]}, \"invalidity\": \"correct\", \"objectives\": [\"time\"], "
        "\"measurements\": [{\"name\": \"time\", \"value\": 1.0, \"unit\": \"ms\"}]}]}"}},
      {"ncu",
       {"\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\"0\",\"gemm\","
        "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"%\",\"80\"\n"}},
      {"metrics",
       {"sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"}},
      {"words", {"fast", "slow"}},
      {"flags", {"-DA=1", "-cl-mad-enable"}},
      {"kernel_source",
       {"__kernel void k(__global float *a, int n) {\n"
        "  if (a && n == 1 && get_global_id(0) == 0) a[0] = a[0] * 2 + 1;\n}\n"}}};
  return *all;
}

}  // namespace

Node Drawer::special(const Field& field, const std::string& name, Context& context) {
  if (name == "hook") {
    Node node = zero_node(field);
    node.kind = Node::HookFn;
    // What returns nothing cannot fail.
    const bool fails = std::strcmp(field.type, "netcl_log_fn") != 0 && chance(20);
    node.bits = !fails ? kHookWorks : chance(50) ? kHookFails : kHookOdd;
    return node;
  }
  if (name == "destroy" || name == "user_data") {
    if (name == "destroy" && chance(50)) return zero_node(field);
    const Function& function = kFunctions[context.function];
    bool destroys = false;
    for (int i = 0; i < function.params_count; i++) {
      if (std::strcmp(function.params[i].name, "destroy") == 0) destroys = true;
    }
    Node node = zero_node(field);
    node.kind = name == "destroy" ? Node::HookFn : destroys ? Node::Token : Node::Zero;
    node.bits = name == "destroy" ? kHookWorks : 0;
    return node;
  }
  if (name == "managed") {
    Node node = zero_node(field);
    node.kind = Node::Managed;
    return node;
  }
  if (name == "capabilities") {
    Node node = draw_struct(field, name, context);
    for (Node& kid : node.kids) {
      if (std::strcmp(kid.field->name, "fp16") == 0 || kid.field->of >= 0) kid.bits = 1;
    }
    return node;
  }
  if (name == "kernel_args") return kernel_args(field, context);
  if (name == "ranges") return ranges(field, context);
  if (name.rfind("graph", 0) == 0) return special_graph(field, name, context);
  return special_data(field, name, context);
}

Node Drawer::special_data(const Field& field, const std::string& name, Context& context) {
  const auto found = texts().find(name);
  if (found != texts().end()) {
    const bool ended = field.kind == Class::TextsIn || name == "kernel_source";
    const std::string end = ended ? std::string(1, '\0') : "";
    if (field.kind != Class::TextsIn) return bytes_node(field, one_of(found->second) + end);
    Node node = zero_node(field);
    node.kind = Node::List;
    for (const char* text : found->second) node.kids.push_back(bytes_node(field, text + end));
    if (name == "words") node.kids.resize(1 + below(2));
    return node;
  }
  // The folder that the run has for its files.
  if (name == "meeting") {
    return bytes_node(field, std::filesystem::current_path().string() + "/meet" + '\0');
  }
  if (name == "weights") {
    const std::string path = std::filesystem::current_path().string() + "/weights";
    std::ofstream(path, std::ios::binary) << weights();
    return bytes_node(field, path + '\0');
  }
  if (name == "samples" || name == "metric_values") {
    std::vector<double> values = {100, 101, 99, 103, 104, 98};
    if (name == "metric_values")
      values.resize(2);
    else if (chance(30))
      values.resize(1 + below(5));
    return bytes_node(field, as_bytes(values));
  }
  if (name == "shape") {
    std::vector<int64_t> shape;
    if (wanted_ != nullptr) {
      shape = wanted_->shape;
    } else {
      const uint64_t rank = below(4);
      for (uint64_t i = 0; i < rank; i++)
        shape.push_back(extent(std::string(1, char('M' + i)), context));
      if (chance(3) && rank > 0) shape[0] = 0;
    }
    context.shape = shape;
    context.shape_drawn = true;
    return bytes_node(field, as_bytes(shape));
  }
  if (name == "strides") {
    if (wanted_ != nullptr || !context.shape_drawn || context.shape.empty())
      return zero_node(field);
    std::vector<int64_t> strides(context.shape.size());
    int64_t step = 1;
    for (size_t i = 0; i < strides.size(); i++) {
      strides[i] = step;
      step *= context.shape[i] > 0 ? context.shape[i] : 1;
    }
    return bytes_node(field, as_bytes(strides));
  }
  if (name == "host_data") {
    uint64_t bytes = netcl_dtype_size(context.dtype);
    for (const int64_t size : context.shape) bytes *= static_cast<uint64_t>(size > 0 ? size : 0);
    return bytes_node(field, std::string(bytes, '\x3c'));
  }
  if (name == "tensor_data") {
    return bytes_node(field, std::string(context.tensor_bytes, '\x3c'));
  }
  if (name == "onnx") return bytes_node(field, onnx());
  if (name == "npy") return bytes_node(field, npy());
  if (name == "one") return bytes_node(field, std::string("\1\0\0\0", 4));
  if (name == "zero_copy") return bytes_node(field, std::string(4096, '\0'));
  return bytes_node(field, std::string(8, '\0'));  // element, data
}

Node Drawer::kernel_args(const Field& field, Context& context) {
  Node node = zero_node(field);
  node.kind = Node::List;
  const Struct& type = struct_of(field);
  for (int i = 0; i < 2; i++) {
    Node arg = zero_node(field);
    arg.kind = Node::Struct;
    for (int at = 0; at < type.fields_count; at++) {
      const Field& member = type.fields[at];
      const std::string name = member.name;
      if (name == "kind") arg.kids.push_back(number_node(member, i == 0 ? 1 : 3));
      if (name == "size") arg.kids.push_back(number_node(member, i == 0 ? 0 : 4));
      if (name == "dtype") arg.kids.push_back(number_node(member, i == 0 ? 0 : 7));
      if (name == "reinterpret") arg.kids.push_back(number_node(member, 0));
      if (name == "tensor" && i == 0) arg.kids.push_back(tensor(member, "F:16", context));
      if (name == "value" && i == 1) {
        arg.kids.push_back(
            bytes_node(member, std::string(chance(80) ? "\1\0\0\0" : "\0\0\0\0", 4)));
      }
    }
    node.kids.push_back(std::move(arg));
  }
  return node;
}

Node Drawer::ranges(const Field& field, Context& context) {
  Node node = zero_node(field);
  node.kind = Node::List;
  const Struct& type = struct_of(field);
  for (const char letter : {'M', 'N'}) {
    const int64_t whole = extent(std::string(1, letter), context);
    const bool back = chance(30);
    const uint64_t start = back ? static_cast<uint64_t>(whole - 1) : 0;
    Node range = zero_node(field);
    range.kind = Node::Struct;
    range.kids = {number_node(type.fields[0], start),
                  number_node(type.fields[1], static_cast<uint64_t>(whole) - below(2)),
                  number_node(type.fields[2], back ? ~uint64_t{0} : 1)};
    node.kids.push_back(std::move(range));
  }
  return node;
}

// What a graph recorded, so that gradients, compiling and running have something to work on.
Node Drawer::special_graph(const Field& field, const std::string& name, Context& context) {
  if (name == "graph") return handle(field, NETCL_HANDLE_GRAPH, context);
  std::vector<Entry> found;
  {
    const std::lock_guard guard(objects_.lock);
    const GraphNotes& notes = objects_.graphs[results_.get(context.graph)];
    if (!notes.calls.empty()) {
      // The last calls mostly, and one of them for all arguments.
      const size_t back = context.way % std::min<size_t>(notes.calls.size(), 3);
      const GraphNotes::Recorded& call = notes.calls[notes.calls.size() - 1 - back];
      for (const Entry& entry : objects_.live) {
        const bool input =
            std::find(call.inputs.begin(), call.inputs.end(), entry.ref) != call.inputs.end();
        if (name == "graph_inputs" ? input : entry.ref == call.output) found.push_back(entry);
      }
    }
  }
  Node node = zero_node(field);
  node.kind = Node::List;
  if (found.empty()) {
    if (name == "graph_inputs") node.kids.push_back(tensor(field, "f:M,N", context));
    return node;
  }
  const Entry& entry = found[0];
  if (name == "graph_inputs" || name == "graph_outputs") {
    Node kid = zero_node(field);
    kid.kind = Node::Ref;
    kid.bits = entry.ref;
    node.kids.push_back(kid);
  } else {
    node.kids.push_back(tensor_like(field, entry.dtype, entry.shape, context));
  }
  return node;
}

}  // namespace sequences
