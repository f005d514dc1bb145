// SPDX-License-Identifier: Apache-2.0
#include "model_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "text.hpp"

namespace netcl::tool {
namespace {

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
    : files_(placed_arguments(options, "--output", model, ModelSide::outputs)),
      references_(placed_arguments(options, "--check", model, ModelSide::outputs)),
      tolerances_(read_tolerances(options)),
      top_(static_cast<size_t>(options.whole("--top", 0, 1, 1000000))),
      labels_path_(options.text("--labels")) {
  if (references_.empty()) options.refuse("without --check", {"--rtol", "--atol"});
  if (top_ == 0) options.refuse("without --top", {"--labels"});
  if (options.has("--labels")) {
    labels_ = read_labels(labels_path_);
    require_labels(model);
  }
  for (const auto& [index, path] : files_) {
    if (path.size() >= 4 && path.compare(path.size() - 4, 4, ".npz") == 0) {
      throw UsageProblem("--output writes .npy files, unlike", path);
    }
    require_writable(path);
  }
}

/// Fails early where the file says how many classes there are.
void ModelOutputs::require_labels(netcl_model* model) const {
  netcl_model_value first = NETCL_MODEL_VALUE_INIT;
  check(netcl_model_get_output(model, 0, &first), "output");
  if (first.has_rank == 0 || first.rank == 0) return;
  const int64_t classes = first.shape[first.rank == 1 ? 0 : 1];
  if (classes >= 0) require_labels(first.name, static_cast<size_t>(classes));
}

void ModelOutputs::require_labels(const std::string& name, size_t classes) const {
  if (labels_path_.empty() || labels_.size() == classes) return;
  throw ToolError(format("--labels %s has %zu lines; output \"%s\" has %zu classes",
                         visible(labels_path_).c_str(), labels_.size(), visible(name).c_str(),
                         classes));
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
      right = compare(loaded, output, reference->second) && right;
    }
    if (i == 0 && top_ != 0) show_top(value.name, output, elements);
  }
  return right;
}

void ModelOutputs::show_top(const std::string& name, netcl_tensor* output,
                            const std::vector<double>& elements) const {
  size_t rows = 0, classes = 0;
  find_classes(name, output, &rows, &classes);
  require_labels(name, classes);
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
                           const std::string& path) const {
  Tensor reference;
  check(netcl_tensor_load_npy(loaded->device.get(), path.c_str(), nullptr, reference.receive()),
        path.c_str());
  const std::string shapes[2] = {tensor_text(output), tensor_text(reference.get())};
  if (shapes[0] != shapes[1]) {
    throw ToolError(format("--check: the output is %s; %s holds %s", shapes[0].c_str(),
                           visible(path).c_str(), shapes[1].c_str()));
  }
  const Difference found = difference(output, reference.get(), tolerances_);
  if (found.wrong == 0) {
    print("  as in %s: the largest difference is %s\n", visible(path).c_str(),
          found.largest.c_str());
    return true;
  }
  print("  %zu of %zu elements are not as in %s, to %g of each and %g\n", found.wrong, found.count,
        visible(path).c_str(), found.allowed.rtol, found.allowed.atol);
  print("  farthest off is element %zu: %s, in the file %s\n", found.at, found.got.c_str(),
        found.wanted.c_str());
  return false;
}

}  // namespace netcl::tool
