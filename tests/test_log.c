/* The log: levels, the ring, the callback. */
#include <pthread.h>

#include "support.h"

#define RING 256

/* A bad handle given to release is only logged: the easiest way to get a record. */
static void log_something(void) { netcl_tensor_release((netcl_tensor *)(uintptr_t)0x51D3CA11u); }

static int restore_log(void **state) {
  (void)state;
  netcl_log_set_callback(NULL, NULL, NULL);
  netcl_log_set_level(NETCL_LOG_WARNING);
  return 0;
}

static void ring(void **state) {
  (void)state;
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  const uint64_t start = log_last_sequence();
  memset(record.message, POISON, sizeof record.message);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_log_read(start, &record));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_log_read(UINT64_MAX, &record));
  log_something();
  OK(netcl_log_read(start, &record));
  assert_int_equal(record.sequence, start + 1);
  CHECK(record.message[0] != '\0' && strchr(record.message, '\n') == NULL, "\"%s\"",
        record.message);
  CHECK(record.level == NETCL_LOG_WARNING || record.level == NETCL_LOG_ERROR, "level %d",
        record.level);
  CHECK(record.time_ns > 1700000000 * SECOND, "time %llu", (unsigned long long)record.time_ns);
  assert_int_equal(record.reserved, 0);
  /* Reading takes nothing away. */
  OK(netcl_log_read(start, &record));
  assert_int_equal(record.sequence, start + 1);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_log_read(start + 1, &record));

  for (int i = 0; i < RING + 50; ++i) log_something();
  const uint64_t last = start + 1 + RING + 50;
  assert_int_equal(log_last_sequence(), last);
  OK(netcl_log_read(0, &record));
  assert_int_equal(record.sequence, last - RING + 1);
  uint64_t after = record.sequence, time_ns = record.time_ns;
  while (netcl_log_read(after, &record) == NETCL_OK) {
    assert_int_equal(record.sequence, after + 1);
    CHECK(record.time_ns + SECOND > time_ns, "the time goes back");
    after = record.sequence;
    time_ns = record.time_ns;
  }
  assert_int_equal(after, last);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_log_read(0, NULL));
}

static netcl_status read_first(void *context, void *info) {
  return netcl_log_read(*(const uint64_t *)context - 1, info);
}

static void record_struct(void **state) {
  (void)state;
  log_something();
  uint64_t last = log_last_sequence();
  check_info_rules("netcl_log_record", read_first, &last, sizeof(netcl_log_record), 0, 0);
}

static void levels(void **state) {
  (void)state;
  const uint64_t start = log_last_sequence();
  OK(netcl_log_set_level(NETCL_LOG_OFF));
  log_something();
  assert_int_equal(log_last_sequence(), start);
  OK(netcl_log_set_level(NETCL_LOG_DEBUG));
  log_something();
  CHECK(log_last_sequence() > start, "nothing is logged at DEBUG");
  const netcl_log_level wrong[] = {-1, 5, 99, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "level", netcl_log_set_level(wrong[i]));
  }
}

typedef struct Sink {
  int records;
  int destroyed;
  int reenter;
  uint64_t last;
  int other_thread;
  int disorder;
  pthread_t thread;
} Sink;

static void receive(const netcl_log_record *record, void *user_data) {
  Sink *sink = user_data;
  ++sink->records;
  if (record->sequence <= sink->last) ++sink->disorder;
  sink->last = record->sequence;
  if (!pthread_equal(pthread_self(), sink->thread)) ++sink->other_thread;
  if (sink->reenter > 0) {
    /* A callback may call the library, even in a way that logs again. */
    uint64_t count = 0;
    --sink->reenter;
    netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &count);
    log_something();
  }
}

static void destroy(void *user_data) { ++((Sink *)user_data)->destroyed; }

static Sink fresh_sink(void) {
  Sink sink;
  memset(&sink, 0, sizeof sink);
  sink.thread = pthread_self();
  return sink;
}

static void callback(void **state) {
  (void)state;
  Sink first = fresh_sink(), second = fresh_sink();
  log_something();  /* Older than the callback, so it is not a new record. */
  OK(netcl_log_set_callback(receive, &first, destroy));
  assert_int_equal(first.records, 0);
  log_something();
  assert_int_equal(first.records, 1);  /* Delivered at the end of the call. */
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  while (netcl_log_read(record.sequence, &record) == NETCL_OK) continue;
  assert_int_equal(first.records, 1);  /* Reading does not deliver again, ... */
  assert_int_equal(first.last, log_last_sequence());
  OK(netcl_log_set_callback(receive, &second, NULL));
  assert_int_equal(first.destroyed, 1);
  log_something();
  assert_int_equal(first.records, 1);
  assert_int_equal(second.records, 1);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "destroy",
             netcl_log_set_callback(NULL, &second, destroy));
  assert_int_equal(second.destroyed, 0);
  OK(netcl_log_set_callback(receive, &first, destroy));
  assert_int_equal(second.destroyed, 0);  /* ... and no destroy function means no call. */
  OK(netcl_log_set_callback(NULL, NULL, NULL));
  assert_int_equal(first.destroyed, 2);
  log_something();
  assert_int_equal(first.records, 1);
  assert_int_equal(first.other_thread, 0);
}

