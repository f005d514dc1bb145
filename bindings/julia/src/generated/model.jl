# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    model_load(device, path; forms_most, fuse, dtype)

Loads a model from a file of ONNX. Weights in files of their own are read from the file's
folder and those below it alone. IO where a file cannot be read, CORRUPT\\_DATA where one is
no model: a length beyond its end, a weight of another size than its shape says, a value
that nothing gives or two nodes give. UNSUPPORTED lists all that netcl cannot run, ops,
dtypes and attributes with the names of their nodes, before anything is allocated on the
device; `netcl_model_describe` gives the list where it is longer than a message.
INVALID\\_ARGUMENT for another `dtype`. Models of one file on one device share the weights
of the file that they hold in the same dtype; a file that was changed less than two seconds
ago is loaded on its own.

* `forms_most`: compiled forms that are kept, of each step where the host decides between
  steps (docs/models.md); 0: 16
* `fuse`: as in `netcl_graph_compile_options`; one of `:default` (unless another is given),
  `:on`, `:off`
* `dtype`: of weights and of the values between, where the file has f32: F16, BF16, or 0 for
  F32. Products and other sums add up in f32, and what a short dtype cannot hold stays f32
  (docs/models.md); a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_model_load`.
"""
function model_load(
    device::Device, path::Union{Nothing,AbstractString};
    forms_most::Integer = 0, fuse::Union{Toggle,Symbol} = Toggle(0),
    dtype::Union{Dtype,Symbol,Type} = Dtype(0)
)
    options_struct = StructMemory{3}()
    model = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_model_options!(place_of(options_struct), nothing, forms_most, fuse, dtype)
        @checked Raw.netcl_model_load(device, c_text(:path, path), options_struct, model)
    end
    return take(Model, model[])
end

"""
    model_load_memory(device, data; forms_most, fuse, dtype)

As `netcl_model_load`, from the bytes of a file, of which nothing is kept. Weights in other
files are UNSUPPORTED.

* `forms_most`: compiled forms that are kept, of each step where the host decides between
  steps (docs/models.md); 0: 16
* `fuse`: as in `netcl_graph_compile_options`; one of `:default` (unless another is given),
  `:on`, `:off`
* `dtype`: of weights and of the values between, where the file has f32: F16, BF16, or 0 for
  F32. Products and other sums add up in f32, and what a short dtype cannot hold stays f32
  (docs/models.md); a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_model_load_memory`.
"""
function model_load_memory(
    device::Device, data;
    forms_most::Integer = 0, fuse::Union{Toggle,Symbol} = Toggle(0),
    dtype::Union{Dtype,Symbol,Type} = Dtype(0)
)
    data = host_memory(:data, data)
    options_struct = StructMemory{3}()
    model = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_model_options!(place_of(options_struct), nothing, forms_most, fuse, dtype)
        @checked Raw.netcl_model_load_memory(device, data, sizeof(data), options_struct, model)
    end
    return take(Model, model[])
end

"""
    unsafe_model_load_memory(device, data, data_size; forms_most, fuse, dtype)

As `netcl_model_load`, from the bytes of a file, of which nothing is kept. Weights in other
files are UNSUPPORTED.

The pointers must be valid as the text above asks for; nothing checks them.

* `forms_most`: compiled forms that are kept, of each step where the host decides between
  steps (docs/models.md); 0: 16
* `fuse`: as in `netcl_graph_compile_options`; one of `:default` (unless another is given),
  `:on`, `:off`
* `dtype`: of weights and of the values between, where the file has f32: F16, BF16, or 0 for
  F32. Products and other sums add up in f32, and what a short dtype cannot hold stays f32
  (docs/models.md); a type as `Float32`, or a `Netcl.Dtype`

Calls `netcl_model_load_memory`.
"""
function unsafe_model_load_memory(
    device::Device, data::Ptr, data_size::Integer;
    forms_most::Integer = 0, fuse::Union{Toggle,Symbol} = Toggle(0),
    dtype::Union{Dtype,Symbol,Type} = Dtype(0)
)
    options_struct = StructMemory{3}()
    model = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct begin
        fill_model_options!(place_of(options_struct), nothing, forms_most, fuse, dtype)
        @checked Raw.netcl_model_load_memory(device, data, data_size, options_struct, model)
    end
    return take(Model, model[])
end

"""
    model_retain(model)

