// Rules that look at how results lie in memory, which the public selector does not ask for.
#include <cstdio>

#include "ops/frame/variant.hpp"

extern "C" {
#include "support.h"
}

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail

using namespace netcl;

namespace {

ops::VariantConfig choose(int64_t outputs, int64_t count, bool columns, netcl_variant request = 0) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities h200 = NETCL_DEVICE_CAPABILITIES_INIT;
  info.backend = NETCL_BACKEND_OPENCL;
  info.type = NETCL_DEVICE_GPU;
  std::snprintf(info.vendor, sizeof info.vendor, "NVIDIA Corporation");
  std::snprintf(info.name, sizeof info.name, "NVIDIA H200");
  h200.compute_units = 132;
  h200.max_work_group_size = 1024;
  h200.local_memory_bytes = 49152;
  return ops::choose_reduction({info, h200}, outputs, count, NETCL_F32, request, columns);
}

// Columns are cut into pieces, whatever the number of compute units; rows are not yet.
void columns_of_reductions(void**) {
  ops::VariantConfig config = choose(4096, 65536, true);
  assert_int_equal(config.variant, NETCL_VARIANT_REDUCTION_WORKGROUP);
  assert_int_equal(config.groups, 64);
  assert_non_null(strstr(config.reason, "side by side"));
  config = choose(4096, 65536, false);
  assert_int_equal(config.variant, NETCL_VARIANT_REDUCTION_PARALLEL);
  assert_int_equal(choose(64, 2047, true).variant, NETCL_VARIANT_REDUCTION_PARALLEL);
  assert_int_equal(choose(65537, 65536, true).variant, NETCL_VARIANT_REDUCTION_PARALLEL);
  assert_int_equal(choose(32, 1 << 24, true).groups, 1024);
  config = choose(4096, 65536, true, NETCL_VARIANT_REDUCTION_PARALLEL);
  assert_int_equal(config.variant, NETCL_VARIANT_REDUCTION_PARALLEL);
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_of_reductions)};
  return cmocka_run_group_tests_name("variant_layout", tests, nullptr, nullptr);
}
