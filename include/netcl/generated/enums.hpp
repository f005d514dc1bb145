// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_GENERATED_ENUMS_HPP
#define NETCL_GENERATED_ENUMS_HPP

#include <netcl/base.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {

/** The types of handles, for netcl_library_get_live_count. */
enum class handle_type : int32_t {
  device = NETCL_HANDLE_DEVICE,
  queue = NETCL_HANDLE_QUEUE,
  event = NETCL_HANDLE_EVENT,
  pool = NETCL_HANDLE_POOL,
  buffer = NETCL_HANDLE_BUFFER,
  tensor = NETCL_HANDLE_TENSOR,
  kernel = NETCL_HANDLE_KERNEL,
  expression = NETCL_HANDLE_EXPRESSION,
  measurement = NETCL_HANDLE_MEASUREMENT,
  timer = NETCL_HANDLE_TIMER,
  region = NETCL_HANDLE_REGION,
  roofline = NETCL_HANDLE_ROOFLINE,
  space = NETCL_HANDLE_SPACE,
  config = NETCL_HANDLE_CONFIG,
  tuning_database = NETCL_HANDLE_TUNING_DATABASE,
  search = NETCL_HANDLE_SEARCH,
  ceilings = NETCL_HANDLE_CEILINGS,
  benchmark = NETCL_HANDLE_BENCHMARK,
  tuner = NETCL_HANDLE_TUNER,
  graph = NETCL_HANDLE_GRAPH,
  group = NETCL_HANDLE_GROUP,
  model = NETCL_HANDLE_MODEL,
  sharded = NETCL_HANDLE_SHARDED,
  weights = NETCL_HANDLE_WEIGHTS,
  reducer = NETCL_HANDLE_REDUCER,
};

/** The outcome of a call. Values are never renumbered. */
enum class status : int32_t {
  ok = NETCL_OK,
  /** an argument is wrong; the message names it */
  invalid_argument = NETCL_ERROR_INVALID_ARGUMENT,
  /** NULL, released, of another type, foreign */
  invalid_handle = NETCL_ERROR_INVALID_HANDLE,
  /** no such device; the message says why */
  no_device = NETCL_ERROR_NO_DEVICE,
  out_of_host_memory = NETCL_ERROR_OUT_OF_HOST_MEMORY,
  out_of_device_memory = NETCL_ERROR_OUT_OF_DEVICE_MEMORY,
  /** see netcl_kernel_get_build_log */
  build_failure = NETCL_ERROR_BUILD_FAILURE,
  /** the driver refused or failed a command */
  launch_failure = NETCL_ERROR_LAUNCH_FAILURE,
  /** the device is gone; open it again */
  device_lost = NETCL_ERROR_DEVICE_LOST,
  /** the object was made before fork() */
  forked = NETCL_ERROR_FORKED,
  /** this device or release cannot do it */
  unsupported = NETCL_ERROR_UNSUPPORTED,
  /** no times were recorded for the command */
  not_profiled = NETCL_ERROR_NOT_PROFILED,
  not_found = NETCL_ERROR_NOT_FOUND,
  /** a limit of things in flight is reached */
  busy = NETCL_ERROR_BUSY,
  timeout = NETCL_ERROR_TIMEOUT,
  /** interrupted, see netcl_interrupt_enable */
  cancelled = NETCL_ERROR_CANCELLED,
  /** a file could not be read or written */
  io = NETCL_ERROR_IO,
  /** a file or blob is not what it should be */
  corrupt_data = NETCL_ERROR_CORRUPT_DATA,
  /** a fault of the library itself */
  internal = NETCL_ERROR_INTERNAL,
  /** another rank of a group died or left */
  rank_lost = NETCL_ERROR_RANK_LOST,
};

/** Values of netcl_log_level. */
enum class log_level : int32_t {
  off = NETCL_LOG_OFF,
  error = NETCL_LOG_ERROR,
  warning = NETCL_LOG_WARNING,
  info = NETCL_LOG_INFO,
  debug = NETCL_LOG_DEBUG,
};

/** Element types. f16 is IEEE binary16; bf16 is stored, and computed in f32. bool is 0 or 1. */
enum class dtype : int32_t {
  f16 = NETCL_F16,
  bf16 = NETCL_BF16,
  f32 = NETCL_F32,
  f64 = NETCL_F64,
  i8 = NETCL_I8,
  i16 = NETCL_I16,
  i32 = NETCL_I32,
  i64 = NETCL_I64,
  u8 = NETCL_U8,
  u16 = NETCL_U16,
  u32 = NETCL_U32,
  u64 = NETCL_U64,
  /** one byte; zero is false, everything else true */
  bool_ = NETCL_BOOL,
};

/** Values of netcl_device_type. */
enum class device_type : int32_t {
  other = NETCL_DEVICE_OTHER,
  cpu = NETCL_DEVICE_CPU,
  gpu = NETCL_DEVICE_GPU,
  accelerator = NETCL_DEVICE_ACCELERATOR,
};

/** Values of netcl_backend. */
enum class backend : int32_t {
  opencl = NETCL_BACKEND_OPENCL,
  /** the built-in CPU device */
  builtin = NETCL_BACKEND_BUILTIN,
};

/** Which family of kernels a device gets. */
enum class strategy : int32_t {
  portable = NETCL_STRATEGY_PORTABLE,
  optimized = NETCL_STRATEGY_OPTIMIZED,
};

