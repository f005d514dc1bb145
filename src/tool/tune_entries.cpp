// SPDX-License-Identifier: Apache-2.0
#include "tune_entries.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "options.hpp"
#include "text.hpp"
#include "tune_values.hpp"

namespace netcl::tool {
namespace {

struct OpForm {
  const char* name;
  const char* meaning;
  size_t sizes;
  const char* usual;
};
constexpr OpForm kForms[] = {
    {"matmul", "m x n x k", 3, "1024x1024x1024"},
    {"conv2d", "batch x channels x height x width x filters; --filter, --stride, --padding", 5,
     "8x64x56x56x64"},
    {"reduction", "outputs x elements of each sum", 2, "1x16777216"},
};

constexpr int64_t kExtentMost = int64_t{1} << 32;

/// "1024x16" as extents.
std::vector<int64_t> read_extents(const std::string& text, const char* what,
                                  const std::string& whole) {
  std::vector<int64_t> extents;
  for (const std::string& part : split(text, 'x')) {
    extents.push_back(read_integer(part, 1, kExtentMost, what, whole));
  }
  return extents;
}

}  // namespace

std::string tune_ops_help() {
  std::string text;
  for (const OpForm& op : kForms) text += format("  %-10s  %s\n", op.name, op.meaning);
  return text;
}

TuneEntries::TuneEntries(const Options& options)
    : dtype_(find_dtype(options.text("--dtype", "f32"), "--dtype")) {
  const auto edge = [&](const char* name, double fallback, double low) {
    return static_cast<int64_t>(options.number(name, fallback, low, 1024));
  };
  image_.kernel_height = image_.kernel_width = edge("--filter", 3, 1);
  image_.strides[0] = image_.strides[1] = edge("--stride", 1, 1);
  const int64_t padding = edge("--padding", static_cast<double>(image_.kernel_height / 2), 0);
  std::fill(image_.padding, image_.padding + 4, padding);
  for (const std::string& word : options.words()) {
    const std::string name = word.substr(0, word.find(':'));
    const OpForm* const form = std::find_if(std::begin(kForms), std::end(kForms),
                                            [&](const OpForm& op) { return name == op.name; });
    if (form == std::end(kForms)) {
      const bool source = word.size() > 3 && word.compare(word.size() - 3, 3, ".cl") == 0;
      if (!source) throw UsageProblem("neither an op that can be tuned nor a .cl file:", word);
      if (!file_.empty()) throw UsageProblem("one file at a time, and here is another:", word);
      file_ = word;
      continue;
    }
    const bool given = word.size() > name.size();
    Op op{name, read_extents(given ? word.substr(name.size() + 1) : form->usual, "a size", word)};
    if (op.sizes.size() == 1) op.sizes.resize(form->sizes, op.sizes[0]);
    if (op.sizes.size() != form->sizes) {
      const std::string problem =
          format("%s takes %zu sizes (%s), unlike", form->name, form->sizes, form->meaning);
      throw UsageProblem(problem.c_str(), word);
    }
    ops_.push_back(std::move(op));
  }
  if (ops_.empty() && file_.empty()) {
    throw UsageProblem("an argument is missing:", "OP[:SIZES] or FILE.cl");
  }
  if (ops_.empty()) options.refuse("without an op", {"--dtype"});
  const bool convolves =
      std::any_of(ops_.begin(), ops_.end(), [](const Op& op) { return op.name == "conv2d"; });
  if (!convolves) options.refuse("without conv2d", {"--filter", "--stride", "--padding"});
  read_kernel(options);
}

void TuneEntries::read_kernel(const Options& options) {
  if (file_.empty()) {
    options.refuse("without a .cl file",
                   {"--kernel", "--global", "--arg", "--local", "--param", "--space",
                    "--constraint", "--global-formula", "--local-formula", "--flag", "--round-up"});
    return;
  }
  kernel_name_ = options.text("--kernel");
  if (kernel_name_.empty()) throw UsageProblem("beside a .cl file is missing:", "--kernel");
  if (!options.has("--global")) throw UsageProblem("beside a .cl file is missing:", "--global");
  const std::string global = options.text("--global");
  for (const int64_t extent : read_extents(global, "--global", global)) {
    global_.push_back(static_cast<uint64_t>(extent));
  }
  if (global_.size() > 3) throw UsageProblem("a global size has up to 3 extents, unlike", global);
  for (const std::string& text : options.all("--arg")) read_argument(text);
  for (const std::string& text : options.all("--local")) read_locals(text);
  for (const std::string& text : options.all("--param")) read_parameter(text);
  constraints_ = options.all("--constraint");
  flags_ = options.all("--flag");
  space_file_ = options.text("--space");
  global_formula_ = options.text("--global-formula");
  local_formula_ = options.text("--local-formula");
  round_up_ = options.has("--round-up");
}

void TuneEntries::read_argument(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  const std::string& kind = parts[0];
  if (kind == "in" || kind == "out" || kind == "inout") return read_tensor(text, parts);
  Argument argument;
  argument.is_free = parts.size() == 3 && parts[2] == "free";
  if (parts.size() != (argument.is_free ? 3 : 2)) {
    throw UsageProblem(
        "an argument is in|out|inout:DTYPE:SHAPE[:FILL], DTYPE:VALUE[:free] or local:BYTES[:free], "
        "unlike",
        text);
  }
  if (kind == "local") {
    argument.arg.kind = NETCL_ARG_LOCAL;
    argument.arg.size = static_cast<uint32_t>(read_integer(parts[1], 1, INT32_MAX, "a size", text));
  } else {
    put_scalar(find_dtype(kind, text), parts[1], text, &argument.arg);
  }
  arguments_.push_back(argument);
}

void TuneEntries::read_tensor(const std::string& text, const std::vector<std::string>& parts) {
  if (parts.size() < 3 || parts.size() > 4) {
    throw UsageProblem("a tensor is in|out|inout:DTYPE:SHAPE[:FILL], unlike", text);
  }
  Argument argument;
  argument.is_tensor = true;
  argument.is_input = parts[0] == "in";
  argument.dtype = find_dtype(parts[1], text);
  argument.shape = read_extents(parts[2], "an extent", text);
  if (argument.shape.size() > 8) throw UsageProblem("tensors have up to 8 extents, unlike", text);
  argument.high = 1;
  argument.is_filled = parts.size() == 4;
  if (argument.is_filled) {
    const size_t dots = parts[3].find("..");
    argument.low = argument.high = read_fill(argument.dtype, parts[3].substr(0, dots), false, text);
    if (dots != std::string::npos) {
      argument.high = read_fill(argument.dtype, parts[3].substr(dots + 2), true, text);
      if (!(argument.high > argument.low)) throw UsageProblem("an empty range is in", text);
    }
  }
  arguments_.push_back(std::move(argument));
}

void TuneEntries::read_locals(const std::string& text) {
  for (const std::string& row : split(text, ',')) {
    const std::vector<int64_t> extents = read_extents(row, "a local size", text);
    if (extents.size() != global_.size()) {
      const std::string problem =
          format("local sizes have as many extents as --global, %zu, unlike", global_.size());
      throw UsageProblem(problem.c_str(), row);
    }
    locals_.insert(locals_.end(), extents.begin(), extents.end());
  }
}

void TuneEntries::read_parameter(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageProblem("a parameter is NAME=VALUE,VALUE,..., unlike", text);
  }
  Parameter parameter{text.substr(0, equals), split(text.substr(equals + 1), ',')};
  const bool tile = parameter.name == "TILE_SIZE";
  if (!tile && parameter.name != "UNROLL_FACTOR") {
    parameters_.push_back(std::move(parameter));
    return;
  }
  // The tuner knows these two and takes their values by themselves.
  for (const std::string& value : parameter.values) {
    (tile ? tiles_ : unrolls_).push_back(read_integer(value, 0, INT32_MAX, "a value", text));
  }
}

