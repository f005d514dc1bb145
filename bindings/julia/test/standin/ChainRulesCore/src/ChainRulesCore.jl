# Stands in for the package of this name, which these tests cannot fetch: the part of its interface that
# the rules use, with the meaning that its documentation gives it.
module ChainRulesCore

abstract type AbstractZero end
struct NoTangent <: AbstractZero end
struct ZeroTangent <: AbstractZero end

struct Thunk{F}
    f::F
end
macro thunk(body)
    return :(Thunk(() -> $(esc(body))))
end
unthunk(x) = x
unthunk(x::Thunk) = unthunk(x.f())

struct Tangent{P,T}
    backing::T
end
Tangent{P}(parts...) where {P} = Tangent{P,typeof(parts)}(parts)
Base.getindex(t::Tangent, k) = t.backing[k]

struct ProjectTo{T}
    like::T
end
(project::ProjectTo{<:AbstractFloat})(d::Number) = convert(typeof(project.like), d)
(project::ProjectTo{<:Array})(d) = convert(typeof(project.like), d)

# No rule.
rrule(args...; keywords...) = nothing

end
