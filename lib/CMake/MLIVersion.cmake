# Reads the version of the project from the header that C programs include.

set(version_header ${CMAKE_CURRENT_SOURCE_DIR}/include/mli/Runtime/C/mli_version.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${version_header})
set(MLI_VERSION "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS ${version_header} line REGEX "^#define MLI_MLIR_VERSION_${part} [0-9]+$")
  if(NOT line)
    message(FATAL_ERROR "${version_header}: expected a number as MLI_MLIR_VERSION_${part}")
  endif()
  string(REGEX MATCH "[0-9]+$" number "${line}")
  list(APPEND MLI_VERSION ${number})
endforeach()
string(REPLACE ";" "." MLI_VERSION "${MLI_VERSION}")
