# Products of integers, with the bits of Base: modulo 2^8 to 2^64 in the type of the result.
#
# The library multiplies bytes, and adds up modulo 2^32. So wider integers are taken apart into bytes,
# x = x0 + 2^8 x1 + ..., of whose products those count that lie within the type.

product_type(::Type{S}, ::Type{T}) where {S,T} = typeof(one(S) * one(T) + one(S) * one(T))

# The sums of a diagonal of byte products of a 64-bit type have to stay below 2^32.
const EXACT_TERMS = 8192

function integer_product(a::NetclMatrix{S}, b::Columns{T}) where {S,T}
    R = product_type(S, T)
    into = NetclArray{R}(undef, size(a, 1), size(b)[2:end]...; device = a.device)
    isempty(into) && return into
    width, terms = sizeof(R), size(a, 2)
    terms == 0 && return fill!(into, 0)
    if width <= 4 || S === Bool && T === Bool
        sums = byte_sums(bytes_of(a, R), bytes_of(b, R))
        into .= sums .% R
        return into
    end
    U = unsigned(R)
    total = fill!(similar(into, U), 0)
    for first in 1:EXACT_TERMS:terms
        part = first:min(first + EXACT_TERMS - 1, terms)
        left, right = bytes_of(view(a, :, part), R), bytes_of(rows_of_product(b, part), R)
        for place in 0:(width - 1)
            sums = byte_product(left, right, place)
            sums === nothing && continue
            total .+= (sums .% UInt32 .% U) .<< (8 * place)
        end
    end
    into .= total .% R
    return into
end
rows_of_product(b::NetclVector, part) = view(b, part)
rows_of_product(b::NetclMatrix, part) = view(b, part, :)

"The bytes of integers, the lowest first, in arrays in Julia's order; of those narrower than R, with its sign."
bytes_of(x::NetclArray{UInt8}, ::Type{R}) where {R} = NetclArray[x]
bytes_of(x::NetclArray{Bool}, ::Type{R}) where {R} = NetclArray[x .% UInt8]
bytes_of(x::NetclArray{T}, ::Type{R}) where {T,R} =
    NetclArray[((x .% unsigned(R)) .>> (8 * k)) .% UInt8
               for k in 0:((T <: Unsigned ? sizeof(T) : sizeof(R)) - 1)]

"The sum of the products of bytes whose places add up to one, modulo 2^32, or nothing."
function byte_product(left, right, place)
    sums = nothing
    for i in 0:place
        i < length(left) && place - i < length(right) || continue
        x, y = left[i + 1], right[place - i + 1]
        if sums === nothing
            sums = NetclArray{Int32}(undef, size(x, 1), size(y)[2:end]...; device = x.device)
            op_matmul(x, y; into = sums)
        else
            op_matmul(x, y; into = sums, has_scale = 1, alpha = 1, beta = 1)
        end
    end
    return sums
end
function byte_sums(left, right)
    total = nothing
    for place in 0:min(3, length(left) + length(right) - 2)
        sums = byte_product(left, right, place)
        total = total === nothing ? sums : (total .+= sums .<< (8 * place))
    end
    return total
end
