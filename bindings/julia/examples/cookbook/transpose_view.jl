# [recipe]
x = NetclArray(Float32[1 2 3; 4 5 6])
y = x'                                  # a view: no copy, and all calls take it
@assert Array(x * y) == [14 32; 32 77]
y[1, :] .= 0                            # a row of y is a column of x
@assert Array(x) == [0 2 3; 0 5 6]
# [end]
