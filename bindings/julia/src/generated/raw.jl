# Written by bindings/generator from include/netcl.h; changes here are lost.

# The functions of C. Each has an entry, which is filled when the library is loaded.

const E_netcl_status_name = Entry("netcl_status_name")
const E_netcl_last_error_message = Entry("netcl_last_error_message")
const E_netcl_last_error_get_info = Entry("netcl_last_error_get_info")
const E_netcl_last_error_set = Entry("netcl_last_error_set")
const E_netcl_version_number = Entry("netcl_version_number")
const E_netcl_version_string = Entry("netcl_version_string")
const E_netcl_library_get_info = Entry("netcl_library_get_info")
const E_netcl_library_get_live_count = Entry("netcl_library_get_live_count")
const E_netcl_shutdown = Entry("netcl_shutdown")
const E_netcl_library_set_exit_timeout = Entry("netcl_library_set_exit_timeout")
const E_netcl_interrupt_enable = Entry("netcl_interrupt_enable")
const E_netcl_interrupt_disable = Entry("netcl_interrupt_disable")
const E_netcl_log_set_level = Entry("netcl_log_set_level")
const E_netcl_log_set_callback = Entry("netcl_log_set_callback")
const E_netcl_log_read = Entry("netcl_log_read")
const E_netcl_dtype_name = Entry("netcl_dtype_name")
const E_netcl_dtype_size = Entry("netcl_dtype_size")
const E_netcl_device_count = Entry("netcl_device_count")
const E_netcl_device_describe = Entry("netcl_device_describe")
const E_netcl_device_diagnose = Entry("netcl_device_diagnose")
const E_netcl_device_open = Entry("netcl_device_open")
const E_netcl_device_open_from_cl = Entry("netcl_device_open_from_cl")
const E_netcl_device_retain = Entry("netcl_device_retain")
const E_netcl_device_release = Entry("netcl_device_release")
const E_netcl_device_get_info = Entry("netcl_device_get_info")
const E_netcl_device_get_capabilities = Entry("netcl_device_get_capabilities")
const E_netcl_device_finish = Entry("netcl_device_finish")
const E_netcl_device_suggest_local_size = Entry("netcl_device_suggest_local_size")
const E_netcl_device_explain_copy = Entry("netcl_device_explain_copy")
const E_netcl_device_get_cl_context = Entry("netcl_device_get_cl_context")
const E_netcl_device_get_cl_device = Entry("netcl_device_get_cl_device")
const E_netcl_device_get_queue = Entry("netcl_device_get_queue")
const E_netcl_device_push = Entry("netcl_device_push")
const E_netcl_device_pop = Entry("netcl_device_pop")
const E_netcl_device_current = Entry("netcl_device_current")
const E_netcl_queue_create = Entry("netcl_queue_create")
const E_netcl_queue_create_from_cl = Entry("netcl_queue_create_from_cl")
const E_netcl_queue_retain = Entry("netcl_queue_retain")
const E_netcl_queue_release = Entry("netcl_queue_release")
const E_netcl_queue_get_info = Entry("netcl_queue_get_info")
const E_netcl_queue_get_device = Entry("netcl_queue_get_device")
const E_netcl_queue_set_profiling = Entry("netcl_queue_set_profiling")
const E_netcl_queue_flush = Entry("netcl_queue_flush")
const E_netcl_queue_finish = Entry("netcl_queue_finish")
const E_netcl_queue_enqueue_marker = Entry("netcl_queue_enqueue_marker")
const E_netcl_queue_get_cl_queue = Entry("netcl_queue_get_cl_queue")
const E_netcl_event_create_from_cl = Entry("netcl_event_create_from_cl")
const E_netcl_event_retain = Entry("netcl_event_retain")
const E_netcl_event_release = Entry("netcl_event_release")
const E_netcl_event_wait = Entry("netcl_event_wait")
const E_netcl_event_query = Entry("netcl_event_query")
const E_netcl_event_get_timing = Entry("netcl_event_get_timing")
const E_netcl_event_get_error = Entry("netcl_event_get_error")
const E_netcl_event_get_cl_event = Entry("netcl_event_get_cl_event")
const E_netcl_pool_create = Entry("netcl_pool_create")
const E_netcl_device_get_pool = Entry("netcl_device_get_pool")
const E_netcl_pool_retain = Entry("netcl_pool_retain")
const E_netcl_pool_release = Entry("netcl_pool_release")
const E_netcl_pool_get_info = Entry("netcl_pool_get_info")
const E_netcl_pool_get_buckets = Entry("netcl_pool_get_buckets")
const E_netcl_pool_trim = Entry("netcl_pool_trim")
const E_netcl_pool_allocate = Entry("netcl_pool_allocate")
const E_netcl_buffer_create_pinned = Entry("netcl_buffer_create_pinned")
const E_netcl_buffer_create_zero_copy = Entry("netcl_buffer_create_zero_copy")
const E_netcl_buffer_retain = Entry("netcl_buffer_retain")
const E_netcl_buffer_release = Entry("netcl_buffer_release")
const E_netcl_buffer_get_info = Entry("netcl_buffer_get_info")
const E_netcl_buffer_get_cl_mem = Entry("netcl_buffer_get_cl_mem")
const E_netcl_buffer_export = Entry("netcl_buffer_export")
const E_netcl_buffer_import = Entry("netcl_buffer_import")
const E_netcl_buffer_get_cuda_address = Entry("netcl_buffer_get_cuda_address")
const E_netcl_tensor_create = Entry("netcl_tensor_create")
const E_netcl_tensor_create_zeros = Entry("netcl_tensor_create_zeros")
const E_netcl_tensor_create_full = Entry("netcl_tensor_create_full")
const E_netcl_tensor_create_random = Entry("netcl_tensor_create_random")
const E_netcl_tensor_create_from_host = Entry("netcl_tensor_create_from_host")
const E_netcl_tensor_create_from_buffer = Entry("netcl_tensor_create_from_buffer")
const E_netcl_tensor_create_from_cl = Entry("netcl_tensor_create_from_cl")
const E_netcl_tensor_create_from_dlpack = Entry("netcl_tensor_create_from_dlpack")
const E_netcl_tensor_to_dlpack = Entry("netcl_tensor_to_dlpack")
const E_netcl_tensor_load_npy = Entry("netcl_tensor_load_npy")
const E_netcl_tensor_create_from_npy = Entry("netcl_tensor_create_from_npy")
const E_netcl_tensor_save_npy = Entry("netcl_tensor_save_npy")
const E_netcl_tensor_retain = Entry("netcl_tensor_retain")
const E_netcl_tensor_release = Entry("netcl_tensor_release")
const E_netcl_tensor_get_info = Entry("netcl_tensor_get_info")
const E_netcl_tensor_get_device = Entry("netcl_tensor_get_device")
const E_netcl_tensor_get_buffer = Entry("netcl_tensor_get_buffer")
const E_netcl_tensor_slice = Entry("netcl_tensor_slice")
const E_netcl_tensor_permute = Entry("netcl_tensor_permute")
const E_netcl_tensor_broadcast = Entry("netcl_tensor_broadcast")
const E_netcl_tensor_view = Entry("netcl_tensor_view")
const E_netcl_tensor_reshape = Entry("netcl_tensor_reshape")
const E_netcl_tensor_read = Entry("netcl_tensor_read")
const E_netcl_tensor_write = Entry("netcl_tensor_write")
const E_netcl_tensor_wait = Entry("netcl_tensor_wait")
const E_netcl_kernel_create = Entry("netcl_kernel_create")
const E_netcl_kernel_create_elementwise = Entry("netcl_kernel_create_elementwise")
const E_netcl_kernel_retain = Entry("netcl_kernel_retain")
const E_netcl_kernel_release = Entry("netcl_kernel_release")
const E_netcl_kernel_build = Entry("netcl_kernel_build")
const E_netcl_kernel_get_info = Entry("netcl_kernel_get_info")
const E_netcl_kernel_get_arg_info = Entry("netcl_kernel_get_arg_info")
const E_netcl_kernel_get_source = Entry("netcl_kernel_get_source")
const E_netcl_kernel_get_build_log = Entry("netcl_kernel_get_build_log")
const E_netcl_kernel_get_binary = Entry("netcl_kernel_get_binary")
const E_netcl_kernel_shape_signature = Entry("netcl_kernel_shape_signature")
const E_netcl_kernel_register = Entry("netcl_kernel_register")
const E_netcl_kernel_unregister = Entry("netcl_kernel_unregister")
const E_netcl_kernel_find = Entry("netcl_kernel_find")
const E_netcl_kernel_launch = Entry("netcl_kernel_launch")
const E_netcl_kernel_explain_launch = Entry("netcl_kernel_explain_launch")
const E_netcl_kernel_launch_by_name = Entry("netcl_kernel_launch_by_name")
const E_netcl_program_cache_get_info = Entry("netcl_program_cache_get_info")
const E_netcl_program_cache_clear = Entry("netcl_program_cache_clear")
const E_netcl_program_cache_get_entry = Entry("netcl_program_cache_get_entry")
const E_netcl_expression_create = Entry("netcl_expression_create")
const E_netcl_expression_retain = Entry("netcl_expression_retain")
const E_netcl_expression_release = Entry("netcl_expression_release")
const E_netcl_expression_get_arity = Entry("netcl_expression_get_arity")
const E_netcl_expression_get_text = Entry("netcl_expression_get_text")
const E_netcl_expression_differentiate = Entry("netcl_expression_differentiate")
const E_netcl_variant_name = Entry("netcl_variant_name")
const E_netcl_variant_select_matmul = Entry("netcl_variant_select_matmul")
const E_netcl_variant_select_conv2d = Entry("netcl_variant_select_conv2d")
const E_netcl_variant_select_elementwise = Entry("netcl_variant_select_elementwise")
const E_netcl_variant_select_reduction = Entry("netcl_variant_select_reduction")
const E_netcl_variant_select_batchnorm = Entry("netcl_variant_select_batchnorm")
const E_netcl_variant_clear_cache = Entry("netcl_variant_clear_cache")
const E_netcl_op_expression = Entry("netcl_op_expression")
const E_netcl_op_expression_text = Entry("netcl_op_expression_text")
const E_netcl_op_expressions = Entry("netcl_op_expressions")
const E_netcl_elementwise_name = Entry("netcl_elementwise_name")
const E_netcl_elementwise_find = Entry("netcl_elementwise_find")
const E_netcl_op_elementwise = Entry("netcl_op_elementwise")
const E_netcl_op_bias_add = Entry("netcl_op_bias_add")
const E_netcl_op_copy = Entry("netcl_op_copy")
const E_netcl_op_contiguous = Entry("netcl_op_contiguous")
const E_netcl_op_cast = Entry("netcl_op_cast")
const E_netcl_op_fill = Entry("netcl_op_fill")
const E_netcl_op_range = Entry("netcl_op_range")
const E_netcl_op_eye = Entry("netcl_op_eye")
const E_netcl_primitive_register = Entry("netcl_primitive_register")
const E_netcl_primitive_register_kernels = Entry("netcl_primitive_register_kernels")
const E_netcl_primitive_register_function = Entry("netcl_primitive_register_function")
const E_netcl_primitive_unregister = Entry("netcl_primitive_unregister")
const E_netcl_op_primitive = Entry("netcl_op_primitive")
const E_netcl_op_primitive_gradient = Entry("netcl_op_primitive_gradient")
const E_netcl_op_matmul = Entry("netcl_op_matmul")
const E_netcl_op_einsum = Entry("netcl_op_einsum")
const E_netcl_kernel_create_matmul = Entry("netcl_kernel_create_matmul")
const E_netcl_op_conv2d = Entry("netcl_op_conv2d")
const E_netcl_op_matmul_quantized = Entry("netcl_op_matmul_quantized")
const E_netcl_op_dequantize_weights = Entry("netcl_op_dequantize_weights")
const E_netcl_op_quantize_weights = Entry("netcl_op_quantize_weights")
const E_netcl_op_attention = Entry("netcl_op_attention")
const E_netcl_op_rotary_embedding = Entry("netcl_op_rotary_embedding")
const E_netcl_op_reduce = Entry("netcl_op_reduce")
const E_netcl_op_scan = Entry("netcl_op_scan")
const E_netcl_op_histogram = Entry("netcl_op_histogram")
const E_netcl_op_topk = Entry("netcl_op_topk")
const E_netcl_op_softmax = Entry("netcl_op_softmax")
const E_netcl_op_log_softmax = Entry("netcl_op_log_softmax")
const E_netcl_op_layernorm = Entry("netcl_op_layernorm")
const E_netcl_op_rmsnorm = Entry("netcl_op_rmsnorm")
const E_netcl_op_batchnorm = Entry("netcl_op_batchnorm")
const E_netcl_op_pool = Entry("netcl_op_pool")
const E_netcl_op_max_unpool2d = Entry("netcl_op_max_unpool2d")
const E_netcl_op_roi_pool = Entry("netcl_op_roi_pool")
const E_netcl_op_quantize_linear = Entry("netcl_op_quantize_linear")
const E_netcl_op_dequantize_linear = Entry("netcl_op_dequantize_linear")
const E_netcl_op_dynamic_quantize_linear = Entry("netcl_op_dynamic_quantize_linear")
const E_netcl_op_qlinear_matmul = Entry("netcl_op_qlinear_matmul")
const E_netcl_op_conv2d_integer = Entry("netcl_op_conv2d_integer")
const E_netcl_op_qlinear_conv2d = Entry("netcl_op_qlinear_conv2d")
const E_netcl_op_cross_entropy = Entry("netcl_op_cross_entropy")
const E_netcl_op_nll_loss = Entry("netcl_op_nll_loss")
const E_netcl_op_sgd = Entry("netcl_op_sgd")
const E_netcl_op_adam = Entry("netcl_op_adam")
const E_netcl_op_rmsprop = Entry("netcl_op_rmsprop")
const E_netcl_op_adagrad = Entry("netcl_op_adagrad")
const E_netcl_op_clip_by_norm = Entry("netcl_op_clip_by_norm")
const E_netcl_op_unscale = Entry("netcl_op_unscale")
const E_netcl_op_update_loss_scale = Entry("netcl_op_update_loss_scale")
const E_netcl_op_transpose = Entry("netcl_op_transpose")
const E_netcl_op_concat = Entry("netcl_op_concat")
const E_netcl_tensor_split = Entry("netcl_tensor_split")
const E_netcl_op_pad = Entry("netcl_op_pad")
const E_netcl_op_tile = Entry("netcl_op_tile")
const E_netcl_op_trilu = Entry("netcl_op_trilu")
const E_netcl_op_gather = Entry("netcl_op_gather")
const E_netcl_op_gather_elements = Entry("netcl_op_gather_elements")
const E_netcl_op_embedding = Entry("netcl_op_embedding")
const E_netcl_op_one_hot = Entry("netcl_op_one_hot")
const E_netcl_op_scatter = Entry("netcl_op_scatter")
const E_netcl_op_gather_nd = Entry("netcl_op_gather_nd")
const E_netcl_op_scatter_nd = Entry("netcl_op_scatter_nd")
const E_netcl_op_depth_to_space = Entry("netcl_op_depth_to_space")
const E_netcl_op_space_to_depth = Entry("netcl_op_space_to_depth")
const E_netcl_op_resize = Entry("netcl_op_resize")
const E_netcl_graph_create = Entry("netcl_graph_create")
const E_netcl_graph_retain = Entry("netcl_graph_retain")
const E_netcl_graph_release = Entry("netcl_graph_release")
const E_netcl_graph_clear = Entry("netcl_graph_clear")
const E_netcl_graph_create_from_function = Entry("netcl_graph_create_from_function")
const E_netcl_graph_get_info = Entry("netcl_graph_get_info")
const E_netcl_graph_add_gradients = Entry("netcl_graph_add_gradients")
const E_netcl_graph_compile = Entry("netcl_graph_compile")
const E_netcl_graph_run = Entry("netcl_graph_run")
const E_netcl_graph_evaluate = Entry("netcl_graph_evaluate")
const E_netcl_graph_explain = Entry("netcl_graph_explain")
const E_netcl_model_load = Entry("netcl_model_load")
const E_netcl_model_load_memory = Entry("netcl_model_load_memory")
const E_netcl_model_retain = Entry("netcl_model_retain")
const E_netcl_model_release = Entry("netcl_model_release")
const E_netcl_model_get_info = Entry("netcl_model_get_info")
const E_netcl_model_get_input = Entry("netcl_model_get_input")
const E_netcl_model_get_output = Entry("netcl_model_get_output")
const E_netcl_model_find_input = Entry("netcl_model_find_input")
const E_netcl_model_find_output = Entry("netcl_model_find_output")
const E_netcl_model_run = Entry("netcl_model_run")
const E_netcl_model_evaluate = Entry("netcl_model_evaluate")
const E_netcl_model_explain = Entry("netcl_model_explain")
const E_netcl_model_describe = Entry("netcl_model_describe")
const E_netcl_weights_open = Entry("netcl_weights_open")
const E_netcl_weights_retain = Entry("netcl_weights_retain")
const E_netcl_weights_release = Entry("netcl_weights_release")
const E_netcl_weights_get_info = Entry("netcl_weights_get_info")
const E_netcl_weights_get_entry = Entry("netcl_weights_get_entry")
const E_netcl_weights_find = Entry("netcl_weights_find")
const E_netcl_weights_get_tensor = Entry("netcl_weights_get_tensor")
const E_netcl_weights_get_metadata_key = Entry("netcl_weights_get_metadata_key")
const E_netcl_weights_get_metadata = Entry("netcl_weights_get_metadata")
const E_netcl_weights_save = Entry("netcl_weights_save")
const E_netcl_group_join = Entry("netcl_group_join")
const E_netcl_group_create_local = Entry("netcl_group_create_local")
const E_netcl_group_create_mpi = Entry("netcl_group_create_mpi")
const E_netcl_group_split = Entry("netcl_group_split")
const E_netcl_group_retain = Entry("netcl_group_retain")
const E_netcl_group_release = Entry("netcl_group_release")
const E_netcl_group_get_info = Entry("netcl_group_get_info")
const E_netcl_group_get_device = Entry("netcl_group_get_device")
const E_netcl_group_describe_device = Entry("netcl_group_describe_device")
const E_netcl_group_get_error = Entry("netcl_group_get_error")
const E_netcl_group_barrier = Entry("netcl_group_barrier")
const E_netcl_group_all_reduce = Entry("netcl_group_all_reduce")
const E_netcl_group_reduce = Entry("netcl_group_reduce")
const E_netcl_group_broadcast = Entry("netcl_group_broadcast")
const E_netcl_group_all_gather = Entry("netcl_group_all_gather")
const E_netcl_group_gather = Entry("netcl_group_gather")
const E_netcl_group_scatter = Entry("netcl_group_scatter")
const E_netcl_group_reduce_scatter = Entry("netcl_group_reduce_scatter")
const E_netcl_group_all_to_all = Entry("netcl_group_all_to_all")
const E_netcl_group_send = Entry("netcl_group_send")
const E_netcl_group_receive = Entry("netcl_group_receive")
const E_netcl_reducer_create = Entry("netcl_reducer_create")
const E_netcl_reducer_retain = Entry("netcl_reducer_retain")
const E_netcl_reducer_release = Entry("netcl_reducer_release")
const E_netcl_reducer_get_info = Entry("netcl_reducer_get_info")
const E_netcl_reducer_wait = Entry("netcl_reducer_wait")
const E_netcl_group_describe_block = Entry("netcl_group_describe_block")
const E_netcl_sharded_create = Entry("netcl_sharded_create")
const E_netcl_sharded_create_from_root = Entry("netcl_sharded_create_from_root")
const E_netcl_sharded_retain = Entry("netcl_sharded_retain")
const E_netcl_sharded_release = Entry("netcl_sharded_release")
const E_netcl_sharded_get_info = Entry("netcl_sharded_get_info")
const E_netcl_sharded_get_block = Entry("netcl_sharded_get_block")
const E_netcl_sharded_explain = Entry("netcl_sharded_explain")
const E_netcl_sharded_redistribute = Entry("netcl_sharded_redistribute")
const E_netcl_sharded_gather = Entry("netcl_sharded_gather")
const E_netcl_sharded_expression_text = Entry("netcl_sharded_expression_text")
const E_netcl_sharded_reduce = Entry("netcl_sharded_reduce")
const E_netcl_sharded_softmax = Entry("netcl_sharded_softmax")
const E_netcl_sharded_layernorm = Entry("netcl_sharded_layernorm")
const E_netcl_sharded_rmsnorm = Entry("netcl_sharded_rmsnorm")
const E_netcl_sharded_matmul = Entry("netcl_sharded_matmul")
const E_netcl_sharded_exchange_halo = Entry("netcl_sharded_exchange_halo")
const E_netcl_statistics_compute = Entry("netcl_statistics_compute")
const E_netcl_statistics_compare = Entry("netcl_statistics_compare")
const E_netcl_measurement_create = Entry("netcl_measurement_create")
const E_netcl_measurement_retain = Entry("netcl_measurement_retain")
const E_netcl_measurement_release = Entry("netcl_measurement_release")
const E_netcl_measurement_next = Entry("netcl_measurement_next")
const E_netcl_measurement_get_statistics = Entry("netcl_measurement_get_statistics")
const E_netcl_measurement_get_samples = Entry("netcl_measurement_get_samples")
const E_netcl_measurement_compare = Entry("netcl_measurement_compare")
const E_netcl_queue_time = Entry("netcl_queue_time")
const E_netcl_kernel_time = Entry("netcl_kernel_time")
const E_netcl_timer_create = Entry("netcl_timer_create")
const E_netcl_timer_retain = Entry("netcl_timer_retain")
const E_netcl_timer_release = Entry("netcl_timer_release")
const E_netcl_timer_start = Entry("netcl_timer_start")
const E_netcl_timer_stop = Entry("netcl_timer_stop")
const E_netcl_profile_start = Entry("netcl_profile_start")
const E_netcl_profile_stop = Entry("netcl_profile_stop")
const E_netcl_profile_reset = Entry("netcl_profile_reset")
const E_netcl_profile_report = Entry("netcl_profile_report")
const E_netcl_region_begin = Entry("netcl_region_begin")
const E_netcl_region_end = Entry("netcl_region_end")
const E_netcl_region_annotate = Entry("netcl_region_annotate")
const E_netcl_region_retain = Entry("netcl_region_retain")
const E_netcl_region_release = Entry("netcl_region_release")
const E_netcl_region_push = Entry("netcl_region_push")
const E_netcl_region_pop = Entry("netcl_region_pop")
const E_netcl_roofline_create = Entry("netcl_roofline_create")
const E_netcl_roofline_retain = Entry("netcl_roofline_retain")
const E_netcl_roofline_release = Entry("netcl_roofline_release")
const E_netcl_roofline_analyze_metrics = Entry("netcl_roofline_analyze_metrics")
const E_netcl_roofline_analyze_ncu = Entry("netcl_roofline_analyze_ncu")
const E_netcl_roofline_should_stop = Entry("netcl_roofline_should_stop")
const E_netcl_roofline_get_reason = Entry("netcl_roofline_get_reason")
const E_netcl_roofline_reset_history = Entry("netcl_roofline_reset_history")
const E_netcl_roofline_format = Entry("netcl_roofline_format")
const E_netcl_ceiling_kind_name = Entry("netcl_ceiling_kind_name")
const E_netcl_ceilings_create = Entry("netcl_ceilings_create")
const E_netcl_ceilings_measure = Entry("netcl_ceilings_measure")
const E_netcl_ceilings_load = Entry("netcl_ceilings_load")
const E_netcl_ceilings_retain = Entry("netcl_ceilings_retain")
const E_netcl_ceilings_release = Entry("netcl_ceilings_release")
const E_netcl_ceilings_get_info = Entry("netcl_ceilings_get_info")
const E_netcl_ceilings_get = Entry("netcl_ceilings_get")
const E_netcl_ceilings_set = Entry("netcl_ceilings_set")
const E_netcl_ceilings_save = Entry("netcl_ceilings_save")
const E_netcl_roofline_analyze_time = Entry("netcl_roofline_analyze_time")
const E_netcl_roofline_analyze_statistics = Entry("netcl_roofline_analyze_statistics")
const E_netcl_space_create = Entry("netcl_space_create")
const E_netcl_space_create_from_t1 = Entry("netcl_space_create_from_t1")
const E_netcl_space_retain = Entry("netcl_space_retain")
const E_netcl_space_release = Entry("netcl_space_release")
const E_netcl_space_add_ints = Entry("netcl_space_add_ints")
const E_netcl_space_add_floats = Entry("netcl_space_add_floats")
const E_netcl_space_add_bool = Entry("netcl_space_add_bool")
const E_netcl_space_add_texts = Entry("netcl_space_add_texts")
const E_netcl_space_add_constraint = Entry("netcl_space_add_constraint")
const E_netcl_space_set_work_size = Entry("netcl_space_set_work_size")
const E_netcl_space_get_count = Entry("netcl_space_get_count")
const E_netcl_space_get_config = Entry("netcl_space_get_config")
const E_netcl_space_explain = Entry("netcl_space_explain")
const E_netcl_config_create_from_json = Entry("netcl_config_create_from_json")
const E_netcl_config_retain = Entry("netcl_config_retain")
const E_netcl_config_release = Entry("netcl_config_release")
const E_netcl_config_get_int = Entry("netcl_config_get_int")
const E_netcl_config_get_float = Entry("netcl_config_get_float")
const E_netcl_config_get_text = Entry("netcl_config_get_text")
const E_netcl_config_get_json = Entry("netcl_config_get_json")
const E_netcl_tuning_database_open = Entry("netcl_tuning_database_open")
const E_netcl_tuning_database_retain = Entry("netcl_tuning_database_retain")
const E_netcl_tuning_database_release = Entry("netcl_tuning_database_release")
const E_netcl_tuning_database_get_info = Entry("netcl_tuning_database_get_info")
const E_netcl_tuning_database_lookup = Entry("netcl_tuning_database_lookup")
const E_netcl_tuning_database_put = Entry("netcl_tuning_database_put")
const E_netcl_tuning_database_refresh = Entry("netcl_tuning_database_refresh")
const E_netcl_tuning_database_get_record = Entry("netcl_tuning_database_get_record")
const E_netcl_tuning_database_merge = Entry("netcl_tuning_database_merge")
const E_netcl_tuning_database_compact = Entry("netcl_tuning_database_compact")
const E_netcl_tuning_database_clear = Entry("netcl_tuning_database_clear")
const E_netcl_tuning_database_export = Entry("netcl_tuning_database_export")
const E_netcl_device_get_part = Entry("netcl_device_get_part")
const E_netcl_device_match_record = Entry("netcl_device_match_record")
const E_netcl_benchmark_create = Entry("netcl_benchmark_create")
const E_netcl_benchmark_retain = Entry("netcl_benchmark_retain")
const E_netcl_benchmark_release = Entry("netcl_benchmark_release")
const E_netcl_benchmark_add_tensor = Entry("netcl_benchmark_add_tensor")
const E_netcl_benchmark_add_scalar = Entry("netcl_benchmark_add_scalar")
const E_netcl_benchmark_add_local = Entry("netcl_benchmark_add_local")
const E_netcl_benchmark_get_tensor = Entry("netcl_benchmark_get_tensor")
const E_netcl_benchmark_prepare = Entry("netcl_benchmark_prepare")
const E_netcl_benchmark_keep = Entry("netcl_benchmark_keep")
const E_netcl_benchmark_time_baseline = Entry("netcl_benchmark_time_baseline")
const E_netcl_benchmark_time_kernel = Entry("netcl_benchmark_time_kernel")
const E_netcl_benchmark_set_baseline = Entry("netcl_benchmark_set_baseline")
const E_netcl_benchmark_run = Entry("netcl_benchmark_run")
const E_netcl_benchmark_get_build_log = Entry("netcl_benchmark_get_build_log")
const E_netcl_benchmark_get_json = Entry("netcl_benchmark_get_json")
const E_netcl_search_create = Entry("netcl_search_create")
const E_netcl_search_retain = Entry("netcl_search_retain")
const E_netcl_search_release = Entry("netcl_search_release")
const E_netcl_search_ask = Entry("netcl_search_ask")
const E_netcl_search_tell = Entry("netcl_search_tell")
const E_netcl_search_tell_failure = Entry("netcl_search_tell_failure")
const E_netcl_search_cancel = Entry("netcl_search_cancel")
const E_netcl_search_read_event = Entry("netcl_search_read_event")
const E_netcl_search_get_result = Entry("netcl_search_get_result")
const E_netcl_search_get_best = Entry("netcl_search_get_best")
const E_netcl_search_get_candidate = Entry("netcl_search_get_candidate")
const E_netcl_search_get_samples = Entry("netcl_search_get_samples")
const E_netcl_search_get_failure = Entry("netcl_search_get_failure")
const E_netcl_search_replay = Entry("netcl_search_replay")
const E_netcl_search_store = Entry("netcl_search_store")
const E_netcl_search_resume = Entry("netcl_search_resume")
const E_netcl_tuner_create = Entry("netcl_tuner_create")
const E_netcl_tuner_retain = Entry("netcl_tuner_retain")
const E_netcl_tuner_release = Entry("netcl_tuner_release")
const E_netcl_tuner_add = Entry("netcl_tuner_add")
const E_netcl_tuner_add_matmul = Entry("netcl_tuner_add_matmul")
const E_netcl_tuner_add_conv2d = Entry("netcl_tuner_add_conv2d")
const E_netcl_tuner_add_reduction = Entry("netcl_tuner_add_reduction")
const E_netcl_tuner_run = Entry("netcl_tuner_run")
const E_netcl_tuner_cancel = Entry("netcl_tuner_cancel")
const E_netcl_tuner_read_event = Entry("netcl_tuner_read_event")
const E_netcl_tuner_get_count = Entry("netcl_tuner_get_count")
const E_netcl_tuner_get_result = Entry("netcl_tuner_get_result")
const E_netcl_tuner_get_search = Entry("netcl_tuner_get_search")
const E_netcl_tuner_lookup = Entry("netcl_tuner_lookup")
const E_netcl_tuner_save = Entry("netcl_tuner_save")
const E_netcl_tuner_load = Entry("netcl_tuner_load")
const E_netcl_tuner_clear = Entry("netcl_tuner_clear")
const E_netcl_kernel_autotune = Entry("netcl_kernel_autotune")

