# Indexing. Views share memory; elements one by one are refused unless they are asked for.

"A view of the array's memory; `offset` counts elements from its first one."
function strided_view(x::NetclArray{T}, dims::Dims{N}, strides::NTuple{N,Int},
                      offset::Int) where {T,N}
    any(iszero, dims) && (offset = 0)
    made = tensor_view(x.tensor, dims, offset; strides = strides)
    return NetclArray{T,N}(made, dims, strides, x.device, x.root, x.offset + offset)
end

"Whether two arrays are views of one piece of memory, as far as is known here."
shares_memory(a::NetclArray, b::NetclArray) = a.root == b.root
Base.dataids(x::NetclArray) = (UInt(x.root.pointer),)

const ViewIndex = Union{Integer,Colon,AbstractRange{<:Integer}}

function Base.view(x::NetclArray{T,N}, indices::ViewIndex...) where {T,N}
    length(indices) == 1 && N != 1 && return view(vec(x), indices...)
    checkbounds(x, indices...)
    length(indices) >= N || throw(ArgumentError(
        "$(length(indices)) indices are given for $N dimensions"))
    offset, dims, strides = 0, Int[], Int[]
    for (k, index) in enumerate(indices)
        extent, step = k <= N ? (x.dims[k], x.strides[k]) : (1, 0)
        if index isa Integer
            offset += (Int(index) - 1) * step
        elseif index isa Colon
            push!(dims, extent)
            push!(strides, step)
        else
            isempty(index) || (offset += (Int(first(index)) - 1) * step)
            push!(dims, length(index))
            push!(strides, Base.step(index) * step)
        end
    end
    return strided_view(x, Tuple(dims), Tuple(strides), offset)
end
Base.view(x::NetclArray, indices::CartesianIndex) = view(x, Tuple(indices)...)

# ---- Elements one by one -------------------------------------------------------------------------

const SCALAR_KEY = :netcl_allow_scalar

"""
    Netcl.allowscalar() do ... end
    Netcl.allowscalar(allow::Bool)

Lets the task read and write single elements, each of which is a transfer that waits: within the
function, or from here on. Before the first call they are refused, as after `allowscalar(false)`.
"""
allowscalar(work) = task_local_storage(work, SCALAR_KEY, true)
allowscalar(allow::Bool) = (task_local_storage(SCALAR_KEY, allow); nothing)

"""
    Netcl.@allowscalar expression

The same for one expression.
"""
macro allowscalar(expression)
    return :(allowscalar(() -> $(esc(expression))))
end

# An extension has a method that says whether its package permits it.
scalar_permitted(::Val) = false
function check_scalar(what)
    get(task_local_storage(), SCALAR_KEY, false) === true && return nothing
    (scalar_permitted(Val(:GPUArraysCore)) || scalar_permitted(Val(:GPUArrays))) && return nothing
    throw(ArgumentError(
        "$what of a NetclArray would be a transfer of its own. Use Array(x), views and " *
        "broadcasting, or Netcl.allowscalar() do ... end where that is meant"))
end

function Base.getindex(x::NetclArray{T,N}, indices::Vararg{Int,N}) where {T,N}
    check_scalar("reading an element")
    return Array(view(x, indices...))[]
end
function Base.setindex!(x::NetclArray{T,N}, value, indices::Vararg{Int,N}) where {T,N}
    check_scalar("writing an element")
    fill!(view(x, indices...), value)
    return x
end

# ---- Parts ---------------------------------------------------------------------------------------

Base.getindex(x::NetclArray{T,0}) where {T} = (check_scalar("reading an element"); Array(x)[])
Base.getindex(x::NetclArray, indices::ViewIndex...) =
    all(i -> i isa Integer, indices) ? element_at(x, indices) : copy(view(x, indices...))
element_at(x::NetclArray{T,N}, indices) where {T,N} =
    length(indices) == N ? x[map(Int, indices)...] :
    (checkbounds(x, indices...); x[CartesianIndices(x)[indices...]])
Base.getindex(x::NetclArray, index::CartesianIndex) = x[Tuple(index)...]

Base.setindex!(x::NetclArray{T,N}, values::AbstractArray, indices::Vararg{Int,N}) where {T,N} =
    throw(ArgumentError("an array does not fit into one element"))
function Base.setindex!(x::NetclArray, values::AbstractArray, indices::ViewIndex...)
    part = view(x, indices...)
    size(part) == size(values) || length(part) == length(values) &&
        (ndims(part) <= 1 || filter(!isequal(1), size(part)) == filter(!isequal(1), size(values))) ||
        throw(DimensionMismatch("$(size(values)) elements do not fit into $(size(part))"))
    values isa NetclArray || (values = convert(Array{eltype(x)}, values))
    copyto!(part, reshape(values, size(part)))
    return x
end
function Base.setindex!(x::NetclArray, value, indices::ViewIndex...)
    all(i -> i isa Integer, indices) && return setindex_at(x, value, indices)
    throw(ArgumentError("one value for many elements is written with a dot: x[...] .= value"))
