// Jobs in the worker: candidates that crash, hang and write at random are named, and the work goes
// on.
#include <thread>

#include "sanitizers.h"
#include "workers.hpp"

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail
#define fail() _fail(__FILE__, __LINE__)

using namespace netcl;
using namespace netcl::tests;
using tune::Job;
using tune::JobResult;

static DeviceRef device;

static std::unique_ptr<tune::Runner> make_runner() {
  return tune::make_worker_runner(device, worker_options());
}

static void test_correct(void**) {
  const auto runner = make_runner();
  assert_true(runner->isolated());
  Job job = candidate(kRight);
  job.repeat = true;
  const JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CORRECT);
  assert_true(result.deterministic);
  assert_int_equal(result.statistics.count, 5);
  assert_int_equal(result.samples.size(), 5);
  assert_true(result.statistics.median > 0);
  assert_true(result.compile_ns > 0 && result.first_run_ns > 0);
  assert_int_equal(result.global[0], 1024);
  // The same program has the same hash in both places.
  const auto here = tune::make_in_process_runner(QueueSet::of(*device).default_queue(), no_lock());
  job.until = Job::Until::built;
  assert_true(here->run(job).program_hash == result.program_hash);
}

// The set of the tuner's promise: each is named, and work goes on.
static void test_broken_set(void**) {
  const auto runner = make_runner();
  const std::string right = kRight;
  expect_outcome(runner->run(candidate(right)), NETCL_OUTCOME_CORRECT);

  const JobResult guard = runner->run(candidate(right + "\n  if (i == 0) out[n] = 1.0f;"));
  expect_outcome(guard, NETCL_OUTCOME_GUARD);
  expect_message(guard, "argument 2 (out) was written outside: byte 0 past its end");

  Job endless = candidate(kHang);
  endless.limits.run_ns = 500000000;
  const JobResult hang = runner->run(endless);
  expect_outcome(hang, NETCL_OUTCOME_HANG);
  expect_message(hang, "did not end within 0.5 s");
  assert_int_equal(hang.deaths, 1);
  expect_outcome(runner->run(candidate(right)), NETCL_OUTCOME_CORRECT);

  const JobResult crash = runner->run(candidate(kCrash));
  expect_crash(crash);
#if !HAS_ASAN && !HAS_TSAN
  if (device->info().type != NETCL_DEVICE_GPU) {
    expect_message(crash, "signal 11 (segmentation fault)");
  }
#endif
  assert_int_equal(crash.deaths, 1);
  expect_outcome(runner->run(candidate(right)), NETCL_OUTCOME_CORRECT);

  // Wrong on one seed only, whichever it is.
  const char* signs[] = {"> 0.0f", "<= 0.0f"};
  int later = 0;
  for (const char* sign : signs) {
    const JobResult wrong =
        runner->run(candidate(right + "\n  if (i == 0 && x[1] " + sign + ") out[0] += 100.0f;"));
    expect_outcome(wrong, NETCL_OUTCOME_CORRECTNESS);
    expect_message(wrong, "argument 2 (out): element 0 is ");
    later += wrong.message.find("(seed 8)") != std::string::npos;
  }
  assert_int_equal(later, 1);

  const JobResult compile = runner->run(candidate("  nonsense;"));
  expect_outcome(compile, NETCL_OUTCOME_COMPILE);
  expect_message(compile, "nonsense");
  expect_outcome(runner->run(candidate(right)), NETCL_OUTCOME_CORRECT);
}

static void test_three_deaths(void**) {
  const auto runner = make_runner();
  for (uint32_t death = 1; death <= 3; ++death) {
    const JobResult result = runner->run(candidate(kCrash));
    expect_outcome(result, NETCL_OUTCOME_CRASH);
    assert_int_equal(result.deaths, death);
  }
  const std::vector<pid_t> before = children();
  const JobResult result = runner->run(candidate(kCrash));
  expect_outcome(result, NETCL_OUTCOME_CRASH);
  expect_message(result, "not tried again after 3 deaths");
  assert_int_equal(result.deaths, 3);
  assert_true(children() == before);
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
}

static void test_race_with_broken_ones(void**) {
  const auto runner = make_runner();
  std::vector<Job> jobs = {candidate(kCrash), candidate(kRight), candidate(kHang),
                           candidate(kRight)};
  jobs[3].size.local[0] = 16;
  jobs[0].limits.run_ns = 5000000000;
  const std::vector<JobResult> results = runner->race(jobs);
  expect_outcome(results[0], NETCL_OUTCOME_CRASH);
  expect_outcome(results[1], NETCL_OUTCOME_CORRECT);
  expect_outcome(results[2], NETCL_OUTCOME_HANG);
  expect_outcome(results[3], NETCL_OUTCOME_CORRECT);
  assert_int_equal(results[1].statistics.count, 5);
  assert_int_equal(results[3].statistics.count, 5);
}

