// SPDX-License-Identifier: Apache-2.0
#include "model_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "text.hpp"

namespace netcl::tool {
namespace {

/// All elements as doubles.
std::vector<double> elements_of(netcl_tensor* tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(tensor, &info), "output");
  Tensor wide;
  const bool is_wide = info.dtype == NETCL_F64 || info.dtype == NETCL_I64 ||
                       info.dtype == NETCL_U64 || info.dtype == NETCL_I32 ||
                       info.dtype == NETCL_U32;
  if (!is_wide) check(netcl_op_cast(tensor, NETCL_F32, nullptr, wide.receive()), "output");
  const netcl_dtype dtype = is_wide ? info.dtype : netcl_dtype{NETCL_F32};
  const auto count = static_cast<size_t>(info.element_count);
  std::vector<char> bytes(count * netcl_dtype_size(dtype));
  check(netcl_tensor_read(is_wide ? tensor : wide.get(), bytes.data(), bytes.size(), nullptr,
                          NETCL_WAIT_FOREVER),
        "output");
  std::vector<double> elements(count);
  const auto convert = [&](auto zero) {
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&zero, bytes.data() + i * sizeof zero, sizeof zero);
      elements[i] = static_cast<double>(zero);
    }
  };
  if (dtype == NETCL_F64) convert(double{});
  if (dtype == NETCL_F32) convert(float{});
  if (dtype == NETCL_I64) convert(int64_t{});
  if (dtype == NETCL_U64) convert(uint64_t{});
  if (dtype == NETCL_I32) convert(int32_t{});
  if (dtype == NETCL_U32) convert(uint32_t{});
  return elements;
}

/// A label per line.
std::vector<std::string> read_labels(const std::string& path) {
  std::vector<std::string> lines = split(read_file(path), '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (std::string& line : lines) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
  }
  return lines;
}

/// Whether a score is better than another one; NaN is worse than any.
bool is_better(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a > b; }

/// Scores as shares of 1: as they are where they are that already, else their softmax; none where
/// a score is not finite.
std::vector<double> shares_of(const double* scores, size_t count, bool* softmax) {
  if (!std::all_of(scores, scores + count, [](double x) { return std::isfinite(x); })) return {};
  std::vector<double> shares(scores, scores + count);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  *softmax = std::any_of(shares.begin(), shares.end(), [](double x) { return !(x >= 0); }) ||
             std::fabs(sum - 1) > 1e-2;
  if (!*softmax) return shares;
  const double most = *std::max_element(shares.begin(), shares.end());
  double all = 0;
  for (double& share : shares) all += share = std::exp(share - most);
  for (double& share : shares) share /= all;
  return shares;
}

/// The classes of an output: rows, and scores in each.
void find_classes(const std::string& name, netcl_tensor* output, size_t* rows, size_t* classes) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(output, &info), "output");
  int64_t behind = 1;
  for (uint32_t d = 2; d < info.rank; ++d) behind *= info.shape[d];
  if (info.rank == 0 || behind != 1 || info.element_count == 0) {
    throw ToolError("--top: output \"" + visible(name) + "\" is " + tensor_text(output) +
                    ", not [classes] or [rows, classes]");
  }
  *rows = info.rank == 1 ? 1 : static_cast<size_t>(info.shape[0]);
  *classes = static_cast<size_t>(info.shape[info.rank == 1 ? 0 : 1]);
}

}  // namespace

ModelOutputs::ModelOutputs(const Options& options, netcl_model* model)
    : files_(placed_arguments(options, "--output", model, netcl_model_find_output)),
      references_(placed_arguments(options, "--check", model, netcl_model_find_output)),
      rtol_(options.number("--rtol", 1e-3, 0, 1)),
      atol_(options.number("--atol", 1e-5, 0, 1e9)),
      top_(static_cast<size_t>(options.whole("--top", 0, 1, 1000000))),
      labels_path_(options.text("--labels")) {
  if (references_.empty()) options.refuse("without --check", {"--rtol", "--atol"});
  if (top_ == 0) options.refuse("without --top", {"--labels"});
  if (options.has("--labels")) labels_ = read_labels(labels_path_);
  for (const auto& [index, path] : files_) require_writable(path);
}

