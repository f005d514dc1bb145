#include "core/environment.hpp"

#include <sys/auxv.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "core/ascii.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "core/process.hpp"

namespace netcl {

namespace {

struct Choice {
  const char* text;
  int value;
};

// The words of NETCL_VARIANT.
struct VariantFamily {
  const char* op;
  std::initializer_list<Choice> variants;
};

const VariantFamily kVariantFamilies[] = {
    {"matmul",
     {{"naive", NETCL_VARIANT_MATMUL_NAIVE},
      {"tiled", NETCL_VARIANT_MATMUL_TILED},
      {"register_tiled", NETCL_VARIANT_MATMUL_REGISTER_TILED},
      {"vectorized", NETCL_VARIANT_MATMUL_VECTORIZED},
      {"matrix_units", NETCL_VARIANT_MATMUL_MATRIX_UNITS}}},
    {"conv2d",
     {{"naive", NETCL_VARIANT_CONV2D_NAIVE},
      {"im2col", NETCL_VARIANT_CONV2D_IM2COL},
      {"implicit_gemm", NETCL_VARIANT_CONV2D_IMPLICIT_GEMM},
      {"tiled_local", NETCL_VARIANT_CONV2D_TILED_LOCAL},
      {"winograd", NETCL_VARIANT_CONV2D_WINOGRAD},
      {"matrix_units", NETCL_VARIANT_CONV2D_MATRIX_UNITS}}},
    {"elementwise",
     {{"scalar", NETCL_VARIANT_ELEMENTWISE_SCALAR},
      {"vectorized", NETCL_VARIANT_ELEMENTWISE_VECTORIZED}}},
    {"reduction",
     {{"sequential", NETCL_VARIANT_REDUCTION_SEQUENTIAL},
      {"parallel", NETCL_VARIANT_REDUCTION_PARALLEL},
      {"workgroup", NETCL_VARIANT_REDUCTION_WORKGROUP}}},
    {"batchnorm",
     {{"naive", NETCL_VARIANT_BATCHNORM_NAIVE}, {"fused", NETCL_VARIANT_BATCHNORM_FUSED}}},
    {"attention",
     {{"portable", NETCL_VARIANT_ATTENTION_PORTABLE},
      {"matrix_units", NETCL_VARIANT_ATTENTION_MATRIX_UNITS}}},
};

class Reader {
 public:
  explicit Reader(std::vector<std::string>* complaints) : complaints_(complaints) {}

  // The value of a variable; nullptr when it is unset or empty, which both mean the default.
  static const char* text(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? nullptr : value;
  }

  int choice(const char* name, std::initializer_list<Choice> choices, int fallback) {
    const char* value = text(name);
    if (value == nullptr) return fallback;
    std::string valid;
    for (const Choice& option : choices) {
      if (same_ignoring_case(option.text, value)) return option.value;
      valid += (valid.empty() ? "" : ", ") + std::string(option.text);
    }
    complain(name, value, "one of " + valid);
    return fallback;
  }

  bool flag(const char* name, bool fallback) {
    return choice(name, {{"0", 0}, {"1", 1}}, fallback ? 1 : 0) != 0;
  }

  double number(const char* name, double low, double high, double fallback) {
    const char* value = text(name);
    if (value == nullptr) return fallback;
    double parsed = 0;
    if (parse_number(value, &parsed) && parsed >= low && parsed <= high) return parsed;
    complain(name, value, "a number from " + number_text(low) + " to " + number_text(high));
    return fallback;
  }

  uint64_t whole_number(const char* name, uint64_t high, uint64_t fallback) {
    const char* value = text(name);
    if (value == nullptr) return fallback;
    uint64_t parsed = 0;
    if (parse_number(value, &parsed) && parsed <= high) return parsed;
    complain(name, value,
             format("a whole number from 0 to %llu", static_cast<unsigned long long>(high)));
    return fallback;
  }

  // "matmul=tiled,conv2d=winograd". A part that is not understood changes nothing; the others
  // count, of one op the first.
  void variants(const char* name, netcl_variant* of_ops) {
    const char* value = text(name);
    if (value == nullptr) return;
    std::array<bool, std::size(kVariantFamilies)> given{};
    for (const char* at = value;; ++at) {
      const char* end = at + std::strcspn(at, ",");
      const std::string part(at, end);
      if (!part.empty()) variant(name, part, of_ops, given.data());
      if (*end == '\0') return;
      at = end;
    }
  }

  // A path that decides which code or data is trusted: absolute, and ignored in set-uid programs.
  std::string trusted_path(const char* name) {
    const char* value = text(name);
    if (value == nullptr) return std::string();
    if (getauxval(AT_SECURE) != 0) return std::string();
    if (value[0] == '/') return value;
    complain(name, value, "an absolute path");
    return std::string();
  }

  // The place of the cache: what NETCL_CACHE_DIR names, else where the desktop's rules put it;
  // empty when nothing names an absolute path. A relative XDG_CACHE_HOME is to be ignored, they
  // say.
  std::string cache_directory() {
    if (std::string own = trusted_path("NETCL_CACHE_DIR"); !own.empty()) return own;
    const char* xdg = text("XDG_CACHE_HOME");
    if (xdg != nullptr && xdg[0] == '/') return std::string(xdg) + "/netcl";
    const char* home = text("HOME");
    return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/netcl" : std::string();
  }

