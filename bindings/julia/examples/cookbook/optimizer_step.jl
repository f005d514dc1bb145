weights, gradients = [NetclArray(Float32[1, -1])], [NetclArray(Float32[3, -4])]
averages, square_averages = [Netcl.zeros(Float32, 2)], [Netcl.zeros(Float32, 2)]
step = Netcl.zeros(Int64, 1)
# [recipe]
Netcl.op_clip_by_norm(gradients, 1.0)
Netcl.op_adam(weights, gradients, averages, square_averages, step, 1e-3;
              weight_decay = 0.01, decoupled = true)
# [end]
@assert Array(gradients[1]) ≈ [0.6, -0.8]
@assert Array(weights[1]) ≈ [0.99899, -0.99899]    # the decay takes 1e-5, Adam its rate
@assert Array(step) == [1]
