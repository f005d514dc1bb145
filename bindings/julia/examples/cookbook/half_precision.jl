# [recipe]
x = NetclArray(Float32[1 2; 3 4])
half = Netcl.BFloat16.(x)               # half the memory, the range of Float32
product = Netcl.op_matmul(half, half; dtype = Float32)  # sums are Float32; so the result may be
@assert Array(product) == [7 10; 15 22]
# [end]
