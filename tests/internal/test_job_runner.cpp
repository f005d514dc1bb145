// Jobs in this process: every outcome that leaves the process alive, with the words that name it.
#include <unistd.h>
#include <cstdio>

#include "jobs.hpp"

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail
#define fail() _fail(__FILE__, __LINE__)

using namespace netcl;
using namespace netcl::tests;
using tune::Fill;
using tune::Job;
using tune::JobArgument;
using tune::JobResult;

static QueueRef queue;
static std::unique_ptr<tune::Runner> runner;

static JobResult run_body(const std::string& body) { return runner->run(candidate(body)); }

static void test_correct(void**) {
  Job job = candidate(kRight);
  job.repeat = true;
  const JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CORRECT);
  assert_string_equal(result.message.c_str(), "");
  assert_true(result.deterministic);
  assert_int_equal(result.statistics.count, 5);
  assert_int_equal(result.samples.size(), 5);
  assert_true(result.compile_ns > 0);
  assert_true(result.first_run_ns > 0);
  assert_int_equal(result.global[0], 1024);
  assert_true(result.local[0] > 0 && 1024 % result.local[0] == 0);
  assert_int_equal(result.deaths, 0);
}

static void test_wrong_values(void**) {
  const JobResult result =
      run_body("  if (i < n) { y[i] = a * x[i] + y[i]; out[i] = i == 17 ? 1e6f : 2.0f * y[i]; }");
  expect_outcome(result, NETCL_OUTCOME_CORRECTNESS);
  expect_message(result, "argument 2 (out): element 17 is 1000000 and should be ");
  expect_message(result, "1 of 1000 differ (seed 7)");
  assert_int_equal(result.statistics.count, 0);
}

// Poison must not look like a result, whatever ran before on the same memory.
static void test_unwritten_output(void**) {
  expect_outcome(run_body(kRight), NETCL_OUTCOME_CORRECT);
  const JobResult result =
      run_body("  if (i < n) { y[i] = a * x[i] + y[i]; if (i != 999) out[i] = 2.0f * y[i]; }");
  expect_outcome(result, NETCL_OUTCOME_CORRECTNESS);
  expect_message(result, "element 999 is ");
  expect_message(result, "nan");
}

// What differs from seed to seed: only x of the second seed makes it wrong.
static void test_second_seed(void**) {
  Job probe = saxpy("  if (i < n) out[i] = x[0];");
  probe.reference.given.clear();
  const JobResult one = run_body(
      "  if (i < n) { y[i] = a * x[i] + y[i]; out[i] = 2.0f * y[i]; }\n"
      "  if (i == 0 && x[1] > 0.0f) out[0] += 100.0f;");
  const JobResult other = run_body(
      "  if (i < n) { y[i] = a * x[i] + y[i]; out[i] = 2.0f * y[i]; }\n"
      "  if (i == 0 && x[1] <= 0.0f) out[0] += 100.0f;");
  // x[1] has one sign for each seed; the same on both would leave one of the two right.
  expect_outcome(one, NETCL_OUTCOME_CORRECTNESS);
  expect_outcome(other, NETCL_OUTCOME_CORRECTNESS);
  const bool first_is_later = one.message.find("(seed 8)") != std::string::npos;
  expect_message(first_is_later ? one : other, "(seed 8)");
  expect_message(first_is_later ? other : one, "(seed 7)");
  assert_int_equal((first_is_later ? one : other).statistics.count, 0);
}

static void test_guards(void**) {
  JobResult result = run_body(std::string(kRight) + "\n  if (i == 0) out[n + 3] = 1.0f;");
  expect_outcome(result, NETCL_OUTCOME_GUARD);
  expect_message(result, "argument 2 (out) was written outside: byte 12 past its end");
  result = run_body(std::string(kRight) + "\n  if (i == 0) y[-2] = 1.0f;");
  expect_outcome(result, NETCL_OUTCOME_GUARD);
  expect_message(result, "argument 1 (y) was written outside: byte 5 before its beginning");
  // The zones are whole again.
  expect_outcome(run_body(kRight), NETCL_OUTCOME_CORRECT);
}

