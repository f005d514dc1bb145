/* What the tests of tuning share: keys, records and look-ups of a tuning database. */
#ifndef NETCL_TESTS_SUPPORT_TUNING_H
#define NETCL_TESTS_SUPPORT_TUNING_H

#include "support.h"

netcl_tuning_database *tuning_open(const char *path);
netcl_tuning_key tuning_key(const char *kernel, int64_t m, int64_t n);
/* The key of a record, whose texts it points to, for the device that a call names. */
netcl_tuning_key tuning_key_of(const netcl_tuning_record* record);
/* The last BEST record of a kernel in the database of the user. */
netcl_tuning_record tuning_best(netcl_tuning_database* database, const char* kernel,
                                netcl_config** config);
/* Stores {"TILE": tile, "MODE": "fast"} with a median of 1000 + tile. */
netcl_status tuning_put(netcl_tuning_database *database, const netcl_tuning_key *key, int64_t tile,
                        netcl_tuning_record_kind kind);
void tuning_put_best(netcl_tuning_database *database, const netcl_tuning_key *key, int64_t tile);
/* The TILE that is found, 0 for none; the match goes to *match, which may be NULL. */
int64_t tuning_look(netcl_tuning_database *database, const netcl_tuning_key *key,
                    netcl_match *match);
netcl_tuning_database_info tuning_facts(netcl_tuning_database *database);

#endif
