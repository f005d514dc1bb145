#include "support_onnx.h"

#include <ctype.h>
#include <stdio.h>

static void append(OnnxBytes *to, const void *data, size_t size) {
  if (to->size + size > to->room) {
    to->room = 2 * (to->size + size);
    to->data = realloc(to->data, to->room);
    assert_non_null(to->data);
  }
  if (size > 0) memcpy(to->data + to->size, data, size);
  to->size += size;
}

static void append_varint(OnnxBytes *to, uint64_t value) {
  do {
    const unsigned char byte = (unsigned char)((value & 127) | (value > 127 ? 128 : 0));
    append(to, &byte, 1);
    value >>= 7;
  } while (value > 0);
}

void onnx_free(OnnxBytes *bytes) {
  free(bytes->data);
  *bytes = (OnnxBytes){0};
}

void onnx_number(OnnxBytes *to, uint32_t field, int64_t value) {
  append_varint(to, (uint64_t)field << 3);
  append_varint(to, (uint64_t)value);
}

void onnx_bytes(OnnxBytes *to, uint32_t field, const void *data, size_t size) {
  append_varint(to, (uint64_t)field << 3 | 2);
  append_varint(to, size);
  append(to, data, size);
}

void onnx_text(OnnxBytes *to, uint32_t field, const char *text) {
  onnx_bytes(to, field, text, strlen(text));
}

void onnx_float(OnnxBytes *to, uint32_t field, float value) {
  append_varint(to, (uint64_t)field << 3 | 5);
  append(to, &value, sizeof value);
}

void onnx_message(OnnxBytes *to, uint32_t field, OnnxBytes *message) {
  onnx_bytes(to, field, message->data, message->size);
  onnx_free(message);
}

int onnx_type(netcl_dtype dtype) {
  static const int kTypes[] = {0, 10, 16, 1, 11, 3, 5, 6, 7, 2, 4, 12, 13, 9};
  return kTypes[dtype];
}

/* Calls a function with each word of a text, without the blanks between. */
static void each_word(const char *words, void (*use)(OnnxBytes *, uint32_t, const char *),
                      OnnxBytes *to, uint32_t field) {
  char word[256];
  for (int used; words != NULL && sscanf(words, "%255s%n", word, &used) == 1; words += used) {
    use(to, field, word);
  }
}

static void add_name(OnnxBytes *to, uint32_t field, const char *word) {
  onnx_text(to, field, strcmp(word, "-") == 0 ? "" : word);
}

static void add_attribute(OnnxBytes *node, uint32_t field, const char *word) {
  OnnxBytes attribute = {0};
  char name[64];
  const size_t length = strcspn(word, "=:@");
  memcpy(name, word, length);
  name[length] = '\0';
  const char *value = word + length + 1;
  onnx_text(&attribute, 1, name);
  if (word[length] == '@') {
    onnx_text(&attribute, 21, value);
  } else if (word[length] == ':') {
    onnx_text(&attribute, 4, value);
    onnx_number(&attribute, 20, 3);
  } else if (value[0] == '[' && isalpha((unsigned char)value[1])) {
    char text[64];
    for (; *value != ']'; value += 1 + strlen(text)) {
      snprintf(text, sizeof text, "%.*s", (int)strcspn(value + 1, ",]"), value + 1);
      onnx_text(&attribute, 9, text);
    }
    onnx_number(&attribute, 20, 8);
  } else if (value[0] == '[' && strchr(value, '.') != NULL) {
    for (char *end; *value != ']'; value = end) {
      onnx_float(&attribute, 7, strtof(value + 1, &end));
    }
    onnx_number(&attribute, 20, 6);
  } else if (value[0] == '[') {
    for (char *end; *value != ']'; value = end) {
      onnx_number(&attribute, 8, strtoll(value + 1, &end, 10));
    }
    onnx_number(&attribute, 20, 7);
  } else if (strpbrk(value, ".") != NULL) {
    onnx_float(&attribute, 2, strtof(value, NULL));
    onnx_number(&attribute, 20, 1);
  } else {
    onnx_number(&attribute, 3, strtoll(value, NULL, 10));
    onnx_number(&attribute, 20, 2);
  }
  onnx_message(node, field, &attribute);
}

void onnx_node(OnnxBytes *graph, const char *op, const char *name, const char *inputs,
               const char *outputs, const char *attributes) {
  onnx_flow(graph, op, name, inputs, outputs, attributes, NULL, NULL);
}

static void add_graph(OnnxBytes *node, const char *name, OnnxBytes *graph) {
  if (graph == NULL) return;
  OnnxBytes attribute = {0};
  onnx_text(&attribute, 1, name);
  onnx_message(&attribute, 6, graph);
  onnx_number(&attribute, 20, 5);
  onnx_message(node, 5, &attribute);
}

