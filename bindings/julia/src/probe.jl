# Whether an expression is what a function of the user computes. The function was called with nodes,
# and may do something else with them than with numbers: by methods for a type, by `isa`, `===`, hash
# or try, by random numbers. Methods are looked at, and a new expression is compared with the
# function for a few values, on the built-in device, before it is used.

values_of(::Type{Bool}) = [true, false, false, true, true, false, true, true]
values_of(::Type{T}) where {T<:Unsigned} = T[1, 2, 3, 5, 7, 0, 9, 4]
values_of(::Type{T}) where {T<:Signed} = T[1, -2, 3, -5, 7, 0, -1, 4]
values_of(::Type{T}) where {T<:AbstractFloat} = T[0.75, -1.25, 2.5, -3.5, 1.0, 0.0, -0.5, 7.0]
const PROBES = 8
"The values that the array at a place of the tree has; each begins with another one."
probes_of(::NetclArray{T}, place) where {T} = circshift(values_of(T), 3 * (1 - place))

const SOUND = Dict{Any,Nothing}()
const PROBE_DEVICE = Ref{Union{Nothing,Device}}(nothing)

"Throws when the plan gives something else than the functions of the tree."
function check_plan(functions, @nospecialize(tree::Tree), leaves, plan::Plan, text)
    # What a function captures can make it another one; its number says so unless it may change.
    fixed = all(f -> isbits(f) || Base.issingletontype(typeof(f)), functions)
    key = (typeof(tree), map(objectid, functions), text, plan.value, alias_form(leaves))
    fixed && lock(() -> haskey(SOUND, key), PLANS_LOCK) && return nothing
    made = plan.expression === nothing ? Base.fill(plan.value, PROBES) :
           lock(() -> run_probes(plan, leaves), PLANS_LOCK)
    expected = Any[host_value(tree, leaves, Ref(0), k) for k in 1:PROBES]
    compare_probes(functions, leaves, made, expected)
    fixed && lock(PLANS_LOCK) do
        length(SOUND) >= PLANS_MOST && empty!(SOUND)
        SOUND[key] = nothing
    end
    return nothing
end

collect_functions!(functions, @nospecialize(x)) = nothing
function collect_functions!(functions, @nospecialize(tree::Tree))
    f = function_of(tree)
    is_known(f) || push!(functions, f)
    for arg in args_of(tree)
        collect_functions!(functions, arg)
    end
end

function run_probes(plan::Plan, leaves)
    device = PROBE_DEVICE[]
    if device === nothing || !isopen(device)
        device = PROBE_DEVICE[] = device_open("builtin")
    end
    inputs = map(plan.inputs) do input
        leaf = input.leaf == 0 ? input.value : leaves[input.leaf]
        values = leaf isa NetclArray ? probes_of(leaf, input.leaf) :
                 Base.fill(input.leaf == 0 ? leaf : input.rule(input.type, leaf), PROBES)
        tensor_create_from_host(device, input.type, (PROBES,), convert(Vector{input.type}, values))
    end
    isempty(inputs) && return Base.fill(nothing, PROBES)
    result = op_expression(plan.expression, inputs; dtype = enum(Dtype, plan.type))
    made = Vector{plan.type}(undef, PROBES)
    tensor_read(result, made)
    foreach(close, inputs)
    close(result)
    return tidy(made)
end

"What Julia gives for the k-th values; nothing where it throws, for then no kernel can do the same."
function host_value(@nospecialize(tree::Tree), leaves, at, k)
    args = Any[host_value(arg, leaves, at, k) for arg in tree.args]
    any(isequal(nothing), args) && return nothing
    try
        return tree.f(args...)
    catch
        return nothing
    end
end
function host_value(x::NetclArray, leaves, at, k)
    at[] += 1
    return probes_of(x, first_place(leaves, x))[k]
end
host_value(x::Number, leaves, at, k) = (at[] += 1; x)
host_value(x::AbstractArray{<:Number,0}, leaves, at, k) = (at[] += 1; x[])
host_value(x::Ref, leaves, at, k) = (x[] isa Number && (at[] += 1); x[])
host_value(x, leaves, at, k) = x

function compare_probes(functions, leaves, made, expected)
    numbers = Float64[abs(Float64(x)) for x in expected if x isa Real && isfinite(x)]
    largest = isempty(numbers) ? 0.0 : maximum(numbers)
    for k in 1:PROBES
        x, y = made[k], expected[k]
        y === nothing || x === nothing || agrees(x, y, largest) && continue
        y === nothing && continue
        given = join((probes_of(leaf, at)[k] for (at, leaf) in enumerate(leaves)
                      if leaf isa NetclArray && first_place(leaves, leaf) == at), ", ")
        throw(Unexpressible(
            "$(join(functions, ", ")) gives $y for $given, but the expression that was made by " *
            "calling it with symbols gives $x: what it does depends on the type of its argument, " *
            "or on something else than arithmetic$HOST_HINT"))
    end
end

agrees(x::AbstractFloat, y::Real, largest) = isequal(x, y) || isnan(x) && isnan(y) ||
    abs(Float64(x) - Float64(y)) <= sqrt(Float64(eps_of(typeof(x)))) * largest +
                                    16 * Float64(eps_of(typeof(x)))
agrees(x, y, largest) = x == y
eps_of(::Type{BFloat16}) = 0.0078125
eps_of(::Type{T}) where {T} = eps(T)

"""
Refuses a function with a method for the type of the elements that a call with nodes does not take:
nothing else would say so, since another one fits the nodes.
"""
function check_method(@nospecialize(f), args::Vector{Any})
    (f isa DataType || haskey(LASTING, f)) && return nothing
    symbols = Tuple{map(Core.Typeof, args)...}
    numbers = Tuple{map(x -> x isa Node ? type_of(x) : Core.Typeof(x), args)...}
    hasmethod(f, symbols) && hasmethod(f, numbers) || return nothing
    taken, right = which(f, symbols), which(f, numbers)
    taken === right || taken.module === @__MODULE__() || throw(Unexpressible(
        "$f has a method for $(join(numbers.parameters, ", ")), at " *
        "$(basename(string(right.file))):$(right.line), that cannot be computed on the device: it " *
        "is no part of expressions$HOST_HINT"))
    return nothing
end
