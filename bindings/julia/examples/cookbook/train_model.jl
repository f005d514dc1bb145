# [recipe]
struct Conv; w; b; end                  # layers are ordinary structs
struct Dense; w; b; end
(l::Conv)(x) = Netcl.relu.(
    Netcl.op_conv2d(x, l.w; layout = :whcn, padding = 1) .+ reshape(l.b, 1, 1, :, 1))
(l::Dense)(x) = l.w * reshape(x, :, size(x, 4)) .+ l.b
halved(x) = Netcl.op_pool(x, :max; layout = :whcn, window = 2, strides = 2)
logits(m, x) = m.dense(halved(m.conv(x)))

model = (conv = Conv(Netcl.randn(3, 3, 1, 4) ./ 3, Netcl.zeros(4)),
         dense = Dense(Netcl.randn(10, 64) ./ 8, Netcl.zeros(10)))
x, labels = Netcl.rand(8, 8, 1, 32), NetclArray(rand(0:9, 32))  # classes count from 0
averages, squares = [map(zero, Netcl.arrays(model)) for _ in 1:2]
steps = Netcl.zeros(Int64, 1)
losses = map(1:20) do _
    found = Netcl.withgradient(model) do m
        Netcl.op_cross_entropy(logits(m, x)', labels, 1)        # the mean of the batch
    end
    Netcl.op_adam(Netcl.arrays(model), Netcl.arrays(found.grad), averages, squares, steps, 1f-2)
    return found.val
end
@assert losses[end] < losses[1]
# [end]
