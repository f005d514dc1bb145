// Written by bindings/generator from include/netcl.h; changes here are lost.

use crate::*;
use std::mem::MaybeUninit;
use std::ptr::addr_of;

macro_rules! offset {
    ($type:ty, $member:ident) => {{
        let value = MaybeUninit::<$type>::uninit();
        let base = value.as_ptr();
        unsafe { addr_of!((*base).$member) as usize - base as usize }
    }};
}

#[test]
fn netcl_error_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_error_info, struct_size), 0);
    assert_eq!(offset!(netcl_error_info, status), 8);
    assert_eq!(offset!(netcl_error_info, native_code), 12);
    assert_eq!(offset!(netcl_error_info, message), 16);
}

#[test]
fn netcl_library_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_library_info, struct_size), 0);
    assert_eq!(offset!(netcl_library_info, version_number), 8);
    assert_eq!(offset!(netcl_library_info, abi_version), 12);
    assert_eq!(offset!(netcl_library_info, version), 16);
    assert_eq!(offset!(netcl_library_info, compiler), 48);
    assert_eq!(offset!(netcl_library_info, build_type), 112);
    assert_eq!(offset!(netcl_library_info, simd_target), 144);
    assert_eq!(offset!(netcl_library_info, codegen_version), 176);
}

#[test]
fn netcl_log_record_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_log_record, struct_size), 0);
    assert_eq!(offset!(netcl_log_record, sequence), 8);
    assert_eq!(offset!(netcl_log_record, time_ns), 16);
    assert_eq!(offset!(netcl_log_record, level), 24);
    assert_eq!(offset!(netcl_log_record, reserved), 28);
    assert_eq!(offset!(netcl_log_record, message), 32);
}

#[test]
fn netcl_device_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_device_info, struct_size), 0);
    assert_eq!(offset!(netcl_device_info, index), 8);
    assert_eq!(offset!(netcl_device_info, type_), 12);
    assert_eq!(offset!(netcl_device_info, backend), 16);
    assert_eq!(offset!(netcl_device_info, platform_index), 20);
    assert_eq!(offset!(netcl_device_info, device_index), 24);
    assert_eq!(offset!(netcl_device_info, has_uuid), 28);
    assert_eq!(offset!(netcl_device_info, uuid), 32);
    assert_eq!(offset!(netcl_device_info, name), 48);
    assert_eq!(offset!(netcl_device_info, vendor), 304);
    assert_eq!(offset!(netcl_device_info, platform_name), 432);
    assert_eq!(offset!(netcl_device_info, version), 560);
    assert_eq!(offset!(netcl_device_info, driver_version), 688);
}

#[test]
fn netcl_device_capabilities_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_device_capabilities, struct_size), 0);
    assert_eq!(offset!(netcl_device_capabilities, fp16), 8);
    assert_eq!(offset!(netcl_device_capabilities, fp16_announced), 12);
    assert_eq!(offset!(netcl_device_capabilities, fp64), 16);
    assert_eq!(offset!(netcl_device_capabilities, subgroups), 20);
    assert_eq!(offset!(netcl_device_capabilities, int64_atomics), 24);
    assert_eq!(offset!(netcl_device_capabilities, svm), 28);
    assert_eq!(offset!(netcl_device_capabilities, integrated), 32);
    assert_eq!(offset!(netcl_device_capabilities, out_of_order), 36);
    assert_eq!(offset!(netcl_device_capabilities, il), 40);
    assert_eq!(offset!(netcl_device_capabilities, compute_units), 44);
    assert_eq!(offset!(netcl_device_capabilities, max_clock_mhz), 48);
    assert_eq!(offset!(netcl_device_capabilities, preferred_vector_width_f32), 52);
    assert_eq!(offset!(netcl_device_capabilities, subgroup_size), 56);
    assert_eq!(offset!(netcl_device_capabilities, mem_base_align_bytes), 60);
    assert_eq!(offset!(netcl_device_capabilities, max_work_item_dimensions), 64);
    assert_eq!(offset!(netcl_device_capabilities, strategy), 68);
    assert_eq!(offset!(netcl_device_capabilities, max_work_group_size), 72);
    assert_eq!(offset!(netcl_device_capabilities, max_work_item_sizes), 80);
    assert_eq!(offset!(netcl_device_capabilities, local_memory_bytes), 104);
    assert_eq!(offset!(netcl_device_capabilities, global_memory_bytes), 112);
    assert_eq!(offset!(netcl_device_capabilities, max_allocation_bytes), 120);
    assert_eq!(offset!(netcl_device_capabilities, global_cache_bytes), 128);
    assert_eq!(offset!(netcl_device_capabilities, max_constant_bytes), 136);
    assert_eq!(offset!(netcl_device_capabilities, timer_resolution_ns), 144);
    assert_eq!(offset!(netcl_device_capabilities, matrix_units), 152);
    assert_eq!(offset!(netcl_device_capabilities, reserved), 156);
}

#[test]
fn netcl_copy_explanation_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_copy_explanation, struct_size), 0);
    assert_eq!(offset!(netcl_copy_explanation, road), 8);
    assert_eq!(offset!(netcl_copy_explanation, packs), 12);
    assert_eq!(offset!(netcl_copy_explanation, piece_bytes), 16);
    assert_eq!(offset!(netcl_copy_explanation, reason), 24);
}

#[test]
fn netcl_device_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_device_options, struct_size), 0);
    assert_eq!(offset!(netcl_device_options, separate), 8);
    assert_eq!(offset!(netcl_device_options, reserved), 12);
}

#[test]
fn netcl_queue_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_queue_options, struct_size), 0);
    assert_eq!(offset!(netcl_queue_options, out_of_order), 8);
    assert_eq!(offset!(netcl_queue_options, profiling), 12);
}

#[test]
fn netcl_queue_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_queue_info, struct_size), 0);
    assert_eq!(offset!(netcl_queue_info, out_of_order), 8);
    assert_eq!(offset!(netcl_queue_info, profiling), 12);
    assert_eq!(offset!(netcl_queue_info, foreign), 16);
    assert_eq!(offset!(netcl_queue_info, reserved), 20);
    assert_eq!(offset!(netcl_queue_info, commands), 24);
}

#[test]
fn netcl_event_timing_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_event_timing, struct_size), 0);
    assert_eq!(offset!(netcl_event_timing, queued_ns), 8);
    assert_eq!(offset!(netcl_event_timing, submitted_ns), 16);
    assert_eq!(offset!(netcl_event_timing, started_ns), 24);
    assert_eq!(offset!(netcl_event_timing, ended_ns), 32);
}

#[test]
fn netcl_pool_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_pool_options, struct_size), 0);
    assert_eq!(offset!(netcl_pool_options, kind), 8);
    assert_eq!(offset!(netcl_pool_options, max_buffers_per_bucket), 12);
    assert_eq!(offset!(netcl_pool_options, max_cached_bytes), 16);
    assert_eq!(offset!(netcl_pool_options, max_bytes), 24);
    assert_eq!(offset!(netcl_pool_options, share), 32);
    assert_eq!(offset!(netcl_pool_options, reserved), 36);
}

#[test]
fn netcl_pool_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_pool_info, struct_size), 0);
    assert_eq!(offset!(netcl_pool_info, kind), 8);
    assert_eq!(offset!(netcl_pool_info, buckets_count), 12);
    assert_eq!(offset!(netcl_pool_info, hits), 16);
    assert_eq!(offset!(netcl_pool_info, misses), 24);
    assert_eq!(offset!(netcl_pool_info, hit_rate), 32);
    assert_eq!(offset!(netcl_pool_info, bytes_allocated), 40);
    assert_eq!(offset!(netcl_pool_info, bytes_in_use), 48);
    assert_eq!(offset!(netcl_pool_info, bytes_cached), 56);
    assert_eq!(offset!(netcl_pool_info, high_water_bytes), 64);
    assert_eq!(offset!(netcl_pool_info, max_cached_bytes), 72);
    assert_eq!(offset!(netcl_pool_info, max_bytes), 80);
}

#[test]
fn netcl_pool_bucket_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_pool_bucket, bytes), 0);
    assert_eq!(offset!(netcl_pool_bucket, in_use), 8);
    assert_eq!(offset!(netcl_pool_bucket, cached), 16);
    assert_eq!(offset!(netcl_pool_bucket, hits), 24);
    assert_eq!(offset!(netcl_pool_bucket, misses), 32);
}

#[test]
fn netcl_buffer_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_buffer_info, struct_size), 0);
    assert_eq!(offset!(netcl_buffer_info, bytes), 8);
    assert_eq!(offset!(netcl_buffer_info, bucket_bytes), 16);
    assert_eq!(offset!(netcl_buffer_info, host_pointer), 24);
    assert_eq!(offset!(netcl_buffer_info, pinned), 32);
    assert_eq!(offset!(netcl_buffer_info, zero_copy), 36);
    assert_eq!(offset!(netcl_buffer_info, shared), 40);
    assert_eq!(offset!(netcl_buffer_info, exportable), 44);
}

#[test]
fn netcl_shared_memory_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_shared_memory, struct_size), 0);
    assert_eq!(offset!(netcl_shared_memory, kind), 8);
    assert_eq!(offset!(netcl_shared_memory, descriptor), 12);
    assert_eq!(offset!(netcl_shared_memory, offset_bytes), 16);
    assert_eq!(offset!(netcl_shared_memory, bytes), 24);
    assert_eq!(offset!(netcl_shared_memory, total_bytes), 32);
    assert_eq!(offset!(netcl_shared_memory, device_uuid), 40);
}