void TuneEntries::fill_space() {
  if (!space_file_.empty()) {
    const std::string text = read_file(space_file_);
    const netcl_status status =
        netcl_space_create_from_t1(text.data(), text.size(), space_.receive());
    check(status, space_file_.c_str());
  } else {
    check(netcl_space_create(space_.receive()), "netcl_space_create");
  }
  for (const Parameter& parameter : parameters_) {
    std::vector<int64_t> integers;
    std::vector<double> numbers;
    std::vector<const char*> texts;
    for (const std::string& value : parameter.values) {
      char* end = nullptr;
      errno = 0;
      const long long integer = std::strtoll(value.c_str(), &end, 0);
      if (!value.empty() && *end == '\0' && errno == 0) integers.push_back(integer);
      const double number = std::strtod(value.c_str(), &end);
      if (!value.empty() && *end == '\0') numbers.push_back(number);
      texts.push_back(value.c_str());
    }
    const auto count = static_cast<uint32_t>(texts.size());
    const char* const name = parameter.name.c_str();
    const netcl_status status =
        integers.size() == count ? netcl_space_add_ints(space_.get(), name, integers.data(), count)
        : numbers.size() == count
            ? netcl_space_add_floats(space_.get(), name, numbers.data(), count)
            : netcl_space_add_texts(space_.get(), name, texts.data(), count);
    check(status, format("--param %s", name).c_str());
  }
  if (!global_formula_.empty() || !local_formula_.empty()) {
    check(netcl_space_set_work_size(space_.get(), global_formula_.c_str(), local_formula_.c_str()),
          global_formula_.empty()  ? "--local-formula"
          : local_formula_.empty() ? "--global-formula"
                                   : "--global-formula, --local-formula");
  }
  for (const std::string& formula : constraints_) {
    check(netcl_space_add_constraint(space_.get(), formula.c_str()),
          format("--constraint \"%s\"", formula.c_str()).c_str());
  }
}

