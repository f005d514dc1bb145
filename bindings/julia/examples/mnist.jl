# Images of digits, 28 x 28 bytes each: the MNIST test set, or digits drawn with a small font. Columns
# of the array are rows of the picture.

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
