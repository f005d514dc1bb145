// A worker that is hostile, as one may be after a candidate has run in it: whatever it sends, the
// process that started it gets a verdict or an error in time, and goes on.
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <thread>

#include "core/build_id.hpp"
#include "core/utf8.hpp"
#include "tune/frame.hpp"
#include "workers.hpp"

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail
#define fail() _fail(__FILE__, __LINE__)

using namespace netcl;
using namespace netcl::tests;
using tune::Job;
using tune::JobResult;

static DeviceRef device;
static const char* program;

// A runner whose worker is this program in one of the ways of be_hostile.
static std::unique_ptr<tune::Runner> hostile_runner(const char* way) {
  tune::RunnerOptions options = no_lock();
  options.worker_path = program;
  options.start_timeout_ns = uint64_t{2} * 1000000000;
  setenv("NETCL_TEST_HOSTILE", way, 1);
  return tune::make_worker_runner(device, options);
}

static void expect_no_child() {
  assert_int_equal(waitpid(-1, nullptr, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static Job quick_job() {
  Job job = candidate(kRight);
  job.limits.compile_ns = 500000000;
  job.limits.run_ns = 100000000;
  job.timing.count = 1;
  return job;
}

// A job that the worker answers in a hostile way fails with this outcome within `seconds`.
static void expect_verdict(const char* way, netcl_outcome outcome, const char* message,
                           uint64_t seconds) {
  const auto runner = hostile_runner(way);
  const uint64_t begin = monotonic_ns();
  Job job = quick_job();
  job.until = Job::Until::built;
  const JobResult result = runner->run(job);
  const double took = static_cast<double>(monotonic_ns() - begin) / 1e9;
  if (took > static_cast<double>(seconds)) print_error("%s: %g s\n", way, took);
  assert_true(took <= static_cast<double>(seconds));
  expect_outcome(result, outcome);
  expect_message(result, message);
  expect_no_child();
}

static void test_replies(void**) {
  for (const char* way : {"failed 0", "failed 999", "ready", "no kind", "two results", "no results",
                          "index 7", "phase 99", "huge", "deep", "garbage"}) {
    expect_verdict(way, NETCL_OUTCOME_CRASH, "what it said last is no message", 20);
  }
}

// What it tells reaches no terminal as it is.
static void test_texts(void**) {
  const auto runner = hostile_runner("text");
  try {
    runner->run(quick_job());
    fail();
  } catch (const Error& error) {
    assert_int_equal(error.status(), NETCL_ERROR_NOT_FOUND);
    assert_true(is_utf8_line(error.message()) && error.message().size() <= 1000);
  }
}

static void test_start(void**) {
  for (const char* way : {"start garbage", "start failed", "start phase", "start results"}) {
    const auto runner = hostile_runner(way);
    try {
      runner->run(quick_job());
      fail();
    } catch (const Error& error) {
      assert_int_equal(error.status(), NETCL_ERROR_UNSUPPORTED);
      assert_non_null(strstr(error.what(), program));
    }
    expect_no_child();
  }
}

// It says nothing, or says more and more: time runs all the same.
static void test_time(void**) {
  expect_verdict("mute", NETCL_OUTCOME_TIMEOUT, "the worker was killed", 5);
  expect_verdict("drip", NETCL_OUTCOME_TIMEOUT, "the worker was killed", 5);
  expect_verdict("shout", NETCL_OUTCOME_TIMEOUT, "the worker was killed", 5);
  // Each phase has its time, and all of them together.
  expect_verdict("phases", NETCL_OUTCOME_HANG, "the worker was killed", 30);
}

// Somebody who wants no more of it is heard, however much it sends.
static void test_cancelled(void**) {
  const auto runner = hostile_runner("phases");
  std::atomic<bool> cancel{false};
  Job job = quick_job();
  job.limits.cancel = &cancel;
  std::thread canceller([&] {
    usleep(500000);
    cancel = true;
  });
  const uint64_t begin = monotonic_ns();
  expect_outcome(runner->run(job), NETCL_OUTCOME_CANCELLED);
  canceller.join();
  assert_true(monotonic_ns() - begin < uint64_t{5} * 1000000000);
}

// ---- The worker ---------------------------------------------------------------------------------

static void send_all(const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t sent = send(3, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) _exit(0);
    at += static_cast<size_t>(sent);
  }
}

static void say(const std::string& json) { send_all(tune::frame_header(json.size(), 0) + json); }

// Takes one message of the parent, whatever it is.
static void listen_once() {
  tune::FrameReader reader(uint64_t{1} << 30, uint64_t{1} << 30);
  while (!reader.take()) {
    char piece[8192];
    const ssize_t size = recv(3, piece, sizeof piece, 0);
    if (size <= 0) _exit(0);
    reader.feed({piece, static_cast<size_t>(size)});
  }
}

[[noreturn]] static void talk(const std::string& way) {
  const std::string phase = R"({"kind":"phase","phase":4,"index":0})";
  if (way == "mute") sleep(100);
  while (way == "drip") {
    send_all(tune::frame_header(1000000, 0));
    for (;; usleep(1000)) send_all("\x40");
  }
  // Faster than anybody reads.
  std::string lines, phases;
  while (lines.size() < 1 << 20) lines += "x\n";
  while (phases.size() < 1 << 16) phases += tune::frame_header(phase.size(), 0) + phase;
  while (way == "shout") (void)!write(1, lines.data(), lines.size());
  while (way == "phases") send_all(phases);
  _exit(0);
}

static int be_hostile(const std::string& way) {
  listen_once();
  const std::string welcome = std::string(R"({"kind":"welcome","build":")") + build_id() + "\"}";
  if (way == "start garbage") say("[]");
  if (way == "start failed") say(R"({"kind":"failed","status":0,"message":""})");
  if (way == "start phase") say(R"({"kind":"phase","phase":0,"index":0})");
  if (way == "start results")
    say(R"({"kind":"results","results":[],"stuck":false,"distrusted":false})");
  say(welcome);
  say(R"({"kind":"ready"})");
  listen_once();
  if (way == "failed 0") say(R"({"kind":"failed","status":0,"message":""})");
  if (way == "failed 999") say(R"({"kind":"failed","status":999,"message":""})");
  if (way == "text") {
    say("{\"kind\":\"failed\",\"status\":12,\"message\":\"\\u001b[2J\xc2\x9b"
        "2J\xc3\xbf\\n" +
        std::string(100000, 'x') + "\"}");
  }
  if (way == "ready") say(R"({"kind":"ready"})");
  if (way == "no kind") say("{}");
  if (way == "two results")
    say(R"({"kind":"results","results":[{},{}],"stuck":false,"distrusted":false})");
  if (way == "no results") say(R"({"kind":"results"})");
  if (way == "index 7") say(R"({"kind":"phase","phase":0,"index":7})");
  if (way == "phase 99") say(R"({"kind":"phase","phase":99,"index":0})");
  if (way == "huge") send_all(tune::frame_header(uint64_t{1} << 40, 0));
  if (way == "deep") say(std::string(100000, '['));
  if (way == "garbage") send_all(std::string(1000, 'x'));
  talk(way);
}

int main(int argc, char** argv) {
  char real[4096] = {};
  if (readlink("/proc/self/exe", real, sizeof real - 1) < 0) return 1;
  program = real;
  const char* way = getenv("NETCL_TEST_HOSTILE");
  if (argc > 1 && strcmp(argv[1], "--serve") == 0) return be_hostile(way == nullptr ? "" : way);
  device = test_device();
  if (device->builtin()) {
    print_message(
        "[  SKIPPED ] worker processes run OpenCL C, which the built-in device has not\n");
    return 77;
  }
  const CMUnitTest tests[] = {cmocka_unit_test(test_replies), cmocka_unit_test(test_texts),
                              cmocka_unit_test(test_start), cmocka_unit_test(test_time),
                              cmocka_unit_test(test_cancelled)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
