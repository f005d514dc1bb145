/* Reports of Nsight Compute: the forms of `ncu --csv` since 2020, and what is no report. */
#include <math.h>
#include <stdio.h>

#include "support_ncu.h"

/* ---- The forms ---- */

static void wide_reports(void** state) {
  (void)state;
  static const char kText[] =
      "==PROF== Connected to process 1\nsome \"output, of\nprograms, \"that is no CSV\n" WIDE_HEAD
      "\"\",\"\",\"\",\"\",\"%\",\"%\",\"us\",\"%\"\n"
      "\"0\",\"1\",\"gemm<float, 4>(a == b)\",\"(256, 1, 1)\",\"30.5\",\"96\",\"1,234.5\",\"7\"\n"
      "\"1\",\"1\",\"gemm<float, 4>(a == b)\",\"(256, 1, 1)\",\"31\",\"40\",\"10\",\"(!) n/a\"\n"
      "\"2\",\"1\",\"sum\",\"(256, 1, 1)\",\"\",\"91.25\",\"20\",\"\"\n";
  netcl_roofline_result result = read_ncu(kText, NULL, NETCL_NCU_FIRST);
  assert_true(result.compute_sol_pct == 30.5 && result.memory_sol_pct == 96);
  assert_true(fabs(result.time_ns - 1234500.0) < 1e-6 && result.uses_tensor_cores == 1);
  result = read_ncu(kText, NULL, NETCL_NCU_LAST);
  assert_true(result.compute_sol_pct == 0 && result.memory_sol_pct == 91.25);
  assert_string_equal(result.warnings, "Compute SOL metric missing");
  assert_true(read_ncu(kText, NULL, NETCL_NCU_MEDIAN).memory_sol_pct == 91.25);
  assert_true(read_ncu(kText, NULL, NETCL_NCU_LONGEST).memory_sol_pct == 96);
  assert_true(read_ncu(kText, "gemm", NETCL_NCU_LAST).memory_sol_pct == 40);
  /* Without the row of units, and with line ends of Windows. */
  static const char kPlain[] = WIDE_HEAD "0,1,k,b,\"12.5\",\"53.26\",\"7\",5\r\n";
  result = read_ncu(kPlain, "k", NETCL_NCU_FIRST);
  assert_true(result.compute_sol_pct == 12.5 && result.memory_sol_pct == 53.26);
  assert_true(result.time_ns == 7.0 && result.uses_tensor_cores == 0);
  /* What the profiler says between two launches, and single units behind a value. */
  static const char kBetween[] =
      WIDE_HEAD "0,1,k,b,1,2,3,4\n==PROF== Disconnected from process 1\n1,1,k,b,5 (4; 6),6,7,8\n";
  result = read_ncu(kBetween, NULL, NETCL_NCU_LAST);
  assert_true(result.compute_sol_pct == 5 && result.memory_sol_pct == 6);
}

static void long_reports(void** state) {
  (void)state;
  static const char kText[] = LONG_HEAD "\n" /* an empty line, as 2020 had it */
      ROW("1", "0", "k", COMPUTE, "%", "61.5") ROW("1", "0", "k", "breakdown:" MEMORY, "%", "20")
          ROW("1", "0", "k", DURATION, "msecond", "1.5") ROW("1", "1", "k", COMPUTE, "%", "(!) nan")
              ROW("1", "1", "k", "Memory Throughput (" MEMORY ")", "%", "27.25")
                  ROW("1", "1", "k", "Function Cache Configuration", "", "CachePreferNone");
  netcl_roofline_result result = read_ncu(kText, NULL, NETCL_NCU_FIRST);
  assert_true(result.compute_sol_pct == 61.5 && result.memory_sol_pct == 20);
  assert_true(result.time_ns == 1.5e6 && result.bottleneck == NETCL_BOTTLENECK_COMPUTE);
  result = read_ncu(kText, NULL, NETCL_NCU_LAST);
  assert_true(result.memory_sol_pct == 27.25);
  assert_string_equal(result.warnings, "Compute SOL metric missing");
}