/**
 * Units of a device that multiply small matrices, and that netcl has kernels for. It finds them by
 * building and running one. docs/matrix-units.md goes through such a kernel.
 */
enum class matrix_units : int32_t {
  none = NETCL_MATRIX_UNITS_NONE,
  /** NVIDIA's Hopper generation, through PTX for sm_90a */
  wgmma = NETCL_MATRIX_UNITS_WGMMA,
};

/** How netcl_op_copy brings a tensor of one device to another one. */
enum class copy_road : int32_t {
  /** one device: a command of it */
  device = NETCL_COPY_ROAD_DEVICE,
  /** both work on memory of the host: one command reaches both tensors, whatever their strides */
  memory = NETCL_COPY_ROAD_MEMORY,
  /**
   * the transfers of one device go to or come from the memory of the other, which is the built-in
   * one
   */
  transfer = NETCL_COPY_ROAD_TRANSFER,
  /**
   * in pieces through page-locked memory of the host; one device writes pieces while the other one
   * reads the next
   */
  staged = NETCL_COPY_ROAD_STAGED,
  /**
   * from one GPU of CUDA to another by the link between them: memory made with share = 1 at once,
   * other memory by way of pieces of such; short tensors as STAGED
   */
  peer = NETCL_COPY_ROAD_PEER,
};

/** Values of netcl_event_state. */
enum class event_state : int32_t {
  queued = NETCL_EVENT_QUEUED,
  submitted = NETCL_EVENT_SUBMITTED,
  running = NETCL_EVENT_RUNNING,
  complete = NETCL_EVENT_COMPLETE,
  /** see netcl_event_get_error */
  failed = NETCL_EVENT_FAILED,
};

/** Values of netcl_pool_kind. */
enum class pool_kind : int32_t {
  /** bounded: buckets of 1 KiB times powers of 4 up to 256 MiB */
  persistent = NETCL_POOL_PERSISTENT,
  /** a bucket per power of two; unbounded unless capped */
  power_of_two = NETCL_POOL_POWER_OF_TWO,
  /** page-locked host memory, mapped for the host */
  pinned = NETCL_POOL_PINNED,
};

/**
 * Tensors and pools that are made with share = 1 have memory on which other processes, and other
 * runtimes of this one, work without a copy: a memory file (memfd) on CPU devices, memory of CUDA's
 * driver on NVIDIA's GPUs, which needs libcuda.so.1. Elsewhere share = 1 is UNSUPPORTED. Order.
 * Nothing orders what two processes, devices or runtimes do: wait for what one does on the memory
 * (netcl_tensor_wait) before another begins. Commands that one device runs on one memory file are
 * ordered as ever. Lifetime. The memory stays until everybody is done with it: its buffers and
 * tensors, descriptors and imports in any process. They may go in any order, and a process may be
 * killed at any time. A pool leases nothing again that was exported, or whose address CUDA was
 * told. Trust. Whoever has a descriptor can read and write all that it stands for, total_bytes.
 */
enum class share_kind : int32_t {
  /** a memory file, which mmap with MAP_SHARED opens */
  file = NETCL_SHARE_FILE,
  /**
   * for cuMemImportFromShareableHandle, as a POSIX file descriptor; at most 510 MiB in one piece,
   * else UNSUPPORTED
   */
  cuda = NETCL_SHARE_CUDA,
};

/** A choice that has a default from the environment. */
enum class toggle : int32_t {
  default_ = NETCL_DEFAULT,
  on = NETCL_ON,
  off = NETCL_OFF,
};

/** Values of netcl_distribution. */
enum class distribution : int32_t {
  /** [low, high): floats, and integers; bool: each value half the time */
  uniform = NETCL_UNIFORM,
  /** mean and deviation; floats only */
  normal = NETCL_NORMAL,
};

/** What a kernel may do when it has no tuned local size. */
enum class tune_mode : int32_t {
  /** as NETCL_TUNE says */
  inherit = NETCL_TUNE_INHERIT,
  /** neither measure nor use stored results */
  off = NETCL_TUNE_OFF,
  /** NETCL_TUNE=first or force: tune at the first launch of a size */
  first_call = NETCL_TUNE_FIRST_CALL,
};

/** Values of netcl_arg_kind. */
enum class arg_kind : int32_t {
  /** tensor; written unless the parameter is const */
  tensor = NETCL_ARG_TENSOR,
  /** tensor that the kernel only reads */
  tensor_read_only = NETCL_ARG_TENSOR_READ_ONLY,
  /** size bytes of value */
  scalar = NETCL_ARG_SCALAR,
  /** size bytes at data, for structs over 32 bytes */
  data = NETCL_ARG_DATA,
  /** size bytes of local memory */
  local = NETCL_ARG_LOCAL,
  /** a NULL buffer */
  null_ = NETCL_ARG_NULL,
};

/** How well an answer of the tuning database fits the question. */
enum class match : int32_t {
  /** there is none: the default applies */
  none = NETCL_MATCH_NONE,
  exact = NETCL_MATCH_EXACT,
  /** found on the same part with another driver */
  other_driver = NETCL_MATCH_OTHER_DRIVER,
  /** of a shape and scalars that are within a factor of 4 */
  nearest_shape = NETCL_MATCH_NEAREST_SHAPE,
  /** of another device: it is no answer */
  other_part = NETCL_MATCH_OTHER_PART,
};

