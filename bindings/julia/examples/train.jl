# The network of digits.jl learns to read handwritten digits from random numbers on. Its losses are
# those of examples/train, number by number.
#
# usage: julia --project=bindings/julia bindings/julia/examples/train.jl [MNIST_FOLDER]
#            [--epochs N] [--seed S] [--device SELECTOR]
#
# MNIST_FOLDER holds t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, unpacked or .gz where gzip is
# installed; the first four fifths of the images train, the others are never seen. Below 97 % of those
# after four epochs the program ends with 1. Without the folder it learns digits that it draws.

using Netcl, Printf
include("mnist.jl")

const BATCH = 64
const RATE = 0.003

# Random bits that are the same in every language (Numerical Recipes' generator).
mutable struct Random
    state::UInt32
end
function bits!(random)
    random.state = random.state * 0x0019660d + 0x3c6ef35f
    return random.state >> 8
end

# ---- The network ---------------------------------------------------------------------------------

# Shapes, of how many numbers each result is made (0: not random), and the value of those that are
# not random: filters, scale and shift twice, then the dense layer and its bias.
const PARAMETERS = (((8, 1, 3, 3), 9, 0), ((8,), 0, 1), ((8,), 0, 0),
                    ((16, 8, 3, 3), 72, 0), ((16,), 0, 1), ((16,), 0, 0),
                    ((784, 10), 784, 0), ((10,), 0, 0))

const Tensor = Netcl.Tensor

struct Model
    parameters::Vector{Tensor}
    averages::Vector{Tensor}              # Adam's, of gradients
    squares::Vector{Tensor}               # of their squares
    steps::Tensor                         # how many there were
    statistics::Vector{NTuple{2,Tensor}}  # mean and variance of both normalisations
end

"A tensor in the order of C, as the other languages have it: the last dimension is innermost."
function in_order_of_c(values, shape)
    packed = NetclArray(reshape(values, reverse(shape)))
    return Netcl.tensor(Netcl.permuted_view(packed, ntuple(d -> length(shape) + 1 - d, length(shape))))
end

function new_model(random)
    function first_values((shape, fan_in, value))
        bound = sqrt(6f0 / fan_in) # He's
        next() = fan_in == 0 ? Float32(value) : (Float32(bits!(random)) / 8388608f0 - 1) * bound
        return in_order_of_c(Float32[next() for _ in 1:prod(shape)], shape)
    end
    zeros_of(shape) = in_order_of_c(zeros(Float32, prod(shape)), shape)
    parameters = Tensor[first_values(p) for p in PARAMETERS]
    averages, squares = ([zeros_of(shape) for (shape, _, _) in PARAMETERS] for _ in 1:2)
    statistics = [(zeros_of((n,)), in_order_of_c(ones(Float32, n), (n,))) for n in (8, 16)]
    return Model(parameters, averages, squares, Netcl.tensor(NetclArray(fill(0))), statistics)
end

"Convolution, batch normalisation with relu, and the maximum of each 2 x 2."
function run_stage(model, which, x; training, graph)
    filters, scale, shift = model.parameters[(3which - 2):3which]
    wide = Netcl.op_conv2d(x, filters; padding = (1, 1, 1, 1), graph = graph)
    normal = Netcl.op_batchnorm(wide, model.statistics[which]...; scale = scale, bias = shift,
                                activation = :relu, training = training, graph = graph)
    return Netcl.op_pool(normal, :max; window = (2, 2), strides = (2, 2), graph = graph)
end

"The logits [count, 10] of bytes [count, 1, 28, 28]; recorded in a graph."
function forward(model, bytes; training = false, graph = nothing)
    x = Netcl.op_expression_text("f32(v0) / 255.0", (bytes,))
    for which in 1:2
        x = run_stage(model, which, x; training = training, graph = graph)
    end
    features = Netcl.tensor_reshape(x, (-1, 784); graph = graph)
    return Netcl.op_matmul(features, model.parameters[7];
                           epilogue = Netcl.Epilogue(bias = model.parameters[8]), graph = graph)
