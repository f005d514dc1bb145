/* Written by bindings/generator/generate.py from tests/abi/netcl.json. */
#ifndef NETCL_FIRST_SIZES_H
#define NETCL_FIRST_SIZES_H

/* Bytes of each struct at its first release. */
#define FIRST_SIZE_netcl_error_info 1040
#define FIRST_SIZE_netcl_library_info 216
#define FIRST_SIZE_netcl_log_record 528
#define FIRST_SIZE_netcl_device_info 816
#define FIRST_SIZE_netcl_device_capabilities 152
#define FIRST_SIZE_netcl_device_options 16
#define FIRST_SIZE_netcl_queue_options 16
#define FIRST_SIZE_netcl_queue_info 32
#define FIRST_SIZE_netcl_event_timing 40
#define FIRST_SIZE_netcl_pool_options 32
#define FIRST_SIZE_netcl_pool_info 88
#define FIRST_SIZE_netcl_pool_bucket 40
#define FIRST_SIZE_netcl_buffer_info 40
#define FIRST_SIZE_netcl_run_options 48
#define FIRST_SIZE_netcl_tensor_options 48
#define FIRST_SIZE_netcl_transfer_options 48
#define FIRST_SIZE_netcl_random_options 64
#define FIRST_SIZE_netcl_tensor_info 184
#define FIRST_SIZE_netcl_range 24
#define FIRST_SIZE_netcl_kernel_options 144
#define FIRST_SIZE_netcl_arg 64
#define FIRST_SIZE_netcl_work 48
#define FIRST_SIZE_netcl_launch_options 40
#define FIRST_SIZE_netcl_kernel_info 208
#define FIRST_SIZE_netcl_kernel_arg_info 152
#define FIRST_SIZE_netcl_program_cache_info 328
#define FIRST_SIZE_netcl_program_cache_entry 584
#define FIRST_SIZE_netcl_variant_options 32
#define FIRST_SIZE_netcl_variant_config 392
#define FIRST_SIZE_netcl_conv2d_shape 136
#define FIRST_SIZE_netcl_expression_options 16
#define FIRST_SIZE_netcl_elementwise_options 40
#define FIRST_SIZE_netcl_epilogue 48
#define FIRST_SIZE_netcl_matmul_options 48
#define FIRST_SIZE_netcl_conv2d_batchnorm 48
#define FIRST_SIZE_netcl_conv2d_options 104
#define FIRST_SIZE_netcl_reduce_options 40
#define FIRST_SIZE_netcl_scan_options 16
#define FIRST_SIZE_netcl_histogram_options 24
#define FIRST_SIZE_netcl_topk_options 24
#define FIRST_SIZE_netcl_norm_options 32
#define FIRST_SIZE_netcl_batchnorm_options 72
#define FIRST_SIZE_netcl_pool2d_options 96
#define FIRST_SIZE_netcl_pad_options 24
#define FIRST_SIZE_netcl_scatter_options 16
#define FIRST_SIZE_netcl_resize_options 16
#define FIRST_SIZE_netcl_measurement_options 104
#define FIRST_SIZE_netcl_statistics 160
#define FIRST_SIZE_netcl_comparison 40
#define FIRST_SIZE_netcl_elapsed 40
#define FIRST_SIZE_netcl_profile_options 24
#define FIRST_SIZE_netcl_roofline_options 48
#define FIRST_SIZE_netcl_roofline_result 632
#define FIRST_SIZE_netcl_ncu_options 24
#define FIRST_SIZE_netcl_ceiling 40
#define FIRST_SIZE_netcl_ceilings_options 24
#define FIRST_SIZE_netcl_ceilings_info 416
#define FIRST_SIZE_netcl_tuning_key 264
#define FIRST_SIZE_netcl_tuning_record 1672
#define FIRST_SIZE_netcl_tuning_database_info 824
#define FIRST_SIZE_netcl_benchmark_tensor 152
#define FIRST_SIZE_netcl_benchmark_options 88
#define FIRST_SIZE_netcl_benchmark_candidate 160
#define FIRST_SIZE_netcl_benchmark_result 648
#define FIRST_SIZE_netcl_search_options 88
#define FIRST_SIZE_netcl_search_event 88
#define FIRST_SIZE_netcl_search_result 240
#define FIRST_SIZE_netcl_search_candidate 320
#define FIRST_SIZE_netcl_tuner_options 56
#define FIRST_SIZE_netcl_kernel_tuning 88
#define FIRST_SIZE_netcl_tuner_result 440

#endif
