# [recipe]
x = NetclArray(Float32[1 2 3; -4 5 6])
y = max.(x, 0) .* 2 .+ 1                # the dots are one kernel
@assert Array(y) == [3 5 7; 1 11 13]
# [end]
