# What the generated functions stand on: types of constants, of handles and of structs.

"Constants of one type. Values that this package does not know are kept as they are."
abstract type CEnum end

Base.Int(e::CEnum) = Int(e.value)

"A constant from itself, a symbol (`:sum`, `:reduction_sum`), or, for dtypes, a Julia type."
enum(::Type{E}, e::E) where {E<:CEnum} = e
function enum(::Type{E}, name::Symbol) where {E<:CEnum}
    word = Symbol(lowercase(string(name)))
    for (long, short, value) in enum_values(E)
        (word === short || string(word) == lowercase(string(long))) && return E(value)
    end
    known = join((":" * string(row[2]) for row in enum_values(E)), ", ")
    throw(ArgumentError(":$name is no $(nameof(E)); there are $known"))
end
(::Type{E})(name::Symbol) where {E<:CEnum} = enum(E, name)

function Base.show(io::IO, e::E) where {E<:CEnum}
    for (long, _, value) in enum_values(E)
        value == e.value && return print(io, "Netcl.", long)
    end
    return print(io, "Netcl.", nameof(E), "(", e.value, ")")
end

"""
A reference to an object of the library, which `close` or the finalizer gives back. Functions
refuse an object that was closed.
"""
abstract type Handle end

# What an object holds once it is closed. NULL would mean "none was given" in places.
const CLOSED = Ptr{Cvoid}(UInt(1))

# A call that is given a closed object fails, and its error then says why (see last_error). This is
# a hint: one that fails before the library is asked leaves it to the next failure of the task.
@inline function raw(handle::Handle)
    pointer = handle.pointer
    pointer == CLOSED && note_closed()
    return pointer
end
raw(::Nothing) = C_NULL
Base.unsafe_convert(::Type{Ptr{Cvoid}}, handle::Handle) = raw(handle)

const CLOSED_KEY = :netcl_closed_given
@noinline note_closed() = (task_local_storage(CLOSED_KEY, true); nothing)
closed_was_given() = pop!(task_local_storage(), CLOSED_KEY, false)::Bool
Base.:(==)(a::Handle, b::Handle) = typeof(a) === typeof(b) && a.pointer == b.pointer
Base.hash(handle::Handle, seed::UInt) = hash(handle.pointer, hash(typeof(handle), seed))
Base.isopen(handle::Handle) = handle.pointer != CLOSED

# Two tasks may close one object at a time; its reference is given back once.
const CLOSING = Base.Threads.SpinLock()

function Base.close(handle::Handle)
    lock(CLOSING)
    pointer = handle.pointer
    handle.pointer = CLOSED
    unlock(CLOSING)
    pointer == CLOSED || release_entry(handle, pointer)
    # A graph may have been the last to need a function.
    isempty(FUNCTIONS) || drop_functions()
    return nothing
end

"The finalizer. It runs anywhere, so it takes no lock: nothing else knows the object any more."
function release(handle::Handle)
    pointer = handle.pointer
    handle.pointer = CLOSED
    pointer == CLOSED || release_entry(handle, pointer)
    return nothing
end

# Objects that the header calls movable have a lock, which all references to one share.
take_turn(::Nothing) = nothing
end_turn(::Nothing) = nothing
share_turn(to, from) = nothing

"Memory of a struct of C, N words long."
mutable struct StructMemory{N}
    words::NTuple{N,UInt64}
    StructMemory{N}() where {N} = new{N}()
end

Base.unsafe_convert(::Type{Ptr{Cvoid}}, memory::StructMemory) = pointer_from_objref(memory)
place_of(memory::StructMemory) = Ptr{UInt8}(pointer_from_objref(memory))

"What the library tells about something."
abstract type Info end

function info_memory(memory::StructMemory{N}) where {N}
    GC.@preserve memory unsafe_store!(Ptr{Csize_t}(place_of(memory)), 8N)
    return memory
end

function take_info(::Type{I}, memory::StructMemory) where {I<:Info}
    return GC.@preserve memory read_info(I, place_of(memory))
end

"Text in an array of the struct, up to its NUL."
function inline_text(place::Ptr{UInt8}, size::Int)
    length = 0
    while length < size && unsafe_load(place + length) != 0
        length += 1
    end
    return unsafe_string(place, length)
end

function Base.show(io::IO, ::MIME"text/plain", info::Info)
    print(io, nameof(typeof(info)), ":")
    for name in fieldnames(typeof(info))
        print(io, "\n  ", name, " = ", shown_value(getfield(info, name)))
    end
end

shown_value(value::Integer) = string(value)
shown_value(value::NTuple{N,Integer}) where {N} = "(" * join(value, ", ") * ")"
shown_value(value) = repr(value)

or_null(::Nothing) = C_NULL
or_null(handle) = handle
or_null(rows::Vector) = isempty(rows) ? C_NULL : rows

"Text that the library lends."
borrowed_text(text::Ptr{UInt8}) = text == C_NULL ? "" : unsafe_string(text)
