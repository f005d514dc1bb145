# [recipe]
x = NetclArray(Float32[1, 2, 3, 4])
tasks = [Threads.@spawn sum(view(x, first:(first + 1))) for first in (1, 3)]
@assert sum(fetch.(tasks)) == 10
# [end]
