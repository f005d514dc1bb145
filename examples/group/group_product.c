/*
 * A matrix product that is parted among the ranks of a group, so that each holds a block of a, of b
 * and of the result, and never more of the others' than a panel (SUMMA: van de Geijn and Watts,
 * 1997).
 *
 *   group_product [--device SELECTOR]... [--threads | --mpi] [--ranks N] [size]
 *
 * The ranks are a grid. a is parted by rows among its rows and by depth among its columns, b by
 * depth among its rows and by columns among its columns. For each panel of the depth, those that
 * have it give it to the others of their row and their column, and all add its product to their
 * block. Elements are small multiples of 1/8, so that sums are exact and every element is checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks.h"

enum { PANEL = 96 };

static int64_t size = 500;

/* A part of [0, size). */
typedef struct part {
  int64_t first, count;
} part;

static part part_of(uint32_t index, uint32_t parts) {
  const int64_t first = first_of(size, index, parts);
  return (part){first, first_of(size, index + 1, parts) - first};
}

/* Which of `parts` parts an element belongs to. */
static uint32_t owner_of(int64_t at, uint32_t parts) {
  uint32_t index = 0;
  while (first_of(size, index + 1, parts) <= at) index++;
  return index;
}

static float a_at(int64_t i, int64_t k) { return (float)((i * 7 + k * 3) % 11 - 5) / 8; }
static float b_at(int64_t k, int64_t j) { return (float)((k * 5 + j * 2) % 13 - 6) / 8; }

static netcl_tensor* new_block(netcl_device* device, part rows, part columns,
                               float (*at)(int64_t row, int64_t column)) {
  const int64_t shape[2] = {rows.count, columns.count};
  const size_t bytes = (size_t)(rows.count * columns.count) * sizeof(float);
  netcl_tensor* block = NULL;
  float* values = allocate(bytes);
  for (int64_t i = 0; i < rows.count; i++) {
    for (int64_t j = 0; j < columns.count; j++) {
      values[i * columns.count + j] = at(rows.first + i, columns.first + j);
    }
  }
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, values, bytes, NULL,
                                      &block));
  free(values);
  return block;
}

static netcl_tensor* new_matrix(netcl_device* device, int64_t rows, int64_t columns) {
  const int64_t shape[2] = {rows, columns};
  netcl_tensor* matrix = NULL;
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 2, shape, NULL, NULL, &matrix));
  return matrix;
}

/* c += a panel of a times one of b. */
static void add_product(netcl_tensor* a, netcl_tensor* b, netcl_tensor* c) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.has_scale = 1;
  options.alpha = options.beta = 1;
  run.into = c;
  CHECK(netcl_op_matmul(a, b, &options, &run, NULL));
}

/* Gives a panel of a rank's block to the ranks of a group, which have room for it. */
static netcl_tensor* share(netcl_group* group, uint32_t root, uint32_t own, netcl_tensor* block,
                           part rows, part columns, netcl_tensor* room) {
  netcl_tensor* panel = root == own
                            ? window(block, rows.first, columns.first, rows.count, columns.count)
                            : window(room, 0, 0, rows.count, columns.count);
  CHECK(netcl_group_broadcast(group, panel, root, NULL));
  return panel;
}

