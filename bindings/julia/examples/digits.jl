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

const HELD_OUT_EVERY = 5
const BATCH = 500

# ---- Images: 28 x 28 bytes each, columns of the array are rows of the picture ----------------------

function read_idx(folder, name, skip)
    path = joinpath(folder, name)
    bytes = isfile(path) ? read(path) : read(`gzip -dc $path.gz`)
    bytes[1:3] == [0, 0, 8] || error("$path is no IDX file of bytes")
    return bytes[(skip + 1):end]
end

function load_images(folder)
    pixels = read_idx(folder, "t10k-images-idx3-ubyte", 16)
    return reshape(pixels, 28, 28, :), read_idx(folder, "t10k-labels-idx1-ubyte", 8)
end

const FONT = ("01110100011001110101110011000101110", "00100011000010000100001000010001110",
              "01110100010000100010001000100011111", "11111000100010000010000011000101110",
              "00010001100101010010111110001000010", "11111100001111000001000011000101110",
              "00110010001000011110100011000101110", "11111000010001000100010000100001000",
              "01110100011000101110100011000101110", "01110100011000101111000010001001100")

"Digits of 5 x 7 dots, three times as large, moved and with some noise."
function draw_images(count = 500)
    images = Array{UInt8}(undef, 28, 28, count)
    random = UInt32(12345)
    for i in 0:(count - 1), y in 0:27, x in 0:27
        down, right = i ÷ 10 % 5 + 1, i ÷ 50 % 5 + 4
        row, column = fld(y - down, 3), fld(x - right, 3)
        dot = y >= down && x >= right && row < 7 && column < 5 &&
              FONT[i % 10 + 1][5row + column + 1] == '1'
        random = random * 0x0019660d + 0x3c6ef35f
        images[x + 1, y + 1, i + 1] = (random >> 28) * (dot ? 3 : 1) + (dot ? 200 : 0)
    end
    return images
end

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
    return Netcl.op_pool2d(wide, :max; layout = :whcn, window = (2, 2), strides = (2, 2))
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
