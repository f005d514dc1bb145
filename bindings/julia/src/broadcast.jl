# Broadcasting: a tree of dots becomes one expression, which is one kernel.

struct NetclStyle{N} <: Broadcast.AbstractArrayStyle{N} end
NetclStyle(::Val{N}) where {N} = NetclStyle{N}()
NetclStyle{M}(::Val{N}) where {M,N} = NetclStyle{N}()
Broadcast.BroadcastStyle(::Type{<:NetclArray{T,N}}) where {T,N} = NetclStyle{N}()
Broadcast.BroadcastStyle(::NetclStyle{0}, ::Broadcast.Style{Tuple}) = NetclStyle{1}()

# Specialised code for each tree would have to be compiled for each; walking it takes no time.
# `leaves` are the arrays and numbers of the tree in order, of which `at` counts those seen.
function trace_arg(trace, leaves, at, @nospecialize(tree::Tree))
    args = args_of(tree)
    for k in 1:length(args)
        args[k] = trace_arg(trace, leaves, at, args[k])
    end
    return trace_call(trace, function_of(tree), args)
end
function trace_arg(trace, leaves, at, @nospecialize(x::NetclArray))
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

function collect_leaves!(leaves, @nospecialize(tree::Tree))
    for arg in args_of(tree)
        collect_leaves!(leaves, arg)
    end
end
collect_leaves!(leaves, @nospecialize(x::NetclArray)) = push!(leaves, x)
collect_leaves!(leaves, @nospecialize(x::Number)) = push!(leaves, x)
collect_leaves!(leaves, x::Ref) = x[] isa Number && push!(leaves, x[])
collect_leaves!(leaves, x::AbstractArray{<:Number,0}) = push!(leaves, x[])
collect_leaves!(leaves, x::HostList) = push!(leaves, x)
collect_leaves!(leaves, x) = unfit(x)

function first_place(leaves, @nospecialize(x::NetclArray))
    for at in 1:length(leaves)
        leaf = leaves[at]
        leaf isa NetclArray && leaf.tensor == x.tensor && return at
    end
    return 0
end

function trace_call(trace, @nospecialize(f), args::Vector{Any})
    has_node(args) || return f(args...)
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

function has_node(args::Vector{Any})
    for x in args
        x isa Node && return true
    end
    return false
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

first_array(@nospecialize(x::NetclArray)) = x
first_array(@nospecialize(x)) = nothing
function first_array(@nospecialize(tree::Tree))
    for arg in args_of(tree)
        found = first_array(arg)
        found === nothing || return found
    end
    return nothing
end

# What is compiled for each tree is little: these take the place of what Base compiles for each.
Broadcast.materialize(tree::Tree{<:NetclStyle}) = computed(hidden(tree)::Tree)::NetclArray
Base.copy(tree::Tree{<:NetclStyle}) = computed(hidden(tree)::Tree)::NetclArray
function Broadcast.materialize!(dest::NetclArray, tree::Tree{<:NetclStyle})
    again!(dest, tree) || compute!(hidden(dest)::NetclArray, hidden(tree)::Tree)
    return dest
end
function Base.copyto!(dest::NetclArray, tree::Tree{<:NetclStyle})
    axes(dest) == axes(tree) || throw(DimensionMismatch(
        "the array has axes $(axes(dest)), the broadcast $(axes(tree))"))
    return Broadcast.materialize!(dest, tree)
end

@noinline function computed(@nospecialize(tree::Tree))
    device = first_array(tree).device
    plan, leaves = plan_of(tree, device)
    plan === nothing && return NetclArray(Broadcast.materialize(on_host(tree)); device = device)
    dims = dims_of(tree, leaves)
    plan.expression === nothing && return filled(device, plan.type, dims, plan.value)
    return run_plan!(undefined(device, plan.type, dims), plan, leaves)
end

