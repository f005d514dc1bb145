# Structs that have grown since their first release, as a program that knows the first one gives
# them: bytes at fixed places, with sizes that never change again.

# netcl_norm_options ended before has_epsilon, netcl_buffer_info before its last member.
const FIRST_NORM_OPTIONS = 32
const FIRST_BUFFER_INFO = 40

size_of_struct(name) = only(size for (each, size, _) in Netcl.LAYOUTS if each == name)

"Layer norm with an epsilon of 0 that counts only in the whole struct."
function older_layernorm(x, size)
    options = zeros(UInt8, size_of_struct(:netcl_norm_options))
    options[1:8] = reinterpret(UInt8, [UInt64(size)])
    options[33:36] = reinterpret(UInt8, [UInt32(1)])
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve x options result begin
        status = Netcl.Raw.netcl_op_layernorm(
            x.tensor.pointer, 0, pointer(options), C_NULL,
            Base.unsafe_convert(Ptr{Ptr{Cvoid}}, result))
    end
    @test status == 0
    made = Netcl.Tensor(result[])
    values = zeros(Float32, 2)
    Netcl.tensor_read(made, values)
    close(made)
    return values
end

@testset "an older caller of options gets the defaults of new members" begin
    whole = size_of_struct(:netcl_norm_options)
    @test whole > FIRST_NORM_OPTIONS
    x = NetclArray(Float32[1e-3, -1e-3])
    y = sqrt(1f-6 / 1.1f-5)
    @test isapprox(older_layernorm(x, FIRST_NORM_OPTIONS), [y, -y]; rtol = 1e-4)
    @test isapprox(older_layernorm(x, whole), [1, -1]; rtol = 1e-4)
end

@testset "an older caller of an info keeps what lies behind it" begin
    whole = size_of_struct(:netcl_buffer_info)
    @test whole > FIRST_BUFFER_INFO
    x = NetclArray(Float32[1, 2, 3])
    buffer = Netcl.tensor_get_buffer(x)
    info = fill(0xA5, whole)
    info[1:8] = reinterpret(UInt8, [UInt64(FIRST_BUFFER_INFO)])
    GC.@preserve buffer info begin
        @test Netcl.Raw.netcl_buffer_get_info(buffer.pointer, pointer(info)) == 0
    end
    @test all(==(0xA5), info[(FIRST_BUFFER_INFO + 1):end])
    @test any(!=(0xA5), info[9:FIRST_BUFFER_INFO])
    close(buffer)
end