#[test]
fn netcl_run_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_run_options, struct_size), 0);
    assert_eq!(offset!(netcl_run_options, queue), 8);
    assert_eq!(offset!(netcl_run_options, into), 16);
    assert_eq!(offset!(netcl_run_options, waits), 24);
    assert_eq!(offset!(netcl_run_options, event), 32);
    assert_eq!(offset!(netcl_run_options, waits_count), 40);
    assert_eq!(offset!(netcl_run_options, reserved), 44);
    assert_eq!(offset!(netcl_run_options, graph), 48);
}

#[test]
fn netcl_tensor_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_tensor_options, struct_size), 0);
    assert_eq!(offset!(netcl_tensor_options, queue), 8);
    assert_eq!(offset!(netcl_tensor_options, pool), 16);
    assert_eq!(offset!(netcl_tensor_options, event), 24);
    assert_eq!(offset!(netcl_tensor_options, async_copy), 32);
    assert_eq!(offset!(netcl_tensor_options, use_pinned), 36);
    assert_eq!(offset!(netcl_tensor_options, borrow), 40);
    assert_eq!(offset!(netcl_tensor_options, take_ownership), 44);
    assert_eq!(offset!(netcl_tensor_options, share), 48);
    assert_eq!(offset!(netcl_tensor_options, reserved), 52);
}

#[test]
fn netcl_transfer_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_transfer_options, struct_size), 0);
    assert_eq!(offset!(netcl_transfer_options, queue), 8);
    assert_eq!(offset!(netcl_transfer_options, waits), 16);
    assert_eq!(offset!(netcl_transfer_options, event), 24);
    assert_eq!(offset!(netcl_transfer_options, waits_count), 32);
    assert_eq!(offset!(netcl_transfer_options, async_copy), 36);
    assert_eq!(offset!(netcl_transfer_options, use_pinned), 40);
    assert_eq!(offset!(netcl_transfer_options, borrow), 44);
}

#[test]
fn netcl_random_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_random_options, struct_size), 0);
    assert_eq!(offset!(netcl_random_options, seed), 8);
    assert_eq!(offset!(netcl_random_options, offset), 16);
    assert_eq!(offset!(netcl_random_options, distribution), 24);
    assert_eq!(offset!(netcl_random_options, reserved), 28);
    assert_eq!(offset!(netcl_random_options, low), 32);
    assert_eq!(offset!(netcl_random_options, high), 40);
    assert_eq!(offset!(netcl_random_options, mean), 48);
    assert_eq!(offset!(netcl_random_options, deviation), 56);
}

#[test]
fn netcl_tensor_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_tensor_info, struct_size), 0);
    assert_eq!(offset!(netcl_tensor_info, dtype), 8);
    assert_eq!(offset!(netcl_tensor_info, rank), 12);
    assert_eq!(offset!(netcl_tensor_info, shape), 16);
    assert_eq!(offset!(netcl_tensor_info, strides), 80);
    assert_eq!(offset!(netcl_tensor_info, offset), 144);
    assert_eq!(offset!(netcl_tensor_info, element_count), 152);
    assert_eq!(offset!(netcl_tensor_info, byte_count), 160);
    assert_eq!(offset!(netcl_tensor_info, contiguous), 168);
    assert_eq!(offset!(netcl_tensor_info, zero_copy), 172);
    assert_eq!(offset!(netcl_tensor_info, borrowed), 176);
    assert_eq!(offset!(netcl_tensor_info, pooled), 180);
    assert_eq!(offset!(netcl_tensor_info, mapped), 184);
    assert_eq!(offset!(netcl_tensor_info, reserved), 188);
}

#[test]
fn netcl_range_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_range, start), 0);
    assert_eq!(offset!(netcl_range, extent), 8);
    assert_eq!(offset!(netcl_range, step), 16);
}

#[test]
fn netcl_kernel_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_kernel_options, struct_size), 0);
    assert_eq!(offset!(netcl_kernel_options, source), 8);
    assert_eq!(offset!(netcl_kernel_options, source_size), 16);
    assert_eq!(offset!(netcl_kernel_options, params), 24);
    assert_eq!(offset!(netcl_kernel_options, preamble), 32);
    assert_eq!(offset!(netcl_kernel_options, body), 40);
    assert_eq!(offset!(netcl_kernel_options, il), 48);
    assert_eq!(offset!(netcl_kernel_options, il_size), 56);
    assert_eq!(offset!(netcl_kernel_options, binary), 64);
    assert_eq!(offset!(netcl_kernel_options, binary_size), 72);
    assert_eq!(offset!(netcl_kernel_options, flags), 80);
    assert_eq!(offset!(netcl_kernel_options, shape_signature), 88);
    assert_eq!(offset!(netcl_kernel_options, local_size), 96);
    assert_eq!(offset!(netcl_kernel_options, params_count), 120);
    assert_eq!(offset!(netcl_kernel_options, flags_count), 124);
    assert_eq!(offset!(netcl_kernel_options, trust_binary), 128);
    assert_eq!(offset!(netcl_kernel_options, fast_math), 132);
    assert_eq!(offset!(netcl_kernel_options, no_preamble), 136);
    assert_eq!(offset!(netcl_kernel_options, tune), 140);
    assert_eq!(offset!(netcl_kernel_options, free_args), 144);
    assert_eq!(offset!(netcl_kernel_options, free_args_count), 152);
    assert_eq!(offset!(netcl_kernel_options, reserved), 156);
}

#[test]
fn netcl_arg_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_arg, kind), 0);
    assert_eq!(offset!(netcl_arg, size), 4);
    assert_eq!(offset!(netcl_arg, value), 8);
    assert_eq!(offset!(netcl_arg, tensor), 40);
    assert_eq!(offset!(netcl_arg, data), 48);
    assert_eq!(offset!(netcl_arg, dtype), 56);
    assert_eq!(offset!(netcl_arg, reinterpret), 60);
}

#[test]
fn netcl_work_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_work, struct_size), 0);
    assert_eq!(offset!(netcl_work, operations), 8);
    assert_eq!(offset!(netcl_work, bytes), 16);
    assert_eq!(offset!(netcl_work, bytes_written), 24);
    assert_eq!(offset!(netcl_work, dtype), 32);
    assert_eq!(offset!(netcl_work, matrix_units), 36);
    assert_eq!(offset!(netcl_work, cold_cache), 40);
    assert_eq!(offset!(netcl_work, reserved), 44);
}

#[test]
fn netcl_launch_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_launch_options, struct_size), 0);
    assert_eq!(offset!(netcl_launch_options, offset), 8);
    assert_eq!(offset!(netcl_launch_options, round_up), 32);
    assert_eq!(offset!(netcl_launch_options, reserved), 36);
    assert_eq!(offset!(netcl_launch_options, work), 40);
}

#[test]
fn netcl_launch_explanation_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_launch_explanation, struct_size), 0);
    assert_eq!(offset!(netcl_launch_explanation, global), 8);
    assert_eq!(offset!(netcl_launch_explanation, local), 32);
    assert_eq!(offset!(netcl_launch_explanation, origin), 56);
    assert_eq!(offset!(netcl_launch_explanation, match_), 60);
    assert_eq!(offset!(netcl_launch_explanation, median), 64);
    assert_eq!(offset!(netcl_launch_explanation, default_median), 72);
    assert_eq!(offset!(netcl_launch_explanation, macros), 80);
    assert_eq!(offset!(netcl_launch_explanation, reason), 336);
}

#[test]
fn netcl_kernel_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_kernel_info, struct_size), 0);
    assert_eq!(offset!(netcl_kernel_info, args_count), 8);
    assert_eq!(offset!(netcl_kernel_info, from_cache), 12);
    assert_eq!(offset!(netcl_kernel_info, preferred_multiple), 16);
    assert_eq!(offset!(netcl_kernel_info, reserved), 20);
    assert_eq!(offset!(netcl_kernel_info, max_local_size), 24);
    assert_eq!(offset!(netcl_kernel_info, required_local_size), 32);
    assert_eq!(offset!(netcl_kernel_info, local_memory_bytes), 56);
    assert_eq!(offset!(netcl_kernel_info, private_memory_bytes), 64);
    assert_eq!(offset!(netcl_kernel_info, shape_signature), 72);
    assert_eq!(offset!(netcl_kernel_info, name), 80);
}

#[test]
fn netcl_kernel_arg_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_kernel_arg_info, struct_size), 0);
    assert_eq!(offset!(netcl_kernel_arg_info, is_buffer), 8);
    assert_eq!(offset!(netcl_kernel_arg_info, is_local), 12);
    assert_eq!(offset!(netcl_kernel_arg_info, is_const), 16);
    assert_eq!(offset!(netcl_kernel_arg_info, size), 20);
    assert_eq!(offset!(netcl_kernel_arg_info, name), 24);
    assert_eq!(offset!(netcl_kernel_arg_info, type_name), 88);
}

#[test]
fn netcl_program_cache_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_program_cache_info, struct_size), 0);
    assert_eq!(offset!(netcl_program_cache_info, memory_hits), 8);
    assert_eq!(offset!(netcl_program_cache_info, memory_misses), 16);
    assert_eq!(offset!(netcl_program_cache_info, disk_hits), 24);
    assert_eq!(offset!(netcl_program_cache_info, disk_misses), 32);
    assert_eq!(offset!(netcl_program_cache_info, disk_rejected), 40);
    assert_eq!(offset!(netcl_program_cache_info, disk_writes), 48);
    assert_eq!(offset!(netcl_program_cache_info, source_builds), 56);
    assert_eq!(offset!(netcl_program_cache_info, programs_in_memory), 64);
    assert_eq!(offset!(netcl_program_cache_info, directory), 72);
}

