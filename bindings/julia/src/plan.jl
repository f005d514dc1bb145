# What is kept of a broadcast for the next one of the same form: its expression and where its inputs
# come from. The form is the tree's type and which of its arrays are the same.

const Tree = Broadcast.Broadcasted

# Trees are walked by code that is compiled once and not for each tree, so their parts are taken as they
# come.
function args_of(@nospecialize(tree::Tree))
    args = getfield(tree, :args)
    return Any[getfield(args, k) for k in 1:nfields(args)]
end
function_of(@nospecialize(tree::Tree)) = getfield(tree, :f)
# Types are inferred for each tree, too, unless its own is hidden.
hidden(@nospecialize(x)) = Ref{Any}(x)[]

struct Plan
    expression::Union{Nothing,Expression}  # nothing: it is one value everywhere
    type::DataType
    inputs::Vector{Input}
    value::Any
end

const PLANS = IdDict{Any,Any}()  # of a tree's type and form
const PLANS_LOCK = ReentrantLock()
const PLANS_MOST = 1024

# What other functions compute may depend on more than types: see settled.jl.
const LASTING = IdDict{Any,Nothing}()
for f in (+, -, *, /, min, max, rem, div, mod, &, |, xor, <<, >>, ==, !=, <, <=, >, >=, !, ~, abs,
          sign, floor, ceil, trunc, round, abs2, sqrt, inv, exp, exp2, expm1, log, log2, log10, log1p, sin,
          cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, isnan, isinf, isfinite,
          isequal, isless, iszero, isone, muladd, fma, clamp, ^, Base.literal_pow, ifelse, identity,
          float, zero, one, real, conj, convert, relu, square, rsqrt, sigmoid, silu, gelu, gelu_tanh,
          softplus, softsign, mish, erf, erfc, elu, leaky_relu, select, deg2rad, rad2deg, exp10, cbrt,
          sinpi, cospi, hypot, fld, cld, mod1, copysign, isapprox)
    LASTING[f] = nothing
end

is_known(@nospecialize(f)) = f isa DataType || haskey(LASTING, f)
function lasting(@nospecialize(tree::Tree))
    is_known(function_of(tree)) || return false
    for arg in args_of(tree)
        lasting(arg) || return false
    end
    return true
end
# What such an argument is says its type: a Val, a type, or the function of a power.
lasting(x::Ref) = x[] isa Number ? isconcretetype(eltype(x)) :
                  x[] isa Type && eltype(x) === Type{x[]} || Base.issingletontype(eltype(x))
lasting(x::AbstractArray{T,0}) where {T<:Number} = isconcretetype(T)
lasting(x::NetclArray{T,0}) where {T<:Number} = true
lasting(@nospecialize(x)) = true

"Which arrays are the same, as a number of four bits for each."
function alias_form(leaves)
    form = UInt64(0)
    for leaf in leaves
        leaf isa NetclArray && (form = form << 4 | first_place(leaves, leaf) % UInt64)
    end
    return form
end

"""
How a tree is computed, its arrays and numbers, and the world in which that holds: 0 for any, nothing
where it is not kept. There is no plan when the host has to compute it and may.
"""
function plan_of(@nospecialize(tree::Tree), device::Device)
    leaves = Any[]
    collect_leaves!(leaves, tree)
    has_host_list(leaves) && return plan_of(lifted(tree, device), device)
    length(leaves) <= 15 || return host_or_plan(tree, leaves), leaves, nothing
    # A tree of lasting functions is told by its type, so only those are found here.
    form = alias_form(leaves)
    key = (typeof(tree), form)
    lock(PLANS_LOCK)
    found = get(PLANS, key, nothing)::Union{Nothing,Plan}
    unlock(PLANS_LOCK)
    found === nothing || return found, leaves, UInt(0)
    if !lasting(tree)
        plan, world = settled_plan(tree, leaves, form)
        return plan, leaves, world
    end
    trace, plan = make_plan(tree, leaves)
    trace.lasting && plan.expression !== nothing || return plan, leaves, nothing
    lock(PLANS_LOCK)
    length(PLANS) >= PLANS_MOST && empty!(PLANS)
    PLANS[key] = plan
    unlock(PLANS_LOCK)
    return plan, leaves, UInt(0)
end

function make_plan(@nospecialize(tree::Tree), leaves)
    trace = Trace()
    node = trace_arg(trace, leaves, Ref(0), tree)
    if known(node)
        value = plain_number(node.value)
        plan = Plan(nothing, typeof(value), Input[], value)
    else
        plan = Plan(expression_create(node.text), type_of(node), trace.inputs, nothing)
    end
    functions = Any[]
    collect_functions!(functions, tree)
    isempty(functions) || detached(() -> check_plan(functions, tree, leaves, plan, node.text))
    return trace, plan
end

host_or_plan(@nospecialize(tree::Tree), leaves) = or_nothing(() -> make_plan(tree, leaves)[2])
function or_nothing(make)
    host_allowed() || return make()
    try
        return make()
    catch problem
        problem isa Unexpressible || rethrow()
        return nothing
    end
end
