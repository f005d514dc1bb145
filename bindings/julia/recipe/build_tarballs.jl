# A recipe for BinaryBuilder, which builds netcl for the platforms of Julia as a package `netcl_jll`:
#
#     julia recipe/build_tarballs.jl x86_64-linux-gnu-cxx11 --verbose
#
# It needs Julia 1.7 or later, BinaryBuilder, and the network. The library opens OpenCL and MPI when it
# runs, so it is built without either; `OpenCL_jll` gives a loader, `pocl_jll` a device.
#
# With the result:  using netcl_jll; ENV["NETCL_LIBRARY"] = netcl_jll.libnetcl_path; using Netcl

using BinaryBuilder

name = "netcl"
version = v"0.1.0"

# The source tree that this file is in. A published recipe names an archive and its SHA-256 instead:
# ArchiveSource("https://.../netcl-0.1.0.tar.gz", "...").
sources = [DirectorySource(joinpath(@__DIR__, "..", "..", ".."); target = "netcl")]

script = raw"""
cd ${WORKSPACE}/srcdir/netcl
cmake -B build -G Ninja \
    -DCMAKE_INSTALL_PREFIX=${prefix} \
    -DCMAKE_TOOLCHAIN_FILE=${CMAKE_TARGET_TOOLCHAIN} \
    -DCMAKE_BUILD_TYPE=Release \
    -DNETCL_BUILD_STATIC=OFF \
    -DNETCL_BUILD_MPI=OFF \
    -DNETCL_BUILD_TESTS=OFF \
    -DNETCL_BUILD_EXAMPLES=OFF
cmake --build build --parallel ${nproc}
cmake --install build
install_license LICENSE
"""

# glibc on x86-64 and AArch64; its C++ runtime is linked in, so the ABI of strings does not matter.
platforms = [Platform("x86_64", "linux"; libc = "glibc"), Platform("aarch64", "linux"; libc = "glibc")]

products = [LibraryProduct("libnetcl", :libnetcl), ExecutableProduct("netcl", :netcl)]

dependencies = [RuntimeDependency("OpenCL_jll")]

# C++20; GCC 12 is what the release is built with.
build_tarballs(ARGS, name, version, sources, script, platforms, products, dependencies;
               julia_compat = "1.6", preferred_gcc_version = v"12", lock_microarchitecture = false)