const ENTRIES = Entry[
    E_netcl_status_name,
    E_netcl_last_error_message,
    E_netcl_last_error_get_info,
    E_netcl_last_error_set,
    E_netcl_version_number,
    E_netcl_version_string,
    E_netcl_library_get_info,
    E_netcl_library_get_live_count,
    E_netcl_shutdown,
    E_netcl_library_set_exit_timeout,
    E_netcl_interrupt_enable,
    E_netcl_interrupt_disable,
    E_netcl_log_set_level,
    E_netcl_log_set_callback,
    E_netcl_log_read,
    E_netcl_dtype_name,
    E_netcl_dtype_size,
    E_netcl_device_count,
    E_netcl_device_describe,
    E_netcl_device_diagnose,
    E_netcl_device_open,
    E_netcl_device_open_from_cl,
    E_netcl_device_retain,
    E_netcl_device_release,
    E_netcl_device_get_info,
    E_netcl_device_get_capabilities,
    E_netcl_device_finish,
    E_netcl_device_suggest_local_size,
    E_netcl_device_explain_copy,
    E_netcl_device_get_cl_context,
    E_netcl_device_get_cl_device,
    E_netcl_device_get_queue,
    E_netcl_device_push,
    E_netcl_device_pop,
    E_netcl_device_current,
    E_netcl_queue_create,
    E_netcl_queue_create_from_cl,
    E_netcl_queue_retain,
    E_netcl_queue_release,
    E_netcl_queue_get_info,
    E_netcl_queue_get_device,
    E_netcl_queue_set_profiling,
    E_netcl_queue_flush,
    E_netcl_queue_finish,
    E_netcl_queue_enqueue_marker,
    E_netcl_queue_get_cl_queue,
    E_netcl_event_create_from_cl,
    E_netcl_event_retain,
    E_netcl_event_release,
    E_netcl_event_wait,
    E_netcl_event_query,
    E_netcl_event_get_timing,
    E_netcl_event_get_error,
    E_netcl_event_get_cl_event,
    E_netcl_pool_create,
    E_netcl_device_get_pool,
    E_netcl_pool_retain,
    E_netcl_pool_release,
    E_netcl_pool_get_info,
    E_netcl_pool_get_buckets,
    E_netcl_pool_trim,
    E_netcl_pool_allocate,
    E_netcl_buffer_create_pinned,
    E_netcl_buffer_create_zero_copy,
    E_netcl_buffer_retain,
    E_netcl_buffer_release,
    E_netcl_buffer_get_info,
    E_netcl_buffer_get_cl_mem,
    E_netcl_buffer_export,
    E_netcl_buffer_import,
    E_netcl_buffer_get_cuda_address,
    E_netcl_tensor_create,
    E_netcl_tensor_create_zeros,
    E_netcl_tensor_create_full,
    E_netcl_tensor_create_random,
    E_netcl_tensor_create_from_host,
    E_netcl_tensor_create_from_buffer,
    E_netcl_tensor_create_from_cl,
    E_netcl_tensor_create_from_dlpack,
    E_netcl_tensor_to_dlpack,
    E_netcl_tensor_load_npy,
    E_netcl_tensor_create_from_npy,
    E_netcl_tensor_save_npy,
    E_netcl_tensor_retain,
    E_netcl_tensor_release,
    E_netcl_tensor_get_info,
    E_netcl_tensor_get_device,
    E_netcl_tensor_get_buffer,
    E_netcl_tensor_slice,
    E_netcl_tensor_permute,
    E_netcl_tensor_broadcast,
    E_netcl_tensor_view,
    E_netcl_tensor_reshape,
    E_netcl_tensor_read,
    E_netcl_tensor_write,
    E_netcl_tensor_wait,
    E_netcl_kernel_create,
    E_netcl_kernel_create_elementwise,
    E_netcl_kernel_retain,
    E_netcl_kernel_release,
    E_netcl_kernel_build,
    E_netcl_kernel_get_info,
    E_netcl_kernel_get_arg_info,
    E_netcl_kernel_get_source,
    E_netcl_kernel_get_build_log,
    E_netcl_kernel_get_binary,
    E_netcl_kernel_shape_signature,
    E_netcl_kernel_register,
    E_netcl_kernel_unregister,
    E_netcl_kernel_find,
    E_netcl_kernel_launch,
    E_netcl_kernel_explain_launch,
    E_netcl_kernel_launch_by_name,
    E_netcl_program_cache_get_info,
    E_netcl_program_cache_clear,
    E_netcl_program_cache_get_entry,
    E_netcl_expression_create,
    E_netcl_expression_retain,
    E_netcl_expression_release,
    E_netcl_expression_get_arity,
    E_netcl_expression_get_text,
    E_netcl_expression_differentiate,
    E_netcl_variant_name,
    E_netcl_variant_select_matmul,
    E_netcl_variant_select_conv2d,
    E_netcl_variant_select_elementwise,
    E_netcl_variant_select_reduction,
    E_netcl_variant_select_batchnorm,
    E_netcl_variant_clear_cache,
    E_netcl_op_expression,
    E_netcl_op_expression_text,
    E_netcl_op_expressions,
    E_netcl_elementwise_name,
    E_netcl_elementwise_find,
    E_netcl_op_elementwise,
    E_netcl_op_bias_add,
    E_netcl_op_copy,
    E_netcl_op_contiguous,
    E_netcl_op_cast,
    E_netcl_op_fill,
    E_netcl_op_range,
    E_netcl_op_eye,
    E_netcl_primitive_register,
    E_netcl_primitive_register_kernels,
    E_netcl_primitive_register_function,
    E_netcl_primitive_unregister,
    E_netcl_op_primitive,
    E_netcl_op_primitive_gradient,
    E_netcl_op_matmul,
    E_netcl_op_einsum,
    E_netcl_kernel_create_matmul,
    E_netcl_op_conv2d,
    E_netcl_op_matmul_quantized,
    E_netcl_op_dequantize_weights,
    E_netcl_op_quantize_weights,
    E_netcl_op_attention,
    E_netcl_op_rotary_embedding,
    E_netcl_op_reduce,
    E_netcl_op_scan,
    E_netcl_op_histogram,
    E_netcl_op_topk,
    E_netcl_op_softmax,
    E_netcl_op_log_softmax,
    E_netcl_op_layernorm,
    E_netcl_op_rmsnorm,
    E_netcl_op_batchnorm,
    E_netcl_op_pool,
    E_netcl_op_max_unpool2d,
    E_netcl_op_roi_pool,
    E_netcl_op_quantize_linear,
    E_netcl_op_dequantize_linear,
    E_netcl_op_dynamic_quantize_linear,
    E_netcl_op_qlinear_matmul,
    E_netcl_op_conv2d_integer,
    E_netcl_op_qlinear_conv2d,
    E_netcl_op_cross_entropy,
    E_netcl_op_nll_loss,
    E_netcl_op_sgd,
    E_netcl_op_adam,
    E_netcl_op_rmsprop,
    E_netcl_op_adagrad,
    E_netcl_op_clip_by_norm,
    E_netcl_op_unscale,
    E_netcl_op_update_loss_scale,
    E_netcl_op_transpose,
    E_netcl_op_concat,
    E_netcl_tensor_split,
    E_netcl_op_pad,
    E_netcl_op_tile,
    E_netcl_op_trilu,
    E_netcl_op_gather,
    E_netcl_op_gather_elements,
    E_netcl_op_embedding,
    E_netcl_op_one_hot,
    E_netcl_op_scatter,
    E_netcl_op_gather_nd,
    E_netcl_op_scatter_nd,
    E_netcl_op_depth_to_space,
    E_netcl_op_space_to_depth,
    E_netcl_op_resize,
    E_netcl_graph_create,
    E_netcl_graph_retain,
    E_netcl_graph_release,
    E_netcl_graph_clear,
    E_netcl_graph_create_from_function,
    E_netcl_graph_get_info,
    E_netcl_graph_add_gradients,
    E_netcl_graph_compile,
    E_netcl_graph_run,
    E_netcl_graph_evaluate,
    E_netcl_graph_explain,
    E_netcl_model_load,
    E_netcl_model_load_memory,
    E_netcl_model_retain,
    E_netcl_model_release,
    E_netcl_model_get_info,
    E_netcl_model_get_input,
    E_netcl_model_get_output,
    E_netcl_model_find_input,
    E_netcl_model_find_output,
    E_netcl_model_run,
    E_netcl_model_evaluate,
    E_netcl_model_explain,
    E_netcl_model_describe,
    E_netcl_weights_open,
    E_netcl_weights_retain,
    E_netcl_weights_release,
    E_netcl_weights_get_info,
    E_netcl_weights_get_entry,
    E_netcl_weights_find,
    E_netcl_weights_get_tensor,
    E_netcl_weights_get_metadata_key,
    E_netcl_weights_get_metadata,
    E_netcl_weights_save,
    E_netcl_group_join,
    E_netcl_group_create_local,
    E_netcl_group_create_mpi,
    E_netcl_group_split,
    E_netcl_group_retain,
    E_netcl_group_release,
    E_netcl_group_get_info,
    E_netcl_group_get_device,
    E_netcl_group_describe_device,
    E_netcl_group_get_error,
    E_netcl_group_barrier,
    E_netcl_group_all_reduce,
    E_netcl_group_reduce,
    E_netcl_group_broadcast,
    E_netcl_group_all_gather,
    E_netcl_group_gather,
    E_netcl_group_scatter,
    E_netcl_group_reduce_scatter,
    E_netcl_group_all_to_all,
    E_netcl_group_send,
    E_netcl_group_receive,
    E_netcl_reducer_create,
    E_netcl_reducer_retain,
    E_netcl_reducer_release,
    E_netcl_reducer_get_info,
    E_netcl_reducer_wait,
    E_netcl_group_describe_block,
    E_netcl_sharded_create,
    E_netcl_sharded_create_from_root,
    E_netcl_sharded_retain,
    E_netcl_sharded_release,
    E_netcl_sharded_get_info,
    E_netcl_sharded_get_block,
    E_netcl_sharded_explain,
    E_netcl_sharded_redistribute,
    E_netcl_sharded_gather,
    E_netcl_sharded_expression_text,
    E_netcl_sharded_reduce,
    E_netcl_sharded_softmax,
    E_netcl_sharded_layernorm,
    E_netcl_sharded_rmsnorm,
    E_netcl_sharded_matmul,
    E_netcl_sharded_exchange_halo,
    E_netcl_statistics_compute,
    E_netcl_statistics_compare,
    E_netcl_measurement_create,
    E_netcl_measurement_retain,
    E_netcl_measurement_release,
    E_netcl_measurement_next,
    E_netcl_measurement_get_statistics,
    E_netcl_measurement_get_samples,
    E_netcl_measurement_compare,
    E_netcl_queue_time,
    E_netcl_kernel_time,
    E_netcl_timer_create,
    E_netcl_timer_retain,
    E_netcl_timer_release,
    E_netcl_timer_start,
    E_netcl_timer_stop,
    E_netcl_profile_start,
    E_netcl_profile_stop,
    E_netcl_profile_reset,
    E_netcl_profile_report,
    E_netcl_region_begin,
    E_netcl_region_end,
    E_netcl_region_annotate,
    E_netcl_region_retain,
    E_netcl_region_release,
    E_netcl_region_push,
    E_netcl_region_pop,
    E_netcl_roofline_create,
    E_netcl_roofline_retain,
    E_netcl_roofline_release,
    E_netcl_roofline_analyze_metrics,
    E_netcl_roofline_analyze_ncu,
    E_netcl_roofline_should_stop,
    E_netcl_roofline_get_reason,
    E_netcl_roofline_reset_history,
    E_netcl_roofline_format,
    E_netcl_ceiling_kind_name,
    E_netcl_ceilings_create,
    E_netcl_ceilings_measure,
    E_netcl_ceilings_load,
    E_netcl_ceilings_retain,
    E_netcl_ceilings_release,
    E_netcl_ceilings_get_info,
    E_netcl_ceilings_get,
    E_netcl_ceilings_set,
    E_netcl_ceilings_save,
    E_netcl_roofline_analyze_time,
    E_netcl_roofline_analyze_statistics,
    E_netcl_space_create,
    E_netcl_space_create_from_t1,
    E_netcl_space_retain,
    E_netcl_space_release,
    E_netcl_space_add_ints,
    E_netcl_space_add_floats,
    E_netcl_space_add_bool,
    E_netcl_space_add_texts,
    E_netcl_space_add_constraint,
    E_netcl_space_set_work_size,
    E_netcl_space_get_count,
    E_netcl_space_get_config,
    E_netcl_space_explain,
    E_netcl_config_create_from_json,
    E_netcl_config_retain,
    E_netcl_config_release,
    E_netcl_config_get_int,
    E_netcl_config_get_float,
    E_netcl_config_get_text,
    E_netcl_config_get_json,
    E_netcl_tuning_database_open,
    E_netcl_tuning_database_retain,
    E_netcl_tuning_database_release,
    E_netcl_tuning_database_get_info,
    E_netcl_tuning_database_lookup,
    E_netcl_tuning_database_put,
    E_netcl_tuning_database_refresh,
    E_netcl_tuning_database_get_record,
    E_netcl_tuning_database_merge,
    E_netcl_tuning_database_compact,
    E_netcl_tuning_database_clear,
    E_netcl_tuning_database_export,
    E_netcl_device_get_part,
    E_netcl_device_match_record,
    E_netcl_benchmark_create,
    E_netcl_benchmark_retain,
    E_netcl_benchmark_release,
    E_netcl_benchmark_add_tensor,
    E_netcl_benchmark_add_scalar,
    E_netcl_benchmark_add_local,
    E_netcl_benchmark_get_tensor,
    E_netcl_benchmark_prepare,
    E_netcl_benchmark_keep,
    E_netcl_benchmark_time_baseline,
    E_netcl_benchmark_time_kernel,
    E_netcl_benchmark_set_baseline,
    E_netcl_benchmark_run,
    E_netcl_benchmark_get_build_log,
    E_netcl_benchmark_get_json,
    E_netcl_search_create,
    E_netcl_search_retain,
    E_netcl_search_release,
    E_netcl_search_ask,
    E_netcl_search_tell,
    E_netcl_search_tell_failure,
    E_netcl_search_cancel,
    E_netcl_search_read_event,
    E_netcl_search_get_result,
    E_netcl_search_get_best,
    E_netcl_search_get_candidate,
    E_netcl_search_get_samples,
    E_netcl_search_get_failure,
    E_netcl_search_replay,
    E_netcl_search_store,
    E_netcl_search_resume,
    E_netcl_tuner_create,
    E_netcl_tuner_retain,
    E_netcl_tuner_release,
    E_netcl_tuner_add,
    E_netcl_tuner_add_matmul,
    E_netcl_tuner_add_conv2d,
    E_netcl_tuner_add_reduction,
    E_netcl_tuner_run,
    E_netcl_tuner_cancel,
    E_netcl_tuner_read_event,
    E_netcl_tuner_get_count,
    E_netcl_tuner_get_result,
    E_netcl_tuner_get_search,
    E_netcl_tuner_lookup,
    E_netcl_tuner_save,
    E_netcl_tuner_load,
    E_netcl_tuner_clear,
    E_netcl_kernel_autotune,
]

