# libnetcl-mpi.so, by which groups of MPI programs reach MPI: built where there is an MPI. libnetcl
# opens it at run time and is linked with nothing of MPI.
find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND)
  add_library(netcl_mpi SHARED ${PROJECT_SOURCE_DIR}/src/mpi/plugin.c)
  set_target_properties(netcl_mpi PROPERTIES OUTPUT_NAME netcl-mpi C_STANDARD 11
    C_VISIBILITY_PRESET hidden VERSION ${PROJECT_VERSION} SOVERSION ${NETCL_ABI_VERSION})
  target_include_directories(netcl_mpi PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(netcl_mpi PRIVATE netcl_flags MPI::MPI_C)
  add_dependencies(netcl netcl_mpi)
else()
  message(STATUS "No MPI was found: groups of MPI programs are left out (libopenmpi-dev)")
endif()
