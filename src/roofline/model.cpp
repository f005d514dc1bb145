// The roofline without counters: declared work over measured ceilings.
#include <algorithm>
#include <cmath>

#include "core/dtype.hpp"
#include "core/log.hpp"
#include "core/number.hpp"
#include "roofline/analysis.hpp"
#include "roofline/ceilings.hpp"

namespace netcl::roofline {

namespace {

// A time that beats a ceiling by more than this shows that the ceiling is wrong.
constexpr double kDisproved = 1.05;

// The shortest time of a part of the work, and the ceiling that takes most of it.
struct RoofTime {
  double ns = 0;
  double largest_ns = 0;
  FoundCeiling ceiling;
  bool missing = false;

  void add(double amount, const std::optional<FoundCeiling>& found) {
    if (!(amount > 0.0)) return;
    if (!found) {
      missing = true;
      return;
    }
    const double part = amount / found->value * 1e9;
    ns += part;
    if (part < largest_ns) return;
    largest_ns = part;
    ceiling = *found;
  }
};

// As many bytes are copied as are both read and written; what is left is only read or only
// written. An access without a ceiling takes that of another.
RoofTime memory_time(const Ceilings& ceilings, const netcl_work& work) {
  const bool cold = work.cold_cache != 0;
  std::optional<FoundCeiling> found[3];
  const FoundCeiling* any = nullptr;
  for (int i = 0; i < 3; ++i) {
    found[i] = ceilings.memory(NETCL_CEILING_MEMORY_READ + i, work.bytes, cold);
  }
  for (const int i : {2, 0, 1}) {
    if (found[i] && any == nullptr) any = &*found[i];
  }
  for (std::optional<FoundCeiling>& one : found) {
    if (!one && any != nullptr) one = *any;
  }
  const double written = work.bytes_written;
  const double read = work.bytes - written;
  const double both = std::min(read, written);
  RoofTime time;
  time.add(read - both, found[0]);
  time.add(written - both, found[1]);
  time.add(2.0 * both, found[2]);
  return time;
}

netcl_dtype dtype_of(const netcl_work& work) {
  return work.dtype != 0 ? work.dtype : static_cast<netcl_dtype>(NETCL_F32);
}

RoofTime compute_time(const Ceilings& ceilings, const netcl_work& work) {
  RoofTime time;
  time.add(work.operations, ceilings.compute(dtype_of(work), work.matrix_units != 0));
  return time;
}

void check_amount(double value, const char* argument, const char* member) {
  if (value >= 0.0 && !std::isinf(value)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s->%s is %g; it is finite and not negative", argument,
       member, value);
}

std::string ceiling_text(const FoundCeiling& ceiling) {
  std::string text = ceiling_kind_name(ceiling.kind);
  if (ceiling.dtype != 0) text += std::string(" ") + dtype_facts(ceiling.dtype).name;
  return text;
}

void check_beaten(const RoofTime& roof, double time_ns, Ceilings& ceilings,
                  netcl_roofline_result* result) {
  if (!(roof.ns > kDisproved * time_ns)) return;
  ceilings.disprove(roof.ceiling);
  add_warning(result,
              format("The time beats the ceiling %s by %s%%, so that ceiling is disproved",
                     ceiling_text(roof.ceiling).c_str(),
                     fixed_text(100.0 * (roof.ns / time_ns - 1.0), 0).c_str())
                  .c_str());
}

}  // namespace

void check_work(const netcl_work& work, const char* argument) {
  check_amount(work.operations, argument, "operations");
  check_amount(work.bytes, argument, "bytes");
  check_amount(work.bytes_written, argument, "bytes_written");
  if (work.bytes_written > work.bytes) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "%s->bytes_written is %g; it is a part of %s->bytes, which is %g", argument,
         work.bytes_written, argument, work.bytes);
  }
  if (work.dtype != 0 && dtype_facts_or_null(work.dtype) == nullptr) {
    dtype_facts(work.dtype, format("%s->dtype", argument).c_str());
  }
}

double shortest_time_ns(const Ceilings& ceilings, const netcl_work& work) {
  check_work(work);
  return std::max(memory_time(ceilings, work).ns, compute_time(ceilings, work).ns);
}

void Analyzer::analyze_time(Ceilings& ceilings, double time_ns, const netcl_work& work,
                            netcl_roofline_result* result) const {
  if (!(time_ns > 0.0) || std::isinf(time_ns)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "time_ns is %g; it is finite and above 0", time_ns);
  }
  check_work(work);
  result->source = NETCL_ROOFLINE_MODEL;
  result->time_ns = time_ns;
  if (work.bytes > 0.0) result->arithmetic_intensity = work.operations / work.bytes;
  const RoofTime memory = memory_time(ceilings, work);
  const RoofTime compute = compute_time(ceilings, work);
  const netcl_dtype dtype = dtype_of(work);
  const bool nothing = !(memory.ns > 0.0) && !(compute.ns > 0.0);
  if (nothing && !memory.missing && !compute.missing) {
    result->headroom_pct = 100.0;
    add_warning(result, "Analysis failed - no work was declared");
    return;
  }
  if (compute.missing) {
    add_warning(result, format("No ceiling of %s %s", work.matrix_units != 0 ? "tensor" : "compute",
                               dtype_facts(dtype).name)
                            .c_str());
  }
  if (memory.missing) add_warning(result, "No ceiling of the memory");
  if (nothing) {
    result->headroom_pct = 100.0;
    return;
  }
  result->compute_sol_pct = 100.0 * compute.ns / time_ns;
  result->memory_sol_pct = 100.0 * memory.ns / time_ns;
  result->uses_tensor_cores = work.matrix_units;
  const RoofTime& binding = memory.ns >= compute.ns ? memory : compute;
  result->roof_ns = binding.ns;
  copy_text(result->ceiling, sizeof result->ceiling, ceiling_text(binding.ceiling).c_str());
  check_beaten(memory, time_ns, ceilings, result);
  check_beaten(compute, time_ns, ceilings, result);
  conclude(result);
}

}  // namespace netcl::roofline
