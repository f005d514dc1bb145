# How things look.

Base.show(io::IO, handle::Handle) = print(
    io, "Netcl.", nameof(typeof(handle)),
    !isopen(handle) ? "(closed)" : "(0x$(string(UInt(handle.pointer); base = 16)))")

function Base.show(io::IO, device::Device)
    isopen(device) || return print(io, "Netcl.Device(closed)")
    print(io, "Netcl.Device(", repr(device_get_info(device).name), ")")
end

# In a list one line each, and not all that is known of it.
Base.show(io::IO, info::DeviceInfo) =
    print(io, info.index, ": ", info.name, " (", info.platform_name, ", ", info.driver_version, ")")

# ---- Arrays --------------------------------------------------------------------------------------

# Large ones show their ends only, where the stream has a limit. So only these come over: parts of a
# page, which is what the first two indices name, each as it is first asked for.
const SHOWN_WHOLE = 4096

struct Corners{T,N} <: AbstractArray{T,N}
    x::NetclArray{T,N}
    most::Int  # this many from each end of the first two dimensions
    pages::Dict{Any,Array{T}}
end
Base.size(c::Corners) = size(c.x)
Base.IndexStyle(::Type{<:Corners}) = IndexCartesian()
function Base.getindex(c::Corners{T,N}, indices::Vararg{Int,N}) where {T,N}
    part(k) = indices[k] <= c.most ? 1 : indices[k] > size(c, k) - c.most ? 2 : 0
    first, second = part(1), N > 1 ? part(2) : 1
    # Between the ends nothing is shown; what is asked for all the same comes by itself.
    (first == 0 || second == 0) && return Array(view(c.x, indices...))[]
    page = get!(c.pages, (first, second, indices[3:end])) do
        ranges = (end_range(c, 1, first), N > 1 ? end_range(c, 2, second) : 1)
        Array(view(c.x, ranges[1:min(N, 2)]..., indices[3:end]...))
    end
    return page[place_in(c, 1, first, indices), (N > 1 ? place_in(c, 2, second, indices) : 1)]
end
end_range(c, k, part) = part == 1 ? (1:min(c.most, size(c, k))) :
                        (max(size(c, k) - c.most + 1, 1):size(c, k))
place_in(c, k, part, indices) = indices[k] - Base.first(end_range(c, k, part)) + 1

function shown_elements(io::IO, x::NetclArray{T,N}) where {T,N}
    isopen(x.tensor) || return nothing
    limited = get(io, :limit, false)::Bool && N > 0 && length(x) > SHOWN_WHOLE
    return limited ? Corners{T,N}(x, maximum(displaysize(io)), Dict{Any,Array{T}}()) : Array(x)
end

# Into a buffer first: what prints is compiled for one kind of stream.
function Base.show(@nospecialize(io::IO), ::MIME"text/plain", @nospecialize(x::NetclArray))
    buffer = IOBuffer()
    show_array(IOContext(IOContext(buffer, io), :displaysize => displaysize(io)), x)
    write(io, take!(buffer))
    return nothing
end
function show_array(io::IOContext, x::NetclArray)
    summary(io, x)
    elements = shown_elements(io, x)
    elements === nothing && return print(io, " (closed)")
    isempty(elements) && return nothing
    println(io, ":")
    # As Array does it: the type is in the head, and a matrix has short numbers.
    io = IOContext(io, :typeinfo => eltype(x))
    haskey(io, :compact) || size(x, 2) == 1 || (io = IOContext(io, :compact => true))
    print_elements(io, elements)
end
function Base.show(io::IO, x::NetclArray)
    elements = shown_elements(io, x)
    print(io, "NetclArray(")
    elements === nothing ? print(io, "closed") : show(io, elements)
    print(io, ")")
end
Base.print_array(io::IO, x::NetclArray) = Base.print_array(io, shown_elements(io, x))
