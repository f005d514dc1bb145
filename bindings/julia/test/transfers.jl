# Transfers with pointers, which need care, and with events.

@testset "asynchronous" begin
    A = rand(Float32, 1000)
    x = NetclArray(zeros(Float32, 1000))
    B = similar(A)
    done = Ref{Netcl.Event}()
    GC.@preserve A B begin
        Netcl.unsafe_tensor_write(x, pointer(A), sizeof(A); borrow = 1, event = done)
        wait(done[])
        Netcl.unsafe_tensor_read(x, pointer(B), sizeof(B); event = done, waits = done[])
        wait(done[])
    end
    @test A == B
    Netcl.tensor_write(x, 2 .* A; event = done, use_pinned = :off, async_copy = :on)
    wait(done[])
    Netcl.tensor_read(x, B; use_pinned = :off)
    @test B == 2 .* A
    GC.@preserve A begin
        t = Netcl.unsafe_tensor_create_from_host(dev(), :f32, 1000, pointer(A), sizeof(A);
                                                 borrow = 1, event = done)
        wait(done[])
        @test Array(NetclArray(t)) == A
        close(t)
        wait(dev())
    end
    bytes = codeunits("no npy")
    refused(() -> Netcl.unsafe_tensor_create_from_npy(dev(), pointer(Vector(bytes)), 6))
    # The plain forms have neither event nor borrow where they would outlive the call.
    @test_throws MethodError Netcl.tensor_read(x, B; event = done)
    @test_throws MethodError Netcl.tensor_write(x, B; borrow = 1)
end

@testset "sizes have to fit" begin
    x = NetclArray(UInt8[1, 2, 3, 4])
    for A in (zeros(UInt8, 3), zeros(UInt8, 1 << 20), UInt8[])
        B = copy(A)
        fails(() -> Netcl.tensor_read(x, B), Netcl.ERROR_INVALID_ARGUMENT)
        @test A == B
        fails(() -> Netcl.tensor_write(x, A), Netcl.ERROR_INVALID_ARGUMENT)
    end
    @test Array(x) == [1, 2, 3, 4]
    fails(() -> Netcl.tensor_read(x, "text"), Netcl.ERROR_INVALID_ARGUMENT, "text")
    fails(() -> Netcl.tensor_read(x, view(zeros(UInt8, 8), 1:4)), Netcl.ERROR_INVALID_ARGUMENT,
          "data is a SubArray")
    fails(() -> Netcl.tensor_write(x, Any[1, 2]), Netcl.ERROR_INVALID_ARGUMENT, "Array{Any")
    fails(() -> Netcl.tensor_create_from_host(dev(), :f32, (4,), Float32[1]),
          Netcl.ERROR_INVALID_ARGUMENT, "data_size")
end

@testset "a Bool is 0 or 1 whatever the memory holds" begin
    t = Netcl.tensor_create_from_host(dev(), :bool, 4, UInt8[0, 1, 2, 255])
    A = Vector{Bool}(undef, 4)
    Netcl.tensor_read(t, A)
    @test reinterpret(UInt8, A) == [0, 1, 1, 1]
    @test reinterpret(UInt8, Array(NetclArray(t))) == [0, 1, 1, 1]
end
