# [recipe]
x = NetclArray(Float32[1 2 3; 4 5 6])
row = NetclArray(Float32[10 20 30])
@assert Array(x .+ row) == [11 22 33; 14 25 36]
# [end]