static void test_written_input(void**) {
  Job job = candidate(kRight);
  const std::string from = "__global const float *x";
  job.source.replace(job.source.find(from), from.size(), "__global float *x");
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
  job.source.replace(job.source.find("out[i] = "), 9, "x[i] = 3.0f; out[i] = ");
  const JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_GUARD);
  expect_message(result, "argument 0 (x) is an input and was written");
  // And whoever comes next finds its inputs as they should be.
  expect_outcome(run_body(kRight), NETCL_OUTCOME_CORRECT);
}

static void test_build_failures(void**) {
  JobResult result = run_body("  out[i] = nonsense;");
  expect_outcome(result, NETCL_OUTCOME_COMPILE);
  expect_message(result, "nonsense");
  assert_true(result.build_log.find("nonsense") != std::string::npos);
  assert_true(result.build_log.size() <= 4096);
  Job job = candidate(kRight);
  job.kernel = "absent";
  result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_COMPILE);
  expect_message(result, "saxpy");
}

static void test_sizes(void**) {
  Job job = candidate(kRight);
  job.size.local[0] = 48;
  JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CONSTRAINTS);
  expect_message(result, "48");
  job.round_up = true;
  result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CORRECT);
  assert_int_equal(result.global[0], 1056);
  assert_int_equal(result.local[0], 48);
  job.size.local[0] = uint64_t{1} << 40;
  expect_outcome(runner->run(job), NETCL_OUTCOME_CONSTRAINTS);
}

static void test_defines(void**) {
  Job job = candidate("  if (i < n) { y[i] = a * x[i] + y[i]; out[i] = FACTOR y[i]; }");
  job.defines = {{"FACTOR", "2.0f *"}, {"UNUSED", ""}};
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
  job.defines[0].second = "3.0f *";
  const JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CORRECTNESS);
  // Lines of the log are those of the source.
  job.source = saxpy_text("  nonsense;");
  expect_message(runner->run(job), ":4:");
}

static void test_stages(void**) {
  Job job = candidate(kRight);
  job.until = Job::Until::built;
  JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CORRECT);
  assert_int_equal(result.first_run_ns, 0);
  const Hash128 hash = result.program_hash;
  assert_true(hash.low != 0);
  job.until = Job::Until::checked;
  result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CORRECT);
  assert_true(result.first_run_ns > 0);
  assert_int_equal(result.statistics.count, 0);
  assert_true(result.program_hash == hash);
}

static void test_slow(void**) {
  Job job = candidate(kRight);
  job.timing.count = 50;
  job.limits.best_ns = 1;
  const JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_SLOW);
  assert_in_range(result.statistics.count, 3, 49);
  expect_message(result, "the best takes 1 ns");
}

static void test_cancelled(void**) {
  std::atomic<bool> cancel{true};
  Job job = candidate(kRight);
  job.limits.cancel = &cancel;
  expect_outcome(runner->run(job), NETCL_OUTCOME_CANCELLED);
}

static void test_setup_kernel(void**) {
  Job job = candidate("  if (i < n) { y[i] = a * x[i] + y[i]; out[i] = 2.0f * y[i]; }");
  job.source +=
      "__kernel void first(__global const float *x, __global float *y, __global float *out,\n"
      "                    float a, int n) { y[get_global_id(0)] = 0.0f; }\n";
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
  job.setup_kernel = "first";
  job.setup_size.global[0] = kCount;
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECTNESS);
  // With the same one in the reference it is right again.
  auto reference = std::make_shared<Job>(job);
  reference->reference.job = nullptr;
  job.reference.job = reference;
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
}