#[test]
fn netcl_program_cache_entry_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_program_cache_entry, struct_size), 0);
    assert_eq!(offset!(netcl_program_cache_entry, bytes), 8);
    assert_eq!(offset!(netcl_program_cache_entry, used_ns), 16);
    assert_eq!(offset!(netcl_program_cache_entry, sound), 24);
    assert_eq!(offset!(netcl_program_cache_entry, reserved), 28);
    assert_eq!(offset!(netcl_program_cache_entry, name), 32);
    assert_eq!(offset!(netcl_program_cache_entry, device), 72);
    assert_eq!(offset!(netcl_program_cache_entry, kernels), 200);
    assert_eq!(offset!(netcl_program_cache_entry, problem), 456);
}

#[test]
fn netcl_variant_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_variant_options, struct_size), 0);
    assert_eq!(offset!(netcl_variant_options, info), 8);
    assert_eq!(offset!(netcl_variant_options, capabilities), 16);
    assert_eq!(offset!(netcl_variant_options, dtype), 24);
    assert_eq!(offset!(netcl_variant_options, variant), 28);
}

#[test]
fn netcl_variant_config_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_variant_config, struct_size), 0);
    assert_eq!(offset!(netcl_variant_config, variant), 8);
    assert_eq!(offset!(netcl_variant_config, tile_m), 12);
    assert_eq!(offset!(netcl_variant_config, tile_n), 16);
    assert_eq!(offset!(netcl_variant_config, tile_k), 20);
    assert_eq!(offset!(netcl_variant_config, work_per_thread_m), 24);
    assert_eq!(offset!(netcl_variant_config, work_per_thread_n), 28);
    assert_eq!(offset!(netcl_variant_config, local_size_1d), 32);
    assert_eq!(offset!(netcl_variant_config, local_size_2d), 36);
    assert_eq!(offset!(netcl_variant_config, use_local_memory), 44);
    assert_eq!(offset!(netcl_variant_config, use_vectorization), 48);
    assert_eq!(offset!(netcl_variant_config, vector_width), 52);
    assert_eq!(offset!(netcl_variant_config, winograd_tile), 56);
    assert_eq!(offset!(netcl_variant_config, groups), 60);
    assert_eq!(offset!(netcl_variant_config, from_cache), 64);
    assert_eq!(offset!(netcl_variant_config, split_k), 68);
    assert_eq!(offset!(netcl_variant_config, kernel), 72);
    assert_eq!(offset!(netcl_variant_config, reason), 136);
}

#[test]
fn netcl_conv2d_shape_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_conv2d_shape, struct_size), 0);
    assert_eq!(offset!(netcl_conv2d_shape, batch), 8);
    assert_eq!(offset!(netcl_conv2d_shape, channels), 16);
    assert_eq!(offset!(netcl_conv2d_shape, height), 24);
    assert_eq!(offset!(netcl_conv2d_shape, width), 32);
    assert_eq!(offset!(netcl_conv2d_shape, filters), 40);
    assert_eq!(offset!(netcl_conv2d_shape, kernel_height), 48);
    assert_eq!(offset!(netcl_conv2d_shape, kernel_width), 56);
    assert_eq!(offset!(netcl_conv2d_shape, strides), 64);
    assert_eq!(offset!(netcl_conv2d_shape, dilations), 80);
    assert_eq!(offset!(netcl_conv2d_shape, padding), 96);
    assert_eq!(offset!(netcl_conv2d_shape, groups), 128);
}

#[test]
fn netcl_expression_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_expression_options, struct_size), 0);
    assert_eq!(offset!(netcl_expression_options, dtype), 8);
    assert_eq!(offset!(netcl_expression_options, variant), 12);
}

#[test]
fn netcl_expressions_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_expressions_options, struct_size), 0);
    assert_eq!(offset!(netcl_expressions_options, dtypes), 8);
    assert_eq!(offset!(netcl_expressions_options, results_into), 16);
    assert_eq!(offset!(netcl_expressions_options, dtypes_count), 24);
    assert_eq!(offset!(netcl_expressions_options, results_into_count), 28);
    assert_eq!(offset!(netcl_expressions_options, variant), 32);
    assert_eq!(offset!(netcl_expressions_options, reserved), 36);
}

#[test]
fn netcl_elementwise_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_elementwise_options, struct_size), 0);
    assert_eq!(offset!(netcl_elementwise_options, alpha), 8);
    assert_eq!(offset!(netcl_elementwise_options, beta), 16);
    assert_eq!(offset!(netcl_elementwise_options, dtype), 24);
    assert_eq!(offset!(netcl_elementwise_options, variant), 28);
    assert_eq!(offset!(netcl_elementwise_options, has_parameters), 32);
    assert_eq!(offset!(netcl_elementwise_options, reserved), 36);
}

#[test]
fn netcl_primitive_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_primitive_options, struct_size), 0);
    assert_eq!(offset!(netcl_primitive_options, forward), 8);
    assert_eq!(offset!(netcl_primitive_options, backward), 16);
    assert_eq!(offset!(netcl_primitive_options, attributes), 24);
    assert_eq!(offset!(netcl_primitive_options, defaults), 32);
    assert_eq!(offset!(netcl_primitive_options, arity), 40);
    assert_eq!(offset!(netcl_primitive_options, backward_count), 44);
    assert_eq!(offset!(netcl_primitive_options, attributes_count), 48);
    assert_eq!(offset!(netcl_primitive_options, defaults_count), 52);
    assert_eq!(offset!(netcl_primitive_options, gives_gradients), 56);
    assert_eq!(offset!(netcl_primitive_options, checkpoint), 60);
}

#[test]
fn netcl_primitive_kernels_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_primitive_kernels, struct_size), 0);
    assert_eq!(offset!(netcl_primitive_kernels, forward), 8);
    assert_eq!(offset!(netcl_primitive_kernels, backward), 16);
    assert_eq!(offset!(netcl_primitive_kernels, global), 24);
    assert_eq!(offset!(netcl_primitive_kernels, local), 48);
    assert_eq!(offset!(netcl_primitive_kernels, backward_count), 72);
    assert_eq!(offset!(netcl_primitive_kernels, rank), 76);
}

#[test]
fn netcl_primitive_call_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_primitive_call, struct_size), 0);
    assert_eq!(offset!(netcl_primitive_call, inputs), 8);
    assert_eq!(offset!(netcl_primitive_call, values), 16);
    assert_eq!(offset!(netcl_primitive_call, grad), 24);
    assert_eq!(offset!(netcl_primitive_call, out), 32);
    assert_eq!(offset!(netcl_primitive_call, run), 40);
    assert_eq!(offset!(netcl_primitive_call, wanted), 48);
    assert_eq!(offset!(netcl_primitive_call, inputs_count), 56);
    assert_eq!(offset!(netcl_primitive_call, values_count), 60);
    assert_eq!(offset!(netcl_primitive_call, tensors_count), 64);
    assert_eq!(offset!(netcl_primitive_call, reserved), 68);
}

#[test]
fn netcl_primitive_call_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_primitive_call_options, struct_size), 0);
    assert_eq!(offset!(netcl_primitive_call_options, attributes), 8);
    assert_eq!(offset!(netcl_primitive_call_options, values), 16);
    assert_eq!(offset!(netcl_primitive_call_options, attributes_count), 24);
    assert_eq!(offset!(netcl_primitive_call_options, values_count), 28);
}

#[test]
fn netcl_epilogue_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_epilogue, struct_size), 0);
    assert_eq!(offset!(netcl_epilogue, bias), 8);
    assert_eq!(offset!(netcl_epilogue, residual), 16);
    assert_eq!(offset!(netcl_epilogue, alpha), 24);
    assert_eq!(offset!(netcl_epilogue, beta), 32);
    assert_eq!(offset!(netcl_epilogue, activation), 40);
    assert_eq!(offset!(netcl_epilogue, has_parameters), 44);
}

#[test]
fn netcl_matmul_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_matmul_options, struct_size), 0);
    assert_eq!(offset!(netcl_matmul_options, epilogue), 8);
    assert_eq!(offset!(netcl_matmul_options, alpha), 16);
    assert_eq!(offset!(netcl_matmul_options, beta), 24);
    assert_eq!(offset!(netcl_matmul_options, dtype), 32);
    assert_eq!(offset!(netcl_matmul_options, has_scale), 36);
    assert_eq!(offset!(netcl_matmul_options, variant), 40);
    assert_eq!(offset!(netcl_matmul_options, precision), 44);
    assert_eq!(offset!(netcl_matmul_options, a_zero_point), 48);
    assert_eq!(offset!(netcl_matmul_options, b_zero_point), 56);
}

#[test]
fn netcl_conv2d_batchnorm_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_conv2d_batchnorm, struct_size), 0);
    assert_eq!(offset!(netcl_conv2d_batchnorm, scale), 8);
    assert_eq!(offset!(netcl_conv2d_batchnorm, bias), 16);
    assert_eq!(offset!(netcl_conv2d_batchnorm, mean), 24);
    assert_eq!(offset!(netcl_conv2d_batchnorm, variance), 32);
    assert_eq!(offset!(netcl_conv2d_batchnorm, epsilon), 40);
    assert_eq!(offset!(netcl_conv2d_batchnorm, has_epsilon), 48);
    assert_eq!(offset!(netcl_conv2d_batchnorm, reserved), 52);
}

#[test]
fn netcl_conv2d_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_conv2d_options, struct_size), 0);
    assert_eq!(offset!(netcl_conv2d_options, epilogue), 8);
    assert_eq!(offset!(netcl_conv2d_options, batchnorm), 16);
    assert_eq!(offset!(netcl_conv2d_options, strides), 24);
    assert_eq!(offset!(netcl_conv2d_options, dilations), 40);
    assert_eq!(offset!(netcl_conv2d_options, padding), 56);
    assert_eq!(offset!(netcl_conv2d_options, groups), 88);
    assert_eq!(offset!(netcl_conv2d_options, variant), 96);
    assert_eq!(offset!(netcl_conv2d_options, winograd_tile), 100);
}