@inline function netcl_status_name(status)
    return ccall(address(E_netcl_status_name), Ptr{UInt8}, (Int32,), status)
end

@inline function netcl_last_error_message()
    return ccall(address(E_netcl_last_error_message), Ptr{UInt8}, ())
end

@inline function netcl_last_error_get_info(info)
    return ccall(address(E_netcl_last_error_get_info), Int32, (Ptr{Cvoid},), info)
end

@inline function netcl_last_error_set(status, native_code, message)
    return ccall(
        address(E_netcl_last_error_set), Int32, (Int32, Int32, Ptr{UInt8}), status,
        native_code, message
    )
end

@inline function netcl_version_number()
    return ccall(address(E_netcl_version_number), UInt32, ())
end

@inline function netcl_version_string()
    return ccall(address(E_netcl_version_string), Ptr{UInt8}, ())
end

@inline function netcl_library_get_info(info)
    return ccall(address(E_netcl_library_get_info), Int32, (Ptr{Cvoid},), info)
end

@inline function netcl_library_get_live_count(type, count)
    return ccall(
        address(E_netcl_library_get_live_count), Int32, (Int32, Ptr{Cvoid}), type, count
    )
end

@inline function netcl_shutdown(timeout_ns)
    return ccall(address(E_netcl_shutdown), Int32, (UInt64,), timeout_ns)
