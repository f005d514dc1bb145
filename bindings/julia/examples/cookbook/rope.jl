# [recipe]
x = NetclArray(reshape(Float32[1 0 0 0; 1 0 0 0; 1 0 0 0], 1, 1, 3, 4))
angles = [p * 10000.0^(-2i / 4) for p in 0:2, i in 0:1]  # of each position and pair
cosines, sines = NetclArray(Float32.(cos.(angles))), NetclArray(Float32.(sin.(angles)))
places = NetclArray(Int64[0 1 2])                        # of each token, here as they come
turned = Array(Netcl.op_rotary_embedding(x, cosines, sines; position_ids = places))
@assert turned[1, 1, 1, :] == [1, 0, 0, 0]               # position 0: as it is
@assert isapprox(turned[1, 1, 2, :], [0.5403, 0, 0.84147, 0]; atol = 1e-4)
# [end]