@noinline function compute!(@nospecialize(dest::NetclArray), @nospecialize(tree::Tree))
    T = eltype(dest)
    plan, leaves, world = plan_of(tree, dest.device)
    plan === nothing && return copy_from_host!(
        dest, Broadcast.broadcasted(identity, Broadcast.materialize(on_host(tree))))
    all_go_into(dest.dims, leaves) || into_axes(axes(dest), tree)
    plan.expression === nothing && return fill!(dest, plan.value)
    T <: Integer && plan.type <: AbstractFloat && throw(ArgumentError(
        "elements of $(plan.type) do not go into an array of $T as they are; use " *
        "trunc.($T, ...), round.($T, ...) or such"))
    if any_overlaps(dest, leaves)
        made = undefined(dest.device, T, dest.dims)
        return copyto!(dest, run_plan!(made, plan, leaves))
    end
    world !== nothing && keep_call(dest, tree, plan, leaves, world) && again!(dest, tree) && return dest
    return run_plan!(dest, plan, leaves)
end

# Base says which dimensions differ.
into_axes(axes, @nospecialize(tree::Tree)) = Broadcast.instantiate(
    Broadcast.Broadcasted{typeof(tree).parameters[1]}(tree.f, tree.args, axes))
function dims_of(@nospecialize(tree::Tree), leaves)
    dims = Int[]
    for x in leaves, k in 1:(x isa NetclArray ? ndims(x) : 0)
        extent = x.dims[k]
        k > length(dims) ? push!(dims, extent) : dims[k] == 1 ? (dims[k] = extent) : nothing
    end
    getfield(tree, :axes) === nothing && all_go_into(Tuple(dims), leaves) && return Tuple(dims)
    return map(length, axes(Broadcast.instantiate(tree)))
end
function all_go_into(dims::Dims, leaves)
    for x in leaves
        x isa NetclArray && (goes_into(x.dims, dims) || return false)
    end
    return true
end
function goes_into(dims::Dims, wanted::Dims)
    length(dims) <= length(wanted) || return false
    for k in 1:length(dims)
        dims[k] == 1 || dims[k] == wanted[k] || return false
    end
    return true
end
function any_overlaps(@nospecialize(dest::NetclArray), leaves)
    for x in leaves
        x isa NetclArray && overlaps(dest, x) && return true
    end
    return false
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
overlaps(dest, x) = shares_memory(dest, x) && differs(dest, x)
@noinline differs(@nospecialize(dest::NetclArray), @nospecialize(x::NetclArray)) =
    !(dest.offset == x.offset && dest.dims == x.dims && dest.strides == x.strides)

# The library walks memory in the order of the output's strides, so column-major arrays go in as they
# are, and packed ones are one run of elements.
function run_plan!(@nospecialize(dest::NetclArray), plan::Plan, leaves)
    length(dest) == 0 && return dest
    inputs = Vector{Any}(undef, length(plan.inputs))
    for k in 1:length(inputs)
        input = plan.inputs[k]
        leaf = input.leaf == 0 ? input.value : leaves[input.leaf]
        inputs[k] = leaf isa NetclArray ? as_input(ndims(dest), leaf) :
                    number_input(dest.device, input, leaf)
    end
    op_expression(plan.expression, inputs; into = dest.tensor, dtype = enum(Dtype, eltype(dest)))
    return dest
end

# In Julia a vector is a column; the library lines the last dimensions up.
as_input(rank::Int, @nospecialize(x::NetclArray)) =
    ndims(x) in (0, rank) ? x.tensor : pad_rank(x, rank).tensor

# The common types first, without a dispatch: this is a good part of a small broadcast's time.
function number_input(device::Device, input::Input, @nospecialize(leaf))
    leaf isa Float32 && as_it_is(input, leaf) && return number_tensor(device, leaf)
    leaf isa Float64 && as_it_is(input, leaf) && return number_tensor(device, leaf)
    input.leaf == 0 || (leaf = input.rule(input.type, leaf))
    return number_tensor(device, leaf)
end
as_it_is(input::Input, leaf) = input.leaf == 0 || input.rule === convert && input.type === typeof(leaf)

# ---- Numbers on the device -----------------------------------------------------------------------

# A number that is broadcast again and again is sent once. Each has a few bytes of memory.
const NUMBERS = IdDict{Any,Any}()
const NUMBERS_LOCK = ReentrantLock()
const NUMBERS_MOST = 256

function number_tensor(device::Device, x::T) where {T<:Number}
    # Keys are told by their bits and types, as -0.0 and 0.0 are, and 1 and true.
    key = (device.pointer, x)
    lock(NUMBERS_LOCK)
    try
        found = get(NUMBERS, key, nothing)::Union{Nothing,Tensor}
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
