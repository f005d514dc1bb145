// Written by bindings/generator from include/netcl.h; changes here are lost.

use super::functions as real;
use crate::*;
use std::os::raw::{c_char, c_void};
use std::sync::atomic::AtomicU64;

/// The functions of the library, in the order of the header.
pub static NAMES: &[&str] = &[
    "netcl_status_name",
    "netcl_last_error_message",
    "netcl_last_error_get_info",
    "netcl_last_error_set",
    "netcl_version_number",
    "netcl_version_string",
    "netcl_library_get_info",
    "netcl_library_get_live_count",
    "netcl_shutdown",
    "netcl_library_set_exit_timeout",
    "netcl_interrupt_enable",
    "netcl_interrupt_disable",
    "netcl_log_set_level",
    "netcl_log_set_callback",
    "netcl_log_read",
    "netcl_dtype_name",
    "netcl_dtype_size",
    "netcl_device_count",
    "netcl_device_describe",
    "netcl_device_diagnose",
    "netcl_device_open",
    "netcl_device_open_from_cl",
    "netcl_device_retain",
    "netcl_device_release",
    "netcl_device_get_info",
    "netcl_device_get_capabilities",
    "netcl_device_finish",
    "netcl_device_suggest_local_size",
    "netcl_device_explain_copy",
    "netcl_device_get_cl_context",
    "netcl_device_get_cl_device",
    "netcl_device_get_queue",
    "netcl_device_push",
    "netcl_device_pop",
    "netcl_device_current",
    "netcl_queue_create",
    "netcl_queue_create_from_cl",
    "netcl_queue_retain",
    "netcl_queue_release",
    "netcl_queue_get_info",
    "netcl_queue_get_device",
    "netcl_queue_set_profiling",
    "netcl_queue_flush",
    "netcl_queue_finish",
    "netcl_queue_enqueue_marker",
    "netcl_queue_get_cl_queue",
    "netcl_event_create_from_cl",
    "netcl_event_retain",
    "netcl_event_release",
    "netcl_event_wait",
    "netcl_event_query",
    "netcl_event_get_timing",
    "netcl_event_get_error",
    "netcl_event_get_cl_event",
    "netcl_pool_create",
    "netcl_device_get_pool",
    "netcl_pool_retain",
    "netcl_pool_release",
    "netcl_pool_get_info",
    "netcl_pool_get_buckets",
    "netcl_pool_trim",
    "netcl_pool_allocate",
    "netcl_buffer_create_pinned",
    "netcl_buffer_create_zero_copy",
    "netcl_buffer_retain",
    "netcl_buffer_release",
    "netcl_buffer_get_info",
    "netcl_buffer_get_cl_mem",
    "netcl_buffer_export",
    "netcl_buffer_import",
    "netcl_buffer_get_cuda_address",
    "netcl_tensor_create",
    "netcl_tensor_create_zeros",
    "netcl_tensor_create_full",
    "netcl_tensor_create_random",
    "netcl_tensor_create_from_host",
    "netcl_tensor_create_from_buffer",
    "netcl_tensor_create_from_cl",
    "netcl_tensor_create_from_dlpack",
    "netcl_tensor_to_dlpack",
    "netcl_tensor_load_npy",
    "netcl_tensor_create_from_npy",
    "netcl_tensor_save_npy",
    "netcl_tensor_retain",
    "netcl_tensor_release",
    "netcl_tensor_get_info",
    "netcl_tensor_get_device",
    "netcl_tensor_get_buffer",
    "netcl_tensor_slice",
    "netcl_tensor_permute",
    "netcl_tensor_broadcast",
    "netcl_tensor_view",
    "netcl_tensor_reshape",
    "netcl_tensor_read",
    "netcl_tensor_write",
    "netcl_tensor_wait",
    "netcl_kernel_create",
    "netcl_kernel_create_elementwise",
    "netcl_kernel_retain",
    "netcl_kernel_release",
    "netcl_kernel_build",
    "netcl_kernel_get_info",
    "netcl_kernel_get_arg_info",
    "netcl_kernel_get_source",
    "netcl_kernel_get_build_log",
    "netcl_kernel_get_binary",
    "netcl_kernel_shape_signature",
    "netcl_kernel_register",
    "netcl_kernel_unregister",
    "netcl_kernel_find",
    "netcl_kernel_launch",
    "netcl_kernel_explain_launch",
    "netcl_kernel_launch_by_name",
    "netcl_program_cache_get_info",
    "netcl_program_cache_clear",
    "netcl_program_cache_get_entry",
    "netcl_expression_create",
    "netcl_expression_retain",
    "netcl_expression_release",
    "netcl_expression_get_arity",
    "netcl_expression_get_text",
    "netcl_expression_differentiate",
    "netcl_variant_name",
    "netcl_variant_select_matmul",
    "netcl_variant_select_conv2d",
    "netcl_variant_select_elementwise",
    "netcl_variant_select_reduction",
    "netcl_variant_select_batchnorm",
    "netcl_variant_clear_cache",
    "netcl_op_expression",
    "netcl_op_expression_text",
    "netcl_op_expressions",
    "netcl_elementwise_name",
    "netcl_elementwise_find",
    "netcl_op_elementwise",
    "netcl_op_bias_add",
    "netcl_op_copy",
    "netcl_op_contiguous",
    "netcl_op_cast",
    "netcl_op_fill",
    "netcl_op_range",
    "netcl_op_eye",
    "netcl_primitive_register",
    "netcl_primitive_register_kernels",
    "netcl_primitive_register_function",
    "netcl_primitive_unregister",
    "netcl_op_primitive",
    "netcl_op_primitive_gradient",
    "netcl_op_matmul",
    "netcl_op_einsum",
    "netcl_kernel_create_matmul",
    "netcl_op_conv2d",
    "netcl_op_matmul_quantized",
    "netcl_op_dequantize_weights",
    "netcl_op_quantize_weights",
    "netcl_op_attention",
    "netcl_op_rotary_embedding",
    "netcl_op_reduce",
    "netcl_op_scan",
    "netcl_op_histogram",
    "netcl_op_topk",
    "netcl_op_softmax",
    "netcl_op_log_softmax",
    "netcl_op_layernorm",
    "netcl_op_rmsnorm",
    "netcl_op_batchnorm",
    "netcl_op_pool",
    "netcl_op_max_unpool2d",
    "netcl_op_roi_pool",
    "netcl_op_quantize_linear",
    "netcl_op_dequantize_linear",
    "netcl_op_dynamic_quantize_linear",
    "netcl_op_qlinear_matmul",
    "netcl_op_conv2d_integer",
    "netcl_op_qlinear_conv2d",
    "netcl_op_cross_entropy",
    "netcl_op_nll_loss",
    "netcl_op_sgd",
    "netcl_op_adam",
    "netcl_op_rmsprop",
    "netcl_op_adagrad",
    "netcl_op_clip_by_norm",
    "netcl_op_unscale",
    "netcl_op_update_loss_scale",
    "netcl_op_transpose",
    "netcl_op_concat",
    "netcl_tensor_split",
    "netcl_op_pad",
    "netcl_op_tile",
    "netcl_op_trilu",
    "netcl_op_gather",
    "netcl_op_gather_elements",
    "netcl_op_embedding",
    "netcl_op_one_hot",
    "netcl_op_scatter",
    "netcl_op_gather_nd",
    "netcl_op_scatter_nd",
    "netcl_op_depth_to_space",
    "netcl_op_space_to_depth",
    "netcl_op_resize",
    "netcl_graph_create",
    "netcl_graph_retain",
    "netcl_graph_release",
    "netcl_graph_clear",
    "netcl_graph_create_from_function",
    "netcl_graph_get_info",
    "netcl_graph_add_gradients",
    "netcl_graph_compile",
    "netcl_graph_run",
    "netcl_graph_evaluate",
    "netcl_graph_explain",
    "netcl_model_load",
    "netcl_model_load_memory",
    "netcl_model_retain",
    "netcl_model_release",
    "netcl_model_get_info",
    "netcl_model_get_input",
    "netcl_model_get_output",
    "netcl_model_find_input",
    "netcl_model_find_output",
    "netcl_model_run",
    "netcl_model_evaluate",
    "netcl_model_explain",
    "netcl_model_describe",
    "netcl_weights_open",
    "netcl_weights_retain",
    "netcl_weights_release",
    "netcl_weights_get_info",
    "netcl_weights_get_entry",
    "netcl_weights_find",
    "netcl_weights_get_tensor",
    "netcl_weights_get_metadata_key",
    "netcl_weights_get_metadata",
    "netcl_weights_save",
    "netcl_group_join",
    "netcl_group_create_local",
    "netcl_group_create_mpi",
    "netcl_group_split",
    "netcl_group_retain",
    "netcl_group_release",
    "netcl_group_get_info",
    "netcl_group_get_device",
    "netcl_group_describe_device",
    "netcl_group_get_error",
    "netcl_group_barrier",
    "netcl_group_all_reduce",
    "netcl_group_reduce",
    "netcl_group_broadcast",
    "netcl_group_all_gather",
    "netcl_group_gather",
    "netcl_group_scatter",
    "netcl_group_reduce_scatter",
    "netcl_group_all_to_all",
    "netcl_group_send",
    "netcl_group_receive",
    "netcl_reducer_create",
    "netcl_reducer_retain",
    "netcl_reducer_release",
    "netcl_reducer_get_info",
    "netcl_reducer_wait",
    "netcl_group_describe_block",
    "netcl_sharded_create",
    "netcl_sharded_create_from_root",
    "netcl_sharded_retain",
    "netcl_sharded_release",
    "netcl_sharded_get_info",
    "netcl_sharded_get_block",
    "netcl_sharded_explain",
    "netcl_sharded_redistribute",
    "netcl_sharded_gather",
    "netcl_sharded_expression_text",
    "netcl_sharded_reduce",
    "netcl_sharded_softmax",
    "netcl_sharded_layernorm",
    "netcl_sharded_rmsnorm",
    "netcl_sharded_matmul",
    "netcl_sharded_exchange_halo",
    "netcl_statistics_compute",
    "netcl_statistics_compare",
    "netcl_measurement_create",
    "netcl_measurement_retain",
    "netcl_measurement_release",
    "netcl_measurement_next",
    "netcl_measurement_get_statistics",
    "netcl_measurement_get_samples",
    "netcl_measurement_compare",
    "netcl_queue_time",
    "netcl_kernel_time",
    "netcl_timer_create",
    "netcl_timer_retain",
    "netcl_timer_release",
    "netcl_timer_start",
    "netcl_timer_stop",
    "netcl_profile_start",
    "netcl_profile_stop",
    "netcl_profile_reset",
    "netcl_profile_report",
    "netcl_region_begin",
    "netcl_region_end",
    "netcl_region_annotate",
    "netcl_region_retain",
    "netcl_region_release",
    "netcl_region_push",
    "netcl_region_pop",
    "netcl_roofline_create",
    "netcl_roofline_retain",
    "netcl_roofline_release",
    "netcl_roofline_analyze_metrics",
    "netcl_roofline_analyze_ncu",
    "netcl_roofline_should_stop",
    "netcl_roofline_get_reason",
    "netcl_roofline_reset_history",
    "netcl_roofline_format",
    "netcl_ceiling_kind_name",
    "netcl_ceilings_create",
    "netcl_ceilings_measure",
    "netcl_ceilings_load",
    "netcl_ceilings_retain",
    "netcl_ceilings_release",
    "netcl_ceilings_get_info",
    "netcl_ceilings_get",
    "netcl_ceilings_set",
    "netcl_ceilings_save",
    "netcl_roofline_analyze_time",
    "netcl_roofline_analyze_statistics",
    "netcl_space_create",
    "netcl_space_create_from_t1",
    "netcl_space_retain",
    "netcl_space_release",
    "netcl_space_add_ints",
    "netcl_space_add_floats",
    "netcl_space_add_bool",
    "netcl_space_add_texts",
    "netcl_space_add_constraint",
    "netcl_space_set_work_size",
    "netcl_space_get_count",
    "netcl_space_get_config",
    "netcl_space_explain",
    "netcl_config_create_from_json",
    "netcl_config_retain",
    "netcl_config_release",
    "netcl_config_get_int",
    "netcl_config_get_float",
    "netcl_config_get_text",
    "netcl_config_get_json",
    "netcl_tuning_database_open",
    "netcl_tuning_database_retain",
    "netcl_tuning_database_release",
    "netcl_tuning_database_get_info",
    "netcl_tuning_database_lookup",
    "netcl_tuning_database_put",
    "netcl_tuning_database_refresh",
    "netcl_tuning_database_get_record",
    "netcl_tuning_database_merge",
    "netcl_tuning_database_compact",
    "netcl_tuning_database_clear",
    "netcl_tuning_database_export",
    "netcl_device_get_part",
    "netcl_device_match_record",
    "netcl_benchmark_create",
    "netcl_benchmark_retain",
    "netcl_benchmark_release",
    "netcl_benchmark_add_tensor",
    "netcl_benchmark_add_scalar",
    "netcl_benchmark_add_local",
    "netcl_benchmark_get_tensor",
    "netcl_benchmark_prepare",
    "netcl_benchmark_keep",
    "netcl_benchmark_time_baseline",
    "netcl_benchmark_time_kernel",
    "netcl_benchmark_set_baseline",
    "netcl_benchmark_run",
    "netcl_benchmark_get_build_log",
    "netcl_benchmark_get_json",
    "netcl_search_create",
    "netcl_search_retain",
    "netcl_search_release",
    "netcl_search_ask",
    "netcl_search_tell",
    "netcl_search_tell_failure",
    "netcl_search_cancel",
    "netcl_search_read_event",
    "netcl_search_get_result",
    "netcl_search_get_best",
    "netcl_search_get_candidate",
    "netcl_search_get_samples",
    "netcl_search_get_failure",
    "netcl_search_replay",
    "netcl_search_store",
    "netcl_search_resume",
    "netcl_tuner_create",
    "netcl_tuner_retain",
    "netcl_tuner_release",
    "netcl_tuner_add",
    "netcl_tuner_add_matmul",
    "netcl_tuner_add_conv2d",
    "netcl_tuner_add_reduction",
    "netcl_tuner_run",
    "netcl_tuner_cancel",
    "netcl_tuner_read_event",
    "netcl_tuner_get_count",
    "netcl_tuner_get_result",
    "netcl_tuner_get_search",
    "netcl_tuner_lookup",
    "netcl_tuner_save",
    "netcl_tuner_load",
    "netcl_tuner_clear",
    "netcl_kernel_autotune",
];

/// Names that the compiler numbers, so that a new function moves no other.
#[allow(non_camel_case_types)]
enum At {
    netcl_status_name,
    netcl_last_error_message,
    netcl_last_error_get_info,
    netcl_last_error_set,
    netcl_version_number,
    netcl_version_string,
    netcl_library_get_info,
    netcl_library_get_live_count,
    netcl_shutdown,
    netcl_library_set_exit_timeout,
    netcl_interrupt_enable,
    netcl_interrupt_disable,
    netcl_log_set_level,
    netcl_log_set_callback,
    netcl_log_read,
    netcl_dtype_name,
    netcl_dtype_size,
    netcl_device_count,
    netcl_device_describe,
    netcl_device_diagnose,
    netcl_device_open,
    netcl_device_open_from_cl,
    netcl_device_retain,
    netcl_device_release,
    netcl_device_get_info,
    netcl_device_get_capabilities,
    netcl_device_finish,
    netcl_device_suggest_local_size,
    netcl_device_explain_copy,
    netcl_device_get_cl_context,
    netcl_device_get_cl_device,
    netcl_device_get_queue,
    netcl_device_push,
    netcl_device_pop,
    netcl_device_current,
    netcl_queue_create,
    netcl_queue_create_from_cl,
    netcl_queue_retain,
    netcl_queue_release,
    netcl_queue_get_info,
    netcl_queue_get_device,
    netcl_queue_set_profiling,
    netcl_queue_flush,
    netcl_queue_finish,
    netcl_queue_enqueue_marker,
    netcl_queue_get_cl_queue,
    netcl_event_create_from_cl,
    netcl_event_retain,
    netcl_event_release,
    netcl_event_wait,
    netcl_event_query,
    netcl_event_get_timing,
    netcl_event_get_error,
    netcl_event_get_cl_event,
    netcl_pool_create,
    netcl_device_get_pool,
    netcl_pool_retain,
    netcl_pool_release,
    netcl_pool_get_info,
    netcl_pool_get_buckets,
    netcl_pool_trim,
    netcl_pool_allocate,
    netcl_buffer_create_pinned,
    netcl_buffer_create_zero_copy,
    netcl_buffer_retain,
    netcl_buffer_release,
    netcl_buffer_get_info,
    netcl_buffer_get_cl_mem,
    netcl_buffer_export,
    netcl_buffer_import,
    netcl_buffer_get_cuda_address,
    netcl_tensor_create,
    netcl_tensor_create_zeros,
    netcl_tensor_create_full,
    netcl_tensor_create_random,
    netcl_tensor_create_from_host,
    netcl_tensor_create_from_buffer,
    netcl_tensor_create_from_cl,
    netcl_tensor_create_from_dlpack,
    netcl_tensor_to_dlpack,
    netcl_tensor_load_npy,
    netcl_tensor_create_from_npy,
    netcl_tensor_save_npy,
    netcl_tensor_retain,
    netcl_tensor_release,
    netcl_tensor_get_info,
    netcl_tensor_get_device,
    netcl_tensor_get_buffer,
    netcl_tensor_slice,
    netcl_tensor_permute,
    netcl_tensor_broadcast,
    netcl_tensor_view,
    netcl_tensor_reshape,
    netcl_tensor_read,
    netcl_tensor_write,
    netcl_tensor_wait,
    netcl_kernel_create,
    netcl_kernel_create_elementwise,
    netcl_kernel_retain,
    netcl_kernel_release,
    netcl_kernel_build,
    netcl_kernel_get_info,
    netcl_kernel_get_arg_info,
    netcl_kernel_get_source,
    netcl_kernel_get_build_log,
    netcl_kernel_get_binary,
    netcl_kernel_shape_signature,
    netcl_kernel_register,
    netcl_kernel_unregister,
    netcl_kernel_find,
    netcl_kernel_launch,
    netcl_kernel_explain_launch,
    netcl_kernel_launch_by_name,
    netcl_program_cache_get_info,
    netcl_program_cache_clear,
    netcl_program_cache_get_entry,
    netcl_expression_create,
    netcl_expression_retain,
    netcl_expression_release,
    netcl_expression_get_arity,
    netcl_expression_get_text,
    netcl_expression_differentiate,
    netcl_variant_name,
    netcl_variant_select_matmul,
    netcl_variant_select_conv2d,
    netcl_variant_select_elementwise,
    netcl_variant_select_reduction,
    netcl_variant_select_batchnorm,
    netcl_variant_clear_cache,
    netcl_op_expression,
    netcl_op_expression_text,
    netcl_op_expressions,
    netcl_elementwise_name,
    netcl_elementwise_find,
    netcl_op_elementwise,
    netcl_op_bias_add,
    netcl_op_copy,
    netcl_op_contiguous,
    netcl_op_cast,
    netcl_op_fill,
    netcl_op_range,
    netcl_op_eye,
    netcl_primitive_register,
    netcl_primitive_register_kernels,
    netcl_primitive_register_function,
    netcl_primitive_unregister,
    netcl_op_primitive,
    netcl_op_primitive_gradient,
    netcl_op_matmul,
    netcl_op_einsum,
    netcl_kernel_create_matmul,
    netcl_op_conv2d,
    netcl_op_matmul_quantized,
    netcl_op_dequantize_weights,
    netcl_op_quantize_weights,
    netcl_op_attention,
    netcl_op_rotary_embedding,
    netcl_op_reduce,
    netcl_op_scan,
    netcl_op_histogram,
    netcl_op_topk,
    netcl_op_softmax,
    netcl_op_log_softmax,
    netcl_op_layernorm,
    netcl_op_rmsnorm,
    netcl_op_batchnorm,
    netcl_op_pool,
    netcl_op_max_unpool2d,
    netcl_op_roi_pool,
    netcl_op_quantize_linear,
    netcl_op_dequantize_linear,
    netcl_op_dynamic_quantize_linear,
    netcl_op_qlinear_matmul,
    netcl_op_conv2d_integer,
    netcl_op_qlinear_conv2d,
    netcl_op_cross_entropy,
    netcl_op_nll_loss,
    netcl_op_sgd,
    netcl_op_adam,
    netcl_op_rmsprop,
    netcl_op_adagrad,
    netcl_op_clip_by_norm,
    netcl_op_unscale,
    netcl_op_update_loss_scale,
    netcl_op_transpose,
    netcl_op_concat,
    netcl_tensor_split,
    netcl_op_pad,
    netcl_op_tile,
    netcl_op_trilu,
    netcl_op_gather,
    netcl_op_gather_elements,
    netcl_op_embedding,
    netcl_op_one_hot,
    netcl_op_scatter,
    netcl_op_gather_nd,
    netcl_op_scatter_nd,
    netcl_op_depth_to_space,
    netcl_op_space_to_depth,
    netcl_op_resize,
    netcl_graph_create,
    netcl_graph_retain,
    netcl_graph_release,
    netcl_graph_clear,
    netcl_graph_create_from_function,
    netcl_graph_get_info,
    netcl_graph_add_gradients,
    netcl_graph_compile,
    netcl_graph_run,
    netcl_graph_evaluate,
    netcl_graph_explain,
    netcl_model_load,
    netcl_model_load_memory,
    netcl_model_retain,
    netcl_model_release,
    netcl_model_get_info,
    netcl_model_get_input,
    netcl_model_get_output,
    netcl_model_find_input,
    netcl_model_find_output,
    netcl_model_run,
    netcl_model_evaluate,
    netcl_model_explain,
    netcl_model_describe,
    netcl_weights_open,
    netcl_weights_retain,
    netcl_weights_release,
    netcl_weights_get_info,
    netcl_weights_get_entry,
    netcl_weights_find,
    netcl_weights_get_tensor,
    netcl_weights_get_metadata_key,
    netcl_weights_get_metadata,
    netcl_weights_save,
    netcl_group_join,
    netcl_group_create_local,
    netcl_group_create_mpi,
    netcl_group_split,
    netcl_group_retain,
    netcl_group_release,
    netcl_group_get_info,
    netcl_group_get_device,
    netcl_group_describe_device,
    netcl_group_get_error,
    netcl_group_barrier,
    netcl_group_all_reduce,
    netcl_group_reduce,
    netcl_group_broadcast,
    netcl_group_all_gather,
    netcl_group_gather,
    netcl_group_scatter,
    netcl_group_reduce_scatter,
    netcl_group_all_to_all,
    netcl_group_send,
    netcl_group_receive,
    netcl_reducer_create,
    netcl_reducer_retain,
    netcl_reducer_release,
    netcl_reducer_get_info,
    netcl_reducer_wait,
    netcl_group_describe_block,
    netcl_sharded_create,
    netcl_sharded_create_from_root,
    netcl_sharded_retain,
    netcl_sharded_release,
    netcl_sharded_get_info,
    netcl_sharded_get_block,
    netcl_sharded_explain,
    netcl_sharded_redistribute,
    netcl_sharded_gather,
    netcl_sharded_expression_text,
    netcl_sharded_reduce,
    netcl_sharded_softmax,
    netcl_sharded_layernorm,
    netcl_sharded_rmsnorm,
    netcl_sharded_matmul,
    netcl_sharded_exchange_halo,
    netcl_statistics_compute,
    netcl_statistics_compare,
    netcl_measurement_create,
    netcl_measurement_retain,
    netcl_measurement_release,
    netcl_measurement_next,
    netcl_measurement_get_statistics,
    netcl_measurement_get_samples,
    netcl_measurement_compare,
    netcl_queue_time,
    netcl_kernel_time,
    netcl_timer_create,
    netcl_timer_retain,
    netcl_timer_release,
    netcl_timer_start,
    netcl_timer_stop,
    netcl_profile_start,
    netcl_profile_stop,
    netcl_profile_reset,
    netcl_profile_report,
    netcl_region_begin,
    netcl_region_end,
    netcl_region_annotate,
    netcl_region_retain,
    netcl_region_release,
    netcl_region_push,
    netcl_region_pop,
    netcl_roofline_create,
    netcl_roofline_retain,
    netcl_roofline_release,
    netcl_roofline_analyze_metrics,
    netcl_roofline_analyze_ncu,
    netcl_roofline_should_stop,
    netcl_roofline_get_reason,
    netcl_roofline_reset_history,
    netcl_roofline_format,
    netcl_ceiling_kind_name,
    netcl_ceilings_create,
    netcl_ceilings_measure,
    netcl_ceilings_load,
    netcl_ceilings_retain,
    netcl_ceilings_release,
    netcl_ceilings_get_info,
    netcl_ceilings_get,
    netcl_ceilings_set,
    netcl_ceilings_save,
    netcl_roofline_analyze_time,
    netcl_roofline_analyze_statistics,
    netcl_space_create,
    netcl_space_create_from_t1,
    netcl_space_retain,
    netcl_space_release,
    netcl_space_add_ints,
    netcl_space_add_floats,
    netcl_space_add_bool,
    netcl_space_add_texts,
    netcl_space_add_constraint,
    netcl_space_set_work_size,
    netcl_space_get_count,
    netcl_space_get_config,
    netcl_space_explain,
    netcl_config_create_from_json,
    netcl_config_retain,
    netcl_config_release,
    netcl_config_get_int,
    netcl_config_get_float,
    netcl_config_get_text,
    netcl_config_get_json,
    netcl_tuning_database_open,
    netcl_tuning_database_retain,
    netcl_tuning_database_release,
    netcl_tuning_database_get_info,
    netcl_tuning_database_lookup,
    netcl_tuning_database_put,
    netcl_tuning_database_refresh,
    netcl_tuning_database_get_record,
    netcl_tuning_database_merge,
    netcl_tuning_database_compact,
    netcl_tuning_database_clear,
    netcl_tuning_database_export,
    netcl_device_get_part,
    netcl_device_match_record,
    netcl_benchmark_create,
    netcl_benchmark_retain,
    netcl_benchmark_release,
    netcl_benchmark_add_tensor,
    netcl_benchmark_add_scalar,
    netcl_benchmark_add_local,
    netcl_benchmark_get_tensor,
    netcl_benchmark_prepare,
    netcl_benchmark_keep,
    netcl_benchmark_time_baseline,
    netcl_benchmark_time_kernel,
    netcl_benchmark_set_baseline,
    netcl_benchmark_run,
    netcl_benchmark_get_build_log,
    netcl_benchmark_get_json,
    netcl_search_create,
    netcl_search_retain,
    netcl_search_release,
    netcl_search_ask,
    netcl_search_tell,
    netcl_search_tell_failure,
    netcl_search_cancel,
    netcl_search_read_event,
    netcl_search_get_result,
    netcl_search_get_best,
    netcl_search_get_candidate,
    netcl_search_get_samples,
    netcl_search_get_failure,
    netcl_search_replay,
    netcl_search_store,
    netcl_search_resume,
    netcl_tuner_create,
    netcl_tuner_retain,
    netcl_tuner_release,
    netcl_tuner_add,
    netcl_tuner_add_matmul,
    netcl_tuner_add_conv2d,
    netcl_tuner_add_reduction,
    netcl_tuner_run,
    netcl_tuner_cancel,
    netcl_tuner_read_event,
    netcl_tuner_get_count,
    netcl_tuner_get_result,
    netcl_tuner_get_search,
    netcl_tuner_lookup,
    netcl_tuner_save,
    netcl_tuner_load,
    netcl_tuner_clear,
    netcl_kernel_autotune,
    End,
}

