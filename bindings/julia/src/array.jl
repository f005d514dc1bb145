# The type of arrays. What one can do with them is in the files that follow.

"""
    NetclArray(A; device)
    NetclArray{T}(undef, dims...; device)

An array on a device, column-major like `Array`: the same indices name the same elements, and
strides say where they lie. `Array(x)` brings it back. Broadcasting with dots is one kernel.
"""
struct NetclArray{T,N} <: AbstractArray{T,N}
    tensor::Tensor
    dims::NTuple{N,Int}
    strides::NTuple{N,Int}
    device::Device
    # What the memory was made with, the same object in all views of it, and how many elements
    # after its first one this array begins.
    root::Tensor
    offset::Int
    # Whether it is the transpose of a vector: then its product with a vector is a number, and its
    # own transpose a vector.
    row::Bool
end
NetclArray{T,N}(tensor, dims, strides, device, root = tensor, offset = 0) where {T,N} =
    NetclArray{T,N}(tensor, dims, strides, device, root, offset, false)

const NetclVector{T} = NetclArray{T,1}
const NetclMatrix{T} = NetclArray{T,2}
const NetclVecOrMat{T} = Union{NetclVector{T},NetclMatrix{T}}
const TensorLike = Union{Tensor,NetclArray}

raw(x::NetclArray) = raw(x.tensor)
Base.unsafe_convert(::Type{Ptr{Cvoid}}, x::NetclArray) = raw(x.tensor)
Base.size(x::NetclArray) = x.dims
Base.strides(x::NetclArray) = x.strides
Base.stride(x::NetclArray{T,N}, k::Integer) where {T,N} =
    k <= N ? x.strides[k] : (N == 0 ? 1 : x.strides[N] * x.dims[N])
Base.IndexStyle(::Type{<:NetclArray}) = IndexCartesian()
Base.elsize(::Type{<:NetclArray{T}}) where {T} = sizeof(T)
Base.sizeof(x::NetclArray{T}) where {T} = sizeof(T) * length(x)
Base.isassigned(x::NetclArray, indices::Int...) = checkbounds(Bool, x, indices...)
Base.write(io::IO, x::NetclArray) = write(io, Array(x))
Base.reinterpret(::Type{T}, x::NetclArray) where {T} = throw(ArgumentError(
    "memory of a device is not seen as another type; NetclArray(reinterpret($T, Array(x))) makes a copy"))

"The strides of a packed column-major array."
function packed_strides(dims::NTuple{N,Int}) where {N}
    step = 1
    return ntuple(N) do k
        here = step
        step *= max(dims[k], 1)
        here
    end
end

"Whether the elements lie packed in the order of their indices."
function is_packed(x::NetclArray)
    step = 1
    for (extent, stride) in zip(x.dims, x.strides)
        extent == 1 || stride == step || return length(x) == 0
        step *= extent
    end
    return true
end

"""
    NetclArray(tensor::Netcl.Tensor)

The array over a tensor: the same memory, shape and strides.
"""
NetclArray(tensor::Tensor) = array_over(tensor, tensor_get_info(tensor),
                                        tensor_get_device(tensor))

function array_over(tensor, info, device)
    rank = info.rank
    return NetclArray{element_type(info.dtype),rank}(
        tensor, ntuple(k -> Int(info.shape[k]), rank), ntuple(k -> Int(info.strides[k]), rank),
        device)
end

"The tensor of an array."
tensor(x::NetclArray) = x.tensor
tensor(x::Tensor) = x

"""
Results of ops on arrays are arrays, and those of ops on tensors are tensors. New arrays are packed
in column-major order like all others here, so one that the library made in another is copied.
"""
# Results are copied to the order of Julia where they have another one; a graph that has the op records
# that too, so that gradients go through it.
like(::Tensor, result::Tensor, ::Nothing, graph = nothing) = made(result)
like(::Tensor, result::Tensor, into, graph = nothing) = result
function like(x::NetclArray, result::Tensor, ::Nothing, graph = nothing)
    info = tensor_get_info(result)
    count_made(info.byte_count, result)
    found = array_over(result, info, x.device)
    is_packed(found) && return found
    packed = op_copy(found; graph = graph)
    close(result)
    return packed
end
like(x::NetclArray, result::Tensor, into, graph = nothing) =
    array_over(result, tensor_get_info(result), x.device)
function like(list, result::Tensor, into, graph = nothing)
    at = findfirst(x -> x isa NetclArray, collect(list))
    return like(at === nothing ? result : list[at], result, into, graph)
end


"The results of an op that gives several, as a tuple."
like_each(list, results, into, graph = nothing) =
    Tuple(like(list, take(Tensor, h), isempty(into) ? nothing : into, graph) for h in results)

dtype_of(x::Tensor) = tensor_get_info(x).dtype
dtype_of(::NetclArray{T}) where {T} = enum(Dtype, T)

"Gives the memory back at once instead of at a later collection. The array is of no more use."
Base.close(x::NetclArray) = close(x.tensor)
Base.isopen(x::NetclArray) = isopen(x.tensor)