end

@inline function netcl_library_set_exit_timeout(timeout_ns)
    return ccall(address(E_netcl_library_set_exit_timeout), Int32, (UInt64,), timeout_ns)
end

@inline function netcl_interrupt_enable(grace_ns)
    return ccall(address(E_netcl_interrupt_enable), Int32, (UInt64,), grace_ns)
end

@inline function netcl_interrupt_disable()
    return ccall(address(E_netcl_interrupt_disable), Int32, ())
end

@inline function netcl_log_set_level(level)
    return ccall(address(E_netcl_log_set_level), Int32, (Int32,), level)
end

@inline function netcl_log_set_callback(fn, user_data, destroy)
    return ccall(
        address(E_netcl_log_set_callback), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), fn,
        user_data, destroy
    )
end

@inline function netcl_log_read(after, record)
    return ccall(address(E_netcl_log_read), Int32, (UInt64, Ptr{Cvoid}), after, record)
end

@inline function netcl_dtype_name(dtype)
    return ccall(address(E_netcl_dtype_name), Ptr{UInt8}, (Int32,), dtype)
end

@inline function netcl_dtype_size(dtype)
    return ccall(address(E_netcl_dtype_size), Csize_t, (Int32,), dtype)
end

@inline function netcl_device_count(count)
    return ccall(address(E_netcl_device_count), Int32, (Ptr{Cvoid},), count)
end

@inline function netcl_device_describe(index, info)
    return ccall(address(E_netcl_device_describe), Int32, (UInt32, Ptr{Cvoid}), index, info)
end

@inline function netcl_device_diagnose(buffer, capacity, length)
    return ccall(
        address(E_netcl_device_diagnose), Int32, (Ptr{UInt8}, Csize_t, Ptr{Cvoid}), buffer,
        capacity, length
    )
end

@inline function netcl_device_open(selector, options, device)
    return ccall(
        address(E_netcl_device_open), Int32, (Ptr{UInt8}, Ptr{Cvoid}, Ptr{Cvoid}), selector,
        options, device
    )
end

@inline function netcl_device_open_from_cl(context, device_id, queue, options, device)
    return ccall(
        address(E_netcl_device_open_from_cl), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), context, device_id,
        queue, options, device
    )
end

@inline function netcl_device_retain(device)
    return ccall(address(E_netcl_device_retain), Int32, (Ptr{Cvoid},), device)
end

@inline function netcl_device_release(device)
    return ccall(address(E_netcl_device_release), Cvoid, (Ptr{Cvoid},), device)
end

@inline function netcl_device_get_info(device, info)
    return ccall(
        address(E_netcl_device_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), device, info
    )
end

@inline function netcl_device_get_capabilities(device, capabilities)
    return ccall(
        address(E_netcl_device_get_capabilities), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), device,
        capabilities
    )
end

@inline function netcl_device_finish(device, timeout_ns)
    return ccall(
        address(E_netcl_device_finish), Int32, (Ptr{Cvoid}, UInt64), device, timeout_ns
    )
end

@inline function netcl_device_suggest_local_size(
    device, global_, global_count, local_, rounded
)
    return ccall(
        address(E_netcl_device_suggest_local_size), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), device, global_,
        global_count, local_, rounded
    )
end

@inline function netcl_device_explain_copy(from, to, explanation)
    return ccall(
        address(E_netcl_device_explain_copy), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        from, to, explanation
    )
end

@inline function netcl_device_get_cl_context(device, context)
    return ccall(
        address(E_netcl_device_get_cl_context), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), device,
        context
    )
end

@inline function netcl_device_get_cl_device(device, device_id)
    return ccall(
        address(E_netcl_device_get_cl_device), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), device,
        device_id
    )
end

@inline function netcl_device_get_queue(device, queue)
    return ccall(
        address(E_netcl_device_get_queue), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), device, queue
    )
end

@inline function netcl_device_push(device)
    return ccall(address(E_netcl_device_push), Int32, (Ptr{Cvoid},), device)
end

@inline function netcl_device_pop()
    return ccall(address(E_netcl_device_pop), Int32, ())
end

@inline function netcl_device_current(device)
    return ccall(address(E_netcl_device_current), Int32, (Ptr{Cvoid},), device)
end

@inline function netcl_queue_create(device, options, queue)
    return ccall(
        address(E_netcl_queue_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device,
        options, queue
    )
end

@inline function netcl_queue_create_from_cl(device, cl_queue, queue)
    return ccall(
        address(E_netcl_queue_create_from_cl), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, cl_queue, queue
    )
end

@inline function netcl_queue_retain(queue)
    return ccall(address(E_netcl_queue_retain), Int32, (Ptr{Cvoid},), queue)
end

@inline function netcl_queue_release(queue)
    return ccall(address(E_netcl_queue_release), Cvoid, (Ptr{Cvoid},), queue)
end

@inline function netcl_queue_get_info(queue, info)
    return ccall(
        address(E_netcl_queue_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), queue, info
    )
end

@inline function netcl_queue_get_device(queue, device)
    return ccall(
        address(E_netcl_queue_get_device), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), queue, device
    )
end

@inline function netcl_queue_set_profiling(queue, enabled)
    return ccall(
        address(E_netcl_queue_set_profiling), Int32, (Ptr{Cvoid}, UInt32), queue, enabled
    )
end

@inline function netcl_queue_flush(queue)
    return ccall(address(E_netcl_queue_flush), Int32, (Ptr{Cvoid},), queue)
end

@inline function netcl_queue_finish(queue, timeout_ns)
    return ccall(
        address(E_netcl_queue_finish), Int32, (Ptr{Cvoid}, UInt64), queue, timeout_ns
    )
end

@inline function netcl_queue_enqueue_marker(queue, waits, waits_count, event)
    return ccall(
        address(E_netcl_queue_enqueue_marker), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), queue, waits, waits_count, event
    )
end

@inline function netcl_queue_get_cl_queue(queue, cl_queue)
    return ccall(
        address(E_netcl_queue_get_cl_queue), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), queue,
        cl_queue
    )
end

@inline function netcl_event_create_from_cl(device, cl_event, event)
    return ccall(
        address(E_netcl_event_create_from_cl), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, cl_event, event
    )
end

@inline function netcl_event_retain(event)
    return ccall(address(E_netcl_event_retain), Int32, (Ptr{Cvoid},), event)
end

@inline function netcl_event_release(event)
    return ccall(address(E_netcl_event_release), Cvoid, (Ptr{Cvoid},), event)
end

@inline function netcl_event_wait(event, timeout_ns)
    return ccall(
        address(E_netcl_event_wait), Int32, (Ptr{Cvoid}, UInt64), event, timeout_ns
    )
end

@inline function netcl_event_query(event, state)
    return ccall(
        address(E_netcl_event_query), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), event, state
    )
end

@inline function netcl_event_get_timing(event, timing)
    return ccall(
        address(E_netcl_event_get_timing), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), event, timing
    )
end

@inline function netcl_event_get_error(event, info)
    return ccall(
        address(E_netcl_event_get_error), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), event, info
    )
end

@inline function netcl_event_get_cl_event(event, cl_event)
    return ccall(
        address(E_netcl_event_get_cl_event), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), event,
        cl_event
    )
end

@inline function netcl_pool_create(device, options, pool)
    return ccall(
        address(E_netcl_pool_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device,
        options, pool
    )
end

@inline function netcl_device_get_pool(device, kind, pool)
    return ccall(
        address(E_netcl_device_get_pool), Int32, (Ptr{Cvoid}, Int32, Ptr{Cvoid}), device,
        kind, pool
    )
end

@inline function netcl_pool_retain(pool)
    return ccall(address(E_netcl_pool_retain), Int32, (Ptr{Cvoid},), pool)
end

@inline function netcl_pool_release(pool)
    return ccall(address(E_netcl_pool_release), Cvoid, (Ptr{Cvoid},), pool)
end

@inline function netcl_pool_get_info(pool, info)
    return ccall(
        address(E_netcl_pool_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), pool, info
    )
end

@inline function netcl_pool_get_buckets(pool, buckets, capacity, count)
    return ccall(
        address(E_netcl_pool_get_buckets), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), pool, buckets, capacity, count
    )
end

@inline function netcl_pool_trim(pool, keep_bytes)
    return ccall(address(E_netcl_pool_trim), Int32, (Ptr{Cvoid}, UInt64), pool, keep_bytes)
end

@inline function netcl_pool_allocate(pool, bytes, buffer)
    return ccall(
        address(E_netcl_pool_allocate), Int32, (Ptr{Cvoid}, UInt64, Ptr{Cvoid}), pool,
        bytes, buffer
    )
end

@inline function netcl_buffer_create_pinned(device, bytes, buffer)
    return ccall(
        address(E_netcl_buffer_create_pinned), Int32, (Ptr{Cvoid}, UInt64, Ptr{Cvoid}),
        device, bytes, buffer
    )
end

@inline function netcl_buffer_create_zero_copy(device, data, bytes, buffer)
    return ccall(
        address(E_netcl_buffer_create_zero_copy), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt64, Ptr{Cvoid}), device, data, bytes, buffer
    )
end

@inline function netcl_buffer_retain(buffer)
    return ccall(address(E_netcl_buffer_retain), Int32, (Ptr{Cvoid},), buffer)
end

@inline function netcl_buffer_release(buffer)
    return ccall(address(E_netcl_buffer_release), Cvoid, (Ptr{Cvoid},), buffer)
end

@inline function netcl_buffer_get_info(buffer, info)
    return ccall(
        address(E_netcl_buffer_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), buffer, info
    )
end

@inline function netcl_buffer_get_cl_mem(buffer, mem)
    return ccall(
        address(E_netcl_buffer_get_cl_mem), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), buffer, mem
    )
end

@inline function netcl_buffer_export(buffer, memory)
    return ccall(
        address(E_netcl_buffer_export), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), buffer, memory
    )
end

@inline function netcl_buffer_import(device, memory, buffer)
    return ccall(
        address(E_netcl_buffer_import), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device,
        memory, buffer
    )
end

@inline function netcl_buffer_get_cuda_address(buffer, address_)
    return ccall(
        address(E_netcl_buffer_get_cuda_address), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), buffer,
        address_
    )
end

@inline function netcl_tensor_create(device, dtype, rank, shape, strides, options, tensor)
    return ccall(
        address(E_netcl_tensor_create), Int32,
        (Ptr{Cvoid}, Int32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device,
        dtype, rank, shape, strides, options, tensor
    )
end

@inline function netcl_tensor_create_zeros(
    device, dtype, rank, shape, strides, options, tensor
)
    return ccall(
        address(E_netcl_tensor_create_zeros), Int32,
        (Ptr{Cvoid}, Int32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device,
        dtype, rank, shape, strides, options, tensor
    )
end

@inline function netcl_tensor_create_full(
    device, dtype, rank, shape, strides, value, options, tensor
)
    return ccall(
        address(E_netcl_tensor_create_full), Int32,
        (Ptr{Cvoid}, Int32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, dtype, rank, shape, strides, value, options, tensor
    )
end

@inline function netcl_tensor_create_random(
    device, dtype, rank, shape, strides, random, options, tensor
)
    return ccall(
        address(E_netcl_tensor_create_random), Int32,
        (Ptr{Cvoid}, Int32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, dtype, rank, shape, strides, random, options, tensor
    )
end

@inline function netcl_tensor_create_from_host(
    device, dtype, rank, shape, strides, data, data_size, options, tensor
)
    return ccall(
        address(E_netcl_tensor_create_from_host), Int32,
        (Ptr{Cvoid}, Int32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Cvoid}, Ptr{Cvoid}),
        device, dtype, rank, shape, strides, data, data_size, options, tensor
    )
end

@inline function netcl_tensor_create_from_buffer(
    buffer, offset_bytes, dtype, rank, shape, strides, tensor
)
    return ccall(
        address(E_netcl_tensor_create_from_buffer), Int32,
        (Ptr{Cvoid}, UInt64, Int32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), buffer,
        offset_bytes, dtype, rank, shape, strides, tensor
    )
end

@inline function netcl_tensor_create_from_cl(
    device, mem, offset_bytes, dtype, rank, shape, strides, options, tensor
)
    return ccall(
        address(E_netcl_tensor_create_from_cl), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt64, Int32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, mem, offset_bytes, dtype, rank, shape, strides, options, tensor
    )
end

@inline function netcl_tensor_create_from_dlpack(device, managed, options, tensor)
    return ccall(
        address(E_netcl_tensor_create_from_dlpack), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device, managed, options, tensor
    )
end

@inline function netcl_tensor_to_dlpack(tensor, timeout_ns, managed)
    return ccall(
        address(E_netcl_tensor_to_dlpack), Int32, (Ptr{Cvoid}, UInt64, Ptr{Cvoid}), tensor,
        timeout_ns, managed
    )
end

@inline function netcl_tensor_load_npy(device, path, options, tensor)
    return ccall(
        address(E_netcl_tensor_load_npy), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}, Ptr{Cvoid}), device, path, options, tensor
    )
end

@inline function netcl_tensor_create_from_npy(device, data, data_size, options, tensor)
    return ccall(
        address(E_netcl_tensor_create_from_npy), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Cvoid}, Ptr{Cvoid}), device, data, data_size,
        options, tensor
    )
end

@inline function netcl_tensor_save_npy(tensor, path, timeout_ns)
    return ccall(
        address(E_netcl_tensor_save_npy), Int32, (Ptr{Cvoid}, Ptr{UInt8}, UInt64), tensor,
        path, timeout_ns
    )
end

@inline function netcl_tensor_retain(tensor)
    return ccall(address(E_netcl_tensor_retain), Int32, (Ptr{Cvoid},), tensor)
end

@inline function netcl_tensor_release(tensor)
    return ccall(address(E_netcl_tensor_release), Cvoid, (Ptr{Cvoid},), tensor)
end

@inline function netcl_tensor_get_info(tensor, info)
    return ccall(
        address(E_netcl_tensor_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), tensor, info
    )
end

@inline function netcl_tensor_get_device(tensor, device)
    return ccall(
        address(E_netcl_tensor_get_device), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), tensor, device
    )
end

@inline function netcl_tensor_get_buffer(tensor, buffer)
    return ccall(
        address(E_netcl_tensor_get_buffer), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), tensor, buffer
    )
end

@inline function netcl_tensor_slice(tensor, ranges, ranges_count, view)
    return ccall(
        address(E_netcl_tensor_slice), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        tensor, ranges, ranges_count, view
    )
end

@inline function netcl_tensor_permute(tensor, axes, axes_count, view)
    return ccall(
        address(E_netcl_tensor_permute), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), tensor, axes, axes_count, view
    )
end

@inline function netcl_tensor_broadcast(tensor, rank, shape, view)
    return ccall(
        address(E_netcl_tensor_broadcast), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), tensor, rank, shape, view
    )
end

