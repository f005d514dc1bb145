# [recipe]
a = NetclArray(Float32[1 2 3])
try
    Netcl.op_matmul(a, a)               # 3 and 1 do not fit
    error("it is refused")
catch problem
    problem isa NetclError || rethrow()
    println(problem.message)            # says which shapes, and what of them disagrees
end
# [end]
