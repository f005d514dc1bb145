# SPDX-License-Identifier: Apache-2.0
#
# A formula in the form of Homebrew, for its prefix on Linux. It was written from CMakeLists.txt and
# docs/packaging.md; it was not run. `url` and `sha256` are those of the archive of sources that
# `cpack --config build/release/CPackSourceConfig.cmake` writes: put them in before use.
class Netcl < Formula
  desc "OpenCL compute for every language that can call C"
  homepage "file:///usr/share/doc/netcl"
  url "file:///path/to/netcl-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "highway" => :build
  depends_on "ninja" => :build
  depends_on "opencl-headers" => :build
  depends_on "protozero" => :build
  depends_on "rapidjson" => :build
  depends_on "xxhash" => :build
  depends_on "jpeg-turbo"
  depends_on "libpng"
  depends_on :linux
  depends_on "opencl-icd-loader"
  depends_on "zlib"

  def install
    args = %w[
      -DNETCL_BUILD_TESTS=OFF
      -DNETCL_BUILD_EXAMPLES=OFF
      -DNETCL_BUILD_STATIC=OFF
      -DNETCL_BUILD_MPI=OFF
      -DNETCL_SYSTEM_LIBRARIES=ON
    ]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    ENV["NETCL_BACKEND"] = "builtin"
    ENV["NETCL_CACHE_DIR"] = testpath/"caches"
    assert_match "0 failed", shell_output("#{bin}/netcl selftest --device builtin")
    (testpath/"version.c").write <<~C
      #include <netcl.h>
      #include <stdio.h>
      int main(void) { puts(netcl_version_string()); return 0; }
    C
    system ENV.cc, "version.c", "-o", "version", "-I#{include}", "-L#{lib}", "-lnetcl"
    assert_equal version.to_s, shell_output("./version").strip
  end
end
