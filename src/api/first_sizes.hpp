// Written by bindings/generator/generate.py from tests/abi/netcl.json.
#pragma once

#include <cstddef>

#include "netcl.h"

namespace netcl::api {

// Bytes of a struct at its first release; callers with that size are served for ever.
template <class Struct>
inline constexpr size_t kFirstSize = 0;

template <>
inline constexpr size_t kFirstSize<netcl_error_info> = 1040;
template <>
inline constexpr size_t kFirstSize<netcl_library_info> = 216;
template <>
inline constexpr size_t kFirstSize<netcl_log_record> = 528;
template <>
inline constexpr size_t kFirstSize<netcl_device_info> = 816;
template <>
inline constexpr size_t kFirstSize<netcl_device_capabilities> = 152;
template <>
inline constexpr size_t kFirstSize<netcl_copy_explanation> = 536;
template <>
inline constexpr size_t kFirstSize<netcl_device_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_queue_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_queue_info> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_event_timing> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_pool_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_pool_info> = 88;
template <>
inline constexpr size_t kFirstSize<netcl_pool_bucket> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_buffer_info> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_shared_memory> = 56;
template <>
inline constexpr size_t kFirstSize<netcl_run_options> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_tensor_options> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_transfer_options> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_random_options> = 64;
template <>
inline constexpr size_t kFirstSize<netcl_tensor_info> = 184;
template <>
inline constexpr size_t kFirstSize<netcl_range> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_kernel_options> = 144;
template <>
inline constexpr size_t kFirstSize<netcl_arg> = 64;
template <>
inline constexpr size_t kFirstSize<netcl_work> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_launch_options> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_launch_explanation> = 848;
template <>
inline constexpr size_t kFirstSize<netcl_kernel_info> = 208;
template <>
inline constexpr size_t kFirstSize<netcl_kernel_arg_info> = 152;
template <>
inline constexpr size_t kFirstSize<netcl_program_cache_info> = 328;
template <>
inline constexpr size_t kFirstSize<netcl_program_cache_entry> = 584;
template <>
inline constexpr size_t kFirstSize<netcl_variant_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_variant_config> = 392;
template <>
inline constexpr size_t kFirstSize<netcl_conv2d_shape> = 136;
template <>
inline constexpr size_t kFirstSize<netcl_expression_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_expressions_options> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_elementwise_options> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_primitive_options> = 56;
template <>
inline constexpr size_t kFirstSize<netcl_primitive_kernels> = 80;
template <>
inline constexpr size_t kFirstSize<netcl_primitive_call> = 64;
template <>
inline constexpr size_t kFirstSize<netcl_primitive_call_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_epilogue> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_matmul_options> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_conv2d_batchnorm> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_conv2d_options> = 104;
template <>
inline constexpr size_t kFirstSize<netcl_quantized_options> = 64;
template <>
inline constexpr size_t kFirstSize<netcl_attention_options> = 112;
template <>
inline constexpr size_t kFirstSize<netcl_rotary_embedding_options> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_reduce_options> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_scan_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_histogram_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_topk_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_norm_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_batchnorm_options> = 72;
template <>
inline constexpr size_t kFirstSize<netcl_pool2d_options> = 96;
template <>
inline constexpr size_t kFirstSize<netcl_max_unpool2d_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_roi_pool_options> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_quantize_linear_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_dequantize_linear_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_dynamic_quantize_linear_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_qlinear_matmul_options> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_conv2d_integer_options> = 96;
template <>
inline constexpr size_t kFirstSize<netcl_qlinear_conv2d_options> = 120;
template <>
inline constexpr size_t kFirstSize<netcl_loss_options> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_mixed_precision> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_sgd_options> = 72;
template <>
inline constexpr size_t kFirstSize<netcl_adam_options> = 80;
template <>
inline constexpr size_t kFirstSize<netcl_rmsprop_options> = 80;
template <>
inline constexpr size_t kFirstSize<netcl_adagrad_options> = 56;
template <>
inline constexpr size_t kFirstSize<netcl_loss_scale_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_pad_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_scatter_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_resize_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_graph_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_graph_call> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_graph_function_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_graph_info> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_gradients_options> = 56;
template <>
inline constexpr size_t kFirstSize<netcl_graph_compile_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_model_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_model_info> = 320;
template <>
inline constexpr size_t kFirstSize<netcl_model_value> = 600;
template <>
inline constexpr size_t kFirstSize<netcl_weights_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_weights_info> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_weights_entry> = 384;
template <>
inline constexpr size_t kFirstSize<netcl_weights_save_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_group_options> = 16;
template <>
inline constexpr size_t kFirstSize<netcl_group_info> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_reducer_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_reducer_info> = 56;
template <>
inline constexpr size_t kFirstSize<netcl_sharding_options> = 32;
template <>
inline constexpr size_t kFirstSize<netcl_sharded_info> = 112;
template <>
inline constexpr size_t kFirstSize<netcl_block_info> = 136;
template <>
inline constexpr size_t kFirstSize<netcl_halo_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_measurement_options> = 104;
template <>
inline constexpr size_t kFirstSize<netcl_statistics> = 160;
template <>
inline constexpr size_t kFirstSize<netcl_comparison> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_elapsed> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_profile_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_roofline_options> = 48;
template <>
inline constexpr size_t kFirstSize<netcl_roofline_result> = 632;
template <>
inline constexpr size_t kFirstSize<netcl_ncu_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_ceiling> = 40;
template <>
inline constexpr size_t kFirstSize<netcl_ceilings_options> = 24;
template <>
inline constexpr size_t kFirstSize<netcl_ceilings_info> = 416;
template <>
inline constexpr size_t kFirstSize<netcl_tuning_key> = 264;
template <>
inline constexpr size_t kFirstSize<netcl_tuning_record> = 1672;
template <>
inline constexpr size_t kFirstSize<netcl_tuning_database_info> = 824;
template <>
inline constexpr size_t kFirstSize<netcl_benchmark_tensor> = 152;
template <>
inline constexpr size_t kFirstSize<netcl_benchmark_options> = 88;
template <>
inline constexpr size_t kFirstSize<netcl_benchmark_candidate> = 160;
template <>
inline constexpr size_t kFirstSize<netcl_benchmark_result> = 648;
template <>
inline constexpr size_t kFirstSize<netcl_search_options> = 88;
template <>
inline constexpr size_t kFirstSize<netcl_search_event> = 88;
template <>
inline constexpr size_t kFirstSize<netcl_search_result> = 240;
template <>
inline constexpr size_t kFirstSize<netcl_search_candidate> = 320;
template <>
inline constexpr size_t kFirstSize<netcl_replay_result> = 56;
template <>
inline constexpr size_t kFirstSize<netcl_tuner_options> = 56;
template <>
inline constexpr size_t kFirstSize<netcl_kernel_tuning> = 88;
template <>
inline constexpr size_t kFirstSize<netcl_tuner_result> = 440;

}  // namespace netcl::api