#[allow(clippy::declare_interior_mutable_const)]
const ZERO: AtomicU64 = AtomicU64::new(0);
/// How often each was called.
pub static COUNTS: [AtomicU64; At::End as usize] = [ZERO; At::End as usize];

/// Counts, then calls `netcl_status_name`.
/// # Safety
/// As for `netcl_status_name`.
pub unsafe fn netcl_status_name(status: netcl_status) -> *const c_char {
    crate::count_call(At::netcl_status_name as usize);
    real::netcl_status_name(status)
}

/// Counts, then calls `netcl_last_error_message`.
/// # Safety
/// As for `netcl_last_error_message`.
pub unsafe fn netcl_last_error_message() -> *const c_char {
    crate::count_call(At::netcl_last_error_message as usize);
    real::netcl_last_error_message()
}

/// Counts, then calls `netcl_last_error_get_info`.
/// # Safety
/// As for `netcl_last_error_get_info`.
pub unsafe fn netcl_last_error_get_info(info: *mut netcl_error_info) -> netcl_status {
    crate::count_call(At::netcl_last_error_get_info as usize);
    real::netcl_last_error_get_info(info)
}

/// Counts, then calls `netcl_last_error_set`.
/// # Safety
/// As for `netcl_last_error_set`.
pub unsafe fn netcl_last_error_set(
    status: netcl_status,
    native_code: i32,
    message: *const c_char,
) -> netcl_status {
    crate::count_call(At::netcl_last_error_set as usize);
    real::netcl_last_error_set(status, native_code, message)
}

/// Counts, then calls `netcl_version_number`.
/// # Safety
/// As for `netcl_version_number`.
pub unsafe fn netcl_version_number() -> u32 {
    crate::count_call(At::netcl_version_number as usize);
    real::netcl_version_number()
}

/// Counts, then calls `netcl_version_string`.
/// # Safety
/// As for `netcl_version_string`.
pub unsafe fn netcl_version_string() -> *const c_char {
    crate::count_call(At::netcl_version_string as usize);
    real::netcl_version_string()
}

/// Counts, then calls `netcl_library_get_info`.
/// # Safety
/// As for `netcl_library_get_info`.
pub unsafe fn netcl_library_get_info(info: *mut netcl_library_info) -> netcl_status {
    crate::count_call(At::netcl_library_get_info as usize);
    real::netcl_library_get_info(info)
}

/// Counts, then calls `netcl_library_get_live_count`.
/// # Safety
/// As for `netcl_library_get_live_count`.
pub unsafe fn netcl_library_get_live_count(
    type_: netcl_handle_type,
    count: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_library_get_live_count as usize);
    real::netcl_library_get_live_count(type_, count)
}

/// Counts, then calls `netcl_shutdown`.
/// # Safety
/// As for `netcl_shutdown`.
pub unsafe fn netcl_shutdown(timeout_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_shutdown as usize);
    real::netcl_shutdown(timeout_ns)
}

/// Counts, then calls `netcl_library_set_exit_timeout`.
/// # Safety
/// As for `netcl_library_set_exit_timeout`.
pub unsafe fn netcl_library_set_exit_timeout(timeout_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_library_set_exit_timeout as usize);
    real::netcl_library_set_exit_timeout(timeout_ns)
}

/// Counts, then calls `netcl_interrupt_enable`.
/// # Safety
/// As for `netcl_interrupt_enable`.
pub unsafe fn netcl_interrupt_enable(grace_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_interrupt_enable as usize);
    real::netcl_interrupt_enable(grace_ns)
}

/// Counts, then calls `netcl_interrupt_disable`.
/// # Safety
/// As for `netcl_interrupt_disable`.
pub unsafe fn netcl_interrupt_disable() -> netcl_status {
    crate::count_call(At::netcl_interrupt_disable as usize);
    real::netcl_interrupt_disable()
}

/// Counts, then calls `netcl_log_set_level`.
/// # Safety
/// As for `netcl_log_set_level`.
pub unsafe fn netcl_log_set_level(level: netcl_log_level) -> netcl_status {
    crate::count_call(At::netcl_log_set_level as usize);
    real::netcl_log_set_level(level)
}

/// Counts, then calls `netcl_log_set_callback`.
/// # Safety
/// As for `netcl_log_set_callback`.
pub unsafe fn netcl_log_set_callback(
    fn_: netcl_log_fn,
    user_data: *mut c_void,
    destroy: netcl_destroy_fn,
) -> netcl_status {
    crate::count_call(At::netcl_log_set_callback as usize);
    real::netcl_log_set_callback(fn_, user_data, destroy)
}

/// Counts, then calls `netcl_log_read`.
/// # Safety
/// As for `netcl_log_read`.
pub unsafe fn netcl_log_read(after: u64, record: *mut netcl_log_record) -> netcl_status {
    crate::count_call(At::netcl_log_read as usize);
    real::netcl_log_read(after, record)
}

/// Counts, then calls `netcl_dtype_name`.
/// # Safety
/// As for `netcl_dtype_name`.
pub unsafe fn netcl_dtype_name(dtype: netcl_dtype) -> *const c_char {
    crate::count_call(At::netcl_dtype_name as usize);
    real::netcl_dtype_name(dtype)
}

/// Counts, then calls `netcl_dtype_size`.
/// # Safety
/// As for `netcl_dtype_size`.
pub unsafe fn netcl_dtype_size(dtype: netcl_dtype) -> usize {
    crate::count_call(At::netcl_dtype_size as usize);
    real::netcl_dtype_size(dtype)
}

/// Counts, then calls `netcl_device_count`.
/// # Safety
/// As for `netcl_device_count`.
pub unsafe fn netcl_device_count(count: *mut u32) -> netcl_status {
    crate::count_call(At::netcl_device_count as usize);
    real::netcl_device_count(count)
}

/// Counts, then calls `netcl_device_describe`.
/// # Safety
/// As for `netcl_device_describe`.
pub unsafe fn netcl_device_describe(index: u32, info: *mut netcl_device_info) -> netcl_status {
    crate::count_call(At::netcl_device_describe as usize);
    real::netcl_device_describe(index, info)
}

/// Counts, then calls `netcl_device_diagnose`.
/// # Safety
/// As for `netcl_device_diagnose`.
pub unsafe fn netcl_device_diagnose(
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_device_diagnose as usize);
    real::netcl_device_diagnose(buffer, capacity, length)
}

/// Counts, then calls `netcl_device_open`.
/// # Safety
/// As for `netcl_device_open`.
pub unsafe fn netcl_device_open(
    selector: *const c_char,
    options: *const netcl_device_options,
    device: *mut *mut netcl_device,
) -> netcl_status {
    crate::count_call(At::netcl_device_open as usize);
    real::netcl_device_open(selector, options, device)
}

/// Counts, then calls `netcl_device_open_from_cl`.
/// # Safety
/// As for `netcl_device_open_from_cl`.
pub unsafe fn netcl_device_open_from_cl(
    context: *mut _cl_context,
    device_id: *mut _cl_device_id,
    queue: *mut _cl_command_queue,
    options: *const netcl_device_options,
    device: *mut *mut netcl_device,
) -> netcl_status {
    crate::count_call(At::netcl_device_open_from_cl as usize);
    real::netcl_device_open_from_cl(context, device_id, queue, options, device)
}

/// Counts, then calls `netcl_device_retain`.
/// # Safety
/// As for `netcl_device_retain`.
pub unsafe fn netcl_device_retain(device: *mut netcl_device) -> netcl_status {
    crate::count_call(At::netcl_device_retain as usize);
    real::netcl_device_retain(device)
}

/// Counts, then calls `netcl_device_release`.
/// # Safety
/// As for `netcl_device_release`.
pub unsafe fn netcl_device_release(device: *mut netcl_device) {
    crate::count_call(At::netcl_device_release as usize);
    real::netcl_device_release(device)
}

/// Counts, then calls `netcl_device_get_info`.
/// # Safety
/// As for `netcl_device_get_info`.
pub unsafe fn netcl_device_get_info(
    device: *const netcl_device,
    info: *mut netcl_device_info,
) -> netcl_status {
    crate::count_call(At::netcl_device_get_info as usize);
    real::netcl_device_get_info(device, info)
}

/// Counts, then calls `netcl_device_get_capabilities`.
/// # Safety
/// As for `netcl_device_get_capabilities`.
pub unsafe fn netcl_device_get_capabilities(
    device: *const netcl_device,
    capabilities: *mut netcl_device_capabilities,
) -> netcl_status {
    crate::count_call(At::netcl_device_get_capabilities as usize);
    real::netcl_device_get_capabilities(device, capabilities)
}

/// Counts, then calls `netcl_device_finish`.
/// # Safety
/// As for `netcl_device_finish`.
pub unsafe fn netcl_device_finish(device: *mut netcl_device, timeout_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_device_finish as usize);
    real::netcl_device_finish(device, timeout_ns)
}

/// Counts, then calls `netcl_device_suggest_local_size`.
/// # Safety
/// As for `netcl_device_suggest_local_size`.
pub unsafe fn netcl_device_suggest_local_size(
    device: *const netcl_device,
    global: *const u64,
    global_count: u32,
    local: *mut u64,
    rounded: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_device_suggest_local_size as usize);
    real::netcl_device_suggest_local_size(device, global, global_count, local, rounded)
}

/// Counts, then calls `netcl_device_explain_copy`.
/// # Safety
/// As for `netcl_device_explain_copy`.
pub unsafe fn netcl_device_explain_copy(
    from: *const netcl_device,
    to: *const netcl_device,
    explanation: *mut netcl_copy_explanation,
) -> netcl_status {
    crate::count_call(At::netcl_device_explain_copy as usize);
    real::netcl_device_explain_copy(from, to, explanation)
}

/// Counts, then calls `netcl_device_get_cl_context`.
/// # Safety
/// As for `netcl_device_get_cl_context`.
pub unsafe fn netcl_device_get_cl_context(
    device: *const netcl_device,
    context: *mut *mut _cl_context,
) -> netcl_status {
    crate::count_call(At::netcl_device_get_cl_context as usize);
    real::netcl_device_get_cl_context(device, context)
}

/// Counts, then calls `netcl_device_get_cl_device`.
/// # Safety
/// As for `netcl_device_get_cl_device`.
pub unsafe fn netcl_device_get_cl_device(
    device: *const netcl_device,
    device_id: *mut *mut _cl_device_id,
) -> netcl_status {
    crate::count_call(At::netcl_device_get_cl_device as usize);
    real::netcl_device_get_cl_device(device, device_id)
}

/// Counts, then calls `netcl_device_get_queue`.
/// # Safety
/// As for `netcl_device_get_queue`.
pub unsafe fn netcl_device_get_queue(
    device: *const netcl_device,
    queue: *mut *mut netcl_queue,
) -> netcl_status {
    crate::count_call(At::netcl_device_get_queue as usize);
    real::netcl_device_get_queue(device, queue)
}

/// Counts, then calls `netcl_device_push`.
/// # Safety
/// As for `netcl_device_push`.
pub unsafe fn netcl_device_push(device: *mut netcl_device) -> netcl_status {
    crate::count_call(At::netcl_device_push as usize);
    real::netcl_device_push(device)
}

/// Counts, then calls `netcl_device_pop`.
/// # Safety
/// As for `netcl_device_pop`.
pub unsafe fn netcl_device_pop() -> netcl_status {
    crate::count_call(At::netcl_device_pop as usize);
    real::netcl_device_pop()
}

/// Counts, then calls `netcl_device_current`.
/// # Safety
/// As for `netcl_device_current`.
pub unsafe fn netcl_device_current(device: *mut *mut netcl_device) -> netcl_status {
    crate::count_call(At::netcl_device_current as usize);
    real::netcl_device_current(device)
}

/// Counts, then calls `netcl_queue_create`.
/// # Safety
/// As for `netcl_queue_create`.
pub unsafe fn netcl_queue_create(
    device: *mut netcl_device,
    options: *const netcl_queue_options,
    queue: *mut *mut netcl_queue,
) -> netcl_status {
    crate::count_call(At::netcl_queue_create as usize);
    real::netcl_queue_create(device, options, queue)
}

/// Counts, then calls `netcl_queue_create_from_cl`.
/// # Safety
/// As for `netcl_queue_create_from_cl`.
pub unsafe fn netcl_queue_create_from_cl(
    device: *mut netcl_device,
    cl_queue: *mut _cl_command_queue,
    queue: *mut *mut netcl_queue,
) -> netcl_status {
    crate::count_call(At::netcl_queue_create_from_cl as usize);
    real::netcl_queue_create_from_cl(device, cl_queue, queue)
}

/// Counts, then calls `netcl_queue_retain`.
/// # Safety
/// As for `netcl_queue_retain`.
pub unsafe fn netcl_queue_retain(queue: *mut netcl_queue) -> netcl_status {
    crate::count_call(At::netcl_queue_retain as usize);
    real::netcl_queue_retain(queue)
}

/// Counts, then calls `netcl_queue_release`.
/// # Safety
/// As for `netcl_queue_release`.
pub unsafe fn netcl_queue_release(queue: *mut netcl_queue) {
    crate::count_call(At::netcl_queue_release as usize);
    real::netcl_queue_release(queue)
}

/// Counts, then calls `netcl_queue_get_info`.
/// # Safety
/// As for `netcl_queue_get_info`.
pub unsafe fn netcl_queue_get_info(
    queue: *const netcl_queue,
    info: *mut netcl_queue_info,
) -> netcl_status {
    crate::count_call(At::netcl_queue_get_info as usize);
    real::netcl_queue_get_info(queue, info)
}

/// Counts, then calls `netcl_queue_get_device`.
/// # Safety
/// As for `netcl_queue_get_device`.
pub unsafe fn netcl_queue_get_device(
    queue: *const netcl_queue,
    device: *mut *mut netcl_device,
) -> netcl_status {
    crate::count_call(At::netcl_queue_get_device as usize);
    real::netcl_queue_get_device(queue, device)
}

/// Counts, then calls `netcl_queue_set_profiling`.
/// # Safety
/// As for `netcl_queue_set_profiling`.
pub unsafe fn netcl_queue_set_profiling(queue: *mut netcl_queue, enabled: u32) -> netcl_status {
    crate::count_call(At::netcl_queue_set_profiling as usize);
    real::netcl_queue_set_profiling(queue, enabled)
}

/// Counts, then calls `netcl_queue_flush`.
/// # Safety
/// As for `netcl_queue_flush`.
pub unsafe fn netcl_queue_flush(queue: *mut netcl_queue) -> netcl_status {
    crate::count_call(At::netcl_queue_flush as usize);
    real::netcl_queue_flush(queue)
}

/// Counts, then calls `netcl_queue_finish`.
/// # Safety
/// As for `netcl_queue_finish`.
pub unsafe fn netcl_queue_finish(queue: *mut netcl_queue, timeout_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_queue_finish as usize);
    real::netcl_queue_finish(queue, timeout_ns)
}

/// Counts, then calls `netcl_queue_enqueue_marker`.
/// # Safety
/// As for `netcl_queue_enqueue_marker`.
pub unsafe fn netcl_queue_enqueue_marker(
    queue: *mut netcl_queue,
    waits: *const *mut netcl_event,
    waits_count: u32,
    event: *mut *mut netcl_event,
) -> netcl_status {
    crate::count_call(At::netcl_queue_enqueue_marker as usize);
    real::netcl_queue_enqueue_marker(queue, waits, waits_count, event)
}

/// Counts, then calls `netcl_queue_get_cl_queue`.
/// # Safety
/// As for `netcl_queue_get_cl_queue`.
pub unsafe fn netcl_queue_get_cl_queue(
    queue: *mut netcl_queue,
    cl_queue: *mut *mut _cl_command_queue,
) -> netcl_status {
    crate::count_call(At::netcl_queue_get_cl_queue as usize);
    real::netcl_queue_get_cl_queue(queue, cl_queue)
}

/// Counts, then calls `netcl_event_create_from_cl`.
/// # Safety
/// As for `netcl_event_create_from_cl`.
pub unsafe fn netcl_event_create_from_cl(
    device: *mut netcl_device,
    cl_event: *mut _cl_event,
    event: *mut *mut netcl_event,
) -> netcl_status {
    crate::count_call(At::netcl_event_create_from_cl as usize);
    real::netcl_event_create_from_cl(device, cl_event, event)
}

/// Counts, then calls `netcl_event_retain`.
/// # Safety
/// As for `netcl_event_retain`.
pub unsafe fn netcl_event_retain(event: *mut netcl_event) -> netcl_status {
    crate::count_call(At::netcl_event_retain as usize);
    real::netcl_event_retain(event)
}

/// Counts, then calls `netcl_event_release`.
/// # Safety
/// As for `netcl_event_release`.
pub unsafe fn netcl_event_release(event: *mut netcl_event) {
    crate::count_call(At::netcl_event_release as usize);
    real::netcl_event_release(event)
}

/// Counts, then calls `netcl_event_wait`.
/// # Safety
/// As for `netcl_event_wait`.
pub unsafe fn netcl_event_wait(event: *const netcl_event, timeout_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_event_wait as usize);
    real::netcl_event_wait(event, timeout_ns)
}

/// Counts, then calls `netcl_event_query`.
/// # Safety
/// As for `netcl_event_query`.
pub unsafe fn netcl_event_query(
    event: *const netcl_event,
    state: *mut netcl_event_state,
) -> netcl_status {
    crate::count_call(At::netcl_event_query as usize);
    real::netcl_event_query(event, state)
}

/// Counts, then calls `netcl_event_get_timing`.
/// # Safety
/// As for `netcl_event_get_timing`.
pub unsafe fn netcl_event_get_timing(
    event: *const netcl_event,
    timing: *mut netcl_event_timing,
) -> netcl_status {
    crate::count_call(At::netcl_event_get_timing as usize);
    real::netcl_event_get_timing(event, timing)
}