/* Rows of metrics end before the cells of rules, rows of rules have no metric. */
static void rule_columns(void** state) {
  (void)state;
  static const char kText[] =
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\","
      "\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\","
      "\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\","
      "\"Estimated Speedup Type\",\"Estimated Speedup\"\n"
#define START                                                                     \
  "\"0\",\"7\",\"p\",\"h\",\"k(int, int)\",\"1\",\"7\",\"(256, 1, 1)\",\"(9, 1, " \
  "1)\",\"0\",\"7.5\","
      START "\"GPU Speed Of Light Throughput\",\"Memory Throughput\",\"%\",\"61.84\",\n" START
      "\"GPU Speed Of Light Throughput\",\"DRAM Throughput\",\"%\",\"44\",\n" START
      "\"GPU Speed Of Light Throughput\",\"Duration\",\"ns\",\"21,058,944\",\n" START
      "\"GPU Speed Of Light Throughput\",\"Compute (SM) Throughput\",\"%\",\"1.30\"\n" START
      "\"SpeedOfLight\",\"\",\"\",\"\",\"SOLBottleneck\",\"OPT\",\"Look, \"\"there\"\".\n"
      "Again.\",\"local\",\"98.86\"\n" START
      "\"Memory Workload\",\"Memory Throughput\",\"byte/s\",\"196,456,177,859.63\",\n";
#undef START
  const netcl_roofline_result result = read_ncu(kText, "k(", NETCL_NCU_MEDIAN);
  assert_true(result.memory_sol_pct == 61.84 && result.compute_sol_pct == 1.30);
  assert_true(result.time_ns == 21058944 && result.warnings_count == 0);
}

/* The names that people read, as the versions have had them. */
static void details_pages(void** state) {
  (void)state;
  static const struct {
    const char *compute, *memory, *dram;
  } kNames[] = {{"SM [%]", "Memory [%]", "SOL FB"},
                {"SM [%]", "Memory [%]", "SOL DRAM"},
                {"Compute (SM) [%]", "Memory [%]", "DRAM Throughput"},
                {"Compute (SM) Throughput", "Memory Throughput", "DRAM Throughput"}};
  for (size_t i = 0; i < COUNT_OF(kNames); ++i) {
    for (int whole = 0; whole < 2; ++whole) {
      char text[1024];
      snprintf(text, sizeof text,
               "\xef\xbb\xbf" LONG_HEAD ROW("1", "0", "k", "%s", "%%", "61")
                   ROW("1", "0", "k", "%s", "%%", "80.5")
                       ROW("1", "0", "k", "Memory Throughput", "Gbyte/second", "1,234.5")
                           ROW("1", "0", "k", "Duration", "usecond", "2.5"),
               kNames[i].compute, whole ? kNames[i].memory : kNames[i].dram);
      const netcl_roofline_result result = read_ncu(text, NULL, NETCL_NCU_FIRST);
      assert_true(result.compute_sol_pct == 61 && result.memory_sol_pct == 80.5);
      assert_true(result.time_ns == 2500);
      assert_int_equal(result.warnings_count, !whole);
    }
  }
}