#[test]
fn netcl_quantized_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_quantized_options, struct_size), 0);
    assert_eq!(offset!(netcl_quantized_options, scales), 8);
    assert_eq!(offset!(netcl_quantized_options, zero_points), 16);
    assert_eq!(offset!(netcl_quantized_options, epilogue), 24);
    assert_eq!(offset!(netcl_quantized_options, k), 32);
    assert_eq!(offset!(netcl_quantized_options, format), 40);
    assert_eq!(offset!(netcl_quantized_options, bits), 44);
    assert_eq!(offset!(netcl_quantized_options, block_size), 48);
    assert_eq!(offset!(netcl_quantized_options, dtype), 52);
    assert_eq!(offset!(netcl_quantized_options, has_zero_points), 56);
    assert_eq!(offset!(netcl_quantized_options, reserved), 60);
}

#[test]
fn netcl_attention_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_attention_options, struct_size), 0);
    assert_eq!(offset!(netcl_attention_options, bias), 8);
    assert_eq!(offset!(netcl_attention_options, mask), 16);
    assert_eq!(offset!(netcl_attention_options, query_lengths), 24);
    assert_eq!(offset!(netcl_attention_options, key_lengths), 32);
    assert_eq!(offset!(netcl_attention_options, block_table), 40);
    assert_eq!(offset!(netcl_attention_options, lse_into), 48);
    assert_eq!(offset!(netcl_attention_options, scale), 56);
    assert_eq!(offset!(netcl_attention_options, softcap), 64);
    assert_eq!(offset!(netcl_attention_options, position), 72);
    assert_eq!(offset!(netcl_attention_options, window_before), 80);
    assert_eq!(offset!(netcl_attention_options, window_after), 88);
    assert_eq!(offset!(netcl_attention_options, has_scale), 96);
    assert_eq!(offset!(netcl_attention_options, has_position), 100);
    assert_eq!(offset!(netcl_attention_options, has_window), 104);
    assert_eq!(offset!(netcl_attention_options, causal), 108);
    assert_eq!(offset!(netcl_attention_options, variant), 112);
    assert_eq!(offset!(netcl_attention_options, reserved), 116);
}

#[test]
fn netcl_rotary_embedding_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_rotary_embedding_options, struct_size), 0);
    assert_eq!(offset!(netcl_rotary_embedding_options, position_ids), 8);
    assert_eq!(offset!(netcl_rotary_embedding_options, num_heads), 16);
    assert_eq!(offset!(netcl_rotary_embedding_options, rotary_embedding_dim), 24);
    assert_eq!(offset!(netcl_rotary_embedding_options, interleaved), 32);
    assert_eq!(offset!(netcl_rotary_embedding_options, inverse), 36);
}

#[test]
fn netcl_reduce_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_reduce_options, struct_size), 0);
    assert_eq!(offset!(netcl_reduce_options, axes), 8);
    assert_eq!(offset!(netcl_reduce_options, axes_count), 16);
    assert_eq!(offset!(netcl_reduce_options, keepdims), 20);
    assert_eq!(offset!(netcl_reduce_options, dtype), 24);
    assert_eq!(offset!(netcl_reduce_options, variant), 28);
    assert_eq!(offset!(netcl_reduce_options, select_last), 32);
    assert_eq!(offset!(netcl_reduce_options, reserved), 36);
}

#[test]
fn netcl_scan_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_scan_options, struct_size), 0);
    assert_eq!(offset!(netcl_scan_options, exclusive), 8);
    assert_eq!(offset!(netcl_scan_options, reverse), 12);
}

#[test]
fn netcl_histogram_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_histogram_options, struct_size), 0);
    assert_eq!(offset!(netcl_histogram_options, low), 8);
    assert_eq!(offset!(netcl_histogram_options, high), 16);
}

#[test]
fn netcl_topk_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_topk_options, struct_size), 0);
    assert_eq!(offset!(netcl_topk_options, indices_into), 8);
    assert_eq!(offset!(netcl_topk_options, smallest), 16);
    assert_eq!(offset!(netcl_topk_options, reserved), 20);
}

#[test]
fn netcl_norm_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_norm_options, struct_size), 0);
    assert_eq!(offset!(netcl_norm_options, scale), 8);
    assert_eq!(offset!(netcl_norm_options, bias), 16);
    assert_eq!(offset!(netcl_norm_options, epsilon), 24);
    assert_eq!(offset!(netcl_norm_options, has_epsilon), 32);
    assert_eq!(offset!(netcl_norm_options, reserved), 36);
    assert_eq!(offset!(netcl_norm_options, mean_into), 40);
    assert_eq!(offset!(netcl_norm_options, inverse_deviation_into), 48);
}

#[test]
fn netcl_batchnorm_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_batchnorm_options, struct_size), 0);
    assert_eq!(offset!(netcl_batchnorm_options, scale), 8);
    assert_eq!(offset!(netcl_batchnorm_options, bias), 16);
    assert_eq!(offset!(netcl_batchnorm_options, epsilon), 24);
    assert_eq!(offset!(netcl_batchnorm_options, momentum), 32);
    assert_eq!(offset!(netcl_batchnorm_options, alpha), 40);
    assert_eq!(offset!(netcl_batchnorm_options, beta), 48);
    assert_eq!(offset!(netcl_batchnorm_options, activation), 56);
    assert_eq!(offset!(netcl_batchnorm_options, variant), 60);
    assert_eq!(offset!(netcl_batchnorm_options, training), 64);
    assert_eq!(offset!(netcl_batchnorm_options, has_epsilon), 68);
    assert_eq!(offset!(netcl_batchnorm_options, has_momentum), 72);
    assert_eq!(offset!(netcl_batchnorm_options, has_parameters), 76);
}

#[test]
fn netcl_pooling_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_pooling_options, struct_size), 0);
    assert_eq!(offset!(netcl_pooling_options, window), 8);
    assert_eq!(offset!(netcl_pooling_options, strides), 16);
    assert_eq!(offset!(netcl_pooling_options, dilations), 24);
    assert_eq!(offset!(netcl_pooling_options, padding), 32);
    assert_eq!(offset!(netcl_pooling_options, window_count), 40);
    assert_eq!(offset!(netcl_pooling_options, strides_count), 44);
    assert_eq!(offset!(netcl_pooling_options, dilations_count), 48);
    assert_eq!(offset!(netcl_pooling_options, padding_count), 52);
    assert_eq!(offset!(netcl_pooling_options, ceil_mode), 56);
    assert_eq!(offset!(netcl_pooling_options, count_include_pad), 60);
    assert_eq!(offset!(netcl_pooling_options, indices_into), 64);
    assert_eq!(offset!(netcl_pooling_options, p), 72);
    assert_eq!(offset!(netcl_pooling_options, column_major), 80);
    assert_eq!(offset!(netcl_pooling_options, reserved), 84);
}

#[test]
fn netcl_max_unpool2d_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_max_unpool2d_options, struct_size), 0);
    assert_eq!(offset!(netcl_max_unpool2d_options, column_major), 8);
    assert_eq!(offset!(netcl_max_unpool2d_options, reserved), 12);
}

#[test]
fn netcl_roi_pool_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_roi_pool_options, struct_size), 0);
    assert_eq!(offset!(netcl_roi_pool_options, bins), 8);
    assert_eq!(offset!(netcl_roi_pool_options, samples), 24);
    assert_eq!(offset!(netcl_roi_pool_options, scale), 32);
    assert_eq!(offset!(netcl_roi_pool_options, half_pixel), 40);
    assert_eq!(offset!(netcl_roi_pool_options, reserved), 44);
}

#[test]
fn netcl_quantize_linear_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_quantize_linear_options, struct_size), 0);
    assert_eq!(offset!(netcl_quantize_linear_options, zero_point), 8);
    assert_eq!(offset!(netcl_quantize_linear_options, block_size), 16);
    assert_eq!(offset!(netcl_quantize_linear_options, dtype), 24);
    assert_eq!(offset!(netcl_quantize_linear_options, precision), 28);
}

#[test]
fn netcl_dequantize_linear_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_dequantize_linear_options, struct_size), 0);
    assert_eq!(offset!(netcl_dequantize_linear_options, zero_point), 8);
    assert_eq!(offset!(netcl_dequantize_linear_options, block_size), 16);
    assert_eq!(offset!(netcl_dequantize_linear_options, dtype), 24);
    assert_eq!(offset!(netcl_dequantize_linear_options, reserved), 28);
}

#[test]
fn netcl_dynamic_quantize_linear_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_dynamic_quantize_linear_options, struct_size), 0);
    assert_eq!(offset!(netcl_dynamic_quantize_linear_options, scale_into), 8);
    assert_eq!(offset!(netcl_dynamic_quantize_linear_options, zero_point_into), 16);
}

#[test]
fn netcl_qlinear_matmul_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_qlinear_matmul_options, struct_size), 0);
    assert_eq!(offset!(netcl_qlinear_matmul_options, a_zero_point), 8);
    assert_eq!(offset!(netcl_qlinear_matmul_options, b_zero_point), 16);
    assert_eq!(offset!(netcl_qlinear_matmul_options, y_zero_point), 24);
    assert_eq!(offset!(netcl_qlinear_matmul_options, dtype), 32);
    assert_eq!(offset!(netcl_qlinear_matmul_options, reserved), 36);
}

#[test]
fn netcl_conv2d_integer_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_conv2d_integer_options, struct_size), 0);
    assert_eq!(offset!(netcl_conv2d_integer_options, x_zero_point), 8);
    assert_eq!(offset!(netcl_conv2d_integer_options, w_zero_point), 16);
    assert_eq!(offset!(netcl_conv2d_integer_options, strides), 24);
    assert_eq!(offset!(netcl_conv2d_integer_options, dilations), 40);
    assert_eq!(offset!(netcl_conv2d_integer_options, padding), 56);
    assert_eq!(offset!(netcl_conv2d_integer_options, groups), 88);
}

