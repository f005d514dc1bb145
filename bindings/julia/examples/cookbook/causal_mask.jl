# [recipe]
heads(m) = NetclArray(reshape(m, 1, 1, size(m)...))      # [batch, heads, tokens, size]
q, k, v = heads(Float32[1 0; 0 1]), heads(Float32[1 0; 0 1]), heads(Float32[1 2; 3 4])
y, _ = Netcl.op_attention(q, k, v; causal = true)        # no mask is made
@assert Array(y)[1, 1, 1, :] == [1, 2]                   # the first token sees itself alone
@assert isapprox(Array(y)[1, 1, 2, :], [2.33951, 3.33951]; atol = 1e-4)
# [end]
