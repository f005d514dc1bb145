// SPDX-License-Identifier: Apache-2.0
#include "array_file.hpp"

#include <sys/stat.h>

#include "text.hpp"

namespace netcl::tool {
namespace {

using Weights = Owner<netcl_weights, netcl_weights_release>;
constexpr uint32_t kShownMembers = 20;

bool is_there(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && !S_ISDIR(facts.st_mode);
}

std::string members_text(netcl_weights* weights, uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < count && i < kShownMembers; ++i) {
    netcl_weights_entry entry = NETCL_WEIGHTS_ENTRY_INIT;
    check(netcl_weights_get_entry(weights, i, &entry), "entry");
    text += (i == 0 ? "" : ", ") + visible(entry.name);
  }
  return count > kShownMembers ? text + ", ..." : text;
}

}  // namespace

ArrayFile find_array_file(const std::string& argument) {
  if (is_there(argument)) return {argument, std::string()};
  for (size_t at = argument.find(':'); at != std::string::npos; at = argument.find(':', at + 1)) {
    const std::string path = argument.substr(0, at);
    if (is_there(path)) return {path, argument.substr(at + 1)};
  }
  return {argument, std::string()};
}

bool is_archive(const std::string& bytes) {
  return bytes.compare(0, 4, "PK\x03\x04") == 0 || bytes.compare(0, 4, "PK\x05\x06") == 0;
}

Tensor array_of_archive(netcl_device* device, const ArrayFile& file) {
  Weights weights;
  check(netcl_weights_open(device, file.path.c_str(), nullptr, weights.receive()),
        file.path.c_str());
  netcl_weights_info info = NETCL_WEIGHTS_INFO_INIT;
  check(netcl_weights_get_info(weights.get(), &info), file.path.c_str());
  uint32_t index = 0;
  const bool found = file.member.empty() ? info.tensor_count == 1
                                         : netcl_weights_find(weights.get(), file.member.c_str(),
                                                              &index) == NETCL_OK;
  if (!found) {
    const std::string wanted = file.member.empty()
                                   ? format("has %u arrays", info.tensor_count)
                                   : "has no array \"" + visible(file.member) + "\"";
    throw ToolError(visible(file.path) + " " + wanted + "; FILE:NAME names one of " +
                    members_text(weights.get(), info.tensor_count));
  }
  Tensor tensor;
  check(netcl_weights_get_tensor(weights.get(), index, nullptr, tensor.receive()),
        file.path.c_str());
  return tensor;
}

}  // namespace netcl::tool
