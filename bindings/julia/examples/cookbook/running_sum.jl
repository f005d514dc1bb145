# [recipe]
x = NetclArray(Float32[1 2 3; 4 5 6])
@assert Array(cumsum(x; dims = 2)) == [1 3 6; 4 9 15]
@assert Array(accumulate(max, x; dims = 1)) == [1 2 3; 4 5 6]
v = NetclArray(Float32[1, 2, 3, 4])
before = Netcl.op_scan(v, :sum, 0; exclusive = true)    # where each piece of a list begins
@assert Array(before) == [0, 1, 3, 6]
# [end]
