/* A scripted machine for tests of searches: it gives times by a rule, and needs no device. */
#ifndef NETCL_TESTS_SUPPORT_SEARCH_H
#define NETCL_TESTS_SUPPORT_SEARCH_H

#include "support_tuning.h"

typedef struct Machine {
  double (*time)(const struct Machine *machine, int64_t a, int64_t b);
  netcl_outcome (*outcome)(int64_t a, int64_t b); /* NULL: always correct */
  double noise;    /* relative deviation of a sample */
  double drift;    /* each sample is slower by this share than the one before */
  double bimodal;  /* every other sample is slower by this share, at random */
  uint64_t state;  /* of its random numbers */
  uint64_t samples;
  uint64_t asked[4096]; /* samples by place, a * 64 + b */
} Machine;

/* Parameters A and B with the values 0 ... count_a - 1 and 0 ... count_b - 1. */
netcl_space *search_space(int64_t count_a, int64_t count_b);
netcl_search *search_make(const netcl_space *space, int64_t a, int64_t b,
                          const netcl_search_options *options);
/* Answers asks until the search is over, or `most` were answered. Gives the number answered. */
uint64_t search_drive(netcl_search *search, Machine *machine, uint64_t most);
/* Makes a search, drives it to its end and gives the winner as a * 64 + b. */
int64_t search_winner(const netcl_space *space, int64_t a, int64_t b,
                      const netcl_search_options *options, Machine *machine,
                      netcl_search_result *result);

#endif
