/* netcl report: the profile of a program, points that are missing, and small screens. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support_tool.h"

/* Runs some ops of this process in a region, and writes the profile. */
static void write_profile(netcl_device* device, const char* name) {
  netcl_queue* queue = NULL;
  netcl_tensor *a = NULL, *b = NULL, *c = NULL;
  const int64_t shape[2] = {64, 64};
  OK(netcl_device_get_queue(device, &queue));
  OK(netcl_profile_reset());
  OK(netcl_profile_start(NULL));
  OK(netcl_region_push(queue, "step <1>"));
  OK(netcl_tensor_create_random(device, NETCL_F32, 2, shape, NULL, NULL, NULL, &a));
  OK(netcl_op_matmul(a, a, NULL, NULL, &b));
  OK(netcl_op_softmax(b, 1, NULL, &c));
  OK(netcl_region_pop());
  OK(netcl_profile_stop(NETCL_WAIT_FOREVER));
  size_t length = 0;
  OK(netcl_profile_report(NETCL_FORMAT_JSON, NULL, 0, &length));
  char* const text = malloc(length + 1);
  assert_non_null(text);
  OK(netcl_profile_report(NETCL_FORMAT_JSON, text, length + 1, NULL));
  tool_write(name, text);
  free(text);
  OK(netcl_profile_reset());
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(c);
  netcl_queue_release(queue);
}

static void a_program_is_shown(void** state) {
  Fixture* const fixture = *state;
  write_profile(fixture->device, "profile.json");
  RUNS(0, "report '%s' --device %s --budget 0.01 --profile '%s'", tool_path("page.html"),
       test_selector(), tool_path("profile.json"));
  tool_read("page.html");
  SAYS("<h2>The program</h2>");
  SAYS("step &lt;1&gt;");
  SAYS("matmul_");
  SAYS(", 1 call</td>");
  /* Random numbers have no operations; what the page says of that stands below the picture. */
  SAYS("Without a point:");
  SAYS("it only moves data");
  assert_null(strstr(tool_output, "<h2>Ops</h2>"));
  RUNS(0, "report '%s' --device %s --budget 0.01 --time 0.002 --profile '%s' matmul:32 transpose:8",
       tool_path("page.html"), test_selector(), tool_path("profile.json"));
  tool_read("page.html");
  SAYS("<h2>The program</h2>");
  SAYS("<h2>Ops</h2>");
  SAYS("<li>2, transpose 8x8: it only moves data: it has no operations per byte</li>");
  RUNS(2, "report '%s' --profile '%s' --cold", tool_path("page.html"), tool_path("profile.json"));
  SAYS("with --profile and without ops there is no use for \"--cold\"");
}

static void the_active_variant_has_a_name_and_a_reason(void** state) {
  (void)state;
  RUNS(0, "report '%s' --device %s --budget 0.01 --time 0.002 matmul:64 conv2d:1x4x8x8x4 sum:4096",
       tool_path("page.html"), test_selector());
  tool_read("page.html");
  SAYS(">matmul_");
  SAYS(">conv2d_");
  SAYS(">reduction_");
  SAYS("<td title=\"");
  setenv("NETCL_VARIANT", "matmul=naive", 1);
  RUNS(0, "report '%s' --device %s --budget 0.01 --time 0.002 matmul:64", tool_path("page.html"),
       test_selector());
  unsetenv("NETCL_VARIANT");
  tool_read("page.html");
  SAYS(">matmul_naive</td>");
}

/* A kernel as a profile has it, with a few of its members changed. */
#define KERNEL(device, name, operations, bytes)                          \
  "{\"device\": \"0 (" device ")\", \"name\": \"" name                   \
  "\", \"kind\": \"kernel\", "                                           \
  "\"size_to\": 64, \"calls\": 2, \"total_ns\": 2000, \"bytes\": " bytes \
  ", \"bytes_written\": 0.0, \"operations\": " operations                \
  ", \"dtype\": null, \"matrix_units\": false}"
#define PROFILE(kernels, failed)             \
  "{\"regions\": [], \"kernels\": [" kernels \
  "], \"pending\": 0, \"dropped\": 0, "      \
  "\"failed\": " failed ", \"untimed\": 0}"

