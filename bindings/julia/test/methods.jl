# Methods of AbstractArray against those of Base: each is called with arrays of the host and with the
# same on the device, of all element types, packed, as a view with steps, transposed and without
# elements, and has to give what Base gives, or to throw where Base does. What was found is the table
# METHODS.md; it is compared, and written with NETCL_WRITE_METHODS.

module Methods

using LinearAlgebra, Netcl, Test
using Random: Random
using Statistics: cor, cov, mean, mean!, median, middle, quantile, std, stdm, var, varm
using Statistics: Statistics
using ..Main: has_fp64

seed = rand(UInt32)
println("seed of methods.jl: ", seed)
draws = Random.MersenneTwister(seed)

fresh(::Type{T}, dims...) where {T<:AbstractFloat} = T.(randn(draws, dims...))
fresh(::Type{Bool}, dims...) = rand(draws, Bool, dims...)
fresh(::Type{T}, dims...) where {T} = rand(draws, T(0):T(9), dims...)
# Packed, with steps, transposed.
layouts_of(A::Matrix) = A, (NetclArray(A), view(NetclArray(repeat(A; inner = (2, 1))), 1:2:(2 * size(A, 1)), :),
                            transpose(NetclArray(permutedims(A))))
layouts_of(A::Vector) = A, (NetclArray(A), view(NetclArray(repeat(A; inner = 2)), 1:2:(2 * length(A))))

# The arrays of each type and rank are made once. No row may change them, which is tested at the end.
const GIVEN = Dict{Any,Any}()
given_of(T, rank) = get!(GIVEN, (T, rank)) do
    A, layouts = layouts_of(rank == 2 ? fresh(T, 5, 6) : fresh(T, 7))
    none = rank == 2 ? fresh(T, 0, 6) : fresh(T, 0)
    return (A, copy(A), layouts, none, NetclArray(none))
end

const FLOATS, INTEGERS = (Float16, Float32, Float64), (Int8, Int32, Int64, UInt8, UInt32)
const NUMBERS = (FLOATS..., INTEGERS...)
const WIDE = (Float32, Float64)
const ANY = (NUMBERS..., Bool)
struct Method
    name::String
    types::Any
    rank::Int
    call::Function
end
# The text of a row is the text of what is called.
macro row(rank, types, call)
    name = string(Base.remove_linenums!(deepcopy(call.args[2])))
    name = strip(replace(replace(name, r"^begin\s+|\s+end$" => ""), r"\s+" => " "))
    name = replace(name, r"\(v->begin (.*?) end\)" => s"v -> \1")
    return :(Method($name, $(esc(types)), $rank, $(esc(call))))
end

