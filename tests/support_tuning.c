#include "support_tuning.h"

#include <stdio.h>

netcl_tuning_database *tuning_open(const char *path) {
  netcl_tuning_database *database = NULL;
  OK(netcl_tuning_database_open(path, &database));
  return database;
}

netcl_tuning_key tuning_key(const char *kernel, int64_t m, int64_t n) {
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  key.kernel = kernel;
  key.source = "0123";
  key.flags = "-DA=1";
  key.dtypes = "f32,f32";
  key.layout = "nt";
  key.part = "part";
  key.driver = "driver 1";
  key.shape[0] = m;
  key.shape[1] = n;
  key.shape_count = 2;
  return key;
}

netcl_tuning_key tuning_key_of(const netcl_tuning_record* record) {
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  key.kernel = record->kernel;
  key.source = record->source;
  key.flags = record->flags;
  key.dtypes = record->dtypes;
  key.layout = record->layout;
  memcpy(key.shape, record->shape, sizeof key.shape);
  key.shape_count = record->shape_count;
  memcpy(key.scalars, record->scalars, sizeof key.scalars);
  key.scalars_count = record->scalars_count;
  return key;
}

netcl_tuning_record tuning_best(netcl_tuning_database* database, const char* kernel,
                                netcl_config** config) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT, best = NETCL_TUNING_RECORD_INIT;
  for (uint64_t i = 0;; ++i) {
    netcl_config* one = NULL;
    if (netcl_tuning_database_get_record(database, i, &record, &one) != NETCL_OK) break;
    if (record.kind == NETCL_TUNING_RECORD_BEST && strcmp(record.kernel, kernel) == 0) {
      netcl_config_release(*config);
      best = record;
      *config = one;
    } else {
      netcl_config_release(one);
    }
  }
  CHECK(*config != NULL, "nothing is stored for %s", kernel);
  return best;
}

netcl_status tuning_put(netcl_tuning_database *database, const netcl_tuning_key *key, int64_t tile,
                        netcl_tuning_record_kind kind) {
  char text[64];
  netcl_config *config = NULL;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  record.kind = kind;
  record.outcome = kind == NETCL_TUNING_RECORD_QUARANTINE ? NETCL_OUTCOME_CRASH
                                                          : NETCL_OUTCOME_CORRECT;
  record.median = 1000.0 + (double)tile;
  record.interval_low = 999;
  record.interval_high = 1100;
  record.default_median = 2000;
  strcpy(record.reason, "faster than \"the\" default");
  const int size = snprintf(text, sizeof text, "{\"TILE\": %d, \"MODE\": \"fast\"}", (int)tile);
  netcl_status status = netcl_config_create_from_json(text, (size_t)size, &config);
  if (status != NETCL_OK) return status;
  status = netcl_tuning_database_put(database, NULL, key, config, &record);
  netcl_config_release(config);
  return status;
}
void tuning_put_best(netcl_tuning_database *database, const netcl_tuning_key *key, int64_t tile) {
  OK(tuning_put(database, key, tile, NETCL_TUNING_RECORD_BEST));
}

int64_t tuning_look(netcl_tuning_database *database, const netcl_tuning_key *key,
                    netcl_match *match) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config *config = (netcl_config *)(uintptr_t)1;
  int64_t tile = 0;
  OK(netcl_tuning_database_lookup(database, NULL, key, &record, &config));
  if (match != NULL) *match = record.match;
  if (record.match == NETCL_MATCH_NONE) {
    assert_null(config);
    return 0;
  }
  OK(netcl_config_get_int(config, "TILE", &tile));
  netcl_config_release(config);
  return tile;
}

netcl_tuning_database_info tuning_facts(netcl_tuning_database *database) {
  netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
  OK(netcl_tuning_database_get_info(database, &info));
  return info;
}
