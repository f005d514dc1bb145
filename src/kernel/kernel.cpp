#include "kernel/kernel.hpp"

#include <algorithm>

#include "core/dtype.hpp"
#include "core/number.hpp"
#include "kernel/cache_entry.hpp"

namespace netcl {

std::string Kernel::build_log() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return log_;
}

void Kernel::build() {
  if (built()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  if (!built()) build_locked();
}

void Kernel::fail_build(const BuiltProgram& built) const {
  const std::string& text = spec_.request.text;
  const bool is_text = spec_.request.form == SourceForm::source;
  for (const auto& [type, capable] : {std::pair{"half", device_.capabilities().fp16},
                                      std::pair{"double", device_.capabilities().fp64}}) {
    if (is_text && capable == 0 && source_mentions(text, type) &&
        error_line(log_).find(type) != std::string::npos) {
      throw Error(NETCL_ERROR_UNSUPPORTED,
                  format("kernel %s uses %s, which device %s cannot compute: %s",
                         spec_.name.c_str(), type, device_.info().name, error_line(log_).c_str()),
                  built.native_code);
    }
  }
  throw Error(NETCL_ERROR_BUILD_FAILURE,
              format("kernel %s does not build: %s", spec_.name.c_str(), error_line(log_).c_str()),
              built.native_code);
}

// Drivers do not tell the parameters of a kernel that comes from a binary; the table that was kept
// beside the binary does.
void Kernel::apply_record(const BuiltProgram& built) {
  backend::KernelFacts& facts = kernel_->facts;
  if (facts.parameters_known) return;
  const auto& records = spec_.binary_records.empty() ? built.records : spec_.binary_records;
  const auto record = std::find_if(records.begin(), records.end(), [&](const auto& candidate) {
    return candidate.name == spec_.name;
  });
  if (record == records.end() || record->args.size() != facts.parameters.size()) return;
  for (size_t i = 0; i < record->args.size(); ++i) {
    const kernel::ArgRecord& row = record->args[i];
    backend::Parameter& parameter = facts.parameters[i];
    const uint32_t address = row.address_qualifier;
    parameter.is_buffer = address == kernel::kAddressGlobal || address == kernel::kAddressConstant;
    parameter.is_local = address == kernel::kAddressLocal;
    parameter.is_const = row.is_const;
    parameter.name = row.name;
    parameter.type_name = row.type_name;
    parameter.dtype = dtype_of_cl_type(row.type_name);
    parameter.size = row.size;
  }
  if (facts.required_local[0] == 0) {
    std::copy(std::begin(record->required_local_size), std::end(record->required_local_size),
              std::begin(facts.required_local));
  }
  facts.parameters_known = true;
}

// Some drivers count lines through #line. Whether this one does is asked of it, by a program that
// cannot build, the first time a build of text with a preamble has something to say.
static bool ignores_line_directives(Device& device) {
  struct Answer {
    bool ignores;
  };
  return device.services()
      .get<Answer>(
          Slot::line_directives,
          [&] {
            const auto probe = device.backend().build_source("\n\n\n#line 1\nnetcl_probe x;\n", "");
            return std::make_unique<Answer>(Answer{probe.log.find(":5:") != std::string::npos});
          })
      .ignores;
}

std::string Kernel::user_log(const BuiltProgram& built) const {
  const std::string& text = spec_.request.text;
  size_t mark = text.rfind("#line 1 \"body\"\n");
  if (mark == std::string::npos) mark = text.rfind(kSourceBegins);
  if (built.log.find(">:") == std::string::npos || mark == std::string::npos ||
      !ignores_line_directives(device_)) {
    return built.log;
  }
  const int64_t front =
      std::count(text.begin(), text.begin() + static_cast<int64_t>(mark), '\n') + 1;
  // Locations look like "<kernel>:13:12:".
  std::string out;
  size_t from = 0;
  for (size_t at = built.log.find(">:"); at != std::string::npos; at = built.log.find(">:", from)) {
    size_t end = at + 2;
    int64_t line = 0;
    while (end < built.log.size() && built.log[end] >= '0' && built.log[end] <= '9') {
      line = line * 10 + (built.log[end++] - '0');
    }
    out.append(built.log, from, at + 2 - from);
    if (line > front) {
      out += number_text(line - front);
    } else {
      out.append(built.log, at + 2, end - at - 2);
    }
    from = end;
  }
  return out.append(built.log, from);
}

void Kernel::build_locked() {
  device_.check_usable();
  ProgramRef program = ProgramCache::of(device_).get(spec_.request);
  log_ = user_log(*program);
  if (program->program == nullptr) fail_build(*program);
  kernel_ = program->program->create_kernel(spec_.name);
  program_ = std::move(program);
  apply_record(*program_);
  built_.store(true, std::memory_order_release);
}

std::string Kernel::binary() {
  build();
  kernel::ProgramEntry entry;
  entry.binary = program_->program->binary();
  if (entry.binary.empty()) {
    fail(NETCL_ERROR_UNSUPPORTED, "device %s gives no program binaries", device_.info().name);
  }
  entry.kernels = spec_.binary_records.empty() ? program_->records : spec_.binary_records;
  return kernel::encode_entry(device_.backend().program_key(), kernel::serialize(entry));
}

}  // namespace netcl
