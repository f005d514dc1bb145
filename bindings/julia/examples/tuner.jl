# Tunes a kernel: which work-group and which tile size are the fastest on this device.
#
# usage: julia --project=bindings/julia bindings/julia/examples/tuner.jl [device]
#
# The kernel multiplies matrices, with a loop over tiles of TILE_SIZE. The winner is stored, so that
# this and later processes launch with it. The built-in device takes no kernels; there the variants
# of the library's own product are tuned.

using Netcl

const N = 96
const SOURCE = """
#ifndef TILE_SIZE
#define TILE_SIZE 1
#endif
__kernel void product(__global const float *a, __global const float *b, __global float *c,
                      __global int *chosen, int n, int tell) {
  const int row = get_global_id(0), column = get_global_id(1);
  float sum = 0.0f;
  for (int first = 0; first < n; first += TILE_SIZE) {
    for (int k = 0; k < TILE_SIZE; ++k)
      sum = mad(a[row + (first + k) * n], b[first + k + column * n], sum);
  }
  c[row + column * n] = sum;
  if (tell && row == 0 && column == 0) {
    chosen[0] = get_local_size(0);
    chosen[1] = get_local_size(1);
    chosen[2] = TILE_SIZE;
  }
}"""

"Runs a tuner and shows what it does; gives the winner of its only entry."
function show_progress(tuner)
    for event in Netcl.tune(tuner)
        event.kind == Netcl.SEARCH_EVENT_CANDIDATE || continue
        time = event.outcome == Netcl.OUTCOME_CORRECT ?
               "$(round(Int, event.candidate_ns)) ns" :
               lowercase(replace(string(event.outcome), "Netcl.OUTCOME_" => ""))
        println("  ", lpad(round(Int, 100 * event.fraction), 3), " %  candidate ",
                lpad(event.candidate, 2), lpad(time, 14), "   best ", lpad(event.best, 2),
                lpad(round(Int, event.best_ns), 10), " ns")
    end
    result, config = Netcl.tuner_get_result(tuner, 0)
    result.status == Netcl.OK || error(result.message)
    println("winner: ", Netcl.config_get_json(config), ", ",
            round(result.default_median / result.median; digits = 2), " times as fast as before")
    return config
end

device = Netcl.device!(isempty(ARGS) ? "auto" : ARGS[1])
println(Netcl.device_get_info(device).name)
# Measured in any case, so that there is something to see when this is run again; and with time for
# a machine that is busy with other things.
tuner = Netcl.tuner_create(device; force = true, run_limit_ns = 20 * 10^9,
                           search = Netcl.SearchOptions(samples = 5))
a, b, c = Netcl.rand(Float32, N, N), Netcl.rand(Float32, N, N), Netcl.zeros(Float32, N, N)

if Netcl.device_get_info(device).backend == Netcl.BACKEND_BUILTIN
    Netcl.tuner_add_matmul(tuner, 1, N, N, N, Float32)
    show_progress(tuner)
    @assert Array(a * b) ≈ Array(a) * Array(b)
else
    # `tell`, argument 5 from 0, is no part of the problem: what is found holds for all its values.
    kernel = Netcl.Kernel(SOURCE, "product"; free_args = UInt32[5])
    # Rows of two extents; the tile sizes divide N.
    space = Netcl.KernelTuning(local_sizes = [16, 16, 32, 4, 1, 8], tile_sizes = [8, 32])
    chosen = Netcl.zeros(Int32, 3)
    arguments(tell) = (a, b, c, chosen, Int32(N), Int32(tell))
    Netcl.tuner_add(tuner, kernel, (N, N), arguments(0), space)
    config = show_progress(tuner)
    # A launch that gives no local size takes the winner, macros and all.
    kernel(arguments(1)...; global_size = (N, N))
    @assert Array(c) ≈ Array(a) * Array(b)
    winner = [Netcl.config_get_int(config, name) for name in ("LOCAL_X", "LOCAL_Y", "TILE_SIZE")]
    println("a launch took work-groups of ", Array(chosen)[1], " x ", Array(chosen)[2],
            " and tiles of ", Array(chosen)[3])
    @assert Array(chosen) == max.(winner, 1)
end