static void test_given_outputs(void**) {
  Job job = saxpy("  if (i < n) { y[i] = 0; out[i] = x[i] * 2; }");
  job.arguments[0].fill.kind = Fill::Kind::iota;
  job.arguments[0].fill.a = 3;
  job.arguments[0].fill.b = 2;
  std::vector<float> want(kCount);
  for (size_t i = 0; i < want.size(); ++i) want[i] = 2.0f * (3.0f + 2.0f * static_cast<float>(i));
  tune::Reference::Outputs outputs;
  outputs.seed = 7;
  outputs.outputs.resize(5);
  outputs.outputs[2] = std::make_shared<std::string>(reinterpret_cast<const char*>(want.data()),
                                                     want.size() * sizeof(float));
  job.reference.given = {outputs};
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
  want[500] += 1;
  job.reference.given[0].outputs[2] = std::make_shared<std::string>(
      reinterpret_cast<const char*>(want.data()), want.size() * sizeof(float));
  const JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CORRECTNESS);
  expect_message(result, "element 500 is 2006 and should be 2007");
}

static void test_path(void**) {
  const char* folder = std::getenv("TMPDIR");
  std::string name = std::string(folder == nullptr ? P_tmpdir : folder) + "/netcl_job_XXXXXX";
  char* path = name.data();
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  const std::string text = saxpy_text(kRight);
  assert_int_equal(write(fd, text.data(), text.size()), text.size());
  close(fd);
  Job job = candidate(kRight);
  job.source.clear();
  job.path = path;
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
  unlink(path);
  try {
    runner->run(job);
    fail();
  } catch (const Error& error) {
    assert_int_equal(error.status(), NETCL_ERROR_IO);
    assert_non_null(strstr(error.what(), path));
  }
}

static void test_race(void**) {
  std::vector<Job> jobs = {candidate(kRight), candidate("  if (i < n) out[i] = 1;"),
                           candidate(kRight)};
  jobs[2].size.local[0] = 16;
  const std::vector<JobResult> results = runner->race(jobs);
  assert_int_equal(results.size(), 3);
  expect_outcome(results[0], NETCL_OUTCOME_CORRECT);
  expect_outcome(results[1], NETCL_OUTCOME_CORRECTNESS);
  expect_outcome(results[2], NETCL_OUTCOME_CORRECT);
  assert_int_equal(results[0].statistics.count, 5);
  assert_int_equal(results[1].statistics.count, 0);
  assert_int_equal(results[2].samples.size(), 5);
}

static void expect_refused(const Job& job, const char* part) {
  try {
    runner->run(job);
    print_error("not refused: %s\n", part);
    fail();
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_INVALID_ARGUMENT || strstr(error.what(), part) == nullptr) {
      print_error("%d %s, not %s\n", error.status(), error.what(), part);
      fail();
    }
  }
}

static void test_requests_nobody_can_run(void**) {
  Job job = candidate(kRight);
  job.source.clear();
  expect_refused(job, "neither a source nor a path");
  job = candidate(kRight);
  job.kernel = "a b";
  expect_refused(job, "a b");
  job = candidate(kRight);
  job.seeds.clear();
  expect_refused(job, "0 seeds");
  job = candidate(kRight);
  job.size.rank = 4;
  expect_refused(job, "4 dimensions");
  job = candidate(kRight);
  job.arguments[0].shape = {-1};
  expect_refused(job, "-1");
  job = candidate(kRight);
  job.arguments[3].scalar.clear();
  expect_refused(job, "argument 3 is a scalar of 0 bytes");
  job = candidate(kRight);
  job.defines = {{"A", "1\n#error"}};
  expect_refused(job, "one line");
  job = candidate(kRight);
  job.defines = {{"A", "1\\"}};
  expect_refused(job, "one line");
  job = candidate(kRight);
  job.flags = {"-I/etc"};
  expect_refused(job, "-I/etc");
  job = candidate(kRight);
  job.arguments[0].fill.kind = Fill::Kind::bytes;
  expect_refused(job, "argument 0 has 4000 bytes");
}

