# [recipe]
scores = NetclArray(Float32[0 0; 0 1])
odds = Netcl.op_softmax(scores, -1)     # along the last axis
@assert isapprox(Array(odds), [0.5 0.5; 0.26894 0.73106]; atol = 1e-4)
# [end]
