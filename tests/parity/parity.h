/* What the files of the runner in C share: the words of a line, and tensors by name. */
#ifndef NETCL_TESTS_PARITY_H
#define NETCL_TESTS_PARITY_H

#include <netcl.h>

enum { kTensorsMost = 128, kWordsMost = 32, kNumbersMost = 32, kHandlesMost = 8 };

typedef struct Line {
  netcl_tensor *in[kHandlesMost];
  uint32_t in_count;
  const char *words[kWordsMost]; /* key=value */
  int words_count;
} Line;

/* The text after "key=", or NULL. */
const char *option(const Line *line, const char *key);
double number(const Line *line, const char *key, double otherwise);
int64_t integer(const Line *line, const char *key, int64_t otherwise);
/* The numbers of a list, at most kNumbersMost; 0 where there is none. */
uint32_t integers(const Line *line, const char *key, int64_t *values);
netcl_dtype dtype_option(const Line *line, const char *key);
/* The value of a hexadecimal digit. */
int digit(char c);
/* The tensor that an option names, or NULL. */
netcl_tensor *tensor_option(const Line *line, const char *key);
/* The tensors that an option lists, at most kHandlesMost; 0 where there is none. */
uint32_t tensors_option(const Line *line, const char *key, netcl_tensor **list);

/* Ends the program with what went wrong. These two are the program's. */
void give_up(const char *what);
void check(netcl_status status);

/* Runs an op or makes a view, recorded where there is a graph; of kHandlesMost results, those that
 * there are not stay NULL. 0: no such verb. */
int run_op(const char *verb, const Line *line, netcl_graph *graph, netcl_tensor **results);

/* Is called for a line "result"; its option has what is expected. */
typedef void (*ResultFunction)(const char *name, netcl_tensor *tensor, const Line *line);
/* Does what a line says, whose text is cut into its words. */
void run_line(netcl_device *device, char *text, ResultFunction found);
/* Forgets all tensors. */
void begin_case(const char *name);
const char *name_of_case(void);

#endif
