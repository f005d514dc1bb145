# Written by bindings/generator from include/netcl.h; changes here are lost.

"""
    op_expression(expression, inputs; dtype, variant, queue, into, waits, event, graph)

Evaluates an expression over tensors, broadcast to one shape, as one fused kernel: a chain
of elementwise work is built once with `netcl_expression_create` and reused here. Any
strides. Types: inputs promote as in array languages (bool < integers < floats; the wider
wins; mixed signedness takes the next wider signed type; f16 with bf16 is f32); f16 and bf16
are computed in f32 and rounded once at the end. `into` may share memory with inputs in any
way: one that overlaps it and is not the same elements is copied first. UNSUPPORTED for f64
on a device without fp64.

* `dtype`: of the result; 0: as promotion of the inputs gives; a type as `Float32`, or a
  `Netcl.Dtype`
* `variant`: 0, ELEMENTWISE\\_SCALAR or ELEMENTWISE\\_VECTORIZED; a `Netcl.Variant`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_expression`.
"""
function op_expression(
    expression::Expression, inputs;
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0),
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    options_struct = StructMemory{2}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve inputs options_struct queue into waits event_place graph run_kept run_struct begin
        fill_expression_options!(place_of(options_struct), nothing, dtype, variant)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_expression(
            expression, or_null(raw_list(inputs)), length(inputs), options_struct, run_struct,
            result
        )
    end
    give_reference(event, event_place)
    return like(inputs, take(Tensor, result[]), into, graph)
end

