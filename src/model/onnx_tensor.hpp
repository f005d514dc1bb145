// Tensors of a file of ONNX.
#pragma once

#include <protozero/pbf_reader.hpp>
#include <string>
#include <unordered_map>

#include "model/onnx_file.hpp"

namespace netcl::model {

// Where weights lie: in the file of the model, or in others of its folder.
struct WeightFolder {
  std::string path;
  std::unordered_map<std::string, uint64_t> taken;  // bytes of other files, by their path
  const char* model = nullptr;                      // the first byte of the model's file
  std::optional<FileState> state;                   // and its state
};

// A TensorProto. `what` is what messages call it.
Constant parse_tensor(protozero::pbf_reader message, const std::string& what, WeightFolder* folder);

// Fails with CORRUPT_DATA.
[[noreturn]] void fail_corrupt(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

}  // namespace netcl::model