// Integers that nobody gave begin as those of netcl_tuner_add do, since they are often indices.
void TuneEntries::fill_integers() {
  double least = 4;
  bool found = false;
  const auto count_of = [](const Argument& argument) {
    double count = 1;
    for (const int64_t extent : argument.shape) count *= static_cast<double>(extent);
    return count;
  };
  for (const Argument& argument : arguments_) {
    if (!argument.is_tensor || count_of(argument) < 2) continue;
    least = found ? std::min(least, count_of(argument)) : count_of(argument);
    found = true;
  }
  const double end = std::max(2.0, std::floor(std::sqrt(least)));
  for (Argument& argument : arguments_) {
    if (!argument.is_tensor || argument.is_filled || is_floating(argument.dtype)) continue;
    const double most = argument.dtype == NETCL_BOOL ? 2
                        : argument.dtype == NETCL_I8 ? 128
                        : argument.dtype == NETCL_U8 ? 256
                                                     : 32768;
    argument.high = count_of(argument) < 2 ? 0 : std::min(end, most);
  }
}

void TuneEntries::make_arguments(netcl_device* device, std::vector<netcl_arg>* args) {
  uint64_t seed = 0;
  fill_integers();
  for (const Argument& argument : arguments_) {
    args->push_back(argument.arg);
    if (!argument.is_tensor) continue;
    tensors_.emplace_back();
    const auto rank = static_cast<uint32_t>(argument.shape.size());
    const int64_t* const shape = argument.shape.data();
    netcl_tensor** const tensor = tensors_.back().receive();
    if (argument.low == argument.high) {
      unsigned char value[8];
      put_number(argument.dtype, argument.low, value);
      check(netcl_tensor_create_full(device, argument.dtype, rank, shape, nullptr, value, nullptr,
                                     tensor),
            "netcl_tensor_create_full");
    } else {
      netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
      random.seed = ++seed;
      random.low = argument.low;
      random.high = argument.high;
      check(netcl_tensor_create_random(device, argument.dtype, rank, shape, nullptr, &random,
                                       nullptr, tensor),
            "netcl_tensor_create_random");
    }
    args->back() = NETCL_ARG_INIT;
    args->back().kind = argument.is_input ? NETCL_ARG_TENSOR_READ_ONLY : NETCL_ARG_TENSOR;
    args->back().tensor = tensors_.back().get();
  }
}