/** Where the local size of a launch comes from. */
enum class local_origin : int32_t {
  /** the call gives it */
  caller = NETCL_LOCAL_CALLER,
  /** a stored result of tuning */
  tuned = NETCL_LOCAL_TUNED,
  /** the source demands it: reqd_work_group_size */
  required = NETCL_LOCAL_REQUIRED,
  /** netcl_kernel_options */
  specification = NETCL_LOCAL_SPECIFICATION,
  /** netcl's own choice */
  chosen = NETCL_LOCAL_CHOSEN,
};

/**
 * Families of kernels that compute the same op. Every op that has variants chooses one by the rules
 * of docs/variants.md, takes one by request (options->variant), or by NETCL_VARIANT, such as
 * "matmul=tiled,conv2d=winograd". A variant that was asked for and cannot do the case is
 * UNSUPPORTED with the reason, never replaced by another.
 */
enum class variant : int32_t {
  auto_ = NETCL_VARIANT_AUTO,
  matmul_naive = NETCL_VARIANT_MATMUL_NAIVE,
  matmul_tiled = NETCL_VARIANT_MATMUL_TILED,
  matmul_register_tiled = NETCL_VARIANT_MATMUL_REGISTER_TILED,
  matmul_vectorized = NETCL_VARIANT_MATMUL_VECTORIZED,
  /** see netcl_matrix_units */
  matmul_matrix_units = NETCL_VARIANT_MATMUL_MATRIX_UNITS,
  conv2d_naive = NETCL_VARIANT_CONV2D_NAIVE,
  conv2d_im2col = NETCL_VARIANT_CONV2D_IM2COL,
  conv2d_implicit_gemm = NETCL_VARIANT_CONV2D_IMPLICIT_GEMM,
  conv2d_tiled_local = NETCL_VARIANT_CONV2D_TILED_LOCAL,
  conv2d_winograd = NETCL_VARIANT_CONV2D_WINOGRAD,
  /** f16 and bf16, one group, strides up to 8; see netcl_matrix_units */
  conv2d_matrix_units = NETCL_VARIANT_CONV2D_MATRIX_UNITS,
  elementwise_scalar = NETCL_VARIANT_ELEMENTWISE_SCALAR,
  elementwise_vectorized = NETCL_VARIANT_ELEMENTWISE_VECTORIZED,
  reduction_sequential = NETCL_VARIANT_REDUCTION_SEQUENTIAL,
  reduction_parallel = NETCL_VARIANT_REDUCTION_PARALLEL,
  reduction_workgroup = NETCL_VARIANT_REDUCTION_WORKGROUP,
  batchnorm_naive = NETCL_VARIANT_BATCHNORM_NAIVE,
  batchnorm_fused = NETCL_VARIANT_BATCHNORM_FUSED,
  attention_portable = NETCL_VARIANT_ATTENTION_PORTABLE,
  /** see netcl_matrix_units */
  attention_matrix_units = NETCL_VARIANT_ATTENTION_MATRIX_UNITS,
};

/**
 * Elementwise operators of ONNX, and a few of other libraries from 65 on. Unless noted they take as
 * many inputs as their formula has: x, or x and y. a and b stand for options->alpha and
 * options->beta, defaults in brackets.
 */
