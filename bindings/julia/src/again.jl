# A broadcast in place of a form that was computed before. What the library is called with goes straight
# into memory and nothing else is made: for a small array that would take longer than its work.

const LEAVES_MOST = 8
# netcl_expression_options and netcl_run_options, whose members keep their places; the leaves of the
# tree in order, which are handles of arrays and the bits of numbers; the inputs of the expression.
const RUN_AT, LEAVES_AT, INPUTS_AT = 16, 72, 72 + 8 * LEAVES_MOST
const CallMemory = StructMemory{div(INPUTS_AT, 8) + LEAVES_MOST}

"The numbers that a call had: the bits of each input, and the tensor that holds it."
mutable struct Numbers
    device::Ptr{Cvoid}
    bits::Vector{UInt64}
    places::Vector{Ptr{Cvoid}}  # NULL: the input is an array
    tensors::Vector{Tensor}     # what keeps them
end

"How trees of one type are called that have the same arrays among their leaves."
mutable struct Kept
    plan::Plan
    sources::Vector{Int}        # the leaf of each input; 0: a constant
    leaves::Vector{Any}         # types of numbers; NetclArray: an array
    type::DataType              # of the array that is written
    form::UInt64
    world::UInt                 # in which the plan holds; 0: any
    numbers::Numbers
end

# The table is replaced and not changed: nothing is made while the lock is held, so no finalizer runs
# then that broadcasts.
const AGAIN = Ref(IdDict{Any,Any}())
const AGAIN_LOCK = Base.Threads.SpinLock()
function replace_calls(table)
    lock(AGAIN_LOCK)
    AGAIN[] = table
    unlock(AGAIN_LOCK)
end
forget_calls() = replace_calls(IdDict{Any,Any}())

"Computes into `dest` as before; false where there is no before, or where it is of no use."
function again!(dest::NetclArray, tree::Tree)
    length(dest) == 0 && return false
    memory = CallMemory()
    GC.@preserve dest tree memory begin
        place = place_of(memory)
        put_leaf!(place + LEAVES_AT, 0, dest, tree) > 0 || return false
        return call_again(place, hidden(typeof(tree))::DataType, dest.tensor, dest.device,
                          hidden(typeof(dest))::DataType, enum(Dtype, eltype(dest)).value)
    end
end

# ---- Leaves, by code that is compiled for each tree ----------------------------------------------

# Gives the place of the next one, or -1 where there are too many, or one that does not fit or has to be
# copied first.
put_leaf!(place, at, dest, tree::Tree) = put_leaves!(place, at, dest, tree.args)
put_leaves!(place, at, dest, ::Tuple{}) = at
put_leaves!(place, at, dest, args::Tuple) =
    put_leaves!(place, put_leaf!(place, at, dest, args[1]), dest, Base.tail(args))
put_leaf!(place, at, dest, x::NetclArray) = !goes_into(x.dims, dest.dims) || overlaps(dest, x) ? -1 :
    put_word!(place, at, UInt64(UInt(raw(x))))
put_leaf!(place, at, dest, x::Storable) = put_word!(place, at, bits_of(x))
put_leaf!(place, at, dest, x::Base.RefValue{<:Storable}) = put_word!(place, at, bits_of(x[]))
put_leaf!(place, at, dest, x) = at
function put_word!(place, at, word::UInt64)
    0 <= at < LEAVES_MOST || return -1
    unsafe_store!(Ptr{UInt64}(place), word, at + 1)
    return at + 1
end

"Whether the leaves of a tree are those that `put_leaf!` puts, and its type says what its functions are."
function fits(@nospecialize(tree::Tree), rank)
    f = function_of(tree)
    f isa DataType || Base.issingletontype(typeof(f)) || return false
    for x in args_of(tree)
        fits(x, rank) || return false
    end
    return true
end
fits(@nospecialize(x::NetclArray), rank) = ndims(x) in (0, rank)
fits(x::Union{Storable,Base.RefValue{<:Storable}}, rank) = true
fits(x::Ref, rank) = !(x[] isa Number)
fits(@nospecialize(x), rank) = false

# ---- Calls, by code that is compiled once --------------------------------------------------------

"Which arrays are the same, as `alias_form` tells it."
function form_of(kept::Kept, leaves::Ptr{UInt64})
    form = UInt64(0)
    for k in 1:length(kept.leaves)
        kept.leaves[k] === NetclArray || continue
        at, word = 1, unsafe_load(leaves, k)
        while kept.leaves[at] !== NetclArray || unsafe_load(leaves, at) != word
            at += 1
        end
        form = form << 4 | UInt64(at)
    end
    return form
end

