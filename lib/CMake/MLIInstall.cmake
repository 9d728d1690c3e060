# Lists what `cmake --install` copies: tools, libraries, headers, and the package that
# find_package(mli-mlir) of another project reads.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(MLI_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/mli-mlir)

# mli_install_library(name): in the package as mli::name, with its headers.
function(mli_install_library name)
  target_include_directories(${name} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(mli::${name} ALIAS ${name})
  install(TARGETS ${name} EXPORT mli-mlirTargets)
endfunction()

# mli_install_package(): everything that is not a target.
function(mli_install_package)
  set(folders ${PROJECT_SOURCE_DIR}/include/mli)
  if(NOT MLI_RUNTIME_ONLY) # What TableGen writes.
    foreach(room ${MLI_GENERATED_ROOMS})
      list(APPEND folders ${MLI_ROOMS}/${room}/generated/mli)
    endforeach()
  endif()
  install(DIRECTORY ${folders}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN *.h PATTERN *.td PATTERN *.def PATTERN *.inc
    PATTERN CMakeFiles EXCLUDE)
  install(FILES ${PROJECT_SOURCE_DIR}/lib/CMake/mli-mlir-config.cmake
    DESTINATION ${MLI_PACKAGE_DIR})
  install(EXPORT mli-mlirTargets NAMESPACE mli::
    DESTINATION ${MLI_PACKAGE_DIR})
endfunction()
