# [recipe]
table = NetclArray(Float32[1 2; 3 4; 5 6])
picked = table[[3, 1, 3], :]            # a copy; a view takes ranges
@assert Array(picked) == [5 6; 1 2; 5 6]
# [end]
