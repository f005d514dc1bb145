# A little real work whose every byte is the same each time on a device, and in each language:
# examples/fingerprint.c is the same program. It makes a picture, blurs and sharpens it, multiplies it
# with itself, and prints hashes and a few numbers.
#
# usage: julia --project=bindings/julia bindings/julia/examples/fingerprint.jl [device]
#
# The bytes are those of C order here, so this example calls the ops of C by their names.

using Netcl, Printf

const HEIGHT, WIDTH = 64, 96

"Prints FNV-1a over the elements in C order, little-endian."
function print_hash(name, tensor)
    data = Vector{UInt8}(undef, Netcl.tensor_get_info(tensor).byte_count)
    Netcl.tensor_read(tensor, data)
    hash = foldl((hash, byte) -> xor(hash, UInt64(byte)) * 0x100000001b3, data;
                 init = 0xcbf29ce484222325)
    @printf("%-9s %016x\n", name, hash)
    return tensor
end

device = Netcl.Device(isempty(ARGS) ? "auto" : ARGS[1])
@printf("device    %s\n", Netcl.device_get_info(device).name)

pixels = [(x * x + 3 * y * y + 7 * x * y) % UInt8 for x in 0:(WIDTH - 1), y in 0:(HEIGHT - 1)]
bytes = Netcl.tensor_create_from_host(device, UInt8, (1, 1, HEIGHT, WIDTH), pixels)
picture = print_hash("picture", Netcl.op_expression_text("f32(v0) / 255.0", bytes))

weights = Netcl.tensor_create_from_host(device, Float32, (1, 1, 3, 3),
                                        Float32[1, 2, 1, 2, 4, 2, 1, 2, 1])
sum_of_nine = Netcl.op_conv2d(picture, weights; padding = (1, 1, 1, 1))
blurred = print_hash("blurred", Netcl.op_expression_text("v0 / 16.0", sum_of_nine))
sharp = print_hash("sharp", Netcl.op_expression_text("clamp(v0 + 1.5 * (v0 - v1), 0.0, 1.0)",
                                                     (picture, blurred)))
print_hash("bytes", Netcl.op_expression_text("u8(round(v0 * 255.0))", sharp))

# How alike rows are: the softmax of the products of all rows with all rows.
rows = Netcl.tensor_reshape(sharp, (HEIGHT, WIDTH))
products = print_hash("products", Netcl.op_matmul(rows, Netcl.tensor_permute(rows, (1, 0))))
alike = print_hash("alike", Netcl.op_softmax(products, 1))
means = print_hash("means", Netcl.op_reduce(alike, :mean; axes = (0,)))
values = Vector{Float32}(undef, HEIGHT)
Netcl.tensor_read(means, values)
for row in 0:16:(HEIGHT - 1)
    @printf("row %2d    %.9f\n", row, values[row + 1])
end
