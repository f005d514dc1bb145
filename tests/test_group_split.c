/* Groups of groups, made at once, refused and left. */
#include "support_group.h"

#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 60 };

typedef struct Splitting {
  Rank* rank;
  netcl_group* group;
  double value;
  int right;
} Splitting;

/* Splits a group again and again: each part adds up its own value, which no part of the other
 * thread has. */
static void* split_on(void* argument) {
  Splitting* const own = argument;
  static const uint32_t kColors[] = {3, 3};
  const int64_t one = 1;
  for (int i = 0; i < ROUNDS; i++) {
    netcl_group* part = NULL;
    netcl_tensor* tensor = rank_tensor(own->rank, NETCL_F32, 1, &one, &own->value);
    const double sum = 2 * own->value;
    const int right =
        tensor != NULL && netcl_group_split(own->group, kColors, 2, &part) == NETCL_OK &&
        netcl_group_all_reduce(part, tensor, tensor, NETCL_REDUCTION_SUM, NULL) == NETCL_OK &&
        rank_holds(tensor, &sum);
    netcl_group_release(part);
    netcl_tensor_release(tensor);
    if (!right) return NULL;
  }
  own->right = 1;
  return NULL;
}

/* A group and one that came of it, whose messages go through the same sockets. */
static void split_both(Rank* rank) {
  static const uint32_t kColors[] = {0, 0};
  netcl_group* part = NULL;
  pthread_t thread;
  RANK_OK(rank, netcl_group_split(rank->group, kColors, 2, &part));
  Splitting whole = {rank, rank->group, 1, 0}, parted = {rank, part, 100, 0};
  RANK_CHECK(rank, pthread_create(&thread, NULL, split_on, &whole) == 0);
  split_on(&parted);
  pthread_join(thread, NULL);
  netcl_group_release(part);
  RANK_CHECK(rank, whole.right && parted.right);
}

static void splits_at_once(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 2, LONG_WAIT, split_both, NULL);
}

/* What one rank gets wrong, all hear of at once, and the group goes on. */
static void refuse_both(Rank* rank) {
  static const uint32_t kColors[] = {1, 1};
  netcl_group* part = NULL;
  const int wrong = rank->rank == 1;
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, wrong ? "part is NULL" : "rank 1",
             netcl_group_split(rank->group, kColors, 2, wrong ? NULL : &part));
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, wrong ? "colors is NULL" : "rank 1",
             netcl_group_split(rank->group, wrong ? NULL : kColors, 2, &part));
  RANK_CHECK(rank, part == NULL);
  RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
  RANK_OK(rank, netcl_group_split(rank->group, kColors, 2, &part));
  RANK_OK(rank, netcl_group_barrier(part, NULL));
  netcl_group_release(part);
}

static void refused_splits(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 2, LONG_WAIT, refuse_both, NULL);
}

/* Ranks 0 and 1 wait for each other, in two groups that rank 2 has left: each looks at all. */
static void wait_crosswise(Rank* rank) {
  static const char kText[] = "rank 2 was released";
  const uint32_t colors[3] = {0, 0, 0};
  netcl_group* parts[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    RANK_OK(rank, netcl_group_split(rank->group, colors, 3, &parts[i]));
  }
  if (rank->rank < 2) {
    RANK_FAILS(rank, NETCL_ERROR_RANK_LOST, kText, netcl_group_barrier(parts[rank->rank], NULL));
    RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
  }
  for (int i = 0; i < 2; i++) netcl_group_release(parts[i]);
  if (rank->rank == 2) RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
}

static void a_rank_that_nobody_waits_for(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 3, 10 * SECOND, wait_crosswise, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(splits_at_once), DEVICE_TEST(refused_splits),
                                     DEVICE_TEST(a_rank_that_nobody_waits_for)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
