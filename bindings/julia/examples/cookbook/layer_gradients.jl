w, b = NetclArray(Float32[0 0; 0 0]), NetclArray(Float32[0, 0])
x, y = NetclArray(Float32[1 2; 3 4]), NetclArray(Float32[1 1; 1 1])
# [recipe]
dw, db = Netcl.gradient((w, b) -> sum(abs2, tanh.(w * x .+ b) .- y), w, b)
# [end]
@assert Array(db) == [-4, -4] && Array(dw) == [-6 -14; -6 -14]