const ROWS = [
    "Shapes and parts" => [
        @row(2, ANY, x -> size(x)), @row(2, ANY, x -> axes(x)), @row(2, ANY, x -> length(x)),
        @row(2, ANY, x -> copy(x)), @row(2, ANY, x -> collect(x)), @row(2, ANY, x -> similar(x) isa typeof(x)),
        @row(2, ANY, x -> zero(x)), @row(2, ANY, x -> fill!(copy(x), 1)), @row(2, ANY, x -> vec(copy(x))),
        @row(2, ANY, x -> reshape(copy(x), :)), @row(2, ANY, x -> permutedims(x)), @row(2, ANY, x -> x'),
        @row(2, ANY, x -> permutedims!(copy(permutedims(x)), x, (2, 1))),
        @row(2, ANY, x -> x[2:end, :]), @row(2, ANY, x -> view(x, :, 1)), @row(2, ANY, x -> selectdim(x, 2, 1)),
        @row(2, ANY, x -> x[:, [3, 1]]), @row(2, ANY, x -> x[x .> 0]),
        @row(2, ANY, x -> filter(iszero, vec(copy(x)))),
        @row(2, ANY, x -> vcat(x, x)), @row(2, ANY, x -> hcat(x, x)),
        @row(1, ANY, x -> reduce(hcat, [x, x])), @row(2, ANY, x -> cat(x, x; dims = 3)),
        @row(2, ANY, x -> [x x; x x]), @row(2, ANY, x -> dropdims(x[:, 1:1]; dims = 2)),
        @row(2, ANY, x -> repeat(x, 2, 3)), @row(2, ANY, x -> repeat(x; inner = (2, 1), outer = (1, 2))),
        @row(2, ANY, x -> map(sum, eachcol(x))), @row(2, ANY, x -> vcat(eachrow(x)...)),
        @row(2, ANY, x -> map(sum, eachslice(x; dims = 2))),
        @row(2, ANY, x -> ndims(x)), @row(2, ANY, x -> isempty(x)), @row(2, ANY, x -> sizeof(x)),
        @row(2, ANY, x -> length(eachindex(x))), @row(1, ANY, x -> firstindex(x)),
        @row(2, ANY, x -> lastindex(x, 2)), @row(2, ANY, x -> collect(keys(x))), @row(1, ANY, x -> keytype(x)),
        @row(1, ANY, x -> valtype(x)), @row(1, ANY, x -> nextind(x, 1)), @row(1, ANY, x -> prevind(x, 2)),
        @row(1, ANY, x -> copy!(similar(x), x)),
        @row(2, ANY, x -> promote_shape(x, x)), @row(2, ANY, x -> parentindices(x)),
        @row(2, ANY, x -> parent(copy(x))), @row(2, ANY, x -> checkbounds(Bool, x, 9, 1)),
        @row(2, ANY, x -> checkindex(Bool, axes(x, 1), 2)), @row(1, ANY, x -> isassigned(x, 9)),
        @row(2, ANY, x -> Array(x)), @row(2, ANY, x -> convert(Array, x)), @row(1, ANY, x -> empty(x)),
        @row(2, ANY, x -> copyto!(similar(x), x)), @row(1, ANY, x -> copyto!(copy(x), 2, x, 1, 3)),
        @row(2, ANY, x -> copy!(similar(x), x)),
        @row(2, ANY, x -> setindex!(copy(x), 1, :, 2)), @row(2, ANY, x -> getindex(x, :, 2)),
        @row(2, ANY, x -> one(x[1:5, 1:5])), @row(2, ANY, x -> oneunit(x[1:5, 1:5])),
        @row(2, ANY, x -> write(IOBuffer(), x))],
    "Order" => [
        @row(2, ANY, x -> reverse(x; dims = 1)), @row(1, ANY, x -> reverse(x)),
        @row(1, ANY, x -> reverse!(copy(x))),
        @row(1, ANY, x -> reverse(x, 2, 3)), @row(2, ANY, x -> circshift(x, (1, -2))),
        @row(1, ANY, x -> circshift(x, 3)), @row(2, ANY, x -> circshift!(copy(x), x, (0, 1))),
        @row(2, ANY, x -> sort(x; dims = 1)), @row(2, ANY, x -> sort(x; dims = 2, rev = true)),
        @row(1, ANY, x -> sort(x)), @row(1, ANY, x -> sort!(copy(x))), @row(1, FLOATS, x -> sort(x; by = abs)),
        @row(1, ANY, x -> sortperm(x)), @row(1, ANY, x -> sortperm(x; rev = true)),
        @row(1, NUMBERS, x -> partialsort(x, 2)), @row(1, ANY, x -> partialsort(x, 1:3)),
        @row(1, ANY, x -> partialsortperm(x, 1:2)), @row(1, ANY, x -> issorted(x)),
        @row(1, NUMBERS, x -> diff(x)),
        @row(2, NUMBERS, x -> diff(x; dims = 2)),
        @row(1, ANY, x -> sortperm!(sortperm(x), x)),
        @row(2, ANY, x -> rot180(x)), @row(2, ANY, x -> rotl90(x)), @row(2, ANY, x -> rotr90(x)),
        @row(1, ANY, x -> permute!(copy(x), sortperm(x))),
        @row(1, ANY, x -> invpermute!(copy(x), sortperm(x))),
        @row(1, ANY, x -> length(Random.shuffle(x))), @row(1, ANY, x -> sort(Random.shuffle!(copy(x))))],
    "Reductions" => [
        @row(2, ANY, x -> sum(x)), @row(2, ANY, x -> sum(x; dims = 1)), @row(2, NUMBERS, x -> sum(abs2, x)),
        @row(2, ANY, x -> prod(x; dims = 2)), @row(2, ANY, x -> maximum(x)),
        @row(2, ANY, x -> minimum(x; dims = 1)),
        @row(2, ANY, x -> extrema(x)), @row(2, ANY, x -> extrema(x; dims = 1)),
        @row(2, ANY, x -> argmax(x)), @row(2, ANY, x -> argmax(x; dims = 1)),
        @row(2, ANY, x -> argmin(x; dims = (1, 2))),
        @row(2, ANY, x -> findmax(x)), @row(2, ANY, x -> findmax(x; dims = 2)),
        @row(2, ANY, x -> findmin(x; dims = 1)),
        @row(1, ANY, x -> argmin(x)), @row(2, (Bool,), x -> any(x)), @row(2, (Bool,), x -> all(x; dims = 1)),
        @row(2, (Bool,), x -> count(x)), @row(2, ANY, x -> count(iszero, x)),
        @row(2, ANY, x -> mapreduce(abs, max, x)),
        @row(2, NUMBERS, x -> mapreduce(v -> v + v, +, x; dims = 1)), @row(2, ANY, x -> reduce(max, x)),
        @row(2, NUMBERS, x -> mean(x; dims = 1)), @row(2, FLOATS, x -> var(x; dims = 2)),
        @row(2, FLOATS, x -> std(x)),
        @row(2, ANY, x -> findall(iszero, x)), @row(1, ANY, x -> findall(iszero, x)),
        @row(1, ANY, x -> findfirst(isequal(maximum(x)), x)),
        @row(1, ANY, x -> findlast(isequal(minimum(x)), x)),
        @row(2, ANY, x -> 0 in x),
        @row(2, NUMBERS, x -> sum!(fill!(copy(x[1:1, :]), 0), x)),
        @row(2, ANY, x -> maximum!(copy(x[:, 1:1]), x)),
        @row(1, ANY, x -> cumsum(x)), @row(2, ANY, x -> cumsum(x; dims = 1)),
        @row(2, NUMBERS, x -> cumprod(x; dims = 2)),
        @row(2, NUMBERS, x -> cumsum!(copy(x), x; dims = 2)), @row(1, NUMBERS, x -> accumulate(+, x)),
        @row(2, NUMBERS, x -> accumulate(max, x; dims = 1)),
        @row(2, FLOATS, x -> prod!(copy(x[:, 1:1]), x)), @row(2, ANY, x -> minimum!(copy(x[1:1, :]), x)),
        @row(2, (Bool,), x -> any!(copy(x[:, 1:1]), x)), @row(2, (Bool,), x -> all!(copy(x[1:1, :]), x)),
        @row(1, FLOATS, x -> cumprod!(copy(x), x)), @row(2, NUMBERS, x -> mean(abs, x)),
        @row(2, FLOATS, x -> mean!(copy(x[1:1, :]), x)), @row(1, FLOATS, x -> varm(x, 1)),
        @row(1, FLOATS, x -> stdm(x, 1)), @row(1, FLOATS, x -> median(x)), @row(1, FLOATS, x -> middle(x)),
        @row(1, FLOATS, x -> quantile(x, 0.3)), @row(1, FLOATS, x -> quantile(x, [0.1, 0.5])),
        @row(2, WIDE, x -> cov(x)), @row(2, WIDE, x -> cov(x; dims = 2, corrected = false)),
        @row(1, WIDE, x -> cov(x, x)), @row(2, WIDE, x -> cor(x)), @row(2, WIDE, x -> cor(x; dims = 2)),
        @row(1, WIDE, x -> cor(x, x))],
    "Elementwise" => [
        @row(2, ANY, x -> x .+ (1:5)), @row(2, ANY, x -> x .+ (1, 2, 3, 4, 5)),
        @row(2, ANY, x -> x .* [1, 2, 3, 4, 5]),
        @row(2, ANY, x -> x .== x'[:, 1]), @row(2, ANY, x -> (y = copy(x); y .= 1)),
        @row(2, ANY, x -> ifelse.(x .> 1, x, zero(x))), @row(2, ANY, x -> map(abs, x)),
        @row(2, ANY, x -> map(max, x, x)),
        @row(2, ANY, x -> map!(identity, similar(x), x)), @row(2, NUMBERS, x -> clamp.(x, 1, 2)),
        @row(2, ANY, x -> x == copy(x)), @row(2, ANY, x -> isequal(x, copy(x))),
        @row(2, NUMBERS, x -> x ≈ copy(x)),
        @row(2, NUMBERS, x -> x + x), @row(2, NUMBERS, x -> x - x), @row(2, NUMBERS, x -> -x),
        @row(2, FLOATS, x -> x / 2),
        @row(2, NUMBERS, x -> clamp!(copy(x), 1, 2)), @row(2, ANY, x -> replace(x, 1 => 0, 0 => 1)),
        @row(2, ANY, x -> float.(x)), @row(2, ANY, x -> conj(x)), @row(2, ANY, x -> real(x)),
        @row(2, ANY, x -> hash(x) == hash(copy(x))), @row(2, NUMBERS, x -> conj!(copy(x))),
        @row(2, ANY, x -> imag(x)), @row(2, ANY, x -> isreal(x)), @row(2, FLOATS, x -> sin.(x)),
        @row(2, NUMBERS, x -> atan.(x, 2)), @row(2, NUMBERS, x -> isapprox(x, copy(x)))],
    "Linear algebra" => [
        @row(2, ANY, x -> x * x'), @row(2, ANY, x -> x' * x[:, 1]), @row(1, ANY, x -> x' * x),
        @row(1, ANY, x -> x * x'),
        @row(2, NUMBERS, x -> mul!(x * x', x, x')), @row(2, NUMBERS, x -> x' * x + I),
        @row(2, NUMBERS, x -> I - x' * x),
        @row(2, NUMBERS, x -> x' * Array(x)), @row(2, NUMBERS, x -> Array(x) * x'),
        @row(2, NUMBERS, x -> dot(x, Array(x))), @row(2, NUMBERS, x -> x .* 2),
        @row(2, NUMBERS, x -> 2 * x), @row(2, ANY, x -> dot(x, x)),
        @row(2, FLOATS, x -> norm(x)), @row(1, FLOATS, x -> normalize(x)),
        @row(1, FLOATS, x -> normalize!(copy(x))),
        @row(2, NUMBERS, x -> rmul!(copy(x), 2)), @row(2, NUMBERS, x -> lmul!(2, copy(x))),
        @row(1, NUMBERS, x -> axpy!(2, x, copy(x))), @row(1, NUMBERS, x -> axpby!(2, x, 3, copy(x))),
        @row(2, ANY, x -> tr(x[1:5, 1:5])), @row(2, ANY, x -> diag(x)), @row(2, ANY, x -> diag(x, 1)),
        @row(2, ANY, x -> tril(x)), @row(2, ANY, x -> triu(x, 1)), @row(2, NUMBERS, x -> kron(x, x)),
        @row(2, NUMBERS, x -> Diagonal(x[:, 1]) * x), @row(2, ANY, x -> transpose!(copy(permutedims(x)), x)),
        @row(2, ANY, x -> adjoint!(copy(permutedims(x)), x)), @row(2, ANY, x -> transpose(x)),
        @row(2, NUMBERS, x -> (x' * x)^2), @row(1, NUMBERS, x -> x ⋅ x),
        @row(2, ANY, x -> tril!(copy(x))), @row(2, ANY, x -> triu!(copy(x))),
        @row(2, ANY, x -> istriu(triu(x))), @row(2, ANY, x -> istril(x)), @row(2, ANY, x -> isdiag(x)),
        @row(2, ANY, x -> issymmetric(x[1:5, 1:5])), @row(2, NUMBERS, x -> ishermitian(x' * x)),
        @row(2, ANY, x -> diagind(x)), @row(1, ANY, x -> diagm(x)), @row(1, NUMBERS, x -> diagm(0 => x, -2 => x)),
        @row(1, NUMBERS, x -> rdiv!(float.(x), 2)), @row(1, NUMBERS, x -> ldiv!(2, float.(x)))],
    "Matrices of LinearAlgebra around arrays" => [
        @row(1, ANY, x -> Array(Diagonal(x))), @row(1, NUMBERS, x -> Diagonal(x) * x),
        @row(1, FLOATS, x -> Array(inv(Diagonal(x)))), @row(1, FLOATS, x -> Diagonal(x) \ x),
        @row(1, NUMBERS, x -> Diagonal(x) + x * x'), @row(1, NUMBERS, x -> Matrix(Diagonal(x) .+ 1)),
        @row(2, NUMBERS, x -> UpperTriangular(x[1:5, 1:5]) * x), @row(2, NUMBERS, x -> x' * LowerTriangular(x[1:5, 1:5])),
        @row(2, NUMBERS, x -> UnitUpperTriangular(x[1:5, 1:5]) * x[:, 1]),
        @row(2, ANY, x -> Array(UnitLowerTriangular(x[1:5, 1:5]))),
        @row(2, NUMBERS, x -> Symmetric(x[1:5, 1:5]) * x), @row(2, NUMBERS, x -> x' * Hermitian(x[1:5, 1:5], :L)),
        @row(2, NUMBERS, x -> Symmetric(x[1:5, 1:5]) - x[1:5, 1:5]), @row(2, ANY, x -> collect(Symmetric(x[1:5, 1:5], :L))),
        @row(2, NUMBERS, x -> UpperTriangular(x[1:5, 1:5]) .+ x[1:5, 1:5]),
        @row(2, ANY, x -> split(repr("text/plain", UpperTriangular(x[1:5, 1:5])), "\n")[2:end]),
        @row(1, ANY, x -> split(repr("text/plain", Diagonal(x)), "\n")[2:end]),
        @row(2, ANY, x -> repr(Symmetric(x[1:5, 1:5])))],
]

include("refused.jl")

on_host(x) = x
on_host(x::NetclArray) = Array(x)
on_host(x::Union{Tuple,Vector}) = map(on_host, x)
on_host(x::Vector{<:Number}) = x
# Sums of n terms, in either order.
bound_of(A) = 64 * max(length(A), 1)
near(a, b, terms) = isequal(a, b)
near(a::T, b::T, terms) where {T<:AbstractFloat} = isequal(a, b) || abs(a - b) <= terms * eps(T) * (abs(b) + 4)
near(a::AbstractArray, b::AbstractArray, terms) =
    size(a) == size(b) && eltype(a) == eltype(b) && all(near(x, y, terms) for (x, y) in zip(a, b))
near(a::Tuple, b::Tuple, terms) = length(a) == length(b) && all(near(x, y, terms) for (x, y) in zip(a, b))

"What a call gives: a value, or that it throws."
outcome(call, x) = try Some(call(x)) catch; nothing end

kind_of(x::NetclArray) = "array"
kind_of(x::Number) = "number"
kind_of(x::AbstractArray) = "array of the host"
kind_of(x) = "value"

function found(row::Method)
    kind = ""
    # A few of the types, other ones each time, and the first in all layouts, or all and two.
    types = Random.shuffle(draws, collect(row.types))
    full = !isempty(get(ENV, "NETCL_TEST_FULL", ""))
    whole = types[1:min(full ? 2 : 1, end)]
    for T in (full ? types : types[1:min(3, end)])
        T === Float64 && !has_fp64() && continue
        A, _, given, none, none_given = given_of(T, row.rank)
        trials = Any[(A, x) for x in (T in whole ? given : given[1:1])]
        T in whole && push!(trials, (none, none_given))
        for (k, (B, x)) in enumerate(trials)
            expected, got = outcome(row.call, B), outcome(row.call, x)
            # Without elements, only what Base gives is asked for.
            length(B) == 0 && expected === nothing && continue
            same = expected === nothing ? got === nothing :
                   got !== nothing && near(on_host(something(got)), on_host(something(expected)), bound_of(B))
            same || println("differs: ", row.name, " of ", typeof(x), " ", size(x), ": ",
                            got, " instead of ", expected)
            @test same
            # What findfirst gives where there is none says nothing of what it gives.
            k == 1 && got !== nothing && got.value !== nothing && (kind = kind_of(got.value))
        end
    end
    return kind
end

words(types) = types === ANY ? "all" : types === WIDE ? "Float32, Float64" : types === NUMBERS ? "numbers" : types === FLOATS ? "floats" :
               join(types, ", ")
lines = String["# Methods of AbstractArray", "",
               "Written by `test/methods.jl`, which compares each with Base: fresh random elements of all types,",
               "packed arrays, views with steps, transposes, and no elements. `BFloat16` is left out, since Base has",
               "none. *array* is one on the device; *array of the host* is an `Array`, for which the call waits.", ""]
for (title, rows) in ROWS
    push!(lines, "## $title", "", "| call | gives | elements |", "|---|---|---|")
    @testset "$(row.name)" for row in rows
        push!(lines, "| `$(row.name)` | $(found(row)) | $(words(row.types)) |")
    end
    push!(lines, "")
end
@testset "no row changes what it is given" begin
    for (A, before, layouts, _, _) in values(GIVEN)
        @test isequal(A, before) && all(x -> isequal(Array(x), before), layouts)
    end
end
empty!(GIVEN)
push!(lines, "## Refused", "",
      "These throw; `Array(x)` brings the elements to the host, and for single elements there is",
      "`Netcl.allowscalar`.", "", join(("`$(name)`" for (name, _) in REFUSED), ",\n"))
@testset "refused: $name" for (name, call) in REFUSED
    @test outcome(call, NetclArray(fresh(Float32, 5, 5))) === nothing
end

table = joinpath(@__DIR__, "..", "METHODS.md")
text = join(lines, "\n") * "\n"
# Later versions of Julia have more functions, and other methods.
VERSION < v"1.6" && @testset "every function of AbstractArray is in a row" begin
    rows = join((row.name for (_, rows) in ROWS for row in rows), "\n") * "\n" * join(first.(REFUSED), "\n")
    missing_ones = filter(name -> !is_in(name, rows) && !(name in IN_NO_ROW), names_of_arrays())
    @test missing_ones == []
end

place = get(ENV, "NETCL_WRITE_METHODS", "")
isempty(place) || write(place, text)
@testset "the table is current" begin
    @test isfile(table) && read(table, String) == text
end

end
