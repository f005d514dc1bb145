/*
 * Writes files of ONNX by hand: the wire format of protocol buffers, and as much of onnx.proto as
 * the tests of models need.
 */
#ifndef NETCL_TESTS_SUPPORT_ONNX_H
#define NETCL_TESTS_SUPPORT_ONNX_H

#include "support.h"

/* A message that grows. Begins as zeros; onnx_free gives its memory back. */
typedef struct OnnxBytes {
  unsigned char *data;
  size_t size;
  size_t room;
} OnnxBytes;

void onnx_free(OnnxBytes *bytes);
/* One field: a number, bytes, a text, a float, or a message, which is freed. */
void onnx_number(OnnxBytes *to, uint32_t field, int64_t value);
void onnx_bytes(OnnxBytes *to, uint32_t field, const void *data, size_t size);
void onnx_text(OnnxBytes *to, uint32_t field, const char *text);
void onnx_float(OnnxBytes *to, uint32_t field, float value);
void onnx_message(OnnxBytes *to, uint32_t field, OnnxBytes *message);

/* TensorProto.DataType of a dtype. */
int onnx_type(netcl_dtype dtype);
/* Adds a node to a graph. Names of inputs and outputs have blanks between them, "-" is one that is
 * left out. Attributes too: "axis=1 pads=[1,1] alpha=0.5 mode:edge names=[a,b]": integers, floats
 * by their point, texts, and lists of each. */
void onnx_node(OnnxBytes *graph, const char *op, const char *name, const char *inputs,
               const char *outputs, const char *attributes);
/* The same with graphs, which are freed: those of If are its then_branch and its else_branch, that
 * of Loop and Scan is its body; NULL for one that is not there. */
void onnx_flow(OnnxBytes *graph, const char *op, const char *name, const char *inputs,
               const char *outputs, const char *attributes, OnnxBytes *first, OnnxBytes *second);
/* Adds a function to a file: its nodes, which are freed, with names of inputs, outputs and defaults
 * of attributes as those of nodes; it names no opset where that is 0. In its nodes "axis@name" is
 * an attribute of the call. A node calls it as "domain.name". */
void onnx_function(OnnxBytes *file, const char *domain, const char *name, const char *inputs,
                   const char *outputs, const char *defaults, int opset, OnnxBytes *nodes);
/* Adds a weight; `data` is of the dtype. */
void onnx_weight(OnnxBytes *graph, const char *name, netcl_dtype dtype, uint32_t rank,
                 const int64_t *shape, const void *data);
void onnx_weight_i64(OnnxBytes *graph, const char *name, uint32_t count, const int64_t *numbers);
/* Adds an input or an output: its extents with blanks between, numbers or names, "?" for one that
 * has neither, "??" for one whose name is "?"; NULL: of any rank. */
void onnx_input(OnnxBytes *graph, const char *name, netcl_dtype dtype, const char *extents);
void onnx_output(OnnxBytes *graph, const char *name, netcl_dtype dtype, const char *extents);
/* The file of a graph, which is freed; it names no opset where that is 0. */
OnnxBytes onnx_file(OnnxBytes *graph, int opset);
/* Loads the file of a graph; both are freed. */
netcl_model *onnx_load(Fixture *fixture, OnnxBytes *graph, int opset);
/* Runs a model with one output, which has to be right. */
netcl_tensor *onnx_run(netcl_model *model, netcl_tensor *const *inputs, uint32_t count);

#endif
