# adapt(NetclArray, x) makes arrays of the host in x arrays on the device, and adapt(Array, x) the other
# way round; adapt(device, x) says which device, and adapt(NetclArray{Float32}, x) which elements.

const NetclArray = Netcl.NetclArray
const Numbers = AbstractArray{<:Netcl.Storable}

Adapt.adapt_storage(::Type{NetclArray}, x::Numbers) = convert(NetclArray, x)
Adapt.adapt_storage(::Type{<:NetclArray{T}}, x::Numbers) where {T} = convert(NetclArray{T}, x)
Adapt.adapt_storage(device::Netcl.Device, x::Numbers) =
    x isa NetclArray && x.device == device ? x : NetclArray(x; device = device)
Adapt.adapt_storage(::Type{Array}, x::NetclArray) = Array(x)
Adapt.adapt_storage(::Type{<:Array{T}}, x::NetclArray) where {T} = Array{T}(x)
