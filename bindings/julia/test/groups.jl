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