// A compiler that does not come back is stood in for by a limit that no compiler keeps.
static void test_compile_limit(void**) {
  const auto runner = make_runner();
  Job job = candidate(std::string(kRight) + "\n  // of this test alone");
  job.limits.compile_ns = 1;
  const JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_TIMEOUT);
  expect_message(result, "while it was compiled");
}

static void test_broken_reference(void**) {
  const auto runner = make_runner();
  for (const char* body : {kCrash, "  nonsense;"}) {
    Job job = candidate(kRight);
    job.reference.job = std::make_shared<Job>(saxpy(body));
    try {
      runner->run(job);
      fail();
    } catch (const Error& error) {
      assert_int_equal(error.status(), NETCL_ERROR_LAUNCH_FAILURE);
      assert_non_null(strstr(error.what(), "the reference saxpy does not run: "));
    }
  }
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
}

static void test_given_bytes(void**) {
  const auto runner = make_runner();
  Job job = saxpy("  if (i < n) { y[i] = 0; out[i] = x[i] + 1; }");
  std::vector<float> input(kCount), want(kCount);
  for (size_t i = 0; i < input.size(); ++i) {
    input[i] = static_cast<float>(i) / 3;
    want[i] = input[i] + 1;
  }
  const auto bytes = [](const std::vector<float>& values) {
    return std::make_shared<std::string>(reinterpret_cast<const char*>(values.data()),
                                         values.size() * sizeof(float));
  };
  job.arguments[0].fill.kind = tune::Fill::Kind::bytes;
  job.arguments[0].fill.bytes = bytes(input);
  tune::Reference::Outputs outputs;
  outputs.seed = 7;
  outputs.outputs.resize(5);
  outputs.outputs[2] = bytes(want);
  job.reference.given = {outputs};
  // The source is in no encoding that JSON knows.
  job.source += "// \xff\xfe \xc3\n";
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
  // The bytes are there already, and come again after a death.
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
  expect_outcome(runner->run(candidate(kCrash)), NETCL_OUTCOME_CRASH);
  expect_outcome(runner->run(job), NETCL_OUTCOME_CORRECT);
  want[3] += 1;
  job.reference.given[0].outputs[2] = bytes(want);
  const JobResult result = runner->run(job);
  expect_outcome(result, NETCL_OUTCOME_CORRECTNESS);
  expect_message(result, "element 3 is 2 and should be 3");
}

static void test_requests_are_refused_alike(void**) {
  const auto runner = make_runner();
  Job job = candidate(kRight);
  job.flags = {"-I/etc"};
  try {
    runner->run(job);
    fail();
  } catch (const Error& error) {
    assert_int_equal(error.status(), NETCL_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.what(), "-I/etc"));
  }
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
}

static void test_cancelled_in_mid_job(void**) {
  const auto runner = make_runner();
  std::atomic<bool> cancel{false};
  Job job = candidate(kHang);
  job.limits.cancel = &cancel;
  job.limits.run_ns = uint64_t{60} * 1000000000;
  std::thread canceller([&] {
    usleep(500000);
    cancel = true;
  });
  const uint64_t begin = monotonic_ns();
  const JobResult result = runner->run(job);
  canceller.join();
  expect_outcome(result, NETCL_OUTCOME_CANCELLED);
  assert_true(monotonic_ns() - begin < uint64_t{30} * 1000000000);
  cancel = false;
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
}

static void test_builtin_is_refused(void**) {
  try {
    make_runner();
    fail();
  } catch (const Error& error) {
    assert_int_equal(error.status(), NETCL_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.what(), "OpenCL C"));
  }
}

int main() {
  device = test_device();
  if (device->builtin()) {
    const CMUnitTest tests[] = {cmocka_unit_test(test_builtin_is_refused)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
  }
  const CMUnitTest tests[] = {cmocka_unit_test(test_correct),
                              cmocka_unit_test(test_broken_set),
                              cmocka_unit_test(test_three_deaths),
                              cmocka_unit_test(test_race_with_broken_ones),
                              cmocka_unit_test(test_compile_limit),
                              cmocka_unit_test(test_broken_reference),
                              cmocka_unit_test(test_given_bytes),
                              cmocka_unit_test(test_requests_are_refused_alike),
                              cmocka_unit_test(test_cancelled_in_mid_job)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
