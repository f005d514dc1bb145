/*
 * What the test suites share: the device under test, checks that say what failed, fresh random
 * numbers, the elements of every dtype in double precision, and a model of strided arrays.
 */
#ifndef NETCL_TESTS_SUPPORT_H
#define NETCL_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "first_sizes.h"
#include "netcl.h"

#define POISON 0xA5
#define HANDLE_TYPES 25
#define DTYPES 13
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define SECOND ((uint64_t)1000000000)
/* Nothing in the suites takes this long; a longer wait is a hang, which must fail and not block. */
#define LONG_WAIT (120 * SECOND)

/* ---- The device under test ------------------------------------------------------------------- */

/* What a test gets through its state: the device of NETCL_TEST_DEVICE and facts about it. */
typedef struct Fixture {
  netcl_device *device;
  netcl_device_info info;
  netcl_device_capabilities capabilities;
  int opencl;                       /* 1 when the device is an OpenCL device */
  int kernels;                      /* 1 when the library's own ops run on it as kernels */
  uint64_t live[HANDLE_TYPES + 1];  /* live handles before the test, by type */
} Fixture;

/* The selector of the device under test: NETCL_TEST_DEVICE, else "builtin". */
const char *test_selector(void);

/* Opens the device, and checks at the end that every handle was given back. */
int setup_device(void **state);
int teardown_device(void **state);
#define DEVICE_TEST(function) \
  cmocka_unit_test_setup_teardown(function, setup_device, teardown_device)

/* Nearly all that PoCL spends on kernels is its compiler's: half of it to make them fast, a third
 * to make what netcl's disk cache keeps of them. Without NETCL_TEST_FULL there is neither from here
 * on; for before this process opens a device. */
void compile_quickly(void);
/* From here on ops of OpenCL CPUs run as kernels; for before this process opens a device. */
void take_kernels(void);
/* A test that runs the whole program again with the ops of an OpenCL CPU as kernels. */
void as_kernels(void **state);
/* 1 in that run, where the driver takes long to compile each of them. */
int compiles_slowly(const Fixture *fixture);
/* 1 there for all but one in twice `among` cases, by chance; with NETCL_TEST_FULL for none. */
int left_out(const Fixture *fixture, int among);
/* What an H200 says of itself, and options that name it, for choices on a device that is not
 * there. */
netcl_variant_options record_hopper(netcl_device_info *info,
                                    netcl_device_capabilities *capabilities,
                                    netcl_matrix_units units);

void count_live_handles(uint64_t live[HANDLE_TYPES + 1]);
void check_live_handles(const uint64_t before[HANDLE_TYPES + 1], const char *file, int line);

/* ---- Checks ---------------------------------------------------------------------------------- */

