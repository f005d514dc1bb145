/* Pools: buckets, reuse, caps, trimming, statistics, and memory that the device still uses. */
#include "support.h"

#define KIB ((uint64_t)1024)
#define MIB (KIB * KIB)

static netcl_pool_info pool_info(const netcl_pool *pool) {
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  OK(netcl_pool_get_info(pool, &info));
  return info;
}

static netcl_buffer_info buffer_info(const netcl_buffer *buffer) {
  netcl_buffer_info info = NETCL_BUFFER_INFO_INIT;
  OK(netcl_buffer_get_info(buffer, &info));
  return info;
}

static netcl_pool *make_pool(Fixture *fixture, netcl_pool_kind kind, uint32_t per_bucket,
                             uint64_t max_cached, uint64_t max_bytes) {
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  netcl_pool *pool = NULL;
  options.kind = kind;
  options.max_buffers_per_bucket = per_bucket;
  options.max_cached_bytes = max_cached;
  options.max_bytes = max_bytes;
  OK(netcl_pool_create(fixture->device, &options, &pool));
  return pool;
}

static netcl_buffer *lease(netcl_pool *pool, uint64_t bytes) {
  netcl_buffer *buffer = NULL;
  OK(netcl_pool_allocate(pool, bytes, &buffer));
  return buffer;
}

/* What always holds between the numbers of a pool and those of its buckets. */
static void check_statistics(const netcl_pool *pool) {
  const netcl_pool_info info = pool_info(pool);
  uint32_t count = 0, again = 0;
  OK(netcl_pool_get_buckets(pool, NULL, 0, &count));
  assert_int_equal(count, info.buckets_count);
  netcl_pool_bucket *rows = calloc(count + 1, sizeof *rows);
  memset(rows + count, POISON, sizeof *rows);
  OK(netcl_pool_get_buckets(pool, rows, count, &again));
  assert_int_equal(again, count);
  uint64_t hits = 0, misses = 0, in_use = 0, cached = 0;
  for (uint32_t i = 0; i < count; ++i) {
    CHECK(i == 0 || rows[i].bytes > rows[i - 1].bytes, "bucket %u is not larger than the last", i);
    hits += rows[i].hits;
    misses += rows[i].misses;
    in_use += rows[i].in_use * rows[i].bytes;
    cached += rows[i].cached * rows[i].bytes;
  }
  CHECK(rows[count].bytes == UINT64_C(0xA5A5A5A5A5A5A5A5), "wrote past the capacity");
  free(rows);
  CHECK(hits == info.hits && misses == info.misses && in_use == info.bytes_in_use &&
            cached == info.bytes_cached,
        "buckets: %llu hits, %llu misses, %llu in use, %llu cached; pool: %llu, %llu, %llu, %llu",
        (unsigned long long)hits, (unsigned long long)misses, (unsigned long long)in_use,
        (unsigned long long)cached, (unsigned long long)info.hits,
        (unsigned long long)info.misses, (unsigned long long)info.bytes_in_use,
        (unsigned long long)info.bytes_cached);
  CHECK(info.bytes_allocated == info.bytes_in_use + info.bytes_cached &&
            info.high_water_bytes >= info.bytes_allocated &&
            info.bytes_cached <= info.max_cached_bytes && info.bytes_allocated <= info.max_bytes,
        "allocated %llu, in use %llu, cached %llu of %llu, high water %llu, limit %llu",
        (unsigned long long)info.bytes_allocated, (unsigned long long)info.bytes_in_use,
        (unsigned long long)info.bytes_cached, (unsigned long long)info.max_cached_bytes,
        (unsigned long long)info.high_water_bytes, (unsigned long long)info.max_bytes);
  const uint64_t leases = info.hits + info.misses;
  const double rate = leases == 0 ? 0 : (double)info.hits / (double)leases;
  CHECK(info.hit_rate >= rate - 1e-12 && info.hit_rate <= rate + 1e-12, "hit rate %g, not %g",
        info.hit_rate, rate);
}