static void callback_may_call_in(void **state) {
  (void)state;
  Sink sink = fresh_sink();
  sink.reenter = 5;
  OK(netcl_log_set_callback(receive, &sink, destroy));
  log_something();
  for (int i = 0; i < 10 && sink.records < 6; ++i) OK(netcl_log_set_level(NETCL_LOG_WARNING));
  assert_int_equal(sink.records, 6);
  assert_int_equal(sink.disorder, 0);
  OK(netcl_log_set_callback(NULL, NULL, NULL));
  assert_int_equal(sink.destroyed, 1);
}

/* What a callback calls does not change the last error of the call that it runs in. */
static void fail_inside(const netcl_log_record *record, void *user_data) {
  netcl_device *device = NULL;
  (void)record;
  ++*(int *)user_data;
  netcl_device_open("no such device", NULL, &device);
}

static void callback_keeps_the_last_error(void **state) {
  (void)state;
  int calls = 0;
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  OK(netcl_log_set_callback(fail_inside, &calls, NULL));
  OK(netcl_log_set_level(NETCL_LOG_DEBUG));
  calls = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "999", netcl_log_set_level(999));
  assert_true(calls > 0);
  OK(netcl_last_error_get_info(&info));
  assert_int_equal(info.status, NETCL_ERROR_INVALID_ARGUMENT);
  /* Nor does it when the call succeeds, or is a release. */
  log_something();
  OK(netcl_last_error_get_info(&info));
  assert_int_equal(info.status, NETCL_ERROR_INVALID_ARGUMENT);
  assert_non_null(strstr(info.message, "999"));
  OK(netcl_log_set_level(NETCL_LOG_WARNING));
  OK(netcl_log_set_callback(NULL, NULL, NULL));
}

/* A callback that replaces itself: its user data must outlive the delivery under way. */
static void replace_self(const netcl_log_record *record, void *user_data) {
  Sink *sink = user_data;
  (void)record;
  ++sink->records;
  netcl_log_set_callback(NULL, NULL, NULL);
  if (sink->destroyed != 0) ++sink->disorder;
}

static void callback_may_replace_itself(void **state) {
  (void)state;
  Sink sink = fresh_sink();
  OK(netcl_log_set_callback(replace_self, &sink, destroy));
  log_something();
  assert_int_equal(sink.records, 1);
  assert_int_equal(sink.disorder, 0);
  for (int i = 0; i < 3; ++i) log_something();
  assert_int_equal(sink.records, 1);
  assert_int_equal(sink.destroyed, 1);
}

#define THREADS 4
#define EACH 40
static pthread_mutex_t seen_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char seen[THREADS * EACH + 1];
static uint64_t seen_from;
static int seen_twice;

static void receive_shared(const netcl_log_record *record, void *user_data) {
  (void)user_data;
  pthread_mutex_lock(&seen_lock);
  const uint64_t at = record->sequence - seen_from;
  if (at <= THREADS * EACH && seen[at]++ != 0) ++seen_twice;
  pthread_mutex_unlock(&seen_lock);
}

static void *log_many(void *unused) {
  (void)unused;
  for (int i = 0; i < EACH; ++i) log_something();
  return NULL;
}

static void each_record_is_delivered_once(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  seen_from = log_last_sequence();
  OK(netcl_log_set_callback(receive_shared, NULL, NULL));
  for (int i = 0; i < THREADS; ++i) {
    assert_int_equal(pthread_create(&threads[i], NULL, log_many, NULL), 0);
  }
  for (int i = 0; i < THREADS; ++i) assert_int_equal(pthread_join(threads[i], NULL), 0);
  OK(netcl_log_set_level(NETCL_LOG_WARNING));
  OK(netcl_log_set_callback(NULL, NULL, NULL));
  assert_int_equal(seen_twice, 0);
  for (int i = 1; i <= THREADS * EACH; ++i) {
    CHECK(seen[i] == 1, "record %d of %d was delivered %d times", i, THREADS * EACH, seen[i]);
  }
}

#define LOG_TEST(function) cmocka_unit_test_teardown(function, restore_log)

int main(void) {
  const struct CMUnitTest tests[] = {
      LOG_TEST(ring),
      LOG_TEST(record_struct),
      LOG_TEST(levels),
      LOG_TEST(callback),
      LOG_TEST(callback_may_call_in),
      LOG_TEST(callback_keeps_the_last_error),
      LOG_TEST(callback_may_replace_itself),
      LOG_TEST(each_record_is_delivered_once),
  };
  seed_random("log");
  return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
