# What CPack makes: a Debian package of each component that is installed. Sources and
# build folder of one commit make the same bytes.

set(MLI_PACKAGE_MAINTAINER "mli-mlir maintainers <maintainers@example.org>" CACHE STRING
    "Who answers for packages of this build, as `Name <address>`")
set(MLI_DEBIAN ${PROJECT_SOURCE_DIR}/lib/CMake/debian)
set(MLI_DEBIAN_VERSION ${PROJECT_VERSION}-1)

# mli_add_package(COMPONENT NAME SECTION SUMMARY TEXT [RELATION PACKAGE...]
# [LIBRARIES "NAME VERSION"...]): the package of that component, unless nothing is
# installed as such; LIBRARIES are those that others link. What comes with each Debian
# package is written when it is made, and is no part of `cmake --install`.
macro(mli_add_package component name section summary text)
  get_cmake_property(present COMPONENTS)
  list(FIND present ${component} index)
  if(NOT index EQUAL -1)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    string(TOUPPER ${component} key)
    set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
    set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}")
    cmake_parse_arguments(ARG "" "" "DEPENDS;RECOMMENDS;SUGGESTS;LIBRARIES" ${ARGN})
    foreach(relation DEPENDS RECOMMENDS SUGGESTS)
      string(REPLACE ";" ", " CPACK_DEBIAN_${key}_PACKAGE_${relation} "${ARG_${relation}}")
    endforeach()
    set(package ${name})
    set(folder ${PROJECT_BINARY_DIR}/debian/${name})
    configure_file(${MLI_DEBIAN}/files.cmake.in ${folder}/files.cmake @ONLY)
    install(SCRIPT ${folder}/files.cmake COMPONENT ${component} EXCLUDE_FROM_ALL)
    if(ARG_LIBRARIES)
      list(TRANSFORM ARG_LIBRARIES APPEND " ${name} (= ${MLI_DEBIAN_VERSION})\n")
      list(JOIN ARG_LIBRARIES "" libraries)
      file(WRITE ${folder}/shlibs "${libraries}")
      set(CPACK_DEBIAN_${key}_PACKAGE_CONTROL_EXTRA "${folder}/shlibs;${MLI_DEBIAN}/triggers")
    endif()
  endif()
endmacro()

# mli_add_packages(): after all that is installed, which is all or the runtime alone.
function(mli_add_packages)
  set(same "(= ${MLI_DEBIAN_VERSION})")
  set(library libmli${PROJECT_VERSION_MAJOR})
  set(llvm ${LLVM_VERSION_MAJOR})
  set(interface "")
  set(compiler "")
  if(TARGET MLIC)
    get_target_property(interface MLIC SOVERSION)
    set(compiler "mli-mlir ${same}" llvm-${llvm}-dev libmlir-${llvm}-dev)
  endif()
  set(CPACK_COMPONENTS_ALL "")
  mli_add_package(tools mli-mlir devel "compiler for quantised networks on MLI and NPUs"
    "An MLIR dialect for quantised networks on embARC MLI DSPs and on NPUs with
local memory, as the tools mli-run, mli-compile, mli-opt and others, a plugin
for mlir-opt, a library for programs in C, and a server for editors."
    DEPENDS "${library} ${same}" RECOMMENDS lld-${llvm} SUGGESTS mlir-${llvm}-tools
    LIBRARIES "libmli-c ${interface}"
              "libmli-upstream-c ${llvm}.${LLVM_VERSION_MINOR}")
  mli_add_package(runtime ${library} libs "kernels of the MLI 2.0 API"
    "The kernels of quantised networks that compiled programs call, bit-exact with
the reference of MLI 2.0, and a model of the local memory of NPUs."
    LIBRARIES "libmli ${PROJECT_VERSION_MAJOR}")
  mli_add_package(development libmli-dev libdevel "kernels of the MLI 2.0 API, to build with"
    "Headers and libraries of the kernels, and of the compiler mli-mlir for
programs in C and C++, which need the packages of MLIR as well."
    DEPENDS "${library} ${same}"
    RECOMMENDS ${compiler})
  mli_add_package(python python3-mli-mlir python "compiler for quantised networks, in Python"
    "The compiler mli-mlir as a module of Python 3: it compiles networks and runs
them."
    DEPENDS "mli-mlir ${same}" python3 python3-numpy)

  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_VENDOR mli-mlir)
  set(CPACK_PACKAGE_CONTACT "${MLI_PACKAGE_MAINTAINER}")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_PROJECT_CONFIG_FILE ${MLI_DEBIAN}/date.cmake)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
  set(CPACK_THREADS 0)
  include(CPack)
endfunction()
