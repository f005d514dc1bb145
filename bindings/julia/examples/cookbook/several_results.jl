x, y, cos, sin = [NetclArray(Float32[value]) for value in (1, 0, 0.6, 0.8)]
# [recipe]
x, y = Netcl.expression(("v0 * v2 - v1 * v3", "v0 * v3 + v1 * v2"), x, y, cos, sin)
# [end]
@assert Array(x) == [0.6f0] && Array(y) == [0.8f0]
