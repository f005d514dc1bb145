# Broadcasting: a tree of dots becomes one expression, which is one kernel.

struct NetclStyle{N} <: Broadcast.AbstractArrayStyle{N} end
NetclStyle(::Val{N}) where {N} = NetclStyle{N}()
NetclStyle{M}(::Val{N}) where {M,N} = NetclStyle{N}()
Broadcast.BroadcastStyle(::Type{<:NetclArray{T,N}}) where {T,N} = NetclStyle{N}()
Broadcast.BroadcastStyle(::NetclStyle{0}, ::Broadcast.Style{Tuple}) = NetclStyle{1}()

# Specialised code for each tree would have to be compiled for each; walking it takes no time.
# `leaves` are the arrays and numbers of the tree in order, of which `at` counts those seen.
function trace_arg(trace, leaves, at, @nospecialize(tree::Tree))
    return trace_call(trace, tree.f, Any[trace_arg(trace, leaves, at, arg) for arg in tree.args])
end
function trace_arg(trace, leaves, at, x::NetclArray)
    at[] += 1
    # An array that is there twice is one input.
    return array_node(trace, x, first_place(leaves, x))
end
trace_arg(trace, leaves, at, x::Number) = number_node(trace, x, at[] += 1)
trace_arg(trace, leaves, at, x::Ref) = x[] isa Number ? number_node(trace, x[], at[] += 1) : x[]
trace_arg(trace, leaves, at, x::AbstractArray{<:Number,0}) = number_node(trace, x[], at[] += 1)
trace_arg(trace, leaves, at, x) = unfit(x)
unfit(x) = throw(ArgumentError("a broadcast over a NetclArray takes no $(typeof(x))"))

# Arrays of the host, ranges and tuples of numbers go to the device first.
const HostList = Union{AbstractArray,Tuple}
function has_host_list(leaves)
    for x in leaves
        x isa NetclArray || x isa Number || x isa HostList && return true
    end
    return false
end

lifted(@nospecialize(tree::Tree), device) = Broadcast.Broadcasted{typeof(tree).parameters[1]}(
    tree.f, map(arg -> lifted(arg, device), tree.args), tree.axes)
lifted(x::NetclArray, device) = x
lifted(x::AbstractArray{<:Number,0}, device) = x
lifted(x::AbstractArray{<:Storable}, device) = from_host(convert(Array, x), device)
lifted(x::AbstractArray{<:Union{Irrational,Rational}}, device) = from_host(Float64.(x), device)
lifted(x::Tuple{Vararg{Real}}, device) = lifted([x...], device)
lifted(x::AbstractArray{Real}, device) = lifted(map(identity, x), device)
lifted(x::HostList, device) = throw(ArgumentError(
    "a broadcast over a NetclArray takes no $(typeof(x)): arrays on devices hold numbers of " *
    join((row[2] for row in ELEMENTS), ", ")))
lifted(x, device) = x

collect_leaves!(leaves, @nospecialize(tree::Tree)) =
    foreach(arg -> collect_leaves!(leaves, arg), tree.args)
collect_leaves!(leaves, x::NetclArray) = push!(leaves, x)
collect_leaves!(leaves, x::Number) = push!(leaves, x)
collect_leaves!(leaves, x::Ref) = x[] isa Number && push!(leaves, x[])
collect_leaves!(leaves, x::AbstractArray{<:Number,0}) = push!(leaves, x[])
collect_leaves!(leaves, x::HostList) = push!(leaves, x)
collect_leaves!(leaves, x) = unfit(x)

function first_place(leaves, x::NetclArray)
    for (at, leaf) in enumerate(leaves)
        leaf isa NetclArray && leaf.tensor == x.tensor && return at
    end
    return 0
end