@inline function netcl_tensor_view(tensor, rank, shape, strides, offset, view)
    return ccall(
        address(E_netcl_tensor_view), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Int64, Ptr{Cvoid}), tensor, rank,
        shape, strides, offset, view
    )
end

@inline function netcl_tensor_reshape(tensor, rank, shape, run, result)
    return ccall(
        address(E_netcl_tensor_reshape), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), tensor, rank, shape, run,
        result
    )
end

@inline function netcl_tensor_read(tensor, data, data_size, options, timeout_ns)
    return ccall(
        address(E_netcl_tensor_read), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Cvoid}, UInt64), tensor, data, data_size,
        options, timeout_ns
    )
end

@inline function netcl_tensor_write(tensor, data, data_size, options, timeout_ns)
    return ccall(
        address(E_netcl_tensor_write), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Cvoid}, UInt64), tensor, data, data_size,
        options, timeout_ns
    )
end

@inline function netcl_tensor_wait(tensor, timeout_ns)
    return ccall(
        address(E_netcl_tensor_wait), Int32, (Ptr{Cvoid}, UInt64), tensor, timeout_ns
    )
end

@inline function netcl_kernel_create(device, name, options, kernel)
    return ccall(
        address(E_netcl_kernel_create), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}, Ptr{Cvoid}), device, name, options, kernel
    )
end

@inline function netcl_kernel_create_elementwise(
    device, name, arity, expression, dtype, kernel
)
    return ccall(
        address(E_netcl_kernel_create_elementwise), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, UInt32, Ptr{UInt8}, Int32, Ptr{Cvoid}), device, name,
        arity, expression, dtype, kernel
    )
end

@inline function netcl_kernel_retain(kernel)
    return ccall(address(E_netcl_kernel_retain), Int32, (Ptr{Cvoid},), kernel)
end

@inline function netcl_kernel_release(kernel)
    return ccall(address(E_netcl_kernel_release), Cvoid, (Ptr{Cvoid},), kernel)
end

@inline function netcl_kernel_build(kernel)
    return ccall(address(E_netcl_kernel_build), Int32, (Ptr{Cvoid},), kernel)
end

@inline function netcl_kernel_get_info(kernel, info)
    return ccall(
        address(E_netcl_kernel_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), kernel, info
    )
end

@inline function netcl_kernel_get_arg_info(kernel, index, info)
    return ccall(
        address(E_netcl_kernel_get_arg_info), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        kernel, index, info
    )
end

@inline function netcl_kernel_get_source(kernel, buffer, capacity, length)
    return ccall(
        address(E_netcl_kernel_get_source), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), kernel, buffer, capacity, length
    )
end

@inline function netcl_kernel_get_build_log(kernel, buffer, capacity, length)
    return ccall(
        address(E_netcl_kernel_get_build_log), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), kernel, buffer, capacity, length
    )
end

@inline function netcl_kernel_get_binary(kernel, data, capacity, length)
    return ccall(
        address(E_netcl_kernel_get_binary), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Cvoid}), kernel, data, capacity, length
    )
end

@inline function netcl_kernel_shape_signature(
    inputs, inputs_count, outputs, outputs_count, signature
)
    return ccall(
        address(E_netcl_kernel_shape_signature), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), inputs, inputs_count, outputs,
        outputs_count, signature
    )
end

@inline function netcl_kernel_register(kernel)
    return ccall(address(E_netcl_kernel_register), Int32, (Ptr{Cvoid},), kernel)
end

@inline function netcl_kernel_unregister(device, name, shape_signature)
    return ccall(
        address(E_netcl_kernel_unregister), Int32, (Ptr{Cvoid}, Ptr{UInt8}, UInt64), device,
        name, shape_signature
    )
end

@inline function netcl_kernel_find(device, name, shape_signature, kernel)
    return ccall(
        address(E_netcl_kernel_find), Int32, (Ptr{Cvoid}, Ptr{UInt8}, UInt64, Ptr{Cvoid}),
        device, name, shape_signature, kernel
    )
end

@inline function netcl_kernel_launch(
    kernel, global_, global_count, local_, local_count, args, args_count, options, run
)
    return ccall(
        address(E_netcl_kernel_launch), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}),
        kernel, global_, global_count, local_, local_count, args, args_count, options, run
    )
end

@inline function netcl_kernel_explain_launch(
    kernel, global_, global_count, local_, local_count, args, args_count, options,
    explanation
)
    return ccall(
        address(E_netcl_kernel_explain_launch), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}),
        kernel, global_, global_count, local_, local_count, args, args_count, options,
        explanation
    )
end

@inline function netcl_kernel_launch_by_name(
    device, name, shape_signature, global_, global_count, local_, local_count, args,
    args_count, options, run
)
    return ccall(
        address(E_netcl_kernel_launch_by_name), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, UInt64, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}),
        device, name, shape_signature, global_, global_count, local_, local_count, args,
        args_count, options, run
    )
end

@inline function netcl_program_cache_get_info(info)
    return ccall(address(E_netcl_program_cache_get_info), Int32, (Ptr{Cvoid},), info)
end

@inline function netcl_program_cache_clear(disk)
    return ccall(address(E_netcl_program_cache_clear), Int32, (UInt32,), disk)
end

@inline function netcl_program_cache_get_entry(index, entry)
    return ccall(
        address(E_netcl_program_cache_get_entry), Int32, (UInt32, Ptr{Cvoid}), index, entry
    )
end

@inline function netcl_expression_create(text, expression)
    return ccall(
        address(E_netcl_expression_create), Int32, (Ptr{UInt8}, Ptr{Cvoid}), text,
        expression
    )
end

@inline function netcl_expression_retain(expression)
    return ccall(address(E_netcl_expression_retain), Int32, (Ptr{Cvoid},), expression)
end

@inline function netcl_expression_release(expression)
    return ccall(address(E_netcl_expression_release), Cvoid, (Ptr{Cvoid},), expression)
end

@inline function netcl_expression_get_arity(expression, arity)
    return ccall(
        address(E_netcl_expression_get_arity), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), expression,
        arity
    )
end

@inline function netcl_expression_get_text(expression, buffer, capacity, length)
    return ccall(
        address(E_netcl_expression_get_text), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), expression, buffer, capacity, length
    )
end

@inline function netcl_expression_differentiate(expression, input, gradient)
    return ccall(
        address(E_netcl_expression_differentiate), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        expression, input, gradient
    )
end

@inline function netcl_variant_name(variant)
    return ccall(address(E_netcl_variant_name), Ptr{UInt8}, (Int32,), variant)
end

@inline function netcl_variant_select_matmul(device, m, n, k, options, config)
    return ccall(
        address(E_netcl_variant_select_matmul), Int32,
        (Ptr{Cvoid}, Int64, Int64, Int64, Ptr{Cvoid}, Ptr{Cvoid}), device, m, n, k, options,
        config
    )
end

@inline function netcl_variant_select_conv2d(device, shape, options, config)
    return ccall(
        address(E_netcl_variant_select_conv2d), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device, shape, options, config
    )
end

@inline function netcl_variant_select_elementwise(device, count, options, config)
    return ccall(
        address(E_netcl_variant_select_elementwise), Int32,
        (Ptr{Cvoid}, Int64, Ptr{Cvoid}, Ptr{Cvoid}), device, count, options, config
    )
end

@inline function netcl_variant_select_reduction(device, outputs, count, options, config)
    return ccall(
        address(E_netcl_variant_select_reduction), Int32,
        (Ptr{Cvoid}, Int64, Int64, Ptr{Cvoid}, Ptr{Cvoid}), device, outputs, count, options,
        config
    )
end

@inline function netcl_variant_select_batchnorm(
    device, batch, channels, spatial, training, activation, options, config
)
    return ccall(
        address(E_netcl_variant_select_batchnorm), Int32,
        (Ptr{Cvoid}, Int64, Int64, Int64, UInt32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), device,
        batch, channels, spatial, training, activation, options, config
    )
end

@inline function netcl_variant_clear_cache()
    return ccall(address(E_netcl_variant_clear_cache), Int32, ())
end

@inline function netcl_op_expression(expression, inputs, inputs_count, options, run, result)
    return ccall(
        address(E_netcl_op_expression), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), expression,
        inputs, inputs_count, options, run, result
    )
end

@inline function netcl_op_expression_text(text, inputs, inputs_count, options, run, result)
    return ccall(
        address(E_netcl_op_expression_text), Int32,
        (Ptr{UInt8}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), text, inputs,
        inputs_count, options, run, result
    )
end

@inline function netcl_op_expressions(
    texts, texts_count, inputs, inputs_count, options, run, results
)
    return ccall(
        address(E_netcl_op_expressions), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), texts,
        texts_count, inputs, inputs_count, options, run, results
    )
end

@inline function netcl_elementwise_name(op)
    return ccall(address(E_netcl_elementwise_name), Ptr{UInt8}, (Int32,), op)
end

@inline function netcl_elementwise_find(name, op)
    return ccall(
        address(E_netcl_elementwise_find), Int32, (Ptr{UInt8}, Ptr{Cvoid}), name, op
    )
end

@inline function netcl_op_elementwise(op, inputs, inputs_count, options, run, result)
    return ccall(
        address(E_netcl_op_elementwise), Int32,
        (Int32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), op, inputs,
        inputs_count, options, run, result
    )
end

@inline function netcl_op_bias_add(x, bias, axis, run, result)
    return ccall(
        address(E_netcl_op_bias_add), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}), x, bias, axis, run, result
    )
end

@inline function netcl_op_copy(tensor, run, result)
    return ccall(
        address(E_netcl_op_copy), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), tensor, run,
        result
    )
end

@inline function netcl_op_contiguous(tensor, run, result)
    return ccall(
        address(E_netcl_op_contiguous), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), tensor,
        run, result
    )
end

@inline function netcl_op_cast(tensor, dtype, run, result)
    return ccall(
        address(E_netcl_op_cast), Int32, (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}),
        tensor, dtype, run, result
    )
end

@inline function netcl_op_fill(tensor, value, run)
    return ccall(
        address(E_netcl_op_fill), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), tensor,
        value, run
    )
end

@inline function netcl_op_range(tensor, start_value, step_value, run)
    return ccall(
        address(E_netcl_op_range), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        tensor, start_value, step_value, run
    )
end

@inline function netcl_op_eye(tensor, k, run)
    return ccall(
        address(E_netcl_op_eye), Int32, (Ptr{Cvoid}, Int64, Ptr{Cvoid}), tensor, k, run
    )
end

@inline function netcl_primitive_register(name, options)
    return ccall(
        address(E_netcl_primitive_register), Int32, (Ptr{UInt8}, Ptr{Cvoid}), name, options
    )
end

@inline function netcl_primitive_register_kernels(name, kernels, options)
    return ccall(
        address(E_netcl_primitive_register_kernels), Int32,
        (Ptr{UInt8}, Ptr{Cvoid}, Ptr{Cvoid}), name, kernels, options
    )
end

@inline function netcl_primitive_register_function(
    name, function_, user_data, destroy, options
)
    return ccall(
        address(E_netcl_primitive_register_function), Int32,
        (Ptr{UInt8}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), name, function_,
        user_data, destroy, options
    )
end

@inline function netcl_primitive_unregister(name)
    return ccall(address(E_netcl_primitive_unregister), Int32, (Ptr{UInt8},), name)
end

@inline function netcl_op_primitive(name, inputs, inputs_count, options, run, result)
    return ccall(
        address(E_netcl_op_primitive), Int32,
        (Ptr{UInt8}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), name, inputs,
        inputs_count, options, run, result
    )
end

@inline function netcl_op_primitive_gradient(
    name, inputs, inputs_count, input, grad, out, options, run, result
)
    return ccall(
        address(E_netcl_op_primitive_gradient), Int32,
        (Ptr{UInt8}, Ptr{Cvoid}, UInt32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        name, inputs, inputs_count, input, grad, out, options, run, result
    )
end

@inline function netcl_op_matmul(a, b, options, run, result)
    return ccall(
        address(E_netcl_op_matmul), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), a, b, options, run,
        result
    )
end

@inline function netcl_op_einsum(equation, inputs, inputs_count, run, result)
    return ccall(
        address(E_netcl_op_einsum), Int32,
        (Ptr{UInt8}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), equation, inputs,
        inputs_count, run, result
    )
end

@inline function netcl_kernel_create_matmul(
    device, name, m, n, k, dtype, config, global_, kernel
)
    return ccall(
        address(E_netcl_kernel_create_matmul), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Int64, Int64, Int64, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, name, m, n, k, dtype, config, global_, kernel
    )
end

@inline function netcl_op_conv2d(x, w, options, run, result)
    return ccall(
        address(E_netcl_op_conv2d), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, w, options, run,
        result
    )
end

@inline function netcl_op_matmul_quantized(x, weights, options, run, result)
    return ccall(
        address(E_netcl_op_matmul_quantized), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, weights, options,
        run, result
    )
end

@inline function netcl_op_dequantize_weights(weights, options, run, result)
    return ccall(
        address(E_netcl_op_dequantize_weights), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), weights, options, run, result
    )
end

@inline function netcl_op_quantize_weights(w, options, run, weights, scales, zero_points)
    return ccall(
        address(E_netcl_op_quantize_weights), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), w,
        options, run, weights, scales, zero_points
    )
end

@inline function netcl_op_attention(q, k, v, options, run, result, lse)
    return ccall(
        address(E_netcl_op_attention), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        q, k, v, options, run, result, lse
    )
end

@inline function netcl_op_rotary_embedding(x, cos_cache, sin_cache, options, run, result)
    return ccall(
        address(E_netcl_op_rotary_embedding), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x,
        cos_cache, sin_cache, options, run, result
    )
end

@inline function netcl_op_reduce(x, kind, options, run, result)
    return ccall(
        address(E_netcl_op_reduce), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, kind, options, run,
        result
    )
end

