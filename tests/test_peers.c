/* Copies from one GPU of CUDA to another, with memory that CUDA sees and other memory. */
#include "support_gpus.h"

#include <pthread.h>
#include <stdio.h>

enum { PEER_LEAST = 256 << 10, PIECE = 64 << 20 };

static void roads(void** state) {
  (void)state;
  for (uint32_t i = 0; i < gpus_count; ++i) {
    for (uint32_t k = 0; k < gpus_count; ++k) {
      netcl_copy_explanation out = NETCL_COPY_EXPLANATION_INIT;
      OK(netcl_device_explain_copy(gpus[i], gpus[k], &out));
      assert_int_equal(out.road, i == k ? NETCL_COPY_ROAD_DEVICE : NETCL_COPY_ROAD_PEER);
      if (i == k) continue;
      assert_int_equal(out.packs, 1);
      assert_int_equal(out.piece_bytes, PEER_LEAST);
      CHECK(strstr(out.reason, "share = 1") != NULL, "%s", out.reason);
    }
  }
}

static netcl_tensor* tensor_of(netcl_device* device, netcl_dtype dtype, int64_t count, int share,
                               const void* data) {
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor* tensor = NULL;
  options.share = (uint32_t)share;
  OK(netcl_tensor_create(device, dtype, 1, &count, NULL, &options, &tensor));
  OK(netcl_tensor_write(tensor, data, (size_t)count * netcl_dtype_size(dtype), NULL, LONG_WAIT));
  return tensor;
}

static netcl_tensor* part_of(netcl_tensor* tensor, int64_t first, int64_t count) {
  const netcl_range range = {first, count, 1};
  netcl_tensor* part = NULL;
  OK(netcl_tensor_slice(tensor, &range, 1, &part));
  return part;
}

/* A part of one tensor to a part of another; what lies around it stays. */
static void copy_part(netcl_device* from, netcl_device* to, netcl_dtype dtype, int64_t count,
                      int shares) {
  const int64_t before = random_in(0, 70), behind = random_in(0, 70);
  const size_t size = netcl_dtype_size(dtype);
  const size_t bytes = (size_t)(before + count + behind) * size;
  unsigned char* const given = malloc(bytes + 1);
  unsigned char* const wanted = malloc(bytes + 1);
  unsigned char* const got = malloc(bytes + 1);
  for (size_t i = 0; i < bytes; i += 8) {
    const uint64_t word = (uint64_t)random_in(0, INT64_MAX - 1);
    memcpy(given + i, &word, bytes - i < 8 ? bytes - i : 8);
  }
  if (dtype == NETCL_BOOL) {
    for (size_t i = 0; i < bytes; ++i) given[i] &= 1;
  }
  memset(wanted, dtype == NETCL_BOOL ? 1 : POISON, bytes);
  netcl_tensor* const source = tensor_of(from, dtype, before + count + behind, shares & 1, given);
  netcl_tensor* const target = tensor_of(to, dtype, before + count + behind, shares >> 1, wanted);
  netcl_tensor* const source_part = part_of(source, behind, count);
  netcl_tensor* const target_part = part_of(target, before, count);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event* event = NULL;
  run.into = target_part;
  run.event = &event;
  OK(netcl_op_copy(source_part, &run, NULL));
  assert_non_null(event);
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  memcpy(wanted + (size_t)before * size, given + (size_t)behind * size, (size_t)count * size);
  OK(netcl_tensor_read(target, got, bytes, NULL, LONG_WAIT));
  CHECK(memcmp(got, wanted, bytes) == 0, "dtype %d, %lld elements, shares %d", dtype,
        (long long)count, shares);
  netcl_tensor_release(source_part);
  netcl_tensor_release(target_part);
  netcl_tensor_release(source);
  netcl_tensor_release(target);
  free(given);
  free(wanted);
  free(got);
}

