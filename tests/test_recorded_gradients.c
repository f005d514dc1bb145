/* Gradients of every op beside those that PyTorch's autograd gave: recordings/torch_gradients.txt,
 * written by recordings/torch_gradients.py. The verbs are those of the parity vectors. */
#include <math.h>
#include <stdio.h>

#include "parity/parity.h"
#include "support_gradients.h"

/* All is f64: this is far above what the sums of either side lose. */
static const double kError = 1e-11;

static int g_results;

void give_up(const char *what) { FAIL_WITH("%s: %s", name_of_case(), what); }

void check(netcl_status status) {
  if (status != NETCL_OK) give_up(netcl_last_error_message());
}

/* The numbers of `near`, by their bytes in hexadecimal, little-endian. */
static double *numbers_near(const Line *line, int64_t count) {
  const char *hex = option(line, "near");
  if (hex == NULL || strlen(hex) != (size_t)count * 16) give_up("a result has the wrong size");
  double *numbers = malloc((size_t)count * sizeof *numbers + 1);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    for (int byte = 7; byte >= 0; --byte) {
      const char *at = hex + 16 * i + 2 * byte;
      bits = bits << 8 | (uint64_t)(digit(at[0]) << 4 | digit(at[1]));
    }
    memcpy(&numbers[i], &bits, sizeof bits);
  }
  return numbers;
}

/* The first of n numbers that is too far from what it has to be; n: none. */
static int64_t first_wrong(const double *got, const double *wanted, int64_t n) {
  double most = 0;
  int64_t i = 0;
  for (int64_t k = 0; k < n; ++k) most = fmax(most, fabs(wanted[k]));
  while (i < n && fabs(got[i] - wanted[i]) <= kError * (1 + most)) ++i;
  return i;
}

static void compare(const char *name, netcl_tensor *tensor, const Line *line) {
  const netcl_tensor_info info = tensor_info(tensor);
  CHECK(info.dtype == NETCL_F64, "%s %s is no f64", name_of_case(), name);
  double *wanted = numbers_near(line, info.element_count), *got = read_tensor(tensor);
  const int64_t i = first_wrong(got, wanted, info.element_count);
  CHECK(i == info.element_count, "%s %s: element %lld is %.17g, and PyTorch's is %.17g",
        name_of_case(), name, (long long)i, got[i], wanted[i]);
  free(wanted);
  free(got);
  ++g_results;
}

static void recorded_vectors(void **state) {
  Fixture *fixture = *state;
  static char text[1 << 16];
  int chosen = 0, cases = 0, all = 0;
  FILE *file = fopen(NETCL_RECORDINGS "/torch_gradients.txt", "r");
  CHECK(file != NULL, "there is no %s", NETCL_RECORDINGS "/torch_gradients.txt");
  g_results = 0;
  while (fgets(text, sizeof text, file) != NULL) {
    if (strncmp(text, "case ", 5) == 0) {
      ++all;
      chosen = !compiles_slowly(fixture) || random_in(0, 15) == 0;
      cases += chosen;
    }
    if (chosen) run_line(fixture->device, text, compare);
  }
  fclose(file);
  begin_case("");
  CHECK(all >= 180 && g_results >= cases, "%d cases of %d had %d results", cases, all, g_results);
}

/* What would not notice a wrong number proves nothing. */
static void wrong_numbers(void **state) {
  char words[] = "near=000000000000f03f010000000080f03f";
  const Line line = {.words = {words}, .words_count = 1};
  const double right[] = {1, 1.03125}, off[] = {1, 1.03125 + 1e-9}, none[] = {1, NAN};
  double *numbers = numbers_near(&line, 2);
  (void)state;
  CHECK(first_wrong(right, numbers, 2) == 2, "the bytes are %g and %g", numbers[0], numbers[1]);
  CHECK(first_wrong(off, numbers, 2) == 1, "a difference of 1e-9 is not noticed");
  CHECK(first_wrong(none, numbers, 2) == 1, "a NaN is not noticed");
  free(numbers);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(recorded_vectors), cmocka_unit_test(wrong_numbers),
                                     DEVICE_TEST(as_kernels)};
  seed_random("recorded_gradients");
  return cmocka_run_group_tests_name("recorded_gradients", tests, NULL, NULL);
}
