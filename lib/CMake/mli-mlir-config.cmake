# find_package(mli-mlir [COMPONENTS runtime compiler]). Of runtime is mli::MLIRuntime, the
# kernels, for programs without a compiler; of compiler are mli::MLIPipelines,
# mli::MLIImport, mli::MLIExecution and mli::MLIC, which need the MLIR that this package
# was built with. Who names none gets those that were built.

cmake_policy(VERSION 3.20)
include(CMakeFindDependencyMacro)
set(_mli_folder ${CMAKE_CURRENT_LIST_DIR})
set(_mli_components ${mli-mlir_FIND_COMPONENTS})
if(NOT _mli_components)
  set(_mli_components runtime)
  if(EXISTS ${_mli_folder}/mli-mlir-compiler.cmake)
    list(APPEND _mli_components compiler)
  endif()
endif()
include(${_mli_folder}/mli-mlir-runtime.cmake)
set(mli-mlir_runtime_FOUND TRUE)
if(compiler IN_LIST _mli_components AND EXISTS ${_mli_folder}/mli-mlir-compiler.cmake)
  find_dependency(MLIR CONFIG)
  include(${_mli_folder}/mli-mlir-compiler.cmake)
  foreach(_mli_target mli::MLIDialect mli::MLIUpstreamC)
    if(TARGET ${_mli_target})
      set_property(TARGET ${_mli_target} APPEND PROPERTY
        INTERFACE_INCLUDE_DIRECTORIES ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
    endif()
  endforeach()
  set(mli-mlir_compiler_FOUND TRUE)
endif()
foreach(_mli_component ${_mli_components})
  if(mli-mlir_FIND_REQUIRED_${_mli_component} AND NOT mli-mlir_${_mli_component}_FOUND)
    set(mli-mlir_FOUND FALSE)
    set(mli-mlir_NOT_FOUND_MESSAGE "it was built without '${_mli_component}'")
  endif()
endforeach()
