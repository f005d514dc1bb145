# Kernels with arguments of every kind, binaries, logs, the registry.

const SOURCE = """
typedef struct { float add; int twice; int unused[20]; } Extra;
__kernel void scale(__global const float *x, __global float *y, float a, uint n,
                    __local float *scratch, __global const float *maybe, Extra extra) {
  size_t i = get_global_id(0);
  scratch[get_local_id(0)] = a;
  if (i < n) {
    float v = scratch[get_local_id(0)] * x[i] + extra.add + (maybe ? maybe[i] : 0.0f);
    y[i] = extra.twice ? 2.0f * v : v;
  }
}"""

isdefined(Main, :Extra) || @eval struct Extra
    add::Float32
    twice::Int32
    unused::NTuple{20,Int32}
end

@testset "arguments" begin
    arg = Netcl.Arg(3f0)
    @test (arg.kind, arg.size) == (Netcl.ARG_SCALAR, 4)
    @test arg.value[1:4] == Tuple(reinterpret(UInt8, [3f0])) && all(iszero, arg.value[5:32])
    @test Netcl.Arg((1, 2, 3, 4)).size == 32 && Netcl.Arg(nothing).kind == Netcl.ARG_NULL
    @test Netcl.Arg(arg) === arg
    throws(() -> Netcl.Arg(Extra(1, 1, ntuple(_ -> Int32(0), 20))), ArgumentError, "32 bytes")
    throws(() -> Netcl.Arg("text"), ArgumentError, "String")
    throws(() -> Netcl.Arg([1f0]), ArgumentError, "NetclArray")
end

@testset "kernels" begin
    make() = Netcl.Kernel(SOURCE, "scale"; flags = ["-cl-mad-enable", "-DUNUSED=1"],
                          local_size = (16,))
    if !is_opencl()
        fails(make, Netcl.ERROR_UNSUPPORTED)
        fails(() -> Netcl.kernel_create_elementwise(dev(), "f", 1, "v0", :f32),
              Netcl.ERROR_UNSUPPORTED)
        fails(() -> Netcl.kernel_find(dev(), "scale", 0), Netcl.ERROR_NOT_FOUND)
        refused(() -> Netcl.kernel_unregister(dev(), "scale", 0))
        refused(() -> Netcl.kernel_launch_by_name(dev(), "scale", 0, 4, (), ()))
    else
        kernel = make()
        Netcl.kernel_build(kernel)
        info = Netcl.kernel_get_info(kernel)
        @test info.args_count == 7 && info.name == "scale"
        @test Netcl.kernel_get_arg_info(kernel, 0).is_const != 0
        @test occursin("scratch", Netcl.kernel_get_source(kernel))
        Netcl.kernel_get_build_log(kernel)
        A = rand(Float32, 100)
        x, y = NetclArray(A), Netcl.zeros(100)
        args = (Netcl.readonly(x), y, 2f0, UInt32(100), Netcl.localmem(Float32, 16), nothing,
                Extra(1, 1, ntuple(_ -> Int32(0), 20)))
        done = Ref{Netcl.Event}()
        kernel(args...; global_size = 100, local_size = 16, round_up = true, event = done)
        wait(done[]; timeout = 100)
        @test Array(y) ≈ 2 .* (2 .* A .+ 1)

        explained = Netcl.kernel_explain_launch(kernel, 112, 16, args)
        @test explained.global_ == (112, 1, 1) && explained.local_ == (16, 1, 1)

        Netcl.kernel_register(kernel)
        @test Netcl.kernel_retain(kernel) == kernel
        @test Netcl.kernel_get_info(Netcl.kernel_find(dev(), "scale", 0)).name == "scale"
        Netcl.kernel_launch_by_name(dev(), "scale", 0, [112], (), args)
        kernel(args[1:2]..., Netcl.Arg(3f0), Netcl.Arg(UInt32(100)), args[5:end]...;
               global_size = 112)
        @test Array(y) ≈ 2 .* (3 .* A .+ 1)
        Netcl.kernel_launch_by_name(dev(), "scale", 0, (112,), (16,), args; waits = [done[]])
        throws(() -> kernel(args...), ArgumentError, "global_size = n")
        throws(() -> kernel(args...; threads = 64, blocks = 2), ArgumentError,
               "no threads or blocks: global_size is blocks times threads")
        for wrong in (() -> kernel(args...; global_size = 100, local_size = 7),
                      () -> kernel(args...; global_size = ()),
                      () -> kernel(args[2:end]...; global_size = 4),
                      () -> kernel(; global_size = 4))
            fails(wrong, Netcl.ERROR_INVALID_ARGUMENT)
        end
        # The elements have to be those of the parameter, unless another type is meant.
        for at in (1, 2), T in (Float64, Int32)
            T === Float64 && !has_fp64() && continue
            others = collect(Any, args)
            others[at] = Netcl.zeros(T, 100)
            fails(() -> kernel(others...; global_size = 112), Netcl.ERROR_INVALID_ARGUMENT,
                  T === Float64 ? "f64" : "i32")
        end
        fails(() -> kernel(args[1:2]..., Int32(2), args[4:end]...; global_size = 112),
              Netcl.ERROR_INVALID_ARGUMENT, "i32")
        bits = NetclArray(reinterpret(Int32, A))
        kernel(Netcl.reinterpreted(bits), args[2:end]...; global_size = 112)
        @test Array(y) ≈ 2 .* (2 .* A .+ 1)
        throws(() -> kernel(A; global_size = 4), ArgumentError, "NetclArray")
        throws(() -> kernel("text"; global_size = 4), ArgumentError, "String")
        statistics = Netcl.kernel_time(kernel, 112, 16, args; warmup_count = 1, count = 6)
        @test statistics.count == 6
        refused(() -> Netcl.kernel_time(kernel, (), (), args))
        Netcl.kernel_unregister(dev(), "scale", 0)
        fails(() -> Netcl.kernel_find(dev(), "scale", 0), Netcl.ERROR_NOT_FOUND)
        wait(dev())
    end