@inline function netcl_op_scan(x, kind, axis, options, run, result)
    return ccall(
        address(E_netcl_op_scan), Int32,
        (Ptr{Cvoid}, Int32, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, kind, axis,
        options, run, result
    )
end

@inline function netcl_op_histogram(x, bins, options, run, result)
    return ccall(
        address(E_netcl_op_histogram), Int32,
        (Ptr{Cvoid}, Int64, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, bins, options, run,
        result
    )
end

@inline function netcl_op_topk(x, k, axis, options, run, values, indices)
    return ccall(
        address(E_netcl_op_topk), Int32,
        (Ptr{Cvoid}, Int64, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, k,
        axis, options, run, values, indices
    )
end

@inline function netcl_op_softmax(x, axis, run, result)
    return ccall(
        address(E_netcl_op_softmax), Int32, (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}), x,
        axis, run, result
    )
end

@inline function netcl_op_log_softmax(x, axis, run, result)
    return ccall(
        address(E_netcl_op_log_softmax), Int32, (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}),
        x, axis, run, result
    )
end

@inline function netcl_op_layernorm(x, axis, options, run, result)
    return ccall(
        address(E_netcl_op_layernorm), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, axis, options, run,
        result
    )
end

@inline function netcl_op_rmsnorm(x, axis, options, run, result)
    return ccall(
        address(E_netcl_op_rmsnorm), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, axis, options, run,
        result
    )
end

@inline function netcl_op_batchnorm(x, mean, variance, options, run, result)
    return ccall(
        address(E_netcl_op_batchnorm), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, mean,
        variance, options, run, result
    )
end

@inline function netcl_op_pool(x, kind, options, run, result)
    return ccall(
        address(E_netcl_op_pool), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, kind, options, run,
        result
    )
end

@inline function netcl_op_max_unpool2d(x, indices, height, width, options, run, result)
    return ccall(
        address(E_netcl_op_max_unpool2d), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Int64, Int64, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x,
        indices, height, width, options, run, result
    )
end

@inline function netcl_op_roi_pool(x, rois, images, kind, options, run, result)
    return ccall(
        address(E_netcl_op_roi_pool), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x,
        rois, images, kind, options, run, result
    )
end

@inline function netcl_op_quantize_linear(x, scale, axis, options, run, result)
    return ccall(
        address(E_netcl_op_quantize_linear), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, scale, axis,
        options, run, result
    )
end

@inline function netcl_op_dequantize_linear(x, scale, axis, options, run, result)
    return ccall(
        address(E_netcl_op_dequantize_linear), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, scale, axis,
        options, run, result
    )
end

@inline function netcl_op_dynamic_quantize_linear(
    x, options, run, result, scale, zero_point
)
    return ccall(
        address(E_netcl_op_dynamic_quantize_linear), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x,
        options, run, result, scale, zero_point
    )
end

@inline function netcl_op_qlinear_matmul(
    a, a_scale, b, b_scale, y_scale, options, run, result
)
    return ccall(
        address(E_netcl_op_qlinear_matmul), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        a, a_scale, b, b_scale, y_scale, options, run, result
    )
end

@inline function netcl_op_conv2d_integer(x, w, options, run, result)
    return ccall(
        address(E_netcl_op_conv2d_integer), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, w, options, run,
        result
    )
end

@inline function netcl_op_qlinear_conv2d(
    x, x_scale, w, w_scale, y_scale, options, run, result
)
    return ccall(
        address(E_netcl_op_qlinear_conv2d), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        x, x_scale, w, w_scale, y_scale, options, run, result
    )
end

@inline function netcl_op_cross_entropy(x, labels, axis, options, run, result)
    return ccall(
        address(E_netcl_op_cross_entropy), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, labels,
        axis, options, run, result
    )
end

@inline function netcl_op_nll_loss(x, labels, axis, options, run, result)
    return ccall(
        address(E_netcl_op_nll_loss), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, labels,
        axis, options, run, result
    )
end

@inline function netcl_op_sgd(
    parameters, parameters_count, gradients, gradients_count, learning_rate, options, run
)
    return ccall(
        address(E_netcl_op_sgd), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Float64, Ptr{Cvoid}, Ptr{Cvoid}),
        parameters, parameters_count, gradients, gradients_count, learning_rate, options,
        run
    )
end

@inline function netcl_op_adam(
    parameters, parameters_count, gradients, gradients_count, averages, averages_count,
    square_averages, square_averages_count, step, learning_rate, options, run
)
    return ccall(
        address(E_netcl_op_adam), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Float64, Ptr{Cvoid}, Ptr{Cvoid}),
        parameters, parameters_count, gradients, gradients_count, averages, averages_count,
        square_averages, square_averages_count, step, learning_rate, options, run
    )
end

@inline function netcl_op_rmsprop(
    parameters, parameters_count, gradients, gradients_count, square_averages,
    square_averages_count, learning_rate, options, run
)
    return ccall(
        address(E_netcl_op_rmsprop), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Float64, Ptr{Cvoid}, Ptr{Cvoid}),
        parameters, parameters_count, gradients, gradients_count, square_averages,
        square_averages_count, learning_rate, options, run
    )
end

@inline function netcl_op_adagrad(
    parameters, parameters_count, gradients, gradients_count, sums, sums_count,
    learning_rate, options, run
)
    return ccall(
        address(E_netcl_op_adagrad), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Float64, Ptr{Cvoid}, Ptr{Cvoid}),
        parameters, parameters_count, gradients, gradients_count, sums, sums_count,
        learning_rate, options, run
    )
end

@inline function netcl_op_clip_by_norm(tensors, tensors_count, max_norm, run, result)
    return ccall(
        address(E_netcl_op_clip_by_norm), Int32,
        (Ptr{Cvoid}, UInt32, Float64, Ptr{Cvoid}, Ptr{Cvoid}), tensors, tensors_count,
        max_norm, run, result
    )
end

@inline function netcl_op_unscale(tensors, tensors_count, scale, found_inf, run)
    return ccall(
        address(E_netcl_op_unscale), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), tensors, tensors_count,
        scale, found_inf, run
    )
end

@inline function netcl_op_update_loss_scale(scale, tracker, found_inf, options, run)
    return ccall(
        address(E_netcl_op_update_loss_scale), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), scale, tracker,
        found_inf, options, run
    )
end

@inline function netcl_op_transpose(x, axes, axes_count, run, result)
    return ccall(
        address(E_netcl_op_transpose), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), x, axes, axes_count, run,
        result
    )
end

@inline function netcl_op_concat(inputs, inputs_count, axis, run, result)
    return ccall(
        address(E_netcl_op_concat), Int32,
        (Ptr{Cvoid}, UInt32, Int32, Ptr{Cvoid}, Ptr{Cvoid}), inputs, inputs_count, axis,
        run, result
    )
end

@inline function netcl_tensor_split(x, axis, sizes, sizes_count, views)
    return ccall(
        address(E_netcl_tensor_split), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), x, axis, sizes, sizes_count,
        views
    )
end

@inline function netcl_op_pad(x, pads, pads_count, options, run, result)
    return ccall(
        address(E_netcl_op_pad), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, pads,
        pads_count, options, run, result
    )
end

@inline function netcl_op_tile(x, repeats, repeats_count, run, result)
    return ccall(
        address(E_netcl_op_tile), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), x, repeats, repeats_count,
        run, result
    )
end

@inline function netcl_op_trilu(x, upper, k, run, result)
    return ccall(
        address(E_netcl_op_trilu), Int32,
        (Ptr{Cvoid}, UInt32, Int64, Ptr{Cvoid}, Ptr{Cvoid}), x, upper, k, run, result
    )
end

@inline function netcl_op_gather(x, indices, axis, run, result)
    return ccall(
        address(E_netcl_op_gather), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}), x, indices, axis, run,
        result
    )
end

@inline function netcl_op_gather_elements(x, indices, axis, run, result)
    return ccall(
        address(E_netcl_op_gather_elements), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}), x, indices, axis, run,
        result
    )
end

@inline function netcl_op_embedding(weights, indices, run, result)
    return ccall(
        address(E_netcl_op_embedding), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), weights, indices, run, result
    )
end

@inline function netcl_op_one_hot(
    indices, depth, axis, dtype, on_value, off_value, run, result
)
    return ccall(
        address(E_netcl_op_one_hot), Int32,
        (Ptr{Cvoid}, Int64, Int32, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        indices, depth, axis, dtype, on_value, off_value, run, result
    )
end

@inline function netcl_op_scatter(x, indices, updates, axis, options, run, result)
    return ccall(
        address(E_netcl_op_scatter), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x,
        indices, updates, axis, options, run, result
    )
end

@inline function netcl_op_gather_nd(x, indices, batch_dims, run, result)
    return ccall(
        address(E_netcl_op_gather_nd), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), x, indices, batch_dims,
        run, result
    )
end

@inline function netcl_op_scatter_nd(x, indices, updates, batch_dims, options, run, result)
    return ccall(
        address(E_netcl_op_scatter_nd), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x,
        indices, updates, batch_dims, options, run, result
    )
end

@inline function netcl_op_depth_to_space(x, block, order, run, result)
    return ccall(
        address(E_netcl_op_depth_to_space), Int32,
        (Ptr{Cvoid}, Int64, Int32, Ptr{Cvoid}, Ptr{Cvoid}), x, block, order, run, result
    )
end

@inline function netcl_op_space_to_depth(x, block, order, run, result)
    return ccall(
        address(E_netcl_op_space_to_depth), Int32,
        (Ptr{Cvoid}, Int64, Int32, Ptr{Cvoid}, Ptr{Cvoid}), x, block, order, run, result
    )
end

@inline function netcl_op_resize(x, rank, shape, options, run, result)
    return ccall(
        address(E_netcl_op_resize), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, rank,
        shape, options, run, result
    )
end

@inline function netcl_graph_create(device, options, graph)
    return ccall(
        address(E_netcl_graph_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device,
        options, graph
    )
end

@inline function netcl_graph_retain(graph)
    return ccall(address(E_netcl_graph_retain), Int32, (Ptr{Cvoid},), graph)
end

@inline function netcl_graph_release(graph)
    return ccall(address(E_netcl_graph_release), Cvoid, (Ptr{Cvoid},), graph)
end

@inline function netcl_graph_clear(graph)
    return ccall(address(E_netcl_graph_clear), Int32, (Ptr{Cvoid},), graph)
end

@inline function netcl_graph_create_from_function(
    device, function_, user_data, destroy, outputs, options, graph
)
    return ccall(
        address(E_netcl_graph_create_from_function), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}),
        device, function_, user_data, destroy, outputs, options, graph
    )
end

@inline function netcl_graph_get_info(graph, info)
    return ccall(
        address(E_netcl_graph_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), graph, info
    )
end

@inline function netcl_graph_add_gradients(
    graph, outputs, outputs_count, inputs, inputs_count, options, gradients
)
    return ccall(
        address(E_netcl_graph_add_gradients), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), graph,
        outputs, outputs_count, inputs, inputs_count, options, gradients
    )
end

@inline function netcl_graph_compile(
    graph, inputs, inputs_count, outputs, outputs_count, options
)
    return ccall(
        address(E_netcl_graph_compile), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), graph, inputs,
        inputs_count, outputs, outputs_count, options
    )
end

@inline function netcl_graph_run(graph, inputs, inputs_count, outputs, outputs_count, run)
    return ccall(
        address(E_netcl_graph_run), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), graph, inputs,
        inputs_count, outputs, outputs_count, run
    )
end

@inline function netcl_graph_evaluate(
    graph, inputs, inputs_count, run, outputs, capacity, count
)
    return ccall(
        address(E_netcl_graph_evaluate), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), graph,
        inputs, inputs_count, run, outputs, capacity, count
    )
end

@inline function netcl_graph_explain(graph, format, buffer, capacity, length)
    return ccall(
        address(E_netcl_graph_explain), Int32,
        (Ptr{Cvoid}, Int32, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), graph, format, buffer,
        capacity, length
    )
end

@inline function netcl_model_load(device, path, options, model)
    return ccall(
        address(E_netcl_model_load), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}, Ptr{Cvoid}), device, path, options, model
    )
end

@inline function netcl_model_load_memory(device, data, data_size, options, model)
    return ccall(
        address(E_netcl_model_load_memory), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Cvoid}, Ptr{Cvoid}), device, data, data_size,
        options, model
    )
end

@inline function netcl_model_retain(model)
    return ccall(address(E_netcl_model_retain), Int32, (Ptr{Cvoid},), model)
end

@inline function netcl_model_release(model)
    return ccall(address(E_netcl_model_release), Cvoid, (Ptr{Cvoid},), model)
end

@inline function netcl_model_get_info(model, info)
    return ccall(
        address(E_netcl_model_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), model, info
    )
end

@inline function netcl_model_get_input(model, index, value)
    return ccall(
        address(E_netcl_model_get_input), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}), model,
        index, value
    )
end

@inline function netcl_model_get_output(model, index, value)
    return ccall(
        address(E_netcl_model_get_output), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}), model,
        index, value
    )
end

@inline function netcl_model_find_input(model, name, index)
    return ccall(
        address(E_netcl_model_find_input), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}),
        model, name, index
    )
end

@inline function netcl_model_find_output(model, name, index)
    return ccall(
        address(E_netcl_model_find_output), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}),
        model, name, index
    )
end

@inline function netcl_model_run(model, inputs, inputs_count, outputs, outputs_count, run)
    return ccall(
        address(E_netcl_model_run), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), model, inputs,
        inputs_count, outputs, outputs_count, run
    )
end

@inline function netcl_model_evaluate(
    model, inputs, inputs_count, run, outputs, capacity, count
)
    return ccall(
        address(E_netcl_model_evaluate), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), model,
        inputs, inputs_count, run, outputs, capacity, count
    )
end

@inline function netcl_model_explain(model, format, buffer, capacity, length)
    return ccall(
        address(E_netcl_model_explain), Int32,
        (Ptr{Cvoid}, Int32, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), model, format, buffer,
        capacity, length
    )
end

@inline function netcl_model_describe(path, buffer, capacity, length)
    return ccall(
        address(E_netcl_model_describe), Int32,
        (Ptr{UInt8}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), path, buffer, capacity, length
    )
end

@inline function netcl_weights_open(device, path, options, weights)
    return ccall(
        address(E_netcl_weights_open), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}, Ptr{Cvoid}), device, path, options, weights
    )
end

@inline function netcl_weights_retain(weights)
    return ccall(address(E_netcl_weights_retain), Int32, (Ptr{Cvoid},), weights)
end

@inline function netcl_weights_release(weights)
    return ccall(address(E_netcl_weights_release), Cvoid, (Ptr{Cvoid},), weights)
end

@inline function netcl_weights_get_info(weights, info)
    return ccall(
        address(E_netcl_weights_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), weights, info
    )
end

@inline function netcl_weights_get_entry(weights, index, entry)
    return ccall(
        address(E_netcl_weights_get_entry), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        weights, index, entry
    )
end

@inline function netcl_weights_find(weights, name, index)
    return ccall(
        address(E_netcl_weights_find), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}), weights,
        name, index
    )
end

@inline function netcl_weights_get_tensor(weights, index, options, tensor)
    return ccall(
        address(E_netcl_weights_get_tensor), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), weights, index, options, tensor
    )
end

@inline function netcl_weights_get_metadata_key(weights, index, buffer, capacity, length)
    return ccall(
        address(E_netcl_weights_get_metadata_key), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), weights, index, buffer,
        capacity, length
    )
end

@inline function netcl_weights_get_metadata(weights, key, buffer, capacity, length)
    return ccall(
        address(E_netcl_weights_get_metadata), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), weights, key, buffer,
        capacity, length
    )
end

@inline function netcl_weights_save(
    path, format, names, names_count, tensors, tensors_count, options, timeout_ns
)
    return ccall(
        address(E_netcl_weights_save), Int32,
        (Ptr{UInt8}, Int32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt64),
        path, format, names, names_count, tensors, tensors_count, options, timeout_ns
    )
end

@inline function netcl_group_join(device, path, index, size, options, group)
    return ccall(
        address(E_netcl_group_join), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, UInt32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), device, path,
        index, size, options, group
    )
end

@inline function netcl_group_create_local(devices, devices_count, options, groups)
    return ccall(
        address(E_netcl_group_create_local), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), devices, devices_count, options,
        groups
    )
end

@inline function netcl_group_create_mpi(device, communicator, options, group)
    return ccall(
        address(E_netcl_group_create_mpi), Int32,
        (Ptr{Cvoid}, Int64, Ptr{Cvoid}, Ptr{Cvoid}), device, communicator, options, group
    )
end

@inline function netcl_group_split(group, colors, colors_count, part)
    return ccall(
        address(E_netcl_group_split), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        group, colors, colors_count, part
    )
end

@inline function netcl_group_retain(group)
    return ccall(address(E_netcl_group_retain), Int32, (Ptr{Cvoid},), group)
end

@inline function netcl_group_release(group)
    return ccall(address(E_netcl_group_release), Cvoid, (Ptr{Cvoid},), group)
end

@inline function netcl_group_get_info(group, info)
    return ccall(
        address(E_netcl_group_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), group, info
    )
