#include "tune/job.hpp"

#include <algorithm>
#include <cmath>

#include "core/ascii.hpp"
#include "core/file.hpp"
#include "core/layout.hpp"

namespace netcl::tune {

namespace {

constexpr uint64_t kSourceMost = uint64_t{16} << 20;
constexpr uint64_t kRunLeastNs = 2000000000;
constexpr double kRunFactor = 20;
constexpr size_t kSeedsMost = 64;
constexpr size_t kKernelNameMost = 127;
constexpr size_t kDefinesMost = 1024;

// Collects what a job depends on, every piece with its length.
class KeyText {
 public:
  KeyText& add(const std::string& text) {
    number(text.size());
    text_ += text;
    return *this;
  }
  template <class T>
  KeyText& number(T value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  KeyText& size(const JobSize& size) {
    number(size.rank);
    for (int d = 0; d < 3; ++d) number(size.global[d]).number(size.local[d]);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void check_kernel_name(const std::string& name, const char* what) {
  if (!is_identifier(name, kKernelNameMost)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; a kernel's name is an identifier", what,
         quoted(name.c_str()).c_str());
  }
}

void check_size(const JobSize& size, const char* what) {
  if (size.rank < 1 || size.rank > NETCL_LAUNCH_RANK_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has %u dimensions; a launch has 1 to %d", what,
         size.rank, NETCL_LAUNCH_RANK_MAX);
  }
}

void check_bytes(const JobArgument& argument, const Bytes& bytes, size_t index, const char* what) {
  if (bytes == nullptr || bytes->size() != argument.byte_count()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "argument %zu has %llu bytes; %s has %zu", index,
         static_cast<unsigned long long>(argument.byte_count()), what,
         bytes == nullptr ? size_t{0} : bytes->size());
  }
}

void check_tolerance(const Tolerance& tolerance, size_t index) {
  if (!std::isnan(tolerance.absolute) && !std::isnan(tolerance.relative)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "the tolerance of argument %zu is no number", index);
}

void check_argument(const JobArgument& argument, size_t index) {
  switch (argument.kind) {
    case JobArgument::Kind::tensor:
      dtype_facts(argument.dtype, "the dtype of an argument");
      (void)argument.byte_count();
      check_tolerance(argument.tolerance, index);
      if (argument.access != JobArgument::Access::out && argument.fill.kind >= Fill::Kind::bytes) {
        check_bytes(argument, argument.fill.bytes, index, "what it is filled with");
      }
      return;
    case JobArgument::Kind::scalar:
      if (argument.scalar.empty() || argument.scalar.size() > 65536) {
        fail(NETCL_ERROR_INVALID_ARGUMENT,
             "argument %zu is a scalar of %zu bytes; it has 1 to "
             "65536",
             index, argument.scalar.size());
      }
      return;
    case JobArgument::Kind::local:
      if (argument.local_bytes == 0 || argument.local_bytes > UINT32_MAX) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "argument %zu is local memory of %llu bytes", index,
             static_cast<unsigned long long>(argument.local_bytes));
      }
      return;
    case JobArgument::Kind::null:
      return;
  }
}

void check_defines(const Job& job) {
  if (job.defines.size() > kDefinesMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the job has %zu defines; the limit is %zu",
         job.defines.size(), kDefinesMost);
  }
  for (const auto& [name, text] : job.defines) {
    const bool one_line = std::all_of(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) >= ' ' && c != 0x7f;
    });
    // A backslash at the end would make the next line part of the macro.
    if (!is_identifier(name, kKernelNameMost) || !one_line ||
        (!text.empty() && text.back() == '\\')) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "define %s has the text %s; a macro is an identifier with "
           "a text of one line",
           quoted(name.c_str()).c_str(), quoted(text.c_str()).c_str());
    }
  }
}

