// Worker processes: one that is missing, foreign or killed, what it inherits, how it ends, and who
// may use a device.
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <thread>

#include "core/build_id.hpp"
#include "core/file.hpp"
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

static std::unique_ptr<tune::Runner> make_runner() {
  return tune::make_worker_runner(device, worker_options());
}

static void expect_no_worker(const tune::RunnerOptions& options, netcl_status status,
                             std::initializer_list<const char*> parts) {
  try {
    const auto runner = tune::make_worker_runner(device, options);
    runner->run(candidate(kRight));
    fail();
  } catch (const Error& error) {
    for (const char* part : parts) {
      if (error.status() == status && strstr(error.what(), part) != nullptr) continue;
      print_error("%d \"%s\" does not say \"%s\"\n", error.status(), error.what(), part);
      fail();
    }
  }
}

static std::string copy_worker(const char* name) {
  std::string path = temporary_name("netcl_worker_XXXXXX");
  assert_non_null(mkdtemp(path.data()));
  path += std::string("/") + name;
  FILE* from = fopen(NETCL_WORKER_FILE, "rb");
  FILE* to = fopen(path.c_str(), "wb");
  assert_true(from != nullptr && to != nullptr);
  std::string bytes;
  char piece[65536];
  for (size_t size; (size = fread(piece, 1, sizeof piece, from)) > 0;) bytes.append(piece, size);
  fclose(from);
  // Another build, as it says of itself.
  const std::string id = build_id();
  for (size_t at = bytes.find(id); at != std::string::npos; at = bytes.find(id, at + 1)) {
    bytes[at] = bytes[at] == '0' ? '1' : '0';
  }
  assert_int_equal(fwrite(bytes.data(), 1, bytes.size(), to), bytes.size());
  fclose(to);
  chmod(path.c_str(), 0700);
  return path;
}

static void test_no_worker(void**) {
  tune::RunnerOptions options = no_lock();
  options.worker_path = "/nowhere/netcl-worker";
  expect_no_worker(options, NETCL_ERROR_UNSUPPORTED,
                   {"/nowhere/netcl-worker", "No such file", "NETCL_WORKER"});
  // Beside this program, which holds the library, there is none; every place is named.
  options.worker_path = "";
  expect_no_worker(options, NETCL_ERROR_UNSUPPORTED,
                   {"../libexec/netcl/netcl-worker", "tests/internal/netcl-worker"});
  options.worker_path = "/";
  expect_no_worker(options, NETCL_ERROR_UNSUPPORTED, {"it is no file"});
  options.worker_path = "/etc/passwd";
  expect_no_worker(options, NETCL_ERROR_UNSUPPORTED, {"/etc/passwd", "Permission denied"});
  options.worker_path = "/bin/true";
  expect_no_worker(options, NETCL_ERROR_UNSUPPORTED, {"/bin/true", "ended", "exit code 0"});
  options.worker_path = "/bin/cat";
  expect_no_worker(options, NETCL_ERROR_UNSUPPORTED, {"/bin/cat", "ended"});
  // This very program, which answers nonsense, see main.
  options.worker_path = program;
  expect_no_worker(options, NETCL_ERROR_UNSUPPORTED, {"no message"});
  options.start_timeout_ns = 300000000;
  setenv("NETCL_TEST_MUTE", "1", 1);
  expect_no_worker(options, NETCL_ERROR_TIMEOUT, {"did not answer in time"});
  unsetenv("NETCL_TEST_MUTE");
  assert_int_equal(children().size(), 0);
}

static void test_another_build(void**) {
  tune::RunnerOptions options = no_lock();
  options.worker_path = copy_worker("netcl-worker");
  expect_no_worker(options, NETCL_ERROR_UNSUPPORTED, {"is of build", build_id()});
  unlink(options.worker_path.c_str());
  rmdir(options.worker_path.substr(0, options.worker_path.rfind('/')).c_str());
}

// Somebody kills the worker in the middle of a job.
static void test_killed_in_mid_job(void**) {
  std::string path = temporary_name("netcl_lock_XXXXXX");
  close(mkstemp(path.data()));
  tune::RunnerOptions options = worker_options();
  options.lock = true;
  options.lock_path = path;
  Job job = candidate(kHang);
  job.limits.run_ns = uint64_t{100} * 1000000000;
  std::unique_ptr<tune::Runner> runner;
  JobResult result;
  // On a slow machine the worker may still be at the reference: then it gets more time.
  for (useconds_t wait = 500000;; wait *= 2) {
    runner = tune::make_worker_runner(device, options);
    std::thread killer([&] {
      wait_for_lock(path);
      usleep(wait);
      for (const pid_t pid : children()) kill(pid, SIGKILL);
    });
    bool early = false;
    try {
      result = runner->run(job);
    } catch (const Error&) {
      early = true;
    }
    killer.join();
    if (!early) break;
    assert_true(wait < 30000000);
  }
  expect_outcome(result, NETCL_OUTCOME_CRASH);
  expect_message(result, "signal 9 (killed)");
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
  unlink(path.c_str());
}

