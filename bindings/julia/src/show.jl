# How things look.

Base.show(io::IO, handle::Handle) = print(
    io, "Netcl.", nameof(typeof(handle)),
    !isopen(handle) ? "(closed)" : "(0x$(string(UInt(handle.pointer); base = 16)))")

function Base.show(io::IO, device::Device)
    isopen(device) || return print(io, "Netcl.Device(closed)")
    print(io, "Netcl.Device(", repr(device_get_info(device).name), ")")
end

shown_elements(x::NetclArray) = isopen(x.tensor) ? Array(x) : nothing

# Elements are shown from a copy on the host. Large arrays show their ends only, but all of them
# comes over; a view is cheaper.
function Base.show(io::IO, ::MIME"text/plain", x::NetclArray)
    summary(io, x)
    elements = shown_elements(x)
    elements === nothing && return print(io, " (closed)")
    isempty(elements) && return nothing
    println(io, ":")
    # As Array does it: the type is in the head, and a matrix has short numbers.
    io = IOContext(io, :typeinfo => eltype(x))
    haskey(io, :compact) || size(x, 2) == 1 || (io = IOContext(io, :compact => true))
    Base.print_array(io, elements)
end
function Base.show(io::IO, x::NetclArray)
    elements = shown_elements(x)
    print(io, "NetclArray(")
    elements === nothing ? print(io, "closed") : show(io, elements)
    print(io, ")")
end
Base.print_array(io::IO, x::NetclArray) = Base.print_array(io, Array(x))
