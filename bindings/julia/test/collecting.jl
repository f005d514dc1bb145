# Finalizers: what is unreachable is given back, also when the device's memory runs out. Run by
# processes.jl, once per device.

@testset "unreachable arrays are given back" begin
    before = live(Netcl.HANDLE_TENSOR)
    for _ in 1:2000
        NetclArray(Float32[1, 2, 3]) .+ 1
    end
    GC.gc()
    GC.gc()
    @test live(Netcl.HANDLE_TENSOR) <= before + 20
end

@testset "under pressure" begin
    # Collections all the time, in the middle of everything.
    x = Netcl.rand(Float32, 50, 50)
    expected = Array(x * x .+ x)
    for i in 1:60
        y = view(x, :, :) * x .+ x
        i % 3 == 0 && GC.gc(i % 2 == 0)
        @test Array(y) == expected
        e = Netcl.Expression("v0 + $i")
        i % 2 == 0 && close(e)
    end
end

# In functions of their own, so that nothing on the stack holds what they made.
lease(pool) = Netcl.pool_allocate(pool, 1 << 20)
function forget(pool, count)
    for _ in 1:count
        lease(pool)
    end
end

@testset "memory that Julia does not see" begin
    # The pool is full of unreachable leases that Julia has no reason to collect.
    pool = Netcl.pool_create(dev(); max_bytes = 8 << 20)
    GC.enable(false)
    forget(pool, 8)
    GC.enable(true)
    forget(pool, 30)
    @test Netcl.pool_get_info(pool).bytes_allocated <= 8 << 20
    GC.gc()
    held = [lease(pool) for _ in 1:8]
    fails(() -> lease(pool), Netcl.ERROR_OUT_OF_DEVICE_MEMORY)
    @test length(held) == 8
end

@testset "arrays that nobody has any more" begin
    pool = Netcl.device_get_pool(dev(), :persistent)
    in_use() = Int(Netcl.pool_get_info(pool).bytes_in_use) >> 20
    function most_in_use(step, count)
        most = 0
        for i in 1:count
            step(i)
            most = max(most, in_use())
        end
        return most
    end
    GC.gc()
    start = in_use()
    megabytes = Netcl.ones(Float32, 1 << 19)
    # 600 MB of arrays that die at once, as arrays, as results of ops and as tensors.
    @test most_in_use(i -> (megabytes = megabytes .+ 1f0), 300) < start + 200
    @test most_in_use(i -> Netcl.op_copy(megabytes.tensor), 300) < start + 200
    @test most_in_use(i -> Netcl.tensor_create(dev(), :u8, 2 << 20), 300) < start + 200
    # Arrays that grow old before they die.
    ring = [Netcl.ones(Float32, 1 << 19) for _ in 1:20]
    @test most_in_use(i -> (ring[i % 20 + 1] = ring[i % 20 + 1] .+ 1f0), 600) < start + 700
    # The host does not run ahead of the device for long: 2 GB of results in a row, nobody waiting
    # in between.
    resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4 >> 10
    small = Netcl.ones(Float32, 512, 512)
    wait(small)
    at_first = resident()
    for _ in 1:2000
        small = small .+ 1f0
    end
    wait(small)
    @test resident() < at_first + 500
    # Views and results in a given place make no memory, so they are no reason to collect.
    before = Base.gc_num().pause
    y = similar(megabytes)
    for _ in 1:100
        y .= view(megabytes, :) .+ 1f0
    end
    @test Base.gc_num().pause <= before + 1
end

@testset "tasks" begin
    x = Netcl.rand(Float32, 40, 40)
    expected = Array(x * x)
    wrong = String[]
    message(call) = try
        call()
        ""
    catch caught
        sprint(showerror, caught)
    end
    @sync for i in 1:20
        @async for _ in 1:5
            y = x * x
            yield()
            wait(y)
            Array(y) == expected || push!(wrong, "product")
            occursin("is -$i;", message(() -> Netcl.zeros(Float32, -i))) || push!(wrong, "message")
            # What is allowed in one task is not in another.
            i % 2 == 0 && Netcl.allowscalar(() -> (yield(); x[1, 1]))
            occursin("allowscalar", message(() -> x[1, 1])) || push!(wrong, "scalar")
        end
    end
    @test isempty(wrong)
end

# In a function of its own, so that nothing on the stack holds the function that is compiled.
function call_compiled(x)
    c = Netcl.compiled(x -> x .* 2)
    return Array(c(x))
end

@testset "compiled functions that nobody has any more" begin
    x = NetclArray(Float32[1, 2, 3])
    graphs = live(Netcl.HANDLE_GRAPH)
    for _ in 1:5
        @test call_compiled(x) == Float32[2, 4, 6]
    end
    for _ in 1:3
        GC.gc()
        Netcl.drop_functions()
    end
    @test live(Netcl.HANDLE_GRAPH) <= graphs + 1
    @test length(Netcl.FUNCTIONS) <= 1
end