end

is_opencl() && @testset "binaries and parts" begin
    kernel = Netcl.kernel_create(dev(), "twice"; params = ["__global int *x", "int a"],
                                 preamble = "#define TWICE(v) ((v) * 2)",
                                 body = "x[get_global_id(0)] = TWICE(a);")
    x = Netcl.zeros(Int32, 8)
    kernel(x, Int32(21); global_size = 8)
    @test Array(x) == fill(42, 8)
    binary = Netcl.kernel_get_binary(kernel)
    again = Netcl.kernel_create(dev(), "twice"; binary = binary)
    again(x, Int32(1); global_size = 8)
    @test Array(x) == fill(2, 8)
    fails(() -> Netcl.kernel_get_source(again), Netcl.ERROR_NOT_FOUND)
    refused(() -> Netcl.kernel_build(Netcl.kernel_create(dev(), "twice"; binary = binary[1:40])))
    refused(() -> Netcl.kernel_build(Netcl.kernel_create(dev(), "twice"; il = UInt8[1, 2, 3])))
    kernel = Netcl.kernel_create_elementwise(dev(), "f", 2, "v0 * v1 + 1", :f32)
    @test Netcl.kernel_get_info(kernel).args_count == 4
    broken = Netcl.Kernel("__kernel void k( {}", "k")
    fails(() -> Netcl.kernel_build(broken), Netcl.ERROR_BUILD_FAILURE)
    @test !isempty(Netcl.kernel_get_build_log(broken))
    long = "__kernel void k(__global int *x) { " * "x[0] = 1; "^2000 * "}"
    @test occursin(long, Netcl.kernel_get_source(Netcl.Kernel(long, "k")))
end

@testset "expressions" begin
    e = Netcl.Expression("relu(v0 + v1) * 0.5")
    @test Netcl.expression_get_arity(e) == 2
    text = Netcl.expression_get_text(e)
    @test Netcl.expression_get_text(Netcl.Expression(text)) == text
    @test Netcl.expression_retain(e) == e
    problem = fails(() -> Netcl.Expression("v0 + * 2"), Netcl.ERROR_INVALID_ARGUMENT, "column 6")
    @test occursin("INVALID_ARGUMENT (-1)", sprint(showerror, problem))
end

@testset "cache and signatures" begin
    Netcl.program_cache_clear(0)
    @test Netcl.program_cache_get_info().programs_in_memory == 0
    fails(() -> Netcl.program_cache_get_entry(2^31), Netcl.ERROR_NOT_FOUND)
    if is_opencl() && !isempty(Netcl.program_cache_get_info().directory)
        Netcl.kernel_build(Netcl.Kernel("__kernel void looked_at(__global int *x) { x[0] = 1; }",
                                        "looked_at"))
        index = 0
        while (entry = Netcl.program_cache_get_entry(index)).kernels != "looked_at"
            index += 1
        end
        @test entry.sound && entry.problem == "" && entry.bytes > 0
        @test entry.device == Netcl.device_get_info(dev()).name
    end
    a, b = Netcl.zeros(2, 3), Netcl.zeros(3, 2)
    one = Netcl.kernel_shape_signature((a, b), a)
    @test one != 0 && one == Netcl.kernel_shape_signature([a, b], [a])
    @test one != Netcl.kernel_shape_signature([b, a], [a])
end

const TURNED = """
__kernel void turned(__global const float *x, __global float *y, float factor) {
  size_t i = get_global_id(0);
  y[i] = factor * x[i];
}
__kernel void back(__global const float *x, __global const float *grad,
                   __global const float *out, __global float *dx, float factor) {
  size_t i = get_global_id(0);
  dx[i] = factor * grad[i] + out[i];
}"""

@testset "kernels make primitives" begin
    options = (arity = 1, attributes = ["factor"], defaults = [3.0])
    register(forward, backward) = Netcl.primitive_register_kernels(
        "julia_kernels", Netcl.PrimitiveKernels(forward = forward, backward = backward); options...)
    refused(() -> register(nothing, ()))
    if is_opencl()
        register(Netcl.Kernel(TURNED, "turned"), (Netcl.Kernel(TURNED, "back"),))
        x = NetclArray(Float32[1, 2, 4])
        y = Netcl.op_primitive("julia_kernels", (x,))
        @test Array(y) == [3, 6, 12]
        @test Array(Netcl.op_primitive_gradient("julia_kernels", (x,), 0, x, y)) == [6, 12, 24]
        Netcl.primitive_unregister("julia_kernels")
    end
end

@testset "arguments of another type are named as Julia counts and writes them" begin
    if is_opencl()
        kernel = Netcl.Kernel(SOURCE, "scale")
        x, y = NetclArray(Float32[1, 2]), Netcl.zeros(2)
        extra = Extra(1, 1, ntuple(_ -> Int32(0), 20))
        launch(a, n) = kernel(x, y, a, n, Netcl.localmem(Float32, 2), nothing, extra; global_size = 2)
        fails(() -> launch(2.0, UInt32(2)), Netcl.ERROR_INVALID_ARGUMENT,
              "argument 3 is 2.0, a Float64; Float32(2.0) fits")
        fails(() -> launch(2f0, 2), Netcl.ERROR_INVALID_ARGUMENT, "argument 4 is 2, an Int64; UInt32(2) fits")
        problem = fails(() -> launch(x, UInt32(2)), Netcl.ERROR_INVALID_ARGUMENT, "args[2].kind")
        @test !occursin("fits", problem.message)
    end
end
