# What must not work gives an error each time, and never more than that.

closed_region() = (r = Netcl.region_begin(Netcl.device_get_queue(dev()), nothing, "x"); close(r); r)

@testset "closed objects" begin
    x = NetclArray(Float32[1, 2])
    y = NetclArray(Float32[1, 2])
    close(y)
    close(y)
    for call in (() -> Array(y), () -> x .+ y, () -> y .+ 1, () -> sum(y), () -> copy(y),
                 () -> fill!(y, 1), () -> Netcl.tensor_get_info(y), () -> view(y, 1:1),
                 () -> Netcl.op_matmul(x, y), () -> Netcl.tensor_retain(y.tensor),
                 () -> Netcl.op_copy(x; into = y), () -> Netcl.region_begin(
                     Netcl.device_get_queue(dev()), closed_region(), "x"), () -> copyto!(y, Float32[1, 2]))
        fails(call, Netcl.ERROR_INVALID_HANDLE)
    end
    for call in (() -> y .+ 1, () -> sum(y), () -> Netcl.op_copy(x; into = y),
                 () -> Netcl.retain(y.tensor), () -> Netcl.op_concat((x, y), 0))
        fails(call, Netcl.ERROR_INVALID_HANDLE, "it was closed")
    end
    @test Array(x) == [1, 2]
    e = Netcl.Expression("v0")
    finalize(e)
    fails(() -> Netcl.expression_get_arity(e), Netcl.ERROR_INVALID_HANDLE)
    close(e)
    # A handle that was released behind the object's back.
    stale = Netcl.Expression("v0")
    Netcl.Raw.netcl_expression_release(stale.pointer)
    fails(() -> Netcl.expression_get_arity(stale), Netcl.ERROR_INVALID_HANDLE)
    fails(() -> Netcl.expression_retain(stale), Netcl.ERROR_INVALID_HANDLE)
    close(stale)
    event = Ref{Netcl.Event}()
    fails(() -> Netcl.op_copy(x; into = y, event = event), Netcl.ERROR_INVALID_HANDLE)
    @test !isassigned(event)
end

@testset "handles of another type" begin
    queue = Netcl.device_get_queue(dev())
    @test_throws MethodError Netcl.queue_flush(dev())
    @test_throws MethodError Netcl.op_copy(queue)
    throws(() -> Netcl.op_concat([queue], 0), ArgumentError, "inputs holds a Netcl.Queue")
    throws(() -> Netcl.op_expression_text("v0", [1]), ArgumentError, "Int64")
    # The same numbers in objects of other types: the library refuses each.
    for H in Netcl.HANDLE_TYPES
        H === Netcl.Queue && continue
        other = H(queue.pointer)
        refused(() -> Netcl.retain(other))
        other.pointer = Netcl.CLOSED
    end
    never = Netcl.Queue(Ptr{Cvoid}(UInt(0x12345678)))
    # What was never an object was not closed either, whatever failed before.
    problem = try Netcl.queue_flush(never) catch caught caught end
    @test problem.status == Netcl.ERROR_INVALID_HANDLE && !occursin("closed", problem.message)
    close(never)
    Netcl.queue_flush(queue)
end

@testset "parents may go first" begin
    device = Netcl.Device(SELECTOR[])
    pool = Netcl.pool_create(device)
    lease = Netcl.pool_allocate(pool, 1024)
    t = Netcl.tensor_create_from_buffer(lease, 0, :u8, 16)
    v = Netcl.tensor_reshape(t, (4, 4))
    queue = Netcl.queue_create(device)
    event = Netcl.queue_enqueue_marker(queue, ())
    foreach(close, (device, pool, lease, t, queue))
    wait(event)
    Netcl.tensor_write(v, fill(0x03, 16))
    @test Array(NetclArray(v)) == fill(3, 4, 4)
end

