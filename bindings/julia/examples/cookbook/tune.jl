# [recipe]
search = Netcl.SearchOptions(; budget_ns = 200_000_000)   # 0.2 s; by default a minute
tuner = Netcl.tuner_create(Netcl.device(); search = search)
Netcl.tuner_add_matmul(tuner, 1, 64, 64, 64, Float32)     # tuner_add: a kernel
Netcl.tuner_run(tuner)
result, _ = Netcl.tuner_get_result(tuner, 0)
println(result.name, ": ", result.median / 1000, " us, by default ",
        result.default_median / 1000, " us")              # kept on disk: later programs take it
close(tuner)
# [end]
@assert result.status == Netcl.OK