  // A file to write, relative to the working folder; ignored in set-uid programs.
  static std::string output_path(const char* name) {
    const char* value = text(name);
    return value == nullptr || getauxval(AT_SECURE) != 0 ? std::string() : value;
  }

 private:
  // One "op=variant".
  void variant(const char* name, const std::string& part, netcl_variant* of_ops, bool* given) {
    const size_t equals = part.find('=');
    const std::string op = part.substr(0, equals);
    const std::string wanted = equals == std::string::npos ? "" : part.substr(equals + 1);
    std::string ops;
    for (const VariantFamily& family : kVariantFamilies) {
      ops += (ops.empty() ? "" : ", ") + std::string(family.op);
      if (!same_ignoring_case(family.op, op)) continue;
      const size_t place = &family - kVariantFamilies;
      std::optional<netcl_variant> asked;
      if (same_ignoring_case(wanted, "auto")) asked = 0;
      std::string valid = "auto";
      for (const Choice& option : family.variants) {
        if (same_ignoring_case(option.text, wanted)) asked = option.value;
        valid += ", " + std::string(option.text);
      }
      if (asked && given[place] && *asked != of_ops[place]) {
        complaints_->push_back(format("%s has %s behind another variant of %s, which counts", name,
                                      quoted(part.c_str()).c_str(), family.op));
        return;
      }
      if (asked) {
        of_ops[place] = *asked;
        given[place] = true;
        return;
      }
      complain(name, part.c_str(), std::string(family.op) + "= one of " + valid);
      return;
    }
    complain(name, part.c_str(), "OP=VARIANT with OP one of " + ops);
  }

  void complain(const char* name, const char* value, const std::string& expected) {
    complaints_->push_back(format("%s is %s, which is not %s; the default is used", name,
                                  quoted(value).c_str(), expected.c_str()));
  }
  std::vector<std::string>* complaints_;
};

}  // namespace

Environment read_environment() {
  Environment env;
  Reader read(&env.complaints);
  env.kernel_strategy = read.choice(
      "NETCL_KERNEL_STRATEGY",
      {{"auto", 0}, {"portable", NETCL_STRATEGY_PORTABLE}, {"optimized", NETCL_STRATEGY_OPTIMIZED}},
      0);
  env.kernels_on_cpus = read.choice("NETCL_DEVICE_CLASS", {{"auto", 0}, {"gpu", 1}}, 0) != 0;
  env.matrix_units = read.flag("NETCL_MATRIX_UNITS", true);
  env.conv_winograd = read.flag("NETCL_CONV_WINOGRAD", true);
  env.conv_tiled_local = read.flag("NETCL_CONV_TILED_LOCAL", false);
  env.command_buffers = read.flag("NETCL_COMMAND_BUFFERS", true);
  read.variants("NETCL_VARIANT", env.variants);
  env.max_cached_bytes =
      static_cast<uint64_t>(read.number("NETCL_MAX_CACHED_GB", 0, 1e6, 4) * 1073741824.0);
  env.async_h2d = read.flag("NETCL_ASYNC_H2D", true);
  env.pinned_h2d = read.flag("NETCL_PINNED_H2D", true);
  env.profile_events = read.flag("NETCL_PROFILE_EVENTS", false);
  env.tune = static_cast<TunePolicy>(
      read.choice("NETCL_TUNE", {{"off", 0}, {"cache", 1}, {"first", 2}, {"force", 3}}, 1));
  env.backend_builtin = read.choice("NETCL_BACKEND", {{"auto", 0}, {"builtin", 1}}, 0) == 1;
  env.opencl_library = read.trusted_path("NETCL_OPENCL_LIBRARY");
  env.cache_dir = read.cache_directory();
  env.log_level = read.choice("NETCL_LOG_LEVEL",
                              {{"off", NETCL_LOG_OFF},
                               {"error", NETCL_LOG_ERROR},
                               {"warning", NETCL_LOG_WARNING},
                               {"info", NETCL_LOG_INFO},
                               {"debug", NETCL_LOG_DEBUG}},
                              NETCL_LOG_WARNING);
  env.worker = read.trusted_path("NETCL_WORKER");
  env.mpi_library = read.trusted_path("NETCL_MPI_LIBRARY");
  env.nccl_library = read.trusted_path("NETCL_NCCL_LIBRARY");
  env.trace_path = Reader::output_path("NETCL_TRACE");
  env.num_threads = static_cast<uint32_t>(read.whole_number("NETCL_NUM_THREADS", 4096, 0));
  env.exit_timeout_ns = read.whole_number("NETCL_EXIT_TIMEOUT_MS", 1000000000, 2000) * 1000000;
  return env;
}

void Environment::report(Log& log) const {
  for (const std::string& complaint : complaints) {
    if (log.wants(NETCL_LOG_WARNING)) log.append(NETCL_LOG_WARNING, complaint.c_str());
  }
}

const Environment& environment() { return process().environment; }

}  // namespace netcl