/* One row per metric of all launches of a kernel of one shape; the averages count. */
static void summaries(void** state) {
  (void)state;
#define SUMMARY(process, kernel, grid, metric, unit, low, high, average) \
  "\"" process "\",\"p\",\"h\",\"" kernel "\",\"(256, 1, 1)\",\"" grid   \
  "\",\"0\",\"9.0\",\"14\","                                             \
  "\"s\",\"" metric "\",\"" unit "\",\"" low "\",\"" high "\",\"" average "\"\n"
  static const char kText[] =
      "==PROF== Disconnected from process 7\n"
      "\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Block Size\",\"Grid Size\","
      "\"Device\",\"CC\",\"Invocations\",\"Section Name\",\"Metric Name\",\"Metric Unit\","
      "\"Minimum\",\"Maximum\",\"Average\"\n" SUMMARY(
          "7", "axpy", "(1, 1, 1)", "Compute (SM) Throughput", "%", "10.00", "20.00",
          "15.00") SUMMARY("7", "axpy", "(1, 1, 1)", "Memory Throughput", "%", "60.00", "80.00",
                           "70.00") SUMMARY("7", "axpy", "(1, 1, 1)", "Duration", "nsecond",
                                            "17,466,880.00", "17,480,032.00", "17,473,124.16")
          SUMMARY("7", "axpy", "(2, 1, 1)", "Memory Throughput", "%", "1.00", "3.00", "2.00")
              SUMMARY("8", "axpy", "(1, 1, 1)", "Memory Throughput", "%", "4.00", "6.00", "5.00");
#undef SUMMARY
  netcl_roofline_result result = read_ncu(kText, "axpy", NETCL_NCU_FIRST);
  assert_true(result.compute_sol_pct == 15 && result.memory_sol_pct == 70);
  assert_true(fabs(result.time_ns - 17473124.16) < 1e-6);
  assert_true(read_ncu(kText, NULL, NETCL_NCU_LONGEST).memory_sol_pct == 70);
  assert_true(read_ncu(kText, NULL, NETCL_NCU_LAST).memory_sol_pct == 5);
  /* Of all kernels of a device. */
  static const char kDevice[] =
      "\"Device\",\"Invocations\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\","
      "\"Maximum\",\"Average\"\n\"0\",\"3\",\"s\",\"" MEMORY
      "\",\"%\",\"1\",\"3\",\"2\"\n"
      "\"1\",\"3\",\"s\",\"" MEMORY "\",\"%\",\"5\",\"7\",\"6\"\n";
  assert_true(read_ncu(kDevice, NULL, NETCL_NCU_FIRST).memory_sol_pct == 2);
  assert_true(read_ncu(kDevice, NULL, NETCL_NCU_LAST).memory_sol_pct == 6);
}

/* A report may come from anywhere: nothing in a name reaches a terminal. */
static void names_of_kernels(void** state) {
  (void)state;
  const netcl_roofline_result result =
      read_ncu(LONG_HEAD ROW("1", "0", "k\x1b[31m\xff", COMPUTE, "%", "10"), NULL, NETCL_NCU_FIRST);
  assert_string_equal(result.kernel, "k [31m?");
}

/* IDs count from 0 in each process: the same one in two is two launches. */
static void several_processes(void** state) {
  (void)state;
  static const char kText[] = LONG_HEAD ROW("11", "0", "first", COMPUTE, "%", "10")
      ROW("12", "0", "second", COMPUTE, "%", "90") ROW("11", "0", "first", MEMORY, "%", "20")
          ROW("12", "0", "second", MEMORY, "%", "30") ROW("11", "1", "first", MEMORY, "%", "40");
  netcl_roofline_result result = read_ncu(kText, "second", NETCL_NCU_FIRST);
  assert_true(result.compute_sol_pct == 90 && result.memory_sol_pct == 30);
  result = read_ncu(kText, "first", NETCL_NCU_FIRST);
  assert_true(result.compute_sol_pct == 10 && result.memory_sol_pct == 20);
  assert_true(read_ncu(kText, NULL, NETCL_NCU_LAST).memory_sol_pct == 40);
  /* Two reports in one file have a header each. */
  static const char kBoth[] = LONG_HEAD ROW("1", "0", "k", MEMORY, "%", "10") WIDE_HEAD
      "0,1,k,b,1,70,3,4\n" LONG_HEAD ROW("1", "0", "k", MEMORY, "%", "30");
  assert_true(read_ncu(kBoth, NULL, NETCL_NCU_FIRST).memory_sol_pct == 10);
  assert_true(read_ncu(kBoth, NULL, NETCL_NCU_LAST).memory_sol_pct == 30);
  assert_true(read_ncu(kBoth, NULL, NETCL_NCU_LONGEST).memory_sol_pct == 70);
}

