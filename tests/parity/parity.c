/* Runs the vectors in C: parity VECTORS DEVICE
 *
 * Prints a line "case name bits" for every result. Fails where bits are given and others came out,
 * after the last case. README.md has the format of the file. */
#include "parity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

void give_up(const char *what) {
  fflush(stdout);
  fprintf(stderr, "%s: %s\n", name_of_case(), what);
  exit(1);
}

void check(netcl_status status) {
  if (status != NETCL_OK) give_up(netcl_last_error_message());
}

static void print_result(const char *name, netcl_tensor *tensor, const Line *line) {
  const char *expected = option(line, "bits");
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(tensor, &info));
  const size_t size = (size_t)info.byte_count;
  unsigned char *data = malloc(size + 1);
  char *hex = malloc(2 * size + 1);
  if (data == NULL || hex == NULL) give_up("no memory");
  check(netcl_tensor_read(tensor, size == 0 ? NULL : data, size, NULL, NETCL_WAIT_FOREVER));
  for (size_t i = 0; i < size; ++i) sprintf(hex + 2 * i, "%02x", data[i]);
  hex[2 * size] = '\0';
  printf("%s %s %s\n", name_of_case(), name, hex);
  if (expected != NULL && strcmp(expected, hex) != 0) {
    fprintf(stderr, "%s %s is\n  %s\nand has to be\n  %s\n", name_of_case(), name, hex, expected);
    ++failures;
  }
  free(data);
  free(hex);
}

int main(int argc, char **argv) {
  static char text[1 << 20];
  netcl_device *device = NULL;
  if (argc != 3) {
    fprintf(stderr, "usage: parity VECTORS DEVICE\n");
    return 2;
  }
  FILE *file = fopen(argv[1], "r");
  if (file == NULL) give_up("the file cannot be read");
  check(netcl_device_open(argv[2], NULL, &device));
  while (fgets(text, sizeof text, file) != NULL) run_line(device, text, print_result);
  fclose(file);
  begin_case("");
  netcl_device_release(device);
  return failures == 0 ? 0 : 1;
}
