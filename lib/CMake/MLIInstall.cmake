# Lists what `cmake --install` copies: tools, libraries, headers, and the package that
# find_package(mli-mlir) of another project reads. Each has its component, which is a
# Debian package (MLIPackages.cmake): tools, runtime, development.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(MLI_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/mli-mlir)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME tools)

# mli_install_library(name component): in that component of find_package as mli::name,
# with its headers. Those of runtime link nothing but each other.
function(mli_install_library name component)
  target_include_directories(${name} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(mli::${name} ALIAS ${name})
  set(shared tools)
  if(component STREQUAL runtime)
    set(shared runtime)
  endif()
  install(TARGETS ${name} EXPORT mli-mlir-${component}
    ARCHIVE COMPONENT development
    LIBRARY COMPONENT ${shared} NAMELINK_COMPONENT development)
endfunction()

# mli_install_package(): everything that is not a target.
function(mli_install_package)
  set(folders ${PROJECT_SOURCE_DIR}/include/mli)
  if(TARGET MLIDialect) # What TableGen writes.
    foreach(room ${MLI_GENERATED_ROOMS})
      list(APPEND folders ${MLI_ROOMS}/${room}/generated/mli)
    endforeach()
  endif()
  if(TARGET MLIC)
    list(APPEND folders ${PROJECT_SOURCE_DIR}/include/mli-c
      ${MLI_ROOMS}/CAPI/generated/mli-c)
  endif()
  install(DIRECTORY ${folders}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
    FILES_MATCHING PATTERN *.h PATTERN *.td PATTERN *.def PATTERN *.inc
    PATTERN CMakeFiles EXCLUDE)
  set(version_file ${PROJECT_BINARY_DIR}/mli-mlir-config-version.cmake)
  # Before 1.0 each minor version may change interfaces.
  set(compatibility SameMajorVersion)
  if(PROJECT_VERSION VERSION_LESS 1.0)
    set(compatibility SameMinorVersion)
  endif()
  write_basic_package_version_file(${version_file} COMPATIBILITY ${compatibility})
  install(FILES ${PROJECT_SOURCE_DIR}/lib/CMake/mli-mlir-config.cmake ${version_file}
    DESTINATION ${MLI_PACKAGE_DIR} COMPONENT development)
  set(components runtime)
  if(TARGET MLIDialect)
    list(APPEND components compiler)
  endif()
  foreach(component ${components})
    install(EXPORT mli-mlir-${component} NAMESPACE mli::
      DESTINATION ${MLI_PACKAGE_DIR} COMPONENT development)
  endforeach()
  # Tools name pages of the documentation; the guide of packages runs the example.
  if(TARGET mli-run)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
      FILES_MATCHING PATTERN *.md PATTERN *.svg)
    set(shapes ${PROJECT_SOURCE_DIR}/test/Models/shapes)
    install(FILES ${shapes}/shapes.tosa.mlir ${shapes}/labels.txt
      DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
    install(DIRECTORY ${shapes}/inputs DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/test/Embedding/ COMPONENT development
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libmli-dev/examples
    FILES_MATCHING PATTERN *.c PATTERN *.cpp PATTERN CMakeLists.txt PATTERN net.mlir)
  # For builds without CMake.
  file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
    ${CMAKE_INSTALL_PREFIX})
  set(private_libraries "-pthread")
  if(MLI_RUNTIME_PROFILE STREQUAL plain)
    set(private_libraries "")
  endif()
  set(packages mli)
  if(TARGET MLIC)
    list(APPEND packages mli-c)
  endif()
  foreach(package ${packages})
    configure_file(${PROJECT_SOURCE_DIR}/lib/CMake/${package}.pc.in ${package}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${package}.pc
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
  endforeach()
endfunction()
