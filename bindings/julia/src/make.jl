# Making arrays.

as_dims(dims::Tuple) = map(Int, dims)
as_dims(dims::Integer...) = map(Int, dims)

function NetclArray{T,N}(::UndefInitializer, dims::Dims{N}; device::Device = device()) where {T,N}
    strides = packed_strides(dims)
    made = tensor_create(device, T, dims; strides = strides)
    return NetclArray{T,N}(made, dims, strides, device)
end
NetclArray{T}(::UndefInitializer, dims::Dims{N}; options...) where {T,N} =
    NetclArray{T,N}(undef, dims; options...)
undefined(device::Device, ::Type{T}, dims::Dims{N}) where {T,N} =
    NetclArray{T,N}(undef, dims; device = device)
NetclArray{T}(::UndefInitializer, dims::Integer...; options...) where {T} =
    NetclArray{T}(undef, as_dims(dims); options...)
NetclArray{T,N}(::UndefInitializer, dims::Integer...; options...) where {T,N} =
    NetclArray{T,N}(undef, as_dims(dims); options...)

NetclArray{T}(A::AbstractArray{S,N}; device::Device = device()) where {T,S,N} =
    from_host(convert(Array{T,N}, A), device)
NetclArray{T,N}(A::AbstractArray{S,N}; options...) where {T,S,N} = NetclArray{T}(A; options...)
NetclArray(A::AbstractArray{T,N}; device::Device = device()) where {T,N} =
    from_host(convert(Array{T,N}, A), device)
NetclVector(A::AbstractVector; options...) = NetclArray(A; options...)
NetclMatrix(A::AbstractMatrix; options...) = NetclArray(A; options...)
NetclArray(x::NetclArray; device::Device = x.device) =
    device == x.device ? copy(x) : copyto!(similar_on(device, x), x)
NetclArray{T}(x::NetclArray; device::Device = x.device) where {T} =
    T === eltype(x) ? NetclArray(x; device = device) :
    NetclArray(broadcast(T, x); device = device)

# A multiple of the identity, with the types and the forms that Matrix has for it.
const Scaling = LinearAlgebra.UniformScaling
function NetclArray{T}(J::Scaling, dims::Dims{2}; device::Device = device()) where {T}
    x = zeros(T, dims; device = device)
    fill!(strided_view(x, (min(dims...),), (max(dims[1], 1) + 1,), 0), J.λ)
    return x
end
NetclArray{T}(J::Scaling, m::Integer, n::Integer; options...) where {T} =
    NetclArray{T}(J, as_dims(m, n); options...)
NetclMatrix{T}(J::Scaling, dims...; options...) where {T} = NetclArray{T}(J, dims...; options...)
NetclArray(J::Scaling, dims...; options...) = NetclArray{eltype(J)}(J, dims...; options...)
NetclMatrix(J::Scaling, dims...; options...) = NetclArray{eltype(J)}(J, dims...; options...)

similar_on(device, x::NetclArray{T}) where {T} = NetclArray{T}(undef, size(x); device = device)

function from_host(A::Array{T,N}, device::Device) where {T,N}
    strides = packed_strides(size(A))
    made = tensor_create_from_host(device, T, size(A), A; strides = strides)
    return NetclArray{T,N}(made, size(A), strides, device)
end

Base.similar(x::NetclArray, ::Type{T}, dims::Dims) where {T} =
    NetclArray{T}(undef, dims; device = x.device)
Base.convert(::Type{NetclArray}, A::AbstractArray) = A isa NetclArray ? A : NetclArray(A)
Base.convert(::Type{NetclArray{T}}, A::AbstractArray) where {T} =
    A isa NetclArray{T} ? A : NetclArray{T}(A)

function filled(device::Device, ::Type{T}, dims::Dims{N}, value) where {T,N}
    strides = packed_strides(dims)
    made = tensor_create_full(device, T, dims, value; strides = strides)
    return NetclArray{T,N}(made, dims, strides, device)
end

"""
    Netcl.zeros(T, dims...; device)
    Netcl.ones(T, dims...; device)
    Netcl.fill(value, dims...; device)

Arrays with one value everywhere. T is Float32 when it is left out.
"""
function zeros(::Type{T}, dims::Dims{N}; device::Device = device()) where {T,N}
    strides = packed_strides(dims)
    made = tensor_create_zeros(device, T, dims; strides = strides)
    return NetclArray{T,N}(made, dims, strides, device)
end
ones(::Type{T}, dims::Dims; device::Device = device()) where {T} =
    filled(device, T, dims, one(T))
fill(value::Number, dims::Dims; device::Device = device()) =
    filled(device, typeof(value), dims, value)
fill(value::Number, dims::Integer...; options...) = fill(value, as_dims(dims); options...)
for make in (:zeros, :ones)
    @eval begin
        $make(::Type{T}, dims::Integer...; options...) where {T} =
            $make(T, as_dims(dims); options...)
        $make(dims::Integer...; options...) = $make(Float32, as_dims(dims); options...)
        $make(dims::Dims; options...) = $make(Float32, dims; options...)
    end
end

"""
    Netcl.rand(T, dims...; seed, low, high, device)
    Netcl.randn(T, dims...; seed, mean, deviation, device)

Random numbers of a seed, the same on every device and in every language: element `[i, j]` is what
row i, column j is elsewhere. Without a seed it comes from Julia's generator, which `Random.seed!` sets.
Integers without a range take all values.
"""
rand(::Type{T}, dims::Dims; device::Device = device(), options...) where {T} =
    random(device, T, dims; distribution = UNIFORM, options...)
randn(::Type{T}, dims::Dims; device::Device = device(), options...) where {T} =
    random(device, T, dims; distribution = NORMAL, options...)
for make in (:rand, :randn)
    @eval begin
        $make(::Type{T}, dims::Integer...; options...) where {T} =
            $make(T, as_dims(dims); options...)
        $make(dims::Integer...; options...) = $make(Float32, as_dims(dims); options...)
        $make(dims::Dims; options...) = $make(Float32, dims; options...)
    end
end

function random(device::Device, ::Type{T}, dims::Dims{N}; seed = Base.rand(UInt64),
                options...) where {T,N}
    strides = packed_strides(dims)
    made = tensor_create_random(device, T, dims; strides = strides, seed = seed, options...)
    return NetclArray{T,N}(made, dims, strides, device)
end

"""
    Netcl.load_npy(path; device)
    Netcl.save_npy(path, x)

Arrays in files of numpy. `x[i, j]` there is `x[i + 1, j + 1]` here.
"""
load_npy(path::AbstractString; device::Device = device()) =
    NetclArray(tensor_load_npy(device, path))
save_npy(path::AbstractString, x::TensorLike) = tensor_save_npy(tensor(x), path)
