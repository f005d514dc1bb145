# Files of ONNX look at pictures.
#
# usage: julia --project=bindings/julia bindings/julia/examples/model.jl [--device SELECTOR]
#            [classify MODEL LABELS PICTURE... | line READER KEYS PICTURE... |
#             read DETECTOR TURNER READER KEYS PICTURE...]
#
# classify says what is in pictures, with a network that learned ImageNet and a line of LABELS for
# each of its classes; line reads pictures of one line of text, with the model of PP-OCR that
# recognises and its keys; read finds the lines of pages, at any angle, with the one that detects, and
# turns those round that TURNER takes for upside down (- for none). Pictures are PNG. Without a
# command it does all of it with the small models of examples/model/sample, or of --sample FOLDER, and
# ends with 1 when a picture is taken for something else than its name says, or a text for another.
#
# Tensors have their extents in the order of C here, as the models' inputs have.

using Netcl
using Printf
include("png.jl")
include("boxes.jl")

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
A line as a model takes it: 48 rows, at least so many columns, and zeros up to a multiple of
`multiple`, so that lines of nearly one length are one form of the model.
"""
function prepare_line(device, line; least, most = 8192, multiple)
    width = cld(48 * line.width, line.height)
    width = most < 8192 ? min(width, most) : width
    width <= 8192 || error("a picture is too long for a line")
    padded = max(least, multiple * cld(width, multiple))
    made = prepare(device, line, OCR; size = (48, width))
    return Netcl.op_pad(made, (0, 0, 0, 0, 0, 0, 0, padded - width))
end

"The text of a picture of one line, and the mean odds of its letters."
function read_line(device, reader, keys, line)
    odds, shape = evaluate(reader, prepare_line(device, line; least = 320, multiple = 64))
    length(shape) == 3 && shape[3] == length(keys) + 2 ||
        error("the model gives $(shape) for $(length(keys)) keys")
    return decode(reshape(odds, Int(shape[3]), :), keys)
end

function read_file(device, reader, keys, path)
    text, mean = read_line(device, reader, keys, load_png(path))
    @printf("%s: %5.1f %%  %s\n", basename(path), 100mean, text)
    return text
end

"""
The lines of a picture, whose shorter side is made `side` pixels where it has fewer, and whose
longer one 2000 where it has more.
"""
function detect(device, detector, picture, side)
    sides = (picture.height, picture.width)
    grow = maximum(sides) > 2000 ? 2000 / maximum(sides) :
           minimum(sides) < side ? side / minimum(sides) : 1.0
    size = Tuple(max(32, 32 * floor(Int, grow * s / 32 + 0.5)) for s in sides)
    odds, _ = evaluate(detector, prepare(device, picture, OCR; size = size))
    length(odds) == prod(size) || error("the output of the model that detects is not as its input")
    return find_boxes(reshape(odds, size[2], size[1]), sides...)
end

"Reads a page; gives its lines."
function read_page(device, detector, turner, reader, keys, path; side = 736)
    picture, texts = load_png(path), String[]
    println(basename(path))
    for box in detect(device, detector, picture, side)
        line = cut_out(picture, box)
        if turner !== nothing
            odds, _ = evaluate(turner, prepare_line(device, line; least = 192, most = 192, multiple = 1))
            length(odds) == 2 && odds[2] > 0.9f0 && (line = turned_round(line))
        end
        text, mean = read_line(device, reader, keys, line)
        mean < 0.5 && continue
        @printf("  %5.1f %%  at (%.0f, %.0f): %s\n", 100mean, real(box.corner), imag(box.corner), text)
        push!(texts, text)
    end
    return texts
end

"Does all with small models, whose answers are known."
function run_sample(device, folder)
    file(name) = joinpath(folder, name)
    classifier, labels = Netcl.model_load(device, file("classify.onnx")), readlines(file("labels.txt"))
    for label in labels
        best = classify(device, classifier, labels, file("$label.png"); top = 2)
        best == label || error("$label.png is taken for $best")
    end
    reader, keys = Netcl.model_load(device, file("read.onnx")), readlines(file("keys.txt"))
    text, wanted = read_file(device, reader, keys, file("line.png")), readline(file("line.txt"))
    text == wanted || error("line.png is read as $text, and says $wanted")
    detector, turner = Netcl.model_load(device, file("detect.onnx")), Netcl.model_load(device, file("turn.onnx"))
    page = read_page(device, detector, turner, reader, keys, file("page.png"); side = 32)
    page == readlines(file("page.txt")) || error("page.png is read as $page")
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
    load(path) = path == "-" ? nothing : Netcl.model_load(device, path)
    if length(words) >= 6 && words[1] == "read"
        models, keys = load.(words[2:4]), readlines(words[5])
        return foreach(path -> read_page(device, models..., keys, path), words[6:end])
    end
    length(words) >= 4 && words[1] in ("classify", "line") ||
        error("usage: model.jl [classify MODEL LABELS | line READER KEYS |\n" *
              "                 read DETECTOR TURNER READER KEYS] PICTURE...")
    model, lines = Netcl.model_load(device, words[2]), readlines(words[3])
    step = words[1] == "classify" ? classify : read_file
    foreach(path -> step(device, model, lines, path), words[4:end])
end
main(copy(ARGS))
