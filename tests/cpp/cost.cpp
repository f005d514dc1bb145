/*
 * The same work by netcl.h and by netcl.hpp, for cost.py, which compares what compilers make of it:
 * c_NAME against cpp_NAME. Failures end in calls that do not return, in both.
 */
#include <netcl.hpp>

#include <cstring>

[[noreturn]] void failed(netcl_status status);

static inline void check(netcl_status status) {
  if (__builtin_expect(status != NETCL_OK, 0)) failed(status);
}

extern "C" {

/* A getter. */
uint32_t c_getter(const netcl_tensor* tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(tensor, &info));
  return info.rank;
}
uint32_t cpp_getter(netcl::tensor_ref tensor) { return tensor.info().rank(); }

/* A launch with two tensors and two numbers. */
void c_launch(netcl_kernel* kernel, netcl_tensor* x, netcl_tensor* y, float a, uint64_t n) {
  const uint64_t global[1] = {n}, local[1] = {64};
  const int32_t count = static_cast<int32_t>(n);
  netcl_arg args[4] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
  args[0].kind = NETCL_ARG_TENSOR;
  args[0].tensor = x;
  args[1].kind = NETCL_ARG_TENSOR;
  args[1].tensor = y;
  args[2].kind = NETCL_ARG_SCALAR;
  args[2].size = sizeof a;
  args[2].dtype = NETCL_F32;
  std::memcpy(args[2].value, &a, sizeof a);
  args[3].kind = NETCL_ARG_SCALAR;
  args[3].size = sizeof count;
  args[3].dtype = NETCL_I32;
  std::memcpy(args[3].value, &count, sizeof count);
  check(netcl_kernel_launch(kernel, global, 1, local, 1, args, 4, nullptr, nullptr));
}
void cpp_launch(netcl::kernel_ref kernel, netcl::tensor_ref x, netcl::tensor_ref y, float a,
                uint64_t n) {
  kernel.launch({n}, {64}, {x, y, a, static_cast<int32_t>(n)});
}

/* An op whose result is handed on. */
netcl_tensor* c_op(netcl_tensor* x, netcl_tensor* y) {
  netcl_tensor* const inputs[2] = {x, y};
  netcl_tensor* made = nullptr;
  check(netcl_op_elementwise(NETCL_ELEMENTWISE_ADD, inputs, 2, nullptr, nullptr, &made));
  return made;
}
netcl_tensor* cpp_op(netcl::tensor_ref x, netcl::tensor_ref y) {
  return netcl::op::elementwise(netcl::elementwise::add, {x, y}).release();
}

/* An op with options, into a tensor that is there. */
void c_into(netcl_tensor* into, netcl_tensor* a, netcl_tensor* b, netcl_queue* queue) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.has_scale = 1;
  options.alpha = 2;
  run.queue = queue;
  run.into = into;
  check(netcl_op_matmul(a, b, &options, &run, nullptr));
}
void cpp_into(netcl::tensor_ref into, netcl::tensor_ref a, netcl::tensor_ref b,
              netcl::queue_ref queue) {
  netcl::op::matmul_into(into, a, b, netcl::matmul_options().scale(2, 0),
                         netcl::run_options().queue(queue));
}

/* A read of bytes with a time. A list of numbers asks the tensor for its dtype besides. */
void c_read(const netcl_tensor* x, float* data, size_t count) {
  check(netcl_tensor_read(x, data, count * sizeof *data, nullptr, 1000000000));
}
void cpp_read(netcl::tensor_ref x, float* data, size_t count) {
  x.read(netcl::bytes_out(data, count * sizeof *data), nullptr, std::chrono::seconds(1));
}

}  // extern "C"
