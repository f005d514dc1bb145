# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    weights_open(device, path; map)

Opens a file of named tensors, for tensors of a device. IO where the file cannot be read.
CORRUPT\\_DATA names the tensor and what is wrong with it: a size or place beyond the file,
tensors that overlap, in safetensors bytes of no tensor, a name that comes twice, names and
keys that are not text of one line, lengths and counts beyond the file. UNSUPPORTED: other
versions of GGUF, or more than 100 MB before its tensors, names of more than 255 bytes, more
than `NETCL_RANK_MAX` dimensions, more than 2^20 tensors or values of metadata.

* `map`: look into the file where that can be; DEFAULT: ON, OFF: copy always; one of
  `:default` (unless another is given), `:on`, `:off`

Calls `netcl_weights_open`.
"""
function weights_open(
    device::Device, path::Union{Nothing,AbstractString};
    map::Union{Toggle,Symbol} = Toggle(0)
)
    options_struct = StructMemory{2}()
    weights = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_weights_options!(place_of(options_struct), nothing, map)
        @checked Raw.netcl_weights_open(device, c_text(:path, path), options_struct, weights)
    end
    return take(Weights, weights[])
end

"""
    weights_retain(weights)

Gives another Weights with a reference of its own to the same object.

Calls `netcl_weights_retain`.
"""
weights_retain(weights::Weights) = retain(weights)

"""
    weights_release(weights)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_weights_release`.
"""
weights_release(weights::Weights) = close(weights)

"""
    weights_get_info(weights)

Tells what a file of weights is.

Calls `netcl_weights_get_info`.
"""
function weights_get_info(weights::Weights)
    info = info_memory(StructMemory{4}())
    @checked Raw.netcl_weights_get_info(weights, info)
    return take_info(WeightsInfo, info)
end

"""
    weights_get_entry(weights, index)

Describes a tensor of the file. In an .npz the tensors are the members whose names end in
.npy, without that ending.

* `index`: from 0 on, in the order of the file

Calls `netcl_weights_get_entry`.
"""
function weights_get_entry(weights::Weights, index::Integer)
    entry = info_memory(StructMemory{48}())
    @checked Raw.netcl_weights_get_entry(weights, index, entry)
    return take_info(WeightsEntry, entry)
end

"""
    weights_find(weights, name)

Finds a tensor by its name. NOT\\_FOUND where there is none.

Calls `netcl_weights_find`.
"""
function weights_find(weights::Weights, name::Union{Nothing,AbstractString})
    index = Ref{UInt32}(0)
    @checked Raw.netcl_weights_find(weights, c_text(:name, name), index)
    return Int(index[])
end

"""
    weights_get_tensor(weights, index; queue, pool, event, async_copy, use_pinned, share)

Gives a tensor of the file, each time a new one. Without `pool` and `share` it looks into
the file on CPU devices, where its elements lie at a multiple of their size, are not
deflated, not of the other byte order and not bool; else it is a copy. Weights in blocks,
Q4\\_0, Q8\\_0 and Q4\\_K of GGUF, are u8 \\[..., N, blocks, bytes of a block\\] for
entry.shape \\[..., N, K\\], as `netcl_op_matmul_quantized` takes them. Arrays of .npz in
Fortran's order have its strides. Nothing larger than 64 MiB and 16 times its bytes in the
file is allocated before these are read once.

UNSUPPORTED, naming the type, where netcl has no dtype for it (entry.dtype is 0), and for
members of .npz that are encrypted or packed in another way. IO where the file has become
shorter. CORRUPT\\_DATA where a copied member of .npz does not have the size or the checksum
that the file says; those of tensors that look into the file are not checked.

* `queue`: `nothing`: the device's default queue
* `pool`: `nothing`: the device's persistent pool, and for from\\_cl
* `event`: receives one reference: the device has the data
* `async_copy`: return before the device has what is copied from the host; DEFAULT:
  `NETCL_ASYNC_H2D`, and where nothing is copied; one of `:default` (unless another is
  given), `:on`, `:off`
* `use_pinned`: stage that through page-locked memory; DEFAULT: `NETCL_PINNED_H2D`, and
  where nothing is copied; one of `:default` (unless another is given), `:on`, `:off`
* `share`: true: in memory for `netcl_buffer_export`, see \"Sharing\"; a pool that is given
  has to have been made so

Calls `netcl_weights_get_tensor`.
"""
function weights_get_tensor(
    weights::Weights, index::Integer;
    queue::Union{Nothing,Queue} = nothing, pool::Union{Nothing,Pool} = nothing,
    event::Union{Nothing,Ref{Event}} = nothing,
    async_copy::Union{Toggle,Symbol} = Toggle(0),
    use_pinned::Union{Toggle,Symbol} = Toggle(0), share::Union{Bool,Integer} = false
)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    tensor = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue pool event_place options_kept options_struct begin
        fill_tensor_options!(
            place_of(options_struct), options_kept, queue, pool, place_if(event, event_place),
            async_copy, use_pinned, 0, 0, share
        )
        @checked Raw.netcl_weights_get_tensor(weights, index, options_struct, tensor)
    end
    give_reference(event, event_place)
    return take(Tensor, tensor[])
end

"""
    weights_get_metadata_key(weights, index)

Gives a key of the file's metadata. What is no UTF-8 in texts of GGUF becomes U+FFFD.

* `index`: from 0 on, below `netcl_weights_info.metadata`\\_count

Calls `netcl_weights_get_metadata_key`.
"""
function weights_get_metadata_key(weights::Weights, index::Integer)
    found = read_text() do place, room, extent
        return Raw.netcl_weights_get_metadata_key(weights, index, place, room, extent)
    end
    return found
end

"""
    weights_get_metadata(weights, key)

Gives the value of a key of the file's metadata as text. Numbers of GGUF are decimal, truth
values \"true\" or \"false\", arrays are JSON. NOT\\_FOUND where the file has no such key.

Calls `netcl_weights_get_metadata`.
"""
function weights_get_metadata(weights::Weights, key::Union{Nothing,AbstractString})
    found = read_text() do place, room, extent
        return Raw.netcl_weights_get_metadata(weights, c_text(:key, key), place, room, extent)
    end
    return found
end

"""
    weights_save(path, format, names, tensors; keys, values, timeout)

Writes tensors under names as a file of safetensors, or as an .npz whose members are stored.
The file is replaced as a whole or not at all; elements are in C order and lie at a multiple
of their size, so that they can be looked into. Names are distinct, at most 255 bytes, and
\"\\_\\_metadata\\_\\_\" is none of safetensors. bf16 is '<V2' in .npz, as in
`netcl_tensor_save_npy`. The waits for pending writes take at most `timeout` together, with
the errors of `netcl_tensor_wait`. IO where the file cannot be written. GGUF is not written:
UNSUPPORTED.

* `format`: one of `:safetensors`, `:gguf`, `:npz`
* `keys`: of metadata, which safetensors alone has: distinct, UTF-8 without control
  characters
* `values`: a text of UTF-8 for each key

Calls `netcl_weights_save`.
"""
function weights_save(
    path::Union{Nothing,AbstractString}, format::Union{WeightsFormat,Symbol}, names,
    tensors;
    keys = (), values = (), timeout::Real = Inf
)
    format = enum(WeightsFormat, format)
    names_texts = c_texts(:names, names)
    tensors = handle_list(TensorLike, :tensors, tensors)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    GC.@preserve names_texts tensors options_kept options_struct begin
        fill_weights_save_options!(place_of(options_struct), options_kept, keys, values)
        @checked Raw.netcl_weights_save(
            c_text(:path, path), format.value, or_null(text_pointers(names_texts)),
            length(names_texts), or_null(raw_list(tensors)), length(tensors), options_struct,
            nanoseconds(timeout)
        )
    end
    return nothing
end