/// Counts, then calls `netcl_event_get_error`.
/// # Safety
/// As for `netcl_event_get_error`.
pub unsafe fn netcl_event_get_error(
    event: *const netcl_event,
    info: *mut netcl_error_info,
) -> netcl_status {
    crate::count_call(At::netcl_event_get_error as usize);
    real::netcl_event_get_error(event, info)
}

/// Counts, then calls `netcl_event_get_cl_event`.
/// # Safety
/// As for `netcl_event_get_cl_event`.
pub unsafe fn netcl_event_get_cl_event(
    event: *const netcl_event,
    cl_event: *mut *mut _cl_event,
) -> netcl_status {
    crate::count_call(At::netcl_event_get_cl_event as usize);
    real::netcl_event_get_cl_event(event, cl_event)
}

/// Counts, then calls `netcl_pool_create`.
/// # Safety
/// As for `netcl_pool_create`.
pub unsafe fn netcl_pool_create(
    device: *mut netcl_device,
    options: *const netcl_pool_options,
    pool: *mut *mut netcl_pool,
) -> netcl_status {
    crate::count_call(At::netcl_pool_create as usize);
    real::netcl_pool_create(device, options, pool)
}

/// Counts, then calls `netcl_device_get_pool`.
/// # Safety
/// As for `netcl_device_get_pool`.
pub unsafe fn netcl_device_get_pool(
    device: *const netcl_device,
    kind: netcl_pool_kind,
    pool: *mut *mut netcl_pool,
) -> netcl_status {
    crate::count_call(At::netcl_device_get_pool as usize);
    real::netcl_device_get_pool(device, kind, pool)
}

/// Counts, then calls `netcl_pool_retain`.
/// # Safety
/// As for `netcl_pool_retain`.
pub unsafe fn netcl_pool_retain(pool: *mut netcl_pool) -> netcl_status {
    crate::count_call(At::netcl_pool_retain as usize);
    real::netcl_pool_retain(pool)
}

/// Counts, then calls `netcl_pool_release`.
/// # Safety
/// As for `netcl_pool_release`.
pub unsafe fn netcl_pool_release(pool: *mut netcl_pool) {
    crate::count_call(At::netcl_pool_release as usize);
    real::netcl_pool_release(pool)
}

/// Counts, then calls `netcl_pool_get_info`.
/// # Safety
/// As for `netcl_pool_get_info`.
pub unsafe fn netcl_pool_get_info(
    pool: *const netcl_pool,
    info: *mut netcl_pool_info,
) -> netcl_status {
    crate::count_call(At::netcl_pool_get_info as usize);
    real::netcl_pool_get_info(pool, info)
}

/// Counts, then calls `netcl_pool_get_buckets`.
/// # Safety
/// As for `netcl_pool_get_buckets`.
pub unsafe fn netcl_pool_get_buckets(
    pool: *const netcl_pool,
    buckets: *mut netcl_pool_bucket,
    capacity: u32,
    count: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_pool_get_buckets as usize);
    real::netcl_pool_get_buckets(pool, buckets, capacity, count)
}

/// Counts, then calls `netcl_pool_trim`.
/// # Safety
/// As for `netcl_pool_trim`.
pub unsafe fn netcl_pool_trim(pool: *mut netcl_pool, keep_bytes: u64) -> netcl_status {
    crate::count_call(At::netcl_pool_trim as usize);
    real::netcl_pool_trim(pool, keep_bytes)
}

/// Counts, then calls `netcl_pool_allocate`.
/// # Safety
/// As for `netcl_pool_allocate`.
pub unsafe fn netcl_pool_allocate(
    pool: *mut netcl_pool,
    bytes: u64,
    buffer: *mut *mut netcl_buffer,
) -> netcl_status {
    crate::count_call(At::netcl_pool_allocate as usize);
    real::netcl_pool_allocate(pool, bytes, buffer)
}

/// Counts, then calls `netcl_buffer_create_pinned`.
/// # Safety
/// As for `netcl_buffer_create_pinned`.
pub unsafe fn netcl_buffer_create_pinned(
    device: *mut netcl_device,
    bytes: u64,
    buffer: *mut *mut netcl_buffer,
) -> netcl_status {
    crate::count_call(At::netcl_buffer_create_pinned as usize);
    real::netcl_buffer_create_pinned(device, bytes, buffer)
}

/// Counts, then calls `netcl_buffer_create_zero_copy`.
/// # Safety
/// As for `netcl_buffer_create_zero_copy`.
pub unsafe fn netcl_buffer_create_zero_copy(
    device: *mut netcl_device,
    data: *mut c_void,
    bytes: u64,
    buffer: *mut *mut netcl_buffer,
) -> netcl_status {
    crate::count_call(At::netcl_buffer_create_zero_copy as usize);
    real::netcl_buffer_create_zero_copy(device, data, bytes, buffer)
}

/// Counts, then calls `netcl_buffer_retain`.
/// # Safety
/// As for `netcl_buffer_retain`.
pub unsafe fn netcl_buffer_retain(buffer: *mut netcl_buffer) -> netcl_status {
    crate::count_call(At::netcl_buffer_retain as usize);
    real::netcl_buffer_retain(buffer)
}

/// Counts, then calls `netcl_buffer_release`.
/// # Safety
/// As for `netcl_buffer_release`.
pub unsafe fn netcl_buffer_release(buffer: *mut netcl_buffer) {
    crate::count_call(At::netcl_buffer_release as usize);
    real::netcl_buffer_release(buffer)
}

/// Counts, then calls `netcl_buffer_get_info`.
/// # Safety
/// As for `netcl_buffer_get_info`.
pub unsafe fn netcl_buffer_get_info(
    buffer: *const netcl_buffer,
    info: *mut netcl_buffer_info,
) -> netcl_status {
    crate::count_call(At::netcl_buffer_get_info as usize);
    real::netcl_buffer_get_info(buffer, info)
}

/// Counts, then calls `netcl_buffer_get_cl_mem`.
/// # Safety
/// As for `netcl_buffer_get_cl_mem`.
pub unsafe fn netcl_buffer_get_cl_mem(
    buffer: *const netcl_buffer,
    mem: *mut *mut _cl_mem,
) -> netcl_status {
    crate::count_call(At::netcl_buffer_get_cl_mem as usize);
    real::netcl_buffer_get_cl_mem(buffer, mem)
}

/// Counts, then calls `netcl_buffer_export`.
/// # Safety
/// As for `netcl_buffer_export`.
pub unsafe fn netcl_buffer_export(
    buffer: *const netcl_buffer,
    memory: *mut netcl_shared_memory,
) -> netcl_status {
    crate::count_call(At::netcl_buffer_export as usize);
    real::netcl_buffer_export(buffer, memory)
}

/// Counts, then calls `netcl_buffer_import`.
/// # Safety
/// As for `netcl_buffer_import`.
pub unsafe fn netcl_buffer_import(
    device: *mut netcl_device,
    memory: *const netcl_shared_memory,
    buffer: *mut *mut netcl_buffer,
) -> netcl_status {
    crate::count_call(At::netcl_buffer_import as usize);
    real::netcl_buffer_import(device, memory, buffer)
}

/// Counts, then calls `netcl_buffer_get_cuda_address`.
/// # Safety
/// As for `netcl_buffer_get_cuda_address`.
pub unsafe fn netcl_buffer_get_cuda_address(
    buffer: *const netcl_buffer,
    address: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_buffer_get_cuda_address as usize);
    real::netcl_buffer_get_cuda_address(buffer, address)
}

/// Counts, then calls `netcl_tensor_create`.
/// # Safety
/// As for `netcl_tensor_create`.
pub unsafe fn netcl_tensor_create(
    device: *mut netcl_device,
    dtype: netcl_dtype,
    rank: u32,
    shape: *const i64,
    strides: *const i64,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create as usize);
    real::netcl_tensor_create(device, dtype, rank, shape, strides, options, tensor)
}

/// Counts, then calls `netcl_tensor_create_zeros`.
/// # Safety
/// As for `netcl_tensor_create_zeros`.
pub unsafe fn netcl_tensor_create_zeros(
    device: *mut netcl_device,
    dtype: netcl_dtype,
    rank: u32,
    shape: *const i64,
    strides: *const i64,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create_zeros as usize);
    real::netcl_tensor_create_zeros(device, dtype, rank, shape, strides, options, tensor)
}

/// Counts, then calls `netcl_tensor_create_full`.
/// # Safety
/// As for `netcl_tensor_create_full`.
pub unsafe fn netcl_tensor_create_full(
    device: *mut netcl_device,
    dtype: netcl_dtype,
    rank: u32,
    shape: *const i64,
    strides: *const i64,
    value: *const c_void,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create_full as usize);
    real::netcl_tensor_create_full(device, dtype, rank, shape, strides, value, options, tensor)
}

/// Counts, then calls `netcl_tensor_create_random`.
/// # Safety
/// As for `netcl_tensor_create_random`.
pub unsafe fn netcl_tensor_create_random(
    device: *mut netcl_device,
    dtype: netcl_dtype,
    rank: u32,
    shape: *const i64,
    strides: *const i64,
    random: *const netcl_random_options,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create_random as usize);
    real::netcl_tensor_create_random(device, dtype, rank, shape, strides, random, options, tensor)
}

/// Counts, then calls `netcl_tensor_create_from_host`.
/// # Safety
/// As for `netcl_tensor_create_from_host`.
pub unsafe fn netcl_tensor_create_from_host(
    device: *mut netcl_device,
    dtype: netcl_dtype,
    rank: u32,
    shape: *const i64,
    strides: *const i64,
    data: *const c_void,
    data_size: usize,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create_from_host as usize);
    real::netcl_tensor_create_from_host(device, dtype, rank, shape, strides, data, data_size, options, tensor)
}

/// Counts, then calls `netcl_tensor_create_from_buffer`.
/// # Safety
/// As for `netcl_tensor_create_from_buffer`.
pub unsafe fn netcl_tensor_create_from_buffer(
    buffer: *mut netcl_buffer,
    offset_bytes: u64,
    dtype: netcl_dtype,
    rank: u32,
    shape: *const i64,
    strides: *const i64,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create_from_buffer as usize);
    real::netcl_tensor_create_from_buffer(buffer, offset_bytes, dtype, rank, shape, strides, tensor)
}

/// Counts, then calls `netcl_tensor_create_from_cl`.
/// # Safety
/// As for `netcl_tensor_create_from_cl`.
pub unsafe fn netcl_tensor_create_from_cl(
    device: *mut netcl_device,
    mem: *mut _cl_mem,
    offset_bytes: u64,
    dtype: netcl_dtype,
    rank: u32,
    shape: *const i64,
    strides: *const i64,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create_from_cl as usize);
    real::netcl_tensor_create_from_cl(device, mem, offset_bytes, dtype, rank, shape, strides, options, tensor)
}

/// Counts, then calls `netcl_tensor_create_from_dlpack`.
/// # Safety
/// As for `netcl_tensor_create_from_dlpack`.
pub unsafe fn netcl_tensor_create_from_dlpack(
    device: *mut netcl_device,
    managed: *mut DLManagedTensor,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create_from_dlpack as usize);
    real::netcl_tensor_create_from_dlpack(device, managed, options, tensor)
}

/// Counts, then calls `netcl_tensor_to_dlpack`.
/// # Safety
/// As for `netcl_tensor_to_dlpack`.
pub unsafe fn netcl_tensor_to_dlpack(
    tensor: *mut netcl_tensor,
    timeout_ns: u64,
    managed: *mut *mut DLManagedTensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_to_dlpack as usize);
    real::netcl_tensor_to_dlpack(tensor, timeout_ns, managed)
}

/// Counts, then calls `netcl_tensor_load_npy`.
/// # Safety
/// As for `netcl_tensor_load_npy`.
pub unsafe fn netcl_tensor_load_npy(
    device: *mut netcl_device,
    path: *const c_char,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_load_npy as usize);
    real::netcl_tensor_load_npy(device, path, options, tensor)
}

/// Counts, then calls `netcl_tensor_create_from_npy`.
/// # Safety
/// As for `netcl_tensor_create_from_npy`.
pub unsafe fn netcl_tensor_create_from_npy(
    device: *mut netcl_device,
    data: *const c_void,
    data_size: usize,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_create_from_npy as usize);
    real::netcl_tensor_create_from_npy(device, data, data_size, options, tensor)
}

/// Counts, then calls `netcl_tensor_save_npy`.
/// # Safety
/// As for `netcl_tensor_save_npy`.
pub unsafe fn netcl_tensor_save_npy(
    tensor: *const netcl_tensor,
    path: *const c_char,
    timeout_ns: u64,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_save_npy as usize);
    real::netcl_tensor_save_npy(tensor, path, timeout_ns)
}

/// Counts, then calls `netcl_tensor_retain`.
/// # Safety
/// As for `netcl_tensor_retain`.
pub unsafe fn netcl_tensor_retain(tensor: *mut netcl_tensor) -> netcl_status {
    crate::count_call(At::netcl_tensor_retain as usize);
    real::netcl_tensor_retain(tensor)
}

/// Counts, then calls `netcl_tensor_release`.
/// # Safety
/// As for `netcl_tensor_release`.
pub unsafe fn netcl_tensor_release(tensor: *mut netcl_tensor) {
    crate::count_call(At::netcl_tensor_release as usize);
    real::netcl_tensor_release(tensor)
}

/// Counts, then calls `netcl_tensor_get_info`.
/// # Safety
/// As for `netcl_tensor_get_info`.
pub unsafe fn netcl_tensor_get_info(
    tensor: *const netcl_tensor,
    info: *mut netcl_tensor_info,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_get_info as usize);
    real::netcl_tensor_get_info(tensor, info)
}

/// Counts, then calls `netcl_tensor_get_device`.
/// # Safety
/// As for `netcl_tensor_get_device`.
pub unsafe fn netcl_tensor_get_device(
    tensor: *const netcl_tensor,
    device: *mut *mut netcl_device,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_get_device as usize);
    real::netcl_tensor_get_device(tensor, device)
}

/// Counts, then calls `netcl_tensor_get_buffer`.
/// # Safety
/// As for `netcl_tensor_get_buffer`.
pub unsafe fn netcl_tensor_get_buffer(
    tensor: *const netcl_tensor,
    buffer: *mut *mut netcl_buffer,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_get_buffer as usize);
    real::netcl_tensor_get_buffer(tensor, buffer)
}

/// Counts, then calls `netcl_tensor_slice`.
/// # Safety
/// As for `netcl_tensor_slice`.
pub unsafe fn netcl_tensor_slice(
    tensor: *mut netcl_tensor,
    ranges: *const netcl_range,
    ranges_count: u32,
    view: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_slice as usize);
    real::netcl_tensor_slice(tensor, ranges, ranges_count, view)
}

/// Counts, then calls `netcl_tensor_permute`.
/// # Safety
/// As for `netcl_tensor_permute`.
pub unsafe fn netcl_tensor_permute(
    tensor: *mut netcl_tensor,
    axes: *const u32,
    axes_count: u32,
    view: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_permute as usize);
    real::netcl_tensor_permute(tensor, axes, axes_count, view)
}

/// Counts, then calls `netcl_tensor_broadcast`.
/// # Safety
/// As for `netcl_tensor_broadcast`.
pub unsafe fn netcl_tensor_broadcast(
    tensor: *mut netcl_tensor,
    rank: u32,
    shape: *const i64,
    view: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_broadcast as usize);
    real::netcl_tensor_broadcast(tensor, rank, shape, view)
}

/// Counts, then calls `netcl_tensor_view`.
/// # Safety
/// As for `netcl_tensor_view`.
pub unsafe fn netcl_tensor_view(
    tensor: *mut netcl_tensor,
    rank: u32,
    shape: *const i64,
    strides: *const i64,
    offset: i64,
    view: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_view as usize);
    real::netcl_tensor_view(tensor, rank, shape, strides, offset, view)
}

/// Counts, then calls `netcl_tensor_reshape`.
/// # Safety
/// As for `netcl_tensor_reshape`.
pub unsafe fn netcl_tensor_reshape(
    tensor: *mut netcl_tensor,
    rank: u32,
    shape: *const i64,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_reshape as usize);
    real::netcl_tensor_reshape(tensor, rank, shape, run, result)
}

/// Counts, then calls `netcl_tensor_read`.
/// # Safety
/// As for `netcl_tensor_read`.
pub unsafe fn netcl_tensor_read(
    tensor: *const netcl_tensor,
    data: *mut c_void,
    data_size: usize,
    options: *const netcl_transfer_options,
    timeout_ns: u64,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_read as usize);
    real::netcl_tensor_read(tensor, data, data_size, options, timeout_ns)
}

/// Counts, then calls `netcl_tensor_write`.
/// # Safety
/// As for `netcl_tensor_write`.
pub unsafe fn netcl_tensor_write(
    tensor: *mut netcl_tensor,
    data: *const c_void,
    data_size: usize,
    options: *const netcl_transfer_options,
    timeout_ns: u64,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_write as usize);
    real::netcl_tensor_write(tensor, data, data_size, options, timeout_ns)
}

/// Counts, then calls `netcl_tensor_wait`.
/// # Safety
/// As for `netcl_tensor_wait`.
pub unsafe fn netcl_tensor_wait(tensor: *const netcl_tensor, timeout_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_tensor_wait as usize);
    real::netcl_tensor_wait(tensor, timeout_ns)
}

/// Counts, then calls `netcl_kernel_create`.
/// # Safety
/// As for `netcl_kernel_create`.
pub unsafe fn netcl_kernel_create(
    device: *mut netcl_device,
    name: *const c_char,
    options: *const netcl_kernel_options,
    kernel: *mut *mut netcl_kernel,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_create as usize);
    real::netcl_kernel_create(device, name, options, kernel)
}

/// Counts, then calls `netcl_kernel_create_elementwise`.
/// # Safety
/// As for `netcl_kernel_create_elementwise`.
pub unsafe fn netcl_kernel_create_elementwise(
    device: *mut netcl_device,
    name: *const c_char,
    arity: u32,
    expression: *const c_char,
    dtype: netcl_dtype,
    kernel: *mut *mut netcl_kernel,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_create_elementwise as usize);
    real::netcl_kernel_create_elementwise(device, name, arity, expression, dtype, kernel)
}

/// Counts, then calls `netcl_kernel_retain`.
/// # Safety
/// As for `netcl_kernel_retain`.
pub unsafe fn netcl_kernel_retain(kernel: *mut netcl_kernel) -> netcl_status {
    crate::count_call(At::netcl_kernel_retain as usize);
    real::netcl_kernel_retain(kernel)
}

/// Counts, then calls `netcl_kernel_release`.
/// # Safety
/// As for `netcl_kernel_release`.
pub unsafe fn netcl_kernel_release(kernel: *mut netcl_kernel) {
    crate::count_call(At::netcl_kernel_release as usize);
    real::netcl_kernel_release(kernel)
}

/// Counts, then calls `netcl_kernel_build`.
/// # Safety
/// As for `netcl_kernel_build`.
pub unsafe fn netcl_kernel_build(kernel: *mut netcl_kernel) -> netcl_status {
    crate::count_call(At::netcl_kernel_build as usize);
    real::netcl_kernel_build(kernel)
}

/// Counts, then calls `netcl_kernel_get_info`.
/// # Safety
/// As for `netcl_kernel_get_info`.
pub unsafe fn netcl_kernel_get_info(
    kernel: *mut netcl_kernel,
    info: *mut netcl_kernel_info,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_get_info as usize);
    real::netcl_kernel_get_info(kernel, info)
}

/// Counts, then calls `netcl_kernel_get_arg_info`.
/// # Safety
/// As for `netcl_kernel_get_arg_info`.
pub unsafe fn netcl_kernel_get_arg_info(
    kernel: *mut netcl_kernel,
    index: u32,
    info: *mut netcl_kernel_arg_info,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_get_arg_info as usize);
    real::netcl_kernel_get_arg_info(kernel, index, info)
}

/// Counts, then calls `netcl_kernel_get_source`.
/// # Safety
/// As for `netcl_kernel_get_source`.
pub unsafe fn netcl_kernel_get_source(
    kernel: *const netcl_kernel,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_get_source as usize);
    real::netcl_kernel_get_source(kernel, buffer, capacity, length)
}

/// Counts, then calls `netcl_kernel_get_build_log`.
/// # Safety
/// As for `netcl_kernel_get_build_log`.
pub unsafe fn netcl_kernel_get_build_log(
    kernel: *const netcl_kernel,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_get_build_log as usize);
    real::netcl_kernel_get_build_log(kernel, buffer, capacity, length)
}

/// Counts, then calls `netcl_kernel_get_binary`.
/// # Safety
/// As for `netcl_kernel_get_binary`.
pub unsafe fn netcl_kernel_get_binary(
    kernel: *mut netcl_kernel,
    data: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_get_binary as usize);
    real::netcl_kernel_get_binary(kernel, data, capacity, length)
}

/// Counts, then calls `netcl_kernel_shape_signature`.
/// # Safety
/// As for `netcl_kernel_shape_signature`.
pub unsafe fn netcl_kernel_shape_signature(
    inputs: *const *const netcl_tensor,
    inputs_count: u32,
    outputs: *const *const netcl_tensor,
    outputs_count: u32,
    signature: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_shape_signature as usize);
    real::netcl_kernel_shape_signature(inputs, inputs_count, outputs, outputs_count, signature)
}

/// Counts, then calls `netcl_kernel_register`.
/// # Safety
/// As for `netcl_kernel_register`.
pub unsafe fn netcl_kernel_register(kernel: *mut netcl_kernel) -> netcl_status {
    crate::count_call(At::netcl_kernel_register as usize);
    real::netcl_kernel_register(kernel)
}

/// Counts, then calls `netcl_kernel_unregister`.
/// # Safety
/// As for `netcl_kernel_unregister`.
pub unsafe fn netcl_kernel_unregister(
    device: *mut netcl_device,
    name: *const c_char,
    shape_signature: u64,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_unregister as usize);
    real::netcl_kernel_unregister(device, name, shape_signature)
}

/// Counts, then calls `netcl_kernel_find`.
/// # Safety
/// As for `netcl_kernel_find`.
pub unsafe fn netcl_kernel_find(
    device: *mut netcl_device,
    name: *const c_char,
    shape_signature: u64,
    kernel: *mut *mut netcl_kernel,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_find as usize);
    real::netcl_kernel_find(device, name, shape_signature, kernel)
}

/// Counts, then calls `netcl_kernel_launch`.
/// # Safety
/// As for `netcl_kernel_launch`.
pub unsafe fn netcl_kernel_launch(
    kernel: *mut netcl_kernel,
    global: *const u64,
    global_count: u32,
    local: *const u64,
    local_count: u32,
    args: *const netcl_arg,
    args_count: u32,
    options: *const netcl_launch_options,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_launch as usize);
    real::netcl_kernel_launch(kernel, global, global_count, local, local_count, args, args_count, options, run)
}

