// Tensors of a file of ONNX.
#pragma once

#include <protozero/pbf_reader.hpp>
#include <string>
#include <unordered_map>

#include "model/onnx_file.hpp"

namespace netcl::model {

// The folder with the files that weights lie in, and the bytes that were taken of each
// of them, by its path.
struct WeightFolder {
  std::string path;
  std::unordered_map<std::string, uint64_t> taken;
};

// A TensorProto. `what` is what messages call it.
Constant parse_tensor(protozero::pbf_reader message, const std::string& what, WeightFolder* folder);

// Fails with CORRUPT_DATA.
[[noreturn]] void fail_corrupt(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

}  // namespace netcl::model