enum class elementwise : int32_t {
  /** |x| */
  abs = NETCL_ELEMENTWISE_ABS,
  /** arc cosine */
  acos = NETCL_ELEMENTWISE_ACOS,
  /** inverse of cosh */
  acosh = NETCL_ELEMENTWISE_ACOSH,
  /** x + y */
  add = NETCL_ELEMENTWISE_ADD,
  /** x and y are true, bool */
  and_ = NETCL_ELEMENTWISE_AND,
  /** arc sine */
  asin = NETCL_ELEMENTWISE_ASIN,
  /** inverse of sinh */
  asinh = NETCL_ELEMENTWISE_ASINH,
  /** arc tangent */
  atan = NETCL_ELEMENTWISE_ATAN,
  /** inverse of tanh */
  atanh = NETCL_ELEMENTWISE_ATANH,
  /** x << y, of integers */
  bit_shift_left = NETCL_ELEMENTWISE_BIT_SHIFT_LEFT,
  /** x >> y, of integers */
  bit_shift_right = NETCL_ELEMENTWISE_BIT_SHIFT_RIGHT,
  /** the next whole number from x upwards */
  ceil = NETCL_ELEMENTWISE_CEIL,
  /** max(0, x) + min(0, a (exp(x / a) - 1)) [1] */
  celu = NETCL_ELEMENTWISE_CELU,
  /** of x, low, high as tensors; or of x with a and b */
  clip = NETCL_ELEMENTWISE_CLIP,
  /** cosine of radians */
  cos = NETCL_ELEMENTWISE_COS,
  /** (exp(x) + exp(-x)) / 2 */
  cosh = NETCL_ELEMENTWISE_COSH,
  /** x / y */
  div = NETCL_ELEMENTWISE_DIV,
  /** x < 0 ? a (exp(x) - 1) : x [1] */
  elu = NETCL_ELEMENTWISE_ELU,
  /** x == y, bool */
  equal = NETCL_ELEMENTWISE_EQUAL,
  /** 2 / sqrt(pi) integral of exp(-t^2), 0 to x */
  erf = NETCL_ELEMENTWISE_ERF,
  /** e^x */
  exp = NETCL_ELEMENTWISE_EXP,
  /** the next whole number from x downwards */
  floor = NETCL_ELEMENTWISE_FLOOR,
  /** x > y, bool */
  greater = NETCL_ELEMENTWISE_GREATER,
  /** x >= y, bool */
  greater_or_equal = NETCL_ELEMENTWISE_GREATER_OR_EQUAL,
  /** clip(a x + b, 0, 1) [0.2, 0.5] */
  hard_sigmoid = NETCL_ELEMENTWISE_HARD_SIGMOID,
  /** x clip(x / 6 + 0.5, 0, 1) */
  hard_swish = NETCL_ELEMENTWISE_HARD_SWISH,
  /** x */
  identity = NETCL_ELEMENTWISE_IDENTITY,
  /** x is infinite; a, b: -inf, +inf count [1, 1] */
  is_inf = NETCL_ELEMENTWISE_IS_INF,
  /** x is NaN, bool */
  is_nan = NETCL_ELEMENTWISE_IS_NAN,
  /** x < 0 ? a x : x [0.01] */
  leaky_relu = NETCL_ELEMENTWISE_LEAKY_RELU,
  /** x < y, bool */
  less = NETCL_ELEMENTWISE_LESS,
  /** x <= y, bool */
  less_or_equal = NETCL_ELEMENTWISE_LESS_OR_EQUAL,
  /** natural logarithm */
  log = NETCL_ELEMENTWISE_LOG,
  /** the largest of 1 or more inputs */
  max = NETCL_ELEMENTWISE_MAX,
  /** the mean of 1 or more inputs */
  mean = NETCL_ELEMENTWISE_MEAN,
  /** the smallest of 1 or more inputs */
  min = NETCL_ELEMENTWISE_MIN,
  /** x modulo y; a = 1: fmod; 0: sign of the divisor [0] */
  mod = NETCL_ELEMENTWISE_MOD,
  /** x y */
  mul = NETCL_ELEMENTWISE_MUL,
  /** -x */
  neg = NETCL_ELEMENTWISE_NEG,
  /** x is not true, bool */
  not_ = NETCL_ELEMENTWISE_NOT,
  /** x or y is true, or both, bool */
  or_ = NETCL_ELEMENTWISE_OR,
  /** x^y, of the dtype of the first input */
  pow = NETCL_ELEMENTWISE_POW,
  /** x < 0 ? slope x : x */
  prelu = NETCL_ELEMENTWISE_PRELU,
  /** 1 / x */
  reciprocal = NETCL_ELEMENTWISE_RECIPROCAL,
  /** max(0, x) */
  relu = NETCL_ELEMENTWISE_RELU,
  /** the nearest whole number, halves to even */
  round = NETCL_ELEMENTWISE_ROUND,
  /** b (x > 0 ? x : a exp(x) - a) [1.67326, 1.0507] */
  selu = NETCL_ELEMENTWISE_SELU,
  /** x < -a ? x + b : x > a ? x - b : 0 [0.5, 0] */
  shrink = NETCL_ELEMENTWISE_SHRINK,
  /** 1 / (1 + exp(-x)) */
  sigmoid = NETCL_ELEMENTWISE_SIGMOID,
  /** -1, 0 or 1 */
  sign = NETCL_ELEMENTWISE_SIGN,
  /** sine of radians */
  sin = NETCL_ELEMENTWISE_SIN,
  /** (exp(x) - exp(-x)) / 2 */
  sinh = NETCL_ELEMENTWISE_SINH,
  /** log(1 + exp(x)) */
  softplus = NETCL_ELEMENTWISE_SOFTPLUS,
  /** x / (1 + abs(x)) */
  softsign = NETCL_ELEMENTWISE_SOFTSIGN,
  /** square root */
  sqrt = NETCL_ELEMENTWISE_SQRT,
  /** x - y */
  sub = NETCL_ELEMENTWISE_SUB,
  /** the sum of 1 or more inputs */
  sum = NETCL_ELEMENTWISE_SUM,
  /** sin(x) / cos(x) */
  tan = NETCL_ELEMENTWISE_TAN,
  /** sinh(x) / cosh(x) */
  tanh = NETCL_ELEMENTWISE_TANH,
  /** x > a ? x : 0 [1] */
  thresholded_relu = NETCL_ELEMENTWISE_THRESHOLDED_RELU,
  /** condition ? x : y */
  where = NETCL_ELEMENTWISE_WHERE,
  /** one of x and y is true, not both, bool */
  xor_ = NETCL_ELEMENTWISE_XOR,
  /** 0.5 x (1 + erf(x / sqrt(2))) */
  gelu = NETCL_ELEMENTWISE_GELU,
  /** 0.5 x (1 + tanh(0.797885 (x + 0.044715 x^3))) */
  gelu_tanh = NETCL_ELEMENTWISE_GELU_TANH,
  /** x sigmoid(x), also called swish */
  silu = NETCL_ELEMENTWISE_SILU,
  /** x tanh(softplus(x)) */
  mish = NETCL_ELEMENTWISE_MISH,
  /** x^2 */
  square = NETCL_ELEMENTWISE_SQUARE,
  /** 1 / sqrt(x) */
  rsqrt = NETCL_ELEMENTWISE_RSQRT,
};