static void defaults(void **state) {
  Fixture *fixture = *state;
  netcl_pool *pool = NULL;
  OK(netcl_pool_create(fixture->device, NULL, &pool));
  netcl_pool_info info = pool_info(pool);
  assert_int_equal(info.kind, NETCL_POOL_PERSISTENT);
  assert_int_equal(info.hits + info.misses + info.bytes_allocated + info.high_water_bytes, 0);
  assert_true(info.hit_rate == 0);
  assert_true(info.max_bytes == UINT64_MAX);
  if (getenv("NETCL_MAX_CACHED_GB") == NULL) assert_true(info.max_cached_bytes == 4096 * MIB);
  netcl_pool_release(pool);
  pool = make_pool(fixture, NETCL_POOL_POWER_OF_TWO, 0, 0, 0);
  info = pool_info(pool);
  assert_int_equal(info.kind, NETCL_POOL_POWER_OF_TWO);
  assert_true(info.max_cached_bytes == UINT64_MAX && info.max_bytes == UINT64_MAX);
  netcl_pool_release(pool);
  for (netcl_pool_kind kind = 1; kind <= 3; ++kind) {
    netcl_pool *first = NULL, *second = NULL;
    OK(netcl_device_get_pool(fixture->device, kind, &first));
    OK(netcl_device_get_pool(fixture->device, kind, &second));
    assert_int_equal(pool_info(first).kind, kind);
    const uint64_t before = pool_info(second).hits + pool_info(second).misses;
    netcl_buffer_release(lease(first, 1000));
    assert_int_equal(pool_info(second).hits + pool_info(second).misses, before + 1);
    check_statistics(first);
    netcl_pool_release(first);
    netcl_pool_release(second);
  }
  const netcl_pool_kind wrong[] = {0, -1, 4, 999};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "kind",
               netcl_device_get_pool(fixture->device, wrong[i], &pool));
    options.kind = wrong[i];
    if (wrong[i] != 0) {
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "kind",
                 netcl_pool_create(fixture->device, &options, &pool));
    }
  }
}

static void bucket_table(void **state) {
  Fixture *fixture = *state;
  netcl_pool *pool = make_pool(fixture, NETCL_POOL_PERSISTENT, 0, 0, 0);
  uint64_t low = 0;
  for (uint64_t bucket = KIB; bucket <= 256 * MIB; bucket *= 4) {
    const uint64_t sizes[] = {low + 1, bucket - 1, bucket};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
      /* Largest sizes once: devices may touch what they allocate. */
      if (bucket > 64 * MIB && i > 0) continue;
      netcl_buffer *buffer = lease(pool, sizes[i]);
      const netcl_buffer_info info = buffer_info(buffer);
      CHECK(info.bytes == sizes[i] && info.bucket_bytes == bucket, "%llu bytes come from %llu",
            (unsigned long long)sizes[i], (unsigned long long)info.bucket_bytes);
      netcl_buffer_release(buffer);
    }
    low = bucket;
    check_statistics(pool);
  }
  assert_int_equal(pool_info(pool).buckets_count, 10);
  netcl_pool_release(pool);

  pool = make_pool(fixture, NETCL_POOL_POWER_OF_TWO, 0, 0, 0);
  for (uint64_t bytes = 1; bytes <= 4 * MIB; bytes += bytes / 3 + 1) {
    netcl_buffer *buffer = lease(pool, bytes);
    const uint64_t bucket = buffer_info(buffer).bucket_bytes;
    CHECK((bucket & (bucket - 1)) == 0 && bucket >= bytes && (bucket < 2 * bytes || bytes < 4096),
          "%llu bytes come from %llu", (unsigned long long)bytes, (unsigned long long)bucket);
    netcl_buffer_release(buffer);
  }
  check_statistics(pool);
  netcl_pool_release(pool);
}

