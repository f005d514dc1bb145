# Every op of C, with the axes of C: what they compute is tested with the library; here it is that
# each argument arrives where it belongs.

"A tensor in C order with 0, 1, 2, ... in it."
counting(dims...) = Netcl.tensor_create_from_host(dev(), :f32, dims, Float32.(0:(prod(dims) - 1)))
"The elements in C order."
function elements(t)
    t isa NetclArray && (t = t.tensor)
    info = Netcl.tensor_get_info(t)
    out = Vector{Netcl.element_type(info.dtype)}(undef, info.element_count)
    Netcl.tensor_read(t, out)
    return out
end
vector(values...) = NetclArray(Float32[values...])

@testset "results are of the kind of their inputs" begin
    t = counting(2, 3)
    @test Netcl.op_softmax(t, 1) isa Netcl.Tensor
    @test Netcl.op_softmax(NetclArray(t), 1) isa NetclMatrix{Float32}
    @test Netcl.op_concat((t, t), 0) isa Netcl.Tensor
    @test Netcl.op_concat([NetclArray(t)], 0) isa NetclArray
end

@testset "results on arrays are packed as arrays are" begin
    x = NetclArray(Float32[1 3 5; 2 6 4])
    results = Any[Netcl.op_softmax(x, 1), Netcl.op_layernorm(x, 1), Netcl.op_rmsnorm(x, 1),
                  Netcl.op_transpose(x, (1, 0)), Netcl.op_concat([x, x], 0),
                  Netcl.op_scan(x, :sum, 0), Netcl.op_topk(x, 2, 1)...,
                  Netcl.op_reduce(x, :sum; axes = 1, keepdims = true),
                  Netcl.op_matmul(x, x'), Netcl.op_elementwise(:add, (x, x)), Netcl.op_cast(x, :f16),
                  Netcl.op_pad(x, (1, 1, 0, 0)), Netcl.op_expression_text("v0 * 2", x),
                  Netcl.op_resize(x, (4, 6)), Netcl.op_gather(x, NetclArray([0, 1]), 1),
                  Netcl.op_copy(x'), Netcl.expression("v0 + 1", x)]
    for y in results
        @test Netcl.is_packed(y)
        @test Array(reshape(y, length(y))) == vec(Array(y)) == Array(vec(y))
    end
    # A copy is one command.
    queue = Netcl.device_get_queue(dev())
    commands() = Netcl.queue_get_info(queue).commands
    before = commands()
    Netcl.op_copy(x)
    @test commands() == before + 1
    # Where the caller gives the place, it stays as it is.
    into = NetclArray(zeros(Float32, 3, 2))'
    y = Netcl.op_softmax(x, 1; into = into)
    @test strides(y) == strides(into) && Array(y) == Array(results[1]) == Array(into)
end

@testset "what options are is in the text of an op" begin
    text(f) = string(Base.Docs.doc(f))
    for (f, word) in ((Netcl.op_cross_entropy, "`reduction`: one of `:mean` (unless another is given)"),
                      (Netcl.op_conv2d, "`padding`: zeros around x: top, left, bottom, right"),
                      (Netcl.op_pool, "`kind`: one of `:max`, `:average`, `:lp`"),
                      (Netcl.op_matmul, "`alpha`: with `has"), (Netcl.op_softmax, "`?Netcl` explains them"),
                      (Netcl.op_adam, "Netcl.zeros(Int64, 1)"), (Netcl, "`into`: an array or tensor"))
        @test occursin(word, replace(text(f), r"\s+" => " "))
    end
    x = vector(1)
    throws(() -> Netcl.op_adam([x], [x], [x], [x], 1, 1f-3), ArgumentError, "Netcl.zeros(Int64, 1)")
end

@testset "products" begin
    a, b = counting(2, 3), counting(3, 2)
    @test elements(Netcl.op_matmul(a, b)) == [10, 13, 28, 40]
    relu = Netcl.Epilogue(bias = vector(-100, 1), activation = :relu)
    @test elements(Netcl.op_matmul(a, b; epilogue = relu)) == [0, 14, 0, 41]
    into = Netcl.tensor_create_full(dev(), :f32, (2, 2), 1)
    event = Ref{Netcl.Event}()
    Netcl.op_matmul(a, b; alpha = 2, beta = 3, has_scale = 1, into = into, event = event)
    wait(event[])
    @test elements(into) == [23, 29, 59, 83]
    fails(() -> Netcl.op_matmul(a, a), Netcl.ERROR_INVALID_ARGUMENT)
end

@testset "windows" begin
    x = counting(1, 1, 3, 3)
    w = Netcl.tensor_create_full(dev(), Float32, (1, 1, 2, 2), 1)
    @test elements(Netcl.op_conv2d(x, w)) == [8, 12, 20, 24]
    norm = Netcl.Conv2dBatchnorm(mean = vector(4), variance = vector(4), scale = vector(10),
                                 epsilon = 1e-12)
    y = Netcl.op_conv2d(x, w; batchnorm = norm, strides = (2, 2), padding = (1, 1, 0, 0))
    @test elements(y) ≈ [-20, -5, 25, 100]
    @test elements(Netcl.op_pool(x, :max)) == [8]
    @test elements(Netcl.op_pool(x, Netcl.POOLING_AVERAGE; window = [2, 2])) == [2, 3, 5, 6]
    # One number stands for all.
    wide = (window = 2, strides = 1, padding = 1)
    each = (window = (2, 2), strides = (1, 1), padding = (1, 1, 1, 1))
    @test Netcl.tensor_get_info(Netcl.op_pool(x, :max; wide...)).shape[1:4] == (1, 1, 4, 4)
    @test elements(Netcl.op_pool(x, :max; wide...)) == elements(Netcl.op_pool(x, :max; each...))
    @test elements(Netcl.op_conv2d(x, w; strides = 2, padding = 1)) ==
          elements(Netcl.op_conv2d(x, w; strides = (2, 2), padding = (1, 1, 1, 1)))
    fails(() -> Netcl.op_pool(x, :max; window = (1, 2, 3)), Netcl.ERROR_INVALID_ARGUMENT,
          "options->window_count is 3; for this x it is 0, 1 or 2")
    @test elements(Netcl.op_pool(x, :lp; window = [2], p = 1)) == [8, 12, 20, 24]
    @test elements(Netcl.op_pool(counting(1, 1, 4), :max; window = 3)) == [2, 3]
    @test elements(Netcl.op_pool(counting(1, 1, 2, 2, 2), :average)) == [3.5]
    fails(() -> Netcl.op_conv2d(x, w; padding = (1, 1)), Netcl.ERROR_INVALID_ARGUMENT,
          "padding is (1, 1); it takes 4 numbers, or one for all")
    indices = Netcl.tensor_create_full(dev(), Int64, (1, 1, 2, 2), 0)
    largest = Netcl.op_pool(x, :max; window = (2, 2), indices_into = indices)
    @test elements(indices) == [4, 5, 7, 8]
    @test elements(Netcl.op_max_unpool2d(largest, indices, 3, 3)) == [0, 0, 0, 0, 4, 5, 0, 7, 8]
end

@testset "images with the width first" begin
    X, W = rand(Float32, 6, 5, 3, 2), rand(Float32, 3, 2, 3, 4)
    x, w = NetclArray(X), NetclArray(W)
    turn(A) = permutedims(A, (4, 3, 2, 1))
    bias, residual = vector(1, 2, 3, 4), Netcl.rand(Float32, 6, 5, 4, 2)
    epilogue = Netcl.Epilogue(bias = bias, residual = residual)
    options = (padding = (0, 1, 1, 1),)
    expected = Netcl.op_conv2d(NetclArray(turn(X)), NetclArray(turn(W)); layout = :nchw, options...,
                               epilogue = Netcl.Epilogue(bias = bias, residual = NetclArray(
                                   turn(Array(residual)))))
    y = Netcl.op_conv2d(x, w; layout = :whcn, epilogue = epilogue, options...)
    @test size(y) == (6, 5, 4, 2) && Netcl.is_packed(y) && close_to(y, turn(Array(expected)))
    into = similar(y)
    @test into === Netcl.op_conv2d(x, w; layout = :whcn, into = into, epilogue = epilogue,
                                   options...)
    @test Array(into) == Array(y)
    p = Netcl.op_pool(x, :max; layout = :whcn, window = (5, 1))
    @test Array(p) == maximum(X; dims = 2) && Netcl.is_packed(p)
    @test Array(Netcl.op_pool(NetclArray(turn(X)), :max; window = (5, 1))) ==
          turn(maximum(X; dims = 2))
    # Sizes that fit both ways are not guessed at.
    throws(() -> Netcl.op_conv2d(x, w), ArgumentError, "layout = :whcn")
    s, k = Netcl.rand(Float32, 3, 3, 3, 3), Netcl.rand(Float32, 3, 3, 3, 3)
    throws(() -> Netcl.op_conv2d(s, k), ArgumentError, "layout = :nchw")
    @test size(Netcl.op_conv2d(s, k; layout = :nchw)) == (3, 3, 1, 1)
    @test size(Netcl.op_conv2d(s, k; layout = :whcn)) == (1, 1, 3, 3)
    throws(() -> Netcl.op_conv2d(s, k; layout = :nhwc), ArgumentError, "layout is :nhwc")
    throws(() -> Netcl.op_pool(s, :max; layout = "whcn"), ArgumentError, "layout is")
end

@testset "operators by name" begin
    x = vector(-2, 0.5)
    @test Netcl.elementwise_find("leaky_relu") == Netcl.ELEMENTWISE_LEAKY_RELU
    @test Netcl.elementwise_name(:hard_sigmoid) == "HardSigmoid"
    fails(() -> Netcl.elementwise_find("nothing like it"), Netcl.ERROR_NOT_FOUND)
    y = Netcl.op_elementwise(:leaky_relu, x; alpha = 0.5, has_parameters = true)
    @test elements(y) == [-1, 0.5]
    @test elements(Netcl.op_elementwise(:add, (x, x))) == [-4, 1]
    refused(() -> Netcl.op_elementwise(Netcl.Elementwise(-1), (x,)))
    refused(() -> Netcl.op_elementwise(:add, (x,)))
    @test elements(Netcl.op_bias_add(x, vector(1, 2), -1)) == [-1, 2.5]
    e = Netcl.Expression("v0 * v1")
    @test elements(Netcl.op_expression(e, (x, x))) == [4, 0.25]
    @test elements(Netcl.op_expression_text("v0 + 1", x; dtype = :i32)) == [-1, 1]
    wide, whole = Netcl.op_expressions(("v0 * 2", "v0 + 1"), (x,); dtypes = (:f32, :i32),
                                       variant = :elementwise_scalar)
    @test elements(wide) == [-4, 1] && elements(whole) == [-1, 1]
    @test elements(Netcl.op_copy(x)) == [-2, 0.5]
    @test elements(Netcl.op_contiguous(x)) == [-2, 0.5]
    @test elements(Netcl.op_cast(x, Int8)) == [-2, 0]
    Netcl.op_fill(x, 3)
    @test elements(x) == [3, 3]
end

@testset "primitives have gradients" begin
    x, row = vector(1, 2, 3), vector(10)
    options = (arity = 2, forward = "scale * v0 * v1", backward = ["", "MUL(grad, out)"],
               attributes = ["scale"], defaults = [1.0])
    Netcl.primitive_register("julia_op"; options...)
    refused(() -> Netcl.primitive_register("julia_op"; options...))
    @test elements(Netcl.op_primitive("julia_op", (x, row))) == [10, 20, 30]
    call = (attributes = ["scale"], values = [2.0])
    @test elements(Netcl.op_primitive("julia_op", (x, row); call...)) == [20, 40, 60]
    y = Netcl.op_primitive_gradient("julia_op", (x, row), 0, x, nothing; call...)
    @test elements(y) == [20, 40, 60]
    # The sum of grad * out over what the second input was spread to.
    y = Netcl.op_primitive_gradient("julia_op", (x, row), 1, x, x)
    @test size(y) == (1,) && elements(y) == [14]
    Netcl.primitive_unregister("julia_op")
    fails(() -> Netcl.primitive_unregister("julia_op"), Netcl.ERROR_NOT_FOUND)
    slope = Netcl.expression_differentiate(Netcl.Expression("v0 * v0 * v0"), 0)
    @test elements(Netcl.op_expression(slope, (x, x))) == [3, 24, 81]
end

@testset "recorded calls have gradients" begin
    x = vector(1, 2, 3)
    graph = Netcl.graph_create(dev())
    y = Netcl.op_expression_text("v0 * v0", (x,); graph = graph)
    total = Netcl.op_reduce(y, :sum; graph = graph)
    @test Netcl.graph_get_info(graph).call_count == 2
    dx, dy = Netcl.graph_add_gradients(graph, (total,), (x, y))
    @test elements(dx) == [2, 4, 6] && elements(dy) == [1, 1, 1]
    into = vector(10, 10, 10)
    Netcl.graph_add_gradients(graph, (y,), (x,); seeds = (x,), into = (into,), accumulate = true,
                              consume = true)
    @test elements(into) == [12, 18, 28]
    refused(() -> Netcl.graph_add_gradients(graph, (total,), (x,)))
    @test Netcl.graph_retain(graph) == graph
    Netcl.graph_clear(graph)
end

@testset "captures are compiled and run" begin
    x, given, out = vector(0, 0, 0), vector(1, 2, 3), vector(9, 9, 9)
    graph = Netcl.graph_create(dev(); execute = :off)
    y = Netcl.op_expression_text("v0 * v0", (x,); graph = graph)
    z = Netcl.op_expression_text("v0 + 1", (y,); graph = graph)
    Netcl.graph_compile(graph, (x,), (z,))
    @test Netcl.graph_get_info(graph).step_count == 1
    @test occursin("1 steps", Netcl.graph_explain(graph, :text))
    Netcl.graph_run(graph, (given,), (out,))
    @test elements(out) == [2, 5, 10]
    refused(() -> Netcl.graph_run(graph, (given,), (given,)))
    @test elements(only(Netcl.graph_evaluate(graph, (given,)))) == [2, 5, 10]
end

# Results are arrays in the order of Julia, which most ops give by a copy.
@testset "gradients go through results in the order of Julia" begin
    a, b = Float32[1 2 3; 4 5 6], Float32[1 -1; 2 0; 0 3]
    x, w = NetclArray(a), NetclArray(b)
    graph = Netcl.graph_create(dev())
    y = Netcl.op_matmul(x, w; graph = graph)
    total = Netcl.op_reduce(Netcl.op_expression_text("v0 * v0", (y,); graph = graph), :sum;
                            graph = graph)
    dx, dw = Netcl.graph_add_gradients(graph, (total,), (x, w))
    @test Array(NetclArray(dx)) == 2 * (a * b) * b' && Array(NetclArray(dw)) == 2 * a' * (a * b)
    images = NetclArray(reshape(Float32.(1:32), 4, 4, 1, 2))
    filters = NetclArray(reshape(Float32[2], 1, 1, 1, 1))
    wide = Netcl.op_conv2d(images, filters; layout = :whcn, graph = graph)
    small = Netcl.op_pool(wide, :max; layout = :whcn, window = (2, 2), strides = (2, 2),
                            graph = graph)
    sum_of = Netcl.op_reduce(small, :sum; graph = graph)
    dimages, = Netcl.graph_add_gradients(graph, (sum_of,), (images,))
    @test sum(Array(NetclArray(dimages))) == 16 && size(NetclArray(dimages)) == (4, 4, 1, 2)
    @test Array(NetclArray(dimages))[2, 2, 1, 1] == 2
end

@testset "reductions" begin
    x = counting(2, 3)
    @test elements(Netcl.op_reduce(x, :sum)) == [15]
    @test elements(Netcl.op_reduce(x, :sum; axes = 0, keepdims = true)) == [3, 5, 7]
    @test elements(Netcl.op_reduce(x, :argmax; axes = [1])) == [2, 2]
    @test elements(Netcl.op_scan(x, :sum, 1)) == [0, 1, 3, 3, 7, 12]
    @test elements(Netcl.op_scan(x, :sum, 0; exclusive = true, reverse = true)) == [3, 4, 5, 0, 0, 0]
    @test elements(Netcl.op_histogram(x, 2)) == [3, 3]
    @test elements(Netcl.op_histogram(x, 2; low = 0, high = 2)) == [1, 2]
    values, indices = Netcl.op_topk(x, 2, 1)
    @test elements(values) == [2, 1, 5, 4] && elements(indices) == [2, 1, 2, 1]
    @test elements(Netcl.op_topk(x, 1, 1; smallest = true)[1]) == [0, 3]
end

@testset "normalisations" begin
    x = NetclArray(Float32[1 3; 2 6])
    e = Float32[0.11920292, 0.8807971, 0.01798621, 0.9820138]
    @test elements(Netcl.op_softmax(x, 1)) ≈ e
    @test elements(Netcl.op_log_softmax(x, -1)) ≈ log.(e)
    two, half = vector(2, 2), vector(0.5, 0.5)
    y = Netcl.op_layernorm(x, 1; scale = two, bias = half, epsilon = 1e-12)
    @test elements(y) ≈ [-1.5, 2.5, -1.5, 2.5]
    means, inverses = NetclArray(zeros(Float32, 2, 1)), NetclArray(zeros(Float32, 2, 1))
    Netcl.op_layernorm(x, 1; epsilon = 1e-12, mean_into = means,
                       inverse_deviation_into = inverses)
    @test elements(means) ≈ [2, 4]
    @test elements(inverses) ≈ [1, 0.5]
    y = Netcl.op_rmsnorm(x, 1; scale = two, epsilon = 1e-12)
    @test elements(y) ≈ [2 / sqrt(5), 6 / sqrt(5), 4 / sqrt(20), 12 / sqrt(20)]
    y = Netcl.op_batchnorm(x, vector(1, 1), vector(4, 4); epsilon = 1e-12, activation = :relu)
    @test elements(y) ≈ [0, 1, 0.5, 2.5]
end

@testset "moved elements" begin
    x = counting(2, 3)
    @test elements(Netcl.op_transpose(x, ())) == [0, 3, 1, 4, 2, 5]
    @test elements(Netcl.op_transpose(x, (1, 0))) == [0, 3, 1, 4, 2, 5]
    @test Netcl.tensor_get_info(Netcl.op_concat([x, x], 0)).shape[1:2] == (4, 3)
    refused(() -> Netcl.op_concat([], 0))
    @test elements(Netcl.op_einsum("ij,kj->ik", [x, x])) == [5, 14, 14, 50]
    @test elements(Netcl.op_pad(x, (0, 1, 0, 0))) == [0, 0, 1, 2, 0, 3, 4, 5]
    @test elements(Netcl.op_pad(x, (0, 1, 0, 0); value = 9)) == [9, 0, 1, 2, 9, 3, 4, 5]
    throws(() -> Netcl.op_pad(x, (0, 1, 0, 0); value = "9"), ArgumentError, "value is a String")
    last = NetclArray(Int32[-1, 0])
    @test elements(Netcl.op_gather(x, last, 1)) == [2, 0, 5, 3]
    @test elements(Netcl.op_embedding(x, last)) == [3, 4, 5, 0, 1, 2]
    places = NetclArray(reshape(Int64[2, 1], 2, 1))
    @test elements(Netcl.op_gather_elements(x, places, 1)) == [2, 4]
    updates = NetclArray(reshape(Float32[10, 20], 2, 1))
    @test elements(Netcl.op_scatter(x, places, updates, 1)) == [0, 1, 10, 3, 20, 5]
    @test elements(Netcl.op_scatter(x, places, updates, 1; mode = :add)) == [0, 1, 12, 3, 24, 5]
    points = NetclArray(Int64[1 2; 0 -1; 5 0])
    @test elements(Netcl.op_gather_nd(x, points, 0)) == [5, 2, 0]
    @test elements(Netcl.op_gather_nd(x, places, 1)) == [2, 4]
    three = vector(10, 20, 30)
    @test elements(Netcl.op_scatter_nd(x, points, three, 0)) == [0, 1, 20, 3, 4, 10]
    @test elements(Netcl.op_scatter_nd(x, points, three, 0; mode = :add)) == [0, 1, 22, 3, 4, 15]
    deep = Netcl.tensor_reshape(counting(2, 4), (1, 8, 1, 1))
    wide = Netcl.op_depth_to_space(deep, 2, :dcr)
    @test elements(wide) == [0, 2, 4, 6, 1, 3, 5, 7]
    @test elements(Netcl.op_space_to_depth(wide, 2, :dcr)) == 0:7
    @test elements(Netcl.op_space_to_depth(wide, 2, :crd)) == [0, 2, 4, 6, 1, 3, 5, 7]
    @test elements(Netcl.op_depth_to_space(deep, 2, :crd)) == 0:7
    y = Netcl.op_resize(x, (2, 2); mode = :linear, coordinates = :align_corners)
    @test elements(y) ≈ [0, 2, 3, 5]
end

@testset "variants" begin
    choice = Netcl.variant_select_matmul(dev(), 256, 256, 256; dtype = :f32)
    @test !isempty(choice.reason) && startswith(Netcl.variant_name(choice.variant), "matmul_")
    shape = Netcl.Conv2dShape(batch = 1, channels = 8, height = 16, width = 16, filters = 8,
                              kernel_height = 3, kernel_width = 3)
    @test startswith(Netcl.variant_name(Netcl.variant_select_conv2d(dev(), shape).variant), "conv2d")
    fails(() -> Netcl.variant_select_conv2d(dev(), Netcl.Conv2dShape()),
          Netcl.ERROR_INVALID_ARGUMENT)
    Netcl.variant_select_elementwise(dev(), 1 << 20)
    Netcl.variant_select_reduction(dev(), 1, 1 << 20)
    # The choice for a device, from what was recorded of it.
    info, capabilities = Netcl.device_get_info(dev()), Netcl.device_get_capabilities(dev())
    recorded = Netcl.variant_select_matmul(dev(), 256, 256, 256; info = info,
                                           capabilities = capabilities)
    @test recorded.variant == choice.variant
    plain = Netcl.variant_select_batchnorm(dev(), 8, 16, 64, false, 0)
    @test plain.variant == Netcl.VARIANT_BATCHNORM_NAIVE
    Netcl.variant_clear_cache()

    made() = Netcl.kernel_create_matmul(dev(), "product", 64, 64, 64, Float32, choice)
    if is_opencl()
        global_size, kernel = made()
        a, b = Netcl.rand(Float32, 64, 64; seed = 1), Netcl.rand(Float32, 64, 64; seed = 2)
        c = Netcl.zeros(64, 64)
        # The kernel is for packed rows: those of the transposed arrays.
        kernel(b, a, c; global_size = global_size)
        @test isapprox(Array(c), Array(a * b); rtol = 1e-5)
        own = Netcl.VariantConfig(variant = Netcl.VARIANT_MATMUL_NAIVE)
        Netcl.kernel_create_matmul(dev(), "product", 64, 64, 64, Float32, own)
    else
        fails(made, Netcl.ERROR_UNSUPPORTED)
    end
end
