# What the library is built with: headers, and zlib, whose functions become part of it. Nothing of
# them is needed when it runs.
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

find_library(NETCL_ZLIB libz.a)
if(NOT NETCL_ZLIB)
  message(FATAL_ERROR "libz.a was not found; on Debian: apt-get install zlib1g-dev")
endif()
target_link_libraries(netcl_headers INTERFACE $<BUILD_INTERFACE:${NETCL_ZLIB}>)
