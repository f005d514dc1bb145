# Files of ONNX look at pictures.
#
# usage: julia --project=bindings/julia bindings/julia/examples/model.jl [--device SELECTOR]
#            [classify MODEL LABELS PICTURE... | line READER KEYS PICTURE...]
#
# classify says what is in pictures, with a network that learned ImageNet and a line of LABELS for
# each of its classes; line reads pictures of one line of text, with the model of PP-OCR that
# recognises and its keys. Pictures are PNG. Without a command it does both with the small models of
# examples/model/sample, or of --sample FOLDER, and ends with 1 when a picture is taken for something
# else than its name says. Finding the lines of a page is in examples/model/model.c.
#
# Tensors have their extents in the order of C here, as the models' inputs have.

using Netcl
using Printf
include("png.jl")

"How samples of red, green and blue become elements."
struct Look
    mean::Vector{Float32}
    deviation::Vector{Float32}
    blue_first::Bool
end

# What networks that learned ImageNet take, and those of PP-OCR.
const IMAGE_NET = Look([0.485, 0.456, 0.406], [0.229, 0.224, 0.225], false)
const OCR = Look([0.5, 0.5, 0.5], [0.5, 0.5, 0.5], true)

tensor(device, dtype, shape, data) = Netcl.tensor_create_from_host(device, dtype, shape, data)

"""
A tensor of count x from: row i has the weights by which the samples of an axis make sample
first + i of `to`: linear between neighbours, and over more of them where the axis shrinks.
"""
function resize_matrix(device, from, to, first, count)
    scale = from / to
    weights = zeros(Float32, from, count)  # turned round: C has the last extent first
    for i in 1:count
        center = (first + i - 0.5) * scale - 0.5
        near = [max(0, 1 - abs(k - center) / max(scale, 1)) for k in 0:from-1]
        weights[:, i] = near ./ sum(near)
    end
    return tensor(device, :f32, (count, from), weights)
end

"""
The input of a model, f32 1 x 3 x rows x columns, made on the device: the picture is resized to
`size` by two matrix products, of which `count` rows and columns from `first` on are wanted, and each
sample becomes (sample / 255 - mean) / deviation.
"""
function prepare(device, picture, look; size, first = (0, 0), count = size)
    shape = (picture.height, picture.width, picture.channels)
    planes = Netcl.tensor_permute(tensor(device, :u8, shape, picture.samples), (2, 0, 1))
    if look.blue_first && picture.channels == 3
        planes = Netcl.tensor_slice(planes, [Netcl.Range(2, 3, -1), Netcl.Range(0, shape[1], 1),
                                             Netcl.Range(0, shape[2], 1)])
    end
    down, across = (resize_matrix(device, shape[i], size[i], first[i], count[i]) for i in 1:2)
    rows = Netcl.op_matmul(down, Netcl.op_cast(planes, :f32))
    small = Netcl.op_matmul(rows, Netcl.tensor_permute(across, (1, 0)))
    numbers = [tensor(device, :f32, (3, 1, 1), x) for x in (look.mean, look.deviation)]
    made = Netcl.op_expression_text("(v0 / 255.0f - v1) / v2", [small, numbers...])
    return Netcl.tensor_reshape(made, (1, 3, count...))
end

"Runs a model of one input and one output; gives the output's elements and its extents."
function evaluate(model, input)
    output = only(Netcl.model_evaluate(model, (input,)))
    info = Netcl.tensor_get_info(output)
    elements = zeros(Float32, info.element_count)
    Netcl.tensor_read(output, elements)
    return elements, info.shape[1:info.rank]
end

"Scores as shares of 1 by softmax, where they are not that already."
function shares(scores)
    all(>=(0), scores) && abs(sum(scores) - 1) < 1e-2 && return scores
    powers = exp.(scores .- maximum(scores))
    return powers ./ sum(powers)
end

"Prints the best classes of a picture; gives the best."
function classify(device, model, labels, path; top = 5)
    picture = load_png(path)
    sides = (picture.height, picture.width)
    # The middle of the picture, whose shorter side is made 256.
    size = sides .* 256 .÷ minimum(sides)
    input = prepare(device, picture, IMAGE_NET; size = size, first = (size .- 224) .÷ 2,
                    count = (224, 224))
    odds = shares(evaluate(model, input)[1])
    length(odds) == length(labels) ||
        error("the model has $(length(odds)) classes, and there are $(length(labels)) labels")
    order = sortperm(odds; rev = true)
    println(basename(path))
    for class in order[1:min(top, end)]
        @printf("  %6.2f %%  %s\n", 100odds[class], labels[class])
    end
    return labels[order[1]]
end

"""
CTC: of each column the best class, of equal ones in a row the first, and no blanks, which are the
first class. The keys follow, the last is a space.
"""
function decode(odds, keys)
    best = [argmax(column) for column in eachcol(odds)]
    kept = [i for i in 1:length(best) if best[i] != 1 && (i == 1 || best[i] != best[i-1])]
    text = join(best[i] <= length(keys) + 1 ? keys[best[i]-1] : " " for i in kept)
    return text, sum(Float64[odds[best[i], i] for i in kept]) / max(1, length(kept))
end

"""
Reads a picture of one line: 48 rows, at least 320 columns, and zeros up to a multiple of 64, so
that lines of nearly one length are one form of the model.
"""
function read_line(device, reader, keys, path)
    picture = load_png(path)
    width = cld(48 * picture.width, picture.height)
    width <= 8192 || error(path, ": it is too long for a line")
    padded = max(320, 64 * cld(width, 64))
    line = prepare(device, picture, OCR; size = (48, width))
    odds, shape = evaluate(reader, Netcl.op_pad(line, (0, 0, 0, 0, 0, 0, 0, padded - width)))
    length(shape) == 3 && shape[3] == length(keys) + 2 ||
        error("the model gives $(shape) for $(length(keys)) keys")
    text, mean = decode(reshape(odds, Int(shape[3]), :), keys)
    @printf("%s: %5.1f %%  %s\n", basename(path), 100mean, text)
    return text
end

"Does both with small models, whose answers are known."
function run_sample(device, folder)
    file(name) = joinpath(folder, name)
    classifier, labels = Netcl.model_load(device, file("classify.onnx")), readlines(file("labels.txt"))
    for label in labels
        best = classify(device, classifier, labels, file("$label.png"); top = 2)
        best == label || error("$label.png is taken for $best")
    end
    reader, keys = Netcl.model_load(device, file("read.onnx")), readlines(file("keys.txt"))
    text, wanted = read_line(device, reader, keys, file("line.png")), readline(file("line.txt"))
    text == wanted || error("line.png is read as $text, and says $wanted")
end

function main(args)
    selector, words = "auto", String[]
    sample = joinpath(@__DIR__, "..", "..", "..", "examples", "model", "sample")
    while !isempty(args)
        word = popfirst!(args)
        if word == "--device"
            selector = popfirst!(args)
        elseif word == "--sample"
            sample = popfirst!(args)
        else
            push!(words, word)
        end
    end
    device = Netcl.device!(selector)
    println(Netcl.device_get_info(device).name)
    isempty(words) && return run_sample(device, sample)
    length(words) >= 4 && words[1] in ("classify", "line") ||
        error("usage: model.jl [classify MODEL LABELS | line READER KEYS] PICTURE...")
    model, lines = Netcl.model_load(device, words[2]), readlines(words[3])
    step = words[1] == "classify" ? classify : read_line
    foreach(path -> step(device, model, lines, path), words[4:end])
end
main(copy(ARGS))