/**
 * Functions that an epilogue or a batch normalisation can end with. Where alpha and beta are both 0
 * and has_parameters is 0, they are ONNX's defaults, in brackets; CLIP has none and is
 * INVALID_ARGUMENT then.
 */
enum class activation : int32_t {
  none = NETCL_ACTIVATION_NONE,
  relu = NETCL_ACTIVATION_RELU,
  /** x < 0 ? alpha x : x [0.01] */
  leaky_relu = NETCL_ACTIVATION_LEAKY_RELU,
  /** x < 0 ? alpha (exp(x) - 1) : x [1] */
  elu = NETCL_ACTIVATION_ELU,
  sigmoid = NETCL_ACTIVATION_SIGMOID,
  tanh = NETCL_ACTIVATION_TANH,
  silu = NETCL_ACTIVATION_SILU,
  /** with erf */
  gelu = NETCL_ACTIVATION_GELU,
  gelu_tanh = NETCL_ACTIVATION_GELU_TANH,
  softplus = NETCL_ACTIVATION_SOFTPLUS,
  /** clip(alpha x + beta, 0, 1) [0.2, 0.5] */
  hard_sigmoid = NETCL_ACTIVATION_HARD_SIGMOID,
  hard_swish = NETCL_ACTIVATION_HARD_SWISH,
  /** alpha <= x <= beta */
  clip = NETCL_ACTIVATION_CLIP,
};

/**
 * How exactly f32 is multiplied. TF32 and SPLIT are permissions: they hold where a device has
 * matrix units (see netcl_matrix_units) and the product is large enough to gain by them, and
 * elsewhere the product is STRICT, which is within their bounds.
 */
enum class precision : int32_t {
  /** in f32 */
  strict = NETCL_PRECISION_STRICT,
  /**
   * a and b may be rounded to the 11 digits of tf32, its exponents being those of f32: 1.001 *
   * 2^-10 sum|a||b| is added to the bound, and numbers above 0x1.ffep127 may become infinite
   */
  tf32 = NETCL_PRECISION_TF32,
  /**
   * a and b may be taken apart into two tf32 numbers each, of whose four products three are added:
   * 2^-21 sum|a||b| is added to the bound. Parts below 2^-126 may be lost: the product of one with
   * an infinity is NaN then
   */
  split = NETCL_PRECISION_SPLIT,
};

/**
 * How weights W of [N, K] are kept, in blocks along K of which each has a scale. A row of W is one
 * row of bytes: its blocks, one after the other. Codes are unsigned but for Q8_0; multi-byte
 * numbers are little-endian, d and m are f16.
 */
enum class quantization : int32_t {
  /**
   * MatMulNBits of ONNX Runtime (com.microsoft; docs/ContribOperators.md there): codes of `bits`,
   * the first in the lowest bits of a byte, W = (code - zero point) * scale; with a scale beyond
   * 2^119, W may be NaN. Blocks of block_size bits / 8 bytes; the last of a row may go beyond K,
   * where what it holds has no influence.
   */
  nbits = NETCL_QUANTIZATION_NBITS,
  /**
   * Q4_0 of GGUF: 32 weights in 18 bytes: d, then 16 bytes. Byte i has the codes of weight i in its
   * lower half and of 16 + i in its upper one; W = (code - 8) * d; NaN may stand for an infinite
   * one.
   */
  q4_0 = NETCL_QUANTIZATION_Q4_0,
  /** Q8_0 of GGUF: 32 weights in 34 bytes: d, then 32 signed codes; W = code * d, as there. */
  q8_0 = NETCL_QUANTIZATION_Q8_0,
  /**
   * Q4_K of GGUF: 256 weights in 144 bytes: d, m, 12 bytes s, then 128 bytes, of which byte 32 c +
   * i has the codes of weights 64 c + i and, in its upper half, 64 c + 32 + i. Weights 32 j to 32 j
   * + 31 have W = d * S[j] * code - m * M[j] with numbers of 6 bits: for j < 4 S[j] is s[j] and
   * M[j] is s[j + 4], each less its two upper bits; else the lower four bits of S[j] are the lower
   * half of s[j + 4], those of M[j] its upper half, and the upper two bits are the upper two of s[j
   * - 4] and of s[j]. (The blocks of GGUF are those of ggml-common.h of llama.cpp.)
   */
  q4_k = NETCL_QUANTIZATION_Q4_K,
};

/** Values of netcl_reduction. */
enum class reduction : int32_t {
  /** x0 + x1 + ... */
  sum = NETCL_REDUCTION_SUM,
  /** the sum / how many there are */
  mean = NETCL_REDUCTION_MEAN,
  /** the largest; NaN wins */
  max = NETCL_REDUCTION_MAX,
  /** the smallest; NaN wins */
  min = NETCL_REDUCTION_MIN,
  /** x0 x1 ... */
  prod = NETCL_REDUCTION_PROD,
  /** sum of absolute values */
  l1 = NETCL_REDUCTION_L1,
  /** square root of the sum of squares */
  l2 = NETCL_REDUCTION_L2,
  /** the sum of x^2 */
  sum_square = NETCL_REDUCTION_SUM_SQUARE,
  /** log of the sum */
  log_sum = NETCL_REDUCTION_LOG_SUM,
  /** log(sum exp(x)), the maximum taken out first */
  log_sum_exp = NETCL_REDUCTION_LOG_SUM_EXP,
  /** index of the first largest, i64; NaN is the largest */
  argmax = NETCL_REDUCTION_ARGMAX,
  /** index of the first smallest, i64; NaN is the smallest */
  argmin = NETCL_REDUCTION_ARGMIN,
  /** bool: an element is true */
  any = NETCL_REDUCTION_ANY,
  /** bool: all elements are true */
  all = NETCL_REDUCTION_ALL,
};

