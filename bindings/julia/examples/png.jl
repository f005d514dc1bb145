# Reads pictures: PNG of 8 bits, not interlaced, grey or in colour. Nothing here concerns netcl.

"Rows of samples: one grey, or red, green and blue. Transparent parts lie on black."
struct Picture
    height::Int
    width::Int
    channels::Int
    samples::Vector{UInt8}
end

function load_png(path)
    try
        return parse_png(read(path))
    catch problem
        problem isa Union{ErrorException,BoundsError} || rethrow()
        error(path, ": ", problem isa BoundsError ? "it ends early" : problem.msg)
    end
end

number(bytes) = foldl((sum, byte) -> sum << 8 | Int(byte), bytes; init = 0)

function parse_png(file)
    length(file) >= 8 && file[1:8] == b"\x89PNG\r\n\x1a\n" || error("it is no PNG")
    at, header, packed = 9, UInt8[], UInt8[]
    while at + 11 <= length(file)
        size, kind = number(file[at:at+3]), String(file[at+4:at+7])
        body = file[at+8:at+7+size]
        kind == "IHDR" && (header = body)
        kind == "IDAT" && append!(packed, body)
        at += 12 + size
    end
    length(header) == 13 || error("it has no header")
    width, height = number(header[1:4]), number(header[5:8])
    planes = get(Dict(0 => 1, 2 => 3, 4 => 2, 6 => 4), header[10], 0)
    header[9] == 8 && planes > 0 && header[13] == 0 ||
        error("it is not grey or in colour with 8 bits, or it is interlaced")
    0 < width <= 65535 && 0 < height <= 65535 || error("it has $height x $width pixels")
    size = height * (1 + width * planes)
    rows = inflate(packed[3:end], size)
    length(rows) == size || error("it ends before its last pixel")
    samples = unfilter(rows, width * planes, planes)
    iseven(planes) || return Picture(height, width, planes, samples)
    opacity = samples[planes:planes:end]
    color = reshape(samples, planes, :)[1:planes-1, :]
    laid = UInt8.(UInt32.(color) .* reshape(opacity, 1, :) .÷ 0xff)
    return Picture(height, width, planes - 1, vec(laid))
end

"Rows, a filter's number before each, become samples."
function unfilter(rows, width, step)
    samples, above = UInt8[], zeros(UInt8, width)
    for first in 1:1+width:length(rows)
        filter, row = rows[first], rows[first+1:first+width]
        for i in 1:width
            a, c = i <= step ? (0x00, 0x00) : (row[i-step], above[i-step])
            b = above[i]
            row[i] += filter == 0 ? 0x00 : filter == 1 ? a : filter == 2 ? b :
                      filter == 3 ? UInt8((Int(a) + Int(b)) ÷ 2) :
                      filter == 4 ? nearest(a, b, c) : error("a row has an unknown filter")
        end
        append!(samples, row)
        above = row
    end
    return samples
end

"Of left, above and above left the one that is nearest to left + above - above left."
function nearest(a, b, c)
    x, y, z = Int(a), Int(b), Int(c)
    from_a, from_b, from_c = abs(y - z), abs(x - z), abs(x + y - 2z)
    return from_a <= from_b && from_a <= from_c ? a : from_b <= from_c ? b : c
end

mutable struct Bits
    data::Vector{UInt8}
    at::Int  # in bits
end

function take_bits(bits::Bits, count)
    value = 0
    for i in 0:count-1
        value |= Int(bits.data[bits.at ÷ 8 + 1] >> (bits.at % 8) & 1) << i
        bits.at += 1
    end
    return value
end

"Huffman's code: how many codes there are of each length, and their symbols in order."
struct Code
    counts::Vector{Int}
    symbols::Vector{Int}
end

function Code(lengths::Vector{Int})
    used = [i for i in 0:length(lengths)-1 if lengths[i+1] > 0]
    symbols = sort(used; by = i -> lengths[i+1], alg = MergeSort)  # which keeps the order of equals
    return Code([count(==(length), lengths) for length in 1:15], symbols)
end

function symbol(code::Code, bits)
    value, first, index = 0, 0, 0
    for count in code.counts
        value |= take_bits(bits, 1)
        value < first + count && return code.symbols[index+value-first+1]
        index += count
        first = (first + count) << 1
        value <<= 1
    end
    error("its data has a code that is none")
end

"The codes of lengths and distances that a block brings along."
function read_codes(bits)
    long, far, count = take_bits(bits, 5) + 257, take_bits(bits, 5) + 1, take_bits(bits, 4) + 4
    lengths = zeros(Int, 19)
    for place in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)[1:count]
        lengths[place+1] = take_bits(bits, 3)
    end
    code, all = Code(lengths), Int[]
    while length(all) < long + far
        length_code = symbol(code, bits)
        value, times = length_code == 16 ? (all[end], 3 + take_bits(bits, 2)) :
                       length_code == 17 ? (0, 3 + take_bits(bits, 3)) :
                       length_code == 18 ? (0, 11 + take_bits(bits, 7)) : (length_code, 1)
        append!(all, fill(value, times))
    end
    return Code(all[1:long]), Code(all[long+1:long+far])
end

"Unpacks deflated data, `most` bytes of it."
function inflate(data, most)
    bits, out = Bits(data, 0), UInt8[]
    while true
        last, kind = take_bits(bits, 1), take_bits(bits, 2)
        if kind == 0
            at = (bits.at + 7) ÷ 8
            size = Int(data[at+1]) | Int(data[at+2]) << 8
            append!(out, data[at+5:at+4+size])
            bits.at = 8 * (at + 4 + size)
        elseif kind == 3
            error("its data has a block of no kind")
        else
            long, far = kind == 2 ? read_codes(bits) :
                        (Code([fill(8, 144); fill(9, 112); fill(7, 24); fill(8, 8)]), Code(fill(5, 30)))
            unpack!(out, bits, long, far, most)
        end
        length(out) <= most || error("its data goes on behind its last pixel")
        last == 1 && return out
    end
end

function unpack!(out, bits, long, far, most)
    while length(out) <= most
        found = symbol(long, bits)
        found == 256 && return
        if found < 256
            push!(out, found)
            continue
        end
        code = found - 257
        size = code < 8 ? 3 + code : code == 28 ? 258 :
               3 + ((4 + code % 4) << (code ÷ 4 - 1)) + take_bits(bits, code ÷ 4 - 1)
        code = symbol(far, bits)
        distance = code < 4 ? 1 + code :
                   1 + ((2 + code % 2) << (code ÷ 2 - 1)) + take_bits(bits, code ÷ 2 - 1)
        for _ in 1:size
            push!(out, out[end-distance+1])
        end
    end
end
