# netcl.spdx.json, which says what is inside (SPDX 2.3): written from third_parties.json when the
# build is configured, with the versions that the headers have. Its date is SOURCE_DATE_EPOCH where
# that is set, else that of the version, so that two builds write the same bytes. What is linked as
# a shared library of the system is a dependency, not a part.
set(sbom_list ${PROJECT_SOURCE_DIR}/cmake/third_parties.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sbom_list})
file(READ ${sbom_list} sbom_parties)
string(JSON sbom_parties GET "${sbom_parties}" parties)

# The version of a party: the numbers of a pattern in its header, joined by points.
function(netcl_party_version party result)
  string(JSON header ERROR_VARIABLE none GET "${party}" header)
  string(JSON how GET "${party}" how)
  if(how STREQUAL "runtime")
    set(${result} ${CMAKE_CXX_COMPILER_VERSION} PARENT_SCOPE)
    return()
  endif()
  set(${result} NOASSERTION PARENT_SCOPE)
  if(none)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "NETCL_SBOM_${header}" place)
  find_file(${place} ${header} PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE})
  mark_as_advanced(${place})
  if(NOT ${place})
    return()
  endif()
  string(JSON pattern GET "${party}" pattern)
  file(STRINGS ${${place}} lines REGEX "define +${pattern}")
  set(numbers "")
  foreach(line IN LISTS lines)
    if(line MATCHES "define +${pattern}")
      list(APPEND numbers ${CMAKE_MATCH_2})
    endif()
  endforeach()
  list(SUBLIST numbers 0 3 numbers)
  list(JOIN numbers "." version)
  set(${result} ${version} PARENT_SCOPE)
endfunction()

# One package of SPDX.
function(netcl_sbom_package id name version license copyright result)
  string(TOLOWER "pkg:generic/${name}@${version}" purl)
  string(REPLACE "+" "%2B" purl "${purl}")
  set(references "")
  if(NOT version STREQUAL "NOASSERTION")
    set(references ",
   \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\",
                     \"referenceLocator\": \"${purl}\"}]")
  endif()
  set(${result} "  {\"SPDXID\": \"SPDXRef-${id}\", \"name\": \"${name}\",
   \"versionInfo\": \"${version}\", \"downloadLocation\": \"NOASSERTION\",
   \"filesAnalyzed\": false, \"licenseConcluded\": \"${license}\",
   \"licenseDeclared\": \"${license}\", \"copyrightText\": \"${copyright}\"${references}}"
    PARENT_SCOPE)
endfunction()

function(netcl_write_sbom output)
  set(packages "")
  set(relations "")
  foreach(part library tool)
    if(part STREQUAL "tool" AND NOT TARGET netcl_tool)
      continue()
    endif()
    set(name_library libnetcl)
    set(name_tool netcl)
    netcl_sbom_package(${part} "${name_${part}}" ${PROJECT_VERSION} Apache-2.0
      "the authors of netcl" package)
    list(APPEND packages "${package}")
    list(APPEND relations "DOCUMENT DESCRIBES ${part}")
  endforeach()
  string(JSON last LENGTH "${sbom_parties}")
  math(EXPR last "${last} - 1")
  foreach(i RANGE ${last})
    string(JSON party GET "${sbom_parties}" ${i})
    foreach(member name license copyright how)
      string(JSON ${member} GET "${party}" ${member})
    endforeach()
    set(used FALSE)
    string(REGEX REPLACE "[^A-Za-z0-9]" "-" id "${name}")
    string(JSON count LENGTH "${party}" in)
    math(EXPR count "${count} - 1")
    foreach(k RANGE ${count})
      string(JSON part GET "${party}" in ${k})
      if(part STREQUAL "tool" AND NOT TARGET netcl_tool OR
         name STREQUAL "libpng" AND NOT netcl_reads_png OR
         name STREQUAL "libjpeg-turbo" AND NOT netcl_reads_jpeg)
        continue()
      endif()
      set(used TRUE)
      set(kind STATIC_LINK)
      if(how STREQUAL "headers")
        set(kind CONTAINS)
      elseif(how STREQUAL "archive" AND NETCL_SYSTEM_LIBRARIES)
        set(kind DYNAMIC_LINK)
      endif()
      list(APPEND relations "${part} ${kind} ${id}")
    endforeach()
    if(used)
      netcl_party_version("${party}" version)
      netcl_sbom_package(${id} "${name}" "${version}" "${license}" "${copyright}" package)
      list(APPEND packages "${package}")
    endif()
  endforeach()
  list(TRANSFORM relations REPLACE "^([^ ]+) ([^ ]+) ([^ ]+)$"
    "  {\"spdxElementId\": \"SPDXRef-\\1\", \"relationshipType\": \"\\2\",
   \"relatedSpdxElement\": \"SPDXRef-\\3\"}")
  list(JOIN packages ",\n" packages)
  list(JOIN relations ",\n" relations)
  string(SHA256 id "${packages}${relations}")
  set(date 2026-11-28T00:00:00Z)  # of debian/changelog
  if(NOT "$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
    string(TIMESTAMP date "%Y-%m-%dT%H:%M:%SZ" UTC)
  endif()
  file(WRITE ${output} "{
 \"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\",
 \"name\": \"netcl-${PROJECT_VERSION}\",
 \"documentNamespace\": \"https://spdx.org/spdxdocs/netcl-${PROJECT_VERSION}-${id}\",
 \"creationInfo\": {\"created\": \"${date}\", \"creators\": [\"Tool: netcl-build\"]},
 \"packages\": [\n${packages}\n ],
 \"relationships\": [\n${relations}\n ]
}\n")
endfunction()

netcl_write_sbom(${PROJECT_BINARY_DIR}/netcl.spdx.json)
