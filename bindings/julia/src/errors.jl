# Statuses become exceptions.

"""
    NetclError(status, message)

What failed: a `Netcl.Status`, the code of OpenCL (0 when no driver was involved), and a message
that names the argument and its value.
"""
struct NetclError <: Exception
    status::Status
    native_code::Int
    message::String
end
NetclError(status::Status, message) = NetclError(status, 0, message)

function Base.showerror(io::IO, e::NetclError)
    name = string(e.status)
    print(io, "NetclError: ", replace(name, "Netcl.ERROR_" => ""), " (", Int(e.status), "): ",
          e.message)
    e.native_code == 0 || print(io, " (OpenCL code ", e.native_code, ")")
end

invalid(message) = throw(NetclError(ERROR_INVALID_ARGUMENT, message))

# The message is the calling thread's. No task switch lies between the call and here: nothing on
# the way yields.
function last_error(status::Int32)
    memory = info_memory(StructMemory{130}())
    code, message = Int32(0), ""
    GC.@preserve memory begin
        if Raw.netcl_last_error_get_info(memory) == 0
            place = place_of(memory)
            code = unsafe_load(Ptr{Int32}(place + 12))
            message = inline_text(place + 16, 1024)
        end
    end
    # The handle of a closed object says nothing to the user. Each failure takes the note.
    closed_was_given() && status == ERROR_INVALID_HANDLE.value && (message *= ": it was closed")
    return NetclError(Status(status), code, message)
end

@noinline fail(status::Int32) = throw(failure_of(status))

"""
Whether a call that failed may go better now: memory that unreachable objects hold is given back
by a collection. Julia does not see the memory of devices, so it may not have collected for long.
"""
@noinline function recover(status::Int32)
    (status == ERROR_OUT_OF_DEVICE_MEMORY.value || status == ERROR_OUT_OF_HOST_MEMORY.value) ||
        return false
    # What a function threw in the call that is made again.
    delete!(task_local_storage(), FAILURE_KEY)
    GC.gc()
    return true
end

"Makes a call, once more after a collection when it ran out of memory, and throws its error."
macro checked(call)
    return quote
        local status = $(esc(call))
        if status != 0
            recover(status) && (status = $(esc(call)))
            status == 0 || fail(status)
        end
    end
end

function take(::Type{H}, pointer::Ptr{Cvoid}) where {H<:Handle}
    pointer == C_NULL && throw(NetclError(ERROR_INTERNAL, "the library gave no $(nameof(H))"))
    return H(pointer)
end

take_if_given(::Type{H}, pointer::Ptr{Cvoid}) where {H<:Handle} =
    pointer == C_NULL ? nothing : H(pointer)

"One more object with a reference of its own."
function retain(handle::H) where {H<:Handle}
    made = retained(H, raw(handle), handle)
    share_turn(made, handle)
    return made
end

function retained(::Type{H}, pointer::Ptr{Cvoid}, keep = nothing) where {H<:Handle}
    made = H(CLOSED)
    GC.@preserve keep @checked retain_entry(made, pointer)
    made.pointer = pointer
    return made
end
