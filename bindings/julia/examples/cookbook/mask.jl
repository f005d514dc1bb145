# [recipe]
x = NetclArray(Float32[-2, -1, 0, 1, 2])
clipped = ifelse.(x .> 0, x, 0)
@assert Array(clipped) == [0, 0, 0, 1, 2]
@assert count(x .> 0) == 2
# [end]
