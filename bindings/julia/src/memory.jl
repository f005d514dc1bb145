# Memory that a call of C works on: texts, arrays, and what structs point to.

"A String without NUL, which C takes for its end."
function c_text(name::Symbol, text::AbstractString)
    text = String(text)
    at = findfirst(isequal(0x00), codeunits(text))
    at === nothing || invalid("$name has a NUL character at byte $(at - 1)")
    return text
end
c_text(::Symbol, ::Nothing) = Ptr{UInt8}(C_NULL)

c_texts(name::Symbol, texts) = String[c_text(name, text) for text in texts]
c_texts(name::Symbol, text::AbstractString) = invalid("$name is one text, not a list of texts")
text_pointers(texts::Vector{String}) = Ptr{UInt8}[pointer(text) for text in texts]

array_of(::Type{T}, rows::Vector{T}) where {T} = rows
array_of(::Type{T}, rows) where {T} = T[entry_of(T, row) for row in rows]
array_of(::Type{T}, row::Number) where {T<:Number} = T[convert(T, row)]
array_of(::Type{T}, ::Nothing) where {T} = T[]
entry_of(::Type{T}, row) where {T} = convert(T, row)
entry_of(::Type{E}, row) where {E<:CEnum} = enum(E, row)

strides_of(shape, ::Nothing) = nothing
function strides_of(shape, strides)
    rows = array_of(Int64, strides)
    length(rows) == length(shape) ||
        invalid("strides has $(length(rows)) entries, shape has $(length(shape))")
    return rows
end

function same_length(first, rows, other, other_rows)
    length(rows) == length(other_rows) || invalid(
        "$first has $(length(rows)) entries, $other has $(length(other_rows))")
end

"A list of handles of one type; a single one is a list too."
function handle_list(::Type{H}, name::Symbol, list) where {H}
    list isa H && return (list,)
    rows = list isa Union{Tuple,Vector} ? list : collect(list)
    for row in rows
        row isa H || throw(ArgumentError("$name holds a $(typeof(row))"))
    end
    return rows
end
raw_list(list) = Ptr{Cvoid}[raw(row) for row in list]

const HostArray{T} = Array{T}

function host_memory(name::Symbol, data)
    data isa AbstractString && return Vector{UInt8}(codeunits(String(data)))
    data isa Array && isbitstype(eltype(data)) && return data
    invalid("$name is a $(typeof(data)); it has to be an Array of numbers")
end
host_place(name::Symbol, data) =
    data isa AbstractString ? invalid("$name is text, which cannot be written to") :
    host_memory(name, data)

# A bool of the library is any byte, one of Julia is 0 or 1.
tidy(A::Array) = A
function tidy(A::Array{Bool})
    GC.@preserve A begin
        place = Ptr{UInt8}(pointer(A))
        for at in 1:length(A)
            unsafe_store!(place, unsafe_load(place, at) != 0, at)
        end
    end
    return A
end

"A length in nanoseconds of a number of seconds."
function nanoseconds(seconds::Real)
    seconds == Inf && return typemax(UInt64)
    seconds >= 0 || invalid("timeout is $seconds; it has to be seconds from 0 on, or Inf")
    return seconds >= 1.8e10 ? typemax(UInt64) : round(UInt64, Float64(seconds) * 1e9)
end

# ---- What a struct is filled with: `keep` holds it until the call is over ------------------------

function clear_bytes(place::Ptr{UInt8}, size::Int)
    for at in 0:8:(size - 8)
        unsafe_store!(Ptr{UInt64}(place + at), 0)
    end
end

function store_tuple(name::Symbol, place::Ptr{T}, count::Int, values) where {T}
    length(values) <= count ||
        invalid("$name has $(length(values)) entries; there is room for $count")
    for (at, value) in enumerate(values)
        unsafe_store!(place, convert(T, value), at)
    end
end