static void hits_and_misses(void **state) {
  Fixture *fixture = *state;
  for (netcl_pool_kind kind = 1; kind <= 3; ++kind) {
    netcl_pool *pool = make_pool(fixture, kind, 0, 0, 0);
    netcl_buffer *a = lease(pool, 5000), *b = lease(pool, 5000);
    assert_int_equal(pool_info(pool).misses, 2);
    assert_int_equal(pool_info(pool).hits, 0);
    netcl_buffer_release(a);
    netcl_buffer_release(b);
    check_statistics(pool);
    assert_int_equal(pool_info(pool).bytes_in_use, 0);
    assert_true(pool_info(pool).bytes_cached > 0);
    for (int i = 0; i < 10; ++i) netcl_buffer_release(lease(pool, 4500));
    assert_int_equal(pool_info(pool).hits, 10);
    assert_int_equal(pool_info(pool).misses, 2);
    check_statistics(pool);
    netcl_pool_release(pool);
  }
}

/* The power-of-two pool keeps everything unless it is capped (its originals' limitation, kept). */
static void caps(void **state) {
  Fixture *fixture = *state;
  netcl_buffer *held[24];
  struct Case {
    netcl_pool_kind kind;
    uint32_t per_bucket;
    uint64_t max_cached;
    uint64_t kept;
  } cases[] = {{NETCL_POOL_PERSISTENT, 0, 0, 16}, {NETCL_POOL_PERSISTENT, 3, 0, 3},
               {NETCL_POOL_PERSISTENT, 0, 5 * KIB, 5}, {NETCL_POOL_POWER_OF_TWO, 0, 0, 24},
               {NETCL_POOL_POWER_OF_TWO, 2, 0, 2}, {NETCL_POOL_POWER_OF_TWO, 0, 7 * KIB, 7}};
  for (size_t c = 0; c < COUNT_OF(cases); ++c) {
    netcl_pool *pool = make_pool(fixture, cases[c].kind, cases[c].per_bucket, cases[c].max_cached,
                                 0);
    for (int i = 0; i < 24; ++i) held[i] = lease(pool, KIB);
    const uint64_t bucket = buffer_info(held[0]).bucket_bytes;
    for (int i = 0; i < 24; ++i) {
      netcl_buffer_release(held[i]);
      check_statistics(pool);
    }
    const netcl_pool_info info = pool_info(pool);
    CHECK(info.bytes_cached == cases[c].kept * KIB && bucket == KIB, "case %zu keeps %llu bytes",
          c, (unsigned long long)info.bytes_cached);
    CHECK(info.high_water_bytes == 24 * KIB, "high water %llu",
          (unsigned long long)info.high_water_bytes);
    OK(netcl_pool_trim(pool, 2 * KIB));
    CHECK(pool_info(pool).bytes_cached == 2 * KIB, "after a trim to 2 KiB %llu are cached",
          (unsigned long long)pool_info(pool).bytes_cached);
    check_statistics(pool);
    OK(netcl_pool_trim(pool, UINT64_MAX));
    CHECK(pool_info(pool).bytes_cached == 2 * KIB, "a trim to no limit took memory away");
    OK(netcl_pool_trim(pool, 0));
    CHECK(pool_info(pool).bytes_allocated == 0, "a trim to 0 left memory");
    check_statistics(pool);
    netcl_pool_release(pool);
  }
}

static void limit(void **state) {
  Fixture *fixture = *state;
  netcl_pool *pool = make_pool(fixture, NETCL_POOL_PERSISTENT, 0, 0, 8 * KIB);
  netcl_buffer *held[8], *more = (netcl_buffer *)1;
  for (int i = 0; i < 8; ++i) held[i] = lease(pool, KIB);
  FAILS(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, netcl_pool_allocate(pool, 1, &more));
  CHECK(more == NULL || more == (netcl_buffer *)1, "the output was written");
  check_statistics(pool);
  for (int i = 0; i < 4; ++i) netcl_buffer_release(held[i]);
  /* 4 KiB are cached in small pieces; the pool must give them back to serve a larger one. */
  more = lease(pool, 3 * KIB);
  check_statistics(pool);
  netcl_buffer_release(more);
  for (int i = 4; i < 8; ++i) netcl_buffer_release(held[i]);
  FAILS(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, netcl_pool_allocate(pool, 9 * KIB, &more));
  check_statistics(pool);
  netcl_pool_release(pool);
}