/* Around the least size, around pieces, several of them, and what comes in between. */
static void sizes(void** state) {
  (void)state;
  static const int64_t kBytes[] = {
      0,     8,         PEER_LEAST - 8, PEER_LEAST,       PIECE - 8,
      PIECE, PIECE + 8, 2 * PIECE,      3 * PIECE + 4096, 5 * PIECE - 24};
  static const netcl_dtype kTypes[] = {NETCL_F32, NETCL_U8, NETCL_F64, NETCL_BF16, NETCL_BOOL};
  /* The scripted GPUs hold less in one piece. */
  for (size_t i = 0; i < COUNT_OF(kBytes) - 2 * (size_t)gpus_scripted(); ++i) {
    for (int shares = 0; shares < 4; ++shares) {
      const netcl_dtype dtype = kTypes[(i + (size_t)shares) % COUNT_OF(kTypes)];
      const int64_t count = kBytes[i] / (int64_t)netcl_dtype_size(dtype);
      copy_part(gpus[i % 2], gpus[1 - i % 2], dtype, count, shares);
    }
  }
  for (int round = 0; round < (gpus_scripted() ? 3 : 12); ++round) {
    copy_part(gpus[round % 2], gpus[1 - round % 2], kTypes[random_in(0, 4)],
              random_in(1, gpus_scripted() ? 4000000 : 40000000), (int)random_in(0, 3));
  }
}

/* More than one piece of shared memory may have, which shared memory says. */
static void beyond(void** state) {
  (void)state;
  if (gpus_scripted()) SKIP("it takes real GPUs");
  const int64_t count = 1500000000;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor* tensor = NULL;
  copy_part(gpus[0], gpus[1], NETCL_U8, count, 0);
  options.share = 1;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "in one piece",
             netcl_tensor_create(gpus[0], NETCL_U8, 1, &count, NULL, &options, &tensor));
  const int64_t most = 510 << 20;
  OK(netcl_tensor_create(gpus[0], NETCL_U8, 1, &most, NULL, &options, &tensor));
  netcl_tensor_release(tensor);
}

/* What OpenCL does before on the one GPU and after on the other needs no wait of the caller. */
static void order(void** state) {
  (void)state;
  const int64_t count = 5000003;
  float* const got = malloc(sizeof(float) * count);
  for (int shares = 0; shares < 4; ++shares) {
    netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
    netcl_tensor *a = NULL, *b = NULL;
    options.share = (uint32_t)(shares & 1);
    OK(netcl_tensor_create(gpus[0], NETCL_F32, 1, &count, NULL, &options, &a));
    options.share = (uint32_t)(shares >> 1);
    OK(netcl_tensor_create(gpus[1], NETCL_F32, 1, &count, NULL, &options, &b));
    for (int turn = 1; turn < 12; ++turn) {
      const float value = (float)turn;
      const netcl_run_options into = run_into(b);
      OK(netcl_op_fill(a, &value, NULL));
      OK(netcl_op_copy(a, &into, NULL));
      OK(netcl_op_fill(a, &value, NULL));
      OK(netcl_tensor_read(b, got, sizeof(float) * count, NULL, LONG_WAIT));
      for (int64_t i = 0; i < count; ++i) assert_true(got[i] == value);
    }
    netcl_tensor_release(a);
    netcl_tensor_release(b);
  }
  free(got);
}