# A number for each dimension or side of an image, or one for all of them. With fewer the rest would be
# 0, which is the default of C, so they are refused.
function store_each(name::Symbol, place::Ptr{Int64}, count::Int, values)
    values isa Number || length(values) == count || invalid(
        "$name is $values; it takes $count numbers, or one for all of them")
    for at in 1:count
        unsafe_store!(place, convert(Int64, values isa Number ? values : values[at]), at)
    end
end

function store_text(place::Ptr{UInt8}, room::Int, text::String)
    GC.@preserve text unsafe_copyto!(place, pointer(text), min(sizeof(text), room - 1))
end

function keep_text!(keep, name::Symbol, text)
    text === nothing && return C_NULL
    kept = c_text(name, text)
    push!(keep, kept)
    return Ptr{Cvoid}(pointer(kept))
end

function keep_sized!(keep, name::Symbol, text)
    place = keep_text!(keep, name, text)
    return place, text === nothing ? 0 : sizeof(keep[end])
end

function keep_array!(keep, ::Type{T}, rows) where {T}
    kept = array_of(T, rows)
    isempty(kept) && return C_NULL, 0
    push!(keep, kept)
    return Ptr{Cvoid}(pointer(kept)), length(kept)
end

keep_handles!(keep, list) = keep_array!(keep, Ptr{Cvoid}, raw_list(list))

function keep_texts!(keep, name::Symbol, list)
    texts = c_texts(name, list)
    push!(keep, texts)
    return keep_array!(keep, Ptr{UInt8}, text_pointers(texts))
end

function keep_data!(keep, name::Symbol, data)
    data === nothing && return C_NULL, 0
    kept = host_memory(name, data)
    push!(keep, kept)
    return Ptr{Cvoid}(pointer(kept)), sizeof(kept)
end

keep_bytes!(keep, ::Nothing) = C_NULL
function keep_bytes!(keep, bytes::Base.RefValue)
    push!(keep, bytes)
    return Base.unsafe_convert(Ptr{Cvoid}, bytes)
end

keep_struct!(keep, ::Nothing) = C_NULL
function keep_struct!(keep, object)
    memory = Vector{UInt64}(undef, div(struct_size(object), 8))
    push!(keep, memory, object)
    fill_struct!(Ptr{UInt8}(pointer(memory)), keep, object)
    return Ptr{Cvoid}(pointer(memory))
end

# ---- Outputs -------------------------------------------------------------------------------------

"Where the reference goes that was asked for with a Ref."
place_if(::Nothing, place) = C_NULL
place_if(::Ref, place) = Base.unsafe_convert(Ptr{Cvoid}, place)

give_reference(::Nothing, place) = nothing
function give_reference(wanted::Ref{H}, place) where {H<:Handle}
    place[] == C_NULL || (wanted[] = H(place[]))
    return nothing
end

# Calls with room for what usually comes, and once more when it was more: a call may change
# something, so it is not made twice to learn the length.
function read_text(call)
    length = Ref{Csize_t}(0)
    buffer = Vector{UInt8}(undef, 4096)
    while true
        @checked call(buffer, Base.length(buffer), length)
        length[] < Base.length(buffer) && return String(resize!(buffer, length[]))
        resize!(buffer, length[] + 1)
    end
end

read_array(call, ::Type{T}, ::Type{C}) where {T,C} = read_rows(call, T, C)
function read_rows(call, ::Type{T}, ::Type{C}) where {T,C}
    count = Ref{C}(0)
    rows = Vector{T}(undef, 64)
    while true
        @checked call(rows, length(rows), count)
        count[] <= length(rows) && return resize!(rows, count[])
        resize!(rows, count[])
    end
end

# ---- Functions that the library calls ------------------------------------------------------------

"A function during one call of the library, and what it threw."
mutable struct CallbackState
    work::Any
    failure::Any
    CallbackState(work) = new(work, nothing)
end

status_of(::Any) = OK.value
status_of(status::Status) = status.value
status_of(failure::Exception) = ERROR_CANCELLED.value
status_of(failure::NetclError) = failure.status.value

function callback_done(state::CallbackState, status::Int32)
    state.failure === nothing || throw(state.failure)
    status == 0 || fail(status)
end