// Nobody reads what is written: EPIPE is an error like any other and no signal ends this program.
static void test_nobody_reads(void**) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  close(ends[0]);
  const struct sigaction by_default {};
  struct sigaction before;
  assert_int_equal(sigaction(SIGPIPE, &by_default, &before), 0);
  assert_int_equal(write_exactly(ends[1], "lost", 4), EPIPE);
  close(ends[1]);
  const auto runner = make_runner();
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
  for (const pid_t pid : children()) kill(pid, SIGKILL);
  while (!children().empty()) usleep(1000);
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
  sigset_t pending, mask;
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  assert_false(sigismember(&pending, SIGPIPE) || sigismember(&mask, SIGPIPE));
  struct sigaction now;
  sigaction(SIGPIPE, &before, &now);
  assert_true(now.sa_handler == SIG_DFL);
}

// With SIGCHLD ignored children vanish without a status.
static void test_children_ignored(void**) {
  signal(SIGCHLD, SIG_IGN);
  {
    const auto runner = make_runner();
    expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
    expect_crash(runner->run(candidate(kCrash)));
    Job endless = candidate(kHang);
    endless.limits.run_ns = 300000000;
    expect_outcome(runner->run(endless), NETCL_OUTCOME_HANG);
    expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
  }
  assert_int_equal(children().size(), 0);
  struct sigaction now;
  sigaction(SIGCHLD, nullptr, &now);
  assert_true(now.sa_handler == SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
}

// Nothing that is open here is open there, whatever its flags.
static void test_descriptors(void**) {
  int leak[2];
  assert_int_equal(pipe(leak), 0);
  const auto runner = make_runner();
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
  const std::vector<pid_t> workers = children();
  assert_int_equal(workers.size(), 1);
  // The pipe's other end is nowhere else, so its end shows at once.
  close(leak[1]);
  const std::string folder = "/proc/" + std::to_string(workers[0]) + "/fd";
  DIR* fds = opendir(folder.c_str());
  assert_non_null(fds);
  struct stat ours;
  assert_int_equal(fstat(leak[0], &ours), 0);
  while (const dirent* entry = readdir(fds)) {
    struct stat facts;
    if (stat((folder + "/" + entry->d_name).c_str(), &facts) != 0) continue;
    assert_false(facts.st_dev == ours.st_dev && facts.st_ino == ours.st_ino);
  }
  closedir(fds);
  close(leak[0]);
}

// The line of a file of /proc that begins with a word.
static std::string line_of(const std::string& path, const char* word) {
  FILE* file = fopen(path.c_str(), "r");
  assert_non_null(file);
  char line[256];
  std::string found;
  while (fgets(line, sizeof line, file) != nullptr) {
    if (strncmp(line, word, strlen(word)) == 0) found = line;
  }
  fclose(file);
  return found;
}

// It gains no privileges, dumps no memory, and writes no file without an end.
static void test_limits(void**) {
  const auto runner = make_runner();
  expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
  const std::vector<pid_t> workers = children();
  assert_int_equal(workers.size(), 1);
  const std::string folder = "/proc/" + std::to_string(workers[0]);
  int privileges = 0, filters = 0;
  long soft = -1, hard = -1;
  assert_int_equal(
      sscanf(line_of(folder + "/status", "NoNewPrivs:").c_str(), "NoNewPrivs: %d", &privileges), 1);
  assert_int_equal(sscanf(line_of(folder + "/status", "Seccomp:").c_str(), "Seccomp: %d", &filters),
                   1);
  assert_true(privileges == 1 && filters == 2);
  assert_int_equal(sscanf(line_of(folder + "/limits", "Max core file size").c_str(),
                          "Max core file size %ld %ld", &soft, &hard),
                   2);
  assert_true(soft == 0 && hard == 0);
  assert_int_equal(sscanf(line_of(folder + "/limits", "Max file size").c_str(),
                          "Max file size %ld %ld", &soft, &hard),
                   2);
  assert_true(soft == 256 << 20 && hard == 256 << 20);
}

static void test_worker_goes_with_its_runner(void**) {
  std::vector<pid_t> workers;
  {
    const auto runner = make_runner();
    expect_outcome(runner->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
    workers = children();
    assert_int_equal(workers.size(), 1);
    // A group of its own, so that a key in the terminal leaves it alone.
    assert_int_equal(getpgid(workers[0]), workers[0]);
  }
  assert_true(gone_within(workers[0], 1));
}

// A program that is killed leaves no worker behind, also when its kernel never ends.
static void test_parent_killed(void**) {
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  const std::string number = std::to_string(pipes[1]);
  const char* arguments[] = {program, "parent", number.c_str(), nullptr};
  pid_t parent = 0;
  assert_int_equal(
      posix_spawn(&parent, program, nullptr, nullptr, const_cast<char* const*>(arguments), environ),
      0);
  close(pipes[1]);
  pid_t worker = 0;
  assert_int_equal(read(pipes[0], &worker, sizeof worker), sizeof worker);
  assert_int_equal(kill(worker, 0), 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  assert_true(gone_within(worker, 10));
  close(pipes[0]);
}

// The part of test_parent_killed that is killed: it says who its worker is while that is busy.
static int be_parent(int report) {
  device = test_device();
  auto runner = make_runner();
  std::thread teller([report] {
    std::vector<pid_t> workers;
    while ((workers = children()).empty()) usleep(10000);
    usleep(1000000);
    const pid_t worker = workers[0];
    (void)!write(report, &worker, sizeof worker);
  });
  Job job = candidate(kHang);
  job.limits.run_ns = uint64_t{120} * 1000000000;
  runner->run(job);
  teller.join();
  return 0;
}

static void test_lock(void**) {
  std::string path = temporary_name("netcl_lock_XXXXXX");
  close(mkstemp(path.data()));
  tune::RunnerOptions options = worker_options();
  options.lock = true;
  options.lock_path = path;
  options.lock_timeout_ns = 300000000;
  const auto first = tune::make_worker_runner(device, options);
  expect_outcome(first->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
  std::atomic<bool> cancel{false};
  Job endless = candidate(kHang);
  endless.limits.cancel = &cancel;
  endless.limits.run_ns = uint64_t{60} * 1000000000;
  std::thread holder([&] { first->run(endless); });
  wait_for_lock(path);
  const auto second = tune::make_worker_runner(device, options);
  try {
    second->run(candidate(kRight));
    fail();
  } catch (const Error& error) {
    assert_int_equal(error.status(), NETCL_ERROR_BUSY);
    assert_non_null(strstr(error.what(), path.c_str()));
    assert_non_null(strstr(error.what(), std::to_string(getpid()).c_str()));
  }
  // To compile nobody has to wait.
  Job job = candidate(kRight);
  job.until = Job::Until::built;
  expect_outcome(second->run(job), NETCL_OUTCOME_CORRECT);
  cancel = true;
  holder.join();
  expect_outcome(second->run(candidate(kRight)), NETCL_OUTCOME_CORRECT);
  unlink(path.c_str());
}

// Stands in for a worker that is none.
static int be_false_worker() {
  if (std::getenv("NETCL_TEST_MUTE") != nullptr) sleep(20);
  (void)!write(3, "GARBAGE GARBAGE GARBAGE GARBAGE ", 32);
  sleep(1);
  return 0;
}

int main(int argc, char** argv) {
  char real[4096] = {};
  if (readlink("/proc/self/exe", real, sizeof real - 1) < 0) return 1;
  program = real;
  if (argc > 1 && strcmp(argv[1], "--serve") == 0) return be_false_worker();
  if (argc > 2 && strcmp(argv[1], "parent") == 0) return be_parent(atoi(argv[2]));
  device = test_device();
  if (device->builtin()) {
    // Where there is no OpenCL C there is no worker.
    print_message(
        "[  SKIPPED ] worker processes run OpenCL C, which the built-in device has not\n");
    return 77;
  }
  const CMUnitTest tests[] = {cmocka_unit_test(test_no_worker),
                              cmocka_unit_test(test_another_build),
                              cmocka_unit_test(test_killed_in_mid_job),
                              cmocka_unit_test(test_nobody_reads),
                              cmocka_unit_test(test_children_ignored),
                              cmocka_unit_test(test_descriptors),
                              cmocka_unit_test(test_limits),
                              cmocka_unit_test(test_worker_goes_with_its_runner),
                              cmocka_unit_test(test_parent_killed),
                              cmocka_unit_test(test_lock)};
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
