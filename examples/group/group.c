/*
 * The heat equation on a plate that is parted among the ranks of a group, compared with the same
 * steps on one device.
 *
 *   group [--device SELECTOR]... [--threads | --mpi] [--ranks N] [--picture FILE] [steps]
 *
 * Each rank is a process, or with --threads a device of this one with a thread. It has a block of
 * the plate with a rim of one element, into which its neighbours send their outermost elements
 * before each step. The parts need not be equal; views of rows and columns are sent as they are.
 * The picture of the plate, PNG or PPM, has the same bytes as that of one device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../picture.h"
#include "ranks.h"

enum { HEIGHT = 203, WIDTH = 301 };

static int steps = 200;
static const char* picture_file; /* or NULL */

/* A plate, or a block of one, with its rim, which is 0 at first. */
static netcl_tensor* new_plate(netcl_device* device, int64_t rows, int64_t columns) {
  const int64_t shape[2] = {rows + 2, columns + 2};
  netcl_tensor* plate = NULL;
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 2, shape, NULL, NULL, &plate));
  return plate;
}

/* The start: two hot spots. `top` and `left` are where the block begins in the plate. */
static void heat_up(netcl_tensor* plate, int64_t top, int64_t left, int64_t rows, int64_t columns) {
  float* start = allocate((size_t)(rows * columns) * sizeof *start);
  netcl_tensor* inner = window(plate, 1, 1, rows, columns);
  for (int64_t y = 0; y < rows; y++) {
    for (int64_t x = 0; x < columns; x++) {
      const int64_t at_y = top + y, at_x = left + x;
      const int hot = (at_y / 50 == 1 && at_x / 60 == 2) || (at_y > 150 && at_x < 40);
      start[y * columns + x] = hot ? 100.0f : (float)(at_x % 7);
    }
  }
  CHECK(netcl_tensor_write(inner, start, (size_t)(rows * columns) * sizeof *start, NULL,
                           PATIENCE_NS));
  netcl_tensor_release(inner);
  free(start);
}

/* to = one step from `from`, inside the rim. */
static void step(netcl_tensor* from, netcl_tensor* to, int64_t rows, int64_t columns) {
  netcl_tensor* around[5] = {window(from, 1, 1, rows, columns), window(from, 0, 1, rows, columns),
                             window(from, 2, 1, rows, columns), window(from, 1, 0, rows, columns),
                             window(from, 1, 2, rows, columns)};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = window(to, 1, 1, rows, columns);
  CHECK(netcl_op_expression_text("v0 + 0.2 * (v1 + v2 + v3 + v4 - 4 * v0)", around, 5, NULL, &run,
                                 NULL));
  for (int i = 0; i < 5; i++) netcl_tensor_release(around[i]);
  netcl_tensor_release(run.into);
}

/* Gives a neighbour the outermost elements and gets its into the rim. One of the two begins. */
static void exchange(netcl_group* group, uint32_t peer, int begins, netcl_tensor* own,
                     netcl_tensor* rim) {
  if (begins) CHECK(netcl_group_send(group, own, peer, NULL));
  CHECK(netcl_group_receive(group, rim, peer, NULL));
  if (!begins) CHECK(netcl_group_send(group, own, peer, NULL));
  netcl_tensor_release(own);
  netcl_tensor_release(rim);
}

/* With all neighbours, those of even rows and columns of the grid first. */
static void exchange_rims(netcl_group* group, uint32_t rank, netcl_tensor* plate, int64_t rows,
                          int64_t columns) {
  const uint32_t row = rank / grid_columns, column = rank % grid_columns;
  for (uint32_t turn = 0; turn < 2; turn++) {
    /* In the first turn even rows meet those below, in the second those above. */
    const int below = row % 2 == turn;
    if (below && row + 1 < grid_rows) {
      exchange(group, rank + grid_columns, 1, window(plate, rows, 1, 1, columns),
               window(plate, rows + 1, 1, 1, columns));
    } else if (!below && row > 0) {
      exchange(group, rank - grid_columns, 0, window(plate, 1, 1, 1, columns),
               window(plate, 0, 1, 1, columns));
    }
  }
  for (uint32_t turn = 0; turn < 2; turn++) {
    const int right = column % 2 == turn;
    if (right && column + 1 < grid_columns) {
      exchange(group, rank + 1, 1, window(plate, 1, columns, rows, 1),
               window(plate, 1, columns + 1, rows, 1));
    } else if (!right && column > 0) {
      exchange(group, rank - 1, 0, window(plate, 1, 1, rows, 1), window(plate, 1, 0, rows, 1));
    }
  }
}

/* The steps of one block; gives the plate of the last one. */
static netcl_tensor* run_block(netcl_device* device, netcl_group* group, uint32_t rank, int64_t top,
                               int64_t left, int64_t rows, int64_t columns) {
  netcl_tensor* plates[2] = {new_plate(device, rows, columns), new_plate(device, rows, columns)};
  heat_up(plates[0], top, left, rows, columns);
  for (int i = 0; i < steps; i++) {
    if (group != NULL) exchange_rims(group, rank, plates[i % 2], rows, columns);
    step(plates[i % 2], plates[(i + 1) % 2], rows, columns);
  }
  netcl_tensor_release(plates[(steps + 1) % 2]);
  return plates[steps % 2];
}