/// Counts, then calls `netcl_kernel_explain_launch`.
/// # Safety
/// As for `netcl_kernel_explain_launch`.
pub unsafe fn netcl_kernel_explain_launch(
    kernel: *mut netcl_kernel,
    global: *const u64,
    global_count: u32,
    local: *const u64,
    local_count: u32,
    args: *const netcl_arg,
    args_count: u32,
    options: *const netcl_launch_options,
    explanation: *mut netcl_launch_explanation,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_explain_launch as usize);
    real::netcl_kernel_explain_launch(kernel, global, global_count, local, local_count, args, args_count, options, explanation)
}

/// Counts, then calls `netcl_kernel_launch_by_name`.
/// # Safety
/// As for `netcl_kernel_launch_by_name`.
pub unsafe fn netcl_kernel_launch_by_name(
    device: *mut netcl_device,
    name: *const c_char,
    shape_signature: u64,
    global: *const u64,
    global_count: u32,
    local: *const u64,
    local_count: u32,
    args: *const netcl_arg,
    args_count: u32,
    options: *const netcl_launch_options,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_launch_by_name as usize);
    real::netcl_kernel_launch_by_name(device, name, shape_signature, global, global_count, local, local_count, args, args_count, options, run)
}

/// Counts, then calls `netcl_program_cache_get_info`.
/// # Safety
/// As for `netcl_program_cache_get_info`.
pub unsafe fn netcl_program_cache_get_info(info: *mut netcl_program_cache_info) -> netcl_status {
    crate::count_call(At::netcl_program_cache_get_info as usize);
    real::netcl_program_cache_get_info(info)
}

/// Counts, then calls `netcl_program_cache_clear`.
/// # Safety
/// As for `netcl_program_cache_clear`.
pub unsafe fn netcl_program_cache_clear(disk: u32) -> netcl_status {
    crate::count_call(At::netcl_program_cache_clear as usize);
    real::netcl_program_cache_clear(disk)
}

/// Counts, then calls `netcl_program_cache_get_entry`.
/// # Safety
/// As for `netcl_program_cache_get_entry`.
pub unsafe fn netcl_program_cache_get_entry(
    index: u32,
    entry: *mut netcl_program_cache_entry,
) -> netcl_status {
    crate::count_call(At::netcl_program_cache_get_entry as usize);
    real::netcl_program_cache_get_entry(index, entry)
}

/// Counts, then calls `netcl_expression_create`.
/// # Safety
/// As for `netcl_expression_create`.
pub unsafe fn netcl_expression_create(
    text: *const c_char,
    expression: *mut *mut netcl_expression,
) -> netcl_status {
    crate::count_call(At::netcl_expression_create as usize);
    real::netcl_expression_create(text, expression)
}

/// Counts, then calls `netcl_expression_retain`.
/// # Safety
/// As for `netcl_expression_retain`.
pub unsafe fn netcl_expression_retain(expression: *mut netcl_expression) -> netcl_status {
    crate::count_call(At::netcl_expression_retain as usize);
    real::netcl_expression_retain(expression)
}

/// Counts, then calls `netcl_expression_release`.
/// # Safety
/// As for `netcl_expression_release`.
pub unsafe fn netcl_expression_release(expression: *mut netcl_expression) {
    crate::count_call(At::netcl_expression_release as usize);
    real::netcl_expression_release(expression)
}

/// Counts, then calls `netcl_expression_get_arity`.
/// # Safety
/// As for `netcl_expression_get_arity`.
pub unsafe fn netcl_expression_get_arity(
    expression: *const netcl_expression,
    arity: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_expression_get_arity as usize);
    real::netcl_expression_get_arity(expression, arity)
}

/// Counts, then calls `netcl_expression_get_text`.
/// # Safety
/// As for `netcl_expression_get_text`.
pub unsafe fn netcl_expression_get_text(
    expression: *const netcl_expression,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_expression_get_text as usize);
    real::netcl_expression_get_text(expression, buffer, capacity, length)
}

/// Counts, then calls `netcl_expression_differentiate`.
/// # Safety
/// As for `netcl_expression_differentiate`.
pub unsafe fn netcl_expression_differentiate(
    expression: *const netcl_expression,
    input: u32,
    gradient: *mut *mut netcl_expression,
) -> netcl_status {
    crate::count_call(At::netcl_expression_differentiate as usize);
    real::netcl_expression_differentiate(expression, input, gradient)
}

/// Counts, then calls `netcl_variant_name`.
/// # Safety
/// As for `netcl_variant_name`.
pub unsafe fn netcl_variant_name(variant: netcl_variant) -> *const c_char {
    crate::count_call(At::netcl_variant_name as usize);
    real::netcl_variant_name(variant)
}

/// Counts, then calls `netcl_variant_select_matmul`.
/// # Safety
/// As for `netcl_variant_select_matmul`.
pub unsafe fn netcl_variant_select_matmul(
    device: *const netcl_device,
    m: i64,
    n: i64,
    k: i64,
    options: *const netcl_variant_options,
    config: *mut netcl_variant_config,
) -> netcl_status {
    crate::count_call(At::netcl_variant_select_matmul as usize);
    real::netcl_variant_select_matmul(device, m, n, k, options, config)
}

/// Counts, then calls `netcl_variant_select_conv2d`.
/// # Safety
/// As for `netcl_variant_select_conv2d`.
pub unsafe fn netcl_variant_select_conv2d(
    device: *const netcl_device,
    shape: *const netcl_conv2d_shape,
    options: *const netcl_variant_options,
    config: *mut netcl_variant_config,
) -> netcl_status {
    crate::count_call(At::netcl_variant_select_conv2d as usize);
    real::netcl_variant_select_conv2d(device, shape, options, config)
}

/// Counts, then calls `netcl_variant_select_elementwise`.
/// # Safety
/// As for `netcl_variant_select_elementwise`.
pub unsafe fn netcl_variant_select_elementwise(
    device: *const netcl_device,
    count: i64,
    options: *const netcl_variant_options,
    config: *mut netcl_variant_config,
) -> netcl_status {
    crate::count_call(At::netcl_variant_select_elementwise as usize);
    real::netcl_variant_select_elementwise(device, count, options, config)
}

/// Counts, then calls `netcl_variant_select_reduction`.
/// # Safety
/// As for `netcl_variant_select_reduction`.
pub unsafe fn netcl_variant_select_reduction(
    device: *const netcl_device,
    outputs: i64,
    count: i64,
    options: *const netcl_variant_options,
    config: *mut netcl_variant_config,
) -> netcl_status {
    crate::count_call(At::netcl_variant_select_reduction as usize);
    real::netcl_variant_select_reduction(device, outputs, count, options, config)
}

/// Counts, then calls `netcl_variant_select_batchnorm`.
/// # Safety
/// As for `netcl_variant_select_batchnorm`.
pub unsafe fn netcl_variant_select_batchnorm(
    device: *const netcl_device,
    batch: i64,
    channels: i64,
    spatial: i64,
    training: u32,
    activation: u32,
    options: *const netcl_variant_options,
    config: *mut netcl_variant_config,
) -> netcl_status {
    crate::count_call(At::netcl_variant_select_batchnorm as usize);
    real::netcl_variant_select_batchnorm(device, batch, channels, spatial, training, activation, options, config)
}

/// Counts, then calls `netcl_variant_clear_cache`.
/// # Safety
/// As for `netcl_variant_clear_cache`.
pub unsafe fn netcl_variant_clear_cache() -> netcl_status {
    crate::count_call(At::netcl_variant_clear_cache as usize);
    real::netcl_variant_clear_cache()
}

/// Counts, then calls `netcl_op_expression`.
/// # Safety
/// As for `netcl_op_expression`.
pub unsafe fn netcl_op_expression(
    expression: *const netcl_expression,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    options: *const netcl_expression_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_expression as usize);
    real::netcl_op_expression(expression, inputs, inputs_count, options, run, result)
}

/// Counts, then calls `netcl_op_expression_text`.
/// # Safety
/// As for `netcl_op_expression_text`.
pub unsafe fn netcl_op_expression_text(
    text: *const c_char,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    options: *const netcl_expression_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_expression_text as usize);
    real::netcl_op_expression_text(text, inputs, inputs_count, options, run, result)
}

/// Counts, then calls `netcl_op_expressions`.
/// # Safety
/// As for `netcl_op_expressions`.
pub unsafe fn netcl_op_expressions(
    texts: *const *const c_char,
    texts_count: u32,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    options: *const netcl_expressions_options,
    run: *const netcl_run_options,
    results: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_expressions as usize);
    real::netcl_op_expressions(texts, texts_count, inputs, inputs_count, options, run, results)
}

/// Counts, then calls `netcl_elementwise_name`.
/// # Safety
/// As for `netcl_elementwise_name`.
pub unsafe fn netcl_elementwise_name(op: netcl_elementwise) -> *const c_char {
    crate::count_call(At::netcl_elementwise_name as usize);
    real::netcl_elementwise_name(op)
}

/// Counts, then calls `netcl_elementwise_find`.
/// # Safety
/// As for `netcl_elementwise_find`.
pub unsafe fn netcl_elementwise_find(
    name: *const c_char,
    op: *mut netcl_elementwise,
) -> netcl_status {
    crate::count_call(At::netcl_elementwise_find as usize);
    real::netcl_elementwise_find(name, op)
}

/// Counts, then calls `netcl_op_elementwise`.
/// # Safety
/// As for `netcl_op_elementwise`.
pub unsafe fn netcl_op_elementwise(
    op: netcl_elementwise,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    options: *const netcl_elementwise_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_elementwise as usize);
    real::netcl_op_elementwise(op, inputs, inputs_count, options, run, result)
}

/// Counts, then calls `netcl_op_bias_add`.
/// # Safety
/// As for `netcl_op_bias_add`.
pub unsafe fn netcl_op_bias_add(
    x: *mut netcl_tensor,
    bias: *mut netcl_tensor,
    axis: i32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_bias_add as usize);
    real::netcl_op_bias_add(x, bias, axis, run, result)
}

/// Counts, then calls `netcl_op_copy`.
/// # Safety
/// As for `netcl_op_copy`.
pub unsafe fn netcl_op_copy(
    tensor: *mut netcl_tensor,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_copy as usize);
    real::netcl_op_copy(tensor, run, result)
}

/// Counts, then calls `netcl_op_contiguous`.
/// # Safety
/// As for `netcl_op_contiguous`.
pub unsafe fn netcl_op_contiguous(
    tensor: *mut netcl_tensor,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_contiguous as usize);
    real::netcl_op_contiguous(tensor, run, result)
}

/// Counts, then calls `netcl_op_cast`.
/// # Safety
/// As for `netcl_op_cast`.
pub unsafe fn netcl_op_cast(
    tensor: *mut netcl_tensor,
    dtype: netcl_dtype,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_cast as usize);
    real::netcl_op_cast(tensor, dtype, run, result)
}

/// Counts, then calls `netcl_op_fill`.
/// # Safety
/// As for `netcl_op_fill`.
pub unsafe fn netcl_op_fill(
    tensor: *mut netcl_tensor,
    value: *const c_void,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_fill as usize);
    real::netcl_op_fill(tensor, value, run)
}

/// Counts, then calls `netcl_op_range`.
/// # Safety
/// As for `netcl_op_range`.
pub unsafe fn netcl_op_range(
    tensor: *mut netcl_tensor,
    start_value: *const c_void,
    step_value: *const c_void,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_range as usize);
    real::netcl_op_range(tensor, start_value, step_value, run)
}

/// Counts, then calls `netcl_op_eye`.
/// # Safety
/// As for `netcl_op_eye`.
pub unsafe fn netcl_op_eye(
    tensor: *mut netcl_tensor,
    k: i64,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_eye as usize);
    real::netcl_op_eye(tensor, k, run)
}

/// Counts, then calls `netcl_primitive_register`.
/// # Safety
/// As for `netcl_primitive_register`.
pub unsafe fn netcl_primitive_register(
    name: *const c_char,
    options: *const netcl_primitive_options,
) -> netcl_status {
    crate::count_call(At::netcl_primitive_register as usize);
    real::netcl_primitive_register(name, options)
}

/// Counts, then calls `netcl_primitive_register_kernels`.
/// # Safety
/// As for `netcl_primitive_register_kernels`.
pub unsafe fn netcl_primitive_register_kernels(
    name: *const c_char,
    kernels: *const netcl_primitive_kernels,
    options: *const netcl_primitive_options,
) -> netcl_status {
    crate::count_call(At::netcl_primitive_register_kernels as usize);
    real::netcl_primitive_register_kernels(name, kernels, options)
}

/// Counts, then calls `netcl_primitive_register_function`.
/// # Safety
/// As for `netcl_primitive_register_function`.
pub unsafe fn netcl_primitive_register_function(
    name: *const c_char,
    function: netcl_primitive_fn,
    user_data: *mut c_void,
    destroy: netcl_destroy_fn,
    options: *const netcl_primitive_options,
) -> netcl_status {
    crate::count_call(At::netcl_primitive_register_function as usize);
    real::netcl_primitive_register_function(name, function, user_data, destroy, options)
}

/// Counts, then calls `netcl_primitive_unregister`.
/// # Safety
/// As for `netcl_primitive_unregister`.
pub unsafe fn netcl_primitive_unregister(name: *const c_char) -> netcl_status {
    crate::count_call(At::netcl_primitive_unregister as usize);
    real::netcl_primitive_unregister(name)
}

/// Counts, then calls `netcl_op_primitive`.
/// # Safety
/// As for `netcl_op_primitive`.
pub unsafe fn netcl_op_primitive(
    name: *const c_char,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    options: *const netcl_primitive_call_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_primitive as usize);
    real::netcl_op_primitive(name, inputs, inputs_count, options, run, result)
}

/// Counts, then calls `netcl_op_primitive_gradient`.
/// # Safety
/// As for `netcl_op_primitive_gradient`.
pub unsafe fn netcl_op_primitive_gradient(
    name: *const c_char,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    input: u32,
    grad: *mut netcl_tensor,
    out: *mut netcl_tensor,
    options: *const netcl_primitive_call_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_primitive_gradient as usize);
    real::netcl_op_primitive_gradient(name, inputs, inputs_count, input, grad, out, options, run, result)
}

/// Counts, then calls `netcl_op_matmul`.
/// # Safety
/// As for `netcl_op_matmul`.
pub unsafe fn netcl_op_matmul(
    a: *mut netcl_tensor,
    b: *mut netcl_tensor,
    options: *const netcl_matmul_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_matmul as usize);
    real::netcl_op_matmul(a, b, options, run, result)
}

/// Counts, then calls `netcl_op_einsum`.
/// # Safety
/// As for `netcl_op_einsum`.
pub unsafe fn netcl_op_einsum(
    equation: *const c_char,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_einsum as usize);
    real::netcl_op_einsum(equation, inputs, inputs_count, run, result)
}

/// Counts, then calls `netcl_kernel_create_matmul`.
/// # Safety
/// As for `netcl_kernel_create_matmul`.
pub unsafe fn netcl_kernel_create_matmul(
    device: *mut netcl_device,
    name: *const c_char,
    m: i64,
    n: i64,
    k: i64,
    dtype: netcl_dtype,
    config: *const netcl_variant_config,
    global: *mut u64,
    kernel: *mut *mut netcl_kernel,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_create_matmul as usize);
    real::netcl_kernel_create_matmul(device, name, m, n, k, dtype, config, global, kernel)
}

/// Counts, then calls `netcl_op_conv2d`.
/// # Safety
/// As for `netcl_op_conv2d`.
pub unsafe fn netcl_op_conv2d(
    x: *mut netcl_tensor,
    w: *mut netcl_tensor,
    options: *const netcl_conv2d_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_conv2d as usize);
    real::netcl_op_conv2d(x, w, options, run, result)
}

/// Counts, then calls `netcl_op_matmul_quantized`.
/// # Safety
/// As for `netcl_op_matmul_quantized`.
pub unsafe fn netcl_op_matmul_quantized(
    x: *mut netcl_tensor,
    weights: *mut netcl_tensor,
    options: *const netcl_quantized_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_matmul_quantized as usize);
    real::netcl_op_matmul_quantized(x, weights, options, run, result)
}

/// Counts, then calls `netcl_op_dequantize_weights`.
/// # Safety
/// As for `netcl_op_dequantize_weights`.
pub unsafe fn netcl_op_dequantize_weights(
    weights: *mut netcl_tensor,
    options: *const netcl_quantized_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_dequantize_weights as usize);
    real::netcl_op_dequantize_weights(weights, options, run, result)
}

/// Counts, then calls `netcl_op_quantize_weights`.
/// # Safety
/// As for `netcl_op_quantize_weights`.
pub unsafe fn netcl_op_quantize_weights(
    w: *mut netcl_tensor,
    options: *const netcl_quantized_options,
    run: *const netcl_run_options,
    weights: *mut *mut netcl_tensor,
    scales: *mut *mut netcl_tensor,
    zero_points: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_quantize_weights as usize);
    real::netcl_op_quantize_weights(w, options, run, weights, scales, zero_points)
}

/// Counts, then calls `netcl_op_attention`.
/// # Safety
/// As for `netcl_op_attention`.
pub unsafe fn netcl_op_attention(
    q: *mut netcl_tensor,
    k: *mut netcl_tensor,
    v: *mut netcl_tensor,
    options: *const netcl_attention_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
    lse: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_attention as usize);
    real::netcl_op_attention(q, k, v, options, run, result, lse)
}

/// Counts, then calls `netcl_op_rotary_embedding`.
/// # Safety
/// As for `netcl_op_rotary_embedding`.
pub unsafe fn netcl_op_rotary_embedding(
    x: *mut netcl_tensor,
    cos_cache: *mut netcl_tensor,
    sin_cache: *mut netcl_tensor,
    options: *const netcl_rotary_embedding_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_rotary_embedding as usize);
    real::netcl_op_rotary_embedding(x, cos_cache, sin_cache, options, run, result)
}

/// Counts, then calls `netcl_op_reduce`.
/// # Safety
/// As for `netcl_op_reduce`.
pub unsafe fn netcl_op_reduce(
    x: *mut netcl_tensor,
    kind: netcl_reduction,
    options: *const netcl_reduce_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_reduce as usize);
    real::netcl_op_reduce(x, kind, options, run, result)
}

/// Counts, then calls `netcl_op_scan`.
/// # Safety
/// As for `netcl_op_scan`.
pub unsafe fn netcl_op_scan(
    x: *mut netcl_tensor,
    kind: netcl_reduction,
    axis: i32,
    options: *const netcl_scan_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_scan as usize);
    real::netcl_op_scan(x, kind, axis, options, run, result)
}

/// Counts, then calls `netcl_op_histogram`.
/// # Safety
/// As for `netcl_op_histogram`.
pub unsafe fn netcl_op_histogram(
    x: *mut netcl_tensor,
    bins: i64,
    options: *const netcl_histogram_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_histogram as usize);
    real::netcl_op_histogram(x, bins, options, run, result)
}

/// Counts, then calls `netcl_op_topk`.
/// # Safety
/// As for `netcl_op_topk`.
pub unsafe fn netcl_op_topk(
    x: *mut netcl_tensor,
    k: i64,
    axis: i32,
    options: *const netcl_topk_options,
    run: *const netcl_run_options,
    values: *mut *mut netcl_tensor,
    indices: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_topk as usize);
    real::netcl_op_topk(x, k, axis, options, run, values, indices)
}

/// Counts, then calls `netcl_op_softmax`.
/// # Safety
/// As for `netcl_op_softmax`.
pub unsafe fn netcl_op_softmax(
    x: *mut netcl_tensor,
    axis: i32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_softmax as usize);
    real::netcl_op_softmax(x, axis, run, result)
}

/// Counts, then calls `netcl_op_log_softmax`.
/// # Safety
/// As for `netcl_op_log_softmax`.
pub unsafe fn netcl_op_log_softmax(
    x: *mut netcl_tensor,
    axis: i32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_log_softmax as usize);
    real::netcl_op_log_softmax(x, axis, run, result)
}

/// Counts, then calls `netcl_op_layernorm`.
/// # Safety
/// As for `netcl_op_layernorm`.
pub unsafe fn netcl_op_layernorm(
    x: *mut netcl_tensor,
    axis: i32,
    options: *const netcl_norm_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_layernorm as usize);
    real::netcl_op_layernorm(x, axis, options, run, result)
}

/// Counts, then calls `netcl_op_rmsnorm`.
/// # Safety
/// As for `netcl_op_rmsnorm`.
pub unsafe fn netcl_op_rmsnorm(
    x: *mut netcl_tensor,
    axis: i32,
    options: *const netcl_norm_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_rmsnorm as usize);
    real::netcl_op_rmsnorm(x, axis, options, run, result)
}

/// Counts, then calls `netcl_op_batchnorm`.
/// # Safety
/// As for `netcl_op_batchnorm`.
pub unsafe fn netcl_op_batchnorm(
    x: *mut netcl_tensor,
    mean: *mut netcl_tensor,
    variance: *mut netcl_tensor,
    options: *const netcl_batchnorm_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_batchnorm as usize);
    real::netcl_op_batchnorm(x, mean, variance, options, run, result)
}

/// Counts, then calls `netcl_op_pool`.
/// # Safety
/// As for `netcl_op_pool`.
pub unsafe fn netcl_op_pool(
    x: *mut netcl_tensor,
    kind: netcl_pooling,
    options: *const netcl_pooling_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_pool as usize);
    real::netcl_op_pool(x, kind, options, run, result)
}

/// Counts, then calls `netcl_op_max_unpool2d`.
/// # Safety
/// As for `netcl_op_max_unpool2d`.
pub unsafe fn netcl_op_max_unpool2d(
    x: *mut netcl_tensor,
    indices: *mut netcl_tensor,
    height: i64,
    width: i64,
    options: *const netcl_max_unpool2d_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_max_unpool2d as usize);
    real::netcl_op_max_unpool2d(x, indices, height, width, options, run, result)
}

/// Counts, then calls `netcl_op_roi_pool`.
/// # Safety
/// As for `netcl_op_roi_pool`.
pub unsafe fn netcl_op_roi_pool(
    x: *mut netcl_tensor,
    rois: *mut netcl_tensor,
    images: *mut netcl_tensor,
    kind: netcl_roi_pooling,
    options: *const netcl_roi_pool_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_roi_pool as usize);
    real::netcl_op_roi_pool(x, rois, images, kind, options, run, result)
}

/// Counts, then calls `netcl_op_quantize_linear`.
/// # Safety
/// As for `netcl_op_quantize_linear`.
pub unsafe fn netcl_op_quantize_linear(
    x: *mut netcl_tensor,
    scale: *mut netcl_tensor,
    axis: i32,
    options: *const netcl_quantize_linear_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_quantize_linear as usize);
    real::netcl_op_quantize_linear(x, scale, axis, options, run, result)
}

