# [recipe]
x, w = NetclArray(Float32[1 2]), NetclArray(Float32[1 -1; 1 -1])
relu = Netcl.Epilogue(; bias = NetclArray(Float32[0.5, 0.5]), activation = :relu)
y = Netcl.op_matmul(x, w; epilogue = relu)      # product, bias and relu are one kernel
@assert Array(y) == [3.5 0]
# [end]
