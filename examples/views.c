/* views: slice, permute, broadcast and reshape without copying, and .npy files. */
#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

/* Prints a matrix of at most 64 elements. */
static void print(const char *name, netcl_tensor *tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  int32_t values[64];
  int64_t i;
  check(netcl_tensor_get_info(tensor, &info));
  check(netcl_tensor_read(tensor, values, (size_t)info.byte_count, NULL, NETCL_WAIT_FOREVER));
  printf("%s\n", name);
  for (i = 0; i < info.element_count; ++i) {
    printf("%4d%s", values[i], (i + 1) % info.shape[info.rank - 1] == 0 ? "\n" : "");
  }
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "views.npy";
  const int32_t numbers[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const int64_t shape[2] = {3, 4}, row_shape[2] = {1, 4}, large[2] = {3, 4}, flat[2] = {2, -1};
  const netcl_range backwards[2] = {{2, 3, -1}, {0, 2, 2}}, first_row[2] = {{0, 1, 1}, {0, 4, 1}};
  const uint32_t swapped[2] = {1, 0};
  netcl_tensor *matrix, *view, *row, *sum, *pair[2], *loaded;
  netcl_device *device;

  check(netcl_device_open("auto", NULL, &device));
  check(netcl_tensor_create_from_host(device, NETCL_I32, 2, shape, NULL, numbers, sizeof numbers,
                                      NULL, &matrix));
  print("matrix", matrix);

  check(netcl_tensor_slice(matrix, backwards, 2, &view));
  print("rows from the last to the first, every second column", view);
  netcl_tensor_release(view);

  check(netcl_tensor_permute(matrix, swapped, 2, &view));
  print("transposed", view);
  netcl_tensor_release(view);

  check(netcl_tensor_reshape(matrix, 2, flat, NULL, &view));
  print("two rows", view);
  netcl_tensor_release(view);

  /* Expressions broadcast by themselves; netcl_tensor_broadcast gives the repeated view alone. */
  check(netcl_tensor_slice(matrix, first_row, 2, &view));
  check(netcl_tensor_reshape(view, 2, row_shape, NULL, &row));
  netcl_tensor_release(view);
  check(netcl_tensor_broadcast(row, 2, large, &view));
  print("first row, repeated", view);
  pair[0] = matrix;
  pair[1] = view;
  check(netcl_op_expression_text("v0 - v1", pair, 2, NULL, NULL, &sum));
  print("matrix minus that", sum);

  check(netcl_tensor_save_npy(sum, path, NETCL_WAIT_FOREVER));
  check(netcl_tensor_load_npy(device, path, NULL, &loaded));
  print("written to a file and read again", loaded);

  netcl_tensor_release(matrix);
  netcl_tensor_release(view);
  netcl_tensor_release(row);
  netcl_tensor_release(sum);
  netcl_tensor_release(loaded);
  netcl_device_release(device);
  return 0;
}