#[test]
fn netcl_qlinear_conv2d_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_qlinear_conv2d_options, struct_size), 0);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, x_zero_point), 8);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, w_zero_point), 16);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, y_zero_point), 24);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, bias), 32);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, strides), 40);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, dilations), 56);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, padding), 72);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, groups), 104);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, dtype), 112);
    assert_eq!(offset!(netcl_qlinear_conv2d_options, reserved), 116);
}

#[test]
fn netcl_loss_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_loss_options, struct_size), 0);
    assert_eq!(offset!(netcl_loss_options, weights), 8);
    assert_eq!(offset!(netcl_loss_options, ignore_index), 16);
    assert_eq!(offset!(netcl_loss_options, has_ignore_index), 24);
    assert_eq!(offset!(netcl_loss_options, reduction), 28);
    assert_eq!(offset!(netcl_loss_options, dtype), 32);
    assert_eq!(offset!(netcl_loss_options, reserved), 36);
}

#[test]
fn netcl_mixed_precision_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_mixed_precision, struct_size), 0);
    assert_eq!(offset!(netcl_mixed_precision, masters), 8);
    assert_eq!(offset!(netcl_mixed_precision, scale), 16);
    assert_eq!(offset!(netcl_mixed_precision, found_inf), 24);
    assert_eq!(offset!(netcl_mixed_precision, masters_count), 32);
    assert_eq!(offset!(netcl_mixed_precision, reserved), 36);
}

#[test]
fn netcl_sgd_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_sgd_options, struct_size), 0);
    assert_eq!(offset!(netcl_sgd_options, momentum_buffers), 8);
    assert_eq!(offset!(netcl_sgd_options, step), 16);
    assert_eq!(offset!(netcl_sgd_options, factor), 24);
    assert_eq!(offset!(netcl_sgd_options, precision), 32);
    assert_eq!(offset!(netcl_sgd_options, momentum), 40);
    assert_eq!(offset!(netcl_sgd_options, dampening), 48);
    assert_eq!(offset!(netcl_sgd_options, weight_decay), 56);
    assert_eq!(offset!(netcl_sgd_options, momentum_buffers_count), 64);
    assert_eq!(offset!(netcl_sgd_options, nesterov), 68);
}

#[test]
fn netcl_adam_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_adam_options, struct_size), 0);
    assert_eq!(offset!(netcl_adam_options, max_square_averages), 8);
    assert_eq!(offset!(netcl_adam_options, factor), 16);
    assert_eq!(offset!(netcl_adam_options, precision), 24);
    assert_eq!(offset!(netcl_adam_options, beta1), 32);
    assert_eq!(offset!(netcl_adam_options, beta2), 40);
    assert_eq!(offset!(netcl_adam_options, epsilon), 48);
    assert_eq!(offset!(netcl_adam_options, weight_decay), 56);
    assert_eq!(offset!(netcl_adam_options, max_square_averages_count), 64);
    assert_eq!(offset!(netcl_adam_options, has_betas), 68);
    assert_eq!(offset!(netcl_adam_options, decoupled), 72);
    assert_eq!(offset!(netcl_adam_options, reserved), 76);
}

#[test]
fn netcl_rmsprop_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_rmsprop_options, struct_size), 0);
    assert_eq!(offset!(netcl_rmsprop_options, momentum_buffers), 8);
    assert_eq!(offset!(netcl_rmsprop_options, averages), 16);
    assert_eq!(offset!(netcl_rmsprop_options, factor), 24);
    assert_eq!(offset!(netcl_rmsprop_options, precision), 32);
    assert_eq!(offset!(netcl_rmsprop_options, alpha), 40);
    assert_eq!(offset!(netcl_rmsprop_options, epsilon), 48);
    assert_eq!(offset!(netcl_rmsprop_options, momentum), 56);
    assert_eq!(offset!(netcl_rmsprop_options, weight_decay), 64);
    assert_eq!(offset!(netcl_rmsprop_options, momentum_buffers_count), 72);
    assert_eq!(offset!(netcl_rmsprop_options, averages_count), 76);
}

#[test]
fn netcl_adagrad_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_adagrad_options, struct_size), 0);
    assert_eq!(offset!(netcl_adagrad_options, step), 8);
    assert_eq!(offset!(netcl_adagrad_options, factor), 16);
    assert_eq!(offset!(netcl_adagrad_options, precision), 24);
    assert_eq!(offset!(netcl_adagrad_options, learning_rate_decay), 32);
    assert_eq!(offset!(netcl_adagrad_options, epsilon), 40);
    assert_eq!(offset!(netcl_adagrad_options, weight_decay), 48);
}

#[test]
fn netcl_loss_scale_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_loss_scale_options, struct_size), 0);
    assert_eq!(offset!(netcl_loss_scale_options, growth_factor), 8);
    assert_eq!(offset!(netcl_loss_scale_options, backoff_factor), 16);
    assert_eq!(offset!(netcl_loss_scale_options, growth_interval), 24);
}

#[test]
fn netcl_pad_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_pad_options, struct_size), 0);
    assert_eq!(offset!(netcl_pad_options, value), 8);
    assert_eq!(offset!(netcl_pad_options, mode), 16);
    assert_eq!(offset!(netcl_pad_options, reserved), 20);
}

#[test]
fn netcl_scatter_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_scatter_options, struct_size), 0);
    assert_eq!(offset!(netcl_scatter_options, mode), 8);
    assert_eq!(offset!(netcl_scatter_options, atomics), 12);
}

#[test]
fn netcl_resize_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_resize_options, struct_size), 0);
    assert_eq!(offset!(netcl_resize_options, mode), 8);
    assert_eq!(offset!(netcl_resize_options, coordinates), 12);
    assert_eq!(offset!(netcl_resize_options, rounding), 16);
    assert_eq!(offset!(netcl_resize_options, antialias), 20);
    assert_eq!(offset!(netcl_resize_options, exclude_outside), 24);
    assert_eq!(offset!(netcl_resize_options, has_cubic_coeff), 28);
    assert_eq!(offset!(netcl_resize_options, cubic_coeff), 32);
    assert_eq!(offset!(netcl_resize_options, extrapolation_value), 40);
    assert_eq!(offset!(netcl_resize_options, scales), 48);
    assert_eq!(offset!(netcl_resize_options, roi), 56);
    assert_eq!(offset!(netcl_resize_options, scales_count), 64);
    assert_eq!(offset!(netcl_resize_options, roi_count), 68);
}

#[test]
fn netcl_graph_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_graph_options, struct_size), 0);
    assert_eq!(offset!(netcl_graph_options, execute), 8);
    assert_eq!(offset!(netcl_graph_options, reserved), 12);
}

#[test]
fn netcl_graph_call_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_graph_call, struct_size), 0);
    assert_eq!(offset!(netcl_graph_call, inputs), 8);
    assert_eq!(offset!(netcl_graph_call, run), 16);
    assert_eq!(offset!(netcl_graph_call, inputs_count), 24);
    assert_eq!(offset!(netcl_graph_call, outputs_count), 28);
}

#[test]
fn netcl_graph_function_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_graph_function_options, struct_size), 0);
    assert_eq!(offset!(netcl_graph_function_options, forms_most), 8);
    assert_eq!(offset!(netcl_graph_function_options, fuse), 16);
    assert_eq!(offset!(netcl_graph_function_options, reserved), 20);
}

#[test]
fn netcl_graph_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_graph_info, struct_size), 0);
    assert_eq!(offset!(netcl_graph_info, call_count), 8);
    assert_eq!(offset!(netcl_graph_info, kept_bytes), 16);
    assert_eq!(offset!(netcl_graph_info, step_count), 24);
    assert_eq!(offset!(netcl_graph_info, ready_count), 32);
    assert_eq!(offset!(netcl_graph_info, command_count), 40);
    assert_eq!(offset!(netcl_graph_info, planned_bytes), 48);
    assert_eq!(offset!(netcl_graph_info, live_bytes), 56);
    assert_eq!(offset!(netcl_graph_info, form_count), 64);
}

#[test]
fn netcl_gradients_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_gradients_options, struct_size), 0);
    assert_eq!(offset!(netcl_gradients_options, seeds), 8);
    assert_eq!(offset!(netcl_gradients_options, into), 16);
    assert_eq!(offset!(netcl_gradients_options, queue), 24);
    assert_eq!(offset!(netcl_gradients_options, event), 32);
    assert_eq!(offset!(netcl_gradients_options, seeds_count), 40);
    assert_eq!(offset!(netcl_gradients_options, into_count), 44);
    assert_eq!(offset!(netcl_gradients_options, accumulate), 48);
    assert_eq!(offset!(netcl_gradients_options, consume), 52);
    assert_eq!(offset!(netcl_gradients_options, reducer), 56);
}

#[test]
fn netcl_graph_compile_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_graph_compile_options, struct_size), 0);
    assert_eq!(offset!(netcl_graph_compile_options, fuse), 8);
    assert_eq!(offset!(netcl_graph_compile_options, reserved), 12);
}

#[test]
fn netcl_model_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_model_options, struct_size), 0);
    assert_eq!(offset!(netcl_model_options, forms_most), 8);
    assert_eq!(offset!(netcl_model_options, fuse), 16);
    assert_eq!(offset!(netcl_model_options, dtype), 20);
}