/* A result names its kernel, and which of the launches that match it is about. */
static void names_the_launch(void** state) {
  (void)state;
  static const char kText[] = WIDE_HEAD
      "0,1,gemm,b,10,20,300,1\n1,1,softmax,b,10,21,900,1\n2,1,gemm,b,10,22,100,1\n"
      "3,1,gemm,b,10,23,500,1\n4,1,gemm,b,10,24,400,1\n";
  static const struct {
    const char* kernel;
    netcl_ncu_policy policy;
    uint32_t launch, count;
    double memory;
    const char *text, *json;
  } kCases[] = {
      {"gemm", NETCL_NCU_FIRST, 0, 4, 20, "Kernel: gemm, launch 1 of 4\n", "0, \"launches\": 4"},
      {"gemm", NETCL_NCU_LAST, 3, 4, 24, "Kernel: gemm, launch 4 of 4\n", "3, \"launches\": 4"},
      {"gemm", NETCL_NCU_LONGEST, 2, 4, 23, "Kernel: gemm, launch 3 of 4\n", "2, \"launches\": 4"},
      {"gemm", NETCL_NCU_MEDIAN, 0, 4, 20, "Kernel: gemm, launch 1 of 4\n", "0, \"launches\": 4"},
      {"soft", NETCL_NCU_MEDIAN, 0, 1, 21, "Kernel: softmax\n", "0, \"launches\": 1"},
      {NULL, NETCL_NCU_LONGEST, 1, 5, 21, "Kernel: softmax, launch 2 of 5\n",
       "1, \"launches\": 5"}};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    netcl_roofline_result result = read_ncu(kText, kCases[i].kernel, kCases[i].policy);
    char text[2048];
    assert_true(result.memory_sol_pct == kCases[i].memory);
    CHECK(result.launch == kCases[i].launch && result.launches_count == kCases[i].count,
          "case %zu: launch %u of %u", i, result.launch, result.launches_count);
    OK(netcl_roofline_format(&result, NETCL_FORMAT_TEXT, text, sizeof text, NULL));
    CHECK(strstr(text, kCases[i].text) != NULL, "case %zu: %s", i, text);
    OK(netcl_roofline_format(&result, NETCL_FORMAT_JSON, text, sizeof text, NULL));
    CHECK(strstr(text, kCases[i].json) != NULL, "case %zu: %s", i, text);
  }
  /* A name that is longer than the field is cut; what is no report has neither. */
  char long_name[1024];
  const int size = snprintf(long_name, sizeof long_name, WIDE_HEAD "0,1,%0400d,b,10,20,300,1\n", 7);
  assert_true(size > 500);
  netcl_roofline_result result = read_ncu(long_name, NULL, NETCL_NCU_FIRST);
  assert_int_equal(strlen(result.kernel), sizeof result.kernel - 1);
  netcl_roofline* roofline = ncu_analyzer();
  const char* const names[] = {COMPUTE};
  const double value = 50;
  memset((char*)&result + sizeof result.struct_size, POISON,
         sizeof result - sizeof result.struct_size);
  OK(netcl_roofline_analyze_metrics(roofline, names, &value, 1, &result));
  assert_true(result.launches_count == 0 && result.launch == 0 && result.kernel[0] == '\0');
  OK(netcl_roofline_format(&result, NETCL_FORMAT_JSON, long_name, sizeof long_name, NULL));
  assert_null(strstr(long_name, "launch"));
  netcl_roofline_release(roofline);
}

/* ---- What the profiler says, and what is no report ---- */