function find_call(@nospecialize(tree::DataType), @nospecialize(type::DataType), leaves::Ptr{UInt64})
    found = get(AGAIN[], tree, nothing)::Union{Nothing,Vector{Kept}}
    found === nothing && return nothing
    form = form_of(found[1], leaves)
    for kept in found
        kept.type === type && kept.form == form && (kept.world == 0 || kept.world == task_world() == world_age()) &&
            return kept
    end
    return nothing
end

@noinline function call_again(place::Ptr{UInt8}, @nospecialize(tree::DataType), into::Tensor,
                              device::Device, @nospecialize(type::DataType), dtype::Int32)
    surroundings() === nothing || return false
    leaves = Ptr{UInt64}(place + LEAVES_AT)
    lock(AGAIN_LOCK)
    kept = find_call(tree, type, leaves)
    numbers = kept === nothing ? nothing : kept.numbers
    unlock(AGAIN_LOCK)
    kept === nothing && return false
    has_numbers(numbers, kept, device, leaves) || (numbers = renew_numbers(kept, device, leaves))
    sources, inputs = kept.sources, Ptr{Ptr{Cvoid}}(place + INPUTS_AT)
    for k in 1:length(sources)
        number = numbers.places[k]
        unsafe_store!(inputs, number == C_NULL ? Ptr{Cvoid}(unsafe_load(leaves, sources[k])) : number, k)
    end
    clear_bytes(place, LEAVES_AT)
    unsafe_store!(Ptr{Csize_t}(place), RUN_AT)
    unsafe_store!(Ptr{Int32}(place + 8), dtype)
    unsafe_store!(Ptr{Csize_t}(place + RUN_AT), LEAVES_AT - RUN_AT)
    unsafe_store!(Ptr{Ptr{Cvoid}}(place + RUN_AT + 16), raw(into))
    GC.@preserve numbers @checked Raw.netcl_op_expression(
        kept.plan.expression::Expression, inputs, length(sources), place, place + RUN_AT, C_NULL)
    return true
end

function has_numbers(numbers::Numbers, kept::Kept, device::Device, leaves::Ptr{UInt64})
    numbers.device == device.pointer || return false
    for k in 1:length(kept.sources)
        source = kept.sources[k]
        numbers.places[k] == C_NULL || source == 0 ||
            unsafe_load(leaves, source) == numbers.bits[k] || return false
    end
    return true
end

@noinline function renew_numbers(kept::Kept, device::Device, leaves::Ptr{UInt64})
    made = Numbers(device.pointer, UInt64[], Ptr{Cvoid}[], Tensor[])
    for input in kept.plan.inputs
        word = input.leaf == 0 ? UInt64(0) : unsafe_load(leaves, input.leaf)
        push!(made.bits, word)
        if input.leaf != 0 && kept.leaves[input.leaf] === NetclArray
            push!(made.places, C_NULL)
        else
            number = input.leaf == 0 ? input.value : of_bits(kept.leaves[input.leaf], word)
            push!(made.tensors, number_input(device, input, number))
            push!(made.places, made.tensors[end].pointer)
        end
    end
    lock(AGAIN_LOCK)
    kept.numbers = made
    unlock(AGAIN_LOCK)
    return made
end

of_bits(::Type{Bool}, word::UInt64) = word != 0
of_bits(::Type{T}, word::UInt64) where {T} = sizeof(T) == 8 ? reinterpret(T, word) :
    sizeof(T) == 4 ? reinterpret(T, word % UInt32) : sizeof(T) == 2 ? reinterpret(T, word % UInt16) :
    reinterpret(T, word % UInt8)

"Keeps how a tree is computed, if `again!` can do it; `world` is that for which the plan holds."
function keep_call(@nospecialize(dest::NetclArray), @nospecialize(tree::Tree), plan::Plan, leaves,
                   world::UInt)
    surroundings() === nothing && fits(tree, ndims(dest)) || return false
    length(leaves) <= LEAVES_MOST && length(plan.inputs) <= LEAVES_MOST || return false
    made = Kept(plan, Int[input.leaf for input in plan.inputs],
                Any[x isa NetclArray ? NetclArray : typeof(x) for x in leaves], typeof(dest),
                alias_form(leaves), world, Numbers(C_NULL, UInt64[], Ptr{Cvoid}[], Tensor[]))
    lock(PLANS_LOCK)
    table = length(AGAIN[]) < PLANS_MOST ? copy(AGAIN[]) : IdDict{Any,Any}()
    calls = Kept[made]
    for other in get(table, typeof(tree), ())
        # One of the same form is for another world, and of no more use.
        other.type === made.type && other.form == made.form || push!(calls, other)
    end
    table[typeof(tree)] = calls
    replace_calls(table)
    unlock(PLANS_LOCK)
    return true
end
