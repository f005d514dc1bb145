# Plans of functions of the user. One is kept where nothing but the methods says what the function does,
# and until the next method is defined anywhere (the world age): its code, and that of all it calls, has
# no name that can be given another value, no constant that can change, nothing of C, no exceptions, and
# no call of what is not known beforehand. Any other function is called with symbols each time.

const SETTLED = Dict{Any,Plan}()

world_age() = ccall(:jl_get_world_counter, UInt, ())
# Of the running task; it is older where methods were defined since the task was entered.
task_world() = ccall(:jl_get_tls_world_age, UInt, ())

"The plan of a tree, and the world in which it is kept, or nothing where it is not."
function settled_plan(@nospecialize(tree::Tree), leaves, form::UInt64)
    functions, world = Any[], world_age()
    all_lasting(tree, functions) && task_world() == world ||
        return host_or_plan(tree, leaves), nothing
    # What a function captures is part of it, and of the key.
    key = (typeof(tree), form, world, Tuple(functions))
    found = lock(() -> get(SETTLED, key, nothing), PLANS_LOCK)
    found === nothing || return found, world
    made = or_nothing(() -> make_plan(tree, leaves))
    made === nothing && return nothing, nothing
    trace, plan = made
    trace.lasting && plan.expression !== nothing && all(is_settled, functions) || return plan, nothing
    lock(PLANS_LOCK) do
        length(SETTLED) >= PLANS_MOST && empty!(SETTLED)
        SETTLED[key] = plan
    end
    return plan, world
end

"Whether a tree holds nothing that changes but functions, which are collected."
function all_lasting(@nospecialize(tree::Tree), functions)
    f = function_of(tree)
    is_known(f) || collect_settled!(functions, f) || return false
    for arg in args_of(tree)
        all_lasting(arg, functions) || return false
    end
    return true
end
all_lasting(@nospecialize(x), functions) = lasting(x)
function collect_settled!(functions, @nospecialize(f))
    f isa Function && (isbits(f) || Base.issingletontype(typeof(f))) || return false
    push!(functions, f)
    return true
end

# ---- What a function's code says -----------------------------------------------------------------

const FEW_METHODS = 8
const PLAIN_STATEMENTS = (:call, :(=), :return, :gotoifnot, :meta, :static_parameter, :inbounds,
                          :boundscheck, :loopinfo, :unreachable)
# Functions of Base that give the same for the same arguments, beside those that expressions have.
const SAME_EACH_TIME = IdDict{Any,Nothing}(f => nothing for f in (
    oftype, typemin, typemax, eps, floatmin, floatmax, eltype, typeof, isa, ===, !==, tuple, getfield,
    Core.getfield, Base.getproperty, !, Base.not_int, Core.apply_type, promote_type, |>, Base.indexed_iterate))

is_settled(f) = is_settled(f, IdDict{Any,Nothing}())
function is_settled(f, seen)
    (haskey(LASTING, f) || haskey(SAME_EACH_TIME, f) || haskey(seen, f)) && return true
    f isa Function && !(f isa Core.Builtin) || return false
    parentmodule(f) in (Base, Core) && return false
    seen[f] = nothing
    codes = try
        code_lowered(f)
    catch
        return false  # generated functions among them
    end
    return length(codes) <= FEW_METHODS && all(code -> is_settled_code(code, seen), codes)
end

function is_settled_code(code, seen)
    names = Dict{Int,Any}()  # what statements stand for that name something in a module
    for (k, statement) in enumerate(code.code)
        named = named_by(statement)
        named === nothing || (names[k] = named)
        ok(named === nothing ? statement : named, names, seen) || return false
    end
    return true
end

# M.f is getproperty(M, :f), or a name by itself; x^2 calls Val{2}.
function named_by(x)
    x isa GlobalRef && return x
    x isa Expr && x.head === :call && length(x.args) == 3 || return nothing
    x.args[1] == GlobalRef(Core, :apply_type) && x.args[2] == GlobalRef(Base, :Val) &&
        x.args[3] isa Integer && return Val{x.args[3]}
    f, place, name = x.args
    f isa GlobalRef && f.name === :getproperty && place isa GlobalRef && name isa QuoteNode &&
        value_named(place) isa Module || return nothing
    return GlobalRef(value_named(place), name.value)
end
value_named(x::GlobalRef) =
    isdefined(x.mod, x.name) && isconst(x.mod, x.name) ? getfield(x.mod, x.name) : nothing

ok(x, names, seen) = true  # a literal, a slot, a jump
ok(x::Union{Expr,QuoteNode,GlobalRef}, names, seen) =
    x isa Expr ? ok_expression(x, names, seen) : ok_value(x isa QuoteNode ? x.value : value_or(x), seen)
struct NoValue end
value_or(x::GlobalRef) =
    isdefined(x.mod, x.name) && isconst(x.mod, x.name) ? getfield(x.mod, x.name) : NoValue()
ok_value(x, seen) = x isa Union{Type,Symbol,String,Nothing} || x isa Function && is_settled(x, seen) ||
                    isbits(x) && !(x isa Union{NoValue,Ptr,Function})

function ok_expression(x::Expr, names, seen)
    x.head in PLAIN_STATEMENTS || return false
    x.head === :meta && return true
    x.head === :call || return all(arg -> ok(arg, names, seen), x.args)
    f = x.args[1]
    f isa Core.SSAValue && (f = get(names, f.id, nothing))
    f isa GlobalRef && (f = value_or(f))
    f isa QuoteNode && (f = f.value)
    called = f isa Type ? f <: Union{Storable,Val} : f isa Function && is_settled(f, seen)
    return called && all(arg -> ok(arg, names, seen), x.args[2:end])
end
