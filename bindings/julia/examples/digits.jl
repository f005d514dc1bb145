# A small convolutional network reads handwritten digits.
#
# usage: julia --project=bindings/julia bindings/julia/examples/digits.jl [MNIST_FOLDER]
#            [--weights FOLDER] [--device SELECTOR]
#
# The weights are those of examples/digits. With MNIST_FOLDER (t10k-images-idx3-ubyte and
# t10k-labels-idx1-ubyte, unpacked or .gz where gzip is installed) the accuracy is measured, on the
# images that training never saw too; below 97 % of those the program ends with 1. Without it the
# program draws digits of its own and prints what it reads.

using Netcl
include("mnist.jl")

const HELD_OUT_EVERY = 5
const BATCH = 500

# ---- The network -------------------------------------------------------------------------------

struct Stage
    filters::NetclArray{Float32,4}
    norm::Netcl.Conv2dBatchnorm
end

function load_network(folder)
    weight(name) = Netcl.load_npy(joinpath(folder, name * ".npy"))
    # The files hold [F, C, KH, KW]: in Julia, with the width first, the order is turned round.
    filters(k) = Netcl.permuted_view(weight("conv$(k)_w"), (4, 3, 2, 1))
    stage(k) = Stage(filters(k), Netcl.Conv2dBatchnorm(
        scale = weight("norm$(k)_scale"), bias = weight("norm$(k)_bias"),
        mean = weight("norm$(k)_mean"), variance = weight("norm$(k)_variance")))
    return (stages = (stage(1), stage(2)), dense = weight("dense_w"), bias = weight("dense_b"))
end

"Convolution, batch normalisation and relu in one call, then the largest of each 2 x 2."
function run_stage(stage, x)
    relu = Netcl.Epilogue(activation = :relu)
    wide = Netcl.op_conv2d(x, stage.filters; layout = :whcn, batchnorm = stage.norm,
                           epilogue = relu, padding = (1, 1, 1, 1))
    return Netcl.op_pool(wide, :max; layout = :whcn, window = (2, 2), strides = (2, 2))
end

"The digit of each image: an array of [W, H, N]."
function read_digits(network, images)
    bytes = NetclArray(reshape(images, 28, 28, 1, :))
    x = Float32.(bytes) ./ 255f0
    for stage in network.stages
        x = run_stage(stage, x)
    end
    features = reshape(x, :, size(x, 4))'
    logits = Netcl.op_matmul(features, network.dense; epilogue = Netcl.Epilogue(bias = network.bias))
    odds = Netcl.op_softmax(logits, 1)
    return Array(Netcl.op_reduce(odds, :argmax; axes = 1))
end

function classify(network, images)
    digits = Int[]
    for first in 1:BATCH:size(images, 3)
        append!(digits, read_digits(network, images[:, :, first:min(first + BATCH - 1, end)]))
    end
    return digits
end

function main(args)
    folder, weights, selector = "", joinpath(@__DIR__, "..", "..", "..", "examples", "digits",
                                             "weights"), "auto"
    while !isempty(args)
        word = popfirst!(args)
        if word == "--weights"
            weights = popfirst!(args)
        elseif word == "--device"
            selector = popfirst!(args)
        else
            folder = word
        end
    end
    device = Netcl.device!(selector)
    println(Netcl.device_get_info(device).name)
    network = load_network(weights)
    if isempty(folder)
        digits = classify(network, draw_images())
        println("read as: ", join(digits[1:20], " "))
        println(length(digits), " drawn digits; accuracy was not measured, since no MNIST folder ",
                "was given")
        return
    end
    images, labels = load_images(folder)
    digits = classify(network, images)
    held = HELD_OUT_EVERY:HELD_OUT_EVERY:length(labels)
    share(places) = 100 * count(digits[places] .== labels[places]) / length(places)
    println("all ", length(labels), " images: ", round(share(1:length(labels)); digits = 2),
            " %; held out of training: ", round(share(held); digits = 2), " %")
    share(held) >= 97 || exit(1)
end
main(copy(ARGS))
