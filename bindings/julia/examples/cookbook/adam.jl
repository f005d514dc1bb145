parameters = (NetclArray(Float32[1, 2]), NetclArray(Float32[3]))
f(p, q) = sum(abs2, p) + sum(q)
# [recipe]
step = Netcl.zeros(Int64, 1)
averages, squares = [map(p -> Netcl.zeros(Float32, size(p)), parameters) for _ in 1:2]
loss, gradients = Netcl.withgradient(f, parameters...)
Netcl.op_adam(parameters, gradients, averages, squares, step, 1f-3)
# [end]
@assert loss == 8 && Array(gradients[1]) == [2, 4] && Array(gradients[2]) == [1]
@assert Array(parameters[1]) ≈ [0.999, 1.999] && Array(parameters[2]) ≈ [2.999]
