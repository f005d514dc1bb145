# How drivers are opened. A driver made here says whose function it calls where both it and Julia
# have one of that name, and throws an exception of C++, which has to reach its own handler.

const DRIVER_SOURCE = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern "C" {
int jl_ver_major(void) { return -1; }
int clGetPlatformInfo(void *, unsigned, size_t, void *, size_t *) { return -30; }
int clIcdGetPlatformIDsKHR(unsigned count, void **platforms, unsigned *found) {
  int caught = 0;
  try { throw 7; } catch (int thrown) { caught = thrown; }
  Dl_info self;
  dladdr((void *)&clIcdGetPlatformIDsKHR, &self);
  if (FILE *out = fopen(getenv("NETCL_TEST_OUT"), "a")) {
    fprintf(out, "%s %s %d\\n", strrchr(self.dli_fname, '/') + 1,
            jl_ver_major() == -1 ? "own" : "process", caught);
    fclose(out);
  }
  return -1001;
}
void *clGetExtensionFunctionAddress(const char *name) {
  if (strcmp(name, "clGetPlatformInfo") == 0) return (void *)&clGetPlatformInfo;
  return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *)&clIcdGetPlatformIDsKHR : nullptr;
}
}"""

compiler = Sys.which(get(ENV, "CXX", "c++"))

Sys.islinux() && compiler !== nothing && @testset "only PoCL looks at its own names first" begin
    folder = mktempdir()
    write(joinpath(folder, "driver.cpp"), DRIVER_SOURCE)
    names = ["libpocl-stand-in.so", "libother.so"]
    vendors = mkdir(joinpath(folder, "vendors"))
    for name in names
        run(`$compiler -shared -fPIC -o $(joinpath(folder, name)) $folder/driver.cpp -ldl`)
        write(joinpath(vendors, name * ".icd"), joinpath(folder, name) * "\n")
    end
    program = "using Netcl; println(Netcl.device_count() > 0)"
    # A folder of .icd files, one of them, the libraries themselves.
    for (at, (settings, expected)) in enumerate((
            ["OCL_ICD_VENDORS" => vendors] => names,
            ["OCL_ICD_VENDORS" => joinpath(vendors, names[1] * ".icd")] => names[1:1],
            ["OCL_ICD_VENDORS" => joinpath(folder, names[1])] => names[1:1],
            ["OCL_ICD_VENDORS" => mkdir(joinpath(folder, "none")),
             "OCL_ICD_FILENAMES" => join(joinpath.(folder, names), ':')] => names))
        out = joinpath(folder, "out$at")
        code, text = in_process(program, "NETCL_TEST_OUT" => out, "NETCL_BACKEND" => nothing,
                                "OCL_ICD_FILENAMES" => nothing, settings...)
        @test code == 0 && strip(text) == "true"
        lines = isfile(out) ? unique(sort(readlines(out))) : String[]
        right = sort([string(name, name == names[1] ? " own 7" : " process 7")
                      for name in expected])
        # Loaders differ in which settings they know, but not in the first.
        @test lines == right || at > 1 && lines == []
    end
    rm(folder; recursive = true)
end
compiler === nothing && println("How drivers are opened is not tested: there is no C++ compiler")

# Mesa's driver throws where it has no device.
const MESA = filter(isfile, ["/usr/lib/x86_64-linux-gnu/libMesaOpenCL.so.1",
                             "/usr/lib/aarch64-linux-gnu/libMesaOpenCL.so.1",
                             get(ENV, "NETCL_TEST_MESA", "")])
isempty(MESA) && println("Mesa's driver is not tested: install mesa-opencl-icd, or name ",
                         "libMesaOpenCL.so.1 in NETCL_TEST_MESA")
isempty(MESA) || @testset "beside Mesa's driver" begin
    vendors = mktempdir()
    for file in (isdir(Netcl.Raw.VENDORS) ? readdir(Netcl.Raw.VENDORS; join = true) : String[])
        cp(file, joinpath(vendors, basename(file)); force = true)
    end
    write(joinpath(vendors, "mesa.icd"), MESA[1] * "\n")
    program = """
    using Netcl
    foreach(device -> println(device.name), Netcl.devices())
    println(Array(Netcl.ones(Float32, 3; device = Netcl.Device("builtin")) .+ 1f0))
    """
    code, text = in_process(program, "OCL_ICD_VENDORS" => vendors, "NETCL_BACKEND" => nothing)
    code == 0 || println(text)
    @test code == 0 && occursin("Float32[2.0, 2.0, 2.0]", text)
    rm(vendors; recursive = true)
end
