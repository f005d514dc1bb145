# Moving elements between the host and devices.

"The view whose C order is the column-major order of the array."
function in_c_order(x::NetclArray{T,N}) where {T,N}
    return N <= 1 ? x.tensor : tensor_permute(x.tensor, (N - 1):-1:0)
end

function read_all!(A::Array{T}, x::NetclArray{T}) where {T}
    wait(x)
    tensor_read(in_c_order(x), A)
    return A
end

Base.Array(x::NetclArray{T,N}) where {T,N} = Array{T,N}(x)
Base.Array{T}(x::NetclArray{S,N}) where {T,S,N} = Array{T,N}(x)
Base.Array{T,N}(x::NetclArray{T,N}) where {T,N} = read_all!(Array{T,N}(undef, size(x)), x)
Base.Array{T,N}(x::NetclArray{S,N}) where {T,S,N} = Array{T,N}(Array{S,N}(x))
Base.collect(x::NetclArray) = Array(x)
Base.convert(::Type{Array}, x::NetclArray) = Array(x)
Base.convert(::Type{Array{T,N}}, x::NetclArray{S,N}) where {T,S,N} = Array{T,N}(x)
Base.copy(x::NetclArray) = copyto!(similar(x), x)
function Base.copy!(dest::NetclVector, src::AbstractVector)
    length(dest) == length(src) || throw(DimensionMismatch(
        "one array has $(length(dest)) elements, the other $(length(src)), and none grows"))
    return copyto!(dest, src)
end
Base.deepcopy_internal(x::NetclArray, seen::IdDict) = get!(() -> copy(x), seen, x)

"A view of `count` elements in a row, from one on, in the order of the indices."
flat_view(x::NetclVector, first::Int, count::Int) =
    strided_view(x, (count,), x.strides, (first - 1) * x.strides[1])
function flat_view(x::NetclArray{T}, first::Int, count::Int) where {T}
    is_packed(x) || throw(ArgumentError(
        "part of a strided view has no linear order in memory; copy the view first"))
    return strided_view(x, (count,), (1,), first - 1)
end

function check_range(what, first, count, length)
    count >= 0 && first >= 1 && first - 1 <= length - count ||
        throw(BoundsError(what, first:(first + count - 1)))
end

function Base.copyto!(dest::NetclArray{T}, src::Array{T}) where {T}
    size(dest) == size(src) || return copyto!(dest, 1, src, 1, length(src))
    tensor_write(in_c_order(dest), src)
    return dest
end
Base.copyto!(dest::NetclArray{T}, src::Array) where {T} =
    copyto!(dest, convert(Array{T,ndims(src)}, src))
Base.copyto!(dest::NetclArray, src::AbstractArray) = copyto!(dest, Array(src))

function Base.copyto!(dest::Array{T}, src::NetclArray{T}) where {T}
    size(dest) == size(src) || return copyto!(dest, 1, src, 1, length(src))
    return read_all!(dest, src)
end
Base.copyto!(dest::Array, src::NetclArray) = copyto!(dest, Array(src))
Base.copyto!(dest::AbstractArray, src::NetclArray) = copyto!(dest, Array(src))

function Base.copyto!(dest::NetclArray{T}, src::NetclArray{T}) where {T}
    size(dest) == size(src) || return copyto!(dest, 1, src, 1, length(src))
    shares_memory(dest, src) && (src = copy(src))
    op_copy(src.tensor; into = dest.tensor)
    return dest
end
function Base.copyto!(dest::NetclArray, src::NetclArray)
    size(dest) == size(src) || return copyto!(dest, 1, src, 1, length(src))
    dest .= src
    return dest
end

function Base.copyto!(dest::NetclArray{T}, first::Integer, src::Array, from::Integer,
                      count::Integer) where {T}
    check_range(dest, first, count, length(dest))
    check_range(src, from, count, length(src))
    count == 0 && return dest
    src = src isa Array{T} ? src : convert(Array{T}, src)
    part = flat_view(dest, Int(first), Int(count))
    GC.@preserve src unsafe_tensor_write(part.tensor, pointer(src, from), count * sizeof(T))
    return dest
end

function Base.copyto!(dest::Array{T}, first::Integer, src::NetclArray{T}, from::Integer,
                      count::Integer) where {T}
    check_range(dest, first, count, length(dest))
    check_range(src, from, count, length(src))
    count == 0 && return dest
    part = flat_view(src, Int(from), Int(count))
    wait(part)
    GC.@preserve dest unsafe_tensor_read(part.tensor, pointer(dest, first), count * sizeof(T))
    T === Bool && tidy(dest)
    return dest
end
Base.copyto!(dest::Array, first::Integer, src::NetclArray, from::Integer, count::Integer) =
    copyto!(dest, first, Array(flat_view(src, Int(from), Int(count))), 1, count)

function Base.copyto!(dest::NetclArray, first::Integer, src::NetclArray, from::Integer,
                      count::Integer)
    check_range(dest, first, count, length(dest))
    check_range(src, from, count, length(src))
    count == 0 || copyto!(flat_view(dest, Int(first), Int(count)),
                          flat_view(src, Int(from), Int(count)))
    return dest
end

function Base.fill!(x::NetclArray{T}, value) where {T}
    op_fill(x.tensor, convert(T, value))
    return x
end
Base.zero(x::NetclArray{T}) where {T} = zeros(T, size(x); device = x.device)