end

@inline function netcl_group_get_device(group, device)
    return ccall(
        address(E_netcl_group_get_device), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), group, device
    )
end

@inline function netcl_group_describe_device(group, index, info)
    return ccall(
        address(E_netcl_group_describe_device), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        group, index, info
    )
end

@inline function netcl_group_get_error(group, info)
    return ccall(
        address(E_netcl_group_get_error), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), group, info
    )
end

@inline function netcl_group_barrier(group, run)
    return ccall(
        address(E_netcl_group_barrier), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), group, run
    )
end

@inline function netcl_group_all_reduce(group, input, output, kind, run)
    return ccall(
        address(E_netcl_group_all_reduce), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}), group, input, output, kind,
        run
    )
end

@inline function netcl_group_reduce(group, input, output, kind, root, run)
    return ccall(
        address(E_netcl_group_reduce), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, UInt32, Ptr{Cvoid}), group, input,
        output, kind, root, run
    )
end

@inline function netcl_group_broadcast(group, tensor, root, run)
    return ccall(
        address(E_netcl_group_broadcast), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), group, tensor, root, run
    )
end

@inline function netcl_group_all_gather(group, input, output, run)
    return ccall(
        address(E_netcl_group_all_gather), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), group, input, output, run
    )
end

@inline function netcl_group_gather(group, input, output, root, run)
    return ccall(
        address(E_netcl_group_gather), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), group, input, output,
        root, run
    )
end

@inline function netcl_group_scatter(group, input, output, root, run)
    return ccall(
        address(E_netcl_group_scatter), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), group, input, output,
        root, run
    )
end

@inline function netcl_group_reduce_scatter(group, input, output, kind, run)
    return ccall(
        address(E_netcl_group_reduce_scatter), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cvoid}), group, input, output, kind,
        run
    )
end

@inline function netcl_group_all_to_all(group, input, counts, counts_count, output, run)
    return ccall(
        address(E_netcl_group_all_to_all), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), group, input,
        counts, counts_count, output, run
    )
end

@inline function netcl_group_send(group, tensor, peer, run)
    return ccall(
        address(E_netcl_group_send), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        group, tensor, peer, run
    )
end

@inline function netcl_group_receive(group, tensor, peer, run)
    return ccall(
        address(E_netcl_group_receive), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        group, tensor, peer, run
    )
end

@inline function netcl_reducer_create(group, options, reducer)
    return ccall(
        address(E_netcl_reducer_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), group,
        options, reducer
    )
end

@inline function netcl_reducer_retain(reducer)
    return ccall(address(E_netcl_reducer_retain), Int32, (Ptr{Cvoid},), reducer)
end

@inline function netcl_reducer_release(reducer)
    return ccall(address(E_netcl_reducer_release), Cvoid, (Ptr{Cvoid},), reducer)
end

@inline function netcl_reducer_get_info(reducer, info)
    return ccall(
        address(E_netcl_reducer_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), reducer, info
    )
end

@inline function netcl_reducer_wait(reducer, timeout_ns)
    return ccall(
        address(E_netcl_reducer_wait), Int32, (Ptr{Cvoid}, UInt64), reducer, timeout_ns
    )
end

@inline function netcl_group_describe_block(group, index, rank, shape, options, info)
    return ccall(
        address(E_netcl_group_describe_block), Int32,
        (Ptr{Cvoid}, UInt32, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), group, index,
        rank, shape, options, info
    )
end

@inline function netcl_sharded_create(group, block, rank, shape, options, sharded)
    return ccall(
        address(E_netcl_sharded_create), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), group, block,
        rank, shape, options, sharded
    )
end

@inline function netcl_sharded_create_from_root(group, whole, root, options, run, sharded)
    return ccall(
        address(E_netcl_sharded_create_from_root), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), group, whole,
        root, options, run, sharded
    )
end

@inline function netcl_sharded_retain(sharded)
    return ccall(address(E_netcl_sharded_retain), Int32, (Ptr{Cvoid},), sharded)
end

@inline function netcl_sharded_release(sharded)
    return ccall(address(E_netcl_sharded_release), Cvoid, (Ptr{Cvoid},), sharded)
end

@inline function netcl_sharded_get_info(sharded, info)
    return ccall(
        address(E_netcl_sharded_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), sharded, info
    )
end

@inline function netcl_sharded_get_block(sharded, block)
    return ccall(
        address(E_netcl_sharded_get_block), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), sharded, block
    )
end

@inline function netcl_sharded_explain(sharded, buffer, capacity, length)
    return ccall(
        address(E_netcl_sharded_explain), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), sharded, buffer, capacity, length
    )
end

@inline function netcl_sharded_redistribute(x, options, run, result)
    return ccall(
        address(E_netcl_sharded_redistribute), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, options, run, result
    )
end

@inline function netcl_sharded_gather(x, output, root, run)
    return ccall(
        address(E_netcl_sharded_gather), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), x, output, root, run
    )
end

@inline function netcl_sharded_expression_text(
    text, inputs, inputs_count, options, run, result
)
    return ccall(
        address(E_netcl_sharded_expression_text), Int32,
        (Ptr{UInt8}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), text, inputs,
        inputs_count, options, run, result
    )
end

@inline function netcl_sharded_reduce(x, kind, options, run, result)
    return ccall(
        address(E_netcl_sharded_reduce), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, kind, options, run,
        result
    )
end

@inline function netcl_sharded_softmax(x, axis, run, result)
    return ccall(
        address(E_netcl_sharded_softmax), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}), x, axis, run, result
    )
end

@inline function netcl_sharded_layernorm(x, axis, options, run, result)
    return ccall(
        address(E_netcl_sharded_layernorm), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, axis, options, run,
        result
    )
end

@inline function netcl_sharded_rmsnorm(x, axis, options, run, result)
    return ccall(
        address(E_netcl_sharded_rmsnorm), Int32,
        (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, axis, options, run,
        result
    )
end

@inline function netcl_sharded_matmul(a, b, options, run, result)
    return ccall(
        address(E_netcl_sharded_matmul), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), a, b, options, run,
        result
    )
end

@inline function netcl_sharded_exchange_halo(x, pads, pads_count, options, run, result)
    return ccall(
        address(E_netcl_sharded_exchange_halo), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), x, pads,
        pads_count, options, run, result
    )
end

@inline function netcl_statistics_compute(samples, samples_count, confidence, statistics)
    return ccall(
        address(E_netcl_statistics_compute), Int32,
        (Ptr{Cvoid}, UInt64, Float64, Ptr{Cvoid}), samples, samples_count, confidence,
        statistics
    )
end

@inline function netcl_statistics_compare(
    first, first_count, second, second_count, confidence, precision, seed, comparison
)
    return ccall(
        address(E_netcl_statistics_compare), Int32,
        (Ptr{Cvoid}, UInt64, Ptr{Cvoid}, UInt64, Float64, Float64, UInt64, Ptr{Cvoid}),
        first, first_count, second, second_count, confidence, precision, seed, comparison
    )
end

@inline function netcl_measurement_create(queue, options, measurement)
    return ccall(
        address(E_netcl_measurement_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        queue, options, measurement
    )
end

@inline function netcl_measurement_retain(measurement)
    return ccall(address(E_netcl_measurement_retain), Int32, (Ptr{Cvoid},), measurement)
end

@inline function netcl_measurement_release(measurement)
    return ccall(address(E_netcl_measurement_release), Cvoid, (Ptr{Cvoid},), measurement)
end

@inline function netcl_measurement_next(measurement, candidate, iterations)
    return ccall(
        address(E_netcl_measurement_next), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        measurement, candidate, iterations
    )
end

@inline function netcl_measurement_get_statistics(measurement, candidate, statistics)
    return ccall(
        address(E_netcl_measurement_get_statistics), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}), measurement, candidate, statistics
    )
end

@inline function netcl_measurement_get_samples(
    measurement, candidate, samples, capacity, count
)
    return ccall(
        address(E_netcl_measurement_get_samples), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt64, Ptr{Cvoid}), measurement, candidate,
        samples, capacity, count
    )
end

@inline function netcl_measurement_compare(measurement, first, second, comparison)
    return ccall(
        address(E_netcl_measurement_compare), Int32,
        (Ptr{Cvoid}, UInt32, UInt32, Ptr{Cvoid}), measurement, first, second, comparison
    )
end

@inline function netcl_queue_time(queue, work, user_data, options, statistics)
    return ccall(
        address(E_netcl_queue_time), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), queue, work,
        user_data, options, statistics
    )
end

@inline function netcl_kernel_time(
    kernel, global_, global_count, local_, local_count, args, args_count, launch, run,
    options, statistics
)
    return ccall(
        address(E_netcl_kernel_time), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        kernel, global_, global_count, local_, local_count, args, args_count, launch, run,
        options, statistics
    )
end

@inline function netcl_timer_create(queue, timer)
    return ccall(
        address(E_netcl_timer_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), queue, timer
    )
end

@inline function netcl_timer_retain(timer)
    return ccall(address(E_netcl_timer_retain), Int32, (Ptr{Cvoid},), timer)
end

@inline function netcl_timer_release(timer)
    return ccall(address(E_netcl_timer_release), Cvoid, (Ptr{Cvoid},), timer)
end

@inline function netcl_timer_start(timer)
    return ccall(address(E_netcl_timer_start), Int32, (Ptr{Cvoid},), timer)
end

@inline function netcl_timer_stop(timer, timeout_ns, elapsed)
    return ccall(
        address(E_netcl_timer_stop), Int32, (Ptr{Cvoid}, UInt64, Ptr{Cvoid}), timer,
        timeout_ns, elapsed
    )
end

@inline function netcl_profile_start(options)
    return ccall(address(E_netcl_profile_start), Int32, (Ptr{Cvoid},), options)
end

@inline function netcl_profile_stop(timeout_ns)
    return ccall(address(E_netcl_profile_stop), Int32, (UInt64,), timeout_ns)
end

@inline function netcl_profile_reset()
    return ccall(address(E_netcl_profile_reset), Int32, ())
end

@inline function netcl_profile_report(format, buffer, capacity, length)
    return ccall(
        address(E_netcl_profile_report), Int32, (Int32, Ptr{UInt8}, Csize_t, Ptr{Cvoid}),
        format, buffer, capacity, length
    )
end

@inline function netcl_region_begin(queue, parent, name, region)
    return ccall(
        address(E_netcl_region_begin), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}), queue, parent, name, region
    )
end

@inline function netcl_region_end(region)
    return ccall(address(E_netcl_region_end), Int32, (Ptr{Cvoid},), region)
end

@inline function netcl_region_annotate(region, bytes, operations)
    return ccall(
        address(E_netcl_region_annotate), Int32, (Ptr{Cvoid}, Float64, Float64), region,
        bytes, operations
    )
end

@inline function netcl_region_retain(region)
    return ccall(address(E_netcl_region_retain), Int32, (Ptr{Cvoid},), region)
end

@inline function netcl_region_release(region)
    return ccall(address(E_netcl_region_release), Cvoid, (Ptr{Cvoid},), region)
end

@inline function netcl_region_push(queue, name)
    return ccall(address(E_netcl_region_push), Int32, (Ptr{Cvoid}, Ptr{UInt8}), queue, name)
end

@inline function netcl_region_pop()
    return ccall(address(E_netcl_region_pop), Int32, ())
end

@inline function netcl_roofline_create(options, roofline)
    return ccall(
        address(E_netcl_roofline_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), options, roofline
    )
end

@inline function netcl_roofline_retain(roofline)
    return ccall(address(E_netcl_roofline_retain), Int32, (Ptr{Cvoid},), roofline)
end

@inline function netcl_roofline_release(roofline)
    return ccall(address(E_netcl_roofline_release), Cvoid, (Ptr{Cvoid},), roofline)
end

@inline function netcl_roofline_analyze_metrics(
    roofline, names, values, metrics_count, result
)
    return ccall(
        address(E_netcl_roofline_analyze_metrics), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), roofline, names, values,
        metrics_count, result
    )
end

@inline function netcl_roofline_analyze_ncu(roofline, text, text_size, options, result)
    return ccall(
        address(E_netcl_roofline_analyze_ncu), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}, Ptr{Cvoid}), roofline, text,
        text_size, options, result
    )
end

@inline function netcl_roofline_should_stop(roofline, result, stop)
    return ccall(
        address(E_netcl_roofline_should_stop), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        roofline, result, stop
    )
end

@inline function netcl_roofline_get_reason(roofline, buffer, capacity, length)
    return ccall(
        address(E_netcl_roofline_get_reason), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), roofline, buffer, capacity, length
    )
end

@inline function netcl_roofline_reset_history(roofline)
    return ccall(address(E_netcl_roofline_reset_history), Int32, (Ptr{Cvoid},), roofline)
end

@inline function netcl_roofline_format(result, format, buffer, capacity, length)
    return ccall(
        address(E_netcl_roofline_format), Int32,
        (Ptr{Cvoid}, Int32, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), result, format, buffer,
        capacity, length
    )
end

@inline function netcl_ceiling_kind_name(kind)
    return ccall(address(E_netcl_ceiling_kind_name), Ptr{UInt8}, (Int32,), kind)
end

@inline function netcl_ceilings_create(ceilings)
    return ccall(address(E_netcl_ceilings_create), Int32, (Ptr{Cvoid},), ceilings)
end

@inline function netcl_ceilings_measure(device, options, ceilings)
    return ccall(
        address(E_netcl_ceilings_measure), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, options, ceilings
    )
end

@inline function netcl_ceilings_load(path, ceilings)
    return ccall(
        address(E_netcl_ceilings_load), Int32, (Ptr{UInt8}, Ptr{Cvoid}), path, ceilings
    )
end

@inline function netcl_ceilings_retain(ceilings)
    return ccall(address(E_netcl_ceilings_retain), Int32, (Ptr{Cvoid},), ceilings)
end

@inline function netcl_ceilings_release(ceilings)
    return ccall(address(E_netcl_ceilings_release), Cvoid, (Ptr{Cvoid},), ceilings)
end

@inline function netcl_ceilings_get_info(ceilings, info)
    return ccall(
        address(E_netcl_ceilings_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), ceilings, info
    )
end

@inline function netcl_ceilings_get(ceilings, rows, capacity, count)
    return ccall(
        address(E_netcl_ceilings_get), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        ceilings, rows, capacity, count
    )
end

@inline function netcl_ceilings_set(ceilings, row)
    return ccall(
        address(E_netcl_ceilings_set), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), ceilings, row
    )
end

@inline function netcl_ceilings_save(ceilings, path)
    return ccall(
        address(E_netcl_ceilings_save), Int32, (Ptr{Cvoid}, Ptr{UInt8}), ceilings, path
    )
end

@inline function netcl_roofline_analyze_time(roofline, ceilings, time_ns, work, result)
    return ccall(
        address(E_netcl_roofline_analyze_time), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Float64, Ptr{Cvoid}, Ptr{Cvoid}), roofline, ceilings,
        time_ns, work, result
    )
end

@inline function netcl_roofline_analyze_statistics(roofline, ceilings, statistics, result)
    return ccall(
        address(E_netcl_roofline_analyze_statistics), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), roofline, ceilings, statistics,
        result
    )
end

@inline function netcl_space_create(space)
    return ccall(address(E_netcl_space_create), Int32, (Ptr{Cvoid},), space)
end

@inline function netcl_space_create_from_t1(text, text_size, space)
    return ccall(
        address(E_netcl_space_create_from_t1), Int32, (Ptr{UInt8}, Csize_t, Ptr{Cvoid}),
        text, text_size, space
    )
