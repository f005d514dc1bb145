/*
 * What the recipes in C++ share. Each NAME.cpp is one recipe of docs/cookbook; what the articles
 * show lies between [recipe] and [end].
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_COOKBOOK_HPP
#define NETCL_COOKBOOK_HPP

#include <netcl.hpp>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

inline void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string(what) + " is wrong");
}

// [recipe]
// Throws unless an f32 tensor has these values.
inline void expect(netcl::tensor_ref tensor, const std::vector<float>& wanted) {
  const std::vector<float> found = netcl::to_vector<float>(tensor);
  if (found.size() != wanted.size()) throw std::runtime_error("another number of elements");
  for (size_t i = 0; i < found.size(); i++) {
    if (std::fabs(found[i] - wanted[i]) <= 1e-4f * (1 + std::fabs(wanted[i]))) continue;
    throw std::runtime_error("element " + std::to_string(i) + " is " + std::to_string(found[i]));
  }
}
// [end]

// clang-format off
#define RECIPES(X) \
  X(add_row) X(causal_mask) X(compiled_step) X(dense_layer) X(errors) X(find_leaks) X(first) \
  X(gradients) X(kept_memory) X(list_devices) X(mask) X(own_kernel) X(own_op) X(pick_rows) \
  X(poll) X(several_results) X(softmax_rows) X(sort_topk) X(standardize) X(strided_view) \
  X(threads) X(time_work) X(tune) X(update_in_place) X(warm_up)
// clang-format on
#define DECLARE(name) void recipe_##name(netcl::device_ref device);
RECIPES(DECLARE)

#endif /* NETCL_COOKBOOK_HPP */
