x, y = Netcl.randn(3, 8), Netcl.randn(2, 8)
w1, b1, w2, b2 = Netcl.randn(4, 3), Netcl.zeros(4), Netcl.randn(2, 4), Netcl.zeros(2)
before = Array(w1)
# [recipe]
struct Dense; w; b; end
(d::Dense)(x) = tanh.(d.w * x .+ d.b)
model = (Dense(w1, b1), Dense(w2, b2))
grad, = Netcl.gradient(m -> sum(abs2, m[2](m[1](x)) .- y), model)     # grad[1].w
Netcl.op_sgd(Netcl.arrays(model), Netcl.arrays(grad), 0.1)
# [end]
@assert Array(w1) ≈ before .- 0.1f0 .* Array(grad[1].w)
