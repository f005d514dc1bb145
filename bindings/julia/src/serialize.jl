# Copies of objects: to files and other processes by Serialization, and in memory by deepcopy.

const Serializer = Serialization.AbstractSerializer

"Arrays travel as their elements, and come back on the device that arrays are made on there."
function Serialization.serialize(io::Serializer, x::NetclArray{T,N}) where {T,N}
    Serialization.writetag(io.io, Serialization.OBJECT_TAG)
    Serialization.serialize(io, NetclArray{T,N})
    Serialization.serialize(io, Array(x))
end
Serialization.deserialize(io::Serializer, ::Type{NetclArray{T,N}}) where {T,N} =
    NetclArray{T,N}(Serialization.deserialize(io)::Array{T,N})

Serialization.serialize(io::Serializer, handle::Handle) = throw(ArgumentError(
    "a Netcl.$(nameof(typeof(handle))) is an object of this process and cannot be serialized; a " *
    "NetclArray or what it was made from can"))

# A copy of the Julia object alone would give the reference back a second time.
Base.deepcopy_internal(handle::Handle, seen::IdDict) = handle
Base.deepcopy_internal(x::Tensor, seen::IdDict) = get!(() -> op_copy(x)::Tensor, seen, x)
