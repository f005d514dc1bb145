# [recipe]
image = Netcl.ones(Float32, 3, 3, 1, 1)     # width, height, channels, images
taps = Netcl.ones(Float32, 3, 3, 1, 1)      # width, height, channels, filters
sums = Netcl.op_conv2d(image, taps; layout = :whcn, padding = (1, 1, 1, 1))
@assert Array(sums)[:, :, 1, 1] == [4 6 4; 6 9 6; 4 6 4]
# [end]
