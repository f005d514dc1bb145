/* Tuning on the scripted device: its script, and a kernel whose candidates it knows apart. */
#ifndef NETCL_TESTS_FAKE_SUPPORT_H
#define NETCL_TESTS_FAKE_SUPPORT_H

#include "support_kernel.h"
#include "support_tuning.h"

enum { kFakeItems = 256, kCountA = 8 };
/* A where no macro is set, which the space does not have: that program is the default. */
enum { kUntuned = -1 };

/* Replaces the script by the lines of a printf format; empties the log of launches. */
void fake_script(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* Adds lines. */
void fake_script_more(const char* format, ...) __attribute__((format(printf, 1, 2)));
/* Counts the launches whose line in the log holds the text; the script has to say "log". */
int fake_launches(const char* text);

/* A kernel k(in, out) with the macros A and B, in a space where A is 0 to kCountA - 1, and one
 * local size. In scripts A=-1 is what runs untuned. */
typedef struct FakeCase {
  netcl_kernel* kernel;
  netcl_tensor *in, *out;
  netcl_space* space;
  netcl_arg args[2];
  uint64_t global;
  netcl_kernel_tuning tuning;
  netcl_search_options search;
  netcl_tuner_options options;
  netcl_tuning_database* database;
} FakeCase;

void fake_case(netcl_device* device, FakeCase* made);
void fake_case_free(FakeCase* made);

/* The A of a configuration; kUntuned when it has none. */
int64_t fake_a(const netcl_config* config);
/* Tunes the case: the winner's A; the search, which the caller releases, goes to *search, which may
 * be NULL. */
int64_t fake_winner(FakeCase* made, netcl_search** search);
netcl_search_result fake_result(netcl_search* search);
/* The candidate with this A, which may be kUntuned. */
netcl_search_candidate fake_candidate(netcl_search* search, int64_t a);

#endif
