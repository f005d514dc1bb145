/* The lines of the vectors: their words, tensors by name, and what each does. README.md has the
 * format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parity.h"

static struct {
  char name[32];
  netcl_tensor *tensor;
} tensors[kTensorsMost];
static int tensors_count;
static netcl_graph *graph; /* of a case that is recorded */
static char case_name[64];

/* ---- Words ------------------------------------------------------------------------------------
 */

const char *option(const Line *line, const char *key) {
  const size_t length = strlen(key);
  for (int i = 0; i < line->words_count; ++i) {
    if (strncmp(line->words[i], key, length) == 0 && line->words[i][length] == '=') {
      return line->words[i] + length + 1;
    }
  }
  return NULL;
}

/* Of at most 15 digits, and rounded once; strtod would depend on the locale. */
double number(const Line *line, const char *key, double otherwise) {
  const char *text = option(line, key);
  if (text == NULL) return otherwise;
  const double sign = *text == '-' ? -1 : 1;
  double digits = 0, scale = 1;
  int exponent = 0, fraction = 0;
  for (text += *text == '-'; (*text >= '0' && *text <= '9') || *text == '.'; ++text) {
    if (*text == '.') {
      fraction = 1;
      continue;
    }
    digits = digits * 10 + (*text - '0');
    exponent -= fraction;
  }
  if (*text == 'e') exponent += (int)strtol(text + 1, NULL, 10);
  for (int i = exponent < 0 ? -exponent : exponent; i > 0; --i) scale *= 10;
  return exponent < 0 ? sign * (digits / scale) : sign * (digits * scale);
}

int64_t integer(const Line *line, const char *key, int64_t otherwise) {
  const char *text = option(line, key);
  return text == NULL ? otherwise : strtoll(text, NULL, 10);
}

uint32_t integers(const Line *line, const char *key, int64_t *values) {
  const char *text = option(line, key);
  uint32_t count = 0;
  while (text != NULL && *text != '\0') {
    if (count == kNumbersMost) give_up("a list is too long");
    char *end;
    values[count++] = strtoll(text, &end, 10);
    text = *end == ',' ? end + 1 : end;
  }
  return count;
}

netcl_dtype dtype_option(const Line *line, const char *key) {
  const char *name = option(line, key);
  if (name == NULL) return 0;
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_BOOL; ++dtype) {
    if (strcmp(netcl_dtype_name(dtype), name) == 0) return dtype;
  }
  give_up("an unknown dtype");
  return 0;
}

static netcl_tensor *find(const char *name) {
  for (int i = 0; i < tensors_count; ++i) {
    if (strcmp(tensors[i].name, name) == 0) return tensors[i].tensor;
  }
  give_up(name);
  return NULL;
}

netcl_tensor *tensor_option(const Line *line, const char *key) {
  const char *name = option(line, key);
  return name == NULL ? NULL : find(name);
}

uint32_t tensors_option(const Line *line, const char *key, netcl_tensor **list) {
  const char *text = option(line, key);
  uint32_t count = 0;
  while (text != NULL && *text != '\0') {
    const size_t length = strcspn(text, ",");
    char name[sizeof tensors->name];
    if (count == kHandlesMost || length >= sizeof name) give_up("a list of tensors is too long");
    memcpy(name, text, length);
    name[length] = '\0';
    list[count++] = find(name);
    text += length + (text[length] == ',');
  }
  return count;
}

/* ---- Elements ---------------------------------------------------------------------------------
 */

/* Bits of n / 2^shift, which the float types hold exactly, and of n modulo 2^bits for others. */
static uint64_t bits_of(netcl_dtype dtype, int64_t n, int shift) {
  const double value = (double)n / (double)(1 << shift);
  const float single = (float)value;
  uint64_t bits;
  uint32_t narrow;
  memcpy(&bits, &value, sizeof bits);
  memcpy(&narrow, &single, sizeof narrow);
  switch (dtype) {
    case NETCL_F64:
      return bits;
    case NETCL_F32:
      return narrow;
    case NETCL_BF16:
      return narrow >> 16;
    case NETCL_F16:
      if (n == 0) return 0;
      return (bits >> 48 & 0x8000) | ((bits >> 52 & 0x7ff) - 1023 + 15) << 10 |
             (bits >> 42 & 0x3ff);
    case NETCL_BOOL:
      return n != 0;
    default:
      return (uint64_t)n;
  }
}