static void each_missing_point_has_its_reason(void** state) {
  (void)state;
  tool_write("profile.json", PROFILE(KERNEL("another device", "elsewhere", "1", "1") "," KERNEL(
                                         "netcl built-in CPU", "idle", "0", "0"),
                                     "3"));
  RUNS(0, "report '%s' --device %s --budget 0.01 --profile '%s'", tool_path("page.html"),
       test_selector(), tool_path("profile.json"));
  tool_read("page.html");
  SAYS("elsewhere up to 64, 2 calls: it ran on 0 (another device), whose ceilings these are not");
  SAYS("3 commands are in no sum: they failed");
  char* const text = malloc(4096);
  assert_non_null(text);
  netcl_device* device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  OK(netcl_device_open(test_selector(), NULL, &device));
  OK(netcl_device_get_info(device, &info));
  snprintf(text, 4096,
           PROFILE(KERNEL("%s", "idle", "0", "0") "," KERNEL("%s", "nothing_moved", "8", "0"), "0"),
           info.name, info.name);
  netcl_device_release(device);
  tool_write("profile.json", text);
  free(text);
  RUNS(0, "report '%s' --device %s --budget 0.01 --profile '%s'", tool_path("page.html"),
       test_selector(), tool_path("profile.json"));
  tool_read("page.html");
  SAYS("1, idle up to 64, 2 calls: it declares no work");
  SAYS("2, nothing_moved up to 64, 2 calls: it declares operations, but no bytes");
}

static void what_is_no_profile(void** state) {
  (void)state;
  static const struct {
    const char* text;
    const char* says;
  } kCases[] = {
      {"kind,name", "is no JSON"},
      {"{}", "is no profile: \"regions\" is missing"},
      {"{\"regions\": [], \"kernels\": 5}", "is no profile: \"kernels\" is no array"},
      {"{\"regions\": [{\"name\": \"r\", \"calls\": 1.5}]}",
       "is no profile: \"calls\" is 1.5, which is no count"},
      {PROFILE(KERNEL("d", "k", "-1", "0"), "0"), "is no profile: \"operations\" is -1"},
      {PROFILE("", "\"many\""), "is no profile: \"failed\" is no number"},
  };
  for (size_t i = 0; i < COUNT_OF(kCases); i++) {
    tool_write("bad.json", kCases[i].text);
    RUNS(1, "report '%s' --device %s --profile '%s'", tool_path("none.html"), test_selector(),
         tool_path("bad.json"));
    SAYS(kCases[i].says);
    assert_int_equal(access(tool_path("none.html"), F_OK), -1);
  }
}

/* At 400 px nothing is wider than the window: no width in px outside the rules for small windows,
 * in which charts and tables scroll by themselves, and a shadow says that there is more. The rows
 * of ops and regions are wrapped instead: nothing of them is out of sight, and each number has a
 * name where the headings are gone. */
static void the_page_fits_a_small_window(void** state) {
  (void)state;
  RUNS(0, "report '%s' --device %s --budget 0.01 --time 0.002 matmul:64", tool_path("page.html"),
       test_selector());
  char command[2048];
  snprintf(command, sizeof command,
           "python3 -c \"\n"
           "import re, sys\n"
           "page = open('%s').read()\n"
           "style = re.search('<style>(.*?)</style>', page, re.S)[1]\n"
           "small = re.search(r'@media [(]max-width: (\\d+)px[)] [{](.*)[}]', style, re.S)\n"
           "assert int(small[1]) >= 400, small[1]\n"
           "rules = small[2]\n"
           "assert re.search(r'(^|[}\\s])table [{][^}]*overflow-x: auto', rules), rules\n"
           "assert '.columns > * { flex-basis: 100%%; }' in rules, rules\n"
           "assert re.search(r'[.]chart [{] overflow-x: auto', style)\n"
           "assert 'background-attachment: local, local, scroll, scroll' in rules, rules\n"
           "assert re.search(r'[.]rows tr [{][^}]*flex-wrap: wrap', rules), rules\n"
           "fixed = [int(n) for n in re.findall(r'(?<!max-)width: *(\\d+)px', style)]\n"
           "inside = [int(n) for n in re.findall(r'min-width: *(\\d+)px', rules)]\n"
           "assert all(n <= 360 for n in fixed if n not in inside), fixed\n"
           "body = page[page.index('</style>'):]\n"
           "assert not re.search(r'<svg[^>]* width=|width: *\\d+px|<img', body)\n"
           "assert body.count('<svg') == body.count('class=\\\\\\\"chart\\\\\\\"')\n"
           "rows = re.findall(r'<table class=.wide rows.*?</table>', body, re.S)\n"
           "assert len(rows) == 2 and 'tree' in rows[1], body\n"
           "cells = re.findall(r'<td class=.n.( data-..=.[^>]+)?>([^<]+)', ''.join(rows))\n"
           "assert len(cells) > 6, cells\n"
           "bare = [text for name, text in cells if not name and not text.endswith('s')]\n"
           "assert not bare, bare\n"
           "assert 'width=device-width' in page\n\"",
           tool_path("page.html"));
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(a_program_is_shown),
      cmocka_unit_test(the_active_variant_has_a_name_and_a_reason),
      cmocka_unit_test(each_missing_point_has_its_reason),
      cmocka_unit_test(what_is_no_profile),
      cmocka_unit_test(the_page_fits_a_small_window),
  };
  return cmocka_run_group_tests_name("tool_report", tests, tool_make_folder, tool_remove_folder);
}