/// Counts, then calls `netcl_op_dequantize_linear`.
/// # Safety
/// As for `netcl_op_dequantize_linear`.
pub unsafe fn netcl_op_dequantize_linear(
    x: *mut netcl_tensor,
    scale: *mut netcl_tensor,
    axis: i32,
    options: *const netcl_dequantize_linear_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_dequantize_linear as usize);
    real::netcl_op_dequantize_linear(x, scale, axis, options, run, result)
}

/// Counts, then calls `netcl_op_dynamic_quantize_linear`.
/// # Safety
/// As for `netcl_op_dynamic_quantize_linear`.
pub unsafe fn netcl_op_dynamic_quantize_linear(
    x: *mut netcl_tensor,
    options: *const netcl_dynamic_quantize_linear_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
    scale: *mut *mut netcl_tensor,
    zero_point: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_dynamic_quantize_linear as usize);
    real::netcl_op_dynamic_quantize_linear(x, options, run, result, scale, zero_point)
}

/// Counts, then calls `netcl_op_qlinear_matmul`.
/// # Safety
/// As for `netcl_op_qlinear_matmul`.
pub unsafe fn netcl_op_qlinear_matmul(
    a: *mut netcl_tensor,
    a_scale: *mut netcl_tensor,
    b: *mut netcl_tensor,
    b_scale: *mut netcl_tensor,
    y_scale: *mut netcl_tensor,
    options: *const netcl_qlinear_matmul_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_qlinear_matmul as usize);
    real::netcl_op_qlinear_matmul(a, a_scale, b, b_scale, y_scale, options, run, result)
}

/// Counts, then calls `netcl_op_conv2d_integer`.
/// # Safety
/// As for `netcl_op_conv2d_integer`.
pub unsafe fn netcl_op_conv2d_integer(
    x: *mut netcl_tensor,
    w: *mut netcl_tensor,
    options: *const netcl_conv2d_integer_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_conv2d_integer as usize);
    real::netcl_op_conv2d_integer(x, w, options, run, result)
}

/// Counts, then calls `netcl_op_qlinear_conv2d`.
/// # Safety
/// As for `netcl_op_qlinear_conv2d`.
pub unsafe fn netcl_op_qlinear_conv2d(
    x: *mut netcl_tensor,
    x_scale: *mut netcl_tensor,
    w: *mut netcl_tensor,
    w_scale: *mut netcl_tensor,
    y_scale: *mut netcl_tensor,
    options: *const netcl_qlinear_conv2d_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_qlinear_conv2d as usize);
    real::netcl_op_qlinear_conv2d(x, x_scale, w, w_scale, y_scale, options, run, result)
}

/// Counts, then calls `netcl_op_cross_entropy`.
/// # Safety
/// As for `netcl_op_cross_entropy`.
pub unsafe fn netcl_op_cross_entropy(
    x: *mut netcl_tensor,
    labels: *mut netcl_tensor,
    axis: i32,
    options: *const netcl_loss_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_cross_entropy as usize);
    real::netcl_op_cross_entropy(x, labels, axis, options, run, result)
}

/// Counts, then calls `netcl_op_nll_loss`.
/// # Safety
/// As for `netcl_op_nll_loss`.
pub unsafe fn netcl_op_nll_loss(
    x: *mut netcl_tensor,
    labels: *mut netcl_tensor,
    axis: i32,
    options: *const netcl_loss_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_nll_loss as usize);
    real::netcl_op_nll_loss(x, labels, axis, options, run, result)
}

/// Counts, then calls `netcl_op_sgd`.
/// # Safety
/// As for `netcl_op_sgd`.
pub unsafe fn netcl_op_sgd(
    parameters: *const *mut netcl_tensor,
    parameters_count: u32,
    gradients: *const *mut netcl_tensor,
    gradients_count: u32,
    learning_rate: f64,
    options: *const netcl_sgd_options,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_sgd as usize);
    real::netcl_op_sgd(parameters, parameters_count, gradients, gradients_count, learning_rate, options, run)
}

/// Counts, then calls `netcl_op_adam`.
/// # Safety
/// As for `netcl_op_adam`.
pub unsafe fn netcl_op_adam(
    parameters: *const *mut netcl_tensor,
    parameters_count: u32,
    gradients: *const *mut netcl_tensor,
    gradients_count: u32,
    averages: *const *mut netcl_tensor,
    averages_count: u32,
    square_averages: *const *mut netcl_tensor,
    square_averages_count: u32,
    step: *mut netcl_tensor,
    learning_rate: f64,
    options: *const netcl_adam_options,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_adam as usize);
    real::netcl_op_adam(parameters, parameters_count, gradients, gradients_count, averages, averages_count, square_averages, square_averages_count, step, learning_rate, options, run)
}

/// Counts, then calls `netcl_op_rmsprop`.
/// # Safety
/// As for `netcl_op_rmsprop`.
pub unsafe fn netcl_op_rmsprop(
    parameters: *const *mut netcl_tensor,
    parameters_count: u32,
    gradients: *const *mut netcl_tensor,
    gradients_count: u32,
    square_averages: *const *mut netcl_tensor,
    square_averages_count: u32,
    learning_rate: f64,
    options: *const netcl_rmsprop_options,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_rmsprop as usize);
    real::netcl_op_rmsprop(parameters, parameters_count, gradients, gradients_count, square_averages, square_averages_count, learning_rate, options, run)
}

/// Counts, then calls `netcl_op_adagrad`.
/// # Safety
/// As for `netcl_op_adagrad`.
pub unsafe fn netcl_op_adagrad(
    parameters: *const *mut netcl_tensor,
    parameters_count: u32,
    gradients: *const *mut netcl_tensor,
    gradients_count: u32,
    sums: *const *mut netcl_tensor,
    sums_count: u32,
    learning_rate: f64,
    options: *const netcl_adagrad_options,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_adagrad as usize);
    real::netcl_op_adagrad(parameters, parameters_count, gradients, gradients_count, sums, sums_count, learning_rate, options, run)
}

/// Counts, then calls `netcl_op_clip_by_norm`.
/// # Safety
/// As for `netcl_op_clip_by_norm`.
pub unsafe fn netcl_op_clip_by_norm(
    tensors: *const *mut netcl_tensor,
    tensors_count: u32,
    max_norm: f64,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_clip_by_norm as usize);
    real::netcl_op_clip_by_norm(tensors, tensors_count, max_norm, run, result)
}

/// Counts, then calls `netcl_op_unscale`.
/// # Safety
/// As for `netcl_op_unscale`.
pub unsafe fn netcl_op_unscale(
    tensors: *const *mut netcl_tensor,
    tensors_count: u32,
    scale: *mut netcl_tensor,
    found_inf: *mut netcl_tensor,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_unscale as usize);
    real::netcl_op_unscale(tensors, tensors_count, scale, found_inf, run)
}

/// Counts, then calls `netcl_op_update_loss_scale`.
/// # Safety
/// As for `netcl_op_update_loss_scale`.
pub unsafe fn netcl_op_update_loss_scale(
    scale: *mut netcl_tensor,
    tracker: *mut netcl_tensor,
    found_inf: *mut netcl_tensor,
    options: *const netcl_loss_scale_options,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_op_update_loss_scale as usize);
    real::netcl_op_update_loss_scale(scale, tracker, found_inf, options, run)
}

/// Counts, then calls `netcl_op_transpose`.
/// # Safety
/// As for `netcl_op_transpose`.
pub unsafe fn netcl_op_transpose(
    x: *mut netcl_tensor,
    axes: *const u32,
    axes_count: u32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_transpose as usize);
    real::netcl_op_transpose(x, axes, axes_count, run, result)
}

/// Counts, then calls `netcl_op_concat`.
/// # Safety
/// As for `netcl_op_concat`.
pub unsafe fn netcl_op_concat(
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    axis: i32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_concat as usize);
    real::netcl_op_concat(inputs, inputs_count, axis, run, result)
}

/// Counts, then calls `netcl_tensor_split`.
/// # Safety
/// As for `netcl_tensor_split`.
pub unsafe fn netcl_tensor_split(
    x: *mut netcl_tensor,
    axis: i32,
    sizes: *const i64,
    sizes_count: u32,
    views: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_tensor_split as usize);
    real::netcl_tensor_split(x, axis, sizes, sizes_count, views)
}

/// Counts, then calls `netcl_op_pad`.
/// # Safety
/// As for `netcl_op_pad`.
pub unsafe fn netcl_op_pad(
    x: *mut netcl_tensor,
    pads: *const i64,
    pads_count: u32,
    options: *const netcl_pad_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_pad as usize);
    real::netcl_op_pad(x, pads, pads_count, options, run, result)
}

/// Counts, then calls `netcl_op_tile`.
/// # Safety
/// As for `netcl_op_tile`.
pub unsafe fn netcl_op_tile(
    x: *mut netcl_tensor,
    repeats: *const i64,
    repeats_count: u32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_tile as usize);
    real::netcl_op_tile(x, repeats, repeats_count, run, result)
}

/// Counts, then calls `netcl_op_trilu`.
/// # Safety
/// As for `netcl_op_trilu`.
pub unsafe fn netcl_op_trilu(
    x: *mut netcl_tensor,
    upper: u32,
    k: i64,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_trilu as usize);
    real::netcl_op_trilu(x, upper, k, run, result)
}

/// Counts, then calls `netcl_op_gather`.
/// # Safety
/// As for `netcl_op_gather`.
pub unsafe fn netcl_op_gather(
    x: *mut netcl_tensor,
    indices: *mut netcl_tensor,
    axis: i32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_gather as usize);
    real::netcl_op_gather(x, indices, axis, run, result)
}

/// Counts, then calls `netcl_op_gather_elements`.
/// # Safety
/// As for `netcl_op_gather_elements`.
pub unsafe fn netcl_op_gather_elements(
    x: *mut netcl_tensor,
    indices: *mut netcl_tensor,
    axis: i32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_gather_elements as usize);
    real::netcl_op_gather_elements(x, indices, axis, run, result)
}

/// Counts, then calls `netcl_op_embedding`.
/// # Safety
/// As for `netcl_op_embedding`.
pub unsafe fn netcl_op_embedding(
    weights: *mut netcl_tensor,
    indices: *mut netcl_tensor,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_embedding as usize);
    real::netcl_op_embedding(weights, indices, run, result)
}

/// Counts, then calls `netcl_op_one_hot`.
/// # Safety
/// As for `netcl_op_one_hot`.
pub unsafe fn netcl_op_one_hot(
    indices: *mut netcl_tensor,
    depth: i64,
    axis: i32,
    dtype: netcl_dtype,
    on_value: *const c_void,
    off_value: *const c_void,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_one_hot as usize);
    real::netcl_op_one_hot(indices, depth, axis, dtype, on_value, off_value, run, result)
}

/// Counts, then calls `netcl_op_scatter`.
/// # Safety
/// As for `netcl_op_scatter`.
pub unsafe fn netcl_op_scatter(
    x: *mut netcl_tensor,
    indices: *mut netcl_tensor,
    updates: *mut netcl_tensor,
    axis: i32,
    options: *const netcl_scatter_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_scatter as usize);
    real::netcl_op_scatter(x, indices, updates, axis, options, run, result)
}

/// Counts, then calls `netcl_op_gather_nd`.
/// # Safety
/// As for `netcl_op_gather_nd`.
pub unsafe fn netcl_op_gather_nd(
    x: *mut netcl_tensor,
    indices: *mut netcl_tensor,
    batch_dims: u32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_gather_nd as usize);
    real::netcl_op_gather_nd(x, indices, batch_dims, run, result)
}

/// Counts, then calls `netcl_op_scatter_nd`.
/// # Safety
/// As for `netcl_op_scatter_nd`.
pub unsafe fn netcl_op_scatter_nd(
    x: *mut netcl_tensor,
    indices: *mut netcl_tensor,
    updates: *mut netcl_tensor,
    batch_dims: u32,
    options: *const netcl_scatter_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_scatter_nd as usize);
    real::netcl_op_scatter_nd(x, indices, updates, batch_dims, options, run, result)
}

/// Counts, then calls `netcl_op_depth_to_space`.
/// # Safety
/// As for `netcl_op_depth_to_space`.
pub unsafe fn netcl_op_depth_to_space(
    x: *mut netcl_tensor,
    block: i64,
    order: netcl_depth_order,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_depth_to_space as usize);
    real::netcl_op_depth_to_space(x, block, order, run, result)
}

/// Counts, then calls `netcl_op_space_to_depth`.
/// # Safety
/// As for `netcl_op_space_to_depth`.
pub unsafe fn netcl_op_space_to_depth(
    x: *mut netcl_tensor,
    block: i64,
    order: netcl_depth_order,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_space_to_depth as usize);
    real::netcl_op_space_to_depth(x, block, order, run, result)
}

/// Counts, then calls `netcl_op_resize`.
/// # Safety
/// As for `netcl_op_resize`.
pub unsafe fn netcl_op_resize(
    x: *mut netcl_tensor,
    rank: u32,
    shape: *const i64,
    options: *const netcl_resize_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_op_resize as usize);
    real::netcl_op_resize(x, rank, shape, options, run, result)
}

/// Counts, then calls `netcl_graph_create`.
/// # Safety
/// As for `netcl_graph_create`.
pub unsafe fn netcl_graph_create(
    device: *mut netcl_device,
    options: *const netcl_graph_options,
    graph: *mut *mut netcl_graph,
) -> netcl_status {
    crate::count_call(At::netcl_graph_create as usize);
    real::netcl_graph_create(device, options, graph)
}

/// Counts, then calls `netcl_graph_retain`.
/// # Safety
/// As for `netcl_graph_retain`.
pub unsafe fn netcl_graph_retain(graph: *mut netcl_graph) -> netcl_status {
    crate::count_call(At::netcl_graph_retain as usize);
    real::netcl_graph_retain(graph)
}

/// Counts, then calls `netcl_graph_release`.
/// # Safety
/// As for `netcl_graph_release`.
pub unsafe fn netcl_graph_release(graph: *mut netcl_graph) {
    crate::count_call(At::netcl_graph_release as usize);
    real::netcl_graph_release(graph)
}

/// Counts, then calls `netcl_graph_clear`.
/// # Safety
/// As for `netcl_graph_clear`.
pub unsafe fn netcl_graph_clear(graph: *mut netcl_graph) -> netcl_status {
    crate::count_call(At::netcl_graph_clear as usize);
    real::netcl_graph_clear(graph)
}

/// Counts, then calls `netcl_graph_create_from_function`.
/// # Safety
/// As for `netcl_graph_create_from_function`.
pub unsafe fn netcl_graph_create_from_function(
    device: *mut netcl_device,
    function: netcl_graph_fn,
    user_data: *mut c_void,
    destroy: netcl_destroy_fn,
    outputs: u32,
    options: *const netcl_graph_function_options,
    graph: *mut *mut netcl_graph,
) -> netcl_status {
    crate::count_call(At::netcl_graph_create_from_function as usize);
    real::netcl_graph_create_from_function(device, function, user_data, destroy, outputs, options, graph)
}

/// Counts, then calls `netcl_graph_get_info`.
/// # Safety
/// As for `netcl_graph_get_info`.
pub unsafe fn netcl_graph_get_info(
    graph: *mut netcl_graph,
    info: *mut netcl_graph_info,
) -> netcl_status {
    crate::count_call(At::netcl_graph_get_info as usize);
    real::netcl_graph_get_info(graph, info)
}

/// Counts, then calls `netcl_graph_add_gradients`.
/// # Safety
/// As for `netcl_graph_add_gradients`.
pub unsafe fn netcl_graph_add_gradients(
    graph: *mut netcl_graph,
    outputs: *const *mut netcl_tensor,
    outputs_count: u32,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    options: *const netcl_gradients_options,
    gradients: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_graph_add_gradients as usize);
    real::netcl_graph_add_gradients(graph, outputs, outputs_count, inputs, inputs_count, options, gradients)
}

/// Counts, then calls `netcl_graph_compile`.
/// # Safety
/// As for `netcl_graph_compile`.
pub unsafe fn netcl_graph_compile(
    graph: *mut netcl_graph,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    outputs: *const *mut netcl_tensor,
    outputs_count: u32,
    options: *const netcl_graph_compile_options,
) -> netcl_status {
    crate::count_call(At::netcl_graph_compile as usize);
    real::netcl_graph_compile(graph, inputs, inputs_count, outputs, outputs_count, options)
}

/// Counts, then calls `netcl_graph_run`.
/// # Safety
/// As for `netcl_graph_run`.
pub unsafe fn netcl_graph_run(
    graph: *mut netcl_graph,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    outputs: *const *mut netcl_tensor,
    outputs_count: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_graph_run as usize);
    real::netcl_graph_run(graph, inputs, inputs_count, outputs, outputs_count, run)
}

/// Counts, then calls `netcl_graph_evaluate`.
/// # Safety
/// As for `netcl_graph_evaluate`.
pub unsafe fn netcl_graph_evaluate(
    graph: *mut netcl_graph,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    run: *const netcl_run_options,
    outputs: *mut *mut netcl_tensor,
    capacity: u32,
    count: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_graph_evaluate as usize);
    real::netcl_graph_evaluate(graph, inputs, inputs_count, run, outputs, capacity, count)
}

/// Counts, then calls `netcl_graph_explain`.
/// # Safety
/// As for `netcl_graph_explain`.
pub unsafe fn netcl_graph_explain(
    graph: *mut netcl_graph,
    format: netcl_graph_format,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_graph_explain as usize);
    real::netcl_graph_explain(graph, format, buffer, capacity, length)
}

/// Counts, then calls `netcl_model_load`.
/// # Safety
/// As for `netcl_model_load`.
pub unsafe fn netcl_model_load(
    device: *mut netcl_device,
    path: *const c_char,
    options: *const netcl_model_options,
    model: *mut *mut netcl_model,
) -> netcl_status {
    crate::count_call(At::netcl_model_load as usize);
    real::netcl_model_load(device, path, options, model)
}

/// Counts, then calls `netcl_model_load_memory`.
/// # Safety
/// As for `netcl_model_load_memory`.
pub unsafe fn netcl_model_load_memory(
    device: *mut netcl_device,
    data: *const c_void,
    data_size: usize,
    options: *const netcl_model_options,
    model: *mut *mut netcl_model,
) -> netcl_status {
    crate::count_call(At::netcl_model_load_memory as usize);
    real::netcl_model_load_memory(device, data, data_size, options, model)
}

/// Counts, then calls `netcl_model_retain`.
/// # Safety
/// As for `netcl_model_retain`.
pub unsafe fn netcl_model_retain(model: *mut netcl_model) -> netcl_status {
    crate::count_call(At::netcl_model_retain as usize);
    real::netcl_model_retain(model)
}

/// Counts, then calls `netcl_model_release`.
/// # Safety
/// As for `netcl_model_release`.
pub unsafe fn netcl_model_release(model: *mut netcl_model) {
    crate::count_call(At::netcl_model_release as usize);
    real::netcl_model_release(model)
}

/// Counts, then calls `netcl_model_get_info`.
/// # Safety
/// As for `netcl_model_get_info`.
pub unsafe fn netcl_model_get_info(
    model: *const netcl_model,
    info: *mut netcl_model_info,
) -> netcl_status {
    crate::count_call(At::netcl_model_get_info as usize);
    real::netcl_model_get_info(model, info)
}

/// Counts, then calls `netcl_model_get_input`.
/// # Safety
/// As for `netcl_model_get_input`.
pub unsafe fn netcl_model_get_input(
    model: *const netcl_model,
    index: u32,
    value: *mut netcl_model_value,
) -> netcl_status {
    crate::count_call(At::netcl_model_get_input as usize);
    real::netcl_model_get_input(model, index, value)
}

/// Counts, then calls `netcl_model_get_output`.
/// # Safety
/// As for `netcl_model_get_output`.
pub unsafe fn netcl_model_get_output(
    model: *const netcl_model,
    index: u32,
    value: *mut netcl_model_value,
) -> netcl_status {
    crate::count_call(At::netcl_model_get_output as usize);
    real::netcl_model_get_output(model, index, value)
}

/// Counts, then calls `netcl_model_find_input`.
/// # Safety
/// As for `netcl_model_find_input`.
pub unsafe fn netcl_model_find_input(
    model: *const netcl_model,
    name: *const c_char,
    index: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_model_find_input as usize);
    real::netcl_model_find_input(model, name, index)
}

/// Counts, then calls `netcl_model_find_output`.
/// # Safety
/// As for `netcl_model_find_output`.
pub unsafe fn netcl_model_find_output(
    model: *const netcl_model,
    name: *const c_char,
    index: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_model_find_output as usize);
    real::netcl_model_find_output(model, name, index)
}

/// Counts, then calls `netcl_model_run`.
/// # Safety
/// As for `netcl_model_run`.
pub unsafe fn netcl_model_run(
    model: *mut netcl_model,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    outputs: *const *mut netcl_tensor,
    outputs_count: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_model_run as usize);
    real::netcl_model_run(model, inputs, inputs_count, outputs, outputs_count, run)
}

/// Counts, then calls `netcl_model_evaluate`.
/// # Safety
/// As for `netcl_model_evaluate`.
pub unsafe fn netcl_model_evaluate(
    model: *mut netcl_model,
    inputs: *const *mut netcl_tensor,
    inputs_count: u32,
    run: *const netcl_run_options,
    outputs: *mut *mut netcl_tensor,
    capacity: u32,
    count: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_model_evaluate as usize);
    real::netcl_model_evaluate(model, inputs, inputs_count, run, outputs, capacity, count)
}

/// Counts, then calls `netcl_model_explain`.
/// # Safety
/// As for `netcl_model_explain`.
pub unsafe fn netcl_model_explain(
    model: *const netcl_model,
    format: netcl_graph_format,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_model_explain as usize);
    real::netcl_model_explain(model, format, buffer, capacity, length)
}

/// Counts, then calls `netcl_model_describe`.
/// # Safety
/// As for `netcl_model_describe`.
pub unsafe fn netcl_model_describe(
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_model_describe as usize);
    real::netcl_model_describe(path, buffer, capacity, length)
}

/// Counts, then calls `netcl_weights_open`.
/// # Safety
/// As for `netcl_weights_open`.
pub unsafe fn netcl_weights_open(
    device: *mut netcl_device,
    path: *const c_char,
    options: *const netcl_weights_options,
    weights: *mut *mut netcl_weights,
) -> netcl_status {
    crate::count_call(At::netcl_weights_open as usize);
    real::netcl_weights_open(device, path, options, weights)
}

/// Counts, then calls `netcl_weights_retain`.
/// # Safety
/// As for `netcl_weights_retain`.
pub unsafe fn netcl_weights_retain(weights: *mut netcl_weights) -> netcl_status {
    crate::count_call(At::netcl_weights_retain as usize);
    real::netcl_weights_retain(weights)
}

