#include "model/onnx_file.hpp"

#include <algorithm>
#include <protozero/pbf_reader.hpp>

#include "model/onnx_tensor.hpp"

namespace netcl::model {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

// A message of a few bytes becomes a struct of a few hundred.
constexpr size_t kNodesMost = 1000000;
constexpr size_t kListMost = 65536;  // inputs, outputs and attributes of one node
constexpr uint64_t kModelBytesMost = uint64_t{1} << 31;
// Graphs within graphs: those that read and run them call themselves.
constexpr uint32_t kDepthMost = 16;

// A file while it is read.
struct Reading {
  WeightFolder* folder;
  size_t nodes = 0;  // of all graphs
  size_t weights = 0;
  uint32_t depth = 0;
};

struct TypeRow {
  OnnxType onnx;
  netcl_dtype dtype;
  const char* name;
};
constexpr TypeRow kTypes[] = {
    {OnnxType::f32, NETCL_F32, "float"},     {OnnxType::u8, NETCL_U8, "uint8"},
    {OnnxType::i8, NETCL_I8, "int8"},        {OnnxType::u16, NETCL_U16, "uint16"},
    {OnnxType::i16, NETCL_I16, "int16"},     {OnnxType::i32, NETCL_I32, "int32"},
    {OnnxType::i64, NETCL_I64, "int64"},     {OnnxType::string, 0, "string"},
    {OnnxType::boolean, NETCL_BOOL, "bool"}, {OnnxType::f16, NETCL_F16, "float16"},
    {OnnxType::f64, NETCL_F64, "double"},    {OnnxType::u32, NETCL_U32, "uint32"},
    {OnnxType::u64, NETCL_U64, "uint64"},    {OnnxType::bf16, NETCL_BF16, "bfloat16"},
};
constexpr const char* kOtherTypes[][2] = {
    {"14", "complex64"},      {"15", "complex128"}, {"17", "float8e4m3fn"},
    {"18", "float8e4m3fnuz"}, {"19", "float8e5m2"}, {"20", "float8e5m2fnuz"},
    {"21", "uint4"},          {"22", "int4"},       {"23", "float4e2m1"},
    {"24", "float8e8m0"},     {"25", "uint2"},      {"26", "int2"}};

bool is_text(const pbf_reader& message) {
  return message.wire_type() == pbf_wire_type::length_delimited;
}
bool is_number(const pbf_reader& message) { return message.wire_type() == pbf_wire_type::varint; }

template <class List>
void check_room(const List& list, size_t most, const char* what, const std::string& where) {
  if (list.size() < most) return;
  fail_corrupt("%s has more than %zu %s", where.c_str(), most, what);
}

void read_reals(pbf_reader& message, std::vector<double>* reals) {
  if (message.wire_type() == pbf_wire_type::fixed32) {
    reals->push_back(static_cast<double>(message.get_float()));
  } else if (is_text(message)) {
    for (const float value : message.get_packed_float()) {
      reals->push_back(static_cast<double>(value));
    }
  } else {
    message.skip();
  }
}

void read_integers(pbf_reader& message, std::vector<int64_t>* integers) {
  if (is_number(message)) {
    integers->push_back(message.get_int64());
  } else if (is_text(message)) {
    for (const int64_t value : message.get_packed_int64()) integers->push_back(value);
  } else {
    message.skip();
  }
}

Attribute::Kind kind_of(int32_t type) {
  switch (type) {
    case 1:
      return Attribute::Kind::real;
    case 2:
      return Attribute::Kind::integer;
    case 3:
      return Attribute::Kind::text;
    case 4:
      return Attribute::Kind::tensor;
    case 5:
      return Attribute::Kind::graph;
    case 6:
      return Attribute::Kind::reals;
    case 7:
      return Attribute::Kind::integers;
    case 8:
      return Attribute::Kind::texts;
    default:
      return Attribute::Kind::other;
  }
}

void parse_graph(pbf_reader message, Reading* reading, FileGraph* graph);

std::shared_ptr<FileGraph> parse_inner_graph(pbf_reader message, const std::string& node,
                                             Reading* reading) {
  if (reading->depth == kDepthMost) {
    fail(NETCL_ERROR_UNSUPPORTED, "%s has graphs within graphs more than %u deep", node.c_str(),
         kDepthMost);
  }
  auto graph = std::make_shared<FileGraph>();
  ++reading->depth;
  parse_graph(message, reading, graph.get());
  --reading->depth;
  return graph;
}

Attribute parse_attribute(pbf_reader message, const std::string& node, Reading* reading) {
  Attribute attribute;
  int32_t type = 0;
  Attribute::Kind found = Attribute::Kind::none;
  while (message.next()) {
    const uint32_t tag = message.tag();
    if (tag == 1 && is_text(message)) {
      attribute.name = message.get_string();
    } else if (tag == 20 && is_number(message)) {
      type = message.get_int32();
    } else if (tag == 21 && is_text(message)) {
      attribute.reference = message.get_string();
    } else if (tag == 2 && message.wire_type() == pbf_wire_type::fixed32) {
      attribute.real = static_cast<double>(message.get_float());
      found = Attribute::Kind::real;
    } else if (tag == 3 && is_number(message)) {
      attribute.integer = message.get_int64();
      found = Attribute::Kind::integer;
    } else if (tag == 4 && is_text(message)) {
      attribute.text = message.get_string();
      found = Attribute::Kind::text;
    } else if (tag == 5 && is_text(message)) {
      attribute.tensor = std::make_shared<Constant>(parse_tensor(
          message.get_message(), "the tensor in an attribute of " + node, reading->folder));
      found = Attribute::Kind::tensor;
    } else if (tag == 6 && is_text(message)) {
      attribute.graph = parse_inner_graph(message.get_message(), node, reading);
      found = Attribute::Kind::graph;
    } else if (tag == 7) {
      read_reals(message, &attribute.reals);
      found = Attribute::Kind::reals;
    } else if (tag == 8) {
      read_integers(message, &attribute.integers);
      found = Attribute::Kind::integers;
    } else if (tag == 9 && is_text(message)) {
      check_room(attribute.texts, kListMost, "texts in an attribute", node);
      attribute.texts.push_back(message.get_string());
      found = Attribute::Kind::texts;
    } else {
      message.skip();
    }
  }
  // An empty list leaves no trace but its type, which files of the first versions do not have.
  attribute.kind = type != 0 ? kind_of(type) : found;
  if (!attribute.reference.empty()) {
    attribute.kind = Attribute::Kind::other;
    return attribute;
  }
  const bool gone = (attribute.kind == Attribute::Kind::tensor && attribute.tensor == nullptr) ||
                    (attribute.kind == Attribute::Kind::graph && attribute.graph == nullptr);
  if (gone) {
    fail_corrupt("attribute %s of %s is a %s that is not there",
                 quoted(attribute.name.c_str()).c_str(), node.c_str(),
                 attribute.kind == Attribute::Kind::graph ? "graph" : "tensor");
  }
  return attribute;
}

FileNode parse_node(pbf_reader message, size_t number, Reading* reading) {
  FileNode node;
  pbf_reader names = message;
  while (names.next()) {
    if (names.tag() == 3 && is_text(names)) {
      node.name = names.get_string();
    } else if (names.tag() == 4 && is_text(names)) {
      node.op = names.get_string();
    } else {
      names.skip();
    }
  }
  const std::string where = node_text(node, number);
  while (message.next()) {
    const uint32_t tag = message.tag();
    if (!is_text(message)) {
      message.skip();
    } else if (tag == 1) {
      check_room(node.inputs, kListMost, "inputs", where);
      node.inputs.push_back(message.get_string());
    } else if (tag == 2) {
      check_room(node.outputs, kListMost, "outputs", where);
      node.outputs.push_back(message.get_string());
    } else if (tag == 5) {
      check_room(node.attributes, kListMost, "attributes", where);
      node.attributes.push_back(parse_attribute(message.get_message(), where, reading));
    } else if (tag == 7) {
      node.domain = message.get_string();
    } else if (tag == 8) {
      node.overload = message.get_string();
    } else {
      message.skip();
    }
  }
  if (node.domain == "ai.onnx") node.domain.clear();
  return node;
}

// Some programs write -1, or "?" as its name, for an extent that is open.
FileDimension parse_dimension(pbf_reader message) {
  FileDimension dimension;
  while (message.next()) {
    if (message.tag() == 1 && is_number(message)) {
      dimension.extent = std::max<int64_t>(message.get_int64(), -1);
    } else if (message.tag() == 2 && is_text(message)) {
      dimension.symbol = message.get_string();
      if (dimension.symbol == "?") dimension.symbol.clear();
    } else {
      message.skip();
    }
  }
  return dimension;
}

void parse_shape(pbf_reader message, const std::string& what, FileValue* value) {
  value->has_shape = true;
  while (message.next()) {
    if (message.tag() == 1 && is_text(message)) {
      check_room(value->shape, 64, "dimensions", what);
      value->shape.push_back(parse_dimension(message.get_message()));
    } else {
      message.skip();
    }
  }
}

FileValue parse_value(pbf_reader message) {
  FileValue value;
  pbf_reader type;
  bool typed = false;
  while (message.next()) {
    if (message.tag() == 1 && is_text(message)) {
      value.name = message.get_string();
    } else if (message.tag() == 2 && is_text(message)) {
      type = message.get_message();
      typed = true;
    } else {
      message.skip();
    }
  }
  const std::string what = "value " + quoted(value.name.c_str(), 200);
  while (typed && type.next()) {
    if (!is_text(type) || type.tag() == 6) {
      type.skip();
      continue;
    }
    value.is_tensor = type.tag() == 1;
    pbf_reader tensor = type.get_message();
    while (value.is_tensor && tensor.next()) {
      if (tensor.tag() == 1 && is_number(tensor)) {
        value.onnx_type = tensor.get_int32();
      } else if (tensor.tag() == 2 && is_text(tensor)) {
        parse_shape(tensor.get_message(), what, &value);
      } else {
        tensor.skip();
      }
    }
  }
  return value;
}

void parse_graph(pbf_reader message, Reading* reading, FileGraph* graph) {
  while (message.next()) {
    const uint32_t tag = message.tag();
    if (!is_text(message)) {
      message.skip();
    } else if (tag == 1) {
      if (reading->nodes++ == kNodesMost) {
        fail_corrupt("the model has more than %zu nodes", kNodesMost);
      }
      graph->nodes.push_back(parse_node(message.get_message(), graph->nodes.size(), reading));
    } else if (tag == 2) {
      graph->name = message.get_string();
    } else if (tag == 5) {
      if (reading->weights++ == kNodesMost) {
        fail_corrupt("the model has more than %zu weights", kNodesMost);
      }
      graph->weights.push_back(parse_tensor(message.get_message(), "", reading->folder));
    } else if (tag == 11) {
      check_room(graph->inputs, kListMost, "inputs", "the model");
      graph->inputs.push_back(parse_value(message.get_message()));
    } else if (tag == 12) {
      check_room(graph->outputs, kListMost, "outputs", "the model");
      graph->outputs.push_back(parse_value(message.get_message()));
    } else if (tag == 15) {
      fail(NETCL_ERROR_UNSUPPORTED, "the model has sparse weights, which netcl does not read");
    } else {
      message.skip();
    }
  }
}

void parse_opset(pbf_reader message, int64_t* opset) {
  std::string domain;
  int64_t version = 0;
  while (message.next()) {
    if (message.tag() == 1 && is_text(message)) {
      domain = message.get_string();
    } else if (message.tag() == 2 && is_number(message)) {
      version = message.get_int64();
    } else {
      message.skip();
    }
  }
  if (domain.empty() || domain == "ai.onnx") *opset = version;
}

FileFunction parse_function(pbf_reader message, Reading* reading) {
  FileFunction function;
  while (message.next()) {
    const uint32_t tag = message.tag();
    if (!is_text(message)) {
      message.skip();
    } else if (tag == 1) {
      function.name = message.get_string();
    } else if (tag == 4) {
      check_room(function.inputs, kListMost, "inputs", "a function");
      function.inputs.push_back(message.get_string());
    } else if (tag == 5) {
      check_room(function.outputs, kListMost, "outputs", "a function");
      function.outputs.push_back(message.get_string());
    } else if (tag == 7) {
      if (reading->nodes++ == kNodesMost) fail_corrupt("functions have over %zu nodes", kNodesMost);
      function.nodes.push_back(parse_node(message.get_message(), function.nodes.size(), reading));
    } else if (tag == 9) {
      parse_opset(message.get_message(), &function.opset);
    } else if (tag == 10) {
      function.domain = message.get_string();
    } else if (tag == 11) {
      check_room(function.defaults, kListMost, "attributes", "a function");
      function.defaults.push_back(parse_attribute(message.get_message(), "a function", reading));
    } else if (tag == 13) {
      function.overload = message.get_string();
    } else {
      message.skip();
    }
  }
  if (function.domain == "ai.onnx") function.domain.clear();
  return function;
}

void parse_model(pbf_reader message, WeightFolder* folder, OnnxFile* file) {
  bool has_graph = false;
  std::string version;
  Reading reading{folder};
  while (message.next()) {
    const uint32_t tag = message.tag();
    if (tag == 1 && is_number(message)) {
      file->ir_version = message.get_int64();
    } else if (tag == 2 && is_text(message)) {
      file->producer = message.get_string();
    } else if (tag == 3 && is_text(message)) {
      version = message.get_string();
    } else if (tag == 7 && is_text(message)) {
      if (has_graph) fail_corrupt("the model has two graphs");
      has_graph = true;
      parse_graph(message.get_message(), &reading, file);
    } else if (tag == 8 && is_text(message)) {
      parse_opset(message.get_message(), &file->opset);
    } else if (tag == 25 && is_text(message)) {
      check_room(file->functions, kListMost, "functions", "the model");
      file->functions.push_back(parse_function(message.get_message(), &reading));
    } else {
      message.skip();
    }
  }
  if (!has_graph) fail_corrupt("the file has no graph, as a model of ONNX does");
  if (!version.empty()) file->producer += " " + version;
  inline_functions(file, kNodesMost);
  resolve_sequences(file);
}

}  // namespace