void TuneEntries::note(netcl_tuner* tuner, const std::string& name) {
  // Something that is named twice replaces itself.
  uint32_t count = 0;
  check(netcl_tuner_get_count(tuner, &count), "netcl_tuner_get_count");
  if (count > names_.size()) names_.push_back(name);
}

void TuneEntries::add_op(netcl_tuner* tuner, const Op& op) {
  const std::vector<int64_t>& s = op.sizes;
  if (op.name == "matmul") {
    check(netcl_tuner_add_matmul(tuner, 1, s[0], s[1], s[2], dtype_), "matmul");
  } else if (op.name == "reduction") {
    check(netcl_tuner_add_reduction(tuner, s[0], s[1], dtype_), "reduction");
  } else {
    netcl_conv2d_shape shape = image_;
    shape.batch = s[0];
    shape.channels = s[1];
    shape.height = s[2];
    shape.width = s[3];
    shape.filters = s[4];
    check(netcl_tuner_add_conv2d(tuner, &shape, dtype_), "conv2d");
  }
  std::string name = op.name + " ";
  for (size_t i = 0; i < s.size(); ++i) name += (i == 0 ? "" : "x") + std::to_string(s[i]);
  note(tuner, name + " " + netcl_dtype_name(dtype_));
}

void TuneEntries::add_kernel(netcl_device* device, netcl_tuner* tuner) {
  const std::string source = read_file(file_);
  std::vector<const char*> flags;
  for (const std::string& flag : flags_) flags.push_back(flag.c_str());
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = source.c_str();
  options.source_size = source.size();
  options.flags = flags.data();
  options.flags_count = static_cast<uint32_t>(flags.size());
  std::vector<uint32_t> free;
  for (uint32_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].is_free) free.push_back(i);
  }
  options.free_args = free.data();
  options.free_args_count = static_cast<uint32_t>(free.size());
  check(netcl_kernel_create(device, kernel_name_.c_str(), &options, kernel_.receive()),
        file_.c_str());
  fill_space();
  std::vector<netcl_arg> args;
  make_arguments(device, &args);
  netcl_launch_options launch = NETCL_LAUNCH_OPTIONS_INIT;
  launch.round_up = round_up_ ? 1 : 0;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  tuning.local_sizes = locals_.empty() ? nullptr : locals_.data();
  tuning.local_sizes_count = static_cast<uint32_t>(locals_.size());
  tuning.tile_sizes = tiles_.empty() ? nullptr : tiles_.data();
  tuning.tile_sizes_count = static_cast<uint32_t>(tiles_.size());
  tuning.unroll_factors = unrolls_.empty() ? nullptr : unrolls_.data();
  tuning.unroll_factors_count = static_cast<uint32_t>(unrolls_.size());
  const bool has_space = !parameters_.empty() || !constraints_.empty() || !space_file_.empty() ||
                         !global_formula_.empty() || !local_formula_.empty();
  tuning.space = has_space ? space_.get() : nullptr;
  tuning.launch = &launch;
  check(netcl_tuner_add(tuner, kernel_.get(), global_.data(), static_cast<uint32_t>(global_.size()),
                        args.data(), static_cast<uint32_t>(args.size()), &tuning),
        kernel_name_.c_str());
  std::string name = kernel_name_ + " ";
  for (size_t i = 0; i < global_.size(); ++i) {
    name += (i == 0 ? "" : "x") + std::to_string(global_[i]);
  }
  note(tuner, name);
}

void TuneEntries::add_to(netcl_device* device, netcl_tuner* tuner) {
  for (const Op& op : ops_) add_op(tuner, op);
  if (!file_.empty()) add_kernel(device, tuner);
}

}  // namespace netcl::tool
