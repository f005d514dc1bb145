# A product and a fused broadcast on the best device there is, checked against plain Julia.
#
# usage: julia --project=bindings/julia bindings/julia/examples/quickstart.jl [device]

using Netcl

for info in Netcl.devices()
    println(info.index, ": ", info.name)
end
device = Netcl.device!(isempty(ARGS) ? "auto" : ARGS[1])
println("using ", Netcl.device_get_info(device).name)

a = NetclArray(rand(Float32, 200, 300))
b = NetclArray(rand(Float32, 300, 100))
bias = NetclArray(rand(Float32, 200))

y = a * b                                   # column-major like everything in Julia
z = max.(y .+ bias, 0) .* 0.5f0             # the dots are one kernel
println("z is a ", summary(z), ", its largest element ", maximum(z))

expected = max.(Array(a) * Array(b) .+ Array(bias), 0) .* 0.5f0
@assert Array(z) ≈ expected

# Functions of one's own are written down as expressions, too.
smooth(v) = v^2 / (1 + v^2)
@assert Array(smooth.(z)) ≈ smooth.(expected)
@assert sum(z; dims = 1) ≈ NetclArray(sum(expected; dims = 1))
println("as plain Julia computes it")