int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

static netcl_tensor *make_data(netcl_device *device, const Line *line) {
  const netcl_dtype dtype = dtype_option(line, "dtype");
  const size_t size = netcl_dtype_size(dtype);
  int64_t shape[kNumbersMost], rule[kNumbersMost] = {0};
  const uint32_t rank = integers(line, "shape", shape);
  size_t count = 1;
  for (uint32_t i = 0; i < rank; ++i) count *= (size_t)shape[i];
  unsigned char *data = calloc(count + 1, size);
  if (data == NULL) give_up("no memory");
  const char *hex = option(line, "bits");
  integers(line, "line", rule);
  for (size_t i = 0; i < count * size && hex != NULL; ++i) {
    data[i] = (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  }
  for (size_t i = 0; i < count && hex == NULL; ++i) {
    const int64_t n = (rule[0] + rule[1] * (int64_t)i) % rule[2] - rule[3];
    const uint64_t bits = bits_of(dtype, n, (int)rule[4]);
    for (size_t byte = 0; byte < size; ++byte) {
      data[i * size + byte] = (unsigned char)(bits >> 8 * byte);
    }
  }
  netcl_tensor *tensor;
  check(netcl_tensor_create_from_host(device, dtype, rank, shape, NULL, data, count * size, NULL,
                                      &tensor));
  free(data);
  return tensor;
}

static netcl_tensor *make_random(netcl_device *device, const Line *line) {
  netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
  int64_t shape[kNumbersMost];
  const uint32_t rank = integers(line, "shape", shape);
  options.seed = (uint64_t)integer(line, "seed", 0);
  options.offset = (uint64_t)integer(line, "offset", 0);
  options.low = number(line, "low", 0);
  options.high = number(line, "high", 0);
  netcl_tensor *tensor;
  check(netcl_tensor_create_random(device, dtype_option(line, "dtype"), rank, shape, NULL, &options,
                                   NULL, &tensor));
  return tensor;
}

/* ---- Lines ------------------------------------------------------------------------------------
 */

static void keep(const char *name, netcl_tensor *tensor) {
  if (tensors_count == kTensorsMost) give_up("a case has too many tensors");
  snprintf(tensors[tensors_count].name, sizeof tensors->name, "%s", name);
  tensors[tensors_count++].tensor = tensor;
}

const char *name_of_case(void) { return case_name; }

void begin_case(const char *name) {
  for (int i = 0; i < tensors_count; ++i) netcl_tensor_release(tensors[i].tensor);
  tensors_count = 0;
  netcl_graph_release(graph);
  graph = NULL;
  snprintf(case_name, sizeof case_name, "%s", name);
}

void run_line(netcl_device *device, char *text, ResultFunction found) {
  Line line;
  memset(&line, 0, sizeof line);
  const char *verb = strtok(text, " \n");
  char *out = strtok(NULL, " \n");
  if (verb == NULL || *verb == '#') return;
  if (strcmp(verb, "case") == 0) {
    begin_case(out);
    return;
  }
  char *in = strtok(NULL, " \n");
  if (in == NULL) give_up("a line has too few words");
  for (char *word; (word = strtok(NULL, " \n")) != NULL;) {
    if (line.words_count == kWordsMost) give_up("a line has too many words");
    line.words[line.words_count++] = word;
  }
  if (strcmp(verb, "result") == 0) {
    found(out, find(out), &line);
    return;
  }
  for (char *name = strtok(in, ","); name != NULL && strcmp(name, "-") != 0;
       name = strtok(NULL, ",")) {
    if (line.in_count == kHandlesMost) give_up("a line has too many inputs");
    line.in[line.in_count++] = find(name);
  }
  netcl_tensor *results[kHandlesMost] = {NULL};
  if (strcmp(verb, "data") == 0) {
    results[0] = make_data(device, &line);
  } else if (strcmp(verb, "random") == 0) {
    results[0] = make_random(device, &line);
  } else if (strcmp(verb, "record") == 0) {
    check(netcl_graph_create(device, NULL, &graph));
  } else if (!run_op(verb, &line, graph, results)) {
    give_up(verb);
  }
  for (int i = 0; i < kHandlesMost && results[i] != NULL; ++i) {
    const char *name = strtok(i == 0 ? out : NULL, ",");
    if (name == NULL) give_up("a line has too few names");
    keep(name, results[i]);
  }
}
