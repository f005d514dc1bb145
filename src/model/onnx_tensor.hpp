// Tensors of a file of ONNX.
#pragma once

#include <protozero/pbf_reader.hpp>
#include <string>

#include "model/onnx_file.hpp"

namespace netcl::model {

// A TensorProto. `what` is what messages call it; `folder` has the files that weights lie in.
Constant parse_tensor(protozero::pbf_reader message, const std::string& what,
                      const std::string& folder);

// Fails with CORRUPT_DATA.
[[noreturn]] void fail_corrupt(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

}  // namespace netcl::model