static void messages(void** state) {
  (void)state;
  netcl_roofline_result result = read_ncu(
      "==WARNING== Some; metrics\n==PROF== x\n" LONG_HEAD ROW(
          "1", "0", "k", MEMORY, "%", "50") "==ERROR== Failed to profile \"k\" in process 1\n",
      NULL, NETCL_NCU_FIRST);
  assert_non_null(strstr(result.warnings,
                         "NCU says \"==ERROR== Failed to profile \"k\" in process 1\"; "
                         "NCU says \"==WARNING== Some, metrics\""));
  assert_int_equal(result.warnings_count, 3);
  refused_ncu(
      "==PROF== Connected\nok\n==WARNING== No kernels were profiled.\n"
      "==ERROR== ERR_NVGPUCTRPERM - no permission\nAvailable Kernels:\n1. k\n",
      "the profiler says \"==ERROR== ERR_NVGPUCTRPERM - no permission\", "
      "\"==WARNING== No kernels were profiled.\"");
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "the report has none; the profiler says \"==ERROR== why\"",
             analyze_ncu(WIDE_HEAD "==ERROR== why\n", NULL, NETCL_NCU_FIRST, &result));
  /* A report without the metrics: the analysis fails and says what to do. */
  result = read_ncu(LONG_HEAD ROW("1", "0", "k", "launch__registers_per_thread", "", "32"), NULL,
                    NETCL_NCU_FIRST);
  assert_int_equal(result.bottleneck, NETCL_BOTTLENECK_UNKNOWN);
  assert_string_equal(result.warnings,
                      "Analysis failed - no SOL metrics in NCU data; "
                      "Collect them with ncu --section SpeedOfLight or --set full");
}

/* The names of one metric differ a little; which one counts does not depend on their order. */
static void two_names_of_one_metric(void** state) {
  (void)state;
#define DRAM_A "dram__throughput.avg.pct_of_peak_sustained_elapsed"
#define DRAM_B "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
  static const char* const kTexts[] = {
      LONG_HEAD ROW("1", "0", "k", DRAM_A, "%", "50") ROW("1", "0", "k", DRAM_B, "%", "60"),
      LONG_HEAD ROW("1", "0", "k", DRAM_B, "%", "60") ROW("1", "0", "k", DRAM_A, "%", "50")};
  for (size_t i = 0; i < COUNT_OF(kTexts); ++i) {
    const netcl_roofline_result result = read_ncu(kTexts[i], NULL, NETCL_NCU_FIRST);
    CHECK(result.memory_sol_pct == 50, "order %zu: %g", i, result.memory_sol_pct);
  }
}

