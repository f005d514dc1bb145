// Any bytes given as a file of ceilings: an error with a message, or rows that survive being
// written and read again, and that questions get sound answers from.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/error.hpp"
#include "roofline/ceilings.hpp"
#include "structured.hpp"

using namespace netcl;
using fuzz::require;

static constexpr std::string_view kWords[] = {"netcl_ceilings",
                                              "device",
                                              "driver",
                                              "units",
                                              "time_ns",
                                              "spent_ns",
                                              "rows",
                                              "kind",
                                              "dtype",
                                              "working_set",
                                              "value",
                                              "spread",
                                              "given",
                                              "disproved",
                                              "memory_read",
                                              "memory_copy",
                                              "cache_read",
                                              "cache_write",
                                              "cache_copy",
                                              "compute",
                                              "tensor",
                                              "launch",
                                              "host_to_device",
                                              "device_to_host_pinned",
                                              "f16",
                                              "f32",
                                              "bool",
                                              "i32"};

FUZZ_MUTATION(text, chance) { return fuzz::changed_json(text, chance, kWords); }

// Whatever stands in the rows, an answer is a rate, and asking changes no row's place.
static void ask(roofline::CeilingTable table) {
  const auto disproved = std::make_shared<std::atomic<bool>>(false);
  roofline::Ceilings ceilings(std::move(table), disproved);
  for (const netcl_ceiling_kind kind : {NETCL_CEILING_MEMORY_READ, NETCL_CEILING_MEMORY_COPY}) {
    for (const double bytes : {0.0, 1.0, 5000.0, 1e7, 1e15}) {
      const auto found = ceilings.memory(kind, bytes, bytes == 5000.0);
      require(!found || found->value >= 0, "a ceiling of memory is no rate");
      if (found && bytes == 1e7) ceilings.disprove(*found);
    }
  }
  for (const netcl_dtype dtype : {NETCL_F16, NETCL_F32, NETCL_U8}) {
    const auto found = ceilings.compute(dtype, dtype == NETCL_F32);
    require(!found || found->value > 0, "a ceiling of operations is no rate");
  }
  const size_t rows = ceilings.table().rows.size();
  netcl_ceiling row{};
  row.kind = NETCL_CEILING_LAUNCH;
  row.value = 1;
  if (rows == 4096) return;
  for (const netcl_ceiling_kind kind : {0, 99}) {
    netcl_ceiling wrong = row;
    wrong.kind = kind;
    try {
      ceilings.set(wrong);
      require(false, "a kind that is none");
    } catch (const Error& error) {
      require(error.status() == NETCL_ERROR_INVALID_ARGUMENT, "another error", error.what());
    }
  }
  ceilings.set(row);
  require(ceilings.table().rows.size() <= rows + 1, "a row was set twice");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  roofline::CeilingTable table;
  try {
    table = roofline::from_json(text, "the input");
  } catch (const Error& error) {
    require(error.status() == NETCL_ERROR_CORRUPT_DATA, "an error other than CORRUPT_DATA");
    require(std::strstr(error.what(), "the input") != nullptr, "an error that does not say where");
    return 0;
  }
  const std::string written = roofline::to_json(table);
  require(roofline::to_json(roofline::from_json(written, "the output")) == written,
          "what was written reads differently");
  ask(std::move(table));
  return 0;
}
