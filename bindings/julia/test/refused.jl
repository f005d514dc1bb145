# Part of methods.jl: what is refused. What goes through elements one by one says what to do instead;
# what changes a length, or has no form here, throws as well.

const OF_MATRICES = [
    "x[1, 2]" => x -> x[1, 2], "for v in x" => x -> [v for v in x], "for v in pairs(x)" => x -> [v for v in pairs(x)],
    "foldl(-, x)" => x -> foldl(-, x), "reduce(-, x)" => x -> reduce(-, x),
    "accumulate(-, x; dims = 1)" => x -> accumulate(-, x; dims = 1),
    "mapslices(sum, x; dims = 1)" => x -> mapslices(y -> first(Array(y)), x; dims = 1),
    "sortslices(x; dims = 1)" => x -> sortslices(x; dims = 1), "unique(x)" => x -> unique(x),
    "sort(x; dims = 1, lt = >)" => x -> sort(x; dims = 1, lt = >), "complex(x)" => complex, "x .// 1" => x -> x .// 1,
    "pointer(x)" => pointer, "reinterpret(Int32, x)" => x -> reinterpret(Int32, x), "inv(x)" => inv,
    "eigen(Symmetric(x))" => x -> eigen(Symmetric(x)), "eigvals(Hermitian(x))" => x -> eigvals(Hermitian(x)),
    "x \\ x[:, 1]" => x -> x \ x[:, 1], "UpperTriangular(x) \\ x" => x -> UpperTriangular(x) \ x,
]
const FUNCTIONS_OF_MATRICES = [
    acos, acosh, acot, acoth, acsc, acsch, asec, asech, asin, asinh, atan, atanh, cos, cosh, cot, coth, csc, csch, exp,
    log, sec, sech, sin, sincos, sinh, sqrt, tan, tanh, bunchkaufman, cholesky, cond, det, eigen, eigvals, eigvecs,
    factorize, hessenberg, isposdef, logabsdet, logdet, lu, nullspace, opnorm, pinv, qr, rank, schur, svd, svdvals]

const OF_VECTORS = [
    "first(x)" => first, "last(x)" => last, "only(x[1:1])" => x -> only(x[1:1]), "iterate(x)" => iterate,
    "get(x, 1, 0)" => x -> get(x, 1, 0), "isless(x, x)" => x -> isless(x, x), "cmp(x, x)" => x -> cmp(x, x),
    "findnext(iszero, x, 1)" => x -> findnext(iszero, x, 1), "findprev(iszero, x, 5)" => x -> findprev(iszero, x, 5),
    "findmax!(x[1:1], sortperm(x[1:1]), x)" => x -> findmax!(x[1:1], sortperm(x[1:1]), x),
    "findmin!(x[1:1], sortperm(x[1:1]), x)" => x -> findmin!(x[1:1], sortperm(x[1:1]), x),
    "count!(sortperm(x[1:1]), x .> 0)" => x -> count!(sortperm(x[1:1]), x .> 0),
    "allunique(x)" => allunique, "indexin(x, x)" => x -> indexin(x, x), "unique!(x)" => unique!,
    "union(x, x)" => x -> union(x, x), "union!(x, x)" => x -> union!(x, x),
    "intersect(x, x)" => x -> intersect(x, x), "intersect!(x, x)" => x -> intersect!(x, x),
    "setdiff(x, x)" => x -> setdiff(x, x), "setdiff!(x, x)" => x -> setdiff!(x, x),
    "symdiff(x, x)" => x -> symdiff(x, x), "symdiff!(x, x)" => x -> symdiff!(x, x),
    "searchsorted(x, 1)" => x -> searchsorted(x, 1), "searchsortedfirst(x, 1)" => x -> searchsortedfirst(x, 1),
    "searchsortedlast(x, 1)" => x -> searchsortedlast(x, 1), "invperm(sortperm(x))" => x -> invperm(sortperm(x)),
    "partialsort!(x, 2)" => x -> partialsort!(x, 2),
    "partialsortperm!(sortperm(x), x, 1)" => x -> partialsortperm!(sortperm(x), x, 1),
    "gcd(sortperm(x))" => x -> gcd(sortperm(x)), "lcm(sortperm(x))" => x -> lcm(sortperm(x)),
    "evalpoly(2, x)" => x -> evalpoly(2, x), "cross(x[1:3], x[1:3])" => x -> cross(x[1:3], x[1:3]),
    "reflect!(x, x, 1, 0)" => x -> reflect!(x, x, 1, 0), "rotate!(x, x, 1, 0)" => x -> rotate!(x, x, 1, 0),
    "median!(x)" => Statistics.median!, "quantile!(x, 0.5)" => x -> Statistics.quantile!(x, 0.5),
    "randexp!(x)" => Random.randexp!, "randsubseq(x, 0.99)" => x -> Random.randsubseq(x, 0.99),
    "randsubseq!(Float32[], x, 0.99)" => x -> Random.randsubseq!(Float32[], x, 0.99),
    "push!(x, 1)" => x -> push!(x, 1), "append!(x, x)" => x -> append!(x, x), "prepend!(x, x)" => x -> prepend!(x, x),
    "insert!(x, 1, 1)" => x -> insert!(x, 1, 1), "deleteat!(x, 1)" => x -> deleteat!(x, 1),
    "splice!(x, 1)" => x -> splice!(x, 1), "resize!(x, 1)" => x -> resize!(x, 1),
    "filter!(iszero, x)" => x -> filter!(iszero, x), "digits!(x, 7)" => x -> digits!(sortperm(x), 7),
]
const REFUSED = [OF_MATRICES; ["$f(x)" => f for f in FUNCTIONS_OF_MATRICES];
                 [name => (x -> f(x[:, 1])) for (name, f) in OF_VECTORS]]

# What has methods for AbstractArray and is in no row: of bytes and text, for other types of matrices,
# a part of what is in a row, or tested elsewhere (random numbers).
const IN_NO_ROW = ["//", "^", "'", "adjoint", "bytes2hex", "transcode", "reverseind", "read!", "readbytes!", "readuntil",
                   "show", "summary", "get!", "condskeel", "copy_transpose!", "givens", "isposdef!", "lowrankupdate!",
                   "rand!", "randn!", "stride", "×"]

"Whether a parameter of a method is an AbstractArray of whatever kind, and no narrower type."
function takes_arrays(parameter, signature)
    type = Base.rewrap_unionall(Base.unwrapva(parameter isa TypeVar ? parameter.ub : parameter), signature)
    return type isa UnionAll && Base.unwrap_unionall(type) isa DataType &&
           Base.unwrap_unionall(type).name === Base.unwrap_unionall(AbstractArray).name
end
array_methods(f) = any(methods(f)) do method
    any(p -> takes_arrays(p, method.sig), Base.unwrap_unionall(method.sig).parameters[2:end])
end
function names_of_arrays()
    found = String[]
    for place in (Base, LinearAlgebra, Statistics, Random), name in names(place)
        isdefined(place, name) || continue
        f = getfield(place, name)
        f isa Function && array_methods(f) && push!(found, string(name))
    end
    return found
end
is_in(name, text) = occursin(Regex("(?<![\\w!])\\Q$name\\E(?![\\w!])"), text)
