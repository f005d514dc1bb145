// SPDX-License-Identifier: Apache-2.0
#include "model_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>

#include "profiled_bench.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

std::string explain_model(const netcl_model* model, netcl_graph_format form) {
  size_t length = 0;
  check(netcl_model_explain(model, form, nullptr, 0, &length), "netcl_model_explain");
  std::string text(length + 1, '\0');
  check(netcl_model_explain(model, form, text.data(), text.size(), &length), "netcl_model_explain");
  text.resize(std::min(length, text.size() - 1));
  return text;
}

/// What netcl_model_explain says of all forms.
struct Plan {
  uint64_t forms = 0;
  uint64_t calls = 0;
  uint64_t steps = 0;
  uint64_t commands = 0;
  uint64_t planned = 0;
  uint64_t live = 0;
  std::map<std::string, size_t> joined;  ///< "conv2d + batchnorm", and how often
};

/// The numbers of a member of JSON, wherever it stands. A quote within a text has a backslash
/// before it, so that no text looks like one.
std::vector<uint64_t> json_numbers(const std::string& json, const std::string& name) {
  const std::string key = "\"" + name + "\":";
  std::vector<uint64_t> numbers;
  for (size_t at = json.find(key); at != std::string::npos; at = json.find(key, at + 1)) {
    const char* const value = json.c_str() + at + key.size();
    char* end = nullptr;
    const unsigned long long number = std::strtoull(value, &end, 10);
    if (end != value) numbers.push_back(number);
  }
  return numbers;
}

uint64_t sum_of(const std::vector<uint64_t>& numbers) {
  uint64_t sum = 0;
  for (const uint64_t number : numbers) sum += number;
  return sum;
}

/// "conv2d + batchnorm" of a list of JSON, ["0 conv2d","1 batchnorm"]; nothing for a single one.
std::string joined_names(const std::string& list) {
  std::string names, last;
  size_t count = 0, repeated = 0;
  const auto add = [&] {
    if (repeated > 1) names += format(" x%zu", repeated);
  };
  for (size_t at = list.find('"'); at != std::string::npos; at = list.find('"', at + 1)) {
    size_t end = at + 1;
    while (end < list.size() && list[end] != '"') end += list[end] == '\\' ? 2 : 1;
    const std::string text = list.substr(at + 1, end - at - 1);
    const size_t begin = std::min(text.find(' '), text.size() - 1) + 1;
    const std::string name = text.substr(begin, text.find(' ', begin) - begin);
    ++count;
    if (name == last) {
      ++repeated;
    } else {
      add();
      names += (names.empty() ? "" : " + ") + name;
      repeated = 1;
      last = name;
    }
    at = end;
  }
  add();
  return count > 1 ? names : std::string();
}

Plan read_plan(const netcl_model* model) {
  const std::string json = explain_model(model, NETCL_GRAPH_FORMAT_JSON);
  Plan plan;
  plan.forms = json_numbers(json, "planned_bytes").size();
  plan.calls = sum_of(json_numbers(json, "calls"));
  plan.commands = sum_of(json_numbers(json, "commands"));
  plan.planned = sum_of(json_numbers(json, "planned_bytes"));
  plan.live = sum_of(json_numbers(json, "live_bytes"));
  const std::string key = "\"calls\":[";
  for (size_t at = json.find(key); at != std::string::npos; at = json.find(key, at + 1)) {
    ++plan.steps;
    size_t end = at + key.size();
    bool text = false;
    for (; end < json.size() && (text || json[end] != ']'); ++end) {
      if (json[end] == '\\')
        ++end;
      else if (json[end] == '"')
        text = !text;
    }
    const std::string names = joined_names(json.substr(at + key.size(), end - at - key.size()));
    if (!names.empty()) ++plan.joined[names];
  }
  return plan;
}

/// "34.9 million".
std::string count_text(double count) {
  const char* const words[] = {"", " thousand", " million", " billion", " trillion"};
  size_t i = 0;
  for (; count >= 1000 && i + 1 < std::size(words); ++i) count /= 1000;
  return format("%.*f%s", i == 0 ? 0 : 1, count, words[i]);
}

uint64_t bytes_of(const std::vector<netcl_tensor*>& tensors) {
  uint64_t bytes = 0;
  for (netcl_tensor* tensor : tensors) bytes += tensor_bytes(tensor);
  return bytes;
}

void print_joined(const Plan& plan) {
  std::vector<std::pair<std::string, size_t>> joined(plan.joined.begin(), plan.joined.end());
  std::stable_sort(joined.begin(), joined.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [names, count] : joined) print("  joined: %zu x %s\n", count, names.c_str());
}

}  // namespace

void print_model_plan(LoadedModel* loaded, bool steps) {
  netcl_device_info device = NETCL_DEVICE_INFO_INIT;
  check(netcl_device_get_info(loaded->device.get(), &device), "netcl_device_get_info");
  const Plan plan = read_plan(loaded->model.get());
  print("plan on %s for", device.name);
  for (netcl_tensor* tensor : loaded->given) print(" %s", tensor_text(tensor).c_str());
  if (loaded->dtype != 0) {
    print("; weights and values between of %s, with sums in f32", netcl_dtype_name(loaded->dtype));
  }
  print("\n  calls of ops: %llu; steps: %llu; commands: %llu",
        static_cast<unsigned long long>(plan.calls), static_cast<unsigned long long>(plan.steps),
        static_cast<unsigned long long>(plan.commands));
  if (plan.forms > 1) {
    print("; compiled parts between which the host decides: %llu",
          static_cast<unsigned long long>(plan.forms));
  }
  print("\n");
  print_joined(plan);
  print(
      "memory: weights %s, values %s (%s without places that are used again), inputs %s, "
      "outputs %s\n",
      bytes_text(loaded->info.weight_bytes).c_str(), bytes_text(plan.planned).c_str(),
      bytes_text(plan.live).c_str(), bytes_text(bytes_of(loaded->given)).c_str(),
      bytes_text(bytes_of(loaded->made)).c_str());
  const auto again = [&] { check(run_again(nullptr, loaded), "run"); };
  const Profiled run = profile_work(loaded->device.get(), again, nullptr);
  print("work: %s operations, %s moved", count_text(run.operations).c_str(),
        bytes_text(static_cast<uint64_t>(run.bytes)).c_str());
  if (run.bytes > 0) print(", %.1f operations a byte", run.operations / run.bytes);
  print("\n");
  if (steps) print("%s", explain_model(loaded->model.get(), NETCL_GRAPH_FORMAT_TEXT).c_str());
}

}  // namespace netcl::tool