/** Values of netcl_pooling. */
enum class pooling : int32_t {
  /** the largest element */
  max = NETCL_POOLING_MAX,
  /** the mean */
  average = NETCL_POOLING_AVERAGE,
  /** (sum |x|^p)^(1/p) */
  lp = NETCL_POOLING_LP,
};

/** Values of netcl_roi_pooling. */
enum class roi_pooling : int32_t {
  /** the mean of samples (RoiAlign, "avg") */
  average = NETCL_ROI_POOLING_AVERAGE,
  /** the largest product of an element next to a sample and its weight (RoiAlign, "max") */
  max_sample = NETCL_ROI_POOLING_MAX_SAMPLE,
  /** the largest element (MaxRoiPool) */
  max = NETCL_ROI_POOLING_MAX,
};

/** Values of netcl_loss_reduction. */
enum class loss_reduction : int32_t {
  /** sum over sum of the labels' weights; no label that counts: NaN */
  mean = NETCL_LOSS_MEAN,
  sum = NETCL_LOSS_SUM,
  /** a loss for each label */
  none = NETCL_LOSS_NONE,
};

/** Values of netcl_pad_mode. */
enum class pad_mode : int32_t {
  constant = NETCL_PAD_CONSTANT,
  /**
   * without repeating the edge: c b | a b c; wider than the axis: there and back again, as numpy
   * does
   */
  reflect = NETCL_PAD_REFLECT,
  /** a a | a b c */
  edge = NETCL_PAD_EDGE,
  /** as if the tensor stood beside itself again and again: b c | a b c */
  wrap = NETCL_PAD_WRAP,
};

/** Values of netcl_scatter_mode. */
enum class scatter_mode : int32_t {
  /** the last of equal indices, in C order, wins */
  assign = NETCL_SCATTER_ASSIGN,
  /** added in C order of the updates; of bool: OR */
  add = NETCL_SCATTER_ADD,
  /** multiplied in C order of the updates; of bool: AND */
  mul = NETCL_SCATTER_MUL,
  /** the largest, NaN before all; of bool: OR */
  max = NETCL_SCATTER_MAX,
  /** the smallest, NaN before all; of bool: AND */
  min = NETCL_SCATTER_MIN,
};

/** Which channel of x is element i of the blocks of channel c; of C channels, B elements. */
enum class depth_order : int32_t {
  /** i C + c */
  dcr = NETCL_DEPTH_DCR,
  /** c B + i, as in PyTorch's pixel_shuffle */
  crd = NETCL_DEPTH_CRD,
};

/** Values of netcl_resize_mode. */
enum class resize_mode : int32_t {
  /** the element that options->rounding says */
  nearest = NETCL_RESIZE_NEAREST,
  /** linear in every axis that changes */
  linear = NETCL_RESIZE_LINEAR,
  /** cubic in every axis that changes, over four elements */
  cubic = NETCL_RESIZE_CUBIC,
};

/**
 * Where element i of the result lies along an axis of x. `in` and `out` are the extents of x and of
 * the result.
 */
enum class resize_coordinates : int32_t {
  /** (i + 0.5) / scale - 0.5 */
  half_pixel = NETCL_RESIZE_HALF_PIXEL,
  /** i (in - 1) / (in scale - 1); 0 where i is 0 or in scale is 1 */
  align_corners = NETCL_RESIZE_ALIGN_CORNERS,
  /** i / scale */
  asymmetric = NETCL_RESIZE_ASYMMETRIC,
  /** in / 2 (1 - out / (in scale)) + HALF_PIXEL */
  half_pixel_symmetric = NETCL_RESIZE_HALF_PIXEL_SYMMETRIC,
  /** HALF_PIXEL; 0 where out is 1 */
  pytorch_half_pixel = NETCL_RESIZE_PYTORCH_HALF_PIXEL,
  /**
   * (in - 1) (start + i (end - start) / (out - 1)), of options->roi; (in - 1) (start + end) / 2
   * where out is 1
   */
  tf_crop_and_resize = NETCL_RESIZE_TF_CROP_AND_RESIZE,
};

/** Values of netcl_resize_rounding. */
enum class resize_rounding : int32_t {
  /** to the nearest, halves down */
  round_prefer_floor = NETCL_RESIZE_ROUND_PREFER_FLOOR,
  /** to the nearest, halves up */
  round_prefer_ceil = NETCL_RESIZE_ROUND_PREFER_CEIL,
  floor = NETCL_RESIZE_FLOOR,
  ceil = NETCL_RESIZE_CEIL,
};