static void test_reference_that_fails(void**) {
  Job job = candidate(kRight);
  job.reference.job = std::make_shared<Job>(saxpy("  nonsense;"));
  try {
    runner->run(job);
    fail();
  } catch (const Error& error) {
    assert_int_equal(error.status(), NETCL_ERROR_LAUNCH_FAILURE);
    assert_non_null(strstr(error.what(), "the reference saxpy does not run"));
  }
}

// Every dtype is filled, poisoned and compared.
static void test_dtypes(void**) {
  const char* types[] = {"ushort", "ushort", "float", "double", "char", "short", "int",
                         "long",  "uchar", "ushort", "uint",   "ulong", "uchar"};
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_BOOL; ++dtype) {
    const std::string type = types[dtype - 1];
    Job job;
    job.source = "__kernel void copy(__global const " + type + " *x, __global " + type +
                 " *y) { size_t i = get_global_id(0); y[i] = x[i]; }";
    job.kernel = "copy";
    job.size.global[0] = 37;
    job.until = Job::Until::checked;
    job.seeds = {1, 2};
    job.arguments = {tensor(JobArgument::Access::in, dtype, {37}, Fill::Kind::uniform),
                     tensor(JobArgument::Access::out, dtype, {37}, Fill::Kind::zeros)};
    auto reference = std::make_shared<Job>(job);
    job.reference.job = reference;
    expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
    job.size.global[0] = 36;
    JobResult result = runner->run(job);
    expect_outcome(result, NETCL_OUTCOME_CORRECTNESS);
    expect_message(result, "element 36 is ");
    for (const Fill::Kind kind : {Fill::Kind::zeros, Fill::Kind::constant, Fill::Kind::iota}) {
      job.arguments[0].fill.kind = kind;
      job.arguments[0].fill.a = 1;
      job.arguments[0].fill.b = 1;
      job.size.global[0] = 37;
      auto right = std::make_shared<Job>(job);
      right->reference.job = nullptr;
      job.reference.job = right;
      expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
    }
  }
}

static int set_up(void**) {
  runner = tune::make_in_process_runner(queue, no_lock());
  return 0;
}
static int tear_down(void**) {
  runner.reset();
  return 0;
}

static void test_builtin_is_refused(void**) {
  try {
    tune::make_in_process_runner(queue, no_lock());
    fail();
  } catch (const Error& error) {
    assert_int_equal(error.status(), NETCL_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.what(), "OpenCL C"));
  }
}

int main() {
  const DeviceRef device = test_device();
  queue = QueueSet::of(*device).default_queue();
  int failed = 0;
  if (device->builtin()) {
    const CMUnitTest tests[] = {cmocka_unit_test(test_builtin_is_refused)};
    failed = cmocka_run_group_tests(tests, nullptr, nullptr);
  } else {
    const CMUnitTest tests[] = {cmocka_unit_test(test_correct),
                                cmocka_unit_test(test_wrong_values),
                                cmocka_unit_test(test_unwritten_output),
                                cmocka_unit_test(test_second_seed),
                                cmocka_unit_test(test_guards),
                                cmocka_unit_test(test_written_input),
                                cmocka_unit_test(test_build_failures),
                                cmocka_unit_test(test_sizes),
                                cmocka_unit_test(test_defines),
                                cmocka_unit_test(test_stages),
                                cmocka_unit_test(test_slow),
                                cmocka_unit_test(test_cancelled),
                                cmocka_unit_test(test_setup_kernel),
                                cmocka_unit_test(test_given_outputs),
                                cmocka_unit_test(test_path),
                                cmocka_unit_test(test_race),
                                cmocka_unit_test(test_requests_nobody_can_run),
                                cmocka_unit_test(test_reference_that_fails),
                                cmocka_unit_test(test_dtypes)};
    failed = cmocka_run_group_tests(tests, set_up, tear_down);
  }
  queue.reset();
  return failed;
}
