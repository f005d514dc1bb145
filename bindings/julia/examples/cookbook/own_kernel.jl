# [recipe]
source = """
__kernel void axpy(__global const float *x, __global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}"""
x, y = NetclArray(Float32[1, 2, 3, 4]), Netcl.ones(Float32, 4)
try
    axpy = Netcl.Kernel(source, "axpy")
    axpy(x, y, 3f0; global_size = 4)
    @assert Array(y) == [4, 7, 10, 13]
catch problem                           # the built-in device has no compiler
    problem isa NetclError && problem.status == Netcl.ERROR_UNSUPPORTED || rethrow()
end
# [end]
