# A package of this name for tests, with the part of its interface that the extension uses.
module Adapt

adapt(to, x) = adapt_structure(to, x)
adapt_structure(to, x) = adapt_storage(to, x)
adapt_structure(to, x::Union{Tuple,NamedTuple}) = map(y -> adapt(to, y), x)
adapt_structure(to, x::SubArray) = SubArray(adapt(to, parent(x)), adapt(to, parentindices(x)))
adapt_structure(to, x::Base.ReshapedArray) = reshape(adapt(to, parent(x)), size(x))
adapt_storage(to, x) = x
adapt_storage(::Type{Array}, x::AbstractArray) = convert(Array, x)
adapt_storage(::Type{<:Array{T}}, x::AbstractArray) where {T} = convert(Array{T}, x)

end