static void refused_reports(void** state) {
  (void)state;
  static const struct {
    const char *text, *wanted;
  } kRefused[] = {
      {"", "the report is empty"},
      {"\n\na,b\n1,2\n", "line 3 is \"a,b\", and no line has the columns"},
      {"\"#\",\"Address\",\"Source\"\n", "line 1 is \"\"#\",\"Address\",\"Source\"\""},
      {"\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n\"k\",\"x\",\"1\"\n",
       "no line has the columns"},
      {WIDE_HEAD "\"0\",\"1\",\"k\"\n",
       "line 2 is \"\"0\",\"1\",\"k\"\": it has 3 cells; the header has 8"},
      {WIDE_HEAD "0,1,k,b,1,2,3,4\n,,,,%,%,us,%\n", "line 3 is \",,,,%,%,us,%\": it has no ID"},
      {LONG_HEAD "\"0\",\"1\",\"k\"\n",
       "line 2 is \"\"0\",\"1\",\"k\"\": it has 3 cells; "
       "\"Metric Value\" is cell 8 of the header"},
      {LONG_HEAD "the program says more\n", "line 2 is \"the program says more\""},
      {LONG_HEAD "\"\",\"1\",\"k\",\"b\",\"s\",\"" MEMORY "\",\"%\",\"5\"\n", "it has no ID"},
      {LONG_HEAD "\"0\",\"1\",\"k\",\"b\",\"s\",\"" MEMORY "\",\"%\",\"5\",\"6\"\n",
       "it has 9 cells; the header has 8"},
      {LONG_HEAD ROW("1", "0", "k", MEMORY, "%", "50") ROW("1", "0", "k", MEMORY, "%", "60"),
       "line 3: " MEMORY
       " is \"60\", while the same launch of the same process has \"50\" in line 2"},
      {LONG_HEAD "\"0\",\"1\",\"k\",\"b\",\"s, cut off", "a quote is open where the text ends"},
      {LONG_HEAD ROW("1", "0", "k", MEMORY, "%", "50") ROW("1", "0", "other", COMPUTE, "%", "60"),
       ": the launch of its ID runs \"k\""},
      {WIDE_HEAD "0,1,k,b,1,034,10,20,5\n", "it has 9 cells; the header has 8"},
      {WIDE_HEAD "0,1,k,b,1,2,3,4\n0,1,other,b,1,2,3,4\n", ": the launch of its ID runs \"k\""},
      {WIDE_HEAD "0,1,k,b,1,2,3,4\n0,1,k,b,9,2,3,4\n", "while the same launch of the same process"},
      {"\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\",\"Metric Value\"\n",
       "line 1 has two columns \"Metric Value\""},
      {"\xff\xfe\"I", "the report is UTF-16"}};
  for (size_t i = 0; i < COUNT_OF(kRefused); ++i) {
    refused_ncu(kRefused[i].text, kRefused[i].wanted);
  }
  netcl_roofline* roofline = ncu_analyzer();
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  netcl_ncu_options options = NETCL_NCU_OPTIONS_INIT;
  static const char kOne[] = WIDE_HEAD "0,1,softmax,b,1,2,3,4\n";
  options.kernel = "soft";
  options.exact = 1;
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "\"soft\"; the report has softmax",
             netcl_roofline_analyze_ncu(roofline, kOne, strlen(kOne), &options, &result));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "the report has none",
             netcl_roofline_analyze_ncu(roofline, WIDE_HEAD, strlen(WIDE_HEAD), NULL, &result));
  options.policy = 17;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "policy is 17",
             netcl_roofline_analyze_ncu(roofline, kOne, strlen(kOne), &options, &result));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "text_size is 4294967297; a report has at most",
             netcl_roofline_analyze_ncu(roofline, kOne, ((size_t)1 << 32) + 1, NULL, &result));
  assert_true(result.efficiency_pct == 0);
  netcl_roofline_release(roofline);
}

/* Reports with bytes and lines changed at random end with a status, and never with a NaN. */
static void damaged(void** state) {
  (void)state;
  static const char kText[] = "==WARNING== w\n" LONG_HEAD ROW("1", "0", "k", MEMORY, "%", "50.5")
      ROW("1", "0", "k", DURATION, "nsecond", "1,234") "\"Metric Name\",\"Average\"\n\"" COMPUTE
                                                       "\",\"7\"\n" WIDE_HEAD
                                                       ",,,,%,%,us,%\n0,1,k,b,1,2,3,4\n";
  static const char kBytes[] = "\"\n,.;= 09\xe2\x80\xafn";
  netcl_roofline* roofline = ncu_analyzer();
  for (int round = 0; round < 3000; ++round) {
    char text[sizeof kText];
    memcpy(text, kText, sizeof text);
    for (int64_t i = random_in(1, 6); i > 0; --i) {
      text[random_in(0, sizeof kText - 2)] = kBytes[random_in(0, sizeof kBytes - 2)];
    }
    netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
    const netcl_status status =
        netcl_roofline_analyze_ncu(roofline, text, sizeof kText - 1, NULL, &result);
    CHECK(
        status == NETCL_OK || status == NETCL_ERROR_CORRUPT_DATA || status == NETCL_ERROR_NOT_FOUND,
        "status %d for\n%s", status, text);
    assert_true(isfinite(result.efficiency_pct) && isfinite(result.time_ns));
  }
  netcl_roofline_release(roofline);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wide_reports),     cmocka_unit_test(long_reports),
      cmocka_unit_test(rule_columns),     cmocka_unit_test(details_pages),
      cmocka_unit_test(summaries),        cmocka_unit_test(several_processes),
      cmocka_unit_test(names_of_kernels), cmocka_unit_test(names_the_launch),
      cmocka_unit_test(messages),         cmocka_unit_test(two_names_of_one_metric),
      cmocka_unit_test(refused_reports),  cmocka_unit_test(damaged),
  };
  seed_random("ncu");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