function trace_call(trace, @nospecialize(f), args::Vector{Any})
    any(x -> x isa Node, args) || return f(args...)
    f === ifelse && return choose(trace, args...)
    check_method(f, args)
    result = try
        f(args...)
    catch problem
        asks_for_not(problem) ? with_not(f, args) : refuse(f, problem)
    end
    result isa Node && return result
    result isa Number && return number_node(trace, result)
    throw(ArgumentError("$f gives a $(typeof(result)), which no NetclArray can hold"))
end

asks_for_not(problem) = problem isa MethodError && problem.f === (!) &&
                        length(problem.args) == 1 && problem.args[1] isa Node{Bool}
function with_not(f, args)
    define_not()
    try
        return Base.invokelatest(f, args...)
    catch problem
        refuse(f, problem)
    end
end

choose(trace, condition, x, y) = select(condition isa Node ? condition :
                                        number_node(trace, condition), x, y)

"What a kernel cannot compute."
struct Unexpressible <: Exception
    message::String
end
Base.showerror(io::IO, e::Unexpressible) = print(io, e.message)

const HOST_HINT = "; Netcl.allowhost() do ... end computes it on the host"

function refuse(f, problem)
    if problem isa MethodError && any(x -> x isa Node || x isa Type{<:Node}, problem.args)
        foreach(x -> x isa Union{AbstractString,AbstractChar,Symbol,Missing,Nothing} && unfit(x),
                problem.args)
        inner = problem.f === f ? "" : ", which $f calls,"
        throw(Unexpressible("$(problem.f)$inner cannot be computed on the device: it is no part " *
                            "of expressions$HOST_HINT"))
    end
    if problem isa TypeError && problem.got isa Node
        throw(Unexpressible("$f decides by the value of an element, which no kernel can; use " *
                            "Netcl.select(condition, x, y)$HOST_HINT"))
    end
    # Julia's own functions for any number end so when they know nothing of this one.
    if problem isa StackOverflowError ||
       problem isa ErrorException && occursin("Netcl.Node", problem.msg)
        throw(Unexpressible("$f cannot be computed on the device: it calls something that is no " *
                            "part of expressions$HOST_HINT"))
    end
    rethrow()
end

const HOST_KEY = :netcl_allow_host

"""
    Netcl.allowhost() do ... end

Lets the task broadcast functions that the device cannot compute: the arrays go to the host, and
the result comes back.
"""
allowhost(work) = task_local_storage(work, HOST_KEY, true)
host_allowed() = get(task_local_storage(), HOST_KEY, false) === true

on_host(tree::Tree) = Broadcast.broadcasted(tree.f, map(on_host, tree.args)...)
on_host(x::NetclArray) = Array(x)
on_host(x) = x

first_array(x::NetclArray) = x
first_array(x) = nothing
function first_array(@nospecialize(tree::Tree))
    for arg in tree.args
        found = first_array(arg)
        found === nothing || return found
    end
    return nothing
end

# What is compiled for each tree is little.
Base.copy(tree::Tree{NetclStyle{N}}) where {N} = computed(tree, map(length, axes(tree)))::NetclArray
@noinline function computed(@nospecialize(tree::Tree), dims::Dims)
    device = first_array(tree).device
    plan, leaves = plan_of(tree, device)
    plan === nothing && return NetclArray(Broadcast.materialize(on_host(tree)); device = device)
    plan.expression === nothing && return filled(device, plan.type, dims, plan.value)
    return run_plan!(NetclArray{plan.type}(undef, dims; device = device), plan, leaves)
end

function Base.copyto!(dest::NetclArray, tree::Tree{<:NetclStyle})
    axes(dest) == axes(tree) || refuse_axes(axes(dest), axes(tree))
    again!(dest, tree) || compute!(dest, tree)
    return dest
end
@noinline refuse_axes(@nospecialize(array), @nospecialize(tree)) = throw(DimensionMismatch(
    "the array has axes $array, the broadcast $tree"))