netcl_dtype dtype_of(int32_t onnx_type) noexcept {
  for (const TypeRow& row : kTypes) {
    if (static_cast<int32_t>(row.onnx) == onnx_type) return row.dtype;
  }
  return 0;
}

std::string type_name(int32_t onnx_type) {
  for (const TypeRow& row : kTypes) {
    if (static_cast<int32_t>(row.onnx) == onnx_type) return row.name;
  }
  const std::string number = format("%d", onnx_type);
  for (const auto& row : kOtherTypes) {
    if (number == row[0]) return row[1];
  }
  return "type " + number;
}

std::string shown(const std::string& text, size_t limit) {
  const std::string whole = quoted(text.c_str(), limit);
  return whole.substr(1, whole.size() - 2);
}

std::string node_text(const FileNode& node, size_t number) {
  const std::string op = shown(node.op);
  if (node.name.empty()) return format("node %zu (%s)", number, op.c_str());
  return "node " + quoted(node.name.c_str(), 200) + " (" + op + ")";
}

OnnxFile parse_onnx(std::string_view bytes, const std::string& folder,
                    const std::optional<FileState>& state) {
  OnnxFile file;
  try {
    WeightFolder place{folder, {}, bytes.data(), state};
    parse_model(pbf_reader(bytes.data(), bytes.size()), &place, &file);
  } catch (const protozero::exception& error) {
    fail_corrupt("the file is no model of ONNX, or is cut short: %s", error.what());
  }
  return file;
}

OnnxFile read_onnx_file(const char* path) {
  const std::string text(path);
  const size_t slash = text.rfind('/');
  const std::string folder = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : text.substr(0, slash);
  FileBytes bytes = read_file(path, kModelBytesMost);
  try {
    OnnxFile file = parse_onnx(bytes.view(), folder, bytes.state);
    file.bytes = std::move(bytes);
    return file;
  } catch (const Error& error) {
    throw Error(error.status(), quoted(path, 300) + ": " + error.message(), error.native_code());
  }
}

}  // namespace netcl::model
