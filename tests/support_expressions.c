#include "support_expressions.h"

#include <stdio.h>

enum { OPS = 9 };
static const int kArity[OPS] = {0, 0, 2, 2, 2, 2, 2, 1, 3};
/* What stands in front of each operand, and behind the last one. */
static const char* const kWords[OPS][4] = {{""},
                                           {""},
                                           {"(", " + ", ")"},
                                           {"(", " - ", ")"},
                                           {"(", " * ", ")"},
                                           {"min(", ", ", ")"},
                                           {"max(", ", ", ")"},
                                           {"abs(", ")"},
                                           {"(", " < ", " ? ", " : -1)"}};

static void append(Formula* f, const char* word) {
  CHECK(strlen(f->text) + strlen(word) < FORMULA_TEXT, "%s is too long", f->text);
  strcat(f->text, word);
}

/* Products of inputs and literals alone keep every value small. */
static int add_node(Formula* f, int inputs, int depth) {
  char leaf[16];
  int args[3] = {0, 0, 0};
  const int ends = depth == 0 || random_in(0, 4) == 0;
  const int op = ends ? (int)(random_in(0, 4) == 0) : (int)random_in(2, OPS - 1);
  const int value = op == 0 ? (int)random_in(0, inputs - 1) : (int)random_in(1, 3);
  if (kArity[op] == 0) {
    snprintf(leaf, sizeof leaf, op == 0 ? "v%d" : "%d", value);
    append(f, leaf);
  }
  for (int a = 0; a < kArity[op]; ++a) {
    append(f, kWords[op][a]);
    args[a] = add_node(f, inputs, op == 4 ? 0 : depth - 1);
  }
  if (kArity[op] > 0) append(f, kWords[op][kArity[op]]);
  const int at = f->count++;
  f->nodes[at].op = op;
  f->nodes[at].value = value;
  memcpy(f->nodes[at].args, args, sizeof args);
  return at;
}

Formula random_formula(int inputs) {
  Formula f;
  memset(&f, 0, sizeof f);
  add_node(&f, inputs, random_in(0, 3) == 0 ? 2 : 1);
  return f;
}

double formula_value(const Formula* f, const double* inputs) {
  double values[FORMULA_NODES];
  for (int i = 0; i < f->count; ++i) {
    const int* const args = f->nodes[i].args;
    const double a = values[args[0] < i ? args[0] : 0], b = values[args[1] < i ? args[1] : 0];
    switch (f->nodes[i].op) {
      case 0:
        values[i] = inputs[f->nodes[i].value];
        break;
      case 1:
        values[i] = f->nodes[i].value;
        break;
      case 2:
        values[i] = a + b;
        break;
      case 3:
        values[i] = a - b;
        break;
      case 4:
        values[i] = a * b;
        break;
      case 5:
        values[i] = a < b ? a : b;
        break;
      case 6:
        values[i] = a > b ? a : b;
        break;
      case 7:
        values[i] = a < 0 ? -a : a;
        break;
      default:
        values[i] = a < b ? values[args[2]] : -1;
    }
  }
  return values[f->count - 1];
}

Operands make_operands(Fixture* fixture, int count, const netcl_dtype* kinds, int kinds_count,
                       int64_t elements_most) {
  Operands o;
  memset(&o, 0, sizeof o);
  o.rank = (uint32_t)random_in(0, 4);
  o.count = count;
  do {
    for (uint32_t d = 0; d < o.rank; ++d) {
      o.shape[d] = random_in(0, 3) == 0 ? random_in(1, 3) : random_in(2, 1500 >> 2 * d);
    }
  } while (product(o.rank, o.shape) > elements_most);
  const int whole = (int)random_in(0, count - 1);
  for (int k = 0; k < count; ++k) {
    const uint32_t gone = k == whole ? 0 : (uint32_t)random_in(0, 2) % (o.rank + 1);
    o.ranks[k] = o.rank - gone;
    for (uint32_t d = 0; d < o.ranks[k]; ++d) {
      const int one = k != whole && random_in(0, 4) == 0;
      o.shapes[k][d] = one ? 1 : o.shape[d + gone];
    }
    do {
      o.dtypes[k] = kinds[random_in(0, kinds_count - 1)];
    } while (o.dtypes[k] == NETCL_F64 && !fixture->capabilities.fp64);
    const int64_t elements = product(o.ranks[k], o.shapes[k]);
    o.data[k] = malloc((size_t)elements * 8 + 8);
    const int natural = !is_float_dtype(o.dtypes[k]) && !is_signed_dtype(o.dtypes[k]);
    for (int64_t i = 0; i < elements; ++i) {
      double value = (double)random_in(natural ? 0 : 1, 3);
      if (!natural && random_in(0, 1)) value = -value;
      store_double(o.dtypes[k], o.data[k], i, o.dtypes[k] == NETCL_BOOL ? value > 1 : value);
    }
    o.strided[k] = make_strided(fixture->device, o.dtypes[k], o.ranks[k], o.shapes[k], o.data[k]);
    o.views[k] = o.strided[k].view;
  }
  return o;
}

void release_operands(Operands* o) {
  for (int k = 0; k < o->count; ++k) {
    release_strided(&o->strided[k]);
    free(o->data[k]);
  }
}

void operand_values(const Operands* o, int64_t flat, double* values) {
  int64_t at[NETCL_RANK_MAX], own[NETCL_RANK_MAX];
  unravel(o->rank, o->shape, flat, at);
  for (int k = 0; k < o->count; ++k) {
    const uint32_t gone = o->rank - o->ranks[k];
    for (uint32_t d = 0; d < o->ranks[k]; ++d) own[d] = o->shapes[k][d] == 1 ? 0 : at[d + gone];
    values[k] = load_double(o->dtypes[k], o->data[k], ravel(o->ranks[k], o->shapes[k], own));
  }
}
