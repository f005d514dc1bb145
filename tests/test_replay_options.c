/* Every option and argument of every op is part of what a kept call is known by: calls that differ
 * in one give what each gives when nothing is kept. scripts/check_coverage.py sees to it that each
 * member of an options struct of the API lock has a row in kRows. */
#include "support_process.h"
#include "support_replay_arguments.h"

/* Calls an op with one of the two values. */
typedef netcl_status (*Call)(const Set* set, int which, netcl_tensor** result);

#define CALL(type, member, kind, how, call)                                             \
  static netcl_status type##_##member(const Set* s, int which, netcl_tensor** result) { \
    type o;                                                                             \
    const size_t at = offsetof(type, member);                                           \
    (void)at;                                                                           \
    memset(&o, 0, sizeof o);                                                            \
    o.struct_size = sizeof o;                                                           \
    how;                                                                                \
    return call;                                                                        \
  }
ROWS(CALL)

#define ARGUMENT(op, argument, call)                                                    \
  static netcl_status op##_##argument(const Set* s, int which, netcl_tensor** result) { \
    return call;                                                                        \
  }
ARGUMENTS(ARGUMENT)

#define ROW(type, member, kind, how, call) {#type "." #member, kind, type##_##member},
#define ARGUMENT_ROW(op, argument, call) {#op ", " #argument, DIFFERS, op##_##argument},
static const struct {
  const char* name;
  int kind;
  Call call;
} kRows[] = {ROWS(ROW) ARGUMENTS(ARGUMENT_ROW)};

typedef struct Bytes {
  unsigned char* data;
  size_t size;
} Bytes;

/* Shape and elements of the result; UNSUPPORTED, on a device that cannot do a case, gives none. */
static Bytes bytes_of(size_t row, const Set* set, int which) {
  Bytes bytes = {NULL, 0};
  netcl_tensor* result = NULL;
  const netcl_status status = kRows[row].call(set, which, &result);
  if (status == NETCL_ERROR_UNSUPPORTED) return bytes;
  check_status(status, NETCL_OK, kRows[row].name, __FILE__, __LINE__);
  const netcl_tensor_info info = tensor_info(result);
  unsigned char* elements = read_tensor(result);
  bytes.size = sizeof info.shape + (size_t)info.byte_count;
  bytes.data = malloc(bytes.size);
  memcpy(bytes.data, info.shape, sizeof info.shape);
  memcpy(bytes.data + sizeof info.shape, elements, (size_t)info.byte_count);
  free(elements);
  netcl_tensor_release(result);
  return bytes;
}

static int equal(Bytes a, Bytes b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* What a call gives when nothing is kept of it. */
static Bytes plain_bytes(size_t row, const Set* set, int which) {
  OK(netcl_program_cache_clear(0));
  OK(netcl_variant_clear_cache());
  return bytes_of(row, set, which);
}

static void each_one(void** state) {
  Fixture* fixture = *state;
  Set set = make_set(fixture->device);
  const int every = !process_full() && fixture->kernels ? 4 : 1; /* each is built thrice */
  for (size_t row = (size_t)random_in(0, every - 1); row < COUNT_OF(kRows); row += (size_t)every) {
    const Bytes plain[2] = {plain_bytes(row, &set, FIRST), plain_bytes(row, &set, OTHER)};
    if (kRows[row].kind == DIFFERS && plain[0].size + plain[1].size > 0) {
      CHECK(!equal(plain[0], plain[1]), "%s: both values give the same", kRows[row].name);
    }
    /* A call is noted when it comes again, and repeated from then on. */
    static const int kOrder[] = {FIRST, FIRST, FIRST, OTHER, OTHER, OTHER, FIRST, OTHER};
    for (size_t i = 0; i < COUNT_OF(kOrder); ++i) {
      const Bytes got = bytes_of(row, &set, kOrder[i]);
      CHECK(equal(got, plain[kOrder[i]]), "%s: call %zu, with value %d, gives other bits",
            kRows[row].name, i, kOrder[i]);
      free(got.data);
    }
    free(plain[0].data);
    free(plain[1].data);
  }
  release_set(&set);
}

int main(void) {
  seed_random("replay_options");
  const struct CMUnitTest tests[] = {DEVICE_TEST(each_one), DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests_name("replay_options", tests, NULL, NULL);
}
