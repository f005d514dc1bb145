// SPDX-License-Identifier: Apache-2.0
#include "loaded_model.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "array_file.hpp"
#include "bench.hpp"
#include "compile_progress.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

std::map<std::string, std::string> read_dimensions(const Options& options) {
  std::map<std::string, std::string> found;
  for (const std::string& word : options.all("--dim")) {
    const size_t mark = word.find('=');
    if (mark == std::string::npos || mark == 0 || mark + 1 == word.size()) {
      throw UsageProblem("--dim takes NAME=VALUE, unlike", word);
    }
    if (!found.emplace(word.substr(0, mark), word.substr(mark + 1)).second) {
      throw UsageProblem("--dim names one twice:", word);
    }
  }
  return found;
}

int64_t read_extent(const char* name, const std::string& text) {
  const char* hint = "";
  const std::optional<double> number = read_decimal(text, &hint);
  if (!number || *number < 0 || *number > 1e12 || *number != std::floor(*number)) {
    throw UsageProblem(format("%s takes whole numbers, unlike", name).c_str(), text);
  }
  return static_cast<int64_t>(*number);
}

/// The names of the dimensions of a value, as many as its text has.
std::vector<std::string> dimension_names(const netcl_model_value& value) {
  std::string text(value.dimensions);
  if (!text.empty() && text.front() == '[') text.erase(0, 1);
  if (!text.empty() && text.back() == ']') text.pop_back();
  std::vector<std::string> names = split(text, ',');
  for (std::string& name : names) name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
  names.resize(value.rank);
  return names;
}

/// What the arguments say of shapes.
class AskedShapes {
 public:
  AskedShapes(const Options& options, netcl_model* model)
      : dims_(read_dimensions(options)),
        shapes_(placed_arguments(options, "--shape", model, ModelSide::inputs)) {}

  /// The extents of an input; -1 where neither the model nor an argument says one. Empty: neither
  /// says the rank.
  std::vector<int64_t> of(uint32_t index, const netcl_model_value& value) {
    std::vector<int64_t> shape(value.shape, value.shape + value.rank);
    const std::vector<std::string> names = dimension_names(value);
    for (uint32_t d = 0; d < value.rank; ++d) {
      const auto found = dims_.find(names[d]);
      if (found == dims_.end()) continue;
      used_.insert(found->first);
      if (shape[d] < 0) shape[d] = read_extent("--dim", found->second);
    }
    if (const auto found = shapes_.find(index); found != shapes_.end()) {
      std::vector<int64_t> asked;
      for (const std::string& part : split(found->second, 'x')) {
        asked.push_back(read_extent("--shape", part));
      }
      bool fits = asked.size() <= NETCL_RANK_MAX;
      if (value.has_rank != 0) fits = asked.size() == shape.size();
      for (size_t d = 0; fits && d < shape.size(); ++d) {
        fits = shape[d] < 0 || shape[d] == asked[d];
      }
      if (!fits) {
        throw ToolError(format("--shape %s=%s: the input is %s", value.name, found->second.c_str(),
                               visible(value.dimensions).c_str()));
      }
      return asked;
    }
    return shape;
  }

  void require_used() const {
    for (const auto& [name, extent] : dims_) {
      if (used_.count(name) == 0) throw UsageProblem("--dim: no input has the dimension", name);
    }
  }

 private:
  std::map<std::string, std::string> dims_;
  std::map<uint32_t, std::string> shapes_;
  std::set<std::string> used_;
};

