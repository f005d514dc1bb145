#include "support_search.h"

#include <math.h>
#include <stdio.h>

netcl_space *search_space(int64_t count_a, int64_t count_b) {
  int64_t values[64];
  netcl_space *space = NULL;
  for (int64_t i = 0; i < 64; ++i) values[i] = i;
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "A", values, (uint32_t)count_a));
  OK(netcl_space_add_ints(space, "B", values, (uint32_t)count_b));
  return space;
}

netcl_search *search_make(const netcl_space *space, int64_t a, int64_t b,
                          const netcl_search_options *options) {
  char text[64];
  netcl_config *config = NULL;
  netcl_search *search = NULL;
  const int size = snprintf(text, sizeof text, "{\"A\": %d, \"B\": %d}", (int)a, (int)b);
  OK(netcl_config_create_from_json(text, (size_t)size, &config));
  OK(netcl_search_create(space, NULL, config, options, &search));
  netcl_config_release(config);
  return search;
}

static double uniform(Machine *machine) {
  machine->state = machine->state * 6364136223846793005u + 1442695040888963407u;
  return (double)(machine->state >> 11) * 0x1p-53;
}

static double sample_of(Machine *machine, int64_t a, int64_t b) {
  double time = machine->time(machine, a, b);
  if (machine->noise > 0) {
    const double normal =
        sqrt(-2.0 * log(1.0 - uniform(machine))) * cos(6.283185307179586 * uniform(machine));
    time *= fmax(1.0 + machine->noise * normal, 0.1);
  }
  if (machine->bimodal > 0 && uniform(machine) < 0.5) time *= 1.0 + machine->bimodal;
  time *= 1.0 + machine->drift * (double)machine->samples++;
  return time;
}

uint64_t search_drive(netcl_search *search, Machine *machine, uint64_t most) {
  for (uint64_t turn = 0; turn < most; ++turn) {
    uint32_t candidate = 0;
    uint64_t samples = 0;
    netcl_config *config = NULL;
    int64_t a = 0, b = 0;
    double times[64];
    OK(netcl_search_ask(search, &candidate, &samples, &config));
    if (samples == 0) {
      assert_null(config);
      return turn;
    }
    assert_true(samples <= 64);
    OK(netcl_config_get_int(config, "A", &a));
    OK(netcl_config_get_int(config, "B", &b));
    netcl_config_release(config);
    const netcl_outcome outcome =
        machine->outcome != NULL ? machine->outcome(a, b) : NETCL_OUTCOME_CORRECT;
    machine->asked[a * 64 + b] += samples;
    if (outcome != NETCL_OUTCOME_CORRECT) {
      OK(netcl_search_tell_failure(search, candidate, outcome, "as the script says"));
      continue;
    }
    for (uint64_t i = 0; i < samples; ++i) times[i] = sample_of(machine, a, b);
    OK(netcl_search_tell(search, candidate, times, samples));
  }
  return most;
}

int64_t search_winner(const netcl_space *space, int64_t a, int64_t b,
                      const netcl_search_options *options, Machine *machine,
                      netcl_search_result *result) {
  netcl_search *search = search_make(space, a, b, options);
  netcl_search_result own = NETCL_SEARCH_RESULT_INIT;
  netcl_config *config = NULL;
  const uint64_t turns = search_drive(search, machine, 1000000);
  CHECK(turns < 1000000, "a search does not end");
  if (result == NULL) result = &own;
  OK(netcl_search_get_result(search, result));
  OK(netcl_search_get_best(search, &config));
  OK(netcl_config_get_int(config, "A", &a));
  OK(netcl_config_get_int(config, "B", &b));
  netcl_config_release(config);
  netcl_search_release(search);
  return a * 64 + b;
}
