// `netcl run` and `netcl model`: a file of ONNX is run, or told of.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "bench.hpp"
#include "options.hpp"
#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

using Model = Owner<netcl_model, netcl_model_release>;

/// What "NAME=VALUE" arguments say.
std::map<std::string, std::string> assignments(const Options& options, const char* name) {
  std::map<std::string, std::string> found;
  if (!options.has(name)) return found;
  for (const std::string& word : options.all(name)) {
    const size_t mark = word.find('=');
    if (mark == std::string::npos || mark == 0) throw UsageProblem("no NAME=VALUE:", word);
    found[word.substr(0, mark)] = word.substr(mark + 1);
  }
  return found;
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

/// The extents of a dimension that the model leaves open.
int64_t named_extent(const std::map<std::string, std::string>& extents, const std::string& name) {
  const auto found = extents.find(name);
  if (found == extents.end()) return 1;
  const char* hint = "";
  const std::optional<double> number = read_decimal(found->second, &hint);
  if (!number || *number < 0 || *number > 1e12 || *number != std::floor(*number)) {
    throw UsageProblem("no extent:", found->second);
  }
  return static_cast<int64_t>(*number);
}

/// A tensor as the model takes it: of a file, or random.
Tensor make_input(const std::map<std::string, std::string>& extents, netcl_device* device,
                  const netcl_model_value& value, const std::string& from, uint64_t seed) {
  Tensor tensor;
  if (from != "random") {
    check(netcl_tensor_load_npy(device, from.c_str(), nullptr, tensor.receive()), from.c_str());
    return tensor;
  }
  if (value.bound != 0 || value.has_rank == 0 || value.dtype == 0) {
    throw ToolError(format("input %s cannot be random: its values, or its shape, are not known",
                           visible(value.name).c_str()));
  }
  const std::vector<std::string> names = dimension_names(value);
  int64_t shape[NETCL_RANK_MAX];
  for (uint32_t d = 0; d < value.rank; ++d) {
    shape[d] = value.shape[d] >= 0 ? value.shape[d] : named_extent(extents, names[d]);
  }
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  random.seed = seed;
  // Whole numbers are often places in something: 0 and 1 are there.
  if (value.dtype >= NETCL_I8 && value.dtype <= NETCL_U64) random.high = 2;
  check(netcl_tensor_create_random(device, value.dtype, value.rank, shape, nullptr, &random,
                                   nullptr, tensor.receive()),
        value.name);
  return tensor;
}

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

std::string shape_text(netcl_tensor* tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(tensor, &info), "output");
  std::string text = std::string(netcl_dtype_name(info.dtype)) + " [";
  for (uint32_t d = 0; d < info.rank; ++d) {
    text += format("%s%lld", d == 0 ? "" : ", ", static_cast<long long>(info.shape[d]));
  }
  return text + "]";
}

/// How far an output is from the one in a file.
struct Comparison {
  double largest = 0;  ///< difference, in parts of what is allowed
  size_t at = 0;
  double got = 0;
  double wanted = 0;
};

Comparison compare(const Options& options, netcl_device* device, netcl_tensor* output,
                   const std::string& path) {
  Tensor reference;
  check(netcl_tensor_load_npy(device, path.c_str(), nullptr, reference.receive()), path.c_str());
  const std::vector<double> got = elements_of(output), wanted = elements_of(reference.get());
  const std::string shapes[2] = {shape_text(output), shape_text(reference.get())};
  if (shapes[0] != shapes[1]) {
    throw ToolError(format("the output is %s; %s holds %s", shapes[0].c_str(),
                           visible(path).c_str(), shapes[1].c_str()));
  }
  const double rtol = options.number("--rtol", 1e-3, 0, 1),
               atol = options.number("--atol", 1e-5, 0, 1e9);
  Comparison found;
  for (size_t i = 0; i < got.size(); ++i) {
    const bool same = got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]));
    const double allowed = atol + rtol * std::fabs(wanted[i]);
    const double off = same ? 0 : std::fabs(got[i] - wanted[i]) / allowed;
    if (off <= found.largest) continue;
    found = {std::isnan(off) ? HUGE_VAL : off, i, got[i], wanted[i]};
  }
  return found;
}

struct Loaded {
  Device device;
  Model model;
  netcl_model_info info = NETCL_MODEL_INFO_INIT;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::vector<netcl_tensor*> given;
  std::vector<netcl_tensor*> made;
};

/// What "NAME=VALUE" arguments say of inputs or outputs, by their places.
std::map<uint32_t, std::string> placed(const Options& options, const char* name, netcl_model* model,
                                       decltype(&netcl_model_find_input) find) {
  std::map<uint32_t, std::string> found;
  for (const auto& [key, value] : assignments(options, name)) {
    uint32_t index = 0;
    check(find(model, key.c_str(), &index), name);
    found[index] = value;
  }
  return found;
}

void make_inputs(const Options& options, Loaded* loaded) {
  const auto from = placed(options, "--input", loaded->model.get(), netcl_model_find_input);
  const auto extents = assignments(options, "--dim");
  const uint64_t seed = options.whole("--seed", 1, 0);
  std::vector<std::string> known;
  for (uint32_t i = 0; i < loaded->info.input_count; ++i) {
    netcl_model_value value = NETCL_MODEL_VALUE_INIT;
    check(netcl_model_get_input(loaded->model.get(), i, &value), "input");
    for (std::string& name : dimension_names(value)) known.push_back(std::move(name));
    const auto found = from.find(i);
    loaded->inputs.push_back(make_input(extents, loaded->device.get(), value,
                                        found == from.end() ? "random" : found->second, seed + i));
    loaded->given.push_back(loaded->inputs.back().get());
  }
  for (const auto& [name, extent] : extents) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UsageProblem("no input has the dimension", name);
    }
  }
}

