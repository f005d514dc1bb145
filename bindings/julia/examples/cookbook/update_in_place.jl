# [recipe]
x = NetclArray(Float32[1, 2, 3, 4])
x .= x .* 10 .+ 1                       # the result goes where the input is
@assert Array(x) == [11, 21, 31, 41]
# [end]
