# Runs the vectors in Julia: julia --project=bindings/julia parity.jl VECTORS DEVICE
#
# Prints a line "case name bits" for every result, and fails where bits are given and others came out,
# after the last case. README.md has the format of the file.
#
# It calls the functions of C by their names, whose axes and shapes are those of the file.

using Netcl
using Netcl: Tensor

struct Line
    inputs::Vector{Tensor}
    options::Dict{String,String}
    tensors::Dict{String,Tensor}
    graph::Union{Nothing,Netcl.Graph} # of a case that is recorded
end

Base.haskey(line::Line, key) = haskey(line.options, key)
text(line, key) = line.options[key]
integer(line, key) = haskey(line, key) ? parse(Int64, text(line, key)) : Int64(0)
number(line, key) = haskey(line, key) ? parse(Float64, text(line, key)) : 0.0
flag(line, key) = integer(line, key) != 0
tensor(line, key) = haskey(line, key) ? line.tensors[text(line, key)] : nothing
tensor_list(line, key) =
    haskey(line, key) ? [line.tensors[name] for name in split(text(line, key), ',')] : Tensor[]
dtype(line, key) = haskey(line, key) ? Netcl.Dtype(Symbol(text(line, key))) : Netcl.Dtype(0)
integers(line, key) =
    isempty(get(line.options, key, "")) ? Int64[] : parse.(Int64, split(text(line, key), ','))
pair(line, key) = haskey(line, key) ? Tuple(integers(line, key)) : (0, 0)
four(line, key) = haskey(line, key) ? Tuple(integers(line, key)) : (0, 0, 0, 0)
bytes(hex) = UInt8[parse(UInt8, hex[at:(at + 1)]; base = 16) for at in 1:2:length(hex)]

"One element by its bytes, as a value of the type that Julia has for it, or nothing."
function element(line, tensor)
    haskey(line, "value") || return nothing
    type = Netcl.element_type(Netcl.tensor_get_info(tensor).dtype)
    return only(reinterpret(type, bytes(text(line, "value"))))
end

"The bits of n / 2^shift, which the float types hold exactly, and of n modulo 2^bits for others."
function bits_of(dtype, n, shift)
    value = n / 2.0^shift
    name = Netcl.dtype_name(dtype)
    name == "f64" && return reinterpret(UInt64, value)
    name == "f32" && return UInt64(reinterpret(UInt32, Float32(value)))
    name == "bf16" && return UInt64(reinterpret(UInt32, Float32(value)) >> 16)
    name == "f16" && return UInt64(reinterpret(UInt16, Float16(value)))
    name == "bool" && return UInt64(n != 0)
    return n % UInt64
end

function data(device, line)
    type, shape, rule = dtype(line, "dtype"), integers(line, "shape"), integers(line, "line")
    if isempty(rule)
        content = bytes(text(line, "bits"))
    else
        content = UInt8[]
        for i in 0:(prod(shape) - 1)
            n = (rule[1] + rule[2] * i) % rule[3] - rule[4]
            bits = bits_of(type, n, rule[5])
            append!(content, (bits >> 8k % UInt8 for k in 0:(Netcl.dtype_size(type) - 1)))
        end
    end
    return Netcl.tensor_create_from_host(device, type, shape, content)
end

random(device, line) = Netcl.tensor_create_random(
    device, dtype(line, "dtype"), integers(line, "shape"); seed = integer(line, "seed"),
    offset = integer(line, "offset"), low = number(line, "low"), high = number(line, "high"))

function epilogue(line)
    return Netcl.Epilogue(bias = tensor(line, "bias"), residual = tensor(line, "residual"),
                          activation = Netcl.Activation(integer(line, "activation")))
end

function conv_norm(line)
    haskey(line, "norm") || return nothing
    mean, variance, scale, bias = tensor_list(line, "norm")
    return Netcl.Conv2dBatchnorm(mean = mean, variance = variance, scale = scale, bias = bias)
end

function ranges(line)
    numbers = integers(line, "ranges")
    return [Netcl.Range(numbers[at:(at + 2)]...) for at in 1:3:length(numbers)]
end

function elementwise(inputs, line, run)
    op = Netcl.elementwise_find(text(line, "op"))
    return Netcl.op_elementwise(op, inputs; alpha = number(line, "alpha"),
                                beta = number(line, "beta"),
                                has_parameters = haskey(line, "alpha"), run...)
end

function loss_options(line)
    return (weights = tensor(line, "weights"), ignore_index = integer(line, "ignore_index"),
            has_ignore_index = haskey(line, "ignore_index"),
            reduction = Netcl.LossReduction(integer(line, "reduction")))
