# What `cmake --install` copies: tools, libraries, headers, and the package that
# find_package(mli-mlir) of another project reads.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(MLI_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/mli-mlir)

# mli_install_library(name): in the package as mli::name, with its headers.
function(mli_install_library name)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  add_library(mli::${name} ALIAS ${name})
  install(TARGETS ${name} EXPORT mli-mlirTargets)
endfunction()

# mli_install_package(): everything that is not a target.
function(mli_install_package)
  set(roots ${PROJECT_SOURCE_DIR})
  if(NOT MLI_RUNTIME_ONLY) # What TableGen writes.
    list(APPEND roots ${PROJECT_BINARY_DIR})
  endif()
  foreach(root ${roots})
    install(DIRECTORY ${root}/include/mli
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
      FILES_MATCHING PATTERN *.h PATTERN *.td PATTERN *.def PATTERN *.inc
      PATTERN CMakeFiles EXCLUDE)
  endforeach()
  install(FILES ${PROJECT_SOURCE_DIR}/lib/CMake/mli-mlir-config.cmake
    DESTINATION ${MLI_PACKAGE_DIR})
  install(EXPORT mli-mlirTargets NAMESPACE mli::
    DESTINATION ${MLI_PACKAGE_DIR})
endfunction()
