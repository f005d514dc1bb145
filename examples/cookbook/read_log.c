#include "cookbook.h"

void recipe_read_log(netcl_device *device) {
  (void)device;
  /* [recipe] */
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  CHECK(netcl_log_set_level(NETCL_LOG_WARNING));
  netcl_tensor_release((netcl_tensor *)&record); /* no handle: a release only logs that */
  uint64_t last = 0, count = 0;
  while (netcl_log_read(last, &record) == NETCL_OK) { /* nothing is printed by itself */
    printf("%u: %s\n", (unsigned)record.sequence, record.message);
    last = record.sequence;
    count++;
  }
  /* [end] */
  REQUIRE(count > 0);
}
