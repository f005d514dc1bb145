/* Ceilings that were measured while something else ran: each noisy row is named in a warning. */
#include "support_fake.h"

static netcl_ceilings* measure(netcl_device* device) {
  netcl_ceilings_options options = NETCL_CEILINGS_OPTIONS_INIT;
  netcl_ceilings* ceilings = NULL;
  options.budget_ns = 1;
  options.remeasure = 1;
  options.no_store = 1;
  OK(netcl_ceilings_measure(device, &options, &ceilings));
  return ceilings;
}

static double spread_of_compute(const netcl_ceilings* ceilings) {
  netcl_ceiling rows[128];
  uint32_t count = 0;
  OK(netcl_ceilings_get(ceilings, rows, COUNT_OF(rows), &count));
  for (uint32_t i = 0; i < count; ++i) {
    if (rows[i].kind == NETCL_CEILING_COMPUTE && rows[i].dtype == NETCL_F32) return rows[i].spread;
  }
  FAIL_WITH("there is no row of f32 among %u", count);
}

/* The warning that came after a record of the log; "" when there was none. Launches and transfers
 * take real time, so that their rows may be named on a busy machine. */
static netcl_log_record warning_after(uint64_t after) {
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  while (netcl_log_read(after, &record) == NETCL_OK) {
    after = record.sequence;
    if (strstr(record.message, "the runs of these rows differ") != NULL) return record;
  }
  record.message[0] = 0;
  return record;
}

static void noise_is_named(void** state) {
  Fixture* fixture = *state;
  uint64_t before = log_last_sequence();
  fake_script("netcl_ceiling_compute : uneven 3");
  netcl_ceilings* ceilings = measure(fixture->device);
  assert_true(spread_of_compute(ceilings) > 0.25);
  netcl_ceilings_release(ceilings);
  netcl_log_record record = warning_after(before);
  assert_int_equal(record.level, NETCL_LOG_WARNING);
  CHECK(strstr(record.message, fixture->info.name) != NULL &&
            strstr(record.message, "compute f32 (") != NULL,
        "\"%s\"", record.message);
  /* The clock of this device shows no noise by itself. */
  CHECK(strstr(record.message, "memory_") == NULL, "\"%s\"", record.message);
  before = log_last_sequence();
  fake_script("netcl_ceiling_compute : uneven 1.1");
  ceilings = measure(fixture->device);
  assert_true(spread_of_compute(ceilings) < 0.25);
  netcl_ceilings_release(ceilings);
  record = warning_after(before);
  CHECK(strstr(record.message, "compute") == NULL, "\"%s\"", record.message);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(noise_is_named)};
  fake_script("# nothing yet");
  seed_random("ceilings_fake");
  return cmocka_run_group_tests_name("ceilings_fake", tests, NULL, NULL);
}