#[test]
fn netcl_model_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_model_info, struct_size), 0);
    assert_eq!(offset!(netcl_model_info, node_count), 8);
    assert_eq!(offset!(netcl_model_info, weight_count), 16);
    assert_eq!(offset!(netcl_model_info, weight_bytes), 24);
    assert_eq!(offset!(netcl_model_info, form_count), 32);
    assert_eq!(offset!(netcl_model_info, ir_version), 40);
    assert_eq!(offset!(netcl_model_info, opset), 48);
    assert_eq!(offset!(netcl_model_info, input_count), 56);
    assert_eq!(offset!(netcl_model_info, output_count), 60);
    assert_eq!(offset!(netcl_model_info, name), 64);
    assert_eq!(offset!(netcl_model_info, producer), 192);
}

#[test]
fn netcl_model_value_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_model_value, struct_size), 0);
    assert_eq!(offset!(netcl_model_value, dtype), 8);
    assert_eq!(offset!(netcl_model_value, has_rank), 12);
    assert_eq!(offset!(netcl_model_value, rank), 16);
    assert_eq!(offset!(netcl_model_value, bound), 20);
    assert_eq!(offset!(netcl_model_value, shape), 24);
    assert_eq!(offset!(netcl_model_value, name), 88);
    assert_eq!(offset!(netcl_model_value, dimensions), 344);
}

#[test]
fn netcl_weights_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_weights_options, struct_size), 0);
    assert_eq!(offset!(netcl_weights_options, map), 8);
    assert_eq!(offset!(netcl_weights_options, reserved), 12);
}

#[test]
fn netcl_weights_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_weights_info, struct_size), 0);
    assert_eq!(offset!(netcl_weights_info, format), 8);
    assert_eq!(offset!(netcl_weights_info, version), 12);
    assert_eq!(offset!(netcl_weights_info, tensor_count), 16);
    assert_eq!(offset!(netcl_weights_info, metadata_count), 20);
    assert_eq!(offset!(netcl_weights_info, file_bytes), 24);
}

#[test]
fn netcl_weights_entry_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_weights_entry, struct_size), 0);
    assert_eq!(offset!(netcl_weights_entry, dtype), 8);
    assert_eq!(offset!(netcl_weights_entry, quantization), 12);
    assert_eq!(offset!(netcl_weights_entry, rank), 16);
    assert_eq!(offset!(netcl_weights_entry, reserved), 20);
    assert_eq!(offset!(netcl_weights_entry, shape), 24);
    assert_eq!(offset!(netcl_weights_entry, byte_count), 88);
    assert_eq!(offset!(netcl_weights_entry, type_), 96);
    assert_eq!(offset!(netcl_weights_entry, name), 128);
}

#[test]
fn netcl_weights_save_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_weights_save_options, struct_size), 0);
    assert_eq!(offset!(netcl_weights_save_options, keys), 8);
    assert_eq!(offset!(netcl_weights_save_options, values), 16);
    assert_eq!(offset!(netcl_weights_save_options, keys_count), 24);
    assert_eq!(offset!(netcl_weights_save_options, values_count), 28);
}

#[test]
fn netcl_group_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_group_options, struct_size), 0);
    assert_eq!(offset!(netcl_group_options, timeout_ns), 8);
    assert_eq!(offset!(netcl_group_options, transport), 16);
    assert_eq!(offset!(netcl_group_options, reserved), 20);
}

#[test]
fn netcl_group_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_group_info, struct_size), 0);
    assert_eq!(offset!(netcl_group_info, rank), 8);
    assert_eq!(offset!(netcl_group_info, size), 12);
    assert_eq!(offset!(netcl_group_info, failure), 16);
    assert_eq!(offset!(netcl_group_info, transport), 20);
    assert_eq!(offset!(netcl_group_info, timeout_ns), 24);
    assert_eq!(offset!(netcl_group_info, calls), 32);
}

#[test]
fn netcl_reducer_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_reducer_options, struct_size), 0);
    assert_eq!(offset!(netcl_reducer_options, bucket_bytes), 8);
    assert_eq!(offset!(netcl_reducer_options, kind), 16);
    assert_eq!(offset!(netcl_reducer_options, reserved), 20);
}

#[test]
fn netcl_reducer_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_reducer_info, struct_size), 0);
    assert_eq!(offset!(netcl_reducer_info, bucket_bytes), 8);
    assert_eq!(offset!(netcl_reducer_info, runs), 16);
    assert_eq!(offset!(netcl_reducer_info, gradients), 24);
    assert_eq!(offset!(netcl_reducer_info, buckets), 32);
    assert_eq!(offset!(netcl_reducer_info, bytes), 40);
    assert_eq!(offset!(netcl_reducer_info, kind), 48);
    assert_eq!(offset!(netcl_reducer_info, waiting), 52);
    assert_eq!(offset!(netcl_reducer_info, room_bytes), 56);
}

#[test]
fn netcl_sharding_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_sharding_options, struct_size), 0);
    assert_eq!(offset!(netcl_sharding_options, mesh), 8);
    assert_eq!(offset!(netcl_sharding_options, axes), 16);
    assert_eq!(offset!(netcl_sharding_options, mesh_count), 24);
    assert_eq!(offset!(netcl_sharding_options, axes_count), 28);
}

#[test]
fn netcl_sharded_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_sharded_info, struct_size), 0);
    assert_eq!(offset!(netcl_sharded_info, dtype), 8);
    assert_eq!(offset!(netcl_sharded_info, rank), 12);
    assert_eq!(offset!(netcl_sharded_info, shape), 16);
    assert_eq!(offset!(netcl_sharded_info, mesh_rank), 80);
    assert_eq!(offset!(netcl_sharded_info, mesh), 84);
    assert_eq!(offset!(netcl_sharded_info, axes), 96);
    assert_eq!(offset!(netcl_sharded_info, reserved), 108);
}

#[test]
fn netcl_block_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_block_info, struct_size), 0);
    assert_eq!(offset!(netcl_block_info, first), 8);
    assert_eq!(offset!(netcl_block_info, shape), 72);
}

#[test]
fn netcl_halo_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_halo_options, struct_size), 0);
    assert_eq!(offset!(netcl_halo_options, value), 8);
    assert_eq!(offset!(netcl_halo_options, periodic), 16);
    assert_eq!(offset!(netcl_halo_options, reserved), 20);
}

#[test]
fn netcl_measurement_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_measurement_options, struct_size), 0);
    assert_eq!(offset!(netcl_measurement_options, warmup_count), 8);
    assert_eq!(offset!(netcl_measurement_options, warmup_ns), 16);
    assert_eq!(offset!(netcl_measurement_options, count), 24);
    assert_eq!(offset!(netcl_measurement_options, count_least), 32);
    assert_eq!(offset!(netcl_measurement_options, count_most), 40);
    assert_eq!(offset!(netcl_measurement_options, budget_ns), 48);
    assert_eq!(offset!(netcl_measurement_options, confidence), 56);
    assert_eq!(offset!(netcl_measurement_options, precision), 64);
    assert_eq!(offset!(netcl_measurement_options, flush_bytes), 72);
    assert_eq!(offset!(netcl_measurement_options, seed), 80);
    assert_eq!(offset!(netcl_measurement_options, candidates), 88);
    assert_eq!(offset!(netcl_measurement_options, cold_cache), 92);
    assert_eq!(offset!(netcl_measurement_options, source), 96);
    assert_eq!(offset!(netcl_measurement_options, reserved), 100);
    assert_eq!(offset!(netcl_measurement_options, measurement), 104);
}

#[test]
fn netcl_statistics_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_statistics, struct_size), 0);
    assert_eq!(offset!(netcl_statistics, count), 8);
    assert_eq!(offset!(netcl_statistics, median), 16);
    assert_eq!(offset!(netcl_statistics, mean), 24);
    assert_eq!(offset!(netcl_statistics, deviation), 32);
    assert_eq!(offset!(netcl_statistics, min), 40);
    assert_eq!(offset!(netcl_statistics, max), 48);
    assert_eq!(offset!(netcl_statistics, quartile_low), 56);
    assert_eq!(offset!(netcl_statistics, quartile_high), 64);
    assert_eq!(offset!(netcl_statistics, interval_low), 72);
    assert_eq!(offset!(netcl_statistics, interval_high), 80);
    assert_eq!(offset!(netcl_statistics, confidence), 88);
    assert_eq!(offset!(netcl_statistics, iterations), 96);
    assert_eq!(offset!(netcl_statistics, warmup_count), 104);
    assert_eq!(offset!(netcl_statistics, resolution_ns), 112);
    assert_eq!(offset!(netcl_statistics, bytes), 120);
    assert_eq!(offset!(netcl_statistics, bytes_written), 128);
    assert_eq!(offset!(netcl_statistics, operations), 136);
    assert_eq!(offset!(netcl_statistics, dtype), 144);
    assert_eq!(offset!(netcl_statistics, stop), 148);
    assert_eq!(offset!(netcl_statistics, cold_cache), 152);
    assert_eq!(offset!(netcl_statistics, flush_proven), 156);
    assert_eq!(offset!(netcl_statistics, matrix_units), 160);
    assert_eq!(offset!(netcl_statistics, reserved), 164);
}

#[test]
fn netcl_comparison_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_comparison, struct_size), 0);
    assert_eq!(offset!(netcl_comparison, ratio), 8);
    assert_eq!(offset!(netcl_comparison, interval_low), 16);
    assert_eq!(offset!(netcl_comparison, interval_high), 24);
    assert_eq!(offset!(netcl_comparison, verdict), 32);
    assert_eq!(offset!(netcl_comparison, reserved), 36);
}

#[test]
fn netcl_elapsed_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_elapsed, struct_size), 0);
    assert_eq!(offset!(netcl_elapsed, span_ns), 8);
    assert_eq!(offset!(netcl_elapsed, busy_ns), 16);
    assert_eq!(offset!(netcl_elapsed, host_ns), 24);
    assert_eq!(offset!(netcl_elapsed, commands), 32);
}