/* Any strides, broadcast included. */
static void layouts(void** state) {
  (void)state;
  if (gpus_scripted()) SKIP("it takes real GPUs");
  const int64_t shape[] = {700, 900}, whole[] = {900, 700}, row_shape[] = {1, 700};
  const uint32_t turn[] = {1, 0};
  float* const values = malloc(sizeof(float) * 700 * 900);
  float* const got = malloc(sizeof(float) * 700 * 900);
  for (int i = 0; i < 700 * 900; ++i) values[i] = (float)i;
  netcl_tensor *source = NULL, *turned = NULL, *target = NULL, *row = NULL;
  OK(netcl_tensor_create_from_host(gpus[0], NETCL_F32, 2, shape, NULL, values,
                                   sizeof(float) * 700 * 900, NULL, &source));
  OK(netcl_tensor_permute(source, turn, 2, &turned));
  OK(netcl_tensor_create(gpus[1], NETCL_F32, 2, whole, NULL, NULL, &target));
  netcl_run_options into = run_into(target);
  OK(netcl_op_copy(turned, &into, NULL));
  OK(netcl_tensor_read(target, got, sizeof(float) * 700 * 900, NULL, LONG_WAIT));
  for (int i = 0; i < 900; ++i) {
    for (int k = 0; k < 700; ++k) assert_true(got[i * 700 + k] == values[k * 900 + i]);
  }
  OK(netcl_tensor_create_from_host(gpus[0], NETCL_F32, 2, row_shape, NULL, values,
                                   sizeof(float) * 700, NULL, &row));
  netcl_tensor* broad = NULL;
  OK(netcl_tensor_broadcast(row, 2, whole, &broad));
  OK(netcl_op_copy(broad, &into, NULL));
  OK(netcl_tensor_read(target, got, sizeof(float) * 700 * 900, NULL, LONG_WAIT));
  for (int i = 0; i < 900; ++i) assert_memory_equal(got + i * 700, values, sizeof(float) * 700);
  netcl_tensor_release(broad);
  netcl_tensor_release(row);
  netcl_tensor_release(source);
  netcl_tensor_release(turned);
  netcl_tensor_release(target);
  free(values);
  free(got);
}

static void* copy_many(void* argument) {
  const int number = *(int*)argument;
  const int64_t count = 3000001 + number;
  float* const values = malloc(sizeof(float) * (size_t)count);
  float* const got = malloc(sizeof(float) * (size_t)count);
  netcl_tensor *source = NULL, *target = NULL;
  void* problem = "a copy of several threads";
  for (int64_t i = 0; i < count; ++i) values[i] = (float)(i % 1000 + number);
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  options.share = (uint32_t)(number & 1);
  if (netcl_tensor_create_from_host(gpus[number % 2], NETCL_F32, 1, &count, NULL, values,
                                    sizeof(float) * (size_t)count, &options, &source) == NETCL_OK &&
      netcl_tensor_create(gpus[1 - number % 2], NETCL_F32, 1, &count, NULL, NULL, &target) ==
          NETCL_OK) {
    problem = NULL;
    for (int turn = 0; turn < 20 && problem == NULL; ++turn) {
      const netcl_run_options into = run_into(target);
      if (netcl_op_copy(source, &into, NULL) != NETCL_OK ||
          netcl_tensor_read(target, got, sizeof(float) * (size_t)count, NULL, LONG_WAIT) !=
              NETCL_OK ||
          memcmp(got, values, sizeof(float) * (size_t)count) != 0) {
        problem = "what a thread copied";
      }
    }
  }
  netcl_tensor_release(source);
  netcl_tensor_release(target);
  free(values);
  free(got);
  return problem;
}

static void threads(void** state) {
  (void)state;
  pthread_t made[6];
  int numbers[6];
  for (int i = 0; i < 6; ++i) {
    numbers[i] = i;
    assert_int_equal(pthread_create(&made[i], NULL, copy_many, &numbers[i]), 0);
  }
  for (int i = 0; i < 6; ++i) {
    void* problem = NULL;
    pthread_join(made[i], &problem);
    CHECK(problem == NULL, "thread %d: %s", i, (const char*)problem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(roads),   cmocka_unit_test(sizes),
                                     cmocka_unit_test(beyond),  cmocka_unit_test(order),
                                     cmocka_unit_test(layouts), cmocka_unit_test(threads)};
  seed_random("peers");
  return cmocka_run_group_tests_name("peers", tests, open_gpus, close_gpus);
}
