#include <cstring>

#include "core/ascii.hpp"
#include "core/hash.hpp"
#include "kernel/cache_entry.hpp"
#include "kernel/kernel.hpp"

namespace netcl {

bool source_mentions(const std::string& text, const char* type_name) {
  const size_t length = std::strlen(type_name);
  for (size_t at = text.find(type_name); at != std::string::npos;
       at = text.find(type_name, at + 1)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    size_t end = at + length;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == text.size() || !is_word(text[end])) return true;
  }
  return false;
}

namespace {

constexpr size_t kSourceMax = size_t{16} << 20;
constexpr size_t kFlagMax = 4096;

// Macros only, and no line of its own: the line numbers of the log are the user's.
constexpr char kPreamble[] =
    "#define LOAD(pointer, index) ((pointer)[(index)])\n"
    "#define STORE(pointer, index, value) ((pointer)[(index)] = (value))\n"
    "#define ADD(a, b) ((a) + (b))\n"
    "#define SUB(a, b) ((a) - (b))\n"
    "#define MUL(a, b) ((a) * (b))\n"
    "#define DIV(a, b) ((a) / (b))\n"
    "#define RELU(a) ((a) > 0 ? (a) : 0)\n";

void check_name(const char* name) {
  if (name == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "name is NULL");
  const size_t length = strnlen(name, sizeof(netcl_kernel_info::name));
  bool good = length > 0 && length < sizeof(netcl_kernel_info::name) &&
              !is_digit(name[0]);
  for (size_t i = 0; good && i < length; ++i) good = is_word(name[i]);
  if (!good) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "name is %s; a kernel's name is an identifier of at most %zu "
         "characters",
         quoted(name).c_str(), sizeof(netcl_kernel_info::name) - 1);
  }
}

// Flags are tokens, never a command line: what could smuggle in a second flag or a file is refused.
std::string join_flags(const netcl_kernel_options& options) {
  std::string joined;
  if (options.flags_count > 0 && options.flags == nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->flags is NULL while options->flags_count is %u",
         options.flags_count);
  }
  for (uint32_t i = 0; i < options.flags_count; ++i) {
    const char* flag = options.flags[i];
    if (flag == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "options->flags[%u] is NULL", i);
    const size_t length = strnlen(flag, kFlagMax + 1);
    bool good = length > 0 && length <= kFlagMax && flag[0] == '-';
    for (size_t k = 0; good && k < length; ++k) {
      good =
          flag[k] > ' ' && flag[k] != '"' && flag[k] != '\'' && flag[k] != '\\' && flag[k] != 0x7f;
    }
    if (!good || std::strncmp(flag, "-I", 2) == 0 || std::strncmp(flag, "-include", 8) == 0) {
      fail(
          NETCL_ERROR_INVALID_ARGUMENT,
          "options->flags[%u] is %s; a flag is one token that begins with '-', without quotes, and "
          "names no file",
          i, quoted(flag).c_str());
    }
    joined += (joined.empty() ? "" : " ") + std::string(flag);
  }
  if (options.fast_math != 0) {
    joined += std::string(joined.empty() ? "" : " ") + "-cl-fast-relaxed-math";
  }
  return joined;
}

std::string front_matter(const std::string& user_text, bool with_macros) {
  std::string front;
  if (source_mentions(user_text, "half")) {
    // NVIDIA's compiler knows half arithmetic and does not announce the extension.
    front +=
        "#if defined(cl_khr_fp16) || defined(__NV_CL_C_VERSION)\n#pragma OPENCL EXTENSION "
        "cl_khr_fp16 : enable\n#endif\n";
  }
  if (with_macros) front += kPreamble;
  return front;
}

std::string source_text(const netcl_kernel_options& options) {
  const size_t limit = options.source_size == 0 ? kSourceMax + 1 : options.source_size;
  const size_t length = strnlen(options.source, limit);
  if (options.source_size != 0 && length != options.source_size) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->source holds a NUL at byte %zu of %zu", length,
         options.source_size);
  }
  if (length == 0 || length > kSourceMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->source has %zu bytes; 1 to %zu are possible",
         length, kSourceMax);
  }
  const std::string user(options.source, length);
  const std::string front = front_matter(user, options.no_preamble == 0);
  return front.empty() ? user : front + kSourceBegins + user;
}

