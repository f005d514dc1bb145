a, b = NetclArray(Float32[1, 2]), NetclArray(Float32[3, 4])
# [recipe]
Netcl.primitive_register("my_op"; arity = 2, forward = "MUL(v0, v1)",
                         backward = ["MUL(grad, v1)", "MUL(grad, v0)"])
y = Netcl.op_primitive("my_op", (a, b))
# [end]
@assert Array(y) == [3, 8]
Netcl.primitive_unregister("my_op")
