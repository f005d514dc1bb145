// A file of ONNX as it is written: what its messages hold, with every size checked and no rule of
// the format looked at yet. onnx.proto of the onnx package is the reference.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"
#include "core/file.hpp"

namespace netcl::model {

// The element types of TensorProto.DataType.
enum class OnnxType : int32_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  bf16 = 16,
};

// The dtype of an element type; 0 for those that netcl has none for.
netcl_dtype dtype_of(int32_t onnx_type) noexcept;
// "float16"; "type 99" for one that is not known.
std::string type_name(int32_t onnx_type);

// Where bytes lie in a file.
struct FilePlace {
  FileState file;
  uint64_t offset;

  friend bool operator==(const FilePlace&, const FilePlace&) = default;
};

// A tensor with its elements: `data` is packed in C order, of `dtype`. Where that is 0, the type is
// one that netcl does not have, and there is no data.
struct Constant {
  std::string name;
  int32_t onnx_type = 0;
  netcl_dtype dtype = 0;
  std::vector<int64_t> shape;
  std::string_view data;
  // What `data` lies in, unless it is the file.
  std::shared_ptr<const unsigned char[]> own;
  std::optional<FilePlace> place;  // of `data`, where another loading finds the same

  int64_t count() const noexcept;
};

struct FileGraph;

struct Attribute {
  enum class Kind { none, real, integer, text, tensor, graph, reals, integers, texts, other };
  std::string name;
  Kind kind = Kind::none;
  double real = 0;
  int64_t integer = 0;
  std::string text;
  std::vector<double> reals;
  std::vector<int64_t> integers;
  std::vector<std::string> texts;
  std::shared_ptr<const Constant> tensor;
  std::shared_ptr<FileGraph> graph;
  std::string reference;  // within a function, the attribute of its call that this stands for
};

struct FileNode {
  std::string name;
  std::string op;
  std::string domain;
  std::string overload;
  int64_t opset = 0;                // of the ops of ONNX, where it is not the file's
  std::vector<std::string> inputs;  // "" for one that is left out
  std::vector<std::string> outputs;
  std::vector<Attribute> attributes;
  bool joined = false;  // stands for several nodes (join_patterns), with an op of its own
};

struct FileDimension {
  int64_t extent = -1;  // -1: any
  std::string symbol;
};

struct FileValue {
  std::string name;
  bool is_tensor = true;  // else a sequence, a map, an optional or a sparse tensor
  int32_t onnx_type = 0;
  bool has_shape = false;
  std::vector<FileDimension> shape;
};

// The network, or a graph in an attribute of a node.
struct FileGraph {
  std::string name;
  std::vector<FileNode> nodes;
  std::vector<Constant> weights;
  std::vector<FileValue> inputs;
  std::vector<FileValue> outputs;
};

// A function of the file, which nodes call by its domain, name and overload.
struct FileFunction {
  std::string name;
  std::string domain;
  std::string overload;
  int64_t opset = 0;  // of the ops of ONNX in it; 0: none is named
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Attribute> defaults;  // of attributes that a call may leave out
  std::vector<FileNode> nodes;
};

struct OnnxFile : FileGraph {
  int64_t ir_version = 0;
  int64_t opset = 0;  // of the ops of ONNX; 0: none is named
  std::string producer;
  std::vector<FileFunction> functions;
  FileBytes bytes;  // what weights lie in
};

// Where weights in files of their own are looked for; an empty folder: nowhere.
OnnxFile read_onnx_file(const char* path);
// The bytes have to stay where they are as long as what is returned is used. `state`: of the file
// that they are.
OnnxFile parse_onnx(std::string_view bytes, const std::string& folder,
                    const std::optional<FileState>& state = std::nullopt);

// Puts what functions consist of where they are called, and drops them. UNSUPPORTED where they call
// themselves or the network gets more than `nodes_most` nodes.
void inline_functions(OnnxFile* file, size_t nodes_most);

// Puts ops of tensors in place of those of sequences and optional values, as far as the file
// settles what these hold.
void resolve_sequences(OnnxFile* file);

// Makes one node of those that are a normalisation or attention together.
void join_patterns(OnnxFile* file);

// The opset of ONNX that a node is of.
inline int64_t opset_of(const FileNode& node, int64_t file_opset) noexcept {
  return node.opset != 0 ? node.opset : file_opset;
}

// A text of the file as it may stand in a message, without quotes.
std::string shown(const std::string& text, size_t limit = 80);
// A node as messages call it: node "conv1" (Conv), or node 7 (Conv).
std::string node_text(const FileNode& node, size_t number);

}  // namespace netcl::model