@noinline function compute!(@nospecialize(dest::NetclArray), @nospecialize(tree::Tree))
    T = eltype(dest)
    plan, leaves, world = plan_of(tree, dest.device)
    plan === nothing &&
        return copyto!(dest, convert(Array{T}, Broadcast.materialize(on_host(tree))))
    plan.expression === nothing && return fill!(dest, plan.value)
    T <: Integer && plan.type <: AbstractFloat && throw(ArgumentError(
        "elements of $(plan.type) do not go into an array of $T as they are; use " *
        "trunc.($T, ...), round.($T, ...) or such"))
    if any(x -> x isa NetclArray && overlaps(dest, x), leaves)
        made = NetclArray{T}(undef, size(dest); device = dest.device)
        return copyto!(dest, run_plan!(made, plan, leaves))
    end
    world !== nothing && keep_call(dest, tree, plan, leaves, world) && again!(dest, tree) && return dest
    return run_plan!(dest, plan, leaves)
end
Base.copyto!(dest::AbstractArray, tree::Tree{<:NetclStyle}) = copyto!(dest, copy(tree))

# y .= what is on the host is computed there, and only what differs goes over.
const HostStyle = Union{Broadcast.DefaultArrayStyle,Broadcast.Style{Tuple}}
Base.copyto!(dest::NetclArray, tree::Tree{<:HostStyle}) = copy_from_host!(dest, tree)
function Base.copyto!(dest::NetclArray{T}, tree::Tree{<:Broadcast.DefaultArrayStyle{0}}) where {T}
    tree.f === identity && tree.args[1] isa Number && return fill!(dest, tree.args[1])
    # Base calls the function for each element, which may give another one each time.
    return copyto!(dest, copyto!(Array{T}(undef, size(dest)), tree))
end
function copy_from_host!(dest::NetclArray{T}, tree) where {T}
    made = Broadcast.materialize(Broadcast.broadcasted(tree.f, tree.args...))
    here = convert(Array{T}, made isa Tuple ? [made...] : made)
    size(here) == size(dest) && recording_graph() === nothing && return copyto!(dest, here)
    dest .= from_host(here, dest.device)
    return dest
end

"Whether writing one array could change another that is read in other places."
overlaps(dest, x) = shares_memory(dest, x) &&
    !(dest.offset == x.offset && dest.dims == x.dims && dest.strides == x.strides)

# The library walks memory in the order of the output's strides, so column-major arrays go in as they
# are, and packed ones are one run of elements.
function run_plan!(dest::NetclArray{T,N}, plan::Plan, leaves) where {T,N}
    length(dest) == 0 && return dest
    inputs = Vector{Any}(undef, length(plan.inputs))
    for (k, input) in enumerate(plan.inputs)
        leaf = input.leaf == 0 ? input.value : leaves[input.leaf]
        inputs[k] = leaf isa NetclArray{T,N} ? leaf.tensor :
                    leaf isa NetclArray ? as_input(dest, leaf) : number_input(dest.device, input, leaf)
    end
    op_expression(plan.expression, inputs; into = dest.tensor, dtype = enum(Dtype, T))
    return dest
end

# In Julia a vector is a column; the library lines the last dimensions up.
as_input(dest::NetclArray{T,N}, x::NetclArray{S,M}) where {T,N,S,M} =
    M == 0 || M == N ? x.tensor : pad_rank(x, N).tensor

# The common types first, without a dispatch: this is a good part of a small broadcast's time.
function number_input(device::Device, input::Input, leaf)
    leaf isa Float32 && as_it_is(input, leaf) && return number_tensor(device, leaf)
    leaf isa Float64 && as_it_is(input, leaf) && return number_tensor(device, leaf)
    input.leaf == 0 || (leaf = input.rule(input.type, leaf))
    return number_tensor(device, leaf)
end
as_it_is(input::Input, leaf) = input.leaf == 0 || input.rule === convert && input.type === typeof(leaf)

# ---- Numbers on the device -----------------------------------------------------------------------

