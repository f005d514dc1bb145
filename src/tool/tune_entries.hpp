// What `netcl tune` is asked to tune: ops by name and size, or a kernel of a file.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_TUNE_ENTRIES_HPP
#define NETCL_TOOL_TUNE_ENTRIES_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "owned.hpp"

namespace netcl::tool {

class Options;

/// Everything that the entries of a tuner refer to, and how each is called.
class TuneEntries {
 public:
  /// Reads the command line; throws UsageProblem. Nothing is made yet.
  explicit TuneEntries(const Options& options);

  /// Makes what was asked for and adds it to the tuner.
  void add_to(netcl_device* device, netcl_tuner* tuner);

  /// "matmul 512x512x512 f32", in the order of the tuner's entries.
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Op {
    std::string name;
    std::vector<int64_t> sizes;
  };
  struct Argument {
    netcl_arg arg = NETCL_ARG_INIT;  ///< of scalars and local memory
    bool is_tensor = false;
    netcl_dtype dtype = 0;
    std::vector<int64_t> shape;
    bool is_input = false;
    bool is_filled = false;  ///< FILL was given
    bool is_free = false;  ///< its value is no part of the problem
    double low = 0, high = 0;  ///< equal: one value
  };
  struct Parameter {
    std::string name;
    std::vector<std::string> values;
  };

  void read_kernel(const Options& options);
  void read_argument(const std::string& text);
  void read_tensor(const std::string& text, const std::vector<std::string>& parts);
  void read_locals(const std::string& text);
  void read_parameter(const std::string& text);
  void add_op(netcl_tuner* tuner, const Op& op);
  void add_kernel(netcl_device* device, netcl_tuner* tuner);
  void fill_space();
  void fill_integers();
  void make_arguments(netcl_device* device, std::vector<netcl_arg>* args);
  void note(netcl_tuner* tuner, const std::string& name);

  netcl_dtype dtype_;
  netcl_conv2d_shape image_ = NETCL_CONV2D_SHAPE_INIT;
  std::vector<Op> ops_;
  std::vector<std::string> names_;

  std::string file_;  ///< empty: no kernel
  std::string kernel_name_;
  std::vector<uint64_t> global_;
  std::vector<uint64_t> locals_;
  std::vector<int64_t> tiles_, unrolls_;
  std::vector<Argument> arguments_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> constraints_, flags_;
  std::string space_file_, global_formula_, local_formula_;
  bool round_up_ = false;
  Kernel kernel_;
  Space space_;
  std::vector<Tensor> tensors_;
};

/// The ops that can be tuned, a line each, for the help.
std::string tune_ops_help();

}  // namespace netcl::tool

#endif  // NETCL_TOOL_TUNE_ENTRIES_HPP
