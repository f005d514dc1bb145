w = Netcl.zeros(Float32, 1, 1)
x, y = NetclArray(Float32[1 2]), NetclArray(Float32[3 6])
# [recipe]
step = Netcl.compiled() do x, y
    found = Netcl.withgradient(w -> sum(abs2, w * x .- y), w)
    w .-= 0.01f0 .* found.grad[1]        # written by each call
    return found.val
end
loss = step(x, y)                        # an array of one element
# [end]
@assert Array(loss)[1] == 45 && Array(w) ≈ [0.3]
@assert Array(step(x, y))[1] < 45
close(step)