void evaluate(Loaded* loaded) {
  loaded->made.assign(loaded->info.output_count, nullptr);
  uint32_t count = 0;
  check(netcl_model_evaluate(loaded->model.get(), loaded->given.data(), loaded->info.input_count,
                             nullptr, loaded->made.data(), loaded->info.output_count, &count),
        "run");
  for (netcl_tensor* tensor : loaded->made) {
    loaded->outputs.emplace_back();
    *loaded->outputs.back().receive() = tensor;
  }
}

/// Prints each output, saves and checks it; false when one differs.
bool show_outputs(const Options& options, Loaded* loaded) {
  const auto files = placed(options, "--output", loaded->model.get(), netcl_model_find_output);
  const auto checks = placed(options, "--check", loaded->model.get(), netcl_model_find_output);
  bool right = true;
  for (uint32_t i = 0; i < loaded->info.output_count; ++i) {
    netcl_model_value value = NETCL_MODEL_VALUE_INIT;
    check(netcl_model_get_output(loaded->model.get(), i, &value), "output");
    netcl_tensor* const output = loaded->made[i];
    const std::vector<double> elements = elements_of(output);
    print("%s: %s", visible(value.name).c_str(), shape_text(output).c_str());
    for (size_t k = 0; k < std::min<size_t>(elements.size(), 5); ++k) print(" %g", elements[k]);
    print("%s\n", elements.size() > 5 ? " ..." : "");
    if (const auto file = files.find(i); file != files.end()) {
      check(netcl_tensor_save_npy(output, file->second.c_str(), NETCL_WAIT_FOREVER),
            file->second.c_str());
    }
    const auto reference = checks.find(i);
    if (reference == checks.end()) continue;
    const Comparison found = compare(options, loaded->device.get(), output, reference->second);
    right = right && found.largest <= 1;
    if (found.largest <= 1) {
      print("  as in %s\n", visible(reference->second).c_str());
    } else {
      print("  element %zu is %g, in %s %g\n", found.at, found.got,
            visible(reference->second).c_str(), found.wanted);
    }
  }
  return right;
}

netcl_status run_once(netcl_queue* queue, void* data) {
  const Loaded& loaded = *static_cast<const Loaded*>(data);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  return netcl_model_run(loaded.model.get(), loaded.given.data(), loaded.info.input_count,
                         loaded.made.data(), loaded.info.output_count, &run);
}

void time_runs(const Options& options, Loaded* loaded) {
  Queue queue;
  check(netcl_device_get_queue(loaded->device.get(), queue.receive()), "queue");
  netcl_measurement_options measurement = NETCL_MEASUREMENT_OPTIONS_INIT;
  measurement.budget_ns = static_cast<uint64_t>(options.number("--time", 1, 1e-4, 3600) * 1e9);
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  check(netcl_queue_time(queue.get(), run_once, loaded, &measurement, &statistics), "run");
  print("time: %s (%s to %s, %llu samples)\n", time_text(statistics.median).c_str(),
        time_text(statistics.interval_low).c_str(), time_text(statistics.interval_high).c_str(),
        static_cast<unsigned long long>(statistics.count));
}

std::string only_word(const Options& options) {
  if (options.words().empty()) throw UsageProblem("an argument is missing:", "MODEL");
  if (options.words().size() > 1) throw UsageProblem("there is no use for", options.words()[1]);
  return options.words()[0];
}

int run(int argc, char** argv) {
  const Options options(argc, argv, {"--bench"},
                        {"--input", "--output", "--check", "--dim", "--rtol", "--atol", "--seed",
                         "--time", "--device"});
  const std::string path = only_word(options);
  Loaded loaded;
  loaded.device = open_device(options);
  check(netcl_model_load(loaded.device.get(), path.c_str(), nullptr, loaded.model.receive()),
        path.c_str());
  check(netcl_model_get_info(loaded.model.get(), &loaded.info), path.c_str());
  make_inputs(options, &loaded);
  evaluate(&loaded);
  const bool right = show_outputs(options, &loaded);
  if (options.has("--bench")) time_runs(options, &loaded);
  return right ? kExitSuccess : kExitFailure;
}

int describe(int argc, char** argv) {
  const Options options(argc, argv, {}, {});
  const std::string path = only_word(options);
  size_t length = 0;
  check(netcl_model_describe(path.c_str(), nullptr, 0, &length), path.c_str());
  std::string text(length + 1, '\0');
  check(netcl_model_describe(path.c_str(), text.data(), text.size(), &length), path.c_str());
  text.resize(length);
  print("%s", text.c_str());
  return text.find("\nmissing ") == std::string::npos ? kExitSuccess : kExitFailure;
}

}  // namespace

int run_run(const Command& self, int argc, char** argv) {
  return with_usage(self, run, argc, argv);
}

int run_model(const Command& self, int argc, char** argv) {
  return with_usage(self, describe, argc, argv);
}

}  // namespace netcl::tool
