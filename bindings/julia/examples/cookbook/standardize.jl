# [recipe]
x = NetclArray(Float32[1 3; 10 30])
mean = sum(x; dims = 2) ./ 2            # keeps the dimension, so it broadcasts over x
variance = sum((x .- mean) .^ 2; dims = 2) ./ 2
@assert Array((x .- mean) ./ sqrt.(variance)) == [-1 1; -1 1]
# [end]
