# What the library is built with: headers, and zlib, whose functions become part of it. Nothing of
# them is needed when it runs, unless NETCL_SYSTEM_LIBRARIES says so.
add_library(netcl_headers INTERFACE)

function(netcl_require_header variable header package)
  find_path(${variable} ${header})
  if(NOT ${variable})
    message(FATAL_ERROR "<${header}> was not found; on Debian: apt-get install ${package}")
  endif()
  target_include_directories(netcl_headers SYSTEM INTERFACE ${${variable}})
endfunction()

netcl_require_header(OPENCL_HEADERS CL/cl.h opencl-c-headers)
netcl_require_header(XXHASH_HEADERS xxhash.h libxxhash-dev)
netcl_require_header(HIGHWAY_HEADERS hwy/highway.h libhwy-dev)
netcl_require_header(RAPIDJSON_HEADERS rapidjson/reader.h rapidjson-dev)
netcl_require_header(PROTOZERO_HEADERS protozero/pbf_reader.hpp libprotozero-dev)
netcl_require_header(ZLIB_HEADERS zlib.h zlib1g-dev)

# Distributions build with the shared libraries of the system, of which they replace one for all.
if(NETCL_SYSTEM_LIBRARIES)
  if(NETCL_BUILD_STATIC)
    message(FATAL_ERROR "libnetcl.a holds zlib: NETCL_SYSTEM_LIBRARIES goes with "
      "-DNETCL_BUILD_STATIC=OFF")
  endif()
  find_library(NETCL_ZLIB z)
else()
  find_library(NETCL_ZLIB libz.a)
endif()
if(NOT NETCL_ZLIB)
  message(FATAL_ERROR "zlib was not found; on Debian: apt-get install zlib1g-dev")
endif()
target_link_libraries(netcl_headers INTERFACE $<BUILD_INTERFACE:${NETCL_ZLIB}>)
