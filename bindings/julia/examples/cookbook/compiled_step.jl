# [recipe]
weights = NetclArray(Float32[1 0; 0 1])
x = NetclArray(Float32[0 1])
layer = Netcl.compiled(x -> max.(x * weights, 0) .+ 1)
for step in 1:3                         # recorded and compiled once, then only run
    @assert Array(layer(x)) == [1 2]
end
close(layer)
# [end]
