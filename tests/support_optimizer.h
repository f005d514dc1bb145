/* Groups of parameters with random shapes, strides and dtypes, for tests of optimisers. */
#ifndef NETCL_TESTS_SUPPORT_OPTIMIZER_H
#define NETCL_TESTS_SUPPORT_OPTIMIZER_H

#include "support_strided.h"

typedef enum Rule { SGD, ADAM, RMSPROP, ADAGRAD } Rule;
extern const char* const kRuleNames[4];

/* All that a rule is told. Numbers that a rule does not have are 0. */
typedef struct Recipe {
  Rule rule;
  double rate, factor, scale, weight_decay, momentum, dampening, beta1, beta2, epsilon, rate_decay;
  int nesterov, decoupled, amsgrad, centered, masters;
  int scaled, factored, finds; /* with a tensor for each */
  int wide;                    /* all is f64 */
  int packed;                  /* no strides but those of C order */
  int64_t extent;              /* not 0: each parameter has this shape and is f32 */
  int large;                   /* the first parameter has many elements */
} Recipe;

Recipe plain_recipe(Rule rule);
Recipe random_recipe(const Fixture* fixture, Rule rule);

typedef struct Entry {
  netcl_dtype dtype, gradient_dtype;
  uint32_t rank;
  int64_t shape[3], count;
  Strided parameter, gradient, master, states[3];
} Entry;

enum { GROUP_MAX = 40 };
typedef struct Group {
  Recipe recipe;
  int count;
  Entry entries[GROUP_MAX];
  netcl_tensor *step, *factor, *scale, *found_inf;
} Group;

/* Parameters at random, states as zeros, no gradients. */
Group make_group(Fixture* fixture, const Recipe* recipe, int count);
void new_gradients(Fixture* fixture, Group* group);
/* One step of the group. */
netcl_status call_group(const Group* group, const netcl_run_options* run);
/* How many commands a step is in a compiled graph. */
int group_commands(Fixture* fixture, const Group* group);
/* Checks that nothing was written beside the elements, too. */
void free_group(Group* group);

/* What the device has of an entry. */
typedef struct Values {
  double *target, *gradient, *states[3]; /* target: the master where there is one */
  void* parameter_bits;
} Values;
Values read_entry(const Group* group, int index);
void free_values(Values* values);

/* What rounding to a dtype may cost. */
double rounding_of(netcl_dtype dtype, double value);

#endif
