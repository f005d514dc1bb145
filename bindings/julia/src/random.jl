# Random numbers in place. The seed comes from the generator of Julia, so that Random.seed! settles them.

for (name, make) in ((:rand!, :UNIFORM), (:randn!, :NORMAL))
    @eval begin
        Random.$name(x::NetclArray) = fill_random!(Random.GLOBAL_RNG, x, $make)
        Random.$name(rng::Random.AbstractRNG, x::NetclArray) = fill_random!(rng, x, $make)
    end
end
# Of a list, or of another type, Base would draw one element after the other.
not_drawn(from) = throw(ArgumentError("rand! of a NetclArray draws numbers of its type from [0, 1); " *
    "copyto!(x, rand(..., size(x))) draws from $from on the host"))
Random.rand!(x::NetclArray, from) = not_drawn(from)
Random.rand!(x::NetclArray{T}, ::Type{X}) where {T,X} = X === T ? Random.rand!(x) : not_drawn(X)
Random.rand!(rng::Random.AbstractRNG, x::NetclArray, from) = not_drawn(from)
Random.rand!(rng::Random.AbstractRNG, x::NetclArray, from::Random.Sampler) = not_drawn(from)
Random.rand!(rng::Random.AbstractRNG, x::NetclArray{T}, ::Type{X}) where {T,X} =
    X === T ? Random.rand!(rng, x) : not_drawn(X)
function fill_random!(rng, x::NetclArray{T}, distribution) where {T}
    isempty(x) && return x
    seed = Base.rand(rng, UInt64)
    return copyto!(x, random(x.device, T, size(x); distribution = distribution, seed = seed))
end
Random.shuffle(rng::Random.AbstractRNG, x::NetclVector) = x[Random.randperm(rng, length(x))]
Random.shuffle!(rng::Random.AbstractRNG, x::NetclVector) = copyto!(x, Random.shuffle(rng, x))