# A number that is broadcast again and again is sent once. Each has a few bytes of memory.
const NUMBERS = Dict{Tuple{Ptr{Cvoid},DataType,UInt64},Tensor}()
const NUMBERS_LOCK = ReentrantLock()
const NUMBERS_MOST = 256

function number_tensor(device::Device, x::T) where {T<:Number}
    # Not x itself: -0.0 and 0.0 are the same key, and so are 1 and true.
    key = (device.pointer, T, bits_of(x))::Tuple{Ptr{Cvoid},DataType,UInt64}
    lock(NUMBERS_LOCK)
    try
        found = get(NUMBERS, key, nothing)
        found === nothing || return found
        length(NUMBERS) >= NUMBERS_MOST && empty!(NUMBERS)
        return NUMBERS[key] = tensor_create_full(device, T, (), x)
    finally
        unlock(NUMBERS_LOCK)
    end
end
bits_of(x::Bool) = UInt64(x)
bits_of(x) = sizeof(x) == 8 ? reinterpret(UInt64, x) : sizeof(x) == 4 ?
    UInt64(reinterpret(UInt32, x)) : sizeof(x) == 2 ? UInt64(reinterpret(UInt16, x)) :
    UInt64(reinterpret(UInt8, x))

"Gives back the numbers and expressions that are kept for broadcasts."
function empty_cache()
    lock(() -> empty!(NUMBERS), NUMBERS_LOCK)
    lock(PLANS_LOCK) do
        empty!(PLANS)
        empty!(SETTLED)
        empty!(SOUND)
        forget_calls()
        PROBE_DEVICE[] === nothing || close(PROBE_DEVICE[])
    end
    return nothing
end

function Base.map(f, x::NetclArray, rest::AbstractArray...)
    all(y -> size(y) == size(x), rest) ||
        throw(DimensionMismatch("map needs arrays of one size; broadcasting takes others"))
    return broadcast(f, x, rest...)
end
function Base.map!(f, dest::NetclArray, x::AbstractArray, rest::AbstractArray...)
    all(y -> size(y) == size(dest), (x, rest...)) ||
        throw(DimensionMismatch("map! needs arrays of one size; broadcasting takes others"))
    dest .= f.(x, rest...)
    return dest
end

Base.clamp!(x::NetclArray, low, high) = (x .= clamp.(x, low, high); x)
# The type of the result is that of Base, which holds all new values.
Base.replace(x::NetclArray{T}, pairs::Pair...) where {T} =
    replaced(x, promote_type(T, map(pair -> typeof(pair[2]), pairs)...), pairs)
Base.replace!(x::NetclArray{T}, pairs::Pair...) where {T} = copyto!(x, replaced(x, T, pairs))
# Of several pairs that fit an element the first one counts.
function replaced(x::NetclArray, ::Type{R}, pairs) where {R}
    made = same_type(x, R)
    for (old, new) in reverse(pairs)
        made = ifelse.(isequal.(x, old), convert(R, new), made)
    end
    return made === x ? copy(x) : made
end

"""
    Netcl.expression(text, x...)

An expression of the library over arrays, broadcast as in Julia: `expression("relu(v0 + v1)", x, y)`.
With a tuple or a vector of texts all of them are worked out by one kernel, which gives a tuple of
arrays: `s, c = expression(("sin(v0)", "cos(v0)"), x)`.
"""
expression(text::AbstractString, x::NetclArray, rest::NetclArray...) =
    op_expression_text(text, of_one_rank(x, rest...))
expression(texts::Union{Tuple,AbstractVector}, x::NetclArray, rest::NetclArray...) =
    op_expressions(texts, of_one_rank(x, rest...))

function of_one_rank(arrays::NetclArray...)
    rank = maximum(map(ndims, arrays))
    return map(a -> ndims(a) == 0 ? a : pad_rank(a, rank), arrays)
end
