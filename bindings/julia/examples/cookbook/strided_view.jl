# [recipe]
x = Netcl.zeros(Float32, 2, 4)
every_other = view(x, :, 2:2:4)         # columns 2 and 4
every_other .+= 7                       # a view writes into what it looks at
@assert Array(x) == [0 7 0 7; 0 7 0 7]
# [end]
