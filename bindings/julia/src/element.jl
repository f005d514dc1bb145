# Element types: dtypes of the library and types of Julia.

"""
    Netcl.BFloat16(x)

A float of 16 bits with the range of a Float32. Julia 1.5 has none; it is computed in Float32.
"""
primitive type BFloat16 <: AbstractFloat 16 end

BFloat16(bits::UInt16) = reinterpret(BFloat16, bits)
function BFloat16(x::Float32)
    bits = reinterpret(UInt32, x)
    isnan(x) && return BFloat16(UInt16((bits >> 16) | 0x0040))
    # Rounds to the nearest, halves to even; a carry into the exponent is right.
    return BFloat16(((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) % UInt16)
end
BFloat16(x::Real) = BFloat16(Float32(x))
BFloat16(x::BFloat16) = x
Base.Float32(x::BFloat16) = reinterpret(Float32, UInt32(reinterpret(UInt16, x)) << 16)
(::Type{T})(x::BFloat16) where {T<:Union{Float64,Float16,Integer}} = T(Float32(x))
Base.Bool(x::BFloat16) = Bool(Float32(x))
Base.promote_rule(::Type{BFloat16}, ::Type{T}) where {T<:Integer} = BFloat16
Base.promote_rule(::Type{BFloat16}, ::Type{T}) where {T<:Union{Float16,Float32}} = Float32
Base.promote_rule(::Type{BFloat16}, ::Type{Float64}) = Float64
for op in (:+, :-, :*, :/)
    @eval Base.$op(a::BFloat16, b::BFloat16) = BFloat16($op(Float32(a), Float32(b)))
end
for op in (:<, :<=, :(==))
    @eval Base.$op(a::BFloat16, b::BFloat16) = $op(Float32(a), Float32(b))
end
Base.:-(x::BFloat16) = BFloat16(-Float32(x))
Base.isnan(x::BFloat16) = isnan(Float32(x))
Base.show(io::IO, x::BFloat16) = print(io, "Netcl.BFloat16(", Float32(x), ")")

const ELEMENTS = (
    (F16, Float16, "f16"), (BF16, BFloat16, "bf16"), (F32, Float32, "f32"),
    (F64, Float64, "f64"), (I8, Int8, "i8"), (I16, Int16, "i16"), (I32, Int32, "i32"),
    (I64, Int64, "i64"), (U8, UInt8, "u8"), (U16, UInt16, "u16"), (U32, UInt32, "u32"),
    (U64, UInt64, "u64"), (BOOL, Bool, "bool"))

for (dtype, type, word) in ELEMENTS
    @eval enum(::Type{Dtype}, ::Type{$type}) = Dtype($(dtype.value))
    @eval dtype_of_plain(::$type) = Dtype($(dtype.value))
    @eval dtype_word(::Type{$type}) = $word
end
function enum(::Type{Dtype}, ::Type{T}) where {T}
    throw(ArgumentError("arrays cannot hold $T; they can hold " *
                        join((row[2] for row in ELEMENTS), ", ")))
end

"The Julia type of a dtype."
function element_type(dtype::Dtype)
    for (known, type, _) in ELEMENTS
        known == dtype && return type
    end
    throw(ArgumentError("$dtype has no type in Julia"))
end

"One element as C takes it. Values that the type cannot hold are an InexactError."
function element_bytes(name::Symbol, dtype::Dtype, value)
    any(row -> row[1] == dtype, ELEMENTS) || return Ref{UInt128}(0)
    value isa Number || throw(ArgumentError("$name is a $(typeof(value)), not a number"))
    return element_ref(element_type(dtype), value)
end
element_ref(::Type{T}, value) where {T} = Ref{T}(convert(T, value))