Gives another Model with a reference of its own to the same object.

Calls `netcl_model_retain`.
"""
model_retain(model::Model) = retain(model)

"""
    model_release(model)

Gives the object's reference back at once, as `close` does. The object is of no more use.

Calls `netcl_model_release`.
"""
model_release(model::Model) = close(model)

"""
    model_get_info(model)

Tells what is in a model.

Calls `netcl_model_get_info`.
"""
function model_get_info(model::Model)
    info = info_memory(StructMemory{40}())
    @checked Raw.netcl_model_get_info(model, info)
    return take_info(ModelInfo, info)
end

"""
    model_get_input(model, index)

Describes an input of a model.

Calls `netcl_model_get_input`.
"""
function model_get_input(model::Model, index::Integer)
    value = info_memory(StructMemory{75}())
    @checked Raw.netcl_model_get_input(model, index, value)
    return take_info(ModelValue, value)
end

"""
    model_get_output(model, index)

Describes an output of a model.

Calls `netcl_model_get_output`.
"""
function model_get_output(model::Model, index::Integer)
    value = info_memory(StructMemory{75}())
    @checked Raw.netcl_model_get_output(model, index, value)
    return take_info(ModelValue, value)
end

"""
    model_find_input(model, name)

Finds an input by its name. NOT\\_FOUND lists the names that there are.

Calls `netcl_model_find_input`.
"""
function model_find_input(model::Model, name::Union{Nothing,AbstractString})
    index = Ref{UInt32}(0)
    @checked Raw.netcl_model_find_input(model, c_text(:name, name), index)
    return Int(index[])
end

"""
    model_find_output(model, name)

Finds an output by its name. NOT\\_FOUND lists the names that there are.

Calls `netcl_model_find_output`.
"""
function model_find_output(model::Model, name::Union{Nothing,AbstractString})
    index = Ref{UInt32}(0)
    @checked Raw.netcl_model_find_output(model, c_text(:name, name), index)
    return Int(index[])
end

"""
    model_run(model, inputs, outputs; queue, into, waits, event, graph)

Runs a model into tensors that are given, as `netcl_graph_run` runs a graph made from a
function: all inputs and all outputs in their order. INVALID\\_ARGUMENT names the input
where its dtype, its rank or an extent is not what the file says, where two inputs give one
named dimension two extents, and the node where an op refuses what it gets.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_model_run`.
"""
function model_run(
    model::Model, inputs, outputs;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    outputs = handle_list(TensorLike, :outputs, outputs)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve inputs outputs queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_model_run(
            model, or_null(raw_list(inputs)), length(inputs), or_null(raw_list(outputs)),
            length(outputs), run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    model_evaluate(model, inputs; queue, into, waits, event, graph)

Runs a model as `netcl_model_run` does, with new tensors as outputs.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_model_evaluate`.
"""
function model_evaluate(
    model::Model, inputs;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve inputs queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        found = read_array(Ptr{Cvoid}, UInt32) do place, room, extent
            return Raw.netcl_model_evaluate(
                model, or_null(raw_list(inputs)), length(inputs), run_struct, place, room, extent
            )
        end
    end
    give_reference(event, event_place)
    return Tensor[take(Tensor, h) for h in found]
end

"""
    model_explain(model, format)

Tells how a model runs: `netcl_graph_explain` of each form, beginning with the one that was
used last.

* `format`: one of `:text`, `:json`, `:dot`

Calls `netcl_model_explain`.
"""
function model_explain(model::Model, format::Union{GraphFormat,Symbol})
    format = enum(GraphFormat, format)
    found = read_text() do place, room, extent
        return Raw.netcl_model_explain(model, format.value, place, room, extent)
    end
    return found
end

"""
    model_describe(path)

Tells what is in a file of ONNX, without a device: inputs, outputs, ops with their numbers,
and each thing that netcl cannot run with the names of all nodes that need it.

Calls `netcl_model_describe`.
"""
function model_describe(path::Union{Nothing,AbstractString})
    found = read_text() do place, room, extent
        return Raw.netcl_model_describe(c_text(:path, path), place, room, extent)
    end
    return found
end
