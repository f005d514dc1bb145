// How a picture becomes the input of a model: what was asked for, in words, and as numbers.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_PREPROCESS_HPP
#define NETCL_TOOL_PREPROCESS_HPP

#include <netcl.h>

#include <string>
#include <vector>

#include "options.hpp"
#include "picture.hpp"

namespace netcl::tool {

/// The input that a picture is for.
struct PictureInput {
  std::string name;
  netcl_dtype dtype = NETCL_F32;
  std::vector<int64_t> shape;  ///< -1: any extent; empty: the model does not say the rank
};

struct PreprocessedPicture {
  std::string words;            ///< what was done, one line
  std::vector<int64_t> shape;   ///< of the elements
  std::vector<float> elements;  ///< whole numbers that fit where the input is of integers
};

/// The options' names, all with a value.
#define NETCL_TOOL_PICTURE_OPTIONS \
  "--resize", "--crop", "--scale", "--mean", "--std", "--layout", "--colors"

/// Makes a picture what the options and the input ask for. Throws UsageProblem for an option that
/// cannot be read, ToolError where picture, options and input do not go together.
PreprocessedPicture preprocess_picture(const Options& options, const PictureInput& input,
                                       const Picture& picture);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_PREPROCESS_HPP
