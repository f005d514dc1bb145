# [recipe]
using Netcl
a = NetclArray(rand(Float32, 512, 512))
y = a * a .+ 1f0                    # the broadcast is one kernel
@assert Array(y) ≈ Array(a)^2 .+ 1
# [end]