/** How netcl_graph_explain writes. */
enum class graph_format : int32_t {
  /** a line per call with its number, or per step, for reading */
  text = NETCL_GRAPH_FORMAT_TEXT,
  json = NETCL_GRAPH_FORMAT_JSON,
  /** for Graphviz */
  dot = NETCL_GRAPH_FORMAT_DOT,
};

/** What a file of weights is. */
enum class weights_format : int32_t {
  safetensors = NETCL_WEIGHTS_SAFETENSORS,
  gguf = NETCL_WEIGHTS_GGUF,
  npz = NETCL_WEIGHTS_NPZ,
};

/** How the bytes of a group go from rank to rank. */
enum class group_transport : int32_t {
  /**
   * PEER_MEMORY where every rank has a GPU of CUDA that reaches the others; else NCCL where each
   * has one of its own and libnccl.so.2 (NETCL_NCCL_LIBRARY names another file); else memory of the
   * host where all share one, else MPI. The log tells why where one of the first two is there and
   * does not begin
   */
  auto_ = NETCL_GROUP_TRANSPORT_AUTO,
  /** of the host */
  shared_memory = NETCL_GROUP_TRANSPORT_SHARED_MEMORY,
  /** netcl_group_create_mpi alone */
  mpi = NETCL_GROUP_TRANSPORT_MPI,
  /**
   * of messages from 1 MiB of any rank on; the ranks meet, and shorter ones go, through the host.
   * Without it: UNSUPPORTED naming a rank and what it lacks, on all ranks
   */
  nccl = NETCL_GROUP_TRANSPORT_NCCL,
  /**
   * of messages from 64 KiB of any rank on: the devices of one host read each other's memory. GPUs
   * of CUDA do where the driver lets them, and CPU devices of OpenCL. For all ranks, and for each
   * two that send to each other, a rank has a room of 2 to 128 MiB, which grows with the messages,
   * and a descriptor for the room of each. Where a rank has no memory for its first room a call, or
   * the group or part that is made, is OUT_OF_DEVICE_MEMORY on all, naming it; later ones go in
   * smaller pieces. Otherwise UNSUPPORTED as NCCL
   */
  peer_memory = NETCL_GROUP_TRANSPORT_PEER_MEMORY,
};

/** Why a measurement or a tuning run ended. */
enum class stop_reason : int32_t {
  /** it has not */
  running = NETCL_STOP_RUNNING,
  /** as many samples or candidates as asked for */
  count = NETCL_STOP_COUNT,
  /** the confidence interval is as narrow as asked for */
  confidence = NETCL_STOP_CONFIDENCE,
  /** the time is used up */
  budget = NETCL_STOP_BUDGET,
  /** the best is at the roofline, confirmed twice */
  roofline = NETCL_STOP_ROOFLINE,
  /** the last rounds brought no improvement */
  converged = NETCL_STOP_CONVERGED,
  /** nothing is left to try */
  exhausted = NETCL_STOP_EXHAUSTED,
  cancelled = NETCL_STOP_CANCELLED,
};

/** What became of a candidate kernel that was benchmarked or tuned. */
enum class outcome : int32_t {
  /** not tried */
  unknown = NETCL_OUTCOME_UNKNOWN,
  correct = NETCL_OUTCOME_CORRECT,
  /** its work size does not fit the kernel or the device */
  constraints = NETCL_OUTCOME_CONSTRAINTS,
  /** it does not compile */
  compile = NETCL_OUTCOME_COMPILE,
  /** the driver refused or failed a launch */
  runtime = NETCL_OUTCOME_RUNTIME,
  /** an output differs from the reference */
  correctness = NETCL_OUTCOME_CORRECTNESS,
  /** it wrote outside its arguments, or to an input */
  guard = NETCL_OUTCOME_GUARD,
  /** compiling took too long */
  timeout = NETCL_OUTCOME_TIMEOUT,
  /** a run did not end in time */
  hang = NETCL_OUTCOME_HANG,
  /** its process died or lost the device */
  crash = NETCL_OUTCOME_CRASH,
  /** cut short: clearly slower than the best */
  slow = NETCL_OUTCOME_SLOW,
  cancelled = NETCL_OUTCOME_CANCELLED,
};

/** Which time of a sample counts. */
enum class time_source : int32_t {
  /** union of the times in which the device ran the commands */
  device_busy = NETCL_TIME_DEVICE_BUSY,
  /** from the start of the first to the end of the last command */
  device_span = NETCL_TIME_DEVICE_SPAN,
  /** the host's clock, from before the first to completion */
  host = NETCL_TIME_HOST,
};

/** Values of netcl_verdict. */
enum class verdict : int32_t {
  unclear = NETCL_VERDICT_UNCLEAR,
  /** the interval of the ratio lies within 1 +- precision */
  same = NETCL_VERDICT_SAME,
  /** the first is faster: the interval lies below 1 */
  faster = NETCL_VERDICT_FASTER,
  slower = NETCL_VERDICT_SLOWER,
};

/** Form of a report. */
enum class format : int32_t {
  /** for people */
  text = NETCL_FORMAT_TEXT,
  json = NETCL_FORMAT_JSON,
  csv = NETCL_FORMAT_CSV,
};

