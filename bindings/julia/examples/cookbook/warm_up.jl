# [recipe]
serve = Netcl.compiled(x -> Netcl.op_softmax(x, -1))
for batch in (1, 2, 4, 8)                # each shape that requests will have
    serve(NetclArray(zeros(Float32, batch, 10)))         # kernels are built here
end
@assert Array(serve(NetclArray(zeros(Float32, 4, 10)))) ≈ fill(0.1, 4, 10)
close(serve)
# [end]
