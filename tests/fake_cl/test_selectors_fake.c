/* Selectors that fit several devices: two scripted GPUs and the built-in device. */
#include "support_fake.h"

static uint32_t index_of(const char* selector) {
  netcl_device* device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  OK(netcl_device_open(selector, NULL, &device));
  OK(netcl_device_get_info(device, &info));
  netcl_device_release(device);
  return info.index;
}

/* The vendor "netcl tests" of the GPUs comes before the built-in device's "netcl". */
static void the_order_is_that_of_auto(void** state) {
  (void)state;
  static const char* const kFirst[] = {"auto",      "gpu",     "0",       "0:0", "netcl",
                                       "NETCL TE",  "Script",  "ted plat", "opencl",
                                       "OpenCL 1.2 scripted"};
  uint32_t count = 0;
  OK(netcl_device_count(&count));
  assert_int_equal(count, 3);
  for (size_t i = 0; i < COUNT_OF(kFirst); ++i) {
    CHECK(index_of(kFirst[i]) == 0, "\"%s\" gives device %u", kFirst[i], index_of(kFirst[i]));
  }
  assert_int_equal(index_of("1"), 1);
  assert_int_equal(index_of("0:1"), 1);
  assert_int_equal(index_of("cpu"), 2);
  assert_int_equal(index_of("netcl built"), 2);
}

static void messages_have_both(void** state) {
  (void)state;
  netcl_device* device = NULL;
  FAILS_WITH(NETCL_ERROR_NO_DEVICE,
             "Devices: 0 (0:0) \"Scripted\" [Scripted platform], 1 (0:1) \"Scripted\" [Scripted "
             "platform], 2 \"netcl built-in CPU",
             netcl_device_open("accel", NULL, &device));
  FAILS_WITH(NETCL_ERROR_NO_DEVICE, "; did you mean \"gpu\"? ",
             netcl_device_open("gpu1", NULL, &device));
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(the_order_is_that_of_auto),
                                     DEVICE_TEST(messages_have_both)};
  fake_script("gpus 2");
  seed_random("selectors_fake");
  return cmocka_run_group_tests_name("selectors_fake", tests, NULL, NULL);
}
