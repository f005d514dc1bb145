# Headers that the library is built with. None of them leaves anything to be linked.
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