/* From black by red and yellow to white, as a plate glows. */
static picture draw(netcl_tensor* plate) {
  picture image = {HEIGHT, WIDTH, 3, allocate((size_t)3 * WIDTH * HEIGHT)};
  float* heat = allocate((size_t)WIDTH * HEIGHT * sizeof *heat);
  netcl_tensor* inner = window(plate, 1, 1, HEIGHT, WIDTH);
  CHECK(netcl_tensor_read(inner, heat, (size_t)WIDTH * HEIGHT * sizeof *heat, NULL, PATIENCE_NS));
  for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
    for (int channel = 0; channel < 3; channel++) {
      const float part = heat[i] * (3.0f / 100.0f) - (float)channel;
      image.samples[3 * i + (size_t)channel] =
          (uint8_t)(255.0f * (part < 0 ? 0.0f : part > 1 ? 1.0f : part));
    }
  }
  netcl_tensor_release(inner);
  free(heat);
  return image;
}

static void compare_pictures(netcl_tensor* of_ranks, netcl_tensor* of_one) {
  const picture image = draw(of_ranks), wanted = draw(of_one);
  if (memcmp(image.samples, wanted.samples, picture_bytes(&image)) != 0) {
    fail("heat", "the picture is not that of one device");
  }
  if (picture_file != NULL) {
    const char* problem = picture_save(picture_file, &image);
    if (problem != NULL) fail(picture_file, problem);
  }
  free(image.samples);
  free(wanted.samples);
}

/* Rank 0 gathers the blocks and compares them with a run of its own. */
static void compare(netcl_device* device, netcl_group* group, netcl_tensor* block) {
  netcl_tensor* whole = new_plate(device, HEIGHT, WIDTH);
  for (uint32_t r = 0; r < ranks; r++) {
    const uint32_t row = r / grid_columns, column = r % grid_columns;
    const int64_t top = first_of(HEIGHT, row, grid_rows);
    const int64_t left = first_of(WIDTH, column, grid_columns);
    const int64_t rows = first_of(HEIGHT, row + 1, grid_rows) - top;
    const int64_t columns = first_of(WIDTH, column + 1, grid_columns) - left;
    netcl_tensor* place = window(whole, top + 1, left + 1, rows, columns);
    if (r == 0) {
      netcl_tensor* inner = window(block, 1, 1, rows, columns);
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      run.into = place;
      CHECK(netcl_op_copy(inner, &run, NULL));
      netcl_tensor_release(inner);
    } else {
      CHECK(netcl_group_receive(group, place, r, NULL));
    }
    netcl_tensor_release(place);
  }
  netcl_tensor* both[2] = {whole, run_block(device, NULL, 0, 0, 0, HEIGHT, WIDTH)};
  netcl_tensor *difference = NULL, *largest = NULL;
  float error = -1;
  CHECK(netcl_op_expression_text("abs(v0 - v1)", both, 2, NULL, NULL, &difference));
  CHECK(netcl_op_reduce(difference, NETCL_REDUCTION_MAX, NULL, NULL, &largest));
  CHECK(netcl_tensor_read(largest, &error, sizeof error, NULL, PATIENCE_NS));
  printf("%u ranks as %u x %u, %d steps of %d x %d: the largest difference from one device is %g\n",
         ranks, grid_rows, grid_columns, steps, HEIGHT, WIDTH, (double)error);
  if (error != 0) fail("heat", "the blocks are not what one device gives");
  compare_pictures(both[0], both[1]);
  netcl_tensor_release(whole);
  netcl_tensor_release(both[1]);
  netcl_tensor_release(difference);
  netcl_tensor_release(largest);
}

static void run_rank(uint32_t rank) {
  const uint32_t row = rank / grid_columns, column = rank % grid_columns;
  const int64_t top = first_of(HEIGHT, row, grid_rows);
  const int64_t left = first_of(WIDTH, column, grid_columns);
  const int64_t rows = first_of(HEIGHT, row + 1, grid_rows) - top;
  const int64_t columns = first_of(WIDTH, column + 1, grid_columns) - left;
  netcl_device* device = NULL;
  netcl_group* group = join(rank, &device);
  const uint64_t begin = now_ns();
  netcl_tensor* block = run_block(device, group, rank, top, left, rows, columns);
  if (rank == 0) {
    printf("%.1f ms\n", 1e-6 * (double)(now_ns() - begin));
    compare(device, group, block);
  } else {
    netcl_tensor* inner = window(block, 1, 1, rows, columns);
    CHECK(netcl_group_send(group, inner, 0, NULL));
    netcl_tensor_release(inner);
  }
  netcl_tensor_release(block);
  netcl_group_release(group);
  netcl_device_release(device);
}

int main(int argc, char** argv) {
  program_name = "group";
  int words = read_ranks(argc, argv);
  char** rest = argv;
  if (words > 1 && strcmp(rest[0], "--picture") == 0) {
    picture_file = rest[1];
    rest += 2;
    words -= 2;
  }
  if (words > 0) steps = (int)strtol(rest[0], NULL, 10);
  if (words > 1 || steps < 0 || (words > 0 && rest[0][0] == '-')) {
    fail("arguments",
         "[--device SELECTOR]... [--threads | --mpi] [--ranks N] [--picture FILE] [steps]");
  }
  run_ranks(run_rank);
  return 0;
}