/** What limits a kernel: the resource with the higher share of its speed of light (SOL). */
enum class bottleneck : int32_t {
  unknown = NETCL_BOTTLENECK_UNKNOWN,
  compute = NETCL_BOTTLENECK_COMPUTE,
  /** also when both are equal */
  memory = NETCL_BOTTLENECK_MEMORY,
  /** both are below underutilized_pct */
  underutilized = NETCL_BOTTLENECK_UNDERUTILIZED,
};

/** Where a result comes from. */
enum class roofline_source : int32_t {
  /** time and declared work against measured ceilings */
  model = NETCL_ROOFLINE_MODEL,
  /** metrics of NVIDIA Nsight Compute */
  ncu = NETCL_ROOFLINE_NCU,
};

/** Which launch of an NCU report counts, when several match. */
enum class ncu_policy : int32_t {
  /** by duration, else by compute SOL */
  median = NETCL_NCU_MEDIAN,
  first = NETCL_NCU_FIRST,
  last = NETCL_NCU_LAST,
  longest = NETCL_NCU_LONGEST,
};

/** Limits of a device. Rates are per second. */
enum class ceiling_kind : int32_t {
  /** bytes, far beyond the caches */
  memory_read = NETCL_CEILING_MEMORY_READ,
  memory_write = NETCL_CEILING_MEMORY_WRITE,
  /** bytes read plus bytes written */
  memory_copy = NETCL_CEILING_MEMORY_COPY,
  /** the same for a working set of working_set bytes */
  cache_read = NETCL_CEILING_CACHE_READ,
  cache_write = NETCL_CEILING_CACHE_WRITE,
  cache_copy = NETCL_CEILING_CACHE_COPY,
  /** operations: multiply-adds of a dtype, two each */
  compute = NETCL_CEILING_COMPUTE,
  /** the same on matrix units, where there are any */
  tensor = NETCL_CEILING_TENSOR,
  /** launches of an empty kernel, one after the other */
  launch = NETCL_CEILING_LAUNCH,
  /** bytes from ordinary memory, as tensors go */
  host_to_device = NETCL_CEILING_HOST_TO_DEVICE,
  device_to_host = NETCL_CEILING_DEVICE_TO_HOST,
  /** bytes from page-locked memory */
  host_to_device_pinned = NETCL_CEILING_HOST_TO_DEVICE_PINNED,
  device_to_host_pinned = NETCL_CEILING_DEVICE_TO_HOST_PINNED,
};

/** What a record of the database is. */
enum class tuning_record_kind : int32_t {
  /** what a tuning run chose */
  best = NETCL_TUNING_RECORD_BEST,
  /** how one configuration did */
  measurement = NETCL_TUNING_RECORD_MEASUREMENT,
  /** a configuration that is never to be chosen */
  quarantine = NETCL_TUNING_RECORD_QUARANTINE,
};

/** What a kernel does with a tensor. */
enum class access : int32_t {
  /** reads it; one that writes it is an outcome GUARD */
  in_ = NETCL_ACCESS_IN,
  /** writes all of it */
  out_ = NETCL_ACCESS_OUT,
  /** both; it is brought back before every sample */
  inout = NETCL_ACCESS_INOUT,
};

/** What a tensor holds at first. */
enum class fill_kind : int32_t {
  zeros = NETCL_FILL_ZEROS,
  /** a; integers take the nearest value they have */
  constant = NETCL_FILL_CONSTANT,
  /** [a, b); a = b = 0: [0, 1), integers: all */
  uniform = NETCL_FILL_UNIFORM,
  /** mean a, deviation b (0: 1); floats only */
  normal = NETCL_FILL_NORMAL,
  /** a, a + b, a + 2b ...; b = 0: 1; integers wrap */
  sequence = NETCL_FILL_SEQUENCE,
  /** data_size bytes at data */
  data = NETCL_FILL_DATA,
};

/** How the configurations that are tried are chosen. */
enum class search_strategy : int32_t {
  /** EXHAUSTIVE where all of up to 256 may be tried, else GENETIC */
  auto_ = NETCL_SEARCH_AUTO,
  /** all, in the order of the space; up to 2^20 */
  exhaustive = NETCL_SEARCH_EXHAUSTIVE,
  /** all, in random order */
  random = NETCL_SEARCH_RANDOM,
  /** to better neighbours, else on near the best so far */
  local = NETCL_SEARCH_LOCAL,
  /** to worse neighbours too, ever more rarely, again and again */
  annealing = NETCL_SEARCH_ANNEALING,
  /** children of the better half of a population */
  genetic = NETCL_SEARCH_GENETIC,
};

/** Values of netcl_search_event_kind. */
enum class search_event_kind : int32_t {
  started = NETCL_SEARCH_EVENT_STARTED,
  /** the first rounds of a candidate are over */
  candidate = NETCL_SEARCH_EVENT_CANDIDATE,
  /** it is the best so far */
  best = NETCL_SEARCH_EVENT_BEST,
  /** those that may be the best begin to take turns */
  final = NETCL_SEARCH_EVENT_FINAL,
  /** the last event of a search */
  stopped = NETCL_SEARCH_EVENT_STOPPED,
};

/** One bucket of a pool. Frozen: travels in arrays. */
using pool_bucket = netcl_pool_bucket;

/** One dimension of a slice: element i is start + i * step, 0 <= i < extent. Frozen. */
using range = netcl_range;

/** One limit. Frozen: travels in arrays. */
using ceiling = netcl_ceiling;

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif
