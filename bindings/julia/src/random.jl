# Random numbers in place. The seed comes from the generator of Julia, so that Random.seed! settles them.

for (name, make) in ((:rand!, :UNIFORM), (:randn!, :NORMAL))
    @eval begin
        Random.$name(x::NetclArray) = fill_random!(Random.GLOBAL_RNG, x, $make)
        Random.$name(rng::Random.AbstractRNG, x::NetclArray) = fill_random!(rng, x, $make)
    end
end
function fill_random!(rng, x::NetclArray{T}, distribution) where {T}
    isempty(x) && return x
    seed = Base.rand(rng, UInt64)
    return copyto!(x, random(x.device, T, size(x); distribution = distribution, seed = seed))
end
Random.shuffle(rng::Random.AbstractRNG, x::NetclVector) = x[Random.randperm(rng, length(x))]
Random.shuffle!(rng::Random.AbstractRNG, x::NetclVector) = copyto!(x, Random.shuffle(rng, x))