std::string assembled_text(const char* name, const netcl_kernel_options& options) {
  if (options.body == nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->body is NULL while options->params is set");
  }
  const std::string preamble = options.preamble == nullptr ? "" : options.preamble;
  std::string list;
  for (uint32_t i = 0; i < options.params_count; ++i) {
    if (options.params == nullptr || options.params[i] == nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->params[%u] is NULL", i);
    }
    list += (i == 0 ? "" : ", ") + std::string(options.params[i]);
  }
  std::string text = front_matter(preamble + list + " " + options.body, options.no_preamble == 0);
  if (!preamble.empty()) text += "#line 1 \"preamble\"\n" + preamble + "\n";
  text += "#line 1 \"params\"\n__kernel void " + std::string(name) + "(" + list + ") {\n";
  text += "#line 1 \"body\"\n" + std::string(options.body) + "\n}\n";
  if (text.size() > kSourceMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the kernel's text has %zu bytes; %zu are possible",
         text.size(), kSourceMax);
  }
  return text;
}

// A binary is accepted with netcl's checksum and this device's key, or on the caller's word.
void set_binary(const Device& device, const netcl_kernel_options& options, KernelSpec* spec) {
  const std::string_view bytes(static_cast<const char*>(options.binary), options.binary_size);
  std::string reason;
  if (const auto entry = kernel::decode_entry(bytes, &reason)) {
    if (entry->key != device.backend().program_key()) {
      fail(NETCL_ERROR_UNSUPPORTED, "options->binary was made for another device or driver than %s",
           device.info().name);
    }
    if (const auto program = kernel::deserialize(entry->payload)) {
      spec->request.text = program->binary;
      spec->binary_records = program->kernels;
      return;
    }
    reason = "its tables are damaged";
  }
  if (options.trust_binary == 0) {
    fail(NETCL_ERROR_CORRUPT_DATA,
         "options->binary of %zu bytes does not carry netcl's checksum "
         "(%s); drivers crash on damaged binaries, so it needs options->trust_binary = 1",
         options.binary_size, reason.c_str());
  }
  spec->request.text = std::string(bytes);
}

// A bit for each.
uint64_t free_arguments(const netcl_kernel_options& options) {
  static_assert(NETCL_ARGS_MAX <= 64);
  if (options.reserved != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->reserved is %u and must be 0", options.reserved);
  }
  if (options.free_args_count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->free_args_count is %u; the limit is %d",
         options.free_args_count, NETCL_ARGS_MAX);
  }
  if (options.free_args == nullptr && options.free_args_count != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->free_args is NULL while free_args_count is %u",
         options.free_args_count);
  }
  uint64_t bits = 0;
  for (uint32_t i = 0; i < options.free_args_count; ++i) {
    if (options.free_args[i] >= NETCL_ARGS_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->free_args[%u] is %u; a kernel has arguments 0 to %d", i, options.free_args[i],
           NETCL_ARGS_MAX - 1);
    }
    bits |= uint64_t{1} << options.free_args[i];
  }
  return bits;
}

// A dimension that is not set ends the local size.
void check_local_size(const uint64_t (&local)[3]) {
  for (int d = 1; d < 3; ++d) {
    if (local[d] == 0 || local[d - 1] != 0) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->local_size[%d] is %llu while [%d] is 0", d,
         static_cast<unsigned long long>(local[d]), d - 1);
  }
}

}  // namespace

KernelSpec make_kernel_spec(const Device& device, const char* name,
                            const netcl_kernel_options& options) {
  check_name(name);
  const bool assembled =
      options.params != nullptr || options.params_count != 0 || options.body != nullptr;
  const int forms = (options.source != nullptr) + assembled + (options.il != nullptr) +
                    (options.binary != nullptr);
  if (forms != 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options sets %d of source, params with body, il and binary; "
         "exactly one is needed",
         forms);
  }
  if (options.params_count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->params_count is %u; the limit is %d",
         options.params_count, NETCL_ARGS_MAX);
  }
  if (options.tune < NETCL_TUNE_INHERIT || options.tune > NETCL_TUNE_FIRST_CALL) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->tune is %d, which is no netcl_tune_mode",
         options.tune);
  }
  check_local_size(options.local_size);
  KernelSpec spec;
  spec.free_arguments = free_arguments(options);
  spec.name = name;
  spec.shape_signature = options.shape_signature;
  spec.tune = options.tune;
  for (int d = 0; d < 3; ++d) spec.local_size[d] = options.local_size[d];
  spec.request.options = join_flags(options);
  if (options.source != nullptr) {
    spec.request.text = source_text(options);
  } else if (assembled) {
    spec.request.text = assembled_text(name, options);
  } else if (options.il != nullptr) {
    if (device.capabilities().il == 0) {
      fail(NETCL_ERROR_UNSUPPORTED, "options->il is set; device %s takes no SPIR-V",
           device.info().name);
    }
    spec.request.form = SourceForm::il;
    spec.request.text.assign(static_cast<const char*>(options.il), options.il_size);
  } else {
    spec.request.form = SourceForm::binary;
    set_binary(device, options, &spec);
  }
  return spec;
}

}  // namespace netcl
