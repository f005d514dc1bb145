# Components: runtime (the shared library and its worker), devel (header, .pc, CMake package, static
# library), tools (the netcl command) and, where there is an MPI, mpi (what groups of MPI programs
# need beside the runtime).
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/netcl)

install(TARGETS netcl EXPORT netcl_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT devel)
install(TARGETS netcl_worker DESTINATION ${NETCL_WORKER_FOLDER} COMPONENT runtime)
if(TARGET netcl_mpi)
  # Nobody links it, so there is no name for that.
  install(TARGETS netcl_mpi
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT mpi NAMELINK_SKIP)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/include/netcl.h ${PROJECT_SOURCE_DIR}/include/netcl.hpp
  ${PROJECT_SOURCE_DIR}/include/netcl_helpers.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/netcl
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT devel
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
if(TARGET netcl_archive)
  install(FILES ${PROJECT_BINARY_DIR}/libnetcl.a
    DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT devel)
endif()
include(NetclSbom)
install(FILES ${PROJECT_BINARY_DIR}/netcl.spdx.json ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
if(TARGET netcl_tool)
  # The command finds the library beside itself, so that a package can be put anywhere.
  file(RELATIVE_PATH library_from_tool
    /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
  set_target_properties(netcl_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_tool}")
  install(TARGETS netcl_tool DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()

# netcl.pc finds the prefix from where it lies itself, unless folders are given as a whole, as Nix
# does.
set(NETCL_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH NETCL_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" NETCL_PC_PREFIX "\${pcfiledir}/${NETCL_PC_PREFIX}")
endif()
foreach(folder LIBDIR INCLUDEDIR)
  set(NETCL_PC_${folder} "\${prefix}")
  cmake_path(APPEND NETCL_PC_${folder} "${CMAKE_INSTALL_${folder}}")
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/pkgconfig/netcl.pc.in
  ${PROJECT_BINARY_DIR}/netcl.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/netcl.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT devel)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/netclConfig.cmake.in
  ${PROJECT_BINARY_DIR}/netclConfig.cmake INSTALL_DESTINATION ${package_folder}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Until 1.0.0 a minor release may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/netclConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT netcl_targets NAMESPACE netcl:: FILE netclTargets.cmake
  DESTINATION ${package_folder} COMPONENT devel)
install(FILES ${PROJECT_BINARY_DIR}/netclConfig.cmake ${PROJECT_BINARY_DIR}/netclConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT devel)
if(PROJECT_IS_TOP_LEVEL)
  include(NetclPackage)
endif()