end

"A gradient for each tensor that is named by `of`."
gradients(outputs, line, run) = Tuple(Netcl.graph_add_gradients(
    run.graph, outputs, tensor_list(line, "of"); seeds = tensor_list(line, "seeds"),
    consume = flag(line, "consume")))

norm_options(line) = (scale = tensor(line, "scale"), bias = tensor(line, "bias"))

const OPS = Dict{String,Function}(
    "slice" => (x, l, run) -> Netcl.tensor_slice(x[1], ranges(l)),
    "permute" => (x, l, run) -> Netcl.tensor_permute(x[1], integers(l, "axes")),
    "broadcast" => (x, l, run) -> Netcl.tensor_broadcast(x[1], integers(l, "shape")),
    "view" => (x, l, run) -> Netcl.tensor_view(x[1], integers(l, "shape"), integer(l, "offset");
                                                strides = integers(l, "strides")),
    "reshape" => (x, l, run) -> Netcl.tensor_reshape(x[1], integers(l, "shape"); run...),
    "elementwise" => elementwise,
    "expression" => (x, l, run) -> Netcl.op_expression_text(text(l, "text"), x; run...),
    "expressions" => (x, l, run) -> Netcl.op_expressions(
        split(text(l, "texts"), ';'), x; graph = run.graph),
    "bias_add" => (x, l, run) -> Netcl.op_bias_add(x..., integer(l, "axis"); run...),
    "copy" => (x, l, run) -> Netcl.op_copy(x[1]; run...),
    "contiguous" => (x, l, run) -> Netcl.op_contiguous(x[1]; run...),
    "cast" => (x, l, run) -> Netcl.op_cast(x[1], dtype(l, "dtype"); run...),
    "matmul" => (x, l, run) -> Netcl.op_matmul(
        x...; epilogue = epilogue(l), alpha = number(l, "alpha"), beta = number(l, "beta"),
        dtype = dtype(l, "dtype"), has_scale = integer(l, "has_scale"), run...),
    "conv2d" => (x, l, run) -> Netcl.op_conv2d(
        x...; epilogue = epilogue(l), strides = pair(l, "strides"),
        dilations = pair(l, "dilations"), groups = integer(l, "groups"),
        padding = four(l, "padding"), batchnorm = conv_norm(l), run...),
    "reduce" => (x, l, run) -> Netcl.op_reduce(
        x[1], Netcl.Reduction(integer(l, "kind")); axes = integers(l, "axes"),
        keepdims = flag(l, "keepdims"), run...),
    "scan" => (x, l, run) -> Netcl.op_scan(
        x[1], Netcl.Reduction(integer(l, "kind")), integer(l, "axis");
        exclusive = flag(l, "exclusive"), reverse = flag(l, "reverse"), run...),
    "histogram" => (x, l, run) -> Netcl.op_histogram(x[1], integer(l, "bins"); run...,
                                                      low = number(l, "low"),
                                                      high = number(l, "high")),
    "topk" => (x, l, run) -> Netcl.op_topk(x[1], integer(l, "k"), integer(l, "axis");
                                            smallest = flag(l, "smallest"),
                                            graph = run.graph),
    "quantize_linear" => (x, l, run) -> Netcl.op_quantize_linear(
        x..., integer(l, "axis"); zero_point = tensor(l, "zero_point"),
        block_size = integer(l, "block_size"), dtype = dtype(l, "dtype"),
        precision = dtype(l, "precision"), run...),
    "dequantize_linear" => (x, l, run) -> Netcl.op_dequantize_linear(
        x..., integer(l, "axis"); zero_point = tensor(l, "zero_point"),
        block_size = integer(l, "block_size"), dtype = dtype(l, "dtype"), run...),
    "dynamic_quantize_linear" => (x, l, run) -> Netcl.op_dynamic_quantize_linear(
        x[1]; graph = run.graph),
    "qlinear_matmul" => (x, l, run) -> Netcl.op_qlinear_matmul(
        x...; a_zero_point = tensor(l, "a_zero_point"),
        b_zero_point = tensor(l, "b_zero_point"), y_zero_point = tensor(l, "y_zero_point"),
        run...),
    "softmax" => (x, l, run) -> Netcl.op_softmax(x[1], integer(l, "axis"); run...),
    "log_softmax" => (x, l, run) -> Netcl.op_log_softmax(x[1], integer(l, "axis"); run...),
    "layernorm" => (x, l, run) -> Netcl.op_layernorm(x[1], integer(l, "axis"); norm_options(l)...,
                                                      epsilon = number(l, "epsilon"), run...),
    "rmsnorm" => (x, l, run) -> Netcl.op_rmsnorm(x[1], integer(l, "axis"); norm_options(l)...,
                                                  epsilon = number(l, "epsilon"), run...),
    "batchnorm" => (x, l, run) -> Netcl.op_batchnorm(
        x...; norm_options(l)..., momentum = number(l, "momentum"),
        activation = Netcl.Activation(integer(l, "activation")), training = flag(l, "training"),
        run...),
    "pool" => (x, l, run) -> Netcl.op_pool(
        x[1], Netcl.Pooling(integer(l, "kind")); window = integers(l, "window"),
        strides = integers(l, "strides"), dilations = integers(l, "dilations"),
        padding = integers(l, "padding"), ceil_mode = flag(l, "ceil_mode"),
        count_include_pad = flag(l, "count_include_pad"), run...),
    "transpose" => (x, l, run) -> Netcl.op_transpose(x[1], integers(l, "axes"); run...),
    "concat" => (x, l, run) -> Netcl.op_concat(x, integer(l, "axis"); run...),
    "pad" => (x, l, run) -> Netcl.op_pad(x[1], integers(l, "pads");
                                          mode = Netcl.PadMode(integer(l, "mode")),
                                          value = element(l, x[1]), run...),
    "fill" => (x, l, run) -> Netcl.op_fill(x[1], element(l, x[1])),
    "gather" => (x, l, run) -> Netcl.op_gather(x..., integer(l, "axis"); run...),
    "gather_elements" => (x, l, run) -> Netcl.op_gather_elements(x..., integer(l, "axis");
                                                                  run...),
    "embedding" => (x, l, run) -> Netcl.op_embedding(x...; run...),
    "scatter" => (x, l, run) -> Netcl.op_scatter(x..., integer(l, "axis"); run...,
                                                  mode = Netcl.ScatterMode(integer(l, "mode"))),
    "rotary_embedding" => (x, l, run) -> Netcl.op_rotary_embedding(
        x...; position_ids = tensor(l, "position_ids"), num_heads = integer(l, "num_heads"),
        rotary_embedding_dim = integer(l, "rotary_embedding_dim"),
        interleaved = flag(l, "interleaved"), inverse = flag(l, "inverse"), run...),
    "resize" => (x, l, run) -> Netcl.op_resize(
        x[1], integers(l, "shape"); mode = Netcl.ResizeMode(integer(l, "mode")),
        coordinates = Netcl.ResizeCoordinates(integer(l, "coordinates")), run...),
    "cross_entropy" => (x, l, run) -> Netcl.op_cross_entropy(x..., integer(l, "axis");
                                                             loss_options(l)..., run...),
    "nll_loss" => (x, l, run) -> Netcl.op_nll_loss(x..., integer(l, "axis"); loss_options(l)...,
                                                   run...),
    "gradients" => gradients,
)