bool ModelOutputs::show(LoadedModel* loaded) const {
  bool right = true;
  for (uint32_t i = 0; i < loaded->info.output_count; ++i) {
    netcl_model_value value = NETCL_MODEL_VALUE_INIT;
    check(netcl_model_get_output(loaded->model.get(), i, &value), "output");
    netcl_tensor* const output = loaded->made[i];
    const std::vector<double> elements = elements_of(output);
    print("%s: %s", visible(value.name).c_str(), tensor_text(output).c_str());
    for (size_t k = 0; k < std::min<size_t>(elements.size(), 5); ++k) print(" %g", elements[k]);
    print("%s\n", elements.size() > 5 ? " ..." : "");
    if (const auto file = files_.find(i); file != files_.end()) {
      check(netcl_tensor_save_npy(output, file->second.c_str(), NETCL_WAIT_FOREVER),
            file->second.c_str());
      print("  saved as %s\n", visible(file->second).c_str());
    }
    const auto reference = references_.find(i);
    if (reference != references_.end()) {
      right = compare(loaded, output, elements, reference->second) && right;
    }
    if (i == 0 && top_ != 0) show_top(value.name, output, elements);
  }
  return right;
}

void ModelOutputs::show_top(const std::string& name, netcl_tensor* output,
                            const std::vector<double>& elements) const {
  size_t rows = 0, classes = 0;
  find_classes(name, output, &rows, &classes);
  if (!labels_path_.empty() && labels_.size() != classes) {
    throw ToolError(format("--labels %s has %zu lines; output \"%s\" has %zu classes",
                           visible(labels_path_).c_str(), labels_.size(), visible(name).c_str(),
                           classes));
  }
  std::vector<size_t> order(classes);
  for (size_t row = 0; row < rows; ++row) {
    bool softmax = false;
    const double* const scores = elements.data() + row * classes;
    const std::vector<double> shares = shares_of(scores, classes, &softmax);
    std::iota(order.begin(), order.end(), size_t{0});
    const size_t most = std::min(top_, classes);
    std::partial_sort(
        order.begin(), order.begin() + static_cast<ptrdiff_t>(most), order.end(),
        [&](size_t a, size_t b) {
          if (is_better(scores[a], scores[b])) return true;
          return !is_better(scores[b], scores[a]) && a < b;
        });
    if (rows > 1) print("  row %zu:\n", row);
    for (size_t k = 0; k < most; ++k) {
      const size_t at = order[k];
      const std::string share = shares.empty() ? "       -" : format("%6.2f %%", 100 * shares[at]);
      print("  %s  %4zu  %s", share.c_str(), at,
            labels_.empty() ? "" : visible(labels_[at]).c_str());
      print("%s\n", shares.empty() ? format("  (%g; not all scores are finite)", scores[at]).c_str()
                    : softmax     ? format("  (%g; %% by softmax)", scores[at]).c_str()
                                  : "");
    }
  }
}

bool ModelOutputs::compare(LoadedModel* loaded, netcl_tensor* output,
                           const std::vector<double>& got, const std::string& path) const {
  Tensor reference;
  check(netcl_tensor_load_npy(loaded->device.get(), path.c_str(), nullptr, reference.receive()),
        path.c_str());
  const std::string shapes[2] = {tensor_text(output), tensor_text(reference.get())};
  if (shapes[0] != shapes[1]) {
    throw ToolError(format("--check: the output is %s; %s holds %s", shapes[0].c_str(),
                           visible(path).c_str(), shapes[1].c_str()));
  }
  const std::vector<double> wanted = elements_of(reference.get());
  double worst = 0, largest = 0;  // in parts of what is allowed, and as it is
  size_t at = 0, wrong = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]))) continue;
    const double off = std::fabs(got[i] - wanted[i]);
    const double allowed = atol_ + rtol_ * std::fabs(wanted[i]);
    double parts = off / allowed;
    if (!std::isfinite(parts)) parts = HUGE_VAL;
    wrong += parts > 1 ? 1 : 0;
    largest = std::max(largest, off);
    if (parts > worst) at = i;
    worst = std::max(worst, parts);
  }
  if (wrong == 0) {
    print("  as in %s: the largest difference is %g\n", visible(path).c_str(), largest);
    return true;
  }
  print("  %zu of %zu elements are not as in %s, to %g of each and %g\n", wrong, got.size(),
        visible(path).c_str(), rtol_, atol_);
  print("  farthest off is element %zu: %g, in the file %g\n", at, got[at], wanted[at]);
  return false;
}

}  // namespace netcl::tool
