# [recipe]
x = NetclArray(Float32[0, 0.1, 0.6, 1, 9])
counts = Netcl.op_histogram(x, 2; high = 1)     # from 0 to 1; what lies outside does not count
@assert Array(counts) == [2, 2]
# [end]