"Prints a tensor, and tells whether it is what it has to be."
function result(case, name, line)
    found = line.tensors[name]
    content = Vector{UInt8}(undef, Netcl.tensor_get_info(found).byte_count)
    Netcl.tensor_read(found, content)
    hex = bytes2hex(content)
    println(case, " ", name, " ", hex)
    expected = get(line.options, "bits", hex)
    expected == hex && return true
    println(stderr, case, " ", name, " is\n  ", hex, "\nand has to be\n  ", expected)
    return false
end

function run_file(path, device)
    case, right, tensors, graph = "", true, Dict{String,Tensor}(), nothing
    for written in eachline(path)
        words = split(written)
        (isempty(words) || words[1] == "#") && continue
        verb, out = String(words[1]), String(words[2])
        if verb == "case"
            foreach(close, values(tensors))
            graph === nothing || close(graph)
            case, tensors, graph = out, Dict{String,Tensor}(), nothing
            continue
        elseif verb == "record"
            graph = Netcl.graph_create(device)
            continue
        end
        names = filter(!isequal("-"), split(words[3], ','))
        options = Dict{String,String}(split(word, '='; limit = 2) for word in words[4:end])
        line = Line([tensors[name] for name in names], options, tensors, graph)
        if verb == "result"
            right &= result(case, out, line)
            continue
        end
        made = verb == "data" ? data(device, line) :
               verb == "random" ? random(device, line) :
               OPS[verb](line.inputs, line, (into = tensor(line, "into"), graph = graph))
        made === nothing && continue
        for (name, one) in zip(split(out, ','), made isa Tuple ? made : (made,))
            tensors[name] = one
        end
    end
    foreach(close, values(tensors))
    return right
end

exit(run_file(ARGS[1], Netcl.Device(ARGS[2])) ? 0 : 1)
