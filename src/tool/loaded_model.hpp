// A model with the inputs that the arguments ask for, for `netcl run` and `netcl model`.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_LOADED_MODEL_HPP
#define NETCL_TOOL_LOADED_MODEL_HPP

#include <netcl.h>

#include <map>
#include <string>
#include <vector>

#include "options.hpp"
#include "owned.hpp"
#include "preprocess.hpp"

namespace netcl::tool {

using Model = Owner<netcl_model, netcl_model_release>;

/// The options of what make_inputs looks at, all with a value.
#define NETCL_TOOL_INPUT_OPTIONS \
  "--input", "--dim", "--shape", "--seed", "--dtype", NETCL_TOOL_PICTURE_OPTIONS

struct LoadedModel {
  Device device;
  Model model;
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::vector<netcl_tensor*> given;  ///< the inputs' handles
  std::vector<netcl_tensor*> made;   ///< the outputs'
  netcl_dtype dtype = 0;  ///< of --dtype; 0: f32
  double load_ns = 0;
  double first_ns = 0;  ///< compiling and the first run
};

/// The only word of a command's arguments, a file.
std::string model_path(const Options& options);

enum class ModelSide { inputs, outputs };

/// What "NAME=VALUE" arguments say of inputs or outputs, by their places; VALUE is enough where
/// there is one.
std::map<uint32_t, std::string> placed_arguments(const Options& options, const char* name,
                                                 netcl_model* model, ModelSide side);

/// Opens the device, loads the model and makes its inputs: from files, or random. What is done to
/// pictures is printed.
void load_model(const Options& options, const std::string& path, LoadedModel* loaded);

/// Runs the model for the first time; shows on stderr how long it compiles.
void run_first(LoadedModel* loaded);

/// Runs it into the same outputs; `data` is a LoadedModel.
netcl_status run_again(netcl_queue* queue, void* data);

/// "f32 [1, 3, 224, 224]".
std::string tensor_text(netcl_tensor* tensor);
uint64_t tensor_bytes(netcl_tensor* tensor);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_LOADED_MODEL_HPP