static void multiply(netcl_device* device, netcl_group* group, uint32_t rank, netcl_tensor* a,
                     netcl_tensor* b, netcl_tensor* c) {
  const uint32_t row = rank / grid_columns, column = rank % grid_columns;
  const part rows = part_of(row, grid_rows), columns = part_of(column, grid_columns);
  uint32_t row_colors[RANKS_MOST], column_colors[RANKS_MOST];
  netcl_group *row_group = NULL, *column_group = NULL;
  netcl_tensor *a_room = new_matrix(device, rows.count, PANEL),
               *b_room = new_matrix(device, PANEL, columns.count);
  for (uint32_t r = 0; r < ranks; r++) {
    row_colors[r] = r / grid_columns;
    column_colors[r] = r % grid_columns;
  }
  CHECK(netcl_group_split(group, row_colors, ranks, &row_group));
  CHECK(netcl_group_split(group, column_colors, ranks, &column_group));
  for (int64_t at = 0, width; at < size; at += width) {
    /* As far as the same ranks have it. */
    const uint32_t a_owner = owner_of(at, grid_columns), b_owner = owner_of(at, grid_rows);
    const part a_depth = part_of(a_owner, grid_columns), b_depth = part_of(b_owner, grid_rows);
    const int64_t a_left = a_depth.first + a_depth.count - at;
    const int64_t b_left = b_depth.first + b_depth.count - at;
    width = a_left < b_left ? a_left : b_left;
    if (width > PANEL) width = PANEL;
    netcl_tensor* a_panel = share(row_group, a_owner, column, a, (part){0, rows.count},
                                  (part){at - a_depth.first, width}, a_room);
    netcl_tensor* b_panel = share(column_group, b_owner, row, b, (part){at - b_depth.first, width},
                                  (part){0, columns.count}, b_room);
    add_product(a_panel, b_panel, c);
    netcl_tensor_release(a_panel);
    netcl_tensor_release(b_panel);
  }
  netcl_group_release(row_group);
  netcl_group_release(column_group);
  netcl_tensor_release(a_room);
  netcl_tensor_release(b_room);
}

/* Every element beside a sum of whole numbers of 64ths. */
static void compare(netcl_tensor* c, part rows, part columns) {
  const size_t bytes = (size_t)(rows.count * columns.count) * sizeof(float);
  float* got = allocate(bytes);
  memset(got, 255, bytes);
  CHECK(netcl_tensor_read(c, got, bytes, NULL, PATIENCE_NS));
  for (int64_t i = 0; i < rows.count; i++) {
    for (int64_t j = 0; j < columns.count; j++) {
      float wanted = 0;
      for (int64_t k = 0; k < size; k++) {
        wanted += a_at(rows.first + i, k) * b_at(k, columns.first + j);
      }
      if (got[i * columns.count + j] != wanted) fail("product", "an element is wrong");
    }
  }
  free(got);
}

static void run_rank(uint32_t rank) {
  const uint32_t row = rank / grid_columns, column = rank % grid_columns;
  const part rows = part_of(row, grid_rows), columns = part_of(column, grid_columns);
  netcl_device* device = NULL;
  netcl_group* group = join(rank, &device);
  netcl_tensor* a = new_block(device, rows, part_of(column, grid_columns), a_at);
  netcl_tensor* b = new_block(device, part_of(row, grid_rows), columns, b_at);
  netcl_tensor* c = new_matrix(device, rows.count, columns.count);
  CHECK(netcl_group_barrier(group, NULL));
  const uint64_t begin = now_ns();
  multiply(device, group, rank, a, b, c);
  CHECK(netcl_device_finish(device, PATIENCE_NS));
  CHECK(netcl_group_barrier(group, NULL));
  const double seconds = (double)(now_ns() - begin) * 1e-9;
  compare(c, rows, columns);
  CHECK(netcl_group_barrier(group, NULL));
  if (rank == 0) {
    const double whole = 3.0 * (double)(size * size) * sizeof(float);
    const double own =
        (double)(rows.count * size / grid_columns + columns.count * size / grid_rows +
                 rows.count * columns.count + PANEL * (rows.count + columns.count)) *
        sizeof(float);
    printf(
        "%u ranks as %u x %u: %ld x %ld times itself in %.1f ms, %.2f GFLOP/s; %.1f MiB in a rank, "
        "%.1f MiB in all; every element is right\n",
        ranks, grid_rows, grid_columns, (long)size, (long)size, 1e3 * seconds,
        2e-9 * (double)size * (double)size * (double)size / seconds, own / 1048576,
        whole / 1048576);
  }
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(c);
  netcl_group_release(group);
  netcl_device_release(device);
}

int main(int argc, char** argv) {
  program_name = "group_product";
  const int words = read_ranks(argc, argv);
  if (words > 0) size = strtol(argv[0], NULL, 10);
  if (words > 1 || size < 1 || size > 20000) {
    fail("arguments",
         "[--device SELECTOR]... [--threads | --mpi] [--ranks N] [size], of 1 to 20000");
  }
  run_ranks(run_rank);
  return 0;
}
