# [recipe]
x = NetclArray(Float32[1 2; 3 4])
path = tempname() * ".npy"
Netcl.save_npy(path, x)                 # numpy.load(path) reads it
@assert Array(Netcl.load_npy(path)) == [1 2; 3 4]
rm(path)
# [end]