void onnx_flow(OnnxBytes *graph, const char *op, const char *name, const char *inputs,
               const char *outputs, const char *attributes, OnnxBytes *first, OnnxBytes *second) {
  OnnxBytes node = {0};
  const int branches = strcmp(op, "If") == 0;
  each_word(inputs, add_name, &node, 1);
  each_word(outputs, add_name, &node, 2);
  onnx_text(&node, 3, name);
  const char *const dot = strchr(op, '.');
  onnx_text(&node, 4, dot == NULL ? op : dot + 1);
  if (dot != NULL) onnx_bytes(&node, 7, op, (size_t)(dot - op));
  each_word(attributes, add_attribute, &node, 5);
  add_graph(&node, branches ? "then_branch" : "body", first);
  add_graph(&node, "else_branch", second);
  onnx_message(graph, 1, &node);
}

void onnx_function(OnnxBytes *file, const char *domain, const char *name, const char *inputs,
                   const char *outputs, const char *defaults, int opset, OnnxBytes *nodes) {
  OnnxBytes function = {0}, set = {0};
  onnx_text(&function, 1, name);
  each_word(inputs, add_name, &function, 4);
  each_word(outputs, add_name, &function, 5);
  each_word(defaults, add_attribute, &function, 11);
  onnx_text(&function, 10, domain);
  onnx_number(&set, 2, opset);
  if (opset != 0) onnx_message(&function, 9, &set);
  onnx_free(&set);
  /* Nodes have another number than in a graph. */
  for (size_t at = 0; at < nodes->size;) {
    size_t size = 0;
    assert_int_equal(nodes->data[at++], 1 << 3 | 2);
    for (int shift = 0;; shift += 7) {
      const unsigned char byte = nodes->data[at++];
      size |= (size_t)(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    onnx_bytes(&function, 7, nodes->data + at, size);
    at += size;
  }
  onnx_free(nodes);
  onnx_message(file, 25, &function);
}

void onnx_weight(OnnxBytes *graph, const char *name, netcl_dtype dtype, uint32_t rank,
                 const int64_t *shape, const void *data) {
  OnnxBytes tensor = {0};
  for (uint32_t d = 0; d < rank; ++d) onnx_number(&tensor, 1, shape[d]);
  onnx_number(&tensor, 2, onnx_type(dtype));
  onnx_text(&tensor, 8, name);
  onnx_bytes(&tensor, 9, data, (size_t)product(rank, shape) * netcl_dtype_size(dtype));
  onnx_message(graph, 5, &tensor);
}

void onnx_weight_i64(OnnxBytes *graph, const char *name, uint32_t count, const int64_t *numbers) {
  const int64_t shape[1] = {count};
  onnx_weight(graph, name, NETCL_I64, 1, shape, numbers);
}

static void add_extent(OnnxBytes *shape, uint32_t field, const char *word) {
  OnnxBytes extent = {0};
  if ((word[0] >= '0' && word[0] <= '9') || word[0] == '-') {
    onnx_number(&extent, 1, strtoll(word, NULL, 10));
  } else if (strcmp(word, "?") != 0) {
    onnx_text(&extent, 2, strcmp(word, "??") == 0 ? "?" : word);
  }
  onnx_message(shape, field, &extent);
}

static void add_value(OnnxBytes *graph, uint32_t field, const char *name, netcl_dtype dtype,
                      const char *extents) {
  OnnxBytes value = {0}, type = {0}, tensor = {0}, shape = {0};
  onnx_number(&tensor, 1, onnx_type(dtype));
  if (extents != NULL) {
    each_word(extents, add_extent, &shape, 1);
    onnx_message(&tensor, 2, &shape);
  }
  onnx_message(&type, 1, &tensor);
  onnx_text(&value, 1, name);
  onnx_message(&value, 2, &type);
  onnx_message(graph, field, &value);
}

void onnx_input(OnnxBytes *graph, const char *name, netcl_dtype dtype, const char *extents) {
  add_value(graph, 11, name, dtype, extents);
}

void onnx_output(OnnxBytes *graph, const char *name, netcl_dtype dtype, const char *extents) {
  add_value(graph, 12, name, dtype, extents);
}

OnnxBytes onnx_file(OnnxBytes *graph, int opset) {
  OnnxBytes file = {0}, set = {0};
  onnx_number(&file, 1, 10);
  onnx_text(&file, 2, "netcl tests");
  onnx_text(&file, 3, "1.0");
  onnx_text(&set, 1, "");
  onnx_number(&set, 2, opset);
  onnx_text(graph, 2, "tested");
  onnx_message(&file, 7, graph);
  if (opset != 0) onnx_message(&file, 8, &set);
  onnx_free(&set);
  return file;
}

netcl_model *onnx_load(Fixture *fixture, OnnxBytes *graph, int opset) {
  OnnxBytes file = onnx_file(graph, opset);
  netcl_model *model = NULL;
  OK(netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
  onnx_free(&file);
  return model;
}

netcl_tensor *onnx_run(netcl_model *model, netcl_tensor *const *inputs, uint32_t count) {
  netcl_tensor *output = NULL;
  uint32_t outputs = 0;
  OK(netcl_model_evaluate(model, inputs, count, NULL, &output, 1, &outputs));
  assert_int_equal(outputs, 1);
  return output;
}
