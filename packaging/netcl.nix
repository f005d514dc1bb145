# SPDX-License-Identifier: Apache-2.0
#
# A recipe for Nix: nix-build -E 'with import <nixpkgs> {}; callPackage ./packaging/netcl.nix {}'
# It was written from CMakeLists.txt and docs/packaging.md; it was not run.
{ lib
, stdenv
, cmake
, ninja
, libhwy
, libjpeg
, libpng
, opencl-headers
, protozero
, rapidjson
, xxHash
, zlib
, mpi ? null
}:

stdenv.mkDerivation {
  pname = "netcl";
  version = "0.1.0";
  src = lib.cleanSource ../.;

  outputs = [ "out" "dev" "man" ];

  nativeBuildInputs = [ cmake ninja ];
  buildInputs = [
    libhwy
    libjpeg
    libpng
    opencl-headers
    protozero
    rapidjson
    xxHash
    zlib
  ] ++ lib.optional (mpi != null) mpi;

  cmakeFlags = [
    "-DNETCL_BUILD_TESTS=OFF"
    "-DNETCL_BUILD_EXAMPLES=OFF"
    "-DNETCL_BUILD_STATIC=OFF"
    "-DNETCL_SYSTEM_LIBRARIES=ON"
    "-DNETCL_BUILD_MPI=${if mpi != null then "ON" else "OFF"}"
  ];

  doInstallCheck = true;
  installCheckPhase = ''
    runHook preInstallCheck
    NETCL_BACKEND=builtin NETCL_CACHE_DIR=$TMPDIR/caches $out/bin/netcl selftest --device builtin
    runHook postInstallCheck
  '';

  meta = {
    description = "OpenCL compute for every language that can call C";
    license = lib.licenses.asl20;
    platforms = lib.platforms.linux;
    mainProgram = "netcl";
  };
}