Tensor random_input(netcl_device* device, const netcl_model_value& value,
                    std::vector<int64_t> shape, bool has_shape, uint64_t seed) {
  if (value.bound != 0 || !has_shape || value.dtype == 0) {
    const char* what = value.bound != 0   ? "its values decide shapes"
                       : value.dtype == 0 ? "the model does not say its dtype"
                                          : "the model does not say its shape; see --shape";
    throw ToolError(format("input \"%s\" cannot be random: %s; --input %s=FILE gives it",
                           visible(value.name).c_str(), what, visible(value.name).c_str()));
  }
  for (int64_t& extent : shape) extent = extent < 0 ? 1 : extent;
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  random.seed = seed;
  // Whole numbers are often places in something: 0 and 1 are there.
  if (value.dtype >= NETCL_I8 && value.dtype <= NETCL_U64) random.high = 2;
  Tensor tensor;
  check(netcl_tensor_create_random(device, value.dtype, static_cast<uint32_t>(shape.size()),
                                   shape.data(), nullptr, &random, nullptr, tensor.receive()),
        value.name);
  return tensor;
}

Tensor picture_input(const Options& options, netcl_device* device, const netcl_model_value& value,
                     const std::vector<int64_t>& shape, const std::string& path,
                     const std::string& bytes) {
  const PictureInput input{value.name, value.dtype != 0 ? value.dtype : netcl_dtype{NETCL_F32},
                           shape};
  const PreprocessedPicture made = preprocess_picture(options, input, decode_picture(bytes, path));
  Tensor tensor;
  check(netcl_tensor_create_from_host(
            device, NETCL_F32, static_cast<uint32_t>(made.shape.size()), made.shape.data(), nullptr,
            made.elements.data(), made.elements.size() * sizeof(float), nullptr, tensor.receive()),
        value.name);
  if (input.dtype != NETCL_F32) {
    Tensor cast;
    check(netcl_op_cast(tensor.get(), input.dtype, nullptr, cast.receive()), value.name);
    tensor = std::move(cast);
  }
  print("%s: %s, %s  as %s\n", visible(value.name).c_str(), visible(path).c_str(),
        made.words.c_str(), tensor_text(tensor.get()).c_str());
  return tensor;
}

/// What a file is that cannot be read, by its first bytes.
std::string other_kind(const std::string& bytes) {
  if (bytes.compare(0, 4, "GIF8") == 0) return "a GIF";
  if (bytes.compare(0, 4, "RIFF") == 0) return "a WebP picture or a sound";
  return std::string();
}

Tensor file_input(const Options& options, netcl_device* device, const netcl_model_value& value,
                  const std::vector<int64_t>& shape, const std::string& path, bool* pictures) {
  const ArrayFile file = find_array_file(path);
  const std::string bytes = read_start(file.path, 16);
  if (is_archive(bytes)) return array_of_archive(device, file);
  if (is_picture(bytes)) {
    *pictures = true;
    return picture_input(options, device, value, shape, path, read_file(path));
  }
  if (const std::string kind = other_kind(bytes); !kind.empty()) {
    throw ToolError("--input " + visible(value.name) + "=" + visible(path) + ": the file is " +
                    kind + "; .npy, .npz, PNG, JPEG, and binary PPM and PGM are read");
  }
  Tensor tensor;
  check(netcl_tensor_load_npy(device, path.c_str(), nullptr, tensor.receive()), path.c_str());
  return tensor;
}

void make_inputs(const Options& options, LoadedModel* loaded) {
  const auto from =
      placed_arguments(options, "--input", loaded->model.get(), ModelSide::inputs);
  AskedShapes shapes(options, loaded->model.get());
  const uint64_t seed = options.whole("--seed", 1, 0);
  bool pictures = false;
  for (uint32_t i = 0; i < loaded->info.input_count; ++i) {
    netcl_model_value value = NETCL_MODEL_VALUE_INIT;
    check(netcl_model_get_input(loaded->model.get(), i, &value), "input");
    const std::vector<int64_t> shape = shapes.of(i, value);
    const auto found = from.find(i);
    if (found == from.end() || found->second == "random") {
      const bool has_shape = value.has_rank != 0 || !shape.empty();
      loaded->inputs.push_back(
          random_input(loaded->device.get(), value, shape, has_shape, seed + i));
    } else {
      loaded->inputs.push_back(
          file_input(options, loaded->device.get(), value, shape, found->second, &pictures));
    }
    loaded->given.push_back(loaded->inputs.back().get());
  }
  shapes.require_used();
  if (!pictures) options.refuse("without a picture", {NETCL_TOOL_PICTURE_OPTIONS});
}