end

"One step of Adam with the averages 0.9 and 0.999, which are its defaults."
adam!(model, gradients, rate) =
    Netcl.op_adam(model.parameters, gradients, model.averages, model.squares, model.steps, rate)

# ---- Training --------------------------------------------------------------------------------------

struct Data
    images::Array{UInt8,3}
    classes::Vector{Int32}
    training::Int
end

"The images and classes with these numbers, the images as [count, 1, 28, 28]."
function batch(data, numbers)
    count = length(numbers)
    return in_order_of_c(data.images[:, :, numbers], (count, 1, 28, 28)),
           in_order_of_c(data.classes[numbers], (count,))
end

"Trains with some images. The loss is not waited for."
function step!(model, data, numbers, rate, graph)
    images, classes = batch(data, numbers)
    logits = forward(model, images; training = true, graph = graph)
    loss = Netcl.op_cross_entropy(logits, classes, 1; graph = graph)
    gradients = Netcl.graph_add_gradients(graph, (loss,), model.parameters; consume = true)
    adam!(model, gradients, rate)
    return loss
end

"The share of right answers among the images that were held out."
function accuracy(model, data)
    held = (data.training + 1):length(data.classes)
    right = 0
    for numbers in Iterators.partition(held, BATCH)
        images, _ = batch(data, numbers)
        answers = Netcl.op_reduce(forward(model, images), :argmax; axes = 1)
        right += count(Array(NetclArray(answers)) .== data.classes[numbers])
    end
    return right / length(held)
end

function shuffle!(numbers, random)
    for i in length(numbers):-1:2
        other = bits!(random) % UInt32(i) + 1
        numbers[i], numbers[other] = numbers[other], numbers[i]
    end
end

function train!(model, data, random, epochs)
    graph = Netcl.graph_create(Netcl.device())
    numbers = collect(1:data.training)
    batches = data.training ÷ BATCH
    share, last = 0.0, 0f0
    for epoch in 0:(epochs - 1)
        start = time()
        shuffle!(numbers, random)
        # The rate falls to 0 as a straight line.
        rate(i) = RATE * (1 - (epoch * batches + i) / (epochs * batches))
        losses = [step!(model, data, numbers[(BATCH * i + 1):(BATCH * (i + 1))], rate(i), graph)
                  for i in 0:(batches - 1)]
        mean = 0.0
        for loss in losses
            last = Array(NetclArray(loss))[]
            mean += last / batches
        end
        each = 1e3 * (time() - start) / batches
        share = accuracy(model, data)
        @printf("epoch %2d: loss %.6f, %.2f %% of the held-out images, %.1f ms a step\n",
                epoch + 1, mean, 100share, each)
    end
    @printf("last loss %.9g\n", last)
    return share
end

function main(args)
    folder, selector, epochs, seed = "", "auto", 4, 1
    while !isempty(args)
        word = popfirst!(args)
        if word == "--epochs"
            epochs = parse(Int, popfirst!(args))
        elseif word == "--seed"
            seed = parse(Int, popfirst!(args))
        elseif word == "--device"
            selector = popfirst!(args)
        else
            folder = word
        end
    end
    device = Netcl.device!(selector)
    images, classes = if isempty(folder)
        drawn = draw_images()
        drawn, [Int32(i % 10) for i in 0:(size(drawn, 3) - 1)]
    else
        load_images(folder)
    end
    data = Data(images, classes, length(classes) ÷ 5 * 4)
    println(Netcl.device_get_info(device).name, ": ", data.training, " images train, ",
            length(classes) - data.training, " are held out")
    random = Random(seed)
    share = train!(new_model(random), data, random, epochs)
    isempty(folder) || epochs < 4 || share >= 0.97 || exit(1)
end
main(copy(ARGS))
