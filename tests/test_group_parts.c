/* Collectives that part tensors along the first dimension, equally and not. */
#include "support_group.h"

#include <stdio.h>

/* The widths of a row: all that travels fits into the message of a header, or goes in pieces. */
static const int64_t kWidths[] = {1, 5, 40000};

/* Entries of rank r; rank 1 has none. */
static int64_t rows_of(uint32_t rank) { return rank == 1 ? 0 : (int64_t)rank + 2; }
static int64_t rows_before(uint32_t rank) {
  int64_t sum = 0;
  for (uint32_t r = 0; r < rank; r++) sum += rows_of(r);
  return sum;
}
/* Rows of rank `from` for rank `to`. */
static int64_t count_of(uint32_t from, uint32_t to) { return (from * 2 + to * 3) % 4; }

/* What is in row `row` of the tensor of a rank. */
static double cell(uint32_t rank, int64_t row, int64_t column) {
  return (double)(rank * 1000 + (uint64_t)row * 20 + (uint64_t)column % 17);
}

typedef struct Rows {
  double* values;
  int64_t shape[2];
} Rows;

static Rows new_rows(int64_t rows, int64_t width) {
  Rows made = {malloc(sizeof(double) * (size_t)(rows * width + 1)), {rows, width}};
  for (int64_t i = 0; i < rows * width; i++) made.values[i] = -1;
  return made;
}
static void set_row(Rows* rows, int64_t row, uint32_t rank, int64_t of) {
  for (int64_t c = 0; c < rows->shape[1]; c++) {
    rows->values[row * rows->shape[1] + c] = cell(rank, of, c);
  }
}
static Rows rows_of_rank(uint32_t rank, int64_t rows, int64_t width) {
  Rows made = new_rows(rows, width);
  for (int64_t i = 0; i < rows; i++) set_row(&made, i, rank, i);
  return made;
}
static netcl_tensor* upload(Rank* rank, const Rows* rows) {
  return rank_tensor(rank, NETCL_I32, 2, rows->shape, rows->values);
}

/* Checks and releases an output, and the two tensors. */
static void finish(Rank* rank, netcl_tensor* in, netcl_tensor* out, Rows* given, Rows* wanted) {
  if (out != NULL && rank->problem[0] == '\0' && !rank_holds(out, wanted->values)) {
    rank_problem(rank, __FILE__, __LINE__, "the output is wrong");
  }
  netcl_tensor_release(in);
  netcl_tensor_release(out);
  free(given->values);
  free(wanted->values);
}

static void gather_one(Rank* rank, int64_t width, int root) {
  Rows given = rows_of_rank(rank->rank, rows_of(rank->rank), width);
  Rows wanted = new_rows(rows_before(rank->size), width);
  netcl_tensor* in = upload(rank, &given);
  netcl_tensor* out = root < 0 || root == (int)rank->rank ? upload(rank, &wanted) : NULL;
  const netcl_status status = root < 0
                                  ? netcl_group_all_gather(rank->group, in, out, NULL)
                                  : netcl_group_gather(rank->group, in, out, (uint32_t)root, NULL);
  if (status != NETCL_OK) rank_problem(rank, __FILE__, __LINE__, "gather");
  for (uint32_t r = 0; r < rank->size; r++) {
    for (int64_t i = 0; i < rows_of(r); i++) set_row(&wanted, rows_before(r) + i, r, i);
  }
  finish(rank, in, out, &given, &wanted);
}

static void scatter_one(Rank* rank, int64_t width, uint32_t root) {
  Rows given = rows_of_rank(root, rows_before(rank->size), width);
  Rows wanted = new_rows(rows_of(rank->rank), width);
  netcl_tensor* in = root == rank->rank ? upload(rank, &given) : NULL;
  netcl_tensor* out = upload(rank, &wanted);
  RANK_OK(rank, netcl_group_scatter(rank->group, in, out, root, NULL));
  for (int64_t i = 0; i < wanted.shape[0]; i++) {
    set_row(&wanted, i, root, rows_before(rank->rank) + i);
  }
  finish(rank, in, out, &given, &wanted);
}

static void reduce_scatter_one(Rank* rank, int64_t width) {
  Rows given = rows_of_rank(rank->rank, rows_before(rank->size), width);
  Rows wanted = new_rows(rows_of(rank->rank), width);
  netcl_tensor* in = upload(rank, &given);
  netcl_tensor* out = upload(rank, &wanted);
  RANK_OK(rank, netcl_group_reduce_scatter(rank->group, in, out, NETCL_REDUCTION_SUM, NULL));
  for (int64_t i = 0; i < wanted.shape[0]; i++) {
    for (int64_t c = 0; c < width; c++) {
      double sum = 0;
      for (uint32_t r = 0; r < rank->size; r++) sum += cell(r, rows_before(rank->rank) + i, c);
      wanted.values[i * width + c] = sum;
    }
  }
  finish(rank, in, out, &given, &wanted);
}

static void all_to_all_one(Rank* rank, int64_t width, int equal) {
  int64_t counts[GROUP_MOST], sent = 0, come = 0, at = 0;
  for (uint32_t r = 0; r < rank->size; r++) {
    counts[r] = equal ? 2 : count_of(rank->rank, r);
    sent += counts[r];
    come += equal ? 2 : count_of(r, rank->rank);
  }
  Rows given = rows_of_rank(rank->rank, sent, width);
  Rows wanted = new_rows(come, width);
  netcl_tensor* in = upload(rank, &given);
  netcl_tensor* out = upload(rank, &wanted);
  RANK_OK(rank, netcl_group_all_to_all(rank->group, in, equal ? NULL : counts,
                                       equal ? 0 : rank->size, out, NULL));
  for (uint32_t r = 0; r < rank->size; r++) {
    int64_t first = 0;
    for (uint32_t to = 0; to < rank->rank; to++) first += equal ? 2 : count_of(r, to);
    for (int64_t i = 0; i < (equal ? 2 : count_of(r, rank->rank)); i++) {
      set_row(&wanted, at++, r, first + i);
    }
  }
  finish(rank, in, out, &given, &wanted);
}

static void all_parts(Rank* rank) {
  for (size_t w = 0; w < COUNT_OF(kWidths); w++) {
    gather_one(rank, kWidths[w], -1);
    for (uint32_t root = 0; root < rank->size; root++) {
      gather_one(rank, kWidths[w], (int)root);
      scatter_one(rank, kWidths[w], root);
    }
    reduce_scatter_one(rank, kWidths[w]);
    all_to_all_one(rank, kWidths[w], 0);
    all_to_all_one(rank, kWidths[w], 1);
    if (rank->problem[0] != '\0') return;
  }
}

static void unequal_parts(void** state) {
  Fixture* fixture = *state;
  for (uint32_t size = 1; size <= 4; size++) {
    run_ranks(fixture->device, size, LONG_WAIT, all_parts, NULL);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(unequal_parts)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