/// Counts, then calls `netcl_weights_release`.
/// # Safety
/// As for `netcl_weights_release`.
pub unsafe fn netcl_weights_release(weights: *mut netcl_weights) {
    crate::count_call(At::netcl_weights_release as usize);
    real::netcl_weights_release(weights)
}

/// Counts, then calls `netcl_weights_get_info`.
/// # Safety
/// As for `netcl_weights_get_info`.
pub unsafe fn netcl_weights_get_info(
    weights: *const netcl_weights,
    info: *mut netcl_weights_info,
) -> netcl_status {
    crate::count_call(At::netcl_weights_get_info as usize);
    real::netcl_weights_get_info(weights, info)
}

/// Counts, then calls `netcl_weights_get_entry`.
/// # Safety
/// As for `netcl_weights_get_entry`.
pub unsafe fn netcl_weights_get_entry(
    weights: *const netcl_weights,
    index: u32,
    entry: *mut netcl_weights_entry,
) -> netcl_status {
    crate::count_call(At::netcl_weights_get_entry as usize);
    real::netcl_weights_get_entry(weights, index, entry)
}

/// Counts, then calls `netcl_weights_find`.
/// # Safety
/// As for `netcl_weights_find`.
pub unsafe fn netcl_weights_find(
    weights: *const netcl_weights,
    name: *const c_char,
    index: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_weights_find as usize);
    real::netcl_weights_find(weights, name, index)
}

/// Counts, then calls `netcl_weights_get_tensor`.
/// # Safety
/// As for `netcl_weights_get_tensor`.
pub unsafe fn netcl_weights_get_tensor(
    weights: *const netcl_weights,
    index: u32,
    options: *const netcl_tensor_options,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_weights_get_tensor as usize);
    real::netcl_weights_get_tensor(weights, index, options, tensor)
}

/// Counts, then calls `netcl_weights_get_metadata_key`.
/// # Safety
/// As for `netcl_weights_get_metadata_key`.
pub unsafe fn netcl_weights_get_metadata_key(
    weights: *const netcl_weights,
    index: u32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_weights_get_metadata_key as usize);
    real::netcl_weights_get_metadata_key(weights, index, buffer, capacity, length)
}

/// Counts, then calls `netcl_weights_get_metadata`.
/// # Safety
/// As for `netcl_weights_get_metadata`.
pub unsafe fn netcl_weights_get_metadata(
    weights: *const netcl_weights,
    key: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_weights_get_metadata as usize);
    real::netcl_weights_get_metadata(weights, key, buffer, capacity, length)
}

/// Counts, then calls `netcl_weights_save`.
/// # Safety
/// As for `netcl_weights_save`.
pub unsafe fn netcl_weights_save(
    path: *const c_char,
    format: netcl_weights_format,
    names: *const *const c_char,
    names_count: u32,
    tensors: *const *mut netcl_tensor,
    tensors_count: u32,
    options: *const netcl_weights_save_options,
    timeout_ns: u64,
) -> netcl_status {
    crate::count_call(At::netcl_weights_save as usize);
    real::netcl_weights_save(path, format, names, names_count, tensors, tensors_count, options, timeout_ns)
}

/// Counts, then calls `netcl_group_join`.
/// # Safety
/// As for `netcl_group_join`.
pub unsafe fn netcl_group_join(
    device: *mut netcl_device,
    path: *const c_char,
    index: u32,
    size: u32,
    options: *const netcl_group_options,
    group: *mut *mut netcl_group,
) -> netcl_status {
    crate::count_call(At::netcl_group_join as usize);
    real::netcl_group_join(device, path, index, size, options, group)
}

/// Counts, then calls `netcl_group_create_local`.
/// # Safety
/// As for `netcl_group_create_local`.
pub unsafe fn netcl_group_create_local(
    devices: *const *mut netcl_device,
    devices_count: u32,
    options: *const netcl_group_options,
    groups: *mut *mut netcl_group,
) -> netcl_status {
    crate::count_call(At::netcl_group_create_local as usize);
    real::netcl_group_create_local(devices, devices_count, options, groups)
}

/// Counts, then calls `netcl_group_create_mpi`.
/// # Safety
/// As for `netcl_group_create_mpi`.
pub unsafe fn netcl_group_create_mpi(
    device: *mut netcl_device,
    communicator: i64,
    options: *const netcl_group_options,
    group: *mut *mut netcl_group,
) -> netcl_status {
    crate::count_call(At::netcl_group_create_mpi as usize);
    real::netcl_group_create_mpi(device, communicator, options, group)
}

/// Counts, then calls `netcl_group_split`.
/// # Safety
/// As for `netcl_group_split`.
pub unsafe fn netcl_group_split(
    group: *mut netcl_group,
    colors: *const u32,
    colors_count: u32,
    part: *mut *mut netcl_group,
) -> netcl_status {
    crate::count_call(At::netcl_group_split as usize);
    real::netcl_group_split(group, colors, colors_count, part)
}

/// Counts, then calls `netcl_group_retain`.
/// # Safety
/// As for `netcl_group_retain`.
pub unsafe fn netcl_group_retain(group: *mut netcl_group) -> netcl_status {
    crate::count_call(At::netcl_group_retain as usize);
    real::netcl_group_retain(group)
}

/// Counts, then calls `netcl_group_release`.
/// # Safety
/// As for `netcl_group_release`.
pub unsafe fn netcl_group_release(group: *mut netcl_group) {
    crate::count_call(At::netcl_group_release as usize);
    real::netcl_group_release(group)
}

/// Counts, then calls `netcl_group_get_info`.
/// # Safety
/// As for `netcl_group_get_info`.
pub unsafe fn netcl_group_get_info(
    group: *const netcl_group,
    info: *mut netcl_group_info,
) -> netcl_status {
    crate::count_call(At::netcl_group_get_info as usize);
    real::netcl_group_get_info(group, info)
}

/// Counts, then calls `netcl_group_get_device`.
/// # Safety
/// As for `netcl_group_get_device`.
pub unsafe fn netcl_group_get_device(
    group: *const netcl_group,
    device: *mut *mut netcl_device,
) -> netcl_status {
    crate::count_call(At::netcl_group_get_device as usize);
    real::netcl_group_get_device(group, device)
}

/// Counts, then calls `netcl_group_describe_device`.
/// # Safety
/// As for `netcl_group_describe_device`.
pub unsafe fn netcl_group_describe_device(
    group: *const netcl_group,
    index: u32,
    info: *mut netcl_device_info,
) -> netcl_status {
    crate::count_call(At::netcl_group_describe_device as usize);
    real::netcl_group_describe_device(group, index, info)
}

/// Counts, then calls `netcl_group_get_error`.
/// # Safety
/// As for `netcl_group_get_error`.
pub unsafe fn netcl_group_get_error(
    group: *const netcl_group,
    info: *mut netcl_error_info,
) -> netcl_status {
    crate::count_call(At::netcl_group_get_error as usize);
    real::netcl_group_get_error(group, info)
}

/// Counts, then calls `netcl_group_barrier`.
/// # Safety
/// As for `netcl_group_barrier`.
pub unsafe fn netcl_group_barrier(
    group: *mut netcl_group,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_barrier as usize);
    real::netcl_group_barrier(group, run)
}

/// Counts, then calls `netcl_group_all_reduce`.
/// # Safety
/// As for `netcl_group_all_reduce`.
pub unsafe fn netcl_group_all_reduce(
    group: *mut netcl_group,
    input: *mut netcl_tensor,
    output: *mut netcl_tensor,
    kind: netcl_reduction,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_all_reduce as usize);
    real::netcl_group_all_reduce(group, input, output, kind, run)
}

/// Counts, then calls `netcl_group_reduce`.
/// # Safety
/// As for `netcl_group_reduce`.
pub unsafe fn netcl_group_reduce(
    group: *mut netcl_group,
    input: *mut netcl_tensor,
    output: *mut netcl_tensor,
    kind: netcl_reduction,
    root: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_reduce as usize);
    real::netcl_group_reduce(group, input, output, kind, root, run)
}

/// Counts, then calls `netcl_group_broadcast`.
/// # Safety
/// As for `netcl_group_broadcast`.
pub unsafe fn netcl_group_broadcast(
    group: *mut netcl_group,
    tensor: *mut netcl_tensor,
    root: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_broadcast as usize);
    real::netcl_group_broadcast(group, tensor, root, run)
}

/// Counts, then calls `netcl_group_all_gather`.
/// # Safety
/// As for `netcl_group_all_gather`.
pub unsafe fn netcl_group_all_gather(
    group: *mut netcl_group,
    input: *mut netcl_tensor,
    output: *mut netcl_tensor,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_all_gather as usize);
    real::netcl_group_all_gather(group, input, output, run)
}

/// Counts, then calls `netcl_group_gather`.
/// # Safety
/// As for `netcl_group_gather`.
pub unsafe fn netcl_group_gather(
    group: *mut netcl_group,
    input: *mut netcl_tensor,
    output: *mut netcl_tensor,
    root: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_gather as usize);
    real::netcl_group_gather(group, input, output, root, run)
}

/// Counts, then calls `netcl_group_scatter`.
/// # Safety
/// As for `netcl_group_scatter`.
pub unsafe fn netcl_group_scatter(
    group: *mut netcl_group,
    input: *mut netcl_tensor,
    output: *mut netcl_tensor,
    root: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_scatter as usize);
    real::netcl_group_scatter(group, input, output, root, run)
}

/// Counts, then calls `netcl_group_reduce_scatter`.
/// # Safety
/// As for `netcl_group_reduce_scatter`.
pub unsafe fn netcl_group_reduce_scatter(
    group: *mut netcl_group,
    input: *mut netcl_tensor,
    output: *mut netcl_tensor,
    kind: netcl_reduction,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_reduce_scatter as usize);
    real::netcl_group_reduce_scatter(group, input, output, kind, run)
}

/// Counts, then calls `netcl_group_all_to_all`.
/// # Safety
/// As for `netcl_group_all_to_all`.
pub unsafe fn netcl_group_all_to_all(
    group: *mut netcl_group,
    input: *mut netcl_tensor,
    counts: *const i64,
    counts_count: u32,
    output: *mut netcl_tensor,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_all_to_all as usize);
    real::netcl_group_all_to_all(group, input, counts, counts_count, output, run)
}

/// Counts, then calls `netcl_group_send`.
/// # Safety
/// As for `netcl_group_send`.
pub unsafe fn netcl_group_send(
    group: *mut netcl_group,
    tensor: *mut netcl_tensor,
    peer: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_send as usize);
    real::netcl_group_send(group, tensor, peer, run)
}

/// Counts, then calls `netcl_group_receive`.
/// # Safety
/// As for `netcl_group_receive`.
pub unsafe fn netcl_group_receive(
    group: *mut netcl_group,
    tensor: *mut netcl_tensor,
    peer: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_group_receive as usize);
    real::netcl_group_receive(group, tensor, peer, run)
}

/// Counts, then calls `netcl_reducer_create`.
/// # Safety
/// As for `netcl_reducer_create`.
pub unsafe fn netcl_reducer_create(
    group: *mut netcl_group,
    options: *const netcl_reducer_options,
    reducer: *mut *mut netcl_reducer,
) -> netcl_status {
    crate::count_call(At::netcl_reducer_create as usize);
    real::netcl_reducer_create(group, options, reducer)
}

/// Counts, then calls `netcl_reducer_retain`.
/// # Safety
/// As for `netcl_reducer_retain`.
pub unsafe fn netcl_reducer_retain(reducer: *mut netcl_reducer) -> netcl_status {
    crate::count_call(At::netcl_reducer_retain as usize);
    real::netcl_reducer_retain(reducer)
}

/// Counts, then calls `netcl_reducer_release`.
/// # Safety
/// As for `netcl_reducer_release`.
pub unsafe fn netcl_reducer_release(reducer: *mut netcl_reducer) {
    crate::count_call(At::netcl_reducer_release as usize);
    real::netcl_reducer_release(reducer)
}

/// Counts, then calls `netcl_reducer_get_info`.
/// # Safety
/// As for `netcl_reducer_get_info`.
pub unsafe fn netcl_reducer_get_info(
    reducer: *const netcl_reducer,
    info: *mut netcl_reducer_info,
) -> netcl_status {
    crate::count_call(At::netcl_reducer_get_info as usize);
    real::netcl_reducer_get_info(reducer, info)
}

/// Counts, then calls `netcl_reducer_wait`.
/// # Safety
/// As for `netcl_reducer_wait`.
pub unsafe fn netcl_reducer_wait(reducer: *mut netcl_reducer, timeout_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_reducer_wait as usize);
    real::netcl_reducer_wait(reducer, timeout_ns)
}

/// Counts, then calls `netcl_group_describe_block`.
/// # Safety
/// As for `netcl_group_describe_block`.
pub unsafe fn netcl_group_describe_block(
    group: *const netcl_group,
    index: u32,
    rank: u32,
    shape: *const i64,
    options: *const netcl_sharding_options,
    info: *mut netcl_block_info,
) -> netcl_status {
    crate::count_call(At::netcl_group_describe_block as usize);
    real::netcl_group_describe_block(group, index, rank, shape, options, info)
}

/// Counts, then calls `netcl_sharded_create`.
/// # Safety
/// As for `netcl_sharded_create`.
pub unsafe fn netcl_sharded_create(
    group: *mut netcl_group,
    block: *mut netcl_tensor,
    rank: u32,
    shape: *const i64,
    options: *const netcl_sharding_options,
    sharded: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_create as usize);
    real::netcl_sharded_create(group, block, rank, shape, options, sharded)
}

/// Counts, then calls `netcl_sharded_create_from_root`.
/// # Safety
/// As for `netcl_sharded_create_from_root`.
pub unsafe fn netcl_sharded_create_from_root(
    group: *mut netcl_group,
    whole: *mut netcl_tensor,
    root: u32,
    options: *const netcl_sharding_options,
    run: *const netcl_run_options,
    sharded: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_create_from_root as usize);
    real::netcl_sharded_create_from_root(group, whole, root, options, run, sharded)
}

/// Counts, then calls `netcl_sharded_retain`.
/// # Safety
/// As for `netcl_sharded_retain`.
pub unsafe fn netcl_sharded_retain(sharded: *mut netcl_sharded) -> netcl_status {
    crate::count_call(At::netcl_sharded_retain as usize);
    real::netcl_sharded_retain(sharded)
}

/// Counts, then calls `netcl_sharded_release`.
/// # Safety
/// As for `netcl_sharded_release`.
pub unsafe fn netcl_sharded_release(sharded: *mut netcl_sharded) {
    crate::count_call(At::netcl_sharded_release as usize);
    real::netcl_sharded_release(sharded)
}

/// Counts, then calls `netcl_sharded_get_info`.
/// # Safety
/// As for `netcl_sharded_get_info`.
pub unsafe fn netcl_sharded_get_info(
    sharded: *const netcl_sharded,
    info: *mut netcl_sharded_info,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_get_info as usize);
    real::netcl_sharded_get_info(sharded, info)
}

/// Counts, then calls `netcl_sharded_get_block`.
/// # Safety
/// As for `netcl_sharded_get_block`.
pub unsafe fn netcl_sharded_get_block(
    sharded: *const netcl_sharded,
    block: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_get_block as usize);
    real::netcl_sharded_get_block(sharded, block)
}

/// Counts, then calls `netcl_sharded_explain`.
/// # Safety
/// As for `netcl_sharded_explain`.
pub unsafe fn netcl_sharded_explain(
    sharded: *const netcl_sharded,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_explain as usize);
    real::netcl_sharded_explain(sharded, buffer, capacity, length)
}

/// Counts, then calls `netcl_sharded_redistribute`.
/// # Safety
/// As for `netcl_sharded_redistribute`.
pub unsafe fn netcl_sharded_redistribute(
    x: *mut netcl_sharded,
    options: *const netcl_sharding_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_redistribute as usize);
    real::netcl_sharded_redistribute(x, options, run, result)
}

/// Counts, then calls `netcl_sharded_gather`.
/// # Safety
/// As for `netcl_sharded_gather`.
pub unsafe fn netcl_sharded_gather(
    x: *mut netcl_sharded,
    output: *mut netcl_tensor,
    root: u32,
    run: *const netcl_run_options,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_gather as usize);
    real::netcl_sharded_gather(x, output, root, run)
}

/// Counts, then calls `netcl_sharded_expression_text`.
/// # Safety
/// As for `netcl_sharded_expression_text`.
pub unsafe fn netcl_sharded_expression_text(
    text: *const c_char,
    inputs: *const *mut netcl_sharded,
    inputs_count: u32,
    options: *const netcl_expression_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_expression_text as usize);
    real::netcl_sharded_expression_text(text, inputs, inputs_count, options, run, result)
}

/// Counts, then calls `netcl_sharded_reduce`.
/// # Safety
/// As for `netcl_sharded_reduce`.
pub unsafe fn netcl_sharded_reduce(
    x: *mut netcl_sharded,
    kind: netcl_reduction,
    options: *const netcl_reduce_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_reduce as usize);
    real::netcl_sharded_reduce(x, kind, options, run, result)
}

/// Counts, then calls `netcl_sharded_softmax`.
/// # Safety
/// As for `netcl_sharded_softmax`.
pub unsafe fn netcl_sharded_softmax(
    x: *mut netcl_sharded,
    axis: i32,
    run: *const netcl_run_options,
    result: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_softmax as usize);
    real::netcl_sharded_softmax(x, axis, run, result)
}

/// Counts, then calls `netcl_sharded_layernorm`.
/// # Safety
/// As for `netcl_sharded_layernorm`.
pub unsafe fn netcl_sharded_layernorm(
    x: *mut netcl_sharded,
    axis: i32,
    options: *const netcl_norm_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_layernorm as usize);
    real::netcl_sharded_layernorm(x, axis, options, run, result)
}

/// Counts, then calls `netcl_sharded_rmsnorm`.
/// # Safety
/// As for `netcl_sharded_rmsnorm`.
pub unsafe fn netcl_sharded_rmsnorm(
    x: *mut netcl_sharded,
    axis: i32,
    options: *const netcl_norm_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_rmsnorm as usize);
    real::netcl_sharded_rmsnorm(x, axis, options, run, result)
}

/// Counts, then calls `netcl_sharded_matmul`.
/// # Safety
/// As for `netcl_sharded_matmul`.
pub unsafe fn netcl_sharded_matmul(
    a: *mut netcl_sharded,
    b: *mut netcl_sharded,
    options: *const netcl_matmul_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_sharded,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_matmul as usize);
    real::netcl_sharded_matmul(a, b, options, run, result)
}

/// Counts, then calls `netcl_sharded_exchange_halo`.
/// # Safety
/// As for `netcl_sharded_exchange_halo`.
pub unsafe fn netcl_sharded_exchange_halo(
    x: *mut netcl_sharded,
    pads: *const i64,
    pads_count: u32,
    options: *const netcl_halo_options,
    run: *const netcl_run_options,
    result: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_sharded_exchange_halo as usize);
    real::netcl_sharded_exchange_halo(x, pads, pads_count, options, run, result)
}

/// Counts, then calls `netcl_statistics_compute`.
/// # Safety
/// As for `netcl_statistics_compute`.
pub unsafe fn netcl_statistics_compute(
    samples: *const f64,
    samples_count: u64,
    confidence: f64,
    statistics: *mut netcl_statistics,
) -> netcl_status {
    crate::count_call(At::netcl_statistics_compute as usize);
    real::netcl_statistics_compute(samples, samples_count, confidence, statistics)
}

/// Counts, then calls `netcl_statistics_compare`.
/// # Safety
/// As for `netcl_statistics_compare`.
pub unsafe fn netcl_statistics_compare(
    first: *const f64,
    first_count: u64,
    second: *const f64,
    second_count: u64,
    confidence: f64,
    precision: f64,
    seed: u64,
    comparison: *mut netcl_comparison,
) -> netcl_status {
    crate::count_call(At::netcl_statistics_compare as usize);
    real::netcl_statistics_compare(first, first_count, second, second_count, confidence, precision, seed, comparison)
}

/// Counts, then calls `netcl_measurement_create`.
/// # Safety
/// As for `netcl_measurement_create`.
pub unsafe fn netcl_measurement_create(
    queue: *mut netcl_queue,
    options: *const netcl_measurement_options,
    measurement: *mut *mut netcl_measurement,
) -> netcl_status {
    crate::count_call(At::netcl_measurement_create as usize);
    real::netcl_measurement_create(queue, options, measurement)
}

/// Counts, then calls `netcl_measurement_retain`.
/// # Safety
/// As for `netcl_measurement_retain`.
pub unsafe fn netcl_measurement_retain(measurement: *mut netcl_measurement) -> netcl_status {
    crate::count_call(At::netcl_measurement_retain as usize);
    real::netcl_measurement_retain(measurement)
}

/// Counts, then calls `netcl_measurement_release`.
/// # Safety
/// As for `netcl_measurement_release`.
pub unsafe fn netcl_measurement_release(measurement: *mut netcl_measurement) {
    crate::count_call(At::netcl_measurement_release as usize);
    real::netcl_measurement_release(measurement)
}

/// Counts, then calls `netcl_measurement_next`.
/// # Safety
/// As for `netcl_measurement_next`.
pub unsafe fn netcl_measurement_next(
    measurement: *mut netcl_measurement,
    candidate: *mut u32,
    iterations: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_measurement_next as usize);
    real::netcl_measurement_next(measurement, candidate, iterations)
}

/// Counts, then calls `netcl_measurement_get_statistics`.
/// # Safety
/// As for `netcl_measurement_get_statistics`.
pub unsafe fn netcl_measurement_get_statistics(
    measurement: *const netcl_measurement,
    candidate: u32,
    statistics: *mut netcl_statistics,
) -> netcl_status {
    crate::count_call(At::netcl_measurement_get_statistics as usize);
    real::netcl_measurement_get_statistics(measurement, candidate, statistics)
}

/// Counts, then calls `netcl_measurement_get_samples`.
/// # Safety
/// As for `netcl_measurement_get_samples`.
pub unsafe fn netcl_measurement_get_samples(
    measurement: *const netcl_measurement,
    candidate: u32,
    samples: *mut f64,
    capacity: u64,
    count: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_measurement_get_samples as usize);
    real::netcl_measurement_get_samples(measurement, candidate, samples, capacity, count)
}

/// Counts, then calls `netcl_measurement_compare`.
/// # Safety
/// As for `netcl_measurement_compare`.
pub unsafe fn netcl_measurement_compare(
    measurement: *const netcl_measurement,
    first: u32,
    second: u32,
    comparison: *mut netcl_comparison,
) -> netcl_status {
    crate::count_call(At::netcl_measurement_compare as usize);
    real::netcl_measurement_compare(measurement, first, second, comparison)
}