#[test]
fn netcl_profile_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_profile_options, struct_size), 0);
    assert_eq!(offset!(netcl_profile_options, trace_path), 8);
    assert_eq!(offset!(netcl_profile_options, records_most), 16);
}

#[test]
fn netcl_roofline_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_roofline_options, struct_size), 0);
    assert_eq!(offset!(netcl_roofline_options, threshold_pct), 8);
    assert_eq!(offset!(netcl_roofline_options, min_improvement_pct), 16);
    assert_eq!(offset!(netcl_roofline_options, tensor_core_threshold_pct), 24);
    assert_eq!(offset!(netcl_roofline_options, underutilized_pct), 32);
    assert_eq!(offset!(netcl_roofline_options, convergence_rounds), 40);
    assert_eq!(offset!(netcl_roofline_options, early_stop), 44);
}

#[test]
fn netcl_roofline_result_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_roofline_result, struct_size), 0);
    assert_eq!(offset!(netcl_roofline_result, compute_sol_pct), 8);
    assert_eq!(offset!(netcl_roofline_result, memory_sol_pct), 16);
    assert_eq!(offset!(netcl_roofline_result, efficiency_pct), 24);
    assert_eq!(offset!(netcl_roofline_result, at_roofline), 32);
    assert_eq!(offset!(netcl_roofline_result, uses_tensor_cores), 36);
    assert_eq!(offset!(netcl_roofline_result, headroom_pct), 40);
    assert_eq!(offset!(netcl_roofline_result, bottleneck), 48);
    assert_eq!(offset!(netcl_roofline_result, source), 52);
    assert_eq!(offset!(netcl_roofline_result, arithmetic_intensity), 56);
    assert_eq!(offset!(netcl_roofline_result, time_ns), 64);
    assert_eq!(offset!(netcl_roofline_result, roof_ns), 72);
    assert_eq!(offset!(netcl_roofline_result, warnings_count), 80);
    assert_eq!(offset!(netcl_roofline_result, reserved), 84);
    assert_eq!(offset!(netcl_roofline_result, ceiling), 88);
    assert_eq!(offset!(netcl_roofline_result, warnings), 120);
    assert_eq!(offset!(netcl_roofline_result, launches_count), 632);
    assert_eq!(offset!(netcl_roofline_result, launch), 636);
    assert_eq!(offset!(netcl_roofline_result, kernel), 640);
}

#[test]
fn netcl_ncu_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_ncu_options, struct_size), 0);
    assert_eq!(offset!(netcl_ncu_options, kernel), 8);
    assert_eq!(offset!(netcl_ncu_options, policy), 16);
    assert_eq!(offset!(netcl_ncu_options, exact), 20);
}

#[test]
fn netcl_ceiling_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_ceiling, kind), 0);
    assert_eq!(offset!(netcl_ceiling, dtype), 4);
    assert_eq!(offset!(netcl_ceiling, working_set), 8);
    assert_eq!(offset!(netcl_ceiling, value), 16);
    assert_eq!(offset!(netcl_ceiling, spread), 24);
    assert_eq!(offset!(netcl_ceiling, given), 32);
    assert_eq!(offset!(netcl_ceiling, disproved), 36);
}

#[test]
fn netcl_ceilings_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_ceilings_options, struct_size), 0);
    assert_eq!(offset!(netcl_ceilings_options, budget_ns), 8);
    assert_eq!(offset!(netcl_ceilings_options, remeasure), 16);
    assert_eq!(offset!(netcl_ceilings_options, no_store), 20);
}

#[test]
fn netcl_ceilings_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_ceilings_info, struct_size), 0);
    assert_eq!(offset!(netcl_ceilings_info, time_ns), 8);
    assert_eq!(offset!(netcl_ceilings_info, spent_ns), 16);
    assert_eq!(offset!(netcl_ceilings_info, rows_count), 24);
    assert_eq!(offset!(netcl_ceilings_info, from_store), 28);
    assert_eq!(offset!(netcl_ceilings_info, device), 32);
    assert_eq!(offset!(netcl_ceilings_info, driver_version), 288);
}

#[test]
fn netcl_tuning_key_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_tuning_key, struct_size), 0);
    assert_eq!(offset!(netcl_tuning_key, kernel), 8);
    assert_eq!(offset!(netcl_tuning_key, source), 16);
    assert_eq!(offset!(netcl_tuning_key, flags), 24);
    assert_eq!(offset!(netcl_tuning_key, dtypes), 32);
    assert_eq!(offset!(netcl_tuning_key, layout), 40);
    assert_eq!(offset!(netcl_tuning_key, part), 48);
    assert_eq!(offset!(netcl_tuning_key, driver), 56);
    assert_eq!(offset!(netcl_tuning_key, shape), 64);
    assert_eq!(offset!(netcl_tuning_key, shape_count), 256);
    assert_eq!(offset!(netcl_tuning_key, scalars_count), 260);
    assert_eq!(offset!(netcl_tuning_key, scalars), 264);
}

#[test]
fn netcl_tuning_record_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_tuning_record, struct_size), 0);
    assert_eq!(offset!(netcl_tuning_record, median), 8);
    assert_eq!(offset!(netcl_tuning_record, interval_low), 16);
    assert_eq!(offset!(netcl_tuning_record, interval_high), 24);
    assert_eq!(offset!(netcl_tuning_record, default_median), 32);
    assert_eq!(offset!(netcl_tuning_record, samples_count), 40);
    assert_eq!(offset!(netcl_tuning_record, timestamp), 48);
    assert_eq!(offset!(netcl_tuning_record, shape), 56);
    assert_eq!(offset!(netcl_tuning_record, shape_count), 248);
    assert_eq!(offset!(netcl_tuning_record, match_), 252);
    assert_eq!(offset!(netcl_tuning_record, kind), 256);
    assert_eq!(offset!(netcl_tuning_record, outcome), 260);
    assert_eq!(offset!(netcl_tuning_record, kernel), 264);
    assert_eq!(offset!(netcl_tuning_record, source), 392);
    assert_eq!(offset!(netcl_tuning_record, flags), 456);
    assert_eq!(offset!(netcl_tuning_record, dtypes), 712);
    assert_eq!(offset!(netcl_tuning_record, layout), 840);
    assert_eq!(offset!(netcl_tuning_record, part), 904);
    assert_eq!(offset!(netcl_tuning_record, driver), 1160);
    assert_eq!(offset!(netcl_tuning_record, reason), 1416);
    assert_eq!(offset!(netcl_tuning_record, scalars), 1672);
    assert_eq!(offset!(netcl_tuning_record, scalars_count), 1800);
    assert_eq!(offset!(netcl_tuning_record, reserved), 1804);
    assert_eq!(offset!(netcl_tuning_record, global), 1808);
    assert_eq!(offset!(netcl_tuning_record, local), 1832);
}

#[test]
fn netcl_tuning_database_info_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_tuning_database_info, struct_size), 0);
    assert_eq!(offset!(netcl_tuning_database_info, records), 8);
    assert_eq!(offset!(netcl_tuning_database_info, lines), 16);
    assert_eq!(offset!(netcl_tuning_database_info, superseded), 24);
    assert_eq!(offset!(netcl_tuning_database_info, foreign), 32);
    assert_eq!(offset!(netcl_tuning_database_info, damaged), 40);
    assert_eq!(offset!(netcl_tuning_database_info, bytes), 48);
    assert_eq!(offset!(netcl_tuning_database_info, path), 56);
    assert_eq!(offset!(netcl_tuning_database_info, reason), 568);
}

#[test]
fn netcl_benchmark_tensor_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_benchmark_tensor, struct_size), 0);
    assert_eq!(offset!(netcl_benchmark_tensor, name), 8);
    assert_eq!(offset!(netcl_benchmark_tensor, data), 16);
    assert_eq!(offset!(netcl_benchmark_tensor, data_size), 24);
    assert_eq!(offset!(netcl_benchmark_tensor, shape), 32);
    assert_eq!(offset!(netcl_benchmark_tensor, a), 96);
    assert_eq!(offset!(netcl_benchmark_tensor, b), 104);
    assert_eq!(offset!(netcl_benchmark_tensor, absolute), 112);
    assert_eq!(offset!(netcl_benchmark_tensor, relative), 120);
    assert_eq!(offset!(netcl_benchmark_tensor, dtype), 128);
    assert_eq!(offset!(netcl_benchmark_tensor, access), 132);
    assert_eq!(offset!(netcl_benchmark_tensor, fill), 136);
    assert_eq!(offset!(netcl_benchmark_tensor, rank), 140);
    assert_eq!(offset!(netcl_benchmark_tensor, exact), 144);
    assert_eq!(offset!(netcl_benchmark_tensor, reserved), 148);
}

#[test]
fn netcl_benchmark_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_benchmark_options, struct_size), 0);
    assert_eq!(offset!(netcl_benchmark_options, worker_path), 8);
    assert_eq!(offset!(netcl_benchmark_options, temp_dir), 16);
    assert_eq!(offset!(netcl_benchmark_options, lock_path), 24);
    assert_eq!(offset!(netcl_benchmark_options, compile_timeout_ns), 32);
    assert_eq!(offset!(netcl_benchmark_options, run_timeout_ns), 40);
    assert_eq!(offset!(netcl_benchmark_options, lock_timeout_ns), 48);
    assert_eq!(offset!(netcl_benchmark_options, start_timeout_ns), 56);
    assert_eq!(offset!(netcl_benchmark_options, seed), 64);
    assert_eq!(offset!(netcl_benchmark_options, rounds), 72);
    assert_eq!(offset!(netcl_benchmark_options, worker_id), 76);
    assert_eq!(offset!(netcl_benchmark_options, lock), 80);
    assert_eq!(offset!(netcl_benchmark_options, reserved), 84);
}

