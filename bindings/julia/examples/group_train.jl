# A network that learns to read digits on all ranks of a group at once, compared with the same steps on
# one device. Its losses are those of examples/group/group_train, number by number.
#
# usage: julia --project=bindings/julia bindings/julia/examples/group_train.jl [MNIST_FOLDER]
#            [--device SELECTOR]... [--threads | --mpi] [--ranks N] [--steps N] [--dtype f32|f64]
#            [--losses FILE]
#
# Each rank has the whole network and a part of each batch, of whose loss it records the gradients once,
# as a graph that is run for each batch. They begin with the rank's share of the batch, so that their
# sum over the ranks is the gradient of the whole batch: a reducer adds up those that are there while
# the graph goes on. Then all ranks take the same step. What is left are other roundings: the program
# ends with an error when a loss is further from one device's than 2e-4 (f64: 1e-9) of the first loss.
# MNIST_FOLDER is as for train; without it digits are drawn. --losses writes those of the group as f64,
# one after the other. Ranks are as for group.jl.

using Printf
include("mnist.jl")
include("ranks.jl")

const BATCH = 96
const RATE, MOMENTUM = 0.05, 0.9

# Shapes, and of how many numbers each result is made (0: zeros). Each weight is followed by its bias.
const PARAMETERS = (((8, 1, 3, 3), 9), ((8,), 0), ((16, 8, 3, 3), 72), ((16,), 0),
                    ((784, 10), 784), ((10,), 0))

struct Settings
    folder::String
    steps::Int
    type::Type
    losses::String
end

function read_settings(words)
    folder, steps, type, losses = "", 60, Float32, ""
    while !isempty(words)
        word = popfirst!(words)
        if word == "--steps"
            steps = parse(Int, popfirst!(words))
        elseif word == "--dtype"
            type = Dict("f32" => Float32, "f64" => Float64)[popfirst!(words)]
        elseif word == "--losses"
            losses = popfirst!(words)
        elseif !startswith(word, '-') && isempty(folder)
            folder = word
        else
            error("$word is no option")
        end
    end
    1 <= steps <= 1_000_000 || error("--steps is $steps; it is 1 to 1000000")
    return Settings(folder, steps, type, losses)
end

# ---- The network, with tensors in the order of C ---------------------------------------------------

struct Trainer{T}
    group::Union{Nothing,Netcl.Group}      # nothing: all alone
    reducer::Union{Nothing,Netcl.Reducer}
    own::UnitRange{Int}                    # which images of each batch, from 0 on
    parameters::Vector{Netcl.Tensor}
    momenta::Vector{Netcl.Tensor}
    graph::Netcl.Graph
    inputs::Vector{Netcl.Tensor}           # bytes of the images, and their classes
    outputs::Vector{Netcl.Tensor}          # gradients, and the loss times the share of the batch
end

"Uniform within He's bound, the same on all ranks. The generator is Numerical Recipes'."
function first_values(device, ::Type{T}, shape, fan_in, state) where {T}
    bound = fan_in == 0 ? 0.0 : sqrt(6 / fan_in)
    function next()
        state[] = state[] * 0x0019660d + 0x3c6ef35f
        return Float32((Float64(state[] >> 8) / 8388608 - 1) * bound)
    end
    return Netcl.tensor_create_from_host(device, T, shape, T[next() for _ in 1:prod(shape)])
end

"Without a rank it is all alone."
function Trainer{T}(device, rank) where {T}
    index, size = rank === nothing ? (0, 1) : (rank.index, rank.size)
    own = (BATCH * index ÷ size):(BATCH * (index + 1) ÷ size - 1)
    group = rank === nothing ? nothing : rank.group
    # The last layer's gradients are ready first, and fill a bucket.
    reducer = group === nothing ? nothing :
              Netcl.reducer_create(group; kind = :sum, bucket_bytes = 16384)
    state = Ref(UInt32(1))
    zeros_of(type, shape) = Netcl.tensor_create_zeros(device, type, shape)
    parameters = [first_values(device, T, shape, fan_in, state) for (shape, fan_in) in PARAMETERS]
    momenta, gradients = ([zeros_of(T, shape) for (shape, _) in PARAMETERS] for _ in 1:2)
    inputs = [zeros_of(UInt8, (length(own), 1, 28, 28)), zeros_of(Int32, (length(own),))]
    trainer = Trainer{T}(group, reducer, own, parameters, momenta,
                         Netcl.graph_create(device; execute = :off), inputs,
                         push!(gradients, zeros_of(T, ())))
    record(trainer, device)
    return trainer
end

