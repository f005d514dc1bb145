# [recipe]
x, y = Netcl.rand(Float32, 64, 64), Netcl.zeros(64, 64)
queue = Netcl.device_get_queue(Netcl.device())
twenty_ms = 20_000_000                  # by default up to a second
statistics = Netcl.queue_time(queue; budget_ns = twenty_ms) do q
    Netcl.op_matmul(x, x; into = y, queue = q)
end
println(statistics.median / 1000, " us, the middle of ", statistics.count, " samples")
seconds = Netcl.@elapsed x * x          # once: waits before and after, as Base's does not
@assert seconds > 0
# [end]
