# [recipe]
x = NetclArray(Float32[3, 1, 4, 1, 5])
best, places = Netcl.op_topk(x, 2, 0)   # the two largest; axes and places count from 0
@assert Array(best) == [5, 4]
@assert Array(places) == [4, 2]
falling, _ = Netcl.op_topk(x, 5, 0)     # all of them: sorted
@assert Array(falling) == [5, 4, 3, 1, 1]
# [end]