function Base.close(t::Trainer)
    foreach(close, (t.parameters..., t.momenta..., t.inputs..., t.outputs..., t.graph))
    t.reducer === nothing || close(t.reducer)
end

text_of(::Type{Float32}) = "f32(v0) / 255.0"
text_of(::Type{Float64}) = "f64(v0) / 255.0"

"Convolution with bias and relu, and the maximum of each 2 x 2."
function run_stage(t, which, x)
    epilogue = Netcl.Epilogue(bias = t.parameters[which + 1], activation = :relu)
    wide = Netcl.op_conv2d(x, t.parameters[which]; padding = (1, 1, 1, 1), epilogue = epilogue,
                           graph = t.graph)
    return Netcl.op_pool(wide, :max; window = (2, 2), strides = (2, 2), graph = t.graph)
end

"The mean loss of the images, recorded."
function forward(t::Trainer{T}) where {T}
    images, classes = t.inputs
    x = Netcl.op_expression_text(text_of(T), (images,); graph = t.graph)
    x = run_stage(t, 1, x)
    x = run_stage(t, 3, x)
    features = Netcl.tensor_reshape(x, (-1, 784); graph = t.graph)
    logits = Netcl.op_matmul(features, t.parameters[5]; graph = t.graph,
                             epilogue = Netcl.Epilogue(bias = t.parameters[6]))
    return Netcl.op_cross_entropy(logits, classes, 1; graph = t.graph)
end

"Records a step up to the gradients, and makes it ready to run."
function record(t::Trainer{T}, device) where {T}
    mean = forward(t)
    seed = Netcl.tensor_create_full(device, T, (), T(length(t.own) / BATCH))
    gradients = Netcl.graph_add_gradients(t.graph, (mean,), t.parameters; seeds = (seed,),
                                          reducer = t.reducer)
    loss = Netcl.op_expression_text("v0 * v1", (mean, seed); graph = t.graph)
    Netcl.graph_compile(t.graph, t.inputs, [gradients; loss])
    foreach(close, (mean, seed, gradients..., loss))
end

# ---- Training --------------------------------------------------------------------------------------

"One step; gives the loss of the whole batch."
function step!(t::Trainer{T}, images, classes, batch) where {T}
    numbers = [(batch * BATCH + i) * 7 % length(classes) + 1 for i in t.own]
    Netcl.tensor_write(t.inputs[1], images[:, :, numbers])
    Netcl.tensor_write(t.inputs[2], classes[numbers])
    Netcl.graph_run(t.graph, t.inputs, t.outputs)
    loss = t.outputs[end]
    if t.group !== nothing
        Netcl.group_all_reduce(t.group, loss, loss, :sum)
        Netcl.reducer_wait(t.reducer)
    end
    Netcl.op_sgd(t.parameters, t.outputs[1:(end - 1)], RATE; momentum_buffers = t.momenta,
                 momentum = MOMENTUM)
    value = T[0]
    Netcl.tensor_read(loss, value)
    return Float64(value[1])
end

"The loss of each step; without a rank all alone."
function train(device, rank, settings)
    images, classes = if isempty(settings.folder)
        drawn = draw_images()
        drawn, [Int32(i % 10) for i in 0:(size(drawn, 3) - 1)]
    else
        pixels, labels = load_images(settings.folder)
        pixels, Int32.(labels)
    end
    trainer = Trainer{settings.type}(device, rank)
    start = time()
    losses = [step!(trainer, images, classes, i) for i in 0:(settings.steps - 1)]
    each = 1e3 * (time() - start) / settings.steps
    close(trainer)
    if rank === nothing || rank.index == 0
        @printf("%s: %.2f ms a step, loss %.6f to %.6f\n",
                rank === nothing ? "alone" : "$(rank.size) ranks", each, losses[1], losses[end])
    end
    return losses
end

function compare(group, alone, settings)
    bound = settings.type === Float64 ? 1e-9 : 2e-4
    worst = maximum(abs.(group .- alone)) / alone[1] # NaN where one is
    @printf("the losses of %d steps differ by %.2g of the first at most; %.0e is allowed\n",
            settings.steps, worst, bound)
    worst <= bound || error("the losses are not those of one device")
    settings.steps < 60 || group[end] < group[1] / 2 || error("nothing was learnt")
end

function work(rank, settings)
    losses = train(rank.device, rank, settings)
    rank.index == 0 || return
    compare(losses, train(rank.device, nothing, settings), settings)
    isempty(settings.losses) || write(settings.losses, losses)
end

const RANKS, WORDS = read_ranks(ARGS)
const SETTINGS = read_settings(WORDS)
run_ranks(rank -> work(rank, SETTINGS), RANKS, @__FILE__)
