// What a model gives: shown, kept, compared, and named by labels.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_MODEL_OUTPUTS_HPP
#define NETCL_TOOL_MODEL_OUTPUTS_HPP

#include <map>
#include <string>
#include <vector>

#include "difference.hpp"
#include "loaded_model.hpp"

namespace netcl::tool {

/// The options of outputs, all with a value.
#define NETCL_TOOL_OUTPUT_OPTIONS "--output", "--check", "--rtol", "--atol", "--top", "--labels"

class ModelOutputs {
 public:
  /// Reads what the arguments say, with the labels, before the model runs.
  ModelOutputs(const Options& options, netcl_model* model);

  /// Prints each output, saves and checks it; false when one differs.
  bool show(LoadedModel* loaded) const;

 private:
  void require_labels(netcl_model* model) const;
  void require_labels(const std::string& name, size_t classes) const;
  void show_top(const std::string& name, netcl_tensor* output,
                const std::vector<double>& elements) const;
  bool compare(LoadedModel* loaded, netcl_tensor* output, const std::string& path) const;

  std::map<uint32_t, std::string> files_;
  std::map<uint32_t, std::string> references_;
  Tolerances tolerances_;
  size_t top_ = 0;
  std::string labels_path_;
  std::vector<std::string> labels_;
};

}  // namespace netcl::tool

#endif  // NETCL_TOOL_MODEL_OUTPUTS_HPP