#[test]
fn netcl_benchmark_candidate_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_benchmark_candidate, struct_size), 0);
    assert_eq!(offset!(netcl_benchmark_candidate, name), 8);
    assert_eq!(offset!(netcl_benchmark_candidate, source), 16);
    assert_eq!(offset!(netcl_benchmark_candidate, path), 24);
    assert_eq!(offset!(netcl_benchmark_candidate, kernel), 32);
    assert_eq!(offset!(netcl_benchmark_candidate, setup_kernel), 40);
    assert_eq!(offset!(netcl_benchmark_candidate, flags), 48);
    assert_eq!(offset!(netcl_benchmark_candidate, defines), 56);
    assert_eq!(offset!(netcl_benchmark_candidate, global), 64);
    assert_eq!(offset!(netcl_benchmark_candidate, local), 88);
    assert_eq!(offset!(netcl_benchmark_candidate, setup_global), 112);
    assert_eq!(offset!(netcl_benchmark_candidate, global_count), 136);
    assert_eq!(offset!(netcl_benchmark_candidate, flags_count), 140);
    assert_eq!(offset!(netcl_benchmark_candidate, defines_count), 144);
    assert_eq!(offset!(netcl_benchmark_candidate, fast_math), 148);
    assert_eq!(offset!(netcl_benchmark_candidate, no_preamble), 152);
    assert_eq!(offset!(netcl_benchmark_candidate, round_up), 156);
}

#[test]
fn netcl_benchmark_result_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_benchmark_result, struct_size), 0);
    assert_eq!(offset!(netcl_benchmark_result, outcome), 8);
    assert_eq!(offset!(netcl_benchmark_result, deaths), 12);
    assert_eq!(offset!(netcl_benchmark_result, count), 16);
    assert_eq!(offset!(netcl_benchmark_result, mean), 24);
    assert_eq!(offset!(netcl_benchmark_result, deviation), 32);
    assert_eq!(offset!(netcl_benchmark_result, min), 40);
    assert_eq!(offset!(netcl_benchmark_result, max), 48);
    assert_eq!(offset!(netcl_benchmark_result, median), 56);
    assert_eq!(offset!(netcl_benchmark_result, speedup), 64);
    assert_eq!(offset!(netcl_benchmark_result, compile_ns), 72);
    assert_eq!(offset!(netcl_benchmark_result, first_run_ns), 80);
    assert_eq!(offset!(netcl_benchmark_result, global), 88);
    assert_eq!(offset!(netcl_benchmark_result, local), 112);
    assert_eq!(offset!(netcl_benchmark_result, message), 136);
}

#[test]
fn netcl_search_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_search_options, struct_size), 0);
    assert_eq!(offset!(netcl_search_options, seed), 8);
    assert_eq!(offset!(netcl_search_options, evaluations), 16);
    assert_eq!(offset!(netcl_search_options, patience), 24);
    assert_eq!(offset!(netcl_search_options, budget_ns), 32);
    assert_eq!(offset!(netcl_search_options, samples), 40);
    assert_eq!(offset!(netcl_search_options, precision), 48);
    assert_eq!(offset!(netcl_search_options, drop_factor), 56);
    assert_eq!(offset!(netcl_search_options, roof_ns), 64);
    assert_eq!(offset!(netcl_search_options, threshold_pct), 72);
    assert_eq!(offset!(netcl_search_options, strategy), 80);
    assert_eq!(offset!(netcl_search_options, reserved), 84);
}

#[test]
fn netcl_search_event_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_search_event, struct_size), 0);
    assert_eq!(offset!(netcl_search_event, sequence), 8);
    assert_eq!(offset!(netcl_search_event, time_ns), 16);
    assert_eq!(offset!(netcl_search_event, evaluations), 24);
    assert_eq!(offset!(netcl_search_event, left_ns), 32);
    assert_eq!(offset!(netcl_search_event, fraction), 40);
    assert_eq!(offset!(netcl_search_event, candidate_ns), 48);
    assert_eq!(offset!(netcl_search_event, best_ns), 56);
    assert_eq!(offset!(netcl_search_event, kind), 64);
    assert_eq!(offset!(netcl_search_event, candidate), 68);
    assert_eq!(offset!(netcl_search_event, outcome), 72);
    assert_eq!(offset!(netcl_search_event, best), 76);
    assert_eq!(offset!(netcl_search_event, entry), 80);
    assert_eq!(offset!(netcl_search_event, reserved), 84);
}

#[test]
fn netcl_search_result_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_search_result, struct_size), 0);
    assert_eq!(offset!(netcl_search_result, stop), 8);
    assert_eq!(offset!(netcl_search_result, best), 12);
    assert_eq!(offset!(netcl_search_result, configurations), 16);
    assert_eq!(offset!(netcl_search_result, evaluations), 24);
    assert_eq!(offset!(netcl_search_result, known), 32);
    assert_eq!(offset!(netcl_search_result, elapsed_ns), 40);
    assert_eq!(offset!(netcl_search_result, median), 48);
    assert_eq!(offset!(netcl_search_result, interval_low), 56);
    assert_eq!(offset!(netcl_search_result, interval_high), 64);
    assert_eq!(offset!(netcl_search_result, default_median), 72);
    assert_eq!(offset!(netcl_search_result, gain), 80);
    assert_eq!(offset!(netcl_search_result, gain_low), 88);
    assert_eq!(offset!(netcl_search_result, gain_high), 96);
    assert_eq!(offset!(netcl_search_result, is_default), 104);
    assert_eq!(offset!(netcl_search_result, tie), 108);
    assert_eq!(offset!(netcl_search_result, counts), 112);
}

#[test]
fn netcl_search_candidate_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_search_candidate, struct_size), 0);
    assert_eq!(offset!(netcl_search_candidate, place), 8);
    assert_eq!(offset!(netcl_search_candidate, samples_count), 16);
    assert_eq!(offset!(netcl_search_candidate, compile_ns), 24);
    assert_eq!(offset!(netcl_search_candidate, median), 32);
    assert_eq!(offset!(netcl_search_candidate, interval_low), 40);
    assert_eq!(offset!(netcl_search_candidate, interval_high), 48);
    assert_eq!(offset!(netcl_search_candidate, outcome), 56);
    assert_eq!(offset!(netcl_search_candidate, known), 60);
    assert_eq!(offset!(netcl_search_candidate, message), 64);
}

#[test]
fn netcl_replay_result_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_replay_result, struct_size), 0);
    assert_eq!(offset!(netcl_replay_result, recorded), 8);
    assert_eq!(offset!(netcl_replay_result, valid), 16);
    assert_eq!(offset!(netcl_replay_result, evaluations), 24);
    assert_eq!(offset!(netcl_replay_result, optimum), 32);
    assert_eq!(offset!(netcl_replay_result, best), 40);
    assert_eq!(offset!(netcl_replay_result, stop), 48);
    assert_eq!(offset!(netcl_replay_result, strategy), 52);
}

#[test]
fn netcl_tuner_options_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_tuner_options, struct_size), 0);
    assert_eq!(offset!(netcl_tuner_options, search), 8);
    assert_eq!(offset!(netcl_tuner_options, database), 16);
    assert_eq!(offset!(netcl_tuner_options, warmup_count), 24);
    assert_eq!(offset!(netcl_tuner_options, compile_limit_ns), 32);
    assert_eq!(offset!(netcl_tuner_options, run_limit_ns), 40);
    assert_eq!(offset!(netcl_tuner_options, in_process), 48);
    assert_eq!(offset!(netcl_tuner_options, force), 52);
}

#[test]
fn netcl_kernel_tuning_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_kernel_tuning, struct_size), 0);
    assert_eq!(offset!(netcl_kernel_tuning, local_sizes), 8);
    assert_eq!(offset!(netcl_kernel_tuning, tile_sizes), 16);
    assert_eq!(offset!(netcl_kernel_tuning, unroll_factors), 24);
    assert_eq!(offset!(netcl_kernel_tuning, tile_macro), 32);
    assert_eq!(offset!(netcl_kernel_tuning, unroll_macro), 40);
    assert_eq!(offset!(netcl_kernel_tuning, space), 48);
    assert_eq!(offset!(netcl_kernel_tuning, launch), 56);
    assert_eq!(offset!(netcl_kernel_tuning, local_sizes_count), 64);
    assert_eq!(offset!(netcl_kernel_tuning, tile_sizes_count), 68);
    assert_eq!(offset!(netcl_kernel_tuning, unroll_factors_count), 72);
    assert_eq!(offset!(netcl_kernel_tuning, reserved), 76);
    assert_eq!(offset!(netcl_kernel_tuning, work), 80);
}

#[test]
fn netcl_tuner_result_is_laid_out_as_in_c() {
    assert_eq!(offset!(netcl_tuner_result, struct_size), 0);
    assert_eq!(offset!(netcl_tuner_result, match_), 8);
    assert_eq!(offset!(netcl_tuner_result, measured), 12);
    assert_eq!(offset!(netcl_tuner_result, status), 16);
    assert_eq!(offset!(netcl_tuner_result, reserved), 20);
    assert_eq!(offset!(netcl_tuner_result, elapsed_ns), 24);
    assert_eq!(offset!(netcl_tuner_result, evaluations), 32);
    assert_eq!(offset!(netcl_tuner_result, median), 40);
    assert_eq!(offset!(netcl_tuner_result, default_median), 48);
    assert_eq!(offset!(netcl_tuner_result, name), 56);
    assert_eq!(offset!(netcl_tuner_result, message), 184);
    assert_eq!(offset!(netcl_tuner_result, global), 440);
    assert_eq!(offset!(netcl_tuner_result, local), 464);
}