static void absurd_sizes(void **state) {
  Fixture *fixture = *state;
  for (netcl_pool_kind kind = 1; kind <= 3; ++kind) {
    netcl_pool *pool = make_pool(fixture, kind, 0, 0, 0);
    const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX - 4096, (uint64_t)1 << 63,
                              ((uint64_t)1 << 63) + 1, (uint64_t)1 << 60, (uint64_t)1 << 50};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
      netcl_buffer *buffer = NULL;
      const netcl_status status = netcl_pool_allocate(pool, sizes[i], &buffer);
      CHECK(status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY ||
                status == NETCL_ERROR_OUT_OF_HOST_MEMORY || status == NETCL_ERROR_INVALID_ARGUMENT,
            "%llu bytes give %s", (unsigned long long)sizes[i], netcl_status_name(status));
      assert_null(buffer);
    }
    check_statistics(pool);
    netcl_buffer *empty = lease(pool, 0);
    assert_int_equal(buffer_info(empty).bytes, 0);
    netcl_buffer_release(empty);
    check_statistics(pool);
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_pool_allocate(pool, 16, NULL));
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_pool_get_buckets(pool, NULL, 3, NULL));
    netcl_pool_release(pool);
  }
}

/* The lease ends with the last tensor made from the buffer, and outlives the pool's handle. */
static void leases_and_tensors(void **state) {
  Fixture *fixture = *state;
  netcl_pool *pool = make_pool(fixture, NETCL_POOL_PERSISTENT, 0, 0, 0);
  const int64_t shape[] = {16};
  netcl_tensor *tensor = NULL, *view = NULL;
  netcl_buffer *buffer = lease(pool, 64);
  const netcl_range range = {4, 4, 1};
  OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_I32, 1, shape, NULL, &tensor));
  OK(netcl_tensor_slice(tensor, &range, 1, &view));
  netcl_buffer_release(buffer);
  netcl_tensor_release(tensor);
  assert_int_equal(pool_info(pool).bytes_in_use, KIB);
  OK(netcl_tensor_get_buffer(view, &buffer));
  netcl_tensor_release(view);
  assert_int_equal(pool_info(pool).bytes_in_use, KIB);
  netcl_buffer_release(buffer);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  assert_int_equal(pool_info(pool).bytes_in_use, 0);
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  options.pool = pool;
  OK(netcl_tensor_create(fixture->device, NETCL_F32, 1, shape, NULL, &options, &tensor));
  assert_int_equal(pool_info(pool).bytes_in_use, KIB);
  assert_int_equal(tensor_info(tensor).pooled, 1);
  netcl_pool_release(pool);
  const int32_t values[16] = {1, 2, 3};
  OK(netcl_tensor_write(tensor, values, sizeof values, NULL, LONG_WAIT));
  CHECK_TENSOR(tensor, values);
  netcl_tensor_release(tensor);
}