void check_reference(const Job& job) {
  if (job.reference.job != nullptr && !job.reference.given.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the reference is both a job and given outputs");
  }
  if (job.reference.job != nullptr && job.reference.job->arguments.size() != job.arguments.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the job has %zu arguments; its reference %zu",
         job.arguments.size(), job.reference.job->arguments.size());
  }
  for (const Reference::Outputs& given : job.reference.given) {
    if (given.outputs.size() != job.arguments.size()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "the job has %zu arguments; the reference for seed %llu "
           "gives %zu",
           job.arguments.size(), static_cast<unsigned long long>(given.seed), given.outputs.size());
    }
    for (size_t i = 0; i < given.outputs.size(); ++i) {
      if (given.outputs[i] == nullptr) continue;
      if (job.arguments[i].kind != JobArgument::Kind::tensor ||
          job.arguments[i].access == JobArgument::Access::in) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "argument %zu is no output; the reference gives it", i);
      }
      check_bytes(job.arguments[i], given.outputs[i], i, "the reference");
    }
  }
}

std::string read_source(const std::string& path) {
  const FileBytes file = read_file(path.c_str(), kSourceMost);
  return std::string(file.view());
}

}  // namespace

uint64_t JobArgument::element_count() const {
  if (shape.size() > NETCL_RANK_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a tensor argument has rank %zu; the limit is %d",
         shape.size(), NETCL_RANK_MAX);
  }
  return static_cast<uint64_t>(
      make_layout(static_cast<uint32_t>(shape.size()), shape.data(), nullptr, dtype_size(dtype))
          .element_count());
}

uint64_t JobArgument::byte_count() const { return element_count() * dtype_size(dtype); }

uint64_t Job::run_limit_ns() const {
  if (limits.run_ns != 0) return limits.run_ns;
  const double by_best = kRunFactor * limits.best_ns;
  return by_best < 1e18 ? std::max(kRunLeastNs, static_cast<uint64_t>(by_best)) : UINT64_MAX / 4;
}

Hash128 job_hash(const Job& job) {
  KeyText key;
  key.add(job.source).add(job.source.empty() ? job.path : "").add(job.kernel);
  key.number(job.flags.size());
  for (const std::string& flag : job.flags) key.add(flag);
  key.number(job.fast_math).number(job.no_preamble).number(job.round_up);
  key.number(job.defines.size());
  for (const auto& [name, text] : job.defines) key.add(name).add(text);
  key.size(job.size).add(job.setup_kernel).size(job.setup_size);
  for (const JobArgument& argument : job.arguments) {
    key.number(argument.kind).number(argument.access).number(argument.dtype);
    key.number(argument.shape.size());
    for (const int64_t extent : argument.shape) key.number(extent);
    key.number(argument.fill.kind).number(argument.fill.a).number(argument.fill.b);
    if (argument.fill.bytes != nullptr) {
      const Hash128 hash = hash128(*argument.fill.bytes);
      key.number(hash.low).number(hash.high);
    }
    key.add(argument.scalar).number(argument.local_bytes);
  }
  return hash128(key.text());
}

void prepare_job(Job* job) {
  check_kernel_name(job->kernel, "the kernel of the job");
  if (!job->setup_kernel.empty()) {
    check_kernel_name(job->setup_kernel, "the set-up kernel of the job");
    check_size(job->setup_size, "the set-up size");
  }
  if (job->source.empty() && job->path.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the job has neither a source nor a path");
  }
  check_size(job->size, "the work size");
  check_defines(*job);
  if (job->arguments.size() > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the job has %zu arguments; the limit is %d",
         job->arguments.size(), NETCL_ARGS_MAX);
  }
  for (size_t i = 0; i < job->arguments.size(); ++i) check_argument(job->arguments[i], i);
  if (job->seeds.empty() || job->seeds.size() > kSeedsMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the job has %zu seeds; it needs 1 to %zu",
         job->seeds.size(), kSeedsMost);
  }
  if (job->timing.candidates > 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the timing of a job has %u candidates; a job is one",
         job->timing.candidates);
  }
  if (job->timing.source < NETCL_TIME_DEVICE_BUSY || job->timing.source > NETCL_TIME_HOST) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the timing of the job has the source %d, which is no "
         "netcl_time_source",
         job->timing.source);
  }
  check_reference(*job);
  if (job->reference.job != nullptr) {
    if (job->reference.job->reference.job != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "the reference of the job has a reference of its own");
    }
    auto reference = std::make_shared<Job>(*job->reference.job);
    prepare_job(reference.get());
    job->reference.job = std::move(reference);
  }
  if (job->source.empty()) job->source = read_source(job->path);
}

}  // namespace netcl::tune
