# adapt(NetclArray, x) makes arrays of the host in x arrays on the device, and adapt(Array, x) the other
# way round; adapt(device, x) says which device, and adapt(NetclArray{Float32}, x) which elements.

const NetclArray = Netcl.NetclArray
const Numbers = AbstractArray{<:Netcl.Storable}

moved(::Type{NetclArray}, x) = convert(NetclArray, x)
moved(::Type{<:NetclArray{T}}, x) where {T} = convert(NetclArray{T}, x)
moved(device::Netcl.Device, x) =
    x isa NetclArray && x.device == device ? x : NetclArray(x; device = device)

Adapt.adapt_storage(to::Type{<:NetclArray}, x::Numbers) = moved(to, x)
Adapt.adapt_storage(to::Netcl.Device, x::Numbers) = moved(to, x)
Adapt.adapt_storage(::Type{Array}, x::NetclArray) = Array(x)
Adapt.adapt_storage(::Type{<:Array{T}}, x::NetclArray) where {T} = Array{T}(x)

# What Adapt makes of a view of the host is a view of Julia's around an array on the device, which
# computes element by element. Here what is seen goes over, as an array. (Those in Diagonal and other
# forms of LinearAlgebra stay in them.)
for seen in (SubArray, PermutedDimsArray, Base.ReshapedArray, Base.ReinterpretArray)
    for to in (Type{<:NetclArray}, Netcl.Device)
        @eval Adapt.adapt_structure(to::$to, x::$seen{<:Netcl.Storable}) = moved(to, x)
    end
end