/* A slow writer on one queue, its memory released at once and asked for again on another. */
static void memory_in_flight(void **state) {
  Fixture *fixture = *state;
  enum { N = 64, ROUNDS = 200 };
  const int64_t shape[] = {1, N, N}, all[] = {ROUNDS, N, N};
  netcl_pool *pool = make_pool(fixture, NETCL_POOL_PERSISTENT, 4, 0, 0);
  netcl_tensor_options from_pool = NETCL_TENSOR_OPTIONS_INIT;
  netcl_queue *slow = NULL, *quick = NULL;
  netcl_tensor *ones = NULL, *wide = NULL, *first = NULL, *second = NULL;
  const float one = 1.0f / N;
  from_pool.pool = pool;
  OK(netcl_queue_create(fixture->device, NULL, &slow));
  OK(netcl_queue_create(fixture->device, NULL, &quick));
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 3, shape, NULL, &one, NULL, &ones));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, all, NULL, NULL, &first));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, all, NULL, NULL, &second));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 3, shape, NULL, NULL, &wide));
  for (int round = 0; round < ROUNDS; ++round) {
    const netcl_range ranges[] = {{round, 1, 1}, {0, N, 1}, {0, N, 1}};
    const float value = (float)(round + 1);
    netcl_tensor *a = NULL, *b = NULL, *into = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    OK(netcl_tensor_create(fixture->device, NETCL_F32, 3, shape, NULL, &from_pool, &a));
    OK(netcl_tensor_slice(first, ranges, 3, &into));
    run.queue = slow;
    OK(netcl_op_fill(wide, &value, &run));
    run.into = a;
    OK(netcl_op_matmul(wide, ones, NULL, &run, NULL));  /* = value, exactly */
    run.into = into;
    OK(netcl_op_copy(a, &run, NULL));
    netcl_tensor_release(into);
    netcl_tensor_release(a);
    OK(netcl_tensor_create(fixture->device, NETCL_F32, 3, shape, NULL, &from_pool, &b));
    OK(netcl_tensor_slice(second, ranges, 3, &into));
    run.queue = quick;
    run.into = NULL;
    const float other = -value;
    OK(netcl_op_fill(b, &other, &run));
    run.into = into;
    OK(netcl_op_copy(b, &run, NULL));
    netcl_tensor_release(into);
    netcl_tensor_release(b);
  }
  float *x = read_tensor(first), *y = read_tensor(second);
  for (int i = 0; i < ROUNDS * N * N; ++i) {
    const float wanted = (float)(i / (N * N) + 1);
    CHECK(x[i] == wanted && y[i] == -wanted, "round %d: %g and %g", i / (N * N), x[i], y[i]);
  }
  free(x);
  free(y);
  netcl_tensor_release(ones);
  netcl_tensor_release(wide);
  netcl_tensor_release(first);
  netcl_tensor_release(second);
  netcl_queue_release(slow);
  netcl_queue_release(quick);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  /* All of it is done, so the pool gets its memory back. */
  netcl_buffer_release(lease(pool, N * N * 4));
  check_statistics(pool);
  assert_int_equal(pool_info(pool).bytes_in_use, 0);
  CHECK(pool_info(pool).hits > 0, "nothing was ever reused");
  netcl_pool_release(pool);
}

static void random_leases(void **state) {
  Fixture *fixture = *state;
  for (netcl_pool_kind kind = 1; kind <= 3; ++kind) {
    netcl_pool *pool = make_pool(fixture, kind, 5, MIB, 8 * MIB);
    netcl_buffer *held[32] = {NULL};
    for (int step = 0; step < 1000; ++step) {
      const int at = (int)random_in(0, 31);
      netcl_buffer_release(held[at]);
      held[at] = NULL;
      if (random_in(0, 3) > 0) {
        const uint64_t bytes = (uint64_t)random_in(0, 1 << random_in(0, 19));
        const netcl_status status = netcl_pool_allocate(pool, bytes, &held[at]);
        CHECK(status == NETCL_OK || status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "%s",
              netcl_last_error_message());
      }
      if (random_in(0, 30) == 0) OK(netcl_pool_trim(pool, (uint64_t)random_in(0, 1 << 18)));
      check_statistics(pool);
    }
    for (int i = 0; i < 32; ++i) netcl_buffer_release(held[i]);
    check_statistics(pool);
    assert_int_equal(pool_info(pool).bytes_in_use, 0);
    netcl_pool_release(pool);
  }
}

static netcl_status info_call(void *context, void *info) {
  return netcl_pool_get_info(context, info);
}

static void structs(void **state) {
  Fixture *fixture = *state;
  netcl_pool *pool = make_pool(fixture, NETCL_POOL_PERSISTENT, 0, 0, 0);
  netcl_buffer_release(lease(pool, 100));
  check_info_rules("netcl_pool_info", info_call, pool, sizeof(netcl_pool_info), 0, 0);
  netcl_pool_release(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(defaults),           DEVICE_TEST(bucket_table),
      DEVICE_TEST(hits_and_misses),    DEVICE_TEST(caps),
      DEVICE_TEST(limit),              DEVICE_TEST(absurd_sizes),
      DEVICE_TEST(leases_and_tensors), DEVICE_TEST(memory_in_flight),
      DEVICE_TEST(random_leases),      DEVICE_TEST(structs),
  };
  seed_random("pool");
  return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
