// Prints typed trees as OpenCL C. Nothing of a user's text reaches the source: names are made here,
// and numbers are printed from their values, floating ones in hexadecimal.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "expression/types.hpp"
#include "netcl.h"

namespace netcl::expression {

// One value (or vector of values) as code. `helpers` are functions and macros for file scope; they
// are guarded, so the helpers of several pieces may stand in one program. `statements` use
// variables x<k> of cl_type(compute_dtype(inputs[k]), width), which must exist, for every used
// input k, and define variables t<i>; each result is a variable of cl_type(compute_dtype(its
// dtype)).
struct ValueCode {
  std::string helpers;
  std::string statements;
  std::vector<std::string> results;
};

// The OpenCL C type that holds `width` (1, 4, 8, 16) values of a compute dtype: "float4"; bool is
// uchar.
std::string cl_type(netcl_dtype dtype, uint32_t width);

// `parameters` are the literals that the code takes from variables k<node>, of cl_type of their
// dtype, in place of their values.
ValueCode expression_cl(const TypedTree& tree, uint32_t width,
                        std::span<const uint32_t> parameters = {});

struct OperandShape {
  enum class Access : uint8_t {
    contiguous,  // element i of the iteration is element i of the operand
    scalar,      // one element for all of the iteration
    strided      // by the extents of the iteration and the operand's own strides
  };
  netcl_dtype dtype = 0;
  Access access = Access::contiguous;
};

struct KernelPlan {
  std::vector<OperandShape> inputs;   // as many as TypedTree::inputs
  std::vector<OperandShape> outputs;  // as many as TypedTree::results; contiguous or strided
  uint32_t rank = 1;                 // 1 to 8, of the coalesced iteration; for strided operands
  // False: element counts and all element indexes, plus the global size times vector_width, stay
  // below 2^31, so that 32-bit arithmetic is enough.
  bool index64 = false;
  uint32_t vector_width = 1;  // 1, 4 or 8; above 1 only when no operand is strided
  // True: every contiguous operand's first element is aligned to vector_width elements, which lets
  // the kernel use whole vector loads.
  bool aligned = false;
  bool f64_ok = true;         // the device has fp64
};

// What one argument of the kernel stands for. kernel_arguments() lists them in the order of the
// parameters:
//   for each used input in order: pointer, offset; for each output: pointer, offset; count;
//   when any operand is strided: extents 0 .. rank-1 (outermost first), then for each strided used
//   input in order its strides 0 .. rank-1, then for each strided output its strides;
//   the values of literals, in the order of their nodes.
// So trees that differ in such literals alone have one source. Which literals these are depends on
// everything but their values: at most 16, fewer where a device might not take as many arguments,
// no truth values, and none that is an operand of a power, a shift or a division of integers, of
// which compilers make other code when they know the value.
// Pointers are buffers. Offsets and strides are signed and count elements; count and extents are
// unsigned; all of them are 4 bytes wide, or 8 with index64. Literals have their own sizes.
struct ArgumentRole {
  enum class Kind : uint8_t {
    input_pointer, input_offset, output_pointer, output_offset, count, extent, input_stride,
    output_stride, literal
  };
  Kind kind;
  uint32_t operand;    // index of the input or output, or of the literal's node
  uint32_t dimension;  // of an extent or stride
  uint32_t size;       // bytes; 0 for a pointer
  uint64_t bits = 0;   // of a literal
};

std::vector<ArgumentRole> kernel_arguments(const TypedTree& tree, const KernelPlan& plan);

// A whole program with one kernel. Each work item goes over the elements (or vectors of
// vector_width elements) with the global size as its step, so any one-dimensional global size gives
// the right result. An item stores all results of a step behind its loads, so inputs and outputs
// may be the same memory when their access is the same. Fails
// with UNSUPPORTED when the tree computes in f64 and the device cannot.
std::string kernel_source(const TypedTree& tree, const KernelPlan& plan, const char* kernel_name);

// Number to be printed with f32 or f64 as hexadecimal OpenCL C; used by other printers too.
std::string cl_number(double value, bool single);

}  // namespace netcl::expression
