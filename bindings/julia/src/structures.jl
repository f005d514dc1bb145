# Arrays in structures: the gradients of a model that is a tuple, a named tuple, a list or a struct of
# arrays, in the same form.

const Floats = NetclArray{<:AbstractFloat}

# What structs of Julia itself, functions and objects of the library hold is nobody's parameter.
function has_parts(x)
    T = typeof(x)
    isstructtype(T) && nfields(x) > 0 && !isbits(x) || return false
    x isa Union{Function,Number,AbstractArray,AbstractString,Symbol,Module,Type,Handle} && return false
    return !(Base.moduleroot(parentmodule(T)) in (Core, Base, @__MODULE__))
end

"""
    Netcl.arrays(x)

The arrays of floats in x, in order: in tuples, named tuples, vectors and structs, and in such within
them. Of a model and of its gradients they are the lists that optimisers take.

    found = Netcl.withgradient(m -> loss(m, x, y), model)
    Netcl.op_sgd(Netcl.arrays(model), Netcl.arrays(found.grad), 0.1)
"""
arrays(x) = collect_arrays!(NetclArray[], x)
collect_arrays!(found, x::Floats) = push!(found, x)
collect_arrays!(found, x::Union{Tuple,NamedTuple,Vector}) =
    (isbits(x) || foreach(y -> collect_arrays!(found, y), x); found)
collect_arrays!(found, x::Vector{<:Union{Number,AbstractString}}) = found
collect_arrays!(found, x) =
    (has_parts(x) && foreach(k -> collect_arrays!(found, getfield(x, k)), 1:nfields(x)); found)

"x with what `next` gives in place of its arrays; what holds none of them is what it was."
rebuilt(x::Floats, next) = next()
rebuilt(x::Union{Tuple,NamedTuple}, next) = map(y -> rebuilt(y, next), x)
rebuilt(x::Vector, next) = isempty(arrays(x)) ? x : [rebuilt(y, next) for y in x]
function rebuilt(x, next)
    has_parts(x) && !isempty(arrays(x)) || return x
    make = Base.typename(typeof(x)).wrapper
    fields = Any[rebuilt(getfield(x, k), next) for k in 1:nfields(x)]
    applicable(make, fields...) || throw(ArgumentError(
        "gradient makes a $(nameof(make)) of other arrays, and it cannot be called with its fields: " *
        "$(join(fieldnames(typeof(x)), ", "))"))
    return make(fields...)
end

"The gradients in the form of x: named tuples for structs, and nothing where x holds no arrays."
in_form(x::Floats, next) = next()
in_form(x::Union{Tuple,NamedTuple,Vector}, next) =
    isempty(arrays(x)) ? nothing : map(y -> in_form(y, next), x)
in_form(x, next) = has_parts(x) && !isempty(arrays(x)) ?
    NamedTuple{fieldnames(typeof(x))}(ntuple(k -> in_form(getfield(x, k), next), nfields(x))) : nothing

"Gives one element of a list with each call."
function one_by_one(list)
    at = 0
    return () -> list[at += 1]
end

# A number of the caller's is recorded as sums are, so that what it is used for is the same.
as_recorded(given::AbstractFloat, array) = Recorded{typeof(given)}(array)
as_recorded(given, array) = array
as_given(given::AbstractFloat, found::NetclArray) = captured() ? found : item(found)
as_given(given, found) = found

check_argument(x, at) = nothing
check_argument(x::AbstractArray{<:AbstractFloat}, at) = x isa NetclArray || throw(ArgumentError(
    "argument $at of the function is a $(typeof(x)), which has no gradient; NetclArray(x) has one"))

function withgradient(f, x...)
    foreach(check_argument, x, 1:length(x))
    found = arrays(x)
    isempty(found) && !any(y -> y isa AbstractFloat, x) && throw(ArgumentError(
        "gradient needs an array of floats, and there is none in " * join(map(typeof, x), ", ")))
    place = isempty(found) ? device() : first(found).device
    lifted = map(y -> y isa AbstractFloat ? filled(place, typeof(y), (), y) : y, x)
    val, grad = withgradient(arrays(lifted)...) do inputs...
        f(map(as_recorded, x, rebuilt(lifted, one_by_one(inputs)))...)
    end
    return (val = val, grad = map(as_given, x, in_form(lifted, one_by_one(grad))))
end