"""
    op_expression_text(text, inputs; dtype, variant, queue, into, waits, event, graph)

Evaluates an expression given as text: `netcl_expression_create` (kept for the next call
with the same text), then `netcl_op_expression`.

* `dtype`: of the result; 0: as promotion of the inputs gives; a type as `Float32`, or a
  `Netcl.Dtype`
* `variant`: 0, ELEMENTWISE\\_SCALAR or ELEMENTWISE\\_VECTORIZED; a `Netcl.Variant`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_expression_text`.
"""
function op_expression_text(
    text::Union{Nothing,AbstractString}, inputs;
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0),
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    options_struct = StructMemory{2}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve inputs options_struct queue into waits event_place graph run_kept run_struct begin
        fill_expression_options!(place_of(options_struct), nothing, dtype, variant)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_expression_text(
            c_text(:text, text), or_null(raw_list(inputs)), length(inputs), options_struct,
            run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(inputs, take(Tensor, result[]), into, graph)
end

"""
    op_expressions(
        texts, inputs;
        dtypes, results_into, variant, queue, into, waits, event, graph
    )

Evaluates up to `NETCL_RESULTS_MAX` expressions over the same inputs as one fused kernel,
which reads each input once, computes what the expressions have in common once and stores a
result for each. A result has the dtype, the shape and the bits that
`netcl_op_expression_text` gives for its text and all of the inputs: every result has the
shape to which all inputs broadcast, used or not. With `results_into` that shape is theirs,
to which the inputs broadcast, and their dtypes are those of the results; they may share
memory with inputs in any way, as for `netcl_op_expression`, since all expressions see the
inputs as they were before. `into` is refused. INVALID\\_ARGUMENT names the text that is at
fault, \"texts\\[2\\]: expression column 7: ...\"; so it is when the texts have more
different nodes together than one may have, and when tensors of `results_into` differ in
shape or are not known to lie apart. UNSUPPORTED for f64 on a device without fp64.

* `dtypes`: of the results, 0 for one as promotion of the inputs gives; none: 0 for all
* `results_into`: write the results here: tensors of one shape, each on memory of its own;
  none: new tensors
* `variant`: 0, ELEMENTWISE\\_SCALAR or ELEMENTWISE\\_VECTORIZED; a `Netcl.Variant`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_expressions`.
"""
function op_expressions(
    texts, inputs;
    dtypes = (), results_into = (), variant::Union{Variant,Symbol} = Variant(0),
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    texts_texts = c_texts(:texts, texts)
    inputs = handle_list(TensorLike, :inputs, inputs)
    results_into = handle_list(TensorLike, :results_into, results_into)
    options_struct = StructMemory{5}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    results = Base.fill(C_NULL, length(texts_texts))
    GC.@preserve texts_texts inputs results_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_expressions_options!(
            place_of(options_struct), options_kept, dtypes, results_into, variant
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_expressions(
            or_null(text_pointers(texts_texts)), length(texts_texts), or_null(raw_list(inputs)),
            length(inputs), options_struct, run_struct, results
        )
    end
    give_reference(event, event_place)
    return like_each(inputs, results, results_into, graph)
end

"""
    op_elementwise(
        op, inputs;
        alpha, beta, dtype, variant, has_parameters, queue, into, waits, event, graph
    )

Applies an operator to tensors, broadcast to one shape: the expression of its formula, whose
dtypes and error bounds docs/expressions.md lists. Of each function in the formula, in the
type computed in: + - \\*, comparisons, logic and rounding are exact or rounded once,
division is within 2.5 ULP, roots 3, others 16, gelu 20 + 2 x^2, gelu\\_tanh 8 + 4 |u| (u is
there). A parameter of CLIP that is NaN gives NaN for floats and is INVALID\\_ARGUMENT for
integers. `into` may share memory with inputs as for `netcl_op_expression`.

* `op`: a `Netcl.Elementwise`
* `alpha`: with `has_parameters` = true
* `beta`: with `has_parameters` = true
* `dtype`: of the result; 0: as promotion of the inputs gives; a type as `Float32`, or a
  `Netcl.Dtype`
* `variant`: 0, ELEMENTWISE\\_SCALAR or ELEMENTWISE\\_VECTORIZED; a `Netcl.Variant`
* `has_parameters`: true: they are set; false: the operator's defaults
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_elementwise`.
"""
function op_elementwise(
    op::Union{Elementwise,Symbol}, inputs;
    alpha::Real = 0.0, beta::Real = 0.0, dtype::Union{Dtype,Symbol,Type} = Dtype(0),
    variant::Union{Variant,Symbol} = Variant(0),
    has_parameters::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    op = enum(Elementwise, op)
    inputs = handle_list(TensorLike, :inputs, inputs)
    options_struct = StructMemory{5}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve inputs options_struct queue into waits event_place graph run_kept run_struct begin
        fill_elementwise_options!(
            place_of(options_struct), nothing, alpha, beta, dtype, variant, has_parameters
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_elementwise(
            op.value, or_null(raw_list(inputs)), length(inputs), options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(inputs, take(Tensor, result[]), into, graph)
end

"""
    op_bias_add(x, bias, axis; queue, into, waits, event, graph)

Adds a vector along one axis: bias has rank 1 and the extent of that axis. Rounded once.
`into` may share memory with both as for `netcl_op_expression`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_bias_add`.
"""
function op_bias_add(
    x::TensorLike, bias::TensorLike, axis::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_bias_add(x, bias, axis, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_copy(tensor; queue, into, waits, event, graph)

Copies a tensor to new C-order memory, or to `into` (same shape and dtype, any strides). Bit
for bit. `into` may overlap the tensor in any way. A copy may go to another device: that of
`into`, else of `queue`. It comes after what the calls before it do with the two tensors on
their devices, and the call returns when the tensor has been read; `event` is of the device
that the copy goes to. What other threads do meanwhile comes after it: calls that write the
tensor, or use the one that it goes to, wait until the copy has returned. A tensor whose
last write failed is LAUNCH\\_FAILURE, with `into` as it was. `graph` records no such copy:
INVALID\\_ARGUMENT. `netcl_device_explain_copy` tells how it goes.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_copy`.
"""
function op_copy(
    tensor::TensorLike;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_copy(tensor, run_struct, result)
    end
    give_reference(event, event_place)
    return like(tensor, take(Tensor, result[]), into, graph)
end

"""
    op_contiguous(tensor; queue, into, waits, event, graph)

Gives the tensor itself (one more reference) when it is packed in C order, else a copy that
is: the shape and the dtype stay.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_contiguous`.
"""
function op_contiguous(
    tensor::TensorLike;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_contiguous(tensor, run_struct, result)
    end
    give_reference(event, event_place)
    return like(tensor, take(Tensor, result[]), into, graph)
end

"""
    op_cast(tensor, dtype; queue, into, waits, event, graph)

Converts elements to another dtype, in the same shape. To a float: round to nearest even.
Float to integer: towards zero, saturating, NaN to 0. Integer to integer: modulo 2^n. To
bool: not equal to zero. The same bits on every device, but for the payload of a NaN. `into`
may overlap the tensor in any way.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_cast`.
"""
function op_cast(
    tensor::TensorLike, dtype::Union{Dtype,Symbol,Type};
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    dtype = enum(Dtype, dtype)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_cast(tensor, dtype.value, run_struct, result)
    end
    give_reference(event, event_place)
    return like(tensor, take(Tensor, result[]), into, graph)
end

"""
    op_fill(tensor, value; queue, into, waits, event, graph)

Sets every element of a tensor of any shape, strides and dtype to one value of its dtype.
`into` must be `nothing`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_fill`.
"""
function op_fill(
    tensor::TensorLike, value;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    value_bytes = element_bytes(:value, dtype_of(tensor), value)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_fill(tensor, value_bytes, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_range(tensor, start_value, step_value; queue, into, waits, event, graph)

Sets element i of a tensor, counted in C order, to start + i step, as ONNX Range.
start\\_value and step\\_value are one element of the tensor's dtype each, which may be any
but bool; any shape and strides. Integers: modulo 2^n. f32 and f64: rounded to nearest even
once; f32 twice from element 2^24 on, first start + (i - i mod 2^24) step, then the sum with
the rest. f16 and bf16: rounded from that f32. `into` must be `nothing`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_range`.
"""
function op_range(
    tensor::TensorLike, start_value, step_value;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    start_value_bytes = element_bytes(:start_value, dtype_of(tensor), start_value)
    step_value_bytes = element_bytes(:step_value, dtype_of(tensor), step_value)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_range(tensor, start_value_bytes, step_value_bytes, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_eye(tensor, k; queue, into, waits, event, graph)

Sets each matrix of the last two dimensions of a tensor to 1 where the column is the row
plus k, and to 0 elsewhere, as ONNX EyeLike. Any dtype and strides, rank 2 or more. `into`
must be `nothing`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_eye`.
"""
function op_eye(
    tensor::TensorLike, k::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_eye(tensor, k, run_struct)
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_primitive(name, inputs; attributes, values, queue, into, waits, event, graph)

Calls a primitive by its name: `netcl_op_expression` of its forward formula, with the same
rules for shapes, dtypes and `into`; or its kernel or function, whose result is copied to
`into` where that is set. NOT\\_FOUND naming what is registered. INVALID\\_ARGUMENT when the
number of inputs does not fit the arity, an attribute is unknown, or one without a default
is not set, and in a function or gradient function within 16 of primitives.

* `attributes`: names, each at most once
* `values`: of the attributes, in the same order
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_primitive`.
"""
function op_primitive(
    name::Union{Nothing,AbstractString}, inputs;
    attributes = (), values = (), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve inputs options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_primitive_call_options!(place_of(options_struct), options_kept, attributes, values)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_primitive(
            c_text(:name, name), or_null(raw_list(inputs)), length(inputs), options_struct,
            run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(inputs, take(Tensor, result[]), into, graph)
end

"""
    op_primitive_gradient(
        name, inputs, input, grad, out;
        attributes, values, queue, into, waits, event, graph
    )

Gives the gradient of a primitive with respect to inputs\\[input\\], from the inputs of the
call, `grad`, the gradient of what was made of its result, and `out`, its result. `out` may
be `nothing`: a formula that names it then computes it again. Both have the shape that the
inputs broadcast to. The gradient has the shape and dtype of the input: where the input was
broadcast, it is summed, in f32 or for f64 in f64, rounded once. `into` may share memory
with the other tensors in any way. UNSUPPORTED when the input has no float dtype; otherwise
as `netcl_op_primitive`.

* `attributes`: names, each at most once
* `values`: of the attributes, in the same order
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_primitive_gradient`.
"""
function op_primitive_gradient(
    name::Union{Nothing,AbstractString}, inputs, input::Integer, grad::TensorLike,
    out::Union{Nothing,TensorLike};
    attributes = (), values = (), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve inputs options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_primitive_call_options!(place_of(options_struct), options_kept, attributes, values)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_primitive_gradient(
            c_text(:name, name), or_null(raw_list(inputs)), length(inputs), input, grad,
            or_null(out), options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(inputs, take(Tensor, result[]), into, graph)
end

"""
    op_matmul(
        a, b;
        epilogue, alpha, beta, dtype, has_scale, variant, precision, a_zero_point, b_zero_point,
        queue, into, waits, event, graph
    )

Matrix product as ONNX MatMul: result = epilogue(alpha \\* a \\* b + beta \\* into). a is
\\[..., M, K\\], b is \\[..., K, N\\], the leading dimensions broadcast; rank 1 is a row (a)
or a column (b), whose dimension is dropped from the result. f32, f64, f16, bf16 of equal
dtype; f16 and bf16 accumulate in f32 and round once; the result may be f32 then. Transposes
are strides. beta = 0 does not read `into`. `into` must not share memory with a or b. Error
per element: at most 2 K eps sum|a||b| with eps of the accumulator (Higham, Accuracy and
Stability, 3.5), plus the rounding to the result's dtype; an activation adds its own bound
(docs/expressions.md).

i8 and u8, each operand of either, give i32 as ONNX MatMulInteger 10 does: the sum over k of
(a\\[m, k\\] - a\\_zero\\_point\\[m\\]) \\* (b\\[k, n\\] - b\\_zero\\_point\\[n\\]), modulo
2^32, the same bits on every device. alpha and beta are whole numbers from -2^31 to 2^31 - 1
then (INVALID\\_ARGUMENT otherwise), bias and residual are i32, all modulo 2^32 too, and the
activation is NONE or RELU (UNSUPPORTED otherwise). `into` must not share memory with a zero
point. There is no gradient. Other integers are UNSUPPORTED.

* `epilogue`: `nothing`: none; its tensors have the dtype of a or the result, for i8 and u8
  that of the result
* `alpha`: with `has_scale` = true
* `beta`: with `has_scale` = true; needs `into`
* `dtype`: of the result; 0: as the inputs, i32 of i8 and u8; a type as `Float32`, or a
  `Netcl.Dtype`
* `has_scale`: true: take alpha and beta; false: alpha = 1, beta = 0
* `variant`: 0 or one of MATMUL\\_...; a `Netcl.Variant`
* `precision`: of f32, and of its gradients; other dtypes have STRICT alone; one of
  `:strict` (unless another is given), `:tf32`, `:split`
* `a_zero_point`: i8 and u8 alone; `nothing`: 0. Of a's dtype, one element (any rank),
  \\[M\\], or \\[..., M, 1\\] whose leading dimensions broadcast to the result's
* `b_zero_point`: the same of b: one element, \\[N\\], or \\[..., 1, N\\]
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_matmul`.
"""
function op_matmul(
    a::TensorLike, b::TensorLike;
    epilogue::Union{Nothing,Epilogue} = nothing, alpha::Real = 0.0, beta::Real = 0.0,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), has_scale::Union{Bool,Integer} = false,
    variant::Union{Variant,Symbol} = Variant(0),
    precision::Union{Precision,Symbol} = Precision(0),
    a_zero_point::Union{Nothing,TensorLike} = nothing,
    b_zero_point::Union{Nothing,TensorLike} = nothing,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{8}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve a_zero_point b_zero_point options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_matmul_options!(
            place_of(options_struct), options_kept, epilogue, alpha, beta, dtype, has_scale,
            variant, precision, a_zero_point, b_zero_point
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_matmul(a, b, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(a, take(Tensor, result[]), into, graph)
end

"""
    op_einsum(equation, inputs; queue, into, waits, event, graph)

Sums of products of tensors with a letter for each axis, as ONNX Einsum: \"ij,jk->ik\" is a
product of matrices, \"bhqd,bhkd->bhqk\" a stack of them, \"ij->ji\" a transposition,
\"ii->i\" a diagonal, \"ij->\" the sum of all elements. The equation has a term for each
input, then \"->\" and that of the result; an axis whose letter the result lacks is summed
over. Letters are a-z and A-Z, as many of them as the input has dimensions; \"...\" stands
for the others, which line up from the last and are summed over as well where the result has
none. Without \"->\" the result has \"...\" and then, in the order of the alphabet, capitals
first, the letters that stand once. Axes of one letter have one extent, and one of 1
broadcasts. Blanks do not count. All inputs have one dtype, not bool, which is that of the
result; integers wrap around. At most `NETCL_ARGS_MAX` inputs.

Two inputs at a time are multiplied, first those whose product has the fewest elements:
floats as by `netcl_op_matmul` with its bounds, integers elementwise and then summed. What
is summed in one input alone is `netcl_op_reduce`. A graph records these calls, and
gradients go to each input.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_einsum`.
"""
function op_einsum(
    equation::Union{Nothing,AbstractString}, inputs;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve inputs queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_einsum(
            c_text(:equation, equation), or_null(raw_list(inputs)), length(inputs), run_struct,
            result
        )
    end
    give_reference(event, event_place)
    return like(inputs, take(Tensor, result[]), into, graph)
end

"""
    op_conv2d(
        x, w;
        epilogue, batchnorm, strides, dilations, padding, groups, variant, winograd_tile, queue,
        into, waits, event, graph
    )

2-d convolution as ONNX Conv: x is \\[N, C, H, W\\], w is \\[F, C / groups, KH, KW\\], the
result \\[N, F, OH, OW\\] with OH = (H + top + bottom - dilation (KH - 1) - 1) / stride + 1,
at least 1. Strides and dilations are 1 to 2^31 - 1, padding 0 to 2^31 - 1, and groups
divides C and F. NHWC data is a permuted view; a new result has its channels innermost in
memory when x has. f32, f64, f16 and bf16 of equal dtype. Error per element: at most 2 K eps
sum|x||w| with K = C / groups KH KW and eps of the accumulator; Winograd variants (Lavin and
Gray, 2015) at most 16 (F(2,3)) and 128 (F(4,3)) times eps max|x| sum|w| sqrt(K).

* `epilogue`: `nothing`: none; bias has x's dtype or f32, residual x's dtype
* `batchnorm`: comes after the bias, before residual and activation
* `strides`: 0: 1; 2 numbers, or one for all
* `dilations`: 0: 1; 2 numbers, or one for all
* `padding`: zeros around x: top, left, bottom, right; 4 numbers, or one for all
* `groups`: 0: 1
* `variant`: 0 or one of CONV2D\\_...; a `Netcl.Variant`
* `winograd_tile`: with CONV2D\\_WINOGRAD: 2 or 4; 0: by the rules
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_conv2d`.
"""
function op_conv2d(
    x::TensorLike, w::TensorLike;
    epilogue::Union{Nothing,Epilogue} = nothing,
    batchnorm::Union{Nothing,Conv2dBatchnorm} = nothing, strides = ntuple(_ -> Int64(0), 2),
    dilations = ntuple(_ -> Int64(0), 2), padding = ntuple(_ -> Int64(0), 4),
    groups::Integer = 0, variant::Union{Variant,Symbol} = Variant(0),
    winograd_tile::Integer = 0, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{13}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_conv2d_options!(
            place_of(options_struct), options_kept, epilogue, batchnorm, strides, dilations,
            padding, groups, variant, winograd_tile
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_conv2d(x, w, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_matmul_quantized(
        x, weights;
        scales, zero_points, epilogue, k, format, bits, block_size, dtype, has_zero_points,
        queue, into, waits, event, graph
    )

Product with quantised weights: result = epilogue(x \\* W^T). x is \\[..., M, K\\] or
\\[K\\], f32, f16 or bf16, by any strides; the result is \\[..., M, N\\] or \\[N\\]. weights
is u8, \\[N, blocks, bytes of a block\\] or \\[N, bytes of a row\\]; weights, scales and
zero points that are not in C order, or whose first byte is at no multiple of 4, are copied
first. Each element of W is rounded once to f32 (with zero points of the scales' dtype the
difference is, too), and sums are f32. Few rows of x read the weights once, without W in
memory; for many, on GPUs more than 16, W is made in temporary memory, there in x's dtype.
Error per element: at most 2 K eps sum|x||W| with eps of f32, of f16 and bf16 eps of x's
dtype sum|x||W| more, plus the rounding to the result's dtype; an element of W beyond what
f16 holds may be infinite for x of f16. `into` must not share memory with x, weights, scales
or zero points. There is a gradient of x, bias and residual, and none of scales and zero
points.

* `scales`: \\[N \\* blocks\\] or \\[N, blocks\\], f32, f16 or bf16
* `zero_points`: `nothing`: 2^(bits - 1). u8 as \\[N \\* P\\] or \\[N, P\\], each row's
  packed like codes in P = ceil(blocks bits / 8) bytes; or of the scales' dtype and shapes
* `epilogue`: of a product: as in `netcl_matmul_options`; `nothing`: none
* `k`: K; 0: all weights of the blocks. Of NBITS the last block may have less: K > (blocks -
  1\\) block\\_size
* `format`: one of `:nbits`, `:q4_0`, `:q8_0`, `:q4_k`
* `bits`: 4 or 8 (UNSUPPORTED otherwise); 0: 4
* `block_size`: 16, 32, 64, 128 or 256; 0: 32
* `dtype`: of what is made. Product: x's, or f32; 0: `into`'s, or x's. Dequantised weights:
  f32, f16 or bf16; 0: `into`'s, or f32. Scales of NBITS that are made: f32, f16 or bf16; 0:
  f32; a type as `Float32`, or a `Netcl.Dtype`
* `has_zero_points`: true: `netcl_op_quantize_weights` makes zero points, of NBITS
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_matmul_quantized`.
"""
function op_matmul_quantized(
    x::TensorLike, weights::TensorLike;
    scales::Union{Nothing,TensorLike} = nothing,
    zero_points::Union{Nothing,TensorLike} = nothing,
    epilogue::Union{Nothing,Epilogue} = nothing, k::Integer = 0,
    format::Union{Quantization,Symbol} = Quantization(0), bits::Integer = 0,
    block_size::Integer = 0, dtype::Union{Dtype,Symbol,Type} = Dtype(0),
    has_zero_points::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{8}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scales zero_points options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_quantized_options!(
            place_of(options_struct), options_kept, scales, zero_points, epilogue, k, format, bits,
            block_size, dtype, has_zero_points
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_matmul_quantized(x, weights, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_dequantize_weights(
        weights;
        scales, zero_points, epilogue, k, format, bits, block_size, dtype, has_zero_points,
        queue, into, waits, event, graph
    )

The weights W as a matrix \\[N, K\\], rounded to f32 as there and then to the result's
dtype. weights as in `netcl_op_matmul_quantized`. There is no gradient.

* `scales`: \\[N \\* blocks\\] or \\[N, blocks\\], f32, f16 or bf16
* `zero_points`: `nothing`: 2^(bits - 1). u8 as \\[N \\* P\\] or \\[N, P\\], each row's
  packed like codes in P = ceil(blocks bits / 8) bytes; or of the scales' dtype and shapes
* `epilogue`: of a product: as in `netcl_matmul_options`; `nothing`: none
* `k`: K; 0: all weights of the blocks. Of NBITS the last block may have less: K > (blocks -
  1\\) block\\_size
* `format`: one of `:nbits`, `:q4_0`, `:q8_0`, `:q4_k`
* `bits`: 4 or 8 (UNSUPPORTED otherwise); 0: 4
* `block_size`: 16, 32, 64, 128 or 256; 0: 32
* `dtype`: of what is made. Product: x's, or f32; 0: `into`'s, or x's. Dequantised weights:
  f32, f16 or bf16; 0: `into`'s, or f32. Scales of NBITS that are made: f32, f16 or bf16; 0:
  f32; a type as `Float32`, or a `Netcl.Dtype`
* `has_zero_points`: true: `netcl_op_quantize_weights` makes zero points, of NBITS
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_dequantize_weights`.
"""
function op_dequantize_weights(
    weights::TensorLike;
    scales::Union{Nothing,TensorLike} = nothing,
    zero_points::Union{Nothing,TensorLike} = nothing,
    epilogue::Union{Nothing,Epilogue} = nothing, k::Integer = 0,
    format::Union{Quantization,Symbol} = Quantization(0), bits::Integer = 0,
    block_size::Integer = 0, dtype::Union{Dtype,Symbol,Type} = Dtype(0),
    has_zero_points::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{8}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scales zero_points options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_quantized_options!(
            place_of(options_struct), options_kept, scales, zero_points, epilogue, k, format, bits,
            block_size, dtype, has_zero_points
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_dequantize_weights(weights, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(weights, take(Tensor, result[]), into, graph)
end

"""
    op_quantize_weights(
        w;
        scales, zero_points, epilogue, k, format, bits, block_size, dtype, has_zero_points,
        queue, into, waits, event, graph
    )

Quantises a matrix w of \\[N, K\\], K from 1 on, of f32, f16 or bf16. `into` and the result
`weights` are u8 \\[N, blocks, bytes of a block\\]. Each code is the nearest that there is,
but for roundings of f32 where two are as near. Scales of NBITS: the number of largest
magnitude in the block / -2^(bits - 1), as in Q4\\_0; with zero points (the largest - the
least) / (2^bits - 1), where 0 counts as one of the numbers. Q8\\_0: the largest magnitude /
127\\. Q4\\_K: S and M are the nearest to (the largest - the least) / 15 / d and to minus the
least / m, as if 0 were among the 32 numbers, with d and m the largest such quotient / 63
and the largest such number / 63. Scales are rounded to their dtype first. K is a multiple
of 32 for Q4\\_0 and Q8\\_0 and of 256 for Q4\\_K; of NBITS codes beyond K are those of 0.
`k` is 0 or K. Blocks with numbers that are not finite, or scales that are neither normal
numbers nor 0, get any codes. There is no gradient.

* `weights`: one reference
* `scales`: one reference to \\[N, blocks\\], `nothing` when the format is not NBITS
* `zero_points`: one reference to u8 \\[N, ceil(blocks bits / 8)\\], `nothing` when
  `has_zero_points` is false
* `scales`: \\[N \\* blocks\\] or \\[N, blocks\\], f32, f16 or bf16
* `zero_points`: `nothing`: 2^(bits - 1). u8 as \\[N \\* P\\] or \\[N, P\\], each row's
  packed like codes in P = ceil(blocks bits / 8) bytes; or of the scales' dtype and shapes
* `epilogue`: of a product: as in `netcl_matmul_options`; `nothing`: none
* `k`: K; 0: all weights of the blocks. Of NBITS the last block may have less: K > (blocks -
  1\\) block\\_size
* `format`: one of `:nbits`, `:q4_0`, `:q8_0`, `:q4_k`
* `bits`: 4 or 8 (UNSUPPORTED otherwise); 0: 4
* `block_size`: 16, 32, 64, 128 or 256; 0: 32
* `dtype`: of what is made. Product: x's, or f32; 0: `into`'s, or x's. Dequantised weights:
  f32, f16 or bf16; 0: `into`'s, or f32. Scales of NBITS that are made: f32, f16 or bf16; 0:
  f32; a type as `Float32`, or a `Netcl.Dtype`
* `has_zero_points`: true: `netcl_op_quantize_weights` makes zero points, of NBITS
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_quantize_weights`.
"""
function op_quantize_weights(
    w::TensorLike;
    scales::Union{Nothing,TensorLike} = nothing,
    zero_points::Union{Nothing,TensorLike} = nothing,
    epilogue::Union{Nothing,Epilogue} = nothing, k::Integer = 0,
    format::Union{Quantization,Symbol} = Quantization(0), bits::Integer = 0,
    block_size::Integer = 0, dtype::Union{Dtype,Symbol,Type} = Dtype(0),
    has_zero_points::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{8}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    weights = Ref{Ptr{Cvoid}}(C_NULL)
    scales_out = Ref{Ptr{Cvoid}}(C_NULL)
    zero_points_out = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scales zero_points options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_quantized_options!(
            place_of(options_struct), options_kept, scales, zero_points, epilogue, k, format, bits,
            block_size, dtype, has_zero_points
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_quantize_weights(
            w, options_struct, run_struct, weights, scales_out, zero_points_out
        )
    end
    give_reference(event, event_place)
    return like(w, take(Tensor, weights[]), into, graph), like(w, take(Tensor, scales_out[]), into, graph), like(w, take(Tensor, zero_points_out[]), into, graph)
end

"""
    op_attention(
        q, k, v;
        bias, mask, query_lengths, key_lengths, block_table, lse_into, scale, softcap, position,
        window_before, window_after, has_scale, has_position, has_window, causal, variant,
        queue, into, waits, event, graph
    )

Scaled dot-product attention: result\\[b, h, m\\] = sum over n of p\\[n\\] v\\[b, g, n\\]
with p = softmax of scale \\* (q\\[b, h, m\\] . k\\[b, g, n\\]) over the keys that query m
sees. q is \\[B, H, M, D\\], k is \\[B, G, N, D\\], v is \\[B, G, N, E\\], the result \\[B,
H, M, E\\]; G divides H, and head h uses g = h / (H / G). D and E are 1 to 256 (UNSUPPORTED
beyond). Views by any strides, so \\[B, M, H, D\\] is a transposed one. f16, bf16, f32, f64
of equal dtype; f16 and bf16 are computed in f32 and rounded once, but for the p\\[n\\] on
matrix units (see `netcl_matrix_units`), which are rounded to the dtype. They are used where
they can be, unless `variant` is `NETCL_VARIANT_ATTENTION_PORTABLE`, and take f16 and bf16
without bias, mask, pages and softcap, of 64 keys and more, with a scale above 0, D and E
multiples of 8, and neighbours along these and all else of q, k and v at multiples of 16
bytes. The scores of all pairs are never in memory. The second result is log sum exp of each
row's scores, \\[B, H, M\\], f32 (f64 for f64). A query that sees no key has the result 0
and the log-sum-exp -inf. A key that is not seen has no influence, whatever k and v hold
there.

Query m stands at key position + m. By default position is N - M, or of each sequence its
keys less its queries, as in FlashAttention from 2.1 on; 0 is the is\\_causal of PyTorch and
of ONNX Attention 23 without a past, the length of the past is that of ONNX with one. A
window is counted from there, and causal is window\\_after 0.

A sequence with lengths has the first of its queries and keys; further queries have the
result 0 and -inf, further keys are not read. With block\\_table k is \\[pages, G, S, D\\],
v is \\[pages, G, S, E\\], N is P S, and key n of sequence b is row n % S of page
block\\_table\\[b, n / S\\]. A sequence with a length out of range, or with a page out of
range among those of its keys, is found on the device: all its results are NaN, and none of
its keys is read.

The bits of the result are the same on every repetition, and on CPUs for any number of
threads. Error per element: at most ((4 D + 32) A + 2 N + 32) eps max|v|, A the largest
|scale| sum|q||k| + |bias| + 1 of the row, plus the rounding, where the sums do not
overflow; on matrix units (2^-11 + 2^-33 N) max|v| more of f16 and 2^-8 max|v| of bf16, and
a v that is not finite makes the result NaN where its p rounds to 0. `into` and lse\\_into
must not share memory with another tensor. The gradient has all scores in memory, wants keys
that are finite where they are not seen too, and there is none with lengths.

* `result`: one reference
* `lse`: one reference
* `bias`: added to the scores: of q's dtype or f32, broadcasts to \\[B, H, M, N\\]; -inf
  hides a key whose score is finite
* `mask`: bool, true: the key is seen; broadcasts to \\[B, H, M, N\\]
* `query_lengths`: i32 \\[B\\]: queries of each sequence, 0 to M; `nothing`: M
* `key_lengths`: i32 \\[B\\]: keys of each sequence, 0 to N; `nothing`: N
* `block_table`: i32 \\[B, P\\]: k and v are pages, of which these are each sequence's;
  needs key\\_lengths
* `lse_into`: write the log-sum-exp here
* `scale`: of q k; 0: 1 / sqrt(D), but for has\\_scale
* `softcap`: c > 0: a score s becomes c tanh(s / c), before the bias; 0: it does not
* `position`: with has\\_position: the key at which query 0 stands
* `window_before`: with has\\_window: keys seen before a query's own; -1: all
* `window_after`: with has\\_window: keys seen behind it; -1: all; causal: 0, -1
* `has_scale`: true: scale is set, even to 0
* `has_position`: true: position is set; false: the last query stands at the last key
* `has_window`: true: they are set
* `causal`: true: no key behind a query's own is seen
* `variant`: 0 or one of ATTENTION\\_...; a `Netcl.Variant`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_attention`.
"""
function op_attention(
    q::TensorLike, k::TensorLike, v::TensorLike;
    bias::Union{Nothing,TensorLike} = nothing, mask::Union{Nothing,TensorLike} = nothing,
    query_lengths::Union{Nothing,TensorLike} = nothing,
    key_lengths::Union{Nothing,TensorLike} = nothing,
    block_table::Union{Nothing,TensorLike} = nothing,
    lse_into::Union{Nothing,TensorLike} = nothing, scale::Real = 0.0, softcap::Real = 0.0,
    position::Integer = 0, window_before::Integer = 0, window_after::Integer = 0,
    has_scale::Union{Bool,Integer} = false, has_position::Union{Bool,Integer} = false,
    has_window::Union{Bool,Integer} = false, causal::Union{Bool,Integer} = false,
    variant::Union{Variant,Symbol} = Variant(0), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{15}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    lse = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve bias mask query_lengths key_lengths block_table lse_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_attention_options!(
            place_of(options_struct), options_kept, bias, mask, query_lengths, key_lengths,
            block_table, lse_into, scale, softcap, position, window_before, window_after, has_scale,
            has_position, has_window, causal, variant
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_attention(q, k, v, options_struct, run_struct, result, lse)
    end
    give_reference(event, event_place)
    return like(q, take(Tensor, result[]), into, graph), like(q, take(Tensor, lse[]), lse_into, graph)
end

"""
    op_rotary_embedding(
        x, cos_cache, sin_cache;
        position_ids, num_heads, rotary_embedding_dim, interleaved, inverse, queue, into, waits,
        event, graph
    )

Rotary position embedding (Su et al., 2021) as ONNX RotaryEmbedding 23: each pair (a, b) of
a head becomes (a cos - b sin, b cos + a sin). x is \\[B, H, S, D\\], or \\[B, S, H D\\]
with num\\_heads. cos\\_cache and sin\\_cache are alike, of x's dtype or f32: \\[P, R / 2\\]
with position\\_ids, else \\[B, S, R / 2\\]. Any strides. f16, bf16, f32, f64; f16 and bf16
are computed in f32. Each product and each sum is rounded by itself: the same bits on every
device, off by at most 2 eps (|a cos| + |b sin|) plus the rounding to the dtype.
docs/attention.md makes the caches.

Positions are 0 to P - 1; negative ones do not count from the end. A token with one out of
range is found on the device: all its results are NaN, and no row is read for it.

`into` may be x when layouts are the same. The gradient is that of x; there is none of the
caches.

* `position_ids`: i32 or i64 \\[B, S\\]: the row of the caches for each token; `nothing`:
  the caches are \\[B, S, R / 2\\]
* `num_heads`: H of x of rank 3; of rank 4 0 or H
* `rotary_embedding_dim`: R, even: so many elements of a head, the first, are rotated, the
  others stay as they are; 0: D, which is even then
* `interleaved`: true: elements 2 i and 2 i + 1 are a pair; false: i and i + R / 2
* `inverse`: true: by the negative angle, which undoes a rotation
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_rotary_embedding`.
"""
function op_rotary_embedding(
    x::TensorLike, cos_cache::TensorLike, sin_cache::TensorLike;
    position_ids::Union{Nothing,TensorLike} = nothing, num_heads::Integer = 0,
    rotary_embedding_dim::Integer = 0, interleaved::Union{Bool,Integer} = false,
    inverse::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{5}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve position_ids options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_rotary_embedding_options!(
            place_of(options_struct), options_kept, position_ids, num_heads, rotary_embedding_dim,
            interleaved, inverse
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_rotary_embedding(
            x, cos_cache, sin_cache, options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_reduce(
        x, kind;
        axes, keepdims, dtype, variant, select_last, queue, into, waits, event, graph
    )

Reduces over axes, as ReduceSum ... ReduceLogSumExp, ArgMax and ArgMin of ONNX. The result
lacks the reduced axes; with `keepdims` they stay with extent 1. Floats keep their dtype,
f16 and bf16 summed in f32. Integers and bool: SUM, PROD, L1 and SUM\\_SQUARE wrap around in
the result's dtype (bool: i64), MAX and MIN keep x's, MEAN, L2, LOG\\_SUM and
LOG\\_SUM\\_EXP give f32. Another dtype of the result is asked for with `dtype` and is what
sums are kept in; MAX and MIN are converted to it at the end, as by `netcl_op_cast`. ARGMAX
and ARGMIN take one axis, or all with the index in C order. Over no elements: SUM, L1, L2,
SUM\\_SQUARE 0; PROD 1; MEAN NaN; LOG\\_SUM, LOG\\_SUM\\_EXP -inf; MAX and MIN the lowest
and highest value (floats: -inf, +inf); ANY 0, ALL 1; ARGMAX and ARGMIN INVALID\\_ARGUMENT.
NaN wins in MAX and MIN, which are exact. Sums add up blocks of at most 64 elements per
accumulator, then the blocks with what rounding takes away (compensated; Higham 4.3). Error
of SUM, L1 and SUM\\_SQUARE: at most (log2 n + 64) eps times the sum of absolute values;
MEAN that over n; PROD n eps relative, 2 n eps when x is wider than what products are kept
in; L2 and LOG\\_SUM what their sum's error comes to, plus 4 eps relative and, for
LOG\\_SUM, eps; LOG\\_SUM\\_EXP (log2 n + 224 + 4 |max x|) eps. The rounding to the result's
dtype comes on top. The order of terms and factors is not fixed: where a part of a PROD with
a float result is out of its range, also one of integers, the result may be 0, infinite or
NaN (infinity times 0), and where a part of a sum is, infinite or NaN, though the whole is
in range.

* `kind`: one of `:sum`, `:mean`, `:max`, `:min`, `:prod`, `:l1`, `:l2`, `:sum_square`,
  `:log_sum`, `:log_sum_exp`, `:argmax`, `:argmin`, `:any`, `:all`
* `axes`: empty: all axes
* `keepdims`: true: reduced axes stay with extent 1
* `dtype`: of the result; 0: as x (see `netcl_op_reduce`); a type as `Float32`, or a
  `Netcl.Dtype`
* `variant`: 0 or one of REDUCTION\\_...; a `Netcl.Variant`
* `select_last`: true: ARGMAX and ARGMIN give the last of equals
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_reduce`.
"""
function op_reduce(
    x::TensorLike, kind::Union{Reduction,Symbol};
    axes = (), keepdims::Union{Bool,Integer} = false,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), variant::Union{Variant,Symbol} = Variant(0),
    select_last::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    kind = enum(Reduction, kind)
    options_struct = StructMemory{5}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_reduce_options!(
            place_of(options_struct), options_kept, axes, keepdims, dtype, variant, select_last
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_reduce(x, kind.value, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_scan(x, kind, axis; exclusive, reverse, queue, into, waits, event, graph)

Running SUM, PROD, MAX or MIN along an axis, as ONNX CumSum: y\\[i\\] = x\\[0\\] + ... +
x\\[i\\] for SUM, or from the other end. The result has the shape of x. dtype as x, f16 and
bf16 kept in f32 on the way; integers wrap around; bool is UNSUPPORTED. Error of sums at i:
at most (log2 n + 64) eps of the running sum|x|; PROD n eps relative; as in
`netcl_op_reduce` parts that are out of range may make them infinite or NaN. MAX and MIN are
exact, NaN wins. `into` may be x when layouts are the same.

* `kind`: one of `:sum`, `:mean`, `:max`, `:min`, `:prod`, `:l1`, `:l2`, `:sum_square`,
  `:log_sum`, `:log_sum_exp`, `:argmax`, `:argmin`, `:any`, `:all`
* `exclusive`: true: element i is of those before i, the first one the neutral value
* `reverse`: true: from the end of the axis
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_scan`.
"""
function op_scan(
    x::TensorLike, kind::Union{Reduction,Symbol}, axis::Integer;
    exclusive::Union{Bool,Integer} = false, reverse::Union{Bool,Integer} = false,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    kind = enum(Reduction, kind)
    options_struct = StructMemory{2}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct queue into waits event_place graph run_kept run_struct begin
        fill_scan_options!(place_of(options_struct), nothing, exclusive, reverse)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_scan(x, kind.value, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_histogram(x, bins; low, high, queue, into, waits, event, graph)

Counts elements of a tensor of any shape and dtype in `bins` (1 or more) equal bins from low
to high, which are finite with low < high: i64 of \\[bins\\], exact. Elements outside and
NaN are not counted. With low = high = 0 the range is that of the finite elements, and one
element value v alone gives \\[v - 0.5, v + 0.5\\]. Bin i is \\[low + i w, low + (i + 1) w),
computed in f64, or in f32 on a device without fp64.

* `low`: lower end; low = high = 0: the lowest finite value of x
* `high`: upper end, which belongs to the last bin
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_histogram`.
"""
function op_histogram(
    x::TensorLike, bins::Integer;
    low::Real = 0.0, high::Real = 0.0, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{3}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct queue into waits event_place graph run_kept run_struct begin
        fill_histogram_options!(place_of(options_struct), nothing, low, high)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_histogram(x, bins, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_topk(x, k, axis; indices_into, smallest, queue, into, waits, event, graph)

The k largest elements along an axis, as ONNX TopK: sorted, the lower index first among
equals, NaN largest; with their indices. values have x's dtype, which may be any, and
indices are i64. Both have x's shape with k along the axis. k is 0, for empty results, up to
the extent of the axis, which sorts it.

* `values`: one reference
* `indices`: one reference
* `indices_into`: write the indices here
* `smallest`: true: the smallest instead of the largest
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_topk`.
"""
function op_topk(
    x::TensorLike, k::Integer, axis::Integer;
    indices_into::Union{Nothing,TensorLike} = nothing,
    smallest::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{3}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    values = Ref{Ptr{Cvoid}}(C_NULL)
    indices = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve indices_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_topk_options!(place_of(options_struct), options_kept, indices_into, smallest)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_topk(x, k, axis, options_struct, run_struct, values, indices)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, values[]), into, graph), like(x, take(Tensor, indices[]), indices_into, graph)
end

"""
    op_softmax(x, axis; queue, into, waits, event, graph)

exp(x - m) / sum exp(x - m) along an axis, m the maximum: ONNX Softmax. Floats. The result
has x's shape and dtype. Error: (8 + log2 n) ULP plus 2 |x - m| eps relative. A row with NaN
or +inf is NaN, a row of -inf is NaN. `into` may be x when layouts are the same.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_softmax`.
"""
function op_softmax(
    x::TensorLike, axis::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_softmax(x, axis, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_log_softmax(x, axis; queue, into, waits, event, graph)

x - m - log sum exp(x - m) along an axis: ONNX LogSoftmax. The result has x's shape. Error:
8 eps (|x - m| + log n + 1). Else as `netcl_op_softmax`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_log_softmax`.
"""
function op_log_softmax(
    x::TensorLike, axis::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_log_softmax(x, axis, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_layernorm(
        x, axis;
        scale, bias, epsilon, has_epsilon, mean_into, inverse_deviation_into, queue, into,
        waits, event, graph
    )

(x - mean) / sqrt(variance + epsilon) \\* scale + bias over the axes from `axis` on, as ONNX
LayerNormalization. The variance is that of the population, from the centred values. Floats;
scale and bias have x's dtype or f32. The result has x's shape, scale and bias that of those
axes. Error: (32 + log2 n) eps (|y - bias| + |scale| max|x| / deviation) plus the rounding,
while sums and squares stay in the range of the type computed in. `into` may be x when
layouts are the same.

`mean_into` and inverse\\_deviation\\_into get the statistics, the second and third result
of LayerNormalization: of x's shape with extents of 1 from `axis` on, f32, or f64 of f64,
NaN where a row has no elements. They share no memory with another tensor of the call.
Error: (32 + log2 n) eps max|x| of the mean, and (32 + log2 n) eps (1 + max|x| / deviation)
relative of the other.

* `scale`: broadcasts to the normalised axes; `nothing`: 1
* `bias`: the same; layernorm only; `nothing`: 0
* `epsilon`: finite, from 0 on; 0: 1e-5, but for has\\_epsilon
* `has_epsilon`: true: epsilon is set, even to 0
* `mean_into`: write the mean of each row here; layernorm only
* `inverse_deviation_into`: write 1 / sqrt(variance + epsilon) of each row here, of rmsnorm
  1 / sqrt(mean(x^2) + epsilon)
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_layernorm`.
"""
function op_layernorm(
    x::TensorLike, axis::Integer;
    scale::Union{Nothing,TensorLike} = nothing, bias::Union{Nothing,TensorLike} = nothing,
    epsilon::Real = 0.0, has_epsilon::Union{Bool,Integer} = false,
    mean_into::Union{Nothing,TensorLike} = nothing,
    inverse_deviation_into::Union{Nothing,TensorLike} = nothing,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scale bias mean_into inverse_deviation_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_norm_options!(
            place_of(options_struct), options_kept, scale, bias, epsilon, has_epsilon, mean_into,
            inverse_deviation_into
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_layernorm(x, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_rmsnorm(
        x, axis;
        scale, bias, epsilon, has_epsilon, mean_into, inverse_deviation_into, queue, into,
        waits, event, graph
    )

x / sqrt(mean(x^2) + epsilon) \\* scale over the axes from `axis` on (Zhang and Sennrich,
2019). The result has x's shape, scale that of those axes. Error: (32 + log2 n) eps
relative, also of `inverse_deviation_into`; mean\\_into is INVALID\\_ARGUMENT. Else as
`netcl_op_layernorm`.

* `scale`: broadcasts to the normalised axes; `nothing`: 1
* `bias`: the same; layernorm only; `nothing`: 0
* `epsilon`: finite, from 0 on; 0: 1e-5, but for has\\_epsilon
* `has_epsilon`: true: epsilon is set, even to 0
* `mean_into`: write the mean of each row here; layernorm only
* `inverse_deviation_into`: write 1 / sqrt(variance + epsilon) of each row here, of rmsnorm
  1 / sqrt(mean(x^2) + epsilon)
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_rmsnorm`.
"""
function op_rmsnorm(
    x::TensorLike, axis::Integer;
    scale::Union{Nothing,TensorLike} = nothing, bias::Union{Nothing,TensorLike} = nothing,
    epsilon::Real = 0.0, has_epsilon::Union{Bool,Integer} = false,
    mean_into::Union{Nothing,TensorLike} = nothing,
    inverse_deviation_into::Union{Nothing,TensorLike} = nothing,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scale bias mean_into inverse_deviation_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_norm_options!(
            place_of(options_struct), options_kept, scale, bias, epsilon, has_epsilon, mean_into,
            inverse_deviation_into
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_rmsnorm(x, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_batchnorm(
        x, mean, variance;
        scale, bias, epsilon, momentum, alpha, beta, activation, variant, training, has_epsilon,
        has_momentum, has_parameters, queue, into, waits, event, graph
    )

Batch normalisation as ONNX BatchNormalization: x is \\[N, C, ...\\] of rank 2 or more, mean
and variance are \\[C\\]. In training the batch's own mean and population variance are used,
and the tensors `mean` and `variance` become old \\* momentum + batch \\* (1 - momentum);
they share no memory with another tensor of the call then, and an empty batch leaves them as
they are. Parameters have x's dtype or f32. Error as `netcl_op_layernorm`. `into` may be x
when layouts are the same.

* `scale`: \\[C\\]; `nothing`: 1
* `bias`: \\[C\\]; `nothing`: 0
* `epsilon`: finite, from 0 on; 0: 1e-5, but for has\\_epsilon
* `momentum`: training: share of the old statistics, \\[0, 1\\]; 0: 0.9, but for
  has\\_momentum
* `alpha`: of the activation; both 0: the activation's defaults
* `beta`: of the activation; both 0: the activation's defaults
* `activation`: applied to the result; one of `:none` (unless another is given), `:relu`,
  `:leaky_relu`, `:elu`, `:sigmoid`, `:tanh`, `:silu`, `:gelu`, `:gelu_tanh`, `:softplus`,
  `:hard_sigmoid`, `:hard_swish`, `:clip`
* `variant`: 0 or one of BATCHNORM\\_...; a `Netcl.Variant`
* `training`: true: statistics of this batch
* `has_epsilon`: true: epsilon is set, even to 0
* `has_momentum`: true: momentum is set, even to 0
* `has_parameters`: true: alpha and beta are set, even to 0
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_batchnorm`.
"""
function op_batchnorm(
    x::TensorLike, mean::TensorLike, variance::TensorLike;
    scale::Union{Nothing,TensorLike} = nothing, bias::Union{Nothing,TensorLike} = nothing,
    epsilon::Real = 0.0, momentum::Real = 0.0, alpha::Real = 0.0, beta::Real = 0.0,
    activation::Union{Activation,Symbol} = Activation(0),
    variant::Union{Variant,Symbol} = Variant(0), training::Union{Bool,Integer} = false,
    has_epsilon::Union{Bool,Integer} = false, has_momentum::Union{Bool,Integer} = false,
    has_parameters::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{10}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scale bias options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_batchnorm_options!(
            place_of(options_struct), options_kept, scale, bias, epsilon, momentum, alpha, beta,
            activation, variant, training, has_epsilon, has_momentum, has_parameters
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_batchnorm(x, mean, variance, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_pool(
        x, kind;
        window, strides, dilations, padding, ceil_mode, count_include_pad, indices_into, p,
        column_major, queue, into, waits, event, graph
    )

Pooling over one to three axes of space, x being \\[N, C, ...\\], as ONNX MaxPool,
AveragePool and LpPool, and their Global forms. Windows, strides and dilations are 1 to 2^31
\\- 1, padding 0 to 2^31 - 1, and a window spans no more than x and its padding: (window - 1)
dilation + 1 elements. MAX: floats and integers, exact, NaN wins, padding never does.
AVERAGE: floats, error as `netcl_op_reduce`; cells beyond the padding do not count. LP:
floats, padding counts as 0; error: (128 + log2 n) (1 + 1 / p) eps relative of n elements
plus the rounding, while powers and sums stay in the range of f32, or f64 of f64; its
gradient is 0 where all of a window is. A window over padding alone gives the lowest value
(MAX), NaN (AVERAGE), or 0 (LP, and AVERAGE with count\\_include\\_pad). With ceil\\_mode,
windows that begin behind x and its front padding are left out.

`indices_into`, i64 of the result's shape, gets which element of x each maximum is, as the
second result of MaxPool: of equal ones the first in its window, in C order, NaN being the
largest. Elements are counted in C order over all of x, with column\\_major (ONNX:
storage\\_order 1) the first axis of space being the fastest within a plane. -1 stands for a
window over padding alone. It shares no memory with another tensor of the call.

* `kind`: one of `:max`, `:average`, `:lp`
* `window`: 0, or empty: the whole extent (global pooling)
* `strides`: 0, or empty: 1
* `dilations`: 0, or empty: 1
* `padding`: in front of every axis, then behind every axis, less than the window spans;
  empty: none
* `ceil_mode`: true: round the result's extent up
* `count_include_pad`: true: averages count the padding
* `indices_into`: write the index of each maximum here; MAX only
* `p`: of LP, finite and 1 or more; 0: 2. Others look at none
* `column_major`: true: indices count the elements of a plane by columns
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_pool`.
"""
function op_pool(
    x::TensorLike, kind::Union{Pooling,Symbol};
    window = (), strides = (), dilations = (), padding = (),
    ceil_mode::Union{Bool,Integer} = false, count_include_pad::Union{Bool,Integer} = false,
    indices_into::Union{Nothing,TensorLike} = nothing, p::Real = 0.0,
    column_major::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    kind = enum(Pooling, kind)
    options_struct = StructMemory{11}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve indices_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_pooling_options!(
            place_of(options_struct), options_kept, window, strides, dilations, padding, ceil_mode,
            count_include_pad, indices_into, p, column_major
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_pool(x, kind.value, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_max_unpool2d(x, indices, height, width; column_major, queue, into, waits, event, graph)

Puts the elements of x, \\[N, C, OH, OW\\] of any dtype, to their indices in zeros of \\[N,
C, height, width\\], as ONNX MaxUnpool: what `netcl_op_pool` with indices\\_into took apart.
indices are i64 or i32 of x's shape and count as there; one that is negative or beyond the
result is left out, and of equal ones the last in C order wins. height and width are 0 to
2^31 - 1. Exact. `into` shares no memory with x or indices. The gradient is that of x.

* `column_major`: true: indices count the elements of a plane by columns
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_max_unpool2d`.
"""
function op_max_unpool2d(
    x::TensorLike, indices::TensorLike, height::Integer, width::Integer;
    column_major::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{2}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct queue into waits event_place graph run_kept run_struct begin
        fill_max_unpool2d_options!(place_of(options_struct), nothing, column_major)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_max_unpool2d(
            x, indices, height, width, options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_roi_pool(
        x, rois, images, kind;
        bins, samples, scale, half_pixel, queue, into, waits, event, graph
    )

Cuts regions of images into bins and gives one number for each, as ONNX RoiAlign and
MaxRoiPool: \\[R, C, rows, columns\\] of x \\[N, C, H, W\\], which is of floats. rois \\[R,
4\\], f32 or f64, has the left, upper, right and lower end of each region; images \\[R\\],
i32 or i64, the image that it is of. A region of an image that there is not gives 0, as does
a bin without samples or elements. Samples lie between elements and are weighed linearly, in
f32, or f64 where x is f64; their places have the precision of rois. Those more than an
element outside of the image count as 0, others as at its edge. MAX rounds the ends to
elements and a bin outwards, and is exact; error of the others as `netcl_op_reduce` over the
elements that have weight.

* `kind`: one of `:average`, `:max_sample`, `:max`
* `bins`: rows and columns of the result, at most 65536; 0: 1; 2 numbers, or one for all
* `samples`: of a bin along each side, at most 256; 0: one for each element that it begins.
  MAX has none
* `scale`: of the numbers in rois; 0: 1
* `half_pixel`: true: the scaled numbers are less by 0.5, and regions may be narrower than
  an element. MAX looks at none
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_roi_pool`.
"""
function op_roi_pool(
    x::TensorLike, rois::TensorLike, images::TensorLike, kind::Union{RoiPooling,Symbol};
    bins = ntuple(_ -> Int64(0), 2), samples::Integer = 0, scale::Real = 0.0,
    half_pixel::Union{Bool,Integer} = false, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    kind = enum(RoiPooling, kind)
    options_struct = StructMemory{6}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct queue into waits event_place graph run_kept run_struct begin
        fill_roi_pool_options!(place_of(options_struct), nothing, bins, samples, scale, half_pixel)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_roi_pool(
            x, rois, images, kind.value, options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_quantize_linear(
        x, scale, axis;
        zero_point, block_size, dtype, precision, queue, into, waits, event, graph
    )

round(x / scale) + zero\\_point, saturated: ONNX QuantizeLinear 25 with results of 8 and 16
bits. x is f32, f16, bf16 or i32; scale is f32, f16, bf16, or i32 for an x of i32, which
then is divided exactly. The shape of scale says what shares one: with one element (any
rank) it holds for all of x, and `axis` is not looked at; \\[D\\] gives each of the D places
along the axis its own; with blocks it is x's shape but for ceil(D / block\\_size) places
along the axis, and the rank of x is at most 7 (UNSUPPORTED beyond). The result is a
constant to gradients.

* `zero_point`: of the scale's shape and the result's dtype; `nothing`: 0
* `block_size`: elements along the axis that share a scale; 0: no blocks
* `dtype`: of the result: i8, u8, i16, u16; 0: as zero\\_point or `into`, else u8; a type as
  `Float32`, or a `Netcl.Dtype`
* `precision`: what x and scale are converted to, divided in and rounded to: f32, f16, bf16;
  0: as scale; a type as `Float32`, or a `Netcl.Dtype`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_quantize_linear`.
"""
function op_quantize_linear(
    x::TensorLike, scale::TensorLike, axis::Integer;
    zero_point::Union{Nothing,TensorLike} = nothing, block_size::Integer = 0,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0),
    precision::Union{Dtype,Symbol,Type} = Dtype(0), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve zero_point options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_quantize_linear_options!(
            place_of(options_struct), options_kept, zero_point, block_size, dtype, precision
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_quantize_linear(x, scale, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_dequantize_linear(
        x, scale, axis;
        zero_point, block_size, dtype, queue, into, waits, event, graph
    )

(x - zero\\_point) \\* scale as ONNX DequantizeLinear 25: x is i8, u8, i16, u16 or i32,
scale f32, f16 or bf16, with shapes as for `netcl_op_quantize_linear`. The difference is
exact, then rounded to f32; the product is rounded to f32 and then to the result's dtype.
The gradient is that of scale, without blocks; x and zero\\_point are constants to it,
whatever they were made of, as all integers are.

* `zero_point`: of the scale's shape and x's dtype; `nothing`: 0
* `block_size`: elements along the axis that share a scale; 0: no blocks
* `dtype`: of the result: f32, f16, bf16; 0: as `into`, else as scale; a type as `Float32`,
  or a `Netcl.Dtype`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_dequantize_linear`.
"""
function op_dequantize_linear(
    x::TensorLike, scale::TensorLike, axis::Integer;
    zero_point::Union{Nothing,TensorLike} = nothing, block_size::Integer = 0,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{4}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve zero_point options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_dequantize_linear_options!(
            place_of(options_struct), options_kept, zero_point, block_size, dtype
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_dequantize_linear(x, scale, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_dynamic_quantize_linear(x; scale_into, zero_point_into, queue, into, waits, event, graph)

Quantises f32 to u8 by the range of its elements, as ONNX DynamicQuantizeLinear 11, all on
the device: with low = min(x, 0) and high = max(x, 0) the scale is (high - low) / 255, or 1
where that range is 0 (also of no elements), the zero point round(0 - low / scale) within 0
to 255, and the result that of `netcl_op_quantize_linear`, in x's shape. All are rounded in
f32. A NaN in x makes the scale NaN and all else 0. There is no gradient.

* `result`: one reference
* `scale`: one reference, f32 of rank 0
* `zero_point`: one reference, u8 of rank 0
* `scale_into`: write the scale here: f32, rank 0
* `zero_point_into`: write the zero point here: u8, rank 0
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_dynamic_quantize_linear`.
"""
function op_dynamic_quantize_linear(
    x::TensorLike;
    scale_into::Union{Nothing,TensorLike} = nothing,
    zero_point_into::Union{Nothing,TensorLike} = nothing,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{3}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    scale = Ref{Ptr{Cvoid}}(C_NULL)
    zero_point = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve scale_into zero_point_into options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_dynamic_quantize_linear_options!(
            place_of(options_struct), options_kept, scale_into, zero_point_into
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_dynamic_quantize_linear(
            x, options_struct, run_struct, result, scale, zero_point
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph), like(x, take(Tensor, scale[]), scale_into, graph), like(x, take(Tensor, zero_point[]), zero_point_into, graph)
end

"""
    op_qlinear_matmul(
        a, a_scale, b, b_scale, y_scale;
        a_zero_point, b_zero_point, y_zero_point, dtype, queue, into, waits, event, graph
    )

Product of quantised matrices, quantised again, as ONNX QLinearMatMul 21: the i32 sums of
`netcl_op_matmul` with zero points, converted to f32, times (a\\_scale \\* b\\_scale) /
y\\_scale; then rounded, the zero point added, saturated. Each step is rounded in f32, whose
order is that of ONNX Runtime. a is \\[..., M, K\\] and b \\[..., K, N\\]. They are i8 or
u8, each of either. Scales are f32, f16 or bf16, of the shapes that the zero points of their
operand may have; y\\_scale has one element. There is no gradient.

* `a_zero_point`: one element, \\[M\\], or \\[..., M, 1\\]; `nothing`: 0
* `b_zero_point`: one element, \\[N\\], or \\[..., 1, N\\]; `nothing`: 0
* `y_zero_point`: one element of the result's dtype; `nothing`: 0
* `dtype`: of the result: i8, u8; 0: as y\\_zero\\_point or `into`, else as a; a type as
  `Float32`, or a `Netcl.Dtype`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_qlinear_matmul`.
"""
function op_qlinear_matmul(
    a::TensorLike, a_scale::TensorLike, b::TensorLike, b_scale::TensorLike,
    y_scale::TensorLike;
    a_zero_point::Union{Nothing,TensorLike} = nothing,
    b_zero_point::Union{Nothing,TensorLike} = nothing,
    y_zero_point::Union{Nothing,TensorLike} = nothing,
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{5}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve a_zero_point b_zero_point y_zero_point options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_qlinear_matmul_options!(
            place_of(options_struct), options_kept, a_zero_point, b_zero_point, y_zero_point, dtype
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_qlinear_matmul(
            a, a_scale, b, b_scale, y_scale, options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(a, take(Tensor, result[]), into, graph)
end

"""
    op_conv2d_integer(
        x, w;
        x_zero_point, w_zero_point, strides, dilations, padding, groups, queue, into, waits,
        event, graph
    )

2-d convolution of integers as ONNX ConvInteger 10: x and w are i8 or u8, each of either,
with shapes and limits as for `netcl_op_conv2d`. The result is i32: the sums of (x -
x\\_zero\\_point) \\* (w - w\\_zero\\_point) modulo 2^32, in which padding adds nothing.
Windows, and images with padding, are laid out in memory, up to 64 MiB or one image at a
time. There is no gradient.

* `x_zero_point`: one element; `nothing`: 0
* `w_zero_point`: one element or \\[F\\]; `nothing`: 0
* `strides`: 0: 1; 2 numbers, or one for all
* `dilations`: 0: 1; 2 numbers, or one for all
* `padding`: around x: top, left, bottom, right; 4 numbers, or one for all
* `groups`: 0: 1
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_conv2d_integer`.
"""
function op_conv2d_integer(
    x::TensorLike, w::TensorLike;
    x_zero_point::Union{Nothing,TensorLike} = nothing,
    w_zero_point::Union{Nothing,TensorLike} = nothing, strides = ntuple(_ -> Int64(0), 2),
    dilations = ntuple(_ -> Int64(0), 2), padding = ntuple(_ -> Int64(0), 4),
    groups::Integer = 0, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{12}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve x_zero_point w_zero_point options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_conv2d_integer_options!(
            place_of(options_struct), options_kept, x_zero_point, w_zero_point, strides, dilations,
            padding, groups
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_conv2d_integer(x, w, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_qlinear_conv2d(
        x, x_scale, w, w_scale, y_scale;
        x_zero_point, w_zero_point, y_zero_point, bias, strides, dilations, padding, groups,
        dtype, queue, into, waits, event, graph
    )

Convolution of quantised images, quantised again, as ONNX QLinearConv 10: the sums of
`netcl_op_conv2d_integer` and the bias, modulo 2^32, then as `netcl_op_qlinear_matmul` with
x\\_scale and w\\_scale. x\\_scale and y\\_scale have one element, w\\_scale one or \\[F\\];
f32, f16 or bf16. There is no gradient.

* `x_zero_point`: one element; `nothing`: 0
* `w_zero_point`: one element or \\[F\\]; `nothing`: 0
* `y_zero_point`: one element of the result's dtype; `nothing`: 0
* `bias`: i32 \\[F\\], in steps of x\\_scale \\* w\\_scale; `nothing`: 0
* `strides`: 0: 1; 2 numbers, or one for all
* `dilations`: 0: 1; 2 numbers, or one for all
* `padding`: around x: top, left, bottom, right; 4 numbers, or one for all
* `groups`: 0: 1
* `dtype`: of the result: i8, u8; 0: as y\\_zero\\_point or `into`, else as x; a type as
  `Float32`, or a `Netcl.Dtype`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_qlinear_conv2d`.
"""
function op_qlinear_conv2d(
    x::TensorLike, x_scale::TensorLike, w::TensorLike, w_scale::TensorLike,
    y_scale::TensorLike;
    x_zero_point::Union{Nothing,TensorLike} = nothing,
    w_zero_point::Union{Nothing,TensorLike} = nothing,
    y_zero_point::Union{Nothing,TensorLike} = nothing,
    bias::Union{Nothing,TensorLike} = nothing, strides = ntuple(_ -> Int64(0), 2),
    dilations = ntuple(_ -> Int64(0), 2), padding = ntuple(_ -> Int64(0), 4),
    groups::Integer = 0, dtype::Union{Dtype,Symbol,Type} = Dtype(0),
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{15}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve x_zero_point w_zero_point y_zero_point bias options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_qlinear_conv2d_options!(
            place_of(options_struct), options_kept, x_zero_point, w_zero_point, y_zero_point, bias,
            strides, dilations, padding, groups, dtype
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_qlinear_conv2d(
            x, x_scale, w, w_scale, y_scale, options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_cross_entropy(
        x, labels, axis;
        weights, ignore_index, has_ignore_index, reduction, dtype, queue, into, waits, event,
        graph
    )

Softmax cross entropy, as ONNX SoftmaxCrossEntropyLoss: -w\\[label\\] log
softmax(x)\\[label\\] along `axis`, which has C classes, in one pass over x. The
log-probabilities are not kept; they are those of `netcl_op_log_softmax`. labels is i32 or
i64, in x's shape without that axis. A label that is ignored has the loss 0 and the weight
0, whatever its scores are. Other labels are 0 to C - 1: one out of range has the loss NaN,
and so have sum and mean; negative ones do not count from the end. The loss has the shape of
labels, or rank 0 for a sum or mean. Floats; f16 and bf16 are computed and summed in f32.
Error of a loss: at most 8 eps |w| (|x\\[label\\] - m| + log C + 1), m the maximum, plus the
rounding; of sum and mean that of `netcl_op_reduce` on top.

* `weights`: \\[C\\], of the classes, in x's dtype or f32; `nothing`: 1
* `ignore_index`: labels of this value do not count; 0: none, but for has\\_ignore\\_index
* `has_ignore_index`: true: ignore\\_index is set, even to 0
* `reduction`: one of `:mean` (unless another is given), `:sum`, `:none`
* `dtype`: of the loss; 0: x's; f32 is possible for f16 and bf16; a type as `Float32`, or a
  `Netcl.Dtype`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_cross_entropy`.
"""
function op_cross_entropy(
    x::TensorLike, labels::TensorLike, axis::Integer;
    weights::Union{Nothing,TensorLike} = nothing, ignore_index::Integer = 0,
    has_ignore_index::Union{Bool,Integer} = false,
    reduction::Union{LossReduction,Symbol} = LossReduction(0),
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{5}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve weights options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_loss_options!(
            place_of(options_struct), options_kept, weights, ignore_index, has_ignore_index,
            reduction, dtype
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_cross_entropy(x, labels, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_nll_loss(
        x, labels, axis;
        weights, ignore_index, has_ignore_index, reduction, dtype, queue, into, waits, event,
        graph
    )

The same of log-probabilities, as ONNX NegativeLogLikelihoodLoss: -w\\[label\\]
x\\[label\\]. Error of a loss: one rounding of the product, and that to the dtype.

* `weights`: \\[C\\], of the classes, in x's dtype or f32; `nothing`: 1
* `ignore_index`: labels of this value do not count; 0: none, but for has\\_ignore\\_index
* `has_ignore_index`: true: ignore\\_index is set, even to 0
* `reduction`: one of `:mean` (unless another is given), `:sum`, `:none`
* `dtype`: of the loss; 0: x's; f32 is possible for f16 and bf16; a type as `Float32`, or a
  `Netcl.Dtype`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_nll_loss`.
"""
function op_nll_loss(
    x::TensorLike, labels::TensorLike, axis::Integer;
    weights::Union{Nothing,TensorLike} = nothing, ignore_index::Integer = 0,
    has_ignore_index::Union{Bool,Integer} = false,
    reduction::Union{LossReduction,Symbol} = LossReduction(0),
    dtype::Union{Dtype,Symbol,Type} = Dtype(0), queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{5}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve weights options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_loss_options!(
            place_of(options_struct), options_kept, weights, ignore_index, has_ignore_index,
            reduction, dtype
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_nll_loss(x, labels, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_sgd(
        parameters, gradients, learning_rate;
        momentum_buffers, step, factor, precision, momentum, dampening, weight_decay, nesterov,
        queue, into, waits, event, graph
    )

Stochastic gradient descent: g += weight\\_decay p; b = momentum b + (1 - dampening) g, in
the first step b = g; p -= learning\\_rate b, or with nesterov p -= learning\\_rate (g +
momentum b). Without momentum p -= learning\\_rate g.

* `momentum_buffers`: b, needed with momentum
* `step`: i64, one element, at first 0: counts steps; needed with dampening
* `factor`: of the learning rate
* `momentum`: 0: none
* `nesterov`: true: Nesterov's momentum, which has no dampening
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_sgd`.
"""
function op_sgd(
    parameters, gradients, learning_rate::Real;
    momentum_buffers = (), step::Union{Nothing,TensorLike} = nothing,
    factor::Union{Nothing,TensorLike} = nothing,
    precision::Union{Nothing,MixedPrecision} = nothing, momentum::Real = 0.0,
    dampening::Real = 0.0, weight_decay::Real = 0.0, nesterov::Union{Bool,Integer} = false,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    parameters = handle_list(TensorLike, :parameters, parameters)
    gradients = handle_list(TensorLike, :gradients, gradients)
    momentum_buffers = handle_list(TensorLike, :momentum_buffers, momentum_buffers)
    options_struct = StructMemory{9}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve parameters gradients momentum_buffers step factor options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_sgd_options!(
            place_of(options_struct), options_kept, momentum_buffers, step, factor, precision,
            momentum, dampening, weight_decay, nesterov
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_sgd(
            or_null(raw_list(parameters)), length(parameters), or_null(raw_list(gradients)),
            length(gradients), learning_rate, options_struct, run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_adam(
        parameters, gradients, averages, square_averages, step, learning_rate;
        max_square_averages, factor, precision, beta1, beta2, epsilon, weight_decay, has_betas,
        decoupled, queue, into, waits, event, graph
    )

Adam: g += weight\\_decay p, or when it is decoupled p -= learning\\_rate weight\\_decay p;
m += (1 - beta1) (g - m); v = beta2 v + (1 - beta2) g^2; with t steps done, this one
included, p -= learning\\_rate / (1 - beta1^t) m / (sqrt(v / (1 - beta2^t)) + epsilon).
`averages` are m, `square_averages` v; both begin as zeros.

* `step`: i64, one element, at first 0: the op counts the steps in it
* `max_square_averages`: when given, AMSGrad: the largest v so far
* `factor`: of the learning rate
* `beta1`: 0: 0.9
* `beta2`: 0: 0.999
* `epsilon`: 0: 1e-8
* `weight_decay`: the default is 0, for AdamW too
* `has_betas`: true: they are set, even to 0
* `decoupled`: true: AdamW
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_adam`.
"""
function op_adam(
    parameters, gradients, averages, square_averages, step::TensorLike, learning_rate::Real;
    max_square_averages = (), factor::Union{Nothing,TensorLike} = nothing,
    precision::Union{Nothing,MixedPrecision} = nothing, beta1::Real = 0.0,
    beta2::Real = 0.0, epsilon::Real = 0.0, weight_decay::Real = 0.0,
    has_betas::Union{Bool,Integer} = false, decoupled::Union{Bool,Integer} = false,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    parameters = handle_list(TensorLike, :parameters, parameters)
    gradients = handle_list(TensorLike, :gradients, gradients)
    averages = handle_list(TensorLike, :averages, averages)
    square_averages = handle_list(TensorLike, :square_averages, square_averages)
    max_square_averages = handle_list(TensorLike, :max_square_averages, max_square_averages)
    options_struct = StructMemory{10}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve parameters gradients averages square_averages max_square_averages factor options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_adam_options!(
            place_of(options_struct), options_kept, max_square_averages, factor, precision, beta1,
            beta2, epsilon, weight_decay, has_betas, decoupled
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_adam(
            or_null(raw_list(parameters)), length(parameters), or_null(raw_list(gradients)),
            length(gradients), or_null(raw_list(averages)), length(averages),
            or_null(raw_list(square_averages)), length(square_averages), step, learning_rate,
            options_struct, run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_rmsprop(
        parameters, gradients, square_averages, learning_rate;
        momentum_buffers, averages, factor, precision, alpha, epsilon, momentum, weight_decay,
        queue, into, waits, event, graph
    )

RMSprop: g += weight\\_decay p; v = alpha v + (1 - alpha) g^2; d = sqrt(v) + epsilon, or
with averages m += (1 - alpha) (g - m) and d = sqrt(v - m^2) + epsilon, where a difference
below 0 counts as 0; p -= learning\\_rate g / d, or with momentum b = momentum b + g / d and
p -= learning\\_rate b. `square_averages` are v.

* `momentum_buffers`: b, needed with momentum
* `averages`: m; when given, the variance divides: \"centered\"
* `factor`: of the learning rate
* `alpha`: 0: 0.99
* `epsilon`: 0: 1e-8
* `momentum`: 0: none
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_rmsprop`.
"""
function op_rmsprop(
    parameters, gradients, square_averages, learning_rate::Real;
    momentum_buffers = (), averages = (), factor::Union{Nothing,TensorLike} = nothing,
    precision::Union{Nothing,MixedPrecision} = nothing, alpha::Real = 0.0,
    epsilon::Real = 0.0, momentum::Real = 0.0, weight_decay::Real = 0.0,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    parameters = handle_list(TensorLike, :parameters, parameters)
    gradients = handle_list(TensorLike, :gradients, gradients)
    square_averages = handle_list(TensorLike, :square_averages, square_averages)
    momentum_buffers = handle_list(TensorLike, :momentum_buffers, momentum_buffers)
    averages = handle_list(TensorLike, :averages, averages)
    options_struct = StructMemory{10}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve parameters gradients square_averages momentum_buffers averages factor options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_rmsprop_options!(
            place_of(options_struct), options_kept, momentum_buffers, averages, factor, precision,
            alpha, epsilon, momentum, weight_decay
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_rmsprop(
            or_null(raw_list(parameters)), length(parameters), or_null(raw_list(gradients)),
            length(gradients), or_null(raw_list(square_averages)), length(square_averages),
            learning_rate, options_struct, run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_adagrad(
        parameters, gradients, sums, learning_rate;
        step, factor, precision, learning_rate_decay, epsilon, weight_decay, queue, into, waits,
        event, graph
    )

Adagrad: g += weight\\_decay p; s += g^2; with t steps done before this one, p -=
learning\\_rate / (1 + t learning\\_rate\\_decay) g / (sqrt(s) + epsilon). `sums` are s,
which may begin above 0.

* `step`: i64, one element, at first 0: counts the steps; needed with
  learning\\_rate\\_decay
* `factor`: of the learning rate
* `epsilon`: 0: 1e-10
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_adagrad`.
"""
function op_adagrad(
    parameters, gradients, sums, learning_rate::Real;
    step::Union{Nothing,TensorLike} = nothing, factor::Union{Nothing,TensorLike} = nothing,
    precision::Union{Nothing,MixedPrecision} = nothing, learning_rate_decay::Real = 0.0,
    epsilon::Real = 0.0, weight_decay::Real = 0.0, queue::Union{Nothing,Queue} = nothing,
    into::Union{Nothing,TensorLike} = nothing, waits = (),
    event::Union{Nothing,Ref{Event}} = nothing, graph::Union{Nothing,Graph} = nothing
)
    parameters = handle_list(TensorLike, :parameters, parameters)
    gradients = handle_list(TensorLike, :gradients, gradients)
    sums = handle_list(TensorLike, :sums, sums)
    options_struct = StructMemory{7}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve parameters gradients sums step factor options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_adagrad_options!(
            place_of(options_struct), options_kept, step, factor, precision, learning_rate_decay,
            epsilon, weight_decay
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_adagrad(
            or_null(raw_list(parameters)), length(parameters), or_null(raw_list(gradients)),
            length(gradients), or_null(raw_list(sums)), length(sums), learning_rate, options_struct,
            run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_clip_by_norm(tensors, max_norm; queue, into, waits, event, graph)

Clips gradients, of any shapes, in place: with n the Euclidean norm of all elements of all
tensors, each is multiplied by min(1, max\\_norm / (n + 1e-6)). With an infinite n finite
elements become 0 and infinite ones NaN; with a NaN all become NaN. n has no overflow on the
way; its error is at most (log2 of the elements + 128) eps n. It is the result: rank 0, f32,
or f64 where the tensors are, which then all are.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_clip_by_norm`.
"""
function op_clip_by_norm(
    tensors, max_norm::Real;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    tensors = handle_list(TensorLike, :tensors, tensors)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve tensors queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_clip_by_norm(
            or_null(raw_list(tensors)), length(tensors), max_norm, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(tensors, take(Tensor, result[]), into, graph)
end

"""
    op_unscale(tensors, scale, found_inf; queue, into, waits, event, graph)

Prepares the gradients of a scaled loss, in tensors of any shapes: found\\_inf becomes 1
when an element of a tensor is infinite or NaN, else 0; with a scale, an f32 tensor of one
element, all elements are multiplied by 1 / scale in place. found\\_inf is f32, one element.

* `scale`: may be `nothing`: the tensors are only read
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_unscale`.
"""
function op_unscale(
    tensors, scale::Union{Nothing,TensorLike}, found_inf::TensorLike;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    tensors = handle_list(TensorLike, :tensors, tensors)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve tensors queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_unscale(
            or_null(raw_list(tensors)), length(tensors), or_null(scale), found_inf, run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_update_loss_scale(
        scale, tracker, found_inf;
        growth_factor, backoff_factor, growth_interval, queue, into, waits, event, graph
    )

The scale of the next loss, as torch.amp.GradScaler.update: where found\\_inf is not 0,
scale is multiplied by backoff\\_factor and tracker becomes 0; else 1 is added to tracker,
and when that makes growth\\_interval it becomes 0 and scale is multiplied by
growth\\_factor, unless it would be infinite. scale and found\\_inf are f32, tracker is i64,
of one element each.

* `growth_factor`: above 1; 0: 2
* `backoff_factor`: in (0, 1); 0: 0.5
* `growth_interval`: 0: 2000
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_update_loss_scale`.
"""
function op_update_loss_scale(
    scale::TensorLike, tracker::TensorLike, found_inf::TensorLike;
    growth_factor::Real = 0.0, backoff_factor::Real = 0.0, growth_interval::Integer = 0,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{4}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    GC.@preserve options_struct queue into waits event_place graph run_kept run_struct begin
        fill_loss_scale_options!(
            place_of(options_struct), nothing, growth_factor, backoff_factor, growth_interval
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_update_loss_scale(
            scale, tracker, found_inf, options_struct, run_struct
        )
    end
    give_reference(event, event_place)
    return nothing
end

"""
    op_transpose(x, axes; queue, into, waits, event, graph)

Copies with the dimensions in another order, as ONNX Transpose; an empty `axes` turns them
round. Extent i of the result is x's extent axes\\[i\\]. The view without a copy is
`netcl_tensor_permute`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_transpose`.
"""
function op_transpose(
    x::TensorLike, axes;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    axes_rows = array_of(UInt32, axes)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_transpose(
            x, or_null(axes_rows), length(axes_rows), run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_concat(inputs, axis; queue, into, waits, event, graph)

Joins tensors of one dtype along an axis, as ONNX Concat; the other extents are equal.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_concat`.
"""
function op_concat(
    inputs, axis::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    inputs = handle_list(TensorLike, :inputs, inputs)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve inputs queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_concat(
            or_null(raw_list(inputs)), length(inputs), axis, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(inputs, take(Tensor, result[]), into, graph)
end

"""
    op_pad(x, pads; value, mode, queue, into, waits, event, graph)

Adds elements around a tensor, as ONNX Pad: pads has the begin of every axis, then the end
of every axis (2 rank entries). Negative ones take away, before anything is added.

* `value`: CONSTANT: one element of x's dtype; `nothing`: 0
* `mode`: one of `:constant` (unless another is given), `:reflect`, `:edge`, `:wrap`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_pad`.
"""
function op_pad(
    x::TensorLike, pads;
    value = nothing, mode::Union{PadMode,Symbol} = PadMode(0),
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    pads_rows = array_of(Int64, pads)
    value_bytes = value === nothing ? nothing : element_bytes(:value, dtype_of(x), value)
    options_struct = StructMemory{3}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_pad_options!(place_of(options_struct), options_kept, value_bytes, mode)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_pad(
            x, or_null(pads_rows), length(pads_rows), options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_tile(x, repeats; queue, into, waits, event, graph)

Repeats a tensor along its axes, as ONNX Tile: axis d of the result has repeats\\[d\\] times
the extent of x, 0 or more; repeats has an entry for each axis. Any dtype, bit for bit. A
tensor that is repeated along axes of extent 1 alone can be viewed:
`netcl_tensor_broadcast`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_tile`.
"""
function op_tile(
    x::TensorLike, repeats;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    repeats_rows = array_of(Int64, repeats)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_tile(
            x, or_null(repeats_rows), length(repeats_rows), run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_trilu(x, upper, k; queue, into, waits, event, graph)

Copies a triangle of each matrix of the last two dimensions, with zeros in place of the
rest, as ONNX Trilu: the elements whose column is the row plus k or more, or with `upper` =
false the row plus k or less. Any dtype, bit for bit, rank 2 or more. `into` may be x
itself.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_trilu`.
"""
function op_trilu(
    x::TensorLike, upper::Union{Bool,Integer}, k::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_trilu(x, upper, k, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_gather(x, indices, axis; queue, into, waits, event, graph)

Picks slices along an axis, as ONNX Gather: the result has indices' shape in place of that
axis. indices is i32 or i64; negative ones count from the end; one out of range gives zeros.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_gather`.
"""
function op_gather(
    x::TensorLike, indices::TensorLike, axis::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_gather(x, indices, axis, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_gather_elements(x, indices, axis; queue, into, waits, event, graph)

Picks elements along an axis, as ONNX GatherElements: the result has indices' shape, whose
other extents are at most x's. Indices as for `netcl_op_gather`.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_gather_elements`.
"""
function op_gather_elements(
    x::TensorLike, indices::TensorLike, axis::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_gather_elements(x, indices, axis, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_embedding(weights, indices; queue, into, waits, event, graph)

Looks rows of weights \\[V, D\\] up: `netcl_op_gather` along axis 0 of a matrix.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_embedding`.
"""
function op_embedding(
    weights::TensorLike, indices::TensorLike;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_embedding(weights, indices, run_struct, result)
    end
    give_reference(event, event_place)
    return like(weights, take(Tensor, result[]), into, graph)
end

"""
    op_one_hot(
        indices, depth, axis, dtype, on_value, off_value;
        queue, into, waits, event, graph
    )

Gives each index a line of depth elements along an axis of the result, as ONNX OneHot:
on\\_value at the place that the index is, off\\_value elsewhere. The result has the shape
of indices with depth put in before dimension axis, which is one of the result: -1 is behind
the last. indices are integers of any dtype; negative ones count from the end; one out of
range gives a line of off\\_value. The values are one element of dtype each. Any dtype, bit
for bit.

* `dtype`: a type as `Float32`, or a `Netcl.Dtype`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_one_hot`.
"""
function op_one_hot(
    indices::TensorLike, depth::Integer, axis::Integer, dtype::Union{Dtype,Symbol,Type},
    on_value, off_value;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    dtype = enum(Dtype, dtype)
    on_value_bytes = element_bytes(:on_value, dtype, on_value)
    off_value_bytes = element_bytes(:off_value, dtype, off_value)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_one_hot(
            indices, depth, axis, dtype.value, on_value_bytes, off_value_bytes, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(indices, take(Tensor, result[]), into, graph)
end

"""
    op_scatter(x, indices, updates, axis; mode, atomics, queue, into, waits, event, graph)

Writes updates into a copy of x at indices along an axis, as ONNX ScatterElements, or adds
or multiplies them, each result rounded by itself (f16 and bf16: kept in f32, rounded at the
end), or keeps the extreme; updates and indices have one shape, whose other extents are at
most x's. Indices as for `netcl_op_gather`; one out of range is left out. `into` may be x
itself: then nothing is copied.

* `mode`: one of `:assign` (unless another is given), `:add`, `:mul`, `:max`, `:min`
* `atomics`: true: ADD of f32, i32, u32 in any order, faster; other dtypes UNSUPPORTED
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_scatter`.
"""
function op_scatter(
    x::TensorLike, indices::TensorLike, updates::TensorLike, axis::Integer;
    mode::Union{ScatterMode,Symbol} = ScatterMode(0), atomics::Union{Bool,Integer} = false,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{2}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct queue into waits event_place graph run_kept run_struct begin
        fill_scatter_options!(place_of(options_struct), nothing, mode, atomics)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_scatter(x, indices, updates, axis, options_struct, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_gather_nd(x, indices, batch_dims; queue, into, waits, event, graph)

Picks slices at places of several dimensions, as ONNX GatherND: a line along the last
dimension of indices, n of them, is a place in dimensions batch\\_dims to batch\\_dims + n -
1 of x, with n 1 or more. Before them x and indices have the same extents, along which both
are gone over together. The result has the shape of indices without the last dimension, then
what is left of x's. Indices as for `netcl_op_gather`; a place with one out of range gives
zeros.

* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_gather_nd`.
"""
function op_gather_nd(
    x::TensorLike, indices::TensorLike, batch_dims::Integer;
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_gather_nd(x, indices, batch_dims, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_scatter_nd(
        x, indices, updates, batch_dims;
        mode, atomics, queue, into, waits, event, graph
    )

Writes updates into a copy of x at places of several dimensions, as ONNX ScatterND
(batch\\_dims 0), or combines them with what is there, in the order and with the rounding of
`netcl_op_scatter`. indices and batch\\_dims as for `netcl_op_gather_nd`, whose result has
the shape of updates; a place with an index out of range is left out. `into` may be x
itself.

* `mode`: one of `:assign` (unless another is given), `:add`, `:mul`, `:max`, `:min`
* `atomics`: true: ADD of f32, i32, u32 in any order, faster; other dtypes UNSUPPORTED
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_scatter_nd`.
"""
function op_scatter_nd(
    x::TensorLike, indices::TensorLike, updates::TensorLike, batch_dims::Integer;
    mode::Union{ScatterMode,Symbol} = ScatterMode(0), atomics::Union{Bool,Integer} = false,
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    options_struct = StructMemory{2}()
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_struct queue into waits event_place graph run_kept run_struct begin
        fill_scatter_options!(place_of(options_struct), nothing, mode, atomics)
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_scatter_nd(
            x, indices, updates, batch_dims, options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_depth_to_space(x, block, order; queue, into, waits, event, graph)

Spreads channels over space, as ONNX DepthToSpace: x is \\[N, C B, ...\\] with one to three
dimensions of space, each of which becomes `block` times as long, 1 or more; B is `block` to
the power of their number, the elements of a block, counted in C order. The result is \\[N,
C, ...\\].

* `order`: one of `:dcr`, `:crd`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_depth_to_space`.
"""
function op_depth_to_space(
    x::TensorLike, block::Integer, order::Union{DepthOrder,Symbol};
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    order = enum(DepthOrder, order)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_depth_to_space(x, block, order.value, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_space_to_depth(x, block, order; queue, into, waits, event, graph)

Gathers blocks of space into channels, as ONNX SpaceToDepth: what `netcl_op_depth_to_space`
did is undone. The extents of space are multiples of `block`.

* `order`: one of `:dcr`, `:crd`
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_space_to_depth`.
"""
function op_space_to_depth(
    x::TensorLike, block::Integer, order::Union{DepthOrder,Symbol};
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    order = enum(DepthOrder, order)
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve queue into waits event_place graph run_kept run_struct begin
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_space_to_depth(x, block, order.value, run_struct, result)
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end

"""
    op_resize(
        x, shape;
        mode, coordinates, rounding, antialias, exclude_outside, has_cubic_coeff, cubic_coeff,
        extrapolation_value, scales, roi, queue, into, waits, event, graph
    )

Resizes a tensor to another shape of the same rank, as ONNX Resize. All dtypes. Coordinates
and weights are those of the scale of an axis, whatever its extent, computed in f64. An
extent of -1 is floor(in scale), or floor(in (end - start) scale) under
TF\\_CROP\\_AND\\_RESIZE; scales are needed for it. NEAREST moves elements. LINEAR and CUBIC
weigh axis after axis in f32 (f64 for f64), but for axes that stay as they are; error,
beside that of the weights, at most 2 n eps A max|x|, with n the sum over the axes of 2 plus
the largest number of elements with a weight, A the product over the axes of the largest sum
of |weights|, plus the rounding. What is weighed and extrapolation\\_value round to nearest
even, and are bounded by the dtype of integers and bool (0 and 1). Elements with a weight of
0 do not count, not even infinite ones. More than 2^26 weights along an axis, of CUBIC or
with antialias, are UNSUPPORTED.

* `mode`: one of `:nearest` (unless another is given), `:linear`, `:cubic`
* `coordinates`: one of `:half_pixel` (unless another is given), `:align_corners`,
  `:asymmetric`, `:half_pixel_symmetric`, `:pytorch_half_pixel`, `:tf_crop_and_resize`
* `rounding`: of coordinates, for NEAREST; others look at none; one of `:round_prefer_floor`
  (unless another is given), `:round_prefer_ceil`, `:floor`, `:ceil`
* `antialias`: true: LINEAR and CUBIC reach 1 / scale times as far along axes whose scale is
  below 1. NEAREST looks at none
* `exclude_outside`: true: elements beyond the edge have no weight, and those that are left
  share it; else they are as at the edge
* `has_cubic_coeff`: true: cubic\\_coeff is set, even to 0
* `cubic_coeff`: of CUBIC, ONNX's cubic\\_coeff\\_a; 0: -0.75, but for has\\_cubic\\_coeff
* `extrapolation_value`: under TF\\_CROP\\_AND\\_RESIZE, of elements that lie outside of x,
  below 0 or beyond in - 1
* `scales`: of each axis, above 0; empty: out / in
* `roi`: for TF\\_CROP\\_AND\\_RESIZE: the start of every axis, then the end of every axis,
  as parts of in - 1; empty: 0 and 1. Others look at none
* `queue`, `into`, `waits`, `event`, `graph`: those of all ops; `?Netcl` explains them

Calls `netcl_op_resize`.
"""
function op_resize(
    x::TensorLike, shape;
    mode::Union{ResizeMode,Symbol} = ResizeMode(0),
    coordinates::Union{ResizeCoordinates,Symbol} = ResizeCoordinates(0),
    rounding::Union{ResizeRounding,Symbol} = ResizeRounding(0),
    antialias::Union{Bool,Integer} = false, exclude_outside::Union{Bool,Integer} = false,
    has_cubic_coeff::Union{Bool,Integer} = false, cubic_coeff::Real = 0.0,
    extrapolation_value::Real = 0.0, scales = (), roi = (),
    queue::Union{Nothing,Queue} = nothing, into::Union{Nothing,TensorLike} = nothing,
    waits = (), event::Union{Nothing,Ref{Event}} = nothing,
    graph::Union{Nothing,Graph} = nothing
)
    shape_rows = array_of(Int64, shape)
    options_struct = StructMemory{9}()
    options_kept = Any[]
    waits = handle_list(Event, :waits, waits)
    event_place = Ref{Ptr{Cvoid}}(C_NULL)
    run_struct = StructMemory{7}()
    run_kept = Any[]
    result = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve options_kept options_struct queue into waits event_place graph run_kept run_struct begin
        fill_resize_options!(
            place_of(options_struct), options_kept, mode, coordinates, rounding, antialias,
            exclude_outside, has_cubic_coeff, cubic_coeff, extrapolation_value, scales, roi
        )
        fill_run_options!(
            place_of(run_struct), run_kept, queue, into, waits, place_if(event, event_place), graph
        )
        @checked Raw.netcl_op_resize(
            x, length(shape_rows), or_null(shape_rows), options_struct, run_struct, result
        )
    end
    give_reference(event, event_place)
    return like(x, take(Tensor, result[]), into, graph)
end
