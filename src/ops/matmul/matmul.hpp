// Matrix products; netcl_op_matmul in netcl.h says what they are. matmul.cpp checks a call and
// brings it into the form of a MatmulProblem; matmul_run.cpp does it; matmul_kernel.cpp writes the
// source of a specialised product.
#pragma once

#include "kernel/kernel.hpp"
#include "ops/elementwise/epilogue.hpp"
#include "ops/frame/run.hpp"
#include "ops/matmul/matmul_plan.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct MatmulParameters {
  double alpha = 1.0;
  double beta = 0.0;
  netcl_dtype dtype = 0;  // of the result; 0: that of the inputs, or of run->into
  netcl_variant variant = NETCL_VARIANT_AUTO;
  netcl_precision precision = NETCL_PRECISION_STRICT;
  Epilogue epilogue;
  TensorRef a_zero_point;  // of i8 and u8; null: 0
  TensorRef b_zero_point;
};

// The product of two tensors, into `into` or a new tensor.
TensorRef matmul(const Tensor& a, const Tensor& b, const MatmulParameters& parameters,
                 const TensorRef& into, const Run& run);

// The shape of the product of i8 and u8, packed, with the operands and the zero points checked:
// for an op that works on with it. `into` is what that op writes to.
Layout matmul_result(const Tensor& a, const Tensor& b, const MatmulParameters& parameters,
                     const TensorRef& into, const Run& run);

// What is asked of products of i8 and u8: whole numbers for alpha and beta, and activations that
// integers have. matmul_integers.cpp
void check_integer_options(const MatmulParameters& parameters);
// Zero points as a column of m elements or a row of n, with stacks of them that broadcast to
// `batch`; strides are 0 where one stands for all.
MatmulOperand zero_point_operand(const Tensor& zero, bool of_rows, int64_t extent,
                                 uint32_t batch_rank, const int64_t* batch);
// Dtypes and memory of the zero points; other dtypes of a and b have none.
void check_zero_points(const Tensor& a, const Tensor& b, const MatmulParameters& parameters,
                       const TensorRef& into, const Run& run);

// The tensors of a problem by their role; null where there is none.
using MatmulTensors = std::array<const Tensor*, kRoleCount>;

// What takes the place of b.
struct MatmulFactor {
  const Tensor* tensor;  // its memory
  Layout layout;         // as b has it
};

// A checked product and its result. A residual that is the result itself has become part of beta,
// unless beta is 0 with it.
struct MatmulCall {
  TensorRef c;
  MatmulTensors tensors;
  MatmulProblem problem;  // not normalized
  bool copies_residual = false;
};
// Checks shapes, the epilogue and `into`, and makes the result.
MatmulCall prepare_matmul(const Tensor& a, const MatmulFactor& b,
                          const MatmulParameters& parameters, const TensorRef& into,
                          const Run& run);

// What a problem's product declares.
Work matmul_work(const MatmulTensors& tensors, const MatmulProblem& problem,
                 netcl_variant variant);
// Does a normalized problem on the device of `run` as `config` says, which was chosen by `request`.
void run_matmul(const MatmulTensors& tensors, const MatmulProblem& problem,
                const VariantConfig& config, netcl_variant request, const Run& run);

// The specification of the kernel that netcl_kernel_create_matmul makes, and its global size. A
// null `config` is chosen by the rules.
KernelSpec make_matmul_spec(const Device& device, const char* name, int64_t m, int64_t n, int64_t k,
                            netcl_dtype dtype, const netcl_variant_config* config,
                            uint64_t* global);

}  // namespace netcl::ops