double now_ns() {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::steady_clock::now().time_since_epoch())
                                 .count());
}

}  // namespace

std::string model_path(const Options& options) {
  if (options.words().empty()) throw UsageProblem("an argument is missing:", "MODEL");
  if (options.words().size() > 1) throw UsageProblem("there is no use for", options.words()[1]);
  return options.words()[0];
}

std::map<uint32_t, std::string> placed_arguments(const Options& options, const char* name,
                                                 netcl_model* model, ModelSide side) {
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  check(netcl_model_get_info(model, &info), name);
  const bool of_inputs = side == ModelSide::inputs;
  const uint32_t count = of_inputs ? info.input_count : info.output_count;
  const auto find = of_inputs ? netcl_model_find_input : netcl_model_find_output;
  std::map<uint32_t, std::string> found;
  for (const std::string& word : options.all(name)) {
    const size_t mark = word.find('=');
    const std::string value = word.substr(mark + 1);
    if (mark == 0 || value.empty() || (mark == std::string::npos && count != 1)) {
      throw UsageProblem(format("%s takes NAME=VALUE, unlike", name).c_str(), word);
    }
    uint32_t index = 0;
    if (mark != std::string::npos) check(find(model, word.substr(0, mark).c_str(), &index), name);
    if (!found.emplace(index, value).second) {
      throw UsageProblem(format("%s names one twice:", name).c_str(), word);
    }
  }
  return found;
}

void load_model(const Options& options, const std::string& path, LoadedModel* loaded) {
  const std::string dtype = options.text("--dtype", "f32");
  if (dtype == "f16") loaded->dtype = NETCL_F16;
  if (dtype == "bf16") loaded->dtype = NETCL_BF16;
  if (loaded->dtype == 0 && dtype != "f32") {
    throw UsageProblem("--dtype takes f16, bf16, f32, unlike", dtype);
  }
  netcl_model_options model = NETCL_MODEL_OPTIONS_INIT;
  model.dtype = loaded->dtype;
  const double begin = now_ns();
  check(netcl_model_load(loaded->device.get(), path.c_str(), &model, loaded->model.receive()),
        path.c_str());
  loaded->load_ns = now_ns() - begin;
  check(netcl_model_get_info(loaded->model.get(), &loaded->info), path.c_str());
  make_inputs(options, loaded);
}

void run_first(LoadedModel* loaded) {
  loaded->made.assign(loaded->info.output_count, nullptr);
  uint32_t count = 0;
  const CompileProgress progress;
  const double begin = now_ns();
  check(netcl_model_evaluate(loaded->model.get(), loaded->given.data(), loaded->info.input_count,
                             nullptr, loaded->made.data(), loaded->info.output_count, &count),
        "run");
  for (netcl_tensor* tensor : loaded->made) {
    loaded->outputs.emplace_back();
    *loaded->outputs.back().receive() = tensor;
  }
  check(netcl_device_finish(loaded->device.get(), NETCL_WAIT_FOREVER), "run");
  loaded->first_ns = now_ns() - begin;
}

netcl_status run_again(netcl_queue* queue, void* data) {
  const LoadedModel& loaded = *static_cast<const LoadedModel*>(data);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  return netcl_model_run(loaded.model.get(), loaded.given.data(), loaded.info.input_count,
                         loaded.made.data(), loaded.info.output_count, &run);
}

std::string tensor_text(netcl_tensor* tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(tensor, &info), "tensor");
  std::string text = std::string(netcl_dtype_name(info.dtype)) + " [";
  for (uint32_t d = 0; d < info.rank; ++d) {
    text += format("%s%lld", d == 0 ? "" : ", ", static_cast<long long>(info.shape[d]));
  }
  return text + "]";
}

uint64_t tensor_bytes(netcl_tensor* tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(tensor, &info), "tensor");
  return static_cast<uint64_t>(info.element_count) * netcl_dtype_size(info.dtype);
}

}  // namespace netcl::tool
