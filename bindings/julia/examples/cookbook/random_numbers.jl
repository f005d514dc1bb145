# [recipe]
using Random
Random.seed!(7)                         # settles those of Julia and these
first_time = Array(Netcl.rand(Float32, 4))
Random.seed!(7)
@assert Array(Netcl.rand(Float32, 4)) == first_time
@assert Array(Netcl.randn(4; seed = 42)) == Array(Netcl.randn(4; seed = 42))
# [end]