/* The call succeeds; the last error's message is shown when it does not. */
#define OK(call) check_status((call), NETCL_OK, #call, __FILE__, __LINE__)
/* The call fails with this status and leaves a message. */
#define FAILS(status, call) check_status((call), (status), #call, __FILE__, __LINE__)
/* As FAILS, and the message holds the text. */
#define FAILS_WITH(status, text, call)                          \
  do {                                                          \
    check_status((call), (status), #call, __FILE__, __LINE__);  \
    check_message((text), #call, __FILE__, __LINE__);           \
  } while (0)

void check_status(netcl_status got, netcl_status wanted, const char *call, const char *file,
                  int line);
void check_message(const char *text, const char *call, const char *file, int line);

/* Fails the test with a printf message that shows where. */
void fail_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
#define FAIL_WITH(...) fail_at(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(condition, ...)                                      \
  do {                                                             \
    if (!(condition)) fail_at(__FILE__, __LINE__, __VA_ARGS__);    \
  } while (0)

/* Whether this program has sanitizers, and NETCL_TEST_FULL=1 is not set. It is there for what goes
 * wrong in memory and between threads, which a few cases of moderate size show; numbers and how
 * well something does are judged by the other builds. */
int only_sanitized(void);
/* How often such a program does what others do `many` times: a quarter of it, once at least. */
int sanitized_rounds(int many);
/* How often a test repeats a random case: all of `many` with NETCL_TEST_FULL=1, a tenth of it
 * where each compiles a new kernel, a twentieth where that is slow, and sanitized_rounds where the
 * loops of the host do the work; where PoCL's tests run them, which are those of the built-in
 * device's, half of that under sanitizers. */
int rounds(const Fixture *fixture, int many);

/* Prints why a test cannot run here and ends it as skipped. */
#define SKIP(reason)                        \
  do {                                      \
    print_message("skipped: %s\n", reason); \
    skip();                                 \
  } while (0)

/* Calls a function of the library with a struct of options, and gives back what it made. */
typedef netcl_status (*OptionsCall)(Fixture *fixture, const void *options);
/* Bytes of a struct at its first release, which the API lock keeps, and today's. */
#define SIZES(type) FIRST_SIZE_##type, sizeof(type)
/* Checks the rules of struct_size, and that each reserved member (byte offsets, size 4) is refused
 * when it is not zero. `options` is a valid struct of `size` bytes, `first` of them since its first
 * release: a caller that knows only these, or these and some that came later, gets what it asks. */
void check_options_rules(Fixture *fixture, const char *name, OptionsCall call, const void *options,
                         size_t first, size_t size, const size_t *reserved, size_t reserved_count);

/* Calls a function of the library that fills a struct of information. */
typedef netcl_status (*InfoCall)(void *context, void *info);
/* Checks that short structs are not written past their end and long ones end in zeros. Bytes in
 * [skip, skip + skip_size) may change from call to call. */
void check_info_rules(const char *name, InfoCall call, void *context, size_t size, size_t skip_at,
                      size_t skip_size);

/* Calls a function of the library that gives text. */
typedef netcl_status (*TextCall)(void *context, char *buffer, size_t capacity, size_t *length);
/* Checks the rules for text. Returns the text, which the caller frees. */
char *check_text_rules(const char *name, TextCall call, void *context);

/* ---- Random numbers of the tests ------------------------------------------------------------- */

/* Starts the generator from NETCL_TEST_SEED or the clock, and prints the seed. */
void seed_random(const char *suite);
/* From here on the numbers of this seed. */
void seed_random_at(uint64_t seed);
uint64_t random_bits(void);
int64_t random_in(int64_t low, int64_t high);       /* both ends included */
double random_real(double low, double high);

/* ---- Elements -------------------------------------------------------------------------------- */

extern const netcl_dtype kDtypes[DTYPES];

/* An element without loss: one of the three members holds it. */
typedef struct Value {
  enum { VALUE_REAL, VALUE_SIGNED, VALUE_UNSIGNED } kind;
  double real;
  int64_t integer;
  uint64_t natural;
} Value;

int is_float_dtype(netcl_dtype dtype);
int is_signed_dtype(netcl_dtype dtype);
Value load_value(netcl_dtype dtype, const void *data, int64_t index);
double load_double(netcl_dtype dtype, const void *data, int64_t index);
/* Compares elements in C order, to within tolerance * (1 + |wanted|), and releases the tensor. */
void check_and_release(netcl_tensor **tensor, int64_t count, const double *wanted,
                       double tolerance, int line);
/* Stores a double rounded to the dtype (to nearest even), or truncated for integers. */
void store_double(netcl_dtype dtype, void *data, int64_t index, double value);
/* Rounds to the nearest even number of a binary format; `digits` of precision, least exponent. */
long double round_to_format(long double value, int digits, int min_exponent, int max_exponent);
/* The machine epsilon 2^-p of a float dtype: half the distance from 1 to its successor. */
double unit_roundoff(netcl_dtype dtype);
/* Fills with random values that a double holds exactly. `magnitude` bounds them. */
void fill_random(netcl_dtype dtype, void *data, int64_t count, double magnitude);
/* Converts an element as netcl_op_cast promises. */
void cast_reference(netcl_dtype from, const void *source, netcl_dtype to, void *target);
/* Equal bits, or both NaN of a float dtype. */
int same_element(netcl_dtype dtype, const void *a, const void *b);

/* ---- Tensors --------------------------------------------------------------------------------- */

int64_t product(uint32_t rank, const int64_t *shape);
/* Makes a C-order tensor from host values. */
netcl_tensor *make_tensor(netcl_device *device, netcl_dtype dtype, uint32_t rank,
                          const int64_t *shape, const void *data);
/* Reads all elements in C order into new memory that was poisoned; the caller frees it. */
void *read_tensor(const netcl_tensor *tensor);
/* Checks every bit of a tensor against C-order data. */
#define CHECK_TENSOR(tensor, data) check_tensor((tensor), (data), __FILE__, __LINE__)
void check_tensor(const netcl_tensor *tensor, const void *data, const char *file, int line);
netcl_tensor_info tensor_info(const netcl_tensor *tensor);
/* Options with a tensor that receives the result. */
netcl_run_options run_into(netcl_tensor *tensor);

/* Calls an op on kActivated with an activation whose parameters are not set. */
typedef netcl_status (*ActivationCall)(void *context, netcl_activation activation,
                                       netcl_tensor **result);
enum { ACTIVATED = 4 };
extern const float kActivated[ACTIVATED];
/* Parameters that are not set are ONNX's; clipping has none. `options` is how messages name the
 * struct that has them. */
void check_activation_defaults(ActivationCall call, void *context, const char *options);

/* A strided array on the host, which views of tensors are compared with. */
typedef struct Model {
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  int64_t strides[NETCL_RANK_MAX];
  int64_t offset;      /* elements from the start of data */
  unsigned char *data;
} Model;

Model model_packed(netcl_dtype dtype, uint32_t rank, const int64_t *shape, void *data);
int64_t model_index(const Model *model, int64_t flat);  /* where element `flat` in C order lies */
/* Gathers to C order in new memory; the caller frees it. */
void *model_gather(const Model *model);
void model_scatter(const Model *model, const void *data);
Model model_slice(const Model *model, const netcl_range *ranges);
Model model_permute(const Model *model, const uint32_t *axes);
Model model_broadcast(const Model *model, uint32_t rank, const int64_t *shape);

/* ---- Work that takes a while ----------------------------------------------------------------- */

/* An OpenCL kernel slow(__global int *out, int value, int spin): out[i] = value, after a loop. */
netcl_kernel *make_slow_kernel(netcl_device *device);
/* Launches it over `count` items; the loop of each takes about `spin` steps. */
netcl_status launch_slow(netcl_kernel *kernel, netcl_tensor *out, uint64_t count, int32_t value,
                         int32_t spin, netcl_queue *queue, netcl_event **event);
/* The built-in device has done its work when a call returns, so nothing can be caught waiting. */
#define NEEDS_WORK_IN_FLIGHT(fixture) \
  do {                                \
    if (!(fixture)->opencl) SKIP("the built-in device finishes its work inside the call"); \
  } while (0)

/* Enqueues work on a queue (NULL: the default queue), of 50 ms or more on OpenCL devices. `tensor`
 * receives a tensor that the work writes, `event` its event; both are the caller's. Either may be
 * NULL. */
void start_slow_work(Fixture *fixture, netcl_queue *queue, netcl_tensor **tensor,
                     netcl_event **event);

/* True when a log record after `sequence` holds the text. */
int log_has(uint64_t after, const char *text);
uint64_t log_last_sequence(void);

#endif