/// Counts, then calls `netcl_queue_time`.
/// # Safety
/// As for `netcl_queue_time`.
pub unsafe fn netcl_queue_time(
    queue: *mut netcl_queue,
    work: netcl_work_fn,
    user_data: *mut c_void,
    options: *const netcl_measurement_options,
    statistics: *mut netcl_statistics,
) -> netcl_status {
    crate::count_call(At::netcl_queue_time as usize);
    real::netcl_queue_time(queue, work, user_data, options, statistics)
}

/// Counts, then calls `netcl_kernel_time`.
/// # Safety
/// As for `netcl_kernel_time`.
pub unsafe fn netcl_kernel_time(
    kernel: *mut netcl_kernel,
    global: *const u64,
    global_count: u32,
    local: *const u64,
    local_count: u32,
    args: *const netcl_arg,
    args_count: u32,
    launch: *const netcl_launch_options,
    run: *const netcl_run_options,
    options: *const netcl_measurement_options,
    statistics: *mut netcl_statistics,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_time as usize);
    real::netcl_kernel_time(kernel, global, global_count, local, local_count, args, args_count, launch, run, options, statistics)
}

/// Counts, then calls `netcl_timer_create`.
/// # Safety
/// As for `netcl_timer_create`.
pub unsafe fn netcl_timer_create(
    queue: *mut netcl_queue,
    timer: *mut *mut netcl_timer,
) -> netcl_status {
    crate::count_call(At::netcl_timer_create as usize);
    real::netcl_timer_create(queue, timer)
}

/// Counts, then calls `netcl_timer_retain`.
/// # Safety
/// As for `netcl_timer_retain`.
pub unsafe fn netcl_timer_retain(timer: *mut netcl_timer) -> netcl_status {
    crate::count_call(At::netcl_timer_retain as usize);
    real::netcl_timer_retain(timer)
}

/// Counts, then calls `netcl_timer_release`.
/// # Safety
/// As for `netcl_timer_release`.
pub unsafe fn netcl_timer_release(timer: *mut netcl_timer) {
    crate::count_call(At::netcl_timer_release as usize);
    real::netcl_timer_release(timer)
}

/// Counts, then calls `netcl_timer_start`.
/// # Safety
/// As for `netcl_timer_start`.
pub unsafe fn netcl_timer_start(timer: *mut netcl_timer) -> netcl_status {
    crate::count_call(At::netcl_timer_start as usize);
    real::netcl_timer_start(timer)
}

/// Counts, then calls `netcl_timer_stop`.
/// # Safety
/// As for `netcl_timer_stop`.
pub unsafe fn netcl_timer_stop(
    timer: *mut netcl_timer,
    timeout_ns: u64,
    elapsed: *mut netcl_elapsed,
) -> netcl_status {
    crate::count_call(At::netcl_timer_stop as usize);
    real::netcl_timer_stop(timer, timeout_ns, elapsed)
}

/// Counts, then calls `netcl_profile_start`.
/// # Safety
/// As for `netcl_profile_start`.
pub unsafe fn netcl_profile_start(options: *const netcl_profile_options) -> netcl_status {
    crate::count_call(At::netcl_profile_start as usize);
    real::netcl_profile_start(options)
}

/// Counts, then calls `netcl_profile_stop`.
/// # Safety
/// As for `netcl_profile_stop`.
pub unsafe fn netcl_profile_stop(timeout_ns: u64) -> netcl_status {
    crate::count_call(At::netcl_profile_stop as usize);
    real::netcl_profile_stop(timeout_ns)
}

/// Counts, then calls `netcl_profile_reset`.
/// # Safety
/// As for `netcl_profile_reset`.
pub unsafe fn netcl_profile_reset() -> netcl_status {
    crate::count_call(At::netcl_profile_reset as usize);
    real::netcl_profile_reset()
}

/// Counts, then calls `netcl_profile_report`.
/// # Safety
/// As for `netcl_profile_report`.
pub unsafe fn netcl_profile_report(
    format: netcl_format,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_profile_report as usize);
    real::netcl_profile_report(format, buffer, capacity, length)
}

/// Counts, then calls `netcl_region_begin`.
/// # Safety
/// As for `netcl_region_begin`.
pub unsafe fn netcl_region_begin(
    queue: *mut netcl_queue,
    parent: *mut netcl_region,
    name: *const c_char,
    region: *mut *mut netcl_region,
) -> netcl_status {
    crate::count_call(At::netcl_region_begin as usize);
    real::netcl_region_begin(queue, parent, name, region)
}

/// Counts, then calls `netcl_region_end`.
/// # Safety
/// As for `netcl_region_end`.
pub unsafe fn netcl_region_end(region: *mut netcl_region) -> netcl_status {
    crate::count_call(At::netcl_region_end as usize);
    real::netcl_region_end(region)
}

/// Counts, then calls `netcl_region_annotate`.
/// # Safety
/// As for `netcl_region_annotate`.
pub unsafe fn netcl_region_annotate(
    region: *mut netcl_region,
    bytes: f64,
    operations: f64,
) -> netcl_status {
    crate::count_call(At::netcl_region_annotate as usize);
    real::netcl_region_annotate(region, bytes, operations)
}

/// Counts, then calls `netcl_region_retain`.
/// # Safety
/// As for `netcl_region_retain`.
pub unsafe fn netcl_region_retain(region: *mut netcl_region) -> netcl_status {
    crate::count_call(At::netcl_region_retain as usize);
    real::netcl_region_retain(region)
}

/// Counts, then calls `netcl_region_release`.
/// # Safety
/// As for `netcl_region_release`.
pub unsafe fn netcl_region_release(region: *mut netcl_region) {
    crate::count_call(At::netcl_region_release as usize);
    real::netcl_region_release(region)
}

/// Counts, then calls `netcl_region_push`.
/// # Safety
/// As for `netcl_region_push`.
pub unsafe fn netcl_region_push(queue: *mut netcl_queue, name: *const c_char) -> netcl_status {
    crate::count_call(At::netcl_region_push as usize);
    real::netcl_region_push(queue, name)
}

/// Counts, then calls `netcl_region_pop`.
/// # Safety
/// As for `netcl_region_pop`.
pub unsafe fn netcl_region_pop() -> netcl_status {
    crate::count_call(At::netcl_region_pop as usize);
    real::netcl_region_pop()
}

/// Counts, then calls `netcl_roofline_create`.
/// # Safety
/// As for `netcl_roofline_create`.
pub unsafe fn netcl_roofline_create(
    options: *const netcl_roofline_options,
    roofline: *mut *mut netcl_roofline,
) -> netcl_status {
    crate::count_call(At::netcl_roofline_create as usize);
    real::netcl_roofline_create(options, roofline)
}

/// Counts, then calls `netcl_roofline_retain`.
/// # Safety
/// As for `netcl_roofline_retain`.
pub unsafe fn netcl_roofline_retain(roofline: *mut netcl_roofline) -> netcl_status {
    crate::count_call(At::netcl_roofline_retain as usize);
    real::netcl_roofline_retain(roofline)
}

/// Counts, then calls `netcl_roofline_release`.
/// # Safety
/// As for `netcl_roofline_release`.
pub unsafe fn netcl_roofline_release(roofline: *mut netcl_roofline) {
    crate::count_call(At::netcl_roofline_release as usize);
    real::netcl_roofline_release(roofline)
}

/// Counts, then calls `netcl_roofline_analyze_metrics`.
/// # Safety
/// As for `netcl_roofline_analyze_metrics`.
pub unsafe fn netcl_roofline_analyze_metrics(
    roofline: *const netcl_roofline,
    names: *const *const c_char,
    values: *const f64,
    metrics_count: u32,
    result: *mut netcl_roofline_result,
) -> netcl_status {
    crate::count_call(At::netcl_roofline_analyze_metrics as usize);
    real::netcl_roofline_analyze_metrics(roofline, names, values, metrics_count, result)
}

/// Counts, then calls `netcl_roofline_analyze_ncu`.
/// # Safety
/// As for `netcl_roofline_analyze_ncu`.
pub unsafe fn netcl_roofline_analyze_ncu(
    roofline: *const netcl_roofline,
    text: *const c_char,
    text_size: usize,
    options: *const netcl_ncu_options,
    result: *mut netcl_roofline_result,
) -> netcl_status {
    crate::count_call(At::netcl_roofline_analyze_ncu as usize);
    real::netcl_roofline_analyze_ncu(roofline, text, text_size, options, result)
}

/// Counts, then calls `netcl_roofline_should_stop`.
/// # Safety
/// As for `netcl_roofline_should_stop`.
pub unsafe fn netcl_roofline_should_stop(
    roofline: *mut netcl_roofline,
    result: *const netcl_roofline_result,
    stop: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_roofline_should_stop as usize);
    real::netcl_roofline_should_stop(roofline, result, stop)
}

/// Counts, then calls `netcl_roofline_get_reason`.
/// # Safety
/// As for `netcl_roofline_get_reason`.
pub unsafe fn netcl_roofline_get_reason(
    roofline: *const netcl_roofline,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_roofline_get_reason as usize);
    real::netcl_roofline_get_reason(roofline, buffer, capacity, length)
}

/// Counts, then calls `netcl_roofline_reset_history`.
/// # Safety
/// As for `netcl_roofline_reset_history`.
pub unsafe fn netcl_roofline_reset_history(roofline: *mut netcl_roofline) -> netcl_status {
    crate::count_call(At::netcl_roofline_reset_history as usize);
    real::netcl_roofline_reset_history(roofline)
}

/// Counts, then calls `netcl_roofline_format`.
/// # Safety
/// As for `netcl_roofline_format`.
pub unsafe fn netcl_roofline_format(
    result: *const netcl_roofline_result,
    format: netcl_format,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_roofline_format as usize);
    real::netcl_roofline_format(result, format, buffer, capacity, length)
}

/// Counts, then calls `netcl_ceiling_kind_name`.
/// # Safety
/// As for `netcl_ceiling_kind_name`.
pub unsafe fn netcl_ceiling_kind_name(kind: netcl_ceiling_kind) -> *const c_char {
    crate::count_call(At::netcl_ceiling_kind_name as usize);
    real::netcl_ceiling_kind_name(kind)
}

/// Counts, then calls `netcl_ceilings_create`.
/// # Safety
/// As for `netcl_ceilings_create`.
pub unsafe fn netcl_ceilings_create(ceilings: *mut *mut netcl_ceilings) -> netcl_status {
    crate::count_call(At::netcl_ceilings_create as usize);
    real::netcl_ceilings_create(ceilings)
}

/// Counts, then calls `netcl_ceilings_measure`.
/// # Safety
/// As for `netcl_ceilings_measure`.
pub unsafe fn netcl_ceilings_measure(
    device: *mut netcl_device,
    options: *const netcl_ceilings_options,
    ceilings: *mut *mut netcl_ceilings,
) -> netcl_status {
    crate::count_call(At::netcl_ceilings_measure as usize);
    real::netcl_ceilings_measure(device, options, ceilings)
}

/// Counts, then calls `netcl_ceilings_load`.
/// # Safety
/// As for `netcl_ceilings_load`.
pub unsafe fn netcl_ceilings_load(
    path: *const c_char,
    ceilings: *mut *mut netcl_ceilings,
) -> netcl_status {
    crate::count_call(At::netcl_ceilings_load as usize);
    real::netcl_ceilings_load(path, ceilings)
}

/// Counts, then calls `netcl_ceilings_retain`.
/// # Safety
/// As for `netcl_ceilings_retain`.
pub unsafe fn netcl_ceilings_retain(ceilings: *mut netcl_ceilings) -> netcl_status {
    crate::count_call(At::netcl_ceilings_retain as usize);
    real::netcl_ceilings_retain(ceilings)
}

/// Counts, then calls `netcl_ceilings_release`.
/// # Safety
/// As for `netcl_ceilings_release`.
pub unsafe fn netcl_ceilings_release(ceilings: *mut netcl_ceilings) {
    crate::count_call(At::netcl_ceilings_release as usize);
    real::netcl_ceilings_release(ceilings)
}

/// Counts, then calls `netcl_ceilings_get_info`.
/// # Safety
/// As for `netcl_ceilings_get_info`.
pub unsafe fn netcl_ceilings_get_info(
    ceilings: *const netcl_ceilings,
    info: *mut netcl_ceilings_info,
) -> netcl_status {
    crate::count_call(At::netcl_ceilings_get_info as usize);
    real::netcl_ceilings_get_info(ceilings, info)
}

/// Counts, then calls `netcl_ceilings_get`.
/// # Safety
/// As for `netcl_ceilings_get`.
pub unsafe fn netcl_ceilings_get(
    ceilings: *const netcl_ceilings,
    rows: *mut netcl_ceiling,
    capacity: u32,
    count: *mut u32,
) -> netcl_status {
    crate::count_call(At::netcl_ceilings_get as usize);
    real::netcl_ceilings_get(ceilings, rows, capacity, count)
}

/// Counts, then calls `netcl_ceilings_set`.
/// # Safety
/// As for `netcl_ceilings_set`.
pub unsafe fn netcl_ceilings_set(
    ceilings: *mut netcl_ceilings,
    row: *const netcl_ceiling,
) -> netcl_status {
    crate::count_call(At::netcl_ceilings_set as usize);
    real::netcl_ceilings_set(ceilings, row)
}

/// Counts, then calls `netcl_ceilings_save`.
/// # Safety
/// As for `netcl_ceilings_save`.
pub unsafe fn netcl_ceilings_save(
    ceilings: *const netcl_ceilings,
    path: *const c_char,
) -> netcl_status {
    crate::count_call(At::netcl_ceilings_save as usize);
    real::netcl_ceilings_save(ceilings, path)
}

/// Counts, then calls `netcl_roofline_analyze_time`.
/// # Safety
/// As for `netcl_roofline_analyze_time`.
pub unsafe fn netcl_roofline_analyze_time(
    roofline: *const netcl_roofline,
    ceilings: *mut netcl_ceilings,
    time_ns: f64,
    work: *const netcl_work,
    result: *mut netcl_roofline_result,
) -> netcl_status {
    crate::count_call(At::netcl_roofline_analyze_time as usize);
    real::netcl_roofline_analyze_time(roofline, ceilings, time_ns, work, result)
}

/// Counts, then calls `netcl_roofline_analyze_statistics`.
/// # Safety
/// As for `netcl_roofline_analyze_statistics`.
pub unsafe fn netcl_roofline_analyze_statistics(
    roofline: *const netcl_roofline,
    ceilings: *mut netcl_ceilings,
    statistics: *const netcl_statistics,
    result: *mut netcl_roofline_result,
) -> netcl_status {
    crate::count_call(At::netcl_roofline_analyze_statistics as usize);
    real::netcl_roofline_analyze_statistics(roofline, ceilings, statistics, result)
}

/// Counts, then calls `netcl_space_create`.
/// # Safety
/// As for `netcl_space_create`.
pub unsafe fn netcl_space_create(space: *mut *mut netcl_space) -> netcl_status {
    crate::count_call(At::netcl_space_create as usize);
    real::netcl_space_create(space)
}

/// Counts, then calls `netcl_space_create_from_t1`.
/// # Safety
/// As for `netcl_space_create_from_t1`.
pub unsafe fn netcl_space_create_from_t1(
    text: *const c_char,
    text_size: usize,
    space: *mut *mut netcl_space,
) -> netcl_status {
    crate::count_call(At::netcl_space_create_from_t1 as usize);
    real::netcl_space_create_from_t1(text, text_size, space)
}

/// Counts, then calls `netcl_space_retain`.
/// # Safety
/// As for `netcl_space_retain`.
pub unsafe fn netcl_space_retain(space: *mut netcl_space) -> netcl_status {
    crate::count_call(At::netcl_space_retain as usize);
    real::netcl_space_retain(space)
}

/// Counts, then calls `netcl_space_release`.
/// # Safety
/// As for `netcl_space_release`.
pub unsafe fn netcl_space_release(space: *mut netcl_space) {
    crate::count_call(At::netcl_space_release as usize);
    real::netcl_space_release(space)
}

/// Counts, then calls `netcl_space_add_ints`.
/// # Safety
/// As for `netcl_space_add_ints`.
pub unsafe fn netcl_space_add_ints(
    space: *mut netcl_space,
    name: *const c_char,
    values: *const i64,
    values_count: u32,
) -> netcl_status {
    crate::count_call(At::netcl_space_add_ints as usize);
    real::netcl_space_add_ints(space, name, values, values_count)
}

/// Counts, then calls `netcl_space_add_floats`.
/// # Safety
/// As for `netcl_space_add_floats`.
pub unsafe fn netcl_space_add_floats(
    space: *mut netcl_space,
    name: *const c_char,
    values: *const f64,
    values_count: u32,
) -> netcl_status {
    crate::count_call(At::netcl_space_add_floats as usize);
    real::netcl_space_add_floats(space, name, values, values_count)
}

/// Counts, then calls `netcl_space_add_bool`.
/// # Safety
/// As for `netcl_space_add_bool`.
pub unsafe fn netcl_space_add_bool(space: *mut netcl_space, name: *const c_char) -> netcl_status {
    crate::count_call(At::netcl_space_add_bool as usize);
    real::netcl_space_add_bool(space, name)
}

/// Counts, then calls `netcl_space_add_texts`.
/// # Safety
/// As for `netcl_space_add_texts`.
pub unsafe fn netcl_space_add_texts(
    space: *mut netcl_space,
    name: *const c_char,
    values: *const *const c_char,
    values_count: u32,
) -> netcl_status {
    crate::count_call(At::netcl_space_add_texts as usize);
    real::netcl_space_add_texts(space, name, values, values_count)
}

/// Counts, then calls `netcl_space_add_constraint`.
/// # Safety
/// As for `netcl_space_add_constraint`.
pub unsafe fn netcl_space_add_constraint(
    space: *mut netcl_space,
    formula: *const c_char,
) -> netcl_status {
    crate::count_call(At::netcl_space_add_constraint as usize);
    real::netcl_space_add_constraint(space, formula)
}

/// Counts, then calls `netcl_space_set_work_size`.
/// # Safety
/// As for `netcl_space_set_work_size`.
pub unsafe fn netcl_space_set_work_size(
    space: *mut netcl_space,
    global_size: *const c_char,
    local_size: *const c_char,
) -> netcl_status {
    crate::count_call(At::netcl_space_set_work_size as usize);
    real::netcl_space_set_work_size(space, global_size, local_size)
}

/// Counts, then calls `netcl_space_get_count`.
/// # Safety
/// As for `netcl_space_get_count`.
pub unsafe fn netcl_space_get_count(
    space: *const netcl_space,
    capabilities: *const netcl_device_capabilities,
    count: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_space_get_count as usize);
    real::netcl_space_get_count(space, capabilities, count)
}

/// Counts, then calls `netcl_space_get_config`.
/// # Safety
/// As for `netcl_space_get_config`.
pub unsafe fn netcl_space_get_config(
    space: *const netcl_space,
    capabilities: *const netcl_device_capabilities,
    index: u64,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_space_get_config as usize);
    real::netcl_space_get_config(space, capabilities, index, config)
}

/// Counts, then calls `netcl_space_explain`.
/// # Safety
/// As for `netcl_space_explain`.
pub unsafe fn netcl_space_explain(
    space: *const netcl_space,
    capabilities: *const netcl_device_capabilities,
    config: *const netcl_config,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_space_explain as usize);
    real::netcl_space_explain(space, capabilities, config, buffer, capacity, length)
}

/// Counts, then calls `netcl_config_create_from_json`.
/// # Safety
/// As for `netcl_config_create_from_json`.
pub unsafe fn netcl_config_create_from_json(
    text: *const c_char,
    text_size: usize,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_config_create_from_json as usize);
    real::netcl_config_create_from_json(text, text_size, config)
}

/// Counts, then calls `netcl_config_retain`.
/// # Safety
/// As for `netcl_config_retain`.
pub unsafe fn netcl_config_retain(config: *mut netcl_config) -> netcl_status {
    crate::count_call(At::netcl_config_retain as usize);
    real::netcl_config_retain(config)
}

/// Counts, then calls `netcl_config_release`.
/// # Safety
/// As for `netcl_config_release`.
pub unsafe fn netcl_config_release(config: *mut netcl_config) {
    crate::count_call(At::netcl_config_release as usize);
    real::netcl_config_release(config)
}

/// Counts, then calls `netcl_config_get_int`.
/// # Safety
/// As for `netcl_config_get_int`.
pub unsafe fn netcl_config_get_int(
    config: *const netcl_config,
    name: *const c_char,
    value: *mut i64,
) -> netcl_status {
    crate::count_call(At::netcl_config_get_int as usize);
    real::netcl_config_get_int(config, name, value)
}

/// Counts, then calls `netcl_config_get_float`.
/// # Safety
/// As for `netcl_config_get_float`.
pub unsafe fn netcl_config_get_float(
    config: *const netcl_config,
    name: *const c_char,
    value: *mut f64,
) -> netcl_status {
    crate::count_call(At::netcl_config_get_float as usize);
    real::netcl_config_get_float(config, name, value)
}

/// Counts, then calls `netcl_config_get_text`.
/// # Safety
/// As for `netcl_config_get_text`.
pub unsafe fn netcl_config_get_text(
    config: *const netcl_config,
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_config_get_text as usize);
    real::netcl_config_get_text(config, name, buffer, capacity, length)
}

/// Counts, then calls `netcl_config_get_json`.
/// # Safety
/// As for `netcl_config_get_json`.
pub unsafe fn netcl_config_get_json(
    config: *const netcl_config,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_config_get_json as usize);
    real::netcl_config_get_json(config, buffer, capacity, length)
}

/// Counts, then calls `netcl_tuning_database_open`.
/// # Safety
/// As for `netcl_tuning_database_open`.
pub unsafe fn netcl_tuning_database_open(
    path: *const c_char,
    database: *mut *mut netcl_tuning_database,
) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_open as usize);
    real::netcl_tuning_database_open(path, database)
}

/// Counts, then calls `netcl_tuning_database_retain`.
/// # Safety
/// As for `netcl_tuning_database_retain`.
pub unsafe fn netcl_tuning_database_retain(database: *mut netcl_tuning_database) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_retain as usize);
    real::netcl_tuning_database_retain(database)
}

/// Counts, then calls `netcl_tuning_database_release`.
/// # Safety
/// As for `netcl_tuning_database_release`.
pub unsafe fn netcl_tuning_database_release(database: *mut netcl_tuning_database) {
    crate::count_call(At::netcl_tuning_database_release as usize);
    real::netcl_tuning_database_release(database)
}

/// Counts, then calls `netcl_tuning_database_get_info`.
/// # Safety
/// As for `netcl_tuning_database_get_info`.
pub unsafe fn netcl_tuning_database_get_info(
    database: *mut netcl_tuning_database,
    info: *mut netcl_tuning_database_info,
) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_get_info as usize);
    real::netcl_tuning_database_get_info(database, info)
}