end
setindex_at(x::NetclArray{T,N}, value, indices) where {T,N} =
    length(indices) == N ? setindex!(x, value, map(Int, indices)...) :
    (checkbounds(x, indices...); setindex!(x, value, Tuple(CartesianIndices(x)[indices...])...))

# ---- Shapes --------------------------------------------------------------------------------------

function Base.permutedims(x::NetclArray{T,N}, order) where {T,N}
    view = permuted_view(x, order)
    return copyto!(NetclArray{T,N}(undef, size(view); device = x.device), view)
end
Base.permutedims(x::NetclMatrix) = permutedims(x, (2, 1))
Base.permutedims(x::NetclVector) = copy(reshape(x, 1, length(x)))

"""
    Netcl.permuted_view(x, order)

`permutedims` without a copy.
"""
function permuted_view(x::NetclArray{T,N}, order) where {T,N}
    isperm(order) && length(order) == N ||
        throw(ArgumentError("$(Tuple(order)) is no order of $N dimensions"))
    made = tensor_permute(x.tensor, collect(order) .- 1)
    picked = ntuple(k -> Int(order[k]), N)
    return NetclArray{T,N}(made, map(k -> x.dims[k], picked), map(k -> x.strides[k], picked),
                           x.device, x.root, x.offset)
end

Base.permutedims!(out::NetclArray, x::NetclArray, order) =
    copyto_same!(out, permuted_view(x, order))
Base.PermutedDimsArray(x::NetclArray, order) = permuted_view(x, order)

function Base.reshape(x::NetclArray{T,N}, dims::Dims) where {T,N}
    prod(dims) == length(x) && all(d -> d >= 0, dims) || throw(DimensionMismatch(
        "new dimensions $dims must be consistent with array size $(length(x))"))
    dims == x.dims && return x
    is_packed(x) || throw(ArgumentError(
        "a strided view has no other shape without a copy: reshape(copy(x), ...)"))
    return strided_view(x, dims, packed_strides(dims), 0)
end
Base.reshape(x::NetclArray, dims::Tuple{Vararg{Union{Int,Colon}}}) =
    reshape(x, Base._reshape_uncolon(x, dims))
Base.vec(x::NetclArray) = reshape(x, (length(x),))
Base.dropdims(x::NetclArray; dims) = drop(x, Tuple(dims))
function drop(x::NetclArray, dims)
    all(k -> size(x, k) == 1, dims) || throw(ArgumentError("dropped dims must all be size 1"))
    kept = [k for k in 1:ndims(x) if !(k in dims)]
    return strided_view(x, Tuple(x.dims[kept]), Tuple(x.strides[kept]), 0)
end

function Base.cat(first::NetclArray, rest::AbstractArray...; dims::Integer)
    given = (first, rest...)
    T = promote_type(map(eltype, given)...)
    rank = max(dims, maximum(map(ndims, given)))
    parts = [on_device_as(T, part, first.device) for part in given]
    padded = [pad_rank(part, rank) for part in parts]
    extents = collect(padded[1].dims)
    extents[dims] = sum(part -> part.dims[dims], padded)
    into = NetclArray{T}(undef, Tuple(extents); device = first.device)
    op_concat(padded, dims - 1; into = into)
    return into
end
on_device_as(::Type{T}, x::NetclArray{T}, device) where {T} = x
on_device_as(::Type{T}, x::NetclArray, device) where {T} = cast_to(x, T)
on_device_as(::Type{T}, x::AbstractArray, device) where {T} = NetclArray{T}(x; device = device)

const ColumnsOrHost = Union{NetclVector,NetclMatrix,Vector,Matrix,AbstractRange}
Base.vcat(first::NetclArray, rest::ColumnsOrHost...) = cat(first, rest...; dims = 1)
Base.hcat(first::NetclArray, rest::ColumnsOrHost...) = cat(first, rest...; dims = 2)
Base.vcat(first::NetclArray, rest::NetclArray...) = cat(first, rest...; dims = 1)
Base.hcat(first::NetclArray, rest::NetclArray...) = cat(first, rest...; dims = 2)
Base.reduce(::typeof(vcat), parts::AbstractVector{<:NetclVecOrMat}) = vcat(parts...)
Base.reduce(::typeof(hcat), parts::AbstractVector{<:NetclVecOrMat}) = hcat(parts...)
Base.hvcat(rows::Tuple{Vararg{Int}}, parts::NetclVecOrMat{T}...) where {T} = in_rows(rows, parts)
Base.hvcat(rows::Tuple{Vararg{Int}}, first::NetclVecOrMat, rest::AbstractVecOrMat...) =
    in_rows(rows, (first, rest...))
function in_rows(rows, parts)
    device, at = parts[1].device, 0
    made = map(rows) do count
        row = parts[(at + 1):(at += count)]
        hcat(map(x -> x isa NetclArray ? x : NetclArray(x; device = device), row)...)
    end
    return vcat(made...)
end

"The array with dimensions of extent 1 at the end."
function pad_rank(x::NetclArray{T,N}, rank::Int) where {T,N}
    N >= rank && return x
    dims = ntuple(k -> k <= N ? x.dims[k] : 1, rank)
    strides = ntuple(k -> k <= N ? x.strides[k] : 0, rank)
    return strided_view(x, dims, strides, 0)
end