@testset "shapes that cannot be" begin
    for dims in ((typemax(Int), typemax(Int)), (-1,), ntuple(_ -> 1, 9), (1 << 62,))
        refused(() -> Netcl.tensor_create_zeros(dev(), :f64, dims))
        refused(() -> Netcl.tensor_create(dev(), :f64, dims))
        refused(() -> Netcl.rand(Float32, dims))
    end
    fails(() -> Netcl.tensor_create_zeros(dev(), :u8, ones(Int, 100_000)),
          Netcl.ERROR_INVALID_ARGUMENT, "rank")
    x = Netcl.zeros(2, 3)
    refused(() -> Netcl.tensor_permute(x, zeros(Int, 70_000)))
    refused(() -> Netcl.tensor_reshape(x, (4,)))
    refused(() -> Netcl.tensor_broadcast(x, (2, 4)))
    refused(() -> Netcl.expression("v0 + v7", x))
    throws(() -> Netcl.expression("v0", fill(x, 100)...), NetclError)
    throws(() -> .+(fill(x, 3)..., (similar(x) for _ in 1:70)...), ArgumentError, "at most 64")
    refused(() -> Netcl.tensor_create_zeros(dev(), Netcl.Dtype(99), 1))
    refused(() -> Netcl.tensor_create_full(dev(), Netcl.Dtype(99), 1, 3))
    throws(() -> Netcl.tensor_create_zeros(dev(), String, 1), ArgumentError)
    throws(() -> Netcl.tensor_create_zeros(dev(), :f31, 1), ArgumentError, ":f31 is no Dtype")
    @test Netcl.dtype_name(Netcl.Dtype(99)) == "invalid"
    @test Netcl.dtype_size(Netcl.Dtype(99)) == 0 && Netcl.dtype_size(Float64) == 8
    @test Netcl.status_name(Netcl.Status(-99)) == "unknown status"
end

@testset "messages are those of their own call" begin
    first = fails(() -> Netcl.zeros(Float32, -3), Netcl.ERROR_INVALID_ARGUMENT, "-3")
    second = fails(() -> Netcl.Expression("v0 @"), Netcl.ERROR_INVALID_ARGUMENT)
    @test first.message != second.message
    @test Netcl.last_error_message() == second.message
    info = Netcl.last_error_get_info()
    @test (info.status, info.message) == (second.status, second.message)
end

@testset "huge and empty arrays" begin
    # More than there is: refused, and everything still works.
    refused(() -> NetclArray{Float64}(undef, 1 << 44))
    refused(() -> Netcl.rand(Float32, 1 << 45))
    e = NetclArray(zeros(Float32, 0, 4))
    @test Array(e .+ 1) == zeros(Float32, 0, 4) && sum(e) == 0 && isempty(e)
    @test Array(e') == zeros(Float32, 4, 0) && Array(copy(e)) == zeros(Float32, 0, 4)
    @test Array(vcat(e, NetclArray(ones(Float32, 1, 4)))) == ones(Float32, 1, 4)
    @test Array(sum(e; dims = 1)) == zeros(Float32, 1, 4)
    @test size(view(e, :, 2:3)) == (0, 2) && length(reshape(e, 4, 0)) == 0
    @test fill!(e, 1) === e
    # Larger than the staging blocks.
    A = rand(UInt8, 5003)
    while length(A) < 40_000_000
        append!(A, A)
    end
    @test same_bytes(Array(NetclArray(A)), A)
end

@testset "what a MethodError says" begin
    x = Netcl.rand(Float32, 4, 4, 1, 1)
    function told(call)
        try
            call()
        catch problem
            @test problem isa MethodError
            return sprint(showerror, problem)
        end
        @test false
        return ""
    end
    text = told(() -> Netcl.op_pool(x, :max; layout = :whcn, kernel = (2, 2)))
    @test occursin("kernel is no keyword of op_pool, which calls it window; it has ", text)
    @test occursin("?Netcl.op_pool", text)
    text = told(() -> Netcl.op_conv2d(x, x; layout = :whcn, pad = 1, stride = 2))
    @test occursin("which calls it padding", text) && occursin("which calls it strides", text)
    @test occursin("op_softmax, whose axis is an argument", told(() -> Netcl.op_softmax(x; dims = 1)))
    @test occursin("which calls it axes", told(() -> Netcl.op_reduce(x, :sum; dims = 1)))
    @test occursin("speed is no keyword of op_copy; it has ", told(() -> Netcl.op_copy(x; speed = 9)))
    text = told(() -> Netcl.op_cross_entropy(reshape(x, 4, 4), [0, 1, 2, 3], 1))
    @test occursin("Arrays of the host are no arguments of op_cross_entropy: NetclArray(A)", text)
    # Other functions, and those of the user, have no hints.
    @test !occursin("?Netcl", told(() -> Netcl.device!(x))) && !occursin("?Netcl", told(() -> told()))
end
