# [recipe]
w = NetclArray(Float32[3, 5])           # what is learned
x = NetclArray(Float32[1, 1])
dw, = Netcl.gradient(w -> sum(abs2, w .- x), w)
@assert Array(dw) == [4, 8]             # 2 (w - x)
# [end]