/// Counts, then calls `netcl_tuning_database_lookup`.
/// # Safety
/// As for `netcl_tuning_database_lookup`.
pub unsafe fn netcl_tuning_database_lookup(
    database: *mut netcl_tuning_database,
    device: *const netcl_device,
    key: *const netcl_tuning_key,
    record: *mut netcl_tuning_record,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_lookup as usize);
    real::netcl_tuning_database_lookup(database, device, key, record, config)
}

/// Counts, then calls `netcl_tuning_database_put`.
/// # Safety
/// As for `netcl_tuning_database_put`.
pub unsafe fn netcl_tuning_database_put(
    database: *mut netcl_tuning_database,
    device: *const netcl_device,
    key: *const netcl_tuning_key,
    config: *const netcl_config,
    record: *const netcl_tuning_record,
) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_put as usize);
    real::netcl_tuning_database_put(database, device, key, config, record)
}

/// Counts, then calls `netcl_tuning_database_refresh`.
/// # Safety
/// As for `netcl_tuning_database_refresh`.
pub unsafe fn netcl_tuning_database_refresh(database: *mut netcl_tuning_database) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_refresh as usize);
    real::netcl_tuning_database_refresh(database)
}

/// Counts, then calls `netcl_tuning_database_get_record`.
/// # Safety
/// As for `netcl_tuning_database_get_record`.
pub unsafe fn netcl_tuning_database_get_record(
    database: *mut netcl_tuning_database,
    index: u64,
    record: *mut netcl_tuning_record,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_get_record as usize);
    real::netcl_tuning_database_get_record(database, index, record, config)
}

/// Counts, then calls `netcl_tuning_database_merge`.
/// # Safety
/// As for `netcl_tuning_database_merge`.
pub unsafe fn netcl_tuning_database_merge(
    database: *mut netcl_tuning_database,
    path: *const c_char,
    count: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_merge as usize);
    real::netcl_tuning_database_merge(database, path, count)
}

/// Counts, then calls `netcl_tuning_database_compact`.
/// # Safety
/// As for `netcl_tuning_database_compact`.
pub unsafe fn netcl_tuning_database_compact(database: *mut netcl_tuning_database) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_compact as usize);
    real::netcl_tuning_database_compact(database)
}

/// Counts, then calls `netcl_tuning_database_clear`.
/// # Safety
/// As for `netcl_tuning_database_clear`.
pub unsafe fn netcl_tuning_database_clear(
    database: *mut netcl_tuning_database,
    kernel: *const c_char,
) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_clear as usize);
    real::netcl_tuning_database_clear(database, kernel)
}

/// Counts, then calls `netcl_tuning_database_export`.
/// # Safety
/// As for `netcl_tuning_database_export`.
pub unsafe fn netcl_tuning_database_export(
    database: *mut netcl_tuning_database,
    kernel: *const c_char,
    format: netcl_format,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_tuning_database_export as usize);
    real::netcl_tuning_database_export(database, kernel, format, buffer, capacity, length)
}

/// Counts, then calls `netcl_device_get_part`.
/// # Safety
/// As for `netcl_device_get_part`.
pub unsafe fn netcl_device_get_part(
    device: *const netcl_device,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_device_get_part as usize);
    real::netcl_device_get_part(device, buffer, capacity, length)
}

/// Counts, then calls `netcl_device_match_record`.
/// # Safety
/// As for `netcl_device_match_record`.
pub unsafe fn netcl_device_match_record(
    device: *const netcl_device,
    record: *const netcl_tuning_record,
    match_: *mut netcl_match,
) -> netcl_status {
    crate::count_call(At::netcl_device_match_record as usize);
    real::netcl_device_match_record(device, record, match_)
}

/// Counts, then calls `netcl_benchmark_create`.
/// # Safety
/// As for `netcl_benchmark_create`.
pub unsafe fn netcl_benchmark_create(
    device: *mut netcl_device,
    options: *const netcl_benchmark_options,
    benchmark: *mut *mut netcl_benchmark,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_create as usize);
    real::netcl_benchmark_create(device, options, benchmark)
}

/// Counts, then calls `netcl_benchmark_retain`.
/// # Safety
/// As for `netcl_benchmark_retain`.
pub unsafe fn netcl_benchmark_retain(benchmark: *mut netcl_benchmark) -> netcl_status {
    crate::count_call(At::netcl_benchmark_retain as usize);
    real::netcl_benchmark_retain(benchmark)
}

/// Counts, then calls `netcl_benchmark_release`.
/// # Safety
/// As for `netcl_benchmark_release`.
pub unsafe fn netcl_benchmark_release(benchmark: *mut netcl_benchmark) {
    crate::count_call(At::netcl_benchmark_release as usize);
    real::netcl_benchmark_release(benchmark)
}

/// Counts, then calls `netcl_benchmark_add_tensor`.
/// # Safety
/// As for `netcl_benchmark_add_tensor`.
pub unsafe fn netcl_benchmark_add_tensor(
    benchmark: *mut netcl_benchmark,
    tensor: *const netcl_benchmark_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_add_tensor as usize);
    real::netcl_benchmark_add_tensor(benchmark, tensor)
}

/// Counts, then calls `netcl_benchmark_add_scalar`.
/// # Safety
/// As for `netcl_benchmark_add_scalar`.
pub unsafe fn netcl_benchmark_add_scalar(
    benchmark: *mut netcl_benchmark,
    data: *const c_void,
    data_size: usize,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_add_scalar as usize);
    real::netcl_benchmark_add_scalar(benchmark, data, data_size)
}

/// Counts, then calls `netcl_benchmark_add_local`.
/// # Safety
/// As for `netcl_benchmark_add_local`.
pub unsafe fn netcl_benchmark_add_local(
    benchmark: *mut netcl_benchmark,
    bytes: u64,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_add_local as usize);
    real::netcl_benchmark_add_local(benchmark, bytes)
}

/// Counts, then calls `netcl_benchmark_get_tensor`.
/// # Safety
/// As for `netcl_benchmark_get_tensor`.
pub unsafe fn netcl_benchmark_get_tensor(
    benchmark: *mut netcl_benchmark,
    index: u32,
    tensor: *mut *mut netcl_tensor,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_get_tensor as usize);
    real::netcl_benchmark_get_tensor(benchmark, index, tensor)
}

/// Counts, then calls `netcl_benchmark_prepare`.
/// # Safety
/// As for `netcl_benchmark_prepare`.
pub unsafe fn netcl_benchmark_prepare(benchmark: *mut netcl_benchmark, round: u32) -> netcl_status {
    crate::count_call(At::netcl_benchmark_prepare as usize);
    real::netcl_benchmark_prepare(benchmark, round)
}

/// Counts, then calls `netcl_benchmark_keep`.
/// # Safety
/// As for `netcl_benchmark_keep`.
pub unsafe fn netcl_benchmark_keep(benchmark: *mut netcl_benchmark, round: u32) -> netcl_status {
    crate::count_call(At::netcl_benchmark_keep as usize);
    real::netcl_benchmark_keep(benchmark, round)
}

/// Counts, then calls `netcl_benchmark_time_baseline`.
/// # Safety
/// As for `netcl_benchmark_time_baseline`.
pub unsafe fn netcl_benchmark_time_baseline(
    benchmark: *mut netcl_benchmark,
    work: netcl_work_fn,
    user_data: *mut c_void,
    options: *const netcl_measurement_options,
    statistics: *mut netcl_statistics,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_time_baseline as usize);
    real::netcl_benchmark_time_baseline(benchmark, work, user_data, options, statistics)
}

/// Counts, then calls `netcl_benchmark_time_kernel`.
/// # Safety
/// As for `netcl_benchmark_time_kernel`.
pub unsafe fn netcl_benchmark_time_kernel(
    benchmark: *mut netcl_benchmark,
    kernel: *mut netcl_kernel,
    global: *const u64,
    global_count: u32,
    local: *const u64,
    local_count: u32,
    options: *const netcl_measurement_options,
    statistics: *mut netcl_statistics,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_time_kernel as usize);
    real::netcl_benchmark_time_kernel(benchmark, kernel, global, global_count, local, local_count, options, statistics)
}

/// Counts, then calls `netcl_benchmark_set_baseline`.
/// # Safety
/// As for `netcl_benchmark_set_baseline`.
pub unsafe fn netcl_benchmark_set_baseline(
    benchmark: *mut netcl_benchmark,
    statistics: *const netcl_statistics,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_set_baseline as usize);
    real::netcl_benchmark_set_baseline(benchmark, statistics)
}

/// Counts, then calls `netcl_benchmark_run`.
/// # Safety
/// As for `netcl_benchmark_run`.
pub unsafe fn netcl_benchmark_run(
    benchmark: *mut netcl_benchmark,
    candidate: *const netcl_benchmark_candidate,
    options: *const netcl_measurement_options,
    result: *mut netcl_benchmark_result,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_run as usize);
    real::netcl_benchmark_run(benchmark, candidate, options, result)
}

/// Counts, then calls `netcl_benchmark_get_build_log`.
/// # Safety
/// As for `netcl_benchmark_get_build_log`.
pub unsafe fn netcl_benchmark_get_build_log(
    benchmark: *const netcl_benchmark,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_get_build_log as usize);
    real::netcl_benchmark_get_build_log(benchmark, buffer, capacity, length)
}

/// Counts, then calls `netcl_benchmark_get_json`.
/// # Safety
/// As for `netcl_benchmark_get_json`.
pub unsafe fn netcl_benchmark_get_json(
    benchmark: *const netcl_benchmark,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_benchmark_get_json as usize);
    real::netcl_benchmark_get_json(benchmark, buffer, capacity, length)
}

/// Counts, then calls `netcl_search_create`.
/// # Safety
/// As for `netcl_search_create`.
pub unsafe fn netcl_search_create(
    space: *const netcl_space,
    capabilities: *const netcl_device_capabilities,
    standard: *const netcl_config,
    options: *const netcl_search_options,
    search: *mut *mut netcl_search,
) -> netcl_status {
    crate::count_call(At::netcl_search_create as usize);
    real::netcl_search_create(space, capabilities, standard, options, search)
}

/// Counts, then calls `netcl_search_retain`.
/// # Safety
/// As for `netcl_search_retain`.
pub unsafe fn netcl_search_retain(search: *mut netcl_search) -> netcl_status {
    crate::count_call(At::netcl_search_retain as usize);
    real::netcl_search_retain(search)
}

/// Counts, then calls `netcl_search_release`.
/// # Safety
/// As for `netcl_search_release`.
pub unsafe fn netcl_search_release(search: *mut netcl_search) {
    crate::count_call(At::netcl_search_release as usize);
    real::netcl_search_release(search)
}

/// Counts, then calls `netcl_search_ask`.
/// # Safety
/// As for `netcl_search_ask`.
pub unsafe fn netcl_search_ask(
    search: *mut netcl_search,
    candidate: *mut u32,
    samples: *mut u64,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_search_ask as usize);
    real::netcl_search_ask(search, candidate, samples, config)
}

/// Counts, then calls `netcl_search_tell`.
/// # Safety
/// As for `netcl_search_tell`.
pub unsafe fn netcl_search_tell(
    search: *mut netcl_search,
    candidate: u32,
    samples: *const f64,
    samples_count: u64,
) -> netcl_status {
    crate::count_call(At::netcl_search_tell as usize);
    real::netcl_search_tell(search, candidate, samples, samples_count)
}

/// Counts, then calls `netcl_search_tell_failure`.
/// # Safety
/// As for `netcl_search_tell_failure`.
pub unsafe fn netcl_search_tell_failure(
    search: *mut netcl_search,
    candidate: u32,
    outcome: netcl_outcome,
    message: *const c_char,
) -> netcl_status {
    crate::count_call(At::netcl_search_tell_failure as usize);
    real::netcl_search_tell_failure(search, candidate, outcome, message)
}

/// Counts, then calls `netcl_search_cancel`.
/// # Safety
/// As for `netcl_search_cancel`.
pub unsafe fn netcl_search_cancel(search: *mut netcl_search) -> netcl_status {
    crate::count_call(At::netcl_search_cancel as usize);
    real::netcl_search_cancel(search)
}

/// Counts, then calls `netcl_search_read_event`.
/// # Safety
/// As for `netcl_search_read_event`.
pub unsafe fn netcl_search_read_event(
    search: *mut netcl_search,
    after: u64,
    timeout_ns: u64,
    event: *mut netcl_search_event,
) -> netcl_status {
    crate::count_call(At::netcl_search_read_event as usize);
    real::netcl_search_read_event(search, after, timeout_ns, event)
}

/// Counts, then calls `netcl_search_get_result`.
/// # Safety
/// As for `netcl_search_get_result`.
pub unsafe fn netcl_search_get_result(
    search: *mut netcl_search,
    result: *mut netcl_search_result,
) -> netcl_status {
    crate::count_call(At::netcl_search_get_result as usize);
    real::netcl_search_get_result(search, result)
}

/// Counts, then calls `netcl_search_get_best`.
/// # Safety
/// As for `netcl_search_get_best`.
pub unsafe fn netcl_search_get_best(
    search: *mut netcl_search,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_search_get_best as usize);
    real::netcl_search_get_best(search, config)
}

/// Counts, then calls `netcl_search_get_candidate`.
/// # Safety
/// As for `netcl_search_get_candidate`.
pub unsafe fn netcl_search_get_candidate(
    search: *mut netcl_search,
    index: u32,
    info: *mut netcl_search_candidate,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_search_get_candidate as usize);
    real::netcl_search_get_candidate(search, index, info, config)
}

/// Counts, then calls `netcl_search_get_samples`.
/// # Safety
/// As for `netcl_search_get_samples`.
pub unsafe fn netcl_search_get_samples(
    search: *mut netcl_search,
    index: u32,
    samples: *mut f64,
    capacity: u64,
    count: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_search_get_samples as usize);
    real::netcl_search_get_samples(search, index, samples, capacity, count)
}

/// Counts, then calls `netcl_search_get_failure`.
/// # Safety
/// As for `netcl_search_get_failure`.
pub unsafe fn netcl_search_get_failure(
    search: *mut netcl_search,
    outcome: netcl_outcome,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> netcl_status {
    crate::count_call(At::netcl_search_get_failure as usize);
    real::netcl_search_get_failure(search, outcome, buffer, capacity, length)
}

/// Counts, then calls `netcl_search_replay`.
/// # Safety
/// As for `netcl_search_replay`.
pub unsafe fn netcl_search_replay(
    text: *const c_char,
    text_size: usize,
    options: *const netcl_search_options,
    result: *mut netcl_replay_result,
) -> netcl_status {
    crate::count_call(At::netcl_search_replay as usize);
    real::netcl_search_replay(text, text_size, options, result)
}

/// Counts, then calls `netcl_search_store`.
/// # Safety
/// As for `netcl_search_store`.
pub unsafe fn netcl_search_store(
    search: *mut netcl_search,
    database: *mut netcl_tuning_database,
    device: *const netcl_device,
    key: *const netcl_tuning_key,
) -> netcl_status {
    crate::count_call(At::netcl_search_store as usize);
    real::netcl_search_store(search, database, device, key)
}

/// Counts, then calls `netcl_search_resume`.
/// # Safety
/// As for `netcl_search_resume`.
pub unsafe fn netcl_search_resume(
    search: *mut netcl_search,
    database: *mut netcl_tuning_database,
    device: *const netcl_device,
    key: *const netcl_tuning_key,
    count: *mut u64,
) -> netcl_status {
    crate::count_call(At::netcl_search_resume as usize);
    real::netcl_search_resume(search, database, device, key, count)
}

/// Counts, then calls `netcl_tuner_create`.
/// # Safety
/// As for `netcl_tuner_create`.
pub unsafe fn netcl_tuner_create(
    device: *mut netcl_device,
    options: *const netcl_tuner_options,
    tuner: *mut *mut netcl_tuner,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_create as usize);
    real::netcl_tuner_create(device, options, tuner)
}

/// Counts, then calls `netcl_tuner_retain`.
/// # Safety
/// As for `netcl_tuner_retain`.
pub unsafe fn netcl_tuner_retain(tuner: *mut netcl_tuner) -> netcl_status {
    crate::count_call(At::netcl_tuner_retain as usize);
    real::netcl_tuner_retain(tuner)
}

/// Counts, then calls `netcl_tuner_release`.
/// # Safety
/// As for `netcl_tuner_release`.
pub unsafe fn netcl_tuner_release(tuner: *mut netcl_tuner) {
    crate::count_call(At::netcl_tuner_release as usize);
    real::netcl_tuner_release(tuner)
}

/// Counts, then calls `netcl_tuner_add`.
/// # Safety
/// As for `netcl_tuner_add`.
pub unsafe fn netcl_tuner_add(
    tuner: *mut netcl_tuner,
    kernel: *mut netcl_kernel,
    global: *const u64,
    global_count: u32,
    args: *const netcl_arg,
    args_count: u32,
    tuning: *const netcl_kernel_tuning,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_add as usize);
    real::netcl_tuner_add(tuner, kernel, global, global_count, args, args_count, tuning)
}

/// Counts, then calls `netcl_tuner_add_matmul`.
/// # Safety
/// As for `netcl_tuner_add_matmul`.
pub unsafe fn netcl_tuner_add_matmul(
    tuner: *mut netcl_tuner,
    batch: i64,
    m: i64,
    n: i64,
    k: i64,
    dtype: netcl_dtype,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_add_matmul as usize);
    real::netcl_tuner_add_matmul(tuner, batch, m, n, k, dtype)
}

/// Counts, then calls `netcl_tuner_add_conv2d`.
/// # Safety
/// As for `netcl_tuner_add_conv2d`.
pub unsafe fn netcl_tuner_add_conv2d(
    tuner: *mut netcl_tuner,
    shape: *const netcl_conv2d_shape,
    dtype: netcl_dtype,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_add_conv2d as usize);
    real::netcl_tuner_add_conv2d(tuner, shape, dtype)
}

/// Counts, then calls `netcl_tuner_add_reduction`.
/// # Safety
/// As for `netcl_tuner_add_reduction`.
pub unsafe fn netcl_tuner_add_reduction(
    tuner: *mut netcl_tuner,
    outputs: i64,
    count: i64,
    dtype: netcl_dtype,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_add_reduction as usize);
    real::netcl_tuner_add_reduction(tuner, outputs, count, dtype)
}

/// Counts, then calls `netcl_tuner_run`.
/// # Safety
/// As for `netcl_tuner_run`.
pub unsafe fn netcl_tuner_run(tuner: *mut netcl_tuner) -> netcl_status {
    crate::count_call(At::netcl_tuner_run as usize);
    real::netcl_tuner_run(tuner)
}

/// Counts, then calls `netcl_tuner_cancel`.
/// # Safety
/// As for `netcl_tuner_cancel`.
pub unsafe fn netcl_tuner_cancel(tuner: *mut netcl_tuner) -> netcl_status {
    crate::count_call(At::netcl_tuner_cancel as usize);
    real::netcl_tuner_cancel(tuner)
}

/// Counts, then calls `netcl_tuner_read_event`.
/// # Safety
/// As for `netcl_tuner_read_event`.
pub unsafe fn netcl_tuner_read_event(
    tuner: *mut netcl_tuner,
    after: u64,
    timeout_ns: u64,
    event: *mut netcl_search_event,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_read_event as usize);
    real::netcl_tuner_read_event(tuner, after, timeout_ns, event)
}

/// Counts, then calls `netcl_tuner_get_count`.
/// # Safety
/// As for `netcl_tuner_get_count`.
pub unsafe fn netcl_tuner_get_count(tuner: *mut netcl_tuner, count: *mut u32) -> netcl_status {
    crate::count_call(At::netcl_tuner_get_count as usize);
    real::netcl_tuner_get_count(tuner, count)
}

/// Counts, then calls `netcl_tuner_get_result`.
/// # Safety
/// As for `netcl_tuner_get_result`.
pub unsafe fn netcl_tuner_get_result(
    tuner: *mut netcl_tuner,
    index: u32,
    result: *mut netcl_tuner_result,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_get_result as usize);
    real::netcl_tuner_get_result(tuner, index, result, config)
}

/// Counts, then calls `netcl_tuner_get_search`.
/// # Safety
/// As for `netcl_tuner_get_search`.
pub unsafe fn netcl_tuner_get_search(
    tuner: *mut netcl_tuner,
    index: u32,
    search: *mut *mut netcl_search,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_get_search as usize);
    real::netcl_tuner_get_search(tuner, index, search)
}

/// Counts, then calls `netcl_tuner_lookup`.
/// # Safety
/// As for `netcl_tuner_lookup`.
pub unsafe fn netcl_tuner_lookup(
    tuner: *mut netcl_tuner,
    name: *const c_char,
    global: *const u64,
    global_count: u32,
    match_: *mut netcl_match,
    config: *mut *mut netcl_config,
) -> netcl_status {
    crate::count_call(At::netcl_tuner_lookup as usize);
    real::netcl_tuner_lookup(tuner, name, global, global_count, match_, config)
}

/// Counts, then calls `netcl_tuner_save`.
/// # Safety
/// As for `netcl_tuner_save`.
pub unsafe fn netcl_tuner_save(tuner: *mut netcl_tuner, path: *const c_char) -> netcl_status {
    crate::count_call(At::netcl_tuner_save as usize);
    real::netcl_tuner_save(tuner, path)
}

/// Counts, then calls `netcl_tuner_load`.
/// # Safety
/// As for `netcl_tuner_load`.
pub unsafe fn netcl_tuner_load(tuner: *mut netcl_tuner, path: *const c_char) -> netcl_status {
    crate::count_call(At::netcl_tuner_load as usize);
    real::netcl_tuner_load(tuner, path)
}

/// Counts, then calls `netcl_tuner_clear`.
/// # Safety
/// As for `netcl_tuner_clear`.
pub unsafe fn netcl_tuner_clear(tuner: *mut netcl_tuner) -> netcl_status {
    crate::count_call(At::netcl_tuner_clear as usize);
    real::netcl_tuner_clear(tuner)
}

/// Counts, then calls `netcl_kernel_autotune`.
/// # Safety
/// As for `netcl_kernel_autotune`.
pub unsafe fn netcl_kernel_autotune(
    kernel: *mut netcl_kernel,
    global: *const u64,
    global_count: u32,
    args: *const netcl_arg,
    args_count: u32,
    tuning: *const netcl_kernel_tuning,
    options: *const netcl_tuner_options,
    config: *mut *mut netcl_config,
    search: *mut *mut netcl_search,
) -> netcl_status {
    crate::count_call(At::netcl_kernel_autotune as usize);
    real::netcl_kernel_autotune(kernel, global, global_count, args, args_count, tuning, options, config, search)
}
