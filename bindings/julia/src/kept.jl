# Functions that the library keeps: those of primitives. The library calls them on the thread that
# makes the call which asks for them, in its task. It says that it needs one no more on any thread,
# also on one of its own, which must not enter Julia: so that is a semaphore of libuv, which is posted,
# and Julia looks for it now and then.

const FUNCTIONS = Dict{Ptr{Cvoid},Any}()
const FUNCTIONS_LOCK = ReentrantLock()
# Semaphores are used again, since one that is posted may still be looked at by who posted it.
const SEMAPHORES = Ptr{Cvoid}[]
const SEMAPHORE_BYTES = 256  # more than one has on any system

destroy_pointer() = cglobal(:uv_sem_post)

"Gives what C passes on to a function, and posts when it is done with it."
function keep_function(work)
    lock(FUNCTIONS_LOCK)
    try
        place = isempty(SEMAPHORES) ? new_semaphore() : pop!(SEMAPHORES)
        FUNCTIONS[place] = work
        return place
    finally
        unlock(FUNCTIONS_LOCK)
    end
end

function new_semaphore()
    place = Libc.calloc(1, SEMAPHORE_BYTES)
    place == C_NULL && throw(OutOfMemoryError())
    code = ccall(:uv_sem_init, Cint, (Ptr{Cvoid}, Cuint), place, 0)
    code == 0 || throw(ErrorException("uv_sem_init gave $code"))
    return place
end

"Lets go of functions that the library needs no more."
function drop_functions()
    lock(FUNCTIONS_LOCK)
    try
        for place in collect(keys(FUNCTIONS))
            ccall(:uv_sem_trywait, Cint, (Ptr{Cvoid},), place) == 0 || continue
            delete!(FUNCTIONS, place)
            push!(SEMAPHORES, place)
        end
    finally
        unlock(FUNCTIONS_LOCK)
    end
    return nothing
end

function kept_function(place::Ptr{Cvoid})
    lock(FUNCTIONS_LOCK)
    try
        return FUNCTIONS[place]
    finally
        unlock(FUNCTIONS_LOCK)
    end
end

# ---- What they get -------------------------------------------------------------------------------

lent_object(::Type{H}, pointer) where {H<:Handle} =
    pointer == C_NULL ? nothing : retained(H, Ptr{Cvoid}(pointer))
lent_object(::Type{Tensor}, pointer) =
    pointer == C_NULL ? nothing : NetclArray(retained(Tensor, Ptr{Cvoid}(pointer)))
lent_objects(::Type{H}, first, count) where {H} =
    [lent_object(H, unsafe_load(Ptr{Ptr{Cvoid}}(first), k)) for k in 1:Int(count)]
lent_numbers(::Type{T}, first, count) where {T} =
    T[unsafe_load(Ptr{T}(first), k) for k in 1:Int(count)]

function lent_run(place; graph, queue, waits, waits_count)
    at(offset) = unsafe_load(Ptr{Ptr{Cvoid}}(place + offset))
    count = unsafe_load(Ptr{UInt32}(place + waits_count))
    return Surroundings(lent_object(Graph, at(graph)), lent_object(Queue, at(queue)),
                        lent_objects(Event, at(waits), count), true)
end

# ---- Calling them, and how they end --------------------------------------------------------------

# The calls of the function are made as the call that it was called in. Its end is that of the
# recording, so that no graph waits for a collection.
function call_kept(work, call, rest...)
    try
        return surround(() -> Base.invokelatest(work, call, rest...), call.run)
    finally
        run = call.run
        foreach(close, run.waits)
        run.queue === nothing || close(run.queue)
        run.graph === nothing || close(run.graph)
    end
end

const FAILURE_KEY = :netcl_failure

# The frames of C below must see one thread: a task that migrates comes back to it.
function pinned(work)
    task = current_task()
    sticky = task.sticky
    task.sticky = true
    try
        return work()
    finally
        task.sticky = sticky
    end
end

"""
Runs a function that the library keeps and gives its status. What it throws is kept for the call in
this task that fails for it, and its text is the message where somebody else has made that call.
"""
function answer(work, place::Ptr{Cvoid})
    try
        pinned(() -> work(kept_function(place)))
        return OK.value
    catch failure
        task_local_storage(FAILURE_KEY, failure)
        return say(failure)
    end
end

function say(failure)
    status = status_of(failure)
    status == OK.value && (status = ERROR_INVALID_ARGUMENT.value)
    code, text = code_and_text(failure)
    try
        Raw.netcl_last_error_set(status, code, replace(text, '\0' => ' '))
    catch
        # There is the status without a message then.
    end
    return status
end

code_and_text(failure::NetclError) = failure.native_code, failure.message
function code_and_text(failure)
    text = try
        sprint(showerror, failure)
    catch
        "the function threw a $(typeof(failure))"
    end
    return 0, text
end

"What the function threw that a call failed for, or what the library says."
function failure_of(status::Int32)
    problem = last_error(status)
    storage = task_local_storage()
    haskey(storage, FAILURE_KEY) || return problem
    failure = pop!(storage, FAILURE_KEY)
    return status_of(failure) in (status, OK.value) ? failure : problem
end

# ---- What they give ------------------------------------------------------------------------------

list_of(made::Union{Tuple,Vector}) = made
list_of(made) = (made,)

given_tensor(::Symbol, ::Nothing) = nothing
given_tensor(::Symbol, x::TensorLike) = tensor(x)
given_tensor(::Symbol, x::Recorded) = tensor(x.array)
given_tensor(name::Symbol, x) = invalid(
    "$name has a $(typeof(x)); a function gives arrays, tensors or nothing")

"Gives C a reference to each tensor that a function made."
function give_tensors(name::Symbol, made, place::Ptr{Ptr{Cvoid}}, count::Int)
    list = Any[given_tensor(name, x) for x in list_of(made)]
    length(list) <= count ||
        invalid("$name has $(length(list)) entries; $count are asked for")
    given = Any[x === nothing ? nothing : retain(x) for x in list]
    for (at, own) in enumerate(given)
        own === nothing && continue
        unsafe_store!(place, own.pointer, at)
        own.pointer = CLOSED
    end
    return nothing
end