end

@inline function netcl_space_retain(space)
    return ccall(address(E_netcl_space_retain), Int32, (Ptr{Cvoid},), space)
end

@inline function netcl_space_release(space)
    return ccall(address(E_netcl_space_release), Cvoid, (Ptr{Cvoid},), space)
end

@inline function netcl_space_add_ints(space, name, values, values_count)
    return ccall(
        address(E_netcl_space_add_ints), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}, UInt32), space, name, values, values_count
    )
end

@inline function netcl_space_add_floats(space, name, values, values_count)
    return ccall(
        address(E_netcl_space_add_floats), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}, UInt32), space, name, values, values_count
    )
end

@inline function netcl_space_add_bool(space, name)
    return ccall(
        address(E_netcl_space_add_bool), Int32, (Ptr{Cvoid}, Ptr{UInt8}), space, name
    )
end

@inline function netcl_space_add_texts(space, name, values, values_count)
    return ccall(
        address(E_netcl_space_add_texts), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}, UInt32), space, name, values, values_count
    )
end

@inline function netcl_space_add_constraint(space, formula)
    return ccall(
        address(E_netcl_space_add_constraint), Int32, (Ptr{Cvoid}, Ptr{UInt8}), space,
        formula
    )
end

@inline function netcl_space_set_work_size(space, global_size, local_size)
    return ccall(
        address(E_netcl_space_set_work_size), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{UInt8}),
        space, global_size, local_size
    )
end

@inline function netcl_space_get_count(space, capabilities, count)
    return ccall(
        address(E_netcl_space_get_count), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        space, capabilities, count
    )
end

@inline function netcl_space_get_config(space, capabilities, index, config)
    return ccall(
        address(E_netcl_space_get_config), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt64, Ptr{Cvoid}), space, capabilities, index, config
    )
end

@inline function netcl_space_explain(space, capabilities, config, buffer, capacity, length)
    return ccall(
        address(E_netcl_space_explain), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), space,
        capabilities, config, buffer, capacity, length
    )
end

@inline function netcl_config_create_from_json(text, text_size, config)
    return ccall(
        address(E_netcl_config_create_from_json), Int32, (Ptr{UInt8}, Csize_t, Ptr{Cvoid}),
        text, text_size, config
    )
end

@inline function netcl_config_retain(config)
    return ccall(address(E_netcl_config_retain), Int32, (Ptr{Cvoid},), config)
end

@inline function netcl_config_release(config)
    return ccall(address(E_netcl_config_release), Cvoid, (Ptr{Cvoid},), config)
end

@inline function netcl_config_get_int(config, name, value)
    return ccall(
        address(E_netcl_config_get_int), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}),
        config, name, value
    )
end

@inline function netcl_config_get_float(config, name, value)
    return ccall(
        address(E_netcl_config_get_float), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}),
        config, name, value
    )
end

@inline function netcl_config_get_text(config, name, buffer, capacity, length)
    return ccall(
        address(E_netcl_config_get_text), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), config, name, buffer,
        capacity, length
    )
end

@inline function netcl_config_get_json(config, buffer, capacity, length)
    return ccall(
        address(E_netcl_config_get_json), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), config, buffer, capacity, length
    )
end

@inline function netcl_tuning_database_open(path, database)
    return ccall(
        address(E_netcl_tuning_database_open), Int32, (Ptr{UInt8}, Ptr{Cvoid}), path,
        database
    )
end

@inline function netcl_tuning_database_retain(database)
    return ccall(address(E_netcl_tuning_database_retain), Int32, (Ptr{Cvoid},), database)
end

@inline function netcl_tuning_database_release(database)
    return ccall(address(E_netcl_tuning_database_release), Cvoid, (Ptr{Cvoid},), database)
end

@inline function netcl_tuning_database_get_info(database, info)
    return ccall(
        address(E_netcl_tuning_database_get_info), Int32, (Ptr{Cvoid}, Ptr{Cvoid}),
        database, info
    )
end

@inline function netcl_tuning_database_lookup(database, device, key, record, config)
    return ccall(
        address(E_netcl_tuning_database_lookup), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), database, device, key,
        record, config
    )
end

@inline function netcl_tuning_database_put(database, device, key, config, record)
    return ccall(
        address(E_netcl_tuning_database_put), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), database, device, key,
        config, record
    )
end

@inline function netcl_tuning_database_refresh(database)
    return ccall(address(E_netcl_tuning_database_refresh), Int32, (Ptr{Cvoid},), database)
end

@inline function netcl_tuning_database_get_record(database, index, record, config)
    return ccall(
        address(E_netcl_tuning_database_get_record), Int32,
        (Ptr{Cvoid}, UInt64, Ptr{Cvoid}, Ptr{Cvoid}), database, index, record, config
    )
end

@inline function netcl_tuning_database_merge(database, path, count)
    return ccall(
        address(E_netcl_tuning_database_merge), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}),
        database, path, count
    )
end

@inline function netcl_tuning_database_compact(database)
    return ccall(address(E_netcl_tuning_database_compact), Int32, (Ptr{Cvoid},), database)
end

@inline function netcl_tuning_database_clear(database, kernel)
    return ccall(
        address(E_netcl_tuning_database_clear), Int32, (Ptr{Cvoid}, Ptr{UInt8}), database,
        kernel
    )
end

@inline function netcl_tuning_database_export(
    database, kernel, format, buffer, capacity, length
)
    return ccall(
        address(E_netcl_tuning_database_export), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Int32, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), database, kernel,
        format, buffer, capacity, length
    )
end

@inline function netcl_device_get_part(device, buffer, capacity, length)
    return ccall(
        address(E_netcl_device_get_part), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), device, buffer, capacity, length
    )
end

@inline function netcl_device_match_record(device, record, match)
    return ccall(
        address(E_netcl_device_match_record), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, record, match
    )
end

@inline function netcl_benchmark_create(device, options, benchmark)
    return ccall(
        address(E_netcl_benchmark_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        device, options, benchmark
    )
end

@inline function netcl_benchmark_retain(benchmark)
    return ccall(address(E_netcl_benchmark_retain), Int32, (Ptr{Cvoid},), benchmark)
end

@inline function netcl_benchmark_release(benchmark)
    return ccall(address(E_netcl_benchmark_release), Cvoid, (Ptr{Cvoid},), benchmark)
end

@inline function netcl_benchmark_add_tensor(benchmark, tensor)
    return ccall(
        address(E_netcl_benchmark_add_tensor), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), benchmark,
        tensor
    )
end

@inline function netcl_benchmark_add_scalar(benchmark, data, data_size)
    return ccall(
        address(E_netcl_benchmark_add_scalar), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t),
        benchmark, data, data_size
    )
end

@inline function netcl_benchmark_add_local(benchmark, bytes)
    return ccall(
        address(E_netcl_benchmark_add_local), Int32, (Ptr{Cvoid}, UInt64), benchmark, bytes
    )
end

@inline function netcl_benchmark_get_tensor(benchmark, index, tensor)
    return ccall(
        address(E_netcl_benchmark_get_tensor), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}),
        benchmark, index, tensor
    )
end

@inline function netcl_benchmark_prepare(benchmark, round)
    return ccall(
        address(E_netcl_benchmark_prepare), Int32, (Ptr{Cvoid}, UInt32), benchmark, round
    )
end

@inline function netcl_benchmark_keep(benchmark, round)
    return ccall(
        address(E_netcl_benchmark_keep), Int32, (Ptr{Cvoid}, UInt32), benchmark, round
    )
end

@inline function netcl_benchmark_time_baseline(
    benchmark, work, user_data, options, statistics
)
    return ccall(
        address(E_netcl_benchmark_time_baseline), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), benchmark, work,
        user_data, options, statistics
    )
end

@inline function netcl_benchmark_time_kernel(
    benchmark, kernel, global_, global_count, local_, local_count, options, statistics
)
    return ccall(
        address(E_netcl_benchmark_time_kernel), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}),
        benchmark, kernel, global_, global_count, local_, local_count, options, statistics
    )
end

@inline function netcl_benchmark_set_baseline(benchmark, statistics)
    return ccall(
        address(E_netcl_benchmark_set_baseline), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), benchmark,
        statistics
    )
end

@inline function netcl_benchmark_run(benchmark, candidate, options, result)
    return ccall(
        address(E_netcl_benchmark_run), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), benchmark, candidate, options,
        result
    )
end

@inline function netcl_benchmark_get_build_log(benchmark, buffer, capacity, length)
    return ccall(
        address(E_netcl_benchmark_get_build_log), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), benchmark, buffer, capacity, length
    )
end

@inline function netcl_benchmark_get_json(benchmark, buffer, capacity, length)
    return ccall(
        address(E_netcl_benchmark_get_json), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), benchmark, buffer, capacity, length
    )
end

@inline function netcl_search_create(space, capabilities, standard, options, search)
    return ccall(
        address(E_netcl_search_create), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), space, capabilities,
        standard, options, search
    )
end

@inline function netcl_search_retain(search)
    return ccall(address(E_netcl_search_retain), Int32, (Ptr{Cvoid},), search)
end

@inline function netcl_search_release(search)
    return ccall(address(E_netcl_search_release), Cvoid, (Ptr{Cvoid},), search)
end

@inline function netcl_search_ask(search, candidate, samples, config)
    return ccall(
        address(E_netcl_search_ask), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), search, candidate, samples, config
    )
end

@inline function netcl_search_tell(search, candidate, samples, samples_count)
    return ccall(
        address(E_netcl_search_tell), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt64),
        search, candidate, samples, samples_count
    )
end

@inline function netcl_search_tell_failure(search, candidate, outcome, message)
    return ccall(
        address(E_netcl_search_tell_failure), Int32,
        (Ptr{Cvoid}, UInt32, Int32, Ptr{UInt8}), search, candidate, outcome, message
    )
end

@inline function netcl_search_cancel(search)
    return ccall(address(E_netcl_search_cancel), Int32, (Ptr{Cvoid},), search)
end

@inline function netcl_search_read_event(search, after, timeout_ns, event)
    return ccall(
        address(E_netcl_search_read_event), Int32, (Ptr{Cvoid}, UInt64, UInt64, Ptr{Cvoid}),
        search, after, timeout_ns, event
    )
end

@inline function netcl_search_get_result(search, result)
    return ccall(
        address(E_netcl_search_get_result), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), search, result
    )
end

@inline function netcl_search_get_best(search, config)
    return ccall(
        address(E_netcl_search_get_best), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), search, config
    )
end

@inline function netcl_search_get_candidate(search, index, info, config)
    return ccall(
        address(E_netcl_search_get_candidate), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), search, index, info, config
    )
end

@inline function netcl_search_get_samples(search, index, samples, capacity, count)
    return ccall(
        address(E_netcl_search_get_samples), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt64, Ptr{Cvoid}), search, index, samples,
        capacity, count
    )
end

@inline function netcl_search_get_failure(search, outcome, buffer, capacity, length)
    return ccall(
        address(E_netcl_search_get_failure), Int32,
        (Ptr{Cvoid}, Int32, Ptr{UInt8}, Csize_t, Ptr{Cvoid}), search, outcome, buffer,
        capacity, length
    )
end

@inline function netcl_search_replay(text, text_size, options, result)
    return ccall(
        address(E_netcl_search_replay), Int32,
        (Ptr{UInt8}, Csize_t, Ptr{Cvoid}, Ptr{Cvoid}), text, text_size, options, result
    )
end

@inline function netcl_search_store(search, database, device, key)
    return ccall(
        address(E_netcl_search_store), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), search, database, device, key
    )
end

@inline function netcl_search_resume(search, database, device, key, count)
    return ccall(
        address(E_netcl_search_resume), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), search, database,
        device, key, count
    )
end

@inline function netcl_tuner_create(device, options, tuner)
    return ccall(
        address(E_netcl_tuner_create), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), device,
        options, tuner
    )
end

@inline function netcl_tuner_retain(tuner)
    return ccall(address(E_netcl_tuner_retain), Int32, (Ptr{Cvoid},), tuner)
end

@inline function netcl_tuner_release(tuner)
    return ccall(address(E_netcl_tuner_release), Cvoid, (Ptr{Cvoid},), tuner)
end

@inline function netcl_tuner_add(
    tuner, kernel, global_, global_count, args, args_count, tuning
)
    return ccall(
        address(E_netcl_tuner_add), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}), tuner,
        kernel, global_, global_count, args, args_count, tuning
    )
end

@inline function netcl_tuner_add_matmul(tuner, batch, m, n, k, dtype)
    return ccall(
        address(E_netcl_tuner_add_matmul), Int32,
        (Ptr{Cvoid}, Int64, Int64, Int64, Int64, Int32), tuner, batch, m, n, k, dtype
    )
end

@inline function netcl_tuner_add_conv2d(tuner, shape, dtype)
    return ccall(
        address(E_netcl_tuner_add_conv2d), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32), tuner,
        shape, dtype
    )
end

@inline function netcl_tuner_add_reduction(tuner, outputs, count, dtype)
    return ccall(
        address(E_netcl_tuner_add_reduction), Int32, (Ptr{Cvoid}, Int64, Int64, Int32),
        tuner, outputs, count, dtype
    )
end

@inline function netcl_tuner_run(tuner)
    return ccall(address(E_netcl_tuner_run), Int32, (Ptr{Cvoid},), tuner)
end

@inline function netcl_tuner_cancel(tuner)
    return ccall(address(E_netcl_tuner_cancel), Int32, (Ptr{Cvoid},), tuner)
end

@inline function netcl_tuner_read_event(tuner, after, timeout_ns, event)
    return ccall(
        address(E_netcl_tuner_read_event), Int32, (Ptr{Cvoid}, UInt64, UInt64, Ptr{Cvoid}),
        tuner, after, timeout_ns, event
    )
end

@inline function netcl_tuner_get_count(tuner, count)
    return ccall(
        address(E_netcl_tuner_get_count), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), tuner, count
    )
end

@inline function netcl_tuner_get_result(tuner, index, result, config)
    return ccall(
        address(E_netcl_tuner_get_result), Int32,
        (Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), tuner, index, result, config
    )
end

@inline function netcl_tuner_get_search(tuner, index, search)
    return ccall(
        address(E_netcl_tuner_get_search), Int32, (Ptr{Cvoid}, UInt32, Ptr{Cvoid}), tuner,
        index, search
    )
end

@inline function netcl_tuner_lookup(tuner, name, global_, global_count, match, config)
    return ccall(
        address(E_netcl_tuner_lookup), Int32,
        (Ptr{Cvoid}, Ptr{UInt8}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}), tuner, name,
        global_, global_count, match, config
    )
end

@inline function netcl_tuner_save(tuner, path)
    return ccall(address(E_netcl_tuner_save), Int32, (Ptr{Cvoid}, Ptr{UInt8}), tuner, path)
end

@inline function netcl_tuner_load(tuner, path)
    return ccall(address(E_netcl_tuner_load), Int32, (Ptr{Cvoid}, Ptr{UInt8}), tuner, path)
end

@inline function netcl_tuner_clear(tuner)
    return ccall(address(E_netcl_tuner_clear), Int32, (Ptr{Cvoid},), tuner)
end

@inline function netcl_kernel_autotune(
    kernel, global_, global_count, args, args_count, tuning, options, config, search
)
    return ccall(
        address(E_netcl_kernel_autotune), Int32,
        (Ptr{Cvoid}, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, UInt32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
        kernel, global_, global_count, args, args_count, tuning, options, config, search
    )
end
