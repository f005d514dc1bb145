# OpenCL C of one's own on arrays, timed by the device.
#
# usage: julia --project=bindings/julia bindings/julia/examples/custom_kernel.jl [device]
#
# The built-in device takes no kernels; there the program says so and does it by broadcasting.

using Netcl

const COUNT = 1 << 20
const SOURCE = """
__kernel void axpy(__global const float *x, __global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}"""

device = Netcl.device!(isempty(ARGS) ? "auto" : ARGS[1])
name = Netcl.device_get_info(device).name
queue = Netcl.device_get_queue(device)
x, y = Netcl.fill(2f0, COUNT), Netcl.fill(1f0, COUNT)

# The work that is measured, as often as it takes to know its time well; or the reason why not.
work = try
    axpy = Netcl.Kernel(SOURCE, "axpy")
    () -> axpy(x, y, 3f0; global_size = COUNT)
catch problem
    problem isa NetclError && problem.status == Netcl.ERROR_UNSUPPORTED || rethrow()
    println("no kernels on this device: ", problem.message)
    () -> (y .= 3f0 .* x .+ y)
end

work()
@assert all(y .== 7f0) "1 + 3 * 2 is 7, not $(Array(y)[1])"

statistics = Netcl.queue_time(_ -> work(), queue; budget_ns = 500_000_000)
bytes = 3 * sizeof(Float32) * COUNT
println(name, ": ", round(Int, statistics.median), " ns (", statistics.count, " samples, ",
        round(statistics.interval_low), " to ", round(statistics.interval_high), "), ",
        round(bytes / statistics.median; digits = 1), " GB/s")
