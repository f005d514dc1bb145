# Every call of a group. A call waits for the other ranks and Julia may have one thread, so the
# group has one rank.

@testset "a group of one" begin
    mktempdir() do folder
        group = Netcl.group_join(dev(), joinpath(folder, "netcl", "meet"), 0, 1)
        info = Netcl.group_get_info(group)
        @test (info.rank, info.size) == (0, 1)
        close(Netcl.group_get_device(group))
        @test Netcl.group_describe_device(group, 0).name == Netcl.device_get_info(dev()).name
        Netcl.group_get_error(group)
        x, y = NetclArray(Float32[1, 2]), NetclArray(Float32[0, 0])
        Netcl.group_barrier(group)
        calls = [() -> Netcl.group_all_reduce(group, x, y, :sum),
                 () -> Netcl.group_reduce(group, x, y, :sum, 0),
                 () -> Netcl.group_all_gather(group, x, y),
                 () -> Netcl.group_gather(group, x, y, 0),
                 () -> Netcl.group_scatter(group, x, y, 0),
                 () -> Netcl.group_reduce_scatter(group, x, y, :sum),
                 () -> Netcl.group_all_to_all(group, x, [2], y)]
        for call in calls
            fill!(y, 0)
            call()
            @test Array(y) == [1, 2]
        end
        Netcl.group_broadcast(group, x, 0)
        fails(() -> Netcl.group_send(group, x, 0), Netcl.ERROR_INVALID_ARGUMENT)
        fails(() -> Netcl.group_receive(group, x, 1), Netcl.ERROR_INVALID_ARGUMENT)
        part = Netcl.group_split(group, [7])
        Netcl.group_barrier(part)
        close(part)
        close(group)
    end
end

@testset "gradients joined over a group of one" begin
    group = only(Netcl.group_create_local([dev()]))
    reducer = Netcl.reducer_create(group; kind = :sum, bucket_bytes = 1)
    x = NetclArray(Float32[1, 2, 3])
    graph = Netcl.graph_create(dev())
    y = Netcl.op_expression_text("v0 * v0", (x,); graph = graph)
    total = Netcl.op_reduce(y, :sum; graph = graph)
    dx, = Netcl.graph_add_gradients(graph, (total,), (x,); reducer = reducer)
    Netcl.reducer_wait(reducer)
    @test Array(NetclArray(dx)) == [2, 4, 6]
    again = Netcl.reducer_retain(reducer)
    info = Netcl.reducer_get_info(again)
    @test (info.runs, info.gradients, info.buckets, info.bytes) == (1, 1, 1, 12)
    fails(() -> Netcl.reducer_create(group; kind = :max), Netcl.ERROR_INVALID_ARGUMENT,
          "options->kind is 3")
    close(again)
    close(reducer)
    close(group)
end

# There is no MPI in this program, whether or not libnetcl-mpi.so is there.
@testset "a group of MPI" begin
    status = try
        Netcl.group_create_mpi(dev(), Netcl.MPI_WORLD)
        Netcl.OK
    catch error
        error.status
    end
    @test status in (Netcl.ERROR_INVALID_ARGUMENT, Netcl.ERROR_UNSUPPORTED)
    fails(() -> Netcl.group_create_mpi(dev(), Netcl.MPI_WORLD + 1), Netcl.ERROR_INVALID_ARGUMENT)
end

# Likewise of one rank.
@testset "sharded tensors of one" begin
    group = only(Netcl.group_create_local([dev()]))
    fails(() -> Netcl.group_create_local([dev(), dev()]), Netcl.ERROR_INVALID_ARGUMENT,
          "devices[1] is devices[0] again")
    place = Netcl.group_describe_block(group, 0, [3, 2])
    @test place.shape[1:2] == (3, 2)
    block = NetclArray(Float32[1 3 5; 2 4 6])
    extents = Netcl.tensor_get_info(block).shape[1:2]
    x = Netcl.sharded_create(group, block, collect(extents); mesh = [1], axes = [1])
    @test Netcl.sharded_get_info(x).mesh_rank == 1
    @test occursin("axes [1]", Netcl.sharded_explain(x))
    @test Array(NetclArray(Netcl.sharded_get_block(x))) == Float32[1 3 5; 2 4 6]
    y = Netcl.sharded_redistribute(x; axes = [Netcl.REPLICATED])
    back = NetclArray(zeros(Float32, 2, 3))
    Netcl.sharded_gather(y, back, 0)
    @test Array(back) == Float32[1 3 5; 2 4 6]
    z = Netcl.sharded_create_from_root(group, block, 0)
    sum_of = Netcl.sharded_reduce(Netcl.sharded_expression_text("v0 + v1", [x, z]), :sum)
    @test Array(NetclArray(Netcl.sharded_get_block(sum_of)))[] == 42
    Netcl.sharded_softmax(x, 1)
    Netcl.sharded_layernorm(x, 1)
    Netcl.sharded_rmsnorm(x, 1)
    square = NetclArray(Float32[1 3; 2 4])
    s = Netcl.sharded_create(group, square, [2, 2])
    product = Netcl.sharded_matmul(s, s)
    @test Netcl.sharded_get_info(product).rank == 2
    wide = Netcl.sharded_exchange_halo(s, [1, 0, 0, 0]; value = -1)
    @test collect(Netcl.tensor_get_info(wide).shape)[1:2] == [3, 2]
    close(group)
end
