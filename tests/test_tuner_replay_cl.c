/* What a launch is to tuning: the last one of each size is replayed, and a stored choice is
 * dispatched as it was tuned. */
#include "support_tuner.h"

static netcl_tuner* memory_tuner(netcl_device* device, netcl_tuning_database** database) {
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner* tuner = NULL;
  *database = tuning_open(":memory:");
  options.database = *database;
  options.in_process = 1;
  options.run_limit_ns = 100 * SECOND; /* a busy machine */
  OK(netcl_tuner_create(device, &options, &tuner));
  return tuner;
}

/* A launch with a local size of the caller counts as any other, and so does one before the last. */
static void replays_the_last_launch_of_a_size(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tuning_database* database = NULL;
  netcl_tuner* tuner = memory_tuner(fixture->device, &database);
  TunedCase made = tuned_case(fixture->device, kTunedSource);
  static const uint64_t kLocal[] = {16};
  const uint64_t sizes[] = {made.global, made.global / 2, made.global / 4};
  for (int i = 0; i < 2; ++i) {
    OK(netcl_kernel_launch(made.kernel, &sizes[i], 1, kLocal, 1, made.args, 4, NULL, NULL));
  }
  OK(netcl_tuner_add(tuner, made.kernel, &sizes[0], 1, NULL, 0, NULL));
  OK(netcl_tuner_add(tuner, made.kernel, &sizes[1], 1, NULL, 0, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "argument 2, float f",
             netcl_tuner_add(tuner, made.kernel, &sizes[2], 1, NULL, 0, NULL));
  netcl_tuner_release(tuner);
  netcl_tuning_database_release(database);
  free_tuned_case(&made);
}

/* Writes one element further on when it is told to. */
static const char kShifting[] =
    "__kernel void k(__global float *out, int shift) {\n"
    "  out[get_global_id(0) + shift] = 1.0f;\n"
    "}\n";

/* Only the scalar differs between the two launches of one size: the later one is the last. */
static void replays_scalars_as_they_were_last(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  static const uint64_t kLocal[] = {16, 32};
  const uint64_t global = 256;
  for (int last = 0; last < 2; ++last) {
    netcl_tuning_database* database = NULL;
    netcl_tuner* tuner = memory_tuner(fixture->device, &database);
    netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
    netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
    netcl_kernel* kernel = source_kernel(fixture->device, "k", kShifting);
    netcl_tensor *whole = poisoned_tensor(fixture->device, NETCL_F32, 300), *part = NULL;
    const int64_t shape[] = {256};
    OK(netcl_tensor_view(whole, 1, shape, NULL, 0, &part));
    tuning.local_sizes = kLocal;
    tuning.local_sizes_count = 2;
    for (int i = 0; i < 2; ++i) {
      netcl_arg args[2] = {arg_tensor(part), arg_int(i == last)};
      OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 2, NULL, NULL));
    }
    OK(netcl_tuner_add(tuner, kernel, &global, 1, NULL, 0, &tuning));
    OK(netcl_tuner_run(tuner));
    OK(netcl_tuner_get_result(tuner, 0, &result, NULL));
    /* Outside the view is outside. */
    CHECK((result.status == NETCL_OK) == (last == 0), "%d: %s", last, result.message);
    netcl_tensor_release(part);
    netcl_tensor_release(whole);
    netcl_kernel_release(kernel);
    netcl_tuner_release(tuner);
    netcl_tuning_database_release(database);
  }
}

/* Macros of which the source has values of its own, and one of several words. Which they are is
 * told when it is asked for; with the flag's value the kernel is slow. */
static const char kOwnValues[] =
    "#ifndef FLAVOR\n#define FLAVOR 3\n#endif\n"
    "#ifndef SUM\n#define SUM 30\n#endif\n"
    "#ifndef TILE_SIZE\n#define TILE_SIZE 500\n#endif\n"
    "__kernel void k(__global float *out, float reveal) {\n"
    "  float x = reveal;\n"
    "  for (int r = 0; r < FLAVOR * 3000; ++r) x = x * 0.5f + reveal;\n"
    "  out[get_global_id(0)] = reveal == 0 ? x : FLAVOR * 1000 + SUM + TILE_SIZE;\n"
    "}\n";

/* A launch runs the program that was tuned: 0 is a value like another, TILE_SIZE apart. */
static void dispatches_what_was_tuned(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  static const int64_t kZero[] = {0};
  static const char* const kWords[] = {"10 + 20 * FLAVOR"};
  static const uint64_t kLocal[] = {16};
  const uint64_t global = 64;
  const char* const flags[] = {"-DFLAVOR=7"};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel* kernel = NULL;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_tuner_options tuner_options = NETCL_TUNER_OPTIONS_INIT;
  netcl_space* space = NULL;
  netcl_config* config = NULL;
  float value[64];
  char text[256];
  netcl_tensor* out = poisoned_tensor(fixture->device, NETCL_F32, 64);
  netcl_arg args[] = {arg_tensor(out), arg_float(0)};
  options.source = kOwnValues;
  options.flags = flags;
  options.flags_count = 1;
  OK(netcl_kernel_create(fixture->device, "k", &options, &kernel));
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "FLAVOR", kZero, 1));
  OK(netcl_space_add_texts(space, "SUM", kWords, 1));
  tuning.space = space;
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 1;
  tuning.tile_sizes = kZero;
  tuning.tile_sizes_count = 1;
  tuner_options.in_process = 1;
  tuner_options.run_limit_ns = 100 * SECOND;
  OK(netcl_kernel_autotune(kernel, &global, 1, args, 2, &tuning, &tuner_options, &config, NULL));
  OK(netcl_config_get_json(config, text, sizeof text, NULL));
  args[1] = arg_float(1);
  OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 2, NULL, NULL));
  OK(netcl_tensor_read(out, value, sizeof value, NULL, LONG_WAIT));
  CHECK(value[0] == 0 * 1000 + 10 + 20 * 0 + 500, "%s gives %g", text, value[0]);
  netcl_config_release(config);
  /* The same when a program stores the result itself, as netcl tune does after Ctrl-C. */
  netcl_tuning_database* database = tuning_open(NULL);
  config = NULL;
  const netcl_tuning_record record = tuning_best(database, "k", &config);
  const netcl_tuning_key key = tuning_key_of(&record);
  OK(netcl_tuning_database_clear(database, NULL));
  OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 2, NULL, NULL));
  OK(netcl_tensor_read(out, value, sizeof value, NULL, LONG_WAIT));
  CHECK(value[0] == 0 * 1000 + 10 + 20 * 0 + 500, "%s gives %g when put", text, value[0]);
  netcl_config_release(config);
  netcl_tuning_database_release(database);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
  netcl_space_release(space);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(replays_the_last_launch_of_a_size),
      DEVICE_TEST(replays_scalars_as_they_were_last),
      DEVICE_TEST(dispatches_what_was_tuned),
  };
  seed_random("tuner_replay_cl");
  return cmocka_run_group_tests_name("tuner_replay_cl", tests, NULL, NULL);
}
